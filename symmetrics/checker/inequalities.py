"""Verdicts on inequalities re-verified."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from sympy import Expr
from sympy.polys.rings import PolyElement

from symmetrics.cells import CELL_NAMES
from symmetrics.checker.fractions import Arithmetic, Quotient, never_negative
from symmetrics.checker.oracle import check_oracle
from symmetrics.checker.requirements import require, require_declared, require_kind, require_parts
from symmetrics.checker.signs import SignChecker
from symmetrics.checker.slopes import slope
from symmetrics.checker.thresholds import check_thresholds
from symmetrics.checker.witnesses import check_witness
from symmetrics.claims import Comparison, value_symbol
from symmetrics.formula import parameter_symbol
from symmetrics.pieces import Piece, smooth_pieces
from symmetrics.verdict import Verdict, Witness

__all__ = ["check_inequality"]


@dataclass(frozen=True)
class _Reading:
    """One piece of a claim: what has to be positive there, and what is given."""

    numerator: PolyElement
    signs: SignChecker


def check_inequality(verdict: Verdict, claim: Comparison) -> None:
    """Re-verify a verdict on an inequality."""
    kind, data = verdict.evidence.kind, verdict.evidence.data
    proving, refuting = {"sign", "coefficients", "z3"}, {"witness", "coefficients"}
    require_kind(verdict, proved=proving, refuted=refuting, conditional={"coefficients"})
    require_declared(claim)
    require(verdict.value is None, "an inequality has no value")
    if verdict.witness is not None:
        check_witness(claim, verdict.witness)
    if verdict.status != "conditional":
        require_parts(verdict)
    require(kind != "witness" or not claim.parameters, "one counterexample does not settle every parameter")
    if "boundary" in data:
        check_witness(claim, Witness.from_dict(data["boundary"]), boundary=True)
    if kind == "z3":
        check_oracle(claim)
    elif kind == "sign":
        for reading, record in zip(_readings(claim, data), data["pieces"], strict=True):
            _check_sign(claim, reading, record)
    elif kind == "coefficients":
        (reading,) = _readings(claim, data)
        check_thresholds(verdict, claim, reading.numerator, reading.signs)


def _check_sign(claim: Comparison, reading: _Reading, record: Mapping[str, Any]) -> None:
    if "tree" not in record:
        require(not reading.numerator and claim.sign == ">=", "there is no proof of a sign")
        return
    strict = reading.signs.nonnegative(reading.numerator, record["tree"])
    require(strict or claim.sign == ">=", "the proof leaves room for equality")


def _readings(claim: Comparison, data: Mapping[str, Any]) -> list[_Reading]:
    rule = data["rule"]
    require(rule in ("derivative", "difference"), "there is no such rule")
    expression = claim.subject if rule == "derivative" else claim.difference
    pieces = smooth_pieces(expression)
    require(bool(pieces) and len(pieces) == len(data["pieces"]), "the pieces of the formula are not complete")
    return [_reading(claim, rule, piece, record) for piece, record in zip(pieces, data["pieces"], strict=True)]


def _reading(claim: Comparison, rule: str, piece: Piece, record: Mapping[str, Any]) -> _Reading:
    """Check that what a record calls numerator and denominator belong to a piece of a claim."""
    names = CELL_NAMES if rule == "derivative" else (*CELL_NAMES, *claim.auxiliary)
    arithmetic = Arithmetic(names, claim.parameters, record["atoms"], record["values"])
    given = [arithmetic.polynomial(text) for text in record.get("given", [])]
    signs = SignChecker(arithmetic, given, record.get("chains", {}))
    for poly in given:
        require(any(_follows(poly, condition, signs) for condition in piece.conditions), "a condition is not given")
    if rule == "derivative":
        value = _derivative(claim, piece, record, signs)
    else:
        value = arithmetic.evaluate(piece.formula)
    require(bool(value.bottom), "a denominator is zero")
    numerator = arithmetic.polynomial(record["numerator"])
    denominator = _bases(record["denominator"], signs, even=True)
    require(
        arithmetic.equal(value, Quotient(signs.unchained(numerator), _product(denominator, arithmetic))),
        "the numerator is that of another expression",
    )
    return _Reading(numerator, signs)


def _follows(given: PolyElement, condition: Expr, signs: SignChecker) -> bool:
    """Whether a polynomial is not negative wherever a condition is, being a positive multiple of it."""
    value = signs.arithmetic.evaluate(condition)
    if not value.top:
        return False
    ratio, rest = divmod(signs.unchained(given) * value.bottom, value.top)
    plain = replace(signs, chains={})
    return not rest and (plain.is_positive(ratio) or never_negative(ratio, signs.arithmetic))


def _derivative(claim: Comparison, piece: Piece, record: Mapping[str, Any], signs: SignChecker) -> Quotient:
    """Return the derivative along the claim's step, after checking that the piece has no pole and no edge."""
    arithmetic = signs.arithmetic
    top, bottom, chains = record["subject"]
    chained = replace(signs, chains=chains)
    numerator, bases = chained.unchained(arithmetic.polynomial(top)), _bases(bottom, chained, even=False)
    plain = Quotient(numerator, _product(bases, arithmetic))
    require(arithmetic.equal(arithmetic.evaluate(piece.formula), plain), "the record is about another formula")
    require(not arithmetic.conditions, "the formula is not real everywhere")
    roots = [atom for atom in arithmetic.atoms.values() if not atom.is_log and atom.fold != 1]
    used = [atom for atom in roots if any(m[atom.place] for part in (plain.top, plain.bottom) for m in part)]
    require(not used, "a root has an edge where its argument is zero")
    for divisor in piece.divisors:
        below = arithmetic.evaluate(divisor)
        parts = [sign * part for part in (below.top,) for sign in (1, -1)]
        require(any(_is_one_sign(part, signs) for part in parts), "the formula may jump where a divisor is zero")
    return slope(numerator, bases, arithmetic, _direction(claim))


