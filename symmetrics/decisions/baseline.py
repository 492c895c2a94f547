"""Scores of random guessing: their distribution, mean and best, and how often guessing gets a given score.

A guesser that sees no input labels k of the n examples positive, uniformly at random.  With P positives, TP is
hypergeometric: it is t with the probability C(P, t)*C(N, k - t)/C(n, k), and the other cells follow from the margins.
Of examples in random order, any classifier that sees no input is such a guesser with a random k, whose expectation is a
mean of expectations: none exceeds that of the best k (van de Bijl et al. 2024, *The Dutch Draw*).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any, Final, NamedTuple

import numpy as np
from sympy import Add, Expr, Float, Rational, S, Symbol

from symmetrics.claims.families.limits import ConstantBaseline
from symmetrics.claims.families.relations import Identity
from symmetrics.decisions.tables import FloatArray, GuessedTables, Table, refuse_many, whole
from symmetrics.language.cells import parameter_symbol
from symmetrics.metric import Metric
from symmetrics.metric.direction import greater_is_better
from symmetrics.metric.over_priors import exact_number, number_text
from symmetrics.numeric.averaging import as_zero_division
from symmetrics.prover.acceptance import decide_and_check
from symmetrics.prover.engine.expectations import parts_of
from symmetrics.tools.errors import InputError
from symmetrics.tools.texts import number_of

MOST_SHOWN: Final = 10**6
"""Most tables that are evaluated to show a record."""
TIE: Final = 1e-10
"""Expected scores that differ by less, relatively, are tied; so are a score and one to reach."""
ALMOST_ZERO: Final = 1e-13
ODDS: Final[Symbol] = parameter_symbol("odds")


class Guess(NamedTuple):
    """A guesser, by how many examples it labels positive, and its expected score.

    :param predicted_positive: how many are labelled positive, at random
    :param score: the expectation: exact where that is a single value or a sum of at most a thousand, else a float
    """

    predicted_positive: int
    score: Expr | float

    def __repr__(self) -> str:
        return f"{_text(self.score)}, with {self.predicted_positive} predicted positive"


@lru_cache(maxsize=512)
def _is_affine(formula: Expr, name: str) -> bool:
    """Whether a formula is proved to be affine in TP at fixed margins, so that its mean is its value at the mean table.

    That holds at tables with zero cells too, by the argument of
    :class:`~symmetrics.claims.families.limits.ConstantBaseline`.
    """
    claim = parts_of(ConstantBaseline(formula, ()))["affinity"]
    return decide_and_check(claim, metric=name, property="affine in TP").status == "proved"


@dataclass(frozen=True, repr=False)
class Baseline:
    """What random guessing gets, with the margins of one data set; made by :meth:`symmetrics.Metric.baseline`.

    Tables without a value are left out, and the others share their probability, unless *zero_division* is a number,
    which is then their value.  If a table of positive probability has an infinite value, so has the mean.

    :param metric: the metric, with its parameters at their defaults
    :param positives: the number of positive examples
    :param negatives: the number of negative examples
    :param zero_division: the value at tables where the metric is undefined; nan leaves them out
    """

    metric: Metric
    positives: int
    negatives: int
    zero_division: float = math.nan

    def __post_init__(self) -> None:
        for name in ("positives", "negatives"):
            object.__setattr__(self, name, whole(getattr(self, name), name))
        object.__setattr__(self, "zero_division", as_zero_division(self.zero_division))
        if not self.examples:
            raise InputError("positives and negatives are both 0; pass the numbers of examples, at least one")

    @property
    def examples(self) -> int:
        """The number of examples."""
        return self._tables.examples

    # -- One number of predicted positives -----------------------------------------------------------------------------

    def distribution(self, predicted_positive: int, *, exact: bool = True) -> dict[Any, Any]:
        """Return the possible scores with their probabilities, rising.

        :param predicted_positive: how many examples are labelled positive
        :param exact: whether scores are SymPy numbers and probabilities fractions; otherwise both are floats, for many
            examples
        :returns: nothing if no table has a value
        :raises InputError: on a number of predicted positives that is none, and if there are too many exact values

        >>> from symmetrics.library import metrics
        >>> metrics["f1"].baseline(2, 2).distribution(2)
        {0: Fraction(1, 6), 1/2: Fraction(2, 3), 1: Fraction(1, 6)}
        """
        k = self._predicted(predicted_positive)
        found: dict[Any, Any] = {}
        if exact:
            for ways, value in self._exact(self._tables.exact(k)):
                found[value] = found.get(value, 0) + ways
        else:
            tp, fp, probabilities = self._tables.given(k)
            values = self._values(tp, fp)
            defined = ~np.isnan(values)
            scores, places = np.unique(values[defined], return_inverse=True)
            weights = np.bincount(places, probabilities[defined], len(scores))
            found = dict(zip(scores.tolist(), weights.tolist(), strict=True))
        total = sum(found.values())
        share = Fraction if exact else lambda ways, total: ways / total
        return {value: share(found[value], total) for value in sorted(found, key=float)}

    def undefined(self, predicted_positive: int) -> Fraction:
        """Return the probability that the metric has no value, whatever *zero_division* is.

        >>> from symmetrics.library import metrics
        >>> metrics["precision"].baseline(3, 7).undefined(0), metrics["precision"].baseline(3, 7).undefined(1)
        (Fraction(1, 1), Fraction(0, 1))
        """
        k = self._predicted(predicted_positive)
        tp, fp, _ = self._tables.given(k)
        without = tp[np.isnan(self.metric.from_counts(*self._tables.cells(tp, fp)))]
        ways = sum(math.comb(self.positives, t) * math.comb(self.negatives, k - t) for t in without.tolist())
        return Fraction(ways, math.comb(self.examples, k))

    def mean(self, predicted_positive: int | None = None, *, rate: object = None, exact: bool = True) -> Expr | float:
        """Return the expected score of guessing.

        :param predicted_positive: how many examples are labelled positive
        :param rate: instead, the probability with which each example is, independently of the others
        :param exact: whether it is an exact SymPy number; otherwise a float, for many examples.  A metric that is
            proved to be affine in TP at fixed margins has an exact mean at once, its value at the mean table
        :returns: nan if no table has a value, or both infinities occur
        :raises InputError: on a number or a rate that is none, and if there are too many exact values to add

        >>> from symmetrics.library import metrics
        >>> guessing = metrics["f1"].baseline(3, 7)
        >>> guessing.mean(5), guessing.mean(10)
        (3/8, 6/13)
        >>> metrics["accuracy"].baseline(3, 7).mean(rate="1/4"), metrics["kappa"].baseline(3000, 7000).mean(500)
        (3/5, 0)
        """
        if (predicted_positive is None) == (rate is None):
            raise InputError("pass how many are predicted positive, as in mean(5), or a rate, as in mean(rate='1/2')")
        if predicted_positive is None:
            return self._mean_at_rate(rate, exact)
        k = self._predicted(predicted_positive)
        if not exact:
            law = self.distribution(k, exact=False)
            with np.errstate(invalid="ignore"):
                return float(np.dot(list(law), list(law.values()))) if law else math.nan
        if self._has_value_at_mean(k):
            share = Rational(k, self.examples)
            return self._filled(self.metric.exact(*self._tables.mean(share)))
        return _weighted(self._exact(self._tables.exact(k)))

    def p_value(self, score: object, predicted_positive: int | None = None) -> float:
        """Return the probability that guessing gets a score that is at least as good.

        For a loss, by proof, that is at most this score; a metric without a direction is taken for a score.  A value
        that differs from it by a rounding error counts as reaching it.

        :param score: a number; exact ones may be texts, such as ``"3/4"``
        :param predicted_positive: how many examples are labelled positive; None for the largest probability over all
            of these numbers, which no guesser that sees no input exceeds
        :returns: nan if no table has a value
        :raises InputError: on a score that is no number, and as for :meth:`mean`

        >>> from symmetrics.library import metrics
        >>> guessing = metrics["accuracy"].baseline(4, 4)  # the lady tasting tea
        >>> round(guessing.p_value("3/4", 4), 4), round(guessing.p_value(0.75), 4)
        (0.2429, 0.2429)
        """
        limit = _as_float(score)
        least = limit if math.isinf(limit) else limit - TIE * abs(limit) - ALMOST_ZERO
        most = limit if math.isinf(limit) else limit + TIE * abs(limit) + ALMOST_ZERO
        is_reached: Callable[[Any], Any] = (lambda v: v <= most) if self._is_loss else (lambda v: v >= least)
        if predicted_positive is None:
            shares = self._over_all(is_reached)
            return math.nan if np.isnan(shares).all() else min(1.0, float(np.nanmax(shares)))
        law = self.distribution(predicted_positive, exact=False)
        reached = sum(share for value, share in law.items() if is_reached(value))
        return min(1.0, float(reached)) if law else math.nan

    # -- All numbers of predicted positives ----------------------------------------------------------------------------

    @property
    def best(self) -> Guess:
        """The guesser with the best expected score; of those tied up to 1e-10, the one with fewest predicted positives.

        The best score is the highest one, and the lowest one for a loss, by proof.  No classifier that sees no input
        has a better expectation.

        :raises InputError: if the metric has no mean for any number of predicted positives

        >>> from symmetrics.library import metrics
        >>> metrics["f1"].baseline(3, 7).best, metrics["accuracy"].baseline(3, 7).best
        (6/13 (0.4615), with 10 predicted positive, 7/10 (0.7), with 0 predicted positive)
        """
        return self._best

    @cached_property
    def _best(self) -> Guess:
        means = self._all_means
        if np.isnan(means).all():
            raise self._no_value("any number of predicted positives")
        merits = -means if self._is_loss else means
        top = float(np.nanmax(merits))
        near = merits >= (top if math.isinf(top) else top - TIE * abs(top) - ALMOST_ZERO)
        k = int(np.flatnonzero(near)[0])
        few = min(k, self.examples - k, self.positives, self.negatives) < 1000
        return Guess(k, self.mean(k) if few or self._has_value_at_mean(k) else float(means[k]))

    @property
    def best_constant(self) -> Guess:
        """The better of labelling all examples negative and all positive; if tied, all negative.

        :raises InputError: if the metric has a value at neither

        >>> from symmetrics.library import metrics
        >>> metrics["precision"].baseline(3, 7).best_constant
        3/10 (0.3), with 10 predicted positive
        """
        guesses = [Guess(k, self.mean(k)) for k in (0, self.examples)]
        defined = [guess for guess in guesses if guess.score is not S.NaN]
        if not defined:
            raise self._no_value("all negative or all positive predictions")
        return max(defined, key=lambda guess: -guess.score if self._is_loss else guess.score)

    @cached_property
    def constant(self) -> Expr | None:
        """The expected score, if it is proved to be the same for 1, 2, ..., n - 1 predicted positives; else None.

        It is so for these margins; that it is so for all margins is the property ``constant_baseline``.

        >>> from symmetrics.library import metrics
        >>> [metrics[name].baseline(3, 7).constant for name in ("balanced_accuracy", "precision", "f1")]
        [1/2, 3/10, None]
        """
        if not self._has_value_at_mean(1):
            return None
        formula, share = self.metric.value_formula, ODDS / (1 + ODDS)
        tables = tuple(self._tables.mean(part) for part in (share, Rational(1, 2)))
        claim = Identity(formula, (), tables, (ODDS,))
        if decide_and_check(claim, metric=self.metric.name, property="constant expectation").status != "proved":
            return None
        return self._filled(self.metric.exact(*tables[1]))

    def __repr__(self) -> str:
        return "\n".join(self.lines())

    def lines(self) -> Iterator[str]:
        """Yield what guessing gets, in plain words."""
        filled = "" if math.isnan(self.zero_division) else f", zero_division={self.zero_division:g}"
        yield f"{self.metric.name} of random guessing, {self._margins}{filled}"
        if self.constant is not None:
            most = self.examples - 1
            yield f"expected {number_text(self.constant)}, however many are predicted positive (1 to {most})"
        if self._has_value_at_mean(1) or len(self._tables) <= MOST_SHOWN:
            try:
                yield f"best expected {self.best}"
            except InputError:
                yield "no expected score, for any number of predicted positives"
        ends = zip(("all negative", "all positive"), (self.mean(k) for k in (0, self.examples)), strict=True)
        yield ", ".join(f"{name} {'undefined' if score is S.NaN else _text(score)}" for name, score in ends)

    # -- How it is computed --------------------------------------------------------------------------------------------

    @cached_property
    def _is_loss(self) -> bool:
        return greater_is_better(self.metric) is False

    @cached_property
    def _tables(self) -> GuessedTables:
        return GuessedTables(self.positives, self.negatives)

    def _has_value_at_mean(self, k: int) -> bool:
        """Whether the mean is the value at the mean table; at a margin of zero there is one table, and no need."""
        inside = 0 < k < self.examples and min(self.positives, self.negatives) > 0
        return inside and _is_affine(self.metric.value_formula, self.metric.name)

    @cached_property
    def _all_means(self) -> FloatArray:
        """The expected scores for 0, 1, ..., n predicted positives."""
        if not self._has_value_at_mean(1):
            return self._over_all(lambda values: values)
        k = np.arange(self.examples + 1)
        cells = self._tables.mean(k / self.examples)
        return np.asarray(self.metric.from_counts(*cells, zero_division=self.zero_division))

    def _over_all(self, of_values: Callable[[FloatArray], Any]) -> FloatArray:
        """Return the mean of a function of the score, by the number of predicted positives; nan where it has none."""
        sums, defined = np.zeros(self.examples + 1), np.zeros(self.examples + 1)
        with np.errstate(invalid="ignore", divide="ignore"):
            for places, tp, fp, weights in self._tables.slices():
                values = self._values(tp, fp)
                is_defined = ~np.isnan(values)
                sums[places] += np.where(is_defined, weights * of_values(values), 0)
                defined[places] += weights * is_defined
            means: FloatArray = sums / defined
        return means

    def _values(self, tp: Any, fp: Any) -> FloatArray:
        cells = self._tables.cells(tp, fp)
        return np.asarray(self.metric.from_counts(*cells, zero_division=self.zero_division))

    def _exact(self, tables: Iterable[tuple[Any, Table]]) -> Iterator[tuple[Any, Expr]]:
        """Yield the weights and the exact scores of the tables that have one."""
        for weight, table in tables:
            value = self._filled(self.metric.exact(*table))
            if weight and value is not S.NaN:
                yield weight, value

    def _filled(self, value: Expr) -> Expr:
        if value is not S.NaN or math.isnan(self.zero_division):
            return value
        if math.isinf(self.zero_division):
            return S.Infinity if self.zero_division > 0 else S.NegativeInfinity
        return exact_number(self.zero_division, "zero_division")

    def _mean_at_rate(self, rate: object, exact: bool) -> Expr | float:
        q = exact_number(rate, "rate")
        if not 0 <= q <= 1:
            raise InputError(f"rate is {q}: a probability lies between 0 and 1; pass a number there")
        if exact:
            refuse_many(len(self._tables))
            grid = ((k, tables) for k in range(self.examples + 1) for tables in self._tables.exact(k))
            weighted = ((ways * q**k * (1 - q) ** (self.examples - k), table) for k, (ways, table) in grid)
            return _weighted(self._exact(weighted))
        chances, total, weight = self._tables.chances(float(q)), 0.0, 0.0
        with np.errstate(invalid="ignore"):
            for places, tp, fp, weights in self._tables.slices():
                values = self._values(tp, fp)
                counted = ~np.isnan(values) & (chances[places] > 0)
                masses = (weights * chances[places])[counted]
                total, weight = total + float(masses @ values[counted]), weight + float(masses.sum())
        return total / weight if weight else math.nan

    def _predicted(self, number: object) -> int:
        k = whole(number, "predicted_positive")
        if k > self.examples:
            raise InputError(
                f"predicted_positive is {k}, of {number_of(self.examples, 'example')}; pass a number up to that"
            )
        return k

    def _no_value(self, where: str) -> InputError:
        return InputError(
            f"{self.metric.name} has no value for {where}, with {self._margins}; pass zero_division=0, or take another "
            "metric"
        )

    @property
    def _margins(self) -> str:
        return f"{number_of(self.positives, 'positive')} and {number_of(self.negatives, 'negative')}"


def _weighted(terms: Iterable[tuple[Any, Expr]]) -> Expr:
    """Return the exact weighted mean; nan if there are no terms."""
    listed = list(terms)
    if not listed:
        return S.NaN
    return Add(*(weight * value for weight, value in listed)) / Add(*(weight for weight, _ in listed))


def _as_float(score: object) -> float:
    number = score.item() if hasattr(score, "item") else score
    if isinstance(number, Expr) and number.is_extended_real and number.is_number:
        return float(number)
    if isinstance(number, float) and math.isinf(number):
        return number
    return float(exact_number(number, "score"))


def _text(score: Expr | float) -> str:
    return number_text(Float(score) if isinstance(score, float) else score)
