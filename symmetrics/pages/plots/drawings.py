"""The plots of one metric, as ``metric.plot`` offers them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from symmetrics.data.counts import shown
from symmetrics.evaluation.winner import winner
from symmetrics.metric import Metric
from symmetrics.metric.export import Plots, Space
from symmetrics.metric.over_priors import exact_range, middle
from symmetrics.metric.populations import expected_value
from symmetrics.metric.priors import is_homogeneous
from symmetrics.pages.plots.isometrics import draw_distribution, draw_isometrics, draw_tetrahedron
from symmetrics.pages.plots.planes import Condition, checked_total, condition_of, frame, plane_of, settings_text
from symmetrics.statistics.intervals import Formula, Range
from symmetrics.tools.drawing.canvas import (
    axes_for,
    colour_bar,
    foreground,
    legend_below,
    looks,
    say,
    sequential,
    title,
)
from symmetrics.tools.errors import InputError

if TYPE_CHECKING:
    from matplotlib.axes import Axes


# -- Gradient fields: direction and rate of steepest increase in the ROC plane -----------------------------------------


FloatArray = NDArray[np.float64]
PLACES: Final = np.linspace(0.05, 0.95, 10)
REACH: Final = 0.085
"""Length of all arrows; the slope is shown by colour."""


def slopes_in_rates(
    metric: Metric, fpr: FloatArray, tpr: FloatArray, condition: Condition
) -> tuple[FloatArray, FloatArray]:
    """Return the derivatives of a metric by the false and by the true positive rate."""
    positive, negative = condition.total * condition.prior, condition.total * (1 - condition.prior)
    cells = np.array([positive * tpr, positive * (1 - tpr), negative * fpr, negative * (1 - fpr)])
    tp, fn, fp, tn = Formula(metric.at_defaults(), Range(-math.inf, math.inf)).slopes(cells)
    return negative * (fp - tn), positive * (tp - fn)


def draw_gradient(metric: Metric, ax: Axes | None, prior: object, total: float | None) -> Axes:
    """Draw arrows of equal length in the direction of steepest increase, coloured by slope."""
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
    colour_bar(ax, arrows, "length of the gradient")
    return ax


def _norm(slopes: FloatArray) -> Any:
    """Return a linear colour scale, or a logarithmic one if slopes differ a hundredfold."""
    from matplotlib.colors import LogNorm, Normalize

    low, high = float(slopes.min()), float(slopes.max())
    if high - low <= 1e-9 * high:
        return Normalize(0.0, 2 * high)
    return LogNorm(low, high) if high > 30 * low else Normalize(low, high)


# -- Scores against the prior: of classifiers with given rates, and of random guessing ---------------------------------


TICKS: Final = (0.01, 0.1, 0.5, 0.9, 0.99)
RATIOS: Final = ("99:1", "9:1", "1:1", "1:9", "1:99")
LEAST: Final = 0.003
MOST: Final = 200
"""Largest number of examples for expectations, whose cost is the number of tables."""
LEVEL: Final = 0.1
"""Lines that vary less than this fraction of the metric's range are drawn on the scale of the whole range."""
POSITIVE: Final = "as often as the prior"


def priors() -> FloatArray:
    """Return priors for plotting a line, equally spaced in log odds."""
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


