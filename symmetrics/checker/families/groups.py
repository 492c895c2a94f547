"""Verdicts on symmetry groups re-verified."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from typing import Any, Final

from sympy import Eq, Or, Rational, S
from sympy.logic.boolalg import Boolean
from sympy.polys.rings import PolyElement

from symmetrics.checker.engine.conditions import are_equivalent, divisors_of
from symmetrics.checker.engine.fractions import Arithmetic, Quotient
from symmetrics.checker.engine.minors import at_table, is_excluded, is_never_zero, require_defined, without_roots
from symmetrics.checker.engine.parts import is_open, read_part, read_table, require_outcome
from symmetrics.checker.engine.requirements import require, require_found, require_kind, require_names
from symmetrics.checker.engine.values import Number, add, at_high_precision, multiply, sign_of, value_at
from symmetrics.claims import Identity, value_symbol
from symmetrics.claims.families.groups import MatrixSymmetryGroup, SymmetryGroup
from symmetrics.claims.values import Group, MatrixGroup
from symmetrics.claims.verdict import Verdict
from symmetrics.language.formula import parse_number
from symmetrics.language.names import CELL_NAMES
from symmetrics.tools.errors import CertificateError

Check = Callable[[Verdict], None]
MOST_CLASSES: Final = 4
MOST_MATRICES: Final = 10
_BEFORE, _AFTER = value_symbol(0), value_symbol(1)
RELATIONS: Final = {
    "M": _BEFORE - _AFTER,
    "1-M": _BEFORE + _AFTER - 1,
    "-M": _BEFORE + _AFTER,
    "1/M": _BEFORE * _AFTER - 1,
}
"""The expression that vanishes if the permuted value equals the image of the original one."""
Permutation = tuple[int, ...]
"""For each entry, the index of the entry whose value it takes."""
Pair = tuple[Permutation, str]
"""A permutation of entries, and the image of M under it: M, 1 - M, -M or 1/M."""
IDENTITY: Final[Permutation] = (0, 1, 2, 3)


def gap_of(image: str, first: Number, second: Number) -> Number:
    """Return the expression that vanishes for an image."""
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


def _orders(size: int) -> list[Permutation]:
    """Return all permutations of some indices, in lexicographic order."""
    return [order for order in itertools.product(range(size), repeat=size) if len(set(order)) == size]


PERMUTATIONS: Final = {order: in_cycles(order, CELL_NAMES) or "identity" for order in _orders(4)}
"""All permutations of the four cells, with their names."""


def _rearrangements(classes: int) -> dict[Permutation, str]:
    """Return all rearrangements with their names: permutations of rows, of columns, and the transposition."""
    names = {}
    for transposed, rows, columns in itertools.product((False, True), _orders(classes), _orders(classes)):
        places = tuple(
            column * classes + row if transposed else row * classes + column for row in rows for column in columns
        )
        of_rows, of_columns = (in_cycles(order, [*map(str, range(1, classes + 1))]) for order in (rows, columns))
        pairs = [("classes", of_rows)] if of_rows == of_columns else [("rows", of_rows), ("columns", of_columns)]
        words = [f"{name} {cycles}" for name, cycles in pairs if cycles]
        names[places] = " ".join([*words, "transposed"] if transposed else words) or "identity"
    return names


def _undone(permutation: Permutation) -> Permutation:
    """Return the inverse of a permutation."""
    return tuple(sorted(range(len(permutation)), key=permutation.__getitem__))


def check(verdict: Verdict, claim: SymmetryGroup, check_part: Check) -> None:
    """Re-verify which permutations of the cells, or rearrangements of a matrix, are symmetries.

    Each pair of a permutation and an image is decided by a part of the certificate, or refuted by one of its tables.

    :param check_part: function that re-verifies the verdict on one permutation
    """
    is_matrix = isinstance(claim, MatrixSymmetryGroup)
    kinds = frozenset({"symmetries of matrices" if is_matrix else "symmetries"})
    # Form of the verdict.
    require_kind(verdict, proved=kinds, refuted=kinds, conditional=frozenset() if is_matrix else kinds)
    if isinstance(claim, MatrixSymmetryGroup):
        require_names(claim.over, [p.name for p in claim.parameters])
    if is_open(verdict, claim):
        return
    if isinstance(claim, MatrixSymmetryGroup):
        require(not claim.parameters and claim.classes <= MOST_CLASSES, "there are parameters, or too many classes")
    names = _rearrangements(claim.classes) if isinstance(claim, MatrixSymmetryGroup) else PERMUTATIONS
    data = {"exceptions": {}, **verdict.evidence.data} if is_matrix else verdict.evidence.data
    entry = "matrices" if is_matrix else "tables"
    require(set(data) == {entry, "parts", "exceptions"}, "an entry is missing, or means nothing")
    # All pairs that need a decision; some are decided by parts of the certificate ...
    pairs = _labelled(names, inverses=is_matrix)
    found = _decided(claim, pairs, data, check_part)
    left = [pair for label, pair in pairs.items() if label not in data["parts"]]
    tables = [_read_matrix(claim, one) if is_matrix else read_table(one) for one in data[entry]]
    # ... the others have to be refuted by its tables, for all parameters.
    if claim.parameters:
        roots = {pairs[label]: [parse_number(text) for text in texts] for label, texts in data["exceptions"].items()}
        still = _refute_for_all_parameters(claim, {pair: roots.get(pair, []) for pair in left}, tables)
    else:
        require(not is_matrix or len(tables) <= MOST_MATRICES, "there are too many matrices")
        still = _refute(claim, left, tables)
    require(not still, f"the {entry} do not refute every other {'rearrangement' if is_matrix else 'permutation'}")
    # The symmetries are closed under inversion; the verdict lists exactly these.
    identity, *_ = names
    members = found | {(_undone(permutation), image): condition for (permutation, image), condition in found.items()}
    moving = [condition for (permutation, _), condition in members.items() if permutation != identity]
    require_outcome(verdict, claim, Or(*moving))
    _check_found(verdict, names, members | {(identity, "M"): S.true}, MatrixGroup if is_matrix else Group)


def _labelled(names: Mapping[Permutation, str], *, inverses: bool) -> dict[str, Pair]:
    """Return the pairs of a permutation and an image that have to be decided, by their labels in a certificate.

    :param inverses: whether inverses have parts of their own: a permutation turns M into an image if its inverse does,
        because every image of an image is M again
    """
    return {
        f"{image}: {name}": (way, image)
        for way, name in names.items()
        for image in RELATIONS
        if (name, image) != ("identity", "M") and (inverses or way <= _undone(way))
    }


def _decided(
    claim: SymmetryGroup, pairs: Mapping[str, Pair], data: Mapping[str, Any], check_part: Check
) -> dict[Pair, Boolean]:
    """Return the conditions of the pairs that the parts of a certificate decide one by one."""
    known = set(data["parts"]) | set(data["exceptions"]) <= set(pairs)
    require(known, "it is another permutation, or M is turned into something else")
    require(set(data["parts"]).isdisjoint(data["exceptions"]), "a permutation is decided twice")
    found: dict[Pair, Boolean] = {}
    for label, part in data["parts"].items():
        is_shown = (part["status"], part.get("condition")) == ("proved", None)
        require(is_shown or not isinstance(claim, MatrixSymmetryGroup), "a rearrangement is not shown to be a symmetry")
        condition = _condition(_stated(claim, pairs[label]), part, check_part)
        if condition is not S.false:
            found[pairs[label]] = condition
    for label, values in data["exceptions"].items():
        if cases := _cases(claim, pairs[label], values, check_part):
            (parameter,) = claim.parameters
            found[pairs[label]] = Or(*(Eq(parameter.symbol, value) for value in cases))
    return found


def _read_matrix(claim: SymmetryGroup, entries: Sequence[Any]) -> tuple[Fraction, ...]:
    whole = all(type(count) is int and count > 0 for count in entries)
    require(whole and len(entries) == len(claim.arguments), "a matrix is not one of positive whole numbers")
    return tuple(map(Fraction, entries))


def _stated(claim: SymmetryGroup, pair: Pair) -> Identity:
    """Return the claim that a permutation maps M to an image, wherever M is defined at both tables."""
    permutation, image = pair
    tables = (claim.arguments, tuple(claim.arguments[place] for place in permutation))
    over = tuple(symbol.name for symbol in claim.arguments)
    return Identity(claim.subject, claim.parameters, tables, (), RELATIONS[image], over=over)


def _check_found(
    verdict: Verdict, names: Mapping[Permutation, str], members: Mapping[Pair, Boolean], kind: type[Group]
) -> None:
    """Check that a verdict lists exactly the symmetries, in order, each under its condition."""
    own = [(way, image) for image in RELATIONS for way in names if (way, image) in members]
    found = require_found(verdict, kind, "the symmetries are missing")
    require(type(found) is kind, "the symmetries are those of something else")
    same = [(image, names[way]) for way, image in own] == [(one.image, one.permutation) for one in found.symmetries]
    same = same and all(
        are_equivalent(S.true if one.condition is None else one.condition, members[pair])
        for pair, one in zip(own, found.symmetries, strict=True)
    )
    require(same, "the symmetries are not those of the certificate")


def _condition(claim: Identity, data: Mapping[str, Any], check_part: Check) -> Boolean:
    """Return the condition under which a permutation is a symmetry, after checking the certificate's part on it."""
    part = read_part(data, claim)
    check_part(part)
    require(part.status != "open", "it is open whether a permutation is a symmetry")
    return S.false if part.status == "refuted" else S.true if part.condition is None else part.condition


