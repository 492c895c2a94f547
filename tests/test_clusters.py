"""Counts on several processes are those of one, also if one of them dies midway."""

from __future__ import annotations

import importlib.util
import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import symmetrics as sm

pytestmark = pytest.mark.thorough
ROWS, PARTS, GROUPS = 400_000, 40, 50


def missing(*packages: str) -> Any:
    absent = [name for name in packages if importlib.util.find_spec(name) is None]
    return pytest.mark.skipif(bool(absent), reason=f"{', '.join(absent)} not installed")


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    duckdb = pytest.importorskip("duckdb")
    folder = tmp_path_factory.mktemp("parts")
    for part in range(PARTS):
        size = ROWS // PARTS
        duckdb.sql(
            "SELECT (hash(i, 1) % 10 < 3)::INTEGER AS y, (hash(i, 2) % 10 < 4)::INTEGER AS p, "
            f"hash(i, 3) % {GROUPS} AS g FROM range({part * size}, {(part + 1) * size}) AS t(i)"
        ).write_parquet(str(folder / f"{part:02}.parquet"))
    return folder


@pytest.fixture(scope="module")
def expected(parts: Path) -> list[tuple[Any, ...]]:
    duckdb = pytest.importorskip("duckdb")
    return duckdb.sql(
        "SELECT g, count(*) FILTER (y = 1 AND p = 1), count(*) FILTER (y = 1 AND p = 0), "
        "count(*) FILTER (y = 0 AND p = 1), count(*) FILTER (y = 0 AND p = 0) "
        f"FROM '{parts}/*.parquet' GROUP BY g ORDER BY g"
    ).fetchall()


def slowly(part: Any) -> Any:
    time.sleep(0.05)
    return part


@pytest.fixture
def client() -> Iterator[Any]:
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


def finished(dask_scheduler: Any) -> int:
    return sum(worker.metrics.get("task_counts", {}).get("memory", 0) for worker in dask_scheduler.workers.values())


@missing("dask", "distributed", "pyarrow", "duckdb")
@pytest.mark.parametrize("killed", [False, True])
def test_two_workers_of_dask_count_what_one_process_does(
    killed: bool, client: Any, parts: Path, expected: list[tuple[Any, ...]]
) -> None:
    import dask.dataframe as dd

    examples = dd.read_parquet([str(file) for file in sorted(parts.glob("*.parquet"))])
    counts = sm.counts(examples.map_partitions(slowly, meta=examples._meta), truth="y", prediction="p", by="g")
    computed = client.compute(counts)
    if killed:
        before = client.run(os.getpid)
        while client.run_on_scheduler(finished) < 3:
            assert not computed.done()
            time.sleep(0.01)
        os.kill(next(iter(before.values())), signal.SIGKILL)
    found = computed.result(timeout=120).sort_values("g")
    if killed:
        assert set(client.run(os.getpid).values()) != set(before.values())
    assert [tuple(map(int, row)) for row in found.itertuples(index=False)] == expected


@missing("pyspark", "duckdb")
def test_two_executors_of_spark_count_what_one_process_does(parts: Path, expected: list[tuple[Any, ...]]) -> None:
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    if (running := SparkSession.getActiveSession()) is not None:
        running.stop()
    session = SparkSession.builder.master("local-cluster[2,1,1024]").config("spark.ui.enabled", False).getOrCreate()
    try:
        examples = session.read.parquet(str(parts))
        found = sm.counts(examples, truth="y", prediction="p", by="g").collect()
        executors = session.sparkContext._jsc.sc().getExecutorMemoryStatus().size() - 1
    finally:
        session.stop()
    assert executors == 2
    assert sorted(tuple(map(int, row)) for row in found) == expected
