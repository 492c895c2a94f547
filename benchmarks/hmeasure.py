"""Time the H-measure against PyPI's hmeasure, side by side, as a multiple of np.argsort of the same scores.

Both score the same examples with Beta(2, 2) (severity ratio 1 there), in turns; where the values differ by more than
1e-9, the run fails. PyPI's hmeasure runs in a process of its own, because it brings other dependencies along. Install
it with pip install hmeasure, into this environment or into another one that --python names. It accepts scores in [0, 1]
only, so these are.

usage: python benchmarks/hmeasure.py [--examples N] [--repetitions N] [--positive SHARE] [--python PYTHON]
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from symmetrics.curves.hmeasure import h_measure

THEIRS = """
import sys, time
try:
    import numpy
    from hmeasure import h_score
except ImportError:
    sys.exit("no module named hmeasure")
data = numpy.load(sys.argv[1])
labels, scores = data["labels"], data["scores"]
for _ in sys.stdin:
    start = time.perf_counter()
    value = h_score(labels, scores, severity_ratio=1.0)
    print(time.perf_counter() - start, float(value), flush=True)
"""

KINDS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "distinct": lambda scores: scores,
    "two decimals": lambda scores: np.round(scores, 2),
}


def examples(number: int, share: float, seed: int = 2011) -> tuple[np.ndarray, np.ndarray]:
    """Return labels, and scores in (0, 1) that tell them apart moderately."""
    generator = np.random.default_rng(seed)
    labels = (generator.random(number) < share).astype(np.int64)
    return labels, 1 / (1 + np.exp(-generator.normal(size=number) - labels))


def timed(call: Callable[[], object]) -> tuple[float, object]:
    start = time.perf_counter()
    value = call()
    return time.perf_counter() - start, value


class Theirs:
    """A process of another interpreter that scores one file of examples as often as it is asked to."""

    def __init__(self, python: str, path: Path) -> None:
        self.process = subprocess.Popen(
            (python, "-c", THEIRS, str(path)),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self) -> tuple[float, float] | None:
        """Return the time and the value, None if it has ended."""
        stdin, stdout = self.process.stdin, self.process.stdout
        assert stdin is not None
        assert stdout is not None
        try:
            stdin.write("again\n")
            stdin.flush()
        except BrokenPipeError:
            return None
        answer = stdout.readline().split()
        return (float(answer[0]), float(answer[1])) if answer else None

    def end(self) -> str:
        """End the process and return the last line of its errors."""
        _, errors = self.process.communicate()
        return errors.strip().splitlines()[-1] if errors.strip() else "no message"


def compare(kind: str, labels: np.ndarray, scores: np.ndarray, python: str, repetitions: int) -> bool:
    """Print the medians of one kind of scores; return whether both values agree, or there is no peer."""
    sorting, ours, theirs, values = [], [], [], []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "examples.npz"
        np.savez(path, labels=labels, scores=scores)
        peer = Theirs(python, path)
        for _ in range(repetitions):
            sorting.append(timed(lambda: np.argsort(scores))[0])
            seconds, value = timed(lambda: h_measure(labels, scores))
            ours.append(seconds)
            if (answer := peer.run()) is not None:
                theirs.append(answer[0])
                values.append(abs(answer[1] - float(value)))
        message = peer.end()
    unit, mine = statistics.median(sorting), statistics.median(ours)
    print(f"{kind}: np.argsort {1000 * unit:.1f} ms; ours {1000 * mine:.1f} ms = {mine / unit:.2f} x argsort")
    if not theirs:
        print(f"  PyPI hmeasure did not run ({message}); pip install hmeasure, and name that interpreter with --python")
        return True
    other, ratios = statistics.median(theirs), [b / a for a, b in zip(ours, theirs, strict=True)]
    print(f"  PyPI hmeasure {1000 * other:.1f} ms = {other / unit:.2f} x argsort, values differ by {max(values):.1e}")
    print(f"  ours is {statistics.median(ratios):.1f} times as fast ({min(ratios):.1f} to {max(ratios):.1f})")
    return max(values) <= 1e-9


def main() -> None:
    parser = argparse.ArgumentParser(description="time the H-measure against PyPI's hmeasure")
    parser.add_argument("--examples", type=int, default=10**6, help="number of scores (default 1000000)")
    parser.add_argument("--repetitions", type=int, default=9, help="paired runs (default 9)")
    parser.add_argument("--positive", type=float, default=0.3, help="share of positive examples (default 0.3)")
    parser.add_argument("--python", default=sys.executable, help="interpreter with hmeasure (default: this one)")
    arguments = parser.parse_args()
    labels, scores = examples(arguments.examples, arguments.positive)
    print(f"{arguments.examples} examples, {labels.mean():.1%} positive, {arguments.repetitions} paired runs")
    agree = [
        compare(kind, labels, change(scores), arguments.python, arguments.repetitions) for kind, change in KINDS.items()
    ]
    if not all(agree):
        sys.exit("the values differ by more than 1e-9")


if __name__ == "__main__":
    main()
