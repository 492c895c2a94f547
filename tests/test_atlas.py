"""The atlas without a browser: what is chosen, what pages say, and that nothing a metric is called gets out of hand."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html.parser import HTMLParser
from pathlib import Path, PurePosixPath

import networkx as nx
import pytest
from atlas_choices import Choice, chosen, needs_of
from effort import examples, is_thorough
from hypothesis import given, settings
from hypothesis import strategies as st

import symmetrics as sm
from symmetrics import FN, TP, Metric, cli
from symmetrics.library import metrics, properties
from symmetrics.pages.atlas import Claim, Paper, pages_of
from symmetrics.pages.atlas.gathered import PROBLEMS, Entry, address, entries_of
from symmetrics.pages.atlas.relation_graph import HEIGHT_OF_GRAPH as HEIGHT
from symmetrics.pages.atlas.relation_graph import drawn, labels_of
from symmetrics.pages.atlas.scripts import FAMILIAR, QUESTIONS
from symmetrics.papers.claims.writing import OUTCOMES
from symmetrics.repository.browsing import laws_known
from symmetrics.tools.errors import InputError

NAME = "<script>alert(1)</script>"
TITLE = '"><img src=x onerror=alert(1)> {{ 7*7 }}'
SECONDS = 10.0

# -- choosing ----------------------------------------------------------------------------------------------------------

# What somebody who knows the literature would take, and not take, with the property that speaks against it.
EXPECTED: Mapping[str, tuple[set[str], Mapping[str, str]]] = {
    # both rates, whatever the prevalence: Youden's index, balanced accuracy, G-mean; accuracy rewards "nobody is ill"
    "screening": (
        {"informedness", "auc_single", "gmean"},
        {"accuracy": "no_imbalance_bias", "f1": "no_imbalance_bias", "mcc": "no_imbalance_bias", "tpr": "monotone"},
    ),
    # sensitivity and specificity carry over, predictive values do not
    "hospital": (
        {"tpr", "tnr", "informedness", "positive_likelihood_ratio"},
        {"precision": "actual_scaling", "npv": "actual_scaling", "accuracy": "actual_scaling", "f1": "actual_scaling"},
    ),
    "retrieval": (
        {"f1", "jaccard", "f_beta"},
        {"accuracy": "p2", "mcc": "p2", "kappa": "p2", "auc_single": "p2", "precision": "max_agreement"},
    ),
    "annotators": (
        {"kappa", "mcc"},
        {"accuracy": "independence_value", "f1": "p1", "informedness": "transpose", "precision": "transpose"},
    ),
    "informed": (
        {"informedness", "auc_single", "log_odds_ratio"},
        {"mcc": "actual_scaling", "kappa": "actual_scaling", "gmean": "independence_value", "tpr": "monotone"},
    ),
    "costs": (
        {"expected_loss", "weighted_accuracy", "f_beta", "net_benefit"},
        {"accuracy": "transpose", "f1": "transpose", "mcc": "transpose", "kappa": "transpose"},
    ),
    # the mean of the accuracy over the cuts is one minus the mean absolute error in ranks, over the number of cuts
    "ordinal": ({"accuracy", "kappa", "mcc", "auc_single"}, {"f1": "p1", "precision": "p1", "tpr": "p1"}),
    "either_class": (
        {"mcc", "kappa", "informedness"},
        {"f1": "p1", "accuracy": "independence_value", "gmean": "independence_value"},
    ),
    "segmentation": (
        {"f1", "jaccard"},
        {"accuracy": "p2", "kappa": "p2", "precision": "transpose", "tpr": "transpose"},
    ),
    "scores": (
        {"tpr", "tnr", "auc_single", "informedness"},
        {"accuracy": "actual_scaling", "f1": "actual_scaling", "precision": "actual_scaling"},
    ),
    # F1 of pooled folds is a weighted mean of theirs; the mean of G-means, kappas and balanced accuracies is not theirs
    "folds": ({"accuracy", "f1", "jaccard", "precision"}, {"mcc": "decomposable", "auc_single": "decomposable"}),
    "many_classes": ({"auc_single", "gmean"}, {"accuracy": "no_imbalance_bias", "f1": "no_imbalance_bias"}),
}


@pytest.fixture(scope="module")
def entries() -> tuple[Entry, ...]:
    wanted = {name for kept, _ in EXPECTED.values() for name in kept} | set(FAMILIAR)
    return entries_of((metrics[name] for name in (metrics if is_thorough() else wanted)), seconds=SECONDS)


def _meets(name: str, alternatives: Mapping[str, str]) -> bool:
    """Whether one of the alternatives holds, by the verdicts themselves."""
    verdicts = {key: sm.prove(name, key) for key in alternatives}
    return any(
        verdicts[key].condition is not None if wanted == "depends" else verdicts[key].holds is True
        for key, wanted in alternatives.items()
    )


def test_what_remains_for_some_answers(entries: tuple[Entry, ...]) -> None:
    # Problems of the literature lead to what an expert would take.
    assert set(EXPECTED) == {problem.key for problem in PROBLEMS}
    for problem in PROBLEMS:
        found, (kept, dropped) = chosen(entries, problem.answers), EXPECTED[problem.key]
        assert kept <= set(found.kept), problem.key
        for name, property in dropped.items():
            assert property in {answer.key for answer in found.dropped[name]}, (problem.key, name)
    # What remains has all that is needed and what drops out has not.
    for problem in PROBLEMS:
        found = chosen(entries, problem.answers)
        needs = needs_of(problem.answers)
        assert needs, problem.key
        assert set(found.kept).isdisjoint(found.dropped)
        for name, answers in found.kept.items():
            assert all(_meets(name, dict(need.alternatives)) for need in needs), name
            assert {answer.key for answer in answers} <= {key for need in needs for key, _ in need.alternatives}
        for name in found.dropped:
            assert not all(_meets(name, dict(need.alternatives)) for need in needs), name
    # Without answers everything with a better end remains.
    found: Choice = chosen(entries, {})
    assert not found.needs
    assert not found.dropped
    assert set(found.kept) == {e.metric.name for e in entries if e.metric.greater_is_better is not None}
    assert [name for name in found.kept if name in FAMILIAR] == list(FAMILIAR)


def test_questions_ask_for_properties_that_there_are_and_begin_with_nothing() -> None:
    assert set(FAMILIAR) <= set(metrics)
    for question in QUESTIONS:
        assert not question.options[0].needs
        assert len({option.key for option in question.options}) == len(question.options)
        for option in question.options:
            assert {key for need in option.needs for key, _ in need.alternatives} <= set(properties)


@pytest.mark.parametrize(("answers", "told"), [({"weather": "fine"}, "no question"), ({"prior": "x"}, "no answer")])
def test_an_unknown_question_or_answer_is_refused_by_name(answers: dict[str, str], told: str) -> None:
    with pytest.raises(InputError, match=told):
        needs_of(answers)


# -- pages -------------------------------------------------------------------------------------------------------------


class Page(HTMLParser):
    """The tags of a page, its links and its anchors."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: list[str] = []
        self.scripts: list[dict[str, str | None]] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.tags.append((tag, found))
        if found.get("id"):
            self.anchors.append(str(found["id"]))
        if tag == "script":
            self.scripts.append(found)
        self.links += [str(found[name]) for name in ("href", "src") if found.get(name)]


