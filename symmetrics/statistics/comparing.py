"""Is one classifier better than another?  The difference of a metric, its interval, and an exact test."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from functools import partial
from math import nan
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike

from symmetrics.library import metrics
from symmetrics.library.selections import as_metric
from symmetrics.metric import Metric
from symmetrics.metric.uncertainty import range_of
from symmetrics.numeric.averaging import Average
from symmetrics.numeric.counts import as_cells, named_cells, shown
from symmetrics.numeric.intervals.averages import matrix_groups
from symmetrics.numeric.intervals.draws import probability_above
from symmetrics.numeric.intervals.paired import difference_interval
from symmetrics.numeric.intervals.pairs import (
    JOINT_ROWS,
    JointDifference,
    StackedDifference,
    joint_groups,
    joint_places,
)
from symmetrics.numeric.intervals.permutations import Outcomes, permutation_test
from symmetrics.numeric.intervals.result import Question, Tables
from symmetrics.numeric.intervals.samples import Drawn, Places, class_places, sample_of, table_of
from symmetrics.numeric.intervals.scales import Formula
from symmetrics.statistics.comparing_classes import (
    ClassMetric,
    Predicted,
    compared_matrices,
    compared_predictions,
    compared_sample,
    with_group_test,
)
from symmetrics.statistics.comparison import Comparison, ComparisonSettings, told, with_test
from symmetrics.tools.errors import InputError
from symmetrics.tools.missing import Missing
from symmetrics.tools.settings import advising

_CLASSES: Final = np.array(["positive", "negative"])
"""What the true classes are called as strata."""


@advising("write compare(y_true, pred_a, pred_b, metric); two tables are compared by compare_counts")
def compare(
    y_true: Iterable[Hashable],
    pred_a: Iterable[Hashable],
    pred_b: Iterable[Hashable],
    metric: object = "mcc",
    *,
    average: Average = "binary",
    labels: Iterable[Hashable] | None = None,
    pos_label: Hashable = 1,
    groups: Iterable[Hashable] | None = None,
    sample_weight: ArrayLike | None = None,
    missing: Missing = "refuse",
    ratio: bool = False,
    same: float | None = None,
    level: float = 0.95,
    method: str = "auto",
    sampling: str = "multinomial",
    draws: int = 10_000,
    prior: float = 0.5,
    seed: int = 0,
) -> Comparison:
    """Compare two predictions of the same examples by a metric.

    The predictions go together, so that the interval is that of a pair and not of two separate samples: by default the
    score interval, which is Tango's (1998) for a paired proportion such as recall or accuracy, and the same test
    inverted for any other formula.  The p-value is that of the exact permutation test, for a proportion McNemar's.
    Where the mid-p value of an exact test does not reject it, the interval is extended to no difference; the p-value
    itself may still be above one less the level, as the exact test errs less often than it says (Fagerland et al.
    2013).

    :param metric: a metric, an expression over the cells, or the name of a metric of the library; or one of matrices,
        which the names of these mean for more than two classes, and under every average
    :param average: ``"binary"``, of two classes; or how the metric is averaged over any number of them, as in a call of
        it: all but None.  Of several classes the method is ``"score"``, ``"delta"`` or ``"bootstrap"``
    :param labels: all classes, in their order
    :param pos_label: the positive one, for ``average="binary"``
    :param groups: the group of each example, such as a patient, of which whole groups were drawn; the method is then
        ``"delta"`` or ``"bootstrap"``, and the predictions of a group are exchanged together
    :param sample_weight: how much each example stands for, as in :meth:`Metric.interval_from_labels`: an example of
        weight 2 is not two of them; the method is then ``"delta"`` or ``"bootstrap"``, and there is no test
    :param missing: what to do with missing labels, as in a call of the metric
    :param ratio: compare by the quotient of the values, and not by their difference
    :param same: a difference that does not matter in practice; the comparison then says how probable a smaller one is
    :param level: see :meth:`Metric.interval`, as for *sampling*, *draws*, *prior* and *seed*
    :param method: ``"auto"``, ``"score"``, ``"newcombe"`` for method 10 of Newcombe (1998) for a paired proportion,
        ``"delta"``, or one that draws, as for :meth:`Metric.interval`
    :raises InputError: on labels, a metric or settings that are none, and where the metric has no value

    >>> truth = [1] * 50 + [0] * 50
    >>> one = [1] * 30 + [0] * 20 + [0] * 45 + [1] * 5
    >>> other = [1] * 42 + [0] * 8 + [0] * 44 + [1] * 6
    >>> compare(truth, one, other, "f1")
    f1: 0.7059 and 0.8571, difference 0.1513
    95 % interval of the difference: 0.07781 to 0.2572 (score, as it holds with few discordant examples, too)
    probability that the second is greater: > 0.999
    p-value: 0.000488 (exact permutation test)
    mid-p value: 0.000366

    Of three classes, by an average over them or by a metric of the whole matrix:

    >>> truth = ["owl"] * 30 + ["cat"] * 40 + ["dog"] * 50
    >>> one = ["owl"] * 20 + ["cat"] * 50 + ["dog"] * 50
    >>> other = ["owl"] * 28 + ["dog"] * 12 + ["cat"] * 30 + ["dog"] * 50
    >>> compare(truth, one, other, "f1", average="macro")
    f1 (macro): 0.8963 and 0.9052, difference 0.008876
    ...
    >>> from symmetrics.matrices import multiclass
    >>> compare(truth, one, other, multiclass["mcc"]).p_value.__round__(3)
    0.731
    """
    _refuse_metric_first(y_true)
    question = Question(level, method, sampling, draws, prior, seed)
    columns = {"y_true": y_true, "pred_a": pred_a, "pred_b": pred_b}
    examples, drawn = Drawn(groups, None, sample_weight).examples(columns, missing)
    settings = ComparisonSettings(question, ratio, same, drawn)
    if (of_classes := ClassMetric.of(metric, average, len(examples.labels))) is not None:
        (true, first, second), names = class_places(examples, labels, of_classes.average)
        return compared_predictions(of_classes, Predicted(true, first, second, names), settings)
    places = joint_places(examples, [(1, 2)], labels=labels, pos_label=pos_label)
    return compared_examples(as_metric(metric), places, settings)[0]


def _refuse_metric_first(y_true: object) -> None:
    """Refuse a metric where labels belong; else the last labels would be refused, for being no metric.

    :raises InputError: saying in which order they come
    """
    if isinstance(y_true, Metric) or (isinstance(y_true, str) and y_true in metrics):
        name = y_true.name if isinstance(y_true, Metric) else y_true
        raise InputError(f"y_true={name!r} is a metric, not labels; write compare(y_true, pred_a, pred_b, {name!r})")


def compared_examples(metric: Metric, pairs: Sequence[Places], settings: ComparisonSettings) -> list[Comparison]:
    """Compare pairs of predictions of the same examples; the intervals of all of them are found together.

    :param pairs: the entry of each example, for each pair, as
        :func:`~symmetrics.numeric.intervals.pairs.joint_places` returns them
    :raises InputError: on settings, groups and weights that are none
    """
    formula = Formula(metric.at_defaults(), range_of(metric))
    difference, question = JointDifference(formula, settings.ratio), settings.question
    if not settings.drawn.is_plain:
        return [_compared_as_drawn(metric, difference, each, settings) for each in pairs]
    groups = joint_groups(2, question.sampling)
    joint = np.stack([table_of(each, len(JOINT_ROWS)) for each in pairs], axis=1)
    intervals = difference_interval(difference, joint, groups, question).each()
    found = []
    for entries, interval in zip(joint.T, intervals, strict=True):
        above = partial(probability_above, Tables(difference, entries[:, None], groups, question))
        test = permutation_test(formula, Outcomes.of_joint(entries), **settings.exchanges)
        compared = told(metric.name, difference, entries, interval, above, settings.same)
        found.append(with_test(compared, test, question))
    return found


def _compared_as_drawn(
    metric: Metric, difference: JointDifference, places: Places, settings: ComparisonSettings
) -> Comparison:
    """Compare examples that were drawn in groups, or stand for as many as their weight says."""
    sample = sample_of(places, JOINT_ROWS, settings.stratified(_CLASSES[JOINT_ROWS[places]]))
    found = compared_sample(metric.name, difference, sample, settings)
    return with_group_test(found, difference, difference.metric, sample, settings)


@advising("write compare_counts((TP, FN, FP, TN), (TP, FN, FP, TN), metric)")
def compare_counts(
    table_a: object,
    table_b: object,
    metric: object = "mcc",
    *,
    average: Average = "binary",
    labels: Iterable[Hashable] | None = None,
    ratio: bool = False,
    same: float | None = None,
    level: float = 0.95,
    method: str = "auto",
    sampling: str = "multinomial",
    draws: int = 10_000,
    prior: float = 0.5,
    seed: int = 0,
) -> Comparison:
    """Compare two classifiers on different examples by a metric.

    :param table_a: the counts TP, FN, FP, TN of the first, of its own examples; in any order if they have names, as in
        a mapping or a row of a data frame; or, for a metric of matrices or an *average*, its confusion matrix
    :param table_b: those of the second
    :param average: as for :func:`compare`
    :param labels: the classes of the rows of both matrices, such as to match weights with them
    :raises InputError: as :func:`compare`

    >>> compare_counts((30, 20, 5, 45), (42, 8, 6, 44), "recall").low > 0
    True
    >>> one, other = [[20, 5, 1], [4, 30, 6], [0, 9, 25]], [[24, 2, 0], [3, 35, 2], [0, 2, 32]]
    >>> compare_counts(one, other, "f1", average="macro")
    f1 (macro): 0.7573 and 0.911, difference 0.1537
    ...
    """
    settings = ComparisonSettings(Question(level, method, sampling, draws, prior, seed), ratio, same)
    given = {"table_a": table_a, "table_b": table_b}
    classes = min(map(_number_of_classes, given.values()))
    if (of_classes := ClassMetric.of(metric, average, classes)) is not None:
        return compared_matrices(of_classes, given, settings, labels)
    asked = as_metric(metric)
    tables = [np.stack(as_cells(*_four(name, table))) for name, table in given.items()]
    entries = np.concatenate(tables)
    formula = Formula(asked.at_defaults(), range_of(asked))
    difference = StackedDifference(formula, ratio)
    groups = matrix_groups(2, sampling, tables=2)
    interval = difference_interval(difference, entries, groups, settings.question)
    above = partial(probability_above, Tables(difference, entries[:, None], groups, settings.question))
    found = told(asked.name, difference, entries, interval, above, same)
    return found(p_value=nan, test="none, as different examples cannot be exchanged")


def _number_of_classes(table: Any) -> int:
    """Return the number of rows of a confusion matrix, 2 for whatever else was given."""
    try:
        shape = np.shape(table)
    except ValueError:  # rows of different lengths, which are refused later
        return 2
    return shape[0] if len(shape) == 2 else 2


def _four(name: str, table: object) -> list[Any]:
    cells = list(named_cells(table) or table) if isinstance(table, Iterable) else []
    if len(cells) != 4 or any(np.ndim(cell) for cell in cells):
        of_classes = (
            "; of a confusion matrix say how it is averaged, as in average='macro', or take a metric of matrices"
        )
        advice = of_classes if any(np.ndim(cell) for cell in cells) or getattr(table, "ndim", 1) > 1 else ""
        raise InputError(f"{name}={shown(table)} is no table; pass four counts, TP, FN, FP, TN{advice}")
    return cells
