"""Intervals for the values of metrics: published examples, other libraries, and what holds at every table."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from effort import in_one_test, is_thorough, places, some
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.optimize import minimize_scalar

import symmetrics as sm
from symmetrics import FN, FP, TN, TP, Metric
from symmetrics.data.counts import FloatArray
from symmetrics.language.formula import parse_formula
from symmetrics.metric.uncertainty import range_of
from symmetrics.statistics.averages import ClassAverage
from symmetrics.statistics.intervals import GROUPS, METHODS, SAMPLINGS, Formula, Question, Range, Scale
from symmetrics.statistics.proportions import Pair, Proportion, koopman, mid_p, miettinen_nurminen, shape_of
from symmetrics.statistics.resampling import _equal_tails, _resampled, _shortest
from symmetrics.tools.errors import InputError

counts = st.integers(0, 60)
BOUND = {name: metric for name, metric in sm.metrics.items() if all(p.default is not None for p in metric.parameters)}


@given(counts, counts)
def test_one_proportion_as_in_scipy(successes: int, failures: int) -> None:
    if successes + failures == 0:
        return
    test = stats.binomtest(successes, successes + failures)
    for method, theirs in {"score": "wilson", "exact": "exact"}.items():
        low, high = test.proportion_ci(method=theirs)
        found = sm.metrics["tnr"].interval(3, 4, failures, successes, method=method)
        assert [*found] == pytest.approx([low, high], abs=1e-10)
    found = sm.metrics["tpr"].interval(successes, failures, 0, 0, method="jeffreys")
    posterior = stats.beta(successes + 0.5, failures + 0.5)
    assert found.low == pytest.approx(posterior.ppf(0.025) if successes else 0, abs=1e-10)
    assert found.high == pytest.approx(posterior.ppf(0.975) if failures else 1, abs=1e-10)


@given(st.integers(0, 3000), st.integers(0, 3000), st.sampled_from([0.5, 0.9, 0.95, 0.999]))
def test_mid_p_values_at_their_ends_are_half_the_error(successes: int, failures: int, level: float) -> None:
    number = successes + failures
    (low,), (high,) = mid_p(np.array([float(successes)]), np.array([float(failures)]), level)
    tail = (1 - level) / 2
    if successes:
        above = stats.binom.sf(successes, number, low) + stats.binom.pmf(successes, number, low) / 2
        assert above == pytest.approx(tail, rel=1e-9)
    if failures:
        below = stats.binom.cdf(successes - 1, number, high) + stats.binom.pmf(successes, number, high) / 2
        assert below == pytest.approx(tail, rel=1e-9)
    assert successes > 0 or low == 0
    assert failures > 0 or high == 1


def _log_likelihood(successes: float, number: float, share: float) -> float:
    rest = number - successes
    return float((successes and successes * np.log(share)) + (rest and rest * np.log1p(-share)))


def _restricted(table: tuple[int, ...], first_of: object, lowest: float, highest: float) -> tuple[float, float]:
    """Return the most likely proportions of which the first is a function of the second, by plain search."""
    x1, n1, x2, n2 = table

    def loss(second: float) -> float:
        return -_log_likelihood(x1, n1, first_of(second)) - _log_likelihood(x2, n2, second)

    second = minimize_scalar(loss, bounds=(lowest, highest), method="bounded", options={"xatol": 1e-13}).x
    return first_of(second), second


@pytest.mark.parametrize("table", [(15, 40, 7, 33), (24, 51, 24, 26), (14, 15, 34, 53), (3, 4, 2, 54)])
def test_the_ends_are_where_the_score_test_is_at_its_level(table: tuple[int, ...]) -> None:
    """Both for a difference and for a quotient; the most likely proportions are searched for, not solved for."""
    x1, n1, x2, n2 = table
    z = stats.norm.ppf(0.975)
    pair = Pair(*(np.array([float(count)]) for count in table))
    for end in miettinen_nurminen(pair, 0.95):
        shift = end[0]
        p1, p2 = _restricted(table, lambda p, d=shift: p + d, max(0, -shift), min(1, 1 - shift))
        variance = (p1 * (1 - p1) / n1 + p2 * (1 - p2) / n2) * (n1 + n2) / (n1 + n2 - 1)
        assert abs(x1 / n1 - x2 / n2 - shift) / variance**0.5 == pytest.approx(z, abs=1e-5)
    for end in koopman(pair, 0.95):
        factor = end[0]
        p1, p2 = _restricted(table, lambda p, f=factor: p * f, 0.0, min(1, 1 / factor))
        variance = p1 * (1 - p1) / n1 + factor**2 * p2 * (1 - p2) / n2
        assert abs(x1 / n1 - factor * x2 / n2) / variance**0.5 == pytest.approx(z, abs=1e-5)


@pytest.mark.parametrize(("first", "second"), [((1, 0), (3, 0)), ((0, 1), (0, 3)), ((0, 0), (2, 0)), ((0, 1), (3, 0))])
def test_rare_successes_and_failures_of_many_examples_keep_their_digits(
    first: tuple[int, int], second: tuple[int, int]
) -> None:
    """Where a few of n succeed, or fail, the difference less what it is without them is as 1/n."""

    def ends(n: float) -> FloatArray:
        rare = [n - missed if missed else hit for hit, missed in (first, second)]
        found = miettinen_nurminen(Pair(*(np.array([count]) for count in (rare[0], n, rare[1], n))), 0.95)
        return n * (np.concatenate(found) - (bool(first[1]) - bool(second[1])))

    assert ends(1e9) == pytest.approx(ends(1e6), rel=1e-5)


@given(st.tuples(counts, counts, counts, counts), st.sampled_from(["score", "exact", "midp", "jeffreys"]))
def test_a_function_of_a_proportion_has_the_mapped_interval(table: tuple[int, ...], method: str) -> None:
    """F1 = 2J/(1 + J), so the ends for F1 are those for Jaccard's index, mapped."""
    jaccard, f1 = (sm.metrics[name].interval(*table, method=method) for name in ("jaccard", "f1"))
    assert [*f1] == pytest.approx([2 * end / (1 + end) for end in jaccard])


