"""Identities and inequalities as lemmas."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from sympy import Expr, Rational

from symmetrics.claims import Comparison, Identity
from symmetrics.claims.verdict import Decision
from symmetrics.language.cells import CELL_NAMES
from symmetrics.rocq.engine.lemmas import NotExported, Subject, scripted
from symmetrics.rocq.engine.parameterised import parameterised_script
from symmetrics.rocq.engine.positivity import Signs
from symmetrics.rocq.engine.radicals import piecewise_script
from symmetrics.rocq.engine.roots import root_script
from symmetrics.rocq.engine.slopes import difference_script, slope_script
from symmetrics.rocq.engine.statements import introduced, specialised
from symmetrics.rocq.engine.terms import RATIONALS, Numbers, term

__all__ = ["BITS", "script", "sign_script"]

BITS: Final = 60
"""How many bits the enclosures of real numbers keep."""
DIGITS: Final = 40
TIE: Final = Rational(1, 10**20)
"""Values that differ by less are tried as equal ones; the kernel decides."""


@scripted
def script(name: str, claim: Comparison, decision: Decision, subject: Subject) -> str:
    """Return the proof of the conclusion that a verdict on a comparison draws.

    :param name: the proposition's name
    :raises NotExported: if no proof is known
    """
    if claim.parameters and decision.status != "proved":
        return parameterised_script(name, claim, decision, subject)
    if decision.status == "refuted":
        return _refutation(claim, decision, subject)
    if claim.partner is not None and decision.evidence.kind == "sign":
        signs = sign_script(claim.difference, decision.evidence.data, subject.numbers, strict=claim.sign == ">")
        return f"{introduced(claim.parameters)}unfold {name}, {subject.unfold}. unpack.\n    {signs}."
    return _proof(name, claim, decision, subject)


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


def _proof(name: str, claim: Comparison, decision: Decision, subject: Subject) -> str:
    start = f"{introduced(claim.parameters)}unfold {name}"
    if subject.numbers is RATIONALS:
        cases = "".join(f"by_domain {p.name}; " for p in claim.parameters if not isinstance(claim, Identity))
        signs = None if isinstance(claim, Identity) else difference_script(claim, decision)
        # At the ends of several domains both sides may be equal, or without a value.
        closing = "first [fractions | equal_or_undefined]" if cases and claim.sign == ">=" else "fractions"
        return f"{start}, {subject.unfold}. unpack. {cases}{signs or closing}."
    if isinstance(claim, Identity):
        return f"{start}, {subject.unfold}. unpack. metric_identity."
    return f"{start}. unpack. {slope_script(claim, decision)}."


def sign_script(gap: Expr, certificate: Mapping[str, Any], numbers: Numbers, *, strict: bool) -> str:
    """Return the proof that one formula does not exceed another, by the signs that a certificate names.

    :param gap: what it is exceeded by
    :param strict: whether it is so everywhere
    :raises NotExported: if the certificate has a step that is not translated
    """
    if "pieces" not in certificate:
        raise NotExported("an inequality that rests on no signs of polynomials")
    pieces = certificate["pieces"]
    if numbers is not RATIONALS:
        if len(pieces) == 1:
            return root_script(gap, pieces[0], strict=strict)
        return piecewise_script(gap, pieces, strict=strict)
    if len(pieces) != 1:
        raise NotExported("an inequality over the rational numbers that is shown piece by piece")
    (piece,) = pieces
    signs = Signs(CELL_NAMES)
    numerator, below = signs.polynomial(piece["numerator"]), signs.product(piece["denominator"])
    proof = signs.proof(numerator, piece.get("tree", {"zero": True}), strict=strict)
    return f"exceeds ({signs.text(numerator)}) ({below.text});\n      [{proof} | {below.proof}]"
