"""Metrics of classifiers over the prior: POSfrac and purity of Landgrebe et al. (2005), or any others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import ArrayLike

from symmetrics.curves.operating import OperatingPoint, on_curve, point_at_tpr
from symmetrics.curves.roc import RocCurve
from symmetrics.data.counts import FloatArray, shown
from symmetrics.evaluation.datasets import as_frame
from symmetrics.library.selections import as_metrics
from symmetrics.tools.arguments import advising
from symmetrics.tools.drawing.canvas import figure_of, label_for, legend, looks
from symmetrics.tools.errors import InputError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TARGET: Final = 0.8
"""The true positive rate at which the paper's classifiers operate."""
PRIORS: Final = tuple(np.geomspace(0.5, 0.001, 61).tolist())
"""From balanced classes to one positive example in a thousand, as in the paper's table 2."""


@dataclass(frozen=True, eq=False)
class PriorCurves:
    """The values of metrics at fixed operating points, under one prior after the other.

    :param priors: shares of the positive class
    :param points: the operating point of each classifier, which does not depend on the prior
    :param values: by metric and classifier, one for each prior; nan where the metric is undefined
    """

    priors: FloatArray = field(repr=False)
    points: Mapping[str, OperatingPoint]
    values: Mapping[str, Mapping[str, FloatArray]] = field(repr=False)

    def to_frame(self) -> Any:
        """Return a data frame with a row for each classifier and prior, and a column for each metric.

        :raises InputError: without pandas
        """
        return as_frame(
            [
                {"classifier": name, "prior": prior, **{key: float(of[name][at]) for key, of in self.values.items()}}
                for name in self.points
                for at, prior in enumerate(self.priors.tolist())
            ]
        )

    def plot(self, axes: Any = None) -> Figure:
        """Draw a panel for each metric: its values against the prior, which has a logarithmic scale.

        :param axes: one for each metric; by default those of a new figure
        :returns: the figure
        :raises InputError: if axes and metrics are not as many, or matplotlib is not installed
        """
        if axes is None:
            import matplotlib.pyplot as plt

            axes = plt.subplots(1, len(self.values), figsize=(3.5 * len(self.values), 3.2), layout="constrained")[1]
        panels = list(np.ravel(axes))
        if len(panels) != len(self.values):
            raise InputError(f"there are {len(panels)} axes for {len(self.values)} metrics; pass one for each")
        for ax, (metric, of) in zip(panels, self.values.items(), strict=True):
            for (name, values), look in zip(of.items(), looks(ax, len(of)), strict=True):
                ax.plot(self.priors, values, linestyle=look.dash, color=look.colour, label=label_for(name))
            ax.set_xscale("log")
            ax.set_xlabel("prior of the positive class")
            ax.set_ylabel(metric, parse_math=False)
        legend(panels[0])
        return figure_of(panels[0])


@advising("pass classifiers by name, as in over_priors({'LDC': symmetrics.roc_curve(y_true, y_score)})")
def over_priors(
    classifiers: Mapping[str, RocCurve | tuple[float, float]],
    metrics: Any = ("positive_fraction", "precision"),
    *,
    priors: ArrayLike = PRIORS,
    target: float = TARGET,
) -> PriorCurves:
    """Return metrics of classifiers at fixed operating points, for priors that the data need not have.

    POSfrac, the fraction predicted positive, is ``pi*TPr + (1 - pi)*FPr``, and purity, the precision, is
    ``pi*TPr/POSfrac`` (Landgrebe et al. 2005, equations 5 and 6).  As the prior tends to 0 they tend to FPr and to 0.

    :param classifiers: by name, a ROC curve, which operates where it reaches the *target*, or FPr and TPr of a point
    :param metrics: metrics, names or formulas; those that depend on the number of examples have no such curve
    :param priors: shares of the positive class, strictly between 0 and 1
    :param target: the true positive rate of curves, between two points by linear interpolation
    :raises InputError: on what is no curve or point, no prior or no metric, and if there is none

    The linear classifier on Highleyman's classes, in table 2 of the paper:

    >>> found = over_priors({"LDC": (0.2428, 0.8)}, priors=[0.5, 0.1, 0.001])
    >>> found.values["positive_fraction"]["LDC"].round(4).tolist()
    [0.5214, 0.2985, 0.2434]
    """
    if not classifiers or not hasattr(classifiers, "items"):
        raise InputError(f"classifiers={shown(classifiers)} names none; pass ROC curves or pairs of rates by name")
    points = {str(name): _point(str(name), one, target) for name, one in classifiers.items()}
    shares = np.atleast_1d(np.asarray(priors, dtype=np.float64))
    values = {
        metric.name: {
            name: np.asarray(on_curve(metric, point.fpr, point.tpr, shares)) for name, point in points.items()
        }
        for metric in as_metrics(metrics, ())
    }
    if not values:
        raise InputError("metrics is empty; name at least one, as in ['positive_fraction']")
    return PriorCurves(shares, points, values)


def _point(name: str, one: Any, target: float) -> OperatingPoint:
    if isinstance(one, RocCurve):
        return point_at_tpr(one.fpr, one.tpr, target)
    try:
        fpr, tpr = map(float, one)
    except (TypeError, ValueError):
        raise InputError(f"classifier {name} is {shown(one)}; pass a ROC curve, or its rates (FPr, TPr)") from None
    return OperatingPoint(fpr, tpr, 0)
