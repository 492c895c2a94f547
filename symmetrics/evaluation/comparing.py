"""Is one classifier better than another?  The difference of a metric, its interval, and an exact test."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import isnan, nan
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike

from symmetrics.data.counts import as_cells, named_cells, shown
from symmetrics.evaluation.comparing_classes import (
    ClassMetric,
    Predicted,
    compared_matrices,
    compared_predictions,
    compared_sample,
    with_group_test,
)
from symmetrics.evaluation.comparison import Comparison, ComparisonSettings, untested, with_test
from symmetrics.evaluation.datasets import CORRECTIONS, ComparedPairs, adjusted, pairs_of_names, require_correction
from symmetrics.library import metrics
from symmetrics.library.selections import as_metric
from symmetrics.metric import Metric
from symmetrics.metric.uncertainty import range_of
from symmetrics.numeric.averaging import Average
from symmetrics.statistics.averages import matrix_groups
from symmetrics.statistics.intervals import Formula, Question, Tables
from symmetrics.statistics.paired import difference_interval
from symmetrics.statistics.permutations import Outcomes, permutation_test
from symmetrics.statistics.resampling import probability_above
from symmetrics.statistics.samples import (
    JOINT_ROWS,
    Drawn,
    JointDifference,
    Places,
    StackedDifference,
    class_places,
    joint_groups,
    joint_places,
    sample_of,
    table_of,
)
from symmetrics.tools.arguments import Missing, advising
from symmetrics.tools.documents.text import columns
from symmetrics.tools.errors import InputError
from symmetrics.tools.texts import p_value_in_words, probability_in_words

_CLASSES: Final = np.array(["positive", "negative"])
"""Names of the true classes as strata."""


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
    :param missing: treatment of missing labels, as in a call of the metric
    :param ratio: compare by the quotient of the values, and not by their difference
    :param same: a difference that does not matter in practice; the comparison then says how probable a smaller one is
    :param level: see :meth:`Metric.interval`, as for *sampling*, *draws*, *prior* and *seed*
    :param method: ``"auto"``, ``"score"``, ``"newcombe"`` for method 10 of Newcombe (1998) for a paired proportion,
        ``"delta"``, or one that draws, as for :meth:`Metric.interval`
    :raises InputError: on labels, a metric or invalid settings, and where the metric has no value

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
    """Refuse a metric in the place of labels; otherwise the error would blame the last labels for not being a metric.

    :raises InputError: saying in which order they come
    """
    if isinstance(y_true, Metric) or (isinstance(y_true, str) and y_true in metrics):
        name = y_true.name if isinstance(y_true, Metric) else y_true
        raise InputError(f"y_true={name!r} is a metric, not labels; write compare(y_true, pred_a, pred_b, {name!r})")


def compared_examples(metric: Metric, pairs: Sequence[Places], settings: ComparisonSettings) -> list[Comparison]:
    """Compare several pairs of predictions of the same examples; all intervals are computed together.

    :param pairs: the entry of each example, for each pair, as
        :func:`~symmetrics.statistics.samples.joint_places` returns them
    :raises InputError: on invalid settings, groups and weights
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
        compared = untested(metric.name, difference, entries, interval, above, settings.same)
        found.append(with_test(compared, test, question))
    return found


def _compared_as_drawn(
    metric: Metric, difference: JointDifference, places: Places, settings: ComparisonSettings
) -> Comparison:
    """Compare predictions of examples that were drawn in groups or carry weights."""
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
    found = untested(asked.name, difference, entries, interval, above, same)
    return found(p_value=nan, test="none, as different examples cannot be exchanged")


def _number_of_classes(table: Any) -> int:
    """Return the number of rows of a confusion matrix, 2 for any other input."""
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


# ----------------------------------------------------------------------------------------------------------------------
# Several classifiers on the same examples: compare every pair by a metric, with p-values adjusted for all of them.


COLUMNS: Final = (
    *("first", "second", "difference", "low", "high", "method", "probability", "practical"),
    *("test", "mid_p", "p_value", "adjusted"),
)
"""Columns for each pair; the probability of practical equivalence only if it was requested."""
_BELOW: Final = ("method", "test", "mid_p")
"""Remarks below a table for people."""


