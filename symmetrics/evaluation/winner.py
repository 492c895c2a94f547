"""Which of several classifiers a metric prefers, by the class prior at which they are used."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from sympy import Expr, Interval

from symmetrics.algebra.one_variable import Region, regions
from symmetrics.claims.evidence import Counts
from symmetrics.library.selections import as_metric
from symmetrics.metric import Metric
from symmetrics.metric.direction import greater_is_better
from symmetrics.metric.over_priors import PriorLine, exact_range, number_text
from symmetrics.metric.priors import PRIOR
from symmetrics.tools.budget import SECONDS, within
from symmetrics.tools.errors import InputError

OVER: Final = ("prior",)
"""What a winner is asked for over."""


@dataclass(frozen=True, repr=False)
class Winner:
    """Which classifier is the best one, by region.

    :param metric: the name of the metric
    :param tables: the table of each classifier, by name
    :param over: what varies
    :param regions: the ranges with one winner, rising and without gaps
    :param is_loss: whether the smaller value wins; None where no proof says which way the metric points, and the
        greater value counts as the better one
    :param left_open: narrow intervals within which it is not decided
    """

    metric: str
    tables: Mapping[str, Counts]
    over: str
    regions: tuple[Region, ...]
    is_loss: bool | None
    left_open: tuple[Interval, ...] = ()

    @property
    def crossings(self) -> tuple[Expr, ...]:
        """Where another classifier becomes the best one: exact numbers, or narrow intervals that hold one."""
        return tuple(region.low for region in self.regions[1:])

    def lines(self) -> Iterator[str]:
        """Yield the regions in plain words."""
        verb = "is greatest" if self.is_loss is None else "is best"
        for region in self.regions:
            names = " and ".join(region.best)
            told = f"{names} {verb if len(region.best) == 1 else 'are tied'}" if names else "no value"
            yield f"{self.metric}, {self.over} {number_text(region.low)} to {number_text(region.high)}: {told}"
        if self.left_open:
            yield f"not decided at {', '.join(map(number_text, self.left_open))}"

    def __repr__(self) -> str:
        return "\n".join(self.lines())


def winner(
    tables: Mapping[str, object],
    metric: Metric | Expr | str,
    over: str = "prior",
    *,
    low: object = 0,
    high: object = 1,
    seconds: float = SECONDS,
) -> Winner:
    """Return which classifier is the best one at which class prior, with the exact priors at which this changes.

    Sensitivity and specificity of each are held fixed, and so is its number of examples, of which most metrics are
    independent.  Parameters have their defaults.  A smaller value wins where the metric is proved to be a loss.

    :param tables: two or more tables by name, each TP, FN, FP, TN or a confusion matrix of two classes
    :param over: what varies: ``"prior"``, the share of the positive class
    :param low, high: the range of priors
    :param seconds: how long it may take
    :raises InputError: on tables and ranges that are none, and on a table without positives or without negatives
    :raises UnsupportedError: if the formula is outside the exact algebra

    >>> found = winner({"A": (90, 10, 20, 80), "B": (70, 30, 5, 95)}, "accuracy")
    >>> found
    accuracy, prior 0 to 3/7 (0.4286): B is best
    accuracy, prior 3/7 (0.4286) to 1: A is best
    >>> found.crossings, winner(found.tables, "kappa").crossings
    ((3/7,), (19/48,))
    """
    if over not in OVER:
        raise InputError(f"over={over!r} is not available; pass over='prior'")
    given: object = tables
    if not isinstance(given, Mapping) or len(given) < 2:
        raise InputError("pass two tables or more by name, as in {'A': (90, 10, 20, 80), 'B': (70, 30, 5, 95)}")
    asked, ends = as_metric(metric), exact_range(low, high)
    if ends[0] == ends[1]:
        raise InputError(f"low and high are both {ends[0]}; pass a range of priors")
    lines = {str(name): PriorLine(asked, table) for name, table in tables.items()}
    is_gain = greater_is_better(asked)
    formulas = {name: (-1 if is_gain is False else 1) * line.expression for name, line in lines.items()}
    found, left_open = within(
        lambda: regions(formulas, PRIOR, *ends), seconds=seconds, shown=f"{asked.name} over priors"
    )
    named = {name: line.table for name, line in lines.items()}
    return Winner(asked.name, named, over, found, None if is_gain is None else not is_gain, left_open)