@pytest.mark.parametrize("method", ["score", "exact", "midp", "jeffreys"])
def test_odds_have_the_interval_of_their_share_mapped_although_they_have_no_largest_value(method: str) -> None:
    """TP/FN is r/(1 - r) of recall r, which rises, and FN/TP is (1 - r)/r, which falls."""
    low, high = sm.metrics["recall"].interval(8, 3, 5, 6, method=method)
    for odds, ends in (
        (TP / FN, (low / (1 - low), high / (1 - high))),
        (FN / TP, ((1 - high) / high, (1 - low) / low)),
    ):
        assert [*sm.Metric("odds", odds).interval(8, 3, 5, 6, method=method)] == pytest.approx(ends)


@pytest.mark.parametrize("name", some(BOUND, 10))
def test_what_a_formula_is_made_of_is_found(name: str) -> None:
    """A formula in two or three cells that is made of one proportion is found to be, by its values at a few tables."""
    made_of = shape_of(BOUND[name].at_defaults())
    if isinstance(made_of, Proportion):
        for table in ((3, 1, 4, 2), (10, 7, 1, 5)):
            share = sum(table[i] for i in made_of.successes) / sum(
                table[i] for i in (*made_of.successes, *made_of.failures)
            )
            above, below = ([float(number) for number in part] for part in (made_of.above, made_of.below))
            value = np.polyval(above, share) / np.polyval(below, share)
            assert value == pytest.approx(BOUND[name].from_counts(*table))


FACES = np.array([*product((0, 1, 7), repeat=4), *product((0, 400), repeat=4)]).T.astype(float)
TINY = np.array(list(product((0, 1e-3, 40), repeat=4))).T
DRAWN = ("bootstrap", "bca", "studentised")


