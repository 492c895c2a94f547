"""Inequalities decided: by the sign of a polynomial, by the sign of a derivative, or by a counterexample."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from sympy import And, Eq, Expr, Ge, Gt, Integer, Le, Lt, Not, Or, Pow, Rational, S, Symbol, log
from sympy import Poly as SymPyPoly
from sympy.logic.boolalg import Boolean, to_nnf

from symmetrics.algebra.evaluate import Evaluator, Undefined, certain_sign
from symmetrics.algebra.field import Poly
from symmetrics.claims import Comparison, value_symbol
from symmetrics.claims.evidence import Decision, Evidence, Witness, open_decision
from symmetrics.language.condition import condition_text
from symmetrics.language.names import CELL_NAMES
from symmetrics.language.parameter import Parameter, defaults_of
from symmetrics.language.writer import formula_text
from symmetrics.prover.engine.conditions import sample_values, solve_system
from symmetrics.prover.engine.leading import is_real_nearly_everywhere
from symmetrics.prover.engine.readings import Reading, readings
from symmetrics.prover.engine.samples import find_violation
from symmetrics.prover.engine.signs import prove_sign
from symmetrics.prover.engine.smallest import smallest
from symmetrics.prover.engine.smt import decide_by_oracle
from symmetrics.prover.engine.witnesses import MAX_VIOLATIONS, Counterexample, first_witness, on_the_boundary, refuted
from symmetrics.tools.errors import UnsupportedError

# -- Reduce claims on sqrt(E) and other even roots to claims on E: one root less is nested -----------------------------


_FIRST, _SECOND = value_symbol(0), value_symbol(1)
COUNTS: Final = (Integer(1), Integer(4), Integer(100))
"""Values of variables at the points at which a radicand is evaluated."""


def claim_on_radicand(claim: Comparison) -> Comparison | None:
    """Reduce a claim on ``a + c*E**(1/n)``, n even, to one on E, if E contains roots or logarithms; None otherwise.

    Either two values of the formula are compared, or one with a number that is not below all values.

    >>> from sympy import sqrt
    >>> from symmetrics.claims import StrictInequality
    >>> from symmetrics.language.cells import CELLS, FN, TP
    >>> claim = StrictInequality(1 - 2 * sqrt(1 - sqrt(TP / (TP + FN))), (), (CELLS,), relation=1 - _FIRST)
    >>> claim_on_radicand(claim).difference
    1 - sqrt(TP/(FN + TP))
    """
    if claim.partner is not None or claim.parameters:
        return None
    shift, varying = claim.subject.as_coeff_Add()
    scale, root = varying.as_coeff_Mul()
    if not (isinstance(root, Pow) and root.exp.is_Rational and root.exp.p == 1 and root.exp.q % 2 == 0):
        return None
    if not (shift.is_Rational and scale.is_Rational and _is_hard(root.base)):
        return None
    sign, power = (1 if scale > 0 else -1), int(root.exp.q)
    if claim.relation in (_FIRST - _SECOND, _SECOND - _FIRST):
        return replace(claim, subject=root.base, relation=sign * claim.relation)
    side = claim.relation.coeff(_FIRST)
    bound = (_FIRST - side * claim.relation - shift) / scale
    if side not in (1, -1) or bound.free_symbols or not bound.is_nonnegative:
        return None
    return replace(claim, subject=root.base, relation=side * sign * (_FIRST - bound**power))


def _is_hard(radicand: Expr) -> bool:
    return radicand.has(log) or any(not node.exp.is_Integer for node in radicand.atoms(Pow))


def real_point(claim: Comparison) -> list[str] | None:
    """Return a point at which the values of a claim are positive, so that their roots are real in a neighbourhood."""
    for point in itertools.product(COUNTS, repeat=len(claim.variables)):
        place = dict(zip(claim.variables, point, strict=True))
        try:
            if all(certain_sign(Evaluator(side.xreplace(place), ())) == 1 for side in claim.sides):
                return [str(number) for number in point]
        except (Undefined, UnsupportedError):
            continue
    return None


# -- Inequalities whose numerator has parameters in its coefficients: for which parameters do they hold? ---------------

# Seen as a polynomial in cells and roots, a numerator is positive where all its coefficients are, not all of them
# zero; it is negative somewhere if a coefficient is that dominates in some direction: one whose exponents are a
# vertex of the Newton polytope. Coefficients that have one sign for all parameters leave only the question where all
# of them vanish; those in one parameter change their sign at roots, between which a sample decides.


Monomial = tuple[int, ...]
Coefficients = dict[Monomial, Poly]
WEIGHTS: Final = (0, 1, -1, 2, -2)
"""Largest component of the directions in which a dominating term is searched for."""


@dataclass(frozen=True)
class Piece:
    """An open interval of the parameter, or a single value, with the truth of the claim there.

    :param fails: None where the claim holds; else the direction in which a negative coefficient dominates, empty if all
        coefficients are zero
    """

    lower: Expr
    upper: Expr
    fails: tuple[int, ...] | None

    @property
    def is_point(self) -> bool:
        """Whether this is a single value."""
        return bool(self.lower == self.upper)


def decide_thresholds(claim: Comparison, reading: Reading) -> Decision | None:
    """Decide a claim with parameters by the signs of its numerator's coefficients; None if these do not decide it."""
    if not reading.numerator:
        return _decision(claim, S.false if claim.sign == ">" else S.true, reading, {})
    coefficients = _coefficients(reading)
    field = reading.difference.field
    if all(field.is_positive(poly) for poly in coefficients.values()):
        return _where_some_is_positive(claim, reading, coefficients)
    if len(claim.parameters) != 1:
        raise UnsupportedError(
            "the coefficients of the numerator were not all shown to be positive; bind some parameters"
        )
    pieces = _pieces(claim, claim.parameters[0], coefficients)
    return None if pieces is None else _by_pieces(claim, reading, pieces)


