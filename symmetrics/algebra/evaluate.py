"""Evaluate expressions at a point: exact rationals if possible, otherwise certified intervals."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

from flint import arb, ctx, fmpq
from sympy import Abs, Add, Expr, Integer, Max, Min, Mul, Pow, Rational, S, Symbol, log

from symmetrics.algebra.convert import element_expression
from symmetrics.algebra.field import Atom, Element, Field, Numerator
from symmetrics.tools.errors import UnsupportedError

MAX_POWER: Final = 1000
"""Larger exponents are refused, so that a formula cannot exhaust memory."""

Value = Any
"""An exact ``fmpq`` or a ball ``arb`` that is certain to hold the value."""


class Undefined(ArithmeticError):
    """The expression has no real value at the point."""


class Unclear(Undefined):
    """The interval is too wide to show whether the expression has a value at the point; more precision may decide."""


class Evaluator:
    """A compiled expression: call it with the values of its variables, in the order given.

    :param expression: a formula
    :param variables: the symbols whose values are passed at each call

    >>> from symmetrics.language.cells import TP, FN
    >>> Evaluator(TP / (TP + FN), (TP, FN))(3, 1)
    3/4
    """

    def __init__(self, expression: Expr, variables: Sequence[Symbol]) -> None:
        self.slots = {symbol: place for place, symbol in enumerate(variables)}
        self._run = self._compile(expression, {})

    def __call__(self, *values: int | Fraction | fmpq | arb) -> Value:
        """Return the value at a point, or a ball that holds all values at the points of balls.

        :raises Undefined: on a zero denominator, a root of something negative, a logarithm of something not positive
        """
        return self._run([_exact_or_ball(value) for value in values])

    def _compile(self, node: Expr, memo: dict[Expr, Callable[[list[Value]], Value]]) -> Callable[[list[Value]], Value]:
        if node not in memo:
            memo[node] = self._compile_node(node, memo)
        return memo[node]

    def _compile_node(self, node: Expr, memo: dict[Expr, Any]) -> Callable[[list[Value]], Value]:
        if isinstance(node, Symbol):
            place = self.slots[node]
            return lambda point: point[place]
        if isinstance(node, Rational):
            constant = fmpq(int(node.p), int(node.q))
            return lambda point: constant
        if node is S.Pi:
            return lambda point: arb.pi()
        if isinstance(node, Pow):
            return self._compile_power(node, memo)
        parts = [self._compile(argument, memo) for argument in node.args]
        for kind, function in _FUNCTIONS.items():
            if isinstance(node, kind):
                return lambda point: function([part(point) for part in parts])
        raise UnsupportedError(f"{type(node).__name__} is outside the exact algebra")

    def _compile_power(self, node: Pow, memo: dict[Expr, Any]) -> Callable[[list[Value]], Value]:
        base = self._compile(node.base, memo)
        if isinstance(node.exp, Rational) and max(abs(int(node.exp.p)), int(node.exp.q)) > MAX_POWER:
            raise UnsupportedError(f"the exponent {node.exp} is beyond {MAX_POWER}")
        if isinstance(node.exp, Integer):
            whole = int(node.exp)
            return lambda point: _whole_power(base(point), whole)
        if not isinstance(node.exp, Rational):
            exponent = self._compile(node.exp, memo)
            return lambda point: _real_power(base(point), exponent(point))
        top, bottom = int(node.exp.p), int(node.exp.q)
        return lambda point: _rational_power(base(point), top, bottom)


def _exact_or_ball(value: int | Fraction | fmpq | arb) -> Value:
    if isinstance(value, Fraction):
        return fmpq(value.numerator, value.denominator)
    return value if isinstance(value, arb) else fmpq(value)


def _whole_power(value: Value, power: int) -> Value:
    if power < 0 and not bool(value != 0):
        raise (Undefined if isinstance(value, fmpq) else Unclear)("division by zero")
    return value**power


def _rational_power(value: Value, top: int, bottom: int) -> Value:
    # (-8)**(2/3) is not the root of (-8)**2: a base that is negative has no real power, whatever the numerator.
    if not value >= 0:
        raise (Undefined if value < 0 else Unclear)("a root of a negative number")
    return _root(_whole_power(value, top), bottom)


def _root(value: Value, degree: int) -> Value:
    if isinstance(value, fmpq):
        top, bottom = value.p.root(degree), value.q.root(degree)
        if top**degree == value.p and bottom**degree == value.q:
            return fmpq(top, bottom)
        return arb(value).root(degree)
    return value.root(degree)


def _real_power(base: Value, exponent: Value) -> Value:
    if isinstance(exponent, fmpq) and exponent.q == 1:
        return _whole_power(base, int(exponent.p))
    if isinstance(exponent, fmpq):
        return _rational_power(base, int(exponent.p), int(exponent.q))
    return (exponent * _logarithm([base])).exp()


def _logarithm(values: list[Value]) -> Value:
    value = values[0]
    if not value > 0:
        raise (Undefined if value <= 0 else Unclear)("a logarithm of a number that is not positive")
    return fmpq(0) if isinstance(value, fmpq) and value == 1 else arb(value).log()


def _sum(values: list[Value]) -> Value:
    total = values[0]
    for value in values[1:]:
        total = total + value
    return total


def _product(values: list[Value]) -> Value:
    total = values[0]
    for value in values[1:]:
        total = total * value
    return total


def _maximum(values: list[Value]) -> Value:
    total = values[0]
    for value in values[1:]:
        exact = isinstance(total, fmpq) and isinstance(value, fmpq)
        total = max(total, value) if exact else arb(total).max(arb(value))
    return total


def _minimum(values: list[Value]) -> Value:
    return -_maximum([-value for value in values])


_FUNCTIONS: Mapping[type, Callable[[list[Value]], Value]] = {
    Add: _sum,
    Mul: _product,
    Abs: lambda values: abs(values[0]),
    Max: _maximum,
    Min: _minimum,
    log: _logarithm,
}


def certain_sign(evaluate: Callable[[], Value], max_bits: int = 1024) -> int | None:
    """Return the sign of a value, 0 for an exact zero; None where no precision up to *max_bits* can tell.

    :param evaluate: computes the value, at the precision that is current when it is called
    :raises Undefined: if the value does not exist
    """
    for value in _at_rising_precision(evaluate, max_bits):
        if value is None:
            continue
        if value > 0 or value < 0:
            return 1 if value > 0 else -1
        if isinstance(value, fmpq):
            return 0
    return None


def has_value(evaluate: Callable[[], Value], max_bits: int = 1024) -> bool:
    """Whether a value certainly exists; False where no precision up to *max_bits* decides."""
    try:
        return any(value is not None for value in _at_rising_precision(evaluate, max_bits))
    except Undefined:
        return False


def _at_rising_precision(evaluate: Callable[[], Value], max_bits: int) -> Iterator[Value | None]:
    saved, bits = ctx.prec, 64
    try:
        while bits <= max_bits:
            ctx.prec = bits
            try:
                value = evaluate()
            except Unclear:
                value = None
            yield value
            bits *= 4
    finally:
        ctx.prec = saved


# -- Signs that an element has for all positive cells and all parameters, as far as its coefficients show them ---------


MAX_MULTIPLE: Final = 8
"""Largest integer multiple of a logarithm that is read as a power of its argument."""


def sign_of_element(element: Element, field: Field) -> int | None:
    """Return the sign of an element, the same for all positive cells and all parameters; None if it is not certain."""
    sign, signed, absolute = field.factor(element)
    for number in {*signed, *absolute}:
        of_base = _atom_sign(field.atoms[number], field)
        if of_base is None:
            return None
        if signed.get(number, 0) % 2:
            sign *= of_base
    return sign


def _atom_sign(atom: Atom, field: Field) -> int | None:
    if isinstance(atom.base, dict):
        return None if atom.is_log else _sum_sign(atom.base, field)
    if atom.is_log:
        return _poly_sign(atom.base - 1, field) if _poly_sign(atom.base, field) == 1 else None
    return _poly_sign(atom.base, field)


def _sum_sign(numerator: Any, field: Field) -> int | None:
    """Return the sign of a sum with roots and logarithms: that of all its terms, or that on both sides of an |f|."""
    if (product := _term_signs(numerator, field)) is not None:
        return product
    folded = {
        number
        for monomial in numerator
        for number, power in monomial
        if power == 1 and not field.atoms[number].is_log and not field.atoms[number].is_opaque
    }
    if len(folded) != 1:
        constant = _constant_sign(Element(dict(numerator)), field)
        return _logarithms_sign(numerator, field) if constant is None else constant
    (number,) = folded
    sides = [_term_signs(_opened(numerator, number, sign, field), field) for sign in (1, -1)]
    return sides[0] if sides[0] == sides[1] else None


def _logarithms_sign(numerator: Any, field: Field) -> int | None:
    """Return the sign of ``sum m*(c*log(f) + ...)`` over monomials m: that of each ``f**c*... - 1``, if they agree."""
    # Collect, for each monomial in the cells, the integer multiples of the logarithms.
    rows: dict[tuple[int, ...], dict[int, int]] = {}
    for monomial, poly in numerator.items():
        number, power = monomial[0] if len(monomial) == 1 else (0, 0)
        if power != 1 or not field.atoms[number].is_log or isinstance(field.atoms[number].base, dict):
            return None
        if field.parameters or _poly_sign(field.atoms[number].base, field) != 1:
            return None
        for exponents, coefficient in poly.to_dict().items():
            rows.setdefault(exponents, {})[number] = int(coefficient)
    # sum c*log(f) has the sign of prod f**c - 1, that is of prod f**c over c > 0 minus the rest.
    signs = set()
    for row in rows.values():
        if max(map(abs, row.values())) > MAX_MULTIPLE:
            return None
        above, below = field.context.constant(1), field.context.constant(1)
        for number, multiple in row.items():
            base: Any = field.atoms[number].base
            raised = base ** abs(multiple)
            above, below = (above * raised, below) if multiple > 0 else (above, below * raised)
        signs.add(_poly_sign(above - below, field))
    return signs.pop() if signs in ({1}, {-1}) else None


def _opened(numerator: Any, number: int, sign: int, field: Field) -> Any:
    """Return a sum with ``|f|`` replaced by f or by -f."""
    total = Element({})
    for monomial, poly in numerator.items():
        rest = tuple(part for part in monomial if part != (number, Fraction(1)))
        factor = poly if rest == monomial else poly * field.atoms[number].base * sign
        total = field.add(total, Element({rest: factor}))
    return total.numerator


def _term_signs(numerator: Any, field: Field) -> int | None:
    """Return the sign that all terms have, if they agree."""
    signs = set()
    for monomial, poly in numerator.items():
        product = _poly_sign(poly, field) or 0
        for number, power in monomial:
            product *= _part_sign(field.atoms[number], power, field) or 0
        signs.add(product)
    return int(signs.pop()) if signs in ({1}, {-1}) else None


def _part_sign(atom: Atom, power: Fraction, field: Field) -> int | None:
    sign = _atom_sign(atom, field)
    if atom.is_log:
        return sign if sign is None or power % 2 else 1
    return None if sign is None else 1


def _poly_sign(poly: Any, field: Field) -> int | None:
    for sign, signed in ((1, poly), (-1, -poly)):
        if field.is_positive(signed) and _stays_at_corners(signed, field):
            return sign
    return _constant_sign(field.from_poly(poly), field) if poly else None


def _stays_at_corners(poly: Any, field: Field) -> bool:
    """Whether no end of the domain of a parameter makes a polynomial vanish whose coefficients have one sign."""
    if not field.parameters:
        return True
    moved = field.on_half_lines(poly)
    degrees = dict(zip(field.names, poly.degrees(), strict=True))
    ends: dict[int, list[int]] = {}
    for name, parameter in field.parameters.items():
        bounded = parameter.lower.is_finite and parameter.upper.is_finite
        start_is_open = parameter.lower_open if parameter.lower.is_finite else parameter.upper_open
        at_ends = [] if start_is_open else [0]
        at_ends += [int(degrees[name])] if bounded and not parameter.upper_open else []
        if at_ends:
            ends[field.names.index(name)] = list(dict.fromkeys(at_ends))
    present = {tuple(int(exponents[place]) for place in ends) for exponents in moved.to_dict()}
    return all(corner in present for corner in itertools.product(*ends.values()))


def _constant_sign(element: Element, field: Field) -> int | None:
    """Return the sign of a number, by intervals."""
    expression = element_expression(element, field)
    if expression.free_symbols:
        return None
    try:
        return certain_sign(Evaluator(expression, ())) or None
    except Undefined:
        return None


# -- Whether a formula in lowest terms can lose digits to cancellation in floating point -------------------------------


LARGEST_RATIO: Final = 16
"""Ratio of a numerator's terms to the denominator above which cancellation is possible."""
MAX_TERMS: Final = 4_000


