"""Real processes that are told to end: within two seconds nothing of them is left, and nothing is half-written."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from effort import is_thorough

from symmetrics.rocq.judge.compiling import COMPILER
from symmetrics.tools.workers import ending_programs, run_program, spread

ROOT = Path(__file__).resolve().parent.parent
pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are listed in /proc")

Started = Callable[[str], subprocess.Popen[str]]
SOON = 2.0
"""Seconds after which nothing may be left, on a machine that is not busy."""
CROWDED = max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1)) if hasattr(os, "getloadavg") else 1.0
UNTIL = 60.0
"""Seconds in which a command has to have started to work."""

COMMANDS = {
    "table": ["table", "--metrics", "all", "--properties", "all", "-o", "table.md"],
    "check": ["check"],
    "build": ["build", "--fresh"],
    "score": ["score", "-", "--truth", "y", "--prediction", "p"],
    "reproduce": ["reproduce", "branco2017", "-o", "out"],
    "prove": ["prove", "sqrt(TP+2*sqrt(TP*FN)+FN)-sqrt(TP)-sqrt(FN)+TN/(TN+FP)", "actual_scaling"],
    "kernel": ["check", "--kernel", "coq"],
}
BEGUN = "SYMMETRICS_TEST_BEGUN"
"""Names the file that says how many seconds of the processor a command had taken when it began."""
ANEW = f"""
import os, pathlib, sys, time
from symmetrics.cli import main
from symmetrics.claims.recorded import deciding_anew
pathlib.Path(os.environ["{BEGUN}"]).write_text(str(time.process_time()))
with deciding_anew():
    sys.exit(main())
"""
"""A command as it is where no certificate answers it, which is soon done."""
SPREADING = ("table", "check", "build")
"""Commands that start further processes."""


def stat(process: int) -> list[str]:
    """Return the state, the parent and more of a process; nothing if it is no more."""
    try:
        return Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except OSError:
        return ["Z", "0"]


def descendants(process: int) -> set[int]:
    """Return the processes that a process started, and those that they did, with those of their session."""
    parents = {int(path.name): int(stat(int(path.name))[1]) for path in Path("/proc").iterdir() if path.name.isdigit()}
    found = {process}
    while more := {child for child, parent in parents.items() if parent in found} - found:
        found |= more
    return found - {process}


def is_alive(process: int) -> bool:
    return stat(process)[0] != "Z"


def wait_for(condition: Callable[[], bool], seconds: float) -> bool:
    end = time.monotonic() + seconds
    while not (met := condition()) and time.monotonic() < end:
        time.sleep(0.05)
    return met


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of what is generated."""
    folder = tmp_path_factory.mktemp("copy")
    shutil.copytree(ROOT / "proofs", folder / "proofs")
    for name in ("README.md", "pyproject.toml"):
        shutil.copy(ROOT / name, folder)
    return folder


def contents(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file() and "out" not in path.parts}


@pytest.fixture
def begun(tmp_path: Path) -> Path:
    """Return where a command says that it begins."""
    return tmp_path / "begun"


@pytest.fixture
def started(copy: Path, begun: Path) -> Iterator[Started]:
    running: list[subprocess.Popen[str]] = []

    def start(name: str) -> subprocess.Popen[str]:
        running.append(
            subprocess.Popen(
                [sys.executable, "-c", ANEW, *COMMANDS[name]],
                cwd=copy,
                env={**os.environ, "PYTHONPATH": str(ROOT), BEGUN: str(begun)},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                start_new_session=True,
                # A shell that runs the tests in the background may have it ignored.
                preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
            )
        )
        return running[-1]

    yield start
    for process in running:
        for one in descendants(process.pid):
            os.kill(one, signal.SIGKILL)
        process.kill()
        process.communicate()


def is_working(name: str, process: subprocess.Popen[str], begun: Path) -> bool:
    """Whether a command is in the middle of its work: it has processes of its own, or has begun, or waits for input."""
    if name in SPREADING or name == "kernel":
        return bool(descendants(process.pid))
    if not begun.exists() or not (before := begun.read_text()):
        return False
    return stat(process.pid)[0] == "S" or float(stat(process.pid)[11]) / os.sysconf("SC_CLK_TCK") > float(before) + 0.2