def _coefficients(reading: Reading) -> Coefficients:
    """Return the coefficients of the numerator, polynomials in the parameters, without its common monomial.

    :raises UnsupportedError: if roots or logarithms of any sign are left, or roots that hold parameters
    """
    ring, field = reading.ring, reading.difference.field
    inside = [place for place, name in enumerate(field.names) if name in field.parameters]
    found: dict[Monomial, dict[Monomial, Any]] = {}
    for exponents, coefficient in reading.numerator.to_dict().items():
        outside = tuple(0 if place in inside else int(e) for place, e in enumerate(exponents))
        own = tuple(int(e) if place in inside else 0 for place, e in enumerate(exponents[: len(field.names)]))
        found.setdefault(outside, {})[own] = coefficient
    lowest = [min(powers) for powers in zip(*found, strict=True)]
    allowed = {place for place, root in ring.roots.items() if root.strict}
    left = {tuple(e - low for e, low in zip(m, lowest, strict=True)): terms for m, terms in found.items()}
    for place in range(len(field.names), len(ring.names)):
        if any(m[place] for m in left) or (lowest[place] and place not in allowed):
            raise UnsupportedError("the numerator holds parameters beside different roots or logarithms; bind them")
    return {monomial: field.context.from_dict(terms) for monomial, terms in left.items()}


# -- coefficients of one sign ----------------------------------------------------------------------------------------


def _where_some_is_positive(claim: Comparison, reading: Reading, coefficients: Coefficients) -> Decision:
    if claim.sign == ">=":
        return Decision("proved", True, _evidence_of_coefficients(reading, {}))
    system = list({str(poly): poly for poly in coefficients.values()}.values())
    solution = solve_system(system, reading.difference.field, ())
    condition = to_nnf(Not(solution.condition), simplify=False)
    examples = [{s.name: formula_text(value) for s, value in example.items()} for example in solution.examples]
    data = {"tree": solution.tree, "zero": condition_text(solution.condition), "examples": examples}
    return _decision(claim, condition, reading, data, solution.examples)


def _decision(
    claim: Comparison,
    condition: Boolean,
    reading: Reading,
    data: Mapping[str, Any],
    outside: Iterable[Mapping[Symbol, Expr]] = (),
) -> Decision:
    if condition is S.true:
        return Decision("proved", True, _evidence_of_coefficients(reading, data))
    names = [symbol.name for symbol in claim.variables]
    if not all(is_real_nearly_everywhere(side, claim.parameters, names) for side in claim.sides):
        raise UnsupportedError("the formula may have no value at the tables at which the numerator is negative")
    found = _violation(claim, condition, outside)
    if found is None:
        raise UnsupportedError(f"the claim holds for {condition_text(condition)}, but no counterexample was found")
    if condition is S.false:
        return Decision("refuted", False, _evidence_of_coefficients(reading, data), None, found.witness)
    defaults = defaults_of(claim.parameters)
    holds = None if defaults is None else bool(condition.subs(defaults))
    return Decision("conditional", holds, _evidence_of_coefficients(reading, data), condition, found.witness)


def _violation(
    claim: Comparison, condition: Boolean, examples: Iterable[Mapping[Symbol, Expr]]
) -> Counterexample | None:
    """Return a counterexample at the defaults if the claim fails there, or else at simple values where it fails."""
    defaults = defaults_of(claim.parameters)
    candidates = itertools.chain(examples, sample_values(claim.parameters))
    if defaults is not None:
        candidates = itertools.chain([defaults], candidates)
    outside = (
        v for v in candidates if not condition.subs(v) and not claim.subject.subs(v).has(S.ComplexInfinity, S.NaN)
    )
    found = (find_violation(claim, values) for values in itertools.islice(outside, MAX_VIOLATIONS))
    return next((counterexample for counterexample in found if counterexample), None)


