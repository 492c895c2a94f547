"""Section IV.D of Thai-Nghe, Gantner & Schmidt-Thieme (2011) on really large data sets, of stated imbalance.

No package ships imbalanced data of the size of the paper's, which have 87 904 and 480 189 examples.  These are drawn:
two normal classes with one covariance, on which logistic regression is the right model, so that what a treatment
changes is what it makes of the examples, and not what the model can not say.  The fewer examples a parameter is
estimated from, the worse it is; undersampling keeps two for every example of the minority.  Whether that degrades a
large data set is thus an open question, and depends on the number of minority examples, not on the number of all.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from typing import Any, Final

import numpy as np

from symmetrics.papers.comparison import Comparison
from symmetrics.papers.imbalanced import ImbalancedSet
from symmetrics.papers.judged import Judged, judged
from symmetrics.papers.linear import CRITERIA, FOLDS, SEED, Search, compare_treatments
from symmetrics.papers.steps import Steps
from symmetrics.papers.validated_sets import Collection, Validated

__all__ = ["FEATURES", "PERCENTS", "ROWS", "SEPARATIONS", "large_sets", "synthetic", "treatments_of", "validate_large"]

ROWS: Final = 100_000
FEATURES: Final = 40
PERCENTS: Final = (0.1, 1.0, 10.0)
"""Minority examples in percent."""
SEPARATIONS: Final[Mapping[float, float]] = {1.5: 0.856, 3.0: 0.983}
"""Standard deviations between the means of the classes, with the AUC of the best classifier, Φ(separation/√2)."""
COARSE: Final = Search((0.01, 1.0), 2)
"""Fewer settings than for small data sets: the more examples, the less C matters."""


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
    from tqdm import tqdm

    wanted = list(itertools.product(SEPARATIONS, PERCENTS))
    found = [_one(steps, *design) for design in tqdm(wanted, desc="large", disable=None)]
    return {criterion: tuple(results[criterion] for results in found) for criterion in CRITERIA}


def _one(steps: Steps, separation: float, percent: float) -> dict[str, Validated]:
    def compute() -> dict[str, Any]:
        generator = np.random.default_rng([SEED, round(10 * separation), round(100 * percent)])
        return compare_treatments(synthetic(percent, separation, generator, ROWS), COARSE)

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
        f"{' and '.join(f'{cost:g}' for cost in COARSE.costs)} by {COARSE.folds} inner folds, by {CRITERIA[0]}.  In "
        f"brackets the 95 % interval of the mean difference over {FOLDS} folds; the folds share training examples, so "
        "that it is rather too narrow."
    )
    cells = tuple(cell for result in results for cell in treatments_of(result))
    return Comparison(f"Section IV.D, treatments of {ROWS:,} examples of stated imbalance", cells, (remark,))
