"""Looking things up: lists, pages, a search by everyday words, and verdicts in one plain sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

import pytest
from effort import in_one_test, is_thorough, some
from shared import sections_of

import symmetrics as sm
from symmetrics.cli import main
from symmetrics.pages.answers import called
from symmetrics.pages.lookup import page, rows
from symmetrics.pages.plain import plain_sentence
from symmetrics.papers.claims import lookup
from symmetrics.query.proving import search


@pytest.fixture(scope="module", autouse=True)
def _papers() -> Iterator[None]:
    """Load the papers once for all questions, each of which is usually put to a process of its own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lookup, "_trials", cache(lookup._trials))
        yield


WORDS = dict(sections_of("known_answers.txt")["words for properties"])


@in_one_test
@pytest.mark.parametrize(("words", "key"), WORDS.items())
def test_people_find_a_property_by_their_own_words(words: str, key: str) -> None:
    assert key in dict(search([words]))
    assert key in dict(search(words.upper().split()))


@in_one_test
@pytest.mark.parametrize("key", sm.properties)
def test_a_plain_sentence_says_what_the_verdict_does(key: str) -> None:
    property = sm.properties[key]
    for name in some(sm.metrics, 2, key):
        metric, verdict = sm.metrics[name], sm.prove(name, key)
        sentence = plain_sentence(verdict, property, metric)
        assert sentence[0].isupper()
        assert sentence.endswith(".")
        assert "  " not in sentence
        if verdict.condition is not None:
            assert "if and only if" in sentence
            assert property.yes in sentence
        elif verdict.status == "open":
            assert "not known" in sentence
        elif verdict.evidence.kind == "no expectation":
            assert "has no average" in sentence
        else:
            said, unsaid = (property.yes, property.no) if verdict.holds else (property.no, property.yes)
            assert sentence.startswith(f"{called(metric)} {said}")
            assert not sentence.startswith(f"{called(metric)} {unsaid}")
        for table in verdict.witness.tables if verdict.status == "refuted" and verdict.witness else ():
            assert str(table[0]) in sentence


@pytest.mark.parametrize("name", [*sm.metrics, *sm.properties] if is_thorough() else ["f1", "p2"])
def test_a_page_has_at_most_a_screen_and_no_long_line(name: str) -> None:
    lines = page(name).splitlines()
    assert len(lines) <= 60
    assert max(map(len, lines)) <= 120
    assert name in lines[0]


def test_words_find_what_they_are_about() -> None:
    # Every property is found by each of its words and says what holds.
    for key, property in sm.properties.items():
        assert property.words, key
        for word in (*property.words, property.title, key):
            assert key in dict(search([word])), (key, word)
        assert property.yes != property.no
        assert "M" not in re.findall(r"\w+", property.yes + property.no), "a formula in a plain sentence"
    # No words of anything find nothing.
    assert search(["class", "zebra"]) == []
    # Lists have every record.
    assert [key for key, _ in rows("metrics")] == list(sm.metrics)
    assert [key for key, _ in rows("properties")] == list(sm.properties)


