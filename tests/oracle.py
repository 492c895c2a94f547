"""Every metric once more, as plain arithmetic and by another route than the library's formula.

The routes: rates and their complements, Bayes' theorem, odds, areas of polygons, weighted means, entropies, expected
counts, pairs of examples.  None of these functions reads anything of symmetrics.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from statistics import harmonic_mean
from typing import Final, NamedTuple

__all__ = ["ORACLE"]


class Rates(NamedTuple):
    """A table as the numbers that fix it up to its size."""

    recall: float
    specificity: float
    precision: float
    npv: float
    prevalence: float
    predicted: float


def rates(tp: int, fn: int, fp: int, tn: int) -> Rates:
    size = tp + fn + fp + tn
    return Rates(tp / (tp + fn), tn / (fp + tn), tp / (tp + fp), tn / (fn + tn), (tp + fn) / size, (tp + fp) / size)


def cross_difference(tp: int, fn: int, fp: int, tn: int) -> int:
    return tp * tn - fn * fp


def entropy(*counts: int) -> float:
    total = sum(counts)
    return math.log(total) - sum(count * math.log(count) for count in counts) / total


def polygon_area(*corners: tuple[float, float]) -> float:
    pairs = zip(corners, (*corners[1:], corners[0]), strict=True)
    return abs(sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in pairs)) / 2


def roc_point(tp: int, fn: int, fp: int, tn: int) -> tuple[float, float]:
    return 1 - tn / (fp + tn), 1 - fn / (tp + fn)


def weighted_harmonic_mean(precision: float, recall: float, beta: float) -> float:
    share = 1 / (1 + beta**2)
    return 1 / (share / precision + (1 - share) / recall)


def true_positive_rate(tp: int, fn: int, fp: int, tn: int) -> float:
    return 1 - fn / (tp + fn)


def true_negative_rate(tp: int, fn: int, fp: int, tn: int) -> float:
    return 1 - fp / (fp + tn)


def false_positive_rate(tp: int, fn: int, fp: int, tn: int) -> float:
    return 1 - tn / (fp + tn)


def false_negative_rate(tp: int, fn: int, fp: int, tn: int) -> float:
    return 1 - tp / (tp + fn)


def precision(tp: int, fn: int, fp: int, tn: int) -> float:
    return 1 / (1 + fp / tp)


def false_discovery_rate(tp: int, fn: int, fp: int, tn: int) -> float:
    r = rates(tp, fn, fp, tn)
    wrong = (1 - r.specificity) * (1 - r.prevalence)
    return wrong / (wrong + r.recall * r.prevalence)


def false_omission_rate(tp: int, fn: int, fp: int, tn: int) -> float:
    r = rates(tp, fn, fp, tn)
    wrong = (1 - r.recall) * r.prevalence
    return wrong / (wrong + r.specificity * (1 - r.prevalence))


def accuracy(tp: int, fn: int, fp: int, tn: int) -> float:
    r = rates(tp, fn, fp, tn)
    return r.prevalence * r.recall + (1 - r.prevalence) * r.specificity


def error_rate(tp: int, fn: int, fp: int, tn: int) -> float:
    r = rates(tp, fn, fp, tn)
    return r.prevalence * (1 - r.recall) + (1 - r.prevalence) * (1 - r.specificity)


def prevalence(tp: int, fn: int, fp: int, tn: int) -> float:
    return 1 / (1 + (fp + tn) / (tp + fn))


def positive_fraction(tp: int, fn: int, fp: int, tn: int) -> float:
    r = rates(tp, fn, fp, tn)
    return r.prevalence * r.recall + (1 - r.prevalence) * (1 - r.specificity)


def positive_likelihood_ratio(tp: int, fn: int, fp: int, tn: int) -> float:
    prior_odds, posterior_odds = (tp + fn) / (fp + tn), tp / fp
    return posterior_odds / prior_odds


def negative_likelihood_ratio(tp: int, fn: int, fp: int, tn: int) -> float:
    prior_odds, posterior_odds = (tp + fn) / (fp + tn), fn / tn
    return posterior_odds / prior_odds


def diagnostic_odds_ratio(tp: int, fn: int, fp: int, tn: int) -> float:
    return positive_likelihood_ratio(tp, fn, fp, tn) / negative_likelihood_ratio(tp, fn, fp, tn)


def gmean(tp: int, fn: int, fp: int, tn: int) -> float:
    r = rates(tp, fn, fp, tn)
    return math.exp((math.log(r.recall) + math.log(r.specificity)) / 2)


def auc_single(tp: int, fn: int, fp: int, tn: int) -> float:
    return polygon_area((0, 0), roc_point(tp, fn, fp, tn), (1, 1), (1, 0))


def f1(tp: int, fn: int, fp: int, tn: int) -> float:
    r = rates(tp, fn, fp, tn)
    return harmonic_mean([r.precision, r.recall])


def negative_f1(tp: int, fn: int, fp: int, tn: int) -> float:
    r = rates(tp, fn, fp, tn)
    return harmonic_mean([r.npv, r.specificity])


def mean_f_beta(tp: int, fn: int, fp: int, tn: int, beta: float) -> float:
    r = rates(tp, fn, fp, tn)
    positive = weighted_harmonic_mean(r.precision, r.recall, beta)
    negative = weighted_harmonic_mean(r.npv, r.specificity, beta)
    return (positive + negative) / 2


def fowlkes_mallows(tp: int, fn: int, fp: int, tn: int) -> float:
    r = rates(tp, fn, fp, tn)
    return math.sqrt(r.precision) * math.sqrt(r.recall)


def jaccard(tp: int, fn: int, fp: int, tn: int) -> float:
    r = rates(tp, fn, fp, tn)
    return 1 / (1 / r.precision + 1 / r.recall - 1)


def optimized_precision(tp: int, fn: int, fp: int, tn: int) -> float:
    r = rates(tp, fn, fp, tn)
    low, high = sorted((r.recall, r.specificity))
    return accuracy(tp, fn, fp, tn) - (high - low) / (high + low)


def dominance(tp: int, fn: int, fp: int, tn: int) -> float:
    return fp / (fp + tn) - fn / (tp + fn)


def iba_gmean(tp: int, fn: int, fp: int, tn: int, alpha: float) -> float:
    mean = gmean(tp, fn, fp, tn)
    return mean + alpha * dominance(tp, fn, fp, tn) * mean


def agm(tp: int, fn: int, fp: int, tn: int) -> float:
    size, negatives = tp + fn + fp + tn, fp + tn
    return (size * gmean(tp, fn, fp, tn) + tn) / (size + negatives)


def wauc(tp: int, fn: int, fp: int, tn: int, rho: float) -> float:
    x, y = roc_point(tp, fn, fp, tn)
    bottom = polygon_area((0, 0), (x, y), (1, y), (1, 0))
    top = polygon_area((x, y), (1, 1), (1, y))
    return auc_single(tp, fn, fp, tn) + rho * (top - bottom)


def roc_distance(tp: int, fn: int, fp: int, tn: int) -> float:
    return math.dist(roc_point(tp, fn, fp, tn), (0, 1))


def kappa(tp: int, fn: int, fp: int, tn: int) -> float:
    return 2 * cross_difference(tp, fn, fp, tn) / ((tp + fp) * (fp + tn) + (tp + fn) * (fn + tn))


def expected_agreement(tp: int, fn: int, fp: int, tn: int) -> float:
    r = rates(tp, fn, fp, tn)
    return r.prevalence * r.predicted + (1 - r.prevalence) * (1 - r.predicted)


def scott_pi(tp: int, fn: int, fp: int, tn: int) -> float:
    r = rates(tp, fn, fp, tn)
    pooled = (r.prevalence + r.predicted) / 2
    return 1 - error_rate(tp, fn, fp, tn) / (2 * pooled * (1 - pooled))


def gwet_ac1(tp: int, fn: int, fp: int, tn: int) -> float:
    r = rates(tp, fn, fp, tn)
    pooled = (r.prevalence + r.predicted) / 2
    return 1 - error_rate(tp, fn, fp, tn) / (pooled**2 + (1 - pooled) ** 2)


def gilbert_skill_score(tp: int, fn: int, fp: int, tn: int) -> float:
    chance_corrected = kappa(tp, fn, fp, tn)
    return chance_corrected / (2 - chance_corrected)


def collective_strength(tp: int, fn: int, fp: int, tn: int) -> float:
    expected = expected_agreement(tp, fn, fp, tn)
    observed_odds, expected_odds = (tp + tn) / (fn + fp), expected / (1 - expected)
    return observed_odds / expected_odds


def goodman_kruskal_lambda(tp: int, fn: int, fp: int, tn: int) -> float:
    errors_without = min(tp + fn, fp + tn)
    errors_with = min(tp, fp) + min(fn, tn)
    return 1 - errors_with / errors_without


def informedness(tp: int, fn: int, fp: int, tn: int) -> float:
    return cross_difference(tp, fn, fp, tn) / ((tp + fn) * (fp + tn))


def markedness(tp: int, fn: int, fp: int, tn: int) -> float:
    return cross_difference(tp, fn, fp, tn) / ((tp + fp) * (fn + tn))


def mcc(tp: int, fn: int, fp: int, tn: int) -> float:
    size = math.sqrt(informedness(tp, fn, fp, tn) * markedness(tp, fn, fp, tn))
    return math.copysign(size, cross_difference(tp, fn, fp, tn))


def yule_q(tp: int, fn: int, fp: int, tn: int) -> float:
    odds_ratio = diagnostic_odds_ratio(tp, fn, fp, tn)
    return (odds_ratio - 1) / (odds_ratio + 1)


def lift(tp: int, fn: int, fp: int, tn: int) -> float:
    r = rates(tp, fn, fp, tn)
    return r.precision / r.prevalence


def laplace(tp: int, fn: int, fp: int, tn: int) -> float:
    selected = tp + fp
    return (selected * tp / (tp + fp) + 2 * 0.5) / (selected + 2)


def mutual_information(tp: int, fn: int, fp: int, tn: int) -> float:
    return entropy(tp + fn, fp + tn) + entropy(tp + fp, fn + tn) - entropy(tp, fn, fp, tn)


def confusion_entropy(tp: int, fn: int, fp: int, tn: int) -> float:
    matrix: Sequence[Sequence[int]] = ((tp, fn), (fp, tn))
    classes = range(len(matrix))
    base = 2 * (len(matrix) - 1)
    total = 0.0
    for j in classes:
        touching = sum(matrix[j]) + sum(row[j] for row in matrix)
        shares = [matrix[a][b] / touching for k in classes if k != j for a, b in ((j, k), (k, j))]
        weight = touching / (2 * sum(map(sum, matrix)))
        total -= weight * sum(share * math.log(share, base) for share in shares)
    return total


def extremal_dependence_index(tp: int, fn: int, fp: int, tn: int) -> float:
    power = math.log(tp / (tp + fn)) / math.log(fp / (fp + tn))
    return (1 - power) / (1 + power)


class Shares(NamedTuple):
    """A table as shares of its size and the proportions that follow from them, all exact."""

    joint: Fraction
    prevalence: Fraction
    predicted: Fraction
    recall: Fraction
    specificity: Fraction
    precision: Fraction
    npv: Fraction
    accuracy: Fraction
    covariance: Fraction


def shares(tp: int, fn: int, fp: int, tn: int) -> Shares:
    size = tp + fn + fp + tn
    joint, prevalence, predicted = Fraction(tp, size), Fraction(tp + fn, size), Fraction(tp + fp, size)
    recall, precision = joint / prevalence, joint / predicted
    specificity = 1 - (predicted - joint) / (1 - prevalence)
    npv = 1 - (prevalence - joint) / (1 - predicted)
    accuracy = 1 + 2 * joint - prevalence - predicted
    covariance = joint - prevalence * predicted
    return Shares(joint, prevalence, predicted, recall, specificity, precision, npv, accuracy, covariance)


def by_shares(function: Callable[[Shares], float]) -> Callable[[int, int, int, int], float]:
    return lambda tp, fn, fp, tn: float(function(shares(tp, fn, fp, tn)))


def by_rates(function: Callable[..., float]) -> Callable[..., float]:
    """Return a function of the rates of a table, and of its parameters by name, as one of its cells."""
    return lambda tp, fn, fp, tn, **bound: function(rates(tp, fn, fp, tn), **bound)


def by_counts(function: Callable[[int, int, int, int], float]) -> Callable[[int, int, int, int], float]:
    return lambda tp, fn, fp, tn: float(function(tp, fn, fp, tn))


def divergence(share: float, other: float) -> float:
    """Return the relative entropy of two shares with their complements."""
    return share * math.log(share / other) + (1 - share) * math.log((1 - share) / (1 - other))


def impurity(share: Fraction) -> Fraction:
    return 1 - share**2 - (1 - share) ** 2


def expected_counts(tp: int, fn: int, fp: int, tn: int) -> list[tuple[int, Fraction]]:
    """Return each cell with the count expected of independent labels and predictions."""
    size = tp + fn + fp + tn
    rows, columns = (tp + fn, fp + tn), (tp + fp, fn + tn)
    products = [Fraction(row * column, size) for row in rows for column in columns]
    return list(zip((tp, fn, fp, tn), products, strict=True))


def chi_square(tp: int, fn: int, fp: int, tn: int) -> Fraction:
    return sum((count - expected) ** 2 / expected for count, expected in expected_counts(tp, fn, fp, tn))


def yates_chi_square(tp: int, fn: int, fp: int, tn: int) -> Fraction:
    cells = expected_counts(tp, fn, fp, tn)
    return sum(max(abs(count - expected) - Fraction(1, 2), 0) ** 2 / expected for count, expected in cells)


def stiles(tp: int, fn: int, fp: int, tn: int) -> float:
    cells = expected_counts(tp, fn, fp, tn)
    corrected = sum((abs(count - expected) - Fraction(1, 2)) ** 2 / expected for count, expected in cells)
    return math.log10(corrected) if corrected else -math.inf


def negative_jaccard(tp: int, fn: int, fp: int, tn: int) -> float:
    r = rates(tp, fn, fp, tn)
    return 1 / (1 / r.npv + 1 / r.specificity - 1)


def adjusted_f_measure(tp: int, fn: int, fp: int, tn: int) -> float:
    r = rates(tp, fn, fp, tn)
    positive = weighted_harmonic_mean(r.precision, r.recall, 2)
    negative = weighted_harmonic_mean(r.npv, r.specificity, 1 / 2)
    return math.sqrt(positive) * math.sqrt(negative)


def net_benefit(tp: int, fn: int, fp: int, tn: int, threshold: float) -> float:
    r = rates(tp, fn, fp, tn)
    odds = 1 / (1 / threshold - 1)
    return r.prevalence * r.recall - (1 - r.prevalence) * (1 - r.specificity) * odds


def chord_distance(tp: int, fn: int, fp: int, tn: int) -> float:
    positive, predicted = 1 / math.sqrt(tp + fn), 1 / math.sqrt(tp + fp)
    return math.sqrt(tp * (positive - predicted) ** 2 + fn * positive**2 + fp * predicted**2)


def kent_foster(hits: int, errors: tuple[int, int]) -> Fraction:
    chance = Fraction((hits + errors[0]) * (hits + errors[1]), hits + sum(errors))
    return (hits - chance) / (hits - chance + sum(errors))


def cole(tp: int, fn: int, fp: int, tn: int) -> Fraction:
    s = shares(tp, fn, fp, tn)
    p, q = s.prevalence, s.predicted
    if s.covariance >= 0:
        return s.covariance / min(p * (1 - q), q * (1 - p))
    return s.covariance / min(p * q, (1 - p) * (1 - q))


def loevinger_h(tp: int, fn: int, fp: int, tn: int) -> Fraction:
    """The errors against the prediction or the label that is rarer, observed and expected."""
    cells = expected_counts(tp, fn, fp, tn)
    errors, expected = cells[1] if tp + fn <= tp + fp else cells[2]
    return 1 - errors / expected


def shortliffe_certainty_factor(s: Shares) -> Fraction:
    gain = s.precision - s.prevalence
    return gain / (1 - s.prevalence) if gain > 0 else gain / s.prevalence


def zhang(tp: int, fn: int, fp: int, tn: int) -> float:
    ratio = positive_likelihood_ratio(tp, fn, fp, tn)
    return (ratio - 1) / max(ratio, 1)


def goodman_kruskal_lambda_r(s: Shares) -> Fraction:
    positive = (s.prevalence + s.predicted) / 2
    modal = max(positive, 1 - positive)
    return (s.accuracy - modal) / (1 - modal)


def kuder_richardson(s: Shares) -> Fraction:
    """Twice the share of the variance of the total that is not the items' own."""
    own = s.prevalence * (1 - s.prevalence) + s.predicted * (1 - s.predicted)
    return 2 * (1 - own / (own + 2 * s.covariance))


