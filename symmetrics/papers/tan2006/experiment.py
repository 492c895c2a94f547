"""Tan, Steinbach & Kumar (2006), section 5.7: figure 5.42 with its ties, and both printed forms of F_beta.

What the section says and prints is judged claim by claim in ``proofs/tan2006/``.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from sympy import Expr, Integer

from symmetrics.curves import RocCurve, roc_curve
from symmetrics.curves.figures import roc
from symmetrics.language.cells import parameter_symbol
from symmetrics.language.formula import parse_formula
from symmetrics.library import metrics
from symmetrics.papers.claims import at
from symmetrics.papers.comparison import Experiment, Steps, exact, printed_data, section
from symmetrics.tools.drawing.canvas import looks

if TYPE_CHECKING:
    from matplotlib.figure import Figure


# -- Figure 5.42 of Tan, Steinbach & Kumar (2006): its curve and the area, with the tied records as they are -----------

# The text ranks the records one by one, those of one score as well; a threshold cannot part these.


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
    rows = [(name, area, f"{float(area):.2f}") for name, area in records.areas().items()]
    below = (
        "None is printed.  With one point for the tied records it is the share of pairs of a positive and a negative "
        "record that are in the right order, a tie for one half; record by record it depends on the order in which "
        "records of one score are listed."
    )
    return section("The area under the curve of figure 5.42", ("curve", "area", ""), rows, below)


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


# ----------------------------------------------------------------------------------------------------------------------


RECALL, PRECISION = metrics["recall"].expr, metrics["precision"].expr
(BETA,) = metrics["f_beta"].parameters


_data: Final = partial(printed_data, Path(__file__).parent)


def _printed_f_beta() -> dict[str, Expr]:
    """Return F_beta in both printed forms, in the cells."""
    rates = {parameter_symbol("r"): RECALL, parameter_symbol("p"): PRECISION}
    forms = _data()["f_beta"]
    return {name: parse_formula(text, ("r", "p", BETA.name)).xreplace(rates) for name, text in forms.items()}


FINDINGS: Final = (
    "## What does not hold\n\n"
    "- In (5.77) the form from the counts has the weight beta**2 at FP.  It belongs to FN, as in the form from r and "
    "p.  As printed the two agree for beta = 1 alone, and the special cases are exchanged.\n"
    "- (5.78) and the table of weights do not fit.  With w2 at FP, as printed, the weights for recall give the "
    "precision and those for precision the recall.  With w2 at FN and w3 at FP all four rows hold, F_beta being that "
    "from r and p.\n"
    "- Figure 5.42 is right record by record, but two of its columns part records of one score, which no threshold "
    "does.  Its curve depends on the order in which these are listed."
)
CHOICES: Final = (
    "## What is not checked\n\n"
    "- Figure 5.41 is a drawing of two curves without data, so that nothing can be said of their crossing at an FPR of "
    "0.36.\n"
    "- That a model which predicts positive only what equals a positive training record has a high precision and a low "
    "recall is an observation about data.\n"
    "- The text was read from a scan with many misread characters.  Where these are illegible - the first form in "
    "(5.77), the scores and classes of figure 5.42 - the reading is the one that agrees with the rest, and no cell "
    "counts a misread character as a mistake."
)


# -- figures -----------------------------------------------------------------------------------------------------------


def _draw_f_beta() -> Figure:
    import numpy as np
    from matplotlib.figure import Figure
    from sympy import lambdify

    figure = Figure(figsize=(7, 4.2), layout="constrained")
    axes = figure.subplots()
    table = tuple(map(Integer, (80, 20, 120, 780)))
    betas = np.geomspace(0.05, 20, 200)
    for (name, form), look in zip(_printed_f_beta().items(), looks(axes, 2), strict=True):
        values = lambdify(BETA.symbol, at(form, table))(betas)
        axes.plot(betas, values, linestyle=look.dash, color=look.colour, label=f"(5.77) {name}")
    for name, metric in (("recall", RECALL), ("precision", PRECISION)):
        level = float(at(metric, table))
        axes.axhline(level, color="0.7", linewidth=0.8, linestyle="--")
        axes.text(betas[0], level, f" {name}", va="bottom", color="0.4")
    axes.set(xscale="log", xlabel="beta", ylabel="F_beta", ylim=(0.35, 0.85), xlim=(betas[0], betas[-1]))
    axes.set_title("both printed forms at TP, FN, FP = 80, 20, 120", fontsize=10)
    axes.legend(frameon=False, loc="center right")
    return figure


def experiment(steps: Steps) -> Experiment:
    """Return everything of the section, decided or computed again; it takes seconds.

    :param steps: is not used, because nothing takes long
    """
    del steps
    figure = _data()["figure5_42"]
    records = RankedRecords(tuple(figure["scores"]), tuple(figure["labels"]))
    return Experiment(
        _data()["title"],
        (),
        (FINDINGS, area_remark(records), CHOICES),
        {"figure5_42": lambda: draw_curves(records), "f_beta": _draw_f_beta},
    )
