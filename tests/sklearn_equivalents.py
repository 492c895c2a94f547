"""What scikit-learn's functions are called here: for each, how it is written and a function of the same arguments.

The table of docs/coming_from_scikit_learn.md is made of the texts, and test_other_packages calls the functions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

import symmetrics as sm
from symmetrics.data.counts import one_vs_rest
from symmetrics.data.labels import confusion_matrix, selected_confusion
from symmetrics.numeric.classes import averaged_indicators, is_indicator

__all__ = ["EQUIVALENTS", "Equivalent"]

Given = dict[str, Any]
F_SCORES = {"precision_score": "precision", "recall_score": "recall", "f1_score": "f1", "jaccard_score": "jaccard"}


class Equivalent(NamedTuple):
    """A function of scikit-learn here.

    :param written: how it is called here
    :param call: the same, from the arguments of scikit-learn's function by name, all of them
    """

    written: str
    call: Callable[[Given], Any]


def rows_as_labels(labels: Any) -> Any:
    """Return each row of an indicator matrix as one label, other labels as they are."""
    if not is_indicator(labels):
        return labels
    return list(map(tuple, (labels.toarray() if hasattr(labels, "toarray") else np.asarray(labels)).tolist()))


def share(metric: str, count: str) -> Callable[[Given], Any]:
    """Return the share of right or wrong predictions, or their number."""

    def call(given: Given) -> Any:
        true, predicted = rows_as_labels(given["y_true"]), rows_as_labels(given["y_pred"])
        if given["normalize"]:
            return sm.multiclass[metric](true, predicted, sample_weight=given["sample_weight"])
        return getattr(sm.ConfusionMatrix.of(true, predicted, sample_weight=given["sample_weight"]), count)

    return call


def fill(given: Given) -> float:
    return 0.0 if given["zero_division"] == "warn" else float(given["zero_division"])


def averaged(metric: sm.Metric) -> Callable[[Given], Any]:
    def call(given: Given) -> Any:
        settings = {key: given[key] for key in ("average", "sample_weight", "pos_label")}
        if given["average"] != "binary" or is_indicator(given["y_true"]):
            settings["labels"] = given["labels"]
        return metric(given["y_true"], given["y_pred"], **settings, zero_division=fill(given))

    return call


def f_beta(given: Given) -> Any:
    return averaged(sm.metrics["f_beta"].at(beta=str(given["beta"])))(given)


def precision_recall_f_support(given: Given) -> Any:
    parts = (averaged(sm.metrics[name])(given) for name in ("precision", "recall"))
    return (*parts, f_beta(given))


def balanced(given: Given) -> Any:
    key = "adjusted_balanced_accuracy" if given["adjusted"] else "balanced_accuracy"
    return sm.multiclass[key](given["y_true"], given["y_pred"], sample_weight=given["sample_weight"])


def kappa(given: Given) -> Any:
    key = "kappa" if given["weights"] is None else f"kappa_{given['weights']}"
    settings = {key: given[key] for key in ("labels", "sample_weight")}
    return sm.multiclass[key](given["y1"], given["y2"], **settings)


def correlation(given: Given) -> Any:
    return sm.multiclass["mcc"](given["y_true"], given["y_pred"], sample_weight=given["sample_weight"])


def ratios(given: Given) -> Any:
    settings = {key: given[key] for key in ("labels", "sample_weight")}
    replaced = given["replace_undefined_by"]
    if not (isinstance(replaced, float) and np.isnan(replaced)):  # which is the default there, and the limit here
        settings["replace_undefined_by"] = replaced
    return sm.class_likelihood_ratios(given["y_true"], given["y_pred"], **settings)


def matrix(given: Given) -> Any:
    settings = {key: given[key] for key in ("labels", "sample_weight")}
    counts, _ = confusion_matrix(given["y_true"], given["y_pred"], **settings)
    axis = {"true": 1, "pred": 0, "all": None}
    if given["normalize"] is None:
        return counts
    with np.errstate(all="ignore"):
        return np.nan_to_num(counts / counts.sum(axis=axis[given["normalize"]], keepdims=True))


def matrices(given: Given) -> Any:
    true, predicted, labels, weight = (given[key] for key in ("y_true", "y_pred", "labels", "sample_weight"))
    if is_indicator(true):
        cells = [
            averaged_indicators(
                lambda cells, cell=cell: cells[cell], true, predicted, None, labels=labels, sample_weight=weight
            )
            for cell in range(4)
        ]
        tp, fn, fp, tn = cells
    else:
        counts, _, size = selected_confusion(true, predicted, labels=labels, sample_weight=weight, merged=True)
        tp, fn, fp, tn = (cell[:size] for cell in one_vs_rest(counts))
    return np.stack([np.stack([tn, fp], axis=-1), np.stack([fn, tp], axis=-1)], axis=-2)


def positive_of(given: Given) -> Any:
    """Return the label that scikit-learn takes for the positive one where it does not ask: the last."""
    labels = np.asarray(given["y_true"])
    return sorted(set(labels.tolist()))[-1] if labels.ndim == 1 and labels.size else 1


def area(given: Given) -> Any:
    settings = {key: given[key] for key in ("average", "sample_weight", "max_fpr", "labels")}
    way = given["multi_class"] if given["multi_class"] != "raise" or np.ndim(given["y_score"]) > 1 else "ovr"
    if is_indicator(given["y_true"]):
        way = "ovr"
    return sm.roc_auc(given["y_true"], given["y_score"], multi_class=way, pos_label=positive_of(given), **settings)


def average_precision(given: Given) -> Any:
    settings = {key: given[key] for key in ("average", "sample_weight", "pos_label")}
    return sm.average_precision(given["y_true"], given["y_score"], **settings)


def curve(function: Callable[..., Any]) -> Callable[[Given], Any]:
    """Return a curve as scikit-learn's function returns it."""

    def call(given: Given) -> Any:
        positive = 1 if given["pos_label"] is None else given["pos_label"]
        weight = given["sample_weight"]
        return tuple(function(given["y_true"], given["y_score"], pos_label=positive, sample_weight=weight))

    return call


