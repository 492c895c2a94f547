"""Implications: every metric with certain properties has another one, or is constant, or does not exist.

They are about every function M that has a real value at each table of positive cells, continuous or not.  A proof is a
walk from table to table for each law of the conclusion: every step applies a law of a premise.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import permutations, product
from typing import Any, Final, Self

from sympy import Pow, Symbol

from symmetrics.claims.base import Claim
from symmetrics.claims.families.limits import STEP, FiniteLimit
from symmetrics.claims.theorems.laws import UNIFORM, Instance, Law, read_entry
from symmetrics.language.cells import CELLS, Table
from symmetrics.language.names import CELL_NAMES
from symmetrics.language.writer import formula_text

CONSTANT: Final = "constant"
"""The conclusion that M is constant."""
IMPOSSIBLE: Final = "impossible"
"""The conclusion that no such M exists."""
THE_SAME_EVERYWHERE: Final = Law(CONSTANT, "=", (CELLS, UNIFORM))


@dataclass(frozen=True)
class Walk:
    """Laws of the premises applied in succession, from table to table.

    :param start: the table at which the walk begins
    :param steps: M stays the same at each step, or rises
    """

    start: Table
    steps: tuple[Instance, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the walk as JSON values."""
        return {"start": [formula_text(cell) for cell in self.start], "steps": [step.to_dict() for step in self.steps]}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Rebuild a walk from JSON values."""
        first, second, third, fourth = map(read_entry, data["start"])
        return cls((first, second, third, fourth), tuple(map(Instance.from_dict, data["steps"])))


@dataclass(frozen=True)
class Theorem:
    """An implication between properties, for every metric.

    :param premises: the keys of the properties
    :param conclusion: the key of another property, :data:`CONSTANT` or :data:`IMPOSSIBLE`
    :param walks: one for each law of the conclusion, from its first table to its second; for what is impossible one
        that rises and ends where it began
    :param by: for a conclusion that asks for some direction, exchange or limit, which law gives it
    """

    premises: tuple[str, ...]
    conclusion: str
    walks: tuple[Walk, ...] = field(hash=False)
    by: str = ""

    def __str__(self) -> str:
        return said(self.premises, self.goal)

    @property
    def goal(self) -> str:
        """The key of the laws that are proved."""
        return goal_of(self.conclusion, self.by)

    @property
    def length(self) -> int:
        """Number of applied laws."""
        return sum(len(walk.steps) for walk in self.walks)

    def excludes(self, required: frozenset[str], forbidden: frozenset[str]) -> bool:
        """Whether, by this theorem, only constant metrics have all of some properties and none of others."""
        if not required >= set(self.premises):
            return False
        return self.conclusion in (CONSTANT, IMPOSSIBLE) or self.conclusion in forbidden

    def to_dict(self) -> dict[str, Any]:
        """Return the theorem with its proof as JSON values."""
        return {
            "premises": list(self.premises),
            "conclusion": self.conclusion,
            "walks": [walk.to_dict() for walk in self.walks],
        } | ({"by": self.by} if self.by else {})

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Rebuild a theorem from JSON values."""
        walks = tuple(map(Walk.from_dict, data["walks"]))
        return cls(tuple(data["premises"]), data["conclusion"], walks, data.get("by", ""))


def said(premises: Sequence[str], conclusion: str) -> str:
    """State an implication in words.

    >>> said(["p2", "increasing_tn"], IMPOSSIBLE)
    'no metric has p2 and increasing_tn'
    """
    given = " and ".join(premises)
    if conclusion == IMPOSSIBLE:
        return f"no metric has {given}"
    if conclusion == CONSTANT:
        return f"a metric with {given} is constant"
    return f"a metric with {given} has {conclusion}"


def goal_of(conclusion: str, by: str) -> str:
    """Return the key of a property, or of the single law by which it is shown.

    >>> goal_of("p1", ""), goal_of("translation_space", "(0, 0, 0, 1)")
    ('p1', 'translation_space by (0, 0, 0, 1)')
    """
    return f"{conclusion} by {by}" if by else conclusion


# ----------------------------------------------------------------------------------------------------------------------
# Alternatives: laws any one of which suffices for a property that asks for some direction, exchange or limit.


DIRECTIONS: Final = tuple(
    vector for vector in product((-1, 0, 1), repeat=4) if any(vector) and next(filter(None, vector)) > 0
)


def sufficient_laws(key: str, claim: Claim) -> tuple[Law, ...]:
    """Return the alternative laws that each imply a property; empty if it is of another kind.

    What does not move along a curve tends to its value, which is finite; a direction or an exchange of cells that
    changes nothing is one of those that are asked for.

    :param key: the key of the property
    :param claim: what it says of any metric

    >>> from symmetrics.language.cells import TP
    >>> [law.label for law in sufficient_laws("tn_limit", FiniteLimit(TP, (), (*CELLS[:3], CELLS[3] / STEP)))]
    ['along the curve']
    """
    if isinstance(claim, FiniteLimit) and claim.over == CELL_NAMES:
        return (Law("along the curve", "=", (CELLS, _table(claim.path))),)
    return tuple(_OF.get(key, lambda: iter(()))())


def _translations() -> Iterator[Law]:
    """Yield the laws that M is invariant along a direction of growing cells."""
    for vector in DIRECTIONS:
        if min(vector) >= 0:
            yield Law(_named(vector), "=", (CELLS, _table([cell + k * STEP for cell, k in _each(vector)])))


def _scalings() -> Iterator[Law]:
    for vector in DIRECTIONS:
        yield Law(_named(vector), "=", (CELLS, _table([cell * Pow(STEP, k) for cell, k in _each(vector)])))


def _exchanges() -> Iterator[Law]:
    for table in permutations(CELLS):
        if table != CELLS:
            yield Law(", ".join(cell.name for cell in table), "=", (CELLS, _table(table)))


_OF: Final = {"translation_space": _translations, "scaling_space": _scalings, "symmetry_group": _exchanges}


def _each(vector: tuple[int, ...]) -> Iterator[tuple[Symbol, int]]:
    return zip(CELLS, vector, strict=True)


def _named(vector: tuple[int, ...]) -> str:
    return f"({', '.join(map(str, vector))})"


def _table(cells: tuple[Symbol, ...] | list[Symbol]) -> Table:
    first, second, third, fourth = cells
    return first, second, third, fourth