def _is_one_sign(poly: PolyElement, signs: SignChecker) -> bool:
    return replace(signs, chains={}).is_positive(poly) or never_negative(poly, signs.arithmetic)


def _direction(claim: Comparison) -> dict[str, int]:
    """Return the direction v of a claim that M(x + t*v) exceeds M(x), for all tables x and steps t > 0."""
    require(claim.partner is None and len(claim.tables) == 2 and len(claim.auxiliary) == 1, "the claim is on no step")
    require(claim.relation == value_symbol(1) - value_symbol(0), "the claim does not compare two values")
    step = parameter_symbol(claim.auxiliary[0])
    moves = [(after - before) / step for before, after in zip(*claim.tables, strict=True)]
    require(all(move.is_Integer for move in moves), "the claim is on no step")
    return {name: int(move) for name, move in zip(CELL_NAMES, moves, strict=True)}


def _bases(parts: Any, signs: SignChecker, *, even: bool) -> list[tuple[PolyElement, int]]:
    """Return bases with powers that are nowhere negative; with *even*, a base with an even power may have any sign."""
    bases = []
    for text, power, *proof in parts:
        base = signs.arithmetic.polynomial(text)
        require(type(power) is int and 0 < power < 1000 and bool(base), "a denominator has no proper power")
        square = even and power % 2 == 0
        if proof and not square:
            require(replace(signs, given=()).nonnegative(base, proof[0]), "a denominator may be zero")
            bases.append((signs.unchained(base), power))
            continue
        require(square or signs.is_positive(base) or never_negative(base, signs.arithmetic), "it may be negative")
        bases.append((signs.unchained(base), power))
    return bases


def _product(bases: list[tuple[PolyElement, int]], arithmetic: Arithmetic) -> PolyElement:
    product = arithmetic.ring(1)
    for base, power in bases:
        for _ in range(power):
            product = arithmetic.times(product, base)
    return product
