"""How long do intervals take, against the values themselves and against other packages?

Every time is the best of some runs in alternation, within this run.  Delta intervals of many tables are compared with
the values of these tables; the bootstrap from counts with those of packages that resample labels, which are asked for
fewer draws, as many times as are needed then.  What is not installed is left out.

usage: python benchmarks/intervals.py [--tables N] [--examples N] [--draws N] [--repetitions N]
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable
from importlib.util import find_spec

import numpy as np
from coverage_peers import labels
from kernels import best_of, table, tables_of, with_settings

import symmetrics as sm

Rows = list[list[str]]
RATES = (0.4, 0.1, 0.2, 0.3)
"""Shares of TP, FN, FP and TN among the examples that are resampled."""
FEWER = 20
"""Draws that packages are asked for that take seconds; the time of the draws is in proportion to their number."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=1_000_000, metavar="N")
    parser.add_argument("--examples", type=int, default=100_000, metavar="N")
    parser.add_argument("--draws", type=int, default=1000, metavar="N")
    parser.add_argument("--repetitions", type=int, default=15, metavar="N")
    options = parser.parse_args()
    parts = [
        delta(options.tables, options.repetitions),
        by_method(options.repetitions),
        bootstrap(options.examples, options.draws, options.repetitions),
        analytic(options.examples, options.repetitions),
    ]
    print("\n\n".join(f"{title}\n\n{table(rows)}" for title, rows in parts))


def delta(size: int, repetitions: int) -> tuple[str, Rows]:
    """Return how long delta intervals of many tables take, in multiples of their values."""
    cells = tables_of(size)
    rows = [["metric", "values, ms", "delta intervals, ms", "ratio", "ratio with NumPy alone"]]
    for name in ("mcc", "kappa", "gmean", "f1", "iba_gmean", "log_odds_ratio"):
        metric = sm.metrics[name]
        runs: dict[str, Callable[[], object]] = {
            "values": lambda metric=metric: metric.from_counts(*cells),
            "delta": lambda metric=metric: metric.interval(*cells, method="delta"),
        }
        runs |= {f"{key}, NumPy": with_settings(run, SYMMETRICS_NATIVE="0") for key, run in runs.items()}
        best = best_of(runs, repetitions)
        times = [f"{1000 * best[key]:.1f}" for key in ("values", "delta")]
        ratios = [f"{best[f'delta{end}'] / best[f'values{end}']:.1f}" for end in ("", ", NumPy")]
        rows.append([f"`{name}`", *times, *ratios])
    return f"Delta intervals of {size:,} tables", rows


def by_method(repetitions: int) -> tuple[str, Rows]:
    """Return how long one interval takes, and one of many of different tables."""
    random = np.random.default_rng(20121)
    tables = np.unique(random.multinomial(500, (0.08, 0.02, 0.1, 0.8), size=1000), axis=0)
    mcc, recall = sm.metrics["mcc"], sm.metrics["recall"]
    rows = [["method", "one table, ms", f"each of {len(tables)}, ms"]]
    for metric, methods in ((mcc, ("delta", "bayes", "bootstrap", "bca")), (recall, ("score", "midp", "jeffreys"))):
        for method in methods:
            runs: dict[str, Callable[[], object]] = {
                "one": lambda metric=metric, method=method: metric.interval(40, 10, 50, 400, method=method),
                "many": lambda metric=metric, method=method: metric.interval(*tables.T, method=method),
            }
            best = best_of(runs, min(repetitions, 5))
            rows.append([method, f"{1000 * best['one']:.2f}", f"{1000 * best['many'] / len(tables):.3f}"])
    return "Methods, with 10,000 draws where they draw", rows


def bootstrap(examples: int, draws: int, repetitions: int) -> tuple[str, Rows]:
    """Return how much longer other packages take for a bootstrap of one sample of labels.

    What BCa takes by labels is told by what one value takes: it needs one for each draw and one without each example.
    """
    counts = tuple(round(examples * rate) for rate in RATES)
    true, predicted = labels(np.array(counts))
    rows = [["by", "metric", "method", "time, ms", "times as long as here"]]
    for name in ("recall", "f1", "mcc"):
        ours = {
            method: lambda name=name, method=method: sm.metrics[name].interval(*counts, method=method, draws=draws)
            for method in ("bootstrap", "bca")
        }
        best = best_of(ours, 20 * repetitions)
        for method, seconds in best.items():
            rows.append(["symmetrics", f"`{name}`", method, f"{1000 * seconds:.3f}", "1"])
        others = {"confidenceinterval": _confidenceinterval, "scipy.stats.bootstrap": _scipy}
        for package, asked in others.items():
            if find_spec(package.partition(".")[0]) is not None and (ask := asked(name, true, predicted)) is not None:
                start, each = timed_draws(ask)
                found = {"bootstrap": start + each * draws, "bca": each * (draws + examples)}
                for method, seconds in found.items():
                    ratio = f"{seconds / best[method]:,.0f}"
                    rows.append([package, f"`{name}`", method, f"{1000 * seconds:,.0f}", ratio])
    return f"Bootstrap of {draws} draws at {examples:,} examples, percentiles and BCa", rows


