"""The claims of Tan, Steinbach & Kumar (2006), section 5.7, judged one by one, in the text's order.

Run it: ``python proofs/tan2006``.  It prints every claim with its ruling and exits with 1 if one comes out otherwise
than recorded here.

P.-N. Tan, M. Steinbach, V. Kumar: Introduction to Data Mining. Addison-Wesley 2006, pages 296-301.

The text at hand is a scan with misread characters.  A formula of which only a part can be read is not judged.  The
counts of figure 5.42 are those on which all that can be read of it agrees; its classes and scores are not legible.
Figure 5.41 is a drawing without data.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Final

from symmetrics.papers.claims import NO_SENTENCE, Outcome, Trial

from . import f_beta, rates, roc

RECORDED: Final[Mapping[str, Outcome]] = {
    "tan2006.f1_harmonic_formula": "unreadable",
    "tan2006.equation_5_77_first_form": "unreadable",
    "tan2006.equation_5_77_second_form": "refuted",
    "tan2006.weights_recall": "refuted",
    "tan2006.weights_precision": "refuted",
    "tan2006.weights_f_beta": "holds only as",
    "tan2006.precision_and_false_positives": "holds only as",
    "tan2006.rote_positive": "holds only as",
    "tan2006.point_is_a_model": "holds only as",
    "tan2006.figure_5_41_crossing": "open",
    "tan2006.outputs_continuous": "holds only as",
    "tan2006.roc_procedure": "holds only as",
    "tan2006.figure_5_42_thresholds": "holds only as",
    "tan2006.random_fpr_formula": "unreadable",
}
"""What does not hold, or not as it is printed."""
UNCOUNTED: Final[Mapping[str, str]] = {
    "*_is_a_fraction": "that a fraction lies between 0 and 1 follows from its definition",
    "equation_5_77_of_rates": "a reading of the garbled first form",
    "means_in_order": NO_SENTENCE,
    "f1_unit": NO_SENTENCE,
    "f_beta_unit": NO_SENTENCE,
    "equation_5_78_unit": NO_SENTENCE,
}
"""What is judged and not counted."""
ANEW: Final[Mapping[str, str]] = {"weights_f_beta": "holds", "precision_and_false_positives": "holds"}
"""What was ruled otherwise before."""
PAPER: Final = "tan2006"
TITLE: Final = "Tan, Steinbach & Kumar (2006), Introduction to Data Mining, section 5.7: Class imbalance problem"
PARTS: Final = (rates, f_beta, roc)
"""The modules with the claims, in the order of the paper."""


def trial() -> Trial:
    """Return all claims, in the paper's order."""
    claims = itertools.chain.from_iterable(part.claims() for part in PARTS)
    return Trial(PAPER, TITLE, tuple(claims), UNCOUNTED, ANEW, RECORDED)
