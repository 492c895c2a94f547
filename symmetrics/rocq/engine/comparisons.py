"""What lemmas on equations and on inequalities have in common."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from sympy import Expr, Rational, Symbol

from symmetrics.claims import Comparison
from symmetrics.claims.verdict import Decision
from symmetrics.language.cells import CELLS
from symmetrics.language.parameter import Parameter
from symmetrics.rocq.engine.lemmas import Lemma, NotExported, Subject, conclusion, scripted, stated
from symmetrics.rocq.engine.parameterised import parameterised_script
from symmetrics.rocq.engine.positivity import Signs
from symmetrics.rocq.engine.radicals import piecewise_script
from symmetrics.rocq.engine.roots import root_script
from symmetrics.rocq.engine.statements import Formula, comparison, specialised
from symmetrics.rocq.engine.terms import RATIONALS, Numbers, term

__all__ = ["BITS", "comparison_lemma", "sign_script"]

BITS: Final = 60
"""How many bits the enclosures of real numbers keep."""
DIGITS: Final = 40
TIE: Final = Rational(1, 10**20)
"""Values that differ by less are tried as equal ones; the kernel decides."""
REFLEXIVE: Final = "both sides are one formula as soon as they are read, so that the lemma says t = t or t <= t"
Proof = Callable[[str, Any, Decision, Subject], str]


def comparison_lemma(name: str, claim: Comparison, decision: Decision, subject: Subject, proof: Proof) -> Lemma:
    """Return the lemma on a comparison; by the one that says the same, if there is one.

    :param name: the proposition's name
    :param proof: what writes the proof that the comparison holds
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
    """Whether both sides of a comparison are one term as soon as its formulas are put in the places of their names."""
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
    """Return the proof of the conclusion that a verdict on a comparison draws.

    :param name: the proposition's name
    :param proof: what writes the proof that the comparison holds
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
    """Return the proof that one formula does not exceed another, by the signs that a certificate names.

    :param gap: what it is exceeded by
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
