"""Lemmas on combinations of claims, from the lemmas on their parts."""

from __future__ import annotations

from collections.abc import Mapping

from symmetrics.claims import AllOf, Claim, Combination, Comparison
from symmetrics.claims.evidence import Decision
from symmetrics.rocq.engine.statements import (
    Lemma,
    NotExported,
    Subject,
    comparison,
    defined,
    introduced,
    stated,
    valued,
)
from symmetrics.rocq.families import lemma as lemma_on

ARITHMETIC = "intuition number_lra"


def lemma(name: str, claim: Combination, decision: Decision, subject: Subject) -> Lemma:
    """Return the lemma on a combination, after those on its parts.

    :param name: the proposition's name
    :raises NotExported: if a part has no lemma, or none that the verdict can be drawn from
    """
    decisions = _part_decisions(claim, decision)
    texts, names, lemmas = [], {}, {}
    remarks = dict[str, None]()
    for place, (label, part) in enumerate(claim.parts, start=1):
        own = f"{name}_{place}"
        names[label] = " ".join([own, *(parameter.name for parameter in claim.parameters)])
        try:
            if label not in decisions or decisions[label].status == "open":
                raise NotExported("the verdict does not rest on this part")
            found = lemma_on(own, part, decisions[label], subject)
            lemmas[label] = found.name
            texts.append(found.text)
            remarks[found.weaker] = None
        except NotExported:
            texts.append(_definition(own, part, subject))
    proof = _script(name, claim, decision, decisions, lemmas)
    found = stated(name, claim, decision, subject, _joined(claim, names), proof)
    remarks[found.weaker] = None
    return Lemma(found.name, "\n\n".join([*texts, found.text]), "; ".join(filter(None, remarks)))


def _part_decisions(claim: Combination, decision: Decision) -> dict[str, Decision]:
    """Return the decisions on the parts that the verdict depends on, by label."""
    claims = dict(claim.parts)
    return {label: Decision.from_record(data, claims[label]) for label, data in decision.evidence.data["parts"].items()}


def _joined(claim: Combination, names: Mapping[str, str]) -> str:
    """Return the combination of the propositions of its parts.

    :param names: the proposition of each part, applied to the parameters, by label
    """
    return (" /\\ " if isinstance(claim, AllOf) else " \\/ ").join(names[label] for label, _ in claim.parts)


def _script(
    name: str, claim: Combination, decision: Decision, parts: Mapping[str, Decision], lemmas: Mapping[str, str]
) -> str:
    """Return the proof of the conclusion that a verdict on a combination draws.

    :param lemmas: the names of the lemmas about the parts, by label
    :raises NotExported: if a part has no lemma
    """
    labels = [label for label, _ in claim.parts]
    start = introduced(claim.parameters, valued(claim) if decision.status == "conditional" else "")
    if isinstance(claim, AllOf):
        if decision.status == "proved":
            return f"{start}unfold {name}. {_all(labels, lemmas)}"
        if decision.status == "refuted":
            place = next((k for k, label in enumerate(labels) if _is(parts, lemmas, label, "refuted")), None)
            if place is None:
                raise NotExported("no part is refuted for all values of the parameters")
            split = f"intros {_pattern(len(labels), '&')}"
            return f"{start}{split}. revert part{place}. apply {lemmas[labels[place]]}; assumption."
        return _condition_of_all(name, labels, parts, lemmas, start)
    if decision.status == "proved":
        place = next((k for k, label in enumerate(labels) if _is(parts, lemmas, label, "proved")), None)
        if place is None:
            raise NotExported("no part is proved for all values of the parameters")
        steps = "right; " * place + ("left; " if place + 1 < len(labels) else "")
        return f"{start}unfold {name}. {steps}apply {lemmas[labels[place]]}; assumption."
    if decision.status == "refuted":
        if not all(_is(parts, lemmas, label, "refuted") for label in labels):
            raise NotExported("a part is not refuted for all values of the parameters")
        return f"{start}intros {_pattern(len(labels), '|')}; [{_reverted(labels, lemmas)}]."
    raise NotExported("a condition under which one of several claims holds")


def _is(parts: Mapping[str, Decision], lemmas: Mapping[str, str], label: str, status: str) -> bool:
    return label in lemmas and label in parts and parts[label].status == status


def _all(labels: list[str], lemmas: Mapping[str, str]) -> str:
    if not all(label in lemmas for label in labels):
        raise NotExported("a part has no lemma")
    return "".join(f"split; [apply {lemmas[label]}; assumption |]. " for label in labels[:-1]) + (
        f"apply {lemmas[labels[-1]]}; assumption."
    )


def _pattern(count: int, kind: str) -> str:
    names = [f"part{place}" for place in range(count)]
    if kind == "|":
        pattern = names[-1]
        for name in reversed(names[:-1]):
            pattern = f"[{name} | {pattern}]"
        return pattern
    return f"({' & '.join(names)})"


def _reverted(labels: list[str], lemmas: Mapping[str, str]) -> str:
    return " | ".join(f"revert part{place}; apply {lemmas[label]}; assumption" for place, label in enumerate(labels))


def _condition_of_all(
    name: str, labels: list[str], parts: Mapping[str, Decision], lemmas: Mapping[str, str], start: str
) -> str:
    if not all(label in lemmas and label in parts for label in labels):
        raise NotExported("a part has no lemma")
    known = [k for k, label in enumerate(labels) if parts[label].status == "conditional"]
    # A part's condition may be that of the whole, so that nothing remains to prove.
    uses = " ".join(f"all: apply {lemmas[labels[k]]} in part{k}; try assumption." for k in known)
    shown = [f"apply {lemmas[label]}; first [assumption | {ARITHMETIC}]" for label in labels]
    backwards = "".join(f"split; [{step} |]. " for step in shown[:-1]) + f"{shown[-1]}."
    return (
        f"{start}split.\n  - intros {_pattern(len(labels), '&')}. {uses} all: {ARITHMETIC}.\n"
        f"  - intro value. unfold {name}. {backwards}"
    )


def _definition(name: str, claim: Claim, subject: Subject) -> str:
    """Return the definition of a claim without a lemma, after those of its parts."""
    if isinstance(claim, Comparison):
        return defined(name, claim, subject, comparison(claim, subject.formulas))
    if not isinstance(claim, Combination):
        raise NotExported(f"claims of the kind {claim.kind!r} are not exported")
    names, texts = dict[str, str](), list[str]()
    for place, (label, part) in enumerate(claim.parts, start=1):
        names[label] = " ".join([f"{name}_{place}", *(parameter.name for parameter in claim.parameters)])
        texts.append(_definition(f"{name}_{place}", part, subject))
    return "\n\n".join([*texts, defined(name, claim, subject, _joined(claim, names))])
