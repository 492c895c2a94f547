"""Two classifiers compared on examples that come in groups or with weights, by the variance of groups."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from math import nan

from symmetrics.numeric.intervals import Question
from symmetrics.numeric.intervals.designs import Sample, interval_of_sample, probability_above_of_sample
from symmetrics.numeric.intervals.estimators import Estimator
from symmetrics.numeric.intervals.pairs import Difference
from symmetrics.numeric.intervals.permutations import permutation_test_of_groups
from symmetrics.numeric.intervals.samples import Drawn
from symmetrics.query.comparison import Comparison, told, with_test

__all__ = ["compared_sample", "with_group_test"]


def compared_sample(
    name: str, difference: Difference, sample: Sample, question: Question, same: object
) -> partial[Comparison]:
    """Return the comparison without its test.

    :param name: what it calls the metric
    """
    interval = interval_of_sample(difference, sample, replace(question, sampling="multinomial"))
    above = partial(probability_above_of_sample, difference, sample)
    return told(name, difference, sample.total[:, 0], interval, above, same)


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
    return with_test(found, test, question.draws, " of whole groups")
