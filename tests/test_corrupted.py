"""For every kind of evidence: whatever is altered in a certificate is refused, or changes nothing that is asserted.

The alterations are made by a program, of every leaf, entry and answer; those that a person thought of stand in the
tables of ``test_forged_certificates.py``.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from functools import cache, partial
from random import Random
from typing import Any

import pytest
from effort import is_thorough, some
from evidence_examples import EXAMPLES, own
from forging import asserted, at, changed, leaves, refusal, reworded, valued
from tables import rows

import symmetrics as sm
from symmetrics.claims.verdict import Verdict
from symmetrics.query.relations import relate

Data = dict[str, Any]
KEYS = ("symmetry_group", "translation_space", "scaling_space", "decomposable")
# Of metrics of the library: beside the examples, what once passed or is built in another way.
NAMED = {
    **dict.fromkeys(KEYS, ("mcc", "f1", "cwa", "gmean", "overlap_coefficient")),
    "p1": ("cwa", "gmean", "mcc"),
    "p3": ("f1",),
    "increasing_tp": ("mcc", "extreme_dependency_score"),
    "increasing_tn": ("iba_gmean",),
    "decreasing_fn": ("f_beta",),
    "agreement_increases": ("worst_class_accuracy",),
    "tn_limit": ("kappa", "log_odds_ratio", "fossum"),
    "prevalence_limit": ("example_counterexample_rate", "tversky"),
    "range": ("accuracy", "ample", "lift", "net_benefit", "expected_loss"),
    "defined": ("f1", "baulieu_12", "diagnostic_odds_ratio"),
    "max_agreement": ("jaccard", "precision", "wauc"),
    "min_agreement": ("tpr", "p4", "cwa"),
    "constant_baseline": (
        "auc_single",
        "accuracy",
        "chord_distance",
        "diagnostic_odds_ratio",
        "cwa",
        "tversky",
        "f_beta",
    ),
}
OWN = rows("corrupted", "formulas of our own", 5)
"""A property, a formula and declarations of parameters."""
RELATED = (
    *(
        ("jaccard", "f1", "less_equal"),
        ("f1", "accuracy", "less_equal"),
        ("jaccard", "jaccard_distance", "complement_of"),
    ),
    *(("f1", "kappa", "equal"), ("recall", "precision", "transpose_of"), ("yule_q", "yule_y", "rank_equivalent")),
    ("f1", "mcc", "rank_equivalent"),
)
Subject = tuple[Callable[[], Verdict], sm.Metric | None]


def asked(key: str, metric: str | sm.Metric) -> Subject:
    """Return how a verdict is made, with the metric that it is about unless the library has it."""
    return lambda: sm.prove(metric, key), None if isinstance(metric, str) else metric


SUBJECTS: dict[str, Subject] = {
    **{name: (made, None) for name, made in EXAMPLES.items() if name != "Z3"},
    **{f"{key} of {name}": asked(key, name) for key, names in NAMED.items() for name in names},
    **{f"{key} of {text}{declared}": asked(key, own(text, *declared)) for key, text, *declared in OWN},
    **{f"{row[2]}: {row[0]}, {row[1]}": (partial(relate, *row), None) for row in RELATED},
}
NAMES = list(SUBJECTS)


@cache
def _certificate(name: str) -> str:
    return SUBJECTS[name][0]().to_json()


def certificate(name: str) -> Data:
    data: Data = json.loads(_certificate(name))
    return data


@cache
def subject(name: str) -> sm.Metric | None:
    """Return the metric that a certificate is about, unless its name says so."""
    _, given = SUBJECTS[name]
    truth = certificate(name)
    claim = truth["claim"]
    if (
        given is None
        and (truth["metric"], truth["property"] in set(sm.properties)) == ("own", True)
        and "subject" in claim
    ):
        return sm.Metric("own", claim["subject"], parameters=claim["parameters"])
    return given


def refused(name: str, data: Data) -> str | None:
    """Return why a certificate is refused, whose sentence and public value are made of the rest."""
    return refusal(lambda: sm.check(reworded(data), subject(name)))


# -- a leaf, an entry --------------------------------------------------------------------------------------------------

PLAIN: tuple[Any, ...] = (
    *(None, True, 0, -1, 7, 10**9, 0.5, "", "0", "1", "oo", "-oo", "7/3", "1/0", "TP", "1*TP", "(-1)", "w", "atom0"),
    *("other_s", "nothing", "holds", "covered", "undefined", "impossible", "proved", "refuted", "open", [], {}, ["1"]),
)


def others(value: Any, random: Random, number: int) -> list[Any]:
    """Return some other values for a leaf: near ones, plain ones, and none at all."""
    near: list[Any] = []
    if isinstance(value, bool):
        near = [not value]
    elif isinstance(value, int):
        near = [value + 1, value - 1, -value, 2 * value, str(value), f"{value}/2"]
    elif isinstance(value, str):
        swaps = (("1", "2"), ("TP", "FN"), ("TN", "FP"), ("+", "-"), ("w", "v"), ("=", "!="))
        near = [f"({value}) + 1", f"-({value})", f"2*({value})", f"{value} ", f"{value}0", value[:-1]]
        near += [value.replace(*swap) for swap in swaps]
    chosen = [*random.sample(near, min(len(near), number)), *random.sample(PLAIN, number), ...]
    return [new for new in chosen if type(new) is not type(value) or new != value]


WITHOUT_NUMBERS = "expectations"
"""That two expectations differ is shown without their values; then none are stated."""


def require_nothing_else_said(name: str, truth: Data, path: tuple[Any, ...], new: Any) -> bool:
    """Alter a place; return whether that is refused, and fail if something else is asserted and passes."""
    lie = changed(truth, path, new)
    if refused(name, lie) is not None:
        return True
    same, said = asserted(truth), asserted(lie | {"evidence": truth["evidence"]})
    if truth["certificate"]["kind"] == WITHOUT_NUMBERS and said[4] is None:
        same = (*same[:4], None, *same[5:])
    if path[0] == "witness":  # another counterexample, which is one, or the same in other words
        same, said = (*same[:5], *same[6:]), (*said[:5], *said[6:])
    assert [spaced(part) for part in said] == [spaced(part) for part in same], (path, new)
    return False


def spaced(part: Any) -> Any:
    """Return a text without blanks that say nothing."""
    return " ".join(part.split()) if isinstance(part, str) else part


@pytest.mark.sampled(16)
@pytest.mark.parametrize("name", NAMES)
def test_an_altered_leaf_is_refused_or_changes_nothing_that_is_asserted(name: str) -> None:
    truth, random = certificate(name), Random(name)
    assert refused(name, truth) is None
    paths = [path for path in leaves(truth) if path[0] not in ("evidence", "metric", "property")]
    paths = [path for path in paths if path[0] != "value" or path[-1] == "text"]
    found = [
        require_nothing_else_said(name, truth, path, new)
        for path in random.sample(paths, min(len(paths), 40 if is_thorough() else 12))
        for new in others(at(truth, path), random, 2 if is_thorough() else 1)
    ]
    assert truth["status"] == "open" or sum(found) > len(found) / 3


def entries(node: Any, path: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    """Yield the places of a certificate that hold others."""
    children = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, child in children:
        if isinstance(child, dict | list):
            yield (*path, key)
            yield from entries(child, (*path, key))


@pytest.mark.sampled(16)
@pytest.mark.parametrize("name", NAMES)
def test_a_missing_or_hollow_entry_is_refused_or_changes_nothing_that_is_asserted(name: str) -> None:
    truth = certificate(name)
    places = [("certificate", part) for part in truth["certificate"] if part != "reason"]
    inner = [path for path in entries(truth["certificate"], ("certificate",)) if len(path) > 2]
    for path in (*places, *some(inner, 6, name)):
        for new in (..., None, [], {}, [{}]):
            if new is ... or new != at(truth, path):
                require_nothing_else_said(name, truth, path, new)


# -- another answer ----------------------------------------------------------------------------------------------------

TEXTS = (
    *(
        None,
        "1",
        "7",
        "(-5, 7)",
        "[0, 1]",
        "{0}",
        "M = 2*partner",
        "M: identity",
        "span{(1, 1, 1, 1)}",
        "undefined everywhere",
    ),
    *("span{(1, 0, 0, 0)}", "TP/(FN + TP)"),
)


def other_answers(data: Data) -> Iterator[Data]:
    """Yield a certificate with another status, truth value, condition, value or counterexample on the same evidence."""
    for status in ("proved", "refuted", "conditional", "open"):
        for holds in (True, False, None):
            if status != data["status"] or holds is not data["holds"]:
                yield data | {"status": status, "holds": holds}
    names = [text.split(" in ")[0] for text in data["claim"].get("parameters", [])]
    for condition in (None, "always", "never", *(f"{name} {sign} 1/7" for name in names for sign in ("=", "!="))):
        if condition != data["condition"]:
            yield data | {"condition": condition}
    value = data["value"] or {"kind": "constant"}
    stated = None if value["kind"] == "constant" else value["text"]
    kept = {stated, None} if data["certificate"]["kind"] == WITHOUT_NUMBERS else {stated}
    yield from (valued(data, text) for text in TEXTS if text not in kept)
    ones = {"tp": 1, "fn": 1, "fp": 1, "tn": 1}
    witness = {"tables": [ones, ones | {"tn": 2}], "values": ["1/2", "1/3"], "parameters": {}}
    yield data | {"witness": witness}
    if data["witness"] is not None:
        yield data | {"witness": None}
        for place in range(len(data["witness"]["tables"])):
            yield changed(data, ("witness", "tables", place), ...)
        if data["witness"]["values"]:
            yield data | {"witness": data["witness"] | {"values": ["5/7" for _ in data["witness"]["values"]]}}


@pytest.mark.sampled(12)
@pytest.mark.parametrize("name", NAMES)
def test_no_other_answer_rests_on_the_same_evidence(name: str) -> None:
    truth = certificate(name)
    assert refused(name, truth) is None
    for lie in some(other_answers(truth), 20, name):
        # An open verdict that says nothing of the defaults passes whatever the reason is.
        says_nothing = lie["status"] == "open" and not any(
            lie[key] for key in ("holds", "condition", "value", "witness")
        )
        if lie["holds"] is None and says_nothing:
            continue
        assert refused(name, lie), {key: lie[key] for key in ("status", "holds", "condition", "value", "witness")}


@pytest.mark.sampled(8)
@pytest.mark.parametrize("name", NAMES)
def test_other_words_are_refused(name: str) -> None:
    """The sentence and the public value of a certificate are those that follow from the rest."""
    truth, random = certificate(name), Random(name)
    lies = [
        truth | {"evidence": words} for words in (f"{truth['evidence']}; M <= 7", "because I say so", "", "open: no")
    ]
    lies += [truth | {"value": value} for value in (None, "(0, 1)", {"kind": "limit", "text": "7", "limit": "7"})]
    paths = [("value", *path) for path in leaves(truth["value"]) if path]
    for path in random.sample(paths, min(len(paths), 5)):
        old = at(truth, path)
        new = {bool: not old, int: 7, type(None): "w = 7"}.get(type(old), f"{old} + 7")
        lies.append(changed(truth, path, new))
    mine = subject(name)
    assert refusal(lambda: sm.check(Verdict.from_certificate(copy.deepcopy(truth)), mine)) is None
    for lie in lies:
        if lie != truth:
            assert refusal(lambda lie=lie: sm.check(Verdict.from_certificate(lie), mine)), (
                lie["evidence"],
                lie["value"],
            )
