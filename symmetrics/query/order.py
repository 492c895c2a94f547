"""The pointwise order M <= L over a list of metrics.

Tables refute most pairs.  Of those that are left only the ones that no third metric comes between are proved, because
``a <= b`` and ``b <= c`` prove ``a <= c``: at every table at which a and c are defined, if b is defined everywhere.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import Final

import networkx as nx
import numpy as np
from sympy import Expr

from symmetrics.algebra.convert import Conversion, field_for
from symmetrics.claims import Claim
from symmetrics.claims.evidence import Decision, Evidence, Status, Witness
from symmetrics.claims.verdict import Verdict
from symmetrics.library.selections import as_metrics
from symmetrics.metric import Metric
from symmetrics.prover.acceptance import accepted, accepted_decision
from symmetrics.prover.engine.samples import GENERIC, Counted, Sampled, counts_of, sampled
from symmetrics.prover.engine.witnesses import tables_of_total
from symmetrics.query.relations import TOLERANCE, Array, relate, relations, values_at
from symmetrics.tools.budget import SECONDS, required_seconds
from symmetrics.tools.errors import InputError, UnknownNameError, UnsupportedError
from symmetrics.tools.texts import number_of
from symmetrics.tools.workers import Bar, spread

# -- A pool of tables for refuting many inequalities before any proof --------------------------------------------------


SPREAD: Final = (1, 3, 20, 1000, 10**6)
"""Cells of tables with counts of very different size."""
FRACTIONS: Final = (10, 1000)
"""Numbers by which small tables are also divided, for formulas that depend on the table's total."""
MAX_CERTIFIED: Final = 40
"""Number of suspects per pair that are checked exactly."""


def _tables() -> tuple[Counted, ...]:
    small = [table for total in range(4, 13) for table in tables_of_total(total)]
    spread = [table for table in itertools.product(SPREAD, repeat=4) if len(set(table)) > 1]
    parts = [tuple(Fraction(cell, scale) for cell in table) for scale in FRACTIONS for table in small if sum(table) < 9]
    return tuple(dict.fromkeys([*small, *spread, *GENERIC, *parts]))


