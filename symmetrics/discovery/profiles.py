"""Every combination of given properties: a metric with exactly these, or a theorem that excludes it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import zip_longest
from typing import Final

import networkx as nx
import numpy as np
from numpy.typing import NDArray
from sympy import Expr, Integer
from tqdm import tqdm

from symmetrics.claims.property import Property
from symmetrics.claims.theorems.implications import CONSTANT, IMPOSSIBLE, Theorem
from symmetrics.claims.theorems.laws import Law
from symmetrics.discovery.formulas import MEGABYTES, Guess, is_defined, small_formulas
from symmetrics.discovery.synthesis import SCREENED, excluded_by, guesses, keys_of, named
from symmetrics.discovery.theorems import laws, premises_and_conclusions
from symmetrics.language.cells import CELLS, FN, FP, NPV, ON, OP, PPV, TN, TNR, TP, TPR, N, P, n
from symmetrics.library.selections import GARCIA_METRICS, GARCIA_PROPERTIES, as_metric, as_metrics
from symmetrics.metric import Metric
from symmetrics.query.proving import as_properties, prove
from symmetrics.tools.budget import within
from symmetrics.tools.errors import BudgetError, InputError
from symmetrics.tools.texts import number_of

# ----------------------------------------------------------------------------------------------------------------------
# -- Combine pairs of small formulas with given invariances: reaches combinations that four leaves do not --------------


MOST: Final = 200
"""Number of formulas that are combined with each other."""
DETERMINANT: Final = TP * TN - FN * FP
ZERO_AT_INDEPENDENCE: Final = tuple(
    DETERMINANT / divisor for divisor in (1, P * N, OP * ON, n**2, FN * FP, TP * TN, P * OP, N * ON, P * N * OP * ON)
)
"""Formulas that are constant on independence; so are their products."""
EXCHANGES: Final = {"transpose": (TP, FP, FN, TN), "p1": (TN, FP, FN, TP)}
"""Operations that symmetrise over both tables."""


def pairs(laws: Mapping[str, Sequence[Law]], invariances: Iterable[str], known: Sequence[Guess]) -> Iterator[Guess]:
    """Yield sums, differences, products and quotients of two formulas, made to have some invariances.

    :param laws: the laws of each property of the profiles
    :param invariances: the keys of what they are to have; each profile says what they may have
    :param known: small formulas, with what they may have
    """
    yield from small_formulas(laws, 2, (*_leaves({*invariances}, known), Integer(1)))


def _leaves(invariances: set[str], known: Sequence[Guess]) -> list[Expr]:
    exchanges = [key for key in EXCHANGES if key in invariances]
    needed = invariances - {"independence_value", *exchanges}
    formulas = _few_of_each(guess for guess in known if needed <= guess.profile)
    for key in exchanges:
        exchange = dict(zip(CELLS, EXCHANGES[key], strict=True))
        images = ((formula, formula.xreplace(exchange)) for formula in formulas)
        formulas = [one if one == other else one + other for one, other in images]
    if "independence_value" in invariances:
        few = [Integer(1), *formulas[: MOST // 4]]
        formulas = [zero * formula for zero in ZERO_AT_INDEPENDENCE for formula in few]
    return list(dict.fromkeys(formulas))[:MOST]


def _few_of_each(guesses: Iterable[Guess]) -> list[Expr]:
    """Return a limited number of formulas per profile: first one of each, simplest first, then a second of each."""
    of_each: dict[frozenset[str], list[Expr]] = {}
    for guess in guesses:
        of_each.setdefault(guess.profile, []).append(guess.formula)
    found: list[Expr] = []
    for together in zip_longest(*of_each.values()):
        listed = [formula for formula in together if formula is not None]
        found += sorted(listed, key=lambda formula: (formula.count_ops(), str(formula)))
    return found[:MOST]


# ----------------------------------------------------------------------------------------------------------------------


MOST_PROPERTIES: Final = 20
EACH: Final = 2.0
"""Time limit in seconds for proving one property of one formula."""
LEAVES_OF_PARTS: Final = 3
RATES_OF: Final = tuple(
    (one, other, one / 2, other / 2, other / 3, one + other - 1) for one, other in ((TPR, TNR), (PPV, NPV))
)
"""Row and column rates: the minimum of two increases where both do, but not with each of them."""
Profile = frozenset[str]


class Excluded(Mapping[Profile, tuple[Theorem, ...]]):
    """Combinations of properties that only constants have, with the theorems, combined on demand.

    >>> excluded = Excluded(("p1", "p2", "p4"))
    >>> len(excluded), [str(theorem) for theorem in excluded[frozenset({"p1", "p2"})]]
    (2, ['a metric with p1 and p2 has p4'])
    """

    def __init__(self, keys: Sequence[str]) -> None:
        self.keys_asked = tuple(keys)
        self._is_excluded = _not_closed(self.keys_asked)

    def _profile(self, bits: int) -> Profile:
        return frozenset(key for place, key in enumerate(self.keys_asked) if bits >> place & 1)

    def __getitem__(self, profile: Profile) -> tuple[Theorem, ...]:
        if not profile <= {*self.keys_asked}:
            raise KeyError(profile)
        if theorems := excluded_by(sorted(profile), {*self.keys_asked} - profile):
            return theorems
        raise KeyError(profile)

    def __iter__(self) -> Iterator[Profile]:
        return map(self._profile, np.flatnonzero(self._is_excluded).tolist())

    def __len__(self) -> int:
        return int(np.count_nonzero(self._is_excluded))

    def others(self) -> list[Profile]:
        """Return the combinations that no theorem excludes."""
        return [self._profile(bits) for bits in np.flatnonzero(~self._is_excluded).tolist()]


def _not_closed(keys: Sequence[str]) -> NDArray[np.bool_]:
    """Mark the combinations of properties that imply a further property, by all known theorems."""
    combinations = np.arange(1 << len(keys))
    given = {key: np.packbits((combinations >> place & 1).astype(np.bool_)) for place, key in enumerate(keys)}
    every = np.packbits(np.ones(len(combinations), dtype=np.bool_))
    # For each property, the combinations that contain or imply it; CONSTANT and IMPOSSIBLE are treated as properties.
    follows = defaultdict(lambda: np.zeros_like(every), {key: bits.copy() for key, bits in given.items()})
    is_new = True
    while is_new:
        is_new = False
        for premises, conclusion in premises_and_conclusions():
            new = np.bitwise_and.reduce([every, *(follows[key] for key in premises)]) & ~follows[conclusion]
            if new.any():
                follows[conclusion] |= new
                is_new = True
    added = [follows[key] & ~given[key] for key in keys]
    excluded = np.bitwise_or.reduce([follows[CONSTANT], follows[IMPOSSIBLE], *added])
    return np.unpackbits(excluded, count=len(combinations)).astype(np.bool_)


@dataclass(frozen=True)
class Profiles:
    """Every combination of some properties: possible, impossible or open.

    :param properties: their keys
    :param possible: the metrics found, by what they have of the properties; they lack the others
    :param impossible: the theorems by which nothing but a constant has just these
    :param open: what neither was found for
    :param remark: if the search was cut off, at which point
    """

    properties: tuple[str, ...]
    possible: Mapping[Profile, Metric]
    impossible: Mapping[Profile, tuple[Theorem, ...]]
    open: tuple[Profile, ...]
    remark: str = ""

    def __str__(self) -> str:
        told = (
            f"{len(self.possible)} of the {number_of(2 ** len(self.properties), 'combination')} of "
            f"{number_of(len(self.properties), 'property')} are possible, {len(self.impossible)} are impossible, "
            f"{len(self.open)} are open"
        )
        return f"{told} ({self.remark})" if self.remark else told


def profiles(
    properties: Iterable[str],
    *,
    known: Iterable[Metric | Expr | str] = (),
    seconds: float = 600,
    progress: bool | None = None,
) -> Profiles:
    """Decide every combination of some properties.

    A combination is impossible by theorems about all metrics, or possible by a metric that is proved to have just these
    properties: a formula of at most four leaves, a minimum or maximum of rates, or a sum, difference, product or
    quotient of two small formulas.

    :param properties: keys of properties that compare the values of M at two tables: invariances and directions
    :param known: metrics that are tried first, such as those of an earlier search
    :param seconds: how long metrics may be looked for; what is neither found nor excluded by then is open
    :param progress: whether to show a progress bar; by default only on a terminal
    :raises InputError: if a property is of another kind, or there are more than twenty
    :raises UnknownNameError: on an unknown property

    >>> found = profiles(["p1", "p2", "p4"])
    >>> print(found)
    6 of the 8 combinations of 3 properties are possible, 2 are impossible, 0 are open
    >>> str(found.impossible[frozenset({"p1", "p2"})][0])
    'a metric with p1 and p2 has p4'
    """
    # Combinations excluded by theorems need no search.
    keys = keys_of(properties)
    if other := [key for key in keys if key not in SCREENED]:
        raise InputError(
            f"{', '.join(other)} cannot be combined yet; the properties that can are {', '.join(sorted(SCREENED))}"
        )
    if len(keys) > MOST_PROPERTIES:
        raise InputError(f"{len(keys)} properties have too many combinations; ask for at most {MOST_PROPERTIES}")
    impossible = Excluded(keys)
    allowed = impossible.others()
    found: dict[Profile, Metric] = {}
    remark = ""
    with tqdm(
        total=len(allowed), desc="profiles", disable=None if progress is None else not progress, leave=False
    ) as bar:
        try:
            work = partial(_realise, keys, allowed, found, bar, [*map(as_metric, known)])
            within(work, seconds=seconds, megabytes=MEGABYTES, shown="")
        except BudgetError as error:
            remark = f"not everything was looked at: {error}"
    left = tuple(profile for profile in allowed if profile not in found)
    return Profiles(keys, {p: found[p] for p in allowed if p in found}, impossible, left, remark)


def _realise(
    keys: Sequence[str],
    allowed: Sequence[Profile],
    found: dict[Profile, Metric],
    bar: tqdm[None],
    known: Iterable[Metric],
) -> None:
    """Find metrics for combinations: known ones, then small formulas, then pairs of these for the rest."""
    wanted = {*allowed}

    def look(candidates: Iterable[tuple[Metric, Profile]]) -> None:
        for metric, profile in candidates:
            if profile in wanted and profile not in found and _has_just(metric, profile, keys):
                found[profile] = metric
                bar.update()

    # Known metrics, all small formulas, extremes of rates, then pairs for the combinations that are left.
    look((metric, frozenset(key for key in keys if prove(metric, key).status == "proved")) for metric in known)
    small = guesses(tuple(sorted(keys)))
    look(map(_guessed, small))
    asked = {key: laws()[key] for key in keys}
    invariances = {key for key, each in asked.items() if each[0].sign == "="}
    left = Counter(profile & invariances for profile in allowed if profile not in found)
    for rates in RATES_OF:
        look(map(_guessed, small_formulas(asked, LEAVES_OF_PARTS, rates, operations=("+", "min", "max"))))
    for common, _ in sorted(left.items(), key=lambda item: (-item[1], sorted(item[0]))):
        look(map(_guessed, pairs(asked, common, small)))


def _guessed(guess: Guess) -> tuple[Metric, Profile]:
    return named(guess.formula), guess.profile


def _has_just(metric: Metric, profile: Profile, keys: Sequence[str]) -> bool:
    """Whether a metric is defined, and proved to have exactly some properties; stops at the first doubt."""
    if not is_defined(metric.expr):
        return False
    wanted = ((key, "proved" if key in profile else "refuted") for key in keys)
    return all(prove(metric, key, seconds=EACH).status == status for key, status in wanted)


# -- Formal concepts of metrics and properties (formal concept analysis, Wille 1982) -----------------------------------


@dataclass(frozen=True)
class Concept:
    """A formal concept: a maximal set of metrics with a maximal set of common properties.

    :param metrics: the metrics by name
    :param properties: the properties by key
    """

    metrics: frozenset[str]
    properties: frozenset[str]


@dataclass(frozen=True, repr=False)
class Concepts:
    """The concept lattice of some metrics and properties.

    :param all: the concepts, those of the most metrics first
    """

    all: tuple[Concept, ...]

    def of(self, metric: str) -> Concept:
        """Return the least concept that contains a metric: the metrics with at least its properties.

        :raises InputError: if it is not among the metrics
        """
        found = [concept for concept in self.all if metric in concept.metrics]
        if not found:
            raise InputError(f"{metric!r} is not among the metrics of these concepts; ask for concepts with it")
        return found[-1]

    def introducing(self, property: str) -> Concept:
        """Return the greatest concept with a property: all metrics that have it.

        :raises InputError: if it is not among the properties
        """
        found = [concept for concept in self.all if property in concept.properties]
        if not found:
            raise InputError(f"{property!r} is not among the properties of these concepts; ask for concepts with it")
        return found[0]

    def neighbours(self, metric: str) -> tuple[Concept, ...]:
        """Return the upper neighbours of a metric's concept."""
        graph, own = self.graph(), self.of(metric)
        return tuple(concept for concept in self.all if graph.has_edge(own, concept))

    def graph(self) -> nx.DiGraph:
        """Return the covering relation of the lattice, with edges to larger sets of metrics."""
        graph = nx.DiGraph()
        graph.add_nodes_from(self.all)
        graph.add_edges_from((a, b) for a in self.all for b in self.all if a.metrics < b.metrics)
        reduced: nx.DiGraph = nx.transitive_reduction(graph)
        return reduced

    def __repr__(self) -> str:
        return "\n".join(
            f"{', '.join(sorted(concept.properties)) or 'no property'}: {', '.join(sorted(concept.metrics)) or 'none'}"
            for concept in self.all
        )


