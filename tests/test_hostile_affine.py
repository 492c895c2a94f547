"""Affine functions: each kind of false number, table and equation is refused, also where a parameter is free."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from effort import in_one_test
from forging import found_of, refusal, restated
from sympy import Eq, Rational, Symbol

from symmetrics.checker import check
from symmetrics.claims import Affine, Identity, value_symbol
from symmetrics.claims.evidence import Decision, Evidence
from symmetrics.claims.verdict import Verdict
from symmetrics.claims.witness import Counts, Witness
from symmetrics.language.cells import CELLS
from symmetrics.language.formula import parse_formula
from symmetrics.language.parameter import Parameter
from symmetrics.prover import decide

TPR, TNR, PPV = "TP/(TP + FN)", "TN/(TN + FP)", "TP/(TP + FP)"
W, TO_THREE = Parameter("w", 0, 1), Parameter("w", 0, 3)
ZERO = "sqrt(5 + 2*sqrt(6)) - sqrt(2) - sqrt(3)"
"""Zero, which neither exact simplification nor intervals tell from a number close to it."""
OPEN = {"status": "open", "certificate": {"kind": "open", "reason": "hard"}}
THREE = [(1, 1, 1, 1), (2, 1, 1, 1), (3, 1, 2, 1)]
Table = Sequence[Any]


def affine(subject: str, partner: str, *parameters: Parameter) -> Affine:
    names = [p.name for p in parameters]
    return Affine(parse_formula(subject, names), parameters, parse_formula(partner, names))


def witness_of(claim: Affine, tables: Sequence[Table], **values: Any) -> Witness:
    """Return the true values of both formulas at some tables."""
    place = {p.symbol: Rational(values[p.name]) for p in claim.parameters}
    found = [
        formula.xreplace(dict(zip(CELLS, map(Rational, table), strict=True)) | place)
        for formula in (claim.subject, claim.partner)
        for table in tables
    ]
    bound = {name: Rational(value) for name, value in values.items()}
    return Witness(tuple(Counts(*table) for table in (*tables, *tables)), tuple(found), bound)


def off_line(claim: Affine, tables: Sequence[Table] = THREE, **values: Any) -> Verdict:
    """Return the verdict that tables are on no line."""
    witness = witness_of(claim, tables, **values)
    return Verdict("own", "own", claim, "refuted", False, Evidence("determinant"), witness=witness)


def equation_of(claim: Affine, a: str, b: str) -> Decision:
    """Return what the prover says of the equation with some numbers."""
    names = [p.name for p in claim.parameters]
    left, right = (parse_formula(number, names) for number in (a, b))
    first, second = value_symbol(0), value_symbol(1)
    relation, partner = first - second, left * claim.partner + right
    if not claim.parameters:
        relation, partner = first - left * second - right, claim.partner
    stated = Identity(claim.subject, claim.parameters, (CELLS, CELLS), (), relation, partner)
    return decide(stated, metric="", property="").decision


def function(
    claim: Affine, a: str, b: str, value: str, witness: Witness | None = None, *, tables: Sequence[Table] = ()
) -> Verdict:
    """Return the verdict that an equation proves, with the status of the equation."""
    found = equation_of(claim, a, b)
    data: dict[str, Any] = {"a": a, "b": b, "part": found.record()}
    if tables:
        data["tables"] = [[str(count) for count in table] for table in tables]
    evidence = Evidence("affine function", data)
    stated = found_of(value, claim)
    return Verdict("own", "own", claim, found.status, found.holds, evidence, found.condition, witness, stated)


def proved() -> Verdict:
    return function(affine(f"2*{TPR} + 1", TPR), "2", "1", "M = 2*partner + 1")


OFF = affine(f"w*{PPV} + {TPR}", TPR, W)
"""What is an affine function at w = 0 alone."""
AT_HALF, AGAIN = [(1, 1, 1, 1), (1, 2, 1, 1)], [(1, 1, 1, 1), (1, 2, 2, 1)]
"""Two tables with the same precision 1/2 and other recalls, and two with FN = FP."""
APART = "(FN - FP)/(FN + FP)"
ODD_ZERO, OTHER_ZERO = "((w + 1)**2 - w**2 - 2*w - TP)", "((w - 1)*(w + 1) - w**2 + TP)"
"""1 - TP and TP - 1, which are zero in every w where TP = 1, and do not look so."""


def conditional(claim: Affine = OFF, a: str = "1", b: str = "w/2", **more: Any) -> Verdict:
    """Return a verdict that an equation proves for some w alone, which is true unless something else is given."""
    value = {"tables": AT_HALF, "value": f"M = partner + {b}", "w": Rational(1, 2)} | more
    witness = witness_of(claim, [(2, 1, 1, 1), (2, 3, 1, 3), (2, 1, 2, 1)], w=value["w"])
    return function(claim, a, b, value["value"], witness, tables=value["tables"])


TRUE = {
    "an equation": proved,
    "an equation for some parameters": conditional,
    "three tables on no line": lambda: off_line(affine(PPV, TPR)),
    "two tables at which the other one is the same": lambda: off_line(affine(TPR, "3"), THREE[:2]),
}
FALSE = {
    "a formula has a symbol that is not declared": lambda: replace(
        proved(), claim=Affine(Symbol("w", real=True) * CELLS[0], (), CELLS[0])
    ),
    "there is no equation": lambda: restated(off_line(affine(PPV, TPR)), "M = partner"),
    "an open verdict has no counterexample": lambda: replace(
        off_line(affine(PPV, TPR)), status="open", holds=None, evidence=Evidence("open", {"reason": "hard"})
    ),
    "three tables do not settle every parameter": lambda: off_line(OFF, w=1),
    "the counterexample has other parameters": lambda: counterexample(conditional(), parameters={}),
    "the counterexample has other parameters ": lambda: counterexample(
        off_line(affine(PPV, TPR)), parameters={"w": Rational(1, 2)}
    ),
    "a parameter is outside its domain": lambda: conditional(w=2),
    "a table is missing": lambda: off_line(affine(PPV, TPR), THREE[:1]),
    "a table is missing ": lambda: off_line(affine(PPV, TPR), [*THREE, (1, 2, 3, 4)]),
    "the two formulas are taken at different tables": lambda: swapped(off_line(affine(PPV, TPR))),
    "a count is not a positive number ": lambda: conditional(tables=[(1, 1, 1, 1), (1, -3, 1, 1)]),
    "a count is not a positive number": lambda: off_line(
        affine("Abs(TP)", "TP"), [(-1, 1, 1, 1), (1, 1, 1, 1), (2, 1, 1, 1)]
    ),
    "a count is not a positive number  ": lambda: off_line(
        affine("Max(TP, 1/2)", "TP"), [(0, 1, 1, 1), (1, 1, 1, 1), (2, 1, 1, 1)]
    ),
    "a formula may have no value at (1, 1, 1, 1)": lambda: counterexample(
        replace(off_line(affine(PPV, TPR)), claim=affine("1/(TP - FN)", TPR))
    ),
    "the value at (2, 1, 1, 1) is not 1/3": lambda: counterexample(
        off_line(affine(TPR, TPR)), values=tuple(map(parse_formula, ("1/2", "1/3", "3/4", "1/2", "2/3", "3/4")))
    ),
    "the other formula differs between the two tables": lambda: off_line(affine(f"2*{TPR}", TPR), THREE[:2]),
    "the two values may be the same": lambda: off_line(affine(f"({ZERO})*{TPR}", "3"), THREE[:2]),
    "the three tables may lie on a line": lambda: off_line(affine(f"2*{TPR}", TPR)),
    "the three tables may lie on a line ": lambda: off_line(affine(f"({ZERO})*{PPV}", TPR)),
    "a parameter has the name of a formula in the equation": lambda: function(
        affine(f"partner*{TPR}", TPR, Parameter("partner", 1, 2)), "partner", "0", "M = partner**2"
    ),
    "a number of the equation depends on the counts": lambda: function(
        affine(f"w*({TPR})**2", TPR, W), f"w*{TPR}", "0", f"M = partner*w*{TPR}"
    ),
    # At w = 1 the other formula is zero and M is not, and the equation says nothing.
    "a value that is stated may not exist": lambda: function(
        affine(f"w*{TPR}", f"(1 - w)*{TPR}", W), "w/(1 - w)", "0", "M = partner*w/(1 - w)"
    ),
    "the condition is not that of the equation": lambda: replace(conditional(), condition=Eq(W.symbol, 1)),
    "there is no counterexample where the condition fails": lambda: replace(conditional(), witness=None),
    "the verdict on the equation is another one": lambda: replace(
        conditional(affine(f"w*{TPR} + w*(w - 1)*{APART}", TPR, W), b="0"),
        status="proved",
        holds=True,
        condition=None,
        witness=None,
    ),
    "the equation is another one than the verdict says": lambda: restated(proved(), "M = partner"),
    # It is an affine function at w = 0 too, with a = 0, and so at every table with FN = FP for all w, with a = w.
    "the tables ask for another number a": lambda: conditional(
        affine(f"w*{TPR} + w*(w - 1)*{APART}", TPR, W), b="0", value="M = partner", tables=AGAIN
    ),
    # At w = 0 too, with b = 0.
    "the tables ask for another number b": lambda: conditional(
        affine(f"{TPR} + w + w*(w - 1)*{APART}", TPR, W), b="1", tables=AGAIN
    ),
    "the numbers of the equation are not the only ones ": lambda: conditional(tables=AT_HALF[:1]),
    # At w = 0 too, with a = 2: there the two tables have the same value of the other formula.
    "the numbers of the equation are not the only ones": lambda: conditional(
        affine(f"w*{TPR} + (1 - w)*(2*{PPV} - 1/2)", f"w*{TPR} + (1 - w)*{PPV}", W), b="0", value="M = partner"
    ),
    # The quotient is TP, and has no value where w = TP.
    "a formula may have no value at a table": lambda: conditional(
        affine(f"{TPR} + w*(w*TP - TP**2)/(w - TP)/(TP + FP)", TPR, W)
    ),
    # At w = 1 too, with a = -1: the quotient is -1, and has no value at the two tables, where it is said to be 0.
    "a formula may have no value at a table ": lambda: conditional(
        affine(f"w**2*{ODD_ZERO}/{OTHER_ZERO}*{TPR} + w*(w - 1)*{APART}", TPR, TO_THREE),
        "0",
        "0",
        value="M = 0",
        tables=AGAIN,
        w=2,
    ),
}


def counterexample(verdict: Verdict, **changes: Any) -> Verdict:
    """Return a verdict with another counterexample."""
    assert verdict.witness is not None
    return replace(verdict, witness=replace(verdict.witness, **changes))


def swapped(verdict: Verdict) -> Verdict:
    """Return a verdict with the two formulas at the same tables in another order."""
    assert verdict.witness is not None
    first, second, third = verdict.witness.tables[:3]
    return counterexample(verdict, tables=(first, second, third, second, first, third))


@in_one_test
@pytest.mark.parametrize("name", TRUE)
def test_true_evidence_is_accepted(name: str) -> None:
    check(TRUE[name]())


@in_one_test
@pytest.mark.parametrize("reason", FALSE)
def test_false_evidence_is_refused(reason: str) -> None:
    assert refusal(check, FALSE[reason]()) == reason.strip()
