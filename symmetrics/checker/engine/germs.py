"""Path-independent limits at tables with zero cells, from the formula as written.

Near a table some cells z are close to zero.  A formula is written there as a sum of terms ``z**p * log(z)**q * u``,
each with exponents for every zero cell and a factor u that is continuous up to the table, where its value is known.
Formulas that cannot be written so, or whose leading term is not certain, have no value here: the check then fails.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from typing import Any, Final

from mpmath import iv
from sympy import QQ, Abs, Add, Expr, Max, Min, Mul, Pow, Rational, S, Symbol, integer_nthroot, log
from sympy.polys.fields import FracElement
from sympy.polys.rings import PolyElement

from symmetrics.checker.engine.splits import Signs
from symmetrics.checker.engine.values import Number, add, divide, multiply, sign_of, written_value
from symmetrics.language.parameter import Parameter
from symmetrics.tools.errors import CertificateError

Key = tuple[tuple[Fraction, ...], tuple[int, ...]]
"""The exponents of the zero cells, and of their logarithms."""
Terms = dict[Key, Any]
ZERO, ONE = Fraction(0), Fraction(1)
MAX_POWER: Final = 100
MAX_TERMS: Final = 200


class Limits:
    """Limits of formulas with parameters, valid wherever the polynomials in :attr:`assumed` do not vanish.

    Without parameters a limit is a ``Fraction`` or an interval, else a ``Fraction`` or a fraction of polynomials.
    """

    def __init__(self, parameters: Iterable[Parameter]) -> None:
        declared = tuple(parameters)
        self.parameters = {p.symbol: p.name for p in declared}
        self.field = QQ.frac_field(*(Symbol(name) for name in self.parameters.values())) if self.parameters else None
        self.signs = Signs(declared)
        self.assumed: dict[PolyElement, None] = {}
        """Divisors: polynomials in the parameters that are assumed not to vanish."""

    def at(self, formula: Expr, table: Mapping[Symbol, int | Fraction]) -> Any:
        """Return the limit of a formula at a table of non-negative counts.

        A root of what tends to zero may be imaginary at all tables nearby.  Then a value at the table itself is needed,
        of the formula as it is written.

        :raises CertificateError: if it is not shown that there is a finite one
        """
        run = _Run(self, table)
        value = run.limit(formula)
        if run.doubtful:
            written_value(formula, {cell: Rational(*count.as_integer_ratio()) for cell, count in table.items()})
        return value

    def add(self, left: Any, right: Any) -> Any:
        """Return a sum."""
        return self._apply(add, lambda a, b: a + b, left, right)

    def multiply(self, left: Any, right: Any) -> Any:
        """Return a product."""
        return self._apply(multiply, lambda a, b: a * b, left, right)

    def inverse(self, value: Any) -> Any:
        """Return one over a number; one with parameters is assumed not to be zero."""
        self.require_nonzero(value)
        if isinstance(value, FracElement):
            return 1 / value
        return divide(ONE, value)

    def require_nonzero(self, value: Any) -> None:
        """Refuse a number that may be zero, unless parameters decide that."""
        if isinstance(value, FracElement):
            self.assumed[value.numer] = None
            self.assumed[value.denom] = None
        elif sign_of(value) not in (1, -1):
            raise CertificateError("a pole, or a kink, is not excluded at a table of the certificate")

    def absolute(self, value: Any) -> Any:
        """Return the absolute value of a number."""
        return abs(value) if not isinstance(value, FracElement) else value * self.weak_sign(value)

    def extreme(self, left: Any, right: Any, wanted: int) -> Any:
        """Return the larger of two numbers, for -1 the smaller one."""
        gap = self.add(left, self.multiply(Fraction(-1), right))
        if isinstance(gap, FracElement):
            return left if self.weak_sign(gap) == wanted else right
        sign = sign_of(gap)
        if sign is not None:
            return left if sign in (0, wanted) else right
        return _hull(left, right, wanted)

    def weak_sign(self, value: FracElement) -> int:
        """Return 1 if a number with parameters is nowhere negative, and -1 if it is nowhere positive.

        :raises CertificateError: if neither is shown
        """
        expression = value.as_expr().xreplace({Symbol(name): symbol for symbol, name in self.parameters.items()})
        for sign in (1, -1):
            if self.signs.is_never_negative(sign * expression):
                return sign
        raise CertificateError("a sign depends on parameters at a table of the certificate")

    def parameter(self, symbol: Symbol) -> Any:
        """Return a parameter as a number."""
        if self.field is None or symbol not in self.parameters:
            raise CertificateError("the formula has a symbol that is not declared")
        return self.field.gens[list(self.parameters).index(symbol)]

    def _apply(
        self, plain: Callable[[Any, Any], Any], symbolic: Callable[[Any, Any], Any], left: Any, right: Any
    ) -> Any:
        if not isinstance(left, FracElement) and not isinstance(right, FracElement):
            return plain(left, right)
        value = symbolic(self._lifted(left), self._lifted(right))
        if value.numer.is_ground and value.denom.is_ground:
            ratio = value.numer.LC / value.denom.LC
            return Fraction(int(ratio.numerator), int(ratio.denominator))
        return value

    def are_mixed(self, left: Any, right: Any) -> bool:
        """Whether one of two numbers contains parameters, and the other one is irrational."""
        pair = (left, right)
        irrational = any(not isinstance(value, (Fraction, FracElement)) for value in pair)
        return irrational and any(isinstance(value, FracElement) for value in pair)

    def _lifted(self, value: Any) -> Any:
        if isinstance(value, FracElement) or self.field is None:
            return value
        if not isinstance(value, Fraction):
            raise CertificateError("parameters are mixed with irrational numbers")
        return self.field(QQ(value.numerator, value.denominator))


class _Run:
    """One evaluation at one table: each part of the formula as a sum of leading terms near the table."""

    def __init__(self, numbers: Limits, table: Mapping[Symbol, int | Fraction]) -> None:
        self.numbers = numbers
        zero_cells = [cell for cell, count in table.items() if not count]
        self.doubtful = False
        """Whether the radicand of some root may be negative at all tables nearby."""
        self.flat: Key = ((ZERO,) * len(zero_cells), (0,) * len(zero_cells))
        self.known: dict[Expr, Terms] = {
            cell: {self.flat: Fraction(count)} if count else {self.unit(zero_cells.index(cell)): ONE}
            for cell, count in table.items()
        }

    def unit(self, place: int) -> Key:
        orders = list(self.flat[0])
        orders[place] = ONE
        return tuple(orders), self.flat[1]

    def limit(self, formula: Expr) -> Any:
        return self.finite(self(formula))

    def finite(self, terms: Terms) -> Any:
        if not all(key == self.flat or _vanishes(key) for key in terms):
            raise CertificateError("a finite limit at a table of the certificate is not shown")
        return terms.get(self.flat, ZERO)

    def __call__(self, node: Expr) -> Terms:
        if node not in self.known:
            self.known[node] = self.computed(node)
        return self.known[node]

    def computed(self, node: Expr) -> Terms:
        """Return the terms of an expression near a table, by its last operation."""
        if isinstance(node, Rational):
            return {self.flat: Fraction(int(node.p), int(node.q))} if node else {}
        if isinstance(node, Symbol):
            return {self.flat: self.numbers.parameter(node)}
        if node is S.Pi:
            return {self.flat: iv.pi + 0}
        if isinstance(node, Pow) and isinstance(node.exp, Rational):
            # A root needs a base that is not negative nearby; that may only show before simplification.
            base = self(node.base)
            if node.exp.q != 1 and not self.is_positive_nearby(base):
                self.doubtful |= not self.numbers.signs.is_never_negative(node.base)
            return self.power(base, Fraction(int(node.exp.p), int(node.exp.q)))
        parts = [self(argument) for argument in node.args]
        if isinstance(node, Add):
            return reduce(self.sum, parts)
        if isinstance(node, Mul):
            return reduce(self.product, parts)
        if isinstance(node, Abs):
            return self.absolute(parts[0])
        if isinstance(node, (Max, Min)):
            # Extremes are continuous: the limit is the extreme of the limits.
            wanted = 1 if isinstance(node, Max) else -1
            return {self.flat: reduce(lambda a, b: self.numbers.extreme(a, b, wanted), map(self.finite, parts))}
        if isinstance(node, log):
            return self.logarithm(parts[0])
        raise CertificateError(f"{node} has no value at the tables of the certificate")

    def is_positive_nearby(self, terms: Terms) -> bool:
        """Whether a sum is positive near the table: one positive term dominates, or all terms are positive."""
        positive = {
            key
            for key, value in terms.items()
            if key[1] == self.flat[1] and not isinstance(value, FracElement) and sign_of(value) == 1
        }
        dominates = (all(other == key or _vanishes(_quotient(other, key)) for other in terms) for key in positive)
        return any(dominates) or 0 < len(positive) == len(terms)

    def sum(self, left: Terms, right: Terms) -> Terms:
        total = dict(left)
        for key, value in right.items():
            total[key] = self.numbers.add(total[key], value) if key in total else value
        return total

    def product(self, left: Terms, right: Terms) -> Terms:
        if len(left) * len(right) > MAX_TERMS:
            raise CertificateError("too many terms at a table of the certificate")
        total: Terms = {}
        for (orders, logs), value in left.items():
            for (more_orders, more_logs), factor in right.items():
                key = _added(orders, more_orders), tuple(a + b for a, b in zip(logs, more_logs, strict=True))
                total = self.sum(total, self.term(key, value, factor))
        return total

    def term(self, key: Key, value: Any, factor: Any) -> Terms:
        """Return one term with the product of two numbers as coefficient."""
        if self.numbers.are_mixed(value, factor) and key[1] == self.flat[1] and _vanishes(key):
            # z**p * u equals z**(p/2) times a factor that tends to zero, for any limit of u.
            return {(_scaled(key[0], Fraction(1, 2)), key[1]): ZERO}
        return {key: self.numbers.multiply(value, factor)}

    def leading(self, terms: Terms) -> tuple[Key, Any]:
        """Return the dominant term; the formula is that term times 1 + o(1)."""
        for key, value in terms.items():
            if all(other == key or _vanishes(_quotient(other, key)) for other in terms):
                self.numbers.require_nonzero(value)
                return key, value
        raise CertificateError("no leading term at a table of the certificate")

    def power(self, base: Terms, exponent: Fraction) -> Terms:
        if max(abs(exponent.numerator), exponent.denominator) > MAX_POWER:
            raise CertificateError("an exponent is too large to be checked")
        if exponent.denominator == 1 and exponent > 0:
            return reduce(self.product, [base] * int(exponent))
        if exponent > 0:
            return self.root(base, exponent)
        base = _without_small_terms(base)
        if self.is_sum_of_unlike_terms(base):
            # Such a sum is larger than each of its terms, so that its inverse is small against the inverse of any.
            return {(_scaled(_highest(base), exponent), self.flat[1]): ZERO}
        (orders, logs), value = self.leading(base)
        if exponent.denominator == 1:
            powers = reduce(self.numbers.multiply, [self.numbers.inverse(value)] * -int(exponent))
            return {(_scaled(orders, exponent), tuple(power * int(exponent) for power in logs)): powers}
        if any(logs):
            raise CertificateError("a root of a logarithm that is infinite at a table of the certificate")
        return {(_scaled(orders, exponent), logs): _real_power(value, exponent)}

    def root(self, base: Terms, exponent: Fraction) -> Terms:
        """Return a root, of a base that is not negative wherever the formula is real."""
        if not base:
            return {}
        if any(key[1] != self.flat[1] for key in base):
            raise CertificateError("a root of a logarithm that is infinite at a table of the certificate")
        orders = _lowest(base)
        value = base.get((orders, self.flat[1]), ZERO)
        return {(_scaled(orders, exponent), self.flat[1]): _root_of_limit(value, exponent)}

    def is_sum_of_unlike_terms(self, terms: Terms) -> bool:
        """Whether this is a sum of two or more positive terms with different powers of the zero cells."""
        if any(key[1] != self.flat[1] for key in terms) or len(terms) < 2:
            return False
        if (_lowest(terms), self.flat[1]) in terms:
            return False
        return all(not isinstance(value, FracElement) and sign_of(value) == 1 for value in terms.values())

    def absolute(self, terms: Terms) -> Terms:
        if not terms:
            return {}
        lowest = _lowest(terms), self.flat[1]
        if any(key[1] != self.flat[1] for key in terms):
            return {self.flat: self.numbers.absolute(self.finite(terms))}
        return {lowest: self.numbers.absolute(terms.get(lowest, ZERO))}

    def logarithm(self, terms: Terms) -> Terms:
        (orders, logs), value = self.leading(terms)
        if any(logs):
            raise CertificateError("a logarithm of a logarithm at a table of the certificate")
        total: Terms = {self.flat: _logarithm(value)}
        for place, order in enumerate(orders):
            if order:
                total[self.flat[0], tuple(int(other == place) for other in range(len(orders)))] = order
        return total


def _vanishes(key: Key) -> bool:
    """Whether a product of powers of cells and of their logarithms tends to zero."""
    pairs = list(zip(*key, strict=True))
    return all(p > 0 or (p == 0 and q <= 0) for p, q in pairs) and any(p > 0 or q < 0 for p, q in pairs)


def _without_small_terms(terms: Terms) -> Terms:
    """Drop terms that are negligible against another one, and so change only the factor u of that."""
    return {
        key: value
        for key, value in terms.items()
        if not any(large and _vanishes(_quotient(key, other)) for other, large in terms.items())
    }


def _quotient(top: Key, bottom: Key) -> Key:
    return (
        tuple(a - b for a, b in zip(top[0], bottom[0], strict=True)),
        tuple(a - b for a, b in zip(top[1], bottom[1], strict=True)),
    )


def _added(left: Sequence[Fraction], right: Sequence[Fraction]) -> tuple[Fraction, ...]:
    return tuple(a + b for a, b in zip(left, right, strict=True))


def _scaled(orders: Sequence[Fraction], factor: Fraction) -> tuple[Fraction, ...]:
    return tuple(order * factor for order in orders)


def _lowest(terms: Terms) -> tuple[Fraction, ...]:
    return tuple(min(orders) for orders in zip(*(key[0] for key in terms), strict=True))


def _highest(terms: Terms) -> tuple[Fraction, ...]:
    return tuple(max(orders) for orders in zip(*(key[0] for key in terms), strict=True))


def _plain(value: Any) -> Number:
    if isinstance(value, FracElement):
        raise CertificateError("a sign depends on parameters at a table of the certificate")
    return value


def _hull(left: Number, right: Number, wanted: int) -> Number:
    """Return an interval that holds the larger of two numbers, for -1 the smaller one."""
    choose = max if wanted == 1 else min
    first, second = (iv.mpf(v.numerator) / v.denominator if isinstance(v, Fraction) else v for v in (left, right))
    return iv.mpf([choose(first.a, second.a), choose(first.b, second.b)])


def _positive(value: Any) -> Number:
    if sign_of(_plain(value)) != 1:
        raise CertificateError("a root or logarithm of what is not positive at a table of the certificate")
    return value


def _real_power(value: Any, exponent: Fraction) -> Number:
    base = _positive(value)
    if isinstance(base, Fraction):
        (top, exact), (bottom, exact_below) = (
            integer_nthroot(part, exponent.denominator) for part in (base.numerator, base.denominator)
        )
        if exact and exact_below:
            return Fraction(int(top), int(bottom)) ** exponent.numerator
        base = iv.mpf(base.numerator) / base.denominator
    return iv.exp(iv.log(base) * exponent.numerator / exponent.denominator)


def _root_of_limit(value: Any, exponent: Fraction) -> Number:
    """Return the root of a limit of numbers that are not negative, which is not negative either."""
    number = _plain(value)
    sign = sign_of(number)
    if sign == 1:
        return _real_power(number, exponent)
    if sign == 0:
        return ZERO
    if sign == -1 or not number.b > 0:
        raise CertificateError("a root of a negative number at a table of the certificate")
    return iv.mpf([0, _real_power(iv.mpf([number.b, number.b]), exponent).b])


def _logarithm(value: Any) -> Number:
    base = _positive(value)
    if isinstance(base, Fraction):
        return ZERO if base == 1 else iv.log(iv.mpf(base.numerator) / base.denominator)
    return iv.log(base)
