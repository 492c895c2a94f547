"""Verdicts on inequalities re-verified."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sympy import Add, Expr, Integer, Mul, Not, Or, Poly, Pow, Rational, S, Symbol, nan, oo, zoo
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean, to_nnf
from sympy.polys.rings import PolyElement

from symmetrics.checker.engine.coefficients import is_nearly_nowhere_zero, read_arithmetic
from symmetrics.checker.engine.conditions import check_holds, check_satisfiable, check_sufficient, implied
from symmetrics.checker.engine.ends import check_proof, is_real_nearly_everywhere
from symmetrics.checker.engine.fractions import Arithmetic, Quotient, never_negative
from symmetrics.checker.engine.minors import slope
from symmetrics.checker.engine.oracle import check_oracle
from symmetrics.checker.engine.parts import check_witness
from symmetrics.checker.engine.requirements import require, require_declared, require_kind, require_parts
from symmetrics.checker.engine.signs import SignChecker
from symmetrics.checker.engine.splits import BranchOfSigns as Branch
from symmetrics.checker.engine.splits import branches_of, walk
from symmetrics.checker.engine.values import certain_sign
from symmetrics.claims import Comparison, value_symbol
from symmetrics.claims.evidence import Witness
from symmetrics.claims.verdict import Verdict
from symmetrics.language.condition import condition_text, parse_condition
from symmetrics.language.formula import parse_formula, parse_number
from symmetrics.language.parameter import Parameter
from symmetrics.tools.errors import CertificateError

# -- Inequalities with parameters re-verified from the coefficients of a numerator -------------------------------------


Monomial = tuple[int, ...]


def check_thresholds(verdict: Verdict, claim: Comparison, numerator: PolyElement, signs: SignChecker) -> None:
    """Check for which parameters a numerator is positive, or nowhere negative, at all tables.

    :param numerator: what has the sign of the claim's relation
    :param signs: what is known about the signs of its generators
    """
    data = verdict.evidence.data
    coefficients = _coefficients(numerator, signs)
    if not coefficients:
        condition = S.false if claim.sign == ">" else S.true
    elif "intervals" in data:
        named = [(piece, _weights(piece["fails"], signs.arithmetic)) for piece in data["intervals"]]
        condition = _by_intervals(claim, coefficients, named, verdict.condition)
    else:
        polys = list(coefficients.values())
        require(all(never_negative(poly, signs.arithmetic) for poly in polys), "a coefficient may be negative")
        condition = S.true if claim.sign == ">=" else _where_some_is_positive(claim, polys, data, signs.arithmetic)
    status = "proved" if condition is S.true else "refuted" if condition is S.false else "conditional"
    require(verdict.status == status, "the coefficients give another verdict")
    if status != "proved":
        # Where a coefficient is negative the numerator is negative at some tables; the formula must be defined there.
        is_real = all(is_real_nearly_everywhere(side, claim.parameters, claim.variables) for side in claim.sides)
        require(is_real, "the formula may have no value at the tables at which the numerator is negative")
    if status == "conditional":
        require(verdict.witness is not None, "there is no counterexample where the condition fails")
        claimed = S.true if verdict.condition is None else verdict.condition
        require(condition_text(condition) == condition_text(claimed), "the condition is another one")
        check_holds(verdict, condition)


def _coefficients(numerator: PolyElement, signs: SignChecker) -> dict[Monomial, PolyElement]:
    """Return the coefficients of a numerator by monomials in the cells, without the common monomial."""
    arithmetic = signs.arithmetic
    inside = {arithmetic.names.index(name) for name in arithmetic.parameters}
    if not numerator:
        return {}
    found: dict[Monomial, PolyElement] = {}
    for monomial, coefficient in numerator.terms():
        outside = tuple(0 if place in inside else power for place, power in enumerate(monomial))
        own = tuple(power if place in inside else 0 for place, power in enumerate(monomial))
        found.setdefault(outside, arithmetic.ring(0))[own] = coefficient
    lowest = [min(powers) for powers in zip(*found, strict=True)]
    require(all(place in signs.positive for place, power in enumerate(lowest) if power), "a factor may be negative")
    left = {tuple(e - low for e, low in zip(m, lowest, strict=True)): poly for m, poly in found.items()}
    places = [atom.place for atom in arithmetic.atoms.values()] + [arithmetic.names.index("pi")]
    require(not any(m[place] for m in left for place in places), "roots, logarithms or pi are left in the numerator")
    return left


def _where_some_is_positive(
    claim: Comparison, polys: Sequence[PolyElement], data: Mapping[str, Any], arithmetic: Arithmetic
) -> Boolean:
    """Return the condition that some of several nowhere negative polynomials is positive."""
    zero = parse_condition(data["zero"], [p.name for p in claim.parameters])
    branches = walk(data["tree"], list(dict.fromkeys(polys)), (), arithmetic)
    require(all(implied(zero, branch, arithmetic) for branch in branches), "the condition leaves out a solution")
    for disjunct in zero.args if isinstance(zero, Or) else [zero]:
        if disjunct is not S.false:
            check_sufficient(disjunct, [*polys, arithmetic.ring(1)], arithmetic)
            check_satisfiable(disjunct, claim.parameters, data["examples"])
    return to_nnf(Not(zero), simplify=False)


# -- one parameter ---------------------------------------------------------------------------------------------------


def _by_intervals(
    claim: Comparison,
    coefficients: Mapping[Monomial, PolyElement],
    intervals: Sequence[tuple[Mapping[str, Any], Sequence[int] | None]],
    condition: Boolean | None,
) -> Boolean:
    """Return the claimed condition, after checking it on each interval of a partition of the parameter's domain."""
    (parameter,) = claim.parameters
    pieces = [(_bound(piece["lower"]), _bound(piece["upper"]), fails) for piece, fails in intervals]
    _require_cover(parameter, [(lower, upper) for lower, upper, _ in pieces])
    symbol = Symbol(parameter.name)
    polys = {m: Poly(poly.as_expr(), symbol) for m, poly in coefficients.items()}
    for lower, upper, fails in pieces:
        sample = _sample(lower, upper)
        for poly in polys.values():
            require(lower == upper or _has_no_root_between(poly, lower, upper), "a coefficient changes its sign")
        _check_piece(claim, {m: poly.eval(sample) for m, poly in polys.items()}, fails)
    holding = [fails is None for _, _, fails in pieces]
    if all(holding) or not any(holding):
        return S.true if all(holding) else S.false
    if condition is None:
        raise CertificateError("there is no condition")
    _require_same(condition, parameter, pieces)
    return condition


