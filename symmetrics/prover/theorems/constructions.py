"""Find theorems on constructions: which laws of M imply a law of a metric constructed from it.

Two tables at which M has one value are found from both ends, by applying the laws of the premises; that two tables are
the same is seen at two points, in floating point, because the proof is verified anyway.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import prod
from typing import Final

from sympy import Add, Expr, Integer, Pow, S, Symbol, factor, prime

from symmetrics.checker.theorems.implications import check_construction, check_continuity, check_loss
from symmetrics.claims.base import Claim
from symmetrics.claims.comparison import value_symbol
from symmetrics.claims.theorems.constructions import Chain, Construction, ConstructionTheorem, Loss
from symmetrics.claims.theorems.laws import Instance, Law
from symmetrics.language.cells import CELLS, Table
from symmetrics.tools.errors import CertificateError

Laws = Mapping[str, Sequence[Law]]
Bound = dict[Symbol, Expr]
Proof = tuple[Chain, ...] | tuple[Instance | None, ...]
DEPTH: Final = 1
"""Largest number of laws applied from either end; more only found consequences of shorter proofs."""
DIGITS: Final = 9
POINTS: Final = (0.7312, 1.9417)
"""Coordinates of the sample points; each symbol gets a different number."""


def prove_construction(
    construction: Construction, conclusion: str, laws: Sequence[Law], premises: Laws
) -> ConstructionTheorem | None:
    """Return the theorem that F[M] has a property if M has some others, None if no proof is found.

    What is found has been verified by other code.  That nothing is found decides nothing.

    :param laws: the laws of the property
    :param premises: the properties of M, with their laws
    """
    parts: list[Proof] = []
    for law in laws:
        part = _equation(construction, law, premises) if law.sign == "=" else _rise(construction, law, premises)
        if part is None:
            return None
        parts.append(part)
    theorem = ConstructionTheorem(construction, conclusion, tuple(premises), tuple(parts))
    try:
        check_construction(theorem, laws, premises)
    except CertificateError:
        return None
    return theorem


def prove_continuity(construction: Construction, key: str, claim: Claim) -> ConstructionTheorem | None:
    """Return the theorem that F[M] is bounded, or has a limit, because M is or has; None if the checker sees none.

    :param key: the key of the property
    :param claim: what it says of any metric
    """
    theorem = ConstructionTheorem(construction, key, (key,), ())
    try:
        check_continuity(theorem, claim)
    except CertificateError:
        return None
    return theorem


def prove_loss(construction: Construction, property: str, laws: Sequence[Law]) -> Loss | None:
    """Return the theorem that F[M] lacks an invariance that M has, None if no two tables are found that show it.

    :param laws: what the property says
    """
    for law in laws:
        variables = sorted({s for table in law.tables for cell in table for s in cell.free_symbols}, key=str)
        at = {symbol: Integer(prime(place)) for place, symbol in enumerate(variables, 1)}
        loss = Loss(construction, property, law.label, at)
        try:
            check_loss(loss, laws)
        except CertificateError:
            continue
        return loss
    return None


# -- equations ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Reached:
    """A table reached by applying laws."""

    table: Table
    steps: tuple[Instance, ...] = ()


def _equation(construction: Construction, law: Law, premises: Laws) -> tuple[Chain, ...] | None:
    # Tables at which F[M] takes values of M, on both sides of the law.
    tables = [_image(image, table) for table in law.tables for image in construction.tables]
    reached = [_reachable(table, premises, tables) for table in tables]
    chains = []
    # Union-find: tables connected by laws that preserve M share one value.
    group = list(range(len(tables)))
    for end in range(1, len(tables)):
        for start in range(end):
            if group[end] == group[start] or (meeting := _meeting(reached[start], reached[end])) is None:
                continue
            there, back = meeting
            returned = tuple(Instance(s.premise, s.label, s.at, not s.forward) for s in reversed(back.steps))
            chains.append(Chain(start, end, (*there.steps, *returned)))
            group = [group[start] if place == group[end] else place for place in group]
    # The law holds if the combination is the same on both sides after merging.
    half = len(construction.tables)
    sides = [
        construction.combination.xreplace({value_symbol(k): value_symbol(part[k]) for k in range(half)})
        for part in (group[:half], group[half:])
    ]
    return tuple(chains) if sides[0] == sides[1] else None


def _meeting(left: dict[object, _Reached], right: dict[object, _Reached]) -> tuple[_Reached, _Reached] | None:
    common = [(left[key], right[key]) for key in left if key in right]
    return min(common, key=lambda pair: len(pair[0].steps) + len(pair[1].steps), default=None)


def _reachable(start: Table, premises: Laws, targets: Sequence[Table]) -> dict[object, _Reached]:
    """Return the tables reachable by a bounded number of laws, keyed by their values at the sample points."""
    found: dict[object, _Reached] = {_key(start): _Reached(start)}
    newest = [_Reached(start)]
    for _ in range(DEPTH):
        further = []
        for here in newest:
            for step, table in _moves(here.table, premises, targets):
                key = _key(table)
                if key not in found:
                    found[key] = _Reached(table, (*here.steps, step))
                    further.append(found[key])
        newest = further
    return found


def _moves(table: Table, premises: Laws, targets: Sequence[Table]) -> Iterator[tuple[Instance, Table]]:
    for name, laws in premises.items():
        for law in (one for one in laws if one.sign == "="):
            for forward in (True, False):
                before, after = law.tables if forward else law.tables[::-1]
                bound = _matched(before, table)
                if bound is None:
                    continue
                for at in _completed(bound, law, after, targets):
                    yield Instance(name, law.label, at, forward), _put(after, at)


def _completed(bound: Bound, law: Law, after: Table, targets: Sequence[Table]) -> Iterator[Bound]:
    """Yield assignments to the variables of a law that a table leaves free, chosen so that it leads towards targets."""
    variables = set().union(*(entry.free_symbols for table in law.tables for entry in table))
    if variables <= set(bound):
        yield bound
        return
    seen = set()
    # Solve the entries for the free variables so that the image is a target, in either order of the cells.
    for target in targets:
        pairs = list(zip(after, target, strict=True))
        for order in (pairs, pairs[::-1]):
            at = dict(bound)
            for entry, wanted in order:
                _solve(entry, wanted, at)
            key = _key([at[symbol] for symbol in sorted(at, key=str)])
            if variables <= set(at) and key not in seen and _are_positive(at):
                seen.add(key)
                yield at


# -- inequalities ------------------------------------------------------------------------------------------------------


def _rise(construction: Construction, law: Law, premises: Laws) -> tuple[Instance | None, ...] | None:
    steps: list[Instance | None] = []
    # Each image of the table stays, or increases by a law of a premise.
    for image in construction.tables:
        lower, upper = (_image(image, table) for table in law.tables)
        if _key(lower) == _key(upper):
            steps.append(None)
            continue
        step = next(
            (
                Instance(name, one.label, bound)
                for name, laws in premises.items()
                for one in laws
                if one.sign == ">"
                and (bound := _matched((*one.tables[0], *one.tables[1]), (*lower, *upper))) is not None
            ),
            None,
        )
        if step is None:
            return None
        steps.append(step)
    return tuple(steps)


# -- matching the variables of a law -----------------------------------------------------------------------------------


def _matched(pattern: Sequence[Expr], cells: Sequence[Expr]) -> Bound | None:
    """Return the substitution under which a pattern matches some cells; None if there is none or it is not found."""
    bound: Bound = {}
    left = list(zip(pattern, cells, strict=True))
    while left:
        solved = next((pair for pair in left if len(pair[0].free_symbols - set(bound)) == 1), None)
        if solved is None:
            break
        left.remove(solved)
        if not _solve(*solved, bound):
            return None
    for entry, cell in left:
        if entry.free_symbols - set(bound) or _key((entry.xreplace(bound),)) != _key((cell,)):
            return None
    if not _are_positive(bound):
        return None
    return bound


def _solve(entry: Expr, cell: Expr, bound: Bound) -> bool:
    """Solve an entry for its only free symbol so that it equals a cell, and record it; False if that fails."""
    if len(unknown := entry.free_symbols - set(bound)) != 1:
        return False
    (symbol,) = unknown
    if entry is symbol:
        bound[symbol] = cell
        return True
    slope, rest = _linear(entry, symbol)
    if slope.has(symbol):
        return False
    value = (cell - rest.xreplace(bound)) / slope.xreplace(bound)
    bound[symbol] = factor(value) if rest != 0 else value
    return True


@lru_cache(maxsize=1024)
def _linear(entry: Expr, symbol: Symbol) -> tuple[Expr, Expr]:
    return entry.diff(symbol), entry.xreplace({symbol: S.Zero})


def _are_positive(bound: Bound) -> bool:
    return all(value > 0 for expression in bound.values() for value in _values(expression))


@lru_cache(maxsize=65536)
def _values(node: Expr) -> tuple[float, ...]:
    """Return the values of a rational function at the sample points, all symbols positive."""
    if isinstance(node, Symbol):
        return tuple(_at(node.name, start) for start in POINTS)
    if not node.args:
        return (float(node),) * len(POINTS)
    parts = zip(*map(_values, node.args), strict=True)
    if isinstance(node, Pow):
        return tuple(base**exponent for base, exponent in parts)
    return tuple(sum(part) if isinstance(node, Add) else prod(part) for part in parts)


def _at(name: str, start: float) -> float:
    """Return the coordinate of a symbol at a point: arbitrary but deterministic."""
    return start + sum((place + 1) * ord(letter) * 0.61803 for place, letter in enumerate(name)) % 3.7


def _key(cells: Sequence[Expr]) -> tuple[str, ...]:
    return tuple(f"{value:.{DIGITS}g}" for cell in cells for value in _values(cell))


def _image(image: Table, table: Table) -> Table:
    return _put(image, dict(zip(CELLS, table, strict=True)))


def _put(table: Table, values: Mapping[Symbol, Expr]) -> Table:
    first, second, third, fourth = (cell.xreplace(dict(values)) for cell in table)
    return first, second, third, fourth
