"""Linear inequalities between scores that all tables obey, and so all means of tables, but reported scores do not."""

from __future__ import annotations

import itertools
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from sympy import Add, Rational, S

from symmetrics.auditing.hulls import Group, Plane, Target, planes, separate
from symmetrics.auditing.search import Score, Table
from symmetrics.auditing.sums import are_affine
from symmetrics.claims.verdict import Verdict
from symmetrics.library.selections import as_metric
from symmetrics.query.relations import check_relation, relate
from symmetrics.tools.budget import SECONDS, checkpoint, within
from symmetrics.tools.errors import BudgetError, CertificateError, UnsupportedError

PROOF: Final = 5.0
"""Seconds for the proof of one inequality."""
EXACT: Final = 2.0
"""Seconds for exact values at the tables where the left side is largest, before a larger bound is taken."""


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

    def check(self, seconds: float = SECONDS) -> None:
        """Re-verify the inequality, and that the scores contradict it.

        The checker verifies a proof for every table.  For tables of known sizes the largest of all values is taken
        again; of those that floats cannot tell from it, the exact ones.

        :raises CertificateError: if it does not hold, or the scores do not contradict it
        :raises UnsupportedError: if exact values cannot be compared
        :raises BudgetError: if it takes more time than that
        """
        within(self._verify, seconds=seconds, shown="an inequality between means")

    def _verify(self) -> None:
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
        if (largest - Rational(self.bound)).is_nonpositive is not True:
            raise CertificateError("the inequality does not hold at every table")

    def __str__(self) -> str:
        where = "every table" if self.verdict is not None else "every mean over tables of these sizes"
        target = Target(self.scores)
        least = target.least(self.plane.coefficients)
        relation = "at least" if target.is_attained(self.plane.coefficients) else "more than"
        told = _told(self.scores, self.plane.coefficients)
        return f"{told} <= {self.bound} for {where}, but is {relation} {_decimal(least)} as reported"


def _is_below(bound: Fraction, least: Fraction, is_attained: bool) -> bool:
    return bound < least or (bound == least and not is_attained)


def _largest(proof: Separation, size: tuple[int, int]) -> Any:
    """Return the exact largest value of the left side at the tables of a size at which all scores are defined."""
    group = Group.of(tables_of(size, only_ends=are_affine(proof.scores, [size])), proof.scores, 1)
    heights = group.values @ np.array(list(map(float, proof.plane.coefficients)))
    near = heights >= heights.max() - 1e-6 * (1 + np.abs(group.values).max())
    best: Any = None
    for table in group.tables[near].tolist():
        checkpoint()
        values = exact_values(proof.scores, table)
        if values is not None:
            value = Add(*(Rational(a) * one for a, one in zip(proof.plane.coefficients, values, strict=True)))
            best = value if best is None or value > best else best
    return best


def exact_values(scores: Sequence[Score], table: Sequence[int]) -> list[Any] | None:
    """Return the exact scores at a table; None if one is undefined or infinite."""
    found = []
    for score in scores:
        value = score.metric.exact(*table)
        if score.undefined_is_zero and value is S.NaN:
            value = S.Zero
        if not value.is_finite:
            return None
        found.append(value)
    return found


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


def over_sizes(plane: Plane, target: Target, sizes: tuple[tuple[int, int], ...]) -> Separation | None:
    """Return the inequality for tables of known sizes; where floats do not tell whether it holds, exact values do."""
    most, error = Fraction(plane.most), Fraction(plane.error)
    proof = Separation(plane, _bound_of(plane, target), None, target.scores, sizes)
    if proof.bound - most >= error:
        return proof
    try:
        proof.check(seconds=EXACT)
    except (BudgetError, CertificateError, UnsupportedError):
        if error >= (plane.least - most) / 2:
            return None
        return replace(proof, bound=simplest_between(plane.most + plane.error, plane.least))
    return proof


def tables_of(size: tuple[int, int], *, only_ends: bool = False) -> NDArray[np.int64]:
    """Return all tables of a size, or those at the ends of TP and TN, where affine functions have their extremes."""
    positives, negatives = size
    steps = (positives or 1, negatives or 1) if only_ends else (1, 1)
    ends = (np.arange(0, part + 1, step) for part, step in zip(size, steps, strict=True))
    tp, tn = (part.ravel() for part in np.meshgrid(*ends, indexing="ij"))
    return np.stack([tp, positives - tp, negatives - tn, tn], axis=1)


def proved(scores: tuple[Score, ...], pool: Group, until: float) -> Separation | None:
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
    tp, fn, fp, tn = (Fraction(str(count)) for count in table)
    is_whole = all(count.denominator == 1 for count in (tp, fn, fp, tn))
    return [(int(tp), int(fn), int(fp), int(tn))] if is_whole else []


def _bound_of(plane: Plane, target: Target) -> Fraction:
    """Return the simplest bound between what the tables and what the scores give."""
    return simplest_between(plane.most, plane.least, not target.is_attained(plane.coefficients))


def simplest_between(low: float, high: Fraction, takes_high: bool = False) -> Fraction:
    """Return the fraction of the smallest denominator that is at least low, up to rounding, and below high.

    >>> simplest_between(0.3333333333333333, Fraction(1, 2)), simplest_between(-1e-17, Fraction(1, 50))
    (Fraction(1, 3), Fraction(0, 1))
    """
    start = min(Fraction(low) - Fraction(1, 10**12), high - Fraction(1, 10**12))
    return _simplest(start, high, True, takes_high)


def _simplest(low: Fraction, high: Fraction | None, has_low: bool, has_high: bool) -> Fraction:
    """Return the fraction of the smallest denominator in an interval, by continued fractions; no high is infinity."""
    floor = low.numerator // low.denominator
    whole = floor if has_low and floor == low else floor + 1
    if high is None or whole < high or (has_high and whole == high):
        return Fraction(whole)
    below = whole - 1
    turned = None if low == below else 1 / (low - below)
    return below + 1 / _simplest(1 / (high - below), turned, has_high, has_low)
