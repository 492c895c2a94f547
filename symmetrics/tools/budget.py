"""A budget of time and memory for one question (a claim to decide); beyond it the question stays open, with the reason.

Two mechanisms enforce it.  Engines call :func:`checkpoint` in their inner loops.  For long work in between, such as
SymPy's, a watching thread raises :class:`OutOfBudget` in the working thread, between two bytecodes: a future of
``concurrent.futures`` cannot be cancelled once it runs, and a process of its own would lose all caches.  Neither can
stop one call into compiled code, so engines estimate the size of a product before they compute it.
"""

from __future__ import annotations

import contextlib
import ctypes
import math
import os
import sys
import threading
import time
from collections.abc import Callable
from contextvars import ContextVar
from pathlib import Path
from textwrap import shorten
from typing import Any, Final, TypeVar

from symmetrics.tools.errors import BudgetError, InputError

Result = TypeVar("Result")

SEARCHED: Final = 300.0
"""Default time limit in seconds for a search for a metric, which needs many verdicts."""
SECONDS: Final = 30.0
"""Default time limit of a question in seconds."""
MEGABYTES: Final = 700.0
"""Memory that a question may use in addition to what the process had before, in MB."""
TICK: Final = 0.05
"""Polling interval of the watching thread in seconds."""
AGAIN: Final = 0.25
"""Seconds between repeated interruptions: one that arrives in a finaliser is lost."""
PATIENCE: Final = 2.0
"""Seconds to wait for functions that must not be interrupted."""
LINGERING: Final = 1.0
"""Seconds that the watching thread waits for another question before it ends."""
SHOWN_AFTER: Final = 2.0
"""Seconds after which a terminal shows a progress bar."""
WIDEST: Final = 80
"""Longest title of a progress bar, in characters."""


class OutOfBudget(BaseException):
    """The budget of time or memory is exhausted.

    No :class:`Exception`, because engines, and SymPy, take one for a way that failed and try another: that would decide
    by how fast a machine is.
    """


class _Limit:
    """The budget of one question, and whether it was exceeded.

    :param shown: the title of the progress bar
    """

    def __init__(self, seconds: float, megabytes: float, outer: _Limit | None, shown: str) -> None:
        self.seconds, self.megabytes, self.outer, self.shown = seconds, megabytes, outer, shown
        self.start = time.monotonic()
        self.memory: float | None = None
        self.spent: str | None = None
        self.worker = threading.get_ident()
        self.ended = self.firing = self.interrupted = False
        self.exceeded: float | None = None
        self.due = 0.0
        self.bar: Any = None

    @property
    def elapsed(self) -> float:
        """Seconds since the question was asked."""
        return time.monotonic() - self.start

    def is_spent(self) -> bool:
        """Whether time is exhausted, or memory was when last measured."""
        if self.spent is None and self.elapsed > self.seconds:
            self.spent = "time"
        return self.spent is not None

    def look_at_memory(self) -> None:
        """Measure memory, and record if it is exhausted."""
        now = _megabytes()
        if self.memory is None:
            self.memory = now
        if now - self.memory > self.megabytes and self.spent is None:
            self.spent = "memory"

    def look(self) -> None:
        """Update the progress bar, and interrupt the question if its budget is exhausted."""
        # Prefer a checkpoint; raise the exception asynchronously once that was missed, repeatedly while work goes on.
        now = time.monotonic()
        with contextlib.suppress(Exception):  # keep the budget whatever is wrong with the terminal
            self.show()
        self.look_at_memory()
        if not self.is_spent():
            return
        if self.exceeded is None:  # let a checkpoint act first
            self.exceeded, self.due = now, now + AGAIN
        if now >= self.due and (now - self.exceeded > PATIENCE or not _is_critical(self.worker)):
            self.due = now + AGAIN
            self.interrupt()

    def show(self) -> None:
        """Show or update the progress bar of a long question on a terminal."""
        if self.bar is None and self.shown and self.elapsed > SHOWN_AFTER:
            self.bar = _bar(self.shown, self.seconds)
        if self.bar is not None:
            self.bar.update(min(self.elapsed, self.seconds) - self.bar.n)

    def hide(self) -> None:
        """Remove the progress bar."""
        with contextlib.suppress(Exception):
            if self.bar is not None:
                self.bar.close()
        self.bar = None

    def interrupt(self) -> None:
        """Interrupt the thread that works on the question, unless the question has ended."""
        self.firing = True
        try:
            if not self.ended:
                self.interrupted = True
                _interrupt(self.worker, OutOfBudget)
        finally:
            self.firing = False

    def end(self) -> None:
        """End the question: no interruption comes after this."""
        while True:
            try:
                self.ended = True
                while self.firing or (self.bar is not None and _WATCH.is_running):
                    time.sleep(0.001)
                if self.interrupted:
                    _settle(self.worker)
                return
            except OutOfBudget:  # arrived just now: repeat
                continue


_CURRENT: Final[ContextVar[_Limit | None]] = ContextVar("budget", default=None)


def checkpoint() -> None:
    """Raise here if the budget of the current question, or of an enclosing one, is exhausted.

    :raises OutOfBudget: if so
    """
    limit = _CURRENT.get()
    while limit is not None:
        if limit.is_spent():
            raise OutOfBudget
        limit = limit.outer


def seconds_left(most: float) -> float:
    """Return the time limit for a call outside of Python: the rest of the budget, at most *most* seconds."""
    limit, left = _CURRENT.get(), most
    while limit is not None:
        left = min(left, limit.start + limit.seconds - time.monotonic())
        limit = limit.outer
    return max(left, 0.0)


