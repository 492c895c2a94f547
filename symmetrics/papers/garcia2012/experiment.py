"""García, Sánchez & Mollineda (2012): the correlations of section 3.1, with each conclusion as a check.

What the text leaves open of section 3.1, and what stands for it here:

- the number of instances in a tuple: 1000; the conclusions are looked at with 200 and with 5000 as well;
- the true probabilities: three designs, :data:`DESIGNS`, each of which is a reading of the text;
- the fluctuation: uniform on the range that is given;
- the decision: positive from 1/2 on; wAUC alone is of the whole ROC curve of a tuple, which is what it is defined for;
- "strong": nothing is said, so that the order decides: a strong positive coefficient is larger than that with the
  other rate in absolute value, and a strong negative one the lowest of all measures but the rates.
"""

from __future__ import annotations

import csv
import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from symmetrics.claims.verdict import Verdict
from symmetrics.library.selections import GARCIA_METRICS, GARCIA_PROPERTIES
from symmetrics.papers.comparison import Comparison, Experiment, Steps, judged, section, watched
from symmetrics.papers.correlations import DESIGNS, INSTANCES, PERCENTAGES, correlation_study
from symmetrics.query.proving import prove
from symmetrics.tools.drawing.charts import marks, squares

if TYPE_CHECKING:
    from matplotlib.figure import Figure


TABLE_2: Final = Path(__file__).with_name("table2.csv")
OTHER_INSTANCES: Final = (200, 5000)
"""With these the conclusions are looked at again."""

NAMES: Final[Mapping[str, str]] = {
    "tpr": "TPr",
    "tnr": "TNr",
    "precision": "Prec",
    "accuracy": "Acc",
    "gmean": "Gm",
    "auc_single": "AUC",
    "f1": "F1",
    "optimized_precision": "OP",
    "iba_gmean": "IBA",
    "kappa": "kappa",
    "agm": "AGm",
    "cwa": "cwA",
    "wauc": "wAUC",
}
"""The paper's names."""


# -- table 2 -----------------------------------------------------------------------------------------------------------


def printed_signs(table: Path = TABLE_2) -> dict[tuple[str, str], str]:
    """Return the printed sign of every cell of table 2: ``-`` for invariance, ``+`` for none."""
    with table.open(encoding="utf-8", newline="") as stream:
        return {(row["measure"], key): row[key] for row in csv.DictReader(stream) for key in GARCIA_PROPERTIES}


# -- section 3.1 -------------------------------------------------------------------------------------------------------


def correlations(percentage: int, instances: int = INSTANCES, design: str = "halves") -> NDArray[np.float64]:
    """Return Pearson's coefficients between all 13 metrics over one collection, in the order of the paper's table 2.

    :param percentage: percent of positive instances
    :param design: how the true probabilities lie
    """
    study = correlation_study(percentages=[percentage], instances=instances, design=design, progress=False)
    return study.matrices[percentage]


@dataclass(frozen=True)
class Conclusion:
    """A sentence of section 3.1 about the correlation of two metrics.

    :param name: a name for it
    :param first: the key of a metric
    :param second: the key of a metric
    :param stated: ``"positive"``, ``"negative"``, ``"strong positive"`` or ``"strong negative"``
    """

    name: str
    first: str
    second: str
    stated: str

    def holds(self, matrix: NDArray[np.float64]) -> bool:
        """Whether the coefficient has the sign, and, if it is called strong, stands where the order asks it to."""
        value = _between(matrix, self.first, self.second)
        if self.stated == "strong negative":
            others = [key for key in GARCIA_METRICS if key not in ("tpr", "tnr", self.first)]
            return value < min(0, *(_between(matrix, key, self.second) for key in others))
        other = _between(matrix, self.first, "tnr" if self.second == "tpr" else "tpr")
        signed = value if self.stated.endswith("positive") else -value
        return signed > 0 and (not self.stated.startswith("strong") or value > abs(other))


def _conclusions() -> Iterator[Conclusion]:
    yield Conclusion("accuracy_against_tpr", "accuracy", "tpr", "negative")
    yield Conclusion("accuracy_follows_tnr", "accuracy", "tnr", "strong positive")
    for key in ("auc_single", "gmean", "iba_gmean", "wauc", "cwa"):
        yield Conclusion(f"{key}_with_tpr", key, "tpr", "positive")
    yield Conclusion("cwa_follows_tpr", "cwa", "tpr", "strong positive")
    yield Conclusion("cwa_against_tnr", "cwa", "tnr", "strong negative")
    for key in ("optimized_precision", "kappa", "agm", "f1"):
        yield Conclusion(f"{key}_follows_tnr", key, "tnr", "strong positive")


CONCLUSIONS: Final = tuple(_conclusions())
"""What section 3.1 concludes from its matrices, sentence by sentence."""

Matrices = Mapping[int, NDArray[np.float64]]


def _between(matrix: NDArray[np.float64], first: str, second: str) -> float:
    return float(matrix[GARCIA_METRICS.index(first), GARCIA_METRICS.index(second)])


def _section_3_1(matrices: Matrices, instances: int) -> Comparison:
    cells = []
    for conclusion in CONCLUSIONS:
        pair = f"{NAMES[conclusion.first]} and {NAMES[conclusion.second]}"
        for percentage, matrix in matrices.items():
            value = _between(matrix, conclusion.first, conclusion.second)
            place = f"{conclusion.name}: {pair}, {percentage} % positive"
            holds = conclusion.holds(matrix)
            cells.append(judged(place, value, conclusion.stated, holds))
    remarks = (
        f"Pearson's coefficients over 130 tuples of {instances} instances at each imbalance level, seeded.  The text "
        'prints no number.  "Strong" is by order: more than with the other rate, or the lowest; cwA has w = 3/4.',
    )
    return Comparison("Section 3.1, every conclusion at every imbalance level", tuple(cells), remarks)


