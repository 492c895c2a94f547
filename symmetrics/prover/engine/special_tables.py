"""Parameters for which a formula has values, but none at one of the special tables that a claim compares.

The table of ones is such a table, and so is that of balanced classes: what a formula divides by may vanish there for
some parameters, whatever the counts.  The claim then says something else of these than the difference of its sides,
in which the factor has been cancelled.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sympy import Expr, Pow, S, Symbol, cancel

from symmetrics.algebra.convert import Conversion
from symmetrics.algebra.field import Field
from symmetrics.claims import Comparison
from symmetrics.language.condition import condition_text
from symmetrics.language.formula import formula_text
from symmetrics.prover.engine.conditions import coefficient_system, solve_system
from symmetrics.tools.errors import UnsupportedError

__all__ = ["trees_of_divisors"]


def trees_of_divisors(claim: Comparison, field: Field) -> dict[str, Any]:
    """Return why no divisor vanishes at all tables of a side, by its text: a tree of splits for each.

    Parameters for which the formula itself has no value are left out.

    :raises UnsupportedError: if one may vanish for some parameters
    """
    read, trees = Conversion(field), dict[str, Any]()
    symbols = {parameter.symbol for parameter in claim.parameters}
    for formula, table in zip(claim.formulas, claim.tables, strict=True):
        place = dict(zip(claim.arguments, table, strict=True))
        if _have_variables_of_their_own(table, claim.variables):
            continue
        for power in sorted(formula.atoms(Pow), key=str):
            here = power.base.xreplace(place)
            if not power.exp.is_negative or symbols.isdisjoint(power.base.free_symbols | here.free_symbols):
                continue
            system = coefficient_system(field.reduce(read(here)), field)
            solution = solve_system(system, field, claim.denominators)
            if solution.condition is not S.false:
                raise UnsupportedError(
                    f"where {condition_text(solution.condition)}, the metric has no value at one of the tables that "
                    "the property compares; bind the parameter, or narrow its domain"
                )
            trees[formula_text(here)] = solution.tree
    return trees


def _have_variables_of_their_own(table: Sequence[Expr], variables: Sequence[Symbol]) -> bool:
    """Whether each cell depends on a variable that no other does, so that the cells take all values near some.

    With a parameter in a cell this may be so for some values of it alone.
    """
    for place, cell in enumerate(table):
        others = set().union(*(other.free_symbols for number, other in enumerate(table) if number != place))
        is_whole = cell.free_symbols <= set(variables)
        if not is_whole or not any(cancel(cell.diff(own)) != 0 for own in cell.free_symbols - others):
            return False
    return True
