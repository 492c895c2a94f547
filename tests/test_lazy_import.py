"""`import symmetrics` is quick: what only some uses need is loaded by those uses."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
HEAVY = ("matplotlib", "networkx", "numba", "pandas", "scipy", "sklearn")


@pytest.fixture(scope="module")
def loaded() -> set[str]:
    """Return the top-level names of all modules that the import loads, in a process of its own."""
    script = "import sys, symmetrics; print(*sorted({name.partition('.')[0] for name in sys.modules}), sep='\\n')"
    run = subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=True, capture_output=True, text=True)
    return set(run.stdout.split())


def test_symmetrics_itself_is_loaded(loaded: set[str]) -> None:
    assert "symmetrics" in loaded


@pytest.mark.parametrize("library", HEAVY)
def test_not_loaded_by_the_import(library: str, loaded: set[str]) -> None:
    assert library not in loaded


def test_curves_and_their_intervals_load_the_light_parts_of_scipy_alone() -> None:
    """Of the distributions, the optimisers and the sparse matrices only some methods make use."""
    script = "import sys, symmetrics.curves, symmetrics.numeric.intervals.samples; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=True, capture_output=True, text=True)
    assert not {"scipy.stats", "scipy.optimize", "scipy.sparse"} & set(run.stdout.split())


def after(script: str) -> set[str]:
    """Return the top-level names of all modules that a process of its own has loaded at its end."""
    told = "print(*sorted({name.partition('.')[0] for name in sys.modules}), sep='\\n', file=sys.stderr)"
    run = subprocess.run(
        [sys.executable, "-c", f"import sys\n{script}\n{told}"], cwd=ROOT, check=True, capture_output=True, text=True
    )
    return set(run.stderr.split())


def test_scores_and_reports_need_no_statistics_before_intervals_are_asked_for() -> None:
    assert not after("import symmetrics as sm\nsm.score, sm.report") & {"pandas", "scipy", "sklearn"}


@pytest.mark.parametrize("arguments", [["--version"], ["score", "--help"], ["compare", "--help"], ["plan", "--help"]])
def test_the_command_line_says_what_it_takes_without_any_library(arguments: list[str]) -> None:
    script = f"from symmetrics.cli import main\ntry:\n    main({arguments})\nexcept SystemExit:\n    pass"
    assert not after(script) & {*HEAVY, "numpy", "sympy"}
