"""What notebooks show: HTML of verdicts and metrics, harmless whatever they are called."""

from __future__ import annotations

import dataclasses
import importlib
import re
from collections.abc import Callable
from html.parser import HTMLParser
from typing import Any

import pytest
from effort import in_one_test, some

import symmetrics as sm
from symmetrics.discovery.synthesis import Synthesis
from symmetrics.evaluation.planning import Design, Plan
from symmetrics.pages.displays import BLOCKS
from symmetrics.pages.displays import shown as displayed
from symmetrics.query.relations import relate

SIZE, MARGIN = 220, 34  # of the picture of a curve
EVIL = "<script>alert(1)</script>|=1+1"


class Tags(HTMLParser):
    """Collects what is opened and not closed, and the texts of cells."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.names: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, _attrs: Any) -> None:
        self.open.append(tag)
        self.names.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@in_one_test
@pytest.mark.parametrize("key", some(sm.properties, 6))
def test_a_verdict_is_a_sentence_a_table_and_what_is_folded_away(key: str) -> None:
    for name in some(sm.metrics, 3, key):
        verdict = sm.prove(name, key)
        shown = displayed(verdict)
        tags = Tags(shown)
        assert tags.open == []
        assert "details" in tags.names
        assert shown.index("<b>") < shown.index("<details>")
        assert (shown.count("<table>") == 2) is (verdict.witness is not None)


def test_a_graph_of_relations_is_a_table_of_them_and_tells_what_is_open() -> None:
    graph = sm.relation_graph(["f1", "jaccard", "bray_curtis"], with_order=False, processes=1)
    graph.graph["open"] = [("f1", EVIL, "equal")]
    shown = displayed(graph)
    assert shown.count("<tr><td") == graph.number_of_edges()
    assert "in reverse: bray_curtis, f1, jaccard" in shown
    assert "Open: f1 equal &lt;script&gt;" in shown


# -- orders, relations, curves and results -----------------------------------------------------------------------------

CURVE = sm.roc_curve([0, 0, 1, 1, 0, 1], [0.1, 0.3, 0.35, 0.8, 0.35, 0.6])
OBJECTS: dict[str, Callable[[], Any]] = {
    "Comparison": lambda: sm.compare([1] * 10 + [0] * 10, [1] * 6 + [0] * 14, [1] * 9 + [0] * 11, "f1"),
    "Identification": lambda: sm.identify(sm.TP / (sm.TP + sm.FN)),
    "Interval": lambda: sm.metrics["recall"].interval(40, 10, 20, 130),
    "Metric": lambda: sm.metrics["cwa"],
    "MulticlassMetric": lambda: sm.multiclass["f_of_means"],
    "RelationGraph": lambda: sm.relation_graph(["f1", "jaccard"], with_order=False, processes=1),
    "Order": lambda: sm.order(["jaccard", "f1"], processes=1),
    "Panel": lambda: sm.Panel(["f1", "mcc"]),
    "Poset": lambda: sm.posets.poset([(EVIL, "b"), ("b", "c")]),
    "ConfusionMatrix": lambda: sm.ConfusionMatrix.of(["a", EVIL, "a"], ["a", EVIL, EVIL]),
    "MulticlassProperty": lambda: sm.multiclass_properties["merging"],
    "Property": lambda: sm.properties["p1"],
    "Relevance": lambda: sm.relevance.partial_order([(EVIL, "b"), ("b", "c")]),
    "RocBand": lambda: sm.roc_band([0, 0, 1, 1, 0, 1], [0.1, 0.3, 0.35, 0.8, 0.35, 0.6]),
    "RocCurve": lambda: CURVE,
    "Mending": lambda: sm.mend("precision", "p1"),
    "Possibility": lambda: sm.possible(require=["p2"], forbid=["p1"]),
    "Synthesis": lambda: Synthesis(("p2",), (), 2, 5, remark=EVIL),
    "Verdict": lambda: sm.prove("f1", "p1"),
    "OverFolds": lambda: sm.over_folds("f1", [[5, 1, 1, 5], [4, 2, 1, 5]]),
    "FoldComparison": lambda: sm.compare_folds([0.5, 0.6, 0.7], [0.6, 0.7, 0.75], test_share=0.1),
    "Plan": lambda: Plan(10, 5.0, 0.1, "a mean width of 0.1"),
    "Concepts": lambda: sm.concepts(["f1", "mcc"], ["p1", "p2"]),
    "Disagreement": lambda: sm.adversary("f1", "mcc", n=3),
    "Explanation": lambda: sm.explain("f1", (3, 1, 1, 1), (4, 1, 2, 1)),
    "Design": lambda: Design(10, 5, 15.0, 0.1, "a mean width of 0.1"),
    "AllComparisons": lambda: sm.compare_all([1, 0] * 9, {"a": [1, 0] * 9, EVIL: [1, 1, 0] * 6}, "f1"),
    "DatasetComparison": lambda: sm.compare_over_datasets({"a": [0.5, 0.6, 0.7, 0.8], "b": [0.6, 0.7, 0.9, 0.9]}),
}
FIXED_COLOUR = re.compile(r"(?:color|background|fill|stroke): ?(?!currentColor|none|transparent|rgba\()[#\w]")


@in_one_test
@pytest.mark.sampled(10)
@pytest.mark.parametrize("name", BLOCKS)
def test_everything_that_is_shown_is_closed_harmless_and_legible_on_light_and_dark(name: str) -> None:
    value = OBJECTS[name]()
    assert type(value).__name__ == name
    shown = displayed(value)
    tags = Tags(shown)
    assert tags.open == []
    assert "script" not in tags.names
    assert not FIXED_COLOUR.search(shown)
    assert '="#' not in shown
    assert "<b>" in shown.splitlines()[1]


def test_curves_and_intervals_are_shown() -> None:
    # The picture of a curve goes through its points.
    drawn = re.findall(r'<polyline points="([^"]*)" fill="none" stroke="currentColor" stroke-width', displayed(CURVE))
    points = [tuple(map(float, point.split(","))) for point in drawn[0].split()]
    assert points == [
        (round(MARGIN + SIZE * x, 1), round(SIZE * (1 - y), 1)) for x, y in zip(CURVE.fpr, CURVE.tpr, strict=True)
    ]
    # A long curve is drawn at some of its points with both ends.
    many = sm.roc_curve([0, 1] * 2000, list(range(4000)))
    points = re.findall(r'points="([^"]*)"', displayed(many))[-1].split()
    assert len(points) == 400
    assert points[0] == f"{MARGIN:.1f},{SIZE:.1f}"
    assert points[-1] == f"{MARGIN + SIZE:.1f},0.0"
    # Intervals of many tables say how many are left out.
    shown = displayed(sm.metrics["recall"].interval(list(range(1, 31)), 10, 20, 130))
    assert shown.count("<tr>") == 21
    assert "and 10 more" in shown


def test_metrics_are_shown_with_what_they_are_made_of() -> None:
    # A metric shows its formula parameters and direction.
    shown = displayed(sm.metrics["f_beta"])
    assert Tags(shown).open == []
    assert sm.metrics["f_beta"].latex in shown
    assert "beta" in shown
    assert "greater is better" in shown
    # A multi class metric says how it is averaged and what it is made of.
    of_means, whole = (displayed(sm.multiclass[key]) for key in ("f_of_means", "kappa_linear"))
    assert "macro, micro" in of_means
    assert "beta" in of_means
    assert sm.multiclass["f_of_means"].latex in of_means
    assert "whole matrix" in whole
    assert "order of the classes" in whole
    # Parameters have their values and defaults.
    shown = displayed(sm.metrics["cwa"])
    row = re.findall(r"<tr>(.*w</td>.*)</tr>", shown)[-1]
    assert re.findall(r">([^<>]+)</td>", row) == ["w", "[0, 1]", "3/4"]
    # A metric of matrices under the name of another has not its title.
    other = sm.MulticlassMetric("kappa", sm.multiclass["cba"].definition)
    shown = displayed(other.prove("merging", 3))
    assert "<p><b>kappa of 3 classes changes when" in shown
    assert "Cohen" not in shown
    assert "Cohen&#39;s kappa of 3 classes" in displayed(sm.multiclass["kappa"].prove("merging", 3))
    many = dataclasses.replace(other.prove("merging", 3), metric="kappa of 9999 classes")
    assert "<p><b>kappa of 9999 classes changes" in displayed(many)


def test_a_confusion_matrix_has_its_counts_by_true_and_predicted_class() -> None:
    counts = sm.ConfusionMatrix.of(["cat", "dog", "dog", "dog"], ["cat", "cat", "cat", "dog"])
    rows = re.findall(r"<tr>(.*)</tr>", displayed(counts))
    assert [re.findall(r">([^<>]*)</t[hd]>", row) for row in rows] == [
        ["", "predicted cat", "predicted dog"],
        ["true cat", "1", "0"],
        ["true dog", "2", "1"],
    ]
    many = displayed(sm.ConfusionMatrix.of(range(22), range(22)))
    assert many.count("<tr>") == 21
    assert "and 2 more classes" in many
    assert "<table>" not in displayed(sm.ConfusionMatrix())
    assert "0.5" in displayed(sm.ConfusionMatrix.of([0, 1], [0, 1], sample_weight=[0.5, 2]))


def test_verdicts_on_matrices_are_shown() -> None:
    # A verdict on matrices is shown.
    shown = displayed(sm.multiclass["cba"].prove("merging", 3))
    assert "<p><b>Class balance accuracy of 3 classes changes when two classes" in shown
    assert ">M(C) = 4/9; M of C with its last two classes merged = 5/12</caption>" in shown
    assert Tags(shown).open == []
    assert "of 2 classes treats predictions and truth alike" in displayed(
        sm.MulticlassMetric("mine", sm.multiclass["cba"].definition).prove("transpose", 2)
    )
    # The matrices of a counterexample have their rows and what moved is marked.
    verdict = sm.multiclass["mcc"].prove("monotone_rows", 3)
    shown = displayed(verdict)
    assert verdict.witness is not None
    for table, value in zip(verdict.witness.tables, verdict.witness.values, strict=True):
        (rows,) = re.findall(
            rf">M = {re.escape(str(value))}, about [\d.]+</caption>\n<tbody>\n(.*?)\n</tbody>", shown, re.S
        )
        cells = [re.findall(r"<td([^>]*)>(\d+)</td>", row) for row in rows.splitlines()]
        assert [[int(count) for _, count in row] for row in cells] == [[*table][k : k + 3] for k in (0, 3, 6)]
        assert [[bool(style) for style, _ in row] for row in cells] == [[True, True, False], [False] * 3, [False] * 3]
    # A property of matrices says of how many classes it is asked.
    shown = displayed(sm.multiclass_properties["merging"])
    assert sm.multiclass_properties["merging"].statement in shown
    assert "at a number of classes, 3 or more" in shown


def test_verdicts_are_shown_with_their_tables() -> None:
    # The cells that moved are marked.
    shown = displayed(sm.prove("precision", "p4"))
    rows = re.findall(r"<tr><td.*", shown)
    assert len(rows) == 2
    for row in rows:  # TP moves, and nothing else
        assert [("style" in cell) for cell in re.findall(r"<td[^>]*>", row)] == [True, False, False, False, False]
    # A property of one's own is shown.
    mine = sm.Property("mine", "M is M", sm.properties["p2"].claim)
    assert "F1-measure has the property &#39;mine&#39;." in displayed(sm.prove("f1", mine))
    # A name of evil is shown and nothing more.
    mine = sm.Metric(EVIL, sm.TP / (sm.TP + sm.FN))
    for shown in (displayed(mine), displayed(sm.prove(mine, "p1"))):
        assert "script" not in Tags(shown).names
        assert "<script" not in shown
    # Tables of two metrics say whose value it is.
    shown = displayed(relate("f1", "tpr", "affine"))
    assert shown.count("<td>M</td>") == shown.count("<td>L</td>") == 3


def test_what_notebooks_are_told_of_is_what_can_be_shown() -> None:
    told = [name for names in sm._SHOWN.values() for name in names]
    assert sorted(told) == sorted(BLOCKS)
    for module, names in sm._SHOWN.items():
        for name in names:
            assert getattr(importlib.import_module(module), name).__module__ == module
    # A notebook asks for HTML.
    shell = pytest.importorskip("IPython.core.interactiveshell").InteractiveShell.instance()
    try:
        sm._show_in_notebooks()
        formats, _ = shell.display_formatter.format(sm.prove("f1", "p2"))
        assert "does not depend on the true negatives" in formats["text/html"]
        assert formats["text/plain"] == "<Verdict: p2 of f1: proved>"
        formats, _ = shell.display_formatter.format(sm.metrics["f1"])
        assert "F1-measure" in formats["text/html"]
    finally:
        shell.clear_instance()
