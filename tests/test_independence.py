"""What prover and checker share is a list of words, and no judgement; the exporter says what it shares with both."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
SHARED: Mapping[str, Mapping[str, Mapping[str, Any]]] = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"][
    "symmetrics"
]["shared"]
CHECKER = SHARED["checker"]


def imports(text: str) -> Iterator[tuple[str, str]]:
    """Yield the modules of the package that a source imports, each with the name that it takes from there."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports of the package are absolute"
            yield from ((node.module or "", alias.name) for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from ((alias.name, "*") for alias in node.names)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            assert node.func.attr != "import_module", "import_module hides imports"
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in ("__import__", "exec", "eval"), f"{node.func.id} hides imports"


def strangers(text: str, own: str, allowed: Mapping[str, Mapping[str, Any]]) -> set[str]:
    """Return what a source imports of the package that is neither its own nor on the list."""
    found = set()
    for module, name in imports(text):
        inside = module == "symmetrics" or module.startswith("symmetrics.")
        if not inside or module == own or module.startswith(f"{own}."):
            continue
        names = allowed[module].get("names") if module in allowed else ()
        if names is not None and name not in names:
            found.add(f"{module}: {name}")
    return found


def sources(package: str) -> list[Path]:
    place = ROOT.joinpath(*package.split("."))
    return sorted(place.rglob("*.py")) if place.is_dir() else [place.with_suffix(".py")]


@pytest.mark.parametrize("package", ["checker", "rocq"])
def test_only_what_is_listed_is_imported(package: str) -> None:
    own = f"symmetrics.{package}"
    found = {path.name: strangers(path.read_text(), own, SHARED[package]) for path in sources(own)}
    assert {name: names for name, names in found.items() if names} == {}


@pytest.mark.parametrize("package", ["checker", "rocq"])
def test_nothing_is_listed_that_is_not_imported(package: str) -> None:
    own = f"symmetrics.{package}"
    used = {module for path in sources(own) for module, _ in imports(path.read_text())}
    # What the vocabulary imports of itself is listed, too.
    used |= {m for listed in SHARED[package] for path in sources(listed) for m, _ in imports(path.read_text())}
    assert set(SHARED[package]) - used == set()


@pytest.mark.parametrize("module", sorted(CHECKER))
def test_the_vocabulary_rests_on_vocabulary_alone(module: str) -> None:
    (path, *_) = sources(module)
    path = path.parent / "__init__.py" if path.parent.name == module.rpartition(".")[2] else path
    # Some vocabulary is for other vocabulary alone, and not for the checker.
    uses = CHECKER[module].get("uses", ())
    assert {
        name for name in strangers(path.read_text(), module, CHECKER) if name.rpartition(": ")[2] not in uses
    } == set()


@pytest.mark.parametrize("package", ["checker", "rocq"])
def test_each_entry_says_why(package: str) -> None:
    for module, entry in SHARED[package].items():
        assert len(entry["why"].split()) >= 3, module
        assert package == "checker" or entry["role"] in ("statement", "script"), module


@pytest.mark.parametrize(
    "line",
    [
        "from symmetrics.algebra.continuity import value_as_written",
        "from symmetrics.language.condition import simplified",
        "from symmetrics.claims.families.groups import group_text",
        "from symmetrics.algebra import pieces",
        "import symmetrics.prover.engine.outcomes",
        "def late():\n    from symmetrics.prover.engine.smt import Question",
        "from symmetrics.algebra.field import Field",
    ],
)
def test_another_import_is_noticed(line: str) -> None:
    assert strangers(line, "symmetrics.checker", CHECKER)


@pytest.mark.parametrize(
    "line", ["importlib.import_module('symmetrics.algebra.pieces')", "__import__('symmetrics.algebra.pieces')"]
)
def test_a_hidden_import_is_noticed(line: str) -> None:
    with pytest.raises(AssertionError, match="hides imports"):
        list(imports(line))
