"""What a datasheet consists of: sections with blocks of text, as data that every format writes in its own way."""

from __future__ import annotations

from dataclasses import dataclass

from sympy import Expr

__all__ = ["Block", "Code", "Entries", "Entry", "Facts", "Formula", "Grid", "Listing", "Paragraph", "Section", "Text"]


@dataclass(frozen=True)
class Formula:
    """A formula within a text.

    :param expr: the formula
    :param equals: what stands before it and an equals sign, such as ``M``; nothing by default
    """

    expr: Expr
    equals: str = ""


@dataclass(frozen=True)
class Code:
    """Letters within a text that are to be typed as they are."""

    text: str


Span = str | Formula | Code
Text = tuple[Span, ...]
"""A text: words, formulas and what is to be typed, in their order."""


@dataclass(frozen=True)
class Paragraph:
    """A text by itself.

    :param is_display: whether it is a formula to be set apart
    """

    text: Text
    is_display: bool = False


@dataclass(frozen=True)
class Facts:
    """Labels, each with a text."""

    rows: tuple[tuple[str, Text], ...]


@dataclass(frozen=True)
class Entry:
    """A sentence with what stands behind it.

    :param mark: in a word, such as yes or no; nothing if there is no such word
    :param text: the sentence
    :param detail: labels with texts that whoever doubts the sentence wants to see
    :param key: by which it is linked; nothing if it is not
    """

    text: Text
    mark: str = ""
    detail: tuple[tuple[str, Text], ...] = ()
    key: str = ""


@dataclass(frozen=True)
class Entries:
    """A list of sentences."""

    entries: tuple[Entry, ...]


@dataclass(frozen=True)
class Grid:
    """A table."""

    head: tuple[str, ...]
    rows: tuple[tuple[Text, ...], ...]


@dataclass(frozen=True)
class Listing:
    """Lines of a program or of a bibliography.

    :param language: such as ``python``
    :param text: the lines
    """

    language: str
    text: str


Block = Paragraph | Facts | Entries | Grid | Listing


@dataclass(frozen=True)
class Section:
    """A part of a datasheet under a heading.

    :param key: by which it is linked
    :param title: the heading
    :param blocks: what stands under it
    """

    key: str
    title: str
    blocks: tuple[Block, ...]
