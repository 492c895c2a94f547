"""No verdict contradicts what follows from others."""

from __future__ import annotations

import pytest
from recorded import holds, status

import symmetrics as sm
from symmetrics.library.properties.implications import IMPLICATIONS, Implication


@pytest.mark.sampled(10)
@pytest.mark.parametrize("implication", IMPLICATIONS, ids=str)
def test_no_verdict_contradicts_an_implication(implication: Implication) -> None:
    met = 0
    for name in sm.metrics:
        if any(status(name, key) != "proved" for key in implication.premises):
            continue
        met += 1
        assert holds(name, implication.conclusion) in (implication.holds, None), name
    assert met, "no metric of the library has the premises"


def test_every_key_is_a_property() -> None:
    keys = {key for implication in IMPLICATIONS for key in (*implication.premises, implication.conclusion)}
    assert keys <= set(sm.properties)
