"""Whether one formula is an affine function of another one, for all values of their parameters or for which.

The numbers a and b that two tables ask for are then fractions in the parameters.  Where the other formula differs
between the two tables whatever the parameters are, no other numbers are possible, and the claim says the same as the
equation with these.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

from sympy import Abs, Expr, Max, Min, Poly, PolynomialError, Pow, S, Symbol, cancel, fraction, log

from symmetrics.claims import Affine, Claim, Identity, value_symbol
from symmetrics.claims.values import Link
from symmetrics.claims.verdict import Counts, Decision, Evidence, Witness, open_decision
from symmetrics.language.cells import CELLS
from symmetrics.language.formula import formula_text
from symmetrics.language.parameter import Parameter
from symmetrics.prover.engine.samples import SMALL, Counted, counts_of

__all__ = ["decide_with_parameters"]

MAX_TABLES: Final = 8
"""Tables from which pairs are taken."""
MAX_TRIES: Final = 3
"""Pairs of numbers that are tried."""
Decide = Callable[[Claim], Decision]


class _Guess(NamedTuple):
    """Numbers a and b, polynomials or fractions in the parameters.

    :param tables: two tables that leave only these numbers, or none where they are merely possible
    """

    a: Expr
    b: Expr
    tables: tuple[Counted, ...] = ()


def decide_with_parameters(claim: Affine, decide: Decide) -> Decision:
    """Decide the claim for formulas with parameters.

    :param decide: what decides the equation, and the claim at values of the parameters
    """
    if {"M", "partner"} & {p.name for p in claim.parameters}:
        return open_decision("a parameter has the name of a formula in the equation, M or partner; rename it")
    guesses = sorted(_guesses(claim), key=lambda guess: not guess.tables)
    for guess in itertools.islice(dict.fromkeys(guesses), MAX_TRIES):
        decision = decide(_equation(claim, guess))
        if decision.status == "proved":
            return _decided(_without_tables(guess), decision, None)
        if decision.status != "open" and guess.tables and (found := _witness(claim, decision, decide)) is not None:
            return _decided(guess, decision, found)
    return open_decision(
        "no numbers a and b were found that are proved to do for all values of the parameters; bind them"
    )


def _without_tables(guess: _Guess) -> _Guess:
    """Return numbers without the tables that they were read off from, of which a proof has no need."""
    return guess._replace(tables=())


def _equation(claim: Affine, guess: _Guess) -> Identity:
    partner = guess.a * claim.partner + guess.b
    return Identity(claim.subject, claim.parameters, (CELLS, CELLS), (), value_symbol(0) - value_symbol(1), partner)


def _guesses(claim: Affine) -> Iterator[_Guess]:
    """Yield the numbers that pairs of tables ask for."""
    tables = SMALL[:MAX_TABLES]
    values = [[_at(formula, table) for formula in (claim.subject, claim.partner)] for table in tables]
    for (one, (m, v)), (other, (other_m, other_v)) in itertools.combinations(zip(tables, values, strict=True), 2):
        rise = cancel(other_v - v)
        if rise == 0:
            continue
        a = cancel((other_m - m) / rise)
        b = cancel(m - a * v)
        if not all(_never_zero(fraction(number)[1], claim.parameters) for number in (a, b)):
            continue
        is_forced = _never_zero(fraction(rise)[0], claim.parameters) and all(
            _is_defined(formula, table, claim.parameters)
            for formula in (claim.subject, claim.partner)
            for table in (one, other)
        )
        yield _Guess(a, b, (one, other) if is_forced else ())
    if all(cancel(value - values[0][1]) == 0 for _, value in values):
        yield _Guess(S.One, cancel(values[0][0] - values[0][1]))


def _at(formula: Expr, table: Sequence[Any]) -> Expr:
    return formula.xreplace(dict(zip(CELLS, map(S, table), strict=True)))


def _never_zero(value: Expr, parameters: Sequence[Parameter]) -> bool:
    """Whether a polynomial in the parameters is known to be zero nowhere in their domains."""
    if not value.free_symbols:
        return bool(value.is_Rational and value != 0)
    used = [p for p in parameters if p.symbol in value.free_symbols]
    try:
        poly = Poly(value, *(p.symbol for p in used), domain="QQ")
    except (PolynomialError, ValueError):
        return False
    if all(p.lower >= 0 for p in used):
        signs = {bool(coefficient > 0) for coefficient in poly.coeffs()}
        if len(signs) == 1 and (poly.nth(*(0 for _ in used)) != 0 or all(0 not in p for p in used)):
            return True
    return len(used) == 1 and not any(used[0].domain.contains(root) is not S.false for root in poly.real_roots())


def _is_defined(formula: Expr, table: Sequence[Any], parameters: Sequence[Parameter]) -> bool:
    """Whether a formula is known to have a value at a table for all values of the parameters."""
    for node in formula.atoms(Pow, log, Abs, Min, Max):
        inner = _at(node.args[0], table)
        if isinstance(node, (Abs, Min, Max)) or (isinstance(node, Pow) and node.exp.free_symbols):
            if _at(node, table).free_symbols:
                return False
        elif isinstance(node, log) or not node.exp.is_Integer:
            if not (inner.is_Rational and inner > 0):
                return False
        elif node.exp.is_negative and not _never_zero(inner, parameters):
            return False
    return True


def _witness(claim: Affine, decision: Decision, decide: Decide) -> Witness | None:
    """Return tables and values of the parameters at which the claim fails."""
    if decision.witness is None:
        return None
    values = {p.symbol: decision.witness.parameters[p.name] for p in claim.parameters}
    found = decide(claim.at(values)).witness
    return None if found is None else replace(found, parameters=dict(decision.witness.parameters))


def _decided(guess: _Guess, decision: Decision, witness: Witness | None) -> Decision:
    tables: list[Counts] = list(counts_of(guess.tables))
    data = {
        "a": formula_text(guess.a),
        "b": formula_text(guess.b),
        "part": decision.record(),
        "tables": [[str(count) for count in table] for table in tables],
    }
    evidence = Evidence("affine function", data)
    if decision.status == "refuted":
        return Decision("refuted", False, evidence, witness=witness)
    found = Link("M", formula_text(guess.a * Symbol("partner", real=True) + guess.b))
    return Decision(decision.status, decision.holds, evidence, decision.condition, witness, found)
