"""Exact arithmetic with formulas: polynomials with roots and logarithms, derivatives, limits; no claim is known here.

``field`` holds the arithmetic, ``convert`` reads expressions into it and writes elements out, ``evaluate`` computes
values at single tables in rationals and certified intervals.
"""

from symmetrics.algebra.convert import convert, element_expression
from symmetrics.algebra.evaluate import Evaluator
from symmetrics.algebra.field import Element, Field

__all__ = ["Element", "Evaluator", "Field", "convert", "element_expression"]
