"""Laws: properties as relations between M at two tables, and their application."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, Self

from sympy import Expr, Integer, Symbol

from symmetrics.claims.base import Claim
from symmetrics.claims.comparison import EQUAL, Comparison, value_symbol
from symmetrics.claims.families.relations import AllOf, AnyOf, Identity
from symmetrics.language.cells import CELLS, Table, parameter_symbol
from symmetrics.language.formula import parse_formula
from symmetrics.language.writer import formula_text

UNIFORM: Final[Table] = (Integer(1), Integer(1), Integer(1), Integer(1))
_CELL: Final = {cell.name: cell for cell in CELLS}
_INVOLUTIONS: Final = (value_symbol(0) + value_symbol(1), value_symbol(0) * value_symbol(1) - 1)
"""M at the second table is -M at the first; or 1/M, so that M is nowhere 0."""
_WORD: Final = re.compile(r"[A-Za-z_]\w*")


@dataclass(frozen=True)
class Law:
    """A relation between M at two tables, as part of a property.

    :param label: which part of the property it is
    :param sign: ``=`` if both values are the same, ``>`` if the second is larger, ``~`` if an involution, one for all
        such laws of the property, leads from each to the other
    :param tables: the two tables, in cells and auxiliary variables, all positive
    """

    label: str
    sign: str
    tables: tuple[Table, Table]


def laws_of(claim: Claim, label: str = "") -> tuple[Law, ...] | None:
    """Return the laws that a claim consists of; None if it is of another form.

    >>> from symmetrics.claims.property import invariance
    >>> from symmetrics.language.cells import FN, FP, TN, TP
    >>> from symmetrics.language.definition import Definition
    >>> [law.sign for law in laws_of(invariance((TN, FP, FN, TP))(Definition("any", TP)))]
    ['=']
    """
    if isinstance(claim, AllOf):
        parts = [laws_of(part, name) for name, part in claim.parts]
        return None if any(part is None for part in parts) else tuple(law for part in parts for law in part or ())
    if not isinstance(claim, Comparison) or len(claim.tables) != 2 or claim.partner is not None:
        return None
    sign = "=" if claim.sign == "=" else ">"
    if claim.sign == ">=" or claim.relation != (EQUAL if sign == "=" else -EQUAL):
        return None
    first, second = claim.tables
    return (Law(label, sign, (_table(first), _table(second))),)


def involutive_laws(claim: Claim) -> tuple[Law, ...] | None:
    """Return the laws by which M is negated, or inverted, at all of some tables; None for other claims.

    >>> from symmetrics.language.cells import TP
    >>> from symmetrics.language.definition import Definition
    >>> from symmetrics.library import properties
    >>> [law.label for law in involutive_laws(properties["antisymmetric"].claim(Definition("any", TP)))]
    ['rows', 'columns']
    """
    if not isinstance(claim, AnyOf):
        return None
    cases = [_involutive(case) for _, case in claim.parts]
    return cases[0] if all(case == cases[0] for case in cases) else None


def _involutive(claim: Claim) -> tuple[Law, ...] | None:
    if not isinstance(claim, AllOf):
        return None
    found = []
    for label, part in claim.parts:
        if not isinstance(part, Identity) or len(part.tables) != 2 or part.partner is not None:
            return None
        first, second = part.tables
        found.append((part.relation, Law(label, "~", (_table(first), _table(second)))))
    relations = {relation for relation, _ in found}
    return tuple(law for _, law in found) if len(relations) == 1 and relations <= {*_INVOLUTIONS} else None


def _table(cells: tuple[Expr, ...]) -> Table:
    first, second, third, fourth = cells
    return first, second, third, fourth


@dataclass(frozen=True)
class Instance:
    """An application of a premise's law to certain tables.

    :param premise: the property whose law it is
    :param label: which of its laws
    :param at: expressions for the variables of the law
    :param forward: whether it leads from its first table to its second
    """

    premise: str
    label: str
    at: Mapping[Symbol, Expr]
    forward: bool = True

    def to_dict(self) -> dict[str, Any]:
        """Return the instance as texts, from which :meth:`from_dict` rebuilds it."""
        at = {symbol.name: formula_text(value) for symbol, value in self.at.items()}
        return {"premise": self.premise, "label": self.label, "at": at, "forward": self.forward}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Rebuild an instance from its texts."""
        at = {_variable(name): read_entry(text) for name, text in data["at"].items()}
        return cls(data["premise"], data["label"], at, data["forward"])


def _variable(name: str) -> Symbol:
    return _CELL.get(name) or parameter_symbol(name)


@lru_cache(maxsize=4096)
def read_entry(text: str) -> Expr:
    """Parse an entry of a table; its variables are cells, and the additional ones of laws.

    >>> sorted(symbol.name for symbol in read_entry("TP + other_t").free_symbols)
    ['TP', 'other_t']
    """
    return parse_formula(text, sorted(set(_WORD.findall(text)) - _CELL.keys() - {"sqrt"}))


def image(table: Table, at: Mapping[Symbol, Expr]) -> Table:
    """Substitute expressions for the variables of a table.

    >>> from symmetrics.language.cells import TP
    >>> image((TP, TP, TP, TP), {TP: TP + 1})
    (TP + 1, TP + 1, TP + 1, TP + 1)
    """
    first, second, third, fourth = (cell.xreplace(dict(at)) for cell in table)
    return first, second, third, fourth
