"""Few examples, data sets and folds: what a sample cannot tell is not told."""

from __future__ import annotations

import inspect
from itertools import pairwise
from math import comb, nan

import numpy as np
import pytest
from effort import in_one_test
from scipy import stats

import symmetrics as sm
from symmetrics import curves
from symmetrics.curves import delong_test, operating, score_interval
from symmetrics.curves.bands import BANDS, smirnov_ends
from symmetrics.curves.measures import SCORE_MEASURES
from symmetrics.evaluation.rank_tests import friedman
from symmetrics.tools.errors import InputError, SymmetricsError

SAMPLES = {
    "separated": ([1, 1, 0, 0, 0], [5, 4, 3, 2, 1]),
    "the wrong way round": ([1, 1, 0, 0, 0], [1, 2, 3, 4, 5]),
    "one score for all": ([1, 1, 0, 0, 0], [1, 1, 1, 1, 1]),
    "two scores": ([1, 1, 0, 0, 0], [2, 1, 2, 1, 1]),
    "one in the wrong place": ([1, 1, 1, 0, 1, 0, 0, 0], [8, 7, 6, 5, 4, 3, 2, 1]),
    "mixed": ([1, 0, 1, 0, 0, 1, 0, 0], [8, 7, 6, 5, 4, 3, 2, 1]),
    "a single positive": ([1, 0, 0, 0], [3, 4, 2, 1]),
    "a single negative": ([1, 1, 1, 0], [4, 3, 1, 2]),
}
COPIES = (1, 2, 5)


def of_copies(sample: str, measure: str, **settings: object) -> list[tuple[float, float]]:
    """Return the intervals of more and more copies of a sample, from -inf to inf where they are refused."""
    truth, score = SAMPLES[sample]
    found = []
    for copies in COPIES:
        try:
            found.append(tuple(score_interval(truth * copies, score * copies, measure, draws=100, **settings)))
        except InputError:
            found.append((-np.inf, np.inf))
    return found


@in_one_test
@pytest.mark.sampled(12)
@pytest.mark.parametrize("sample", SAMPLES)
@pytest.mark.parametrize("measure", SCORE_MEASURES)
def test_more_copies_of_a_sample_have_a_shorter_interval_that_is_no_point(sample: str, measure: str) -> None:
    low, high = (-1, 1) if measure == "gini" else (0, 1)
    methods = ("auto", "bootstrap", "delong") if measure in ("auc", "gini") else ("auto", "bootstrap")
    for method in methods:
        ends = of_copies(sample, measure, method=method)
        for (first_low, first_high), (next_low, next_high) in pairwise(ends):
            assert low <= next_low < next_high <= high
            shrinks = next_high - next_low < first_high - first_low
            assert shrinks or (first_low, first_high) == (low, high), (method, ends)
        if sample.startswith("a single"):
            assert ends[0] == (-np.inf, np.inf)  # all measures refuse it
            with pytest.raises(InputError, match="a class has a single example"):
                score_interval(*SAMPLES[sample], measure, method=method)


@in_one_test
@pytest.mark.sampled(6)
@pytest.mark.parametrize("sample", ["separated", "one score for all", "mixed"])
@pytest.mark.parametrize("measure", SCORE_MEASURES)
def test_so_have_more_groups_and_classes_of_fixed_size(sample: str, measure: str) -> None:
    truth, score = SAMPLES[sample]
    widths = []
    for copies in COPIES:
        groups = np.arange(len(truth) * copies)
        of_groups = score_interval(truth * copies, score * copies, measure, groups=groups, draws=100)
        fixed = score_interval(truth * copies, score * copies, measure, sampling="binomial", draws=100)
        assert min(of_groups.width, fixed.width) > 0
        widths.append((of_groups.width, fixed.width))
    assert all(after <= before for one, other in pairwise(widths) for before, after in zip(one, other, strict=True))


