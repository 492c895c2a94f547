"""Intervals beside scores, and the reason wherever there is none."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import asdict
from typing import Any, Final, NamedTuple

from symmetrics.numeric.intervals import Interval, Question
from symmetrics.tools.errors import InputError

__all__ = ["COLUMNS", "Ends", "ends_of", "require_any"]

COLUMNS: Final = ("low", "high", "method")
"""What stands beside a value whose interval is shown."""
_NONE: Final = "no interval: "


class Ends(NamedTuple):
    """The interval of one value.

    :param low: the lower end, nan where there is no interval
    :param high: the upper end
    :param method: how they were found, empty where they were not
    :param note: why there is no interval, or no end of it; else empty
    """

    low: float
    high: float
    method: str
    note: str = ""

    @property
    def is_missing(self) -> bool:
        """Whether there is no interval."""
        return not self.method


def ends_of(asked: Callable[..., Interval], *given: Any, question: Question, **settings: Any) -> Ends:
    """Return the ends of the interval that a function gives for a question, or why it gives none.

    >>> from symmetrics.library import metrics
    >>> ends_of(metrics["recall"].interval, 8, 2, 1, 9, question=Question()).method
    'score'
    >>> ends_of(metrics["mcc"].interval, 8, 2, 1, 9, question=Question(method="exact")).note
    "no interval: method='exact' is for functions of one proportion, and mcc is none; pass method='auto'"
    """
    try:
        found = asked(*given, **asdict(question), **settings)
    except InputError as error:
        return Ends(math.nan, math.nan, "", f"{_NONE}{error}")
    low, high = float(found.low), float(found.high)
    open_ends = [side for side, end in (("lower", low), ("upper", high)) if math.isinf(end)]
    return Ends(low, high, found.method, f"no {' and no '.join(open_ends)} end" if open_ends else "")


def require_any(found: Iterable[Ends]) -> None:
    """Raise if none of some values has an interval: what was asked for then fits none of them.

    :raises InputError: with the reason of the first
    """
    listed = list(found)
    if listed and all(ends.is_missing for ends in listed):
        raise InputError(listed[0].note.removeprefix(_NONE))
