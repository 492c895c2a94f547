"""Can reported means be true: scores that are means over folds, data sets or other tables of counts."""

from __future__ import annotations

import itertools
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from sympy import Add, Rational

from symmetrics.auditing.hulls import SLACK, Group, Plane, Target, near, planes, separate
from symmetrics.auditing.search import Score, Sizes
from symmetrics.auditing.sums import affine, tables_with_means
from symmetrics.claims.verdict import Verdict
from symmetrics.library.selections import as_metric
from symmetrics.query.relations import check_relation, relate
from symmetrics.tools.budget import SECONDS, checkpoint, within
from symmetrics.tools.errors import BudgetError, CertificateError, UnsupportedError
from symmetrics.tools.texts import number_of

Table = tuple[int, int, int, int]
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
PROOF: Final = 5.0
"""Seconds for the proof of one inequality."""


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
        """Whether nothing is known of the sizes."""
        return self.sizes is None and self.totals.total[0] < self.totals.total[1]

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


@dataclass(frozen=True, repr=False)
class Separation:
    """A proof that means are impossible: an inequality that all tables obey, and so their means, but not the scores.

    :param plane: the coefficients, the largest value at all tables and the least one at what is reported
    :param bound: c in the inequality a1 M1 + a2 M2 + ... <= c
    :param verdict: the proof for tables of every size; None if the tables of the known sizes have been gone through
    :param scores: what is reported
    :param sizes: positives and negatives of each table, where there is no proof for every size
    """

    plane: Plane
    bound: Fraction
    verdict: Verdict | None
    scores: tuple[Score, ...]
    sizes: tuple[tuple[int, int], ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The scores that the inequality is between."""
        return tuple(score.name for a, score in zip(self.plane.coefficients, self.scores, strict=True) if a)

    def check(self) -> None:
        """Re-verify the inequality, by the checker or at every table in exact arithmetic, and what the scores say.

        :raises CertificateError: if it does not hold, or the scores do not contradict it
        :raises UnsupportedError: if exact values cannot be compared
        """
        target = Target(self.scores)
        least = target.least(self.plane.coefficients)
        if least is None or not _is_below(self.bound, least, target.is_attained(self.plane.coefficients)):
            raise CertificateError("the reported scores do not contradict the inequality")
        if self.verdict is not None:
            subject = _combination(self.scores, self.plane.coefficients)
            if self.verdict.status != "proved":
                raise CertificateError("the inequality is not proved")
            check_relation(self.verdict, subject, as_metric(Rational(self.bound)))
            return
        largest = Add(*(count * _largest(self, size) for size, count in Counter(self.sizes).items())) / len(self.sizes)
        if (largest <= Rational(self.bound)) != True:  # noqa: E712 - a relation of SymPy
            raise CertificateError("the inequality does not hold at every table")

    def __str__(self) -> str:
        where = "every table" if self.verdict is not None else "the mean over all tables of these sizes"
        target = Target(self.scores)
        least = target.least(self.plane.coefficients)
        relation = "at least" if target.is_attained(self.plane.coefficients) else "more than"
        told = _told(self.scores, self.plane.coefficients)
        return f"{told} <= {self.bound} for {where}, but is {relation} {_decimal(least)} as reported"


def _is_below(bound: Fraction, least: Fraction, is_attained: bool) -> bool:
    return bound < least or (bound == least and not is_attained)


def _largest(proof: Separation, size: tuple[int, int]) -> Any:
    """Return the exact largest value of the left side at the tables of a size."""
    combination = _combination(proof.scores, proof.plane.coefficients)
    best: Any = None
    for table in _tables_of(size).tolist():
        checkpoint()
        value = combination.exact(*table)
        if value.is_finite and (best is None or value > best):
            best = value
    return best


def _decimal(value: Fraction | None) -> str:
    return "-∞" if value is None else f"{float(value):.6g}"


def _told(scores: Sequence[Score], coefficients: Sequence[Fraction]) -> str:
    """Return a sum of multiples of scores in words, those that are added first."""
    text = ""
    for a, score in sorted(zip(coefficients, scores, strict=True), key=lambda pair: pair[0] < 0):
        sign = "-" if a < 0 else "+"
        joint = f" {sign} " if text else "-" if a < 0 else ""
        text += f"{joint}{'' if abs(a) == 1 else f'{abs(a)} '}{score.name}" if a else ""
    return text


@dataclass(frozen=True, repr=False, eq=False)
class MeanAudit:
    """Whether some tables have all reported scores on average.

    :param scores: what is reported
    :param parts: what is known of the tables
    :param status: ``"possible"``, ``"impossible"``, or ``"open"`` if neither tables nor an inequality were found
    :param example: tables (TP, FN, FP, TN) whose means agree
    :param proof: why it is impossible: an inequality; None if all sums of counts were searched, or it is not impossible
    :param readings: other common readings under which what is impossible becomes possible
    :param seconds: how long a search may take
    """

    scores: tuple[Score, ...]
    parts: Parts
    status: str
    example: tuple[Table, ...] | None = None
    proof: Separation | None = None
    readings: tuple[str, ...] = ()
    seconds: float = SECONDS

    @property
    def clash(self) -> tuple[str, ...]:
        """Names of scores that clash; empty if nothing is impossible."""
        if self.status != "impossible":
            return ()
        return tuple(score.name for score in self.scores) if self.proof is None else self.proof.names

    @property
    def reason(self) -> str:
        """Tables that agree, or why there are none, or what would decide it, in words."""
        if self.example is not None:
            told = ", ".join(
                f"{f'{count} x ' if count > 1 else ''}{table}" for table, count in Counter(self.example).items()
            )
            return f"for instance of (TP, FN, FP, TN) = {told}"
        if self.status == "open":
            return "neither tables nor an inequality were found; pass the sizes of the tables, or more seconds"
        told = "no sums of TP and TN over the tables give them" if self.proof is None else str(self.proof)
        return f"{told}; possible if {', or if '.join(self.readings)}" if self.readings else told

    def lines(self) -> Iterator[str]:
        """Yield what was found in plain words."""
        yield f"{self.status}: {', '.join(f'{score.name} {score.reported}' for score in self.scores)}; {self.parts}"
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
        if parts.sizes is not None and max((a + 1) * (b + 1) for a, b in parts.sizes) <= MOST:
            return _of_known_sizes(scores, parts, seconds)
        return _of_unknown_sizes(scores, parts, seconds, with_proofs)

    try:
        return within(found, seconds=seconds, shown="means that agree")
    except (BudgetError, UnsupportedError):
        return MeanAudit(scores, parts, "open", seconds=seconds)


def _of_known_sizes(scores: tuple[Score, ...], parts: Parts, seconds: float) -> MeanAudit:
    """Return what is found where the size of each table is known: by hulls, exact sums, and then local search."""
    sizes = parts.sizes or ()
    groups = _groups(scores, sizes)
    if groups is None:
        return MeanAudit(scores, parts, "impossible", seconds=seconds)
    target = Target(scores)
    plane, weights = separate(groups, target)
    if plane is not None:
        proof = _over_sizes(plane, target, sizes)
        return MeanAudit(scores, parts, "impossible", proof=proof, seconds=seconds)
    is_affine = all(affine(score.metric.value_formula, size) for score in scores for size in set(sizes))
    if is_affine and not any(score.undefined_is_zero for score in scores):
        tables = tables_with_means(scores, sizes)
        if tables is None:
            return MeanAudit(scores, parts, "impossible", seconds=seconds)
        return MeanAudit(scores, parts, "possible", tuple(tables), seconds=seconds)
    example = _example(groups, target, weights, STARTS)
    return MeanAudit(scores, parts, "open" if example is None else "possible", example, seconds=seconds)


def _over_sizes(plane: Plane, target: Target, sizes: tuple[tuple[int, int], ...]) -> Separation:
    """Return the inequality for tables of known sizes; where floats do not tell that it holds, exact values do."""
    bound, least = _bound_of(plane, target), plane.least
    slack = Fraction(SLACK) * (1 + abs(least))
    if bound - Fraction(plane.most) < slack < (least - Fraction(plane.most)) / 2:
        bound = simplest_between(plane.most + float(slack), least)
    proof = Separation(plane, bound, None, target.scores, sizes)
    if bound - Fraction(plane.most) < slack:
        proof.check()
    return proof


def _groups(scores: Sequence[Score], sizes: Sequence[tuple[int, int]]) -> list[Group] | None:
    """Return what the tables of each size can be; None if the scores are undefined at all of one size."""
    groups = [Group.of(_tables_of(size), scores, count) for size, count in Counter(sizes).items()]
    return groups if all(len(group.tables) for group in groups) else None


def _tables_of(size: tuple[int, int]) -> NDArray[np.int64]:
    """Return all tables of a size."""
    tp, tn = (part.ravel() for part in np.meshgrid(*(np.arange(part + 1) for part in size), indexing="ij"))
    return np.stack([tp, size[0] - tp, size[1] - tn, tn], axis=1)


def _example(groups: Sequence[Group], target: Target, weights: Any, starts: int) -> tuple[Table, ...] | None:
    """Return tables whose exact means are as reported; None if a local search finds none."""
    for tables in near(groups, target, weights, starts):
        if have_means(target.scores, tables):
            return tuple(sorted(tables))
    return None


def have_means(scores: Sequence[Score], tables: Sequence[Table]) -> bool:
    """Return whether the exact means of scores at some tables are as reported."""
    for score in scores:
        values = [score.metric.exact(*table) for table in tables]
        if score.undefined_is_zero:
            values = [
                Rational(0) if value.is_finite is not True and not value.is_infinite else value for value in values
            ]
        if not all(value.is_finite for value in values) or not score.takes(Add(*values) / len(values)):
            return False
    return True


def _of_unknown_sizes(scores: tuple[Score, ...], parts: Parts, seconds: float, with_proofs: bool) -> MeanAudit:
    """Return what is found where the sizes are not known: tables, or an inequality that holds for all tables."""
    started, target = time.monotonic(), Target(scores)
    pool = _pool(scores)
    if not len(pool.tables):
        return MeanAudit(scores, parts, "open", seconds=seconds)
    if separate([pool], target)[0] is not None:
        # An inequality at positive cells holds in the limit, but not where 0 is put for an undefined value.
        is_proved = with_proofs and not any(score.undefined_is_zero for score in scores)
        proof = _proved(scores, pool, started + seconds / 2) if is_proved else None
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
    low, high = parts.totals.total
    if parts.is_free:
        for count in counts:
            few = pool.tables.sum(axis=1) <= high // count
            if few.any():
                yield [Group(pool.tables[few], pool.values[few], count)]
        return
    for count in counts:
        totals = [low] if low == high else [total for total in (count * 20, count * 100) if low <= total <= high]
        for total, positives in itertools.product(totals, _positives(parts.totals, totals)):
            sizes = _even(positives, total - positives, count)
            if max((a + 1) * (b + 1) for a, b in sizes) <= MOST and min(a + b for a, b in sizes) > 0:
                groups = _groups(scores, sizes)
                if groups is not None:
                    yield groups


def _positives(totals: Sizes, sizes: Sequence[int]) -> list[int]:
    """Return numbers of positives to try."""
    found = []
    for total, share in itertools.product(sizes, SHARES):
        positives = round(total * share)
        for low, high, value in ((*totals.positives, positives), (*totals.negatives, total - positives)):
            if low == high:
                positives = low if value == positives else total - low
        found.append(positives)
    return list(dict.fromkeys(found))


def _even(positives: int, negatives: int, count: int) -> list[tuple[int, int]]:
    """Return the sizes of parts that are as equal as can be, as stratified folds are."""
    return [
        (positives // count + (place < positives % count), negatives // count + (place >= count - negatives % count))
        for place in range(count)
    ]


# -- Inequalities for every table --------------------------------------------------------------------------------------


def _proved(scores: tuple[Score, ...], pool: Group, until: float) -> Separation | None:
    """Return a proved inequality between as few scores as possible that all tables obey, and the scores do not."""
    for count in range(1, len(scores) + 1):
        for places in itertools.combinations(range(len(scores)), count):
            if time.monotonic() < until:
                some = tuple(scores[place] for place in places)
                proof = _proved_between(some, Group(pool.tables, pool.values[:, places], 1), until)
                if proof is not None:
                    return proof
    return None


def _proved_between(scores: tuple[Score, ...], pool: Group, until: float) -> Separation | None:
    """Return a proved inequality between scores; a table that refutes one is added to the tables to separate."""
    target = Target(scores)
    while time.monotonic() < until:
        found, _ = separate([pool], target)
        if found is None:
            return None
        refuting: list[Table] = []
        direction = np.array(list(map(float, found.coefficients)))
        for plane in planes(direction, [pool], target):
            bound = _bound_of(plane, target)
            left = min(PROOF, until - time.monotonic())
            if left <= 0:
                return None
            subject = _combination(scores, plane.coefficients)
            verdict = relate(subject, as_metric(Rational(bound)), "less_equal", seconds=left)
            if verdict.status == "proved":
                return Separation(plane, bound, verdict, scores)
            if verdict.status == "refuted" and verdict.witness is not None:
                refuting = _whole(verdict.witness.tables[0])
                break
        if not refuting:
            return None
        added = Group.of(np.array(refuting, dtype=np.int64), scores, 1)
        if not len(added.tables):
            return None
        pool = Group(np.vstack([pool.tables, added.tables]), np.vstack([pool.values, added.values]), 1)
    return None


def _combination(scores: Sequence[Score], coefficients: Sequence[Fraction]) -> Any:
    """Return a sum of multiples of scores as a metric."""
    pairs = zip(coefficients, scores, strict=True)
    return as_metric(Add(*(Rational(a) * score.metric.value_formula for a, score in pairs)))


def _whole(table: Any) -> list[Table]:
    """Return a table of whole numbers as a list; none if its counts are no whole numbers."""
    counts = [Fraction(str(count)) for count in table]
    return [tuple(map(int, counts))] if all(count.denominator == 1 for count in counts) else []  # type: ignore[list-item]


def _bound_of(plane: Plane, target: Target) -> Fraction:
    """Return the simplest bound between what the tables and what the scores give."""
    return simplest_between(plane.most, plane.least, not target.is_attained(plane.coefficients))


def simplest_between(low: float, high: Fraction, takes_high: bool = False) -> Fraction:
    """Return the fraction of the smallest denominator that is at least low, up to rounding, and below high.

    >>> simplest_between(0.3333333333333333, Fraction(1, 2)), simplest_between(-1e-17, Fraction(1, 50))
    (Fraction(1, 3), Fraction(0, 1))
    """
    start = min(Fraction(low) - Fraction(1, 10**12), high - Fraction(1, 10**12))
    for denominator in itertools.count(1):
        value = Fraction(-(-start * denominator // 1), denominator)
        if value < high or (takes_high and value == high):
            return value
    raise AssertionError
