"""Words that depend on a number."""

from __future__ import annotations

__all__ = ["number_of"]


def number_of(number: float, noun: str, form: str = "") -> str:
    """Return a number of things in words, in the singular for one.

    :param number: how many
    :param noun: what one of them is called
    :param form: how the number is written, as in a format string

    >>> number_of(1, "verdict"), number_of(2, "class"), number_of(0, "property"), number_of(1940, "example", ",")
    ('1 verdict', '2 classes', '0 properties', '1,940 examples')
    """
    return f"{number:{form}} {noun if number == 1 else _plural(noun)}"


def _plural(noun: str) -> str:
    if noun.endswith("y") and noun[-2] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun[:-2]}ices" if noun.endswith("matrix") else f"{noun}{'es' if noun.endswith('s') else 's'}"
