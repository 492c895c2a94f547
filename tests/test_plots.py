"""Plots: what they show is computed again by other means, and they are drawn where and how they should be."""

from __future__ import annotations

import ast
import inspect
import itertools
import math
import pickle
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from effort import is_thorough, some
from scipy.stats import binom, kendalltau
from sympy import Rational, nan, oo

import symmetrics as sm
from symmetrics.metric import priors
from symmetrics.metric.export import Plots
from symmetrics.metric.populations import Distribution, distribution_of, expected_value, tables_of
from symmetrics.pages.plots.drawings import MetricPlots, slopes_in_rates
from symmetrics.pages.plots.planes import condition_of, edges_of, levels_of
from symmetrics.query.graph import coefficient
from symmetrics.tools.drawing.canvas import looks
from symmetrics.tools.errors import InputError, SymmetricsError

ROOT = Path(__file__).resolve().parent.parent
METRICS = [metric for metric in sm.metrics.values() if all(p.default is not None for p in metric.parameters)]
HOSTILE = r"$\frac{a}$ <script>alert(1)</script>|=1+1 _x^2\ %"
ONE_METRIC = ("isometrics", "prior", "tetrahedron", "gradient", "distribution", "random_guessing")
CONSTANT = sm.Metric("constant", sm.parse_formula("(TP + FN)/(TP + FN + FP + TN)"))
POLES = sm.metrics["diagnostic_odds_ratio"]


@pytest.fixture(autouse=True)
def many_figures_are_meant() -> Iterator[None]:
    with mpl.rc_context({"figure.max_open_warning": 0}):
        yield


def own_axes(width: float = 8 / 2.54, height: float = 3.0) -> Any:
    return plt.subplots(figsize=(width, height), layout="constrained")[1]


