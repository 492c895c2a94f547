"""Values of formulas at tables, with their derivatives if asked for: fractions while possible, intervals beyond."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from typing import Any, Final

from mpmath import iv
from sympy import Abs, Add, Expr, Max, Min, Mul, Pow, Rational, S, Symbol, cancel, integer_nthroot, log

from symmetrics.checker.engine.requirements import require
from symmetrics.tools.errors import CertificateError

Number = Any
"""A ``Fraction``, or an interval of mpmath that is certain to hold the number."""
BITS: Final = 192
MAX_POWER: Final = 1000
ZERO: Final = Fraction(0)


@contextmanager
def at_high_precision() -> Iterator[None]:
    """Compute intervals to many bits inside the block."""
    saved = iv.prec
    iv.prec = BITS
    try:
        yield
    finally:
        iv.prec = saved


def value_at(formula: Expr, values: Mapping[Symbol, Fraction]) -> Number:
    """Return the value of a formula.

    :raises CertificateError: where it has none, or no interval shows that it has
    """
    return _Run({symbol: _Jet(value, ()) for symbol, value in values.items()}, 0)(formula).value


def gradient_at(formula: Expr, variables: Sequence[Symbol], point: Sequence[Fraction]) -> tuple[Number, ...]:
    """Return the derivatives of a formula by its variables.

    :raises CertificateError: where it has none, or no interval shows that it has
    """
    size = len(variables)
    units = [tuple(Fraction(int(row == place)) for place in range(size)) for row in range(size)]
    known = {symbol: _Jet(value, unit) for symbol, value, unit in zip(variables, point, units, strict=True)}
    return _Run(known, size)(formula).partials


def sign_of(number: Number) -> int | None:
    """Return the sign of a number, or None if an interval does not show it."""
    if isinstance(number, Fraction):
        return (number > 0) - (number < 0)
    return 1 if number.a > 0 else -1 if number.b < 0 else None


def rank_of(rows: Sequence[Sequence[Number]]) -> int:
    """Return a lower bound on the rank of some rows: the number of certified non-zero pivots in elimination."""
    pivots: list[tuple[int, list[Number]]] = []
    for row in rows:
        left = list(row)
        for place, pivot in pivots:
            factor = divide(left[place], pivot[place])
            left = [add(a, multiply(-factor, b)) for a, b in zip(left, pivot, strict=True)]
            left[place] = ZERO
        certain = [place for place, number in enumerate(left) if sign_of(number) in (1, -1)]
        if certain:
            pivots.append((max(certain, key=lambda place: _size(left[place])), left))
    return len(pivots)


@dataclass(frozen=True)
class _Jet:
    value: Number
    partials: tuple[Number, ...]

    def moved(self, value: Number, slope: Callable[[], Number]) -> _Jet:
        if all(isinstance(partial, Fraction) and not partial for partial in self.partials):
            return _Jet(value, self.partials)
        by = slope()
        return _Jet(value, tuple(multiply(by, partial) for partial in self.partials))


class _Run:
    """One evaluation of a formula; each subexpression is evaluated once."""

    def __init__(self, known: dict[Symbol, _Jet], size: int) -> None:
        self.known: dict[Expr, _Jet] = dict(known)
        self.zeros = (ZERO,) * size

    def __call__(self, node: Expr) -> _Jet:
        if node not in self.known:
            self.known[node] = self.computed(node)
        return self.known[node]

    def computed(self, node: Expr) -> _Jet:
        if isinstance(node, Rational):
            return _Jet(Fraction(int(node.p), int(node.q)), self.zeros)
        if node is S.Pi:
            return _Jet(iv.pi + 0, self.zeros)
        if isinstance(node, (Add, Mul, Max, Min)):
            combine = {Add: _sum, Mul: _product, Max: self.larger, Min: self.smaller}[type(node)]
            return reduce(combine, map(self, node.args))
        if isinstance(node, Pow) and isinstance(node.exp, Rational):
            return _power(self(node.base), Fraction(int(node.exp.p), int(node.exp.q)))
        if isinstance(node, Abs):
            inner = self(node.args[0])
            return inner.moved(abs(inner.value), lambda: Fraction(_certain_sign(inner.value)))
        if isinstance(node, log):
            inner = self(node.args[0])
            _require_positive(inner.value)
            return inner.moved(_logarithm(inner.value), lambda: divide(Fraction(1), inner.value))
        raise CertificateError(f"{node} has no value at the tables of the certificate")

    def larger(self, left: _Jet, right: _Jet) -> _Jet:
        return self.extreme(left, right, 1)

    def smaller(self, left: _Jet, right: _Jet) -> _Jet:
        return self.extreme(left, right, -1)

    def extreme(self, left: _Jet, right: _Jet, wanted: int) -> _Jet:
        sign = sign_of(add(left.value, -right.value))
        if sign in (1, -1):
            return left if sign == wanted else right
        if self.zeros:
            raise CertificateError("the larger of two values is not certain at a table of the certificate")
        if sign == 0:
            return left
        first, second = _interval(left.value), _interval(right.value)
        choose = max if wanted == 1 else min
        return _Jet(iv.mpf([choose(first.a, second.a), choose(first.b, second.b)]), ())


def _sum(left: _Jet, right: _Jet) -> _Jet:
    return _Jet(add(left.value, right.value), tuple(map(add, left.partials, right.partials)))


def _product(left: _Jet, right: _Jet) -> _Jet:
    first = left.moved(multiply(left.value, right.value), lambda: right.value)
    second = right.moved(ZERO, lambda: left.value)
    return _sum(first, second)


def _power(base: _Jet, exponent: Fraction) -> _Jet:
    if max(abs(exponent.numerator), exponent.denominator) > MAX_POWER:
        raise CertificateError("an exponent is too large to be checked")
    value = base.value
    if exponent.denominator == 1 and exponent > 0:
        whole = int(exponent)
        return base.moved(value**whole, lambda: multiply(exponent, value ** (whole - 1)))
    if exponent > 0 and value == 0 and isinstance(value, Fraction) and not base.partials:
        return _Jet(ZERO, ())
    if exponent.denominator == 1:
        _certain_sign(value)
    else:
        _require_positive(value)
    power = _root(value ** abs(exponent.numerator), exponent.denominator)
    power = divide(Fraction(1), power) if exponent < 0 else power
    return base.moved(power, lambda: divide(multiply(exponent, power), value))


def _root(value: Number, degree: int) -> Number:
    if degree == 1:
        return value
    if isinstance(value, Fraction):
        (top, exact_top), (bottom, exact_bottom) = (
            integer_nthroot(part, degree) for part in (value.numerator, value.denominator)
        )
        if exact_top and exact_bottom:
            return Fraction(int(top), int(bottom))
    interval = _interval(value)
    return iv.sqrt(interval) if degree == 2 else iv.exp(iv.log(interval) / degree)


def _logarithm(value: Number) -> Number:
    return ZERO if value == 1 and isinstance(value, Fraction) else iv.log(_interval(value))


def _certain_sign(value: Number) -> int:
    sign = sign_of(value)
    if sign not in (1, -1):
        raise CertificateError("a pole or a kink is not excluded at a table of the certificate")
    return 1 if sign == 1 else -1


def _require_positive(value: Number) -> None:
    if _certain_sign(value) < 0:
        raise CertificateError("a root or logarithm of a negative number at a table of the certificate")


def _interval(value: Number) -> Any:
    return iv.mpf(value.numerator) / value.denominator if isinstance(value, Fraction) else value


def add(left: Number, right: Number) -> Number:
    """Return the sum of two numbers."""
    if isinstance(left, Fraction) == isinstance(right, Fraction):
        return left + right
    return _interval(left) + _interval(right)


def multiply(left: Number, right: Number) -> Number:
    """Return the product of two numbers."""
    if isinstance(left, Fraction) == isinstance(right, Fraction):
        return left * right
    exact = left if isinstance(left, Fraction) else right
    return _interval(left) * _interval(right) if exact else ZERO


def divide(top: Number, bottom: Number) -> Number:
    """Return the quotient of two numbers, the second one certain not to be zero."""
    if isinstance(top, Fraction) and isinstance(bottom, Fraction):
        return top / bottom
    if isinstance(top, Fraction) and not top:
        return ZERO
    return _interval(top) / _interval(bottom)


def _size(value: Number) -> float:
    return abs(float(value if isinstance(value, Fraction) else value.mid))


# -- Real constants: whether two numbers are the same, and certified signs ---------------------------------------------


def is_same(left: Expr, right: Expr) -> bool:
    """Whether two constants are shown to be the same number by exact simplification."""
    return bool(left == right or cancel(left - right) == 0 or (left - right).expand(log=True, force=True) == 0)


def is_certainly_nonzero(value: Expr) -> bool:
    """Whether a real constant is shown not to be zero."""
    return certain_sign(value) in (1, -1)


def certain_sign(value: Expr) -> int | None:
    """Return the sign of a real constant, or None if no precision that was tried shows that it is not zero."""
    if isinstance(value, Rational):
        return 1 if value > 0 else -1 if value < 0 else 0
    saved = iv.prec
    try:
        for bits in (64, 256, 1024):
            iv.prec = bits
            enclosure = _enclose(value)
            if enclosure.a > 0 or enclosure.b < 0:
                return 1 if enclosure.a > 0 else -1
        return None
    finally:
        iv.prec = saved


def _enclose(value: Expr) -> Any:
    """Return an interval that certainly holds a real constant: interval arithmetic with outward rounding.

    A power with a whole exponent is a product, any other is ``exp(q*log(b))`` of a base that is not negative.
    """
    # Constants.
    if isinstance(value, Rational):
        return iv.mpf(int(value.p)) / int(value.q)
    if value is S.Pi:
        return iv.pi
    # Integer powers by multiplication; others need a base that is certainly not negative.
    if isinstance(value, Pow):
        base = _enclose(value.base)
        if value.exp.is_Integer:
            return base ** int(value.exp)
        require(base.a >= 0, "a root of a negative number in the counterexample")
        return iv.exp(_enclose(value.exp) * iv.log(base))
    parts = [_enclose(argument) for argument in value.args]
    # Other operations on the enclosures of their arguments.
    if isinstance(value, Add):
        return sum(parts[1:], parts[0])
    if isinstance(value, Mul):
        product = parts[0]
        for part in parts[1:]:
            product = product * part
        return product
    if isinstance(value, Abs):
        return abs(parts[0])
    if isinstance(value, log):
        return iv.log(parts[0])
    # Max and Min are monotone: apply them to both ends.
    if isinstance(value, (Max, Min)):
        choose = max if isinstance(value, Max) else min
        return iv.mpf([choose(part.a for part in parts), choose(part.b for part in parts)])
    raise CertificateError(f"{type(value).__name__} cannot be checked")


# ----------------------------------------------------------------------------------------------------------------------
# Exact values of formulas at tables, without simplification: every part is shown to be real by certified signs.


def value_or_none(formula: Expr, place: Mapping[Symbol, Expr]) -> Expr | None:
    """Return the value of a formula, without simplification, or None if it is not shown to exist."""
    try:
        return written_value(formula, place)
    except CertificateError:
        return None


def written_value(formula: Expr, place: Mapping[Symbol, Expr]) -> Expr:
    """Return the exact value of a formula, without simplification: a rational number as long as possible.

    >>> from symmetrics.language.cells import FN, TP
    >>> from sympy import Integer, sqrt
    >>> written_value(Abs(TP - FN) * log(TP + FN), {TP: Integer(1), FN: Integer(2)})
    log(3)
    >>> value_or_none(sqrt(TP - FN) ** 2 * Abs(log(TP - FN)), {TP: Integer(1), FN: Integer(2)}) is None
    True

    :raises CertificateError: if a part of it is not shown to have a real value
    """
    if isinstance(formula, Symbol):
        require(formula in place, "the value at a table depends on a symbol that has none")
        return place[formula]
    if isinstance(formula, Rational) or formula is S.Pi:
        return formula
    if isinstance(formula, Pow):
        return _exact_power(written_value(formula.base, place), written_value(formula.exp, place))
    parts = [written_value(argument, place) for argument in formula.args]
    if isinstance(formula, Add):
        return Add(*parts)
    if isinstance(formula, Mul):
        return Mul(*parts)
    if isinstance(formula, Abs):
        return parts[0] if _sign(parts[0]) >= 0 else -parts[0]
    if isinstance(formula, (Max, Min)):
        return _largest(parts, 1 if isinstance(formula, Max) else -1)
    require(isinstance(formula, log), f"{type(formula).__name__} cannot be checked")
    require(_sign(parts[0]) == 1, "a logarithm of what is not positive at a table")
    return log(parts[0])


def _exact_power(base: Expr, exponent: Expr) -> Expr:
    is_whole = isinstance(exponent, Rational) and exponent.q == 1
    if not is_whole or exponent < 0:
        sign = _sign(base)
        require(sign != 0 or _sign(exponent) == 1, "the formula divides by zero at a table")
        require(is_whole or sign >= 0, "a root of a negative number at a table")
    return Pow(base, exponent)


def _largest(values: Sequence[Expr], wanted: int) -> Expr:
    result, *rest = values
    for value in rest:
        if _sign(value - result) == wanted:
            result = value
    return result


def _sign(value: Expr) -> int:
    """Return the sign of a real constant.

    :raises CertificateError: if it is not shown
    """
    sign = 0 if not isinstance(value, Rational) and is_same(value, S.Zero) else certain_sign(value)
    if sign is None:
        raise CertificateError("the sign of a number at a table is not shown")
    return sign
