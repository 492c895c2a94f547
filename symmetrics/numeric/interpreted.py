"""Programs run operation by operation on whole arrays, of any floating-point type and any library of arrays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from symmetrics.numeric.program import Program

__all__ = ["computed", "interpreted"]

_UFUNCS: Final[dict[str, Any]] = {
    **{name: getattr(np, name) for name in ("add", "subtract", "multiply", "divide", "sqrt", "log", "negative")},
    **{name: getattr(np, name) for name in ("minimum", "maximum", "sign")},
    "abs": np.absolute,
    "power": np.power,
}


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

    return computed(program, list(places), [cell.astype(kind) for cell in cells], number, _UFUNCS.__getitem__)


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
        name: str = program.operations[place][0]
        arguments = program.operations[place][1:]
        if name in ("cell", "number"):
            results[place] = cells[arguments[0]] if name == "cell" else number(arguments[0])
            continue
        parts = program.arguments(place)
        exponent = (number(arguments[1]),) if name == "power" else ()
        results[place] = function(name)(*(results[part] for part in parts), *exponent)
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
