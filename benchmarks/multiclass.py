"""How much faster than PyCM, per confusion matrix, are four multi-class metrics of many matrices?

Both compute macro-F1, class balance accuracy, the multi-class Matthews coefficient and recall weighted by a relevance.
They take turns within one run; the values on the matrices that both see are compared.  PyCM is run on fewer matrices:
it takes one at a time, at a time that does not depend on how many there are.
"""

from __future__ import annotations

import argparse
import statistics
import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from symmetrics.library import metrics
from symmetrics.matrices import multiclass
from symmetrics.posets.relevance import Relevance, total_order

Matrices = NDArray[np.int64]
NAMES = ("macro-F1", "CBA", "MCC", "weighted recall")


def main() -> None:
    """Run both in alternation and print the medians."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matrices", type=int, default=100_000, help="confusion matrices for symmetrics")
    parser.add_argument("--compared", type=int, default=100, help="the first of them, for PyCM")
    parser.add_argument("--classes", type=int, default=10)
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    shape = (options.matrices, options.classes, options.classes)
    matrices = np.random.default_rng(options.seed).integers(1, 100, shape)
    relevance = total_order(range(options.classes))
    with_symmetrics(matrices[:2], relevance)  # compiles the formulas
    rows = with_pycm_if_installed()
    ours, theirs, ratios = [], [], []
    for _ in range(options.repetitions):
        seconds, values = timed(lambda: with_symmetrics(matrices, relevance))
        ours.append(seconds / options.matrices)
        if rows is not None:
            seconds, others = timed(lambda: rows(matrices[: options.compared], relevance))
            theirs.append(seconds / options.compared)
            ratios.append(theirs[-1] / ours[-1])
            difference = np.abs(values[:, : options.compared] - others).max()
            if difference > 1e-5:  # PyCM's CBA and others are not rounded; this is far above what floats leave
                raise SystemExit(f"the values differ by up to {difference}")
    print(f"{options.matrices} matrices of {options.classes} classes: {', '.join(NAMES)}, medians per matrix")
    print(f"symmetrics  {1e6 * statistics.median(ours):10.2f} microseconds")
    if rows is None:
        print("PyCM is not installed, so there is nothing to compare with; install it with: pip install pycm")
    else:
        print(f"PyCM        {1e6 * statistics.median(theirs):10.2f} microseconds, on {options.compared} of them")
        print(
            f"ratio       {statistics.median(ratios):10.0f}, from {min(ratios):.0f} to {max(ratios):.0f} in paired runs"
        )


def with_symmetrics(matrices: Matrices, relevance: Relevance) -> NDArray[np.float64]:
    """Return the four values of each matrix, of shape (4, matrices)."""
    return np.array(
        [
            metrics["f1"].from_confusion(matrices, average="macro"),
            multiclass["cba"].from_confusion(matrices),
            multiclass["mcc"].from_confusion(matrices),
            metrics["recall"].from_confusion(matrices, average=relevance),
        ]
    )


def with_pycm_if_installed() -> Callable[[Matrices, Relevance], NDArray[np.float64]] | None:
    """Return a function that computes the same with PyCM, or None if it is not installed."""
    try:
        from pycm import ConfusionMatrix
    except ImportError:
        return None

    def one(matrix: NDArray[np.int64], weights: dict[int, float]) -> tuple[float, ...]:
        rows: dict[int, dict[int, Any]] = {i: dict(enumerate(row)) for i, row in enumerate(matrix.tolist())}
        found = ConfusionMatrix(matrix=rows)
        return found.F1_Macro, found.CBA, found.Overall_MCC, found.weighted_average("TPR", weights)

    def every(matrices: Matrices, relevance: Relevance) -> NDArray[np.float64]:
        weights = dict(enumerate(relevance.weights.tolist()))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return np.array([one(matrix, weights) for matrix in matrices]).T

    return every


def timed(run: Callable[[], NDArray[np.float64]]) -> tuple[float, NDArray[np.float64]]:
    """Return how many seconds a call takes, and what it returns."""
    start = time.perf_counter()
    values = run()
    return time.perf_counter() - start, values


if __name__ == "__main__":
    main()
