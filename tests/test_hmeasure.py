"""The H-measure from labels and scores, against PyPI's hmeasure (frozen), numeric integration and its laws."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from effort import in_one_test, is_thorough
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import beta

from symmetrics.curves.examples import read_examples
from symmetrics.curves.geometry import Hull, convex_hull, hull_of, upper_hull
from symmetrics.curves.hmeasure import b42, h_from_rates, h_measure
from symmetrics.curves.roc import RocCurve, curve_of
from symmetrics.tools.errors import InputError

FROZEN = [
    (0, 0.5658936547108204, 0.5802192597682228, 0.563183964304534, 0.5712029452658607, 0.5696424336186319),
    (1, 0.20691306605369908, 0.21552997932274043, 0.20516432614164382, 0.20894950817925906, 0.20848500089842759),
    (2, 0.00739448611126059, 0.013640764070121714, 0.00564196246927906, 0.011639718995339776, 0.008912436846703398),
    (3, 0.40656391554702476, 0.40821197601750325, 0.4052204385576895, 0.4088267538249022, 0.4060665899182364),
    (4, 0.001601890959142982, 0.001757509166769422, 0.001326708990892933, 0.0017840150757060247, 0.001561572130018285),
    (5, 0.25036258269652223, 0.2981666503635809, 0.24244771487909533, 0.286913575412984, 0.27169225432418176),
    (6, 0.6220562261563813, 0.608475656510137, 0.6245721911148954, 0.6184892752260773, 0.6191968513508128),
    (7, 0.6058325061034866, 0.570855271448824, 0.6112817708660345, 0.5949537305918933, 0.5962710781631234),
    (8, 0.3390149387997693, 0.34737447779934605, 0.3374968800116246, 0.34204493280129966, 0.34123031057112585),
    (9, 0.5097738326393768, 0.5322532810525837, 0.5067460666165148, 0.5487205112482834, 0.527544241460634),
    (10, 0.7875160312832805, 0.7602451701352219, 0.7912760439380067, 0.7731266822497266, 0.7759022805779745),
    (11, 0.7054077121385112, 0.6678496321693614, 0.7115215650699773, 0.6949465836804503, 0.6962734339957448),
    (12, 0.2956065823004487, 0.2929729116362533, 0.29416476840108285, 0.2963225466162629, 0.2946517104034695),
    (13, 0.0, 0.0, 0.0, 0.0, 0.0),
    (14, 0.38591604938271584, 0.36035465822654944, 0.38300502348365795, 0.38591604938271584, 0.382141062816979),
    (15, 0.0, 0.0, 0.0, 0.0, 0.0),
    (16, 0.6361075599325516, 0.6261005633126122, 0.6369456538634801, 0.6349460844095105, 0.6342598312949199),
    (17, 0.3805293821808652, 0.40402432356859785, 0.3760863818797058, 0.39056476347618296, 0.3872587050007843),
    (18, 0.7910391296561603, 0.7756153858893006, 0.7935508496259132, 0.7855147010135058, 0.7866345124815836),
    (19, 0.019660859896713956, 0.026936473968848462, 0.015779126842379587, 0.023566749641175444, 0.020245321397347027),
    (20, 0.25693478442707485, 0.3044875216741094, 0.2465367850546455, 0.2808284004900824, 0.27100496124507567),
    (21, 0.41464808860307256, 0.5839093157190671, 0.34965224815515683, 0.4955959564246253, 0.4511382168416669),
]
"""What hmeasure 0.1.6 returns for ``sample(seed)``: at severity ratios 1, 0.2, 3, its default n1/n0, and by the prior.

Made in an environment with hmeasure, ``sample`` being the function below::

    for seed in range(22):
        labels, scores = map(numpy.array, sample(seed))
        values = [h_score(labels, scores, severity_ratio=ratio) for ratio in (1.0, 0.2, 3.0, None, -1.0)]
        print((seed, *(float(value) if value > 1e-15 else 0.0 for value in values)))
