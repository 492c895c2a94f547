"""Numbers that are rates or shares, checked."""

from __future__ import annotations

from numbers import Integral, Real

import numpy as np
from numpy.typing import ArrayLike

from symmetrics.numeric.counts import FloatArray, shown
from symmetrics.tools.errors import InputError

__all__ = ["checked_prior", "checked_rate", "checked_shares", "is_whole", "is_within"]


def checked_rate(value: object, name: str, what: str = "a rate") -> float:
    """Return a rate as a float.

    :raises InputError: if it is not a real number from 0 to 1

    >>> checked_rate(1, "tpr")
    1.0
    """
    if isinstance(value, Real) and (is_within(value, 1) or value in (0, 1)):
        return float(value)
    raise InputError(f"{name}={shown(value)} is not {what}; pass a number from 0 to 1")


def checked_shares(values: ArrayLike, name: str, what: str) -> FloatArray:
    """Return shares as an array.

    :param what: of what they are shares, or how one is computed
    :raises InputError: if one is not a number from 0 to 1

    >>> checked_shares([0, 0.5], "c", "c = c1/(c0 + c1)")
    array([0. , 0.5])
    """
    try:
        found = np.asarray(values, dtype=np.float64)
    except (OverflowError, TypeError, ValueError):
        found = np.asarray(np.nan)
    if not bool(((found >= 0) & (found <= 1)).all()):
        raise InputError(f"{name}={shown(values)} is not within [0, 1]; pass shares {what}")
    return found


def checked_prior(prior: float) -> float:
    """Return a share of class 1 as a float.

    :raises InputError: if it is not a real number strictly between 0 and 1, in float64 too

    >>> checked_prior(0.25)
    0.25
    """
    if is_within(prior, 1):
        return float(prior)
    raise InputError(f"prior={shown(prior)} is not strictly between 0 and 1; pass the share of class 1")


def is_within(value: object, upper: float) -> bool:
    """Return whether a value is a real number strictly between 0 and a bound, in float64 too.

    >>> is_within(1, 2), is_within(True, 2), is_within(10**400, float("inf"))
    (True, False, False)
    """
    if isinstance(value, bool) or not isinstance(value, Real):
        return False
    try:
        return 0 < float(value) < upper
    except OverflowError:
        return False


def is_whole(value: object) -> bool:
    """Return whether a value is a whole number, of Python or NumPy, and no truth value.

    >>> is_whole(2), is_whole(2.0), is_whole(True)
    (True, False, False)
    """
    return isinstance(value, Integral) and not isinstance(value, bool)
