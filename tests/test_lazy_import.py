"""What is loaded when: by the import, by a name, and the programs and facts that are shipped."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from effort import in_one_test, some
from recorded import recorded

import symmetrics as sm
import symmetrics.tools.shipped
from symmetrics.data.counts import Cells
from symmetrics.language.definition import Definition, loaded_when_asked
from symmetrics.metric import Metric
from symmetrics.metric.shipped import FACTS, facts_of, matrix_metric_names
from symmetrics.numeric.compiled import evaluate
from symmetrics.numeric.plans import Constant, LibraryFormula, decoded, encoded, plan_of
from symmetrics.repository.building import defined_metrics, programs_of
from symmetrics.tools.catalogue import Catalogue, ThemedCatalogue, spoken
from symmetrics.tools.errors import DefinitionError, UnknownNameError
from symmetrics.tools.shipped import PROGRAMS, programs_file, shipped_programs

# -- lazy import -------------------------------------------------------------------------------------------------------


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
        "import symmetrics.curves, symmetrics.statistics.samples",
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
    assert "symmetrics.statistics.samples" in process.stages[-1]
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
    assert "symmetrics.numeric.source" in asked[-1]
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


@pytest.mark.sampled(2)
@pytest.mark.parametrize("call", FIRST_CALLS)
def test_a_first_call_goes_through_few_files(call: str, tmp_path: Path) -> None:
    most, before, function = FIRST_CALLS[call]
    path = tmp_path / "five.csv"
    path.write_text("t,p\n1,1\n1,0\n0,0\n0,1\n1,1\n", encoding="utf-8")
    arguments = ["score", str(path), "--truth", "t", "--prediction", "p"]
    script = f"{before}\n{TRACE}\nfiles({function.format(arguments=arguments)})"
    number, *files = modules_after(script).printed.splitlines()[-1].split()
    assert 0 < int(number) <= most, files


# -- themes ------------------------------------------------------------------------------------------------------------


THEMES = sorted(path.stem for path in (ROOT / "symmetrics/library/metrics").glob("[a-z]*.py"))


def loaded_after(question: str) -> list[str]:
    """Return the themes of metrics that are loaded in a new process after a question."""
    script = (
        f"import sys, symmetrics as sm; {question}; "
        "print(*sorted(m.rpartition('.')[2] for m in sys.modules if m.startswith('symmetrics.library.metrics.')))"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=True, capture_output=True, text=True)
    return done.stdout.split()


@pytest.mark.thorough
def test_themes_that_are_loaded() -> None:
    # A formula loads the theme of its metric alone.
    assert loaded_after("sm.metrics['mcc'].expr") == ["association"]
    assert loaded_after("sm.metrics.recall.cites") == ["rates"]
    # Values and names load no theme.
    assert loaded_after("sm.metrics['mcc'].from_counts(1, 2, 3, 4)") == []
    assert loaded_after("[metric.title for metric in sm.metrics.values()]") == []
    assert loaded_after("'no_such_metric' in sm.metrics") == []
    assert loaded_after("[metric.expr for metric in sm.metrics.values()]") == THEMES


def test_each_name_gives_the_record_that_the_whole_catalogue_has() -> None:
    for name in some([name for metric in sm.metrics.values() for name in (metric.name, *metric.aliases)], 60):
        fresh: ThemedCatalogue[sm.Metric] = ThemedCatalogue("metric", "symmetrics.library.metrics")
        assert fresh[name] == sm.metrics[name]
        assert "_all" not in fresh.__dict__
    assert list(sm.metrics) == sorted(sm.metrics)


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    folder = tmp_path / "themes_of_a_test"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    head = "from symmetrics.metric import Metric\nfrom symmetrics import TP\n"
    (folder / "one.py").write_text(f'{head}RECORDS = (Metric("a", TP, aliases=("b",)),)  # not "c"\n')
    (folder / "two.py").write_text(f'{head}RECORDS = (Metric("c", TP), Metric("d" + "e", TP, aliases=("b",)))\n')
    (folder / "words.py").write_text('WORDS = ("a", "c")\n')
    monkeypatch.syspath_prepend(tmp_path)
    for name in [name for name in sys.modules if name.startswith(folder.name)]:
        monkeypatch.delitem(sys.modules, name)
    return folder.name


def test_a_name_in_another_theme_misleads_nobody(package: str) -> None:
    records: Catalogue[sm.Metric] = ThemedCatalogue("metric", package)
    assert records["c"].name == "c"
    assert records["de"].name == "de"  # which no source spells
    with pytest.raises(DefinitionError, match="'b' names both"):
        len(records)  # loads all themes, of which two share an alias


def test_an_unknown_name_is_told_with_those_near_it() -> None:
    with pytest.raises(UnknownNameError, match="mcc"):
        sm.metrics["mccc"]
    with pytest.raises(UnknownNameError):
        sm.metrics[3]  # type: ignore[index]


# -- programs ----------------------------------------------------------------------------------------------------------


DEFINED = {metric.name: metric for _, metric in defined_metrics()}
HOSTILE = np.array(
    [
        *np.ndindex(3, 3, 3, 3),
        (10, 20, 30, 10**15),
        (60000, 5000, 6000, 70000),
        (1e-9, 2.5, 1e-7, 3.25),
        (1e200, 1, 1e-200, 1),
        (123456, 123456, 1, 0),
        (7, 7 + 1e-9, 3, 3),
    ],
    dtype=float,
).T


@pytest.fixture(scope="module")
def shipped() -> dict[str, tuple[dict[str, Any], dict[str, Any]]]:
    """Return facts and programs by the name of the metric."""
    lines = shipped_programs()
    assert lines is not None, "run 'symmetrics build'"
    facts = [json.loads(line)[1] for line in lines[1::2]]
    return {fact["name"]: (fact, json.loads(line)) for fact, line in zip(facts, lines[2::2], strict=True)}


def bits(formula: Any, metric: Metric) -> bytes:
    """Return the bits of the values at hostile tables, all that are nan being the same."""
    values = evaluate(formula, Cells(*HOSTILE), bounds=metric.bounds)
    return np.where(np.isnan(values), np.nan, values).tobytes()


@pytest.mark.parametrize("part", ["facts", "programs", "values"])
def test_what_is_shipped_is_what_the_definition_gives(part: str, shipped: dict[str, Any]) -> None:
    for metric in some(DEFINED.values(), {"facts": 8, "programs": 4, "values": 12}[part], f"shipped {part}"):
        facts, programs = shipped[metric.name]
        if part == "facts":
            assert json.loads(json.dumps(facts_of(metric))) == facts, metric.name
        elif part == "programs":
            plan_of.cache_clear()  # an evaluation may have added to the program
            known = programs_of(metric)
            limits = {**known.pop("limits")}
            assert json.loads(json.dumps(known)) == {k: v for k, v in programs.items() if k != "limits"}, metric.name
            for face, value in programs["limits"].items():
                assert np.array_equal(limits[face], value, equal_nan=True), (metric.name, face)
        else:
            formula = LibraryFormula(json.dumps(programs), lambda metric=metric: metric.value_formula)  # type: ignore[misc]
            assert bits(formula, metric) == bits(metric.value_formula, metric), metric.name


def test_shipped_metrics_are_their_definitions(shipped: dict[str, Any]) -> None:
    # Every metric is shipped in the order of its definition.
    assert list(shipped) == list(DEFINED)
    # Scalars and intervals are those of the definition.
    for metric in some(DEFINED.values(), 5, "shipped intervals"):
        record = sm.metrics[metric.name]
        assert isinstance(record.computable, LibraryFormula)
        for table in ((5, 3, 2, 20), (50, 30, 20, 200), (1, 0, 4, 7)):
            assert repr(record.from_counts(*table)) == repr(metric.from_counts(*table)), (metric.name, table)
            if metric.bounds is not None:
                found, wanted = record.interval(*table), metric.interval(*table)
                assert (repr(found), found.why) == (repr(wanted), wanted.why), (metric.name, table)
    # A record of the library is its definition once it is looked at.
    for metric in some(DEFINED.values(), 8, "shipped records"):
        record = sm.metrics[metric.name]
        assert record is not metric
        assert record == metric
        assert hash(record) == hash(metric)
        assert {name: getattr(record, name) for name in ("parameters", "range", "cites", "latex")} == {
            name: getattr(metric, name) for name in ("parameters", "range", "cites", "latex")
        }
    # The names of metrics of matrices are known without them.
    names = {spoken(name) for metric in sm.multiclass.values() for name in (metric.name, *metric.aliases)}
    assert matrix_metric_names() == names


def test_a_record_is_pickled_with_its_programs(shipped: dict[str, Any]) -> None:
    found = pickle.loads(pickle.dumps(sm.metrics["mcc"]))
    assert isinstance(found.computable, LibraryFormula)
    assert found.from_counts(4, 1, 2, 13) == DEFINED["mcc"].from_counts(4, 1, 2, 13)
    assert found == DEFINED["mcc"]


def test_a_field_that_was_left_out_is_loaded_once_and_not_taken_for_its_default() -> None:
    calls = []

    def load() -> Definition:
        calls.append(1)
        return Definition("mine", "w*TP/(w*TP + FN)", parameters=("w in [0, 1] = 3/4",), aliases=("ours",))

    record = loaded_when_asked(Definition, load, {"name": "mine"})
    assert (record.name, len(calls)) == ("mine", 0)
    assert [parameter.name for parameter in record.parameters] == ["w"]
    assert (record.aliases, str(record.expr), len(calls)) == (("ours",), "TP*w/(FN + TP*w)", 1)
    with pytest.raises(AttributeError, match="no attribute 'missing'"):
        _ = record.missing  # type: ignore[attr-defined]


# -- a file that does not fit ------------------------------------------------------------------------------------------

LINES = ('["mcc"]', '["theme", {}]', "{}")


def read_from(folder: Path, content: bytes, monkeypatch: pytest.MonkeyPatch) -> tuple[str, ...] | None:
    """Return what is read if a file of programs holds some bytes."""
    (folder / "proofs").mkdir(exist_ok=True)
    (folder / "proofs" / PROGRAMS).write_bytes(content)
    monkeypatch.setattr(symmetrics.tools.shipped, "PACKAGE", folder / "symmetrics")
    return shipped_programs.__wrapped__()


def test_a_file_is_read_as_it_was_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert read_from(tmp_path, programs_file(LINES).encode(), monkeypatch) == LINES


@in_one_test
@pytest.mark.parametrize("place", range(0, len(programs_file(LINES)), 3))
def test_a_file_with_any_byte_changed_is_not_used(place: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    content = bytearray(programs_file(LINES).encode())
    content[place] ^= 1
    assert read_from(tmp_path, bytes(content), monkeypatch) is None


@in_one_test
@pytest.mark.parametrize("length", range(0, len(programs_file(LINES)), 7))
def test_a_file_that_ends_early_is_not_used(length: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert read_from(tmp_path, programs_file(LINES).encode()[:length], monkeypatch) is None


def test_a_file_by_other_code_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written = programs_file(LINES).encode()
    monkeypatch.setattr(symmetrics.tools.shipped, "code_of", lambda rooms: "other code")
    assert read_from(tmp_path, written, monkeypatch) is None


def test_constants_keep_their_order_and_their_digits() -> None:
    from sympy import log, sqrt

    for number in (1 / log(2), sqrt(2) / 2, log(10)):
        found = decoded(encoded(number))
        assert isinstance(found, Constant)
        assert repr(found) == repr(number)
        assert float(found.evalf(30)) == float(number.evalf(30))
        assert np.longdouble(str(found.evalf(30))) == np.longdouble(str(number.evalf(30)))


def test_facts_are_attributes_of_metrics() -> None:
    assert all(hasattr(Metric("mine", "TP/(TP + FN)"), name) for name in FACTS)
