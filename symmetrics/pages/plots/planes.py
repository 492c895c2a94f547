"""Shared by plots of a metric: planes of rates, values at their points, round numbers for lines and bins."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from symmetrics.data.counts import shown
from symmetrics.metric import Metric
from symmetrics.metric.priors import as_prior, is_homogeneous
from symmetrics.tools.drawing.canvas import say
from symmetrics.tools.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from matplotlib.axes import Axes


FloatArray = NDArray[np.float64]
Mapped = Callable[[FloatArray, FloatArray, float], tuple[FloatArray, FloatArray]]
EXAMPLES: Final = 100.0
"""Default number of examples for metrics that depend on it."""
TICKS: Final = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)


@dataclass(frozen=True)
class Condition:
    """Prior and number of examples of a plot in rates.

    :param prior: the share of the positive class
    :param text: the same, as it was given
    :param total: the number of examples, on which most metrics do not depend
    :param depends_on_total: whether this one does
    """

    prior: float
    text: str
    total: float
    depends_on_total: bool

    def values(self, metric: Metric, fpr: FloatArray, tpr: FloatArray) -> FloatArray:
        """Return the metric at points of the ROC plane; nan where it has no value, infinite at poles."""
        positive, negative = self.total * self.prior, self.total * (1 - self.prior)
        cells = (positive * tpr, positive * (1 - tpr), negative * fpr, negative * (1 - fpr))
        return np.asarray(metric.from_counts(*cells))


def condition_of(metric: Metric, prior: object, total: float | None) -> Condition:
    """Return the requested condition, validated.

    :raises InputError: on a prior that is not strictly between 0 and 1, and on a number of examples that is none
    """
    share = as_prior(prior)
    depends = not is_homogeneous(metric)
    return Condition(float(share), shown_share(float(share)), checked_total(total), depends)


def checked_total(total: float | None) -> float:
    """Validate a number of examples, or return the default.

    :raises InputError: unless it is positive
    """
    if total is None:
        return EXAMPLES
    if type(total) not in (int, float) or not 0 < total < np.inf:
        raise InputError(f"total={shown(total)} is not a number of examples; pass a positive number")
    return float(total)


def shown_share(share: float) -> str:
    """Format a share with few digits."""
    return f"{share:.4g}"


def settings_text(metric: Metric, *further: str) -> str:
    """Describe the settings of a picture: the metric's parameters, and others."""
    parameters = [f"{parameter.name} = {parameter.default}" for parameter in metric.parameters]
    return ", ".join([*parameters, *(text for text in further if text)])


@dataclass(frozen=True)
class Plane:
    """A plane in which metrics are plotted, as an image of the unit square of (u, v).

    :param across: meaning of its first axis
    :param up: meaning of its second axis
    :param rates: the false and the true positive rate at (u, v), under a prior
    :param place: where (u, v) lies in the picture, under a prior
    :param chance: the two ends of where random guessing lies, under a prior
    """

    across: str
    up: str
    rates: Mapped
    place: Mapped
    chance: Callable[[float], tuple[tuple[float, float], tuple[float, float]]]


def _same(u: FloatArray, v: FloatArray, _: float) -> tuple[FloatArray, FloatArray]:
    return u, v


def _precision(u: FloatArray, v: FloatArray, prior: float) -> tuple[FloatArray, FloatArray]:
    """Return recall and precision: v = 0 is the least precision possible at a recall, v = 1 is 1 (Boyd et al. 2012)."""
    least = prior * u / (prior * u + (1 - prior))
    return u, least + v * (1 - least)


def _rates_of_precision(u: FloatArray, v: FloatArray, prior: float) -> tuple[FloatArray, FloatArray]:
    recall, precision = _precision(u, v, prior)
    false = prior * recall * (1 - precision) / precision / (1 - prior)
    return np.clip(false, 0.0, 1.0), recall


PLANES: Final = {
    "roc": Plane("false positive rate", "true positive rate", _same, _same, lambda prior: ((0, 0), (1, 1))),
    "precision_recall": Plane(
        "recall", "precision", _rates_of_precision, _precision, lambda prior: ((0, prior), (1, prior))
    ),
}
"""The planes by name."""


def plane_of(space: str) -> Plane:
    """Return a plane by its name.

    :raises UnknownNameError: if there is none
    """
    if space not in PLANES:
        raise UnknownNameError("space", space, PLANES)
    return PLANES[space]


def name_chance(ax: Axes, plane: Plane, prior: float) -> tuple[float, float]:
    """Label the line of random guessing, and return the label's place."""
    (_, low), (_, high) = plane.chance(prior)
    settings: dict[str, Any] = {"fontsize": "x-small", "color": "0.5", "ha": "right", "zorder": 1}
    if low < high:
        say(ax, 0.94, 0.92, "random guessing", va="top", rotation=45, rotation_mode="anchor", **settings)
        return 0.8, 0.76
    above = high < 0.9
    side = {"va": "bottom"} if above else {"va": "top"}
    say(ax, 0.97, high + (0.01 if above else -0.02), "random guessing", **side, **settings)
    return 0.82, high


