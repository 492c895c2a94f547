"""Formulas as terms of Rocq, over the rational or over the real numbers.

The translator is trusted: what it writes is what the kernel speaks about.  So it has one rule for each kind of node and
simplifies nothing, and ``tests/test_rocq.py`` compares the definitions that it writes with exact values.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, NamedTuple, Self

from flint import Ordering, fmpz_mpoly_ctx
from sympy import (
    Abs,
    Add,
    Eq,
    Expr,
    Ge,
    Gt,
    Integer,
    Le,
    Lt,
    Max,
    Min,
    Mul,
    Ne,
    Pow,
    Rational,
    S,
    Symbol,
    cancel,
    fraction,
    log,
    together,
)
from sympy.core.sorting import default_sort_key
from sympy.logic.boolalg import And, Boolean, Or

from symmetrics.tools.errors import UnsupportedError

SUM, PRODUCT, POWER, ATOM = range(4)
"""Precedence levels of terms, from the loosest."""


@dataclass(frozen=True)
class Numbers:
    """A number type of a theory: rational or real.

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

    :param at_least: precedence required by the context
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


# -- Rational functions in lowest terms: two polynomials over the integers that share no factor ------------------------


Poly = Any
"""An ``fmpz_mpoly``; python-flint ships no types."""


class RationalFunction(NamedTuple):
    """A rational function in symbols, in lowest terms; below, the first coefficient is positive.

    :param symbols: the generators of both polynomials, in their order
    """

    above: Poly
    below: Poly
    symbols: tuple[Symbol, ...]

    @classmethod
    def of(cls, expression: Expr) -> Self | None:
        """Return an expression in lowest terms, or None if it is no rational function in its symbols.

        :raises ZeroDivisionError: if the expression divides by zero everywhere

        >>> from symmetrics.language.cells import FN, TP
        >>> RationalFunction.of((TP**2 - FN**2) / (2*TP - 2*FN))
        RationalFunction(above=FN + TP, below=2, symbols=(FN, TP))
        """
        symbols = tuple(sorted(expression.free_symbols, key=default_sort_key))
        context = fmpz_mpoly_ctx.get([symbol.name for symbol in symbols], Ordering.lex)
        one = context.constant(1)
        memo: dict[Expr, tuple[Poly, Poly] | None] = {
            symbol: (generator, one) for symbol, generator in zip(symbols, context.gens(), strict=True)
        }
        found = _read(expression, context, memo)
        return None if found is None else cls(*found, symbols)

    def expressions(self) -> tuple[Expr, Expr]:
        """Return both polynomials as expressions, multiplied out."""
        return _expression(self.above, self.symbols), _expression(self.below, self.symbols)


def lowest_terms(expression: Expr) -> tuple[Expr, Expr]:
    """Return the numerator and denominator of an expression in lowest terms, both expanded.

    Roots and other functions count as symbols of their own. Without any, coefficients are whole numbers.

    >>> from symmetrics.language.cells import FN, TP
    >>> lowest_terms((TP**2 - FN**2) / (2*TP - 2*FN)), lowest_terms(TP/FN + 1)
    ((FN + TP, 2), (FN + TP, FN))
    """
    quotient = RationalFunction.of(expression)
    return fraction(cancel(together(expression))) if quotient is None else quotient.expressions()


def cancelled(expression: Expr) -> Expr:
    """Return an expression in lowest terms, as one quotient."""
    above, below = lowest_terms(expression)
    return above / below


def _read(node: Expr, context: Any, memo: dict[Expr, tuple[Poly, Poly] | None]) -> tuple[Poly, Poly] | None:
    if node in memo:
        return memo[node]
    found = None
    if isinstance(node, Rational):
        found = context.constant(int(node.p)), context.constant(int(node.q))
    elif isinstance(node, Add | Mul):
        combine = _sum if isinstance(node, Add) else _product_of_terms
        found = context.constant(int(isinstance(node, Mul))), context.constant(1)
        for part in node.args:
            read = _read(part, context, memo)
            if read is None:
                found = None
                break
            found = combine(found, read)
    elif isinstance(node, Pow) and isinstance(node.exp, Integer):
        base = _read(node.base, context, memo)
        if base is not None:
            power = int(node.exp)
            above, below = base if power >= 0 else (base[1], base[0])
            found = _normal(above ** abs(power), below ** abs(power))
    memo[node] = found
    return found


def _sum(left: tuple[Poly, Poly], right: tuple[Poly, Poly]) -> tuple[Poly, Poly]:
    if left[1] == right[1]:
        return _reduced(left[0] + right[0], left[1])
    return _reduced(left[0] * right[1] + right[0] * left[1], left[1] * right[1])


def _product_of_terms(left: tuple[Poly, Poly], right: tuple[Poly, Poly]) -> tuple[Poly, Poly]:
    return _reduced(left[0] * right[0], left[1] * right[1])


def _reduced(above: Poly, below: Poly) -> tuple[Poly, Poly]:
    if below.is_one():
        return above, below
    shared = above.gcd(below)
    return _normal(above, below) if shared.is_one() else _normal(above / shared, below / shared)


def _normal(above: Poly, below: Poly) -> tuple[Poly, Poly]:
    """Normalise the sign of a quotient by its denominator's first coefficient.

    :raises ZeroDivisionError: if below is zero
    """
    if not below:
        raise ZeroDivisionError("a part of the formula divides by zero everywhere")
    return (-above, -below) if below.leading_coefficient() < 0 else (above, below)


def _expression(poly: Poly, symbols: tuple[Symbol, ...]) -> Expr:
    terms = [
        Mul(Integer(int(coefficient)), *(symbol ** int(power) for symbol, power in zip(symbols, powers, strict=True)))
        for powers, coefficient in poly.to_dict().items()
    ]
    return Add(*terms)
