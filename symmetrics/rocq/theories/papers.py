"""Theories of what papers say: a lemma on every verdict that the ruling on a claim rests on."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final

from symmetrics.claims import Comparison
from symmetrics.claims.verdict import Verdict
from symmetrics.papers.claims.trials import Heard
from symmetrics.rocq.theories.relations import Sentence, kept, origin_of, relation_theories

STEM: Final = "literature_"
"""What the names of the files begin with, before the name of the paper."""
OTHER_FORM: Final = "a computation refutes the sentence, and the lemma is about another form of it"
_ENTRY: Final = re.compile(r"c_(?P<row>\d+)_\d+")


def paper_theories(heard: Iterable[Heard], existing: Mapping[str, str]) -> dict[str, str]:
    """Return the theories of papers, a lemma named after the claim for every verdict.

    :param heard: the claims with their rulings
    :param existing: what the files held before, by their names; they are kept if the same code wrote them from the same
        verdicts
    :returns: the texts by the names of the files, without ``.v``
    """
    papers: dict[str, list[Heard]] = {}
    for one in heard:
        papers.setdefault(one.paper, []).append(one)
    found = dict[str, str]()
    for paper, claims in papers.items():
        stem = f"{STEM}{paper}"
        made_from = [[_comment(one), *(verdict.certificate() for verdict in one.verdicts)] for one in claims]
        origin = origin_of(json.dumps(made_from, ensure_ascii=False), str(parts()))
        found |= kept((stem,), existing, origin) or _theories(stem, claims, origin)
    return found


def _theories(stem: str, claims: Sequence[Heard], origin: str) -> dict[str, str]:
    rest = [one.key for one in claims if not one.verdicts]
    title = (
        f"{claims[0].title}\n   {len(claims) - len(rest)} of {len(claims)} claims rest on verdicts about formulas, and "
        f"stand here or in the file over the other numbers; {len(rest)} hold, or do not, by computation of numbers, or "
        f"cannot be read:\n   {', '.join(rest)}"
    )
    sentences = [sentence for one in claims for sentence in _sentences(one)]
    return relation_theories(stem, title, sentences, origin)


def _comment(one: Heard) -> str:
    outcome: str = one.ruling.outcome
    if _is_of_other_forms(one):
        outcome += " by a computation, which is not stated here; what follows is proved of other forms"
    return f"{one.key}, {one.place}: {one.printed} [{one.kind}; {outcome}]"


def _sentences(one: Heard) -> Iterator[Sentence]:
    stem = one.key.replace(".", "_")
    for place, verdict in enumerate(one.verdicts, start=1):
        name = f"{stem}_{place}" if len(one.verdicts) > 1 else stem
        yield Sentence(name, verdict, comment=_comment(one), weaker=_weaker(one, verdict))


def _weaker(one: Heard, verdict: Verdict) -> str:
    """Return in what the lemma on a verdict says less than the sentence of the paper; empty if in nothing."""
    reasons = [parts()[one.key]] if one.key in parts() else []
    if _is_of_other_forms(one):
        reasons.append(OTHER_FORM)
    classes = _classes(verdict)
    if classes > 2 and f"{classes} classes" not in one.printed:
        reasons.append(f"the sentence is about any number of classes, and the lemma about {classes}")
    return "; ".join(reasons)


def _is_of_other_forms(one: Heard) -> bool:
    """Whether a computation refutes a claim, and the verdicts prove other forms of it."""
    statuses = {verdict.status for verdict in one.verdicts}
    return one.ruling.outcome in ("refuted", "holds only as") and statuses == {"proved"}


def _classes(verdict: Verdict) -> int:
    """Return how many classes a verdict is about, if it is one on the entries of a matrix; else 0."""
    variables = verdict.claim.variables if isinstance(verdict.claim, Comparison) else ()
    found = (_ENTRY.fullmatch(symbol.name) for symbol in variables)
    return max((int(entry["row"]) for entry in found if entry), default=0)


@cache
def parts() -> dict[str, str]:
    """Return the claims of papers of which the lemmas state a part, by their keys, each with what they leave out."""
    text = Path(__file__).with_name("parts.csv").read_text(encoding="utf-8")
    return {row["claim"]: row["reason"] for row in csv.DictReader(text.splitlines())}
