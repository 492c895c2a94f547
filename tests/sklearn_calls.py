"""A pytest plugin that records every call with ``labels=`` in scikit-learn's own tests; see test_label_subsets."""

from __future__ import annotations

import functools
import inspect
import os
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import sklearn.metrics
import sklearn.metrics._classification as classification

NAMES = (
    "confusion_matrix",
    "f1_score",
    "fbeta_score",
    "jaccard_score",
    "multilabel_confusion_matrix",
    "precision_recall_fscore_support",
    "precision_score",
    "recall_score",
)
CALLS: list[bytes] = []


def recorded(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    signature = inspect.signature(function)

    @functools.wraps(function)
    def call(*arguments: Any, **settings: Any) -> Any:
        result, refused = None, True
        try:
            result = function(*arguments, **settings)
            refused = False
            return result
        finally:
            bound = signature.bind(*arguments, **settings)
            bound.apply_defaults()
            if bound.arguments.get("labels") is not None:
                CALLS.append(pickle.dumps((name, dict(bound.arguments), result, refused)))

    return call


def pytest_configure() -> None:
    """Put recorders in the place of the functions, before the tests import them."""
    for name in NAMES:
        function = recorded(name, getattr(classification, name))
        setattr(classification, name, function)
        setattr(sklearn.metrics, name, function)


def pytest_unconfigure() -> None:
    """Write the calls, each once."""
    Path(os.environ["SKLEARN_CALLS"]).write_bytes(pickle.dumps(list(dict.fromkeys(CALLS))))
