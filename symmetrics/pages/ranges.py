"""The range of a metric in words: on tables of positive cells, and where cells may be zero."""

from __future__ import annotations

from collections.abc import Sequence

from symmetrics.language.formula import formula_text
from symmetrics.metric import Metric
from symmetrics.pages.numbers import number_text
from symmetrics.query.extremes import End, ends_of

__all__ = ["bound_text", "closed_interval", "open_interval", "range_text"]


def range_text(metric: Metric) -> str | None:
    """Return both ranges of a metric, at the defaults of its parameters; None if it is not proved what they are.

    >>> from symmetrics.library import metrics
    >>> range_text(metrics["mcc"])
    '(-1, 1) on tables of positive cells, [-1, 1] where cells may be zero'
    """
    if any(parameter.default is None for parameter in metric.parameters):
        return None
    bound = metric.at(**{p.name: p.default for p in metric.parameters}) if metric.parameters else metric
    ends = ends_of(bound)
    if len(ends) < 2:
        return None
    inside, outside = open_interval(ends), closed_interval(ends)
    at = ", ".join(f"{symbol} = {value}" for symbol, value in metric.default_values.items())
    return f"{inside} on tables of positive cells, {outside} where cells may be zero" + (f"; at {at}" if at else "")


def open_interval(ends: Sequence[End]) -> str:
    """Return the values on tables of positive cells, as an interval."""
    return _interval(ends, [bool(end.is_reached) for end in ends])


def closed_interval(ends: Sequence[End]) -> str:
    """Return the values on all tables, as an interval; an infinite end is none of them."""
    return _interval(ends, [bool(end.is_reached or (end.on_boundary and end.bound.is_finite)) for end in ends])


def _interval(ends: Sequence[End], reached: Sequence[bool]) -> str:
    lower, upper = ends
    opening, closing = "[" if reached[0] else "(", "]" if reached[1] else ")"
    return f"{opening}{bound_text(lower)}, {bound_text(upper)}{closing}"


def bound_text(end: End) -> str:
    """Return the bound of one end, exactly."""
    return formula_text(end.bound) if end.bound.is_finite else number_text(end.bound)