@pytest.mark.parametrize("name", some(BOUND, 2))
@pytest.mark.parametrize("method", ["auto", "delta", "bayes", "highest", *DRAWN])
@pytest.mark.filterwarnings("error")
def test_at_every_face_the_interval_lies_in_the_range_around_the_value(name: str, method: str) -> None:
    """Whatever cells are empty or tiny; without a value the ends are still numbers, for the prior tells something."""
    metric = BOUND[name]
    tables = FACES if method in DRAWN else np.concatenate([FACES, TINY], axis=1)
    tables = tables if is_thorough() else tables[:, ::4]
    low, high = range_of(metric)
    for sampling in some(SAMPLINGS, 1, name + method):
        found = metric.interval(*tables, method=method, draws=100, sampling=sampling)
        assert not np.isnan(found.low).any()
        assert not np.isnan(found.high).any()
        assert (low <= found.low).all()
        assert (found.low <= found.high).all()
        assert (found.high <= high).all()
        known = ~np.isnan(found.estimate)
        assert (known == ~np.isnan(metric.from_counts(*tables))).all()
        assert (found.low <= found.estimate)[known].all()
        assert (found.estimate <= found.high)[known].all()


@pytest.mark.sampled(1)
@pytest.mark.parametrize("name", ["f1", "precision", "mcc"])
def test_at_every_face_so_does_the_interval_of_an_average(name: str) -> None:
    entries = np.array(list(product((0, 3), repeat=9))).reshape(-1, 3, 3)
    matrices = entries[places(len(entries), 40, name)]
    low, high = range_of(sm.metrics[name])
    for method, average in product(("auto", "delta", "bayes", "bootstrap"), ("macro", "weighted", "micro")):
        found = sm.metrics[name].interval_from_confusion(matrices, average=average, method=method, draws=100)
        assert (low <= found.low).all(), (method, average)
        assert (found.low <= found.high).all(), (method, average)
        assert (found.high <= high).all(), (method, average)
        known = ~np.isnan(found.estimate)
        assert ((found.low <= found.estimate) & (found.estimate <= found.high))[known].all(), (method, average)


@in_one_test
@pytest.mark.parametrize(("name", "number"), [("accuracy", 50), ("accuracy", 200), ("recall", 100), ("recall", 500)])
@pytest.mark.parametrize("share", [0.6, 0.8, 0.9, 0.95])
def test_auto_covers_a_proportion_as_often_as_it_says_by_adding_up(name: str, number: int, share: float) -> None:
    """With few misses of many by mid-p values, elsewhere by Wilson's; half of what misses is on either side."""
    right = np.arange(number + 1)
    found = sm.metrics[name].interval(right, number - right, 0 * right, 0 * right)
    probable = stats.binom.pmf(right, number, share)
    above, below = probable[found.low > share].sum(), probable[found.high < share].sum()
    assert 0.93 <= 1 - above - below <= 0.965
    assert abs(above - below) <= 0.02 or number == 50


def test_auto_says_what_it_took() -> None:
    recall, accuracy = sm.metrics["recall"], sm.metrics["accuracy"]
    assert recall.interval(8, 2, 0, 0).method == "score"
    assert recall.interval(80, 20, 0, 0).method == "midp"
    assert recall.interval(60, 40, 0, 0).method == "score"
    assert accuracy.interval(8, 2, 0, 0).method == "midp"
    assert recall.interval(8, 2, 5, 5, sampling="binomial").method == "midp"
    both = recall.interval([8, 80], [2, 20], 0, 0)
    assert both.method == "midp where fewer than 30 of 50 or more are right or wrong, score elsewhere"
    assert [both.low[0], both.high[0]] == [*recall.interval(8, 2, 0, 0, method="score")]
    assert [both.low[1], both.high[1]] == [*recall.interval(80, 20, 0, 0, method="midp")]


@pytest.mark.parametrize(
    ("matrix", "method"),
    [
        ([[4, 0, 0], [2, 30, 1], [0, 3, 20]], "bayes"),
        ([[4, 1, 0], [2, 30, 1], [0, 3, 20]], "delta"),
        ([[40, 1, 0], [2, 300, 1], [0, 3, 200]], "bayes"),
        ([[40, 20, 15], [15, 300, 20], [16, 15, 200]], "delta"),
    ],
)
def test_auto_of_an_average_is_the_posterior_where_few_examples_or_cells_tell(matrix: object, method: str) -> None:
    assert sm.metrics["f1"].interval_from_confusion(matrix).method == method


