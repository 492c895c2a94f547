"""Names that users typed do no harm in what is written: each format escapes them in its own way."""

from __future__ import annotations

import csv
import io
from html.parser import HTMLParser

import pytest
from effort import in_one_test

import symmetrics as sm
from symmetrics import FN, FP, TN, TP, Metric
from symmetrics.language.definition import Definition
from symmetrics.pages.displays import shown
from symmetrics.pages.explain import explain
from symmetrics.pages.plain import plain_sentence
from symmetrics.pages.report import score
from symmetrics.pages.scoring import read_columns
from symmetrics.posets.report import rank_report

HOSTILE = (
    "<script>alert(1)</script>|=1+1",
    "=cmd|' /C calc'!A0",
    "<script>alert(1)</script>",
    "a|b",
    "\x1b[31mred",
    "+1+1",
    "[x](javascript:alert(1))",
    "two\nlines",
    'x" onmouseover="alert(1)',
    "$\\input{/etc/passwd}$",
    "\u202etxt.exe",
)

ALLOWED = {"div", "p", "b", "code", "table", "caption", "thead", "tbody", "tr", "th", "td", "details", "summary"}


def table(name: str) -> sm.tables.VerdictTable:
    return sm.table([Metric(name, (TP + TN) / (TP + FN + FP + TN))], ["p1", "range"])


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, tuple[str, ...]]] = []

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, tuple(name for name, _ in attrs)))


@in_one_test
@pytest.mark.parametrize("name", HOSTILE)
def test_tables_have_the_same_structure_whatever_a_metric_is_called(name: str) -> None:
    written, plain = table(name), table("plain")
    for hostile in (written.to_markdown(), written.to_csv(), written.to_latex(), written.to_html()):
        assert all(letter.isprintable() or letter == "\n" for letter in hostile)
    assert len(written.to_markdown().splitlines()) == len(plain.to_markdown().splitlines())
    last = written.to_markdown().splitlines()[-1]
    assert last.replace("\\|", "").count("|") == 4
    assert "<" not in last.replace("&lt;", "")
    assert "](" not in last.replace("\\](", "")
    (_, (first, *_)) = csv.reader(io.StringIO(written.to_csv()))
    assert not first.startswith(("=", "+", "-", "@"))
    tags = [Tags(), Tags()]
    for parser, text in zip(tags, (written.to_html(), plain.to_html()), strict=True):
        parser.feed(text)
    assert tags[0].found == tags[1].found
    body = written.to_latex().split("\\midrule")[1]
    assert "\\input" not in body
    assert body.replace("\\$", "").count("$") == plain.to_latex().split("\\midrule")[1].count("$")


def test_a_formula_in_a_table_of_markdown_keeps_its_stars() -> None:
    reader = pytest.importorskip("markdown_it").MarkdownIt("commonmark").enable("table")
    for formula in ("TP/(TP+2*FN)", "TP/(TP+2*FN+3*FP)", "TP**2/(TP**2+FN**2)"):
        assert f"<td>{formula}</td>" in reader.render(table(formula).to_markdown())


@pytest.mark.parametrize("name", HOSTILE)
def test_scores_and_ranks_of_hostile_names(name: str, tmp_path) -> None:
    file = tmp_path / "labels.csv"
    file.write_text("truth,prediction\n1,1\n0,1\n")
    report = score(
        read_columns(file, truth="truth", prediction="prediction", positive="1"), [Metric(name, TP / (TP + FP))]
    )
    ranks = rank_report([(name, "other")])
    for text in (report.to_text(), report.to_csv(), ranks.to_text(), ranks.to_csv()):
        assert all(letter.isprintable() or letter == "\n" for letter in text)
    for text in (report.to_csv(), ranks.to_csv()):
        assert not any(row[0].startswith(("=", "+", "-", "@")) for row in csv.reader(io.StringIO(text)))
        assert len(list(csv.reader(io.StringIO(text)))) == 2 + text.count("other")


@in_one_test
@pytest.mark.parametrize("name", HOSTILE)
def test_verdicts_and_displays_of_hostile_names(name: str) -> None:
    metric = Metric(name, (TP + TN) / (TP + FN + FP + TN))
    verdict = sm.prove(metric, "p1")
    for hostile in (shown(verdict), shown(metric), shown(sm.Panel([metric]))):
        found = Tags()
        found.feed(hostile)
        assert {tag for tag, _ in found.found} <= ALLOWED
        assert all(not name.startswith("on") for _, names in found.found for name in names)
        assert all(letter.isprintable() or letter == "\n" for letter in hostile)
    paragraph = verdict.to_latex()
    assert paragraph.count("{") == paragraph.count("}")
    assert "\\input" not in paragraph
    assert "\\href" not in paragraph
    called = Definition(name, metric.expr)
    for text in (plain_sentence(verdict, sm.properties["p1"], called), explain(verdict, sm.properties["p1"], called)):
        assert all(letter.isprintable() or letter == "\n" for letter in text)
