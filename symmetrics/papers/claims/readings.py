"""Sentences and their charitable readings: two claims, so that the one is never judged in place of the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from symmetrics.papers.claims.records import PaperClaim, Ruling

__all__ = ["READ", "with_reading"]

READ = "_as_read"
"""What the key of a reading ends with."""


def with_reading(claim: PaperClaim, reading: str, judge: Callable[[], Ruling]) -> Iterator[PaperClaim]:
    """Yield a sentence, judged as printed, and a reading of it as a second claim that is named so.

    The sentence holds only as read if it fails as printed and the reading holds; if that fails too, it is refuted.

    :param claim: the sentence, with what judges it as printed
    :param reading: what is read into it, in words
    :param judge: decides the reading

    >>> from symmetrics.papers.claims.computations import by_computation
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
