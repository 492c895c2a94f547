"""A table of answers as marks: a full disc for yes, a cross for no, and what lies between."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from symmetrics.tools.drawing.canvas import axes_for, background, foreground, legend_below, looks, names_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["ANSWERS", "marks"]

ANSWERS: Final = ("holds", "holds for some parameters", "does not hold", "open")


def marks(
    answers: Sequence[Sequence[str]], rows: Sequence[str], columns: Sequence[str], *, ax: Axes | None = None
) -> Axes:
    """Draw a table whose cells are answers, each one of :data:`ANSWERS`.

    :param answers: row by row
    :param rows, columns: their names; there is at least one of each
    :returns: the axes, a row for each name
    """
    ax = axes_for(ax, height=1.1 + 0.21 * len(rows), width=max(3.5, 1.6 + 0.24 * len(columns)))
    places: dict[str, list[tuple[int, int]]] = {answer: [] for answer in ANSWERS}
    for y, row in enumerate(answers):
        for x, answer in enumerate(row):
            places[answer].append((x, y))
    _draw_marks(ax, places)
    ax.set_xlim(-0.6, len(columns) - 0.4)
    ax.set_ylim(len(rows) - 0.4, -0.6)
    above: dict[str, Any] = (
        {} if max(map(len, columns)) < 4 else {"rotation": 60, "ha": "left", "rotation_mode": "anchor"}
    )
    ax.set_xticks(range(len(columns)), names_of(columns), parse_math=False, **above)
    ax.set_yticks(range(len(rows)), names_of(rows), parse_math=False)
    ax.tick_params(length=0, labelsize="small", top=False, labeltop=True, bottom=False, labelbottom=False)
    for side in ax.spines.values():
        side.set_visible(False)
    legend_below(ax, 2.0, loc="upper right", bbox_to_anchor=(1.0, 0.0), handlelength=1.0, handletextpad=0.4)
    return ax


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
