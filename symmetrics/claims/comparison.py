"""Comparisons: base of equations and inequalities between values at several tables."""

from __future__ import annotations

import keyword
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Final, Literal, Protocol, Self

from sympy import Expr, Pow, Symbol

from symmetrics.language.cells import CELLS, parameter_symbol
from symmetrics.language.formula import CONSTANTS, FUNCTIONS, check_variables, parse_formula
from symmetrics.language.names import CELL_NAMES
from symmetrics.language.parameter import Parameter, declared_in
from symmetrics.language.writer import formula_text
from symmetrics.tools.errors import FormulaError

OPEN_ORTHANT: Final = "TP, FN, FP, TN > 0"
"""The default domain: every cell a positive real number."""
Sign = Literal["=", ">", ">="]
Arguments = tuple[Expr, ...]
"""A table as expressions: one for each variable of a formula, in order."""


def domain_text(over: Iterable[str]) -> str:
    """Write that all variables are positive."""
    return f"{', '.join(over)} > 0"


def value_symbol(place: int) -> Symbol:
    """Return the symbol that stands for the metric's value at the claim's table of that index."""
    return Symbol(f"value{place}", real=True)


EQUAL: Final = value_symbol(0) - value_symbol(1)
"""The relation that vanishes where the values at the first two tables are equal."""


class _Metric(Protocol):
    """Keyword arguments of a comparison that describe the metric."""

    @property
    def expr(self) -> Expr:
        """The formula."""

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """Its parameters."""


