"""How much faster than scikit-learn's confusion_matrix are columns of labels counted?

Both count the same two columns, in alternation within one run, and what they count is compared.  The columns hold ten
classes, or two, as integers, texts of a fixed width, objects (of which most columns hold few, many times) or categories
of pandas.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import sklearn.metrics

from symmetrics.data.labels import confusion_matrix

NAMES = np.array([f"class {place}" for place in range(10)])
COLUMNS: dict[str, Callable[[Any], Any]] = {
    "integers": lambda codes: codes,
    "integers of two classes": lambda codes: codes % 2,
    "bytes": lambda codes: codes.astype(np.int8),
    "wide integers": lambda codes: codes * 10**15,
    "floats": lambda codes: codes / 1,
    "texts": lambda codes: NAMES[codes],
    "objects": lambda codes: NAMES.astype(object)[codes],
}


def main() -> None:
    """Print the seconds of both and the ratio of the paired runs, for every kind of column."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--examples", type=int, default=10_000_000)
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--columns", default=",".join(COLUMNS), help="which kinds, with commas between")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    random = np.random.default_rng(options.seed)
    print(f"{options.examples} examples, best of {options.repetitions} in alternation, one thread")
    print(f"{'column':25} {'symmetrics':>12} {'scikit-learn':>14} {'ratio':>7}")
    for name in options.columns.split(","):
        true, predicted = (COLUMNS[name](random.integers(0, 10, options.examples)) for _ in range(2))
        ours, theirs, ratios = [], [], []
        for _ in range(options.repetitions):
            seconds, (matrix, _) = timed(confusion_matrix, true, predicted)
            ours.append(seconds)
            seconds, other = timed(sklearn.metrics.confusion_matrix, true, predicted)
            theirs.append(seconds)
            ratios.append(theirs[-1] / ours[-1])
            if not np.array_equal(matrix, other):
                raise SystemExit(f"{name}: the counts differ")
        print(f"{name:25} {min(ours):10.4f} s {min(theirs):12.3f} s {statistics.median(ratios):7.1f}", flush=True)


def timed(count: Callable[[Any, Any], Any], true: Any, predicted: Any) -> tuple[float, Any]:
    """Return how many seconds the counting takes, and what it returns."""
    start = time.perf_counter()
    found = count(true, predicted)
    return time.perf_counter() - start, found


if __name__ == "__main__":
    main()
