"""The discrimination of section 5.2 in Branco, Torgo & Ribeiro (2017), exact, and figure 2 drawn from it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from symmetrics.data.counts import FloatArray
from symmetrics.matrices.discrimination import discrimination, measures_of
from symmetrics.matrices.discrimination.states import Sizes, states_of
from symmetrics.papers.comparison import Steps
from symmetrics.posets.relevance import Relevance, prevalence
from symmetrics.tools.drawing.charts import dots

if TYPE_CHECKING:
    from matplotlib.figure import Figure


# -- The different values that the authors' published code counts for figure 2, in the arithmetic of R -----------------

# The code is at https://github.com/paobranco/Relevance-basedMulticlassImbalanceMetrics (``MetricsImpl.R`` and
# ``discriminationTests.R``). It takes values for different as soon as their last bits are: what it counts is rounding
# errors too. Loops there add up 64-bit numbers; R's own ``sum`` and ``mean`` add up the compiler's ``long double``,
# on x86 a number of 80 bits, and round once at the end. An undefined precision is 0 without a relevance, and left out
# with one, like here.


PHI_OF_CODE: Final[Mapping[str, tuple[str, ...]]] = {
    "multi-minority": ("1", "0.8", "0.1"),
    "multi-majority": ("1", "0.2", "0.1"),
    "complete": ("1", "0.9", "0.4", "0.2"),
}
"""The relevances phi in ``discriminationTests.R``; table 4 has others for the first and the last scenario."""
LONG_DOUBLE_BITS: Final = int(np.finfo(np.longdouble).nmant) + 1
"""Binary digits of a ``long double`` on this machine: 64 on x86, where the authors' R ran; elsewhere CBA is counted
otherwise."""
Extended = NDArray[np.longdouble]


def counted_by_code(scenario: str, sizes: Sequence[int], relevances: Mapping[str, Relevance]) -> dict[str, int]:
    """Return how many different values the code finds for each metric, over all confusion matrices.

    :param relevances: by mechanism; those of PREV and phi are the code's own

    >>> from symmetrics.papers.branco2017.experiment import cases
    >>> found = counted_by_code("multi-minority", (2, 4, 15), cases()[0].relevances)
    >>> found["Rec_M"], found["Rec^PO"]
    (139, 144)
    """
    found: dict[str, FloatArray] = {}
    weights = _weights(scenario, sizes, relevances)
    for states in states_of(Sizes.of(sizes)):
        of_matrices = _Matrices(states.correct, sizes, states.predicted)
        for name, values in of_matrices.metrics(weights).items():
            before = found.get(name, np.empty(0))
            found[name] = np.unique(np.concatenate([before, np.unique(values)]))  # all nan are one, as in R
    return {name: len(values) for name, values in found.items()}


def _weights(scenario: str, sizes: Sequence[int], relevances: Mapping[str, Relevance]) -> dict[str, FloatArray]:
    """Return the relevances in 64 bits as they come out in R; those of PREV are shares already."""
    inverse = 1 / np.array(sizes, dtype=np.float64)
    ranks = {name: np.array([float(value) for value in relevances[name].values]) for name in ("PO", "TO")}
    phi = np.array(list(map(float, PHI_OF_CODE[scenario])))
    return {"PREV": inverse / _sum(inverse), **ranks, "phi": phi}


def _sum(terms: FloatArray) -> Any:
    """Return R's ``sum`` over the last axis: added up one by one in extended precision, rounded once."""
    return _added(terms).astype(np.float64)


def _added(terms: FloatArray | Extended) -> Extended:
    total = np.zeros(terms.shape[:-1], dtype=np.longdouble)
    for place in range(terms.shape[-1]):
        total = total + terms[..., place]
    return np.asarray(total)


def _mean(terms: FloatArray) -> FloatArray:
    """Return R's ``mean`` over the last axis: a mean in extended precision, and the mean of what it leaves over."""
    count = np.longdouble(terms.shape[-1])
    first = _added(terms) / count
    return np.asarray((first + _added(terms - first[..., None]) / count).astype(np.float64))


def _loop(terms: FloatArray) -> FloatArray:
    """Return what a loop in R adds up, in 64 bits from left to right."""
    total = np.zeros(terms.shape[:-1])
    for place in range(terms.shape[-1]):
        total = total + terms[..., place]
    return np.asarray(total)


