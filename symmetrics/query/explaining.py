"""Attribute the difference of a metric between two tables to the cells."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final

from flint import arb, ctx
from sympy import Expr, Rational, S, Symbol

from symmetrics.algebra.derivative import gradient
from symmetrics.algebra.evaluate import Evaluator, Undefined
from symmetrics.algebra.integrals import BITS, WIDTH, certified_integral, rational_integral
from symmetrics.claims.evidence import Counts
from symmetrics.language.cells import CELLS
from symmetrics.language.names import CELL_NAMES
from symmetrics.language.writer import formula_text
from symmetrics.library.selections import as_metric
from symmetrics.metric import Metric
from symmetrics.metric.over_priors import exact_table
from symmetrics.tools.errors import InputError, UnsupportedError

METHODS: Final = ("path", "shapley")
"""The ways to share a difference among the cells, the default first."""
SHORT: Final = 40
"""Longest exact share that is shown, in characters; longer ones are among the data."""
_T: Final = Symbol("t", real=True)


@dataclass(frozen=True, repr=False)
class Explanation:
    """Contribution of each cell's change to the difference of a score.

    :param metric: the name of the metric
    :param tables: the two tables
    :param values: the exact values at them
    :param method: how the difference is shared
    :param shares: the contribution of each cell's change, exactly; None where only an interval is known
    :param enclosures: for each cell the ends of an interval that is certain to hold its share
    """

    metric: str
    tables: tuple[Counts, Counts]
    values: tuple[Expr, Expr]
    method: str
    shares: tuple[Expr | None, ...]
    enclosures: tuple[tuple[float, float], ...]

    @property
    def difference(self) -> Expr:
        """The second value minus the first, exactly; the shares add up to it."""
        return self.values[1] - self.values[0]

    @property
    def largest(self) -> str | None:
        """The cell with the largest contribution in absolute value, the first one at a tie; None if all are zero."""
        return next(iter(self._most), None)

    @property
    def _most(self) -> list[str]:
        """The cells with the largest contribution: several if their order by size is not certain."""
        sizes = [sorted((abs(low), abs(high))) for low, high in self.enclosures]
        least = max(low for low, _ in sizes)
        return [name for name, (_, high) in zip(CELL_NAMES, sizes, strict=True) if high >= least and high > 0]

    @property
    def sentence(self) -> str:
        """The result in plain words."""
        first, second = (f"{float(value):.4g}" for value in self.values)
        most = self._most
        if not most:
            return f"{self.metric} stays {first}: no cell's change moves it."
        move = float(self.difference)
        verb = f"stays {first}" if move == 0 else f"{'rises' if move > 0 else 'falls'} from {first} to {second}"
        told = ", and ".join(map(self._in_words, most))
        return f"{self.metric} {verb}; what moves it most {'is' if len(most) == 1 else 'are'} {told}."

    def _in_words(self, name: str) -> str:
        place = CELL_NAMES.index(name)
        before, after = (table[place] for table in self.tables)
        low, high = self.enclosures[place]
        return f"{name}, which goes from {before} to {after} and adds {(low + high) / 2:+.4g}"

    def lines(self) -> Iterator[str]:
        """Yield the result as lines, the answer first."""
        yield self.sentence
        for name, before, after, share, (low, high) in zip(
            CELL_NAMES, *self.tables, self.shares, self.enclosures, strict=True
        ):
            exact = "" if share is None or share == 0 else formula_text(share)
            told = f"± {(high - low) / 2:.1e}" if share is None else f"= {exact}" * (0 < len(exact) <= SHORT)
            yield f"{name}: {before} -> {after}  {(low + high) / 2:+.6f}  {told}".rstrip()
        yield f"sum: {float(self.difference):+.6f} = {formula_text(self.difference)} ({self.method})"

    def __repr__(self) -> str:
        return "\n".join(self.lines())

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain data: exact shares as texts, or null, beside the intervals that contain them."""
        cells = {
            name: {
                "before": str(before),
                "after": str(after),
                "share": None if share is None else formula_text(share),
                "interval": list(ends),
            }
            for name, before, after, share, ends in zip(
                CELL_NAMES, *self.tables, self.shares, self.enclosures, strict=True
            )
        }
        values = [{"exact": formula_text(value), "float": float(value)} for value in self.values]
        return {
            "metric": self.metric,
            "method": self.method,
            "values": values,
            "difference": {"exact": formula_text(self.difference), "float": float(self.difference)},
            "cells": cells,
        }