def test_ends_of_equal_tails_are_the_quantiles_of_numpy() -> None:
    drawn = np.random.default_rng(7).gamma(2.0, size=(4, 101))
    assert np.array(_equal_tails(0.9)(drawn, slice(None))) == pytest.approx(np.quantile(drawn, [0.05, 0.95], axis=1))
    drawn[1, :40] = np.nan
    assert np.array(_equal_tails(0.9)(drawn, slice(None))) == pytest.approx(np.nanquantile(drawn, [0.05, 0.95], axis=1))
    drawn[2, 10:] = np.inf
    for rows in (drawn[2:3], drawn):  # with values missing in another row, and without
        assert np.isposinf(_equal_tails(0.9)(rows, slice(None))[1]).sum() == 1


@pytest.mark.parametrize("level", [0.5, 0.8, 0.95])
def test_the_shortest_interval_has_its_share_of_the_draws_and_none_with_as_many_is_shorter(level: float) -> None:
    drawn = np.random.default_rng(11).gamma(2.0, size=(3, 20))
    for row, low, high in zip(drawn, *_shortest(level)(drawn, slice(None)), strict=True):
        assert ((low <= row) & (row <= high)).sum() == np.ceil(level * row.size)
        for first, last in product(row, repeat=2):
            if ((first <= row) & (row <= last)).mean() >= level:
                assert last - first >= high - low


def test_draws_are_of_the_distributions_that_are_told() -> None:
    """Moments of the posterior and of multinomial draws, of tables with and without an empty cell."""
    draws, error = (400_000, 1e-3) if is_thorough() else (100_000, 2e-3)
    shares = sm.metrics["recall"].interval(30, 12, 8, 50, method="bayes", draws=draws)
    assert [*shares] == pytest.approx(stats.beta(30.5, 12.5).ppf([0.025, 0.975]), abs=error)
    for sampling, groups in GROUPS.items():
        table = np.array([30.0, 0.0, 8.0, 50.0])
        drawn = _resampled(table, groups, Question(sampling=sampling, draws=40_000))
        for group in groups:
            chosen = list(group)
            assert (drawn[chosen].sum(axis=0) == table[chosen].sum()).all()
        mean, total = drawn.mean(axis=1), table.sum()
        assert mean == pytest.approx(table, abs=0.2)
        if sampling == "multinomial":
            expected = np.diag(table) - np.outer(table, table) / total
            assert np.cov(drawn) == pytest.approx(expected, abs=0.6)


@in_one_test
@pytest.mark.parametrize("method", METHODS)
def test_intervals_of_arrays_are_those_of_their_tables(method: str) -> None:
    metric = sm.metrics["jaccard"]
    tables = np.array([[5, 1, 2, 8], [40, 10, 20, 30], [5, 1, 2, 8]])
    whole = metric.interval(*tables.T, method=method, draws=300)
    assert whole.low[0] == whole.low[2]
    for table, low, high in zip(tables, whole.low, whole.high, strict=True):
        assert [*metric.interval(*table, method=method, draws=300)] == [low, high]


def test_the_posterior_of_a_proportion_is_a_beta() -> None:
    draws = 200_000 if is_thorough() else 60_000
    found = sm.metrics["recall"].interval(15, 33, 6, 4, method="bayes", draws=draws)
    assert [*found] == pytest.approx(stats.beta(15.5, 33.5).ppf([0.025, 0.975]), abs=2e-3)
    shortest = sm.metrics["recall"].interval(1, 33, 6, 4, method="highest", draws=draws)
    tails = sm.metrics["recall"].interval(1, 33, 6, 4, method="bayes", draws=draws)
    assert shortest.width < tails.width
    assert stats.beta(1.5, 33.5).cdf(shortest.high) - stats.beta(1.5, 33.5).cdf(shortest.low) == pytest.approx(
        0.95, abs=5e-3
    )


def test_bootstraps_agree_with_scipy() -> None:
    table, metric = (40, 10, 20, 130), sm.metrics["mcc"]
    true = np.repeat([1, 1, 0, 0], table)
    predicted = np.repeat([1, 0, 1, 0], table)

    def value(t: np.ndarray, p: np.ndarray, axis: int = -1) -> np.ndarray:
        cells = (t * p, t * (1 - p), (1 - t) * p, (1 - t) * (1 - p))
        return metric.from_counts(*(cell.sum(axis=axis) for cell in cells))

    for ours, theirs in {"bootstrap": "percentile", "bca": "BCa"}.items():
        expected = stats.bootstrap(
            (true, predicted), value, paired=True, vectorized=True, method=theirs, n_resamples=4000, rng=1
        ).confidence_interval
        found = metric.interval(*table, method=ours)
        assert [*found] == pytest.approx([expected.low, expected.high], abs=0.012), ours


