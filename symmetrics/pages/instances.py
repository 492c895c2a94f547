"""Examples, averages, symmetries and directions of a verdict in everyday words: the ends of plain sentences."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from sympy import Expr

from symmetrics.claims import Affine, Comparison, SameOrder
from symmetrics.claims.verdict import Counts, Point, Verdict
from symmetrics.language.cells import CELL_NAMES
from symmetrics.language.formula import formula_text
from symmetrics.tools.words import number_of

__all__ = [
    "averages_told",
    "directions_told",
    "example_told",
    "in_words",
    "matrix_text",
    "own_values",
    "setting",
    "symmetries_told",
    "with_digits",
]

_SHORT: Final = 100
"""Numerators and denominators up to it are read at a glance."""


def setting(table: Counts | Point) -> str:
    """Return the cells of a table, or the values of the variables of a point.

    >>> setting(Counts(1, 2, 3, 4))
    'TP=1, FN=2, FP=3, TN=4'
    """
    names = table.names if isinstance(table, Point) else CELL_NAMES
    return ", ".join(f"{name}={count}" for name, count in zip(names, table, strict=True))


def matrix_text(point: Point, classes: int) -> str:
    """Return the rows of a matrix whose entries are the values of a point; those that it does not name are 0.

    >>> matrix_text(Point(["c_1_1", "c_1_2", "c_2_2"], [5, 1, 7]), 2)
    '[[5, 1], [0, 7]]'
    """
    values = dict(zip(point.names, map(str, point), strict=True))
    places = range(1, classes + 1)
    rows = (", ".join(values.get(f"c_{row}_{column}", "0") for column in places) for row in places)
    return f"[{', '.join(f'[{row}]' for row in rows)}]"


def with_digits(values: Sequence[Expr]) -> list[str]:
    """Return exact values as text; one that is not read at a glance has digits behind it, enough to tell all apart.

    >>> from sympy import Rational, sqrt
    >>> with_digits([Rational(13, 24), Rational(522, 7555), 5 * sqrt(3) / 18])
    ['13/24', '522/7555, about 0.06909', '5*sqrt(3)/18, about 0.4811']
    """
    digits = next((n for n in range(4, 18) if len({f"{value.evalf(n)}" for value in values}) == len({*values})), 17)
    return [formula_text(value) + (f", about {value.evalf(digits)}" if _is_long(value) else "") for value in values]


def _is_long(value: Expr) -> bool:
    is_short = value.is_Rational and abs(value.p) <= _SHORT and value.q <= _SHORT
    return bool(value.is_finite and not value.is_Integer and not is_short)


def in_words(text: str) -> str:
    """Return a value with infinity as a word.

    >>> in_words("(-oo, oo)"), in_words("oo")
    ('(-infinity, infinity)', 'infinity')
    """
    return re.sub(r"\boo\b", "infinity", text)


def example_told(verdict: Verdict) -> str:
    """Return the counterexample: the values of two tables, or a table without one; those of another metric are named.

    >>> from symmetrics.query.relations import relate
    >>> example_told(relate("f1", "accuracy", "less_equal"))
    ': it is 2/3 and the other metric is 3/5 at TP=2, FN=1, FP=1, TN=1'
    """
    witness = verdict.witness
    if witness is None or not witness.tables:
        return ""
    at = "".join(f", with {name} = {value}" for name, value in witness.parameters.items())
    if not witness.values:
        return f", such as {setting(witness.tables[0])}{at}"
    found = [(formula_text(value), setting(table)) for value, table in zip(witness.values, witness.tables, strict=True)]
    own = own_values(verdict, len(found))
    told = f"it is {_values(found[:own])}"
    if own < len(found):
        others, same = found[own:], [table for _, table in found[:own]] == [table for _, table in found[own:]]
        other = " and ".join(value for value, _ in others) if same else _values(others)
        if same and own == 1:
            told = f"it is {found[0][0]} and the other metric is {other} at {found[0][1]}"
        else:
            told += f", where the other metric is {other}" if same else f", and the other metric is {other}"
    return f": {told}{at}"


def own_values(verdict: Verdict, count: int) -> int:
    """Return how many of the values of a counterexample are the metric's own, and not of a metric beside it."""
    claim = verdict.claim
    if isinstance(claim, SameOrder | Affine):
        return count // 2
    return count - 1 if isinstance(claim, Comparison) and claim.partner is not None else count


def _values(pairs: Sequence[tuple[str, str]]) -> str:
    """Return values with the tables at which they are taken, equal ones once."""
    found = list(dict.fromkeys(pairs))
    if len(found) > 1 and len({value for value, _ in found}) == 1:
        return f"{found[0][0]} both at {' and at '.join(table for _, table in found)}"
    return " and ".join(f"{value} at {table}" for value, table in found)


