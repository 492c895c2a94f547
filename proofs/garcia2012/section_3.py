"""Section 3 of García, Sánchez & Mollineda (2012): the design, the correlations, table 2."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

import numpy as np
from numpy.typing import NDArray
from sympy import Rational

import symmetrics as sm
from symmetrics.language.cells import FN, FP, TN, TP
from symmetrics.library.selections import GARCIA_METRICS, GARCIA_PROPERTIES
from symmetrics.papers.claims import (
    PaperClaim,
    Ruling,
    at,
    by_computation,
    by_verdicts,
    decided,
    has,
    identity,
    lacks,
)
from symmetrics.papers.correlations import DESIGNS, PERCENTAGES, counts_of, distorted_scores
from symmetrics.papers.garcia2012.experiment import (
    CONCLUSIONS,
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
        "design_biases",
        section,
        "words",
        "the two distortion terms simulate learners that are biased either way",
        _biased_either_way,
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

    section = "section 3.1, conclusions"
    yield statement(
        "correlation_cwa_every_w",
        section,
        "words",
        "for every w > 1/2 cwA correlates positively with TPr and negatively with TNr",
        _weight_just_above_half,
    )
    yield statement(
        "correlation_of_the_suitable",
        "section 4",
        "words",
        "AUC, Gm, IBA, wAUC and cwA correlate with TPr more than the six other measures do",
        _suitable_first,
    )


def _between(matrix: NDArray[np.float64], key: str) -> tuple[float, float]:
    """Return the coefficients of a measure with TPr and with TNr."""
    place = GARCIA_METRICS.index(key)
    first, second = (float(matrix[place, GARCIA_METRICS.index(rate)]) for rate in ("tpr", "tnr"))
    return first, second


def _weight_just_above_half() -> Ruling:
    """Correlate cwA at w = 0.51 with both rates, at the lowest imbalance level."""
    found = {}
    for design in DESIGNS:
        cells = counts_of(distorted_scores(PERCENTAGES[0], design=design))
        cwa = METRICS["cwa"].at(w=Rational(51, 100)).from_counts(*cells)
        rates = [METRICS[key].from_counts(*cells) for key in ("tpr", "tnr")]
        found[design] = [float(np.corrcoef(cwa, rate)[0, 1]) for rate in rates]
    shown = "; ".join(f"{design}: {tpr:+.2f} and {tnr:+.2f}" for design, (tpr, tnr) in found.items())
    evidence = (
        f"at w = 0.51, {PERCENTAGES[0]} % positive, with TPr and TNr, 130 seeded tuples for each reading: {shown}"
    )
    if all(tpr > 0 > tnr for tpr, tnr in found.values()):
        return by_computation(True, evidence, basis="statistics")
    return Ruling("open", f"the paper does not say which w it took; {evidence}", basis="statistics")


def _suitable_first() -> Ruling:
    """Compare the lowest coefficient of the five with the highest of the others, at every level."""
    five = ("auc_single", "gmean", "iba_gmean", "wauc", "cwa")
    others = [key for key in GARCIA_METRICS if key not in (*five, "tpr", "tnr")]
    failing = {
        design: [
            percentage
            for percentage, matrix in _matrices(design).items()
            if min(_between(matrix, key)[0] for key in five) <= max(_between(matrix, key)[0] for key in others)
        ]
        for design in DESIGNS
    }
    return _by_design(failing)


def _conclusion(conclusion: Conclusion) -> Ruling:
    return _by_design({design: failing_levels(conclusion, _matrices(design)) for design in DESIGNS})


def _by_design(failing: Mapping[str, list[int]]) -> Ruling:
    """Return the ruling on a conclusion, by the levels at which it fails under each reading of the design."""
    found = [
        f"{design}: {f'fails at {levels} % positive' if levels else 'at all five levels'}"
        for design, levels in failing.items()
    ]
    evidence = f"650 seeded tuples of 1000 instances for each reading of the true probabilities; {'; '.join(found)}"
    if any(failing.values()):
        return Ruling("open", f"it depends on what the paper does not say; {evidence}", basis="statistics")
    return by_computation(True, evidence, basis="statistics")


def _biased_either_way() -> Ruling:
    """Return how often the probability 3/4 falls below 1/2, and by symmetry 1/4 above it, at both ends."""
    shares = []
    for distortion in (Rational(0), Rational("0.6")):
        low, high = max(Rational(0), Rational("0.75") - distortion), min(Rational(1), Rational("0.75") + distortion)
        shares.append((Rational("0.5") - low) / (high - low) if low < Rational("0.5") else Rational(0))
    return by_computation(
        shares[0] == 0 < shares[1],
        f"a positive instance of probability 3/4 is missed with probability {shares[0]} at eps_p = 0 and {shares[1]} "
        "at eps_p = 0.6, and a negative one of 1/4 is taken for positive likewise by eps_n: one bias at (0.6, 0) and "
        "the opposite one at (0, 0.6)",
    )


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
    yield statement(
        "p1_hides_skew",
        section,
        "words",
        "so Gm, AUC, OP and kappa may not recognize the skew: tables of the skews r and 1/r may have one value",
        lambda: by_verdicts(
            *(
                decided(sm.properties["p1"].claim(METRICS[key]))
                for key in ("gmean", "auc_single", "optimized_precision", "kappa")
            ),
            note="the exchange p1 turns the skew into its reciprocal (at the same two rates OP and kappa do see it)",
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