@dataclass(frozen=True)
class Comparison:
    """A relation between the values of a formula at several tables, asserted wherever they are all defined.

    ``relation(M(tables[0]), M(tables[1]), …) = 0``, or ``> 0``, or ``>= 0``, for all positive real values of the
    variables of M and of the auxiliary ones.  M is a formula over the four cells unless other variables are named.  A
    counterexample gives each variable a positive number: a whole one to cells where there is such, a rational one to
    other variables.

    :param subject: the formula M
    :param parameters: its parameters with their domains
    :param tables: the arguments of M, each an expression per variable, in the variables, the auxiliary ones and the
        parameters
    :param auxiliary: further variables, positive as well, as symbols that :func:`parameter_symbol` makes
    :param relation: an expression in ``value0``, ``value1``, … that is compared with zero
    :param partner: another formula, which takes the place of M at the last table
    :param over: the names of the variables of M and of its partner

    :raises FormulaError: if a variable has no proper name, or that of another variable or a parameter, or if more is
        assumed of an auxiliary one than that it is real

    >>> from symmetrics.claims.families.relations import Identity
    >>> from sympy import symbols
    >>> p, q = symbols("p q", real=True)
    >>> Identity((p + q) ** 2, (), ((p, q), (p, q)), partner=p**2 + 2*p*q + q**2, over=("p", "q")).variables
    (p, q)
    """

    kind: ClassVar[str]
    sign: ClassVar[Sign]

    subject: Expr
    parameters: tuple[Parameter, ...]
    tables: tuple[Arguments, ...]
    auxiliary: tuple[Symbol, ...] = ()
    relation: Expr = EQUAL
    partner: Expr | None = None
    over: tuple[str, ...] = CELL_NAMES

    def __post_init__(self) -> None:
        if not self.over:
            raise FormulaError("a claim needs a variable that it is about")
        parameters = [parameter.name for parameter in self.parameters]
        _check_auxiliary(self.auxiliary, {*self.over, *parameters})
        if self.over != CELL_NAMES:
            check_variables(self.over, parameters)
        if any(len(table) != len(self.over) for table in self.tables):
            raise FormulaError(f"a table of the claim has not one expression for each of {', '.join(self.over)}")

    @classmethod
    def between(
        cls, tables: tuple[Arguments, ...], auxiliary: tuple[Symbol, ...] = (), relation: Expr = EQUAL
    ) -> Callable[[_Metric], Self]:
        """Return, for each metric, the claim on its values at several tables that a property makes."""
        return lambda metric: cls(metric.expr, metric.parameters, tables, auxiliary, relation)

    @cached_property
    def arguments(self) -> tuple[Symbol, ...]:
        """The variables of the formula, as symbols."""
        return CELLS if self.over == CELL_NAMES else tuple(map(parameter_symbol, self.over))

    @cached_property
    def variables(self) -> tuple[Symbol, ...]:
        """The symbols that the claim quantifies over: the variables of the formula, then the auxiliary ones."""
        return (*self.arguments, *self.auxiliary)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of these variables."""
        return (*self.over, *(symbol.name for symbol in self.auxiliary))

    @cached_property
    def sides(self) -> tuple[Expr, ...]:
        """The formula at each of the tables."""
        return tuple(
            formula if table == self.arguments else formula.xreplace(dict(zip(self.arguments, table, strict=True)))
            for formula, table in zip(self.formulas, self.tables, strict=True)
        )

    @property
    def formulas(self) -> tuple[Expr, ...]:
        """The formula whose value is taken at each of the tables."""
        last = self.subject if self.partner is None else self.partner
        return (*(self.subject for _ in self.tables[1:]), last)

    @cached_property
    def difference(self) -> Expr:
        """The expression that the claim compares with zero."""
        return self.relation.xreplace({value_symbol(place): side for place, side in enumerate(self.sides)})

    @cached_property
    def denominators(self) -> tuple[Expr, ...]:
        """Divisors in the formula, before simplification, that contain parameters.

        Where one of them is zero for all counts the formula has no value at all.
        """
        symbols = {parameter.symbol for parameter in self.parameters}
        if not symbols:
            return ()
        powers = {power for formula in self.formulas for power in formula.atoms(Pow) if power.exp.is_negative}
        own = [power for power in powers if not symbols.isdisjoint(power.base.free_symbols)]
        return tuple(power.base for power in sorted(own, key=str))

    def at(self, values: Mapping[Symbol, Expr]) -> Self:
        """Return the claim for given values of some parameters."""
        left = tuple(p for p in self.parameters if p.symbol not in values)
        partner = None if self.partner is None else self.partner.xreplace(dict(values))
        tables = tuple(tuple(cell.xreplace(dict(values)) for cell in table) for table in self.tables)
        return replace(
            self, subject=self.subject.xreplace(dict(values)), parameters=left, tables=tables, partner=partner
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the claim as texts, from which :meth:`from_dict` rebuilds it."""
        return {
            "kind": self.kind,
            **({} if self.over == CELL_NAMES else {"variables": list(self.over)}),
            "domain": domain_text(self.over),
            "subject": formula_text(self.subject),
            "parameters": [str(parameter) for parameter in self.parameters],
            "tables": [[formula_text(cell) for cell in table] for table in self.tables],
            "auxiliary": [symbol.name for symbol in self.auxiliary],
            "relation": formula_text(self.relation),
        } | ({} if self.partner is None else {"partner": formula_text(self.partner)})

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Rebuild a claim from its texts.

        :raises FormulaError: if a text cannot be read
        """
        over = tuple(data.get("variables", CELL_NAMES))
        domain = domain_text(over)
        if data["kind"] != cls.kind or data["domain"] != domain:
            raise FormulaError(f"{data['kind']!r} for {data['domain']!r} is not an {cls.kind} for {domain}")
        parameters = declared_in(data["parameters"])
        names = [parameter.name for parameter in parameters]
        auxiliary = tuple(data["auxiliary"])
        values = [value_symbol(place).name for place in range(len(data["tables"]))]
        return cls(
            parse_formula(data["subject"], names, over),
            parameters,
            tuple(tuple(parse_formula(cell, (*auxiliary, *names), over) for cell in cells) for cells in data["tables"]),
            tuple(map(parameter_symbol, auxiliary)),
            parse_formula(data["relation"], values),
            parse_formula(data["partner"], names, over) if "partner" in data else None,
            over,
        )


def _check_auxiliary(variables: Iterable[Symbol], taken: set[str]) -> None:
    """Refuse auxiliary variables that are not plain symbols, or whose names are ambiguous or unused.

    A symbol that SymPy takes for negative would be positive in the claim, and real in its certificate.
    """
    for variable in variables:
        if type(variable) is not Symbol:
            raise FormulaError(f"auxiliary variables are symbols, not {variable!r}; write parameter_symbol('t')")
        name = variable.name
        if variable.assumptions0 != CELLS[0].assumptions0:
            raise FormulaError(
                f"auxiliary variable {name!r}: SymPy has to take it for a real number and nothing more; write "
                f"parameter_symbol({name!r})"
            )
        if not (name.isascii() and name.isidentifier()) or keyword.iskeyword(name) or name in {*CONSTANTS, *FUNCTIONS}:
            raise FormulaError(
                f"auxiliary variable {name!r}: a name is letters, digits and underscores, and that of no function"
            )
        if name in taken:
            raise FormulaError(f"auxiliary variable {name!r}: a variable or a parameter has that name")
        taken.add(name)
