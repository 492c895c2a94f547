"""Fractions of polynomials over cells, parameters and the atoms that a certificate names."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from operator import sub
from typing import Any, Final

from sympy import QQ, Abs, Add, Expr, Integer, Max, Min, Mul, Pow, Rational, S, Symbol, log
from sympy.polys.rings import PolyElement

from symmetrics.checker.engine.sums import ring_of
from symmetrics.language.formula import parse_formula
from symmetrics.language.parameter import Parameter
from symmetrics.tools.errors import CertificateError, FormulaError

MAX_TERMS: Final = 600_000
MAX_POWER: Final = 4000
"""Largest power that is multiplied out."""
MAX_WORK: Final = 20_000_000
"""Budget of term products per check, so that no certificate takes forever; one that needs more is rejected."""
ROUGHLY: Final = 1e-4
"""Relative difference in floating point above which two values are unequal without an exact comparison."""
LARGE: Final = 200
"""Denominators with more terms are multiplied out only if nothing cancels."""
MAX_FACTORED: Final = 400
"""Most terms of a polynomial that is factored."""
ATOM_KINDS: Final = ("power", "log")
_FACTORS: Final = re.compile(r"(?<!\*)\*(?!\*)")
_NUMBER: Final = re.compile(r"\(?(?P<digits>-?[0-9]{1,1000})\)?", re.ASCII)
_POWER: Final = re.compile(
    r"(?P<name>[A-Za-z_]\w*)(\*\*((?P<whole>[0-9]{1,6})|\((?P<ratio>[0-9]{1,6}(/[1-9][0-9]{0,5})?)\)))?", re.ASCII
)


@dataclass(frozen=True)
class Quotient:
    """A numerator over a denominator, in the ring of an :class:`Arithmetic`."""

    top: PolyElement
    bottom: PolyElement


@dataclass(frozen=True)
class Atom:
    """An atom: ``g ** power = base ** fold`` for a root of ``|base|``, no relation for a logarithm."""

    place: int
    base: PolyElement
    power: int
    fold: int
    is_log: bool


class Arithmetic:
    """Evaluates expressions to quotients, taking the values of roots from a certificate after verifying them.

    :param variables: names of the positive variables
    :param parameters: the parameters
    :param atoms: kind and base of every atom, as texts, each base in variables, parameters and earlier atoms
    :param values: the claimed values of the roots, absolute values and logarithms that occur, as texts
    :raises CertificateError: if the texts cannot be read
    """

    def __init__(
        self,
        variables: Sequence[str],
        parameters: Sequence[Parameter],
        atoms: Mapping[str, Mapping[str, str]],
        values: Iterable[str],
    ) -> None:
        self.parameters = {p.name: p for p in parameters}
        self.variables = len(variables)
        # One ring for variables, pi, parameters and atoms; every name must be unique.
        self.names = (*variables, "pi", *(p.name for p in parameters), *atoms)
        if len(set(self.names)) != len(self.names) or not all(name.isidentifier() for name in self.names):
            raise CertificateError("a name in the certificate is taken twice, or is not a name")
        self.ring, generators = ring_of(self.names, QQ)
        self.work = 0
        self.conditions: dict[Quotient, None] = {}
        """Quotients that must be positive for the formula to be real, and are not positive everywhere."""
        self.values: list[Quotient] = []
        self.known: dict[Expr, Quotient] = {}
        self.symbols = dict(zip(self.names, generators, strict=True))
        self.atoms: dict[str, Atom] = {}
        texts = list(values)
        # The relation of each atom: g**(q*fold) = base**fold, with fold = 2 unless the base is nowhere negative.
        self.degrees = {name: _root_degree(name, [*texts, *(a["base"] for a in atoms.values())]) for name in atoms}
        known = [*variables, *self.parameters]
        for name, atom in atoms.items():
            if atom["kind"] not in ATOM_KINDS:
                raise CertificateError(f"{name} is a {atom['kind']!r}, not one of {', '.join(ATOM_KINDS)}")
            base = self.evaluate(self._parse(atom["base"], known), named=True)
            if base.bottom != 1 or not base.top:
                raise CertificateError(f"the base of {name} is not a polynomial")
            fold = 1 if never_negative(base.top, self) else 2
            place = self.names.index(name)
            self.atoms[name] = Atom(place, base.top, self.degrees[name] * fold, fold, atom["kind"] == "log")
            known.append(name)
        # Values of roots and logarithms in the certificate, and their floating-point values at a sample point.
        expressions = [self._parse(text, known) for text in texts]
        self.sample = Sample(self)
        self.values = [self.evaluate(expression, named=True) for expression in expressions]
        self.rough = [self.sample.quotient(value) for value in self.values]
        self.nonnegative = [self._is_nowhere_negative(expression) for expression in expressions]

    def _parse(self, text: str, names: Sequence[str]) -> Expr:
        try:
            return parse_formula(text, names)
        except FormulaError as error:
            raise CertificateError(f"the certificate holds an unreadable formula: {error}") from None

    def _is_nowhere_negative(self, node: Expr) -> bool:
        """Whether the text of a value shows that it is a product of even powers and of nowhere negative factors."""
        if isinstance(node, Pow) and isinstance(node.exp, Integer):
            return bool(node.exp.is_even) or self._is_nowhere_negative(node.base)
        if isinstance(node, Mul) and all(self._is_nowhere_negative(factor) for factor in node.args):
            return True
        value = self.evaluate(node, named=True)
        return never_negative(value.top, self) and never_negative(value.bottom, self)

    def polynomial(self, text: str | Sequence[str]) -> PolyElement:
        """Read a polynomial in everything that has a name: a sum of products of integers and powers.

        :param text: terms such as ``(-3)*TP**2*atom0**(1/2)`` with `` + `` between them; or several such sums
        :raises CertificateError: if the text cannot be read
        """
        total = self.ring(0)
        for part in [text] if isinstance(text, str) else text:
            for term in part.split(" + "):
                monomial, coefficient = self._term(term)
                total[monomial] = total.get(monomial, QQ(0)) + coefficient
        total.strip_zero()
        return total

    def _term(self, text: str) -> tuple[tuple[int, ...], Any]:
        powers, coefficient = [0] * len(self.names), QQ(1)
        for factor in _FACTORS.split(text):
            if number := _NUMBER.fullmatch(factor):
                coefficient *= QQ(int(number["digits"]))
                continue
            found = _POWER.fullmatch(factor)
            if found is None or found["name"] not in self.symbols:
                raise CertificateError(f"{factor!r} in the certificate is no power of anything known")
            power = Fraction(found["whole"] or found["ratio"] or 1) * self._degree(found["name"])
            if power.denominator != 1 or not 0 <= power <= MAX_POWER:
                raise CertificateError(f"{factor!r} in the certificate has no proper power")
            powers[self.names.index(found["name"])] += int(power)
        return tuple(powers), coefficient

    def _degree(self, name: str) -> int:
        return self.degrees[name] if name in self.atoms and not self.atoms[name].is_log else 1

    # -- arithmetic ----------------------------------------------------------------------------------------------

    def constant(self, value: Rational) -> Quotient:
        """Return a rational number as a quotient."""
        return Quotient(self.ring(QQ(int(value.p), int(value.q))), self.ring(1))

    def add(self, left: Quotient, right: Quotient) -> Quotient:
        """Return left + right."""
        if left.bottom == right.bottom:
            return Quotient(left.top + right.top, left.bottom)
        # Over the least common denominator, which vanishes only where one of the two does: no value is added.
        _, lacking_left, lacking_right = left.bottom.cofactors(right.bottom)
        return self.shortened(
            self.times(left.top, lacking_right) + self.times(right.top, lacking_left),
            self.times(left.bottom, lacking_right),
        )

    def multiply(self, left: Quotient, right: Quotient) -> Quotient:
        """Return left * right."""
        return self.shortened(self.times(left.top, right.top), self.times(left.bottom, right.bottom))

    def shortened(self, top: PolyElement, bottom: PolyElement) -> Quotient:
        """Cancel the positive variables that all terms of numerator and denominator share."""
        if not top or bottom.is_ground:
            return Quotient(top, bottom)
        lowest = [0] * len(self.names)
        for place in range(self.variables):
            power = min(monomial[place] for monomial in bottom)
            lowest[place] = min(power, *(monomial[place] for monomial in top)) if power else 0
        if not any(lowest):
            return Quotient(top, bottom)
        return Quotient(_divided(top, lowest), _divided(bottom, lowest))

    def power(self, base: Quotient, exponent: int) -> Quotient:
        """Return an integer power; a negative power requires a base that is not identically zero."""
        if abs(exponent) > MAX_POWER:
            raise CertificateError(f"the power {exponent} in the certificate is too large to be checked")
        if exponent < 0:
            if not base.top:
                raise CertificateError("the formula divides by something that is zero everywhere")
            base = Quotient(base.bottom, base.top)
        result = Quotient(self.ring(1), self.ring(1))
        for _ in range(abs(exponent)):
            result = self.multiply(result, base)
        return result

    def times(self, left: PolyElement, right: PolyElement) -> PolyElement:
        """Return the product of two polynomials, reduced by the relations of the atoms."""
        self.count(len(left) * len(right))
        return self.carry(left * right)

    def count(self, products: int) -> None:
        """Count the work of a product, and refuse one that is too large."""
        self.work += products
        if products > MAX_TERMS or self.work > MAX_WORK:
            raise CertificateError("a product in the certificate has too many terms to be checked")

    def carry(self, poly: PolyElement) -> PolyElement:
        """Replace powers of atoms by their bases wherever a relation allows it."""
        # Later atoms first, as their bases may contain earlier ones; each pass lowers the powers by one relation.
        for generator in reversed(self.atoms.values()):
            if generator.is_log:
                continue
            while any(monomial[generator.place] >= generator.power for monomial in poly):
                kept, carried = self.ring(0), self.ring(0)
                lowered = list[tuple[tuple[int, ...], Any]]()
                for monomial, coefficient in poly.terms():
                    if monomial[generator.place] >= generator.power:
                        left = monomial[generator.place] - generator.power
                        lowered.append((_with(monomial, generator.place, left), coefficient))
                    else:
                        kept[monomial] = coefficient
                for monomial, coefficient in lowered:
                    carried += self.ring({monomial: coefficient})
                self.count(len(carried) * len(generator.base) ** generator.fold)
                poly = kept + carried * generator.base**generator.fold
        return poly

    def substitute(self, poly: PolyElement, place: int, top: PolyElement, bottom: PolyElement) -> PolyElement:
        """Return the numerator of a polynomial with the generator of that place replaced by top / bottom."""
        degree = max((monomial[place] for monomial in poly), default=0)
        tops, bottoms = [self.ring(1)], [self.ring(1)]
        for _ in range(degree):
            self.count(len(tops[-1]) * len(top) + len(bottoms[-1]) * len(bottom))
            tops.append(tops[-1] * top)
            bottoms.append(bottoms[-1] * bottom)
        total = self.ring(0)
        for monomial, coefficient in poly.terms():
            rest = self.ring({_with(monomial, place, 0): coefficient})
            above, below = tops[monomial[place]], bottoms[degree - monomial[place]]
            self.count(len(above) * len(below))
            total += rest * above * below
        return total

    def equal(self, left: Quotient, right: Quotient) -> bool:
        """Whether two quotients are the same function."""
        for first, second in ((left, right), (right, left)):
            # If one denominator divides the other, far smaller products decide.
            factor, rest = divmod(first.bottom, second.bottom)
            if not rest and first.top == self.times(second.top, factor):
                return True
        return bool(self.times(left.top, right.bottom) == self.times(right.top, left.bottom))

    # -- expressions ---------------------------------------------------------------------------------------------

    def evaluate(self, node: Expr, *, named: bool = False) -> Quotient:
        """Return an expression as a quotient.

        :param named: read ``atom ** (p/q)`` as the power of a generator, as the texts of a certificate mean it
        :raises CertificateError: if a root, absolute value or logarithm in it is not accounted for
        """
        if named:
            return self._evaluate(node, named)
        if node not in self.known:
            self.known[node] = self._evaluate(node, named)
        return self.known[node]

    def _evaluate(self, node: Expr, named: bool) -> Quotient:
        """Return an expression as a quotient of polynomials in names and atoms, by its last operation."""
        if isinstance(node, Rational):
            return self.constant(node)
        if isinstance(node, Symbol) or node is S.Pi:
            return self._symbol("pi" if node is S.Pi else node.name, Fraction(1), named)
        if isinstance(node, Add):
            return self._fold(self.add, node.args, named)
        if isinstance(node, Mul):
            return self._fold(self.multiply, node.args, named)
        if isinstance(node, (Min, Max)):
            return self._extreme([self.evaluate(argument) for argument in node.args], isinstance(node, Max))
        # Powers: whole ones of anything, fractions of a name in a certificate, and roots, which have to be real.
        if isinstance(node, Pow) and isinstance(node.exp, Integer) and not (named and node.base.is_Symbol):
            return self.power(self.evaluate(node.base, named=named), int(node.exp))
        if isinstance(node, Pow) and named and isinstance(node.base, Symbol) and isinstance(node.exp, Rational):
            return self._symbol(node.base.name, Fraction(int(node.exp.p), int(node.exp.q)), named)
        if isinstance(node, Pow) and isinstance(node.exp, Rational):
            base = self.evaluate(node.base, named=named)
            self._require_real(base)
            return self._root(base, int(node.exp.p), int(node.exp.q))
        if isinstance(node, Abs):
            return self._absolute(self.evaluate(node.args[0]))
        if isinstance(node, log):
            argument = self.evaluate(node.args[0])
            self._require_real(argument)
            return self._logarithm(argument)
        raise CertificateError(f"{type(node).__name__} cannot be checked")

    def _fold(self, operation: Any, arguments: Iterable[Expr], named: bool) -> Quotient:
        first, *rest = arguments
        result = self.evaluate(first, named=named)
        for argument in rest:
            result = operation(result, self.evaluate(argument, named=named))
        return result

    def _symbol(self, name: str, power: Fraction, named: bool) -> Quotient:
        if name not in self.symbols:
            raise CertificateError(f"unknown name {name!r} in the certificate")
        generator = self.symbols[name]
        if named and name in self.atoms and not self.atoms[name].is_log:
            power *= self.degrees[name]
        if power.denominator != 1:
            raise CertificateError(f"{name} does not occur to the power {power}")
        return self.power(Quotient(generator, self.ring(1)), int(power))

    def _extreme(self, values: Sequence[Quotient], largest: bool) -> Quotient:
        """Return Max(a, b) as (a + b + |a - b|)/2, and Min likewise, from the left."""
        result, *rest = values
        minus, half = self.constant(S.NegativeOne), self.constant(S.Half)
        for value in rest:
            gap = self._absolute(self.add(result, self.multiply(minus, value)))
            total = self.add(self.add(result, value), gap if largest else self.multiply(minus, gap))
            result = self.multiply(half, total)
        return result

    def _absolute(self, value: Quotient) -> Quotient:
        """Return an absolute value: the argument itself if nowhere negative, otherwise the value in the certificate."""
        if never_negative(value.top, self) and never_negative(value.bottom, self):
            return value
        return self._root(self.power(value, 2), 1, 2)

    def _require_real(self, value: Quotient) -> None:
        """Note that a radicand or the argument of a logarithm has to be positive, unless it is so everywhere."""
        if not (never_negative(value.top, self) and never_negative(value.bottom, self)):
            self.conditions[value] = None

    def varying_sign(self, value: Quotient) -> PolyElement:
        """Return the product of the factors that decide the sign of a quotient."""
        product = self.ring(1)
        for part in (value.top, value.bottom):
            constant, factors = factors_of(part)
            product *= -1 if constant < 0 else 1
            for factor, power in factors:
                if power % 2 and never_negative(-factor, self):
                    product *= -1
                elif power % 2 and not never_negative(factor, self):
                    product *= factor
        return product

    def _root(self, base: Quotient, top: int, bottom: int) -> Quotient:
        """Return the value v >= 0 in the certificate with ``v ** bottom = |base ** top|``."""
        wanted = self.power(base, top)
        if not wanted.top:
            return wanted
        rough = abs(self.sample.quotient(base)) ** (top / bottom)
        for value, nonnegative, near in zip(self.values, self.nonnegative, self.rough, strict=True):
            # The sample point may violate the parameters' domains, and such a value may be negative there.
            if not nonnegative or not _may_be_equal(abs(near), rough):
                continue
            if self.equal(self._divided_power(value, bottom), wanted):
                return value
            if self.equal(self.power(value, 2 * bottom), self.power(wanted, 2)):
                return value
        raise CertificateError("a root in the formula has no value in the certificate")

    def _divided_power(self, value: Quotient, exponent: int) -> Quotient:
        """Return a power; instead of a large denominator, divide by the value's own one as often as possible."""
        if len(value.bottom) < LARGE:
            return self.power(value, exponent)
        top = self.power(Quotient(value.top, self.ring(1)), exponent).top
        left = exponent
        while left and not (parts := divmod(top, value.bottom))[1]:
            top, left = parts[0], left - 1
        return Quotient(top, self.power(Quotient(value.bottom, self.ring(1)), left).top)

    def _logarithm(self, argument: Quotient) -> Quotient:
        """Return the value ``sum c_i log|f_i|`` in the certificate with ``product |f_i| ** c_i = |argument|``."""
        if argument.top == argument.bottom:
            return Quotient(self.ring(0), self.ring(1))
        logs = {generator.place: generator for generator in self.atoms.values() if generator.is_log}
        size = abs(self.sample.quotient(argument))
        rough = math.log(size) if 0 < size < math.inf else math.nan
        for value, near in zip(self.values, self.rough, strict=True):
            weights = self._log_weights(value, logs) if _may_be_equal(near, rough) else None
            if weights is None:
                continue
            scale = 2 * lcm(*(weight.denominator for weight in weights.values()))
            product = Quotient(self.ring(1), self.ring(1))
            for place, weight in weights.items():
                base = Quotient(logs[place].base, self.ring(1))
                product = self.multiply(product, self.power(base, int(weight * scale)))
            if self.equal(product, self.power(argument, scale)):
                return value
        raise CertificateError("a logarithm in the formula has no value in the certificate")

    def _log_weights(self, value: Quotient, logs: Mapping[int, Atom]) -> dict[int, Fraction] | None:
        if len(value.bottom) != 1 or any(value.bottom.leading_expv()):
            return None
        scale = value.bottom.LC
        weights = {}
        for monomial, coefficient in value.top.terms():
            places = [place for place, power in enumerate(monomial) if power]
            if len(places) != 1 or places[0] not in logs or monomial[places[0]] != 1:
                return None
            ratio = coefficient / scale
            weights[places[0]] = Fraction(int(ratio.numerator), int(ratio.denominator))
        return weights or None


