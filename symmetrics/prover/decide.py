"""From a claim to a verdict: each family of claims has a module that decides it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from sympy import SympifyError

from symmetrics.claims import (
    AllOf,
    AnyOf,
    Bounded,
    Claim,
    Combination,
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
from symmetrics.errors import UnsupportedError
from symmetrics.prover.agreement import decide_agreement
from symmetrics.prover.baseline import decide_constant_baseline
from symmetrics.prover.cases import decide_by_cases
from symmetrics.prover.combinations import decide_combination
from symmetrics.prover.defaults import decided_at_defaults
from symmetrics.prover.definedness import decide_defined
from symmetrics.prover.directions import decide_direction_space
from symmetrics.prover.equations import decide_identity
from symmetrics.prover.group import decide_symmetry_group
from symmetrics.prover.inequalities import decide_inequality
from symmetrics.prover.limits import decide_finite_limit
from symmetrics.prover.links import decide_same_order
from symmetrics.prover.ranges import decide_bounded
from symmetrics.prover.ratios import decide_ratio
from symmetrics.verdict import Decision, Evidence, Verdict

__all__ = ["decide", "decide_or_at_defaults", "modules_of"]

# What SymPy raises where it gives up on a formula far from any metric: it leaves a verdict open and never decides it.
DEFECTS: Final = (ArithmeticError, AttributeError, LookupError, NotImplementedError, SympifyError, TypeError)

_DECIDERS: Final[dict[type, Callable[[Any], Decision]]] = {
    Identity: decide_identity,
    Inequality: decide_inequality,
    StrictInequality: decide_inequality,
    SymmetryGroup: decide_symmetry_group,
    TranslationSpace: lambda claim: decide_direction_space(claim, decision_of),
    ScalingSpace: lambda claim: decide_direction_space(claim, decision_of),
    RatioOfLinearForms: lambda claim: decide_ratio(claim, decision_of),
    FiniteLimit: lambda claim: decide_by_cases(claim, lambda part, *_: decide_finite_limit(part), decision_of),
    DefinedEverywhere: lambda claim: decide_defined(claim, decision_of),
    Bounded: lambda claim: decide_by_cases(claim, lambda part, decide, _: decide_bounded(part, decide), decision_of),
    LargestAtAgreement: lambda claim: decide_by_cases(claim, decide_agreement, decision_of),
    SmallestAtDisagreement: lambda claim: decide_by_cases(claim, decide_agreement, decision_of),
    ConstantBaseline: lambda claim: decide_constant_baseline(claim, decision_of),
    AllOf: lambda claim: decide_combination(claim, decision_of),
    AnyOf: lambda claim: decide_combination(claim, decision_of),
    SameOrder: lambda claim: decide_same_order(claim, decision_of),
}


def decide(claim: Claim, *, metric: str, property: str) -> Verdict:
    """Decide a claim: proved, refuted, conditional on the parameters, or open, each with its evidence.

    :param metric: the metric's name, for the verdict
    :param property: the property's key, for the verdict
    """
    return Verdict.of(decision_of(claim), claim, metric=metric, property=property)


def decide_or_at_defaults(claim: Claim, *, metric: str, property: str) -> Verdict:
    """Decide a claim; if it is open in general, then at the default parameters, which an open verdict says as well.

    :param metric: the metric's name, for the verdict
    :param property: the property's key, for the verdict
    """
    decision = decided_at_defaults(claim, decision_of(claim), decision_of)
    return Verdict.of(decision, claim, metric=metric, property=property)


def decision_of(claim: Claim) -> Decision:
    """Decide a claim, whosever it is."""
    try:
        return _DECIDERS[type(claim)](claim)
    except UnsupportedError as error:
        return Decision("open", None, Evidence("open", f"open: {error}"))
    except DEFECTS as error:
        # SymPy gives up in many ways on formulas far from any metric; what was not decided is open.
        reason = f"open: deciding it ended with {type(error).__name__}: {error}"
        return Decision("open", None, Evidence("open", reason))


def modules_of(claim: Claim) -> frozenset[str]:
    """Return the modules whose source settles how a claim is decided; with what they import, nothing else does."""
    return _modules_of(claim) | ({decided_at_defaults.__module__} if claim.parameters else set())


def _modules_of(claim: Claim) -> frozenset[str]:
    if isinstance(claim, Combination):
        parts = (_modules_of(part) for _, part in claim.parts)
        return frozenset({decide_combination.__module__}.union(*parts))
    return frozenset({_DECIDERS[type(claim)].__module__})
