"""Time the values of tables on an accelerator, in PyTorch, CuPy and JAX, in floors of four reads and one write.

Beside them stand the line that one would write by hand, without any check, and the same tables with NumPy.

usage: python benchmarks/devices.py [--tables N]
"""

from __future__ import annotations

import argparse
import importlib
import operator
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from tabulate import tabulate

import symmetrics as sm

METRICS = ("accuracy", "f1", "mcc", "kappa", "gmean", "optimized_precision")
BY_HAND: dict[str, Callable[[Any, Any, Any, Any], Any]] = {
    "accuracy": lambda tp, fn, fp, tn: (tp + tn) / (tp + fn + fp + tn),
    "f1": lambda tp, fn, fp, tn: 2 * tp / (2 * tp + fn + fp),
    "mcc": lambda tp, fn, fp, tn: (tp * tn - fp * fn) / ((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)) ** 0.5,
}
STREAMS = 5 / 3
"""A floor of four reads and one write, against a sum of two arrays: two reads and one write."""


def best(run: Callable[[], Any], wait: Callable[[], Any], times: int = 5) -> float:
    """Return the least number of seconds of some runs, after one that is not counted."""
    found = []
    for _ in range(times + 1):
        wait()
        start = time.perf_counter()
        kept = run()
        wait()
        found.append(time.perf_counter() - start)
        del kept
    return min(found[1:])


def libraries() -> dict[str, tuple[Callable[[Any], Any], Callable[[], Any]]]:
    """Return, for each library that has an accelerator, what brings arrays there and what waits for it."""
    found: dict[str, tuple[Callable[[Any], Any], Callable[[], Any]]] = {}
    if (torch := imported("torch")) and torch.cuda.is_available():
        print("PyTorch", torch.__version__, "on", torch.cuda.get_device_name(0))
        found["torch"] = lambda values: torch.asarray(values, device="cuda"), torch.cuda.synchronize
    if cupy := imported("cupy"):
        found["cupy"] = cupy.asarray, cupy.cuda.Device().synchronize
    if (jax := imported("jax")) and jax.devices()[0].platform != "cpu":
        jax.config.update("jax_enable_x64", True)
        found["jax"] = jax.numpy.asarray, lambda: jax.numpy.zeros(1).block_until_ready()
    return found


def imported(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--tables", type=int, default=20_000_000)
    size = parser.parse_args().tables
    random = np.random.default_rng(0)
    plain = [np.floor(random.random(size) * 1000) + 1 for _ in range(4)]
    zeros = [np.where(random.random(size) < 0.1, 0.0, cell) for cell in plain]
    on_host = {name: best(partial(sm.metrics[name].from_counts, *plain), lambda: None, 2) for name in METRICS}
    for library, (make, wait) in libraries().items():
        cells, others = [make(cell) for cell in plain], [make(cell) for cell in zeros]
        floor = best(partial(operator.add, *cells[:2]), wait) * STREAMS
        rows = []
        for name in METRICS:
            metric, line = sm.metrics[name], BY_HAND.get(name)
            taken = best(partial(metric.from_counts, *cells), wait)
            by_hand = best(partial(line, *cells), wait) / floor if line else float("nan")
            with_zeros = best(partial(metric.from_counts, *others), wait)
            rows.append([name, taken / floor, with_zeros / floor, by_hand, on_host[name] / taken])
        print(f"\n{library}: {size:,} tables; a floor is {floor * 1e3:.2f} ms")
        print(tabulate(rows, ["metric", "floors", "with zeros", "by hand", "times NumPy"], floatfmt=".1f"))


if __name__ == "__main__":
    main()
