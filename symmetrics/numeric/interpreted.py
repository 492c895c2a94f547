"""Programs run operation by operation on whole arrays: of any floating-point type, of any library, or with errors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from symmetrics.numeric.operations import OPERATIONS
from symmetrics.numeric.program import Program
from symmetrics.numeric.rounding_rules import DIGITS, UNIT, Array, Bounded, number_value


def interpreted(
    program: Program, places: Iterable[int], cells: Sequence[NDArray[np.float64]], kind: Any
) -> dict[int, Any]:
    """Return the values of some operations at arrays of cells, in a type of NumPy's.

    >>> program = Program()
    >>> total = program.add("add", program.add("cell", 0), program.add("cell", 1))
    >>> interpreted(program, [total], np.ones((4, 2)), np.longdouble)[total].tolist() == [2, 2]
    True
    """
    size = cells[0].size

    def number(value: Any) -> Any:
        return np.full(size, _number(value, kind), dtype=kind)

    return computed(
        program, list(places), [cell.astype(kind) for cell in cells], number, lambda name: OPERATIONS[name].function
    )


def computed(
    program: Program,
    wanted: Sequence[int],
    cells: Sequence[Any],
    number: Callable[[Any], Any],
    function: Callable[[str], Callable[..., Any]],
) -> dict[int, Any]:
    """Return the values of the operations that are wanted, and keep none of the others longer than needed.

    :param number: returns what stands for an exact number
    :param function: returns the function of arrays that an operation is, by its name
    """
    order = program.needed(wanted)
    uses = Counter([*wanted, *(part for place in order for part in program.arguments(place))])
    results: dict[int, Any] = {}
    for place in order:
        name, parts, rest = program.parts(place)
        if not parts:
            results[place] = cells[rest[0]] if name == "cell" else number(rest[0])
            continue
        results[place] = function(name)(*(results[part] for part in parts), *map(number, rest))
        for part in parts:
            uses[part] -= 1
            if not uses[part]:
                del results[part]
    return results


def _number(value: Any, kind: Any) -> Any:
    """Return the nearest number of a type to an exact one."""
    if hasattr(value, "evalf"):
        return kind(str(value.evalf(30)))
    return kind(str(value.numerator)) / kind(str(value.denominator))


def with_errors(
    program: Program, output: int, cells: Sequence[Array], *, are_exact_sums_known: bool = True
) -> tuple[Array, Array]:
    """Return values of an operation in float64 with bounds of their absolute errors (running error analysis).

    Cells are exact.  Each operation adds the error that its arguments make in it, by the rule of its record, and its
    own rounding (Wilkinson 1986).  Where something is divided by an exact zero, both are nan.

    :param are_exact_sums_known: whether sums and products of whole numbers below 2**53 count as exact, as they are

    >>> program = Program()
    >>> third = program.add("divide", program.add("number", Fraction(1)), program.add("cell", 0))
    >>> value, error = with_errors(program, third, [np.array([3.0])])
    >>> bool(0 < error[0] < 1e-16)
    True
    """
    found: dict[int, Bounded] = {}
    for place in program.needed([output]):
        name, arguments, rest = program.parts(place)
        if name == "cell":
            found[place] = cells[rest[0]], np.zeros_like(cells[0])
        elif name == "number":
            nearest = number_value(rest[0])
            is_exact = are_exact_sums_known and rest[0] == Fraction(nearest)
            value = np.full_like(cells[0], nearest)
            found[place] = value, np.zeros_like(value) if is_exact else UNIT * np.abs(value)
        else:
            operation = OPERATIONS[name]
            parts = [found[part] for part in arguments]
            extra = [float(number) for number in rest]
            value = parts[0][0] ** extra[0] if extra else operation.function(*(number for number, _ in parts))
            if name == "divide":  # by an exact zero: who takes the value looks at its divisors before
                value = np.where((parts[1][0] == 0) & (parts[1][1] == 0), np.nan, value)
            own = operation.rounding * UNIT * np.abs(value)
            if are_exact_sums_known and operation.rounding and operation.width is not None:
                own = np.where(_are_whole(value, parts), 0.0, own)
            found[place] = value, operation.error(value, *parts, *extra) + own
    return found[output]


def _are_whole(value: Array, parts: Sequence[Bounded]) -> NDArray[np.bool_]:
    """Return where exact whole numbers make one of at most 53 digits."""
    exact = np.abs(value) < 2.0**DIGITS
    for number, error in parts:
        exact &= (error == 0) & (number == np.floor(number))
    return np.asarray(exact)
