"""The intended statements of theories, from the library alone: its formulas, properties, relations and papers.

The file is not asked what it states, but for the names of its lemmas.  What a verdict adds to its property, such as the
ends of a range, comes from the certificates of the repository, whose claims are made again from metric and property.
"""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
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
from symmetrics.rocq.engine.statements import statements_only
from symmetrics.rocq.engine.terms import REALS
from symmetrics.rocq.judge.gate import Script, lemma_names, read_script
from symmetrics.rocq.judge.judging import Judgement
from symmetrics.rocq.theories.theory import ENDINGS, Sentence, kept, origin_of, relation_theories, theory
from symmetrics.tools.errors import CertificateError
from symmetrics.tools.texts import number_of
from symmetrics.tools.workers import Bar, spread

# -- Theories of papers: a lemma on every verdict that supports the ruling on a claim ----------------------------------


STEM: Final = "literature_"
"""Prefix of the file names, before the name of the paper."""
OTHER_FORM: Final = "a computation refutes the sentence, and the lemma is about another form of it"
_ENTRY: Final = re.compile(r"c_(?P<row>\d+)_\d+")


def paper_theories(heard: Iterable[Heard], existing: Mapping[str, str]) -> dict[str, str]:
    """Return the theories of papers, with lemmas named after the claims.

    :param heard: the claims with their rulings
    :param existing: previous content, by their names; they are kept if the same code wrote them from the same
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
    sentences = [sentence for one in claims for sentence in _sentences_of_paper(one)]
    return relation_theories(stem, title, sentences, origin)


def _comment(one: Heard) -> str:
    outcome: str = one.ruling.outcome
    if _is_of_other_forms(one):
        outcome += " by a computation, which is not stated here; what follows is proved of other forms"
    return f"{one.key}, {one.place}: {one.printed} [{one.kind}; {outcome}]"


def _sentences_of_paper(one: Heard) -> Iterator[Sentence]:
    stem = one.key.replace(".", "_")
    for place, verdict in enumerate(one.verdicts, start=1):
        name = f"{stem}_{place}" if len(one.verdicts) > 1 else stem
        yield Sentence(name, verdict, comment=_comment(one), weaker=_weaker(one, verdict))


def _weaker(one: Heard, verdict: Verdict) -> str:
    """Say in what the lemma on a verdict is weaker than the paper's sentence; empty if in nothing."""
    reasons = [parts()[one.key]] if one.key in parts() else []
    if _is_of_other_forms(one):
        reasons.append(OTHER_FORM)
    classes = _classes(verdict)
    if classes > 2 and f"{classes} classes" not in one.printed:
        reasons.append(f"the sentence is about any number of classes, and the lemma about {classes}")
    return "; ".join(reasons)


def _is_of_other_forms(one: Heard) -> bool:
    """Whether a claim is refuted by computation, and its verdicts prove other forms of it."""
    statuses = {verdict.status for verdict in one.verdicts}
    return one.ruling.outcome in ("refuted", "holds only as") and statuses == {"proved"}


def _classes(verdict: Verdict) -> int:
    """Return the number of classes in a verdict on matrices; else 0."""
    variables = verdict.claim.variables if isinstance(verdict.claim, Comparison) else ()
    found = (_ENTRY.fullmatch(symbol.name) for symbol in variables)
    return max((int(entry["row"]) for entry in found if entry), default=0)


@cache
def parts() -> dict[str, str]:
    """Return the claims of papers that lemmas only state in part, by key, with what is missing."""
    text = Path(__file__).with_name("parts.csv").read_text(encoding="utf-8")
    return {row["claim"]: row["reason"] for row in csv.DictReader(text.splitlines())}


# ----------------------------------------------------------------------------------------------------------------------


ATLAS: Final = frozenset(stem + ending for stem in ("order", "relations") for ending in ENDINGS.values())
"""File names of the theories of relations between metrics."""
STATUSES: Final[dict[str, Status]] = {"proved": "proved", "refuted": "refuted", "iff": "conditional"}
_PAPER: Final = re.compile(rf"{STEM}(?P<paper>\w+?)({'|'.join(filter(None, ENDINGS.values()))})?")


