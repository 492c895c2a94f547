"""What the kernel is told of the verdicts, and what not, by kind of claim."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from symmetrics.rocq.judge.gate import lemma_names
from symmetrics.rocq.judge.judging import Judgement
from symmetrics.tools.words import number_of

ENDINGS: Final = {"proved": "proved", "refuted": "refuted", "conditional": "iff"}
"""What the name of a lemma on a verdict of each status ends with."""
MIDDLES: Final = ("", "_everywhere")
"""What stands before it, where the plain name is taken."""
RELATION: Final = "relation of two metrics"
PAPER: Final = "claim of a paper"
_VERDICT: Final = re.compile(r"^\(\* verdict: (?P<name>\w+): (?P<status>\w+) \*\)$", re.MULTILINE)
_REMARK: Final = re.compile(
    r"^\(\* (?P<kind>weaker|not exported): (?P<property>\w+): (?P<reason>.*) \*\)$", re.MULTILINE
)


@dataclass(frozen=True)
class Entry:
    """One decided verdict, as the kernel is told it.

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
        names = [f"{stem}{middle}_{ENDINGS[data['status']]}" for middle in MIDDLES]
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
        lemma = f"{name}_{ENDINGS[status]}"
        entries.append(Entry(stem, name, kind, status, lemma if lemma in stated else None, remarks.get(name, "")))
    return entries


def inventory_table(entries: Sequence[Entry]) -> str:
    """Return how many of the verdicts of each kind and status are stated as lemmas, as Markdown."""
    from tabulate import tabulate

    kinds = sorted({entry.kind for entry in entries})
    rows = [_row(kind, [entry for entry in entries if entry.kind == kind]) for kind in kinds]
    columns = ("claim", *ENDINGS, "of these weaker", "share")
    text: str = tabulate([*rows, _row("all", entries)], columns, tablefmt="github", disable_numparse=True)
    return text


def _row(title: str, entries: Sequence[Entry]) -> tuple[str, ...]:
    stated = [entry for entry in entries if entry.lemma is not None]
    decided, known = (Counter(entry.status for entry in some) for some in (entries, stated))
    cells = (f"{known[status]} of {decided[status]}" if decided[status] else "" for status in ENDINGS)
    weaker = sum(bool(entry.remark) for entry in stated)
    return title, *cells, str(weaker or ""), f"{100 * len(stated) / len(entries):.1f} %"


def judged_text(entries: Sequence[Entry], judgements: Sequence[Judgement]) -> str:
    """Return what the kernel accepts, rejects and is not told, by kind of claim, and what its acceptance rests on."""
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
    """Return how many theories there are, and on which axioms those rest that are not free of any."""
    lemmas = number_of(sum(len(judgement.accepted) for judgement in judgements), "lemma")
    text = f"{lemmas} accepted in {number_of(len(judgements), 'theory')}"
    free = sum(not judgement.axioms for judgement in judgements)
    if free == len(judgements):
        return f"{text}, {'which is' if free == 1 else 'all'} free of axioms"
    axioms = sorted({axiom for judgement in judgements for axiom in judgement.axioms})
    others = number_of(len(judgements) - free, "theory")
    told = f"{text}; {number_of(free, 'theory')} free of axioms, {others} with lemmas that rest on"
    return "\n".join([told, *(f"  {axiom}" for axiom in axioms)])