class Sample:
    """One floating-point sample, to tell unequal values apart before comparing them exactly."""

    def __init__(self, arithmetic: Arithmetic) -> None:
        self.point = [0.37 + 0.61 * place for place in range(len(arithmetic.names))]
        self.point[arithmetic.names.index("pi")] = math.pi
        for name, atom in arithmetic.atoms.items():
            size = abs(self.poly(atom.base))
            usable = 0 < size < math.inf
            value = (math.log(size) if atom.is_log else size ** (1 / arithmetic.degrees[name])) if usable else math.nan
            self.point[atom.place] = value

    def poly(self, poly: PolyElement) -> float:
        """Return the value of a polynomial, or nan if it overflows."""
        try:
            return math.fsum(
                float(coefficient) * math.prod(self.point[place] ** power for place, power in enumerate(m) if power)
                for m, coefficient in poly.terms()
            )
        except OverflowError:
            return math.nan

    def quotient(self, quotient: Quotient) -> float:
        """Return the value of a quotient, or nan at a pole or overflow."""
        below = self.poly(quotient.bottom)
        return self.poly(quotient.top) / below if below else math.nan


def _may_be_equal(left: float, right: float) -> bool:
    """Whether two floating-point values are close enough that the exact ones may be equal."""
    return not abs(left - right) > ROUGHLY * max(abs(left), abs(right), 1.0)


