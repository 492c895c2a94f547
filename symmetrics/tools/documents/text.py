"""Documents as plain text for a terminal."""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from symmetrics.tools.documents import Block, Document, Entries, Formula, Grid, Listing, Text, Writer, text_of
from symmetrics.tools.texts import visible

WIDTH: Final = 100


def text_document(document: Document) -> str:
    """Return a whole document; details behind sentences are omitted."""
    title = visible(document.title)
    return "\n".join([title, "=" * len(title), *_Text(WIDTH, aligned=False).blocks(document.blocks)])


def text_blocks(
    blocks: Iterable[Block], *, between: str = "\n\n", layout: str = "plain", width: int | None = None
) -> str:
    """Render blocks, with the texts of facts aligned.

    :param between: separator of blocks
    :param layout: of grids: ``plain``, or ``simple`` with a line below the head
    :param width: at which lines are broken; by default none is
    """
    writer = _Text(width, layout)
    return between.join("\n".join(writer.blocks([block])) for block in blocks)


def plain(text: Text) -> str:
    """Return a text as plain letters."""
    return _PLAIN.text(text)


class _Text(Writer):
    def __init__(self, width: int | None = None, layout: str = "plain", *, aligned: bool = True) -> None:
        self._width = width
        self._layout = layout
        self._aligned = aligned

    def heading(self, title: str) -> Iterator[str]:
        yield from ("", visible(title), "-" * len(title))

    def paragraph(self, written: str, *, is_display: bool) -> str:  # noqa: ARG002 (set apart in no way)
        return self._wrapped(written)

    def facts(self, rows: tuple[tuple[str, Text], ...]) -> Iterator[str]:
        widest = max((len(label) for label, _ in rows), default=0) + 2
        for label, text in rows:
            shown = visible(label)
            before, further = (f"{shown:<{widest}}", " " * widest) if self._aligned else (f"{shown}: ", "  ")
            yield self._wrapped(before + self.text(text), further)

    def entries(self, found: Entries) -> Iterator[str]:
        for entry in found.entries:
            mark = visible(entry.mark) + (": " if entry.mark and not entry.mark.endswith(".") else " ")
            yield self._wrapped(f"- {mark.lstrip()}{self.text(entry.text)}".rstrip(), "  ")

    def grid(self, found: Grid) -> Iterator[str]:
        head, *rows = ([self.text(text_of(cell)) for cell in row] for row in (found.head, *found.rows))
        yield "\n".join(columns(head, rows, found.align, self._layout))
        yield from ("", *map(self.text, found.notes)) if found.notes else ()

    def listing(self, found: Listing) -> Iterator[str]:
        yield from (f"    {visible(line)}".rstrip() for line in found.text.split("\n"))

    def letters(self, text: str) -> str:
        return visible(text)

    def formula(self, found: Formula) -> str:
        return found.text

    def _wrapped(self, text: str, further: str = "") -> str:
        if self._width is None:
            return text
        return textwrap.fill(
            text, self._width, subsequent_indent=further, break_on_hyphens=False, break_long_words=False
        )


_PLAIN: Final = _Text()


def columns(head: Sequence[str], rows: Sequence[Sequence[str]], align: str = "", layout: str = "plain") -> list[str]:
    r"""Return the lines of a table with aligned columns.

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
    """Return the display width of a text: East Asian characters take two columns, combining accents none."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(letter) else 1 + (unicodedata.east_asian_width(letter) in "WF") for letter in text
    )