def krippendorff_alpha(tp: int, fn: int, fp: int, tn: int) -> float:
    return 1 - (1 - scott_pi(tp, fn, fp, tn)) * (1 - 1 / (2 * (tp + fn + fp + tn)))


def adjusted_rand_index(tp: int, fn: int, fp: int, tn: int) -> Fraction:
    """Pairs that are together twice, against those expected and the most that the margins allow."""
    both = sum(math.comb(count, 2) for count in (tp, fn, fp, tn))
    classes = math.comb(tp + fn, 2) + math.comb(fp + tn, 2)
    predictions = math.comb(tp + fp, 2) + math.comb(fn + tn, 2)
    expected = Fraction(classes * predictions, math.comb(tp + fn + fp + tn, 2))
    return (both - expected) / (Fraction(classes + predictions, 2) - expected)


def normalized_information(normalizer: Callable[[float, float], float]) -> Callable[[int, int, int, int], float]:
    def information(tp: int, fn: int, fp: int, tn: int) -> float:
        classes, predictions = entropy(tp + fn, fp + tn), entropy(tp + fp, fn + tn)
        return (classes + predictions - entropy(tp, fn, fp, tn)) / normalizer(classes, predictions)

    return information


def misses_entropy(fn: int, fp: int, touching: int) -> float:
    return sum(count / touching * math.log2(touching / count) for count in (fn, fp))


