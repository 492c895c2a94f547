"""One table at a time, without arrays: for loops over a few counts."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any

from symmetrics.data import EXACT
from symmetrics.numeric.conditions import bounded, missed_ends, names_in
from symmetrics.numeric.expressions import LETTERS, assignments, home
from symmetrics.numeric.operations import OPERATIONS, Operation
from symmetrics.numeric.plans import Bounds, Plan, plan_of
from symmetrics.numeric.programs import Computable

Function = Callable[[Any, Any, Any, Any], float | None]
"""From four numbers, ints or floats, to a value or None."""


@lru_cache(maxsize=512)
def scalar_function(expression: Computable, bounds: Bounds | None = None) -> Function:
    """Return a function of four numbers, of Python's own types, that returns a value or None.

    None says that this is no table for it: a count that is negative, infinite, nan or very large, a value that is a
    limit or infinite, or one that loses digits.

    >>> from symmetrics.language.cells import FN, TP
    >>> recall = scalar_function(TP / (TP + FN))
    >>> recall(3, 1, 0, 0), recall(0, 0, 1, 1), recall(-1, 1, 1, 1)
    (0.75, None, None)
    """
    plan = plan_of(expression)
    if plan is None:
        return lambda tp, fn, fp, tn: None
    source = _source(plan.within([bounds]))
    needed = (plan.program.operations[place][0] for place in plan.program.needed(plan.places))
    loads_arrays = any(
        not OPERATIONS[name].in_loops for name in needed if name in OPERATIONS
    )  # most formulas need none
    scope: dict[str, Any] = {"sqrt": math.sqrt, **(_of_arrays() if loads_arrays else {})}
    exec(compile(source, "<scalar>", "exec"), scope)  # written here, of operations that are listed here
    function: Function = scope["value"]
    return function


@cache
def _of_arrays() -> dict[str, Callable[..., float]]:
    """Return the functions that arrays have: the platform's logarithms and powers differ in the last digit."""
    called = {name: operation for name, operation in OPERATIONS.items() if operation.source.startswith(f"{name}(")}
    return {name: _for_one(operation) for name, operation in called.items()} | {"sqrt": math.sqrt, "abs": abs}


def _for_one(operation: Operation) -> Callable[..., float]:
    """Return the function of arrays of an operation for one argument, refusing those without a finite value."""

    def function(argument: float, *others: float) -> float:
        is_real = argument >= 0 or operation.is_real_below_zero or math.isnan(argument)
        if not is_real or (argument == 0 and operation.is_infinite_at_zero(*others)):
            raise ValueError(f"no finite value at {argument}")
        return float(operation.function(argument, *others))

    return function


def _source(plan: Plan) -> str:
    output, program = plan.outputs[0], plan.program
    high = min(2.0**plan.power, EXACT)
    low = plan.least
    cells = [f"{low!r} <= {name} <= {high!r}" + ("" if low == 0 else f" or {name} == 0") for name in LETTERS]
    lines = ["def value(tp, fn, fp, tn):"]
    lines += [f"    if not ({condition}): return None" for condition in cells]
    lines += [f"    {name} += 0.0" for name in LETTERS]  # whole numbers would be multiplied exactly, unlike in arrays
    lines += ["    try:", *(f"        {line}" for line in assignments(program, output.places)), "        pass"]
    lines += ["    except (ZeroDivisionError, ValueError, OverflowError): return None"]
    lines += [f"    if not ({condition}): return None" for condition in bounded(output, names_in(program, output))]
    lines += [f"    result = {home(program, output.place)} + 0.0"]
    lines += [f"    if {missed}: return {end!r}" for end, missed in missed_ends(output.lower, output.upper, "result")]
    return "\n".join([*lines, "    return result"])
