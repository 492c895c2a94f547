"""Isometrics: lines on which a metric has one value, in the ROC plane or in that of precision and recall.

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

from symmetrics.metric import Metric
from symmetrics.metric.plots import Space
from symmetrics.numeric.counts import shown
from symmetrics.pages.plots.planes import (
    Condition,
    Plane,
    condition_of,
    frame,
    label_of,
    levels_of,
    name_chance,
    plane_of,
    settings_text,
)
from symmetrics.tools.drawing.canvas import axes_for, say, sequential, title
from symmetrics.tools.errors import InputError

if TYPE_CHECKING:
    from matplotlib.axes import Axes


FloatArray = NDArray[np.float64]
Line = tuple[FloatArray, FloatArray]
NODES: Final = 121
INSET: Final = 1e-6
"""How far the grid keeps off the edges of the plane, where metrics may have no value."""
SNAP: Final = 1e-9
"""A vertex that is nearer than this to a node of the grid, in steps of the grid, is on it but for rounding."""
HALVINGS: Final = 60
CLEAR: Final = 0.02
"""A value is written nowhere that another line is nearer than this."""
HIGH: Final = 0.055
"""What a value that is written takes of the height of the axes."""
CLOSE: Final = 1e-9
"""How far the value at a point of a line may be from that of the line, as a share of the larger of it and 1."""


@dataclass(frozen=True)
class _Grid:
    """A metric on a grid of the unit square that a plane is the image of."""

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
    """Draw the isometrics of a metric with their values, and what there is to say where there are none."""
    if isinstance(ax, str):  # as sm.metrics["f1"].plot.isometrics("precision_recall")
        raise InputError(f"ax={ax!r} is not the axes of a figure; write space={ax!r}")
    plane, condition = plane_of(space), condition_of(metric, prior, total)
    grid = _Grid(metric, plane, condition)
    values = grid.values()
    ax = axes_for(ax, height=3.7)
    frame(ax, plane, condition.prior)
    taken = [(0.0, 0.0), (1.0, 1.0), name_chance(ax, plane, condition.prior)]
    examples = f"n = {condition.total:g}" if condition.depends_on_total else ""
    title(ax, metric.title, settings_text(metric, f"prior {condition.text}", examples))
    chosen = _checked(levels, values[1:-1, 1:-1])  # the edge is so near to poles that it says nothing of the rest
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
    """Return the points of a line, each moved along its edge of the grid to where the metric has the value."""
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
    # One end of what is left has the value to the last digits, unless the metric jumps in between.
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
    """Return the stretches of at least two points that have the value."""
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
    """Write the value on its line, far from the values written so far and from other lines; or not, if all is full."""
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
    """Return how far each point is from the nearest of some others."""
    gaps = points[:, None, :] - others[None, :, :]
    return np.asarray(np.hypot(gaps[..., 0], gaps[..., 1]).min(axis=1))


def _box(ax: Axes) -> dict[str, Any]:
    return {"facecolor": ax.get_facecolor(), "edgecolor": "none", "pad": 0.8}
