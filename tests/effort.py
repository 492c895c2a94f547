"""How much of every law a run looks at: a sample by default, all of it under ``pytest --thorough``.

Three things shrink.  A parametrised test marked ``@pytest.mark.sampled(n)`` takes *n* of its cases; one that draws at
random takes fewer examples, by :func:`examples`; one that goes through many things in a loop takes some of them, by
:func:`some`.  Which ones is always the same, and differs from test to test, so that all tests together meet every
metric and every property.  What has no smaller form is marked ``@pytest.mark.thorough``, and waits for the whole run.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from random import Random
from typing import Final, TypeVar

__all__ = ["SHARE", "examples", "is_thorough", "places", "set_thorough", "some"]

Case = TypeVar("Case")
SHARE: Final = 10
"""A default run draws a tenth of the random examples."""
_state = {"thorough": False}


def set_thorough(thorough: bool) -> None:
    """Say what kind of run this is, before the tests are imported."""
    _state["thorough"] = thorough


def is_thorough() -> bool:
    """Say whether this run looks at everything."""
    return _state["thorough"]


def examples(number: int) -> int:
    """Return how many of so many random examples this run draws: all, or a tenth."""
    return number if is_thorough() else math.ceil(number / SHARE)


def places(size: int, number: int, seed: str) -> list[int]:
    """Return so many of the places 0, 1, ..., size - 1: one from each of as many stretches, the same for a seed.

    >>> places(10, 3, "test_example")
    [1, 3, 8]
    >>> places(2, 3, "test_example")
    [0, 1]
    """
    random, number = Random(seed), min(size, number)
    return [random.randrange(k * size // number, (k + 1) * size // number) for k in range(number)]


def some(cases: Iterable[Case], number: int, seed: str = "") -> Sequence[Case]:
    """Return all cases in a thorough run, and otherwise so many that are spread over them."""
    every = list(cases)
    return every if is_thorough() else [every[place] for place in places(len(every), number, seed)]
