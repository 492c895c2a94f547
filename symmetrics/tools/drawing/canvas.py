"""Axes to draw on, and legible defaults: colours, fonts, and names whose dollar signs are not formulas."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Any, Final

from symmetrics.tools.errors import InputError
from symmetrics.tools.texts import visible

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap
    from matplotlib.figure import Figure
    from matplotlib.text import Text


COLUMN: Final = 3.5
"""Usual width of a picture in inches: that of a text column."""
COLOURS: Final = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00")
"""Six of the eight colour-blind-safe colours of Okabe & Ito (2008); without black, which is
not seen on a dark ground, and yellow, which is not seen on a light one."""
DARK_COLOURS: Final = ("#56B4E9", "#E69F00", "#009E73", "#CC79A7", "#F0E442", "#D55E00")
"""The same for dark backgrounds."""
DASHES: Final[tuple[Any, ...]] = (
    "-",
    (0, (5, 1.5)),
    (0, (1.2, 1.2)),
    (0, (6, 1.5, 1.2, 1.5)),
    (0, (2.5, 1)),
    (0, (8, 3)),
)
MARKERS: Final = ("o", "s", "^", "D", "v", "P")
HATCHES: Final = ("", "////", "....", "\\\\\\\\", "xxxx", "----")
_LONGEST: Final = 24
"""Longest name beside the axes or in a legend, in characters; longer ones are cut."""
_LETTER: Final = 0.085
"""Width of a character of a name below the axes, in inches."""
TURN: Final = 35
"""Angle in degrees of names below the axes that do not fit side by side."""
_TITLE_LETTERS: Final = 13.4
"""Characters of a title per inch."""


@dataclass(frozen=True)
class Look:
    """Style of one of several data series, distinguishable without colour.

    :param colour: its colour
    :param dash: the style of its line
    :param marker: the shape of its points
    :param hatch: pattern of its bars
    """

    colour: str
    dash: Any
    marker: str
    hatch: str


def axes_for(ax: Axes | None, *, width: float = COLUMN, height: float = 3.2) -> Axes:
    """Return the given axes, or those of a new figure.

    :param width: of a new figure, in inches
    :param height: of a new figure, in inches
    :raises InputError: if matplotlib is not installed, or what was given is no axes
    """
    try:
        import matplotlib.pyplot as plt
        from matplotlib.axes import Axes
    except ImportError:
        raise InputError("drawing needs matplotlib: pip install 'symmetrics[plot]'") from None
    if ax is None:
        return plt.subplots(figsize=(width, height), layout="constrained")[1]
    if not isinstance(ax, Axes):
        raise InputError(
            f"ax is {type(ax).__name__}, not the axes of a figure; pass plt.subplots()[1], or leave it out"
        )
    return ax


def figure_of(ax: Axes) -> Figure:
    """Return the figure that axes belong to.

    :raises InputError: if they were removed from it
    """
    part = ax.get_figure()
    if part is None:
        raise InputError("ax belongs to no figure any more; pass the axes of a figure")
    return part.figure  # for a subfigure, the whole figure


def colour_bar(ax: Axes, drawn: Any, label: str, fraction: float = 0.05, pad: float = 0.03) -> None:
    """Draw a colour bar beside the axes."""
    bar = figure_of(ax).colorbar(drawn, ax=ax, fraction=fraction, pad=pad)
    bar.set_label(label, fontsize="small")
    bar.ax.tick_params(labelsize="small")


def foreground(ax: Axes) -> Any:
    """Return the colour of the axes' labels, whatever their style."""
    return ax.xaxis.label.get_color()


def background(ax: Axes) -> Any:
    """Return the background colour: that of the axes, or of the figure if they are transparent."""
    from matplotlib.colors import to_rgba

    own = to_rgba(ax.get_facecolor())
    return own if own[3] > 0 else figure_of(ax).get_facecolor()


def is_dark(ax: Axes) -> bool:
    """Whether labels are lighter than the background; a transparent figure is judged by its labels."""
    return _luminance(foreground(ax)) > 0.5


