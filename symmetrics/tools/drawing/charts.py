"""Simple charts: grouped bars, strip charts, heat maps and scatter diagrams."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from math import cos, radians, sin
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import ArrayLike

from symmetrics.tools.drawing.canvas import (
    COLUMN,
    axes_for,
    background,
    colour_bar,
    foreground,
    label_for,
    legend,
    legend_below,
    looks,
    names_of,
    say,
    size_of,
    turned,
)
from symmetrics.tools.errors import InputError
from symmetrics.tools.texts import number_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap


Groups = Mapping[str, Mapping[str, float]]
ROOM: Final = 0.8
"""Fraction of the distance between groups that bars take."""
FITS: Final = 0.62
"""Width of a character, relative to the font size."""


def bars(groups: Groups, *, value: str = "", ax: Axes | None = None) -> Axes:
    """Draw grouped bars: one bar of every kind in each group, with its own colour and hatch.

    :param groups: values by kind, by the name of the group; every group has the same kinds; nan leaves a bar out
    :param value: label of the values
    :returns: the axes
    :raises InputError: if there is nothing to draw, groups differ in their kinds, or matplotlib is not installed

    >>> drawn = bars({"thyroid": {"SVM": 0.31, "LR": 0.28}, "yeast": {"SVM": 0.52, "LR": 0.55}}, value="B42")
    >>> len(drawn.patches), drawn.get_ylabel()
    (4, 'B42')
    """
    kinds = _kinds(groups)
    ax = axes_for(ax)
    width = ROOM / len(kinds)
    for number, (kind, look) in enumerate(zip(kinds, looks(ax, len(kinds)), strict=True)):
        at = [place + (number - (len(kinds) - 1) / 2) * width for place in range(len(groups))]
        heights = [values[kind] for values in groups.values()]
        settings = {"color": look.colour, "hatch": look.hatch, "edgecolor": background(ax), "linewidth": 0.6}
        ax.bar(at, heights, width, label=label_for(kind), **settings)
    _write_groups(ax, groups)
    ax.set_ylabel(value)
    _key(ax, kinds)
    return ax


def dots(groups: Mapping[str, Mapping[str, Sequence[float]]], *, value: str = "", ax: Axes | None = None) -> Axes:
    """Draw a strip chart: a point for every number, in a column for each group and kind.

    :param groups: numbers by kind, by the name of the group; every group has the same kinds
    :param value: label of the numbers
    :returns: the axes
    :raises InputError: if there is nothing to draw, groups differ in their kinds, or matplotlib is not installed

    >>> drawn = dots({"CBA": {"PREV": [1, 2], "PO": [0]}, "F1": {"PREV": [3], "PO": []}}, value="gain")
    >>> [len(column.get_xdata()) for column in drawn.lines]
    [3, 1]
    """
    kinds = _kinds(groups)
    ax = axes_for(ax)
    for number, (kind, look) in enumerate(zip(kinds, looks(ax, len(kinds)), strict=True)):
        shift = (number - (len(kinds) - 1) / 2) * ROOM / len(kinds)
        points = [(place + shift, y) for place, values in enumerate(groups.values()) for y in values[kind]]
        x, y = zip(*points, strict=True) if points else ((), ())
        settings: dict[str, Any] = {"color": look.colour, "markersize": 4, "markeredgewidth": 0.4, "alpha": 0.8}
        ax.plot(x, y, look.marker, label=label_for(kind), markeredgecolor=foreground(ax), **settings)
    _write_groups(ax, groups)
    ax.set_ylabel(value)
    _key(ax, kinds)
    return ax


def _kinds(groups: Mapping[str, Mapping[str, object]]) -> list[str]:
    kinds = [list(values) for values in groups.values()]
    if not kinds or not kinds[0]:
        raise InputError("there is nothing to draw; pass groups, each with values by kind")
    for name, found in zip(groups, kinds, strict=True):
        if found != kinds[0]:
            raise InputError(f"the group {name!r} has the kinds {found}, and the first one {kinds[0]}; pass the same")
    return kinds[0]


def _write_groups(ax: Axes, groups: Mapping[str, object]) -> None:
    names = names_of(list(groups))
    ax.set_xticks(range(len(names)), names, fontsize="small", parse_math=False, **turned(ax, names))
    ax.set_xlim(-0.6, len(names) - 0.4)


def _key(ax: Axes, kinds: Sequence[str]) -> None:
    """Add a legend of the kinds above the axes, where it hides nothing."""
    if len(kinds) > 1:
        columns = min(len(kinds), 4)
        settings = {"ncols": columns, "columnspacing": 1.0, "handlelength": 1.4, "handletextpad": 0.5}
        legend(ax, loc="lower center", bbox_to_anchor=(0.5, 1.0), borderaxespad=0.3, **settings)


def squares(
    values: Sequence[Sequence[float]],
    rows: Sequence[str],
    columns: Sequence[str],
    *,
    low: float,
    high: float,
    label: str = "",
    written: Callable[[float], str] | None = None,
    colours: Colormap | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw a heat map, with numbers in the squares if there is room.

    :param values: the numbers, a row for each of *rows*; nan is left empty
    :param low: the number at one end of the colours
    :param high: the number at the other end
    :param label: label of the colour bar; without one there is no bar
    :param written: a number as it is written, by default with two digits after the point
    :param colours: by default from blue over the lightest to red
    :returns: the axes
    :raises InputError: if names and numbers do not fit together, or matplotlib is not installed

    >>> drawn = squares([[1, 0.5], [0.5, 1]], ["f1", "mcc"], ["f1", "mcc"], low=-1, high=1)
    >>> [text.get_text() for text in drawn.texts]
    ['1', '0.5', '0.5', '1']
    """
    if len(values) != len(rows) or any(len(row) != len(columns) for row in values):
        raise InputError(
            f"values are no table of {number_of(len(rows), 'row')} and {number_of(len(columns), 'column')}; "
            "pass a number for each"
        )
    ax = axes_for(ax, height=3.5)
    from matplotlib import colormaps

    # A diverging scale of blue, white and red, dark at both ends; the sign is shown by the number, not by colour alone.
    chosen = colours or colormaps["RdBu"]
    image = ax.imshow(values, vmin=low, vmax=high, cmap=chosen, aspect="auto")
    ax.set_xticks(range(len(columns)), names_of(columns), fontsize="small", parse_math=False, rotation=90)
    ax.set_yticks(range(len(rows)), names_of(rows), fontsize="small", parse_math=False)
    ax.tick_params(length=0)
    for side in ax.spines.values():
        side.set_visible(False)
    if label:
        colour_bar(ax, image, label, fraction=0.06)
    _write_numbers(ax, values, written or _short, lambda number: chosen((number - low) / ((high - low) or 1)))
    return ax


