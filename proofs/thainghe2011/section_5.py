"""Section V of Thai-Nghe, Gantner & Schmidt-Thieme (2011): the conclusion."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from sympy import Expr, Integer

from symmetrics.curves.hmeasure_proofs import least_cost
from symmetrics.papers.claims import PaperClaim, Ruling, by_computation, with_reading
from symmetrics.papers.thainghe2011.figures import printed, printed_outcomes

from .shared import of_group, statement


def _conclusion() -> Iterator[PaperClaim]:
    yield from with_reading(
        statement(
            "reversed_for_imbalanced",
            "section V",
            "words",
            "for highly imbalanced data the results of AUC and B42 are reversed",
            _reversed_outcomes,
        ),
        "in the sums of wins and losses over the first group",
        _reversed_counts,
    )
    yield statement(
        "optimise_directly",
        "section V",
        "words",
        "B42 and H can be optimised directly",
        _optimised,
    )


def _reversed_outcomes() -> Ruling:
    pairs = list(zip(of_group(0, printed_outcomes("AUC")), of_group(0, printed_outcomes("B42")), strict=True))
    opposite = sum({a, b} == {"win", "lose"} for a, b in pairs)
    return by_computation(
        opposite == len(pairs),
        f"{opposite} of the {len(pairs)} data sets of group 1 are significant in opposite directions in table I",
        "on no data set is a significant result reversed",
    )


def _reversed_counts() -> Ruling:
    first = next(iter(printed()["table2"].values()))
    auc, b42 = (first[measure][0] - first[measure][2] for measure in ("AUC", "B42"))
    return by_computation(auc > 0 > b42, f"wins minus losses are {auc} by AUC and {b42} by B42")


Groups = tuple[tuple[int, int], ...]
EXAMPLES: Final = ((3, 3, 1), (4, 1, 1), (0, 4, 1), (1, 1, 0), (1, 0, 0), (2, 4, 0), (0, 0, 0), (2, 2, 0))
"""Two features and the class, 1 for the minority."""


def _rankings() -> Iterator[tuple[Fraction, Groups]]:
    """Yield every ranking of the examples by x + t·y, t >= 0: t, and the examples of class 0 and 1 by falling score."""
    pairs = itertools.combinations(EXAMPLES, 2)
    ties = {Fraction(a[0] - b[0], b[1] - a[1]) for a, b in pairs if a[1] != b[1]}
    bounds = sorted({Fraction(0), *(t for t in ties if t > 0)})
    between = [(first + second) / 2 for first, second in itertools.pairwise(bounds)]
    for t in sorted([*bounds, *between, bounds[-1] + 1]):
        scores = sorted({x + t * y for x, y, _ in EXAMPLES}, reverse=True)
        groups = ([label for x, y, label in EXAMPLES if x + t * y == score] for score in scores)
        yield t, tuple((labels.count(0), labels.count(1)) for labels in groups)


def _auc_of(groups: Groups) -> Expr:
    above, pairs = 0, Integer(0)
    for zeros, ones in groups:
        pairs += zeros * (above + Integer(ones) / 2)
        above += ones
    return pairs / (above * sum(zeros for zeros, _ in groups))


def _h_of(groups: Groups, a: int, b: int) -> Expr:
    """Return 1 - Σ m(p, q)/m(π0, π1) over the segments of the convex hull, with counts for shares."""
    hull: list[tuple[int, int]] = []
    for group in groups:
        hull.append(group)
        while len(hull) > 1 and hull[-2][1] * hull[-1][0] <= hull[-1][1] * hull[-2][0]:
            (zeros, ones), (more, others) = hull[-2:]
            hull[-2:] = [(zeros + more, ones + others)]
    without = least_cost(*(Integer(sum(counts)) for counts in zip(*groups, strict=True)), a, b)
    return 1 - sum(least_cost(Integer(zeros), Integer(ones), a, b) for zeros, ones in hull) / without


def _optimised() -> Ruling:
    """Go through all weights t of a linear score: each measure has its own best ones."""
    rankings = list(_rankings())
    measures = {"AUC": _auc_of, "H": lambda groups: _h_of(groups, 2, 2), "B42": lambda groups: _h_of(groups, 4, 2)}
    values = {name: [measure(groups) for _, groups in rankings] for name, measure in measures.items()}
    best = {
        name: {t for (t, _), value in zip(rankings, found, strict=True) if value == max(found)}
        for name, found in values.items()
    }
    shown = "; ".join(f"{name} {float(max(values[name])):.3f} at t = {min(best[name])}" for name in measures)
    return by_computation(
        best["B42"].isdisjoint(best["AUC"]) and best["B42"].isdisjoint(best["H"]),
        f"a score x + t·y of {len(EXAMPLES)} examples, 3 of them of the minority: {len(rankings)} values of t have all "
        f"rankings there are, and the best are {shown}; a threshold changes neither B42 nor H, which see the order "
        "of the scores alone",
        basis="enumeration",
    )


def claims() -> Iterator[PaperClaim]:
    """Yield the claims, in the paper's order."""
    yield from _conclusion()
