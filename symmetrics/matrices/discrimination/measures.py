"""Exact values of metrics at every state, as integer columns, from the metrics' own definitions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from math import lcm, nan, prod
from typing import Self

import numpy as np
from sympy import multiplicity, primerange

from symmetrics.data.counts import FloatArray
from symmetrics.matrices.discrimination.states import (
    LARGEST,
    Digits,
    Fractions,
    IntArray,
    Mask,
    Sizes,
    States,
    Weights,
    class_table,
    exact_value,
    expanded,
    mean_of_complete,
    mean_of_defined,
    places_of,
    require_small,
    rows_of,
    states_of,
    whole_weights,
)
from symmetrics.metric import Metric
from symmetrics.numeric.averaging import filled, weighted_mean
from symmetrics.tools.errors import InputError

Columns = list[IntArray]
Undefined = Fraction | None
"""Value that replaces undefined ones; None leaves undefined classes out of means."""


@dataclass(frozen=True)
class Measure(ABC):
    """A multi-class metric that depends only on the diagonal and the column sums of a matrix.

    :param name: its name in the study
    """

    name: str

    @abstractmethod
    def values(self, states: States, sizes: Sizes, undefined: Undefined) -> tuple[Columns, Mask]:
        """Return columns that are equal for two states if and only if the metric is, and where it is undefined."""

    @abstractmethod
    def floats(self, states: States, sizes: Sizes, undefined: Undefined) -> FloatArray:
        """Return the floating-point value of the metric at every state; nan where it is undefined."""


@dataclass(frozen=True)
class MeanOfClasses(Measure):
    """The mean over the classes of a binary metric, each class against the rest.

    Classes on which the metric is undefined are left out and the weights of the others renormalised, unless an
    undefined value counts for a number.

    :param metric: a binary metric with rational values
    :param weights: of the classes; None for the same weight for all
    """

    metric: Metric = field(kw_only=True)
    weights: Weights | None = field(default=None, kw_only=True)

    def values(self, states: States, sizes: Sizes, undefined: Undefined) -> tuple[Columns, Mask]:
        """Return the means, compared as fractions."""
        means, missing = self.means(states, sizes, undefined)
        return means.columns, missing

    def means(self, states: States, sizes: Sizes, undefined: Undefined) -> tuple[Fractions, Mask]:
        """Return the means, and a mask where they are undefined."""
        tables = [class_table(self.metric, sizes, place, undefined) for place in range(sizes.classes)]
        weights = whole_weights(self.weights, sizes)
        places = [places_of(states, sizes, place) for place in range(sizes.classes)]
        if all(table.is_complete for table in tables):
            return mean_of_complete(tables, weights, places), np.zeros(len(states.matrices), dtype=np.bool_)
        return mean_of_defined(tables, weights, places)

    def floats(self, states: States, sizes: Sizes, undefined: Undefined) -> FloatArray:
        """Return the values in floating point."""
        weights = np.ones(sizes.classes) if self.weights is None else np.array(list(map(float, self.weights)))
        return weighted_mean(_of_classes(self.metric, states, sizes, undefined), weights)


@dataclass(frozen=True)
class MeanWithCorrectOthers(Measure):
    """The mean over the classes of ``tr/(tr + fn + fp)``, tr being all correct predictions, the trace of the matrix.

    It is AvAcc of Branco, Torgo & Ribeiro (2017): the accuracy of a class whose true negatives are the correct
    predictions of the other classes.  Every class has examples, so that it is defined at all matrices.
    """

    def values(self, states: States, sizes: Sizes, _: Undefined) -> tuple[Columns, Mask]:
        """Return the means, compared as fractions."""
        bound = 2 * sizes.classes**2 * (3 * sizes.total) ** (sizes.classes + 1)
        kind = np.int64 if bound < LARGEST else object
        trace, wrong = (array.astype(kind) for array in self._parts(states, sizes))
        above, below = np.zeros_like(trace), np.ones_like(trace)
        for errors in wrong.T:
            above, below = above * (trace + errors) + trace * below, below * (trace + errors)
        return Fractions(above, below * sizes.classes).columns, np.zeros(len(trace), dtype=np.bool_)

    def floats(self, states: States, sizes: Sizes, _: Undefined) -> FloatArray:
        """Return the values in floating point."""
        trace, wrong = self._parts(states, sizes)
        return np.asarray((trace[:, None] / (trace[:, None] + wrong)).mean(axis=1))

    def _parts(self, states: States, sizes: Sizes) -> tuple[IntArray, IntArray]:
        """Return the trace, and the errors from and to each class, of shape (states, classes)."""
        wrong = np.array(sizes.counts) + states.predicted - 2 * states.correct
        return states.correct.sum(axis=1), wrong


@dataclass(frozen=True)
class ClassProduct(Measure):
    """The geometric mean over the classes of a nowhere negative binary metric, compared by its power.

    :param metric: a binary metric with rational values, defined for every class
    """

    metric: Metric = field(kw_only=True)

    def values(self, states: States, sizes: Sizes, undefined: Undefined) -> tuple[Columns, Mask]:
        """Return the products."""
        tables = [class_table(self.metric, sizes, place, undefined) for place in range(sizes.classes)]
        if not all(table.is_complete for table in tables):
            raise InputError(f"{self.metric.name} is undefined for some classes, so that there is no product over them")
        commons = [lcm(*table.denominators.tolist()) for table in tables]
        require_small(prod(commons) * prod(table.largest for table in tables), self.name)
        total = np.ones(len(states.matrices), dtype=np.int64)
        for place, (table, common) in enumerate(zip(tables, commons, strict=True)):
            total *= (table.numerators * (common // table.denominators))[places_of(states, sizes, place)]
        return [total], np.zeros(len(total), dtype=np.bool_)

    def floats(self, states: States, sizes: Sizes, undefined: Undefined) -> FloatArray:
        """Return the values in floating point."""
        return np.asarray(_of_classes(self.metric, states, sizes, undefined).prod(axis=1) ** (1 / sizes.classes))


@dataclass(frozen=True)
class Pooled(Measure):
    """A binary metric of the cells summed over the classes (micro-averaging).

    :param metric: a binary metric with rational values
    """

    metric: Metric = field(kw_only=True)

    def values(self, states: States, sizes: Sizes, undefined: Undefined) -> tuple[Columns, Mask]:
        """Return the values, which depend only on the number of correct predictions."""
        total, others = sizes.total, sizes.classes - 1
        found = []
        for hits in range(total + 1):
            wrong = total - hits
            found.append(exact_value(self.metric, hits, wrong, wrong, others * total - wrong, undefined=undefined))
        common = lcm(*(value.denominator for value in found if value is not None))
        table = np.array([0 if value is None else int(value * common) for value in found], dtype=np.int64)
        hits_of = states.correct.sum(axis=1)
        missing = np.array([value is None for value in found])
        return [table[hits_of]], missing[hits_of]

    def floats(self, states: States, sizes: Sizes, undefined: Undefined) -> FloatArray:
        """Return the values in floating point."""
        hits = states.correct.sum(axis=1)
        wrong = sizes.total - hits
        values = self.metric.from_counts(hits, wrong, wrong, (sizes.classes - 1) * sizes.total - wrong)
        return filled(np.asarray(values), _as_float(undefined))


@dataclass(frozen=True)
class HarmonicOfMeans(Measure):
    """The F-measure of mean precision P and mean recall R: ``(1 + beta**2)*P*R/(beta**2*P + R)``, with limit 0 at 0, 0.

    :param precision: the mean P
    :param recall: the mean R
    :param beta_squared: beta to the power of 2
    """

    precision: MeanOfClasses = field(kw_only=True)
    recall: MeanOfClasses = field(kw_only=True)
    beta_squared: Fraction = field(default=Fraction(1), kw_only=True)

    def values(self, states: States, sizes: Sizes, undefined: Undefined) -> tuple[Columns, Mask]:
        """Return the values, compared as fractions."""
        means, without_precision = self.precision.means(states, sizes, undefined)
        precision = means.in_lowest_terms()
        recall, without_recall = self.recall.means(states, sizes, undefined)
        top, bottom = self.beta_squared.numerator, self.beta_squared.denominator
        bound = 2 * (top + bottom) * precision.largest * recall.largest
        p, r = precision.within(bound), recall.within(bound)
        above = (top + bottom) * p.numerator * r.numerator
        below = top * p.numerator * r.denominator + bottom * r.numerator * p.denominator
        missing = without_precision | without_recall
        return Fractions(above, np.where(missing | (below == 0), 1, below)).columns, missing

    def floats(self, states: States, sizes: Sizes, undefined: Undefined) -> FloatArray:
        """Return the values in floating point."""
        precision, recall = (mean.floats(states, sizes, undefined) for mean in (self.precision, self.recall))
        beta = float(self.beta_squared)
        with np.errstate(invalid="ignore"):
            values = (1 + beta) * precision * recall / (beta * precision + recall)
        return np.where((precision == 0) & (recall == 0), 0.0, values)


@dataclass(frozen=True)
class SquaredCorrelation(Measure):
    """The correlation coefficient for k classes (Gorodkin 2004), compared by its square and its sign.

    Its square is ``X**2/(Y*Z)`` with X = n*trace - sum p*t, Y = n**2 - sum p**2 and Z = n**2 - sum t**2, which is the
    same for all matrices.  If all predictions are of one class it takes its limit 0, as in
    :data:`symmetrics.multiclass`.
    """

    def values(self, states: States, sizes: Sizes, _: Undefined) -> tuple[Columns, Mask]:
        """Return numerator, with the sign, and denominator of X**2/Y in lowest terms."""
        total = sizes.total
        require_small(total**4, self.name)
        truth = np.array(sizes.counts, dtype=np.int64)
        above = total * states.correct.sum(axis=1) - states.predicted @ truth
        below = total**2 - (states.predicted**2).sum(axis=1)
        none = np.zeros(len(above), dtype=np.bool_)
        return Fractions(above * np.abs(above), np.where(below == 0, 1, below)).columns, none

    def floats(self, states: States, sizes: Sizes, _: Undefined) -> FloatArray:
        """Return the values in floating point."""
        truth, total = np.array(sizes.counts, dtype=np.float64), float(sizes.total)
        above = total * states.correct.sum(axis=1) - states.predicted @ truth
        spread = total**2 - (states.predicted**2).sum(axis=1)
        return np.asarray(above / np.sqrt(np.where(spread == 0, 1, spread)) / np.sqrt(total**2 - truth @ truth))


def _of_classes(metric: Metric, states: States, sizes: Sizes, undefined: Undefined) -> FloatArray:
    truth = np.array(sizes.counts)
    missed, wrong = truth - states.correct, states.predicted - states.correct
    values = metric.from_counts(states.correct, missed, wrong, sizes.total - truth - wrong)
    return filled(np.asarray(values), _as_float(undefined))


def _as_float(undefined: Undefined) -> float:
    return nan if undefined is None else float(undefined)


# -- Entropies of confusion matrices, compared exactly: as products of integer powers, by prime factorisation ----------

# A sum of terms ``c*log(m)`` with integers c and m is the logarithm of a rational number, and two such sums are equal
# if and only if the numbers have the same prime factors with the same exponents.


@dataclass(frozen=True)
class _Packing:
    """Prime exponents, packed into as few 64-bit integers as possible.

    :param lows: the smallest power of each prime
    :param radices: how many powers of each prime there may be
    """

    primes: tuple[int, ...]
    lows: tuple[int, ...]
    radices: tuple[int, ...]

    def pack(self, powers: Sequence[IntArray], *, offset: bool = True) -> list[IntArray]:
        """Return the packed exponents.

        :param offset: measure the powers from the smallest; sums of several have to do so once
        """
        words: list[IntArray] = []
        place = LARGEST
        for power, low, radix in zip(powers, self.lows, self.radices, strict=True):
            if place * radix >= LARGEST:
                words.append(np.zeros(len(power), dtype=np.int64))
                place = 1
            words[-1] += (power - low if offset else power) * place
            place *= radix
        return words


@dataclass(frozen=True)
class _Entries:
    """Contributions of rows to a key: prime exponents in low digits; column sums, maybe diagonals, in high ones.

    The power of a prime p in m**m is a multiple of p, by which it is divided.
    """

    primes: tuple[int, ...]
    digits: Digits
    margins: Digits
    steps: list[IntArray]
    low: IntArray
    """The occurring values of the low digits, sorted."""
    sizes: Sizes

    @classmethod
    def of(cls, sizes: Sizes, *, diagonal: bool) -> Self:
        """Return the steps for some class sizes.

        :param diagonal: whether entries of the diagonal count in the powers; else they stand beside the column sums
        """
        primes = tuple(primerange(max(2, *sizes.counts) + 1))
        powers, margins = [], []
        for place, count in enumerate(sizes.counts):
            rows = rows_of(count, sizes.classes)
            correct = np.zeros_like(rows)
            correct[:, place] = rows[:, place]
            entries = rows if diagonal else rows - correct
            tables = [_powers(prime, count) * np.arange(count + 1) // prime for prime in primes]
            powers.append(np.column_stack([table[entries].sum(axis=1) for table in tables]))
            margins.append(rows[:, :-1] if diagonal else np.hstack([rows[:, :-1], correct]))
        low, high = (
            Digits(tuple(map(int, sum(part.max(axis=0) for part in parts) + 1))) for parts in (powers, margins)
        )
        Digits((low.size, high.size))
        packed = [low.pack(part) for part in powers]
        steps = [first + low.size * high.pack(second) for first, second in zip(packed, margins, strict=True)]
        return cls(primes, low, high, steps, _sums([np.unique(part) for part in packed]), sizes)

    def powers(self, primes: Sequence[int]) -> list[IntArray]:
        """Return the exponent of each prime in the product of m**m, for every occurring value of the low digits."""
        none = np.zeros(len(self.low), dtype=np.int64)
        return [
            prime * self.digits.digit(self.low, self.primes.index(prime)) if prime in self.primes else none
            for prime in primes
        ]

    def seen(self, packed: IntArray) -> States:
        """Return the column sums, and the diagonal if included, of packed margins."""
        columns = [self.margins.digit(packed, place) for place in range(len(self.margins.radices))]
        split = self.sizes.classes - 1
        predicted = np.stack(columns[:split], axis=1)
        last = self.sizes.total - predicted.sum(axis=1, keepdims=True)
        correct = np.stack(columns[split:], axis=1) if columns[split:] else np.zeros((len(packed), 0), dtype=np.int64)
        return States(correct, np.hstack([predicted, last]), np.zeros(len(packed), dtype=np.int64))


@dataclass(frozen=True)
class EntropyMeasure:
    """A metric that depends on the sum of m*log(m) over the entries m of a matrix, and on its column sums.

    Relative classifier information (RCI; Sindhwani et al. 2001) is, but for what is the same for all matrices, the sum
    of p*log(p) over the column sums less that of m*log(m) over the entries.  Confusion entropy (CEN; Wei et al. 2010)
    is, with s = t + p of a class, the sum of ``(s - 2*tp)*log(s)`` less twice that of m*log(m) off the diagonal.

    :param name: its name in the study
    :param key: the metric's key in :data:`symmetrics.multiclass`
    :param sees_diagonal: whether it is the confusion entropy
    """

    name: str
    key: str
    sees_diagonal: bool

    def values(self, sizes: Sizes) -> Iterator[Columns]:
        """Yield, in chunks, columns that are equal for two matrices if and only if the metric is."""
        # exp of the sum is a product of m**m: equal if and only if all prime powers are.
        entries = _Entries.of(sizes, diagonal=not self.sees_diagonal)
        packing = self._packing(sizes, entries)
        of_entries = packing.pack([self._factor * powers for powers in entries.powers(packing.primes)], offset=False)
        # High digits are margins, low digits the exponents from the entries.
        for keys in expanded(entries.steps):
            margins, rest = np.divmod(keys, entries.digits.size)
            rest = np.searchsorted(entries.low, rest)
            # Parts that depend on the margins alone are computed once for each of them.
            starts = np.flatnonzero(np.diff(margins, prepend=-1))
            lengths = np.diff(starts, append=len(margins))
            of_margins = packing.pack(self._powers(packing.primes, entries.seen(margins[starts]), sizes))
            yield [
                np.repeat(first, lengths) + second[rest] for first, second in zip(of_margins, of_entries, strict=True)
            ]

    @property
    def _factor(self) -> int:
        """The coefficient of the sum over the entries."""
        return -2 if self.sees_diagonal else -1

    def _powers(self, primes: Sequence[int], states: States, sizes: Sizes) -> list[IntArray]:
        """Return the exponent of each prime in the contribution of the diagonal and the column sums."""
        bases = factors = states.predicted
        if self.sees_diagonal:
            bases = states.predicted + np.array(sizes.counts, dtype=np.int64)
            factors = bases - 2 * states.correct
        largest = max(sizes.counts) + sizes.total
        return [np.asarray((factors * _powers(prime, largest)[bases]).sum(axis=1)) for prime in primes]

    def _packing(self, sizes: Sizes, entries: _Entries) -> _Packing:
        """Return a packing for all prime exponents, given those that occur."""
        primes = tuple(primerange(max(sizes.counts) + sizes.total + 1))
        # The range of each exponent, so that as few 64-bit words as possible hold them.
        ends = [[0, 0] for _ in primes]
        for states in states_of(sizes):
            for end, powers in zip(ends, self._powers(primes, states, sizes), strict=True):
                end[0], end[1] = min(end[0], int(powers.min())), max(end[1], int(powers.max()))
        for end, powers in zip(ends, entries.powers(primes), strict=True):
            end[0] += self._factor * int(powers.max())
        return _Packing(primes, tuple(low for low, _ in ends), tuple(high - low + 1 for low, high in ends))


def _sums(steps: Sequence[IntArray]) -> IntArray:
    """Return the distinct sums that take one entry from each step, sorted."""
    chunks = list(expanded(steps))
    return chunks[0] if len(chunks) == 1 else np.unique(np.concatenate(chunks))


@lru_cache(maxsize=256)
def _powers(prime: int, largest: int) -> IntArray:
    """Return the exponent of a prime in every number up to the largest, 0 for 0."""
    return np.array([multiplicity(prime, number) if number else 0 for number in range(largest + 1)], dtype=np.int64)
