"""Evidence made up to be accepted for what is false: coefficients of atoms that are not free of each other."""

from __future__ import annotations

from typing import Any

import pytest
from effort import in_one_test
from sympy import Integer
from test_hostile import is_accepted, metric

import symmetrics as sm
from symmetrics.checker.engine.written import written_value
from symmetrics.claims import Identity, value_symbol
from symmetrics.claims.verdict import Counts, Evidence, Verdict, Witness
from symmetrics.language.cells import CELLS

IMPOSSIBLE = {"leaf": "impossible"}
TABLE = (1, 2, 3, 5)


def never_zero(own: sm.Metric, data: dict[str, Any]) -> Verdict:
    """Return the verdict that a formula is zero at all tables for no parameter, with evidence made by hand."""
    (parameter,) = own.parameters
    place = dict(zip(CELLS, map(Integer, TABLE), strict=True)) | {parameter.symbol: parameter.upper}
    witness = Witness((Counts(*TABLE),), (written_value(own.expr, place),), {parameter.name: parameter.upper})
    claim = Identity(own.expr, own.parameters, (CELLS,), (), value_symbol(0))
    evidence = Evidence("conditions", {"examples": []} | data)
    return Verdict("own", "own", claim, "refuted", False, evidence, witness=witness)


def power(base: str) -> dict[str, str]:
    return {"kind": "power", "base": base}


def log(base: str) -> dict[str, str]:
    return {"kind": "log", "base": base}


@in_one_test
@pytest.mark.parametrize(
    ("text", "atoms", "values"),
    [
        # A product of two bases is the base of a third root.
        (
            "w*sqrt(TP**2 + TP*FN) - sqrt(TP)*sqrt(TP + FN)",
            {"r": power("TP"), "s": power("TP+FN"), "t": power("TP**2+TP*FN")},
            ["t**(1/2)", "r**(1/2)", "s**(1/2)"],
        ),
        (
            "w*log(TP**2 + TP*FN) - log(TP) - log(TP + FN)",
            {"r": log("TP"), "s": log("TP+FN"), "t": log("TP**2+TP*FN")},
            [
                "t",
                "r",
                "s",
            ],
        ),
        # The square root of a number that is a square, or a prime times one.
        (
            "w*sqrt(TP)*sqrt(8) - sqrt(2)*2*sqrt(TP)",
            {"r": power("8"), "s": power("2"), "q": power("TP")},
            [
                "s**(1/2)*2",
                "r**(1/2)",
                "s**(1/2)",
                "q**(1/2)",
            ],
        ),
        # Two atoms with one base, up to a number.
        (
            "sqrt(TP)*(TP + FN) - w*(TP**(3/2) + FN*sqrt(TP))",
            {"r": power("TP"), "s": power("TP")},
            ["r**(1/2)", "s**(3/2)"],
        ),
        (
            "sqrt(TP)*(TP + FN) - w*(TP**(3/2) + FN*sqrt(TP))",
            {"r": power("TP"), "s": power("4*TP")},
            ["r**(1/2)", "s**(3/2)/8"],
        ),
        # The root of a parameter; and one inside of another root.
        ("sqrt(w)*TP - TP", {"r": power("w")}, ["r**(1/2)"]),
        ("log(w)*TP", {"L": log("w")}, ["L"]),
        (
            "w*sqrt(TP + FN + 2*sqrt(TP)*sqrt(FN)) - sqrt(TP) - sqrt(FN)",
            {"r": power("TP"), "q": power("FN"), "s": power("TP+FN+2*r**(1/2)*q**(1/2)")},
            ["s**(1/2)", "r**(1/2)", "q**(1/2)"],
        ),
    ],
)
def test_coefficients_of_atoms_that_depend_on_each_other_may_be_anything(text, atoms, values):
    """At w = 1 each formula is zero."""
    own = metric(text, "w in [1/2, 2]")
    assert not is_accepted(never_zero(own, {"atoms": atoms, "values": values, "tree": IMPOSSIBLE}))


