"""Names that users typed do no harm in what is written: each format escapes them in its own way."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable
from html.parser import HTMLParser

import pytest
from effort import some

import symmetrics as sm
from symmetrics import FN, FP, TN, TP, Metric
from symmetrics.data.label_files import LabelledColumns
from symmetrics.language.definition import Definition
from symmetrics.pages.comparisons import ComparisonReport
from symmetrics.pages.displays import BLOCKS, shown
from symmetrics.pages.lookup import explain
from symmetrics.pages.plain import plain_sentence
from symmetrics.pages.score_reports import score
from symmetrics.pages.tables import FORMATS
from symmetrics.pages.value_tables import ValueTable
from symmetrics.posets.report import probability_report, rank_report
from symmetrics.tools import documents as d
from symmetrics.tools.documents.html import html_article, html_blocks, html_fragment, html_page, html_table
from symmetrics.tools.documents.latex import latex_document
from symmetrics.tools.documents.markdown import markdown_document
from symmetrics.tools.documents.text import text_document

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

ACCURACY = (TP + TN) / (TP + FN + FP + TN)
CSV = re.compile(r"[=+@-](?![\d.]+$)")
"""What a spreadsheet takes for the beginning of a formula."""


def table(name: str) -> sm.tables.VerdictTable:
    return sm.table([Metric(name, ACCURACY)], ["p1", "range"])


def everywhere(name: str) -> d.Document:
    """Return a document that has a text at each place where one can stand."""
    spans = (name, " ", d.Code(name), " ", d.Strong(name), " ", d.Small(name), d.Break(), d.Bar(1.0), name)
    cell = d.Cell(spans, name, name, moved=False)
    grid = d.Grid((spans, cell), ((spans, cell), ((name,), (name,))), "lr", notes=(spans,))
    entry = d.Entry(spans, f"yes {name}", ((name, spans),), name)
    every = (
        d.Paragraph(spans),
        d.Paragraph(spans, is_display=True),
        d.Facts(((name, spans),)),
        d.Entries((entry, d.Entry((name,)))),
        d.Entries((d.Entry(spans),), is_numbered=True),
        grid,
        d.Grid((), (((name,), spans),), caption=spans, has_row_heads=True, rules=(0,)),
        d.Listing("text", name),
        d.Plot(name, ((0, 0), (1, 1)), ((0, 0), (1, 1)), (name, name)),
        d.Folded(spans, (d.Paragraph(spans),)),
        d.Beside((d.Paragraph(spans), d.Paragraph(spans))),
    )
    assert {type(block) for block in every} == set(d.Block.__args__) - {d.Picture, d.Section}
    return d.Document(name, (d.Section(name, name, every), *every))


def documents(name: str) -> dict[str, str]:
    found = everywhere(name)
    (grid, *_) = (block for block in found.blocks if isinstance(block, d.Grid))
    html = {write.__name__: write(found) for write in (html_page, html_fragment, html_article)}
    html |= {"blocks": html_blocks(found.blocks), "table": html_table(grid)}
    others = {"md": markdown_document(found), "tex": latex_document(found), "txt": text_document(found)}
    return {f"{key}.html": text for key, text in html.items()} | others


def scores(name: str) -> dict[str, str]:
    columns = LabelledColumns(name, name, name, name, (name,), (3, 1, 2, 4))
    found = score(columns, [Metric(name, TP / (TP + FP))])
    return {form: str(found.to_format(form)) for form in ("text", "csv", "json", "md", "html")}


def values(name: str) -> dict[str, str]:
    found = ValueTable((name, name), (name, "value"), {name: "VARCHAR"}, ((name, 0.5), (name, None)), {name: name})
    return {form: str(found.to_format(form)) for form in ("text", "csv", "json", "md", "html")}


def compared(name: str) -> dict[str, str]:
    row = {"metric": name, "difference": 0.5, "method": name, "test": name}
    found = ComparisonReport({"first": name, "values": {name: name}}, [row], (name, name))
    return {form: found.to_format(form) for form in ("text", "csv", "json")}


def ranks(name: str) -> dict[str, str]:
    return {form: rank_report([(name, "other")]).to_format(form) for form in ("text", "csv", "json")}


def chances(name: str) -> dict[str, str]:
    return {form: probability_report([(name, "other")]).to_format(form) for form in ("text", "csv", "json")}


def tables(name: str) -> dict[str, str]:
    found = table(name)
    page = {"page.html": html_page(found.to_document()), "turned.md": found.to_markdown(transpose=True)}
    return {form: write(found) for form, write in FORMATS.items()} | page


def reports(name: str) -> dict[str, str]:
    found = sm.report([name, "b", name], [name, "b", "b"], {f"{name} ": "recall"}, interval=True)
    return {"text": found.to_text(), "html": found.to_html()}


def displays(name: str) -> dict[str, str]:
    metric, other = Metric(name, ACCURACY), Metric("other", TP / (TP + FP))
    truth, predicted = [name, "b", name, "b"] * 5, [name, "b", "b", "b"] * 5
    verdict = sm.prove(metric, "p1")
    graph = sm.relation_graph(["f1", "jaccard"], with_order=False, processes=1)
    graph.graph["open"] = [("f1", name, "equal")]
    objects = [
        *(verdict, sm.prove(other, "p4"), metric, sm.Panel([metric]), graph),
        sm.Property(name, name, sm.properties["p2"].claim, title=name, yes=name, no=name),
        sm.MulticlassMetric(name, sm.multiclass["cba"].definition),
        sm.posets.poset([(name, "b")]),
        sm.relevance.scores({name: 1, "b": 0.5}),
        sm.ConfusionMatrix.of(truth, predicted),
        sm.compare_all(truth, {name: predicted, "b": truth}, "accuracy", pos_label=name),
        sm.compare(truth, predicted, truth, Metric(name, ACCURACY), pos_label=name),
    ]
    assert {type(value).__name__ for value in objects} <= set(BLOCKS)
    return {f"{place}.html": shown(value) for place, value in enumerate(objects)}


def sentences(name: str) -> dict[str, str]:
    metric = Metric(name, ACCURACY)
    verdict, called = sm.prove(metric, "p1"), Definition(name, ACCURACY)
    property = sm.properties["p1"]
    told = {"text": plain_sentence(verdict, property, called), "long.text": explain(verdict, property, called)}
    return told | {"tex": verdict.to_latex(), "lemma.tex": verdict.to_latex(environment="lemma")}


PRODUCERS: dict[str, Callable[[str], dict[str, str]]] = {
    made.__name__: made
    for made in (documents, scores, values, compared, ranks, chances, tables, reports, displays, sentences)
}


class Tags(HTMLParser):
    """The tags of HTML with the names of their attributes, and its text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, tuple[str, ...]]] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, tuple(name for name, _ in attrs)))


