"""The field of elements: integer numerators in cells, parameters and atoms over factored denominators.

An *atom* is ``|f|`` for an irreducible polynomial or a prime number f, which occurs to rational powers, or the
logarithm of such a thing.  Roots of distinct irreducible polynomials and primes are linearly independent over the
rational functions (Kummer theory; Besicovitch 1940 for primes), and the logarithms of such polynomials are
algebraically independent over the algebraic functions (Kolchin and Ostrowski), so after the integer part of every power
is carried into the coefficients an element is the zero function if and only if its numerator has no term.  Where f
changes sign on the domain, ``|f|`` and f are independent and ``|f|**2 = f**2``.

That logarithms of several primes are algebraically independent is a conjecture.  No proof rests on it: a numerator
without terms is zero in any case, a refutation has a table, and a condition on parameters in which logarithms of
numbers are more than factors that intervals show not to be zero is not solved for.

A root of a sum that itself holds atoms is *opaque*: it obeys ``r**q = radicand`` and nothing more is known of it.  An
identity proved with opaque atoms is still a proof; only "not formally zero" then no longer means "not zero".
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final

from flint import Ordering, fmpz, fmpz_mpoly_ctx

from symmetrics.language.parameter import Parameter
from symmetrics.tools.budget import checkpoint
from symmetrics.tools.errors import UnsupportedError

Poly = Any
"""An ``fmpz_mpoly``; python-flint ships no types."""
Monomial = tuple[tuple[int, Fraction], ...]
"""Atoms, by number and in rising order, each with the power to which it occurs."""
Numerator = dict[Monomial, Poly]

MAX_TERMS: Final = 40_000
"""Products that could have more terms than this are refused, so that a formula cannot exhaust memory."""
TOO_MANY: Final = "the expanded formula has too many terms for the exact algebra"
MAX_FACTOR_BITS: Final = 100
"""Integers beyond this size are not factored; two of them may share a prime, which costs completeness only."""
MAX_POWER: Final = 1000
"""Larger exponents are refused, so that a formula cannot exhaust time."""
ONE: Final[Monomial] = ()


@dataclass(frozen=True)
class Atom:
    """A generator beyond cells and parameters: ``|f|`` or ``log|f|`` of a polynomial or an opaque expression f."""

    number: int
    kind: str
    base: Poly | Numerator
    positive: bool

    @property
    def is_log(self) -> bool:
        """Whether this is a logarithm, which no relation binds."""
        return self.kind == "log"

    @property
    def is_opaque(self) -> bool:
        """Whether the base is a sum that contains atoms itself."""
        return isinstance(self.base, dict)

    @property
    def modulus(self) -> int:
        """The least power of this atom that the relation of the atom reduces to a coefficient."""
        return 1 if self.positive else 2


@dataclass(frozen=True)
class Element:
    """A function: ``numerator / product(atom.base ** power)``; the powers in the denominator are positive integers."""

    numerator: Numerator
    denominator: dict[int, int] = field(default_factory=dict)

    @property
    def is_zero(self) -> bool:
        """Whether the numerator is the zero polynomial."""
        return not self.numerator


class Field:
    """The arithmetic of elements over fixed generators.

    :param positive: names of the generators that are positive on the domain: the cells and auxiliary variables
    :param parameters: the other generators, each with its interval
    """

    def __init__(self, positive: Iterable[str], parameters: Iterable[Parameter] = ()) -> None:
        self.parameters: Mapping[str, Parameter] = {p.name: p for p in parameters}
        self.positive_names = tuple(positive)
        self.names = (*self.positive_names, *self.parameters)
        self.context = fmpz_mpoly_ctx.get(self.names, Ordering.lex)
        self.generators = dict(zip(self.names, self.context.gens(), strict=True))
        self.atoms: list[Atom] = []
        self.conditions: list[Element] = []
        """Elements that must be non-negative (under roots) or positive (under logarithms) for the value to be real."""
        self._numbers: dict[str, int] = {}
        self._positive: dict[str, bool] = {}

    # -- constants and generators --------------------------------------------------------------------------------

    def constant(self, value: int) -> Element:
        """Return an integer as an element."""
        return self.from_poly(self.context.constant(value))

    def from_poly(self, poly: Poly) -> Element:
        """Return a polynomial as an element."""
        return Element({ONE: poly} if poly else {})

    # -- ring operations -----------------------------------------------------------------------------------------

    def add(self, left: Element, right: Element) -> Element:
        """Return left + right over the least common denominator."""
        common = {
            k: max(left.denominator.get(k, 0), right.denominator.get(k, 0))
            for k in left.denominator | right.denominator
        }
        total = dict(self._raise_to(left, common))
        for monomial, poly in self._raise_to(right, common).items():
            _accumulate(total, monomial, poly)
        return Element(total, common if total else {})

    def _raise_to(self, element: Element, denominator: Mapping[int, int]) -> Numerator:
        numerator = element.numerator
        for number, power in denominator.items():
            missing = power - element.denominator.get(number, 0)
            for _ in range(missing):
                numerator = self._times(numerator, self._atom_base(number))
        return numerator

    def negate(self, element: Element) -> Element:
        """Return -element."""
        return Element({m: -p for m, p in element.numerator.items()}, element.denominator)

    def subtract(self, left: Element, right: Element) -> Element:
        """Return left - right."""
        return self.add(left, self.negate(right))

    def multiply(self, left: Element, right: Element) -> Element:
        """Return left * right, with common polynomial factors cancelled."""
        numerator = self._times(left.numerator, right.numerator)
        denominator = dict(left.denominator)
        for number, power in right.denominator.items():
            denominator[number] = denominator.get(number, 0) + power
        return self.reduce(Element(numerator, denominator))

    def _times(self, left: Numerator, right: Numerator) -> Numerator:
        total: Numerator = {}
        for first, p in left.items():
            checkpoint()
            for second, q in right.items():
                if len(p) * len(q) > MAX_TERMS:
                    raise UnsupportedError(TOO_MANY)
                for monomial, poly in self._merge(first, second, p * q).items():
                    _accumulate(total, monomial, poly)
        return total

    def _merge(self, first: Monomial, second: Monomial, poly: Poly) -> Numerator:
        """Multiply two monomials and carry whole powers of their atoms into the coefficient."""
        if not first or not second:
            return {first or second: poly}
        powers = dict(first)
        for number, power in second:
            powers[number] = powers.get(number, Fraction(0)) + power
        return self._carry(powers, poly)

    def _carry(self, powers: Mapping[int, Fraction], poly: Poly) -> Numerator:
        rest: list[tuple[int, Fraction]] = []
        carried: Numerator = {ONE: poly}
        # Powers at or above the modulus become factors of the coefficient; the remainder stays an atom.
        for number, power in sorted(powers.items()):
            atom = self.atoms[number]
            whole = 0 if atom.is_log else int(power // atom.modulus) * atom.modulus
            if power - whole:
                rest.append((number, power - whole))
            for _ in range(whole):
                carried = self._times(carried, self._atom_base(number))
        if not rest:
            return carried
        monomial = tuple(rest)
        if carried.keys() == {ONE}:
            return {monomial: carried[ONE]}
        return self._times(carried, {monomial: self.context.constant(1)})

    def _atom_base(self, number: int) -> Numerator:
        atom = self.atoms[number]
        if atom.is_log:
            return {((number, Fraction(1)),): self.context.constant(1)}
        return dict(atom.base) if atom.is_opaque else {ONE: atom.base}

    def reduce(self, element: Element) -> Element:
        """Cancel every polynomial factor of the denominator that divides all coefficients of the numerator."""
        if not element.numerator:
            return Element({})
        numerator, denominator = element.numerator, {}
        for number, power in element.denominator.items():
            atom = self.atoms[number]
            if not atom.is_opaque and not atom.is_log:
                while power and (quotients := _divide_all(numerator, atom.base)) is not None:
                    numerator, power = quotients, power - 1
            elif power and numerator == self._atom_base(number):
                numerator, power = {ONE: self.context.constant(1)}, power - 1
            if power:
                denominator[number] = power
        return Element(numerator, denominator)

    # -- powers, absolute values, logarithms --------------------------------------------------------------------

    def power(self, element: Element, exponent: Fraction) -> Element:
        """Return the real power of an element, and note as a condition that a root needs a non-negative base."""
        if exponent.denominator == 1:
            return self._integer_power(element, exponent.numerator)
        self._require_nonnegative(element)
        return self.absolute_power(element, exponent)

    def _integer_power(self, element: Element, exponent: int) -> Element:
        if abs(exponent) > MAX_POWER:
            raise UnsupportedError(f"the exponent {exponent} is beyond {MAX_POWER}")
        base = self.invert(element) if exponent < 0 else element
        result = self.constant(1)
        for _ in range(abs(exponent)):
            result = self.multiply(result, base)
        return result

    def invert(self, element: Element) -> Element:
        """Return 1 / element."""
        sign, signed, absolute = self.factor(element)
        plain = self._product(sign, {number: Fraction(-power) for number, power in signed.items()}, signed=True)
        if not absolute:
            return plain
        roots = self._product(1, {number: -power for number, power in absolute.items()}, signed=False)
        return self.multiply(plain, roots)

    def absolute_power(self, element: Element, exponent: Fraction) -> Element:
        """Return ``|element| ** exponent``."""
        if element.is_zero:
            if exponent < 0:
                raise UnsupportedError("a part of the formula divides by zero everywhere")
            return element
        powers = self._absolute_factors(element)
        return self._product(1, {number: power * exponent for number, power in powers.items()}, signed=False)

    def logarithm(self, element: Element) -> Element:
        """Return ``log(element)`` as a sum over its factors, and note as a condition that it has to be positive."""
        self._require_nonnegative(element)
        total = self.constant(0)
        for number, power in self._absolute_factors(element).items():
            log = self._intern("log", f"log {number}", self.atoms[number].base, positive=False)
            term = Element({((log, Fraction(1)),): self.context.constant(power.numerator)})
            total = self.add(total, self.multiply(term, self.invert(self.constant(power.denominator))))
        return total

    def _absolute_factors(self, element: Element) -> dict[int, Fraction]:
        _, signed, absolute = self.factor(element)
        powers = {number: absolute.get(number, Fraction(0)) + signed.get(number, 0) for number in signed | absolute}
        return {number: power for number, power in powers.items() if power}

    def factor(self, element: Element) -> tuple[int, dict[int, int], dict[int, Fraction]]:
        """Write an element as ``sign * product(f ** i) * product(|f| ** r)``, i whole and r rational.

        :returns: the sign, the whole powers of the bases with their own sign, the powers of their absolute values
        """
        if element.is_zero:
            raise UnsupportedError("a part of the formula divides by zero everywhere")
        reduced = self.reduce(element)
        # Powers from the denominator, the content of the numerator, and the atoms that all terms share.
        signed = {number: -power for number, power in reduced.denominator.items()}
        monomial, content, rest = self._split(reduced.numerator)
        sign = self._factor_poly(content, signed)
        logs = tuple((number, power) for number, power in monomial if self.atoms[number].is_log)
        if logs:
            rest = self._times(rest, {logs: self.context.constant(1)})
        absolute = {number: power for number, power in monomial if not self.atoms[number].is_log}
        # A remaining sum is an atom of its own, with a sign.
        if rest.keys() != {ONE} or not rest[ONE].is_one():
            rest, flipped = self._normalise_sign(rest)
            number = self._intern("power", _numerator_key(rest), rest, self.is_positive_base(rest))
            sign = -sign if flipped else sign
            signed[number] = signed.get(number, 0) + 1
        return sign, {number: power for number, power in signed.items() if power}, absolute

    def _split(self, numerator: Numerator) -> tuple[Monomial, Poly, Numerator]:
        """Split a numerator into the common monomial and polynomial of all terms, and the cofactor."""
        if len(numerator) == 1:
            ((monomial, poly),) = numerator.items()
            return monomial, poly, {ONE: self.context.constant(1)}
        # The common polynomial factor of all coefficients ...
        content = self.context.constant(0)
        for poly in numerator.values():
            content = content.gcd(poly)
        # ... and the least power of each atom in all terms.
        shared = dict(next(iter(numerator)))
        for monomial in numerator:
            here = dict(monomial)
            shared = {n: min(p, here[n]) for n, p in shared.items() if n in here}
        rest = {
            tuple((n, p - shared.get(n, 0)) for n, p in monomial if p != shared.get(n, 0)): poly / content
            for monomial, poly in numerator.items()
        }
        return tuple(sorted(shared.items())), content, rest

    def _factor_poly(self, poly: Poly, powers: dict[int, int]) -> int:
        """Count the irreducible factors of a polynomial into *powers* and return its sign."""
        constant, factors = poly.factor()
        sign = -1 if constant < 0 else 1
        bases = [(self.context.constant(prime), power) for prime, power in _integer_factors(abs(fmpz(constant)))]
        for base, power in factors:
            unit, flipped = self._normalise_sign({ONE: base})
            sign = -sign if flipped and power % 2 else sign
            bases.append((unit[ONE], power))
        for base, power in bases:
            number = self.poly_atom(base)
            powers[number] = powers.get(number, 0) + int(power)
        return sign

    def _product(self, sign: int, powers: Mapping[int, Fraction], *, signed: bool) -> Element:
        """Return ``sign * product(base ** power)``; with *signed* whole powers keep the sign of the base."""
        numerator: Numerator = {ONE: self.context.constant(sign)}
        denominator: dict[int, int] = {}
        fractional: dict[int, Fraction] = {}
        for number, power in powers.items():
            atom = self.atoms[number]
            plain = atom.is_log or (power.denominator == 1 and (signed or atom.positive))
            if not plain:
                below = -(power // atom.modulus) * atom.modulus if power < 0 else 0
                if below:
                    denominator[number] = int(below)
                fractional[number] = power + below
            elif power < 0:
                denominator[number] = int(-power)
            else:
                for _ in range(int(power)):
                    numerator = self._times(numerator, self._atom_base(number))
        if fractional:
            numerator = self._times(numerator, self._carry(fractional, self.context.constant(1)))
        return self.reduce(Element(numerator, denominator))

    # -- signs ---------------------------------------------------------------------------------------------------

    def is_positive(self, poly: Poly) -> bool:
        """Whether the coefficients show that a polynomial is nowhere negative on the domain and not zero inside it.

        Parameters are first moved to the half line: w in [a, b] is (a + b*u)/(1 + u), w in [a, oo) is a + u.
        """
        key = str(poly)
        if key not in self._positive:
            self._positive[key] = bool(poly) and all(c > 0 for c in self.on_half_lines(poly).coeffs())
        return self._positive[key]

    def is_always_positive(self, poly: Poly) -> bool:
        """Whether a polynomial is shown to be positive inside the domain also where parameters are at their ends."""
        if not self.is_positive(poly):
            return False
        degrees = dict(zip(self.names, poly.degrees(), strict=True))
        places = [self.names.index(name) for name in self.parameters]
        ends = [_ends(parameter, int(degrees[name])) for name, parameter in self.parameters.items()]
        terms = [[int(exponents[place]) for place in places] for exponents in self.on_half_lines(poly).monoms()]
        if math.prod(map(len, ends)) > len(terms):  # no term is at two corners
            return False
        return all(
            any(all(end in (None, e) for e, end in zip(term, corner, strict=True)) for term in terms)
            for corner in itertools.product(*ends)
        )

    def is_positive_base(self, base: Poly | Numerator) -> bool:
        """Whether the coefficients show that an atom's base is nowhere negative on the domain."""
        if not isinstance(base, dict):
            return self.is_positive(base)
        return all(self.is_positive(poly) for poly in base.values()) and not self._has_log(base)

    def never_zero(self, poly: Poly) -> bool:
        """Whether the coefficients show that a polynomial in parameters has no zero on their domain, ends included.

        On the half lines all coefficients have to agree in sign, and at every corner of the domain one has to stay.
        """
        degrees = dict(zip(self.names, poly.degrees(), strict=True))
        ends = []
        for name in self.names:
            parameter = self.parameters.get(name)
            bounded = parameter is not None and parameter.lower.is_finite and parameter.upper.is_finite
            ends.append({0, int(degrees[name])} if bounded else {0})
        moved = [self.on_half_lines(unit).to_dict() for unit in (poly, -poly)]
        return any(
            all(c > 0 for c in terms.values()) and all(corner in terms for corner in itertools.product(*ends))
            for terms in moved
        )

    def on_half_lines(self, poly: Poly) -> Poly:
        """Return a polynomial with parameters moved to half lines, without the positive denominator this needs."""
        degrees = dict(zip(self.names, poly.degrees(), strict=True))
        for name, parameter in self.parameters.items():
            if not degrees[name]:
                continue
            if (image := half_line_image(parameter)) is None:
                return self.context.constant(-1) if degrees[name] else poly
            (a, b), (c, d) = image
            u = self.generators[name]
            try:
                poly = self.substitute_fraction(poly, self.names.index(name), a + b * u, c + d * u)
            except UnsupportedError:  # every parameter may double the number of terms: then nothing is shown
                return self.context.constant(-1)
        return poly

    def substitute_fraction(self, poly: Poly, place: int, top: Poly, bottom: Poly) -> Poly:
        """Return the numerator of *poly* after replacing the generator of that index by top / bottom.

        :raises UnsupportedError: if it could have too many terms
        """
        checkpoint()
        degree = int(poly.degrees()[place])
        parts: dict[int, dict[tuple[int, ...], Any]] = {}
        for exponents, coefficient in poly.to_dict().items():
            rest = (*exponents[:place], 0, *exponents[place + 1 :])
            parts.setdefault(int(exponents[place]), {})[rest] = coefficient
        total = self.context.constant(0)
        for power, terms in parts.items():
            factor = _power(top, power) * _power(bottom, degree - power)
            if len(total) + len(terms) * len(factor) > MAX_TERMS:
                raise UnsupportedError(TOO_MANY)
            total += self.context.from_dict(terms) * factor
        return total

    def _require_nonnegative(self, element: Element) -> None:
        if element.is_zero:
            return
        sign, signed, _ = self.factor(element)
        odd = [number for number, power in signed.items() if not self.atoms[number].positive and power % 2]
        if not odd and sign < 0:
            raise UnsupportedError("a root or logarithm of something negative: the formula has no real value")
        if odd:
            self.conditions.append(element)

    def _normalise_sign(self, numerator: Numerator) -> tuple[Numerator, bool]:
        """Return the numerator or its negative, whichever is positive or else leads with a positive coefficient."""
        negative = {monomial: -poly for monomial, poly in numerator.items()}
        if all(self.is_positive(poly) for poly in negative.values()):
            return negative, True
        leads = numerator[min(numerator)].leading_coefficient()
        if leads > 0 or all(self.is_positive(poly) for poly in numerator.values()):
            return numerator, False
        return negative, True

    def _has_log(self, numerator: Numerator) -> bool:
        return any(self.atoms[number].is_log for monomial in numerator for number, _ in monomial)

    # -- atoms ---------------------------------------------------------------------------------------------------

    def poly_atom(self, base: Poly) -> int:
        """Return the number of the atom of an irreducible polynomial or prime."""
        return self._intern("power", str(base), base, self.is_positive(base))

    def _intern(self, kind: str, key: str, base: Poly | Numerator, positive: bool) -> int:
        if key not in self._numbers:
            self._numbers[key] = len(self.atoms)
            self.atoms.append(Atom(len(self.atoms), kind, base, positive))
        return self._numbers[key]

    @property
    def is_complete(self) -> bool:
        """Whether a numerator that is not formally zero is known not to be the zero function."""
        return not any(atom.is_opaque or self._is_composite(atom.base) for atom in self.atoms)

    @staticmethod
    def _is_composite(base: Poly) -> bool:
        """Whether a base is an integer that was too large to be factored, and is not a prime."""
        return bool(base.is_constant()) and not abs(base.leading_coefficient()).is_prime()

    def is_constant(self, atom: Atom) -> bool:
        """Whether an atom is a number: a root or a logarithm of a prime or of a polynomial in pi."""
        if isinstance(atom.base, dict):
            return False
        pi = self.names.index("pi") if "pi" in self.names else -1
        return not any(degree for place, degree in enumerate(atom.base.degrees()) if place != pi)


