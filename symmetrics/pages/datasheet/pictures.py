"""The pictures of a datasheet, as SVG: a metric in the ROC plane, against the prior, and over all small tables."""

from __future__ import annotations

import io

from symmetrics.metric import Metric
from symmetrics.tools.drawing.canvas import figure_of
from symmetrics.tools.errors import InputError

__all__ = ["svg_pictures"]


def svg_pictures(metric: Metric) -> tuple[str, ...]:
    """Return isometrics, the value against the prior, and the values of all tables of 20 examples, each as SVG.

    Its letters are text, and the same metric gives the same drawing.

    :raises InputError: without matplotlib
    :raises DefinitionError: if a parameter has no default
    """
    try:
        import matplotlib.pyplot as plt
    except ModuleNotFoundError:
        raise InputError("pictures need matplotlib: pip install 'symmetrics[plot]'") from None

    drawn = []
    with plt.rc_context({"svg.fonttype": "none", "svg.hashsalt": metric.name}):
        for draw in (metric.plot.isometrics, metric.plot.prior, metric.plot.distribution):
            figure = figure_of(draw())
            with io.StringIO() as text:
                figure.savefig(text, format="svg", metadata={"Date": None})
                drawn.append(text.getvalue())
            plt.close(figure)
    return tuple(drawn)
