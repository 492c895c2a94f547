"""The atlas in Chromium, without a window: what can be done there with a mouse, with keys and on a telephone.

Run by ``pytest --browser tests/test_atlas_browser.py``; it needs the system's Chromium and the extra "browser".
Playwright drives it, because it waits for what it clicks, reports what the console says, and sets colours and sizes as
a user would, and because, other than with Selenium, no second program of the system has to fit the browser.
"""

from __future__ import annotations

import json
import math
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest
from atlas_choices import chosen
from effort import is_thorough

import symmetrics as sm
from symmetrics import FN, TP, Metric
from symmetrics.library import metrics, properties
from symmetrics.pages.atlas import Claim, Paper
from symmetrics.pages.atlas import site as pages
from symmetrics.pages.atlas.gathered import PROBLEMS, entries_of
from symmetrics.pages.atlas.site import write_files
from symmetrics.repository.browsing import laws_known

CHROMIUM: Final = shutil.which("chromium") or shutil.which("chromium-browser")
NAME: Final = "<script>alert(1)</script>"
TITLE: Final = '"><img src=x onerror=alert(1)>'
SAMPLE: Final = ("f1", "mcc", "auc_single", "cwa", "expected_loss")
"""Metrics that have a page: a ratio, a root, a mean of rates, one with a parameter, and a loss."""
COMPUTED: Final = (
    *SAMPLE,
    "kappa",
    "gmean",
    "log_odds_ratio",
    "mutual_information",
    "worst_class_accuracy",
    "chi_square",
)
"""Metrics whose values are compared: with logarithms, kinks and unbounded ones among them."""
IMPRECISE: Final = {"stiles"}
"""Metrics that plain arithmetic has no digits for; the page names them."""
SECOND: Final = 1000
WIDE: Final = {"width": 1280, "height": 900}
NARROW: Final = {"width": 390, "height": 844}
Opened = Any


