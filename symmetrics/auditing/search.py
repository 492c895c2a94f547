"""All tables of whole counts whose scores lie in given intervals, by branch and bound.

Boxes of tables hold ranges of the positives P, the negatives N, TP and TN.  A box is left out if for one of the scores
the values on it are certainly all outside of its interval, kept whole if for all of them they are certainly all inside,
and else halved; small ones are gone through table by table.  What a float cannot decide, the exact value does.  Tables
with the same cells zero are searched together, because there a formula is its limit.
"""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from sympy import Expr, Rational, S

from symmetrics.algebra.limits.extension import extension_of
from symmetrics.auditing import monotone
from symmetrics.auditing.enclosures import Enclosure
from symmetrics.auditing.monotone import NEAR
from symmetrics.auditing.reported import Reported
from symmetrics.language.cells import CELLS
from symmetrics.metric import Metric
from symmetrics.tools.budget import checkpoint, within
from symmetrics.tools.errors import BudgetError, UnsupportedError

Ints = NDArray[np.int64]
"""Boxes, of shape (size, 4, 2): the ranges of P, N, TP and TN."""
Table = tuple[int, int, int, int]
"""TP, FN, FP, TN."""
Zeros = frozenset[str]
POSITIVES, NEGATIVES, TP, TN = range(4)
FEW: Final = 64
"""Boxes of so many tables are gone through one by one."""
AT_ONCE: Final = 1 << 14
"""Boxes that are looked at together."""
_ROUNDED: Final = 2.0**-50
"""Relative error of an end as a float."""
LEAF: Final = -1
EACH: Final = -1
FACES: Final = tuple(frozenset(some) for size in range(4) for some in itertools.combinations(map(str, CELLS), size))
"""The sets of cells that are zero."""


@dataclass(frozen=True)
class Sizes:
    """The sizes of the tables that are searched, as ranges with both ends.

    :param total: of the number of examples
    :param positives, negatives: of the sizes of the classes
    """

    total: tuple[int, int]
    positives: tuple[int, int]
    negatives: tuple[int, int]

    @property
    def box(self) -> list[tuple[int, int]]:
        """The box of all tables: the ranges of P, N, TP and TN."""
        return [self.positives, self.negatives, (0, self.positives[1]), (0, self.negatives[1])]


@dataclass(frozen=True, eq=False)
class Score:
    """A reported value of a metric.

    :param name: what it is reported under
    :param undefined_is_zero: whether 0 was printed where the metric is undefined, as scikit-learn does
    """

    name: str
    metric: Metric
    reported: Reported
    undefined_is_zero: bool = False

    @cached_property
    def _float_ends(self) -> tuple[float, float]:
        return float(self.reported.low), float(self.reported.high)

    def outside(self, low: Any, high: Any, error: float = _ROUNDED) -> Any:
        """Whether values between these bounds are certainly all outside of what is reported.

        :param error: how far off the ends and the bounds may be, relative to the ends
        """
        least, most = self._float_ends
        return (high < least - _slack(least, error)) | (low > most + _slack(most, error))

    def inside(self, low: Any, high: Any, error: float = _ROUNDED) -> Any:
        """Whether values between these bounds are certainly all inside."""
        least, most = self._float_ends
        is_between = (low > least + _slack(least, error)) & (high < most - _slack(most, error))
        return is_between & np.isfinite(low) & np.isfinite(high)

    def values(self, tables: Ints) -> NDArray[np.float64]:
        """Return the values at tables, of shape (size, 4): TP, FN, FP, TN."""
        return np.atleast_1d(np.asarray(self.metric.from_counts(tables.astype(np.float64))))

    def agrees(self, tables: Ints) -> NDArray[np.bool_]:
        """Return which tables have a value as reported; the exact value decides where a float is too near an end.

        :param tables: of shape (size, 4): TP, FN, FP, TN
        """
        values = self.values(tables)
        found: NDArray[np.bool_] = np.isfinite(values)
        least, most = self._float_ends
        found &= (values > least) & (values < most)
        for place in np.flatnonzero(is_near(values, self.reported)):
            found[place] = self.agrees_exactly(tables[place].tolist())
        return found | np.isnan(values) if self._takes_undefined else found

    @property
    def _takes_undefined(self) -> bool:
        return self.undefined_is_zero and 0 in self.reported

    def agrees_exactly(self, table: Sequence[int]) -> bool:
        """Return whether the exact value at one table is as reported.

        :raises UnsupportedError: if the value cannot be compared with an end
        """
        return holds(self.metric.exact(*table), self.reported, self.name)

    def on_face(self, zeros: Zeros) -> Face | None:
        """Return the formula where exactly some cells are zero; None if no table there can agree."""
        formula = extension_of(self.metric.value_formula)
        if not zeros:
            return Face(formula.expression, formula.conditions)
        if formula.is_nan_on_face(zeros):
            return Face(None) if self._takes_undefined else None
        limit = formula.on_face(zeros)
        # Where a limit holds with reservations, nothing is concluded from it.
        return Face(None if formula.conditions or formula.guards_on_face(zeros) else limit)


