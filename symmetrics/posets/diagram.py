"""Hasse diagrams: as text, and drawn."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any, Final

from symmetrics.posets.building import Order, poset
from symmetrics.posets.layout import BAND, Layout, layered
from symmetrics.posets.names import shown
from symmetrics.tools.drawing.canvas import axes_for, background, figure_of, foreground, plain
from symmetrics.tools.errors import InputError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw_hasse", "hasse_text"]

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


def draw_hasse(order: Order, ax: Axes | None = None) -> Axes:
    """Draw the Hasse diagram with matplotlib, the most relevant classes at the top, and return its axes.

    Every line is a pair of the transitive reduction, the lower class below.  The classes of a level stand in a sequence
    with few crossings.  Without axes a figure is made that is large enough for all names; on given axes the names are
    set as small as it takes.

    :param order: a partial order, as :func:`symmetrics.posets.poset` takes it
    :param ax: the axes to draw on
    :raises InputError: if matplotlib is not installed, or the names do not fit the axes
    """
    checked = poset(order)
    names = [shown(node) for node in checked]
    layout = layered(checked.closure, [len(name) + 2.0 for name in names])
    width, height = layout.width * _CHARACTER, layout.height * _LEVEL_HEIGHT
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
