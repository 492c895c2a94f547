"""Claims: what can be asserted of a formula, each with its domain.

A claim is data.  The prover and the checker both start from it and from nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from sympy import Expr, Pow, Symbol

from symmetrics.cells import CELLS, Table
from symmetrics.errors import FormulaError
from symmetrics.formula import formula_text, parameter_symbol, parse_formula
from symmetrics.parameter import Parameter

__all__ = ["Identity", "value_symbol"]

OPEN_ORTHANT: Final = "TP, FN, FP, TN > 0"
"""The default domain: every cell a positive real number."""


def value_symbol(place: int) -> Symbol:
    """Return the symbol that stands for the metric's value at the table of that place in a claim."""
    return Symbol(f"value{place}", real=True)


@dataclass(frozen=True)
class Identity:
    """A relation between the values of one formula at several tables, asserted wherever they are all defined.

    ``relation(M(tables[0]), M(tables[1]), …) = 0`` for all positive cells and auxiliary variables.

    :param subject: the formula M
    :param parameters: its parameters with their domains
    :param tables: the arguments of M, each four expressions in the cells and the auxiliary variables
    :param auxiliary: names of further variables, positive as the cells are
    :param relation: an expression in ``value0``, ``value1``, … that has to vanish
    """

    subject: Expr
    parameters: tuple[Parameter, ...]
    tables: tuple[Table, ...]
    auxiliary: tuple[str, ...] = ()
    relation: Expr = value_symbol(0) - value_symbol(1)

    @cached_property
    def variables(self) -> tuple[Symbol, ...]:
        """The symbols that the claim quantifies over: the cells, then the auxiliary variables."""
        return (*CELLS, *(parameter_symbol(name) for name in self.auxiliary))

    @cached_property
    def sides(self) -> tuple[Expr, ...]:
        """The formula at each of the tables."""
        return tuple(self.subject.xreplace(dict(zip(CELLS, table, strict=True))) for table in self.tables)

    @cached_property
    def difference(self) -> Expr:
        """The expression that the claim says is zero."""
        return self.relation.xreplace({value_symbol(place): side for place, side in enumerate(self.sides)})

    @cached_property
    def denominators(self) -> tuple[Expr, ...]:
        """What the formula, as it is written, divides by, as far as parameters occur in it.

        Where one of them is zero for all counts the formula has no value at all.
        """
        symbols = {parameter.symbol for parameter in self.parameters}
        powers = sorted(self.subject.atoms(Pow), key=str)
        bases = [power.base for power in powers if power.exp.is_negative]
        return tuple(base for base in bases if not symbols.isdisjoint(base.free_symbols))

    def at(self, values: Mapping[Symbol, Expr]) -> Identity:
        """Return the claim for given values of some parameters."""
        left = tuple(p for p in self.parameters if p.symbol not in values)
        return Identity(self.subject.xreplace(dict(values)), left, self.tables, self.auxiliary, self.relation)

    def to_dict(self) -> dict[str, Any]:
        """Return the claim as texts, from which :meth:`from_dict` rebuilds it."""
        return {
            "kind": "identity",
            "domain": OPEN_ORTHANT,
            "subject": formula_text(self.subject),
            "parameters": [str(parameter) for parameter in self.parameters],
            "tables": [[formula_text(cell) for cell in table] for table in self.tables],
            "auxiliary": list(self.auxiliary),
            "relation": formula_text(self.relation),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Identity:
        """Rebuild a claim from its texts.

        :raises FormulaError: if a text cannot be read
        """
        if data["kind"] != "identity" or data["domain"] != OPEN_ORTHANT:
            raise FormulaError(f"{data['kind']!r} for {data['domain']!r} is not an identity for {OPEN_ORTHANT}")
        parameters = tuple(Parameter.parse(text) for text in data["parameters"])
        auxiliary = tuple(data["auxiliary"])
        values = [value_symbol(place).name for place in range(len(data["tables"]))]
        return cls(
            parse_formula(data["subject"], [parameter.name for parameter in parameters]),
            parameters,
            tuple(_table(cells, auxiliary) for cells in data["tables"]),
            auxiliary,
            parse_formula(data["relation"], values),
        )


def _table(cells: list[str], auxiliary: tuple[str, ...]) -> Table:
    first, second, third, fourth = (parse_formula(cell, auxiliary) for cell in cells)
    return first, second, third, fourth
