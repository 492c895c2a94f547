"""Certificates that were tampered with are rejected, and the keys that they are kept under say what they rest on."""

from __future__ import annotations

import copy
import sys
from functools import cache
from types import FrameType
from typing import Any

import pytest
from effort import in_one_test, some
from forging import reworded

import symmetrics as sm
from symmetrics.claims import Claim
from symmetrics.claims.verdict import Verdict
from symmetrics.matrices.deciding import CLASSES, properties_at_size
from symmetrics.prover import decide_or_at_defaults
from symmetrics.repository.certificates import code_of_certificate
from symmetrics.tools import sources

SUBJECTS = [
    ("mcc", "p1"),
    ("precision", "p2"),
    ("gmean", "p1"),
    ("optimized_precision", "p1"),
    ("f1", "p3"),
    ("agm", "p4"),
    ("cwa", "p1"),
    ("iba_gmean", "p2"),
    ("f_beta", "p5"),
    ("weighted_accuracy", "p1"),
]


def certificate(metric: str, key: str) -> dict:
    return copy.deepcopy(sm.prove(metric, key).certificate())


def check(data: dict) -> None:
    sm.check(reworded(data))


def rejected(data: dict) -> None:
    with pytest.raises(sm.CertificateError):
        check(data)


@in_one_test
@pytest.mark.parametrize(("metric", "key"), SUBJECTS)
def test_a_certificate_survives_the_round_trip(metric, key):
    verdict = sm.prove(metric, key)
    again = sm.Verdict.from_json(verdict.to_json())
    assert again.to_json() == verdict.to_json()
    assert again.claim == verdict.claim
    check(certificate(metric, key))


@in_one_test
@pytest.mark.parametrize("status", ["proved", "refuted", "conditional", "open", "true", None])
@pytest.mark.parametrize(("metric", "key"), SUBJECTS)
def test_another_status_is_rejected(metric, key, status):
    data = certificate(metric, key)
    if data["status"] != status:
        data["status"] = status
        rejected(data)


@in_one_test
@pytest.mark.parametrize("holds", [True, False, None])
@pytest.mark.parametrize(("metric", "key"), SUBJECTS)
def test_another_truth_value_is_rejected(metric, key, holds):
    data = certificate(metric, key)
    if data["holds"] is not holds:
        data["holds"] = holds
        rejected(data)


def _of_matrices(metric: str, key: str) -> dict:
    return copy.deepcopy(sm.prove(sm.multiclass[metric], key, k=2).certificate())


@in_one_test
@pytest.mark.parametrize(
    "made",
    [
        *(lambda metric=metric, key=key: certificate(metric, key) for metric, key in SUBJECTS),
        lambda: certificate("mcc", "symmetry_group"),
        lambda: certificate("mcc", "constant_baseline"),
        *(
            lambda metric=metric, key=key: _of_matrices(metric, key)
            for metric in ("kappa", "accuracy")
            for key in ("symmetry_group", "defined", "constant_baseline")
        ),
    ],
)
def test_a_truth_value_that_is_a_number_is_rejected(made):
    data = made()
    for kind in (int, float):
        if data["holds"] is not None:
            rejected(data | {"holds": kind(data["holds"])})


@in_one_test
@pytest.mark.parametrize(("metric", "key"), SUBJECTS)
@pytest.mark.parametrize("other", ["accuracy", "tnr", "kappa"])
def test_a_certificate_for_another_metric_is_rejected(metric, key, other):
    data = certificate(metric, key)
    data["metric"] = other
    rejected(data)
    verdict = sm.Verdict.from_certificate(certificate(metric, key))
    with pytest.raises(sm.CertificateError):
        sm.check(verdict, metric=other)


@in_one_test
@pytest.mark.parametrize(("metric", "key"), SUBJECTS)
def test_a_certificate_for_another_property_is_rejected(metric, key):
    for other in some(sm.properties, 8, metric):
        if other != key:
            data = certificate(metric, key)
            data["property"] = other
            rejected(data)


WITNESSED = [(metric, key) for metric, key in SUBJECTS if sm.prove(metric, key).witness is not None]


@in_one_test
@pytest.mark.parametrize(("metric", "key"), WITNESSED)
def test_swapped_and_altered_witnesses_are_rejected(metric, key):
    data = certificate(metric, key)
    data["witness"]["tables"].reverse()
    rejected(data)
    for table in range(2):
        for cell in ("tp", "fn", "fp", "tn"):
            for change in some((1, -1, 0.5), 1, f"{cell} of table {table}"):
                data = certificate(metric, key)
                data["witness"]["tables"][table][cell] += change
                rejected(data)
        data = certificate(metric, key)
        data["witness"]["values"][table] = "1/7"
        rejected(data)
    data = certificate(metric, key)
    data["witness"]["values"][0] = data["witness"]["values"][1]
    rejected(data)