def concepts(
    metrics: str | Iterable[Metric | Expr | str] | None = None,
    properties: str | Iterable[Property | str] | None = None,
) -> Concepts:
    """Return the concepts of metrics and properties.

    A metric has a property if that is proved, at the defaults of its parameters; what is open is not shared.

    :param metrics: metrics and themes; by default those of :func:`symmetrics.table`
    :param properties: properties; by default those of :func:`symmetrics.table`
    :raises InputError: if there is no metric or no property, or two metrics have one name

    >>> print(concepts(["f1", "jaccard", "mcc", "recall"], ["p1", "p2", "transpose"]))
    no property: f1, jaccard, mcc, tpr
    p2: f1, jaccard, tpr
    transpose: f1, jaccard, mcc
    p2, transpose: f1, jaccard
    p1, transpose: mcc
    p1, p2, transpose: none
    """
    chosen = as_metrics(metrics, GARCIA_METRICS)
    asked = as_properties(properties, GARCIA_PROPERTIES)
    if not chosen or not asked:
        raise InputError("concepts are of metrics and properties; name one or more of each")
    rows: dict[str, frozenset[str]] = {}
    for metric in chosen:
        if metric.name in rows:
            raise InputError(f"two metrics are called {metric.name!r}; leave one out, or give it another name")
        rows[metric.name] = frozenset(property.name for property in asked if prove(metric, property).holds is True)
    return Concepts(_all_concepts(rows, frozenset(property.name for property in asked)))


def _all_concepts(rows: Mapping[str, frozenset[str]], properties: frozenset[str]) -> tuple[Concept, ...]:
    """Return all concepts: property sets are intersections of rows; the set of all properties is the bottom."""
    shared = {properties}
    for row in rows.values():
        shared |= {row & other for other in shared}
    found = [Concept(frozenset(name for name, row in rows.items() if row >= those), those) for those in shared]
    return tuple(
        sorted(found, key=lambda concept: (-len(concept.metrics), len(concept.properties), sorted(concept.properties)))
    )
