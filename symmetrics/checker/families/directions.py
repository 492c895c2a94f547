"""Re-verify verdicts on directions of invariance: ranks of gradients at tables."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from sympy import Expr, S
from sympy.polys.rings import PolyElement

from symmetrics.checker.engine.cases import check_cases
from symmetrics.checker.engine.fractions import Arithmetic
from symmetrics.checker.engine.minors import (
    at_table,
    determinant,
    polynomial_row,
    require_defined,
    require_no_common_zero,
    scaled,
)
from symmetrics.checker.engine.parts import is_open, read_part, read_table, require_outcome
from symmetrics.checker.engine.requirements import require, require_found, require_kind
from symmetrics.checker.engine.values import Number, at_high_precision, gradient_at, multiply, rank_of
from symmetrics.claims.families.directions import (
    Direction,
    DirectionSpace,
    ScalingSpace,
    direction_of,
    vector_text,
)
from symmetrics.claims.values import Cases, Space, Value, vector
from symmetrics.claims.verdict import Verdict
from symmetrics.language.cells import CELLS
from symmetrics.language.formula import parse_number
from symmetrics.language.parameter import defaults_of

Check = Callable[[Verdict], None]


def check(verdict: Verdict, claim: DirectionSpace, check_part: Check) -> None:
    """Re-verify the directions along which a formula does not change.

    :param check_part: function that re-verifies the verdict on one direction, in one case or at the defaults
    """
    require_kind(verdict, proved={"directions", "cases"}, refuted={"rank", "minors", "cases"}, conditional={"cases"})
    if is_open(verdict, claim):
        return
    general = replace(verdict, decision=replace(verdict.decision, found=_in_general(verdict, claim, check_part)))
    data = verdict.evidence.data
    if verdict.evidence.kind == "cases":
        check_cases(general, claim, check_part)
        return
    names = [parameter.name for parameter in claim.parameters]
    parts = {direction_of(label, names): part for label, part in data.get("directions", {}).items()}
    for (direction, part), label in zip(parts.items(), data.get("directions", ()), strict=True):
        require(vector_text(direction) == label, "a direction is spelled in another way than directions are")
        require(
            all(entry.is_Integer or _is_polynomial(entry, claim) for entry in direction), "an entry is no polynomial"
        )
        checked = read_part(part, claim.part(direction))
        check_part(checked)
        require(checked.status == "proved", "M changes along one of the directions")
    is_complete = True
    if "minors" in data:
        require(bool(claim.parameters), "determinants over parameters that there are not")
        _check_determinants(claim, list(parts), data["minors"])
    else:
        _check_points(claim, list(parts), data["points"])
        # The points decide single values of the parameters; other values may have more directions, or any.
        require(verdict.status == "proved" or not claim.parameters, "one value of the parameters does not settle all")
        is_complete = not claim.parameters
    require_outcome(general, claim, S.true if parts else S.false)
    own = Space(tuple(map(vector, parts)), is_complete)
    require(general.found == own, "the directions are not those of the certificate")


def _in_general(verdict: Verdict, claim: DirectionSpace, check_part: Check) -> Value | None:
    """Return the verdict's value without its part on the default parameters, after checking that part."""
    if "at_defaults" not in verdict.evidence.data:
        return verdict.found
    defaults = defaults_of(claim.parameters)
    require(bool(defaults), "a parameter has no default")
    part = read_part(verdict.evidence.data["at_defaults"], claim.at(defaults or {}))
    check_part(part)
    require(part.status in ("proved", "refuted") and part.found is not None, "the space at the defaults is not settled")
    kind: type[Space | Cases] = Cases if verdict.evidence.kind == "cases" else Space
    stated = require_found(verdict, kind, "there is no space")
    require(stated.at_defaults == part.found, "the space at the defaults is another one")
    return replace(stated, at_defaults=None)


