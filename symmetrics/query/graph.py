"""The graph of relations between metrics."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import networkx as nx
from sympy import Expr

from symmetrics.claims.values import Limit
from symmetrics.claims.verdict import Verdict
from symmetrics.language.condition import condition_text
from symmetrics.language.formula import parse_formula
from symmetrics.library import metrics as library
from symmetrics.metric import Metric
from symmetrics.query.fingerprints import all_related, related, usable
from symmetrics.query.identification import equation_of
from symmetrics.query.order import LESS_EQUAL, decide_all, is_defined_everywhere, named, order
from symmetrics.query.proving import prove
from symmetrics.query.relations import relations
from symmetrics.tools.errors import InputError
from symmetrics.tools.files import check_writable, write_text
from symmetrics.tools.words import number_of

FAMILIES: Final = {
    "equal": ("equal",),
    "affine": ("equal", "complement_of", "negation_of", "affine"),
    "rank": ("equal", "complement_of", "negation_of", "affine", "rank_equivalent", "rank_reversed"),
}
"""Which relations make two metrics members of one family."""
LIMIT: Final = "limit_of"


class RelationGraph(nx.MultiDiGraph):
    """A graph of proved relations between metrics, which a notebook shows as a table; else it is one of networkx.

    >>> relation_graph(["f1", "jaccard"], with_order=False, processes=1)
    <RelationGraph: 2 metrics, 1 relation>
    """

    def __repr__(self) -> str:
        return f"<RelationGraph: {number_of(len(self), 'metric')}, {number_of(self.number_of_edges(), 'relation')}>"


def relation_graph(
    metrics: Iterable[Metric | Expr | str] | None = None,
    *,
    with_order: bool = True,
    processes: int | None = None,
    progress: bool | None = None,
) -> RelationGraph:
    """Return the proved relations between metrics, each at the defaults of its parameters.

    An edge from M to L has the relation as its key, and the attributes ``relation``, ``equation`` and ``verdict``.  An
    edge ``less_equal`` that follows from two others has ``via`` instead of a verdict, the metric between.  What could
    not be decided stands in ``graph.graph["open"]``, as triples of M, L and the relation.

    :param metrics: metrics, expressions over the cells, or names of library metrics; by default the whole library
    :param with_order: whether to decide ``less_equal`` too, for all pairs
    :param processes: how many processes decide; by default two where there are two processors
    :param progress: whether to show a progress bar; by default only on a terminal
    :raises InputError: if two metrics have one name
    :raises DefinitionError: if a parameter has no default

    >>> graph = relation_graph(["f1", "jaccard", "bray_curtis"], processes=1)
    >>> graph.edges["f1", "jaccard", "rank_equivalent"]["equation"]
    'M = 2*jaccard/(jaccard + 1)'
    >>> sorted(map(sorted, families(graph, "rank")))
    [['bray_curtis', 'f1', 'jaccard']]
    """
    by_name = named(library.values() if metrics is None else metrics)
    graph = RelationGraph(open=[])
    for name, metric in by_name.items():
        graph.add_node(name, title=metric.title)
    _add(graph, close_relations(by_name, processes, progress))
    _add(graph, _limits(by_name))
    graph.graph["open"] = [triple for triple in graph.graph["open"] if not _follows(graph, by_name, *triple)]
    if with_order:
        found = order(by_name.values(), processes=processes, progress=progress)
        for first, second, data in found.graph().edges(data=True):
            statement = f"M <= {second}"
            graph.add_edge(first, second, LESS_EQUAL, relation=LESS_EQUAL, equation=statement, **data)
        graph.graph["open"] += [(*pair, LESS_EQUAL) for pair in found.pairs() if found.status(*pair) == "open"]
    return graph


def _follows(graph: nx.MultiDiGraph, by_name: dict[str, Metric], first: str, second: str, relation: str) -> bool:
    """Whether proved relations by way of metrics that are defined everywhere say that two order tables alike."""
    if not relation.startswith("rank"):
        return False
    inner = {name for name, metric in by_name.items() if is_defined_everywhere(metric.at_defaults())}
    allowed = graph.subgraph({first, second} | inner)
    together = nx.Graph((a, b) for a, b, key in allowed.edges(keys=True) if key in FAMILIES["rank"])
    return first in together and second in together and nx.has_path(together, first, second)


def _add(graph: nx.MultiDiGraph, found: Iterable[tuple[str, str, str, str, Verdict]]) -> None:
    for first, second, relation, equation, verdict in found:
        if verdict.status == "proved":
            graph.add_edge(first, second, relation, relation=relation, equation=equation, verdict=verdict)
        elif verdict.status == "open":
            graph.graph["open"].append((first, second, relation))


def close_relations(
    by_name: Mapping[str, Metric], processes: int | None = None, progress: bool | None = None
) -> Iterator[tuple[str, str, str, str, Verdict]]:
    """Yield what stands between metrics by their values at some tables, short of an order, with the verdict on it.

    :param by_name: the metrics
    :param processes: how many processes decide; by default two where there are two processors
    :param progress: whether to show a progress bar; by default only on a terminal
    :returns: the names of both metrics, the relation's key, the equation and the verdict
    """
    names = list(by_name)
    formulas = [metric.at_defaults() for metric in by_name.values()]
    pairs = [(names[first], names[second], relation) for first, second, relation in all_related(formulas)]
    claims = [relations[relation].claim(by_name[first], by_name[second]) for first, second, relation in pairs]
    decisions = decide_all(claims, processes=processes, progress=progress, label="relations")
    for (first, second, relation), claim, decision in zip(pairs, claims, decisions, strict=True):
        verdict = Verdict.of(decision, claim, metric=first, property=f"{relation}:{second}")
        yield first, second, relation, equation_of(verdict, relation, second), verdict


def _limits(by_name: dict[str, Metric]) -> Iterator[tuple[str, str, str, str, Verdict]]:
    """Yield the metrics L that are the limit of another one M as TN grows beyond all bounds: L is the limit of M."""
    prints = {name: usable(metric.at_defaults()) for name, metric in by_name.items()}
    for name, metric in by_name.items():
        verdict = prove(metric.at(**{p.name: p.default for p in metric.parameters}), "tn_limit")
        found = verdict.found if verdict.status == "proved" else None
        limit = parse_formula(found.limit) if isinstance(found, Limit) else None
        mine, whole = None if limit is None else usable(limit), prints[name]
        if mine is None or (whole is not None and related(mine, whole) == "equal"):
            continue
        for other, known in prints.items():
            if known is not None and related(known, mine) == "equal" and _is_same(by_name[other], limit):
                yield other, name, LIMIT, f"M = lim {name} as TN -> oo", verdict


def _is_same(metric: Metric, formula: Expr | None) -> bool:
    from symmetrics.query.relations import relate

    return formula is not None and relate(metric, Metric("limit", formula), "equal").status == "proved"


def families(graph: nx.MultiDiGraph, kind: str = "rank") -> list[set[str]]:
    """Return the sets of metrics, of two or more, that proved relations connect; the largest first.

    :param graph: what :func:`relation_graph` returned
    :param kind: ``"equal"``, ``"affine"`` (affine functions of each other) or ``"rank"`` (strictly monotone ones)
    :raises InputError: on another kind
    """
    if kind not in FAMILIES:
        raise InputError(f"unknown kind of family {kind!r}: known are {', '.join(FAMILIES)}")
    together = nx.Graph()
    together.add_edges_from((a, b) for a, b, relation in graph.edges(keys=True) if relation in FAMILIES[kind])
    return sorted(nx.connected_components(together), key=lambda family: (-len(family), min(family)))


def to_json(graph: nx.MultiDiGraph, path: str | Path | None = None) -> str:
    """Return a graph of relations as JSON text, certificates included, and write it if a path is given."""
    edges = []
    for first, second, relation, data in sorted(graph.edges(keys=True, data=True), key=lambda edge: edge[:3]):
        row: dict[str, Any] = {"first": first, "second": second, "relation": relation, "equation": data["equation"]}
        verdict = data.get("verdict")
        row |= {"via": data["via"]} if verdict is None else {"verdict": verdict.certificate()}
        edges.append(row)
    nodes = [{"metric": name, "title": title} for name, title in graph.nodes(data="title")]
    opened = [list(triple) for triple in graph.graph["open"]]
    return _written(json.dumps({"nodes": nodes, "edges": edges, "open": opened}, indent=1, ensure_ascii=False), path)


def to_graphml(graph: nx.MultiDiGraph, path: str | Path | None = None) -> str:
    """Return a graph of relations as GraphML text, every attribute a text, and write it if a path is given."""
    plain = nx.MultiDiGraph()
    for name, title in graph.nodes(data="title"):
        plain.add_node(name, title=title or name)
    for first, second, relation, data in graph.edges(keys=True, data=True):
        verdict = data.get("verdict")
        texts = {"relation": relation, "equation": data["equation"], "via": data.get("via", "")}
        if verdict is not None:
            condition = "" if verdict.condition is None else condition_text(verdict.condition)
            texts |= {"status": verdict.status, "condition": condition, "evidence": verdict.evidence.sentence}
        plain.add_edge(first, second, **{key: text for key, text in texts.items() if text})
    return _written("\n".join(nx.generate_graphml(plain)), path)


def _written(text: str, path: str | Path | None) -> str:
    if path is not None:
        target = Path(path)
        check_writable(target)
        write_text(target, text + "\n")
    return text
