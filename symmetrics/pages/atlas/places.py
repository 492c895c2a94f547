"""Where to draw a graph whose nodes are names: related ones near each other, and no name on another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import networkx as nx
import numpy as np
from numpy.typing import NDArray

__all__ = ["Drawing", "drawn"]

LETTER: Final = 7.6
"""The width of a letter of a name."""
HEIGHT: Final = 26.0
"""The height of the box around a name."""
_GAP: Final = 10.0
_APART: Final = 42.0
"""How far apart neighbours are at first."""
_ROUNDS: Final = 400
_SHAPE: Final = 2.0
"""How many times as wide as high the picture is to be."""
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
    """Return where to draw the connected parts of a graph, the largest first, in rows.

    :param labels: what is written at each node
    """
    widths = {node: LETTER * len(labels[node]) + 16 for node in graph}
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
    """Return the places of one part, shape (nodes, 2), with all boxes right of and below the origin, and its size."""
    start = nx.circular_layout(nodes)
    found = nx.kamada_kawai_layout(graph, pos=start) if len(nodes) > 2 else start
    spread = _APART * len(nodes) ** 0.5
    middle = _apart(np.array([found[node] for node in nodes]) * [_SHAPE * spread, spread], widths)
    half = np.column_stack([widths / 2, np.full(len(nodes), HEIGHT / 2)])
    corner = (middle - half).min(axis=0)
    width, height = (middle + half).max(axis=0) - corner
    return middle - corner, (float(width), float(height))


def _apart(middle: NDArray[np.float64], widths: NDArray[np.float64]) -> NDArray[np.float64]:
    """Push boxes that overlap away from each other, along the side on which they overlap less, until none do."""
    across = (widths[:, None] + widths[None, :]) / 2 + _GAP
    upright = HEIGHT + _GAP
    found = middle + np.random.default_rng(_SEED).uniform(-1, 1, middle.shape)  # no two in one place
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
