"""Several classifiers on the same examples: every pair compared by a metric, with p-values for all of them together."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, replace
from math import isnan
from typing import Any, Final

from numpy.typing import ArrayLike

from symmetrics.library.selections import as_metric
from symmetrics.numeric.averaging import Average
from symmetrics.numeric.counts import shown
from symmetrics.numeric.intervals.pairs import joint_places
from symmetrics.numeric.intervals.result import Question
from symmetrics.numeric.intervals.samples import Drawn, class_places
from symmetrics.statistics.comparing import compared_examples
from symmetrics.statistics.comparing_classes import ClassMetric, Predicted, compared_predictions
from symmetrics.statistics.comparison import Comparison, ComparisonSettings
from symmetrics.statistics.score_tables import CORRECTIONS, ComparedPairs, adjusted, pairs_of_names, require_correction
from symmetrics.tools.documents.text import columns
from symmetrics.tools.errors import InputError
from symmetrics.tools.missing import Missing
from symmetrics.tools.words import p_value_in_words, probability_in_words

COLUMNS: Final = (
    *("first", "second", "difference", "low", "high", "method", "probability", "practical"),
    *("test", "mid_p", "p_value", "adjusted"),
)
"""What is told of each pair; a probability that they are practically the same only where that was asked for."""
_BELOW: Final = ("method", "test", "mid_p")
"""What a table for people says below it."""


@dataclass(frozen=True)
class PairOfMany:
    """Two of several classifiers.

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
        """Return what the columns of a table tell of the pair."""
        told = {name: getattr(self.comparison, name) for name in COLUMNS[2:-1]}
        told |= {"first": self.first, "second": self.second, "adjusted": self.adjusted}
        return {name: told[name] for name in COLUMNS if told[name] is not None}

    def cells(self) -> dict[str, str]:
        """Return the columns of a table for people."""
        shown = {name: cell if isinstance(cell, str) else f"{cell:.4g}" for name, cell in self.row().items()}
        for name, value in (("p_value", self.comparison.p_value), ("adjusted", self.adjusted)):
            shown[name] = p_value_in_words(value, self.comparison.p_is_bound and value < 1)
        shown["probability"] = probability_in_words(self.comparison.probability)
        return {name: cell for name, cell in shown.items() if name not in _BELOW}


@dataclass(frozen=True)
class AllComparisons(ComparedPairs):
    """How several classifiers do against each other, or against one of them, on the same examples.

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
        """What the numbers of the table are."""
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
    """Compare several predictions of the same examples by a metric, each with each other or all with one.

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
    """Return the predictions by name, those of a data frame by its columns.

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
