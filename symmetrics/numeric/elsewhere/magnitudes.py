"""How large and how small the cells may be for plain double precision, in which products overflow and underflow."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Final

from symmetrics.numeric.precision import Magnitudes
from symmetrics.numeric.program import Program
from symmetrics.numeric.rounding_rules import DIGITS
from symmetrics.tools.errors import UnsupportedError

__all__ = ["limits_of"]

_POWERS: Final = (998, 480, 240, 200, 160, 120, 100, 80, 60, 40)
"""Powers of two between which the cells are, tried one after the other."""
_LARGEST: Final = 1020.0
_SMALLEST: Final = -1020.0
_NEVER_SMALL: Final = frozenset({"cell", "number", "add", "subtract", "negative", "abs", "minimum", "maximum"})


def limits_of(program: Program, required: Iterable[int], values: Iterable[int]) -> tuple[float, float]:
    """Return the smallest and the largest cell for which nothing overflows or underflows but values at the very end.

    Sums and differences underflow never; nothing else being computed, the smallest cell is 0.

    :raises UnsupportedError: if common tables overflow

    >>> program = Program()
    >>> tp, fn = program.add("cell", 0), program.add("cell", 1)
    >>> limits_of(program, [], [program.add("divide", tp, program.add("add", tp, fn))])
    (0.0, 1e+300)
    >>> limits_of(program, [], [program.add("sqrt", program.add("multiply", tp, fn))])
    (1e-144, 1e+144)
    """
    wanted = list(values)
    last = {place for place in wanted if program.operations[place][0] == "divide"}
    inside = [part for place in wanted for part in (program.arguments(place) if place in last else [place])]
    needed = program.needed([*required, *inside])
    power = next((k for k in _POWERS if _fits(program, needed, k)), None)
    if power is None:
        raise UnsupportedError("the values of this formula overflow or underflow in double precision at common tables")
    digits = math.floor(power * math.log10(2))
    is_exact = all(program.operations[place][0] in _NEVER_SMALL for place in needed)
    return 0.0 if is_exact else float(f"1e-{digits}"), float(f"1e{digits}")


def _fits(program: Program, needed: list[int], k: int) -> bool:
    magnitudes = Magnitudes(program, k, unknown=-float(DIGITS))
    magnitudes.kept_in_sums = float(DIGITS)  # in the forms that are written, what cancels is a difference
    return all((low or 0.0) >= _SMALLEST and high <= _LARGEST for low, high in map(magnitudes.of, needed))
