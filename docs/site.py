"""Write the documentation as a site that needs no network: pages, notebooks, and a page for every public object.

usage: python docs/site.py -o FOLDER [--atlas FOLDER]

The pages are those of the repository, so that their links work in both; the reference is made from the docstrings, and
the lists of metrics and properties from the library.  A warning of Sphinx is an error, and so is a link that leads
nowhere, or a word that the search should know and does not.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import inspect
import re
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any, Final
from urllib.parse import unquote

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from sympy import Expr, Symbol  # noqa: E402

import symmetrics as sm  # noqa: E402
from symmetrics.language.writer import formula_text  # noqa: E402
from symmetrics.tools.catalogue import Catalogue  # noqa: E402
from symmetrics.tools.texts import for_markdown  # noqa: E402

COPIED: Final = (
    "docs/*.md",
    "docs/*.csv",
    "docs/*.svg",
    "docs/plots/*",
    "docs/pictures/*",
    "notebooks/*.ipynb",
    "benchmarks/*.md",
)
COPIED_PAGES: Final = ("ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "proofs/CLAIMS.md", "proofs/ERRATA.md")
SETTINGS: Final = ROOT / "docs" / "sphinx"
SEARCHED: Final = ("skew", "sensit", "imbal", "delong", "preval")
"""Stems of words that people look for."""
_TARGET: Final = re.compile(r"""(?:href|src)="([^"]+)\"""")
_ROLE: Final = re.compile(r":\w+:`~?([^`]+)`")
_LINK: Final = re.compile(r"(?<!!)\[(?P<label>[^\]]*)\]\((?P<target>[^()\s]+)\)")


# -- the reference -----------------------------------------------------------------------------------------------------


def public_objects() -> dict[str, list[str]]:
    """Return the names of all public objects, by the module under which they are reached."""
    modules = {name: getattr(sm, name) for name in sm.__all__ if isinstance(getattr(sm, name), ModuleType)}
    # This one needs Hypothesis, so that the package does not import it by itself.
    modules["testing"] = importlib.import_module("symmetrics.testing")
    plain = [name for name in sm.__all__ if name not in modules]
    return {"symmetrics": plain} | {f"symmetrics.{name}": list(module.__all__) for name, module in modules.items()}


def _written_beneath(name: str, value: Any) -> str:
    """Return the text that stands in the source beneath the assignment of a constant, wherever it is defined."""
    for module in [module for key, module in sys.modules.items() if key.startswith("symmetrics.")]:
        if getattr(module, name, None) is value:
            for statement, below in pairwise(ast.parse(inspect.getsource(module)).body):
                if ast.unparse(statement).startswith((f"{name}: ", f"{name} = ")) and isinstance(below, ast.Expr):
                    return " ".join(str(ast.literal_eval(below.value)).split())
    raise SystemExit(f"error: nothing is written beneath the constant {name}; say what it is in a string below it")


def reference_page(module: str, name: str, value: Any) -> str:
    """Return the page of one public object."""
    if isinstance(value, type):
        body = f".. autoclass:: {name}\n   :members:\n   :inherited-members: tuple, Mapping, dict"
    elif callable(value):
        body = f".. autofunction:: {name}"
    else:
        return f"# {name}\n\n```{{eval-rst}}\n.. py:data:: {module}.{name}\n```\n\n{_said_of(name, value)}\n"
    return f"# {name}\n\n```{{eval-rst}}\n.. currentmodule:: {module}\n\n{body}\n```\n"


def _said_of(name: str, value: Any) -> str:
    """Return what a cell, a margin, a rate, a collection of records or a constant is."""
    if isinstance(value, Symbol):
        return f"The cell {name} of a table, as a positive variable of SymPy: formulas are written with it."
    if isinstance(value, Expr):
        return f"`{name} = {formula_text(value)}`, to be used in formulas."
    if not isinstance(value, Catalogue):
        return _without_roles(_written_beneath(name, value))
    kinds = {
        "metrics": "metric",
        "multiclass": "metric of k x k matrices",
        "multiclass_properties": "property of metrics of k x k matrices",
        "properties": "property",
    }
    asked = f"`sm.{name}[NAME]` is the {kinds[name]} of that name, and `list(sm.{name})` all keys"
    return f"{_first_sentence(type(value))}\n\n{asked}. They stand in [Metrics and properties](../library.md)."


def reference() -> Iterator[tuple[str, str]]:
    """Yield the path and the text of every page of the reference, the list of them last."""
    parts = ["# Reference\n\nEvery public object, by the module under which it is reached.\n"]
    for module, names in public_objects().items():
        home = sm if module == "symmetrics" else getattr(sm, module.partition(".")[2])
        parts.append(f"\n## {module}\n\n{_first_sentence(home)}\n")
        for name in names:
            yield f"reference/{module}.{name}.md", reference_page(module, name, getattr(home, name))
        rows = [(f"[`{name}`]({module}.{name}.md)", _in_a_line(name, getattr(home, name))) for name in names]
        parts += _table(("name", "what it is"), rows)
        parts.append("\n```{toctree}\n:hidden:\n")
        parts += [f"{name} <{module}.{name}>" for name in names]
        parts.append("```\n")
    yield "reference/index.md", "\n".join(parts)


def _in_a_line(name: str, value: Any) -> str:
    """Return what a public object is, for the list of all."""
    if isinstance(value, Symbol):
        return f"the cell {name}"
    if isinstance(value, Expr):
        return f"`{formula_text(value)}`"
    if isinstance(value, Catalogue):
        told = _first_sentence(type(value))
    elif isinstance(value, type) or callable(value):
        told = _first_sentence(value)
    else:
        told = _written_beneath(name, value)
    return _without_roles(told)


def _without_roles(text: str) -> str:
    """Return a sentence of a docstring for Markdown: what a role names, without the role."""
    return for_markdown(_ROLE.sub(lambda found: found[1].rpartition(".")[2], text).replace("``", ""))


def _first_sentence(thing: Any) -> str:
    return " ".join((thing.__doc__ or "").split("\n\n")[0].split())


# -- the library -------------------------------------------------------------------------------------------------------


def library_page() -> str:
    """Return the lists of all metrics and all properties."""
    rows = [
        (f"`{metric.name}`", for_markdown(metric.title), f"`{formula_text(metric.expr)}`", _names(metric.aliases))
        for metric in sm.metrics.values()
    ]
    asked = list(map(_property_row, sm.properties.values()))
    of_matrices = list(map(_property_row, sm.multiclass_properties.values()))
    several = [(f"`{m.name}`", for_markdown(m.title), _names(m.aliases)) for m in sm.multiclass.values()]
    return "\n".join(
        [
            "# Metrics and properties",
            "",
            f"The {len(rows)} metrics, as formulas over the cells, and the {len(asked)} properties put to each.",
            "`symmetrics show NAME` tells more of each, and `symmetrics datasheet NAME` everything.",
            "",
            "## Properties",
            "",
            *_table(("key", "name", "statement"), asked),
            "",
            "## Metrics",
            "",
            *_table(("key", "name", "formula", "also called"), rows),
            "",
            "## Metrics of many classes",
            "",
            *_table(("key", "name", "also called"), several),
            "",
            "## Properties of metrics of many classes",
            "",
            *_table(("key", "name", "statement"), of_matrices),
            "",
        ]
    )


def _property_row(property: Any) -> tuple[str, str, str]:
    statement = property.statement.replace("|", "\\|")
    return f"`{property.name}`", for_markdown(property.title or property.name), f"`{statement}`"


def _names(aliases: Iterable[str]) -> str:
    return ", ".join(f"`{alias}`" for alias in aliases)


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    for row in (head, tuple("---" for _ in head), *rows):
        yield f"| {' | '.join(row)} |"


# -- the whole ---------------------------------------------------------------------------------------------------------


def gathered(folder: Path) -> None:
    """Put all sources into a folder, each at its place in the repository; links that leave the site become words."""
    sources = [path for pattern in COPIED for path in ROOT.glob(pattern)] + [ROOT / page for page in COPIED_PAGES]
    made = {**dict(reference()), "library.md": library_page()}
    for source in sources:
        target = folder / source.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, target)
    for place, text in made.items():
        target = folder / place
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    for source in SETTINGS.iterdir():
        (shutil.copytree if source.is_dir() else shutil.copy)(source, folder / source.name)
        if source.suffix == ".md":  # it goes two folders up, and so do its links
            text = source.read_text(encoding="utf-8")
            (folder / source.name).write_text(text.replace("](../", "](docs/"), encoding="utf-8")
    for page in folder.rglob("*.md"):
        page.write_text(_with_links_inside(page, page.read_text(encoding="utf-8")), encoding="utf-8")


def _with_links_inside(page: Path, text: str) -> str:
    """Return a page without links to files that the site does not have."""

    def kept(found: re.Match[str]) -> str:
        target = found["target"].partition("#")[0]
        is_there = not target or "://" in target or (page.parent / target).is_file()
        return found[0] if is_there else found["label"]

    return _LINK.sub(kept, text)


def built(output: Path, atlas: Path | None) -> int:
    """Build the site and return Sphinx's exit status."""
    from sphinx.cmd.build import main as sphinx

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "source"
        folder.mkdir()
        gathered(folder)
        kept = ["-d", str(Path(name) / "doctrees")]
        status = sphinx(["-b", "html", "-W", "--keep-going", "-q", "-j", "2", *kept, str(folder), str(output)])
    # The gallery chooses its pictures by the reader's colour scheme, which Sphinx does not follow.
    shutil.copytree(ROOT / "docs" / "plots", output / "docs" / "plots", dirs_exist_ok=True)
    if atlas is not None:
        shutil.copytree(atlas, output / "atlas", dirs_exist_ok=True)
    return status


