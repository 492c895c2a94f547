"""How often do intervals contain the true value?  Metrics, classifiers, priors and numbers of examples, by simulation.

For each setting the joint shares of the cells are known, tables are drawn from them, and the interval of each table is
asked for as a user does.  Printed are the share of intervals that contain the true value, the shares of those above and
below it, and the mean width, of `auto` and of the methods named.  What has been computed is kept in a file, so that a
run that was stopped goes on where it was.

usage: python benchmarks/coverage.py [--replicates N] [--methods auto,delta] [--metrics a,b] [--file FILE] [--jobs N]
                                     [--summary]
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from pathlib import Path
from zlib import crc32

import numpy as np
from tqdm import tqdm

import symmetrics as sm
from symmetrics import FN, FP, TN, TP

OWN = {
    "own_quotient": sm.Metric("own_quotient", TP / (TP + 7 * FN / 10 + 3 * FP / 10)),
    "own_product": sm.Metric("own_product", TP * TN / ((TP + FN) * (TN + FP)) * (TP + TN) / (TP + FN + FP + TN)),
}
BINARY = (
    *("accuracy", "tpr", "precision", "f1", "mcc", "kappa", "gmean", "auc_single", "jaccard", "iba_gmean"),
    *("log_odds_ratio", "own_quotient", "own_product"),
)
AVERAGES = {"macro_f1": "f1", "macro_precision": "precision"}
NUMBERS = (50, 200, 1000)
PRIORS = (0.5, 0.1, 0.02)
CLASSIFIERS = {"good": (0.95, 0.95), "fair": (0.8, 0.9), "poor": (0.6, 0.7)}
"""Rates of true positives and of true negatives."""


@dataclass(frozen=True)
class Setting:
    """One row of the study."""

    metric: str
    method: str
    number: int
    prior: float
    classifier: str
    replicates: int

    @property
    def key(self) -> str:
        return json.dumps(asdict(self), sort_keys=True)

    def shares(self) -> np.ndarray:
        """Return the true shares of the cells, or of the entries of a 3*3 table whose first class is the rare one."""
        true_positive, true_negative = CLASSIFIERS[self.classifier]
        if self.metric in AVERAGES:
            rates = np.array([true_positive, true_negative, (true_positive + true_negative) / 2])
            priors = np.array([self.prior, (1 - self.prior) * 0.6, (1 - self.prior) * 0.4])
            rows = np.where(np.eye(3) == 1, rates[:, None], (1 - rates[:, None]) / 2)
            return (priors[:, None] * rows).reshape(-1)
        p, n = self.prior, 1 - self.prior
        cells = (p * true_positive, p * (1 - true_positive), n * (1 - true_negative), n * true_negative)
        return np.array(cells)


def settings(methods: list[str], metrics: list[str], replicates: int) -> Iterator[Setting]:
    """Yield what is to be computed."""
    for metric in metrics:
        for method in methods:
            for number in NUMBERS:
                for prior in PRIORS:
                    for classifier in CLASSIFIERS:
                        yield Setting(metric, method, number, prior, classifier, replicates)


def outcome(setting: Setting) -> dict[str, float]:
    """Draw the tables of a setting and count where their intervals lie."""
    shares = setting.shares()
    random = np.random.default_rng(crc32(setting.key.replace(setting.method, "").encode()))
    tables = random.multinomial(setting.number, shares, size=setting.replicates)
    if setting.metric in AVERAGES:
        metric = sm.metrics[AVERAGES[setting.metric]]
        found = metric.interval_from_confusion(
            tables.reshape(-1, 3, 3), average="macro", method=setting.method, draws=2000
        )
        true = metric.from_confusion(shares.reshape(3, 3), average="macro")
    else:
        metric = OWN.get(setting.metric) or sm.metrics[setting.metric]
        found = metric.interval(*tables.T, method=setting.method, draws=2000)
        true = float(metric.exact(*(str(round(share, 12)) for share in shares)))
    margin = 1e-12 * max(1.0, abs(true))
    above, below = found.low > true + margin, found.high < true - margin
    width = float(np.mean(found.width)) if np.isfinite(found.width).all() else float("inf")
    return {"inside": float(1 - above.mean() - below.mean()), "above": float(above.mean()),
            "below": float(below.mean()), "width": width}  # fmt: skip


def goal(setting: Setting) -> tuple[float, float]:
    """Return between what an interval of level 95 % should cover, by the expected number of positives."""
    positives = setting.number * setting.prior
    return (0.935, 0.965) if positives >= 50 else (0.93, 0.97) if positives >= 10 else (0.91, 1.0)


def summary(done: dict[str, dict[str, float]]) -> None:
    """Print, for each metric and method, how many settings meet the goal, the extremes, and each that does not."""
    rows: dict[tuple[str, str], list[tuple[Setting, dict[str, float]]]] = {}
    for key, found in done.items():
        setting = Setting(**json.loads(key))
        rows.setdefault((setting.metric, setting.method), []).append((setting, found))
    print("| metric | method | settings | within the goal | least | most | outside |\n|---|---|---|---|---|---|---|")
    for (metric, method), cells in sorted(rows.items()):
        slack = 0.0
        missed = [(s, f) for s, f in cells if not goal(s)[0] - slack <= f["inside"] <= goal(s)[1] + slack]
        told = "; ".join(f"n={s.number} prior={s.prior:g} {s.classifier}: {100 * f['inside']:.1f} %" for s, f in missed)
        inside = [100 * f["inside"] for _, f in cells]
        print(f"| {metric} | {method} | {len(cells)} | {len(cells) - len(missed)} | {min(inside):.1f} % | "
              f"{max(inside):.1f} % | {told} |")  # fmt: skip


def main() -> None:
    """Compute what is missing, keep it, and print the summary."""
    parser = argparse.ArgumentParser(description="how often do intervals contain the true value?")
    parser.add_argument("--replicates", type=int, default=10_000, metavar="N")
    parser.add_argument("--methods", default="auto", metavar="a,b")
    parser.add_argument("--metrics", default=",".join((*BINARY, *AVERAGES)), metavar="a,b")
    parser.add_argument("--file", type=Path, default=Path("coverage.json"), help="where results are kept")
    parser.add_argument("--jobs", type=int, default=2, metavar="N")
    parser.add_argument("--summary", action="store_true", help="compute nothing, print what is in the file")
    arguments = parser.parse_args()
    done = json.loads(arguments.file.read_text(encoding="utf-8")) if arguments.file.exists() else {}
    wanted = settings(arguments.methods.split(","), arguments.metrics.split(","), arguments.replicates)
    missing = [] if arguments.summary else [setting for setting in wanted if setting.key not in done]
    with ProcessPoolExecutor(arguments.jobs) as pool:
        running = {pool.submit(outcome, setting): setting for setting in missing}
        for finished in tqdm(as_completed(running), total=len(running), disable=None):
            done[running[finished].key] = finished.result()
            arguments.file.write_text(json.dumps(done, indent=0, sort_keys=True), encoding="utf-8")
    summary(done)


if __name__ == "__main__":
    main()
