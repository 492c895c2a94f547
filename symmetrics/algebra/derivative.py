"""Derivatives of elements along a direction."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from typing import Final

from flint import arb, fmpq
from sympy import Abs, Add, Expr, Max, Min, Mul, Pow, Rational, S, Symbol, diff, fraction, log, together
from sympy import Poly as SymPyPoly

from symmetrics.algebra.evaluate import MAX_POWER, Unclear, Undefined, Value
from symmetrics.algebra.field import ONE, Element, Field, Monomial, Poly
from symmetrics.language.cells import CELLS, Table
from symmetrics.tools.errors import UnsupportedError


def derivative(element: Element, field: Field, direction: Mapping[str, int]) -> Element:
    """Return the derivative of an element along a direction, in lowest terms.

    An absolute value is differentiated where its argument is not zero.

    :param direction: the components of the direction by the names of generators; the others are zero

    >>> from symmetrics.algebra.convert import convert, element_expression, field_for
    >>> from symmetrics.language.cells import FN, TP
    >>> field = field_for()
    >>> element_expression(derivative(convert(TP / (TP + FN), field), field, {"TP": 1}), field)
    FN/(FN + TP)**2
    """
    return _Direction(field, direction).of_element(element)


class _Direction:
    """Derivatives in one direction, each atom's logarithmic derivative computed once."""

    def __init__(self, field: Field, components: Mapping[str, int]) -> None:
        self.field = field
        self.components = {field.names.index(name): value for name, value in components.items()}
        self._logarithmic: dict[int, Element] = {}

    def of_element(self, element: Element) -> Element:
        field = self.field
        over = Element({ONE: field.context.constant(1)}, dict(element.denominator))
        total = field.constant(0)
        for monomial, poly in element.numerator.items():
            total = field.add(total, self._of_term(monomial, poly))
        total = field.multiply(total, over)
        for number, power in element.denominator.items():
            change = field.multiply(field.constant(-power), self._relative_change(number))
            total = field.add(total, field.multiply(change, element))
        return field.reduce(total)

    def _of_term(self, monomial: Monomial, poly: Poly) -> Element:
        field = self.field
        factor = Element({monomial: field.context.constant(1)})
        total = field.multiply(field.from_poly(self.of_poly(poly)), factor)
        term = Element({monomial: poly})
        for number, power in monomial:
            if field.atoms[number].is_log:
                total = field.add(total, self._of_log_power(monomial, poly, number))
            else:
                change = field.multiply(self._rational(power), self._relative_change(number))
                total = field.add(total, field.multiply(change, term))
        return total

    def _of_log_power(self, monomial: Monomial, poly: Poly, number: int) -> Element:
        """Return ``poly * power * log**(power - 1) * base'/base`` times the rest of the monomial."""
        field = self.field
        power = dict(monomial)[number]
        lowered = tuple((n, p - 1 if n == number else p) for n, p in monomial if n != number or p != 1)
        term = Element({lowered: poly * int(power)})
        return field.multiply(term, self._relative_change_of_base(number))

    def of_poly(self, poly: Poly) -> Poly:
        total = self.field.context.constant(0)
        for place, component in self.components.items():
            total += component * poly.derivative(place)
        return total

    def _relative_change(self, number: int) -> Element:
        """Return a'/a for an atom, or f'/f for the polynomial f that stands in a denominator."""
        if self.field.atoms[number].is_log:
            log = Element({ONE: self.field.context.constant(1)}, {number: 1})
            return self.field.multiply(self._relative_change_of_base(number), log)
        return self._relative_change_of_base(number)

    def _relative_change_of_base(self, number: int) -> Element:
        if number not in self._logarithmic:
            field, base = self.field, self.field.atoms[number].base
            if isinstance(base, dict):
                element = Element(dict(base))
                self._logarithmic[number] = field.multiply(self.of_element(element), field.invert(element))
            else:
                over = Element({ONE: field.context.constant(1)}, {field.poly_atom(base): 1})
                self._logarithmic[number] = field.multiply(field.from_poly(self.of_poly(base)), over)
        return self._logarithmic[number]

    def _rational(self, value: Fraction) -> Element:
        field = self.field
        return field.multiply(field.constant(value.numerator), field.invert(field.constant(value.denominator)))


# -- Values of formulas together with their derivatives by the cells, at single tables ---------------------------------

# Values are exact rationals while possible and certified intervals beyond. Where an absolute value or an extreme has
# a kink there is no derivative, and none is returned.


ZERO: Final = fmpq(0)


