"""One module for each family of claims: does the evidence establish the verdict?

Each has the name under which its family is registered in :mod:`symmetrics.claims.families`.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, Protocol, cast

from symmetrics.claims import Claim
from symmetrics.claims.families import FAMILIES
from symmetrics.claims.verdict import Verdict

__all__ = ["Family", "family"]


class Family(Protocol):
    """Protocol of a family's module."""

    def check(self, verdict: Verdict, claim: Any, check_part: Callable[[Verdict], None], /) -> None:
        """Re-verify the verdict on a claim of the family.

        :param check_part: function that re-verifies the verdicts that it comes down to
        :raises CertificateError: if the evidence does not establish it
        """


def family(claim: Claim) -> Family:
    """Return the module that re-verifies verdicts on a claim."""
    return cast(Family, import_module(f"{__name__}.{FAMILIES[type(claim)]}"))
