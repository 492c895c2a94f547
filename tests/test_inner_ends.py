"""Intervals at ends of the range inside of the tables, at kinks, and what they say of themselves."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from effort import in_one_test, some
from scipy import stats
from sympy import Abs, Expr, Max, Min

import symmetrics as sm
from symmetrics import FN, FP, TN, TP, Metric
from symmetrics.data.counts import as_counts
from symmetrics.metric.uncertainty import range_of
from symmetrics.statistics.averages import ClassAverage
from symmetrics.statistics.inner_ends import EqualSums, Independence, _mixture, inner_ends
from symmetrics.statistics.intervals import GROUPS, Formula, Question, Range
from symmetrics.statistics.methods import interval
from symmetrics.statistics.proportions import wilson
from symmetrics.statistics.score_regions import extremes_within

N = TP + FN + FP + TN
OF_INDEPENDENCE = (
    *("cramer_v", "mutual_information", "chi_square", "minimum_normalized_mutual_information", "gini_gain"),
    *("mean_square_contingency", "contingency_coefficient", "j_measure", "normalized_mutual_information", "ample"),
)
TABLES = [
    *((1, 29, 0, 30), (0, 5, 1, 54), (2, 58, 0, 0), (1, 5, 0, 54), (3, 7, 1, 49), (8, 2, 3, 47), (30, 30, 20, 40)),
    *((5, 995, 1, 9999), (400, 600, 350, 650), (40, 10, 12, 38), (0, 0, 3, 4)),
]


def formula_of(name: str) -> Formula:
    metric = sm.metrics[name]
    return Formula(metric.at_defaults(), range_of(metric))


@in_one_test
@pytest.mark.parametrize(("name", "level"), some([*product(OF_INDEPENDENCE, (0.95, 0.8))], 4))
def test_0_belongs_to_an_association_exactly_if_fishers_test_accepts_independence(name: str, level: float) -> None:
    """Scipy's Fisher test is the reference."""
    accepts = [stats.fisher_exact(np.array(table).reshape(2, 2)).pvalue > 1 - level for table in TABLES]
    low, high = sm.metrics[name].interval(*np.array(TABLES).T, level=level, draws=400)
    assert (low == 0).tolist() == accepts
    assert (high > 0).all()


@pytest.mark.parametrize("name", ["volumetric_similarity", "baulieu_8", "bray_curtis_of_totals"])
def test_an_end_at_equal_totals_belongs_to_the_interval_exactly_if_mcnemars_test_accepts(name: str) -> None:
    metric = sm.metrics[name]
    is_upper = name == "volumetric_similarity"
    tables = [(20, 3, 4, 50), (20, 1, 9, 50), (200, 10, 22, 300), (200, 10, 24, 300), (5, 0, 5, 90), (5, 0, 6, 90)]
    accepts = [stats.binomtest(fn, fn + fp).pvalue > 0.05 for _, fn, fp, _ in tables]
    found = metric.interval(*np.array(tables).T, draws=400)
    assert ((found.high if is_upper else found.low) == metric.bounds[int(is_upper)]).tolist() == accepts


def test_the_inner_ends_of_the_library_are_known() -> None:
    """An association is at its end at independence, a distance of totals where they are equal; most metrics nowhere."""
    for name in some(OF_INDEPENDENCE, 3):
        assert inner_ends(formula_of(name), 4)[0].sets == (Independence((0, 1, 2, 3)),), name
    assert inner_ends(formula_of("volumetric_similarity"), 4)[1].sets == (EqualSums((1,), (2,)),)
    assert Independence((0, 1, 2, 3)) in inner_ends(formula_of("yates_chi_square"), 4)[0].sets  # and on both sides
    for name in some(("mcc", "f1", "gmean", "kappa", "informedness", "optimized_precision", "p4"), 3):
        assert inner_ends(formula_of(name), 4) == (None, None), name


