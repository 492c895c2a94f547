"""Conditions on parameters and values that depend on them, read by other code than wrote them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from fuzz_formulas import Value, difference, sign_of, value_of

ACCEPTED = {"<=": (-1, 0), ">=": (0, 1), "!=": (-1, 1, None), "<": (-1,), ">": (1,), "=": (0,)}
OPENING, CLOSING = "([{", ")]}"


def holds(condition: str, values: Mapping[str, Fraction]) -> bool:
    """Whether a condition holds, such as ``0 <= a <= 1/3 or (b != 1 and a = b)``; its sides are formulas.

    :raises ValueError: if it is no condition
    """
    text = condition.strip()
    for joiner, combine in ((" or ", any), (" and ", all), (", ", all)):
        parts = split(text, joiner)
        if len(parts) > 1:
            return combine([holds(part, values) for part in parts])
    if text.startswith("(") and (" and " in text or " or " in text):
        return holds(text[1:-1], values)
    sides = re.split(r"(<=|>=|!=|<|>|=)", text)
    if len(sides) > 1:
        numbers = [_number(side, values) for side in sides[::2]]
        if None in numbers:
            return False
        pairs = zip(numbers, sides[1::2], numbers[1:], strict=False)
        return all(sign_of(difference(left, right)) in ACCEPTED[sign] for left, sign, right in pairs)
    if text not in ("always", "never"):
        raise ValueError(f"{text!r} is no condition")
    return text == "always"


def _number(side: str, values: Mapping[str, Fraction]) -> Value:
    try:
        return value_of(side.strip(), values)
    except (SyntaxError, KeyError, TypeError):
        raise ValueError(f"{side!r} cannot be read") from None


@dataclass(frozen=True)
class Said:
    """What a verdict says, and the property's statement."""

    key: str
    status: str
    condition: str | None = None
    witness: Mapping[str, Any] | None = None
    value: str | None = None
    statement: str = ""

    def at(self, parameters: Mapping[str, Fraction]) -> bool:
        """Whether the property is said to hold at some parameters."""
        return self.status == "proved" or (self.condition is not None and holds(self.condition, parameters))


def numbers_in(text: str) -> set[Fraction]:
    """Return the numbers that a parameter is compared with, such as 1/2 in ``w = 1/2``."""
    return {Fraction(number) for number in re.findall(r"[<>=] *(-?\d+(?:/\d+)?)", text)}


def cases_at(value: str, values: Mapping[str, Fraction]) -> list[str]:
    """Return what a value with cases, such as ``{0}; span{...} if w = 0``, is said to be at some parameters.

    A case with a condition comes before one without, which holds only elsewhere.

    :raises ValueError: if a condition cannot be read
    """
    listed = list(cases(value))
    special = [text for text, condition in listed if condition is not None and holds(condition, values)]
    return special or [text for text, condition in listed if condition is None][:1]


def case_at(value: str, values: Mapping[str, Fraction]) -> str | None:
    """Return the first of what a value is said to be at some parameters, or None if nothing is said there."""
    return next(iter(cases_at(value, values)), None)


def cases(value: str) -> Iterator[tuple[str, str | None]]:
    """Yield the cases of a value, each with its condition or None: ``X if C``, ``at C: X``, ``X otherwise``."""
    for part in split(value, "; "):
        if (before := re.fullmatch(r"(?:at|if|for|where|when) ([^:]+): (.+)", part)) is not None:
            yield before[2], before[1]
        elif (after := re.fullmatch(r"(.+?) (?:if|for|where|when|at(?= \w)) (.*[<>=].*)", part)) is not None:
            yield after[1], after[2]
        else:
            yield re.sub(r"^otherwise:? |,? otherwise$", "", part), None


def split(text: str, joiner: str) -> list[str]:
    """Return the pieces of a text between joiners that stand outside all brackets."""
    parts, depth, start = [], 0, 0
    for place, character in enumerate(text):
        depth += (character in OPENING) - (character in CLOSING)
        if depth <= 0 and text.startswith(joiner, place):
            parts.append(text[start:place])
            start = place + len(joiner)
    return [*parts, text[start:]]
