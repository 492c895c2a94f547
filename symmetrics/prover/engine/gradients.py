"""Gradients at tables as functions of the parameters, and the directions that are orthogonal to all of them."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from flint import fmpq
from sympy import Expr, Matrix, Rational, S, Symbol, cancel, expand, fraction, lcm
from sympy.logic.boolalg import Boolean
from sympy.polys.matrices import DomainMatrix

from symmetrics.algebra.convert import convert, field_for, poly_expression
from symmetrics.algebra.field import ONE, Field, Poly
from symmetrics.algebra.limits import gradient
from symmetrics.claims.families.directions import Direction, DirectionSpace, ScalingSpace
from symmetrics.language.cells import CELLS
from symmetrics.language.parameter import Parameter
from symmetrics.prover.engine.elimination import Elimination, determinant
from symmetrics.prover.engine.minors import SQUARE_TABLES, common_zeros, is_defined_at, polynomial_row, values_at
from symmetrics.tools.errors import UnsupportedError

__all__ = ["TABLES", "Space", "general_space"]

TABLES: Final = ((2, 3, 5, 11), (7, 2, 1, 4), (3, 13, 2, 5), (1, 2, 9, 4), (5, 1, 3, 2), (4, 9, 30, 1), (2, 7, 3, 8))
"""Tables at which the gradient is looked at first."""
LOPSIDED: Final = (
    *((50, 1, 1, 50), (1, 50, 50, 1), (50, 1, 1, 1), (1, 50, 1, 1), (1, 1, 50, 1), (1, 1, 1, 50)),
    *((50, 1, 50, 1), (1, 50, 1, 50)),
)
"""Tables at which terms with several parameters do not balance, so that a determinant may be nowhere zero."""
MAX_GROUPS: Final = 4
"""Groups of tables of which the determinants are taken."""
MAX_LOPSIDED: Final = 40
"""The same for formulas with several parameters, of which one determinant has to be nowhere zero."""

Row = tuple[Sequence[int], Sequence[Poly]]
"""A table, and what has to be orthogonal to every direction there."""


@dataclass(frozen=True)
class Space:
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


def general_space(claim: DirectionSpace) -> Space:
    """Return the directions that are orthogonal to the gradients at tables, for all values of the parameters at once.

    :raises UnsupportedError: if the gradients are not rational, or directions of a scaling depend on the parameters
    """
    field = field_for(claim.parameters)
    rows = list(_rows(claim, field))
    groups = _groups(rows, field)
    if not groups:
        return Space(_null_space([], field, range(len(CELLS))), [], [], is_complete=True)
    size = len(groups[0])
    basis, apart, dependent = _independent_basis([row for _, row in groups[0]], field)
    if isinstance(claim, ScalingSpace) and any(entry.free_symbols for direction in basis for entry in direction):
        raise UnsupportedError("the exponents of a scaling would depend on the parameters")
    labels, further = common_zeros(_minors(groups, size), field)
    minors: list[dict[str, Any]] = [
        {"tables": [list(table) for table in tables], "columns": list(columns)} for tables, columns in labels
    ]
    return Space(basis, minors, [*further, *dependent], is_complete=bool(labels) and apart)


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
    """Return groups of rows, each with as many as are independent for most values of the parameters; none if all are 0.

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
    """Return values inside the domains at which nothing special is to be expected."""
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
    """Return a basis of what is orthogonal to some rows, whether it is one for all values, and where to cut if not.

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
    """Return a basis of what is orthogonal to rows, with polynomials in the parameters as entries.

    :param order: the order in which the cells are solved for
    """
    size = len(CELLS)
    entries = [[poly_expression(row[place], field) for place in order] for row in rows] or [[S.Zero] * size]
    null = DomainMatrix.from_Matrix(Matrix(entries)).to_field().nullspace()
    reduced = null.rref()[0].to_Matrix()
    values = _generic_values(list(field.parameters.values()))
    return tuple(_polynomial(list(reduced.row(row)), order, values) for row in range(reduced.rows))


def _polynomial(entries: list[Expr], order: Sequence[int], values: dict[Symbol, Rational]) -> Direction:
    """Return a direction, of which one entry is 1, without denominators, its first entry positive at most values.

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
