"""Formulas as text: a whitelisting reader, and a writer whose output the reader takes back.

A formula that a user types is data. It is split into tokens by Python's own parser and then built, node by node, from
the few forms listed here; nothing in it is ever evaluated as code, which SymPy's ``sympify`` would do.
"""

from __future__ import annotations

import ast
import difflib
from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cache
from typing import Any, Final

from sympy import Abs, Expr, Integer, Max, Min, Pow, Rational, S, Symbol, log, sqrt
from sympy.core.parameters import distribute
from sympy.printing.str import StrPrinter

from symmetrics.cells import CELLS
from symmetrics.errors import FormulaError

__all__ = ["MAX_FORMULA_LENGTH", "formula_text", "parameter_symbol", "parse_formula", "parse_number"]

MAX_FORMULA_LENGTH: Final = 4096
"""Longest formula that is read, in characters."""
MAX_EXPONENT: Final = 100
"""Largest numerator and denominator of a numeric exponent."""
MAX_NUMBER_BITS: Final = 2048
"""Largest numerator and denominator of a constant, in bits."""

RESERVED_PREFIX: Final = "other_"
"""Names that start so are the auxiliary variables of claims and cannot be parameters."""

FUNCTIONS: Final[Mapping[str, Any]] = {
    "sqrt": sqrt,
    "Abs": Abs,
    "abs": Abs,
    "Min": Min,
    "min": Min,
    "Max": Max,
    "max": Max,
    "log": log,
}
ONE_ARGUMENT: Final = frozenset({"sqrt", "Abs", "abs", "log"})
CONSTANTS: Final[Mapping[str, Expr]] = {"pi": S.Pi}


def parameter_symbol(name: str) -> Symbol:
    """Return the symbol that stands for the parameter *name* in every formula.

    >>> parameter_symbol("w") is parameter_symbol("w")
    True
    """
    return Symbol(name, real=True)


def parse_number(text: str) -> Rational:
    """Read an exact number: an integer, a fraction or a decimal, which is taken at its written value.

    >>> parse_number("3/4"), parse_number("-0.1"), parse_number("1e-3")
    (3/4, -1/10, 1/1000)

    :raises FormulaError: if the text is anything else
    """
    compact = text.strip().replace(" ", "")
    if len(compact) > 400:
        raise FormulaError(f"number of {len(compact)} characters: at most 400 are read")
    mantissa, _, exponent = compact.lower().partition("e")
    if exponent and (not exponent.lstrip("+-").isdigit() or abs(int(exponent)) > 400):
        raise FormulaError(f"cannot read {text!r} as an exact number: the power of ten is not between -400 and 400")
    try:
        value = Fraction(mantissa) * Fraction(10) ** int(exponent or 0)
    except (ValueError, ZeroDivisionError):
        raise FormulaError(f"cannot read {text!r} as an exact number: write an integer, 3/4 or 0.75") from None
    return Rational(value.numerator, value.denominator)


def parse_formula(text: str, parameters: Iterable[str] = ()) -> Expr:
    """Read a formula over TP, FN, FP, TN and the named parameters.

    The language: numbers (a decimal is read as the exact fraction that it spells), ``+ - * / **``, parentheses,
    ``sqrt``, ``Abs``, ``Min``, ``Max`` (also in lower case), ``log`` (natural) and ``pi``.

    >>> parse_formula("w*TP/(TP+FN)", parameters=("w",))
    TP*w/(FN + TP)
    >>> parse_formula("__import__('os').system('id')")
    Traceback (most recent call last):
        ...
    symmetrics.errors.FormulaError: formula "__import__('os').system('id')": only sqrt, Abs, Min, Max and log can be called

    :raises FormulaError: if the text is outside this language, too long, or without a finite value
    """
    if not isinstance(text, str):
        raise FormulaError(f"a formula is a text, not {type(text).__name__}: pass expressions to Metric directly")
    shown = text if len(text) <= 60 else text[:57] + "..."
    if len(text) > MAX_FORMULA_LENGTH:
        raise FormulaError(
            f"formula {shown!r}: it has {len(text)} characters, and at most {MAX_FORMULA_LENGTH} are read; "
            "build a larger one in Python, as a SymPy expression"
        )
    names = {symbol.name: symbol for symbol in CELLS} | {name: parameter_symbol(name) for name in parameters}
    try:
        tree = ast.parse(" ".join(text.split()), mode="eval")
        with distribute(False):
            expression = _Builder(names, " ".join(text.split())).build(tree.body)
    except (SyntaxError, ValueError, RecursionError, MemoryError, TypeError) as error:
        raise FormulaError(f"formula {shown!r}: {_reason(error)}") from None
    if expression.has(S.NaN, S.ComplexInfinity, S.Infinity, S.NegativeInfinity, S.ImaginaryUnit):
        raise FormulaError(f"formula {shown!r}: it divides by zero or has no real value whatever the counts")
    return expression


def _reason(error: Exception | MemoryError) -> str:
    if isinstance(error, FormulaError):
        return str(error)
    if isinstance(error, SyntaxError):
        place = f" at character {error.offset}" if error.offset else ""
        return f"it is not a complete formula: {error.msg}{place}"
    if isinstance(error, (RecursionError, MemoryError)):
        return "it is nested too deeply; give its parts names in Python and combine them"
    return f"it cannot be read ({error})"