def isometric_points(ax: Any) -> list[tuple[float, float, float]]:
    """Return coordinates on the lines of a picture, with the value that their label gives them."""
    found = []
    for line in ax.lines[1:]:
        x, y = np.asarray(line.get_xdata()), np.asarray(line.get_ydata())
        found += [(float(x[place]), float(y[place])) for place in {0, len(x) // 3, len(x) - 1}]
    return found


# -- isometrics --------------------------------------------------------------------------------------------------------


def exact_at(metric: Any, fpr: Fraction, tpr: Fraction, prior: Fraction) -> float:
    negative = 1 - prior
    value = metric.exact(prior * tpr, prior * (1 - tpr), negative * fpr, negative * (1 - fpr))
    return float(value.evalf(20))


@pytest.mark.parametrize("space", ["roc", "precision_recall"])
def test_every_point_of_an_isometric_has_its_value(space: Any) -> None:
    chosen = some(("f1", "mcc", "gmean", "wauc", "diagnostic_odds_ratio"), 1, space)
    prior = Fraction(1, 7)
    for metric in (sm.metrics[name] for name in chosen):
        for level in (0.25, 0.5):
            ax = metric.plot.isometrics(space=space, prior=prior, levels=[level])
            points = isometric_points(ax)
            assert len(points) > 1
            for x, y in points:
                first, second = Fraction(x), Fraction(y)
                if space == "roc":
                    fpr, tpr = first, second
                else:  # from the definitions of recall and precision alone
                    tpr, fpr = first, prior * first * (1 - second) / (second * (1 - prior))
                assert exact_at(metric, fpr, tpr, prior) == pytest.approx(level, abs=1e-8)


def test_isometrics_of_accuracy_and_of_a_leap() -> None:
    # Isometrics of accuracy are its straight lines from edge to edge.
    prior, levels = 0.3, [0.1, 0.35, 0.6, 0.9]
    ax = sm.metrics["accuracy"].plot.isometrics(prior="3/10", levels=levels)
    assert len(ax.lines) == 1 + len(levels)
    for level, line in zip(levels, ax.lines[1:], strict=True):
        fpr, tpr = np.asarray(line.get_xdata()), np.asarray(line.get_ydata())
        assert prior * tpr + (1 - prior) * (1 - fpr) == pytest.approx(np.full(len(fpr), level), abs=1e-9)
        # It leaves the square at two of its sides.
        ends = np.array([[fpr[0], tpr[0]], [fpr[-1], tpr[-1]]])
        assert (np.minimum(ends, 1 - ends).min(axis=1) < 2e-6).all()
    # A line ends where a metric jumps. Where TPr passes 1/7 this one leaps from 0 to 1, so that it has the value 1/2
    # nowhere.
    difference = 6 * sm.TP - sm.FN
    leaps = sm.Metric("leaps", (difference / abs(difference) + 1) / 2)
    assert len(leaps.plot.isometrics(levels=[0.5]).lines) == 1


def test_pictures_say_why_there_are_no_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    assert any("0.5 everywhere" in text.get_text() for text in CONSTANT.plot.isometrics().texts)
    assert any("no gradient" in text.get_text() for text in CONSTANT.plot.gradient().texts)
    hopeless = sm.Metric("hopeless", sm.parse_formula("(0 - TP - FN)**(1/2)"))
    if not is_thorough():  # the prover looks for a table at which it has a value, long and in vain
        monkeypatch.setattr(priors, "_is_homogeneous", lambda *_: False)
    assert any("no value anywhere" in text.get_text() for text in hopeless.plot.isometrics().texts)
    assert any("no finite value" in text.get_text() for text in hopeless.plot.prior().texts)


def test_levels_and_edges_are_round_and_lie_as_they_should() -> None:
    random = np.random.default_rng(3)
    for _ in range(200):
        values = random.normal(size=30) * 10.0 ** random.integers(-5, 6) + random.choice([0.0, 1.0])
        values = values**3 if random.random() < 0.5 else values
        levels, edges = levels_of(values, 9), edges_of(values, 20)
        assert 0 < len(levels) <= 9
        assert values.min() < min(levels) <= max(levels) < values.max()
        assert {edge - before for before, edge in itertools.pairwise(edges)} == {edges[1] - edges[0]}
        assert len(edges) <= 22


# -- prior and random guessing -----------------------------------------------------------------------------------------


def test_lines_of_the_prior_are_values_of_the_metric() -> None:
    # The line of a classifier is the metric at that prior.
    for metric in some(METRICS, 2, "prior"):
        line = metric.plot.prior(points=[(0.125, 0.75)], total=64).lines[0]
        for place in (10, 120, 200):
            share, value = float(line.get_xdata()[place]), float(line.get_ydata()[place])
            positive, negative = 64 * Fraction(share), 64 * (1 - Fraction(share))
            exact = metric.exact(positive * 3 / 4, positive / 4, negative / 8, negative * 7 / 8)
            assert math.isnan(value) if exact in (nan, oo, -oo) else value == pytest.approx(float(exact.evalf(20)))
    # What a line says of a prior is what the metric has there. The same rates in a balanced table, and the metric at
    # that prior by its formula.
    for name in ("precision", "accuracy"):
        line = sm.metrics[name].plot.prior(points=[(0.1, 0.75)], total=200).lines[0]
        prior = np.asarray(line.get_xdata())
        expected = sm.priors.at_prior(sm.metrics[name], "1/4").from_counts(75, 25, 10, 90)
        assert np.interp(0.25, prior, line.get_ydata()) == pytest.approx(expected, abs=1e-4)


def test_the_expectation_of_guessing() -> None:
    # The expectation of guessing is that over all ways of guessing.
    for name in ("f1", "mcc", "precision"):
        metric = sm.metrics[name]
        for positives, negatives, share in ((3, 2, 0.25), (2, 3, 0.5)):
            weights, total = 0.0, 0.0
            for guess in itertools.product((0, 1), repeat=positives + negatives):
                tp, fp = sum(guess[:positives]), sum(guess[positives:])
                value = metric.exact(tp, positives - tp, fp, negatives - fp)
                if value is not nan:
                    probability = share ** sum(guess) * (1 - share) ** (len(guess) - sum(guess))
                    weights, total = weights + probability, total + probability * float(value)
            assert expected_value(metric, positives, negatives, share) == pytest.approx(total / weights, abs=1e-12)
    # Guessing agrees with draws.
    random, draws = np.random.default_rng(0), 20_000
    tp, fp = random.binomial(12, 0.3, draws), random.binomial(8, 0.3, draws)
    values = sm.metrics["f1"].from_counts(tp, 12 - tp, fp, 8 - fp)
    values = values[~np.isnan(values)]
    error = values.std() / len(values) ** 0.5
    assert abs(expected_value(sm.metrics["f1"], 12, 8, 0.3) - values.mean()) < 5 * error
    # Lines of guessing have their closed forms.
    ax = sm.metrics["f1"].plot.random_guessing(shares=[0.25])
    prior = np.asarray(ax.lines[0].get_xdata())
    assert ax.lines[0].get_ydata() == pytest.approx(2 * prior * 0.25 / (prior + 0.25))
    assert ax.lines[1].get_ydata() == pytest.approx(prior)
    small = sm.metrics["accuracy"].plot.random_guessing(shares=[0.25], n=10)
    share = np.arange(1, 10) / 10
    assert small.lines[0].get_ydata() == pytest.approx(share * 0.25 + (1 - share) * 0.75)


# -- all tables of a size ----------------------------------------------------------------------------------------------


def distribution(metric: Any, n: int) -> Distribution:
    values = metric.from_counts(tables_of(n))
    return distribution_of(metric, n, edges_of(values, 20) if np.isfinite(values).any() else [])


def test_every_table_is_counted_once() -> None:
    for metric in [POLES, *some(METRICS, 2, "distribution")]:
        assert distribution(metric, 5).total == math.comb(8, 3)
        bars = metric.plot.distribution(5).patches
        assert sum(bar.get_height() for bar in bars) == math.comb(8, 3)
    assert len({tuple(row) for row in tables_of(7).tolist()}) == math.comb(10, 3)
    assert (tables_of(7).sum(axis=1) == 7).all()


def test_every_table_is_in_its_bin() -> None:
    for name in some(["mcc", "gmean", "diagnostic_odds_ratio", "accuracy"], 2, "bins"):
        metric, counted = sm.metrics[name], dict.fromkeys(("below", "above", "poles", "negative_poles", "undefined"), 0)
        found = distribution(metric, 6)
        counts = [0] * len(found.counts)
        for table in itertools.product(range(7), repeat=4):
            if sum(table) != 6:
                continue
            value = metric.exact(*table)
            if value in (oo, -oo, nan):
                counted[{oo: "poles", -oo: "negative_poles"}.get(value, "undefined")] += 1
                continue
            reached = [bool(value >= Rational(edge.numerator, edge.denominator)) for edge in found.edges]
            at_end = value == found.edges[-1]
            place = len(counts) - 1 if at_end else sum(reached) - 1
            if place < 0 or (place >= len(counts)):
                counted["below" if place < 0 else "above"] += 1
            else:
                counts[place] += 1
        assert tuple(counts) == found.counts
        assert counted == {key: getattr(found, key) for key in counted}


def test_points_of_the_tetrahedron_are_where_their_table_is_between_the_corners() -> None:
    n = 4
    ax = sm.metrics["accuracy"].plot.tetrahedron(n)
    offsets = np.asarray(ax.collections[0].get_offsets())
    values = np.asarray(ax.collections[0].get_array())
    named = {text.get_text(): values[np.hypot(*(offsets - text.get_position()).T).argmin()] for text in ax.texts}
    assert named == {"TP": 1, "FN": 0, "FP": 0, "TN": 1}
    assert len(offsets) == math.comb(n + 3, 3)
    corners = np.array(
        [ax.collections[0].get_offsets()[k] for k in range(len(values)) if is_corner(offsets[k], offsets)]
    )
    assert len(corners) == 4
    # A linear function of the cells is linear in the place: right predictions are 1 at two corners, 0 at the others.
    assert sorted(values[[int(np.abs(offsets - corner).sum(axis=1).argmin()) for corner in corners]]) == [0, 0, 1, 1]
    middle = values[int(np.abs(offsets - corners.mean(axis=0)).sum(axis=1).argmin())]
    assert middle == pytest.approx(0.5)


def is_corner(point: Any, points: Any) -> bool:
    """Whether some direction has a point alone at its end; no point of the tetrahedron hides a corner here."""
    angles = np.linspace(0, 2 * np.pi, 73)
    for direction in np.stack([np.cos(angles), np.sin(angles)], axis=1):
        heights = points @ direction
        if heights.argmax() == np.abs(points - point).sum(axis=1).argmin():
            return True
    return False


# -- gradients ---------------------------------------------------------------------------------------------------------


def test_arrows_are_the_slopes_of_differences() -> None:
    for name in ("mcc", "f1", "kappa"):
        metric = sm.metrics[name]
        condition = condition_of(metric, "1/5", None)
        fpr, tpr, step = np.array([0.2, 0.6]), np.array([0.7, 0.8]), 1e-6
        across, up = slopes_in_rates(metric, fpr, tpr, condition)
        for found, (right, above) in ((across, (step, 0.0)), (up, (0.0, step))):
            ahead = condition.values(metric, fpr + right, tpr + above)
            behind = condition.values(metric, fpr - right, tpr - above)
            assert found == pytest.approx((ahead - behind) / (2 * step), rel=1e-6)


# -- many metrics ------------------------------------------------------------------------------------------------------


def test_agreement_is_kendalls_coefficient_and_losses_count_negated() -> None:
    table = tables_of(5)
    ax = sm.plots.agreement(["recall", "accuracy", "fpr"], n=5)
    image = np.asarray(ax.images[0].get_array())
    first, second, loss = (sm.metrics[name].from_counts(*table.T).round(12) for name in ("recall", "accuracy", "fpr"))
    both = ~np.isnan(first)
    assert image[0, 1] == pytest.approx(kendalltau(first[both], second[both]).statistic)
    both = ~np.isnan(loss)
    assert image[1, 2] == pytest.approx(-kendalltau(second[both], loss[both]).statistic)
    assert image.diagonal().tolist() == pytest.approx([1, 1, 1])


def test_each_verdict_has_its_mark() -> None:
    table = sm.table(["f1", "cwa", "accuracy"], ["p1", "p2", "p3"])
    marks = {line.get_label(): line for line in sm.plots.verdicts(table).lines}
    for y, (_, row) in enumerate(table.rows):
        for x, verdict in enumerate(row):
            answer = {"proved": "holds", "refuted": "does not hold", "conditional": "holds for some parameters"}
            assert [x, y] in np.asarray(marks[answer[verdict.status]].get_xydata()).tolist()
    assert sum(len(line.get_xdata()) for line in marks.values()) == 9
    assert len({(line.get_marker(), line.get_fillstyle()) for line in marks.values()}) == len(marks)


def test_metrics_that_are_equal_share_a_box() -> None:
    twin = sm.Metric("twin", 2 * sm.TP / (2 * sm.TP + sm.FN + sm.FP))
    found = sm.order(["f1", "jaccard", twin], processes=1, progress=False)
    ax = sm.plots.hasse(found)
    assert sorted(text.get_text() for text in ax.texts) == ["f1 = twin", "jaccard"]
    assert len(ax.lines) == 1


# -- scores and predictions --------------------------------------------------------------------------------------------


def scored() -> tuple[Any, Any]:
    random = np.random.default_rng(5)
    truth = random.integers(0, 2, 60)
    return truth, truth + random.normal(size=60)


def test_the_fraction_predicted_positive_is_that_of_the_curve() -> None:
    truth, score = scored()
    ax = sm.plots.positive_fraction(sm.roc_curve(truth, score), [0.5, 0.01], target=0.8)
    for prior, line in zip((0.5, 0.01), ax.lines, strict=False):
        fraction, tpr, _ = sm.curves.posfrac(truth, score, prior=prior)
        assert line.get_xdata() == pytest.approx(fraction)
        assert line.get_ydata() == pytest.approx(tpr)
    fpr, tpr = sm.roc_curve(truth, score).fpr, sm.roc_curve(truth, score).tpr
    again = sm.plots.positive_fraction((fpr, tpr), [0.5]).lines[0]
    assert again.get_xdata() == pytest.approx(0.5 * fpr + 0.5 * tpr)


def test_hull_and_band_are_drawn_around_the_curve() -> None:
    truth, score = scored()
    curve, band = sm.roc_curve(truth, score), sm.roc_band(truth, score)
    ax = sm.plots.roc(curve, hull=True, band=band)
    lines = {line.get_label(): line for line in ax.lines}
    hull = lines["convex hull"]
    assert (np.interp(curve.fpr, hull.get_xdata(), hull.get_ydata()) >= curve.tpr - 1e-12).all()
    slopes = np.diff(hull.get_ydata()) / np.maximum(np.diff(hull.get_xdata()), 1e-12)
    assert (np.diff(slopes) < 0).all()
    assert {*zip(hull.get_xdata(), hull.get_ydata(), strict=True)} <= {*zip(curve.fpr, curve.tpr, strict=True)}
    assert lines["ROC curve"].get_ydata() == pytest.approx(curve.tpr)
    assert "95 % simultaneous band" in [text.get_text() for text in ax.get_legend().get_texts()]


@pytest.mark.sampled(1)
@pytest.mark.parametrize("prior", ["1/2", "1/20", "1/100"])
def test_values_on_isometrics_do_not_cover_each_other(prior: str) -> None:
    """Where lines crowd, some have no value rather than one that is half below another."""
    mine = sm.Metric("mine", "TP/(TP + 7*FN/10 + 3*FP/10)")
    ax = mine.plot.isometrics(prior=prior)
    figure = ax.figure
    figure.canvas.draw()
    boxes = [text.get_window_extent() for text in ax.texts if text.get_text() != "random guessing"]
    assert len(boxes) >= 3
    assert not any(first.overlaps(second) for first, second in itertools.combinations(boxes, 2))


@pytest.mark.parametrize(
    ("metrics", "properties"),
    [
        (["mcc", "f1", "kappa"], ["p1", "p2", "constant_baseline", "no_imbalance_bias", "strongly_monotone", "range"]),
        (["mcc"], ["p1", "constant_baseline"]),
        (["consonni_todeschini_4", "f_beta"], ["no_imbalance_bias"]),
        (["f1"], ["p1"]),
    ],
)
def test_a_small_table_of_verdicts_has_room_for_its_names_and_marks(metrics: list[str], properties: list[str]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        ax = sm.plots.verdicts(sm.table(metrics, properties))
        figure = ax.get_figure()
        figure.canvas.draw()
    whole = figure.bbox
    for part in (*ax.get_xticklabels(), *ax.get_yticklabels(), ax.get_legend()):
        box = part.get_window_extent()
        assert whole.x0 <= box.x0 + 1 < box.x1 <= whole.x1 + 1, part
        assert whole.y0 <= box.y0 + 1 < box.y1 <= whole.y1 + 1, part
    rows = [label.get_window_extent() for label in ax.get_yticklabels()]
    assert all(above.y0 >= below.y1 for above, below in itertools.pairwise(rows))


def test_the_title_of_a_confusion_matrix_tells_what_its_squares_show() -> None:
    """Intervals and shares are left out where there is no room for them, and are not promised then."""
    for classes, lines, title in (
        (2, 3, "shares of the true class, 95\u00a0% intervals"),
        (10, 2, "shares of the true class"),
        (30 if is_thorough() else 13, 1, "counts; colours are shares of the true class"),
    ):
        ax = plt.subplots(figsize=(3.5, 3.3), layout="constrained")[1]
        sm.plots.confusion(np.full((classes, classes), 10), ax=ax)
        assert {len(text.get_text().splitlines()) for text in ax.texts} == {lines}
        assert ax.get_title().replace("\n", " ") == title


@pytest.mark.parametrize("is_given", [False, True])
def test_the_title_of_a_confusion_matrix_is_not_cut_off_beside_a_long_name(*, is_given: bool) -> None:
    ax = plt.subplots(figsize=(3.5, 3.3), layout="constrained")[1] if is_given else None
    ax = sm.plots.confusion([[1234567, 45], [8, 60]], ["a class of a rather long name", "b"], ax=ax)
    figure = ax.get_figure()
    figure.canvas.draw()
    box = ax.title.get_window_extent()
    assert figure.bbox.x0 <= box.x0 < box.x1 <= figure.bbox.x1


def test_a_confusion_matrix_shows_counts_lines_and_intervals() -> None:
    # Intervals of a confusion matrix are those of its rows.
    ax = sm.plots.confusion([[45, 5], [10, 40]], method="exact", level=0.9)
    words = ax.texts[1].get_text().splitlines()
    low, high = (int(part) / 100 for part in words[2].rstrip(" %").split("–"))
    # 5 of 50: the binomial tails at both ends of Clopper and Pearson's interval have half of what is left of the level
    assert binom.sf(4, 50, low - 0.005) < 0.05 < binom.sf(4, 50, low + 0.005)
    assert binom.cdf(5, 50, high + 0.005) < 0.05 < binom.cdf(5, 50, high - 0.005)
    assert words[:2] == ["5", "10 %"]
    # Lines stand between the classes of a confusion matrix.
    ax = sm.plots.confusion([[5, 1, 2], [2, 6, 1], [1, 1, 7]])
    assert sorted(line.get_xdata()[0] for line in ax.lines if line.get_xdata()[0] == line.get_xdata()[1]) == [0.5, 1.5]
    assert sorted(line.get_ydata()[0] for line in ax.lines if line.get_ydata()[0] == line.get_ydata()[1]) == [0.5, 1.5]
    # Whole counts of a confusion matrix are written in full.
    ax = sm.plots.confusion([[1234567, 45], [8.5, 60]])
    assert [text.get_text().splitlines()[0] for text in ax.texts] == ["1234567", "45", "8.5", "60"]
    # A picture of many classes is large enough for their counts and names.
    names = [f"one of the classes, number {number}" for number in range(20)]
    ax = sm.plots.confusion(np.full((20, 20), 10), names)
    assert min(text.get_fontsize() for text in ax.texts) > 5
    assert len({label.get_text() for label in ax.get_xticklabels()}) == 20


def test_labels_and_names_of_a_confusion_matrix() -> None:
    # Labels in place of a confusion matrix are told how they are counted.
    for labels in (["cat", "dog", "cat"], [0, 1, 1]):
        with pytest.raises(InputError, match=r"list of 3 entries, not a matrix; .*ConfusionMatrix\.of\(y_true"):
            sm.plots.confusion(labels, labels)
    counted = sm.ConfusionMatrix.of(["cat", "dog", "cat"], ["cat", "dog", "dog"])
    assert [text.get_text().splitlines()[0] for text in sm.plots.confusion(counted).texts] == ["1", "1", "0", "1"]
    # A confusion matrix with names is drawn by its names.
    frame = pd.DataFrame([[45, 5], [10, 40]], index=["well", "ill"], columns=["well", "ill"])
    expected = [text.get_text() for text in sm.plots.confusion(frame.to_numpy(), ["well", "ill"]).texts]
    assert [text.get_text() for text in sm.plots.confusion(frame[["ill", "well"]]).texts] == expected
    ax = sm.plots.confusion(frame, ["ill", "well"])
    assert [text.get_text().splitlines()[0] for text in ax.texts] == ["40", "10", "5", "45"]
    assert [label.get_text() for label in ax.get_yticklabels()] == ["ill", "well"]
    other = sm.plots.confusion(frame, ["healthy", "sick"])
    assert [text.get_text() for text in other.texts] == expected
    assert [label.get_text() for label in other.get_yticklabels()] == ["healthy", "sick"]


# -- how everything is drawn -------------------------------------------------------------------------------------------


def every_function() -> dict[str, Callable[[Any], Any]]:
    truth, score = scored()
    f1, plots = sm.metrics["f1"].plot, sm.plots
    return {
        **{name: lambda ax, name=name: getattr(f1, name)(ax=ax) for name in ONE_METRIC},
        "isometrics, precision-recall": lambda ax: f1.isometrics(ax, "precision_recall", "1/10"),
        "verdicts": lambda ax: plots.verdicts(sm.table(["f1"], ["p1", "p2"]), ax=ax),
        "agreement": lambda ax: plots.agreement(["f1", "mcc"], n=3, ax=ax),
        "hasse": lambda ax: plots.hasse([("a", "b"), ("a", "c")], ax),
        "concepts": lambda ax: plots.concepts(sm.concepts(["f1", "mcc"], ["p1", "p2"]), ax),
        "implications": lambda ax: plots.implications(properties=["scaling", "homogeneous"], ax=ax),
        "roc": lambda ax: plots.roc({"one": sm.roc_curve(truth, score), "two": sm.roc_curve(truth, -score)}, ax=ax),
        "positive_fraction": lambda ax: plots.positive_fraction(sm.roc_curve(truth, score), ax=ax),
        "cost_weights": lambda ax: plots.cost_weights(ax=ax),
        "confusion": lambda ax: plots.confusion([[5, 1], [2, 3]], ax=ax),
        "bars": lambda ax: plots.bars({"a": {"x": 1, "y": 2}}, ax=ax),
        "dots": lambda ax: plots.dots({"a": {"x": [1, 2], "y": [2]}}, ax=ax),
        "examples": lambda ax: plots.examples({"x": [(0, 1)], "y": [(1, 2)]}, ax=ax),
        "squares": lambda ax: plots.squares([[0.5]], ["a"], ["b"], low=0, high=1, ax=ax),
    }


def test_every_public_plot_draws_on_the_axes_that_it_is_given() -> None:
    functions = every_function()
    assert {name.partition(",")[0] for name in functions} >= {*ONE_METRIC, *sm.plots.__all__} - {"MetricPlots"}
    figure = own_axes().figure
    figures = plt.get_fignums()
    for name, draw in functions.items():
        for drawn in figure.axes:  # which need not be cleared first
            drawn.remove()
        ax = figure.subplots()
        assert draw(ax) is ax, name
        assert plt.get_fignums() == figures, name
        assert ax.has_data() or ax.texts, name


def test_names_are_written_as_they_stand() -> None:
    metric = sm.Metric("hostile", 2 * sm.TP / (2 * sm.TP + sm.FN + sm.FP), title=HOSTILE)
    named = sm.Metric(HOSTILE, sm.TP / (sm.TP + sm.FN))
    pictures: list[Callable[[], Any]] = [
        metric.plot.isometrics,
        lambda: metric.plot.distribution(2),
        lambda: sm.plots.agreement([metric, named], n=3),
        lambda: sm.plots.verdicts(sm.table([named], ["p1"])),
        lambda: sm.plots.hasse([(HOSTILE, "other")]),
        lambda: sm.plots.roc({HOSTILE: sm.roc_curve([0, 1], [1, 2])}),
        lambda: sm.plots.confusion([[1, 2], [3, 4]], [HOSTILE, "$"]),
        lambda: sm.plots.bars({HOSTILE: {"$a": 1, "b_$": 2}}),
    ]
    for draw in pictures:
        ax = draw()
        ax.figure.draw_without_rendering()  # mathtext that cannot be read raises here
        legend = ax.get_legend()
        texts = [ax.title, *ax.texts, *ax.get_xticklabels(), *ax.get_yticklabels()]
        texts += legend.get_texts() if legend else []
        hostile = [text for text in texts if "script" in text.get_text() or "$" in text.get_text()]
        assert hostile
        assert not any(text.get_parse_math() or text.get_usetex() for text in hostile)


def luminance(colour: Any) -> float:
    channels = np.array(mpl.colors.to_rgb(colour))
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


@pytest.mark.parametrize("style", ["default", "dark_background"])
def test_colours_are_seen_on_their_ground_and_say_nothing_by_themselves(style: str) -> None:
    with plt.style.context(style):
        ax = own_axes()
        ground = luminance(ax.get_facecolor())
        for look in looks(ax, 6):
            light, dark = sorted((luminance(look.colour), ground), reverse=True)
            assert (light + 0.05) / (dark + 0.05) > 1.9, look
        twelve = looks(ax, 12)
        for part in ("dash", "marker", "hatch"):
            assert len({str(getattr(look, part)) for look in twelve[:6]}) == 6
            assert len({(look.colour, str(getattr(look, part))) for look in twelve}) == 12
        box = sm.plots.hasse([("a", "b")], own_axes()).texts[0].get_bbox_patch()
        assert luminance(box.get_facecolor()) == pytest.approx(ground)


def test_bad_input_is_refused_by_name() -> None:
    f1, plots = sm.metrics["f1"].plot, sm.plots
    free = sm.Metric("free", sm.parse_formula("TP/(TP + w*FN)", ("w",)), parameters=(sm.Parameter("w", 0, 1),))
    calls: list[tuple[Callable[[], object], str]] = [
        (lambda: f1.isometrics(space="prc"), "space"),  # type: ignore[arg-type]
        (lambda: f1.isometrics(prior=1), "prior"),
        (lambda: f1.isometrics(levels=0), "levels=0"),
        (lambda: f1.isometrics(levels=[math.nan]), "levels="),
        (lambda: f1.isometrics(total=-1), "total=-1"),
        (lambda: f1.prior(points=[(0.1, 2)]), "no point of the ROC plane"),
        (lambda: f1.prior(points=[]), "points is empty"),
        (lambda: f1.random_guessing(shares=[2]), "no probability"),
        (lambda: f1.random_guessing(n=1), "n=1"),
        (lambda: f1.tetrahedron(0), "n=0"),
        (lambda: f1.distribution(10**6), "n=1000000"),
        (lambda: f1.isometrics("precision_recall"), "not the axes of a figure; write space='precision_recall'"),  # type: ignore[arg-type]
        (lambda: f1.gradient(ax=3), "ax is int"),  # type: ignore[arg-type]
        (lambda: free.plot.isometrics(), "bind w"),
        (lambda: plots.agreement(["f1"]), "at least two"),
        (lambda: plots.agreement(["f1", "mcc"], [[1, 2]]), "tables"),
        (lambda: plots.agreement(["f1", "mcc"], statistic="tau"), "statistic"),
        (lambda: plots.verdicts(3), "no table of verdicts"),  # type: ignore[arg-type]
        (lambda: plots.roc({}), "no curve"),
        (lambda: plots.roc({"a": 3}), "'a' is int"),  # type: ignore[dict-item]
        (lambda: plots.positive_fraction(([0, 1], [1, 0])), "no curve"),
        (lambda: plots.confusion([[1]]), "2 to 30 classes"),
        (lambda: plots.confusion([[1, 2], [3, 4]], ["a"]), "names 1 classes"),
        (lambda: plots.confusion([[1, 2], [3, 4]], level=2), "level=2"),
        (lambda: plots.bars({}), "nothing to draw"),
        (lambda: plots.bars({"a": {"x": 1}, "b": {"y": 1}}), "the group 'b'"),
    ]
    for call, message in calls:
        with pytest.raises(SymmetricsError) as refused:
            call()
        assert message in str(refused.value)
        assert "\n" not in str(refused.value)


def test_without_matplotlib_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    functions = every_function()
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    for draw in functions.values():
        with pytest.raises(SymmetricsError, match=r"symmetrics\[plot\]"):
            draw(None)


def test_no_module_loads_what_draws_before_something_is_drawn() -> None:
    rooms = [*(ROOT / "symmetrics" / "pages" / "plots").glob("*.py"), *(ROOT / "symmetrics").rglob("figures.py")]
    rooms += [*(ROOT / "symmetrics" / "tools" / "drawing").glob("*.py"), ROOT / "symmetrics" / "metric" / "export.py"]
    assert len(rooms) > 8
    for path in rooms:
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.Import | ast.ImportFrom):
                names = [node.module or ""] if isinstance(node, ast.ImportFrom) else [name.name for name in node.names]
                assert not any(name.partition(".")[0] in ("matplotlib", "contourpy") for name in names), path


@pytest.mark.thorough
def test_a_metric_offers_plots_without_loading_what_draws() -> None:
    script = "import symmetrics as sm, sys; sm.metrics['f1'].plot, sm.plots; print('matplotlib' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=True, capture_output=True, text=True)
    assert run.stdout.strip() == "False"


def test_plots_are_what_the_room_of_metrics_says_they_are() -> None:
    for name in ONE_METRIC:
        said, done = (inspect.signature(getattr(owner, name)) for owner in (Plots, MetricPlots))
        assert said == done
    metric = sm.metrics["f1"]
    assert isinstance(metric.plot, MetricPlots)
    assert pickle.loads(pickle.dumps(metric)).plot == metric.plot


def test_correlations_of_values() -> None:
    # Values that differ by rounding alone tie.
    first, second = np.array([0.3, 0.1 + 0.2, 1.0, math.inf]), np.array([1.0, 0.0, 2.0, 3.0])
    assert coefficient(first, second, "kendall") == kendalltau([0, 0, 1, 2], second).statistic < 1
    assert math.isnan(coefficient(np.full(4, 0.5), second, "kendall"))
    # Two metrics of two values each are correlated.
    first, second = np.array([0.0, 1.0, 1.0, np.nan]), np.array([5.0, 3.0, 3.0, 4.0])
    assert coefficient(first, second, "pearson") == pytest.approx(-1)
    assert math.isnan(coefficient(first, np.array([2.0, 2.0, 2.0, 3.0]), "pearson"))
    # Metrics that rank alike agree fully.
    image = np.asarray(sm.plots.agreement(["f1", "jaccard"], n=9).images[0].get_array())
    assert image.tolist() == [[pytest.approx(1)] * 2] * 2
    counts = np.array([[5, 1, 2, 8], [3, 3, 1, 9], [4, 2, 2, 8], [6, 0, 6, 4]])
    image = np.asarray(sm.plots.agreement(["f1", "mcc"], counts, statistic="pearson").images[0].get_array())
    values = [sm.metrics[name].from_counts(counts) for name in ("f1", "mcc")]
    assert image[0, 1] == pytest.approx(np.corrcoef(values)[0, 1])


def test_axes_are_named_and_their_shares_have_ticks_at_fifths() -> None:
    ax = sm.plots.examples({"target": [[0, 1], [1, 2]]}, x="length", y="width")
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("length", "width")
    ax = sm.plots.roc(sm.roc_curve([0, 1, 1, 0], [1, 2, 3, 4]))
    ticks = ["0", "0.2", "0.4", "0.6", "0.8", "1"]
    for axis in (ax.xaxis, ax.yaxis):
        assert [label.get_text() for label in axis.get_ticklabels()] == ticks
        assert axis.get_label_text()
