"""Operations as text: infix, with parentheses where they are needed, and functions by their names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from symmetrics.numeric.precision import Signs
from symmetrics.numeric.program import Program
from symmetrics.numeric.rounding_rules import number_value

__all__ = ["ATOM", "Text", "texts"]

ATOM: Final = 9
"""Binds more strongly than any operator."""
_INFIX: Final = {"add": ("+", 1), "subtract": ("-", 1), "multiply": ("*", 2), "divide": ("/", 2)}
_UNARY: Final = 3


class Text(NamedTuple):
    """An expression as text, and how strongly its outermost operator binds."""

    text: str
    strength: int = ATOM

    def within(self, strength: int) -> str:
        """Return the text as a part of an expression whose operator binds so strongly."""
        return self.text if self.strength >= strength else f"({self.text})"


def texts(
    program: Program, signs: Signs, cells: tuple[str, ...], functions: Mapping[str, str], known: Mapping[int, str]
) -> Callable[[int], Text]:
    """Return a function that writes an operation of a program.

    :param cells: what stands for TP, FN, FP, TN
    :param functions: how ``sqrt``, ``log``, ``abs``, ``power``, ``minimum``, ``maximum`` and ``log_ratio`` are written,
        with ``{0}``, ``{1}`` and ``{2}`` for their arguments
    :param known: names of operations that have one
    """

    def write(place: int) -> Text:
        if place in known:
            return Text(known[place])
        name, *arguments = program.operations[place]
        if name == "cell":
            return Text(cells[arguments[0]])
        if name == "number":
            return _number(number_value(arguments[0]))
        return applied(name, arguments, [write(part) for part in program.arguments(place)])

    def applied(name: str, arguments: list[Any], parts: list[Text]) -> Text:
        if name in _INFIX:
            sign, strength = _INFIX[name]
            return Text(f"{parts[0].within(strength)} {sign} {parts[1].within(strength + 1)}", strength)
        if name == "negative":
            return Text(f"-{parts[0].within(_UNARY + 1)}", _UNARY)
        inside = [part.text for part in parts]
        if name in ("sqrt", "power") and -1 in signs.of(arguments[0]):
            inside[0] = functions["maximum"].format(inside[0], "0.0")  # rounding alone makes it negative
        exponent = [repr(float(arguments[1]))] if name == "power" else []
        return Text(functions[name].format(*inside, *exponent))

    return write


def _number(value: float) -> Text:
    return Text(repr(value), _UNARY if value < 0 else ATOM)
