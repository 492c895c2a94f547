"""Samples by default and everything under ``--thorough``; Hypothesis profiles; the compiled files for the kernel."""

from __future__ import annotations

import gc
import hashlib
import linecache
import os
import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar, Final

import effort
import pytest
from filelock import FileLock
from hypothesis import settings

# One process runs thousands of unrelated tests: with SymPy's usual cache of a thousand entries each evicts the others'.
os.environ.setdefault("SYMPY_CACHE_SIZE", "20000")
# Each worker has one processor: threads of its linear algebra would only wait for each other.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# A script with imports of the extra "notebook", and modules that only test_families.py can import: no doctests there.
collect_ignore = ["run_notebooks.py", "toy_family"]

HOUR: Final = 3600
"""Seconds that a test may take in a thorough run; pyproject.toml says how many in a sample."""
TOPICS: Final = {
    "papers": (
        *("tests/test_experiments", "tests/test_literature", "tests/test_papers_recomputed", "tests/test_thainghe2011"),
        "symmetrics/papers/",
    ),
    "what is possible": (
        *("tests/test_implications", "tests/test_mending", "tests/test_possibilities"),
        *("tests/test_mending", "tests/test_synthesis", "tests/test_theorems"),
        *("tests/test_atlas", "tests/test_datasheet", "symmetrics/pages/atlas/", "symmetrics/pages/datasheet/"),
        "symmetrics/discovery/",
    ),
    "theories": ("tests/test_building", "tests/test_rocq_gate", "tests/test_rocq_relations", "tests/test_rocq.py"),
}
"""Files whose tests ask for the same that takes seconds to compute."""

settings.register_profile("sample", derandomize=True, deadline=None, max_examples=effort.examples(100))
settings.register_profile("ci", derandomize=True, deadline=None)
settings.register_profile("default", deadline=None)
settings.register_profile("thorough", max_examples=1000, deadline=None)


class _Figures:
    """Closes figures after each test and doctest, because matplotlib keeps all that were made through pyplot."""

    @staticmethod
    def pytest_runtest_teardown() -> None:
        pyplot = sys.modules.get("matplotlib.pyplot")
        if pyplot is not None:
            pyplot.close("all")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--thorough", action="store_true", help="run every test on all of its cases")
    parser.addoption("--browser", action="store_true", help="run the tests that need Chromium, too")


class _NoCase:
    """The parameters of a test that has none."""

    params: ClassVar[dict[str, Any]] = {}


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "thorough: runs under --thorough alone")
    config.addinivalue_line("markers", "sampled(n): runs on n of its cases, and under --thorough on all")
    config.addinivalue_line("markers", "spending: uses up a budget, which empties all caches; comes last of its topic")
    config.pluginmanager.register(_Figures())  # doctests of the package have no other file of this kind
    effort.set_thorough(config.getoption("--thorough"))
    if not effort.is_thorough():
        # Nearly all that is made lives in caches until the end: the collector took a twentieth of the time to find out,
        # and without it a process grows by a quarter.
        gc.disable()
    # Each example asks the state of every file that was read before; none changes while tests run.
    linecache.checkcache = lambda filename=None: None
    # "--hypothesis-profile" comes after this, and has the last word.
    settings.load_profile("sample" if not effort.is_thorough() else "ci" if os.environ.get("CI") else "default")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Give all tests of a file or topic to one worker in a sample: making what they share costs more than they do."""
    if effort.is_thorough() or config.getoption("dist") != "load":
        return None
    from xdist.scheduler import LoadFileScheduling

    class ByTopic(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return next((topic for topic, files in TOPICS.items() if nodeid.startswith(files)), nodeid.split("::")[0])

    return ByTopic(config, log)


def pytest_collection_finish() -> None:
    """Leave what lives until the end, which is a great deal, out of the rounds that a test asks of the collector."""
    gc.freeze()


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish() -> None:
    """Leave what lives until the end out of pytest's last rounds of the collector, too."""
    gc.freeze()