class Pool:
    """The values of formulas at many tables, the smallest tables first.

    A table that is a counterexample to one statement is added, and tried on all others.

    :param formulas: the formulas, without parameters
    :raises UnsupportedError: if one of them cannot be evaluated
    """

    def __init__(self, formulas: Sequence[Expr]) -> None:
        self.formulas = tuple(formulas)
        self.samples: tuple[Sampled, ...] = tuple(sampled(formula) for formula in formulas)
        self.tables = _tables()
        self.values: Array = np.stack([values_at(formula, self.tables) for formula in formulas])

    def add(self, table: Counted) -> int:
        """Add a table and return its index."""
        self.tables = (*self.tables, table)
        column = np.stack([values_at(formula, [table]) for formula in self.formulas])
        self.values = np.concatenate([self.values, column], axis=1)
        return len(self.tables) - 1

    def violations(self, first: int, start: int = 0) -> dict[int, Counted]:
        """Return, for each formula that the first one certainly exceeds somewhere, a table where it does.

        :param first: the index of a formula
        :param start: the index of the table to start from
        """
        left, others = self.values[first, start:], self.values[:, start:]
        with np.errstate(invalid="ignore"):
            size = np.maximum(np.abs(left), np.abs(others))
            exceeds = left - others > TOLERANCE * size
        found = {}
        for second in np.flatnonzero(exceeds.any(axis=1)):
            for place in itertools.islice(self._suspects(exceeds[second], left - others[second]), MAX_CERTIFIED):
                table = self.tables[start + place]
                if self.samples[second].is_less(self.samples[first], table):
                    found[int(second)] = table
                    break
        return found

    @staticmethod
    def _suspects(exceeds: Array, gaps: Array) -> Iterator[int]:
        """Yield the first suspects, then those with the largest excess."""
        places = np.flatnonzero(exceeds)
        yield from map(int, places[: MAX_CERTIFIED // 2])
        yield from map(int, places[np.argsort(-gaps[places])][: MAX_CERTIFIED // 2])


# -- Decide many claims, with a progress bar and in several processes --------------------------------------------------


FEWEST: Final = 6
"""Number of claims from which on further processes pay off."""


def decide_all(
    claims: Sequence[Claim],
    *,
    processes: int | None = None,
    progress: bool | None = None,
    label: str = "",
    seconds: float = SECONDS,
) -> list[Decision]:
    """Decide claims and return the decisions in their order.

    :param processes: how many processes decide; by default two where there are two processors
    :param progress: whether to show a progress bar on standard error; by default only on a terminal
    :param seconds: how long each claim may take
    """
    wanted = min(2, os.cpu_count() or 1) if processes is None else processes
    if len(claims) < FEWEST:
        wanted = 1
    decide = partial(accepted_decision, seconds=seconds)
    return list(spread(decide, claims, bar=Bar(label, progress), workers=wanted))


# ----------------------------------------------------------------------------------------------------------------------


Pair = tuple[str, str]
LESS_EQUAL: Final = "less_equal"


@dataclass(frozen=True, repr=False)
class Order:
    """The relation ``M <= L`` over a list of metrics, each at the defaults of its parameters.

    :param metrics: the metrics by name
    :param direct: the verdicts of the pairs that were decided one by one
    :param tables: for every other pair that does not hold, a table at which M exceeds L
    :param via: for every other pair that holds, a metric that comes between
    """

    metrics: Mapping[str, Metric]
    direct: Mapping[Pair, Verdict]
    tables: Mapping[Pair, Counted]
    via: Mapping[Pair, str]

    def status(self, first: str, second: str) -> Status:
        """Return whether ``first <= second`` is proved, refuted or open."""
        pair = self._known(first, second)
        if pair in self.tables:
            return "refuted"
        if pair in self.via or first == second:
            return "proved"
        return self.direct[pair].status

    def verdict(self, first: str, second: str) -> Verdict:
        """Return the verdict on ``first <= second``, with its own evidence."""
        pair = self._known(first, second)
        if pair in self.direct:
            return self.direct[pair]
        if pair in self.tables:
            return accepted(_exceeded(self.metrics[first], self.metrics[second], self.tables[pair]))
        return relate(self.metrics[first], self.metrics[second], LESS_EQUAL)

    def _known(self, first: str, second: str) -> Pair:
        """Look up two names; return their pair."""
        for name in (first, second):
            if name not in self.metrics:
                raise UnknownNameError("metric of the order", name, self.metrics)
        return first, second

    def chain(self, first: str, second: str) -> tuple[str, ...]:
        """Return a chain of metrics from the first to the second, with direct evidence for each pair of neighbours.

        :raises InputError: if ``first <= second`` is not proved
        """
        if self.status(first, second) != "proved":
            raise InputError(f"{first} <= {second} is {self.status(first, second)}: there is no chain between them")
        between = self.via.get((first, second))
        if between is None:
            return (first, second)
        return (*self.chain(first, between), *self.chain(between, second)[1:])

    def pairs(self) -> Iterator[Pair]:
        """Yield all ordered pairs of different metrics."""
        return ((first, second) for first in self.metrics for second in self.metrics if first != second)

    def counts(self) -> dict[str, int]:
        """Return how many pairs are proved, refuted and open."""
        found = dict.fromkeys(("proved", "refuted", "open"), 0)
        for pair in self.pairs():
            found[self.status(*pair)] += 1
        return found

    def graph(self) -> nx.DiGraph:
        """Return all proved pairs as a directed graph, edges from the smaller to the larger metric."""
        graph = nx.DiGraph()
        graph.add_nodes_from(self.metrics)
        for first, second in self.pairs():
            if self.status(first, second) == "proved":
                evidence = {"verdict": self.direct.get((first, second)), "via": self.via.get((first, second))}
                graph.add_edge(first, second, **{key: value for key, value in evidence.items() if value is not None})
        return graph

    def reduction(self) -> nx.DiGraph:
        """Return the Hasse diagram: transitively implied edges removed, equal metrics merged into one node."""
        condensed = nx.condensation(self.graph())
        members = {node: sorted(data["members"]) for node, data in condensed.nodes(data=True)}
        reduced = nx.transitive_reduction(condensed)
        graph = nx.DiGraph()
        for names in members.values():
            graph.add_node(names[0], equal_to=", ".join(names[1:]))
        graph.add_edges_from((members[a][0], members[b][0]) for a, b in reduced.edges)
        return graph

    def __repr__(self) -> str:
        listed = ", ".join(f"{count} {status}" for status, count in self.counts().items())
        return f"<order of {number_of(len(self.metrics), 'metric')}: {listed}>"


def order(
    metrics: Iterable[Metric | Expr | str],
    *,
    processes: int | None = None,
    progress: bool | None = None,
    seconds: float = SECONDS,
) -> Order:
    """Decide ``M <= L`` for all pairs of metrics.

    :param metrics: metrics, expressions over the cells, or names of library metrics
    :param processes: how many processes decide; by default two where there are two processors
    :param progress: whether to show a progress bar; by default only on a terminal
    :param seconds: how long one pair may take; one that takes longer is open
    :raises InputError: if two metrics have one name
    :raises DefinitionError: if a parameter has no default

    >>> found = order(["jaccard", "f1", "fowlkes_mallows"], processes=1)
    >>> found.status("jaccard", "fowlkes_mallows"), found.chain("jaccard", "fowlkes_mallows")
    ('proved', ('jaccard', 'f1', 'fowlkes_mallows'))
    """
    by_name = named(metrics)
    search = _Search(by_name)
    search.run(processes, progress, required_seconds(seconds))
    return Order(by_name, search.direct, search.tables, search.via)


def named(metrics: Iterable[Metric | Expr | str]) -> dict[str, Metric]:
    """Return metrics by name.

    :raises InputError: if two metrics have one name, or there is none
    """
    found: dict[str, Metric] = {}
    for metric in as_metrics(metrics, ()):
        if found.setdefault(metric.name, metric) != metric:
            raise InputError(f"two metrics are called {metric.name!r}; give one of them another name")
    if not found:
        raise InputError("no metric is named; name two or more, as in ['f1', 'mcc']")
    return found


@dataclass
class _Search:
    """The search for proofs: known pairs, and which pairs to decide next."""

    metrics: dict[str, Metric]
    direct: dict[Pair, Verdict] = field(default_factory=dict)
    tables: dict[Pair, Counted] = field(default_factory=dict)
    via: dict[Pair, str] = field(default_factory=dict)

    def run(self, processes: int | None, progress: bool | None, seconds: float) -> None:
        self.names = list(self.metrics)
        formulas = {name: metric.at_defaults() for name, metric in self.metrics.items()}
        self.everywhere = {name for name, formula in formulas.items() if is_defined_everywhere(formula)}
        self.pool = Pool(list(formulas.values()))
        self.refute(0)
        while batch := self.next_batch():
            claims = [relations[LESS_EQUAL].claim(self.metrics[a], self.metrics[b]) for a, b in batch]
            decisions = decide_all(claims, processes=processes, progress=progress, label="order", seconds=seconds)
            start = len(self.pool.tables)
            for (first, second), claim, decision in zip(batch, claims, decisions, strict=True):
                property = f"{LESS_EQUAL}:{second}"
                self.direct[first, second] = Verdict.of(decision, claim, metric=first, property=property)
                if decision.witness is not None:
                    self.pool.add(tuple(_cell(count) for count in decision.witness.tables[0]))
            self.refute(start)
            self.close()

    def refute(self, start: int) -> None:
        """Mark the pairs that are refuted by the tables from an index on."""
        for place, first in enumerate(self.names):
            for second, table in self.pool.violations(place, start).items():
                pair = (first, self.names[second])
                if pair not in self.direct and pair not in self.via and pair[0] != pair[1]:
                    self.tables.setdefault(pair, table)

    def close(self) -> None:
        """Mark all pairs that follow from proved ones by transitivity."""
        for middle in self.names:
            if middle not in self.everywhere:
                continue
            below = [name for name in self.names if self.is_proved(name, middle)]
            above = [name for name in self.names if self.is_proved(middle, name)]
            for first in below:
                for second in above:
                    if first != second and not self.is_proved(first, second):
                        self.via[first, second] = middle
                        self.direct.pop((first, second), None)

    def is_proved(self, first: str, second: str) -> bool:
        pair = (first, second)
        return pair in self.via or (pair in self.direct and self.direct[pair].status == "proved")

    def is_settled(self, first: str, second: str) -> bool:
        return any((first, second) in known for known in (self.direct, self.tables, self.via))

    def next_batch(self) -> list[Pair]:
        """Return the undecided pairs with no metric in between through which they might follow from others."""
        possible = {
            (first, second)
            for first in self.names
            for second in self.names
            if first != second and (self.is_proved(first, second) or not self.is_settled(first, second))
        }
        undecided = [pair for pair in sorted(possible) if not self.is_settled(*pair)]
        # Pairs suspected to be equal are decided first, and do not count as being in between.
        equal = {pair for pair in possible if pair[::-1] in possible}
        first_of_all = [pair for pair in undecided if pair in equal]
        return first_of_all or [pair for pair in undecided if not self.has_middle(pair, possible - equal)] or undecided

    def has_middle(self, pair: Pair, possible: set[Pair]) -> bool:
        first, second = pair
        return any((first, middle) in possible and (middle, second) in possible for middle in self.everywhere)


def is_defined_everywhere(formula: Expr) -> bool:
    """Whether a formula is known to be defined at every positive table, perhaps by continuous extension."""
    algebra = field_for()
    try:
        element = algebra.reduce(Conversion(algebra)(formula))
    except UnsupportedError:
        return False
    return not algebra.conditions and all(algebra.atoms[number].positive for number in element.denominator)


def _cell(count: object) -> int | Fraction:
    return count if isinstance(count, int) else Fraction(str(count))


def _exceeded(first: Metric, second: Metric, table: Counted) -> Verdict:
    """Return the verdict refuted by a table."""
    values = tuple(sampled(metric.at_defaults()).exact_at(table) for metric in (first, second))
    witness = Witness(counts_of((table, table)), values)
    claim = relations[LESS_EQUAL].claim(first, second)
    decision = Decision("refuted", False, Evidence("witness", {"smallest": False}), witness=witness)
    return Verdict.of(decision, claim, metric=first.name, property=f"{LESS_EQUAL}:{second.name}")
