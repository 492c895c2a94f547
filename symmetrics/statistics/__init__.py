"""Samples and what they tell: comparisons, sample sizes, folds, data sets; no interval is computed here.

Intervals of one table stand in :mod:`symmetrics.numeric.intervals`.
"""