def modified_confusion_entropy(tp: int, fn: int, fp: int, tn: int) -> float:
    size, errors = tp + fn + fp + tn, fn + fp
    crossed = errors * math.log2((size - tn) * (size - tp)) / 2
    return (crossed - fn * math.log2(fn) - fp * math.log2(fp)) / size


_MEANS_AND_RATES: Final[dict[str, Callable[..., float]]] = {
    "adjusted_f_measure": adjusted_f_measure,
    "concordance_probability": lambda *t: gmean(*t) ** 2,
    "f2": lambda *t: weighted_harmonic_mean(precision(*t), true_positive_rate(*t), 2),
    "f_half": lambda *t: weighted_harmonic_mean(precision(*t), true_positive_rate(*t), 1 / 2),
    "net_benefit": net_benefit,
    "quadratic_class_accuracy": lambda *t: math.hypot(true_positive_rate(*t), true_negative_rate(*t)) / math.sqrt(2),
    "similarity_index": lambda *t: 1 - roc_distance(*t) / math.sqrt(2),
    "worst_class_accuracy": lambda *t: 1 - max(false_positive_rate(*t), false_negative_rate(*t)),
}

_AGREEMENT: Final[dict[str, Callable[..., float]]] = {
    "adjusted_rand_index": by_counts(adjusted_rand_index),
    "anderberg_d": by_counts(
        lambda tp, fn, fp, tn: Fraction(
            min(tp + fn, fp + tn) + min(tp + fp, fn + tn) - min(tp, fp) - min(fn, tn) - min(tp, fn) - min(fp, tn),
            2 * (tp + fn + fp + tn),
        )
    ),
    "andres_marzo_delta": lambda tp, fn, fp, tn: 1 - (math.sqrt(fn) + math.sqrt(fp)) ** 2 / (tp + fn + fp + tn),
    "goodman_kruskal_lambda_prediction": by_counts(
        lambda tp, fn, fp, tn: 1 - Fraction(min(tp, fn) + min(fp, tn), min(tp + fp, fn + tn))
    ),
    "goodman_kruskal_lambda_r": by_shares(goodman_kruskal_lambda_r),
    "goodman_kruskal_lambda_symmetric": by_counts(
        lambda tp, fn, fp, tn: (
            1
            - Fraction(
                min(tp, fp) + min(fn, tn) + min(tp, fn) + min(fp, tn), min(tp + fn, fp + tn) + min(tp + fp, fn + tn)
            )
        )
    ),
    "krippendorff_alpha": krippendorff_alpha,
    "kuder_richardson": by_shares(kuder_richardson),
    "maxwell_pilliner": by_shares(
        lambda s: 2 * s.covariance / (s.prevalence * (1 - s.prevalence) + s.predicted * (1 - s.predicted))
    ),
    "rand_index": by_counts(
        lambda tp, fn, fp, tn: 1 - Fraction((tp + tn) * (fn + fp), math.comb(tp + fn + fp + tn, 2))
    ),
    "random_accuracy": by_shares(lambda s: s.prevalence * s.predicted),
    "random_accuracy_unbiased": by_shares(lambda s: ((s.prevalence + s.predicted) / 2) ** 2),
}

