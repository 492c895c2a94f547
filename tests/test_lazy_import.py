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
    assert not {"symmetrics.claims", "symmetrics.numeric.native", "symmetrics.numeric.compiled", "numpy"} & asked[-1]


EXAMPLES = "y, guess, three = [1, 0, 1, 1], [1, 1, 0, 1], [1, 2, 0, 1]"
EVERYDAY = {
    "one value": "sm.metrics.mcc.from_counts(1, 2, 3, 4)",
    "arrays with empty cells": "sm.metrics.mcc.from_counts([1, 0, 5, 0], [2, 2, 0, 0], [3, 0, 0, 0], [4, 5, 3, 3])",
    "labels": "sm.metrics.f1(y, guess), sm.metrics.f1(y, three, average='macro'), sm.metrics.f1(y, y, average='micro')",
    "intervals": "[sm.metrics[name].interval(5, 3, 2, 20) for name in ('f1', 'mcc', 'informedness', 'lift')]",
    "names": "[(m.name, m.aliases, m.title, m.bounds, m.greater_is_better) for m in sm.metrics.values()]",
    "scores": "sm.score(y, guess), sm.score(y, three, ['recall', 'f1'], interval=True)",
    "reports": "[str(sm.report(y, found, ['precision', 'recall', 'f1'])) for found in (guess, three)]",
    "reports without names": "[str(sm.report(y, found)) for found in (guess, three)]",
    "scorers": "sm.metrics.f1.scorer(), sm.metrics.fpr.scorer()",
    "pickles": "__import__('pickle').loads(__import__('pickle').dumps(sm.metrics.f1))(y, guess)",
}
"""What a practitioner asks of the library, none of which needs algebra."""


@pytest.fixture(scope="module")
def everyday(tmp_path_factory: pytest.TempPathFactory) -> dict[str, set[str]]:
    """Return what each everyday path has loaded, all of them in one process."""
    path = tmp_path_factory.mktemp("everyday") / "five.csv"
    path.write_text("t,p\n1,1\n1,0\n0,0\n0,1\n1,1\n", encoding="utf-8")
    arguments = ["score", str(path), "--truth", "t", "--prediction", "p", "--metrics", "f1,mcc"]
    asked = {"score of a file": f"from symmetrics.cli import main; main({arguments})", **EVERYDAY}
    stages = modules_after(f"import symmetrics as sm\n{EXAMPLES}", *asked.values()).stages
    return dict(zip(asked, stages[1:], strict=True))


@in_one_test
@pytest.mark.parametrize("path", ["score of a file", *EVERYDAY])
def test_everyday_paths_need_no_algebra(path: str, everyday: dict[str, set[str]]) -> None:
    assert not {"sympy", "networkx", "flint"} & everyday[path], f"{path}; if the code has changed, 'symmetrics build'"


# As docs/architecture.py traces a question: what runs while modules are imported is no part of the answer, nor is what
# words errors around the function.
TRACE = """
import inspect, types
seen, importing = set(), 0
def profile(frame, event, _):
    global importing
    if frame.f_code.co_name == "<module>":
        importing += {"call": 1, "return": -1}.get(event, 0)
    module = frame.f_globals.get("__name__", "")
    if event == "call" and not importing and module.partition(".")[0] == "symmetrics":
        seen.add(module)
def files(function, *arguments):
    if hasattr(function, "__self__"):
        function = types.MethodType(inspect.unwrap(function.__func__), function.__self__)
    function = inspect.unwrap(function)
    sys.setprofile(profile)
    function(*arguments)
    sys.setprofile(None)
    print(len(seen), *sorted(seen))
"""
DECIDED_ANEW = """
import symmetrics as sm
from symmetrics.claims.recorded import deciding_anew
anew = deciding_anew()
anew.__enter__()
"""
FIRST_CALLS = {
    "arrays": (12, "import numpy as np, symmetrics as sm", "sm.metrics.mcc.from_counts, *np.ones((4, 2))"),
    "interval": (14, "import symmetrics as sm", "sm.metrics.f1.interval, 5, 3, 2, 20"),
    "score": (45, "from symmetrics.cli import main", "main, {arguments}"),
    "prove": (14, DECIDED_ANEW, "sm.prove, 'precision', 'p2'"),
    "new formula": (38, DECIDED_ANEW, "sm.prove, 'TP/(TP + 3*FN)', 'p2'"),
}
"""In how many files of the package a function may run at the first call of a process."""


@pytest.mark.parametrize("call", FIRST_CALLS)
def test_a_first_call_goes_through_few_files(call: str, tmp_path: Path) -> None:
    most, before, function = FIRST_CALLS[call]
    path = tmp_path / "five.csv"
    path.write_text("t,p\n1,1\n1,0\n0,0\n0,1\n1,1\n", encoding="utf-8")
    arguments = ["score", str(path), "--truth", "t", "--prediction", "p"]
    script = f"{before}\n{TRACE}\nfiles({function.format(arguments=arguments)})"
    number, *files = modules_after(script).printed.splitlines()[-1].split()
    assert 0 < int(number) <= most, files
