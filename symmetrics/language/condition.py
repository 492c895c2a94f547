"""Conditions on parameters as text: equations and inequalities joined by "and" and "or"."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Final

from sympy import And, Eq, Ge, Gt, Le, Lt, Ne, Not, Or, Rational, S, Symbol
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean, simplify_logic

from symmetrics.language.formula import MAX_FORMULA_LENGTH, parse_formula
from symmetrics.language.writer import formula_text
from symmetrics.tools.errors import FormulaError

MAX_ATOMS: Final = 12
"""Conditions with more distinct equations and inequalities are not simplified."""

# Longer signs first, because "<" begins "<=".
_RELATIONS: Final[dict[str, type[Relational]]] = {"<=": Le, ">=": Ge, "!=": Ne, "<": Lt, ">": Gt, "=": Eq}
_JOINERS: Final[dict[str, type[Boolean]]] = {" or ": Or, " and ": And}


def condition_text(condition: Boolean) -> str:
    """Write a condition on parameters in words: ``w = 1/2``, ``a = b and c = 0``, ``a <= 1/3 or b != 1``.

    >>> from sympy import Rational
    >>> from symmetrics.language.cells import parameter_symbol
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
    """Read a condition in the notation of :func:`condition_text`.

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
    """Split a text at joiners outside parentheses."""
    depth, start, place = 0, 0, 0
    while place < len(text):
        depth += {"(": 1, ")": -1}.get(text[place], 0)
        if depth == 0 and text.startswith(joiner, place):
            yield text[start:place]
            place = start = place + len(joiner)
        else:
            place += 1
    yield text[start:]


def simplified(condition: Boolean) -> Boolean:
    """Return the shortest known equivalent of a condition.

    >>> from symmetrics.language.cells import parameter_symbol
    >>> a = parameter_symbol("a")
    >>> condition_text(simplified(And(a <= 1, a <= Rational(1, 3))))
    'a <= 1/3'
    """
    if condition in (S.true, S.false) or not isinstance(condition, (And, Or)):
        return condition
    if len(condition.atoms(Relational)) > MAX_ATOMS:
        return condition
    alone = len(condition.free_symbols) == 1
    shorter = condition.simplify() if alone else simplify_logic(condition, deep=False)
    return shorter if are_equivalent(shorter, condition) else condition


def are_equivalent(left: Boolean, right: Boolean) -> bool:
    """Whether two conditions are shown to hold for the same values of the parameters.

    In one symbol they are compared at every number that they mention, between these and beyond; in several, for every
    truth value of their equations and inequalities.
    """
    if left == right:
        return True
    relations = sorted({*left.atoms(Relational), *right.atoms(Relational)}, key=str)
    symbols = left.free_symbols | right.free_symbols
    if len(symbols) == 1:
        return _agree_on_line(left, right, next(iter(symbols)), relations)
    base = list(dict.fromkeys(relation if not isinstance(relation, Ne) else relation.negated for relation in relations))
    if len(base) > MAX_ATOMS:
        return False
    for truths in itertools.product((S.true, S.false), repeat=len(base)):
        values = dict(zip(base, truths, strict=True))
        values |= {relation.negated: Not(truth) for relation, truth in values.items()}
        if left.xreplace(values) != right.xreplace(values):
            return False
    return True


def _agree_on_line(left: Boolean, right: Boolean, symbol: Symbol, relations: Sequence[Relational]) -> bool:
    points: set[Rational] = set()
    for relation in relations:
        solved = relation if relation.lhs == symbol else relation.reversed
        if solved.lhs != symbol or not solved.rhs.is_Rational:
            return False
        points.add(solved.rhs)
    ends = sorted(points)
    middles = [(low + high) / 2 for low, high in itertools.pairwise(ends)]
    places = [*ends, *middles, *([ends[0] - 1, ends[-1] + 1] if ends else [])]
    return all(left.subs(symbol, place) == right.subs(symbol, place) for place in places)