@dataclass(frozen=True)
class Jet:
    """A value and its partial derivatives."""

    value: Value
    partials: tuple[Value, ...]

    def moved(self, value: Value, slope: Value) -> Jet:
        """Apply a function by the chain rule: the new value, and these derivatives times the function's slope."""
        return Jet(value, tuple(ZERO if _is_zero(partial) else slope * partial for partial in self.partials))


def jet_at(formula: Expr, variables: Sequence[Symbol], point: Sequence[int | fmpq]) -> Jet:
    """Return the value of a formula and its derivatives by the variables at a point.

    >>> from symmetrics.language.cells import TP, FN
    >>> jet = jet_at(TP / (TP + FN), (TP, FN), (3, 1))
    >>> jet.value, jet.partials
    (3/4, (1/16, -3/16))

    :raises Undefined: where the formula has no value or no derivative, or no interval shows that it has
    :raises UnsupportedError: if the formula leaves the class that is evaluated
    """
    count = len(variables)
    known = {
        symbol: Jet(fmpq(value), tuple(fmpq(int(place == row)) for place in range(count)))
        for row, (symbol, value) in enumerate(zip(variables, point, strict=True))
    }
    return _jet(formula, known, (ZERO,) * count)


def _jet(node: Expr, known: dict[Expr, Jet], zeros: tuple[Value, ...]) -> Jet:
    if node not in known:
        known[node] = _computed(node, known, zeros)
    return known[node]


def _computed(node: Expr, known: dict[Expr, Jet], zeros: tuple[Value, ...]) -> Jet:
    # Constants; variables are in the table of known jets.
    if isinstance(node, Rational):
        return Jet(fmpq(int(node.p), int(node.q)), zeros)
    if node is S.Pi:
        return Jet(arb.pi(), zeros)
    parts = [_jet(argument, known, zeros) for argument in node.args]
    # Chain rule for each operation; kinks and poles raise an error.
    match node:
        case Add():
            return reduce(_sum, parts)
        case Mul():
            return reduce(_product, parts)
        case Pow() if isinstance(node.exp, Rational):
            return _power(parts[0], int(node.exp.p), int(node.exp.q))
        case Max() | Min():
            larger = isinstance(node, Max)
            return reduce(lambda left, right: _extreme(left, right, larger=larger), parts)
        case Abs():
            sign = _sign(parts[0].value)
            return parts[0].moved(sign * parts[0].value, sign)
        case log():
            _require_positive(parts[0].value)
            return parts[0].moved(_logarithm(parts[0].value), 1 / parts[0].value)
    raise UnsupportedError(f"{node} is not differentiated here")


def _is_zero(value: Value) -> bool:
    return isinstance(value, fmpq) and value == 0


def _sum(left: Jet, right: Jet) -> Jet:
    return Jet(left.value + right.value, tuple(a + b for a, b in zip(left.partials, right.partials, strict=True)))


def _product(left: Jet, right: Jet) -> Jet:
    return _sum(left.moved(left.value * right.value, right.value), right.moved(ZERO, left.value))


def _extreme(left: Jet, right: Jet, *, larger: bool) -> Jet:
    return left if (_sign(left.value - right.value) > 0) == larger else right


def _power(base: Jet, top: int, bottom: int) -> Jet:
    if max(abs(top), bottom) > MAX_POWER:
        raise UnsupportedError(f"an exponent beyond {MAX_POWER}")
    value = base.value
    if bottom == 1 and top > 0:
        below = value ** (top - 1)
        return base.moved(below * value, top * below)
    if bottom == 1:
        _sign(value)
    else:
        _require_positive(value)
    power = _root(value**top, bottom)
    return base.moved(power, power * fmpq(top, bottom) / value)


def _root(value: Value, degree: int) -> Value:
    if degree == 1:
        return value
    if isinstance(value, fmpq):
        top, bottom = value.p.root(degree), value.q.root(degree)
        if top**degree == value.p and bottom**degree == value.q:
            return fmpq(top, bottom)
    return arb(value).root(degree)


def _logarithm(value: Value) -> Value:
    return ZERO if isinstance(value, fmpq) and value == 1 else arb(value).log()


def _require_positive(value: Value) -> None:
    if _sign(value) < 0:
        raise Undefined("a root or logarithm of a negative number")


def _sign(value: Value) -> int:
    """Return the sign of a value that is certain not to be zero."""
    if value > 0 or value < 0:
        return 1 if value > 0 else -1
    raise (Undefined if isinstance(value, fmpq) else Unclear)("a pole, a kink, or the end of the domain")


# -- Formulas with absolute values, minima and maxima as smooth formulas on regions ------------------------------------


MAX_PIECES: Final = 128
"""Formulas with more smooth pieces are refused."""


