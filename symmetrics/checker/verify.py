"""Does the evidence establish the verdict?  Each family of claims has a module that answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from symmetrics.checker.engine.cases import check_cases
from symmetrics.checker.engine.defaults import check_open_with_defaults
from symmetrics.checker.engine.requirements import is_same_json, require
from symmetrics.checker.families.affine import check_affine
from symmetrics.checker.families.agreement import check_agreement
from symmetrics.checker.families.baselines import check_constant_baseline
from symmetrics.checker.families.combinations import check_combination
from symmetrics.checker.families.definedness import check_defined
from symmetrics.checker.families.directions import check_direction_space, check_ratio
from symmetrics.checker.families.equations import check_identity
from symmetrics.checker.families.groups import check_symmetry_group
from symmetrics.checker.families.inequalities import check_inequality
from symmetrics.checker.families.limits import check_finite_limit
from symmetrics.checker.families.orders import check_same_order
from symmetrics.checker.families.ranges import check_bounded
from symmetrics.claims import (
    Affine,
    AllOf,
    AnyOf,
    Bounded,
    ConstantBaseline,
    DefinedEverywhere,
    FiniteLimit,
    Identity,
    Inequality,
    LargestAtAgreement,
    RatioOfLinearForms,
    SameOrder,
    ScalingSpace,
    SmallestAtDisagreement,
    StrictInequality,
    SymmetryGroup,
    TranslationSpace,
)
from symmetrics.claims.steps import require_spelled
from symmetrics.claims.verdict import Verdict
from symmetrics.claims.wording import sentence_of, value_of
from symmetrics.tools.errors import CertificateError

__all__ = ["check"]

_CHECKERS: Final[dict[type, Callable[[Verdict, Any], None]]] = {
    Identity: check_identity,
    Inequality: check_inequality,
    StrictInequality: check_inequality,
    FiniteLimit: check_finite_limit,
    DefinedEverywhere: lambda verdict, claim: check_defined(verdict, claim, _check),
    Bounded: lambda verdict, claim: check_bounded(verdict, claim, _check),
    LargestAtAgreement: lambda verdict, claim: check_agreement(verdict, claim, _check),
    SmallestAtDisagreement: lambda verdict, claim: check_agreement(verdict, claim, _check),
    ConstantBaseline: lambda verdict, claim: check_constant_baseline(verdict, claim, _check),
    AllOf: lambda verdict, claim: check_combination(verdict, claim, _check),
    AnyOf: lambda verdict, claim: check_combination(verdict, claim, _check),
    SymmetryGroup: lambda verdict, claim: check_symmetry_group(verdict, claim, _check),
    TranslationSpace: lambda verdict, claim: check_direction_space(verdict, claim, _check),
    ScalingSpace: lambda verdict, claim: check_direction_space(verdict, claim, _check),
    RatioOfLinearForms: lambda verdict, claim: check_ratio(verdict, claim, _check),
    SameOrder: lambda verdict, claim: check_same_order(verdict, claim, _check),
    Affine: lambda verdict, claim: check_affine(verdict, claim, _check),
}

_BY_CASES: Final = (FiniteLimit, Bounded, LargestAtAgreement, SmallestAtDisagreement)


def check(verdict: Verdict) -> None:
    """Re-verify the evidence of a verdict, by exact arithmetic and by other code than found it.

    :returns: None; an open verdict asserts nothing and passes
    :raises CertificateError: if the evidence does not establish what the verdict says
    """
    try:
        require_spelled(verdict.evidence.kind, verdict.evidence.data)
        _check(verdict)
        _check_words(verdict)
    except CertificateError:
        raise
    except Exception as error:  # evidence comes from anywhere: whatever stops the check, nothing was established
        raise CertificateError(f"the evidence cannot be followed: {type(error).__name__}: {error}") from error


def _check_words(verdict: Verdict) -> None:
    """Refuse a sentence, or a value in its public form, that a certificate states and that is not made of the rest."""
    made = {"evidence": sentence_of(verdict.claim, verdict), "value": value_of(verdict.claim, verdict)}
    for key, stated in verdict.stated.items():
        what = "sentence" if key == "evidence" else "value"
        require(is_same_json(stated, made[key]), f"the certificate has another {what} than its evidence gives")


def _check(verdict: Verdict) -> None:
    if verdict.status == "open" and "at_defaults" in verdict.evidence.data:
        check_open_with_defaults(verdict, verdict.claim, _check)
    elif verdict.evidence.kind == "cases" and isinstance(verdict.claim, _BY_CASES):
        check_cases(verdict, verdict.claim, _check)
    else:
        _CHECKERS[type(verdict.claim)](verdict, verdict.claim)