def factors_of(poly: PolyElement) -> Any:
    """Return the constant and the irreducible factors of a polynomial; refuses one with too many terms."""
    if len(poly) > MAX_FACTORED:
        raise CertificateError("a polynomial in the certificate has too many terms to be factored")
    return poly.factor_list()


def never_negative(poly: PolyElement, arithmetic: Arithmetic) -> bool:
    """Whether the coefficients show that a polynomial is nowhere negative on the domain, and it is not zero."""
    if not poly:
        return False
    for monomial in poly:
        if any(monomial[atom.place] for atom in arithmetic.atoms.values() if atom.is_log):
            return False
    moved = _on_half_lines(poly, arithmetic)
    return moved is not None and all(coefficient > 0 for coefficient in moved.values())


def always_positive(poly: PolyElement, arithmetic: Arithmetic, positive: Set[int]) -> bool:
    """Whether a polynomial is positive inside the domain for all parameters, also at the ends of their domains.

    :param positive: the indices of generators that are, among those that are not parameters
    """
    if not never_negative(poly, arithmetic):
        return False
    moved = _on_half_lines(poly, arithmetic)
    places = [arithmetic.names.index(name) for name in arithmetic.parameters]
    terms = [m for m in moved or () if all(k in positive for k, e in enumerate(m) if e and k not in places)]
    ends = [
        _ends(parameter, max(m[k] for m in poly))
        for k, parameter in zip(places, arithmetic.parameters.values(), strict=True)
    ]
    return all(
        any(all(end in (None, m[k]) for k, end in zip(places, corner, strict=True)) for m in terms)
        for corner in itertools.product(*ends)
    )


