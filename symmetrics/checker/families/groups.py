"""Verdicts on symmetry groups re-verified."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

from sympy import Eq, Expr, Or, Rational, S
from sympy.logic.boolalg import Boolean
from sympy.polys.rings import PolyElement

from symmetrics.checker.engine.conditions import are_equivalent, divisors_of
from symmetrics.checker.engine.fractions import Arithmetic, Quotient
from symmetrics.checker.engine.minors import at_table, is_excluded, is_never_zero, require_defined, without_roots
from symmetrics.checker.engine.parts import is_open, read_part, read_table, require_outcome
from symmetrics.checker.engine.requirements import require, require_found, require_kind
from symmetrics.checker.engine.values import Number, add, at_high_precision, multiply, sign_of, value_at
from symmetrics.claims import Identity, value_symbol
from symmetrics.claims.families.groups import SymmetryGroup
from symmetrics.claims.values import Group
from symmetrics.claims.verdict import Verdict
from symmetrics.language.cells import CELLS
from symmetrics.language.names import CELL_NAMES
from symmetrics.language.numbers import parse_number
from symmetrics.tools.errors import CertificateError

# -- What a rearrangement of a table may turn M into, as relations between the values before and after it --------------


_BEFORE, _AFTER = value_symbol(0), value_symbol(1)
RELATIONS: Final = {
    "M": _BEFORE - _AFTER,
    "1-M": _BEFORE + _AFTER - 1,
    "-M": _BEFORE + _AFTER,
    "1/M": _BEFORE * _AFTER - 1,
}
"""What is zero if the value after a rearrangement is the image of the one before it."""


def gap_of(image: str, first: Number, second: Number) -> Number:
    """Return the value of a relation."""
    if image == "1/M":
        return add(multiply(first, second), Fraction(-1))
    if image == "M":
        return add(first, -second)
    return add(add(first, second), Fraction(-1 if image == "1-M" else 0))


def in_cycles(order: Sequence[int], names: Sequence[str]) -> str:
    """Write a permutation in cycles, each from its first place on; nothing for the identity.

    >>> in_cycles((3, 2, 1, 0), ("TP", "FN", "FP", "TN"))
    '(TP TN)(FN FP)'
    """
    text, left = "", set(range(len(order)))
    while left:
        first = place = min(left)
        cycle = []
        while place in left:
            left.remove(place)
            cycle.append(names[place])
            place = order[place]
        text += f"({' '.join(cycle)})" if order[first] != first else ""
    return text


# ----------------------------------------------------------------------------------------------------------------------


Check = Callable[[Verdict], None]
SYMMETRIES: Final = frozenset({"symmetries"})
Permutation = tuple[int, int, int, int]
"""For each cell the place of the one whose count it takes."""
Pair = tuple[Permutation, str]
"""A permutation, and what it may turn M into."""
IDENTITY: Final[Permutation] = (0, 1, 2, 3)
PERMUTATIONS: Final[tuple[Permutation, ...]] = tuple(
    (first, second, third, fourth)
    for first, second, third, fourth in itertools.product(range(4), repeat=4)
    if {first, second, third, fourth} == set(range(4))
)


def _undone(permutation: Permutation) -> Permutation:
    """Return the permutation that undoes another: the places in the order of where they were taken from."""
    first, second, third, fourth = sorted(range(4), key=permutation.__getitem__)
    return first, second, third, fourth


_ALL: Final = tuple(pair for pair in itertools.product(PERMUTATIONS, RELATIONS) if pair != (IDENTITY, "M"))
_ONE_OF_EACH: Final = tuple(pair for pair in _ALL if pair[0] <= _undone(pair[0]))
"""A permutation turns M into an image if its inverse does, because every image of an image is M again."""


def check(verdict: Verdict, claim: SymmetryGroup, check_part: Check) -> None:
    """Re-verify which permutations of the cells are symmetries.

    :param check_part: what re-verifies the verdict on one permutation
    """
    require_kind(verdict, proved=SYMMETRIES, refuted=SYMMETRIES, conditional=SYMMETRIES)
    if is_open(verdict, claim):
        return
    data = verdict.evidence.data
    parts = {_pair(label): part for label, part in data["parts"].items()}
    exceptions = {_pair(label): values for label, values in data["exceptions"].items()}
    require(parts.keys().isdisjoint(exceptions), "a permutation is decided twice")
    found: dict[Pair, Boolean] = {}
    for pair, part in parts.items():
        condition = _condition(_stated(claim, pair), part, check_part)
        if condition is not S.false:
            found[pair] = condition
    for pair, values in exceptions.items():
        cases = _cases(claim, pair, values, check_part)
        if cases:
            (parameter,) = claim.parameters
            found[pair] = Or(*(Eq(parameter.symbol, value) for value in cases))
    left = [pair for pair in _ONE_OF_EACH if pair not in parts]
    tables = [read_table(table) for table in data["tables"]]
    if claim.parameters:
        roots = {pair: [parse_number(text) for text in exceptions.get(pair, ())] for pair in left}
        still = _refute_for_all_parameters(claim, roots, tables)
    else:
        still = _refute(claim, left, tables)
    require(not still, "the tables do not refute every other permutation")
    members = found | {(_undone(permutation), image): condition for (permutation, image), condition in found.items()}
    moving = [condition for (permutation, _), condition in members.items() if permutation != IDENTITY]
    require_outcome(verdict, claim, Or(*moving))
    _check_found(verdict, members | {(IDENTITY, "M"): S.true})


def _pair(label: str) -> Pair:
    """Read a permutation in cycles, after what it is said to turn M into.

    >>> _pair("1-M: (TP FN FP)")
    ((1, 2, 0, 3), '1-M')
    """
    image, _, text = label.partition(": ")
    pair = (_permutation(text), image)
    require(pair in _ONE_OF_EACH, "it is another permutation, or M is turned into something else")
    return pair


def _permutation(text: str) -> Permutation:
    """Read cycles, in which every cell takes the count of the next one."""
    order = list(IDENTITY)
    for cycle in [] if text == "identity" else text.removeprefix("(").removesuffix(")").split(")("):
        places = [CELL_NAMES.index(name) for name in cycle.split(" ")]
        require(len(set(places)) == len(places) > 1, "a cycle of a permutation is none")
        for place, following in zip(places, [*places[1:], places[0]], strict=True):
            require(order[place] == place, "a cell moves twice")
            order[place] = following
    first, second, third, fourth = order
    return first, second, third, fourth


def _stated(claim: SymmetryGroup, pair: Pair) -> Identity:
    """Return the claim that a permutation turns M into an image, wherever M has a value at both tables."""
    permutation, image = pair
    first, second, third, fourth = (CELLS[place] for place in permutation)
    tables = (CELLS, (first, second, third, fourth))
    return Identity(claim.subject, claim.parameters, tables, (), RELATIONS[image])


def _check_found(verdict: Verdict, members: Mapping[Pair, Boolean]) -> None:
    """Check that a verdict lists the symmetries, all and in their order, each under the condition that was found."""
    own = [(way, image) for image in RELATIONS for way in PERMUTATIONS if (way, image) in members]
    listed = require_found(verdict, Group, "the symmetries are missing").symmetries
    names = [(image, in_cycles(way, CELL_NAMES) or "identity") for way, image in own]
    same = names == [(one.image, one.permutation) for one in listed] and all(
        are_equivalent(S.true if one.condition is None else one.condition, members[pair])
        for pair, one in zip(own, listed, strict=True)
    )
    require(same, "the symmetries are not those of the certificate")


def _condition(claim: Identity, data: Mapping[str, Any], check_part: Check) -> Boolean:
    """Return when a permutation is a symmetry, after a check of the part of the certificate that says so."""
    part = read_part(data, claim)
    check_part(part)
    require(part.status != "open", "it is open whether a permutation is a symmetry")
    return S.false if part.status == "refuted" else S.true if part.condition is None else part.condition


def _cases(claim: SymmetryGroup, pair: Pair, values: Mapping[str, Any], check_part: Check) -> list[Rational]:
    """Return the values of the one parameter, of those singled out, at which a permutation is a symmetry."""
    require(len(claim.parameters) == 1, "values of several parameters are singled out")
    (parameter,) = claim.parameters
    holding = []
    for text, part in values.items():
        value = parse_number(text)
        require(value in parameter, "a value of the parameter is outside its domain")
        if _condition(_stated(claim.at({parameter.symbol: value}), pair), part, check_part) is S.true:
            holding.append(value)
    return holding


def _refute(claim: SymmetryGroup, left: list[Pair], tables: Iterable[tuple[Fraction, ...]]) -> list[Pair]:
    """Return the pairs that none of the tables refutes."""
    for table in tables:
        values = _values(claim.subject, table, [IDENTITY, *(permutation for permutation, _ in left)])
        left = [pair for pair in left if sign_of(_gap(values, pair)) not in (1, -1)]
    return left


def _values(
    formula: Expr, table: tuple[Fraction, ...], permutations: Iterable[Permutation]
) -> dict[Permutation, Number]:
    values = {}
    with at_high_precision():
        for permutation in dict.fromkeys(permutations):
            counts = {cell: table[place] for cell, place in zip(CELLS, permutation, strict=True)}
            try:
                values[permutation] = value_at(formula, counts)
            except CertificateError:
                continue
    return values


def _gap(values: Mapping[Permutation, Number], pair: Pair) -> Number:
    permutation, image = pair
    if IDENTITY not in values or permutation not in values:
        return Fraction(0)
    with at_high_precision():
        return gap_of(image, values[IDENTITY], values[permutation])


def _refute_for_all_parameters(
    claim: SymmetryGroup, roots: Mapping[Pair, Sequence[Rational]], tables: Iterable[tuple[Fraction, ...]]
) -> list[Pair]:
    """Return the pairs that the tables do not refute for all values of the parameters but those singled out."""
    arithmetic = Arithmetic([], claim.parameters, {}, [])
    common = dict.fromkeys(roots, arithmetic.ring(0))
    for table in tables:
        values = _quotients(claim, table, arithmetic)
        for pair, known in list(common.items()):
            numerator = _numerator(values, pair, arithmetic)
            if len(claim.parameters) == 1:
                numerator = common[pair] = known.gcd(numerator)
            if is_never_zero(without_roots(numerator, roots[pair], arithmetic), arithmetic):
                del common[pair]
    return list(common)


def _quotients(claim: SymmetryGroup, table: Sequence[Fraction], arithmetic: Arithmetic) -> dict[Permutation, Quotient]:
    undefined = divisors_of(_stated(claim, (IDENTITY, "M")))
    values = {}
    for permutation in PERMUTATIONS:
        counts = [table[place] for place in permutation]
        require_defined(claim.subject, counts, arithmetic)
        value = at_table(claim.subject, counts, arithmetic)
        bottom = value.bottom
        is_defined = is_never_zero(bottom, arithmetic) or is_excluded(bottom, arithmetic, undefined)
        require(is_defined, "the formula may have no value at a table, for some parameters")
        values[permutation] = value
    return values


def _numerator(values: Mapping[Permutation, Quotient], pair: Pair, arithmetic: Arithmetic) -> PolyElement:
    permutation, image = pair
    first, second = values[IDENTITY], values[permutation]
    minus = arithmetic.constant(S.NegativeOne)
    if image == "1/M":
        return arithmetic.add(arithmetic.multiply(first, second), minus).top
    if image == "M":
        return arithmetic.add(first, arithmetic.multiply(minus, second)).top
    total = arithmetic.add(first, second)
    return (arithmetic.add(total, minus) if image == "1-M" else total).top