@pytest.mark.parametrize(
    ("expression", "at_end", "away"),
    [
        (((TP * TN - FN * FP) / N**2) ** 2, (6, 14, 25, 55), (40, 10, 10, 40)),
        (1 - Abs(TP / (TP + FN) - TN / (TN + FP)), (40, 10, 20, 75), (40, 10, 60, 40)),
        (Abs(TP - FN) / N, (11, 9, 40, 40), (35, 5, 40, 40)),
        (((TP - 2 * FN) / N) ** 2, (40, 21, 40, 50), (90, 2, 40, 40)),
        (((TP * FN - FP * TN) / N**2) ** 2, (6, 55, 11, 25), (30, 40, 3, 20)),
        (Max(0, (TP * TN - FN * FP) / N**2), (10, 20, 20, 35), (40, 10, 10, 40)),
    ],
)
def test_inner_ends_of_formulas_of_ones_own(expression: Expr, at_end: tuple[int, ...], away: tuple[int, ...]) -> None:
    """Near the set of tables where the formula is at its end the interval has it, far from it not."""
    found = interval(expression, Range(0.0, 1.0), as_counts(*np.array([at_end, away]).T), Question())
    side = int(found.estimate[0] > 0.9)
    assert ((found.low, found.high)[side] == side).tolist() == [True, False]


def test_independence_in_larger_matrices_is_tested_by_the_margins() -> None:
    """Monte Carlo against the chi-square distribution of scipy where that holds, and exact where one row is rare."""
    test = Independence(tuple(range(9)))
    table = np.array([[30, 20, 25], [28, 31, 19], [22, 27, 33]], dtype=float)
    known = stats.chi2_contingency(table).pvalue
    assert test.p_values(table.reshape(9, 1), Question())[0] == pytest.approx(known, rel=1e-9)
    # One example in the first row: P-value of its column by hand, (1 + 2)/6 as the columns are 1, 2 and 3 of 6.
    rare = np.array([[1, 0, 0], [0, 2, 3], [0, 0, 0]], dtype=float)
    assert test.p_values(rare.reshape(9, 1), Question())[0] == pytest.approx(1 / 6, abs=0.02)
    rci = sm.multiclass["rci"]
    assert rci.interval([[1, 0, 0], [0, 2, 3], [0, 0, 0]]).low == 0
    assert rci.interval([[30, 2, 1], [2, 28, 3], [1, 2, 31]]).low > 0
    average = ClassAverage(formula_of("cramer_v"), 3)
    assert inner_ends(average, 9)[0].sets == (test,)
    assert sm.metrics["cramer_v"].interval_from_confusion([[30, 20, 25], [28, 31, 19], [22, 27, 33]]).low == 0


@in_one_test
@pytest.mark.parametrize("groups", GROUPS)
def test_the_chi_square_interval_of_a_proportion_is_wilsons(groups: str) -> None:
    """Of accuracy if the total is fixed, of recall if the number of positives is."""
    name, places = ("accuracy", ((0, 3), (1, 2))) if groups == "multinomial" else ("recall", ((0,), (1,)))
    tables = np.random.default_rng(2).integers(0, 40, size=(4, 40)).astype(float)
    found = extremes_within(formula_of(name), tables, GROUPS[groups], np.full(40, stats.norm.ppf(0.975) ** 2))
    known = wilson(*(tables[list(place)].sum(axis=0) for place in places), 0.95)
    np.testing.assert_allclose(found, known, atol=1e-3)


def test_the_chi_square_interval_has_the_extremes_of_its_region() -> None:
    """Random shares within Pearson's distance of the counts never leave it, and come near to both its ends."""
    random = np.random.default_rng(3)
    shares = random.dirichlet([1.0] * 4, size=400_000).T
    shapes = ("optimized_precision", "worst_class_accuracy", "mcc", "overlap_coefficient")
    for table in ((8, 2, 3, 7), (5, 0, 1, 4)):
        counts = np.array(table, dtype=float)[:, None]
        distance = ((counts - counts.sum() * shares) ** 2 / (counts.sum() * shares)).sum(axis=0)
        inside = counts.sum() * shares[:, distance <= 3.84]
        for name in shapes:
            low, high = extremes_within(formula_of(name), counts, GROUPS["multinomial"], np.array([3.84]))
            values = formula_of(name).values(inside)
            assert low[0] <= values.min() + 1e-3 * (high[0] - low[0]), name
            assert high[0] >= values.max() - 1e-3 * (high[0] - low[0]), name
            assert values.min() - low[0] < 0.15 * (high[0] - low[0]), name


