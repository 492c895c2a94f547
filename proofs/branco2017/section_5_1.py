"""Section 5.1 of Branco, Torgo & Ribeiro (2017): what is concluded from table 5."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

from sympy import Rational

from symmetrics.papers.branco2017 import experiment
from symmetrics.papers.claims import PaperClaim, Ruling, by_computation, with_reading

from .shared import BOLD, METRICS, NOT_BOLD, SUITABLE, normalised_values, statement

RELEVANT: Final = ("Rec", "Prec", "F1", "AvF1", "CBA")


# -- section 5.1 -------------------------------------------------------------------------------------------------------


def _agreement() -> Iterator[PaperClaim]:
    place = "section 5.1 and table 5"
    yield from with_reading(
        statement(
            "partial_order_preferable",
            "section 4.2 and table 5",
            "words",
            "a partial order is preferable to no information at all, for which there is PREV",
            partial(_order_against, "PREV"),
        ),
        "to the metrics without a relevance",
        partial(_order_against, ""),
    )
    yield statement(
        "overcomes_difficulties",
        place,
        "words",
        "in general the metrics with a relevance overcome the difficulties of the existing ones",
        _mostly_bold,
    )
    yield from with_reading(
        statement(
            "any_level",
            place,
            "words",
            "the metrics with a relevance reflect the preferences at every level of information",
            partial(_bold_at_every_level, 15),
        ),
        "at each level most values do",
        partial(_bold_at_every_level, 8),
    )
    yield from with_reading(
        statement(
            "preferable",
            place,
            "words",
            "with PREV and PO the results are preferable to those of the other existing metrics, in all cases",
            _preferable_to_all,
        ),
        "each metric to the same one without relevance: higher in case 1, and lower in cases 2 and 3, but for the "
        "precision in case 2",
        _preferable_each,
    )
    yield statement(
        "more_in_accordance",
        place,
        "words",
        "by every mechanism the results are more in accordance with the user than those of the existing metrics",
        _accordance,
    )
    yield from with_reading(
        statement(
            "more_information",
            place,
            "words",
            "the results become more adjusted to the user's preferences as the level of information increases",
            _information,
        ),
        "by TO and φ together more than by PREV and PO together",
        _two_levels,
    )


def _preferable_to_all() -> Ruling:
    """What table 5 prints in bold is what is in accordance with the user."""
    worse = [f"{name} {normalised_values(5, name)[case - 1]}" for name, case in NOT_BOLD]
    better = [f"{name} {BOLD[name][0]}" for name in METRICS if SUITABLE.get(name, (False,))[0]]
    return by_computation(
        not (worse and better),
        f"case 1: {' and '.join(worse)} are not in bold, and so not in accordance with the user, while "
        f"{', '.join(better)} of the existing metrics are",
        "13 of 15 values by PO are in accordance",
    )


def _preferable_each() -> Ruling:
    failing = [f"{name}^{of}" for of in ("PREV", "PO") for name in RELEVANT if not _is_preferable(name, of)]
    return by_computation(not failing, "for Rec, Prec, F1, AvF1 and CBA by PREV and by PO, in table 5")


def _is_preferable(name: str, mechanism: str) -> bool:
    """More is better in case 1; less is in cases 2 and 3, but for the precision in case 2, which is in accordance."""
    plain = name if name in ("AvF1", "CBA") else f"{name}_M"
    old, new = (list(map(Rational, normalised_values(5, key))) for key in (plain, f"{name}^{mechanism}"))
    second = new[1] >= old[1] if name == "Prec" else new[1] < old[1]
    return bool(new[0] > old[0] and second and new[2] < old[2])


def _bold_of(mechanism: str) -> int:
    return 15 - sum(name.endswith(f"^{mechanism}") for name, _ in NOT_BOLD)


def _order_against(mechanism: str) -> Ruling:
    """Compare the shares of values in bold by the partial order with those by a mechanism, or without a relevance."""
    ours, others, cells = _bold_of("PO"), sum(map(len, BOLD.values())), 3 * len(METRICS)
    if mechanism:
        others, cells = _bold_of(mechanism), 15
    words = f"by {mechanism}" if mechanism else "without a relevance"
    return by_computation(
        ours * cells > others * 15, f"table 5 has {ours} of 15 values in bold by PO and {others} of {cells} {words}"
    )


def _mostly_bold() -> Ruling:
    new, old = sum(map(_bold_of, experiment.MECHANISMS)), sum(map(len, BOLD.values()))
    return by_computation(
        new > 30, f"in bold are {new} of 60 values with a relevance, and {old} of {3 * len(METRICS)} without"
    )


def _bold_at_every_level(least: int) -> Ruling:
    counts = {mechanism: _bold_of(mechanism) for mechanism in experiment.MECHANISMS}
    shown = ", ".join(f"{count} of 15 by {mechanism}" for mechanism, count in counts.items())
    return by_computation(
        all(count >= least for count in counts.values()),
        f"in bold are {shown}; AvF_1^PO and CBA^PO are not, in case 1, with 44.3 and 43 %",
    )


def _accordance() -> Ruling:
    counts = {mechanism: _bold_of(mechanism) for mechanism in experiment.MECHANISMS}
    old = sum(map(len, BOLD.values()))
    shown = ", ".join(f"{count} of 15 by {mechanism}" for mechanism, count in counts.items())
    return by_computation(
        all(39 * count > 15 * old for count in counts.values()), f"in bold are {shown}, and {old} of 39 without"
    )


def _information() -> Ruling:
    counts = [_bold_of(mechanism) for mechanism in experiment.MECHANISMS]
    return by_computation(
        counts == sorted(counts),
        "level by level, PREV, PO, TO and φ, table 5 has "
        f"{', '.join(map(str, counts))} of 15 values in bold: from PREV to PO it falls",
        "it falls from PREV to PO, and rises from PO to TO",
    )


def _two_levels() -> Ruling:
    counts = {mechanism: _bold_of(mechanism) for mechanism in experiment.MECHANISMS}
    informal, formal = counts["PREV"] + counts["PO"], counts["TO"] + counts["phi"]
    return by_computation(informal < formal, f"in bold are {informal} of 30 by PREV and PO, {formal} of 30 by TO and φ")


def claims() -> Iterator[PaperClaim]:
    """Yield the claims, in the paper's order."""
    yield from _agreement()
