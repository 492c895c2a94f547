"""Find all minimal theorems among properties.

Among invariances the search is complete.  Among monotonicity laws, what is found holds, but further consequences
may be missed.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import pairwise

from sympy import Expr, Integer, factor

from symmetrics.claims.families.limits import STEP
from symmetrics.claims.theorems.arguments import Journey, Tending
from symmetrics.claims.theorems.implications import CONSTANT, IMPOSSIBLE, THE_SAME_EVERYWHERE, Theorem
from symmetrics.claims.theorems.laws import Instance, Law, image
from symmetrics.language.cells import CELLS, Table
from symmetrics.prover.theorems.invariances import Invariances, Motion, motions_of, walk_of
from symmetrics.prover.theorems.rises import Rise, Rises, rises_of
from symmetrics.tools.errors import UnsupportedError

Laws = Mapping[str, Sequence[Law]]
MOST_FOR_RISES = 2
"""Largest number of invariances among the premises of a monotonicity theorem; the rest follows by chaining theorems."""
FEW_RISES = 2
"""Up to this number of monotonicity laws all consequences are listed; beyond, those that chaining does not give."""


class Finder:
    """Finds the implications among some properties.

    :param laws: the laws of each property; those that are neither motions nor rises are conclusions alone
    :param sufficient: laws of which any one is enough for a property
    """

    def __init__(self, laws: Laws, sufficient: Laws | None = None) -> None:
        self.laws = laws
        self.sufficient = sufficient or {}
        self.motions: dict[str, list[Motion]] = {}
        self.rises: dict[str, list[Rise]] = {}
        for key, each in laws.items():
            motions, rises = motions_of(key, each), rises_of(key, each)
            if motions is not None:
                self.motions[key] = motions
            elif rises is not None:
                self.rises[key] = rises

    def invariances(self, keys: Sequence[str]) -> Invariances:
        """Return the invariances that some properties together imply."""
        return Invariances(itertools.chain.from_iterable(self.motions[key] for key in keys))

    def find(self) -> Iterator[Theorem]:
        """Return the minimal theorems, those with few premises first in each kind."""
        found: list[Theorem] = []
        for theorem in (*self.among_invariances, *self._contradictions(), *self._rising()):
            found.append(theorem)
            yield theorem
        yield from self._rising_together(found)

    @cached_property
    def among_invariances(self) -> list[Theorem]:
        """All minimal theorems among invariances."""
        found: list[Theorem] = []
        # Subsets by size, so that theorems found first have minimal premises.
        for keys in _subsets(list(self.motions), len(self.motions)):
            if _follows(found, keys, CONSTANT):
                continue
            alike = self.invariances(keys)
            goals = {CONSTANT: (THE_SAME_EVERYWHERE,)} | {k: self.laws[k] for k in self._equal if k not in keys}
            for goal, laws in goals.items():
                if _follows(found, keys, goal):
                    continue
                # A walk for each law of the conclusion.
                ways = [alike.same(*law.tables) for law in laws]
                walks = [walk_of(law.tables[0], way)[0] for law, way in zip(laws, ways, strict=True) if way is not None]
                if len(walks) == len(laws):
                    found.append(Theorem(keys, goal, tuple(walks)))
                if goal == CONSTANT and walks:
                    break
            else:
                found += self._by_one_law(keys, alike, found)
        return found

    @cached_property
    def _equal(self) -> list[str]:
        """Properties that state where M has equal values."""
        return [key for key, laws in self.laws.items() if all(law.sign == "=" for law in laws)]

    def _by_one_law(self, keys: tuple[str, ...], alike: Invariances, found: Sequence[Theorem]) -> Iterator[Theorem]:
        for goal, laws in self.sufficient.items():
            if _follows(found, keys, goal):
                continue
            for law in laws:
                way = alike.same(*law.tables)
                if way is not None:
                    yield Theorem(keys, goal, (walk_of(law.tables[0], way)[0],), law.label)
                    break

    def closure(self, keys: Sequence[str]) -> frozenset[str]:
        """Return all invariances that follow from some, or "constant" alone."""
        follows = _all_that_follows(keys, self.among_invariances)
        return frozenset({CONSTANT}) if CONSTANT in follows else follows

    def _contradictions(self) -> Iterator[Theorem]:
        """Return contradictions: sets of properties that no metric has together."""
        decided: dict[tuple[frozenset[str], tuple[str, ...]], bool] = {}
        labelled: dict[frozenset[str], Rises] = {}
        bit = {key: 1 << place for place, key in enumerate((*self.motions, *self.rises))}
        found: list[int] = []
        # Subsets by size; what some invariances imply together is computed once.
        for keys in _subsets(list(self.motions), len(self.motions)):
            closed = self.closure(keys)
            if closed not in labelled:
                labelled[closed] = Rises(self.invariances(keys), itertools.chain(*self.rises.values()))
            for rising in _subsets(list(self.rises), len(self.rises)):
                mask = sum(bit[key] for key in (*keys, *rising))
                if any(mask & other == other for other in found):
                    continue
                # Quick test on small tables; then the walk itself, with the original premises.
                if (closed, rising) not in decided:
                    decided[closed, rising] = labelled[closed].contradicts(rising)
                if not decided[closed, rising]:
                    continue
                walk = Rises(self.invariances(keys), itertools.chain(*(self.rises[k] for k in rising))).contradiction()
                if walk is not None:
                    found.append(mask)
                    yield Theorem((*keys, *rising), IMPOSSIBLE, (walk,))

    def _rising(self) -> Iterator[Theorem]:
        found: list[Theorem] = []
        for keys in _subsets(list(self.motions), MOST_FOR_RISES):
            alike = self.invariances(keys)
            for rising in _subsets(list(self.rises), FEW_RISES if len(keys) < MOST_FOR_RISES else 1):
                if not rising:
                    continue
                rises = Rises(alike, itertools.chain(*(self.rises[key] for key in rising)))
                for goal in self.rises:
                    if goal in rising or _follows(found, (*keys, *rising), goal):
                        continue
                    walks = [rises.between(law, step) for law, step in self._steps(goal)]
                    if all(walk is not None for walk in walks):
                        found.append(Theorem((*keys, *rising), goal, tuple(walk for walk in walks if walk)))
                        yield found[-1]

    def _rising_together(self, found: list[Theorem]) -> Iterator[Theorem]:
        """Return consequences of several monotonicity laws together that do not follow from theorems found already."""
        looked_at = set()
        # Sets of premises with the same consequences are examined once.
        for rising, keys in itertools.product(
            _subsets(list(self.rises), len(self.rises)), _subsets(list(self.motions), MOST_FOR_RISES + 1)
        ):
            follows = _all_that_follows((*keys, *rising), found)
            if not rising or follows & {CONSTANT, IMPOSSIBLE} or follows in looked_at:
                continue
            looked_at.add(follows)
            rises = Rises(self.invariances(keys), itertools.chain(*(self.rises[key] for key in rising)))
            for goal in self.rises:
                if goal in follows:
                    continue
                # A walk that increases between the tables of each law of the goal.
                walks = [rises.between(law, step) for law, step in self._steps(goal)]
                if all(walk is not None for walk in walks):
                    found.append(Theorem((*keys, *rising), goal, tuple(walk for walk in walks if walk)))
                    follows = _all_that_follows(follows, found)
                    yield found[-1]

    def _steps(self, key: str) -> Iterator[tuple[Law, Rise]]:
        return zip(self.laws[key], self.rises[key], strict=True)


def _subsets(keys: Sequence[str], most: int) -> Iterator[tuple[str, ...]]:
    for size in range(min(most, len(keys)) + 1):
        yield from itertools.combinations(keys, size)


def _all_that_follows(keys: Iterable[str], theorems: Iterable[Theorem]) -> frozenset[str]:
    chosen = set(keys)
    while new := {t.conclusion for t in theorems if chosen >= set(t.premises)} - chosen:
        chosen |= new
    return frozenset(chosen)


def _follows(theorems: Sequence[Theorem], keys: Sequence[str], goal: str) -> bool:
    return any(theorem.conclusion == goal and set(keys) >= set(theorem.premises) for theorem in theorems)


# -- Journeys from table to table: sequences of laws of premises, possibly through a limit -----------------------------


def journey_through(tables: Sequence[Table], laws: Mapping[str, Sequence[Law]]) -> Journey:
    """Return a journey through some tables.

    :param tables: in the order in which they are passed; one in s is a curve
    :param laws: the laws of the premises
    :raises UnsupportedError: if no step is found from a table to the next

    >>> from sympy import Integer
    >>> TP, FN, FP, TN = CELLS
    >>> journey = journey_through([(TP, FN, FP, STEP), (TP, FN, FP, Integer(0))], {})
    >>> journey.steps
    (Tending(curve=(TP, FN, FP, other_s), forward=True),)
    """
    motions = [motion for key, each in laws.items() for motion in motions_of(key, each) or ()]
    steps: list[Instance | Tending] = []
    for here, there in pairwise(tables):
        found = next(_steps(here, there, laws, Invariances(motions)), None)
        if found is None:
            raise UnsupportedError(f"no step leads from {here} to {there}")
        steps += found
    return Journey(tables[0], tuple(steps))


def _steps(
    here: Table, there: Table, laws: Mapping[str, Sequence[Law]], alike: Invariances
) -> Iterator[Sequence[Instance | Tending]]:
    """Yield ways from one table to another: a limit, one law, or motions."""
    for curve, end, forward in ((here, there, True), (there, here, False)):
        if any(cell.has(STEP) for cell in curve) and image(curve, {STEP: Integer(0)}) == end:
            yield [Tending(curve, forward)]
    for key, each in laws.items():
        for law in each:
            for start, end, forward in ((here, there, True), (there, here, False)):
                at = dict(zip(CELLS, start, strict=True))
                if law.tables[0] == CELLS and _factored(image(law.tables[1], at)) == _factored(end):
                    yield [Instance(key, law.label, at, forward)]
    if all(cell != 0 for cell in (*here, *there)):
        same = alike.same(_factored(here), _factored(there))
        if same is not None:
            yield walk_of(here, same)[0].steps


def _factored(table: Table) -> Table:
    first, second, third, fourth = map(_factored_cell, table)
    return first, second, third, fourth


@lru_cache(maxsize=4096)
def _factored_cell(cell: Expr) -> Expr:
    return factor(cell)
