"""All tables of known class sizes with reported scores, where each score only rises or only falls with TP and with TN.

The least and the greatest value on a rectangle of tables are then at two of its corners.  Rectangles that hold no value
as reported are left out, those that hold nothing else are kept whole, and the others are divided.  Tables with a zero
cell, where a formula is its limit, are gone through one by one, if they are few.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray
from sympy import Expr, Mul, Poly, Pow, diff, fraction, together

from symmetrics.language.cells import CELLS, FN, FP, TN, TP
from symmetrics.tools.budget import checkpoint

if TYPE_CHECKING:
    from symmetrics.auditing.search import Ints, Score

Rectangles = NDArray[np.int64]
"""Of shape (size, 4): the least and the greatest TP, and the least and the greatest TN."""
FEW: Final = 20_000
"""Examples, at most, whose tables with zero cells are gone through."""
NEAR: Final = 1e-9
"""Values so near an end of an interval are compared exactly; what is computed is accurate to far more digits."""
AT_ONCE: Final = 1 << 12
"""Rectangles that are looked at together."""
FIRST, LATER = 16, 8
"""Parts that each side of the first rectangle, and of later ones, is divided into."""


@lru_cache(maxsize=4096)
def directions(formula: Expr) -> tuple[int, int] | None:
    """Return whether a formula rises (1), falls (-1) or neither (0) with TP and with TN, the class sizes being fixed.

    None if that is not seen from the signs of coefficients, or the formula may have a pole at positive cells.

    >>> directions(TP / (TP + FP)), directions((TP * TN - FP * FN) / ((TP + FN) * (FP + TN)))
    ((1, 1), (1, 1))
    >>> directions((TP - FN) ** 2) is None
    True
    """
    factors = _factors(formula)
    if factors is None:
        return None
    signs = [_direction(factors, right, wrong) for right, wrong in ((TP, FN), (TN, FP))]
    return None if None in signs else (signs[0] or 0, signs[1] or 0)


def _factors(formula: Expr) -> list[tuple[Expr, Expr]] | None:
    """Return a formula as a product of rational powers of polynomials; None if it is none."""
    above, below = fraction(together(formula))
    factors = []
    for part, sign in ((above, 1), (below, -1)):
        for factor in Mul.make_args(part):
            base, exponent = factor.as_base_exp()
            inner = [(base, exponent)]
            if isinstance(base, Mul | Pow) or not base.is_polynomial(*CELLS):
                quotient = fraction(together(base))
                if not exponent.is_Rational or not all(some.is_polynomial(*CELLS) for some in quotient):
                    return None
                inner = [(quotient[0], exponent), (quotient[1], -exponent)]
            if not exponent.is_Rational:
                return None
            factors += [(some, sign * power) for some, power in inner]
    return factors


def _direction(factors: Sequence[tuple[Expr, Expr]], right: Expr, wrong: Expr) -> int | None:
    """Return the sign of the derivative with one cell more and the other less; None if it is not seen.

    With A the polynomials to the power 1, which may have either sign, and b the others, which have one, the derivative
    of A b1^e1 b2^e2 ... has the sign of A' + A (e1 b1'/b1 + ...), times those of the powers.
    """
    total, product, sign = 0, 1, 1
    for base, exponent in factors:
        slope = diff(base, right) - diff(base, wrong)
        if exponent == 1:
            total, product = total * base + product * slope, product * base
        else:
            of_base = _sign(base)
            if not of_base or (of_base < 0 and not exponent.is_Integer):
                return None
            sign *= of_base if exponent.is_Integer and exponent % 2 else 1
    rest = sum(e * (diff(b, right) - diff(b, wrong)) / b for b, e in factors if e != 1)
    above, below = fraction(together(total + product * rest))
    signs = (_sign(above), _sign(below))
    return None if None in signs else sign * (signs[0] or 0) * (signs[1] or 0)


def _sign(polynomial: Expr) -> int | None:
    """Return the sign that all coefficients have, or 0 of a zero polynomial; None if they differ."""
    if polynomial.is_number:
        return 1 if polynomial > 0 else -1 if polynomial < 0 else 0
    signs = {1 if value > 0 else -1 for value in Poly(polynomial, *CELLS).coeffs() if value != 0}
    return 0 if not signs else signs.pop() if len(signs) == 1 else None


def can_search(scores: Sequence[Score]) -> bool:
    """Return whether all scores rise or fall with TP and TN."""
    return all(directions(score.metric.value_formula) for score in scores)


def inside(scores: Sequence[Score], positives: int, negatives: int) -> Iterator[Ints]:
    """Yield boxes of tables of positive cells that agree, as :meth:`Search.boxes` does."""
    for rectangles in _inside(scores, positives, negatives):
        yield _as_boxes(rectangles, positives, negatives)


def on_edges(scores: Sequence[Score], positives: int, negatives: int) -> Iterator[Ints]:
    """Yield boxes of tables with a zero cell that agree."""
    edges = _edges(positives, negatives)
    for score in scores:
        if len(edges):
            edges = edges[score.agrees(_tables(edges[:, 0], edges[:, 2], positives, negatives))]
    if len(edges):
        yield _as_boxes(edges, positives, negatives)


def _as_boxes(rectangles: Rectangles, positives: int, negatives: int) -> Ints:
    sizes = np.broadcast_to([positives, positives, negatives, negatives], rectangles.shape)
    return np.concatenate([sizes, rectangles], axis=1).reshape(-1, 4, 2)


def _tables(tp: NDArray[np.int64], tn: NDArray[np.int64], positives: int, negatives: int) -> NDArray[np.int64]:
    return np.stack([tp, positives - tp, negatives - tn, tn], axis=1)


def _edges(positives: int, negatives: int) -> Rectangles:
    """Return all tables with a zero cell."""
    tp, tn = np.arange(positives + 1), np.arange(1, negatives)
    ends = [(np.full_like(tn, end), tn) for end in {0, positives}]
    ends += [(tp, np.full_like(tp, end)) for end in {0, negatives}]
    return np.concatenate([np.stack([some, some, others, others], axis=1) for some, others in ends])


def _inside(scores: Sequence[Score], positives: int, negatives: int) -> Iterator[Rectangles]:
    """Yield rectangles of tables of positive cells, all of which agree."""
    if min(positives, negatives) < 2:
        return
    signs = [directions(score.metric.value_formula) or (0, 0) for score in scores]
    waiting = [_divided(np.array([[1, positives - 1, 1, negatives - 1]]), FIRST)]
    while waiting:
        checkpoint()
        some = waiting.pop()
        if len(some) > AT_ONCE:
            some, rest = some[:AT_ONCE], some[AT_ONCE:]
            waiting.append(rest)
        whole = np.ones(len(some), dtype=bool)
        for score, (by_tp, by_tn) in zip(scores, signs, strict=True):
            # The least value is at one corner, and the greatest at the opposite one.
            least = some[:, 0 if by_tp >= 0 else 1], some[:, 2 if by_tn >= 0 else 3]
            most = some[:, 1 if by_tp >= 0 else 0], some[:, 3 if by_tn >= 0 else 2]
            corners = np.concatenate([_tables(*least, positives, negatives), _tables(*most, positives, negatives)])
            low, high = score.values(corners).reshape(2, -1)
            possible = ~score.outside(low, high, NEAR)
            whole &= score.inside(low, high, NEAR)
            some, whole = some[possible], whole[possible]
            if not len(some):
                break
        if whole.any():
            yield some[whole]
        some = some[~whole]
        is_single = (some[:, 0] == some[:, 1]) & (some[:, 2] == some[:, 3])
        points = some[is_single]
        for score in scores:
            if len(points):
                points = points[score.agrees(_tables(points[:, 0], points[:, 2], positives, negatives))]
        if len(points):
            yield points
        if not is_single.all():
            waiting.append(_divided(some[~is_single], LATER))


def _divided(rectangles: Rectangles, parts: int) -> Rectangles:
    """Return rectangles divided into as many parts on each side, or single tables."""
    sides = []
    for low, high in ((rectangles[:, 0], rectangles[:, 1]), (rectangles[:, 2], rectangles[:, 3])):
        cuts = low[:, None] + (high - low + 1)[:, None] * np.arange(parts + 1) // parts
        sides.append((cuts[:, :-1], cuts[:, 1:] - 1))
    (left, right), (bottom, top) = sides
    shape = (len(rectangles), parts, parts)
    found = np.stack(
        [
            *(np.broadcast_to(some[:, :, None], shape) for some in (left, right)),
            *(np.broadcast_to(some[:, None, :], shape) for some in (bottom, top)),
        ],
        axis=-1,
    ).reshape(-1, 4)
    return found[(found[:, 0] <= found[:, 1]) & (found[:, 2] <= found[:, 3])]
