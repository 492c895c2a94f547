"""How sure a value is: intervals for any formula, by the methods of the literature; no metric is a special case."""

from __future__ import annotations

from symmetrics.numeric.intervals.asking import estimated, interval
from symmetrics.numeric.intervals.averages import ClassAverage
from symmetrics.numeric.intervals.result import METHODS, SAMPLINGS, Interval, Question
from symmetrics.numeric.intervals.scales import Formula

__all__ = [
    "METHODS",
    "SAMPLINGS",
    "ClassAverage",
    "Formula",
    "Interval",
    "Question",
    "estimated",
    "interval",
]
