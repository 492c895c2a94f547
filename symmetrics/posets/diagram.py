"""Hasse diagrams: as text, and drawn."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Hashable, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import networkx as nx

from symmetrics.posets.poset import Closure, Order, poset, shown
from symmetrics.posets.probabilities import rank_intervals
from symmetrics.posets.ranks import average_ranks
from symmetrics.tools.drawing.canvas import axes_for, background, figure_of, foreground, plain
from symmetrics.tools.errors import InputError

if TYPE_CHECKING:
    from matplotlib.axes import Axes


# -- Layered layout of a Hasse diagram: few crossings, room for every name ---------------------------------------------

# A cover that spans levels runs through a place of its own on each level between, so that no line crosses a name. The
# sequence of each level follows the means of the neighbours' positions, in sweeps up and down (Sugiyama, Tagawa &
# Toda 1981); the sequences with fewest crossings are kept.


BAND: Final = 0.2
"""Up to so far above and below a level, in levels, lines run upright, so that they cross no name."""

_SWEEPS: Final = 24
_THROUGH: Final = 1.0
"""The room for a line that passes a level, in characters."""


class Layout(NamedTuple):
    """Where to draw.

    :param places: the place (x, y) of each element; y is its level, x is in characters, 0 in the middle
    :param lines: for each cover the points that its line runs through, from the lower to the upper element
    :param width: the width of all, in characters
    :param height: the number of levels
    """

    places: list[tuple[float, float]]
    lines: list[list[tuple[float, float]]]
    width: float
    height: int


class _Layers(NamedTuple):
    """Elements and passing places by level, and the neighbours of each on the level below and on the level above."""

    levels: list[list[int]]
    lower: list[list[int]]
    upper: list[list[int]]


def layered(closure: Closure, widths: Sequence[float]) -> Layout:
    """Return a layout of the covers of an order whose elements' names have these widths, in characters.

    >>> from symmetrics.posets.poset import closure_of
    >>> layout = layered(closure_of([[1, 2], [3], [3], []]), [3.0] * 4)
    >>> layout.places
    [(0.0, 0.0), (-1.5, 1.0), (1.5, 1.0), (0.0, 2.0)]
    """
    layers, paths = _layers(closure)
    _reduce_crossings(layers)
    every = [*widths, *[_THROUGH] * (len(layers.lower) - len(widths))]
    across = _coordinates(layers, every)
    _close_gaps(layers, every, across)
    left = min(x - width / 2 for x, width in zip(across, every, strict=True))
    right = max(x + width / 2 for x, width in zip(across, every, strict=True))
    middle = (left + right) / 2
    height_of = {node: level for level, nodes in enumerate(layers.levels) for node in nodes}
    points = [(x - middle, float(height_of[node])) for node, x in enumerate(across)]
    lines = [_line([points[node] for node in path]) for path in paths]
    return Layout(points[: len(widths)], lines, right - left, len(layers.levels))


def _line(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return the corners of a line through some places, which runs upright where it passes the names of a level."""
    corners = [(x, y + side) for x, y in points for side in (-BAND, BAND)]
    return [points[0], *corners[1:-1], points[-1]]


def _layers(closure: Closure) -> tuple[_Layers, list[list[int]]]:
    """Return the levels with a passing place wherever a cover passes one, and the path of each cover."""
    heights = closure.heights
    levels: list[list[int]] = [[] for _ in range(max(heights) + 1)]
    for node, height in enumerate(heights):
        levels[height].append(node)
    count = len(heights)
    paths = []
    for start, end in closure.covers:
        between = range(count, count + heights[end] - heights[start] - 1)
        for node, level in zip(between, range(heights[start] + 1, heights[end]), strict=True):
            levels[level].append(node)
        count += len(between)
        paths.append([start, *between, end])
    lower: list[list[int]] = [[] for _ in range(count)]
    upper: list[list[int]] = [[] for _ in range(count)]
    for path in paths:
        for first, second in pairwise(path):
            upper[first].append(second)
            lower[second].append(first)
    return _Layers(levels, lower, upper), paths


def _reduce_crossings(layers: _Layers) -> None:
    best = [list(level) for level in layers.levels]
    fewest = crossings(layers.levels, layers.upper)
    for sweep in range(_SWEEPS):
        upwards = sweep % 2 == 0
        numbers = range(1, len(layers.levels)) if upwards else range(len(layers.levels) - 2, -1, -1)
        for number in numbers:
            fixed = layers.levels[number - 1 if upwards else number + 1]
            neighbours = layers.lower if upwards else layers.upper
            _sort_by_means(layers.levels[number], fixed, neighbours)
        count = crossings(layers.levels, layers.upper)
        if count < fewest:
            fewest, best = count, [list(level) for level in layers.levels]
        if fewest == 0:
            break
    layers.levels[:] = best