_ASSOCIATION: Final[dict[str, Callable[..., float]]] = {
    "chi_square": by_counts(chi_square),
    "cole_contingency": lambda *t: math.copysign(
        math.sqrt(2 / (1 + 1 / mcc(*t) ** 2)) if mcc(*t) else 0, cross_difference(*t)
    ),
    "contingency_coefficient": lambda *t: math.sqrt(chi_square(*t) / (sum(t) + chi_square(*t))),
    "cramer_v": lambda *t: math.sqrt(chi_square(*t) / sum(t)),
    "digby": lambda *t: math.tanh(3 / 8 * math.log(diagnostic_odds_ratio(*t))),
    "fleiss_association": lambda *t: (informedness(*t) + markedness(*t)) / 2,
    "mean_square_contingency": lambda *t: informedness(*t) * markedness(*t),
    "michael": by_shares(lambda s: 4 * s.covariance / (s.accuracy**2 + (1 - s.accuracy) ** 2)),
    "normalized_mcc": lambda *t: (1 + mcc(*t)) / 2,
    "stiles": stiles,
    "yates_chi_square": by_counts(yates_chi_square),
}

_INDEPENDENCE: Final[dict[str, Callable[..., float]]] = {
    "benini_1": by_counts(lambda tp, fn, fp, tn: 1 - Fraction(fn * (tp + fn + fp + tn), (tp + fn) * (fn + tn))),
    "cole": by_counts(cole),
    "dennis": lambda tp, fn, fp, tn: (
        (tp - (tp + fn) * (tp + fp) / (tp + fn + fp + tn)) / math.sqrt((tp + fn) * (tp + fp) / (tp + fn + fp + tn))
    ),
    "determinant": by_counts(lambda tp, fn, fp, tn: tp * (tp + fn + fp + tn) - (tp + fn) * (tp + fp)),
    "eyraud": by_shares(lambda s: s.covariance / (s.prevalence * s.predicted * (1 - s.prevalence) * (1 - s.predicted))),
    "kendall_tau_a": by_counts(
        lambda tp, fn, fp, tn: Fraction(tp * tn - fn * fp, math.comb(tp + fn + fp + tn, 2)),
    ),
    "kuhns_1": by_shares(lambda s: 2 * s.covariance),
    "kuhns_2": by_shares(lambda s: min(s.precision - s.prevalence, s.recall - s.predicted, key=abs)),
    "kuhns_3": by_shares(
        lambda s: (
            s.covariance
            / (1 - s.joint / (s.prevalence + s.predicted))
            / (s.prevalence + s.predicted - s.prevalence * s.predicted)
        )
    ),
    "kuhns_4": by_shares(lambda s: max(s.precision - s.prevalence, s.recall - s.predicted, key=abs)),
    "kuhns_5": lambda *t: min(informedness(*t), markedness(*t), key=abs),
    "kuhns_6": lambda *t: max(informedness(*t), markedness(*t), key=abs),
    "kuhns_7": by_shares(lambda s: s.covariance / math.sqrt(s.prevalence * s.predicted)),
    "kuhns_8": by_shares(lambda s: 2 * s.covariance / (s.prevalence + s.predicted)),
    "loevinger_h": by_counts(loevinger_h),
    "stuart_tau_c": by_shares(lambda s: 4 * s.covariance),
    "tarwid": lambda *t: 1 - 2 / (1 + lift(*t)),
}

