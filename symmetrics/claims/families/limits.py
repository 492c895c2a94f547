"""Limits: what a formula tends to along a curve of tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Final, Self

from sympy import Expr, Symbol

from symmetrics.claims.comparison import OPEN_ORTHANT
from symmetrics.language.cells import CELLS, Table
from symmetrics.language.formula import RESERVED_PREFIX, formula_text, parameter_symbol, parse_formula
from symmetrics.language.parameter import Parameter
from symmetrics.tools.errors import FormulaError

__all__ = ["STEP", "FiniteLimit"]

STEP: Final[Symbol] = parameter_symbol(RESERVED_PREFIX + "s")
"""The step s of a curve, which tends to zero from above."""


@dataclass(frozen=True)
class FiniteLimit:
    """The limit of M(path) exists and is finite as the step s tends to zero from above, for all positive cells.

    Tables near the end of the curve at which the formula has no real value are left out.

    :param subject: the formula M
    :param parameters: its parameters with their domains
    :param path: the arguments of M, four expressions in the cells and s, each a product of powers of s and of a cell
    """

    kind: ClassVar[str] = "finite limit"

    subject: Expr
    parameters: tuple[Parameter, ...]
    path: Table

    @cached_property
    def along(self) -> Expr:
        """The formula on the curve."""
        return self.subject.xreplace(dict(zip(CELLS, self.path, strict=True)))

    def at(self, values: Mapping[Symbol, Expr]) -> Self:
        """Return the claim for given values of some parameters."""
        left = tuple(p for p in self.parameters if p.symbol not in values)
        return replace(self, subject=self.subject.xreplace(dict(values)), parameters=left)

    def to_dict(self) -> dict[str, Any]:
        """Return the claim as texts, from which :meth:`from_dict` rebuilds it."""
        return {
            "kind": self.kind,
            "domain": OPEN_ORTHANT,
            "subject": formula_text(self.subject),
            "parameters": [str(parameter) for parameter in self.parameters],
            "path": [formula_text(cell) for cell in self.path],
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Rebuild a claim from its texts.

        :raises FormulaError: if a text cannot be read
        """
        if data["kind"] != cls.kind or data["domain"] != OPEN_ORTHANT:
            raise FormulaError(f"{data['kind']!r} for {data['domain']!r} is not a {cls.kind} for {OPEN_ORTHANT}")
        parameters = tuple(Parameter.parse(text) for text in data["parameters"])
        first, second, third, fourth = (parse_formula(cell, (STEP.name,)) for cell in data["path"])
        names = [parameter.name for parameter in parameters]
        return cls(parse_formula(data["subject"], names), parameters, (first, second, third, fourth))
