"""Run a benchmark and keep what it prints, with the machine, its load, the versions and the date.

usage: python benchmarks/record.py SCRIPT [ARGUMENT...], such as: python benchmarks/record.py curves.py --repetitions 9

The result is benchmarks/results/SCRIPT_DATE.json; a second one on the same day replaces the first.  A benchmark that
fails leaves nothing behind, and its status is that of this script.
"""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
import sys
import time
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
PACKAGES = ("symmetrics", "numpy", "scipy", "sympy", "python-flint", "networkx", "numba", "pandas", "scikit-learn")


def processor() -> str:
    """Return the model of the processor, as the system names it."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else platform.machine()


def memory() -> float | None:
    """Return the memory of the machine in GiB, or None where the system does not say."""
    try:
        return round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30, 1)
    except (AttributeError, OSError, ValueError):
        return None


def machine() -> dict[str, Any]:
    """Return what runs the benchmark; a load near 0 says that it had nothing else to do."""
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else None
    return {
        "processor": processor(),
        "cores": os.cpu_count(),
        "memory_gib": memory(),
        "system": platform.platform(),
        "load_before": None if load is None else round(load, 1),
    }


def versions() -> dict[str, str]:
    """Return the versions of Python and of the packages that are installed."""
    found = {"python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def commit() -> str | None:
    """Return the commit of the sources, marked if files differ from it; None without git or outside of a repository."""
    if shutil.which("git") is None:
        return None
    command = ["git", "-C", str(HERE), "describe", "--always", "--abbrev=12", "--dirty=, with changes"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.strip() or None


def record(script: Path, arguments: list[str], folder: Path) -> int:
    """Run a script, print what it prints, keep it in a file of the folder, and return its exit status."""
    start, before = datetime.now(UTC), machine()
    clock = time.perf_counter()
    done = subprocess.run([sys.executable, str(script), *arguments], stdout=subprocess.PIPE, text=True, check=False)
    seconds = time.perf_counter() - clock
    print(done.stdout, end="")
    if done.returncode == 0:
        result = {
            "benchmark": script.name,
            "arguments": arguments,
            "date": start.strftime("%Y-%m-%d %H:%M UTC"),
            "machine": before,
            "versions": versions(),
            "commit": commit(),
            "seconds": round(seconds, 1),
            "output": done.stdout.splitlines(),
        }
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{script.stem}_{start:%Y-%m-%d}.json"
        path.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        print(f"recorded in {path}", file=sys.stderr)
    return done.returncode


def main(arguments: list[str]) -> int:
    if not arguments or arguments[0] in ("-h", "--help"):
        print(__doc__)
        return 0 if arguments else 2
    script = HERE / Path(arguments[0]).name
    if not script.is_file():
        known = ", ".join(
            sorted(path.name for path in HERE.glob("*.py") if not path.name.startswith(("fuzz_", "mutate_", "record")))
        )
        print(f"{arguments[0]}: no such benchmark; there is {known}", file=sys.stderr)
        return 2
    return record(script, arguments[1:], HERE / "results")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
