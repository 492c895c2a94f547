"""What a metric asks of predictions: the scores of random guessing, and the best rules; no metric is defined here."""

from __future__ import annotations

from symmetrics.decisions.baseline import Baseline, Guess

__all__ = ["Baseline", "Guess"]
