"""Random formulas times all properties: no verdict may contradict the formula's values, nor fail its own check.

Values come from an arithmetic of their own, in fractions and certified intervals (``fuzz_formulas.py``), and the laws
are written down a second time (``fuzz_laws.py``).  Each pair runs in a process that is killed when it takes too long.
Prints the pairs by status; the exit status is 1 if there was a contradiction, with the command that repeats it.

usage: python benchmarks/fuzz.py [--seconds S] [--pairs N] [--seed K] [--jobs J] [--limit SECONDS]
       python benchmarks/fuzz.py --formula "w*TP/(TP + FN)" --param "w in [0, 1]" --property p1
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import math
import multiprocessing
import shlex
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from random import Random

from fuzz_formulas import Grammar
from fuzz_laws import Judge
from tqdm import tqdm

import symmetrics as sm

Question = tuple[str, tuple[str, ...], str]
"""A formula, the declarations of its parameters, and a property."""
TOO_LARGE = ("to be checked", "to be factored")
"""How the checker says that a certificate is beyond its bounds: nothing is wrong then, but nothing was verified."""
RENEWED = 4000
"""Pairs after which a process is replaced, so that caches do not grow without end."""
SHOWN = 50
"""Contradictions, and time-outs, that are printed: what is false comes before what failed."""
CONTEXT = multiprocessing.get_context("fork" if sys.platform != "win32" else "spawn")


def questions(seed: int) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield formulas with the declarations of their parameters, without end."""
    for number in itertools.count():
        yield Grammar(Random(f"{seed} {number}")).formula()


def answer(question: Question, seed: int) -> tuple[str, str | None]:
    """Return the status of a verdict, or ``invalid``, and what is wrong with it."""
    text, declarations, key = question
    names = [declaration.split(" in ")[0] for declaration in declarations]
    try:
        parameters = tuple(sm.Parameter.parse(declaration) for declaration in declarations)
        metric = sm.Metric("fuzzed", sm.parse_formula(text, names), parameters)
    except sm.SymmetricsError:
        return "invalid", None
    try:
        verdict = sm.prove(metric, key)
        sm.check(sm.Verdict.from_json(verdict.to_json()), metric)
        judge = Judge(text, declarations, Random(f"{seed} {text} {key}"))
        return verdict.status, judge.complaint(key, verdict.to_dict(), verdict.value)
    except Exception as error:  # whatever goes wrong is what a fuzzer looks for
        if isinstance(error, sm.CertificateError) and str(error).endswith(TOO_LARGE):
            return "unchecked", None
        return "error", f"{type(error).__name__}: {error}"


def serve(connection: Connection, seed: int) -> None:
    """Answer questions until the other end closes."""
    with contextlib.suppress(EOFError, KeyboardInterrupt, BrokenPipeError):
        while True:
            connection.send(answer(connection.recv(), seed))


@dataclass
class Worker:
    """A process that answers one question at a time."""

    seed: int
    connection: Connection = field(init=False)
    process: BaseProcess = field(init=False)
    question: Question | None = None
    since: float = 0.0
    answered: int = 0

    def __post_init__(self) -> None:
        self.start()

    def start(self) -> None:
        """Start a process."""
        self.connection, other = CONTEXT.Pipe()
        self.process = CONTEXT.Process(target=serve, args=(other, self.seed), daemon=True)
        self.process.start()
        other.close()
        self.answered = 0

    def stop(self) -> None:
        """Kill the process."""
        self.process.kill()
        self.process.join()
        self.connection.close()

    def ask(self, question: Question) -> None:
        """Send a question, to a new process if the old one has answered many."""
        if self.answered >= RENEWED:
            self.stop()
            self.start()
        self.question, self.since = question, time.monotonic()
        self.connection.send(question)
        self.answered += 1


