"""Landgrebe and others (2005) on class distributions that are unknown or vary: what is said of whole ranges of priors.

``at_prior`` of a metric, with the prior left open, is its value over all priors at the rates of one operating point.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Final

from sympy import Expr, Rational, S

import symmetrics as sm
from symmetrics.language.cells import FN, FP, TN, TP, Table, parameter_symbol
from symmetrics.papers.claims import PaperClaim, Ruling, at, by_computation, by_verdicts, decided, identity, inequality

from .shared import (
    FPR,
    METRICS,
    POSFRAC,
    PURITY,
    TARGET,
    TPR,
    false_positive_rate,
    number,
    posfrac_of,
    statement,
    table_2,
)

PRIOR: Final = sm.Parameter.parse("q in (0, 1)")
"""The prior of the targets."""
POSFRAC_AT: Final = METRICS["positive_fraction"].at_prior(PRIOR).expr
PURITY_AT: Final = METRICS["precision"].at_prior(PRIOR).expr
PRIORS: Final = ("0.5", "0.1", "0.001")
WEIGHT: Final = parameter_symbol("k")
"""As how many a target counts: any number does for a prior."""
MORE: Final = parameter_symbol("t")
"""Non-targets that one classifier takes for targets and the other one does not."""
WEIGHTED: Final = (TP, FN, FP, TN, WEIGHT)
COSTS: Final = ("positive_fraction", "precision", "accuracy", "f1", "kappa", "mcc", "gmean", "informedness")


def _ranges() -> Iterator[PaperClaim]:
    yield statement(
        "range_of_priors",
        "section 1, and section 3",
        "words",
        "POSfrac over a range of class distributions follows from one operating point, with its extremes at the ends",
        _extremes_at_the_ends,
    )
    yield statement(
        "purity_over_priors",
        "section 1",
        "words",
        "purity can be assessed over a range of class distributions in the same way",
        lambda: by_verdicts(
            identity(PURITY_AT, TPR / (TPR + (1 - PRIOR.symbol) / PRIOR.symbol * FPR), PRIOR),
            inequality(at(PURITY, _with_more_targets(1 + WEIGHT)), PURITY, strict=True, over=WEIGHTED),
            note="purity at any prior by TPr and FPr alone; counting targets more often, which raises the prior at the "
            "same rates, raises it: its extremes are at the ends",
        ),
    )
    yield statement(
        "many_costs",
        "abstract, and section 1",
        "words",
        "many other costs can be assessed so: they are given by TPr, FPr and the prior",
        _costs_of_rates,
    )
    yield statement(
        "comparable_over_priors",
        "section 3",
        "words",
        "two classifiers can be compared where the class distribution is unknown: at one TPr the one that has the "
        "smaller POSfrac at one prior has it at all",
        _one_order,
    )
    yield statement(
        "comparable_at_any_operating_point",
        "section 4, footnote 1",
        "words",
        "a different operating point could be in favour of a different classifier",
        _other_point,
    )


def _extremes_at_the_ends() -> Ruling:
    """Prove that POSfrac is linear in the prior, and find its extremes over 0.001 to 0.5 in every column of table 2."""
    linear = identity(POSFRAC_AT, FPR + PRIOR.symbol * (TPR - FPR), PRIOR)
    columns = [
        [Rational(rows[prior][classifier][0]) for prior in PRIORS]
        for rows in table_2().values()
        for classifier in rows["0.5"]
    ]
    inside = 0
    for half, tenth, _ in columns:
        fpr = false_positive_rate(half, "0.5") / 100
        rates = (TARGET / 100, 1 - TARGET / 100, fpr, 1 - fpr)  # one target and one other example, by their rates
        found = METRICS["positive_fraction"].over_priors(rates, PRIORS[2], PRIORS[0])
        ends = (found.at_low, found.at_high) == (Rational(PRIORS[2]), Rational(PRIORS[0]))
        inside += bool(ends and 100 * found.low < tenth < 100 * found.high)
    return by_computation(
        linear.status == "proved" and inside == len(columns),
        "POSfrac = FPr + P(C_t)*(TPr - FPr), which is proved: linear in the prior; over 0.001 to 0.5 its extremes "
        f"are at the ends, with what table 2 prints at 0.1 between them, in {inside} of {len(columns)} columns",
    )


def _costs_of_rates() -> Ruling:
    """TPr, FPr and the prior give a table up to a factor, so that they give the value of a homogeneous metric."""
    return by_verdicts(
        *(decided(sm.properties["homogeneous"].claim(METRICS[key])) for key in COSTS),
        note=f"TPr, FPr and the prior give a table up to a factor, which does not matter to {', '.join(COSTS)}",
    )


def _with_more_targets(weight: Expr) -> Table:
    """Return the table in which every target counts as several."""
    return weight * TP, weight * FN, FP, TN


def _one_order() -> Ruling:
    """At one TPr, which TP and FN give, compare a classifier and one that has some more false positives."""
    others = ((FP + MORE, TN), (FP, TN + MORE))
    worse, better = (at(POSFRAC, (WEIGHT * TP, WEIGHT * FN, *counts)) for counts in others)
    rises = inequality(worse, better, strict=True, over=(*WEIGHTED, MORE))
    orders = [
        {tuple(sorted(row, key=lambda name, row=row: (Rational(row[name][0]), name))) for row in rows.values()}
        for rows in table_2().values()
    ]
    return by_computation(
        rises.status == "proved" and all(len(order) == 1 for order in orders),
        f"at one TPr POSfrac rises with FPr at every prior: {rises.evidence.sentence}; in table 2 the order of the "
        f"classifiers is the same at all three priors for {sum(len(order) == 1 for order in orders)} of 4 problems",
    )


def _other_point() -> Ruling:
    """Compare two ROC curves of two straight lines each, through (FPr, TPr) = (0.1, 0.6) and (0.4, 0.95)."""
    first, second = (Rational("0.1"), Rational("0.6")), (Rational("0.4"), Rational("0.95"))

    def needed(rate: Rational, corner: tuple[Rational, Rational]) -> Rational:
        fpr, tpr = corner
        return rate / tpr * fpr if rate <= tpr else fpr + (rate - tpr) / (1 - tpr) * (1 - fpr)

    rates = (Rational("0.5"), Rational("0.8"), Rational("0.95"))
    pairs = [(needed(rate, first), needed(rate, second)) for rate in rates]
    return by_computation(
        any((a < b) for a, b in pairs) and any((a > b) for a, b in pairs),
        "curves of two straight lines through (FPr, TPr) = (0.1, 0.6) and (0.4, 0.95): at TPr = 0.5, 0.8, 0.95 they "
        f"need FPr = {', '.join(f'{a.n(3)} and {b.n(3)}' for a, b in pairs)}: POSfrac prefers the one, then the other",
    )


# -- what a skewed distribution does to the costs ----------------------------------------------------------------------


def _skewed() -> Iterator[PaperClaim]:
    yield statement(
        "purity_collapses",
        "section 3, Highleyman",
        "words",
        "what is acceptable with balanced classes becomes much worse with rare targets, for the linear classifier",
        _purity_collapses,
    )
    yield statement(
        "quadratic_more_resilient",
        "section 3, Highleyman",
        "words",
        "the quadratic classifier is much more resilient to changes of the class distribution than the linear one",
        _resilience,
    )
    yield statement(
        "models_of_the_distribution",
        "abstract",
        "words",
        "classifiers that model the distributions well are more resilient than weaker ones",
        _well_modelled,
    )
    yield statement(
        "balanced_and_yet_failed",
        "section 5",
        "words",
        "some classifiers that do well on balanced classes fail completely on imbalanced ones; others are resilient",
        _failed_and_resilient,
    )


def _purities(classifier: str) -> list[Rational]:
    """Return the purity, in percent, that table 2 gives on the Highleyman classes at the three priors."""
    return [100 * Rational(prior) * TARGET / number("Highleyman", prior, classifier) for prior in PRIORS]


def _purity_collapses() -> Ruling:
    values = _purities("LDC")
    hundredth = Rational("0.01")
    at_hundredth = (
        100 * hundredth * TARGET / posfrac_of(false_positive_rate(number("Highleyman", "0.5", "LDC"), "0.5"), "0.01")
    )
    return by_computation(
        bool(values[0] > 70) and bool(at_hundredth < 5) and bool(values[2] < 1),
        f"purity = P(C_t)*TPr/POSfrac, from table 2: {values[0].n(3)} % at 0.5, {values[1].n(3)} % at 0.1, "
        f"{at_hundredth.n(3)} % at 0.01, {values[2].n(2)} % at 0.001",
    )


def _resilience() -> Ruling:
    """A POSfrac that is as small as the prior allows is one that has no false positives at all."""
    kept = {
        name: [number("Highleyman", prior, name) / (Rational(prior) * TARGET) for prior in PRIORS]
        for name in ("LDC", "QDC")
    }
    return by_computation(
        all(ratio == 1 for ratio in kept["QDC"]) and bool(kept["LDC"][2] > 100),
        "POSfrac in table 2 over the least that is possible, P(C_t)*80 %, at 0.5, 0.1, 0.001: "
        f"LDC {', '.join(str(ratio.n(3)) for ratio in kept['LDC'])}; QDC 1, 1, 1",
    )


GOOD_MODELS: Final = {
    "Highleyman": (("QDC", "MOGC", "PARZEN"), ("LDC",)),
    "Multimodal": (("MOGC", "PARZEN"), ("LDC", "QDC")),
    "Lithuanian": (("MOGC", "PARZEN"), ("LDC", "QDC")),
}
"""Which classifiers can model the classes of a problem, and which cannot: covariances that differ, modes, bends."""


def _well_modelled() -> Ruling:
    """Compare POSfrac at the prior 0.001, by more than two combined deviations, in all pairs."""
    gaps = []
    for problem, (good, weak) in GOOD_MODELS.items():
        row = {name: [Rational(text) for text in cell] for name, cell in table_2()[problem]["0.001"].items()}
        for better, worse in itertools.product(good, weak):
            spread = (row[better][1] ** 2 + row[worse][1] ** 2) ** S.Half
            gaps.append((row[worse][0] - row[better][0]) / spread)
    return by_computation(
        all(bool(gap > 2) for gap in gaps),
        f"table 2 at 0.001, on the three problems that some of the classifiers cannot model: in all {len(gaps)} pairs "
        f"the one that can has a smaller POSfrac, by at least {min(gaps, key=float).n(3)} combined deviations",
    )


def _failed_and_resilient() -> Ruling:
    linear, quadratic = _purities("LDC"), _purities("QDC")
    return by_computation(
        bool(linear[0] > 70) and bool(linear[2] < 1) and all(value == 100 for value in quadratic),
        f"Highleyman, purity from table 2 at 0.5 and 0.001: LDC {linear[0].n(3)} % and {linear[2].n(2)} %, QDC twice "
        "100 %",
    )


def claims() -> Iterator[PaperClaim]:
    """Yield the claims, in the paper's order."""
    yield from _ranges()
    yield from _skewed()