def explain(
    metric: Metric | Expr | str, table1: Iterable[object], table2: Iterable[object], *, method: str = "path"
) -> Explanation:
    """Attribute the difference of a score between two tables to the changes of the cells.

    The shares add up to the difference of the two values, and a cell that the metric does not depend on, or that does
    not change, has the share 0.

    :param table1: TP, FN, FP and TN, exact numbers that are not negative
    :param table2: the counts of the second table
    :param method: ``"path"``, the integral of each partial derivative along the straight line between the tables, times
        the change of its cell (Aumann & Shapley 1974; integrated gradients, Sundararajan, Taly & Yan 2017).  It is
        exact where the denominators have rational zeros alone, and else a certified interval no wider than 1e-12.
        ``"shapley"``: the mean, over the 24 orders of the cells, of what its change adds when the cells change one
        after the other (Shapley 1953); always exact.
    :raises InputError: if a count is none, if the metric has no value at a table, if it is not smooth along the line
        (a pole, or what Abs, Min and Max split), or has no value at a table that the orders pass through

    >>> found = explain("f1", (10, 2, 3, 40), (12, 2, 3, 38))
    >>> print(found)
    f1 rises from 0.8 to 0.8276; what moves it most is TP, which goes from 10 to 12 and adds +0.02759.
    TP: 10 -> 12  +0.027586  = 4/145
    FN: 2 -> 2  +0.000000
    FP: 3 -> 3  +0.000000
    TN: 40 -> 38  +0.000000
    sum: +0.027586 = 4/145 (path)
    """
    if method not in METHODS:
        raise InputError(f"{method!r} is no method; choose one of {', '.join(METHODS)}")
    asked = as_metric(metric)
    tables = exact_table(table1), exact_table(table2)
    values = _value(asked, tables[0]), _value(asked, tables[1])
    if method == "path":
        shares, balls = _along_the_line(asked, tables)
        _check_sum(asked.name, values[1] - values[0], balls)
    else:
        shares = _shapley(asked, tables)
        balls = [_ball(share) for share in shares]
    return Explanation(asked.name, tables, values, method, tuple(shares), tuple(map(_ends, balls)))


def _value(metric: Metric, table: Counts, way_out: str = "choose other tables") -> Expr:
    value = metric.exact(*table)
    if not value.is_finite:
        told = "no value" if value is S.NaN else f"the value {formula_text(value)}"
        where = f"TP, FN, FP, TN = {', '.join(map(str, table))}"
        raise InputError(f"{metric.name} has {told} at {where}: there is no difference to share; {way_out}")
    return value


# -- the integral along the line ---------------------------------------------------------------------------------------


def _along_the_line(metric: Metric, tables: tuple[Counts, Counts]) -> tuple[list[Expr | None], list[Any]]:
    steps = [Rational(after) - Rational(before) for before, after in zip(*tables, strict=True)]
    line = {cell: Rational(start) + step * _T for cell, start, step in zip(CELLS, tables[0], steps, strict=True)}
    shares: list[Expr | None] = []
    balls: list[Any] = []
    for slope, step in zip(gradient(metric.value_formula), steps, strict=True):
        if step == 0 or slope == 0:
            shares.append(S.Zero)
            balls.append(arb(0))
            continue
        integrand = step * slope.xreplace(line)
        try:
            exact = rational_integral(integrand, _T)
        except UnsupportedError:
            raise InputError(
                f"{metric.name} has a pole between the two tables; choose tables on one side of it"
            ) from None
        try:
            ball = certified_integral(integrand, _T) if exact is None else _ball(exact)
        except UnsupportedError:
            raise InputError(
                f"the slope of {metric.name} has no integral along the line between the two tables that is known to "
                f"{WIDTH:g}: it is not smooth there, or not bounded; choose tables with larger cells, or the method "
                "'shapley'"
            ) from None
        shares.append(exact)
        balls.append(ball)
    return shares, balls


def _check_sum(explained: str, difference: Expr, balls: Sequence[Any]) -> None:
    """Raise an error if the shares do not add up to the difference, as when the metric is not smooth on the line."""
    with ctx.workprec(BITS):
        if not sum(balls, arb(0)).overlaps(_ball(difference)):
            raise InputError(
                f"{explained} jumps between the two tables, so that its slopes do not add up to the difference; choose "
                "the method 'shapley'"
            )


# -- the mean over orders ----------------------------------------------------------------------------------------------


def _shapley(metric: Metric, tables: tuple[Counts, Counts]) -> list[Expr]:
    """Return Shapley values: each cell's contribution averaged over all orders of the changes."""
    changed = [place for place in range(4) if tables[0][place] != tables[1][place]]
    values: dict[frozenset[int], Expr] = {}
    way_out = "the orders pass through that table; choose other ones, or the method 'path'"
    for size in range(len(changed) + 1):
        for moved in combinations(changed, size):
            table = Counts(*(tables[place in moved][place] for place in range(4)))
            values[frozenset(moved)] = _value(metric, table, way_out)
    shares: list[Expr] = [S.Zero] * 4
    for place in changed:
        for before, value in values.items():
            if place not in before:
                orders = math.factorial(len(before)) * math.factorial(len(changed) - len(before) - 1)
                weight = Rational(orders, math.factorial(len(changed)))
                shares[place] += weight * (values[before | {place}] - value)
    return shares


def _ball(value: Expr) -> Any:
    with ctx.workprec(BITS):
        try:
            return arb(Evaluator(value, ())())
        except Undefined as error:
            raise InputError(f"{formula_text(value)} has no value ({error}); choose other tables") from None


def _ends(ball: Any) -> tuple[float, float]:
    """Return floats that enclose a ball."""
    middle, radius = float(ball.mid()), float(ball.rad())
    if radius == 0 and arb(middle) == ball:
        return middle, middle
    slack = radius + abs(middle) * 2**-52
    return math.nextafter(middle - slack, -math.inf), math.nextafter(middle + slack, math.inf)
