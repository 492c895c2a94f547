"""Sums of power products: the numbers and functions that occur as coefficients of series, in the checker's own algebra.

A term is a rational number times rational powers of generators: the cells, the parameters, pi, primes, sums of terms,
absolute values of such sums, and logarithms.  Sums of terms become generators where something is divided by them, or
where a root or a logarithm of them is taken; to see whether a sum is zero they are multiplied out.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from math import comb, lcm
from typing import Any, Final

from sympy import ZZ, Abs, Add, Expr, Integer, Mul, Rational, S, log
from sympy.polys.rings import PolyElement, PolyRing, ring

from symmetrics.checker.engine.values import certain_sign
from symmetrics.language.cells import parameter_symbol
from symmetrics.language.names import CELL_NAMES
from symmetrics.language.parameter import Parameter
from symmetrics.tools.errors import CertificateError

# -- Rings of polynomials, each made once: to make one takes longer than most of what is verified in it ----------------


@lru_cache(maxsize=1024)
def ring_of(names: tuple[str, ...], domain: Any) -> tuple[PolyRing, tuple[PolyElement, ...]]:
    """Return the ring of polynomials in some names over a domain, and its generators.

    >>> from sympy import QQ
    >>> _, (tp, fn) = ring_of(("TP", "FN"), QQ)
    >>> (tp + fn) ** 2
    TP**2 + 2*TP*FN + FN**2
    """
    made, *generators = ring(names, domain)
    return made, tuple(generators)


# ----------------------------------------------------------------------------------------------------------------------


Term = tuple[tuple[int, Fraction], ...]
"""Generators, by number and in rising order, each with its power."""
Sum = dict[Term, Fraction]

MAX_WORK: Final = 400_000
"""Budget of term products per check."""
MAX_POWER: Final = 200


@dataclass(frozen=True)
class Generator:
    """A generator: a number, symbol, absolute value, logarithm or sum that occurs as a factor of terms."""

    kind: str
    positive: bool
    """Whether it is positive for all cells and parameters inside their domains."""
    number: int = 0
    terms: Sum = field(default_factory=dict)
    """For a sum as generator: its terms."""
    of: int = -1
    """The generator inside this absolute value or logarithm."""


class Sums:
    """The arithmetic of sums of power products.

    :param parameters: the parameters that may occur in addition to the variables
    :param over: the names of the variables
    """

    def __init__(self, parameters: Iterable[Parameter] = (), over: Iterable[str] = CELL_NAMES) -> None:
        self.parameters = {p.name: p for p in parameters}
        self.names = (*over, "pi", *self.parameters)
        self.generators = [Generator("symbol", name not in self.parameters) for name in self.names]
        self.known: dict[object, int] = {}
        self.ring, self.symbols = ring_of(self.names, ZZ)
        self.work = 0

    # -- ring operations -----------------------------------------------------------------------------------------

    def number(self, value: Fraction | int) -> Sum:
        """Return a rational number."""
        return {(): Fraction(value)} if value else {}

    def symbol(self, name: str) -> Sum:
        """Return the generator for a cell, a parameter or pi, as a sum."""
        if name not in self.names:
            raise CertificateError(f"unknown name {name!r} in the certificate")
        return {((self.names.index(name), Fraction(1)),): Fraction(1)}

    def add(self, left: Sum, right: Sum, factor: int = 1) -> Sum:
        """Return left + factor * right."""
        total = dict(left)
        for term, coefficient in right.items():
            value = total.get(term, Fraction(0)) + factor * coefficient
            total[term] = value
            if not value:
                del total[term]
        return total

    def multiply(self, left: Sum, right: Sum) -> Sum:
        """Return left * right."""
        self.work += len(left) * len(right)
        if self.work > MAX_WORK:
            raise CertificateError("the series in the certificate have too many terms to be checked")
        total: Sum = {}
        for (first, a), (second, b) in itertools.product(left.items(), right.items()):
            powers = dict(first)
            for generator, power in second:
                powers[generator] = powers.get(generator, Fraction(0)) + power
            term, factor = self._folded(powers)
            value = total.get(term, Fraction(0)) + a * b * factor
            total[term] = value
            if not value:
                del total[term]
        return total

    def _folded(self, powers: dict[int, Fraction]) -> tuple[Term, Fraction]:
        """Normalise a term: primes with powers in [0, 1), absolute values with powers in [0, 2)."""
        factor = Fraction(1)
        for number, power in list(powers.items()):
            generator = self.generators[number]
            if generator.kind == "prime":
                whole = power // 1
                factor *= Fraction(generator.number) ** int(whole)
                powers[number] = power - whole
            elif generator.kind == "absolute":
                whole = power // 2 * 2
                powers[number] = power - whole
                powers[generator.of] = powers.get(generator.of, Fraction(0)) + whole
        return tuple(sorted((g, p) for g, p in powers.items() if p)), factor

    # -- multiplied out ------------------------------------------------------------------------------------------

    def is_zero(self, value: Sum) -> bool:
        """Whether a sum is shown to be zero."""
        if not any(self.generators[g].kind == "sum" for term in value for g, _ in term):
            return not value
        return not self.expanded(value)[0]

    def expanded(self, value: Sum) -> tuple[Sum, dict[int, Fraction]]:
        """Return a sum over one denominator: the numerator with all whole powers of sums multiplied out."""
        below: dict[int, Fraction] = {}
        for number in reversed(range(len(self.generators))):
            powers = [power for term in value for g, power in term if g == number]
            if not powers:
                continue
            least = min(powers)
            if least < 0:
                shift = Fraction(-(least // 1))
                below[number] = shift
                value = self.multiply(value, {((number, shift),): Fraction(1)})
            if self.generators[number].kind == "sum" and value:
                value = self._opened(value, number)
        return value, {number: power for number, power in below.items() if power}

    def _opened(self, value: Sum, number: int) -> Sum:
        """Return a sum with the whole powers of one generator multiplied out."""
        total: Sum = {}
        for term, coefficient in value.items():
            power = dict(term).get(number, Fraction(0))
            whole = int(power // 1)
            rest = {g: p for g, p in term if g != number}
            if power != whole:
                rest[number] = power - whole
            part: Sum = {tuple(sorted(rest.items())): coefficient}
            if whole > MAX_POWER:
                raise CertificateError("a power in the certificate is too large to be checked")
            for _ in range(whole):
                part = self.multiply(part, self.generators[number].terms)
            total = self.add(total, part)
        return total

    # -- signs ---------------------------------------------------------------------------------------------------

    def sign(self, value: Sum) -> int | None:
        """Return the sign that a sum has for all positive cells and all parameters, or None if that is not shown."""
        top, below = self.expanded(value)
        turns = [self._sign_of_divisor(number) for number, power in below.items() if power % 2]
        sign = self._sign_of_numerator(top) if top and None not in turns else None
        return None if sign is None else sign * (-1) ** turns.count(-1)

    def _sign_of_divisor(self, number: int) -> int | None:
        """Return the sign of a divisor generator, also of a parameter whose domain excludes zero."""
        if not self._is_doubtful(number):
            return 1
        parameter = self.parameters.get(self.names[number]) if self._is_name(number) else None
        if parameter is None or 0 in parameter:
            return None
        return 1 if parameter.lower >= 0 else -1 if parameter.upper <= 0 else None

    def _sign_of_numerator(self, top: Sum) -> int | None:
        # Constants by certified intervals.
        if not self.varies(top):
            return certain_sign(self.expression(top)) or None
        # By the signs of all terms, or of logarithms.
        folded = {g for term in top for g, p in term if self.generators[g].kind == "absolute" and p == 1}
        direct = self._sign_of_terms(top)
        if direct is None and not folded:
            return self._sign_of_logarithms(top)
        if direct is not None or len(folded) != 1:
            return direct
        # With one absolute value |f|: the same sign for f and for -f in its place.
        (number,) = folded
        sides = []
        for sign in (1, -1):
            side: Sum = {}
            for term, coefficient in top.items():
                rest = tuple((g, p) for g, p in term if g != number)
                here = (*rest, (self.generators[number].of, Fraction(1))) if len(rest) < len(term) else rest
                factor = sign if len(rest) < len(term) else 1
                side = self.add(side, {tuple(sorted(here)): coefficient * factor})
            sides.append(self._sign_of_terms(self.expanded(side)[0]))
        return sides[0] if sides[0] == sides[1] else None

    def is_never_zero(self, value: Sum) -> bool:
        """Whether a sum is shown to be the zero polynomial in the cells for no parameters."""
        if self.sign(value) is not None:
            return True
        top, _ = self.expanded(value)
        if not all(self._is_name(g) for term in top for g, _ in term):
            return False
        coefficients: dict[Term, Sum] = {}
        for term, number in top.items():
            # A parameter may be pi, but no number makes powers of the cells cancel each other at all tables.
            inside = tuple((g, power) for g, power in term if not self._is_cell(g))
            outside = tuple((g, power) for g, power in term if self._is_cell(g))
            coefficients.setdefault(outside, {})[inside] = number
        return any(self.sign(coefficient) is not None for coefficient in coefficients.values())

    def varies(self, value: Sum) -> bool:
        """Whether a sum depends on cells or parameters."""
        return any(self._depends(number) for term in value for number, _ in term)

    def _is_doubtful(self, number: int) -> bool:
        """Whether a generator may be negative, or is a parameter."""
        return not self.generators[number].positive and self.generators[number].kind != "absolute"

    def _depends(self, number: int) -> bool:
        """Whether a generator is more than a constant."""
        generator = self.generators[number]
        if generator.of >= 0:
            return self._depends(generator.of)
        if generator.kind == "sum":
            return any(self._depends(g) for term in generator.terms for g, _ in term)
        return generator.kind == "symbol" and self.names[number] != "pi"

    def is_never_negative(self, number: int) -> bool:
        """Whether a generator is shown to be nowhere negative; at the ends of parameters' domains it may be zero."""
        generator = self.generators[number]
        if generator.positive or generator.kind == "absolute":
            return True
        if generator.kind not in ("sum", "symbol"):
            return False
        terms, below = self.expanded(generator.terms or {((number, Fraction(1)),): Fraction(1)})
        return not below and self._weak_sign(self._on_half_lines(terms)) == 1

    def _weak_sign(self, moved: Sum | None) -> int | None:
        """Return the sign that all terms of a sum share once its parameters are moved to half-lines."""
        signs = {coefficient > 0 for coefficient in (moved or {}).values()}
        if not moved or len(signs) != 1:
            return None
        if any(self._is_doubtful(g) and p % 2 for term in moved for g, p in term if not self._is_name(g)):
            return None
        return 1 if signs.pop() else -1

    def _sign_of_terms(self, top: Sum) -> int | None:
        """Return the sign that all terms of a sum have, if one of them is not zero whatever the parameters are."""
        # Parameters on half-lines: all terms have one sign.
        moved = self._on_half_lines(top)
        sign = self._weak_sign(moved)
        if moved is None or sign is None:
            return None
        # At each corner of the domain some positive term must remain.
        strict = [
            dict(term)
            for term in moved
            if all(self._is_name(g) or self.generators[g].positive or self._is_constant_log(g) for g, _ in term)
        ]
        corners = itertools.product(*(self._ends(name, top) for name in self.parameters))
        for corner in corners:
            places = dict(zip(map(self.names.index, self.parameters), corner, strict=True))
            if not any(all(e is None or term.get(g, 0) == e for g, e in places.items()) for term in strict):
                return None
        return sign

    def _sign_of_logarithms(self, top: Sum) -> int | None:
        """Return the sign of a sum of logarithms times positive terms, or None if that is not shown.

        For each of these terms c1*log(f1) + c2*log(f2) + ... has the sign of f1**c1 * f2**c2 * ... - 1.
        """
        rows: dict[Term, dict[int, Fraction]] = {}
        for term, coefficient in top.items():
            logs = [g for g, power in term if self.generators[g].kind == "log" and power == 1]
            rest = tuple((g, power) for g, power in term if g not in logs)
            if self.parameters or len(logs) != 1 or any(self.generators[g].kind == "log" for g, _ in rest):
                return None
            inner = self.generators[logs[0]].of
            if not all(self.generators[g].positive for g in (inner, *(g for g, _ in rest))):
                return None
            rows.setdefault(rest, {})[inner] = coefficient
        signs = {self._sign_of_product(row) for row in rows.values()}
        return signs.pop() if signs in ({1}, {-1}) else None

    def _sign_of_product(self, powers: dict[int, Fraction]) -> int | None:
        """Return the sign of ``product - 1`` for a product of powers of positive generators."""
        scale = lcm(*(power.denominator for power in powers.values()))
        above, below = self.number(1), self.number(1)
        for number, power in powers.items():
            if abs(power * scale) > MAX_POWER:
                return None
            for _ in range(abs(int(power * scale))):
                factor: Sum = {((number, Fraction(1)),): Fraction(1)}
                above, below = (
                    (self.multiply(above, factor), below) if power > 0 else (above, self.multiply(below, factor))
                )
        difference = self.expanded(self.add(above, below, -1))[0]
        return self._sign_of_terms(difference) if difference else None

    def _is_constant_log(self, number: int) -> bool:
        return self.generators[number].kind == "log" and self.generators[number].positive

    def _is_name(self, number: int) -> bool:
        return number < len(self.names)

    def _is_cell(self, number: int) -> bool:
        """Whether a generator is one of the variables of the formula."""
        return number < self.names.index("pi")

    def _degree(self, name: str, top: Sum) -> int:
        place = self.names.index(name)
        return max((int(dict(term).get(place, 0)) for term in top), default=0)

    def _ends(self, name: str, top: Sum) -> list[int | None]:
        """Return the powers that a parameter has in what remains at the ends of its domain that belong to it."""
        parameter = self.parameters[name]
        lower = parameter.lower.is_finite
        bounded = lower and parameter.upper.is_finite
        ends: list[int | None] = []
        if not (parameter.lower_open if lower else parameter.upper_open):
            ends.append(0)
        if bounded and not parameter.upper_open:
            ends.append(self._degree(name, top))
        return list(dict.fromkeys(ends)) or [None]

    def _on_half_lines(self, top: Sum) -> Sum | None:
        """Write each parameter as lower + u, upper - u or (lower + upper*u)/(1 + u), u >= 0, over one denominator."""
        for name, parameter in self.parameters.items():
            degree, place = self._degree(name, top), self.names.index(name)
            if not degree:
                continue
            lower, upper = (
                Fraction(int(b.p), int(b.q)) if b.is_finite else None for b in (parameter.lower, parameter.upper)
            )
            if lower is None and upper is None:
                return None
            # p = start + slope*u on a half-line; on an interval (lower + upper*u)/(1 + u), times (1 + u)**degree.
            bounded = lower is not None and upper is not None
            start = lower if lower is not None else upper or Fraction(0)
            slope = Fraction(-1 if lower is None else 1) if lower is None or upper is None else upper
            total: Sum = {}
            for term, coefficient in top.items():
                power = int(dict(term).get(place, 0))
                if dict(term).get(place, 0) != power:
                    return None
                rest: Sum = {tuple((g, p) for g, p in term if g != place): coefficient}
                moved = self.multiply(self._binomial(place, start, slope, power), rest)
                over = self._binomial(place, Fraction(1), Fraction(1), degree - power) if bounded else self.number(1)
                total = self.add(total, self.multiply(moved, over))
            top = total
        return top

    @staticmethod
    def _binomial(place: int, start: Fraction, slope: Fraction, power: int) -> Sum:
        """Return ``(start + slope * u) ** power`` with u at a place."""
        terms = {k: comb(power, k) * start ** (power - k) * slope**k for k in range(power + 1)}
        return {((place, Fraction(k)),) if k else (): c for k, c in terms.items() if c}

    # -- expressions ---------------------------------------------------------------------------------------------

    def expression(self, value: Sum) -> Expr:
        """Return a sum as an expression."""
        return Add(
            *(
                Mul(
                    Rational(c.numerator, c.denominator),
                    *(self._factor(g) ** Rational(p.numerator, p.denominator) for g, p in term),
                )
                for term, c in value.items()
            )
        )

    def _factor(self, number: int) -> Expr:
        generator = self.generators[number]
        if generator.kind == "prime":
            return Integer(generator.number)
        if generator.kind == "sum":
            return self.expression(generator.terms)
        if generator.kind == "absolute":
            return Abs(self._factor(generator.of))
        if generator.kind == "log":
            return log(Abs(self._factor(generator.of)))
        return S.Pi if self.names[number] == "pi" else parameter_symbol(self.names[number])
