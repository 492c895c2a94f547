"""Where a formula has a value: conditions against values at all small tables, continuity, and verdicts."""

from __future__ import annotations

import itertools

import mpmath
import pytest
from effort import examples, in_one_test, some
from forging import refusal
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import Expr, Float, Function, I, Integer, Symbol, lambdify, log, nan, oo

import symmetrics as sm
from symmetrics.algebra.derivative import value_as_written, value_by_continuity
from symmetrics.checker import check
from symmetrics.claims import DefinedEverywhere
from symmetrics.claims.evidence import Evidence
from symmetrics.claims.verdict import Verdict
from symmetrics.language.cells import CELLS, FN, FP, TN, TP
from symmetrics.language.names import CELL_NAMES
from symmetrics.prover import decide
from symmetrics.tools.errors import FormulaError

TABLES = [table for table in itertools.product(range(3), repeat=4) if any(table)]
EXCLUDED = {"divisor": lambda base: base == 0, "radicand": lambda base: base < 0, "logarithm": lambda base: base <= 0}

NEGATIVE = [
    "Abs(sqrt(-FN))/(TP + FN)",
    "sqrt(-TP*FN) + TN",
    "TP/sqrt(-FN*TP)",
    "log(-FN)**2",
    "Abs(log(-FN - 1))",
    "sqrt(FP - FN)**2/(TP - TN)",
    "log(TP - 2*FN)**2 + sqrt(-FP)",
    "Max(FN, sqrt(-TP))",
]


def is_said_to_be_undefined(verdict: sm.Verdict, table: tuple[int, ...]) -> bool:
    """Whether one of the conditions of a verdict holds at a table."""
    place: dict[Symbol, Expr] = dict(zip(CELLS, map(Integer, table), strict=True))
    zero = {name for name, count in zip(CELL_NAMES, table, strict=True) if not count}
    if any(set(face.split()) <= zero for face in verdict.evidence.data["faces"]):
        return True
    for kind, text in verdict.evidence.data.get("poles", []):
        base = value_as_written(sm.parse_formula(text), place)
        if base is None or EXCLUDED[kind](base):
            return True
    return False


def agrees(metric: sm.Metric) -> None:
    verdict = sm.prove(metric, "defined")
    if verdict.status == "open":
        return
    for table in TABLES:
        value = value_as_written(metric.expr, dict(zip(CELLS, map(Integer, table), strict=True)))
        assert (value is None) == is_said_to_be_undefined(verdict, table), (table, value, verdict.value)


@pytest.mark.sampled(8)
@pytest.mark.parametrize("name", [name for name in sm.metrics if not sm.metrics[name].parameters])
def test_the_library(name: str) -> None:
    agrees(sm.metrics[name])


@in_one_test
@pytest.mark.parametrize("text", NEGATIVE)
def test_roots_and_logarithms_of_what_is_negative(text: str) -> None:
    metric = sm.Metric("mine", sm.parse_formula(text))
    assert sm.prove(metric, "defined").status == "refuted"
    agrees(metric)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("log(-FN)", "undefined everywhere"),
        ("TP + 1/(log(8) - 3*log(2))", "undefined everywhere"),
        ("log(log(8) - 3*log(2))*TP", "undefined everywhere"),
        ("TP/(TP + FN + log(8) - 3*log(2))", "undefined where TP = FN = 0 (no limit)"),
        ("TP + sqrt(log(8) - 3*log(2))", None),
        ("TP/(log(3) - log(2))", None),
    ],
)
def test_a_number_may_be_zero_without_being_written_so(text: str, value: str | None) -> None:
    verdict = sm.prove(sm.Metric("mine", sm.parse_formula(text)), "defined")
    assert (verdict.status, verdict.value) == ("refuted" if value else "proved", value)


def test_what_stands_around_the_root_of_something_negative_is_not_in_the_way_by_itself() -> None:
    metric = sm.Metric("mine", sm.parse_formula("log(sqrt(TP - FN))"))
    verdict = sm.prove(metric, "defined")
    assert verdict.status == "refuted"
    assert str(verdict.value).startswith("undefined where TP = FN = 0 (-oo along straight lines); -FN + TP < 0")
    agrees(metric)


LINEAR = st.lists(st.sampled_from([-1, 0, 1]), min_size=4, max_size=4).map(
    lambda signs: sum((Integer(sign) * cell for sign, cell in zip(signs, CELLS, strict=True)), Integer(0))
)


SHAPES = st.sampled_from(["({0})/({1})", "sqrt({0})*({1})", "sqrt({0}) + 1/({1})", "log({0})**2"])


