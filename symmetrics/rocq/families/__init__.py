"""One module for each family of claims: the lemma that says what a verdict says, with its proof script."""
