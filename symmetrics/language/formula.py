"""Formulas as text: a whitelisting parser, the inverse of the writer.

A formula that a user types is data. It is split into tokens by Python's own parser and then built, node by node, from
the few forms listed here; nothing in it is ever evaluated as code, which SymPy's ``sympify`` would do.
"""

from __future__ import annotations

import ast
import keyword
import re
import unicodedata
import warnings
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from math import isfinite
from numbers import Integral
from typing import Any, Final

from sympy import Abs, Expr, Integer, Max, Min, Pow, Rational, S, Symbol, log, sqrt
from sympy.core.parameters import distribute

from symmetrics.language.cells import CELLS, NAMED, parameter_symbol
from symmetrics.language.names import CELL_NAMES
from symmetrics.language.writer import as_written, difference, opposite, power, product, quotient
from symmetrics.tools.errors import FormulaError, UndeclaredNameError, nearest_names, shortened

# -- Exact numbers, read from texts or Python numbers ------------------------------------------------------------------


MAX_NUMBER_LENGTH: Final = 1300
"""Longest text of a number, in characters; every constant within the bounds below is shorter."""
MAX_NUMBER_BITS: Final = 2048
"""Largest numerator and denominator of a constant, in bits."""
_NUMBER: Final = re.compile(
    r"\s*(?:(?P<fraction>[+-]?\d+\s*/\s*\d+)|(?P<mantissa>[+-]?(?:\d+\.?\d*|\.\d+))(?:[eE](?P<exponent>[+-]?\d+))?)\s*",
    re.ASCII,
)


def parse_number(text: str) -> Rational:
    """Read an exact number: an integer, a fraction or a decimal, which is taken at face value (0.1 is 1/10).

    >>> parse_number("3/4"), parse_number("-0.1"), parse_number("1e-3")
    (3/4, -1/10, 1/1000)

    :raises FormulaError: if the text is anything else
    """
    if len(text) > MAX_NUMBER_LENGTH:
        raise FormulaError(f"number of {len(text)} characters: at most {MAX_NUMBER_LENGTH} are read")
    found = _NUMBER.fullmatch(text)
    if not found:
        raise FormulaError(f"cannot read {shortened(text)!r} as an exact number: write an integer, 3/4 or 0.75")
    if found["fraction"]:
        numerator, denominator = map(int, found["fraction"].split("/"))
        if denominator == 0:
            raise FormulaError(f"cannot read {shortened(text)!r} as an exact number: it divides by zero")
        return bounded(Rational(numerator, denominator))
    power = int(found["exponent"] or 0)
    if abs(power) > 400:
        raise FormulaError(
            f"cannot read {shortened(text)!r} as an exact number: the power of ten is not between -400 and 400"
        )
    value = Fraction(found["mantissa"]) * Fraction(10) ** power
    return bounded(Rational(value.numerator, value.denominator))


def exact_rational(value: object, what: str) -> Rational:
    """Return an exact rational for a number or a text.

    A float is the shortest decimal that is read as it, which is how it is shown; a Decimal is what it spells.

    >>> exact_rational("0.75", "w"), exact_rational(Fraction(1, 3), "w"), exact_rational(0.1, "w")
    (3/4, 1/3, 1/10)

    :raises FormulaError: if the value is infinite, nan, or not a number
    """
    if isinstance(value, str):
        try:
            return parse_number(value)
        except FormulaError as error:
            raise FormulaError(f"{what}: {error}") from None
    if isinstance(value, bool):
        raise FormulaError(f"{what}: {value} is not a number")
    if isinstance(value, Integral):
        return Integer(int(value))
    if isinstance(value, Fraction):
        return Rational(value.numerator, value.denominator)
    if isinstance(value, Rational):
        return value
    if isinstance(value, float | Decimal):
        if not isfinite(value):
            raise FormulaError(f"{what}: {value} is not a finite number; write one as 0.75 or '3/4'")
        return parse_number(str(value))
    raise FormulaError(f"{what}: {value!r} is not an exact rational number; write one as '3/4' or sympy.Rational(3, 4)")


