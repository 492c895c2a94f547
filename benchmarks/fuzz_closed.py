"""What is said about tables with zero cells: agreement, where a formula is defined, its expectations, its numbers."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING, Any

from fuzz_conditions import Said, case_at
from fuzz_formulas import Value, difference, draw_count, draw_table, interval, sign_of, value_of
from fuzz_laws import Table, shown

if TYPE_CHECKING:
    from fuzz_judge import Judge

ROUNDS = 12
EMPTY = {"max_agreement": (1, 2), "min_agreement": (0, 3)}
"""The cells that are zero exactly where the formula is said to be at its extreme."""
MARGINS = [(n, p, op) for n in (2, 3, 4, 5) for p in range(1, n) for op in range(1, n)]
BORDER = "it has no value there"
"""How the judge begins to say so; alone, of the border of where a formula is real."""


def any_table(random: Random) -> Table:
    """Return a table of cells >= 0 that are not all zero."""
    table = draw_table(random)
    kept = tuple(count * random.choice((0, 1)) for count in table)
    return kept if any(kept) else table


# -- agreement -----------------------------------------------------------------------------------------------------


def on_agreement(judge: Judge, said: Said) -> str | None:
    """Return how a verdict on where the extreme is contradicts the values."""
    if said.witness is not None and (found := _bad_witness(judge, said.key, said.witness, said.condition)):
        return found
    return None if said.status == "refuted" else _no_extreme(judge, said.key, said.condition)


def _bad_witness(judge: Judge, key: str, witness: Mapping[str, Any], condition: str | None) -> str | None:
    tables, _, _, found = judge.read(witness, condition)
    if found is not None:
        return found
    if any(min(table) < 0 or not any(table) for table in tables):
        return f"a table of {shown(tables)} is not in the domain"
    agree = [all(table[place] == 0 for place in EMPTY[key]) for table in tables]
    if len(tables) == 1:
        return f"at {shown(tables)} it is said to have the extreme" if agree[0] else None
    if len(tables) != 2 or not agree[1]:
        return f"the tables {shown(tables)} are not those of the property"
    first, second = (value_of(text, {}) for text in witness["values"])
    if first is None or second is None:
        return None
    sign = sign_of(difference(first, second))
    beaten = (1, -1) if agree[0] else (0, 1) if key == "max_agreement" else (0, -1)
    return None if sign is None or sign in beaten else f"the values {witness['values']} satisfy the property"


def _no_extreme(judge: Judge, key: str, condition: str | None) -> str | None:
    """Return tables at which a formula that is said to have its extreme at agreement, and only there, has not."""
    sign = 1 if key == "max_agreement" else -1
    for _ in range(ROUNDS):
        parameters = judge.settings(condition)
        if parameters is None:
            return None
        best = None
        for table in _agreeing(judge.random, EMPTY[key]):
            found = judge.at(table, parameters)
            if found is None:
                continue
            if best is not None and sign_of(difference(best[0], found)) in (1, -1):
                return f"it differs at {shown([best[1], table])} with {parameters}"
            best = (found, table)
        other = any_table(judge.random)
        found = judge.at(other, parameters)
        if best is None or found is None or all(other[place] == 0 for place in EMPTY[key]):
            continue
        if sign_of(difference(found, best[0])) in (0, sign):
            return f"at {shown([other])} it is no worse than at {shown([best[1]])}, with {parameters}"
    return None


def _agreeing(random: Random, empty: tuple[int, ...]) -> Iterator[Table]:
    for others in ((1, 1), (1, 0), (0, 1)):
        left = iter(others)
        yield tuple(Fraction(0) if place in empty else next(left) * draw_count(random) for place in range(4))


# -- where it is defined -------------------------------------------------------------------------------------------


def on_definedness(judge: Judge, said: Said) -> str | None:
    """Return how a verdict on where a formula has a value contradicts the formula, as it is written if that is said."""
    text = judge.text if "written" in said.statement else judge.simplified
    if said.witness is not None:
        tables, parameters, _, found = judge.read({**said.witness, "values": []}, said.condition)
        if found is not None:
            return found
        defined = [table for table in tables if judge.at(table, parameters, text) is not None]
        return f"it has a value at {shown(defined)}" if defined else None
    for _ in range(ROUNDS if said.status != "refuted" else 0):
        parameters, table = judge.settings(said.condition), any_table(judge.random)
        if parameters is not None and judge.is_undefined(table, parameters, text):
            return f"it has no value at {shown([table])} with {parameters}"
    return None


# -- expectations --------------------------------------------------------------------------------------------------


def on_baseline(judge: Judge, said: Said) -> str | None:
    """Return how a verdict on expectations contradicts them."""
    if said.status == "refuted":
        return None if said.value is None else _wrong_expectation(judge, said.value)
    parameters = judge.settings(said.condition)
    if parameters is None:
        return None
    known = [(margins, found) for margins in MARGINS if (found := expectation(judge, margins, parameters)) is not None]
    for margins, found in known[1:]:
        if sign_of(difference(known[0][1], found)) in (1, -1):
            return f"E[M] differs at (n, P, OP) = {known[0][0]} and {margins}, with {parameters}"
    return None


def _wrong_expectation(judge: Judge, value: str) -> str | None:
    parameters = judge.special(value)
    case = case_at(value, parameters)
    for text, *margins in re.findall(r"([^,;=]+?) at (?:\(n, P, OP\) = )?\((\d+), (\d+), (\d+)\)", case or ""):
        stated = value_of(text.strip(), parameters)
        n, p, op = map(int, margins)
        found = expectation(judge, (n, p, op), parameters)
        if found is not None and stated is not None and sign_of(difference(stated, found)) in (1, -1):
            return f"E[M] at {margins} is {found}, not {text}"
        for table, _ in _draws(n, p, op):
            if min(table) == 0 and (reason := _without_limit(judge, table, parameters)):
                return f"E[M] at {margins} is said to be {text}, but at {shown([table])} {reason}"
    return None


def _without_limit(judge: Judge, table: Table, parameters: Mapping[str, Fraction]) -> str | None:
    reason = judge.implausible(table, parameters, Fraction(0))
    return reason if reason is not None and reason.startswith(BORDER) else None


def expectation(judge: Judge, margins: tuple[int, int, int], parameters: Mapping[str, Fraction]) -> Value:
    """Return E[M] for predictions drawn at random, or None if M has no value of its own at one of the tables."""
    total: Value = Fraction(0)
    for table, share in _draws(*margins):
        value = judge.at(table, parameters)
        if value is None:
            return None
        total = difference(total, value * -share if isinstance(value, Fraction) else value * interval(-share))
    return total


def _draws(n: int, p: int, op: int) -> Iterator[tuple[Table, Fraction]]:
    for k in range(max(0, p + op - n), min(p, op) + 1):
        share = Fraction(math.comb(p, k) * math.comb(n - p, op - k), math.comb(n, op))
        yield tuple(map(Fraction, (k, p - k, op - k, n - p - op + k))), share


# -- numbers -------------------------------------------------------------------------------------------------------


def wrong_number(
    judge: Judge, table: Table, exact: Any, number: float, parameters: Mapping[str, Fraction]
) -> str | None:
    """Return how the exact value and the number at a table contradict the formula.

    :param exact: what ``Metric.exact`` returns
    :param number: what ``Metric.from_counts`` returns
    :param parameters: the defaults
    """
    value = judge.at(table, parameters)
    stated = value_of(str(exact), {}) if exact.is_finite else None
    if value is not None:
        middle = float(value) if isinstance(value, Fraction) else float(value.mid)
        if exact.is_finite and (stated is None or sign_of(difference(stated, value)) not in (1, -1)):
            near = abs(number - middle) <= 1e-6 * max(1.0, abs(middle)) or (math.isinf(number) and abs(middle) > 1e300)
            # Where a limit is looked for and not found, the number is nan, and says that nothing is known.
            near = near or (math.isnan(number) and min(table) == 0)
            return None if near else f"from_counts is {number} at {shown([table])}, where it is {middle}"
        if min(table) == 0 and exact.is_finite is None:
            return None
        return f"exact is {exact} at {shown([table])}, where it is {middle}"
    # On the border of where it is real, a number may be the limit from inside.
    if stated is not None and (reason := judge.implausible(table, parameters, stated)) not in (None, BORDER):
        return f"exact is {exact} at {shown([table])}, but {reason}"
    # A number is rounded, so that only a value that does not exist, or another one, is wrong.
    is_rounded = stated is not None and abs(float(exact) - number) <= 1e-6 * max(1.0, abs(number))
    if math.isfinite(number) and not is_rounded:
        reason = judge.implausible(table, parameters, Fraction(number))
        return None if reason in (None, BORDER) else f"from_counts is {number} at {shown([table])}, but {reason}"
    return None


LAWS: dict[str, Callable[[Judge, Said], str | None]] = {
    "max_agreement": on_agreement,
    "min_agreement": on_agreement,
    "defined": on_definedness,
    "constant_baseline": on_baseline,
}
