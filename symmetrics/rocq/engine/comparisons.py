"""Common parts of lemmas on equations and on inequalities."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

from sympy import (
    QQ,
    Eq,
    Expr,
    Integer,
    Poly,
    Pow,
    Rational,
    Symbol,
    gcdex,
    real_roots,
    sqrt,
)

from symmetrics.claims import Comparison, Identity
from symmetrics.claims.evidence import Decision
from symmetrics.language.cells import CELLS
from symmetrics.language.parameter import Parameter
from symmetrics.rocq.engine.conditions import chart_script
from symmetrics.rocq.engine.positivity import Signs
from symmetrics.rocq.engine.radicals import piecewise_script, root_script
from symmetrics.rocq.engine.statements import (
    Formula,
    Lemma,
    NotExported,
    Subject,
    comparison,
    conclusion,
    introduced,
    scripted,
    specialised,
    stated,
)
from symmetrics.rocq.engine.terms import RATIONALS, Numbers, lowest_terms, term

# -- Identities that hold exactly for some values of a parameter -------------------------------------------------------

# At a table the claim is an equation of values: a polynomial in the parameter vanishes. Choose tables whose
# polynomials have a greatest common divisor with no zero in the domain except those of the condition; Bezout's
# identity proves this to the kernel.


COUNTS: Final = (1, 2, 3)
"""Counts in the tables that are tried."""
SQUARES: Final = (1, 3, 4, 8)
"""Counts with many ratios that are squares, so that their roots are rational."""
SIGN: Final = "first [positive | nra]"


class _Point(NamedTuple):
    """Values of a claim's variables, and the difference there as a quotient of polynomials."""

    values: tuple[Integer, ...]
    above: Poly
    below: Poly


def parameterised_script(name: str, claim: Comparison, decision: Decision, subject: Subject) -> str:
    """Prove that an identity holds for no value of its parameter, or exactly under a condition.

    :raises NotExported: if the formula or the condition is not rational, there are several parameters, or the claim is
        no identity
    """
    if not isinstance(claim, Identity) or len(claim.parameters) != 1:
        return chart_script(name, claim, decision, subject)
    (parameter,) = claim.parameters
    condition = decision.condition
    if condition is not None and not isinstance(condition, Eq):
        raise NotExported("a condition on a parameter that is no equation")
    if condition is not None and not condition.rhs.is_Rational:
        raise NotExported("a condition with an irrational solution")
    excepted = [] if condition is None else [condition.rhs]
    points = _points(claim, parameter, excepted, counts=COUNTS if subject.numbers is RATIONALS else SQUARES)
    vanishing = _vanishing(name, claim, subject, parameter, points, excepted)
    start = introduced(claim.parameters)
    if condition is None:
        signs = f"first [apply positive_nonzero; {SIGN} | apply negative_nonzero; ring_simplify; {SIGN}]"
        return f"{start}intro held.\n  {vanishing}\n  exfalso. revert together. {signs}."
    tactic = "field; nonzero" if subject.numbers is RATIONALS else "metric_identity"
    return (
        f"{start}split; [intro held | intro value].\n  - {vanishing}\n"
        f"  apply product_vanishes in together; [apply power_vanishes in together; lra | {SIGN}].\n"
        f"  - unfold {name}, {subject.unfold}. unpack. rewrite value in *. {tactic}."
    )


def _points(claim: Comparison, parameter: Parameter, excepted: list[Expr], *, counts: Sequence[int]) -> list[_Point]:
    """Return tables whose equations have no common solution in the domain except the given ones."""
    divisor = Poly(0, parameter.symbol, domain=QQ)
    chosen = []
    for point in _candidates(claim, parameter.symbol, counts):
        smaller = divisor.gcd(point.above)
        if smaller != divisor:
            divisor = smaller
            chosen.append(point)
        if not divisor.is_zero and all(root in excepted for root in real_roots(divisor) if root in parameter.domain):
            return chosen
    raise NotExported("no small tables leave the condition alone")


def interior(parameter: Parameter) -> Rational:
    """Return a value inside the domain."""
    if parameter.lower.is_finite and parameter.upper.is_finite:
        return Rational(parameter.lower + parameter.upper) / 2
    return Rational(parameter.lower + 1 if parameter.lower.is_finite else min(parameter.upper, 1) - 1)


