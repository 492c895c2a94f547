"""That no parameters take the value of a formula away at the special tables of a claim alone, re-verified."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sympy import Expr, Pow, cancel, preorder_traversal

from symmetrics.checker.engine.coefficients import coefficients_of
from symmetrics.checker.engine.fractions import Arithmetic, Quotient
from symmetrics.checker.engine.requirements import require
from symmetrics.checker.engine.solutions import divisors_of
from symmetrics.checker.engine.splits import walk
from symmetrics.claims import Identity
from symmetrics.language.formula import formula_text

__all__ = ["check_divisors"]


def check_divisors(claim: Identity, trees: Mapping[str, Any], arithmetic: Arithmetic) -> None:
    """Check that no divisor of a side vanishes at all of its tables, unless the formula has no value at all then.

    :param trees: for each such divisor, by its text, why its coefficients do not vanish together
    """
    for divisor in _divisors_at_special_tables(claim):
        tree = trees.get(formula_text(divisor))
        require(tree is not None, "a divisor at a special table may vanish for some parameters")
        value = arithmetic.evaluate(divisor)
        equations = coefficients_of(arithmetic, Quotient(*value.top.cancel(value.bottom)).top)
        branches = walk(tree or {}, equations, divisors_of(claim), arithmetic)
        require(not branches, "a divisor vanishes at a special table for some parameters")


def _divisors_at_special_tables(claim: Identity) -> Iterator[Expr]:
    """Yield what is divided by at tables whose cells depend on each other, or on no cell at all."""
    declared = {p.symbol for p in claim.parameters}
    for formula, table in zip(claim.formulas, claim.tables, strict=True):
        if all(_is_free(cell, [*table[:place], *table[place + 1 :]], claim) for place, cell in enumerate(table)):
            continue
        swap = dict(zip(claim.arguments, table, strict=True))
        for node in preorder_traversal(formula):
            here = node.xreplace(swap).free_symbols | node.free_symbols
            if isinstance(node, Pow) and node.exp.is_negative and here & declared:
                yield node.base.xreplace(swap)


def _is_free(cell: Expr, others: list[Expr], claim: Identity) -> bool:
    """Whether a cell changes with a variable with which none of the others does, whatever the parameters are."""
    return not any(cell.has(parameter.symbol) for parameter in claim.parameters) and any(
        cancel(cell.diff(variable)) != 0 and not any(other.has(variable) for other in others)
        for variable in claim.variables
    )
