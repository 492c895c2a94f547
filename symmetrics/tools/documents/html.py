"""HTML of documents, by escaping templates, and the style sheet of all pages."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import Any, Final

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup, escape

from symmetrics.tools.documents import Block, Cell, Document, Formula, Grid, Text, cell_of
from symmetrics.tools.texts import visible

_FOLDER: Final = files("symmetrics.tools.documents") / "templates"


def html_page(document: Document) -> str:
    """Return a self-contained page, for light and dark mode, large and small screens."""
    return rendered(_FOLDER, "page.html", document=document, style=style_sheet(), bare=False) + "\n"


def html_fragment(document: Document) -> str:
    """HTML fragment with its own style sheet."""
    return rendered(_FOLDER, "fragment.html", document=document, style=style_sheet(), bare=False)


def html_article(document: Document) -> str:
    """HTML fragment for a page that already includes the :func:`style_sheet`."""
    return rendered(_FOLDER, "article.html", document=document, bare=False)


def html_blocks(blocks: Iterable[Block]) -> str:
    """HTML for a notebook cell, in the notebook's own colours."""
    return rendered(_FOLDER, "notebook.html", blocks=blocks, bare=True)


def html_table(grid: Grid) -> str:
    """Return a single table, for embedding in any page."""
    return rendered(_FOLDER, "table.html", found=grid, bare=True)


@cache
def style_sheet() -> str:
    """Return the style sheet of articles; pages are legible without it."""
    return (_FOLDER / "style.css").read_text("utf-8")


def rendered(folder: Any, template: str, **values: Any) -> str:
    """Fill in a template; all text is escaped except :class:`~markupsafe.Markup`.

    :param folder: of the template, such as a path or a resource of a package
    """
    return _environment(folder).get_template(template).render(**values)


@cache
def _environment(folder: Any) -> Environment:
    found = Environment(
        loader=FunctionLoader(lambda name: (folder / name).read_text("utf-8")),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.filters |= {"kind": lambda part: type(part).__name__, "cell": cell_of, "has_formula": _has_formula}
    found.filters |= {"words": _words}
    found.filters["lines"] = lambda text: Markup("\n").join(map(visible, text.split("\n")))
    return found


def _shown(value: Any) -> Any:
    """Spell out control characters, and those that change the direction of writing."""
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _words(row: Iterable[Text | Cell], places: list[str], has_head: bool) -> Markup | None:
    """Return the cells of a row that consists of plain words, None for others; avoids a slow macro call per cell."""
    cells = []
    for cell, place in zip(row, places, strict=True):
        if has_head or isinstance(cell, Cell) or len(cell) != 1 or type(cell[0]) is not str:
            return None
        cells.append(f"<td{place}>{escape(visible(cell[0]))}</td>")
    return Markup("".join(cells))


def _has_formula(text: Text) -> bool:
    return any(isinstance(span, Formula) for span in text)
