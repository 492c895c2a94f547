"""Claims decided, with evidence: proved, refuted, conditional or open; no metric and no property is known by name here.

``decide`` is the one entry; each family of claims has its own module.  ``conditions`` solves for the parameters,
``witnesses`` searches for the smallest counterexample, ``readings`` and ``signs`` prove inequalities.
"""

from symmetrics.prover.decide import decide, decide_or_at_defaults, modules_of
from symmetrics.prover.engine.smt import asking_z3

__all__ = ["asking_z3", "decide", "decide_or_at_defaults", "modules_of"]
