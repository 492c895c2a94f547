"""Printed values of the statistical literature, each by the public function that a user calls.

A row is an example, what is asked of it, and the digits that stand in print.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

import symmetrics as sm
from symmetrics.query.sizes import sizes_of_mcnemar

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
# Fagerland, Lydersen & Laake (2013), BMC Medical Research Methodology 13:91: exact conditional and mid-p values.
MCNEMAR = [(BENTUR, (0.070, 0.039), 3)]
# Connor (1987), Biometrics 43, 207-211, by the calculator of powersamplesize.com: discordant shares, power, pairs.
CONNOR = [((0.05, 0.45), 0.8, 23)]


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


@pytest.mark.parametrize(("discordant", "power", "pairs"), CONNOR)
def test_sizes_as_printed(discordant: tuple[float, float], power: float, pairs: int) -> None:
    from symmetrics.metric.uncertainty import range_of
    from symmetrics.numeric.intervals import Formula

    rest = (1 - sum(discordant)) / 2
    shares = np.array([rest, *discordant, rest, 0, 0, 0, 0])
    metric = Formula(sm.metrics["recall"].expr, range_of(sm.metrics["recall"]))
    assert sizes_of_mcnemar(metric, shares, power, 0.95)["Connor"] == pairs
