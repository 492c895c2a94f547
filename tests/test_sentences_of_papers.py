"""Every sentence of a paper has a claim or a reason, every claim a sentence, and the counts add up."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from symmetrics.papers.claims.sentences import (
    KINDS,
    SENTENCES,
    Exhibit,
    Paragraph,
    Reading,
    problems,
    read_all,
    read_sentences,
    summary_of_sentences,
)
from symmetrics.papers.claims.trials import NO_SENTENCE, Heard, PaperClaim, Ruling, Trial, load_trial, scripts
from symmetrics.tools.errors import InputError

ROOT = Path(__file__).parents[1]
FOLDERS = [path for path in scripts(ROOT) if (path / SENTENCES).is_file()]


# -- the papers --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_sentences_and_claims_add_up(folder: Path) -> None:
    assert problems(read_sentences(folder), load_trial(folder)) == []


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_the_sums_counted_from_the_file_itself(folder: Path) -> None:
    """The same sums by other code: from the file as it is written, section by section."""
    sections: dict[str, Counter[str]] = {}
    for entry in tomllib.loads((folder / SENTENCES).read_text(encoding="utf-8"))["paragraph"]:
        counts = sections.setdefault(entry["place"].partition(", ")[0], Counter())
        claims, unchecked = (set(entry.get(name, {})) for name in ("claims", "unchecked"))
        counts += Counter(
            sentences=entry["sentences"],
            judged=len(claims),
            only_listed=len(unchecked - claims),
        )
    for section, counts in sections.items():
        assert counts["sentences"] == counts["judged"] + counts["only_listed"] > 0, section
    total = sum(sections.values(), Counter())
    reading = read_sentences(folder)
    assert (reading.sentences, reading.judged) == (total["sentences"], total["judged"])
    assert reading.kinds.total() == total["only_listed"]


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_no_sentence_is_copied(folder: Path) -> None:
    """Paraphrases are a few words, and none stands for two sentences of one paragraph."""
    for paragraph in read_sentences(folder).paragraphs:
        for kind, paraphrase in paragraph.unchecked.values():
            assert len(paraphrase.split()) <= 20, paraphrase
            assert paraphrase[-1] not in ".!?", paraphrase
            assert kind in KINDS


# -- what does not add up is said --------------------------------------------------------------------------------------


def claim(name: str, reading_of: str = "") -> PaperClaim:
    return PaperClaim(f"paper1999.{name}", "page 1", "words", "it holds", lambda: Ruling("holds", "1"), reading_of)


TRIAL = Trial(
    "paper1999",
    "A paper",
    (claim("first"), claim("first_as_read", "paper1999.first"), claim("cell_1"), claim("cell_2"), claim("unsaid")),
    {"unsaid": NO_SENTENCE},
)
PARAGRAPH = Paragraph("section 1", 3, {2: ("first",)}, {1: ("outline", "what comes"), 3: ("opinion", "it is nice")})
TABLE = Exhibit("table 1", 3, ("cell_*",), {"a heading": 1})
READING = Reading("paper1999", (PARAGRAPH,), (TABLE,))


def test_a_reading_that_adds_up() -> None:
    assert problems(READING, TRIAL) == []
    assert (READING.sentences, READING.judged, READING.kinds) == (3, 1, {"outline": 1, "opinion": 1})


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda: with_paragraph(sentences=4), "section 1: sentence 4 has neither claim nor reason"),
        (lambda: with_paragraph(sentences=2), "section 1: sentence 3 of 2"),
        (lambda: with_paragraph(unchecked={1: ("outline", "x")}), "section 1: sentence 3 has neither claim nor reason"),
        (lambda: with_paragraph(claims={2: ("first", "second")}), "section 1, sentence 2: no claim second"),
        (lambda: with_paragraph(claims={2: ()}), "section 1: sentence 2 has an empty list of claims"),
        (lambda: with_paragraph(claims={2: ("unsaid", "first")}), "unsaid: uncounted as made by no sentence"),
        (lambda: with_paragraph(claims={2: ("cell_1",)}), "first: no sentence and no cell makes this claim"),
        (lambda: with_paragraph(claims={2: ("first_as_read", "first")}), "no claim first_as_read"),
        (lambda: with_reason("rumour", "x"), "has the reason 'rumour'"),
        (lambda: with_reason("opinion", " "), "with ' ' as its paraphrase"),
        (lambda: replace(READING, exhibits=(replace(TABLE, cells=4),)), "table 1: 4 cells, 3 of them"),
        (lambda: replace(READING, exhibits=(replace(TABLE, claims=("cell_1",)),)), "cell_2: no sentence and no cell"),
        (lambda: replace(READING, exhibits=(TABLE, TABLE)), "table 1: 2 entries"),
        (lambda: replace(READING, paper="paper2000"), "paper2000 is not paper1999"),
    ],
)
def test_what_does_not_add_up_is_said(change: Callable[[], Reading], said: str) -> None:
    assert any(said in problem for problem in problems(change(), TRIAL)), problems(change(), TRIAL)


def with_paragraph(**changes: object) -> Reading:
    return replace(READING, paragraphs=(replace(PARAGRAPH, **changes),))  # type: ignore[arg-type]


def with_reason(kind: str, paraphrase: str) -> Reading:
    return with_paragraph(unchecked={**PARAGRAPH.unchecked, 3: (kind, paraphrase)})


def test_a_sentence_may_be_checked_in_part() -> None:
    reading = with_paragraph(unchecked={**PARAGRAPH.unchecked, 2: ("opinion", "and it is fine")})
    assert problems(reading, TRIAL) == []
    assert (reading.judged, reading.kinds["opinion"]) == (1, 1)


@pytest.mark.parametrize(
    "text",
    [
        "",
        'paper = "a"\n',
        'paper = "a"\n[[paragraph]]\nplace = "p"\n',
        'paper = "a"\n[[paragraph]]\nplace = "p"\nsentences = 1\n[paragraph.claims]\nx = ["a"]\n',
        "not toml",
        None,
    ],
)
def test_a_file_of_another_form_is_one_line(text: str | None, tmp_path: Path) -> None:
    if text is not None:
        (tmp_path / SENTENCES).write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=r"sentences\.toml cannot be read") as caught:
        read_sentences(tmp_path)
    assert "\n" not in str(caught.value)


# -- the summary -------------------------------------------------------------------------------------------------------


def heard(outcome: str, uncounted: str = "") -> Heard:
    ruling = Ruling(outcome, "1")  # type: ignore[arg-type]
    return Heard("paper1999", "A paper", "paper1999.first", "page 1", "words", "it", ruling, uncounted=uncounted)


def test_the_summary_has_the_counts() -> None:
    text = summary_of_sentences([READING], [heard("holds"), heard("refuted"), heard("holds", "repeats another")])
    assert "| paper1999 | 3 | 1 | 2 | 0 | 2 | 1 | 0 | 1 | 0 | 0 |" in text
    assert re.search(r"\| opinion \| .* \| 1 \|", text)
    assert "| motivation |" not in text
    missing = summary_of_sentences([with_paragraph(sentences=5)], [])
    assert "| paper1999 | 5 | 1 | 2 | 2 | 0 | 0 | 0 | 0 | 0 | 0 |" in missing


def test_all_that_were_read_are_summed_up() -> None:
    assert [reading.paper for reading in read_all(ROOT)] == [folder.name for folder in FOLDERS]
