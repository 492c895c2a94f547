"""The atlas' graph of relations between metrics, and its Hasse diagrams: layout and lists."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import networkx as nx
import numpy as np
from numpy.typing import NDArray

from symmetrics.claims.theorems.implications import Theorem
from symmetrics.pages.atlas.gathered import Entry
from symmetrics.posets import poset
from symmetrics.posets.diagram import layered
from symmetrics.query.graph import relation_graph
from symmetrics.query.relations import relations

# -- Graph layout: related nodes near each other, labels without overlap -----------------------------------------------


LETTER_OF_GRAPH: Final = 7.6
"""Width of a character of a name."""
HEIGHT_OF_GRAPH: Final = 26.0
"""Height of the box around a name."""
_GAP: Final = 10.0
_APART: Final = 42.0
"""Initial distance of neighbours."""
_ROUNDS: Final = 400
_SHAPE: Final = 2.0
"""Target aspect ratio, width to height."""
_SEED: Final = 0


@dataclass(frozen=True)
class Drawing:
    """A drawn graph.

    :param places: the middle of each name
    :param widths: of the boxes around the names
    :param width: of all
    :param height: of all
    """

    places: Mapping[str, tuple[float, float]]
    widths: Mapping[str, float]
    width: float
    height: float


def drawn(graph: nx.Graph, labels: Mapping[str, str]) -> Drawing:
    """Layout of a graph: connected components in rows, the largest first.

    :param labels: the texts at the nodes
    """
    widths = {node: LETTER_OF_GRAPH * len(labels[node]) + 16 for node in graph}
    parts = [sorted(part) for part in nx.connected_components(graph)]
    placed = [
        (nodes, *_part(graph.subgraph(nodes), nodes, np.array([widths[node] for node in nodes]))) for nodes in parts
    ]
    placed.sort(key=lambda each: (-each[2][1], each[0]))
    widest = max([(_SHAPE * sum(size[0] * size[1] for *_, size in placed)) ** 0.5, *(size[0] for *_, size in placed)])
    places: dict[str, tuple[float, float]] = {}
    left, top, row = 0.0, 0.0, 0.0
    for nodes, found, size in placed:
        if left and left + size[0] > widest:
            left, top, row = 0.0, top + row + 4 * _GAP, 0.0
        places |= {node: (float(left + x), float(top + y)) for node, (x, y) in zip(nodes, found, strict=True)}
        left, row = left + size[0] + 4 * _GAP, max(row, size[1])
    return Drawing(places, widths, widest, top + row)


def _part(
    graph: nx.Graph, nodes: list[str], widths: NDArray[np.float64]
) -> tuple[NDArray[np.float64], tuple[float, float]]:
    """Lay out one component: return positions, shape (nodes, 2), with all boxes in the positive quadrant, and size."""
    start = nx.circular_layout(nodes)
    found = nx.kamada_kawai_layout(graph, pos=start) if len(nodes) > 2 else start
    spread = _APART * len(nodes) ** 0.5
    middle = _apart(np.array([found[node] for node in nodes]) * [_SHAPE * spread, spread], widths)
    half = np.column_stack([widths / 2, np.full(len(nodes), HEIGHT_OF_GRAPH / 2)])
    corner = (middle - half).min(axis=0)
    width, height = (middle + half).max(axis=0) - corner
    return middle - corner, (float(width), float(height))


def _apart(middle: NDArray[np.float64], widths: NDArray[np.float64]) -> NDArray[np.float64]:
    """Separate overlapping boxes along the axis of smaller overlap until none overlap."""
    across = (widths[:, None] + widths[None, :]) / 2 + _GAP
    upright = HEIGHT_OF_GRAPH + _GAP
    found = middle + np.random.default_rng(_SEED).uniform(-1, 1, middle.shape)  # random, so that no two coincide
    for _ in range(_ROUNDS):
        apart = found[:, None, :] - found[None, :, :]
        over = np.stack([across - np.abs(apart[..., 0]), upright - np.abs(apart[..., 1])], axis=-1)
        meets = (over > 0).all(axis=-1) & ~np.eye(len(found), dtype=bool)
        if not meets.any():
            break
        along_x = over[..., 0] < over[..., 1]
        step = np.zeros_like(apart)
        step[..., 0] = np.where(meets & along_x, over[..., 0] * np.sign(apart[..., 0]), 0)
        step[..., 1] = np.where(meets & ~along_x, over[..., 1] * np.sign(apart[..., 1]), 0)
        found = found + step.sum(axis=1) / 2
    return found


# ----------------------------------------------------------------------------------------------------------------------


LONGEST: Final = 26
"""Longest name in the picture, in characters."""
_LIMIT: Final = "limit_of"
_LIMIT_TOLD: Final = "is the limit of {} as the true negatives grow beyond all bounds"
STYLES: Final[Mapping[str, tuple[str, ...]]] = {
    "same": ("equal", "rank_equivalent"),
    "affine": ("affine", "complement_of", "negation_of"),
    "opposite": ("rank_reversed",),
    "exchange": ("transpose_of", "class_exchange_of", "diagonal_exchange_of"),
    "limit": (_LIMIT,),
}
"""Line style of each relation."""
LINE_STYLES: Final[Mapping[str, str]] = {
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
    :param told: the relation of M to L, in words with a slot for L
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
        """The words before and after the name of L."""
        before, _, behind = self.told.partition("{}")
        return before, behind


@dataclass(frozen=True)
class Family:
    """Metrics that relations connect.

    :param members: the metrics
    :param links: the relations between them
    """

    members: tuple[Entry, ...]
    links: tuple[Link, ...]


@dataclass(frozen=True)
class Map:
    """All relations, listed by family and drawn.

    :param families: the largest first
    :param alone: the metrics that are related to none
    :param drawing: positions of the names
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
        """All metrics with a relation."""
        return tuple(entry for family in self.families for entry in family.members)

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Visible area: left, top, width and height."""
        return -20, -20, self.drawing.width + 40, self.drawing.height + 40

    @property
    def labels(self) -> dict[str, str]:
        """Labels at the nodes."""
        return labels_of(self.members)

    @property
    def height(self) -> float:
        """Height of the box around a name."""
        return HEIGHT_OF_GRAPH

    def line(self, link: Link) -> str:
        """Return the points of a relation's line: from the second metric through the midpoint to the first."""
        (x, y), (u, v) = (self.drawing.places[entry.address] for entry in (link.second, link.first))
        return " ".join(f"{a:.1f},{b:.1f}" for a, b in ((x, y), ((x + u) / 2, (y + v) / 2), (u, v)))


