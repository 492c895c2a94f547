"""Theories of what papers say: a lemma on every verdict that the ruling on a claim rests on."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence

from symmetrics.kernel.relations import Sentence, kept, origin_of, relation_theories
from symmetrics.literature.trials import Heard

__all__ = ["STEM", "paper_theories"]

STEM = "literature_"
"""What the names of the files begin with, before the name of the paper."""


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
        origin = origin_of(json.dumps(made_from, ensure_ascii=False))
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
    if outcome == "refuted" and one.verdicts and all(verdict.status == "proved" for verdict in one.verdicts):
        outcome += " by a computation, which is not stated here; what follows is proved of other forms"
    return f"{one.key}, {one.place}: {one.printed} [{one.kind}; {outcome}]"


def _sentences(one: Heard) -> Iterator[Sentence]:
    stem = one.key.replace(".", "_")
    for place, verdict in enumerate(one.verdicts, start=1):
        name = f"{stem}_{place}" if len(one.verdicts) > 1 else stem
        yield Sentence(name, verdict, comment=_comment(one))