def test_samples_of_few_examples() -> None:
    # The area is no surer than Newcombe's interval. Newcombe (2006), part 2, method 5: at both ends the area is z
    # standard errors off, by all of his formula.
    truth, score = [1] * 4 + [0] * 9, [9, 8, 3, 7, 5, 6, 1, 2, 4, 0, 3.5, 5.5, 6.5]
    found = score_interval(truth, score)
    alone = score_interval(truth, score, method="delong")
    assert found.low <= alone.low
    assert alone.high <= found.high
    value = np.linspace(1e-6, 1 - 1e-6, 200_001)
    q1, q2, mean = value / (2 - value), 2 * value**2 / (1 + value), (4 + 9) / 2
    variance = (value * (1 - value) + (mean - 1) * (q1 + q2 - 2 * value**2)) / (4 * 9)
    by_hand = value[(value - found.estimate) ** 2 <= stats.norm.ppf(0.975) ** 2 * variance]
    assert found.low == pytest.approx(min(alone.low, by_hand[0]), abs=1e-5)
    assert found.high == pytest.approx(max(alone.high, by_hand[-1]), abs=1e-5)
    # The distance of two samples is that of their test. It may be 0 exactly where Smirnov's bound does not reject;
    # the upper end solves its quadratic equation.
    for positives, negatives in ((1, 40), (3, 57), (20, 20)):
        inverse = 1 / positives + 1 / negatives
        critical = (-np.log(0.025) / 2 * inverse) ** 0.5
        for distance in (0.0, min(critical * 0.999, 1.0)):
            assert smirnov_ends(distance, positives, negatives, 0.95)[0] == 0
        if critical < 0.99:
            assert smirnov_ends(critical * 1.001, positives, negatives, 0.95)[0] > 0
            exact = stats.ks_2samp(np.arange(positives), np.arange(negatives) + positives, alternative="greater").pvalue
            assert exact == pytest.approx(1 / comb(positives + negatives, positives))
        for distance in (0.0, 0.3, 0.9):
            high = smirnov_ends(distance, positives, negatives, 0.95)[1]
            spread = stats.norm.ppf(0.975) * ((1 - high**2) / 4 * inverse) ** 0.5
            assert high - distance == pytest.approx(spread)
    # Fewer positives never make the distance surer. With one positive example the lower end was .975; with ten .62.
    ends = []
    for positives in (2, 3, 5, 10, 50):
        truth = [1] * positives + [0] * 60
        for method in ("auto", "bootstrap"):
            found = score_interval(truth, range(len(truth), 0, -1), "kolmogorov_smirnov", method=method, draws=100)
            ends.append((method, found.low))
    for method in ("auto", "bootstrap"):
        lows = [low for name, low in ends if name == method]
        assert lows == sorted(lows)
        assert lows[0] < 0.12  # as 84 % of the positives may be wrong and 6 % of the negatives


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("positives", "negatives"), [(2, 2), (3, 3), (3, 30), (6, 4), (12, 12)])
def test_p_values_of_two_areas_are_not_below_what_the_smaller_class_supports(positives: int, negatives: int) -> None:
    """If each of m examples favours either score by chance, all favour the same one with probability 2**(1 - m)."""
    random, truth = np.random.default_rng(1), [1] * positives + [0] * negatives
    number = len(truth)
    scores = [list(range(number)), list(range(number, 0, -1)), [0] * number]
    scores += [random.permutation(number).tolist() for _ in range(4)]
    nearly = list(range(number, 0, -1))
    nearly[positives - 1 : positives + 1] = nearly[positives], nearly[positives - 1]
    for first in scores:
        for second in (*scores, nearly):
            found, p_value = delong_test(truth, first, second)
            turned, same = delong_test(truth, second, first)
            assert p_value >= 2.0 ** (1 - min(positives, negatives))
            assert found.width > 0
            assert (p_value > 0.05) == (found.low <= 0 <= found.high)
            assert (turned.low, turned.high, same) == pytest.approx((-found.high, -found.low, p_value))


