"""Inequalities between values of a formula at several tables."""

from __future__ import annotations

from symmetrics.claims.comparison import Comparison


class Inequality(Comparison):
    """A relation that is nowhere negative: ``relation(M(tables[0]), …) >= 0``."""

    kind = "inequality"
    sign = ">="


class StrictInequality(Comparison):
    """A relation that is positive: ``relation(M(tables[0]), …) > 0``."""

    kind = "strict inequality"
    sign = ">"
