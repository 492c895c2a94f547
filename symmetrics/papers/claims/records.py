"""What a paper says, where it says so, and what became of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

from symmetrics.claims.verdict import Verdict

__all__ = ["Correction", "Kind", "Outcome", "PaperClaim", "Ruling", "Trial"]

Kind = Literal["equation", "two forms", "inequality", "limit", "special case", "table cell", "number", "words"]
Outcome = Literal["holds", "refuted", "open", "unreadable"]
Correction = tuple[str, Callable[[], Iterable[Verdict]]]
"""The form that holds instead, in words, and what proves it; it is asked for only if the print is refuted."""


@dataclass(frozen=True)
class Ruling:
    """What became of a claim.

    :param outcome: ``holds``, ``refuted``, ``open``, or ``unreadable`` where the text at hand is garbled
    :param evidence: by what: the certificate's sentence, or the smallest table or computation that refutes it, so that
        a reader with a pocket calculator can follow it
    :param corrected: for a refuted claim the form that holds, and by what it is proved
    """

    outcome: Outcome
    evidence: str
    corrected: str = ""


@dataclass(frozen=True)
class PaperClaim:
    """One checkable statement of a paper.

    :param key: a name of its own, such as ``garcia2012.equation_3``
    :param place: where it stands, such as ``section 2, equation (3)``
    :param kind: what sort of statement it is
    :param printed: the statement, as a formula or in words of our own
    :param judge: decides it, by the general machinery
    """

    key: str
    place: str
    kind: Kind
    printed: str
    judge: Callable[[], Ruling]


@dataclass(frozen=True)
class Trial:
    """All claims of one paper, in its order.

    :param paper: author and year, such as ``garcia2012``
    :param title: authors, year, title
    :param claims: the claims
    """

    paper: str
    title: str
    claims: tuple[PaperClaim, ...]
