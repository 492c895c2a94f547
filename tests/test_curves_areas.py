"""Areas under ROC curves: scikit-learn's and SciPy's values, pairs counted in fractions, the weights proved."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pytest
import scipy.stats
from effort import examples as at_most
from effort import in_one_test
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score
from sympy import Rational, Symbol, cancel, limit, simplify, sin
from test_curves import TAN, S, Y, examples, random_case

from symmetrics.checker import check
from symmetrics.claims.verdict import Verdict
from symmetrics.curves import (
    area,
    auc,
    auc_cost_weights,
    average_precision,
    b42,
    gini,
    h_measure,
    hand_till,
    kolmogorov_smirnov,
    one_vs_rest_auc,
    one_vs_rest_curves,
    partial_auc,
    posfrac,
    precision_recall_curve,
    roc_curve,
    strip_areas,
    strip_weights,
    weight_sum,
    weighted,
    weighted_auc,
    weighted_auc_at,
)
from symmetrics.curves.weighted import RHO, STRIPS
from symmetrics.library import metrics
from symmetrics.posets.relevance import Relevance
from symmetrics.tools.errors import CertificateError, InputError

Case = tuple[list[int], list[int]]


def share_of_pairs(labels: list[int], scores: list[int]) -> Fraction:
    pairs = [
        Fraction(1, 2) if a == b else Fraction(a > b)
        for a, is_positive in zip(scores, labels, strict=True)
        for b, is_other in zip(scores, labels, strict=True)
        if is_positive and not is_other
    ]
    return sum(pairs, Fraction(0)) / len(pairs)


@in_one_test
@pytest.mark.sampled(24)
@pytest.mark.parametrize("seed", range(200))
def test_auc_is_that_of_scikit_learn(seed: int) -> None:
    labels, scores, weights = random_case(seed, size=20 + 5 * seed)
    for weight in (None, weights):
        assert auc(labels, scores, sample_weight=weight) == pytest.approx(
            roc_auc_score(labels, scores, sample_weight=weight), rel=0, abs=1e-12
        )


@given(examples())
def test_auc_is_the_share_of_pairs_rounded_once(case: Case) -> None:
    exact = share_of_pairs(*case)
    assert auc(*case) == float(exact)
    assert area(roc_curve(*case)) == float(exact)
    assert gini(*case) == 2 * float(exact) - 1


@given(st.permutations(range(30)), st.integers(1, 29))
def test_auc_without_ties(scores: list[int], positives: int) -> None:
    labels = [int(place < positives) for place in range(30)]
    assert auc(labels, scores) == float(share_of_pairs(labels, scores))


@given(examples())
def test_exchanging_the_classes_or_turning_the_scores_around_complements(case: Case) -> None:
    labels, scores = case
    turned = [-score for score in scores]
    assert auc(labels, scores) + auc(labels, turned) == pytest.approx(1)
    assert auc(labels, scores, pos_label=0) == pytest.approx(auc(labels, turned))


@in_one_test
@pytest.mark.parametrize("scale", [2.0**-1060, 1e-150, 1.0, 1e150, 1e300])
def test_weights_of_any_scale(scale: float) -> None:
    weights = np.array([1, 2, 3, 4, 1, 2, 3, 4.0])
    assert auc(Y, S, sample_weight=scale * weights) == pytest.approx(auc(Y, S, sample_weight=weights), rel=1e-12)
    found = weighted_auc(Y, S, sample_weight=scale * weights)
    assert found == pytest.approx(weighted_auc(Y, S, sample_weight=weights), rel=1e-12)


@given(examples())
def test_kolmogorov_smirnov_is_that_of_scipy(case: Case) -> None:
    labels, scores = np.array(case)
    with np.errstate(divide="ignore"):  # in the p-value of two examples, which nothing here uses
        theirs = scipy.stats.ks_2samp(scores[labels == 1], scores[labels == 0], method="asymp").statistic
    assert kolmogorov_smirnov(labels, scores) == pytest.approx(theirs, rel=1e-12)


@in_one_test
@pytest.mark.sampled(15)
@pytest.mark.parametrize("seed", range(15))
@pytest.mark.parametrize("rate", [0.001, 0.05, 0.3, 0.5, 0.99])
def test_standardised_partial_area_is_that_of_scikit_learn(seed: int, rate: float) -> None:
    labels, scores, weights = random_case(seed)
    for weight in (None, weights):
        ours = partial_auc(labels, scores, max_fpr=rate, standardised=True, sample_weight=weight)
        theirs = roc_auc_score(labels, scores, max_fpr=rate, sample_weight=weight)
        assert ours == pytest.approx(theirs, rel=1e-11)


def exact_partial(labels: list[int], scores: list[int], low: Fraction, high: Fraction) -> Fraction:
    curve = roc_curve(labels, scores)
    xs = [Fraction(int(fp), int(curve.negatives)) for fp in curve.fp]
    ys = [Fraction(int(tp), int(curve.positives)) for tp in curve.tp]
    total = Fraction(0)
    for x0, y0, x1, y1 in zip(xs, ys, xs[1:], ys[1:], strict=False):
        left, right = max(x0, low), min(x1, high)
        if left < right:
            heights = [y0 + (y1 - y0) * (x - x0) / (x1 - x0) for x in (left, right)]
            total += (right - left) * sum(heights) / 2
    return total


@given(examples(), st.integers(0, 15), st.integers(1, 16))
def test_partial_area_is_the_exact_integral(case: Case, first: int, length: int) -> None:
    low, high = Fraction(first, 16), min(Fraction(first + length, 16), Fraction(1))
    found = partial_auc(*case, min_fpr=float(low), max_fpr=float(high))
    assert found == pytest.approx(float(exact_partial(*case, low, high)), rel=1e-13, abs=1e-15)
    whole = [partial_auc(*case, min_fpr=a, max_fpr=b) for a, b in ((0, 0.3), (0.3, 0.75), (0.75, 1))]
    assert sum(whole) == pytest.approx(auc(*case))


def test_areas_by_hand() -> None:
    # No area of weighted examples is above the largest. Weights of 0.1 and the like add up to other sums in steps
    # than at once.
    random = np.random.default_rng(7)
    for _ in range(60):
        labels, weights = random.permutation([0, 1] * 6), random.random(12)
        scores = labels + random.random(12) / 2
        assert 1 - 1e-12 <= auc(labels, scores, sample_weight=weights) <= 1
        assert average_precision(labels, scores, sample_weight=weights) <= 1
        low, high = sorted(random.random(2).tolist())
        assert partial_auc(labels, scores, min_fpr=low, max_fpr=high, sample_weight=weights) <= high - low
    # Areas of Tan figure 5 42. Each negative record has so many positive ones above it, a tie as half: those at 0.43,
    # 0.76, 0.85, 0.85, 0.87.
    labels, scores = TAN["labels"], TAN["scores"]
    assert auc(labels, scores, pos_label="+") == (4 + 3 + 2.5 + 2.5 + 2) / 25
    by_records = roc_curve(labels, scores, pos_label="+", method="records")
    assert area(by_records) == (4 + 3 + 3 + 3 + 2) / 25
    assert kolmogorov_smirnov(labels, scores, pos_label="+") == 0.4
    # Standardised partial area of chance and of a perfect score.
    for low, high in ((0.0, 0.2), (0.25, 0.75), (0.9, 1.0), (1 - 2.0**-53, 1.0)):
        assert partial_auc([0, 1], [1, 1], min_fpr=low, max_fpr=high, standardised=True) == pytest.approx(
            0.5, rel=1e-12
        )
        assert partial_auc([0, 1], [1, 2], min_fpr=low, max_fpr=high, standardised=True) == 1


@in_one_test
@pytest.mark.parametrize(
    ("low", "high", "message"),
    [
        (0, 1.5, "max_fpr=1.5 is not a rate"),
        (-0.1, 0.5, "min_fpr=-0.1 is not a rate"),
        (0, math.nan, "max_fpr=nan is not a rate"),
        (0, "0.5", "max_fpr='0.5' is not a rate"),
        (0.5, 0.5, "min_fpr=0.5 is not below max_fpr=0.5"),
    ],
)
def test_ranges_of_a_partial_area(low: Any, high: Any, message: str) -> None:
    with pytest.raises(InputError, match=message.replace(".", r"\.")):
        partial_auc(Y, S, min_fpr=low, max_fpr=high)


@in_one_test
@pytest.mark.parametrize(
    "measure",
    [
        auc, gini, kolmogorov_smirnov, partial(partial_auc, max_fpr=0.5), weighted_auc, partial(posfrac, prior=0.5),
        partial(precision_recall_curve, prior=0.5), h_measure, b42, auc_cost_weights,
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    ("labels", "scores", "message"),
    [
        ([1, 1], [1, 2], "y_true holds one class, 1; pass examples of both classes"),
        ([0, 1, 2], [1, 2, 3], "more than two labels"),
        ([0, 1], [1, math.nan], "missing"),
        ([0, 1], [1, math.inf], "infinite"),
        ([0, 1], [1, -math.inf], "infinite"),
        ([0, 1], [1], "y_true has 2 labels and y_score 1"),
        ([0, 1], [2**53, 2**53 + 1], "does not keep apart"),
    ],
)
def test_bad_input_of_every_measure(
    measure: Callable[[Any, Any], object], labels: list[int], scores: list[float], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        measure(labels, scores)


def recursion(first: Fraction, rho: Fraction, strips: int) -> list[Fraction]:
    """Return the weights as the recursion makes them, one from the other."""
    weights = [first]
    for place in range(1, strips):
        weights.append(weights[-1] * rho + (1 - rho))
        if place == strips - 1:
            weights[-1] /= 1 - rho
    return weights


def test_a_closed_form_that_is_wrong_is_not_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weighted, "_normal", lambda value: value + RHO)
    with pytest.raises(CertificateError, match="the closed form of the sum does not follow"):
        weight_sum()


def test_the_recursion_as_printed_does_not_conserve_the_weight() -> None:
    # The recursion conserves the weight from one minus rho.
    found = weight_sum()
    assert found.conserved
    assert found.excess == 0
    assert limit(found.last, RHO, 1, "-") == STRIPS
    assert list(found.verdicts) == ["w(0)", "w(x + 1)", "S(0)", "S(x + 1)", "the sum"]
    for verdict in found.verdicts.values():
        assert verdict.status == "proved"
        check(Verdict.from_json(verdict.to_json()))
    # The recursion as printed does not.
    found = weight_sum(RHO)
    assert not found.conserved
    assert cancel(found.excess - (2 * RHO - 1) / (1 - RHO)) == 0
    assert found.excess.subs(RHO, Rational(1, 10)) == Rational(-8, 9)
    assert found.excess.subs(RHO, Rational(1, 2)) == 0


@pytest.mark.thorough
@pytest.mark.parametrize("strips", [2, 3, 4, 9])
@pytest.mark.parametrize("rho", [Fraction(1, 10), Fraction(1, 2), Fraction(9, 10)])
@pytest.mark.parametrize("first", [1 - RHO, RHO, RHO / (1 + RHO), 1 + 0 * RHO])
def test_the_proved_forms_are_what_the_recursion_makes(strips: int, rho: Fraction, first: Any) -> None:
    found, at = weight_sum(first), {RHO: Rational(rho), STRIPS: strips}
    start = Fraction(str(found.first.subs(at)))
    weights = recursion(start, rho, strips)
    (place,) = found.weight.free_symbols - {RHO} or {Symbol("none")}
    assert [found.weight.subs({**at, place: i}) for i in range(strips - 1)] == [Rational(w) for w in weights[:-1]]
    assert simplify(found.last.subs(at) - Rational(weights[-1])) == 0
    assert simplify(found.excess.subs(at) - Rational(sum(weights) - strips)) == 0


@pytest.mark.parametrize("first", [Symbol("a"), sin(RHO), "rho"])
def test_first_weights_that_are_refused(first: Any) -> None:
    with pytest.raises(InputError, match="is not a rational function of rho"):
        weight_sum(first)


@given(st.integers(1, 60), st.fractions(0, 1, max_denominator=1000))
def test_numeric_weights(strips: int, rho: Fraction) -> None:
    weights = strip_weights(strips, float(rho))
    expected = [1 - rho ** (place + 1) for place in range(strips - 1)] + [sum(rho**i for i in range(strips))]
    np.testing.assert_allclose(weights, [float(weight) for weight in expected], rtol=1e-12)
    assert weights.sum() == pytest.approx(strips, rel=1e-12)


@given(examples())
def test_weighted_area_without_transfer_is_the_area(case: Case) -> None:
    assert weighted_auc(*case, rho=0) == pytest.approx(auc(*case), rel=1e-14)
    assert strip_areas(roc_curve(*case)).sum() == pytest.approx(auc(*case), rel=1e-14)


@given(examples(), st.fractions(0, Fraction(99, 100), max_denominator=100))
def test_weighted_area_is_the_sum_over_strips(case: Case, rho: Fraction) -> None:
    """Each strip integrated by itself: the mean of 1 - FPr over the levels of TPr between two scores of positives."""
    labels, scores = case
    curve = roc_curve(labels, scores)
    negatives = [score for score, label in zip(scores, labels, strict=True) if not label]
    heights = {}
    for threshold in sorted({score for score, label in zip(scores, labels, strict=True) if label}, reverse=True):
        tied = sum(label for score, label in zip(scores, labels, strict=True) if score == threshold)
        below = sum(Fraction(1, 2) if score == threshold else Fraction(score < threshold) for score in negatives)
        heights[threshold] = Fraction(tied, sum(labels)) * below / len(negatives)
    areas = list(heights.values())
    if len(curve) == 3 and len(areas) == 1:  # one operating point, at TPr 0 or 1
        areas = [Fraction(0), *areas] if max(negatives) > threshold else [*areas, Fraction(0)]
    weights = recursion(1 - rho, rho, len(areas)) if len(areas) > 1 else [Fraction(1)]
    expected = sum(weight * area for weight, area in zip(weights, areas, strict=True))
    assert weighted_auc(labels, scores, rho=float(rho)) == pytest.approx(float(expected), rel=1e-12)


@given(examples(), st.fractions(0, 1, max_denominator=50))
def test_weighted_area_of_predictions_is_the_metric(case: Case, rho: Fraction) -> None:
    labels, scores = case
    predictions = [int(score > 0) for score in scores]
    metric = metrics["wauc"].at(rho=Rational(rho))(labels, predictions)
    curve = roc_curve(labels, scores)
    place = int(np.flatnonzero(curve.thresholds > 0)[-1])
    at_point = weighted_auc_at(float(curve.tpr[place]), float(curve.fpr[place]), rho=float(rho))
    assert at_point == pytest.approx(metric, rel=1e-12, abs=1e-15)
    if len(set(predictions)) == 2:
        assert weighted_auc(labels, predictions, rho=float(rho)) == pytest.approx(metric, rel=1e-12, abs=1e-15)


@in_one_test
@pytest.mark.parametrize("rho", [-0.1, 1.1, math.nan, "0.1", None])
def test_rho_outside_the_unit_interval(rho: Any) -> None:
    for call in (lambda: weighted_auc(Y, S, rho=rho), lambda: weighted_auc_at(1, 0, rho=rho)):
        with pytest.raises(InputError, match="is not a share of the weight; pass a number from 0 to 1"):
            call()


def test_weighted_areas_by_hand() -> None:
    # Weighted area of untied scores is an average.
    assert weighted_auc([0, 0, 1, 1, 1], [1, 2, 3, 4, 5], rho=0.9) == pytest.approx(1)
    assert weighted_auc([1, 1, 1, 0, 0], [1, 2, 3, 4, 5], rho=0.9) == 0
    better_at_the_top_rates = weighted_auc([1, 0, 0, 1, 0, 1], [3, 1, 2, 4, 5, 6])
    assert better_at_the_top_rates < auc([1, 0, 0, 1, 0, 1], [3, 1, 2, 4, 5, 6])
    # Points and numbers of strips that are refused.
    with pytest.raises(InputError, match=r"tpr=1\.5 is not a rate"):
        weighted_auc_at(1.5, 0)
    with pytest.raises(InputError, match="fpr=nan is not a rate"):
        weighted_auc_at(1, math.nan)
    with pytest.raises(InputError, match="count=0 is not a number of strips"):
        strip_weights(0, 0.1)


def multiclass_case(seed: int, classes: int = 4, size: int = 120) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    labels = rng.choice(classes, size, p=np.arange(1, classes + 1) / (classes * (classes + 1) / 2))
    labels[:classes] = range(classes)
    scores = np.round(rng.dirichlet(np.ones(classes), size) + 0.3 * np.eye(classes)[labels], 1)
    return labels, scores / scores.sum(axis=1, keepdims=True)


@given(
    st.integers(0, 10**6), st.lists(st.integers(0, 9), min_size=4, max_size=4).filter(any), st.permutations(range(4))
)
@settings(max_examples=at_most(25), deadline=None)
def test_areas_weighted_by_a_relevance(seed: int, given_weights: list[int], order: list[int]) -> None:
    """By pairs of examples, exactly: Σ φ·AUC/Σ φ, matched by class, whatever the order of the columns."""
    labels, scores = multiclass_case(seed, size=30)
    total, exact = sum(given_weights), Fraction(0)
    for label, weight in enumerate(given_weights):
        own, other = scores[labels == label, label], scores[labels != label, label]
        won = sum(2 * int(a > b) + int(a == b) for a, b in itertools.product(own, other))
        exact += Fraction(weight * won, total * 2 * own.size * other.size)
    assert one_vs_rest_auc(labels, scores, average=given_weights) == pytest.approx(float(exact), rel=1e-12)
    relevance = Relevance(tuple(order), tuple(Fraction(given_weights[label], 10) for label in order))
    assert one_vs_rest_auc(labels, scores, average=relevance) == pytest.approx(float(exact), rel=1e-12)
    turned = one_vs_rest_auc(labels, scores[:, order], average=relevance, labels=order)
    assert turned == pytest.approx(float(exact), rel=1e-12)
    alike = one_vs_rest_auc(labels, scores, average=[3] * 4)
    assert alike == pytest.approx(one_vs_rest_auc(labels, scores), rel=1e-12)


@pytest.mark.parametrize(
    ("average", "words"),
    [
        ([1, 2], "average has 2 weights, not 3; pass one per class"),
        ([0, 0, 0], "every weight of average is 0"),
        ([1, -1, 1], r"average\[1\] is -1.0"),
        ({"a": 1, "b": 1, "c": 1}, "has weights by name; pass symmetrics.relevance"),
        (Relevance(("a", "b"), (1, 1)), "the relevance has no class 'c'"),
        (None, "average=None is not a list of weights"),
    ],
)
def test_weights_that_do_not_fit_the_classes(average: object, words: str) -> None:
    with pytest.raises(InputError, match=words):
        one_vs_rest_auc(["a", "b", "c"], np.eye(3), average=average)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("seed", range(10))
def test_multiclass_areas_are_those_of_scikit_learn(seed: int) -> None:
    labels, scores = multiclass_case(seed)
    assert hand_till(labels, scores) == pytest.approx(roc_auc_score(labels, scores, multi_class="ovo"), rel=1e-12)
    for average in ("macro", "weighted"):
        theirs = roc_auc_score(labels, scores, multi_class="ovr", average=average)
        assert one_vs_rest_auc(labels, scores, average=average) == pytest.approx(theirs, rel=1e-12)
    for label, curve in one_vs_rest_curves(labels, scores).items():
        single = roc_curve(labels == label, scores[:, int(str(label))])
        assert (curve.tp.tolist(), curve.fp.tolist()) == (single.tp.tolist(), single.fp.tolist())


@given(examples(20))
def test_hand_till_of_two_classes_is_the_area(case: Case) -> None:
    labels, scores = case
    columns = np.column_stack([[-score for score in scores], scores])
    assert hand_till(labels, columns) == pytest.approx(auc(labels, scores), rel=1e-12)


@in_one_test
@pytest.mark.parametrize(
    ("labels", "scores", "arguments", "message"),
    [
        ([0, 1, 2], np.eye(2), {}, "y_true has 3 labels and y_score 2; pass one value per example"),
        ([0, 1, 1], np.ones((3, 3)), {}, "y_score has 3 columns and there are 2 classes (0, 1)"),
        ([0, 1], [1, 2], {}, "y_score has shape (2,); pass one row per example and one column per class"),
        ([0, 1], [[1, 2], [3, math.nan]], {}, "y_score[1, 1] is missing"),
        ([0, 1], [[1, 2], [math.inf, 1]], {}, "y_score[1, 0] is infinite"),
        ([0, 1], np.eye(2), {"labels": [0, 2]}, "y_true holds 1, which is not among labels=0, 2"),
        ([0, 1], np.eye(2), {"labels": [0, 0]}, "labels names 0 more than once"),
        ([0, "a"], np.eye(2), {}, "cannot be sorted; pass labels="),
        ([0, 0], np.ones((2, 1)), {}, "there is one class, 0"),
        ([0, 1], np.eye(2), {"sample_weight": [1, -1]}, "sample_weight[1] is -1.0"),
        ([0, 1], np.eye(2), {"sample_weight": [1e308, 1e308]}, "adds up to more than float64 holds"),
        ([0, 1], np.eye(2), {"sample_weight": [1, 0]}, "y_score has 2 columns and there is 1 class (0)"),
    ],
)
def test_bad_input_of_many_classes(labels: Any, scores: Any, arguments: dict[str, Any], message: str) -> None:
    for measure in (hand_till, one_vs_rest_curves):
        with pytest.raises(InputError) as caught:
            measure(labels, scores, **arguments)
        assert message in str(caught.value)


def test_pairs_of_classes_are_counted_by_their_weights() -> None:
    # Hand till counts pairs by their weights.
    labels, scores = multiclass_case(0, size=30)
    weights = np.random.default_rng(1).integers(0, 4, 30)
    weights[:4] = 1
    repeated = hand_till(np.repeat(labels, weights), np.repeat(scores, weights, axis=0))
    assert hand_till(labels, scores, sample_weight=weights) == pytest.approx(repeated, rel=1e-12)
    one = one_vs_rest_auc(labels, scores, sample_weight=weights)
    assert one == pytest.approx(one_vs_rest_auc(np.repeat(labels, weights), np.repeat(scores, weights, axis=0)))
    # The order of the columns.
    labels, scores = multiclass_case(3)
    names = np.array(["d", "b", "a", "c"])
    for order in itertools.permutations(range(4)):
        found = hand_till(names[labels], scores[:, order], labels=names[list(order)].tolist())
        assert found == pytest.approx(hand_till(labels, scores), rel=1e-12)
    # Unknown average.
    with pytest.raises(InputError, match="average='micro' is unknown; pass 'macro', 'weighted', a relevance or"):
        one_vs_rest_auc([0, 1], np.eye(2), average="micro")