_INTEREST: Final[dict[str, Callable[..., float]]] = {
    "added_value": by_shares(lambda s: max(s.precision - s.prevalence, s.recall - s.predicted)),
    "centred_confidence": by_counts(
        lambda tp, fn, fp, tn: Fraction(fp + tn, tp + fn + fp + tn) - Fraction(fp, tp + fp),
    ),
    "certainty_factor": by_shares(
        lambda s: max((s.precision - s.prevalence) / (1 - s.prevalence), (s.recall - s.predicted) / (1 - s.predicted))
    ),
    "conviction_symmetric": by_shares(
        lambda s: max((1 - s.prevalence) / (1 - s.precision), (1 - s.predicted) / (1 - s.recall))
    ),
    "example_counterexample_rate": by_shares(lambda s: 2 - 1 / s.precision),
    "ganascia": by_shares(lambda s: 2 * s.precision - 1),
    "gini_gain": by_shares(
        lambda s: impurity(s.prevalence) - s.predicted * impurity(s.precision) - (1 - s.predicted) * impurity(s.npv)
    ),
    "gini_index": by_shares(
        lambda s: max(
            impurity(s.prevalence) - s.predicted * impurity(s.precision) - (1 - s.predicted) * impurity(s.npv),
            impurity(s.predicted) - s.prevalence * impurity(s.recall) - (1 - s.prevalence) * impurity(s.specificity),
        )
    ),
    "implication_index": lambda tp, fn, fp, tn: (
        (fp - (tp + fp) * (fp + tn) / (tp + fn + fp + tn)) / math.sqrt((tp + fp) * (fp + tn) / (tp + fn + fp + tn))
    ),
    "j_measure": by_shares(lambda s: s.predicted * divergence(s.precision, s.prevalence)),
    "j_measure_symmetric": by_shares(
        lambda s: max(
            s.predicted * divergence(s.precision, s.prevalence), s.prevalence * divergence(s.recall, s.predicted)
        )
    ),
    "kemeny_oppenheim": lambda *t: math.tanh(math.log(positive_likelihood_ratio(*t)) / 2),
    "klosgen": by_shares(
        lambda s: math.sqrt(s.joint) * max(s.precision - s.prevalence, s.recall - s.predicted),
    ),
    "klosgen_rule": by_shares(lambda s: math.sqrt(s.predicted) * (s.precision - s.prevalence)),
    "laplace_symmetric": by_counts(
        lambda tp, fn, fp, tn: max(Fraction(tp + 1, tp + fp + 2), Fraction(tp + 1, tp + fn + 2))
    ),
    "least_contradiction": by_shares(lambda s: s.recall * (2 - 1 / s.precision)),
    "loevinger": by_shares(lambda s: 1 - (1 - s.precision) / (1 - s.prevalence)),
    "one_way_support": by_shares(lambda s: s.precision * math.log2(s.precision / s.prevalence)),
    "relative_risk": by_shares(lambda s: s.precision / (1 - s.npv)),
    "sebag_schoenauer": by_shares(lambda s: s.precision / (1 - s.precision)),
    "shortliffe_certainty_factor": by_shares(shortliffe_certainty_factor),
    "two_way_support": by_shares(lambda s: s.joint * math.log2(s.recall / s.predicted)),
    "zhang": zhang,
}

