"""How long does it take to count examples where they lie, and in how much memory?

usage: python benchmarks/engines.py csv|parquet|growth|dask|spark [--rows N] [--groups G] [--repetitions R] [--folder F]

csv       symmetrics score of a CSV file, of labels and of scores, as a process: seconds and memory
parquet   the same of a folder of Parquet files by groups, against DuckDB's own GROUP BY of the four counts, in processes
          that take turns; both are timed without the start of Python
growth    seconds by rows, groups, classes and threads, with the least squares fit of a model; --plot FILE draws it
dask      counts by two worker processes, one of which is killed midway, against DuckDB's
spark     counts by Spark with two executors, against DuckDB's

Files are made once, in --folder (default: a temporary one below the current folder), from hashes of row numbers, so
that the same rows are made everywhere.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb

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
start = time.perf_counter()
rows = connection.execute(sys.argv[1]).fetchall()
print(time.perf_counter() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""
TIMED_OURS = """
import resource, sys, time
from symmetrics.library import metrics
from symmetrics.pages.datafiles.file_counts import Wanted
from symmetrics.pages.datafiles.file_scores import Scoring
from symmetrics.pages.file_reports import scored_file
import duckdb
scoring = Scoring({name: metrics[name] for name in sys.argv[3].split(",")}, positive="1")
start = time.perf_counter()
found = scored_file(sys.argv[1], Wanted("y", "p", by=tuple(filter(None, sys.argv[2].split(",")))), scoring)
print(time.perf_counter() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
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


def timed(code: str, *arguments: str) -> tuple[float, float]:
    done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True)
    seconds, memory = map(float, done.stdout.split())
    return seconds, memory


def parquet(options: argparse.Namespace) -> None:
    folder = made(options.folder, options.rows, options.groups)
    print(f"{options.rows:,} rows of Parquet, {options.groups:,} groups; load {os.getloadavg()[0]:.1f}")
    bare, ours = [], []
    for _ in range(options.repetitions):
        bare.append(timed(TIMED_BARE, BARE.format(files=folder / "*.parquet")))
        ours.append(timed(TIMED_OURS, str(folder), "g", "f1,mcc,kappa"))
    for name, found in (("GROUP BY of the four counts", bare), ("symmetrics, three metrics", ours)):
        seconds = [one for one, _ in found]
        print(f"{name:30} best {min(seconds):6.2f} s, median {statistics.median(seconds):6.2f} s, "
              f"{max(memory for _, memory in found):4.0f} MB at most")  # fmt: skip
    ratios = [our[0] / their[0] for our, their in zip(ours, bare, strict=True)]
    print(f"ratio of the best {min(o[0] for o in ours) / min(b[0] for b in bare):.2f}, of pairs, median "
          f"{statistics.median(ratios):.2f}")  # fmt: skip


def best(work: Callable[[], Any], repetitions: int) -> float:
    found = []
    for _ in range(repetitions):
        start = time.perf_counter()
        work()
        found.append(time.perf_counter() - start)
    return min(found)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=sorted(QUESTIONS))
    parser.add_argument("--rows", type=int)
    parser.add_argument("--groups", type=int, default=1000)
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--plot", type=Path)
    options = parser.parse_args()
    options.rows = options.rows or {"csv": 10_000_000}.get(options.what, 100_000_000)
    if options.folder is not None:
        QUESTIONS[options.what](options)
        return 0
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
        options.folder = Path(folder)
        QUESTIONS[options.what](options)
    return 0


QUESTIONS = {"csv": csv, "parquet": parquet}

if __name__ == "__main__":
    sys.exit(main())