@dataclass(frozen=True)
class Piece:
    """A formula without absolute values and extremes, which equals the original wherever all conditions hold.

    :param formula: the smooth formula
    :param conditions: expressions that are >= 0 on the piece
    :param divisors: divisors of the formula before it was split, restricted to the piece: some of it may have
        cancelled, and where it is zero the original may jump
    """

    formula: Expr
    conditions: tuple[Expr, ...] = ()
    divisors: tuple[Expr, ...] = ()


def smooth_pieces(formula: Expr, positive: Iterable[Symbol] = CELLS) -> tuple[Piece, ...]:
    """Return smooth formulas whose regions together cover every point; none if there would be too many.

    ``|f|`` is f where f >= 0 and -f where -f >= 0; ``Max(f, g)`` is f where f - g >= 0 and g where g - f >= 0.

    >>> from symmetrics.language.cells import FN, FP
    >>> [(piece.formula, piece.conditions) for piece in smooth_pieces(Max(FN, FP))]
    [(FN, (FN - FP,)), (FP, (-FN + FP,))]

    :param positive: symbols for positive numbers
    """
    known = {symbol: Symbol(symbol.name, positive=True) for symbol in positive}
    pieces = tuple(itertools.islice(_pieces(formula, (), _divisors(formula), known), MAX_PIECES + 1))
    return tuple(filter(_has_interior, pieces)) if len(pieces) <= MAX_PIECES else ()


def _has_interior(piece: Piece) -> bool:
    """Whether no two conditions are each other's negatives, which would leave a region without interior.

    The other regions are closed, and cover all of what is dense, so that they cover everything.
    """
    pairs = itertools.combinations(piece.conditions, 2)
    return not any((left + right).expand() == 0 for left, right in pairs)


def _divisors(formula: Expr) -> tuple[Expr, ...]:
    if not formula.has(Abs, Min, Max):
        return ()
    return tuple(sorted({power.base for power in formula.atoms(Pow) if not power.exp.is_nonnegative}, key=str))


def _pieces(
    formula: Expr, conditions: tuple[Expr, ...], divisors: tuple[Expr, ...], known: Mapping[Symbol, Symbol]
) -> Iterator[Piece]:
    nodes = formula.atoms(Abs, Min, Max) | {node for divisor in divisors for node in divisor.atoms(Abs, Min, Max)}
    if not nodes:
        yield Piece(formula, conditions, divisors)
        return
    # One that holds no other is decided first, at all its occurrences at once.
    node = min(nodes, key=lambda node: (len(node.atoms(Abs, Min, Max)), str(node)))
    for value, region in _choices(node, known):
        swap = {node: value}
        there = tuple(divisor.xreplace(swap) for divisor in divisors)
        yield from _pieces(formula.xreplace(swap), (*conditions, *region), there, known)


def _choices(node: Expr, known: Mapping[Symbol, Symbol]) -> Iterator[tuple[Expr, tuple[Expr, ...]]]:
    if isinstance(node, Abs):
        inner = node.args[0]
        if inner.xreplace(known).is_nonnegative:
            yield inner, ()
            return
        for signed in (inner, -inner):
            yield signed, (signed,)
        return
    sign = S.One if isinstance(node, Max) else S.NegativeOne
    for chosen in node.args:
        yield chosen, tuple(sign * (chosen - other) for other in node.args if other is not chosen)


# -- Values of formulas at tables with zero cells, where z*log(z) tends to zero with z ---------------------------------

# This is the prover's judgement alone; the checker has its own (``symmetrics/checker/families/agreement.py``).


_UNDEFINED: Final = (S.NaN, S.ComplexInfinity, S.Infinity, S.NegativeInfinity)


def value_by_continuity(formula: Expr, table: Mapping[Symbol, Expr]) -> Expr | None:
    """Return the limit of a formula without parameters at a table, if it is shown to be the same along every path.

    A term ``c*z**k*log(z**m*h)`` with k > 0, where c and h are continuous at the table and h is positive there, tends
    to zero with the cell z.  Every other part has to have a value of its own, before it meets the others: then it is
    continuous, and so are sums, products, quotients and powers of such parts.  All of them, c too, have to be real at
    all tables of positive cells nearby: a root whose argument is zero at the table counts only if that is nowhere
    negative.

    >>> from symmetrics.language.cells import CELLS, FN, TN, TP
    >>> from sympy import Integer, sqrt
    >>> table = dict(zip(CELLS, map(Integer, (2, 0, 1, 1))))
    >>> value_by_continuity(FN * log(FN / (TP + FN)) + TP, table)
    2
    >>> value_by_continuity(FN * log(FN / (TP + FN)) * sqrt(TN - TP), table) is None
    True
    """
    return _value_or_none(formula, table, by_continuity=True)


