"""What verdicts a ruling rests on: those that are decided while a claim is judged."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

from symmetrics.claims.verdict import Verdict

__all__ = ["note", "recording"]

_NOTED: Final[ContextVar[list[Verdict] | None]] = ContextVar("noted", default=None)


@contextmanager
def recording() -> Iterator[list[Verdict]]:
    """Yield a list to which all verdicts are added that rulings use until the context ends, each once."""
    noted: list[Verdict] = []
    token = _NOTED.set(noted)
    try:
        yield noted
    finally:
        _NOTED.reset(token)


def note(verdict: Verdict) -> Verdict:
    """Note that a ruling uses a verdict, and return it."""
    noted = _NOTED.get()
    if noted is not None and not any(verdict.claim == other.claim for other in noted):
        noted.append(verdict)
    return verdict
