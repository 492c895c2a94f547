"""What other packages compute: every call gives the same here, or differs for a reason with a name."""

from __future__ import annotations

import json
import lzma
import re
import warnings
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from effort import some
from scikit_learn_side_by_side import QUESTIONS, asked, compared, judged, shown
from side_by_side_inputs import Question
from sklearn_calls import DATA, unpacked
from sklearn_differences import DIFFERENCES, Call, outcome
from sklearn_equivalents import EQUIVALENTS

import symmetrics as sm
from symmetrics.tools.errors import LabelWarning, SymmetricsError

# -- sklearn calls -----------------------------------------------------------------------------------------------------


UNRECORDED = {"precision_recall_curve", "roc_curve"}
"""Functions that benchmarks/scikit_learn_side_by_side.py compares alone."""


@cache
def recorded_calls() -> dict[str, Any]:
    """Return what is recorded: the calls, and how many were left out of which functions."""
    found: dict[str, Any] = json.loads(lzma.decompress(DATA.read_bytes()))
    assert {call["name"] for call in found["calls"]} == set(EQUIVALENTS) - UNRECORDED
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


def explained(call: Call) -> str:
    """Return what became of a call."""
    found = outcome(call)
    assert found is not None, (call.name, call.given, call.result, call.value, call.refusal)
    return found


@pytest.mark.parametrize("name", sorted(set(EQUIVALENTS) - UNRECORDED))
def test_every_recorded_call_gives_the_same_or_differs_for_a_named_reason(name: str) -> None:
    calls = [call for call in recorded_calls()["calls"] if call["name"] == name]
    outcomes: Counter[str] = Counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        warnings.simplefilter("ignore", LabelWarning)
        for recorded in some(calls, 30, name):
            outcomes[explained(replayed(recorded))] += 1
    assert outcomes["the same"] >= 0.25 * outcomes.total(), outcomes


def test_most_of_what_was_called_was_recorded() -> None:
    assert len(recorded_calls()["calls"]) > 6000
    assert sum(recorded_calls()["left_out"].values()) < 0.02 * len(recorded_calls()["calls"])


UNSEEN = {"labels_of_columns"}
"""Differences of which no recorded call is one; each has a test of its own, as all have."""


@pytest.mark.thorough
def test_every_reason_is_that_of_some_call() -> None:
    found = {explained(replayed(recorded)) for recorded in recorded_calls()["calls"]}
    assert found == {"the same", "refused by both", *DIFFERENCES} - UNSEEN


# -- side by side ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", QUESTIONS)
def test_every_difference_on_hostile_inputs_has_a_name(kind: str) -> None:
    pairs = 0
    for seed in some(list(range(1000, 1020)), 2, kind):
        for _, call, found in compared(kind, range(seed, seed + 1)):
            assert found is not None, shown(call)
            pairs += 1
    assert pairs > 10


def test_a_wrong_value_has_no_name() -> None:
    """Labels that scikit-learn refuses explain that it has no answer, but not any answer here."""
    question = Question("accuracy_score", {"y_true": [0.5, 1.5, 1.5], "y_pred": [0.5, 0.5, 1.5], "sample_weight": None})
    call = asked(question)
    assert judged(call) == "any_label"
    assert judged(call._replace(value=1 / 3)) is None
    weighted = Question(
        "recall_score",
        {"y_true": [0, 1, 2], "y_pred": [0, 0, 2], "average": "macro", "sample_weight": np.array([1, 1, 0])},
    )
    call = asked(weighted)
    assert (call.result, call.value, judged(call)) == (1 / 3, 1 / 2, "weight_of_0")
    assert judged(call._replace(value=0.4)) is None


# -- coming from pycm --------------------------------------------------------------------------------------------------


PAGE = (Path(__file__).resolve().parent.parent / "docs" / "coming_from_pycm.md").read_text(encoding="utf-8")
TABLES = [(40, 10, 20, 130), (7, 3, 11, 29), (101, 55, 13, 77)]
ROW = re.compile(r"`([^`|]+)` \| `(\w+)`")


def names(part: int) -> list[tuple[str, str]]:
    """Return PyCM's names and the keys here, of a table of the page."""
    tables = [block for block in PAGE.split("\n\n") if block.startswith("| PyCM")]
    return ROW.findall(tables[part])


@pytest.mark.parametrize("counts", TABLES)
def test_the_names_of_the_page_have_the_values_of_pycm(counts: tuple[int, int, int, int]) -> None:
    pycm = pytest.importorskip("pycm")
    tp, fn, fp, tn = counts
    matrix = pycm.ConfusionMatrix(matrix={1: {1: tp, 0: fn}, 0: {1: fp, 0: tn}})
    for statistic, key in names(0):
        assert sm.metrics[key].from_counts(*counts) == pytest.approx(matrix.class_stat[statistic][1], rel=1e-9)
    for statistic, key in names(1):
        assert sm.metrics[key].from_counts(*counts) == pytest.approx(matrix.overall_stat[statistic], rel=1e-9)
    recall, specificity = (sm.metrics[key].from_counts(*counts) for key in ("tpr", "tnr"))
    assert (1 + recall - specificity) * recall * specificity == pytest.approx(matrix.class_stat["IBA"][1], rel=1e-9)


def test_every_name_of_the_page_is_a_metric() -> None:
    listed = [*names(0), *names(1)]
    assert len(listed) == 70
    for _, key in listed:
        assert sm.metrics[key].name == key
