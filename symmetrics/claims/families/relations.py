"""Equations between values of a formula at several tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from sympy import Expr, Symbol

from symmetrics.claims.base import Claim
from symmetrics.claims.comparison import Comparison
from symmetrics.claims.one_formula import OneFormula, TwoFormulas
from symmetrics.language.cells import CELLS
from symmetrics.language.names import CELL_NAMES
from symmetrics.language.parameter import Parameter
from symmetrics.tools.errors import FormulaError


class Identity(Comparison):
    """A relation that is zero: ``relation(M(tables[0]), …) = 0``."""

    kind = "identity"
    sign = "="


# -- Inequalities between values of a formula at several tables --------------------------------------------------------


class Inequality(Comparison):
    """A relation that is nowhere negative: ``relation(M(tables[0]), …) >= 0``."""

    kind = "inequality"
    sign = ">="


class StrictInequality(Comparison):
    """A relation that is positive: ``relation(M(tables[0]), …) > 0``."""

    kind = "strict inequality"
    sign = ">"


# -- Affine functions: whether one formula is a*L + b of another formula L ---------------------------------------------


class Affine(TwoFormulas):
    """There are real numbers a and b with ``M = a*partner + b`` at all positive tables at which both are defined.

    The number a may be zero, so that a constant is an affine function of everything.  For each value of the parameters
    the statement is one of its own, and a and b may be others.
    """

    kind = "affine function"


# -- Same order: two formulas that rank all tables alike, or all in reverse --------------------------------------------


@dataclass(frozen=True)
class SameOrder(TwoFormulas):
    """For any two tables at which both formulas are defined, M and the partner are ordered alike.

    ``M(x) < M(y)`` if and only if ``partner(x) < partner(y)``, for all positive cells of x and y; or, *reverse*, if
    and only if ``partner(x) > partner(y)``.

    :param subject: the formula M
    :param parameters: the parameters of both formulas, with their domains
    :param partner: the other formula
    :param reverse: whether the order is the opposite one
    """

    kind = "same order"

    reverse: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Return the claim as texts, from which :meth:`from_dict` rebuilds it."""
        return {**super().to_dict(), "reverse": self.reverse}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Rebuild a claim from its texts.

        :raises FormulaError: if a text cannot be read
        """
        if not isinstance(data["reverse"], bool):
            raise FormulaError(f"{data['reverse']!r} does not say whether the order is the opposite one")
        return replace(super().from_dict(data), reverse=data["reverse"])


# -- Ratios: whether a formula is a quotient of two linear forms in the cells ------------------------------------------

# The value of the verdict is the ratio.


class RatioOfLinearForms(OneFormula):
    """M(x) = <u, x>/<w, x> with u and w that do not depend on the table, and w other than 0.

    It may depend on the parameters what u and w are.  The value is the ratio.
    """

    kind = "ratio of linear forms"

    def part(self, ratio: Expr) -> Identity:
        """Return the claim that M is a given formula."""
        return Identity(self.subject, self.parameters, (CELLS, CELLS), partner=ratio)


# -- Combinations: several claims about one formula, all of which, or at least one, have to hold -----------------------


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
