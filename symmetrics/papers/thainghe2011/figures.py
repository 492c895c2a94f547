"""Figures 1, 3, 4 and 5 of Thai-Nghe, Gantner & Schmidt-Thieme (2011) on other data sets, and B42 by imbalance."""

from __future__ import annotations

import csv
import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from sympy import Rational

from symmetrics.curves import BetaCosts
from symmetrics.curves.figures import cost_weights
from symmetrics.papers.comparison import Comparison, Judged, Steps, judged, printed_data
from symmetrics.papers.imbalanced import ImbalancedSet
from symmetrics.papers.linear import CLASSIFIERS, CRITERIA, compare_treatments
from symmetrics.papers.resampling import FOLDS, SEED
from symmetrics.papers.validated_sets import Collection, Validated, collected
from symmetrics.tools.drawing.canvas import legend_below, looks
from symmetrics.tools.drawing.charts import bars

if TYPE_CHECKING:
    from matplotlib.figure import Figure


LABELS: Final[Mapping[str, str]] = {"SVM": "ℓ2-SVM", "LR": "ℓ2-LR"}
BETAS: Final = (
    ("H: Beta(2, 2)", BetaCosts(2, 2)),
    ("B42: Beta(4, 2)", BetaCosts(4, 2)),
    ("Beta(6, 2)", BetaCosts(6, 2)),
    ("Beta(8, 2)", BetaCosts(8, 2)),
)
BANDWIDTH: Final = 0.005
"""Of the kernels in figure 3."""
SHOWN: Final = 4
"""Data sets in figure 4."""


def preferred_by_auc_alone(results: Sequence[Validated]) -> tuple[Validated, ...]:
    """Return the data sets on which LR has the higher mean AUC, and the lower mean TPr and B42."""
    return tuple(
        result
        for result in results
        if result.gain("LR", "SVM", "AUC") > 0 > max(result.gain("LR", "SVM", key) for key in ("TPr", "B42"))
    )


def figures(
    results: Sequence[Validated],
    treated: Sequence[Validated],
    large: Sequence[Validated],
    thinned: Sequence[Validated],
) -> dict[str, Callable[[], Figure]]:
    """Return the functions that draw the figures, by file name.

    :param results: both classifiers on all data sets, the most imbalanced first
    :param treated: logistic regression on the large ones under each treatment
    :param large: the same on drawn data sets
    :param thinned: the same on one data set with fewer and fewer examples of the minority
    """
    return {
        "figure1": _draw_weights,
        "figure3": lambda: _draw_implied(results[0]),
        "figure4": lambda: _draw_reversed(results),
        "figure5": lambda: _draw_rates(treated),
        "figure5_large": lambda: _draw_rates(large),
        "imbalance": lambda: _draw_imbalance(results, thinned),
    }


def _draw_weights() -> Figure:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(5, 4), layout="constrained")
    cost_weights(dict(BETAS), ax=figure.subplots())
    return figure


def _draw_implied(result: Validated) -> Figure:
    """Draw the weights for one data set; nearly all of AUC's lie near 1, so that they need a logarithmic scale."""
    from matplotlib.figure import Figure

    implied = {LABELS[key]: result.implied(key) for key in CLASSIFIERS}
    figure = Figure(figsize=(5, 4.2), layout="constrained")
    axes = cost_weights(implied=implied, bandwidth=BANDWIDTH, ax=figure.subplots())
    axes.set_title(f"{result.name}, {result.percent_minority:.2f} % minority")
    axes.set_yscale("log")
    axes.set_ylim(0.01, 200)
    return figure


def _draw_reversed(results: Sequence[Validated]) -> Figure:
    """Draw the data sets that AUC prefers LR on against TPr and B42, those with the largest difference in B42."""
    from matplotlib.figure import Figure

    found = preferred_by_auc_alone(results)
    chosen = sorted(found, key=lambda result: result.gain("LR", "SVM", "B42"))[:SHOWN]
    figure = Figure(figsize=(10, 4.2), layout="constrained")
    if not chosen:
        figure.suptitle("AUC prefers LR while TPr and B42 prefer the SVM: on no data set")
        return figure
    for axes, measure in zip(figure.subplots(1, 3), ("AUC", "TPr", "B42"), strict=True):
        means = {result.name: {LABELS[key]: result.mean(key, measure) for key in CLASSIFIERS} for result in chosen}
        bars(means, value=measure, ax=axes)
        # The bars begin at 0; the differences are too small to be read off them.
        for place, (svm, lr) in enumerate(values.values() for values in means.values()):
            axes.text(place, max(svm, lr) + 0.01, f"{lr - svm:+.4f}", ha="center", fontsize=8)
        axes.set_ylim(0, 1.1)
    figure.suptitle("Above the bars: LR - SVM", fontsize=9)
    return figure