class _Matrices:
    """What the code computes from the diagonals and the sums of rows and columns of matrices, in its order."""

    def __init__(self, correct: NDArray[np.int64], true: Sequence[int], predicted: NDArray[np.int64]) -> None:
        self.correct, self.true = correct.astype(np.float64), np.array(true, dtype=np.float64)
        self.predicted = predicted.astype(np.float64)
        self.called = predicted > 0
        self.divisor = np.where(self.called, self.predicted, 1.0)
        self.overlap = self.correct / np.maximum(self.true, self.predicted)

    def metrics(self, weights: Mapping[str, FloatArray]) -> dict[str, FloatArray]:
        """Return the values of the five metrics, without and with each of the relevances."""
        classes = self.true.size
        recall = _loop(self.correct / self.true) / classes
        precision = _loop(self.correct / self.divisor) / classes  # 0 where nothing is called the class
        f1 = _loop(2 * self.correct / (self.true + self.predicted)) / classes
        found = _by_name(("Rec_M", "Prec_M", "F1_M", "AvF1", "CBA"), recall, precision, f1, _mean(self.overlap))
        for mechanism, weight in weights.items():
            names = tuple(f"{name}^{mechanism}" for name in ("Rec", "Prec", "F1", "AvF1", "CBA"))
            found |= _by_name(names, *self._weighted(weight, 1.0 if mechanism == "PREV" else _sum(weight)))
        return found

    def _weighted(self, weight: FloatArray, total: float) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
        """Return the means of recall, precision, F1 and CBA; a total of 1 stands for none to divide by."""
        recall = _loop(weight * self.correct / self.true) / total
        shares = weight / total
        with np.errstate(invalid="ignore"):
            left = shares / _sum(np.where(self.called, shares, 0.0))[..., None]
        precision = _loop(np.where(self.called, left * self.correct / self.divisor, 0.0))
        f1 = _loop(weight * 2 * self.correct / (self.true + self.predicted)) / total
        return recall, precision, f1, _sum(weight * self.overlap) / total


def _by_name(
    names: Sequence[str], recall: FloatArray, precision: FloatArray, f1: FloatArray, cba: FloatArray
) -> dict[str, FloatArray]:
    """Return metrics by their names, with F1 of the means in its place; where both are 0 it is nan, as in R."""
    with np.errstate(invalid="ignore"):
        of_means = 2 * precision * recall / (precision + recall)
    return dict(zip(names, (recall, precision, of_means, f1, cba), strict=True))


# ----------------------------------------------------------------------------------------------------------------------


PAIRS: Final[Mapping[str, str]] = {"Rec": "Rec_M", "Prec": "Prec_M", "F1": "F1_M", "AvF1": "AvF1", "CBA": "CBA"}
"""The metrics that a relevance is put into, and what they are compared with."""
THREE: Final = 3
"""The classes of the problems that are not of the complete scenario."""


@dataclass(frozen=True)
class Difference:
    """How much better a metric discriminates with a relevance than without.

    :param scenario: the kind of problem
    :param metric: the metric, without relevance
    :param mechanism: where the relevance comes from
    :param gain: the difference of the shares of distinct values
    """

    scenario: str
    metric: str
    mechanism: str
    gain: Fraction


@dataclass(frozen=True)
class Counted:
    """The numbers of distinct values on one problem.

    :param scenario: the kind of problem
    :param sizes: the class sizes
    :param mechanisms: where relevances come from
    :param distinct: by metric, in the order of the study
    :param by_code: as the authors' published code counts them in R, with its relevances
    """

    scenario: str
    sizes: tuple[int, ...]
    mechanisms: tuple[str, ...]
    distinct: Mapping[str, int]
    by_code: Mapping[str, int] = field(default_factory=dict)

    @property
    def matrices(self) -> int:
        """The number of confusion matrices."""
        return Sizes(self.sizes).matrices


def count(scenario: str, sizes: tuple[int, ...], relevances: Mapping[str, Relevance], steps: Steps) -> Counted:
    """Return the discrimination of all metrics on a problem.

    :param relevances: by mechanism; that of PREV is replaced by the one that follows from the class sizes
    """
    weights = {name: list(phi.values) for name, phi in relevances.items()} | {"PREV": list(prevalence(sizes).values)}

    measures = measures_of(weights)
    plain = [measure for measure in measures if "^" not in measure.name]
    weighted = [measure for measure in measures if "^" in measure.name]

    def compute() -> dict[str, int]:
        found = [*discrimination(sizes, plain, zero_division=0), *discrimination(sizes, weighted)]
        return {result.metric: result.distinct for result in found}

    key = f"distinct_{'_'.join(map(str, sizes))}"
    depends_on = f"undefined is 0 without relevance: {measures!r}"
    exact = steps.done(key, compute, depends_on=depends_on)
    return Counted(scenario, sizes, tuple(weights), exact, _by_code(scenario, sizes, relevances, steps))


