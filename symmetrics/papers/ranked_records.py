"""Figure 5.42 of Tan, Steinbach & Kumar (2006): its curve and the area, with the tied records as they are.

The text ranks the records one by one, those of one score as well; a threshold cannot part these.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from sympy import Expr

from symmetrics.curves import RocCurve, roc_curve
from symmetrics.curves.figures import roc
from symmetrics.papers.comparison import exact

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["RankedRecords", "area_remark", "draw_curves"]

AS_TIED: Final = "one point for the tied records"
AS_PRINTED: Final = "record by record, as printed"


@dataclass(frozen=True)
class RankedRecords:
    """The records of the figure, by rising score.

    :param scores: one per record
    :param labels: "+" or "-"
    """

    scores: tuple[float, ...]
    labels: tuple[str, ...]

    def curve(self, method: str) -> RocCurve:
        """Return the ROC curve by one of the methods of :func:`symmetrics.curves.roc_curve`."""
        return roc_curve(self.labels, self.scores, pos_label="+", method=method)

    def areas(self) -> dict[str, Expr]:
        """Return the area under the curve, exactly, and with the tied records in their best and in their worst order.

        In the best order every positive record of a score is ranked above the negative ones.
        """
        records = list(zip(self.scores, self.labels, strict=True))
        curves = {AS_TIED: self.curve("ties"), AS_PRINTED: self.curve("records")}
        for name, above in (("best", "+"), ("worst", "-")):
            ordered = sorted(records, key=lambda record: (record[0], record[1] == above))
            scores, labels = zip(*ordered, strict=True)
            order = f"record by record, the tied ones in the {name} order"
            curves[order] = roc_curve(labels, scores, pos_label="+", method="records")
        return {name: exact(_area(curve)) for name, curve in curves.items()}


def _area(curve: RocCurve) -> Fraction:
    """Return the area under a curve of whole counts, exactly."""
    tp, fp = ([int(count) for count in counts] for counts in (curve.tp, curve.fp))
    strips = ((fp[i + 1] - fp[i]) * (tp[i + 1] + tp[i]) for i in range(len(curve) - 1))
    return Fraction(sum(strips), 2 * tp[-1] * fp[-1])


def area_remark(records: RankedRecords) -> str:
    """Return the areas as Markdown."""
    from tabulate import tabulate

    rows = [(name, area, f"{float(area):.2f}") for name, area in records.areas().items()]
    table = tabulate(rows, ("curve", "area", ""), tablefmt="github", disable_numparse=True)
    below = (
        "None is printed.  With one point for the tied records it is the share of pairs of a positive and a negative "
        "record that are in the right order, a tie for one half; record by record it depends on the order in which "
        "records of one score are listed."
    )
    return f"## The area under the curve of figure 5.42\n\n{below}\n\n{table}"


def draw_curves(records: RankedRecords) -> Figure:
    """Return the curve record by record, and the one that thresholds give."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(5, 5), layout="constrained")
    areas = records.areas()
    curves = {
        f"{name}: area {float(areas[name]):.2f}": records.curve(method)
        for method, name in (("records", AS_PRINTED), ("ties", AS_TIED))
    }
    axes = roc(curves, ax=figure.subplots())
    axes.annotate(
        "three records\nof score 0.85", (0.4, 0.5), (0.47, 0.33), arrowprops={"arrowstyle": "->", "color": "0.4"}
    )
    return figure
