"""What prover and checker share is a list of words, and no judgement; the exporter says what it shares with both."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from effort import in_one_test
from tables import rows

ROOT = Path(__file__).resolve().parent.parent
SHARED: Mapping[str, Mapping[str, Mapping[str, Any]]] = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"][
    "symmetrics"
]["shared"]
CHECKER = SHARED["checker"]


LOADERS = ("builtins", "importlib", "pkgutil", "runpy", "zipimport")
"""Modules that load others by their names."""
HARMLESS = ("importlib.import_module", "importlib.util.find_spec")
"""What may be taken from them: what asks whether there is a module, and what loads one, each use of which is read."""
OWN_MODULE = re.compile(r"import_module\(f(['\"])\{__name__\}\.\{[^{}'\"]+\}\1\)")
"""A call that loads a module below the one where it stands; the source of that one is read as well."""


def imports(text: str) -> Iterator[tuple[str, str]]:
    """Yield the modules of the package that a source imports, each with the name that it takes from there."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports of the package are absolute"
            yield from ((node.module or "", alias.name) for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from ((alias.name, "*") for alias in node.names)


def hiding(text: str) -> set[str]:
    """Return what a source uses that may import modules whose names do not stand there."""
    nodes = list(ast.walk(ast.parse(text)))
    calls = (node for node in nodes if isinstance(node, ast.Call))
    own = [call.func for call in calls if OWN_MODULE.fullmatch(ast.unparse(call))]
    found = set()
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] in LOADERS:
            found |= {f"{node.module}.{a.name}" + (f" as {a.asname}" if a.asname else "") for a in node.names}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names if alias.name.partition(".")[0] in LOADERS}
        elif isinstance(node, ast.Attribute) and node.attr in ("import_module", "__import__", "modules"):
            found.add(node.attr)
        elif isinstance(node, ast.Name) and node.id in ("import_module", "__import__", "__builtins__", "exec", "eval"):
            found |= set() if node in own else {node.id}
    return found - set(HARMLESS)


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
    strange = {name: names for name, names in found.items() if names}
    assert strange == {}, f"list each with its reason under [tool.symmetrics.shared.{package}] in pyproject.toml"


@pytest.mark.thorough
@pytest.mark.parametrize("package", ["checker", "rocq"])
def test_nothing_is_listed_that_is_not_imported(package: str) -> None:
    own = f"symmetrics.{package}"
    used = {module for path in sources(own) for module, _ in imports(path.read_text())}
    # What the vocabulary imports of itself is listed, too.
    used |= {m for listed in SHARED[package] for path in sources(listed) for m, _ in imports(path.read_text())}
    assert set(SHARED[package]) - used == set()


@in_one_test
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


@in_one_test
@pytest.mark.parametrize(
    "line",
    [
        "from symmetrics.algebra.derivative import value_as_written",
        "from symmetrics.language.condition import simplified",
        "from symmetrics.claims.families.groups import cycles",
        "from symmetrics.algebra import derivative as pieces",
        "import symmetrics.prover.engine.cases",
        "def late():\n    from symmetrics.prover.engine.smt import Question",
        "from symmetrics.algebra.field import Field",
    ],
)
def test_another_import_is_noticed(line: str) -> None:
    assert strangers(line, "symmetrics.checker", CHECKER)


@in_one_test
@pytest.mark.parametrize(
    "line",
    rows("independence", "hidden imports"),
)
def test_a_hidden_import_is_noticed(line: str) -> None:
    assert hiding(line)


def test_a_package_may_find_its_own_modules() -> None:
    assert not hiding("from importlib import import_module\nimport_module(f'{__name__}.{FAMILIES[type(claim)]}')")


@pytest.mark.thorough
@in_one_test
@pytest.mark.parametrize("module", ["symmetrics.rocq", "symmetrics.checker", *sorted(CHECKER)])
def test_no_import_is_hidden(module: str) -> None:
    assert {path.name: names for path in sources(module) if (names := hiding(path.read_text()))} == {}
