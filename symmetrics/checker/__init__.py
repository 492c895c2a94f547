"""Evidence verified by other code: what proves, refutes or restricts a claim is recomputed; nothing of the prover or of
its algebra is imported here.

Polynomial arithmetic is SymPy's, not FLINT's; nothing is factored, no root is simplified: the evidence says what every
root is, and multiplication shows whether that is so.
"""

from symmetrics.checker.verify import check

__all__ = ["check"]
