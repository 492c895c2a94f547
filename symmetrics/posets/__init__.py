"""Orders of classes, and relevance: checked, reduced, drawn and turned into ranks; no metric is known here.

>>> from symmetrics.posets import average_ranks, poset
>>> order = poset([("c", "a"), ("c", "b")])
>>> average_ranks(order, "exact")
{'c': 1.0, 'a': 2.5, 'b': 2.5}
"""

from symmetrics.posets.diagram import draw_hasse, hasse_text
from symmetrics.posets.mcmc import McmcRanks, RankEstimates, mcmc_probabilities, mcmc_ranks
from symmetrics.posets.parts import MAX_IDEALS
from symmetrics.posets.poset import Order, Poset, poset
from symmetrics.posets.probabilities import (
    Structure,
    above,
    expected_ranks,
    rank_distribution,
    rank_intervals,
    structure,
)
from symmetrics.posets.ranks import METHODS, average_ranks, exact_ranks, fraction_ranks, linear_extensions
from symmetrics.posets.report import ProbabilityReport, RankReport, probability_report, rank_report, read_order
from symmetrics.posets.scores import equal_rows, from_scores, interval_ranks, random_ranks, read_scores

__all__ = [
    "MAX_IDEALS",
    "METHODS",
    "McmcRanks",
    "Order",
    "Poset",
    "ProbabilityReport",
    "RankEstimates",
    "RankReport",
    "Structure",
    "above",
    "average_ranks",
    "draw_hasse",
    "equal_rows",
    "exact_ranks",
    "expected_ranks",
    "fraction_ranks",
    "from_scores",
    "hasse_text",
    "interval_ranks",
    "linear_extensions",
    "mcmc_probabilities",
    "mcmc_ranks",
    "poset",
    "probability_report",
    "random_ranks",
    "rank_distribution",
    "rank_intervals",
    "rank_report",
    "read_order",
    "read_scores",
    "structure",
]


def __dir__() -> list[str]:
    return sorted(__all__)
