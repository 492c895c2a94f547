"""Re-verify verdicts on the tables at which a formula is defined."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from typing import Any, Final

from sympy import QQ, Add, Expr, Integer, Mul, Poly, Pow, Rational, S, Symbol, log
from sympy.polys.polyerrors import BasePolynomialError

from symmetrics.checker.engine.ends import check_proof, require_value_on_curve
from symmetrics.checker.engine.expansions import ONE, Expander, check_tends_to, obstacles_of, placed, require_free
from symmetrics.checker.engine.parts import is_open
from symmetrics.checker.engine.products import Products
from symmetrics.checker.engine.requirements import require, require_kind, require_names
from symmetrics.checker.engine.values import certain_sign
from symmetrics.claims import Inequality, StrictInequality, value_symbol
from symmetrics.claims.evidence import Point
from symmetrics.claims.families.limits import STEP, DefinedAtAllMatrices, DefinedEverywhere
from symmetrics.claims.one_formula import OneFormula
from symmetrics.claims.values import Domain, Face
from symmetrics.claims.verdict import Verdict
from symmetrics.language.cells import CELLS
from symmetrics.language.formula import parse_formula
from symmetrics.language.names import CELL_NAMES
from symmetrics.language.writer import formula_text
from symmetrics.tools.errors import CertificateError

Check = Callable[[Verdict], None]
SIGNS: Final = {"divisor": "= 0", "radicand": "< 0", "logarithm": "<= 0"}


def check(verdict: Verdict, claim: DefinedEverywhere | DefinedAtAllMatrices, check_part: Check) -> None:
    """Re-verify the verdict on the tables at which a formula is defined.

    :param check_part: function that re-verifies the verdict on an inequality
    """
    is_matrix = isinstance(claim, DefinedAtAllMatrices)
    kinds = frozenset({"domain of matrices" if is_matrix else "domain"})
    require_kind(verdict, proved=kinds, refuted=kinds)
    if isinstance(claim, DefinedAtAllMatrices):
        require_names(claim.over, [p.name for p in claim.parameters])
    truth = {"proved": True, "refuted": False, "open": None}[verdict.status]
    require(verdict.holds is truth and verdict.condition is None, "its parts disagree")
    says_nothing = verdict.found is None and verdict.witness is None
    require(truth is not None or says_nothing, "its parts disagree")
    if is_open(verdict, claim):
        return
    domain = _Domain(claim, verdict.evidence.data, check_part)
    if isinstance(claim, DefinedAtAllMatrices):
        require(verdict.found is None, "its parts disagree")
        require(verdict.evidence.data == {}, "an entry means nothing")
        free = not truth or all(_is_free(kind, base, claim.arguments) for kind, base in domain.obstacles)
        require(free, "something may be in the way at a matrix with zeros")
    else:
        domain.check()
        require(not truth or not (domain.faces or domain.poles), "the formula is said to be undefined somewhere")
        require(truth or verdict.found == domain.found(), "the conditions are others")
    if truth:
        require(says_nothing, "its parts disagree")
    else:
        _check_witness(verdict, claim, domain)


def _check_witness(verdict: Verdict, claim: DefinedEverywhere | DefinedAtAllMatrices, domain: _Domain) -> None:
    """Check that a formula is undefined at the table, or matrix, of the counterexample."""
    what = "matrix" if isinstance(claim, DefinedAtAllMatrices) else "table"
    require(verdict.witness is not None and len(verdict.witness.tables) == 1, f"one {what} is needed")
    assert verdict.witness is not None
    require(not verdict.witness.values, "a table without a value has one")
    parameters = verdict.witness.parameters
    declared = {p.name: p for p in claim.parameters}
    require(set(parameters) <= set(declared), "the counterexample has other parameters")
    require(all(value in declared[name] for name, value in parameters.items()), "a parameter is outside its domain")
    (table,) = verdict.witness.tables
    if isinstance(claim, DefinedAtAllMatrices):
        require(isinstance(table, Point) and table.names == claim.over, "the matrix has other entries")
    domain.check_undefined_at(table, what)


def _is_free(kind: str, base: Expr, entries: tuple[Symbol, ...]) -> bool:
    """Whether an expression is a nowhere negative polynomial, and (unless a radicand) zero only at the zero matrix."""
    try:
        terms = Poly(base, *entries, domain=QQ).terms()
    except BasePolynomialError:
        return False
    if not all(coefficient > 0 for _, coefficient in terms):
        return False
    # At a matrix that is not zero some entry is positive, and so is the term that holds it alone.
    alone = {tuple(bool(power) for power in powers) for powers, _ in terms}
    units = {tuple(place == other for other in range(len(entries))) for place in range(len(entries))}
    return kind == "radicand" or (False,) * len(entries) in alone or units <= alone


class _Domain:
    """Description in a certificate of where a formula is undefined."""

    def __init__(self, claim: OneFormula, data: Mapping[str, Any], check_part: Check) -> None:
        self.subject = claim.subject
        self.arguments = claim.arguments
        self.parameters = list(claim.parameters)
        self.recheck = check_part
        self.obstacles = obstacles_of(claim.subject)
        self.faces: dict[str, str] = dict(data.get("faces", {}))
        self.poles = [(kind, text) for kind, text in data.get("poles", [])]
        self.proofs: Mapping[str, Any] = data.get("proofs", {})

    def check(self) -> None:
        """Check every face: it is undefined because a listed face is, or no subexpression is undefined on it."""
        faces = [" ".join(cells) for size in range(4) for cells in itertools.combinations(CELL_NAMES, size)]
        require(set(self.faces) <= set(faces), "a face has another name")
        known = {(kind, formula_text(base)) for kind, base in self.obstacles}
        require(set(self.poles) <= known, "a condition is about something that the formula does not hold")
        listed = [set(face.split()) for face in self.faces]
        require(not any(a < b for a, b in itertools.permutations(listed, 2)), "a face is listed twice")
        for face in faces:
            zero = {cell: S.Zero for cell in CELLS if cell.name in face.split()}
            if face in self.faces:
                require(
                    any(self.is_excluded(kind, base, zero) for kind, base in self.obstacles), "nothing is in the way"
                )
                self.check_tendency(face.split(), self.faces[face])
            elif not any(other <= set(face.split()) for other in listed):
                for kind, base in self.obstacles:
                    if (kind, formula_text(base)) not in self.poles:
                        self.check_free(kind, base, zero)

    def is_excluded(self, kind: str, base: Expr, zero: Mapping[Expr, Expr]) -> bool:
        """Whether a subexpression makes the formula undefined at all tables of a face."""
        here = placed(base, zero)
        if here is None:
            return True
        products = Products(self.parameters)
        try:
            terms = Expander(products, STEP, 2)(here).terms
        except CertificateError:  # something inside is undefined, and is listed as an obstacle of its own
            return False
        if not terms:
            return kind != "radicand"
        # A negative radicand may be zero on a smaller face, so it says nothing about that face.
        return kind == "logarithm" and products.sign(terms[0][1]) == -1

    def check_free(self, kind: str, base: Expr, zero: Mapping[Expr, Expr]) -> None:
        """Check that a subexpression makes the formula undefined at no table of a face."""
        here = placed(base, zero)
        require(here is not None, "the formula is undefined on another face")
        assert here is not None
        proof = self.proofs.get(formula_text(here))
        if proof is not None:
            parameters = tuple(p for p in self.parameters if p.symbol in here.free_symbols)
            require(proof["sign"] == 1 or (proof["sign"] == -1 and kind == "divisor"), "a proof is of the wrong sign")
            require(proof["strict"] is True or kind == "radicand", "a proof is not strict")
            family = StrictInequality if proof["strict"] is True else Inequality
            claim = family(here, parameters, (CELLS,), relation=Integer(proof["sign"]) * value_symbol(0))
            check_proof(proof["proof"], claim, self.recheck)
            return
        if not _is_positive(here, strictly=True):
            require_free(kind, here, self.parameters)

    def check_tendency(self, cells: list[str], text: str) -> None:
        """Check the limit of a formula along the straight lines that end on a face."""
        path = {cell: STEP * cell for cell in CELLS if cell.name in cells}
        if text == "not decided":
            return
        if text != "no limit":
            if text not in ("oo", "-oo"):
                limit = parse_formula(text, [p.name for p in self.parameters])
                require(limit.free_symbols.isdisjoint(path), "a limit depends on the direction")
            check_tends_to(self.subject, text, self.parameters, path)
            return
        values = set()
        for cell, count in itertools.product(path, (1, 2)):
            place = {other: Integer(1) for other in CELLS} | {cell: Integer(count)}
            place |= {other: STEP * place[other] for other in path}
            require_value_on_curve(self.subject, self.parameters, place)
            values.add(_rational_limit(self.subject, self.parameters, place))
        require(len(values) > 1, "two limits at one table are not shown to differ")

    def check_undefined_at(self, table: tuple[Any, ...], what: str) -> None:
        """Check that a formula is undefined at a table, or matrix, for all parameters."""
        exact = [Rational(count) for count in table]
        require(min(exact) >= 0 and any(exact), f"the {what} is not in the domain")
        place = dict(zip(self.arguments, exact, strict=True))
        for kind, base in self.obstacles:
            here = placed(base, place)
            if here is None or self.is_excluded(kind, base, place):
                return
            if not here.free_symbols and not here.has(S.ImaginaryUnit):
                sign = 0 if here == 0 else certain_sign(here)
                excluded = {"divisor": (0,), "radicand": (-1,), "logarithm": (0, -1)}[kind]
                if sign in excluded:
                    return
        raise CertificateError(f"the formula has a value at the {what}")

    def found(self) -> Domain:
        """Return the conditions in the form of a verdict's value."""
        faces = tuple(Face(tuple(face.split()), text) for face, text in self.faces.items())
        return Domain(faces, tuple(f"{text} {SIGNS[kind]}" for kind, text in self.poles))


