"""Numbers from formulas: counts from labels, vectorised values, averages over classes; no metric is a special case
here.
"""
