"""How often do intervals contain the true value?  Metrics, classifiers, priors and numbers of examples, by simulation.

For each setting the joint shares of the cells are known, tables are drawn from them, once for all metrics, and the
interval of each distinct table is asked for as a user does.  Kept are the share of intervals that contain the true
value, the shares of those above and below it, and the mean width of those with two ends, of `auto` and of the peers
(coverage_peers.py says which), these for fewer tables, beside the mean width of `auto` for the same ones.  Every part
is kept in the file as soon as it is there, so that a run that was stopped, with Ctrl-C too, goes on where it was.

usage: python benchmarks/coverage.py [--replicates N] [--methods auto,delta] [--peers N] [--file FILE] [--jobs N]
                                     [--again a,b] [--summary] [--page]
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np
from coverage_edges import Edge, missing_edges
from coverage_exact import added_up
from coverage_peers import PEERS
from record import commit, machine, versions
from sympy import Abs, Max
from tqdm import tqdm

import symmetrics as sm
from symmetrics import FN, FP, TN, TP

HERE = Path(__file__).resolve().parent
OWN = {
    "own_quotient": sm.Metric("own_quotient", TP / (TP + 7 * FN / 10 + 3 * FP / 10)),
    "own_product": sm.Metric("own_product", TP * TN / ((TP + FN) * (TN + FP)) * (TP + TN) / (TP + FN + FP + TN)),
    "own_balance": sm.Metric("own_balance", 1 - Abs(TP / (TP + FN) - TN / (TN + FP))),
    "own_best": sm.Metric("own_best", Max(TP / (TP + FN), TP / (TP + FP))),
}
BINARY = (
    *("accuracy", "tpr", "precision", "f1", "mcc", "kappa", "gmean", "auc_single", "jaccard", "iba_gmean"),
    *("log_odds_ratio", "own_quotient", "own_product"),
)
AVERAGES = {"macro_f1": "f1", "macro_precision": "precision"}
METRICS = (*BINARY, *AVERAGES)
NUMBERS = (50, 200, 1000)
PRIORS = (0.5, 0.1, 0.02)
CLASSIFIERS = {"good": (0.95, 0.95), "fair": (0.8, 0.9), "poor": (0.6, 0.7)}
"""Rates of true positives and of true negatives."""
DRAWS = 2000
"""Draws of the methods that draw; a user gets 10,000, which take five times as long and cover as often."""
Found = dict[str, float]
"""What has been found of a metric in a setting, by a method."""


class Setting(NamedTuple):
    """What the true shares are, and how many examples there are."""

    number: int
    prior: float
    classifier: str

    @property
    def name(self) -> str:
        return f"n={self.number} prior={self.prior:g} {self.classifier}"

    @property
    def positives(self) -> float:
        """The expected number of positive examples; of the rare class where there are three."""
        return self.number * self.prior

    @property
    def goal(self) -> tuple[float, float]:
        """Between what intervals of level 95 % should cover."""
        return (0.935, 0.965) if self.positives >= 50 else (0.93, 0.97) if self.positives >= 10 else (0.91, 1.0)

    def shares(self, classes: int) -> np.ndarray:
        """Return the true shares of TP, FN, FP, TN, or of the entries of a 3*3 table whose first class is rare."""
        true_positive, true_negative = CLASSIFIERS[self.classifier]
        if classes == 3:
            rates = np.array([true_positive, true_negative, (true_positive + true_negative) / 2])
            priors = np.array([self.prior, (1 - self.prior) * 0.6, (1 - self.prior) * 0.4])
            rows = np.where(np.eye(3) == 1, rates[:, None], (1 - rates[:, None]) / 2)
            return (priors[:, None] * rows).reshape(-1)
        p, n = self.prior, 1 - self.prior
        cells = (p * true_positive, p * (1 - true_positive), n * (1 - true_negative), n * true_negative)
        return np.array(cells)

    def tables(self, classes: int, replicates: int) -> np.ndarray:
        """Draw tables, the same for every metric and method; a longer run begins with the tables of a shorter one."""
        random = np.random.default_rng(crc32(f"{self.name} {classes}".encode()))
        return random.multinomial(self.number, self.shares(classes), size=replicates)


SETTINGS = tuple(Setting(*each) for each in ((n, p, c) for n in NUMBERS for p in PRIORS for c in CLASSIFIERS))


def metric_of(name: str) -> sm.Metric:
    """Return a metric of the study by its name."""
    return OWN.get(name) or sm.metrics[name]


def truth(metric: str, setting: Setting | Edge) -> float:
    """Return the value at the true shares, of as many examples as there are."""
    if metric in AVERAGES:
        shares = setting.shares(3).reshape(3, 3)
        return float(sm.metrics[AVERAGES[metric]].from_confusion(shares, average="macro"))
    exact = (str(round(setting.number * share, 9)) for share in setting.shares(2))
    return float(metric_of(metric).exact(*exact))


def ends(metric: str, method: str, tables: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the ends of the intervals of some tables, by a method of ours or by a peer; nan where a peer has none."""
    if method in PEERS:
        return PEERS[method].ends(metric, tables)
    if metric in AVERAGES:
        found = sm.metrics[AVERAGES[metric]].interval_from_confusion(
            tables.reshape(-1, 3, 3), average="macro", method=method, draws=DRAWS
        )
    else:
        found = metric_of(metric).interval(*tables.T, method=method, draws=DRAWS)
    return found.low, found.high


