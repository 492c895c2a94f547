"""Documents for a terminal."""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
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
    text_of,
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


def text_blocks(
    blocks: Iterable[Block], *, between: str = "\n\n", layout: str = "plain", width: int | None = None
) -> str:
    """Return blocks, with the texts of facts below each other.

    :param between: what stands between two blocks
    :param layout: of grids: ``plain``, or ``simple`` with a line below the head
    :param width: at which lines are broken; by default none is
    """
    written = (_facts(block, width) if isinstance(block, Facts) else _block(block, width, layout) for block in blocks)
    return between.join(map("\n".join, written))


def _facts(found: Facts, width: int | None) -> Iterator[str]:
    widest = max((len(label) for label, _ in found.rows), default=0) + 2
    for label, text in found.rows:
        yield _wrapped(f"{visible(label):<{widest}}{plain(text)}", width, " " * widest)


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
                mark = visible(entry.mark) + (": " if entry.mark and not entry.mark.endswith(".") else " ")
                yield _wrapped(f"- {mark.lstrip()}{plain(entry.text)}".rstrip(), width, "  ")
        case Grid():
            yield _grid(block, layout)
            yield from ("", *map(plain, block.notes)) if block.notes else ()
        case Listing(_, text):
            yield from (f"    {visible(line)}".rstrip() for line in text.split("\n"))
        case Folded(_, blocks) | Beside(blocks):
            for each in blocks:
                yield from _block(each, width)
        case Picture() | Plot():
            pass


def _grid(grid: Grid, layout: str) -> str:
    head, *rows = ([plain(text_of(cell)) for cell in row] for row in (grid.head, *grid.rows))
    return "\n".join(columns(head, rows, grid.align, layout))


def columns(head: Sequence[str], rows: Sequence[Sequence[str]], align: str = "", layout: str = "plain") -> list[str]:
    r"""Return the lines of a table whose columns stand below each other.

    :param head: what the columns are called, each two letters narrower than its column; empty if they have no names
    :param align: a letter for each column, ``l`` or ``r``; by default all are on the left
    :param layout: ``plain``, ``simple`` with a line below the head, or ``github`` with bars between the columns

    >>> print("\n".join(columns(["name", "n"], [["a", "10"], ["词", "5"]], "lr", "simple")))
    name      n
    ------  ---
    a        10
    词        5
    """
    least = [_width(name) + 2 for name in head] or [0] * len(rows[0] if rows else ())
    found, widths = [], []
    for place, narrowest in enumerate(least):
        cells = [*head[place : place + 1], *(row[place].strip() for row in rows)]
        widths.append(max(narrowest, *map(_width, cells)))
        found.append([_padded(cell, widths[-1], align[place : place + 1] == "r") for cell in cells])
    lines = list(zip(*found, strict=True))
    if layout == "github":
        body = [f"| {' | '.join(line)} |" for line in lines]
        return [body[0], f"|{'|'.join('-' * (width + 2) for width in widths)}|", *body[1:]]
    body = ["  ".join(line).rstrip() for line in lines]
    rule = ["  ".join("-" * width for width in widths)] if layout == "simple" and head else []
    return [*body[:1], *rule, *body[1:]]


def _padded(text: str, width: int, right: bool) -> str:
    blanks = " " * (width - _width(text))
    return blanks + text if right else text + blanks


def _width(text: str) -> int:
    """Return how many columns of a terminal a text takes: letters of East Asia two, accents on letters none."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(letter) else 1 + (unicodedata.east_asian_width(letter) in "WF") for letter in text
    )


def _wrapped(text: str, width: int | None, further: str = "") -> str:
    if width is None:
        return text
    return textwrap.fill(text, width, subsequent_indent=further, break_on_hyphens=False, break_long_words=False)


def plain(text: Text) -> str:
    """Return a text as plain letters."""
    if len(text) == 1 and isinstance(text[0], str):
        return visible(text[0])
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
