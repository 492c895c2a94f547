"""How classes are shown in messages, tables and diagrams."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

__all__ = ["class_names", "shown"]

_SHOWN_LENGTH: Final = 60
_MOST_LISTED: Final = 6


def shown(node: object) -> str:
    r"""Return a class, or whatever stands in its place, on one line, cut if long.

    >>> shown("a"), shown(3), shown("two\nlines"), shown("")
    ('a', '3', "'two\\nlines'", "''")
    """
    plain = isinstance(node, str) and node.isprintable() and node.strip() == node != ""
    text = str(node) if plain else " ".join(repr(node).split())
    return text if len(text) <= _SHOWN_LENGTH else text[: _SHOWN_LENGTH - 3] + "..."


def class_names(nodes: Iterable[object]) -> str:
    """Return classes as an error lists them, cut if there are many.

    >>> class_names("ab"), class_names(range(100))
    ('a, b', '0, 1, 2, 3, 4, 5 and 94 more')
    """
    every = list(nodes)
    text = ", ".join(map(shown, every[:_MOST_LISTED]))
    return text if len(every) <= _MOST_LISTED else f"{text} and {len(every) - _MOST_LISTED} more"