def holds(value: Expr, reported: Reported, name: str) -> bool:
    """Return whether an exact value is as reported.

    :raises UnsupportedError: if it cannot be compared with an end
    """
    if value is S.NaN or value.is_infinite:
        return False
    for end, side, has_end in ((reported.low, 1, reported.has_low), (reported.high, -1, reported.has_high)):
        if not isinstance(end, float):
            beyond = side * (value - Rational(end))
            is_end = beyond.equals(0)
            if is_end is None or (is_end is False and (beyond > 0) not in (True, False)):
                raise UnsupportedError(f"{name}: {value} cannot be compared with {end} exactly")
            if not (has_end if is_end else bool(beyond > 0)):
                return False
    return True


def is_near(values: Any, reported: Reported) -> NDArray[np.bool_]:
    """Return which values are so near an end of what is reported that only the exact ones decide."""
    near = np.zeros(np.shape(values), dtype=bool)
    for end in (float(reported.low), float(reported.high)):
        if np.isfinite(end):
            near |= np.abs(values - end) <= NEAR * (1 + abs(end))
    return near


def _slack(end: float, error: float) -> float:
    return (abs(end) + (error > _ROUNDED)) * error if np.isfinite(end) else 0.0


class Face:
    """A formula at the tables with the same cells zero.

    :param formula: what it is there; None if only single tables can be looked at
    :param conditions: what has to be positive for it to be real
    """

    def __init__(self, formula: Expr | None, conditions: Sequence[Expr] = ()) -> None:
        self.enclosure = None if formula is None else Enclosure(formula)
        self.conditions = [Enclosure(condition) for condition in conditions]

    def bounds(self, cells: NDArray[np.float64]) -> tuple[Any, Any]:
        """Return bounds of the formula on boxes of cells; infinite where nothing is known."""
        if self.enclosure is None:
            return np.full(len(cells), -np.inf), np.full(len(cells), np.inf)
        low, high = self.enclosure(cells)
        for condition in self.conditions:
            real = condition(cells)[0] > 0
            low, high = np.where(real, low, -np.inf), np.where(real, high, np.inf)
        return low, high


