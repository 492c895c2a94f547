"""Pages name what there is, and the page on the architecture is that of the code."""

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
from effort import in_one_test, is_thorough
from shared import script

import symmetrics
from symmetrics.tools.errors import InputError

# -- documents ---------------------------------------------------------------------------------------------------------


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


# -- architecture ------------------------------------------------------------------------------------------------------


FOLDERS = sorted(path.parent for path in (ROOT / "symmetrics").rglob("*/__init__.py"))
TOP = [folder for folder in FOLDERS if folder.parent.name == "symmetrics"]


architecture = script(ROOT / "docs" / "architecture.py")


@cache
def _as_lines_say() -> dict[str, set[str]]:
    """Which rooms each room imports, by the lines that begin as imports do: what no syntax tree is made for."""
    known = set(architecture.rooms())
    texts = {room: [path.read_text("utf-8") for path in (architecture.PACKAGE / room).rglob("*.py")] for room in known}
    named = re.compile(r"^ *(?:from|import) symmetrics(?:\.| import \(?\s*)(\w+)", re.MULTILINE)
    return {room: known & {name for text in texts[room] for name in named.findall(text)} - {room} for room in known}


def test_page_and_picture_are_current(monkeypatch: pytest.MonkeyPatch) -> None:
    if not is_thorough():  # a process of its own, with a tracer, finds the way of the question, which the page has
        walked = re.findall(r"^\d+\. \[`[^`]+`\]\(([\w/]+)\.py\)", architecture.PAGE.read_text("utf-8"), re.MULTILINE)
        modules = [path.removesuffix("/__init__").replace("/", ".") for path in walked]
        monkeypatch.setattr(architecture, "path_of", lambda question: modules)
        monkeypatch.setattr(architecture, "imported", _as_lines_say)
    stale = [path.name for path, text in architecture.files().items() if path.read_text(encoding="utf-8") != text]
    assert stale == [], "run: python docs/architecture.py"


def test_examples() -> None:
    results = doctest.testmod(architecture)
    assert (results.attempted, results.failed) == (1, 0)


def test_the_house_is_as_planned() -> None:
    # The house has no more rooms than it was planned for.
    order = architecture.order_of(architecture.imported() if is_thorough() else _as_lines_say())
    assert len(order) <= 26
    assert len(order.levels) <= 14
    # A reader of one question opens few files.
    (walked,) = (
        found[0]
        for found in architecture.GENERATED.finditer(architecture.PAGE.read_text("utf-8"))
        if found["name"] == "path"
    )
    files = re.findall(r"^\d+\. \[`(\w+)/", walked, re.MULTILINE)
    assert 8 <= len(files) <= 14
    # No loose modules beside the rooms.
    assert sorted(path.name for path in (ROOT / "symmetrics").glob("*.py")) == ["__init__.py", "__main__.py"]


@in_one_test
@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.relative_to(ROOT / "symmetrics").as_posix())
def test_every_folder_says_in_a_paragraph_what_lives_there(folder: Path) -> None:
    said = architecture.sentence(folder / "__init__.py")
    assert 5 <= len(said.split()) <= 40
    assert said[-1] in ".?"


@in_one_test
@pytest.mark.parametrize("folder", TOP, ids=lambda folder: folder.name)
def test_every_room_says_what_may_not_live_there(folder: Path) -> None:
    assert re.search(r"\b(no|not|nothing)\b", architecture.sentence(folder / "__init__.py"))


def house(root: Path, **rooms: str) -> Path:
    """Write a package of which each room has one module with this source."""
    package = root / "symmetrics"
    for name, source in rooms.items():
        (package / name / "inner").mkdir(parents=True)
        (package / name / "__init__.py").touch()
        (package / name / "inner" / "module.py").write_text(source, encoding="utf-8")
    return package


@pytest.mark.parametrize(
    "line",
    [
        "from symmetrics.low.inner.module import f",
        "from symmetrics import low",
        "import symmetrics.low.inner",
        "def late():\n    from symmetrics.low import inner",
    ],
)
def test_every_import_is_an_arrow(tmp_path: Path, line: str) -> None:
    found = architecture.imported(house(tmp_path, high=line, low="import symmetrics\nfrom symmetrics.low import inner"))
    assert found == {"high": {"low"}, "low": set()}


def test_floors_and_circles() -> None:
    # A room stands above all that it imports.
    order = architecture.order_of({"a": {"b", "c"}, "b": {"c"}, "c": set(), "d": {"c"}})
    assert [sorted(level) for level in order.levels] == [["c"], ["b", "d"], ["a"]]
    assert sorted(order.reduction) == [("b", "a"), ("c", "b"), ("c", "d")]
    # A circle is named.
    with pytest.raises(InputError, match=r"circle|cycle"):
        architecture.order_of({"a": {"b"}, "b": {"a"}})
