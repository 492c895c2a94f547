"""The verdicts on the library as the certificates state them, which are decided anew in a thorough run alone.

``symmetrics build`` makes the certificates what the prover says today, and ``symmetrics check`` verifies that each
follows from its evidence: a law about verdicts need not decide them once more.  That what is decided anew is what is
recorded has a test of its own, ``test_record_laws.py``.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from effort import is_thorough

import symmetrics as sm
from symmetrics.claims.verdict import Verdict

__all__ = ["certificate", "holds", "is_new", "recorded", "status"]

CERTIFICATES = Path(__file__).parents[1] / "proofs" / "certificates"


@cache
def _certificates(metric: str) -> dict[str, dict[str, Any]]:
    file = CERTIFICATES / f"{metric}.json"
    return {one["property"]: one for one in json.loads(file.read_text(encoding="utf-8"))} if file.exists() else {}


@cache
def certificate(metric: str, key: str) -> dict[str, Any] | None:
    """Return a certificate; none where the last build knew no such record, or another definition."""
    found = _certificates(metric).get(key)
    claim = json.loads(json.dumps(sm.properties[key].claim(sm.metrics[metric]).to_dict()))
    return found if found is not None and found["claim"] == claim else None


@cache
def is_new(value: object) -> bool:
    """Say whether something is a record of the library, or the name of one, that the last build did not know."""
    name = getattr(value, "name", value)
    return isinstance(name, str) and name in sm.metrics and not (CERTIFICATES / f"{name}.json").exists()


@cache
def recorded(metric: str, key: str) -> Verdict:
    """Return the verdict on a metric and a property of the library, decided anew if it is not recorded."""
    found = None if is_thorough() else certificate(metric, key)
    return sm.prove(metric, key) if found is None else Verdict.from_certificate(found)


def status(metric: str, key: str) -> str:
    """Return the status of that verdict."""
    found = None if is_thorough() else certificate(metric, key)
    return recorded(metric, key).status if found is None else found["status"]


def holds(metric: str, key: str) -> bool | None:
    """Say whether the metric has the property."""
    found = None if is_thorough() else certificate(metric, key)
    return recorded(metric, key).holds if found is None else found["holds"]
