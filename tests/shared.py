"""What tests of several subjects need: scripts loaded as modules, and messages of refused calls."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from symmetrics.tools.errors import InputError


def script(path: Path) -> ModuleType:
    """Return a script that is no part of the package as a module."""
    specification = importlib.util.spec_from_file_location(path.stem, path)
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def sections_of(file: str) -> dict[str, list[tuple[str, str]]]:
    """Return the rows ``left => right`` of a file in tests/data, by the headings ``# name`` that they stand below."""
    found: dict[str, list[tuple[str, str]]] = {}
    for line in (Path(__file__).parent / "data" / file).read_text(encoding="utf-8").splitlines():
        if line.startswith("# "):
            rows = found.setdefault(line[2:], [])
        elif line:
            left, _, right = line.partition(" => ")
            rows.append((left, right))
    return found


def refusal(call: Callable[[], object], longest: int = 250) -> str:
    """Return the message with which a call is refused, which is one line, and not too long to be read."""
    with pytest.raises(InputError) as caught:
        call()
    message = str(caught.value)
    assert message
    assert "\n" not in message
    assert "\r" not in message
    assert len(message) < longest
    return message
