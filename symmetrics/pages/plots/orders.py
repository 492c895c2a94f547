"""The order of metrics, which are nowhere larger than which others, as a Hasse diagram."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

from symmetrics.posets import Poset, draw_hasse, poset
from symmetrics.query.order import Order

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["hasse"]


def hasse(order: Order | Poset | Any, ax: Axes | None = None) -> Axes:
    """Draw the Hasse diagram of an order: what is larger lies higher, and a line leads from each to those it covers.

    Metrics that are proved equal stand in one box.  A line is a proof; where none leads, the order is refuted or open.

    :param order: what :func:`symmetrics.order` returns, or a partial order as :func:`symmetrics.posets.poset` takes it
    :returns: the axes
    :raises InputError: if matplotlib is not installed, or the names do not fit the axes

    >>> from symmetrics.query.order import order
    >>> drawn = hasse(order(["jaccard", "f1", "fowlkes_mallows"], processes=1))
    >>> sorted(text.get_text() for text in drawn.texts)
    ['f1', 'fowlkes_mallows', 'jaccard']
    """
    return draw_hasse(_of_metrics(order) if isinstance(order, Order) else order, ax)


def _of_metrics(order: Order) -> Poset:
    reduced = order.reduction()
    equal: dict[Hashable, str] = dict(reduced.nodes(data="equal_to"))
    label = {node: f"{node} = {others.replace(', ', ' = ')}" if others else str(node) for node, others in equal.items()}
    return poset([(label[a], label[b]) for a, b in reduced.edges], classes=list(label.values()))
