"""How metrics correlate while the errors of two classes are traded: García, Sánchez & Mollineda (2012), section 3.1.

A tuple of instances has true probabilities, which are distorted: more and more those of the positive class, less and
less those of the negative one.  What the metrics make of many such tuples is correlated, at each share of positives.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from symmetrics.curves.weighted import weighted_auc
from symmetrics.data.counts import Cells, FloatArray, shown
from symmetrics.evaluation.datasets import as_frame
from symmetrics.library.selections import GARCIA_METRICS
from symmetrics.papers.comparison import section, watched
from symmetrics.papers.criteria import Criterion, as_criteria
from symmetrics.posets.poset import as_whole
from symmetrics.tools.arguments import advising
from symmetrics.tools.drawing.canvas import axes_for
from symmetrics.tools.drawing.charts import squares
from symmetrics.tools.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PERCENTAGES: Final = (5, 10, 15, 20, 25)
"""The imbalance levels: percent of positive instances."""
STEPS_OF_DISTORTION: Final = 12
"""The two distortion terms are multiples of 0.05 that add up to 0.6."""
REPETITIONS: Final = 10
"""Tuples of each combination of distortion terms."""
INSTANCES: Final = 1000
"""Instances of a tuple, which the text does not say."""
SEED: Final = 2012
DESIGNS: Final[Mapping[str, str]] = {
    "halves": "evenly over (0, 1/2) for the negative and over (1/2, 1) for the positive instances",
    "random halves": "at random in these halves",
    "evenly ranked": "evenly over (0, 1) along the ranked list, the positive instances at its top",
}
"""How the true probabilities may lie."""
PAPER_METRICS: Final[Mapping[str, Any]] = MappingProxyType(
    {key: partial(weighted_auc, rho=0.1) if key == "wauc" else key for key in GARCIA_METRICS}
)
"""The 13 metrics of the paper, as :func:`correlation_study` takes them: wAUC is of the whole ROC curve of a tuple."""
Design = str | Callable[[int, int], tuple[FloatArray, FloatArray]]


# -- The scores ----------------------------------------------------------------------------------------------------


def true_probabilities(positives: int, negatives: int, design: object = "halves") -> tuple[FloatArray, FloatArray]:
    """Return the main list: the probabilities of the positive and of the negative instances.

    :param design: one of :data:`DESIGNS`

    >>> [probabilities.tolist() for probabilities in true_probabilities(1, 2)]
    [[0.75], [0.125, 0.375]]
    >>> [probabilities.tolist() for probabilities in true_probabilities(1, 3, "evenly ranked")]
    [[0.875], [0.125, 0.375, 0.625]]
    """
    if not isinstance(design, str) or design not in DESIGNS:
        raise UnknownNameError("design", str(design), DESIGNS)
    if design == "evenly ranked":
        every = (np.arange(positives + negatives) + 0.5) / (positives + negatives)
        return every[negatives:], every[:negatives]
    if design == "random halves":
        generator = np.random.default_rng([SEED, positives, negatives])
        return 0.5 + np.sort(generator.random(positives)) / 2, np.sort(generator.random(negatives)) / 2
    return 0.5 + (np.arange(positives) + 0.5) / (2 * positives), (np.arange(negatives) + 0.5) / (2 * negatives)


class ScoredTuple(NamedTuple):
    """The instances of one tuple.

    :param of_positives, of_negatives: the distortion terms of the two classes
    :param y_true: 1 for positive, 0 for negative instances, the positive ones first
    :param y_score: the distorted probabilities; from 1/2 on positive is predicted
    """

    of_positives: float
    of_negatives: float
    y_true: NDArray[np.intp]
    y_score: FloatArray


@advising()
def distorted_scores(
    percentage: int, *, instances: int = INSTANCES, design: Design = "halves", repetitions: int = REPETITIONS
) -> Iterator[ScoredTuple]:
    """Yield the tuples of one collection: 13 combinations of distortion terms, ten tuples each, always the same.

    Every probability p moves to a uniformly random place between p - e and p + e within [0, 1], e being the distortion
    term of its class, from (0, 0.6) for positive and negative instances in steps of 0.05 to (0.6, 0).

    :param percentage: percent of positive instances
    :param instances: of a tuple; the text does not say how many
    :param design: how the true probabilities lie, one of :data:`DESIGNS`, or a function of the numbers of positive and
        of negative instances that returns the probabilities of both
    :param repetitions: tuples of each combination
    :raises InputError: if a class would have no instance, and on what is no design

    >>> first = next(distorted_scores(10, instances=20))
    >>> first.of_negatives, first.y_true.sum().item(), first.y_score[:2].tolist()
    (0.6, 2, [0.625, 0.875])
    """
    instances, repetitions = as_whole(instances, "instances", 2), as_whole(repetitions, "repetitions", 1)
    positives = instances * as_whole(percentage, "percentage", 1) // 100
    if not 0 < positives < instances:
        raise InputError(f"{percentage} % of {instances} instances leave a class empty; pass another share, or more")
    make = design if callable(design) else partial(true_probabilities, design=design)
    above, below = (np.asarray(of_class, dtype=np.float64) for of_class in make(positives, instances - positives))
    if (above.shape, below.shape) != ((positives,), (instances - positives,)):
        raise InputError(f"the design has probabilities of the shapes {above.shape} and {below.shape}; make one each")
    return _tuples(above, below, repetitions, np.random.default_rng([SEED, percentage, instances]))


def _tuples(
    above: FloatArray, below: FloatArray, repetitions: int, generator: np.random.Generator
) -> Iterator[ScoredTuple]:
    truth = np.repeat((1, 0), (above.size, below.size))
    for step in range(STEPS_OF_DISTORTION + 1):
        terms = step / 20, (STEPS_OF_DISTORTION - step) / 20
        for _ in range(repetitions):
            high, low = (_perturbed(p, e, generator) for p, e in zip((above, below), terms, strict=True))
            yield ScoredTuple(*terms, truth, np.concatenate((high, low)))


def _perturbed(probabilities: FloatArray, distortion: float, generator: np.random.Generator) -> FloatArray:
    return generator.uniform(np.maximum(0, probabilities - distortion), np.minimum(1, probabilities + distortion))


def counts_of(tuples: Iterable[ScoredTuple]) -> Cells:
    """Return TP, FN, FP, TN of every tuple, as four arrays."""
    rows = []
    for one in tuples:
        predicted, positive = one.y_score >= 0.5, one.y_true == 1
        tp, fp = np.count_nonzero(predicted & positive), np.count_nonzero(predicted & ~positive)
        rows.append((tp, positive.sum() - tp, fp, (~positive).sum() - fp))
    return Cells(*np.array(rows, dtype=np.float64).T)


# -- The study -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class CorrelationStudy:
    """The coefficients between metrics, at every share of positive instances.

    :param names: of the metrics
    :param matrices: a coefficient for every two of them, in their order, by percent of positive instances; nan where
        one of the two is constant
    :param undefined: at how many tuples a metric has no finite value, by percent and name, where there is one; its
        coefficients leave them out
    :param method: ``"pearson"`` or ``"spearman"``
    """

    names: tuple[str, ...]
    matrices: Mapping[int, FloatArray] = field(repr=False)
    undefined: Mapping[tuple[int, str], int]
    method: str

    def between(self, first: str, second: str) -> dict[int, float]:
        """Return the coefficient of two metrics by percent of positive instances.

        :raises UnknownNameError: if one of them is not in the study
        """
        for name in (first, second):
            if name not in self.names:
                raise UnknownNameError("metric", name, self.names)
        places = self.names.index(first), self.names.index(second)
        return {percentage: float(matrix[places]) for percentage, matrix in self.matrices.items()}

    def to_frame(self) -> Any:
        """Return a data frame with a row for each share of positives and metric, and a column for each metric.

        :raises InputError: without pandas
        """
        rows = [
            {"percentage": percentage, "metric": name, **dict(zip(self.names, row.tolist(), strict=True))}
            for percentage, matrix in self.matrices.items()
            for name, row in zip(self.names, matrix, strict=True)
        ]
        return as_frame(rows).set_index(["percentage", "metric"])

    def to_markdown(self) -> str:
        """Return a table for each share of positives."""
        tables = []
        for percentage, matrix in self.matrices.items():
            rows = [(name, *(f"{x:.3f}" for x in row)) for name, row in zip(self.names, matrix, strict=True)]
            tables.append(section(f"{percentage} % positive instances", ("", *self.names), rows))
        return "\n\n".join(tables)

    def plot(self, percentage: int | None = None, *, ax: Axes | None = None) -> Axes:
        """Draw the coefficients at one share of positives, by default the smallest, as coloured squares.

        :raises InputError: on another share, or if matplotlib is not installed
        """
        chosen = min(self.matrices) if percentage is None else percentage
        if chosen not in self.matrices:
            raise InputError(f"percentage={shown(chosen)} is not in the study; pass one of {[*self.matrices]}")
        label = {"pearson": "Pearson's coefficient", "spearman": "Spearman's coefficient"}[self.method]
        ax = axes_for(ax, width=2.2 + 0.36 * len(self.names), height=1.6 + 0.34 * len(self.names))
        ax = squares(self.matrices[chosen].tolist(), self.names, self.names, low=-1, high=1, label=label, ax=ax)
        ax.set_title(f"{chosen} % positive instances")
        return ax


@advising()
def correlation_study(
    metrics: object = None,
    *,
    percentages: Iterable[int] = PERCENTAGES,
    instances: int = INSTANCES,
    design: Design = "halves",
    repetitions: int = REPETITIONS,
    method: str = "pearson",
    progress: bool = True,
) -> CorrelationStudy:
    """Correlate metrics over tuples of instances whose classes are distorted against each other.

    It is the experiment of García, Sánchez & Mollineda (2012), section 3.1, and with the defaults its reading here.

    :param metrics: by default :data:`PAPER_METRICS`; a list or mapping of metrics, expressions, names, formulas, and
        functions of true labels and scores, which see the whole curve of a tuple
    :param percentages: of positive instances
    :param instances, design, repetitions: as for :func:`distorted_scores`
    :param method: ``"pearson"``, or ``"spearman"``, which correlates ranks
    :param progress: show it on standard error
    :raises InputError: on what is no metric, and on settings that are none

    >>> found = correlation_study({"mine": "TP/(TP + 2*FN)", "tpr": "tpr"}, percentages=[5], progress=False)
    >>> round(found.between("mine", "tpr")[5], 4)
    0.9943
    """
    criteria = as_criteria(PAPER_METRICS if metrics is None else metrics, "metrics")
    if method not in ("pearson", "spearman"):
        raise InputError(f"method={shown(method)} is unknown; pass 'pearson' or 'spearman'")
    collections = {
        percentage: distorted_scores(percentage, instances=instances, design=design, repetitions=repetitions)
        for percentage in percentages
    }
    if not collections:
        raise InputError("percentages is empty; pass the shares of positive instances, as in [5, 25]")
    matrices, undefined = {}, {}
    for percentage, tuples in watched(list(collections.items()), "correlations", shown=progress):
        values = _values(criteria, list(tuples))
        matrices[percentage] = coefficients(values, method)
        for one, missing in zip(criteria, (~np.isfinite(values)).sum(axis=1).tolist(), strict=True):
            if missing:
                undefined[percentage, one.name] = missing
    return CorrelationStudy(tuple(one.name for one in criteria), matrices, undefined, method)


def _values(criteria: list[Criterion], tuples: list[ScoredTuple]) -> FloatArray:
    """Return a row of values for each criterion."""
    cells = counts_of(tuples)
    return np.array(
        [
            one.at_thresholds(*cells)
            if one.of_scores is None
            else np.array([one.of_scores(scored.y_true, scored.y_score) for scored in tuples], dtype=np.float64)
            for one in criteria
        ]
    )


def coefficients(values: FloatArray, method: str = "pearson") -> FloatArray:
    """Return the coefficients between rows of values; places where one of two rows has no value are left out.

    >>> coefficients(np.array([[1, 2, 4], [2, 4, 8], [5, 5, 5]])).tolist()
    [[1.0, 1.0, nan], [1.0, 1.0, nan], [nan, nan, nan]]
    """
    matrix: FloatArray = np.empty((len(values), len(values)))
    known = np.isfinite(values)
    for same in {row.tobytes() for row in known}:  # all rows with values at the same places are correlated at once
        places = np.array([row.tobytes() == same for row in known])
        matrix[np.ix_(places, places)] = _correlated(values[places].compress(known[places][0], axis=1), method)
    for i, j in np.argwhere((known[:, None] != known).any(axis=-1)):
        matrix[i, j] = _correlated(values[[i, j]].compress(known[i] & known[j], axis=1), method)[0, 1]
    return matrix


def _correlated(values: FloatArray, method: str) -> FloatArray:
    from scipy.stats import rankdata

    if values.shape[1] < 2:
        return np.full((len(values), len(values)), np.nan)
    with np.errstate(invalid="ignore", divide="ignore"):
        found = np.corrcoef(rankdata(values, axis=1) if method == "spearman" else values)
    matrix: FloatArray = np.atleast_2d(found)
    np.fill_diagonal(matrix, 1.0)  # which rounding may miss
    constant = values.min(axis=1) == values.max(axis=1)
    matrix[constant, :] = matrix[:, constant] = np.nan
    return matrix