def test_quantiles_are_those_of_the_literature() -> None:
    # Fisher's p values are those of SciPy.
    random = np.random.default_rng(0)
    tables = np.concatenate([random.integers(0, most, size=(60, 4)) for most in (4, 40, 400)]).T.astype(float)
    found = Independence((0, 1, 2, 3)).p_values(tables, Question())
    known = [stats.fisher_exact(table.reshape(2, 2)).pvalue if table.sum() else 1.0 for table in tables.T]
    # Pearson's test stands for it where that is sure anyway.
    np.testing.assert_allclose(found, known, rtol=1e-6, atol=1e-5)
    # Of 6 and 10⁹ the smaller margin is binomial: P(5 or more, or 1 or fewer, of 6), by hand 14/64.
    rare = Independence((0, 1, 2, 3)).p_values(np.array([[5.0], [1e9], [1.0], [1e9]]), Question())
    assert rare == pytest.approx(14 / 64)
    # The mixture has the quantiles of Kodde and Palm. Table 1 of Kodde & Palm (1986): 2.706 and 5.138 are printed for
    # one and two restrictions, 8.273 at 1 %.
    assert _mixture(0.95) == pytest.approx(5.138, abs=5e-4)
    assert _mixture(0.99) == pytest.approx(8.273, abs=5e-4)


PLACES = [
    ("optimized_precision", (0.4, 0.1, 0.1, 0.4)),
    ("worst_class_accuracy", (0.095, 0.005, 0.045, 0.855)),
    ("overlap_coefficient", (0.24, 0.06, 0.06, 0.64)),
    ("mine_max", (0.4, 0.1, 0.1, 0.4)),
    ("cramer_v", (0.002, 0.098, 0.018, 0.882)),
    ("mutual_information", (0.01, 0.49, 0.01, 0.49)),
    ("mutual_information", (0.275, 0.225, 0.225, 0.275)),
]
MINE = {"mine_max": Metric("mine_max", Max(TP / (TP + FN), TP / (TP + FP)))}


@in_one_test
@pytest.mark.parametrize(("name", "shares"), some(PLACES, 3))
def test_kinks_and_inner_ends_are_covered(name: str, shares: tuple[float, ...]) -> None:
    """Of 95 % intervals at least 92 of 100 contain the true value; 200 tables leave 1.5 points of error."""
    metric = MINE.get(name) or sm.metrics[name]
    true = float(metric.exact(*(str(share) for share in shares)))
    tables = np.random.default_rng(11).multinomial(60, shares, size=200)
    found = metric.interval(*tables.T, draws=400)
    covered = (found.low <= true + 1e-12) & (found.high >= true - 1e-12)
    assert covered.mean() >= 0.92


