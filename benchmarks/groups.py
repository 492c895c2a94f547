"""How long do the scores of many groups take, with intervals and without, as multiples of what they are made of?

Side by side, in one run, for each number of groups: polars' own group_by with the formulas written by hand; sm.counts,
and five metrics of its arrays, values alone and with intervals; sm.score of the same frame; and a file of the same
examples on the command line, as text.  Each process of the command line is a new one, and starts by importing.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import symmetrics as sm

METRICS = ("recall", "precision", "f1", "mcc", "balanced_accuracy")


def main() -> None:
    """Print the seconds and the ratios for each number of groups."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--groups", default="500,4000,100000", help="how many, with commas between")
    parser.add_argument("--examples", type=int, default=20, help="examples of a group, on average")
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    print(f"five metrics, {options.examples} examples a group, best of {options.repetitions}, in seconds")
    warm_up = frame(50, options.examples, options.seed)
    by_hand(warm_up), by_arrays(warm_up, interval=True), by_score(warm_up, interval=True)
    for groups in map(int, options.groups.split(",")):
        examples = frame(groups, options.examples, options.seed)
        best = lambda work: seconds(work, options.repetitions if groups < 50_000 else 1)  # noqa: B023, E731
        hand = best(lambda: by_hand(examples))  # noqa: B023
        arrays, sure = (best(lambda: by_arrays(examples, interval=asked)) for asked in (False, True))  # noqa: B023
        score, score_sure = (best(lambda: by_score(examples, interval=asked)) for asked in (False, True))  # noqa: B023
        print(f"{groups:7,} groups: polars by hand {hand:.3f}, counts and arrays {arrays:.3f}, sm.score {score:.3f}")
        print(f"{'':15} with intervals: counts and arrays {sure:.3f}, sm.score {score_sure:.3f}")
        print(
            f"{'':15} sm.score is {score / arrays:.1f} times counts and arrays, {score / hand:.1f} times polars by "
            f"hand; with intervals {score_sure / sure:.1f} times",
            flush=True,
        )
        as_one, plain, asked = (
            on_command_line(examples, *more) for more in ((), ("--by", "group"), ("--by", "group", "--interval"))
        )
        print(
            f"{'':15} a file on the command line, as text: not by groups {as_one:.3f}, by groups {plain:.3f}, with "
            f"intervals {asked:.3f}"
        )
        here, there = map(memory, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
        print(f"{'':15} most memory so far: {here}, command line {there}", flush=True)


def frame(groups: int, examples: int, seed: int) -> pl.DataFrame:
    """Return examples in groups of different sizes, whose shares of positives and of errors differ."""
    random = np.random.default_rng(seed)
    group = np.repeat(np.arange(groups), 1 + random.poisson(examples - 1, groups))
    share, errors = random.beta(2, 2, groups)[group], random.beta(2, 6, groups)[group]
    true = random.random(group.size) < share
    predicted = true ^ (random.random(group.size) < errors)
    shuffled = random.permutation(group.size)
    columns = {"y": true.astype(np.int64), "p": predicted.astype(np.int64), "group": group}
    return pl.DataFrame({name: values[shuffled] for name, values in columns.items()})


def by_hand(examples: pl.DataFrame) -> object:
    """Group and compute in polars alone."""
    true, predicted = pl.col("y") == 1, pl.col("p") == 1
    cells = {
        "tp": true & predicted,
        "fn": true & ~predicted,
        "fp": ~true & predicted,
        "tn": ~true & ~predicted,
    }
    counts = examples.group_by("group").agg(*(cell.sum().alias(name) for name, cell in cells.items()))
    tp, fn, fp, tn = (pl.col(name).cast(pl.Float64) for name in cells)
    recall, specificity = tp / (tp + fn), tn / (tn + fp)
    return counts.with_columns(
        recall.alias("recall"),
        (tp / (tp + fp)).alias("precision"),
        (2 * tp / (2 * tp + fn + fp)).alias("f1"),
        ((tp * tn - fp * fn) / ((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)).sqrt()).alias("mcc"),
        ((recall + specificity) / 2).alias("balanced_accuracy"),
    ).sort("group")


def by_arrays(examples: pl.DataFrame, *, interval: bool) -> object:
    """Count by groups, and compute the metrics of arrays of counts."""
    counts = sm.counts(examples, "y", "p", by="group")
    tables = [counts[name].to_numpy() for name in ("tp", "fn", "fp", "tn")]
    asked = (sm.metrics[name] for name in METRICS)
    return [(one.from_counts(*tables), one.interval(*tables) if interval else None) for one in asked]


def by_score(examples: pl.DataFrame, *, interval: bool) -> object:
    """Score by groups."""
    return sm.score(examples, None, METRICS, truth="y", prediction="p", by="group", interval=interval)


def on_command_line(examples: pl.DataFrame, *options: str) -> float:
    """Return the seconds that a process takes to score a file by groups, as text."""
    with tempfile.TemporaryDirectory(prefix="symmetrics-groups-") as folder:
        file = Path(folder) / "examples.parquet"
        examples.write_parquet(file)
        asked = ["score", str(file), "--truth", "y", "--prediction", "p", *options]
        command = [sys.executable, "-m", "symmetrics", *asked, "--metrics", ",".join(METRICS)]
        return seconds(lambda: subprocess.run(command, check=True, stdout=subprocess.DEVNULL), 1)


def memory(who: int) -> str:
    """Return the most memory that processes have taken."""
    return f"{resource.getrusage(who).ru_maxrss / 2**20:.2f} GB"


def seconds(work: Callable[[], Any], repetitions: int) -> float:
    """Return how many seconds the fastest of some repetitions takes."""
    taken = []
    for _ in range(repetitions):
        start = time.perf_counter()
        work()
        taken.append(time.perf_counter() - start)
    return min(taken)


if __name__ == "__main__":
    main()
