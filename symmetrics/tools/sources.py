"""What a module is made of: a fingerprint that changes when its source, or that of anything it uses, does."""

from __future__ import annotations

import ast
import hashlib
from functools import cache
from importlib.util import find_spec
from pathlib import Path

__all__ = ["fingerprint"]

PACKAGE = __name__.partition(".")[0]


def fingerprint(module: str) -> str:
    """Return a hash of the source of a module of this package and of every module of the package that it imports.

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


@cache
def _read(module: str) -> tuple[str, frozenset[str]]:
    """Return the hash of a module's source, and the modules of this package that it imports."""
    spec = find_spec(module)
    source = Path(spec.origin).read_bytes() if spec is not None and spec.origin is not None else b""
    imported = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.partition(".")[0] == PACKAGE:
            imported |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return hashlib.sha256(source).hexdigest(), frozenset(filter(_is_module, imported))


@cache
def _is_module(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:
        return False
