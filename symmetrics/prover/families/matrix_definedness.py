"""Whether a formula over a matrix, as it is shown, has a value at all matrices, decided."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from sympy import Expr, Integer, Rational

from symmetrics.algebra.convert import Conversion, field_for
from symmetrics.algebra.field import ONE
from symmetrics.claims.evidence import Decision, Evidence, open_decision
from symmetrics.claims.families.matrix_definedness import DefinedAtAllMatrices
from symmetrics.claims.witness import Point, Witness
from symmetrics.prover.engine.leading import DIVISOR, LOGARITHM, RADICAND, obstacles_of, placed
from symmetrics.tools.budget import checkpoint
from symmetrics.tools.errors import UnsupportedError


def decide(claim: DefinedAtAllMatrices, _: object) -> Decision:
    """Decide whether a formula has a value at every matrix of entries that are not negative, and not all zero."""
    try:
        obstacles = list(obstacles_of(claim.subject))
        if all(_is_never_in_the_way(kind, base, claim) for kind, base in obstacles):
            return Decision("proved", True, Evidence("domain of matrices", {}))
    except UnsupportedError as error:
        return open_decision(str(error))
    for matrix in _matrices(claim.classes):
        checkpoint()
        place = dict(zip(claim.arguments, map(Integer, matrix), strict=True))
        if any(_is_in_the_way(kind, base, place) for kind, base in obstacles):
            parameters = {p.name: p.default for p in claim.parameters if p.default is not None}
            witness = Witness((Point(claim.over, matrix),), (), parameters)
            return Decision("refuted", False, Evidence("domain of matrices", {}), witness=witness)
    return open_decision("no matrix without a value was found, and the coefficients of M do not rule one out")


def _is_never_in_the_way(kind: str, base: Expr, claim: DefinedAtAllMatrices) -> bool:
    """Whether coefficients show that something is positive, or for a root not negative, at all matrices."""
    if not base.free_symbols <= set(claim.arguments) or not base.is_polynomial(*claim.arguments):
        return False
    numerator = Conversion(field_for((), (), claim.over))(base).numerator
    if set(numerator) != {ONE}:
        return False
    terms = numerator[ONE].to_dict()
    if any(coefficient < 0 for coefficient in terms.values()):
        return False
    # Without a power of each entry alone it is zero at some matrix with one entry.
    alone = {next(iter(where)) for where in map(_occurring, terms) if len(where) == 1}
    return kind == RADICAND or () in map(_occurring, terms) or len(alone) == len(claim.over)


def _occurring(powers: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(place for place, power in enumerate(powers) if power)


def _matrices(classes: int) -> Iterator[tuple[int, ...]]:
    """Yield matrices of zeros and ones, those with few ones first, then the rest as far as they are few."""
    places = range(classes**2)
    for ones in (1, 2, classes, classes**2 - 1, classes**2 - classes):
        for chosen in itertools.islice(itertools.combinations(places, ones), 200):
            yield tuple(int(place in chosen) for place in places)
    for row, column in itertools.product(range(classes), repeat=2):
        yield tuple(int(place // classes != row and place % classes != column) for place in places)
    yield from (tuple(int((p // classes == p % classes) is right) for p in places) for right in (True, False))
    yield (1,) * len(places)


def _is_in_the_way(kind: str, base: Expr, place: dict[Expr, Expr]) -> bool:
    try:
        value = placed(base, place)
    except UnsupportedError:
        return True
    if not isinstance(value, Rational):
        return False
    return bool({DIVISOR: value == 0, RADICAND: value < 0, LOGARITHM: value <= 0}[kind])
