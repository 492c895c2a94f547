"""Ranges and limits, written down a second time; they may depend on the parameters, by cases or in their terms."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING

from fuzz_conditions import Said, case_at
from fuzz_formulas import difference, draw_table, sign_of, value_of
from fuzz_laws import shown

if TYPE_CHECKING:
    from fuzz_judge import Judge

ROUNDS = 36
FAR = (30, 300)
"""Powers of ten at which a limit is compared with values; the second ought to be closer."""
SMALL = (Fraction(2), Fraction(1, 3), Fraction(3), Fraction(1, 2))
"""A table that is small beside the logarithms of what is far."""
RANGE = re.compile(r"([\[(])(.+), (.+)([\])])|from (.+) to (.+)")


def outside(judge: Judge, said: Said) -> str | None:
    """Return a table at which the formula is outside of its range."""
    for _ in range(ROUNDS):
        table, parameters = draw_table(judge.random), judge.special(said.value)
        case = None if said.value is None else case_at(said.value, parameters)
        if case is None:
            continue
        if not (found := RANGE.fullmatch(case)):
            return f"the range {case} cannot be read"
        left, lower, upper, right, *plain = found.groups()
        bounds = ((lower or plain[0], 1, left == "("), (upper or plain[1], -1, right == ")"))
        value = judge.at(table, parameters)
        for bound, direction, excluded in bounds:
            end = None if "oo" in bound else value_of(bound, parameters)
            if value is None or end is None:
                continue
            sign = sign_of(difference(value, end))
            if sign == -direction or (sign == 0 and excluded):
                return f"the range is {case}, and the value at {shown([table])} with {parameters} is {value}"
    return None


def elsewhere(judge: Judge, said: Said) -> str | None:
    """Return a table near which the formula does not tend to a limit."""
    for _ in range(4):
        # A logarithm of what is far is still small.
        table = SMALL if "log" in judge.text else draw_table(judge.random)
        parameters, gaps = judge.special(said.value), []
        case = None if said.value is None else case_at(said.value, parameters)
        if case is None:
            continue
        for power in FAR:
            s = Fraction(1, 10**power)
            far = (*table[:3], 1 / s) if said.key == "tn_limit" else (s * table[0], s * table[1], *table[2:])
            value = judge.at(far, parameters)
            limit = Fraction(0) if "oo" in case else judge.at(table, parameters, case)
            gaps.append(None if value is None or limit is None else difference(value, limit))
        if None in gaps:
            continue
        if "oo" in case:
            wrong = sign_of(difference(gaps[1], gaps[0])) == (-1 if case == "oo" else 1)
        else:
            large = sign_of(difference(abs(gaps[1]), Fraction(1, 10**6)))
            wrong = large == 1 and sign_of(difference(abs(gaps[1]) * 2, abs(gaps[0]))) == 1
        if wrong:
            return f"it does not tend to {case} near {shown([table])} with {parameters}"
    return None


LAWS: dict[str, Callable[[Judge, Said], str | None]] = {
    "range": outside,
    "tn_limit": elsewhere,
    "prevalence_limit": elsewhere,
}
