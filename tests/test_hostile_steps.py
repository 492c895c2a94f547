"""Evidence made up to be accepted for what is false: steps that prove signs, each where one of its conditions fails."""

from __future__ import annotations

from typing import Any

import pytest
from effort import in_one_test
from test_hostile import POSITIVE, difference, is_accepted, metric, nonnegative, piece, pieces_of, proof

from symmetrics.checker.engine.forms import Signs
from symmetrics.language.formula import parse_formula
from symmetrics.language.parameter import Parameter

ZERO = {"zero": True}
ROOT = {"kind": "power", "base": "TP+1"}
LOG = {"kind": "log", "base": "TP+1"}
TANGENT = {"tangents": ZERO}


def bounds(name: str, sign: int, part: Any = POSITIVE) -> dict[str, Any]:
    return {"bounds": {name: {"sign": sign, "proof": part}}, "then": ZERO}


def factor(text: str, power: int = 1, part: Any = POSITIVE) -> dict[str, Any]:
    return {"factors": [{"factor": text, "power": power, "sign": 1, "proof": part}]}


@in_one_test
@pytest.mark.parametrize(
    ("text", "numerator", "denominator", "atoms", "tree"),
    [
        # The product of the factors is the negative of it; a square is none.
        ("-TP", "(-1)*TP", "", {}, factor("1*TP")),
        ("FN - FP", "1*FN + (-1)*FP", "", {}, factor("1*FN + (-1)*FP", 1, {"square": True})),
        # The square of a logarithm, of |TP - TN| or of a cube root is not what stands under it.
        (
            "log(TP)",
            "1*L",
            "",
            {"L": {"kind": "log", "base": "TP"}},
            {"root": "L", "factor": POSITIVE, "norm": POSITIVE},
        ),
        (
            "1 + TP - sqrt(TP**2 - 2*TP*TN + TN**2)",
            "1 + 1*TP + (-1)*r",
            "",
            {"r": {"kind": "power", "base": "TP-TN"}},
            {"root": "r", "plain": POSITIVE, "norm": POSITIVE},
        ),
        (
            "TP - TP**(2/3)",
            "1*TP + (-1)*r**(1/3)",
            "",
            {"r": {"kind": "power", "base": "TP**2"}},
            {"root": "r", "plain": POSITIVE, "norm": ZERO},
        ),
        # Bounds of logarithms do not hold for roots, for negative logarithms, for squares, or the other way round.
        (
            "((1 + TP)**2 - 1)/(2*(1 + TP)) - sqrt(1 + TP)",
            "(-2)*r**(1/2) + (-2)*TP*r**(1/2) + 1*TP**2 + 2*TP",
            "2*TP + 2",
            {"r": ROOT},
            bounds("r", -1),
        ),
        (
            "log(TP) - 2*(TP - 1)/(TP + 1)",
            "1*TP*L + 1*L + (-2)*TP + 2",
            "1*TP + 1",
            {"L": {"kind": "log", "base": "TP"}},
            bounds("L", 1),
        ),
        ("log(1 + TP)**2 - 2*TP/(TP + 2)", "1*TP*L**2 + 2*L**2 + (-2)*TP", "1*TP + 2", {"L": LOG}, bounds("L", 1)),
        (
            "log(1 + TP) - ((1 + TP)**2 - 1)/(2*(1 + TP))",
            "2*L + 2*TP*L + (-1)*TP**2 + (-2)*TP",
            "2*TP + 2",
            {"L": LOG},
            bounds("L", 0, ZERO),
        ),
        # A negative multiple of a logarithm, one less a root, and the smaller one of two.
        ("-log(1 + TP)", "(-1)*L", "", {"L": LOG}, {"pairs": [["L", None, "(-1)"]], "rest": ZERO}),
        (
            "log(TP + 2) - sqrt(TP + 1)",
            "1*L + (-1)*r**(1/2)",
            "",
            {"L": {"kind": "log", "base": "TP+2"}, "r": ROOT},
            {"pairs": [["L", "r", "1"]], "rest": ZERO},
        ),
        (
            "log(TP + 1) - log(TP + 2)",
            "1*L + (-1)*K",
            "",
            {"L": LOG, "K": {"kind": "log", "base": "TP+2"}},
            {"pairs": [["L", "K", "1"]], "rest": ZERO},
        ),
        # Tangents: 1 - 1/u is no bound for a negative u, nor for the square of the logarithm.
        (
            "log(TP + 1) - 1 - 1/(TP + 1)",
            "1*TP*L + 1*L + (-1)*TP + (-2)",
            "1*TP + 1",
            {"L": {"kind": "log", "base": "0-1-TP"}},
            TANGENT,
        ),
        ("log(1 + TP)**2 - TP/(1 + TP)", "1*TP*L**2 + 1*L**2 + (-1)*TP", "1*TP + 1", {"L": LOG}, TANGENT),
        # The leading coefficient of a quadratic is zero.
        ("-TP", "(-1)*TP", "", {}, {"quadratic": "FN", "parts": [ZERO, ZERO]}),
    ],
)
def test_a_step_proves_no_more_than_its_conditions_allow(text, numerator, denominator, atoms, tree):
    own = metric(text)
    values = {"1 + TP - sqrt(TP**2 - 2*TP*TN + TN**2)": ["r"], "TP - TP**(2/3)": ["r**(1/3)"]}.get(text)
    known = values or [f"{name}**(1/2)" if atom["kind"] == "power" else name for name, atom in atoms.items()]
    below = [[denominator, 1]] if denominator else []
    record = piece(numerator, denominator=below, atoms=atoms, values=known, tree=tree)
    assert not is_accepted(proof(own, "own", difference(record), nonnegative(own)))


