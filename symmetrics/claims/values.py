"""Claims about the values that a formula takes: that they are bounded, exist, and are best only at agreement."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from sympy import Expr, Symbol

from symmetrics.claims.comparison import OPEN_ORTHANT
from symmetrics.language.formula import formula_text, parse_formula
from symmetrics.language.parameter import Parameter
from symmetrics.tools.errors import FormulaError

__all__ = ["CLOSED_ORTHANT", "Bounded", "DefinedEverywhere", "LargestAtAgreement", "SmallestAtDisagreement"]

CLOSED_ORTHANT = "TP, FN, FP, TN >= 0, not all zero"
"""The domain with its boundary: no cell is negative, and some cell is positive."""


@dataclass(frozen=True)
class _AboutValues:
    """A statement about all values of one formula.

    :param subject: the formula M
    :param parameters: its parameters with their domains
    """

    kind: ClassVar[str]
    domain: ClassVar[str] = CLOSED_ORTHANT

    subject: Expr
    parameters: tuple[Parameter, ...]

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
        if data["kind"] != cls.kind or data["domain"] != cls.domain:
            raise FormulaError(f"{data['kind']!r} for {data['domain']!r} is not {cls.kind!r} for {cls.domain}")
        parameters = tuple(Parameter.parse(text) for text in data["parameters"])
        return cls(parse_formula(data["subject"], [p.name for p in parameters]), parameters)


class Bounded(_AboutValues):
    """M has a finite infimum and a finite supremum over all positive cells at which it has a value."""

    kind = "bounded"
    domain = OPEN_ORTHANT


class DefinedEverywhere(_AboutValues):
    """The formula, as it is shown, has a real value at every table of non-negative cells that is not all zero.

    A formula is its SymPy expression, in which equal factors and equal terms have cancelled: TP*FP/FP is TP.
    """

    kind = "defined everywhere"


class LargestAtAgreement(_AboutValues):
    """M has a largest value, and has it at a table where it is defined if and only if FN = FP = 0 there."""

    kind = "largest exactly at agreement"


class SmallestAtDisagreement(_AboutValues):
    """M has a smallest value, and has it at a table where it is defined if and only if TP = TN = 0 there."""

    kind = "smallest exactly at disagreement"