class _Builder:
    """Turns the nodes of a parsed formula into SymPy; every form that is not named here is an error."""

    def __init__(self, names: Mapping[str, Symbol], source: str) -> None:
        self.names = names
        self.source = source

    def build(self, node: ast.expr) -> Expr:
        match node:
            case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
                return _bounded(parse_number(ast.get_source_segment(self.source, node) or ""))
            case ast.Name(id=name):
                return self.name(name)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return -self.build(operand)
            case ast.UnaryOp(op=ast.UAdd(), operand=operand):
                return self.build(operand)
            case ast.BinOp(left=left, op=operator, right=right):
                return self.binary(operator, self.build(left), self.build(right))
            case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]) if name in FUNCTIONS:
                return self.call(name, [self.build(argument) for argument in arguments])
            case ast.Call():
                raise FormulaError("only sqrt, Abs, Min, Max and log can be called")
        raise FormulaError(
            f"{ast.get_source_segment(self.source, node)!r} is not part of a formula; it may hold TP, FN, FP, TN, "
            "numbers, parameters, + - * / ** and parentheses"
        )

    def name(self, name: str) -> Expr:
        if name in self.names:
            return self.names[name]
        if name in CONSTANTS:
            return CONSTANTS[name]
        known = [*self.names, *CONSTANTS, *FUNCTIONS]
        nearest = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
        hint = f"did you mean {nearest[0]}? A" if nearest else "a"
        raise FormulaError(f'unknown name {name!r}: {hint} parameter is declared with --param "{name} in [0,1]"')

    @staticmethod
    def binary(operator: ast.operator, left: Expr, right: Expr) -> Expr:
        match operator:
            case ast.Add():
                return _bounded(left + right)
            case ast.Sub():
                return _bounded(left - right)
            case ast.Mult():
                return _bounded(left * right)
            case ast.Div():
                if right == 0:
                    raise FormulaError("it divides by zero")
                return _bounded(left / right)
            case ast.Pow():
                return _bounded(_power(left, right))
            case ast.BitXor():
                raise FormulaError("'^' is not a power here; write **")
        raise FormulaError(f"the operator {type(operator).__name__} is not one of + - * / **")

    @staticmethod
    def call(name: str, arguments: list[Expr]) -> Expr:
        if not arguments or (name in ONE_ARGUMENT and len(arguments) != 1):
            wanted = "one argument" if name in ONE_ARGUMENT else "at least one argument"
            raise FormulaError(f"{name} takes {wanted}, not {len(arguments)}")
        return _bounded(FUNCTIONS[name](*arguments))


def _power(base: Expr, exponent: Expr) -> Expr:
    if exponent.is_Rational and max(abs(exponent.p), exponent.q) > MAX_EXPONENT:
        raise FormulaError(f"the exponent {exponent} is beyond {MAX_EXPONENT}")
    if base == 0 and exponent.is_Rational and exponent < 0:
        raise FormulaError("it divides by zero")
    if base.is_Rational and exponent.is_Rational:
        bits = max(abs(base.p), base.q).bit_length() * abs(exponent.p)
        if bits > 4 * MAX_NUMBER_BITS:
            raise FormulaError("a constant in it is too large")
    return Pow(base, exponent)


def _bounded(expression: Expr) -> Expr:
    if expression.is_Rational and max(abs(expression.p), expression.q).bit_length() > MAX_NUMBER_BITS:
        raise FormulaError("a constant in it is too large")
    return expression


class _FormulaPrinter(StrPrinter):
    """SymPy's text form, restricted to names that the reader knows."""

    def _print_Exp1(self, expr: Expr) -> str:
        raise FormulaError("a formula has no sign for the base of the natural logarithm")


@cache
def formula_text(expression: Expr) -> str:
    """Write an expression in the language of :func:`parse_formula`, and check that it reads back as itself.

    >>> from symmetrics.cells import TP, FN
    >>> formula_text(sqrt(TP / (TP + FN)))
    'sqrt(TP/(FN + TP))'
    """
    return str(_FormulaPrinter().doprint(expression))


def exact_rational(value: object, what: str) -> Rational:
    """Return an exact rational for an int, Fraction, SymPy Rational or text; refuse floats.

    >>> exact_rational("0.75", "w"), exact_rational(Fraction(1, 3), "w")
    (3/4, 1/3)

    :raises FormulaError: if the value is a float, which carries a rounding error, or not a number
    """
    if isinstance(value, str):
        return parse_number(value)
    if isinstance(value, bool):
        raise FormulaError(f"{what}: {value} is not a number")
    if isinstance(value, int):
        return Integer(value)
    if isinstance(value, Fraction):
        return Rational(value.numerator, value.denominator)
    if isinstance(value, Rational):
        return value
    if isinstance(value, float):
        near = Fraction(str(value)) if value == value and abs(value) != float("inf") else "1/2"
        raise FormulaError(f"{what}: {value!r} is a float; write it exactly, as {str(near)!r}")
    raise FormulaError(f"{what}: {value!r} is not an exact rational number; write one as '3/4' or sympy.Rational(3, 4)")
