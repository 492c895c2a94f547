"""Inequalities with parameters: true thresholds are accepted, and each kind of false step to one is refused."""

from __future__ import annotations

from typing import Any

import pytest
from effort import in_one_test
from forging import refusal
from sympy import Integer, Rational
from test_hostile import difference, metric, nonnegative, piece

from symmetrics.checker import check
from symmetrics.checker.engine.fractions import Arithmetic
from symmetrics.checker.engine.solutions import check_sufficient
from symmetrics.checker.engine.thresholds import _weights
from symmetrics.claims.verdict import Counts, Evidence, Verdict, Witness
from symmetrics.language.condition import parse_condition
from symmetrics.language.formula import parse_formula
from symmetrics.language.parameter import Parameter

Data = dict[str, Any]
LINE = "w in [-1, 1] = 1/2"
UNIT = "w in [0, 1] = 1/2"
ZERO = "all coefficients are zero"
LEFT_OUT = {"zero": "never", "tree": {"leaf": "impossible"}, "examples": []}
BOTH = ("w in [0, 1] = 1/2", "v in [0, 1] = 1/2")
BOTH_ZERO = {
    "zero": "w = 0 and v = 0",
    "tree": {
        "split": "w",
        "children": [
            {
                "factor": "w",
                "set": "w",
                "to": "0",
                "then": {"split": "v", "children": [{"factor": "v", "set": "v", "to": "0", "then": {"leaf": "holds"}}]},
            }
        ],
    },
    "examples": [{"w": "0", "v": "0"}],
}


def intervals(*entries: tuple[str, str, Any]) -> Data:
    return {"intervals": [{"lower": lower, "upper": upper, "fails": fails} for lower, upper, fails in entries]}


SIGNS = intervals(("-1", "-1", {}), ("-1", "0", {}), ("0", "0", ZERO), ("0", "1", None), ("1", "1", None))
"""Where w is positive, between -1 and 1."""


def at(**values: object) -> Witness:
    """Return the table of ones as a counterexample where the formula is zero there."""
    numbers = {name: Rational(str(value)) for name, value in values.items()}
    return Witness((Counts(1, 1, 1, 1),), (Integer(0),), numbers)


def threshold(
    text: str,
    declared: str | tuple[str, ...],
    numerator: str,
    data: Data,
    status: str = "proved",
    holds: bool | None = True,
    *,
    strict: bool = True,
    atoms: Data | None = None,
    values: tuple[str, ...] = (),
    **parts: Any,
) -> Verdict:
    """Return a verdict that a formula is positive, or nowhere negative, for some values of its parameters."""
    own = metric(text, *([declared] if isinstance(declared, str) else declared))
    given = dict(parts)
    if "condition" in parts:
        given["condition"] = parse_condition(parts["condition"], [parameter.name for parameter in own.parameters])
    record = piece(numerator, atoms=atoms or {}, values=list(values))
    evidence = Evidence("coefficients", difference(record) | data)
    return Verdict("own", "own", nonnegative(own, strict=strict), status, holds, evidence, **given)  # type: ignore[arg-type]


def positive(data: Data = SIGNS, holds: bool | None = True, **parts: Any) -> Verdict:
    """Return a verdict that w*TP is positive under a condition."""
    given = {"condition": "w > 0", "witness": at(w=0)} | parts
    present = {name: part for name, part in given.items() if part is not None}
    return threshold("w*TP", LINE, "1*w*TP", data, "conditional", holds, **present)


def somewhere(data: Data = BOTH_ZERO, holds: bool | None = True, **parts: Any) -> Verdict:
    """Return a verdict that w*TP + v*FN is positive under a condition."""
    given = {"condition": "w != 0 or v != 0", "witness": at(w=0, v=0)} | parts
    present = {name: part for name, part in given.items() if part is not None}
    return threshold("w*TP + v*FN", BOTH, "1*w*TP + 1*v*FN", data, "conditional", holds, **present)


def everywhere(data: Data, declared: str = UNIT, **parts: Any) -> Verdict:
    """Return a verdict that w*TP is nowhere negative."""
    return threshold("w*TP", declared, "1*w*TP", data, strict=False, **parts)


