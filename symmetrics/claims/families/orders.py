"""Same order: two formulas that rank all tables alike, or all of them the other way round."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from sympy import Expr, Symbol

from symmetrics.claims.comparison import OPEN_ORTHANT
from symmetrics.language.formula import parse_formula
from symmetrics.language.parameter import Parameter, declared_in
from symmetrics.language.writer import formula_text
from symmetrics.tools.errors import FormulaError


@dataclass(frozen=True)
class SameOrder:
    """Of any two tables at which both formulas are defined, M is larger at the one at which the partner is.

    ``M(x) < M(y)`` if and only if ``partner(x) < partner(y)``, for all positive cells of x and y; or, *reverse*, if
    and only if ``partner(x) > partner(y)``.

    :param subject: the formula M
    :param parameters: the parameters of both formulas, with their domains
    :param partner: the other formula
    :param reverse: whether the order is the opposite one
    """

    kind: ClassVar[str] = "same order"

    subject: Expr
    parameters: tuple[Parameter, ...]
    partner: Expr
    reverse: bool = False

    def at(self, values: Mapping[Symbol, Expr]) -> SameOrder:
        """Return the claim for given values of some parameters."""
        left = tuple(p for p in self.parameters if p.symbol not in values)
        bound = dict(values)
        return replace(
            self, subject=self.subject.xreplace(bound), parameters=left, partner=self.partner.xreplace(bound)
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the claim as texts, from which :meth:`from_dict` rebuilds it."""
        return {
            "kind": self.kind,
            "domain": OPEN_ORTHANT,
            "subject": formula_text(self.subject),
            "parameters": [str(parameter) for parameter in self.parameters],
            "partner": formula_text(self.partner),
            "reverse": self.reverse,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> SameOrder:
        """Rebuild a claim from its texts.

        :raises FormulaError: if a text cannot be read
        """
        if data["kind"] != cls.kind or data["domain"] != OPEN_ORTHANT or not isinstance(data["reverse"], bool):
            raise FormulaError(f"{data['kind']!r} for {data['domain']!r} is not a {cls.kind} for {OPEN_ORTHANT}")
        parameters = declared_in(data["parameters"])
        names = [parameter.name for parameter in parameters]
        subject, partner = (parse_formula(data[key], names) for key in ("subject", "partner"))
        return cls(subject, parameters, partner, data["reverse"])