def _draw_rates(treated: Sequence[Validated]) -> Figure:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(11, 4.2), layout="constrained")
    for axes, measure, title in zip(
        figure.subplots(1, 2), ("TPr", "TNr"), ("true positive rate", "true negative rate"), strict=True
    ):
        means = {
            f"{result.name}, {result.percent_minority:.1f} %": {
                key: result.mean(key, measure) for key in result.records
            }
            for result in treated
        }
        bars(means, value=title, ax=axes)
        axes.set_ylim(0, 1.02)
    return figure


def _draw_imbalance(results: Sequence[Validated], thinned: Sequence[Validated]) -> Figure:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 5), layout="constrained")
    axes = figure.subplots()
    shares = [result.percent_minority for result in results]
    first, *styles = looks(axes, 1 + len(thinned[0].records))
    values = [result.mean("LR", "B42") for result in results]
    axes.plot(shares, values, first.marker, color=first.colour, alpha=0.6, label="all data sets")
    for key, look in zip(thinned[0].records, styles, strict=True):
        label = f"{thinned[0].name} thinned, {key}"
        percents, means = [r.percent_minority for r in thinned], [r.mean(key, "B42") for r in thinned]
        axes.plot(percents, means, linestyle=look.dash, color=look.colour, marker=look.marker, label=label)
    axes.set_xscale("log")
    axes.set_xlabel("% minority")
    axes.set_ylabel("B42 of ℓ2-LR")
    axes.set_ylim(0, 1.05)
    ticks = (0.5, 1, 2, 5, 10, 20, 50)
    axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    axes.set_xticks([], minor=True)
    legend_below(axes, 40.0, ncols=2)
    return figure


# -- Section IV.D of Thai-Nghe, Gantner & Schmidt-Thieme (2011) on really large data sets, of stated imbalance ---------

# No package ships imbalanced data of the size of the paper's, which have 87 904 and 480 189 examples. These are
# drawn: two normal classes with one covariance, on which logistic regression is the right model, so that what a
# treatment changes is what it makes of the examples, and not what the model can not say. The fewer examples a
# parameter is estimated from, the worse it is; undersampling keeps two for every example of the minority. Whether
# that degrades a large data set is thus an open question, and depends on the number of minority examples, not on the
# number of all.


ROWS: Final = 100_000
FEATURES: Final = 40
PERCENTS: Final = (0.1, 1.0, 10.0)
"""Minority examples in percent."""
SEPARATIONS: Final[Mapping[float, float]] = {1.5: 0.856, 3.0: 0.983}
"""Standard deviations between the means of the classes, with the AUC of the best classifier, Φ(separation/√2)."""
COARSE: Final = ((0.01, 1.0), 2)
"""Values of C and inner folds, fewer than for small data sets: the more examples, the less C matters."""


def synthetic(percent: float, separation: float, generator: np.random.Generator, rows: int = ROWS) -> ImbalancedSet:
    """Return two normal classes with unit covariance, their means apart in a random direction.

    :param percent: of minority examples, which is met exactly up to one example
    :param separation: of the means, in standard deviations
    :param rows: examples of both classes

    >>> data = synthetic(0.5, 3, np.random.default_rng(0), rows=1000)
    >>> data.features.shape, int(data.positive.sum())
    ((1000, 40), 5)
    """
    direction = generator.standard_normal(FEATURES)
    positive = np.arange(rows) < round(rows * percent / 100)
    features = generator.standard_normal((rows, FEATURES))
    features[positive] += separation * direction / np.linalg.norm(direction)
    return ImbalancedSet(features, positive)


def validate_large(steps: Steps) -> Collection:
    """Return what logistic regression reaches on each of the drawn data sets under each treatment, by criterion."""
    return collected("large", list(itertools.product(SEPARATIONS, PERCENTS)), partial(_one, steps))


def _one(steps: Steps, design: tuple[float, float]) -> dict[str, Validated]:
    separation, percent = design

    def compute() -> dict[str, Any]:
        generator = np.random.default_rng([SEED, round(10 * separation), round(100 * percent)])
        return compare_treatments(synthetic(percent, separation, generator, ROWS), *COARSE)

    depends_on = (ROWS, FEATURES, separation, percent, SEED, COARSE)
    key = f"large_{round(10 * separation)}_{round(100 * percent)}"
    records = steps.done(key, compute, depends_on=depends_on)
    name = f"normal-{separation:g}-{percent:g}p"
    return {criterion: Validated(name, "drawn", ROWS, FEATURES, percent, records[criterion]) for criterion in CRITERIA}