def is_well_conditioned(element: Element, field: Field) -> bool:
    """Whether every term of the numerator is at most a small multiple of the denominator, for all tables.

    Then rounding errors of the terms stay small in the quotient, however much the terms cancel.  Shown by squaring:
    with positive factors only, ``(16 * denominator)**2 - (sum |terms|)**2`` has no negative coefficient.  A numerator
    whose terms agree in sign needs no such bound.
    """
    factors: list[tuple[Any, int]] = [(field.atoms[number], power) for number, power in element.denominator.items()]
    if any(not atom.positive or atom.is_opaque for atom, _ in factors):
        return False
    numbers = {number for monomial in element.numerator for number, _ in monomial}
    if any(field.atoms[n].is_log or field.atoms[n].is_opaque or not field.atoms[n].positive for n in numbers):
        return False
    # All terms of one sign: nothing cancels.
    if _one_sign(element.numerator):
        return True
    # Otherwise each term has to be at most LARGEST_RATIO times the denominator, coefficient by coefficient.
    denominator = field.context.constant(LARGEST_RATIO)
    for atom, power in factors:
        denominator *= atom.base**power
    if len(denominator) > MAX_TERMS:
        return False
    return all(_bounded(monomial, poly, denominator, field) for monomial, poly in element.numerator.items())


def _one_sign(numerator: Numerator) -> bool:
    signs = {coefficient > 0 for poly in numerator.values() for coefficient in poly.coeffs()}
    return len(signs) == 1


def _bounded(monomial: Any, poly: Any, denominator: Any, field: Field) -> bool:
    """Whether ``|poly| * monomial <= denominator`` coefficient by coefficient, after squaring the roots away."""
    order = 2
    for _, power in monomial:
        while (power * order).denominator != 1:
            order += 2
    above = field.context.from_dict({e: abs(c) for e, c in poly.to_dict().items()}) ** order
    for number, power in monomial:
        above *= field.atoms[number].base ** int(power * order)
    if len(above) > MAX_TERMS or len(denominator) * order > MAX_TERMS:
        return False
    return all(coefficient >= 0 for coefficient in (denominator**order - above).coeffs())
