"""Keys of meaning: which edits of a module change its key, and which do not."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

import symmetrics
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
TABLED = "from symmetrics.toy.main import TABLE\nTABLE['b'] = {}\n"
DECORATED = "def entered(f):\n    TABLE[f.__name__] = f\n@entered\ndef _b():\n    return 1\n"
MODULES = {"main": MAIN, "other": OTHER, "elsewhere": ELSEWHERE}


@pytest.fixture
def key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[dict[str, str]], str]:
    """Return the key of the module ``main`` of a package with some modules."""
    package = ModuleType("symmetrics.toy")
    package.__path__ = [str(tmp_path)]
    monkeypatch.setitem(sys.modules, "symmetrics.toy", package)

    def key_of(modules: dict[str, str]) -> str:
        for path in tmp_path.rglob("*.py"):
            path.unlink()
        for name, text in modules.items():
            path = tmp_path / f"{name}.py"
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
        for cached in (sources._read, sources._path, fingerprint):
            cached.cache_clear()
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
    "an import that has the name of a variable": edited(
        "main", "from math import sin\n", "from math import sin\nfrom math import cos as shape\n"
    ),
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
    "a function that nothing uses": edited("other", OTHER, OTHER + ADDED),
    "a module that is imported and not used": MODULES | {"main": MAIN + "from symmetrics.toy import elsewhere\n"},
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
    "a variable in place of a function": edited("main", "scale: float = 1.0)", "twice, scale: float = 1.0)"),
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
    "a function more": edited("main", "LIMIT: Final", ADDED + "\n\nLIMIT: Final"),
    "a class that only annotations name": MODULES
    | {"main": MAIN + "from symmetrics.toy.elsewhere import Given\ndef ask(given: Given):\n    return given.value()\n"}
    | {"elsewhere": "class Given:\n    def value(self):\n        return 1\n"},
    "an entry in a table that another module makes": MODULES
    | {"main": MAIN + "from symmetrics.toy import elsewhere\n", "elsewhere": TABLED.format(1)},
    "an entry that a decorator makes": MODULES | {"main": MAIN + DECORATED},
}


@pytest.mark.parametrize("edit", SAME)
def test_an_edit_that_changes_no_meaning_changes_no_key(edit: str, key: Callable[[dict[str, str]], str]) -> None:
    assert key(SAME[edit]) == key(MODULES)


@pytest.mark.parametrize("edit", OTHERS)
def test_an_edit_that_changes_the_meaning_changes_the_key(edit: str, key: Callable[[dict[str, str]], str]) -> None:
    assert key(OTHERS[edit]) != key(MODULES)


@pytest.mark.parametrize("made", ["table", "decorator", "annotation", "by name"])
def test_what_is_reached_without_being_called_counts(made: str, key: Callable[[dict[str, str]], str]) -> None:
    """Entries in a table, methods of an object that is given, and modules found by their names."""
    main, text = {
        "table": ("from symmetrics.toy import elsewhere\n", TABLED),
        "decorator": (
            "from symmetrics.toy import elsewhere\ndef entered(f):\n    TABLE[f.__name__] = f\n",
            "from symmetrics.toy.main import entered\n@entered\ndef b():\n    return {}\n",
        ),
        "annotation": (
            "from symmetrics.toy.elsewhere import Given\ndef ask(given: Given):\n    return given.value()\n",
            "class Given:\n    def value(self):\n        return {}\n",
        ),
        "by name": (
            "from symmetrics.toy import pack\nfrom importlib import import_module\n"
            "def ask(name):\n    return import_module(f'{pack.__name__}.{name}').value()\n",
            "def value():\n    return {}\n",
        ),
    }[made]
    modules = MODULES | {"main": MAIN + main, "pack/__init__": ""}
    place = "pack/elsewhere" if made == "by name" else "elsewhere"
    keys = {key(modules | {place: text.replace("{}", number)}) for number in "12"}
    assert len(keys) == 2


def test_a_variable_of_a_comprehension_hides_nothing_outside(key: Callable[[dict[str, str]], str]) -> None:
    main = MAIN + "def both():\n    return [twice for twice in (1, 2)], twice(3)\n"
    assert key(MODULES | {"main": main}) != key(MODULES | {"main": main, "other": OTHER.replace("2 * x", "x * 2")})


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
    monkeypatch.setattr(symmetrics, "__path__", [str(tmp_path / "symmetrics")])
    (tmp_path / "symmetrics/room").mkdir(parents=True)
    found = []
    for text in (MAIN, MAIN.replace("# many", "# more"), MAIN.replace("= 3", "= 4")):
        (tmp_path / "symmetrics/room/main.py").write_text(text)
        sources._read.cache_clear()
        sources._path.cache_clear()
        found.append((bytes_of_rooms(["room"]), meaning_of_rooms(["room"])))
    assert len({files for files, _ in found}) == 3
    assert [meaning == found[0][1] for _, meaning in found] == [True, True, False]
