"""What notebooks show: HTML of verdicts and metrics, harmless whatever they are called."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Any

import pytest
from effort import some

import symmetrics as sm
from symmetrics.pages.displays import metric_html, verdict_html

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


@pytest.mark.parametrize("key", some(sm.properties, 6))
def test_a_verdict_is_a_sentence_a_table_and_what_is_folded_away(key: str) -> None:
    for name in some(sm.metrics, 3, key):
        verdict = sm.prove(name, key)
        shown = verdict_html(verdict)
        tags = Tags(shown)
        assert tags.open == []
        assert "details" in tags.names
        assert shown.index("<b>") < shown.index("<details>")
        assert (shown.count("<table>") == 2) is (verdict.witness is not None)


def test_the_cells_that_moved_are_marked() -> None:
    shown = verdict_html(sm.prove("precision", "p4"))
    rows = re.findall(r"<tr><td.*", shown)
    assert len(rows) == 2
    for row in rows:  # TP moves, and nothing else
        assert [("style" in cell) for cell in re.findall(r"<td[^>]*>", row)] == [True, False, False, False, False]


def test_a_metric_shows_its_formula_parameters_and_direction() -> None:
    shown = metric_html(sm.metrics["f_beta"])
    assert Tags(shown).open == []
    assert sm.metrics["f_beta"].latex in shown
    assert "beta" in shown
    assert "greater is better" in shown


def test_a_name_of_evil_is_shown_and_nothing_more() -> None:
    mine = sm.Metric(EVIL, sm.TP / (sm.TP + sm.FN))
    for shown in (metric_html(mine), verdict_html(sm.prove(mine, "p1"))):
        assert "script" not in Tags(shown).names
        assert "<script" not in shown


def test_a_property_of_ones_own_is_shown() -> None:
    mine = sm.Property("mine", "M is M", sm.properties["p2"].claim)
    assert "F1-measure has the property &#x27;mine&#x27;." in verdict_html(sm.prove("f1", mine))


def test_a_notebook_asks_for_html() -> None:
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
