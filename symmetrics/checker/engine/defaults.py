"""Open verdicts with what holds at the default parameters re-verified."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from symmetrics.checker.engine.parts import read_part
from symmetrics.checker.engine.requirements import require
from symmetrics.claims.values import AtDefaults
from symmetrics.claims.verdict import Verdict

__all__ = ["check_open_with_defaults"]


def check_open_with_defaults(verdict: Verdict, claim: Any, check: Callable[[Verdict], None]) -> None:
    """Re-verify what an open verdict says of the default parameters: it has to be all that it says.

    :param check: what re-verifies the verdict on the claim at the defaults
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
