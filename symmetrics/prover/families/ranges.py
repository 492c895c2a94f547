"""The range of a formula: its least upper and its greatest lower bound, each with what reaches it."""

from __future__ import annotations

from symmetrics.claims.families.ranges import Bounded
from symmetrics.claims.verdict import Decision, Evidence, open_decision
from symmetrics.claims.wording.curves import known_ends
from symmetrics.prover.engine.cases import Decide, decide_by_cases
from symmetrics.prover.engine.ends import End, end_of, number_text
from symmetrics.tools.errors import UnsupportedError

__all__ = ["decide"]


def decide(claim: Bounded, decide_part: Decide) -> Decision:
    """Decide whether a formula is bounded, and in what range its values lie.

    :param decide_part: what decides an inequality
    """
    return decide_by_cases(claim, _whole, decide_part)


def _whole(claim: Bounded, decide_part: Decide, _: object) -> Decision:
    """Decide the claim for all values of its parameters at once."""
    ends: dict[str, End] = {}
    reasons = []
    for name, sign in (("lower", -1), ("upper", 1)):
        try:
            ends[name] = end_of(claim, sign, decide_part)
        except UnsupportedError as error:
            reasons.append(f"{name} end: {error}")
    record = {name: end.record() for name, end in ends.items()}
    infinite = [name for name, end in ends.items() if end.proof is None]
    value = _range_text(ends["lower"], ends["upper"]) if len(ends) == 2 else None
    if infinite:
        return Decision("refuted", False, Evidence("range", record), value=value)
    if len(ends) == 2:
        return Decision("proved", True, Evidence("range", record), value=value)
    return open_decision("; ".join([*known_ends(record), *reasons]))


def _range_text(lower: End, upper: End) -> str:
    """Write a range with square brackets at ends that are attained at positive cells.

    Where this is not decided the ends are only named.
    """
    if "not decided" in (lower.attained, upper.attained):
        return f"from {number_text(lower.bound)} to {number_text(upper.bound)}"
    left, right = "[" if lower.attained == "yes" else "(", "]" if upper.attained == "yes" else ")"
    return f"{left}{number_text(lower.bound)}, {number_text(upper.bound)}{right}"
