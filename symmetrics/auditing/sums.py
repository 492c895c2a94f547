"""Means of scores that are affine in TP and TN, as accuracy is when the sizes of the classes are known: exactly.

The mean depends on sums of TP and of TN alone.  Those that give all reported scores are found, or shown not to exist,
by propagation of bounds and halving, in whole numbers.  An integer programme, as Fazekas & Kovács (2024) use one, often
finds them sooner; what it finds is checked, and what it does not find decides nothing.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache, reduce
from math import ceil, floor, gcd, lcm
from typing import Final

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from sympy import Expr, Poly, Rational, cancel, together

from symmetrics.algebra.limits.extension import extension_of
from symmetrics.auditing.reported import Reported
from symmetrics.auditing.search import Score
from symmetrics.language.cells import FN, FP, TN, TP
from symmetrics.tools.budget import checkpoint

FEW: Final = 1000
"""Examples of the only class of a table, at most, whose values are gone through."""
SECONDS: Final = 5.0
"""Time limit of an integer programme."""
Size = tuple[int, int]
"""Positives and negatives."""
Ranges = list[tuple[int, int]]
Constraint = tuple[tuple[int, ...], int, int]
"""Coefficients, and the least and the greatest value of the sum."""


@lru_cache(maxsize=4096)
def affine(formula: Expr, size: Size) -> tuple[Fraction, Fraction, Fraction] | None:
    """Return a, b, c with the value a TP + b TN + c at all tables of a size; None if there are none.

    >>> affine((TP + TN) / (TP + FN + FP + TN), (30, 70))
    (Fraction(1, 100), Fraction(1, 100), Fraction(0, 1))
    """
    if min(size) == 0:
        return _affine_of_one_class(formula, size)
    if not formula.is_rational_function(TP, FN, FP, TN):
        return None
    value = cancel(together(formula.subs({FN: size[0] - TP, FP: size[1] - TN}, simultaneous=True)))
    if not value.is_polynomial(TP, TN):
        return None
    terms = Poly(value, TP, TN).as_dict()
    if not set(terms) <= {(1, 0), (0, 1), (0, 0)} or not all(isinstance(term, Rational) for term in terms.values()):
        return None
    a, b, c = (Fraction(str(terms.get(power, 0))) for power in ((1, 0), (0, 1), (0, 0)))
    return a, b, c


def _affine_of_one_class(formula: Expr, size: Size) -> tuple[Fraction, Fraction, Fraction] | None:
    """Return the same where one class is empty, from the values at all tables, if these are not too many."""
    total, is_positive = max(size), size[1] == 0
    if total > FEW:
        return None
    extension = extension_of(formula)
    values = [
        extension.value(*((right, total - right, 0, 0) if is_positive else (0, 0, total - right, right)))
        for right in range(total + 1)
    ]
    if not all(isinstance(value, Rational) for value in values):
        return None
    exact = [Fraction(int(value.p), int(value.q)) for value in values]
    step = exact[1] - exact[0] if total else Fraction(0)
    if any(value != exact[0] + right * step for right, value in enumerate(exact)):
        return None
    return (step, Fraction(0), exact[0]) if is_positive else (Fraction(0), step, exact[0])


def are_affine(scores: Sequence[Score], sizes: Sequence[Size]) -> bool:
    """Return whether all scores are affine in TP and TN at all tables of some sizes."""
    pairs = itertools.product(scores, set(sizes))
    return all(not score.undefined_is_zero and affine(score.metric.value_formula, size) for score, size in pairs)


def tables_with_means(scores: Sequence[Score], sizes: Sequence[Size]) -> list[tuple[int, int, int, int]] | None:
    """Return tables of the given sizes with reported means; None if there are none.

    :param sizes: of each table, with both classes
    :raises ValueError: if a score is not affine
    """
    rows, constants = [], []
    for score in scores:
        parts = [affine(score.metric.value_formula, size) for size in sizes]
        known = [part for part in parts if part is not None]
        if len(known) < len(parts):
            raise ValueError(f"{score.name} is not affine")
        rows.append([part[place] for place in (0, 1) for part in known])
        constants.append(sum((part[2] for part in known), Fraction(0)))
    # Counts with the same coefficients in all scores are summed.
    limits = [size[place] for place in (0, 1) for size in sizes]
    members: dict[tuple[Fraction, ...], list[int]] = {}
    for place, column in enumerate(zip(*rows, strict=True)):
        members.setdefault(column, []).append(place)
    ranges = [(0, sum(limits[place] for place in places)) for places in members.values()]
    constraints = [
        _constraint([column[place] for column in members], constants[place], score.reported, len(sizes))
        for place, score in enumerate(scores)
    ]
    found = _by_solver(ranges, constraints) or solution(ranges, constraints)
    if found is None:
        return None
    counts = [0] * len(limits)
    for value, places in zip(found, members.values(), strict=True):
        for place in places:
            counts[place] = min(value, limits[place])
            value -= counts[place]
    right = zip(sizes, counts[: len(sizes)], counts[len(sizes) :], strict=True)
    return [(tp, positives - tp, negatives - tn, tn) for (positives, negatives), tp, tn in right]


def _constraint(coefficients: Sequence[Fraction], constant: Fraction, reported: Reported, count: int) -> Constraint:
    """Return what a reported mean says of a sum of whole numbers, in whole numbers."""
    scale = reduce(lcm, (value.denominator for value in coefficients), 1)
    whole = tuple(int(value * scale) for value in coefficients)
    common = reduce(gcd, whole, 0) or 1
    far = sum(map(abs, whole)) * 10**9  # beyond all sums, for the open side of a bound
    least, most = -far, far
    if isinstance(reported.low, Fraction):
        low = (reported.low * count - constant) * scale / common
        least = ceil(low) if reported.has_low else floor(low) + 1
    if isinstance(reported.high, Fraction):
        high = (reported.high * count - constant) * scale / common
        most = floor(high) if reported.has_high else ceil(high) - 1
    return tuple(value // common for value in whole), least, most


def _by_solver(ranges: Ranges, constraints: Sequence[Constraint]) -> list[int] | None:
    """Return whole numbers that an integer programme finds, where they are right exactly; None decides nothing."""
    scales = [max(map(abs, coefficients), default=0) or 1 for coefficients, _, _ in constraints]
    pairs = list(zip(constraints, scales, strict=True))
    rows = [[float(Fraction(value, scale)) for value in row] for (row, _, _), scale in pairs]
    ends = [(float(Fraction(low, scale)), float(Fraction(high, scale))) for (_, low, high), scale in pairs]
    low, high = zip(*ends, strict=True)
    found = milp(
        np.zeros(len(ranges)),
        integrality=np.ones(len(ranges)),
        bounds=Bounds(*zip(*ranges, strict=True)),
        constraints=LinearConstraint(rows, low, high),
        options={"time_limit": SECONDS},
    )
    if found.x is None:
        return None
    values = [round(value) for value in found.x]
    is_right = all(low <= value <= high for value, (low, high) in zip(values, ranges, strict=True)) and all(
        least <= sum(c * value for c, value in zip(row, values, strict=True)) <= most
        for row, least, most in constraints
    )
    return values if is_right else None


def solution(ranges: Ranges, constraints: Sequence[Constraint]) -> list[int] | None:
    """Return whole numbers in given ranges whose weighted sums are between given ends; None if there are none.

    >>> solution([(0, 5), (0, 5)], [((2, 3), 12, 12), ((1, -1), 1, 9)])
    [3, 2]
    """
    waiting = [ranges]
    while waiting:
        checkpoint()
        tight = _tightened(waiting.pop(), constraints)
        if tight is None:
            continue
        widths = [high - low for low, high in tight]
        if max(widths) == 0:
            return [low for low, _ in tight]
        place = widths.index(max(widths))
        low, high = tight[place]
        middle = (low + high) // 2
        halves = ((middle + 1, high), (low, middle))
        waiting.extend([*tight[:place], half, *tight[place + 1 :]] for half in halves)
    return None


def _tightened(ranges: Ranges, constraints: Sequence[Constraint]) -> Ranges | None:
    """Return ranges with what the constraints leave of each, given the others; None if that is nothing."""
    ranges, is_changed = list(ranges), True
    while is_changed:
        is_changed = False
        for coefficients, least, most in constraints:
            ends = [sorted((c * low, c * high)) for c, (low, high) in zip(coefficients, ranges, strict=True)]
            below, above = sum(low for low, _ in ends), sum(high for _, high in ends)
            if below > most or above < least:
                return None
            for place, c in enumerate(coefficients):
                if c == 0:
                    continue
                # c x lies between least minus the most of the others, and most minus the least of them.
                smallest, largest = least - (above - ends[place][1]), most - (below - ends[place][0])
                first, last = (-(-smallest // c), largest // c) if c > 0 else (-(-largest // c), smallest // c)
                low, high = max(ranges[place][0], first), min(ranges[place][1], last)
                if low > high:
                    return None
                if (low, high) != ranges[place]:
                    ranges[place] = (low, high)
                    is_changed = True
    return ranges
