"""Audits of reported scores beside mlscorecheck (Fazekas & Kovács 2024): the same verdicts, and in what time?

usage: python benchmarks/audit.py [--python PYTHON] [--questions 120]

The questions: the test sets that mlscorecheck comes with, others of 100 to 10,000 examples, and means over folds of
known sizes; scores of random tables, rounded, half of them with digits changed.  PYTHON is the interpreter of an
environment with mlscorecheck.  Both answer in alternation; where they differ, all tables are gone through.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import select
import signal
import subprocess
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
from sympy import Rational
from tabulate import tabulate

import symmetrics as sm
from symmetrics.library import metrics

PEER = Path(__file__).with_name("audit_peer.py")
NAMES = {
    "accuracy": "acc",
    "tpr": "sens",
    "tnr": "spec",
    "precision": "ppv",
    "npv": "npv",
    "f1": "f1",
    "balanced_accuracy": "bacc",
    "gmean": "gm",
    "mcc": "mcc",
    "kappa": "kappa",
    "jaccard": "ji",
    "fowlkes_mallows": "fm",
    "informedness": "bm",
    "markedness": "mk",
}
"""The metrics that both have."""
AFFINE = ("accuracy", "tpr", "tnr", "balanced_accuracy")
"""Those whose means it takes."""

LIMIT = 20.0
"""Seconds that a question may take mlscorecheck."""
LARGE = (
    {"accuracy": "0.913", "f1": "0.871"},
    {"accuracy": "0.9132", "mcc": "0.8011"},
    {"kappa": "0.5", "tpr": "0.1"},
    {"precision": "0.8123", "gmean": "0.9001"},
)
"""Scores of a million examples."""


def printed(value: float, digits: int) -> str:
    return f"{value:.{digits}f}"


def changed(text: str, drawn: random.Random) -> str:
    """Return a number with its last digits changed."""
    digits = len(text.partition(".")[2])
    whole = round(float(text) * 10**digits) + drawn.choice([-1, 1]) * drawn.randint(1, 3 * 10 ** max(digits - 2, 0))
    return printed(whole / 10**digits, digits)


def scores_of(tables: list[tuple[int, ...]], names: list[str], drawn: random.Random) -> dict[str, str] | None:
    """Return printed means, every second time with a fault; None where one is undefined."""
    digits, found = drawn.randint(2, 4), {}
    for name in names:
        value = float(np.mean([metrics[name].from_counts(*table) for table in tables]))
        if not np.isfinite(value):
            return None
        found[name] = printed(value, digits)
    if drawn.random() < 0.5:
        name = drawn.choice(names)
        found[name] = changed(found[name], drawn)
    return found


def table_of(positives: int, negatives: int, drawn: random.Random) -> tuple[int, ...]:
    rates = drawn.uniform(0.3, 1), drawn.uniform(0.3, 1)
    tp, tn = (
        int(np.clip(round(size * rate), 0, size)) for size, rate in zip((positives, negatives), rates, strict=True)
    )
    return tp, positives - tp, negatives - tn, tn


def questions(kind: str, count: int, sizes: list[tuple[int, int]], drawn: random.Random) -> list[dict[str, Any]]:
    """Return random questions of a kind: on one test set of the given sizes, or on means over folds."""
    found: list[dict[str, Any]] = []
    while len(found) < count:
        if kind.startswith("means"):
            folds = [drawn.choice(sizes) for _ in range(drawn.choice([3, 5, 10]))]
            names = drawn.sample(AFFINE, drawn.randint(2, 3))
        else:
            folds = [drawn.choice(sizes)]
            names = drawn.sample(list(NAMES), drawn.randint(2, 4))
        scores = scores_of([table_of(*fold, drawn) for fold in folds], names, drawn)
        if scores is not None:
            found.append(
                {"kind": kind, "folds": folds, "scores": scores, "peer": {NAMES[n]: s for n, s in scores.items()}}
            )
    return found


def ours(question: dict[str, Any]) -> tuple[str, float]:
    """Return the verdict, and the seconds that it takes."""
    scores, folds = question["scores"], question["folds"]
    started = time.perf_counter()
    if len(folds) == 1:
        positives, negatives = folds[0]
        found: Any = sm.audit(scores, positives=positives, negatives=negatives, rounding="nearest")
    else:
        found = sm.audit(scores, mean_of=folds, rounding="nearest")
    return found.status, time.perf_counter() - started


class Peer:
    """A process of an interpreter with mlscorecheck, which answers one question after another.

    :raises OSError: if it cannot be started
    """

    def __init__(self, python: str) -> None:
        self.python = python
        self.sizes: dict[str, list[tuple[int, int]]] = self._started()

    def _started(self) -> Any:
        """Start the process, and return the sizes of the test sets that it comes with."""
        # In a session of its own, so that the solver that it calls ends with it.
        self.process = subprocess.Popen(
            [self.python, PEER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True
        )
        return self._next()

    def _next(self) -> Any:
        assert self.process.stdout is not None
        if not select.select([self.process.stdout], [], [], LIMIT)[0]:
            os.killpg(self.process.pid, signal.SIGKILL)
            return None
        return json.loads(self.process.stdout.readline())

    def answer(self, question: dict[str, Any]) -> tuple[str, float]:
        """Return the verdict, and the seconds that it takes."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(question) + "\n")
        self.process.stdin.flush()
        found = self._next()
        if found is None:
            self._started()
            return "timed out", LIMIT
        return found[0], found[1]


