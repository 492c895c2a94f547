"""Measures of a score at many resamples of the examples at once: the scores are sorted once, and their counts drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from symmetrics.curves.costs import B42, BetaCosts
from symmetrics.curves.examples import BoolArray, Examples
from symmetrics.curves.hmeasure import h_of_hull
from symmetrics.curves.hull import Hull, upper_hull
from symmetrics.numeric.counts import FloatArray

_AT_ONCE: Final = 1 << 17
"""Counts drawn at a time."""
_DEARER: Final = 8
"""How many times as long it takes to draw the count of one score as to draw one example."""
_RHO: Final = 0.1
"""The default of :func:`symmetrics.curves.weighted_auc`."""


@dataclass(frozen=True, eq=False)
class Counted:
    """Examples by kind: those of one score and one class are alike.  The kinds go from the highest score to the lowest.

    :param number: how many examples each kind has, halves as well
    :param is_positive: whether they are positive
    :param first: the place of the first kind of each score; None where each score has a single kind
    :param is_tied: whether several positive examples have the score, for each score
    :param group: the group of each kind, from 0, where whole groups are drawn; each kind is then one example
    """

    number: FloatArray
    is_positive: BoolArray
    first: NDArray[np.intp] | None
    is_tied: BoolArray
    group: NDArray[np.intp] | None = None

    def blocks(self, draws: int, sampling: str, seed: int) -> Iterator[tuple[slice, Resamples]]:
        """Yield as many resamples of all examples, some at a time; those with a single class come along.

        :param sampling: ``"multinomial"`` resamples all examples, ``"binomial"`` those of each class by themselves;
            where there are groups, as many of them are drawn
        """
        random, kinds = np.random.default_rng(seed), len(self.number)
        alike = [self.is_positive, ~self.is_positive] if sampling == "binomial" else [slice(None)]
        step = max(1, _AT_ONCE // kinds)
        for start in range(0, draws, step):
            part = slice(start, min(start + step, draws))
            drawn = np.empty((part.stop - part.start, kinds))
            if self.group is not None:
                groups = np.ones(int(self.group.max()) + 1)
                groups[self.group] = self.number
                drawn[:] = _drawn(random, groups, len(drawn))[:, self.group]
            else:
                for chosen in alike:
                    drawn[:, chosen] = _drawn(random, self.number[chosen], len(drawn))
            yield part, self._split(drawn)

    def _split(self, drawn: FloatArray) -> Resamples:
        positive, negative = drawn * self.is_positive, drawn * ~self.is_positive
        if self.first is not None:
            positive, negative = (np.add.reduceat(part, self.first, axis=1) for part in (positive, negative))
        return Resamples(positive, negative, self.is_tied)


def counted(examples: Examples, group: NDArray[np.intp] | None = None) -> Counted:
    """Return examples by their kind; of one weight in each group, if there are groups.

    :param group: the group of each, from 0, if whole groups are to be drawn

    >>> from symmetrics.curves.examples import read_examples
    >>> found = counted(read_examples([0, 1, 1, 0, 1], [0.1, 0.4, 0.35, 0.35, 0.4], 1, None))
    >>> found.number.tolist(), found.is_positive.tolist(), found.first.tolist()
    ([2.0, 1.0, 1.0, 1.0], [True, True, False, False], [0, 1, 3])
    """
    # Sort from the highest score down, the positive examples of a score first.
    order = np.lexsort((~examples.positive, -examples.score))
    score, positive = examples.score[order], examples.positive[order]
    new_score = np.concatenate(([True], score[1:] != score[:-1]))
    new_kind = new_score | np.concatenate(([True], positive[1:] != positive[:-1]))
    # Examples of one score and class are one kind; of groups, each example is one.
    starts = np.flatnonzero(new_kind) if group is None else np.arange(score.size)
    first = np.flatnonzero(new_score[starts])
    weight = np.ones(score.size) if examples.weight is None else examples.weight[order]
    number = np.add.reduceat(weight, starts)
    return Counted(
        number,
        positive[starts],
        None if len(first) == len(starts) else first,
        np.add.reduceat(number * positive[starts], first) > 1,
        None if group is None else group[order],
    )


def _drawn(random: np.random.Generator, number: FloatArray, draws: int) -> NDArray[np.int64]:
    """Return how often each kind of example is drawn, of as many as there are in all: shape (draws, kinds).

    Where most kinds have a few examples it is faster to draw the examples, in halves, and to count them.
    """
    total, kinds = int(number.sum()), len(number)
    if total > _DEARER * kinds:
        return random.multinomial(total, number / number.sum(), size=draws)
    halves = np.rint(2 * number).astype(np.int64)
    places = np.repeat(np.arange(kinds), halves)[random.integers(0, halves.sum(), size=(draws, total))]
    places += np.arange(draws)[:, None] * kinds
    return np.bincount(places.reshape(-1), minlength=draws * kinds).reshape(draws, kinds)


@dataclass(frozen=True, eq=False)
class Resamples:
    """How many positive and negative examples of each score some resamples have, shape (resamples, scores).

    :param is_tied: whether several positive examples that were seen have the score; copies of a single one are no ties
    """

    positive: FloatArray
    negative: FloatArray
    is_tied: BoolArray

    @cached_property
    def tp(self) -> FloatArray:
        """The true positives at each score as the threshold."""
        return np.cumsum(self.positive, axis=1)

    @cached_property
    def fp(self) -> FloatArray:
        """The false positives."""
        return np.cumsum(self.negative, axis=1)

    @cached_property
    def positives(self) -> FloatArray:
        """The number of positive examples, shape (resamples, 1)."""
        return np.asarray(self.positive.sum(axis=1, keepdims=True))

    @cached_property
    def negatives(self) -> FloatArray:
        """The number of negative examples."""
        return np.asarray(self.negative.sum(axis=1, keepdims=True))

    @cached_property
    def pairs(self) -> FloatArray:
        """The number of pairs of a positive and a negative example, shape (resamples,); 0 for a single class."""
        return np.asarray((self.positives * self.negatives)[:, 0])

    def values(self, measure: str) -> FloatArray:
        """Return a measure at each resample, nan at those with a single class of which it has no value."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return BLOCK_MEASURES[measure](self)


