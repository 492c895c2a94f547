"""All tables of n examples: as points of a tetrahedron, and how many of them have which values."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from symmetrics.language.names import CELL_NAMES
from symmetrics.metric import Metric
from symmetrics.metric.populations import Distribution, distribution_of, tables_of
from symmetrics.numeric.counts import shown
from symmetrics.pages.plots.planes import edges_of, label_of, settings_text
from symmetrics.tools.drawing.canvas import (
    axes_for,
    background,
    colour_bar,
    foreground,
    legend_below,
    looks,
    say,
    sequential,
    title,
)
from symmetrics.tools.errors import InputError
from symmetrics.tools.words import number_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes


FloatArray = NDArray[np.float64]
MOST: Final = {"tetrahedron": 40, "distribution": 100}
"""How many examples there may be: more points hide each other, and more tables take long."""
BINS: Final = 20
CORNERS: Final = np.array([(-1.0, 0.0, -0.5), (1.0, 0.0, -0.5), (0.0, -0.9, 0.75), (0.0, 0.9, 0.75)])
"""The corners of the tetrahedron, of TP, TN, FN and FP: right predictions on one edge, wrong ones on the opposite."""
TURN: Final = math.radians(28)
LEAN: Final = math.radians(16)


def checked_size(n: object, picture: str) -> int:
    """Return a number of examples.

    :raises InputError: unless it is a whole number from 1 to what the picture holds
    """
    if isinstance(n, bool) or not isinstance(n, int) or not 1 <= n <= MOST[picture]:
        raise InputError(f"n={shown(n)} is no number of examples for this picture; pass one from 1 to {MOST[picture]}")
    return n


def draw_distribution(metric: Metric, n: int, ax: Axes | None) -> Axes:
    """Draw the distribution as bars; tables without a finite value stand apart, with a hatch of their own."""
    values = np.asarray(metric.from_counts(tables_of(checked_size(n, "distribution"))))
    found = distribution_of(metric, n, edges_of(values, BINS) if np.isfinite(values).any() else [])
    ax = axes_for(ax, height=2.8)
    styles = looks(ax, 2)
    edges = [float(edge) for edge in found.edges] or [0.0, 1.0]
    width = edges[1] - edges[0]
    settings: dict[str, Any] = {"align": "edge", "edgecolor": background(ax), "linewidth": 0.4}
    ax.bar(edges[: len(found.counts)], found.counts, width, color=styles[0].colour, **settings)
    aside = _aside(found, edges, width)
    for x, count, _ in aside:
        ax.bar(x, count, width, color=styles[1].colour, hatch="////", **settings)
    if aside:
        _label_aside(ax, [(x + width / 2, words) for x, _, words in aside], edges)
    ax.set(xlabel="value", ylabel="number of tables")
    title(
        ax, metric.title, settings_text(metric, f"all {number_of(found.total, 'table')} of {number_of(n, 'example')}")
    )
    return ax


def _aside(found: Distribution, edges: list[float], width: float) -> list[tuple[float, int, str]]:
    """Return the bars beside the bins: where they begin, how high they are and what they are."""
    left = [(found.negative_poles, "−∞"), (found.below, f"< {label_of(edges[0])}")]
    right = [(found.above, f"> {label_of(edges[-1])}"), (found.poles, "∞"), (found.undefined, "no value")]
    bars, gap = [], max(width, (edges[-1] - edges[0]) * 0.09)
    for number, (count, words) in enumerate([entry for entry in reversed(left) if entry[0]], 1):
        bars.append((edges[0] - width - number * gap, count, words))
    for number, (count, words) in enumerate([entry for entry in right if entry[0]], 1):
        bars.append((edges[-1] + number * gap, count, words))
    return bars


def _label_aside(ax: Axes, labels: list[tuple[float, str]], edges: list[float]) -> None:
    """Put the names of the bars beside the bins on the axis, turned, and leave its numbers to the bins."""
    from matplotlib.ticker import MaxNLocator

    numbers = [
        tick
        for tick in map(float, MaxNLocator(5).tick_values(edges[0], edges[-1]))
        if edges[0] - 1e-9 <= tick <= edges[-1] + 1e-9
    ]
    ax.set_xticks([*numbers, *(x for x, _ in labels)], [*(label_of(tick) for tick in numbers), *(w for _, w in labels)])
    for label in ax.get_xticklabels()[len(numbers) :]:
        label.set_rotation(60)
        label.set_horizontalalignment("right")
        label.set_rotation_mode("anchor")
        label.set_fontsize("small")


def draw_tetrahedron(metric: Metric, n: int, ax: Axes | None) -> Axes:
    """Draw the tetrahedron, seen from a little above; what is nearer covers what lies behind."""
    tables = tables_of(checked_size(n, "tetrahedron"))
    values = np.asarray(metric.from_counts(*tables.T))
    ax = axes_for(ax, width=4.2, height=3.6)
    title(
        ax, metric.title, settings_text(metric, f"all {number_of(len(tables), 'table')} of {number_of(n, 'example')}")
    )
    across, up, depth = _seen(tables / n)
    _draw_edges(ax)
    behind = np.argsort(depth)
    finite = behind[np.isfinite(values[behind])]
    sizes = (6.0 + 10.0 * (depth - depth.min()) / max(float(np.ptp(depth)), 1e-9)) * (11 / (n + 1)) ** 1.2
    if finite.size:
        settings: dict[str, Any] = {"cmap": sequential(ax), "linewidths": 0.25, "edgecolors": background(ax)}
        points = ax.scatter(across[finite], up[finite], s=sizes[finite], c=values[finite], zorder=2, **settings)
        colour_bar(ax, points, "value", pad=0.02)
    _draw_others(ax, across, up, values)
    return ax


def _seen(shares: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return where points of the tetrahedron, as shares of TP, FN, FP and TN, are seen, and how near they are."""
    x, y, z = (shares[:, [0, 3, 1, 2]] @ CORNERS).T
    x, y = x * math.cos(TURN) - y * math.sin(TURN), x * math.sin(TURN) + y * math.cos(TURN)
    return x, z * math.cos(LEAN) + y * math.sin(LEAN), z * math.sin(LEAN) - y * math.cos(LEAN)


