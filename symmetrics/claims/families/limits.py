"""Limits: what a formula tends to along a curve of tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Final, Self

from sympy import Expr, Symbol

from symmetrics.claims.comparison import domain_text
from symmetrics.language.cells import parameter_symbol
from symmetrics.language.formula import RESERVED_PREFIX, check_variables, parse_formula
from symmetrics.language.names import CELL_NAMES
from symmetrics.language.parameter import Parameter, declared_in
from symmetrics.language.writer import formula_text
from symmetrics.tools.errors import FormulaError

STEP: Final[Symbol] = parameter_symbol(RESERVED_PREFIX + "s")
"""The step s of a curve, which tends to zero from above."""


@dataclass(frozen=True)
class FiniteLimit:
    """The limit of M(path) exists and is finite as the step s tends to zero from above, for all positive variables.

    Tables near the end of the curve at which the formula has no real value are left out.

    :param subject: the formula M
    :param parameters: its parameters with their domains
    :param path: the arguments of M, one expression per variable, each a product of powers of s and of a variable
    :param over: the names of the variables, those of the cells by default

    :raises FormulaError: if a variable has no proper name, or that of another variable or a parameter
    """

    kind: ClassVar[str] = "finite limit"

    subject: Expr
    parameters: tuple[Parameter, ...]
    path: tuple[Expr, ...]
    over: tuple[str, ...] = CELL_NAMES

    def __post_init__(self) -> None:
        if self.over != CELL_NAMES:
            check_variables(self.over, [parameter.name for parameter in self.parameters])
        if not self.over or len(self.path) != len(self.over):
            raise FormulaError(f"a curve has one expression for each of {', '.join(self.over) or 'its variables'}")

    @cached_property
    def arguments(self) -> tuple[Symbol, ...]:
        """The variables of the formula, as symbols."""
        return tuple(map(parameter_symbol, self.over))

    @cached_property
    def along(self) -> Expr:
        """The formula on the curve."""
        return self.subject.xreplace(dict(zip(self.arguments, self.path, strict=True)))

    def at(self, values: Mapping[Symbol, Expr]) -> Self:
        """Return the claim for given values of some parameters."""
        left = tuple(p for p in self.parameters if p.symbol not in values)
        return replace(self, subject=self.subject.xreplace(dict(values)), parameters=left)

    def to_dict(self) -> dict[str, Any]:
        """Return the claim as texts, from which :meth:`from_dict` rebuilds it."""
        return {
            "kind": self.kind,
            **({} if self.over == CELL_NAMES else {"variables": list(self.over)}),
            "domain": domain_text(self.over),
            "subject": formula_text(self.subject),
            "parameters": [str(parameter) for parameter in self.parameters],
            "path": [formula_text(cell) for cell in self.path],
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Rebuild a claim from its texts.

        :raises FormulaError: if a text cannot be read
        """
        over = tuple(data.get("variables", CELL_NAMES))
        domain = domain_text(over)
        if data["kind"] != cls.kind or data["domain"] != domain:
            raise FormulaError(f"{data['kind']!r} for {data['domain']!r} is not a {cls.kind} for {domain}")
        parameters = declared_in(data["parameters"])
        path = tuple(parse_formula(cell, (STEP.name,), over) for cell in data["path"])
        names = [parameter.name for parameter in parameters]
        return cls(parse_formula(data["subject"], names, over), parameters, path, over)
