"""The signs that operations can have at positive cells, told from how they are made."""

from __future__ import annotations

from collections.abc import Iterable

from symmetrics.numeric.precision import number_value
from symmetrics.numeric.program import Program

__all__ = ["Signs"]


class Signs:
    """Which signs an operation can have where all cells that are in it are positive.

    >>> program = Program()
    >>> tp, fn = program.add("cell", 0), program.add("cell", 1)
    >>> signs = Signs(program)
    >>> signs.of(program.add("add", tp, fn)), sorted(signs.of(program.add("subtract", tp, fn)))
    (frozenset({1}), [-1, 0, 1])
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self.known: dict[int, frozenset[int]] = {}

    def of(self, place: int) -> frozenset[int]:
        """Return the signs, as -1, 0 and 1."""
        if place not in self.known:
            self.known[place] = frozenset(self._found(place))
        return self.known[place]

    def is_positive(self, place: int) -> bool:
        """Whether an operation is certain to be positive."""
        return self.of(place) == {1}

    def _found(self, place: int) -> Iterable[int]:
        name, *arguments = self.program.operations[place]
        if name == "cell":
            return {1}
        if name == "number":
            value = number_value(arguments[0])
            return {(value > 0) - (value < 0)}
        parts = [self.of(part) for part in self.program.arguments(place)]
        match name:
            case "add":
                return {sign for a in parts[0] for b in parts[1] for sign in _added(a, b)}
            case "subtract":
                return {sign for a in parts[0] for b in parts[1] for sign in _added(a, -b)}
            case "multiply" if arguments[0] == arguments[1]:
                return {a * a for a in parts[0]}
            case "multiply" | "divide":
                return {a * b for a in parts[0] for b in parts[1]}
            case "negative":
                return {-a for a in parts[0]}
            case "abs":
                return {abs(a) for a in parts[0]}
            case "sqrt" | "power":
                return {max(a, 0) for a in parts[0]}
            case "maximum":
                return {max(a, b) for a in parts[0] for b in parts[1]}
            case "log_ratio":
                return parts[2]
            case "minimum":
                return {min(a, b) for a in parts[0] for b in parts[1]}
        return {-1, 0, 1}


def _added(left: int, right: int) -> set[int]:
    return {-1, 0, 1} if left * right < 0 else {left or right}
