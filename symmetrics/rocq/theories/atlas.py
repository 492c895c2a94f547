"""Theories of the relations between metrics of the library: what is nowhere larger than what, and what is the same."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from symmetrics.language.formula import formula_text
from symmetrics.library.selections import GARCIA_METRICS
from symmetrics.metric import Metric
from symmetrics.query.graph import close_relations
from symmetrics.query.order import LESS_EQUAL, Order, order
from symmetrics.query.relations import equation_behind
from symmetrics.rocq.theories.relations import Sentence, kept, origin_of, relation_theories
from symmetrics.tools.sources import fingerprint

__all__ = ["ORDERED", "atlas_theories"]

ORDERED: Final = (
    *GARCIA_METRICS,
    *("fpr", "fnr", "f_beta", "weighted_accuracy"),
    *("jaccard", "fowlkes_mallows", "mcc", "harmonic_class_accuracy", "informedness", "markedness"),
)
"""The metrics of the invariance table, the others of Tan et al., and what stands in chains with them."""
ORDER_TITLE: Final = (
    "Which metrics are nowhere larger than which others: the neighbours, from which everything else follows by "
    "transitivity; and by which tables the converse fails.  Parameters are at their defaults."
)
RELATION_TITLE: Final = (
    "Which metrics are the same function, an affine function of one another, the same but for an exchange of cells, "
    "or order all tables alike.  Parameters are at their defaults."
)
DECIDERS: Final = ("symmetrics.query.graph", "symmetrics.query.order")


def atlas_theories(metrics: Mapping[str, Metric], existing: Mapping[str, str]) -> dict[str, str]:
    """Return the theories of relations between metrics, each at the defaults of its parameters.

    :param metrics: the metrics by name
    :param existing: what the files held before, by their names; they are kept if the same code wrote them from the same
        formulas
    :returns: the texts by the names of the files, without ``.v``
    """
    definitions = [f"{name} = {formula_text(metric.at_defaults())}" for name, metric in metrics.items()]
    origin = origin_of(*definitions, *map(fingerprint, DECIDERS))
    found = kept(("order", "relations"), existing, origin)
    if found:
        return found
    ordered = [metrics[name] for name in ORDERED if name in metrics]
    below = list(_order_sentences(order(ordered, progress=False)))
    alike = list(_relation_sentences(metrics))
    return relation_theories("order", ORDER_TITLE, below, origin) | relation_theories(
        "relations", RELATION_TITLE, alike, origin
    )


def _order_sentences(found: Order) -> Iterator[Sentence]:
    for (first, second), verdict in sorted(found.direct.items(), key=lambda item: item[0]):
        if verdict.status == "open":
            continue
        yield Sentence(f"{first}_{LESS_EQUAL}_{second}", verdict, (first, second))
        if verdict.status == "proved" and found.status(second, first) == "refuted":
            converse = found.verdict(second, first)
            yield Sentence(f"{second}_{LESS_EQUAL}_{first}", converse, (second, first))


def _relation_sentences(metrics: Mapping[str, Metric]) -> Iterator[Sentence]:
    for first, second, relation, equation, verdict in close_relations(metrics, progress=False):
        if verdict.status != "open":
            comment = equation.replace("M", first, 1) if verdict.status == "proved" else ""
            yield Sentence(f"{first}_{relation}_{second}", equation_behind(verdict), (first, second), comment)
