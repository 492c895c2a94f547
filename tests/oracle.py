"""Every metric once more, as plain arithmetic and by another route than the library's formula.

The routes: rates and their complements, Bayes' theorem, odds, areas of polygons, weighted means, entropies.  None of
these functions reads anything of symmetrics.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
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


def negative_predictive_value(tp: int, fn: int, fp: int, tn: int) -> float:
    return 1 / (1 + fn / tn)


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


def weighted_accuracy(tp: int, fn: int, fp: int, tn: int, w1: float, w2: float, w3: float, w4: float) -> float:
    return 1 / (1 + (w2 * fp + w3 * fn) / (w1 * tp + w4 * tn))


def expected_loss(tp: int, fn: int, fp: int, tn: int, c: float) -> float:
    r = rates(tp, fn, fp, tn)
    return c * r.prevalence * (1 - r.recall) + (1 - c) * (1 - r.prevalence) * (1 - r.specificity)


def prevalence(tp: int, fn: int, fp: int, tn: int) -> float:
    return 1 / (1 + (fp + tn) / (tp + fn))


def positive_fraction(tp: int, fn: int, fp: int, tn: int) -> float:
    r = rates(tp, fn, fp, tn)
    return r.prevalence * r.recall + (1 - r.prevalence) * (1 - r.specificity)


def skew_ratio(tp: int, fn: int, fp: int, tn: int) -> float:
    r = rates(tp, fn, fp, tn)
    return (1 - r.prevalence) / r.prevalence


def imbalance_coefficient(tp: int, fn: int, fp: int, tn: int) -> float:
    return 2 * rates(tp, fn, fp, tn).prevalence - 1


def frequency_bias(tp: int, fn: int, fp: int, tn: int) -> float:
    r = rates(tp, fn, fp, tn)
    return r.recall / r.precision


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


def harmonic_class_accuracy(tp: int, fn: int, fp: int, tn: int) -> float:
    r = rates(tp, fn, fp, tn)
    return harmonic_mean([r.recall, r.specificity])


def f1(tp: int, fn: int, fp: int, tn: int) -> float:
    r = rates(tp, fn, fp, tn)
    return harmonic_mean([r.precision, r.recall])


def f_beta(tp: int, fn: int, fp: int, tn: int, beta: float) -> float:
    r = rates(tp, fn, fp, tn)
    return (1 + beta**2) * r.precision * r.recall / (beta**2 * r.precision + r.recall)


def negative_f1(tp: int, fn: int, fp: int, tn: int) -> float:
    r = rates(tp, fn, fp, tn)
    return harmonic_mean([r.npv, r.specificity])


def macro_precision(tp: int, fn: int, fp: int, tn: int) -> float:
    return 1 - (fp / (tp + fp) + fn / (fn + tn)) / 2


def mean_f_beta(tp: int, fn: int, fp: int, tn: int, beta: float) -> float:
    r = rates(tp, fn, fp, tn)
    positive = weighted_harmonic_mean(r.precision, r.recall, beta)
    negative = weighted_harmonic_mean(r.npv, r.specificity, beta)
    return (positive + negative) / 2


def f_of_means(tp: int, fn: int, fp: int, tn: int, beta: float) -> float:
    r = rates(tp, fn, fp, tn)
    return weighted_harmonic_mean((r.precision + r.npv) / 2, (r.recall + r.specificity) / 2, beta)


def class_balance_accuracy(tp: int, fn: int, fp: int, tn: int) -> float:
    r = rates(tp, fn, fp, tn)
    return (min(r.recall, r.precision) + min(r.specificity, r.npv)) / 2


def p4(tp: int, fn: int, fp: int, tn: int) -> float:
    r = rates(tp, fn, fp, tn)
    return harmonic_mean([r.recall, r.specificity, r.precision, r.npv])


def fowlkes_mallows(tp: int, fn: int, fp: int, tn: int) -> float:
    r = rates(tp, fn, fp, tn)
    return math.sqrt(r.precision) * math.sqrt(r.recall)


def kulczynski(tp: int, fn: int, fp: int, tn: int) -> float:
    return 1 - (fp / (tp + fp) + fn / (tp + fn)) / 2


def all_confidence(tp: int, fn: int, fp: int, tn: int) -> float:
    r = rates(tp, fn, fp, tn)
    return min(r.precision, r.recall)


def jaccard(tp: int, fn: int, fp: int, tn: int) -> float:
    r = rates(tp, fn, fp, tn)
    return 1 / (1 / r.precision + 1 / r.recall - 1)


def tversky(tp: int, fn: int, fp: int, tn: int, alpha: float, beta: float) -> float:
    r = rates(tp, fn, fp, tn)
    return 1 / (1 + alpha * (1 / r.precision - 1) + beta * (1 / r.recall - 1))


def optimized_precision(tp: int, fn: int, fp: int, tn: int) -> float:
    r = rates(tp, fn, fp, tn)
    low, high = sorted((r.recall, r.specificity))
    return accuracy(tp, fn, fp, tn) - (high - low) / (high + low)


def dominance(tp: int, fn: int, fp: int, tn: int) -> float:
    return fp / (fp + tn) - fn / (tp + fn)


def iba_gmean(tp: int, fn: int, fp: int, tn: int, alpha: float) -> float:
    mean = gmean(tp, fn, fp, tn)
    return mean + alpha * dominance(tp, fn, fp, tn) * mean


def iba_squared_gmean(tp: int, fn: int, fp: int, tn: int, alpha: float) -> float:
    r = rates(tp, fn, fp, tn)
    return r.recall * r.specificity + alpha * (r.recall**2 * r.specificity - r.recall * r.specificity**2)


def agm(tp: int, fn: int, fp: int, tn: int) -> float:
    size, negatives = tp + fn + fp + tn, fp + tn
    return (size * gmean(tp, fn, fp, tn) + tn) / (size + negatives)


def cwa(tp: int, fn: int, fp: int, tn: int, w: float) -> float:
    r = rates(tp, fn, fp, tn)
    return r.specificity + w * (r.recall - r.specificity)


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


def bennett_s(tp: int, fn: int, fp: int, tn: int) -> float:
    return (tp - fn - fp + tn) / (tp + fn + fp + tn)


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


def yule_y(tp: int, fn: int, fp: int, tn: int) -> float:
    return math.tanh(math.log(diagnostic_odds_ratio(tp, fn, fp, tn)) / 4)


def lift(tp: int, fn: int, fp: int, tn: int) -> float:
    r = rates(tp, fn, fp, tn)
    return r.precision / r.prevalence


def leverage(tp: int, fn: int, fp: int, tn: int) -> float:
    return cross_difference(tp, fn, fp, tn) / (tp + fn + fp + tn) ** 2


def conviction(tp: int, fn: int, fp: int, tn: int) -> float:
    r = rates(tp, fn, fp, tn)
    return (1 - r.prevalence) / (1 - r.precision)


def laplace(tp: int, fn: int, fp: int, tn: int) -> float:
    selected = tp + fp
    return (selected * tp / (tp + fp) + 2 * 0.5) / (selected + 2)


def prevalence_threshold(tp: int, fn: int, fp: int, tn: int) -> float:
    return 1 / (1 + math.sqrt(positive_likelihood_ratio(tp, fn, fp, tn)))


def mutual_information(tp: int, fn: int, fp: int, tn: int) -> float:
    return entropy(tp + fn, fp + tn) + entropy(tp + fp, fn + tn) - entropy(tp, fn, fp, tn)


def relative_classifier_information(tp: int, fn: int, fp: int, tn: int) -> float:
    return mutual_information(tp, fn, fp, tn) / entropy(tp + fn, fp + tn)


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


def discriminant_power(tp: int, fn: int, fp: int, tn: int) -> float:
    return math.log(diagnostic_odds_ratio(tp, fn, fp, tn)) / (math.pi / math.sqrt(3))


def extremal_dependence_index(tp: int, fn: int, fp: int, tn: int) -> float:
    power = math.log(tp / (tp + fn)) / math.log(fp / (fp + tn))
    return (1 - power) / (1 + power)


_BY_FUNCTION_NAME: Final = (
    accuracy,
    agm,
    all_confidence,
    auc_single,
    bennett_s,
    class_balance_accuracy,
    collective_strength,
    confusion_entropy,
    conviction,
    cwa,
    diagnostic_odds_ratio,
    discriminant_power,
    dominance,
    error_rate,
    expected_agreement,
    expected_loss,
    extremal_dependence_index,
    f1,
    f_beta,
    f_of_means,
    false_discovery_rate,
    false_omission_rate,
    fowlkes_mallows,
    frequency_bias,
    gilbert_skill_score,
    gmean,
    goodman_kruskal_lambda,
    gwet_ac1,
    harmonic_class_accuracy,
    iba_gmean,
    iba_squared_gmean,
    imbalance_coefficient,
    informedness,
    jaccard,
    kappa,
    kulczynski,
    laplace,
    leverage,
    lift,
    macro_precision,
    markedness,
    mcc,
    mean_f_beta,
    mutual_information,
    negative_f1,
    negative_likelihood_ratio,
    optimized_precision,
    p4,
    positive_fraction,
    positive_likelihood_ratio,
    precision,
    prevalence,
    prevalence_threshold,
    relative_classifier_information,
    roc_distance,
    scott_pi,
    skew_ratio,
    tversky,
    wauc,
    weighted_accuracy,
    yule_q,
    yule_y,
)

ORACLE: Final[dict[str, Callable[..., float]]] = {function.__name__: function for function in _BY_FUNCTION_NAME} | {
    "tpr": true_positive_rate,
    "tnr": true_negative_rate,
    "fpr": false_positive_rate,
    "fnr": false_negative_rate,
    "npv": negative_predictive_value,
}
