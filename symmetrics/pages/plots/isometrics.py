"""Isometrics: lines of constant value of a metric, in the ROC or the precision-recall plane.

A line is found on a grid, and then every point of it is moved along its edge of the grid until the metric has the
value there.  Where no point of an edge has it, because the metric jumps, the line ends.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from symmetrics.data.counts import shown
from symmetrics.language.names import CELL_NAMES
from symmetrics.metric import Metric
from symmetrics.metric.export import Space
from symmetrics.metric.populations import Distribution, distribution_of, tables_of
from symmetrics.pages.plots.planes import (
    Condition,
    Plane,
    condition_of,
    edges_of,
    frame,
    label_of,
    levels_of,
    name_chance,
    plane_of,
    settings_text,
)
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
from symmetrics.tools.texts import number_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes


FloatArray = NDArray[np.float64]
Line = tuple[FloatArray, FloatArray]
NODES: Final = 121
INSET: Final = 1e-6
"""Distance of the grid from the edges of the plane, where metrics may be undefined."""
SNAP: Final = 1e-9
"""Relative distance, in grid steps, below which a vertex counts as a grid node."""
HALVINGS: Final = 60
CLEAR: Final = 0.02
"""Smallest distance of a label from other lines."""
HIGH: Final = 0.055
"""Height of a label, relative to the axes."""
CLOSE: Final = 1e-9
"""Tolerance of a point's value, relative to the larger of the line's value and 1."""


@dataclass(frozen=True)
class _Grid:
    """A metric on a grid of the unit square, whose image is the plane."""

    metric: Metric
    plane: Plane
    condition: Condition

    def at(self, u: FloatArray, v: FloatArray) -> FloatArray:
        return self.condition.values(self.metric, *self.plane.rates(u, v, self.condition.prior))

    @property
    def nodes(self) -> FloatArray:
        return np.clip(np.linspace(0, 1, NODES), INSET, 1 - INSET)

    def values(self) -> FloatArray:
        u, v = np.meshgrid(self.nodes, self.nodes)
        return self.at(u, v)


def draw_isometrics(
    metric: Metric, ax: Axes | None, space: Space, prior: object, levels: int | Sequence[float], total: float | None
) -> Axes:
    """Draw the isometrics of a metric with their values, or a note where there are none."""
    if isinstance(ax, str):  # sm.metrics["f1"].plot.isometrics("precision_recall")
        raise InputError(f"ax={ax!r} is not the axes of a figure; write space={ax!r}")
    plane, condition = plane_of(space), condition_of(metric, prior, total)
    grid = _Grid(metric, plane, condition)
    values = grid.values()
    ax = axes_for(ax, height=3.7)
    frame(ax, plane, condition.prior)
    taken = [(0.0, 0.0), (1.0, 1.0), name_chance(ax, plane, condition.prior)]
    examples = f"n = {condition.total:g}" if condition.depends_on_total else ""
    title(ax, metric.title, settings_text(metric, f"prior {condition.text}", examples))
    chosen = _checked(levels, values[1:-1, 1:-1])  # without the edge, whose values near poles are not representative
    if not chosen:
        say(ax, 0.5, 0.5, _why_none(values), ha="center", va="center", bbox=_box(ax))
        return ax
    colours = sequential(ax)
    drawn = {level: _lines(grid, values, level) for level in chosen}
    for number, (level, lines) in enumerate(drawn.items()):
        colour = colours(number / max(1, len(chosen) - 1))
        width = 2.2 if level == 0 and chosen[0] < 0 < chosen[-1] else 1.2
        for x, y in lines:
            ax.plot(x, y, color=colour, linewidth=width, linestyle="--" if level < 0 else "-", zorder=2)
    for level, lines in drawn.items():
        others = [line for other, several in drawn.items() if other != level for line in several]
        _write_label(ax, lines, others, label_of(level), taken)
    return ax


def _checked(levels: int | Sequence[float], values: FloatArray) -> list[float]:
    if isinstance(levels, bool) or (isinstance(levels, int) and levels < 1):
        raise InputError(
            f"levels={shown(levels)} is no number of lines; pass a positive one, or the values of the lines"
        )
    if isinstance(levels, int):
        return levels_of(values, levels)
    try:
        chosen = sorted({float(level) for level in levels})
    except (TypeError, ValueError):
        chosen = [math.nan]
    if not chosen or not all(map(math.isfinite, chosen)):
        raise InputError(f"levels={shown(levels)} are no values of lines; pass finite numbers, or how many lines")
    return chosen


def _why_none(values: FloatArray) -> str:
    finite = values[np.isfinite(values)]
    if finite.size:
        return f"{label_of(float(np.median(finite)))} everywhere:\nno isometrics"
    return "no value anywhere" if np.isnan(values).all() else "infinite wherever\nit has a value"


def _lines(grid: _Grid, values: FloatArray, level: float) -> list[Line]:
    """Return the lines of a level, each as its points in the picture."""
    from contourpy import contour_generator

    places = np.arange(NODES, dtype=np.float64)
    found: Any = contour_generator(places, places, np.ma.masked_invalid(values), name="serial", corner_mask=False)
    lines: list[Line] = []
    for vertices in found.lines(level):
        u, v, is_there = _moved(grid, np.asarray(vertices), level)
        lines.extend(grid.plane.place(u[run], v[run], grid.condition.prior) for run in _runs(is_there))
    return lines


def _moved(grid: _Grid, vertices: FloatArray, level: float) -> tuple[FloatArray, FloatArray, NDArray[np.bool_]]:
    """Move the points of a line along the edges of the grid to where the metric has the value (bisection)."""
    nodes = np.rint(vertices)
    vertices = np.clip(np.where(np.abs(vertices - nodes) < SNAP, nodes, vertices), 0, NODES - 1)
    first, last = np.floor(vertices).astype(int), np.ceil(vertices).astype(int)
    start, end = grid.nodes[first], grid.nodes[last]
    sign = np.sign(grid.at(*start.T) - level)
    low, high = np.zeros(len(vertices)), np.ones(len(vertices))
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        same = np.sign(grid.at(*(start + (end - start) * middle[:, None]).T) - level) == sign
        low, high = np.where(same, middle, low), np.where(same, high, middle)
    # An end of the bracket has the value to the last digits, unless the metric jumps in between.
    ends = [start + (end - start) * share[:, None] for share in (low, high, np.zeros_like(low))]
    gaps = np.abs(np.array([grid.at(*place.T) for place in ends]) - level)
    nearest = np.nanargmin(np.where(np.isnan(gaps), np.inf, gaps), axis=0)
    places = np.array(ends)[nearest, np.arange(len(vertices))]
    return (
        places[:, 0],
        places[:, 1],
        gaps.min(axis=0, initial=np.inf, where=~np.isnan(gaps)) <= CLOSE * max(1.0, abs(level)),
    )


def _runs(is_there: NDArray[np.bool_]) -> list[slice]:
    """Return the stretches of two points or more that have the value."""
    runs, start = [], 0
    for held, group in itertools.groupby(is_there.tolist()):
        length = len(list(group))
        if held and length > 1:
            runs.append(slice(start, start + length))
        start += length
    return runs


def _write_label(
    ax: Axes, lines: Sequence[Line], others: Sequence[Line], text: str, taken: list[tuple[float, float]]
) -> None:
    """Label a line far from other labels and lines; omit the label if there is no room."""
    if not lines:
        return
    points = np.concatenate([np.stack(line, axis=1) for line in lines])
    side = 0.03 + 0.012 * len(text)
    points = points[
        (points[:, 0] >= side) & (points[:, 0] <= 1 - side) & (points[:, 1] >= 0.04) & (points[:, 1] <= 0.96)
    ]
    if not len(points):
        return
    free = _distances(points, np.array(taken))
    if others:
        clear = _distances(points, np.concatenate([np.stack(line, axis=1) for line in others]))
        free = np.where(clear < CLEAR, -1.0, np.minimum(free, 3 * clear))
    aside = np.abs(points[:, None, :] - np.array(taken)[None, :, :])
    free[(aside < [side + 0.01, HIGH]).all(axis=2).any(axis=1)] = -1.0
    best = int(np.argmax(free))
    if free[best] < 0:
        return
    place = (float(points[best, 0]), float(points[best, 1]))
    taken.append(place)
    say(ax, *place, text, ha="center", va="center", fontsize="x-small", bbox=_box(ax), zorder=3)


def _distances(points: FloatArray, others: FloatArray) -> FloatArray:
    """Return each point's distance to the nearest of some others."""
    gaps = points[:, None, :] - others[None, :, :]
    return np.asarray(np.hypot(gaps[..., 0], gaps[..., 1]).min(axis=1))


