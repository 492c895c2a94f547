"""The result of comparing two classifiers by a metric."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from math import inf, isnan, nan
from numbers import Real
from typing import Any, Final

from symmetrics.data.counts import FloatArray, shown
from symmetrics.statistics.intervals import Formula, Interval, Question
from symmetrics.statistics.permutations import TestOfPair
from symmetrics.statistics.samples import ONE_BY_ONE, Difference, Drawn
from symmetrics.tools.errors import InputError
from symmetrics.tools.texts import p_value_in_words, probability_in_words

_DRAWS_OF_A_PAIR: Final = 100
"""Least number of random swaps per pair, so that no adjusted p-value stays above 0.01 for lack of draws."""


def require_same(same: object, *, may_be_zero: bool = False) -> None:
    """Refuse an invalid width of the region of practical equivalence; None, for no region, is accepted.

    :raises InputError: saying what to pass
    """
    if same is None:
        return
    is_none = isinstance(same, bool) or not isinstance(same, Real) or not 0 <= float(same) < inf
    if is_none or not (same or may_be_zero):
        kind = "not negative" if may_be_zero else "positive"
        raise InputError(f"same={shown(same)} is no difference; pass a number that is {kind}, such as 0.01")


@dataclass(frozen=True)
class ComparisonSettings:
    """Settings of a comparison, apart from the predictions.

    :param question: of the interval
    :param ratio: compare by the quotient of the values, and not by their difference
    :param same: a difference that does not matter in practice; None if it is not asked how probable a smaller one is
    :param drawn: how the examples were drawn, but for strata
    :param pairs: how many pairs of classifiers are compared in all
    """

    question: Question
    ratio: bool = False
    same: float | None = None
    drawn: Drawn = ONE_BY_ONE
    pairs: int = 1

    def __post_init__(self) -> None:
        require_same(self.same)

    @property
    def exchanges(self) -> dict[str, int]:
        """Return the number of random swaps for each pair's test, and the seed."""
        least = _DRAWS_OF_A_PAIR * self.pairs if self.pairs > 1 else 0
        return {"draws": max(self.question.draws, least), "seed": self.question.seed}

    def stratified(self, strata: Iterable[Any]) -> Drawn:
        """Return the sampling design, stratified by class if class sizes are fixed.

        :param strata: the class of each example
        """
        return replace(self.drawn, strata=strata if self.question.sampling == "binomial" else None)


@dataclass(frozen=True)
class Comparison:
    """The result of comparing a second classifier with a first one.

    :param metric: the name of the metric
    :param first: its value for the first classifier
    :param second: that for the second
    :param difference: the second minus the first, or over it
    :param low: the lower end of the interval for the difference
    :param high: the upper end
    :param p_value: how often a difference as large arises if the predictions of each example are exchanged at random;
        those of a group together; nan for different and for weighted examples, and for an infinite difference
    :param mid_p: the same with differences that are just as large counted half, whose error is nearer the level; an
        interval by ``"auto"`` agrees with it where the test is exact
    :param probability: how probable it is, after the data, that the second has the greater value
    :param practical: how probable it is that they differ by less than what was asked for; None if nothing was
    :param level: of the interval
    :param method: of the interval
    :param test: description of the test behind the p-value
    :param is_ratio: whether *difference* is the second over the first
    :param p_is_bound: whether the p-value is only known to be no larger, as where no draw was as large
    :param why: why the method was chosen, if ``method="auto"`` chose it
    :param remark: changes made to the interval, if any
    """

    metric: str
    first: float
    second: float
    difference: float
    low: float
    high: float
    p_value: float
    probability: float
    practical: float | None
    level: float
    method: str
    test: str
    is_ratio: bool = False
    mid_p: float = nan
    p_is_bound: bool = False
    why: str = ""
    remark: str = ""

    def __repr__(self) -> str:
        return "\n".join([self.about, *(f"{name}: {value}" for name, value in self.facts)])

    @property
    def about(self) -> str:
        """The values and their difference in one line."""
        what = "ratio" if self.is_ratio else "difference"
        return f"{self.metric}: {self.first:.4g} and {self.second:.4g}, {what} {self.difference:.4g}"

    @property
    def facts(self) -> list[tuple[str, str]]:
        """The results beside the values and their difference, each with its label."""
        what = "ratio" if self.is_ratio else "difference"
        method = f"{self.method}, as {self.why}" if self.why else self.method
        method += f"; {self.remark}" if self.remark else ""
        found = [
            (f"{100 * self.level:g} % interval of the {what}", f"{self.low:.4g} to {self.high:.4g} ({method})"),
            ("probability that the second is greater", probability_in_words(self.probability)),
        ]
        if self.practical is not None:
            found.append(("probability that they are practically the same", probability_in_words(self.practical)))
        if not isnan(self.p_value):
            found.append(("p-value", f"{p_value_in_words(self.p_value, self.p_is_bound)} ({self.test})"))
            found.append(("mid-p value", p_value_in_words(self.mid_p, self.p_is_bound)))
        return found


