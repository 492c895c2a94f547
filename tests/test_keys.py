"""A certificate's key rests on every definition that runs while the certificate is made."""

from __future__ import annotations

import sys
from functools import cache
from types import FrameType
from typing import Any

import pytest
from effort import some

import symmetrics as sm
from symmetrics.claims import Claim
from symmetrics.claims.verdict import Verdict
from symmetrics.matrices.deciding import CLASSES, properties_at_size
from symmetrics.prover import decide_or_at_defaults
from symmetrics.repository.certificates import code_of_certificate
from symmetrics.tools import sources

Definition = tuple[str, str]
"""A module, and the name of a function or class in it."""
DISPATCH = "symmetrics.prover.decide"
"""It looks for the module of a family by its name; a key that rested on it would rest on all families."""
SUBJECTS = ("f1", "mcc", "cwa", "gmean", "yule_q", "f_beta", "agm", "log_odds_ratio", "wauc")


@cache
def used(module: str) -> frozenset[Definition]:
    """Return the definitions on which the fingerprint of a module rests."""
    modules: dict[str, sources.Module] = {}
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name not in modules:
            modules[name] = sources._read(name)
            waiting.extend(modules[name].needs)
    counted = {id(statement) for statement in sources._used(module, modules)}
    return frozenset(
        (name, defined)
        for name, content in modules.items()
        for statement in content.statements
        if id(statement) in counted
        for defined in statement.defines
    )


def certified(claim: Claim, metric: str, key: str) -> set[Definition]:
    """Decide a claim and write the certificate; return the definitions of the package that ran."""
    ran: set[Definition] = set()
    importing = 0

    def note(frame: FrameType, event: str, _: Any) -> None:
        nonlocal importing
        name, code = frame.f_globals.get("__name__", ""), frame.f_code
        if code.co_name == "<module>":
            importing += {"call": 1, "return": -1}.get(event, 0)
        elif event == "call" and not importing and name.startswith("symmetrics."):
            ran.add((name, code.co_qualname.partition(".")[0]))

    sys.setprofile(note)
    try:
        decide_or_at_defaults(claim, metric=metric, property=key).certificate()
    finally:
        sys.setprofile(None)
    # What dataclasses generate has the class as its source, and a nameless function the statement that holds it.
    return {(module, name) for module, name in ran if not name.startswith(("<", "__")) and module != DISPATCH}


@pytest.mark.parametrize("key", some(list(sm.properties), 6))
def test_what_runs_while_a_certificate_is_made_is_in_its_key(key: str) -> None:
    for metric in SUBJECTS:
        claim = sm.properties[key].claim(sm.metrics[metric])
        rests_on = frozenset().union(*map(used, code_of_certificate(claim)))
        assert certified(claim, metric, key) <= rests_on, metric


@pytest.mark.parametrize("metric", some(["mavg", "cba", "kappa", "av_acc"], 1))
def test_the_same_of_metrics_of_matrices(metric: str) -> None:
    for each in properties_at_size(CLASSES):
        claim = each.of(sm.multiclass[metric], CLASSES)
        rests_on = frozenset().union(*map(used, code_of_certificate(claim)))
        assert certified(claim, metric, each.name) <= rests_on, each.name


def test_the_writer_of_certificates_is_in_every_key() -> None:
    claim = sm.properties["p1"].claim(sm.metrics["f1"])
    assert Verdict.__module__ in code_of_certificate(claim)
