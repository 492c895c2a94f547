"""A datasheet in Markdown, as GitHub and CommonMark read it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from symmetrics.language.formula import formula_text
from symmetrics.metric import Metric
from symmetrics.pages.datasheet.blocks import (
    Block,
    Code,
    Entries,
    Entry,
    Facts,
    Formula,
    Grid,
    Listing,
    Paragraph,
    Section,
    Text,
)
from symmetrics.tools.escaping import visible

__all__ = ["escaped", "markdown_page"]

_COMMANDS: Final = re.compile(r"([\\`*_\[\]|$~])")
_FIRST: Final = re.compile(r"^(?:([#=]|[+-](?!\d))|(\d+)([.)])(?!\d))")
_ENTITIES: Final = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})


def escaped(text: str) -> str:
    r"""Return a text of which nothing is a command of Markdown.

    >>> escaped("2*a*b|<b>"), escaped("# x"), escaped("1. x"), escaped("0.105 %"), escaped("-0.5")
    ('2\\*a\\*b\\|&lt;b&gt;', '\\# x', '1\\. x', '0.105 %', '-0.5')
    """
    return _FIRST.sub(_shown, _COMMANDS.sub(r"\\\1", visible(text)).translate(_ENTITIES))


def _shown(first: re.Match[str]) -> str:
    r"""Return the beginning of a heading, a list or a rule as letters: a backslash before a digit would be shown."""
    return f"\\{first[1]}" if first[1] else f"{first[2]}\\{first[3]}"


def markdown_page(metric: Metric, sections: Iterable[Section]) -> str:
    """Return a whole page."""
    parts = [f"# {escaped(metric.title or metric.name)}"]
    for section in sections:
        parts.append(f"## {escaped(section.title)}")
        parts += [text for block in section.blocks if (text := _block(block))]
    return "\n\n".join(parts) + "\n"


def _block(block: Block) -> str:
    match block:
        case Paragraph(text, is_display):
            return f"> {_text(text)}" if is_display else _text(text)
        case Facts(rows):
            return "\n".join(f"- {escaped(label)}: {_text(text)}" for label, text in rows)
        case Entries(entries):
            return "\n".join(line for entry in entries for line in _entry(entry))
        case Grid(head, rows):
            table = [f"| {' | '.join(map(escaped, head))} |", f"|{'---|' * len(head)}"]
            return "\n".join([*table, *(f"| {' | '.join(map(_cell, row))} |" for row in rows)])
        case Listing(language, text):
            longest = max((len(run) for run in re.findall("`+", text)), default=0)
            fence = "`" * max(3, longest + 1)
            lines = "\n".join(map(visible, text.split("\n")))
            return f"{fence}{language}\n{lines}\n{fence}"


def _entry(entry: Entry) -> Iterator[str]:
    mark = f"**{escaped(entry.mark)}** " if entry.mark else ""
    yield f"- {mark}{_text(entry.text)}".rstrip()
    for label, text in entry.detail:
        yield f"  - {escaped(label)}: {_text(text)}"


def _cell(text: Text) -> str:
    """Return a text for a cell: a bar ends it even within code."""
    return "".join(
        _span(span).replace("|", "\\|") if isinstance(span, (Code, Formula)) else _span(span) for span in text
    )


def _text(text: Text) -> str:
    return "".join(map(_span, text))


def _span(span: str | Formula | Code) -> str:
    match span:
        case Formula(expr, equals):
            return _code(f"{equals} = {formula_text(expr)}" if equals else formula_text(expr))
        case Code(letters):
            return _code(letters)
        case _:
            return escaped(span)


def _code(letters: str) -> str:
    shown = visible(letters)
    longest = max((len(run) for run in re.findall("`+", shown)), default=0)
    fence = "`" * (longest + 1)
    return f"{fence} {shown} {fence}" if longest else f"`{shown}`"
