"""Conditions on parameters: equations and inequalities, joined by and and or, written and read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from sympy import And, Eq, Ge, Gt, Le, Lt, Ne, Or, S
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean

from symmetrics.errors import FormulaError
from symmetrics.formula import MAX_FORMULA_LENGTH, formula_text, parse_formula

__all__ = ["condition_text", "parse_condition"]

# Longer signs first, because "<" begins "<=".
_RELATIONS: Final[dict[str, type[Relational]]] = {"<=": Le, ">=": Ge, "!=": Ne, "<": Lt, ">": Gt, "=": Eq}
_JOINERS: Final[dict[str, type[Boolean]]] = {" or ": Or, " and ": And}


def condition_text(condition: Boolean) -> str:
    """Write a condition on parameters in words: ``w = 1/2``, ``a = b and c = 0``, ``a <= 1/3 or b != 1``.

    >>> from sympy import Rational
    >>> from symmetrics.formula import parameter_symbol
    >>> condition_text(Eq(parameter_symbol("w"), Rational(1, 2)))
    'w = 1/2'
    """
    if condition in (S.true, S.false):
        return "always" if condition is S.true else "never"
    for sign, relation in _RELATIONS.items():
        if isinstance(condition, relation):
            return f"{formula_text(condition.lhs)} {sign} {formula_text(condition.rhs)}"
    joiner = " and " if isinstance(condition, And) else " or "
    parts = sorted(condition_text(part) for part in condition.args)
    return joiner.join(f"({part})" if " and " in part or " or " in part else part for part in parts)


def parse_condition(text: str, names: Sequence[str]) -> Boolean:
    """Read what :func:`condition_text` writes.

    :param names: the names of the parameters
    :raises FormulaError: if a side of an equation cannot be read
    """
    if len(text) > MAX_FORMULA_LENGTH:
        raise FormulaError(f"a condition of {len(text)} characters: at most {MAX_FORMULA_LENGTH} are read")
    if text in ("always", "never"):
        return S.true if text == "always" else S.false
    for joiner, kind in _JOINERS.items():
        parts = list(_split(text, joiner))
        if len(parts) > 1:
            return kind(*(parse_condition(part, names) for part in parts))
    if any(joiner in text for joiner in _JOINERS) and text.startswith("(") and text.endswith(")"):
        return parse_condition(text[1:-1], names)
    for sign, relation in _RELATIONS.items():
        left, found, right = text.partition(sign)
        if found:
            return relation(parse_formula(left, names), parse_formula(right, names), evaluate=False)
    raise FormulaError(f"{text!r} is not a condition: it holds none of the signs {', '.join(_RELATIONS)}")


def _split(text: str, joiner: str) -> Iterator[str]:
    """Yield the pieces of a text between joiners that stand outside all parentheses."""
    depth, start, place = 0, 0, 0
    while place < len(text):
        depth += {"(": 1, ")": -1}.get(text[place], 0)
        if depth == 0 and text.startswith(joiner, place):
            yield text[start:place]
            place = start = place + len(joiner)
        else:
            place += 1
    yield text[start:]