def pytest_report_header(config: pytest.Config) -> str:
    return "all cases" if effort.is_thorough() else "a sample of the cases; --thorough runs all"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what a sample leaves out, unless it is asked for by its own name; all cases of a test may take long."""
    if effort.is_thorough():
        for item in items:
            if item.get_closest_marker("timeout") is None:
                item.add_marker(pytest.mark.timeout(HOUR))
        return
    asked = {argument for argument in config.args if "::" in argument}
    sampled = defaultdict[tuple[str, int], list[pytest.Item]](list)
    left_out = set[pytest.Item]()
    for item in items:
        mark = item.get_closest_marker("sampled")
        if item.get_closest_marker("thorough") is not None or "prelude" in getattr(item, "fixturenames", ()):
            left_out.add(item)
        elif mark is not None:
            sampled[item.nodeid.partition("[")[0], mark.args[0]].append(item)
    for (name, number), cases in sampled.items():
        kept = effort.sampled([getattr(case, "callspec", _NoCase).params for case in cases], number, name)
        left_out |= {case for place, case in enumerate(cases) if place not in kept}
    left_out = {item for item in left_out if not asked & {item.nodeid, item.nodeid.partition("[")[0]}}
    config.hook.pytest_deselected(items=sorted(left_out, key=lambda item: item.nodeid))
    left = [item for item in items if item not in left_out]
    items[:] = sorted(left, key=lambda item: item.get_closest_marker("spending") is not None)


def _compiled(config: pytest.Config, tmp_path_factory: pytest.TempPathFactory, *names: str) -> Path:
    """Return a folder with hand-written files that were compiled once, for all workers; without a compiler, skip.

    Pytest's cache keeps the folder for later runs too, by the texts of the files and the version of the compiler.
    """
    if shutil.which("coqc") is None:
        pytest.skip("no coqc on the path: it is in Debian's package coq")
    from symmetrics.rocq.judge.compiling import compiled_prelude, prelude_files

    version = subprocess.run(["coqc", "--version"], capture_output=True, check=True).stdout
    texts = [path.name.encode() + b"\n" + path.read_bytes() for path in sorted(prelude_files(*names))]
    key = hashlib.sha256(b"\0".join([version, *texts])).hexdigest()
    if (cache := getattr(config, "cache", None)) is not None:
        base = cache.mkdir("prelude")
    else:  # without a cache, what all workers of this run share
        base = tmp_path_factory.getbasetemp()
        base = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    folder = base / key
    with FileLock(base / f"{key}.lock"):
        if not folder.exists():
            unfinished = tmp_path_factory.mktemp("prelude", numbered=True) / key
            with compiled_prelude(*names) as compiled:
                shutil.copytree(compiled, unfinished)
            shutil.move(unfinished, folder)
    return folder


READING: Final = frozenset(
    f"test_{name}"
    for name in (
        "atlas",
        "atlas_browser",
        "cli",
        "datasheet",
        "displays",
        "escaping",
        "intervals",
        "latex",
        "lookup",
        "messages",
        "plots",
        "possibilities",
        "readme",
        "users_paths",
    )
) | {"test_recorded"}
"""The modules whose tests take the library's verdicts from certificates, because they are about what is made of them;
in all others verdicts are decided anew."""
READING_IN_A_SAMPLE: Final = frozenset({"test_evidence"})
"""Those that do so but in a thorough run: they are about evidence of every kind, wherever it comes from."""


@pytest.fixture(autouse=True)
def _deciding(request: pytest.FixtureRequest) -> Iterator[None]:
    module = getattr(request, "module", None)
    reading = READING if effort.is_thorough() else READING | READING_IN_A_SAMPLE
    if module is None or module.__name__ in reading:  # doctests belong to no module
        yield
        return
    from symmetrics.claims.recorded import deciding_anew

    with deciding_anew():
        yield


@pytest.fixture
def coarse(monkeypatch: pytest.MonkeyPatch) -> None:
    """Write the pictures of papers with few dots, in a run that does not look at everything."""
    if not effort.is_thorough():
        monkeypatch.setattr("symmetrics.papers.comparison.DPI", 60)


@pytest.fixture(scope="session")
def prelude(pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the compiled files for the kernel, for lemmas of all kinds: a test that asks for them is thorough."""
    return _compiled(pytestconfig, tmp_path_factory)


@pytest.fixture(scope="session")
def rational_prelude(pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return those of them that lemmas over the rational numbers rest on, which compile in a few seconds."""
    return _compiled(pytestconfig, tmp_path_factory, "Extremes", "Structure")


@pytest.fixture(scope="session")
def short_prelude(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the same; in a sample with nothing in those files that identities and counterexamples do without."""
    if effort.is_thorough():
        whole: Path = request.getfixturevalue("rational_prelude")
        return whole
    compiled = _compiled(request.config, tmp_path_factory, "RationalProofs")
    folder = compiled.with_name(f"{compiled.name}-short")
    with FileLock(f"{folder}.lock"):
        if not folder.exists():
            unfinished = tmp_path_factory.mktemp("short") / "prelude"
            shutil.copytree(compiled, unfinished)
            _add_empty(unfinished, "Limits", "Extremes", "Structure")
            shutil.move(unfinished, folder)
    return folder


def _add_empty(folder: Path, *names: str) -> None:
    """Compile files with nothing in them, which theories require: loading those with all proofs takes longest."""
    from symmetrics.rocq.judge.compiling import LIBRARY, compile_file

    for name in names:
        (folder / f"{name}.v").write_text("", encoding="utf-8")
        assert compile_file(folder / f"{name}.v", (folder, LIBRARY)).returncode == 0
