"""Documents in Markdown, as GitHub and CommonMark read it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from symmetrics.tools.documents import (
    Block,
    Code,
    Document,
    Entries,
    Entry,
    Formula,
    Grid,
    Listing,
    Span,
    Text,
    Writer,
    text_of,
)
from symmetrics.tools.documents.text import columns
from symmetrics.tools.texts import visible

_COMMANDS: Final = re.compile(r"([\\`*_\[\]|$~])")
_FIRST: Final = re.compile(r"^(?:([#=]|[+-](?!\d))|(\d+)([.)])(?!\d))")
_ENTITIES: Final = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
Escape = Callable[[str], str]


def escaped(text: str) -> str:
    r"""Escape everything in a text that Markdown would interpret.

    >>> escaped("2*a*b|<b>"), escaped("# x"), escaped("1. x"), escaped("0.105 %"), escaped("-0.5")
    ('2\\*a\\*b\\|&lt;b&gt;', '\\# x', '1\\. x', '0.105 %', '-0.5')
    """
    return _FIRST.sub(_shown, _COMMANDS.sub(r"\\\1", visible(text)).translate(_ENTITIES))


def _shown(first: re.Match[str]) -> str:
    r"""Escape the start of a line that Markdown would read as heading, list or rule; digits need another form."""
    return f"\\{first[1]}" if first[1] else f"{first[2]}\\{first[3]}"


def markdown_document(document: Document) -> str:
    """Return a whole document."""
    parts = [f"# {escaped(document.title)}"]
    return "\n\n".join([*parts, markdown_blocks(document.blocks)]) + "\n"


def markdown_blocks(blocks: Iterable[Block], escape: Escape = escaped, *, padded: bool = False) -> str:
    """Render blocks, one below the other.

    :param escape: escapes a text; names in tables need less of it than sentences
    :param padded: whether the columns of grids are aligned in the source, too
    """
    return "\n\n".join(filter(None, _Markdown(escape, padded).blocks(blocks)))


class _Markdown(Writer):
    line_end = "; "

    def __init__(self, escape: Escape, padded: bool) -> None:
        self._escape = escape
        self._padded = padded

    def heading(self, title: str) -> Iterator[str]:
        yield f"## {self.letters(title)}"

    def paragraph(self, written: str, *, is_display: bool) -> str:
        return f"> {written}" if is_display else written

    def facts(self, rows: tuple[tuple[str, Text], ...]) -> Iterator[str]:
        yield "\n".join(f"- {self.letters(label)}: {self.text(text)}" for label, text in rows)

    def entries(self, found: Entries) -> Iterator[str]:
        yield "\n".join(line for entry in found.entries for line in self._entry(entry))

    def _entry(self, entry: Entry) -> Iterator[str]:
        mark = f"**{self.letters(entry.mark)}** " if entry.mark else ""
        yield f"- {mark}{self.text(entry.text)}".rstrip()
        for label, text in entry.detail:
            yield f"  - {self.letters(label)}: {self.text(text)}"

    def grid(self, found: Grid) -> Iterator[str]:
        head, *rows = ([self._cell(text_of(cell)) for cell in row] for row in (found.head, *found.rows))
        if self._padded:
            yield "\n".join(columns(head, rows, layout="github"))
        else:
            rule = f"|{'---|' * len(head)}"
            if found.align:
                rule = f"| {' | '.join('--:' if letter == 'r' else '---' for letter in found.align)} |"
            yield "\n".join([f"| {' | '.join(head)} |", rule, *(f"| {' | '.join(row)} |" for row in rows)])
        yield from map(self.text, found.notes)

    def _cell(self, text: Text) -> str:
        """Return the text of a cell with bars escaped, which end a cell even within code."""
        if len(text) == 1 and isinstance(text[0], str):  # fast path: most cells
            return self._escape(text[0])
        return "".join(map(self._in_cell, text))

    def _in_cell(self, span: Span) -> str:
        written = self.span(span)
        return written.replace("|", "\\|") if isinstance(span, Code | Formula) else written

    def listing(self, found: Listing) -> Iterator[str]:
        fence = "`" * max(3, _longest_run(found.text) + 1)
        lines = "\n".join(map(visible, found.text.split("\n")))
        yield f"{fence}{found.language}\n{lines}\n{fence}"

    def letters(self, text: str) -> str:
        return self._escape(text)

    def code(self, text: str) -> str:
        shown = visible(text)
        longest = _longest_run(shown)
        fence = "`" * (longest + 1)
        return f"{fence} {shown} {fence}" if longest else f"`{shown}`"

    def strong(self, text: str) -> str:
        return f"**{self.letters(text)}**"


def _longest_run(text: str) -> int:
    """Return the length of the longest run of backticks."""
    return max((len(run) for run in re.findall("`+", text)), default=0)
