"""The Metric class, and metrics in rates, at a prior, or with bound parameters; no metric is
listed here.
"""

from __future__ import annotations

from symmetrics.metric.metric import Metric

__all__ = ["Metric"]
