"""Every sentence of a paper accounted for: the claims that judge it, or why nothing in it can be checked.

``proofs/<paper>/sentences.toml`` goes through a paper paragraph by paragraph.  No sentence is quoted there: it is a
number within its paragraph.  ``problems`` compares the file with the claims of the paper, in both directions.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Final

from symmetrics.papers.claims.trials import NO_SENTENCE, Heard, Trial, scripts
from symmetrics.papers.claims.writing import OUTCOMES, counted_of, markdown_table
from symmetrics.tools.errors import InputError

SENTENCES: Final = "sentences.toml"
KINDS: Final[Mapping[str, str]] = {
    "citation": "what another publication found or proposes; it would be judged there",
    "definition": "a name or a notation is introduced, or a cell of a table is named",
    "display": "points to a table, a figure or another section",
    "future work": "what could be done next",
    "illegible": "the text at hand is garbled",
    "method": "what the authors report to have done or chosen, which leaves nothing to compute",
    "motivation": "why the subject matters",
    "opinion": "a judgement of value or taste, without a measure",
    "outline": "what the text is about to do, or has done",
    "premise": "an assumption from which later sentences conclude",
    "thanks": "acknowledgements",
}
"""Why a sentence cannot be checked, in one of these kinds."""


@dataclass(frozen=True)
class Paragraph:
    """A paragraph, a list or a caption, with its sentences numbered from 1.

    :param place: section and paragraph
    :param sentences: how many there are
    :param claims: keys of claims, or patterns of keys, without the paper's name, by the sentence that they judge
    :param unchecked: kind and paraphrase of what cannot be checked, by sentence; one with claims is checked in part
    """

    place: str
    sentences: int
    claims: Mapping[int, tuple[str, ...]]
    unchecked: Mapping[int, tuple[str, str]]


@dataclass(frozen=True)
class Exhibit:
    """A table or figure of which every cell is a claim, or is not.

    :param place: its name
    :param cells: how many it has
    :param claims: patterns of the keys of its cells
    :param unchecked: number of cells that cannot be checked, by the reason
    """

    place: str
    cells: int
    claims: tuple[str, ...]
    unchecked: Mapping[str, int]


@dataclass(frozen=True)
class Reading:
    """A paper as it was read.

    :param paper: author and year, such as ``garcia2012``
    :param paragraphs: all of them, in order
    :param exhibits: tables and figures judged by the cell
    """

    paper: str
    paragraphs: tuple[Paragraph, ...]
    exhibits: tuple[Exhibit, ...]

    @property
    def sentences(self) -> int:
        """Number of sentences."""
        return sum(paragraph.sentences for paragraph in self.paragraphs)

    @property
    def judged(self) -> int:
        """Number of sentences with a claim."""
        return sum(len(paragraph.claims) for paragraph in self.paragraphs)

    @property
    def kinds(self) -> Counter[str]:
        """Number of sentences without a claim, by the kind of the reason."""
        return Counter(
            kind
            for paragraph in self.paragraphs
            for number, (kind, _) in paragraph.unchecked.items()
            if number not in paragraph.claims
        )

    @property
    def patterns(self) -> Iterator[tuple[str, str]]:
        """Yield every place with every pattern of claims that it names."""
        for paragraph in self.paragraphs:
            for number, patterns in paragraph.claims.items():
                yield from ((f"{paragraph.place}, sentence {number}", pattern) for pattern in patterns)
        for exhibit in self.exhibits:
            yield from ((exhibit.place, pattern) for pattern in exhibit.claims)


def read_all(root: Path) -> list[Reading]:
    """Return the sentences of all papers of a checkout, the earliest paper first."""
    return [read_sentences(path) for path in scripts(root)]


def read_sentences(folder: Path) -> Reading:
    """Return the sentences of a paper, from the file in its folder.

    :raises InputError: if the file is missing or has another form
    """
    path = folder / SENTENCES
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        paragraphs = tuple(map(_paragraph, data["paragraph"]))
        exhibits = tuple(map(_exhibit, data.get("exhibit", [])))
        return Reading(data["paper"], paragraphs, exhibits)
    except (OSError, KeyError, TypeError, ValueError) as error:
        reason = f"{type(error).__name__}: {error}"
        raise InputError(f"{path} cannot be read ({reason}); proofs/garcia2012/{SENTENCES} shows the form") from error


def _paragraph(entry: Mapping[str, Any]) -> Paragraph:
    unchecked = {int(number): _reason(text) for number, text in entry.get("unchecked", {}).items()}
    claims = {int(number): tuple(keys) for number, keys in entry.get("claims", {}).items()}
    return Paragraph(entry["place"], entry["sentences"], claims, unchecked)


def _reason(text: str) -> tuple[str, str]:
    kind, _, paraphrase = text.partition(": ")
    return kind, paraphrase


def _exhibit(entry: Mapping[str, Any]) -> Exhibit:
    return Exhibit(entry["place"], entry["cells"], tuple(entry.get("claims", [])), dict(entry.get("unchecked", {})))


def problems(reading: Reading, trial: Trial) -> list[str]:
    """Return what does not add up between the sentences of a paper and its claims; nothing if all of it does.

    Every sentence has a claim or a reason; every claim exists; every claim is made by a sentence or is a cell, except
    readings, and claims that the paper's folder says no sentence makes.

    >>> paragraph = Paragraph("section 1", 2, {1: ("first",)}, {})
    >>> problems(Reading("paper1999", (paragraph,), ()), Trial("paper1999", "A paper", ()))
    ['section 1: sentence 2 has neither claim nor reason', 'section 1, sentence 1: no claim first']
    """
    names = [claim.key.removeprefix(f"{trial.paper}.") for claim in trial.claims if not claim.reading_of]
    found = [] if reading.paper == trial.paper else [f"{reading.paper} is not {trial.paper}"]
    places = Counter([part.place for part in reading.paragraphs] + [part.place for part in reading.exhibits])
    found += [f"{place}: {number} entries" for place, number in places.items() if number > 1]
    for paragraph in reading.paragraphs:
        found += _problems_of_paragraph(paragraph)
    for place, pattern in reading.patterns:
        if not _matching(pattern, names):
            found.append(f"{place}: no claim {pattern}")
    for exhibit in reading.exhibits:
        cells = {name for pattern in exhibit.claims for name in _matching(pattern, names)}
        listed = len(cells) + sum(exhibit.unchecked.values())
        if listed != exhibit.cells:
            found.append(f"{exhibit.place}: {exhibit.cells} cells, {listed} of them claims or excused")
    made = {name for _, pattern in reading.patterns for name in _matching(pattern, names)}
    excused = [pattern for pattern, reason in trial.uncounted.items() if reason == NO_SENTENCE]
    unsaid = {name for pattern in excused for name in _matching(pattern, names)}
    found += [f"{name}: no sentence and no cell makes this claim" for name in names if name not in made | unsaid]
    found += [f"{name}: uncounted as made by no sentence, and one makes it" for name in sorted(made & unsaid)]
    return found


def _problems_of_paragraph(paragraph: Paragraph) -> Iterator[str]:
    every = set(range(1, paragraph.sentences + 1))
    listed = paragraph.claims.keys() | paragraph.unchecked.keys()
    if not every:
        yield f"{paragraph.place}: no sentence"
    for number in sorted(every - listed):
        yield f"{paragraph.place}: sentence {number} has neither claim nor reason"
    for number in sorted(listed - every):
        yield f"{paragraph.place}: sentence {number} of {paragraph.sentences}"
    for number, keys in paragraph.claims.items():
        if not keys:
            yield f"{paragraph.place}: sentence {number} has an empty list of claims"
    for number, (kind, paraphrase) in paragraph.unchecked.items():
        if kind not in KINDS or not paraphrase.strip():
            yield f"{paragraph.place}: sentence {number} has the reason {kind!r}, with {paraphrase!r} as its paraphrase"


def _matching(pattern: str, names: Iterable[str]) -> list[str]:
    return [name for name in names if fnmatchcase(name, pattern)]


# -- the summary of docs/papers.md -------------------------------------------------------------------------------------


def summary_of_sentences(readings: Sequence[Reading], heard: Sequence[Heard]) -> str:
    """Return two tables in Markdown: sentences and counted claims of every paper, and why sentences have no claim."""
    counted = counted_of(heard)
    rows, kinds = [], Counter[str]()
    for reading in readings:
        outcomes = Counter(one.ruling.outcome for one in counted if one.paper == reading.paper)
        without = reading.kinds.total()
        missing = reading.sentences - reading.judged - without
        numbers = (reading.sentences, reading.judged, without, missing, outcomes.total())
        rows.append((reading.paper, *map(str, numbers), *(str(outcomes[outcome]) for outcome in OUTCOMES)))
        kinds += reading.kinds
    titles = ("paper", "sentences", "with a claim", "not checkable", "missing", "claims", *OUTCOMES)
    reasons = [(kind, meaning, str(kinds[kind])) for kind, meaning in KINDS.items() if kinds[kind]]
    below = markdown_table(("not checkable", "which means", "sentences"), reasons)
    return f"{markdown_table(titles, rows)}\n\n{below}"
