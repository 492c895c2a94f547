"""Inequalities with parameters: true thresholds are accepted, and each kind of false step to one is refused."""

from __future__ import annotations

import pytest
from effort import in_one_test
from forging import refusal

from symmetrics.checker.engine.conditions import check_sufficient
from symmetrics.checker.engine.fractions import Arithmetic
from symmetrics.checker.families.inequalities import _weights
from symmetrics.language.condition import parse_condition
from symmetrics.language.formula import parse_formula
from symmetrics.language.parameter import Parameter


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
