"""Whether two formulas order tables alike: a link of strictly monotone steps between them, or two tables out of order.

A link is an equation ``left(M) = right(partner)``, each side a chain of strictly monotone functions; an identity proves
the equation, and an inequality for each step that the step is monotone on the values it gets.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

import mpmath
import numpy as np
from sympy import Expr, Max, Pow, Rational, S, Symbol, log, sqrt

from symmetrics.cells import CELLS
from symmetrics.claims import Claim, Comparison, Identity, Inequality, SameOrder, StrictInequality, value_symbol
from symmetrics.errors import UnsupportedError
from symmetrics.formula import formula_text
from symmetrics.prover.fits import DIGITS, Array, fits, precise, solve
from symmetrics.prover.identities import difference_of
from symmetrics.prover.samples import GENERIC, SMALL, Counted, Sampled, counts_of, order_of, sampled
from symmetrics.verdict import Decision, Evidence, Verdict, Witness

__all__ = ["Link", "affine_link", "decide_same_order", "find_links"]

Step = tuple[str, tuple[Expr, ...]]
"""A strictly monotone function: its name and its numbers."""

_IDENTITY: Final[tuple[Step, ...]] = ()
_ODDS: Final[Step] = ("moebius", (S.One, S.Zero, S.NegativeOne, S.One))
_RATIO: Final[Step] = ("moebius", (S.One, S.One, S.NegativeOne, S.One))
_EXCESS: Final[Step] = ("excess", ())
_COMPLEMENT: Final[Step] = ("moebius", (S.NegativeOne, S.One, S.Zero, S.One))
_POWERS: Final = tuple(Rational(p, q) for p, q in ((2, 1), (1, 2), (4, 3), (3, 4), (3, 2), (2, 3), (3, 1), (1, 3)))
MAX_STARTS: Final = 12
"""Tables from which two formulas are compared along a direction."""
ANGLE: Final = 1e-7
"""Directions that differ by less count as the same."""
STEPS: Final = (4, 6, 9, 13, 18)
"""Powers of ten by which the steps along a direction shrink."""
MAX_TRIES: Final = 8
"""Links that fit all samples but that could not be proved, before the search ends."""


def _chains() -> tuple[tuple[Step, ...], ...]:
    """Return the chains of steps that are tried on either side."""
    outer: list[tuple[Step, ...]] = [*((("power", (power,)),) for power in _POWERS), (("log", ()),)]
    inner: tuple[tuple[Step, ...], ...] = ((), (_RATIO,), (_ODDS,), (_COMPLEMENT,))
    return (_IDENTITY, (_EXCESS,), *(first + last for first in inner for last in outer))


_CHAINS: Final = _chains()


@dataclass(frozen=True)
class Link:
    """An equation ``left(M) = right(partner)``.

    :param left: the steps that are applied to M, in their order
    :param right: the steps that are applied to the partner
    """

    left: tuple[Step, ...]
    right: tuple[Step, ...]

    @property
    def equation(self) -> str:
        """The link in words."""
        left, right = _apply(self.left, Symbol("M", real=True)), _apply(self.right, Symbol("partner", real=True))
        return f"{formula_text(left)} = {formula_text(right)}"


def decide_same_order(claim: SameOrder, decide: Callable[[Claim], Decision]) -> Decision:
    """Decide whether two formulas order all tables alike, or all the other way round.

    :param decide: what decides the parts of a link
    """
    if claim.parameters:
        return _open("the order depends on parameters; bind them")
    try:
        subject, partner = sampled(claim.subject), sampled(claim.partner)
        if (found := _out_of_order(subject, partner, claim.reverse)) is not None:
            return _refuted(found)
        for link in itertools.islice(find_links(subject, partner, claim.reverse), MAX_TRIES):
            if (parts := _proved_parts(claim, link, decide)) is not None:
                return _linked(claim, link, parts)
        if (found := _along_gradients(subject, partner, claim.reverse)) is not None:
            return _refuted(found)
    except UnsupportedError as error:
        return _open(str(error))
    return _open("no two tables out of order and no link of simple monotone functions was found and proved")


def _open(reason: str) -> Decision:
    return Decision("open", None, Evidence("open", f"open: {reason}"))


# -- refutations -------------------------------------------------------------------------------------------------------


def _out_of_order(subject: Sampled, partner: Sampled, reverse: bool) -> Witness | None:
    """Return two tables that the two formulas do not order as claimed: the first ones among small, then others."""
    for tables in (SMALL, GENERIC):
        kept = [(t, subject.float_at(t), partner.float_at(t)) for t in tables]
        kept = [item for item in kept if item[1] == item[1] and item[2] == item[2]]
        for place, (first, left, right) in enumerate(kept):
            for second, other_left, other_right in kept[:place]:
                rise = (right - other_right) * (-1 if reverse else 1)
                # What is far from a tie and goes the same way needs no second look.
                if (left - other_left) * rise > 1e-24:
                    continue
                if (found := _certified(subject, partner, (second, first), reverse)) is not None:
                    return found
    return None


def _along_gradients(subject: Sampled, partner: Sampled, reverse: bool) -> Witness | None:
    """Return two tables that are close to each other: along a direction in which only one of the formulas rises."""
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
    """Return by how much a formula rises when one cell grows a little, for each cell."""
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
    first, second = (str(tuple(map(str, table))).replace("'", "") for table in witness.tables[:2])
    values = [formula_text(value) for value in witness.values]
    sentence = (
        f"counterexample: M is {values[0]} at (TP, FN, FP, TN) = {first} and {values[1]} at {second}, where the other "
        f"metric is {values[2]} and {values[3]}; not known to be the smallest one"
    )
    return Decision("refuted", False, Evidence("witness", sentence), witness=witness)


# -- links -------------------------------------------------------------------------------------------------------------


def find_links(subject: Sampled, partner: Sampled, reverse: bool = False) -> Iterator[Link]:
    """Yield links that agree with the values at sample tables, the simplest first; none of them is proved."""
    simple = [link for link in _candidates(subject, partner, 1) if (_direction(link) < 0) == reverse]
    yield from simple
    others = [link for link in _candidates(subject, partner, 2) if (_direction(link) < 0) == reverse]
    yield from sorted(others, key=_complexity)


def _complexity(link: Link) -> int:
    """Return how many steps of a link come after another one, which makes what has to be shown of them larger."""
    return sum(
        place * (3 if step[0] == "moebius" else 1) + 1
        for side in (link.left, link.right)
        for place, step in enumerate(side)
    )


def _candidates(subject: Sampled, partner: Sampled, level: int) -> Iterator[Link]:
    tables = _common_tables(subject, partner)
    lefts, rights = (np.array([f.float_at(table) for table in tables]) for f in (subject, partner))
    chains = [(chain, _values(chain, lefts), _values(chain, rights)) for chain in _CHAINS]
    pairs = [p for p in itertools.product(chains, chains) if (len(p[0][0]) + len(p[1][0]) < 2) == (level == 1)]
    for (left, images, _), (right, _, arguments) in sorted(pairs, key=lambda p: len(p[0][0]) + len(p[1][0])):
        if images is None or arguments is None or (family := fits(arguments, images)) is None:
            continue
        if (link := _solved(family, left, right, subject, partner, tables)) is not None:
            yield link
    if level == 1 and (link := _bend(lefts, rights, subject, partner, tables)) is not None:
        yield link


def affine_link(subject: Sampled, partner: Sampled) -> tuple[Expr, Expr] | None:
    """Return the numbers a and b of ``M = a*partner + b``, if the values at sample tables suggest some."""
    tables = _common_tables(subject, partner)
    values = [np.array([f.float_at(table) for table in tables]) for f in (partner, subject)]
    if fits(*values) != "affine":
        return None
    link = _solved("affine", (), (), subject, partner, tables)
    return None if link is None else _affine_numbers(link)


def _affine_numbers(link: Link) -> tuple[Expr, Expr]:
    return (link.right[0][1][0], link.right[0][1][1]) if link.right else (S.One, S.Zero)


def _common_tables(subject: Sampled, partner: Sampled) -> list[Counted]:
    return [t for t in GENERIC if subject.at(t) is not None and partner.at(t) is not None]


def _solved(
    family: str,
    left: tuple[Step, ...],
    right: tuple[Step, ...],
    subject: Sampled,
    partner: Sampled,
    tables: Sequence[Counted],
) -> Link | None:
    images = [_precise_value(left, subject.at(table)) for table in tables]
    arguments = [_precise_value(right, partner.at(table)) for table in tables]
    found = solve(family, arguments, images)
    if found is None:
        return None
    return Link(left, right if found == (1, 0, 0, 1) else (*right, ("moebius", found)))


def _bend(lefts: Array, rights: Array, subject: Sampled, partner: Sampled, tables: Sequence[Counted]) -> Link | None:
    """Return the link ``M = p/sqrt(c + d*p**2)``, where ``1/M**2 = d + c/p**2`` and the signs agree."""
    if not (lefts * rights > 0).all() or fits(1 / rights**2, 1 / lefts**2) != "affine":
        return None
    inverse: tuple[Step, ...] = (("power", (Rational(-2),)),)
    link = _solved("affine", inverse, inverse, subject, partner, tables)
    if link is None or not link.right[1:] or not link.right[1][1][0] > 0:
        return None
    return Link((), (("bend", link.right[1][1][:2]),))


def _values(steps: Sequence[Step], values: Array) -> Array | None:
    for name, numbers in steps:
        if name == "moebius":
            a, b, c, d = map(int, numbers)
            if (c * values + d <= 0).any():
                return None
            values = (a * values + b) / (c * values + d)
        elif name == "excess":
            if (values <= 1).all() or (values >= 1).all():  # a Moebius function of them
                return None
            values = (values - 1) / np.maximum(values, 1)
        elif (values <= 0).any():
            return None
        else:
            values = np.log(values) if name == "log" else values ** float(numbers[0])
    return values


def _precise_value(steps: Sequence[Step], value: Any) -> Any:
    result = precise(value)
    with mpmath.workdps(DIGITS):
        for name, numbers in steps:
            if name == "moebius":
                a, b, c, d = map(int, numbers)
                result = (a * result + b) / (c * result + d)
            elif name == "log":
                result = mpmath.log(result)
            elif name == "excess":
                result = (result - 1) / max(result, mpmath.mpf(1))
            else:
                result = result ** (mpmath.mpf(int(numbers[0].p)) / int(numbers[0].q))
    return result


def _direction(link: Link) -> int:
    sign = 1
    for name, numbers in (*link.left, *link.right):
        if name == "moebius":
            a, b, c, d = numbers
            sign *= 1 if (a * d - b * c) > 0 else -1
        elif name == "power" and numbers[0] < 0:
            sign = -sign
    return sign


def _apply(steps: Sequence[Step], value: Expr) -> Expr:
    for name, numbers in steps:
        if name == "moebius":
            a, b, c, d = numbers
            value = (a * value + b) / (c * value + d)
        elif name == "power":
            value = Pow(value, numbers[0])
        elif name == "log":
            value = log(value)
        elif name == "excess":
            value = (value - 1) / Max(value, S.One)
        else:
            value = value / sqrt(numbers[0] + numbers[1] * value**2)
    return value


def _claims_of(claim: SameOrder, link: Link) -> dict[str, Comparison]:
    """Return what has to be proved for a link: each step's condition, and the equation."""
    claims: dict[str, Comparison] = {}
    images = {}
    for side, formula, steps in (("left", claim.subject, link.left), ("right", claim.partner, link.right)):
        value, never_negative = value_symbol(0), False
        for place, step in enumerate(steps):
            if (condition := _condition(step, value, never_negative)) is not None:
                family, relation = condition
                claims[f"{side} {place}"] = family(formula, (), (CELLS,), (), relation)
            never_negative = _is_never_negative(step, never_negative, condition is not None)
            value = _apply((step,), value)
        images[side] = value
    relation = images["left"] - images["right"].xreplace({value_symbol(0): value_symbol(1)})
    claims["link"] = Identity(claim.subject, (), (CELLS, CELLS), (), relation, claim.partner)
    return claims


