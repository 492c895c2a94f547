"""A metric beside random guessing."""

from __future__ import annotations

import math
from typing import Any

from symmetrics.language.definition import Definition
from symmetrics.tools.arguments import advising, attached


class ComparedWithGuessing(Definition):
    """The scores of random guessing, which :mod:`symmetrics.decisions.baseline` computes."""

    @advising("pass the numbers of positive and of negative examples, and zero_division by name")
    def baseline(self, positives: int, negatives: int, *, zero_division: float = math.nan) -> Any:
        """Return what random guessing gets: its best and expected scores, and how often it reaches a score.

        A guesser that sees no input labels k of the examples positive at random, so that TP is hypergeometric.
        Parameters have their defaults.

        :param positives: the number of positive examples
        :param negatives: the number of negative examples
        :param zero_division: the value at tables where the metric is undefined; by default they are left out, and the
            others share their probability
        :returns: a :class:`~symmetrics.decisions.baseline.Baseline`, with ``mean(predicted_positive)``, ``best``,
            ``best_constant``, ``p_value(score)``, ``distribution(predicted_positive)`` and ``constant``
        :raises InputError: on numbers that are none, or both 0

        >>> from symmetrics.library import metrics
        >>> guessing = metrics["f1"].baseline(30, 70)
        >>> guessing
        f1 of random guessing, 30 positives and 70 negatives
        best expected 6/13 (0.4615), with 100 predicted positive
        all negative 0, all positive 6/13 (0.4615)
        >>> guessing.mean(50), round(guessing.p_value(0.5, 50), 4)
        (3/8, 0.0243)
        """
        return attached("baseline")(self, positives, negatives, zero_division)
