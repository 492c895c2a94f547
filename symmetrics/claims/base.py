"""The interface of all claims."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Protocol, runtime_checkable

from sympy import Expr, Symbol

from symmetrics.language.parameter import Parameter


@runtime_checkable
class Claim(Protocol):
    """Interface of claims: statements about one formula that are true or false, for each value of its parameters."""

    kind: ClassVar[str]
    """The name of this class of claims in certificates."""

    @property
    def subject(self) -> Expr:
        """The formula."""

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """The parameters of the formula."""

    def __hash__(self) -> int:
        """Equal claims have equal hashes: a claim is a value."""

    def at(self, values: Mapping[Symbol, Expr]) -> Claim:
        """Return the claim for given values of some parameters."""

    def to_dict(self) -> dict[str, Any]:
        """Return the claim as JSON values, from which its class rebuilds it with ``from_dict``."""
