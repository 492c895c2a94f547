"""Implications: whatever metric has some properties has another one, or is constant, or does not exist.

They are about every function M that has a real value at each table of positive cells, continuous or not.  A proof is a
walk from table to table for each law of the conclusion: every step applies a law of a premise.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Self

from symmetrics.claims.theorems.laws import UNIFORM, Instance, Law, read_entry
from symmetrics.language.cells import CELLS, Table
from symmetrics.language.writer import formula_text

CONSTANT: Final = "constant"
"""The conclusion that M has one value."""
IMPOSSIBLE: Final = "impossible"
"""The conclusion that there is no such M."""
THE_SAME_EVERYWHERE: Final = Law(CONSTANT, "=", (CELLS, UNIFORM))


@dataclass(frozen=True)
class Walk:
    """Laws of the premises applied one after the other.

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
    """What follows from some properties, for every metric that has them.

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
        """Under which key the laws that are proved stand."""
        return goal_of(self.conclusion, self.by)

    @property
    def length(self) -> int:
        """How many laws are applied."""
        return sum(len(walk.steps) for walk in self.walks)

    def excludes(self, required: frozenset[str], forbidden: frozenset[str]) -> bool:
        """Whether no metric but a constant has all of some properties and none of others, by this theorem."""
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
    """Return in words what follows from premises.

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
    """Return the key of a property, or of the one law by which it is shown.

    >>> goal_of("p1", ""), goal_of("translation_space", "(0, 0, 0, 1)")
    ('p1', 'translation_space by (0, 0, 0, 1)')
    """
    return f"{conclusion} by {by}" if by else conclusion
