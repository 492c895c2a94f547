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
import itertools
import sys
import warnings
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import sklearn.metrics
from side_by_side_inputs import Question, questions_of_labels, questions_of_scores
from tqdm import tqdm

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from sklearn_differences import Call, outcome
from sklearn_equivalents import EQUIVALENTS

from symmetrics.data.encoding import common_order, in_order
from symmetrics.numeric.classes import is_indicator
from symmetrics.tools.errors import SymmetricsError

SHOWN = 20
"""Pairs without an explanation that are printed."""
QUESTIONS = {"labels": questions_of_labels, "scores": questions_of_scores}


OF_LABELS = {
    "absent_positive", "any_label", "large_labels", "mixed_names", "order_of_categories", "positive_by_convention",
    "sums_of_weights", "weight_of_0",
}  # fmt: skip
"""Differences in what is a label and which examples count: of numbers of classes both libraries say the same."""
COUNTS = ("confusion_matrix", "multilabel_confusion_matrix")
"""Functions whose values have the unit of the weights."""


def theirs(name: str, given: dict[str, Any]) -> Any:
    """Return what scikit-learn answers, None if it refuses."""
    try:
        return getattr(sklearn.metrics, name)(**given)
    except Exception:  # whatever it raises, it has no answer
        return None


def asked(question: Question) -> Call:
    """Return what both libraries answer."""
    bound = inspect.signature(getattr(sklearn.metrics, question.name)).bind(**question.given)
    bound.apply_defaults()
    try:
        value, refusal = EQUIVALENTS[question.name].call(dict(bound.arguments)), ""
    except SymmetricsError as error:
        value, refusal = None, str(error)
    return Call(question.name, dict(bound.arguments), theirs(question.name, question.given), value, refusal)


def plainly(call: Call) -> Call:
    """Return the same call with labels as the numbers of their classes, and without the examples of weight 0.

    What is here has to be what scikit-learn says to that.
    """
    given, weight = dict(call.given), call.given["sample_weight"]
    kept = slice(None) if weight is None else np.asarray(weight) > 0
    if weight is not None:
        each = np.asarray(weight, dtype=np.float64)[kept]
        has_unit = call.name in COUNTS or not given.get("normalize", True)
        given["sample_weight"] = each if has_unit else each / each.max()
    if "y_score" in given:
        given["y_score"] = np.asarray(given["y_score"])[kept]
    keys = [key for key in ("y_true", "y_pred", "y1", "y2") if key in given]
    if is_indicator(given[keys[0]]):
        matrices = [getattr(given[key], "toarray", lambda key=key: np.asarray(given[key]))() for key in keys]
        given |= {key: matrix[kept] for key, matrix in zip(keys, matrices, strict=True)}
    else:
        columns = [np.fromiter(listed(given[key]), dtype=object)[kept].tolist() for key in keys]
        stated = None if "y_score" in given else common_order([given[key] for key in keys])
        named = [] if given.get("labels") is None else list(given["labels"])
        places: dict[Any, int] = {}
        for label in [*in_order(dict.fromkeys(itertools.chain(*columns)), stated), *named]:
            places.setdefault(label, len(places))
        given |= {key: np.array([places[one] for one in column]) for key, column in zip(keys, columns, strict=True)}
        if named:
            given["labels"] = [places[label] for label in named]
        if "pos_label" in given:
            positive = 1 if given["pos_label"] is None else given["pos_label"]
            given["pos_label"] = places.get(positive, 1 if given.get("average", "binary") != "binary" else len(places))
    return call._replace(given=given, result=theirs(call.name, given))


def listed(column: Any) -> list[Any]:
    """Return a column as plain objects."""
    return column.tolist() if hasattr(column, "tolist") else column.to_list() if hasattr(column, "to_list") else column


def judged(call: Call) -> str | None:
    """Return what became of a call; None if that has no name, or one that does not explain the value."""
    found = outcome(call)
    if found not in OF_LABELS or call.refusal:
        return found
    again = outcome(plainly(call))
    is_rounding = again == "sums_of_weights" and (call.name in COUNTS or call.name == "zero_one_loss")
    return found if again == "the same" or is_rounding else None if again in OF_LABELS else again


def compared(kind: str, seeds: range) -> Iterator[tuple[int, Call, str | None]]:
    """Yield the seed of each pair of answers, the pair, and what became of it: None if that has no name."""
    for seed in tqdm(seeds, desc=kind, disable=None, leave=False):
        for question in QUESTIONS[kind](seed):
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                call = asked(question)
                yield seed, call, judged(call)


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
