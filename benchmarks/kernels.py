"""How fast are the numbers, as multiples of what reading the cells and writing the values takes?

Every time is the best of some runs in alternation, and printed as a ratio within this run: to the memory floor, a loop
that reads the four cells, adds them and writes one value (compiled by numba if that is installed, else NumPy's, in
blocks), or to another library.  What is not installed is said to be so.  Every metric is compared with its lambdify
twice: as memory comes, and where what is freed stays with the process, as in all that follows.  lambdify allocates its
result and all in between, which takes up to twice as long where the system has to give memory anew.

usage: python benchmarks/numbers.py [--tables N] [--repetitions N] [--all] [--record] [METRIC...]

--all looks at every metric of the library; --record keeps the result in benchmarks/results and writes docs/numbers.md.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import subprocess
import sys
import time
import timeit
from collections.abc import Callable, Sequence
from functools import cache, partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numbers_page import keep
from numpy.typing import NDArray
from record import machine
from sympy import lambdify

import symmetrics as sm
from symmetrics.language.cells import CELLS

Array = NDArray[np.float64]
Rows = list[list[str]]

CHOSEN = ("accuracy", "f1", "jaccard", "mcc", "kappa", "gmean", "optimized_precision", "agm", "iba_gmean")
PANEL = (
    *("tpr", "tnr", "fpr", "fnr", "precision", "npv", "false_discovery_rate", "false_omission_rate", "accuracy"),
    *("error_rate", "f1", "f2", "f_half", "jaccard", "mcc", "kappa", "gmean", "agm", "optimized_precision"),
    *("iba_gmean", "auc_single", "informedness", "markedness", "fowlkes_mallows", "prevalence", "positive_fraction"),
    *("positive_likelihood_ratio", "negative_likelihood_ratio", "diagnostic_odds_ratio", "scott_pi", "bennett_s"),
    *("yule_q", "gilbert_skill_score", "lift", "leverage", "sokal_sneath_1", "rogers_tanimoto", "p4"),
    *("normalized_mcc", "dominance"),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("metrics", nargs="*", default=CHOSEN)
    parser.add_argument("--tables", type=int, default=4_000_000)
    parser.add_argument("--repetitions", type=int, default=7)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--record", action="store_true")
    options = parser.parse_args()
    before = machine()
    names = list(sm.metrics) if options.all else options.metrics
    # Arrays of more than 32 MiB are not kept by glibc, so that four million tables would be too few.
    as_it_comes = slower_than_lambdify("as memory comes", options.tables * 5 // 4, options.repetitions)
    keep_memory()
    parts = [
        single_metrics(names, options.tables, options.repetitions),
        as_it_comes,
        slower_than_lambdify("where memory is kept", options.tables, options.repetitions),
        panel(options.tables // 4, options.repetitions),
        one_by_one(options.repetitions),
        peers(options.repetitions),
        processes(options.repetitions),
    ]
    text = "\n\n".join(f"{title}\n\n{table(rows)}" if rows[1:] else f"{title}." for title, rows in parts)
    print(text)
    if options.record:
        keep(text, before)


def keep_memory() -> None:
    """Let glibc keep whatever is freed, so that no time depends on what ran before; do nothing elsewhere."""
    trim_threshold, most_mapped = -1, -4
    allocator: Any = getattr(ctypes.CDLL(None), "mallopt", None) if sys.platform == "linux" else None
    if allocator is not None:
        allocator(trim_threshold, 2**31 - 1)
        allocator(most_mapped, 0)


def best_of(runs: dict[str, Callable[[], object]], repetitions: int) -> dict[str, float]:
    """Return the least time of each run; they take turns, and the first turn does not count."""
    best = dict.fromkeys(runs, float("inf"))
    for turn in range(repetitions + 1):
        for name, run in runs.items():
            start = time.perf_counter()
            with np.errstate(all="ignore"):
                run()
            if turn:
                best[name] = min(best[name], time.perf_counter() - start)
    return best


def with_settings(run: Callable[[], object], **settings: str) -> Callable[[], object]:
    """Return a run under settings of the environment: SYMMETRICS_NATIVE, SYMMETRICS_THREADS."""

    def under() -> None:
        saved = {name: os.environ.get(name) for name in settings}
        os.environ.update(settings)
        try:
            run()
        finally:
            for name, value in saved.items():
                os.environ.pop(name, None)
                if value is not None:
                    os.environ[name] = value

    return under


def tables_of(size: int, zeros: float = 0.0) -> list[Array]:
    random = np.random.default_rng(20121)
    cells = [np.floor(10 ** random.uniform(0, 5, size)) + 1 for _ in range(4)]
    return [np.where(random.random(size) < zeros, 0.0, cell) for cell in cells]


def floor_of(cells: Sequence[Array], outputs: Sequence[Array]) -> Callable[[], object]:
    """Return what reads four cells and writes some values of each table, and does next to nothing else."""
    if find_spec("numba") is None or len(outputs) > 1:
        return lambda: blocked(cells, outputs)
    return partial(floor_loop(), *cells, outputs[0])


@cache
def floor_loop() -> Callable[..., None]:
    import numba

    @numba.njit(error_model="numpy")
    def loop(tp, fn, fp, tn, out):
        for i in range(tp.size):
            out[i] = tp[i] + fn[i] + fp[i] + tn[i]

    return loop


def blocked(cells: Sequence[Array], outputs: Sequence[Array], step: int = 4096) -> None:
    for start in range(0, cells[0].size, step):
        tp, fn, fp, tn = (cell[start : start + step] for cell in cells)
        total = tp + fn
        total += fp
        total += tn
        for output in outputs:
            output[start : start + step] = total


ALLOWED = 1.3
"""How many times as long as its lambdify a metric may take."""
NATIVE = {"one": "numba, 1 thread", "one, zeros": "with zeros, numba", "all": "numba, all threads"}
"""The runs of compiled loops, and what heads their columns."""


def single_metrics(names: Sequence[str], size: int, repetitions: int) -> tuple[str, Rows]:
    rows = [["metric", "NumPy", "with zeros", *NATIVE.values(), "lambdify", "NumPy/lambdify"]]
    cells, with_zeros, out = tables_of(size), tables_of(size, 0.1), np.empty(size)
    for name in names:
        metric = sm.metrics[name]
        other = lambdify(CELLS, metric.at_defaults(), "numpy")

        def ours(tables: list[Array], metric: sm.Metric = metric) -> Callable[[], object]:
            return lambda: metric.from_counts(*tables, out=out)

        runs = {
            "floor": floor_of(cells, [out]),
            "NumPy": with_settings(ours(cells), SYMMETRICS_NATIVE="0"),
            "zeros": with_settings(ours(with_zeros), SYMMETRICS_NATIVE="0"),
            "lambdify": lambda other=other: other(*cells),
        }
        if find_spec("numba") is not None:
            runs["one"] = with_settings(ours(cells), SYMMETRICS_THREADS="1")
            runs["one, zeros"] = with_settings(ours(with_zeros), SYMMETRICS_THREADS="1")
            runs["all"] = ours(cells)
        best = best_of(runs, repetitions)
        ratio = {run: seconds / best["floor"] for run, seconds in best.items()}
        native = [f"{ratio[run]:.2f}" if run in ratio else "not installed" for run in NATIVE]
        row = [metric.name, f"{ratio['NumPy']:.2f}", f"{ratio['zeros']:.2f}", *native]
        rows.append([*row, f"{ratio['lambdify']:.2f}", f"{best['NumPy'] / best['lambdify']:.2f}"])
    return f"Values of {size:,} tables, in floors of four reads and one write", rows


def slower_than_lambdify(memory: str, size: int, repetitions: int) -> tuple[str, Rows]:
    """Return the metrics of the library that take more than 1.3 times as long as their lambdify, of all of them."""
    cells, out = tables_of(size), np.empty(size)
    found: dict[str, list[float]] = {}
    for name, metric in sm.metrics.items():
        ours = partial(metric.from_counts, *cells, out=out)
        runs = {
            "lambdify": partial(lambdify(CELLS, metric.at_defaults(), "numpy"), *cells),
            "floor": floor_of(cells, [out]),
            "NumPy": with_settings(ours, SYMMETRICS_NATIVE="0"),
        }
        if find_spec("numba") is not None:
            runs["numba"] = with_settings(ours, SYMMETRICS_THREADS="1")
        first, *others = best_of(runs, repetitions).values()
        found[name] = [seconds / first for seconds in others]
    slower = {name: ratios for name, ratios in found.items() if max(ratios[1:]) > ALLOWED}
    counts = [sum(ratios[place] > ALLOWED for ratios in slower.values()) for place in range(len(others))]
    said = f"those that take more than {ALLOWED} times as long as their lambdify"
    said = f"{size:,} tables {memory}. Of {len(found)} metrics, {said}: {counts[1]} with NumPy"
    said += f" and {counts[2]} with numba" if find_spec("numba") else ""
    said += f". With {counts[0]}, reading four cells and writing one value takes as long alone"
    return said, _rows_of_slower(slower)


def _rows_of_slower(slower: dict[str, list[float]]) -> Rows:
    rows = [["metric", "formula", "floor/lambdify", "NumPy/lambdify", "numba/lambdify"]]
    for name, ratios in sorted(slower.items(), key=lambda item: -item[1][1]):
        shown = [f"{ratio:.2f}" for ratio in ratios] + ["not installed"] * (3 - len(ratios))
        rows.append([name, f"`{sm.metrics[name].at_defaults()}`", *shown])
    return rows


def panel(size: int, repetitions: int) -> tuple[str, Rows]:
    cells = tables_of(size)
    outputs = [np.empty(size) for _ in PANEL]
    chosen = sm.Panel(PANEL)
    others = [lambdify(CELLS, sm.metrics[name].at_defaults(), "numpy") for name in PANEL]
    values = dict(zip(chosen, outputs, strict=True))
    runs: dict[str, Callable[[], object]] = {
        "floor": floor_of(cells, outputs),
        "NumPy": with_settings(lambda: chosen.from_counts(*cells, out=values), SYMMETRICS_NATIVE="0"),
        "lambdify, one after the other": lambda: [other(*cells) for other in others],
    }
    if find_spec("numba") is not None:
        runs["numba, 1 thread"] = with_settings(lambda: chosen.from_counts(*cells, out=values), SYMMETRICS_THREADS="1")
        runs["numba, all threads"] = lambda: chosen.from_counts(*cells, out=values)
    best = best_of(runs, repetitions)
    rows = [["", "floors", "times as fast as lambdify"]]
    for name, seconds in best.items():
        rows.append([name, f"{seconds / best['floor']:.2f}", f"{best['lambdify, one after the other'] / seconds:.1f}"])
    return f"{len(PANEL)} metrics of {size:,} tables in one panel, in floors of 4 reads and {len(PANEL)} writes", rows


def one_by_one(repetitions: int) -> tuple[str, Rows]:
    rows = [["metric", "microseconds a call"]]
    for name in CHOSEN:
        metric = sm.metrics[name]
        seconds = min(
            timeit.repeat(lambda metric=metric: metric.from_counts(7, 2, 3, 9), number=5000, repeat=repetitions)
        )
        rows.append([metric.name, f"{seconds / 5000 * 1e6:.1f}"])
    return "One table at a time, from four ints", rows


def peers(repetitions: int) -> tuple[str, Rows]:
    """Return how many times longer others take for the Matthews coefficient of a table."""
    size = 1_000_000
    cells, out = tables_of(size), np.empty(size)
    mcc = sm.metrics["mcc"]
    ours = best_of({"": lambda: mcc.from_counts(*cells, out=out)}, repetitions)[""] / size
    rows = [["", "ns a table", "times as long"], ["symmetrics", f"{ours * 1e9:.2f}", "1"]]
    few = [cell[:20].astype(int).tolist() for cell in cells]
    few = [[min(count, 500) for count in row] for row in few]
    for name, package, run in (
        ("PyCM", "pycm", _pycm),
        ("scikit-learn, from labels", "sklearn", _scikit_learn),
        ("imbalanced-learn, G-mean from labels", "imblearn", _imbalanced_learn),
        ("torchmetrics, from labels", "torchmetrics", _torchmetrics),
    ):
        if find_spec(package) is None:
            rows.append([name, "not installed", ""])
            continue
        tables = list(zip(*few, strict=True))
        seconds = best_of({"": lambda run=run, tables=tables: [run(*each) for each in tables]}, 2)[""] / len(tables)
        rows.append([name, f"{seconds * 1e9:,.0f}", f"{seconds / ours:,.0f}"])
    if find_spec("prob_conf_mat") is None:
        return "The Matthews coefficient", [*rows, ["prob-conf-mat", "not installed", ""]]
    matrices = np.stack([cells[3], cells[2], cells[1], cells[0]], axis=-1).reshape(-1, 2, 2)
    seconds = best_of({"": lambda: _prob_conf_mat(matrices)}, 2)[""] / size
    return "The Matthews coefficient", [*rows, ["prob-conf-mat", f"{seconds * 1e9:,.1f}", f"{seconds / ours:,.1f}"]]


def _labels(tp: int, fn: int, fp: int, tn: int) -> tuple[list[int], list[int]]:
    return [1] * (tp + fn) + [0] * (fp + tn), [1] * tp + [0] * fn + [1] * fp + [0] * tn


def _pycm(tp: int, fn: int, fp: int, tn: int) -> Any:
    from pycm import ConfusionMatrix

    return ConfusionMatrix(matrix={1: {1: tp, 0: fn}, 0: {1: fp, 0: tn}}).MCC


def _scikit_learn(tp: int, fn: int, fp: int, tn: int) -> Any:
    from sklearn.metrics import matthews_corrcoef

    return matthews_corrcoef(*_labels(tp, fn, fp, tn))


def _imbalanced_learn(tp: int, fn: int, fp: int, tn: int) -> Any:
    from imblearn.metrics import geometric_mean_score

    return geometric_mean_score(*_labels(tp, fn, fp, tn))


def _torchmetrics(tp: int, fn: int, fp: int, tn: int) -> Any:
    import torch
    from torchmetrics.functional import matthews_corrcoef

    true, predicted = map(torch.tensor, _labels(tp, fn, fp, tn))
    return matthews_corrcoef(predicted, true, task="binary")


def _prob_conf_mat(matrices: Array) -> Any:
    from prob_conf_mat.metrics import get_metric

    shares = matrices / matrices.sum(axis=(1, 2), keepdims=True)
    diagonal = np.diagonal(shares, axis1=1, axis2=2)
    return get_metric("mcc")(diag_mass=diagonal, p_condition=shares.sum(axis=2), p_pred=shares.sum(axis=1))


def processes(repetitions: int) -> tuple[str, Rows]:
    """Return how long a process takes for its first value, and how much memory ten million values take."""
    first = "import symmetrics as sm; sm.metrics['mcc'].from_counts(5, 2, 3, 4)"
    runs = {
        code: lambda code=code: subprocess.run([sys.executable, "-c", code], check=True)
        for code in ("import numpy, sympy", first)
    }
    best = best_of(runs, repetitions)
    ratio = best[first] / best["import numpy, sympy"]
    rows = [["", ""], ["first value of a process, against import numpy, sympy", f"{ratio:.2f}"]]
    if Path("/proc/self/status").is_file():
        start = peak("cells")
        for native, name in (("0", "NumPy"), ("1", "numba, with what its import takes")):
            beyond = (peak("values", native) - start - 80e6) / 2**20
            rows.append([f"memory of 10,000,000 values of MCC beyond the output, {name}", f"{beyond:.0f} MiB"])
    return "Processes", rows


def peak(until: str, native: str = "0") -> float:
    """Return the largest memory of a process that makes ten million tables, and perhaps their values, in bytes.

    What the system calls the largest resident set holds that of the process that started it, so that this is no help.
    """
    code = (
        "import numpy as np, pathlib, symmetrics as sm\nmcc = sm.metrics['mcc']\n"
        "mcc.from_counts(np.ones(3), 1.0, 1.0, np.ones(3))\ncells = [np.full(10**7, 7.0 + k) for k in range(4)]\n"
        + ("values = mcc.from_counts(*cells)\n" if until == "values" else "")
        + "print(pathlib.Path('/proc/self/status').read_text().partition('VmHWM:')[2].split()[0])"
    )
    setting = {**os.environ, "SYMMETRICS_NATIVE": native}
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, env=setting)
    return float(done.stdout) * 1024


def table(rows: Rows) -> str:
    """Return rows as a table in Markdown, the first one its head."""
    head, *body = rows
    lines = ["| " + " | ".join(row) + " |" for row in (head, *body)]
    return "\n".join([lines[0], "|" + "|".join(["---", *(["---:"] * (len(head) - 1))]) + "|", *lines[1:]])


if __name__ == "__main__":
    main()
