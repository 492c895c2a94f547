"""Programs as source: one assignment an operation, for whoever runs them a table at a time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from symmetrics.numeric.plans import Output, Plan
from symmetrics.numeric.precision import GUARD, number_value
from symmetrics.numeric.program import Program

__all__ = ["LETTERS", "assignments", "home", "trusted"]

LETTERS: Final = ("tp", "fn", "fp", "tn")
_INFIX: Final[Mapping[str, str]] = {
    "add": "{} + {}",
    "subtract": "{} - {}",
    "multiply": "{} * {}",
    "divide": "{} / {}",
    "negative": "-{}",
    "sqrt": "sqrt({})",
    "log": "log({})",
    "abs": "abs({})",
    "sign": "1.0 if {0} > 0 else (-1.0 if {0} < 0 else 0.0 * {0})",  # nan if it is
    "minimum": "{0} if ({0} < {1}) | ({0} != {0}) else {1}",  # nan if either is
    "maximum": "{0} if ({0} > {1}) | ({0} != {0}) else {1}",
}


def home(program: Program, place: int) -> str:
    """Return what stands for the value of an operation in the source."""
    name, *arguments = program.operations[place]
    if name == "cell":
        return LETTERS[arguments[0]]
    return f"({number_value(arguments[0])!r})" if name == "number" else f"t{place}"


def assignments(program: Program, places: Iterable[int]) -> list[str]:
    """Return the lines that compute some operations.

    >>> program = Program()
    >>> assignments(program, [program.add("sqrt", program.add("cell", 0))])
    ['t1 = sqrt(tp)']
    """
    lines = []
    for place in program.needed(places):
        name, *arguments = program.operations[place]
        if name in ("cell", "number"):
            continue
        parts = [home(program, part) for part in program.arguments(place)]
        if name == "power":
            lines.append(f"t{place} = power({parts[0]}, {float(arguments[1])!r})")
        else:
            lines.append(f"t{place} = {_INFIX[name].format(*parts)}")
    return lines


def trusted(plan: Plan, output: Output) -> list[str]:
    """Return the conditions under which a value is certain to be right, the cells being in the range of the plan."""
    value = home(plan.program, output.place)
    checks = []
    if output.companion is not None:
        bound, most = home(plan.program, output.companion.place), repr(output.largest_companion)
        checks.append(f"(({bound} <= {most}) | ({bound} <= {most} * abs({value})))")
    return checks + [f"({home(plan.program, guard.place)} <= {GUARD!r})" for guard in output.guards]
