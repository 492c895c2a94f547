"""How long does it take to count examples where they lie, and in how much memory?

usage: python benchmarks/engines.py csv|parquet|growth|dask|spark [--rows N] [--groups G] [--folder F] ...

csv       `symmetrics score` of a CSV file, without and with scores: seconds and memory of the process
parquet   scores of a folder of Parquet files by groups, against DuckDB's own GROUP BY of the four counts, in
          processes that take turns; both are timed without the start of Python
growth    seconds by rows, groups, classes and threads, with the least squares fit of a model; --plot FILE draws it
dask      counts by two worker processes, one of which is killed midway, against DuckDB's
spark     counts by Spark with two executors, against DuckDB's

Files are made once, in --folder (default: a temporary one below the current folder), from hashes of row numbers, so
that the same rows are made everywhere.
"""

from __future__ import annotations

import argparse
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import Any

import duckdb
import numpy as np

import symmetrics

PART = 10_000_000
EXAMPLES = (
    "SELECT (hash(i, 1) % 10 < 3)::TINYINT AS y, (hash(i, 2) % 10 < 4)::TINYINT AS p, (hash(i, 3) % {groups})::INTEGER "
    "AS g, (hash(i, 4) % {classes})::SMALLINT AS c, (hash(i, 5) % {classes})::SMALLINT AS d, hash(i, 6) / 2.0**64 AS s "
    "FROM range({start}, {stop}) AS t(i)"
)
BARE = (
    "SELECT g, count(*) FILTER (y = 1 AND p = 1) AS tp, count(*) FILTER (y = 1 AND p <> 1) AS fn, "
    "count(*) FILTER (y <> 1 AND p = 1) AS fp, count(*) FILTER (y <> 1 AND p <> 1) AS tn FROM '{files}' GROUP BY g"
)
TIMED_BARE = """
import duckdb, resource, sys, time
connection = duckdb.connect()
connection.execute("SET memory_limit = '400MB'")
connection.execute("SET enable_progress_bar = false")
start, before = time.perf_counter(), time.process_time()
rows = connection.execute(sys.argv[1]).fetchall()
used = resource.getrusage(resource.RUSAGE_SELF)
print(time.perf_counter() - start, time.process_time() - before, used.ru_maxrss / 1024)
"""
TIMED_OURS = """
import resource, sys, time
from symmetrics.library import metrics
from symmetrics.data.places import Wanted
from symmetrics.pages.lines import Scoring
from symmetrics.pages.score_reports import scored_file
import duckdb
scoring = Scoring({name: metrics[name] for name in sys.argv[3].split(",")}, positive="1")
metrics["f1"].from_counts(1, 1, 1, 1)
start, before = time.perf_counter(), time.process_time()
by = tuple(filter(None, sys.argv[2].split(",")))
found = scored_file(sys.argv[1], Wanted(*sys.argv[4:6], by=by), scoring)
used = resource.getrusage(resource.RUSAGE_SELF)
print(time.perf_counter() - start, time.process_time() - before, used.ru_maxrss / 1024)
"""


def made(folder: Path, rows: int, groups: int = 1000, classes: int = 10) -> Path:
    """Return a folder of Parquet files with so many rows, having made them if need be."""
    target = folder / f"rows{rows}_groups{groups}_classes{classes}"
    connection = duckdb.connect()
    for part, start in enumerate(range(0, rows, PART)):
        file = target / f"part{part:03}.parquet"
        if not file.exists():
            target.mkdir(parents=True, exist_ok=True)
            query = EXAMPLES.format(groups=groups, classes=classes, start=start, stop=min(start + PART, rows))
            connection.sql(query).write_parquet(str(file.with_suffix(".part")))
            file.with_suffix(".part").rename(file)
    return target


def made_csv(folder: Path, rows: int) -> Path:
    """Return a CSV file with so many rows, having made it if need be."""
    file = folder / f"rows{rows}.csv"
    if not file.exists():
        folder.mkdir(parents=True, exist_ok=True)
        query = EXAMPLES.format(groups=1000, classes=10, start=0, stop=rows)
        duckdb.sql(f"SELECT y, p, s FROM ({query})").write_csv(str(file.with_suffix(".part")))
        file.with_suffix(".part").rename(file)
    return file


