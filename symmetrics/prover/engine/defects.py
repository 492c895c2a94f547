"""Known SymPy failures that leave a claim open instead of raising."""

from __future__ import annotations

from typing import Final

from sympy import SympifyError
from sympy.polys.polyerrors import BasePolynomialError

# Exceptions that SymPy and others raise on formulas far from any metric. They leave a verdict open; it is never
# decided by it.
DEFECTS: Final = (
    ArithmeticError,
    AttributeError,
    BasePolynomialError,
    LookupError,
    MemoryError,
    NotImplementedError,
    RecursionError,
    SympifyError,
    TypeError,
    ValueError,
)


def reason_for(error: Exception) -> str:
    """Return why an exception of SymPy, or of Python, leaves a claim open, and advice."""
    if isinstance(error, ZeroDivisionError):
        return "a part of the formula divides by zero where it was looked at; simplify it, or leave that part out"
    if isinstance(error, (OverflowError, MemoryError)) or "integer string conversion" in str(error):
        return "a polynomial or a number in it is too large to be computed with; give it smaller exponents or numbers"
    if isinstance(error, RecursionError):
        return "it is nested too deeply to be taken apart; write it with fewer functions inside of one another"
    return (
        "the algebra cannot take the formula apart, as where a part of it has no real value; "
        "write it without roots and logarithms of what may be negative, or bind its parameters"
    )
