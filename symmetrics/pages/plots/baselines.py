"""What classifiers score against the prior: those with given rates, and random guessing."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from symmetrics.metric import Metric
from symmetrics.metric.populations import expected_value
from symmetrics.metric.priors import is_homogeneous
from symmetrics.numeric.counts import shown
from symmetrics.pages.plots.planes import checked_total, settings_text
from symmetrics.tools.drawing.canvas import axes_for, legend_below, looks, say, title
from symmetrics.tools.errors import InputError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw_prior", "draw_random_guessing"]

FloatArray = NDArray[np.float64]
TICKS: Final = (0.01, 0.1, 0.5, 0.9, 0.99)
RATIOS: Final = ("99:1", "9:1", "1:1", "1:9", "1:99")
LEAST: Final = 0.003
MOST: Final = 200
"""How many examples expectations are summed for; it takes as many steps as there are tables."""
LEVEL: Final = 0.1
"""Lines that rise or fall by less than this, as a share of the range of the metric, are drawn within all of it."""
POSITIVE: Final = "as often as the prior"


def priors() -> FloatArray:
    """Return the priors of a line, evenly by the logarithm of their odds."""
    end = math.log(LEAST / (1 - LEAST))
    return 1 / (1 + np.exp(-np.linspace(end, -end, 241)))


def _values(metric: Metric, prior: FloatArray, fpr: Any, tpr: Any, total: float) -> FloatArray:
    positive, negative = prior * total, (1 - prior) * total
    cells = (positive * tpr, positive * (1 - tpr), negative * fpr, negative * (1 - fpr))
    return np.asarray(metric.from_counts(*cells))


def draw_prior(metric: Metric, ax: Axes | None, points: Iterable[tuple[float, float]], total: float | None) -> Axes:
    """Draw the value against the prior for classifiers with given false and true positive rates."""
    rates = [_checked_point(point) for point in points]
    if not rates:
        raise InputError("points is empty; pass at least one pair of a false and a true positive rate")
    size = checked_total(total)
    ax = axes_for(ax, height=3.3)
    for (fpr, tpr), look in zip(rates, looks(ax, len(rates)), strict=True):
        values = _values(metric, priors(), fpr, tpr, size)
        _draw_line(ax, values, look, f"FPr = {fpr:g}, TPr = {tpr:g}")
    _finish(ax, metric, "" if is_homogeneous(metric) else f"n = {size:g}")
    return ax


def _checked_point(point: tuple[float, float]) -> tuple[float, float]:
    try:
        fpr, tpr = map(float, point)
        inside = 0 <= fpr <= 1 and 0 <= tpr <= 1
    except (TypeError, ValueError):
        inside = False
    if not inside:
        raise InputError(
            f"{shown(point)} is no point of the ROC plane; pass a false and a true positive rate from 0 to 1"
        )
    return fpr, tpr


def draw_random_guessing(metric: Metric, ax: Axes | None, shares: Iterable[float], n: int | None) -> Axes:
    """Draw what guessing scores that predicts the positive class with given probabilities, and with the prior."""
    guesses = [_checked_share(share) for share in shares]
    if n is not None and (type(n) is not int or not 2 <= n <= MOST):
        raise InputError(f"n={shown(n)} is no number of examples; pass one from 2 to {MOST}, or None for many")
    ax = axes_for(ax, height=3.3)
    prior = priors() if n is None else np.arange(1, n) / n
    words = [f"positive with probability {guess:g}" for guess in guesses] + [f"positive {POSITIVE}"]
    entries = zip([*guesses, None], looks(ax, len(words)), words, strict=True)
    for number, (guess, look, label) in enumerate(entries):
        share = prior if guess is None else np.full_like(prior, guess)
        if n is None:
            values = _values(metric, prior, share, share, checked_total(None))
        else:
            values = np.array([expected_value(metric, k, n - k, q) for k, q in zip(range(1, n), share, strict=True)])
        _draw_line(ax, values, look, label, prior, points=n is not None, width=1.2 + 0.8 * (len(guesses) - number))
    size = n if n is not None or is_homogeneous(metric) else checked_total(None)
    _finish(ax, metric, "random guessing, " + ("many examples" if size is None else f"n = {size:g}"))
    return ax


def _checked_share(share: float) -> float:
    try:
        value = float(share)
    except (TypeError, ValueError):
        value = math.nan
    if not 0 <= value <= 1:
        raise InputError(f"{shown(share)} is no probability of predicting the positive class; pass one from 0 to 1")
    return value


def _draw_line(
    ax: Axes,
    values: FloatArray,
    look: Any,
    label: str,
    prior: FloatArray | None = None,
    *,
    points: bool = False,
    width: float = 1.6,
) -> None:
    """Draw a line where the value is finite, and say so where it is not.

    :param width: wider for the first of several lines, so that those that coincide are all seen
    """
    at = priors() if prior is None else prior
    finite = np.isfinite(values)
    missing = "" if finite.all() else " (gaps: no value)" if np.isnan(values).any() else " (gaps: infinite)"
    marker = {"marker": look.marker, "markersize": 2.5} if points and len(at) <= 40 else {}
    shown_values = np.where(finite, values, np.nan)
    ax.plot(
        at, shown_values, linestyle=look.dash, color=look.colour, label=f"{label}{missing}", linewidth=width, **marker
    )


def _finish(ax: Axes, metric: Metric, *settings: str) -> None:
    ax.set_xscale("logit")
    ax.set_xlim(LEAST, 1 - LEAST)
    ax.set_xticks(TICKS, [f"{tick:g}\n{ratio}" for tick, ratio in zip(TICKS, RATIOS, strict=True)], fontsize="small")
    ax.set_xticks([], minor=True)
    ax.set(xlabel="prior, and negatives : positives", ylabel="value")
    _room(ax, metric)
    title(ax, metric.title, settings_text(metric, *settings))
    legend_below(ax, 46.0)


def _room(ax: Axes, metric: Metric) -> None:
    """Give lines that are level room above and below, and bounded ones their whole range."""
    drawn = [
        y for line in ax.lines for y in np.asarray(line.get_ydata(), dtype=np.float64).tolist() if math.isfinite(y)
    ]
    if not drawn:
        ax.set_ylim(0, 1)
        say(ax, 0.5, 0.5, "no finite value at any prior", ha="center", va="center", transform=ax.transAxes)
        return
    low, high = min(drawn), max(drawn)
    if metric.bounds is not None and all(map(math.isfinite, metric.bounds)):
        least, most = metric.bounds
        if high - low < LEVEL * (most - least):
            low, high = least, most
    if low >= -1e-9 and high <= 1 + 1e-9:
        ax.set_ylim(-0.03, 1.03)
    elif low >= -1 - 1e-9 and high <= 1 + 1e-9:
        ax.set_ylim(-1.05, 1.05)
    elif high - low <= 1e-9 * max(abs(low), abs(high)):
        ax.set_ylim(low - 1, high + 1)
