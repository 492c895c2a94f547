"""Intervals of metrics of k x k matrices: exact derivatives, published errors, and what holds at every matrix."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from effort import examples, in_one_test, is_thorough, some
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import Max, Rational

import symmetrics as sm
from symmetrics.matrices.expansion import entry_symbols
from symmetrics.matrices.nodes import C, ClassMean, fn, fp, i, over, r, s, tp
from symmetrics.matrices.slopes import LessBias, WholeMatrix
from symmetrics.statistics.averages import ClassAverage, OccurringClasses, matrix_groups
from symmetrics.statistics.delta import standard_error
from symmetrics.statistics.intervals import METHODS, Formula, Range
from symmetrics.tools.errors import InputError

METRICS = dict(sm.multiclass)
GENERAL = ("auto", "delta", "bayes", "highest", "bootstrap", "bca", "studentised")
TABLE = [[50, 5, 2], [4, 60, 9], [1, 7, 40]]
matrices = st.integers(2, 4).flatmap(
    lambda k: st.lists(st.lists(st.integers(0, 30), min_size=k, max_size=k), min_size=k, max_size=k)
)


def estimator(name: str, classes: int, average: object = "macro") -> WholeMatrix:
    metric = METRICS[name]
    bound = metric.definition.xreplace({p.symbol: p.default for p in metric.parameters})
    return WholeMatrix(bound, classes, Range(), average)


@pytest.mark.sampled(1)
@pytest.mark.parametrize("name", METRICS)
def test_slopes_are_the_derivatives_of_the_expanded_formula(name: str) -> None:
    """By SymPy, of the formula over nine symbols, at a matrix of whole numbers."""
    metric = METRICS[name].at(**{p.symbol.name: p.default for p in METRICS[name].parameters})
    symbols = [symbol for row in entry_symbols(3) for symbol in row]
    entries = (11, 3, 5, 2, 17, 7, 4, 1, 23)
    at = dict(zip(symbols, map(Rational, entries), strict=True))
    for average in ("macro", "weighted", "micro") if metric.is_mean else ("macro",):
        formula = metric.expr(3, average=average)
        places = some(range(9), 4, name + average)
        expected = [float(formula.diff(symbols[place]).subs(at).evalf(20)) for place in places]
        found = np.array(estimator(name, 3, average).slopes(np.array(entries, dtype=float)))
        assert found.shape == (9,)
        assert found[list(places)] == pytest.approx(expected, abs=1e-13), average


@pytest.mark.parametrize("name", METRICS)
def test_slopes_are_quotients_of_differences_at_many_classes(name: str) -> None:
    random = np.random.default_rng(7)
    entries = random.integers(2, 30, (100, 3)).astype(float)
    weights = tuple(random.random(10))
    for average in ("macro", "weighted", "pooled", weights) if METRICS[name].is_mean else ("macro",):
        whole = estimator(name, 10, average)
        slopes = whole.slopes(entries)
        for place in random.integers(0, 100, 5):
            step = np.zeros_like(entries)
            step[place] = 1e-4
            numeric = (whole.values(entries + step) - whole.values(entries - step)) / 2e-4
            assert slopes[place] == pytest.approx(numeric, abs=1e-8), (average, place)


@given(matrices)
def test_a_scaled_matrix_has_the_same_value_so_that_slopes_and_entries_are_orthogonal(rows: list[list[int]]) -> None:
    entries = np.array(rows, dtype=float).reshape(-1) + 1
    for name in METRICS:
        slopes = estimator(name, len(rows)).slopes(entries)
        assert abs(slopes @ entries) < 1e-9, name


@pytest.mark.parametrize(
    ("name", "weights"), [("kappa", None), ("kappa_linear", "linear"), ("kappa_quadratic", "quadratic")]
)
def test_kappas_standard_error_is_that_of_statsmodels(name: str, weights: str | None) -> None:
    """Fleiss, Cohen & Everitt (1969); the quarter of a count vanishes in large tables."""
    from statsmodels.stats.inter_rater import cohens_kappa  # which takes half a second

    for table in (np.array(TABLE), np.array([[9, 4, 1, 0], [2, 8, 3, 1], [0, 5, 7, 2], [1, 1, 2, 30]])):
        entries = table.astype(float).reshape(-1)
        error = standard_error(estimator(name, len(table)), entries, matrix_groups(len(table), "multinomial"))
        assert float(error) == pytest.approx(cohens_kappa(table, wt=weights).std_kappa, rel=1e-10)
        large = sm.multiclass[name].interval(table * 10**8, method="delta")
        theirs = cohens_kappa(table * 10**8, wt=weights)
        assert large.width == pytest.approx(theirs.kappa_upp - theirs.kappa_low, rel=1e-4)


@in_one_test
@pytest.mark.parametrize("method", GENERAL)
def test_two_classes_have_the_interval_of_the_binary_metric(method: str) -> None:
    """Whose cells are the four entries, with the first class as the positive one."""
    (tp, fn), (fp, tn) = table = [[40, 10], [7, 90]]
    for name in ("mcc", "kappa"):
        found = sm.multiclass[name].interval(table, method=method, draws=500)
        binary = sm.metrics[name].interval(tp, fn, fp, tn, method=method, draws=500)
        assert [*found] == pytest.approx([*binary], abs=1e-12), name


@pytest.mark.parametrize("average", ["macro", "weighted", "pooled", (1, 2, 3)])
def test_a_mean_of_classes_has_the_interval_of_the_average_of_its_metric(average: object) -> None:
    for method in ("delta", "bootstrap"):
        found = sm.multiclass["balanced_accuracy"].interval(TABLE, average=average, method=method, draws=400)
        theirs = sm.metrics["recall"].interval_from_confusion(TABLE, average=average, method=method, draws=400)
        assert [*found] == pytest.approx([*theirs], abs=1e-12)


def test_relevance_weighs_the_classes_of_an_interval() -> None:
    """By name, from an order of classes; a class without relevance does not matter."""
    order = sm.relevance.partial_order([("owl", "cat"), ("owl", "dog")])
    rows = ["dog", "owl", "cat"]
    weights = [float(order.weights[list(order.classes).index(name)]) for name in rows]
    for metric in (sm.metrics["f1"], sm.metrics["recall"]):
        by_order = metric.interval_from_confusion(TABLE, average=order.ordered(rows), method="delta")
        by_weight = metric.interval_from_confusion(TABLE, average=weights, method="delta")
        assert [*by_order] == [*by_weight]
        by_name = metric.interval_from_confusion(TABLE, average=order, labels=rows, method="delta")
        assert [*by_name] == [*by_weight]
    named = sm.multiclass["cba"].interval(TABLE, average=order, labels=rows, method="delta")
    assert [*named] == [*sm.multiclass["cba"].interval(TABLE, average=weights, method="delta")]
    only = sm.relevance.scores({"dog": 1, "owl": 0, "cat": 0})
    found = sm.metrics["f1"].interval_from_confusion(TABLE, average=only.ordered(rows), method="bootstrap")
    tp, fn, fp, tn = 50, 7, 5, 116
    assert [*found] == pytest.approx([*sm.metrics["f1"].interval(tp, fn, fp, tn, method="bootstrap")], abs=0.02)


@pytest.mark.sampled(10)
@pytest.mark.parametrize("name", METRICS)
def test_at_every_pattern_of_zeros_the_interval_lies_in_the_range_around_the_value(name: str) -> None:
    metric = METRICS[name]
    low, high = metric.estimator(3, "macro").range
    tables = np.array(some(list(product((0, 6), repeat=9))[1:], 24, name)).reshape(-1, 3, 3)
    for method in ("auto", "delta", "studentised"):
        found = metric.interval(tables, method=method, draws=100)
        assert not np.isnan(found.low).any()
        assert not np.isnan(found.high).any()
        assert (found.low >= low).all()
        assert (found.high <= high).all()
        known = ~np.isnan(found.estimate)
        assert (found.low <= found.estimate)[known].all()
        assert (found.estimate <= found.high)[known].all()


NEAR_THE_FLOOR = (
    [[1, 4], [6, 1]],
    [[1, 5, 4], [5, 0, 5], [5, 5, 0]],
    [[0, 5, 4], [5, 0, 5], [5, 5, 0]],
    [[1, 5, 4, 0], [5, 0, 5, 1], [5, 5, 0, 1], [1, 1, 1, 1]],
    [[1, 9, 0, 0], [4, 0, 0, 0], [1, 2, 3, 0], [0, 0, 0, 0]],
)
"""Of two to four classes; of the last one class does not occur."""


@pytest.mark.parametrize("table", NEAR_THE_FLOOR)
def test_corrected_for_chance_the_interval_is_that_of_balanced_accuracy_mapped(table: list[list[int]]) -> None:
    """The correction is linear, and takes the least value 0 to -1/(k - 1), which is -1 for two classes alone."""
    k = len(table)
    for average, method in product(("macro", "weighted", tuple(range(1, k + 1))), ("auto", "delta", "bootstrap")):
        asked = {"average": average, "method": method, "draws": 300}
        plain = METRICS["balanced_accuracy"].interval(table, **asked)
        found = METRICS["adjusted_balanced_accuracy"].interval(table, **asked)
        assert [*found] == pytest.approx([(k * end - 1) / (k - 1) for end in plain], abs=1e-9), (average, method)


@pytest.mark.parametrize("k", [2, 3, 5])
def test_a_mistake_is_one_of_two_classes_alone(k: int) -> None:
    """So that the mean accuracy of k classes, each against the rest, is at least 1 - 2/k, and so are its intervals."""
    wrong = 5 * (1 - np.eye(k))
    wrong[0, 0] = 1
    for average in ("macro", "micro"):
        found = METRICS["one_vs_rest_accuracy"].interval(wrong, average=average, method="delta")
        assert 1 - 2 / k <= found.low < found.estimate
        assert found.estimate - found.low < found.high - found.estimate
    swapped = np.zeros((k, k))
    swapped[0, 1] = swapped[1, 0] = 5
    weighted = METRICS["one_vs_rest_accuracy"].interval(swapped, average="weighted", method="delta")
    assert weighted.low == weighted.estimate == 0


@given(matrices, st.sampled_from([*METRICS]))
@settings(max_examples=examples(300))
def test_an_interval_is_as_wide_whatever_the_classes_are_called(rows: list[list[int]], name: str) -> None:
    table = np.array(rows)
    if METRICS[name].orders_classes or not table.any():
        return
    moved = table[::-1, ::-1]
    assert [*METRICS[name].interval(table, method="delta")] == pytest.approx(
        [*METRICS[name].interval(moved, method="delta")], abs=1e-9
    )


def test_a_class_that_does_not_occur_changes_nothing_in_a_mean() -> None:
    table = np.zeros((4, 4), dtype=int)
    table[np.ix_([0, 1, 3], [0, 1, 3])] = TABLE
    for name, method in product(("cba", "mavg", "kappa", "mcc", "rci"), ("delta", "bayes", "bootstrap")):
        with_it, without = (METRICS[name].interval(given, method=method, draws=300) for given in (table, TABLE))
        assert [*with_it] == pytest.approx([*without], abs=1e-12), (name, method)
    for method in ("auto", "delta"):
        f1 = [sm.metrics["f1"].interval_from_confusion(given_, method=method) for given_ in (table, TABLE)]
        assert [*f1[0]] == pytest.approx([*f1[1]], abs=1e-12)
    both = METRICS["cba"].interval([table, table + 1], method="delta")
    assert [both.low[0], both.high[0]] == [*METRICS["cba"].interval(table, method="delta")]
    assert [both.low[1], both.high[1]] == [*METRICS["cba"].interval(table + 1, method="delta")]


def test_slopes_where_margins_tie() -> None:
    # Where margins tie the slope lies halfway. CBA at a symmetric matrix: the quotient by the larger margin has two
    # one-sided derivatives.
    entries, step = np.array([5.0, 2.0, 2.0, 9.0]), np.array([0.0, 1e-6, 0.0, 0.0])
    whole = estimator("cba", 2)
    above, here, below = (whole.values(entries + sign * step) for sign in (1, 0, -1))
    assert whole.slopes(entries)[1] == pytest.approx((above - below) / 2e-6, rel=1e-4)
    assert (above - here) / 1e-6 != pytest.approx((here - below) / 1e-6, rel=1e-2)
    # Of larger terms each has its share. Of the sum of the larger margins, in the language of indices: half of each
    # where they tie.
    larger = WholeMatrix(over(Max(tp[i] + fn[i], tp[i] + fp[i]), i), 2, Range())
    assert larger.slopes(np.array([5.0, 2.0, 2.0, 9.0])).tolist() == [1.0, 1.0, 1.0, 1.0]
    assert larger.slopes(np.array([5.0, 3.0, 2.0, 9.0])).tolist() == [1.0, 2.0, 0.0, 1.0]
    # Slopes by the classes that occur are those of the whole.
    entries = np.array([11.0, 3, 2, 17])
    part = OccurringClasses(estimator("cen", 3), (0, 2))
    step = np.array([0.0, 1e-5, 0, 0])
    numeric = (part.values(entries + step) - part.values(entries - step)) / 2e-5
    assert part.slopes(entries)[1] == pytest.approx(float(numeric), rel=1e-6)


def test_the_share_of_right_predictions_is_a_proportion() -> None:
    for method in METHODS:
        found = METRICS["accuracy"].interval(TABLE, method=method, draws=200)
        assert [*found] == [*sm.metrics["recall"].interval(150, 28, 0, 0, method=method, draws=200)], method
        wrong = METRICS["error_rate"].interval(TABLE, method=method, draws=200)
        if method in ("auto", "exact", "midp", "jeffreys"):
            assert [*wrong] == pytest.approx([1 - end for end in reversed([*found])])
    fixed = METRICS["accuracy"].interval(TABLE, sampling="binomial", method="delta")
    assert fixed.width < METRICS["accuracy"].interval(TABLE, method="delta").width


def test_intervals_of_one_class_of_ones_own_and_of_a_hundred() -> None:
    # A single class leaves the value open.
    found = METRICS["mcc"].interval([[9, 0], [0, 0]])
    assert np.isnan(found.estimate)
    assert found.low < 0.1
    assert found.high > 0.8
    # A definition of one's own has an interval.
    mine = sm.MulticlassMetric("mine", over(C[i, i], i) ** 2 / over(C[r, s], r, s) ** 2)
    squared, plain = (m.interval(np.array(TABLE) * 10**4, method="delta") for m in (mine, METRICS["accuracy"]))
    assert squared.estimate == pytest.approx(plain.estimate**2)
    assert squared.width == pytest.approx(2 * plain.estimate * plain.width, rel=1e-3)
    # Averages of a hundred classes need no memory for all triples.
    random = np.random.default_rng(0)
    table = random.integers(1, 9, (100, 100)) + 500 * np.eye(100, dtype=int)
    found = sm.metrics["f1"].interval_from_confusion(table, method="delta")
    same = METRICS["f_of_means"].interval(table, method="delta")
    assert found.width == pytest.approx(same.width, rel=0.05)
    from statsmodels.stats.inter_rater import cohens_kappa

    kappa, theirs = METRICS["kappa"].interval(table, method="delta"), cohens_kappa(table)
    assert kappa.width == pytest.approx(theirs.kappa_upp - theirs.kappa_low, rel=0.01)


@in_one_test
@pytest.mark.parametrize(
    ("settings_", "told"),
    [
        ({"method": "score"}, "method='score' is for a proportion, and this is none"),
        ({"average": "macr"}, "average='macr' is not one of"),
        ({"average": None}, "average=None is no average over classes"),
        ({"average": (1, 2)}, "average"),
        ({"labels": ["a", "b"]}, "labels names 2 classes"),
    ],
)
def test_questions_that_are_none(settings_: dict[str, object], told: str) -> None:
    with pytest.raises(InputError, match=told):
        METRICS["cba"].interval(TABLE, **settings_)


def test_matrices_that_are_none() -> None:
    for given_, told in (([[1]], "has 1 class"), ([[1, 2]], "not \\(..., k, k\\)"), ([[1, -2], [3, 4]], "C")):
        with pytest.raises(InputError, match=told):
            METRICS["kappa"].interval(given_)
    with pytest.raises(InputError, match="kappa is no mean over classes"):
        METRICS["kappa"].interval(TABLE, average="weighted")
    with pytest.raises(InputError, match="counts that are not whole"):
        METRICS["kappa"].interval([[1.5, 2], [3, 4]], method="bootstrap")


def test_the_bias_of_a_squared_share_is_taken_away_exactly() -> None:
    """Of x right predictions among n the jackknife of (x/n)² is x(x - 1)/(n(n - 1)), which is right on average."""
    squared = WholeMatrix(over(C[i, i], i) ** 2 / over(C[r, s], r, s) ** 2, 3, Range(0.0, 1.0))
    for table in (TABLE, [[3, 0, 0], [1, 2, 0], [0, 0, 4]]):
        entries = np.array(table, dtype=float).reshape(-1)
        x, n = float(np.trace(np.array(table))), entries.sum()
        assert float(LessBias(squared).values(entries)) == pytest.approx(x * (x - 1) / (n * (n - 1)))
    far = WholeMatrix(over(C[i, i], i) ** 2 / over(C[r, s], r, s) ** 2, 2, Range(0.0, 1.0))
    assert float(LessBias(far).values(np.array([1.0, 1, 0, 0]))) == pytest.approx(0.25 / 2)  # and not 0


def test_entropies_of_many_entries_are_corrected_for_their_bias() -> None:
    """Eight classes and 200 examples: without it half of the intervals miss the value."""
    random = np.random.default_rng(12)
    shares = (np.full((8, 8), 0.3 / 7) + np.eye(8) * (0.7 - 0.3 / 7)) / 8
    tables = random.multinomial(200, shares.reshape(-1), size=100 if is_thorough() else 24).reshape(-1, 8, 8)
    for name, above in (("rci", True), ("cen", False)):
        true, found = METRICS[name].from_confusion(shares), METRICS[name].interval(tables)
        assert ((found.low <= true) & (true <= found.high)).mean() >= 0.75
        assert found.estimate == pytest.approx(METRICS[name].from_confusion(tables), abs=1e-12)
        assert ((found.estimate > true) == above).mean() > 0.9


def test_classes_vary_together() -> None:
    """The variance of a mean of classes is not that of independent ones: the usual macro formula is wrong."""
    entries = np.array(TABLE, dtype=float).reshape(-1)
    average = ClassAverage(Formula(sm.metrics["f1"].expr, Range(0.0, 1.0)), 3)
    together = float(standard_error(average, entries, matrix_groups(3, "multinomial")))
    whole = WholeMatrix(ClassMean(sm.metrics["f1"].expr), 3, Range(0.0, 1.0))
    assert together == pytest.approx(float(standard_error(whole, entries, matrix_groups(3, "multinomial"))))
    random = np.random.default_rng(2)
    drawn = random.multinomial(178, entries / 178, size=40_000).T.astype(float)
    assert together == pytest.approx(float(average.values(drawn).std()), rel=0.03)


def test_intervals_contain_the_true_value_as_often_as_they_say() -> None:
    """At one setting of three classes; a study over more is a benchmark."""
    random = np.random.default_rng(11)
    shares = np.array([[0.5, 0.08, 0.02], [0.04, 0.14, 0.02], [0.02, 0.03, 0.15]])
    for number, name in product((200, 1000), ("kappa", "mcc", "cba")):
        tables = random.multinomial(number, shares.reshape(-1), size=300).reshape(-1, 3, 3)
        true = METRICS[name].from_confusion(shares)
        found = METRICS[name].interval(tables, draws=400)
        assert 0.915 <= ((found.low <= true) & (true <= found.high)).mean() <= 0.985, (name, number)


def test_the_interval_at_independence_is_no_point() -> None:
    """The tangent of the information coefficient is flat there: a sample would move it up, by whatever error."""
    rci, even = sm.multiclass["rci"], np.full((3, 3), 100.0)
    drawn = rci.interval(even, method="bayes")
    assert tuple(rci.interval(even)) == (0, drawn.high)  # the end that the table fits belongs to it
    other = np.array([[50.0, 5, 2], [3, 60, 4], [6, 1, 40]])
    both = rci.interval(np.stack([even, other, 2 * even]))
    assert (both.low[0], both.high[0]) == (0, drawn.high)
    assert (both.low[1], both.high[1]) == pytest.approx(tuple(rci.interval(other)), rel=1e-12)
    assert both.high[2] < both.high[0] < 0.01


@in_one_test
@pytest.mark.parametrize("name", sorted(sm.multiclass))
@pytest.mark.parametrize("shape", [(0,), (2, 0)])
def test_no_matrices_have_no_intervals(name: str, shape: tuple[int, ...]) -> None:
    found = sm.multiclass[name].interval(np.ones((*shape, 3, 3)))
    assert np.shape(found.low) == np.shape(found.high) == shape
