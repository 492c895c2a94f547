"""Hostile inputs of labels and of scores, drawn by seed, for the comparison with scikit-learn."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import polars as pl
import scipy.sparse

__all__ = ["Question", "questions_of_labels", "questions_of_scores"]

Random = np.random.Generator


class Question(NamedTuple):
    """One call of a function of scikit-learn.

    :param name: the function
    :param given: its arguments by name; those that are left out have their defaults
    """

    name: str
    given: dict[str, Any]


VOCABULARIES: list[list[Any]] = [
    [0, 1], [0, 1], [0, 1, 2, 3, 5], [3, 1, 2], [-1, 1], [-(2**62), 7, 2**62 + 1], [2**63, 2**63 + 1, 0],
    [False, True], [0.0, 1.0, 2.0], [0.5, 1.5, 2.0], [1e300, -1e300, 0.0], [math.inf, 0.0, 1.0], [math.nan, 0.0, 1.0],
    ["cat", "dog", "owl", "ant"], ["no", "yes"], [" a", "a", "A", "é", ""], ["0", "1", "10"], ["NA", "a", "b"],
    ["nan", "x"], ["a", None], [b"x", b"y"], [1, "1?", "a"], [1, "1"], [True, "a"], [(1, 2), (3,), ()], [0, 0.5, 1],
]  # fmt: skip


def _category(values: list[Any], _: Random) -> Any:
    known = list(dict.fromkeys(value for value in values if value is not None and value == value))
    return pd.Series(pd.Categorical(values, categories=[*known, "unused"]))


def _ordered(values: list[Any], random: Random) -> Any:
    known = list(dict.fromkeys(value for value in values if value is not None and value == value))
    return pd.Series(pd.Categorical(values, categories=random.permutation(np.array(known)), ordered=True))


CONTAINERS: list[Callable[[list[Any], Random], Any]] = [
    lambda values, _: values,
    lambda values, _: tuple(values),
    lambda values, _: np.array(values),
    lambda values, _: np.array(values),
    lambda values, _: np.fromiter(values, dtype=object, count=len(values)),
    lambda values, _: np.array(values, dtype=np.int8),
    lambda values, _: np.array(values, dtype=np.float32),
    lambda values, _: pd.Series(values),
    lambda values, _: pd.Series(values, index=range(len(values))[::-1], dtype=object),
    lambda values, _: pd.Series(values).convert_dtypes(),
    lambda values, _: pl.Series(values),
    _category,
    _ordered,
]


def _contained(values: list[Any], random: Random) -> Any:
    """Return values in some container that holds them."""
    try:
        found = CONTAINERS[random.integers(len(CONTAINERS))](values, random)
        if len(found) == len(values) and not np.shape(found)[1:]:
            return found
    except Exception:  # not every container holds everything
        pass
    return values


def _weights(random: Random, size: int) -> Any:
    ways: list[Callable[[], Any]] = [
        lambda: random.integers(0, 4, size),
        lambda: random.integers(0, 2, size).tolist(),
        lambda: random.random(size),
        lambda: random.random(size) * 1e300 / size,
        lambda: random.random(size) * 1e-300,
        lambda: 10.0 ** random.integers(-12, 12, size),
        lambda: (random.integers(0, 3, size) / 2).astype(np.float32),
        lambda: random.integers(1, 5, size) * 2**60,
        lambda: np.zeros(size),
        lambda: random.random(size) - 0.2,
        lambda: np.where(random.random(size) < 0.1, np.nan, 1.0),
        lambda: np.ones(size + 1),
        lambda: pd.Series(random.integers(0, 4, size)),
        lambda: random.random(size) < 0.7,
    ]
    return ways[random.integers(len(ways))]()


def _drawn(random: Random, choices: list[Any], size: int) -> list[Any]:
    return [choices[place] for place in random.integers(len(choices), size=size)]


def _indicator(random: Random, matrix: Any) -> Any:
    ways: list[Callable[[], Any]] = [
        lambda: matrix.tolist(),
        lambda: matrix,
        lambda: matrix.astype(bool),
        lambda: matrix.astype(float),
        lambda: scipy.sparse.csr_matrix(matrix),
        lambda: pd.DataFrame(matrix, columns=list("abcdef")[: matrix.shape[1]]),
    ]
    return ways[random.integers(len(ways))]()


def _labels_of_one_case(random: Random) -> dict[str, Any]:
    size = int(random.integers(1, 40))
    words = VOCABULARIES[random.integers(len(VOCABULARIES))]
    if random.random() < 0.1:
        words = words[:1]
    truth = _drawn(random, words, size)
    predicted = [
        true if random.random() < 0.6 else words[random.integers(len(words))] for true in truth
    ]  # some labels are predicted alone
    other = random.random()
    if other < 0.04:
        predicted = [str(one) for one in predicted]
    elif other < 0.07:
        predicted = random.random(size).tolist()
    elif other < 0.09:
        predicted = predicted[:-1] or predicted
    labels: Any = None
    if random.random() < 0.5:
        ways = [words[::-1], words[: max(1, len(words) - 1)], [*words, "absent"], [words[0], "absent"], [words[0]] * 2]
        labels = [*ways, ["absent"]][random.integers(6)]
    return {
        "y_true": _contained(truth, random),
        "y_pred": _contained(predicted, random),
        "labels": labels,
        "pos_label": [1, words[0], words[-1], "absent"][random.integers(4)],
        "sample_weight": _weights(random, size) if random.random() < 0.5 else None,
    }


def _indicators_of_one_case(random: Random) -> dict[str, Any]:
    size, columns = int(random.integers(1, 20)), int(random.integers(2, 5))
    matrices = [random.integers(0, 2, (size, columns)) for _ in range(2)]
    matrices[0][:, 0] = random.integers(2) if random.random() < 0.3 else matrices[0][:, 0]
    return {
        "y_true": _indicator(random, matrices[0]),
        "y_pred": _indicator(random, matrices[1]),
        "labels": [0, columns - 1] if random.random() < 0.3 else None,
        "pos_label": 1,
        "sample_weight": _weights(random, size) if random.random() < 0.5 else None,
    }


def questions_of_labels(seed: int) -> Iterator[Question]:
    """Yield all questions about one random input of labels."""
    random = np.random.default_rng([seed, 1])
    several = random.random() < 0.15
    case = _indicators_of_one_case(random) if several else _labels_of_one_case(random)
    both = {key: case[key] for key in ("y_true", "y_pred")}
    fill = [0.0, 1.0, np.nan][random.integers(3)]
    for weight in (None,) if case["sample_weight"] is None else (None, case["sample_weight"]):
        plain = {**both, "sample_weight": weight}
        some = {**plain, "labels": case["labels"]}
        for normalize in (True, False):
            yield Question("accuracy_score", {**plain, "normalize": normalize})
            yield Question("zero_one_loss", {**plain, "normalize": normalize})
        yield Question("hamming_loss", plain)
        yield Question("multilabel_confusion_matrix", some)
        for average in ("binary", "micro", "macro", "weighted", None, *(["samples"] if several else [])):
            asked = {**some, "average": average, "pos_label": case["pos_label"], "zero_division": fill}
            for name in ("precision_score", "recall_score", "f1_score"):
                yield Question(name, asked)
            yield Question("jaccard_score", {**asked, "zero_division": 1.0 if fill == 1 else 0.0})  # which takes no nan
            yield Question("fbeta_score", {**asked, "beta": 0.5})
            yield Question("precision_recall_fscore_support", {**asked, "beta": 2.0})
        if several:
            continue
        yield Question("matthews_corrcoef", plain)
        for adjusted in (True, False):
            yield Question("balanced_accuracy_score", {**plain, "adjusted": adjusted})
        for normalize_by in (None, "true", "pred", "all"):
            yield Question("confusion_matrix", {**some, "normalize": normalize_by})
        yield Question("class_likelihood_ratios", some)
        for weights in (None, "linear", "quadratic"):
            raters = {"y1": both["y_true"], "y2": both["y_pred"], "labels": case["labels"], "weights": weights}
            yield Question("cohen_kappa_score", {**raters, "sample_weight": weight})


def _scores(random: Random, shape: tuple[int, ...]) -> Any:
    ways: list[Callable[[], Any]] = [
        lambda: random.random(shape),
        lambda: random.integers(0, 4, shape),
        lambda: random.integers(0, 4, shape) / 3,
        lambda: random.random(shape).astype(np.float32),
        lambda: random.integers(0, 8, shape).astype(np.float16),
        lambda: random.random(shape) * 1e308,
        lambda: random.integers(0, 5, shape) * 5e-324,
        lambda: random.integers(2**53, 2**53 + 6, shape),
        lambda: random.integers(2**60, 2**60 + 2000, shape),
        lambda: random.integers(0, 2, shape).astype(bool),
        lambda: np.where(random.random(shape) < 0.1, np.inf, random.random(shape)),
        lambda: np.where(random.random(shape) < 0.1, np.nan, random.random(shape)),
        lambda: random.integers(0, 3, shape) * 0.0 * random.choice([-1, 1], shape),
        lambda: random.integers(0, 4, shape).astype(str),
        lambda: 1 - random.integers(0, 6, shape) * 1e-17,
    ]
    found = ways[random.integers(len(ways))]()
    containers: list[Callable[[Any], Any]] = [
        lambda values: values,
        lambda values: values.tolist(),
        lambda values: pd.Series(values) if values.ndim == 1 else pd.DataFrame(values),
        lambda values: values.astype(object),
        lambda values: pl.Series(values) if values.ndim == 1 else values,
    ]
    return containers[random.choice(5, p=[0.5, 0.2, 0.1, 0.1, 0.1])](found)


def _of_one_column(random: Random) -> Iterator[Question]:
    size = int(random.integers(1, 40))
    words = [[0, 1], [0, 1], [-1, 1], [False, True], ["no", "yes"], ["a", "b"], [1, 2], [0.0, 1.0], ["NA", "x"]]
    pair = words[random.integers(len(words))]
    pair = pair if random.random() > 0.15 else pair[random.integers(2) :][:1]
    truth, scores = _contained(_drawn(random, pair, size), random), _scores(random, (size,))
    positive = [None, 1, pair[-1], pair[0], "absent"][random.integers(5)]
    weights = (None, _weights(random, size)) if random.random() < 0.6 else (None,)
    for weight in weights:
        given = {"y_true": truth, "y_score": scores, "sample_weight": weight}
        for highest in (None, 0.3, 1.0):
            yield Question("roc_auc_score", {**given, "max_fpr": highest})
        named = {**given, "pos_label": positive}
        yield Question("average_precision_score", {**given, "pos_label": 1 if positive is None else positive})
        for name in ("roc_curve", "precision_recall_curve", "det_curve"):
            yield Question(name, {**named, "drop_intermediate": False})
            yield Question(name, {**given, "drop_intermediate": name == "precision_recall_curve"})


def _of_classes(random: Random) -> Iterator[Question]:
    size, classes = int(random.integers(3, 40)), int(random.integers(2, 5))
    words = [list(range(classes)), list("abcd")[:classes], [f"{place}.5" for place in range(classes)]]
    named = words[random.integers(3)]
    known = named[: int(random.integers(1, classes + 1))] if random.random() < 0.3 else named
    truth, scores = _contained(_drawn(random, known, size), random), _scores(random, (size, classes))
    if random.random() < 0.7:
        with np.errstate(all="ignore"):
            try:
                scores = np.asarray(scores, dtype=np.float64)
                scores = scores / scores.sum(axis=1, keepdims=True)
            except ValueError:  # texts
                pass
    order = [None, named, named[::-1], [*named[:-1], "absent"]][random.choice(4, p=[0.4, 0.4, 0.1, 0.1])]
    for weight in (None, _weights(random, size)) if random.random() < 0.6 else (None,):
        given = {"y_true": truth, "y_score": scores, "sample_weight": weight}
        for way in ("ovr", "ovo"):
            for average in ("macro", "weighted", "micro", None):
                yield Question("roc_auc_score", {**given, "labels": order, "multi_class": way, "average": average})
        for average in ("macro", "weighted", "micro", None):
            yield Question("average_precision_score", {**given, "average": average})
        for k in (1, 2, 3):
            yield Question("top_k_accuracy_score", {**given, "labels": order, "k": k, "normalize": bool(k % 2)})


def _of_indicators(random: Random) -> Iterator[Question]:
    size, columns = int(random.integers(1, 20)), int(random.integers(2, 5))
    matrix, scores = random.integers(0, 2, (size, columns)), _scores(random, (size, columns))
    if random.random() < 0.5:
        matrix[:, random.integers(columns)] = random.integers(2)
    truth = _indicator(random, matrix)
    for weight in (None, _weights(random, size)) if random.random() < 0.6 else (None,):
        given = {"y_true": truth, "y_score": scores, "sample_weight": weight}
        for average in ("macro", "weighted", "micro", "samples", None):
            for highest in (None, 0.5):
                yield Question("roc_auc_score", {**given, "average": average, "max_fpr": highest})
            yield Question("average_precision_score", {**given, "average": average})


def questions_of_scores(seed: int) -> Iterator[Question]:
    """Yield all questions about one random input of scores."""
    random = np.random.default_rng([seed, 2])
    kind = random.random()
    yield from (_of_one_column if kind < 0.55 else _of_classes if kind < 0.8 else _of_indicators)(random)
