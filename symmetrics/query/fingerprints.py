"""Floating-point values of formulas at many tables: they propose candidates, which algebra then decides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache, reduce
from typing import Any, Final

import numpy as np
from flint import arb, ctx
from numpy.typing import NDArray
from sympy import Expr, Pow, Rational, S, Symbol

from symmetrics.language.cells import CELLS, Table
from symmetrics.numeric.operations import NAMES, OPERATIONS
from symmetrics.prover.engine.samples import BITS, GENERIC, Counted, sampled
from symmetrics.prover.engine.witnesses import tables_of_total
from symmetrics.query.relations import EXCHANGES
from symmetrics.tools.errors import UnsupportedError

Array = NDArray[np.float64]
TOLERANCE: Final = 1e-9
"""Relative difference below which two values may be equal; rounding errors are much smaller."""
CLOSE: Final = 1e-4
"""Relative spread below which values are recomputed with many digits."""
MAX_MISSING: Final = 24
"""Generic tables at which a formula may be undefined and still have a fingerprint."""


def values_at(formula: Expr, tables: Sequence[Counted]) -> Array:
    """Return the values of a formula without parameters at tables; nan where it has none.

    :raises UnsupportedError: if the formula cannot be evaluated
    """
    columns = np.asarray(tables, dtype=np.float64).T
    known: dict[Expr, Any] = dict(zip(CELLS, columns, strict=True))
    with np.errstate(all="ignore"):
        values = np.broadcast_to(np.asarray(_value(formula, known), dtype=np.float64), (len(tables),)).copy()
    values[~np.isfinite(values)] = np.nan
    return values


def _value(node: Expr, known: dict[Expr, Any]) -> Any:
    if node in known:
        return known[node]
    if isinstance(node, Rational):
        value: Any = np.float64(int(node.p) / int(node.q))
    elif node is S.Pi:
        value = np.float64(np.pi)
    elif isinstance(node, Pow) and isinstance(node.exp, Rational):
        base = _value(node.base, known)
        value = base ** int(node.exp.p) if node.exp.q == 1 and node.exp.p > 0 else base ** float(node.exp)
    elif (operation := OPERATIONS.get(NAMES.get(type(node).__name__, ""))) is not None:
        parts = [_value(part, known) for part in node.args]
        value = operation.function(*parts) if operation.arguments == 1 else reduce(operation.function, parts)
    else:
        name = node.name if isinstance(node, Symbol) else type(node).__name__
        raise UnsupportedError(f"{name} has no value at a table")
    known[node] = value
    return value


class Fingerprint:
    """The values of a formula at the generic tables, for comparison up to simple maps.

    :param formula: a formula without parameters
    :param tables: the tables; those of another order of the cells give the fingerprint of a transposed formula
    """

    def __init__(self, formula: Expr, tables: Sequence[Counted] = GENERIC) -> None:
        self.formula = formula
        self.values = values_at(formula, tables)
        self.tables = tables
        self.defined = ~np.isnan(self.values)

    @property
    def is_usable(self) -> bool:
        """Whether the values are enough to tell formulas apart, and not all the same."""
        if self.defined.sum() < len(self.values) - MAX_MISSING:
            return False
        kept = self.spread[self.defined]
        return not agree(kept, np.full_like(kept, kept[0]))

    @cached_property
    def spread(self) -> Array:
        """The values, or what is proportional to their differences from the first one if they are very close together.

        Rounding hides how ``1 + M/10**30`` moves with M.
        """
        kept = self.values[self.defined]
        if not len(kept) or np.ptp(kept) > CLOSE * np.abs(kept).max():
            return self.values
        # Differences from the first value with many digits, scaled to size 1.
        exact = [sampled(self.formula).at(table) for table in self.tables]
        start = next((value for value in exact if value is not None), None)
        with ctx.workprec(BITS):
            moves = [None if value is None else arb(value) - arb(start) for value in exact]
            size = max((abs(move.mid()) for move in moves if move is not None), default=arb(0))
            if not size > arb(2) ** (-BITS // 2):
                return self.values
            return np.array([np.nan if move is None else float(move / size) for move in moves])


@lru_cache(maxsize=4096)
def fingerprint(formula: Expr) -> Fingerprint:
    """Return the fingerprint of a formula."""
    return Fingerprint(formula)


def agree(first: Array, second: Array) -> bool:
    """Whether values may be the same, wherever there are both."""
    both = ~(np.isnan(first) | np.isnan(second))
    first, second = first[both], second[both]
    return bool((np.abs(first - second) <= TOLERANCE * np.maximum(np.abs(first), np.abs(second))).all())


def is_affine(first: Array, second: Array) -> bool:
    """Whether an affine function may take the second values to the first ones."""
    both = ~(np.isnan(first) | np.isnan(second))
    first, second = (values[both] - values[both].mean() for values in (first, second))
    sizes = np.linalg.norm(first), np.linalg.norm(second)
    if not all(sizes):
        return False
    first, second = first / sizes[0], second / sizes[1]
    sign = 1.0 if first @ second > 0 else -1.0
    return bool(np.abs(first - sign * second).max() <= 1e-7)


def order_direction(first: Array, second: Array) -> int:
    """Return 1 if the values may be in the same order, -1 if in the opposite one, and 0 if in neither."""
    both = ~(np.isnan(first) | np.isnan(second))
    first, second = first[both], second[both]
    # Along rising values of the second the first has to rise, or to fall, all the way.
    order = np.argsort(second, kind="stable")
    steps, moves = (_steps(values[order]) for values in (second, first))
    # Ties of one have to be ties of the other.
    if not moves.any() or not ((steps == 0) == (moves == 0)).all():
        return 0
    signs = set(moves[moves != 0].tolist())
    return int(signs.pop()) if len(signs) == 1 else 0


def _steps(values: Array) -> Array:
    moves = np.diff(values)
    size = np.maximum(np.abs(values[1:]), np.abs(values[:-1]))
    return np.where(np.abs(moves) <= TOLERANCE * size, 0.0, np.sign(moves))


# -- Pairs of metrics that may stand in a relation, by their values at a few dozen tables ------------------------------


ORDERED: Final[tuple[Counted, ...]] = tuple(table for total in range(4, 11) for table in tables_of_total(total))
"""All tables of positive cells with at most ten examples, the smallest first."""


def all_related(formulas: Sequence[Expr]) -> Iterator[tuple[int, int, str]]:
    """Yield the places of two formulas and the relation that their values suggest, for all pairs."""
    prints = [(place, found) for place, formula in enumerate(formulas) if (found := usable(formula)) is not None]
    for index, (first, left) in enumerate(prints):
        later = prints[index + 1 :]
        close = set()
        for second, right in later:
            if (relation := related(left, right)) is not None:
                yield first, second, relation
                close.add((second, relation.startswith("rank")))
        for relation, place in exchanged(left, [right for _, right in later]):
            if (later[place][0], False) not in close:
                yield first, later[place][0], relation


def _image(table: Counted, image: Table) -> Counted:
    place = dict(zip(CELLS, table, strict=True))
    return tuple(place[cell] for cell in image)


_EXCHANGED: Final = {name: tuple(_image(t, image) for t in GENERIC) for name, image in EXCHANGES.items()}


def usable(formula: Expr) -> Fingerprint | None:
    """Return the fingerprint of a formula, or None for one that is constant or undefined at most tables."""
    try:
        found = fingerprint(formula)
    except UnsupportedError:
        return None
    return found if found.is_usable else None


def related(first: Fingerprint, second: Fingerprint) -> str | None:
    """Return the closest relation, short of an exchange of cells, that the values of two formulas suggest.

    >>> from symmetrics.language.cells import FN, FP, TP
    >>> f1, jaccard = usable(2 * TP / (2 * TP + FN + FP)), usable(TP / (TP + FN + FP))
    >>> f1 is not None and jaccard is not None and related(f1, jaccard)
    'rank_equivalent'
    """
    return next(suggested(first, second), None)


def suggested(first: Fingerprint, second: Fingerprint) -> Iterator[str]:
    """Yield the relations, short of an exchange of cells, that the values of two formulas suggest, the closest first.

    They are suggestions: rounded values that agree may belong to formulas that differ.
    """
    if agree(first.values, second.values):
        yield "equal"
    if agree(first.values, 1 - second.values):
        yield "complement_of"
    if agree(first.values, -second.values):
        yield "negation_of"
    if is_affine(first.spread, second.spread):
        yield "affine"
    direction = order_direction(first.spread, second.spread)
    # Few tables are soon ordered alike by chance, and an exact look at two orders takes long.
    if direction and order_direction(_closer(first.formula).spread, _closer(second.formula).spread) == direction:
        yield "rank_equivalent" if direction > 0 else "rank_reversed"


@lru_cache(maxsize=512)
def _closer(formula: Expr) -> Fingerprint:
    """Return the values of a formula at all small tables, many of which have close values or equal ones."""
    return Fingerprint(formula, ORDERED)


def exchanged(first: Fingerprint, others: Sequence[Fingerprint]) -> Iterator[tuple[str, int]]:
    """Yield the exchanges of cells that may take other formulas to a formula, each with the place of the other."""
    for name, tables in _EXCHANGED.items():
        # M(x) = L(image of x) for all x says the same as L(x) = M(image of x): each exchange undoes itself.
        moved = Fingerprint(first.formula, tables)
        for place, other in enumerate(others):
            if agree(moved.values, other.values):
                yield name, place