@dataclass
class Run:
    """Counts of statuses, and what was found."""

    counts: Counter[str] = field(default_factory=Counter)
    contradictions: list[str] = field(default_factory=list)
    slow: list[str] = field(default_factory=list)

    def note(self, question: Question, status: str, complaint: str | None) -> None:
        """Note one answer."""
        self.counts[status] += 1
        if complaint is not None:
            self.contradictions.append(f"{status}, but {complaint}\n    {command(question)}")
        if status == "time-out":
            self.slow.append(command(question))

    def report(self, seconds: float) -> str:
        """Return the summary."""
        total = self.counts.total()
        lines = [f"{total} pairs in {seconds:.0f} s"]
        lines += [f"  {status:12} {number:8}" for status, number in self.counts.most_common()]
        worst_first = sorted(self.contradictions, key=lambda text: text.startswith("error"))
        lines += [f"contradictions: {len(self.contradictions)}", *worst_first[:SHOWN]]
        return "\n".join([*lines, *(f"time-out: {one}" for one in self.slow[:SHOWN])])


def command(question: Question) -> str:
    """Return the command line that asks one question again."""
    text, declarations, key = question
    words = ["python", "benchmarks/fuzz.py", "--formula", text, "--property", key]
    return shlex.join([*words, *(word for declaration in declarations for word in ("--param", declaration))])


def fuzz(arguments: argparse.Namespace) -> Run:
    """Ask until time or pairs are used up."""
    run, workers = Run(), [Worker(arguments.seed) for _ in range(arguments.jobs)]
    keys = list(sm.properties)
    pairs = ((text, declared, key) for text, declared in questions(arguments.seed) for key in keys)
    end, asked = time.monotonic() + arguments.seconds, 0
    progress = tqdm(
        total=arguments.pairs if arguments.pairs < math.inf else None, unit=" pairs", disable=not sys.stderr.isatty()
    )
    try:
        while True:
            for worker in workers:
                if worker.question is None and asked < arguments.pairs and time.monotonic() < end:
                    worker.ask(next(pairs))
                    asked += 1
            busy = {worker.connection: worker for worker in workers if worker.question is not None}
            if not busy:
                break
            ready = wait(list(busy), timeout=0.2)
            for connection, worker in busy.items():
                if worker.question is None:
                    continue
                if connection in ready:
                    try:
                        status, complaint = worker.connection.recv()
                    except EOFError:
                        status, complaint = "error", "the process died"
                        worker.stop()
                        worker.start()
                elif time.monotonic() - worker.since > arguments.limit:
                    status, complaint = "time-out", None
                    worker.stop()
                    worker.start()
                else:
                    continue
                run.note(worker.question, status, complaint)
                worker.question = None
                progress.update()
    except KeyboardInterrupt:
        pass
    finally:
        progress.close()
        for worker in workers:
            worker.stop()
    return run


def main() -> int:
    """Run the fuzzer, or repeat one question."""
    parser = argparse.ArgumentParser(description="Random formulas times all properties, against independent values.")
    parser.add_argument("--seconds", type=float, help="how long; 60 if --pairs is not given either")
    parser.add_argument("--pairs", type=int, help="how many questions; by default as many as there is time for")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--limit", type=float, default=10, help="seconds that one pair may take")
    parser.add_argument("--formula", help="ask about this formula only")
    parser.add_argument("--property", help="with --formula, the property")
    parser.add_argument("--param", action="append", default=[], help='with --formula, such as "w in [0, 1]"')
    arguments = parser.parse_args()
    if arguments.seconds is None:
        arguments.seconds = 60 if arguments.pairs is None else math.inf
    if arguments.pairs is None:
        arguments.pairs = math.inf
    start = time.monotonic()
    if arguments.formula:
        run = Run()
        for key in [arguments.property] if arguments.property else sm.properties:
            question = (arguments.formula, tuple(arguments.param), key)
            run.note(question, *answer(question, arguments.seed))
    else:
        run = fuzz(arguments)
    print(run.report(time.monotonic() - start))
    return 1 if run.contradictions else 0


if __name__ == "__main__":
    sys.exit(main())
