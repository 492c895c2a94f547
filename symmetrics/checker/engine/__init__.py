"""The checker's own arithmetic: fractions, series, signs and intervals, independent of the prover's."""
