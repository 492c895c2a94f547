"""Each forged certificate of the tables is refused for its reason, and each true one that they are made of passes."""

from __future__ import annotations

import json

import pytest
from effort import in_one_test
from forging import Forgery, Truth, forgeries, refusal, truths


@in_one_test
@pytest.mark.parametrize("truth", truths(), ids=lambda truth: truth.asked)
def test_what_forgeries_are_made_of_passes(truth: Truth) -> None:
    assert refusal(truth.check, truth.certificate()) is None


@in_one_test
@pytest.mark.parametrize("forgery", forgeries(), ids=lambda forgery: forgery.name)
def test_a_forgery_is_refused_for_its_reason(forgery: Forgery) -> None:
    """A reason in the tables that ends in an ellipsis goes on with what another reader says, of formulas or JSON."""
    lie = forgery.certificate()
    assert json.dumps(lie) != json.dumps(forgery.truth.certificate()), "nothing is altered"
    reason = refusal(forgery.truth.check, lie)
    assert reason is not None, "it is accepted"
    expected = forgery.refused
    assert reason.startswith(expected[:-1]) if expected.endswith("…") else reason == expected
