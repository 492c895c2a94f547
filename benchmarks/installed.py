"""Time questions about the whole library, from a wheel with its certificates, against `import sympy`.

All are whole processes in an empty folder, run in turn, so that whatever else the machine does falls on all of them.
Printed are medians, wall clock and processor time, and how much either is beyond `import sympy`. Run it with an
interpreter for which symmetrics was installed from a wheel; with `--limit` the exit status is 1 if a question takes
more than it may.

usage: python benchmarks/installed.py [--repetitions N] [--limit]
"""

from __future__ import annotations

import argparse
import resource
import statistics
import subprocess
import sys
import tempfile
import time

SYMPY = ("-c", "import sympy")
QUESTIONS = {
    ("-m", "symmetrics", "find", "monotone=yes", "max_agreement=yes", "constant_baseline=yes"): 1.0,
    ("-m", "symmetrics", "table", "--metrics", "all", "--properties", "all"): 2.0,
    ("-m", "symmetrics", "prove", "mcc", "p1"): 1.0,
}
"""What is asked, and how many seconds it may take beyond `import sympy`."""


def seconds(words: tuple[str, ...], folder: str) -> tuple[float, float]:
    """Return the wall time and the processor time of one process; it must succeed."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(
        [sys.executable, *words], cwd=folder, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL
    )
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> int:
    parser = argparse.ArgumentParser(description="time questions about the whole library against `import sympy`")
    parser.add_argument("--repetitions", type=int, default=7, help="measured rounds, after one that is not (default 7)")
    parser.add_argument("--limit", action="store_true", help="exit with status 1 if a question takes more than it may")
    arguments = parser.parse_args()
    if arguments.repetitions < 1:
        parser.error("--repetitions must be at least 1")
    commands = (SYMPY, *QUESTIONS)
    with tempfile.TemporaryDirectory() as folder:
        rounds = [[seconds(words, folder) for words in commands] for _ in range(arguments.repetitions + 1)][1:]
    places = range(len(commands))
    wall, work = ([statistics.median(one[place][kind] for one in rounds) for place in places] for kind in (0, 1))
    print(f"import sympy  {wall[0]:.2f} s, of the processor {work[0]:.2f} s")
    slow = []
    for place, (words, limit) in enumerate(QUESTIONS.items(), start=1):
        beyond = wall[place] - wall[0]
        print(f"{' '.join(words[1:])}\n  {wall[place]:.2f} s, of the processor {work[place]:.2f} s")
        print(
            f"  beyond import sympy {beyond:.2f} s, of the processor {work[place] - work[0]:.2f} s; at most {limit:g} s"
        )
        slow += [words] if beyond > limit else []
    return 1 if slow and arguments.limit else 0


if __name__ == "__main__":
    sys.exit(main())
