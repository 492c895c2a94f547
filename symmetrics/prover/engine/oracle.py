"""Z3 as the last resort for an inequality, when it was asked for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

from symmetrics.algebra.pieces import Piece, smooth_pieces
from symmetrics.claims import Comparison
from symmetrics.claims.verdict import Decision, Evidence
from symmetrics.prover.engine.smt import Question, is_installed
from symmetrics.tools.errors import InputError, UnsupportedError

__all__ = ["asking_z3", "decide_by_oracle"]

_ENABLED: Final[ContextVar[bool]] = ContextVar("oracle", default=False)


@contextmanager
def asking_z3() -> Iterator[None]:
    """Let Z3 decide what nothing else does, as long as the context lasts.

    :raises InputError: if Z3 is not installed
    """
    if not is_installed():
        raise InputError('Z3 is not installed: pip install "symmetrics[smt]"')
    token = _ENABLED.set(True)
    try:
        yield
    finally:
        _ENABLED.reset(token)


def decide_by_oracle(claim: Comparison) -> Decision | None:
    """Ask Z3 for a counterexample on every piece of a formula; None if it was not to be asked, or does not know."""
    if not _ENABLED.get() or claim.parameters:
        return None
    try:
        answers = [_fails_on(claim, piece) for piece in smooth_pieces(claim.difference, claim.arguments)]
    except UnsupportedError:
        return None
    if not answers or any(answer != "unsat" for answer in answers):
        return None
    return Decision("proved", True, Evidence("z3"))


def _fails_on(claim: Comparison, piece: Piece) -> str:
    question = Question(claim.variables)
    for condition in piece.conditions:
        question.require(condition, ">=")
    question.require(piece.formula, "<=" if claim.sign == ">" else "<")
    return question.answer()
