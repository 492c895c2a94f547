"""A table of answers as marks: a full disc for yes, a cross for no, and what lies between."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, radians, sin
from typing import TYPE_CHECKING, Any, Final

from symmetrics.tools.drawing.canvas import COLUMN, axes_for, background, foreground, legend_below, looks, names_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["ANSWERS", "marks"]

ANSWERS: Final = ("holds", "holds for some parameters", "does not hold", "open")
_ANGLE: Final = 60
"""Degrees by which long names of columns are turned."""
_LETTER: Final = 0.075
"""The width of a letter of a name, in inches."""
_LINE: Final = 0.19
"""The height of a line of words, in inches."""
_STEP: Final = (0.24, 0.21)
"""The least distances of columns and of rows, in inches."""


def marks(
    answers: Sequence[Sequence[str]], rows: Sequence[str], columns: Sequence[str], *, ax: Axes | None = None
) -> Axes:
    """Draw a table whose cells are answers, each one of :data:`ANSWERS`.

    :param answers: row by row
    :param rows, columns: their names; there is at least one of each
    :returns: the axes, a row for each name
    """
    down, across = names_of(rows), names_of(columns)
    is_turned = max(map(len, columns)) >= 4
    kinds = len({answer for row in answers for answer in row})
    width, height = _size(down, across, kinds, is_turned=is_turned)
    ax = axes_for(ax, width=width, height=height)
    places: dict[str, list[tuple[int, int]]] = {answer: [] for answer in ANSWERS}
    for y, row in enumerate(answers):
        for x, answer in enumerate(row):
            places[answer].append((x, y))
    _draw_marks(ax, places)
    ax.set_xlim(-0.6, len(columns) - 0.4)
    ax.set_ylim(len(rows) - 0.4, -0.6)
    above: dict[str, Any] = {"rotation": _ANGLE, "ha": "left", "rotation_mode": "anchor"} if is_turned else {}
    ax.set_xticks(range(len(columns)), across, parse_math=False, **above)
    ax.set_yticks(range(len(rows)), down, parse_math=False)
    ax.tick_params(length=0, labelsize="small", top=False, labeltop=True, bottom=False, labelbottom=False)
    for side in ax.spines.values():
        side.set_visible(False)
    legend_below(ax, 2.0, loc="upper right", bbox_to_anchor=(1.0, 0.0), handlelength=1.0, handletextpad=0.4)
    return ax


def _size(rows: Sequence[str], columns: Sequence[str], kinds: int, *, is_turned: bool) -> tuple[float, float]:
    """Return the width and the height in inches that leave every mark its room beside the names and the legend.

    :param kinds: how many entries the legend has
    :param is_turned: whether the names of columns rise to the right
    """
    lengths = [_LETTER * len(name) for name in columns]
    rise = _LINE + max(lengths) * sin(radians(_ANGLE)) * is_turned
    # A heading in the middle may reach beyond the last column, too.
    beyond = [
        length * cos(radians(_ANGLE)) - _STEP[0] * after for after, length in enumerate(reversed(lengths)) if is_turned
    ]
    width = 0.35 + _LETTER * max(map(len, rows)) + _STEP[0] * len(columns) + max([0.0, *beyond])
    return max(COLUMN, width), 0.25 + rise + _STEP[1] * len(rows) + _LINE * kinds


def _draw_marks(ax: Axes, places: dict[str, list[tuple[int, int]]]) -> None:
    first, second, third = (look.colour for look in looks(ax, 3))
    styles: dict[str, dict[str, Any]] = {
        ANSWERS[0]: {"marker": "o", "color": first},
        ANSWERS[1]: {"marker": "o", "color": third, "fillstyle": "left", "markerfacecoloralt": background(ax)},
        ANSWERS[2]: {"marker": "x", "color": second, "markeredgewidth": 1.4},
        ANSWERS[3]: {"marker": "$?$", "color": foreground(ax)},
    }
    for answer, found in places.items():
        if found:
            x, y = zip(*found, strict=True)
            ax.plot(x, y, linestyle="none", markersize=6.5, label=answer, **styles[answer])