def averages_told(expectations: Iterable[Mapping[str, Any]]) -> str:
    """Return what a metric is on average for random guessing.

    >>> averages_told([{"mean": "1/2", "n": 2, "P": 1, "OP": 1}, {"mean": "1/3", "n": 3, "P": 1, "OP": 1}])
    '1/2 for 2 examples of which 1 is positive and 1 is predicted to be, and 1/3 for 3 examples of which 1 is positive \
and 1 is predicted to be'
    """
    return ", and ".join(_average(one) for one in expectations)


def _average(one: Mapping[str, Any]) -> str:
    if "n" not in one:
        return str(one["mean"])
    kinds = f"{_are(one['P'])} positive and {_are(one['OP'])} predicted to be"
    return f"{one['mean']} for {number_of(one['n'], 'example')} of which {kinds}"


def _are(count: int) -> str:
    return f"{count} {'is' if count == 1 else 'are'}"


# -- symmetries and directions -----------------------------------------------------------------------------------------

_IMAGES: Final = {
    "M": "it stays the same",
    "1-M": "it turns into 1 minus itself",
    "-M": "it turns into its negative",
    "1/M": "it turns into its inverse",
}
_FEW: Final = 2
"""Exchanges of cells that are named; of others it is said how many there are."""


def symmetries_told(symmetries: Iterable[Mapping[str, Any]]) -> str:
    """Return under which exchanges of cells a metric becomes what.

    >>> symmetries_told([
    ...     {"image": "M", "permutation": "identity", "condition": None},
    ...     {"image": "M", "permutation": "(FN FP)", "condition": None},
    ...     {"image": "1-M", "permutation": "(TP FN)(FP TN)", "condition": "w = 1/2"},
    ... ])
    'it stays the same when FN and FP are exchanged, and it turns into 1 minus itself when TP and FN, and FP and TN \
are exchanged if w = 1/2'
    """
    listed: dict[str, list[str]] = {}
    for one in symmetries:
        if one["permutation"] != "identity":  # which exchanges nothing; it turns a constant into 1/M, say
            condition = f" if {one['condition']}" if one["condition"] else ""
            listed.setdefault(one["image"], []).append(_exchange(one["permutation"]) + condition)
    return ", and ".join(f"{_IMAGES[image]} when {_some(exchanges)}" for image, exchanges in listed.items())


def _some(exchanges: Sequence[str]) -> str:
    left = len(exchanges) - _FEW
    more = [] if left <= 0 else [f"under {left} other exchange{'s' * (left > 1)}"]
    return ", or ".join([*exchanges[:_FEW], *more])


def _exchange(cycles: str) -> str:
    """Return a permutation, written in cycles, as an exchange of cells."""
    parts = [cycle.split() for cycle in re.findall(r"\(([^()]*)\)", cycles)]
    if all(len(part) == _FEW for part in parts):
        return f"{', and '.join(' and '.join(part) for part in parts)} are exchanged"
    return ", and ".join(f"{', '.join(part)} take turns in this order" for part in parts)


def directions_told(basis: Sequence[Sequence[int | str]], scaled: bool) -> str:
    """Return the tables that a metric cannot tell from (TP, FN, FP, TN), one for each direction of a basis.

    >>> directions_told([[1, 1, 0, 0], [0, 0, 0, -2]], scaled=True)
    'a change to (TP*s, FN*s, FP, TN) or to (TP, FN, FP, TN*s**(-2)) for any s > 0'
    >>> directions_told([[1, -1, 0, 2]], scaled=False)
    'a change to (TP + s, FN - s, FP, TN + 2*s) for any s that leaves cells positive'
    """
    write = _scaled if scaled else _moved
    tables = [", ".join(map(write, CELL_NAMES, direction)) for direction in basis]
    steps = "s > 0" if scaled else "s that leaves cells positive"
    return f"a change {' or '.join(f'to ({table})' for table in tables)} for any {steps}"


def _scaled(cell: str, power: int | str) -> str:
    return cell if power == 0 else f"{cell}*s" if power == 1 else f"{cell}*s**{_bracketed(power)}"


def _moved(cell: str, step: int | str) -> str:
    if not isinstance(step, int):
        return f"{cell} + {_bracketed(step)}*s"
    size = "s" if abs(step) == 1 else f"{abs(step)}*s"
    return cell if step == 0 else f"{cell} {'-' if step < 0 else '+'} {size}"


def _bracketed(number: int | str) -> str:
    text = str(number)
    return text if re.fullmatch(r"\w+", text) else f"({text})"