def test_with_fixed_classes_the_error_of_recall_and_fallout_is_binomial() -> None:
    metric = sm.Metric("mine", TP / (TP + FN) - FP / (FP + TN))
    found = metric.interval(400, 100, 300, 1200, method="delta", sampling="binomial")
    error = (0.8 * 0.2 / 500 + 0.2 * 0.8 / 1500) ** 0.5
    assert found.width / 2 / 1.959964 == pytest.approx(error, rel=0.01)
    prevalence = sm.metrics["prevalence"].interval(400, 100, 300, 1200, sampling="binomial", method="delta")
    assert prevalence.width < 2e-4  # the quarter of a count, and nothing else


@in_one_test
@pytest.mark.parametrize("ends", [(0.0, 1.0), (-1.0, 1.0), (0.0, np.inf), (-np.inf, 2.0), (-np.inf, np.inf)])
def test_scales_are_inverted_and_have_their_slope(ends: tuple[float, float]) -> None:
    scale, values = Scale(Range(*ends)), np.array([0.1, 0.4, 0.77])
    assert scale.back(scale.to(values)) == pytest.approx(values)
    assert scale.slope(values) == pytest.approx((scale.to(values + 1e-6) - scale.to(values - 1e-6)) / 2e-6, rel=1e-6)


def test_averages_are_those_of_their_parts() -> None:
    # The slopes of averages are their derivatives.
    random = np.random.default_rng(0)
    entries = random.integers(3, 40, (9, 5)).astype(float)
    for key, average in product(("f1", "mcc"), ("macro", "weighted", "micro", (1, 2, 3))):
        estimator = ClassAverage(Formula(sm.metrics[key].at_defaults(), Range(-1.0, 1.0)), 3, average)
        for place, slope in enumerate(estimator.slopes(entries)):
            step = np.zeros_like(entries)
            step[place] = 1e-4
            numeric = (estimator.values(entries + step) - estimator.values(entries - step)) / 2e-4
            assert slope == pytest.approx(numeric, abs=1e-9), (key, average)
    # Two classes in a matrix are as in a table. The micro average of accuracy counts each example once, and is a
    # proportion.
    found = sm.metrics["accuracy"].interval_from_confusion([[50, 5], [4, 60]], average="micro")
    assert [*found] == [*sm.metrics["accuracy"].interval(60, 4, 5, 50)]
    # The range of a formula of one's own is proved.
    assert range_of(sm.Metric("mine", (TP - FN) / (TP + FN))) == (-1, 1)
    assert range_of(sm.Metric("mine", TP * TN / (FN * FP))) == (0, np.inf)


@in_one_test
@pytest.mark.parametrize("successes", [1, 5, 28])
@pytest.mark.parametrize("number", [1e12, 1e15, 1e30])
def test_of_few_successes_among_very_many_both_ends_are_those_of_a_poisson_number(
    successes: int, number: float
) -> None:
    found = sm.metrics["tpr"].interval(successes, number, 0, 0, method="midp")
    seen, tail = stats.poisson(number * np.array([found.low, found.high])).pmf(successes) / 2, (1 - 0.95) / 2
    rare = stats.poisson.sf(successes, number * found.low), stats.poisson.cdf(successes - 1, number * found.high)
    assert seen + rare == pytest.approx([tail, tail], rel=1e-9)


@pytest.mark.parametrize("method", ["bayes", "highest", "bootstrap", "bca", "studentised"])
def test_a_level_that_the_draws_cannot_tell_is_refused(method: str) -> None:
    """Of a thousand draws the outermost ones are no ends of an interval of 99.9999 %."""
    mcc = sm.metrics["mcc"]
    assert mcc.interval(20, 12, 8, 50, method=method, level=0.998, draws=1000).level == 0.998
    with pytest.raises(InputError, match=r"level=0\.999999 is told by 2000000 draws or more, and draws=1000"):
        mcc.interval(20, 12, 8, 50, method=method, level=0.999999, draws=1000)