def _write_numbers(
    ax: Axes,
    values: Sequence[Sequence[float]],
    written: Callable[[float], str],
    colour: Callable[[float], tuple[float, ...]],
) -> None:
    """Write every number in its square, black on light and white on dark, if all are legible."""
    texts = [[written(number) if not math.isnan(number) else "" for number in row] for row in values]
    longest = max((len(text) for row in texts for text in row), default=0)
    if not longest:
        return
    width, height = size_of(ax)
    size = min(8.0, 72 * 0.9 * width / len(values[0]) / (longest * FITS), 72 * 0.7 * height / len(values))
    if size < 4:
        return
    for y, row in enumerate(values):
        for x, number in enumerate(row):
            if texts[y][x]:
                red, green, blue, _ = colour(number)
                ink = "black" if 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.45 else "white"
                say(ax, x, y, texts[y][x], ha="center", va="center", fontsize=size, color=ink)


def _short(number: float) -> str:
    return f"{round(number, 2) + 0.0:.3g}".replace("-", "−")


def examples(classes: Mapping[str, ArrayLike], *, x: str = "", y: str = "", ax: Axes | None = None) -> Axes:
    """Draw a scatter diagram, each class with its own colour and marker.

    :param classes: the coordinates, of shape (..., 2), by the name of the class; the first one lies at the top
    :param x: label of the first coordinate
    :param y: label of the second coordinate
    :returns: the axes
    :raises InputError: if there is nothing to draw, or matplotlib is not installed

    >>> drawn = examples({"target": [(0, 1), (1, 1)], "non-target": [(2, 0)]})
    >>> drawn.get_legend_handles_labels()[1]
    ['target', 'non-target']
    """
    if not classes:
        raise InputError("there is nothing to draw; pass the points of at least one class")
    ax = axes_for(ax)
    markers = ("+", "o", "^", "x", "s", "D")
    for number, ((name, points), look) in enumerate(zip(classes.items(), looks(ax, len(classes)), strict=True)):
        shape = markers[number % len(markers)]
        settings: dict[str, Any] = {
            "markersize": 5 if shape == "+" else 3,
            "zorder": 3 - number / len(classes),
            "alpha": 0.8,
        }
        across, up = np.asarray(points, dtype=np.float64).reshape(-1, 2).T
        ax.plot(across, up, shape, color=look.colour, label=label_for(name), **settings)
    ax.set_xlabel(x)
    ax.set_ylabel(y)
    ax.set_aspect("equal", adjustable="datalim")
    legend(ax, loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=min(len(classes), 3), borderaxespad=0.2)
    return ax


# -- A table of answers as marks: a full disc for yes, a cross for no, others in between -------------------------------


ANSWERS: Final = ("holds", "holds for some parameters", "does not hold", "open")
_ANGLE: Final = 60
"""Angle in degrees of long column names."""
_LETTER: Final = 0.075
"""Width of a character of a name, in inches."""
_LINE: Final = 0.19
"""Height of a line of text, in inches."""
_STEP: Final = (0.24, 0.21)
"""Smallest distance between columns and between rows, in inches."""


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
    """Return the width and height in inches that leave room for all marks, names and the legend.

    :param kinds: how many entries the legend has
    :param is_turned: whether the names of columns rise to the right
    """
    lengths = [_LETTER * len(name) for name in columns]
    rise = _LINE + max(lengths) * sin(radians(_ANGLE)) * is_turned
    # A centred heading may extend beyond the last column.
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