def _candidates(claim: Comparison, symbol: Symbol, counts: Sequence[int]) -> Iterator[_Point]:
    difference = claim.difference
    for values in itertools.product(map(Integer, counts), repeat=len(claim.variables)):
        at = difference.xreplace(dict(zip(claim.variables, values, strict=True)))
        if any(not isinstance(power.exp, Integer) for power in at.atoms(Pow)):
            continue
        above, below = lowest_terms(at)  # with integer coefficients
        if above != 0:
            yield _Point(values, Poly(above, symbol, domain=QQ), Poly(below, symbol, domain=QQ))


def _vanishing(
    name: str, claim: Comparison, subject: Subject, parameter: Parameter, points: list[_Point], excepted: list[Expr]
) -> str:
    """Return tactics that derive that the greatest common divisor vanishes."""
    equal = f"{subject.numbers.equal} 0"
    steps = [f"unfold {name} in held."]
    for place, point in enumerate(points):
        arguments = " ".join(term(value, 3) for value in point.values)
        above, below = _term(point.above), _term(point.below)
        steps += [
            f"pose proof (held {arguments}) as at{place}. unfold {subject.unfold} in at{place}.",
            f"meet at{place}.{_roots(claim, point, place)}",
            f"assert (zero{place} : {above} {equal})",
            f"  by (apply (numerator_vanishes _ _ ({above}) ({below}) at{place}); field; nonzero).",
        ]
    divisor, shares = _combination(points, parameter, normalised=not excepted)
    pairs = zip(shares, points, strict=True)
    combined = " + ".join(f"({_term(share)}) * ({_term(point.above)})" for share, point in pairs)
    vanishes = "repeat apply sum_vanishes; apply multiple_vanishes; assumption"
    steps += [
        f"assert (together : {_divisor(divisor, excepted)} {equal})",
        f"  by (transitivity ({combined}); [field | {vanishes}]).",
    ]
    return "\n  ".join(steps)


def _combination(points: list[_Point], parameter: Parameter, *, normalised: bool) -> tuple[Poly, list[Poly]]:
    """Return the greatest common divisor of the polynomials at some points, with Bezout coefficients.

    :param normalised: let it be positive in the domain, where it has no zero
    """
    divisor, shares = points[0].above, [Poly(1, parameter.symbol, domain=QQ)]
    for point in points[1:]:
        first, second, divisor = gcdex(divisor, point.above)
        shares = [*(share * first for share in shares), second]
    scale = 1 / divisor.LC() * (-1 if normalised and divisor.monic().eval(interior(parameter)) < 0 else 1)
    return divisor * scale, [share * scale for share in shares]


def _roots(claim: Comparison, point: _Point, place: int) -> str:
    """Return tactics that replace the roots in a formula at a table by rational numbers."""
    at = dict(zip(claim.variables, point.values, strict=True))
    radicands = set()
    for formula, table in zip(claim.formulas, claim.tables, strict=True):
        counts = {cell: entry.xreplace(at) for cell, entry in zip(claim.arguments, table, strict=True)}
        radicands |= {power.base.xreplace(counts) for power in formula.atoms(Pow) if power.exp.q == 2}
    return "".join(f" known_root ({term(sqrt(radicand))}) at{place}." for radicand in sorted(radicands, key=str))


def _divisor(divisor: Poly, excepted: list[Expr]) -> str:
    """Return the greatest common divisor, with its zero in the domain split off."""
    if not excepted:
        return _term(divisor)
    (root,) = excepted
    factor, power = Poly(divisor.gen - root, divisor.gen, domain=QQ), 0
    while divisor.eval(root) == 0:
        divisor, power = divisor.quo(factor), power + 1
    return f"({_term(factor)}) ^ {power} * ({_term(divisor)})"


def _term(poly: Poly) -> str:
    return term(poly.as_expr())


# ----------------------------------------------------------------------------------------------------------------------


BITS: Final = 60
"""Precision, in bits, of interval enclosures of real numbers."""
DIGITS: Final = 40
TIE: Final = Rational(1, 10**20)
"""Values that differ by less are tried as equal; the kernel decides."""
REFLEXIVE: Final = "both sides are one formula as soon as they are read, so that the lemma says t = t or t <= t"
Proof = Callable[[str, Any, Decision, Subject], str]


