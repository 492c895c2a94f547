"""Directions along which a formula does not change: the spaces that translations and scalings of the cells make."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, Final

from flint import ctx, fmpq
from sympy import Expr, Integer, S, Symbol

from symmetrics.algebra.evaluate import Undefined
from symmetrics.algebra.evaluate import Value as Number
from symmetrics.algebra.jets import jet_at
from symmetrics.claims.families.directions import Direction, DirectionSpace, ScalingSpace, vector_text
from symmetrics.claims.values import Cases, Space, Value, vector
from symmetrics.claims.verdict import Decision, Evidence, open_decision
from symmetrics.language.cells import CELLS
from symmetrics.language.parameter import defaults_of
from symmetrics.prover.engine.cases import Decide, Watched, decide_by_cases
from symmetrics.prover.engine.conditions import sample_values
from symmetrics.prover.engine.elimination import Elimination, null_space, reduced_basis
from symmetrics.prover.engine.gradients import TABLES, general_space
from symmetrics.prover.engine.parts import proof_of
from symmetrics.tools.errors import UnsupportedError

__all__ = ["decide"]

MORE_TABLES: Final = (*itertools.permutations((2, 3, 5, 11)), *itertools.permutations((1, 2, 4, 60)))
"""Tables for formulas whose pieces the first ones miss."""
MAX_ENTRY: Final = 5
"""Largest entry of a direction that is tried where the gradient is irrational."""
MAX_SAMPLES: Final = 4
"""Values of the parameters at which the gradient is looked at."""


def decide(claim: DirectionSpace, decide_part: Decide) -> Decision:
    """Decide along which directions a formula does not change, for each value of its parameters.

    Whatever is orthogonal to the gradient at all tables is a candidate, and each is decided as an identity, because a
    formula that jumps may have the derivative zero.  That there is no further direction the rank of gradients shows,
    for all values of the parameters at once or case by case.  If that does not come to an end, the directions that
    serve all values are named, and not called all there are.

    :param decide_part: what decides an inequality
    """
    if not claim.parameters:
        return _decided(claim)
    decision = decide_by_cases(claim, _whole, decide_part)
    if decision.status == "open":
        serving = _decided(claim)
        decision = serving if serving.status == "proved" else decision
    return _with_defaults(claim, decision)


def _whole(claim: DirectionSpace, watched: Watched, _: object) -> Decision:
    """Decide the claim for all values of its parameters by the same directions."""
    if not claim.parameters:
        return _decided(claim)
    try:
        space = general_space(claim)
        for cut in space.cuts:
            watched.note(cut)
        if space.cuts or not space.is_complete:
            raise UnsupportedError("there may be further directions at some values of the parameters")
        proofs = {direction: proof_of(claim.part(direction)) for direction in space.basis}
    except UnsupportedError as error:
        return open_decision(str(error))
    if not proofs:
        return Decision("refuted", False, Evidence("minors", {"minors": space.minors}), found=Space((), True))
    failing = [direction for direction, proof in proofs.items() if proof is None]
    if failing:
        return open_decision(
            f"along {vector_text(failing[0])} the derivative is 0 at the tables that were tried, and it is not proved "
            "that it is 0 everywhere"
        )
    parts = {vector_text(direction): proof.record() for direction, proof in proofs.items() if proof is not None}
    data = {"directions": parts, "minors": space.minors}
    return Decision("proved", True, Evidence("directions", data), found=Space(tuple(map(vector, proofs)), True))


def _with_defaults(claim: DirectionSpace, decision: Decision) -> Decision:
    """Return a decision with the space at the default parameters in its value, unless that is plain."""
    defaults = defaults_of(claim.parameters)
    if not isinstance(decision.found, Space | Cases) or defaults is None or _is_plain(decision.found):
        return decision
    here = _decided(claim.at(defaults))
    if here.status == "open":
        return decision
    data = {**decision.evidence.data, "at_defaults": here.record()}
    found = replace(decision.found, at_defaults=here.found)
    return replace(decision, evidence=replace(decision.evidence, data=data), found=found)


def _is_plain(found: Value) -> bool:
    """Whether a space is the same for all values of the parameters, so that it is also that at the defaults."""
    if isinstance(found, Cases):
        return len(found.values) == 1 and found.values[0].condition is S.true and _is_plain(found.values[0].value)
    return isinstance(found, Space) and found.is_complete and all(isinstance(e, int) for v in found.basis for e in v)


def _decided(claim: DirectionSpace) -> Decision:
    """Decide the claim by whole directions that serve all values of the parameters, if there are any."""
    reason = "the derivatives at the tables tried leave directions that do not come out as whole numbers"
    for tables in (TABLES, MORE_TABLES):
        try:
            found = _gradients(claim, tables)
            if found.elimination.rank == len(CELLS):
                return _without_directions(claim, found)
            basis = found.candidates()
            if len(basis) + found.elimination.rank != len(CELLS):
                continue
            proofs = {direction: proof_of(claim.part(direction)) for direction in basis}
        except UnsupportedError as error:
            reason = str(error)
            continue
        failing = next((direction for direction, proof in proofs.items() if proof is None), None)
        if failing is None:
            return _with_directions(claim, found, {d: proof for d, proof in proofs.items() if proof})
        reason = f"along {vector_text(failing)} the derivative is 0 at the tables tried, and it is not proved"
    return open_decision(reason)


@dataclass
class _Gradients:
    """Gradients at tables, with those that are independent."""

    elimination: Elimination = field(default_factory=Elimination)
    rows: list[tuple[Number, ...]] = field(default_factory=list)
    points: list[dict[str, Any]] = field(default_factory=list)
    """Table and parameters of the rows that are independent."""

    def candidates(self) -> list[Direction]:
        """Return the reduced basis of the whole directions that are orthogonal to all rows, as far as they show."""
        if all(isinstance(entry, fmpq) for row in self.rows for entry in row):
            return [_direction(v) for v in reduced_basis(null_space(self.rows, len(CELLS)))]
        fitting: Iterable[tuple[int, ...]] = _small_vectors()
        for row in self.rows:
            first, second, third, fourth = map(float, row)
            close = 1e-9 * max(map(abs, (first, second, third, fourth)))
            fitting = [v for v in fitting if abs(first * v[0] + second * v[1] + third * v[2] + fourth * v[3]) <= close]
        return [_direction(v) for v in reduced_basis(list(fitting))]


def _direction(entries: Iterable[int]) -> Direction:
    first, second, third, fourth = map(Integer, entries)
    return first, second, third, fourth


@cache
def _small_vectors() -> list[tuple[int, ...]]:
    entries = range(-MAX_ENTRY, MAX_ENTRY + 1)
    return [v for v in itertools.product(entries, repeat=len(CELLS)) if v > (0,) * len(CELLS)]


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


def _row(claim: DirectionSpace, formula: Expr, table: Sequence[int]) -> tuple[Number, ...] | None:
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


def _with_directions(claim: DirectionSpace, found: _Gradients, decided: Mapping[Direction, Decision]) -> Decision:
    parts = {vector_text(direction): decision.record() for direction, decision in decided.items()}
    evidence = Evidence("directions", {"directions": parts, "points": found.points})
    # The points settle single values of the parameters: at others there may be more directions.
    return Decision("proved", True, evidence, found=Space(tuple(map(vector, decided)), not claim.parameters))


def _without_directions(claim: DirectionSpace, found: _Gradients) -> Decision:
    if claim.parameters:
        return open_decision("no direction serves all values of the parameters, and for single ones it is not known")
    return Decision("refuted", False, Evidence("rank", {"points": found.points}), found=Space((), True))
