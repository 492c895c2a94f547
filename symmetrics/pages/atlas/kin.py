"""The graph of relations between metrics as the atlas draws and lists it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

import networkx as nx

from symmetrics.pages.atlas.gathered import Entry
from symmetrics.pages.atlas.places import HEIGHT, Drawing, drawn
from symmetrics.query.graph import relation_graph
from symmetrics.query.relations import relations

__all__ = ["STYLES", "STYLES_TOLD", "Family", "Link", "Map", "map_of"]

LONGEST: Final = 26
"""Letters of a name in the picture."""
_LIMIT: Final = "limit_of"
_LIMIT_TOLD: Final = "is the limit of {} as the true negatives grow beyond all bounds"
STYLES: Final[Mapping[str, tuple[str, ...]]] = {
    "same": ("equal", "rank_equivalent"),
    "affine": ("affine", "complement_of", "negation_of"),
    "opposite": ("rank_reversed",),
    "exchange": ("transpose_of", "class_exchange_of", "diagonal_exchange_of"),
    "limit": (_LIMIT,),
}
"""How a line looks, by the relation that it stands for."""
STYLES_TOLD: Final[Mapping[str, str]] = {
    "same": "the same function, or the same order of all tables",
    "affine": "a number times the other, plus a number",
    "opposite": "the opposite order of all tables",
    "exchange": "the other with cells exchanged",
    "limit": "the limit for many true negatives: the arrow points to it",
}


@dataclass(frozen=True)
class Link:
    """One relation between two metrics.

    :param first: the one, M
    :param second: the other, L
    :param style: a key of :data:`STYLES`
    :param told: what M is to L, in words with a place for L
    :param equation: the relation as a formula
    :param evidence: the sentence of the certificate
    """

    first: Entry
    second: Entry
    style: str
    told: str
    equation: str
    evidence: str

    @property
    def words(self) -> tuple[str, str]:
        """What stands before the name of L, and behind it."""
        before, _, behind = self.told.partition("{}")
        return before, behind


@dataclass(frozen=True)
class Family:
    """Metrics that relations connect.

    :param members: the metrics
    :param links: what connects them
    """

    members: tuple[Entry, ...]
    links: tuple[Link, ...]


@dataclass(frozen=True)
class Map:
    """All relations, listed by family and drawn.

    :param families: the largest first
    :param alone: the metrics that are related to none
    :param drawing: where each name stands
    """

    families: tuple[Family, ...]
    alone: tuple[Entry, ...]
    drawing: Drawing

    @property
    def links(self) -> tuple[Link, ...]:
        """All relations."""
        return tuple(link for family in self.families for link in family.links)

    @property
    def members(self) -> tuple[Entry, ...]:
        """All metrics that have a relation."""
        return tuple(entry for family in self.families for entry in family.members)

    @property
    def box(self) -> tuple[float, float, float, float]:
        """What the picture shows: left, top, width and height."""
        return -20, -20, self.drawing.width + 40, self.drawing.height + 40

    @property
    def labels(self) -> dict[str, str]:
        """What is written at each name's place."""
        return labels_of(self.members)

    @property
    def height(self) -> float:
        """Of the box around a name."""
        return HEIGHT

    def line(self, link: Link) -> str:
        """Return the points of the line of a relation: from the second metric by the middle to the first."""
        (x, y), (u, v) = (self.drawing.places[entry.address] for entry in (link.second, link.first))
        return " ".join(f"{a:.1f},{b:.1f}" for a, b in ((x, y), ((x + u) / 2, (y + v) / 2), (u, v)))


def labels_of(entries: Iterable[Entry]) -> dict[str, str]:
    """Return the names of metrics for small boxes, by address: titles that would be shortened to the same are keys."""
    every = list(entries)
    often = Counter(_shortened_title(entry) for entry in every)
    return {
        entry.address: short if often[short := _shortened_title(entry)] == 1 else entry.metric.name for entry in every
    }


def _shortened_title(entry: Entry) -> str:
    title = entry.title
    return title if len(title) <= LONGEST else title[: LONGEST - 1].rstrip(" ,:(") + "…"


def map_of(entries: tuple[Entry, ...], *, progress: bool | None = None) -> Map:
    """Return the proved relations between the metrics, at the defaults of parameters; those without defaults have none.

    What two metrics are to each other stands once, though it may be true both ways.
    """
    able = {e.metric.name: e for e in entries if all(p.default is not None for p in e.metric.parameters)}
    graph = relation_graph([entry.metric for entry in able.values()], with_order=False, progress=progress)
    by_pair: dict[tuple[frozenset[str], str], Link] = {}
    for first, second, relation, data in sorted(graph.edges(keys=True, data=True), key=lambda edge: edge[:3]):
        link = Link(
            able[first],
            able[second],
            next(style for style, keys in STYLES.items() if relation in keys),
            _LIMIT_TOLD if relation == _LIMIT else relations[relation].yes,
            data["equation"],
            data["verdict"].evidence.sentence,
        )
        by_pair.setdefault((frozenset((first, second)), relation), link)
    together = nx.Graph((link.first.metric.name, link.second.metric.name) for link in by_pair.values())
    parts = sorted(nx.connected_components(together), key=lambda part: (-len(part), min(part)))
    families = tuple(
        Family(
            tuple(entry for entry in entries if entry.metric.name in part),
            tuple(link for link in by_pair.values() if link.first.metric.name in part),
        )
        for part in parts
    )
    alone = tuple(entry for entry in entries if entry.metric.name not in together)
    addresses = nx.relabel_nodes(together, {name: able[name].address for name in together})
    return Map(families, alone, drawn(addresses, labels_of(able[name] for name in together)))