@dataclass(frozen=True)
class PairOfMany:
    """The comparison of two out of several classifiers.

    :param first: the name of one
    :param second: that of the other
    :param comparison: how the second does against the first
    :param adjusted: the p-value, adjusted for the number of pairs
    """

    first: str
    second: str
    comparison: Comparison
    adjusted: float

    def row(self) -> dict[str, Any]:
        """Return the pair's row of a data frame."""
        told = {name: getattr(self.comparison, name) for name in COLUMNS[2:-1]}
        told |= {"first": self.first, "second": self.second, "adjusted": self.adjusted}
        return {name: told[name] for name in COLUMNS if told[name] is not None}

    def cells(self) -> dict[str, str]:
        """Return the pair's row of a table for people."""
        shown = {name: cell if isinstance(cell, str) else f"{cell:.4g}" for name, cell in self.row().items()}
        for name, value in (("p_value", self.comparison.p_value), ("adjusted", self.adjusted)):
            shown[name] = p_value_in_words(value, self.comparison.p_is_bound and value < 1)
        shown["probability"] = probability_in_words(self.comparison.probability)
        return {name: cell for name, cell in shown.items() if name not in _BELOW}


@dataclass(frozen=True)
class AllComparisons(ComparedPairs):
    """Comparisons of several classifiers on the same examples: all pairs, or each with a control.

    :param metric: the name of the metric
    :param values: its value by classifier
    :param pairs: the comparisons, of which a difference is that of the second minus the first
    :param correction: how the p-values are adjusted, in words
    :param simultaneous: whether all intervals together hold as often as the level says, or each by itself
    :param level: of the intervals
    """

    metric: str
    values: Mapping[str, float]
    pairs: tuple[PairOfMany, ...]
    correction: str
    simultaneous: bool
    level: float

    def __repr__(self) -> str:
        hidden = () if self._is_tested else ("p_value", "adjusted")
        rows = [{name: cell for name, cell in pair.cells().items() if name not in hidden} for pair in self.pairs]
        table = columns(list(rows[0]), [[*row.values()] for row in rows], "ll" + "r" * (len(rows[0]) - 2), "simple")
        values = ", ".join(f"{name} {value:.4g}" for name, value in self.values.items())
        return "\n".join([f"{self.metric}: {values}", *table, *self._remarks])

    @property
    def _is_tested(self) -> bool:
        """Whether any pair has a p-value."""
        return not all(isnan(pair.comparison.p_value) for pair in self.pairs)

    @property
    def _remarks(self) -> list[str]:
        """Explanations of the numbers in the table."""
        found = [pair.comparison for pair in self.pairs]
        tests, methods = (
            " or ".join(dict.fromkeys(getattr(one, name) for one in found)) for name in ("test", "method")
        )
        held = "all of them together" if self.simultaneous else "each by itself"
        correction = f"; adjusted p-values: {self.correction}" if self._is_tested else ""
        return [f"{100 * self.level:g} % intervals, {held} ({methods}){correction}", f"p-value: {tests}"]


