"""Compare the values of all metrics at hostile tables, bit for bit, with those of an earlier state.

Every evaluator is asked: NumPy's blocks, one table at a time, programs run operation by operation in both precisions,
compiled loops, arrays of another library, slopes and standard errors, metrics of matrices, and what is written in other
languages.  A digest stands for the values of one metric by one evaluator, or for a text.

usage: python benchmarks/record_values.py FILE [--only TEXT] [--without EVALUATOR...]

The first run writes FILE; each further one compares with it, prints what differs and exits with status 1 if anything
does.  Digests depend on the platform's logarithms, so that FILE is of one machine and is not kept in the repository.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sympy import Rational
from tqdm import tqdm

import symmetrics as sm
from symmetrics.language.parameter import Parameter
from symmetrics.metric.metric import Metric
from symmetrics.numeric import devices
from symmetrics.numeric.arrays import ArrayKernel, interpreted
from symmetrics.numeric.compiled import plan_within
from symmetrics.numeric.native import NativeKernel, is_available
from symmetrics.numeric.source import scalar_function
from symmetrics.numeric.trust import KnownLimits
from symmetrics.statistics.delta import error_program
from symmetrics.statistics.intervals import GROUPS
from symmetrics.tools.errors import SymmetricsError

Array = NDArray[np.float64]
COMPILED = 12
"""Metrics whose loops are compiled, which takes seconds each; of all others the source is compared."""
LANGUAGES = ("c", "javascript", "julia", "r", "rust", "excel", "latex")


@cache
def tables() -> tuple[Array, ...]:
    """Return hostile tables: zeros on every face, tiny, huge, fractional and subnormal cells, sums that cancel."""
    random = np.random.default_rng(49)
    faces = np.array([[face >> place & 1 for face in range(16)] for place in range(4)])
    ordinary = np.floor(10 ** random.uniform(0, 6, (4, 16)))
    near = np.floor(10 ** random.uniform(3, 12, 64)) + random.integers(0, 3, (4, 64))
    factors = np.floor(10 ** random.uniform(0, 4, (4, 64)))
    equal = np.stack([factors[a] * factors[b] for a, b in ((0, 1), (0, 3), (2, 1), (2, 3))])
    parts = [
        *(np.where(faces, 0.0, scale * ordinary) for scale in (1.0, 1e-3, 1e11, 1e-320)),
        np.where(faces, 1.0, ordinary),
        random.integers(0, 4, (4, 96)),
        near,
        equal,
        equal + random.integers(0, 2, equal.shape) * 1e-6,
        np.floor(10 ** random.uniform(0, 15, (4, 96))),
        10 ** random.uniform(-12, 12, (4, 96)),
        10 ** random.uniform(-300, 300, (4, 64)),
        10 ** random.uniform(-160, 160, (4, 32)),
        np.stack([near[0], near[1], near[2], np.full(64, 1e15)]),
        np.array([[5e-324, 1.0, 0.1, 2.0**53, 1.7e308], *[[5e-324, 3.0, 0.1, 2.0**53, 1.7e308]] * 3]),
    ]
    return tuple(np.ascontiguousarray(cell) for cell in np.concatenate(parts, axis=1))


def digest(*values: Any) -> str:
    """Return a digest of arrays of numbers and texts; all nan are alike."""
    found = hashlib.sha256()
    for value in values:
        if isinstance(value, str):
            found.update(value.encode())
            continue
        array = np.array(value)
        upper = array.astype(np.float64)  # of extended numbers the upper digits and the rest, without padding
        for part in (upper, (array - upper).astype(np.float64)) if array.dtype == np.longdouble else (upper,):
            part[np.isnan(part)] = np.nan
            found.update(part.tobytes())
    return found.hexdigest()[:16]


def metrics() -> Iterator[tuple[str, Metric]]:
    """Yield all metrics of the library, those with parameters at their defaults and at one other value each."""
    for key, metric in sm.metrics.items():
        yield key, metric
        if metric.parameters:
            others = {parameter.name: _other(parameter) for parameter in metric.parameters}
            yield f"{key}{others}", metric.at(**others)


def _other(parameter: Parameter) -> Rational:
    """Return a value that a parameter may have, and that is not its default."""
    return next(value for value in (Rational(3, 4), Rational(1, 3)) if value != parameter.default)


def by_numpy(metric: Metric) -> str:
    return digest(metric.from_counts(*tables()), metric.from_counts(*tables(), zero_division=0.5))


def by_block(metric: Metric) -> str:
    """Return what one run of the kernel fills in and says of it, without any second look."""
    plan = plan_within(metric.value_formula, metric.bounds)
    if plan is None:
        return "none"
    kernel, size = ArrayKernel(plan), tables()[0].size
    outputs, scratch = [np.empty(size)], [np.empty(size) for _ in range(kernel.scratch)]
    trusted = kernel.run(*tables(), outputs, scratch)
    looked_at = kernel.looked_at(0, tables(), outputs, scratch)
    return digest(outputs[0], *(np.broadcast_to(each, size) for each in looked_at), repr([bool(x) for x in trusted]))


def by_scalars(metric: Metric) -> str:
    function = scalar_function(metric.value_formula, metric.bounds)
    found = [function(*table) for table in zip(*(cell.tolist() for cell in tables()), strict=True)]
    return digest(np.array([np.nan if value is None else value for value in found]), repr([v is None for v in found]))


def by_calls(metric: Metric) -> str:
    every = list(zip(*(cell.tolist() for cell in tables()), strict=True))[::17]
    whole = [tuple(int(cell) for cell in table) for table in every if all(cell == int(cell) for cell in table)]
    return digest(np.array([metric.from_counts(*table) for table in (*every, *whole)]))


def by_operations(metric: Metric) -> str:
    plan = plan_within(metric.value_formula, metric.bounds)
    if plan is None:
        return "none"
    kinds = (np.float64, np.longdouble)
    found = [interpreted(plan.program, plan.places, tables(), kind) for kind in kinds]
    return digest(*(each[place] for each in found for place in plan.places))


def by_loops(metric: Metric) -> str:
    plan = plan_within(metric.value_formula, metric.bounds)
    return "none" if plan is None else digest(NativeKernel(plan).source)


def by_compiled_loops(metric: Metric) -> str:
    plan = plan_within(metric.value_formula, metric.bounds)
    if plan is None or not is_available():
        return "none"
    values = np.empty(tables()[0].size)
    chunks, marks = NativeKernel(plan).run(tables(), [values], [KnownLimits()])
    return digest(values, chunks.astype(float), np.where(np.isfinite(values), marks[0], 2).astype(float))


def by_library(metric: Metric) -> str:
    import array_api_strict

    there = [array_api_strict.asarray(cell.copy()) for cell in tables()]
    saved = devices.is_on_processor
    devices.is_on_processor = lambda array, name: False
    try:
        return digest(np.asarray(metric.from_counts(*there)))
    finally:
        devices.is_on_processor = saved


def by_slopes(metric: Metric) -> str:
    found = error_program(metric.value_formula, GROUPS["multinomial"])
    if found is None:
        return "none"
    program, place = found
    return digest(interpreted(program, [place], [cell + 0.25 for cell in tables()], np.float64)[place])


def by_intervals(metric: Metric) -> str:
    cells = [cell[::3] for cell in tables()]
    within = np.all([cell < 1e12 for cell in cells], axis=0)
    found = metric.interval(*(cell[within] for cell in cells), method="delta")
    return digest(found.low, found.high, found.estimate)


def by_refusals(metric: Metric) -> str:
    """Return a digest of the error messages for cells that are not counts."""
    said = []
    for wrong in (np.nan, np.inf, -np.inf, -1.0, -5e-324):
        for place in range(4):
            cells = [np.ones(3) for _ in range(4)]
            cells[place][1] = wrong
            said.append(_or_refusal(lambda cells=cells: repr(metric.from_counts(*cells))))
            said.append(_or_refusal(lambda cells=cells: repr(metric.from_counts(*(float(c[1]) for c in cells)))))
    return digest("\n".join(said))


def _or_refusal(ask: Callable[[], str]) -> str:
    try:
        return ask()
    except SymmetricsError as error:
        return f"{type(error).__name__}: {error}"


def as_code(metric: Metric) -> str:
    texts = [_or_refusal(lambda language=language: metric.to_code(language)) for language in LANGUAGES]
    return digest(*texts, *(_or_refusal(lambda d=d: metric.to_sql(d)) for d in ("duckdb", "sqlite", "bigquery")))


def as_frames(metric: Metric) -> str:
    import narwhals
    import polars

    frame = polars.DataFrame(dict(zip(("tp", "fn", "fp", "tn"), tables(), strict=True)))
    from symmetrics.codegen.recipe import recipe_of
    from symmetrics.codegen.tables import frame_expression

    def values(library: Any) -> str:
        expression = frame_expression(recipe_of(metric.value_formula), ("tp", "fn", "fp", "tn"), library)
        given = frame if library is polars else narwhals.from_native(frame)
        found = given.select(expression.alias("value"))["value"]
        return digest(np.array(found.to_list(), dtype=np.float64))

    return digest(*(_or_refusal(lambda library=library: values(library)) for library in (polars, narwhals)))


EVALUATORS: dict[str, Callable[[Metric], str]] = {
    "numpy": by_numpy,
    "block": by_block,
    "scalars": by_scalars,
    "calls": by_calls,
    "operations": by_operations,
    "loops": by_loops,
    "compiled loops": by_compiled_loops,
    "library": by_library,
    "slopes": by_slopes,
    "intervals": by_intervals,
    "refusals": by_refusals,
    "code": as_code,
    "frames": as_frames,
}
_SOME = {"compiled loops": COMPILED, "refusals": 12, "intervals": 60}


def of_matrices() -> Iterator[tuple[str, str]]:
    """Yield digests of metrics of matrices, for each average, at hostile matrices of two to five classes."""
    random = np.random.default_rng(49)
    for classes in (2, 3, 5):
        size = (40, classes, classes)
        stacks = [
            random.integers(0, 3, size).astype(float),
            np.floor(10 ** random.uniform(0, 6, size)) * (random.random(size) < 0.8),
            np.floor(10 ** random.uniform(8, 15, size[:1]))[:, None, None] + random.integers(0, 3, size),
            10 ** random.uniform(-9, 9, size),
            10 ** random.uniform(-200, 200, size),
        ]
        matrices = np.concatenate(stacks)
        for key, metric in sm.multiclass.items():
            for average in ("macro", None):
                yield (
                    f"{key} {classes} {average} matrices",
                    _or_refusal(
                        lambda metric=metric, stack=matrices, average=average: digest(
                            metric.from_confusion(stack, average=average)
                        )
                    ),
                )
        for key in ("f1", "mcc", "precision", "kappa"):
            for average in ("macro", "weighted", "micro", None):
                yield (
                    f"{key} {classes} {average} averages",
                    digest(sm.metrics[key].from_confusion(matrices, average=average)),
                )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--without", nargs="*", default=[])
    options = parser.parse_args()
    chosen = [(name, metric) for name, metric in metrics() if options.only in name]
    found: dict[str, str] = {}
    for name, evaluate in EVALUATORS.items():
        if name in options.without:
            continue
        step = max(1, len(chosen) // _SOME.get(name, len(chosen) or 1))
        for key, metric in tqdm(chosen[::step], desc=name, mininterval=5):
            found[f"{key} {name}"] = evaluate(metric)
    if "matrices" not in options.without and not options.only:
        found |= dict(tqdm(of_matrices(), desc="matrices", mininterval=5))
    if not options.file.exists():
        options.file.write_text(json.dumps(found, indent=0))
        print(f"{len(found)} digests are in {options.file}")
        return 0
    before = json.loads(options.file.read_text())
    differ = [key for key, value in found.items() if before.get(key) != value]
    print("\n".join(differ))
    print(f"{len(differ)} of {len(found)} digests differ")
    return int(bool(differ))


if __name__ == "__main__":
    with np.errstate(all="ignore"):
        sys.exit(main())
