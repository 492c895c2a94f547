"""A scikit-learn scorer that passes on the classes known to its estimator (needs scikit-learn)."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping
from inspect import signature
from typing import Any

from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics._scorer import _Scorer

from symmetrics.data.encoding import MayBeAbsent
from symmetrics.data.gate import admit
from symmetrics.numeric.averaging import NamedClasses
from symmetrics.numeric.classes import is_indicator
from symmetrics.tools.texts import number_of


class ClassScorer(_Scorer):
    """A scorer that uses the estimator's classes, so that a fold that lacks one of them is scored like others.

    It is a class of scikit-learn's own, as that computes predictions once for several scorers of this kind alone.  A
    score without a value is nan, with a warning.
    """

    def _score(self, method_caller: Any, estimator: Any, X: Any, y_true: Any, **kwargs: Any) -> Any:  # noqa: N803
        given = self._kwargs | kwargs
        if "labels" not in given and (labels := self._classes(estimator, y_true, given)) is not None:
            kwargs["labels"] = labels
        value = super()._score(method_caller, estimator, X, y_true, **kwargs)
        if isinstance(value, float) and math.isnan(value):
            warnings.warn(
                f"{self._score_func.name} has no value for a fold of {number_of(len(y_true), 'example')}, whose score "
                "is nan; pass zero_division= to scorer() to set one",
                UndefinedMetricWarning,
                stacklevel=2,
            )
        return value

    def _classes(self, estimator: Any, y_true: Any, given: Mapping[str, Any]) -> MayBeAbsent | None:
        """Return the estimator's classes and any others in the examples; None where they are not needed.

        With a number for *zero_division* they are not: a class that a fold does not have would count as that number.
        """
        known: Any = getattr(estimator, "classes_", None)
        average = given.get("average", signature(self._score_func).parameters["average"].default)
        if getattr(known, "ndim", 0) != 1 or isinstance(average, NamedClasses) or is_indicator(y_true):
            return None
        (occurring, _), *_ = admit({"y_true": y_true}, missing=given.get("missing", "refuse")).codes()
        labels = MayBeAbsent(dict.fromkeys([*known.tolist(), *occurring]))
        is_binary = isinstance(average, str) and average == "binary"
        is_filled = not math.isnan(given.get("zero_division", math.nan))
        return None if (len(labels) != 2 if is_binary else is_filled) else labels