def labels_of(entries: Iterable[Entry]) -> dict[str, str]:
    """Return short labels of metrics by address; titles that would be shortened to the same text become keys."""
    every = list(entries)
    often = Counter(_shortened_title(entry) for entry in every)
    return {
        entry.address: short if often[short := _shortened_title(entry)] == 1 else entry.metric.name for entry in every
    }


def _shortened_title(entry: Entry) -> str:
    title = entry.title
    return title if len(title) <= LONGEST else title[: LONGEST - 1].rstrip(" ,:(") + "…"


def map_of(entries: tuple[Entry, ...], *, progress: bool | None = None) -> Map:
    """Return the proved relations between the metrics, at default parameters; metrics without defaults have none.

    The relation of two metrics is listed once, even if it is true both ways.
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


# -- Two Hasse diagrams: implications between properties, and the concept lattice of metrics and properties ------------


LETTER: Final = 8.2
"""Width of a character, in the picture's units."""
LEVEL: Final = 84.0
"""Vertical distance of levels."""
HEIGHT: Final = 28.0
"""Height of a box."""


@dataclass(frozen=True)
class Box:
    """A node of a diagram.

    :param name: its text
    :param address: where it leads
    :param told: its long text
    :param x: its middle
    :param y: its middle
    """

    name: str
    address: str
    told: str
    x: float
    y: float

    @property
    def width(self) -> float:
        """Width of the box."""
        return len(self.name) * LETTER + 18


