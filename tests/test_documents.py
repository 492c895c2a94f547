"""What documents name exists: links, paths, modules, tests; the index of the decisions is that of its headings."""

from __future__ import annotations

import doctest
import importlib
import importlib.util
import json
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from effort import in_one_test
from shared import script

import symmetrics

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted(
    path.relative_to(ROOT)
    for pattern in (
        "*.md",
        "docs/*.md",
        "docs/sphinx/index.md",
        "benchmarks/**/*.md",
        "proofs/*.md",
        "notebooks/*.ipynb",
    )
    for path in ROOT.glob(pattern)
)

LINK = re.compile(r"!?\[[^\]]*\]\((?P<target>[^()\s]+)\)")
# A path of the package as documents write it; <theme> and * stand for any name.
PATH = re.compile(r"(?<![\w/])(?P<path>(?:symmetrics|proofs|tests|docs|benchmarks|notebooks|\.ci)/[\w/.<>*-]*)")
DOTTED = re.compile(r"(?<![\w./-])symmetrics(?:\.[A-Za-z_]\w*)+")
TEST = re.compile(r"`(?:(?P<file>tests/\w+\.py)::)?(?P<name>test_\w+)`")
# Tables of pyproject.toml, not modules.
TABLES = {"symmetrics.shared.checker", "symmetrics.shared.rocq"}
# Rooms as they were once called, each with what it is called now.
OLD = {
    "calculus": "algebra/limits",
    "confusion": "matrices",
    "experiments": "papers",
    "kernel": "rocq",
    "literature": "papers/claims",
    "relations": "query",
}
OLD_ROOM = re.compile(rf"(?<![\w/-])(?:symmetrics[./])?(?P<room>{'|'.join(OLD)})/")
OLD_MODULE = re.compile(rf"\bsymmetrics[./](?P<room>{'|'.join(OLD)})\b")


index = script(ROOT / "docs" / "index.py")


@cache
def text_of(page: Path) -> str:
    """Return what people read and run of a page: of a notebook its cells, without what they print."""
    text = (ROOT / page).read_text(encoding="utf-8")
    if page.suffix != ".ipynb":
        return text
    return "\n\n".join("".join(cell["source"]) for cell in json.loads(text)["cells"])


def exists(path: str) -> bool:
    """Whether there is such a file or folder; the full stop of a sentence is no part of it."""
    pattern = re.sub(r"<\w+>", "*", path).rstrip("/").removesuffix(".")
    return any(ROOT.glob(pattern))


def is_importable(name: str) -> bool:
    """Whether a dotted name is a module, or something in one."""
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        try:
            found: object = importlib.import_module(".".join(parts[:length]))
        except ModuleNotFoundError:
            continue
        for part in parts[length:]:
            found = getattr(found, part, None)
        return found is not None
    return False


def broken_links(page: Path, text: str) -> Iterator[str]:
    """Yield the relative links of a page that lead nowhere: to no file, or to no heading of one."""
    for target in (found["target"] for found in LINK.finditer(text)):
        place, _, heading = target.partition("#")
        if "://" in target or target.startswith("mailto:"):
            continue
        file = (ROOT / page).parent / place if place else ROOT / page
        if not file.exists():
            yield target
        elif heading and file.suffix == ".md":
            headings = re.findall(r"^#+ (.+)$", file.read_text(encoding="utf-8"), re.MULTILINE)
            if heading not in map(index.anchor, headings):
                yield target


def old_names(text: str) -> list[str]:
    """Return the names of rooms in a text that these have no more."""
    return [found["room"] for pattern in (OLD_ROOM, OLD_MODULE) for found in pattern.finditer(text)]


def test_the_first_page_of_the_site_has_its_links_and_pictures_there(tmp_path: Path) -> None:
    """It lies elsewhere in the repository, where its links lead to the same pages."""
    script(ROOT / "docs" / "site.py").gathered(tmp_path)
    text = (tmp_path / "index.md").read_text(encoding="utf-8")
    targets = [found["target"] for found in LINK.finditer(text)]
    assert len(targets) > 4
    assert [target for target in targets if not (tmp_path / target).is_file()] == []
    assert len(LINK.findall((ROOT / "docs" / "sphinx" / "index.md").read_text(encoding="utf-8"))) == len(targets)


@in_one_test
@pytest.mark.parametrize("page", PAGES, ids=str)
def test_what_a_page_names_exists(page: Path) -> None:
    # Links lead somewhere.
    assert list(broken_links(page, text_of(page))) == []
    # Paths exist.
    missing = sorted({found["path"] for found in PATH.finditer(text_of(page)) if not exists(found["path"])})
    assert missing == []
    # Modules exist.
    named = set(DOTTED.findall(text_of(page))) - TABLES
    assert sorted(name for name in named if not is_importable(name)) == []
    # No room is called by its old name.
    assert old_names(text_of(page)) == [], OLD


