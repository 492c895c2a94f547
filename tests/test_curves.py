"""ROC curves: figure 5.42 of Tan et al. (2006), scikit-learn's curves, counting by hand, hulls in exact fractions."""

from __future__ import annotations

import itertools
import json
import math
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import sklearn.metrics
from effort import in_one_test
from hypothesis import example, given
from hypothesis import strategies as st

from symmetrics.curves import (
    BetaCosts,
    RocCurve,
    area,
    auc_cost_weights,
    convex_hull,
    posfrac,
    positive_fraction,
    precision_recall,
    precision_recall_curve,
    roc_curve,
    strip_areas,
    strip_weights,
)
from symmetrics.curves.geometry import _WORTHWHILE
from symmetrics.papers.tan2006 import experiment as tan2006
from symmetrics.tools.errors import InputError, UnknownNameError

FIGURE: dict[str, Any] = json.loads(Path(tan2006.__file__).with_name("printed.json").read_text("utf-8"))["figure5_42"]
TAN = FIGURE | {name: [float(cell) for cell in column] for name, column in FIGURE["columns"].items()}
"""Figure 5.42 of Tan, Steinbach & Kumar (2006), with thresholds that rise from left to right."""
Y = np.array([0, 1, 1, 0, 1, 0, 0, 1])
S = np.array([0.1, 0.4, 0.35, 0.35, 0.8, 0.8, 0.05, 0.35])


@st.composite
def examples(draw: st.DrawFn, most: int = 40) -> tuple[list[int], list[int]]:
    """Labels of both classes, and scores with ties."""
    size = draw(st.integers(2, most))
    labels = draw(st.lists(st.integers(0, 1), min_size=size, max_size=size))
    labels[0], labels[1] = 0, 1
    scores = draw(st.lists(st.integers(-6, 6), min_size=size, max_size=size))
    return labels, scores


def random_case(seed: int, size: int = 300) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 2, size)
    labels[:2] = 0, 1
    scores = np.round(rng.normal(size=size) + labels, int(rng.integers(0, 4)))
    weights = rng.exponential(size=size) * (rng.random(size) > 0.1)
    weights[:2] = 1
    return labels, scores, weights


def test_figure_5_42_of_tan() -> None:
    # Tan figure 5 42 by records.
    curve = roc_curve(TAN["labels"], TAN["scores"], pos_label="+", method="records")
    found = {"TP": curve.tp, "FP": curve.fp, "TN": curve.tn, "FN": curve.fn, "TPR": curve.tpr, "FPR": curve.fpr}
    assert {name: values[::-1].tolist() for name, values in found.items()} == {name: TAN[name] for name in found}
    assert curve.thresholds[::-1].tolist() == [*TAN["scores"], math.inf]
    # Tan figure 5 42 with the tied records as one point.
    curve = roc_curve(TAN["labels"], TAN["scores"], pos_label="+")
    inside = (5, 6)  # the columns in which some records of score 0.85 are above the threshold and some below
    expected = {name: [v for i, v in enumerate(TAN[name]) if i not in inside] for name in ("TP", "FP", "TPR", "FPR")}
    found = {"TP": curve.tp, "FP": curve.fp, "TPR": curve.tpr, "FPR": curve.fpr}
    assert {name: values[::-1].tolist() for name, values in found.items()} == expected


@in_one_test
@pytest.mark.sampled(24)
@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("weighted", [False, True])
def test_curve_is_that_of_scikit_learn(seed: int, weighted: bool) -> None:
    labels, scores, weights = random_case(seed)
    weight = weights if weighted else None
    theirs = sklearn.metrics.roc_curve(labels, scores, sample_weight=weight, drop_intermediate=False)
    for ours, other in zip(roc_curve(labels, scores, sample_weight=weight), theirs, strict=True):
        np.testing.assert_allclose(ours, other, rtol=1e-12, atol=1e-15)
    precision, recall, thresholds = precision_recall_curve(labels, scores, sample_weight=weight)
    others = sklearn.metrics.precision_recall_curve(labels, scores, sample_weight=weight)
    np.testing.assert_allclose(precision, others[0][-2::-1], rtol=1e-12)
    np.testing.assert_allclose(recall, others[1][-2::-1], rtol=1e-12)
    np.testing.assert_array_equal(thresholds, others[2][::-1])