def _evidence_of_coefficients(reading: Reading, data: Mapping[str, Any]) -> Evidence:
    return Evidence("coefficients", {"rule": reading.rule, "pieces": [reading.record()], **data})


# -- one parameter ---------------------------------------------------------------------------------------------------


def _by_pieces(claim: Comparison, reading: Reading, pieces: list[Piece]) -> Decision:
    parameter = claim.parameters[0]
    condition = _condition(parameter, pieces)
    data = {
        "intervals": [
            {"lower": str(piece.lower), "upper": str(piece.upper), "fails": _named(piece.fails, reading)}
            for piece in pieces
        ]
    }
    return _decision(claim, condition, reading, data)


def _named(direction: tuple[int, ...] | None, reading: Reading) -> dict[str, int] | str | None:
    if not direction:
        return None if direction is None else "all coefficients are zero"
    return {name: weight for name, weight in zip(reading.ring.names, direction, strict=False) if weight}


def _pieces(claim: Comparison, parameter: Parameter, coefficients: Coefficients) -> list[Piece] | None:
    """Return the intervals of the parameter between the roots of the coefficients, each with the truth of the claim."""
    symbol = parameter.symbol
    polys = {m: SymPyPoly(_univariate(poly), symbol) for m, poly in coefficients.items()}
    pieces = []
    for lower, upper, sample in _intervals(parameter, _breakpoints(parameter, polys.values())):
        signs = {m: _sign(poly.eval(sample)) for m, poly in polys.items()}
        if min(signs.values()) >= 0 and (claim.sign == ">=" or max(signs.values()) > 0):
            pieces.append(Piece(lower, upper, None))
        elif not any(signs.values()):
            pieces.append(Piece(lower, upper, ()))
        elif (direction := _dominating(signs)) is not None:
            pieces.append(Piece(lower, upper, direction))
        else:
            return None
    return pieces


def _univariate(poly: Poly) -> list[int]:
    """Return the coefficients of a polynomial in one parameter, highest first."""
    place = max(range(len(poly.degrees())), key=lambda k: poly.degrees()[k])
    powers = {int(exponents[place]): int(c) for exponents, c in poly.to_dict().items()}
    return [powers.get(power, 0) for power in range(max(powers), -1, -1)]


def _sign(value: Expr) -> int:
    return 1 if value > 0 else -1 if value < 0 else 0


def _breakpoints(parameter: Parameter, polys: Any) -> list[Rational]:
    """Return the roots of polynomials inside the parameter's interval.

    :raises UnsupportedError: if one of them is irrational
    """
    found = set()
    for poly in {poly for poly in polys if poly.degree() > 0}:
        for root in poly.real_roots(multiple=False):
            value = root[0]
            if not value.is_Rational and parameter.domain.contains(value) is not S.false:
                raise UnsupportedError(f"a coefficient of the numerator has the irrational root {value}")
            if value.is_Rational and parameter.lower <= value <= parameter.upper:
                found.add(value)
    return sorted(found)


def _intervals(parameter: Parameter, roots: list[Rational]) -> Iterator[tuple[Expr, Expr, Rational]]:
    """Yield points and open intervals that partition the parameter's domain, each with a rational sample."""
    ends = [parameter.lower, *(r for r in roots if parameter.lower < r < parameter.upper), parameter.upper]
    for place, lower in enumerate(ends):
        if lower.is_finite and lower in parameter:
            yield lower, lower, lower
        if place + 1 < len(ends) and lower != ends[place + 1]:
            yield lower, ends[place + 1], _between(lower, ends[place + 1])


def _between(lower: Expr, upper: Expr) -> Rational:
    if lower.is_finite and upper.is_finite:
        return (lower + upper) / 2
    if lower.is_finite:
        return lower + 1
    return upper - 1 if upper.is_finite else S.Zero


def _dominating(signs: Mapping[Monomial, int]) -> tuple[int, ...] | None:
    """Return a direction in which a negative term dominates all others, or None if none was found."""
    present = [m for m, sign in signs.items() if sign]
    places = [place for place in range(len(present[0])) if len({m[place] for m in present}) > 1]
    for weights in itertools.product(WEIGHTS, repeat=len(places)):
        heights = [sum(w * m[place] for w, place in zip(weights, places, strict=True)) for m in present]
        highest = max(heights)
        if heights.count(highest) == 1 and signs[present[heights.index(highest)]] < 0:
            direction = [0] * len(present[0])
            for weight, place in zip(weights, places, strict=True):
                direction[place] = weight
            return tuple(direction)
    return None


