"""The sign of a polynomial in positive variables and roots, with a certificate.

A polynomial whose coefficients are all positive is positive where its variables are.  Any other one is taken apart:

- into its factors, an even power of one being a square;
- by one square root r of f: ``A + B*r`` has the sign of A if ``A**2 >= B**2 * f``, and of B if ``A**2 <= B**2 * f``;
- by pairs, bounds or tangents of its logarithms, if they occur to the first power;
- along ``u = v``, as ``u = v + d`` on one side and ``v = u + d`` on the other, d >= 0 in the place of the larger
  variable: successive difference substitution (L. Yang), here along one pair at a time, which needs far fewer
  pieces than all orderings of the variables.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from random import Random
from typing import Any, Final

from symmetrics.algebra.field import Poly
from symmetrics.prover.engine.extended import Extended, Root
from symmetrics.prover.engine.logarithms import (
    as_combination,
    as_quadratic,
    by_pairs,
    is_sum_of_logarithms,
    peeled,
    with_bounds,
    with_tangents,
)

MAX_DEPTH: Final = 9
"""Largest depth of the proof tree."""
FEW_TERMS: Final = 28
"""Largest number of terms for the quadratic and p + v*q steps; on larger polynomials they rarely help."""
SHALLOW: Final = 2
"""Largest depth at which a polynomial is still split into p + v*q."""
MAX_PIECES: Final = 1600
"""Number of pieces of the domain after which the search gives up."""
MAX_FACTORED: Final = 600
"""Largest number of terms of a polynomial that is factored or cut."""
MAX_SPLITS: Final = 2
"""Largest number of nested case splits on the signs of two factors of a condition."""

NEAR: Final = (1, 2, 3, 4, 5, 7)
FAR: Final = (1, 2, 10, 50, 1000)
"""Coordinates of sample points; a negative value there makes a search for a proof futile."""

Tree = dict[str, Any]


@dataclass(frozen=True)
class SignProof:
    """Proof that a polynomial is nowhere negative on the domain.

    :param strict: whether it is not zero either, where all variables are positive
    :param tree: the steps that show it
    """

    strict: bool
    tree: Tree


@dataclass(frozen=True)
class _Region:
    """A piece of the domain: the assumptions under which a polynomial is to be shown non-negative.

    :param strict: indices of the positive variables; the others are non-negative
    :param roots: the roots there, by index
    :param given: polynomials that are not negative there
    """

    strict: frozenset[int]
    roots: dict[int, Root]
    given: tuple[Poly, ...] = ()


def prove_sign(poly: Poly, ring: Extended, given: Sequence[Poly] = (), splits: int = MAX_SPLITS) -> SignProof | None:
    """Return a proof that a polynomial is nowhere negative on the domain, or None if none was found.

    :param given: further polynomials that are nowhere negative there
    :param splits: how many of these may be split, one after the other, into the signs of two factors
    """
    void = _void(given)
    if void is not None:
        return SignProof(True, void)
    positive = ring.positive | {place for place, root in ring.roots.items() if root.strict}
    found = _Search(ring).nonnegative(poly, _Region(positive, ring.roots, tuple(given)), 0)
    if found is not None:
        return SignProof(*found)
    return _split(poly, ring, given, splits) if splits else None


def _split(poly: Poly, ring: Extended, given: Sequence[Poly], splits: int) -> SignProof | None:
    """Case split on a condition ``p*q >= 0``: prove the claim for p, q >= 0 and for p, q <= 0."""
    for number, condition in enumerate(given):
        pair = _two_signs(condition)
        if pair is None:
            continue
        proofs: list[SignProof] = []
        for sign in (1, -1):
            proof = prove_sign(poly, ring, [*given, *(sign * factor for factor in pair)], splits - 1)
            if proof is None:
                break
            proofs.append(proof)
        else:
            first, second = proofs
            tree: Tree = {"split": number, "by": [ring.text(factor) for factor in pair]}
            tree |= {"first": first.tree, "second": second.tree}
            return SignProof(first.strict and second.strict, tree)
    return None


def _two_signs(condition: Poly) -> tuple[Poly, Poly] | None:
    """Return two factors whose product has the sign of a condition everywhere; None if splitting does not help.

    The first takes either sign.  So does the second, or it is 1 and the condition has the sign of the first alone.
    """
    constant, factors = condition.factor()
    mixed = [(factor, power) for factor, power in factors if len({c > 0 for c in factor.coeffs()}) == 2]
    if not mixed or len(factors) == 1 or any(power > 1 for _, power in mixed):
        return None
    # Factors start with a positive coefficient: the unmixed ones are positive, and the constant carries the sign.
    sign = 1 if constant > 0 else -1
    rest = condition.context().constant(1)
    for factor, _ in mixed[1:]:
        rest *= factor
    return sign * mixed[0][0], rest


def _void(given: Sequence[Poly]) -> Tree | None:
    """Show that a region is empty, or is contained in the boundary of other regions, which are closed."""
    for place, condition in enumerate(given):
        if all(coefficient < 0 for coefficient in condition.coeffs()):
            return {"empty": place}
    for (i, first), (j, second) in itertools.combinations(enumerate(given), 2):
        if _is_multiple(first, -second):
            return {"flat": [i, j]}
    return None


def _is_multiple(left: Poly, right: Poly) -> bool:
    """Whether one polynomial is a positive multiple of another."""
    a, b = left.leading_coefficient(), right.leading_coefficient()
    return bool(a * b > 0 and left * b == right * a)


class _Search:
    """One search for a proof, with a budget of pieces."""

    def __init__(self, ring: Extended) -> None:
        self.ring = ring
        self.left = MAX_PIECES

    def nonnegative(self, poly: Poly, region: _Region, depth: int) -> tuple[bool, Tree] | None:
        """Show that a polynomial is nowhere negative on a region."""
        self.left -= 1
        if self.left < 0 or not poly:
            return None
        degrees = poly.degrees()
        # Case 0: a logarithm of unknown sign occurs, so the coefficients say nothing.
        if any(degrees[place] for place in self.ring.unsigned):
            return self.by_factors(poly, region, depth) or self.by_logarithms(poly, region, depth)
        # Case 1: all coefficients are positive, and so are the variables.
        if all(coefficient > 0 for coefficient in poly.coeffs()):
            return _has_strict_term(poly, region.strict), {"positive": True}
        if len(poly) > MAX_FACTORED or depth >= MAX_DEPTH:
            return None
        # Case 2: it is a condition of the region, or a non-negative multiple of one.
        for number, condition in enumerate(region.given):
            if condition.is_constant():
                continue
            if _is_multiple(poly, condition):
                return False, {"itself": number}
            quotient, rest = divmod(poly, condition)
            if not rest and (proof := self.nonnegative(quotient, region, depth + 1)) is not None:
                return False, {"times": number, "then": proof[1]}
        # A sample point with a negative value ends the search; otherwise try reductions, the cheapest first.
        used = [place for place in region.roots if degrees[place]]
        if self.is_negative_somewhere(poly, region):
            return None
        held = used or any(degrees[place] for place in self.ring.logs)
        return (
            self.by_factors(poly, region, depth)
            or self.by_root(poly, region, used, depth)
            or self.by_logarithms(poly, region, depth)
            or (None if held else self.by_parts(poly, region, depth))
            or (None if held else self.by_cuts(poly, region, depth))
            or self.by_given(poly, region, depth)
        )

    def by_parts(self, poly: Poly, region: _Region, depth: int) -> tuple[bool, Tree] | None:
        """Write it as a combination of conditions, as a quadratic without real roots, or as p + v*q."""
        # Farkas: a sum of positive multiples of conditions, and of terms with positive coefficients.
        plain = {number: given for number, given in enumerate(region.given) if self.is_plain(given)}
        found = as_combination(poly, list(plain.values())) if plain else None
        if found is not None:
            weights = {number: str(weight) for number, weight in zip(plain, found[0], strict=True) if weight}
            tree = {"combination": [[number, weight] for number, weight in weights.items()]}
            return _has_strict_term(found[1], region.strict), tree
        if len(poly) > FEW_TERMS:
            return None
        # a*v**2 + b*v + c with a > 0 and 4*a*c - b**2 >= 0; or p + v*q with p, q >= 0, v being positive.
        for name, split in (("quadratic", as_quadratic), ("peeled", peeled)):
            for variable in range(len(self.ring.ground.positive_names)):
                parts = split(poly, variable, self.ring) if split is as_quadratic or depth <= SHALLOW else None
                if parts is None or not all(parts):
                    continue
                # No cuts in the parts: they cost more than they find.
                leading, other = (self.nonnegative(part, region, max(depth + 1, MAX_DEPTH - 2)) for part in parts)
                if leading is None or other is None:
                    continue
                (first, left), (second, right) = leading, other
                if name == "quadratic" and not first:
                    continue
                strict = second if name == "quadratic" else first or (second and variable in region.strict)
                return strict, {name: self.ring.names[variable], "parts": [left, right]}
        return None

    def is_negative_somewhere(self, poly: Poly, region: _Region) -> bool:
        """Whether a polynomial is negative at a sample point, so that a search for a proof is futile."""
        held = [place for place in (*region.roots, *self.ring.logs) if poly.degrees()[place]]
        if not held and not region.given and _has_negative_vertex(poly):
            return True
        plain = [condition for condition in region.given if self.is_plain(condition)]
        inside = [point for point in _points(len(self.ring.names)) if all(given(*point) >= 0 for given in plain)]
        if held:
            return self.ring.is_clearly_negative(poly, inside)
        return any(poly(*point) < 0 for point in inside)

    def by_logarithms(self, poly: Poly, region: _Region, depth: int) -> tuple[bool, Tree] | None:
        """Eliminate logarithms from a sum that is linear in them, in one of several ways."""
        if not is_sum_of_logarithms(poly, self.ring):
            return None
        if (paired := by_pairs(poly, self.ring)) is not None:
            pairs, rest = paired
            proof = self.nonnegative(rest, region, depth + 1) if rest else (False, {"zero": True})
            if proof is not None:
                strict = proof[0] or any(_has_strict_term(weight, region.strict) for _, _, weight in pairs)
                named = [[self.name(p), self.name(q), self.ring.text(weight)] for p, q, weight in pairs]
                return strict, {"pairs": named, "rest": proof[1]}
        return self.by_bounds(poly, region, depth) or self.by_tangents(poly, region, depth)

    def name(self, place: int | None) -> str | None:
        return None if place is None else self.ring.names[place]

    def by_bounds(self, poly: Poly, region: _Region, depth: int) -> tuple[bool, Tree] | None:
        """Replace the logarithms of ratios by rational bounds."""
        signs, trees = {}, {}
        for place in (place for place in self.ring.logs if poly.degrees()[place]):
            found = self.either_sign(self.parts(poly, place)[1], region, depth + 1)
            if found is None:
                return None
            signs[place], _, tree = found
            trees[self.ring.names[place]] = {"sign": signs[place], "proof": tree}
        if any(place in self.ring.unsigned for place in signs):
            return None
        proof = self.nonnegative(with_bounds(poly, signs, self.ring), region, depth + 1)
        return None if proof is None else (proof[0], {"bounds": trees, "then": proof[1]})

    def by_tangents(self, poly: Poly, region: _Region, depth: int) -> tuple[bool, Tree] | None:
        """Bound the logarithm that belongs to each monomial from below by ``1 - 1/u <= log(u)``."""
        bound = with_tangents(poly, self.ring)
        if bound is None:
            return None
        proof = self.nonnegative(bound, region, depth + 1) if bound else (False, {"zero": True})
        return None if proof is None else (proof[0], {"tangents": proof[1]})

    def by_given(self, poly: Poly, region: _Region, depth: int) -> tuple[bool, Tree] | None:
        for number, condition in enumerate(region.given):
            proof = self.under(condition, number, poly, region, depth)
            if proof is not None:
                return proof
        return None

    def under(self, condition: Poly, number: int, poly: Poly, region: _Region, depth: int) -> tuple[bool, Tree] | None:
        """Use ``condition = c*v - h >= 0``: substitute (h + w)/c with w >= 0 for v."""
        gens = self.ring.context.gens()
        degrees = [max(pair) for pair in zip(poly.degrees(), condition.degrees(), strict=True)]
        held = [atom.base for place, atom in (self.ring.roots | self.ring.logs).items() if degrees[place]]
        for variable in range(len(self.ring.ground.positive_names)):
            split = self.solved(condition, variable)
            if split is None or any(base.degrees()[variable] for base in held):
                continue
            coefficient, rest = split
            moved = self.ring.with_fraction(poly, variable, rest + gens[variable], coefficient)
            here = _Region(region.strict - {variable}, region.roots)
            proof = self.nonnegative(moved, here, depth + 1) if moved else (False, {"zero": True})
            if proof is not None:
                return proof[0], {"given": number, "variable": self.ring.names[variable], "then": proof[1]}
        return None

    def solved(self, condition: Poly, variable: int) -> tuple[Poly, Poly] | None:
        """Return (c, h) with ``condition = c*v - h``, all coefficients of c and h positive, or None."""
        if condition.degrees()[variable] != 1:
            return None
        rest, coefficient = self.parts(condition, variable)
        if any(c < 0 for c in coefficient.coeffs()) or any(c > 0 for c in rest.coeffs()):
            return None
        return coefficient, -rest

    def by_factors(self, poly: Poly, region: _Region, depth: int) -> tuple[bool, Tree] | None:
        constant, factors = poly.factor()
        if len(factors) == 1 and factors[0][1] == 1:
            return None
        sign, strict, parts = (1 if constant > 0 else -1), True, []
        for factor, power in factors:
            # Whether a square vanishes somewhere is not worth a search.
            found = self.either_sign(factor, region, MAX_DEPTH if power % 2 == 0 else depth + 1)
            if found is None and power % 2 == 0:
                found = 1, False, {"square": True}
            if found is None:
                return None
            factor_sign, factor_strict, tree = found
            sign *= factor_sign ** int(power)
            strict = strict and factor_strict
            parts.append({"factor": self.ring.text(factor), "power": int(power), "sign": factor_sign, "proof": tree})
        return (strict, {"factors": parts}) if sign > 0 else None

    def either_sign(self, poly: Poly, region: _Region, depth: int) -> tuple[int, bool, Tree] | None:
        for sign in (1, -1):
            found = self.nonnegative(sign * poly, region, depth)
            if found is not None:
                return sign, *found
        return None

    def by_root(self, poly: Poly, region: _Region, used: list[int], depth: int) -> tuple[bool, Tree] | None:
        """Prove ``A + B*r >= 0`` by comparing A**2 with (B*r)**2."""
        for place in used:
            root = region.roots[place]
            if root.degree != 2 or not root.positive:
                continue
            plain, factor = self.parts(self.ring.reduced(poly, region.roots), place)
            if not factor:
                continue
            norm = self.ring.reduced(plain * plain - factor * factor * root.base, region.roots)
            for part, sign, name in ((plain, 1, "plain"), (factor, -1, "factor")):
                side = self.nonnegative(part, region, depth + 1) if part else None
                if side is None:
                    continue
                # Where the other part is not negative either, the sum is not.
                other = self.stripped(-(factor if name == "plain" else plain))
                opposed = replace(region, given=(*region.given, other)) if self.is_plain(other) else region
                compared = self.nonnegative(sign * norm, opposed, depth + 1) if norm else (False, {"zero": True})
                if compared is not None:
                    strict = compared[0] and (side[0] or opposed is region)
                    return strict, {"root": self.ring.names[place], name: side[1], "norm": compared[1]}
        return None

    def stripped(self, poly: Poly) -> Poly:
        """Divide a polynomial by the monomial in positive generators that all its terms share."""
        if not poly:
            return poly
        lowest = [min(powers) for powers in zip(*poly.to_dict(), strict=True)]
        return poly / self.ring.context.from_dict({tuple(lowest): 1})

    def is_plain(self, poly: Poly) -> bool:
        """Whether a polynomial contains only variables."""
        return bool(poly) and not any(poly.degrees()[len(self.ring.ground.positive_names) :])

    def parts(self, poly: Poly, place: int) -> tuple[Poly, Poly]:
        plain, factor = {}, {}
        for exponents, coefficient in poly.to_dict().items():
            if exponents[place]:
                factor[(*exponents[:place], 0, *exponents[place + 1 :])] = coefficient
            else:
                plain[exponents] = coefficient
        return self.ring.context.from_dict(plain), self.ring.context.from_dict(factor)

    def by_cuts(self, poly: Poly, region: _Region, depth: int) -> tuple[bool, Tree] | None:
        for first, second, pieces in sorted(self.cuts(poly), key=lambda cut: sum(map(_negatives, cut[2])))[:2]:
            proofs = []
            for larger, piece in zip((first, second), pieces, strict=True):
                # A cut leaves no root in the piece, so the images of roots do not matter.
                proof = self.nonnegative(piece, _Region(region.strict - {larger}, {}), depth + 1)
                if proof is None:
                    break
                proofs.append(proof)
            else:
                names = [self.ring.names[first], self.ring.names[second]]
                (above, tree_above), (below, tree_below) = proofs
                return above and below, {"cut": names, "first": tree_above, "second": tree_below}
        return None

    def cuts(self, poly: Poly) -> Iterator[tuple[int, int, tuple[Poly, Poly]]]:
        degrees = poly.degrees()
        used = [place for place in sorted(self.ring.positive) if degrees[place] and place < len(self.ring.ground.names)]
        gens = self.ring.context.gens()
        for first, second in itertools.combinations(used, 2):
            total = gens[first] + gens[second]
            yield first, second, (_replace(poly, gens, first, total), _replace(poly, gens, second, total))


@lru_cache(maxsize=64)
def _points(size: int) -> list[tuple[int, ...]]:
    """Return positive integer points of one dimension, near and far from the diagonal."""
    random = Random(size)
    near = [tuple(random.choice(NEAR) for _ in range(size)) for _ in range(12)]
    far = [tuple(random.choice(FAR) for _ in range(size)) for _ in range(12)]
    return [(1,) * size, *near, *far]


def _replace(poly: Poly, gens: tuple[Poly, ...], place: int, value: Poly) -> Poly:
    return poly.compose(*(value if k == place else g for k, g in enumerate(gens)))


def _negatives(poly: Poly) -> int:
    return sum(1 for coefficient in poly.coeffs() if coefficient < 0)


def _has_strict_term(poly: Poly, strict: frozenset[int]) -> bool:
    """Whether some term contains positive variables only."""
    return any(all(k in strict for k, e in enumerate(exponents) if e) for exponents in poly.to_dict())


def _has_negative_vertex(poly: Poly) -> bool:
    """Whether a vertex of the Newton polytope has a negative coefficient: the polynomial is negative far out there."""
    terms = {tuple(map(int, e)): c for e, c in poly.to_dict().items()}
    size = len(next(iter(terms)))
    for place in range(size):
        for pick in (max, min):
            extreme = pick(e[place] for e in terms)
            face = [e for e in terms if e[place] == extreme]
            if len(face) == 1 and terms[face[0]] < 0:
                return True
    return False
