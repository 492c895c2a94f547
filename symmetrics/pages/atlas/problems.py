"""Problems of the literature, told by the answers that they give to the questions: content alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

__all__ = ["PROBLEMS", "Problem"]


@dataclass(frozen=True)
class Problem:
    """A problem that somebody had.

    :param key: its key
    :param title: the problem in a few words
    :param source: who describes it
    :param answers: the key of an answer by the key of its question; of other questions the first answer is meant
    """

    key: str
    title: str
    source: str
    answers: Mapping[str, str]


PROBLEMS: Final = (
    Problem(
        "screening",
        "Screening for a rare disease: both error rates matter, and few are ill",
        "Youden (1950), Index for rating diagnostic tests. Cancer 3, 32-35",
        {"imbalance": "equal_weight", "corrections": "always"},
    ),
    Problem(
        "hospital",
        "A test is evaluated in a hospital and used in the population, where fewer are ill",
        "Altman & Bland (1994), Diagnostic tests 2: predictive values. BMJ 309, 102",
        {"prior": "shifts"},
    ),
    Problem(
        "retrieval",
        "Information retrieval: nobody counts the documents that are rightly not found",
        "van Rijsbergen (1979), Information retrieval, chapter 7",
        {"negatives": "unknown", "corrections": "always", "perfect": "only"},
    ),
    Problem(
        "annotators",
        "Agreement of two annotators beyond chance",
        "Cohen (1960), A coefficient of agreement for nominal scales. Educational and Psychological Measurement 20, "
        "37-46",
        {"roles": "alike", "sides": "either", "chance": "baseline"},
    ),
    Problem(
        "informed",
        "Comparison beyond chance over data sets of different prior",
        "Powers (2011), Evaluation: from precision, recall and F-measure to ROC, informedness, markedness and "
        "correlation. Journal of Machine Learning Technologies 2, 37-63",
        {"prior": "shifts", "chance": "independent", "corrections": "always"},
    ),
    Problem(
        "costs",
        "A miss costs ten times as much as a false alarm",
        "Elkan (2001), The foundations of cost-sensitive learning. IJCAI, 973-978",
        {"costs": "unequal"},
    ),
    Problem(
        "ordinal",
        "Ordered classes, such as grades of severity",
        "Frank & Hall (2001), A simple approach to ordinal classification. ECML, 145-156",
        {"classes": "ordered", "corrections": "always"},
    ),
    Problem(
        "either_class",
        "Two classes of which neither is special, one of them rare, and no credit for guessing",
        "Chicco & Jurman (2020), The advantages of the Matthews correlation coefficient. BMC Genomics 21, 6",
        {"sides": "either", "chance": "independent", "corrections": "always"},
    ),
    Problem(
        "segmentation",
        "Overlap of two segmentations, whatever the size of the background",
        "Maier-Hein et al. (2024), Metrics reloaded. Nature Methods 21, 195-212",
        {"negatives": "unknown", "roles": "alike", "perfect": "only"},
    ),
    Problem(
        "scores",
        "Scores for credit, to be compared before anybody sets a threshold",
        "Hand (2009), Measuring classifier performance: a coherent alternative to the area under the ROC curve. "
        "Machine Learning 77, 103-123",
        {"thresholds": "all"},
    ),
    Problem(
        "folds",
        "Cross-validation: a mean over folds that is the value of all examples",
        "Forman & Scholz (2010), Apples-to-apples in cross-validation studies. SIGKDD Explorations 12, 49-57",
        {"pooling": "means"},
    ),
    Problem(
        "many_classes",
        "Many classes of very different size, each as important as any other",
        "Sokolova & Lapalme (2009), A systematic analysis of performance measures for classification tasks. "
        "Information Processing & Management 45, 427-437",
        {"classes": "many", "imbalance": "equal_weight", "corrections": "always"},
    ),
)
"""The problems in the order in which the page offers them."""