NEGATIVE = ({"r": {"kind": "log", "base": "TP"}}, ("r",))
TRUE = {
    "where one parameter is positive": positive(),
    "where one of two is positive": somewhere(),
    "nowhere negative": everywhere({}),
    "nowhere negative by intervals": everywhere(intervals(("0", "0", None), ("0", "1", None), ("1", "1", None))),
    "nowhere negative between open ends": everywhere(intervals(("0", "1", None)), "w in (0, 1)"),
    "a root that all terms share": threshold(
        "w*sqrt(TP)",
        UNIT,
        "1*w*r**(1/2)",
        {},
        strict=False,
        atoms={"r": {"kind": "power", "base": "TP"}},
        values=("r**(1/2)",),
    ),
}
FALSE = {
    # log(TP) + TP is negative where TP is small
    "roots, logarithms or pi are left in the numerator": threshold(
        "w*log(TP) + w*TP", UNIT, "1*w*r + 1*w*TP", {}, strict=False, atoms=NEGATIVE[0], values=NEGATIVE[1]
    ),
    "roots, logarithms or pi are left in the numerator ": threshold(
        "w*TP - w*pi", UNIT, "1*w*TP + (-1)*w*pi", {}, strict=False
    ),
    "a factor may be negative": threshold(
        "w*log(TP)", UNIT, "1*w*r", {}, strict=False, atoms=NEGATIVE[0], values=NEGATIVE[1]
    ),
    "a coefficient may be negative": everywhere({}, LINE),
    "a coefficient may be negative ": threshold("w*TP", LINE, "1*w*TP", LEFT_OUT),
    "the coefficients give another verdict": threshold("w*TP + v*FN", BOTH, "1*w*TP + 1*v*FN", BOTH_ZERO),
    # at w = 1/2 the formula is nowhere negative where it is real
    "the formula may have no value at the tables at which the numerator is negative": threshold(
        "(TP - FN + w*TP)*sqrt((TP - FN)**3)/sqrt(TP - FN)**3",
        LINE,
        "1*TP + (-1)*FN + 1*w*TP",
        intervals(("-1", "-1", {"FN": 1}), ("-1", "1", {"FN": 1}), ("1", "1", {"FN": 1})),
        "refuted",
        False,
        strict=False,
        atoms={"r": {"kind": "power", "base": "TP-FN"}},
        values=("r**(3/2)", "r**(-3/2)"),
        witness=Witness((Counts(2, 1, 1, 1),), (Integer(-1),), {"w": Integer(-1)}),
    ),
    "no example shows that the condition can be met": somewhere(BOTH_ZERO | {"examples": [{"w": "0", "v": "1"}]}),
    "no example shows that the condition can be met ": somewhere(BOTH_ZERO | {"examples": []}),
    "the condition leaves out a solution": threshold(
        "w*TP + v*FN", BOTH, "1*w*TP + 1*v*FN", BOTH_ZERO | {"zero": "never"}
    ),
    # the condition of several parameters
    "there is no counterexample where the condition fails": somewhere(witness=None),
    "the condition is another one": somewhere(condition="w != 0"),
    "the condition is another one ": somewhere(condition=None),
    "the value at the defaults is wrong": somewhere(holds=False),
    "the value at the defaults is wrong ": positive(holds=None),
    "the counterexample is not at the default parameters": threshold(
        "w*TP",
        "w in [-1, 1] = 0",
        "1*w*TP",
        SIGNS,
        "conditional",
        False,
        condition="w > 0",
        witness=Witness((Counts(1, 1, 1, 1),), (Rational(-1, 2),), {"w": Rational(-1, 2)}),
    ),
    # the intervals of one parameter
    "there is no condition": positive(condition=None),
    "the condition compares with something else": positive(condition="w > 1/4"),
    "the condition differs from what was found on an interval": positive(condition="w >= 0"),
    "a coefficient changes its sign": everywhere(intervals(("-1", "1", None)), "w in (-1, 1)"),
    "a coefficient changes its sign ": threshold(
        "(4*w**2 - 2*w)*TP",
        "w in (-1, 1/2)",
        "4*w**2*TP + (-2)*w*TP",
        intervals(("-1", "1/2", None)),
        strict=False,
    ),
    "a coefficient is negative": everywhere(
        intervals(("-1", "-1", None), ("-1", "0", None), ("0", "0", None), ("0", "1", None), ("1", "1", None)), LINE
    ),
    "all coefficients are zero": positive(
        intervals(("-1", "-1", {}), ("-1", "0", {}), ("0", "0", None), ("0", "1", None), ("1", "1", None)),
        condition="w >= 0",
    ),
    "not all coefficients are zero": positive(
        intervals(("-1", "-1", {}), ("-1", "0", {}), ("0", "0", ZERO), ("0", "1", ZERO), ("1", "1", None)),
        condition="w = 1",
    ),
    "no negative term dominates": positive(
        intervals(("-1", "-1", {}), ("-1", "0", {}), ("0", "0", ZERO), ("0", "1", {"TP": 1}), ("1", "1", None)),
        condition="w = 1",
    ),
    "a direction names something that there is not": positive(
        intervals(("-1", "-1", {"nothing": 1}), ("-1", "0", {}), ("0", "0", ZERO), ("0", "1", None), ("1", "1", None))
    ),
    "the intervals are not the whole domain": everywhere(
        intervals(("0", "0", None), ("0", "1", None), ("1", "1", None)), LINE
    ),
    "a point is outside the domain": everywhere(
        intervals(("0", "0", None), ("0", "1", None), ("1", "1", None)), "w in (0, 1]"
    ),
    "the intervals leave a gap": everywhere(
        intervals(("-1", "-1", None), ("0", "0", None), ("0", "1", None), ("1", "1", None)), LINE
    ),
    "the intervals leave out a point": everywhere(intervals(("0", "1", None), ("1", "1", None))),
    "the intervals leave out a point ": everywhere(
        intervals(("0", "0", None), ("0", "1/2", None), ("1/2", "1", None), ("1", "1", None))
    ),
}


