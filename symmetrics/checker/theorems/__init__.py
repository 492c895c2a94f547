"""Proofs of theorems about all metrics, followed step by step by other code than found them."""