@pytest.mark.sampled(1)
@pytest.mark.parametrize("told", [signal.SIGTERM, signal.SIGINT], ids=["SIGTERM", "SIGINT"])
@pytest.mark.parametrize("name", COMMANDS)
def test_nothing_is_left_after_two_seconds(
    name: str, told: signal.Signals, copy: Path, begun: Path, started: Started
) -> None:
    if name == "kernel" and shutil.which(COMPILER) is None:
        pytest.skip("the Rocq prover is not installed")
    before = contents(copy)
    process = started(name)
    assert wait_for(lambda: is_working(name, process, begun), UNTIL)
    time.sleep(0.5 if is_thorough() else 0.1)
    assert process.poll() is None
    started_by_it = descendants(process.pid)
    process.send_signal(told)
    start = time.monotonic()
    assert wait_for(lambda: process.poll() is not None and not any(map(is_alive, started_by_it)), 30)
    taken = time.monotonic() - start
    assert process.returncode == {signal.SIGTERM: 143, signal.SIGINT: 130}[told]
    word = {signal.SIGTERM: "ended", signal.SIGINT: "interrupted"}[told]
    assert process.stderr is not None
    assert process.stderr.read() == f"symmetrics: {word}; no file is half-written\n"
    assert contents(copy) == before
    assert taken < SOON * CROWDED


@pytest.mark.thorough
@pytest.mark.parametrize("name", [*SPREADING, "kernel"])
def test_whoever_is_killed_takes_its_processes_along(name: str, begun: Path, started: Started) -> None:
    if name == "kernel" and shutil.which(COMPILER) is None:
        pytest.skip("the Rocq prover is not installed")
    process = started(name)
    assert wait_for(lambda: is_working(name, process, begun), UNTIL)
    started_by_it = descendants(process.pid)
    process.kill()
    assert wait_for(lambda: not any(map(is_alive, started_by_it)), SOON * CROWDED)


# -- the machinery -----------------------------------------------------------------------------------------------------


def slowly(number: int) -> tuple[int, int]:
    """Take half a minute for every number but the first."""
    time.sleep(30 if number else 0)
    return number, os.getpid()


def test_an_exception_ends_the_processes_of_a_pool_at_once() -> None:
    others = set(descendants(os.getpid()))
    results = spread(slowly, list(range(20)), workers=2)
    assert next(results)[0] == 0
    workers = [process for process in descendants(os.getpid()) if process not in others]
    start = time.monotonic()
    results.close()  # type: ignore[attr-defined]
    assert time.monotonic() - start < 10
    assert len(workers) >= 2
    assert wait_for(lambda: not any(map(is_alive, workers)), 5)


def test_programs_end_together_or_are_killed(tmp_path: Path) -> None:
    # Programs end together.
    with ending_programs() as end:
        end()
        with pytest.raises(KeyboardInterrupt):
            run_program([sys.executable, "-c", "import time; time.sleep(60)"])
    done = run_program([sys.executable, "-c", "print(input())"], text="again\n")
    assert (done.returncode, done.stdout) == (0, "again\n")
    # A program that takes too long is killed.
    start, told = time.monotonic(), tmp_path / "number"
    waits = f"import os, pathlib, time; pathlib.Path({str(told)!r}).write_text(str(os.getpid())); time.sleep(60)"
    with pytest.raises(subprocess.TimeoutExpired):
        run_program([sys.executable, "-I", "-S", "-c", waits], seconds=1)
    assert time.monotonic() - start < 20
    assert not told.exists() or wait_for(lambda: not is_alive(int(told.read_text())), 5)


def test_the_module_is_the_command() -> None:
    asked = subprocess.run([sys.executable, "-m", "symmetrics", "--version"], capture_output=True, text=True, cwd=ROOT)
    assert (asked.returncode, asked.stdout.split()[0]) == (0, "symmetrics")


@pytest.mark.thorough
def test_errors_go_nowhere_if_standard_error_is_closed() -> None:
    command = f"{sys.executable} -m symmetrics prove nothing p1 2>&-"
    asked = subprocess.run(command, shell=True, capture_output=True, text=True, cwd=ROOT)
    assert (asked.returncode, asked.stdout) == (2, "")
