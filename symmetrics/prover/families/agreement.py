"""Whether a formula is extreme exactly where all predictions are right (or all wrong).

The value of a formula on a face of the orthant is its limit there.  If that exists it is the limit along every curve,
so that one curve whose limit differs from the extreme value shows that a table of the face does not attain it.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from sympy import Expr, Integer, Rational, S, log

from symmetrics.algebra.convert import Conversion, field_for
from symmetrics.algebra.derivative import value_as_written, value_by_continuity
from symmetrics.algebra.evaluate import Evaluator, Undefined
from symmetrics.algebra.evaluate import certain_sign as sign_of_value
from symmetrics.algebra.evaluate import sign_of_element as certain_sign
from symmetrics.claims import StrictInequality, value_symbol
from symmetrics.claims.evidence import Counts, Decision, Evidence, Status, Witness, open_decision
from symmetrics.claims.families.limits import STEP, LargestAtAgreement, SmallestAtDisagreement
from symmetrics.language.cells import CELLS, Table
from symmetrics.language.names import CELL_NAMES
from symmetrics.language.writer import formula_text
from symmetrics.prover.engine.cases import Decide, decide_by_cases
from symmetrics.prover.engine.ends import end_of, typical, unbounded_curve
from symmetrics.prover.engine.leading import (
    DIVISOR,
    LOGARITHM,
    RADICAND,
    Obstacle,
    has_value_along,
    is_free,
    is_real_nearly_everywhere,
    leading_term,
    obstacles_of,
    placed,
)
from symmetrics.prover.engine.samples import compiled
from symmetrics.tools.errors import UnsupportedError

# -- Small tables that refute a claim on where a formula is extreme ----------------------------------------------------


LARGEST_COUNT: Final = 3
"""Largest cell of the tables that are searched for a counterexample."""
SMALL_COUNT: Final = 2
"""Largest cell of the tables at which limits are computed."""
MAX_CERTIFIED: Final = 40
"""Number of pairs of tables that are compared exactly."""
TOLERANCE: Final = 1e-9


def counterexample(claim: Any, sign: int, empty: frozenset[str], written: tuple[Obstacle, ...]) -> Witness | None:
    """Return the smallest two tables that refute a claim: the second has the two cells empty.

    Either the first one has not, and its value is not exceeded by that of the second; or both have, and differ.
    """
    # In floating point: pairs of tables that do not have the required order.
    tables, values = small_tables(), sign * floats_at_tables(claim, written)
    places = [k for k, name in enumerate(CELL_NAMES) if name in empty]
    agrees = (tables[:, places] == 0).all(axis=1) & np.isfinite(values)
    firsts, seconds = np.flatnonzero(np.isfinite(values)), np.flatnonzero(agrees)
    gaps = values[firsts][:, None] - values[seconds][None, :]
    suspect = np.where(agrees[firsts][:, None], np.abs(gaps) > TOLERANCE, gaps > -TOLERANCE)
    pairs = np.argwhere(suspect)
    totals = tables.sum(axis=1)
    # The smallest pairs first; certify them exactly.
    order = np.argsort(totals[firsts[pairs[:, 0]]] + totals[seconds[pairs[:, 1]]], kind="stable")
    for place in order[:MAX_CERTIFIED]:
        first, second = tables[firsts[pairs[place, 0]]], tables[seconds[pairs[place, 1]]]
        left, right = value_at(claim.subject, first), value_at(claim.subject, second)
        if left is None or right is None or left.free_symbols or right.free_symbols:
            continue
        if not (is_defined(claim, first, written) and is_defined(claim, second, written)):
            continue
        gap = sign_of_number(sign * (left - right))
        both = all(first[k] == 0 for k in places)
        if gap in ((1, -1) if both else (1, 0)):
            counts = (Counts(*map(int, first)), Counts(*map(int, second)))
            return Witness(counts, (left, right), values_of(claim))
    return None


def values_of(claim: Any) -> dict[str, Rational]:
    """Return the parameter values for which tables are evaluated."""
    return {p.name: typical(p) for p in claim.parameters}


def is_defined(claim: Any, table: NDArray[np.int64], written: tuple[Obstacle, ...]) -> bool:
    """Whether a formula, without simplification, is defined at a table for all parameters."""
    obstacles = [*(obstacles_of(claim.subject) if claim.parameters else ()), *written]
    place = dict(zip(CELLS, map(Integer, map(int, table)), strict=True))
    try:
        return all(is_free(kind, placed(base, place), claim.parameters) for kind, base in obstacles)
    except UnsupportedError:
        return False


def floats_at_tables(claim: Any, written: tuple[Obstacle, ...]) -> NDArray[np.float64]:
    """Return the values of a formula at its default parameters at the tables that are searched."""
    defaults = {p.symbol: typical(p) for p in claim.parameters}
    tables = small_tables()
    try:
        formula = placed(claim.subject, defaults)
    except UnsupportedError:
        return np.full(len(tables), np.nan)
    with np.errstate(all="ignore"):
        result: Any = compiled(formula)(*tables.T.astype(np.float64))
    values = np.array(np.broadcast_to(np.asarray(result, dtype=np.float64), len(tables)))
    _fill_by_continuity(values, formula)
    for kind, base in written:
        with np.errstate(all="ignore"):
            found: Any = compiled(base.xreplace(defaults))(*tables.T.astype(np.float64))
        values[~_ALLOWED[kind](np.broadcast_to(np.asarray(found, dtype=np.float64), len(tables)))] = np.nan
    return values


_ALLOWED: Final[dict[str, Callable[[NDArray[np.float64]], NDArray[np.bool_]]]] = {
    DIVISOR: lambda values: np.abs(values) > TOLERANCE,
    RADICAND: lambda values: values >= 0,
    LOGARITHM: lambda values: values > TOLERANCE,
}


@lru_cache(maxsize=1)
def small_tables() -> NDArray[np.int64]:
    """Return the tables that are searched, those with few counts first."""
    tables = [table for table in itertools.product(range(LARGEST_COUNT + 1), repeat=4) if any(table)]
    return np.array(sorted(tables, key=lambda table: (sum(table), table)))


def value_at(formula: Expr, table: NDArray[np.int64]) -> Expr | None:
    """Return the exact value of a formula at a table, directly or by continuity; None if it has none."""
    place = dict(zip(CELLS, map(Integer, map(int, table)), strict=True))
    value = value_as_written(formula, place)
    if value is None and formula.free_symbols <= set(CELLS):
        return value_by_continuity(formula, place)
    return value


def has_value(formula: Expr, empty: frozenset[str]) -> bool:
    """Whether a formula without parameters is defined, without limits, at a small table with zero cells.

    :param empty: the names of these cells
    """
    for table in small_tables().tolist():
        place = dict(zip(CELLS, map(Integer, table), strict=True))
        is_there = not any(place[cell] for cell in CELLS if cell.name in empty)
        if is_there and value_as_written(formula, place) is not None:
            return True
    return False


def _fill_by_continuity(values: NDArray[np.float64], formula: Expr) -> None:
    """Fill undefined values of formulas with logarithms at the smallest tables by their limits."""
    if not formula.has(log) or not formula.free_symbols <= set(CELLS):
        return
    for place, table in enumerate(small_tables()):
        if np.isnan(values[place]) and max(table) <= SMALL_COUNT and min(table) == 0:
            value = value_at(formula, table)
            values[place] = np.nan if value is None else float(value)


def sign_of_number(value: Expr) -> int | None:
    """Return the certified sign of a constant, None if it cannot be certified."""
    if value == 0:
        return 0
    try:
        return sign_of_value(Evaluator(value, ()))
    except (Undefined, UnsupportedError):
        return None


# ----------------------------------------------------------------------------------------------------------------------


RIGHT: Final = frozenset({"FN", "FP"})
WRONG: Final = frozenset({"TP", "TN"})


def decide(claim: LargestAtAgreement | SmallestAtDisagreement, decide_part: Decide) -> Decision:
    """Decide whether a formula is at its extreme exactly where two cells are zero.

    :param decide_part: function that decides an inequality
    """
    return decide_by_cases(claim, _whole, decide_part)


def _whole(
    claim: LargestAtAgreement | SmallestAtDisagreement, decide_part: Decide, written: tuple[Obstacle, ...]
) -> Decision:
    """Decide the claim for all values of its parameters at once.

    :param decide_part: function that decides an inequality
    :param written: further obstacles in the formula before values were substituted for parameters
    """
    sign, empty = (1, RIGHT) if isinstance(claim, LargestAtAgreement) else (-1, WRONG)
    witness = counterexample(claim, sign, empty, written)
    if witness is not None:
        return Decision("refuted", False, Evidence("tables"), witness=witness)
    try:
        path = None if claim.parameters else unbounded_curve(claim.subject, sign)
        if path is not None:
            return Decision("refuted", False, Evidence("unbounded", {"path": _texts(path)}))
        is_real = is_real_nearly_everywhere(claim.subject, claim.parameters)
        if is_real and (refutation := _attained_elsewhere(claim, sign, empty, decide_part, written)) is not None:
            return refutation
        faces = _Faces(claim, sign, empty, decide_part)
        exceeded = faces.exceeded(written) if claim.parameters else None
        if exceeded is None and not is_real:
            faces.require_values()
        return exceeded or faces.decision()
    except UnsupportedError as error:
        return open_decision(str(error))


def _attained_elsewhere(
    claim: Any, sign: int, empty: frozenset[str], decide_part: Decide, written: tuple[Obstacle, ...]
) -> Decision | None:
    """Refute a claim by a table where the two cells are not both zero and the supremum is attained."""
    tables = small_tables()
    values = sign * floats_at_tables(claim, written)
    places = [k for k, name in enumerate(CELL_NAMES) if name in empty]
    others = np.flatnonzero((tables[:, places] != 0).any(axis=1) & np.isfinite(values))
    if not len(others):
        return None
    # A table with the largest value among the small ones, no less than wherever the two cells are zero.
    top = others[np.flatnonzero(values[others] >= values[others].max() - TOLERANCE)[0]]
    if (values[(tables[:, places] == 0).all(axis=1)] > values[top] + TOLERANCE).any():
        return None
    value = value_at(claim.subject, tables[top])
    if value is None or value.free_symbols or not is_defined(claim, tables[top], written):
        return None
    try:
        end = end_of(claim, sign, decide_part)
    except UnsupportedError:
        return None
    if not end.bound.is_number or sign_of_number(end.bound - value) != 0:
        return None
    table = Counts(*map(int, tables[top]))
    witness = Witness((table,), (value,), values_of(claim))
    return Decision("refuted", False, Evidence("attained elsewhere", {"end": end.record()}), witness=witness)


class _Faces:
    """A proof over the open orthant and each of its faces."""

    def __init__(self, claim: Any, sign: int, empty: frozenset[str], decide_part: Decide) -> None:
        self.subject: Expr = claim.subject
        self.parameters = claim.parameters
        self.sign = sign
        self.empty = empty
        self.decide_part = decide_part
        self.extreme: Expr = self.limit(next(_curves(empty)))
        symbols = {p.symbol for p in self.parameters}
        if not self.extreme.free_symbols <= symbols or self.extreme.is_infinite:
            raise UnsupportedError(
                f"M tends to {formula_text(self.extreme)} where {_where(empty)}, which is not a number"
            )
        placed(self.subject, dict.fromkeys((cell for cell in CELLS if cell.name in empty), S.Zero))

    def decision(self) -> Decision:
        """Prove that the extreme value is attained exactly where the cells are empty."""
        self.require_value()
        record: dict[str, Any] = {"extreme": formula_text(self.extreme), "inside": self.proof(self.subject)}
        sizes = (1, 2, 3)
        faces = [frozenset(cells) for size in sizes for cells in itertools.combinations(CELL_NAMES, size)]
        record["faces"] = {_key(face): self.face(face) for face in faces}
        return Decision("proved", True, Evidence("faces", record))

    def require_values(self) -> None:
        """Make sure that a formula that is not real at all tables needs no limits: where it is real it is defined.

        A curve into a table may run where such a formula is not real, though it is so on other ways to that table.

        :raises UnsupportedError: if it may need one
        """
        reason = "the formula is real only at some of the tables near those with zero cells"
        if self.parameters:
            raise UnsupportedError(f"{reason}, and has parameters")
        obstacles = list(obstacles_of(self.subject))
        for face in (frozenset(cells) for size in (1, 2, 3) for cells in itertools.combinations(CELL_NAMES, size)):
            here = [(kind, self.placed(base, face)) for kind, base in obstacles]
            if not all(kind == RADICAND or is_free(kind, base, ()) for kind, base in here):
                raise UnsupportedError(f"{reason}, and may have a limit where {_where(face)}")

    def require_value(self) -> None:
        """Make sure that the formula, without simplification, is defined where the claim puts the extreme.

        SymPy cancels what is zero there before it divides, and so does a curve: what is left is no value.

        :raises UnsupportedError: if no such table was found, or for some parameters there may be none
        """
        if self.parameters:
            obstacles = [pair for pair in obstacles_of(self.subject) if pair[0] != RADICAND]
            if not self.is_free(self.empty, obstacles):
                raise UnsupportedError(f"where {_where(self.empty)} the formula may have no value for some parameters")
            return
        if not has_value(self.subject, self.empty):
            raise UnsupportedError(f"no table where {_where(self.empty)} was found at which the formula has a value")

    def limit(self, path: Table) -> Expr:
        """Return the limit along a curve, possibly oo or -oo."""
        limit = leading_term(self.subject, self.parameters, dict(zip(CELLS, path, strict=True))).limit
        if limit is S.NaN:
            raise UnsupportedError("the sign of an infinite limit is not known")
        if not has_value_along(self.subject, self.parameters, path):
            raise UnsupportedError("for some parameters the formula may have no value on the curve")
        return limit

    def proof(self, formula: Expr, status: Status = "proved") -> dict[str, Any]:
        """Return evidence that a formula in the cells does not reach the extreme value.

        :param status: ``refuted`` for evidence that it does, at some table for each choice of the parameters
        """
        claim = self.within(formula)
        decision = self.decide_part(claim)
        if decision.status != status:
            raise UnsupportedError(f"{formula_text(formula)} was not shown to stay away from {self.extreme}")
        return decision.record()

    def within(self, formula: Expr) -> StrictInequality:
        """Return the claim that a formula in the cells does not reach the extreme value."""
        symbols = formula.free_symbols | self.extreme.free_symbols
        parameters = tuple(p for p in self.parameters if p.symbol in symbols)
        if self.extreme.is_number:
            relation = self.sign * (self.extreme - value_symbol(0))
            return StrictInequality(formula, parameters, (CELLS,), relation=relation)
        relation = self.sign * (value_symbol(1) - value_symbol(0))
        return StrictInequality(formula, parameters, (CELLS, CELLS), relation=relation, partner=self.extreme)

    def exceeded(self, written: tuple[Obstacle, ...]) -> Decision | None:
        """Refute a claim by another face on which, for all parameters, some table reaches the extreme value.

        The formula has to have a value at all tables of this face, and of the one where the claim has the extreme.
        """
        obstacles = [*obstacles_of(self.subject), *written]
        if not self.is_free(self.empty, obstacles):
            return None
        for face in (frozenset(cells) for size in range(4) for cells in itertools.combinations(CELL_NAMES, size)):
            if face >= self.empty or not self.is_free(face, obstacles):
                continue
            here = self.placed(self.subject, face)
            record: dict[str, Any] = {"extreme": formula_text(self.extreme), "face": _key(face)}
            if self.gap(here) not in (0, -1):
                try:
                    record["proof"] = self.proof(here, "refuted")
                except UnsupportedError:
                    continue
            return Decision("refuted", False, Evidence("exceeded", record))
        return None

    def placed(self, formula: Expr, face: frozenset[str]) -> Expr:
        """Return a formula on a face, without simplification."""
        return placed(formula, dict.fromkeys((cell for cell in CELLS if cell.name in face), S.Zero))

    def is_free(self, face: frozenset[str], obstacles: list[Obstacle]) -> bool:
        """Whether the formula is certainly defined at all tables of a face."""
        try:
            return all(is_free(kind, self.placed(base, face), self.parameters) for kind, base in obstacles)
        except UnsupportedError:
            return False

    def gap(self, value: Expr) -> int | None:
        """Return the sign of the gap between the extreme and a value, for all cells and parameters; None if open."""
        return self.certain_sign(self.sign * (self.extreme - value))

    def certain_sign(self, value: Expr) -> int | None:
        """Return the sign of an expression for all cells and parameters, None if it is not certain."""
        if not value.free_symbols:
            return sign_of_number(value)
        element = Conversion(field := field_for(self.parameters))(value)
        return 0 if element.is_zero else certain_sign(element, field)

    def face(self, face: frozenset[str]) -> dict[str, Any]:
        """Return evidence that a face is as the claim requires: extreme value, or not."""
        if face >= self.empty:
            return self.at_extreme(face)
        reasons = []
        for path in _curves(face):
            try:
                limit = self.limit(path)
                texts = {"path": _texts(path), "limit": _text(limit)}
                if limit.is_infinite:
                    return texts
                if self.gap(limit) == 1:
                    return texts
                if not limit.is_number:
                    return texts | {"proof": self.proof(limit)}
                reasons.append(f"it tends to {limit}")
            except UnsupportedError as error:
                reasons.append(str(error))
        raise UnsupportedError(f"where {_where(face)}: {reasons[0]}")

    def at_extreme(self, face: frozenset[str]) -> dict[str, Any]:
        """Return evidence that a formula has the extreme value on a face, or is undefined there."""
        found: list[tuple[Table, Expr]] = []
        for path in _curves(face):
            limit = self.limit(path)
            if not found and (limit.is_infinite or self.gap(limit) == 0):
                return {"path": _texts(path), "limit": _text(limit)}
            for other, value in found:
                if limit.is_infinite or self.certain_sign(limit - value) in (1, -1):
                    return {"paths": [_texts(other), _texts(path)], "limits": [_text(value), _text(limit)]}
            found.append((path, limit))
        raise UnsupportedError(f"where {_where(face)}, M tends to {found[0][1]}")


def _curves(face: frozenset[str]) -> Iterator[Table]:
    """Yield curves into each table of a face, the straight one first."""
    places = [k for k, name in enumerate(CELL_NAMES) if name in face]
    speeds = sorted(itertools.product((1, 2, 3), repeat=len(places)), key=lambda powers: (max(powers), sum(powers)))
    for powers in speeds:
        cells: list[Expr] = list(CELLS)
        for place, power in zip(places, powers, strict=True):
            cells[place] = STEP**power
        yield cells[0], cells[1], cells[2], cells[3]
        if len(places) > 1 and sum(powers) == len(places):
            cells[places[0]] = 2 * STEP
            yield cells[0], cells[1], cells[2], cells[3]


def _where(face: frozenset[str]) -> str:
    return " = ".join(name for name in CELL_NAMES if name in face) + " = 0"


def _key(face: frozenset[str]) -> str:
    return " ".join(name for name in CELL_NAMES if name in face)


def _texts(path: Table) -> list[str]:
    return [formula_text(cell) for cell in path]


def _text(limit: Expr) -> str:
    return str(limit) if limit.is_infinite else formula_text(limit)
