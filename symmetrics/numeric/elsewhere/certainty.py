"""Tests and values that rounding cannot have made: where it could, only what is larger than the error counts.

The sign of a polynomial in whole counts is right, for nothing is rounded there; and so is that of products, quotients,
roots and extremes of what has the right sign.  Where terms cancel that are none of whole counts, such as x + Abs(x) at
a negative x, the rest may be rounding alone, and twice as large at the next table.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from typing import Final

from symmetrics.numeric.elsewhere.folding import Folder, Requirement
from symmetrics.numeric.elsewhere.forms import TOLERANCE, loses_digits
from symmetrics.numeric.operations import OPERATIONS
from symmetrics.numeric.precision import Precision

__all__ = ["certain", "precise"]

_POLYNOMIALS: Final = frozenset({"cell", "number", "add", "subtract", "multiply", "negative", "product_difference"})
_UNIT: Final = Fraction(1, 2**53)


def certain(folder: Folder, requirements: Iterable[Requirement]) -> tuple[Requirement, ...] | None:
    """Return tests of which none is passed by rounding alone; None if there is no such test.

    What is required to be non-negative stays: so is what a root is taken of, which rounding may make negative.

    >>> from symmetrics.language.cells import FN, TP
    >>> from sympy import Abs
    >>> from symmetrics.numeric.program import Program, compiled_trees
    >>> from symmetrics.numeric.terms import tree_of
    >>> folder = Folder(has_real_roots=True)
    >>> (place,) = compiled_trees(folder.program, [tree_of(Abs(TP - FN) + TP - FN)])
    >>> (test,) = certain(folder, [Requirement("nonzero", place)])
    >>> test.kind, test.place == place
    ('positive', False)
    """
    found = [_certain(folder, requirement) for requirement in dict.fromkeys(requirements)]
    kept = tuple(requirement for requirement in found if requirement is not None)
    return kept if len(kept) == len(found) else None


def precise(folder: Folder, place: int) -> tuple[Requirement, ...] | None:
    """Return what has to hold for a value to have its digits: nothing if it always has; None if there is no such test.

    >>> from symmetrics.language.cells import FN, TP
    >>> from sympy import sqrt
    >>> from symmetrics.numeric.program import Program, compiled_trees
    >>> from symmetrics.numeric.terms import tree_of
    >>> folder = Folder(has_real_roots=True)
    >>> trees = [tree_of(formula) for formula in (sqrt(TP * FN), sqrt(TP * FN) - TP)]
    >>> [len(precise(folder, place)) for place in compiled_trees(folder.program, trees)]
    [0, 1]
    """
    program = folder.program
    if not loses_digits(program, place):
        return ()
    error = _error(folder, place)
    if error is None:
        return None
    scale = program.add("maximum", program.add("number", Fraction(1)), program.add("abs", place))
    most = program.add("multiply", scale, program.add("number", Fraction(TOLERANCE)))
    return (Requirement("nonnegative", program.add("subtract", most, error)),)


def _certain(folder: Folder, requirement: Requirement) -> Requirement | None:
    kind, place = requirement
    if kind == "nonnegative" or _has_right_sign(folder, place):
        return requirement
    error = None if kind == "zero" else _error(folder, place)
    if error is None:
        return None
    size = folder.program.add("abs", place) if kind == "nonzero" else place
    return Requirement("positive", folder.program.add("subtract", size, error))


def _has_right_sign(folder: Folder, place: int) -> bool:
    program, signs = folder.program, folder.signs
    if all(program.operations[part][0] in _POLYNOMIALS for part in program.needed([place])):
        return True
    name, *_ = program.operations[place]
    parts = program.arguments(place)
    if name == "log_ratio":
        return _has_right_sign(folder, parts[2])
    if name in ("add", "subtract"):
        turned = 1 if name == "add" else -1
        both = signs.of(parts[0]) | {turned * sign for sign in signs.of(parts[1])}
        if {-1, 1} <= both:
            return False
    return name != "log" and all(_has_right_sign(folder, part) for part in parts)


def _error(folder: Folder, place: int) -> int | None:
    """Return the place of a bound on the error of an operation; None if there is none without further conditions."""
    program = folder.program
    if any(_is_unbounded(program.operations[part][0]) for part in program.needed([place])):
        return None
    precision = Precision(program, place)
    bound = precision.companion(place)
    if precision.guards:
        return None
    return program.add("multiply", bound.place, program.add("number", math.ceil(bound.factor) * _UNIT))


def _is_unbounded(name: str) -> bool:
    """Whether there is no bound of the errors of an operation that a program could compute along."""
    return name in OPERATIONS and OPERATIONS[name].companion is None
