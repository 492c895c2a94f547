"""What is asked of a file of examples."""

from __future__ import annotations

from typing import NamedTuple

from symmetrics.tools.missing import Missing

__all__ = ["Wanted"]


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
