"""What a paper says, where it says so, and what became of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, Literal

from sympy import Expr, Rational, S

from symmetrics.claims.verdict import Verdict
from symmetrics.language.writer import formula_text
from symmetrics.papers.comparison import Cell

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


# ----------------------------------------------------------------------------------------------------------------------
# Sentences and their charitable readings: two claims, so that the one is never judged in place of the other.


READ = "_as_read"
"""What the key of a reading ends with."""


def with_reading(claim: PaperClaim, reading: str, judge: Callable[[], Ruling]) -> Iterator[PaperClaim]:
    """Yield a sentence, judged as printed, and a reading of it as a second claim that is named so.

    The sentence holds only as read if it fails as printed and the reading holds; if that fails too, it is refuted.

    :param claim: the sentence, with what judges it as printed
    :param reading: what is read into it, in words
    :param judge: decides the reading

    >>> from symmetrics.papers.claims.records import by_computation
    >>> sentence = PaperClaim("a.b", "p. 1", "words", "all do", lambda: by_computation(False, "5 of 7"))
    >>> literal, read = with_reading(sentence, "most do", lambda: by_computation(True, "5 > 7/2"))
    >>> literal.judge().outcome, literal.judge().corrected, read.key
    ('holds only as', 'read as: most do (5 > 7/2)', 'a.b_as_read')
    """

    def both() -> Ruling:
        literal = claim.judge()
        if literal.outcome != "refuted":
            return literal
        read = judge()
        if read.outcome != "holds":
            return literal
        return replace(literal, outcome="holds only as", corrected=f"read as: {reading} ({read.evidence})")

    yield replace(claim, judge=both)
    yield PaperClaim(f"{claim.key}{READ}", claim.place, claim.kind, f"read as: {reading}", judge, claim.key)


# -- Rulings by exact computations: numbers as they are printed, and what follows from them ----------------------------


def by_computation(holds: bool, evidence: str, correction: str = "", *, basis: Basis = "exact computation") -> Ruling:
    """Return the ruling of a computation.

    :param holds: whether what is printed is what was computed, and nothing weaker

    :param evidence: the computation, with the numbers on both sides
    :param correction: for a computation that refutes the print, what holds instead and by what that is known
    :param basis: what the computation is, if it is no exact one
    """
    return Ruling("holds", evidence, "", basis) if holds else Ruling("refuted", evidence, correction, basis)


def by_number(
    ours: object, printed: str, working: str = "", *, decimals: int | None = None, correction: str = ""
) -> Ruling:
    """Return whether an exact value rounds to the printed number; in the middle, to either of both sides.

    :param ours: an exact SymPy number, or what is exactly one; ``nan`` for undefined
    :param printed: the printed text, a number or a word such as "not defined"
    :param working: how the value comes about, such as ``(1 + 5)/2``
    :param decimals: digits after the point that the printed number is rounded to, by default as many as are printed
    :param correction: what holds instead; by default the value rounded to the same digits

    >>> by_number(Rational(5, 3), "1.667", "2*1*5/6").evidence
    '2*1*5/6 = 5/3 = 1.66667, printed 1.667'
    """
    value = S(ours) if not isinstance(ours, Expr) else ours
    cell = Cell("", value, printed, decimals)
    exactly = formula_text(value) if value.is_finite else "undefined"
    decimal = "" if exactly in (cell.shown, printed, working) or len(exactly) > 40 else f" = {exactly}"
    shown = "" if value.is_integer or not value.is_finite else f" = {cell.shown}"
    whole = f" = {exactly}" if not shown and not decimal else ""
    evidence = f"{working}{decimal}{shown}{whole}, printed {printed}".removeprefix(" = ")
    if cell.agrees:
        return Ruling("holds", evidence)
    rounded = f"{float(value):.{cell.digits}f}" if value.is_finite else "undefined"
    return Ruling("refuted", evidence, correction or f"{rounded}, by exact arithmetic")


def rounds_from(printed: str, decimals: int | None = None) -> tuple[Rational, Rational]:
    """Return between which numbers a value lies that was rounded to the printed one, both ends included.

    >>> rounds_from("0.25")
    (49/200, 51/200)
    """
    digits = len(printed.partition(".")[2]) if decimals is None else decimals
    half = Rational(1, 2 * 10**digits)
    return Rational(printed) - half, Rational(printed) + half


def unreadable(reason: str) -> Ruling:
    """Return that the text at hand does not let the claim be read.

    :param reason: what is garbled
    """
    return Ruling("unreadable", reason, basis="nothing")
