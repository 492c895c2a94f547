"""What a metric asks of predictions: the scores of random guessing, and the best rules; no metric is defined here."""

from __future__ import annotations

from symmetrics.decisions.baseline import Baseline, Guess
from symmetrics.decisions.rule import DecisionRule

__all__ = ["Baseline", "DecisionRule", "Guess"]
