"""Verdicts on whether a formula over a matrix has a value at all matrices re-verified."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from sympy import QQ, Expr, Poly, Rational
from sympy.polys.polyerrors import BasePolynomialError

from symmetrics.checker.engine.expansions import obstacles_of, placed
from symmetrics.checker.engine.parts import is_open
from symmetrics.checker.engine.requirements import require, require_kind, require_names
from symmetrics.claims.families.matrix_definedness import DefinedAtAllMatrices
from symmetrics.claims.verdict import Verdict
from symmetrics.claims.witness import Point

DOMAIN: Final = frozenset({"domain of matrices"})


def check(verdict: Verdict, claim: DefinedAtAllMatrices, _: Callable[[Verdict], None]) -> None:
    """Re-verify the verdict on whether a formula has a value at all matrices that are not zero."""
    require_kind(verdict, proved=DOMAIN, refuted=DOMAIN)
    require_names(claim.over, [p.name for p in claim.parameters])
    if is_open(verdict, claim):
        return
    truth = verdict.status == "proved"
    require((verdict.holds, verdict.condition, verdict.found) == (truth, None, None), "its parts disagree")
    require(verdict.evidence.data == {}, "an entry means nothing")
    if not truth:
        _check_refuted(verdict, claim)
        return
    require(verdict.witness is None, "its parts disagree")
    for kind, base in obstacles_of(claim.subject):
        require(_is_free(kind, base, claim), "something may be in the way at a matrix with zeros")


def _check_refuted(verdict: Verdict, claim: DefinedAtAllMatrices) -> None:
    """Check that a formula has no value at a matrix, whatever its parameters are."""
    witness = verdict.witness
    require(witness is not None and len(witness.tables) == 1 and not witness.values, "one matrix is needed")
    assert witness is not None
    known = {p.name: p for p in claim.parameters}
    inside = all(name in known and value in known[name] for name, value in witness.parameters.items())
    require(inside, "the counterexample has another parameter, or one outside of its domain")
    (matrix,) = witness.tables
    require(isinstance(matrix, Point) and matrix.names == claim.over, "the matrix has other entries")
    counts = [Rational(count) for count in matrix]
    require(min(counts) >= 0 and any(counts), "the matrix is not in the domain")
    place = dict(zip(claim.arguments, counts, strict=True))
    for kind, base in obstacles_of(claim.subject):
        value = placed(base, place)
        if value is None:
            return
        if value.is_Rational and {"divisor": value == 0, "radicand": value < 0, "logarithm": value <= 0}[kind]:
            return
    require(False, "the formula has a value at the matrix")


def _is_free(kind: str, base: Expr, claim: DefinedAtAllMatrices) -> bool:
    """Whether something is a polynomial that is nowhere negative, and for all but roots zero at no matrix but zero."""
    try:
        terms = Poly(base, *claim.arguments, domain=QQ).terms()
    except BasePolynomialError:
        return False
    if not all(coefficient > 0 for _, coefficient in terms):
        return False
    # At a matrix that is not zero some entry is positive, and so is the term that holds it alone.
    alone = {tuple(bool(power) for power in powers) for powers, _ in terms}
    units = {tuple(place == other for other in range(len(claim.over))) for place in range(len(claim.over))}
    return kind == "radicand" or (False,) * len(claim.over) in alone or units <= alone
