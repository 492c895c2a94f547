"""Heat maps and diagrams: verdicts, rank agreement of metrics, orders, concept lattices, confusion matrices."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from math import radians, sin
from typing import TYPE_CHECKING, Any, Final, Protocol

import networkx as nx
import numpy as np
from numpy.typing import ArrayLike, NDArray
from sympy import Expr

from symmetrics.claims.theorems.implications import CONSTANT, IMPOSSIBLE
from symmetrics.claims.verdict import Verdict
from symmetrics.data.counts import as_matrices, shown
from symmetrics.data.frames import named_matrices
from symmetrics.data.labels import ConfusionMatrix
from symmetrics.library.properties.implications import IMPLICATIONS
from symmetrics.metric import Metric
from symmetrics.metric.populations import tables_of
from symmetrics.pages.tables import VerdictTable, table
from symmetrics.posets import Poset, draw_hasse, poset
from symmetrics.query.graph import STATISTICS, coefficient
from symmetrics.query.order import Order, named
from symmetrics.statistics.proportions import clopper_pearson, jeffreys, mid_p, wilson
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
from symmetrics.tools.drawing.charts import ANSWERS, marks, squares
from symmetrics.tools.errors import InputError, UnknownNameError
from symmetrics.tools.texts import number_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes


FloatArray = NDArray[np.float64]


def verdicts(found: VerdictTable | None = None, *, ax: Axes | None = None) -> Axes:
    """Draw a table of verdicts as marks: metrics by properties.

    A full disc is a property that holds, a cross one that does not, a half disc one that holds for some values of the
    parameters, and a question mark what is open.

    :param found: what :func:`symmetrics.table` returns; by default the table of the README
    :returns: the axes, a row for each metric and a column for each property
    :raises InputError: if the table is empty, or matplotlib is not installed

    >>> drawn = verdicts(table(["f1", "accuracy"], ["p1", "p2"]))
    >>> [text.get_text() for text in drawn.get_yticklabels()], drawn.get_legend().get_texts()[0].get_text()
    (['f1', 'accuracy'], 'holds')
    """
    chosen = table() if found is None else found
    if not isinstance(chosen, VerdictTable):
        raise InputError(f"{shown(chosen)} is no table of verdicts; pass what sm.table(metrics, properties) returns")
    rows, columns = [name for name, _ in chosen.rows], list(chosen.properties)
    if not rows or not columns:
        raise InputError("the table has no verdicts; name metrics and properties")
    answers = [[_answer(verdict) for verdict in row] for _, row in chosen.rows]
    return marks(answers, rows, columns, ax=ax)


def _answer(verdict: Verdict) -> str:
    if verdict.status == "conditional":
        return ANSWERS[1]
    return {True: ANSWERS[0], False: ANSWERS[2], None: ANSWERS[3]}[verdict.holds]


def agreement(
    metrics: Iterable[Metric | Expr | str],
    tables: ArrayLike | None = None,
    *,
    n: int = 12,
    statistic: str = "kendall",
    ax: Axes | None = None,
) -> Axes:
    """Draw the rank correlation of metrics over a population of tables, from -1 to 1.

    A metric that is a loss counts negated, so that what agrees prefers the same table.  Tables at which one of the two
    metrics has no value are left out of that pair; a pole is larger, or smaller, than every number.

    :param metrics: metrics, expressions over the cells, or names of library metrics
    :param tables: counts of TP, FN, FP and TN, of shape (..., 4); by default all tables of n examples
    :param n: the number of examples of these tables
    :param statistic: ``"kendall"`` or ``"spearman"`` for ranks, ``"pearson"`` for values, of which poles are left out
    :returns: the axes, a square for each pair
    :raises InputError: on fewer than two metrics, on invalid tables, and without matplotlib
    :raises UnknownNameError: on another statistic

    >>> drawn = agreement(["f1", "jaccard", "fpr"], n=4)
    >>> [text.get_text() for text in drawn.texts[:2]]
    ['1', '1']
    """
    if statistic not in STATISTICS:
        raise UnknownNameError("statistic", statistic, STATISTICS)
    chosen = named(metrics)
    if len(chosen) < 2:
        raise InputError("agreement is of several metrics; name at least two")
    population = tables_of(n) if tables is None else _checked_tables(tables)
    values = [
        (-1.0 if metric.greater_is_better is False else 1.0) * np.asarray(metric.from_counts(*population.T))
        for metric in chosen.values()
    ]
    matrix = np.array([[coefficient(first, second, statistic) for second in values] for first in values])
    names = list(chosen)
    ax = squares(matrix.tolist(), names, names, low=-1, high=1, label=STATISTICS[statistic], ax=ax)
    title(ax, f"agreement over {number_of(len(population), 'table')}")
    return ax


def _checked_tables(tables: ArrayLike) -> FloatArray:
    try:
        counts = np.asarray(tables, dtype=np.float64)
    except (TypeError, ValueError):
        counts = np.empty(0)
    if counts.ndim < 2 or counts.shape[-1] != 4 or counts.size < 8:
        raise InputError("tables are no counts of TP, FN, FP and TN; pass an array of shape (..., 4) of at least two")
    return counts.reshape(-1, 4)


# -- The pointwise order of metrics as a Hasse diagram -----------------------------------------------------------------


def hasse(order: Order | Poset | Any, ax: Axes | None = None) -> Axes:
    """Draw the Hasse diagram of an order, with larger elements higher.

    Metrics that are proved equal stand in one box.  A line is a proof; where none leads, the order is refuted or open.

    :param order: what :func:`symmetrics.order` returns, or a partial order as :func:`symmetrics.posets.poset` takes it
    :returns: the axes
    :raises InputError: if matplotlib is not installed, or the names do not fit the axes

    >>> from symmetrics.query.order import order
    >>> drawn = hasse(order(["jaccard", "f1", "fowlkes_mallows"], processes=1))
    >>> sorted(text.get_text() for text in drawn.texts)
    ['f1', 'fowlkes_mallows', 'jaccard']
    """
    return draw_hasse(_of_metrics(order) if isinstance(order, Order) else order, ax)


def _of_metrics(order: Order) -> Poset:
    reduced = order.reduction()
    equal: dict[Hashable, str] = dict(reduced.nodes(data="equal_to"))
    label = {node: f"{node} = {others.replace(', ', ' = ')}" if others else str(node) for node, others in equal.items()}
    return poset([(label[a], label[b]) for a, b in reduced.edges], classes=list(label.values()))


# -- Two Hasse diagrams: the concept lattice of metrics and properties, and implications between properties ------------


class Follows(Protocol):
    """An implication: the premises imply the conclusion, or its negation if an entry ``holds`` is False."""

    @property
    def premises(self) -> tuple[str, ...]:
        """The assumed properties."""

    @property
    def conclusion(self) -> str:
        """The implied property."""


class _Named:
    """A node of a diagram; several may have the same name."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return self.name


