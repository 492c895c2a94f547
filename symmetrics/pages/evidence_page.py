"""The page on evidence: every kind of it in words, made of the records of the vocabulary."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from symmetrics.claims.steps import CHAPTERS
from symmetrics.claims.steps.shapes import Either, Field, Group, In, ListOf, MapTo, OneOf, Plain, Row, Shape, Step

_SPECIAL: Final = re.compile(r"([*_<>|\[\]`])")
_MARKS: Final = {
    "kind": "The entry `kind` names it.",
    "field": "The first field of each names it.",
    "first": "The first entry of the list names it.",
    "alone": "Each has its own place, and no name in the certificate.",
    "word": "Each is a word alone.",
}


def evidence_text() -> str:
    """Return all kinds of evidence and of steps as Markdown, in chapters."""
    return "\n\n".join(block for chapter in CHAPTERS for block in _chapter(chapter))


def _chapter(group: Group) -> Iterator[str]:
    yield f"## {group.title}"
    yield f"{_plain(group.about)} {_MARKS[group.mark]}"
    for field in group.common:
        yield f"All have the field `{field.name}`: {_plain(field.meaning)}."
    for step in group.steps:
        yield f"### {step.name}"
        yield "  \n".join(_sentences(step))
        if step.fields:
            yield _table(step)


def _sentences(step: Step) -> Iterator[str]:
    yield _plain(step.says)
    yield f"**Law:** {_plain(step.law)}"
    if step.source:
        yield f"**Source:** {_plain(step.source)}"
    if step.excused:
        yield f"**Not told to the proof assistant:** {_plain(step.excused)}."
    if step.except_for:
        yield f"**Told to the proof assistant, except for** {_plain(step.except_for)}."


def _table(step: Step) -> str:
    rows = ["| field | what stands there | meaning |", "|---|---|---|", *map(_row, step.fields)]
    return "\n".join(rows)


def _row(field: Field) -> str:
    optional = "" if field.required else " (if needed)"
    return f"| `{field.name}` | {_plain(words_of(field.shape))} | {_plain(field.meaning)}{optional} |"


def words_of(shape: Shape) -> str:
    """Return in words what stands at a place of a certificate.

    >>> words_of(ListOf(Row((OneOf((1, -1)), In("sign")))))
    'list of (1 or -1, proof of a sign)'
    """
    match shape:
        case Plain():
            return shape.words
        case OneOf():
            return " or ".join(f'"{one}"' if isinstance(one, str) else str(one).lower() for one in shape.values)
        case ListOf():
            return f"list of {words_of(shape.item)}"
        case Row():
            return f"({', '.join(map(words_of, shape.items))})"
        case MapTo():
            return f"{words_of(shape.value)}, by {shape.keys}"
        case In():
            return _NAMES.get(shape.group, shape.group)
        case Either():
            return shape.words or " or ".join(map(words_of, shape.shapes))


_NAMES: Final = {
    "sign": "proof of a sign",
    "split": "tree of splits",
    "case": "tree of cases",
    "free": "proof that it is free",
    "table": "counterexample",
    "counts": "table",
}
"""What groups are called in the middle of a sentence, where their keys are too short for it."""


def _plain(text: str) -> str:
    """Return text with nothing that Markdown would read as markup."""
    return _SPECIAL.sub(r"\\\1", text)
