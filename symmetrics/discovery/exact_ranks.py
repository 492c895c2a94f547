"""Exact ranking of tables by a metric: ties are proved, and nothing is rounded.

A value is compared as a rational number where it is one, or where a power of it is, as with the square root of a
quotient.  Other values are certified intervals; what they do not tell apart is tied if its difference is zero in the
exact algebra, and computed to more digits if not.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, cmp_to_key
from typing import Any, Final

import numpy as np
from flint import arb, ctx, fmpq
from numpy.typing import NDArray
from sympy import Expr, Pow, Rational, log, pi

from symmetrics.algebra.convert import Conversion, field_for
from symmetrics.algebra.evaluate import Evaluator, Undefined, certain_sign
from symmetrics.algebra.limits.extension import Extension, extension_of
from symmetrics.language.cells import CELLS
from symmetrics.language.writer import formula_text
from symmetrics.tools.errors import UnsupportedError

IntArray = NDArray[np.int64]
Table = Sequence[int]
BITS: Final = 128
"""Initial precision of intervals in bits."""
MAX_BITS: Final = 4096
"""Largest precision in bits for comparing two values that are not proved equal."""
POWERS: Final = (1, 2, 3, 4)
"""Exponents tried for making a metric rational."""


def ranks_of(formula: Expr, tables: Iterable[Table]) -> IntArray:
    """Return the ranks of tables by value, from 0; ties share a rank.

    Values are those of :meth:`symmetrics.Metric.exact`: with limits at tables with cells that are zero, and infinite
    at poles, where all of one sign are tied.

    :param formula: a formula without parameters
    :param tables: tables of whole counts that are not negative
    :returns: a place for each table, -1 where there is no value
    :raises UnsupportedError: if two values cannot be told apart, nor proved equal

    >>> from symmetrics.language.cells import FN, FP, TN, TP
    >>> ranks_of((TP * TN) ** Rational(1, 2), [(2, 0, 0, 8), (1, 3, 1, 5), (4, 3, 2, 4)]).tolist()
    [1, 0, 1]
    >>> ranks_of(TP / (TP + FP), [(0, 5, 0, 5), (1, 0, 0, 9), (1, 1, 1, 1)]).tolist()
    [-1, 1, 0]
    """
    # A comparable key for each table; -oo, finite values and oo are sorted separately.
    listed = [tuple(map(int, table)) for table in tables]
    values = _Values(formula)
    keys: list[Any] = [values.at(table) for table in listed]
    found = np.full(len(listed), -1, dtype=np.int64)
    kinds = {-1: [], 0: [], 1: []}  # type: dict[int, list[int]]
    for place, key in enumerate(keys):
        if key is not None:
            kinds[key if isinstance(key, int) else 0].append(place)
    start = 0
    for kind in (-1, 0, 1):
        groups = _in_order([(keys[place], place) for place in kinds[0]]) if kind == 0 else [kinds[kind]]
        for group in groups:
            found[group] = start
            start += bool(group)
    return found


def value_order(formula: Expr, first: Table, second: Table) -> int | None:
    """Return the sign of the first value minus the second, exactly; None where one is undefined.

    >>> from symmetrics.language.cells import FN, TP
    >>> value_order(TP / (TP + FN), (2, 1, 0, 0), (4, 2, 1, 0)), value_order(TP / (TP + FN), (2, 1, 0, 0), (0, 0, 1, 1))
    (0, None)
    """
    left, right = ranks_of(formula, (first, second)).tolist()
    return None if min(left, right) < 0 else (left > right) - (left < right)


class _Values:
    """Comparable values of a formula at tables: rational numbers or :class:`_Irrational`."""

    def __init__(self, formula: Expr) -> None:
        self.extension = extension_of(formula)
        self.is_real = not self.extension.conditions
        self.evaluate = Evaluator(self.extension.expression, CELLS)
        self.power, self.powered = _rational_power(formula)

    def at(self, table: Table) -> Any:
        """Return the comparable value at a table: a number, -1 or 1 for an infinity, None if undefined."""
        try:
            if not self.is_real:
                raise Undefined("what is under a root may be negative")
            with ctx.workprec(BITS):
                value = self.evaluate(*table)
                if not isinstance(value, fmpq) and not value.is_finite():
                    raise Undefined("an interval without ends")
        except Undefined:
            return self._limit(table)
        return self._key(value, table)

    def _key(self, value: Any, table: Table) -> Any:
        if isinstance(value, fmpq):
            return _signed(value, self.power) if self.power else value
        if self.power:
            try:
                size = abs(self.powered(*table))
            except Undefined:
                return self._limit(table)
            sign = 0 if size == 0 else certain_sign(lambda: self.evaluate(*table), MAX_BITS)
            if sign is None:
                raise UnsupportedError(f"the sign of the value at {tuple(table)} stays unknown at {MAX_BITS} bits")
            return size if sign > 0 else -size
        return _Irrational(self.extension, self.evaluate, tuple(table))

    def _limit(self, table: Table) -> Any:
        """Return the limit where the unsimplified formula is undefined."""
        value = self.extension.value(*table)
        if not value.is_finite:
            return {"oo": 1, "-oo": -1}.get(str(value))
        if isinstance(value, Rational):
            exact = fmpq(int(value.p), int(value.q))
            return _signed(exact, self.power) if self.power else exact
        if not self.power:
            return _Irrational(self.extension, Evaluator(value, ()), tuple(table), ())
        power = abs(value) ** self.power
        if not isinstance(power, Rational):
            raise UnsupportedError(f"the limit {formula_text(value)} at {tuple(table)} is not comparable with others")
        size = fmpq(int(power.p), int(power.q))
        return size if value > 0 else -size


@dataclass(frozen=True, eq=False)
class _Irrational:
    """An irrational value, enclosed by intervals of any precision."""

    extension: Extension
    evaluate: Evaluator
    table: tuple[int, ...]
    variables: tuple[int, ...] | None = None

    def ball(self) -> Any:
        return arb(self.evaluate(*(self.table if self.variables is None else self.variables)))

    @cached_property
    def exact(self) -> Expr:
        return self.extension.value(*self.table)


def _rational_power(formula: Expr) -> tuple[int, Any]:
    """Return the smallest exponent that makes a formula rational, with the power; 0 if none is found."""
    for power in () if extension_of(formula).expression.has(log, pi) else POWERS:
        expression = Extension(formula**power).expression if power > 1 else extension_of(formula).expression
        roots = any(not node.exp.is_Integer for node in expression.atoms(Pow))
        if not roots:
            return power, Evaluator(expression, CELLS)
    return 0, None


def _signed(value: fmpq, power: int) -> fmpq:
    return abs(value) ** power if value >= 0 else -(abs(value) ** power)


def _in_order(keyed: list[tuple[Any, int]]) -> list[list[int]]:
    """Return the indices of values in increasing order, grouped by ties."""
    groups: list[list[int]] = []
    last: Any = None
    # Rational keys: sort and group.
    if all(isinstance(key, fmpq) for key, _ in keyed):
        for key, place in sorted(keyed, key=lambda pair: pair[0]):
            if groups and key == last:
                groups[-1].append(place)
            else:
                groups.append([place])
            last = key
        return groups
    # Intervals: those that overlap form a cluster, which is settled exactly.
    with ctx.workprec(BITS):
        placed = [(key.ball() if isinstance(key, _Irrational) else arb(key), key, place) for key, place in keyed]
        bounds = [(ball.lower(), ball.upper()) for ball, _, _ in placed]
    order = sorted(range(len(placed)), key=lambda position: bounds[position][0])
    cluster: list[tuple[Any, int]] = []
    reach: Any = None
    for position in order:
        low, high = bounds[position]
        # A later interval is separate once it starts beyond the farthest end so far; the last one's end is not enough,
        # as an earlier interval may be wider.
        if cluster and bool(reach < low):
            groups += _settled(cluster)
            cluster = []
        reach = high if not cluster or bool(reach < high) else reach
        cluster.append(placed[position][1:])
    return groups + _settled(cluster)


def _settled(cluster: list[tuple[Any, int]]) -> list[list[int]]:
    """Sort the values that intervals did not separate; return their indices grouped by ties."""
    if len(cluster) < 2:
        return [[place] for _, place in cluster]
    # Values of the same expression are tied; others are compared pairwise.
    alike: dict[Expr, list[int]] = {}
    values: dict[Expr, Any] = {}
    for key, place in cluster:
        exact = key.exact if isinstance(key, _Irrational) else Rational(int(key.p), int(key.q))
        alike.setdefault(exact, []).append(place)
        values.setdefault(exact, key)
    groups: list[list[int]] = []
    last: Expr | None = None
    for exact in sorted(alike, key=cmp_to_key(lambda left, right: _sign_between(left, right, values))):
        if last is not None and _sign_between(last, exact, values) == 0:
            groups[-1] += alike[exact]
        else:
            groups.append(alike[exact])
        last = exact
    return groups


def _sign_between(left: Expr, right: Expr, values: dict[Expr, Any]) -> int:
    """Return the sign of the difference of two values.

    :raises UnsupportedError: if it is neither proved to be zero nor seen not to be
    """
    if left == right:
        return 0
    try:
        if Conversion(field_for())(left - right).is_zero:
            return 0
    except UnsupportedError:  # outside the algebra that proves equality: only digits decide
        pass
    first, second = (
        value.ball if isinstance(value := values[exact], _Irrational) else (lambda number=value: arb(number))
        for exact in (left, right)
    )
    sign = certain_sign(lambda: first() - second(), MAX_BITS)
    if sign is None:
        raise UnsupportedError(
            f"{formula_text(left)} and {formula_text(right)} are not proved equal, nor apart at {MAX_BITS} bits"
        )
    return sign
