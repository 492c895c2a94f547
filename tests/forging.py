"""Certificates made by hand, whose words are made of the rest, so that the evidence alone has to reject them."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from sympy import Or, S

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
from symmetrics.claims.families.groups import IMAGES, PERMUTATIONS, cycles
from symmetrics.claims.families.matrix_groups import MatrixSymmetryGroup
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
from symmetrics.tools.errors import CertificateError


def reworded(data: Any) -> Verdict:
    """Return the verdict of a certificate, without the sentence and the value in public form that stand in it."""
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


def answered(claim: Claim, kind: str, answer: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parts of an answer with its value as a record, where they have it in words.

    :param kind: the kind of evidence
    """
    if "value" not in answer:
        return dict(answer)
    found = found_of(answer["value"], claim, by_cases=kind == "cases")
    return {key: part for key, part in answer.items() if key != "value"} | {"found": found}


def part(claim: Claim | type, answer: Mapping[str, Any]) -> dict[str, Any]:
    """Return a part of evidence with its value as JSON, where it has it in words.

    :param claim: the claim of the part, or what kind of claim it is
    """
    found = found_of(answer.get("value"), claim)
    return dict(answer) if found is None else dict(answer) | {"value": found.to_dict()}


def altered(verdict: Verdict, changes: Mapping[str, Any]) -> Verdict:
    """Return the verdict of an altered certificate, whose words are made of the rest.

    :param changes: by the way to an entry, with ``__`` between its keys: what stands there instead, or ``...`` to take
        it out; the text of the value under ``value``
    """
    data = copy.deepcopy(verdict.certificate())
    if "value" in changes:
        data = valued(data, changes["value"])
    for way, value in changes.items():
        if way == "value":
            continue
        *keys, last = way.split("__")
        place = data
        for key in keys:
            place = place[key]
        if value is ...:
            del place[last]
        else:
            place[last] = value
    return reworded(data)


def refusal(check: Callable[..., object], *arguments: Any, **named: Any) -> str | None:
    """Return why the checker, or a part of it, refuses what it is given; None if it does not.

    What refusals begin with is left out, so that a reason can be compared as a whole.
    """
    try:
        check(*arguments, **named)
    except CertificateError as error:
        return str(error).removeprefix("the evidence does not establish the verdict: ")
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
