"""What a theory is meant to state, from the library alone: its formulas, its properties, its relations and the papers.

The file is not asked what it states, but for the names of its lemmas.  What a verdict adds to its property, such as the
ends of a range, comes from the certificates of the repository, whose claims are made again from metric and property.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Final

from symmetrics.claims import Comparison, claim_from_dict
from symmetrics.claims.evidence import Decision, Evidence, Status
from symmetrics.claims.verdict import Verdict
from symmetrics.library import metrics, properties
from symmetrics.papers.claims.trials import Heard, hear
from symmetrics.query.relations import equation_behind, relate, relations
from symmetrics.rocq.engine.lemmas import statements_only
from symmetrics.rocq.engine.terms import REALS
from symmetrics.rocq.judge.gate import Script, read_script
from symmetrics.rocq.theories.papers import STEM, paper_theories
from symmetrics.rocq.theories.relations import ENDINGS, Sentence, relation_theories
from symmetrics.rocq.theories.theory import theory
from symmetrics.tools.errors import CertificateError
from symmetrics.tools.workers import Bar, spread

ATLAS: Final = frozenset(stem + ending for stem in ("order", "relations") for ending in ENDINGS.values())
"""The names of the theories of relations between metrics."""
STATUSES: Final[dict[str, Status]] = {"proved": "proved", "refuted": "refuted", "iff": "conditional"}
_PAPER: Final = re.compile(rf"{STEM}(?P<paper>\w+?)({'|'.join(filter(None, ENDINGS.values()))})?")


@dataclass(frozen=True)
class Question:
    """A theory of which the meaning is asked.

    :param stem: its name
    :param lemmas: the names of its lemmas
    :param certificates: the file with the certificates of the metric that it is about
    :param script: the folder of the paper that it is about
    """

    stem: str
    lemmas: tuple[str, ...]
    certificates: Path | None = None
    script: Path | None = None


def paper_of(stem: str) -> str | None:
    """Return the paper that a theory is about, by its name.

    >>> paper_of("literature_tan2006_reals"), paper_of("f1")
    ('tan2006', None)
    """
    found = _PAPER.fullmatch(stem)
    return None if found is None else found["paper"]


def meanings(questions: Sequence[Question], *, progress: bool = False) -> list[Script | None]:
    """Return the meaning of each theory, as :func:`meaning` does; the work is spread over the processors.

    :param progress: show a progress bar if standard error is a terminal
    """
    groups: dict[Path | str, list[int]] = {}
    for place, question in enumerate(questions):
        groups.setdefault(question.script or question.stem, []).append(place)
    # The papers come first, because they take longest; each is heard once.
    places = sorted(groups.values(), key=lambda group: questions[group[0]].script is None)
    found = dict[int, Script | None]()
    together = [tuple(questions[place] for place in group) for group in places]
    for group, known in zip(places, spread(_meanings, together, bar=Bar() if progress else None), strict=True):
        found |= dict(zip(group, known, strict=True))
    return [found[place] for place in range(len(questions))]


def _meanings(questions: Sequence[Question]) -> list[Script | None]:
    return [meaning(question) for question in questions]


def meaning(question: Question) -> Script | None:
    """Return what the lemmas of a theory are meant to state, as a theory; an empty one if there are to be none.

    :returns: None if the library knows nothing of what the theory is about
    :raises CertificateError: if a certificate is not one on the metric and a property of the library
    """
    text = _text(question)
    if text is None:
        return None
    file = f"what {question.stem} is meant to state"
    return read_script(text, file, with_proofs=False) if text else Script(file, "")


def _text(question: Question) -> str | None:
    with statements_only():
        if question.certificates is not None:
            return _of_metric(question.stem, question.certificates)
        if question.script is not None:
            return paper_theories(_heard(question.script), {}).get(question.stem, "")
        if question.stem in ATLAS:
            sentences = list(_sentences(question.lemmas))
            stem = question.stem.removesuffix(ENDINGS[REALS])
            return relation_theories(stem, "", sentences, "").get(question.stem, "")
    return None


@cache
def _heard(script: Path) -> list[Heard]:
    return hear(script)


def _of_metric(name: str, file: Path) -> str:
    try:
        entries = json.loads(file.read_text(encoding="utf-8"))
        return theory([_rebuilt(name, entry) for entry in entries]).text
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        reason = str(error) if isinstance(error, CertificateError) else f"{type(error).__name__}: {error}"
        raise CertificateError(f"{file} does not say what the theory of {name} is meant to state: {reason}") from None


def _rebuilt(name: str, entry: dict[str, Any]) -> Verdict:
    """Return a verdict from its certificate, with the claim that the library's property makes about its metric."""
    verdict = Verdict.from_certificate(entry)
    if verdict.metric != name:
        raise CertificateError(f"it has a certificate on {verdict.metric}")
    claim = properties[verdict.property].claim(metrics[name])
    read = claim_from_dict(claim.to_dict())
    if verdict.claim not in (claim, read):
        raise CertificateError(f"its certificate on {verdict.property} makes another claim than that property")
    return replace(verdict, claim=read)


def _sentences(lemmas: Iterable[str]) -> Iterator[Sentence]:
    """Yield what lemmas on two metrics state, by their names."""
    for lemma in lemmas:
        name, _, ending = lemma.rpartition("_")
        splits = _splits(name)
        if ending in STATUSES and len(splits) == 1:
            first, relation, second = splits[0]
            yield Sentence(name, _verdict(first, relation, second, STATUSES[ending]), (first, second))


def _splits(name: str) -> Sequence[tuple[str, str, str]]:
    """Return the two metrics and the relation that a name is made of."""
    found = [
        (first, relation, name[len(first) + len(relation) + 2 :])
        for relation in relations
        for first in metrics
        if name.startswith(f"{first}_{relation}_")
    ]
    return [triple for triple in found if triple[2] in metrics]


def _verdict(first: str, relation: str, second: str, status: Status) -> Verdict:
    """Return the verdict of a status that two metrics stand in a relation, as far as a statement needs it."""
    claim = relations[relation].claim(metrics[first], metrics[second])
    if isinstance(claim, Comparison) and status != "conditional":
        decision = Decision(
            status, status == "proved", Evidence("open", {"reason": "the statement alone is asked for"})
        )
        return Verdict.of(decision, claim, metric=first, property=f"{relation}:{second}")
    return equation_behind(relate(metrics[first], metrics[second], relation))
