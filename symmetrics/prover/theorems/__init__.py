"""Theorems about all metrics found: what follows from some properties, whatever the metric."""
