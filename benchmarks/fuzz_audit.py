"""Does any audit of reported scores contradict all tables, gone through one by one?

usage: python benchmarks/fuzz_audit.py [--sets 2000] [--start 0] [--up-to 60]

Each set is of two to five scores of the library and of formulas nobody has seen, of one random table: printed as they
are, and with one unit in the last digit added to one of them.  All tables of as many examples are evaluated in floats,
and exactly where a value is near an end; status and number of tables must be the same.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
from tqdm import tqdm

import symmetrics as sm
from symmetrics.library import metrics

FORMULAS = (
    "(TP - FN) / (TP + FN + FP)",
    "TP * TN / (TP + FN + FP) ** 2",
    "sqrt(TP / (TP + FP)) - FN / (FN + TN)",
    "(2 * TP + TN) / (2 * TP + TN + 3 * FN + FP)",
    "Min(TP / (TP + FN), TN / (TN + FP))",
    "log(1 + TP) - log(1 + FP)",
    "(TP - FP) ** 2 / (TP + FP)",
)
NEAR = 1e-7
"""Values so near an end are computed exactly."""


def all_tables(total: int) -> np.ndarray:
    """Return all tables of as many examples."""
    rows = [
        (tp, fn, fp, total - tp - fn - fp)
        for tp in range(total + 1)
        for fn in range(total + 1 - tp)
        for fp in range(total + 1 - tp - fn)
    ]
    return np.array(rows, dtype=float)


def printed(value: float, digits: int, is_rounded: bool) -> int:
    """Return a value in units of the last digit, rounded or truncated."""
    return round(value * 10**digits) if is_rounded else int(value * 10**digits)


def text_of(units: int, digits: int) -> str:
    sign, size = "-" if units < 0 else "", abs(units)
    return f"{sign}{size // 10**digits}.{size % 10**digits:0{digits}d}" if digits else f"{sign}{size}"


def agreeing(scores: dict[str, str], tables: np.ndarray) -> np.ndarray:
    """Return the tables that have all scores as printed, by the interval of each read here anew."""
    for name, text in scores.items():
        metric, digits = metric_of(name), len(text.partition(".")[2])
        unit, size = Fraction(1, 10**digits), Fraction(text.lstrip("-"))
        # Rounded to the nearest, either way from a middle, or truncated towards zero.
        low, high = size - unit / 2, size + unit
        values = np.asarray(metric.from_counts(tables))
        values = -values if text.startswith("-") else values
        if size == 0:
            low = -unit
        kept = (values > float(low)) & (values < float(high)) & np.isfinite(values)
        for place in np.flatnonzero((abs(values - float(low)) < NEAR) | (abs(values - float(high)) < NEAR)):
            value = metric.exact(*map(int, tables[place]))
            value = -value if text.startswith("-") else value
            kept[place] = bool(low <= value if size else low < value) and bool(value < high)
        tables = tables[kept]
    return tables


def metric_of(name: str) -> Any:
    return metrics[name] if name in metrics else sm.Metric(name, sm.parse_formula(name))


def main() -> None:
    """Draw sets, audit them, and print every contradiction."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--sets", type=int, default=2000, help="how many sets (default: 2000)")
    parser.add_argument("--start", type=int, default=0, help="the first seed (default: 0)")
    parser.add_argument("--up-to", type=int, default=60, help="examples of a table, at most (default: 60)")
    options = parser.parse_args()
    told: Counter[tuple[str, str]] = Counter()
    wrong, longest = 0, 0.0
    for seed in tqdm(range(options.start, options.start + options.sets)):
        drawn = random.Random(seed)
        total = drawn.randint(2, options.up_to)
        tables = all_tables(total)
        names = drawn.sample([*metrics, *FORMULAS], drawn.randint(2, 5))
        digits, is_rounded = drawn.randint(1, 4), drawn.random() < 0.5
        for _ in range(100):
            table = tables[drawn.randrange(len(tables))]
            values = [float(np.asarray(metric_of(name).from_counts(*table))) for name in names]
            if np.isfinite(values).all() and max(map(abs, values)) < 1e6:
                break
        else:
            continue
        units = [printed(value, digits, is_rounded) for value in values]
        changed = list(units)
        changed[drawn.randrange(len(units))] += drawn.choice([-1, 1])
        settings: dict[str, Any] = {"n": total}
        if drawn.random() < 0.4:
            settings["positives"] = int(table[0] + table[1])
        for kind, some in (("true", units), ("changed", changed)):
            scores = {name: text_of(unit, digits) for name, unit in zip(names, some, strict=True)}
            left = tables if "positives" not in settings else tables[tables[:, :2].sum(axis=1) == settings["positives"]]
            expected = agreeing(scores, left)
            started = time.perf_counter()
            found = sm.audit(scores, **settings, seconds=60)
            longest = max(longest, time.perf_counter() - started)
            told[kind, found.status] += 1
            status = "possible" if len(expected) else "impossible"
            is_wrong = found.status not in ("open", status)
            if found.status == "possible" and not is_wrong:
                is_wrong = sorted(found.tables) != sorted(tuple(map(int, table)) for table in expected)
            if is_wrong:
                wrong += 1
                print(f"seed {seed}: {scores}, {settings}: {found.status}, but {len(expected)} tables agree")
    for (kind, status), count in sorted(told.items()):
        print(f"{kind}: {status} {count}")
    print(f"contradictions: {wrong}; the longest search took {longest:.1f} s")


if __name__ == "__main__":
    main()
