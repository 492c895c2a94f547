"""Evidence made up to be accepted for what is false where something is divided by what is zero on an open set."""

from __future__ import annotations

from typing import Any

import pytest
from effort import in_one_test
from forging import found_of, reworded
from test_hostile import is_accepted, metric

import symmetrics as sm
from symmetrics.checker.engine.coefficients import is_nearly_nowhere_zero
from symmetrics.checker.engine.fractions import Arithmetic
from symmetrics.claims.evidence import Evidence
from symmetrics.claims.values import Limit
from symmetrics.claims.verdict import Verdict
from symmetrics.language.cells import CELLS
from symmetrics.language.formula import parse_formula
from symmetrics.language.parameter import Parameter

ATOMS = {"r": {"kind": "power", "base": "TP-TN"}, "s": {"kind": "power", "base": "FN-FP"}}
"""With both relations r = |TP - TN| and s = |FN - FP|."""


# -- the values of roots ---------------------------------------------------------------------------------------------


@in_one_test
@pytest.mark.parametrize(
    ("text", "atoms", "expected"),
    [
        ("TP - TN", {}, True),
        ("r - TP + TN", ATOMS, False),
        ("r + TP - TN", ATOMS, False),
        ("r - TP - TN", ATOMS, True),
        ("r*s - TP + TN", ATOMS, True),
        ("(r - TP + TN)*s", ATOMS, False),
        ("r**(1/2) - TP", {"r": {"kind": "power", "base": "TP**2"}}, False),
        ("r**(1/2) + TP", {"r": {"kind": "power", "base": "TP**2"}}, True),
        ("r**(1/2) - TP", {"r": {"kind": "power", "base": "TP*FN"}}, True),
        ("r**(1/2) - q**(1/2)", {"r": {"kind": "power", "base": "TP"}, "q": {"kind": "power", "base": "TP"}}, False),
        ("r**(3/2) - TP + TN", ATOMS, True),
        ("K - 2*L", {"K": {"kind": "log", "base": "4"}, "L": {"kind": "log", "base": "2"}}, False),
        ("K - L", {"K": {"kind": "log", "base": "4"}, "L": {"kind": "log", "base": "2"}}, True),
        ("K - 2*L", {"K": {"kind": "log", "base": "TP**2"}, "L": {"kind": "log", "base": "TP"}}, False),
        ("K - 3*L", {"K": {"kind": "log", "base": "TP**2"}, "L": {"kind": "log", "base": "TP"}}, True),
        ("L", {"L": {"kind": "log", "base": "1"}}, False),
        ("L", {"L": {"kind": "log", "base": "0-1"}}, False),
        ("L", {"L": {"kind": "log", "base": "TP - FN"}}, True),
        ("L - TP", {"L": {"kind": "log", "base": "TP - FN"}}, False),
        ("w*r - TP + TN", ATOMS, True),
        ("w*TP - w*TN", {}, True),
    ],
)
def test_a_polynomial_that_is_said_to_be_nearly_nowhere_zero_is(text, atoms, expected):
    """Some that are nowhere zero are not seen to be: a root of odd degree, or a logarithm of what has two signs."""
    arithmetic = Arithmetic([cell.name for cell in CELLS], (Parameter.parse("w in [0, 2]"),), atoms, [text])
    (value,) = arithmetic.values
    assert is_nearly_nowhere_zero(value.top, arithmetic) is expected


# -- where a formula has no value ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("sqrt(TP - FN) + (TP - w*FN)*TN", "1/2"),
        ("log(TP - FN) + (TP - w*FN)*TN", "1"),
        ("(TP - w*FN)*TN + 1/(TP - FN + sqrt(TP**2 - 2*TP*FN + FN**2))", "1"),
        ("(TP - w*FN)*TN + 1/(TP - FN + Abs(TP - FN))", "1"),
    ],
)
def test_a_part_that_does_not_change_still_says_where_the_formula_has_a_value(text, holds):
    """There TP > FN, so that more TN is better for more weights than those that make every term positive."""
    own = metric(text, "w in [0, 2] = 2")
    found = sm.prove(own, "increasing_tn")
    value = parse_formula(holds)
    if found.condition is not None:
        assert bool(found.condition.subs({own.parameters[0].symbol: value}))
    assert found.status != "refuted"


CANCELLED = "(w - 1)/(w - 1 + (TP - 1)**2)*(TP*TN/FP + FN**2 + TN + FP)"
"""It is zero for w = 1 and TP > 1; where TP = 1 there is no w in the fraction in lowest terms."""


@pytest.mark.parametrize("key", ["decomposable", "translation_space", "scaling_space", "symmetry_group"])
def test_a_table_at_which_parameters_cancel_stands_for_no_other(key):
    """For w = 1 the formula is zero, which is a ratio, and does not change along any direction or permutation."""
    own = metric(CANCELLED, "w in [1, 2]")
    tables = [[1, 1 + 7 * place**2 % 11, 2 + 5 * place % 9, 1 + place] for place in range(8)]
    claim = sm.properties[key].claim(own)
    columns = list(range(4))
    minors: list[Any] = [tables] if key == "decomposable" else []
    if key.endswith("space"):
        minors = [{"tables": tables[start : start + 4], "columns": columns} for start in range(4)]
    kind, data = ("symmetries", {"tables": tables, "parts": {}, "exceptions": {}})
    value = "M: identity"
    if minors:
        kind, data, value = "minors", {"minors": minors}, None if key == "decomposable" else "{0}"
    assert not is_accepted(
        Verdict("own", key, claim, "refuted", False, Evidence(kind, data), found=found_of(value, claim))
    )


@pytest.mark.thorough
@pytest.mark.parametrize("key", ["decomposable", "translation_space", "scaling_space", "symmetry_group"])
def test_a_table_at_which_parameters_cancel_refutes_nothing(key):
    assert sm.prove(metric(CANCELLED, "w in [1, 2]"), key).status != "refuted"


def test_a_bound_is_reached_at_a_table_with_zero_cells_for_all_parameters():
    """For w = 1 the formula has no value where FP = TN = 0."""
    own = metric("TP/(TP + FN)*(w - 1 + FP)/(w - 1 + FP + TN)", "w in [1, 2]")
    data = sm.prove(own, "range").certificate()
    assert data["certificate"]["upper"]["corner"] == ["1", "0", "1", "0"]
    sm.check(reworded(data), own)
    data["certificate"]["upper"]["corner"] = ["1", "0", "0", "0"]
    with pytest.raises(sm.CertificateError, match="in the way"):
        sm.check(reworded(data), own)


@pytest.mark.parametrize(
    ("text", "accepted"),
    [
        ("TP + w*TN/(TN + FN)", True),
        ("TP + w*log(TP - TN)", False),
        ("TP + w*sqrt(TP - TN)", False),
        ("TP + w/(TP - TN)", False),
    ],
)
def test_what_a_single_value_of_a_parameter_cancels_is_still_in_the_way(text, accepted):
    """For w = 0 there is TP left, but the formula has a value where what is multiplied by w has one."""
    own = metric(text, "w in [0, 0]")
    part = {"status": "proved", "holds": True, "value": Limit("TP").to_dict(), "certificate": {"kind": "limit"}}
    evidence = Evidence("cases", {"tree": {"parameter": "w", "pieces": {"0": {"proof": part}}}})
    claim = sm.properties["tn_limit"].claim(own)
    assert (
        is_accepted(
            Verdict("own", "tn_limit", claim, "proved", True, evidence, found=found_of("TP", claim, by_cases=True))
        )
        is accepted
    )
