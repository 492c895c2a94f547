"""One pool for work in processes and threads, and programs that are run: whatever ends this process ends them."""

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
"""Up to so many items are worked on in this process: starting others would take longer."""
LOOK: Final = 0.5
"""Seconds between two looks: of a process at whether the one that started it is there, of that one at its budget."""
AHEAD: Final = 2
"""Items of unknown number that are taken for every worker, so that none of them waits and few are in memory."""
_PR_SET_PDEATHSIG: Final = 1


@dataclass(frozen=True)
class Bar:
    """A progress bar on standard error.

    :param label: what it says
    :param shown: whether to show it; by default only on a terminal
    :param total: how much work there is; by default the number of items
    :param unit: of the work
    :param amount: how much work a result is
    """

    label: str = ""
    shown: bool | None = None
    total: int | None = None
    unit: str = "it"
    amount: Callable[[Any], int] = lambda _: 1


@contextlib.contextmanager
def pool(workers: int | None = None, *, threads: bool = False) -> Iterator[Executor]:
    """Yield processes that work as they are told; an exception, such as an interruption, ends all of them at once.

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
    """Yield the result of the work on each item; whatever ends this early ends all of it at once.

    Items that have no length, such as those of a generator, are taken a few at a time.

    :param work: a function of a module, so that other processes can find it
    :param bar: the progress bar; by default there is none
    :param workers: how many; by default one for each processor, and this process alone if the items are few
    :param ordered: yield the results in the order of the items, and not as soon as they are there
    :param threads: threads of this process instead of processes
    """
    # Few items are worked on here; no more workers than items.
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
    """Yield the results of so many workers; of this process, if it is one."""
    if count <= 1:
        yield from map(work, items)
        return
    taken = len(items) if isinstance(items, Sized) else AHEAD * count
    # One item is submitted for each that is done.
    left = iter(items)
    with pool(count, threads=threads) as workers:
        running = deque(workers.submit(work, item) for item in itertools.islice(left, taken))
        while running:
            done = _first_done(running, ordered)
            running.extend(workers.submit(work, item) for item in itertools.islice(left, 1))
            yield done.result()


def _first_done(running: deque[Future[Result]], ordered: bool) -> Future[Result]:
    """Take the first of what runs, or with no order what is done first."""
    awaited = [running[0]] if ordered else running
    while not (done := wait(awaited, LOOK, FIRST_COMPLETED).done):
        pass  # in Python again and again, so that an exception that a budget raises in this thread finds its way
    first = next(iter(done))
    running.remove(first)
    return first


@contextlib.contextmanager
def _killed(started: ProcessPoolExecutor) -> Iterator[None]:
    """Kill the processes of a pool; its own thread may then find a cancelled result that it cannot set, and says so."""
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
    """Kill the processes of a pool, and what they run: what they work on is not wanted any more."""
    processes: dict[int, Any] = getattr(started, "_processes", None) or {}
    for process in list(processes.values()):
        with contextlib.suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL) if _leads(process.pid) else process.kill()


def _leads(process: int) -> bool:
    """Whether a process is alone in a group with what it runs."""
    return hasattr(os, "getpgid") and os.getpgid(process) == process


def _leash() -> None:
    """See to it that this process, one of a pool, ends with the one that started it, and by no other way of its own."""
    if hasattr(os, "setpgid"):
        os.setpgid(0, 0)  # so that what this process runs can be killed with it; an interruption goes to the parent
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if sys.platform == "linux":  # the kernel does it at once, even within a call into compiled code
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    threading.Thread(target=_look_after, args=(os.getppid(),), daemon=True).start()


def _look_after(parent: int) -> None:
    """End this process, and what it runs, when the one that started it has ended."""
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
"""A program that becomes another one, which is killed when the process that started it ends."""

_RUNNING: Final[set[subprocess.Popen[str]]] = set()
_ENDING: Final = threading.Event()


def run_program(
    command: Sequence[str], *, text: str | None = None, seconds: float | None = None, **options: Any
) -> subprocess.CompletedProcess[str]:
    """Run a program and return what it prints and its exit status; it ends with this process.

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
    """Yield a function that kills all programs that run, and lets no other start until the context ends."""

    def end() -> None:
        _ENDING.set()
        for running in list(_RUNNING):
            with contextlib.suppress(OSError):
                running.kill()

    try:
        yield end
    finally:
        _ENDING.clear()