def precision_recall(given: Given) -> Any:
    """Return precision and recall with the thresholds rising, and a last point that no example reaches."""
    precision, recall, thresholds = (part[::-1] for part in curve(sm.curves.precision_recall_curve)(given))
    return np.append(precision, 1.0), np.append(recall, 0.0), thresholds


def top_k(given: Given) -> Any:
    settings = {key: given[key] for key in ("k", "labels", "sample_weight")}
    share = sm.top_k_accuracy(given["y_true"], given["y_score"], **settings)
    size = len(given["y_true"]) if given["sample_weight"] is None else np.sum(given["sample_weight"])
    return share if given["normalize"] else share * size


def hamming(given: Given) -> Any:
    return sm.metrics["hamming_loss"](
        given["y_true"], given["y_pred"], average="micro", sample_weight=given["sample_weight"]
    )


F_TEXT = '`sm.metrics["{}"](y_true, y_pred, average=..., labels=..., zero_division=...)`'
EQUIVALENTS: dict[str, Equivalent] = {
    "accuracy_score": Equivalent(
        '`sm.multiclass["accuracy"](y_true, y_pred)`; with `normalize=False` it is '
        "`sm.ConfusionMatrix.of(y_true, y_pred).correct`; of several labels, with each row as a tuple",
        share("accuracy", "correct"),
    ),
    "average_precision_score": Equivalent("`sm.average_precision(y_true, y_score, average=...)`", average_precision),
    "balanced_accuracy_score": Equivalent(
        '`sm.multiclass["balanced_accuracy"](y_true, y_pred)`; with `adjusted=True` it is '
        '`sm.multiclass["adjusted_balanced_accuracy"]`',
        balanced,
    ),
    "class_likelihood_ratios": Equivalent(
        "`sm.class_likelihood_ratios(y_true, y_pred, labels=[negative, positive])`",
        ratios,
    ),
    "cohen_kappa_score": Equivalent(
        '`sm.multiclass["kappa"](y1, y2)`, `sm.multiclass["kappa_linear"]`, `sm.multiclass["kappa_quadratic"]`',
        kappa,
    ),
    "confusion_matrix": Equivalent("`sm.ConfusionMatrix.of(y_true, y_pred).matrix`; divide it by its sums", matrix),
    "det_curve": Equivalent("`sm.det_curve(y_true, y_score)`", curve(sm.det_curve)),
    **{name: Equivalent(F_TEXT.format(key), averaged(sm.metrics[key])) for name, key in F_SCORES.items()},
    "fbeta_score": Equivalent('`sm.metrics["f_beta"].at(beta="1/2")(y_true, y_pred)`', f_beta),
    "hamming_loss": Equivalent('`sm.metrics["hamming_loss"](y_true, y_pred, average="micro")`', hamming),
    "matthews_corrcoef": Equivalent('`sm.multiclass["mcc"](y_true, y_pred)`', correlation),
    "multilabel_confusion_matrix": Equivalent("each class against the rest, inside every average", matrices),
    "precision_recall_fscore_support": Equivalent(
        "`sm.report(y_true, y_pred)`, or `sm.score(y_true, y_pred, [...], average=None)`", precision_recall_f_support
    ),
    "precision_recall_curve": Equivalent(
        "`sm.curves.precision_recall_curve(y_true, y_score)`: thresholds fall, and there is no point (0, 1) at the end",
        precision_recall,
    ),
    "roc_curve": Equivalent("`sm.roc_curve(y_true, y_score)`", curve(sm.roc_curve)),
    "roc_auc_score": Equivalent("`sm.roc_auc(y_true, y_score, multi_class=..., average=..., max_fpr=...)`", area),
    "top_k_accuracy_score": Equivalent("`sm.top_k_accuracy(y_true, y_score, k=...)`", top_k),
    "zero_one_loss": Equivalent(
        '`sm.multiclass["error_rate"](y_true, y_pred)`; with `normalize=False` it is '
        "`sm.ConfusionMatrix.of(y_true, y_pred).errors`",
        share("error_rate", "errors"),
    ),
}
