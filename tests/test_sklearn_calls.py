"""Every call of scikit-learn's own tests gives the same here, to 1e-12, or differs for a reason that has a name.

The calls are recorded by ``python tests/sklearn_calls.py``, and the reasons stand in sklearn_differences.
"""

from __future__ import annotations

import json
import lzma
import warnings
from collections import Counter
from functools import cache
from typing import Any

import numpy as np
import pytest
from effort import some
from sklearn_calls import DATA, unpacked
from sklearn_differences import DIFFERENCES, Call
from sklearn_equivalents import EQUIVALENTS

from symmetrics.tools.errors import LabelWarning, SymmetricsError


@cache
def recorded_calls() -> dict[str, Any]:
    """Return what is recorded: the calls, and how many were left out of which functions."""
    found: dict[str, Any] = json.loads(lzma.decompress(DATA.read_bytes()))
    assert {call["name"] for call in found["calls"]} == set(EQUIVALENTS)
    return found


def replayed(recorded: dict[str, Any]) -> Call:
    """Make a recorded call here."""
    name = recorded["name"]
    given = {key: unpacked(value) for key, value in recorded["given"].items()}
    result = None if recorded["error"] else unpacked(recorded["result"])
    try:
        return Call(name, given, result, EQUIVALENTS[name].call(given), "")
    except SymmetricsError as error:
        return Call(name, given, result, None, str(error))


def agree(ours: Any, theirs: Any) -> bool:
    """Return whether two results are the same numbers, of the same shape."""
    if isinstance(theirs, tuple):  # precision_recall_fscore_support has the support, too
        return len(ours) <= len(theirs) and all(map(agree, ours, theirs))
    one, other = (np.asarray(value, dtype=np.float64) for value in (ours, theirs))
    return one.shape == other.shape and bool(np.allclose(one, other, rtol=1e-12, atol=1e-12, equal_nan=True))


def outcome(call: Call) -> str:
    """Return what became of a call: the same, refused by both, or the name of a difference."""
    if call.refusal and call.result is None:
        return "refused by both"
    if not call.refusal and call.result is not None and agree(call.value, call.result):
        return "the same"
    reasons = [name for name, difference in DIFFERENCES.items() if difference.explains(call)]
    assert reasons, (call.name, call.given, call.result, call.value, call.refusal)
    return reasons[0]


@pytest.mark.parametrize("name", sorted(EQUIVALENTS))
def test_every_recorded_call_gives_the_same_or_differs_for_a_named_reason(name: str) -> None:
    calls = [call for call in recorded_calls()["calls"] if call["name"] == name]
    outcomes: Counter[str] = Counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        warnings.simplefilter("ignore", LabelWarning)
        for recorded in some(calls, 30, name):
            outcomes[outcome(replayed(recorded))] += 1
    assert outcomes["the same"] >= 0.25 * outcomes.total(), outcomes


def test_most_of_what_was_called_was_recorded() -> None:
    assert len(recorded_calls()["calls"]) > 6000
    assert sum(recorded_calls()["left_out"].values()) < 0.02 * len(recorded_calls()["calls"])


UNSEEN = {"labels_of_columns"}
"""Differences of which no recorded call is one; each has a test of its own, as all have."""


@pytest.mark.thorough
def test_every_reason_is_that_of_some_call() -> None:
    found = {outcome(replayed(recorded)) for recorded in recorded_calls()["calls"]}
    assert found == {"the same", "refused by both", *DIFFERENCES} - UNSEEN