"""


def sample(seed: int) -> tuple[list[int], list[float]]:
    """Return labels, and scores with ties in [0, 1], which is all that hmeasure accepts."""
    generator = random.Random(seed)
    size, levels, lift = (
        generator.randint(4, 60),
        generator.choice([2, 5, 20, 1000]),
        generator.choice([-0.3, 0, 0.3, 0.6]),
    )
    labels = [0, 1] + [int(generator.random() < generator.choice([0.1, 0.5])) for _ in range(size)]
    scores = [generator.randint(0, levels) + lift * levels * label for label in labels]
    low, high = min(scores), max(scores)
    return labels, [(score - low) / (high - low) for score in scores]


@in_one_test
@pytest.mark.parametrize(("seed", "even", "low", "high", "default", "by_prior"), FROZEN)
def test_it_agrees_with_pypi_hmeasure(
    seed: int, even: float, low: float, high: float, default: float, by_prior: float
) -> None:
    labels, scores = sample(seed)
    ratio = sum(labels) / (len(labels) - sum(labels))
    assert h_measure(labels, scores) == pytest.approx(even, abs=1e-12)
    for severity, theirs in ((1, even), (0.2, low), (3.0, high), (ratio, default)):
        assert h_measure(labels, scores, severity_ratio=severity) == pytest.approx(theirs, abs=1e-12)
    assert h_measure(labels, scores, weights="prior") == pytest.approx(by_prior, abs=1e-12)


@pytest.mark.parametrize(
    "transform", [lambda s: 1e9 * s - 7e8, lambda s: -1 / (s + 1e-3), lambda s: 5e-324 * (1000 * s)]
)
def test_scores_of_any_range_are_accepted(transform: Any) -> None:
    labels = [0, 0, 1, 0, 1, 1, 0, 1]
    scores = [0.0, 0.1, 0.1, 0.4, 0.4, 0.9, 0.5, 1.0]
    assert h_measure(labels, [transform(score) for score in scores]) == h_measure(labels, scores)


def by_integration(labels: Sequence[int], scores: Sequence[float], a: float, b: float, prior: float | None) -> float:
    """Return H from its definition: the least cost over all thresholds, integrated between all its possible kinks."""
    y, s = np.asarray(labels), np.asarray(scores, dtype=float)
    one = y.mean() if prior is None else prior
    rates = [(0.0, 0.0)] + [(float((s[y == 0] >= t).mean()), float((s[y == 1] >= t).mean())) for t in np.unique(s)]
    lines = np.array([((1 - one) * x, one * (1 - y) - (1 - one) * x) for x, y in {*rates, (0.0, 0.0), (1.0, 1.0)}])
    trivial = np.array([(0.0, one), (1 - one, one - 1)])

    def mean_of_least(lines: np.ndarray) -> float:
        kinks = {0.0, 1.0}
        for (low, slope), (other_low, other_slope) in itertools.combinations(lines, 2):
            if slope != other_slope and 0 < (kink := (other_low - low) / (slope - other_slope)) < 1:
                kinks.add(float(kink))
        return sum(
            quad(lambda c: (lines[:, 0] + c * lines[:, 1]).min() * beta.pdf(c, a, b), *ends, epsabs=1e-13)[0]
            for ends in itertools.pairwise(sorted(kinks))
        )

    return 1 - mean_of_least(lines) / mean_of_least(trivial)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("a", "b", "prior"), [(2, 2, None), (4, 2, None), (1, 1, 0.9), (2.5, 1.2, 0.3), (1.1, 3, None)]
)
def test_it_is_the_integral_that_defines_it(a: float, b: float, prior: float | None) -> None:
    generator = random.Random(f"{a} {b}")
    for _ in range(4):
        labels = [0, 1] + [generator.randint(0, 1) for _ in range(generator.randint(0, 8))]
        scores = [generator.randint(0, 4) + label for label in labels]
        ours = h_measure(labels, scores, a=a, b=b, prior=prior)
        assert ours == pytest.approx(by_integration(labels, scores, a, b, prior), abs=1e-9)


EXAMPLES = st.lists(st.tuples(st.integers(0, 1), st.integers(-4, 4)), min_size=2, max_size=40).filter(
    lambda pairs: len({label for label, _ in pairs}) == 2
)
SHAPES = st.floats(0.2, 20)


@given(EXAMPLES, SHAPES, SHAPES, st.permutations(range(9)))
def test_increasing_maps_of_the_scores_change_nothing(
    pairs: list[tuple[int, int]], a: float, b: float, values: list[int]
) -> None:
    labels, scores = map(list, zip(*pairs, strict=True))
    steps = np.cumsum([value + 1 for value in values])
    mapped = [float(steps[score + 4]) ** 3 for score in scores]
    assert h_measure(labels, mapped, a=a, b=b) == h_measure(labels, scores, a=a, b=b)


@given(EXAMPLES, SHAPES, SHAPES, st.floats(0.01, 0.99))
def test_exchanging_the_classes_exchanges_a_and_b(
    pairs: list[tuple[int, int]], a: float, b: float, prior: float
) -> None:
    labels, scores = map(list, zip(*pairs, strict=True))
    negated = [-score for score in scores]
    ours = h_measure(labels, scores, a=a, b=b, prior=prior)
    assert ours == pytest.approx(h_measure(labels, negated, a=b, b=a, prior=1 - prior, pos_label=0), abs=1e-12)
    assert 0 <= ours <= 1


@given(EXAMPLES, SHAPES, SHAPES)
def test_it_is_monotone_in_the_scores_of_the_positives(pairs: list[tuple[int, int]], a: float, b: float) -> None:
    labels, scores = map(list, zip(*pairs, strict=True))
    raised = [score + label for label, score in pairs]
    assert h_measure(labels, raised, a=a, b=b) >= h_measure(labels, scores, a=a, b=b) - 1e-12


@given(EXAMPLES, st.data())
def test_whole_weights_are_repetitions(pairs: list[tuple[int, int]], data: st.DataObject) -> None:
    weight = [data.draw(st.integers(1, 4)) for _ in pairs]
    labels, scores = map(list, zip(*pairs, strict=True))
    repeated = [pair for pair, times in zip(pairs, weight, strict=True) for _ in range(times)]
    ours = h_measure(labels, scores, sample_weight=weight)
    assert ours == pytest.approx(h_measure(*map(list, zip(*repeated, strict=True))), abs=1e-12)


@given(EXAMPLES, st.floats(0.05, 0.95))
def test_a_prior_is_a_weight_of_the_classes(pairs: list[tuple[int, int]], prior: float) -> None:
    labels, scores = map(list, zip(*pairs, strict=True))
    ones = sum(labels)
    weight = [prior / ones if label else (1 - prior) / (len(labels) - ones) for label in labels]
    ours = h_measure(labels, scores, a=4, prior=prior)
    assert ours == pytest.approx(h_measure(labels, scores, a=4, sample_weight=weight), abs=1e-12)
    by_prior = h_measure(labels, scores, weights="prior", prior=prior)
    assert by_prior == pytest.approx(h_measure(labels, scores, a=2 - prior, b=1 + prior, prior=prior), abs=1e-12)


@pytest.mark.parametrize("costs", [{"a": 0.3, "b": 7}, {"a": 4}, {"weights": "prior"}, {"severity_ratio": 0.01}])
def test_chance_is_exactly_0_and_perfection_1(costs: dict[str, Any]) -> None:
    labels = [0, 0, 0, 1, 0, 1, 0]
    for prior in (None, 0.1, 0.3):
        assert h_measure(labels, [3] * 7, prior=prior, **costs) == 0
        assert h_measure(labels, labels, prior=prior, **costs) == 1
        assert h_measure(labels, [1 - label for label in labels], prior=prior, **costs) == 0


@in_one_test
@pytest.mark.parametrize(
    "score",
    [
        np.array([0.1, 0.3, 0.3, 0.9], dtype=np.float32),
        [2**60, 2**60 + 2**10, 2**60 + 2**10, 2**61],
        [2**900, 2**900 + 2**850, 2**900 + 2**850, 2**901],
        [Fraction(1, 3), Fraction(1, 2), Fraction(1, 2), Fraction(2, 3)],
        np.array([-128, 5, 5, 127], dtype=np.int8),
    ],
)
def test_types_of_scores_compare_exactly(score: Any) -> None:
    """The tie holds half of both classes and costs m(1/4, 1/4), half of m(1/2, 1/2); the others cost nothing."""
    assert h_measure([0, 0, 1, 1], score) == 0.5


def test_operating_points_and_defaults() -> None:
    # B42 is the h measure with beta 4 2.
    labels, scores = sample(5)
    assert b42(labels, scores) == h_measure(labels, scores, a=4, b=2) != h_measure(labels, scores, a=2, b=4)
    named = ["rare" if label else "usual" for label in labels]
    assert b42(named, scores, pos_label="rare") == b42(np.array(named), scores, pos_label="rare") == b42(labels, scores)
    # One operating point is the h measure of hard labels.
    for tp, fn, fp, tn in itertools.product([0, 1, 3], [0, 2], [0, 1, 4], [0, 5]):
        if tp + fn == 0 or fp + tn == 0:
            continue
        labels, predicted = [1] * (tp + fn) + [0] * (fp + tn), [1] * tp + [0] * fn + [1] * fp + [0] * tn
        rates = tp / (tp + fn), fp / (fp + tn), (tp + fn) / (tp + fn + fp + tn)
        ours = h_measure(labels, predicted, a=3, b=1.5)
        assert ours == pytest.approx(h_from_rates(*rates, a=3, b=1.5), abs=1e-14)
    # Rates broadcast.
    found = h_from_rates([[0.5], [0.9]], [0.1, 0.5, 0.9], 0.2)
    assert found.shape == (2, 3)
    assert found[1, 0] == h_from_rates(0.9, 0.1, 0.2) == h_from_rates(0.9, 0.1, 0.2, a=2, b=2)
    assert found[0, 1] == found[0, 2] == 0
    # Boolean scores and labels.
    assert h_measure([False, True, True], [False, True, False], pos_label=True) == h_measure([0, 1, 1], [0, 1, 0])


REFUSED = [
    ({"a": 0}, "a=0 is no parameter of a Beta; pass a finite number above 0"),
    ({"b": -2.0}, "b=-2.0 is no parameter"),
    ({"b": float("nan")}, "b=nan is no parameter"),
    ({"a": float("inf")}, "a=inf is no parameter"),
    ({"prior": 0}, "prior=0 is not strictly between 0 and 1"),
    ({"prior": 1.0}, "prior=1.0 is not strictly"),
    ({"prior": float("nan")}, "prior=nan is not strictly"),
    ({"prior": -0.1}, "prior=-0.1 is not strictly"),
    ({"prior": 1.5}, "prior=1.5 is not strictly"),
    ({"prior": "0.5"}, "prior='0.5' is not strictly"),
    ({"severity_ratio": 0}, "severity_ratio=0 is not a ratio"),
    ({"severity_ratio": -1.0}, "severity_ratio=-1.0 is not a ratio"),
    ({"severity_ratio": 5e-324}, "too small"),
    ({"severity_ratio": 2, "a": 4}, "a=4, b=2 and severity_ratio choose the costs more than once"),
    ({"severity_ratio": 2, "weights": "prior"}, "choose the costs more than once"),
    ({"weights": "Beta"}, "weights='Beta' is unknown"),
    ({"sample_weight": [1, -1]}, "sample_weight[1] is -1.0"),
]
"""Wrong costs; labels and scores are read by what test_curves and test_curves_areas are about."""


@in_one_test
@pytest.mark.parametrize(("options", "message"), REFUSED)
def test_bad_costs_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as error:
        h_measure([0, 1], [1, 2], **options)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


@in_one_test
@pytest.mark.parametrize(
    ("rates", "message"),
    [
        ((1.1, 0, 0.5), "tpr=1.1 is not within [0, 1]"),
        ((1, [0, np.nan], 0.5), "fpr=[0, nan] is not within [0, 1]"),
        ((1, "x", 0.5), "fpr='x' is not within"),
        ((1, 0, 1), "prior=1 is not strictly between 0 and 1"),
        (([1, 1], [0, 0, 0], 0.5), "do not broadcast"),
        ((1, 0, -0.1), "prior=-0.1 is not within [0, 1]"),
    ],
)
def test_bad_rates_are_refused(rates: tuple[Any, Any, Any], message: str) -> None:
    with pytest.raises(InputError) as error:
        h_from_rates(*rates)
    assert message in str(error.value)
    for costs in ({"a": 0}, {"a": -1}, {"b": 0}, {"b": -2}, {"b": np.nan}):
        with pytest.raises(InputError, match="is no parameter of a Beta; pass a finite number above 0"):
            h_from_rates(1, 0, 0.5, **costs)


def scanned_hull(x: Sequence[int], y: Sequence[int]) -> list[tuple[int, int]]:
    """Return the vertices by a monotone chain over exact integers."""
    hull: list[tuple[int, int]] = []
    for point in zip(x, y, strict=True):
        while len(hull) > 1 and (hull[-1][0] - hull[-2][0]) * (point[1] - hull[-2][1]) >= (
            hull[-1][1] - hull[-2][1]
        ) * (point[0] - hull[-2][0]):
            hull.pop()
        hull.append(point)
    return hull


def points(hull: Hull | RocCurve) -> list[tuple[int, int]]:
    return list(zip(hull.fp.tolist(), hull.tp.tolist(), strict=True))


@given(EXAMPLES, st.booleans())
def test_the_hull_is_that_of_a_scan(pairs: list[tuple[int, int]], weighted: bool) -> None:
    """With equal weights, which take the way over the curve, and without, which never sort all scores together."""
    labels, scores = zip(*pairs, strict=True)
    examples = read_examples(labels, scores, 1, [1] * len(pairs) if weighted else None)
    curve = curve_of(examples)
    for threshold, false, true in zip(curve.thresholds, curve.fp, curve.tp, strict=True):
        assert false == sum(score >= threshold and label == 0 for label, score in pairs)
        assert true == sum(score >= threshold and label == 1 for label, score in pairs)
    assert points(hull_of(examples)) == scanned_hull(*zip(*points(curve), strict=True)) == points(convex_hull(curve))


def test_hulls_of_many_vertices_and_large_products() -> None:
    # A hull with many vertices is found whole. Every reduced fraction is a slope of its own, so that every point is a
    # vertex; then points below are added.
    steps = sorted(
        ((q, p) for q in range(1, 60) for p in range(1, 60) if np.gcd(p, q) == 1), key=lambda step: Fraction(*step)
    )
    x, y = (np.concatenate(([0], np.cumsum(part))) for part in zip(*steps, strict=True))
    assert upper_hull(x, y).tolist() == list(range(len(x)))
    below_x, below_y = np.repeat(x, 2)[1:], np.repeat(y, 2)[:-1]
    assert upper_hull(below_x, below_y).tolist() == list(range(0, len(below_x), 2))
    # Products beyond float64 decide exactly. The two slopes differ by one part in 2**58, which products of float64 do
    # not show.
    length = 2**29 + 1
    assert float(length * length) == float((length + 1) * (length - 1))
    for counts in (np.int64, np.float64):
        falling = np.array([[0, length - 1, 2 * length - 1], [0, length, 2 * length + 1]], dtype=counts)
        rising = np.array([[0, length, 2 * length - 1], [0, length + 1, 2 * length + 1]], dtype=counts)
        assert upper_hull(*falling).tolist() == [0, 1, 2]
        assert upper_hull(*rising).tolist() == [0, 2]
    half = np.array([[0, 2**28, 2**29], [0, 2**28 + 0.5, 2**29 + 0.5]])
    assert upper_hull(*half).tolist() == [0, 1, 2]
    # Large samples agree with a scan.
    generator = np.random.default_rng(1)
    for share in (0.02, 0.5, 0.9):
        labels = (generator.random(20_000) < share).astype(int)
        examples = read_examples(labels, np.round(generator.normal(size=labels.size) + labels, 3), 1, None)
        assert points(hull_of(examples)) == scanned_hull(*zip(*points(curve_of(examples)), strict=True))


@pytest.mark.parametrize("scale", [2.0**-1060, 1e-150, 1e150, 1e300])
def test_weights_of_any_scale(scale: float) -> None:
    labels, scores = sample(3)
    weight = np.array([1 + index % 5 for index in range(len(labels))])
    expected = h_measure(labels, scores, sample_weight=weight)
    assert h_measure(labels, scores, sample_weight=scale * weight) == pytest.approx(expected, rel=1e-12)


def test_what_is_done_for_many_examples_changes_no_hull(monkeypatch: pytest.MonkeyPatch) -> None:
    generator = np.random.default_rng(2014)
    for case in range(150 if is_thorough() else 60):
        number = int(generator.integers(10, 1500))
        labels = (generator.random(number) < generator.uniform(0.1, 0.9)).astype(int)
        labels[:2] = 0, 1
        scores = np.round(generator.normal(size=number) + labels, int(generator.integers(0, 6)))
        weights = generator.random(number) * 10.0 ** generator.integers(-3, 4) if case % 2 else None
        examples = read_examples(labels, scores, 1, weights)
        plain = hull_of(examples)
        with monkeypatch.context() as patched:
            patched.setattr("symmetrics.curves.geometry._MANY", 3)
            threaded = hull_of(examples)
        assert np.array_equal(plain.fp, threaded.fp)
        assert np.array_equal(plain.tp, threaded.tp)
