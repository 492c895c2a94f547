"""Every sentence of a paper has a claim or a reason, every claim a sentence, and the counts add up."""

from __future__ import annotations

import itertools
import re
import tomllib
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from statistics import NormalDist

import pytest
from scipy.stats import hypergeom

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
FOLDERS = scripts(ROOT)


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


# -- claims that the reading added, by hand ----------------------------------------------------------------------------


def evidence(key: str) -> str:
    paper = key.partition(".")[0]
    (found,) = (one for one in load_trial(ROOT / "proofs" / paper).claims if one.key == key)
    ruling = found.judge()
    return f"{ruling.outcome}: {ruling.evidence}"


def test_numbers_of_landgrebe2005_by_hand() -> None:
    posfrac = {0.5: 52.14, 0.1: 29.85, 0.001: 24.33}  # table 2, Highleyman, LDC
    purity = {prior: 100 * prior * 80 / value for prior, value in posfrac.items()}
    said = evidence("landgrebe2005.purity_collapses")
    assert said.startswith("holds: ")
    assert f"{purity[0.5]:.1f} % at 0.5, {purity[0.1]:.1f} % at 0.1, {80 / (0.8 + 0.99 * 24.28):.2f} % at 0.01" in said
    assert f"{purity[0.001]:.2f} % at 0.001" in said

    normal = NormalDist()
    fpr = 100 * normal.cdf(normal.inv_cdf(0.8) - 2 * normal.inv_cdf(1 - 0.153))
    said = evidence("landgrebe2005.two_gaussians_no_improvement")
    assert said.startswith("holds only as: ")
    assert f"{fpr:.1f}" in said
    for name, mean, deviation in (("LDC", 12.22, 1.02), ("MOGC", 15.78, 1.53), ("PARZEN", 11.24, 1.08)):
        assert f"{name} {(mean - 0.08 - 0.999 * fpr) / deviation:.1f}" in said
    assert "0.0833 and 0.211" in evidence(
        "landgrebe2005.comparable_at_any_operating_point"
    )  # 0.5/0.6*0.1, 0.5/0.95*0.4


def test_numbers_of_garcia2012_by_hand() -> None:
    assert f"is {NormalDist().cdf(-1):.4f} at any prior" in evidence("garcia2012.imbalance_affects_learners")
    drawn = hypergeom(8, 3, 5)  # 8 examples, 3 of them positive, 5 predicted positive: TP
    agreement = sum(drawn.pmf(tp) * (2 * tp + 8 - 3 - 5) / 8 for tp in range(4))
    assert agreement == pytest.approx((3 * 5 + 5 * 3) / 64)
    assert evidence("garcia2012.kappa_chance_is_expected").startswith("holds: ")
    step = 1e-6
    for tpr, tnr in itertools.product((0.01, 0.5, 0.99), repeat=2):
        assert iba(tpr + step, tnr) > iba(tpr, tnr) < iba(tpr, tnr + step)
    assert evidence("garcia2012.iba_sees_accuracy").startswith("holds: ")


def iba(tpr: float, tnr: float) -> float:
    return (1 + 0.05 * (tpr - tnr)) * (tpr * tnr) ** 0.5


def test_steps_of_tan2006_by_hand() -> None:
    """Ten records: selecting them one by one leaves one positive prediction at the last of them."""
    labels = "+-+---+-++"
    points = [(labels[first:].count("+"), labels[first:].count("-")) for first in range(10)]
    assert points[-1] == (1, 0)
    assert f"{len(points)} pairs TP, FP, the last one {points[-1]}" in evidence("tan2006.roc_procedure")
    assert evidence("tan2006.figure_5_41_crossing").startswith("open: ")


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