@given(examples())
def test_every_point_counts_what_reaches_its_threshold(case: tuple[list[int], list[int]]) -> None:
    labels, scores = case
    curve = roc_curve(labels, scores)
    assert curve.thresholds.tolist() == [math.inf, *sorted(set(scores), reverse=True)]
    for tp, fp, threshold in zip(curve.tp, curve.fp, curve.thresholds, strict=True):
        reached = [label for label, score in zip(labels, scores, strict=True) if score >= threshold]
        assert (tp, fp) == (sum(reached), len(reached) - sum(reached))
    assert (curve.positives, curve.negatives) == (sum(labels), len(labels) - sum(labels))
    assert len(curve) == len(set(scores)) + 1


@given(examples(), st.data())
def test_whole_weights_are_repetitions(case: tuple[list[int], list[int]], data: st.DataObject) -> None:
    labels, scores = case
    weights = data.draw(st.lists(st.integers(0, 3), min_size=len(labels), max_size=len(labels)))
    weights[:2] = 1, 1
    curve = roc_curve(labels, scores, sample_weight=weights)
    repeated = roc_curve(np.repeat(labels, weights), np.repeat(scores, weights))
    for name in ("tp", "fp", "thresholds"):
        assert getattr(curve, name).tolist() == getattr(repeated, name).tolist()


@given(examples())
def test_increasing_maps_of_the_scores_change_thresholds_only(case: tuple[list[int], list[int]]) -> None:
    labels, scores = case
    curve, mapped = roc_curve(labels, scores), roc_curve(labels, [math.exp(3 * score) - 5 for score in scores])
    assert (curve.tp.tolist(), curve.fp.tolist()) == (mapped.tp.tolist(), mapped.fp.tolist())


@in_one_test
@pytest.mark.parametrize(
    ("labels", "pos_label"),
    [
        (Y.tolist(), 1),
        (Y.astype(bool), 1),
        (Y.astype(np.uint8), True),
        (Y.astype(float), 1),
        (2 * Y - 1, 1),
        (np.where(Y == 1, "yes", "no"), "yes"),
        (np.where(Y == 1, "yes", "no").tolist(), "yes"),
        (pd.Series(np.where(Y == 1, "a", "b")), "a"),
        (pd.Series(np.where(Y == 1, "a", "b"), dtype="category"), "a"),
        ([("x", 1) if y else "other" for y in Y], ("x", 1)),
    ],
)
def test_labels_of_any_kind(labels: Any, pos_label: Any) -> None:
    assert roc_curve(labels, S, pos_label=pos_label).tp.tolist() == roc_curve(Y, S).tp.tolist()


@in_one_test
@pytest.mark.parametrize(
    "scores",
    [
        (100 * S).astype(int),
        (100 * S).astype(np.int8),
        (100 * S).astype(np.uint64) * 2**20 + 2**62,
        S.astype(np.float32),
        S.astype(np.longdouble),
        S.tolist(),
        (score for score in S),
        pd.Series(S),
        pd.Series(S, dtype="Float64"),
        [Fraction(score) for score in S],
        [Decimal(float(score)) for score in S],
    ],
)
def test_scores_of_any_kind(scores: Any) -> None:
    assert roc_curve(Y, scores).tp.tolist() == roc_curve(Y, S).tp.tolist()


def test_records_that_tie_stand_in_the_order_given() -> None:
    assert roc_curve([1, 0, 1], [5, 5, 5], method="records").tp.tolist() == [0, 1, 1, 2]
    assert roc_curve([1, 1, 0], [5, 5, 5], method="records").tp.tolist() == [0, 0, 1, 2]
    weighted = roc_curve([1, 1, 0], [5, 5, 5], method="records", sample_weight=[2, 3, 4])
    assert (weighted.tp.tolist(), weighted.fp.tolist()) == ([0, 0, 3, 5], [0, 4, 4, 4])
    # Many records that tie stand in the order given.
    labels, scores = np.random.default_rng(0).integers(0, 2, (2, 5000))
    curve = roc_curve(labels, scores, method="records")
    order = sorted(range(5000), key=lambda record: (scores[record], record), reverse=True)
    assert curve.tp.tolist() == [0, *np.cumsum(labels[order])]
    assert curve.thresholds.tolist() == [math.inf, *scores[order]]
    # Signed zeros tie.
    assert len(roc_curve([0, 1], [0.0, -0.0])) == 2