def complaints(output: Path) -> Iterator[str]:
    """Yield what is wrong with a site: links that lead nowhere, objects without a page, words that no search finds."""
    for page in output.rglob("*.html"):
        if page.relative_to(output).parts[0] in ("_static", "atlas"):  # the theme's own, and what has tests of its own
            continue
        for target in set(_TARGET.findall(page.read_text(encoding="utf-8"))):
            place = unquote(target.partition("#")[0].partition("?")[0])
            if place and not re.match(r"\w+:", place) and not (page.parent / place).exists():
                yield f"{page.relative_to(output)}: a link to {target}, which is not there"
    for module, names in public_objects().items():
        for name in names:
            if not (output / "reference" / f"{module}.{name}.html").is_file():
                yield f"{module}.{name} has no page"
    terms = (output / "searchindex.js").read_text(encoding="utf-8")
    for stem in SEARCHED:
        if not re.search(rf'\b"?{stem}\w*"?:', terms):
            yield f"a search does not find {stem!r}"


def main() -> int:
    """Build the site, and say what is wrong with it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--atlas", type=Path, metavar="FOLDER", help="what 'symmetrics atlas -o FOLDER' wrote")
    given = parser.parse_args()
    status = built(given.output, given.atlas)
    wrong = list(complaints(given.output)) if status == 0 else []
    print(*wrong, sep="\n", end="\n" if wrong else "", file=sys.stderr)
    return status or bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