def treatments_of(result: Validated) -> Iterator[Judged]:
    """Yield what is said of the treatments of a data set, with the effects and their intervals."""
    wanted = (
        ("RUS-balance", "B42", "degrades significantly", ("lose",)),
        ("weighting", "B42", "works fine", ("win", "tie")),
        ("RUS-balance", "TPr", "increases", ("win",)),
        ("RUS-balance", "TNr", "decreases significantly", ("lose",)),
    )
    for treatment, measure, printed, outcomes in wanted:
        found = result.outcome(treatment, "original", measure)
        change = f"{result.mean('original', measure):.3f} → {result.mean(treatment, measure):.3f}"
        effect = result.shown_gain(treatment, "original", measure)
        change_of_auc = result.shown_gain(treatment, "original", "AUC")
        note = f"AUC: {change_of_auc}" if found not in outcomes and measure == "B42" else ""
        place = f"{result.name}, {treatment}, {measure}"
        yield judged(place, f"{change}: {effect}, {found}", printed, found in outcomes, note)


def large_sets(results: tuple[Validated, ...]) -> Comparison:
    """Return section IV.D on the drawn data sets."""
    apart = " or ".join(f"{separation:g} (best AUC {area})" for separation, area in SEPARATIONS.items())
    remark = (
        f"{ROWS:,} examples with {FEATURES} features, drawn: two normal classes with unit covariance, {apart} standard "
        f"deviations apart, with {', '.join(f'{percent:g}' for percent in PERCENTS)} % minority; both numbers are in "
        "the name.  Logistic regression is the right model for them.  C is chosen from "
        f"{' and '.join(f'{cost:g}' for cost in COARSE[0])} by {COARSE[1]} inner folds, by {CRITERIA[0]}.  In "
        f"brackets the 95 % interval of the mean difference over {FOLDS} folds; the folds share training examples, so "
        "that it is rather too narrow."
    )
    cells = tuple(cell for result in results for cell in treatments_of(result))
    return Comparison(f"Section IV.D, treatments of {ROWS:,} examples of stated imbalance", cells, (remark,))


# -- What Thai-Nghe, Gantner & Schmidt-Thieme (2011) print, and whether it fits together -------------------------------

# Signs of significance of table I are taken as the extracted text has them; one that it lost and that section IV.C
# names is added. In table V it has so few of them that nothing is concluded from those.


MEASURES: Final = ("B42", "AUC", "H")


@dataclass(frozen=True)
class PrintedSet:
    """A row of table I.

    :param percent_minority: as it is printed
    :param values: mean and deviation, as they are printed, by measure and classifier
    """

    name: str
    percent_minority: str
    values: Mapping[tuple[str, str], tuple[str, str]]

    def mean(self, measure: str, classifier: str) -> Rational:
        """Return the mean of a measure, exactly as printed."""
        return Rational(self.values[measure, classifier][0])

    def deviation(self, measure: str, classifier: str) -> Rational:
        """Return the deviation of a measure, exactly as printed."""
        return Rational(self.values[measure, classifier][1])

    def gain(self, measure: str) -> Rational:
        """Return by how much logistic regression is above the SVM."""
        return self.mean(measure, "lr") - self.mean(measure, "svm")


printed: Final = partial(printed_data, Path(__file__).parent)
"""What is printed besides table I."""


@cache
def printed_sets() -> tuple[PrintedSet, ...]:
    """Return the rows of table I, in the printed order."""
    path = Path(__file__).with_name("table1.csv")
    with path.open(encoding="utf-8", newline="") as stream:
        return tuple(_row(row) for row in csv.DictReader(stream))


def _row(row: Mapping[str, str]) -> PrintedSet:
    values = {}
    for measure in MEASURES:
        for classifier in ("svm", "lr"):
            mean, deviation = row[f"{measure}_{classifier}"].split("±")
            values[measure, classifier] = (mean, deviation)
    return PrintedSet(row["data_set"], row["percent_minority"], values)


def printed_outcomes(measure: str) -> list[str]:
    """Return the outcomes of logistic regression against the SVM that table I marks, in its order."""
    marks, added = printed()["marks"][measure], printed()["marks_named_in_the_text"].get(measure, {})
    outcomes = {name: key for source in (marks, added) for key, names in source.items() for name in names}
    return [outcomes.get(row.name, "tie") for row in printed_sets()]
