"""Property: a sentence about metrics, and how it becomes a claim about one of them."""

from __future__ import annotations

from dataclasses import dataclass

from symmetrics.cells import CELLS, Table
from symmetrics.claims import Identity
from symmetrics.definition import Citation, Definition
from symmetrics.formula import RESERVED_PREFIX, parameter_symbol

__all__ = ["Property", "changed", "other"]


@dataclass(frozen=True)
class Property:
    """A statement that every metric satisfies, violates, or satisfies for some of its parameters.

    :param name: the key
    :param statement: the law, in the cells TP, FN, FP, TN and M
    :param image: the table at which M is compared with its value at (TP, FN, FP, TN)
    :param auxiliary: the names that *image* uses beside the cells; they are positive
    :param title: the law in words
    :param aliases: other names in the literature
    :param cites: where the property stands
    """

    name: str
    statement: str
    image: Table
    auxiliary: tuple[str, ...] = ()
    title: str = ""
    aliases: tuple[str, ...] = ()
    cites: tuple[Citation, ...] = ()

    def claim(self, metric: Definition) -> Identity:
        """Return what the property says about one metric."""
        return Identity(metric.expr, metric.parameters, (CELLS, self.image), self.auxiliary)


def changed(cell: str) -> Table:
    """Return the table with one cell replaced by a new variable.

    >>> changed("TN")
    (TP, FN, FP, other_TN)
    """
    first, second, third, fourth = (parameter_symbol(other(cell)) if c.name == cell else c for c in CELLS)
    return first, second, third, fourth


def other(cell: str) -> str:
    """Return the name of the variable that stands for another value of a cell; no parameter can have it."""
    return RESERVED_PREFIX + cell
