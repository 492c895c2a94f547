"""`import symmetrics` is quick: what only some uses need is loaded by those uses."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
from effort import in_one_test
from recorded import recorded

ROOT = Path(__file__).resolve().parent.parent
HEAVY = ("matplotlib", "networkx", "numba", "pandas", "scipy", "sklearn")


TELL = "print(*sys.modules, file=sys.stderr)"


class Process(NamedTuple):
    """What a process of its own has loaded after each of some scripts, and what they printed."""

    stages: list[set[str]]
    printed: str


def modules_after(*scripts: str, given: str = "") -> Process:
    """Run scripts one after the other in a process of its own, which reads a text.  Each process takes a second."""
    script = "\n".join(["import sys", *(f"{script}\n{TELL}" for script in scripts)])
    run = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, check=True, input=given, capture_output=True, text=True
    )
    return Process([set(line.split()) for line in run.stderr.splitlines()], run.stdout)


@pytest.fixture(scope="module")
def process() -> Process:
    """Import the package, write a verdict that is read, look at some functions, and import the curves."""
    return modules_after(
        "import symmetrics as sm",
        "print(sm.Verdict.from_json(sys.stdin.read()).to_latex())",
        "sm.score, sm.report",
        "import symmetrics.curves, symmetrics.numeric.intervals.samples",
        given=recorded("precision", "p2").to_json(),
    )


@pytest.fixture(scope="module")
def loaded(process: Process) -> set[str]:
    """Return the top-level names of all modules that the import loads."""
    return {name.partition(".")[0] for name in process.stages[0]}


def test_symmetrics_itself_is_loaded(loaded: set[str]) -> None:
    assert "symmetrics" in loaded


@in_one_test
@pytest.mark.parametrize("library", HEAVY)
def test_not_loaded_by_the_import(library: str, loaded: set[str]) -> None:
    assert library not in loaded


def test_a_verdict_from_a_file_is_written_before_anything_is_asked(process: Process) -> None:
    assert process.printed.startswith("\\textbf{Precision does not depend on the true negatives.}")


def test_curves_and_their_intervals_load_the_light_parts_of_scipy_alone(process: Process) -> None:
    """Of the distributions, the optimisers and the sparse matrices only some methods make use."""
    assert "symmetrics.numeric.intervals.samples" in process.stages[-1]
    assert not {"scipy.stats", "scipy.optimize", "scipy.sparse"} & process.stages[-1]


def test_scores_and_reports_need_no_statistics_before_intervals_are_asked_for(process: Process) -> None:
    assert not {"pandas", "scipy", "sklearn"} & process.stages[-2]


@pytest.fixture(scope="module")
def asked() -> list[set[str]]:
    """Ask the command line four times what it takes, in one process, and then for one value of a metric."""
    scripts = [
        f"from symmetrics.cli import main\ntry:\n    main({arguments})\nexcept SystemExit:\n    pass"
        for arguments in (["--version"], ["score", "--help"], ["compare", "--help"], ["plan", "--help"])
    ]
    return modules_after(*scripts, "import symmetrics\nsymmetrics.metrics['mcc'].from_counts(4, 1, 2, 13)").stages


def test_the_command_line_says_what_it_takes_without_any_library(asked: list[set[str]]) -> None:
    for number, names in enumerate(asked[:-1]):
        assert not {name.partition(".")[0] for name in names} & {*HEAVY, "numpy", "sympy"}, number


def test_one_value_needs_no_claims_and_nothing_for_arrays(asked: list[set[str]]) -> None:
    assert "symmetrics.numeric.scalars" in asked[-1]
    assert not {"symmetrics.claims", "symmetrics.numeric.native", "symmetrics.numeric.compiled"} & asked[-1]
