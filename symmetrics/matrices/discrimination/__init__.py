"""Discrimination of metrics: distinct values over all confusion matrices, counted exactly, never
sampled.

Branco, Torgo & Ribeiro (2017) compare metrics by the share of different scores among all confusion matrices with given
class sizes.  Here the scores are exact and are found without listing the matrices.
"""

from symmetrics.matrices.discrimination.study import Discrimination, discrimination, measures_of

__all__ = ["Discrimination", "discrimination", "measures_of"]


def __dir__() -> list[str]:
    return sorted(__all__)
