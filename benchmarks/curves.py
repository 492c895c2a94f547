"""How long do the area under the ROC curve, and the curve, take for many scores, against scikit-learn and np.argsort?

All of them take turns within one run; the values that both libraries return are compared.  A ratio is the median of
those of paired runs.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from symmetrics.curves import auc, convex_hull, roc_curve, weighted_auc

KINDS = {"continuous": None, "ties": 2}
"""To how many decimals the scores are rounded."""


def main() -> None:
    """Run all in alternation and print the medians."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scores", type=int, default=1_000_000)
    parser.add_argument("--positive", type=float, default=0.5, help="the share of the positive class")
    parser.add_argument("--repetitions", type=int, default=7)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    peers = scikit_learn_if_installed()
    if peers is None:
        print("scikit-learn is not installed, so there is no peer; install it with: pip install scikit-learn")
    rng = np.random.default_rng(options.seed)
    labels = (rng.random(options.scores) < options.positive).astype(int)
    for kind, decimals in KINDS.items():
        scores = rng.normal(size=options.scores) + labels
        scores = scores if decimals is None else np.round(scores, decimals)
        for weight in (None, rng.exponential(size=options.scores)):
            print(f"{options.scores} scores, {kind}, {'unweighted' if weight is None else 'weighted'}")
            compare(labels, scores, weight, peers, options.repetitions)


def compare(labels: Any, scores: Any, weight: Any, peers: tuple[Any, Any] | None, repetitions: int) -> None:
    """Print the median times, and the ratios to that of np.argsort and between the libraries."""
    curve = roc_curve(labels, scores, sample_weight=weight)
    runs: dict[str, Callable[[], Any]] = {
        "np.argsort": lambda: np.argsort(scores),
        "auc": lambda: auc(labels, scores, sample_weight=weight),
        "roc_curve": lambda: roc_curve(labels, scores, sample_weight=weight),
        "weighted_auc": lambda: weighted_auc(labels, scores, sample_weight=weight),
        "convex_hull": lambda: convex_hull(curve),
    }
    if peers is not None:
        area, points = peers
        runs["scikit-learn auc"] = lambda: area(labels, scores, sample_weight=weight)
        runs["scikit-learn roc_curve"] = lambda: points(labels, scores, sample_weight=weight, drop_intermediate=False)
        difference = abs(runs["auc"]() - runs["scikit-learn auc"]())
        if difference > 1e-11:
            raise SystemExit(f"the areas differ by {difference}")
    times: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(repetitions):
        for name, run in runs.items():
            times[name].append(seconds(run))
    for name, taken in times.items():
        multiple = ratio(taken, times["np.argsort"])
        line = f"  {name:24}{1e3 * statistics.median(taken):9.1f} ms  {multiple:6.2f} x np.argsort"
        if peers is not None and name in ("auc", "roc_curve"):
            line += f"  {ratio(times[f'scikit-learn {name}'], taken):6.1f} x faster than scikit-learn"
        print(line)


def ratio(first: list[float], second: list[float]) -> float:
    """Return the median of the ratios of paired runs."""
    return statistics.median(one / other for one, other in zip(first, second, strict=True))


def seconds(run: Callable[[], Any]) -> float:
    """Return how many seconds a call takes."""
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def scikit_learn_if_installed() -> tuple[Any, Any] | None:
    """Return scikit-learn's area and curve, or None if it is not installed."""
    try:
        from sklearn.metrics import roc_auc_score
        from sklearn.metrics import roc_curve as points
    except ImportError:
        return None
    return roc_auc_score, points


if __name__ == "__main__":
    main()
