"""Verdicts on parts of a claim, as stored in the certificate of the whole, and the verdict that follows from them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from sympy import Expr, Rational, S, Symbol, cancel
from sympy import Poly as SymPyPoly
from sympy.logic.boolalg import Boolean

from symmetrics.checker.engine.conditions import are_equivalent, holds_at
from symmetrics.checker.engine.requirements import is_count, require, require_found
from symmetrics.checker.engine.values import certain_sign, is_same, value_or_none
from symmetrics.claims import Claim, Comparison, value_symbol
from symmetrics.claims.evidence import Counts, Decision, Point, Witness
from symmetrics.claims.one_formula import OneFormula
from symmetrics.claims.values import Baseline, Expectation
from symmetrics.claims.verdict import Verdict
from symmetrics.language.cells import CELLS
from symmetrics.language.formula import parse_number
from symmetrics.tools.errors import CertificateError


def read_part(data: Mapping[str, Any], claim: Claim) -> Verdict:
    """Read the verdict on a part, whose claim follows from the whole; nothing in it is trusted before it is checked."""
    unknown = set(data) - {"status", "holds", "condition", "witness", "value", "certificate"}
    require(not unknown, "a part of the certificate has entries that mean nothing")
    return Verdict.of(Decision.from_record(data, claim), claim, metric="", property="")


def read_table(counts: Iterable[Any]) -> tuple[Fraction, ...]:
    """Return the counts of a table, four positive numbers."""
    table = tuple(_number(count) for count in counts)
    require(len(table) == len(CELLS) and all(count > 0 for count in table), "a table is not four positive numbers")
    return table


def _number(count: Any) -> Fraction:
    require(isinstance(count, (int, str)) and not isinstance(count, bool), "a count is not a number")
    exact = parse_number(str(count))
    return Fraction(int(exact.p), int(exact.q))


def is_open(verdict: Verdict, claim: OneFormula) -> bool:
    """Whether a verdict is open, and so asserts nothing; refuses one about symbols that are not declared."""
    declared = {p.symbol for p in claim.parameters} | set(claim.arguments)
    require(claim.subject.free_symbols <= declared, "the formula has a symbol that is not declared")
    if verdict.status != "open":
        return False
    asserted = (verdict.holds, verdict.condition, verdict.witness, verdict.found)
    require(asserted == (None, None, None, None), "an open verdict asserts something")
    return True


def one_mean(verdict: Verdict) -> str:
    """Return the mean that a verdict states for all margins."""
    found = require_found(verdict, Baseline, "there is no mean")
    require(len(found.expectations) == 1, "there is no mean, or several")
    mean = found.expectations[0].mean
    require(found == Baseline((Expectation(mean),)), "the mean is one for some margins alone")
    return mean


def require_outcome(verdict: Verdict, claim: OneFormula, condition: Boolean) -> None:
    """Refuse a verdict unless status and condition agree with the condition under which the claim holds."""
    expected: tuple[Any, ...]
    if condition in (S.true, S.false):
        expected = ("proved" if condition is S.true else "refuted", condition is S.true)
        stated: Boolean = condition
        require(verdict.condition is None, "the parts give another verdict")
    else:
        defaults = {p.symbol: p.default for p in claim.parameters}
        expected = ("conditional", None if None in defaults.values() else holds_at(condition, defaults))
        stated = S.true if verdict.condition is None else verdict.condition
    require((verdict.status, verdict.holds) == expected, "the parts give another verdict")
    require(are_equivalent(stated, condition), "the condition is another one")
    require(verdict.witness is None, "a counterexample that proves nothing")


# -- Counterexamples re-verified ---------------------------------------------------------------------------------------


def check_witness(claim: Comparison, witness: Witness, *, boundary: bool = False) -> None:
    """Check that a witness is a counterexample to a claim: its tables, its values, and that they violate the claim.

    The tables name the variables of the claim, and give them positive numbers.

    :param boundary: let variables be zero, and require that one is
    """
    names = {p.name for p in claim.parameters}
    require(set(witness.parameters) == names, "the counterexample has other parameters than the claim")
    parameters = {p.symbol: witness.parameters[p.name] for p in claim.parameters}
    require(all(parameters[p.symbol] in p for p in claim.parameters), "a parameter is outside its domain")
    require(len(witness.tables) == len(claim.tables) == len(witness.values), "a table of the counterexample is missing")
    require(all(_is_over(claim, table) for table in witness.tables), "the counterexample is one on other variables")
    counts = [count for table in witness.tables for count in table]
    allowed = [count for count in counts if is_count(count) or (boundary and type(count) is int and count == 0)]
    require(len(allowed) == len(counts), "a count is not a positive number")
    require(not boundary or 0 in counts, "no cell is zero")
    _check_tables(claim, witness, parameters, boundary=boundary)
    for formula, table, value in zip(claim.formulas, witness.tables, witness.values, strict=True):
        place = dict(zip(claim.arguments, map(Rational, table), strict=True)) | parameters
        found = value_or_none(formula, place)
        if found is None:
            raise CertificateError(f"the metric may have no value at {tuple(table)}")
        require(is_same(found, value), f"the metric's value at {tuple(table)} is not {value}")
    values = {value_symbol(place): value for place, value in enumerate(witness.values)}
    require(_violates(claim, claim.relation.xreplace(values)), "the values satisfy the claim")


def _violates(claim: Comparison, value: Expr) -> bool:
    """Whether the value of a claim's relation certainly has a sign that contradicts the claim."""
    sign = 0 if value == 0 or cancel(value) == 0 else certain_sign(value)
    excluded = {"=": (1, -1), ">": (0, -1), ">=": (-1,)}[claim.sign]
    return sign in excluded


def _is_over(claim: Comparison, table: Counts | Point) -> bool:
    if claim.arguments == CELLS:
        return isinstance(table, Counts)
    return isinstance(table, Point) and table.names == claim.over


def _check_tables(
    claim: Comparison, witness: Witness, parameters: Mapping[Symbol, Rational], *, boundary: bool
) -> None:
    """Check that the tables are the claim's at the parameters, for some positive values of the auxiliary variables."""
    known: dict[Symbol, Expr] = dict(parameters)
    pairs = [
        (e, Rational(c)) for es, t in zip(claim.tables, witness.tables, strict=True) for e, c in zip(es, t, strict=True)
    ]
    while True:
        left = [(expression.xreplace(known), count) for expression, count in pairs]
        unknown = [(e, c) for e, c in left if len(e.free_symbols) == 1]
        if not unknown:
            break
        expression, count = unknown[0]
        (symbol,) = expression.free_symbols
        poly = SymPyPoly(expression - count, symbol)
        require(poly.degree() == 1, "a table of the claim is not linear")
        known[symbol] = -poly.nth(0) / poly.nth(1)
    require(all(expression == count for expression, count in left), "the tables are not those of the claim")
    variables = {symbol: value for symbol, value in known.items() if symbol not in parameters}
    zero = set(claim.arguments) if boundary else set()
    allowed = (value > 0 or (value == 0 and symbol in zero) for symbol, value in variables.items())
    require(all(allowed), "a variable is not positive")