def bounded(expression: Expr) -> Expr:
    """Return an expression unchanged, or raise an error if it is a number too large for a formula.

    :raises FormulaError: if its numerator or denominator has more than 2048 bits
    """
    if expression.is_Rational and max(abs(expression.p), expression.q).bit_length() > MAX_NUMBER_BITS:
        raise FormulaError("a constant in it is too large")
    return expression


# ----------------------------------------------------------------------------------------------------------------------


MAX_FORMULA_LENGTH: Final = 4096
"""Longest formula that is read, in characters."""
_SPOKEN: Final = {
    "TPR": "recall recall_score sensitivity hit_rate true_positive_rate probability_of_detection",
    "FNR": "miss_rate false_negative_rate",
    "TNR": "specificity selectivity true_negative_rate",
    "FPR": "fall_out false_alarm_rate false_positive_rate probability_of_false_detection",
    "PPV": "precision precision_score positive_predictive_value purity confidence success_ratio",
    "NPV": "negative_predictive_value inverse_precision",
}
SPOKEN: Final = {name: rate for rate, names in _SPOKEN.items() for name in (rate.lower(), *names.split())}
"""Rates by name; formulas may use these, but not metrics."""
WRITTEN: Final = {"·": "*", "×": "*", "⋅": "*", "÷": "/", "−": "-", "–": "-", "²": "**2", "√": "sqrt(...)"}
"""ASCII forms of mathematical signs."""
MAX_EXPONENT: Final = 100
"""Largest numerator and denominator of a numeric exponent."""
MAX_COMPARED: Final = 32
"""Largest total number of arguments of all Abs, Min and Max in a formula."""

RESERVED_PREFIX: Final = "other_"
"""Prefixes reserved for auxiliary variables of claims, not allowed for parameters."""

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
COMPARING: Final = frozenset({"Abs", "abs", "Min", "min", "Max", "max"})
CONSTANTS: Final[Mapping[str, Expr]] = {"pi": S.Pi}
_OPERATORS: Final[Mapping[type[ast.operator], str]] = {
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.MatMult: "@",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.LShift: "<<",
    ast.RShift: ">>",
}


def check_variables(variables: Sequence[str], others: Iterable[str] = ()) -> None:
    """Refuse variables with names that are not allowed, unless they are the four cells.

    A name is letters, digits and underscores in ASCII, as that of a parameter is.  It may be that of a cell.

    :param others: names that are taken, such as those of parameters
    :raises FormulaError: on a name that is none, is that of a function or a constant, is reserved, or occurs twice

    >>> check_variables(("TPr", "prior"), ("w",))
    """
    if tuple(variables) == CELL_NAMES:
        return
    if set(variables) == {name.lower() for name in CELL_NAMES}:
        raise FormulaError(f"variables {', '.join(variables)}: write the four cells as {', '.join(CELL_NAMES)}")
    taken = set(others)
    for name in variables:
        if not (str(name).isascii() and str(name).isidentifier()) or keyword.iskeyword(name):
            raise FormulaError(f"variable {name!r}: a name is letters, digits and underscores, as in TPr or c_12")
        if name in {*CONSTANTS, *FUNCTIONS} or name.startswith(RESERVED_PREFIX):
            raise FormulaError(
                f"variable {name!r}: the name is taken by a function, a constant or an auxiliary variable"
            )
        if name in taken:
            raise FormulaError(f"variable {name!r}: the name is given twice; rename the variable or the parameter")
        taken.add(name)


