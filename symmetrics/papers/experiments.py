"""The experiments of five papers for anyone's metrics, classifiers and data, with the papers' readings as defaults.

>>> from symmetrics.papers import experiments
>>> study = experiments.correlation_study(["f1", "TP/(TP + 2*FN)"], percentages=[5], instances=100, progress=False)
>>> round(study.between("f1", "TP/(TP + 2*FN)")[5], 2)
-0.25
"""

from __future__ import annotations

from symmetrics.matrices.discrimination import discrimination
from symmetrics.papers.correlations import PAPER_METRICS, CorrelationStudy, correlation_study, distorted_scores
from symmetrics.papers.over_priors import PriorCurves, over_priors
from symmetrics.papers.resampling import TREATMENTS, Treatment, linear_learners, resampling_study
from symmetrics.papers.resampling_results import ResamplingStudy

__all__ = [
    "PAPER_METRICS",
    "TREATMENTS",
    "CorrelationStudy",
    "PriorCurves",
    "ResamplingStudy",
    "Treatment",
    "correlation_study",
    "discrimination",
    "distorted_scores",
    "linear_learners",
    "over_priors",
    "resampling_study",
]


def __dir__() -> list[str]:
    return sorted(__all__)
