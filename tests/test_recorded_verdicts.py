"""What the prover decides today is what the certificates record, and the checker accepts it as it was decided."""

from __future__ import annotations

import pytest
from effort import is_thorough
from recorded import certificate

import symmetrics as sm
from symmetrics.claims.verdict import Verdict

METRICS = sorted(sm.metrics)
PROPERTIES = sorted(sm.properties)
START = 5  # so that none of the questions takes long
STATED = ("claim", "status", "holds", "condition", "value", "witness")


@pytest.mark.parametrize("place", range(len(PROPERTIES)), ids=PROPERTIES)
def test_a_verdict_is_decided_as_it_is_recorded(place: int) -> None:
    """Every property, for some metrics; over all properties an eighth of them are met."""
    key, stride = PROPERTIES[place], len(PROPERTIES)
    for name in METRICS if is_thorough() else METRICS[(place + START) % stride :: 8 * stride]:
        anew = sm.prove(name, key)
        sm.check(anew)
        kept = certificate(name, key)
        if kept is not None:  # it is none until the next build where the definition is new
            read = Verdict.from_certificate(kept)
            assert {field: getattr(anew, field) for field in STATED} == {
                field: getattr(read, field) for field in STATED
            }, name


def test_the_certificates_are_found() -> None:
    """Otherwise the laws that read them would decide everything anew."""
    missing = [(name, key) for name in METRICS for key in PROPERTIES if certificate(name, key) is None]
    assert not missing, "new records have no certificates before 'symmetrics build'"


def test_a_certificate_about_another_definition_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    assert certificate.__wrapped__("f1", "p2") is not None
    monkeypatch.setattr(sm, "metrics", {"f1": sm.Metric("f1", sm.TP / (sm.TP + sm.FN))})
    assert certificate.__wrapped__("f1", "p2") is None
