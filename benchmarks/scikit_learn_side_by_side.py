"""Does any answer differ from scikit-learn's for a reason that docs/coming_from_scikit_learn.md does not name?

Random hostile inputs of labels and of scores, drawn by seed, are given to both libraries in all the ways in which their
functions are called.  Each pair of answers is equal to 1e-12, refused by both, or explained by a kind of difference of
``tests/sklearn_differences.py``, of which the page is made.  Prints how many pairs there are of each; the exit status
is 1 if one is not explained, with the seeds that repeat it.

usage: python benchmarks/scikit_learn_side_by_side.py [--labels 380] [--scores 720] [--first 0]
"""

from __future__ import annotations

import argparse
import inspect
import sys
import warnings
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import sklearn.metrics
from side_by_side_inputs import Question, questions_of_labels, questions_of_scores
from tqdm import tqdm

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from sklearn_differences import Call, outcome
from sklearn_equivalents import EQUIVALENTS

from symmetrics.tools.errors import SymmetricsError

SHOWN = 20
"""Pairs without an explanation that are printed."""
QUESTIONS = {"labels": questions_of_labels, "scores": questions_of_scores}


def asked(question: Question) -> Call:
    """Return what both libraries answer."""
    function = getattr(sklearn.metrics, question.name)
    bound = inspect.signature(function).bind(**question.given)
    bound.apply_defaults()
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            result = function(**question.given)
        except Exception:  # whatever it raises, it has no answer
            result = None
        try:
            value, refusal = EQUIVALENTS[question.name].call(dict(bound.arguments)), ""
        except SymmetricsError as error:
            value, refusal = None, str(error)
    return Call(question.name, dict(bound.arguments), result, value, refusal)


def compared(kind: str, seeds: range) -> Iterator[tuple[int, Call, str | None]]:
    """Yield the seed of each pair of answers, the pair, and what became of it: None if that has no name."""
    for seed in tqdm(seeds, desc=kind, disable=None, leave=False):
        for question in QUESTIONS[kind](seed):
            call = asked(question)
            yield seed, call, outcome(call)


def main() -> int:
    """Compare, and print what was found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--labels", type=int, default=380, help="inputs of labels")
    parser.add_argument("--scores", type=int, default=720, help="inputs of scores")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    options = parser.parse_args()
    unexplained: list[tuple[str, int, Call]] = []
    for kind in QUESTIONS:
        counted: Counter[str] = Counter()
        number = getattr(options, kind)
        for seed, call, found in compared(kind, range(options.first, options.first + number)):
            counted[found or "unexplained"] += 1
            if found is None:
                unexplained.append((kind, seed, call))
        print(f"{number} inputs of {kind}, {counted.total()} pairs of answers")
        for name, times in counted.most_common():
            print(f"  {times:7}  {name}")
    for kind, seed, call in unexplained[:SHOWN]:
        print(f"--{kind} 1 --first {seed}: {shown(call)}")
    return int(bool(unexplained))


def shown(call: Call) -> str:
    """Return a pair of answers as lines."""
    given = "\n".join(f"    {key} = {value!r}" for key, value in call.given.items())
    return f"{call.name}\n{given}\n    scikit-learn: {call.result!r}\n    here: {call.refusal or repr(call.value)}"


if __name__ == "__main__":
    sys.exit(main())