def timed_draws(ask: Callable[[int], object]) -> tuple[float, float]:
    """Return how long a bootstrap takes without its draws, and each draw, by FEWER of them more and less."""

    def seconds(number: int) -> float:
        start = time.perf_counter()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ask(number)
        return time.perf_counter() - start

    seconds(2)
    few, more = (min(seconds(number) for _ in range(2)) for number in (2, 2 + FEWER))
    each = (more - few) / FEWER
    return max(few - 2 * each, 0.0), each


def _confidenceinterval(name: str, true: np.ndarray, predicted: np.ndarray) -> Callable[[int], object] | None:
    import confidenceinterval as package

    found = {
        "recall": lambda **settings: package.tpr_score(true, predicted, **settings),
        "f1": lambda **settings: package.f1_score(true, predicted, average="binary", **settings),
    }
    if name not in found:
        return None
    return lambda number: found[name](method="bootstrap_percentile", n_resamples=number)


def _scipy(name: str, true: np.ndarray, predicted: np.ndarray) -> Callable[[int], object]:
    from scipy.stats import bootstrap as resampled

    metric = sm.metrics[name]

    def value(t: np.ndarray, p: np.ndarray, axis: int = -1) -> np.ndarray:
        cells = (t & p, t & ~p, ~t & p, ~t & ~p)
        return metric.from_counts(*(np.count_nonzero(cell, axis=axis) for cell in cells))

    settings = {"paired": True, "vectorized": True, "method": "percentile", "rng": 1}
    data = (true == 1, predicted == 1)
    return lambda number: resampled(data, value, n_resamples=number, **settings)


def analytic(examples: int, repetitions: int) -> tuple[str, Rows]:
    """Return how long intervals without draws take, from counts."""
    tp, fn, fp, tn = (round(examples * rate) for rate in RATES)
    kappa, recall, odds = (sm.metrics[name] for name in ("kappa", "recall", "log_odds_ratio"))
    rows = [["", "by", "time, microseconds", "times as long as here"]]
    ours: dict[str, Callable[[], object]] = {
        "recall": lambda: recall.interval(tp, fn, fp, tn, method="score"),
        "kappa": lambda: kappa.interval(tp, fn, fp, tn, method="delta"),
        "log_odds_ratio": lambda: odds.interval(tp, fn, fp, tn, method="delta"),
    }
    theirs: dict[str, dict[str, Callable[[], object]]] = {name: {} for name in ours}
    if find_spec("statsmodels") is not None:
        from statsmodels.stats.contingency_tables import Table2x2
        from statsmodels.stats.inter_rater import cohens_kappa
        from statsmodels.stats.proportion import proportion_confint

        square = np.array([[tp, fn], [fp, tn]])
        theirs["recall"]["statsmodels"] = lambda: proportion_confint(tp, tp + fn, method="wilson")
        theirs["kappa"]["statsmodels"] = lambda: cohens_kappa(square)
        theirs["log_odds_ratio"]["statsmodels"] = lambda: Table2x2(square).log_oddsratio_confint()
    if find_spec("confidenceinterval") is not None:
        import confidenceinterval

        true, predicted = labels(np.array((tp, fn, fp, tn)))
        theirs["recall"]["confidenceinterval, from labels"] = lambda: confidenceinterval.tpr_score(true, predicted)
    for name, run in ours.items():
        best = best_of({"symmetrics": run, **theirs[name]}, repetitions)
        for package, seconds in best.items():
            rows.append([f"`{name}`", package, f"{1e6 * seconds:,.0f}", f"{seconds / best['symmetrics']:,.1f}"])
    return f"One interval without draws, of {examples:,} examples", rows


if __name__ == "__main__":
    main()