_LOGARITHMS: Final[dict[str, Callable[..., float]]] = {
    "class_confusion_entropy": lambda tp, fn, fp, tn: misses_entropy(fn, fp, 2 * tp + fn + fp),
    "discriminant_power_decimal": lambda *t: math.sqrt(3) / math.pi * math.log10(diagnostic_odds_ratio(*t)),
    "extreme_dependency_score": by_shares(lambda s: 2 * math.log(s.prevalence) / math.log(s.joint) - 1),
    "geometric_normalized_mutual_information": normalized_information(lambda h, k: math.sqrt(h) * math.sqrt(k)),
    "information_score": by_shares(lambda s: math.log2(s.recall / s.predicted)),
    "log_odds_ratio": by_shares(
        lambda s: math.log(s.recall / (1 - s.recall)) + math.log(s.specificity / (1 - s.specificity))
    ),
    "minimum_normalized_mutual_information": normalized_information(min),
    "modified_class_confusion_entropy": lambda tp, fn, fp, tn: misses_entropy(fn, fp, tp + fn + fp),
    "modified_confusion_entropy": modified_confusion_entropy,
    "normalized_mutual_information": normalized_information(lambda h, k: (h + k) / 2),
    "pointwise_mutual_information": by_shares(lambda s: math.log(s.precision / s.prevalence)),
    "symmetric_extremal_dependence_index": lambda *t: (
        math.log(diagnostic_odds_ratio(*t))
        / -math.log(true_positive_rate(*t) * true_negative_rate(*t) * false_positive_rate(*t) * false_negative_rate(*t))
    ),
    "symmetric_extreme_dependency_score": by_shares(
        lambda s: math.log(s.precision / s.prevalence) / -math.log(s.joint)
    ),
}

_SIMILARITY: Final[dict[str, Callable[..., float]]] = {
    "consonni_todeschini_4": lambda tp, fn, fp, tn: math.log1p(tp) / math.log1p(tp + fn + fp),
    "fager_mcgowan": lambda tp, fn, fp, tn: (
        fowlkes_mallows(tp, fn, fp, tn) - 1 / max(math.sqrt(tp + fn), math.sqrt(tp + fp)) / 2
    ),
    "fager_mcgowan_survey": lambda tp, fn, fp, tn: (
        fowlkes_mallows(tp, fn, fp, tn) - (2 * tp + fn + fp + abs(fn - fp)) / 4
    ),
    "johnson": lambda tp, fn, fp, tn: 2 - fp / (tp + fp) - fn / (tp + fn),
    "kent_foster_1": by_counts(lambda tp, fn, fp, tn: kent_foster(tp, (fn, fp))),
    "koppen_2": lambda tp, fn, fp, tn: ((tp + fn) + (tp + fp)) / 2,
    "kulczynski_1": lambda *t: jaccard(*t) / (1 - jaccard(*t)),
    "mcconnaughey": lambda tp, fn, fp, tn: (tp**2 - fn * fp) / (tp + fn) / (tp + fp),
    "mountford": lambda tp, fn, fp, tn: 1 / ((fn + fp) / 2 + fn * fp / tp),
    "overlap_coefficient": by_shares(lambda s: max(s.precision, s.recall)),
    "sokal_sneath_1": lambda *t: jaccard(*t) / (2 - jaccard(*t)),
    "sorgenfrei": by_shares(lambda s: s.recall**2 * s.prevalence / s.predicted),
    "three_w_jaccard": lambda *t: 3 * jaccard(*t) / (1 + 2 * jaccard(*t)),
    "volumetric_similarity": lambda tp, fn, fp, tn: 2 * min(tp + fn, tp + fp) / (2 * tp + fn + fp),
}

