"""The claims of Landgrebe, Paclík, Tax, Verzakov & Duin (2005), judged one by one, in the paper's order.

Run it: ``python proofs/landgrebe2005``.  It prints every claim with its ruling and exits with 1 if one comes out
otherwise than recorded here.

T. Landgrebe, P. Paclík, D. M. J. Tax, S. Verzakov, R. P. W. Duin: Cost-based classifier evaluation for imbalanced
problems. Structural, Syntactic, and Statistical Pattern Recognition (SSPR and SPR 2004).

What rests on the artificial data is not judged here: ``symmetrics reproduce landgrebe2005`` computes it again.  What
the printed numbers say of each other is: at a true positive rate of 80 % the false positive rate of a classifier is one
number, so that every POSfrac of it follows from any other by equation (5), also on the mean over folds, because the
equation is linear.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Final

from symmetrics.papers.claims import CONSTANT, Outcome, Trial

from . import figures, ranges, section_2, section_3, section_4, section_5

RECORDED: Final[Mapping[str, Outcome]] = {
    "landgrebe2005.other_costs": "refuted",
    "landgrebe2005.section_3_posfrac_balanced": "refuted",
    "landgrebe2005.section_3_purity_balanced": "refuted",
    "landgrebe2005.section_3_orders_of_magnitude": "holds only as",
    "landgrebe2005.figure_4_linear": "holds only as",
    "landgrebe2005.two_gaussians_no_improvement": "holds only as",
}
"""What does not hold, or not as it is printed."""
UNCOUNTED: Final[Mapping[str, str]] = {
    "*_is_a_fraction": "that a fraction lies between 0 and 1 follows from its definition",
    "section_3_prior_of_figure_1": CONSTANT,
    "section_3_one_in_hundred": CONSTANT,
    "one_in_a_thousand": CONSTANT,
    "table_2_problems": CONSTANT,
    "table_2_*_0_5_*": "no printed number alone is wrong at this prior: any from 40 to 90 passes",
    "roc_ignores_priors": "repeats tpr_ignores_priors and fpr_ignores_priors",
    "conclusion_priors": "repeats tpr_ignores_priors and fpr_ignores_priors",
    "conclusion_costs": "repeats positive_fraction_sees_priors and precision_sees_priors",
    "posfrac_limit_prior": "repeats posfrac_limit_skew in other words",
    "balanced_and_yet_failed": "repeats purity_collapses and quadratic_more_resilient",
    "purity_falls_with_fp": "repeats posfrac_against_purity in other words",
}
"""What is judged and not counted."""
ANEW: Final[Mapping[str, str]] = {"section_3_orders_of_magnitude": "holds"}
"""What was ruled otherwise before."""
PAPER: Final = "landgrebe2005"
TITLE: Final = (
    "Landgrebe, Paclík, Tax, Verzakov & Duin (2005), Cost-based classifier evaluation for imbalanced problems"
)
PARTS: Final = (section_2, section_3, ranges, figures, section_4, section_5)
"""The modules with the claims, in the order of the paper."""


def trial() -> Trial:
    """Return all claims, in the paper's order."""
    claims = itertools.chain.from_iterable(part.claims() for part in PARTS)
    return Trial(PAPER, TITLE, tuple(claims), UNCOUNTED, ANEW, RECORDED)