def structure(form: str, text: str) -> object:
    """Return what a name may not change in a format: tags, columns, rows and commands."""
    kind = form.rpartition(".")[2]
    if kind == "html":
        return Tags(text).found
    if kind == "md":
        reader = pytest.importorskip("markdown_it").MarkdownIt("commonmark", {"html": True}).enable("table")
        return Tags(reader.render(text)).found
    if kind == "csv":
        rows = list(csv.reader(io.StringIO(text)))
        assert not any(CSV.match(field.strip()) for row in rows for field in row[:1])
        return [len(row) for row in rows]
    if kind in ("tex", "latex"):
        assert "\\input" not in text
        bare = re.sub(r"\\[\\{}$]|\$\\(?:times|[a-z]+)\$", "", text)
        assert bare.count("{") == bare.count("}")
        return bare.count("$"), bare.count("&")
    if kind == "json":
        return _shape(json.loads(text))
    return None


def _shape(value: object) -> object:
    if isinstance(value, dict):
        return [_shape(one) for one in value.values()]
    return [_shape(one) for one in value] if isinstance(value, list) else type(value)


@pytest.mark.parametrize("producer", PRODUCERS)
def test_no_name_changes_the_structure_of_what_is_written(producer: str) -> None:
    harmless = PRODUCERS[producer]("plain")
    for name in some(HOSTILE, 4, producer):
        written = PRODUCERS[producer](name)
        assert written.keys() == harmless.keys()
        for form, text in written.items():
            assert form == "json" or all(letter.isprintable() or letter == "\n" for letter in text), (name, form)
            assert structure(form, text) == structure(form, harmless[form]), (name, form)


def test_a_formula_in_a_table_of_markdown_keeps_its_stars() -> None:
    reader = pytest.importorskip("markdown_it").MarkdownIt("commonmark").enable("table")
    for formula in ("TP/(TP+2*FN)", "TP/(TP+2*FN+3*FP)", "TP**2/(TP**2+FN**2)"):
        assert f"<td>{formula}</td>" in reader.render(table(formula).to_markdown())