@in_one_test
@pytest.mark.parametrize("name", TRUE)
def test_true_thresholds_are_accepted(name: str) -> None:
    check(TRUE[name])


@in_one_test
@pytest.mark.parametrize("reason", FALSE)
def test_false_thresholds_are_refused(reason: str) -> None:
    assert refusal(check, FALSE[reason]) == reason.strip()


def arithmetic() -> Arithmetic:
    return Arithmetic(("TP", "FN"), [Parameter.parse("w in [-1, 1]"), Parameter.parse("v in [-1, 1]")], {}, ())


@in_one_test
@pytest.mark.parametrize("weight", [0.5, 1.0, True, "1", None])
def test_a_direction_is_one_of_whole_numbers(weight: object) -> None:
    assert _weights({"TP": 1, "FN": -2}, arithmetic()) == [1, -2, 0, 0, 0]
    assert refusal(_weights, {"TP": weight}, arithmetic()) == "a direction is not one of whole numbers"


@in_one_test
@pytest.mark.parametrize(
    ("condition", "denominator", "reason"),
    [
        ("w = v", "1 + w*v", None),
        ("w = v", "w", None),
        ("w = v", "w - v", "the condition makes a denominator vanish"),
        ("w = 1 and v = 1", "w - v**2", "the condition makes a denominator vanish"),
        ("w = sqrt(2)/2 and v = sqrt(2)/2", "2*w*v - 1", "the condition makes a denominator vanish"),
        ("w = -v", "1", "the condition does not make the difference vanish"),
        ("w*v = 1", "1", "a condition is not solved for a parameter"),
    ],
)
def test_a_condition_makes_the_difference_vanish_and_no_denominator(
    condition: str, denominator: str, reason: str | None
) -> None:
    names = ["w", "v"]
    own = arithmetic()
    polys = [own.evaluate(parse_formula(text, names)).top for text in ("w - v", denominator)]
    assert refusal(check_sufficient, parse_condition(condition, names), polys, own) == reason
