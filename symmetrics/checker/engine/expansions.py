"""Expansions of a formula along a curve, for the checker: sums of ``c * s**e * log(1/s)**j`` as s tends to zero.

Terms are ordered by size: the smaller e, and for equal e the larger j, the larger is the term.  Nothing is divided by
an expansion unless its leading coefficient is shown to vanish nowhere, or the expansion is that one term.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from sympy import Abs, Add, Expr, Max, Min, Mul, Pow, Rational, S, Symbol, log

from symmetrics.checker.engine.products import Products, Sum
from symmetrics.tools.errors import CertificateError

__all__ = ["Expander", "Expansion", "Size"]

Size = tuple[Fraction | float, Fraction]
"""Of ``s**e * log(1/s)**j``: e, and -j."""
ONE: Final[Size] = (Fraction(0), Fraction(0))
BOUNDLESS: Final[Size] = (math.inf, Fraction(0))
"""The size of the error of an exact expansion: no term is as small."""


@dataclass(frozen=True)
class Expansion:
    """Known terms, and the size of what is left out: ``BOUNDLESS`` if nothing is."""

    terms: tuple[tuple[Size, Sum], ...]
    error: Size = BOUNDLESS

    @property
    def is_one_term(self) -> bool:
        """Whether this is one term exactly."""
        return len(self.terms) == 1 and self.error >= BOUNDLESS

    @property
    def reach(self) -> Size:
        """The size of the largest term, known or not."""
        return self.terms[0][0] if self.terms else self.error


class Expander:
    """Expands expressions in the cells, the parameters and the step.

    :param products: the arithmetic of the coefficients
    :param step: what tends to zero from above
    :param length: how many powers of a series without end are kept
    :param place: what takes the place of symbols
    """

    def __init__(self, products: Products, step: Symbol, length: int, place: Mapping[Expr, Expr] | None = None) -> None:
        self.products = products
        self.step = step
        self.length = length
        self.known: dict[Expr, Expansion] = {}
        for symbol, value in (place or {}).items():
            self.known[symbol] = Expander(products, step, length)(value)

    def __call__(self, node: Expr) -> Expansion:
        """Return the expansion of an expression.

        :raises CertificateError: if it depends on a sign that is not shown
        """
        if node not in self.known:
            self.known[node] = self._expand(node)
        return self.known[node]

    def _expand(self, node: Expr) -> Expansion:
        if isinstance(node, Rational):
            return self._sorted({ONE: self.products.number(Fraction(int(node.p), int(node.q)))}, BOUNDLESS)
        if isinstance(node, Symbol) or node is S.Pi:
            if node == self.step:
                return Expansion((((Fraction(1), Fraction(0)), self.products.number(1)),))
            return Expansion(((ONE, self.products.symbol("pi" if node is S.Pi else node.name)),))
        parts = [self(argument) for argument in node.args]
        if isinstance(node, Add):
            return self.sum(parts)
        if isinstance(node, Mul):
            result = parts[0]
            for part in parts[1:]:
                result = self.product(result, part)
            return result
        if isinstance(node, Pow) and isinstance(node.exp, Rational):
            return self.power(parts[0], Fraction(int(node.exp.p), int(node.exp.q)))
        if isinstance(node, Abs):
            return self.absolute(parts[0])
        if isinstance(node, (Max, Min)):
            return self.extreme(parts, 1 if isinstance(node, Max) else -1)
        if isinstance(node, log):
            return self.logarithm(parts[0])
        raise CertificateError(f"{type(node).__name__} cannot be checked")

    def _sorted(self, terms: dict[Size, Sum], error: Size) -> Expansion:
        kept = [(size, c) for size, c in terms.items() if size < error and not self.products.is_zero(c)]
        return Expansion(tuple(sorted(kept, key=lambda pair: pair[0])), error)

    # -- sums and products ---------------------------------------------------------------------------------------

    def sum(self, parts: list[Expansion]) -> Expansion:
        """Return a sum."""
        total: dict[Size, Sum] = {}
        for part in parts:
            for size, coefficient in part.terms:
                total[size] = self.products.add(total.get(size, {}), coefficient)
        return self._sorted(total, min(part.error for part in parts))

    def product(self, left: Expansion, right: Expansion) -> Expansion:
        """Return a product."""
        error = min(_beyond(left.error, right.reach), _beyond(right.error, left.reach))
        total: dict[Size, Sum] = {}
        for first, a in left.terms:
            for second, b in right.terms:
                size = (first[0] + second[0], first[1] + second[1])
                if size < error:
                    total[size] = self.products.add(total.get(size, {}), self.products.multiply(a, b))
        return self._sorted(total, error)

    def times(self, part: Expansion, factor: Fraction) -> Expansion:
        """Return a rational multiple."""
        return self.product(part, Expansion(((ONE, self.products.number(factor)),)))

    def _composed(self, small: Expansion, coefficients: list[Fraction]) -> Expansion:
        """Return ``sum coefficients[k] * small**k``, of a series that goes on."""
        total = self._sorted({ONE: self.products.number(coefficients[0])}, BOUNDLESS)
        power = Expansion(((ONE, self.products.number(1)),))
        for coefficient in coefficients[1:]:
            power = self.product(power, small)
            if coefficient:
                total = self.sum([total, self.times(power, coefficient)])
        if small.reach >= BOUNDLESS:
            return total
        rest = (small.reach[0] * len(coefficients), small.reach[1] * len(coefficients))
        return self._sorted(dict(total.terms), min(total.error, rest))

    def _relative(self, part: Expansion) -> tuple[Size, Sum, Expansion]:
        """Return size and coefficient of the largest term, and what the others are relative to it."""
        if not part.terms:
            raise CertificateError("a part of the formula vanishes, as far as it was expanded")
        (size, coefficient), *others = part.terms
        rest = Expansion(tuple(others), part.error)
        inverse = Expansion((((-size[0], -size[1]), self.products.power(coefficient, -1)),))
        return size, coefficient, self.product(rest, inverse)

    # -- functions -----------------------------------------------------------------------------------------------

    def power(self, part: Expansion, exponent: Fraction) -> Expansion:
        """Return a power; a base under a root is not negative wherever the formula has a value."""
        is_whole = exponent.denominator == 1
        if is_whole and exponent >= 0:
            result = Expansion(((ONE, self.products.number(1)),))
            for _ in range(int(exponent)):
                result = self.product(result, part)
            return result
        if not part.terms and part.error >= BOUNDLESS and exponent > 0:
            return part
        if not part.terms:
            raise CertificateError("a part of the formula vanishes, as far as it was expanded")
        size, lead = part.terms[0]
        raised = (size[0] * exponent, size[1] * exponent)
        head = self.products.power(lead, int(exponent)) if is_whole else self.products.absolute_power(lead, exponent)
        sign = self.products.sign(lead)
        if part.is_one_term:
            self._require_real(lead, sign, exponent)
            return Expansion(((raised, head),))
        if sign is None or (sign < 0 and not is_whole):
            return self._root_alone(part, exponent, raised, head, sign)
        _, _, rest = self._relative(part)
        binomials = [Fraction(1)]
        for k in range(1, self.length):
            binomials.append(binomials[-1] * (exponent - k + 1) / k)
        return self.product(Expansion(((raised, head),)), self._composed(rest, binomials))

    def _require_real(self, lead: Sum, sign: int | None, exponent: Fraction = Fraction(1, 2)) -> None:
        """Refuse a root or a logarithm of what is negative, or of a number whose sign is not shown."""
        doubtful = sign is None and not self.products.varies(lead)
        if exponent.denominator != 1 and (sign == -1 or doubtful):
            raise CertificateError("a root or a logarithm of what is not shown to be positive")

    def _root_alone(self, part: Expansion, exponent: Fraction, raised: Size, head: Sum, sign: int | None) -> Expansion:
        """Return the largest term of a root whose leading coefficient may vanish; the error is a root of the next."""
        is_open = sign is None and self.products.varies(part.terms[0][1])
        if not is_open or exponent < 0 or exponent.denominator == 1:
            raise CertificateError("the sign of a leading coefficient, on which the limit depends, is not shown")
        following = part.terms[1][0] if len(part.terms) > 1 else part.error
        size = part.terms[0][0]
        slower, faster = min(exponent, Fraction(1)), max(exponent - 1, Fraction(0))
        error = (following[0] * slower + size[0] * faster, following[1] * slower + size[1] * faster)
        return self._sorted({raised: head}, error)

    def absolute(self, part: Expansion) -> Expansion:
        """Return the absolute value: exact where the sign is known, else up to the second largest term."""
        if not part.terms:
            return part
        size, lead = part.terms[0]
        sign = self.products.sign(lead)
        if sign is not None:
            return self.times(part, Fraction(sign))
        following = part.terms[1][0] if len(part.terms) > 1 else part.error
        return self._sorted({size: self.products.absolute_power(lead, Fraction(1))}, following)

    def extreme(self, parts: list[Expansion], sign: int) -> Expansion:
        """Return the largest, or for the sign -1 the smallest, of several."""
        result = parts[0]
        for part in parts[1:]:
            gap = self.absolute(self.sum([result, self.times(part, Fraction(-1))]))
            result = self.times(self.sum([result, part, self.times(gap, Fraction(sign))]), Fraction(1, 2))
        return result

    def logarithm(self, part: Expansion) -> Expansion:
        """Return ``log(c) - e*log(1/s) + log(1 + rest)`` of ``c * s**e * (1 + rest)``."""
        size, lead, rest = self._relative(part)
        if size[1]:
            raise CertificateError("a logarithm of a logarithm of the step")
        sign = self.products.sign(lead)
        if part.is_one_term:
            self._require_real(lead, sign)
        elif sign != 1:
            raise CertificateError("the sign of what a logarithm is taken of is not shown")
        head = {ONE: self.products.logarithm(lead)}
        if size[0]:
            # log(s) is negative: with L = log(1/s) > 0 it is -L.
            head[(Fraction(0), Fraction(-1))] = self.products.number(-Fraction(size[0]))
        tail = [Fraction(0), *(Fraction((-1) ** (k + 1), k) for k in range(1, self.length))]
        return self.sum([self._sorted(head, BOUNDLESS), self._composed(rest, tail)])


def _beyond(error: Size, factor: Size) -> Size:
    if error >= BOUNDLESS or factor >= BOUNDLESS:
        return BOUNDLESS
    return error[0] + factor[0], error[1] + factor[1]