@in_one_test
@pytest.mark.parametrize(
    ("labels", "scores", "arguments", "message"),
    [
        ([1, 1, 1], [1, 2, 3], {}, "y_true holds one class, 1; pass examples of both classes"),
        (["a", "a"], [1, 2], {"pos_label": "a"}, "y_true holds one class, 'a'"),
        ([0, 1, 2], [1, 2, 3], {}, "more than two labels (0, 1, 2); compare with one of them first, as in y_true == 0"),
        (list("abc"), [1, 2, 3], {"pos_label": "a"}, "more than two labels ('a', 'b', 'c')"),
        (np.array([2, 1, 1, 0]), [1, 2, 3, 4], {}, "more than two labels (0, 1, 2)"),
        (np.array([1.5, 1, 0]), [1, 2, 3], {}, "more than two labels (0.0, 1.0, 1.5)"),
        (np.array(list("abcd")), [1, 2, 3, 4], {"pos_label": "a"}, "more than two labels ('a', 'b', 'c', 'd')"),
        (np.array(["a", "a"]), [1, 2], {"pos_label": "a"}, "y_true holds one class, 'a'"),
        ([0, 1], [1, 2], {"pos_label": "1"}, "pos_label='1' is not among the labels 0, 1; pass pos_label=1"),
        (list("-+"), [1, 2], {}, "pos_label=1 is not among the labels '+', '-'; pass pos_label='+'"),
        (list("ab"), [1, 2], {}, "pass pos_label='a' or pos_label='b'"),
        ([0, 1, math.nan], [1, 2, 3], {}, "y_true[2] is missing"),
        (np.array([0, np.nan, 1]), [1, 2, 3], {}, "y_true[1] is missing"),
        ([0, None], [1, 2], {}, "y_true[1] is missing"),
        ([0, pd.NA], [1, 2], {}, "y_true[1] is missing"),
        (np.ma.array([0, 1], mask=[0, 1]), [1, 2], {}, "y_true[1] is missing"),
        ([0, [1]], [1, 2], {}, "y_true[1] is [1], not one label"),
        ([], [], {}, "y_true is empty"),
        ("01", [1, 2], {}, "y_true is '01'; pass a list"),
        (np.array([[0, 1]]), [1, 2], {}, "y_true has shape (1, 2)"),
        ([0, 1], [1, math.nan], {}, "y_score[1] is missing; fill it in, or leave the example out"),
        ([0, 1], [1, None], {}, "y_score[1] is missing"),
        ([0, 1], [math.inf, 1], {}, "y_score[0] is infinite in float64; pass finite scores, or leave"),
        ([0, 1], [1, -math.inf], {}, "y_score[1] is infinite"),
        ([0, 1], [1, 2, 3], {}, "y_true has 2 labels and y_score 3; pass one value per example"),
        ([0, 1], [], {}, "y_true has 2 labels and y_score 0"),
        ([0, 1], ["1", "2"], {}, "y_score has the type <U1: a score is a real number; pass integers or floats"),
        ([0, 1], [1j, 2], {}, "y_score has the type complex128: a score is a real number"),
        ([0, 1], np.array([1, "2"], dtype=object), {}, "y_score[1] is '2': a score is a real number; pass integers or"),
        ([0, 1], pd.array([1, None], dtype="Int64"), {}, "y_score[1] is missing"),
        ([0, 1], {0: 1, 1: 2}, {}, "y_score is {0: 1, 1: 2}; pass a list, an array or a Series with one score per"),
        ([0, 1], [[1], [2, 3]], {}, "y_score is [[1], [2, 3]]; pass one real number per example"),
        ([0, 1], 3, {}, "y_score is 3; pass a list, an array or a Series with one score per example"),
        ([0, 1], np.array(3), {}, "y_score has shape (); pass one dimension"),
        ([0, 1], [[0.5, 0.5], [1, 0]], {}, "y_score has shape (2, 2); pass one column, as in y_score[:, 1]"),
        ([0, 1], np.ma.array([1, 2], mask=[0, 1]), {}, "y_score[1] is missing"),
        ([0, 1], [2**53 + 1, 2**53], {}, "integers beyond 2**53"),
        ([0, 1], [-(2**63), 1 - 2**63], {}, "float64 does not keep apart"),
        ([0, 1], [10**400, 1], {}, "float64 does not keep apart"),
        ([0, 1], [2**64 + 1, 2**64], {}, "float64 does not keep apart"),
        ([0, 1], [Fraction(1, 3), Fraction(1, 3) + Fraction(1, 10**20)], {}, "float64 does not keep apart"),
        ([0, 1], np.array([1, 1 + np.longdouble(2) ** -60]), {}, "float64 does not keep apart"),
        ([0, 1], [1, 2], {"sample_weight": [1, -1]}, "sample_weight[1] is -1.0; pass weights that are finite and not"),
        ([0, 1], [1, 2], {"sample_weight": [1, math.nan]}, "sample_weight[1] is nan"),
        ([0, 1], [1, 2], {"sample_weight": [1]}, "sample_weight has 1 weight, not 2"),
        ([0, 1], [1, 2], {"sample_weight": [1, 0]}, "without the examples that do not count, holds one class, 0"),
        ([0, 1], [1, 2], {"sample_weight": [0, 1]}, "without the examples that do not count, holds one class, 1"),
        ([0, 1], [1, 2], {"sample_weight": [1e308, 1e308]}, "sample_weight adds up to more than float64 holds"),
    ],
)
def test_bad_input_is_named(labels: Any, scores: Any, arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as caught:
        roc_curve(labels, scores, **arguments)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_what_is_no_curve_is_refused() -> None:
    # What is no curve and no cost is refused and lists make a curve.
    rates: Any = roc_curve([0, 1], [1, 2]).tpr, roc_curve([0, 1], [1, 2]).fpr
    for function in (area, convex_hull, precision_recall, positive_fraction, strip_areas):
        with pytest.raises(InputError, match="is no RocCurve; pass what roc_curve"):
            function(rates)
    for count in (0, 2.5, True):
        with pytest.raises(InputError, match="is not a number of strips"):
            strip_weights(count, 0.1)  # type: ignore[arg-type]  # what is tested
    by_hand: Any = RocCurve([0, 1, 2], [0, 0, 2], [math.inf, 2, 1])  # type: ignore[arg-type]  # lists
    assert area(by_hand) == 0.75
    implied = auc_cost_weights([0, 1, 0, 1], [1, 2, 3, 4])
    for density in (implied.density, BetaCosts(4, 2).density):
        for cost in ("x", [0.1, "x"], 1.5, -0.1, math.nan):
            with pytest.raises(InputError, match=r"is not within \[0, 1\]; pass shares"):
                density(cost)
    # Unknown method and frozen curve.
    with pytest.raises(UnknownNameError, match="did you mean ties"):
        roc_curve(Y, S, method="tie")
    curve = roc_curve(Y, S)
    for name in ("tp", "fp", "thresholds", "tpr", "fpr"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(curve, name)[0] = 1
    with pytest.raises(AttributeError):
        curve.tp = curve.fp  # type: ignore[misc]


def vertices(curve: RocCurve) -> list[tuple[Fraction, Fraction]]:
    """Return the points that lie strictly above every line between a point before and a point after them."""
    points = [(Fraction(x), Fraction(y)) for x, y in zip(curve.fp.tolist(), curve.tp.tolist(), strict=True)]
    points = list(dict.fromkeys(points))

    def is_above(middle: int) -> bool:
        x, y = points[middle]
        return all(
            (y - y0) * (x1 - x) > (y1 - y) * (x - x0) for x0, y0 in points[:middle] for x1, y1 in points[middle + 1 :]
        )

    return [points[0], *(points[i] for i in range(1, len(points) - 1) if is_above(i)), points[-1]]


def points_of(curve: RocCurve) -> list[tuple[Fraction, Fraction]]:
    return [(Fraction(x), Fraction(y)) for x, y in zip(curve.fp.tolist(), curve.tp.tolist(), strict=True)]


@given(examples())
def test_hull_has_the_exact_vertices(case: tuple[list[int], list[int]]) -> None:
    curve = roc_curve(*case)
    hull = convex_hull(curve)
    assert points_of(hull) == vertices(curve)
    at = {(x, y): t for x, y, t in zip(curve.fp, curve.tp, curve.thresholds, strict=True)}
    assert [at[point] for point in zip(hull.fp, hull.tp, strict=True)] == hull.thresholds.tolist()
    assert convex_hull(hull).tp.tolist() == hull.tp.tolist()
    assert area(hull) >= area(curve)


@pytest.mark.parametrize("method", ["ties", "records"])
def test_hull_leaves_out_what_lies_on_a_line(method: str) -> None:
    labels = [1, 1, 0] * 50 + [1, 0] * 50 + [0] * 7
    hull = convex_hull(roc_curve(labels, -np.arange(len(labels)), method=method))
    assert hull.fp.tolist() == [0, 0, 49, 99, 107]
    assert hull.tp.tolist() == [0, 2, 100, 150, 150]


def test_hull_leaves_out_what_comes_to_lie_on_a_line() -> None:
    """Between the points that are left out at once, so few of so many, lies one on the line between two vertices."""
    steps = [(1, slope) for slope in (*range(40, 20, -1), 9, 11, 9, 11, *range(5, 0, -1))]
    fp, tp = np.cumsum([(0, 0), *steps], axis=0, dtype=np.float64).T
    hull = convex_hull(RocCurve(tp, fp, -np.arange(len(fp), dtype=np.float64)))
    assert hull.fp.tolist() == [x for x in range(len(fp)) if x not in (21, 22, 23)]


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(12))
def test_hull_of_long_curves_touches_and_covers(seed: int) -> None:
    """A curve that lies on or below strictly concave segments through its own points has no other hull."""
    rng = np.random.default_rng(seed)
    size = 20_000
    chance = np.linspace(1, 0, size) ** rng.choice([0.2, 1, 3])
    labels = (rng.random(size) < chance).astype(int)
    labels[:2] = 0, 1
    curve = roc_curve(labels, -(np.arange(size) // int(rng.choice([1, 1, 3]))))
    hull = convex_hull(curve)
    assert {*points_of(hull)} <= {*points_of(curve)}
    dx, dy = np.diff(hull.fp), np.diff(hull.tp)
    assert (dy[:-1] * dx[1:] > dy[1:] * dx[:-1]).all()  # whole numbers below 2**53: exact
    after = np.clip(np.searchsorted(hull.fp + hull.tp, curve.fp + curve.tp, side="left"), 1, len(hull) - 1)
    x0, y0, x1, y1 = hull.fp[after - 1], hull.tp[after - 1], hull.fp[after], hull.tp[after]
    assert ((curve.tp - y0) * (x1 - x0) <= (y1 - y0) * (curve.fp - x0)).all()
    assert len(hull) > _WORTHWHILE


@example(([0, 1, 0, 0, 1, 0], [0, 0, 0, -1, 1, 0]), [1e-300, 1e-300, 1e-300, 1e200, 1e-300, 1e-300])
@given(examples(12), st.lists(st.sampled_from([1e-300, 1e-17, 0.1, 0.3, 1.0, 1e16, 1e200]), min_size=12, max_size=12))
def test_hull_with_weights_of_any_size_covers_the_curve(
    case: tuple[list[int], list[int]], weights: list[float]
) -> None:
    labels, scores = case
    curve = roc_curve(labels, scores, sample_weight=weights[: len(labels)])
    hull = convex_hull(curve)
    assert (hull.fp[0], hull.tp[0], hull.fp[-1], hull.tp[-1]) == (0, 0, curve.negatives, curve.positives)
    exact = [(x / Fraction(curve.negatives), y / Fraction(curve.positives)) for x, y in points_of(hull)]
    for x, y in ((x / Fraction(curve.negatives), y / Fraction(curve.positives)) for x, y in points_of(curve)):
        lines = [
            y0 + (y1 - y0) * (x - x0) / (x1 - x0)
            for (x0, y0), (x1, y1) in itertools.pairwise(exact)
            if x0 <= x <= x1 and x0 < x1
        ]
        assert y <= max(lines, default=1) + Fraction(1, 10**12)


@pytest.mark.parametrize("prior", [None, 0.5, 0.1, 0.001])
def test_positive_fraction_and_precision_under_a_prior(prior: float | None) -> None:
    curve = roc_curve(Y, S)
    fraction, tpr, thresholds = posfrac(Y, S, prior=prior)
    precision, recall, scores = precision_recall_curve(Y, S, prior=prior)
    share = Fraction(1, 2) if prior is None else Fraction(prior)
    for place in range(len(curve)):
        rate, false_rate = Fraction(int(curve.tp[place]), 4), Fraction(int(curve.fp[place]), 4)
        expected = share * rate + (1 - share) * false_rate
        assert fraction[place] == pytest.approx(float(expected), rel=1e-14)
        if place:
            assert precision[place - 1] == pytest.approx(float(share * rate / expected), rel=1e-14)
    assert tpr.tolist() == curve.tpr.tolist()
    assert recall.tolist() == curve.tpr[1:].tolist()
    assert thresholds.tolist() == [math.inf, *scores.tolist()]
    assert posfrac(Y, S, prior=prior).prior == precision_recall_curve(Y, S, prior=prior).prior == float(share)


@in_one_test
@pytest.mark.parametrize("prior", [0, 1, -0.1, 1.5, math.nan, "0.5"])
def test_prior_outside_the_unit_interval(prior: Any) -> None:
    for curve in (posfrac, precision_recall_curve):
        with pytest.raises(InputError, match="is not strictly between 0 and 1; pass the share of class 1"):
            curve(Y, S, prior=prior)  # type: ignore[operator]