def parse_formula(text: str, parameters: Iterable[str] = (), variables: Sequence[str] = CELL_NAMES) -> Expr:
    """Read a formula over TP, FN, FP, TN, or over other variables, and the named parameters.

    The language: numbers (a decimal is read as the exact fraction that it spells), ``+ - * / **``, parentheses,
    ``sqrt``, ``Abs``, ``Min``, ``Max`` (also in lower case), ``log`` (natural) and ``pi``.  An exponent holds numbers
    and parameters only.  A formula over the four cells may name sums and proportions of these, for which they are put
    in: ``P``, ``N``, ``OP``, ``ON``, ``n``, ``TPR``, ``FNR``, ``TNR``, ``FPR``, ``PPV`` and ``NPV``, unless a parameter
    has the name.

    Equal factors and equal terms cancel as the formula is read, and everything that follows is about the expression
    that is left, as it is shown; :func:`symmetrics.language.cancellation.cancelled` tells what is gone.

    :param text: the formula, in ASCII
    :param parameters: the names that it may use beside the variables; a single one may stand for itself
    :param variables: the names of the variables, which an exponent must not hold; those of the cells by default

    >>> parse_formula("w*TP/(TP+FN)", parameters=("w",))
    TP*w/(FN + TP)
    >>> parse_formula("TPR*n/P")
    TP*(FN + FP + TN + TP)/(FN + TP)**2
    >>> parse_formula("prior*TPr**2", variables=("TPr", "prior"))
    TPr**2*prior
    >>> parse_formula("exec('1')")
    Traceback (most recent call last):
        ...
    symmetrics.tools.errors.FormulaError: formula "exec('1')": only sqrt, Abs, Min, Max and log can be called

    :raises FormulaError: if the text is outside this language, too long, or without a finite value
    """
    if not isinstance(text, str):
        raise FormulaError(f"a formula is a text, not {type(text).__name__}: pass expressions to Metric directly")
    if len(text) > MAX_FORMULA_LENGTH:
        raise FormulaError(
            f"formula {shortened(text)!r}: it has {len(text)} characters, and at most {MAX_FORMULA_LENGTH} are read; "
            "build a larger one in Python, as a SymPy expression"
        )
    names = (parameters,) if isinstance(parameters, str) else parameters
    return _read(text, _as_names(names, "parameters"), _as_names(variables, "variables"))


def _as_names(given: object, what: str) -> tuple[str, ...]:
    names = tuple(given) if isinstance(given, Iterable) else (given,)
    if not all(isinstance(name, str) for name in names):
        raise FormulaError(f"{what}={shortened(repr(given))} is not a list of names; pass texts, as in ['w']")
    return names


@lru_cache(maxsize=2048)
def _read(text: str, declared: tuple[str, ...], variables: tuple[str, ...]) -> Expr:
    shown = shortened(text)
    check_variables(variables, declared)
    names = known_names(declared, variables)
    source = " ".join(text.split())
    try:
        tree = syntax_tree(source)
        with as_written(tree):
            expression = Builder(names, source, variables).build(tree)
        check_size(expression, variables=tuple(map(parameter_symbol, variables)))
    except UndeclaredNameError as error:
        raise UndeclaredNameError(error.name, error.nearest, shown, is_meant=error.is_meant) from None
    except (SyntaxError, ValueError, RecursionError, MemoryError, TypeError) as error:
        raise FormulaError(f"formula {shown!r}: {_reason(error, source)}") from None
    if expression.has(S.NaN, S.ComplexInfinity, S.Infinity, S.NegativeInfinity, S.ImaginaryUnit):
        raise FormulaError(f"formula {shown!r}: it divides by zero or has no real value whatever the counts")
    return expression


def known_names(declared: Iterable[str], variables: Sequence[str] = CELL_NAMES) -> dict[str, Expr]:
    """Return the meaning of all names in a formula: variables, parameters and abbreviations for terms in the cells."""
    named = NAMED if tuple(variables) == CELL_NAMES else {}
    return {**named, **{name: parameter_symbol(name) for name in (*variables, *declared)}}