def _luminance(colour: Any) -> float:
    from matplotlib.colors import to_rgb

    red, green, blue = to_rgb(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def looks(ax: Axes, number: int) -> list[Look]:
    """Return styles for several series, each with its own colour, dash, marker and hatch.

    After six the colours come again, with other dashes, markers and hatches.
    """
    colours = DARK_COLOURS if is_dark(ax) else COLOURS
    found = []
    for place in range(number):
        turn, first = divmod(place, len(colours))
        other = (first + turn) % len(colours)
        found.append(Look(colours[first], DASHES[other], MARKERS[other], HATCHES[other]))
    return found


def sequential(ax: Axes) -> Colormap:
    """Return colours of increasing lightness that are all visible on the axes' background."""
    from matplotlib import colormaps
    from matplotlib.colors import ListedColormap

    colours = colormaps["cividis"].resampled(512)([place / 255 for place in range(256)])
    start, end = (0.45, 1.0) if is_dark(ax) else (0.0, 0.8)
    steps = [start + (end - start) * place / (len(colours) - 1) for place in range(len(colours))]
    return ListedColormap(colormaps["cividis"](steps), name="seen")


def plain(text: Text) -> Text:
    """Escape dollar signs and backslashes, so that matplotlib prints a name literally."""
    text.set_usetex(False)
    text.set_parse_math(False)
    return text


def say(ax: Axes, x: float, y: float, words: str, **how: Any) -> Text:
    """Write lines of text literally at a point of the axes, in the colour of its labels."""
    settings = {"color": foreground(ax), "fontsize": "small"} | how
    return plain(ax.text(x, y, "\n".join(map(visible, words.split("\n"))), **settings))


def title(ax: Axes, *lines: str, within: float = inf) -> None:
    """Write a title above the axes literally, wrapped to their width.

    :param within: how wide the axes are in inches, if names beside them take some of their width
    """
    letters = max(16, int(_TITLE_LETTERS * min(within, share_of(ax) * figure_of(ax).get_figwidth())))
    wrapped = [part for line in lines if line for part in textwrap.wrap(visible(line), letters)]
    plain(ax.set_title("\n".join(wrapped), fontsize="medium"))


def legend_below(ax: Axes, points: float, **how: Any) -> None:
    """Add a legend below the axes, at a distance in points."""
    from matplotlib.transforms import ScaledTranslation

    below = ax.transAxes + ScaledTranslation(0, -points / 72, figure_of(ax).dpi_scale_trans)
    placed = {"loc": "upper center", "bbox_to_anchor": (0.5, 0.0), "bbox_transform": below, "borderaxespad": 0.0}
    legend(ax, **(placed | how))


def legend(ax: Axes, **how: Any) -> None:
    """Add a legend of all labelled artists, with labels printed literally."""
    ground = {"facecolor": background(ax), "edgecolor": "none", "framealpha": 0.75, "labelcolor": foreground(ax)}
    drawn = ax.legend(**({"fontsize": "small", "handlelength": 2.6} | ground | how))
    for text in [*drawn.get_texts(), drawn.get_title()]:
        plain(text)


def share_of(ax: Axes) -> float:
    """Return the fraction of its figure's width that axes were given, before colour bars took some of it."""
    grid = ax.get_subplotspec()
    return float((ax.get_position(original=True) if grid is None else grid.get_position(figure_of(ax))).width)


def size_of(ax: Axes) -> tuple[float, float]:
    """Return the width and height of axes in inches, in the current layout of the figure."""
    figure = figure_of(ax)
    figure.draw_without_rendering()
    place = ax.get_position()
    return figure.get_figwidth() * place.width, figure.get_figheight() * place.height


def turned(ax: Axes, names: Sequence[str]) -> dict[str, Any]:
    """Return the rotation of names below the axes: none if they fit side by side."""
    width = figure_of(ax).get_figwidth() * ax.get_position().width
    if max(map(len, names)) * _LETTER <= width / len(names):
        return {}
    return {"rotation": TURN, "ha": "right", "rotation_mode": "anchor"}


def label_for(name: str) -> str:
    """Return a literal name for a legend; matplotlib ignores labels that begin with an underscore.

    >>> label_for("f1"), label_for("_own")
    ('f1', ' _own')
    """
    shown = visible(name)
    return f" {shown}" if shown.startswith("_") else shown


def names_of(names: Sequence[object]) -> list[str]:
    """Return names as literal text, cut to leave room for the picture.

    Names that would be the same without their ends lose their middle.

    >>> names_of(["f1", "a name that is far too long for an axis"])
    ['f1', 'a name that is far too …']
    >>> names_of(["one of many long names, number 1", "one of many long names, number 2"])
    ['one of many…es, number 1', 'one of many…es, number 2']
    """
    shown = [visible(str(name)) for name in names]
    cut = [name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…" for name in shown]
    if len(set(cut)) == len(set(shown)):
        return cut
    start = (_LONGEST - 1) // 2
    end = _LONGEST - 1 - start
    return [name if len(name) <= _LONGEST else f"{name[:start]}…{name[-end:]}" for name in shown]