def test_where_draws_cannot_tell_a_level_auto_takes_the_delta_method() -> None:
    found = [sm.metrics["mcc"].interval(4, 3, 2, 10, level=level, draws=1000) for level in (0.99, 0.999999, 1 - 1e-12)]
    assert [each.method for each in found] == ["bayes", "delta", "delta"]
    assert found[2].low < found[1].low < found[0].low < found[0].high < found[1].high < found[2].high
    truth, first, second = columns_of_thirty()
    assert sm.compare(truth, first, second, "mcc", level=0.999999).method == "score"
    with pytest.raises(InputError, match=r"level=0\.999999 is told by 2000000 draws"):
        sm.metrics["mcc"].interval_from_labels(
            truth, first, groups=[place // 2 for place in range(30)], method="bootstrap", level=0.999999
        )
    with pytest.raises(InputError, match=r"level=0\.999999 is told by 2000000 draws"):
        sm.curves.score_interval(truth, range(30), "auc", method="bootstrap", level=0.999999)


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("volumetric_similarity", (500, 20, 20, 500)),
        ("cramer_v", (100, 100, 100, 100)),
        ("chi_square", (50, 50, 150, 150)),
        ("expected_agreement", (100, 100, 100, 101)),
        ("j_measure_symmetric", (50, 50, 150, 150)),
        ("adjusted_rand_index", (20, 20, 20, 20)),
    ],
)
def test_where_the_tangent_is_flat_auto_does_not_take_its_error(name: str, cells: tuple[int, ...]) -> None:
    """An interval is not the narrower the more examples would move the value to both sides, or to one."""
    metric = sm.metrics[name]
    found = metric.interval(*cells)
    assert found.method == "chi_square"
    low, high = metric.interval(*cells, method="chi_square")
    ends = metric.bounds or (-np.inf, np.inf)
    assert found.low in (low, ends[0])  # an end that the table fits belongs to it
    assert found.high in (high, ends[1])
    drawn = metric.interval(*cells, method="bayes")
    assert (found.high - found.low) == pytest.approx(drawn.high - drawn.low, rel=0.25)
    wide = metric.interval(*cells, level=0.999999)  # no draws are needed
    assert ends[0] <= wide.low <= found.low <= found.high <= wide.high <= ends[1]


@pytest.mark.parametrize("name", ["cramer_v", "mutual_information", "chi_square"])
def test_independence_belongs_to_intervals_of_associations_as_often_as_they_say(name: str) -> None:
    """Of truth and prediction that are independent the true value is 0, which no draw is."""
    tables = np.random.default_rng(1).multinomial(400, [0.1, 0.15, 0.3, 0.45], size=120).T.astype(float)
    found = sm.metrics[name].interval(*tables, draws=400)
    assert np.mean(found.low == 0) >= 0.93
    far = sm.metrics[name].interval(80, 20, 60, 240)
    assert far.low > 0


def test_ends_inside_of_the_tables() -> None:
    # An end inside of the tables belongs to intervals of matrices.
    tables = np.random.default_rng(1).multinomial(600, [1 / 9] * 9, size=60).astype(float).reshape(-1, 3, 3)
    assert np.mean(sm.multiclass["rci"].interval(tables).low == 0) >= 0.93
    # An end at zero cells alone is not inside of the tables.
    assert sm.metrics["precision"].interval(3, 9, 97, 300, method="auto").low > 0
    assert sm.metrics["f1"].interval(2, 9, 97, 300).low > 0


