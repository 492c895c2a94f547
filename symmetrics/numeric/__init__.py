"""Numbers from formulas: counts from labels, vectorised values, averages over classes."""