@pytest.fixture(scope="module")
def site() -> dict[str, bytes]:
    hostile = Metric(NAME, TP / (TP + FN), title=TITLE)
    claim = Claim(
        "paper2000.one", NAME, TITLE, NAME, "refuted", TITLE, NAME, "prover", "", ((NAME, "p2"), ("f1", "p1"))
    )
    others = [Claim(f"paper2000.{outcome}", "1", "2", "3", outcome, "4") for outcome in OUTCOMES]
    paper = Paper("paper2000", f"{NAME} (2000)", TITLE, (claim, *others))
    return dict(pages_of([hostile, metrics["f1"]], [paper], laws_known(), version="0", seconds=SECONDS, progress=False))


def _pages(site: Mapping[str, bytes]) -> Iterator[tuple[str, Page]]:
    for path, data in site.items():
        if path.endswith(".html"):
            yield path, Page(data.decode())


def test_pages_hold_names_as_text(site: dict[str, bytes]) -> None:
    # Names of all kinds are text and never markup.
    for path, page in _pages(site):
        assert "alert(1)" not in "".join(value or "" for tag in page.scripts for value in tag.values()), path
        assert all(tag["src"] for tag in page.scripts), path
        assert not [tag for tag, _ in page.tags if tag == "img"], path
        assert not [name for _, found in page.tags for name in found if name.startswith("on")], path
    for path, data in site.items():
        if path.startswith("data/"):
            assert b"<script" not in data, path
    # Expressions of templates in names are not evaluated.
    page = site[f"metrics/{address(NAME)}.html"].decode()
    assert "{{ 7*7 }}" in page
    assert "&lt;script&gt;" in page


def test_a_page_of_a_property_says_which_formula_a_sentence_is_on() -> None:
    """Of a formula without a name the sentence begins with "The formula", whichever it is."""
    formulas = ("TP/(TP + 2*FN)", "TN/(TN + 3*FP)")
    listed = [*(Metric(text, text) for text in formulas), Metric("mine", TP / (FN + 2))]
    found = dict(pages_of(listed, [], version="0", seconds=SECONDS, progress=False))
    page = found["properties/actual_scaling.html"].decode()
    for text in formulas:
        assert f"<code>{text}</code>: The formula does not depend on the class balance" in page
    assert re.search("</span> The metric mine depends on the class balance", page)