_MATCHING: Final[dict[str, Callable[..., float]]] = {
    "ample": by_shares(lambda s: abs(s.recall + s.specificity - 1)),
    "ample_by_prediction": by_shares(lambda s: abs(s.precision + s.npv - 1)),
    "baroni_urbani_buser_1": lambda tp, fn, fp, tn: (
        1 / (1 + (fn + fp) / (math.sqrt(tp) * (math.sqrt(tp) + math.sqrt(tn))))
    ),
    "baroni_urbani_buser_2": lambda tp, fn, fp, tn: (
        1 - 2 / (1 + math.sqrt(tp) * (math.sqrt(tp) + math.sqrt(tn)) / (fn + fp))
    ),
    "baulieu_2": by_shares(lambda s: s.recall * s.specificity * s.precision * s.npv),
    "clement": by_shares(lambda s: s.precision - s.predicted * (s.precision - s.npv)),
    "consonni_todeschini_1": lambda tp, fn, fp, tn: math.log1p(tp + tn) / math.log1p(tp + fn + fp + tn),
    "consonni_todeschini_2": lambda tp, fn, fp, tn: 1 - math.log1p(fn + fp) / math.log1p(tp + fn + fp + tn),
    "consonni_todeschini_3": lambda tp, fn, fp, tn: math.log1p(tp) / math.log1p(tp + fn + fp + tn),
    "consonni_todeschini_5": lambda tp, fn, fp, tn: (
        math.log((1 + tp * tn) / (1 + fn * fp)) / math.log1p(((tp + fn + fp + tn) / 2) ** 2)
    ),
    "faith": by_shares(lambda s: (s.accuracy + s.joint) / 2),
    "fossum": lambda tp, fn, fp, tn: lift(tp, fn, fp, tn) * tp * (1 - 1 / (2 * tp)) ** 2,
    "frequency_weighted_jaccard": lambda *t: (
        negative_jaccard(*t) + prevalence(*t) * (jaccard(*t) - negative_jaccard(*t))
    ),
    "gower": lambda *t: (
        accuracy(*t)
        / sum(t)
        / math.sqrt(prevalence(*t) * (1 - prevalence(*t)) * positive_fraction(*t) * (1 - positive_fraction(*t)))
    ),
    "harris_lahey": lambda *t: (
        jaccard(*t) + (negative_jaccard(*t) - jaccard(*t)) * (prevalence(*t) + positive_fraction(*t)) / 2
    ),
    "hawkins_dotson": lambda *t: (f1(*t) / (2 - f1(*t)) + negative_f1(*t) / (2 - negative_f1(*t))) / 2,
    "kent_foster_2": by_counts(lambda tp, fn, fp, tn: kent_foster(tn, (fn, fp))),
    "negative_jaccard": negative_jaccard,
    "rogers_tanimoto": by_shares(lambda s: s.accuracy / (2 - s.accuracy)),
    "russell_rao": by_shares(lambda s: s.prevalence * s.recall),
    "sokal_sneath_2": by_shares(lambda s: 2 * s.accuracy / (1 + s.accuracy)),
    "sokal_sneath_3": by_shares(lambda s: s.accuracy / (1 - s.accuracy)),
    "sokal_sneath_4": lambda tp, fn, fp, tn: (
        1 - (fn / (tp + fn) + fp / (fp + tn) + fp / (tp + fp) + fn / (fn + tn)) / 4
    ),
    "sokal_sneath_5": by_shares(lambda s: math.sqrt(s.recall * s.specificity * s.precision * s.npv)),
    "tarantula": lambda *t: 1 / (1 + 1 / positive_likelihood_ratio(*t)),
}

_DISTANCES: Final[dict[str, Callable[..., float]]] = {
    "automatic_manual_difference": by_counts(lambda tp, fn, fp, tn: fp - fn),
    "batagelj_bren": lambda *t: 1 / diagnostic_odds_ratio(*t),
    "baulieu_1": by_counts(lambda tp, fn, fp, tn: 1 - Fraction(tp**2, (tp + fn) * (tp + fp))),
    "baulieu_3": by_shares(lambda s: (1 - 4 * s.covariance) / 2),
    "baulieu_5": lambda tp, fn, fp, tn: 1 - tp / (tp + fn + fp + 1),
    "baulieu_6": lambda tp, fn, fp, tn: 1 - (tp + 1) / (tp + fn + fp + 1),
    "baulieu_7": lambda tp, fn, fp, tn: (fn + fp) / (tp**3 - 8 * tp**2 + 17 * tp + fn + fp + tn),
    "baulieu_8": by_shares(lambda s: (s.prevalence - s.predicted) ** 2),
    "baulieu_9": lambda tp, fn, fp, tn: 1 - (tp + tn) / (tp + 2 * fn + fp + tn),
    "baulieu_10": lambda tp, fn, fp, tn: 1 - (tp + tn) / (tp + max(fn + 2 * fp, 2 * fn + fp) + tn),
    "baulieu_11": lambda *t: 1 - negative_jaccard(*t),
    "baulieu_12": lambda tp, fn, fp, tn: 1 / (1 + (tp - 1) / (fn + fp)),
    "baulieu_13": lambda tp, fn, fp, tn: 1 / (1 + tp * (tp**2 - 8 * tp + 17) / (fn + fp)),
    "baulieu_14": lambda tp, fn, fp, tn: 1 - tp / (tp + 2 * fn + fp),
    "baulieu_15": lambda tp, fn, fp, tn: 1 - tp / (tp + max(fn + 2 * fp, 2 * fn + fp)),
    "bray_curtis": lambda *t: 1 - f1(*t),
    "bray_curtis_of_totals": by_shares(lambda s: abs(s.prevalence - s.predicted) / 2),
    "chord_distance": chord_distance,
    "euclidean_distance": lambda tp, fn, fp, tn: math.hypot(math.sqrt(fn), math.sqrt(fp)),
    "hamming_distance": lambda tp, fn, fp, tn: (tp + fn + fp + tn) - (tp + tn),
    "hellinger_distance": lambda *t: math.sqrt(2) * chord_distance(*t),
    "jaccard_distance": lambda *t: 1 - jaccard(*t),
    "pattern_difference": by_shares(lambda s: (1 - s.accuracy) ** 2 - (s.prevalence - s.predicted) ** 2),
    "shape_difference": by_shares(lambda s: 1 - s.accuracy - (s.prevalence - s.predicted) ** 2),
    "size_difference": by_shares(lambda s: (1 - s.accuracy) ** 2),
    "yule_q_distance": lambda *t: 1 - yule_q(*t),
}

