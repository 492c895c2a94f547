"""Forged certificates: a true one, what is altered in it, and why the checker has to refuse the result.

The tables in ``tests/data/forgeries`` hold them as data.  A file has *groups*, whose entries have what is *true*, a
question to the prover or a certificate that was written by hand, and what is *false*: what is *put* where in the true
certificate (by JSON pointer), or *cut* out of it, and how it is *refused*.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from sympy import Or, S

import symmetrics as sm
from symmetrics.checker import check as check_evidence
from symmetrics.claims import (
    Affine,
    Bounded,
    Claim,
    ConstantBaseline,
    ConstantMatrixBaseline,
    DefinedEverywhere,
    RatioOfLinearForms,
    SameOrder,
    ScalingSpace,
    SymmetryGroup,
    TranslationSpace,
    claim_from_dict,
)
from symmetrics.claims.families.groups import IMAGES, PERMUTATIONS, MatrixSymmetryGroup, cycles
from symmetrics.claims.values import (
    AtDefaults,
    Baseline,
    Cases,
    CaseValue,
    Domain,
    Expectation,
    Face,
    Group,
    Limit,
    Link,
    MatrixGroup,
    Range,
    Ratio,
    Space,
    Symmetry,
    Value,
)
from symmetrics.claims.verdict import Verdict
from symmetrics.language.condition import parse_condition
from symmetrics.language.parameter import at_defaults_text
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


def valued(data: Mapping[str, Any], text: str | None) -> dict[str, Any]:
    """Return a certificate with another value, which is given in words."""
    claim, by_cases = claim_from_dict(data["claim"]), data["certificate"]["kind"] == "cases"
    found = found_of(text, claim, by_cases=by_cases)
    return dict(data) | {"value": None if found is None else {**found.to_dict(), "text": text}}


def restated(verdict: Verdict, text: str | None) -> Verdict:
    """Return a verdict with another value, which is given in words."""
    found = found_of(text, verdict.claim, by_cases=verdict.evidence.kind == "cases")
    return replace(verdict, decision=replace(verdict.decision, found=found))


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


# -- values in words ---------------------------------------------------------------------------------------------------


def found_of(text: str | Value | None, claim: Claim | type, *, by_cases: bool = False) -> Value | None:
    """Read a value in words as the record that is written so, or else as a record of another kind.

    :param claim: what it is the value of, or what kind of claim that is
    :param by_cases: whether the evidence is by cases, so that one value is one for all parameters
    """
    if text is None or isinstance(text, Value):
        return text
    if not isinstance(text, str):
        return Limit(text)
    family, parameters = (claim, ()) if isinstance(claim, type) else (type(claim), claim.parameters)
    names, where = [parameter.name for parameter in parameters], f"{at_defaults_text(parameters)}: "
    if text.startswith(where):
        return AtDefaults(_value(text.removeprefix(where), family, []))
    general, _, here = text.partition(f"; {where}")
    at_defaults = None if not here else _value(here, family, [])
    values = general.split("; ")
    if by_cases or (family is not SymmetryGroup and all(" if " in each for each in values)):
        pairs = (each.partition(" if ") for each in values)
        cases = ((parse_condition(when or "always", names), _value(each, family, names)) for each, _, when in pairs)
        return Cases(tuple(CaseValue(*case) for case in cases), at_defaults)
    found = _value(general, family, names)
    return replace(found, at_defaults=at_defaults) if isinstance(found, Space) else found


def _value(text: str, family: type, names: list[str]) -> Value:
    if family is Bounded and (ends := re.fullmatch(r"([\[(])(.+), (.+)([\])])", text)):
        return Range(ends[2], ends[3], ends[1] == "[", ends[4] == "]")
    if family is RatioOfLinearForms:
        return Ratio(text)
    if family in (Affine, SameOrder) and " = " in text:
        return Link(*text.split(" = "))
    if family is SymmetryGroup and ": " in text:
        return _group(text, names)
    if family is MatrixSymmetryGroup and ": " in text:
        parts = (part.partition(": ") for part in text.split("; "))
        return MatrixGroup(tuple(Symmetry(image, one, None) for image, _, ones in parts for one in ones.split(", ")))
    if family in (TranslationSpace, ScalingSpace):
        vectors = re.findall(r"(?<=[{ ])\((.*?)\)(?=, \(|})", text)
        basis = (tuple(int(e) if re.fullmatch("-?[0-9]+", e) else e for e in each.split(", ")) for each in vectors)
        return Space(tuple(basis), not text.startswith("at least "))
    if family is DefinedEverywhere and text.startswith("undefined "):
        return _domain(text)
    if family is ConstantBaseline:
        return Baseline(tuple(map(_at_counts, re.split(r"(?<=\)), ", text))))
    if family is ConstantMatrixBaseline:
        return Baseline(tuple(map(_at_sums, re.split(r"(?<=\)), (?=-?[0-9/]+ at)", text))))
    return Limit(text)


def _group(text: str, names: list[str]) -> Group:
    conditions: dict[tuple[str, str], Any] = {}
    order = list(map(cycles, PERMUTATIONS))
    for image, _, entries in (part.partition(": ") for part in text.split("; ")):
        for name, _, when in (entry.partition(" if ") for entry in entries.split(", ")):
            for one in order if name == "all" else [name]:
                known = conditions.get((image, one), S.false)
                conditions[image, one] = Or(known, parse_condition(when, names) if when else S.true)
    images, unknown = list(IMAGES), len(order)
    listed = sorted(
        conditions,
        key=lambda pair: tuple(k.index(e) if e in k else unknown for k, e in zip((images, order), pair, strict=True)),
    )
    return Group(tuple(Symmetry(*p, None if conditions[p] is S.true else conditions[p]) for p in listed))


def _domain(text: str) -> Domain:
    faces, poles = [], []
    for each in [] if text == "undefined everywhere" else text.removeprefix("undefined where ").split("; "):
        if face := re.fullmatch(r"((?:[TF][PN] = )+)0 \((.+)\)", each):
            limit = face[2].removesuffix(" along straight lines")
            limit = "not decided" if limit == "limit not decided" else limit
            faces.append(Face(tuple(face[1].removesuffix(" = ").split(" = ")), limit))
        else:
            poles.append(each)
    return Domain(tuple(faces) or (Face((), "not decided"),) * (text == "undefined everywhere"), tuple(poles))


def _at_counts(text: str) -> Expectation:
    mean, _, counts = text.partition(" at ")
    return Expectation(mean, *map(int, re.findall("[0-9]+", counts)))


def _at_sums(text: str) -> Expectation:
    mean, _, sums = text.partition(" at ")
    both = [tuple(map(int, re.findall("[0-9]+", each))) for each in sums.split(" and ")] if sums else []
    return Expectation(mean, rows=both[0], columns=both[1]) if both else Expectation(mean)


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
