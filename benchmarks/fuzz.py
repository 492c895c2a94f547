"""Random questions of all kinds: no answer may contradict the formula's values, nor fail its own check.

Values come from an arithmetic of their own, in fractions and certified intervals (``fuzz_formulas.py``), and the laws
are written down a second time (``fuzz_laws.py``, ``fuzz_closed.py``, ``fuzz_values.py``, ``fuzz_spaces.py``).  Each
question is answered in a process that is killed when it takes too long.  Prints the questions by kind and status; the
exit status is 1 if there was a contradiction, with the command that repeats it.

usage: python benchmarks/fuzz.py [--kind KIND] [--pairs N] [--seconds S] [--seed K] [--jobs J] [--limit SECONDS]
       python benchmarks/fuzz.py --formula "w*TP/(TP + FN)" --param "w in [0, 1]" --property p1 [--kind special]
       python benchmarks/fuzz.py --kind relations --repeat '["affine", "unknown", "4", "7"]'
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import shlex
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

import fuzz_certificates
import fuzz_identify
import fuzz_questions
import fuzz_relations
from fuzz_workers import Answer, Workers
from tqdm import tqdm

import symmetrics as sm
from symmetrics.tools.errors import DefinitionError, FormulaError

Question = tuple[str, Any]
"""A kind, and what is asked."""
TOO_LARGE = ("to be checked", "to be factored")
"""How the checker says that a certificate is beyond its bounds: nothing is wrong then, but nothing was verified."""
SHOWN = 50
"""Contradictions, and time-outs, that are printed: what is false comes before what failed."""
ABOUT_ONE = ("formulas", "reality", "spaces", "special")
"""The kinds whose questions are a formula, the declarations of its parameters and a property."""


@dataclass(frozen=True)
class Kind:
    """How questions of one kind are drawn and answered.

    :param draw: returns questions, in JSON values
    :param answer: returns a status, and what contradicts the answer to a question, or None
    """

    draw: Callable[[Random], list[Any]]
    answer: Callable[[Any, Random], Answer]


KINDS = {
    "formulas": Kind(fuzz_questions.draw_formulas, fuzz_questions.answer),
    "reality": Kind(fuzz_questions.draw_reality, fuzz_questions.answer),
    "relations": Kind(fuzz_relations.draw, fuzz_relations.answer),
    "identify": Kind(fuzz_identify.draw, fuzz_identify.answer),
    "spaces": Kind(fuzz_questions.draw_spaces, fuzz_questions.answer),
    "special": Kind(fuzz_questions.draw_special, fuzz_questions.answer_special),
    "certificates": Kind(fuzz_certificates.draw, fuzz_certificates.answer),
}


def questions(kinds: list[str], seed: int) -> Iterator[Question]:
    """Yield questions of each kind in turn, without end."""
    return itertools.chain.from_iterable(zip(*(_of_kind(kind, seed) for kind in kinds), strict=True))


def _of_kind(kind: str, seed: int) -> Iterator[Question]:
    for number in itertools.count():
        # The plain formulas are drawn as they always were, so that a seed repeats them.
        name = f"{seed} {number}" if kind == "formulas" else f"{kind} {seed} {number}"
        yield from ((kind, data) for data in KINDS[kind].draw(Random(name)))


def answer(question: Question, seed: int) -> Answer:
    """Return the status of an answer, or ``invalid``, and what is wrong with it."""
    kind, data = question
    if kind in ABOUT_ONE:
        try:
            fuzz_questions.metric_of(data[0], data[1])
        except sm.SymmetricsError:
            return "invalid", None
    try:
        return KINDS[kind].answer(data, Random(f"{seed} {json.dumps(data)}"))
    except Exception as error:  # whatever goes wrong is what a fuzzer looks for
        if isinstance(error, sm.CertificateError) and str(error).endswith(TOO_LARGE):
            return "unchecked", None
        if kind in ("relations", "identify") and isinstance(error, (DefinitionError, FormulaError)):
            return "invalid", None
        return "error", f"{type(error).__name__}: {error}"


@dataclass
class Run:
    """Counts of statuses, and what was found."""

    counts: Counter[tuple[str, str]] = field(default_factory=Counter)
    contradictions: list[str] = field(default_factory=list)
    slow: list[str] = field(default_factory=list)

    def note(self, question: Question, status: str, complaint: str | None) -> None:
        """Note one answer."""
        self.counts[question[0], status] += 1
        if complaint is not None:
            self.contradictions.append(f"{status}, but {complaint}\n    {command(question)}")
        if status == "time-out":
            self.slow.append(command(question))

    def report(self, seconds: float) -> str:
        """Return the summary."""
        lines = [f"{self.counts.total()} pairs in {seconds:.0f} s"]
        for kind in dict.fromkeys(kind for kind, _ in self.counts):
            mine = {status: number for (other, status), number in self.counts.most_common() if other == kind}
            lines.append(f"{kind}: {sum(mine.values())}")
            lines += [f"  {status:12} {number:8}" for status, number in mine.items()]
        worst_first = sorted(self.contradictions, key=lambda text: text.startswith("error"))
        lines += [f"contradictions: {len(self.contradictions)}", *worst_first[:SHOWN]]
        return "\n".join([*lines, *(f"time-out: {one}" for one in self.slow[:SHOWN])])


def command(question: Question) -> str:
    """Return the command line that asks one question again."""
    kind, data = question
    words = ["python", "benchmarks/fuzz.py"]
    if kind not in ABOUT_ONE:
        return shlex.join([*words, "--kind", kind, "--repeat", json.dumps(data)])
    text, declarations, key = data
    words += [] if kind == "formulas" else ["--kind", kind]
    words += ["--formula", text, "--property", key]
    return shlex.join([*words, *(word for declaration in declarations for word in ("--param", declaration))])


def fuzz(arguments: argparse.Namespace) -> Run:
    """Ask until time or questions are used up."""
    run, kinds = Run(), list(KINDS) if arguments.kind == "all" else [arguments.kind]
    asked = questions(kinds, arguments.seed)
    if arguments.pairs < math.inf:
        asked = itertools.islice(asked, arguments.pairs)
    end = time.monotonic() + arguments.seconds
    total = None if arguments.pairs == math.inf else arguments.pairs
    workers = Workers(answer, arguments.seed, arguments.jobs, arguments.limit)
    with tqdm(total=total, unit=" pairs", disable=not sys.stderr.isatty()) as progress, workers:
        for question, (status, complaint) in workers.answers(asked, until=end):
            run.note(question, status, complaint)
            progress.update()
    return run


def repeated(arguments: argparse.Namespace) -> Run:
    """Ask one question again."""
    run, kind = Run(), "formulas" if arguments.kind == "all" else arguments.kind
    if arguments.repeat:
        asked = [_tuples(json.loads(arguments.repeat))]
    else:
        keys = [arguments.property] if arguments.property else list(sm.properties)
        asked = [(arguments.formula, tuple(arguments.param), key) for key in keys]
    for data in asked:
        run.note((kind, data), *answer((kind, data), arguments.seed))
    return run


def _tuples(data: Any) -> Any:
    return tuple(map(_tuples, data)) if isinstance(data, list) else data


def main() -> int:
    """Run the fuzzer, or repeat one question."""
    parser = argparse.ArgumentParser(description="Random questions of all kinds, against independent values.")
    parser.add_argument(
        "--kind", choices=[*KINDS, "all"], default="formulas", help="what is asked; formulas by default"
    )
    parser.add_argument("--seconds", type=float, help="how long; 60 if --pairs is not given either")
    parser.add_argument("--pairs", type=int, help="how many questions; by default as many as there is time for")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--limit", type=float, default=10, help="seconds that one question may take")
    parser.add_argument("--formula", help="ask about this formula only")
    parser.add_argument("--property", help="with --formula, the property")
    parser.add_argument("--param", action="append", default=[], help='with --formula, such as "w in [0, 1]"')
    parser.add_argument("--repeat", help="ask this question of the kind only, in JSON")
    arguments = parser.parse_args()
    if arguments.seconds is None:
        arguments.seconds = 60 if arguments.pairs is None else math.inf
    if arguments.pairs is None:
        arguments.pairs = math.inf
    start = time.monotonic()
    run = repeated(arguments) if arguments.formula or arguments.repeat else fuzz(arguments)
    print(run.report(time.monotonic() - start))
    return 1 if run.contradictions else 0


if __name__ == "__main__":
    sys.exit(main())
