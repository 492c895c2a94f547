"""ARCHITECTURE.md shows the house as it is: rooms, floors, arrows, the way of a question; rooms say what they are."""

from __future__ import annotations

import doctest
import re
from functools import cache
from pathlib import Path

import pytest
from effort import in_one_test, is_thorough
from shared import script

from symmetrics.tools.errors import InputError

ROOT = Path(__file__).resolve().parent.parent
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
    assert len(order) <= 21
    assert len(order.levels) <= 12
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
