"""Tests of one's own metrics: random tables, matrices, labels, orders and formulas, and a cross-check in one line; no
answer is found here.

>>> from symmetrics import Metric
>>> from symmetrics.testing import assert_metric
>>> mine = Metric("mine", "TP/(TP + 7*FN/10 + 3*FP/10)")
>>> assert_metric(mine, claims={"p2": True, "range": (0, 1)}, properties=["p1"], examples=20)  # doctest: +ELLIPSIS
mine: no disagreement at ... tables; properties: 1 refuted; undefined where TP = FN = FP = 0 (no limit)...
"""

try:
    import hypothesis  # noqa: F401
except ImportError:
    raise ImportError("symmetrics.testing needs Hypothesis, which is missing; pip install hypothesis") from None

from symmetrics.testing.cross_check import Checked, assert_metric
from symmetrics.testing.strategies import Labels, formulas, labels, matrices, orders, tables

__all__ = ["Checked", "Labels", "assert_metric", "formulas", "labels", "matrices", "orders", "tables"]
