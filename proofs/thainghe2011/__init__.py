"""The claims of Thai-Nghe, Gantner & Schmidt-Thieme (2011), judged one by one, in the paper's order.

Run it: ``python proofs/thainghe2011``.  It prints every claim with its ruling and exits with 1 if one comes out
otherwise than recorded here.

N. Thai-Nghe, Z. Gantner, L. Schmidt-Thieme: A new evaluation measure for learning from imbalanced data.  International
Joint Conference on Neural Networks, IJCNN 2011.
"""

from __future__ import annotations

import itertools
from typing import Final

from symmetrics.papers.claims import CONSTANT, NO_SENTENCE, Outcome, Trial

from . import section_1, section_2a, section_2b, section_3, section_4b, section_4c, section_4d, section_5, table_1
from .section_4d import undecided_of_table_5
from .shared import PAPER
from .table_1 import undecided_signs

TITLE: Final = (
    "Thai-Nghe, Gantner & Schmidt-Thieme (2011), A new evaluation measure for learning from imbalanced data, IJCNN 2011"
)
REFUTED: Final = (
    "abstract_36_imbalanced",
    "equation_1_orientation",
    "hyperplane_direction",
    "sources_of_data",
    "b42_follows_true_positive_rate",
    "imbalance_affects_classifiers",
    "false_positives_by_number",
    "table_1_average_h_lr",
    "table_1_sign_b42_nf_1p",
    "table_1_sign_b42_w1a",
    "table_1_sign_h_nf_1p",
    "one_reading_of_deviations",
    "table_5_deviation_nf_05p",
    "table_5_sign_rus_churn",
    "table_5_sign_weighting_nf_05p",
)
ONLY_AS_READ: Final = (
    "accuracy_maximised_by_majority",
    "u_is_symmetric",
    "equation_2_unconstrained",
    "netflix_marks",
    "balanced_group_other_metrics",
    "equation_1_limits",
    "equation_1_unit_of_cost",
    "mode_of_beta",
    "b42_more_weight_than_auc",
    "netflix_features",
    "table_2_limits",
    "undersampling_degrades",
    "weighting_works",
    "b42_grows_original",
    "b42_grows_weighting",
    "reversed_for_imbalanced",
)
OPEN: Final = ("larger_alpha_relative", "ratio_does_not_improve", "ratio_does_not_worsen")
UNREADABLE: Final = ("figure_3", "figure_4_true_positive_rate", "figure_5")
_OUTCOMES: Final[tuple[tuple[Outcome, tuple[str, ...]], ...]] = (
    ("refuted", REFUTED),
    ("holds only as", ONLY_AS_READ),
    ("open", OPEN),
    ("unreadable", UNREADABLE),
)
RECORDED: Final = {f"{PAPER}.{key}": outcome for outcome, keys in _OUTCOMES for key in keys}
"""What does not hold, or not as it is printed, or cannot be read."""
ANEW: Final = {
    "equation_1_limits": "refuted",
    "equation_1_unit_of_cost": "holds",
    "mode_of_beta": "refuted",
    "netflix_features": "refuted",
    "table_2_limits": "refuted",
    "undersampling_degrades": "holds",
    "weighting_works": "holds",
    "b42_grows_original": "holds",
    "b42_grows_weighting": "holds",
    "reversed_for_imbalanced": "holds",
    "one_reading_of_deviations": "refuted",
}
"""What was ruled otherwise before, or is no erratum any more, because no sentence says so."""


def _uncounted() -> dict[str, str]:
    """Return what is judged and not counted."""
    fixed = {
        "recall_of_all_majority": "the same sentence as accuracy_of_all_majority",
        "incomplete_beta": "both sides are one integral once they are read",
        "density_two_forms": "beta_by_gamma, turned over",
        "density_normalised_*": "a density is normalised by its definition",
        "table_1_rows": CONSTANT,
        "three_groups": CONSTANT,
        "table_5_rows": CONSTANT,
        "table_5_size_*": "the same number, printed twice",
        "netflix_data_sets": CONSTANT,
        "netflix_examples": "the same number, printed twice",
        "b42_of_*": "repeats a cell of table V",
        "meaning_of_1_8_3": "repeats a cell of table II",
        "auc_never_loses": "repeats cells of table II",
        "table_1_range_*": NO_SENTENCE,
        "table_2_group_*_sum": NO_SENTENCE,
        "table_3_sum": NO_SENTENCE,
        "table_4_sum": NO_SENTENCE,
        "minority_is_smaller": "a definition beside itself",
        "one_reading_of_deviations": "two signs held against each other, which no sentence does",
    }
    vacuous = (*undecided_signs(), *undecided_of_table_5())
    return fixed | dict.fromkeys(vacuous, "passes with the sign and without it")


NETFLIX: Final = {"customers": 480_189, "movies": 17_770}
PARTS: Final = (section_1, section_2a, section_2b, section_3, table_1, section_4b, section_4c, section_4d, section_5)
"""The modules with the claims, in the order of the paper."""


def trial() -> Trial:
    """Return all claims, in the paper's order."""
    claims = itertools.chain.from_iterable(part.claims() for part in PARTS)
    return Trial(PAPER, TITLE, tuple(claims), _uncounted(), ANEW, RECORDED)
