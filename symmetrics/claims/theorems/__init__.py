"""Theorems about all metrics: what they say and how they are shown, as data, with no judgement in it."""
