"""Formulas as terms of Rocq, over the rational or over the real numbers.

The translator is trusted: what it writes is what the kernel speaks about.  So it has one rule for each kind of node and
simplifies nothing, and ``tests/test_rocq.py`` compares the definitions that it writes with exact values.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sympy import Abs, Add, Eq, Expr, Ge, Gt, Integer, Le, Lt, Max, Min, Mul, Ne, Pow, Rational, S, Symbol, log
from sympy.logic.boolalg import And, Boolean, Or

from symmetrics.tools.errors import UnsupportedError

__all__ = ["RATIONALS", "REALS", "Numbers", "conjunction", "numbers_of", "proposition", "term"]

SUM, PRODUCT, POWER, ATOM = range(4)
"""How tightly a term holds together, from the loosest."""


@dataclass(frozen=True)
class Numbers:
    """The numbers that a theory speaks about.

    :param type: their type
    :param equal: the sign of their equality
    :param scope: the scope in which terms are read
    :param prelude: the hand-written files that a theory begins with
    """

    type: str
    equal: str
    scope: str
    prelude: str


RATIONALS: Final = Numbers("Q", "==", "Q_scope", "RationalProofs Limits Extremes Structure")
REALS: Final = Numbers("R", "=", "R_scope", "RealProofs Slopes StructureReals ExtremesReal")


def numbers_of(expression: Expr) -> Numbers:
    """Return the rational numbers for a rational function with rational coefficients, else the real ones.

    >>> from symmetrics.language.formula import parse_formula
    >>> [numbers_of(parse_formula(text)).type for text in ("TP/(TP + FN)", "sqrt(TP*TN)", "Abs(TP - TN)")]
    ['Q', 'R', 'R']
    """
    rational = all(
        isinstance(node, Symbol | Rational | Add | Mul) or (isinstance(node, Pow) and isinstance(node.exp, Integer))
        for node in expression.atoms(Symbol, Rational, Add, Mul, Pow, Abs, Min, Max, log) | {expression}
    )
    return RATIONALS if rational and not expression.has(S.Pi, Abs, Min, Max, log) else REALS


def term(expression: Expr, at_least: int = SUM) -> str:
    """Return an expression as a term.

    :param at_least: how tightly it has to hold together where it stands
    :raises UnsupportedError: on a node that has no translation

    >>> from symmetrics.language.formula import parse_formula
    >>> term(parse_formula("(TP*TN - FP*FN)**2/(2*sqrt(TP + FN))"))
    '(TN * TP - FN * FP) ^ 2 / (2 * sqrt (FN + TP))'
    """
    text, strength = _term(expression)
    return text if strength >= at_least else f"({text})"


def _term(node: Expr) -> tuple[str, int]:
    if isinstance(node, Symbol):
        return node.name, ATOM
    if isinstance(node, Rational):
        return _number(node)
    if node is S.Pi:
        return "PI", ATOM
    if isinstance(node, Add):
        first, *rest = sorted(node.as_ordered_terms(), key=_is_subtracted)
        return " ".join([term(first), *map(_added, rest)]), SUM
    if isinstance(node, Mul):
        return _product(node)
    if isinstance(node, Pow):
        return _power(node)
    if isinstance(node, log):
        return f"ln {term(node.args[0], ATOM)}", POWER
    if isinstance(node, Abs):
        return f"Rabs {term(node.args[0], ATOM)}", POWER
    if isinstance(node, Min | Max):
        return _extreme("Rmin" if isinstance(node, Min) else "Rmax", sorted(node.args, key=str)), POWER
    raise UnsupportedError(f"{type(node).__name__} has no translation into Rocq")


def _number(value: Rational) -> tuple[str, int]:
    text = str(value.p) if value.q == 1 else f"{abs(value.p)} / {value.q}"
    if value.q == 1:
        return (text, ATOM) if value >= 0 else (f"- {-value.p}", SUM)
    return (text, PRODUCT) if value > 0 else (f"- ({text})", SUM)


def _is_subtracted(node: Expr) -> bool:
    return bool(node.as_coeff_Mul()[0] < 0)


def _added(node: Expr) -> str:
    return f"- {term(-node, PRODUCT)}" if _is_subtracted(node) else f"+ {term(node, PRODUCT)}"


def _product(node: Mul) -> tuple[str, int]:
    coefficient, rest = node.as_coeff_Mul()
    if coefficient < 0:
        return f"- {term(-node, POWER)}", SUM
    above = [] if coefficient.p == 1 else [Integer(coefficient.p)]
    below = [] if coefficient.q == 1 else [Integer(coefficient.q)]
    for factor in Mul.make_args(rest):
        if isinstance(factor, Pow) and isinstance(factor.exp, Rational) and factor.exp < 0:
            below.append(Pow(factor.base, -factor.exp))
        else:
            above.append(factor)
    text = " * ".join(term(factor, POWER) for factor in above) or "1"
    if not below:
        return text, PRODUCT
    under = term(below[0], POWER) if len(below) == 1 else f"({' * '.join(term(factor, POWER) for factor in below)})"
    return f"{text} / {under}", PRODUCT


def _power(node: Pow) -> tuple[str, int]:
    base, exponent = node.base, node.exp
    if not isinstance(exponent, Rational):
        raise UnsupportedError(f"a power with the exponent {exponent} has no translation into Rocq")
    if exponent < 0:
        return f"1 / {term(Pow(base, -exponent), POWER)}", PRODUCT
    if exponent.q == 1:
        return f"{term(base, ATOM)} ^ {exponent.p}", POWER
    root = f"{'sqrt' if exponent.q == 2 else f'root {exponent.q}'} {term(base, ATOM)}"
    return (root, POWER) if exponent.p == 1 else (f"({root}) ^ {exponent.p}", POWER)


def _extreme(name: str, arguments: list[Expr]) -> str:
    first, *rest = arguments
    second = term(rest[0], ATOM) if len(rest) == 1 else f"({_extreme(name, rest)})"
    return f"{name} {term(first, ATOM)} {second}"


def proposition(condition: Boolean, numbers: Numbers) -> str:
    """Return a condition on parameters as a proposition.

    >>> from sympy import Eq, Rational
    >>> from symmetrics.language.cells import parameter_symbol
    >>> proposition(Eq(parameter_symbol("w"), Rational(1, 2)), RATIONALS)
    'w == 1 / 2'
    """
    if condition is S.true or condition is S.false:
        return str(condition)
    signs = {Eq: numbers.equal, Le: "<=", Lt: "<", Ge: ">=", Gt: ">"}
    for kind, sign in signs.items():
        if isinstance(condition, kind):
            return f"{term(condition.lhs)} {sign} {term(condition.rhs)}"
    if isinstance(condition, Ne):
        return f"~ {term(condition.lhs)} {numbers.equal} {term(condition.rhs)}"
    if isinstance(condition, And | Or):
        joiner = "/\\" if isinstance(condition, And) else "\\/"
        parts = sorted(proposition(part, numbers) for part in condition.args)
        return f" {joiner} ".join(f"({part})" for part in parts)
    raise UnsupportedError(f"the condition {condition} has no translation into Rocq")


def conjunction(parts: list[str]) -> str:
    r"""Return the conjunction of propositions, ``True`` for none.

    >>> conjunction([]), conjunction(["0 < x", "~ x == 1"])
    ('True', '0 < x /\\ ~ x == 1')
    """
    return " /\\ ".join(parts) or "True"
