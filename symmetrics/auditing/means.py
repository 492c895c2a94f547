"""Can reported means be true: scores that are means over folds, data sets or other tables of counts."""

from __future__ import annotations

import itertools
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from math import comb, prod
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from sympy import Add

from symmetrics.auditing.hulls import Group, Target, near, separate
from symmetrics.auditing.readings import other_readings
from symmetrics.auditing.reported import Reported
from symmetrics.auditing.search import Score, Sizes, Table, first_table, holds
from symmetrics.auditing.separations import Separation, exact_values, over_sizes, proved, tables_of
from symmetrics.auditing.sums import are_affine, tables_with_means
from symmetrics.tools.budget import SECONDS, checkpoint, within
from symmetrics.tools.errors import BudgetError, UnsupportedError
from symmetrics.tools.texts import number_of

TRIED: Final = 10**5
"""Combinations of tables, at most, that are tried one by one."""
MOST: Final = 10**6
"""Tables of one size, at most, that are gone through one by one."""
STARTS: Final = 40
"""Local searches for tables whose means are as reported."""
GUESSED: Final = 4
"""The same, for each guess at unknown sizes."""
COUNTS: Final = (1, 3, 10, 40)
"""Numbers of tables that are tried where none is known."""
SHARES: Final = (Fraction(1, 2), Fraction(1, 10), Fraction(9, 10), Fraction(1, 4), Fraction(3, 4), Fraction(1, 100))
"""Shares of positives that are tried where none is known."""
SPREAD: Final = (0, 1, 3, 20, 1000, 10**6)
"""Cells of tables with counts of very different size."""
SMALL: Final = 12
"""Examples of the largest tables all of which inequalities are first tried on."""


@dataclass(frozen=True)
class Parts:
    """The tables that scores are means over.

    :param count: how many; None if that is not known
    :param sizes: positives and negatives of each; None if they are not known
    :param totals: the sizes of all together
    """

    count: int | None
    sizes: tuple[tuple[int, int], ...] | None
    totals: Sizes

    @property
    def is_free(self) -> bool:
        """Whether nothing is known of the sizes but a bound."""
        low, high = self.totals.total
        ranges = (self.totals.positives, self.totals.negatives)
        return self.sizes is None and low < high and all(part == (0, high) for part in ranges)

    def of_totals(self, totals: Sizes) -> Parts:
        """Return the same tables with other sizes in all; with the classes exchanged where these are."""
        swapped = Sizes(self.totals.total, self.totals.negatives, self.totals.positives)
        if self.sizes is None or totals != swapped:
            return replace(self, totals=totals)
        return Parts(self.count, tuple((negatives, positives) for positives, negatives in self.sizes), totals)

    def __str__(self) -> str:
        told = "several tables" if self.count is None else number_of(self.count, "table")
        if self.sizes is not None:
            return f"means over {told} of known sizes"
        return f"means over {told}"


@dataclass(frozen=True, repr=False, eq=False)
class MeanAudit:
    """Whether some tables have all reported scores on average.

    :param scores: what is reported
    :param parts: what is known of the tables
    :param status: ``"possible"``, ``"impossible"``, or ``"open"`` if neither tables nor an inequality were found
    :param example: tables (TP, FN, FP, TN) whose means agree
    :param proof: why it is impossible: an inequality; None if there is another reason, or it is not impossible
    :param told: that reason, in words
    :param seconds: how long a search may take
    """

    scores: tuple[Score, ...]
    parts: Parts
    status: str
    example: tuple[Table, ...] | None = None
    proof: Separation | None = None
    told: str = ""
    seconds: float = SECONDS

    @property
    def clash(self) -> tuple[str, ...]:
        """Names of scores that clash; empty if nothing is impossible."""
        if self.status != "impossible":
            return ()
        return tuple(score.name for score in self.scores) if self.proof is None else self.proof.names

    @cached_property
    def readings(self) -> tuple[str, ...]:
        """Other common readings under which what is impossible becomes possible, as far as is found in time."""
        if self.status != "impossible":
            return ()
        found, ended = [], time.monotonic() + self.seconds
        if first_table(self.scores, self.parts.totals, self.seconds / 2)[0] == "possible":
            found.append("all scores are of one table, that of the counts added up")
        for told, scores, totals in other_readings(self.scores, self.parts.totals):
            left, parts = ended - time.monotonic(), self.parts.of_totals(totals)
            if left > 0 and searched_means(tuple(scores), parts, left, with_proofs=False).status == "possible":
                found.append(told)
        return tuple(found)

    @property
    def reason(self) -> str:
        """Tables that agree, or why there are none, or what would decide it, in words."""
        if self.example is not None:
            told = ", ".join(
                f"{f'{count} x ' if count > 1 else ''}{table}" for table, count in Counter(self.example).items()
            )
            return f"for instance of (TP, FN, FP, TN) = {told}"
        if self.status == "open":
            advice = "the sizes of the tables" if self.parts.sizes is None else "scores with more digits"
            return f"neither tables nor an inequality were found; pass {advice}, or more seconds"
        told = self.told if self.proof is None else str(self.proof)
        return f"{told}; possible if {', or if '.join(self.readings)}" if self.readings else told

    @property
    def printed(self) -> dict[str, Reported]:
        """What is reported, by name."""
        return {score.name: score.reported for score in self.scores}

    @property
    def size(self) -> str:
        """What the scores are means over, in words."""
        return str(self.parts)

    def lines(self) -> Iterator[str]:
        """Yield what was found in plain words."""
        told = ", ".join(f"{name} {reported}" for name, reported in self.printed.items())
        yield f"{self.status}: {told}; {self.size}"
        yield self.reason

    def to_dict(self) -> dict[str, Any]:
        """Return what was found as plain values."""
        proof = self.proof
        return {
            "status": self.status,
            "scores": {one.name: {"text": one.reported.text, "interval": one.reported.interval} for one in self.scores},
            "tables": self.parts.count,
            "sizes": None if self.parts.sizes is None else [list(size) for size in self.parts.sizes],
            "example": None if self.example is None else [list(table) for table in self.example],
            "inequality": None if proof is None else str(proof),
            "certificate": None if proof is None or proof.verdict is None else proof.verdict.to_dict(),
            "clash": list(self.clash),
            "readings": list(self.readings),
        }

    def __repr__(self) -> str:
        return "\n".join(self.lines())


