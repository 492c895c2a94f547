"""What a user holds: a metric, and what becomes of one in rates, at a prior or with parameters bound; no metric is
listed here.
"""

from __future__ import annotations

from symmetrics.metric.metric import Metric

__all__ = ["Metric"]