def _is_polynomial(entry: Expr, claim: DirectionSpace) -> bool:
    symbols = {parameter.symbol for parameter in claim.parameters}
    return not isinstance(claim, ScalingSpace) and entry.free_symbols <= symbols and bool(entry.is_polynomial(*symbols))


def _check_points(claim: DirectionSpace, basis: Sequence[Direction], points: Iterable[Mapping[str, Any]]) -> None:
    """Check that the integer directions are independent, and that gradients at points allow no others."""
    require(all(entry.is_Integer for direction in basis for entry in direction), "a direction is not whole")
    size = rank_of([[Fraction(int(entry)) for entry in direction] for direction in basis])
    require(size == len(basis), "the directions depend on each other")
    with at_high_precision():
        rank = rank_of([_row(claim, point) for point in points])
    require(size + rank == len(CELLS), "the gradients leave further directions")


def _check_determinants(claim: DirectionSpace, basis: Sequence[Direction], minors: Iterable[Mapping[str, Any]]) -> None:
    """Check that directions are independent, and gradients allow no others, both for all values of the parameters."""
    arithmetic = Arithmetic([], claim.parameters, {}, [])
    rows = [[_polynomial(entry, arithmetic) for entry in direction] for direction in basis]
    columns = itertools.combinations(range(len(CELLS)), len(basis))
    require_no_common_zero((_minor(rows, chosen, arithmetic) for chosen in columns), arithmetic)
    size = len(CELLS) - len(basis)
    slopes = _slopes(claim)
    found = [arithmetic.ring(1)] if size == 0 else []
    for minor in minors:
        gradients = [slopes(read_table(table), arithmetic) for table in minor["tables"]]
        chosen = [_column(number) for number in minor["columns"]]
        require(len(set(chosen)) == len(gradients) == size, "a determinant has another size")
        found.append(_minor(gradients, chosen, arithmetic))
    require_no_common_zero(found, arithmetic)


def _minor(rows: Sequence[Sequence[PolyElement]], columns: Iterable[int], arithmetic: Arithmetic) -> PolyElement:
    chosen = list(columns)
    return determinant([[row[column] for column in chosen] for row in rows], arithmetic)


def _column(number: Any) -> int:
    require(type(number) is int and 0 <= number < len(CELLS), "a column is not that of a cell")
    return int(number)


def _polynomial(entry: Expr, arithmetic: Arithmetic) -> PolyElement:
    """Return a polynomial in the parameters with denominators cleared."""
    return arithmetic.evaluate(entry).top


def _row(claim: DirectionSpace, point: Mapping[str, Any]) -> Sequence[Number]:
    """Return the row orthogonal to every direction: the gradient at one table, or its products with the counts."""
    settings = {name: parse_number(text) for name, text in point.get("parameters", {}).items()}
    require(settings.keys() == {p.name for p in claim.parameters}, "a point has other parameters than the claim")
    require(all(settings[p.name] in p for p in claim.parameters), "a parameter is outside its domain")
    formula = claim.subject.xreplace({p.symbol: settings[p.name] for p in claim.parameters})
    table = read_table(point["table"])
    slopes = gradient_at(formula, CELLS, table)
    return [multiply(count, slope) for count, slope in zip(table, slopes, strict=True)] if _scales(claim) else slopes


def _scales(claim: DirectionSpace) -> bool:
    return isinstance(claim, ScalingSpace)


def _slopes(claim: DirectionSpace) -> Callable[[Sequence[Fraction], Arithmetic], list[PolyElement]]:
    def row_at(table: Sequence[Fraction], arithmetic: Arithmetic) -> list[PolyElement]:
        require_defined(claim.subject, table, arithmetic)
        slopes = [at_table(claim.subject.diff(cell), table, arithmetic) for cell in CELLS]
        row = polynomial_row(slopes, arithmetic)
        return [scaled(entry, count) for entry, count in zip(row, table, strict=True)] if _scales(claim) else row

    return row_at