# -- The search --------------------------------------------------------------------------------------------------------


def searched_means(scores: tuple[Score, ...], parts: Parts, seconds: float, *, with_proofs: bool = True) -> MeanAudit:
    """Return whether some tables have all scores on average; other readings are not tried.

    :param with_proofs: whether inequalities for tables of all sizes are proved; without, what is impossible may be open
    """

    def found() -> MeanAudit:
        if parts.sizes is not None and (
            are_affine(scores, parts.sizes) or max((a + 1) * (b + 1) for a, b in parts.sizes) <= MOST
        ):
            return _of_known_sizes(scores, parts, seconds)
        return _of_unknown_sizes(scores, parts, seconds, with_proofs)

    try:
        return within(found, seconds=seconds, shown="means that agree")
    except (BudgetError, UnsupportedError):
        return MeanAudit(scores, parts, "open", seconds=seconds)


def _of_known_sizes(scores: tuple[Score, ...], parts: Parts, seconds: float) -> MeanAudit:
    """Return what is found where the size of each table is known: by hulls, exact sums, and then local search."""
    sizes, is_affine = parts.sizes or (), are_affine(scores, parts.sizes or ())
    groups = [Group.of(tables_of(size, only_ends=is_affine), scores, count) for size, count in Counter(sizes).items()]
    if empty := next((size for size, group in zip(Counter(sizes), groups, strict=True) if not len(group.tables)), None):
        told = f"not all scores are defined for any table of {empty[0]} positives and {empty[1]} negatives"
        return MeanAudit(scores, parts, "impossible", told=told, seconds=seconds)
    target = Target(scores)
    plane, weights = separate(groups, target)
    proof = None if plane is None else over_sizes(plane, target, sizes)
    if proof is not None:
        return MeanAudit(scores, parts, "impossible", proof=proof, seconds=seconds)
    if is_affine:
        return _by_sums(scores, parts, seconds)
    if prod(comb(len(group.tables) + group.count - 1, group.count) for group in groups) <= TRIED:
        return _one_by_one(groups, target, parts, seconds)
    example = _example(groups, target, weights, STARTS)
    return MeanAudit(scores, parts, "open" if example is None else "possible", example, seconds=seconds)


def _one_by_one(groups: Sequence[Group], target: Target, parts: Parts, seconds: float) -> MeanAudit:
    """Return what is found by trying all combinations of tables; exact means decide where floats are near."""
    count, scores = sum(group.count for group in groups), target.scores
    near = 1e-9 * (1 + max(float(np.abs(group.values).max()) for group in groups))
    choices = (itertools.combinations_with_replacement(range(len(group.tables)), group.count) for group in groups)
    for chosen in itertools.product(*choices):
        checkpoint()
        pairs = list(zip(groups, chosen, strict=True))
        mean = sum(group.values[list(some)].sum(axis=0) for group, some in pairs) / count
        if (mean >= target.low - near).all() and (mean <= target.high + near).all():
            tables = [tuple(row) for group, some in pairs for row in group.tables[list(some)].tolist()]
            if have_means(scores, tables):
                return MeanAudit(scores, parts, "possible", tuple(sorted(tables)), seconds=seconds)
    told = "no combination of tables of these sizes has them"
    return MeanAudit(scores, parts, "impossible", told=told, seconds=seconds)


