"""Work spread over the processors, with a progress bar."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Final, TypeVar

__all__ = ["spread"]

Item = TypeVar("Item")
Result = TypeVar("Result")

FEW: Final = 8
"""Up to so many items are worked on in this process: starting others would take longer."""


def spread(work: Callable[[Item], Result], items: Sequence[Item], *, progress: bool = False) -> Iterator[Result]:
    """Yield the result of the work on each item, in their order; an interruption stops all of it.

    :param work: a function of a module, so that other processes can find it
    :param progress: show a progress bar if standard error is a terminal
    """
    from tqdm import tqdm

    workers = min(os.cpu_count() or 1, len(items))
    with tqdm(total=len(items), disable=None if progress else True, leave=False) as bar:
        if workers <= 1 or len(items) <= FEW:
            for item in items:
                yield work(item)
                bar.update()
            return
        pool = ProcessPoolExecutor(workers)
        try:
            for result in pool.map(work, items):
                yield result
                bar.update()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