def half_line_image(parameter: Parameter) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """Return ((a, b), (c, d)) such that (a + b*u)/(c + d*u), u >= 0, runs through the parameter's interval.

    >>> half_line_image(Parameter("w", 0, 1)), half_line_image(Parameter("x"))
    (((0, 1), (1, 1)), None)
    """
    lower, upper = parameter.lower, parameter.upper
    if lower.is_finite and upper.is_finite:
        scale = lower.q * upper.q
        return (int(lower * scale), int(upper * scale)), (int(scale), int(scale))
    if lower.is_finite:
        return (int(lower.p), int(lower.q)), (int(lower.q), 0)
    if upper.is_finite:
        return (int(upper.p), -int(upper.q)), (int(upper.q), 0)
    return None


def _integer_factors(value: fmpz) -> list[tuple[fmpz, int]]:
    """Return the prime factors, or the number itself where factoring it could take long."""
    if value <= 1:
        return []
    return list(value.factor()) if int(value).bit_length() <= MAX_FACTOR_BITS else [(value, 1)]


def _power(poly: Poly, exponent: int) -> Poly:
    """Return a power of a polynomial.

    :raises UnsupportedError: if it could have too many terms
    """
    if len(poly) > 1 and math.comb(exponent + len(poly) - 1, exponent) > MAX_TERMS:
        raise UnsupportedError(TOO_MANY)
    return poly**exponent


def _accumulate(total: Numerator, monomial: Monomial, poly: Poly) -> None:
    value = total[monomial] + poly if monomial in total else poly
    if value:
        total[monomial] = value
    else:
        total.pop(monomial, None)


def _divide_all(numerator: Numerator, divisor: Poly) -> Numerator | None:
    quotients: Numerator = {}
    for monomial, poly in numerator.items():
        quotient, remainder = divmod(poly, divisor)
        if remainder:
            return None
        quotients[monomial] = quotient
    return quotients


def _numerator_key(numerator: Numerator) -> str:
    return " + ".join(f"{monomial}:{poly}" for monomial, poly in sorted(numerator.items(), key=lambda item: item[0]))


def _ends(parameter: Parameter, degree: int) -> list[int | None]:
    """Return the powers of u that stay at the ends of a parameter's domain, None if no end belongs to it."""
    lower, upper = parameter.lower.is_finite, parameter.upper.is_finite
    ends: list[int | None] = []
    if (lower and not parameter.lower_open) or (not lower and upper and not parameter.upper_open):
        ends.append(0)
    if lower and upper and not parameter.upper_open:
        ends.append(degree)
    return list(dict.fromkeys(ends)) or [None]