def _sort_by_means(level: list[int], fixed: Sequence[int], neighbours: Sequence[Sequence[int]]) -> None:
    """Sort a level by the mean position of the neighbours; who has none keeps the place it has."""
    position = {node: index / max(1, len(fixed) - 1) for index, node in enumerate(fixed)}
    mean = {}
    for index, node in enumerate(level):
        known = [position[other] for other in neighbours[node]]
        mean[node] = sum(known) / len(known) if known else index / max(1, len(level) - 1)
    level.sort(key=mean.__getitem__)


def crossings(levels: Sequence[Sequence[int]], upper: Sequence[Sequence[int]]) -> int:
    """Return the number of crossings between neighbouring levels in these sequences.

    >>> crossings([[0, 1], [2, 3]], [[3], [2], [], []]), crossings([[0, 1], [3, 2]], [[3], [2], [], []])
    (1, 0)
    """
    count = 0
    for level, above in pairwise(levels):
        position = {node: index for index, node in enumerate(above)}
        seen: list[int] = []
        for node in level:
            ends = sorted(position[other] for other in upper[node])
            count += sum(len(seen) - bisect_left(seen, end + 1) for end in ends)
            for end in ends:
                insort(seen, end)
    return count


def _coordinates(layers: _Layers, widths: Sequence[float]) -> list[float]:
    """Return a coordinate for every place: near the mean of its neighbours', with room for the names of its level."""
    across = [0.0] * len(widths)
    for level in layers.levels:
        _set_apart(level, [0.0] * len(level), widths, across)
    for sweep in range(_SWEEPS):
        for level in layers.levels if sweep % 2 == 0 else reversed(layers.levels):
            wanted = []
            for node in level:
                near = [across[other] for other in (*layers.lower[node], *layers.upper[node])]
                wanted.append(sum(near) / len(near) if near else across[node])
            _set_apart(level, wanted, widths, across)
    return across


def _close_gaps(layers: _Layers, widths: Sequence[float], across: list[float]) -> None:
    """Move parts that no line connects together, where nothing stands in the room between them."""
    connected = nx.Graph((node, other) for node, others in enumerate(layers.upper) for other in (node, *others))
    spans = []
    for part in nx.connected_components(connected):
        ends = (
            min(across[node] - widths[node] / 2 for node in part),
            max(across[node] + widths[node] / 2 for node in part),
        )
        spans.append((*ends, part))
    spans.sort(key=lambda span: span[0])
    moved, reach = 0.0, spans[0][0]
    for left, right, part in spans:
        moved += max(0.0, left - moved - reach)
        reach = max(reach, right - moved)
        for node in part:
            across[node] -= moved


def _set_apart(level: Sequence[int], wanted: Sequence[float], widths: Sequence[float], across: list[float]) -> None:
    """Set the coordinates of a level in its sequence, without overlap, with the least squares to what is wanted.

    With the widths to the left taken off, the coordinates only have to rise: neighbours out of sequence are pooled.
    """
    offsets = [0.0]
    for first, second in pairwise(level):
        offsets.append(offsets[-1] + (widths[first] + widths[second]) / 2)
    pools: list[tuple[float, int]] = []
    for place, offset in zip(wanted, offsets, strict=True):
        total, size = place - offset, 1
        while pools and pools[-1][0] * size >= total * pools[-1][1]:
            earlier, count = pools.pop()
            total, size = total + earlier, size + count
        pools.append((total, size))
    values = [total / size for total, size in pools for _ in range(size)]
    for node, value, offset in zip(level, values, offsets, strict=True):
        across[node] = value + offset


# ----------------------------------------------------------------------------------------------------------------------


_FONT: Final = 11.0
_SMALLEST_FONT: Final = 3.0
_CHARACTER: Final = 0.095
"""The width of a character in inches, at the usual size of the font."""
_LEVEL_HEIGHT: Final = 0.9
_GAP: Final = 0.6
"""What is free between the frames of two names at least, in sizes of the font."""


