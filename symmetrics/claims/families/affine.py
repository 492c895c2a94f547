"""Affine function: whether two numbers take the values of one formula to those of another one."""

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
class Affine:
    """There are real numbers a and b with ``M = a*partner + b`` at all positive tables at which both are defined.

    The number a may be zero, so that a constant is an affine function of everything.  For each value of the parameters
    the statement is one of its own, and a and b may be others.

    :param subject: the formula M
    :param parameters: the parameters of both formulas, with their domains
    :param partner: the other formula
    """

    kind: ClassVar[str] = "affine function"

    subject: Expr
    parameters: tuple[Parameter, ...]
    partner: Expr

    def at(self, values: Mapping[Symbol, Expr]) -> Affine:
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
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Affine:
        """Rebuild a claim from its texts.

        :raises FormulaError: if a text cannot be read
        """
        if data["kind"] != cls.kind or data["domain"] != OPEN_ORTHANT:
            raise FormulaError(f"{data['kind']!r} for {data['domain']!r} is not an {cls.kind} for {OPEN_ORTHANT}")
        parameters = declared_in(data["parameters"])
        names = [parameter.name for parameter in parameters]
        subject, partner = (parse_formula(data[key], names) for key in ("subject", "partner"))
        return cls(subject, parameters, partner)