@pytest.mark.parametrize(
    ("text", "atoms"),
    [
        ("(w - sqrt(2))*TP", {"r": power("2")}),
        ("(w - pi)*TP", {}),
        ("(w - log(2))*TP", {"L": log("2")}),
        ("(w**2 - w*sqrt(2))*TP", {"r": power("2")}),
    ],
)
def test_a_parameter_may_be_an_irrational_number(text, atoms):
    own = metric(text, "w in [1/2, 4]")
    values = ["r**(1/2)"] if "r" in atoms else [*atoms]
    for tree in (IMPOSSIBLE, {"split": "w", "children": [{"factor": "w", "leaf": "no root in the domain"}]}):
        assert not is_accepted(never_zero(own, {"atoms": atoms, "values": values, "tree": tree}))


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("text", "bases"),
    [
        # One of both signs alone is real, or occurs.
        ("w*Abs(TP - FN) - TP + FN + sqrt(TP - FN)*(w - 1)", ["TP-FN"]),
        ("w*Abs(TP - FN) - TP + FN + log(TP - FN)*(w - 1)", ["TP-FN"]),
        # Both have the same sign: TP > FN where the other base is positive, which is all that is real.
        ("w*Abs(TP - FN) - TP + FN + (w - 1)*sqrt(TP - FN - TN)", ["TP-FN", "TP-FN-TN"]),
    ],
)
def test_absolute_values_are_taken_where_the_formula_is_real(text, bases):
    own = metric(text, "w in [0, 2]")
    atoms = {f"r{place}": power(base) for place, base in enumerate(bases)}
    last = f"r{len(bases) - 1}"
    values = ["r0" if len(bases) > 1 else "r0**(1/2)**2", f"{last}**(1/2)"]
    if "log" in text:
        atoms, values = {"r0": power(bases[0]), "L": log(bases[0])}, ["r0", "L"]
    elif len(bases) == 1:
        values = ["r0", "r0**(1/2)"]
    claim = Identity(own.expr, own.parameters, (CELLS,), (), value_symbol(0))
    place = dict(zip(CELLS, map(Integer, (9, 1, 1, 4)), strict=True)) | {own.parameters[0].symbol: Integer(2)}
    witness = Witness((Counts(9, 1, 1, 4),), (written_value(own.expr, place),), {"w": Integer(2)})
    data = {"atoms": atoms, "values": values, "tree": IMPOSSIBLE, "examples": []}
    assert not is_accepted(
        Verdict("own", "own", claim, "refuted", False, Evidence("conditions", data), witness=witness)
    )


def test_where_a_formula_is_real_may_depend_on_a_parameter():
    # At w = 2 it is real where TP >= FN, and the factor of FP is zero there; for w = 1 it is real everywhere.
    own = metric("((w - 1)*Abs(TP - FN) - TP + FN)*FP + sqrt(TP - (w - 1)*FN)", "w in [0, 2]")
    tp, fn, fp, tn = CELLS
    claim = Identity(own.expr, own.parameters, (CELLS, (tp, fn, tn, fp)), (), value_symbol(0) - value_symbol(1))
    tables = Counts(2, 1, 3, 5), Counts(2, 1, 5, 3)
    weight = own.parameters[0].symbol
    places = [dict(zip(CELLS, map(Integer, table), strict=True)) | {weight: Integer(0)} for table in tables]
    witness = Witness(tables, tuple(written_value(own.expr, place) for place in places), {"w": Integer(0)})
    atoms = {"r": power("TP-FN"), "s": power("TP-w*FN+FN")}
    data = {"atoms": atoms, "values": ["r", "s**(1/2)"], "tree": IMPOSSIBLE, "examples": []}
    assert not is_accepted(
        Verdict("own", "own", claim, "refuted", False, Evidence("conditions", data), witness=witness)
    )
