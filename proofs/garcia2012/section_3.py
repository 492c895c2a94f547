"""Section 3 of García, Sánchez & Mollineda (2012): the design, the correlations, table 2."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np
from numpy.typing import NDArray
from sympy import Rational

import symmetrics as sm
from symmetrics.language.cells import FN, FP, TN, TP
from symmetrics.library.selections import GARCIA_METRICS, GARCIA_PROPERTIES
from symmetrics.papers.claims import PaperClaim, Ruling, at, by_computation, by_verdicts, decided, has, identity, lacks
from symmetrics.papers.garcia2012.experiment import (
    CONCLUSIONS,
    DESIGNS,
    PERCENTAGES,
    Conclusion,
    correlations,
    failing_levels,
    printed_signs,
)

from .formulas import ACC, METRICS, NAMES, statement


def _design() -> Iterator[PaperClaim]:
    section = "section 3.1"
    yield statement(
        "design_measures",
        "section 3",
        "number",
        "the 13 measures that section 3 lists are the 13 columns of table 2",
        lambda: by_computation(
            len(NAMES) == 13 and {row for row, _ in printed_signs()} == set(NAMES),
            f"{len(NAMES)} measures: {', '.join(NAMES.values())}",
        ),
    )
    yield statement(
        "design_combinations",
        section,
        "number",
        "from (0.6, 0) to (0, 0.6) in steps of (-0.05, 0.05) there are 13 combinations of distortion terms",
        lambda: by_computation(Rational("0.6") / Rational("0.05") + 1 == 13, "0.6/0.05 + 1 = 13"),
    )
    yield statement(
        "design_sum",
        section,
        "equation",
        "every combination satisfies eps_n + eps_p = 0.6",
        lambda: by_computation(
            all((12 - k) * Rational("0.05") + k * Rational("0.05") == Rational("0.6") for k in range(13)),
            "(12 - k)*0.05 + k*0.05 = 12*0.05 = 0.6",
        ),
    )
    yield statement(
        "design_tuples",
        section,
        "number",
        "10 tuples for each of 13 combinations make 130",
        lambda: by_computation(10 * 13 == 130, "10*13 = 130"),
    )
    yield statement(
        "design_levels",
        section,
        "number",
        "the imbalance degrees 5, 10, 15, 20 and 25 % are five",
        lambda: by_computation(len(range(5, 26, 5)) == 5, "(25 - 5)/5 + 1 = 5"),
    )
    yield statement(
        "cwa_unbiased_at_half",
        section,
        "words",
        "cwA may be biased for w other than 1/2: exchanging the classes leaves it as it is if and only if w = 1/2",
        _unbiased_at_half,
    )


@cache
def _matrices(design: str) -> dict[int, NDArray[np.float64]]:
    return {percentage: correlations(percentage, design=design) for percentage in PERCENTAGES}


def _correlations() -> Iterator[PaperClaim]:
    for conclusion in CONCLUSIONS:
        pair = f"{NAMES[conclusion.first]} and {NAMES[conclusion.second]}"
        yield statement(
            f"correlation_{conclusion.name}",
            "section 3.1, conclusions",
            "words",
            f"the correlation of {pair} is {conclusion.stated}",
            lambda conclusion=conclusion: _conclusion(conclusion),
        )


def _conclusion(conclusion: Conclusion) -> Ruling:
    failing = {design: failing_levels(conclusion, _matrices(design)) for design in DESIGNS}
    found = [
        f"{design}: {f'fails at {levels} % positive' if levels else 'at all five levels'}"
        for design, levels in failing.items()
    ]
    evidence = f"650 seeded tuples of 1000 instances for each reading of the true probabilities; {'; '.join(found)}"
    if any(failing.values()):
        return Ruling("open", f"it depends on what the paper does not say; {evidence}", basis="statistics")
    return by_computation(True, evidence, basis="statistics")


def _unbiased_at_half() -> Ruling:
    verdict = decided(sm.properties["p1"].claim(METRICS["cwa"]))
    return by_computation(verdict.to_dict()["condition"] == "w = 1/2", verdict.evidence.sentence)


def _table_2() -> Iterator[PaperClaim]:
    for (metric, key), sign in printed_signs().items():
        meaning = "invariance" if sign == "-" else "no invariance"
        yield statement(
            f"table_2_{metric}_{key}",
            f"table 2, {NAMES[metric]}, {key}",
            "table cell",
            f"{sign} ({meaning})",
            lambda metric=metric, key=key, judge=has if sign == "-" else lacks: judge(metric, key),
        )


def _below_table_2() -> Iterator[PaperClaim]:
    section = "section 3.2, below table 2"
    yield statement(
        "most_sensitive",
        section,
        "words",
        "the measures that change under all five are four: IBA, AGm, cwA and wAUC",
        lambda: _set_of({m for m in GARCIA_METRICS if not _invariances(m)}, ("iba_gmean", "agm", "cwa", "wauc")),
    )
    yield statement(
        "accuracy_confuses_cells",
        section,
        "words",
        "accuracy tells neither TP from TN nor FN from FP",
        lambda: by_verdicts(*(identity(ACC, at(ACC, table)) for table in ((TN, FN, FP, TP), (TP, FP, FN, TN)))),
    )
    yield statement(
        "insensitive_to_p1",
        section,
        "words",
        "of the measures for imbalanced domains Gm, AUC, OP and kappa are insensitive to p1; besides them only Acc is",
        lambda: _set_of(
            {m for m in GARCIA_METRICS if "p1" in _invariances(m)},
            ("accuracy", "gmean", "auc_single", "optimized_precision", "kappa"),
        ),
    )
    yield statement("f1_detects_p1", section, "words", "F_1 detects the exchange p1", lambda: lacks("f1", "p1"))
    yield statement("f1_ignores_tn", section, "words", "F_1 is invariant under a change in TN", lambda: has("f1", "p2"))
    yield statement(
        "two_do_not_detect_p1",
        "section 4",
        "words",
        "of AUC, Gm, IBA, wAUC and cwA two do not detect the exchange of the classes: AUC and Gm",
        lambda: _set_of(
            {m for m in ("auc_single", "gmean", "iba_gmean", "wauc", "cwa") if "p1" in _invariances(m)},
            ("auc_single", "gmean"),
        ),
    )


@cache
def _invariances(metric: str) -> frozenset[str]:
    """Return under which of the five changes a measure keeps its value, at the defaults of its parameters."""
    return frozenset(key for key in GARCIA_PROPERTIES if lacks(metric, key).outcome == "refuted")


def _set_of(found: set[str], printed: tuple[str, ...]) -> Ruling:
    listed = ", ".join(NAMES[metric] for metric in GARCIA_METRICS if metric in found)
    return by_computation(found == set(printed), f"by the proofs and counterexamples of table 2: {listed}", listed)


def claims() -> Iterator[PaperClaim]:
    """Yield the claims, in the paper's order."""
    yield from _design()
    yield from _correlations()
    yield from _table_2()
    yield from _below_table_2()
