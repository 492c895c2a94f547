"""Disagreement of two metrics: the smallest discordant pair of tables, and the share of such pairs."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final

import numpy as np
from sympy import Expr, Integer

from symmetrics.claims.evidence import Counts
from symmetrics.claims.verdict import Verdict
from symmetrics.discovery.exact_ranks import IntArray, ranks_of
from symmetrics.language.formula import exact_rational
from symmetrics.language.writer import formula_text
from symmetrics.library.selections import as_metric
from symmetrics.metric import Metric
from symmetrics.metric.direction import greater_is_better
from symmetrics.query.relations import relate
from symmetrics.tools.budget import SECONDS
from symmetrics.tools.errors import InputError, SymmetricsError
from symmetrics.tools.texts import number_of

# ----------------------------------------------------------------------------------------------------------------------
# Concordant, discordant and tied pairs of tables under two rankings: their numbers, and the smallest discordant one.


@dataclass(frozen=True)
class Pairs:
    """Numbers of concordant, discordant and tied pairs of different tables at which both metrics are defined.

    :param concordant: pairs that both order in the same way
    :param discordant: pairs that they order in opposite ways
    :param tied_first: pairs that the first alone ties
    :param tied_second: pairs that the second alone ties
    :param tied_both: pairs that both tie
    """

    concordant: int
    discordant: int
    tied_first: int
    tied_second: int
    tied_both: int

    @property
    def total(self) -> int:
        """The number of pairs."""
        return self.concordant + self.discordant + self.tied_first + self.tied_second + self.tied_both

    @property
    def share(self) -> Fraction:
        """The share of discordant pairs; 0 if there are no pairs."""
        return Fraction(self.discordant, self.total) if self.total else Fraction(0)


def counted(first: IntArray, second: IntArray) -> Pairs:
    """Concordant, discordant and tied pairs of two rankings in O(T log T) (Knight's algorithm).

    >>> counted(np.array([0, 1, 1, 2]), np.array([1, 0, 0, 2]))
    Pairs(concordant=3, discordant=2, tied_first=0, tied_second=0, tied_both=1)
    """
    # Concordant = all - discordant - tied in either, with those tied in both counted once.
    x, y = (np.unique(ranks, return_inverse=True)[1].astype(np.int64) for ranks in (first, second))
    total = len(x) * (len(x) - 1) // 2
    tied_first, tied_second, tied_both = (_tied(ranks) for ranks in (x, y, x * (len(y) + 1) + y))
    discordant = _inversions(y[np.lexsort((y, x))])
    concordant = total - discordant - tied_first - tied_second + tied_both
    return Pairs(concordant, discordant, tied_first - tied_both, tied_second - tied_both, tied_both)


def _tied(ranks: IntArray) -> int:
    counts = np.unique(ranks, return_counts=True)[1].astype(np.int64)
    return int((counts * (counts - 1) // 2).sum())


def _inversions(places: IntArray) -> int:
    """Return the number of inversions.

    Such a pair has some first binary digits in common and then differs: for each digit, those are counted that have a 1
    before a 0, among the places that begin alike.
    """
    found = 0
    for digit in range(int(places.max(initial=0)).bit_length()):
        heads = places >> (digit + 1)
        order = np.argsort(heads, kind="stable")
        heads, ones = heads[order], (places[order] >> digit) & 1
        before = np.cumsum(ones) - ones
        starts = np.searchsorted(heads, heads)
        found += int(((before - before[starts]) * (1 - ones)).sum())
    return found


def closest(tables: IntArray, first: IntArray, second: IntArray) -> tuple[Counts, Counts]:
    """Return the discordant pair at the smallest distance, the table that the first metric prefers first."""
    n = int(tables[0].sum())
    # Tables are found by an integer code in a sorted list; a dense array over all triples of cells would not fit into
    # memory where fixed margins leave few tables of many examples.
    # Sorted by code, so that a neighbour is found by bisection.
    numbers = _numbers(tables, n)
    order = np.argsort(numbers)
    numbers = numbers[order]
    # Distance = number of examples that change their cell: the first distance with a discordant pair is the smallest.
    for distance in range(1, n + 1):
        best: tuple[int, tuple[int, ...], tuple[int, ...], int, int] | None = None
        for step in _steps(distance):
            moved = tables + step
            inside = np.flatnonzero((moved >= 0).all(axis=1))
            asked = _numbers(moved[inside], n)
            found = np.minimum(np.searchsorted(numbers, asked), len(numbers) - 1)
            is_table = numbers[found] == asked
            here, there = inside[is_table], order[found[is_table]]
            opposite = (first[here] - first[there]) * (second[here] - second[there]) < 0
            here, there = here[opposite], there[opposite]
            if len(here):
                zeros = (tables[here] == 0).sum(axis=1) + (tables[there] == 0).sum(axis=1)
                least = int(np.argmin(zeros))
                a, b = int(here[least]), int(there[least])
                key = (int(zeros[least]), tuple(tables[a].tolist()), tuple(tables[b].tolist()), a, b)
                best = key if best is None or key < best else best
        if best is not None:
            a, b = best[3:] if first[best[3]] > first[best[4]] else (best[4], best[3])
            return Counts(*tables[a].tolist()), Counts(*tables[b].tolist())
    raise AssertionError("a pair that was counted was not found")


def _numbers(tables: IntArray, n: int) -> IntArray:
    """Return an integer code for each table of n examples."""
    return (tables[:, 0] * (n + 1) + tables[:, 1]) * (n + 1) + tables[:, 2]


def _steps(distance: int) -> Iterator[IntArray]:
    """Yield the ways to move a number of examples between cells, one of each pair of opposite ones."""
    reach = range(-distance, distance + 1)
    for step in itertools.product(reach, repeat=3):
        full = (*step, -sum(step))
        if sum(map(abs, full)) == 2 * distance and next(part for part in full if part) > 0:
            yield np.array(full, dtype=np.int64)


# ----------------------------------------------------------------------------------------------------------------------


LARGEST: Final = 12
"""Default limit on the number of examples of a pair."""
MOST_TABLES: Final = 2_000_000
"""Largest number of tables."""
MARGINS: Final = {"P": (1, 1, 0, 0), "N": (0, 0, 1, 1), "OP": (1, 0, 1, 0), "ON": (0, 1, 0, 1)}


@dataclass(frozen=True, repr=False)
class Disagreement:
    """Where two metrics make different choices, and how often.

    :param first: the name of the first metric
    :param second: the name of the second one
    :param n: the number of examples of the tables that were compared
    :param given: what was fixed, in words, or nothing
    :param is_loss: for each metric whether a smaller value is better; None where neither this nor the opposite is
        proved, and the greater value counts as the better one
    :param tables: the pair, the one that the first metric prefers before the other; None if there is no such pair
    :param values: for each metric its exact values at the two tables, in their order
    :param pairs: how often the two disagree over all tables of that size
    :param undefined: for each metric the tables at which it has no value
    :param equivalence: the verdict on whether the two rank all positive tables alike, if that was asked
    :param looked_from: the smallest number of examples at which a pair was looked for, if none was asked for
    """

    first: str
    second: str
    n: int
    given: str
    is_loss: tuple[bool | None, bool | None]
    tables: tuple[Counts, Counts] | None
    values: tuple[tuple[Expr, Expr], tuple[Expr, Expr]] | None
    pairs: Pairs
    undefined: tuple[tuple[Counts, ...], tuple[Counts, ...]]
    equivalence: Verdict | None = None
    looked_from: int | None = None

    @property
    def share(self) -> Fraction:
        """The exact share of discordant pairs among all pairs of tables."""
        return self.pairs.share

    @property
    def sentence(self) -> str:
        """The result in plain words.

        >>> print(adversary("mcc", "f1", n=5).sentence)
        mcc prefers TP 1, FN 1, FP 2, TN 1 and f1 prefers TP 2, FN 1, FP 2, TN 0.
        """
        if self.tables is not None:
            better, other = map(_cells_text, self.tables)
            first, second = ("prefers" if known is not None else "is greater at" for known in self.is_loss)
            return f"{self.first} {first} {better} and {self.second} {second} {other}."
        if self.equivalence is not None and self.equivalence.status == "proved":
            return (
                f"{self.first} and {self.second} never disagree: they rank all positive tables alike, which is proved."
            )
        start = "" if self.looked_from in (None, self.n) else f"{self.looked_from} to "
        return f"{self.first} and {self.second} order no two tables of {start}{self._size} in opposite ways."

    @property
    def _size(self) -> str:
        return number_of(self.n, "example") + self.given

    @property
    def _link(self) -> str:
        """The equation between the metrics, if they rank tables alike."""
        text = str(self.equivalence.value if self.equivalence is not None else "").replace("partner", "L")
        return f"{text}, where M is {self.first} and L is {self.second}"

    def lines(self) -> Iterator[str]:
        """Yield the results as lines, the answer first."""
        yield self.sentence
        if self.tables is not None and self.values is not None:
            for name, is_loss, values in zip((self.first, self.second), self.is_loss, self.values, strict=True):
                told = " and ".join(map(_value_text, values))
                yield f"{name}: {told}{' (smaller is better)' if is_loss else ''}"
        if self.equivalence is not None:
            value = "" if self.equivalence.value is None else f": {self._link}"
            yield f"rank equivalence on positive tables: {self.equivalence.status}{value}"
        pairs = self.pairs
        share = f"{self.share} ({100 * float(self.share):.3g} %)"
        yield f"all tables of {self._size}: {number_of(pairs.total, 'pair')}, {pairs.discordant} opposite, {share}"
        yield (
            f"alike: {pairs.concordant}; tied by {self.first} alone: {pairs.tied_first}, by {self.second} alone: "
            f"{pairs.tied_second}, by both: {pairs.tied_both}"
        )
        for name, tables in dict.fromkeys(zip((self.first, self.second), self.undefined, strict=True)):
            if tables:
                shown = "; ".join(_cells_text(table) for table in tables[:3]) + "; …" * (len(tables) > 3)
                left_out = "which is in no pair" if len(tables) == 1 else "which are in no pair"
                yield f"{name} has no value at {number_of(len(tables), 'table')}, {left_out}: {shown}"

    def __repr__(self) -> str:
        return "\n".join(self.lines())

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain data: counts, and exact values as texts beside their floats."""
        pairs = {name: getattr(self.pairs, name) for name in Pairs.__dataclass_fields__}
        values = None
        if self.values is not None:
            values = {
                name: [
                    {"exact": formula_text(value), "float": float(value) if value.is_finite else None}
                    for value in found
                ]
                for name, found in zip((self.first, self.second), self.values, strict=True)
            }
        return {
            "metrics": [self.first, self.second],
            "n": self.n,
            "given": self.given.removeprefix(" with ") or None,
            "smaller_is_better": list(self.is_loss),
            "tables": None if self.tables is None else [_plain(table) for table in self.tables],
            "values": values,
            "pairs": {**pairs, "total": self.pairs.total},
            "share": {"exact": str(self.share), "float": float(self.share)},
            "undefined": [[_plain(table) for table in tables] for tables in self.undefined],
            "equivalence": None if self.equivalence is None else self.equivalence.to_dict(),
        }


def adversary(
    first: Metric | Expr | str,
    second: Metric | Expr | str,
    *,
    n: int | None = None,
    prior: object = None,
    margins: Mapping[str, int] | None = None,
    seconds: float = SECONDS,
) -> Disagreement:
    """Return the smallest pair of tables that two metrics rank in opposite order, and the share of such pairs.

    Both tables have the same number of examples, and the metric that is proved to be a loss prefers its smaller value.
    Of all such pairs the smallest one has the fewest examples; of these, the one in which the fewest examples change
    their cell; of these, the one with the fewest cells that are zero; of these, the first in the order of cells.
    Values are those of :meth:`symmetrics.Metric.exact`, compared exactly; parameters have their defaults.  A pair is
    of different tables, in no order; tables at which a metric has no value are in none, and are named.

    :param n: the number of examples; by default the smallest one up to 12 with such a pair, or 12
    :param prior: the share of positive examples, an exact number, the same in all tables
    :param margins: numbers of examples, the same in all tables, by name: P, N, OP or ON
    :param seconds: how long may be looked for a proof that the two rank all tables alike, which is asked if no pair of
        positive tables is found
    :raises InputError: if no table has the margins, or there are more than two million
    :raises UnsupportedError: if two values can neither be told apart nor proved to be equal

    >>> found = adversary("mcc", "f1", n=20)
    >>> found.share, found.pairs.total
    (Fraction(328607, 1560261), 1560261)
    >>> adversary("f1", "jaccard", n=6).equivalence.value
    'M = 2*partner/(partner + 1)'
    """
    metrics = as_metric(first), as_metric(second)
    fixed = _Fixed.read(prior, margins)
    if n is not None:
        n = _whole(n, "n", 1)
    losses = _is_loss(metrics[0]), _is_loss(metrics[1])
    # The smallest number of examples with an opposite pair.
    sizes = [n] if n is not None else list(fixed.sizes())
    found = None
    for size in sizes:
        tables = fixed.tables(size)
        if len(tables):
            found = replace(_compared(metrics, losses, tables, fixed), looked_from=None if n is not None else sizes[0])
            if found.tables is not None:
                break
    if found is None:
        wanted = "" if n is None else f" of {number_of(n, 'example')}"
        if len(sizes) > 1:
            wanted = f" of {sizes[0]} to {number_of(sizes[-1], 'example')}"
        raise InputError(f"no table{wanted} has what is given{fixed.text}; choose another n, prior or margins")
    # A pair of positive tables settles it; otherwise decide whether the two are equivalent on positive tables.
    if found.tables is not None and all(count > 0 for table in found.tables for count in table):
        return found
    relation = "rank_equivalent" if bool(losses[0]) == bool(losses[1]) else "rank_reversed"
    return replace(found, equivalence=relate(*metrics, relation, seconds=seconds))


@dataclass(frozen=True)
class _Fixed:
    """Constraints common to all tables."""

    prior: Fraction | None
    margins: Mapping[str, int]

    @classmethod
    def read(cls, prior: object, margins: Mapping[str, int] | None) -> _Fixed:
        share = None
        if prior is not None:
            try:
                exact = exact_rational(prior, "prior")
            except SymmetricsError as error:
                raise InputError(str(error)) from None
            share = Fraction(int(exact.p), int(exact.q))
            if not 0 < share < 1:
                raise InputError(f"prior is {share}: the share of positive examples lies between 0 and 1")
        if not isinstance(margins, Mapping | None):
            raise InputError(f"margins={margins!r} is no mapping; write it as margins={{'P': 5, 'OP': 4}}")
        for name in margins or {}:
            if name not in MARGINS:
                raise InputError(f"{name!r} is no margin; name one of {', '.join(MARGINS)}")
        return cls(share, {name: _whole(count, name, 0) for name, count in (margins or {}).items()})

    @property
    def text(self) -> str:
        parts = [] if self.prior is None else [f"prior {self.prior}"]
        parts += [f"{name} = {count}" for name, count in self.margins.items()]
        return f" with {' and '.join(parts)}" if parts else ""

    def sizes(self) -> Iterator[int]:
        """Yield the numbers of examples to search, the smallest first."""
        for pair in (("P", "N"), ("OP", "ON")):
            if set(pair) <= set(self.margins):
                yield sum(self.margins[name] for name in pair)
                return
        for name, share in () if self.prior is None else (("P", self.prior), ("N", 1 - self.prior)):
            if self.margins.get(name):
                if (self.margins[name] / share).denominator == 1:
                    yield int(self.margins[name] / share)
                return
        least = max(self.margins.values(), default=1) or 1
        step = 1 if self.prior is None else self.prior.denominator
        first = -(-least // step) * step
        yield from range(first, max(LARGEST, first + LARGEST * (least > 1), step * 2) + 1, step)

    def tables(self, n: int) -> IntArray:
        """Return the tables of a size, in lexicographic order."""
        positive = self.margins.get("P")
        if self.prior is not None:
            share = self.prior * n
            if share.denominator > 1 or (positive is not None and positive != share):
                return np.empty((0, 4), dtype=np.int64)
            positive = int(share)
        count = (n + 1) * (n + 2) * (n + 3) // 6 if positive is None else (positive + 1) * (n - positive + 1)
        if count > MOST_TABLES:
            raise InputError(
                f"there are {number_of(count, 'table')} of {number_of(n, 'example')}, more than {MOST_TABLES}; choose "
                "a smaller n"
            )
        rows = [
            (tp, fn, fp, n - tp - fn - fp)
            for tp in range((n if positive is None else positive) + 1)
            for fn in (range(n - tp + 1) if positive is None else (positive - tp,))
            for fp in range(n - tp - fn + 1)
        ]
        tables = np.array(rows, dtype=np.int64).reshape(-1, 4)
        for name, margin in self.margins.items():
            tables = tables[tables @ np.array(MARGINS[name]) == margin]
        return tables


def _compared(
    metrics: tuple[Metric, Metric], losses: tuple[bool | None, bool | None], tables: IntArray, fixed: _Fixed
) -> Disagreement:
    ranks = [ranks_of(metric.value_formula, tables) for metric in metrics]
    undefined = [tuple(Counts(*row) for row in tables[found < 0].tolist()) for found in ranks]
    # Only tables at which both are defined are compared; a loss is negated.
    both = (ranks[0] >= 0) & (ranks[1] >= 0)
    ordered = [-found[both] if is_loss else found[both] for is_loss, found in zip(losses, ranks, strict=True)]
    pairs = counted(*ordered)
    chosen = values = None
    if pairs.discordant:
        chosen = closest(tables[both], *ordered)
        exact = [tuple(metric.exact(*table) for table in chosen) for metric in metrics]
        values = ((exact[0][0], exact[0][1]), (exact[1][0], exact[1][1]))
    return Disagreement(
        metrics[0].name,
        metrics[1].name,
        int(tables[0].sum()),
        fixed.text,
        losses,
        chosen,
        values,
        pairs,
        (undefined[0], undefined[1]),
    )


def _is_loss(metric: Metric) -> bool | None:
    is_gain = greater_is_better(metric)
    return None if is_gain is None else not is_gain


def _whole(value: object, name: str, least: int) -> int:
    try:
        exact = exact_rational(value, name)
    except SymmetricsError as error:
        raise InputError(str(error)) from None
    if not isinstance(exact, Integer) or exact < least:
        raise InputError(f"{name} is {exact}: a number of examples is whole, {least} or more")
    return int(exact)


def _cells_text(table: Counts) -> str:
    return f"TP {table.tp}, FN {table.fn}, FP {table.fp}, TN {table.tn}"


def _plain(table: Counts) -> dict[str, int]:
    return {name: int(count) for name, count in zip(("tp", "fn", "fp", "tn"), table, strict=True)}


def _value_text(value: Expr) -> str:
    return f"{formula_text(value)} ({float(value):.4g})"
