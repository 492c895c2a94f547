"""The machinery of trials: how what a paper says, and where, becomes a ruling; no paper's claim stands here.

The papers themselves are the folders in ``proofs/``; here is what they share: how a verdict, a computation or a printed
number becomes a ruling, how the folders are run, and how the rulings are written.  A ruling of ``refuted`` that names
the form that holds needs proofs of that form: without them the claim stays open.
"""

from symmetrics.claims.families.limits import STEP
from symmetrics.papers.claims.rulings import (
    at,
    at_least,
    by_verdicts,
    decided,
    equal,
    has,
    identity,
    inequality,
    lacks,
    tends_to,
    within,
)
from symmetrics.papers.claims.trials import (
    CONSTANT,
    NO_SENTENCE,
    Basis,
    Correction,
    Kind,
    Outcome,
    PaperClaim,
    Ruling,
    Trial,
    by_computation,
    by_number,
    load_trial,
    no_data,
    rounds_from,
    run_alone,
    unreadable,
    with_reading,
)

__all__ = [
    "CONSTANT",
    "NO_SENTENCE",
    "STEP",
    "Basis",
    "Correction",
    "Kind",
    "Outcome",
    "PaperClaim",
    "Ruling",
    "Trial",
    "at",
    "at_least",
    "by_computation",
    "by_number",
    "by_verdicts",
    "decided",
    "equal",
    "has",
    "identity",
    "inequality",
    "lacks",
    "load_trial",
    "no_data",
    "rounds_from",
    "run_alone",
    "tends_to",
    "unreadable",
    "with_reading",
    "within",
]
