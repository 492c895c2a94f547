"""Formulas near a formula: one part of it replaced, left out or weighted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from sympy import Add, Expr, Max, Min, Mul, Pow, Rational, S

from symmetrics.language.cells import CELLS, FN, FP, ON, OP, TN, TP, N, P, n
from symmetrics.language.formula import formula_text
from symmetrics.language.parameter import Parameter

__all__ = ["WEIGHT", "Edit", "edits_of"]

WEIGHT: Final = Parameter("weight", 0)
"""What an edit leaves open; for which values the result has a property is solved for."""
_SUMS: Final = (P, N, OP, ON, TP + TN, FN + FP, n)
"""Sums of cells that have names: margins, the right and the wrong predictions, all."""
_HALF: Final = Rational(1, 2)
_POWERS: Final = {S.One: (_HALF, S(2)), _HALF: (S.One,), S(2): (S.One,), -_HALF: (-S.One,)}


@dataclass(frozen=True)
class Edit:
    """A formula that differs from another in one place.

    :param formula: with :data:`WEIGHT` as a symbol if a weight is left open
    :param how: what was done, in words
    """

    formula: Expr
    how: str


def edits_of(formula: Expr) -> Iterator[Edit]:
    """Yield the formulas that are one edit away, each once.

    A cell or a sum of cells becomes another, or gets a weight; two cells are exchanged throughout; a term or a factor
    is left out; a sum becomes a product, a minimum a maximum, and back; a root is taken or undone.

    >>> [str(edit.formula) for edit in edits_of(TP / P) if edit.how == "FN and FP exchanged"]
    ['TP/(FP + TP)']
    """
    seen = {formula}
    for edit in (*_exchanges(formula), *_everywhere(formula, formula)):
        if edit.formula not in seen and not edit.formula.has(S.NaN, S.ComplexInfinity, S.Infinity, S.NegativeInfinity):
            seen.add(edit.formula)
            yield edit


def _exchanges(formula: Expr) -> Iterator[Edit]:
    for one, other in combinations(CELLS, 2):
        yield Edit(formula.xreplace({one: other, other: one}), f"{one} and {other} exchanged")


def _everywhere(node: Expr, whole: Expr) -> Iterator[Edit]:
    """Yield the edits of a part and of all its parts; of equal parts all are edited by themselves."""
    yield from _here(node, whole)
    for place, part in enumerate(node.args):
        if isinstance(node, Pow) and place == 1:
            continue
        for edit in _everywhere(part, whole):
            arguments = (*node.args[:place], edit.formula, *node.args[place + 1 :])
            yield Edit(node.func(*arguments), edit.how)


def _here(node: Expr, whole: Expr) -> Iterator[Edit]:
    """Yield what may take the place of a part."""
    shown = formula_text(node)
    if node in CELLS or node in _SUMS:
        for other in (*CELLS, *_SUMS):
            if other != node:
                yield Edit(other, f"{shown} replaced by {formula_text(other)}")
    if node in CELLS:
        yield Edit(WEIGHT.symbol * node, f"{shown} weighted")
    if isinstance(node, Rational) and node not in (S.One, S.NegativeOne):
        yield Edit(WEIGHT.symbol, f"{shown} replaced by a weight")
    if isinstance(node, (Add, Mul)):
        for place, part in enumerate(node.args):
            yield Edit(node.func(*node.args[:place], *node.args[place + 1 :]), f"{formula_text(part)} left out")
    # Coefficients and quotients are no operands that anybody would write so.
    is_plain = not any(part.as_coeff_Mul()[0] != 1 or isinstance(part, Pow) for part in node.args)
    for kind, other_kind in ((Add, Mul), (Mul, Add), (Min, Max), (Max, Min)):
        if isinstance(node, kind) and is_plain:
            changed = other_kind(*node.args)
            yield Edit(changed, f"{shown} replaced by {formula_text(changed)}")
    base, exponent = node.as_base_exp() if isinstance(node, Pow) or node is whole else (node, None)
    for other_exponent in _POWERS.get(exponent, ()) if exponent is not None else ():
        changed = base**other_exponent
        yield Edit(changed, f"{shown} replaced by {formula_text(changed)}")