def _ends(parameter: Parameter, degree: int) -> list[int | None]:
    """Return the powers of u that stay at the ends of a parameter's domain, None if no end belongs to it."""
    lower, upper = parameter.lower.is_finite, parameter.upper.is_finite
    ends: list[int | None] = []
    if (lower and not parameter.lower_open) or (not lower and upper and not parameter.upper_open):
        ends.append(0)
    if lower and upper and not parameter.upper_open:
        ends.append(degree)
    return list(dict.fromkeys(ends)) or [None]


def never_zero(poly: PolyElement, arithmetic: Arithmetic) -> bool:
    """Whether the coefficients show that a polynomial in parameters has no zero on their domain, ends included."""
    ends = []
    for place, name in enumerate(arithmetic.names):
        parameter = arithmetic.parameters.get(name)
        bounded = parameter is not None and parameter.lower.is_finite and parameter.upper.is_finite
        degree = max((monomial[place] for monomial in poly), default=0)
        if degree and parameter is None:
            return False
        ends.append({0, degree} if bounded else {0})
    moved = _on_half_lines(poly, arithmetic)
    if not moved:
        return False
    # A sum of terms of one sign, with one that stays at each end of the domain: at u = 0, and at u = oo if that is one.
    signs = {coefficient > 0 for coefficient in moved.values()}
    return len(signs) == 1 and all(corner in moved for corner in itertools.product(*ends))


