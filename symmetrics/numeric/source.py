"""Programs as Python source, one assignment per operation, for evaluation of one table at a time."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from typing import Any, Final, NamedTuple

from symmetrics.data import EXACT
from symmetrics.numeric.operations import OPERATIONS, Operation
from symmetrics.numeric.plans import ROUNDING, Bounds, Computable, Output, Plan, plan_of
from symmetrics.numeric.precision import GUARD
from symmetrics.numeric.program import Program
from symmetrics.numeric.rounding_rules import UNIT, number_value

LETTERS: Final = ("tp", "fn", "fp", "tn")


def home(program: Program, place: int) -> str:
    """Return the variable (or literal) of an operation in the source."""
    name, *arguments = program.operations[place]
    if name == "cell":
        return LETTERS[arguments[0]]
    return f"({number_value(arguments[0])!r})" if name == "number" else f"t{place}"


def assignments(program: Program, places: Iterable[int]) -> list[str]:
    """Return assignments that compute some operations.

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


# ----------------------------------------------------------------------------------------------------------------------
# The check of trust as Python source: whether a value is certain, and whether rounding puts it outside its range.

# Compiled loops and functions of one table contain these conditions, and :mod:`symmetrics.numeric.trust` evaluates
# them on arrays. A value is certain if it is finite, its error bound is small and so is each condition number
# (guard); or if all cells are integers so small that no operation that cancels is rounded.


class Names(NamedTuple):
    """Variable names of an output's value, error bound and guards in generated source."""

    value: str
    bound: str
    guards: tuple[str, ...]


def names_in(program: Program, output: Output) -> Names:
    """Variable names of an output in the generated source."""
    bound = "" if output.companion is None else home(program, output.companion.place)
    return Names(home(program, output.place), bound, tuple(home(program, guard.place) for guard in output.guards))


def finite(names: Names) -> str:
    """Return the condition that a value is finite."""
    return f"(abs({names.value}) < inf)"


def bounded(output: Output, names: Names, unit: float = UNIT) -> list[str]:
    """Return the conditions that the error of a value is small, absolute below 1 and relative above.

    They hold for cells in the range of the plan; there are none for an output whose errors are always small.

    :param unit: the largest relative error of one rounding
    """
    if output.companion is None:
        return []
    most, largest = repr(output.largest_companion(unit)), repr(GUARD * UNIT / unit)
    error = f"(({names.bound} <= {most}) | ({names.bound} <= {most} * abs({names.value})))"
    return [error, *(f"({guard} <= {largest})" for guard in names.guards)]


def certain(output: Output, names: Names, unit: float = UNIT, *, at_whole_counts: bool = True) -> str:
    """Return the condition that a value is certainly accurate, given cells in the range of the plan.

    :param at_whole_counts: whether cells are counts, at which more is certain if they are whole
    """
    small = " & ".join(bounded(output, names, unit))
    if output.whole is None or not at_whole_counts:
        return f"{finite(names)} & {small}" if small else finite(names)
    whole = [f"({name} <= {output.whole!r}) & ({name} == floor({name}))" for name in LETTERS]
    exact = " & ".join([*whole, *(f"({guard} < inf)" for guard in names.guards)])
    found = f"({finite(names)} & (({small}) | ({exact})))"
    if output.has_exact_poles:
        positive = [f"({name} > 0)" for name in LETTERS]
        found += f" | ({' & '.join([f'(abs({names.value}) == inf)', *whole, *positive])})"
    return found


def missed_ends(lower: float | None, upper: float | None, value: str) -> list[tuple[float, str]]:
    """Return each end of a range, with the condition that rounding puts a value beyond it.

    >>> missed_ends(0.0, None, "v")
    [(0.0, '(v < 0.0) & (v >= -1e-12)')]
    """
    ends = [] if lower is None else [(lower, f"({value} < {lower!r}) & ({value} >= {lower - ROUNDING!r})")]
    return ends if upper is None else [*ends, (upper, f"({value} > {upper!r}) & ({value} <= {upper + ROUNDING!r})")]


# -- One table at a time, without arrays: for loops over a few counts --------------------------------------------------


Function = Callable[[Any, Any, Any, Any], float | None]
"""From four numbers, ints or floats, to a value or None."""


@lru_cache(maxsize=512)
def scalar_function(expression: Computable, bounds: Bounds | None = None) -> Function:
    """Compile a formula to a function of four Python numbers that returns a value, or None if it is not certain.

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
    )  # most formulas need no functions
    scope: dict[str, Any] = {"sqrt": math.sqrt, **(_of_arrays() if loads_arrays else {})}
    exec(compile(source, "<scalar>", "exec"), scope)  # generated source, never user input
    function: Function = scope["value"]
    return function


@cache
def _of_arrays() -> dict[str, Callable[..., float]]:
    """Return NumPy's logarithm and power functions: Python's differ in the last digit."""
    called = {name: operation for name, operation in OPERATIONS.items() if operation.source.startswith(f"{name}(")}
    return {name: _for_one(operation) for name, operation in called.items()} | {"sqrt": math.sqrt, "abs": abs}


def _for_one(operation: Operation) -> Callable[..., float]:
    """Wrap the array function of an operation for a single argument; rejects arguments without a finite value."""

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
    lines += [f"    {name} += 0.0" for name in LETTERS]  # to float: arrays do not multiply integers exactly
    lines += ["    try:", *(f"        {line}" for line in assignments(program, output.places)), "        pass"]
    lines += ["    except (ZeroDivisionError, ValueError, OverflowError): return None"]
    lines += [f"    if not ({condition}): return None" for condition in bounded(output, names_in(program, output))]
    lines += [f"    result = {home(program, output.place)} + 0.0"]
    lines += [f"    if {missed}: return {end!r}" for end, missed in missed_ends(output.lower, output.upper, "result")]
    return "\n".join([*lines, "    return result"])
