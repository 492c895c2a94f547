"""Property: a statement about any metric, and the claim that it makes about a given one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sympy import Symbol

from symmetrics.claims import Claim, Identity
from symmetrics.language.cells import CELLS, Table, parameter_symbol
from symmetrics.language.definition import Citation, Definition
from symmetrics.language.formula import RESERVED_PREFIX


@dataclass(frozen=True)
class Property:
    """A statement that every metric satisfies, violates, or satisfies for some of its parameters.

    :param name: the key
    :param statement: the law, in the cells TP, FN, FP, TN and M
    :param claim: returns the claim about one metric
    :param title: the law in words
    :param aliases: other names in the literature
    :param cites: sources of the property
    :param yes: everyday words for a metric that has it, to follow the metric's name
    :param no: everyday words for a metric that lacks it
    :param words: search terms that people may use for it
    """

    name: str
    statement: str
    claim: Callable[[Definition], Claim]
    title: str = ""
    aliases: tuple[str, ...] = ()
    cites: tuple[Citation, ...] = ()
    yes: str = "has the property"
    no: str = "does not have the property"
    words: tuple[str, ...] = ()


def invariance(image: Table, *auxiliary: Symbol) -> Callable[[Definition], Identity]:
    """Return, for each metric, the claim that M has equal values at (TP, FN, FP, TN) and at an image of it.

    :param image: four expressions in the cells and the auxiliary variables
    :param auxiliary: further variables, which are positive
    """
    return Identity.between((CELLS, image), auxiliary)


def changed(cell: str) -> Table:
    """Return the table with one cell replaced by a new variable.

    >>> changed("TN")
    (TP, FN, FP, other_TN)
    """
    first, second, third, fourth = (other(cell) if c.name == cell else c for c in CELLS)
    return first, second, third, fourth


def other(cell: str) -> Symbol:
    """Return the variable for a different value of a cell; no parameter can have its name."""
    return parameter_symbol(RESERVED_PREFIX + cell)