class Search:
    """The tables that agree with all of some scores.

    :param scores: one or more
    :param sizes: the sizes of the tables that are searched
    """

    def __init__(self, scores: Sequence[Score], sizes: Sizes) -> None:
        self.scores = scores
        self.sizes = sizes

    def boxes(self, record: dict[Zeros, Splits] | None = None) -> Iterator[Ints]:
        """Yield boxes, of single P and N, whose tables all agree, as they are found.

        :param record: receives the boxes that are left out, by the cells that are zero
        """
        (least, positives), (fewest, negatives) = self.sizes.positives, self.sizes.negatives
        are_known = record is None and least == positives and fewest == negatives
        left = FACES
        if are_known and monotone.can_search(self.scores):
            yield from monotone.inside(self.scores, positives, negatives)
            left = FACES[1:]
            if positives + negatives <= monotone.FEW:
                yield from monotone.on_edges(self.scores, positives, negatives)
                return
        for zeros in left:
            splits = None if record is None else record.setdefault(zeros, Splits())
            faces = [score.on_face(zeros) for score in self.scores]
            known = [face for face in faces if face is not None]
            if len(known) == len(faces):
                yield from self._of_face(zeros, known, splits)
            elif splits is not None:
                splits.leave_out(np.zeros(1, dtype=np.int64), faces.index(None))

    def _of_face(self, zeros: Zeros, faces: Sequence[Face], splits: Splits | None) -> Iterator[Ints]:
        waiting = [(np.array([self.sizes.box], dtype=np.int64), np.zeros(1, dtype=np.int64))]
        while waiting:
            checkpoint()
            boxes, nodes = waiting.pop()
            if len(boxes) > AT_ONCE:
                waiting.append((boxes[AT_ONCE:], nodes[AT_ONCE:]))
                boxes, nodes = boxes[:AT_ONCE], nodes[:AT_ONCE]
            boxes, fits = self._tightened(boxes, zeros)
            if splits is not None:
                splits.leave_out(nodes[~fits])
            boxes, nodes = boxes[fits], nodes[fits]
            whole = np.ones(len(boxes), dtype=bool)
            possible = whole.copy()
            cells = _cells(boxes, zeros).astype(np.float64)
            for place, (score, face) in enumerate(zip(self.scores, faces, strict=True)):
                low, high = face.bounds(cells)
                outside = score.outside(low, high)
                if splits is not None:
                    splits.leave_out(nodes[possible & outside], place)
                possible &= ~outside
                whole &= score.inside(low, high)
            widths = boxes[:, :, 1] - boxes[:, :, 0]
            settled = (widths[:, POSITIVES] == 0) & (widths[:, NEGATIVES] == 0)
            if len(kept := boxes[possible & whole & settled]):
                yield kept
            left = possible & ~(whole & settled)
            small = left & ((widths + 1.0).prod(axis=1) <= FEW)
            if splits is not None:
                splits.leave_out(nodes[small])
            if small.any() and len(found := self._one_by_one(boxes[small], zeros)):
                yield found
            if (large := left & ~small).any():
                places, middles = _middles(boxes[large], whole[large])
                children = nodes[large] if splits is None else splits.halve(nodes[large], places, middles)
                waiting.append((_halved(boxes[large], places, middles), np.concatenate([children + 1, children])))

    def _tightened(self, boxes: Ints, zeros: Zeros) -> tuple[Ints, NDArray[np.bool_]]:
        """Return boxes with the ranges that their sums leave, and which of them are not empty."""
        boxes = boxes.copy()
        low, high = boxes[:, :, 0], boxes[:, :, 1]
        for size, right, wrong in ((POSITIVES, TP, "FN"), (NEGATIVES, TN, "FP")):
            name = "TP" if right == TP else "TN"
            other = NEGATIVES + POSITIVES - size
            # n = P + N, and a class is made of its right and its wrong predictions.
            np.maximum(low[:, size], self.sizes.total[0] - high[:, other], out=low[:, size])
            np.minimum(high[:, size], self.sizes.total[1] - low[:, other], out=high[:, size])
            np.maximum(low[:, right], 0 if name in zeros else 1, out=low[:, right])
            if name in zeros:
                high[:, right] = 0
            if wrong in zeros:
                np.maximum(low[:, right], low[:, size], out=low[:, right])
            spare = 0 if wrong in zeros else 1
            np.minimum(high[:, right], high[:, size] - spare, out=high[:, right])
            np.maximum(low[:, size], low[:, right] + spare, out=low[:, size])
            if wrong in zeros:
                np.minimum(high[:, size], high[:, right], out=high[:, size])
        return boxes, np.asarray((low <= high).all(axis=1))

    def _one_by_one(self, boxes: Ints, zeros: Zeros) -> Ints:
        """Return the single tables of small boxes that agree, as boxes."""
        shape = boxes[:, :, 1] - boxes[:, :, 0] + 1
        counts = shape.prod(axis=1)
        owner = np.repeat(np.arange(len(boxes)), counts)
        place = np.arange(len(owner)) - np.repeat(np.cumsum(counts) - counts, counts)
        points = boxes[owner, :, 0]
        for axis in range(4):
            points[:, axis] += place % shape[owner, axis]
            place //= shape[owner, axis]
        # Not all of a box are tables of these sizes with these cells zero.
        total, wrong = points[:, :2].sum(axis=1), points[:, :2] - points[:, 2:]
        good = (total >= self.sizes.total[0]) & (total <= self.sizes.total[1])
        for column, name in enumerate(("FN", "FP")):
            good &= (wrong[:, column] == 0) if name in zeros else (wrong[:, column] > 0)
        points = points[good]
        for score in self.scores:
            if len(points):
                tp, tn = points[:, TP], points[:, TN]
                tables = np.stack([tp, points[:, POSITIVES] - tp, points[:, NEGATIVES] - tn, tn], axis=1)
                points = points[score.agrees(tables)]
        return np.stack([points, points], axis=2)


