"""Where a formula is at its best or worst: exactly where all predictions are right, or all are wrong.

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
from sympy import Expr, Integer, S

from symmetrics.algebra.evaluate import Evaluator, Undefined
from symmetrics.algebra.evaluate import certain_sign as sign_of_value
from symmetrics.cells import CELL_NAMES, CELLS, Table
from symmetrics.claims import Claim, StrictInequality, value_symbol
from symmetrics.claims.limit import STEP
from symmetrics.claims.values import LargestAtAgreement, SmallestAtDisagreement
from symmetrics.errors import UnsupportedError
from symmetrics.formula import formula_text
from symmetrics.prover.limits import leading_term, placed
from symmetrics.prover.ranges import end_of, unbounded_curve
from symmetrics.prover.suspects import compiled
from symmetrics.verdict import Counts, Decision, Evidence, Verdict, Witness

__all__ = ["decide_agreement"]

Decide = Callable[[Claim], Decision]
LARGEST_COUNT: Final = 3
"""Largest cell of the tables among which a counterexample is searched."""
MAX_CERTIFIED: Final = 40
"""Pairs of tables that are compared exactly."""
TOLERANCE: Final = 1e-9
RIGHT: Final = frozenset({"FN", "FP"})
WRONG: Final = frozenset({"TP", "TN"})


def decide_agreement(claim: LargestAtAgreement | SmallestAtDisagreement, decide: Decide) -> Decision:
    """Decide whether a formula is at its extreme exactly where two cells are zero.

    :param decide: what decides an inequality
    """
    sign, empty = (1, RIGHT) if isinstance(claim, LargestAtAgreement) else (-1, WRONG)
    witness = _counterexample(claim, sign, empty)
    if witness is not None:
        return Decision("refuted", False, Evidence("tables", _sentence(witness, empty)), witness=witness)
    try:
        path = None if claim.parameters else unbounded_curve(claim.subject, sign)
        if path is not None:
            where = f"({', '.join(formula_text(cell) for cell in path)})".replace(STEP.name, "s")
            sentence = f"no table attains an extreme value: M tends to {sign * S.Infinity} at {where} as s -> 0+"
            return Decision(
                "refuted", False, Evidence("unbounded", sentence, {"path": [formula_text(cell) for cell in path]})
            )
        return _attained_elsewhere(claim, sign, empty, decide) or _Faces(claim, sign, empty, decide).decision()
    except UnsupportedError as error:
        return Decision("open", None, Evidence("open", f"open: {error}"))


def _attained_elsewhere(claim: Any, sign: int, empty: frozenset[str], decide: Decide) -> Decision | None:
    """Refute a claim by a table where the two cells are not both zero, and the supremum is attained."""
    tables = _tables()
    values = sign * _floats(claim)
    places = [k for k, name in enumerate(CELL_NAMES) if name in empty]
    others = np.flatnonzero((tables[:, places] != 0).any(axis=1) & np.isfinite(values))
    if claim.parameters or not len(others):
        return None
    # A table that is largest among the small ones, and as large as all where the two cells are zero.
    top = others[np.flatnonzero(values[others] >= values[others].max() - TOLERANCE)[0]]
    if (values[(tables[:, places] == 0).all(axis=1)] > values[top] + TOLERANCE).any():
        return None
    value = _value(claim.subject, tables[top])
    try:
        end = end_of(claim, sign, decide)
    except UnsupportedError:
        return None
    if value is None or _certain_sign(end.bound - value) != 0:
        return None
    table = Counts(*map(int, tables[top]))
    which = "maximum" if sign > 0 else "minimum"
    sentence = f"M is at its {which} {formula_text(value)} at (TP, FN, FP, TN) = ({', '.join(map(str, table))}) too"
    witness = Witness((table,), (value,), {})
    return Decision("refuted", False, Evidence("attained elsewhere", sentence, {"end": end.record()}), witness=witness)


class _Faces:
    """A proof over the open orthant and each of its faces."""

    def __init__(self, claim: Any, sign: int, empty: frozenset[str], decide: Decide) -> None:
        self.subject: Expr = claim.subject
        self.parameters = claim.parameters
        self.sign = sign
        self.empty = empty
        self.decide = decide
        self.extreme: Expr = self.limit(next(_curves(empty)))
        if not self.extreme.is_number or not self.extreme.is_finite:
            raise UnsupportedError(
                f"M tends to {formula_text(self.extreme)} where {_where(empty)}, which is not a number"
            )
        placed(self.subject, dict.fromkeys((cell for cell in CELLS if cell.name in empty), S.Zero))

    def decision(self) -> Decision:
        """Prove that the extreme value is attained exactly where the cells are empty."""
        record: dict[str, Any] = {"extreme": formula_text(self.extreme), "inside": self.proof(self.subject)}
        sizes = (1, 2, 3)
        faces = [frozenset(cells) for size in sizes for cells in itertools.combinations(CELL_NAMES, size)]
        record["faces"] = {_key(face): self.face(face) for face in faces}
        what = "maximum" if self.sign > 0 else "minimum"
        sentence = (
            f"the {what} {formula_text(self.extreme)} is the limit wherever {_where(self.empty)}, where M has one, "
            "and M does not reach it inside the orthant or on any other face"
        )
        return Decision("proved", True, Evidence("faces", sentence, record))

    def limit(self, path: Table) -> Expr:
        """Return the limit along a curve, with oo and -oo."""
        limit = leading_term(self.subject, self.parameters, dict(zip(CELLS, path, strict=True))).limit
        if limit is S.NaN:
            raise UnsupportedError("the sign of an infinite limit is not known")
        return limit

    def proof(self, formula: Expr) -> dict[str, Any]:
        """Return evidence that a formula in the cells does not reach the extreme value."""
        relation = self.sign * (self.extreme - value_symbol(0))
        parameters = tuple(p for p in self.parameters if p.symbol in formula.free_symbols)
        claim = StrictInequality(formula, parameters, (CELLS,), relation=relation)
        decision = self.decide(claim)
        if decision.status != "proved":
            raise UnsupportedError(f"{formula_text(formula)} was not shown to stay away from {self.extreme}")
        part = Verdict.of(decision, claim, metric="", property="").certificate()
        return {key: part[key] for key in part if key not in ("metric", "property", "claim")}

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
                if not limit.is_number:
                    return texts | {"proof": self.proof(limit)}
                if _certain_sign(self.sign * (self.extreme - limit)) == 1:
                    return texts
                reasons.append(f"it tends to {limit}")
            except UnsupportedError as error:
                reasons.append(str(error))
        raise UnsupportedError(f"where {_where(face)}: {reasons[0]}")

    def at_extreme(self, face: frozenset[str]) -> dict[str, Any]:
        """Return evidence that a formula has the extreme value on a face, or no value."""
        found: list[tuple[Table, Expr]] = []
        for path in _curves(face):
            limit = self.limit(path)
            if not found and (limit == self.extreme or limit.is_infinite):
                return {"path": _texts(path), "limit": _text(limit)}
            for other, value in found:
                if limit.is_infinite or (
                    limit.is_number and value.is_number and _certain_sign(limit - value) in (1, -1)
                ):
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


def _counterexample(claim: Any, sign: int, empty: frozenset[str]) -> Witness | None:
    """Return the smallest two tables that show a claim to be wrong: the second has the two cells empty.

    Either the first one has not, and its value is not exceeded by that of the second; or both have, and differ.
    """
    if any(p.default is None for p in claim.parameters):
        return None
    tables, values = _tables(), sign * _floats(claim)
    places = [k for k, name in enumerate(CELL_NAMES) if name in empty]
    agrees = (tables[:, places] == 0).all(axis=1) & np.isfinite(values)
    firsts, seconds = np.flatnonzero(np.isfinite(values)), np.flatnonzero(agrees)
    gaps = values[firsts][:, None] - values[seconds][None, :]
    suspect = np.where(agrees[firsts][:, None], np.abs(gaps) > TOLERANCE, gaps > -TOLERANCE)
    pairs = np.argwhere(suspect)
    totals = tables.sum(axis=1)
    order = np.argsort(totals[firsts[pairs[:, 0]]] + totals[seconds[pairs[:, 1]]], kind="stable")
    for place in order[:MAX_CERTIFIED]:
        first, second = tables[firsts[pairs[place, 0]]], tables[seconds[pairs[place, 1]]]
        left, right = _value(claim.subject, first), _value(claim.subject, second)
        if left is None or right is None or left.free_symbols or right.free_symbols:
            continue
        gap = _certain_sign(sign * (left - right))
        both = all(first[k] == 0 for k in places)
        if gap in ((1, -1) if both else (1, 0)):
            counts = (Counts(*map(int, first)), Counts(*map(int, second)))
            return Witness(counts, (left, right), {p.name: p.default for p in claim.parameters})
    return None


def _floats(claim: Any) -> NDArray[np.float64]:
    """Return the values of a formula at its default parameters at the tables that are searched."""
    defaults = {p.symbol: p.default for p in claim.parameters}
    tables = _tables()
    with np.errstate(all="ignore"):
        result: Any = compiled(claim.subject.xreplace(defaults))(*tables.T.astype(np.float64))
    return np.broadcast_to(np.asarray(result, dtype=np.float64), len(tables))


@lru_cache(maxsize=1)
def _tables() -> NDArray[np.int64]:
    tables = [table for table in itertools.product(range(LARGEST_COUNT + 1), repeat=4) if any(table)]
    return np.array(sorted(tables, key=lambda table: (sum(table), table)))


def _value(formula: Expr, table: NDArray[np.int64]) -> Expr | None:
    """Return the exact value of a formula, as it is written, at a table; None if it has none."""
    try:
        value = placed(formula, dict(zip(CELLS, map(Integer, map(int, table)), strict=True)))
    except UnsupportedError:
        return None
    return None if value.is_real is False else value


def _certain_sign(value: Expr) -> int | None:
    if value == 0:
        return 0
    try:
        return sign_of_value(Evaluator(value, ()))
    except (Undefined, UnsupportedError):
        return None


def _sentence(witness: Witness, empty: frozenset[str]) -> str:
    first, second = (f"({', '.join(map(str, table))})" for table in witness.tables)
    values = " and ".join(formula_text(value) for value in witness.values)
    where = "both have" if all(getattr(witness.tables[0], name.lower()) == 0 for name in empty) else "the second has"
    return f"M = {values} at (TP, FN, FP, TN) = {first} and {second}, of which {where} {_where(empty)}"


def _where(face: frozenset[str]) -> str:
    return " = ".join(name for name in CELL_NAMES if name in face) + " = 0"


def _key(face: frozenset[str]) -> str:
    return " ".join(name for name in CELL_NAMES if name in face)


def _texts(path: Table) -> list[str]:
    return [formula_text(cell) for cell in path]


def _text(limit: Expr) -> str:
    return str(limit) if limit.is_infinite else formula_text(limit)
