"""Printed values of the statistical literature, each by the public function that a user calls.

A row is an example, what is asked of it, and the digits that stand in print.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from scipy import stats

import symmetrics as sm
from symmetrics.evaluation.rank_tests import critical_difference, nemenyi, signed_rank
from symmetrics.evaluation.sample_sizes import sizes_of_mcnemar
from symmetrics.metric.uncertainty import range_of
from symmetrics.statistics.intervals import Formula

# Counts of pairs: both right, only the second, only the first, neither.  Printed are differences in the other order.
BENTUR = (1, 7, 1, 12)
"""Airway hyper-responsiveness before and after a transplantation (Bentur et al. 2009)."""
PAIRED = [
    # Tango (1998), Statistics in Medicine 17, 891-908: the example of Miettinen's cross-over trial, and contact lenses.
    ((4, 3, 9, 16), "score", 0.95, (-0.027, 0.390), 3),
    ((43, 1, 0, 0), "score", 0.90, (-0.096, 0.037), 3),
    # Agresti & Min (2005), Statistics in Medicine 24, 729-740.
    ((53, 8, 16, 9), "score", 0.95, (-0.020, 0.207), 3),
    # Tang, Tang & Carey (2010), and Fagerland, Lydersen & Laake (2014), Statistics in Medicine 33, 2850-2875, table II.
    ((8, 1, 3, 2), "score", 0.95, (-0.1670, 0.4327), 4),
    ((8, 1, 3, 2), "newcombe", 0.95, (-0.1574, 0.4136), 4),
    (BENTUR, "score", 0.95, (-0.517, -0.026), 3),
    (BENTUR, "newcombe", 0.95, (-0.507, -0.026), 3),
    # Newcombe (1998), Statistics in Medicine 17, 2635-2650, method 10.
    ((20, 2, 12, 16), "newcombe", 0.95, (0.0562, 0.3292), 4),
]
# Koopman (1984), Biometrics 40, 513-517: successes and numbers of two samples, and the quotient of the proportions.
KOOPMAN = [((36, 40, 16, 80), (2.94, 7.15))]
# Fagerland, Lydersen & Laake (2013), BMC Medical Research Methodology 13:91: exact conditional and mid-p values.
MCNEMAR = [(BENTUR, (0.070, 0.039), 3)]
# Connor (1987), Biometrics 43, 207-211, by the calculator of powersamplesize.com: discordant shares, power, pairs.
CONNOR = [((0.05, 0.45), 0.8, 23)]
# Newcombe (1998), Statistics in Medicine 17, table II, methods 3 (Wilson), 5 (Clopper-Pearson) and 6 (mid-p).
NEWCOMBE_SINGLE = {
    (81, 263): {"score": (0.2553, 0.3662), "exact": (0.2527, 0.3676), "midp": (0.2544, 0.3658)},
    (15, 148): {"score": (0.0624, 0.1605), "exact": (0.0578, 0.1617), "midp": (0.0601, 0.1581)},
    (0, 20): {"score": (0.0000, 0.1611), "exact": (0.0000, 0.1684), "midp": (0.0000, 0.1391)},
    (1, 29): {"score": (0.0061, 0.1718), "exact": (0.0009, 0.1776), "midp": (0.0017, 0.1585)},
}
# Newcombe (1998), Statistics in Medicine 17, 873-890, table II, method 6 (Miettinen & Nurminen).
NEWCOMBE_DIFFERENCE = {
    (56, 70, 48, 80): (0.0528, 0.3382),
    (9, 10, 3, 10): (0.1700, 0.8406),
    (6, 7, 2, 7): (0.0342, 0.8534),
    (5, 56, 0, 29): (-0.0326, 0.1933),
    (0, 10, 0, 20): (-0.1658, 0.2844),
    (10, 10, 0, 10): (0.6636, 1.0),
}
# Demšar (2006), table 6: areas under the ROC curve.  The printed ranks of the data set "voting" tell two scores apart
# that are printed alike; the last of its row is here a little less for that.
TREES = ["C4.5", "C4.5+m", "C4.5+cf", "C4.5+m+cf"]
AREAS = np.array(
    [
        [0.763, 0.768, 0.771, 0.798],
        [0.599, 0.591, 0.590, 0.569],
        [0.954, 0.971, 0.968, 0.967],
        [0.628, 0.661, 0.654, 0.657],
        [0.882, 0.888, 0.886, 0.898],
        [0.936, 0.931, 0.916, 0.931],
        [0.661, 0.668, 0.609, 0.685],
        [0.583, 0.583, 0.563, 0.625],
        [0.775, 0.838, 0.866, 0.875],
        [1.000, 1.000, 1.000, 1.000],
        [0.940, 0.962, 0.965, 0.962],
        [0.619, 0.666, 0.614, 0.669],
        [0.972, 0.981, 0.975, 0.9749],
        [0.957, 0.978, 0.946, 0.970],
    ]
)


def columns(pairs: Sequence[int]) -> list[list[int]]:
    """Return true labels, all positive, and two predictions that are right as often."""
    both, only_second, only_first, neither = pairs
    right = np.repeat([(1, 1), (0, 1), (1, 0), (0, 0)], [both, only_second, only_first, neither], axis=0)
    return [[1] * len(right) + [0], *([*column, 0] for column in right.T.tolist())]


@pytest.mark.parametrize(("pairs", "method", "level", "printed", "digits"), PAIRED)
def test_paired_proportions_as_printed(
    pairs: Sequence[int], method: str, level: float, printed: tuple[float, float], digits: int
) -> None:
    true, first, second = columns(pairs)
    found = sm.compare(true, second, first, "recall", method=method, level=level)
    assert (round(found.low, digits), round(found.high, digits)) == printed
    negative = [[1 - label for label in column] for column in (true, second, first)]
    assert sm.compare(*negative, "specificity", method=method, level=level).low == pytest.approx(found.low, rel=1e-9)


@pytest.mark.parametrize(("pairs", "printed", "digits"), MCNEMAR)
def test_mcnemars_tests_as_printed(pairs: Sequence[int], printed: tuple[float, float], digits: int) -> None:
    found = sm.compare(*columns(pairs), "recall")
    assert (round(found.p_value, digits), round(found.mid_p, digits)) == printed


@pytest.mark.parametrize(("table", "printed"), KOOPMAN)
def test_a_quotient_of_proportions_as_printed(table: tuple[int, ...], printed: tuple[float, float]) -> None:
    x1, n1, x2, n2 = table
    found = sm.metrics["positive_likelihood_ratio"].interval(x1, n1 - x1, x2, n2 - x2)
    assert tuple(np.round([*found], 2)) == printed


@pytest.mark.parametrize(("discordant", "power", "pairs"), CONNOR)
def test_sizes_as_printed(discordant: tuple[float, float], power: float, pairs: int) -> None:
    rest = (1 - sum(discordant)) / 2
    shares = np.array([rest, *discordant, rest, 0, 0, 0, 0])
    metric = Formula(sm.metrics["recall"].expr, range_of(sm.metrics["recall"]))
    assert sizes_of_mcnemar(metric, shares, power, 0.95)["Connor"] == pairs


@pytest.mark.parametrize(("table", "printed"), NEWCOMBE_SINGLE.items())
def test_one_proportion_as_printed(table: tuple[int, int], printed: dict[str, tuple[float, float]]) -> None:
    successes, number = table
    for method, ends in printed.items():
        found = sm.metrics["recall"].interval(successes, number - successes, 3, 4, method=method)
        assert tuple(np.round([*found], 4)) == ends, method


@pytest.mark.parametrize(("table", "printed"), NEWCOMBE_DIFFERENCE.items())
def test_a_difference_of_proportions_as_printed(table: tuple[int, ...], printed: tuple[float, float]) -> None:
    x1, n1, x2, n2 = table
    found = sm.metrics["informedness"].interval(x1, n1 - x1, x2, n2 - x2)
    assert found.method == "score"
    assert tuple(np.round([*found], 4)) == printed
    halved = sm.metrics["balanced_accuracy"].interval(x1, n1 - x1, x2, n2 - x2)
    assert [*halved] == pytest.approx([(1 + end) / 2 for end in found])


def test_the_worked_example_of_demsar_has_its_printed_digits() -> None:
    found = sm.compare_over_datasets(AREAS, TREES, correct_ties=False)
    assert [f"{found.ranks[name]:.3f}" for name in TREES] == ["3.143", "2.000", "2.893", "1.964"]
    assert found.friedman is not None
    assert (f"{found.friedman.chi_square:.2f}", f"{found.friedman.f:.2f}") == ("9.28", "3.69")
    assert found.friedman.degrees == (3, 39)
    assert f"{stats.f.ppf(0.95, 3, 39):.2f}" == "2.85"
    assert f"{found.critical_difference:.2f}" == "1.25"
    assert found.pairs[0].rank_difference == pytest.approx(2.000 - 3.143, abs=1e-3)
    assert [pair.adjusted_ranks for pair in found.pairs] == [pair.p_ranks for pair in found.pairs]
    # "a critical difference for p = 0.10 is 1.12": only then some trees are told apart, the best two from C4.5.
    at_ten = sm.compare_over_datasets(AREAS, TREES, level=0.9)
    assert f"{at_ten.critical_difference:.2f}" == "1.12"
    assert len(found.groups) == 1
    assert at_ten.groups == (("C4.5+m+cf", "C4.5+m", "C4.5+cf"), ("C4.5+cf", "C4.5"))


def test_holms_procedure_against_a_control_is_as_printed() -> None:
    """Demšar (2006), section 3.2.2: z 2.416, 2.342 and 0.512, p 0.016, 0.019 and 0.607; Holm rejects two of them."""
    found = sm.compare_over_datasets(AREAS, TREES, control="C4.5")
    p_values = {pair.second: pair.p_ranks for pair in found.pairs}
    printed = {"C4.5+m+cf": (2.416, 0.016), "C4.5+m": (2.342, 0.019), "C4.5+cf": (0.512, 0.607)}
    for name, (z, p_value) in printed.items():
        assert stats.norm.isf(p_values[name] / 2) == pytest.approx(z, abs=1e-3)
        assert p_values[name] == pytest.approx(p_value, abs=2e-3)
    told = {pair.second: pair.adjusted_ranks for pair in found.pairs}
    assert told == {
        "C4.5+m+cf": pytest.approx(3 * p_values["C4.5+m+cf"]),
        "C4.5+m": pytest.approx(max(3 * p_values["C4.5+m+cf"], 2 * p_values["C4.5+m"])),
        "C4.5+cf": pytest.approx(p_values["C4.5+cf"]),
    }
    assert [name for name, p_value in told.items() if p_value < 0.05] == ["C4.5+m", "C4.5+m+cf"]


def test_wilcoxons_test_of_two_trees_has_the_printed_statistic() -> None:
    """Demšar (2006), section 3.1.3: the ranks sum up to 93 and 12; of 14 data sets at most 21 is significant."""
    statistic, p_value = signed_rank(AREAS[:, 0].tolist(), AREAS[:, 1].tolist())
    assert statistic == 12
    assert (statistic - 14 * 15 / 4) / np.sqrt(14 * 15 * 29 / 24) == pytest.approx(-2.54, abs=0.01)
    at_most = [signed_rank([0.0] * 14, [-k if k in down else k for k in range(1, 15)]) for down in ((10, 11), (10, 12))]
    assert [statistic for statistic, _ in at_most] == [21, 22]
    assert p_value < at_most[0][1] < 0.05 < at_most[1][1]


@pytest.mark.parametrize(
    ("level", "printed"),
    [
        (0.95, [1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164]),
        (0.90, [1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920]),
    ],
)
def test_critical_values_are_the_printed_ones(level: float, printed: list[float]) -> None:
    """Demšar (2006), table 5a, for 2 to 10 classifiers."""
    for classifiers, value in enumerate(printed, start=2):
        error = (classifiers * (classifiers + 1) / 60) ** 0.5
        found = critical_difference(classifiers, 10, level)
        assert found / error == pytest.approx(value, abs=1.1e-3)
        assert nemenyi(found, classifiers, 10) == pytest.approx(1 - level, rel=1e-6)
