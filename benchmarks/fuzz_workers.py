"""Processes that answer questions, and are killed when one takes too long."""

from __future__ import annotations

import contextlib
import multiprocessing
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any

Answer = tuple[str, "str | None"]
"""A status, and what contradicts it."""
RENEWED = 4000
"""Questions after which a process is replaced, so that caches do not grow without end."""
CONTEXT = multiprocessing.get_context("fork" if sys.platform != "win32" else "spawn")


def serve(connection: Connection, answer: Callable[[Any, int], Answer], seed: int) -> None:
    """Answer questions until the other end closes."""
    with contextlib.suppress(EOFError, KeyboardInterrupt, BrokenPipeError):
        while True:
            connection.send(answer(connection.recv(), seed))


@dataclass
class Worker:
    """A process that answers one question at a time."""

    answer: Callable[[Any, int], Answer]
    seed: int
    connection: Connection = field(init=False)
    process: BaseProcess = field(init=False)
    question: Any = None
    since: float = 0.0
    answered: int = 0

    def __post_init__(self) -> None:
        self.start()

    def start(self) -> None:
        """Start a process."""
        self.connection, other = CONTEXT.Pipe()
        self.process = CONTEXT.Process(target=serve, args=(other, self.answer, self.seed), daemon=True)
        self.process.start()
        other.close()
        self.answered = 0

    def stop(self) -> None:
        """Kill the process."""
        self.process.kill()
        self.process.join()
        self.connection.close()

    def renew(self) -> None:
        """Replace the process."""
        self.stop()
        self.start()

    def ask(self, question: Any) -> None:
        """Send a question, to a new process if the old one has answered many."""
        if self.answered >= RENEWED:
            self.renew()
        self.question, self.since = question, time.monotonic()
        self.connection.send(question)
        self.answered += 1

    def result(self, limit: float) -> Answer | None:
        """Return the answer, or a failure, or None if there is none yet."""
        if self.connection.poll():
            try:
                return self.connection.recv()
            except EOFError:
                self.renew()
                return "error", "the process died"
        if time.monotonic() - self.since <= limit:
            return None
        self.renew()
        return "time-out", None


class Workers:
    """Processes that answer the questions of one iterator.

    :param answer: returns the answer to a question, given the seed
    :param limit: seconds that one question may take
    """

    def __init__(self, answer: Callable[[Any, int], Answer], seed: int, jobs: int, limit: float) -> None:
        self.limit = limit
        self.workers = [Worker(answer, seed) for _ in range(jobs)]

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self.workers:
            worker.stop()

    def answers(self, questions: Iterable[Any], *, until: float) -> Iterator[tuple[Any, Answer]]:
        """Yield questions with their answers until a time of the monotonic clock, or an interrupt."""
        left = iter(questions)
        with contextlib.suppress(KeyboardInterrupt):
            while True:
                for worker in self.workers:
                    if worker.question is None and time.monotonic() < until:
                        question = next(left, None)
                        if question is not None:
                            worker.ask(question)
                busy = [worker for worker in self.workers if worker.question is not None]
                if not busy:
                    return
                wait([worker.connection for worker in busy], timeout=0.2)
                for worker in busy:
                    found = worker.result(self.limit)
                    if found is not None:
                        question, worker.question = worker.question, None
                        yield question, found
