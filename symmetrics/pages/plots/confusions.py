"""Confusion matrices as squares, each with its count, its share of the true class and how sure that share is."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from math import radians, sin
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import ArrayLike

from symmetrics.numeric.confusion import ConfusionMatrix
from symmetrics.numeric.counts import as_matrices, shown
from symmetrics.numeric.intervals.contrasts import clopper_pearson, jeffreys, mid_p, wilson
from symmetrics.tools.drawing.canvas import (
    TURN,
    axes_for,
    foreground,
    names_of,
    say,
    sequential,
    size_of,
    title,
    turned,
)
from symmetrics.tools.errors import InputError, UnknownNameError
from symmetrics.tools.frames import named_matrices
from symmetrics.tools.words import number_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes


METHODS: Final = {"wilson": wilson, "jeffreys": jeffreys, "exact": clopper_pearson, "midp": mid_p}
MOST: Final = 30
_SQUARE: Final = 0.36
"""Inches of a square in which a count can be read."""
_LEAST: Final = (2.3, 1.8)
"""The least width and height of all squares in inches: a title in two lines is as wide."""
_LETTER: Final = 0.075
"""The width of a letter of a name, in inches."""


def confusion(
    C: ArrayLike | ConfusionMatrix,
    labels: Iterable[Hashable] | None = None,
    *,
    level: float = 0.95,
    method: str = "wilson",
    ax: Axes | None = None,
) -> Axes:
    """Draw a confusion matrix: counts, their shares of the true class, and intervals of these shares.

    Each share is that of one predicted class among the examples of a true one, which is binomial if the number of
    examples of each class was fixed; the intervals hold one by one and not for all squares at once.

    :param C: ``C[i, j]`` examples of class i that are predicted to be of class j; not more than 30 classes.  The
        columns of a DataFrame are matched with its rows by name, whatever their order.
    :param labels: the names of the classes in this order; by default those of a :class:`symmetrics.ConfusionMatrix` or
        a DataFrame, which are put in this order if they are the same
    :param level: how often such an interval contains the true share
    :param method: ``"wilson"``, ``"jeffreys"``, ``"exact"`` or ``"midp"``
    :returns: the axes, true classes down and predicted ones across
    :raises InputError: on a matrix that is none, on names that do not fit it, on a level outside (0, 1), and without
        matplotlib
    :raises UnknownNameError: on another method

    >>> drawn = confusion([[45, 5], [10, 40]], ["healthy", "ill"])
    >>> drawn.texts[0].get_text().splitlines()
    ['45', '90 %', '79–96 %']
    """
    if method not in METHODS:
        raise UnknownNameError("method", method, METHODS)
    if type(level) not in (int, float) or not 0 < level < 1:
        raise InputError(f"level={shown(level)} is no level; pass a number strictly between 0 and 1")
    given, rows = named_matrices(C)
    try:
        is_vector = np.ndim(given) == 1
    except ValueError:  # rows of different lengths, which are refused below
        is_vector = False
    if is_vector:
        raise InputError(
            f"C is a list of {number_of(np.size(given), 'entry')}, not a matrix; labels are counted by "
            "symmetrics.ConfusionMatrix.of(y_true, y_pred), which can be passed here"
        )
    matrix = as_matrices(given)
    if matrix.ndim != 2 or not 1 < len(matrix) <= MOST:
        raise InputError(f"C has the shape {matrix.shape}; pass one confusion matrix of 2 to {MOST} classes")
    chosen = (range(len(matrix)) if rows is None else rows) if labels is None else list(labels)
    if rows is not None and set(chosen) == set(rows):
        places = [rows.index(name) for name in chosen]
        matrix = matrix[np.ix_(places, places)]
    names = _names(chosen, len(matrix))
    width, height = _size(names)
    ax = axes_for(ax, width=width, height=height)
    counts = np.asarray(matrix, dtype=np.float64)
    totals = counts.sum(axis=1, keepdims=True)
    with np.errstate(invalid="ignore"):
        shares = counts / totals
    low, high = METHODS[method](counts, totals - counts, float(level))
    colours = sequential(ax)
    ax.imshow(shares, vmin=0, vmax=1, cmap=colours, alpha=0.35, aspect="auto")
    words = [
        [
            _words(*entry, bool(totals[row, 0]))
            for entry in zip(counts[row], shares[row], low[row], high[row], strict=True)
        ]
        for row in range(len(counts))
    ]
    notes = [
        "counts; colours are shares of the true class",
        "shares of the true class",
        f"shares of the true class, {100 * level:g}\u00a0% intervals",
    ]
    _frame(ax, names)
    within = size_of(ax)[0]
    title(ax, notes[-1], within=within)
    title(ax, notes[_write(ax, words) - 1], within=within)
    return ax


def _size(names: list[str]) -> tuple[float, float]:
    """Return the width and the height in inches that leave the squares and the title their room beside the names."""
    side, room = _SQUARE * len(names), _LETTER * max(map(len, names))
    return max(3.5, max(side, _LEAST[0]) + 0.5 + room), max(3.3, max(side, _LEAST[1]) + 0.8 + room * sin(radians(TURN)))


def _names(chosen: Iterable[Hashable], classes: int) -> list[str]:
    names = names_of([str(name) for name in chosen])
    if len(names) != classes:
        raise InputError(f"labels names {len(names)} classes and the matrix has {classes}; name each row")
    return names


def _words(count: float, share: float, low: float, high: float, has_examples: bool) -> list[str]:
    """Return what may be written of a square, the most important first."""
    number = f"{count:.15g}" if float(count).is_integer() else f"{count:.6g}"
    return (
        [number, f"{100 * share:.0f} %", f"{100 * low:.0f}–{100 * high:.0f} %"]
        if has_examples
        else [number, "no share"]
    )


def _write(ax: Axes, words: list[list[list[str]]]) -> int:
    """Write as much in every square as is legible in all of them, and return how many lines that is."""
    width, height = (72 * length / len(words) for length in size_of(ax))
    for lines in (3, 2, 1):
        texts = [["\n".join(entry[:lines]) for entry in row] for row in words]
        longest = max(len(line) for row in texts for text in row for line in text.split("\n"))
        size = min(9.0, 0.9 * width / (longest * 0.66), 0.9 * height / (lines * 1.25))
        if size >= 5.5 or lines == 1:
            break
    for y, row in enumerate(texts):
        for x, text in enumerate(row):
            weight = "bold" if x == y else "normal"
            say(ax, x, y, text, ha="center", va="center", fontsize=max(size, 3.0), fontweight=weight)
    return lines


def _frame(ax: Axes, names: list[str]) -> None:
    ax.set_xticks(range(len(names)), names, parse_math=False, fontsize="small", **turned(ax, names))
    ax.set_yticks(range(len(names)), names, parse_math=False, fontsize="small")
    ax.set(xlabel="predicted class", ylabel="true class")
    for place in range(1, len(names)):
        for line in (ax.axhline, ax.axvline):
            line(place - 0.5, color=foreground(ax), linewidth=0.5)
    ax.tick_params(length=0)
