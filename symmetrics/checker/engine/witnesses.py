"""Counterexamples re-verified."""

from __future__ import annotations

from collections.abc import Mapping

from sympy import Expr, Rational, Symbol, cancel
from sympy import Poly as SymPyPoly

from symmetrics.checker.engine.requirements import is_count, require
from symmetrics.checker.engine.values import certain_sign, is_same, value_or_none
from symmetrics.claims import Comparison, value_symbol
from symmetrics.claims.witness import Counts, Point, Witness
from symmetrics.language.cells import CELLS
from symmetrics.tools.errors import CertificateError


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
    """Whether the value of a claim's relation is certain to have a sign that the claim excludes."""
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
