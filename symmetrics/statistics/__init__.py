"""Confidence and credible intervals, and tests, for any formula; no metric is a special case here."""
