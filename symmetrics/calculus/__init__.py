"""What can be derived from one formula: its gradient, and its continuous extension to tables with zeros."""

from symmetrics.calculus.extension import Extension
from symmetrics.calculus.gradient import gradient

__all__ = ["Extension", "gradient"]
