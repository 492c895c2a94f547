"""Whether one formula is an affine function ``a*L + b`` of another one.

Two tables at which L differs leave only one pair of numbers a and b.  An identity then proves the equation with them,
or a third table refutes it, because the determinant of the three tables is not zero.  What neither settles is open.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any, Final

import mpmath
from flint import ctx, fmpq
from sympy import Expr, S, Symbol

from symmetrics.claims import Affine, Claim, Identity, value_symbol
from symmetrics.claims.values import Link
from symmetrics.claims.verdict import Counts, Decision, Evidence, Point, Witness, open_decision
from symmetrics.language.cells import CELLS
from symmetrics.language.formula import formula_text, parse_formula
from symmetrics.prover.engine.affine_parameters import decide_with_parameters
from symmetrics.prover.engine.fits import DIGITS, precise, recognised
from symmetrics.prover.engine.regions import tables_of_regions
from symmetrics.prover.engine.samples import BITS, GENERIC, SMALL, Counted, Sampled, counts_of, order_of, sampled

__all__ = ["affine_numbers", "decide"]

FIRST: Final = value_symbol(0)
SECOND: Final = value_symbol(1)
Pair = tuple[Counted, Counted]
Decide = Callable[[Claim], Decision]


def decide(claim: Affine, decide_part: Decide) -> Decision:
    """Decide whether one formula is an affine function of another one.

    :param decide_part: what decides the identities that this comes down to
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
    """Return two tables at which a formula is certain to differ."""
    return next(((tables[0], t) for t in tables[1:] if order_of(formula, tables[0], t) in (1, -1)), None)


def _constant(formula: Expr, values: Sampled, table: Counted) -> Identity:
    return Identity(formula, (), (CELLS,), (), FIRST - values.exact_at(table))


def _of_a_constant(
    claim: Affine, subject: Sampled, partner: Sampled, tables: Sequence[Counted], decide_part: Decide
) -> Decision:
    """Decide the claim where the other formula has one value at all tables."""
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
    """Decide the claim from two tables at which the other formula differs."""
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
    """Yield the numbers that two tables ask for, as they are and as a simple form of their values is."""
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
    """Whether no affine function is certain to have the values of M and of the other formula at three tables."""
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
