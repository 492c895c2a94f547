"""All confusion matrices whose scores lie in given intervals, found by their diagonal and margins.

Class i against the rest has its support R_i (a row sum), its hits C_ii and its predictions K_i (a column sum).  The
scores of a class leave it a list of such triples.  One triple of each class has to be chosen so that the supports and
the predictions both add up to n, the hits to a number that the accuracy allows, and means over classes are as reported.
Partial sums that cannot be completed are known from a dynamic programme over the classes, from the last to the first;
a search in depth then chooses triples from the first to the last.  No verdict depends on a rounding: bounds of sums
have a slack far above it, and a choice that passes is decided by exact values.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sympy import Add, Expr, Indexed, S, Symbol

from symmetrics.auditing.reported import Reported
from symmetrics.auditing.search import Ints, Score, holds, is_near
from symmetrics.language.cells import CELLS
from symmetrics.matrices import MulticlassMetric, multiclass
from symmetrics.matrices.nodes import C, i, j, other, over, r, s
from symmetrics.metric import Metric
from symmetrics.tools.budget import checkpoint
from symmetrics.tools.errors import BudgetError

Floats = NDArray[np.float64]
Matrix = list[list[int]]
SUPPORT, HITS, PREDICTED = range(3)
MOST: Final = 2 * 10**6
"""Triples of a class, at most."""
AT_ONCE: Final = 1 << 20
"""Triples that are looked at together."""
WORK: Final = 2 * 10**9
"""Additions for sums that can be completed, at most; beyond it they are only bounded."""
_SLACK: Final = 1e-9
"""Relative error that is allowed a sum, far above a rounding."""


@dataclass(frozen=True, eq=False)
class Whole:
    """A reported value of a whole matrix.

    :param name: what it is reported under
    :param metric: of one class against the rest, or of whole matrices
    :param average: over the classes: ``"macro"``, ``"weighted"`` or ``"micro"``; empty for a metric of whole matrices
    :param undefined_is_zero: whether 0 was printed, and counted in means, where a metric is undefined
    """

    name: str
    metric: Metric | MulticlassMetric
    average: str
    reported: Reported
    undefined_is_zero: bool = False

    @cached_property
    def needs_cells(self) -> bool:
        """Whether more than the diagonal and the margins matters."""
        if not isinstance(self.metric, MulticlassMetric):
            return False
        known = (over(C[r, s], r, s), over(C[i, i], i), over(other(i, j) * C[i, j], i, j))
        left = self.metric.definition.xreplace({term: Symbol(f"sum_{place}") for place, term in enumerate(known)})
        return any(node.base == C for node in left.atoms(Indexed))

    def values(self, matrices: Any) -> Floats:
        """Return the values at matrices as floats; nan where undefined."""
        average = {"average": self.average} if self.average else {}
        fill = 0.0 if self.undefined_is_zero else np.nan
        found: Any = self.metric.from_confusion(np.asarray(matrices, dtype=np.float64), zero_division=fill, **average)
        return np.atleast_1d(found)

    def exact(self, matrix: Matrix) -> Expr:
        """Return the exact value at a matrix."""
        if isinstance(self.metric, MulticlassMetric):
            return self.metric.exact(matrix, zero_division=0 if self.undefined_is_zero else None)
        tables = tables_of(margins_of(matrix), sum(map(sum, matrix)))
        if self.average == "micro":
            return self._filled(self.metric.exact(*map(int, tables.sum(axis=0))))
        values = [self._filled(self.metric.exact(*table)) for table in tables.tolist()]
        weights = [1 if self.average == "macro" else tp + fn for tp, fn, _, _ in tables.tolist()]
        counted = [(weight, value) for weight, value in zip(weights, values, strict=True) if value is not S.NaN]
        total = sum(weight for weight, _ in counted)
        return Add(*(weight * value for weight, value in counted if weight)) / total if total else self._filled(S.NaN)

    def _filled(self, value: Expr) -> Expr:
        return S.Zero if value is S.NaN and self.undefined_is_zero else value

    def agrees(self, matrices: Sequence[Matrix]) -> NDArray[np.bool_]:
        """Return which matrices have a value as reported; the exact value decides where a float is too near an end."""
        values = self.values(matrices)
        found = np.isfinite(values) & (values > float(self.reported.low)) & (values < float(self.reported.high))
        for place in np.flatnonzero(np.isnan(values) | is_near(values, self.reported)):
            found[place] = holds(self.exact(matrices[place]), self.reported, self.name)
        return found


@dataclass(frozen=True, eq=False)
class Classes:
    """What is reported of the classes of one matrix.

    :param names: of the classes, in the order of the rows
    :param scores: of each class against the rest
    :param whole: of the whole matrix
    :param supports: the range of the size of each class; both ends are the same where it is known
    :param total: the range of the number of examples
    """

    names: tuple[str, ...]
    scores: tuple[tuple[Score, ...], ...]
    whole: tuple[Whole, ...]
    supports: tuple[tuple[int, int], ...]
    total: tuple[int, int]


def margins_of(matrix: Matrix) -> Ints:
    """Return the support, hits and predictions of each class.

    >>> margins_of([[3, 1], [2, 4]]).tolist()
    [[4, 3, 5], [6, 4, 5]]
    """
    cells = np.asarray(matrix, dtype=np.int64)
    return np.stack([cells.sum(axis=1), np.diagonal(cells), cells.sum(axis=0)], axis=1)


def tables_of(triples: Ints, total: int) -> Ints:
    """Return TP, FN, FP and TN of classes against the rest."""
    support, hits, predicted = triples.T
    return np.stack([hits, support - hits, predicted - hits, total - support - predicted + hits], axis=1)


# -- the triples of one class ------------------------------------------------------------------------------------------


def candidates(scores: Sequence[Score], supports: tuple[int, int], total: int) -> Ints:
    """Return the triples (support, hits, predictions) that the scores of a class leave.

    :raises BudgetError: if they are too many

    >>> from symmetrics.library import metrics
    >>> of_class = [Score(name, metrics[name], Reported.of("0.67")) for name in ("recall", "precision")]
    >>> candidates(of_class, (3, 3), 10).tolist()
    [[3, 2, 3]]
    """
    cells = {score: frozenset(map(str, score.metric.value_formula.free_symbols & set(CELLS))) for score in scores}
    by_rows = supports[0] == supports[1] or any(cells[score] <= {"TP", "FN"} for score in scores)
    by_columns = not by_rows and any(cells[score] <= {"TP", "FP"} for score in scores)
    first, second, of_first = (PREDICTED, SUPPORT, {"TP", "FP"}) if by_columns else (SUPPORT, PREDICTED, {"TP", "FN"})
    limits = {SUPPORT: supports, PREDICTED: (0, total)}
    sizes = np.arange(limits[first][0], min(limits[first][1], total) + 1)
    if (sizes + 1.0).sum() > 10 * MOST:
        raise BudgetError(f"{total} examples are too many where the size of a class is unknown")
    owner, hits = _runs(np.zeros_like(sizes), sizes)
    start = np.empty((len(hits), 3), dtype=np.int64)
    start[:, first], start[:, HITS], start[:, second] = sizes[owner], hits, hits
    ordered = sorted(scores, key=lambda score: len(cells[score]))
    for score in ordered:
        if cells[score] <= of_first:
            start = start[_agreeing(score, start, total)]
    least = np.maximum(start[:, HITS], limits[second][0])
    most = np.minimum(total - start[:, first] + start[:, HITS], limits[second][1])
    found, count = [np.empty((0, 3), dtype=np.int64)], 0
    ends = np.cumsum(np.maximum(most - least + 1, 0))
    for chunk in np.split(np.arange(len(start)), np.searchsorted(ends, np.arange(AT_ONCE, ends.max(initial=0), AT_ONCE))):
        checkpoint()
        owner, values = _runs(least[chunk], most[chunk])
        triples = start[chunk][owner]
        triples[:, second] = values
        for score in ordered:
            if not cells[score] <= of_first and len(triples):
                triples = triples[_agreeing(score, triples, total)]
        found.append(triples)
        count += len(triples)
        if count > MOST:
            raise BudgetError(f"more than {MOST} choices for one class are too many")
    return np.concatenate(found)


def _runs(least: Any, most: Any) -> tuple[Any, Any]:
    """Return the whole numbers of ranges, each with the place of its range."""
    counts = np.maximum(most - least + 1, 0)
    owner = np.repeat(np.arange(len(counts)), counts)
    return owner, np.arange(len(owner)) - np.repeat(np.cumsum(counts) - counts, counts) + least[owner]


def _agreeing(score: Score, triples: Ints, total: int) -> NDArray[np.bool_]:
    """Return which triples agree with a score, looked at once for each set of cells that it depends on."""
    tables = tables_of(triples, total)
    needed = [place for place, cell in enumerate(CELLS) if score.metric.value_formula.has(cell)]
    if len(needed) == len(CELLS):
        return score.agrees(tables)
    codes = np.zeros(len(tables), dtype=np.int64)
    for place in needed:
        codes = codes * (total + 1) + tables[:, place]
    _, first, inverse = np.unique(codes, return_index=True, return_inverse=True)
    return score.agrees(tables[first])[inverse]


# -- sums over the classes ---------------------------------------------------------------------------------------------


class Choices(NamedTuple):
    """The triples of one class, and what each adds to sums that have to be at least 0 in the end.

    :param terms: of shape (sums, triples); the first sum is always 0
    """

    triples: Ints
    terms: Floats

    def kept(self, keep: NDArray[np.bool_]) -> Choices:
        """Return some of the choices."""
        return Choices(self.triples[keep], self.terms[:, keep])


def _sums(whole: Sequence[Whole], some: Sequence[Ints], total: int) -> tuple[list[Choices], Floats]:
    """Return the choices with their terms, and the slack of each sum.

    A mean of the defined values m_i with weights w_i is at least a if the sum of w_i*(m_i - a) is at least 0, to which
    undefined values add nothing.
    """
    rows: list[list[Floats]] = [[np.zeros(len(triples)) for triples in some]]
    good = [np.ones(len(triples), dtype=bool) for triples in some]
    for score in whole:
        for end, sign in ((float(score.reported.low), 1.0), (float(score.reported.high), -1.0)):
            if not np.isfinite(end):
                continue
            if isinstance(score.metric, MulticlassMetric):
                if terms := _matrix_terms(score, some, total, end, sign):
                    rows.append(terms)
            elif score.average != "micro":
                row = []
                for place, triples in enumerate(some):
                    values = _class_values(score, triples, total)
                    weights = triples[:, SUPPORT] if score.average == "weighted" else np.ones(len(triples))
                    good[place] &= ~np.isinf(values) | (weights == 0)
                    row.append(np.where(np.isfinite(values), sign * weights * (values - end), 0.0))
                rows.append(row)
    slack = np.array([_SLACK * (1 + sum(float(np.abs(terms).max(initial=0)) for terms in row)) for row in rows])
    slack[0] = 0.0
    found = [Choices(some[place], np.array([row[place] for row in rows])) for place in range(len(some))]
    return [one.kept(keep) for one, keep in zip(found, good, strict=True)], slack


def _class_values(score: Whole, triples: Ints, total: int) -> Floats:
    fill = 0.0 if score.undefined_is_zero else np.nan
    values: Any = score.metric.from_counts(*tables_of(triples, total).T.astype(np.float64), zero_division=fill)  # type: ignore[union-attr]
    return np.atleast_1d(values)


def _matrix_terms(
    score: Whole, some: Sequence[Ints], total: int, end: float, sign: float
) -> list[Floats] | None:
    """Return terms whose sum is at least 0 where a metric is at least, or for the sign -1 at most, some number.

    With H for the sum of the hits and Q for that of R_i*K_i, kappa is (n*H - Q)/(n**2 - Q), and MCC is n*H - Q divided
    by the root of V*W, V = n**2 - sum(R_i**2) and W = n**2 - sum(K_i**2).  The root of W, which is concave, lies above
    its chord and below its tangents, so that its bounds are linear in sum(K_i**2).  The F-measure of means is concave as
    well; from below it is bounded by its least derivatives.
    """
    metric, count = score.metric, len(some)
    cells = [triples.astype(np.float64).T for triples in some]
    covariances = [total * hits - support * predicted for support, hits, predicted in cells]
    if metric is multiclass["kappa"]:
        return [
            sign * (covariance - end * (total**2 / count - support * predicted))
            for covariance, (support, _, predicted) in zip(covariances, cells, strict=True)
        ]
    if metric is multiclass["mcc"]:
        (low, high), (least, most) = (
            [max(total**2 - sum(float(extreme(one[side] ** 2)) for one in cells), 0.0) for extreme in (np.max, np.min)]
            for side in (SUPPORT, PREDICTED)
        )
        if sign * end > 0:  # the root counts against the condition, and is bounded from below
            root, slope = low**0.5, 1 / max(least**0.5 + most**0.5, 1e-300)
            start, at = least, least**0.5
        else:
            start = max((least + most) / 2, 1.0)
            root, slope, at = high**0.5, 0.5 / start**0.5, start**0.5
        # sign*(N - end*root*(at + slope*(W - start))), where W is n**2 - sum(K_i**2).
        constant = (at + slope * (total**2 - start)) / count
        return [
            sign * (covariance - end * root * (constant - slope * predicted**2))
            for covariance, (_, _, predicted) in zip(covariances, cells, strict=True)
        ]
    if metric is multiclass["f_of_means"]:
        fill = 0.0 if score.undefined_is_zero else np.nan
        means = [np.where(size > 0, hits / np.maximum(size, 1), fill) for s, hits, p in cells for size in (p, s)]
        p0, r0 = (sum(one.min() for one in means[side::2]) / count for side in (0, 1))
        p1, r1 = (sum(one.max() for one in means[side::2]) / count for side in (0, 1))
        if not (p0 > 0 and r0 > 0):  # or one is undefined
            return None
        if sign > 0:  # at most the tangent, at the middle of the means
            p, r = (p0 + p1) / 2, (r0 + r1) / 2
            constant, by_precision, by_recall = -end, 2 * (r / (p + r)) ** 2, 2 * (p / (p + r)) ** 2
        else:
            by_precision, by_recall = -2 * (r0 / (p1 + r0)) ** 2, -2 * (p0 / (r1 + p0)) ** 2
            constant = end - 2 * p0 * r0 / (p0 + r0) - by_precision * p0 - by_recall * r0
        pairs = zip(means[::2], means[1::2], strict=True)
        return [(constant + by_precision * precision + by_recall * recall) / count for precision, recall in pairs]
    return None


def _narrowed(some: list[Choices], least: Ints, most: Ints, slack: Floats) -> list[Choices] | None:
    """Return the choices that the ranges of the others leave; None if a class has no choice.

    :param least, most: the sums of the triples that are wanted in the end
    """
    while all(len(one.triples) for one in some):
        low, high = (np.array([end(one.triples, axis=0) for one in some]) for end in (np.min, np.max))
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
        inside = ((wanted >= self.low) & (wanted <= self.high)).all(axis=1)
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
        inside = ((wanted >= 0) & (wanted < self.size)).all(axis=1)
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
        inside = ((places >= 0) & (places < shape)).all(axis=1)
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
    lows, highs = (np.array([end(one.triples, axis=0) for one in some]) for end in (np.min, np.max))
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
    with_sums, slack = _sums(reported.whole, [one.triples for one in alone], total)
    choices = _narrowed(with_sums, least, most, slack)
    if choices is None:
        return
    order = sorted(range(count), key=lambda place: len(choices[place].triples))
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
    rows, columns = (triples[:, SUPPORT] - triples[:, HITS]).tolist(), (triples[:, PREDICTED] - triples[:, HITS]).tolist()
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