@pytest.fixture(scope="module")
def browser(request: pytest.FixtureRequest) -> Iterator[Any]:
    if not request.config.getoption("--browser"):
        pytest.skip("tests in a browser are run by --browser; they need Debian's package chromium")
    from playwright.sync_api import sync_playwright

    assert CHROMIUM is not None, "no Chromium: install Debian's package chromium"
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture(scope="module")
def folder(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An atlas whose table and choice are whole, with a page for some metrics and for one of a hostile name."""
    folder = tmp_path_factory.mktemp("site")
    hostile = Metric(NAME, TP / (TP + FN), title=TITLE)
    claim = Claim(
        "paper2000.one", "section 1", "section 1, line 2", TITLE, "refuted", NAME, NAME, "prover", "", (("f1", "p1"),)
    )
    paper = Paper("paper2000", "A paper (2000)", "1 claim: 1 is refuted", (claim,))
    every = entries_of([*metrics.values(), hostile], seconds=10.0)
    whole = pages.Site(every, (paper,), "0", 10.0, laws_known())
    shown = pages.Site(tuple(e for e in every if e.metric.name in {*SAMPLE, NAME}), (paper,), "0", 10.0)
    counted = metrics if is_thorough() else COMPUTED
    computed = pages.Site(tuple(e for e in every if e.metric.name in {*counted, NAME}), (paper,), "0", 10.0)
    for files in (
        pages.asset_files(),
        [pages.table_page(whole), pages.relations_page(computed), *pages.possible_page(whole)],
        pages.evidence_scripts(shown),
        pages.choice_pages(whole),
        pages.function_pages(computed),
        pages.metric_pages(shown),
        pages.property_pages(shown),
        pages.paper_pages(whole),
    ):
        write_files(folder, files)
    return folder


@dataclass
class Window:
    """A window of the browser on the atlas, which notes whatever goes wrong."""

    browser: Any
    folder: Path
    wrong: list[str] = field(default_factory=list)
    opened: list[Any] = field(default_factory=list)

    def open(self, path: str, *, size: dict[str, int] = WIDE, dark: bool = False) -> Opened:
        context = self.browser.new_context(viewport=size, color_scheme="dark" if dark else "light", offline=True)
        context.set_default_timeout(10 * SECOND)
        self.opened.append(context)
        page = context.new_page()
        page.on("console", lambda said: self.wrong.append(said.text) if said.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: self.wrong.append(str(error)))
        page.on("dialog", lambda dialog: (self.wrong.append(f"dialog {dialog.message}"), dialog.dismiss()))
        page.on(
            "request", lambda asked: None if asked.url.startswith(("file:", "data:")) else self.wrong.append(asked.url)
        )
        page.goto(f"file://{self.folder}/{path}")
        return page


@pytest.fixture
def window(browser: Any, folder: Path) -> Iterator[Window]:
    opened = Window(browser, folder)
    yield opened
    for context in opened.opened:
        context.close()
    assert opened.wrong == []


KINDS: Final = (
    *("index.html", "choose.html", "calculate.html", "relations.html", "possible.html"),
    *("properties.html", "papers.html"),
    *("metrics/f1.html", "metrics/cwa.html", "properties/p1.html", "papers/paper2000.html"),
)
"""A page of each kind."""


@pytest.mark.parametrize("path", KINDS)
def test_a_page_fits_a_telephone_and_says_nothing_on_the_console(window: Window, path: str) -> None:
    for size, dark in ((NARROW, True), (WIDE, False)):
        page = window.open(path, size=size, dark=dark)
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
        assert page.locator("h1").count() == 1


@pytest.mark.parametrize("path", KINDS)
def test_no_serious_finding_of_accessibility(window: Window, path: str) -> None:
    from axe_playwright_python.sync_playwright import Axe

    is_whole = is_thorough() or path in KINDS[:3]
    for size, dark in ((NARROW, True), (WIDE, False))[: 2 if is_whole else 1]:
        page = window.open(path, size=size, dark=dark)
        if path == "index.html":  # thousands of cells that are alike take axe a minute
            page.fill("#search", "measure")
            page.evaluate("document.querySelectorAll('tbody tr[hidden]').forEach((row) => row.remove())")
        found = Axe().run(page, options={"resultTypes": ["violations"], "preload": False}).response["violations"]
        serious = [
            (each["id"], each["nodes"][0]["html"]) for each in found if each["impact"] in ("serious", "critical")
        ]
        assert serious == []


# -- the table ---------------------------------------------------------------------------------------------------------


def _shown(page: Opened) -> list[str]:
    rows = page.locator("tbody tr:not([hidden])")
    return list(rows.evaluate_all("(rows) => rows.map((row) => row.dataset.name)"))


def _until(page: Opened, said: str) -> None:
    """Wait until an expression is true; the policy of the pages keeps Playwright's own way of waiting from working."""
    for _ in range(100):
        if page.evaluate(said):
            return
        page.wait_for_timeout(20)
    raise AssertionError(said)


def test_the_search_finds_metrics_by_any_of_their_names(window: Window) -> None:
    page = window.open("index.html")
    for text, name in (("dice", "f1"), ("sensitivity", "tpr"), ("matthews", "mcc"), ("auc single", "auc_single")):
        page.fill("#search", text)
        assert name in _shown(page)
        assert len(_shown(page)) < 20
    page.fill("#search", "no such metric")
    assert _shown(page) == []
    assert page.locator("#nothing").is_visible()
    assert page.locator("#count").inner_text().startswith("0 of ")


def test_the_table_is_filtered_and_sorted(window: Window) -> None:
    # Filters by properties are the same as those of find.
    page = window.open("index.html")
    for key, answer in (("actual_scaling", "yes"), ("p1", "no")):
        page.select_option("#property", key)
        page.select_option("#answer", answer)
        page.click("#add")
    wanted = {
        name
        for name in metrics
        if sm.prove(name, "actual_scaling").holds is True and sm.prove(name, "p1").holds is False
    }
    assert wanted <= set(_shown(page))
    assert len(_shown(page)) - len(wanted) <= 1  # the one with the hostile name
    kept = page.url
    page.click("#chosen button >> nth=0")
    assert len(_shown(page)) > len(wanted) + 1
    again = window.open(Path(kept).name)
    assert wanted <= set(_shown(again))
    again.click("#clear")
    assert len(_shown(again)) == len(metrics) + 1
    # A column sorts by its answers and back.
    page = window.open("index.html")
    head = page.locator("th[data-key=p1]")
    place = page.evaluate("document.querySelector('th[data-key=p1]').cellIndex")
    truth = {True: 0, None: 1, False: 2}
    for direction, sign in (("ascending", 1), ("descending", -1)):
        head.locator("button").click()
        assert head.get_attribute("aria-sort") == direction
        marks = page.evaluate(f"[...document.querySelectorAll('tbody tr')].map((r) => r.dataset.marks[{place - 1}])")
        ranks = [truth[mark in "Yyp" or (None if mark in "co" else False)] for mark in marks]
        assert ranks == sorted(ranks, key=lambda rank: sign * rank)


def test_a_click_on_an_answer_shows_its_evidence(window: Window) -> None:
    page = window.open("index.html")
    page.fill("#search", "f1-measure")
    page.click("tr[data-name=f1] td:nth-of-type(2) a")
    panel = page.locator("#panel")
    panel.wait_for(state="visible")
    verdict = sm.prove("f1", "p1")
    assert verdict.evidence.sentence in panel.inner_text()
    assert properties["p1"].title in panel.locator("h2").inner_text()
    assert "2/3" in panel.inner_text()
    page.keyboard.press("Escape")
    assert not panel.is_visible()


def test_the_table_is_gone_through_by_keys_alone(window: Window) -> None:
    page = window.open("index.html")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.focus("#search")
    page.keyboard.type("f1-measure")
    for _ in range(80):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.closest('tbody') !== null"):
            break
    assert page.evaluate("document.activeElement.closest('tr').dataset.name") == "f1"
    for key in ("ArrowRight", "ArrowRight"):
        page.keyboard.press(key)
    address = page.evaluate("document.activeElement.getAttribute('href')")
    page.keyboard.press("Enter")
    page.locator("#panel").wait_for(state="visible")
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.getAttribute('href')") == address
    page.keyboard.press("End")
    assert page.evaluate("document.activeElement.parentElement.nextElementSibling") is None
    page.keyboard.press("Home")
    assert page.evaluate("document.activeElement.parentElement.tagName") == "TH"
    page.keyboard.press("Enter")
    page.wait_for_url("**/metrics/f1.html")


def test_the_first_page_can_be_used_within_a_second(window: Window) -> None:
    times = []
    for _ in range(5):
        page = window.open("index.html")
        times.append(page.evaluate("performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd"))
    assert min(times) < SECOND


# -- pages of metrics --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SAMPLE)
def test_a_link_to_a_verdict_unfolds_it(window: Window, name: str) -> None:
    page = window.open(f"metrics/{name}.html#property-p1")
    evidence = page.locator("#property-p1")
    assert sm.prove(name, "p1").evidence.sentence in evidence.inner_text()
    assert evidence.locator("details").get_attribute("open") is not None
    assert evidence.is_visible()
    assert page.locator("math").first.bounding_box()["height"] > 10


# -- relations ---------------------------------------------------------------------------------------------------------


def test_hostile_names_and_the_graph(window: Window) -> None:
    # A metric of a hostile name is harmless everywhere.
    page = window.open("index.html")
    page.fill("#search", "alert")
    (name,) = _shown(page)
    assert page.locator(f"tr[data-name='{name}'] th").inner_text() == TITLE
    page.click(f"tr[data-name='{name}'] td a >> nth=0")
    page.locator("#panel").wait_for(state="visible")
    assert TITLE in page.locator("#panel-title").inner_text()
    for kind in (f"metrics/{name}", "calculate", "choose", "papers/paper2000", "properties/p1"):
        path = f"{kind}.html"
        other = window.open(path)
        assert TITLE in other.locator("main").text_content(), path
        assert other.locator("img").count() == 0
    # The graph moves zooms and tells of one metric.
    page = window.open("relations.html")
    graph = page.locator("#graph")
    before = graph.bounding_box()["width"]
    page.click("#closer")
    _until(page, f"document.getElementById('graph').getBoundingClientRect().width > {before * 1.1}")
    page.focus("#map")
    page.keyboard.press("0")
    _until(page, f"document.getElementById('graph').getBoundingClientRect().width < {before * 1.01}")
    page.focus("#graph a[data-name=kappa]")
    page.keyboard.press("Enter")
    shown = page.locator("li[data-first]:visible")
    assert 0 < shown.count() < page.locator("li[data-first]").count()
    assert all("kappa" in (item.get_attribute("data-first"), item.get_attribute("data-second")) for item in shown.all())


# -- choosing ----------------------------------------------------------------------------------------------------------


def test_the_page_chooses_what_the_verdicts_say(window: Window) -> None:
    page = window.open("choose.html")
    entries = entries_of(metrics.values(), seconds=10.0)
    for problem in PROBLEMS:
        page.select_option("#problem", problem.key)
        found = chosen(entries, problem.answers)
        given = {key: page.locator(f"input[name={key}]:checked").input_value() for key in problem.answers}
        assert given == dict(problem.answers)
        told = page.evaluate(
            """() => { const given = Object.fromEntries(new FormData(document.getElementById("questions")));
            const found = chosenByAtlas(given);
            return [found.kept.map((each) => each.metric.name), found.dropped.map((each) => each.metric.name)]; }"""
        )
        assert [name for name in told[0] if name in metrics] == list(found.kept), problem.key
        assert told[1] == list(found.dropped), problem.key
        linked = page.locator("#dropped a[href*='#property-']").evaluate_all(
            "(all) => all.map((a) => a.getAttribute('href'))"
        )
        assert linked == [
            f"metrics/{name}.html#property-{a.key}" for name, rests in found.dropped.items() for a in rests
        ]


def test_a_choice_is_made_by_keys_alone_and_kept_in_the_address(window: Window) -> None:
    page = window.open("choose.html")
    page.focus("input[name=prior]:checked")
    page.keyboard.press("ArrowDown")
    assert page.url.endswith("#prior=shifts")
    assert "Informedness" in page.locator("#kept").inner_text()
    assert "Accuracy" in page.locator("#dropped").inner_text()
    again = window.open("choose.html#prior=shifts")
    assert again.locator("#kept").inner_text() == page.locator("#kept").inner_text()


# -- calculating -------------------------------------------------------------------------------------------------------


def _hostile(number: int) -> list[list[float]]:
    """Return tables with zeros, of very unequal cells, of independent classes, and with parts of examples."""
    random = np.random.default_rng(1908)
    found = []
    for kind in range(number):
        cells = (
            random.integers(0, 4, 4),
            np.floor(10 ** random.uniform(0, 9, 4)),
            np.floor(10 ** random.uniform(0, 6, 4)) * (random.random(4) > 0.3),
            random.integers(0, 2000, 4) / 8,
            np.outer(random.integers(1, 300, 2), random.integers(1, 300, 2)).reshape(-1),
        )[kind % 5]
        found.append([float(cell) for cell in cells])
    return found


def test_values_and_intervals_in_the_browser_are_those_of_python(window: Window) -> None:
    tables = _hostile(500)
    page = window.open("calculate.html")
    found = json.loads(
        page.evaluate(
            """(tables) => JSON.stringify(metricsOfAtlas().map((metric) => [metric.name,
            tables.map((cells) => calculate(metric, cells, "0.95").map(String))]))""",
            tables,
        )
    )
    cells = np.array(tables).T
    compared = 0
    for name, rows in found:
        if name not in metrics:
            continue
        low, value, high = np.array([[float(text.replace("Infinity", "inf")) for text in row] for row in rows]).T
        interval = metrics[name].interval(*cells, method="delta")
        np.testing.assert_allclose(value, metrics[name].from_counts(*cells), rtol=1e-9, atol=1e-9, err_msg=name)
        np.testing.assert_allclose(low, interval.low, rtol=1e-6, atol=1e-6, err_msg=name)
        np.testing.assert_allclose(high, interval.high, rtol=1e-6, atol=1e-6, err_msg=name)
        compared += 1
    assert compared == len({*metrics} - IMPRECISE if is_thorough() else COMPUTED)
    assert page.locator("#left-out a").count() == (len(IMPRECISE) if is_thorough() else 0)


def test_what_is_typed_or_pasted_is_computed_at_once(window: Window) -> None:
    page = window.open("calculate.html")
    row = page.locator("#values tr", has=page.locator("a[href='metrics/f1.html']"))
    assert f"{metrics['f1'].from_counts(40, 10, 20, 130):.4f}" in row.inner_text()
    page.fill("#tp", "90")
    assert f"{metrics['f1'].from_counts(90, 10, 20, 130):.4f}" in row.inner_text()
    page.select_option("#order", "3210")
    page.fill("#paste", "[[70, 5],\n [3, 22]]")
    assert [page.input_value(f"#{name}") for name in ("tp", "fn", "fp", "tn")] == ["22", "3", "5", "70"]
    assert f"{metrics['f1'].from_counts(22, 3, 5, 70):.4f}" in row.inner_text()
    wide = row.inner_text()
    page.select_option("#level", "0.99")
    assert row.inner_text() != wide
    assert not math.isnan(metrics["f1"].from_counts(22, 3, 5, 70))


@pytest.mark.parametrize(
    ("text", "told"),
    [("-1", "not negative"), ("many", "“many”"), ("", "nothing"), ("1e999", "1e15"), ("4,5", "a point, as in 4.5")],
)
def test_what_is_no_count_is_refused_with_the_reason(window: Window, text: str, told: str) -> None:
    page = window.open("calculate.html")
    page.fill("#fn", text)
    problem = page.locator("#problem").inner_text()
    assert problem.startswith("FN is ")
    assert told in problem
    assert page.locator("#summary").inner_text() == ""
