"""Where a formula is at its best or worst: exactly where all predictions are right, or all are wrong.

The value of a formula on a face of the orthant is its limit there.  If that exists it is the limit along every curve,
so that one curve whose limit differs from the extreme value shows that a table of the face does not attain it.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any, Final

import numpy as np
from sympy import Expr, S

from symmetrics.algebra.convert import Conversion, field_for
from symmetrics.algebra.limits.certainty import certain_sign
from symmetrics.claims import StrictInequality, value_symbol
from symmetrics.claims.families.agreement import LargestAtAgreement, SmallestAtDisagreement
from symmetrics.claims.families.limits import STEP
from symmetrics.claims.verdict import Counts, Decision, Evidence, Status, Witness, open_decision
from symmetrics.language.cells import CELL_NAMES, CELLS, Table
from symmetrics.language.formula import formula_text
from symmetrics.prover.engine.cases import Decide, decide_by_cases
from symmetrics.prover.engine.curves import has_value_along
from symmetrics.prover.engine.ends import end_of, unbounded_curve
from symmetrics.prover.engine.extremes import (
    TOLERANCE,
    counterexample,
    floats_at_tables,
    has_value,
    is_defined,
    sign_of_number,
    small_tables,
    value_at,
    values_of,
)
from symmetrics.prover.engine.leading import leading_term, placed
from symmetrics.prover.engine.obstacles import RADICAND, Obstacle, is_free, obstacles_of
from symmetrics.prover.engine.reality import is_real_nearly_everywhere
from symmetrics.tools.errors import UnsupportedError

__all__ = ["decide"]

RIGHT: Final = frozenset({"FN", "FP"})
WRONG: Final = frozenset({"TP", "TN"})


def decide(claim: LargestAtAgreement | SmallestAtDisagreement, decide_part: Decide) -> Decision:
    """Decide whether a formula is at its extreme exactly where two cells are zero.

    :param decide_part: what decides an inequality
    """
    return decide_by_cases(claim, _whole, decide_part)


def _whole(
    claim: LargestAtAgreement | SmallestAtDisagreement, decide_part: Decide, written: tuple[Obstacle, ...]
) -> Decision:
    """Decide the claim for all values of its parameters at once.

    :param decide_part: what decides an inequality
    :param written: what else may be in the way of the formula, as it was written before parameters got their values
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
    """Refute a claim by a table where the two cells are not both zero, and the supremum is attained."""
    tables = small_tables()
    values = sign * floats_at_tables(claim, written)
    places = [k for k, name in enumerate(CELL_NAMES) if name in empty]
    others = np.flatnonzero((tables[:, places] != 0).any(axis=1) & np.isfinite(values))
    if not len(others):
        return None
    # A table that is largest among the small ones, and as large as all where the two cells are zero.
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
        """Make sure that a formula with restricted reality needs no limit on any face: where it is real it has a value.

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
        """Make sure that the formula, as it is written, has a value where the claim has the extreme.

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
        """Return the limit along a curve, with oo and -oo."""
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
        """Refute a claim by a face where, whatever the parameters are, a table reaches the extreme value.

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
        """Return a formula on a face, as it is written."""
        return placed(formula, dict.fromkeys((cell for cell in CELLS if cell.name in face), S.Zero))

    def is_free(self, face: frozenset[str], obstacles: list[Obstacle]) -> bool:
        """Whether the formula is certain to have a value at all tables of a face."""
        try:
            return all(is_free(kind, self.placed(base, face), self.parameters) for kind, base in obstacles)
        except UnsupportedError:
            return False

    def gap(self, value: Expr) -> int | None:
        """Return the sign of how much a value is short of the extreme, for all cells and parameters; None if open."""
        return self.certain_sign(self.sign * (self.extreme - value))

    def certain_sign(self, value: Expr) -> int | None:
        """Return the sign of an expression for all cells and parameters, None if it is not certain."""
        if not value.free_symbols:
            return sign_of_number(value)
        element = Conversion(field := field_for(self.parameters))(value)
        return 0 if element.is_zero else certain_sign(element, field)

    def face(self, face: frozenset[str]) -> dict[str, Any]:
        """Return evidence that a face is as claimed."""
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
        """Return evidence that a formula has the extreme value on a face, or no value."""
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
