"""Proofs that polynomials are nowhere negative: true steps are followed, and each kind of false step is refused.

What is false is negative at the table that stands beside it, so that nothing but a refusal is right.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import pytest
from effort import in_one_test
from forging import refusal
from sympy import QQ
from test_hostile import POSITIVE

from symmetrics.checker.engine.branches import Signs
from symmetrics.checker.engine.fractions import Arithmetic
from symmetrics.checker.engine.signs import SignChecker
from symmetrics.language.formula import parse_formula
from symmetrics.language.parameter import Parameter

Data = dict[str, Any]
ZERO = {"zero": True}
PARAMETERS = [Parameter.parse("w in [0, 1]"), Parameter.parse("v in [-1, 1]")]
CELLS = ("TP", "FN", "FP", "TN")
TANGENT = {"tangents": ZERO}
ROOTED = {"root": "r", "plain": POSITIVE, "norm": POSITIVE}
TWICE = ROOTED | {"norm": ROOTED | {"root": "q"}}


def log(base: str) -> Data:
    return {"kind": "log", "base": base}


def power(base: str) -> Data:
    return {"kind": "power", "base": base}


@dataclass(frozen=True)
class Step:
    """A polynomial with what is said to prove that it is nowhere negative.

    :param text: the polynomial, in cells, the parameters w between 0 and 1 and v between -1 and 1, and atoms
    :param over: what its coefficients are divided by
    :param table: where it is negative, if that is false
    """

    text: str
    tree: Mapping[str, Any]
    atoms: Mapping[str, Data] = field(default_factory=dict)
    given: Sequence[str] = ()
    chains: Mapping[str, str] = field(default_factory=dict)
    over: int = 1
    table: tuple[float, ...] = ()

    def checker(self) -> SignChecker:
        values = [f"{name}**(1/2)" for name, atom in self.atoms.items() if atom["kind"] == "power"]
        arithmetic = Arithmetic(CELLS, PARAMETERS, self.atoms, values)
        return SignChecker(arithmetic, [arithmetic.polynomial(text) for text in self.given], self.chains)

    def follow(self) -> bool:
        signs = self.checker()
        return signs.nonnegative(signs.arithmetic.polynomial(self.text) * QQ(1, self.over), self.tree)

    def least(self) -> float:
        """Return the value at the table, in floating point, with 1/2 for w and -1/2 for v; conditions have to hold."""
        signs = self.checker()
        arithmetic = signs.arithmetic
        known = dict(zip(CELLS, self.table, strict=True)) | {"w": 0.5, "v": -0.5, "pi": math.pi}

        def value(poly: Any) -> float:
            return sum(
                float(Fraction(int(c.numerator), int(c.denominator)))
                * math.prod(known[n] ** e for n, e in zip(arithmetic.names, m, strict=True) if e)
                for m, c in poly.terms()
            )

        for name, atom in arithmetic.atoms.items():
            base, below = map(value, signs.exceeds(name))
            known[name] = math.log(base / below) if atom.is_log else abs(base) ** (1 / arithmetic.degrees[name])
        assert all(value(condition) >= 0 for condition in signs.given)
        return value(arithmetic.polynomial(self.text))


def factor(text: str, power: Any = 1, sign: Any = 1, part: Data = POSITIVE) -> Data:
    return {"factors": [{"factor": text, "power": power, "sign": sign, "proof": part}]}


def under(variable: str, then: Data = POSITIVE) -> Data:
    return {"given": 0, "variable": variable, "then": then}


def cut(first: Data = POSITIVE, second: Data = POSITIVE, names: Sequence[str] = ("TP", "FN")) -> Data:
    return {"cut": list(names), "first": first, "second": second}


def split(by: str, first: Data | None = None, second: Data | None = None) -> Data:
    """Split a condition into the signs of TP - FN and of another factor; p is their product if nothing else is said."""
    both = {"times": 1, "then": {"itself": 2}}
    return {"split": 0, "by": ["1*TP + (-1)*FN", by], "first": first or both, "second": second or both}


PRODUCT = "1*TP*FP + (-1)*TP*TN + (-1)*FN*FP + 1*FN*TN"
"""The product of TP - FN and FP - TN."""
LOGS = {"L": log("FN"), "K": log("TP")}
BEYOND = {"L": log("TP+1")}
UPPER = "2*L + 2*TP*L + (-1)*TP**2 + (-2)*TP"
"""Negative, because log(u) < (u - 1/u)/2 for u = 1 + TP."""
TRUE = {
    "positive": Step("1*TP + 2*FN", POSITIVE),
    "a square": Step("1*TP**2 + (-2)*TP*FN + 1*FN**2", factor("1*TP + (-1)*FN", 2, 1, {"square": True})),
    "a negative factor": Step("1*TP", factor("(-1)*TP", 1, -1)),
    "a condition itself": Step("2*TP + (-2)*FN", {"itself": 0}, given=["1*TP + (-1)*FN"]),
    "a multiple of a condition": Step("1*TP**2 + (-1)*TP*FN", {"times": 0, "then": POSITIVE}, given=["1*TP + (-1)*FN"]),
    "under a condition": Step("1*TP**2 + (-1)*FN**2", under("TP"), given=["1*TP + (-1)*FN"]),
    "a combination": Step("3*TP + (-1)*FN", {"combination": [[0, "1"]]}, given=["1*TP + (-1)*FN"]),
    "a split": Step(
        "1*FN**2 + (-1)*FN*TP + 1*FP*TN",
        split("1*FP*TN + (-1)*TP*FN", {"combination": [[2, "1"]]}, {"given": 1, "variable": "FN", "then": POSITIVE}),
        given=["1*TP*FP*TN + (-1)*TP**2*FN + (-1)*FN*FP*TN + 1*TP*FN**2"],
    ),
    "a cut": Step("1*TP**2 + (-1)*TP*FN + 1*FN**2", cut()),
    "a quadratic": Step("1*TP**2 + (-1)*TP*FN + 1*FN**2", {"quadratic": "TP", "parts": [POSITIVE, POSITIVE]}),
    "peeled": Step("1*TP*FN + 1*FP", {"peeled": "TP", "parts": [POSITIVE, POSITIVE]}),
    "a root": Step("1*TP + 1*FN + (-1)*r**(1/2)", ROOTED, {"r": power("TP**2+FN**2")}),
    "bounds": Step("1*TP*L + 2*L + (-2)*TP", {"bounds": {"L": {"sign": 1, "proof": POSITIVE}}, "then": ZERO}, BEYOND),
    "tangents": Step("1*TP*L + 1*L + (-1)*TP", TANGENT, BEYOND),
    "tangents of a product": Step("1*FN*L + (-1)*FN*K + 1*TP + (-1)*FN", TANGENT, LOGS),
    "pairs": Step("1*L + (-1)*K", {"pairs": [["L", "K", "1"]], "rest": ZERO}, {"L": log("TP+FN"), "K": log("TP")}),
}
FALSE = {
    "the multiple of a logarithm is not whole": Step(
        "2*FN*L + (-3)*FN*K + 2*TP + (-2)*FN", TANGENT, LOGS, over=2, table=(9, 9, 1, 1)
    ),
    "logarithms are multiplied": Step("1*TP*L**2 + 1*L**2 + (-1)*TP", TANGENT, BEYOND, table=(0.1, 1, 1, 1)),
    "a base may be negative": Step("1*L + (-1)", TANGENT, {"L": log("TP-FN")}, table=(2, 1, 1, 1)),
    "a monomial may be negative": Step("1*v*TP*L + 1*v*L + (-1)*v*TP", TANGENT, BEYOND, table=(1, 1, 1, 1)),
    # roots and logarithms that change with the variable that is moved
    "a root or logarithm changes with the variable that is moved": Step(
        "1*TP + 1*FN + (-1)*r**(1/2)", cut(ROOTED, ROOTED), {"r": power("TP**2+4*TP*FN+FN**2")}, table=(1, 1, 1, 1)
    ),
    "a root or logarithm changes with the variable that is moved ": Step(
        "1*TP + (-1)*r**(1/2)",
        under("TP", ROOTED),
        {"r": power("TP**2+FN**2")},
        ["1*TP + (-1)*FN"],
        table=(2, 1, 1, 1),
    ),
    "a root or logarithm changes with the variable that is moved  ": Step(
        "10*TP + (-7)",
        under("TP", ROOTED),
        {"r": power("TP")},
        ["1*TP*r**(1/2) + 1*TP + (-1)"],
        table=(0.6, 1, 1, 1),
    ),
    "a root or logarithm changes with the variable that is moved   ": Step(
        "1*TP + (-1)*r**(1/2)",
        under("TP", TWICE),
        {"q": power("TP**4+FN**4"), "r": power("q**(1/2)")},
        ["1*TP + (-1)*FN"],
        table=(2, 1, 1, 1),
    ),
    # conditions
    "the coefficient of a variable may be zero": Step("1*TP + (-1)", under("TP"), given=["0"], table=(0.5, 1, 1, 1)),
    "a condition is not linear": Step("1*TP + (-1)*TN", under("TP"), given=["1*TP**2 + (-1)*TN"], table=(2, 1, 1, 3)),
    "a condition does not bound a variable from below": Step(
        "1*TP + (-1)", under("TP"), given=["1*TP + 1*FN + (-1)"], table=(0.5, 1, 1, 1)
    ),
    "a polynomial is not what is given": Step(
        "1*FN + (-1)*TP", {"itself": 0}, given=["1*TP + (-1)*FN"], table=(2, 1, 1, 1)
    ),
    "there is no such condition": Step("1*FN + (-1)*TP", {"itself": 1}, given=["1*TP"], table=(2, 1, 1, 1)),
    "a weight is not positive": Step(
        "1*FN + (-1)*TP", {"combination": [[0, "-1"]]}, given=["1*TP + (-1)*FN"], table=(2, 1, 1, 1)
    ),
    "the rest of a combination may be negative": Step(
        "1*TP + (-2)*FN", {"combination": [[0, "1"]]}, given=["1*TP + (-1)*FN"], table=(1, 1, 1, 1)
    ),
    "a region is not empty": Step("(-1)*TP", {"empty": 0}, given=["1*TP + (-1)*FN"], table=(2, 1, 1, 1)),
    "a region is not flat": Step(
        "(-1)*TP", {"flat": [0, 1]}, given=["1*TP + (-1)*FN", "1*TP + (-2)*FN"], table=(3, 1, 1, 1)
    ),
    # the product has the other sign; it is not the product; what is left over may have either sign
    "a condition is not a positive multiple of two factors": Step(
        "1*TP*TN + (-1)*TP*FP + (-1)*FN*TN + 1*FN*FP", split("1*TN + (-1)*FP"), given=[PRODUCT], table=(2, 1, 2, 1)
    ),
    "a condition is not a positive multiple of two factors ": Step(
        "1*TP*FP + (-3)*TP*TN + (-1)*FN*FP + 3*FN*TN", split("1*FP + (-3)*TN"), given=[PRODUCT], table=(2, 1, 2, 1)
    ),
    "a condition is not a positive multiple of two factors  ": Step(
        PRODUCT,
        split("1*FP + (-1)*TN"),
        given=[
            "1*TP**2*FP + (-1)*TP**2*TN + (-1)*TP*FN*FP + 1*TP*FN*TN"
            " + (-1)*TP*FP**2 + 1*TP*FP*TN + 1*FN*FP**2 + (-1)*FN*FP*TN"
        ],
        table=(1, 2, 3, 1),
    ),
    # where both factors are negative neither of them is nonnegative
    "a polynomial is not what is given ": Step(
        "1*FP + (-1)*TN",
        split("1*FP + (-1)*TN", {"itself": 2}, {"itself": 2}),
        given=[PRODUCT],
        table=(1, 2, 1, 2),
    ),
    "a polynomial is not what is given  ": Step(
        "1*TP + (-1)*FN",
        split("1*FP + (-1)*TN", {"itself": 1}, {"itself": 1}),
        given=[PRODUCT],
        table=(1, 2, 1, 2),
    ),
    # what is left over, or is said to be positive, is a root that may be zero
    "a condition is not a positive multiple of two factors   ": Step(
        PRODUCT,
        split("1*FP + (-1)*TN"),
        {"r": power("TP-TN")},
        ["1*TP*FP*r**(1/2) + (-1)*TP*TN*r**(1/2) + (-1)*FN*FP*r**(1/2) + 1*FN*TN*r**(1/2)"],
        table=(2, 1, 1, 2),
    ),
    "a region is not empty ": Step(
        "(-1)*TP", {"empty": 0}, {"r": power("TP-TN")}, ["(-1)*r**(1/2)"], table=(1, 1, 1, 1)
    ),
    "a condition is not split into two factors": Step(
        "(-1)*TP", {"split": 0, "by": ["0", "1*TN"], "first": ZERO, "second": ZERO}, given=["0"], table=(1, 1, 1, 1)
    ),
    "a condition is not split into two factors ": Step(
        "(-1)*TP", {"split": 0, "by": ["1*TN"], "first": ZERO, "second": ZERO}, given=["1*TN"], table=(1, 1, 1, 1)
    ),
    # factors, coefficients and powers
    "a factor has no proper power": Step("(-1)*TP", factor("1*TP", 0), table=(1, 1, 1, 1)),
    "a factor has no proper power ": Step("(-1)*TP", factor("1*TP", True), table=(1, 1, 1, 1)),
    "a factor has no proper power  ": Step("(-1)*TP", factor("1*TP", -1), table=(1, 1, 1, 1)),
    "a factor has no proper power   ": Step("(-1)*TP", factor("1*TP", 1, 0, ZERO), table=(1, 1, 1, 1)),
    "an odd power is no square": Step(
        "1*TP + (-1)*FN", factor("1*TP + (-1)*FN", 1, 1, {"square": True}), table=(1, 2, 1, 1)
    ),
    "the factors do not multiply to the polynomial": Step("1*TP + (-1)*FN", factor("1*TP"), table=(1, 2, 1, 1)),
    "the factors give the other sign": Step("(-1)*TP", factor("1*TP"), table=(1, 1, 1, 1)),
    "a coefficient has no sign": Step(
        UPPER, {"bounds": {"L": {"sign": 0, "proof": ZERO}}, "then": ZERO}, BEYOND, table=(1, 1, 1, 1)
    ),
    "bounds are for logarithms": Step(
        "1*TP*r**(1/2) + 2*r**(1/2) + (-2)*TP",
        {"bounds": {"r": {"sign": 1, "proof": POSITIVE}}, "then": ZERO},
        {"r": power("TP/9+1/9")},
        table=(5, 1, 1, 1),
    ),
    "a logarithm may be negative": Step(
        "1*TP*L + 1*L + (-2)*TP + 2",
        {"bounds": {"L": {"sign": 1, "proof": POSITIVE}}, "then": ZERO},
        {"L": log("TP")},
        table=(0.1, 1, 1, 1),
    ),
    "a logarithm has a power": Step(
        "1*TP*L**2 + 2*L**2 + (-2)*TP",
        {"bounds": {"L": {"sign": 1, "proof": POSITIVE}}, "then": ZERO},
        BEYOND,
        table=(0.1, 1, 1, 1),
    ),
    "a polynomial is not quadratic": Step(
        "1*TP**3 + (-9)*TP", {"quadratic": "TP", "parts": [POSITIVE, POSITIVE]}, table=(1, 1, 1, 1)
    ),
    "the leading coefficient may be zero": Step(
        "(-1)*TP", {"quadratic": "FN", "parts": [ZERO, ZERO]}, table=(1, 1, 1, 1)
    ),
    "a cut needs two variables": Step("1*TP + (-1)*FN", cut(names=("TP", "TP")), table=(1, 2, 1, 1)),
    "'w' is no variable": Step("1*TP + (-1)*w", cut(names=("TP", "w")), table=(0.1, 1, 1, 1)),
    "'pi' is no variable": Step("1*pi + (-4)", {"peeled": "pi", "parts": [ZERO, ZERO]}, table=(1, 1, 1, 1)),
    # positive coefficients
    "a polynomial that is not zero is said to be": Step("(-1)*TP", ZERO, table=(1, 1, 1, 1)),
    "a coefficient is not positive": Step("1*TP + (-1)*FN", POSITIVE, table=(1, 2, 1, 1)),
    "a polynomial holds something of unknown sign": Step("1*L", POSITIVE, {"L": log("TP")}, table=(0.5, 1, 1, 1)),
    "a step of the proof is of no known kind": Step("(-1)*TP", {"believe": True}, table=(1, 1, 1, 1)),
    "this is no square root of something positive": Step(
        "1 + 1*TP + (-1)*r", ROOTED, {"r": power("TP-FN")}, table=(1, 9, 1, 1)
    ),
    # pairs of logarithms
    "a weight may be negative": Step(
        "(-1)*L", {"pairs": [["L", None, "(-1)"]], "rest": ZERO}, BEYOND, table=(1, 1, 1, 1)
    ),
    "a pair is not one of logarithms": Step(
        "1*L + (-1)*r**(1/2)",
        {"pairs": [["L", "r", "1"]], "rest": ZERO},
        {"L": log("TP+2"), "r": power("TP+1")},
        table=(99, 1, 1, 1),
    ),
    "a logarithm may be the smaller one": Step(
        "1*L + (-1)*K",
        {"pairs": [["L", "K", "1"]], "rest": ZERO},
        {"L": log("TP+1"), "K": log("TP+2")},
        table=(1, 1, 1, 1),
    ),
    "a logarithm is left over": Step("1*L", {"pairs": [], "rest": POSITIVE}, {"L": log("TP")}, table=(0.5, 1, 1, 1)),
}


@in_one_test
@pytest.mark.parametrize("name", TRUE)
def test_a_true_step_is_followed(name: str) -> None:
    assert refusal(TRUE[name].follow) is None


@in_one_test
@pytest.mark.parametrize("reason", FALSE)
def test_a_false_step_is_refused(reason: str) -> None:
    step = FALSE[reason]
    assert step.least() < 0
    assert refusal(step.follow) == reason.strip()


@pytest.mark.parametrize("step", [{"given": 2}, {"itself": 2}, {"times": 2}, {"combination": [[2, "1"]]}])
def test_a_condition_that_a_step_uses_is_seen_wherever_it_stands(step: dict[str, Any]) -> None:
    for tree in (step, {"then": step}, {"first": POSITIVE, "second": [step]}):
        assert SignChecker._uses(tree, 2)
        assert not SignChecker._uses(tree, 3)


@pytest.mark.parametrize(
    ("text", "tree", "is_strict"),
    [
        ("3*TP + (-1)*FN", {"combination": [[0, "1"]]}, True),
        ("1*TP + (-1)*FN", {"combination": [[0, "1"]]}, False),
        ("1*TP + (-1)*FN", under("TP", {"combination": []}), False),
        ("1*TP + 1*TN + (-1)*FN", under("TP", {"combination": []}), True),
    ],
)
def test_a_combination_is_positive_where_a_term_of_its_rest_is(text: str, tree: Data, is_strict: bool) -> None:
    assert Step(text, tree, given=["1*TP + (-1)*FN"]).follow() is is_strict


def test_a_split_is_strict_only_if_both_sides_are() -> None:
    # TP*(TP - FN) is not negative exactly where TP - FN is not, which may be zero; the other side is empty.
    tree = {"split": 0, "by": ["(-1)*TP", "1*FN + (-1)*TP"], "first": {"empty": 1}, "second": {"itself": 2}}
    step = Step("1*TP + (-1)*FN", tree, given=["1*TP**2 + (-1)*TP*FN"])
    assert step.follow() is False


def test_a_logarithm_of_a_ratio_is_not_taken_inside_what_it_is_a_ratio_of() -> None:
    """L stands for log((TP + 2)/(1 + r)), and r for the root of log(TN + 2), which is one of a ratio elsewhere."""
    atoms = {"M": log("TN+2"), "N": log("TN+1"), "r": power("M"), "K": log("1+r**(1/2)"), "L": log("TP+2")}
    arithmetic = Arithmetic(CELLS, [], atoms, ["r**(1/2)"])
    poly = arithmetic.polynomial("1*TP*L + (-1)*FN")
    assert refusal(SignChecker(arithmetic, (), {"L": "K"}).unchained, poly) is None
    found = refusal(SignChecker(arithmetic, (), {"L": "K", "M": "N"}).unchained, poly)
    assert found == "a chain is about a logarithm inside a root"


@in_one_test
@pytest.mark.parametrize(
    ("text", "never_negative", "positive"),
    [
        # Even powers may be zero, and odd ones have the sign of their base.
        ("(TP - TN)**2", True, False),
        ("(TP - TN)**(-2)", True, False),
        ("(TP - TN)**3", False, False),
        ("(TP + TN)**3", True, True),
        ("sqrt(TP - TN)", True, False),
        ("Abs(TP - TN)", True, False),
        # All terms of a sum count, and one has to be positive; all factors do, and one of what a maximum is of.
        ("TP + (TP - TN)**2", True, True),
        ("TP + (TP - TN)**3", False, False),
        ("TP*(TP - TN)**2", True, False),
        ("TP*(TP - TN)", False, False),
        ("Max(TP, TP - TN)", True, True),
        ("Max(TP - TN, (TP - TN)**2)", True, False),
        ("Min(TP, (TP - TN)**2)", True, False),
        ("Min(TP, TP - TN)", False, False),
        # A logarithm is that of what is beyond 1.
        ("log(1 + TP)", True, True),
        ("log(1 + (TP - TN)**2)", True, False),
        ("log(TP)", False, False),
        # The ends of domains count.
        ("v", True, True),
        ("w", True, False),
        ("w*TP", True, False),
        ("w - 1", False, False),
        ("0", True, False),
    ],
)
def test_signs_are_seen_where_they_are_and_nowhere_else(text, never_negative, positive):
    known = Signs([Parameter.parse("w in [0, 1]"), Parameter.parse("v in (0, 1]")])
    formula = parse_formula(text, ["w", "v"])
    assert (known.is_never_negative(formula), known.is_positive(formula)) == (never_negative, positive)