def test_intervals_say_why_and_what_they_leave_out() -> None:
    # The interval says why.
    metrics = sm.metrics
    assert metrics["mcc"].interval(40, 10, 20, 130).why == "a cell is below 15"
    assert metrics["mcc"].interval(40, 20, 20, 130).why == "every cell has 15 or more"
    assert metrics["recall"].interval(8, 2, 0, 0).why == "it is one proportion (Wilson)"
    assert metrics["recall"].interval(80, 20, 0, 0).why.startswith("it is one proportion, with fewer than 30 of 50")
    assert "Koopman" in metrics["relative_risk"].interval(8, 2, 3, 7).why
    assert "Miettinen & Nurminen" in metrics["informedness"].interval(8, 2, 3, 7).why
    assert metrics["optimized_precision"].interval(40, 10, 10, 40).why == "the formula has a kink near by"
    assert metrics["cramer_v"].interval(1, 29, 0, 30).why == "an inner end of the range is near by"
    asked = metrics["mcc"].interval(40, 10, 20, 130, method="bayes")
    assert (asked.why, repr(asked)[-9:]) == ("", " % bayes)")
    assert repr(metrics["mcc"].interval(40, 10, 20, 130)).endswith("95 % bayes, as a cell is below 15)")
    both = metrics["mcc"].interval([40, 40], [10, 20], 20, 130)
    assert both.method == "bayes where a cell is below 15, delta elsewhere"
    assert both.why == "bayes where a cell is below 15, delta where every cell has 15 or more"
    assert (
        "as a cell is below 15" in sm.report([1] * 12 + [0] * 20, [1] * 10 + [0] * 22, ["mcc"], interval=True).to_text()
    )
    # Means name the classes that they leave out.
    truth, guess = ["cat"] * 6 + ["dog"] * 8, ["cat"] * 5 + ["dog"] * 9
    names = ["cat", "dog", "owl"]
    told = "mean over 2 of 3 classes: 'owl' does not occur"
    f1, recall, precision = (sm.metrics[name] for name in ("f1", "recall", "precision"))
    assert f1.interval_from_labels(truth, guess, labels=names, average="macro").note == told
    assert told in repr(f1.interval_from_labels(truth, guess, labels=names, average="macro"))
    weights = np.ones(len(truth))
    assert f1.interval_from_labels(truth, guess, labels=names, average="macro", sample_weight=weights).note == told
    assert f1.interval_from_labels(truth, guess, labels=names, average="micro").note == ""
    matrix = [[5, 1, 0], [2, 6, 0], [0, 3, 0]]
    assert recall.interval_from_confusion(matrix).note == ""
    assert (
        precision.interval_from_confusion(matrix, labels=names).note == "mean over 2 of 3 classes: 'owl' has no value"
    )
    assert precision.interval_from_confusion(matrix, average="weighted").note.endswith("class 2 has no value")
    assert precision.interval_from_confusion(matrix, average=[1, 1, 0]).note == ""
    balanced = sm.multiclass["balanced_accuracy"]
    assert balanced.interval([[5, 1, 0], [2, 6, 0], [0, 0, 0]], labels=names).note == told
    assert balanced.interval_from_labels(truth, guess, labels=names).note == told
    assert sm.multiclass["kappa"].interval([[5, 1, 0], [2, 6, 0], [0, 0, 0]]).note == ""
    stack = np.array([matrix, [[5, 1, 1], [2, 6, 1], [1, 3, 4]]])
    assert (
        precision.interval_from_confusion(stack).note
        == "1 of 2 tables, such as: mean over 2 of 3 classes: class 2 has no value"
    )


@in_one_test
@pytest.mark.parametrize("name", some([name for name, m in sm.metrics.items() if not m.parameters], 6))
def test_an_interval_is_a_point_only_where_the_value_is_known(name: str) -> None:
    """At tables whose cells are alike, in pairs or all, and with empty cells: none is a proof of a value."""
    metric = sm.metrics[name]
    tables = np.array(
        [[15, 15, 15, 15], [20, 20, 40, 40], [20, 40, 20, 40], [9, 0, 0, 9], [1, 29, 0, 30], [4, 4, 9, 1]]
    )
    found = metric.interval(*tables.T, draws=400)
    assert (found.low < found.high).all(), tables[found.low >= found.high]


def test_kinked_minima_of_three_are_covered() -> None:
    worst = Metric("worst_of_three", Min(TP / (TP + FN), TN / (TN + FP), TP / (TP + FP)))
    tables = np.random.default_rng(12).multinomial(60, [0.4, 0.1, 0.1, 0.4], size=150)
    found = worst.interval(*tables.T)
    assert ((found.low <= 0.8) & (found.high >= 0.8)).mean() >= 0.92