@pytest.mark.sampled(8)
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["list", "properties"], "constant_baseline  "),
        (["list", "papers"], "garcia2012"),
        (["list", "claims"], "tan2006.equation_5_76"),
        (["show", "MCC"], "- It stays the same when the two classes are exchanged."),
        (["show", "garcia2012"], "garcia2012.equation_"),
        (["show", "monotone_rows"], "a metric with it              rises whenever a prediction is corrected"),
        (["show", "kappa_linear"], "- It does not always rise when a prediction is corrected."),
        (["show", "tan2006.equation_5_76"], "symmetrics check --claim tan2006.equation_5_76"),
        (["find", "class", "skew"], "actual_scaling"),
        (["find", "skew", "--format", "json"], '"actual_scaling": '),
        (["find", "p1"], "which metrics have it: symmetrics find p1=yes"),
        (["find", "null invariance"], "which metrics have it: symmetrics find p2=yes"),
    ],
)
def test_the_command_line_looks_up(arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 0
    output, errors = capsys.readouterr()
    assert words in output
    assert errors == ""


def test_names_and_formulas_are_taken_as_people_write_them(capsys: pytest.CaptureFixture[str]) -> None:
    # Names of several words themes and languages are taken as people write them.
    assert main(["show", "f1", "score"]) == 0
    assert capsys.readouterr().out.startswith("F1-measure (f1)\n")
    assert main(["list", "themes"]) == 0
    listed = dict(line.split(maxsplit=1) for line in capsys.readouterr().out.splitlines())
    assert listed["rates"].startswith("tpr, tnr,")
    assert set(listed) == {theme for theme, found in sm.metrics.themes.items() if found}
    assert main(["code", "f1", "--language", "C"]) == 0
    assert "double f1(" in capsys.readouterr().out
    # A table takes formulas and names in one list.
    formula = "Max(TP/(TP + FN), TN/(TN + FP))"
    assert main(["table", "--metrics", f"mcc,{formula},MCC", "--properties", "p1,p2", "--format", "csv"]) == 0
    mine = sm.Metric("mine", sm.parse_formula(formula))
    verdicts = [sm.prove(mine, key).holds for key in ("p1", "p2")]
    assert verdicts == [True, False]
    assert capsys.readouterr().out.splitlines() == ["metric,p1,p2", "mcc,-,+", f'"{formula}",-,+']


def test_a_range_reaches_an_end_only_where_the_evidence_has_a_table_with_that_value() -> None:
    """Against the sentence of the evidence, whose wording says which it is, and against exact values at its tables."""
    for name in some(sm.metrics, 30, "ends"):
        verdict = sm.prove(name, "range")
        if verdict.evidence.kind != "range":
            continue
        told = plain_sentence(verdict, sm.properties["range"], sm.metrics[name])
        for end in verdict.evidence.sentence.split("; "):
            found = re.match(r"M [<>]= (\S+), (attained at|approached at)", end)
            if found is None:
                continue
            bound = re.escape(found[1])
            if found[2] == "attained at":
                assert re.search(rf"reaches [^,]*{bound}(?! only)", told), (name, end, told)
            elif "not attained at positive cells but at" in end:
                assert re.search(rf"reaches [^,]*{bound}( and \S+)? only where cells are zero", told), (name, end, told)
            elif "not decided" in end:
                assert re.search(rf"as near to [^,]*{bound}", told), (name, end, told)


def test_sentences_are_true_and_short() -> None:
    # The range is told for positive cells and for all.
    told = plain_sentence(sm.prove("mcc", "range"), sm.properties["range"], sm.metrics["mcc"])
    assert told.endswith("it lies between -1 and 1, and reaches -1 and 1 only where cells are zero.")
    assert sm.metrics["mcc"].exact(1, 0, 0, 1) == 1
    told = plain_sentence(
        sm.prove("optimized_precision", "range"), sm.properties["range"], sm.metrics["optimized_precision"]
    )
    assert told.endswith("reaches 1 only where cells are zero, and comes as near to -1 as one likes.")
    # A formula is not repeated in its sentence.
    mine = sm.Metric("TP/(TP + 2*FN)", sm.TP / (sm.TP + 2 * sm.FN))
    told = plain_sentence(sm.prove(mine, "p2"), sm.properties["p2"], mine)
    assert told == "The formula does not depend on the true negatives."
    # What depends on the number of examples alone is not blamed on the class balance. E[chi-square] is n/(n - 1).
    told = plain_sentence(
        sm.prove("chi_square", "constant_baseline"), sm.properties["constant_baseline"], sm.metrics["chi_square"]
    )
    assert "balance" not in told


def test_what_is_listed_of_matrices_has_a_page() -> None:
    for key in some(sorted(sm.multiclass_properties), 1):
        told = page(key)
        having = [name for name in sm.multiclass if sm.multiclass[name].prove(key, 3).holds]
        if key not in sm.properties:  # else the page is about the property of metrics of two classes
            assert sm.multiclass_properties[key].statement[:40] in told
            assert f"{len(having)} of {len(sm.multiclass)} have it at 3 classes" in told
    for key in some([name for name in sm.multiclass if name not in sm.metrics], 1):
        told = page(key)
        assert told.splitlines()[0].endswith(f"({key}), of matrices of any number of classes")
        assert told.count("\n- ") >= len(sm.multiclass_properties)
