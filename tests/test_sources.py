"""Keys of meaning: which edits of a module change its key, and which do not."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from symmetrics.tools import sources
from symmetrics.tools.sources import bytes_of_rooms, fingerprint, meaning_of_rooms

MAIN = '''
"""A module."""
from __future__ import annotations
from dataclasses import dataclass
from math import sin
from typing import ClassVar, Final
from symmetrics.toy import other
from symmetrics.toy.other import twice

__all__ = ["Shape", "area"]
LIMIT: Final[int] = 3
"""The limit."""
TABLE = {}
TABLE["a"] = 1
TABLE["a"] = 2


@dataclass
class Shape:
    """A shape."""

    sides: int
    kind: ClassVar[str] = "plane"


def area(shape: Shape, scale: float = 1.0) -> float:
    """Return the area."""
    if shape.sides > LIMIT:  # many
        return _of_many(shape) * scale
    return twice(sin(scale)) + other.thrice(scale)


def _of_many(shape: Shape) -> float:
    return f"{shape.sides:3} {twice(1)}"
'''
OTHER = """
def twice(x):
    return 2 * x

def thrice(x):
    return 3 * x
"""
ELSEWHERE = """
def twice(x):
    return x + x
"""
MODULES = {"main": MAIN, "other": OTHER, "elsewhere": ELSEWHERE}


@pytest.fixture
def key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[dict[str, str]], str]:
    """Return the key of the module ``main`` of a package with some modules."""
    package = ModuleType("symmetrics.toy")
    package.__path__ = [str(tmp_path)]
    monkeypatch.setitem(sys.modules, "symmetrics.toy", package)

    def key_of(modules: dict[str, str]) -> str:
        for path in tmp_path.glob("*.py"):
            path.unlink()
        for name, text in modules.items():
            (tmp_path / f"{name}.py").write_text(text)
        sources._read.cache_clear()
        sources._path.cache_clear()
        return fingerprint("symmetrics.toy.main")

    return key_of


def edited(module: str, before: str, after: str) -> dict[str, str]:
    assert before in MODULES[module]
    return MODULES | {module: MODULES[module].replace(before, after)}


ADDED = "def added():\n    return 1\n"
SAME = {
    "a comment": edited("main", "# many", "# more than three"),
    "a docstring": edited("main", "Return the area.", "Area of a shape, in the units of its sides."),
    "a docstring of a constant": edited("main", '"""The limit."""\n', ""),
    "annotations": edited("main", "(shape: Shape, scale: float = 1.0) -> float", "(shape, scale=1.0)"),
    "an annotation of a constant": edited("main", "LIMIT: Final[int] = 3", "LIMIT = 3"),
    "the type of a field": edited("main", "sides: int", "sides: float"),
    "public names": edited("main", '__all__ = ["Shape", "area"]\n', ""),
    "the name of a private function": edited("main", "_of_many", "_polygon"),
    "the name of a constant": edited("main", "LIMIT", "MOST"),
    "what an import is called": edited("main", "import twice", "import twice as double")
    | {
        "main": MAIN.replace("import twice", "import twice as double")
        .replace(" twice(", " double(")
        .replace("{twice(", "{double(")
    },
    "the module that a function is taken from": MODULES
    | {
        "main": MAIN.replace("toy.other import", "toy.elsewhere import"),
        "elsewhere": OTHER,
        "other": "from symmetrics.toy.elsewhere import thrice",
    },
    "order of functions": edited("other", OTHER, "def thrice(x):\n    return 3 * x\ndef twice(x):\n    return 2 * x\n"),
    "a module that nothing imports": edited("elsewhere", "x + x", "x + x + 0"),
    "one module in place of two": {
        "main": MAIN.replace("from symmetrics.toy import other\n", "")
        .replace("from symmetrics.toy.other import twice\n", "")
        .replace("other.thrice", "thrice")
        + OTHER
    },
}
OTHERS = {
    "a number": edited("main", "= 3", "= 4"),
    "a number of another type": edited("main", "scale: float = 1.0", "scale: float = 1"),
    "an operation": edited("main", "> LIMIT", ">= LIMIT"),
    "a default": edited("main", "= 1.0", "= 2.0"),
    "how a text is formed": edited("main", ":3}", ":4}"),
    "a field": edited("main", "    sides: int\n", "    sides: int\n    angles: int\n"),
    "a field for a class variable": edited("main", "kind: ClassVar[str]", "kind: str"),
    "a class variable without its annotation": edited("main", "kind: ClassVar[str] =", "kind ="),
    "a decorator": edited("main", "@dataclass\n", "@dataclass(frozen=True)\n"),
    "the name of a public function": edited("main", "def area", "def surface"),
    "the name of a class": edited("main", "Shape", "Form"),
    "order of effects": edited("main", 'TABLE["a"] = 1\nTABLE["a"] = 2', 'TABLE["a"] = 2\nTABLE["a"] = 1'),
    "a function of another package": edited("main", "from math import sin", "from math import cos as sin"),
    "a function that is used": edited("other", "2 * x", "x * 2"),
    "a function in a module that is imported": edited("other", "3 * x", "x * 3"),
    "another function of the same name": edited(
        "main", "from symmetrics.toy.other import", "from symmetrics.toy.elsewhere import"
    ),
    "another function of a module": edited("main", "other.thrice", "other.twice"),
    "two functions exchanged": edited(
        "main", "twice(sin(scale)) + other.thrice(scale)", "other.thrice(sin(scale)) + twice(scale)"
    ),
    "a function more": edited("other", OTHER, OTHER + ADDED),
}


@pytest.mark.parametrize("edit", SAME)
def test_an_edit_that_changes_no_meaning_changes_no_key(edit: str, key: Callable[[dict[str, str]], str]) -> None:
    assert key(SAME[edit]) == key(MODULES)


@pytest.mark.parametrize("edit", OTHERS)
def test_an_edit_that_changes_the_meaning_changes_the_key(edit: str, key: Callable[[dict[str, str]], str]) -> None:
    assert key(OTHERS[edit]) != key(MODULES)


def test_functions_that_call_each_other_have_a_key(key: Callable[[dict[str, str]], str]) -> None:
    mutual = "def even(n):\n    return n == 0 or odd(n - 1)\ndef odd(n):\n    return n != 0 and even(n - 1)\n"
    assert key({"main": mutual}) == key({"main": mutual}) != key({"main": mutual.replace("and even", "and odd")})


def test_a_function_switched_far_away_changes_the_key(key: Callable[[dict[str, str]], str]) -> None:
    """Bodies are the same all the way; only where a chain of calls ends differs."""
    chain = "".join(f"def f{n}(x):\n    return f{n + 1}(x)\n" for n in range(9))
    ends = "from symmetrics.toy.{} import twice as f9\nfrom symmetrics.toy import other, elsewhere\n"
    assert key(MODULES | {"main": ends.format("other") + chain}) != key(
        MODULES | {"main": ends.format("elsewhere") + chain}
    )


def test_bytes_of_rooms_see_every_edit_and_their_meaning_only_some(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sources, "FOLDER", tmp_path / "symmetrics")
    (tmp_path / "symmetrics/room").mkdir(parents=True)
    found = []
    for text in (MAIN, MAIN.replace("# many", "# more"), MAIN.replace("= 3", "= 4")):
        (tmp_path / "symmetrics/room/main.py").write_text(text)
        sources._read.cache_clear()
        sources._path.cache_clear()
        found.append((bytes_of_rooms(["room"]), meaning_of_rooms(["room"])))
    assert len({files for files, _ in found}) == 3
    assert [meaning == found[0][1] for _, meaning in found] == [True, True, False]
