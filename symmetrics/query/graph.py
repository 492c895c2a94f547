"""The graph of relations between metrics."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cmp_to_key, lru_cache
from pathlib import Path
from typing import Any, Final

import networkx as nx
import numpy as np
from numpy.typing import NDArray
from sympy import Expr

from symmetrics.claims.evidence import Counts
from symmetrics.claims.values import Limit
from symmetrics.claims.verdict import Verdict
from symmetrics.language.condition import condition_text
from symmetrics.language.formula import parse_formula
from symmetrics.library import metrics
from symmetrics.library import metrics as library
from symmetrics.metric import Metric
from symmetrics.prover.engine.samples import Counted, Sampled, order_of, sampled
from symmetrics.query.identification import equation_of
from symmetrics.query.order import LESS_EQUAL, decide_all, is_defined_everywhere, named, order
from symmetrics.query.proving import prove
from symmetrics.query.relations import ORDERED, TOLERANCE, Array, all_related, related, relations, usable, values_at
from symmetrics.tools.errors import InputError, UnsupportedError
from symmetrics.tools.files import check_writable, write_text
from symmetrics.tools.texts import number_of

FAMILIES: Final = {
    "equal": ("equal",),
    "affine": ("equal", "complement_of", "negation_of", "affine"),
    "rank": ("equal", "complement_of", "negation_of", "affine", "rank_equivalent", "rank_reversed"),
}
"""Relations that make two metrics members of a family, by kind of family."""
LIMIT: Final = "limit_of"


class RelationGraph(nx.MultiDiGraph):
    """The graph of proved relations between metrics: a networkx graph that notebooks show as a table.

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
    """Whether a chain of proved relations, through metrics defined everywhere, implies that two rank tables alike."""
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
    """Find pairs of metrics whose values at sample tables suggest a relation closer than an order, and decide each.

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
    """Yield metrics M and L such that L is the limit of M as TN goes to infinity."""
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
    """Return the sets of two or more metrics connected by proved relations, the largest first.

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


# -- The metrics that rank tables most like a given one, and the smallest tables on which they disagree ----------------

# Which metrics are close is counted in floating point; the pair of tables is found and compared in exact arithmetic.


Ranks = NDArray[np.int64]
TABLES: Final = ORDERED
LARGEST: Final = int(sum(TABLES[-1]))
"""Largest number of examples of the tables that are compared."""
_TOTALS: Final = np.array([sum(table) for table in TABLES])
_UNDEFINED: Final = -1


@dataclass(frozen=True)
class Disagreement:
    """Two tables that two metrics rank in opposite order.

    :param tables: the tables
    :param values: of the one metric
    :param others: of the other metric itself, also where its negative was compared
    """

    tables: tuple[Counts, Counts]
    values: tuple[Expr, Expr]
    others: tuple[Expr, Expr]


@dataclass(frozen=True)
class Relative:
    """A metric that ranks tables similarly to another one.

    :param metric: it
    :param opposite: the share of the pairs of tables with the same number of examples that both metrics put in an
        order, and not in the same one; a loss counts as its negative, as does a metric that then disagrees less
    :param distance: that share, and half the share of the pairs that one of the two metrics ties and the other does not
    :param is_reversed: whether its negative was compared
    :param disagreement: the smallest pair that both put in opposite orders; None if there is none up to ``LARGEST``
    """

    metric: Metric
    opposite: float
    distance: float
    is_reversed: bool
    disagreement: Disagreement | None


def relatives_of(
    metric: Metric, count: int = 5, *, without: Iterable[str] = (), known: Iterable[Metric] | None = None
) -> tuple[Relative, ...]:
    """Return the library's metrics with the fewest discordant pairs of tables, the closest first.

    :param metric: a metric all of whose parameters have defaults, at which it is taken
    :param count: how many
    :param without: names of metrics to leave out, such as those that are known to put all tables in the same order
    :param known: the metrics to compare with; by default the library's, at their defaults

    >>> from symmetrics.library import metrics
    >>> found = relatives_of(metrics["f1"], 1, without=("jaccard", "kulczynski_1", "f_beta", "tversky"))
    >>> len(found), found[0].opposite < 0.05
    (1, True)
    """
    mine = _signs(metric.at_defaults())
    if mine is None:
        return ()
    left_out = {metric.name, *without}
    found = []
    for other in metrics.values() if known is None else known:
        if other.name in left_out or any(p.default is None for p in other.parameters):
            continue
        theirs = _signs(other.at_defaults())
        if theirs is None or not (compared := int(np.count_nonzero(mine * theirs))):
            continue
        product = mine * theirs
        against, along = int(np.count_nonzero(product < 0)), int(np.count_nonzero(product > 0))
        is_reversed = along < against
        # A metric that is tied at most pairs is not close to one that orders nearly all of them.
        strangers = int(np.count_nonzero((mine == 0) != (theirs == 0)))
        share = min(against, along) / compared
        found.append((share + strangers / (2 * len(mine)), other.name, share, is_reversed, other))
    nearest = sorted(found, key=lambda entry: entry[:2])[:count]
    return tuple(
        Relative(other, share, distance, is_reversed, smallest_disagreement(metric, other, is_reversed=is_reversed))
        for distance, _, share, is_reversed, other in nearest
    )


@lru_cache(maxsize=1)
def _pairs() -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    first, second = np.triu_indices(len(TABLES), 1)
    same = _TOTALS[first] == _TOTALS[second]
    return first[same], second[same]


