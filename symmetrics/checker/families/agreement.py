"""Verdicts on where a formula is at its best or worst re-verified."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

from sympy import Expr, Rational, S

from symmetrics.checker.engine.cases import check_cases
from symmetrics.checker.engine.ends import (
    check_end,
    check_path,
    check_proof,
    check_subject,
    is_real_nearly_everywhere,
    require_value_on_curve,
    within,
)
from symmetrics.checker.engine.expansions import Expander, check_tends_to, obstacles_of, placed, require_free
from symmetrics.checker.engine.germs import Limits
from symmetrics.checker.engine.products import Products
from symmetrics.checker.engine.requirements import require, require_kind
from symmetrics.checker.engine.values import certain_sign, is_same, value_or_none
from symmetrics.claims import StrictInequality
from symmetrics.claims.evidence import Witness
from symmetrics.claims.families.limits import STEP, LargestAtAgreement, SmallestAtDisagreement
from symmetrics.claims.verdict import Verdict
from symmetrics.language.cells import CELLS
from symmetrics.language.formula import parse_formula
from symmetrics.language.names import CELL_NAMES
from symmetrics.language.writer import formula_text

# -- The value of a formula at a table: by direct evaluation, or else its limit ----------------------------------------

# A limit takes two proofs: that there is one, the same along all paths of positive tables, and what it is along a
# line.


def check_value(formula: Expr, table: Sequence[Rational], value: Expr) -> None:
    """Check that a formula without parameters has a value at a table, by direct evaluation or as a limit.

    >>> from symmetrics.language.cells import FN, TP
    >>> from sympy import log
    >>> check_value(FN * log(FN / (TP + FN)) + TP, [Rational(count) for count in (2, 0, 1, 1)], Rational(2))

    :raises CertificateError: if that is not shown
    """
    place = dict(zip(CELLS, table, strict=True))
    found = value_or_none(formula, place)
    if found is not None:
        require(is_same(found, value), f"the metric's value at {tuple(table)} is not {value}")
        return
    require(0 in table, "the formula has no value at a table")
    Limits(()).at(formula, {cell: Fraction(int(count.p), int(count.q)) for cell, count in place.items()})
    line = {cell: count or STEP for cell, count in place.items()}
    check_tends_to(formula, formula_text(value), (), line)


# ----------------------------------------------------------------------------------------------------------------------


Check = Callable[[Verdict], None]
INFINITE: Final = ("oo", "-oo")
RESTRICTED: Final = "the formula may not be real at all tables near that of the certificate"
LARGEST_COUNT: Final = 3
"""Largest count of the tables that are searched for one with the extreme value."""


def check(verdict: Verdict, claim: LargestAtAgreement | SmallestAtDisagreement, check_part: Check) -> None:
    """Re-verify a verdict on where a formula is at its extreme.

    :param check_part: function that re-verifies the verdict on an inequality, or in one case
    """
    if verdict.evidence.kind == "cases":
        check_cases(verdict, claim, check_part)
        return
    # Form of the verdict.
    require_kind(verdict, proved={"faces"}, refuted={"tables", "unbounded", "attained elsewhere", "exceeded"})
    truth = {"proved": True, "refuted": False, "open": None}[verdict.status]
    require(verdict.holds is truth and verdict.condition is None and verdict.found is None, "its parts disagree")
    check_subject(claim.subject, claim.parameters)
    kind = verdict.evidence.kind
    needs_witness = kind in ("tables", "attained elsewhere")
    require((verdict.witness is not None) == needs_witness, "there is a counterexample too many or too few")
    # Counterexamples: two tables, or one with the extreme value elsewhere.
    sign, empty = (1, ("FN", "FP")) if isinstance(claim, LargestAtAgreement) else (-1, ("TP", "TN"))
    if verdict.witness is not None:
        _check_witness(verdict.witness, claim, sign, empty)
    if kind == "tables":
        require(verdict.witness is not None and len(verdict.witness.tables) == 2, "two tables are needed")
    # Unbounded: M tends to infinity along a curve, so there is no extreme.
    elif kind == "unbounded":
        require(not claim.parameters, "a curve at one parameter value does not settle the others")
        path = check_path(verdict.evidence.data["path"])
        check_tends_to(claim.subject, "oo" if sign > 0 else "-oo", (), dict(zip(CELLS, path, strict=True)))
    elif kind == "attained elsewhere":
        require(is_real_nearly_everywhere(claim.subject, claim.parameters), RESTRICTED)
        _check_attained(verdict, claim, sign, check_part)
    # Proofs and refutations over the open orthant and all its faces.
    elif kind == "faces":
        _Faces(claim, sign, empty, check_part).check(verdict.evidence.data)
    elif kind == "exceeded":
        _Faces(claim, sign, empty, check_part).check_exceeded(verdict.evidence.data)


def _check_witness(witness: Witness, claim: Any, sign: int, empty: tuple[str, str]) -> None:
    """Check that two tables, the second with the two cells empty, violate the order that the claim requires."""
    require(set(witness.parameters) == {p.name for p in claim.parameters}, "the counterexample has other parameters")
    require(all(witness.parameters[p.name] in p for p in claim.parameters), "a parameter is outside its domain")
    require(len(witness.tables) == len(witness.values) in (1, 2), "a table of the counterexample is missing")
    for table, value in zip(witness.tables, witness.values, strict=True):
        exact = [Rational(count) for count in table]
        require(min(exact) >= 0 and any(exact), "a table of the counterexample is not in the domain")
        if claim.parameters:
            _check_value_for_all(claim, exact, value)
        else:
            check_value(claim.subject, exact, value)
    empties = [all(getattr(table, name.lower()) == 0 for name in empty) for table in witness.tables]
    if len(witness.tables) == 1:
        require(not empties[0], "the table is one where the claim has the extreme")
        return
    require(empties[1], "the second table is not one where the claim has the extreme")
    first, second = witness.values
    gap = 0 if is_same(first, second) else certain_sign(sign * (first - second))
    require(gap in ((1, -1) if empties[0] else (0, 1)), "the values satisfy the claim")


def _check_value_for_all(claim: Any, table: list[Rational], value: Expr) -> None:
    """Check the value of a formula, by direct evaluation, at a table, for all values of the parameters."""
    place = dict(zip(CELLS, table, strict=True))
    found = placed(claim.subject, place)
    require(found is not None, "the formula has no value at a table")
    assert found is not None
    for kind, base in obstacles_of(claim.subject):
        here = placed(base, place)
        require(here is not None, "the formula has no value at a table")
        assert here is not None
        require_free(kind, here, claim.parameters)
    # The value has no parameter in it, so that it is the same for all of them.
    require(not found.free_symbols, "the formula has no single value at a table")
    require(is_same(found, value), f"the metric's value at {tuple(table)} is not {value}")


def _check_attained(verdict: Verdict, claim: Any, sign: int, check_part: Check) -> None:
    witness = verdict.witness
    require(witness is not None and len(witness.tables) == 1, "one table is needed")
    assert witness is not None
    name = "upper" if sign > 0 else "lower"
    end = check_end(name, verdict.evidence.data["end"], claim.subject, claim.parameters, check_part)
    require(end.is_finite and is_same(witness.values[0], parse_formula(end.bound)), "the extreme is another value")


class _Faces:
    """A proof over the open orthant and each of its faces."""

    def __init__(self, claim: Any, sign: int, empty: tuple[str, str], check_part: Check) -> None:
        self.subject: Expr = claim.subject
        self.parameters = claim.parameters
        self.sign = sign
        self.empty = frozenset(empty)
        self.recheck = check_part

    def check(self, data: Mapping[str, Any]) -> None:
        """Check that the extreme is the limit where the two cells are zero, and only there."""
        if not is_real_nearly_everywhere(self.subject, self.parameters):
            self.check_written()
        self.check_has_value()
        self.check_at_agreement(data["extreme"])
        self.check_proof(data["inside"], self.subject)
        faces = [frozenset(cells) for size in (1, 2, 3) for cells in itertools.combinations(CELL_NAMES, size)]
        keys = {" ".join(name for name in CELL_NAMES if name in face): face for face in faces}
        require(set(data["faces"]) == set(keys), "a face is missing")
        for key, face in keys.items():
            if face >= self.empty:
                self.check_extreme(data["faces"][key], face)
            else:
                self.check_face(data["faces"][key], face)

    def check_written(self) -> None:
        """Check that a formula that is not real at all tables needs no limits: where it is real it is defined.

        A curve may run through tables at which such a formula is not real, though it is so on other ways to the same
        table; its limit along the curve then says nothing.  Where the formula has a value as it is written it is
        continuous, and a root of a negative number stays one nearby.
        """
        require(not self.parameters, RESTRICTED)
        faces = [cells for size in (1, 2, 3) for cells in itertools.combinations(CELLS, size)]
        for cells, (kind, base) in itertools.product(faces, obstacles_of(self.subject)):
            here = placed(base, dict.fromkeys(cells, S.Zero))
            require(here is not None, RESTRICTED)
            assert here is not None
            if kind != "radicand":
                require_free(kind, here, ())

    def check_has_value(self) -> None:
        """Check that the formula is defined, without limits, where the claim puts the extreme, for all parameters.

        Where it has none SymPy cancels what is zero there, and a curve may cancel what keeps it from being zero.
        """
        if self.parameters:
            for kind, base in obstacles_of(self.subject):
                here = placed(base, self.zeros(self.empty))
                require(here is not None, "the formula has no value where the claim has the extreme")
                assert here is not None
                if kind != "radicand":
                    require_free(kind, here, self.parameters)
            return
        counts = itertools.product(range(LARGEST_COUNT + 1), repeat=4)
        tables = (dict(zip(CELLS, map(Rational, table), strict=True)) for table in counts if any(table))
        empty = (table for table in tables if not any(table[cell] for cell in CELLS if cell.name in self.empty))
        has_value = any(value_or_none(self.subject, table) is not None for table in empty)
        require(has_value, "the formula is not shown to have a value where the claim has the extreme")

    def check_at_agreement(self, extreme: str) -> None:
        """Check the value of the formula, by direct evaluation, where the two cells are zero; parameters may remain."""
        self.extreme = parse_formula(extreme, [p.name for p in self.parameters])
        self.text = extreme
        require(self.extreme.free_symbols <= {p.symbol for p in self.parameters}, "the extreme value varies")
        at_extreme = placed(self.subject, self.zeros(self.empty))
        require(at_extreme is not None, "the formula has no value where the claim has the extreme")
        assert at_extreme is not None
        check_tends_to(at_extreme, extreme, self.parameters)

    def check_exceeded(self, data: Mapping[str, Any]) -> None:
        """Check that for all parameters some table of another face has a value that is not short of the extreme."""
        face = frozenset(data["face"].split())
        require(face <= set(CELL_NAMES) and len(face) < 4 and not face >= self.empty, "this is no other face")
        for kind, base in obstacles_of(self.subject):
            for zeros in (self.zeros(self.empty), self.zeros(face)):
                here = placed(base, zeros)
                require(here is not None, "the formula has no value at a table")
                assert here is not None
                require_free(kind, here, self.parameters)
        self.check_at_agreement(data["extreme"])
        value = placed(self.subject, self.zeros(face))
        require(value is not None, "the formula has no value on the face")
        assert value is not None
        if "proof" in data:
            self.check_proof(data["proof"], value, "refuted")
        else:
            require(self.gap(value) in (0, -1), "the values are not shown to reach the extreme")

    @staticmethod
    def zeros(face: frozenset[str]) -> dict[Expr, Expr]:
        """Return the cells of a face that are zero."""
        return {cell: S.Zero for cell in CELLS if cell.name in face}

    def gap(self, value: Expr) -> int | None:
        """Return the sign of the gap between the extreme and a value, for all cells and parameters; None if open."""
        return 0 if is_same(self.extreme, value) else self.certain_sign(self.sign * (self.extreme - value))

    def certain_sign(self, value: Expr) -> int | None:
        """Return the sign of an expression for all cells and parameters, None if it is not shown."""
        if not value.free_symbols:
            return certain_sign(value)
        products = Products(list(self.parameters))
        terms = Expander(products, STEP, 2)(value).terms
        return products.sign(terms[0][1]) if terms else 0

    def check_proof(self, data: Mapping[str, Any], formula: Expr, status: str = "proved") -> None:
        """Check evidence that a formula does not reach the extreme value at positive cells, or does at some."""
        symbols = formula.free_symbols | self.extreme.free_symbols
        parameters = tuple(p for p in self.parameters if p.symbol in symbols)
        check_proof(data, within(StrictInequality, formula, parameters, self.text, self.sign), self.recheck, status)

    def check_face(self, data: Mapping[str, Any], face: frozenset[str]) -> None:
        """Check that a formula does not have the extreme value on a face, if it has a limit there."""
        self.check_limit(data["path"], data["limit"], face)
        if data["limit"] in INFINITE:
            return
        limit = parse_formula(data["limit"], [p.name for p in self.parameters])
        if "proof" in data:
            self.check_proof(data["proof"], limit)
        else:
            require(self.gap(limit) == 1, "a limit is the extreme")

    def check_extreme(self, data: Mapping[str, Any], face: frozenset[str]) -> None:
        """Check that a formula has the extreme value on a face, if it has a limit there."""
        if "paths" not in data:
            self.check_limit(data["path"], data["limit"], face)
            names = [p.name for p in self.parameters]
            same = data["limit"] in INFINITE or self.gap(parse_formula(data["limit"], names)) == 0
            require(same, "a limit where the claim has the extreme is another value")
            return
        (first, second), (left, right) = data["paths"], data["limits"]
        self.check_limit(first, left, face)
        self.check_limit(second, right, face)
        if {left, right}.isdisjoint(INFINITE):
            names = [p.name for p in self.parameters]
            difference = self.certain_sign(parse_formula(left, names) - parse_formula(right, names))
            require(difference in (1, -1), "two limits at one table are not shown to differ")

    def check_limit(self, texts: list[str], limit: str, face: frozenset[str]) -> None:
        """Check the limit along a curve, for all non-zero cells, that ends at the table with these cells."""
        path = tuple(parse_formula(text, (STEP.name,)) for text in texts)
        require(len(path) == 4, "a curve has four cells")
        for cell, entry in zip(CELLS, path, strict=True):
            if cell.name in face:
                factor, power = entry.as_coeff_mul(STEP)[0], entry.as_powers_dict().get(STEP, S.Zero)
                is_small = entry == factor * STEP**power and factor.is_positive and power.is_Rational and power > 0
                require(bool(is_small), "a cell of a curve does not tend to zero")
            else:
                require(entry == cell, "a curve does not end at every table of the face")
        place: dict[Expr, Expr] = dict(zip(CELLS, path, strict=True))
        check_tends_to(self.subject, limit, self.parameters, place)
        require_value_on_curve(self.subject, self.parameters, place)
