"""Two classifiers compared on examples that come in groups or with weights, by the variance of groups."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from math import nan
from typing import Final

import numpy as np

from symmetrics.numeric.counts import FloatArray
from symmetrics.numeric.intervals import Question
from symmetrics.numeric.intervals.designs import Sample, interval_of_sample, probability_above_of_sample
from symmetrics.numeric.intervals.estimators import Estimator, Groups
from symmetrics.numeric.intervals.paired import LARGEST, difference_interval
from symmetrics.numeric.intervals.pairs import Difference
from symmetrics.numeric.intervals.permutations import permutation_test_of_groups
from symmetrics.numeric.intervals.samples import Drawn
from symmetrics.query.comparison import Comparison, told, with_test

__all__ = ["compared_sample", "with_group_test"]

_FEW: Final = 5
"""Of a class with fewer examples the score interval of a mean over classes is too wide."""


def compared_sample(
    name: str,
    difference: Difference,
    sample: Sample,
    question: Question,
    same: object,
    one_by_one: tuple[Difference, FloatArray, Groups] | None = None,
) -> partial[Comparison]:
    """Return the comparison without its test.

    :param name: what it calls the metric
    :param one_by_one: the same difference from a table, with which of its sums are fixed, if examples were drawn one
        by one
    """
    if one_by_one is not None and (question.method == "score" or (question.method == "auto" and _tells(*one_by_one))):
        interval = difference_interval(*one_by_one, question)
    else:
        interval = interval_of_sample(difference, sample, replace(question, sampling="multinomial"))
    above = partial(probability_above_of_sample, difference, sample)
    return told(name, difference, sample.total[:, 0], interval, above, same)


def _tells(difference: Difference, entries: FloatArray, _: Groups) -> bool:
    """Whether the score interval of several classes is taken: each has a few examples, and counts in both means."""
    first, second = difference.tables(entries)
    k = round(len(first) ** 0.5)
    examples = np.minimum(*(table.reshape(k, k).sum(axis=1) for table in (first, second)))
    is_few_classes, is_whole = len(entries) <= LARGEST, entries.sum() <= 2.0**53
    return bool(is_few_classes and is_whole and difference.of_second is None and (examples >= _FEW).all())


def with_group_test(
    found: partial[Comparison],
    difference: Difference,
    metric: Estimator,
    sample: Sample,
    drawn: Drawn,
    question: Question,
) -> Comparison:
    """Return a comparison with a test by exchanging whole groups; of weighted examples there is none.

    :param metric: of one table, whatever becomes of it
    """
    if drawn.sample_weight is not None:
        return found(p_value=nan, test="none, as weighted examples cannot be exchanged")
    first, second = difference.group_tables(sample.tables)
    test = permutation_test_of_groups(metric, first, second, draws=question.draws, seed=question.seed)
    return with_test(found, test, question)
