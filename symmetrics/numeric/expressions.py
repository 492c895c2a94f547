"""Programs as source: one assignment an operation, for whoever runs them a table at a time."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from symmetrics.numeric.operations import OPERATIONS
from symmetrics.numeric.program import Program
from symmetrics.numeric.rounding_rules import number_value

LETTERS: Final = ("tp", "fn", "fp", "tn")


def home(program: Program, place: int) -> str:
    """Return what stands for the value of an operation in the source."""
    name, *arguments = program.operations[place]
    if name == "cell":
        return LETTERS[arguments[0]]
    return f"({number_value(arguments[0])!r})" if name == "number" else f"t{place}"


def assignments(program: Program, places: Iterable[int]) -> list[str]:
    """Return the lines that compute some operations.

    >>> program = Program()
    >>> assignments(program, [program.add("sqrt", program.add("cell", 0))])
    ['t1 = sqrt(tp)']
    """
    lines = []
    for place in program.needed(places):
        name, parts, exponent = program.parts(place)
        if parts:
            texts = [*(home(program, part) for part in parts), *(repr(float(number)) for number in exponent)]
            lines.append(f"t{place} = {OPERATIONS[name].source.format(*texts)}")
    return lines
