"""What can be derived from one formula: its gradient, and its continuous extension to tables with zeros; no verdict
rests on it alone.
"""

from symmetrics.algebra.limits.extension import Extension
from symmetrics.algebra.limits.gradient import gradient

__all__ = ["Extension", "gradient"]