def _box(ax: Axes) -> dict[str, Any]:
    return {"facecolor": ax.get_facecolor(), "edgecolor": "none", "pad": 0.8}


# -- All tables of n examples: as points of a tetrahedron, and as a histogram of values --------------------------------


MOST: Final = {"tetrahedron": 40, "distribution": 100}
"""Largest number of examples: more points hide each other, and take long."""
BINS: Final = 20
CORNERS: Final = np.array([(-1.0, 0.0, -0.5), (1.0, 0.0, -0.5), (0.0, -0.9, 0.75), (0.0, 0.9, 0.75)])
"""Corners of the tetrahedron for TP, TN, FN and FP: correct predictions on one edge, wrong ones on the opposite."""
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
    """Draw the histogram; tables without a finite value get separate hatched bars."""
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
    """Return the bars beside the histogram: positions, heights and labels."""
    left = [(found.negative_poles, "−∞"), (found.below, f"< {label_of(edges[0])}")]
    right = [(found.above, f"> {label_of(edges[-1])}"), (found.poles, "∞"), (found.undefined, "no value")]
    bars, gap = [], max(width, (edges[-1] - edges[0]) * 0.09)
    for number, (count, words) in enumerate([entry for entry in reversed(left) if entry[0]], 1):
        bars.append((edges[0] - width - number * gap, count, words))
    for number, (count, words) in enumerate([entry for entry in right if entry[0]], 1):
        bars.append((edges[-1] + number * gap, count, words))
    return bars


def _label_aside(ax: Axes, labels: list[tuple[float, str]], edges: list[float]) -> None:
    """Label the separate bars on the axis, rotated, beside the histogram's numbers."""
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
    """Draw the tetrahedron from slightly above, nearer points in front."""
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
    """Project points of the tetrahedron, given as shares of TP, FN, FP and TN; return positions and depth."""
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
    """Mark the tables without a finite value, with a shape for each kind."""
    kinds = (("no value", np.isnan(values), "x"), ("∞", np.isposinf(values), "^"), ("−∞", np.isneginf(values), "v"))
    look = looks(ax, 2)[1]
    found = [(words, where, marker) for words, where, marker in kinds if where.any()]
    for words, where, marker in found:
        count = f"{words} ({int(where.sum())})"
        settings: dict[str, Any] = {"markersize": 4.5, "markerfacecolor": "none", "zorder": 3, "color": look.colour}
        ax.plot(across[where], up[where], marker, label=count, **settings)
    if found:
        legend_below(ax, 2.0, ncols=len(found), handletextpad=0.2, handlelength=1.4)
