"""Section 5.2 of Branco, Torgo & Ribeiro (2017): how many values metrics tell apart, and figure 2.

What is said of all results is refuted on a few problems, by exact enumeration; all of them are counted, exactly and as
the authors' published code does, by ``symmetrics reproduce branco2017``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from math import comb, prod
from typing import Final

from sympy import Symbol, binomial, combsimp, nan

from symmetrics.matrices.discrimination import discrimination, measures_of
from symmetrics.papers.branco2017 import experiment
from symmetrics.papers.branco2017.discriminating import PAIRS
from symmetrics.papers.claims import PaperClaim, Ruling, by_computation, with_reading
from symmetrics.posets.relevance import prevalence

from .shared import slug, statement

LOSSES_OF_RECALL: Final = (((2, 5, 16), "PO"), ((3, 5, 16), "PO"), ((3, 5, 16), "TO"), ((2, 15, 17), "PO"))
"""Some of the problems and relevances with which the mean recall takes no more values."""
LOSSES_OF_CBA: Final = (((2, 4, 16), "PO"), ((2, 5, 16), "PO"))
RESULTS: Final = 18 * len(experiment.MECHANISMS)
"""The differences of figure 2 for one metric, with those of the complete scenario; without them there are 64."""
PLACE: Final = "section 5.2 and figure 2"


def _problems() -> Iterator[PaperClaim]:
    for scenario, classes, count in (("multi-minority", 3, 8), ("multi-majority", 3, 8), ("complete", 4, 2)):
        yield statement(
            f"problems_{slug(scenario)}",
            "section 5.2",
            "words",
            f"the {count} {scenario} problems with {classes} classes are {scenario}",
            partial(_are_of, scenario, classes, count),
        )
    yield from with_reading(
        statement(
            "exponential_matrices",
            "section 5.2",
            "words",
            "the number of confusion matrices of the complete scenario is exponential",
            _polynomial_in_sizes,
        ),
        "exponential in the number of classes",
        _exponential_in_classes,
    )
    for key, printed in (
        ("higher_discrimination", "metrics with a relevance discriminate better than those that they come from"),
        ("enhanced_discrimination", "the framework is able to discriminate different setups better, in summary"),
    ):
        yield from with_reading(
            statement(key, PLACE, "words", printed, _always_higher),
            "on problem 2-4-15, the one that the section names, for every metric and relevance",
            _higher_on_the_example,
        )
    yield statement(
        "only_recall_and_cba_lose",
        PLACE,
        "words",
        "only metrics based on recall and CBA have differences of zero or less in discrimination",
        _f1_loses,
    )
    for key, name, percent, losses in (
        ("recall_loses_in_5_percent", "Rec", 5, LOSSES_OF_RECALL),
        ("cba_loses_in_2_percent", "CBA", 2, LOSSES_OF_CBA),
    ):
        yield statement(
            key,
            PLACE,
            "number",
            f"the differences are zero or negative in {percent} % of the results, for {name}",
            partial(_loses_in, name, percent, losses),
        )


# -- how many values there are -----------------------------------------------------------------------------------------


def _case_of(sizes: Sequence[int]) -> experiment.Case:
    return next(case for _, known, case in experiment.problems() if known == tuple(sizes))


@cache
def _distinct(sizes: tuple[int, ...], names: tuple[str, ...]) -> Mapping[str, int]:
    """Return how many values metrics take; as in table 5 an undefined precision is 0 without a relevance."""
    relevances = {key: list(value.values) for key, value in _case_of(sizes).relevances.items()}
    measures = measures_of(relevances | {"PREV": list(prevalence(sizes).values)})
    found = {}
    for zero, weighted in ((0, False), (nan, True)):
        chosen = [m for m in measures if m.name in names and ("^" in m.name) == weighted]
        found |= {r.metric: r.distinct for r in discrimination(sizes, chosen, zero_division=zero, progress=False)}
    return found


def _pair(name: str, sizes: tuple[int, ...], mechanism: str) -> tuple[int, int]:
    """Return how many values a metric takes without and with a relevance."""
    names = PAIRS[name], f"{name}^{mechanism}"
    found = _distinct(sizes, names)
    return found[names[0]], found[names[1]]


def _loses_in(name: str, percent: int, losses: Sequence[tuple[tuple[int, ...], str]]) -> Ruling:
    """Judge a share of all results by a few that lose: it is at least that of these."""
    pairs = {(sizes, mechanism): _pair(name, sizes, mechanism) for sizes, mechanism in losses}
    losing = {place: pair for place, pair in pairs.items() if pair[1] <= pair[0]}
    shown = ", ".join(
        f"{'-'.join(map(str, sizes))} by {mechanism} ({before} values without, {after} with)"
        for (sizes, mechanism), (before, after) in losing.items()
    )
    return by_computation(
        200 * len(losing) <= (2 * percent + 1) * RESULTS,
        f"there is no gain on {shown}: {len(losing)} of {RESULTS} are {100 * len(losing) / RESULTS:.1f} %, which does "
        f"not round to {percent} %, and {len(losing)} of the 64 with three classes are more",
        f"{_ALL_LOSSES[name]}, by counting all (symmetrics reproduce branco2017)",
        basis="enumeration",
    )


_ALL_LOSSES: Final = {
    "Rec": "6 of 72, 8.3 %, exactly, and 5 of 72, 6.9 %, as the authors' published code counts",
    "CBA": "9 of 72, 12.5 %, both exactly and as the authors' published code counts",
}


def _always_higher() -> Ruling:
    before, after = _pair("F1", (2, 15, 17), "PO")
    return by_computation(
        after > before,
        f"problem 2-15-17, partial order c2, c3 < c1: F1_M takes {before} values and F1^PO {after}",
        "mostly",
        basis="enumeration",
    )


def _higher_on_the_example() -> Ruling:
    names = (*PAIRS.values(), *(f"{name}^{mechanism}" for name in PAIRS for mechanism in experiment.MECHANISMS))
    found = _distinct((2, 4, 15), names)
    gains = [found[f"{name}^{mechanism}"] - found[PAIRS[name]] for name in PAIRS for mechanism in experiment.MECHANISMS]
    return by_computation(
        min(gains) > 0,
        f"{len(gains)} pairs; the least gain is {min(gains)} values, the greatest {max(gains)}",
        basis="enumeration",
    )


def _polynomial_in_sizes() -> Ruling:
    sizes = (2, 3, 9, 10)
    first, second = (prod(comb(factor * size + 3, 3) for size in sizes) for factor in (1, 2))
    return by_computation(
        second >= first**2,
        f"2-3-9-10 has the product of all (n + 1)(n + 2)(n + 3)/6 = {first:,} matrices, 4-6-18-20 has {second:,}, "
        f"{second / first:.0f} times as many and not {first:,} times: in the sizes it is a polynomial of degree 12",
        "a polynomial in the sizes",
    )


def _exponential_in_classes() -> Ruling:
    classes = Symbol("C", integer=True, positive=True)
    return by_computation(
        combsimp(binomial(classes, classes - 1)) == classes,
        "with one example of each of C classes a row has binomial(C, C - 1) = C forms (as expressions in C), so that "
        "there are C^C matrices, at least 2^C",
    )


def _f1_loses() -> Ruling:
    """Count the different values of F1 over all matrices with 2, 15 and 17 examples, under every reading of 0/0."""
    order = experiment.cases()[1].relevances["PO"]
    chosen = [measure for measure in measures_of({"PO": list(order.values)}) if measure.name in ("F1_M", "F1^PO")]
    counted = {
        reading: {
            result.metric: result.distinct
            for result in discrimination((2, 15, 17), chosen, zero_division=zero, progress=False)
        }
        for reading, zero in (("counted as 0", 0), ("left out", nan))
    }
    most = max(found["F1^PO"] for found in counted.values())
    least = min(found["F1_M"] for found in counted.values())
    shown = "; ".join(f"{found['F1_M']} and {found['F1^PO']}, {reading}" for reading, found in counted.items())
    return by_computation(
        most > least,
        "problem 2-15-17, partial order c2, c3 < c1: F1_M and F1^PO take different values, an undefined precision "
        f"being counted as 0 or left out: {shown}",
        "F1 loses as well, with the partial order",
        basis="enumeration",
    )


def _are_of(scenario: str, classes: int, count: int) -> Ruling:
    found = [sizes for kind, sizes, _ in experiment.problems() if kind == scenario]
    above = {"multi-minority": 1, "multi-majority": classes - 1, "complete": 2}[scenario]
    agree = all(sum(len(sizes) * size > sum(sizes) for size in sizes) == above for sizes in found)
    return by_computation(
        agree and len(found) == count and {len(sizes) for sizes in found} == {classes},
        f"{above} of {classes} classes are above the mean size in each, such as {'-'.join(map(str, found[0]))}",
    )


def claims() -> Iterator[PaperClaim]:
    """Yield the claims, in the paper's order."""
    yield from _problems()
