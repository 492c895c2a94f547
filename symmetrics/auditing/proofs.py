"""Proofs that no table of the named sizes has some reported scores, and their check.

A proof is the record of a search: for each set of zero cells a tree that halves the box of all tables until one score
excludes a box, or few tables are left.  The check follows the halvings, so that the boxes cover all tables whatever the
record says, and excludes each box anew (:mod:`symmetrics.auditing.exclusions`); where that takes smaller boxes than
the search needed it halves further, down to single tables, of which the exact value decides.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

import numpy as np
from sympy import Rational, S

from symmetrics.auditing.exclusions import Bools, Ints, ends_of, excluded, sign_of
from symmetrics.auditing.reported import ROUNDING, Reported
from symmetrics.auditing.search import Score, Sizes, Zeros
from symmetrics.language.formula import parse_formula
from symmetrics.language.names import CELL_NAMES
from symmetrics.library import metrics
from symmetrics.metric import Metric
from symmetrics.tools.budget import SEARCHED, checkpoint, within
from symmetrics.tools.errors import CertificateError, InputError, SymmetricsError, UnsupportedError

AT_ONCE: Final = 1 << 12
"""Boxes that are excluded together."""
FEW: Final = 16
"""Boxes of so many tables are gone through one by one."""
POSITIVES, NEGATIVES, TP, TN = range(4)
"""The ranges that are halved, by their numbers in a tree."""


@dataclass(frozen=True, repr=False, eq=False)
class Proof:
    """Why no table of some sizes has all of some scores.

    :param scores: what is reported
    :param sizes: the sizes of the tables
    :param trees: by the names of the cells that are zero a row for each box: the range that is halved, 0 to 3 for P, N,
        TP and TN, the end of its lower half, and the row of that half, which that of the upper one follows; or -1, the
        number of the score that excludes the box, -1 if it is not one alone, and 0

    >>> from symmetrics.auditing import audit
    >>> found = audit({"accuracy": "0.95", "recall": "0.50"}, positives=20, negatives=80)
    >>> found.proof, found.proof.check()
    (<Proof that accuracy and recall contradict each other: 18 boxes>, 18)
    """

    scores: tuple[Score, ...]
    sizes: Sizes
    trees: Mapping[Zeros, Ints]

    @property
    def boxes(self) -> int:
        """How many boxes cover all tables."""
        return sum(int((tree[:, 0] < 0).sum()) for tree in self.trees.values())

    def check(self, seconds: float = SEARCHED) -> int:
        """Return the number of boxes, each of which was shown to hold no table that agrees, and all of them all tables.

        :raises CertificateError: if a box is not excluded, or the record is no tree of boxes
        :raises UnsupportedError: if an exact value cannot be compared with an end of an interval
        :raises BudgetError: if it takes more time than *seconds*
        """
        return within(lambda: sum(self._checked()), seconds=seconds, shown="the boxes of a proof")

    def _checked(self) -> Iterator[int]:
        if not self.scores or self.sizes.total[0] < 1:
            raise CertificateError("the proof is of no scores, or of tables without examples")
        # Not all four cells are zero, as there are examples.
        every = [frozenset(some) for size in range(4) for some in itertools.combinations(CELL_NAMES, size)]
        if set(self.trees) != set(every):
            raise CertificateError("the proof does not treat each set of zero cells once")
        for zeros in every:
            yield from self._checked_tree(zeros, self.trees[zeros])

    def _checked_tree(self, zeros: Zeros, tree: Ints) -> Iterator[int]:
        # Follow the halvings: the two halves of a box hold all of its tables.
        nodes, boxes = np.zeros(1, dtype=np.int64), np.array([self._first_box()], dtype=np.int64)
        while len(nodes):
            checkpoint()
            if (nodes >= len(tree)).any():
                raise CertificateError("the proof lacks a box")
            place, value, child = tree[nodes].T
            ends = place < 0
            if (place > TN).any() or (child[~ends] <= nodes[~ends]).any() or (value[ends] >= len(self.scores)).any():
                raise CertificateError("a row of the proof is no box that is halved or excluded")
            for reason in np.unique(value[ends]):
                scores = self.scores if reason < 0 else self.scores[reason : reason + 1]
                self._exclude(scores, zeros, boxes[ends & (value == reason)])
            yield int(ends.sum())
            lower, upper = _halves(boxes[~ends], place[~ends], value[~ends])
            nodes, boxes = np.concatenate([child[~ends], child[~ends] + 1]), np.concatenate([lower, upper])

    def _first_box(self) -> list[tuple[int, int]]:
        positives, negatives = self.sizes.positives, self.sizes.negatives
        return [positives, negatives, (0, positives[1]), (0, negatives[1])]

    def _exclude(self, scores: Sequence[Score], zeros: Zeros, boxes: Ints) -> None:
        """Show that none of some scores is as reported on boxes, halving them further where that is needed.

        :raises CertificateError: if all scores are as reported at one table
        """
        waiting = [boxes]
        while waiting:
            checkpoint()
            boxes = waiting.pop()
            if len(boxes) > AT_ONCE:
                waiting.append(boxes[AT_ONCE:])
                boxes = boxes[:AT_ONCE]
            ranges, is_empty = self._ranges(boxes, zeros)
            boxes, ranges = boxes[~is_empty], ranges[~is_empty]
            for score in scores:
                left = ~excluded(score.metric.value_formula, score.reported, zeros, ranges)
                boxes, ranges = boxes[left], ranges[left]
            boxes = ranges[:, [4, 5, 0, 3]]
            counts = (boxes[:, :, 1] - boxes[:, :, 0] + 1.0).prod(axis=1)
            for box in ranges[counts == 1, :4, 0].tolist():
                _require_outside(scores, box)
            if len(few := boxes[(counts > 1) & (counts <= FEW)]):
                waiting.append(_single(few))
            if len(many := boxes[counts > FEW]):
                places = (many[:, :, 1] - many[:, :, 0]).argmax(axis=1)
                middles = many[np.arange(len(many)), places].sum(axis=1) // 2
                waiting.append(np.concatenate(_halves(many, places, middles)))

    def _ranges(self, boxes: Ints, zeros: Zeros) -> tuple[Ints, Bools]:
        """Return the ranges of the cells, the classes and their sum on boxes, and which boxes hold no table."""
        cells = [(0, 0) if name in zeros else (1, self.sizes.total[1]) for name in CELL_NAMES]
        found = np.empty((len(boxes), 7, 2), dtype=np.int64)
        found[:] = [*cells, self.sizes.positives, self.sizes.negatives, self.sizes.total]
        for place, number in ((4, POSITIVES), (5, NEGATIVES), (0, TP), (3, TN)):
            _meet(found, place, boxes[:, number])
        # Each of two parts is the whole less the other; three times do, and fewer would only be less sharp.
        for _ in range(3):
            for whole, one, other in ((4, 0, 1), (5, 2, 3), (6, 4, 5)):
                _meet(found, whole, found[:, one] + found[:, other])
                _meet(found, one, found[:, whole] - found[:, other, ::-1])
                _meet(found, other, found[:, whole] - found[:, one, ::-1])
        return found, np.asarray((found[:, :, 0] > found[:, :, 1]).any(axis=1))

    # -- saved ---------------------------------------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """Return the proof as plain values, from which :meth:`from_dict` makes it again."""
        return {
            "scores": [
                {
                    "name": score.name,
                    "formula": str(score.metric.value_formula),
                    "text": score.reported.text,
                    "low": _plain(score.reported.low),
                    "high": _plain(score.reported.high),
                    "ends": [score.reported.has_low, score.reported.has_high],
                }
                for score in self.scores
            ],
            "sizes": {name: list(getattr(self.sizes, name)) for name in ("total", "positives", "negatives")},
            "trees": {" ".join(sorted(zeros)): tree.tolist() for zeros, tree in self.trees.items()},
        }

    @classmethod
    def from_dict(cls, saved: Mapping[str, Any]) -> Proof:
        """Return a proof from plain values; nothing of it is believed before it is checked.

        :raises CertificateError: if it is no proof, or a name or a printed number does not stand for what is proved
        """
        try:
            scores = tuple(_score(**one) for one in saved["scores"])
            sizes = Sizes(**{name: _whole_range(ends) for name, ends in saved["sizes"].items()})
            trees = {frozenset(zeros.split()): _tree(rows) for zeros, rows in saved["trees"].items()}
        except CertificateError:
            raise
        except (SymmetricsError, KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
            raise CertificateError(f"this is no proof of an audit ({error}); pass what its to_dict returned") from None
        return cls(scores, sizes, trees)

    def __repr__(self) -> str:
        names = " and ".join(score.name for score in self.scores)
        told = "has no such value" if len(self.scores) == 1 else "contradict each other"
        return f"<Proof that {names} {told}: {self.boxes} boxes>"


def _meet(ranges: Ints, place: int, other: Ints) -> None:
    np.maximum(ranges[:, place, 0], other[:, 0], out=ranges[:, place, 0])
    np.minimum(ranges[:, place, 1], other[:, 1], out=ranges[:, place, 1])


def _halves(boxes: Ints, places: Ints, ends: Ints) -> tuple[Ints, Ints]:
    """Return the parts of boxes up to an end in one range, and above it; one of them may be empty."""
    lower, upper = boxes.copy(), boxes.copy()
    every = np.arange(len(boxes))
    lower[every, places, 1] = np.minimum(boxes[every, places, 1], ends)
    upper[every, places, 0] = np.maximum(boxes[every, places, 0], ends + 1)
    return lower, upper


def _single(boxes: Ints) -> Ints:
    """Return all tables of small boxes as boxes of one table each."""
    found = [np.array(list(itertools.product(*(range(low, high + 1) for low, high in box)))) for box in boxes.tolist()]
    return np.repeat(np.concatenate(found)[:, :, None], 2, axis=2)


def _require_outside(scores: Sequence[Score], table: Sequence[int]) -> None:
    """Refuse a table at which all scores have a value as reported, by exact values.

    :raises UnsupportedError: if a value cannot be compared
    """
    for score in scores:
        value, reported = score.metric.exact(*table), score.reported
        if value is S.NaN or value.is_infinite:
            return
        for end, side, has_end in ends_of(reported):
            sign = sign_of(value - Rational(end))
            if sign is None:
                raise UnsupportedError(
                    f"{score.name}: {value} cannot be compared with {end}; this cannot be re-checked"
                )
            if sign * side < 0 or (sign == 0 and not has_end):
                return
    raise CertificateError(f"the table TP, FN, FP, TN = {', '.join(map(str, table))} is not excluded")


def _plain(end: Fraction | float) -> str | None:
    return None if isinstance(end, float) else str(end)


def _score(name: str, formula: str, text: str, low: str | None, high: str | None, ends: Sequence[bool]) -> Score:
    """Return a score that was saved: its name and its text are statements, too, and must be those of what is proved."""
    expression = parse_formula(formula)
    if name in metrics and parse_formula(str(metrics[name].value_formula)) != expression:
        raise CertificateError(f"the proof is about {formula}, and this is not {name}")
    has_low, has_high = map(bool, ends)
    least, most = -np.inf if low is None else Fraction(low), np.inf if high is None else Fraction(high)
    reported = Reported(text, least, most, has_low, has_high)
    if text != reported.interval and reported not in list(_readings(text)):
        raise CertificateError(f"the proof is about {reported.interval}, and this is not what {text} stands for")
    return Score(name, Metric(name, expression), reported)


def _readings(text: str) -> Iterator[Reported]:
    for rounding in ROUNDING:
        try:
            yield Reported.of(text, rounding)
        except InputError:
            yield Reported.of(Fraction(text))


def _whole_range(ends: Sequence[int]) -> tuple[int, int]:
    low, high = ends
    if not (type(low) is int and type(high) is int and 0 <= low <= high <= 10**9):
        raise CertificateError(f"{list(ends)} is no range of whole numbers up to {10**9}")
    return low, high


def _tree(rows: Sequence[Sequence[int]]) -> Ints:
    found = np.array(rows)
    if found.dtype != np.int64 or found.ndim != 2 or found.shape[1] != 3 or (found[:, 2] < 0).any():
        raise CertificateError("a part of the proof is no list of boxes")
    return found