def _on_half_lines(poly: PolyElement, arithmetic: Arithmetic) -> PolyElement | None:
    for name, parameter in arithmetic.parameters.items():
        place = arithmetic.names.index(name)
        if any(monomial[place] for monomial in poly):
            moved = _moved_to_half_line(poly, place, parameter, arithmetic)
            if moved is None:
                return None
            poly = moved
    return poly


def _moved_to_half_line(
    poly: PolyElement, place: int, parameter: Parameter, arithmetic: Arithmetic
) -> PolyElement | None:
    """Write the parameter as lower + u, or as (lower + upper*u)/(1 + u) over one denominator, for u >= 0."""
    u, one = arithmetic.symbols[parameter.name], arithmetic.ring(1)
    lower, upper = (QQ(int(b.p), int(b.q)) if b.is_finite else None for b in (parameter.lower, parameter.upper))
    if lower is not None:
        top, bottom = (lower + u, one) if upper is None else (lower + upper * u, 1 + u)
    elif upper is not None:
        top, bottom = upper - u, one
    else:
        return None
    return arithmetic.substitute(poly, place, top, bottom)


def _divided(poly: PolyElement, powers: Sequence[int]) -> PolyElement:
    """Return a polynomial with every term divided by one monomial."""
    return poly.ring({tuple(map(sub, monomial, powers)): coefficient for monomial, coefficient in poly.terms()})


def _with(monomial: tuple[int, ...], place: int, power: int) -> tuple[int, ...]:
    return (*monomial[:place], power, *monomial[place + 1 :])


def _root_degree(name: str, texts: Iterable[str]) -> int:
    """Return the least q such that every power of an atom in the texts is a multiple of 1/q."""
    degree = 1
    symbol = name
    for text in texts:
        for piece in text.split(f"{symbol}**(")[1:]:
            power = piece.split(")")[0]
            try:
                degree = lcm(degree, Fraction(power).denominator)
            except (ValueError, ZeroDivisionError):
                raise CertificateError(f"{power!r} is not a power of {name}") from None
            if degree > MAX_POWER:
                raise CertificateError(f"the root of {name} has too high a degree to be checked")
    return degree
