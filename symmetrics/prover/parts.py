"""What a certificate holds of the decision on a part of a claim."""

from __future__ import annotations

from typing import Any

from symmetrics.claims import Claim
from symmetrics.verdict import Decision, Verdict

__all__ = ["part_record"]


def part_record(decision: Decision, claim: Claim) -> dict[str, Any]:
    """Return all of a decision but its claim, which follows from the whole, and the words for people."""
    whole = Verdict.of(decision, claim, metric="", property="").certificate()
    kept = ("status", "holds", "condition", "witness", "value", "certificate")
    return {key: whole[key] for key in kept if whole.get(key) is not None}