def test_every_link_leads_to_a_page_and_a_place_on_it(site: dict[str, bytes]) -> None:
    pages = dict(_pages(site))
    for path, page in pages.items():
        assert len(set(page.anchors)) == len(page.anchors), path
        for link in page.links:
            target, _, place = link.partition("#")
            if link.startswith("data:"):
                continue
            found = _resolved(PurePosixPath(path).parent / target) if target else path
            assert found in site, (path, link)
            if place:
                assert place in pages[found].anchors, (path, link)


def _resolved(path: PurePosixPath) -> str:
    parts: list[str] = []
    for part in path.parts:
        if part == "..":
            parts.pop()
        else:
            parts.append(part)
    return "/".join(parts)


# -- names and places --------------------------------------------------------------------------------------------------


@given(st.text(max_size=60), st.text(max_size=60))
def test_different_names_have_different_pages_that_any_file_system_takes(first: str, second: str) -> None:
    for name in (first, second):
        assert all(letter.isascii() and (letter.isalnum() or letter in "-_") for letter in address(name))
        assert 0 < len(address(name)) <= 80
    assert (address(first).casefold() == address(second).casefold()) == (first == second)


@settings(max_examples=examples(40))
@given(st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), min_size=1, max_size=20), st.data())
def test_no_name_is_drawn_on_another(pairs: list[tuple[int, int]], data: st.DataObject) -> None:
    graph = nx.Graph((f"n{a}", f"n{b}") for a, b in pairs)
    labels = {node: "x" * data.draw(st.integers(1, 26)) for node in sorted(graph)}
    found = drawn(graph, labels)
    nodes = sorted(graph)
    for place, one in enumerate(nodes):
        (x, y), width = found.places[one], found.widths[one]
        assert x - width / 2 >= -1e-9
        assert x + width / 2 <= found.width + 1e-9
        assert HEIGHT / 2 - 1e-9 <= y <= found.height - HEIGHT / 2 + 1e-9
        for other in nodes[place + 1 :]:
            (u, v), across = found.places[other], (width + found.widths[other]) / 2
            assert abs(x - u) >= across - 1e-6 or abs(y - v) >= HEIGHT - 1e-6


# -- the folder --------------------------------------------------------------------------------------------------------


def test_a_folder_with_other_files_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "thesis.txt").write_text("years of work")
    assert cli.main(["atlas", "-o", str(tmp_path), "--metrics", "f1"]) == 2
    assert "holds other files" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_no_two_boxes_of_the_relations_have_the_same_label() -> None:
    """Titles that begin alike would be shortened to the same."""
    entries = [Entry(metric, {}) for metric in metrics.values()]
    labels = labels_of(entries)
    assert len(set(labels.values())) == len(labels) == len(entries)
    assert labels["f1"] == metrics["f1"].title
    assert labels["normalized_mcc"] == "normalized_mcc"


def test_pages_of_the_site_are_whole(site: dict[str, bytes]) -> None:
    # Every claim of a paper is counted under what came of it.
    row = re.findall(r'<td class="number">(\d+)</td>', site["papers.html"].decode())
    claims, *outcomes = map(int, row)
    assert claims == sum(outcomes) == len(OUTCOMES) + 1
    # The heading of a single column is set upright and not cut.
    heads = [found for tag, found in Page(site["index.html"].decode()).tags if found.get("scope") == "colgroup"]
    narrow = {found["data-theme"] for found in heads if "narrow" in (found["class"] or "")}
    assert narrow == {found["data-theme"] for found in heads if found["colspan"] == "1"} == {"baselines"}
    assert ".group.narrow span { writing-mode" in site["assets/atlas.css"].decode()
    # Nothing is fetched from a network.
    for path, page in _pages(site):
        assert not [link for link in page.links if "://" in link], path
        policy = [found["content"] for tag, found in page.tags if tag == "meta" and "http-equiv" in found]
        assert policy, path
        assert "default-src 'none'" in str(policy[0]), path
    # Every answer of the table is the verdict.
    row = next(found for tag, found in Page(site["index.html"].decode()).tags if found.get("data-name") == "f1")
    order = [record.name for records in properties.themes.values() for record in records]
    letters = {True: "Yyp", False: "Nnq", None: "co"}
    for key, mark in zip(order, str(row["data-marks"]), strict=True):
        assert mark in letters[sm.prove("f1", key).holds], key
    # Metrics without a relation get a sentence and no empty picture.
    page = site["relations.html"].decode()
    assert "No relation between the metrics of this atlas was proved." in page
    assert "<svg" not in page
    assert "Related to no other metric" in page


def test_a_file_is_no_folder_and_a_name_stands_for_one_metric(tmp_path: Path) -> None:
    (tmp_path / "site").write_text("")
    with pytest.raises(InputError, match="it is a file"):
        sm.atlas(tmp_path / "site", ["f1"])
    with pytest.raises(InputError, match="two metrics named 'f1'"):
        sm.atlas(tmp_path / "new", ["f1", Metric("f1", TP / (TP + FN))])
