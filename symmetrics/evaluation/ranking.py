"""Rank classifiers, classes or data sets by several metrics at once, with the uncertainty of their tables."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from symmetrics.data.frames import named_matrices
from symmetrics.library import metrics as library
from symmetrics.matrices import MulticlassMetric, multiclass
from symmetrics.metric import Metric
from symmetrics.posets import RankEstimates, random_ranks
from symmetrics.posets.parts import MAX_IDEALS
from symmetrics.posets.poset import as_whole, shown
from symmetrics.tools.errors import InputError, UnknownNameError

FloatArray = NDArray[np.float64]
PRIOR: Final = 0.5
"""What Jeffreys' prior adds to each cell of a table; to each entry of a k x k table 2/(k(k - 1)) of it."""


def rank_tables(
    tables: Any,
    metrics: Iterable[str | Metric | MulticlassMetric],
    *,
    method: Literal["bayes", "bootstrap"] = "bayes",
    draws: int = 1000,
    seed: int = 0,
    max_ideals: int = MAX_IDEALS,
) -> RankEstimates:
    """Return the ranks of things by several metrics of their tables, which are random as samples are.

    Tables are drawn from the posterior of their shares under Jeffreys' prior, or by the bootstrap; each draw gives a
    dominance order, in which a is below b where b is nowhere worse and somewhere better, and the exact probabilities of
    its ranks; these are averaged (:func:`symmetrics.posets.random_ranks`).

    :param tables: by name, the table of each thing: (TP, FN, FP, TN), or a k x k confusion matrix ``C[i, j]``, true
        class i and predicted class j, of which the metrics are those of whole matrices. Or one k x k confusion matrix
        whose classes are ranked, each against the rest.
    :param metrics: keys or metrics; each has a better end
    :param method: ``"bayes"``, or ``"bootstrap"`` for whole counts
    :param draws: how many tables are drawn of each, at least 20
    :param seed: a whole number of at least 0; the same seed gives the same answer
    :param max_ideals: as for :func:`symmetrics.posets.random_ranks`
    :raises InputError: on what is no table, and where a metric has no better end, or no value at a drawn table
    :raises UnknownNameError: on an unknown metric or method

    >>> found = rank_tables({"A": (40, 10, 5, 95), "B": (45, 5, 20, 80)}, ["tpr", "precision"], draws=200)
    >>> found.orders, 0.4 < found.above["A", "B"] < 0.6
    (3, True)
    """
    if method not in ("bayes", "bootstrap"):
        raise UnknownNameError("method", str(method), ("bayes", "bootstrap"))
    number, generator = as_whole(draws, "draws", 20), np.random.default_rng(as_whole(seed, "seed", 0))
    if isinstance(tables, Mapping):
        names: list[Hashable] = list(tables)
        entries = [_entries(table, name) for name, table in tables.items()]
        if not entries:
            raise InputError("tables is empty: give each thing to rank a table")
        if len({each.shape for each in entries}) > 1:
            raise InputError("tables have several shapes: give (TP, FN, FP, TN) for all, or matrices of the same size")
    else:
        matrix, found = named_matrices(tables)
        entries = [_entries(matrix, "the matrix")]
        if entries[0].ndim != 2:
            raise InputError("tables is no k x k matrix: name each table, as in {'A': (9, 1, 2, 8)}")
        names = list(range(len(entries[0]))) if found is None else found
    # One draw of all entries of each table, of shape (things, draws, ...).
    drawn = np.stack([_drawn(each, method, number, generator) for each in entries])
    by_class, is_matrix = not isinstance(tables, Mapping), drawn.ndim == 4
    chosen = [
        _metric(metric, whole=is_matrix and not by_class)
        for metric in ([metrics] if isinstance(metrics, str) else metrics)
    ]
    if not chosen:
        raise InputError("metrics is empty: name one or more")
    values = []
    for metric in chosen:
        if by_class:
            values.append(metric.from_confusion(drawn[0], average=None))
        elif is_matrix:
            values.append(metric.from_confusion(drawn).T)
        else:
            values.append(metric.from_counts(*np.moveaxis(drawn, -1, 0)).T)
    better = [metric.greater_is_better for metric in chosen]
    return random_ranks(np.stack(values, axis=2), names, greater_is_better=better, max_ideals=max_ideals)


def _entries(table: Any, name: Hashable) -> FloatArray:
    try:
        entries = np.asarray(named_matrices(table)[0], dtype=np.float64)
    except (TypeError, ValueError):
        entries = np.full(0, np.nan)
    is_shaped = entries.shape == (4,) or (entries.ndim == 2 and len(set(entries.shape)) == 1 and len(entries) > 1)
    if not is_shaped or not (np.isfinite(entries).all() and (entries >= 0).all() and entries.any()):
        raise InputError(f"table {shown(name)} is {shown(table)}: give (TP, FN, FP, TN), or a k x k matrix of counts")
    return entries


def _drawn(entries: FloatArray, method: str, draws: int, generator: np.random.Generator) -> FloatArray:
    """Return tables with the total of this one, of shape (draws, ...)."""
    total, size = entries.sum(), entries.size
    if method == "bayes":
        prior = PRIOR * (1 if entries.ndim == 1 else 2 / (len(entries) * (len(entries) - 1)))
        found = generator.dirichlet(entries.ravel() + prior, draws) * total
    elif total.is_integer() and (entries == np.rint(entries)).all():
        found = generator.multinomial(int(total), entries.ravel() / total, draws).astype(np.float64)
    else:
        raise InputError(f"the bootstrap draws whole examples, and {shown(entries.tolist())} has others: take bayes")
    return np.asarray(found.reshape(draws, *entries.shape) if size > 4 or entries.ndim == 2 else found)


def _metric(metric: str | Metric | MulticlassMetric, *, whole: bool) -> Any:
    known: Any = multiclass if whole else library
    found = known[metric] if isinstance(metric, str) else metric
    if not isinstance(found, MulticlassMetric if whole else Metric):
        raise InputError(f"{shown(metric)} is no metric of {'whole matrices' if whole else 'two classes'}: name one")
    if found.greater_is_better is None:
        raise InputError(f"neither end of {found.name} is better: leave it out")
    return found
