"""Ranges: whether the values of a formula are bounded.

The value of a verdict is the range.
"""

from __future__ import annotations

from symmetrics.claims.one_formula import OneFormula


class Bounded(OneFormula):
    """M has a finite infimum and a finite supremum over all positive cells at which it has a value."""

    kind = "bounded"
