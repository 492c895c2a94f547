"""What a paper says, where it says so, and what became of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from symmetrics.claims.verdict import Verdict

__all__ = ["CONSTANT", "NO_SENTENCE", "Basis", "Correction", "Kind", "Outcome", "PaperClaim", "Ruling", "Trial"]

Kind = Literal["equation", "two forms", "inequality", "limit", "special case", "table cell", "number", "words"]
Outcome = Literal["holds", "holds only as", "refuted", "open", "unreadable"]
Basis = Literal["prover", "exact computation", "certified enclosure", "enumeration", "statistics", "nothing"]
"""What a ruling rests on: verdicts that the checker accepts, exact arithmetic, an interval that certainly holds the
value, all cases there are, a seeded random experiment; nothing, where the text cannot be read."""
Correction = tuple[str, Callable[[], Iterable[Verdict]]]
"""The form that holds instead, in words, and what proves it; it is asked for only if the print is refuted."""


CONSTANT: Final = "a constant of the design beside itself"
"""Why a number that nothing else bears on is not counted."""
NO_SENTENCE: Final = "no sentence of the paper says so"
"""Why what is true of a formula, but not printed, is not counted."""


@dataclass(frozen=True)
class Ruling:
    """What became of a claim.

    :param outcome: ``holds``, ``holds only as`` where the sentence as printed fails and a reading of it holds,
        ``refuted``, ``open``, or ``unreadable`` where the text at hand is garbled
    :param evidence: by what: the certificate's sentence, or the smallest table or computation that refutes it, so that
        a reader with a pocket calculator can follow it
    :param corrected: for a refuted claim the form that holds, and by what it is proved; for one that holds only as
        read, the reading
    :param basis: what it rests on
    """

    outcome: Outcome
    evidence: str
    corrected: str = ""
    basis: Basis = "exact computation"


@dataclass(frozen=True)
class PaperClaim:
    """One checkable statement of a paper.

    :param key: a name of its own, such as ``garcia2012.equation_3``
    :param place: where it stands, such as ``section 2, equation (3)``
    :param kind: what sort of statement it is
    :param printed: the statement, as a formula or in words of our own
    :param judge: decides it, by the general machinery
    :param reading_of: the key of the sentence that this is a charitable reading of, if it is one
    """

    key: str
    place: str
    kind: Kind
    printed: str
    judge: Callable[[], Ruling]
    reading_of: str = ""


@dataclass(frozen=True)
class Trial:
    """All claims of one paper, in its order.

    :param paper: author and year, such as ``garcia2012``
    :param title: authors, year, title
    :param claims: the claims
    :param uncounted: why a claim is judged and shown but not counted, by a pattern of keys without the paper's name, in
        which ``*`` stands for anything
    :param anew: the claims that were ruled otherwise before, with that ruling, by key without the paper's name
    :param recorded: the outcome of every claim that does not hold, by its key
    """

    paper: str
    title: str
    claims: tuple[PaperClaim, ...]
    uncounted: Mapping[str, str] = field(default_factory=dict)
    anew: Mapping[str, str] = field(default_factory=dict)
    recorded: Mapping[str, Outcome] = field(default_factory=dict)
