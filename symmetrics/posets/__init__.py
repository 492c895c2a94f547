"""Orders of classes, and relevance: checked, reduced, drawn and turned into ranks; no metric is known here.

>>> from symmetrics.posets import average_ranks, poset
>>> order = poset([("c", "a"), ("c", "b")])
>>> average_ranks(order, "exact")
{'c': 1.0, 'a': 2.5, 'b': 2.5}
"""

from symmetrics.posets.diagram import draw_hasse, hasse_text
from symmetrics.posets.mcmc import McmcRanks, mcmc_ranks
from symmetrics.posets.poset import Order, Poset, poset
from symmetrics.posets.ranks import MAX_IDEALS, METHODS, average_ranks, exact_ranks, fraction_ranks, linear_extensions
from symmetrics.posets.report import RankReport, rank_report, read_order

__all__ = [
    "MAX_IDEALS",
    "METHODS",
    "McmcRanks",
    "Order",
    "Poset",
    "RankReport",
    "average_ranks",
    "draw_hasse",
    "exact_ranks",
    "fraction_ranks",
    "hasse_text",
    "linear_extensions",
    "mcmc_ranks",
    "poset",
    "rank_report",
    "read_order",
]


def __dir__() -> list[str]:
    return sorted(__all__)