def value_as_written(formula: Expr, table: Mapping[Symbol, Expr]) -> Expr | None:
    """Return the value of a formula at a table, or None if any part of it has no real value there.

    ``|log(-1)|`` has none, though the modulus of a complex number is real.

    >>> from sympy import Abs, Integer
    >>> from symmetrics.language.cells import FN, TP
    >>> value_as_written(Abs(log(TP - FN)), {TP: Integer(1), FN: Integer(2)}) is None
    True
    """
    return _value_or_none(formula, table, by_continuity=False)


def _value_or_none(formula: Expr, table: Mapping[Symbol, Expr], *, by_continuity: bool) -> Expr | None:
    try:
        return _value(formula, dict(table), by_continuity)
    except (ValueError, TypeError):  # SymPy raises these for Min and Max of incomparable arguments
        return None


def _value(node: Expr, table: dict[Symbol, Expr], by_continuity: bool) -> Expr | None:
    if not node.args or not _may_be_complex(node):
        value = node.xreplace(table)
    elif by_continuity and isinstance(node, Mul) and _vanishes(node, table):
        return S.Zero
    else:
        parts = []
        for argument in node.args:
            part = _value(argument, table, by_continuity)
            if part is None:
                return None
            parts.append(part)
        if by_continuity and _is_root(node) and not (parts[0].is_positive or _is_never_negative(node.base)):
            return None
        value = node.func(*parts)
    return None if value.has(*_UNDEFINED) or value.is_real is False else value


def _may_be_complex(node: Expr) -> bool:
    """Whether a formula holds a logarithm or a root whose argument may be negative."""
    return node.has(log) or any(map(_is_root, node.atoms(Pow)))


def _is_root(node: Expr) -> bool:
    return isinstance(node, Pow) and not node.exp.is_Integer


def _is_never_negative(base: Expr) -> bool:
    """Whether SymPy derives from positive cells that an expression is nowhere negative.

    >>> from symmetrics.language.cells import FN, FP, TN, TP
    >>> [_is_never_negative(base) for base in (TP * FN + (TN - FP) ** 2, TN - TP, 1 - TP / (TP + FN))]
    [True, False, True]
    """
    signed = base.xreplace({cell: Symbol(cell.name, positive=True) for cell in base.free_symbols})
    top, bottom = fraction(together(signed))
    return bool(signed.is_nonnegative or (bottom.is_positive and top.expand().is_nonnegative))


def _vanishes(node: Mul, table: dict[Symbol, Expr]) -> bool:
    """Whether a product is ``c*z**k*log(z**m*h)``, and c is continuous and real near the table."""
    logs = [factor for factor in node.args if isinstance(factor, log)]
    if len(logs) != 1:
        return False
    powers = node.as_powers_dict()
    for cell in (cell for cell, count in table.items() if count == 0):
        power = powers.get(cell, S.Zero)
        rest = node / (logs[0] * cell**power)
        if power.is_positive and not rest.has(log) and _value(rest, table, by_continuity=True) is not None:
            return _is_power_times_positive(logs[0].args[0], cell, table)
    return False


def _is_power_times_positive(argument: Expr, cell: Symbol, table: dict[Symbol, Expr]) -> bool:
    """Whether an expression is a power of a cell times a factor that is positive at the table."""
    if not argument.is_rational_function(*table):
        return False
    top, bottom = fraction(together(argument))
    value = S.One
    for part, sign in ((top, 1), (bottom, -1)):
        poly = SymPyPoly(part, cell)
        lowest = min(power for (power,) in poly.monoms())
        value *= poly.coeff_monomial(cell**lowest).xreplace(table) ** sign
    return bool(value.is_positive)


# -- Derivatives with respect to the cells -----------------------------------------------------------------------------


def gradient(expression: Expr) -> Table:
    """Return the partial derivatives by TP, FN, FP, TN, in this order.

    Where an absolute value or an extreme has a kink the derivative does not exist; there the expressions have the mean
    of the one-sided derivatives.

    >>> from symmetrics.language.cells import FN, TP
    >>> gradient(TP / (TP + FN))
    (-TP/(FN + TP)**2 + 1/(FN + TP), -TP/(FN + TP)**2, 0, 0)
    """
    smooth = expression.replace(lambda node: isinstance(node, (Max, Min)), _by_absolute_values)
    tp, fn, fp, tn = (diff(smooth, cell) for cell in CELLS)
    return tp, fn, fp, tn


def _by_absolute_values(node: Expr) -> Expr:
    sign = 1 if isinstance(node, Max) else -1
    result, *rest = node.args
    for argument in rest:
        result = (result + argument + sign * Abs(result - argument)) / 2
    return result