def test_where_the_tangent_is_flat_the_interval_of_weighted_examples_is_no_point() -> None:
    truth, predicted = np.repeat([1, 1, 0, 0], 100), np.tile(np.repeat([1, 0], 100), 2)
    settings_of_sample: list[dict[str, Any]] = [{"sample_weight": np.ones(400)}, {"groups": np.arange(400) // 2}]
    flat = ("cramer_v", "volumetric_similarity", "expected_agreement")
    for drawn, name in some(product(settings_of_sample, flat), 3):
        found = sm.metrics[name].interval_from_labels(truth, predicted, **drawn)
        assert found.method == "bootstrap"
        assert found.high - found.low > 1e-3
    perfect = sm.metrics["f1"].interval_from_labels(truth, truth, sample_weight=np.ones(400))
    assert perfect.method == "delta"
    assert perfect.low < perfect.high == 1


def columns_of_thirty() -> tuple[list[int], list[int], list[int]]:
    return [1, 0, 1] * 10, [1, 0, 0] * 6 + [1, 1, 0, 1] * 3, [1, 0, 1] * 8 + [0, 0, 1] * 2


def test_which_methods_are_for_which_examples() -> None:
    # Proportions across classes are not binomial where the classes are fixed.
    with pytest.raises(InputError, match="precision is none with binomial sampling"):
        sm.metrics["precision"].interval(4, 1, 3, 12, method="score", sampling="binomial")
    assert sm.metrics["precision"].interval(4, 1, 3, 12, sampling="binomial").method == "bayes"
    # The bootstrap wants whole counts.
    with pytest.raises(InputError, match=r"counts that are not whole, and the bootstrap draws examples"):
        sm.metrics["mcc"].interval(4.5, 1, 3, 12, method="bootstrap")


@in_one_test
@pytest.mark.parametrize("method", ["bayes", "delta", "bootstrap"])
@pytest.mark.parametrize("formula", ["1", "0", "log(2)"])
def test_a_constant_is_known_without_an_error(formula: str, method: str) -> None:
    metric = Metric(formula, parse_formula(formula))
    assert [*metric.interval(1, 2, 3, 4, method=method)] == pytest.approx([metric.from_counts(1, 2, 3, 4)] * 2)


def test_tables_that_tell_little() -> None:
    # Differences of hardly any weight may be anything. Miettinen and Nurminen's factor N/(N - 1) has no meaning at
    # sums of weights of 1 or less.
    for table in ((0.25, 0.25, 0.25, 0.25), (1e-3, 0, 0, 1e-3), (0, 0.5, 0, 0)):
        assert [*sm.metrics["informedness"].interval(*table)] == [-1, 1]
    # Ends that rounding puts the other way round are equal.
    low, high = sm.metrics["contingency_coefficient"].interval(0, 0, 0, 0, method="delta")
    assert low <= high
    # Without any example of a class the interval is what the prior leaves.
    found = sm.metrics["recall"].interval(0, 0, 3, 12)
    assert np.isnan(found.estimate)
    assert [*found] == [0, 1]


def test_intervals_contain_the_true_value_as_often_as_they_say() -> None:
    """At one setting; the whole study is a benchmark."""
    random = np.random.default_rng(5)
    shares = np.array([0.2, 0.05, 0.1, 0.65])
    tables = random.multinomial(200, shares, size=400)
    for name in ("mcc", "f1", "kappa"):
        true = sm.metrics[name].from_counts(*(shares * 200))
        found = sm.metrics[name].interval(*tables.T, draws=500)
        assert 0.92 <= ((found.low <= true) & (true <= found.high)).mean() <= 0.98, name


@pytest.mark.filterwarnings("error")
def test_score_intervals_of_huge_counts_have_both_ends() -> None:
    """With 3 and 1 errors the distances from 1 are those of a Poisson number, over ten times as many examples each."""
    for less, more in ((10.0**10, 10.0**11), (10.0**12, 10.0**13)):
        gaps = [1 - np.array([*sm.metrics["informedness"].interval(n, 3, 1, n)]) for n in (less, more)]
        np.testing.assert_allclose(gaps[0], 10 * gaps[1], rtol=2e-2 if more > 1e12 else 1e-3)
        lows = [sm.metrics["positive_likelihood_ratio"].interval(n, 3, 1, n).low for n in (less, more)]
        assert lows[1] == pytest.approx(10 * lows[0], rel=1e-3)
    low, high = sm.metrics["informedness"].interval(1e300, 1, 1, 1e300)
    assert 1 - 1e-15 <= low <= high == 1
    assert sm.metrics["positive_likelihood_ratio"].interval(1e300, 1, 1, 1e300).low > 1e290
