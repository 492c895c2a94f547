"""Theories: all lemmas about one metric, as a file."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Final

from symmetrics.claims import (
    Bounded,
    Claim,
    Combination,
    Comparison,
    ConstantBaseline,
    DefinedEverywhere,
    FiniteLimit,
    LargestAtAgreement,
    RatioOfLinearForms,
    SameOrder,
    ScalingSpace,
    SmallestAtDisagreement,
    SymmetryGroup,
    TranslationSpace,
)
from symmetrics.claims.verdict import Decision, Verdict
from symmetrics.language.parameter import Parameter
from symmetrics.metric import Metric
from symmetrics.rocq.engine.lemmas import Lemma, NotExported, Subject, conclusion, defined, stated
from symmetrics.rocq.engine.statements import Formula, comparison
from symmetrics.rocq.engine.terms import term
from symmetrics.rocq.families.agreement import extreme_lemma
from symmetrics.rocq.families.baselines import baseline_lemma
from symmetrics.rocq.families.combinations import combination_script, joined, part_decisions
from symmetrics.rocq.families.comparisons import script
from symmetrics.rocq.families.definedness import defined_everywhere_lemma
from symmetrics.rocq.families.directions import space_lemma
from symmetrics.rocq.families.groups import symmetry_group_lemma
from symmetrics.rocq.families.limits import limit_lemma
from symmetrics.rocq.families.orders import same_order_lemma
from symmetrics.rocq.families.ranges import range_lemma
from symmetrics.rocq.families.ratios import ratio_lemma
from symmetrics.rocq.theories.heads import digest, headed, is_kept
from symmetrics.rocq.theories.values import values_lemma
from symmetrics.tools.errors import UnsupportedError
from symmetrics.tools.sources import fingerprint

__all__ = ["Theory", "lemma", "theory", "theory_text", "withheld"]


FAMILIES: Final[dict[type[Claim], Callable[[str, Any, Decision, Subject], Lemma]]] = {
    DefinedEverywhere: defined_everywhere_lemma,
    SymmetryGroup: symmetry_group_lemma,
    RatioOfLinearForms: ratio_lemma,
    TranslationSpace: space_lemma,
    ScalingSpace: space_lemma,
    ConstantBaseline: baseline_lemma,
    Bounded: range_lemma,
    FiniteLimit: limit_lemma,
    LargestAtAgreement: extreme_lemma,
    SameOrder: same_order_lemma,
    SmallestAtDisagreement: extreme_lemma,
}
"""What writes the lemma on a claim of each class."""
REFLEXIVE: Final = "both sides are one formula as soon as they are read, so that the lemma says t = t or t <= t"


@dataclass(frozen=True)
class Theory:
    """The lemmas about one metric.

    :param metric: its name
    :param text: the file
    :param lemmas: by property
    :param missing: by property, why no lemma is written
    """

    metric: str
    text: str
    lemmas: dict[str, Lemma]
    missing: dict[str, str]


def theory(verdicts: Iterable[Verdict], metric: Metric | None = None) -> Theory:
    """Return the theory of a metric.

    :param verdicts: all on one metric; open ones are left out
    :param metric: the metric; by default the one of the library that has the name
    """
    decided = [verdict for verdict in verdicts if verdict.status != "open"]
    first = decided[0]
    subject = Subject(Formula(first.metric, first.claim.subject, first.claim.parameters))
    lemmas, missing, kept_back = dict[str, Lemma](), dict[str, str](), withheld()
    for verdict in decided:
        try:
            if (verdict.metric, verdict.property) in kept_back:
                raise NotExported(kept_back[verdict.metric, verdict.property])  # one way out for all reasons
            lemmas[verdict.property] = lemma(f"{verdict.metric}_{verdict.property}", verdict.claim, verdict, subject)
        except (NotExported, UnsupportedError) as reason:
            missing[verdict.property] = str(reason)
    return Theory(first.metric, _text(subject, lemmas, missing, metric), lemmas, missing)


@cache
def withheld() -> dict[tuple[str, str], str]:
    """Return the verdicts for which a lemma could be written, but its proof does not pass, each with the reason."""
    text = Path(__file__).with_name("withheld.csv").read_text(encoding="utf-8")
    return {(row["metric"], row["property"]): row["reason"] for row in csv.DictReader(text.splitlines())}


def theory_text(certificates: str, existing: str | None = None) -> str:
    """Return the file with the theory of a metric.

    :param certificates: the text of the file with its certificates
    :param existing: what the file held before; it is kept if the same code wrote it from the same certificates, and it
        was not changed since
    """
    origin = digest(certificates, fingerprint(__name__), str(withheld()))
    if existing is not None and is_kept(existing, origin):
        return existing
    return headed(origin, theory(Verdict.from_certificate(entry) for entry in json.loads(certificates)).text)


def _text(subject: Subject, lemmas: Mapping[str, Lemma], missing: Mapping[str, str], metric: Metric | None) -> str:
    numbers = subject.numbers
    weaker = {property: lemma.weaker for property, lemma in lemmas.items() if lemma.weaker}
    parts = [
        f"From Symmetrics Require Import {numbers.prelude}.\nOpen Scope {numbers.scope}.",
        subject.formula.definition(),
        values_lemma(subject.formula, metric),
        *(lemma.text for lemma in lemmas.values()),
        "\n".join(f"(* weaker: {property}: {reason} *)" for property, reason in weaker.items()),
        "\n".join(f"(* not exported: {property}: {reason} *)" for property, reason in missing.items()),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def lemma(name: str, claim: Claim, decision: Decision | Verdict, subject: Subject) -> Lemma:
    """Return the lemma that states a verdict.

    :raises NotExported: if there is none
    """
    decision = Decision(
        decision.status, decision.holds, decision.evidence, decision.condition, decision.witness, decision.value
    )
    known = dict(subject.known)
    try:
        return _lemma(name, claim, decision, subject)
    except (NotExported, UnsupportedError):
        # Parts that could be stated do not stand anywhere.
        subject.known.clear()
        subject.known.update(known)
        raise


def _lemma(name: str, claim: Claim, decision: Decision, subject: Subject) -> Lemma:
    for family, export in FAMILIES.items():
        if isinstance(claim, family):
            return export(name, claim, decision, subject)
    if isinstance(claim, Comparison):
        return _compared(name, claim, decision, subject)
    if isinstance(claim, Combination):
        return _combination(name, claim, decision, subject)
    raise NotExported(f"claims of the kind {claim.kind!r} are not exported")


def _compared(name: str, claim: Comparison, decision: Decision, subject: Subject) -> Lemma:
    """Return the lemma on a comparison; by the one that says the same, if there is one."""
    body = comparison(claim, subject.formulas, subject.partner)
    said = body, conclusion("", claim, decision, subject.numbers)
    proof = f"exact {subject.known[said]}." if said in subject.known else script(name, claim, decision, subject)
    found = stated(name, claim, decision, subject, body, proof)
    subject.known.setdefault(said, found.name)
    return replace(found, weaker=REFLEXIVE) if claim.partner is not None and _is_reflexive(claim, subject) else found


def _is_reflexive(claim: Comparison, subject: Subject) -> bool:
    """Whether both sides of a comparison are one term as soon as its formulas are put in the places of their names."""
    names: dict[tuple[str, tuple[Parameter, ...]], str] = {}

    def alike(formula: Formula) -> Formula:
        name = names.setdefault((term(formula.expression), formula.parameters), formula.name)
        return replace(formula, name=name)

    formulas = {expression: alike(formula) for expression, formula in subject.formulas.items()}
    body = comparison(claim, formulas, None if subject.partner is None else alike(subject.partner))
    relation = body.rpartition(" ->\n  ")[2]
    sides = re.split(rf" (?:{subject.numbers.equal}|<=) ", relation)
    return len(sides) == 2 and sides[0] == sides[1]


def _combination(name: str, claim: Combination, decision: Decision, subject: Subject) -> Lemma:
    decisions = part_decisions(claim, decision)
    texts, names, lemmas = [], {}, {}
    remarks = dict[str, None]()
    for place, (label, part) in enumerate(claim.parts, start=1):
        own = f"{name}_{place}"
        names[label] = " ".join([own, *(parameter.name for parameter in claim.parameters)])
        try:
            if label not in decisions or decisions[label].status == "open":
                raise NotExported("the verdict does not rest on this part")
            found = lemma(own, part, decisions[label], subject)
            lemmas[label] = found.name
            texts.append(found.text)
            remarks[found.weaker] = None
        except NotExported:
            texts.append(_definition(own, part, subject))
    proof = combination_script(name, claim, decision, decisions, lemmas)
    found = stated(name, claim, decision, subject, joined(claim, names), proof)
    remarks[found.weaker] = None
    return Lemma(found.name, "\n\n".join([*texts, found.text]), "; ".join(filter(None, remarks)))


def _definition(name: str, claim: Claim, subject: Subject) -> str:
    """Return the definition of a claim about which nothing is stated, after those of its parts."""
    if isinstance(claim, Comparison):
        return defined(name, claim, subject, comparison(claim, subject.formulas))
    if not isinstance(claim, Combination):
        raise NotExported(f"claims of the kind {claim.kind!r} are not exported")
    names, texts = dict[str, str](), list[str]()
    for place, (label, part) in enumerate(claim.parts, start=1):
        names[label] = " ".join([f"{name}_{place}", *(parameter.name for parameter in claim.parameters)])
        texts.append(_definition(f"{name}_{place}", part, subject))
    return "\n\n".join([*texts, defined(name, claim, subject, joined(claim, names))])
