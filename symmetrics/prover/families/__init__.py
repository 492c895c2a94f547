"""One module for each family of claims: proved, refuted, conditional on the parameters, or open.

Each has the name under which its family is registered in :mod:`symmetrics.claims.families`.
"""
