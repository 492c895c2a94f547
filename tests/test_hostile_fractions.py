"""The arithmetic of certificates: what is true is computed, and each kind of false text, value or base is refused."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from effort import in_one_test
from forging import refusal
from sympy import Abs, Expr, Pow, Rational, S, Symbol, exp, log, sqrt

from symmetrics.checker.engine import fractions
from symmetrics.checker.engine.fractions import Arithmetic, Quotient, factors_of
from symmetrics.checker.engine.minors import determinant, polynomial_row, require_no_common_zero
from symmetrics.checker.engine.slopes import slope
from symmetrics.language.cells import FN, TP
from symmetrics.language.parameter import Parameter

WEIGHT = Parameter.parse("w in [0, 1]")
ROOT, LOG = {"kind": "power", "base": "TP+FN"}, {"kind": "log", "base": "TP+FN"}


def arithmetic(
    atoms: Mapping[str, Mapping[str, str]] | None = None, values: tuple[str, ...] = (), *declared: Parameter
) -> Arithmetic:
    return Arithmetic(("TP", "FN"), declared or (WEIGHT,), atoms or {}, values)


# -- texts -------------------------------------------------------------------------------------------------------------


@in_one_test
@pytest.mark.parametrize(
    ("atoms", "values", "reason"),
    [
        ({"r": ROOT, "L": LOG}, ("r**(1/2)", "2*L"), None),
        ({"TP": ROOT}, (), "a name in the certificate is taken twice, or is not a name"),
        ({"w": ROOT}, (), "a name in the certificate is taken twice, or is not a name"),
        ({"r s": ROOT}, (), "a name in the certificate is taken twice, or is not a name"),
        ({"r": {"kind": "root", "base": "TP"}}, (), "r is a 'root', not one of power, log"),
        ({"r": {"kind": "power", "base": "1/TP"}}, (), "the base of r is not a polynomial"),
        ({"r": {"kind": "power", "base": "0"}}, (), "the base of r is not a polynomial"),
        ({"r": {"kind": "power", "base": "r+TP"}}, (), "the certificate holds an unreadable formula: "),
        ({"r": ROOT}, ("s",), "the certificate holds an unreadable formula: "),
        ({"r": ROOT}, ("r**(1/5000)",), "the root of r has too high a degree to be checked"),
        ({"r": ROOT}, ("r**(w)",), "'w' is not a power of r"),
        ({"r": ROOT}, ("r**(1/0)",), "'1/0' is not a power of r"),
        ({"L": LOG}, ("L**(1/2)",), "L does not occur to the power 1/2"),
        ({}, ("TP**(1/2)",), "TP does not occur to the power 1/2"),
    ],
)
def test_atoms_and_values_are_read(
    atoms: Mapping[str, Mapping[str, str]], values: tuple[str, ...], reason: str | None
) -> None:
    found = refusal(arithmetic, atoms, values)
    assert found is not None and found.startswith(reason) if reason and reason.endswith(": ") else found == reason


@in_one_test
@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("(-3)*TP**2*r**(1/2) + 2*w*L", None),
        ("1*q", "'q' in the certificate is no power of anything known"),
        ("1*TP**-1", "'TP**-1' in the certificate is no power of anything known"),
        ("1/2*TP", "'1/2' in the certificate is no power of anything known"),
        ("1*r**(1/3)", "'r**(1/3)' in the certificate has no proper power"),
        ("1*TP**(1/2)", "'TP**(1/2)' in the certificate has no proper power"),
        ("1*L**(1/2)", "'L**(1/2)' in the certificate has no proper power"),
        ("1*TP**4001", "'TP**4001' in the certificate has no proper power"),
    ],
)
def test_a_polynomial_is_read(text: str, reason: str | None) -> None:
    assert refusal(arithmetic({"r": ROOT, "L": LOG}, ("r**(1/2)",)).polynomial, text) == reason


# -- expressions -------------------------------------------------------------------------------------------------------


@in_one_test
@pytest.mark.parametrize(
    ("expression", "reason"),
    [
        (TP / (TP + FN), None),
        (sqrt(TP + FN) + log(TP + FN), None),
        (exp(TP), "exp cannot be checked"),
        (TP**WEIGHT.symbol, "Pow cannot be checked"),
        (Symbol("other"), "unknown name 'other' in the certificate"),
        (sqrt(TP), "a root in the formula has no value in the certificate"),
        (Abs(TP - FN), "a root in the formula has no value in the certificate"),
        (log(TP), "a logarithm in the formula has no value in the certificate"),
        (Pow(TP - FN - (TP - FN), -1, evaluate=False), "the formula divides by something that is zero everywhere"),
        (TP**4001, "the power 4001 in the certificate is too large to be checked"),
        (TP**-4001, "the power -4001 in the certificate is too large to be checked"),
    ],
)
def test_an_expression_is_evaluated(expression: Expr, reason: str | None) -> None:
    assert refusal(arithmetic({"r": ROOT, "L": LOG}, ("r**(1/2)", "L")).evaluate, expression) == reason


@in_one_test
@pytest.mark.parametrize(
    ("expression", "sign"),
    [
        (sqrt(TP - FN), "TP - FN"),
        ((TP - FN) ** Rational(1, 3), "TP - FN"),
        (log(TP - FN), "TP - FN"),
        (log(1 / (TP - FN)), "TP - FN"),
        (Abs(TP - FN), None),
        (sqrt((TP + FN) ** 2), None),
    ],
)
def test_where_a_formula_is_real_is_noted(expression: Expr, sign: str | None) -> None:
    """What is under a root or a logarithm has to be positive, unless it is so everywhere."""
    atoms = {"r": {"kind": "power", "base": "TP-FN"}, "L": {"kind": "log", "base": "TP-FN"}, "s": ROOT}
    own = arithmetic(atoms, ("r**(1/2)", "r**(1/3)", "r", "L", "-L", "s"))
    own.evaluate(expression)
    signs = [str(own.varying_sign(value)) for value in own.conditions]
    assert signs == ([] if sign is None else [sign])


def test_what_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    own = arithmetic()
    total = own.symbols["TP"] + own.symbols["FN"] + 1
    assert refusal(own.times, total, total) is None
    monkeypatch.setattr(fractions, "MAX_TERMS", 8)
    assert refusal(own.times, total, total) == "a product in the certificate has too many terms to be checked"
    monkeypatch.setattr(fractions, "MAX_TERMS", 9)
    assert refusal(own.times, total, total) is None
    monkeypatch.setattr(fractions, "MAX_WORK", 20)
    assert refusal(own.times, total, total) == "a product in the certificate has too many terms to be checked"
    assert refusal(factors_of, total) is None
    monkeypatch.setattr(fractions, "MAX_FACTORED", 2)
    assert refusal(factors_of, total) == "a polynomial in the certificate has too many terms to be factored"


# -- slopes and determinants -------------------------------------------------------------------------------------------


def test_a_nested_root_has_no_derivative() -> None:
    atoms = {"q": {"kind": "power", "base": "TP"}, "r": {"kind": "power", "base": "q**(1/2)+1"}}
    own = arithmetic(atoms, ("q**(1/2)", "r**(1/2)"))
    assert refusal(slope, own.symbols["q"], [], own, {"TP": 1}) is None
    reason = "a nested root has no derivative that can be checked"
    assert refusal(slope, own.symbols["r"], [], own, {"TP": 1}) == reason
    assert refusal(slope, own.symbols["TP"], [(own.symbols["r"], 1)], own, {"FN": 1}) == reason


def test_a_determinant_is_square() -> None:
    own = arithmetic()
    one, two = own.ring(1), own.ring(2)
    assert determinant([[one, two], [two, one]], own) == -3
    for rows in ([[one, two]], [[one], [two]], [[one, two], [one]]):
        assert refusal(determinant, rows, own) == "a determinant is not square"


@in_one_test
@pytest.mark.parametrize(("below", "accepted"), [("w + 1", True), ("2", True), ("w", False), ("2*w - 1", False)])
def test_the_denominators_of_a_row_have_no_zero(below: str, accepted: bool) -> None:
    own = arithmetic()
    bottom = own.evaluate(S(below).xreplace({Symbol("w"): WEIGHT.symbol})).top
    found = refusal(polynomial_row, [Quotient(own.ring(1), own.ring(1)), Quotient(own.ring(1), bottom)], own)
    assert found == (None if accepted else "the formula may have no value at a table, for some parameters")


@in_one_test
@pytest.mark.parametrize(
    ("texts", "accepted"),
    [
        (("w", "1 - w"), True),
        (("w", "w + 1"), True),
        (("w", "w*(w - 2)"), False),
        (("0", "0"), False),
        ((), False),
        (("w - 1/2", "(w - 1/2)*(w + 1)"), False),
    ],
)
def test_determinants_have_no_common_zero(texts: tuple[str, ...], accepted: bool) -> None:
    own = arithmetic()
    polys: list[Any] = [own.evaluate(S(text).xreplace({Symbol("w"): WEIGHT.symbol})).top for text in texts]
    found = refusal(require_no_common_zero, polys, own)
    assert found == (None if accepted else "the determinants may vanish together at some values of the parameters")


def test_quotients_are_equal_if_they_are_whatever_their_denominators() -> None:
    own = Arithmetic(("x", "y"), (), {}, ())
    x, y = own.symbols["x"], own.symbols["y"]
    same = [Quotient(x, y), Quotient(2 * x * y, 2 * y**2), Quotient(x * (x + y), y * (x + y)), Quotient(3 * x, 3 * y)]
    others = [
        Quotient(2 * x, 2 * y + 1),
        Quotient(x * y, y**2 + y),
        Quotient(x, y**2),
        Quotient(x + y, y),
        Quotient(y, x),
    ]
    for one in same:
        assert all(own.equal(one, each) and own.equal(each, one) for each in same)
        assert not any(own.equal(one, each) or own.equal(each, one) for each in others)


@pytest.mark.parametrize("text", ["TP+2*FN", "TP**2+3*TP*FN+2*FN**2", "r**(1/2)*TP", "r**(1/2)*TP+r**(1/2)*FN", "TP"])
def test_a_power_is_the_same_whether_it_is_divided_first(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fractions, "LARGE", 2)
    found = arithmetic({"r": ROOT}, ("r**(1/2)",))
    quotient = Quotient(found.polynomial(text.replace("+", " + ")), found.polynomial("TP + FN"))
    for exponent in (1, 2, 3):
        divided, plain = found._divided_power(quotient, exponent), found.power(quotient, exponent)
        assert found.equal(divided, plain)
        assert not found.equal(divided, found.power(quotient, exponent + 1))
