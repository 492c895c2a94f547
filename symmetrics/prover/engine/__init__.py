"""What the families of the prover share: samples, signs, conditions on parameters and searches for counterexamples."""
