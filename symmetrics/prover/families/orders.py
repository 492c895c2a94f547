"""Whether two formulas rank tables alike: a chain of strictly monotone steps, or two tables ranked differently.

A link is an equation ``left(M) = right(partner)``, each side a chain of strictly monotone functions; an identity proves
the equation, and an inequality for each step that the step is monotone on the values it gets.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any, Final

import mpmath
import numpy as np
from sympy import Expr, S

from symmetrics.algebra.convert import difference_of, field_for
from symmetrics.algebra.evaluate import Evaluator, certain_sign
from symmetrics.claims import (
    Affine,
    Claim,
    Comparison,
    Identity,
    Inequality,
    SameOrder,
    StrictInequality,
    value_symbol,
)
from symmetrics.claims.evidence import Decision, Evidence, Witness, open_decision
from symmetrics.claims.wording import words_of
from symmetrics.language.cells import CELLS
from symmetrics.language.formula import parse_formula
from symmetrics.language.writer import formula_text
from symmetrics.prover.engine.chains import DIGITS, Array, Link, Step, applied, find_links, precise
from symmetrics.prover.engine.samples import (
    GENERIC,
    SMALL,
    Counted,
    Sampled,
    counts_of,
    order_of,
    sampled,
    tables_of_regions,
)
from symmetrics.prover.families.affine import affine_numbers
from symmetrics.tools.errors import UnsupportedError

MAX_STARTS: Final = 12
"""Tables from which two formulas are compared along a direction."""
ANGLE: Final = 1e-7
"""Directions that differ by less count as the same."""
STEPS: Final = (4, 6, 9, 13, 18)
"""Powers of ten for the decreasing step lengths along a direction."""
MAX_TRIES: Final = 8
"""Number of links that fit all samples without being provable, after which the search ends."""


def decide(claim: SameOrder, decide_part: Callable[[Claim], Decision]) -> Decision:
    """Decide whether two formulas rank all tables alike, or all in reverse.

    :param decide_part: function that decides the parts of a link
    """
    if claim.parameters:
        return _with_parameters(claim, decide_part)
    try:
        subject, partner = sampled(claim.subject), sampled(claim.partner)
        if (found := _out_of_order(subject, partner, claim.reverse)) is not None:
            return _refuted(found)
        links = itertools.chain(_affine_link(claim, decide_part), find_links(subject, partner, claim.reverse))
        for link in itertools.islice(links, MAX_TRIES):
            if (parts := _proved_parts(claim, link, decide_part)) is not None:
                return _linked(link, parts)
        if (found := _along_gradients(subject, partner, claim.reverse)) is not None:
            return _refuted(found)
    except UnsupportedError as error:
        return _open(str(error))
    return _open("no two tables out of order and no link of simple monotone functions was found and proved")


def _with_parameters(claim: SameOrder, decide_part: Callable[[Claim], Decision]) -> Decision:
    """Decide the claim for all parameters at once by an equation ``M = a*partner + b`` with a of one sign."""
    equation = decide_part(Affine(claim.subject, claim.parameters, claim.partner))
    if equation.status != "proved" or equation.found is None:
        return _open(
            "with parameters an order is proved by an equation M = a*partner + b alone, and none was proved for all of "
            "their values; bind them"
        )
    a, b = (equation.evidence.data[key] for key in ("a", "b"))
    slope = parse_formula(a, [parameter.name for parameter in claim.parameters])
    towards = -slope if claim.reverse else slope
    rises = decide_part(StrictInequality(towards, claim.parameters, (CELLS,), (), value_symbol(0)))
    if rises.status != "proved":
        wanted = "negative" if claim.reverse else "positive"
        return _open(
            f"{words_of(equation.found)}, and its slope {a} was not shown to be {wanted} for all values of the "
            "parameters; bind them"
        )
    parts = {"equation": equation.record(), "slope": rises.record()}
    data = {"left": [], "right": [["moebius", a, b, "0", "1"]], "parts": parts}
    return Decision("proved", True, Evidence("link", data), found=equation.found)


def _open(reason: str) -> Decision:
    return open_decision(reason)


# -- refutations -------------------------------------------------------------------------------------------------------


def _out_of_order(subject: Sampled, partner: Sampled, reverse: bool) -> Witness | None:
    """Return two tables that the formulas do not rank as claimed: among small tables first, then others."""
    for tables in (SMALL, GENERIC, tables_of_regions(subject.formula, partner.formula)):
        kept = [(t, subject.float_at(t), partner.float_at(t)) for t in tables]
        kept = [item for item in kept if item[1] == item[1] and item[2] == item[2]]
        for place, (first, left, right) in enumerate(kept):
            for second, other_left, other_right in kept[:place]:
                rise = (right - other_right) * (-1 if reverse else 1)
                # Pairs that are far from a tie and ranked as claimed need no exact comparison.
                if (left - other_left) * rise > 1e-24:
                    continue
                if (found := _certified(subject, partner, (second, first), reverse)) is not None:
                    return found
    return None


def _along_gradients(subject: Sampled, partner: Sampled, reverse: bool) -> Witness | None:
    """Return two nearby tables, along a direction in which only one of the formulas increases."""
    for table in GENERIC[:MAX_STARTS]:
        rises = [_rise(formula, table) for formula in (subject, partner)]
        if any(rise is None or not np.linalg.norm(rise) for rise in rises):
            continue
        first, second = (rise / np.linalg.norm(rise) for rise in rises if rise is not None)
        gap = first + second if reverse else first - second
        if np.linalg.norm(gap) < ANGLE:
            continue
        gap = gap / np.linalg.norm(gap)
        for power in STEPS:
            moved = tuple(
                Fraction(cell) * (1 + Fraction(round(1000 * move), 10**power))
                for cell, move in zip(table, gap, strict=True)
            )
            if (found := _certified(subject, partner, (table, moved), reverse)) is not None:
                return found
    return None


def _rise(formula: Sampled, table: Counted) -> Array | None:
    """Return a formula's increase per cell: its numerical gradient."""
    start, small = formula.at(table), Fraction(1, 10**30)
    ends = [formula.at((*table[:k], table[k] * (1 + small), *table[k + 1 :])) for k in range(4)]
    if start is None or any(end is None for end in ends):
        return None
    with mpmath.workdps(DIGITS):
        return np.array([float((precise(end) - precise(start)) * 10**30) for end in ends])