def _by_sums(scores: tuple[Score, ...], parts: Parts, seconds: float) -> MeanAudit:
    tables = tables_with_means(scores, parts.sizes or ())
    if tables is None:
        told = "no sums of TP and TN over the tables give them"
        return MeanAudit(scores, parts, "impossible", told=told, seconds=seconds)
    return MeanAudit(scores, parts, "possible", tuple(tables), seconds=seconds)


def _example(groups: Sequence[Group], target: Target, weights: Any, starts: int) -> tuple[Table, ...] | None:
    """Return tables whose exact means are as reported; None if a local search finds none."""
    for tables in near(groups, target, weights, starts):
        if have_means(target.scores, tables):
            return tuple(sorted(tables))
    return None


def have_means(scores: Sequence[Score], tables: Sequence[Table]) -> bool:
    """Return whether the exact means of scores at some tables are as reported."""
    values = [exact_values(scores, table) for table in tables]
    known = [row for row in values if row is not None]
    if len(known) < len(tables):
        return False
    means = (Add(*column) / len(tables) for column in zip(*known, strict=True))
    return all(holds(mean, score.reported, score.name) for mean, score in zip(means, scores, strict=True))


def _of_unknown_sizes(scores: tuple[Score, ...], parts: Parts, seconds: float, with_proofs: bool) -> MeanAudit:
    """Return what is found where the sizes are not known: tables, or an inequality that holds for all tables."""
    started, target = time.monotonic(), Target(scores)
    pool = _pool(scores)
    if not len(pool.tables):
        return MeanAudit(scores, parts, "open", seconds=seconds)
    if separate([pool], target)[0] is not None:
        # An inequality at positive cells holds in the limit, but not where 0 is put for an undefined value.
        is_proved = with_proofs and not any(score.undefined_is_zero for score in scores)
        proof = proved(scores, pool, started + seconds / 2) if is_proved else None
        if proof is not None or not with_proofs:
            return MeanAudit(scores, parts, "open" if proof is None else "impossible", proof=proof, seconds=seconds)
    for guess in _guesses(scores, parts, pool):
        _, weights = separate(guess, target)
        example = _example(guess, target, weights, GUESSED)
        if example is not None:
            return MeanAudit(scores, parts, "possible", example, seconds=seconds)
    return MeanAudit(scores, parts, "open", seconds=seconds)


def _pool(scores: Sequence[Score]) -> Group:
    """Return tables of many sizes, small ones and such with counts of very different size."""
    return Group.of(_many_tables(), scores, 1)


@lru_cache(maxsize=1)
def _many_tables() -> NDArray[np.int64]:
    small = [table for table in itertools.product(range(SMALL + 1), repeat=4) if 0 < sum(table) <= SMALL]
    spread = [table for table in itertools.product(SPREAD, repeat=4) if any(table)]
    return np.array(list(dict.fromkeys([*small, *spread])), dtype=np.int64)


def _guesses(scores: Sequence[Score], parts: Parts, pool: Group) -> Iterator[list[Group]]:
    """Yield tables that may have the means, for several guesses at their sizes."""
    counts = COUNTS if parts.count is None else (parts.count,)
    if parts.sizes is not None:
        return
    high = parts.totals.total[1]
    if parts.is_free:
        for count in counts:
            few = pool.tables.sum(axis=1) <= high // count
            if few.any():
                yield [Group(pool.tables[few], pool.values[few], count)]
        return
    for count in counts:
        for positives, negatives in _class_sizes(parts.totals, count):
            sizes = _even(positives, negatives, count)
            if max((a + 1) * (b + 1) for a, b in sizes) <= MOST and min(a + b for a, b in sizes) > 0:
                groups = [Group.of(tables_of(size), scores, times) for size, times in Counter(sizes).items()]
                if all(len(group.tables) for group in groups):
                    yield groups


def _class_sizes(totals: Sizes, count: int) -> list[tuple[int, int]]:
    """Return numbers of positives and negatives to try, in agreement with what is known of the totals."""
    low, high = totals.total
    known = [least for least, most in (totals.positives, totals.negatives) if least == most]
    guesses = {low} if low == high else {count * 20, count * 100, *(size * k for size in known for k in (1, 2, 4, 10))}
    found = []
    for total, share in itertools.product(sorted(guesses), SHARES):
        positives = round(total * share)
        if totals.positives[0] == totals.positives[1]:
            positives = totals.positives[0]
        elif totals.negatives[0] == totals.negatives[1]:
            positives = total - totals.negatives[0]
        ranges = (totals.positives, totals.negatives, totals.total)
        sizes = (positives, total - positives, total)
        if all(least <= size <= most for (least, most), size in zip(ranges, sizes, strict=True)):
            found.append((positives, total - positives))
    return list(dict.fromkeys(found))


def _even(positives: int, negatives: int, count: int) -> list[tuple[int, int]]:
    """Return the sizes of parts that are as equal as can be, as stratified folds are."""
    return [
        (positives // count + (place < positives % count), negatives // count + (place >= count - negatives % count))
        for place in range(count)
    ]
