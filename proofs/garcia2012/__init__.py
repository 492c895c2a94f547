"""The claims of García, Sánchez & Mollineda (2012), judged one by one, in the paper's order.

Run it: ``python proofs/garcia2012``.  It prints every claim with its ruling and exits with 1 if one comes out
otherwise than recorded here.

V. García, J. S. Sánchez, R. A. Mollineda: On the suitability of numerical performance measures for class imbalance
problems. ICPRAM 2012, pages 310-313.

What rests on random tuples (section 3.1) is judged by seeded ones, under three readings of how the paper makes its
probabilities, which it does not say: a conclusion holds if it does under all of them, and stays open otherwise.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Final

from symmetrics.papers.claims import CONSTANT, NO_SENTENCE, Outcome, Trial

from . import adjusted, corrected, rates, section_3, weighted

OPEN: Final = (
    "accuracy_against_tpr",
    "optimized_precision_follows_tnr",
    "kappa_follows_tnr",
    "agm_follows_tnr",
    "f1_follows_tnr",
    "cwa_against_tnr",
    "cwa_every_w",
    "of_the_suitable",
)
"""The conclusions of sections 3.1 and 4 that depend on how the true probabilities lie."""
RECORDED: Final[Mapping[str, Outcome]] = {
    "garcia2012.precision_in_words": "holds only as",
    "garcia2012.f_beta_separately": "holds only as",
    "garcia2012.wauc_bottom": "holds only as",
    "garcia2012.equation_1_share": "refuted",
    "garcia2012.equation_1_areas": "holds only as",
    "garcia2012.equation_1_moves_weight": "holds only as",
    "garcia2012.equation_1_rho_one": "holds only as",
    "garcia2012.equation_1_rho_zero": "refuted",
    "garcia2012.agm_prefers_tnr": "holds only as",
    **{f"garcia2012.correlation_{name}": "open" for name in OPEN},
}
"""What does not hold, or not as it is printed."""
UNCOUNTED: Final[Mapping[str, str]] = {
    "*_is_a_share": "that a share lies between 0 and 1 follows from its definition",
    "f_beta_unit": NO_SENTENCE,
    "cwa_unit": NO_SENTENCE,
    "agm_unit": NO_SENTENCE,
    "equation_1_share": "the misprint of equation_1_rho_zero once more",
    "p1_hides_skew": "follows from insensitive_to_p1",
    "design_tuples": CONSTANT,
    "design_levels": CONSTANT,
    "design_measures": CONSTANT,
    "f1": "the same as f1_is_beta_one",
    "f1_ignores_tn": "repeats a cell of table 2",
    "f1_detects_p1": "repeats a cell of table 2",
    "gmean_ignores_dominance": "repeats a cell of table 2",
    "auc_single_ignores_dominance": "repeats a cell of table 2",
}
"""What is judged and not counted."""
ANEW: Final[Mapping[str, str]] = {
    "agm_prefers_tnr": "holds",
    "equation_1_moves_weight": "refuted",
    "equation_1_rho_one": "refuted",
}
"""What was ruled otherwise before."""
PAPER: Final = "garcia2012"
TITLE: Final = (
    "García, Sánchez & Mollineda (2012), On the suitability of numerical performance measures for class "
    "imbalance problems"
)
PARTS: Final = (rates, corrected, weighted, adjusted, section_3)
"""The modules with the claims, in the order of the paper."""


def trial() -> Trial:
    """Return all claims, in the paper's order."""
    claims = itertools.chain.from_iterable(part.claims() for part in PARTS)
    return Trial(PAPER, TITLE, tuple(claims), UNCOUNTED, ANEW, RECORDED)
