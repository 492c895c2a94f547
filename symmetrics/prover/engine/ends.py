"""The range of a formula: its supremum and infimum, each with a table or curve that attains or approaches it."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import inf
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray
from sympy import Expr, Integer, Rational, S, Symbol

from symmetrics.claims import Claim, Comparison, Inequality, StrictInequality, value_symbol
from symmetrics.claims.evidence import Decision
from symmetrics.claims.families.limits import STEP, Bounded
from symmetrics.language.cells import CELLS, Table
from symmetrics.language.parameter import Parameter
from symmetrics.language.writer import formula_text
from symmetrics.prover.engine.leading import has_value_along, leading_term, placed
from symmetrics.prover.engine.samples import compiled
from symmetrics.tools.errors import UnsupportedError

# -- Candidates for the largest and smallest values: tables and curves, ranked in floating point -----------------------


STEPS: Final = (1e-5, 1e-9)
"""Values of the step at which a formula on a curve is sampled; the second one approximates its limit."""
CELL_VALUES: Final = (1, 2, 3, 4)
EXPONENTS: Final = (0, 1, -1, 2)
COEFFICIENTS: Final = ((1, 1, 1, 1), (2, 1, 1, 1), (1, 2, 1, 1), (1, 1, 2, 1), (1, 1, 1, 2))
NEAR_ONE: Final = tuple(
    tuple(Rational(share, 6) for share in shares) for shares in ((3, 1, 1, 1), (1, 3, 1, 1), (1, 1, 3, 1), (1, 1, 1, 3))
)
"""Tables with total one, at which formulas that are not ratios may have poles."""
CLOSE: Final = 1e-3
"""Values that differ by less count as ties in the ranking."""
GROWING: Final = 0.02
FIRST: Final = 3
"""Number of curves along which values still grow that are tried before all others."""


@dataclass(frozen=True)
class Candidate:
    """A table, or a curve of tables parametrised by the step."""

    path: Table
    is_table: bool


class Ranking:
    """Tables and curves in decreasing order of a formula's approximate value; each is returned once.

    :param values: the values that the formula seems to have, with the sign that makes the wanted ones large
    :param order: the indices of tables and curves
    """

    def __init__(self, values: NDArray[np.float64], order: NDArray[np.int64]) -> None:
        self.values = values
        self.order = order
        self.position = 0

    def following(self, above: float) -> Candidate | None:
        """Return the next candidate whose value seems to be above a number, or None."""
        ahead = np.flatnonzero(self.values[self.order[self.position :]] > above)
        if not len(ahead):
            return None
        place = int(self.order[self.position + int(ahead[0])])
        self.position += int(ahead[0]) + 1
        tables = _tables()
        is_table = place < len(tables)
        return Candidate(tables[place] if is_table else _curves()[place - len(tables)], is_table)


def ranked(formula: Expr, sign: int) -> Ranking:
    """Rank tables and curves by the values of a formula without parameters, the smallest first for the sign -1.

    Curves along which it still grows come before, because there it may grow beyond all bounds.
    """
    with np.errstate(all="ignore"):
        at_tables = _evaluated(formula, _points())
        before, end = (_evaluated(formula, _cells_at(step)) for step in STEPS)
        values = sign * np.concatenate([at_tables, end])
        grows = np.concatenate([np.zeros(len(at_tables), dtype=bool), sign * (end - before) > GROWING * np.abs(before)])
    usable = np.flatnonzero(np.isfinite(values))
    # Ties keep their order, the simplest first.
    order = usable[np.lexsort((usable, -np.round(values[usable] / CLOSE)))]
    return Ranking(values, np.concatenate([order[grows[order]][:FIRST], order]))


@lru_cache(maxsize=1)
def _points() -> NDArray[np.float64]:
    return np.array([[float(c) for c in table] for table in _tables()])


def _evaluated(formula: Expr, points: NDArray[np.float64]) -> NDArray[np.float64]:
    result: Any = compiled(formula)(*points.T)
    return np.broadcast_to(np.real_if_close(np.asarray(result, dtype=np.float64)), len(points)).astype(np.float64)


@lru_cache(maxsize=1)
def _tables() -> list[Table]:
    tables = [tuple(map(Integer, cells)) for cells in itertools.product(CELL_VALUES, repeat=4)]
    return sorted(tables, key=lambda cells: (sum(cells), cells))


@lru_cache(maxsize=1)
def _powers() -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Return coefficients and exponents of the curves, the simplest first."""
    exponents = [e for e in itertools.product(EXPONENTS, repeat=4) if any(e)]
    pairs = itertools.product(COEFFICIENTS, exponents)
    return sorted(pairs, key=lambda pair: (sum(e < 0 for e in pair[1]), sum(map(abs, pair[1])), sum(pair[0])))