def by_hand(question: dict[str, Any]) -> str:
    """Return what all tables of one size say, one by one, in floats with far more digits than are printed.

    A value within 1e-9 of an end is computed exactly.
    """
    (positives, negatives), found = question["folds"][0], "impossible"
    read = {metrics[name]: sm.Reported.of(text, "nearest") for name, text in question["scores"].items()}
    tp = np.arange(positives + 1)
    for tn in range(negatives + 1):
        left = tp
        for metric, reported in read.items():
            values = metric.from_counts(
                left, positives - left, np.full_like(left, negatives - tn), np.full_like(left, tn)
            )
            left = left[(values >= float(reported.low) - 1e-9) & (values <= float(reported.high) + 1e-9)]
        for some in left.tolist():
            table = (some, positives - some, negatives - tn, tn)
            if all(is_in(metric.exact(*table), reported) for metric, reported in read.items()):
                found = "possible"
    return found


def is_in(value: Any, reported: sm.Reported) -> bool:
    low, high = (Rational(end) for end in (reported.low, reported.high))
    return bool(value.is_finite and low <= value <= high)


def main() -> None:
    """Ask both, and show the times and the differences."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--python", help="the interpreter of an environment with mlscorecheck")
    parser.add_argument("--questions", type=int, default=40, help="questions of each kind (default: 40)")
    options = parser.parse_args()
    drawn = random.Random(0)
    peer = None if options.python is None else Peer(options.python)
    if peer is None:
        print("no --python with mlscorecheck; only our own times are taken")
    kinds: dict[str, list[tuple[int, int]]]
    kinds = {f"n = {n:,}": [(k, n - k) for k in (n // 2, n // 5, n // 20)] for n in (100, 1000, 10_000)}
    kinds["means over folds"] = [(30, 70), (31, 69), (12, 90)]
    for name, sizes in ({} if peer is None else peer.sizes).items():
        if sizes:
            kinds[name] = [(positives, negatives) for positives, negatives in sizes]
        if len(sizes) > 10:
            kinds[f"means over {name}"] = kinds[name]
    for name in NAMES:  # what is derived from a formula once
        sm.audit({name: "0.5", "accuracy": "0.5"}, positives=5, negatives=5)
    rows, differences = [], []
    for kind, sizes in kinds.items():
        times: dict[str, list[float]] = {"symmetrics": [], "mlscorecheck": []}
        verdicts: Counter[str] = Counter()
        for question in questions(kind, options.questions, sizes, drawn):
            status, seconds = ours(question)
            times["symmetrics"].append(seconds)
            verdicts[status] += 1
            if peer is not None:
                theirs, seconds = peer.answer(question)
                times["mlscorecheck"].append(seconds)
                if theirs != status:
                    differences.append((question, status, theirs))
        medians = {name: float(np.median(some)) for name, some in times.items() if some}
        ratio = sum(times["mlscorecheck"]) / sum(times["symmetrics"])
        rows.append(
            (kind, *(f"{medians.get(name, float('nan')):.4f}" for name in times), f"{ratio:.1f}", dict(verdicts))
        )
    print(
        tabulate(rows, ("questions", "symmetrics, median s", "mlscorecheck, median s", "ratio of totals", "verdicts"))
    )
    print(f"differences: {len(differences)}")
    for question, status, theirs in differences:
        told = by_hand(question) if len(question["folds"]) == 1 and sum(question["folds"][0]) <= 20_000 else "not tried"
        print(f"{question['scores']} of {question['folds']}: {status}, mlscorecheck {theirs}, all tables: {told}")
    for scores in (
        {"accuracy": "0.913", "f1": "0.871"},
        {"accuracy": "0.9132", "mcc": "0.8011"},
        {"kappa": "0.5", "tpr": "0.1"},
    ):
        started = time.perf_counter()
        found = sm.audit(scores, positives=300_000, negatives=700_000)
        print(f"n = 1,000,000, {scores}: {found.status} in {time.perf_counter() - started:.2f} s")


if __name__ == "__main__":
    main()