Collections = Mapping[tuple[str, int], Matrices]
"""The matrices by design and number of instances."""


def _summary(collections: Collections) -> str:
    """Return at how many levels each conclusion holds, by design and number of instances."""
    columns = ("conclusion", "stated", *(f"{design}, {instances}" for design, instances in collections))
    rows = [
        (conclusion.name, conclusion.stated, *(_in_words(conclusion, matrices) for matrices in collections.values()))
        for conclusion in CONCLUSIONS
    ]
    below = "Columns are the design of the true probabilities and the number of instances."
    return section("Section 3.1, which conclusions hold", columns, rows, below)


def _in_words(conclusion: Conclusion, matrices: Matrices) -> str:
    values = [_between(matrix, conclusion.first, conclusion.second) for matrix in matrices.values()]
    failing = failing_levels(conclusion, matrices)
    answer = f"fails at {', '.join(f'{level} %' for level in failing)}" if failing else "holds at all levels"
    return f"{answer} ({min(values):.2f} to {max(values):.2f})"


def failing_levels(conclusion: Conclusion, matrices: Matrices) -> list[int]:
    """Return the imbalance levels, in percent, at which a conclusion does not hold."""
    return [percentage for percentage, matrix in matrices.items() if not conclusion.holds(matrix)]


def _matrix_remark(percentage: int, matrix: NDArray[np.float64]) -> str:
    names = [NAMES[key] for key in GARCIA_METRICS]
    rows = [(name, *(f"{value:.3f}" for value in row)) for name, row in zip(names, matrix, strict=True)]
    return section(f"Section 3.1, correlations with {percentage} % positive instances", ("", *names), rows)


ASSUMPTIONS: Final = (
    "## Section 3.1, what the text leaves open\n\n"
    f"It does not say how many instances a tuple has ({INSTANCES} here, with {', '.join(map(str, OTHER_INSTANCES))} "
    "beside it), how the true probabilities lie, how they fluctuate (here uniformly), from which probability on an "
    "instance is predicted positive (here 1/2) and what strong means (here an order).  The true "
    f"probabilities lie {'; or '.join(DESIGNS.values())}.  wAUC is of the whole ROC curve of a tuple, with rho = 0.1 "
    "and w(0) = 1 - rho.  If the list is evenly ranked, many negative instances are above 1/2, and accuracy correlates "
    "positively with TPr: the first conclusion depends on how the probabilities lie."
)


# -- figure and everything ---------------------------------------------------------------------------------------------


def _draw_correlations(matrices: Matrices) -> Figure:
    from matplotlib.figure import Figure

    names = [NAMES[key] for key in GARCIA_METRICS]
    figure = Figure(figsize=(11, 13.5), layout="constrained")
    panels = list(figure.subplots(3, 2).flat)
    for axes in panels[len(matrices) :]:
        axes.set_axis_off()
    for axes, (percentage, matrix) in zip(panels, matrices.items(), strict=False):
        squares(matrix.tolist(), names, names, low=-1, high=1, label="Pearson's coefficient", ax=axes)
        axes.set_title(f"{percentage} % positive instances")
    return figure


def _draw_table_2() -> Figure:
    """Draw table 2 as it is printed, and as it is proved and refuted, with what depends on a parameter."""
    from matplotlib.figure import Figure

    signs, names = printed_signs(), [NAMES[key] for key in GARCIA_METRICS]
    printed = [
        ["holds" if signs[metric, key] == "-" else "does not hold" for key in GARCIA_PROPERTIES]
        for metric in GARCIA_METRICS
    ]
    proved = [[_answer(prove(metric, key)) for key in GARCIA_PROPERTIES] for metric in GARCIA_METRICS]
    figure = Figure(figsize=(8, 4.4), layout="constrained")
    for axes, title, answers in zip(
        figure.subplots(1, 2), ("invariance, as printed", "invariance, as decided"), (printed, proved), strict=True
    ):
        marks(answers, names, list(GARCIA_PROPERTIES), ax=axes)
        axes.set_title(title, fontsize="medium")
    return figure


def _answer(verdict: Verdict) -> str:
    if verdict.status == "conditional":
        return "holds for some parameters"
    return {True: "holds", False: "does not hold", None: "open"}[verdict.holds]


def _kept_correlations(steps: Steps, percentage: int, size: int, design: str) -> NDArray[np.float64]:
    key = f"correlations_{design.replace(' ', '_')}_{size}_instances_{percentage}_percent"
    return np.array(steps.done(key, lambda: correlations(percentage, size, design).tolist()))


def experiment(steps: Steps) -> Experiment:
    """Return everything of the paper, computed again; it takes some tens of seconds.

    :param steps: keeps the matrices
    """
    settings = [(design, INSTANCES) for design in DESIGNS] + [("halves", size) for size in OTHER_INSTANCES]
    wanted = list(itertools.product(settings, PERCENTAGES))
    collections: dict[tuple[str, int], dict[int, NDArray[np.float64]]] = {}
    for (design, size), percentage in watched(wanted, "garcia2012, correlations"):
        collections.setdefault((design, size), {})[percentage] = _kept_correlations(steps, percentage, size, design)
    matrices = collections["halves", INSTANCES]
    return Experiment(
        "García, Sánchez & Mollineda (2012), On the suitability of numerical performance measures for class imbalance "
        "problems",
        (_section_3_1(matrices, INSTANCES),),
        (ASSUMPTIONS, _summary(collections), *(_matrix_remark(*item) for item in matrices.items())),
        {"table2": _draw_table_2, "correlations": lambda: _draw_correlations(matrices)},
    )