@settings(max_examples=examples(60), deadline=None)
@given(LINEAR, LINEAR, LINEAR, SHAPES)
def test_random_formulas(first: Expr, second: Expr, third: Expr, shape: str) -> None:
    try:
        formula = sm.parse_formula(shape.format(first, second) + f" + Abs({third})")
    except FormulaError:  # it divides by zero
        return
    agrees(sm.Metric("mine", formula))


# Limits at tables with zero cells that are the same along every path; and none where they are not.

FEW_TABLES = [table for table in itertools.product((0, 1, 2), repeat=4) if any(table) and not all(table)]


def at(formula: Expr, table: tuple[int, ...]) -> Expr | None:
    return value_by_continuity(formula, dict(zip(CELLS, map(Integer, table), strict=True)))


@in_one_test
@pytest.mark.parametrize(
    "formula",
    [
        (FN * log(FN) + FN) / FN,
        FN * log(FN) / FP,
        FN * log(FP),
        log(FN) - log(FP),
        FN * log(FN - FP),
        log(FN) * (TP - TN),
        TP / (FN * log(FN)),
        FN * log(FN) * log(FP),
    ],
    ids=str,
)
def test_no_limit_is_claimed_where_there_is_none(formula: Expr) -> None:
    assert at(formula, (1, 0, 0, 1)) is None


@pytest.mark.thorough
@pytest.mark.parametrize("name", sorted(name for name in sm.metrics if sm.metrics[name].expr.has(log)))
def test_limits_agree_with_values_nearby_along_many_paths(name: str) -> None:
    formula = sm.metrics[name].expr
    function = lambdify(CELLS, formula, "mpmath")
    with mpmath.workdps(400):
        for table in FEW_TABLES:
            value = at(formula, table)
            if value is None:
                continue
            for speeds in itertools.product((60, 90), repeat=4):
                near = [
                    mpmath.mpf(10) ** -speed if count == 0 else mpmath.mpf(count)
                    for count, speed in zip(table, speeds, strict=True)
                ]
                assert abs(function(*near) - mpmath.mpf(value.evalf(60))) < 1e-20, (table, speeds)


NOT_REAL = [
    "-Abs(log((TP + TN - FN - FP)/(TP + TN + FN + FP)))",
    "-log((TP + TN - FN - FP)/(TP + TN + FN + FP))**2",
    "Abs(sqrt(TP - FN))",
    "FP*Abs((TP - FN)**(1/3))",
]


@pytest.mark.sampled(1)
@pytest.mark.parametrize("text", NOT_REAL)
def test_the_modulus_of_a_complex_number_is_no_value(text: str) -> None:
    """No verdict rests on a table at which a part of the formula is not real."""
    metric = sm.Metric("mine", sm.parse_formula(text))
    assert value_as_written(metric.expr, dict(zip(CELLS, map(Integer, (0, 2, 2, 0)), strict=True))) is None
    for key in some(sm.properties, 10, text):
        witness = sm.prove(metric, key).witness
        for table in witness.tables if witness is not None and witness.values else ():
            assert value_as_written(metric.expr, dict(zip(CELLS, map(Integer, table), strict=True))) is not None, key


FORM, SQUARE = "TP**2 - TP*FN + FN**2", "TP**2 - 2*TP*FN + FN**2"


@in_one_test
@pytest.mark.parametrize(
    ("text", "declarations"),
    [
        *((text, ()) for text in ("TP/(TP + FN)", "1/(TP - FN)", "sqrt(TP - FN)", "log(TP - FN)", "1/(1 + FP/TN)")),
        *((text, ()) for text in ("TP*FN/(TP + FN)", f"1/({FORM})", f"1/(-({FORM}))", f"sqrt({SQUARE})")),
        ("TP/log(2) + sqrt(1 + sqrt(2))/pi", ()),
        ("w*TP/(TP + FN)", ("w in [0, 1] = 1/2",)),
    ],
)
def test_where_a_formula_has_a_value_is_decided(text: str, declarations: tuple[str, ...]) -> None:
    own = sm.Metric("own", text, parameters=declarations)
    verdict = decide(DefinedEverywhere(own.expr, own.parameters), metric="own", property="own")
    assert verdict.status in ("proved", "refuted")
    check(verdict)


@pytest.mark.parametrize("own", [I * CELLS[0], Function("f")(CELLS[0]), Float(0.5) * CELLS[0], CELLS[0] + oo, nan])
def test_a_claim_is_about_a_formula(own: Expr):
    proof = Evidence("domain", {"faces": {}, "poles": [], "proofs": {}})
    verdict = Verdict("own", "own", DefinedEverywhere(own, ()), "proved", True, proof)
    assert str(refusal(check, verdict)).endswith(", which is no formula")