def syntax_tree(source: str) -> ast.expr:
    """Parse a formula to a syntax tree, after checks of its characters and its size."""
    if not source:
        raise FormulaError('it is empty; write one such as "TP/(TP+FN)"')
    for place, character in enumerate(source, start=1):
        if character == "#" or not (character.isascii() and character.isprintable()):
            name = unicodedata.name(character, f"U+{ord(character):04X}")
            advice = f"; write {WRITTEN[character]}" if character in WRITTEN else ""
            raise FormulaError(f"character {place} is {character!r} ({name}), which is not part of a formula{advice}")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)
        tree = ast.parse(source, mode="eval").body
    compared = (
        len(node.args)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in COMPARING
    )
    if sum(compared) > MAX_COMPARED:
        raise FormulaError(f"its Abs, Min and Max have more than {MAX_COMPARED} arguments together")
    return tree


def _reason(error: Exception | MemoryError, source: str) -> str:
    if isinstance(error, FormulaError):
        return str(error)
    if isinstance(error, SyntaxError) and "\\" in source:
        return "LaTeX is not read; write / for a fraction, * for a product, ** for a power and sqrt(...) for a root"
    if isinstance(error, SyntaxError) and re.search("[^=<>!:]=[^=]", source):
        return "a formula has no '='; write what stands to the right of it"
    if isinstance(error, SyntaxError) and error.msg == "invalid decimal literal":
        return "a product is written with *, as in 2*TP"
    if isinstance(error, SyntaxError) and "too many nested" not in error.msg:
        place = f" at character {error.offset}" if error.offset else ""
        return f"it is not a complete formula: {error.msg}{place}"
    if isinstance(error, (RecursionError, MemoryError, SyntaxError)):
        return "it is nested too deeply; give its parts names in Python and combine them"
    return f"it cannot be read ({error})"


class Builder:
    """Converts syntax nodes to SymPy; only the forms listed here are allowed."""

    def __init__(self, names: Mapping[str, Expr], source: str, variables: Sequence[str] = CELL_NAMES) -> None:
        self.names = names
        self.source = source
        self.variables = variables

    def build(self, node: ast.expr) -> Expr:
        """Return the expression of a node."""
        match node:
            case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
                return parse_number(self.text(node))
            case ast.Name(id=name):
                return self.name(name)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return opposite(self.build(operand))
            case ast.UnaryOp(op=ast.UAdd(), operand=operand):
                return self.build(operand)
            case ast.BinOp(left=left, op=operator, right=right):
                return self.binary(operator, self.build(left), self.build(right))
            case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]) if name in FUNCTIONS:
                return self.call(name, [self.build(argument) for argument in arguments])
            case ast.Call(func=ast.Name(id=name)) if name in FUNCTIONS:
                raise FormulaError(f"{name} takes no named or starred arguments")
            case ast.Call(func=ast.Constant() | ast.BinOp() | ast.Call()):
                raise FormulaError("a product is written with *, and only sqrt, Abs, Min, Max and log can be called")
            case ast.Call(func=ast.Name(id=name)) if name in self.names:
                raise FormulaError("a product is written with *, and only sqrt, Abs, Min, Max and log can be called")
            case ast.Call():
                raise FormulaError("only sqrt, Abs, Min, Max and log can be called")
        part = shortened(self.text(node))
        if isinstance(node, ast.Tuple):
            reason = "a comma stands in Min and Max alone, and decimals have a point, as in 0.5"
            raise FormulaError(f"{part!r} is not part of a formula: {reason}")
        raise FormulaError(
            f"{part!r} is not part of a formula; it may hold {', '.join(self.variables)}, numbers, parameters, "
            "+ - * / ** and parentheses"
        )

    def text(self, node: ast.expr) -> str:
        """Return the source text of a node; formulas are single lines of ASCII, so bytes are characters."""
        return self.source[node.col_offset : node.end_col_offset]

    def name(self, name: str) -> Expr:
        """Return the meaning of a name: a cell, a sum of cells, a rate, a parameter or a constant."""
        if name in self.names:
            return self.names[name]
        if name in CONSTANTS:
            return CONSTANTS[name]
        if name in FUNCTIONS:
            raise FormulaError(f"{name} needs its argument in parentheses, as in {name}(TP)")
        spoken = SPOKEN.get(name.casefold(), "")
        if spoken in self.names:
            raise UndeclaredNameError(name, spoken, is_meant=True)
        nearest = nearest_names(name, [*self.names, *CONSTANTS], 1)
        raise UndeclaredNameError(name, nearest[0] if nearest else "")

    def binary(self, operator: ast.operator, left: Expr, right: Expr) -> Expr:
        """Return the value of an operator between two expressions."""
        match operator:
            case ast.Add():
                return bounded(left + right)
            case ast.Sub():
                return bounded(difference(left, right))
            case ast.Mult():
                return bounded(product(left, right))
            case ast.Div():
                if right == 0:
                    raise FormulaError("it divides by zero")
                return bounded(quotient(left, right))
            case ast.Pow():
                return bounded(_power(left, right))
            case ast.BitXor():
                raise FormulaError("'^' is not a power here; write **")
        raise FormulaError(f"the operator {_OPERATORS[type(operator)]} is not one of + - * / **")

    def call(self, name: str, arguments: list[Expr]) -> Expr:
        """Return the value of a function."""
        if not arguments or (name in ONE_ARGUMENT and len(arguments) != 1):
            wanted = "one argument" if name in ONE_ARGUMENT else "at least one argument"
            raise FormulaError(f"{name} takes {wanted}, not {len(arguments)}")
        with distribute(True):  # otherwise SymPy's Abs of a sum that holds a number recurses without end
            return bounded(FUNCTIONS[name](*arguments))