def _draw_edges(ax: Axes) -> None:
    corners = np.eye(4)
    across, up, _ = _seen(corners)
    for first in range(4):
        for second in range(first):
            ends = [first, second]
            ax.plot(across[ends], up[ends], color="0.55", linewidth=0.8, zorder=1)
    ax.set_axis_off()
    ax.set_aspect("equal")
    for name, x, y in zip(CELL_NAMES, across, up, strict=True):
        out = 1.12
        say(ax, x * out, y * out + (0.05 if y > 0 else -0.05), name, ha="center", va="center", color=foreground(ax))
    ax.set_xlim(across.min() - 0.25, across.max() + 0.25)
    ax.set_ylim(up.min() - 0.28, up.max() + 0.28)


def _draw_others(ax: Axes, across: FloatArray, up: FloatArray, values: FloatArray) -> None:
    """Mark the tables without a finite value, each kind with its own shape."""
    kinds = (("no value", np.isnan(values), "x"), ("∞", np.isposinf(values), "^"), ("−∞", np.isneginf(values), "v"))
    look = looks(ax, 2)[1]
    found = [(words, where, marker) for words, where, marker in kinds if where.any()]
    for words, where, marker in found:
        count = f"{words} ({int(where.sum())})"
        settings: dict[str, Any] = {"markersize": 4.5, "markerfacecolor": "none", "zorder": 3, "color": look.colour}
        ax.plot(across[where], up[where], marker, label=count, **settings)
    if found:
        legend_below(ax, 2.0, ncols=len(found), handletextpad=0.2, handlelength=1.4)
