"""Whether a metric is outside of an interval at all tables of a box, for the check of a proof that scores clash.

Other arithmetic than the search's, and nothing taken from it.  A rational metric is a quotient A/B; with B > 0 it is
below an end e exactly if A - e*B < 0, and a polynomial is bounded on a box by its Taylor coefficients at one corner, in
whole numbers.  Other formulas are bounded by pairs of ends in ball arithmetic (Arb, by python-flint).

Where cells are zero, a value is the limit along every curve that ends there, if the metric has one.  So a table is
excluded if along one curve the limit is outside of the interval or infinite, or if along two curves it is not the same.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache, reduce
from typing import Any, Final

import numpy as np
from flint import Ordering, arb, ctx, fmpq, fmpz_mpoly, fmpz_mpoly_ctx
from numpy.typing import NDArray
from sympy import Abs, Add, Expr, Max, Min, Mul, Poly, Pow, Rational, S, Symbol, cancel, fraction, log

from symmetrics.auditing.reported import Reported
from symmetrics.checker.engine.expansions import expanded, placed
from symmetrics.claims.families.limits import STEP
from symmetrics.language.cells import CELLS
from symmetrics.tools.budget import checkpoint
from symmetrics.tools.errors import CertificateError

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
POSITIVES, NEGATIVES, TOTAL = (Symbol(name, real=True) for name in ("P", "N", "n"))
RANGES: Final = (*CELLS, POSITIVES, NEGATIVES, TOTAL)
"""What a box gives ranges of, in this order: an array of boxes has the shape (size, 7, 2)."""
_TP, _FN, _FP, _TN = CELLS
_SUMS: Final = {_TP + _FN: POSITIVES, _FP + _TN: NEGATIVES, _TP + _FN + _FP + _TN: TOTAL}
_RING: Final = fmpz_mpoly_ctx.get(("TP", "FN", "FP", "TN"), Ordering.lex)
_A, _B, _C, _D = _RING.gens()
COORDINATES: Final[tuple[tuple[tuple[Symbol, ...], tuple[fmpz_mpoly, ...]], ...]] = (
    (CELLS, (_A, _B, _C, _D)),
    ((POSITIVES, NEGATIVES, _TP, _TN), (_C, _A - _C, _B - _D, _D)),
    ((TOTAL, POSITIVES, _TP, _TN), (_C, _B - _C, _A - _B - _D, _D)),
)
"""Four ranges each, and TP, FN, FP and TN in them; a polynomial may be bounded more sharply in one than in others."""
CURVES: Final = tuple(
    dict(zip(CELLS, (c * STEP**e for c, e in zip(factors, powers, strict=True)), strict=True))
    for factors, powers in (
        ((1, 1, 1, 1), (1, 1, 1, 1)),
        ((1, 2, 3, 5), (1, 1, 1, 1)),
        ((5, 3, 2, 1), (1, 1, 1, 1)),
        ((1, 7, 1, 9), (1, 1, 1, 1)),
        ((1, 1, 1, 1), (3, 1, 1, 3)),
        ((1, 1, 1, 1), (1, 3, 3, 1)),
        ((1, 1, 1, 1), (1, 1, 3, 3)),
    )
)
"""How TP, FN, FP and TN may tend to zero as the step does."""

BITS: Final = 256
"""Precision in which single numbers are compared."""

# -- Polynomials on boxes ----------------------------------------------------------------------------------------------


class Polynomial:
    """A polynomial in the cells with whole coefficients.

    >>> box = np.array([[[3, 5], [1, 2], [2, 2], [4, 4], [4, 7], [6, 6], [10, 13]]])
    >>> low, high = polynomials(_TP * _TN - _FN * _FP)[0].bounds(box)
    >>> int(low[0]), int(high[0])  # 3*4 - 2*2 and 5*4 - 1*2
    (8, 18)
    """

    def __init__(self, value: fmpz_mpoly) -> None:
        self.value = value

    @cached_property
    def _series(self) -> list[tuple[list[int], _Taylor]]:
        return [
            (
                [RANGES.index(name) for name in over],
                _taylor({powers: int(c) for powers, c in self.value.compose(*cells).to_dict().items()}),
            )
            for over, cells in COORDINATES
        ]

    def bounds(self, boxes: Ints) -> tuple[Any, Any]:
        """Return a lower and an upper bound on each box, exact whole numbers."""
        found = [_bounded(series, boxes[:, places]) for places, series in self._series]
        lows, highs = zip(*found, strict=True)
        return np.maximum.reduce(lows), np.minimum.reduce(highs)

    def signs(self, boxes: Ints) -> Ints:
        """Return the sign on each box; 0 if it has none, or it is not seen."""
        low, high = self.bounds(boxes)
        return np.where(low > 0, 1, np.where(high < 0, -1, 0))


def polynomials(*formulas: Expr) -> list[Polynomial]:
    """Return polynomials, all times the same positive number, which makes the coefficients whole."""
    terms = [Poly(formula, *CELLS, domain="QQ").terms() for formula in formulas]
    scale = math.lcm(*(int(value.q) for each in terms for _, value in each))
    return [Polynomial(_RING.from_dict({powers: int(value * scale) for powers, value in each})) for each in terms]


_Taylor = list[tuple[tuple[int, ...], dict[tuple[int, ...], int]]]
"""For powers of the distances from a corner, their coefficients: polynomials in the corner."""


def _taylor(terms: Mapping[tuple[int, ...], int]) -> _Taylor:
    """Return the Taylor coefficients: of (a + x)**m it is binomial(m, k) * a**(m - k) for x**k."""
    found: dict[tuple[int, ...], dict[tuple[int, ...], int]] = {(0,) * 4: {}}
    for powers, coefficient in terms.items():
        for taken in itertools.product(*(range(power + 1) for power in powers)):
            left = tuple(m - k for m, k in zip(powers, taken, strict=True))
            ways = math.prod(math.comb(m, k) for m, k in zip(powers, taken, strict=True))
            at = found.setdefault(taken, {})
            at[left] = at.get(left, 0) + coefficient * ways
    return list(found.items())


def _bounded(series: _Taylor, ranges: Ints) -> tuple[Any, Any]:
    """Return bounds from the coefficients at the least corner: positive ones add at most, negative ones at least."""
    most = int(ranges.max(initial=1))
    sizes = (abs(c) * most ** (sum(m) + sum(k)) for k, terms in series for m, c in terms.items())
    # Python's whole numbers where those of the machine might overflow.
    exact = ranges.astype(np.int64 if sum(sizes) < 2**62 else object)
    low, width = exact[:, :, 0], exact[:, :, 1] - exact[:, :, 0]

    def product(base: Any, powers: tuple[int, ...]) -> Any:
        return reduce(lambda a, b: a * b, (base[:, i] ** e for i, e in enumerate(powers) if e), 1)

    least = most_of = np.zeros(len(exact), dtype=exact.dtype)
    for taken, terms in series:
        value = least * 0 + sum(c * product(low, powers) for powers, c in terms.items())
        if any(taken):
            value = value * product(width, taken)
            least, most_of = least + np.minimum(value, 0), most_of + np.maximum(value, 0)
        else:
            least, most_of = least + value, most_of + value
    return least, most_of


# -- Balls on boxes ----------------------------------------------------------------------------------------------------

Pair = tuple[arb, arb]
"""Lower and upper end, both exact."""


class _Unbounded(ArithmeticError):
    """A formula is not bounded on a box, as far as is seen."""


def _outward(low: arb, high: arb) -> Pair:
    if not (low.is_finite() and high.is_finite()):
        raise _Unbounded
    return low.lower(), high.upper()


def enclosed(node: Expr, known: dict[Expr, Pair]) -> Pair:
    """Return ends between which a formula is wherever it has a value; a radicand is not negative there.

    :param known: the ends of its symbols; those of its parts are added
    """
    if node not in known:
        known[node] = _computed(node, known)
    return known[node]


def _computed(node: Expr, known: dict[Expr, Pair]) -> Pair:
    if isinstance(node, Rational):
        value = arb(fmpq(int(node.p), int(node.q)))
        return _outward(value, value)
    if node is S.Pi:
        return _outward(arb.pi(), arb.pi())
    if isinstance(node, Pow) and isinstance(node.exp, Rational):
        return _power(enclosed(node.base, known), int(node.exp.p), int(node.exp.q))
    parts = [enclosed(part, known) for part in node.args]
    if isinstance(node, Add):
        return _outward(sum((low for low, _ in parts), arb(0)), sum((high for _, high in parts), arb(0)))
    if isinstance(node, Mul):
        return reduce(_product, parts)
    if isinstance(node, Max | Min):
        choose = arb.max if isinstance(node, Max) else arb.min
        return reduce(lambda a, b: _outward(choose(a[0], b[0]), choose(a[1], b[1])), parts)
    if isinstance(node, Abs):
        ((low, high),) = parts
        return (low, high) if low >= 0 else (-high, -low) if high <= 0 else (arb(0), arb.max(-low, high))
    if isinstance(node, log) and parts[0][0] > 0:
        return _outward(parts[0][0].log(), parts[0][1].log())
    raise _Unbounded


def _product(left: Pair, right: Pair) -> Pair:
    if left[0] >= 0 and right[0] >= 0:
        return _outward(left[0] * right[0], left[1] * right[1])
    corners = [a * b for a in left for b in right]
    return _outward(reduce(arb.min, corners), reduce(arb.max, corners))


def _power(base: Pair, above: int, below: int) -> Pair:
    low, high = base
    if above < 0:
        low, high = _power(base, -above, below)
        if not (low > 0 or high < 0):
            raise _Unbounded
        return _outward(1 / high, 1 / low)
    if below > 1:
        if high < 0:
            raise _Unbounded
        low, high = (end.root(below) if end > 0 else arb(0) for end in (low, high))
    if above % 2 or low >= 0:
        return _outward(low**above, high**above)
    if high <= 0:
        return _outward(high**above, low**above)
    return _outward(arb(0), arb.max(low**above, high**above))


def sign_of(number: Expr) -> int | None:
    """Return the sign of a number, or None if it is neither seen in its digits nor shown to be zero.

    >>> from sympy import sqrt
    >>> sign_of(sqrt(2) - Rational(7, 5)), sign_of(sqrt(5 + 2 * sqrt(6)) - sqrt(2) - sqrt(3))
    (1, 0)
    """
    if isinstance(number, Rational):
        return int(number.p > 0) - int(number.p < 0)
    with ctx.workprec(BITS), suppress(_Unbounded):
        low, high = enclosed(number, {})
        if low > 0 or high < 0:
            return 1 if low > 0 else -1
    return 0 if number.equals(0) else None


def _enclosures(formula: Expr, boxes: Ints) -> Iterator[Pair | None]:
    """Yield the ends of a formula on each box; None where they are not known."""
    for box in boxes.tolist():
        ranges = {name: (arb(low), arb(high)) for name, (low, high) in zip(RANGES, box, strict=True)}
        try:
            yield enclosed(formula, {**ranges, **{total: ranges[name] for total, name in _SUMS.items()}})
        except _Unbounded:
            yield None


# -- Limits along curves -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Limit:
    """The value that a metric has at tables with the same cells zero, if it has one.

    :param above, below: a quotient of polynomials; its numerator alone, times an infinite number, without *below*
    """

    above: Expr
    below: Expr | None = S.One

    @cached_property
    def _polynomials(self) -> tuple[Polynomial, Polynomial] | None:
        if not all(part is None or _is_rational(part) for part in (self.above, self.below)):
            return None
        above, below = polynomials(self.above, S.One if self.below is None else self.below)
        return above, below

    @cached_property
    def _beyond(self) -> dict[Fraction, Polynomial]:
        """The numerator less an end times the denominator, by the end."""
        return {}

    def excluded(self, reported: Reported, boxes: Ints) -> Bools:
        """Return on which boxes no value is as reported."""
        if self._polynomials is None:
            return np.array([self._is_outside(reported, pair) for pair in _enclosures(self.above, boxes)], dtype=bool)
        above, below = self._polynomials
        if self.below is None:
            return np.asarray(above.signs(boxes) != 0)
        signs = below.signs(boxes)
        # A/B < e exactly if B*(A - e*B) < 0, and so on.
        found = np.zeros(len(boxes), dtype=bool)
        for end, side, has_end in ends_of(reported):
            if end not in self._beyond:
                self._beyond[end] = Polynomial(end.denominator * above.value - end.numerator * below.value)
            least, most = self._beyond[end].bounds(boxes)
            # The most that is left on the side of the interval.
            most = np.where(signs * side > 0, most, -least)
            found |= (signs != 0) & ((most < 0) | ((most <= 0) & (not has_end)))
        poles = (signs == 0) & (above.signs(boxes) != 0)
        if poles.any():
            least, most = below.bounds(boxes[poles])
            found[poles] |= (least == 0) & (most == 0)
        return found

    def _is_outside(self, reported: Reported, pair: Pair | None) -> bool:
        if pair is None:
            return False
        low, high = pair
        if self.below is None:
            return bool(low > 0 or high < 0)
        ends = ((arb(fmpq(end.numerator, end.denominator)), side) for end, side, _ in ends_of(reported))
        return any(high < end if side > 0 else low > end for end, side in ends)

    def differs(self, other: Limit, boxes: Ints) -> Bools:
        """Return on which boxes this certainly differs from another limit, both finite, so that there is no value."""
        if self._polynomials is None or other._polynomials is None:
            formulas = (self.above / self.below, other.above / other.below)
            pairs = zip(*(_enclosures(formula, boxes) for formula in formulas), strict=True)
            return np.array([bool(a and b and (a[1] < b[0] or b[1] < a[0])) for a, b in pairs], dtype=bool)
        (above, below), (its_above, its_below) = self._polynomials, other._polynomials
        gap = Polynomial(above.value * its_below.value - its_above.value * below.value)
        return np.asarray(np.logical_and.reduce([part.signs(boxes) != 0 for part in (gap, below, its_below)]))


def ends_of(reported: Reported) -> Iterator[tuple[Fraction, int, bool]]:
    """Yield the finite ends, 1 or -1 if the interval is above or below, and whether an end belongs to it."""
    for end, side, has_end in ((reported.low, 1, reported.has_low), (reported.high, -1, reported.has_high)):
        if not isinstance(end, float):
            yield end, side, has_end


def _is_rational(formula: Expr) -> bool:
    coefficients_are_rational = not formula.has(S.Pi, log, Abs, Max, Min)
    return coefficients_are_rational and all(power.exp.is_Integer for power in formula.atoms(Pow))


@lru_cache(maxsize=1024)
def limits_of(formula: Expr, zeros: frozenset[str]) -> tuple[Limit, ...]:
    """Return limits along some curves that end where exactly some cells are zero; none if they are not seen.

    >>> [(limit.above, limit.below) for limit in limits_of(_TP / (_TP + _FP), frozenset({"TP", "FP"}))][:2]
    [(1, 2), (1, 4)]
    """
    named = [cell for cell in CELLS if cell.name in zeros]
    curves = [{cell: curve[cell] for cell in named} for curve in CURVES[: 1 if len(named) < 2 else None]]
    if _is_rational(formula):
        above, below = fraction(cancel(formula))
        return tuple(dict.fromkeys(_quotient(above, below, curve) for curve in curves))
    there = placed(formula, dict.fromkeys(named, S.Zero))
    if there is not None:
        return (_limit(there),)
    found = []
    for curve in curves:
        checkpoint()
        try:
            products, expansion = expanded(formula, [], curve)
        except CertificateError:
            continue
        size, first = next(iter(expansion.terms), ((math.inf, 0), {}))
        if size > (0, 0):
            found.append(Limit(S.Zero))
        else:
            found.append(_limit(products.expression(first), is_infinite=size < (0, 0)))
    return tuple(dict.fromkeys(found))


def _limit(formula: Expr, *, is_infinite: bool = False) -> Limit:
    if not _is_rational(formula):
        return Limit(formula, None if is_infinite else S.One)
    above, below = fraction(cancel(formula))
    return Limit(above * below, None) if is_infinite else Limit(above, below)


def _quotient(above: Expr, below: Expr, curve: Mapping[Expr, Expr]) -> Limit:
    """Return the limit of a quotient along a curve: of the terms with the least power of the step."""
    if above == 0:
        return Limit(above)
    ((m, first), (k, second)) = (
        Poly(part.xreplace(dict(curve)), STEP).terms()[-1] if curve else ((0,), part) for part in (above, below)
    )
    if m > k:
        return Limit(S.Zero, second)
    return Limit(first, second if m == k else None)


def excluded(formula: Expr, reported: Reported, zeros: frozenset[str], boxes: Ints) -> Bools:
    """Return on which boxes a metric has nowhere a value as reported; False means that this is not shown.

    :param boxes: of positive cells but for those that are zero, in the order of :data:`RANGES`
    """
    limits = limits_of(formula, zeros)
    found = np.zeros(len(boxes), dtype=bool)
    for limit in limits:
        if len(left := np.flatnonzero(~found)):
            found[left] = limit.excluded(reported, boxes[left])
    for one, other in itertools.combinations((limit for limit in limits if limit.below is not None), 2):
        if len(left := np.flatnonzero(~found)):
            found[left] = one.differs(other, boxes[left])
    return found