def _by_code(
    scenario: str, sizes: tuple[int, ...], relevances: Mapping[str, Relevance], steps: Steps
) -> Mapping[str, int]:
    def compute() -> dict[str, int]:
        return counted_by_code(scenario, sizes, relevances)

    depends_on = (relevances["PO"], relevances["TO"], LONG_DOUBLE_BITS)
    counted: dict[str, int] = steps.done(f"by_code_{'_'.join(map(str, sizes))}", compute, depends_on=depends_on)
    return counted


def differences(problems: Iterable[Counted], *, by_code: bool = False) -> list[Difference]:
    """Return the gains of all metrics with every relevance on every problem.

    :param by_code: as the authors' published code counts them, not exactly
    """
    return [
        Difference(problem.scenario, name, mechanism, Fraction(after - before, problem.matrices))
        for problem in problems
        for name, plain in PAIRS.items()
        for mechanism in problem.mechanisms
        for counts in (problem.by_code if by_code else problem.distinct,)
        for before, after in ((counts[plain], counts[f"{name}^{mechanism}"]),)
    ]


def discrimination_remark(problems: Sequence[Counted]) -> str:
    """Return the numbers of distinct values as tables in Markdown, and what the text says of them."""
    from tabulate import tabulate

    names = [name for name in problems[0].distinct if "^" not in name]
    rows = [
        (p.scenario, "-".join(map(str, p.sizes)), p.matrices, *(p.distinct[name] for name in names)) for p in problems
    ]
    counts = tabulate(rows, ("scenario", "problem", "matrices", *names), tablefmt="github", intfmt="")
    return "\n\n".join(
        [
            "## Section 5.2 and figure 2, discrimination, exact",
            "Numbers of distinct values over all confusion matrices with the class sizes given.  A precision that is "
            "undefined counts as 0 in the metrics without a relevance and is left out of those with one, as in table "
            "5; left out of all, Prec_M takes 10009 values instead of 8915 on 2-3-9-10.",
            counts,
            "How often the number of distinct values does not grow with a relevance.  The text says: in 5 % of the "
            "results for metrics based on recall, 2 % for CBA, never for others.  *Exact*: with the relevances of "
            "table 4 for the case of the same scenario, and PREV of the problem's own class sizes.  *By their code*: "
            "the values that the authors' published code tells apart, its own relevances phi "
            f"({'; '.join(f'{name}: ' + ', '.join(phi) for name, phi in PHI_OF_CODE.items())}) and the arithmetic of "
            "R, in which two values are different as soon as their last bits are.  Sum and mean of R add up in a long "
            f"double, of {LONG_DOUBLE_BITS} binary digits here (64 on x86): in 64-bit numbers CBA would lose 4 times "
            "instead of 9.  Both ways of counting have F1 among those that lose, and more losses of recall and of CBA "
            "than the text.",
            _losses(problems),
        ]
    )


def _losses(problems: Sequence[Counted]) -> str:
    """Return how often each metric does not gain, exactly and by the authors' code, as a table in Markdown."""
    from tabulate import tabulate

    three = [problem for problem in problems if len(problem.sizes) == THREE]
    ways = [(some, by_code) for some in (three, problems) for by_code in (False, True)]
    rows = [(name, *(_share(name, differences(some, by_code=by_code)) for some, by_code in ways)) for name in PAIRS]
    titles = ("metric", "3 classes, exact", "3 classes, by their code", "all, exact", "all, by their code")
    table: str = tabulate(rows, titles, tablefmt="github")
    return table


def _share(name: str, gains: Sequence[Difference]) -> str:
    of_metric = [difference.gain <= 0 for difference in gains if difference.metric == name]
    return f"{sum(of_metric)} of {len(of_metric)} ({100 * sum(of_metric) / len(of_metric):.1f} %)"


def draw_discrimination(problems: Sequence[Counted]) -> Figure:
    """Return figure 2: the gains in percentage points, by scenario, metric and mechanism."""
    from matplotlib.figure import Figure

    gains = differences(problems)
    scenarios = list(dict.fromkeys(problem.scenario for problem in problems))
    mechanisms = list(dict.fromkeys(difference.mechanism for difference in gains))
    figure = Figure(figsize=(11, 4), layout="constrained")
    for axes, scenario in zip(figure.subplots(1, len(scenarios), squeeze=False)[0], scenarios, strict=True):
        chosen = {
            metric: {
                mechanism: [100 * float(d.gain) for d in gains if _is_of(d, scenario, metric, mechanism)]
                for mechanism in mechanisms
            }
            for metric in PAIRS
        }
        dots(chosen, ax=axes)
        axes.axhline(0, color="0.6", linewidth=0.8)
        axes.set_xlabel(scenario)
    figure.axes[0].set_ylabel("gain in discrimination, percentage points")
    return figure


def _is_of(difference: Difference, *names: str) -> bool:
    return (difference.scenario, difference.metric, difference.mechanism) == names
