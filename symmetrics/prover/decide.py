"""From a claim to a verdict: each family of claims has a module that decides it."""

from __future__ import annotations

import inspect
import logging
from collections.abc import Callable
from importlib import import_module
from typing import Any, Final, Protocol, cast

from symmetrics.claims import Claim, Combination
from symmetrics.claims.evidence import Decision, open_decision
from symmetrics.claims.families import FAMILIES
from symmetrics.claims.verdict import Verdict
from symmetrics.prover import families
from symmetrics.prover.engine.defaults import decided_at_defaults
from symmetrics.prover.engine.defects import DEFECTS, reason_for
from symmetrics.tools.budget import checkpoint
from symmetrics.tools.errors import SymmetricsError, UnsupportedError

_LOG: Final = logging.getLogger(__name__)


class Family(Protocol):
    """Protocol of a family's module."""

    __name__: str

    def decide(self, claim: Any, decide_part: Callable[[Claim], Decision], /) -> Decision:
        """Decide a claim of the family.

        :param decide_part: decides the other claims that this one reduces to; a family that needs none leaves it
            without a name, as ``_``, and its verdicts rest on its own module alone
        """


def decide(claim: Claim, *, metric: str, property: str) -> Verdict:
    """Decide a claim: proved, refuted, conditional on the parameters, or open, each with its evidence.

    :param metric: the metric's name, for the verdict
    :param property: the property's key, for the verdict
    """
    return Verdict.of(decision_of(claim), claim, metric=metric, property=property)


def decide_or_at_defaults(claim: Claim, *, metric: str, property: str) -> Verdict:
    """Decide a claim; if it is open in general, decide it at the default parameters and say so in the open verdict.

    :param metric: the metric's name, for the verdict
    :param property: the property's key, for the verdict
    """
    decision = decision_of(claim)
    if decision.status == "open" and claim.parameters:
        decision = decided_at_defaults(claim, decision, decision_of)
    return Verdict.of(decision, claim, metric=metric, property=property)


def decision_of(claim: Claim) -> Decision:
    """Decide a claim by the module of its family."""
    try:
        checkpoint()
        return family(claim).decide(claim, decision_of)
    except UnsupportedError as error:
        return open_decision(str(error))
    except SymmetricsError:
        raise
    except DEFECTS as error:
        _LOG.debug("a claim stays open because of an exception", exc_info=error)
        return open_decision(reason_for(error))


def family(claim: Claim) -> Family:
    """Return the module that decides a claim."""
    return cast(Family, import_module(f"{families.__name__}.{FAMILIES[type(claim)]}"))


def modules_of(claim: Claim) -> frozenset[str]:
    """Modules whose code determines the decision on a claim, together with what they import.

    A family that asks for no other claims rests on its own module.  One that does may ask for those of any family,
    which this module reaches.
    """
    return _modules_of(claim) | ({decided_at_defaults.__module__} if claim.parameters else set())


def _modules_of(claim: Claim) -> frozenset[str]:
    module = family(claim)
    if isinstance(claim, Combination):
        return frozenset({module.__name__}.union(*(_modules_of(part) for _, part in claim.parts)))
    return frozenset({module.__name__, reason_for.__module__} if _asks_for_none(module) else {__name__})


def _asks_for_none(module: Family) -> bool:
    """Whether a family decides its claims without deciding other claims."""
    return "_" in inspect.signature(module.decide).parameters
