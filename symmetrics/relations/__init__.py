"""Relations between metrics: which are the same, which order tables alike, which are nowhere larger than which."""

from symmetrics.relations.graph import families, relation_graph, to_graphml, to_json
from symmetrics.relations.identification import Identification, Match, identify
from symmetrics.relations.orders import Order, order
from symmetrics.relations.records import Relation, check_relation, relate, relations
from symmetrics.relations.search import find

__all__ = [
    "Identification",
    "Match",
    "Order",
    "Relation",
    "check_relation",
    "families",
    "find",
    "identify",
    "order",
    "relate",
    "relation_graph",
    "relations",
    "to_graphml",
    "to_json",
]