def _condition(step: Step, value: Expr, never_negative: bool) -> tuple[type[Comparison], Expr] | None:
    """Return the inequality that makes a step monotone, None where there is nothing to show.

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
    """Return whether no value of a step is negative."""
    name, numbers = step
    if name == "power":
        return was or has_condition
    return was and (name == "bend" or (name == "moebius" and not has_condition and min(numbers[:2]) >= 0))


def _proved_parts(
    claim: SameOrder, link: Link, decide: Callable[[Claim], Decision]
) -> dict[str, dict[str, Any]] | None:
    parts = {}
    for label, part in reversed(_claims_of(claim, link).items()):
        # It agrees with all samples: where algebra does not show it, a search for counterexamples is idle.
        if isinstance(part, Identity) and not _is_formally_zero(part):
            return None
        decision = decide(part)
        if decision.status != "proved":
            return None
        certificate = Verdict.of(decision, part, metric="", property=label).certificate()
        parts[label] = {key: certificate[key] for key in certificate if key not in ("metric", "property", "claim")}
    return parts


def _is_formally_zero(claim: Identity) -> bool:
    try:
        return difference_of(claim).element.is_zero
    except UnsupportedError:
        return False


def _linked(claim: SameOrder, link: Link, parts: dict[str, dict[str, Any]]) -> Decision:
    data = {
        side: [[name, *map(formula_text, numbers)] for name, numbers in steps]
        for side, steps in (("left", link.left), ("right", link.right))
    }
    direction = "decreasing" if claim.reverse else "increasing"
    equation = link.equation
    sentence = f"{equation}, a strictly {direction} function of it on its values, by an identity"
    sentence += f" and {len(parts) - 1} inequalities" if len(parts) > 2 else " and an inequality" * (len(parts) - 1)
    return Decision("proved", True, Evidence("link", sentence, data | {"parts": parts}), value=equation)