def test_equal_areas_of_few_examples_are_seldom_told_apart() -> None:
    # More copies make two areas no less different.
    truth, first = SAMPLES["mixed"]
    for second in ([1, 2, 3, 4, 5, 6, 7, 8], [3, 1, 2, 8, 7, 4, 5, 6], [1] * 8, first):
        found = [delong_test(truth * copies, first * copies, second * copies) for copies in COPIES]
        for (one, p_value), (more, smaller) in pairwise(found):
            assert more.width < one.width
            assert smaller <= p_value
    # Equal areas of few examples are seldom told apart. A seeded simulation: two scores of 5 + 15 examples with as
    # much noise each, 5 % at most but for chance.
    random, truth = np.random.default_rng(8), np.repeat([1, 0], (6, 14))
    told = 0
    for _ in range(150):
        shared = truth + random.normal(size=20)
        told += delong_test(truth, *(shared + random.normal(size=20) for _ in range(2)))[1] <= 0.05
    assert told <= 14  # of 150, 7.5 are expected at the level; 15 or more have a probability of 0.9 %


@in_one_test
@pytest.mark.parametrize("method", ["bootstrap", "bca", "studentised"])
@pytest.mark.parametrize("name", ["mcc", "f1", "recall", "kappa", "gmean", "accuracy", "fpr"])
def test_bootstraps_of_tables_with_empty_cells_are_no_points_and_shrink(name: str, method: str) -> None:
    metric = sm.metrics[name]
    for cells in ((5, 0, 0, 5), (5, 0, 0, 0), (0, 0, 0, 5), (0, 0, 3, 5), (1, 0, 0, 5), (0, 5, 5, 0), (5, 0, 3, 7)):
        found = [metric.interval(*(copies * cell for cell in cells), method=method, draws=200) for copies in (1, 4, 16)]
        low, high = float(metric.range.start), float(metric.range.end)
        assert all(one.width > 0 for one in found), (cells, found)
        if np.isnan(found[0].estimate):  # nothing is known of what has no value
            assert [tuple(one) for one in found] == [(low, high)] * 3
        else:
            assert found[2].width < found[0].width, (cells, found)


@in_one_test
@pytest.mark.parametrize("method", BANDS)
def test_bands_are_no_points_between_their_ends_where_scores_tie(method: str) -> None:
    band = sm.roc_band([1, 1, 0, 0, 0] * 20, [1] * 100, method=method, fpr=[0.3, 0.5, 0.7], draws=100)
    assert (band.high - band.low > 0.1).all()


@pytest.mark.parametrize("wins", [3, 5, 8, 11, 20])
def test_two_classifiers_have_the_sign_test(wins: int) -> None:
    scores = np.array([[0, 1]] * wins + [[1, 0]] * 2)
    (pair,) = sm.compare_over_datasets(scores).pairs
    assert pair.p_ranks == pytest.approx(stats.binomtest(wins, wins + 2).pvalue)


@pytest.mark.parametrize("many", [2, 3, 4])
def test_the_critical_difference_agrees_with_the_p_values(many: int) -> None:
    random = np.random.default_rng(many)
    for number in (2, 5, 6, 8, 10, 12):
        scores = random.permuted(np.tile(np.arange(many), (number, 1)), axis=1) + np.arange(many) * 1.5
        found = sm.compare_over_datasets(scores, level=0.9)
        for pair in found.pairs:
            ties = len(np.unique(scores[0])) < many
            assert ties or (pair.p_ranks <= 0.1) == (abs(pair.rank_difference) > found.critical_difference)