def comparison_lemma(name: str, claim: Comparison, decision: Decision, subject: Subject, proof: Proof) -> Lemma:
    """Return the lemma on a comparison; derived from an equivalent lemma, if there is one.

    :param name: the proposition's name
    :param proof: writes the proof that the comparison holds
    :raises NotExported: if no proof is known
    """
    body = comparison(claim, subject.formulas, subject.partner)
    said = body, conclusion("", claim, decision, subject.numbers)
    is_known = said in subject.known
    steps = f"exact {subject.known[said]}." if is_known else _script(name, claim, decision, subject, proof)
    found = stated(name, claim, decision, subject, body, steps)
    subject.known.setdefault(said, found.name)
    return replace(found, weaker=REFLEXIVE) if claim.partner is not None and _is_reflexive(claim, subject) else found


def _is_reflexive(claim: Comparison, subject: Subject) -> bool:
    """Whether both sides of a comparison become the same term when names are unfolded."""
    names: dict[tuple[str, tuple[Parameter, ...]], str] = {}

    def alike(formula: Formula) -> Formula:
        name = names.setdefault((term(formula.expression), formula.parameters), formula.name)
        return replace(formula, name=name)

    formulas = {expression: alike(formula) for expression, formula in subject.formulas.items()}
    body = comparison(claim, formulas, None if subject.partner is None else alike(subject.partner))
    relation = body.rpartition(" ->\n  ")[2]
    sides = re.split(rf" (?:{subject.numbers.equal}|<=) ", relation)
    return len(sides) == 2 and sides[0] == sides[1]


@scripted
def _script(name: str, claim: Comparison, decision: Decision, subject: Subject, proof: Proof) -> str:
    """Return the proof script of a comparison's lemma.

    :param name: the proposition's name
    :param proof: writes the proof that the comparison holds
    :raises NotExported: if no proof is known
    """
    if claim.parameters and decision.status != "proved":
        return parameterised_script(name, claim, decision, subject)
    if decision.status == "refuted":
        return _refutation(claim, decision, subject)
    return proof(name, claim, decision, subject)


def _refutation(claim: Comparison, decision: Decision, subject: Subject) -> str:
    if decision.witness is None:
        raise NotExported("no table stands behind the refutation")
    values = specialised(claim, decision.witness.tables)
    if subject.numbers is RATIONALS:
        tactic = "refute_rational"
    else:
        is_tie = abs(claim.difference.xreplace(values).evalf(DIGITS)) < TIE
        tactic = f"{'refute_tie' if is_tie else 'refute_real'} {BITS}%Z"
    arguments = " ".join(term(value, 3) for value in values.values())
    return f"intro H. specialize (H {arguments}). unfold {subject.unfold} in H. {tactic} H."


def sign_script(
    gap: Expr,
    certificate: Mapping[str, Any],
    numbers: Numbers,
    *,
    strict: bool,
    variables: Sequence[Symbol] = CELLS,
) -> str:
    """Prove that one formula does not exceed another, from the sign certificate.

    :param gap: the difference of the two
    :param strict: whether it is so everywhere
    :param variables: the symbols of the positive variables
    :raises NotExported: if the certificate has a step that is not translated
    """
    if "pieces" not in certificate:
        raise NotExported("an inequality that rests on no signs of polynomials")
    pieces, names = certificate["pieces"], tuple(symbol.name for symbol in variables)
    if numbers is not RATIONALS:
        if len(pieces) == 1:
            return root_script(gap, pieces[0], strict=strict, variables=names)
        return piecewise_script(gap, pieces, strict=strict, variables=variables)
    if len(pieces) != 1:
        raise NotExported("an inequality over the rational numbers that is shown piece by piece")
    (piece,) = pieces
    signs = Signs(names)
    numerator, below = signs.polynomial(piece["numerator"]), signs.product(piece["denominator"])
    proof = signs.proof(numerator, piece.get("tree", {"zero": True}), strict=strict)
    return f"exceeds ({signs.text(numerator)}) ({below.text});\n      [{proof} | {below.proof}]"
