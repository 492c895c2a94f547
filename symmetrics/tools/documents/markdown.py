"""Documents in Markdown, as GitHub and CommonMark read it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from symmetrics.tools.documents import (
    Bar,
    Beside,
    Block,
    Break,
    Code,
    Document,
    Entries,
    Entry,
    Facts,
    Folded,
    Formula,
    Grid,
    Listing,
    Paragraph,
    Picture,
    Plot,
    Section,
    Strong,
    Text,
    text_of,
)
from symmetrics.tools.documents.text import columns
from symmetrics.tools.escaping import visible

_COMMANDS: Final = re.compile(r"([\\`*_\[\]|$~])")
_FIRST: Final = re.compile(r"^(?:([#=]|[+-](?!\d))|(\d+)([.)])(?!\d))")
_ENTITIES: Final = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
Escape = Callable[[str], str]


def escaped(text: str) -> str:
    r"""Return a text of which nothing is a command of Markdown.

    >>> escaped("2*a*b|<b>"), escaped("# x"), escaped("1. x"), escaped("0.105 %"), escaped("-0.5")
    ('2\\*a\\*b\\|&lt;b&gt;', '\\# x', '1\\. x', '0.105 %', '-0.5')
    """
    return _FIRST.sub(_shown, _COMMANDS.sub(r"\\\1", visible(text)).translate(_ENTITIES))


def _shown(first: re.Match[str]) -> str:
    r"""Return the beginning of a heading, a list or a rule as letters: a backslash before a digit would be shown."""
    return f"\\{first[1]}" if first[1] else f"{first[2]}\\{first[3]}"


def markdown_document(document: Document) -> str:
    """Return a whole document."""
    parts = [f"# {escaped(document.title)}"]
    return "\n\n".join([*parts, markdown_blocks(document.blocks)]) + "\n"


def markdown_blocks(blocks: Iterable[Block], escape: Escape = escaped, *, padded: bool = False) -> str:
    """Return blocks, one below the other.

    :param escape: what makes a text harmless; names in tables need less of it than sentences
    :param padded: whether the columns of grids stand below each other in the source, too
    """
    return "\n\n".join(text for block in blocks for text in _block(block, escape, padded) if text)


def _block(block: Block, escape: Escape, padded: bool) -> Iterator[str]:
    match block:
        case Section(_, title, blocks):
            yield f"## {escape(title)}"
            for each in blocks:
                yield from _block(each, escape, padded)
        case Paragraph(text, is_display):
            yield f"> {_text(text, escape)}" if is_display else _text(text, escape)
        case Facts(rows):
            yield "\n".join(f"- {escape(label)}: {_text(text, escape)}" for label, text in rows)
        case Entries(entries):
            yield "\n".join(line for entry in entries for line in _entry(entry, escape))
        case Grid():
            yield _grid(block, escape, padded)
            yield from (_text(note, escape) for note in block.notes)
        case Listing(language, text):
            longest = max((len(run) for run in re.findall("`+", text)), default=0)
            fence = "`" * max(3, longest + 1)
            lines = "\n".join(map(visible, text.split("\n")))
            yield f"{fence}{language}\n{lines}\n{fence}"
        case Folded(_, blocks) | Beside(blocks):
            for each in blocks:
                yield from _block(each, escape, padded)
        case Picture() | Plot():
            pass


def _entry(entry: Entry, escape: Escape) -> Iterator[str]:
    mark = f"**{escape(entry.mark)}** " if entry.mark else ""
    yield f"- {mark}{_text(entry.text, escape)}".rstrip()
    for label, text in entry.detail:
        yield f"  - {escape(label)}: {_text(text, escape)}"


def _grid(grid: Grid, escape: Escape, padded: bool) -> str:
    head, *rows = ([_text(text_of(cell), escape, in_cell=True) for cell in row] for row in (grid.head, *grid.rows))
    if padded:
        return "\n".join(columns(head, rows, layout="github"))
    rule = f"|{'---|' * len(head)}"
    if grid.align:
        rule = f"| {' | '.join('--:' if letter == 'r' else '---' for letter in grid.align)} |"
    return "\n".join([f"| {' | '.join(head)} |", rule, *(f"| {' | '.join(row)} |" for row in rows)])


def _text(text: Text, escape: Escape, *, in_cell: bool = False) -> str:
    """Return a text; a bar would end a cell of a table even within code."""
    if len(text) == 1 and isinstance(text[0], str):
        return escape(text[0])
    written = []
    for span in text:
        match span:
            case Formula() | Code():
                code = _code(span.text)
                written.append(code.replace("|", "\\|") if in_cell else code)
            case Break():
                written.append("; ")
            case Bar():
                pass
            case Strong():
                written.append(f"**{escape(span.text)}**")
            case str():
                written.append(escape(span))
            case _:
                written.append(escape(span.text))
    return "".join(written)


def _code(letters: str) -> str:
    shown = visible(letters)
    longest = max((len(run) for run in re.findall("`+", shown)), default=0)
    fence = "`" * (longest + 1)
    return f"{fence} {shown} {fence}" if longest else f"`{shown}`"