def frame(ax: Axes, plane: Plane, prior: float) -> None:
    """Draw the frame of a plane: labels, ticks, the line of random guessing, and the unattainable region."""
    ax.set(xlim=(0, 1), ylim=(0, 1), xlabel=plane.across, ylabel=plane.up, aspect="equal")
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_ticks(TICKS, [f"{tick:g}" for tick in TICKS])
    dotted: dict[str, Any] = {"color": "0.55", "linewidth": 0.9, "dashes": (3, 3), "zorder": 1}
    ax.plot(*zip(*plane.chance(prior), strict=True), **dotted)
    if plane is PLANES["precision_recall"]:
        recall = np.linspace(0, 1, 101)
        _, least = _precision(recall, np.zeros_like(recall), prior)
        settings: dict[str, Any] = {"facecolor": "none", "edgecolor": "0.55", "hatch": "////", "linewidth": 0.0}
        ax.fill_between(recall, 0, least, zorder=0, **settings)
        if least[-1] > 0.15:
            boxed = {"facecolor": ax.get_facecolor(), "edgecolor": "none", "pad": 1.0}
            say(ax, 0.97, least[-1] / 5, "unattainable", ha="right", va="center", bbox=boxed, fontsize="x-small")


# -- Round numbers for isometrics and bin edges, and their labels ------------------------------------------------------


STEPS: Final = (1, 2, 5)
SAME: Final = 1e-12
"""Values with a smaller relative difference are equal up to rounding."""
HEAVY: Final = 4.0
"""How many times longer a range without its outer hundredths is than without its outer tenths, if it is not drawn in
equal steps."""
FAR: Final = 2.0
"""How many times longer a range is than without its outer hundredths, if these are left out: ends of a logarithm."""


def spread_of(values: FloatArray) -> tuple[float, float] | None:
    """Return the smallest and the largest finite value; None if there are none, or all are equal."""
    finite = values[np.isfinite(values)]
    if not finite.size:
        return None
    low, high = float(finite.min()), float(finite.max())
    return None if high - low <= SAME * max(abs(low), abs(high)) else (low, high)


def is_heavy(values: FloatArray) -> bool:
    """Whether outliers would squeeze all other values into one step."""
    first, tenth, ninetieth, last = np.quantile(values[np.isfinite(values)], [0.01, 0.1, 0.9, 0.99])
    return bool(last - first > HEAVY * (ninetieth - tenth))


def step_for(length: float, number: int) -> Fraction:
    """Return the smallest round step (1, 2 or 5 times a power of ten) that divides a length into few enough parts.

    >>> step_for(2.0, 10), step_for(1.0, 4)
    (Fraction(1, 5), Fraction(1, 2))
    """
    power = Fraction(10) ** math.floor(math.log10(length / number) - 1)
    while True:
        for step in STEPS:
            if step * power * number >= Fraction(length) * Fraction(999_999, 1_000_000):
                return step * power
        power *= 10


def levels_of(values: FloatArray, number: int) -> list[float]:
    """Return at most a number of round values strictly between the smallest and the largest one.

    >>> levels_of(np.array([0.0, 1.0]), 9)
    [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]
    """
    spread = spread_of(values)
    if spread is None:
        return []
    if is_heavy(values):
        return _heavy_levels(values[np.isfinite(values)], number)
    low, high = _without_ends(values, *spread)
    step = step_for(high - low, number + 1)
    first = math.floor(low / step)
    rounds = [step * (first + place) for place in range(number + 4)]
    margin = SAME * max(abs(low), abs(high))
    return [float(level) for level in rounds if low + margin < level < high - margin][:number]


def _without_ends(values: FloatArray, low: float, high: float) -> tuple[float, float]:
    """Return the ends of a range; the 1 % and 99 % quantiles instead if outliers make it much longer than these."""
    first, last = np.quantile(values[np.isfinite(values)], [0.01, 0.99])
    return (float(first), float(last)) if high - low > FAR * (last - first) > 0 else (low, high)


def _heavy_levels(values: FloatArray, number: int) -> list[float]:
    """Return logarithmically spaced round levels (1, 2, 5, 10, ... of either sign, and 0) inside the 2 % quantiles."""
    low, high = np.quantile(values, [0.02, 0.98])
    least = max(abs(low), abs(high)) / 1e4
    inside: list[float] = []
    for steps in (STEPS, (1, 3), (1,)):
        rounds = [float(f"{step}e{power}") for power in range(-12, 13) for step in steps]
        signed = [0.0, *rounds, *(-level for level in rounds)]
        inside = sorted(level for level in signed if low < level < high and (not level or abs(level) > least))
        if len(inside) <= number:
            break
    return inside[:: max(1, math.ceil(len(inside) / number))]


def label_of(level: float) -> str:
    """Format a value for a plot.

    >>> label_of(-0.25), label_of(2000000.0)
    ('−0.25', '2e+06')
    """
    return (f"{level:.4g}" if abs(level) < 1e5 else f"{level:.2g}").replace("-", "−")


def edges_of(values: FloatArray, number: int) -> list[Fraction]:
    """Return round, equally spaced bin edges that cover all finite values, or most of them if there are outliers.

    >>> edges_of(np.array([0.0, 1.0]), 4)
    [Fraction(0, 1), Fraction(1, 2), Fraction(1, 1)]
    """
    finite = values[np.isfinite(values)]
    low, high = float(finite.min()), float(finite.max())
    if is_heavy(values):
        outer = np.quantile(finite, [0.05, 0.95])
        low, high = max(low, float(outer[0])), min(high, float(outer[1]))
    if high - low <= SAME * max(abs(low), abs(high)):
        middle, half = Fraction(round(low, 9)).limit_denominator(10**9), Fraction(1, 2)
        return [middle - half, middle + half]
    step = step_for(high - low, number)
    first, last = math.floor(Fraction(low) / step), math.ceil(Fraction(high) / step)
    return [step * place for place in range(first, last + 1)]
