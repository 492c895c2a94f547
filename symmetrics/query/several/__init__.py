"""Several classifiers at once: on the same examples, over data sets, and over the folds of cross-validation."""
