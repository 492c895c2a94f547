"""Base classes of claims about one formula and its parameters, or about two formulas."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import isqrt
from typing import Any, ClassVar, Final, Self

from sympy import Expr, Symbol

from symmetrics.claims.comparison import OPEN_ORTHANT
from symmetrics.language.cells import CELLS, parameter_symbol
from symmetrics.language.formula import check_variables, parse_formula
from symmetrics.language.names import CELL_NAMES
from symmetrics.language.parameter import Parameter, declared_in
from symmetrics.language.writer import formula_text
from symmetrics.tools.errors import FormulaError

CLOSED_ORTHANT: Final = "TP, FN, FP, TN >= 0, not all zero"
"""The domain with its boundary: no cell is negative, and some cell is positive."""


@dataclass(frozen=True)
class OneFormula:
    """A claim about one formula and its parameters, with a domain that is fixed by the class of the claim.

    :param subject: the formula M
    :param parameters: its parameters with their domains
    """

    kind: ClassVar[str]
    domain: ClassVar[str] = OPEN_ORTHANT

    subject: Expr
    parameters: tuple[Parameter, ...]

    @property
    def arguments(self) -> tuple[Symbol, ...]:
        """The variables of the formula, as symbols."""
        return CELLS

    def at(self, values: Mapping[Symbol, Expr]) -> Self:
        """Return the claim for given values of some parameters."""
        left = tuple(p for p in self.parameters if p.symbol not in values)
        return replace(self, subject=self.subject.xreplace(dict(values)), parameters=left)

    def to_dict(self) -> dict[str, Any]:
        """Return the claim as texts, from which :meth:`from_dict` rebuilds it."""
        return {
            "kind": self.kind,
            "domain": self.domain,
            "subject": formula_text(self.subject),
            "parameters": [str(parameter) for parameter in self.parameters],
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Rebuild a claim from its texts.

        :raises FormulaError: if a text cannot be read
        """
        return cls(*cls._read(data, CELL_NAMES))

    @classmethod
    def _read(cls, data: Mapping[str, Any], over: tuple[str, ...]) -> tuple[Expr, tuple[Parameter, ...]]:
        """Parse the formula and its parameters, given the names of its variables."""
        if data["kind"] != cls.kind or data["domain"] != cls.domain:
            article = "an" if cls.kind.startswith("a") else "a"
            raise FormulaError(f"{data['kind']!r} for {data['domain']!r} is not {article} {cls.kind} for {cls.domain}")
        parameters = declared_in(data["parameters"])
        return parse_formula(data["subject"], [p.name for p in parameters], over), parameters


@dataclass(frozen=True)
class TwoFormulas(OneFormula):
    """A claim about two formulas over the cells with common parameters.

    :param subject: the formula M
    :param parameters: the parameters of both formulas, with their domains
    :param partner: the other formula
    """

    partner: Expr

    def at(self, values: Mapping[Symbol, Expr]) -> Self:
        """Return the claim for given values of some parameters."""
        return replace(super().at(values), partner=self.partner.xreplace(dict(values)))

    def to_dict(self) -> dict[str, Any]:
        """Return the claim as texts, from which :meth:`from_dict` rebuilds it."""
        return {**super().to_dict(), "partner": formula_text(self.partner)}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Rebuild a claim from its texts.

        :raises FormulaError: if a text cannot be read
        """
        subject, parameters = cls._read(data, CELL_NAMES)
        return cls(subject, parameters, parse_formula(data["partner"], [parameter.name for parameter in parameters]))


# -- Claims about one formula over the entries of a matrix -------------------------------------------------------------


@dataclass(frozen=True)
class OneMatrixFormula(OneFormula):
    """A claim about one formula over the entries of a square matrix, whose rows are the true classes.

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
    def arguments(self) -> tuple[Symbol, ...]:
        """The entries row by row, as symbols."""
        return tuple(map(parameter_symbol, self.over))

    def to_dict(self) -> dict[str, Any]:
        """Return the claim as texts, from which :meth:`from_dict` rebuilds it."""
        return {**super().to_dict(), "variables": list(self.over)}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Rebuild a claim from its texts.

        :raises FormulaError: if a text cannot be read
        """
        over = tuple(data["variables"])
        return cls(*cls._read(data, over), over)
