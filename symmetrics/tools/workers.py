"""Work spread over processes, with a progress bar, and programs that are run: whatever ends this process ends them."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import InvalidStateError, ProcessPoolExecutor
from typing import Any, Final, TypeVar

__all__ = ["ending_programs", "run_program", "spread"]

Item = TypeVar("Item")
Result = TypeVar("Result")

FEW: Final = 8
"""Up to so many items are worked on in this process: starting others would take longer."""
LOOK: Final = 0.5
"""Seconds between two looks of a process at whether the one that started it is still there."""
_PR_SET_PDEATHSIG: Final = 1


def spread(
    work: Callable[[Item], Result],
    items: Sequence[Item],
    *,
    progress: bool = False,
    workers: int | None = None,
    few: int = FEW,
    label: str = "",
    bar: bool | None = None,
) -> Iterator[Result]:
    """Yield the result of the work on each item, in their order; whatever ends this early ends all of it at once.

    :param work: a function of a module, so that other processes can find it
    :param progress: show a progress bar if standard error is a terminal
    :param workers: how many processes; by default one for each processor
    :param few: up to so many items are worked on in this process
    :param label: what the progress bar says
    :param bar: show a progress bar, or none, whatever standard error is
    """
    from tqdm import tqdm

    count = min(workers or os.cpu_count() or 1, len(items))
    hidden = not bar if bar is not None else None if progress else True
    with tqdm(total=len(items), desc=label or None, disable=hidden, leave=False) as shown:
        if count <= 1 or len(items) <= few:
            for item in items:
                yield work(item)
                shown.update()
            return
        pool = ProcessPoolExecutor(count, initializer=_leash)
        finished = False
        try:
            for result in pool.map(work, items):
                yield result
                shown.update()
            finished = True
        finally:
            with contextlib.nullcontext() if finished else _killed(pool):
                pool.shutdown(wait=True, cancel_futures=True)


@contextlib.contextmanager
def _killed(pool: ProcessPoolExecutor) -> Iterator[None]:
    """Kill the processes of a pool; its own thread may then find a cancelled result that it cannot set, and says so."""
    shown = threading.excepthook

    def hook(told: threading.ExceptHookArgs) -> None:
        if told.exc_type is not InvalidStateError:
            shown(told)

    threading.excepthook = hook
    try:
        _kill(pool)
        yield
    finally:
        threading.excepthook = shown


def _kill(pool: ProcessPoolExecutor) -> None:
    """Kill the processes of a pool, and what they run: what they work on is not wanted any more."""
    processes: dict[int, Any] = getattr(pool, "_processes", None) or {}
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
