"""Re-verify verdicts on the order of tables: a link of strictly monotone steps, or two tables ranked differently."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from sympy import Expr, Max, Mul, Pow, Rational, S, Symbol, log

from symmetrics.checker.engine.parts import read_part
from symmetrics.checker.engine.requirements import is_count, require, require_kind, require_parts
from symmetrics.checker.engine.values import certain_sign, is_same, written_value
from symmetrics.claims import Affine, Comparison, Identity, Inequality, SameOrder, StrictInequality, value_symbol
from symmetrics.claims.evidence import Counts
from symmetrics.claims.values import Link
from symmetrics.claims.verdict import Verdict
from symmetrics.language.cells import CELLS
from symmetrics.language.formula import parse_formula
from symmetrics.language.writer import formula_text

EQUATION: Final = "equation"
SLOPE: Final = "slope"
"""The labels of the parts of a link with parameters."""
MAX_STEPS: Final = 8
"""Largest number of steps on one side of a link; bounds the work on untrusted evidence."""


class _Step(NamedTuple):
    """One strictly monotone function of a value."""

    image: Expr
    direction: int
    condition: Expr | None = None
    is_strict: bool = True
    never_negative: bool = False
    """Whether the step never returns a negative value, whatever its argument."""


def check(verdict: Verdict, claim: SameOrder, check_part: Callable[[Verdict], None]) -> None:
    """Re-verify a verdict on the order of tables.

    :param check_part: function that re-verifies the verdicts on the parts of a link
    """
    require_kind(verdict, proved={"link"}, refuted={"witness"})
    # A part is checked as a claim without parameters.
    require_parts(verdict)
    require(verdict.status != "refuted" or not claim.parameters, "the order at a parameter's value is another claim")
    free = claim.subject.free_symbols | claim.partner.free_symbols
    declared = {*CELLS, *(parameter.symbol for parameter in claim.parameters)}
    require(verdict.status == "open" or free <= declared, "a formula has a symbol that is not declared")
    if verdict.status == "refuted":
        _check_out_of_order(verdict, claim)
    if verdict.status == "proved":
        (_check_equation if claim.parameters else _check_link)(verdict, claim, check_part)
    require(verdict.status == "proved" or verdict.found is None, "there is no link")


def _check_equation(verdict: Verdict, claim: SameOrder, check_part: Callable[[Verdict], None]) -> None:
    """Check that M = a*partner + b, and that a is positive for all values of the parameters, or negative in reverse."""
    data = verdict.evidence.data
    parts = data["parts"]
    require(set(parts) == {EQUATION, SLOPE}, "a part of the link is missing")
    equation = read_part(parts[EQUATION], Affine(claim.subject, claim.parameters, claim.partner))
    a, b = (equation.evidence.data[key] for key in ("a", "b"))
    require(data["left"] == [] and data["right"] == [["moebius", a, b, "0", "1"]], "the link is not the equation")
    slope = parse_formula(a, [parameter.name for parameter in claim.parameters])
    signed = StrictInequality(-slope if claim.reverse else slope, claim.parameters, (CELLS,), (), value_symbol(0))
    for part in (equation, read_part(parts[SLOPE], signed)):
        require(part.status == "proved", "a part of the link is not proved")
        check_part(part)
    require(verdict.found == equation.found, "the link is another one than the verdict says")


def _check_link(verdict: Verdict, claim: SameOrder, check_part: Callable[[Verdict], None]) -> None:
    data = verdict.evidence.data
    stated: dict[str, Comparison] = {}
    value, direction = value_symbol(0), -1 if claim.reverse else 1
    images = {}
    for side, formula in (("left", claim.subject), ("right", claim.partner)):
        require(len(data[side]) <= MAX_STEPS, "the link has too many steps")
        images[side] = value
        never_negative = False
        for place, texts in enumerate(data[side]):
            step = _step(texts, images[side], never_negative)
            never_negative = step.never_negative
            direction *= step.direction
            if step.condition is not None:
                family = StrictInequality if step.is_strict else Inequality
                stated[f"{side} {place}"] = family(formula, (), (CELLS,), (), step.condition)
            images[side] = step.image
    require(direction == 1, "the link reverses the order")
    # The equation left(M) = right(partner) is an identity, and each step has to be monotone on the values before it.
    names = {"left": Symbol("M", real=True), "right": Symbol("partner", real=True)}
    sides = [formula_text(images[side].xreplace({value: name})) for side, name in names.items()]
    require(verdict.found == Link(*sides), "the link is another one than the verdict says")
    relation = images["left"] - images["right"].xreplace({value: value_symbol(1)})
    stated["link"] = Identity(claim.subject, (), (CELLS, CELLS), (), relation, claim.partner)
    require(set(data["parts"]) == set(stated), "a part of the link is missing")
    for label, part in data["parts"].items():
        found = read_part(part, stated[label])
        require(found.status == "proved", f"the part {label!r} of the link is not proved")
        check_part(found)


def _step(texts: Sequence[str], value: Expr, never_negative: bool) -> _Step:
    """Return a step; its monotonicity may depend on the argument being nowhere negative."""
    name, *rest = texts
    numbers = [parse_formula(text) for text in rest]
    require(not any(number.free_symbols for number in numbers), "a step of the link depends on the counts")
    match name, numbers:
        case "moebius", [a, b, c, d]:
            # (a*v + b)/(c*v + d) has the derivative (a*d - b*c)/(c*v + d)**2.
            sign = certain_sign(a * d - b * c)
            require(sign in (1, -1), "a step of the link is not monotone")
            below = c * value + d
            signs = [certain_sign(number) for number in numbers]
            is_positive = signs[2] == 0 or (never_negative and signs[2] == 1 and signs[3] == 1)
            require(signs[2] != 0 or signs[3] == 1, "a step of the link divides by what is not positive")
            keeps = never_negative and is_positive and signs[0] in (0, 1) and signs[1] in (0, 1)
            return _Step(
                Mul(a * value + b, Pow(below, -1)), int(sign or 0), None if is_positive else below, True, keeps
            )
        case "power", [Rational() as exponent]:
            # v**q is monotone where v > 0, and an odd whole power everywhere.
            require(exponent != 0, "a step of the link is constant")
            direction = 1 if exponent > 0 else -1
            is_free = exponent > 0 and (never_negative or (exponent.q == 1 and exponent.p % 2 == 1))
            condition, is_strict = (None if is_free else value), bool(exponent < 0)
            return _Step(Pow(value, exponent), direction, condition, is_strict, never_negative or condition is not None)
        case "log", []:
            return _Step(log(value), 1, value)
        case "excess", []:
            # v - 1 below 1 and 1 - 1/v above.
            return _Step((value - 1) / Max(value, S.One), 1, value)
        case "bend", [c, d]:
            # v/sqrt(c + d*v**2) has the derivative c/(c + d*v**2)**(3/2).
            require(certain_sign(c) == 1, "a step of the link is not monotone")
            below = c + d * value**2
            condition = None if certain_sign(d) in (0, 1) else below
            return _Step(value / Pow(below, Rational(1, 2)), 1, condition, True, never_negative)
    require(False, f"a link has no step {name!r}")
    raise AssertionError


def _check_out_of_order(verdict: Verdict, claim: SameOrder) -> None:
    witness = verdict.witness
    if witness is None:
        return
    require(not witness.parameters, "the counterexample has other parameters than the claim")
    require(len(witness.tables) == len(witness.values) == 4, "a table of the counterexample is missing")
    require(witness.tables[:2] == witness.tables[2:], "the two formulas are taken at different tables")
    formulas = (claim.subject, claim.subject, claim.partner, claim.partner)
    for formula, table, value in zip(formulas, witness.tables, witness.values, strict=True):
        require(all(is_count(count) for count in table), "a count is not a positive number")
        place = dict(zip(CELLS, map(Rational, Counts(*table)), strict=True))
        require(is_same(written_value(formula, place), value), f"the metric's value at {tuple(table)} is not {value}")
    first, second = (_order(*witness.values[place : place + 2]) for place in (0, 2))
    require(None not in (first, second), "the order of the two tables is not certain")
    require(first != (-(second or 0) if claim.reverse else second), "the tables are in the order of the claim")


def _order(left: Expr, right: Expr) -> int | None:
    require(bool(left.is_finite and right.is_finite), "the metric has no value at a table")
    return 0 if is_same(left, right) else certain_sign(left - right)