def required_seconds(seconds: object) -> float:
    """Validate a time limit in seconds.

    :raises InputError: if it is no positive number
    """
    if isinstance(seconds, (int, float)) and not isinstance(seconds, bool) and seconds > 0:
        return float(min(seconds, sys.float_info.max))
    raise InputError(f"seconds={seconds!r} is no time; give a positive number, such as 30, or inf for no limit")


def within(
    work: Callable[[], Result], *, seconds: float = SECONDS, megabytes: float = MEGABYTES, shown: str = ""
) -> Result:
    """Run some work within a budget and return its result.

    What ran out of a budget leaves nothing behind: caches that it may have left half-filled are emptied.

    :param seconds: how long it may take; ``inf`` for as long as it takes
    :param megabytes: how much memory it may take
    :param shown: what a progress bar says is being decided, on a terminal, after two seconds
    :raises BudgetError: if time or memory is used up
    :raises InputError: if *seconds* is no positive number

    >>> within(lambda: 6 * 7, seconds=1)
    42
    >>> within(lambda: time.sleep(0.5), seconds=0.1)
    Traceback (most recent call last):
    symmetrics.tools.errors.BudgetError: not decided within 0.1 s; give it more time with seconds=1 (--seconds 1)
    """
    outer = _CURRENT.get()
    limit = _Limit(required_seconds(seconds), megabytes, outer, shown)
    token = _CURRENT.set(limit)
    try:
        _WATCH.add(limit)
        result = work()
        limit.end()
    except BaseException as error:
        limit.end()
        # Whatever the exception was, an interruption may have caused it.
        if limit.spent is None or not isinstance(error, (Exception, OutOfBudget)):
            raise
        _forget()
        raise _error(limit) from None
    finally:
        _CURRENT.reset(token)
    if limit.interrupted:  # lost in a finaliser: the result is not to be trusted
        _forget()
        raise _error(limit)
    return result


def _error(limit: _Limit) -> BudgetError:
    if limit.spent == "memory":
        return BudgetError(f"not decided within {limit.megabytes:.0f} MB of memory; simplify the formula")
    more = max(1, math.ceil(4 * limit.seconds))
    return BudgetError(
        f"not decided within {limit.seconds:g} s; give it more time with seconds={more} (--seconds {more})"
    )


class _Watch:
    """The watching thread; it ends a second after the last question."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Reset after a fork, which does not copy the thread."""
        self.limits: list[_Limit] = []
        self.is_running = False
        self.starting = threading.Lock()

    def add(self, limit: _Limit) -> None:
        """Watch a question until it ends."""
        with self.starting:
            self.limits.append(limit)
            if not self.is_running:
                try:
                    threading.Thread(target=self.look, name="symmetrics budget", daemon=True).start()
                    self.is_running = True
                except RuntimeError:  # no more threads available: rely on checkpoints
                    self.limits.clear()

    def look(self) -> None:
        """Check all questions at each tick."""
        idle = 0
        while True:
            time.sleep(TICK)
            for limit in self.limits.copy():
                if limit.ended:
                    limit.hide()
                    self.limits.remove(limit)
                else:
                    limit.look()
            idle = 0 if self.limits else idle + 1
            if idle * TICK > LINGERING:
                with self.starting:
                    if not self.limits:
                        self.is_running = False
                        return


_WATCH: Final = _Watch()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_WATCH.reset)


def _bar(shown: str, seconds: float) -> Any:
    """Return a progress bar; None if standard error is not a terminal or belongs to another process."""
    from tqdm import tqdm

    multiprocessing = sys.modules.get("multiprocessing")
    is_child = multiprocessing is not None and multiprocessing.parent_process() is not None
    if is_child or sys.stderr is None or not sys.stderr.isatty():
        return None
    form = "deciding {desc}: {n:.0f} s" if math.isinf(seconds) else "deciding {desc}: {n:.0f} of {total:g} s |{bar}|"
    return tqdm(total=seconds, desc=shorten(shown, WIDEST, placeholder="..."), bar_format=form, leave=False)


def _interrupt(thread: int, error: type[BaseException]) -> bool:
    """Raise an exception asynchronously in another thread, replacing a pending one; return whether that is possible."""
    python: Any = getattr(ctypes, "pythonapi", None)  # other interpreters lack it, and rely on checkpoints
    return python is not None and bool(
        python.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(error))
    )


def _settle(worker: int) -> None:
    """In the interrupted thread, wait for an interruption that may still arrive.

    One that is taken back leaves CPython 3.11 looking for it ever after, with a tracer in an endless loop.  So another
    is sent, which takes its place, and comes at once.
    """
    with contextlib.suppress(OutOfBudget):
        if _interrupt(worker, OutOfBudget):
            until = time.monotonic() + PATIENCE
            while time.monotonic() < until:
                time.sleep(0.001)


def _is_critical(thread: int) -> bool:
    """Whether a thread is in a function that must not be interrupted.

    SymPy's assumptions note that a fact is unknown while they look for it; an import leaves half of a module.
    """
    frame = sys._current_frames().get(thread)
    while frame is not None:
        code = frame.f_code
        if code.co_name in ("_ask", "_intern") or code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False


def _forget() -> None:
    """Clear all caches of this package and of SymPy: an interruption may have left one inconsistent."""
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] == "symmetrics":
            for value in list(vars(module).values()):
                if callable(clear := getattr(value, "cache_clear", None)):
                    clear()
    if "sympy" in sys.modules:
        from sympy.core.cache import clear_cache

        clear_cache()


def _megabytes() -> float:
    """Return the memory of this process in MB; where that is unknown, its peak, or 0."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except (OSError, ValueError, IndexError):
        return _most_megabytes()
    return pages * _PAGE / 2**20


def _most_megabytes() -> float:
    try:
        import resource
    except ImportError:
        return 0.0
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / (2**20 if sys.platform == "darwin" else 2**10)


_PAGE: Final = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096
