"""The predictions that a metric asks for: its decision rule, the best threshold, the best labels."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING, Any

from symmetrics.language.definition import Definition
from symmetrics.tools.arguments import advising, attached

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from symmetrics.tools.arguments import Missing


class AsksForPredictions(Definition):
    """Methods that say which examples to predict positive; the room ``decisions`` answers them."""

    def rule(self) -> Any:
        """Return the decision rule: the threshold on the probability of the positive class, as an expression.

        :returns: a :class:`symmetrics.decisions.rule.DecisionRule`

        >>> from symmetrics.library import metrics
        >>> metrics["f1"].rule().threshold, metrics["f1"].rule().at(8, 2, 2, 8)
        (TP/(FN + FP + 2*TP), 2/5)
        """
        return attached("rule")(self)

    @advising("pass y_true and y_score; a confusion matrix has no scores to cut")
    def best_threshold(
        self,
        y_true: Iterable[Hashable],
        y_score: ArrayLike,
        *,
        pos_label: Hashable = 1,
        sample_weight: ArrayLike | None = None,
        zero_division: float = math.nan,
        missing: Missing = "refuse",
    ) -> Any:
        """Return the threshold on a score with the best value on given examples: ``y_score >= threshold`` is positive.

        Best is the smallest value of a metric that is proved to be a loss, and the greatest of any other.

        :param pos_label, sample_weight, missing: as for :func:`symmetrics.roc_curve`
        :param zero_division: the value where the metric is undefined; by default such thresholds are left out
        :returns: a :class:`symmetrics.decisions.cuts.BestThreshold`: threshold, value, table
        :raises InputError: on examples as for :func:`symmetrics.roc_curve`, and if no threshold has a value

        >>> from symmetrics.library import metrics
        >>> metrics["f1"].best_threshold([0, 1, 1, 0, 1], [0.1, 0.4, 0.8, 0.6, 0.6])
        f1 is best at threshold 0.4: 0.8571, TP, FN, FP, TN = 3, 0, 1, 1
        """
        settings: dict[str, Any] = {"sample_weight": sample_weight, "zero_division": zero_division, "missing": missing}
        return attached("best_threshold")(self, y_true, y_score, pos_label=pos_label, **settings)

    @advising("pass the probability of the positive class for each example")
    def best_predictions(self, probabilities: ArrayLike, zero_division: float = math.nan) -> Any:
        """Return the labels with the best expected value, for independent labels with given probabilities of 1.

        :param probabilities: the probability that each example is positive
        :param zero_division: the value where the metric is undefined; by default such outcomes are left out, and the
            probabilities of the others renormalised
        :returns: a :class:`symmetrics.decisions.predictions.BestPredictions`: labels, value
        :raises InputError: on invalid probabilities, too many of them, an infinite expectation, and a metric for which
            it is not known that the most probable examples are the best positives

        >>> from symmetrics.library import metrics
        >>> metrics["f1"].best_predictions([0.9, 0.2, 0.5], zero_division=0).labels.tolist()
        [1, 0, 1]
        """
        return attached("best_predictions")(self, probabilities, zero_division)
