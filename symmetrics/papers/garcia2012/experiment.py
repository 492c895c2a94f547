"""García, Sánchez & Mollineda (2012): table 2, and the correlations of section 3.1 with each conclusion as a check.

What the text leaves open of section 3.1, and what stands for it here:

- the number of instances in a tuple: 1000; the conclusions are looked at with 200 and with 5000 as well;
- the true probabilities: evenly spaced over (0, 1/2) for the negative and over (1/2, 1) for the positive instances, the
  middles of as many equal parts as there are instances of the class;
- the fluctuation: uniform on the range that is given;
- the decision: positive from 1/2 on;
- "strong": a coefficient of at least 0.7 in absolute value.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from symmetrics.library import metrics
from symmetrics.library.selections import GARCIA_METRICS, GARCIA_PROPERTIES
from symmetrics.numeric.counts import Cells
from symmetrics.papers.comparison import Comparison, Experiment
from symmetrics.papers.judged import judged
from symmetrics.papers.steps import Steps

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["CONCLUSIONS", "INSTANCES", "PERCENTAGES", "Conclusion", "correlations", "experiment", "tuples"]

TABLE_2: Final = Path(__file__).with_name("table2.csv")
PERCENTAGES: Final = (5, 10, 15, 20, 25)
"""The imbalance levels: percent of positive instances."""
STEPS_OF_DISTORTION: Final = 12
"""The two distortion terms are multiples of 0.05 that add up to 0.6."""
REPETITIONS: Final = 10
"""Tuples of each combination of distortion terms."""
INSTANCES: Final = 1000
"""Instances of a tuple, which the text does not say."""
OTHER_INSTANCES: Final = (200, 5000)
"""With these the conclusions are looked at again."""
STRONG: Final = 0.7
"""From here on a correlation is called strong, which the text does not define."""
SEED: Final = 2012

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


def true_probabilities(positives: int, negatives: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the main list: the probabilities of the positive and of the negative instances.

    >>> [probabilities.tolist() for probabilities in true_probabilities(1, 2)]
    [[0.75], [0.125, 0.375]]
    """
    return 0.5 + (np.arange(positives) + 0.5) / (2 * positives), (np.arange(negatives) + 0.5) / (2 * negatives)


def tuples(percentage: int, instances: int = INSTANCES) -> Cells:
    """Return the tables of one collection: 13 combinations of distortion terms, ten tuples each.

    :param percentage: percent of positive instances
    :returns: four arrays of 130 counts, the combinations one after the other, from the largest distortion of the
        negative class on
    """
    generator = np.random.default_rng([SEED, percentage, instances])
    positives = instances * percentage // 100
    negatives = instances - positives
    above, below = true_probabilities(positives, negatives)
    hits, alarms = [], []
    for step in range(STEPS_OF_DISTORTION + 1):
        of_positives, of_negatives = step / 20, (STEPS_OF_DISTORTION - step) / 20
        for _ in range(REPETITIONS):
            hits.append(np.count_nonzero(_perturbed(above, of_positives, generator) >= 0.5))
            alarms.append(np.count_nonzero(_perturbed(below, of_negatives, generator) >= 0.5))
    tp, fp = np.array(hits, dtype=np.float64), np.array(alarms, dtype=np.float64)
    return Cells(tp, positives - tp, fp, negatives - fp)


def _perturbed(
    probabilities: NDArray[np.float64], distortion: float, generator: np.random.Generator
) -> NDArray[np.float64]:
    return generator.uniform(np.maximum(0, probabilities - distortion), np.minimum(1, probabilities + distortion))


def correlations(percentage: int, instances: int = INSTANCES) -> NDArray[np.float64]:
    """Return Pearson's coefficients between all 13 metrics over one collection, in the order of the paper's table 2.

    :param percentage: percent of positive instances
    """
    cells = tuples(percentage, instances)
    values = np.array([metrics[key].from_counts(*cells) for key in GARCIA_METRICS])
    matrix: NDArray[np.float64] = np.corrcoef(values)
    return matrix


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

    def holds(self, coefficient: float) -> bool:
        """Whether a coefficient is as stated."""
        signed = coefficient if self.stated.endswith("positive") else -coefficient
        return signed >= STRONG if self.stated.startswith("strong") else signed > 0


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

NOTES: Final[Mapping[str, str]] = {
    "wauc_with_tpr": "at one operating point wAUC has the slopes (1 - rho)/2 - rho*TNr by TPr and the larger "
    "(1 + rho)/2 - rho*TPr by TNr",
    "optimized_precision_follows_tnr": "positive, and below the 0.7 that is called strong here",
}
"""What explains that a conclusion does not hold."""

Matrices = Mapping[int, NDArray[np.float64]]


def _coefficient(conclusion: Conclusion, matrix: NDArray[np.float64]) -> float:
    return float(matrix[GARCIA_METRICS.index(conclusion.first), GARCIA_METRICS.index(conclusion.second)])