def _certified(subject: Sampled, partner: Sampled, tables: tuple[Counted, Counted], reverse: bool) -> Witness | None:
    orders = order_of(subject, *tables), order_of(partner, *tables)
    if None in orders or orders[0] == (-(orders[1] or 0) if reverse else orders[1]):
        return None
    values = (*(subject.exact_at(t) for t in tables), *(partner.exact_at(t) for t in tables))
    return Witness(counts_of((*tables, *tables)), values)


def _refuted(witness: Witness) -> Decision:
    return Decision("refuted", False, Evidence("witness", {"smallest": False}), witness=witness)


# -- links -------------------------------------------------------------------------------------------------------------


def _affine_link(claim: SameOrder, decide_part: Callable[[Claim], Decision]) -> Iterator[Link]:
    """Yield the link ``M = a*partner + b`` if it is proved; for two constants, one with the claimed sign of a."""
    if (numbers := affine_numbers(claim.subject, claim.partner, decide_part)) is None:
        return
    a, b = numbers
    if not claim.partner.free_symbols:
        a, b = (S.NegativeOne, claim.subject + claim.partner) if claim.reverse else (S.One, b)
    if certain_sign(lambda: Evaluator(a, ())()) == (-1 if claim.reverse else 1):
        yield Link((), () if (a, b) == (1, 0) else (("moebius", (a, b, S.Zero, S.One)),))


def _claims_of(claim: SameOrder, link: Link) -> dict[str, Comparison]:
    """Return the claims that prove a link: the condition of each step, and the equation."""
    claims: dict[str, Comparison] = {}
    images = {}
    for side, formula, steps in (("left", claim.subject, link.left), ("right", claim.partner, link.right)):
        value, never_negative = value_symbol(0), False
        for place, step in enumerate(steps):
            if (condition := _condition(step, value, never_negative)) is not None:
                family, relation = condition
                claims[f"{side} {place}"] = family(formula, (), (CELLS,), (), relation)
            never_negative = _is_never_negative(step, never_negative, condition is not None)
            value = applied((step,), value)
        images[side] = value
    relation = images["left"] - images["right"].xreplace({value_symbol(0): value_symbol(1)})
    claims["link"] = Identity(claim.subject, (), (CELLS, CELLS), (), relation, claim.partner)
    return claims


def _condition(step: Step, value: Expr, never_negative: bool) -> tuple[type[Comparison], Expr] | None:
    """Return the inequality that makes a step monotone, None if it always is.

    :param never_negative: whether no value that the step is applied to is negative
    """
    name, numbers = step
    if name == "moebius":
        is_positive = numbers[2] == 0 or (never_negative and numbers[2] > 0 and numbers[3] > 0)
        return None if is_positive else (StrictInequality, numbers[2] * value + numbers[3])
    if name == "power":
        exponent = numbers[0]
        if exponent > 0 and (never_negative or (exponent.q == 1 and exponent.p % 2 == 1)):
            return None
        return (Inequality if exponent > 0 else StrictInequality), value
    if name in ("log", "excess"):
        return StrictInequality, value
    return None if numbers[1] >= 0 else (StrictInequality, numbers[0] + numbers[1] * value**2)


def _is_never_negative(step: Step, was: bool, has_condition: bool) -> bool:
    """Whether the step never returns a negative value."""
    name, numbers = step
    if name == "power":
        return was or has_condition
    return was and (name == "bend" or (name == "moebius" and not has_condition and min(numbers[:2]) >= 0))


def _proved_parts(
    claim: SameOrder, link: Link, decide_part: Callable[[Claim], Decision]
) -> dict[str, dict[str, Any]] | None:
    parts = {}
    for label, part in reversed(_claims_of(claim, link).items()):
        # It agrees with all samples: a further search for counterexamples is futile.
        if isinstance(part, Identity) and not _is_formally_zero(part):
            return None
        decision = decide_part(part)
        if decision.status != "proved":
            return None
        parts[label] = decision.record()
    return parts


def _is_formally_zero(claim: Identity) -> bool:
    try:
        return difference_of(
            claim.sides, claim.difference, field_for(claim.parameters, over=claim.names)
        ).element.is_zero
    except UnsupportedError:
        return False


def _linked(link: Link, parts: dict[str, dict[str, Any]]) -> Decision:
    data = {
        side: [[name, *map(formula_text, numbers)] for name, numbers in steps]
        for side, steps in (("left", link.left), ("right", link.right))
    }
    return Decision("proved", True, Evidence("link", data | {"parts": parts}), found=link.found)