@pytest.mark.parametrize("page", [page for page in PAGES if TEST.search(text_of(page))], ids=str)
def test_tests_exist(page: Path) -> None:
    sources = {path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path in ROOT.glob("tests/test_*.py")}
    missing = []
    for found in TEST.finditer(text_of(page)):
        read = [sources.get(found["file"], "")] if found["file"] else sources.values()
        if not any(f"def {found['name']}(" in source for source in read):
            missing.append(found[0])
    assert missing == []


@pytest.mark.parametrize(
    ("text", "broken"),
    [
        ("[a](README.md) ![b](docs/architecture.svg) [c](https://example.org/nothing)", []),
        ("[a](docs) [b](docs/decisions.md#the-house)", []),
        ("[a](nowhere.md)", ["nowhere.md"]),
        ("[a](docs/decisions.md#nowhere) [b](#nowhere)", ["docs/decisions.md#nowhere", "#nowhere"]),
    ],
)
def test_a_broken_link_is_noticed(text: str, broken: list[str]) -> None:
    assert list(broken_links(Path("README.md"), text)) == broken


@in_one_test
@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("symmetrics/library/metrics/<theme>.py", True),
        ("symmetrics/prover/.", True),
        ("proofs/coq/order*.v", True),
        ("symmetrics/confusion/", False),
        ("symmetrics/prover/decide.pyc", False),
    ],
)
def test_paths_of_documents(path: str, expected: bool) -> None:
    assert exists(path) is expected


@in_one_test
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("symmetrics.prover", True),
        ("symmetrics.prover.decide", True),
        ("symmetrics.Metric.at_prior", True),
        ("symmetrics.calculus", False),
        ("symmetrics.prover.decided", False),
    ],
)
def test_modules_of_documents(name: str, expected: bool) -> None:
    assert is_importable(name) is expected


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("`kernel/` and confusion/nodes.py", ["kernel", "confusion"]),
        ("symmetrics.relations.order", ["relations"]),
        ("matrices/, [experiments], --kernel coq, the kernel, papers/claims", []),
    ],
)
def test_old_names_are_noticed(text: str, found: list[str]) -> None:
    assert old_names(text) == found


# -- the decisions -----------------------------------------------------------------------------------------------------


def test_there_are_pages() -> None:
    assert {
        Path("README.md"),
        Path("ARCHITECTURE.md"),
        Path("docs/decisions.md"),
        Path("notebooks/trust.ipynb"),
    } <= set(PAGES)
    # Examples.
    results = doctest.testmod(index)
    assert (results.attempted, results.failed) == (1, 0)


def test_the_decisions_have_an_index_and_dates() -> None:
    # The index of the decisions is current.
    text = text_of(Path("docs/decisions.md"))
    assert index.indexed(text) == text, "run: python docs/index.py"
    # Every decision has a heading and a date.
    text = text_of(Path("docs/decisions.md")).partition("<!-- end -->")[2]
    undated = [
        paragraphs.splitlines()[0]
        for paragraphs in re.split(r"^### ", text, flags=re.MULTILINE)[1:]
        if not re.match(r"[^\n]+\n\n\*\d{4}-\d\d-\d\d\.\* \S", paragraphs)
    ]
    assert undated == []
    # Nothing stands outside of a decision: a new one is not to be forgotten below the last heading.
    assert re.findall(r"^\*\*.*", text, re.MULTILINE) == []
    assert len(re.findall(r"^### ", text, re.MULTILINE)) > 70
    # Headings of the decisions have anchors of their own.
    headings = re.findall(r"^#+ (.+)$", text_of(Path("docs/decisions.md")), re.MULTILINE)
    assert len(set(map(index.anchor, headings))) == len(headings)
    # A page without a place for the index is refused.
    with pytest.raises(ValueError, match="needs one line <!-- generated: index -->"):
        index.indexed("# Decisions\n")


def test_the_citation_file_is_valid_and_has_the_version_and_licence_of_the_project() -> None:
    yaml = pytest.importorskip("yaml")
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert {
        "cff-version",
        "message",
        "title",
        "authors",
    } <= citation.keys()  # what version 1.2.0 of the format requires
    assert citation["cff-version"] == "1.2.0"
    assert citation["type"] in ("software", "dataset")
    assert citation["version"] == project["version"] == symmetrics.__version__
    assert citation["license"] == project["license"]
    assert citation["keywords"] == project["keywords"]
    assert citation["authors"] == project["authors"]
