"""One module for each family of claims: proved, refuted, conditional on the parameters, or open.

Each has the name under which its family is registered in :mod:`symmetrics.claims.families`.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, Protocol, cast

from symmetrics.claims import Claim
from symmetrics.claims.families import family_of
from symmetrics.claims.verdict import Decision

__all__ = ["Family", "family"]


class Family(Protocol):
    """What the module of a family offers."""

    __name__: str

    def decide(self, claim: Any, decide_part: Callable[[Claim], Decision], /) -> Decision:
        """Decide a claim of the family.

        :param decide_part: what decides other claims that it comes down to; a family that asks for none leaves it
            without a name, as ``_``, and its verdicts rest on its own module alone
        """


def family(claim: Claim) -> Family:
    """Return the module that decides a claim."""
    return cast(Family, import_module(f"{__name__}.{family_of(claim)}"))