def hasse_text(order: Order) -> str:
    """Return the Hasse diagram as text: the classes by levels, the highest first, each with those that it covers.

    A class is on the level of the longest chain below it; it covers the classes below it with none between.

    :param order: a partial order, as :func:`symmetrics.posets.poset` takes it

    >>> from symmetrics.posets import poset
    >>> print(hasse_text(poset([("c", "a"), ("c", "b"), ("b", "d"), ("c", "d")], classes=list("abcde"))))
    level  class  covers
        3  d      b
        2  a      c
           b      c
        1  c
           e
    """
    checked = poset(order)
    covered: dict[Hashable, list[str]] = {node: [] for node in checked}
    for lower, upper in checked.reduction:
        covered[upper].append(shown(lower))
    rows = [("level", "class", "covers")]
    for number in range(len(checked.levels), 0, -1):
        for position, node in enumerate(checked.levels[number - 1]):
            rows.append(("" if position else str(number), shown(node), ", ".join(covered[node])))
    widths = [max(len(row[column]) for row in rows) for column in (0, 1)]
    return "\n".join(f"{a:>{widths[0]}}  {b:<{widths[1]}}  {c}".rstrip() for a, b, c in rows)


def draw_hasse(order: Order, ax: Axes | None = None, *, ranks: str | Mapping[Hashable, float] | None = None) -> Axes:
    """Draw the Hasse diagram with matplotlib, the most relevant classes at the top, and return its axes.

    Every line is a pair of the transitive reduction, the lower class below.  The classes of a level stand in a sequence
    with few crossings.  Without axes a figure is made that is large enough for all names; on given axes the names are
    set as small as it takes.

    :param order: a partial order, as :func:`symmetrics.posets.poset` takes it
    :param ax: the axes to draw on
    :param ranks: what stands below each name: the rank of each class, by a method of
        :func:`symmetrics.posets.average_ranks` or as a mapping, and in brackets the first and the last rank that the
        order allows
    :raises InputError: if matplotlib is not installed, the names do not fit the axes, or a class has no rank
    """
    checked = poset(order)
    names = [shown(node) for node in checked]
    lines = 1
    if ranks is not None:
        known = average_ranks(checked, ranks) if isinstance(ranks, str) else ranks
        if missing := [node for node in checked if node not in known]:
            raise InputError(f"ranks has no class {shown(missing[0])}: give the rank of every class")
        ends = rank_intervals(checked)
        below = [f"{float(known[node]):.2f} [{ends[node][0]}, {ends[node][1]}]" for node in checked]
        names, lines = [f"{name}\n{rank}" for name, rank in zip(names, below, strict=True)], 2
    widths = [max(map(len, name.split("\n"))) + 2.0 for name in names]
    layout = layered(checked.closure, widths)
    width, height = layout.width * _CHARACTER, layout.height * _LEVEL_HEIGHT * (1 + lines) / 2
    ax = axes_for(ax, width=max(2.0, width), height=max(1.0, height))
    ax.set_axis_off()
    ax.set_xlim(-layout.width / 2, layout.width / 2)
    ax.set_ylim(-0.5, layout.height - 0.5)
    for line in layout.lines:
        ax.plot(*zip(*line, strict=True), color="0.45", linewidth=1.0, zorder=1, solid_joinstyle="round")
    _write_names(ax, names, layout)
    return ax


def _write_names(ax: Axes, names: Sequence[str], layout: Layout) -> None:
    """Write the names in the largest font, up to the usual one, in which they leave room between each other."""
    labels = [
        ax.text(*place, name, fontsize=_FONT, ha="center", va="center", zorder=2, color=foreground(ax))
        for place, name in zip(layout.places, names, strict=True)
    ]
    for label in labels:
        box = {"boxstyle": "round,pad=0.25", "facecolor": background(ax), "edgecolor": "0.45", "linewidth": 0.8}
        plain(label).set_bbox(box)
    size = _FONT
    while _collide(ax, labels):
        size *= 0.9
        if size < _SMALLEST_FONT:
            raise InputError(f"the names of {len(names)} classes do not fit the axes: draw on larger ones, or on none")
        for label in labels:
            label.set_fontsize(size)


def _collide(ax: Axes, labels: Sequence[Any]) -> bool:
    """Whether the frames of two names leave no gap, or one is so high that lines may run through it."""
    figure_of(ax).draw_without_rendering()
    (_, lower), (_, upper) = ax.transData.transform([(0, -BAND), (0, BAND)])
    boxes = sorted((label.get_bbox_patch().get_window_extent() for label in labels), key=lambda box: box.x0)
    if any(box.height > upper - lower for box in boxes):
        return True
    gap = _GAP * max(label.get_fontsize() for label in labels) * figure_of(ax).dpi / 72
    for index, box in enumerate(boxes):
        for other in boxes[index + 1 :]:
            if other.x0 > box.x1 + gap:
                break
            if other.y0 <= box.y1 and box.y0 <= other.y1:
                return True
    return False
