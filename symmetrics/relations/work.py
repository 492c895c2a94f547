"""Many claims decided, with a progress bar and in several processes."""

from __future__ import annotations

import multiprocessing
import os
import warnings
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Final

from tqdm import tqdm

from symmetrics.claims import Claim
from symmetrics.prover.acceptance import accepted_decision
from symmetrics.verdict import Decision

__all__ = ["decide_all"]

FEWEST: Final = 6
"""Claims for which further processes are worth starting."""


def decide_all(
    claims: Sequence[Claim], *, processes: int | None = None, progress: bool | None = None, label: str = ""
) -> list[Decision]:
    """Decide claims and return the decisions in their order.

    :param processes: how many processes decide; by default two where there are two processors
    :param progress: whether to show a progress bar on standard error; by default only on a terminal
    """
    wanted = min(2, os.cpu_count() or 1) if processes is None else processes
    disable = None if progress is None else not progress
    if wanted < 2 or len(claims) < FEWEST or "fork" not in multiprocessing.get_all_start_methods():
        return list(_bar(map(accepted_decision, claims), len(claims), label, disable))
    with warnings.catch_warnings():
        # A child runs nothing but the prover, which holds no lock of another thread.
        warnings.simplefilter("ignore", DeprecationWarning)
        with ProcessPoolExecutor(wanted, mp_context=multiprocessing.get_context("fork")) as executor:
            return list(_bar(executor.map(accepted_decision, claims), len(claims), label, disable))


def _bar(items: Iterable[Decision], total: int, label: str, disable: bool | None) -> Iterator[Decision]:
    bar: Iterator[Decision] = iter(tqdm(items, total=total, desc=label, disable=disable, leave=False))
    return bar
