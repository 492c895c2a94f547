"""Theories: all lemmas about one metric, as a file."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from symmetrics.claims.verdict import Verdict
from symmetrics.metric import Metric
from symmetrics.rocq.engine.lemmas import Lemma, NotExported, Subject
from symmetrics.rocq.engine.statements import Formula
from symmetrics.rocq.families import lemma
from symmetrics.rocq.theories.heads import digest, headed, is_kept
from symmetrics.rocq.theories.values import values_lemma
from symmetrics.tools.errors import UnsupportedError
from symmetrics.tools.sources import fingerprint

__all__ = ["Theory", "theory", "theory_text", "withheld"]


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
            lemmas[verdict.property] = lemma(
                f"{verdict.metric}_{verdict.property}", verdict.claim, verdict.decision, subject
            )
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