_RATES_AND_RATIOS: Final[dict[str, Callable[..., float]]] = {
    "all_confidence": by_rates(lambda r: min(r.precision, r.recall)),
    "bennett_s": lambda tp, fn, fp, tn: (tp - fn - fp + tn) / (tp + fn + fp + tn),
    "class_balance_accuracy": by_rates(lambda r: (min(r.recall, r.precision) + min(r.specificity, r.npv)) / 2),
    "conviction": by_rates(lambda r: (1 - r.prevalence) / (1 - r.precision)),
    "cwa": by_rates(lambda r, w: r.specificity + w * (r.recall - r.specificity)),
    "discriminant_power": lambda tp, fn, fp, tn: (
        math.log(diagnostic_odds_ratio(tp, fn, fp, tn)) / (math.pi / math.sqrt(3))
    ),
    "expected_loss": by_rates(
        lambda r, c: c * r.prevalence * (1 - r.recall) + (1 - c) * (1 - r.prevalence) * (1 - r.specificity)
    ),
    "f_beta": by_rates(lambda r, beta: (1 + beta**2) * r.precision * r.recall / (beta**2 * r.precision + r.recall)),
    "f_of_means": by_rates(
        lambda r, beta: weighted_harmonic_mean((r.precision + r.npv) / 2, (r.recall + r.specificity) / 2, beta)
    ),
    "frequency_bias": by_rates(lambda r: r.recall / r.precision),
    "harmonic_class_accuracy": by_rates(lambda r: harmonic_mean([r.recall, r.specificity])),
    "iba_squared_gmean": by_rates(
        lambda r, alpha: r.recall * r.specificity + alpha * (r.recall**2 * r.specificity - r.recall * r.specificity**2)
    ),
    "imbalance_coefficient": lambda tp, fn, fp, tn: 2 * rates(tp, fn, fp, tn).prevalence - 1,
    "kulczynski": lambda tp, fn, fp, tn: 1 - (fp / (tp + fp) + fn / (tp + fn)) / 2,
    "leverage": lambda tp, fn, fp, tn: cross_difference(tp, fn, fp, tn) / (tp + fn + fp + tn) ** 2,
    "macro_precision": lambda tp, fn, fp, tn: 1 - (fp / (tp + fp) + fn / (fn + tn)) / 2,
    "p4": by_rates(lambda r: harmonic_mean([r.recall, r.specificity, r.precision, r.npv])),
    "prevalence_threshold": lambda tp, fn, fp, tn: 1 / (1 + math.sqrt(positive_likelihood_ratio(tp, fn, fp, tn))),
    "relative_classifier_information": lambda tp, fn, fp, tn: (
        mutual_information(tp, fn, fp, tn) / entropy(tp + fn, fp + tn)
    ),
    "skew_ratio": by_rates(lambda r: (1 - r.prevalence) / r.prevalence),
    "tversky": by_rates(lambda r, alpha, beta: 1 / (1 + alpha * (1 / r.precision - 1) + beta * (1 / r.recall - 1))),
    "weighted_accuracy": lambda tp, fn, fp, tn, w1, w2, w3, w4: 1 / (1 + (w2 * fp + w3 * fn) / (w1 * tp + w4 * tn)),
    "yule_y": lambda tp, fn, fp, tn: math.tanh(math.log(diagnostic_odds_ratio(tp, fn, fp, tn)) / 4),
    "npv": lambda tp, fn, fp, tn: 1 / (1 + fn / tn),
}

_BY_FUNCTION_NAME: Final = (
    accuracy,
    agm,
    auc_single,
    collective_strength,
    confusion_entropy,
    diagnostic_odds_ratio,
    dominance,
    error_rate,
    expected_agreement,
    extremal_dependence_index,
    f1,
    false_discovery_rate,
    false_omission_rate,
    fowlkes_mallows,
    gilbert_skill_score,
    gmean,
    goodman_kruskal_lambda,
    gwet_ac1,
    iba_gmean,
    informedness,
    jaccard,
    kappa,
    laplace,
    lift,
    markedness,
    mcc,
    mean_f_beta,
    mutual_information,
    negative_f1,
    negative_likelihood_ratio,
    optimized_precision,
    positive_fraction,
    positive_likelihood_ratio,
    precision,
    prevalence,
    roc_distance,
    scott_pi,
    wauc,
    yule_q,
)

ORACLE: Final[dict[str, Callable[..., float]]] = {function.__name__: function for function in _BY_FUNCTION_NAME} | {
    "tpr": true_positive_rate,
    "tnr": true_negative_rate,
    "fpr": false_positive_rate,
    "fnr": false_negative_rate,
    **_RATES_AND_RATIOS,
    **_MEANS_AND_RATES,
    **_AGREEMENT,
    **_ASSOCIATION,
    **_INDEPENDENCE,
    **_INTEREST,
    **_LOGARITHMS,
    **_SIMILARITY,
    **_MATCHING,
    **_DISTANCES,
}