def _weights(fails: Mapping[str, Any] | str | None, arithmetic: Arithmetic) -> Sequence[int] | None:
    """Return a direction as one weight for each generator; empty where all coefficients are zero."""
    if fails is None or isinstance(fails, str):
        return None if fails is None else ()
    require(set(fails) <= set(arithmetic.names), "a direction names something that there is not")
    require(all(type(weight) is int for weight in fails.values()), "a direction is not one of whole numbers")
    return [fails.get(name, 0) for name in arithmetic.names]


def _check_piece(claim: Comparison, values: Mapping[Monomial, Rational], fails: Sequence[int] | None) -> None:
    if fails is None:
        require(all(value >= 0 for value in values.values()), "a coefficient is negative")
        require(claim.sign == ">=" or any(value > 0 for value in values.values()), "all coefficients are zero")
    elif not fails:
        require(claim.sign == ">" and not any(values.values()), "not all coefficients are zero")
    else:
        # Far out in that direction the term with the largest exponent dominates; it is negative there.
        heights = {m: sum(w * e for w, e in zip(fails, m, strict=True)) for m, value in values.items() if value}
        highest = [m for m, height in heights.items() if height == max(heights.values())]
        require(len(highest) == 1 and bool(values[highest[0]] < 0), "no negative term dominates")


def _bound(text: str) -> Expr:
    return {"oo": S.Infinity, "-oo": S.NegativeInfinity}.get(text) or parse_formula(text)