@lru_cache(maxsize=1)
def _curves() -> list[Table]:
    curves = [tuple(c * STEP**e for c, e in zip(*pair, strict=True)) for pair in _powers()]
    poles = [tuple(_moved(table, place, sign * STEP)) for table, place, sign in _MOVES]
    return [*curves, *poles]


@lru_cache(maxsize=2)
def _cells_at(step: float) -> NDArray[np.float64]:
    curves = np.array([[c * step**e for c, e in zip(*pair, strict=True)] for pair in _powers()])
    poles = np.array([[float(c) for c in _moved(table, place, sign * step)] for table, place, sign in _MOVES])
    return np.concatenate([curves, poles])


_MOVES: Final = list(itertools.product(NEAR_ONE, range(4), (1, -1)))


def _moved(table: Sequence[Any], place: int, change: Any) -> list[Any]:
    return [cell + change if k == place else cell for k, cell in enumerate(table)]


# ----------------------------------------------------------------------------------------------------------------------


Decide = Callable[[Claim], Decision]
Attained = Literal["yes", "no", "not decided"]
ATTEMPTS: Final = 40
"""Number of tables and curves whose exact values are computed."""
TINY: Final = 1e-7
"""Differences in floating point below this size are rounding errors."""


@dataclass(frozen=True)
class End:
    """One end of a range.

    :param sign: 1 for the supremum, -1 for the infimum
    :param bound: its value, ``oo`` or ``-oo``
    :param path: the table that attains it, or the curve along which M tends to it
    :param proof: the verdict that M does not exceed it, None if it is infinite
    :param attained: whether M has this value at a table of positive cells
    :param corner: a table with zero cells at which the formula, as it is written, has this value
    """

    sign: int
    bound: Expr
    path: Table
    proof: Decision | None
    claim: Claim | None
    attained: Attained
    corner: Table | None = None

    def record(self) -> dict[str, Any]:
        """Return the end as texts."""
        record: dict[str, Any] = {"bound": number_text(self.bound), "path": [formula_text(cell) for cell in self.path]}
        if self.proof is not None and self.claim is not None:
            record["strict"] = isinstance(self.claim, StrictInequality)
            record |= {} if self.corner is None else {"corner": [formula_text(cell) for cell in self.corner]}
            record["proof"] = self.proof.record()
        return record


def end_of(claim: Any, sign: int, decide: Decide) -> End:
    """Return the supremum of a formula over positive cells, or for the sign -1 its infimum.

    :raises UnsupportedError: if it was not found, or no bound was proved
    """
    return _end_of(claim.subject, claim.parameters, sign, decide)


@lru_cache(maxsize=512)
def _end_of(subject: Expr, parameters: tuple[Any, ...], sign: int, decide: Decide) -> End:
    claim = Bounded(subject, parameters)
    values = {p.symbol: typical(p) for p in parameters}
    best, path = _extreme(subject, parameters, values, sign)
    if best.is_infinite:
        return End(sign, best, path, None, None, "no")
    if not best.free_symbols <= set(values):
        raise UnsupportedError(f"the values reach {formula_text(best)}, which depends on the cells")
    return _bounded_end(claim, sign, best, path, decide)


def typical(parameter: Parameter) -> Rational:
    """Return a typical value of a parameter: its default, or else a value inside its domain."""
    lower, upper = parameter.lower, parameter.upper
    if parameter.default is not None:
        return parameter.default
    if lower.is_finite and upper.is_finite:
        return (lower + upper) / 2
    return lower + 1 if lower.is_finite else upper - 1 if upper.is_finite else S.One


