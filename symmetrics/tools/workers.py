"""Pools of processes and threads, and external programs; all are killed when this process ends."""

from __future__ import annotations

import contextlib
import ctypes
import itertools
import os
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence, Sized
from concurrent.futures import (
    FIRST_COMPLETED,
    Executor,
    Future,
    InvalidStateError,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
    wait,
)
from dataclasses import dataclass
from typing import Any, Final, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

FEW: Final = 8
"""Up to this many items are processed in this process: starting workers would take longer."""
LOOK: Final = 0.5
"""Polling interval in seconds: a worker checks that its parent is alive, the parent checks its budget."""
AHEAD: Final = 2
"""Items per worker taken from an iterator in advance: keeps workers busy and memory small."""
_PR_SET_PDEATHSIG: Final = 1


@dataclass(frozen=True)
class Bar:
    """A progress bar on standard error.

    :param label: its title
    :param shown: whether to show it; by default only on a terminal
    :param total: the amount of work; by default the number of items
    :param unit: unit of the work
    :param amount: amount of work of one result
    """

    label: str = ""
    shown: bool | None = None
    total: int | None = None
    unit: str = "it"
    amount: Callable[[Any], int] = lambda _: 1


@contextlib.contextmanager
def pool(workers: int | None = None, *, threads: bool = False) -> Iterator[Executor]:
    """Yield an executor; any exception, Ctrl-C included, kills its workers at once.

    :param workers: how many; by default one for each processor
    :param threads: threads instead, for work that waits for programs, or that NumPy does
    """
    count = workers or os.cpu_count() or 1
    started = ThreadPoolExecutor(count) if threads else ProcessPoolExecutor(count, initializer=_leash)
    finished = False
    try:
        yield started
        finished = True
    finally:
        with contextlib.nullcontext() if finished or isinstance(started, ThreadPoolExecutor) else _killed(started):
            started.shutdown(wait=True, cancel_futures=True)


def spread(
    work: Callable[[Item], Result],
    items: Iterable[Item],
    *,
    bar: Bar | None = None,
    workers: int | None = None,
    ordered: bool = True,
    threads: bool = False,
) -> Iterator[Result]:
    """Yield the result of a function for each item; leaving early kills the workers.

    Items that have no length, such as those of a generator, are taken a few at a time.

    :param work: a function of a module, so that other processes can find it
    :param bar: the progress bar; by default there is none
    :param workers: how many; by default one for each processor, and this process alone if the items are few
    :param ordered: yield the results in the order of the items, and not as soon as they are there
    :param threads: threads of this process instead of processes
    """
    # Few items are processed here; never more workers than items.
    known = len(items) if isinstance(items, Sized) else None
    count = workers or (1 if known is not None and known <= FEW else os.cpu_count() or 1)
    results = _spread(work, items, min(count, count if known is None else known), ordered, threads)
    if bar is None:
        yield from results
        return
    from tqdm import tqdm

    total = known if bar.total is None else bar.total
    hidden = None if bar.shown is None else not bar.shown
    shown = tqdm(
        total=total, desc=bar.label or None, unit=bar.unit, unit_scale=bar.unit != "it", disable=hidden, leave=False
    )
    with contextlib.closing(results), shown:
        for result in results:
            yield result
            shown.update(bar.amount(result))


def _spread(
    work: Callable[[Item], Result], items: Iterable[Item], count: int, ordered: bool, threads: bool
) -> Generator[Result]:
    """Yield the results of a number of workers; the only worker is this process."""
    if count <= 1:
        yield from map(work, items)
        return
    taken = len(items) if isinstance(items, Sized) else AHEAD * count
    # Submit one new item for each finished one.
    left = iter(items)
    with pool(count, threads=threads) as workers:
        running = deque(workers.submit(work, item) for item in itertools.islice(left, taken))
        while running:
            done = _first_done(running, ordered)
            running.extend(workers.submit(work, item) for item in itertools.islice(left, 1))
            yield done.result()