def _section_3_1(matrices: Matrices, instances: int) -> Comparison:
    cells = []
    for conclusion in CONCLUSIONS:
        pair = f"{NAMES[conclusion.first]} and {NAMES[conclusion.second]}"
        for percentage, matrix in matrices.items():
            value = _coefficient(conclusion, matrix)
            place = f"{conclusion.name}: {pair}, {percentage} % positive"
            holds = conclusion.holds(value)
            note = "" if holds else NOTES.get(conclusion.name, "")
            cells.append(judged(place, value, conclusion.stated, holds, note))
    remarks = (
        f"Pearson's coefficients over 130 tuples of {instances} instances at each imbalance level, seeded.  The text "
        'prints no number.  "Strong" is at least 0.7 in absolute value here; cwA has w = 3/4.',
    )
    return Comparison("Section 3.1, every conclusion at every imbalance level", tuple(cells), remarks)


def _summary(by_instances: Mapping[int, Matrices]) -> str:
    """Return at how many levels each conclusion holds, with the number of instances of the study and with others."""
    from tabulate import tabulate

    columns = ("conclusion", "stated", *(f"{instances} instances" for instances in by_instances))
    rows = [
        (conclusion.name, conclusion.stated, *(_in_words(conclusion, matrices) for matrices in by_instances.values()))
        for conclusion in CONCLUSIONS
    ]
    return f"## Section 3.1, which conclusions hold\n\n{tabulate(rows, columns, tablefmt='github')}"


def _in_words(conclusion: Conclusion, matrices: Matrices) -> str:
    values = {percentage: _coefficient(conclusion, matrix) for percentage, matrix in matrices.items()}
    failing = ", ".join(f"{percentage} %" for percentage, value in values.items() if not conclusion.holds(value))
    answer = f"fails at {failing}" if failing else "holds at all levels"
    return f"{answer} ({min(values.values()):.2f} to {max(values.values()):.2f})"


def _matrix_remark(percentage: int, matrix: NDArray[np.float64]) -> str:
    from tabulate import tabulate

    names = [NAMES[key] for key in GARCIA_METRICS]
    rows = [(name, *(f"{value:.3f}" for value in row)) for name, row in zip(names, matrix, strict=True)]
    table = tabulate(rows, ("", *names), tablefmt="github", disable_numparse=True)
    return f"## Section 3.1, correlations with {percentage} % positive instances\n\n{table}"


ASSUMPTIONS: Final = (
    "## Section 3.1, what the text leaves open\n\n"
    f"It does not say how many instances a tuple has ({INSTANCES} here), how the true probabilities lie within the "
    "classes (here evenly over the half of [0, 1] that belongs to the class), how they fluctuate (here uniformly) and "
    "from which probability on an instance is predicted positive (here 1/2).  Such a design treats the classes alike, "
    "and so do AUC and Gm: what makes TPr count more for them is the noise of the smaller class alone, and their "
    "coefficients depend on the number of instances."
)


# -- figure and everything ---------------------------------------------------------------------------------------------


def _draw_correlations(matrices: Matrices) -> Figure:
    from matplotlib.figure import Figure

    names = [NAMES[key] for key in GARCIA_METRICS]
    figure = Figure(figsize=(16, 10.5), layout="constrained")
    panels = list(figure.subplots(2, 3).flat)
    for axes, (percentage, matrix) in zip(panels, matrices.items(), strict=False):
        image = axes.imshow(matrix, vmin=-1, vmax=1, cmap="RdBu_r")
        axes.set_xticks(range(len(names)), names, rotation=90)
        axes.set_yticks(range(len(names)), names)
        axes.set_title(f"{percentage} % positive instances")
        for (row, column), value in np.ndenumerate(matrix):
            colour = "white" if abs(value) > 0.6 else "black"
            axes.text(column, row, f"{value:.1f}", ha="center", va="center", fontsize=6.5, color=colour)
    for axes in panels[len(matrices) :]:
        axes.set_axis_off()
    figure.colorbar(image, ax=panels[len(matrices) :], location="left", shrink=0.8, label="Pearson's coefficient")
    return figure


def _kept_correlations(steps: Steps, percentage: int, size: int) -> NDArray[np.float64]:
    key = f"correlations_{size}_instances_{percentage}_percent"
    return np.array(steps.done(key, lambda: correlations(percentage, size).tolist()))


def experiment(steps: Steps) -> Experiment:
    """Return everything of the paper, computed again; it takes some seconds.

    :param steps: keeps the matrices
    """
    from tqdm import tqdm

    wanted = [(size, percentage) for size in (INSTANCES, *OTHER_INSTANCES) for percentage in PERCENTAGES]
    by_instances: dict[int, dict[int, NDArray[np.float64]]] = {}
    for size, percentage in tqdm(wanted, desc="correlations", disable=None):
        by_instances.setdefault(size, {})[percentage] = _kept_correlations(steps, percentage, size)
    matrices = by_instances[INSTANCES]
    return Experiment(
        "García, Sánchez & Mollineda (2012), On the suitability of numerical performance measures for class imbalance "
        "problems",
        (_section_3_1(matrices, INSTANCES),),
        (ASSUMPTIONS, _summary(by_instances), *(_matrix_remark(*item) for item in matrices.items())),
        {"correlations": lambda: _draw_correlations(matrices)},
    )