def concepts(found: Any, ax: Axes | None = None, *, most: int = 2) -> Axes:
    """Draw the concept lattice: each property at its highest concept, each metric at its lowest one.

    A metric has the properties at its place and above it, and no others; the metrics that have a property are those at
    its place and below it.  Metrics are in brackets; a place without a name of its own is a dot.

    :param found: what :func:`symmetrics.concepts` returns
    :param most: of the metrics at one place so many are named, and the others counted
    :returns: the axes
    :raises InputError: if matplotlib is not installed, or the names do not fit the axes

    >>> from symmetrics.discovery.profiles import concepts as concepts_of
    >>> drawn = concepts(concepts_of(["f1", "jaccard", "mcc"], ["p1", "p2", "transpose"]))
    >>> sorted(text.get_text() for text in drawn.texts)
    ['p1 (mcc)', 'p2 (f1, jaccard)', 'transpose', '·']
    """
    own = {concept: _Named(_label(found, concept, most)) for concept in found.all}
    edges = [(own[a], own[b]) for a, b in found.graph().edges]
    return draw_hasse(poset(edges, classes=list(own.values())), ax)


def _label(found: Any, concept: Any, most: int) -> str:
    properties = [key for key in sorted(concept.properties) if found.introducing(key) == concept]
    metrics = [name for name in sorted(concept.metrics) if found.of(name) == concept]
    listed = [*metrics[:most], *([f"{len(metrics) - most} more"] if len(metrics) > most else [])]
    return (
        " ".join([*([", ".join(properties)] if properties else []), *([f"({', '.join(listed)})"] if listed else [])])
        or "·"
    )