def _require_cover(parameter: Parameter, pieces: Sequence[tuple[Expr, Expr]]) -> None:
    """Require that points and open intervals partition the parameter's domain, in order."""
    ends = [pieces[0][0], *(upper for _, upper in pieces)]
    require(ends[0] == parameter.lower and ends[-1] == parameter.upper, "the intervals are not the whole domain")
    closed = [lower for lower, upper in pieces if lower == upper]
    require(all(point in parameter for point in closed), "a point is outside the domain")
    for (_, upper), (lower, following) in itertools.pairwise(pieces):
        require(upper == lower and bool(lower <= following), "the intervals leave a gap")
    inner = {end for end in ends if parameter.lower < end < parameter.upper}
    needed = inner | {end for end in (parameter.lower, parameter.upper) if end.is_finite and end in parameter}
    require(needed <= set(closed), "the intervals leave out a point")


def _sample(lower: Expr, upper: Expr) -> Rational:
    if lower.is_finite and upper.is_finite:
        return (lower + upper) / 2
    return lower + 1 if lower.is_finite else upper - 1 if upper.is_finite else S.Zero


def _has_no_root_between(poly: Poly, lower: Expr, upper: Expr) -> bool:
    if poly.degree() <= 0:
        return True
    low, high = (end if end.is_finite else None for end in (lower, upper))
    inside = poly.count_roots(low, high)
    return bool(inside == sum(1 for end in (low, high) if end is not None and poly.eval(end) == 0))


def _require_same(condition: Boolean, parameter: Parameter, pieces: Sequence[tuple[Expr, Expr, Any]]) -> None:
    """Require that a condition holds on exactly those intervals on which the claim does."""
    ends = {end for lower, upper, _ in pieces for end in (lower, upper)}
    for relation in condition.atoms(Relational):
        sides = {relation.lhs, relation.rhs}
        require(parameter.symbol in sides and bool(sides & ends), "the condition compares with something else")
    for lower, upper, fails in pieces:
        truth = condition.subs(parameter.symbol, _sample(lower, upper))
        require(bool(truth) is (fails is None), "the condition differs from what was found on an interval")


# -- Claims on sqrt(E) and other roots, re-verified as claims on the radicand E ----------------------------------------


_FIRST, _SECOND = value_symbol(0), value_symbol(1)


def claim_below_root(claim: Comparison) -> Comparison:
    """Return the claim on E from which one on ``M = a + c*E**(1/n)`` follows, with n even and rational numbers a and c.

    The root r is not negative where it is real, and there ``r < s`` exactly if ``r**n < s**n``, for s >= 0.
    """
    require(claim.partner is None and not claim.parameters, "the claim is about two formulas, or has parameters")
    shift, scale, root = _parts(claim.subject)
    degree = root.exp.q if isinstance(root, Pow) and root.exp.is_Rational and root.exp.p == 1 else 1
    require(degree % 2 == 0, "the formula is no even root")
    sign = 1 if scale > 0 else -1
    for relation in (_FIRST - _SECOND, _SECOND - _FIRST):
        if claim.relation == relation:
            return replace(claim, subject=root.args[0], relation=sign * relation)
    for side in (1, -1):
        # M - b or b - M has the sign of c times that of r - (b - a)/c, or of its negative.
        limit = claim.relation - side * _FIRST
        if not limit.free_symbols:
            bound = (-side * limit - shift) / scale
            require(bound == 0 or certain_sign(bound) == 1, "a root is compared with a number that may be negative")
            return replace(claim, subject=root.args[0], relation=side * sign * (_FIRST - bound**degree))
    raise CertificateError(
        "the evidence does not establish the verdict: the claim does not compare two values, or one with a number"
    )


def _parts(formula: Expr) -> tuple[Rational, Rational, Expr]:
    """Return a, c and r for ``a + c*r`` with rational numbers a and c."""
    terms = list(Add.make_args(formula))
    shift = sum((term for term in terms if isinstance(term, Rational)), Integer(0))
    varying = [term for term in terms if not isinstance(term, Rational)]
    require(len(varying) == 1, "the formula is no multiple of a root, plus a number")
    factors = list(Mul.make_args(varying[0]))
    scale = Integer(1)
    for factor in factors:
        scale = scale * factor if isinstance(factor, Rational) else scale
    others = [factor for factor in factors if not isinstance(factor, Rational)]
    require(len(others) == 1, "the formula is no multiple of a root, plus a number")
    return shift, scale, others[0]


