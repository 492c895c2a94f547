"""Verify theorems about all metrics, independently of the code that found them."""