def implications(
    found: Iterable[Follows] = IMPLICATIONS, properties: Iterable[str] | None = None, ax: Axes | None = None
) -> Axes:
    """Draw the implications between properties: conclusions above premises, joined by lines.

    Properties that follow from each other stand in one box.  What needs two premises, and what excludes a property, has
    no place in such a diagram.

    :param found: implications, by default those on record, or theorems, such as :func:`symmetrics.theorems` returns
    :param properties: the properties to draw, by key; by default those that some implication of one premise is about
    :returns: the axes
    :raises InputError: if there is none to draw, matplotlib is not installed, the names do not fit the axes, or what is
        passed is neither

    >>> drawn = implications(properties=["scaling", "actual_scaling", "homogeneous", "p1"])
    >>> sorted(text.get_text() for text in drawn.texts)
    ['actual_scaling', 'homogeneous', 'p1', 'scaling']
    """
    graph = nx.DiGraph()
    graph.add_edges_from(_steps(found))
    chosen = sorted(graph) if properties is None else list(dict.fromkeys(properties))
    if not chosen:
        raise InputError("no implication of one premise to draw; give some, or name properties")
    closed = nx.DiGraph()
    closed.add_nodes_from(chosen)  # in this order; a subgraph's order differs from run to run
    closed.add_edges_from((a, b) for a, b in nx.transitive_closure(graph).edges if a in closed and b in closed)
    condensed = nx.condensation(closed)
    names = {node: _Named(" = ".join(sorted(data["members"]))) for node, data in condensed.nodes(data=True)}
    return draw_hasse(poset([(names[a], names[b]) for a, b in condensed.edges], classes=list(names.values())), ax)


def _steps(found: Iterable[Follows]) -> list[tuple[str, str]]:
    """Return the implications with a single premise."""
    try:
        return [
            (each.premises[0], each.conclusion)
            for each in found
            if len(each.premises) == 1
            and getattr(each, "holds", True)
            and each.conclusion not in (CONSTANT, IMPOSSIBLE)
        ]
    except (AttributeError, TypeError):
        raise InputError(
            f"{shown(found)} is not a list of implications; pass theorems, such as symmetrics.theorems() returns, or "
            "name properties with properties=[...]"
        ) from None


# ----------------------------------------------------------------------------------------------------------------------
# Confusion matrices as squares: count, share of the true class, and an interval for that share.


METHODS: Final = {"wilson": wilson, "jeffreys": jeffreys, "exact": clopper_pearson, "midp": mid_p}
MOST: Final = 30
_SQUARE: Final = 0.36
"""Smallest square, in inches, in which a count is legible."""
_LEAST: Final = (2.3, 1.8)
"""Smallest width and height of all squares together, in inches: the width of a two-line title."""
_LETTER: Final = 0.075
"""Width of a character of a name, in inches."""


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
    except ValueError:  # rows of different lengths, refused below
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
    """Return the width and height, in inches, that leave room for squares, title and names."""
    side, room = _SQUARE * len(names), _LETTER * max(map(len, names))
    return max(3.5, max(side, _LEAST[0]) + 0.5 + room), max(3.3, max(side, _LEAST[1]) + 0.8 + room * sin(radians(TURN)))


def _names(chosen: Iterable[Hashable], classes: int) -> list[str]:
    names = names_of([str(name) for name in chosen])
    if len(names) != classes:
        raise InputError(f"labels names {len(names)} classes and the matrix has {classes}; name each row")
    return names


def _words(count: float, share: float, low: float, high: float, has_examples: bool) -> list[str]:
    """Return the possible texts of a square, the most important first."""
    number = f"{count:.15g}" if float(count).is_integer() else f"{count:.6g}"
    return (
        [number, f"{100 * share:.0f} %", f"{100 * low:.0f}–{100 * high:.0f} %"]
        if has_examples
        else [number, "no share"]
    )


def _write(ax: Axes, words: list[list[list[str]]]) -> int:
    """Write as much in every square as is legible in all of them; return the number of lines."""
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
