"""How much of every law a run looks at: a sample by default, all of it under ``pytest --thorough``.

Three things shrink.  A parametrised test marked ``@pytest.mark.sampled(n)`` takes *n* of its cases, and those of
records without certificates, which no build has seen; one that draws at random takes fewer examples, by
:func:`examples`; one that goes through many things in a loop takes some of them, by :func:`some`.  Which ones is always
the same, and differs from test to test, so that all tests together meet every metric and every property.  What has no
smaller form is marked ``@pytest.mark.thorough``, and waits for the whole run.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from inspect import Signature, signature
from random import Random
from typing import Any, Final, TypeVar

__all__ = ["SHARE", "examples", "in_one_test", "is_thorough", "places", "sampled", "set_thorough", "some"]

Case = TypeVar("Case")
SHARE: Final = 16
"""A default run draws one in so many random examples."""
_state = {"thorough": False}


def set_thorough(thorough: bool) -> None:
    """Say what kind of run this is, before the tests are imported."""
    _state["thorough"] = thorough


def is_thorough() -> bool:
    """Say whether this run looks at everything."""
    return _state["thorough"]


def examples(number: int) -> int:
    """Return how many of so many random examples this run draws: all, or one in :data:`SHARE`."""
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


def sampled(cases: Sequence[Mapping[str, object]], number: int, seed: str) -> list[int]:
    """Return the places of a sample of parametrised cases: of so many, and of all that hold a record that is new."""
    from recorded import is_new

    kept = set(places(len(cases), number, seed))
    return sorted(
        kept
        | {
            place
            for place, case in enumerate(cases)
            if any(isinstance(value, Hashable) and is_new(value) for value in case.values())
        }
    )


def some(cases: Iterable[Case], number: int, seed: str = "") -> Sequence[Case]:
    """Return all cases in a thorough run, and otherwise so many that are spread over them."""
    every = list(cases)
    return every if is_thorough() else [every[place] for place in places(len(every), number, seed)]


def in_one_test(test: Callable[..., None]) -> Callable[..., None]:
    """Run all cases of a parametrised test in one, in a loop; what fails says which case it was.

    For hundreds of cases that take a millisecond each: a test of its own costs each of them five.  In a thorough run,
    where a case looks at more, each is a test of its own, with its own limit of time.  Of what is marked
    ``sampled(n)``, the loop goes through *n* cases.
    """
    marks = list(getattr(test, "pytestmark", ()))
    cases: list[dict[str, Any]] = [{}]
    number = None
    for mark in marks:
        if mark.name == "sampled":
            (number,) = mark.args
            continue
        assert mark.name == "parametrize", f"{mark.name} says something of single cases"
        names, values = mark.args
        keys = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
        assert not any(hasattr(row, "marks") for row in values), "pytest.param says something of a single case"
        rows = [dict(zip(keys, row if len(keys) > 1 else (row,), strict=True)) for row in values]
        cases = [case | row for row in rows for case in cases]
    assert cases
    if is_thorough():
        return test
    if number is not None:
        cases = [cases[place] for place in sampled(cases, number, test.__qualname__)]

    def looped(**fixtures: Any) -> None:
        for case in cases:
            try:
                test(**case, **fixtures)
            except BaseException as error:  # an outcome of pytest is no Exception
                error.add_note(f"in the case {case!r}")
                raise

    left = [given for name, given in signature(test).parameters.items() if name not in cases[0]]
    looped.__signature__ = Signature(left)  # type: ignore[attr-defined]
    for name in ("__name__", "__qualname__", "__doc__", "__module__"):
        setattr(looped, name, getattr(test, name))
    return looped
