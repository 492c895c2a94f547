"""Programs run operation by operation on whole arrays, in any floating-point type: for few tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from symmetrics.numeric.program import Program

__all__ = ["interpreted"]

_UFUNCS: Final[dict[str, Any]] = {
    **{name: getattr(np, name) for name in ("add", "subtract", "multiply", "divide", "sqrt", "log", "negative")},
    **{name: getattr(np, name) for name in ("minimum", "maximum", "sign")},
    "abs": np.absolute,
}


def interpreted(
    program: Program, places: Iterable[int], cells: Sequence[NDArray[np.float64]], kind: Any
) -> dict[int, Any]:
    """Return the values of some operations, and of all that they need, at arrays of cells, in a type of NumPy's.

    >>> program = Program()
    >>> total = program.add("add", program.add("cell", 0), program.add("cell", 1))
    >>> interpreted(program, [total], np.ones((4, 2)), np.longdouble)[total].tolist() == [2, 2]
    True
    """
    results: dict[int, Any] = {}
    size = cells[0].size
    for place in program.needed(places):
        name, *arguments = program.operations[place]
        if name == "cell":
            results[place] = cells[arguments[0]].astype(kind)
        elif name == "number":
            results[place] = np.full(size, _number(arguments[0], kind), dtype=kind)
        elif name == "power":
            top, bottom = arguments[1].numerator, arguments[1].denominator
            results[place] = np.power(results[arguments[0]], kind(top) / kind(bottom))
        else:
            results[place] = _UFUNCS[name](*(results[argument] for argument in arguments))
    return results


def _number(value: Any, kind: Any) -> Any:
    """Return the nearest number of a type to an exact one."""
    if hasattr(value, "evalf"):
        return kind(str(value.evalf(30)))
    return kind(str(value.numerator)) / kind(str(value.denominator))
