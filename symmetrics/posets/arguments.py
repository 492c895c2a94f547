"""Arguments that are whole numbers, checked."""

from __future__ import annotations

import operator
from typing import SupportsIndex

from symmetrics.posets.names import shown
from symmetrics.tools.errors import InputError

__all__ = ["as_whole"]


def as_whole(value: object, name: str, least: int) -> int:
    """Return a whole number that is at least so large.

    :raises InputError: if it is none, or smaller

    >>> as_whole(7, "draws", 1)
    7
    >>> as_whole(2.5, "draws", 1)
    Traceback (most recent call last):
    symmetrics.tools.errors.InputError: draws=2.5 is not a whole number of at least 1: pass one
    """
    if isinstance(value, SupportsIndex) and not isinstance(value, bool) and operator.index(value) >= least:
        return operator.index(value)
    raise InputError(f"{name}={shown(value)} is not a whole number of at least {least}: pass one")
