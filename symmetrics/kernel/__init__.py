"""Verdicts for another judge: lemmas that the kernel of the Rocq prover accepts or rejects."""
