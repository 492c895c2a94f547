"""Proofs that a polynomial is nowhere negative, followed step by step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import gcd
from typing import Any

from sympy import QQ
from sympy.polys.rings import PolyElement

from symmetrics.checker.engine.fractions import Arithmetic, always_positive, never_negative
from symmetrics.checker.engine.requirements import require
from symmetrics.language.formula import parse_number
from symmetrics.tools.errors import CertificateError

Tree = Mapping[str, Any]


@dataclass(frozen=True)
class _Region:
    """Assumptions at a step: indices of the generators that are positive, and polynomials that are not negative."""

    strict: frozenset[int]
    given: tuple[PolyElement, ...] = ()


@dataclass(frozen=True)
class SignChecker:
    """Checks the proof trees of one certificate.

    :param arithmetic: the ring, with the radicands and arguments of its roots and logarithms
    :param given: polynomials that are nowhere negative on the region of interest; such regions cover all tables
    :param chains: names that stand for the logarithm of a ratio, each with the name of the divisor's logarithm
    """

    arithmetic: Arithmetic
    given: Sequence[PolyElement] = ()
    chains: Mapping[str, str] = field(default_factory=dict)

    def unchained(self, poly: PolyElement) -> PolyElement:
        """Replace the logarithm of a ratio by the difference of two logarithms."""
        symbols, names = self.arithmetic.symbols, list(self.chains)
        logs = {name for name, atom in self.arithmetic.atoms.items() if atom.is_log}
        require({*self.chains, *self.chains.values()} <= logs, "a chain names something that is no logarithm")
        places = [self.arithmetic.atoms[name].place for name in self.chains]
        nested = any(monomial[place] for base in self._bases(poly) for monomial in base for place in places)
        require(not nested, "a chain is about a logarithm inside a root")
        used = [n for n in names if any(monomial[self.arithmetic.atoms[n].place] for monomial in poly)]
        if not used:
            return poly
        return poly.compose([(symbols[name], symbols[name] - symbols[self.chains[name]]) for name in used])

    def exceeds(self, name: str) -> tuple[PolyElement, PolyElement]:
        """Return (f, g) for the logarithm of f/g that a name stands for; g = 1 without a chain."""
        atoms = self.arithmetic.atoms
        parent = self.chains.get(name)
        return atoms[name].base, self.arithmetic.ring(1) if parent is None else atoms[parent].base

    def _bases(self, poly: PolyElement) -> list[PolyElement]:
        """Return the arguments of the roots and logarithms in a polynomial, nested ones included."""
        bases: dict[str, tuple[PolyElement, PolyElement]] = {}
        left = [poly]
        while left:
            part = left.pop()
            for name, atom in self.arithmetic.atoms.items():
                if name not in bases and any(monomial[atom.place] for monomial in part):
                    bases[name] = self.exceeds(name)
                    left += bases[name]
        return [base for pair in bases.values() for base in pair]

    @property
    def positive(self) -> frozenset[int]:
        """The places of what is positive inside the domain: variables, roots of what is positive, some logarithms."""
        arithmetic = self.arithmetic
        unsigned = {arithmetic.names.index(name) for name in (*arithmetic.parameters, *arithmetic.atoms)}
        inside = {*range(len(arithmetic.names))} - unsigned
        # A base holds earlier atoms only.
        for name, atom in arithmetic.atoms.items():
            f, g = self.exceeds(name)
            polys = (f, g, f - g) if atom.is_log else (f,)
            if all(always_positive(poly, arithmetic, inside) for poly in polys):
                inside.add(atom.place)
        return frozenset(inside)

    def is_positive(self, poly: PolyElement) -> bool:
        """Whether all coefficients are positive, in generators that are nowhere negative."""
        return bool(poly) and all(coefficient > 0 for coefficient in poly.values()) and self._signed(poly)

    def _is_strictly_positive(self, poly: PolyElement) -> bool:
        """Whether a polynomial has no negative term, and one positive term in positive generators only."""
        return self.is_positive(poly) and self._has_strict_term(poly, _Region(self.positive))

    def _signed(self, poly: PolyElement) -> bool:
        """Whether no generator that could be negative occurs."""
        roots = {atom.place for atom in self.arithmetic.atoms.values() if not atom.is_log}
        allowed = self.positive | roots
        return all(place in allowed for monomial in poly for place, power in enumerate(monomial) if power)

    def nonnegative(self, poly: PolyElement, tree: Tree) -> bool:
        """Check that a polynomial is nowhere negative; return whether it is moreover positive inside the domain.

        :raises CertificateError: if the tree does not show it
        """
        if "empty" in tree:
            condition = self._given(self.given, tree["empty"])
            return self._is_strictly_positive(-condition) or self._refuse("a region is not empty")
        if "flat" in tree:
            first, second = (self._given(self.given, number) for number in tree["flat"])
            return self._is_multiple(first, -second) or self._refuse("a region is not flat")
        if "split" in tree:
            return self._split(poly, tree)
        return self._follow(poly, tree, _Region(self.positive, tuple(self.given)))

    def _split(self, poly: PolyElement, tree: Tree) -> bool:
        """Case split where ``p*q*s >= 0`` with s > 0: either p and q are not negative, or -p and -q are not."""
        factors = [self.arithmetic.polynomial(text) for text in tree["by"]]
        require(len(factors) == 2 and all(factors), "a condition is not split into two factors")
        p, q = factors
        self.arithmetic.count(len(p) * len(q))
        rest, remainder = self._given(self.given, tree["split"]).div(p * q)
        is_multiple = not remainder and self._is_strictly_positive(rest)
        require(is_multiple, "a condition is not a positive multiple of two factors")
        sides = (("first", [p, q]), ("second", [-p, -q]))
        proved = [replace(self, given=[*self.given, *more]).nonnegative(poly, tree[name]) for name, more in sides]
        return all(proved)

    @staticmethod
    def _refuse(reason: str) -> bool:
        require(False, reason)
        return False

    @staticmethod
    def _given(given: Sequence[PolyElement], number: object) -> PolyElement:
        if type(number) is not int or not 0 <= number < len(given):
            raise CertificateError("the evidence does not establish the verdict: there is no such condition")
        return given[number]

    @staticmethod
    def _is_multiple(left: PolyElement, right: PolyElement) -> bool:
        return bool(left) and bool(right) and left.LC * right.LC > 0 and left * right.LC == right * left.LC

    def _follow(self, poly: PolyElement, tree: Tree, region: _Region) -> bool:
        """Check one step of a proof of sign, and the steps below it; return whether it shows more than ``>= 0``."""
        # Leaves: the zero polynomial, positive coefficients, a given condition.
        if "zero" in tree:
            require(not poly, "a polynomial that is not zero is said to be")
            return False
        if "positive" in tree:
            require(bool(poly) and self._signed(poly), "a polynomial holds something of unknown sign")
            require(all(coefficient > 0 for coefficient in poly.values()), "a coefficient is not positive")
            return self._has_strict_term(poly, region)
        if "itself" in tree:
            condition = self._given(region.given, tree["itself"])
            require(self._is_multiple(poly, condition), "a polynomial is not what is given")
            return False
        # A condition times a factor: follow the factor.
        if "times" in tree:
            condition = self._given(region.given, tree["times"])
            self._follow(poly.exquo(condition), tree["then"], region)
            return False
        # Inner steps: each rewrites the polynomial, and has subtrees for what remains.
        for step, follow in (
            ("factors", self._factors),
            ("root", self._root),
            ("bounds", self._bounds),
            ("pairs", self._pairs),
            ("tangents", self._tangents),
            ("cut", self._cut),
            ("combination", self._combination),
            ("quadratic", self._quadratic),
            ("peeled", self._peeled),
            ("given", self._under),
        ):
            if step in tree:
                return follow(poly, tree, region)
        return self._refuse("a step of the proof is of no known kind")

    def _factors(self, poly: PolyElement, tree: Tree, region: _Region) -> bool:
        # Multiply the factors out again: an even power is a square, the sign of any other factor has a proof.
        product, sign, is_strict = self.arithmetic.ring(1), 1, True
        for part in tree["factors"]:
            factor, power = self.arithmetic.polynomial(part["factor"]), part["power"]
            require(type(power) is int and 0 < power < 100 and part["sign"] in (1, -1), "a factor has no proper power")
            for _ in range(power):
                self.arithmetic.count(len(product) * len(factor))
                product *= factor
            if part["proof"].get("square"):
                require(power % 2 == 0, "an odd power is no square")
                is_strict = False
                continue
            is_strict = self._follow(part["sign"] * factor, part["proof"], region) and is_strict
            sign *= part["sign"] ** power
        ratio = poly.LC / product.LC
        require(poly == product * ratio, "the factors do not multiply to the polynomial")
        require(ratio * sign > 0, "the factors give the other sign")
        return is_strict

    def _root(self, poly: PolyElement, tree: Tree, region: _Region) -> bool:
        """Prove ``A + B*r >= 0``, with r*r a nowhere negative polynomial, by comparing A**2 with (B*r)**2."""
        atom = self.arithmetic.atoms[tree["root"]]
        require(not atom.is_log and atom.fold == 1 and atom.power == 2, "this is no square root of something positive")
        plain, factor = self.arithmetic.ring(0), self.arithmetic.ring(0)
        for monomial, coefficient in self.arithmetic.carry(poly).terms():
            rest = (*monomial[: atom.place], 0, *monomial[atom.place + 1 :])
            if monomial[atom.place]:
                factor[rest] = coefficient
            else:
                plain[rest] = coefficient
        times = self.arithmetic.times
        norm = times(plain, plain) - times(times(factor, factor), atom.base)
        sign, part, name = (1, plain, "plain") if "plain" in tree else (-1, factor, "factor")
        side = self._follow(part, tree[name], region)
        # If the other part is nowhere negative, so is the sum; elsewhere its negative may be assumed.
        other = -(factor if name == "plain" else plain)
        opposed = replace(region, given=(*region.given, self._stripped(other, region)))
        compared = self._follow(sign * self.arithmetic.carry(norm), tree["norm"], opposed)
        return compared and (side or not self._uses(tree["norm"], len(region.given)))

    def _stripped(self, poly: PolyElement, region: _Region) -> PolyElement:
        """Cancel the positive generators that all terms of a polynomial share."""
        if not poly:
            return poly
        powers = zip(*poly, strict=True)
        lowest = tuple(min(column) if place in region.strict else 0 for place, column in enumerate(powers))
        return poly.exquo(self.arithmetic.ring({lowest: 1}))

    @staticmethod
    def _uses(tree: object, number: int) -> bool:
        """Whether a step of a proof uses the condition of that number, or a later one."""
        parts = tree.values() if isinstance(tree, Mapping) else tree if isinstance(tree, (list, tuple)) else ()
        numbers = [tree.get("given"), tree.get("itself"), tree.get("times")] if isinstance(tree, Mapping) else []
        numbers += [number for number, _ in tree.get("combination", [])] if isinstance(tree, Mapping) else []
        used = any(type(n) is int and n >= number for n in numbers)
        return used or any(SignChecker._uses(part, number) for part in parts)

    def _bounds(self, poly: PolyElement, tree: Tree, region: _Region) -> bool:
        """Replace logarithms by rational bounds: ``2*(u - 1)/(u + 1) < log(u) < (u - 1/u)/2`` for u > 1."""
        arithmetic = self.arithmetic
        # Each logarithm is positive and occurs to the first power only.
        places = {name: arithmetic.atoms[name].place for name in tree["bounds"]}
        require(all(arithmetic.atoms[name].is_log for name in places), "bounds are for logarithms")
        require(all(place in self.positive for place in places.values()), "a logarithm may be negative")
        require(all(sum(m[place] for place in places.values()) <= 1 for m in poly), "a logarithm has a power")
        rest, total, common = poly.copy(), arithmetic.ring(0), arithmetic.ring(1)
        # Its coefficient has a proved sign, which selects the lower or the upper bound.
        for name, part in tree["bounds"].items():
            place, coefficient = places[name], arithmetic.ring(0)
            for monomial in [m for m in rest if m[place]]:
                coefficient[(*monomial[:place], 0, *monomial[place + 1 :])] = rest.pop(monomial)
            require(part["sign"] in (1, -1), "a coefficient has no sign")
            self._follow(part["sign"] * coefficient, part["proof"], region)
            f, g = self.exceeds(name)
            top, bottom = (2 * (f - g), f + g) if part["sign"] > 0 else (f * f - g * g, 2 * f * g)
            # Sum over the common denominator of all bounds used so far.
            arithmetic.count(len(coefficient) * len(top) * len(common))
            total, common = total * bottom + coefficient * top * common, common * bottom
        return self._follow(rest * common + total, tree["then"], region)

    def _pairs(self, poly: PolyElement, tree: Tree, region: _Region) -> bool:
        """Subtract positive multiples of ``log f - log g`` with f > g, or of ``log f`` with f > 1."""
        arithmetic, rest, is_strict = self.arithmetic, self.unchained(poly), False
        plain = replace(self, chains={})
        # Each pair: a weight without logarithms and not negative, and bases with f > g.
        for larger, smaller, text in tree["pairs"]:
            weight = arithmetic.polynomial(text)
            require(plain.is_positive(weight) and not self._has_log(weight), "a weight may be negative")
            names = [larger] if smaller is None else [larger, smaller]
            require(all(arithmetic.atoms[name].is_log for name in names), "a pair is not one of logarithms")
            f = arithmetic.atoms[larger].base
            g = arithmetic.ring(1) if smaller is None else arithmetic.atoms[smaller].base
            require(all(never_negative(p, arithmetic) for p in (f, g, f - g)), "a logarithm may be the smaller one")
            pair = arithmetic.symbols[larger] - (0 if smaller is None else arithmetic.symbols[smaller])
            arithmetic.count(len(weight) * 2)
            rest -= weight * pair
            exceeds = all(always_positive(p, arithmetic, plain.positive) for p in (f, g, f - g))
            # A strictly positive weight and f > g make the whole strictly positive.
            is_strict = is_strict or (exceeds and self._has_strict_term(weight, region))
        require(not self._has_log(rest), "a logarithm is left over")
        return self._follow(rest, tree["rest"], region) or is_strict

    def _tangents(self, poly: PolyElement, tree: Tree, region: _Region) -> bool:
        """Bound the logarithm of a product u, chosen for each monomial, from below by ``1 - 1/u <= log(u)``."""
        groups, rest = self._by_monomial(self.unchained(poly))
        bases = {atom.place: atom.base for atom in self.arithmetic.atoms.values() if atom.is_log}
        used = {place for amounts in groups.values() for place in amounts}
        require(all(never_negative(bases[place], self.arithmetic) for place in used), "a base may be negative")
        require(all(self.is_positive(self.arithmetic.ring({m: 1})) for m in groups), "a monomial may be negative")
        # m*(sum c*log f) = m*scale*log u; positive monomials keep the direction of the bound.
        scales = {m: gcd(*amounts.values()) for m, amounts in groups.items()}
        powers = {m: {p: a // scales[m] for p, a in amounts.items()} for m, amounts in groups.items()}
        # 1 - 1/u over the common denominator of all u.
        highest = {place: max(0, *(power.get(place, 0) for power in powers.values())) for place in used}
        common = self._power_product(highest, bases)
        total = self.arithmetic.times(rest, common)
        for monomial, power in powers.items():
            below = {place: highest[place] - power.get(place, 0) for place in used}
            gap = common - self._power_product(below, bases)
            total += self.arithmetic.times(self.arithmetic.ring({monomial: scales[monomial]}), gap)
        return self._follow(total, tree["tangents"], region)

    def _by_monomial(self, poly: PolyElement) -> tuple[dict[tuple[int, ...], dict[int, int]], PolyElement]:
        places = {atom.place for atom in self.arithmetic.atoms.values() if atom.is_log}
        groups: dict[tuple[int, ...], dict[int, int]] = {}
        rest = self.arithmetic.ring(0)
        for monomial, coefficient in poly.terms():
            held = [place for place in places if monomial[place]]
            require(len(held) <= 1 and all(monomial[place] == 1 for place in held), "logarithms are multiplied")
            if not held:
                rest[monomial] = coefficient
                continue
            require(coefficient.denominator == 1, "the multiple of a logarithm is not whole")
            plain = (*monomial[: held[0]], 0, *monomial[held[0] + 1 :])
            groups.setdefault(plain, {})[held[0]] = int(coefficient)
        return groups, rest

    def _power_product(self, powers: Mapping[int, int], bases: Mapping[int, PolyElement]) -> PolyElement:
        product = self.arithmetic.ring(1)
        for place, power in powers.items():
            for _ in range(power):
                product = self.arithmetic.times(product, bases[place])
        return product

    def _has_log(self, poly: PolyElement) -> bool:
        places = [atom.place for atom in self.arithmetic.atoms.values() if atom.is_log]
        return any(monomial[place] for monomial in poly for place in places)

    def _cut(self, poly: PolyElement, tree: Tree, region: _Region) -> bool:
        first, second = (self._variable(name) for name in tree["cut"])
        require(first != second, "a cut needs two variables")
        self._require_free(poly, range(len(self.arithmetic.names)))
        results = []
        for larger, name in ((first, "first"), (second, "second")):
            total = self.arithmetic.symbols[tree["cut"][0]] + self.arithmetic.symbols[tree["cut"][1]]
            piece = self.arithmetic.substitute(poly, larger, total, self.arithmetic.ring(1))
            results.append(self._follow(piece, tree[name], _Region(region.strict - {larger})))
        return all(results)

    def _under(self, poly: PolyElement, tree: Tree, region: _Region) -> bool:
        """Substitute ``v = (h + w)/c`` with w >= 0, where ``c*v - h >= 0`` is given."""
        place = self._variable(tree["variable"])
        condition = self._given(region.given, tree["given"])
        coefficient, rest = self.arithmetic.ring(0), self.arithmetic.ring(0)
        for monomial, value in condition.terms():
            require(monomial[place] <= 1, "a condition is not linear")
            part = coefficient if monomial[place] else rest
            part[(*monomial[:place], 0, *monomial[place + 1 :])] = value if monomial[place] else -value
        require(self.is_positive(coefficient), "the coefficient of a variable may be zero")
        require(not rest or self.is_positive(rest), "a condition does not bound a variable from below")
        self._require_free(poly, [place])
        self._require_free(condition, [place])
        top = rest + self.arithmetic.symbols[tree["variable"]]
        moved = self.arithmetic.substitute(poly, place, top, coefficient)
        return self._follow(moved, tree["then"], _Region(region.strict - {place}))

    def _combination(self, poly: PolyElement, tree: Tree, region: _Region) -> bool:
        """Subtract positive multiples of conditions; the remainder has no negative coefficient."""
        rest = poly
        for number, weight in tree["combination"]:
            value = parse_number(weight)
            require(value > 0, "a weight is not positive")
            rest = rest - self._given(region.given, number) * self.arithmetic.ring(QQ(int(value.p), int(value.q)))
        require(not rest or self.is_positive(rest), "the rest of a combination may be negative")
        return self._has_strict_term(rest, region)

    @staticmethod
    def _has_strict_term(poly: PolyElement, region: _Region) -> bool:
        """Whether some term consists of positive generators only."""
        return any(all(place in region.strict for place, power in enumerate(m) if power) for m in poly)

    def _quadratic(self, poly: PolyElement, tree: Tree, region: _Region) -> bool:
        """``a*v**2 + b*v + c`` has one sign if a and ``4*a*c - b**2`` are not negative, and a is not zero."""
        place = self._variable(tree["quadratic"])
        parts = [self.arithmetic.ring(0) for _ in range(3)]
        for monomial, coefficient in poly.terms():
            require(monomial[place] <= 2, "a polynomial is not quadratic")
            parts[monomial[place]][(*monomial[:place], 0, *monomial[place + 1 :])] = coefficient
        c, b, a = parts
        first, second = tree["parts"]
        discriminant = 4 * self.arithmetic.times(a, c) - self.arithmetic.times(b, b)
        require(self._follow(a, first, region), "the leading coefficient may be zero")
        return self._follow(discriminant, second, region)

    def _peeled(self, poly: PolyElement, tree: Tree, region: _Region) -> bool:
        """``p + v*q`` is not negative if p and q are not."""
        place = self._variable(tree["peeled"])
        rest, factor = self.arithmetic.ring(0), self.arithmetic.ring(0)
        for monomial, coefficient in poly.terms():
            if monomial[place]:
                factor[(*monomial[:place], monomial[place] - 1, *monomial[place + 1 :])] = coefficient
            else:
                rest[monomial] = coefficient
        first, second = tree["parts"]
        strict = self._follow(rest, first, region)
        return (self._follow(factor, second, region) and place in region.strict) or strict

    def _variable(self, name: str) -> int:
        arithmetic = self.arithmetic
        known = name in arithmetic.symbols and name not in arithmetic.atoms and name not in arithmetic.parameters
        require(known and name != "pi", f"{name!r} is no variable")
        return arithmetic.names.index(name)

    def _require_free(self, poly: PolyElement, places: Sequence[int]) -> None:
        """Require that no root or logarithm in a polynomial depends on the variables that are substituted."""
        moves = any(monomial[place] for base in self._bases(poly) for monomial in base for place in places)
        require(not moves, "a root or logarithm changes with the variable that is moved")