def _power(base: Expr, exponent: Expr) -> Expr:
    if exponent.is_Rational and max(abs(exponent.p), exponent.q) > MAX_EXPONENT:
        raise FormulaError(f"the exponent {shortened(str(exponent))} has a number beyond {MAX_EXPONENT}")
    if base == 0 and exponent.is_Rational and exponent < 0:
        raise FormulaError("it divides by zero")
    if base.is_Rational and exponent.is_Rational:
        bits = max(abs(base.p), base.q).bit_length() * abs(exponent.p)
        if bits > 4 * MAX_NUMBER_BITS:
            raise FormulaError("a constant in it is too large")
    return power(base, exponent)


def check_size(
    expression: Expr, values: Mapping[Symbol, Expr] | None = None, variables: Sequence[Symbol] = CELLS
) -> None:
    """Refuse expressions too large for the exact algebra, for evaluation at counts or for the reader of certificates.

    :param values: parameters that exponents are examined with; inner ones first, so that none is computed unseen
    :param variables: the symbols that an exponent must not hold
    :raises FormulaError: on a constant that is too large, on an exponent that holds a cell or is beyond 100, and on a
        fractional power of a negative number
    """
    for constant in expression.atoms(Rational):
        bounded(constant)
    powers = expression.atoms(Pow)
    if any(found.exp.free_symbols for found in powers):
        powers = sorted(powers, key=Expr.count_ops)
    for found in powers:
        exponent = found.exp if found.exp.is_Rational else found.exp.xreplace(dict(values or {}))
        if not exponent.free_symbols.isdisjoint(variables):
            what = "a cell" if variables == CELLS else "a variable"
            raise FormulaError(
                f"the exponent {shortened(str(exponent))} holds {what}; it may hold numbers and parameters"
            )
        if exponent.is_Rational and max(abs(exponent.p), exponent.q) > MAX_EXPONENT:
            raise FormulaError(f"the exponent {shortened(str(exponent))} has a number beyond {MAX_EXPONENT}")
        if exponent.is_integer is False and found.base.is_negative:  # the second test is slow in SymPy
            raise FormulaError("a negative number to a fractional power has no real value")