@pytest.mark.parametrize(
    ("text", "numerator", "denominator", "tree"),
    [
        ("w*TP", "1*w*TP", "", {"peeled": "w", "parts": [ZERO, POSITIVE]}),
        ("w*TP", "1*w*TP", "", POSITIVE),
        ("w*log(1 + TP) - w*TP/(1 + TP)", "1*w*TP*L + 1*w*L + (-1)*w*TP", "1*TP + 1", TANGENT),
        ("w*log(1 + TP)", "1*w*L", "", {"pairs": [["L", None, "1*w"]], "rest": ZERO}),
    ],
)
def test_a_parameter_may_be_negative(text, numerator, denominator, tree):
    own = metric(text, "w in [-1, 1]")
    atoms = {"L": LOG} if "log" in text else {}
    below = [[denominator, 1]] if denominator else []
    record = piece(numerator, denominator=below, atoms=atoms, values=[*atoms], tree=tree)
    assert not is_accepted(proof(own, "own", difference(record), nonnegative(own)))


def test_a_logarithm_that_is_left_over_is_not_that_of_a_ratio():
    # With a chain L stands for log(2*TP/TP), which is positive; what is left is log(2*TP).
    own = metric("log(2*TP)")
    atoms = {"L": {"kind": "log", "base": "2*TP"}, "K": {"kind": "log", "base": "TP"}}
    record = piece("1*L + 1*K", atoms=atoms, values=["L", "K"], chains={"L": "K"})
    for tree in ({"pairs": [], "rest": POSITIVE}, POSITIVE):
        assert not is_accepted(proof(own, "own", difference(record | {"tree": tree}), nonnegative(own)))


@in_one_test
@pytest.mark.parametrize(
    "tree",
    [
        {"itself": 0},
        {"combination": [[0, "-1"]]},
        {"combination": [[0, "1"]]},
        {"combination": []},
        {"times": 0, "then": POSITIVE},
        {"given": 0, "variable": "{}", "then": POSITIVE},
        {"flat": [0, 0]},
        {"empty": 0},
        {"split": 0, "by": ["1*TP", "1*TN"], "first": {"itself": 0}, "second": {"itself": 0}},
    ],
)
def test_what_is_given_does_not_prove_its_negative(tree):
    own = metric("-Max(TP - TN, TN - TP)")
    claim = nonnegative(own)
    records = []
    for larger, smaller in (("TP", "TN"), ("TN", "TP")):
        here = {"variable": larger} if "given" in tree else {}
        condition = f"1*{larger} + (-1)*{smaller}"
        records.append(piece(f"1*{smaller} + (-1)*{larger}", given=[condition], tree=tree | here))
    assert not is_accepted(proof(own, "own", difference(*records), claim))


def test_a_condition_that_is_not_linear_says_nothing_of_its_variable():
    # Where TP**2 >= TN it is TP - TN, and zero elsewhere.
    own = metric("Max(TP**2 - TN, 0)/(TP**2 - TN)*(TP - TN)")
    claim = nonnegative(own)
    tree = {"given": 0, "variable": "TP", "then": POSITIVE}
    record = piece("1*TP + (-1)*TN", given=["1*TP**2 + (-1)*TN"], tree=tree)
    assert not is_accepted(proof(own, "own", difference(*pieces_of(claim.difference, record)), claim))


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
