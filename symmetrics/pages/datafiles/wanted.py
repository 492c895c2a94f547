"""What is asked of a file of examples, and what is to be computed of it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from symmetrics.numeric.labels import positive_beside
from symmetrics.pages.label_columns import check_classes
from symmetrics.pages.many_classes import AnyMetric, Chosen, Line
from symmetrics.tools.missing import Missing

if TYPE_CHECKING:
    from symmetrics.numeric.intervals import Question

__all__ = ["Scoring", "Wanted"]


class Wanted(NamedTuple):
    """What is asked of a file: names of its columns, a condition in SQL, and what to do about missing labels.

    :param prediction: empty if only scores are to be measured; the true labels then stand for the predicted ones
    :param weight: of sampling weights
    :param frequency: of the numbers of examples that rows stand for
    """

    truth: str
    prediction: str
    score: str | None = None
    by: tuple[str, ...] = ()
    weight: str | None = None
    where: str | None = None
    missing: Missing = "refuse"
    frequency: str | None = None

    @property
    def number(self) -> str | None:
        """The column that says how much a row counts, as a weight or as a number of examples."""
        return self.weight if self.frequency is None else self.frequency

    @property
    def columns(self) -> list[str]:
        """All columns that are named."""
        named = (self.truth, self.predicted, self.score, *self.by, self.number)
        return [name for name in named if name is not None]

    @property
    def names(self) -> tuple[str, ...]:
        """The columns whose values are compared as texts: of labels and groups."""
        return (self.truth, self.predicted, *self.by)

    @property
    def predicted(self) -> str:
        """The column of predicted labels, or what stands for it."""
        return self.prediction or self.truth

    def stripped(self) -> Wanted:
        """Return the same with no blanks around names of columns."""

        def trimmed(name: str | None) -> str | None:
            return name and name.strip()

        return self._replace(
            truth=self.truth.strip(),
            prediction=self.prediction.strip(),
            score=trimmed(self.score),
            by=tuple(name.strip() for name in self.by),
            weight=trimmed(self.weight),
            frequency=trimmed(self.frequency),
        )


@dataclass(frozen=True)
class Scoring:
    """What is to be computed of a file.

    :param metrics: of two classes, by the names under which they are listed
    :param measures: names of :data:`symmetrics.curves.measures.SCORE_MEASURES`
    :param positive: the positive label, None for the one by convention
    :param average: the one over the classes that is asked for, if any
    :param question: what intervals are asked for, if any
    :param many: what is to be computed of more than two classes, or under an average
    """

    metrics: Mapping[str, AnyMetric]
    measures: tuple[str, ...] = ()
    positive: str | None = None
    average: str | None = None
    question: Question | None = None
    many: Chosen | None = None

    @cached_property
    def lines(self) -> Mapping[str, Line]:
        """The numbers of more than two classes, or under the average, by what they are called."""
        return {} if self.many is None else self.many.lines(self.average)

    def takes_all(self, labels: Collection[str], source: str) -> bool:
        """Return whether all classes are scored together, and not one against the rest.

        A single class is, where nothing says whether it is the positive one.

        :raises InputError: on more than two labels of which one is probably no class
        """
        if self.average is not None:
            return True
        if self.positive is not None or self.measures or self.many is None or not self.many.two or len(labels) == 2:
            return False
        if len(labels) == 1:
            return positive_beside(next(iter(labels))) is None
        check_classes(labels, source)
        return True
