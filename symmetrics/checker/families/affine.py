"""Verdicts on affine functions re-verified: an equation with two numbers, or tables that lie on no line."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sympy import Abs, Expr, Max, Min, Pow, Rational, S, Symbol, cancel, fraction, log

from symmetrics.checker.engine.conditions import check_holds
from symmetrics.checker.engine.expansions import require_value
from symmetrics.checker.engine.fractions import Arithmetic
from symmetrics.checker.engine.minors import is_never_zero
from symmetrics.checker.engine.parts import read_part
from symmetrics.checker.engine.requirements import is_count, require, require_kind, require_parts
from symmetrics.checker.engine.values import certain_sign, is_same, value_or_none
from symmetrics.claims import Affine, Identity, value_symbol
from symmetrics.claims.evidence import Witness
from symmetrics.claims.values import Link
from symmetrics.claims.verdict import Verdict
from symmetrics.language.cells import CELLS
from symmetrics.language.formula import parse_formula, parse_number
from symmetrics.language.parameter import Parameter
from symmetrics.language.writer import formula_text


def check(verdict: Verdict, claim: Affine, check_part: Callable[[Verdict], None]) -> None:
    """Re-verify a verdict on whether one formula is an affine function of another one.

    :param check_part: function that re-verifies the verdict on the equation
    """
    require_kind(
        verdict, proved={"affine function"}, refuted={"determinant", "affine function"}, conditional={"affine function"}
    )
    declared = {p.symbol for p in claim.parameters} | set(CELLS)
    free = claim.subject.free_symbols | claim.partner.free_symbols
    require(verdict.status == "open" or free <= declared, "a formula has a symbol that is not declared")
    if verdict.status != "conditional":
        require_parts(verdict)
    require(verdict.status in ("proved", "conditional") or verdict.found is None, "there is no equation")
    if verdict.witness is not None:
        require(verdict.status != "open", "an open verdict has no counterexample")
        _check_off(claim, verdict.witness)
    if verdict.evidence.kind == "determinant":
        require(not claim.parameters, "three tables do not settle every parameter")
    if verdict.evidence.kind == "affine function":
        _check_equation(verdict, claim, check_part)


# -- tables on no line -------------------------------------------------------------------------------------------------


def _check_off(claim: Affine, witness: Witness) -> None:
    """Check that no numbers a and b satisfy ``M = a*L + b`` at all tables of a counterexample."""
    require(set(witness.parameters) == {p.name for p in claim.parameters}, "the counterexample has other parameters")
    place = {p.symbol: witness.parameters[p.name] for p in claim.parameters}
    require(all(place[p.symbol] in p for p in claim.parameters), "a parameter is outside its domain")
    count = len(witness.tables) // 2
    require(count in (2, 3) and len(witness.tables) == len(witness.values) == 2 * count, "a table is missing")
    require(witness.tables[:count] == witness.tables[count:], "the two formulas are taken at different tables")
    formulas = (claim.subject,) * count + (claim.partner,) * count
    for formula, table, value in zip(formulas, witness.tables, witness.values, strict=True):
        require(all(is_count(number) for number in table), "a count is not a positive number")
        found = value_or_none(formula, dict(zip(CELLS, map(Rational, table), strict=True)) | place)
        require(found is not None, f"a formula may have no value at {tuple(table)}")
        require(found is not None and is_same(found, value), f"the value at {tuple(table)} is not {value}")
    images, values = witness.values[:count], witness.values[count:]
    if count == 2:
        require(is_same(*values), "the other formula differs between the two tables")
        require(certain_sign(images[0] - images[1]) in (1, -1), "the two values may be the same")
        return
    rows = [(S.One, left, right) for left, right in zip(values, images, strict=True)]
    require(certain_sign(_determinant(rows)) in (1, -1), "the three tables may lie on a line")


def _determinant(rows: Sequence[tuple[Expr, Expr, Expr]]) -> Expr:
    (a, b, c), (d, e, f), (g, h, i) = rows
    value = a * e * i + b * f * g + c * d * h - c * e * g - b * d * i - a * f * h
    return S.Zero if value == 0 else value


# -- an equation -------------------------------------------------------------------------------------------------------


def _check_equation(verdict: Verdict, claim: Affine, check_part: Callable[[Verdict], None]) -> None:
    data = verdict.evidence.data
    names = [p.name for p in claim.parameters]
    require(not {"M", "partner"} & set(names), "a parameter has the name of a formula in the equation")
    # The numbers a and b: free of the cells, and defined wherever M is.
    a, b = (parse_formula(data[key], names) for key in ("a", "b"))
    numbers = {p.symbol for p in claim.parameters}
    for number in (a, b):
        require(number.free_symbols <= numbers, "a number of the equation depends on the counts")
        require_value(number, S.One, claim.parameters)
    # The equation M = a*L + b is checked as a claim of its own; status and condition have to be the same.
    stated = _stated(claim, a, b)
    part = read_part(data["part"], stated)
    require(part.status == verdict.status, "the verdict on the equation is another one")
    require(part.condition == verdict.condition, "the condition is not that of the equation")
    check_part(part)
    # The value of the verdict is that equation.
    if verdict.status != "refuted":
        equation = Link("M", formula_text(a * Symbol("partner", real=True) + b))
        require(verdict.found == equation, "the equation is another one than the verdict says")
    # Refuted for some parameters: then no other a and b may be possible.
    if verdict.status != "proved":
        _check_only_numbers(claim, a, b, data["tables"])
    if verdict.condition is not None:
        require(verdict.witness is not None, "there is no counterexample where the condition fails")
        check_holds(verdict, verdict.condition)


def _stated(claim: Affine, a: Expr, b: Expr) -> Identity:
    first, second = value_symbol(0), value_symbol(1)
    if claim.parameters:
        partner = a * claim.partner + b
        return Identity(claim.subject, claim.parameters, (CELLS, CELLS), (), first - second, partner)
    return Identity(claim.subject, (), (CELLS, CELLS), (), first - a * second - b, claim.partner)


def _check_only_numbers(claim: Affine, a: Expr, b: Expr, tables: Sequence[Sequence[str]]) -> None:
    """Check that two tables determine a and b uniquely, for all parameters."""
    require(len(tables) == 2, "the numbers of the equation are not the only ones")
    points = []
    for table in tables:
        counts = [parse_number(text) for text in table]
        require(len(counts) == 4 and all(count > 0 for count in counts), "a count is not a positive number")
        place: dict[Symbol, Expr] = dict(zip(CELLS, counts, strict=True))
        for formula in (claim.subject, claim.partner):
            require(_has_value(formula, place, claim.parameters), "a formula may have no value at a table")
        points.append((claim.subject.xreplace(place), claim.partner.xreplace(place)))
    (m, value), (other_m, other_value) = points
    rise = cancel(other_value - value)
    require(_never_zero(fraction(rise)[0], claim.parameters), "the numbers of the equation are not the only ones")
    require(cancel(a * rise - (other_m - m)) == 0, "the tables ask for another number a")
    require(cancel(a * value + b - m) == 0, "the tables ask for another number b")


def _has_value(formula: Expr, place: Mapping[Symbol, Expr], parameters: Sequence[Parameter]) -> bool:
    """Whether a formula is defined at a table, for all parameters."""

    def has_value(node: Any) -> bool:
        if not all(has_value(part) for part in node.args):
            return False
        if isinstance(node, (Abs, Max, Min)):
            return not node.xreplace(place).free_symbols
        if isinstance(node, log):
            return _is_positive_number(node.args[0].xreplace(place))
        if not isinstance(node, Pow):
            return True
        base = node.base.xreplace(place)
        if not node.exp.is_Integer:
            return not node.exp.free_symbols and _is_positive_number(base)
        return bool(node.exp > 0) or _never_zero(base, parameters)

    return bool(has_value(formula))


def _is_positive_number(value: Expr) -> bool:
    return not value.free_symbols and certain_sign(value) == 1


def _never_zero(value: Expr, parameters: Sequence[Parameter]) -> bool:
    """Whether a polynomial in the parameters has no zero in their domains."""
    if not value.free_symbols:
        return certain_sign(value) in (1, -1)
    arithmetic = Arithmetic([], parameters, {}, ())
    found = arithmetic.evaluate(value)
    return bool(found.bottom.is_ground) and is_never_zero(found.top, arithmetic)
