"""What scores of many classes leave of the diagonal and the margins of a confusion matrix, class by class.

Class i against the rest has its support R_i (a row sum), its hits C_ii and its predictions K_i (a column sum).  The
scores of a class leave it a list of such triples; scores of the whole matrix become sums over the classes that have to
be at least 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, NamedTuple, cast

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
from symmetrics.tools.texts import number_of

Floats = NDArray[np.float64]
Matrix = list[list[int]]
SUPPORT, HITS, PREDICTED = range(3)
MOST: Final = 2 * 10**6
"""Triples of a class, at most."""
AT_ONCE: Final = 1 << 20
"""Triples that are looked at together."""
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
        average: dict[str, Any] = {"average": self.average} if self.average else {}
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
            found[place] = holds(self.exact(matrices[int(place)]), self.reported, self.name)
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
        raise BudgetError(f"{number_of(total, 'example')} are too many where the size of a class is unknown")
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
    for chunk in np.split(
        np.arange(len(start)), np.searchsorted(ends, np.arange(AT_ONCE, ends.max(initial=0), AT_ONCE))
    ):
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


def class_sums(whole: Sequence[Whole], some: Sequence[Ints], total: int) -> tuple[list[Choices], Floats]:
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
    metric = cast("Metric", score.metric)  # an average is of a metric of two classes
    values: Any = metric.from_counts(*tables_of(triples, total).T.astype(np.float64), zero_division=fill)
    return np.atleast_1d(values)


def _matrix_terms(score: Whole, some: Sequence[Ints], total: int, end: float, sign: float) -> list[Floats] | None:
    """Return terms whose sum is at least 0 where a metric is at least, or for the sign -1 at most, some number.

    With H for the sum of the hits and Q for that of R_i*K_i, kappa is (n*H - Q)/(n**2 - Q), and MCC is n*H - Q divided
    by the root of V*W, V = n**2 - sum(R_i**2) and W = n**2 - sum(K_i**2).  The root of W, which is concave, lies above
    its chord and below its tangents, so that its bounds are linear in sum(K_i**2).  The F-measure of means is concave
    as well; from below it is bounded by its least derivatives.
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
