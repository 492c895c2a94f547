"""The guided choice: questions, the properties that answers require, and the data for the page's script."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from math import isfinite
from statistics import NormalDist
from typing import Any, Final, Literal

from symmetrics.codegen.scripts import standard_error_code
from symmetrics.metric import Metric
from symmetrics.metric.uncertainty import range_of
from symmetrics.pages.atlas.gathered import PROBLEMS, Entry, address
from symmetrics.statistics.delta import ADDED
from symmetrics.statistics.intervals import NEAREST, SMALLEST
from symmetrics.tools.errors import SymmetricsError

# -- Questions for choosing a metric, and the properties that the answers come down to ---------------------------------


Wanted = Literal["yes", "depends"]
"""A metric has a property at the defaults of its parameters, or that depends on the parameters."""


@dataclass(frozen=True)
class Need:
    """A required property, with alternatives.

    :param alternatives: properties with the required answer; one of them is enough
    :param because: the benefit, as a clause after "because"
    """

    alternatives: tuple[tuple[str, Wanted], ...]
    because: str


@dataclass(frozen=True)
class Option:
    """An answer to a question.

    :param key: of this answer
    :param says: the answer
    :param needs: the requirements that follow
    :param advice: further advice; empty if there is none
    """

    key: str
    says: str
    needs: tuple[Need, ...] = ()
    advice: str = ""


@dataclass(frozen=True)
class Question:
    """A question with its answers, the first of which requires nothing.

    :param key: of this question
    :param asks: the question
    :param options: the answers
    """

    key: str
    asks: str
    options: tuple[Option, ...]


def _need(property: str, because: str) -> Need:
    return Need(((property, "yes"),), because)


QUESTIONS: Final = (
    Question(
        "prior",
        "Will the share of positives be another in use than in the test data?",
        (
            Option("same", "No, or it does not matter here"),
            Option(
                "shifts",
                "Yes, or nobody knows",
                (_need("actual_scaling", "then the value is the same at any share of positives, for the same rates"),),
                "If the share of positives in use is known, priors.in_rates(metric) takes it, and the two rates.",
            ),
        ),
    ),
    Question(
        "imbalance",
        "Is one class much rarer than the other?",
        (
            Option("balanced", "No, or the many may count for more"),
            Option(
                "equal_weight",
                "Yes, and both classes are to count the same, however rare",
                (_need("no_imbalance_bias", "then the value is what it would be with as many examples of each class"),),
            ),
        ),
    ),
    Question(
        "negatives",
        "Can the true negatives be counted?",
        (
            Option("counted", "Yes"),
            Option(
                "unknown",
                "No: their number is unknown, or a matter of convention, as in retrieval and detection",
                (_need("p2", "then no number of true negatives changes the value"),),
            ),
        ),
    ),
    Question(
        "sides",
        "Which class is which?",
        (
            Option("named", "One of them is the positive one by its nature"),
            Option(
                "either",
                "Neither is: the value must not depend on which one is called positive",
                (_need("p1", "then exchanging the names of the classes changes nothing"),),
            ),
        ),
    ),
    Question(
        "roles",
        "Is one of the two labels the truth?",
        (
            Option("truth", "Yes"),
            Option(
                "alike",
                "No: two annotators, raters or segmentations are compared, and neither is right by definition",
                (_need("transpose", "then it does not matter whose labels come first"),),
            ),
        ),
    ),
    Question(
        "chance",
        "Must guessing score the same everywhere?",
        (
            Option("free", "No"),
            Option(
                "independent",
                "Yes: one value wherever predictions tell nothing about the truth",
                (_need("independence_value", "then that value means no better than chance, at any class balance"),),
            ),
            Option(
                "baseline",
                "Yes, and on average over random predictions too, however small the data set",
                (
                    _need("independence_value", "then that value means no better than chance, at any class balance"),
                    _need("constant_baseline", "then random predictions score the same on average"),
                ),
            ),
        ),
    ),
    Question(
        "costs",
        "Do misses and false alarms cost the same?",
        (
            Option("unsaid", "Nothing is known of costs"),
            Option(
                "equal",
                "Yes: one error is as bad as any other",
                (_need("transpose", "then a miss and a false alarm can be exchanged"),),
            ),
            Option(
                "unequal",
                "No, and how much worse one is than the other can be said",
                (
                    Need(
                        (("transpose", "depends"), ("p1", "depends")),
                        "then a parameter sets what a miss weighs beside a false alarm",
                    ),
                ),
                "Set the parameter from the costs before looking at the results.",
            ),
        ),
    ),
    Question(
        "classes",
        "How many classes are there?",
        (
            Option("two", "Two"),
            Option(
                "many",
                "More, without an order; each class counts the same",
                (),
                'Take the mean over the classes, each against the rest: metric.from_confusion(C, average="macro").  '
                "What is said here of the metric holds for each of these tables.",
            ),
            Option(
                "pooled",
                "More, without an order; each example counts the same",
                (
                    _need(
                        "decomposable", "then the value of the pooled counts is a weighted mean of those of the classes"
                    ),
                ),
                'Pool the counts of the classes: metric.from_confusion(C, average="micro").',
            ),
            Option(
                "ordered",
                "More, and they have an order",
                (_need("p1", "then it does not matter which side of a cut is called positive"),),
                "Cut the order between each two neighbouring classes, and take the mean of the metric over the cuts, "
                "so that an error counts once for each class boundary that it crosses.  With the error rate this is "
                "the mean absolute error in ranks, divided by the number of cuts.",
            ),
        ),
    ),
    Question(
        "thresholds",
        "Is a threshold still to be chosen?",
        (
            Option("fixed", "No: there are labels, or the threshold is fixed"),
            Option(
                "all",
                "Yes: scores are to be compared over all thresholds",
                (_need("actual_scaling", "then each threshold is a point of the ROC curve and has one value there"),),
                "Compare the scores themselves by roc_auc, weighted_auc, h_measure or b42, which take all thresholds "
                "at once; the metrics below tell of single points of the same curve.",
            ),
        ),
    ),
    Question(
        "corrections",
        "Must correcting any one error raise the score?",
        (
            Option("free", "Not necessarily"),
            Option("always", "Yes", (_need("monotone", "then no error can be corrected without a gain"),)),
        ),
    ),
    Question(
        "perfect",
        "Must the best value mean that everything is right?",
        (
            Option("free", "Not necessarily"),
            Option(
                "only", "Yes, and nothing else", (_need("max_agreement", "then only perfect predictions reach it"),)
            ),
        ),
    ),
    Question(
        "empty",
        "Can a class or a prediction be missing from a data set?",
        (
            Option("never", "No"),
            Option("possible", "Yes: small folds, rare classes", (_need("defined", "then there is always a value"),)),
        ),
    ),
    Question(
        "pooling",
        "Are results of folds or sites put together?",
        (
            Option("no", "No"),
            Option(
                "means",
                "Yes, and a mean of their values is to be the value of all examples",
                (_need("decomposable", "then it is, with weights that are known"),),
            ),
        ),
    ),
)
"""The questions in their order."""
FAMILIAR: Final[Mapping[str, str]] = {
    "accuracy": "",
    "auc_single": "AUC of one threshold, balanced accuracy",
    "f1": "Dice",
    "mcc": "phi",
    "kappa": "",
    "gmean": "G-mean",
    "informedness": "Youden's J",
    "precision": "positive predictive value",
    "tpr": "recall, sensitivity",
    "tnr": "specificity",
    "npv": "",
    "jaccard": "intersection over union",
}
"""Popular metrics, with a familiar name; for each the page says why it drops out."""
SOUND: Final = ("monotone", "max_agreement", "range", "homogeneous", "defined")
"""Properties that rank the remaining metrics: those with more of them come first."""


def place_of(entry: Entry) -> tuple[int, int, str]:
    """Sort key of a metric in lists: familiar ones first, then by number of desirable properties."""
    name = entry.metric.name
    return list(FAMILIAR).index(name) if name in FAMILIAR else len(FAMILIAR), -_sound(entry), entry.title.casefold()


def _sound(entry: Entry) -> int:
    return sum(entry.answers[key].holds is True for key in SOUND)


# -- data for the page -------------------------------------------------------------------------------------------------


def script_data(entries: Iterable[Entry], headings: Mapping[str, str]) -> dict[str, Any]:
    """Return data of the guided choice for JavaScript: questions, and metrics in order with their marks.

    :param headings: headings of the properties, in the order of the marks
    """
    judged = sorted((entry for entry in entries if entry.metric.greater_is_better is not None), key=place_of)
    options = [option for question in QUESTIONS for option in question.options]
    asked = sorted({key for option in options for need in option.needs for key, _ in need.alternatives})
    return {
        "questions": [{"key": q.key, "options": {o.key: _option(o) for o in q.options}} for q in QUESTIONS],
        "problems": {p.key: {"answers": dict(p.answers), "source": p.source} for p in PROBLEMS},
        "columns": list(headings),
        "headings": dict(headings),
        "metrics": [_metric(entry, list(headings), asked) for entry in judged],
    }


def _option(option: Option) -> dict[str, Any]:
    needs = [{"any": [list(pair) for pair in need.alternatives], "because": need.because} for need in option.needs]
    return {"needs": needs, "advice": option.advice}


def _metric(entry: Entry, columns: list[str], asked: list[str]) -> dict[str, Any]:
    found = {key: entry.answers[key] for key in asked}
    told: dict[str, Any] = {
        "name": entry.address,
        "title": entry.title,
        "marks": "".join(entry.answers[key].mark for key in columns),
        "conditions": {key: answer.condition for key, answer in found.items() if answer.condition},
        "familiar": entry.metric.name in FAMILIAR,
        "loss": entry.metric.greater_is_better is False,
    }
    if told["familiar"]:
        told["also"] = FAMILIAR[entry.metric.name]
        told["told"] = {key: answer.sentence for key, answer in found.items()}
    return told


# -- Scripts, styles and data beside the pages of an atlas -------------------------------------------------------------


FOLDER: Final = files("symmetrics.pages.atlas")


def script(call: str, *values: Any) -> str:
    """Return a script that calls a function with values as JSON: loads data without a server."""
    written = ", ".join(json.dumps(value, ensure_ascii=True, separators=(",", ":")) for value in values)
    return f"{call}({written.replace('<', chr(92) + 'u003c')});\n"


def assets(folder: Traversable | None = None, path: str = "") -> dict[str, bytes]:
    """Return scripts, styles and their licences, by path below ``assets/``."""
    found: dict[str, bytes] = {}
    for item in (folder or FOLDER / "assets").iterdir():
        name = f"{path}{item.name}"
        found |= assets(item, f"{name}/") if item.is_dir() else {name: item.read_bytes()}
    return found


# ----------------------------------------------------------------------------------------------------------------------
# JavaScript for the atlas' calculator: metrics with standard errors and ranges.


LEVELS: Final = (0.9, 0.95, 0.99)
"""Confidence levels that the page offers."""


def constants() -> str:
    """Return a script with the constants for all intervals."""
    quantiles = {f"{level:g}": NormalDist().inv_cdf((1 + level) / 2) for level in LEVELS}
    told = {"added": ADDED, "nearest": NEAREST, "smallest": SMALLEST, "quantiles": quantiles}
    return script("receiveConstants", told)


def metric_code(metric: Metric) -> str:
    """Return the metric's functions as a script; empty if it cannot be written in JavaScript."""
    try:
        value = metric.to_code("javascript")
        error = standard_error_code(metric.value_formula, "standardError")
        bounds = range_of(metric)
    except SymmetricsError:
        return ""
    told: dict[str, Any] = {
        "name": address(metric.name),
        "title": metric.title or metric.name,
        "familiar": metric.name in FAMILIAR,
        "searched": " ".join((metric.name, *metric.aliases)).replace("_", " "),
        "loss": metric.greater_is_better is False,
        "low": bounds.low if isfinite(bounds.low) else None,
        "high": bounds.high if isfinite(bounds.high) else None,
    }
    written = json.dumps(told, ensure_ascii=True).replace("<", "\\u003c")
    return f"receiveMetric({written},\n{_as_expression(value)},\n{_as_expression(error)});\n"


def _as_expression(source: str) -> str:
    """Return a function as an expression, without its leading comment lines."""
    lines = source.rstrip("\n").split("\n")
    start = next(number for number, line in enumerate(lines) if line.startswith("function "))
    return "\n".join(lines[start:])
