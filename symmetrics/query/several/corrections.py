"""Many tests at once: p-values that are adjusted for how many there are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from symmetrics.numeric.counts import FloatArray, shown
from symmetrics.tools.errors import InputError

__all__ = ["CORRECTIONS", "adjusted", "require_correction"]

CORRECTIONS: Final = {
    "holm": "Holm's step-down procedure (Holm 1979)",
    "bonferroni": "Bonferroni's",
    "none": "no correction",
}
"""The corrections by name, each in words."""


def require_correction(correction: object) -> None:
    """Refuse a correction that is none.

    :raises InputError: naming those that there are
    """
    if not isinstance(correction, str) or correction not in CORRECTIONS:
        raise InputError(f"correction={shown(correction)} is unknown; pass one of {', '.join(CORRECTIONS)}")


def adjusted(p_values: Sequence[float], correction: str) -> FloatArray:
    """Return p-values such that rejecting those below a level errs anywhere with no more than that probability.

    :param p_values: one for each hypothesis; nan for one that could not be tested, which stays nan and still counts
    :param correction: a key of :data:`CORRECTIONS`

    >>> adjusted([0.01, 0.04, 0.03], "holm").tolist()
    [0.03, 0.06, 0.06]
    """
    given = np.asarray(p_values, dtype=np.float64)
    if correction == "none":
        return given
    if correction == "bonferroni":
        return np.minimum(given * len(given), 1.0)
    order = np.argsort(given)  # nan comes last
    stepped = np.maximum.accumulate(given[order] * np.arange(len(given), 0, -1))
    found = np.empty_like(given)
    found[order] = np.minimum(stepped, 1.0)
    return found
