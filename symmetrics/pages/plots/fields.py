"""Gradient fields: where a metric grows fastest in the ROC plane, and how fast."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from symmetrics.metric import Metric
from symmetrics.numeric.intervals import Formula
from symmetrics.numeric.intervals.scales import Range
from symmetrics.pages.plots.planes import Condition, condition_of, frame, plane_of, settings_text
from symmetrics.tools.drawing.canvas import axes_for, figure_of, say, sequential, title

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw_gradient", "slopes_in_rates"]

FloatArray = NDArray[np.float64]
PLACES: Final = np.linspace(0.05, 0.95, 10)
REACH: Final = 0.085
"""The length of an arrow in the picture, whatever the slope: that is told by its colour."""


def slopes_in_rates(
    metric: Metric, fpr: FloatArray, tpr: FloatArray, condition: Condition
) -> tuple[FloatArray, FloatArray]:
    """Return the derivatives of a metric by the false and by the true positive rate."""
    positive, negative = condition.total * condition.prior, condition.total * (1 - condition.prior)
    cells = np.array([positive * tpr, positive * (1 - tpr), negative * fpr, negative * (1 - fpr)])
    tp, fn, fp, tn = Formula(metric.at_defaults(), Range(-math.inf, math.inf)).slopes(cells)
    return negative * (fp - tn), positive * (tp - fn)


def draw_gradient(metric: Metric, ax: Axes | None, prior: object, total: float | None) -> Axes:
    """Draw arrows of one length towards where the metric grows fastest, coloured by how fast it does."""
    plane, condition = plane_of("roc"), condition_of(metric, prior, total)
    fpr, tpr = np.meshgrid(PLACES, PLACES)
    across, up = slopes_in_rates(metric, fpr, tpr, condition)
    length = np.hypot(across, up)
    ax = axes_for(ax, width=3.9, height=3.6)
    frame(ax, plane, condition.prior)
    examples = f"n = {condition.total:g}" if condition.depends_on_total else ""
    title(ax, metric.title, settings_text(metric, f"prior {condition.text}", examples))
    moves, finite = np.isfinite(length) & (length > 0), np.isfinite(length)
    if not moves.any():
        words = "the same at all rates:\nno gradient" if finite.any() else "no gradient anywhere"
        say(ax, 0.5, 0.5, words, ha="center", va="center", bbox={"facecolor": ax.get_facecolor(), "edgecolor": "none"})
        return ax
    settings: dict[str, Any] = {"angles": "xy", "scale_units": "xy", "scale": 1.0, "pivot": "middle", "width": 0.008}
    arrows = ax.quiver(
        fpr[moves],
        tpr[moves],
        *(REACH * part[moves] / length[moves] for part in (across, up)),
        length[moves],
        cmap=sequential(ax),
        norm=_norm(length[moves]),
        **settings,
    )
    still = finite & ~moves
    ax.plot(fpr[still], tpr[still], ".", color="0.55", markersize=3)
    bar = figure_of(ax).colorbar(arrows, ax=ax, fraction=0.05, pad=0.03)
    bar.set_label("length of the gradient", fontsize="small")
    bar.ax.tick_params(labelsize="small")
    return ax


def _norm(slopes: FloatArray) -> Any:
    """Return equal steps of colour, or those of a logarithm where slopes differ a hundredfold."""
    from matplotlib.colors import LogNorm, Normalize

    low, high = float(slopes.min()), float(slopes.max())
    if high - low <= 1e-9 * high:
        return Normalize(0.0, 2 * high)
    return LogNorm(low, high) if high > 30 * low else Normalize(low, high)
