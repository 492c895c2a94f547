"""The checker's own arithmetic: fractions, series, signs, intervals."""
