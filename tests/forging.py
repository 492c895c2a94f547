"""Forged certificates: a true one, what is altered in it, and why the checker has to refuse the result.

The tables in ``tests/data/forgeries`` hold them as data.  A file has *groups*, whose entries have what is *true*, a
question to the prover or a certificate that was written by hand, and what is *false*: what is *put* where in the true
certificate (by JSON pointer), or *cut* out of it, and how it is *refused*.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

import symmetrics as sm
from symmetrics.checker import check as check_evidence
from symmetrics.claims import claim_from_dict
from symmetrics.claims.verdict import Verdict
from symmetrics.prover import decide
from symmetrics.query.relations import relate
from symmetrics.tools.errors import CertificateError

Data = dict[str, Any]
Path_ = tuple[Any, ...]
FOLDER = Path(__file__).parent / "data" / "forgeries"
PREFIX = "the evidence does not establish the verdict: "


# -- altering ----------------------------------------------------------------------------------------------------------


def reworded(data: Any) -> Verdict:
    """Return the verdict of a certificate without its sentence and public value, so that its evidence decides alone."""
    return replace(Verdict.from_json(json.dumps(data)), stated={})


def valued(data: Mapping[str, Any], text: object) -> Data:
    """Return a certificate with another value."""
    return dict(data) | {"value": None if text is None else {"kind": "other", "text": text}}


def steps_of(pointer: str) -> Path_:
    """Return the keys of a JSON pointer; a number is a place in a list."""
    keys = [key.replace("~1", "/").replace("~0", "~") for key in pointer.split("/")[1:]]
    return tuple(int(key) if key.isdigit() else key for key in keys)


def at(data: Any, path: Path_) -> Any:
    """Return what stands at a place of a certificate."""
    for key in path:
        data = data[key if isinstance(data, list) else str(key)]
    return data


def changed(data: Any, path: Path_, value: Any) -> Any:
    """Return a copy with another value at a place; ``...`` takes the place out."""
    result = copy.deepcopy(data)
    holder, key = at(result, path[:-1]), path[-1]
    key = key if isinstance(holder, list) else str(key)
    if value is ...:
        del holder[key]
    else:
        holder[key] = value
    return result


def altered(verdict: Verdict, changes: Mapping[str, Any]) -> Verdict:
    """Return the verdict of an altered certificate.

    :param changes: what stands at a JSON pointer instead, or ``...`` to take it out; the text of the value at /value
    """
    data = verdict.certificate()
    for pointer, value in changes.items():
        data = valued(data, value) if pointer == "/value" else changed(data, steps_of(pointer), value)
    return reworded(data)


def leaves(node: Any, path: Path_ = ()) -> Iterator[Path_]:
    """Yield the places of a certificate that hold no others."""
    children = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    if not node or not isinstance(node, dict | list):
        yield path
    for key, child in children:
        yield from leaves(child, (*path, key))


# -- judging -----------------------------------------------------------------------------------------------------------


def refusal(check: Callable[..., object], *arguments: Any, **named: Any) -> str | None:
    """Return why the checker, or a part of it, refuses what it is given; None if it does not.

    What refusals begin with is left out, so that a reason can be compared as a whole.
    """
    try:
        check(*arguments, **named)
    except CertificateError as error:
        return str(error).removeprefix(PREFIX)
    return None


def accepts(data: Data, metric: sm.Metric | None = None) -> bool:
    """Whether a certificate passes by its evidence; an exception other than a CertificateError fails the test."""
    return refusal(lambda: sm.check(reworded(data), metric)) is None


def asserted(data: Data) -> tuple[Any, ...]:
    """Return what a certificate says, read back, so that another way to write the same does not count."""
    verdict = Verdict.from_certificate(data)
    witness = None if verdict.witness is None else (verdict.witness.values, dict(verdict.witness.parameters))
    return verdict.claim, verdict.status, verdict.holds, verdict.condition, verdict.value, witness, verdict.metric


# -- the tables --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Truth:
    """A certificate that passes.

    :param asked: as JSON, what the prover is asked: a metric of the library, or a formula, with a property or a
        relation; a claim that no property makes; or else the certificate itself, written by hand
    """

    asked: str

    @property
    def question(self) -> Data:
        question: Data = json.loads(self.asked)
        return question

    def metric(self, key: str = "metric") -> sm.Metric | None:
        """The metric that is asked about, unless the library has it."""
        named = self.question.get(key)
        if not isinstance(named, dict):
            return None
        return sm.Metric("mine", named["formula"], parameters=named.get("parameters", ()))

    def certificate(self) -> Data:
        found: Data = json.loads(_answer(self))
        return found

    def check(self, data: Data) -> None:
        """Verify the evidence, and whether it is about the metric and the property."""
        question = self.question
        if "claim" in question or "certificate" in question:
            check_evidence(reworded(data))  # no name stands for it that could be rebuilt
        elif "relation" in question:
            sm.check(reworded(data), self.metric(), partner=self.metric("partner"))
        else:
            sm.check(reworded(data), self.metric())


@cache
def _answer(truth: Truth) -> str:
    question = truth.question
    if "certificate" in question:
        return json.dumps(question["certificate"])
    if "claim" in question:
        return decide(claim_from_dict(question["claim"]), metric="own", property="own").to_json()
    if "classes" in question:
        return sm.prove(sm.multiclass[question["metric"]], question["property"], k=question["classes"]).to_json()
    metric = truth.metric() or question["metric"]
    if "relation" in question:
        return relate(metric, truth.metric("partner") or question["partner"], question["relation"]).to_json()
    return sm.prove(metric, question["property"]).to_json()


@dataclass(frozen=True)
class Forgery:
    """What is altered in a true certificate, and how the refusal begins."""

    name: str
    truth: Truth
    refused: str
    put: Mapping[str, Any] = field(default_factory=dict)
    cut: Sequence[str] = ()

    def certificate(self) -> Data:
        data = self.truth.certificate()
        for pointer, value in self.put.items():
            data = changed(data, steps_of(pointer), value)
        for pointer in sorted(self.cut, key=steps_of, reverse=True):
            data = changed(data, steps_of(pointer), ...)
        return data


@cache
def _entries() -> tuple[tuple[str, Truth, Data], ...]:
    """Return the entries of all tables: the name of the group, what is true, and the whole."""
    return tuple(
        (f"{file.stem}: {group}", Truth(json.dumps(entry["true"])), entry)
        for file in sorted(FOLDER.glob("*.json"))
        for group, entries in json.loads(file.read_text(encoding="utf-8"))["groups"].items()
        for entry in entries
    )


def truths() -> list[Truth]:
    """Return the true certificates of all tables, some of which nothing is made of."""
    return list(dict.fromkeys(truth for _, truth, _ in _entries()))


def forgeries() -> list[Forgery]:
    """Return the forgeries of all tables."""
    return [
        Forgery(
            f"{name}: {row.get('what', row['refused'])}",
            truth,
            **{key: row[key] for key in ("refused", "put", "cut") if key in row},
        )
        for name, truth, entry in _entries()
        for row in entry["false"]
    ]
