"""Identities and inequalities as lemmas."""

from __future__ import annotations

from typing import Final

from sympy import Rational

from symmetrics.claims import Comparison, Identity
from symmetrics.kernel.lemmas import NotExported, Subject
from symmetrics.kernel.parameterised import parameterised_script
from symmetrics.kernel.slopes import difference_script, slope_script
from symmetrics.kernel.statements import introduced, specialised
from symmetrics.kernel.terms import RATIONALS, term
from symmetrics.verdict import Decision

__all__ = ["script"]

BITS: Final = 60
"""How many bits the enclosures of real numbers keep."""
DIGITS: Final = 40
TIE: Final = Rational(1, 10**20)
"""Values that differ by less are tried as equal ones; the kernel decides."""


def script(name: str, claim: Comparison, decision: Decision, subject: Subject) -> str:
    """Return the proof of the conclusion that a verdict on a comparison draws.

    :param name: the proposition's name
    :raises NotExported: if no proof is known
    """
    if claim.parameters and decision.status != "proved":
        return parameterised_script(name, claim, decision, subject)
    if decision.status == "refuted":
        return _refutation(claim, decision, subject)
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
        return f"{start}, {subject.unfold}. unpack. {cases}{signs or 'fractions'}."
    if isinstance(claim, Identity):
        return f"{start}, {subject.unfold}. unpack. metric_identity."
    return f"{start}. unpack. {slope_script(claim, decision)}."
