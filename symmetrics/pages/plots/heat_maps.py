"""Heat maps: verdicts on many properties, and how alike many metrics rank a population of tables."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sympy import Expr

from symmetrics.claims.verdict import Verdict
from symmetrics.metric import Metric
from symmetrics.metric.populations import tables_of
from symmetrics.numeric.counts import shown
from symmetrics.pages.tables import VerdictTable, table
from symmetrics.query.concordance import STATISTICS, coefficient
from symmetrics.query.order import named
from symmetrics.tools.drawing.canvas import title
from symmetrics.tools.drawing.charts import squares
from symmetrics.tools.drawing.marks import ANSWERS, marks
from symmetrics.tools.errors import InputError, UnknownNameError
from symmetrics.tools.words import number_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["agreement", "verdicts"]

FloatArray = NDArray[np.float64]


def verdicts(found: VerdictTable | None = None, *, ax: Axes | None = None) -> Axes:
    """Draw a table of verdicts as marks: which metric has which property.

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
    """Draw how alike metrics rank a population of tables: 1 where two always agree, -1 where they are opposed.

    A metric that is a loss counts negated, so that what agrees prefers the same table.  Tables at which one of the two
    metrics has no value are left out of that pair; a pole is larger, or smaller, than every number.

    :param metrics: metrics, expressions over the cells, or names of library metrics
    :param tables: counts of TP, FN, FP and TN, of shape (..., 4); by default all tables of n examples
    :param n: the number of examples of these tables
    :param statistic: ``"kendall"`` or ``"spearman"`` for ranks, ``"pearson"`` for values, of which poles are left out
    :returns: the axes, a square for each pair
    :raises InputError: on fewer than two metrics, on tables that are none, and without matplotlib
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