def test_ranks_of_few_data_sets() -> None:
    # Four data sets are not significant. The sign test of 4 of 4 has p = 2/16; with many other classifiers in
    # between, ranks would say otherwise.
    for many in (2, 3, 10):
        scores = np.tile(np.arange(many), (4, 1))
        found = sm.compare_over_datasets(scores)
        assert min(pair.p_ranks for pair in found.pairs) >= 0.125
        assert found.critical_difference == np.inf
        assert found.groups == (tuple(sorted(found.ranks, key=lambda name: found.ranks[name])),)
        assert "none is significant with 4 data sets" in repr(found)
        controlled = sm.compare_over_datasets(scores, control="1")
        assert min(pair.adjusted_ranks for pair in controlled.pairs) >= 0.125
    # Pairs that tie on most data sets have few signs. Of eight data sets two tell the first from the last, by nine
    # ranks each.
    scores = np.array([list(range(10))] * 2 + [[9.0, *list(range(1, 9)), 9.0]] * 6)
    found = {(pair.first, pair.second): pair for pair in sm.compare_over_datasets(scores, control="1").pairs}
    assert found["1", "10"].p_ranks >= 0.5
    # Friedman's test of two data sets is that of all orders. Two rankings of five that differ by one exchange: 1 + 4
    # of 120 orders are as near; F(4, 4) says 0.0073.
    found = friedman(np.array([[1.0, 2, 3, 4, 5], [1, 2, 3, 5, 4]]), correct_ties=True)
    assert found.f_p == found.chi_square_p == pytest.approx(5 / 120)
    assert stats.f.sf(found.f, *found.degrees) == pytest.approx(0.0073, abs=1e-4)
    drawn = friedman(np.tile(np.arange(1.0, 13), (3, 1)), correct_ties=True, draws=500)
    assert drawn.f_p == pytest.approx(1 / 501)


# -- functions of curves that are called with something else -----------------------------------------------------------

TRUTH, SCORE = [0, 1, 1, 0], [0.1, 0.4, 0.35, 0.2]
CURVE = sm.roc_curve(TRUTH, SCORE)
GIVEN = {
    "y_true": TRUTH, "y_score": SCORE, "score_a": SCORE, "score_b": SCORE[::-1], "curve": CURVE, "fpr": [0, 0.2, 1],
    "tpr": [0, 0.7, 1], "prior": 0.3, "costs": operating.Costs(), "metric": sm.metrics["f1"], "target": 0.5, "count": 3,
}  # fmt: skip
ODD = [None, 5, "abc", {}, [], [[1, 2], [3]], CURVE, True, nan, -1, np.zeros((2, 2)), 10**400, [1j], iter([1]), type]
FUNCTIONS = {
    name: getattr(module, name)
    for module in (curves, operating)
    for name in module.__all__
    if inspect.isfunction(getattr(module, name))
}


@pytest.mark.filterwarnings("ignore")
@in_one_test
@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_of_curves_refuse_what_they_do_not_take_in_one_line(name: str) -> None:
    function = FUNCTIONS[name]
    every = list(inspect.signature(function).parameters.values())
    needed = [one.name for one in every if one.default is one.empty and one.kind is one.POSITIONAL_OR_KEYWORD]
    named = {one.name: 0.5 for one in every if one.default is one.empty and one.kind is one.KEYWORD_ONLY}
    usual = [GIVEN.get(one, CURVE) for one in needed]
    for given, settings in (([], {}), (usual + [CURVE] * 12, named), (usual, named | {"nonsense": 1})):
        if given or needed:
            with pytest.raises(InputError, match=rf"^{name}: .*; (write|pass) ") as caught:
                function(*given, **settings)
            assert "\n" not in str(caught.value)
    for place, one in enumerate(needed):
        for odd in ODD:
            called_with(function, [*usual[:place], odd, *usual[place + 1 :]], named, one)
    for setting in (one.name for one in every if one.name not in needed):
        for odd in ODD:
            called_with(function, usual, named | {setting: odd}, setting)


def called_with(function: object, given: list[object], settings: dict[str, object], place: str) -> None:
    try:
        function(*given, **settings)  # type: ignore[operator]
    except SymmetricsError:
        return
    except Exception as error:
        raise AssertionError(f"{place}={given} {settings}: {error!r}") from error


def test_what_is_no_band_or_rate_is_told() -> None:
    # A bootstrap band wants two examples of each class.
    with pytest.raises(InputError, match="a class has a single example"):
        sm.roc_band([1, 1, 0], [3, 2, 1], method="bootstrap")
    # A curve in place of its rates is told what to write.
    with pytest.raises(InputError, match=r"pass the rates of a curve, as in best_point\(curve\.fpr, curve\.tpr, prior"):
        operating.best_point(CURVE, 0.1, operating.Costs())  # type: ignore[call-arg]
    with pytest.raises(InputError, match="Costs: too many positional arguments; name the costs"):
        operating.Costs(1, 2, 3, 4, 5)  # type: ignore[call-arg]
