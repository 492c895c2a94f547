"""The pool of workers: the order of results, how far it reads ahead, its progress bar, and how it ends."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest

from symmetrics.tools import budget
from symmetrics.tools.budget import within
from symmetrics.tools.errors import BudgetError
from symmetrics.tools.workers import AHEAD, Bar, spread

ITEMS = range(20)


def square(number: int) -> int:
    return number**2


def late_first(number: int, seconds: float) -> int:
    """Take longest for the first item."""
    time.sleep(seconds if number == 0 else 0)
    return number


def failing(number: int) -> int:
    if number == 3:
        raise ValueError("three")
    return number


def process_of(_: object) -> int:
    return os.getpid()


def half_a_minute(_: object) -> int:
    time.sleep(30)
    return os.getpid()


@pytest.mark.parametrize("options", [{}, {"workers": 2}, {"workers": 1}, {"workers": 2, "threads": True}])
def test_results_come_in_the_order_of_the_items(options: dict[str, Any]) -> None:
    assert list(spread(square, ITEMS, **options)) == [number**2 for number in ITEMS]
    assert list(spread(square, iter(ITEMS), **options)) == [number**2 for number in ITEMS]
    assert list(spread(square, [], **options)) == []


@pytest.mark.sampled(1)
@pytest.mark.parametrize("threads", [False, True])
def test_results_come_as_soon_as_they_are_there(threads: bool) -> None:
    late = partial(late_first, seconds=0.2 if threads else 2)  # a second process may take a second to start
    found = list(spread(late, range(4), workers=2, ordered=False, threads=threads))
    assert sorted(found) == [0, 1, 2, 3]
    assert found[-1] == 0


def test_a_few_items_and_those_of_one_worker_are_worked_on_in_this_process() -> None:
    here = os.getpid()
    assert set(spread(process_of, range(8))) == {here}
    assert set(spread(process_of, ITEMS, workers=1)) == {here}
    assert here not in set(spread(process_of, ITEMS, workers=2))
    assert set(spread(process_of, ITEMS, workers=2, threads=True)) == {here}


@pytest.mark.parametrize("ordered", [True, False])
def test_a_generator_is_not_read_far_ahead(ordered: bool) -> None:
    taken = []

    def items() -> Iterator[int]:
        for number in range(1000):
            taken.append(number)
            yield number

    results = spread(square, items(), workers=2, ordered=ordered)
    for count in range(1, 10):
        next(results)
        assert len(taken) <= count + 2 * AHEAD
    results.close()  # type: ignore[attr-defined]


@pytest.mark.parametrize("threads", [False, True])
def test_an_error_is_raised_where_its_result_was_due(threads: bool) -> None:
    results = spread(failing, ITEMS, workers=2, threads=threads)
    assert [next(results) for _ in range(3)] == [0, 1, 2]
    with pytest.raises(ValueError, match="three"):
        next(results)


def test_a_budget_ends_the_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget, "_forget", lambda: None)  # nothing is cached here, and later tests need what is
    start = time.monotonic()
    with pytest.raises(BudgetError):
        within(lambda: list(spread(half_a_minute, ITEMS, workers=2)), seconds=0.2)
    assert time.monotonic() - start < 15


@pytest.mark.parametrize("workers", [1, 2])
def test_the_bar_counts_what_was_done(workers: int, capfd: pytest.CaptureFixture[str]) -> None:
    bar = Bar("squares", shown=True, total=190, amount=lambda result: round(result**0.5))
    assert sum(spread(square, ITEMS, bar=bar, workers=workers)) == sum(number**2 for number in ITEMS)
    shown = capfd.readouterr().err
    assert "squares" in shown
    assert "/190" in shown
    list(spread(square, ITEMS, bar=Bar("squares"), workers=workers))
    assert capfd.readouterr().err == ""
