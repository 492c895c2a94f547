"""How long, and how much memory, random questions take: each in a process of its own, within the budget of `prove`.

Formulas come from the grammar of the fuzzer, and from one that nests roots, logarithms and parameters more deeply.
Prints how many took how long, and the worst, with the commands that repeat them; the exit status is 1 if one took more
than the bounds, or ended with anything but a verdict.

usage: python benchmarks/budget.py [--questions N] [--seed K] [--seconds S] [--bound SECONDS] [--memory MEGABYTES]
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import signal
import sys
import time
from dataclasses import dataclass
from random import Random

from fuzz_grammars import Grammar
from tqdm import tqdm

import symmetrics as sm
from symmetrics.language.names import CELL_NAMES

WORST = 10
"""Questions that are printed, of the slowest and of the largest."""
PATIENCE = 120
"""Seconds after which a process is killed, in addition to what the question may take."""
SUSPICIOUS = re.compile(r"\w+Error\b|open: open|\bNone\b|Traceback|0x[0-9a-f]|\bnan\b|zoo|sympy|fmpz|mpoly")
"""What stands in the reason of an open verdict only if it is no sentence about the formula."""
NUMBERS = ("1", "2", "3", "1/2", "1/3", "0", "-1", "1000000", "10**40", "pi")
POWERS = ("2", "-1", "1/3", "-1/2", "3", "40", "400", "-7/2")


@dataclass(frozen=True)
class Question:
    """A formula, the declarations of its parameters, and a property."""

    formula: str
    declarations: tuple[str, ...]
    key: str

    @property
    def command(self) -> str:
        """The command line that asks it."""
        declared = (word for text in self.declarations for word in ("--param", text))
        return shlex.join(["symmetrics", "prove", self.formula, self.key, *declared])


@dataclass(frozen=True)
class Answer:
    """What came of a question, how long it took, and how many megabytes its process had at most."""

    question: Question
    status: str
    remark: str
    seconds: float
    megabytes: float

    def __str__(self) -> str:
        words = f"{self.seconds:6.1f} s {self.megabytes:6.0f} MB  {self.status:11}  {self.question.command}"
        return f"{words}\n    {self.remark}" if self.remark else words


def nested(random: Random, depth: int, names: tuple[str, ...]) -> str:
    """Return a formula with roots, logarithms and the like nested as deeply as it comes."""
    if depth == 0:
        kind = random.random()
        others = names if names and kind < 0.8 else NUMBERS
        return random.choice(CELL_NAMES if kind < 0.7 else others)

    def part() -> str:
        return nested(random, depth - 1, names)

    forms = (
        *(lambda sign=sign: f"({part()}{sign}{part()})" for sign in "++--**"),
        *(lambda: f"({part()})/({part()})" for _ in range(2)),
        *(lambda name=name: f"{name}({part()})" for name in ("sqrt", "log", "Abs")),
        *(lambda name=name: f"{name}({part()}, {part()})" for name in ("Min", "Max")),
        lambda: f"({part()})**({random.choice((*POWERS, *names))})",
    )
    return random.choice(forms)()


def question(seed: int, number: int) -> Question:
    """Return the question of a number: every other one from the fuzzer's grammar."""
    random = Random(f"{seed} {number}")
    key = random.choice(list(sm.properties))
    if number % 2:
        return Question(*Grammar(random).formula(), key)
    names = tuple(f"w{place}" for place in range(random.choice((0, 0, 1, 2, 8))))
    text = nested(random, random.choice((1, 2, 3, 3, 4)), names)
    return Question(text, tuple(f"{name} in [0, 1]" for name in names), key)


def decided(asked: Question, seconds: float) -> tuple[str, str]:
    """Return the status of the verdict, and what is wrong with it."""
    names = [text.split(" in ")[0] for text in asked.declarations]
    try:
        parameters = tuple(map(sm.Parameter.parse, asked.declarations))
        metric = sm.Metric("random", sm.parse_formula(asked.formula, names), parameters)
    except sm.SymmetricsError:
        return "no metric", ""
    try:
        verdict = sm.prove(metric, asked.key, seconds=seconds)
    except sm.SymmetricsError as error:
        return "refused", str(error)
    except Exception as error:  # whatever comes is what is looked for
        return "error", f"{type(error).__name__}: {error}"
    sentence = verdict.evidence.sentence
    if verdict.status == "open" and "not decided within" in sentence:
        return "out of it", sentence
    return verdict.status, sentence if verdict.status == "open" and SUSPICIOUS.search(sentence) else ""


def answer(asked: Question, seconds: float) -> Answer:
    """Ask in a new process, which is killed if it does not end."""
    start = time.monotonic()
    reading, writing = os.pipe()
    process = os.fork()
    if process == 0:
        signal.alarm(int(seconds) + PATIENCE)
        with os.fdopen(writing, "w", encoding="utf-8") as stream:
            json.dump(decided(asked, seconds), stream)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8") as stream:
        text = stream.read()
    _, _, usage = os.wait4(process, 0)
    status, remark = json.loads(text) if text else ("killed", "the process died")
    return Answer(asked, status, remark, time.monotonic() - start, usage.ru_maxrss / 1024)


def main() -> int:
    """Ask, and print the worst."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--questions", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=30, help="what a question may take")
    parser.add_argument("--bound", type=float, default=35, help="seconds that none may exceed")
    parser.add_argument("--memory", type=float, default=1000, help="megabytes that none may exceed")
    chosen = parser.parse_args()
    sm.prove("f1", "p1", seconds=chosen.seconds)  # imports what all of them need
    answers = [
        answer(question(chosen.seed, number), chosen.seconds)
        for number in tqdm(range(chosen.questions), disable=None, leave=False)
    ]
    statuses = [one.status for one in answers]
    print(", ".join(f"{statuses.count(status)} {status}" for status in sorted(set(statuses))))
    slowest = sorted(answers, key=lambda one: -one.seconds)
    largest = sorted(answers, key=lambda one: -one.megabytes)
    print("the slowest", *slowest[:WORST], "the largest", *largest[:WORST], sep="\n")
    strange = [one for one in answers if one.status in ("error", "killed") or (one.remark and one.status == "open")]
    if strange:
        print("what is no verdict, or has no reason", *strange, sep="\n")
    beyond = slowest[0].seconds > chosen.bound or largest[0].megabytes > chosen.memory
    return 1 if beyond or strange else 0


if __name__ == "__main__":
    sys.exit(main())