def _areas(drawn: Resamples) -> FloatArray:
    higher = drawn.tp - drawn.positive / 2  # ties count half
    return np.asarray(np.einsum("ij,ij->i", drawn.negative, higher) / drawn.pairs)


def _ginis(drawn: Resamples) -> FloatArray:
    return 2 * _areas(drawn) - 1


def _distances(drawn: Resamples) -> FloatArray:
    return np.asarray(np.abs(drawn.tp / drawn.positives - drawn.fp / drawn.negatives).max(axis=1))


def _average_precisions(drawn: Resamples) -> FloatArray:
    called = drawn.tp + drawn.fp
    gained = np.divide(drawn.positive * drawn.tp, called, out=np.zeros_like(called), where=called > 0)
    return np.asarray(gained.sum(axis=1) / drawn.positives[:, 0])


def _weighted_areas(drawn: Resamples) -> FloatArray:
    """Return the areas of the strips by their weights; two scores have two strips, one of which may be empty.

    Each copy of an example that is not tied has a strip of its own, so that strips without ties are of one height.
    """
    # The area of all strips of a score: its positives times the negatives below, ties half.
    right = drawn.positive * (drawn.negatives - drawn.fp + drawn.negative / 2)
    occurs = drawn.positive + drawn.negative > 0
    strips = np.where(drawn.is_tied, drawn.positive > 0, drawn.positive)
    strips = np.where(occurs.sum(axis=1, keepdims=True) == 2, occurs, strips)
    end = np.cumsum(strips, axis=1)
    whole = end[:, -1:]
    # Those of the first x strips add up to x - rho (1 - rho**x)/(1 - rho); that of the last is divided by 1 - rho.
    below, above = (x - _RHO * (1 - _RHO**x) / (1 - _RHO) for x in (end - strips, end))
    last = (1 - _RHO**whole) * (1 / (1 - _RHO) - 1)
    weight = above - below + np.where((end == whole) & (strips > 0), last, 0.0)
    # The weight of all strips of a score, spread evenly over them.
    mean = np.divide(weight, strips, out=np.zeros_like(weight), where=strips > 0)
    values = np.einsum("ij,ij->i", right, mean) / drawn.pairs
    return np.asarray(values if drawn.is_tied.any() else np.minimum(values, 1.0))


def _h_measures(costs: BetaCosts) -> Callable[[Resamples], FloatArray]:
    def values(drawn: Resamples) -> FloatArray:
        found = np.full(len(drawn.pairs), np.nan)
        for row in np.flatnonzero(drawn.pairs > 0):
            x, y = (np.concatenate(([0.0], counts[row])) for counts in (drawn.fp, drawn.tp))
            vertices = upper_hull(x, y)
            found[row] = h_of_hull(Hull(x[vertices], y[vertices]), costs)
        return found

    return values


BLOCK_MEASURES: Final[dict[str, Callable[[Resamples], FloatArray]]] = {
    "auc": _areas,
    "gini": _ginis,
    "kolmogorov_smirnov": _distances,
    "weighted_auc": _weighted_areas,
    "h_measure": _h_measures(BetaCosts(2, 2)),
    "b42": _h_measures(B42),
    "average_precision": _average_precisions,
}
"""The measures of scores at many resamples, by name, each with its defaults."""
