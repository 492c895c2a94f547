"""From a claim to a verdict: each family of claims has a module that decides it."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, Final

from sympy import SympifyError
from sympy.polys.polyerrors import BasePolynomialError

from symmetrics.claims import (
    Affine,
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
from symmetrics.claims.verdict import Decision, Verdict, open_decision
from symmetrics.prover.engine.cases import decide_by_cases
from symmetrics.prover.engine.defaults import decided_at_defaults
from symmetrics.prover.families.affine import decide_affine
from symmetrics.prover.families.agreement import decide_agreement
from symmetrics.prover.families.baselines import decide_constant_baseline
from symmetrics.prover.families.combinations import decide_combination
from symmetrics.prover.families.definedness import decide_defined
from symmetrics.prover.families.directions import decide_direction_space
from symmetrics.prover.families.equations import decide_identity
from symmetrics.prover.families.groups import decide_symmetry_group
from symmetrics.prover.families.inequalities import decide_inequality
from symmetrics.prover.families.limits import decide_finite_limit
from symmetrics.prover.families.orders import decide_same_order
from symmetrics.prover.families.ranges import decide_bounded
from symmetrics.prover.families.ratios import decide_ratio
from symmetrics.tools.budget import checkpoint
from symmetrics.tools.errors import SymmetricsError, UnsupportedError

__all__ = ["decide", "decide_or_at_defaults", "modules_of"]

_LOG: Final = logging.getLogger(__name__)

# What SymPy and others raise where they give up on a formula far from any metric: a verdict stays open, and is never
# decided by it.
DEFECTS: Final = (
    ArithmeticError,
    AttributeError,
    BasePolynomialError,
    LookupError,
    MemoryError,
    NotImplementedError,
    RecursionError,
    SympifyError,
    TypeError,
    ValueError,
)

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
    Affine: lambda claim: decide_affine(claim, decision_of),
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
        checkpoint()
        return _DECIDERS[type(claim)](claim)
    except UnsupportedError as error:
        return open_decision(str(error))
    except SymmetricsError:
        raise
    except DEFECTS as error:
        _LOG.debug("a claim stays open because of an exception", exc_info=error)
        return open_decision(_reason(error))


def _reason(error: Exception) -> str:
    """Return what an exception of SymPy, or of Python, says of a formula, and what to do."""
    if isinstance(error, ZeroDivisionError):
        return "a part of the formula divides by zero where it was looked at; simplify it, or leave that part out"
    if isinstance(error, (OverflowError, MemoryError)) or "integer string conversion" in str(error):
        return "a number in it is too large to be computed with; give it smaller exponents or numbers"
    if isinstance(error, RecursionError):
        return "it is nested too deeply to be taken apart; write it with fewer functions inside of one another"
    return (
        "the algebra cannot take the formula apart, as where a part of it has no real value; "
        "write it without roots and logarithms of what may be negative, or bind its parameters"
    )


def modules_of(claim: Claim) -> frozenset[str]:
    """Return the modules whose source settles how a claim is decided; with what they import, nothing else does."""
    return _modules_of(claim) | ({decided_at_defaults.__module__} if claim.parameters else set())


def _modules_of(claim: Claim) -> frozenset[str]:
    if isinstance(claim, Combination):
        parts = (_modules_of(part) for _, part in claim.parts)
        return frozenset({decide_combination.__module__}.union(*parts))
    return frozenset({_DECIDERS[type(claim)].__module__})
