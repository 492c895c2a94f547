"""Templates that escape whatever is put into them, and the folder with all that pages need beside them."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, Final

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from symmetrics.tools.escaping import visible

__all__ = ["assets", "rendered", "script"]

_HERE: Final = "symmetrics.pages.atlas"


@cache
def _environment() -> Environment:
    folder = files(_HERE) / "templates"
    return Environment(
        loader=FunctionLoader(lambda name: (folder / name).read_text("utf-8")),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _shown(value: Any) -> Any:
    """Spell out what would command a terminal or turn the direction of writing."""
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def rendered(template: str, **values: Any) -> str:
    """Return a page; every text in it is escaped, but for what is :class:`~markupsafe.Markup`."""
    return _environment().get_template(template).render(**values)


def script(call: str, *values: Any) -> str:
    """Return a script that calls a function with values as JSON: data that a page can load from the file system."""
    written = ", ".join(json.dumps(value, ensure_ascii=True, separators=(",", ":")) for value in values)
    return f"{call}({written.replace('<', chr(92) + 'u003c')});\n"


def assets(folder: Traversable | None = None, path: str = "") -> dict[str, bytes]:
    """Return scripts, styles and their licences, by path below ``assets/``."""
    found: dict[str, bytes] = {}
    for item in (folder or files(_HERE) / "assets").iterdir():
        name = f"{path}{item.name}"
        found |= assets(item, f"{name}/") if item.is_dir() else {name: item.read_bytes()}
    return found
