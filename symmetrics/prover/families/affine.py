"""Whether one formula is an affine function ``a*L + b`` of another one.

Two tables at which L differs leave only one pair of numbers a and b.  An identity then proves the equation with them,
or a third table refutes it, because the determinant of the three tables is not zero.  What neither settles is open.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, Final, NamedTuple

import mpmath
from flint import ctx, fmpq
from sympy import Abs, Expr, Max, Min, Poly, PolynomialError, Pow, S, Symbol, cancel, fraction, log

from symmetrics.claims import Affine, Claim, Identity, value_symbol
from symmetrics.claims.evidence import Counts, Decision, Evidence, Point, Witness, open_decision
from symmetrics.claims.values import Link
from symmetrics.language.cells import CELLS
from symmetrics.language.formula import parse_formula
from symmetrics.language.parameter import Parameter
from symmetrics.language.writer import formula_text
from symmetrics.prover.engine.chains import DIGITS, precise, recognised
from symmetrics.prover.engine.samples import (
    BITS,
    GENERIC,
    SMALL,
    Counted,
    Sampled,
    counts_of,
    order_of,
    sampled,
    tables_of_regions,
)

# -- Whether one formula is an affine function of another one, for all values of their parameters or for which ---------

# Two tables determine the candidates a and b as fractions in the parameters. Where the other formula differs
# between the two tables for all parameters, no other numbers are possible, and the claim is equivalent to
# the equation with these.


MAX_TABLES: Final = 8
"""Tables from which pairs are formed."""
MAX_TRIES: Final = 3
"""Number of candidate pairs (a, b) that are tried."""
Decide = Callable[[Claim], Decision]


class _Guess(NamedTuple):
    """Candidate numbers a and b, polynomials or fractions in the parameters.

    :param tables: two tables that leave only these numbers, or none where they are merely possible
    """

    a: Expr
    b: Expr
    tables: tuple[Counted, ...] = ()


def decide_with_parameters(claim: Affine, decide: Decide) -> Decision:
    """Decide the claim for formulas with parameters.

    :param decide: function that decides the equation, and the claim at values of the parameters
    """
    if {"M", "partner"} & {p.name for p in claim.parameters}:
        return open_decision("a parameter has the name of a formula in the equation, M or partner; rename it")
    guesses = sorted(_guesses(claim), key=lambda guess: not guess.tables)
    for guess in itertools.islice(dict.fromkeys(guesses), MAX_TRIES):
        decision = decide(_equation_with_parameters(claim, guess))
        if decision.status == "proved":
            return _decided(guess._replace(tables=()), decision, None)  # a proof does not need the tables
        if decision.status != "open" and guess.tables and (found := _witness(claim, decision, decide)) is not None:
            return _decided(guess, decision, found)
    return open_decision(
        "no numbers a and b were found that are proved to do for all values of the parameters; bind them"
    )


def _equation_with_parameters(claim: Affine, guess: _Guess) -> Identity:
    partner = guess.a * claim.partner + guess.b
    return Identity(claim.subject, claim.parameters, (CELLS, CELLS), (), value_symbol(0) - value_symbol(1), partner)


def _guesses(claim: Affine) -> Iterator[_Guess]:
    """Yield the candidates that pairs of tables determine."""
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
    """Whether a polynomial in the parameters is known to have no zero in their domains."""
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
    """Whether a formula is known to be defined at a table for all values of the parameters."""
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


# ----------------------------------------------------------------------------------------------------------------------


FIRST: Final = value_symbol(0)
SECOND: Final = value_symbol(1)
Pair = tuple[Counted, Counted]


def decide(claim: Affine, decide_part: Decide) -> Decision:
    """Decide whether one formula is an affine function of another one.

    :param decide_part: function that decides the identities that this comes down to
    """
    if claim.parameters:
        return decide_with_parameters(claim, decide_part)
    subject, partner = sampled(claim.subject), sampled(claim.partner)
    listed = dict.fromkeys((*SMALL, *GENERIC, *tables_of_regions(claim.subject, claim.partner)))
    tables = [t for t in listed if subject.at(t) is not None and partner.at(t) is not None]
    if not tables:
        return open_decision("no table was found at which both formulas have a value")
    pair = _different(partner, tables)
    if pair is None:
        found = decide_part(_constant(claim.partner, partner, tables[0]))
        if found.witness is None:
            return _of_a_constant(claim, subject, partner, tables, decide_part)
        tables.append(table := _counted(found.witness.tables[0]))
        if subject.at(table) is None:
            return open_decision("tables at which the other formula differs, and both have a value, were not found")
        pair = (tables[0], table)
    return _of_a_pair(claim, pair, tables, decide_part)


def affine_numbers(subject: Expr, partner: Expr, decide_part: Decide) -> tuple[Expr, Expr] | None:
    """Return the numbers a and b for which ``subject = a*partner + b`` is proved, or None."""
    data = decide(Affine(subject, (), partner), decide_part).evidence.data
    return (parse_formula(data["a"]), parse_formula(data["b"])) if "a" in data else None


def _different(formula: Sampled, tables: Sequence[Counted]) -> Pair | None:
    """Return two tables at which a formula certainly has different values."""
    return next(((tables[0], t) for t in tables[1:] if order_of(formula, tables[0], t) in (1, -1)), None)


def _constant(formula: Expr, values: Sampled, table: Counted) -> Identity:
    return Identity(formula, (), (CELLS,), (), FIRST - values.exact_at(table))


def _of_a_constant(
    claim: Affine, subject: Sampled, partner: Sampled, tables: Sequence[Counted], decide_part: Decide
) -> Decision:
    """Decide the claim where the other formula is constant."""
    for table in tables[1:]:
        if order_of(partner, tables[0], table) == 0 and order_of(subject, tables[0], table) in (1, -1):
            return _refuted(claim, (tables[0], table))
    return _proved(claim, S.One, _difference(subject, partner, tables[0]), decide_part) or open_decision(
        "the other formula has one value at all tables that were tried, and this one is not known to differ from it by "
        "a number"
    )


def _counted(table: Counts | Point) -> Counted:
    return tuple(count if isinstance(count, int) else Fraction(int(count.p), int(count.q)) for count in table)


def _difference(subject: Sampled, partner: Sampled, table: Counted) -> Expr:
    return subject.exact_at(table) - partner.exact_at(table)


def _of_a_pair(claim: Affine, pair: Pair, tables: Sequence[Counted], decide_part: Decide) -> Decision:
    """Decide the claim from two tables at which the other formula has different values."""
    for table in tables:
        if _is_off(claim, (*pair, table)):
            return _refuted(claim, (*pair, table))
    for a, b in _numbers(claim, pair):
        if (found := _proved(claim, a, b, decide_part)) is not None:
            return found
    a, b = next(_numbers(claim, pair))
    counterexample = decide_part(_equation(claim, a, b)).witness
    if counterexample is not None and _is_off(claim, (*pair, third := _counted(counterexample.tables[0]))):
        return _refuted(claim, (*pair, third))
    return open_decision("no table that was tried shows that it is no affine function, and an identity was not proved")


def _numbers(claim: Affine, pair: Pair) -> Iterator[tuple[Expr, Expr]]:
    """Yield the candidates that two tables determine: unchanged, and with values in simplified form."""
    subject, partner = sampled(claim.subject), sampled(claim.partner)
    (m, other_m), (v, other_v) = ([each.exact_at(t) for t in pair] for each in (subject, partner))
    a = (other_m - m) / (other_v - v)
    exact = a, m - a * v
    values = [each.at(table) for each in (subject, partner) for table in pair]
    if not all(isinstance(value, fmpq) for value in values):
        with _Precision(), mpmath.workdps(DIGITS):
            slope = (values[1] - values[0]) / (values[3] - values[2])
            simple = recognised(precise(slope)), recognised(precise(values[0] - slope * values[2]))
        if simple[0] is not None and simple[1] is not None:
            yield simple[0], simple[1]
    yield exact


class _Precision:
    """The precision at which formulas are sampled."""

    def __enter__(self) -> None:
        self.saved, ctx.prec = ctx.prec, BITS

    def __exit__(self, *_: object) -> None:
        ctx.prec = self.saved


def _equation(claim: Affine, a: Expr, b: Expr) -> Identity:
    return Identity(claim.subject, (), (CELLS, CELLS), (), FIRST - a * SECOND - b, claim.partner)


def _proved(claim: Affine, a: Expr, b: Expr, decide_part: Decide) -> Decision | None:
    part = _equation(claim, a, b)
    decision = decide_part(part)
    if decision.status != "proved":
        return None
    found = Link("M", formula_text(a * Symbol("partner", real=True) + b))
    data = {"a": formula_text(a), "b": formula_text(b), "part": decision.record()}
    return Decision("proved", True, Evidence("affine function", data), found=found)


def _is_off(claim: Affine, tables: Sequence[Counted]) -> bool:
    """Whether three tables certainly refute that M is an affine function of the other formula."""
    subject, partner = sampled(claim.subject), sampled(claim.partner)
    values: list[Any] = [each.at(table) for each in (subject, partner) for table in tables]
    if any(value is None for value in values):
        return False
    m, v = values[:3], values[3:]
    with _Precision():
        determinant = (m[2] - m[0]) * (v[1] - v[0]) - (m[1] - m[0]) * (v[2] - v[0])
        return bool(determinant > 0) or bool(determinant < 0)


def _refuted(claim: Affine, tables: Sequence[Counted]) -> Decision:
    subject, partner = sampled(claim.subject), sampled(claim.partner)
    values = tuple(each.exact_at(t) for each in (subject, partner) for t in tables)
    witness = Witness(counts_of((*tables, *tables)), values)
    return Decision("refuted", False, Evidence("determinant"), witness=witness)