def compare_all(
    y_true: Iterable[Hashable],
    predictions: Mapping[str, Iterable[Hashable]],
    metric: object = "mcc",
    *,
    control: str | None = None,
    correction: str = "holm",
    simultaneous: bool = False,
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
) -> AllComparisons:
    """Compare several predictions of the same examples by a metric: all pairs, or each with a control.

    Of many pairs some differ by chance.  Holm's procedure keeps the probability of any false rejection at the level,
    whatever the dependence of the tests, and rejects no less than Bonferroni's (S. Holm, A simple sequentially
    rejective multiple test procedure, Scandinavian Journal of Statistics 6, 1979).

    :param predictions: the predicted labels by the name of the classifier, also a data frame; two or more
    :param metric: as for :func:`compare`
    :param control: the classifier that all others are compared with; by default every pair is compared
    :param correction: ``"holm"``, ``"bonferroni"`` or ``"none"``
    :param simultaneous: widen the intervals, by Bonferroni's inequality, until all of them hold together as often as
        the level says
    :param draws: see :meth:`Metric.interval`; where a test has to draw, it takes at least 100 draws for each pair, so
        that an adjusted p-value of which no draw is as large is no more than 0.01
    :param average: see :func:`compare`, as for *labels* and all other settings
    :raises InputError: on fewer than two predictions, and as :func:`compare`
    :raises UnknownNameError: if the control is none of them

    >>> truth = [1] * 50 + [0] * 50
    >>> old = [1] * 30 + [0] * 20 + [0] * 45 + [1] * 5
    >>> new = [1] * 42 + [0] * 8 + [0] * 44 + [1] * 6
    >>> all_positive = [1] * 100
    >>> compare_all(truth, {"old": old, "new": new, "positive": all_positive}, "f1", method="delta")
    f1: old 0.7059, new 0.8571, positive 0.6667
    first    second      difference      low      high    probability    p_value    adjusted
    -------  --------  ------------  -------  --------  -------------  ---------  ----------
    old      new             0.1513  0.05932    0.2383  > 0.999        0.000488    0.000977
    old      positive      -0.03922   -0.166   0.09139  0.293          0.547       0.547
    new      positive       -0.1905   -0.283  -0.08924  < 0.001        6.67e-05    0.0002
    95 % intervals, each by itself (delta); adjusted p-values: Holm's step-down procedure (Holm 1979)
    p-value: exact permutation test
    """
    require_correction(correction)
    question = Question(level, method, sampling, draws, prior, seed)
    columns = _named(predictions)
    names = list(columns)
    places = pairs_of_names(names, control)
    if simultaneous:
        question = replace(question, level=1 - (1 - level) / len(places))
    labelled = {"y_true": y_true} | {f"predictions[{name!r}]": column for name, column in columns.items()}
    examples, drawn = Drawn(groups, None, sample_weight).examples(labelled, missing)
    settings = ComparisonSettings(question, ratio, same, drawn, len(places))
    of_classes = ClassMetric.of(metric, average, len(examples.labels))
    if of_classes is None:
        asked = as_metric(metric)
        pairs_of_columns = [(first + 1, second + 1) for first, second in places]
        every = joint_places(examples, pairs_of_columns, labels=labels, pos_label=pos_label)
        found = compared_examples(asked, every, settings)
    else:
        (true, *given), classes = class_places(examples, labels, of_classes.average)
        compared = [Predicted(true, given[first], given[second], classes) for first, second in places]
        found = [compared_predictions(of_classes, each, settings) for each in compared]
    p_values = adjusted([comparison.p_value for comparison in found], correction)
    told = zip(places, found, p_values.tolist(), strict=True)
    pairs = tuple(PairOfMany(names[i], names[j], comparison, p_value) for (i, j), comparison, p_value in told)
    values = {name: value for pair in pairs for name, value in _values(pair)}
    return AllComparisons(
        found[0].metric, {name: values[name] for name in names}, pairs, CORRECTIONS[correction], simultaneous, level
    )


def _values(pair: PairOfMany) -> Iterable[tuple[str, float]]:
    return (pair.first, pair.comparison.first), (pair.second, pair.comparison.second)


def _named(predictions: object) -> dict[str, Iterable[Hashable]]:
    """Return the predictions by name; those of a data frame by its column names.

    :raises InputError: unless they are two or more, each with a name of its own
    """
    if hasattr(predictions, "columns") and hasattr(predictions, "__getitem__"):
        predictions = {name: predictions[name] for name in predictions.columns}
    if not isinstance(predictions, Mapping):
        raise InputError(
            f"predictions={shown(predictions)} have no names; pass a mapping, such as "
            "{'A': labels, 'B': labels}, or a data frame"
        )
    columns = {str(name): column for name, column in predictions.items()}
    if len(columns) < max(2, len(predictions)):
        told = "two have the same name" if len(columns) < len(predictions) else f"there are {len(columns)}"
        raise InputError(f"predictions cannot be compared: {told}; pass two or more with different names")
    return columns
