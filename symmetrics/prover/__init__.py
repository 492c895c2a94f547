"""Deciding claims.

``decide`` is the one entry; ``identities`` turns a claim into an element of the exact algebra, ``conditions`` solves
for the parameters, ``witnesses`` searches for the smallest counterexample.
"""

from symmetrics.prover.decide import decide

__all__ = ["decide"]