def draw_tables(metric: Metric, ax: Axes | None, tables: Mapping[str, object], low: object, high: object) -> Axes:
    """Draw the value against the prior at the rates of tables, with the extremes over a range, and who wins where."""
    ranges = {name: metric.over_priors(table, low, high) for name, table in tables.items()}
    found = winner(tables, metric, low=low, high=high) if len(tables) > 1 else None
    ax = axes_for(ax, height=3.6)
    for (name, known), look in zip(ranges.items(), looks(ax, len(ranges)), strict=True):
        tp, fn, fp, tn = map(float, known.table)
        _draw_line(ax, _values(metric, priors(), fp / (fp + tn), tp / (tp + fn), tp + fn + fp + tn), look, name)
        for marker, at, value in (("v", known.at_low, known.low), ("^", known.at_high, known.high)):
            if LEAST <= middle(at) <= 1 - LEAST and known.low != known.high:
                ax.plot(middle(at), middle(value), marker=marker, color=look.colour, markersize=5, clip_on=False)
    ends = exact_range(low, high)
    if ends != (0, 1):
        ax.axvspan(max(float(ends[0]), LEAST), min(float(ends[1]), 1 - LEAST), color="0.5", alpha=0.12, linewidth=0)
    _finish(ax, metric, f"▼ ▲ extremes, {ends[0]} to {ends[1]}")
    for place in map(middle, found.crossings if found else ()):
        ax.axvline(place, color=foreground(ax), linestyle=":", linewidth=1)
        say(ax, place, 1.0, f" {place:.3g}", transform=ax.get_xaxis_transform(), fontsize="small", va="top")
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
    """Draw expected scores of random guessing at given rates of positive predictions, and at the prior."""
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
    """Draw a line where the value is finite, and mark where it is not.

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
    """Set y limits: the whole range if bounded, padding around constant lines."""
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


# ----------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class MetricPlots(Plots):
    """Plots of one metric, at the defaults of its parameters.

    Each is drawn on the axes that are given, or on those of a new figure as wide as a column, and returns the axes.
    Where nothing can be drawn, because the metric is constant or has no value, the picture says so.

    :param metric: the metric to plot

    >>> from symmetrics.library import metrics
    >>> metrics["mcc"].plot
    <plots of mcc: distribution, gradient, isometrics, prior, random_guessing, tetrahedron>
    """

    metric: Metric

    def __repr__(self) -> str:
        return f"<plots of {self.metric.name}: {', '.join(sorted(Plots.__abstractmethods__))}>"

    def isometrics(
        self,
        ax: Axes | None = None,
        space: Space = "roc",
        prior: object = "1/2",
        *,
        levels: int | Sequence[float] = 9,
        total: float | None = None,
    ) -> Axes:
        """Draw isometrics, lines of constant value, each labelled with the value (Flach 2003).

        Every point of a line has its value to nine digits.  Lines of negative values are dashed; where there are both
        signs, the line of 0 is bold.  The dotted line is where random guessing lies; in the precision-recall plane
        what lies below the least precision of a recall, which no classifier reaches, is hatched (Boyd et al. 2012).

        :param space: ``"roc"``, true against false positive rates, or ``"precision_recall"``
        :param prior: the share of the positive class, strictly between 0 and 1
        :param levels: the values of the lines, or how many there may be, at round values
        :param total: the number of examples, for metrics that depend on it; 100 by default
        :returns: the axes
        :raises InputError: on another prior, levels or total, and without matplotlib
        :raises UnknownNameError: on another space
        :raises DefinitionError: if a parameter has no default

        >>> from symmetrics.library import metrics
        >>> drawn = metrics["accuracy"].plot.isometrics(levels=[0.25, 0.5, 0.75])
        >>> [text.get_text() for text in drawn.texts[1:]]
        ['0.25', '0.5', '0.75']
        """
        return draw_isometrics(self.metric, ax, space, prior, levels, total)

    def prior(
        self,
        ax: Axes | None = None,
        points: Iterable[tuple[float, float]] = ((0.1, 0.9), (0.3, 0.8), (0.05, 0.5)),
        *,
        total: float | None = None,
        tables: Mapping[str, object] | None = None,
        low: object = 0,
        high: object = 1,
    ) -> Axes:
        """Plot the value against prior and imbalance, for classifiers with fixed rates.

        A metric that does not depend on the prior has level lines.

        :param points: pairs of a false and a true positive rate, from 0 to 1
        :param total: the number of examples, for metrics that depend on it; 100 by default
        :param tables: tables by name, whose rates and totals are taken instead: with the priors at which another one
            becomes the best (:func:`symmetrics.winner`), and the extremes of each
        :param low, high: the range of priors for these, which is shaded
        :returns: the axes, with the logarithm of the odds of the prior along them
        :raises InputError: on rates outside their interval, on another total, and without matplotlib
        :raises DefinitionError: if a parameter has no default

        >>> from symmetrics.library import metrics
        >>> drawn = metrics["precision"].plot.prior(points=[(0.1, 0.9)])
        >>> round(float(drawn.lines[0].get_ydata()[120]), 12)  # at a prior of 1/2
        0.9
        """
        return (
            draw_prior(self.metric, ax, points, total)
            if tables is None
            else draw_tables(self.metric, ax, tables, low, high)
        )

    def tetrahedron(self, n: int = 10, ax: Axes | None = None) -> Axes:
        """Plot all tables of n examples as points of a tetrahedron, whose corners have a single non-zero cell.

        The opposite edges are those of right and of wrong predictions.  Tables without a finite value have a mark and
        an entry of the legend of their own.

        :param n: the number of examples, from 1 to 40
        :returns: the axes
        :raises InputError: on another n, and without matplotlib
        :raises DefinitionError: if a parameter has no default

        >>> from symmetrics.library import metrics
        >>> drawn = metrics["precision"].plot.tetrahedron(3)
        >>> len(drawn.collections[0].get_offsets()), drawn.get_legend_handles_labels()[1]
        (16, ['no value (4)'])
        """
        return draw_tetrahedron(self.metric, n, ax)

    def gradient(self, ax: Axes | None = None, prior: object = "1/2", *, total: float | None = None) -> Axes:
        """Plot the gradient as arrows of equal length, coloured by slope, in the ROC plane.

        A dot stands where the value does not change with the rates.  Isometrics are at right angles to the arrows.

        :param prior: the share of the positive class, strictly between 0 and 1
        :param total: the number of examples, for metrics that depend on it; 100 by default
        :returns: the axes
        :raises InputError: on another prior or total, and without matplotlib
        :raises DefinitionError: if a parameter has no default

        >>> from symmetrics.library import metrics
        >>> arrows = metrics["recall"].plot.gradient().collections[0]
        >>> float(abs(arrows.U).max()), bool((arrows.V > 0).all())
        (0.0, True)
        """
        return draw_gradient(self.metric, ax, prior, total)

    def distribution(self, n: int = 20, ax: Axes | None = None) -> Axes:
        """Plot the histogram of values over all tables of n examples: (n + 3)(n + 2)(n + 1)/6 in all.

        Every table is in the bar that it belongs to: what rounding leaves open is decided exactly.  Tables without a
        finite value have bars of their own, and so has what lies far out.

        :param n: the number of examples, from 1 to 100
        :returns: the axes
        :raises InputError: on another n, and without matplotlib
        :raises DefinitionError: if a parameter has no default

        >>> from symmetrics.library import metrics
        >>> drawn = metrics["precision"].plot.distribution(5)
        >>> int(sum(bar.get_height() for bar in drawn.patches))
        56
        """
        return draw_distribution(self.metric, n, ax)

    def random_guessing(
        self, ax: Axes | None = None, shares: Iterable[float] = (0.1, 0.5, 0.9), *, n: int | None = None
    ) -> Axes:
        """Plot the expected score of random guessing against the prior, for several rates of positive predictions.

        :param shares: probabilities of predicting the positive class; that of the prior itself is drawn as well
        :param n: the number of examples that the expectation is taken for, from 2 to 200, with whole numbers of
            positives: tables without a value are left out.  By default the value at the expected table, which is the
            limit of many examples where the metric is continuous
        :returns: the axes
        :raises InputError: on probabilities outside [0, 1], on another n, and without matplotlib
        :raises DefinitionError: if a parameter has no default

        >>> from symmetrics.library import metrics
        >>> drawn = metrics["accuracy"].plot.random_guessing(shares=[0.5])
        >>> sorted({round(float(y), 12) for y in drawn.lines[0].get_ydata()})
        [0.5]
        """
        return draw_random_guessing(self.metric, ax, shares, n)