def _cells(boxes: Ints, zeros: Zeros) -> Ints:
    """Return the ranges of TP, FN, FP and TN on boxes."""
    found = np.empty_like(boxes)
    for size, right, places in ((POSITIVES, TP, (0, 1)), (NEGATIVES, TN, (3, 2))):
        wrong = "FN" if right == TP else "FP"
        found[:, places[0]] = boxes[:, right]
        found[:, places[1], 0] = np.maximum(boxes[:, size, 0] - boxes[:, right, 1], 0 if wrong in zeros else 1)
        found[:, places[1], 1] = 0 if wrong in zeros else boxes[:, size, 1] - boxes[:, right, 0]
    return found


def _middles(boxes: Ints, whole: NDArray[np.bool_]) -> tuple[Ints, Ints]:
    """Return the widest range of boxes, and its middle; that of P or N where only these are left to be single."""
    widths = boxes[:, :, 1] - boxes[:, :, 0]
    places = np.where(whole[:, None] & (np.arange(4) >= TP), -1, widths).argmax(axis=1)
    return places, boxes[np.arange(len(boxes)), places].sum(axis=1) // 2


def _halved(boxes: Ints, places: Ints, middles: Ints) -> Ints:
    """Return the upper halves of boxes, and after them the lower ones."""
    every = np.arange(len(boxes))
    first, second = boxes.copy(), boxes.copy()
    first[every, places, 1] = middles
    second[every, places, 0] = middles + 1
    return np.concatenate([second, first])


class Splits:
    """How a search halved its boxes and why it left them out: a tree of whole numbers, with the first box as node 0."""

    def __init__(self) -> None:
        self._written: list[Ints] = []
        self._size = 1

    def leave_out(self, nodes: Ints, reason: int = EACH) -> None:
        """Note which score excludes some boxes; :data:`EACH` if their tables are gone through one by one."""
        self._written.append(np.stack([nodes, *np.broadcast_arrays(LEAF, reason, 0 * nodes)], axis=1))

    def halve(self, nodes: Ints, places: Ints, middles: Ints) -> Ints:
        """Note halvings, and return the nodes of the lower halves; those of the upper ones are the next ones."""
        children = self._size + 2 * np.arange(len(nodes))
        self._size += 2 * len(nodes)
        self._written.append(np.stack([nodes, places, middles, children], axis=1))
        return children

    @property
    def tree(self) -> Ints:
        """A row for each node: the range that is halved, the end of its lower half, and the node of that half.

        For a box that is left out: :data:`LEAF`, the score that excludes it, and 0.
        """
        every = np.concatenate(self._written)
        found = np.empty((self._size, 3), dtype=np.int64)
        found[every[:, 0]] = every[:, 1:]
        return found


def tables_in(boxes: Ints) -> Iterator[tuple[int, int, int, int]]:
    """Yield the tables of boxes of single P and N as TP, FN, FP, TN, in the order of n, P, TP and TN."""
    order = np.lexsort((boxes[:, TP, 0], boxes[:, POSITIVES, 0], boxes[:, :2, 0].sum(axis=1)))
    for _, group in itertools.groupby(boxes[order].tolist(), key=lambda box: (box[POSITIVES][0], box[NEGATIVES][0])):
        yield from _of_sizes(list(group))


def _of_sizes(boxes: list[list[list[int]]]) -> Iterator[tuple[int, int, int, int]]:
    (positives, _), (negatives, _) = boxes[0][:2]
    waiting, reached, tp = deque(boxes), list[list[list[int]]](), 0
    while waiting or reached:
        # Boxes come in the order of their least TP; those that reach up to the current one are kept.
        tp = tp if reached else max(tp, waiting[0][TP][0])
        while waiting and waiting[0][TP][0] <= tp:
            reached.append(waiting.popleft())
        for low, high in sorted(box[TN] for box in reached):
            for tn in range(low, high + 1):
                yield tp, positives - tp, negatives - tn, tn
        tp += 1
        reached = [box for box in reached if box[TP][1] >= tp]


def count_of(boxes: Ints) -> int:
    """Return how many tables boxes of single P and N hold."""
    return sum(map(int, np.prod(boxes[:, [TP, TN], 1] - boxes[:, [TP, TN], 0] + 1, axis=1, dtype=object)))


def first_table(scores: Sequence[Score], sizes: Sizes, seconds: float) -> tuple[str, Table | None]:
    """Return what a search finds, ``"possible"``, ``"impossible"`` or ``"open"``, and the first table it comes to."""

    def first() -> Table | None:
        return next((next(tables_in(boxes[:1])) for boxes in Search(scores, sizes).boxes()), None)

    try:
        found = within(first, seconds=seconds, shown="tables that agree")
    except (BudgetError, UnsupportedError):
        return "open", None
    return "impossible" if found is None else "possible", found
