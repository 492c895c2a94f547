"""Plots of metrics and verdicts on matplotlib axes, which every function takes and
returns; all numbers are computed in lower packages.

>>> from symmetrics.library import metrics
>>> drawn = metrics["f1"].plot.isometrics(space="precision_recall", prior="1/10")
>>> drawn.get_xlabel(), drawn.get_ylabel()
('recall', 'precision')
"""

from symmetrics.curves.figures import cost_weights, positive_fraction, roc
from symmetrics.pages.plots.drawings import MetricPlots
from symmetrics.pages.plots.heat_maps import agreement, concepts, confusion, hasse, implications, verdicts
from symmetrics.tools.drawing.charts import bars, dots, examples, squares

__all__ = [
    "MetricPlots",
    "agreement",
    "bars",
    "concepts",
    "confusion",
    "cost_weights",
    "dots",
    "examples",
    "hasse",
    "implications",
    "positive_fraction",
    "roc",
    "squares",
    "verdicts",
]


def __dir__() -> list[str]:
    return sorted(__all__)