@dataclass(frozen=True)
class Question:
    """A theory whose intended statements are wanted.

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
    # The papers first, because they take longest; each is evaluated once.
    places = sorted(groups.values(), key=lambda group: questions[group[0]].script is None)
    found = dict[int, Script | None]()
    together = [tuple(questions[place] for place in group) for group in places]
    for group, known in zip(places, spread(_meanings, together, bar=Bar() if progress else None), strict=True):
        found |= dict(zip(group, known, strict=True))
    return [found[place] for place in range(len(questions))]


def _meanings(questions: Sequence[Question]) -> list[Script | None]:
    return [meaning(question) for question in questions]


def meaning(question: Question) -> Script | None:
    """Return the intended statements of a theory's lemmas, as a theory; empty if there should be none.

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
    """Rebuild a verdict from its certificate, with the claim of the library's property about its metric."""
    verdict = Verdict.from_certificate(entry)
    if verdict.metric != name:
        raise CertificateError(f"it has a certificate on {verdict.metric}")
    claim = properties[verdict.property].claim(metrics[name])
    read = claim_from_dict(claim.to_dict())
    if verdict.claim not in (claim, read):
        raise CertificateError(f"its certificate on {verdict.property} makes another claim than that property")
    return replace(verdict, claim=read)


def _sentences(lemmas: Iterable[str]) -> Iterator[Sentence]:
    """Yield the intended statements of lemmas on two metrics, by name."""
    for lemma in lemmas:
        name, _, ending = lemma.rpartition("_")
        splits = _splits(name)
        if ending in STATUSES and len(splits) == 1:
            first, relation, second = splits[0]
            yield Sentence(name, _verdict(first, relation, second, STATUSES[ending]), (first, second))


def _splits(name: str) -> Sequence[tuple[str, str, str]]:
    """Split a name into two metrics and their relation."""
    found = [
        (first, relation, name[len(first) + len(relation) + 2 :])
        for relation in relations
        for first in metrics
        if name.startswith(f"{first}_{relation}_")
    ]
    return [triple for triple in found if triple[2] in metrics]


def _verdict(first: str, relation: str, second: str, status: Status) -> Verdict:
    """Return a verdict of given status on a relation of two metrics, with what a statement needs."""
    claim = relations[relation].claim(metrics[first], metrics[second])
    if isinstance(claim, Comparison) and status != "conditional":
        decision = Decision(
            status, status == "proved", Evidence("open", {"reason": "the statement alone is asked for"})
        )
        return Verdict.of(decision, claim, metric=first, property=f"{relation}:{second}")
    return equation_behind(relate(metrics[first], metrics[second], relation))


# -- Inventory: which verdicts are stated to the kernel, by kind of claim ----------------------------------------------


STATUS_ENDINGS: Final = {"proved": "proved", "refuted": "refuted", "conditional": "iff"}
"""Suffix of a lemma's name, by status of the verdict."""
MIDDLES: Final = ("", "_everywhere")
"""Prefix of a lemma's name, where the plain name is taken."""
RELATION: Final = "relation of two metrics"
PAPER: Final = "claim of a paper"
_VERDICT: Final = re.compile(r"^\(\* verdict: (?P<name>\w+): (?P<status>\w+) \*\)$", re.MULTILINE)
_REMARK: Final = re.compile(
    r"^\(\* (?P<kind>weaker|not exported): (?P<property>\w+): (?P<reason>.*) \*\)$", re.MULTILINE
)


@dataclass(frozen=True)
class Entry:
    """One decided verdict, as stated to the kernel.

    :param metric: the metric's name
    :param property: the property's key
    :param kind: the kind of its claim
    :param status: the verdict's status
    :param lemma: the lemma that states it, None if there is none
    :param remark: in what the lemma says less than the verdict, or why there is none; else empty
    """

    metric: str
    property: str
    kind: str
    status: str
    lemma: str | None
    remark: str = ""


