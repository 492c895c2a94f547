"""Verdicts on inequalities re-verified."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from sympy import Expr
from sympy.polys.rings import PolyElement

from symmetrics.checker.engine.branches import Branch, branches_of
from symmetrics.checker.engine.ends import check_proof
from symmetrics.checker.engine.even_roots import claim_below_root, require_real_at
from symmetrics.checker.engine.fractions import Arithmetic, Quotient, never_negative
from symmetrics.checker.engine.oracle import check_oracle
from symmetrics.checker.engine.requirements import require, require_declared, require_kind, require_parts
from symmetrics.checker.engine.signs import SignChecker
from symmetrics.checker.engine.slopes import slope
from symmetrics.checker.engine.thresholds import check_thresholds
from symmetrics.checker.engine.witnesses import check_witness
from symmetrics.checker.engine.zeros import is_nearly_nowhere_zero, read_arithmetic
from symmetrics.claims import Comparison, value_symbol
from symmetrics.claims.verdict import Verdict, Witness
from symmetrics.tools.errors import CertificateError

__all__ = ["check"]


@dataclass
class _Reading:
    """What a record of a certificate is about: a numerator over a positive denominator, and what is given there."""

    claim: Comparison
    rule: str
    record: Mapping[str, Any]
    given: list[PolyElement]
    signs: SignChecker
    numerator: PolyElement
    value: Quotient
    """The expression that the record is about: what the claim compares with zero, or what has the derivative."""

    def is_about(self, branch: Branch) -> bool:
        """Whether a record is about a branch: its formula is the record's, and what is given follows from its signs."""
        try:
            if not all(any(_follows(poly, sign, self.signs) for sign in branch.conditions) for poly in self.given):
                return False
            if not self.signs.arithmetic.equal(self.signs.arithmetic.evaluate(branch.formula), self.value):
                return False
        except CertificateError:  # a root in it is one that the record does not know
            return False
        if self.rule == "derivative":
            _require_continuous(branch, self.signs)
        return True


def check(verdict: Verdict, claim: Comparison, _: object) -> None:
    """Re-verify a verdict on an inequality."""
    kind, data = verdict.evidence.kind, verdict.evidence.data
    proving, refuting = {"sign", "coefficients", "even root", "z3"}, {"witness", "coefficients"}
    require_kind(verdict, proved=proving, refuted=refuting, conditional={"coefficients"})
    require_declared(claim)
    require(verdict.found is None, "an inequality has no value")
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
        readings = _readings(claim, data)
        for reading, record in zip(readings, data["pieces"], strict=True):
            _check_sign(claim, reading, record)
    elif kind == "coefficients":
        (reading,) = _readings(claim, data)
        check_thresholds(verdict, claim, reading.numerator, reading.signs)
    elif kind == "even root":
        part = claim_below_root(claim)
        require_real_at(data["point"], part)
        check_proof(data["part"], part, lambda found: check(found, part, _))


def _check_sign(claim: Comparison, reading: _Reading, record: Mapping[str, Any]) -> None:
    if "tree" not in record:
        require(not reading.numerator and claim.sign == ">=", "there is no proof of a sign")
        return
    strict = reading.signs.nonnegative(reading.numerator, record["tree"])
    require(strict or claim.sign == ">=", "the proof leaves room for equality")


def _readings(claim: Comparison, data: Mapping[str, Any]) -> list[_Reading]:
    """Return what the records are about, after a check that each branch of the formula has one."""
    rule = data["rule"]
    require(rule in ("derivative", "difference"), "there is no such rule")
    expression = claim.subject if rule == "derivative" else claim.difference
    branches = branches_of(expression, claim.parameters, claim.variables)
    readings = [_reading(claim, rule, record) for record in data["pieces"]]
    for branch in branches:
        found = any(reading.is_about(branch) for reading in readings)
        require(found, "the pieces of the formula are not complete, or are those of another expression")
    return readings


