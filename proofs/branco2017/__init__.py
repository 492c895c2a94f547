"""The claims of Branco, Torgo & Ribeiro (2017), judged one by one, in the paper's order.

Run it: ``python proofs/branco2017``.  It prints every claim with its ruling and exits with 1 if one comes out
otherwise than recorded here.

P. Branco, L. Torgo, R. P. Ribeiro: Relevance-based evaluation metrics for multi-class imbalanced domains.  PAKDD 2017.
"""

from __future__ import annotations

import itertools
from typing import Final

from symmetrics.papers.claims import CONSTANT, NO_SENTENCE, Outcome, Trial

from . import (
    real_data,
    scale,
    section_1,
    section_2,
    section_3,
    section_4,
    section_5_1,
    section_5_2,
    table_1,
    tables_4_and_5,
    weights,
)
from .shared import PAPER

TITLE: Final = (
    "Branco, Torgo & Ribeiro (2017), Relevance-based evaluation metrics for multi-class imbalanced domains, PAKDD 2017"
)
REFUTED: Final = (
    "table_1_mcc",
    "table_1_rci",
    "case_2_prec_mu",
    "only_recall_and_cba_lose",
    "recall_loses_in_5_percent",
    "cba_loses_in_2_percent",
    "only_two_weighted",
    "equation_8",
    "rank_two_forms",
    "table_4_case_3_prev_of_c1",
    "table_4_case_3_prev_of_c2",
    "table_4_case_3_prev_of_c4",
    "table_4_case_3_po_of_c4",
    "table_5_case_1_prec_m",
    "table_5_case_1_f1_m",
)
ONLY_AS_READ: Final = (
    "macro_index",
    "three_kinds",
    "case_3_unable",
    "zero_relevance_is_irrelevant",
    "less_relevant_less_impact",
    "partial_order_preferable",
    "any_level",
    "true_negatives",
    "perspectives",
    "normalised_worst_mcc",
    "successors_are_lower",
    "equation_10",
    "always_rec_and_prec",
    "always_f1",
    "preferable",
    "more_information",
    "case_2_over_estimate",
    "rank_of_cited_model",
    "exponential_matrices",
    "higher_discrimination",
    "enhanced_discrimination",
)
OPEN: Final = ("real_data_sets",)
_OUTCOMES: Final[tuple[tuple[Outcome, tuple[str, ...]], ...]] = (
    ("refuted", REFUTED),
    ("holds only as", ONLY_AS_READ),
    ("open", OPEN),
)
RECORDED: Final = {f"{PAPER}.{key}": outcome for outcome, keys in _OUTCOMES for key in keys}
"""What does not hold, or not as it is printed."""
REPEATED: Final = "repeats a cell of table 3"
ALL_SIDES: Final = "a check of two tables against each other that no sentence makes"
UNCOUNTED: Final = {
    "row_and_column_sums": "a definition beside itself",
    "thirteen_metrics": CONSTANT,
    "nodes_of_figure_1": CONSTANT,
    "figure_1_successors_of_e": CONSTANT,
    "figure_1_predecessors_of_e": CONSTANT,
    "figure_1_incomparable_of_e": CONSTANT,
    "beta_to_zero": NO_SENTENCE,
    "beta_to_infinity": NO_SENTENCE,
    "range_*": NO_SENTENCE,
    "equation_*_scale": NO_SENTENCE,
    "equation_*_range": NO_SENTENCE,
    "equation_9_sum": NO_SENTENCE,
    "table_4_prev_sum_*": NO_SENTENCE,
    "mcc_covariance": NO_SENTENCE,
    "cen_weights": NO_SENTENCE,
    "table_1_*_of_two_classes": NO_SENTENCE,
    "normalised_best_*": "a perfect matrix has 100 % by how the scale is made",
    "case_1_mavg": REPEATED,
    "weighted_auc": "the formula of another work, which is not at hand, beside the library's",
    "prevalence_is_valid": "that a share lies between 0 and 1 follows from its definition",
    "enhanced_discrimination": "repeats higher_discrimination in other words",
    **{
        f"table_3_case_{case}_{name}_normalised": "100 times the cell beside it"
        for case in (1, 2, 3)
        for name in ("avacc", "mavg", "rec_m", "prec_m", "rec_mu", "prec_mu", "f1_m", "f1_mu", "avf1", "cba", "rci")
    },
    **{
        f"table_5_case_{case}_{name}": REPEATED
        for case in (1, 2, 3)
        for name in (
            *("avacc", "mavg", "rec_m", "prec_m", "rec_mu", "prec_mu", "f1_m", "f1_mu", "avf1", "cba", "mcc", "rci"),
            "cen",
        )
        if (case, name) not in ((1, "prec_m"), (1, "f1_m"), (1, "avf1"))
    },
    "tables_3_and_5_*": ALL_SIDES,
    "marks_of_*": ALL_SIDES,
}
"""What is judged and not counted."""
ANEW: Final = {
    "true_negatives": "holds",
    "table_1_avacc": "refuted",
    "perspectives": "refuted",
    "normalised_worst_mcc": "holds",
    "successors_are_lower": "holds",
    "equation_10": "refuted",
    "always_rec_and_prec": "refuted",
    "always_f1": "refuted",
    "preferable": "holds",
    "more_information": "holds",
}
"""What was ruled otherwise before."""
PARTS: Final = (
    *(section_1, section_2, table_1, scale, section_3, weights, section_4, tables_4_and_5, section_5_1, real_data),
    section_5_2,
)
"""The modules with the claims, in the order of the paper."""


def trial() -> Trial:
    """Return all claims, in the paper's order."""
    claims = itertools.chain.from_iterable(part.claims() for part in PARTS)
    return Trial(PAPER, TITLE, tuple(claims), UNCOUNTED, ANEW, RECORDED)
