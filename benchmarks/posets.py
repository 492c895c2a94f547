"""Time averaged ranks: exactly, against ExactMRP of PyPI's poseticDataAnalysis, and of large orders.

Orders are those of random criteria, a below b where b is at least as good by all of them. Ours is `poset` and
`exact_ranks` from the pairs on; theirs is ExactMRP alone, on an order built before. Each order is timed in turns by
both, ours several times a turn; where the numbers of linear extensions differ, the run fails. ExactMRP lists every
linear extension, so its orders have 15 classes and 2 criteria. Install it with pip install poseticDataAnalysis, into
this environment or into another one that --python names.

usage: python benchmarks/posets.py [--orders N] [--repetitions N] [--nodes N] [--python PYTHON]
"""

from __future__ import annotations

import argparse
import itertools
import json
import resource
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable

import numpy as np

from symmetrics.posets import average_ranks, exact_ranks, linear_extensions, poset

Pairs = list[tuple[int, int]]

THEIRS = """
import json, sys, time
try:
    import poseticDataAnalysis as other
except ImportError:
    sys.exit("no module named poseticDataAnalysis")
for line in sys.stdin:
    size, pairs = json.loads(line)
    order = other.POSet([str(k) for k in range(size)], [(str(a), str(b)) for a, b in pairs])
    start = time.perf_counter()
    result = other.ExactMRP(order)
    print(json.dumps([time.perf_counter() - start, int(result.n)]), flush=True)
"""


def dominance(size: int, criteria: int, seed: int) -> Pairs:
    values = np.random.default_rng(seed).random((size, criteria))
    return [(a, b) for a, b in itertools.permutations(range(size), 2) if (values[a] <= values[b]).all()]


def random_order(size: int, pairs: int, seed: int) -> Pairs:
    """Return about so many pairs of a random order, along a hidden sequence of the classes."""
    generator = np.random.default_rng(seed)
    ends = np.sort(generator.integers(0, size, (pairs, 2)), axis=1)
    names = generator.permutation(size)
    distinct = np.unique(ends[ends[:, 0] < ends[:, 1]], axis=0)
    return list(map(tuple, names[distinct].tolist()))


def seconds(call: Callable[[], object], repetitions: int = 1) -> float:
    """Return the median time of some calls."""
    times = []
    for _ in range(repetitions):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


class Theirs:
    """A process of another interpreter that runs ExactMRP on one order after the other."""

    def __init__(self, python: str) -> None:
        self.process = subprocess.Popen(
            (python, "-c", THEIRS), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )

    def run(self, size: int, pairs: Pairs) -> tuple[float, int] | str:
        """Return the time and the number of linear extensions, or why there is none."""
        stdin, stdout, stderr = self.process.stdin, self.process.stdout, self.process.stderr
        assert stdin is not None
        assert stdout is not None
        assert stderr is not None
        try:
            print(json.dumps([size, pairs]), file=stdin, flush=True)
        except BrokenPipeError:
            return stderr.read().strip()
        line = stdout.readline()
        return tuple(json.loads(line)) if line else stderr.read().strip()


def against_exact_mrp(orders: int, repetitions: int, python: str) -> None:
    print(f"exact ranks, 15 classes, 2 criteria, {orders} orders")
    theirs, ratios, ours_all = Theirs(python), [], []
    for seed in range(orders):
        pairs = dominance(15, 2, seed)
        exact_ranks(pairs, classes=range(15))
        before = seconds(lambda pairs=pairs: exact_ranks(pairs, classes=range(15)), repetitions)
        found = theirs.run(15, pairs)
        after = seconds(lambda pairs=pairs: exact_ranks(pairs, classes=range(15)), repetitions)
        ours_all.append(ours := (before + after) / 2)
        if isinstance(found, str):
            print(f"  ours, median of {repetitions} calls   {ours * 1e3:.2f} ms")
            print(f"  no comparison: {found.splitlines()[-1] if found else 'it stopped'} ({python}); see --help")
            return
        other, count = found
        if count != linear_extensions(pairs, classes=range(15)):
            sys.exit(f"order {seed}: ExactMRP counts {count} linear extensions")
        ratios.append(other / ours)
        print(
            f"  order {seed}: {count:>12,} extensions, ours {ours * 1e3:6.2f} ms, "
            f"ExactMRP {other:8.3f} s, {other / ours:10,.0f} x"
        )
    print(f"  ours, median    {statistics.median(ours_all) * 1e3:.2f} ms")
    print(f"  ratio, median   {statistics.median(ratios):,.0f}  (from {min(ratios):,.0f} to {max(ratios):,.0f})")


def thirty_classes(orders: int) -> None:
    times = [
        seconds(lambda seed=seed: exact_ranks(dominance(30, 3, seed), classes=range(30))) for seed in range(orders)
    ]
    print(f"exact ranks, 30 classes, 3 criteria, {orders} orders")
    print(f"  median {statistics.median(times):.2f} s, longest {max(times):.2f} s")


def large(size: int, repetitions: int) -> None:
    for pairs in (random_order(size, count * size, 0) for count in (1, 10, 50)):

        def closed_forms(pairs: Pairs = pairs) -> None:
            order = poset(pairs, range(size))
            average_ranks(order, "midpoint")
            average_ranks(order, "lpom")

        print(
            f"{size} classes, {len(pairs)} pairs: closure, reduction, midpoint and lpom "
            f"{seconds(closed_forms, repetitions):.3f} s"
        )
    order = poset(random_order(size, 10 * size, 0), range(size))
    print(f"{size} classes: lpom_ext {seconds(lambda: average_ranks(order, 'lpom_ext')):.3f} s")


def peak() -> float:
    """Return the most memory that this process has had, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)


def main() -> None:
    parser = argparse.ArgumentParser(description="time averaged ranks of partial orders")
    parser.add_argument("--orders", type=int, default=15, help="random orders of each kind (default 15)")
    parser.add_argument("--repetitions", type=int, default=15, help="calls of ours each time is the median of")
    parser.add_argument("--nodes", type=int, default=5000, help="classes of the large orders (default 5000)")
    parser.add_argument("--python", default=sys.executable, help="interpreter that has poseticDataAnalysis")
    arguments = parser.parse_args()
    if min(arguments.orders, arguments.repetitions) < 1 or arguments.nodes < 2:
        parser.error("--orders and --repetitions must be at least 1, --nodes at least 2")
    if shutil.which(arguments.python) is None:
        parser.error(f"{arguments.python} is no program")
    large(arguments.nodes, 3)
    print(f"  memory so far, at most {peak():.0f} MiB")
    thirty_classes(arguments.orders)
    print(f"  memory so far, at most {peak():.0f} MiB")
    against_exact_mrp(arguments.orders, arguments.repetitions, arguments.python)


if __name__ == "__main__":
    main()
