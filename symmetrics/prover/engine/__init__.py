"""Machinery shared by the prover's families: samples, signs, conditions, counterexample search."""
