"""What a module is made of: a fingerprint that changes when its source, or that of anything it uses, does."""

from __future__ import annotations

import ast
import hashlib
import re
from collections.abc import Iterable
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from pkgutil import iter_modules
from typing import Final

__all__ = ["digest_of_rooms", "fingerprint"]

PACKAGE = __name__.partition(".")[0]
_IN_PACKAGE: Final = re.compile(r"""f['"]\{(?P<package>[\w.]+)\}\.""")


def fingerprint(module: str) -> str:
    """Return a hash of the source of a module of this package and of every module of the package that it imports.

    A module that finds others by their names, as ``import_module(f"{package.__name__}.{name}")`` does, counts as one
    that imports all those of the package.

    >>> fingerprint("symmetrics.tools.errors") == fingerprint("symmetrics.language.cells")
    False
    """
    reached: set[str] = set()
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting.extend(_read(name)[1])
    digests = sorted(f"{name} {_read(name)[0]}" for name in reached)
    return hashlib.sha256("\n".join(digests).encode()).hexdigest()[:16]


def digest_of_rooms(rooms: Iterable[str]) -> str:
    """Return a hash of all sources of some folders of this package, which takes a few milliseconds.

    >>> digest_of_rooms(["claims"]) == digest_of_rooms(["language"])
    False
    """
    package = Path(__file__).parents[1]
    found = sorted(path for room in rooms for path in (package / room).rglob("*.py"))
    digests = [f"{path.relative_to(package).as_posix()} {_sha256(path)}" for path in found]
    return hashlib.sha256("\n".join(digests).encode()).hexdigest()


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


@cache
def _read(module: str) -> tuple[str, frozenset[str]]:
    """Return the hash of a module's source, and the modules of this package that it imports."""
    spec = find_spec(module)
    source = Path(spec.origin).read_bytes() if spec is not None and spec.origin is not None else b""
    imported, packages = set(), {"__name__": module}
    nodes = list(ast.walk(ast.parse(source)))
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and node.module and node.module.partition(".")[0] == PACKAGE:
            imported |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
            packages |= {f"{alias.name}.__name__": f"{node.module}.{alias.name}" for alias in node.names}
    for name in filter(None, map(_searched, nodes)):
        package = find_spec(packages[name])
        if package is not None:
            imported |= {f"{package.name}.{found.name}" for found in iter_modules(package.submodule_search_locations)}
    return hashlib.sha256(source).hexdigest(), frozenset(filter(_is_module, imported))


def _searched(node: ast.AST) -> str | None:
    """Return what stands for the package in a piece of source that is a call ``import_module(f"{package}.…")``."""
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "import_module"):
        return None
    found = _IN_PACKAGE.match(ast.unparse(node.args[0]))
    return None if found is None else found["package"]


@cache
def _is_module(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:
        return False
