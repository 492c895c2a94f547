"""Does the evidence establish the verdict?  Each family of claims has a module that decides."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from typing import Any

from sympy import Expr

from symmetrics.checker.engine.parts import read_part
from symmetrics.checker.engine.requirements import is_same_json, require
from symmetrics.checker.families import family
from symmetrics.claims.evidence import require_spelled
from symmetrics.claims.values import AtDefaults
from symmetrics.claims.verdict import Verdict
from symmetrics.claims.wording import sentence_of, value_of
from symmetrics.language.parameter import Parameter
from symmetrics.language.validation import outside_language
from symmetrics.tools.errors import CertificateError

# -- Re-verify open verdicts that state a result at the default parameters ---------------------------------------------


def check_open_with_defaults(verdict: Verdict, claim: Any, check: Callable[[Verdict], None]) -> None:
    """Re-verify an open verdict: its only statement may be the one on the default parameters.

    :param check: function that re-verifies the verdict on the claim at the defaults
    """
    require(
        verdict.evidence.kind == "open" and set(verdict.evidence.data) == {"reason", "at_defaults"},
        "it is not open alone",
    )
    values = {parameter.symbol: parameter.default for parameter in claim.parameters}
    require(bool(values) and None not in values.values(), "there are no default parameters")
    part = read_part(verdict.evidence.data["at_defaults"], claim.at(values))
    require((part.status, part.holds) in (("proved", True), ("refuted", False)), "it is not settled at the defaults")
    check(part)
    witness = part.witness
    if witness is not None:
        witness = replace(witness, parameters={p.name: p.default for p in claim.parameters})
    found = None if part.found is None else AtDefaults(part.found)
    stated = (verdict.holds, verdict.condition, verdict.witness, verdict.found)
    require(stated == (part.holds, None, witness, found), "it is not what holds at the defaults")


# ----------------------------------------------------------------------------------------------------------------------


def check(verdict: Verdict) -> None:
    """Re-verify the evidence of a verdict in exact arithmetic, independently of the code that found it.

    :returns: None; an open verdict asserts nothing and passes
    :raises CertificateError: if the evidence does not establish what the verdict says
    """
    try:
        require_spelled(verdict.evidence.kind, verdict.evidence.data)
        _check_formulas(verdict.claim)
        _check(verdict)
        _check_words(verdict)
    except CertificateError:
        raise
    except Exception as error:  # evidence is untrusted input: whatever stops the check, nothing was established
        raise CertificateError(f"the evidence cannot be followed: {type(error).__name__}: {error}") from error


def _check_formulas(part: object) -> None:
    """Refuse a claim on a non-real formula such as ``I*TP``: the checker's laws are about real numbers."""
    if isinstance(part, Expr):
        if outside_language(part) is not None:
            raise CertificateError(f"the claim is about {part}, which is no formula")
    elif isinstance(part, tuple):
        for each in part:
            _check_formulas(each)
    elif is_dataclass(part) and not isinstance(part, Parameter):
        for field in fields(part):
            _check_formulas(getattr(part, field.name))


def _check_words(verdict: Verdict) -> None:
    """Refuse a stated sentence, or public value, that differs from the one rebuilt from the rest."""
    made = {"evidence": sentence_of(verdict.claim, verdict), "value": value_of(verdict.claim, verdict)}
    for key, stated in verdict.stated.items():
        what = "sentence" if key == "evidence" else "value"
        require(is_same_json(stated, made[key]), f"the certificate has another {what} than its evidence gives")


def _check(verdict: Verdict) -> None:
    # Families compare the value itself with what they find, and 1 == True.
    require(verdict.holds is None or isinstance(verdict.holds, bool), "its truth value is not true, false or null")
    if verdict.status == "open" and "at_defaults" in verdict.evidence.data:
        check_open_with_defaults(verdict, verdict.claim, _check)
    else:
        family(verdict.claim).check(verdict, verdict.claim, _check)
