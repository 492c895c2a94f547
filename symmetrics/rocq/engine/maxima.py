"""Bounds of formulas with many maxima: why no value is beyond them."""

from __future__ import annotations

from typing import Final

from sympy import Abs, Expr, Integer, Max, Min, Pow, Symbol, log

from symmetrics.language.cells import CELLS
from symmetrics.rocq.engine.lemmas import NotExported
from symmetrics.rocq.engine.lowest_terms import lowest_terms
from symmetrics.rocq.engine.terms import term

__all__ = ["SOME_TABLE", "maxima_script"]

SOME_TABLE: Final = dict(zip(CELLS, map(Integer, (2, 3, 5, 7)), strict=True))
"""A table that tells which sign a divisor has, if it has one."""


def maxima_script(formula: Expr, limit: Expr, side: str, *, strict: bool) -> str:
    """Return the proof that a bound is not exceeded: the formula is a quotient of two sums of cells and maxima of them.

    :param side: ``lower`` or ``upper``
    :raises NotExported: if it is another formula
    """
    names = {node: Symbol(f"({term(node)})", positive=True) for node in sorted(formula.atoms(Max), key=str)}
    above, below = lowest_terms(formula.xreplace(names))
    gens = [*CELLS, *names.values()]
    linear = all(part.is_polynomial(*gens) and part.as_poly(*gens).total_degree() <= 1 for part in (above, below))
    if formula.has(Abs, Min, log) or any(not node.exp.is_Integer for node in formula.atoms(Pow)) or not linear:
        raise NotExported("a bound of a formula of many pieces, or with roots in them")
    if below.xreplace({name: node for node, name in names.items()}).xreplace(SOME_TABLE) < 0:
        above, below = -above, -below
    gap = ((above - limit * below) * (1 if side == "lower" else -1)).expand()
    split = [node for node, name in names.items() if gap.coeff(name) < 0]
    cases = "; ".join(
        f"destruct (max_spec {' '.join(term(part, 3) for part in sorted(node.args, key=str))}) as [[? ?] | [? ?]]"
        for node in split
    )
    lemma = f"{'above' if side == 'lower' else 'below'}_by_quotient{'' if strict else '_weakly'}"
    closing = f"first [lra | {cases}; lra]" if cases else "lra"
    return (
        f"apply ({lemma} _ _ ({term(above)}) ({term(below)})); [maxima; lra | intros ?; fractions | maxima; {closing}]"
    )
