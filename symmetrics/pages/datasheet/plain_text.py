"""A datasheet for a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from typing import Final

from symmetrics.language.formula import formula_text
from symmetrics.metric import Metric
from symmetrics.pages.datasheet.blocks import (
    Block,
    Code,
    Entries,
    Facts,
    Formula,
    Grid,
    Listing,
    Paragraph,
    Section,
    Text,
)
from symmetrics.tools.escaping import visible

__all__ = ["text_page"]

WIDTH: Final = 100


def text_page(metric: Metric, sections: Iterable[Section]) -> str:
    """Return a whole page; what stands behind sentences is left out, as `symmetrics prove` tells it."""
    title = visible(metric.title or metric.name)
    lines = [title, "=" * len(title)]
    for section in sections:
        lines += ["", visible(section.title), "-" * len(section.title)]
        for block in section.blocks:
            lines += _block(block)
    return "\n".join(lines)


def _block(block: Block) -> Iterator[str]:
    match block:
        case Paragraph(text):
            yield _wrapped(_text(text))
        case Facts(rows):
            for label, text in rows:
                yield _wrapped(f"{label}: {_text(text)}", "  ")
        case Entries(entries):
            for entry in entries:
                mark = entry.mark + (": " if entry.mark and not entry.mark.endswith(".") else " ")
                yield _wrapped(f"- {mark.lstrip()}{_text(entry.text)}".rstrip(), "  ")
        case Grid(head, rows):
            from tabulate import tabulate

            body = [[_text(cell) for cell in row] for row in rows]
            yield str(tabulate(body, head, tablefmt="plain", disable_numparse=True))
        case Listing(_, text):
            yield from (f"    {visible(line)}".rstrip() for line in text.split("\n"))


def _wrapped(text: str, further: str = "") -> str:
    return textwrap.fill(text, WIDTH, subsequent_indent=further, break_on_hyphens=False, break_long_words=False)


def _text(text: Text) -> str:
    return "".join(map(_span, text))


def _span(span: str | Formula | Code) -> str:
    match span:
        case Formula(expr, equals):
            return f"{equals} = {formula_text(expr)}" if equals else formula_text(expr)
        case Code(letters):
            return visible(letters)
        case _:
            return visible(span)
