"""The check of trust as Python source: whether a value is certain, and whether it misses an end of its range.

Compiled loops and functions of one table contain these conditions, and :mod:`symmetrics.numeric.trust` evaluates them
on arrays.  A value is certain if it is finite, its error bound is small and so is each condition number (guard); or if
all cells are whole numbers so small that no rounding touches what cancels.
"""

from __future__ import annotations

from typing import NamedTuple

from symmetrics.numeric.expressions import LETTERS, home
from symmetrics.numeric.plans import ROUNDING, Output
from symmetrics.numeric.precision import GUARD
from symmetrics.numeric.program import Program
from symmetrics.numeric.rounding_rules import UNIT


class Names(NamedTuple):
    """What stands for the value of an output, the bound of its error and the guards in source code."""

    value: str
    bound: str
    guards: tuple[str, ...]


def names_in(program: Program, output: Output) -> Names:
    """Return the names that the source of a program has for an output."""
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
    """Return the condition that a value is certain to be right, the cells being in the range of the plan.

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
    """Return each end of a range, with the condition that a value misses it by rounding alone.

    >>> missed_ends(0.0, None, "v")
    [(0.0, '(v < 0.0) & (v >= -1e-12)')]
    """
    ends = [] if lower is None else [(lower, f"({value} < {lower!r}) & ({value} >= {lower - ROUNDING!r})")]
    return ends if upper is None else [*ends, (upper, f"({value} > {upper!r}) & ({value} <= {upper + ROUNDING!r})")]