def _extreme(
    subject: Expr, parameters: tuple[Any, ...], values: Mapping[Symbol, Expr], sign: int
) -> tuple[Expr, Table]:
    """Return the largest value found, exactly, with its table or curve."""
    # Candidates come in the order of their approximate values, the most promising first; each is evaluated exactly.
    best: tuple[Expr, Table] | None = None
    height, left = -inf, ATTEMPTS
    ranking = ranked(placed(subject, values), sign)
    settled = False
    while left and (candidate := ranking.following(height + TINY if settled else -inf)):
        left -= 1
        limit = _exact(subject, parameters, candidate)
        if limit is None or limit == -sign * S.Infinity:
            continue
        # Infinity ends the search; a limit that depends on parameters is compared at typical values of these.
        if limit.is_infinite:
            return limit, candidate.path
        number = limit.xreplace(dict(values))
        if not number.is_finite:
            continue
        here = sign * float(number)
        if here > height + TINY or (here >= height - TINY and not settled and not limit.free_symbols):
            best, height = (limit, candidate.path), here
            # Prefer a bound that holds for all parameters.
            settled = not limit.free_symbols
    if best is None:
        raise UnsupportedError("no limit along a curve was found")
    return best


def _exact(subject: Expr, parameters: tuple[Any, ...], candidate: Candidate) -> Expr | None:
    """Return the exact limit along a curve, or value at a table; None if it was not found."""
    try:
        leading = leading_term(subject, parameters, dict(zip(CELLS, candidate.path, strict=True)))
        if not has_value_along(subject, parameters, candidate.path):
            return None
    except UnsupportedError:
        return None
    return None if leading.limit is S.NaN else leading.limit


def _bounded_end(claim: Bounded, sign: int, bound: Expr, path: Table, decide: Decide) -> End:
    """Prove that a formula never exceeds a value that it attains or approaches."""
    strict, weak = (_within(family, claim, sign, bound) for family in (StrictInequality, Inequality))
    is_table = not any(cell.free_symbols for cell in path)
    if not is_table:
        decision = decide(strict)
        if decision.status == "proved":
            return End(sign, bound, path, decision, strict, "no", _corner(claim, bound, path))
        seen = None if claim.parameters or decision.witness is None else decision.witness.values[0]
        if decision.status == "refuted" and decision.witness is not None and seen == bound:
            path, is_table = tuple(map(S, decision.witness.tables[0])), True
    decision = decide(weak)
    if decision.status == "proved":
        return End(sign, bound, path, decision, weak, "yes" if is_table else "not decided")
    beyond = "larger" if sign > 0 else "smaller"
    raise UnsupportedError(f"values reach {formula_text(bound)}, and it was not proved that none is {beyond}")


def _within(family: type[Comparison], claim: Bounded, sign: int, bound: Expr) -> Comparison:
    """Return the claim that a formula does not exceed a bound, or is strictly below it."""
    if not bound.free_symbols:
        return family(claim.subject, claim.parameters, (CELLS,), relation=sign * (bound - value_symbol(0)))
    relation = sign * (value_symbol(1) - value_symbol(0))
    return family(claim.subject, claim.parameters, (CELLS, CELLS), relation=relation, partner=bound)


def _corner(claim: Bounded, bound: Expr, path: Table) -> Table | None:
    """Return the table at the end of a curve if a formula, without simplification, has a given value there."""
    ends = [cell.xreplace({STEP: S.Zero}) for cell in path]
    if any(not cell.is_finite for cell in ends) or not any(ends):
        return None
    try:
        value = leading_term(placed(claim.subject, dict(zip(CELLS, ends, strict=True))), claim.parameters).limit
    except UnsupportedError:
        return None
    return (ends[0], ends[1], ends[2], ends[3]) if value == bound else None


def number_text(value: Expr) -> str:
    """Format a bound, which may be infinite."""
    return str(value) if value.is_infinite else formula_text(value)


def unbounded_curve(subject: Expr, sign: int) -> Table | None:
    """Return A curve along which a parameter-free formula tends to sign * infinity."""
    try:
        best, path = _extreme(subject, (), {}, sign)
    except UnsupportedError:
        return None
    return path if best.is_infinite else None