def _is_positive(formula: Expr, *, strictly: bool) -> bool:
    """Whether a formula in the cells is positive, or not negative, because its parts are: cells, numbers, squares."""
    if formula in CELLS:
        return True
    if isinstance(formula, Rational):
        return bool(formula > 0 or (formula == 0 and not strictly))
    if isinstance(formula, Add):
        never_negative = all(_is_positive(term, strictly=False) for term in formula.args)
        return never_negative and any(_is_positive(term, strictly=strictly) for term in formula.args)
    if isinstance(formula, Mul):
        return all(_is_positive(factor, strictly=strictly) for factor in formula.args)
    if isinstance(formula, Pow) and isinstance(formula.exp, Rational):
        is_real = formula.base.free_symbols <= set(CELLS) and formula.base.is_polynomial(*CELLS)
        is_square = isinstance(formula.exp, Integer) and formula.exp > 0 and formula.exp % 2 == 0
        if is_square and is_real and not strictly:
            return True
        return _is_positive(formula.base, strictly=True)
    return isinstance(formula, log) and _is_positive(formula.args[0] - 1, strictly=True)


def _rational_limit(expression: Expr, parameters: list[Any], place: Mapping[Expr, Expr]) -> Expr:
    """Return the limit of an expression along a curve, if it is a rational number."""
    for length in (2, 4, 8):
        products = Products(parameters)
        expansion = Expander(products, STEP, length, place)(expression)
        if expansion.error > ONE:
            require(expansion.reach >= ONE, "a limit is infinite")
            terms = dict(expansion.terms).get(ONE, {})
            value, _ = products.expanded(terms)
            require(set(value) <= {()}, "a limit is not a rational number")
            number = value.get((), 0)
            return Rational(number.numerator, number.denominator)
    raise CertificateError("the expansion is too short to show the limit")
