"""How large and how small the cells may be for plain double precision, in which products overflow and underflow."""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from typing import Any, Final, NamedTuple

from symmetrics.numeric.precision import number_value
from symmetrics.numeric.program import Program
from symmetrics.tools.errors import UnsupportedError

__all__ = ["limits_of"]

_POWERS: Final = (998, 480, 240, 200, 160, 120, 100, 80, 60, 40)
"""Powers of two between which the cells are, tried one after the other."""
_LARGEST: Final = 1020.0
_SMALLEST: Final = -1020.0
_DIGITS: Final = 53.0
"""What is left where two numbers cancel is no smaller than so many bits of them, or zero."""


_NEVER_SMALL: Final = frozenset({"cell", "number", "add", "subtract", "negative", "abs", "minimum", "maximum"})


class _Magnitudes(NamedTuple):
    """Between which powers of two an operation is if it is not zero."""

    low: float
    high: float


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
    found: dict[int, _Magnitudes] = {}
    for place in needed:
        name, *arguments = program.operations[place]
        here = _magnitudes(name, arguments, [found[part] for part in program.arguments(place)], k)
        if here.high > _LARGEST or here.low < _SMALLEST:
            return False
        found[place] = here
    return True


def _magnitudes(name: str, arguments: list[Any], parts: list[_Magnitudes], k: int) -> _Magnitudes:
    match name:
        case "cell":
            return _Magnitudes(-float(k), float(k))
        case "number":
            size = abs(number_value(arguments[0]))
            return _Magnitudes(*(2 * [math.log2(size) if size else 0.0]))
        case "add" | "subtract":
            low = min(part.low for part in parts)
            return _Magnitudes(low - (_DIGITS if name == "subtract" else 0), max(part.high for part in parts) + 1)
        case "multiply":
            return _Magnitudes(parts[0].low + parts[1].low, parts[0].high + parts[1].high)
        case "divide":
            return _Magnitudes(parts[0].low - parts[1].high, parts[0].high - parts[1].low)
        case "log" | "log_ratio":
            return _Magnitudes(-_DIGITS, math.log2(max(8.0, *(abs(end) for part in parts for end in part))) + 1)
        case "sqrt" | "power":
            exponent = Fraction(1, 2) if name == "sqrt" else arguments[1]
            ends = sorted((float(exponent) * parts[0].low, float(exponent) * parts[0].high))
            return _Magnitudes(*ends)
        case "minimum" | "maximum":
            return _Magnitudes(min(part.low for part in parts), max(part.high for part in parts))
    return parts[0]
