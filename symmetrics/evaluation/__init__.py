"""Classifiers compared and studies planned: tests, sample sizes, folds, data sets; no interval is computed here.

Intervals of one table stand in :mod:`symmetrics.statistics`.
"""
