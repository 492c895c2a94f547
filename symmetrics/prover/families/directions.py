"""Directions along which a formula is invariant: the spaces of translations and scalings of the cells."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, Final

from flint import ctx, fmpq
from sympy import Expr, Integer, Matrix, Rational, S, Symbol, cancel, expand, fraction, lcm
from sympy.logic.boolalg import Boolean
from sympy.polys.matrices import DomainMatrix

from symmetrics.algebra.convert import convert, field_for, poly_expression
from symmetrics.algebra.derivative import gradient, jet_at
from symmetrics.algebra.evaluate import Undefined
from symmetrics.algebra.evaluate import Value as Number
from symmetrics.algebra.field import ONE, Field, Poly
from symmetrics.claims.evidence import Decision, Evidence, open_decision
from symmetrics.claims.families.directions import Direction, DirectionSpace, ScalingSpace, vector_text
from symmetrics.claims.values import Cases, Space, Value, vector
from symmetrics.language.cells import CELLS
from symmetrics.language.parameter import Parameter, defaults_of
from symmetrics.prover.engine.cases import Decide, Watched, decide_by_cases
from symmetrics.prover.engine.conditions import sample_values
from symmetrics.prover.engine.logarithms import Elimination, determinant, null_space, reduced_basis
from symmetrics.prover.engine.minors import SQUARE_TABLES, common_zeros, is_defined_at, polynomial_row, values_at
from symmetrics.prover.engine.parts import proof_of
from symmetrics.tools.errors import UnsupportedError

# -- Gradients at tables as functions of the parameters, and the directions that are orthogonal to all of them ---------


TABLES: Final = ((2, 3, 5, 11), (7, 2, 1, 4), (3, 13, 2, 5), (1, 2, 9, 4), (5, 1, 3, 2), (4, 9, 30, 1), (2, 7, 3, 8))
"""Tables at which the gradient is computed first."""
LOPSIDED: Final = (
    *((50, 1, 1, 50), (1, 50, 50, 1), (50, 1, 1, 1), (1, 50, 1, 1), (1, 1, 50, 1), (1, 1, 1, 50)),
    *((50, 1, 50, 1), (1, 50, 1, 50)),
)
"""Tables at which terms with several parameters are unlikely to cancel, so that a determinant may have no zero."""
MAX_GROUPS: Final = 4
"""Number of groups of tables whose determinants are computed."""
MAX_LOPSIDED: Final = 40
"""The same for formulas with several parameters, where a single determinant must have no zero."""

Row = tuple[Sequence[int], Sequence[Poly]]
"""A table, and the vector that every direction of invariance is orthogonal to there."""


@dataclass(frozen=True)
class GradientSpace:
    """The directions that are orthogonal to the gradients at some tables, as functions of the parameters.

    :param basis: some that are independent for most values of the parameters
    :param minors: tables and columns of determinants of the gradients
    :param cuts: where to cut the domain, because the basis may be dependent there or there may be further directions
    :param is_complete: whether there are neither anywhere between the cuts
    """

    basis: tuple[Direction, ...]
    minors: list[dict[str, Any]]
    cuts: list[Boolean]
    is_complete: bool


def general_space(claim: DirectionSpace) -> GradientSpace:
    """Return the directions that are orthogonal to the gradients at tables, for all values of the parameters at once.

    :raises UnsupportedError: if the gradients are not rational, or directions of a scaling depend on the parameters
    """
    field = field_for(claim.parameters)
    rows = list(_rows(claim, field))
    groups = _groups(rows, field)
    if not groups:
        return GradientSpace(_null_space([], field, range(len(CELLS))), [], [], is_complete=True)
    size = len(groups[0])
    basis, apart, dependent = _independent_basis([row for _, row in groups[0]], field)
    if isinstance(claim, ScalingSpace) and any(entry.free_symbols for direction in basis for entry in direction):
        raise UnsupportedError("the exponents of a scaling would depend on the parameters")
    labels, further = common_zeros(_minors(groups, size), field)
    minors: list[dict[str, Any]] = [
        {"tables": [list(table) for table in tables], "columns": list(columns)} for tables, columns in labels
    ]
    return GradientSpace(basis, minors, [*further, *dependent], is_complete=bool(labels) and apart)


def _rows(claim: DirectionSpace, field: Field) -> Iterator[Row]:
    slopes = gradient(claim.subject)
    lopsided = LOPSIDED if len(claim.parameters) > 1 else ()
    for table in (*lopsided, *SQUARE_TABLES, *TABLES):
        if not is_defined_at(claim.subject, table, field):
            continue
        elements = values_at(slopes, table, field)
        row = None if elements is None else polynomial_row(elements, field)
        if row is not None:
            weights = table if isinstance(claim, ScalingSpace) else (1,) * len(CELLS)
            yield table, [weight * entry for weight, entry in zip(weights, row, strict=True)]


def _groups(rows: Sequence[Row], field: Field) -> list[list[Row]]:
    """Return groups of rows of full rank for generic values of the parameters; none if all rows are zero.

    :raises UnsupportedError: if there are no rows
    """
    if not rows:
        raise UnsupportedError("the derivatives are not rational at the tables tried, for all values of the parameters")
    values = _generic_values(list(field.parameters.values()))
    elimination, numbers = Elimination(), [[_number(entry, field, values) for entry in row] for _, row in rows]
    for entries in numbers:
        elimination.add(entries)
    groups: list[list[Row]] = []
    group, own = list[Row](), Elimination()
    for row, entries in zip(rows, numbers, strict=True):
        if own.add(entries):
            group.append(row)
        if len(group) == elimination.rank and group:
            groups.append(group)
            group, own = [], Elimination()
    if len(field.parameters) > 1 and groups:
        lopsided = [row for row in rows if row[0] in LOPSIDED]
        more = itertools.combinations(lopsided, elimination.rank)
        return [*groups[:1], *map(list, itertools.islice(more, MAX_LOPSIDED))]
    return groups[:MAX_GROUPS]


def _generic_values(parameters: Sequence[Parameter]) -> dict[Symbol, Rational]:
    """Return generic values inside the domains, at which coincidences are unlikely."""
    values = {}
    for place, parameter in enumerate(parameters):
        share = Rational(37 + 11 * place, 101 + 6 * place)
        lower, upper = parameter.lower, parameter.upper
        if lower.is_finite and upper.is_finite:
            values[parameter.symbol] = lower + (upper - lower) * share
        else:
            values[parameter.symbol] = (
                lower + share if lower.is_finite else (upper if upper.is_finite else S.One) - share
            )
    return values


def _number(poly: Poly, field: Field, values: dict[Symbol, Rational]) -> fmpq:
    value = poly_expression(poly, field).xreplace(values)
    return fmpq(int(value.p), int(value.q))


def _independent_basis(rows: list[Sequence[Poly]], field: Field) -> tuple[tuple[Direction, ...], bool, list[Boolean]]:
    """Return a basis of a null space of rows, whether it is valid for all parameters, and where to cut if not.

    The order in which cells are solved for decides where the basis that comes out is dependent: an order is looked for
    with which it is so nowhere.
    """
    first = None
    for order in itertools.permutations(range(len(CELLS))):
        basis = _null_space(rows, field, order)
        labels, cuts = common_zeros(_basis_minors(basis, field), field)
        if labels and not cuts:
            return basis, True, []
        first = first or (basis, bool(labels), cuts)
        if all(not entry.free_symbols for direction in basis for entry in direction):
            break
    if first is None:
        raise UnsupportedError("no directions were solved for")
    return first


def _null_space(rows: list[Sequence[Poly]], field: Field, order: Sequence[int]) -> tuple[Direction, ...]:
    """Return a basis of the null space of rows, with polynomials in the parameters as entries.

    :param order: the order in which the cells are solved for
    """
    size = len(CELLS)
    entries = [[poly_expression(row[place], field) for place in order] for row in rows] or [[S.Zero] * size]
    null = DomainMatrix.from_Matrix(Matrix(entries)).to_field().nullspace()
    reduced = null.rref()[0].to_Matrix()
    values = _generic_values(list(field.parameters.values()))
    return tuple(_polynomial(list(reduced.row(row)), order, values) for row in range(reduced.rows))


def _polynomial(entries: list[Expr], order: Sequence[int], values: dict[Symbol, Rational]) -> Direction:
    """Clear denominators of a direction with an entry 1, its first entry positive at most values.

    Its entries have no common factor then: each factor of the least common multiple comes from one of the denominators.
    """
    parts = [fraction(cancel(entry)) for entry in entries]
    scale = S.One
    for _, below in parts:
        scale = lcm(scale, below)
    whole = [expand(cancel(above * scale / below)) for above, below in parts]
    placed = [entry for _, entry in sorted(zip(order, whole, strict=True), key=lambda pair: pair[0])]
    leading = next(entry for entry in placed if entry).xreplace(values)
    sign = -1 if leading < 0 else 1
    first, second, third, fourth = (expand(sign * entry) for entry in placed)
    return first, second, third, fourth


def _basis_minors(basis: Sequence[Direction], field: Field) -> Iterator[tuple[tuple[int, ...], Poly]]:
    polys = [[convert(entry, field).numerator.get(ONE, field.context.constant(0)) for entry in d] for d in basis]
    for columns in itertools.combinations(range(len(CELLS)), len(basis)):
        yield columns, _determinant([[row[column] for column in columns] for row in polys], field)


def _minors(
    groups: list[list[Row]], size: int
) -> Iterator[tuple[tuple[tuple[Sequence[int], ...], tuple[int, ...]], Poly]]:
    for group in groups:
        tables = tuple(table for table, _ in group)
        for columns in itertools.combinations(range(len(CELLS)), size):
            yield (tables, columns), determinant([[row[column] for column in columns] for _, row in group])


def _determinant(rows: list[list[Poly]], field: Field) -> Poly:
    return determinant(rows) if rows else field.context.constant(1)


# ----------------------------------------------------------------------------------------------------------------------


MORE_TABLES: Final = (*itertools.permutations((2, 3, 5, 11)), *itertools.permutations((1, 2, 4, 60)))
"""Tables for formulas with pieces that the first tables miss."""
MAX_ENTRY: Final = 5
"""Largest entry of a candidate direction where the gradient is irrational."""
MAX_SAMPLES: Final = 4
"""Values of the parameters at which the gradient is computed."""


def decide(claim: DirectionSpace, decide_part: Decide) -> Decision:
    """Decide along which directions a formula is invariant, for each value of its parameters.

    Whatever is orthogonal to the gradient at all tables is a candidate, and each is decided as an identity, because a
    formula that jumps may have the derivative zero.  That there is no further direction the rank of gradients shows,
    for all values of the parameters at once or case by case.  If that does not come to an end, the directions that
    serve all values are named, and not called all there are.

    :param decide_part: function that decides an inequality
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
        # Null space of the gradients as functions of the parameters; where it may be larger, cut.
        space = general_space(claim)
        for cut in space.cuts:
            watched.note(cut)
        if space.cuts or not space.is_complete:
            raise UnsupportedError("there may be further directions at some values of the parameters")
        # Each direction is an invariance only if an identity proves it.
        proofs = {direction: proof_of(claim.part(direction)) for direction in space.basis}
    except UnsupportedError as error:
        return open_decision(str(error))
    # No direction: determinants without a common zero show that gradients have full rank.
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
    """Add the space at the default parameters to a decision's value, unless it is the same for all values."""
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
    """Whether a space is the same for all values of the parameters, and so at the defaults too."""
    if isinstance(found, Cases):
        return len(found.values) == 1 and found.values[0].condition is S.true and _is_plain(found.values[0].value)
    return isinstance(found, Space) and found.is_complete and all(isinstance(e, int) for v in found.basis for e in v)


def _decided(claim: DirectionSpace) -> Decision:
    """Decide the claim by integer directions that are valid for all values of the parameters, if there are any."""
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
    """Gradients at tables, with a maximal independent subset."""

    elimination: Elimination = field(default_factory=Elimination)
    rows: list[tuple[Number, ...]] = field(default_factory=list)
    points: list[dict[str, Any]] = field(default_factory=list)
    """Table and parameters of each independent row."""

    def candidates(self) -> list[Direction]:
        """Return the reduced basis of the integer directions orthogonal to all rows, as far as it can be read off."""
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
    """Return the vector that every direction is orthogonal to; None where the formula has no derivative."""
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
    # The points decide single values of the parameters: others may have more directions.
    return Decision("proved", True, evidence, found=Space(tuple(map(vector, decided)), not claim.parameters))


def _without_directions(claim: DirectionSpace, found: _Gradients) -> Decision:
    if claim.parameters:
        return open_decision("no direction serves all values of the parameters, and for single ones it is not known")
    return Decision("refuted", False, Evidence("rank", {"points": found.points}), found=Space((), True))