def _condition(parameter: Parameter, pieces: list[Piece]) -> Boolean:
    """Return the union of the pieces in which the claim holds, as inequalities."""
    runs: list[list[Piece]] = []
    previous_holds = False
    for piece in pieces:
        if piece.fails is None:
            runs.append([piece]) if not previous_holds else runs[-1].append(piece)
        previous_holds = piece.fails is None
    return Or(*(_run(parameter, run, run[0] is pieces[0], run[-1] is pieces[-1]) for run in runs))


def _run(parameter: Parameter, run: list[Piece], is_first: bool, is_last: bool) -> Boolean:
    first, last, symbol = run[0], run[-1], parameter.symbol
    if first is last and first.is_point:
        return Eq(symbol, first.lower)
    below = S.true if is_first else (Ge if first.is_point else Gt)(symbol, first.lower)
    above = S.true if is_last else (Le if last.is_point else Lt)(symbol, last.upper)
    return And(below, above)


# ----------------------------------------------------------------------------------------------------------------------


def decide(claim: Comparison, _: object) -> Decision:
    """Decide whether a claim's relation is positive, or nowhere negative, at all tables."""
    return _by_even_root(claim) or _decided(claim)


def _by_even_root(claim: Comparison) -> Decision | None:
    """Decide a claim on a root of even degree by a claim on its radicand; None if that does not prove it."""
    below = claim_on_radicand(claim)
    point = None if below is None else real_point(below)
    if below is None or point is None:
        return None
    part = _by_even_root(below) or _decided(below)
    if part.status != "proved":
        return None
    return Decision("proved", True, Evidence("even root", {"point": point, "part": part.record()}))


def _decided(claim: Comparison) -> Decision:
    """Decide a claim by signs, or by a counterexample."""
    reasons: list[str] = []
    try:
        # 1. Most false claims fail at one of the first few points.
        if not claim.parameters and (found := first_witness(claim)):
            return refuted(found if found.is_smallest else smallest(claim, found.witness, is_proved))
        if _has_many_variables(claim) and (found := find_violation(claim, {})):
            return refuted(found)
        # 2. Proofs by signs, the cheapest reduction first.
        for rule, pieces in readings(claim, reasons):
            try:
                decision = _by_signs(claim, rule, pieces)
            except UnsupportedError as error:
                reasons.append(str(error))
                continue
            if decision is not None:
                return decision
        # 3. A wider search for counterexamples.
        if not claim.parameters and not _has_many_variables(claim) and (found := find_violation(claim, {})):
            return refuted(smallest(claim, found.witness, is_proved))
    except UnsupportedError as error:
        reasons.append(str(error))
    # 4. Z3, if the user enabled it.
    if (decision := decide_by_oracle(claim)) is not None:
        return decision
    reasons.append("no proof and no counterexample was found")
    return open_decision("; ".join(dict.fromkeys(reasons)))


def _has_many_variables(claim: Comparison) -> bool:
    """Whether to search for a counterexample before a proof: with many variables cuts are slow, small tables fast."""
    return not claim.parameters and len(claim.over) > len(CELL_NAMES)


def is_proved(claim: Comparison) -> bool:
    """Whether the sign of the relation itself proves a claim without parameters."""
    for rule, pieces in readings(claim, []):
        if rule == "difference":
            try:
                return _by_signs(claim, rule, pieces) is not None
            except UnsupportedError:
                return False
    return False


def _by_signs(claim: Comparison, rule: str, pieces: Iterator[Reading]) -> Decision | None:
    """Decide a claim by the signs of numerators, or return None if these do not decide it."""
    if claim.parameters:
        (reading, *others) = pieces
        if others:
            raise UnsupportedError("the formula has parameters and several pieces; bind the parameters")
        return decide_thresholds(claim, reading)
    proofs = []
    for reading in pieces:
        record = reading.record()
        if reading.numerator or claim.sign == ">":  # a zero numerator proves ">" only if the region is empty
            proof = prove_sign(reading.numerator, reading.ring, reading.given)
            if proof is None or (claim.sign == ">" and not proof.strict):
                return None
            record["tree"] = proof.tree
        proofs.append(record)
    return Decision("proved", True, _evidence(rule, proofs, on_the_boundary(claim) if claim.sign == ">" else None))


def _evidence(rule: str, proofs: list[dict[str, Any]], boundary: Witness | None) -> Evidence:
    data: dict[str, Any] = {"rule": rule, "pieces": proofs}
    if boundary is not None:
        data["boundary"] = boundary.to_dict()
    return Evidence("sign", data)
