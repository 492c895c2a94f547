"""One module for each family of claims: proved, refuted, conditional on the parameters, or open."""
