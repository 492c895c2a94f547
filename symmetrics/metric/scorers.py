"""scikit-learn scorers of metrics, for cross-validation and searches."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from inspect import signature
from typing import Any, Final, NoReturn

from symmetrics.tools.errors import InputError

CALLED: Final = {
    "positive": "pass pos_label",
    "weight": "pass sample_weight",
    "weights": "pass sample_weight, one weight per example, or average, one per class",
}
"""Names of settings in other libraries, scikit-learn included, with the name used here."""


def set_before(metric: Any, name: str) -> str | None:
    """Return advice for a formula parameter passed as a call setting; None if the metric has no such parameter."""
    if name not in {parameter.name for parameter in metric.parameters}:
        return None
    return f"it is a parameter of the formula, which is set before: metric.at({name}=...)(y_true, y_pred)"


class ScoresEstimators:
    """Attributes that scikit-learn expects of a function or a scorer."""

    name: str

    @property
    def __name__(self) -> str:
        """The name; scikit-learn expects one of functions."""
        return self.name

    @abstractmethod
    def scorer(self, **settings: Any) -> Any:
        """Return the scorer of the metric."""

    @property
    def _score_func(self) -> NoReturn:
        """The attribute of scorers that scikit-learn reads where thresholds are varied."""
        raise AttributeError(f"{self.name} is a metric and no scorer, which is needed here; pass {self.name}.scorer()")

    def _scored(self, first: Any, second: Any, rest: tuple[Any, ...], sample_weight: Any, example: str) -> float | None:
        """Return the score if a metric is called like a scikit-learn scorer, with estimator, examples and labels.

        :param rest: the arguments after the first two
        :param example: a setting that a metric takes by name, for the error
        :returns: None for a call with true and predicted labels
        :raises InputError: on further arguments in a call with labels
        """
        if len(rest) == 1 and hasattr(first, "fit") and hasattr(first, "predict"):
            given = {} if sample_weight is None else {"sample_weight": sample_weight}
            value: float = self.scorer()(first, second, *rest, **given)
            return value
        if rest:
            raise InputError(f"{self.name} takes y_true and y_pred; pass settings by name, as in {example}")
        return None


def scikit_learn_scorer(
    score: Callable[..., Any], *, name: str, greater_is_better: bool | None, settings: dict[str, Any]
) -> Any:
    """Return scikit-learn's scorer of a metric: ``scorer(estimator, X, y_true, sample_weight=None)``.

    It takes the classes from the estimator, if that has ``classes_`` and no *labels* are set.

    :param score: the metric, called as ``score(y_true, y_pred, **settings)``
    :param name: the name of the metric in error messages
    :param greater_is_better: False negates the value, so that a larger one is better in every search
    :raises InputError: if it is not known which way the metric points, and without scikit-learn
    """
    if greater_is_better is not None:
        require_direction(greater_is_better)
    if greater_is_better is None:
        raise InputError(
            f"whether a larger {name} is better is not decided by any proof; pass greater_is_better=True or "
            "greater_is_better=False to scorer()"
        )
    try:
        from sklearn.metrics import make_scorer

        from symmetrics.metric.class_scorer import ClassScorer
    except ImportError:
        raise InputError("a scorer is scikit-learn's: pip install scikit-learn") from None
    known = [
        entry
        for called in (score, make_scorer)
        for entry, one in signature(called).parameters.items()
        if one.kind is one.KEYWORD_ONLY and entry != "greater_is_better"
    ]
    if unknown := [entry for entry in settings if entry not in known]:
        raise InputError(f"{name} has no setting {unknown[0]!r}; they are {', '.join(known)}")
    if settings.get("average", "binary") != "binary" and "pos_label" in known:
        settings = {"pos_label": None} | settings  # otherwise scikit-learn expects its default, 1, among the labels
    made = make_scorer(score, greater_is_better=greater_is_better, **settings)
    return ClassScorer(made._score_func, made._sign, made._kwargs, made._response_method)


def require_direction(better: object) -> None:
    """Refuse a value that does not say whether larger is better.

    :raises InputError: unless it is True or False
    """
    import numpy as np

    from symmetrics.data.counts import shown

    if not isinstance(better, bool | np.bool_):
        raise InputError(f"greater_is_better={shown(better)} is neither True nor False; pass False for losses")
