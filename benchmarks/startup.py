"""Time whole processes: questions and the scores of a small file against `import sympy`, a first value against NumPy.

`symmetrics table` and `identify` need SymPy, which is the least that they have to do; `symmetrics score` does not, and
neither does the first value of a metric of the library, which stands beside the imports of NumPy and of scikit-learn.

All are run in pairs one after the other and in alternating order, so that whatever else the machine
does falls on both. Printed are the medians of either and the median of the paired ratios.

usage: python benchmarks/startup.py [--repetitions N] [--warm-up N]
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import sysconfig
import tempfile
import time
from pathlib import Path

FORMULA = "2*TP/(2*TP + FN + FP)"
EXAMPLES = "t,p\n1,1\n1,0\n0,0\n0,1\n1,1\n"
FIRST_VALUE = "import symmetrics as sm; sm.metrics.mcc.from_counts(1, 2, 3, 4)"


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


def python(script: str) -> tuple[str, ...]:
    """Return the command that runs a script."""
    return (sys.executable, "-c", script)


def main() -> None:
    parser = argparse.ArgumentParser(description="time what a process takes to begin, against imports")
    parser.add_argument("--repetitions", type=int, default=15, help="measured pairs (default 15)")
    parser.add_argument("--warm-up", type=int, default=2, help="pairs run before, not counted (default 2)")
    arguments = parser.parse_args()
    if arguments.repetitions < 1 or arguments.warm_up < 0:
        parser.error("--repetitions must be at least 1 and --warm-up at least 0")

    script = console_script()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "five.csv"
        file.write_text(EXAMPLES, encoding="utf-8")
        compared = (
            ("symmetrics table", (script, "table"), "import sympy"),
            ("symmetrics identify", (script, "identify", FORMULA), "import sympy"),
            ("symmetrics score", (script, "score", str(file), "--truth", "t", "--prediction", "p"), "import sympy"),
            ("first value", python(FIRST_VALUE), "import numpy"),
            ("first value", python(FIRST_VALUE), "import sklearn.metrics"),
        )
        for name, command, against in compared:
            measure(command, python(against), arguments.warm_up)
            pairs = measure(command, python(against), arguments.repetitions)
            ours, imports = zip(*pairs, strict=True)
            ratios = sorted(own / theirs for own, theirs in pairs)
            print(f"{name}, {len(pairs)} pairs")
            print(f"  the command, median    {statistics.median(ours):.3f} s")
            print(f"  {against + ', median':22} {statistics.median(imports):.3f} s")
            print(
                f"  ratio, median          {statistics.median(ratios):.2f}  (from {ratios[0]:.2f} to {ratios[-1]:.2f})"
            )


if __name__ == "__main__":
    main()