def process(*command: str) -> tuple[float, float, float]:
    """Run a program; return its seconds by the clock and of computing, and its peak memory in MB."""
    start = time.perf_counter()
    running = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(running.pid, 0)
    if status:
        raise SystemExit(f"{command[:4]} failed")
    return time.perf_counter() - start, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def csv(options: argparse.Namespace) -> None:
    file = str(made_csv(options.folder, options.rows))
    print(f"{options.rows:,} rows of CSV, {Path(file).stat().st_size / 2**20:.0f} MiB; load {os.getloadavg()[0]:.1f}")
    columns = ("--truth", "y", "--prediction", "p")
    for name, more in (("labels", ()), ("labels and scores", ("--score", "s"))):
        command = (sys.executable, "-m", "symmetrics", "score", file, *columns, *more)
        found = [process(*command) for _ in range(options.repetitions)]
        seconds, computing, memory = map(min, zip(*found, strict=True))
        print(f"{name:20} {seconds:6.2f} s by the clock, {computing:6.2f} s of computing, {memory:4.0f} MB at most")


def timed(code: str, *arguments: str, cores: int | None = None) -> tuple[float, float, float]:
    """Run code that prints its seconds by the clock and of computing, and its peak memory in MB."""
    limit = None if cores is None else partial(os.sched_setaffinity, 0, set(sorted(os.sched_getaffinity(0))[:cores]))
    command = [sys.executable, "-c", code, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True, preexec_fn=limit)
    seconds, computing, memory = map(float, done.stdout.split())
    return seconds, computing, memory


def parquet(options: argparse.Namespace) -> None:
    folder = made(options.folder, options.rows, options.groups)
    print(f"{options.rows:,} rows of Parquet, {options.groups:,} groups; load {os.getloadavg()[0]:.1f}")
    bare, ours = [], []
    for _ in range(options.repetitions):
        bare.append(timed(TIMED_BARE, BARE.format(files=folder / "*.parquet")))
        ours.append(timed(TIMED_OURS, str(folder), "g", "f1,mcc,kappa", "y", "p"))
    for name, found in (("GROUP BY of the four counts", bare), ("symmetrics, three metrics", ours)):
        seconds, computing, memory = zip(*found, strict=True)
        print(f"{name:30} best {min(seconds):6.2f} s by the clock, {min(computing):6.2f} s of computing, "
              f"{max(memory):4.0f} MB at most")  # fmt: skip
    for place, name in enumerate(("by the clock", "of computing")):
        ratios = [our[place] / their[place] for our, their in zip(ours, bare, strict=True)]
        best = min(our[place] for our in ours) / min(their[place] for their in bare)
        print(f"ratio {name}: of the best {best:.2f}, of pairs, median {statistics.median(ratios):.2f}")


