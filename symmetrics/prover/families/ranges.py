"""The range of a formula: its supremum and infimum, each with a table or curve that attains or approaches it."""

from __future__ import annotations

from symmetrics.claims.evidence import Decision, Evidence, open_decision
from symmetrics.claims.families.limits import Bounded
from symmetrics.claims.values import Range
from symmetrics.claims.wording.values import known_ends
from symmetrics.prover.engine.cases import Decide, decide_by_cases
from symmetrics.prover.engine.ends import End, end_of, number_text
from symmetrics.tools.errors import UnsupportedError


def decide(claim: Bounded, decide_part: Decide) -> Decision:
    """Decide whether a formula is bounded, and its range.

    :param decide_part: function that decides an inequality
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
    found = _range(**ends) if len(ends) == 2 else None
    if infinite:
        return Decision("refuted", False, Evidence("range", record), found=found)
    if len(ends) == 2:
        return Decision("proved", True, Evidence("range", record), found=found)
    return open_decision("; ".join([*known_ends(record), *reasons]))


def _range(lower: End, upper: End) -> Range:
    """Return a range, with whether its ends are attained at positive cells."""
    attained = {"yes": True, "no": False, "not decided": None}
    bounds = number_text(lower.bound), number_text(upper.bound)
    return Range(*bounds, attained[lower.attained], attained[upper.attained])
