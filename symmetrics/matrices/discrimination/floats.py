"""The values that 64-bit floating point computes, to see how many of their differences are rounding errors."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Final

import numpy as np

from symmetrics.matrices.discrimination.columns import distinct
from symmetrics.matrices.discrimination.measures import Columns
from symmetrics.matrices.discrimination.states import IntArray, Sizes, rows_of
from symmetrics.matrices.records import multiclass
from symmetrics.numeric.counts import FloatArray

__all__ = ["distinct_floats", "entropies"]

CHUNK: Final = 100_000
"""Matrices that are evaluated at a time."""


def distinct_floats(values: FloatArray) -> Columns:
    """Return the distinct values, as the integers of their bits.

    >>> len(distinct_floats(np.array([0.1 + 0.2, 0.3, 0.3]))[0])
    2
    """
    return distinct([(values + 0.0).view(np.int64)])  # adding 0 makes a 0 of -0


def entropies(key: str, sizes: Sizes) -> Iterator[FloatArray]:
    """Yield what floating point makes of a metric at every matrix.

    :param key: the metric's key in :data:`symmetrics.multiclass`
    """
    for matrices in _matrices(sizes):
        yield np.asarray(multiclass[key].from_confusion(matrices))


def _matrices(sizes: Sizes) -> Iterator[IntArray]:
    """Yield all matrices in chunks of shape (matrices, classes, classes)."""
    *first, last = (rows_of(count, sizes.classes) for count in sizes.counts)
    combinations = itertools.product(*first)
    size = max(CHUNK // len(last), 1)
    while chosen := list(itertools.islice(combinations, size)):
        upper = np.repeat(np.array(chosen), len(last), axis=0)
        lower = np.tile(last, (len(chosen), 1))[:, None, :]
        yield np.concatenate([upper, lower], axis=1)
