"""Constant baseline of many classes: what a formula over a matrix is worth on average for random predictions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isqrt
from typing import Any, ClassVar, Final, Self

from sympy import Symbol

from symmetrics.claims.one_formula import OneFormula
from symmetrics.language.cells import parameter_symbol
from symmetrics.language.formula import check_variables, formula_text, parse_formula
from symmetrics.language.parameter import declared_in
from symmetrics.tools.errors import FormulaError

__all__ = ["ConstantMatrixBaseline"]

MARGINS: Final = "all sums of rows and of columns >= 1"


@dataclass(frozen=True)
class ConstantMatrixBaseline(OneFormula):
    """E[M] is the same number for all sums of rows and columns for which it exists, and it exists for some.

    The sums ``r[i]`` of the rows and ``c[j]`` of the columns are whole numbers of at least 1 with one total n.  The n
    predictions are in a random order, so that a matrix C of whole numbers with these sums has the probability
    ``prod(r[i]!)*prod(c[j]!)/(n!*prod(C[i, j]!))``.  The value of M at a matrix with zeros is its limit from matrices
    of positive entries.  E[M] exists if M has a finite value, or such a limit, at every matrix of positive probability.

    *Lemma.* Let M be real at positive matrices and affine in C at fixed sums, and let it be c at every matrix
    ``r[i]*c[j]``.  Then E[M] = c wherever it exists.  *Proof.* That of :class:`ConstantBaseline`: M is an affine
    function of C whose coefficients depend on the sums alone, and have values outside a nowhere dense set of these.
    Let e be the mean of the matrices x of given sums, ``r[i]*c[j]/n``, and e' another matrix of rank one with larger
    entries.  The entries of y = x + e' - e are positive, all y have the sums of e', and their mean is e'; so the mean
    of M(y) is M(e') = c for almost all e'.  As e' approaches e, M(y) tends to the value of M at x; hence E[M] = c.

    :param subject: the formula M
    :param parameters: its parameters with their domains
    :param over: the names of the entries, row by row; a square number of them
    :raises FormulaError: if they are not those of a matrix, or one has no proper name
    """

    kind: ClassVar[str] = "constant baseline of matrices"
    domain: ClassVar[str] = MARGINS

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
