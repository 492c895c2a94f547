"""Figures 1 and 4 of Landgrebe and others (2005), and the Bayes error behind table 2."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from flint import arb

from symmetrics.papers.claims import PaperClaim, Ruling, by_computation, with_reading

from .shared import statement, table_2


def _below(x: arb) -> arb:
    """Return the standard normal distribution function in an interval that holds it."""
    return (-x / arb(2).sqrt()).erfc() / 2


DEVIATIONS: Final = ((arb(1), arb("0.5")), (arb("0.1"), arb(2)))
"""Standard deviations of both features of Highleyman's classes, the target first; the means are (1, 1) and (2, 0)."""


def _linear(threshold: Callable[[arb, arb], arb]) -> tuple[arb, arb]:
    """Return TPr and FPr of the linear discriminant of the distributions themselves, not of a sample.

    The score w·x, w = S^-1·(m1 - m2) with the mean covariance S, is normal in each class.

    :param threshold: where it cuts, from the mean and the standard deviation of the target's score
    """
    spread = [(DEVIATIONS[0][axis] ** 2 + DEVIATIONS[1][axis] ** 2) / 2 for axis in (0, 1)]
    weights = (arb(-1) / spread[0], arb(1) / spread[1])
    means = (weights[0] + weights[1], 2 * weights[0])
    sizes = [((weights[0] * one) ** 2 + (weights[1] * two) ** 2).sqrt() for one, two in DEVIATIONS]
    cut = threshold(*means) if threshold is _middle else threshold(means[0], sizes[0])
    rates = [_below((mean - cut) / size) for mean, size in zip(means, sizes, strict=True)]
    return rates[0], rates[1]


def _middle(target: arb, other: arb) -> arb:
    return (target + other) / 2


def _figures() -> Iterator[PaperClaim]:
    assumed = "the linear discriminant of Highleyman's distributions themselves, as prtools has them"
    yield statement(
        "figure_1_comparable",
        "section 1, figure 1",
        "words",
        "trained with equal priors, and a tenth of the examples targets: as many false positives as true ones, about",
        lambda: _comparable(assumed),
    )
    yield from with_reading(
        statement(
            "figure_4_linear",
            "section 3, figure 4",
            "number",
            "the linear classifier has a TPr of 75 % at a POSfrac of 0.1, at the prior 0.1 of the example",
            lambda: _linear_at_a_tenth("0.1", assumed),
        ),
        "at a prior of 0.001, in steps of 5 %",
        lambda: _linear_at_a_tenth("0.001", assumed),
    )
    yield statement(
        "figure_4_quadratic",
        "section 3, figure 4",
        "number",
        "a quadratic classifier has a TPr of over 90 % at a POSfrac of 0.1, at a prior of 0.001",
        _quadratic_at_a_tenth,
    )
    yield statement(
        "bayes_error_of_two_gaussians",
        "section 4 and table 2, TwoGaussians",
        "number",
        "table 2 has no POSfrac below what a Bayes error of 15.3 % allows, by more than two of its deviations",
        _least_posfrac,
    )


def _comparable(assumed: str) -> Ruling:
    tpr, fpr = _linear(_middle)
    ratio = 9 * fpr / tpr
    return by_computation(
        bool(ratio > arb("0.5")) and bool(ratio < 2),
        f"{assumed}: TPr {float(tpr):.3f} and FPr {float(fpr):.3f}, so 0.9*FPr and 0.1*TPr are in the ratio "
        f"{float(ratio):.2f}; comparable is read as within a factor of two",
        basis="certified enclosure",
    )


def _linear_at_a_tenth(prior: str, assumed: str) -> Ruling:
    """POSfrac grows with TPr: compare it at both ends of what rounds to 75 % in steps of 5 with 0.1."""
    share = arb(prior)
    found = []
    for quantile in ("0.597760", "0.755415"):  # of 0.725 and 0.775
        tpr, fpr = _linear(lambda mean, size, z=quantile: mean - arb(z) * size)
        found.append((tpr, share * tpr + (1 - share) * fpr))
    (low, least), (high, most) = found
    return by_computation(
        bool(least < arb("0.1")) and bool(most > arb("0.1")),
        f"{assumed}: POSfrac {float(least):.4f} at a TPr of {float(low):.3f}, {float(most):.4f} at {float(high):.3f}",
        "a lower TPr",
        basis="certified enclosure",
    )


def _quadratic_at_a_tenth() -> Ruling:
    """The quadratic classifier is the best of all, and so as good as calling targets all with |x1 - 2| > 0.1655."""
    bound = arb("0.1655")
    fpr, tpr = 2 * _below(-bound / DEVIATIONS[1][0]), _below(1 - bound) + 1 - _below(1 + bound)
    posfrac = arb("0.001") * tpr + arb("0.999") * fpr
    return by_computation(
        bool(tpr > arb("0.9")) and bool(posfrac < arb("0.1")),
        "both classes are normal, so that the quadratic discriminant of the distributions is the best classifier "
        f"(Neyman and Pearson): calling targets what has |x1 - 2| > {float(bound):.4f} has a TPr of {float(tpr):.3f} "
        f"at a POSfrac of {float(posfrac):.4f}, less than 0.1",
        basis="certified enclosure",
    )


BAYES_DISTANCE: Final = 2 * arb("1.0237")
"""How far two normal classes of one covariance are apart that have an error of 15.3 %: 2·q(0.847)."""


def least_false_positives() -> arb:
    """Return the least FPr at a TPr of 80 %, in percent, of two such classes; q(0.8) is 0.841621."""
    return 100 * _below(arb("0.841621") - BAYES_DISTANCE)


def _least_posfrac() -> Ruling:
    """Compare all cells of the problem with the least POSfrac."""
    distance, quantile = BAYES_DISTANCE, arb("0.841621")
    least = least_false_positives()
    error, rate = 100 * _below(-distance / 2), 100 * _below(quantile)
    worst = arb(10)
    for prior, row in table_2()["TwoGaussians"].items():
        for mean, deviation in row.values():
            bound = arb(prior) * 80 + (1 - arb(prior)) * least
            worst = min(worst, (arb(mean) - bound) / arb(deviation), key=float)
    return by_computation(
        bool(worst > -2) and abs(error - arb("15.3")) < arb("0.05") and abs(rate - 80) < arb("0.001"),
        f"with an error of {float(error):.2f} % no classifier has an FPr below {float(least):.2f} % at a TPr of 80 % "
        f"(Neyman and Pearson); of the 12 cells none is more than {float(-worst):.2f} of its deviations below the "
        "POSfrac that this gives by equation (5)",
        basis="certified enclosure",
    )


def claims() -> Iterator[PaperClaim]:
    """Yield the claims, in the paper's order."""
    yield from _figures()
