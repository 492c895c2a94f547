"""How long does it take to compare two classifiers, or ten, on a million examples?

The columns of labels are integers, bytes, texts of a fixed width or objects; the first comparison of a process, which
also loads modules and compiles formulas, is told by itself.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import symmetrics as sm

NAMES = np.array(["no", "yes"])
COLUMNS: dict[str, Callable[[Any], Any]] = {
    "integers": lambda codes: codes,
    "bytes": lambda codes: codes.astype(np.int8),
    "texts": lambda codes: NAMES[codes],
    "objects": lambda codes: NAMES.astype(object)[codes],
}


def main() -> None:
    """Print the seconds for each kind of column and each metric."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--examples", type=int, default=1_000_000)
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--metrics", default="accuracy,f1,mcc", help="which, with commas between")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    random = np.random.default_rng(options.seed)
    true = random.integers(0, 2, options.examples)
    predicted = [np.where(random.random(options.examples) < 0.8 + place / 100, true, 1 - true) for place in range(10)]
    print(f"{options.examples} examples, best of {options.repetitions}, one thread")
    print(f"first comparison: {seconds(lambda: sm.compare(true, predicted[0], predicted[1]), 1):.3f} s")
    for name, column in COLUMNS.items():
        labels = [column(codes) for codes in (true, *predicted)]
        positive = "yes" if labels[0].dtype.kind in "OU" else 1
        ten = {f"classifier {place}": values for place, values in enumerate(labels[1:])}
        for metric in options.metrics.split(","):
            two = seconds(lambda: sm.compare(*labels[:3], metric, pos_label=positive), options.repetitions)  # noqa: B023
            every = seconds(lambda: sm.compare_all(labels[0], ten, metric, pos_label=positive), 1)  # noqa: B023
            print(f"{name:10} {metric:10} two {two:7.3f} s   all pairs of ten {every:7.3f} s", flush=True)


def seconds(compared: Callable[[], object], repetitions: int) -> float:
    """Return how many seconds the fastest of some repetitions takes."""
    taken = []
    for _ in range(repetitions):
        start = time.perf_counter()
        compared()
        taken.append(time.perf_counter() - start)
    return min(taken)


if __name__ == "__main__":
    main()
