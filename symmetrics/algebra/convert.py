"""Conversion between SymPy expressions and field elements, with a record that the checker can follow."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from sympy import Abs, Add, Expr, Integer, Max, Min, Mul, Pow, Rational, S, Symbol, log

from symmetrics.algebra.field import Element, Field, Monomial, Numerator, Poly
from symmetrics.language.formula import RESERVED_PREFIX
from symmetrics.language.names import CELL_NAMES
from symmetrics.language.parameter import Parameter
from symmetrics.language.writer import formula_text
from symmetrics.tools.errors import UnsupportedError


def field_for(
    parameters: Iterable[Parameter] = (), auxiliary: Iterable[str] = (), over: Iterable[str] = CELL_NAMES
) -> Field:
    """Return a field over the four cells or other variables, auxiliary ones, all positive, pi and parameters."""
    return Field((*over, *auxiliary, "pi"), parameters)


class Conversion:
    """Converts expressions to elements of one field; records the value of each root, absolute value and logarithm."""

    def __init__(self, field: Field) -> None:
        self.field = field
        self.irrational: list[Element] = []
        self._memo: dict[Expr, Element] = {}

    def __call__(self, expression: Expr) -> Element:
        """Return the element that an expression denotes.

        :raises UnsupportedError: if the expression leaves the class that the algebra represents
        """
        if expression not in self._memo:
            self._memo[expression] = self._read(expression)
        return self._memo[expression]

    def _read(self, expression: Expr) -> Element:
        field = self.field
        match expression:
            case Integer():
                return field.constant(int(expression))
            case Rational():
                return self._ratio(int(expression.p), int(expression.q))
            case Symbol():
                return field.from_poly(field.generators[expression.name])
            case Add():
                return self._fold(field.add, expression.args)
            case Mul():
                return self._fold(field.multiply, expression.args)
            case Pow():
                return self._power(expression)
        if expression is S.Pi:
            return field.from_poly(field.generators["pi"])
        if isinstance(expression, (Abs, Min, Max, log)):
            return self._function(expression)
        raise UnsupportedError(f"{type(expression).__name__} is outside the exact algebra")

    def _ratio(self, top: int, bottom: int) -> Element:
        return self.field.multiply(self.field.constant(top), self.field.invert(self.field.constant(bottom)))

    def _fold(self, operation: Callable[[Element, Element], Element], arguments: Iterable[Expr]) -> Element:
        first, *rest = arguments
        result = self(first)
        for argument in rest:
            result = operation(result, self(argument))
        return result

    def _power(self, expression: Pow) -> Element:
        base, exponent = expression.args
        if not isinstance(exponent, Rational):
            raise UnsupportedError(f"the exponent {exponent} is not a number")
        value = self.field.power(self(base), Fraction(int(exponent.p), int(exponent.q)))
        if not isinstance(exponent, Integer):
            self.irrational.append(value)
        return value

    def _function(self, expression: Expr) -> Element:
        field = self.field
        if isinstance(expression, Abs):
            return self._noted(field.absolute_power(self(expression.args[0]), Fraction(1)))
        if isinstance(expression, log):
            return self._noted(field.logarithm(self(expression.args[0])))
        larger = isinstance(expression, Max)
        half = self._ratio(1, 2)

        def extreme(left: Element, right: Element) -> Element:
            gap = self._noted(field.absolute_power(field.subtract(left, right), Fraction(1)))
            total = field.add(left, right)
            return field.multiply(half, field.add(total, gap) if larger else field.subtract(total, gap))

        return self._fold(extreme, expression.args)

    def _noted(self, value: Element) -> Element:
        self.irrational.append(value)
        return value


def convert(expression: Expr, field: Field) -> Element:
    """Return the element of *field* that an expression denotes, in lowest terms.

    :raises UnsupportedError: if the expression leaves the class that the algebra represents
    """
    return field.reduce(Conversion(field)(expression))


def has_parameters_in_exponents(*expressions: Expr) -> bool:
    """Whether some exponent is not a number, but holds a parameter."""
    return any(power.exp.free_symbols for expression in expressions for power in expression.atoms(Pow))


@dataclass(frozen=True)
class Difference:
    """The expression that a claim compares with zero, with a record of how its roots and logarithms were converted."""

    element: Element
    field: Field
    conversion: Conversion

    def record(self) -> dict[str, Any]:
        """Return the atoms and the value of every root, absolute value and logarithm, as texts.

        Multiplication is all that is needed to verify them: a root r of b satisfies ``r**q = b``.
        """
        values = dict.fromkeys(_element_text(value, self.field) for value in self.conversion.irrational)
        atoms = {
            atom_name(atom.number, self.field): {"kind": atom.kind, "base": _base_text(atom.base, self.field)}
            for atom in (self.field.atoms if values else ())
        }
        return {"atoms": atoms, "values": list(values)}


def difference_of(sides: Iterable[Expr], difference: Expr, field: Field) -> Difference:
    """Convert both sides of a comparison, and the expression in them that is compared with zero.

    :raises UnsupportedError: if a formula leaves the class that the algebra represents
    """
    conversion = Conversion(field)
    for side in sides:  # a side's conditions for being real are kept, also of parts that cancel in the difference
        conversion(side)
    return Difference(field.reduce(conversion(difference)), field, conversion)


def element_expression(element: Element, field: Field) -> Expr:
    """Convert an element to a SymPy expression in factored form.

    The result denotes the continuous extension: what cancels is gone.  It evaluates stably in floating point, because
    every factor whose coefficients agree in sign is a sum without cancellation.
    """
    if element.is_zero:
        return S.Zero
    sign, signed, absolute = field.factor(element)
    factors: list[Expr] = [Integer(sign)]
    grouped: dict[Rational, list[Expr]] = {}
    for number in signed | absolute:
        base = _atom_expression(number, field)
        whole, fractional = signed.get(number, 0), absolute.get(number, Fraction(0))
        if field.atoms[number].positive:
            power = whole + fractional
            grouped.setdefault(Rational(power.numerator, power.denominator), []).append(base)
        else:
            factors.append(base**whole)
            if fractional:
                factors.append(Abs(base) ** Rational(fractional.numerator, fractional.denominator))
    for power, bases in grouped.items():
        factors.append(Mul(*bases) ** power if power.q == 2 else Mul(*(base**power for base in bases)))
    return Mul(*factors)


def in_lowest_terms(expression: Expr, parameters: Iterable[Parameter] = (), auxiliary: Iterable[str] = ()) -> Expr:
    """Return an expression in lowest terms; unchanged where the field has no form for it that is as often real.

    An element stands for a formula where this is real, and has absolute values under its roots and logarithms.  Where
    a radicand may be negative it would be real at more tables than the formula.

    >>> from symmetrics.language.cells import FN, TP
    >>> in_lowest_terms((TP**2 - FN**2) / (TP - FN)), in_lowest_terms((TP - FN) ** Rational(1, 2))
    (FN + TP, sqrt(-FN + TP))
    """
    field = field_for(tuple(parameters), tuple(auxiliary))
    try:
        element = field.reduce(Conversion(field)(expression))
        return expression if field.conditions else element_expression(element, field)
    except UnsupportedError:
        return expression


def real_where_required(expression: Expr, conditions: Iterable[Element], field: Field) -> Expr:
    """Drop absolute values inside roots and logarithms where a condition fixes the sign of their argument.

    What :func:`element_expression` writes, such as ``sqrt(Abs(b))``, is real for both signs of b, though the formula
    may be real for one alone.  If a condition holds for that sign only, ``Abs(b)`` becomes b, or -b.

    :param conditions: what has to be >= 0: that of which roots and logarithms were taken

    >>> from symmetrics.language.cells import FN, TP
    >>> field = field_for()
    >>> written = element_expression(convert((TP - FN) ** Rational(1, 2), field), field)
    >>> written, real_where_required(written, field.conditions, field)
    (sqrt(Abs(FN - TP)), sqrt(-FN + TP))
    """
    for condition in conditions:
        sign, signed, _ = field.factor(condition)
        odd = [number for number, power in signed.items() if not field.atoms[number].positive and power % 2]
        if len(odd) == 1:
            base = _atom_expression(odd[0], field)
            bound = {Abs(base): sign * base}
            expression = expression.replace(
                lambda node: isinstance(node, log) or (isinstance(node, Pow) and not node.exp.is_Integer),
                lambda node, bound=bound: node.func(bound.get(node.args[0], node.args[0]), *node.args[1:]),
            )
    return expression


def _atom_expression(number: int, field: Field) -> Expr:
    atom = field.atoms[number]
    if not atom.is_opaque:
        base = poly_expression(atom.base, field)
        return _logarithm(base, field.is_positive_base(atom.base)) if atom.is_log else base
    terms = []
    for monomial, poly in atom.base.items():
        parts = [_factored(poly, field)]
        for part, power in monomial:
            base = _atom_expression(part, field)
            if not field.atoms[part].positive and not field.atoms[part].is_log:
                base = Abs(base)
            parts.append(base ** Rational(power.numerator, power.denominator))
        terms.append(Mul(*parts))
    return _logarithm(Add(*terms), field.is_positive_base(atom.base)) if atom.is_log else Add(*terms)


def _logarithm(base: Expr, positive: bool) -> Expr:
    # An atom is the logarithm of an absolute value: log((TP - FN)*(TN - FP)) is real where both factors are negative.
    return log(base if positive else Abs(base))


def _factored(poly: Poly, field: Field) -> Expr:
    constant, factors = poly.factor()
    return Mul(Integer(int(constant)), *(poly_expression(base, field) ** int(power) for base, power in factors))


def poly_expression(poly: Poly, field: Field) -> Expr:
    """Write a polynomial as a SymPy sum."""
    symbols = [S.Pi if name == "pi" else Symbol(name, real=True) for name in field.names]
    terms = []
    for exponents, coefficient in poly.to_dict().items():
        powers: list[Any] = [s ** int(e) for s, e in zip(symbols, exponents, strict=True) if e]
        terms.append(Mul(Integer(int(coefficient)), *powers))
    return Add(*terms)


def atom_name(number: int, field: Field) -> str:
    """Return the name of an atom in certificates."""
    # No parameter and no named variable can have a name with the reserved prefix.
    clash = any(name.startswith("atom") for name in field.names)
    return f"{RESERVED_PREFIX if clash else ''}atom{number}"


def _base_text(base: Any, field: Field) -> str:
    return _numerator_text(base if isinstance(base, dict) else {(): base}, field)


def _numerator_text(numerator: Numerator, field: Field) -> str:
    return " + ".join(_term_text(monomial, poly, field) for monomial, poly in numerator.items()) or "0"


def _term_text(monomial: Monomial, poly: Any, field: Field) -> str:
    powers = [f"{atom_name(number, field)}**({power})" for number, power in monomial]
    return "*".join([f"({formula_text(poly_expression(poly, field))})", *powers])


def _element_text(element: Element, field: Field) -> str:
    below = []
    for number, power in element.denominator.items():
        atom = field.atoms[number]
        base = atom_name(number, field) if atom.is_log else f"({_base_text(atom.base, field)})"
        below.append(f"{base}**{Fraction(power)}")
    above = f"({_numerator_text(element.numerator, field)})"
    return above + ("/(" + "*".join(below) + ")" if below else "")