def growth(options: argparse.Namespace) -> None:
    """Fit seconds of computing to a + b rows + c groups + d pairs of labels, and print what each setting took."""
    rows, cores = options.rows, len(os.sched_getaffinity(0))
    settings = [("rows", part, 1000, 2, cores) for part in (rows // 100, rows // 30, rows // 10, rows // 3, rows)]
    settings += [("groups", rows, groups, 2, cores) for groups in (1, 100, 10_000, 100_000)]
    settings += [("classes", rows, 10, classes, cores) for classes in (3, 10, 30, 100)]
    settings += [("cores", rows, 1000, 2, number) for number in range(1, cores + 1)]
    found = []
    for what, size, groups, classes, number in settings:
        folder = str(made(options.folder, size, groups, max(classes, 3)))
        columns = ("y", "p") if classes == 2 else ("c", "d")
        took = [timed(TIMED_OURS, folder, "g", "f1", *columns, cores=number) for _ in range(options.repetitions)]
        seconds, computing, memory = map(min, zip(*took, strict=True))
        found.append((what, size, groups, classes, number, seconds, computing, memory))
    table = np.array([(1, size, groups, groups * classes**2) for _, size, groups, classes, *_ in found], dtype=float)
    computing = np.array([row[6] for row in found])
    fit, *_ = np.linalg.lstsq(table / computing[:, None], np.ones(len(found)), rcond=None)
    print(f"model: {fit[0]:.2g} s + {fit[1] * 1e9:.2g} ns a row + {fit[2] * 1e6:.2g} us a group + "
          f"{fit[3] * 1e6:.2g} us a pair of labels in a group")  # fmt: skip
    print("what         rows   groups  classes  cores  by the clock  computing    model   MB")
    for (what, *sizes, seconds, spent, memory), modelled in zip(found, table @ fit, strict=True):
        size, groups, classes, number = sizes
        print(f"{what:8}{size:11,}{groups:9,}{classes:9}{number:7}{seconds:12.2f} s{spent:9.2f} s{modelled:7.2f} s"
              f"{memory:5.0f}")  # fmt: skip
    whole = float(fit @ (1, 1e9, 1000, 4000))
    print(f"by the model 10^9 rows in 1,000 groups take {whole:.0f} s of computing, over all cores and machines")
    if options.plot is not None:
        draw(found, table @ fit, options.plot)


def draw(found: list[Any], modelled: Any, path: Path) -> None:
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, 4, figsize=(13, 3.2), constrained_layout=True)
    for ax, (what, place) in zip(axes, (("rows", 1), ("groups", 2), ("classes", 3), ("cores", 4)), strict=True):
        here = [(row, model) for row, model in zip(found, modelled, strict=True) if row[0] == what]
        x = [row[place] for row, _ in here]
        shown = 5 if what == "cores" else 6
        ax.plot(x, [row[shown] for row, _ in here], "o", label="measured")
        if what != "cores":
            ax.plot(x, [model for _, model in here], "-", label="model")
            ax.set_xscale("log")
            ax.set_yscale("log")
        else:
            ax.set_xticks(x)
            ax.set_ylim(bottom=0)
        ax.set_xlabel(what)
        ax.set_ylabel("seconds by the clock" if what == "cores" else "seconds of computing")
        ax.legend()
    figure.savefig(path, dpi=120)
    print(f"drawn in {path}")


def truth_of(folder: Path) -> list[tuple[int, ...]]:
    query = BARE.format(files=folder / "*.parquet")
    return sorted(duckdb.execute(query).fetchall())


def dask(options: argparse.Namespace) -> None:
    import dask.dataframe as dd
    from distributed import Client, LocalCluster

    folder = made(options.folder, options.rows, options.groups)
    expected = truth_of(folder)
    print(f"{options.rows:,} rows, {options.groups:,} groups; load {os.getloadavg()[0]:.1f}")
    for workers, killed in ((1, False), (2, False), (2, True)):
        cluster = LocalCluster(n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=None)
        with cluster, Client(cluster) as client:
            start = time.perf_counter()
            examples = dd.read_parquet(str(folder / "*.parquet"), columns=["y", "p", "g"], split_row_groups=4)
            running = client.compute(symmetrics.counts(examples, truth="y", prediction="p", by="g"))
            if killed:
                time.sleep(options.after)
                victim = next(iter(client.run(os.getpid).values()))
                midway = not running.done()
                os.kill(victim, signal.SIGKILL)
            rows = running.result().sort_values("g")
            seconds = time.perf_counter() - start
        same = [tuple(map(int, row)) for row in rows.itertuples(index=False)] == expected
        note = f", one killed {'midway' if midway else 'too late'}" if killed else ""
        print(f"Dask, {workers} workers{note}: {seconds:.1f} s, {'the same counts' if same else 'OTHER COUNTS'}")


def spark(options: argparse.Namespace) -> None:
    from pyspark.sql import SparkSession

    folder = made(options.folder, options.rows, options.groups)
    expected = truth_of(folder)
    session = SparkSession.builder.master("local-cluster[2,1,2048]").config("spark.ui.enabled", False).getOrCreate()
    start = time.perf_counter()
    examples = session.read.parquet(str(folder))
    rows = symmetrics.counts(examples, truth="y", prediction="p", by="g").collect()
    seconds = time.perf_counter() - start
    same = sorted(tuple(map(int, row)) for row in rows) == expected
    session.stop()
    print(f"{options.rows:,} rows, {options.groups:,} groups; load {os.getloadavg()[0]:.1f}")
    print(f"Spark, 2 executors: {seconds:.1f} s, {'the same counts' if same else 'OTHER COUNTS'}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=sorted(QUESTIONS))
    parser.add_argument("--rows", type=int)
    parser.add_argument("--groups", type=int, default=1000)
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--plot", type=Path, help="where growth is drawn")
    parser.add_argument("--after", type=float, default=5.0, help="seconds after which dask's worker is killed")
    options = parser.parse_args()
    options.rows = options.rows or {"csv": 10_000_000, "growth": 10_000_000}.get(options.what, 100_000_000)
    if options.folder is not None:
        QUESTIONS[options.what](options)
        return 0
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
        options.folder = Path(folder)
        QUESTIONS[options.what](options)
    return 0


QUESTIONS = {"csv": csv, "parquet": parquet, "growth": growth, "dask": dask, "spark": spark}

if __name__ == "__main__":
    sys.exit(main())
