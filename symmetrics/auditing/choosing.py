"""All confusion matrices whose scores lie in given intervals, by their diagonal and margins.

One triple (support, hits, predictions) of each class has to be chosen so that the supports and the predictions both add
up to n, the hits to a number that the accuracy allows, and means over classes are as reported.  Partial choices that
cannot be completed are known from a dynamic programme over the classes, from the last to the first; a search in depth
then chooses from the first to the last.  No verdict depends on a rounding: bounds of sums have a slack far above it,
and a choice that passes is decided by exact values.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import numpy as np

from symmetrics.auditing.margins import (
    HITS,
    PREDICTED,
    SUPPORT,
    Choices,
    Classes,
    Floats,
    Matrix,
    candidates,
    class_sums,
)
from symmetrics.auditing.search import Ints, Score
from symmetrics.metric import Metric
from symmetrics.tools.budget import checkpoint

WORK: Final = 2 * 10**9
"""Additions for sums that can be completed, at most; beyond it they are only bounded."""


def _narrowed(some: list[Choices], least: Ints, most: Ints, slack: Floats) -> list[Choices] | None:
    """Return the choices that the ranges of the others leave; None if a class has no choice.

    :param least, most: the sums of the triples that are wanted in the end
    """
    while all(len(one.triples) for one in some):
        low, high = _ends(some)
        top = np.array([one.terms.max(axis=1) for one in some])
        before = sum(len(one.triples) for one in some)
        for place, one in enumerate(some):
            checkpoint()
            smallest, largest = one.triples + low.sum(axis=0) - low[place], one.triples + high.sum(axis=0) - high[place]
            keep = ((smallest <= most) & (largest >= least)).all(axis=1)
            # All errors but those of this class's row and column are n - hits - errors >= 0: at least the others' hits.
            keep &= _errors(one.triples) <= most[SUPPORT] - np.maximum(smallest[:, HITS], least[HITS])
            keep &= (one.terms + (top.sum(axis=0) - top[place] + slack)[:, None] >= 0).all(axis=0)
            some[place] = one.kept(keep)
        if sum(len(one.triples) for one in some) == before:
            return some
    return None


def _ends(some: Sequence[Choices]) -> tuple[Ints, Ints]:
    """Return the least and the largest support, hits and predictions of each class."""
    return np.array([one.triples.min(axis=0) for one in some]), np.array([one.triples.max(axis=0) for one in some])


def _errors(triples: Ints) -> Any:
    """Return the errors in the row and the column of a class."""
    support, hits, predicted = triples.T
    return support + predicted - 2 * hits


class _Bounded:
    """What some of the classes can add: by the ranges of their sums alone.

    :param low, high: the ends of the sums of their triples
    :param best: the largest of each further sum
    """

    def __init__(self, low: Ints, high: Ints, best: Floats) -> None:
        self.low, self.high, self.best = low, high, best

    def __call__(self, wanted: Ints) -> Floats:
        """Return the largest further sums with which the triples add up to what is wanted; -inf where they cannot."""
        inside: Any = ((wanted >= self.low) & (wanted <= self.high)).all(axis=1)
        return np.where(inside, self.best[:, None], -np.inf)


class _Listed:
    """What one class can add: each of its triples."""

    def __init__(self, one: Choices, total: int) -> None:
        self.size = total + 1
        order = np.argsort(self._codes(one.triples))
        self.codes, self.terms = self._codes(one.triples)[order], one.terms[:, order]

    def _codes(self, triples: Ints) -> Any:
        return (triples[:, 0] * self.size + triples[:, 1]) * self.size + triples[:, 2]

    def __call__(self, wanted: Ints) -> Floats:
        """As for :class:`_Bounded`, exactly."""
        inside: Any = ((wanted >= 0) & (wanted < self.size)).all(axis=1)
        codes = self._codes(np.where(inside[:, None], wanted, 0))
        places = np.minimum(np.searchsorted(self.codes, codes), len(self.codes) - 1)
        return np.where(inside & (self.codes[places] == codes), self.terms[:, places], -np.inf)


class _Tabulated:
    """What some of the classes can add: the largest further sums for all sums of their triples in a window.

    :param low: where the window begins
    :param best: of shape (sums, supports, hits, predictions); -inf where the triples have no such sum
    """

    def __init__(self, low: Ints, best: Floats) -> None:
        self.low, self.best = low, best
        self.flat = best.reshape(len(best), -1)

    def __call__(self, wanted: Ints) -> Floats:
        """As for :class:`_Bounded`, exactly for each further sum by itself."""
        places, shape = wanted - self.low, np.array(self.best.shape[1:])
        inside: Any = ((places >= 0) & (places < shape)).all(axis=1)
        places = np.where(inside[:, None], places, 0)
        found: Floats = self.flat[:, (places[:, 0] * shape[1] + places[:, 1]) * shape[2] + places[:, 2]]
        return np.where(inside, found, -np.inf)

    def with_class(self, one: Choices, low: Ints, high: Ints) -> _Tabulated:
        """Return this with one more class, in the window that is wanted of it."""
        best = np.full((len(self.best), *(high - low + 1)), -np.inf)
        size = np.array(self.best.shape[1:])
        for triple, terms in zip(one.triples, one.terms.T, strict=True):
            checkpoint()
            first = self.low + triple - low
            start, stop = np.maximum(first, 0), np.minimum(first + size, high - low + 1)
            if (start < stop).all():
                to = (slice(None), *(slice(*ends) for ends in zip(start, stop, strict=True)))
                of = (slice(None), *(slice(*ends) for ends in zip(start - first, stop - first, strict=True)))
                np.maximum(best[to], self.best[of] + terms[:, None, None, None], out=best[to])
        return _Tabulated(low, best)


Completion = Callable[[Ints], Floats]


def _completions(some: Sequence[Choices], least: Ints, most: Ints) -> list[Completion]:
    """Return for each class what the classes after it can add."""
    lows, highs = _ends(some)
    tops = np.array([one.terms.max(axis=1) for one in some])
    zero = np.zeros(3, dtype=np.int64)
    table: _Tabulated | None = _Tabulated(zero, np.zeros((len(some[0].terms), 1, 1, 1)))
    found: list[Completion] = [_Tabulated(zero, np.zeros((len(some[0].terms), 1, 1, 1)))]
    work = 0.0
    for place in range(len(some) - 1, 0, -1):
        low = np.maximum(lows[place:].sum(axis=0), least - highs[:place].sum(axis=0))
        high = np.minimum(highs[place:].sum(axis=0), most - lows[:place].sum(axis=0))
        if table is not None:
            window = float(np.prod(high - low + 1.0)) * len(some[0].terms)
            work += len(some[place].triples) * (min(float(table.best.size), window) + 10_000) + window
            table = table.with_class(some[place], low, high) if work <= WORK and window <= WORK / 200 else None
        if table is not None:
            found.append(table)
        elif place == len(some) - 1:
            found.append(_Listed(some[place], int(most[SUPPORT])))
        else:
            found.append(_Bounded(low, high, tops[place:].sum(axis=0)))
    return found[::-1]


# -- the choice of one triple for each class ---------------------------------------------------------------------------


def solutions(reported: Classes, total: int) -> Iterator[Ints]:
    """Yield the triples of all classes, of shape (classes, 3), for each diagonal with margins that agrees.

    Scores that need other cells than these are not looked at.

    :raises BudgetError: if there are too many choices for a class
    :raises UnsupportedError: if a value cannot be compared with what is reported
    """
    count = len(reported.names)
    hits = np.arange(total + 1)
    # Cells of all classes against the rest, added up, depend on the sum of the hits alone.
    pooled = np.stack([hits, total - hits, total - hits, (count - 2) * total + hits], axis=1)
    for one in reported.whole:
        if one.average == "micro" and isinstance(one.metric, Metric):
            of_sum = Score(one.name, one.metric, one.reported, one.undefined_is_zero)
            keep = of_sum.agrees(pooled)
            hits, pooled = hits[keep], pooled[keep]
    known: dict[Any, Ints] = {}
    if not len(hits):
        return
    some = []
    for scores, supports in zip(reported.scores, reported.supports, strict=True):
        key = (*((one.metric, one.reported, one.undefined_is_zero) for one in scores), supports)
        if key not in known:
            known[key] = candidates(scores, supports, total)
        some.append(known[key])
    least, most = (np.array([total, end, total]) for end in (hits[0], hits[-1]))
    alone = _narrowed([Choices(one, np.zeros((1, len(one)))) for one in some], least, most, np.zeros(1))
    if alone is None:
        return
    with_sums, slack = class_sums(reported.whole, [one.triples for one in alone], total)
    choices = _narrowed(with_sums, least, most, slack)
    if choices is None:
        return
    sizes = [len(one.triples) for one in choices]
    order = sorted(range(count), key=sizes.__getitem__)
    choices = [choices[place] for place in order]
    completions = _completions(choices, least, most)
    by_margins = [one for one in reported.whole if one.average != "micro" and not one.needs_cells]
    back = np.argsort(order)
    middle = hits[len(hits) // 2]
    for correct in sorted(hits.tolist(), key=lambda value: abs(value - middle)):
        wanted = np.array([total, correct, total])
        found = _chosen(choices, completions, slack, wanted, total - correct, slack.copy())
        size = 1
        while batch := list(itertools.islice(found, size)):
            every = [np.array(chosen)[back] for chosen in batch]
            matrices = [next(matrices_of(triples)) for triples in every]
            good = np.ones(len(batch), dtype=bool)
            for one in by_margins:
                good[good] = one.agrees([matrices[place] for place in np.flatnonzero(good)]) if good.any() else False
            yield from itertools.compress(every, good)
            size = min(2 * size, 256)


def _chosen(
    choices: Sequence[Choices],
    completions: Sequence[Completion],
    slack: Floats,
    wanted: Ints,
    errors: int,
    sums: Floats,
) -> Iterator[list[Ints]]:
    """Yield choices of a triple for each class that add up to what is wanted.

    :param errors: of the whole matrix
    :param sums: the further sums so far, and the slack
    """
    if not choices:
        yield []
        return
    checkpoint()
    triples, terms = choices[0]
    left = wanted - triples
    reached = completions[0](left) + terms + sums[:, None]
    places = np.flatnonzero((reached >= 0).all(axis=0) & (_errors(triples) <= errors))
    # First the choices that leave the sums most room.
    room = (reached[1:, places] / slack[1:, None]).min(axis=0, initial=np.inf)
    for place in places[np.argsort(-room, kind="stable")]:
        below = _chosen(choices[1:], completions[1:], slack, left[place], errors, sums + terms[:, place])
        for rest in below:
            yield [triples[place], *rest]


# -- matrices with a diagonal and margins ------------------------------------------------------------------------------


def matrices_of(triples: Ints) -> Iterator[Matrix]:
    """Yield all matrices with some diagonal and margins.

    Let class i have r_i errors in its row and c_i in its column, T in all.  There is a matrix exactly if
    r_i + c_i <= T for each i: by Hall's theorem, rows can be filled if any set of them has no more errors than the
    columns that it may use; a single row may not use its own column (r_i <= T - c_i), and two rows together may use
    all.  The same holds of the rows below those that are filled, where some columns are forbidden to no row.  So a row
    can be filled in each way that keeps r_l + c_l <= T for the rows below, and no way is a dead end.

    >>> [matrix for matrix in matrices_of(np.array([[3, 2, 3], [2, 1, 2], [1, 0, 1]]))]
    [[[2, 1, 0], [0, 1, 1], [1, 0, 0]], [[2, 0, 1], [1, 1, 0], [0, 1, 0]]]
    """
    rows, columns = (
        (triples[:, SUPPORT] - triples[:, HITS]).tolist(),
        (triples[:, PREDICTED] - triples[:, HITS]).tolist(),
    )
    diagonal = triples[:, HITS].tolist()
    if sum(rows) != sum(columns) or any(row + column > sum(rows) for row, column in zip(rows, columns, strict=True)):
        return
    for errors in _filled(0, rows, columns):
        yield [[*row[:place], diagonal[place], *row[place + 1 :]] for place, row in enumerate(errors)]


def _filled(place: int, rows: list[int], columns: list[int]) -> Iterator[Matrix]:
    if place == len(rows):
        yield []
        return
    checkpoint()
    spare = sum(rows[place + 1 :])
    least = [max(0, rows[of] + columns[of] - spare) if of > place else 0 for of in range(len(rows))]
    most = [0 if of == place else column for of, column in enumerate(columns)]
    for row in _shares(rows[place], least, most):
        left = [column - share for column, share in zip(columns, row, strict=True)]
        for rest in _filled(place + 1, rows, left):
            yield [row, *rest]


def _shares(total: int, least: list[int], most: list[int]) -> Iterator[list[int]]:
    """Yield all ways to share a number out between bounds."""
    if not least:
        yield []
        return
    low, high = max(least[0], total - sum(most[1:])), min(most[0], total - sum(least[1:]))
    for first in range(high, low - 1, -1):
        for rest in _shares(total - first, least[1:], most[1:]):
            yield [first, *rest]


def agreeing(reported: Classes, every: bool = False) -> Iterator[Matrix]:
    """Yield matrices that agree with all that is reported, those of fewest examples first.

    :param every: whether to yield all of them, or one for each diagonal with margins
    """
    by_cells = [one for one in reported.whole if one.needs_cells]
    for total in range(reported.total[0], reported.total[1] + 1):
        checkpoint()
        for triples in solutions(reported, total):
            found = (matrix for matrix in matrices_of(triples) if all(one.agrees([matrix])[0] for one in by_cells))
            yield from itertools.islice(found, None if every else 1)