def inventory(
    theory: str, certificates: Iterable[dict[str, Any]], lemmas: Collection[str] | None = None
) -> list[Entry]:
    """Return the entries of one metric.

    :param theory: the text of its theory
    :param certificates: its certificates
    :param lemmas: the names of its lemmas, if they are known
    """
    stated = lemma_names(theory) if lemmas is None else lemmas
    remarks = {found["property"]: found["reason"] for found in _REMARK.finditer(theory)}
    entries = []
    for data in certificates:
        if data["status"] == "open":
            continue
        stem = f"{data['metric']}_{data['property']}"
        names = [f"{stem}{middle}_{STATUS_ENDINGS[data['status']]}" for middle in MIDDLES]
        lemma = next((name for name in names if name in stated), None)
        remark = remarks.get(data["property"], "")
        kind = data["claim"]["kind"]
        entries.append(Entry(data["metric"], data["property"], kind, data["status"], lemma, remark))
    return entries


def relation_inventory(stem: str, theory: str, lemmas: Collection[str] | None = None) -> list[Entry]:
    """Return the entries of a theory of relations, or of what a paper says.

    :param stem: its name
    :param theory: its text, which names every verdict
    :param lemmas: the names of its lemmas, if they are known
    """
    stated = lemma_names(theory) if lemmas is None else lemmas
    remarks = {found["property"]: found["reason"] for found in _REMARK.finditer(theory)}
    kind = PAPER if stem.startswith("literature_") else RELATION
    entries = []
    for found in _VERDICT.finditer(theory):
        name, status = found["name"], found["status"]
        lemma = f"{name}_{STATUS_ENDINGS[status]}"
        entries.append(Entry(stem, name, kind, status, lemma if lemma in stated else None, remarks.get(name, "")))
    return entries


def inventory_table(entries: Sequence[Entry]) -> str:
    """Return, as Markdown, how many verdicts of each kind and status are stated as lemmas."""
    from tabulate import tabulate

    kinds = sorted({entry.kind for entry in entries})
    rows = [_row(kind, [entry for entry in entries if entry.kind == kind]) for kind in kinds]
    columns = ("claim", *STATUS_ENDINGS, "of these weaker", "share")
    text: str = tabulate([*rows, _row("all", entries)], columns, tablefmt="github", disable_numparse=True)
    return text


def _row(title: str, entries: Sequence[Entry]) -> tuple[str, ...]:
    stated = [entry for entry in entries if entry.lemma is not None]
    decided, known = (Counter(entry.status for entry in some) for some in (entries, stated))
    cells = (f"{known[status]} of {decided[status]}" if decided[status] else "" for status in STATUS_ENDINGS)
    weaker = sum(bool(entry.remark) for entry in stated)
    return title, *cells, str(weaker or ""), f"{100 * len(stated) / len(entries):.1f} %"


def judged_text(entries: Sequence[Entry], judgements: Sequence[Judgement]) -> str:
    """Say what the kernel accepts, rejects and is not given, by kind of claim, and on which axioms this rests."""
    from tabulate import tabulate

    accepted = {name for judgement in judgements for name in judgement.accepted}
    counts: dict[str, Counter[str]] = {}
    for entry in entries:
        outcome = "not exported" if entry.lemma is None else "accepted" if entry.lemma in accepted else "rejected"
        counts.setdefault(entry.kind, Counter())[outcome] += 1
    outcomes = ("accepted", "rejected", "not exported")
    rows = [(kind, *(count[outcome] for outcome in outcomes)) for kind, count in sorted(counts.items())]
    rows.append(("all", *(sum(count[outcome] for count in counts.values()) for outcome in outcomes)))
    table = tabulate(rows, ("claim", *outcomes), tablefmt="simple")
    return f"{table}\n\n{_rests_on(judgements)}"


def _rests_on(judgements: Sequence[Judgement]) -> str:
    """Return the number of theories, and the axioms of those that use any."""
    lemmas = number_of(sum(len(judgement.accepted) for judgement in judgements), "lemma")
    text = f"{lemmas} accepted in {number_of(len(judgements), 'theory')}"
    free = sum(not judgement.axioms for judgement in judgements)
    if free == len(judgements):
        return f"{text}, {'which is' if free == 1 else 'all'} free of axioms"
    axioms = sorted({axiom for judgement in judgements for axiom in judgement.axioms})
    others = number_of(len(judgements) - free, "theory")
    told = f"{text}; {number_of(free, 'theory')} free of axioms, {others} with lemmas that rest on"
    return "\n".join([told, *(f"  {axiom}" for axiom in axioms)])
