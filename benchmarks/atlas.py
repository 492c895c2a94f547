"""How long the atlas takes: deciding every property of every metric, checking it, and ordering the metrics.

Usage: python benchmarks/atlas.py, in a copy of the repository: it writes into a folder of its own.
"""

from __future__ import annotations

import shutil
import tempfile
import time
from collections import Counter
from pathlib import Path

import symmetrics as sm
from symmetrics.repository.building import build
from symmetrics.repository.certificates import CERTIFICATES
from symmetrics.repository.verifying import check_certificates

ROOT = Path(__file__).parents[1]


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for name in ("pyproject.toml", "README.md"):
            shutil.copy(ROOT / name, root / name)
        start = time.perf_counter()
        build(root, fresh=True)
        print(f"{time.perf_counter() - start:6.1f} s  decided from scratch, {len(sm.metrics)} x {len(sm.properties)}")
        start = time.perf_counter()
        build(root)
        print(f"{time.perf_counter() - start:6.1f} s  built again, nothing having changed")
        start = time.perf_counter()
        counts = Counter(verdict.status for verdict in check_certificates([root / CERTIFICATES]))
        print(f"{time.perf_counter() - start:6.1f} s  re-verified: {dict(counts)}")
    bounded = [name for name, metric in sm.metrics.items() if metric.range is not None][:80]
    start = time.perf_counter()
    order = sm.order(bounded)
    print(f"{time.perf_counter() - start:6.1f} s  order of {len(bounded)} metrics: {order.counts()}")


if __name__ == "__main__":
    main()
