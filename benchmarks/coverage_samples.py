"""How often do intervals contain the true value: of metrics of k x k matrices, of groups of examples, of
pairs of predictions, of curves, and of scores with few positive examples?

The samples are drawn from known distributions, from a fixed seed, and the intervals asked for as a user does.  Printed
are the share of intervals that contain the true value, the shares of those above and below it, and the mean width.

usage: python benchmarks/coverage_samples.py [--replicates N] [--only matrices,groups,pairs,curves,bands,few]

The study `few` writes its numbers to benchmarks/results/coverage_scores.json as well.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import norm
from tqdm import trange

import symmetrics as sm
from symmetrics.curves import score_interval
from symmetrics.curves.bands import BANDS
from symmetrics.curves.measures import SCORE_MEASURES

Row = tuple[str, float, object]
"""What is estimated and by which method, its true value, and the interval."""
DISTANCE = 1.2
"""Of the scores of both classes, in standard deviations."""
RATES = np.array([0.05, 0.1, 0.3, 0.6])


def with_rates(prior: list[float], rates: list[float]) -> np.ndarray:
    """Return the shares of the entries: mistakes are the rarer, the further the classes are apart."""
    places = np.arange(len(prior))
    distance = np.abs(places[:, None] - places)
    mistakes = np.divide(1, distance, out=np.zeros(distance.shape), where=distance > 0)
    mistakes *= (1 - np.array(rates))[:, None] / mistakes.sum(axis=1, keepdims=True)
    return np.array(prior)[:, None] * (mistakes + np.diag(rates))


MATRICES = {
    "3 classes, rates 0.8": with_rates([1 / 3] * 3, [0.8] * 3),
    "3 classes, rare ones worse": with_rates([0.7, 0.2, 0.1], [0.9, 0.7, 0.5]),
    "3 classes, rates 0.97": with_rates([1 / 3] * 3, [0.97] * 3),
    "8 classes, rates 0.7": with_rates([1 / 8] * 8, [0.7] * 8),
}


def matrices(replicates: int) -> Iterator[None]:
    for title, shares in MATRICES.items():
        random, classes = np.random.default_rng(1), len(shares)
        for number in (50, 200, 1000):
            tables = random.multinomial(number, shares.reshape(-1), size=replicates).reshape(-1, classes, classes)
            for name in ("kappa", "mcc", "cba", "balanced_accuracy", "mavg", "rci", "cen"):
                metric = sm.multiclass[name]
                for method in ("auto", "bayes", "bca"):
                    found = metric.interval(tables, method=method, draws=1000)
                    true = float(metric.from_confusion(shares))
                    ends = np.array([found.low, found.high])
                    show(f"{title}, n={number}, {name}, {method}", ends, true)
                    yield


def of_groups(random: np.random.Generator, groups: int, size: int, alike: float) -> tuple[np.ndarray, ...]:
    """Return truth, prediction and group of examples, of which those of a group are alike."""

    def rates(mean: float) -> np.ndarray:
        return random.beta(mean * (1 / alike - 1), (1 - mean) * (1 / alike - 1), groups)

    group = np.repeat(np.arange(groups), random.poisson(size - 1, groups) + 1)
    truth = random.random(group.size) < rates(0.3)[group]
    guess = random.random(group.size) < np.where(truth, rates(0.8)[group], rates(0.1)[group])
    return truth.astype(int), guess.astype(int), group


def groups(replicates: int) -> Iterator[None]:
    cells = (0.24, 0.06, 0.07, 0.63)
    for number, size, alike in ((15, 10, 0.3), (30, 10, 0.3), (100, 10, 0.3), (30, 20, 0.5), (100, 5, 0.05)):
        random = np.random.default_rng(2)

        def one(
            random: np.random.Generator = random, shape: tuple[int, int, float] = (number, size, alike)
        ) -> list[Row]:
            truth, guess, group = of_groups(random, *shape)
            rows: list[Row] = []
            for name in ("recall", "f1", "mcc", "accuracy"):
                metric = sm.metrics[name]
                true = float(metric.from_counts(*cells))
                rows.append((f"{name}, as if alone", true, metric.interval_from_labels(truth, guess, method="delta")))
                for method in ("delta", "bootstrap"):
                    found = metric.interval_from_labels(truth, guess, groups=group, method=method, draws=1000)
                    rows.append((f"{name}, {method}", true, found))
            return rows

        yield from repeated(f"{number} groups of about {size}, {alike} alike", one, replicates)


def pairs(replicates: int) -> Iterator[None]:
    """The difference of two classifiers of k classes, of which the second repeats half of what the first says."""
    asked = {
        "kappa": (sm.multiclass["kappa"], {}),
        "mcc": (sm.multiclass["mcc"], {}),
        "macro F1": (sm.metrics["f1"], {"average": "macro"}),
        "weighted precision": (sm.metrics["precision"], {"average": "weighted"}),
    }
    for classes, number in ((3, 60), (3, 200), (5, 100), (5, 400), (10, 200)):
        prior = np.arange(1.0, classes + 1) / np.arange(1.0, classes + 1).sum()
        shares = [with_rates(list(prior), [rate] * classes) for rate in (0.65, 0.75)]
        shares[1] = (shares[0] + shares[1]) / 2
        true = {
            name: float(np.diff([metric.from_confusion(1e6 * each, **settings) for each in shares])[0])
            for name, (metric, settings) in asked.items()
        }
        random = np.random.default_rng(5)

        def one(
            random: np.random.Generator = random,
            shape: tuple[int, int] = (classes, number),
            prior: np.ndarray = prior,
            true: dict[str, float] = true,
        ) -> list[Row]:
            classes, number = shape
            truth = random.choice(classes, number, p=prior)
            fresh = []
            for rate in (0.65, 0.75):
                rows = with_rates([1.0] * classes, [rate] * classes).cumsum(axis=1)
                fresh.append((random.random(number)[:, None] > rows[truth]).sum(axis=1).clip(max=classes - 1))
            first, second = fresh[0], np.where(random.random(number) < 0.5, fresh[0], fresh[1])
            return [
                (name, true[name], (found.low, found.high))
                for name, (metric, settings) in asked.items()
                for found in [sm.compare(truth, first, second, metric, draws=100, **settings)]
            ]

        yield from repeated(f"pairs of {number} examples of {classes} classes", one, replicates)


def scores(random: np.random.Generator, number: int) -> tuple[np.ndarray, np.ndarray]:
    truth = (np.arange(number) % 4 == 0).astype(int)
    return truth, DISTANCE * truth + random.normal(size=number)


def curves(replicates: int) -> Iterator[None]:
    many = scores(np.random.default_rng(0), 1_000_000)
    names = ("auc", "weighted_auc", "average_precision", "kolmogorov_smirnov", "h_measure", "b42")
    true = {name: float(score_interval(*many, name, method="bootstrap", draws=100).estimate) for name in names}
    for number in (60, 200, 1000):
        random = np.random.default_rng(3)

        def one(random: np.random.Generator = random, number: int = number) -> list[Row]:
            truth, score = scores(random, number)
            return [(name, true[name], score_interval(truth, score, name, draws=500)) for name in names]

        yield from repeated(f"scores of {number}", one, replicates)


def bands(replicates: int) -> Iterator[None]:
    height = norm.cdf(norm.ppf(RATES) + DISTANCE)
    for number in (100, 400, 2000):
        for method in BANDS:
            random, hits = np.random.default_rng(4), []
            for _ in trange(replicates, disable=None, leave=False):
                band = sm.roc_band(*scores(random, number), fpr=RATES, method=method, draws=300)
                hits.append((band.low <= height) & (height <= band.high))
            each = ", ".join(f"{100 * share:.1f}" for share in np.mean(hits, axis=0))
            print(
                f"band of {number}, {method}: at FPr {RATES.tolist()} {each}; at all {100 * np.all(hits, 1).mean():.1f}"
            )
            yield


SETTINGS = {
    "normal, 0 apart": (0.0, 1.0),
    "normal, 1.2 apart": (1.2, 1.0),
    "normal, 2 apart": (2.0, 1.0),
    "half of the positives far above": (6.0, 0.5),
}
"""How many standard deviations positive examples are scored higher, and how many of them are."""
RESULTS = Path(__file__).parent / "results" / "coverage_scores.json"


def scored(random: np.random.Generator, positives: int, negatives: int, setting: str) -> tuple[np.ndarray, np.ndarray]:
    distance, share = SETTINGS[setting]
    truth = np.repeat([1, 0], (positives, negatives))
    return truth, distance * (truth * (random.random(truth.size) < share)) + random.normal(size=truth.size)


def few(replicates: int) -> Iterator[None]:
    """Of the measures of the convex hull, which take long, a quarter of the replicates."""
    rows: list[dict[str, Any]] = []
    slow = {"h_measure", "b42"}
    asked = [(name, replicates) for name in SCORE_MEASURES if name not in {"gini", *slow}]
    for chosen in (asked, [(name, replicates // 4) for name in sorted(slow)]):
        for setting, number, positives in product(SETTINGS, (60, 200), (3, 5, 10, 20)):
            many = scored(np.random.default_rng(0), 3000 * positives, 3000 * (number - positives), setting)
            for name, times in chosen:
                true = float(SCORE_MEASURES[name](*many))
                random, method = np.random.default_rng(6), ""
                ends = np.empty((2, times))
                for place in trange(times, disable=None, leave=False):
                    sample = scored(random, positives, number - positives, setting)
                    found = score_interval(*sample, name, draws=100 if name in slow else 200)
                    ends[:, place], method = tuple(found), found.method
                show(f"{setting}, {positives} of {number}, {name}, {method}", ends, true)
                above, below = float((ends[0] > true).mean()), float((ends[1] < true).mean())
                row = {"study": "few", "setting": setting, "measure": name, "n": number, "positives": positives}
                row |= {"method": method, "covered": round(1 - above - below, 4), "above": round(above, 4)}
                row |= {"below": round(below, 4), "width": round(float(np.diff(ends, axis=0).mean()), 4)}
                rows.append(row | {"replicates": times})
            RESULTS.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
            yield


def repeated(title: str, one: Callable[[], list[Row]], replicates: int) -> Iterator[None]:
    found: dict[tuple[str, float], list[tuple[float, float]]] = {}
    for _ in trange(replicates, disable=None, leave=False):
        for name, true, interval in one():
            found.setdefault((name, true), []).append(tuple(interval))
    for (name, true), ends in found.items():
        show(f"{title}, {name}", np.array(ends).T, true)
        yield


def show(title: str, ends: np.ndarray, true: float) -> None:
    above, below = float((ends[0] > true).mean()), float((ends[1] < true).mean())
    inside, width = 1 - above - below, float((ends[1] - ends[0]).mean())
    print(
        f"{title}: {100 * inside:.1f} (above {100 * above:.1f}, below {100 * below:.1f}), width {width:.3f}", flush=True
    )


STUDIES = {study.__name__: study for study in (matrices, groups, pairs, curves, bands, few)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--replicates", type=int, default=1000)
    parser.add_argument("--only", default=",".join(STUDIES))
    given = parser.parse_args()
    for name in given.only.split(","):
        for _ in STUDIES[name](given.replicates):
            pass


if __name__ == "__main__":
    main()