def _cases(claim: SymmetryGroup, pair: Pair, values: Mapping[str, Any], check_part: Check) -> list[Rational]:
    """Return the singled-out values of the one parameter at which a permutation is a symmetry."""
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
    """Return the pairs that no table refutes."""
    identity = tuple(range(len(claim.arguments)))
    with at_high_precision():
        for table in tables:
            values: dict[Permutation, Number] = {}
            for permutation in dict.fromkeys([identity, *(permutation for permutation, _ in left)]):
                place = {entry: table[at] for entry, at in zip(claim.arguments, permutation, strict=True)}
                with suppress(CertificateError):
                    values[permutation] = value_at(claim.subject, place)
            left = [pair for pair in left if not _differs(values, identity, pair)]
    return left


def _differs(values: Mapping[Permutation, Number], identity: Permutation, pair: Pair) -> bool:
    """Whether values before and after a permutation refute that it maps M to an image."""
    permutation, image = pair
    if identity not in values or permutation not in values:
        return False
    return sign_of(gap_of(image, values[identity], values[permutation])) in (1, -1)


def _refute_for_all_parameters(
    claim: SymmetryGroup, roots: Mapping[Pair, Sequence[Rational]], tables: Iterable[tuple[Fraction, ...]]
) -> list[Pair]:
    """Return the pairs that the tables do not refute for all parameters except the singled-out values."""
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
