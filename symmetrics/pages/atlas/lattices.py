"""Two Hasse diagrams: which property follows from which, and which properties the metrics of an atlas share."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import networkx as nx

from symmetrics.pages.atlas.gathered import Entry
from symmetrics.posets import poset
from symmetrics.posets.layout import layered
from symmetrics.query.possibilities.theorems import premises_and_conclusions

__all__ = ["Box", "Diagram", "implied", "shared"]

LETTER: Final = 8.2
"""The width of a letter, in the units of a picture."""
LEVEL: Final = 84.0
"""From one level to the next."""
HEIGHT: Final = 28.0
"""Of a box."""


@dataclass(frozen=True)
class Box:
    """A place in a diagram.

    :param name: what stands in it
    :param address: where it leads
    :param told: what it stands for, at length
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
        """How wide it is."""
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

    :param order: pairs of what stands lower and what stands higher
    :param told: of each element its name, where it leads, and what it stands for
    """
    checked = poset(list(order), classes=list(told))
    layout = layered(checked.closure, [len(told[node][0]) + 4.0 for node in checked.nodes])
    places = [(x * LETTER, -y * LEVEL) for x, y in layout.places]
    lines = tuple(" ".join(f"{x * LETTER:.1f},{-y * LEVEL:.1f}" for x, y in line) for line in layout.lines)
    boxes = tuple(Box(*told[node], x, y) for node, (x, y) in zip(checked.nodes, places, strict=True))
    width, top = layout.width * LETTER + 20, (layout.height - 1) * LEVEL + HEIGHT
    return Diagram(boxes, lines, (-width / 2, -top, width, top + HEIGHT))


def implied(properties: Sequence[str], heading: Mapping[str, str]) -> Diagram:
    """Return which property follows from which by a theorem of one premise; what follows stands higher.

    :param properties: the keys of the properties of the atlas; those that nothing is known of are left out
    :param heading: what each is called
    """
    edges = [(p[0], c) for p, c in premises_and_conclusions() if len(p) == 1 and {*p, c} <= {*properties}]
    graph = nx.condensation(nx.DiGraph(edges))
    told: dict[Hashable, tuple[str, str, str]] = {}
    for node, data in graph.nodes(data=True):
        members = sorted(data["members"])
        name = " = ".join(members)
        told[node] = (name, f"properties/{members[0]}.html", "; ".join(heading[key] for key in members))
    return _drawn(graph.edges, told)


def shared(entries: Sequence[Entry], properties: Sequence[str]) -> tuple[Diagram, list[tuple[str, list[Entry]]]]:
    """Return the concepts of metrics and properties (Wille, 1982), and the metrics of each of these concepts.

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