@dataclass(frozen=True)
class Diagram:
    """A Hasse diagram in the units of a picture."""

    boxes: tuple[Box, ...]
    lines: tuple[str, ...]
    view: tuple[float, float, float, float]
    height: float = HEIGHT


def _drawn(order: Iterable[tuple[Hashable, Hashable]], told: Mapping[Hashable, tuple[str, str, str]]) -> Diagram:
    """Return the diagram of an order.

    :param order: pairs of a lower and a higher element
    :param told: for each element its name, link and long text
    """
    checked = poset(list(order), classes=list(told))
    layout = layered(checked.closure, [len(told[node][0]) + 4.0 for node in checked.nodes])
    places = [(x * LETTER, -y * LEVEL) for x, y in layout.places]
    lines = tuple(" ".join(f"{x * LETTER:.1f},{-y * LEVEL:.1f}" for x, y in line) for line in layout.lines)
    boxes = tuple(Box(*told[node], x, y) for node, (x, y) in zip(checked.nodes, places, strict=True))
    width, top = layout.width * LETTER + 20, (layout.height - 1) * LEVEL + HEIGHT
    return Diagram(boxes, lines, (-width / 2, -top, width, top + HEIGHT))


def implied(theorems: Iterable[Theorem], properties: Sequence[str], heading: Mapping[str, str]) -> Diagram:
    """Return the implications with one premise; consequences are drawn above premises.

    :param properties: the keys of the properties of the atlas; those that nothing is known of are left out
    :param heading: the heading of each
    """
    known = ((theorem.premises, theorem.conclusion) for theorem in theorems)
    edges = [(p[0], c) for p, c in known if len(p) == 1 and {*p, c} <= {*properties}]
    graph = nx.condensation(nx.DiGraph(edges))
    told: dict[Hashable, tuple[str, str, str]] = {}
    for node, data in graph.nodes(data=True):
        members = sorted(data["members"])
        name = " = ".join(members)
        told[node] = (name, f"properties/{members[0]}.html", "; ".join(heading[key] for key in members))
    return _drawn(graph.edges, told)


def shared(entries: Sequence[Entry], properties: Sequence[str]) -> tuple[Diagram, list[tuple[str, list[Entry]]]]:
    """Return the concepts of metrics and properties (Wille, 1982), and each concept's metrics.

    The fewer properties, the higher a box stands; the metrics that have those of a box are at it and below it.

    :param properties: the keys of the properties, each decided of each metric that counts
    """
    of: dict[frozenset[str], list[Entry]] = {}
    for entry in entries:
        if all(entry.answers[key].holds is not None for key in properties):
            profile = frozenset(key for key in properties if entry.answers[key].holds)
            of.setdefault(profile, []).append(entry)
    intents = {*of}
    while new := {a & b for a, b in combinations(intents, 2)} - intents:
        intents |= new
    listed = sorted(intents, key=lambda profile: (-len(profile), sorted(profile)))
    told: dict[Hashable, tuple[str, str, str]] = {}
    for profile in listed:
        name = ", ".join(sorted(profile)) or "none"
        number = len(of.get(profile, ()))
        words = ", ".join(entry.title for entry in of.get(profile, ())) or "no metric has just these"
        told[profile] = (f"{name} ({number})", f"#{_anchor(profile)}", words)
    rows = [(_anchor(profile), of.get(profile, [])) for profile in listed]
    return _drawn([(a, b) for a in listed for b in listed if a > b], told), rows


def _anchor(profile: Iterable[str]) -> str:
    return "-".join(["with", *(sorted(profile) or ["none"])])
