"""Combinations: several claims about one formula, of which all, or at least one, have to hold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from sympy import Expr, Symbol

from symmetrics.claims.base import Claim
from symmetrics.claims.comparison import Comparison
from symmetrics.language.names import CELL_NAMES
from symmetrics.language.parameter import Parameter
from symmetrics.tools.errors import FormulaError


@dataclass(frozen=True)
class Combination:
    """Claims about one formula, each under a label.

    :param parts: the claims by label, in the order in which they are decided
    :raises FormulaError: if there is none, or two have the same label
    """

    kind: ClassVar[str]
    parts: tuple[tuple[str, Claim], ...]

    def __post_init__(self) -> None:
        if not self.parts:
            raise FormulaError("a combination of claims needs parts, all about one formula")
        if len({label for label, _ in self.parts}) != len(self.parts):
            raise FormulaError("two parts of a combination have the same label")  # a certificate would drop one of them

    @property
    def subject(self) -> Expr:
        """The formula."""
        return self.parts[0][1].subject

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """The parameters of the formula."""
        return self.parts[0][1].parameters

    def at(self, values: Mapping[Symbol, Expr]) -> Combination:
        """Return the claim for given values of some parameters."""
        return type(self)(tuple((label, part.at(values)) for label, part in self.parts))

    def to_dict(self) -> dict[str, Any]:
        """Return the claim as texts, from which :meth:`from_dict` rebuilds it."""
        return {"kind": self.kind, "parts": {label: part.to_dict() for label, part in self.parts}}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Combination:
        """Rebuild a claim from its texts.

        :raises FormulaError: if a text cannot be read
        """
        from symmetrics.claims.families import claim_from_dict

        parts = tuple((label, claim_from_dict(part)) for label, part in data["parts"].items())
        if any(_about(part) != _about(parts[0][1]) for _, part in parts):
            raise FormulaError("a combination of claims needs parts, all about one formula")
        return cls(parts)


class AllOf(Combination):
    """Every part holds."""

    kind = "all of"


class AnyOf(Combination):
    """At least one part holds."""

    kind = "any of"


def _about(claim: Claim) -> tuple[Expr, tuple[Parameter, ...], tuple[str, ...]]:
    if isinstance(claim, Combination):
        return _about(claim.parts[0][1])
    return claim.subject, claim.parameters, claim.over if isinstance(claim, Comparison) else CELL_NAMES