@lru_cache(maxsize=512)
def _signs(formula: Expr) -> NDArray[np.int8] | None:
    """Return the signs of a formula's differences over all pairs of tables of equal size; None if all are ties."""
    try:
        values: Array = values_at(formula, TABLES)
    except UnsupportedError:
        return None
    first, second = _pairs()
    before, after = values[first], values[second]
    with np.errstate(invalid="ignore"):
        close = np.abs(before - after) <= TOLERANCE * np.maximum(np.abs(before), np.abs(after))
        signs = np.where(close, 0, np.sign(before - after))
    found = np.nan_to_num(signs).astype(np.int8)
    return found if found.any() else None


# -- exactly -----------------------------------------------------------------------------------------------------------


def smallest_disagreement(first: Metric, second: Metric, *, is_reversed: bool = False) -> Disagreement | None:
    """Return the smallest pair of tables of positive integers that two metrics rank in opposite order.

    Smallest is the pair whose larger table has the fewest examples, then that whose smaller one has, then the first in
    the order of the cells.  Values that 400 bits do not tell apart count as the same.

    :param is_reversed: take the negative of the second metric
    :returns: None if there is none among the tables of at most ``LARGEST`` examples

    >>> from symmetrics.library import metrics
    >>> smallest_disagreement(metrics["accuracy"], metrics["f1"]).tables
    (Counts(tp=1, fn=1, fp=1, tn=2), Counts(tp=2, fn=1, fp=2, tn=1))
    """
    formulas = [sampled(metric.at_defaults()) for metric in (first, second)]
    ranks = [_ranks(formula.formula) for formula in formulas]
    for total in range(4, LARGEST + 1):
        new = np.flatnonzero(total == _TOTALS)
        known = np.flatnonzero(total >= _TOTALS)
        signs = [_compared(each, known, new) for each in ranks]
        wanted = signs[0] * (-signs[1] if is_reversed else signs[1]) < 0
        if wanted.any():
            return _smallest(formulas, known, new, wanted)
    return None


def _compared(ranks: Ranks, known: NDArray[np.intp], new: NDArray[np.intp]) -> Ranks:
    left, right = ranks[known][:, None], ranks[new][None, :]
    return np.where((left == _UNDEFINED) | (right == _UNDEFINED), 0, np.sign(left - right))


def _smallest(
    formulas: Sequence[Sampled], known: NDArray[np.intp], new: NDArray[np.intp], wanted: NDArray[np.bool_]
) -> Disagreement:
    pairs = ((int(known[row]), int(new[column])) for row, column in np.argwhere(wanted))
    _, first, second = min((int(_TOTALS[row]), TABLES[row], TABLES[column]) for row, column in pairs)
    values = [(formula.exact_at(first), formula.exact_at(second)) for formula in formulas]
    return Disagreement((_counts(first), _counts(second)), values[0], values[1])


def _counts(table: Counted) -> Counts:
    return Counts(*(int(cell) for cell in table))


@lru_cache(maxsize=64)
def _ranks(formula: Expr) -> Ranks:
    """Return the rank of every table by a formula's value, equal for equal values."""
    found = sampled(formula)
    ranks = np.full(len(TABLES), _UNDEFINED)
    compare: Callable[[int, int], int] = lambda a, b: order_of(found, TABLES[a], TABLES[b]) or 0  # noqa: E731
    defined = sorted(
        (place for place, table in enumerate(TABLES) if found.at(table) is not None), key=cmp_to_key(compare)
    )
    rank = 0
    for before, place in zip([None, *defined], defined, strict=False):
        rank += before is not None and compare(before, place) != 0
        ranks[place] = rank
    return ranks


# -- Rank correlation of metrics over all tables -----------------------------------------------------------------------


FloatArray = NDArray[np.float64]
STATISTICS: Final = {
    "kendall": "Kendall's τ-b",
    "spearman": "Spearman's ρ",
    "pearson": "Pearson's coefficient",
}
"""Measures of agreement."""


def coefficient(first: FloatArray, second: FloatArray, statistic: str) -> float:
    """Return the rank correlation, or linear correlation, of two metrics over tables; nan if one is constant."""
    from scipy.stats import kendalltau, pearsonr, spearmanr

    both = np.isfinite(first) & np.isfinite(second) if statistic == "pearson" else ~(np.isnan(first) | np.isnan(second))
    x, y = (values[both] if statistic == "pearson" else ranks(values[both]) for values in (first, second))
    if len(x) < 2 or len(set(x.tolist())) < 2 or len(set(y.tolist())) < 2:
        return float("nan")
    functions: dict[str, Any] = {"kendall": kendalltau, "spearman": spearmanr, "pearson": pearsonr}
    return float(functions[statistic](x, y).statistic)


def ranks(values: FloatArray) -> FloatArray:
    """Return the ranks of values, with values that differ by rounding alone tied."""
    order = np.argsort(values)
    rising = values[order]
    with np.errstate(invalid="ignore"):
        apart = np.diff(rising) > 1e-12 * np.maximum(np.abs(rising[1:]), 1e-3)
    apart |= np.isinf(rising[1:]) & (rising[1:] != rising[:-1]) | (
        np.isneginf(rising[:-1]) & (rising[1:] != rising[:-1])
    )
    found = np.empty(len(values))
    found[order] = np.concatenate([[0], np.cumsum(apart)])
    return found
