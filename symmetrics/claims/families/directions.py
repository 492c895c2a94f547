"""Directions along which a formula is invariant: translations (v added to the cells) or scalings (cells times s**v).

The claims ask for more than yes or no: the value of a verdict is the space of these directions.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Final

from sympy import Expr, S, sympify

from symmetrics.claims.families.relations import Identity
from symmetrics.claims.one_formula import OneFormula
from symmetrics.language.cells import CELLS, Table, parameter_symbol
from symmetrics.language.formula import RESERVED_PREFIX, parse_formula
from symmetrics.language.writer import formula_text
from symmetrics.tools.errors import FormulaError, shortened

Vector = tuple[int, int, int, int]
"""An integer direction, in the order TP, FN, FP, TN."""
Direction = tuple[Expr, Expr, Expr, Expr]
"""A direction with entries that are integers or polynomials in the parameters."""
STEP: Final = parameter_symbol(RESERVED_PREFIX + "s")


class DirectionSpace(OneFormula, ABC):
    """Some direction v other than 0 leaves M unchanged.

    The value is a basis of the space of these directions.  With parameters it is a question for each of their values:
    the directions may depend on the parameters, as (0, 1 - c, -c, 2*c - 1) does, and where their number changes the
    value says so case by case.  The claim is proved if there is a direction for every value, not one for all.
    """

    def part(self, direction: Sequence[Expr | int]) -> Identity:
        """Return the claim that M is invariant along one direction.

        Steps are taken off one table and not added to the other, so that both hold positive cells alone.  The sign of
        an entry with parameters may not be known: it is added to one table, and the claim is then about all tables at
        which M has a value, positive or not, which is more than is needed.
        """
        entries = [sympify(entry) for entry in direction]
        forward = self.image([entry if entry.free_symbols else max(entry, S.Zero) for entry in entries])
        backward = self.image([S.Zero if entry.free_symbols else max(-entry, S.Zero) for entry in entries])
        return Identity(self.subject, self.parameters, (backward, forward), (STEP,))

    @abstractmethod
    def image(self, steps: Sequence[Expr]) -> Table:
        """Return the table reached by the given steps along a direction."""


class TranslationSpace(DirectionSpace):
    """M(x + s*v) = M(x) for some v other than 0, for all tables x and x + s*v at which M has a value."""

    kind = "translation space"

    def image(self, steps: Sequence[Expr]) -> Table:
        """Return the table x + s*v."""
        return _table(cell + count * STEP for cell, count in zip(CELLS, steps, strict=True))


class ScalingSpace(DirectionSpace):
    """M(x_i * s**v_i) = M(x) for some v other than 0 and all s > 0, wherever M has a value at both tables."""

    kind = "scaling space"

    def image(self, steps: Sequence[Expr]) -> Table:
        """Return the table of all x_i * s**v_i."""
        return _table(cell * STEP**count for cell, count in zip(CELLS, steps, strict=True))


def vector_text(direction: Iterable[Expr | int]) -> str:
    """Write a direction.

    >>> w = parameter_symbol("w")
    >>> vector_text((1, 0, 0, -1)), vector_text((0, 1 - w, -w, 2 * w - 1))
    ('(1, 0, 0, -1)', '(0, 1 - w, -w, 2*w - 1)')
    """
    return f"({', '.join(formula_text(sympify(entry)) for entry in direction)})"


def direction_of(text: str, names: Iterable[str]) -> Direction:
    """Read what :func:`vector_text` writes.

    :param names: the names of the parameters
    :raises FormulaError: if it is not four entries in parentheses that can be read

    >>> direction_of("(1, 0, 0, -1)", ())
    (1, 0, 0, -1)
    """
    entries = text.removeprefix("(").removesuffix(")").split(", ")
    if len(entries) != len(CELLS) or text != f"({', '.join(entries)})":
        raise FormulaError(f"{shortened(text)!r} is not a direction: write four entries, as in (1, 0, 0, -1)")
    known = tuple(names)
    first, second, third, fourth = (parse_formula(entry, known) for entry in entries)
    return first, second, third, fourth


def _table(cells: Iterable[Expr]) -> Table:
    first, second, third, fourth = cells
    return first, second, third, fourth
