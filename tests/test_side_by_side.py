"""A sample of what benchmarks/scikit_learn_side_by_side.py compares: no answer differs for a reason without a name."""

from __future__ import annotations

import numpy as np
import pytest
from effort import some
from scikit_learn_side_by_side import QUESTIONS, asked, compared, judged, shown
from side_by_side_inputs import Question


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