def outcome(setting: Setting | Edge, method: str, replicates: int, metrics: Sequence[str]) -> dict[str, Found]:
    """Draw the tables of a setting and count where their intervals lie, for some metrics."""
    found: dict[str, Found] = {}
    for metric in metrics:
        tables = setting.tables(3 if metric in AVERAGES else 2, replicates)
        distinct, times = np.unique(tables, axis=0, return_counts=True)
        low, high = ends(metric, method, distinct)
        found[metric] = counted(low, high, truth(metric, setting), times)
        if method in PEERS:
            ours = ends(metric, "auto", distinct)
            both = np.isfinite(high - low) & np.isfinite(ours[1] - ours[0])
            for name, width in (("width", high - low), ("width of auto", ours[1] - ours[0])):
                found[metric][name] = rounded(np.average(width[both], weights=times[both]) if both.any() else np.nan)
    return found


def counted(low: np.ndarray, high: np.ndarray, true: float, times: np.ndarray) -> Found:
    """Return the shares of intervals around, above and below the true value, those without an end as misses below."""
    margin = 1e-12 * max(1.0, abs(true))
    total = times.sum()
    above, inside = times[low > true + margin].sum(), times[(low <= true + margin) & (high >= true - margin)].sum()
    bounded = np.isfinite(high - low)
    return {
        "replicates": int(total),
        "inside": rounded(inside / total),
        "above": rounded(above / total),
        "below": rounded((total - inside - above) / total),
        "bounded": rounded(times[bounded].sum() / total),
        "width": rounded(np.average((high - low)[bounded], weights=times[bounded]) if bounded.any() else np.nan),
    }


def rounded(value: float) -> float | None:
    """Return a number that JSON can hold, to six digits; None for what is not finite."""
    return float(f"{value:.6g}") if np.isfinite(value) else None


def missing(arguments: argparse.Namespace, kept: dict[str, Any]) -> Iterator[tuple[str, Setting, str, int, list[str]]]:
    """Yield what is to be computed: its name in the file, the setting, the method, for how many tables and metrics."""
    again = arguments.again.split(",")
    for method in (*arguments.methods.split(","), *(PEERS if arguments.peers else ())):
        number = min(PEERS[method].most, arguments.peers) if method in PEERS else arguments.replicates
        for setting in SETTINGS:
            name = f"{method} {setting.name}"
            known = kept["results"].get(name, {})
            every = PEERS[method].metrics if method in PEERS else METRICS
            if metrics := [metric for metric in every if metric not in known or metric in again]:
                yield name, setting, method, number, metrics


def compute(
    arguments: argparse.Namespace, kept: dict[str, Any], parts: Iterable[tuple[Any, ...]] | None = None
) -> None:
    """Compute what is missing, or some parts, and keep each part as soon as it is there."""
    parts = missing(arguments, kept) if parts is None else parts
    with ProcessPoolExecutor(arguments.jobs) as pool:
        running = {pool.submit(outcome, *rest): name for name, *rest in parts}
        try:
            for finished in tqdm(as_completed(running), total=len(running), disable=None):
                kept["results"].setdefault(running[finished], {}).update(finished.result())
                write(arguments.file, kept)
        except KeyboardInterrupt:
            pool.shutdown(wait=False, cancel_futures=True)
            print(f"stopped; {len(kept['results'])} parts are kept in {arguments.file}")


def write(path: Path, kept: dict[str, Any]) -> None:
    """Write the file at once, so that it is whole whenever this is stopped."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    part.write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    os.replace(part, path)


def head() -> dict[str, Any]:
    """Return when and where a run is made."""
    now = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    return {"date": now, "machine": machine(), "versions": versions(), "commit": commit(), "draws": DRAWS}


def main() -> None:
    """Compute what is missing, keep it, and print the summary or write the page."""
    from coverage_page import PAGE, page, summary

    parser = argparse.ArgumentParser(description="how often do intervals contain the true value?")
    parser.add_argument("--replicates", type=int, default=10_000, metavar="N")
    parser.add_argument("--methods", default="auto", metavar="a,b")
    parser.add_argument("--peers", type=int, default=1000, metavar="N", help="tables for other packages; 0 for none")
    parser.add_argument("--file", type=Path, default=HERE / "results" / "coverage.json", help="where results are kept")
    parser.add_argument("--again", default="", metavar="a,b", help="metrics of which nothing is taken from the file")
    parser.add_argument("--jobs", type=int, default=2, metavar="N")
    parser.add_argument("--summary", action="store_true", help="compute nothing, print what is in the file")
    parser.add_argument("--page", action="store_true", help="compute nothing, write docs/intervals.md")
    arguments = parser.parse_args()
    kept: dict[str, Any] = {"benchmark": "coverage.py", "exact": {}, "results": {}}
    if arguments.file.exists():
        kept.update(json.loads(arguments.file.read_text(encoding="utf-8")))
    if not (arguments.summary or arguments.page):
        kept.update(head())
        compute(arguments, kept)
        compute(arguments, kept, missing_edges(kept, arguments.again.split(",")))
        kept["exact"] = added_up()
        write(arguments.file, kept)
    if arguments.page:
        PAGE.write_text(page(kept), encoding="utf-8")
    else:
        print(summary(kept))


if __name__ == "__main__":
    main()
