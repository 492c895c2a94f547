"""What differs on purpose from scikit-learn: for each a name, a sentence, and of which calls it is the reason.

Each has a test of its own in test_sklearn_differences, and a line of docs/coming_from_scikit_learn.md, which
``python tests/sklearn_differences.py`` writes.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from sklearn_equivalents import EQUIVALENTS

from symmetrics.numeric.classes import is_indicator
from symmetrics.tools.files import write_text

__all__ = ["DIFFERENCES", "Call", "outcome", "page"]

PAGE = Path(__file__).parents[1] / "docs" / "coming_from_scikit_learn.md"


class Call(NamedTuple):
    """A recorded call, and what became of it here.

    :param name: the function
    :param given: its arguments, by name, all of them
    :param result: scikit-learn's, None if it refused
    :param value: ours, None if we refused
    :param refusal: why, empty if we did not
    """

    name: str
    given: dict[str, Any]
    result: Any
    value: Any
    refusal: str

    @property
    def answered(self) -> bool:
        """Whether there is an answer here where scikit-learn refuses."""
        return self.result is None and not self.refusal

    def columns(self) -> list[Any]:
        """Return the true and the predicted labels of the call."""
        return [self.given[key] for key in ("y_true", "y_pred", "y1", "y2") if key in self.given]

    def labels(self) -> list[Any]:
        """Return all labels of the call."""
        columns = [column.tolist() if hasattr(column, "tolist") else list(column) for column in self.columns()]
        return [label for column in columns for label in column]


class Difference(NamedTuple):
    """Something that is not as in scikit-learn.

    :param sentence: what is here, and what is there
    :param explains: whether it is the reason why a call differs
    """

    sentence: str
    explains: Callable[[Call], bool]


def refusal(*patterns: str) -> Callable[[Call], bool]:
    """Return whether a call is refused here for one of some reasons, where scikit-learn has an answer."""
    return lambda call: bool(re.search("|".join(patterns), call.refusal))


def has_unusual_labels(call: Call) -> bool:
    """Whether labels are of several kinds or of one that scikit-learn does not take, or stand in arrays of objects."""
    labels = call.labels()
    kinds = {isinstance(label, str) for label in labels}
    unusual = any(
        isinstance(label, tuple | list | bytes) or (isinstance(label, float) and not float(label).is_integer())
        for label in labels
    )
    boxed = any(str(getattr(column, "dtype", "")) in ("object", "category") for column in call.columns())
    as_rows = not call.refusal and any(
        isinstance(label, tuple) for label in labels
    )  # scikit-learn takes several labels
    return as_rows or (call.answered and (len(kinds) > 1 or unusual or boxed))


def has_nan(call: Call) -> bool:
    parts = call.value if isinstance(call.value, tuple) else (call.value,)
    return not call.refusal and any(bool(np.isnan(np.asarray(part, dtype=np.float64)).any()) for part in parts)


def weight_of(call: Call) -> np.ndarray | None:
    weight = call.given.get("sample_weight")
    return None if weight is None else np.asarray(weight)


def has_weightless_class(call: Call) -> bool:
    """Whether a class, or an example of several labels, has the weight 0 alone."""
    weight = weight_of(call)
    refused = call.refusal and "pass one column per class" not in call.refusal
    if refused or weight is None or weight.all() or is_indicator(call.columns()[0]):
        return False
    columns = [column.tolist() if hasattr(column, "tolist") else list(column) for column in call.columns()]
    kept = [[one for one, each in zip(column, weight, strict=True) if each] for column in columns]
    return any(set(map(repr, some)) < set(map(repr, every)) for some, every in zip(kept, columns, strict=True))


def has_mixed_names(call: Call) -> bool:
    """Whether NumPy makes texts of numbers that stand beside texts."""
    labels = call.given.get("labels")
    named = [] if labels is None else list(labels)
    return not call.refusal and any(
        len({isinstance(label, str) for label in part}) > 1 for part in (named, call.labels())
    )


def has_no_support(call: Call) -> bool:
    """Whether the mean is weighted by examples of classes that have none."""
    labels, found = call.given.get("labels"), call.columns()[0]
    if call.given.get("average") != "weighted" or labels is None or is_indicator(found):
        return False
    return set(found.tolist() if hasattr(found, "tolist") else found).isdisjoint(labels)


def states_an_order(call: Call) -> bool:
    return all(getattr(getattr(column, "dtype", None), "ordered", False) for column in call.columns())


def has_large_numbers(call: Call) -> bool:
    numbers = [label for label in call.labels() if isinstance(label, int | float) and np.isfinite(label)]
    return any(abs(number) > 2**53 for number in numbers)


def indicators(call: Call) -> np.ndarray:
    """Return which labels the examples have that count; without rows if each has one."""
    truth, weight = call.given["y_true"], weight_of(call)
    if not is_indicator(truth):
        return np.empty((0, 1), dtype=bool)
    matrix = np.asarray(truth.toarray() if hasattr(truth, "toarray") else truth, dtype=bool)
    return matrix if weight is None else matrix[weight > 0]


def has_column_of_one_class(call: Call) -> bool:
    matrix = indicators(call)
    return bool(matrix.size) and any(bool(part.all()) or not part.any() for part in (*matrix.T, *matrix))


def has_sums_that_differ(call: Call) -> bool:
    weight = weight_of(call)
    if weight is None or call.refusal:
        return False
    wraps = weight.dtype.kind in "iu" and float(weight.astype(np.float64).sum()) > 2**62
    some = weight[weight > 0].astype(np.float64)
    cancels = call.name in ("multilabel_confusion_matrix", "zero_one_loss") and some.max() > 1e4 * some.min()
    is_extreme = not 1e-8 < float(some.sum()) < 1e150
    return wraps or weight.dtype.kind == "b" or is_extreme or bool(cancels)


def is_column(values: Any) -> bool:
    return np.ndim(values) == 2 and np.shape(values)[1] == 1


def lacks_positives(call: Call) -> bool:
    truth = indicators(call)
    return bool(truth.size) and not (truth.any(axis=0).all() and truth.any(axis=1).all())


def lacks_a_class(call: Call) -> bool:
    return np.ndim(call.given["y_true"]) == 1 and not set(call.given["labels"]) <= set(call.labels())


def has_ties(call: Call) -> bool:
    return any(len(set(row)) < len(row) for row in np.asarray(call.given["y_score"]).tolist())


DIFFERENCES: dict[str, Difference] = {
    "marks_of_missing_labels": Difference(
        "Texts that stand for a missing label, such as `'NA'`, `'nan'` and `''`, are refused; `missing='drop'` leaves "
        "their examples out, and `missing='keep'` takes them for classes, as scikit-learn does.",
        refusal("which stands for a missing label"),
    ),
    "repeated_labels": Difference(
        "`labels=` that name a label twice are refused; scikit-learn counts it once, or twice.",
        refusal("labels names .* more than once"),
    ),
    "twins": Difference(
        "A number beside the text of it, such as 1 and `'1'`, is refused, as one class would count as two; in "
        "scikit-learn they are one label or two, as the arrays have it.",
        refusal("the labels hold both the text"),
    ),
    "absent_labels": Difference(
        "`labels=` are refused if none of them occurs, and a `LabelWarning` names those that do not; "
        "scikit-learn does neither.",
        refusal("has none of the labels that occur", "no example of y_true is of a label among"),
    ),
    "mixed_names": Difference(
        "Labels, and `labels=`, may be numbers beside texts; where scikit-learn takes such it makes texts of the "
        "numbers, which are other labels in another order.",
        has_mixed_names,
    ),
    "unusable_weights": Difference(
        "Weights that are negative, missing, not as many as the examples, or all 0 are refused; scikit-learn takes "
        "some of them.",
        refusal(
            "pass weights that are finite and not negative", "every weight of sample_weight", "pass one per example"
        ),
    ),
    "absent_positive": Difference(
        "A `pos_label` that no example has is refused, unless it makes a pair with the one that occurs, such as 0 and "
        "1; in scikit-learn the value is 0 or nan.",
        refusal("pos_label=.* is not among the labels"),
    ),
    "order_of_categories": Difference(
        "Classes stand in the order of the categories, if both columns have the same ordered ones, so that a matrix "
        "has its rows in that order and a weighted kappa its distances; scikit-learn sorts the texts.",
        states_an_order,
    ),
    "weight_of_0": Difference(
        "An example of weight 0 is as one left out, so that a class without other examples does not count; in "
        "scikit-learn such a class has the value of `zero_division`, or is averaged in as 0.",
        has_weightless_class,
    ),
    "weighted_without_support": Difference(
        "A mean weighted by support over classes that have none has no value, or that of `zero_division`; "
        "scikit-learn takes the plain mean, or 0.",
        has_no_support,
    ),
    "large_labels": Difference(
        "Whole numbers beyond 2^53 are other labels than the floats next to them; NumPy, and scikit-learn with it, "
        "makes floats of both.",
        has_large_numbers,
    ),
    "large_scores": Difference(
        "Scores that float64 does not keep apart, such as whole numbers beyond 2^53, and infinite ones are refused; "
        "scikit-learn lets them tie.",
        refusal("does not keep apart", "is infinite in float64"),
    ),
    "scores_as_texts": Difference(
        "Scores are numbers; scikit-learn reads texts of numbers, too.",
        refusal("a score is a real number"),
    ),
    "positive_by_convention": Difference(
        "In curves the positive label is 1 unless it is named; scikit-learn takes 1 beside 0 or -1 alone, and for "
        "`roc_auc_score` the last label.",
        lambda call: call.answered and call.name in ("roc_curve", "det_curve", "precision_recall_curve"),
    ),
    "any_label": Difference(
        "Any hashable value is a label: numbers beside texts, fractions, infinities, tuples; scikit-learn refuses "
        "these.",
        has_unusual_labels,
    ),
    "column_vector": Difference(
        "Labels and scores of shape (n, 1) are refused; scikit-learn takes them for one column of n. Pass `y.ravel()`.",
        lambda call: bool(call.refusal) and any(map(is_column, call.given.values())),
    ),
    "undefined_is_nan": Difference(
        "What is undefined is nan, without a warning, and a class on which a metric is undefined is left out of means; "
        "scikit-learn counts 0 and warns. Pass `zero_division=0` for that. In `matthews_corrcoef`, which has no such "
        "argument, the value is 0 there and nan here.",
        lambda call: call.result is not None and "zero_division" not in call.given and has_nan(call),
    ),
    "label_without_positives": Difference(
        "The average precision of a label or an example without positives is undefined, and left out of means; "
        "scikit-learn counts 0.",
        lambda call: call.name == "average_precision_score" and not call.refusal and lacks_positives(call),
    ),
    "one_class": Difference(
        "A curve of examples of one class is refused with the reason, but for precision and recall of positive ones "
        "alone; scikit-learn returns nan, 0 or 1, and warns. Metrics of the whole matrix of one class that have no "
        "value, such as `mcc`, are nan.",
        refusal("one class", "there is 1 class", "does not go with multi_class='ovo'"),
    ),
    "two_columns": Difference(
        "The average precision of two classes takes two columns of scores, too, as `predict_proba` returns them; "
        "scikit-learn refuses these.",
        lambda call: call.answered and call.name == "average_precision_score" and np.ndim(call.given["y_score"]) == 2,
    ),
    "column_of_one_class": Difference(
        "The area is nan, and left out of means, for a label that all examples have or that none has, and for such an "
        "example in `average='samples'`; in scikit-learn the mean is nan, or 0.",
        lambda call: call.name == "roc_auc_score" and not call.refusal and has_column_of_one_class(call),
    ),
    "class_without_examples": Difference(
        "The area of a class of `labels=` without examples is nan, and left out of the mean over the classes; in "
        "scikit-learn the mean is nan. Its curve is refused.",
        lambda call: call.given.get("labels") is not None and "y_score" in call.given and lacks_a_class(call),
    ),
    "adjusted_classes": Difference(
        "The adjusted balanced accuracy corrects for chance by the number of all classes that occur; scikit-learn does "
        "not count those that occur in the predictions alone.",
        lambda call: (
            call.name == "balanced_accuracy_score"
            and call.given["adjusted"]
            and not set(np.ravel(call.given["y_pred"]).tolist()) <= set(np.ravel(call.given["y_true"]).tolist())
        ),
    ),
    "infinite_ratio": Difference(
        "A likelihood ratio over 0 is infinite, which it tends to, and nan if it is 0/0, unless `replace_undefined_by` "
        "is passed, which may be any number that is not negative; scikit-learn has nan by default. Labels that do not "
        "say which is positive are refused without `labels=[negative, positive]`; scikit-learn takes the last.",
        lambda call: (
            (
                call.name == "class_likelihood_ratios"
                and bool(re.search("say which is positive|occurs and is not among", call.refusal))
            )
            or (
                call.name == "class_likelihood_ratios"
                and not call.refusal
                and (call.answered or not np.isfinite(call.value).all())
            )
        ),
    ),
    "kappa_of_some_labels": Difference(
        "Metrics of the whole matrix, such as kappa, take no `labels=` that leave classes out; scikit-learn drops the "
        "examples of the others. Drop them before.",
        lambda call: call.name == "cohen_kappa_score" and "labels leaves out classes" in call.refusal,
    ),
    "top_k_ties": Difference(
        "Classes that tie for the last of the k places have their share of them; in scikit-learn the class of the "
        "later column wins.",
        lambda call: call.name == "top_k_accuracy_score" and not call.refusal and has_ties(call),
    ),
    "top_k_columns": Difference(
        "The top-k accuracy needs a column of scores for each class, and k is at most their number; scikit-learn takes "
        "one column, at the threshold 1/2 or 0, and any k.",
        lambda call: (
            call.name == "top_k_accuracy_score" and bool(re.search("has shape|number of classes", call.refusal))
        ),
    ),
    "labels_in_any_order": Difference(
        "The classes of columns of scores stand in any order in `labels=`, and every average, `max_fpr` and a "
        "`pos_label` without a use are taken with them; scikit-learn refuses these.",
        lambda call: call.answered and np.ndim(call.given.get("y_score", 0)) == 2,
    ),
    "labels_of_columns": Difference(
        "Of examples with several labels, `labels=` names the columns that count, also for areas; scikit-learn's "
        "`roc_auc_score` does not look at it.",
        lambda call: (
            call.given.get("labels") is not None and "y_score" in call.given and is_indicator(call.given["y_true"])
        ),
    ),
    "no_intermediate": Difference(
        "Curves have all their points; scikit-learn's `drop_intermediate=True` leaves some out.",
        lambda call: bool(call.given.get("drop_intermediate")),
    ),
    "infinite_beta": Difference(
        'The F-measure takes no infinite beta; it is the recall, `sm.metrics["recall"]`.',
        lambda call: call.given.get("beta") == np.inf and bool(call.refusal),
    ),
    "samplewise": Difference(
        "There is no matrix for each example of several labels, as `samplewise=True` returns; "
        '`average="samples"` is made of them.',
        lambda call: bool(call.given.get("samplewise")),
    ),
    "sums_of_weights": Difference(
        "Weights are added in float64, each cell by itself, and their unit does not matter; scikit-learn adds integers "
        "in int64, where large ones wrap around, and truth values as such, takes small sums for 0, multiplies large "
        "ones to infinity, and some cells are the difference of two sums, which cancels.",
        has_sums_that_differ,
    ),
}


def agree(ours: Any, theirs: Any) -> bool:
    """Return whether two results are the same numbers, of the same shape."""
    if isinstance(theirs, tuple):  # precision_recall_fscore_support has the support, too
        return len(ours) <= len(theirs) and all(map(agree, ours, theirs))
    one, other = (np.asarray(value, dtype=np.float64) for value in (ours, theirs))
    return one.shape == other.shape and bool(np.allclose(one, other, rtol=1e-12, atol=1e-12, equal_nan=True))


def outcome(call: Call) -> str | None:
    """Return what became of a call: the same, refused by both, or the name of a difference; None if it has none."""
    if call.refusal and call.result is None:
        return "refused by both"
    if not call.refusal and call.result is not None and agree(call.value, call.result):
        return "the same"
    return next((name for name, difference in DIFFERENCES.items() if difference.explains(call)), None)


def page() -> str:
    """Return the page as it should be: its text, with the two generated parts."""
    text = PAGE.read_text(encoding="utf-8")
    table = ["| scikit-learn | here |", "|---|---|"]
    table += [f"| `{name}` | {EQUIVALENTS[name].written} |" for name in sorted(EQUIVALENTS)]
    lines = [f"- {difference.sentence} (`test_{name}`)" for name, difference in DIFFERENCES.items()]
    for part, content in (("equivalents", table), ("differences", lines)):
        block = "\n".join([f"<!-- generated: {part} -->", *content, "<!-- end -->"])
        text = re.sub(
            rf"<!-- generated: {part} -->.*?<!-- end -->", lambda _, block=block: block, text, flags=re.DOTALL
        )
    return text


if __name__ == "__main__":
    write_text(PAGE, page())