def _first_done(running: deque[Future[Result]], ordered: bool) -> Future[Result]:
    """Remove and return the next future: the oldest one, or if unordered the first to finish."""
    awaited = [running[0]] if ordered else running
    while not (done := wait(awaited, LOOK, FIRST_COMPLETED).done):
        pass  # return to Python regularly, so that an asynchronous exception from a budget is raised
    first = next(iter(done))
    running.remove(first)
    return first


@contextlib.contextmanager
def _killed(started: ProcessPoolExecutor) -> Iterator[None]:
    """Kill the processes of a pool, and silence the error of its manager thread about cancelled results."""
    shown = threading.excepthook

    def hook(told: threading.ExceptHookArgs) -> None:
        if told.exc_type is not InvalidStateError:
            shown(told)

    threading.excepthook = hook
    try:
        _kill(started)
        yield
    finally:
        threading.excepthook = shown


def _kill(started: ProcessPoolExecutor) -> None:
    """Kill the processes of a pool together with their process groups."""
    processes: dict[int, Any] = getattr(started, "_processes", None) or {}
    for process in list(processes.values()):
        with contextlib.suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL) if _leads(process.pid) else process.kill()


def _leads(process: int) -> bool:
    """Whether a process leads its own process group."""
    return hasattr(os, "getpgid") and os.getpgid(process) == process


def _leash() -> None:
    """Initialise a worker: it ends with its parent, and ignores Ctrl-C, which its parent handles."""
    if hasattr(os, "setpgid"):
        os.setpgid(0, 0)  # own process group, killed as a whole; Ctrl-C goes to the parent
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if sys.platform == "linux":  # the kernel kills at once, even during a call into compiled code
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    threading.Thread(target=_look_after, args=(os.getppid(),), daemon=True).start()


def _look_after(parent: int) -> None:
    """Kill this process and its group once the parent has ended."""
    while os.getppid() == parent:
        time.sleep(LOOK)
    if hasattr(os, "killpg"):
        os.killpg(0, signal.SIGKILL)
    os._exit(1)


# -- programs ----------------------------------------------------------------------------------------------------------

_LEASH: Final = (
    "import ctypes, os, sys\n"
    "ctypes.CDLL(None).prctl(1, 9)\n"  # PR_SET_PDEATHSIG, SIGKILL
    "if os.getppid() == int(sys.argv[1]): os.execvp(sys.argv[2], sys.argv[2:])"
)
"""A Python program that asks the kernel to be killed with its parent, then becomes another program."""

_RUNNING: Final[set[subprocess.Popen[str]]] = set()
_ENDING: Final = threading.Event()


def run_program(
    command: Sequence[str], *, text: str | None = None, seconds: float | None = None, **options: Any
) -> subprocess.CompletedProcess[str]:
    """Run a program; return its output and exit status; it is killed with this process.

    :param text: its standard input
    :param seconds: after which it is killed
    :param options: others of ``subprocess.Popen``
    :raises subprocess.TimeoutExpired: if it takes longer
    :raises KeyboardInterrupt: if all programs are being ended, see :func:`ending_programs`
    """
    # On Linux a small program first asks the kernel to be killed with its parent, then becomes the command.
    leashed = [sys.executable, "-I", "-S", "-c", _LEASH, str(os.getpid()), *command]
    running = subprocess.Popen(
        leashed if sys.platform == "linux" else list(command),
        stdin=subprocess.DEVNULL if text is None else subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **options,
    )
    _RUNNING.add(running)
    try:
        if _ENDING.is_set():
            raise KeyboardInterrupt
        output, errors = running.communicate(text, timeout=seconds)
        if _ENDING.is_set():
            raise KeyboardInterrupt
        return subprocess.CompletedProcess(list(command), running.returncode, output, errors)
    finally:
        _RUNNING.discard(running)
        if running.poll() is None:
            running.kill()
            running.wait()


@contextlib.contextmanager
def ending_programs() -> Iterator[Callable[[], None]]:
    """Context with a function that kills all running programs and blocks new ones."""

    def end() -> None:
        _ENDING.set()
        for running in list(_RUNNING):
            with contextlib.suppress(OSError):
                running.kill()

    try:
        yield end
    finally:
        _ENDING.clear()
