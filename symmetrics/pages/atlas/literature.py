"""A paper in the atlas: its claims as texts, with what became of each; who judges them is another room."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from symmetrics.pages.atlas.addresses import address
from symmetrics.pages.atlas.gathered import Entry

__all__ = ["Claim", "Paper"]


@dataclass(frozen=True)
class Claim:
    """One statement of a paper with its ruling.

    :param key: its key, such as ``tan2006.equation_5_76``
    :param unit: the table, figure or section that it stands in
    :param place: where it stands there
    :param printed: what is printed
    :param outcome: ``holds``, ``holds only as``, ``refuted``, ``open`` or ``unreadable``
    :param evidence: by what
    :param corrected: what holds instead; empty if nothing is to be corrected
    :param basis: what the ruling rests on
    :param uncounted: why it is not counted; empty if it is
    :param verdicts: the names of metrics and properties whose verdicts the ruling rests on
    """

    key: str
    unit: str
    place: str
    printed: str
    outcome: str
    evidence: str
    corrected: str = ""
    basis: str = ""
    uncounted: str = ""
    verdicts: tuple[tuple[str, str], ...] = ()

    @property
    def anchor(self) -> str:
        """By which it is linked."""
        return address(self.key.partition(".")[2] or self.key)

    @property
    def is_erratum(self) -> bool:
        """Whether it does not hold as it is printed, and counts."""
        return self.outcome in ("refuted", "holds only as") and not self.uncounted

    def links(self, known: Mapping[str, Entry]) -> Iterator[tuple[Entry, str]]:
        """Yield the metrics of the atlas, with properties, on whose verdicts it rests."""
        for metric, property in dict.fromkeys(self.verdicts):
            if metric in known and property in known[metric].answers:
                yield known[metric], property


@dataclass(frozen=True)
class Paper:
    """All claims of a paper, in its order.

    :param key: its key, such as ``tan2006``
    :param title: authors, year, title
    :param summary: how many claims have which outcome, in words
    :param claims: the claims
    """

    key: str
    title: str
    summary: str
    claims: tuple[Claim, ...]

    @property
    def address(self) -> str:
        """The name of its page, without the ending."""
        return address(self.key)

    @property
    def counted(self) -> tuple[Claim, ...]:
        """The claims that count."""
        return tuple(claim for claim in self.claims if not claim.uncounted)

    @property
    def errata(self) -> tuple[Claim, ...]:
        """What does not hold as it is printed."""
        return tuple(claim for claim in self.claims if claim.is_erratum)

    @property
    def units(self) -> list[tuple[str, list[Claim]]]:
        """The claims by table, figure or section."""
        units: dict[str, list[Claim]] = {}
        for claim in self.claims:
            units.setdefault(claim.unit, []).append(claim)
        return list(units.items())

    def number(self, outcome: str) -> int:
        """Return how many counted claims have an outcome."""
        return sum(claim.outcome == outcome for claim in self.counted)
