"""Equations between values of a formula at several tables."""

from __future__ import annotations

from symmetrics.claims.comparison import Comparison


class Identity(Comparison):
    """A relation that is zero: ``relation(M(tables[0]), …) = 0``."""

    kind = "identity"
    sign = "="
