"""Claims on limits along curves, ranges, extremes, definedness and constant baselines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Final, Self

from sympy import Expr, Symbol

from symmetrics.claims.comparison import domain_text
from symmetrics.claims.one_formula import CLOSED_ORTHANT, OneFormula, OneMatrixFormula
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


# -- Ranges: whether the values of a formula are bounded ---------------------------------------------------------------

# The value of a verdict is the range.


class Bounded(OneFormula):
    """M has a finite infimum and a finite supremum over all positive cells at which it has a value."""

    kind = "bounded"


# ----------------------------------------------------------------------------------------------------------------------
# Agreement: whether a formula is extreme exactly where all predictions are right, or all wrong.


class LargestAtAgreement(OneFormula):
    """M has a largest value, and has it at a table where it is defined if and only if FN = FP = 0 there."""

    kind = "largest exactly at agreement"
    domain = CLOSED_ORTHANT


class SmallestAtDisagreement(OneFormula):
    """M has a smallest value, and has it at a table where it is defined if and only if TP = TN = 0 there."""

    kind = "smallest exactly at disagreement"
    domain = CLOSED_ORTHANT


# -- Definedness: whether a formula has a value at all tables, those with zero cells included --------------------------


class DefinedEverywhere(OneFormula):
    """The formula, before simplification, has a real value at every non-zero table of non-negative cells.

    A formula is its SymPy expression, in which equal factors and equal terms have cancelled: TP*FP/FP is TP.
    """

    kind = "defined everywhere"
    domain = CLOSED_ORTHANT


class DefinedAtAllMatrices(OneMatrixFormula):
    """The formula, before simplification, has a real value at every non-zero matrix of non-negative entries."""

    kind = "defined at all matrices"
    domain = "all entries >= 0, not all zero"


# -- Constant baseline: the expected value of a formula for random predictions -----------------------------------------


MARGINS: Final = "1 <= P, OP <= n - 1"


@dataclass(frozen=True)
class ConstantBaseline(OneFormula):
    """E[M] is the same number for all n, P, OP for which it exists, and it exists for some.

    n, P and OP are whole numbers with ``1 <= P, OP <= n - 1``, and TP is hypergeometric: k with the probability
    ``C(P, k)*C(n - P, OP - k)/C(n, OP)``; FN = P - k, FP = OP - k and TN = n - P - OP + k.  The value of M at a table
    with zero cells is its limit from tables of positive cells.  E[M] exists if M has a finite value, or such a limit,
    at every table of positive probability.  Parameter values at which the formula has no value anywhere are left out.

    *Lemma.* Let M be real on the open orthant and affine in TP at fixed margins, and let it be c wherever
    TP*TN = FP*FN.  Then E[M] = c wherever it exists.  *Proof.* M is a + b*TP, where a
    and b depend on the margins alone and have values outside a nowhere dense set of these.  Let e be the mean of the
    tables x_k of n, P, OP, which is independent, and e' another independent table with larger cells.  The cells of
    y_k = x_k + e' - e are positive, all y_k have the margins of e', and their mean is e'; so the mean of M(y_k) is
    M(e') = c for almost all e'.  As e' approaches e, M(y_k) tends to the value of M at x_k; hence E[M] = c.

    :param subject: the formula M
    :param parameters: its parameters with their domains
    """

    kind = "constant baseline"
    domain = MARGINS


class ConstantMatrixBaseline(OneMatrixFormula):
    """E[M] is the same number for all row and column sums for which it exists, and it exists for some.

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
    """

    kind = "constant baseline of matrices"
    domain = "all sums of rows and columns >= 1"
