"""One module for each family of claims: the lemma that states a verdict, with its proof script.

Each has the name under which its family is registered in :mod:`symmetrics.claims.families`.  A family whose verdicts
the proof assistant is not told is excused: its module says why in ``EXCUSED``.  Claims on matrices are excused in all
families.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from symmetrics.claims import Claim
from symmetrics.claims.evidence import Decision
from symmetrics.claims.families import FAMILIES
from symmetrics.claims.one_formula import OneMatrixFormula
from symmetrics.claims.steps.shapes import OF_MATRICES
from symmetrics.rocq.engine.statements import Lemma, NotExported, Subject
from symmetrics.tools.errors import UnsupportedError

__all__ = ["family", "lemma"]


def family(claim: Claim) -> Any:
    """Return the module with a function ``lemma`` for a claim, or with the reason ``EXCUSED`` why there is none."""
    return import_module(f"{__name__}.{FAMILIES[type(claim)]}")


def lemma(name: str, claim: Claim, decision: Decision, subject: Subject) -> Lemma:
    """Return the lemma that states a verdict.

    :raises NotExported: if there is none
    """
    known = dict(subject.known)
    try:
        return _lemma(name, claim, decision, subject)
    except (NotExported, UnsupportedError):
        # Lemmas on parts are not stated anywhere.
        subject.known.clear()
        subject.known.update(known)
        raise


def _lemma(name: str, claim: Claim, decision: Decision, subject: Subject) -> Lemma:
    module = family(claim)
    if isinstance(claim, OneMatrixFormula):
        raise NotExported(f"claims of the kind {claim.kind!r} are not exported: {OF_MATRICES}")
    if hasattr(module, "EXCUSED"):
        raise NotExported(f"claims of the kind {claim.kind!r} are not exported: {module.EXCUSED}")
    found: Lemma = module.lemma(name, claim, decision, subject)
    return found
