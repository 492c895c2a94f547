"""Powers and logarithms of sums, for the checker: sums are factored, and their factors become generators."""

from __future__ import annotations

from fractions import Fraction
from math import gcd, lcm
from typing import Final

from sympy import factorint

from symmetrics.checker.engine.sums import Generator, Sum, Sums
from symmetrics.tools.errors import CertificateError

MAX_BITS: Final = 100
"""Integers beyond this size are not factored into primes."""


class Products(Sums):
    """Sums of power products, with powers, absolute values and logarithms."""

    # -- factors -------------------------------------------------------------------------------------------------

    def factors(self, value: Sum) -> tuple[Fraction, dict[int, Fraction]]:
        """Write a sum that is not zero as a rational number times powers of generators."""
        if len(value) == 1:
            ((term, coefficient),) = value.items()
            return coefficient, dict(term)
        top, below = self.expanded(value)
        if not top:
            raise CertificateError("the formula divides by something that is zero, or takes its logarithm")
        powers = {number: -power for number, power in below.items()}
        # Take out the powers that all terms share.
        shared = dict(next(iter(top)))
        for term in top:
            here = dict(term)
            shared = {g: min(p, here[g]) for g, p in shared.items() if g in here}
        for number, power in shared.items():
            powers[number] = powers.get(number, Fraction(0)) + power
        top = self.multiply(top, {tuple((g, -p) for g, p in shared.items()): Fraction(1)}) if shared else top
        constant, sums = self._split(top)
        for number, power in sums.items():
            powers[number] = powers.get(number, Fraction(0)) + power
        return constant, {number: power for number, power in powers.items() if power}

    def _split(self, top: Sum) -> tuple[Fraction, dict[int, Fraction]]:
        """Return constant and factors of a sum without a common factor among its generators.

        A sum is factored as a polynomial with integer coefficients if it is one in names alone; anything else, and a
        linear polynomial, is one factor as it stands.
        """
        if len(top) == 1:
            return top[()], {}
        if any(number >= len(self.names) or power != int(power) for term in top for number, power in term):
            return self._as_one_factor(top)
        # Clear denominators, and read the sum as a polynomial.
        scale = lcm(*(c.denominator for c in top.values()))
        poly = self.ring(0)
        for term, coefficient in top.items():
            exponents = [0] * len(self.names)
            for number, power in term:
                exponents[number] = int(power)
            poly[tuple(exponents)] = int(coefficient * scale)
        if max(sum(monomial) for monomial in poly) == 1:
            return self._as_one_factor(top)
        # Factor it; a factor of one term is a power product, any other becomes a generator of its own.
        constant, parts = poly.factor_list()
        result: dict[int, Fraction] = {}
        whole = Fraction(int(constant), scale)
        for part, power in parts:
            terms = {
                tuple((g, Fraction(e)) for g, e in enumerate(monomial) if e): Fraction(int(c))
                for monomial, c in part.terms()
            }
            if len(terms) == 1:
                ((term, coefficient),) = terms.items()
                whole *= coefficient**power
                for number, exponent in term:
                    result[number] = result.get(number, Fraction(0)) + exponent * power
                continue
            inner, numbers = self._as_one_factor(terms)
            whole *= inner**power
            for number, exponent in numbers.items():
                result[number] = result.get(number, Fraction(0)) + exponent * power
        return whole, result

    def _as_one_factor(self, top: Sum) -> tuple[Fraction, dict[int, Fraction]]:
        content = Fraction(gcd(*(c.numerator for c in top.values())), lcm(*(c.denominator for c in top.values())))
        negative = all(c < 0 for c in top.values()) or (
            any(c < 0 for c in top.values()) and top[min(top, key=lambda term: (len(term), term))] < 0
        )
        content = -content if negative else content
        terms = {term: c / content for term, c in top.items()}
        sign = self.sign(terms)
        if sign == -1:
            content, terms = -content, {term: -c for term, c in terms.items()}
        number = self._intern(("sum", frozenset(terms.items())), Generator("sum", sign is not None, 0, terms))
        return content, {number: Fraction(1)}

    def _intern(self, key: object, generator: Generator) -> int:
        if key not in self.known:
            self.known[key] = len(self.generators)
            self.generators.append(generator)
        return self.known[key]

    # -- functions -----------------------------------------------------------------------------------------------

    def absolute_power(self, value: Sum, exponent: Fraction) -> Sum:
        """Return ``|value| ** exponent``."""
        if not value:
            return {}
        constant, powers = self.factors(value)
        result = self._number_power(abs(constant), exponent)
        for number, power in powers.items():
            result = self.multiply(result, self._generator_power(number, power * exponent))
        return result

    def _number_power(self, value: Fraction, exponent: Fraction) -> Sum:
        if exponent.denominator == 1:
            return {(): value ** int(exponent)}
        powers: dict[int, Fraction] = {}
        for prime, power in self._primes(value).items():
            powers[prime] = power * exponent
        term, factor = self._folded(powers)
        return {term: factor}

    def _primes(self, value: Fraction) -> dict[int, Fraction]:
        powers: dict[int, Fraction] = {}
        for integer, sign in ((value.numerator, 1), (value.denominator, -1)):
            if integer.bit_length() > MAX_BITS:
                raise CertificateError("a constant in the certificate is too large to be taken apart")
            for prime, power in factorint(integer).items():
                number = self._intern(("prime", prime), Generator("prime", True, int(prime)))
                powers[number] = powers.get(number, Fraction(0)) + sign * power
        return powers

    def _generator_power(self, number: int, power: Fraction) -> Sum:
        if self.is_never_negative(number) or (power.denominator == 1 and power % 2 == 0):
            return {((number, power),): Fraction(1)}
        inner = self._intern(("absolute", number), Generator("absolute", False, of=number))
        term, factor = self._folded({inner: power})
        return {term: factor}

    def power(self, value: Sum, exponent: int) -> Sum:
        """Return a whole power."""
        if exponent >= 0:
            result = self.number(1)
            for _ in range(exponent):
                result = self.multiply(result, value)
            return result
        constant, powers = self.factors(value)
        term, factor = self._folded({g: p * exponent for g, p in powers.items()})
        return {term: factor * constant**exponent}

    def logarithm(self, value: Sum) -> Sum:
        """Return ``log|value|`` as a sum of logarithms of generators."""
        constant, powers = self.factors(value)
        total: Sum = {}
        for number, power in [*self._primes(abs(constant)).items(), *powers.items()]:
            generator = self.generators[number]
            inner = generator.of if generator.kind == "absolute" else number
            logarithm = self._intern(("log", inner), Generator("log", self._exceeds_one(inner), of=inner))
            total = self.add(total, {((logarithm, Fraction(1)),): power})
        return total

    def _exceeds_one(self, number: int) -> bool:
        generator = self.generators[number]
        if generator.kind == "prime" or self.names.index("pi") == number:
            return True
        return generator.kind == "sum" and self.sign(self.add(generator.terms, self.number(-1))) == 1