@in_one_test
@pytest.mark.parametrize("part", ["claim", "certificate", "witness", "condition", "status", "holds", "metric"])
@pytest.mark.parametrize(("metric", "key"), SUBJECTS)
def test_a_missing_part_is_rejected(metric, key, part):
    data = certificate(metric, key)
    if data[part] is not None:
        del data[part]
        rejected(data)


@pytest.mark.parametrize("key", ["p2", "range", "tn_limit", "decomposable"])
def test_parameters_are_a_list_and_nothing_that_passes_for_an_empty_one(key: str) -> None:
    data = certificate("precision", key)
    assert data["claim"]["parameters"] == []
    check(data)
    for other in ({}, "", None):
        data["claim"]["parameters"] = other
        rejected(data)


@in_one_test
@pytest.mark.parametrize("condition", ["w = 1/3", "w = 1/2 or w = 1/3", "w != 1/2", "always", "never", "w = w"])
def test_a_wrong_condition_is_rejected(condition):
    data = certificate("cwa", "p1")
    data["condition"] = condition
    rejected(data)


def test_a_condition_that_leaves_out_or_adds_a_branch_is_rejected():
    whole = certificate("weighted_accuracy", "p1")["condition"].split(" or ")
    assert len(whole) == 3
    for wrong in ([*whole[:2]], [*whole[1:]], [*whole, "w1 = 0"], [*whole, "(w1 = w4 and w2 = 0)"]):
        data = certificate("weighted_accuracy", "p1")
        data["condition"] = " or ".join(wrong)
        rejected(data)


def _nodes(tree):
    yield tree
    for value in tree.values():
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, dict):
                yield from _nodes(child)


@pytest.mark.parametrize(("metric", "key"), [("weighted_accuracy", "p1"), ("f_beta", "p5"), ("cwa", "p2")])
def test_a_tree_with_an_altered_step_is_rejected(metric, key):
    count = len(list(_nodes(certificate(metric, key)["certificate"]["tree"])))
    for place in some(range(count), 8, metric):
        for alter in (_drop_child, _other_value, _other_leaf, _other_factor):
            data = certificate(metric, key)
            if alter(list(_nodes(data["certificate"]["tree"]))[place]):
                rejected(data)


def _drop_child(node) -> bool:
    if len(node.get("children", ())) < 2:
        return False
    node["children"].pop()
    return True


def _other_value(node) -> bool:
    if "to" not in node:
        return False
    node["to"] = "17/19"
    return True


def _other_leaf(node) -> bool:
    if node.get("leaf") != "holds":
        return False
    node["leaf"] = "impossible"
    return True


def _other_factor(node) -> bool:
    if "factor" not in node:
        return False
    node["factor"] = "(" + node["factor"] + ") + 1"
    return True


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("sqrt(TP*(TN+FP))/sqrt(TN+FP)", "p2"),
        ("log(TP*FN) - log(FN)", "p5"),
        ("Abs((TP-FN)*TN)/TN", "p2"),
        ("(TP*TN**2)**(1/3)/TN**(2/3)", "p2"),
    ],
)
def test_lies_about_roots_are_rejected(text, key):
    def certificate(metric, key):
        return copy.deepcopy(sm.prove(sm.Metric("own", sm.parse_formula(metric)), key).certificate())

    metric = text
    values = certificate(metric, key)["certificate"]["values"]
    assert values
    for lie in ("0", "1", "-({})", "2*({})", "({})**2", "({}) + TP"):
        data = certificate(metric, key)
        data["certificate"]["values"] = [lie.format(value) for value in values]
        rejected(data)
    data = certificate(metric, key)
    data["certificate"]["values"] = []
    rejected(data)
    data = certificate(metric, key)
    for atom in data["certificate"]["atoms"].values():
        atom["base"] = "TP + 2*TN"
    rejected(data)


@in_one_test
@pytest.mark.parametrize("text", ["", "[]", "{}", "null", "7", '{"metric": "mcc"}', "not json"])
def test_what_is_no_certificate_is_rejected(text):
    with pytest.raises(sm.CertificateError):
        sm.check(sm.Verdict.from_json(text))


# A certificate's key rests on every definition that runs while the certificate is made.

Definition = tuple[str, str]
"""A module, and the name of a function or class in it."""
DISPATCH = "symmetrics.prover.decide"
"""It looks for the module of a family by its name; a key that rested on it would rest on all families."""
SUBJECTS_WITH_KEYS = ("f1", "mcc", "cwa", "gmean", "yule_q", "f_beta", "agm", "log_odds_ratio", "wauc")


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


@pytest.mark.parametrize("key", some(list(sm.properties), 2))
def test_what_runs_while_a_certificate_is_made_is_in_its_key(key: str) -> None:
    for metric in SUBJECTS_WITH_KEYS:
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
