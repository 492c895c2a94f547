"""Statements about one formula over the entries of a matrix, all of one shape."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isqrt
from typing import Any, Self

from sympy import Symbol

from symmetrics.claims.one_formula import OneFormula
from symmetrics.language.cells import parameter_symbol
from symmetrics.language.formula import check_variables
from symmetrics.tools.errors import FormulaError


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
