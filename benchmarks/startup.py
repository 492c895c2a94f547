"""Time `symmetrics table` and `symmetrics identify` against `import sympy`, the least that it has to do.

All are whole processes, run in pairs one after the other and in alternating order, so that whatever else the machine
does falls on both. Printed are the medians of either and the median of the paired ratios.

usage: python benchmarks/startup.py [--repetitions N] [--warm-up N]
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import sysconfig
import time
from pathlib import Path

IMPORT_SYMPY = (sys.executable, "-c", "import sympy")


FORMULA = "2*TP/(2*TP + FN + FP)"
COMMANDS = {"table": ("table",), "identify": ("identify", FORMULA)}


def console_script() -> str:
    """Return the console script of this interpreter's environment, not one that happens to come first on the path."""
    for name in ("symmetrics", "symmetrics.exe"):
        script = Path(sysconfig.get_path("scripts")) / name
        if script.is_file():
            return str(script)
    sys.exit("symmetrics is not installed for this interpreter; run: pip install .")


def seconds(command: tuple[str, ...]) -> float:
    """Return the wall time of one process; it must succeed."""
    start = time.perf_counter()
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def measure(first: tuple[str, ...], second: tuple[str, ...], repetitions: int) -> list[tuple[float, float]]:
    """Return paired times; every other pair runs in reverse order."""
    pairs = []
    for repetition in range(repetitions):
        if repetition % 2 == 0:
            pairs.append((seconds(first), seconds(second)))
        else:
            reverse = seconds(second), seconds(first)
            pairs.append((reverse[1], reverse[0]))
    return pairs


def main() -> None:
    parser = argparse.ArgumentParser(description="time `symmetrics table` against `import sympy`")
    parser.add_argument("--repetitions", type=int, default=15, help="measured pairs (default 15)")
    parser.add_argument("--warm-up", type=int, default=2, help="pairs run before, not counted (default 2)")
    arguments = parser.parse_args()
    if arguments.repetitions < 1 or arguments.warm_up < 0:
        parser.error("--repetitions must be at least 1 and --warm-up at least 0")

    script = console_script()
    for name, words in COMMANDS.items():
        command = (script, *words)
        measure(command, IMPORT_SYMPY, arguments.warm_up)
        pairs = measure(command, IMPORT_SYMPY, arguments.repetitions)
        ours, imports = zip(*pairs, strict=True)
        ratios = sorted(own / theirs for own, theirs in pairs)
        print(f"symmetrics {name}, {len(pairs)} pairs")
        print(f"  the command, median    {statistics.median(ours):.3f} s")
        print(f"  import sympy, median   {statistics.median(imports):.3f} s")
        print(f"  ratio, median          {statistics.median(ratios):.2f}  (from {ratios[0]:.2f} to {ratios[-1]:.2f})")


if __name__ == "__main__":
    main()
