"""Directions along which a formula does not change: the spaces that translations and scalings of the cells make."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, Final

from flint import ctx, fmpq
from sympy import Expr, S, Symbol

from symmetrics.algebra.convert import field_for
from symmetrics.algebra.evaluate import Undefined, Value
from symmetrics.algebra.jets import jet_at
from symmetrics.calculus import gradient
from symmetrics.cells import CELLS
from symmetrics.claims.structure import DirectionSpace, ScalingSpace, Vector, space_text, vector_text
from symmetrics.errors import UnsupportedError
from symmetrics.prover.conditions import sample_values
from symmetrics.prover.elimination import Elimination, null_space, reduced_basis
from symmetrics.prover.minors import SQUARE_TABLES, at_exceptions, polynomial_row, values_at
from symmetrics.prover.parts import proof_of
from symmetrics.verdict import Decision, Evidence, open_decision

__all__ = ["decide_direction_space"]

TABLES: Final = ((2, 3, 5, 11), (7, 2, 1, 4), (3, 13, 2, 5), (1, 2, 9, 4), (5, 1, 3, 2), (4, 9, 30, 1), (2, 7, 3, 8))
"""Tables at which the gradient is looked at first."""
MORE_TABLES: Final = (*itertools.permutations((2, 3, 5, 11)), *itertools.permutations((1, 2, 4, 60)))
"""Tables for formulas whose pieces the first ones miss."""
MAX_ENTRY: Final = 5
"""Largest entry of a direction that is tried where the gradient is irrational."""
MAX_SAMPLES: Final = 4
"""Values of the parameters at which the gradient is looked at."""


def decide_direction_space(claim: DirectionSpace) -> Decision:
    """Decide along which directions a formula does not change.

    Whatever is orthogonal to the gradient at all tables is a candidate, and each is decided as an identity, because a
    formula that jumps may have the derivative zero.  That there is no further direction the rank of gradients shows.
    """
    reason = "the derivatives at the tables tried leave directions that do not come out as whole numbers"
    for tables in (TABLES, MORE_TABLES):
        try:
            found = _gradients(claim, tables)
            if found.elimination.rank == len(CELLS):
                return _without_directions(claim, found)
            basis = found.candidates()
            if len(basis) + found.elimination.rank != len(CELLS):
                continue
            proofs = {vector: proof_of(claim.part(vector)) for vector in basis}
        except UnsupportedError as error:
            reason = str(error)
            continue
        failing = next((vector for vector, proof in proofs.items() if proof is None), None)
        if failing is None:
            return _with_directions(found, {vector: proof for vector, proof in proofs.items() if proof})
        reason = f"along {vector_text(failing)} the derivative is 0 at the tables tried, and it is not proved"
    return open_decision(reason)


@dataclass
class _Gradients:
    """Gradients at tables, with those that are independent."""

    elimination: Elimination = field(default_factory=Elimination)
    rows: list[tuple[Value, ...]] = field(default_factory=list)
    points: list[dict[str, Any]] = field(default_factory=list)
    """Table and parameters of the rows that are independent."""

    def candidates(self) -> list[Vector]:
        """Return the reduced basis of the whole directions that are orthogonal to all rows, as far as they show."""
        if all(isinstance(entry, fmpq) for row in self.rows for entry in row):
            return [_vector(v) for v in reduced_basis(null_space(self.rows, len(CELLS)))]
        fitting: Iterable[Vector] = _small_vectors()
        for row in self.rows:
            first, second, third, fourth = map(float, row)
            close = 1e-9 * max(map(abs, (first, second, third, fourth)))
            fitting = [v for v in fitting if abs(first * v[0] + second * v[1] + third * v[2] + fourth * v[3]) <= close]
        return [_vector(v) for v in reduced_basis(list(fitting))]


def _vector(entries: Iterable[int]) -> Vector:
    first, second, third, fourth = entries
    return first, second, third, fourth


@cache
def _small_vectors() -> list[Vector]:
    entries = range(-MAX_ENTRY, MAX_ENTRY + 1)
    return [_vector(v) for v in itertools.product(entries, repeat=len(CELLS)) if v > (0,) * len(CELLS)]


def _gradients(claim: DirectionSpace, tables: Sequence[Sequence[int]]) -> _Gradients:
    found = _Gradients()
    for values, table in itertools.product(_parameter_values(claim), tables):
        bound = claim.subject.xreplace(values)
        if bound.has(S.ComplexInfinity, S.NaN):
            continue
        row = _row(claim, bound, table)
        if row is None:
            continue
        found.rows.append(row)
        if found.elimination.add(row):
            settings = {symbol.name: str(value) for symbol, value in values.items()}
            found.points.append({"table": list(table)} | ({"parameters": settings} if settings else {}))
        if found.elimination.rank == len(CELLS):
            break
    return found


def _parameter_values(claim: DirectionSpace) -> Iterator[Mapping[Symbol, Expr]]:
    samples = sample_values(claim.parameters)
    return itertools.islice(samples, MAX_SAMPLES) if claim.parameters else iter([{}])


def _row(claim: DirectionSpace, formula: Expr, table: Sequence[int]) -> tuple[Value, ...] | None:
    """Return what has to be orthogonal to every direction; None where the formula has no derivative."""
    saved, ctx.prec = ctx.prec, 128
    try:
        partials = jet_at(formula, CELLS, table).partials
    except Undefined:
        return None
    finally:
        ctx.prec = saved
    if isinstance(claim, ScalingSpace):
        return tuple(count * partial for count, partial in zip(table, partials, strict=True))
    return partials


def _with_directions(found: _Gradients, decided: Mapping[Vector, Decision]) -> Decision:
    parts = {vector_text(vector): decision.record() for vector, decision in decided.items()}
    data = {"directions": parts, "points": found.points}
    value = space_text(decided)
    return Decision("proved", True, Evidence("directions", data), value=value)


def _without_directions(claim: DirectionSpace, found: _Gradients) -> Decision:
    value = space_text([])
    if not claim.parameters:
        return Decision("refuted", False, Evidence("rank", {"points": found.points}), value=value)
    algebra = field_for(claim.parameters)
    slopes = gradient(claim.subject)

    def rows() -> Iterator[tuple[Sequence[int], Sequence[Any]]]:
        for table in (*SQUARE_TABLES, *TABLES):
            elements = values_at(slopes, table, algebra)
            row = None if elements is None else polynomial_row(elements, algebra)
            if row is not None:
                weights = table if isinstance(claim, ScalingSpace) else (1,) * len(CELLS)
                yield table, [weight * entry for weight, entry in zip(weights, row, strict=True)]

    decide: Callable[[Any], Decision] = decide_direction_space
    try:
        decision = at_exceptions(claim, rows(), len(CELLS), algebra, decide)
    except UnsupportedError as error:
        return open_decision(
            f"no direction serves all values of the parameters, and for single ones it is not known: {error}"
        )
    return replace(decision, value=value if decision.value is None else f"{value}; {decision.value}")
