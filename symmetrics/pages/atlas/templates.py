"""Scripts, styles and data beside the pages of an atlas."""

from __future__ import annotations

import json
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, Final

FOLDER: Final = files("symmetrics.pages.atlas")


def script(call: str, *values: Any) -> str:
    """Return a script that calls a function with values as JSON: data that a page can load from the file system."""
    written = ", ".join(json.dumps(value, ensure_ascii=True, separators=(",", ":")) for value in values)
    return f"{call}({written.replace('<', chr(92) + 'u003c')});\n"


def assets(folder: Traversable | None = None, path: str = "") -> dict[str, bytes]:
    """Return scripts, styles and their licences, by path below ``assets/``."""
    found: dict[str, bytes] = {}
    for item in (folder or FOLDER / "assets").iterdir():
        name = f"{path}{item.name}"
        found |= assets(item, f"{name}/") if item.is_dir() else {name: item.read_bytes()}
    return found
