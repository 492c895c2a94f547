"""Many claims decided, with a progress bar and in several processes."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import partial
from typing import Final

from symmetrics.claims import Claim
from symmetrics.claims.verdict import Decision
from symmetrics.prover.acceptance import accepted_decision
from symmetrics.tools.budget import SECONDS
from symmetrics.tools.workers import Bar, spread

__all__ = ["decide_all"]

FEWEST: Final = 6
"""Claims for which further processes are worth starting."""


def decide_all(
    claims: Sequence[Claim],
    *,
    processes: int | None = None,
    progress: bool | None = None,
    label: str = "",
    seconds: float = SECONDS,
) -> list[Decision]:
    """Decide claims and return the decisions in their order.

    :param processes: how many processes decide; by default two where there are two processors
    :param progress: whether to show a progress bar on standard error; by default only on a terminal
    :param seconds: how long each claim may take
    """
    wanted = min(2, os.cpu_count() or 1) if processes is None else processes
    if len(claims) < FEWEST:
        wanted = 1
    decide = partial(accepted_decision, seconds=seconds)
    return list(spread(decide, claims, bar=Bar(label, progress), workers=wanted))
