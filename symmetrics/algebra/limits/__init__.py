"""Gradient and continuous extension of a formula to tables with zeros; no verdict
rests on it alone.
"""

from symmetrics.algebra.derivative import gradient
from symmetrics.algebra.limits.extension import Extension

__all__ = ["Extension", "gradient"]
