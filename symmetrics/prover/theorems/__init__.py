"""Theorems about all metrics decided: a proof is found, or nothing is."""
