"""Documents for a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from typing import Final

from symmetrics.tools.documents import (
    Bar,
    Beside,
    Block,
    Break,
    Document,
    Entries,
    Facts,
    Folded,
    Formula,
    Grid,
    Listing,
    Paragraph,
    Picture,
    Plot,
    Section,
    Span,
    Text,
    cell_of,
)
from symmetrics.tools.escaping import visible

WIDTH: Final = 100


def text_document(document: Document) -> str:
    """Return a whole document; what stands behind sentences is left out."""
    title = visible(document.title)
    lines = [title, "=" * len(title)]
    for block in document.blocks:
        lines += _block(block, WIDTH)
    return "\n".join(lines)


def text_blocks(blocks: Iterable[Block], *, between: str = "\n\n", layout: str = "plain") -> str:
    """Return blocks, none of whose lines is broken.

    :param between: what stands between two blocks
    :param layout: of grids: ``plain``, or ``simple`` with a line below the head
    """
    return between.join("\n".join(_block(block, None, layout)) for block in blocks)


def _block(block: Block, width: int | None, layout: str = "plain") -> Iterator[str]:
    match block:
        case Section(_, title, blocks):
            yield from ("", visible(title), "-" * len(title))
            for each in blocks:
                yield from _block(each, width)
        case Paragraph(text):
            yield _wrapped(plain(text), width)
        case Facts(rows):
            for label, text in rows:
                yield _wrapped(f"{visible(label)}: {plain(text)}", width, "  ")
        case Entries(entries):
            for entry in entries:
                mark = entry.mark + (": " if entry.mark and not entry.mark.endswith(".") else " ")
                yield _wrapped(f"- {mark.lstrip()}{plain(entry.text)}".rstrip(), width, "  ")
        case Grid():
            yield _grid(block, layout)
            yield from map(plain, block.notes)
        case Listing(_, text):
            yield from (f"    {visible(line)}".rstrip() for line in text.split("\n"))
        case Folded(_, blocks) | Beside(blocks):
            for each in blocks:
                yield from _block(each, width)
        case Picture() | Plot():
            pass


def _grid(grid: Grid, layout: str) -> str:
    from tabulate import tabulate

    rows = [[plain(cell_of(cell).text) for cell in row] for row in grid.rows]
    head = [plain(cell_of(cell).text) for cell in grid.head]
    aligned = [{"l": "left", "r": "right"}[letter] for letter in grid.align] or None
    return str(tabulate(rows, head, tablefmt=layout, disable_numparse=True, colalign=aligned))


def _wrapped(text: str, width: int | None, further: str = "") -> str:
    if width is None:
        return text
    return textwrap.fill(text, width, subsequent_indent=further, break_on_hyphens=False, break_long_words=False)


def plain(text: Text) -> str:
    """Return a text as plain letters."""
    return "".join(map(_span, text))


def _span(span: Span) -> str:
    match span:
        case str():
            return visible(span)
        case Break():
            return "\n"
        case Bar():
            return ""
        case Formula():
            return span.text
        case _:
            return visible(span.text)
