"""Random formulas with differences, extremes and poles: arrays have the values that exact arithmetic has.

Differences of counts lose no digits, differences of products of whole counts neither; what rounding leaves of a zero
must not become a pole; an extreme of something infinite has a value.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import isfinite, isnan
from random import Random
from typing import Any, Final

import numpy as np
import pytest
from effort import is_thorough, some
from sympy import Abs, Expr, Integer, Max, Min, Rational, log, nan, oo, sqrt

from symmetrics import FN, FP, TN, TP, Metric
from symmetrics.numeric.plans import plan_of
from symmetrics.tools.errors import SymmetricsError

Table = tuple[float, float, float, float]

CELLS: Final = (TP, FN, FP, TN)
LARGE: Final = (1.0, 1e6, 1e6 + 1, 2.0**24 - 1, 2.0**24, 1e15)
FRACTIONS: Final = (0.1, 0.2, 0.3, 1 / 3, 0.1 + 0.2, 1.5)


def sum_of_some(random: Random) -> Expr:
    chosen = random.sample(CELLS, random.choice((2, 2, 2, 3)))
    return sum((random.choice((1, -1, 1, 2)) * cell for cell in chosen), Integer(0))


def formula(random: Random, depth: int) -> Expr:
    """Draw a formula: operations on sums and differences of cells."""
    if not depth:
        plain = random.choice((*CELLS, *CELLS, Rational(random.choice((1, -1, 2)), random.choice((1, 2, 3)))))
        return plain if random.random() < 0.4 else sum_of_some(random)
    left = formula(random, depth - 1)
    alone: list[Callable[[Expr], Expr]] = [Abs, lambda x: sqrt(Abs(x)), lambda x: log(1 + Abs(x))]
    both: list[Callable[[Expr, Expr], Expr]] = [
        lambda x, y: x + y,
        lambda x, y: x - y,
        lambda x, y: x * y,
        lambda x, y: x / y if y != 0 else x,
        Max,
        Min,
    ]
    place = random.randrange(len(alone) + 2 * len(both))
    if place < len(alone):
        return alone[place](left)
    return both[place % len(both)](left, formula(random, depth - 1))


def tables(random: Random) -> list[Table]:
    """Draw tables where much is equal, large, no whole number, or zero."""
    kinds = [lambda: random.randint(1, 4), lambda: random.choice(LARGE), lambda: random.choice(FRACTIONS)]
    kinds.append(lambda: 0 if random.random() < 0.4 else random.randint(1, 3))
    return [tuple(float(kind()) for _ in range(4)) for kind in kinds for _ in range(5)]  # type: ignore[misc]


def exact(metric: Metric, table: Table) -> float:
    value = metric.exact(*(Rational(*Fraction(count).as_integer_ratio()) for count in table))
    return float(value) if value in (oo, -oo, nan) else float(value.n(40))


def test_random_formulas_have_their_exact_values() -> None:
    random = Random(20121)
    compared = 0
    number = 400 if is_thorough() else 7
    for _ in range(number):
        expression = formula(random, random.choice((1, 2, 2, 3)))
        drawn = tables(random)
        try:
            metric = Metric("drawn", expression)
        except SymmetricsError:
            continue  # a number, say, or infinite
        values = metric.from_counts(*np.array(drawn).T)
        for table, value in some(zip(drawn, values.tolist(), strict=True), 10, str(expression)):
            true = exact(metric, table)
            close = isfinite(true) and abs(value - true) <= 1e-12 * max(1.0, abs(true))
            same = value == true or (isnan(value) and isnan(true))
            assert close or same, (expression, table, value, true)
            compared += 1
    assert compared >= (10 if is_thorough() else 6) * number


SAID: Final[dict[str, tuple[Expr, Table, float]]] = {
    "an extreme of a pole": (Min(Rational(1, 2), TN / TP), (0, 2, 0, 1), 0.5),
    "an extreme of a logarithm of zero": (Max(log(TP / (TP + FN)), -3), (0, 1, 1, 1), -3.0),
    "an extreme of a pole of two signs": (Min(1, 1 / (TP - FN)), (2, 2, 1, 1), float("nan")),
    "an extreme of a pole less another": (Min(1 / TP - 1 / FN, 3), (0, 0, 1, 1), float("nan")),
    "two poles, the larger": (Max(TP / FP, TN / FN), (3, 0, 0, 2), float("inf")),
    "a numerator that vanishes but for rounding": (
        Min(TP * (FN + 2 * FP) / Min(TP, TN - TP), 2 * FP - FN - TN + Abs(TN + 2 * TP)),
        (1000001, 16777215, 16777215, 1000001),
        float("nan"),
    ),
    "a pole within an extreme": (Min(1 / Min(TP - FN, TN), 1), (2, 2, 3, 5), float("nan")),
    "a root of an extreme of a pole": (sqrt(Min(1 / TP, TP / FP)), (1, 0, 0, 2), 1.0),
    "a root of a pole": (sqrt(log(FP / TN + 1 / TP)), (2, 2, 2, 0), float("inf")),
    "a logarithm of what is negative at all tables": (log(1 / (FP + TP) - 1 / TP), (0, 0, 2, 2), float("nan")),
    "a logarithm of zero but for rounding": (
        log((FN + TP) / (TN * (TP + FN + FP + TN)) - log(TN / (FN + TN))),
        (1, 1e-9, 1000001, 1e15),
        -55.262041231857594,  # of 1e-24 and a little
    ),
    "a logarithm of what is negative but for rounding": (log(log(TN / (FP + TN))), (1, 1, 1, 1e15), float("nan")),
    "a difference of tenths": (FP - FN, (1, 0.2, 0.3, 1), 0.3 - 0.2),
    "a negative pole": (-FP / TP, (0, 1, 2, 1), float("-inf")),
    "a pole of two signs": (TP / (FP - FN), (1, 2, 2, 1), float("nan")),
    "a pole of a logarithm to another base": (log(Abs(TP - FN)) / log(2), (4, 4, 1, 3), float("-inf")),
    "0/0 with a hidden zero": (
        log((TP * TN - FN * FP) ** 2 / (TP + FN + FP + TN)) / (TP - FP) ** 2,
        (3, 1, 3, 2),
        float("nan"),
    ),
    "a divisor that is zero by its signs": (TP / Min(0, log(2 * FN + 2 * TP + 1)), (1, 1, 3, 2), float("nan")),
    "the logarithm of a constant in disguise": (
        log((TP + FN) / (2 * TP + 2 * FN)) * TP,
        (2, 1, 3, 2),
        -1.3862943611198906,
    ),
    "a numerator that is zero but for rounding": (
        FP / FN + Min((TN - FN) / TP, 1 / (2 * FN + TN)),
        (0, 26, 2980, 52506595),
        78234904043 / 682586411,
    ),
    "the same below zero": (
        -FP / FN + Min((TN - FN) / TP, -1 / (2 * FN + TN)),
        (0, 460631, 4, 19074944),
        -80445455 / 9210872365986,
    ),
    "a pole beside it": (FP / FN + Max((TN - FN) / TP, 1 / (2 * FN + TN)), (0, 26, 2980, 52506595), float("inf")),
    "0/0 that is none": ((TP**2 - FN**2) / (TP - FN), (3, 3, 1, 1), 6.0),
}


@pytest.mark.sampled(14)
@pytest.mark.parametrize(("expression", "table", "value"), SAID.values(), ids=SAID)
def test_values_told_by_hand(expression: Expr, table: Table, value: float) -> None:
    metric = Metric("told", expression)
    arrays: Any = [np.full(3, count) for count in table]
    found = [exact(metric, table), metric.from_counts(*table), *metric.from_counts(*arrays).tolist()]
    assert found == pytest.approx([value] * 5, rel=1e-12, abs=1e-15, nan_ok=True)


def test_which_differences_lose_no_digits() -> None:
    # Differences of counts are computed without a look at their errors.
    for expression in (FP - FN, (TP - FP) / (TP + FN), Abs(TP - FN) * (TN - FP) / (TN + FP) ** 2):
        (output,) = plan_of(expression).outputs  # type: ignore[union-attr]
        assert output.companion is None, expression
    (output,) = plan_of(1 / (TP - FN)).outputs  # type: ignore[union-attr]
    assert output.guards  # where the divisor is zero there is no value
    # Twice a count and its half lose no digits but a third does.
    random = np.random.default_rng(4)
    cells = [10 ** random.uniform(-2, 4, 200) for _ in CELLS]
    cells[1] = 2 * cells[0] * (1 + random.integers(-3, 4, 200) * 2.0**-52)
    for expression, is_kept in (((TP - FN / 2) ** 2 * TN, True), ((4 * TP - 2 * FN) / TN, True), (TP - FN / 3, False)):
        (output,) = plan_of(expression).outputs  # type: ignore[union-attr]
        assert (output.companion is None) == is_kept, expression
        metric = Metric("told", expression)
        wanted = [float(metric.exact(*map(Fraction, row))) for row in zip(*cells, strict=True)]
        assert metric.from_counts(*cells).tolist() == pytest.approx(wanted, rel=1e-15 if is_kept else 1e-12, abs=0)


@pytest.mark.parametrize(
    ("expression", "most"),
    [
        (TP * TN - FN * FP, 2.0**24),
        ((TP - FN) / (TP + FN - Min(TP, FN)), 2.0**48),
        (TP - sqrt(2) * FN, None),
        (log(TP * TN / (FN * FP)) - 1, None),
    ],
)
def test_up_to_which_whole_counts_products_are_exact(expression: Expr, most: float | None) -> None:
    (output,) = plan_of(expression).outputs  # type: ignore[union-attr]
    assert output.whole == most
