"""Records meet the laws of direction, range and tables without values; what is recorded is what is decided today."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

import effort
import pytest
from effort import is_thorough
from record_laws import LAWS, LAWS_OF_VERDICTS
from recorded import certificate, is_new, recorded
from sympy import Interval, Max, Rational, S

import symmetrics as sm
from symmetrics import FN, FP, TN, TP, Metric
from symmetrics.claims.verdict import Verdict
from symmetrics.language.cells import P, n

_ACCURACY: Final = sm.metrics["accuracy"]


@pytest.mark.parametrize("law", LAWS)
def test_every_record_is_what_it_says(law: str) -> None:
    assert not list(filter(None, map(LAWS[law], sm.metrics.values())))


@pytest.mark.parametrize("key", LAWS_OF_VERDICTS)
def test_every_record_agrees_with_its_verdict(key: str) -> None:
    """The verdicts are those of the last build; one on a record that is newer is decided here."""
    law = LAWS_OF_VERDICTS[key]
    assert not list(filter(None, (law(metric, recorded(name, key)) for name, metric in sm.metrics.items())))


@pytest.mark.parametrize(
    ("law", "wrong", "found"),
    [
        ("direction", replace(_ACCURACY, greater_is_better=False), "raise it and 0 lower it"),
        ("direction", replace(sm.metrics["error_rate"], greater_is_better=True), "0 raise it"),
        ("direction", replace(sm.metrics["kappa"], greater_is_better=None), "say whether greater is better"),
        ("direction", replace(sm.metrics["fnr"], greater_is_better=True), "greater_is_better is True"),
        ("direction", replace(sm.metrics["bray_curtis_of_totals"], greater_is_better=True), "_better is True"),
        ("direction", replace(sm.metrics["adjusted_rand_index"], greater_is_better=False), "_better is False"),
        ("direction", replace(sm.metrics["prevalence"], greater_is_better=True), "0 raise it and 0 lower it"),
        ("range", replace(sm.metrics["kappa"], range=Interval(0, 1)), "outside of Interval"),
        ("range", replace(_ACCURACY, range=Interval(0, S.Half)), "outside of Interval"),
        ("range", replace(sm.metrics["dor"], range=Interval(0, 1)), "outside of Interval"),
        ("range", Metric("mine", TP / (TP + Max(FN, FP) - 1), range=Interval(0, 1)), "outside of Interval"),
        ("ends of the range", replace(_ACCURACY, range=Interval(-1, 1)), "nearer to -1"),
        ("ends of the range", replace(_ACCURACY, range=Interval(0, S.Infinity)), "nearer to oo"),
        ("ends of the range", replace(sm.metrics["gilbert_skill_score"], range=Interval(-S.Half, 1)), "-1/2"),
        # A parameter whose domain is too wide for the range: weights of accuracy that are negative, or above 1.
        (
            "range",
            Metric("mine", "w*TP/(TP+FN) + (1-w)*TN/(TN+FP)", parameters="w in [0, 2] = 1/2", range=Interval(0, 1)),
            "w = 4/3",
        ),
        (
            "range",
            Metric("mine", "TP/(TP + w*FN + FP)", parameters="w in [-oo, oo] = 1", range=Interval(0, 1)),
            "w = ",
        ),
        (
            "range",
            Metric("mine", "TP/(TP + w*FN + FP)", parameters="w in (-1/8, 1] = 1", range=Interval(0, 1)),
            "w = ",
        ),
    ],
)  # fmt: skip
def test_a_wrong_record_is_found(law: str, wrong: Metric, found: str) -> None:
    assert found in str(LAWS[law](wrong))


@pytest.mark.parametrize(
    ("key", "wrong", "verdict_on", "found"),
    [
        ("range", replace(sm.metrics["kappa"], range=Interval(0, 1)), "kappa", "is proved"),
        ("range", replace(_ACCURACY, range=Interval(0, Rational(3, 4))), "accuracy", "is proved"),
        ("defined", replace(_ACCURACY, expr=(TP + TN) / (n - 2 * P)), "hamming_distance", "is proved to"),
        ("defined", Metric("mine", (FN + 1) / (TP + TN + 1)), "precision", "the witness of its verdict"),
    ],
)
def test_a_record_that_is_not_what_was_proved_is_found(key: str, wrong: Metric, verdict_on: str, found: str) -> None:
    assert found in str(LAWS_OF_VERDICTS[key](wrong, recorded(verdict_on, key)))


def test_a_sample_never_leaves_out_a_record_without_certificates(monkeypatch: pytest.MonkeyPatch) -> None:
    """The laws that meet a few records in a default run meet each new one."""
    added: dict[str, Any] = {**sm.metrics, "added": Metric("added", TP / (TP + FN + FP + 1))}
    monkeypatch.setattr(sm, "metrics", added)
    is_new.cache_clear()
    cases = [{"name": name} for name in added]
    for seed in map(str, range(20)):
        kept = effort.sampled(cases, 3, seed)
        assert len(cases) - 1 in kept
    assert not is_new("accuracy")
    assert not is_new(FP)
    assert not is_new("recall of cats")


@pytest.fixture(autouse=True)
def _forgotten() -> Any:
    yield
    is_new.cache_clear()


# What the prover decides today is what the certificates record, and the checker accepts it as it was decided.

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
