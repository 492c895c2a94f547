"""Decisions under a metric: thresholds on probabilities, predictions; no interval and no curve is computed here."""
