"""The planes that isometrics are drawn in, and the values of a metric at their points."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from symmetrics.metric import Metric
from symmetrics.metric.priors import as_prior, is_homogeneous
from symmetrics.numeric.counts import shown
from symmetrics.tools.drawing.canvas import say
from symmetrics.tools.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from matplotlib.axes import Axes


FloatArray = NDArray[np.float64]
Mapped = Callable[[FloatArray, FloatArray, float], tuple[FloatArray, FloatArray]]
EXAMPLES: Final = 100.0
"""The number of examples for metrics that depend on it, unless another one is given."""
TICKS: Final = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)


@dataclass(frozen=True)
class Condition:
    """Under what a metric of rates is looked at.

    :param prior: the share of the positive class
    :param text: the same, as it was given
    :param total: the number of examples, of which most metrics do not depend
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
    """Return the condition that was asked for.

    :raises InputError: on a prior that is not strictly between 0 and 1, and on a number of examples that is none
    """
    share = as_prior(prior)
    depends = not is_homogeneous(metric)
    return Condition(float(share), shown_share(float(share)), checked_total(total), depends)


def checked_total(total: float | None) -> float:
    """Return a number of examples, or the one that is taken where none was given.

    :raises InputError: unless it is positive
    """
    if total is None:
        return EXAMPLES
    if type(total) not in (int, float) or not 0 < total < np.inf:
        raise InputError(f"total={shown(total)} is not a number of examples; pass a positive number")
    return float(total)


def shown_share(share: float) -> str:
    """Return a share in few digits."""
    return f"{share:.4g}"


def settings_text(metric: Metric, *further: str) -> str:
    """Return what holds for a picture beside the metric's name: its parameters, and more."""
    parameters = [f"{parameter.name} = {parameter.default}" for parameter in metric.parameters]
    return ", ".join([*parameters, *(text for text in further if text)])


@dataclass(frozen=True)
class Plane:
    """A plane of pictures, as the image of the unit square of (u, v).

    :param across: what its first axis is
    :param up: what its second axis is
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
    """Return recall and precision: v = 0 is the least precision of a recall, v = 1 is 1 (Boyd et al. 2012)."""
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
    """Write along the line of random guessing what it is, and return where."""
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
    """Draw the frame of a plane: labels, ticks, the line of random guessing, and what no classifier reaches."""
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
