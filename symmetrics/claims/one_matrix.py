"""Statements about one formula over the entries of a matrix, all of one shape."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isqrt
from typing import Any, Self

from sympy import Symbol

from symmetrics.claims.one_formula import OneFormula
from symmetrics.language.cells import parameter_symbol
from symmetrics.language.formula import check_variables, formula_text, parse_formula
from symmetrics.language.parameter import declared_in
from symmetrics.tools.errors import FormulaError

__all__ = ["OneMatrixFormula"]


@dataclass(frozen=True)
class OneMatrixFormula(OneFormula):
    """A statement about one formula over the entries of a square matrix, rows the actual classes.

    :param subject: the formula M
    :param parameters: its parameters with their domains
    :param over: the names of the entries, row by row; a square number of them
    :raises FormulaError: if they are not those of a matrix, or one has no proper name
    """

    over: tuple[str, ...]

    def __post_init__(self) -> None:
        check_variables(self.over, [parameter.name for parameter in self.parameters])
        if self.classes < 2 or self.classes**2 != len(self.over):
            raise FormulaError(f"{', '.join(self.over)} are not the entries of a square matrix")

    @property
    def classes(self) -> int:
        """The number of classes."""
        return isqrt(len(self.over))

    @property
    def entries(self) -> tuple[Symbol, ...]:
        """The entries row by row, as symbols."""
        return tuple(map(parameter_symbol, self.over))

    def to_dict(self) -> dict[str, Any]:
        """Return the claim as texts, from which :meth:`from_dict` rebuilds it."""
        return {
            "kind": self.kind,
            "variables": list(self.over),
            "domain": self.domain,
            "subject": formula_text(self.subject),
            "parameters": [str(parameter) for parameter in self.parameters],
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Rebuild a claim from its texts.

        :raises FormulaError: if a text cannot be read
        """
        if data["kind"] != cls.kind or data["domain"] != cls.domain:
            raise FormulaError(f"{data['kind']!r} for {data['domain']!r} is not a {cls.kind} for {cls.domain}")
        over, parameters = tuple(data["variables"]), declared_in(data["parameters"])
        return cls(parse_formula(data["subject"], [p.name for p in parameters], over), parameters, over)
