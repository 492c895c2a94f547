"""Lemmas on all metrics, over any ordered field of cells and any set of values: no axioms."""
