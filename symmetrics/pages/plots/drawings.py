"""The pictures of one metric, as ``metric.plot`` offers them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from symmetrics.metric import Metric
from symmetrics.metric.plots import Plots, Space
from symmetrics.pages.plots.baselines import draw_prior, draw_random_guessing
from symmetrics.pages.plots.fields import draw_gradient
from symmetrics.pages.plots.isometrics import draw_isometrics
from symmetrics.pages.plots.populations import draw_distribution, draw_tetrahedron

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["MetricPlots"]


@dataclass(frozen=True)
class MetricPlots(Plots):
    """The pictures of one metric, at the defaults of its parameters.

    Each is drawn on the axes that are given, or on those of a new figure as wide as a column, and returns the axes.
    Where nothing can be drawn, because the metric is constant or has no value, the picture says so.

    :param metric: what is drawn

    >>> from symmetrics.library import metrics
    >>> metrics["mcc"].plot
    <plots of mcc: distribution, gradient, isometrics, prior, random_guessing, tetrahedron>
    """

    metric: Metric

    def __repr__(self) -> str:
        return f"<plots of {self.metric.name}: {', '.join(sorted(Plots.__abstractmethods__))}>"

    def isometrics(
        self,
        ax: Axes | None = None,
        space: Space = "roc",
        prior: object = "1/2",
        *,
        levels: int | Sequence[float] = 9,
        total: float | None = None,
    ) -> Axes:
        """Draw lines on which the metric has one value, the value written on each (Flach 2003).

        Every point of a line has its value to nine digits.  Lines of negative values are dashed; where there are both
        signs, the line of 0 is bold.  The dotted line is where random guessing lies; in the precision-recall plane
        what lies below the least precision of a recall, which no classifier reaches, is hatched (Boyd et al. 2012).

        :param space: ``"roc"``, true against false positive rates, or ``"precision_recall"``
        :param prior: the share of the positive class, strictly between 0 and 1
        :param levels: the values of the lines, or how many there may be, at round values
        :param total: the number of examples, for metrics that depend on it; 100 by default
        :returns: the axes
        :raises InputError: on another prior, levels or total, and without matplotlib
        :raises UnknownNameError: on another space
        :raises DefinitionError: if a parameter has no default

        >>> from symmetrics.library import metrics
        >>> drawn = metrics["accuracy"].plot.isometrics(levels=[0.25, 0.5, 0.75])
        >>> [text.get_text() for text in drawn.texts[1:]]
        ['0.25', '0.5', '0.75']
        """
        return draw_isometrics(self.metric, ax, space, prior, levels, total)

    def prior(
        self,
        ax: Axes | None = None,
        points: Iterable[tuple[float, float]] = ((0.1, 0.9), (0.3, 0.8), (0.05, 0.5)),
        *,
        total: float | None = None,
    ) -> Axes:
        """Draw the value against the prior and the imbalance, for classifiers whose rates stay as they are.

        A metric that does not depend on the prior has level lines.

        :param points: pairs of a false and a true positive rate, from 0 to 1
        :param total: the number of examples, for metrics that depend on it; 100 by default
        :returns: the axes, with the logarithm of the odds of the prior along them
        :raises InputError: on rates outside their interval, on another total, and without matplotlib
        :raises DefinitionError: if a parameter has no default

        >>> from symmetrics.library import metrics
        >>> drawn = metrics["precision"].plot.prior(points=[(0.1, 0.9)])
        >>> round(float(drawn.lines[0].get_ydata()[120]), 12)  # at a prior of 1/2
        0.9
        """
        return draw_prior(self.metric, ax, points, total)

    def tetrahedron(self, n: int = 10, ax: Axes | None = None) -> Axes:
        """Draw all tables of n examples as points of a tetrahedron whose corners are tables of one cell alone.

        The opposite edges are those of right and of wrong predictions.  Tables without a finite value have a mark and
        an entry of the legend of their own.

        :param n: the number of examples, from 1 to 40
        :returns: the axes
        :raises InputError: on another n, and without matplotlib
        :raises DefinitionError: if a parameter has no default

        >>> from symmetrics.library import metrics
        >>> drawn = metrics["precision"].plot.tetrahedron(3)
        >>> len(drawn.collections[0].get_offsets()), drawn.get_legend_handles_labels()[1]
        (16, ['no value (4)'])
        """
        return draw_tetrahedron(self.metric, n, ax)

    def gradient(self, ax: Axes | None = None, prior: object = "1/2", *, total: float | None = None) -> Axes:
        """Draw where the value grows fastest in the ROC plane, as arrows of one length, coloured by how fast it does.

        A dot stands where the value does not change with the rates.  Isometrics are at right angles to the arrows.

        :param prior: the share of the positive class, strictly between 0 and 1
        :param total: the number of examples, for metrics that depend on it; 100 by default
        :returns: the axes
        :raises InputError: on another prior or total, and without matplotlib
        :raises DefinitionError: if a parameter has no default

        >>> from symmetrics.library import metrics
        >>> arrows = metrics["recall"].plot.gradient().collections[0]
        >>> float(abs(arrows.U).max()), bool((arrows.V > 0).all())
        (0.0, True)
        """
        return draw_gradient(self.metric, ax, prior, total)

    def distribution(self, n: int = 20, ax: Axes | None = None) -> Axes:
        """Draw how many of all tables of n examples have which values: (n + 3)(n + 2)(n + 1)/6 tables in all.

        Every table is in the bar that it belongs to: what rounding leaves open is decided exactly.  Tables without a
        finite value have bars of their own, and so has what lies far out.

        :param n: the number of examples, from 1 to 100
        :returns: the axes
        :raises InputError: on another n, and without matplotlib
        :raises DefinitionError: if a parameter has no default

        >>> from symmetrics.library import metrics
        >>> drawn = metrics["precision"].plot.distribution(5)
        >>> int(sum(bar.get_height() for bar in drawn.patches))
        56
        """
        return draw_distribution(self.metric, n, ax)

    def random_guessing(
        self, ax: Axes | None = None, shares: Iterable[float] = (0.1, 0.5, 0.9), *, n: int | None = None
    ) -> Axes:
        """Draw what random guessing scores against the prior, by how often it predicts the positive class.

        :param shares: probabilities of predicting the positive class; that of the prior itself is drawn as well
        :param n: the number of examples that the expectation is taken for, from 2 to 200, with whole numbers of
            positives: tables without a value are left out.  By default the value at the expected table, which is the
            limit of many examples where the metric is continuous
        :returns: the axes
        :raises InputError: on probabilities outside [0, 1], on another n, and without matplotlib
        :raises DefinitionError: if a parameter has no default

        >>> from symmetrics.library import metrics
        >>> drawn = metrics["accuracy"].plot.random_guessing(shares=[0.5])
        >>> sorted({round(float(y), 12) for y in drawn.lines[0].get_ydata()})
        [0.5]
        """
        return draw_random_guessing(self.metric, ax, shares, n)
