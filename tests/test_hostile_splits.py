"""The tree of splits behind a condition on parameters: true ones are walked, and each kind of false step is refused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from effort import in_one_test
from sympy import Rational, sqrt

from symmetrics.checker.engine.fractions import Arithmetic
from symmetrics.checker.engine.splits import Branch, walk
from symmetrics.language.formula import parse_formula
from symmetrics.language.parameter import Parameter
from symmetrics.tools.errors import CertificateError

HOLDS = {"leaf": "holds"}
LINES = ("w - v", "w + v - 1")
"""Two equations that have one solution, w = v = 1/2."""


def walked(tree: Mapping[str, Any], equations: Sequence[str], divisors: Sequence[str] = ()) -> list[Branch]:
    """Walk a tree for equations between w in [0, 1], v in [0, 1] and u in (0, 1)."""
    parameters = [
        Parameter("w", 0, 1),
        Parameter("v", 0, 1),
        Parameter("u", 0, 1, lower_open=True, upper_open=True),
    ]
    arithmetic = Arithmetic(("TP",), parameters, {}, ())
    names = [p.name for p in parameters]
    polys = [arithmetic.evaluate(parse_formula(text, names)).top for text in equations]
    return walk(tree, polys, [parse_formula(text, names) for text in divisors], arithmetic)


def split(text: str, *children: Mapping[str, Any]) -> dict[str, Any]:
    return {"split": text, "children": children}


def put(factor: str, name: str, to: str, then: Mapping[str, Any]) -> dict[str, Any]:
    return {"factor": factor, "set": name, "to": to, "then": then}


def cases(factor: str, coefficient: str, zero: Mapping[str, Any], nonzero: Mapping[str, Any]) -> dict[str, Any]:
    return {"factor": factor, "coefficient": coefficient, "zero": zero, "nonzero": nonzero}


def rooted(factor: str, *roots: str, leaf: str = "holds") -> dict[str, Any]:
    return {"factor": factor, "roots": roots, "then": [{"leaf": leaf} for _ in roots]}


BOTH = split("w - v", put("w - v", "w", "v", split("2*v - 1", put("2*v - 1", "v", "1/2", HOLDS))))
TRUE = {
    "two lines": (BOTH, LINES, (), [{"w": Rational(1, 2), "v": Rational(1, 2)}]),
    "a root of a number": (
        split("2*w**2 - 1", rooted("2*w**2 - 1", "sqrt(2)/2")),
        ["2*w**2 - 1"],
        (),
        [{"w": sqrt(2) / 2}],
    ),
    "no root where the ends do not belong to the domain": (
        split("u**2 - u", {"factor": "u**2 - u", "leaf": "no root in the domain"}),
        ["u**2 - u"],
        (),
        [],
    ),
    "a product": (
        split("w*v", put("w", "w", "0", HOLDS), put("v", "v", "0", HOLDS)),
        ["w*v"],
        (),
        [{"w": 0}, {"v": 0}],
    ),
    "terms of one sign": (
        split(
            "w + v",
            {
                "factor": "w + v",
                "terms": True,
                "then": split("w", put("w", "w", "0", split("v", put("v", "v", "0", HOLDS)))),
            },
        ),
        ["w + v"],
        (),
        [{"w": 0, "v": 0}],
    ),
    "a coefficient that may vanish": (
        split(
            "v*w - v",
            cases("v*w - v", "v", split("v", put("v", "v", "0", HOLDS)), {"set": "w", "to": "1", "then": HOLDS}),
        ),
        ["v*w - v"],
        (),
        [{"v": 0}, {"w": 1}],
    ),
    "impossible": (split("w - v", put("w - v", "w", "v", {"leaf": "impossible"})), ["w - v", "w - v - 1"], (), []),
    "outside": (split("w - 2", put("w - 2", "w", "2", {"leaf": "outside the domain"})), ["w - 2"], (), []),
    "undefined": (split("w - 1", put("w - 1", "w", "1", {"leaf": "undefined"})), ["w - 1"], ["v - v*w"], []),
}

FALSE = {
    "an equation does not vanish where": (split("w - v", put("w - v", "w", "v", HOLDS)), LINES),
    "a split is not of an equation": (split("w - 2*v", put("w - 2*v", "w", "2*v", HOLDS)), LINES),
    "a split is not of an equation ": (split("0", {"factor": "0", "leaf": "covered"}), LINES),
    "the factors of a split leave something out": (split("w*v", put("w", "w", "0", HOLDS)), ["w*v"]),
    "the factors of a split leave something out ": (
        split("w*v", put("w", "w", "0", HOLDS), put("2", "w", "0", HOLDS)),
        ["w*v"],
    ),
    "an equation called impossible is not": (split("w - v", put("w - v", "w", "v", {"leaf": "impossible"})), LINES),
    "a case called covered is not": (split("w - v", put("w - v", "w", "v", {"leaf": "covered"})), ["w - v"]),
    "a case called covered is not ": (split("w - v", {"factor": "w - v", "leaf": "covered"}), ["w - v"]),
    "a case called undefined is defined": (split("w - 1", put("w - 1", "w", "1", {"leaf": "undefined"})), ["w - 1"]),
    "outside the domain is inside": (split("w - 1", put("w - 1", "w", "1", {"leaf": "outside the domain"})), ["w - 1"]),
    "outside the domain is inside ": (
        split("w - v", put("w - v", "w", "v", {"leaf": "outside the domain"})),
        ["w - v"],
    ),
    "a factor has a root in the domain": (
        split("w**2 - w", {"factor": "w**2 - w", "leaf": "no root in the domain"}),
        ["w**2 - w"],
    ),
    "a factor with several parameters": (
        split("w - v", {"factor": "w - v", "leaf": "no root in the domain"}),
        ["w - v"],
    ),
    "unknown leaf": (split("w - v", put("w - v", "w", "v", {"leaf": "hold"})), ["w - v"]),
    "terms may cancel": (
        split("w - v", {"factor": "w - v", "terms": True, "then": split("w", put("w", "w", "0", HOLDS))}),
        ["w - v"],
    ),
    "its coefficient may vanish": (split("v*w - v", put("v*w - v", "w", "1", HOLDS)), ["v*w - v"]),
    "a factor is not linear in w": (
        split("w**2 - v", cases("w**2 - v", "w", HOLDS, {"set": "w", "to": "v", "then": HOLDS})),
        ["w**2 - v"],
    ),
    "w is set to a wrong value": (split("w - v", put("w - v", "w", "v/2", HOLDS)), ["w - v"]),
    "roots are missing": (split("w**2 - w", rooted("w**2 - w", "0")), ["w**2 - w"]),
    "roots are missing ": (split("4*u**2 - 1", rooted("4*u**2 - 1", "1/2", "-1/2")), ["4*u**2 - 1"]),
    "does not vanish at a root": (split("w**2 - w", rooted("w**2 - w", "0", "1")), ["w**2 - w", "w**2 - 1/4"]),
    "a root occurs twice": (split("w**2 - w", rooted("w**2 - w", "1", "1")), ["w**2 - w"]),
    "a root is wrong": (split("2*w**2 - 1", rooted("2*w**2 - 1", "1/2")), ["2*w**2 - 1"]),
    "a root is outside the domain": (split("2*w**2 - 1", rooted("2*w**2 - 1", "-sqrt(2)/2")), ["2*w**2 - 1"]),
    "an equation is not a polynomial": (split("1/w", {"factor": "1/w", "leaf": "covered"}), ["w - v"]),
    "an unreadable formula": (split("w -", put("w - v", "w", "v", HOLDS)), ["w - v"]),
}


@in_one_test
@pytest.mark.parametrize("name", TRUE)
def test_a_true_tree_leads_to_the_solutions(name: str) -> None:
    tree, equations, divisors, expected = TRUE[name]
    found = [
        {symbol.name: value for symbol, value in branch.values.items()} for branch in walked(tree, equations, divisors)
    ]
    assert found == expected


@in_one_test
@pytest.mark.parametrize("reason", FALSE)
def test_a_false_step_is_refused(reason: str) -> None:
    tree, equations = FALSE[reason]
    with pytest.raises(CertificateError, match=reason.strip()):
        walked(tree, equations)