def require_real_at(texts: Iterable[str], claim: Comparison) -> None:
    """Require that the values of a claim are positive at a point, so that their roots are real around it."""
    numbers = [parse_number(text) for text in texts]
    positive = len(numbers) == len(claim.variables) and all(number > 0 for number in numbers)
    require(positive, "a point is not one positive number for each variable")
    place = dict(zip(claim.variables, numbers, strict=True))
    for side in claim.sides:
        value = side.xreplace(place)
        require(not value.has(nan, oo, -oo, zoo) and certain_sign(value) == 1, "no root is shown to be real")


# ----------------------------------------------------------------------------------------------------------------------


@dataclass
class _Reading:
    """The proof problem of a certificate's record: a numerator over a positive denominator, with assumptions."""

    claim: Comparison
    rule: str
    record: Mapping[str, Any]
    given: list[PolyElement]
    signs: SignChecker
    numerator: PolyElement
    value: Quotient
    """The expression to be signed: the claim's difference, or the one whose derivative is signed."""

    def is_about(self, branch: Branch) -> bool:
        """Whether a record covers a branch: same formula, and assumptions that follow from the branch's signs."""
        try:
            if not all(any(_follows(poly, sign, self.signs) for sign in branch.conditions) for poly in self.given):
                return False
            if not self.signs.arithmetic.equal(self.signs.arithmetic.evaluate(branch.formula), self.value):
                return False
        except CertificateError:  # the branch has a root that the record does not list
            return False
        if self.rule == "derivative":
            _require_continuous(branch, self.signs)
        return True


def check(verdict: Verdict, claim: Comparison, _: object) -> None:
    """Re-verify a verdict on an inequality."""
    kind, data = verdict.evidence.kind, verdict.evidence.data
    # Form of the verdict and its counterexamples.
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
    # Signs of numerators, one for each branch of the formula.
    elif kind == "sign":
        readings = _readings(claim, data)
        for reading, record in zip(readings, data["pieces"], strict=True):
            _check_sign(claim, reading, record)
    # Signs of coefficients, for claims with parameters.
    elif kind == "coefficients":
        (reading,) = _readings(claim, data)
        check_thresholds(verdict, claim, reading.numerator, reading.signs)
    # sqrt(E) compared with a bound: the claim on E, where both are real at some point.
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
    """Read all records, and check that each branch of the formula is covered by one."""
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
    """Read one record of the certificate as a numerator and assumptions; check that its denominators are positive."""
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
    """Whether a condition implies that a polynomial is not negative: it is a positive multiple of it."""
    try:
        value = signs.arithmetic.evaluate(condition)
    except CertificateError:  # the condition has a root that the record does not list
        return False
    if not value.top:
        return False
    ratio, rest = divmod(signs.unchained(given) * value.bottom, value.top)
    plain = replace(signs, chains={})
    return not rest and (plain.is_positive(ratio) or never_negative(ratio, signs.arithmetic))


def _antiderivative(claim: Comparison, record: Mapping[str, Any], signs: SignChecker, derivative: Quotient) -> Quotient:
    """Return the stated antiderivative of a quotient along the claim's step, after checking it by differentiation."""
    arithmetic = signs.arithmetic
    top, bottom, chains = record["subject"]
    chained = replace(signs, chains=chains)
    numerator, bases = chained.unchained(arithmetic.polynomial(top)), _bases(bottom, chained, even=False)
    found = slope(numerator, bases, arithmetic, _direction(claim))
    require(arithmetic.equal(found, derivative), "the numerator is that of another expression")
    return Quotient(numerator, _product(bases, arithmetic))


def _require_continuous(branch: Branch, signs: SignChecker) -> None:
    """Refuse a branch with a pole or a discontinuity, across which a derivative proves nothing."""
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
    """Return the bases with nowhere negative powers; with *even*, a base with an even power may have any sign."""
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