def untested(
    name: str,
    difference: Difference,
    entries: FloatArray,
    interval: Interval,
    above: Callable[[float], float],
    same: float | None,
) -> partial[Comparison]:
    """Return the comparison, without a test, from estimates and interval.

    :param name: name of the metric in the result
    :param entries: the table of both predictions
    :param above: how probable it is that the difference, or ratio, is above a number
    :raises InputError: where one value or their difference does not exist
    """
    first, second = _values(name, difference, entries, float(interval.estimate))
    middle = 1.0 if difference.is_ratio else 0.0
    practical = None if same is None else above(middle - float(same)) - above(middle + float(same))
    return partial(
        Comparison,
        metric=name,
        first=first,
        second=second,
        difference=float(interval.estimate),
        low=float(interval.low),
        high=float(interval.high),
        probability=above(middle),
        practical=practical,
        level=interval.level,
        method=interval.method,
        why=interval.why,
        is_ratio=difference.is_ratio,
    )


def reaches_no_difference(test: TestOfPair, question: Question) -> bool:
    """Whether to extend an interval to zero difference, because the mid-p value of an exact test does not reject it."""
    return question.method == "auto" and test.is_exact and test.mid_p > 1 - question.level


def with_test(found: partial[Comparison], test: TestOfPair, question: Question) -> Comparison:
    """Return a comparison with the result of a permutation test.

    An interval by ``"auto"`` is extended to no difference where the mid-p value of an exact test does not reject it.
    """
    compared = found(p_value=test.p_value, mid_p=test.mid_p, test=test.name, p_is_bound=test.is_bound)
    middle = 1.0 if compared.is_ratio else 0.0
    if compared.low <= middle <= compared.high or not reaches_no_difference(test, question):
        return compared
    remark = f"extended to {middle:g}, which mid-p does not reject"
    return replace(compared, low=min(compared.low, middle), high=max(compared.high, middle), remark=remark)


def _values(name: str, difference: Difference, entries: FloatArray, compared: float) -> tuple[float, float]:
    """Return the metric's values for both classifiers.

    :param compared: their difference, or quotient
    :raises InputError: if one of them has no value, or these have no difference
    """
    values = [float(value[0]) for value in difference.both(entries[:, None])]
    for which, value, cells in zip(("first", "second"), values, difference.tables(entries), strict=True):
        if isnan(value):
            counts = ", ".join(f"{cell:.15g}" for cell in cells)
            where = f", at (TP, FN, FP, TN) = ({counts})" if isinstance(difference.metric, Formula) else ""
            raise InputError(f"{name} has no value for the {which}{where}; compare by another metric")
    if isnan(compared):
        what = "ratio" if difference.is_ratio else "difference"
        raise InputError(f"{name} is {values[0]:g} and {values[1]:g}, which have no {what}; compare by another metric")
    return values[0], values[1]
