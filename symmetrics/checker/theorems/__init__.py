"""Theorems about all metrics verified, by other code than found them."""
