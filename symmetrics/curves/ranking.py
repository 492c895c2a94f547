"""Examples in the order of their scores."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from symmetrics.curves.examples import BoolArray, Examples
from symmetrics.numeric.counts import FloatArray

__all__ = ["Ranking", "last_of_ties", "rank"]


class Ranking(NamedTuple):
    """Examples from the lowest score to the highest: the scores, which are positive, and the weights (None: 1 each)."""

    score: FloatArray
    positive: BoolArray
    weight: FloatArray | None


def rank(examples: Examples, *, stable: bool = False) -> Ranking:
    """Return examples in increasing order of score.

    :param stable: let examples of one score stand in the order in which they are given
    """
    order: NDArray[np.intp] = np.argsort(examples.score, kind="stable" if stable else None)
    weight = None if examples.weight is None else examples.weight[order]
    return Ranking(examples.score[order], examples.positive[order], weight)


def last_of_ties(score: FloatArray) -> BoolArray:
    """Return, for sorted scores, which are the last of their value.

    >>> import numpy as np
    >>> last_of_ties(np.array([1.0, 1.0, 2.0])).tolist()
    [False, True, True]
    """
    last = np.ones(score.size, dtype=np.bool_)
    np.not_equal(score[1:], score[:-1], out=last[:-1])
    return last