def _reading(claim: Comparison, rule: str, record: Mapping[str, Any]) -> _Reading:
    """Read a record, and check that its denominators are positive."""
    names = claim.over if rule == "derivative" else claim.names
    arithmetic = read_arithmetic(names, claim.parameters, record)
    given = [arithmetic.polynomial(text) for text in record.get("given", [])]
    signs = SignChecker(arithmetic, given, record.get("chains", {}))
    numerator = arithmetic.polynomial(record["numerator"])
    denominator = _bases(record["denominator"], signs, even=True)
    value = Quotient(signs.unchained(numerator), _product(denominator, arithmetic))
    require(bool(value.bottom), "a denominator is zero")
    if rule == "derivative":
        value = _antiderivative(claim, record, signs, value)
    return _Reading(claim, rule, record, given, signs, numerator, value)


def _follows(given: PolyElement, condition: Expr, signs: SignChecker) -> bool:
    """Whether a polynomial is not negative wherever a condition is, being a positive multiple of it."""
    try:
        value = signs.arithmetic.evaluate(condition)
    except CertificateError:  # it holds a root that the record does not know
        return False
    if not value.top:
        return False
    ratio, rest = divmod(signs.unchained(given) * value.bottom, value.top)
    plain = replace(signs, chains={})
    return not rest and (plain.is_positive(ratio) or never_negative(ratio, signs.arithmetic))


def _antiderivative(claim: Comparison, record: Mapping[str, Any], signs: SignChecker, derivative: Quotient) -> Quotient:
    """Return what a record says that a quotient is the derivative of along the claim's step, after a check of that."""
    arithmetic = signs.arithmetic
    top, bottom, chains = record["subject"]
    chained = replace(signs, chains=chains)
    numerator, bases = chained.unchained(arithmetic.polynomial(top)), _bases(bottom, chained, even=False)
    found = slope(numerator, bases, arithmetic, _direction(claim))
    require(arithmetic.equal(found, derivative), "the numerator is that of another expression")
    return Quotient(numerator, _product(bases, arithmetic))


def _require_continuous(branch: Branch, signs: SignChecker) -> None:
    """Refuse a branch with a pole or an edge, which its derivative says nothing about."""
    arithmetic = signs.arithmetic
    plain = arithmetic.evaluate(branch.formula)
    require(not arithmetic.conditions, "the formula is not real everywhere")
    roots = [atom for atom in arithmetic.atoms.values() if not atom.is_log and atom.fold != 1]
    used = [atom for atom in roots if any(m[atom.place] for part in (plain.top, plain.bottom) for m in part)]
    require(not used, "a root has an edge where its argument is zero")
    for divisor in branch.divisors:
        below = arithmetic.evaluate(divisor)
        parts = [sign * part for part in (below.top,) for sign in (1, -1)]
        require(any(_is_one_sign(part, signs) for part in parts), "the formula may jump where a divisor is zero")


def _is_one_sign(poly: PolyElement, signs: SignChecker) -> bool:
    return replace(signs, chains={}).is_positive(poly) or never_negative(poly, signs.arithmetic)


def _direction(claim: Comparison) -> dict[str, int]:
    """Return the direction v of a claim that M(x + t*v) exceeds M(x), for all tables x and steps t > 0."""
    require(claim.partner is None and len(claim.tables) == 2 and len(claim.auxiliary) == 1, "the claim is on no step")
    require(claim.relation == value_symbol(1) - value_symbol(0), "the claim does not compare two values")
    (step,) = claim.auxiliary
    moves = [(after - before) / step for before, after in zip(*claim.tables, strict=True)]
    require(all(move.is_Integer for move in moves), "the claim is on no step")
    return {name: int(move) for name, move in zip(claim.over, moves, strict=True)}


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
        whole = signs.unchained(base)
        zero_nowhere = square and is_nearly_nowhere_zero(whole, signs.arithmetic)
        require(zero_nowhere or signs.is_positive(base) or never_negative(base, signs.arithmetic), "it may be negative")
        bases.append((whole, power))
    return bases


def _product(bases: list[tuple[PolyElement, int]], arithmetic: Arithmetic) -> PolyElement:
    product = arithmetic.ring(1)
    for base, power in bases:
        for _ in range(power):
            product = arithmetic.times(product, base)
    return product
