"""`import symmetrics` is quick: what only some uses need is loaded by those uses."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
HEAVY = ("matplotlib", "networkx", "numba", "pandas", "scipy", "sklearn")


TELL = "print(*sys.modules, file=sys.stderr)"


def modules_after(*scripts: str) -> list[set[str]]:
    """Return the names of all modules that a process of its own has loaded after each of some scripts."""
    script = "\n".join(["import sys", *(f"{script}\n{TELL}" for script in scripts)])
    run = subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=True, capture_output=True, text=True)
    return [set(line.split()) for line in run.stderr.splitlines()]


@pytest.fixture(scope="module")
def stages() -> list[set[str]]:
    """Return what one process has loaded: by the import, by one value, by a look at functions, and by the curves."""
    return modules_after(
        "import symmetrics as sm",
        "sm.metrics['mcc'].from_counts(40, 10, 20, 130)",
        "sm.score, sm.report",
        "import symmetrics.curves, symmetrics.numeric.intervals.samples",
    )


@pytest.fixture(scope="module")
def loaded(stages: list[set[str]]) -> set[str]:
    """Return the top-level names of all modules that the import loads."""
    return {name.partition(".")[0] for name in stages[0]}


def test_symmetrics_itself_is_loaded(loaded: set[str]) -> None:
    assert "symmetrics" in loaded


@pytest.mark.parametrize("library", HEAVY)
def test_not_loaded_by_the_import(library: str, loaded: set[str]) -> None:
    assert library not in loaded


def test_curves_and_their_intervals_load_the_light_parts_of_scipy_alone(stages: list[set[str]]) -> None:
    """Of the distributions, the optimisers and the sparse matrices only some methods make use."""
    assert "symmetrics.numeric.intervals.samples" in stages[3]
    assert not {"scipy.stats", "scipy.optimize", "scipy.sparse"} & stages[3]


def test_one_value_needs_no_claims_and_nothing_for_arrays(stages: list[set[str]]) -> None:
    assert "symmetrics.numeric.scalars" in stages[1]
    assert not {"symmetrics.claims", "symmetrics.numeric.native", "symmetrics.numeric.compiled"} & stages[1]


def test_scores_and_reports_need_no_statistics_before_intervals_are_asked_for(stages: list[set[str]]) -> None:
    assert not {"pandas", "scipy", "sklearn"} & stages[2]


def test_the_command_line_says_what_it_takes_without_any_library() -> None:
    asked = (["--version"], ["score", "--help"], ["compare", "--help"], ["plan", "--help"])
    scripts = [
        f"from symmetrics.cli import main\ntry:\n    main({arguments})\nexcept SystemExit:\n    pass"
        for arguments in asked
    ]
    for arguments, names in zip(asked, modules_after(*scripts), strict=True):
        assert not {name.partition(".")[0] for name in names} & {*HEAVY, "numpy", "sympy"}, arguments
