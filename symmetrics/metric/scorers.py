"""Scorers of scikit-learn: what a metric is called by in cross-validation and in searches."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from symmetrics.tools.errors import InputError

__all__ = ["is_estimator", "scikit_learn_scorer"]


def scikit_learn_scorer(
    score: Callable[..., Any], *, name: str, greater_is_better: bool | None, settings: dict[str, Any]
) -> Any:
    """Return scikit-learn's scorer of a metric: ``scorer(estimator, X, y_true, sample_weight=None)``.

    :param score: the metric, called as ``score(y_true, y_pred, **settings)``
    :param name: that of the metric, for errors
    :param greater_is_better: False negates the value, so that a larger one is better in every search
    :raises InputError: if it is not known which way the metric points, and without scikit-learn
    """
    if greater_is_better is None:
        raise InputError(
            f"whether a larger {name} is better is not decided by any proof; pass greater_is_better=True or "
            "greater_is_better=False to scorer()"
        )
    try:
        from sklearn.metrics import make_scorer
    except ImportError:
        raise InputError("a scorer is scikit-learn's: pip install scikit-learn") from None
    return make_scorer(score, greater_is_better=greater_is_better, **settings)


def is_estimator(value: object) -> bool:
    """Whether scikit-learn has put an estimator where labels belong.

    >>> is_estimator([0, 1])
    False
    """
    return hasattr(value, "fit") and hasattr(value, "predict")
