"""The reader of formulas takes what is listed and nothing else; what is written is read back as itself."""

from __future__ import annotations

import math
import pickle
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from effort import in_one_test
from hypothesis import given
from hypothesis import strategies as st
from shared import sections_of
from sympy import (
    Abs,
    Derivative,
    Dummy,
    E,
    Eq,
    Expr,
    Float,
    Function,
    I,
    Integer,
    Matrix,
    Max,
    Min,
    Piecewise,
    Rational,
    S,
    Symbol,
    exp,
    log,
    pi,
    sin,
    sqrt,
    sstr,
)

import symmetrics as sm
from symmetrics.language.cancellation import cancelled
from symmetrics.language.cells import CELLS, FN, FP, NAMED, TN, TP, parameter_symbol
from symmetrics.language.definition import Definition
from symmetrics.language.formula import (
    MAX_FORMULA_LENGTH,
    SPOKEN,
    exact_rational,
    parse_formula,
    parse_number,
)
from symmetrics.language.parameter import Parameter
from symmetrics.language.writer import formula_text
from symmetrics.library import metrics
from symmetrics.metric import Metric
from symmetrics.testing import formulas
from symmetrics.tools.errors import DefinitionError, FormulaError, SymmetricsError, UndeclaredNameError, shortened

w, beta, w_1 = map(parameter_symbol, ("w", "beta", "w_1"))
half, third = Rational(1, 2), Rational(1, 3)

ACCEPTED = [
    ("TP", TP),
    (" TP ", TP),
    ("TP\n + FN\t+\r\n FP", TP + FN + FP),
    ("TP/(TP+FN)", TP / (TP + FN)),
    ("TP / (TP + FN) / 2", TP / (TP + FN) / 2),
    ("TP - FN - FP", TP - FN - FP),
    ("TP - (FN - FP)", TP - FN + FP),
    ("-TP**2", -(TP**2)),
    ("(-TP)**2", TP**2),
    ("TP**-1", 1 / TP),
    ("TP**2**3", TP**8),
    ("(TP**2)**3", TP**6),
    ("2**-2*TP", TP / 4),
    ("--TP", TP),
    ("+TP-+FN", TP - FN),
    ("TP/-FN", -TP / FN),
    ("((((TP))))", TP),
    ("0.1*TP", TP / 10),
    (".5*TP + 5.*FN", TP / 2 + 5 * FN),
    ("1e3*TP", 1000 * TP),
    ("2.5E-1*TP", TP / 4),
    ("7*FN/10", Rational(7, 10) * FN),
    ("1/3*TP", TP / 3),
    ("TP**0.5", sqrt(TP)),
    ("TP**(1/3)", TP**third),
    ("TP**(-3/2)", TP ** Rational(-3, 2)),
    ("sqrt(TP*TN)", sqrt(TP * TN)),
    ("sqrt(4)", Integer(2)),
    ("Abs(TP - FN)", Abs(TP - FN)),
    ("abs(-3)", Integer(3)),
    ("Min(TP, FN, FP)", Min(TP, FN, FP)),
    ("min(TP, 2)", Min(TP, 2)),
    ("Max(TP, FN)", Max(TP, FN)),
    ("max(TP)", TP),
    ("log(TP/FN)", log(TP / FN)),
    ("log(1)", Integer(0)),
    ("pi*TP", pi * TP),
    ("w*TP + (1-w)*TN", w * TP + (1 - w) * TN),
    ("(1+beta**2)*TP", (1 + beta**2) * TP),
    ("w_1*TP**w", w_1 * TP**w),
    ("10**100*TP", 10**100 * TP),
    ("TP**100", TP**100),
    ("TP/TP", Integer(1)),
    ("+".join(["TP"] * 300), 300 * TP),
    ("(" * 100 + "TP" + ")" * 100, TP),
    ("TP" + " " * (MAX_FORMULA_LENGTH - 2), TP),
]
POINTS = [
    {TP: Integer(5), FN: Rational(1, 3), FP: Integer(2), TN: Integer(7), w: Integer(2), beta: Rational(3, 2), w_1: pi},
    {TP: Rational(1, 7), FN: Integer(3), FP: Integer(11), TN: third, w: Integer(-3), beta: Integer(0), w_1: half},
]


@in_one_test
@pytest.mark.parametrize(("text", "expected"), ACCEPTED, ids=lambda value: str(value)[:30])
def test_accepted(text: str, expected: Expr) -> None:
    read = parse_formula(text, parameters=("w", "beta", "w_1"))
    assert read.free_symbols == expected.free_symbols
    for point in POINTS:
        assert read.xreplace(point) == expected.xreplace(point)
    assert parse_formula(formula_text(read), ("w", "beta", "w_1")) == read


def test_products_stay_as_they_are_written() -> None:
    assert formula_text(parse_formula("2*(TP + FN)")) == "2*(FN + TP)"
    # A single parameter needs no tuple.
    assert parse_formula("beta*TP", "beta") == beta * TP


DEEP = "(" * 400 + "TP" + ")" * 400
REFUSED = sections_of("refused_texts.txt")
REJECTED = [
    *REFUSED["formulas"],
    ("", "it is empty"),
    (" \n ", "it is empty"),
    ("TP\nFN", "not a complete formula"),
    ("[" + "TP," * 500 + "]", "TP...' is not part"),
    ("TP\0", "character 3 is '\\x00' (U+0000), which is not part of a formula"),
    ("TP # all\n+ FN", "character 4 is '#'"),
    ("TP\u200b", "ZERO WIDTH SPACE"),
    ("\ufeffTP", "ZERO WIDTH NO-BREAK SPACE"),
    ("TP\x1b[31m", "U+001B"),
    ("TP\udc80", "U+DC80"),
    ("9" * 1000, "a constant in it is too large"),
    ("9" * 2000, "at most 1300 are read"),
    ("TP+" * 3400 + "TP", f"it has 10202 characters, and at most {MAX_FORMULA_LENGTH} are read"),
    ("sqrt(" * 9 + "TP" + ")" * 9, "the exponent 1/512 has a number beyond 100"),
    (DEEP, "nested too deeply"),
    ("-" * 4000 + "TP", "nested too deeply"),
    ("Max(" + ",".join(f"TP+{i}*FN" for i in range(33)) + ")", "more than 32 arguments"),
    ("Abs(TP-" * 33 + "FN" + ")" * 33, "more than 32 arguments"),
]


@in_one_test
@pytest.mark.parametrize(("text", "fragment"), REJECTED, ids=lambda value: ascii(value)[:40])
def test_rejected(text: str, fragment: str) -> None:
    with pytest.raises(FormulaError) as caught:
        parse_formula(text, parameters=("w", "beta"))
    message = str(caught.value)
    assert fragment in message
    assert message.startswith("formula ")
    assert "\n" not in message
    assert len(message) < 400


@in_one_test
@pytest.mark.parametrize("text", [None, 3, 0.5, TP, b"TP", ["TP"]])
def test_only_texts_are_read(text: Any) -> None:
    with pytest.raises(FormulaError, match="a formula is a text, not"):
        parse_formula(text)


@given(st.text(max_size=60))
def test_any_text_is_a_formula_or_an_error(text: str) -> None:
    try:
        expression = parse_formula(text)
    except FormulaError:
        return
    assert expression.free_symbols <= set(CELLS)


FRAGMENTS = ["TP", "FN", "w", "1", "0", "0.5", "9", "(", ")", "+", "-", "*", "/", "**", "sqrt(", "Abs(", "Max(", "log("]


@given(st.lists(st.sampled_from([*FRAGMENTS, ",", " ", "1/2", "pi", "e"]), max_size=25).map("".join))
def test_near_formulas_are_read_or_refused(text: str) -> None:
    try:
        expression = parse_formula(text, ["w"])
    except FormulaError:
        return
    assert expression.free_symbols <= {*CELLS, w}
    assert parse_formula(formula_text(expression), ["w"]) == expression


# -- writing and reading back ------------------------------------------------------------------------------------------


@in_one_test
@pytest.mark.sampled(60)
@pytest.mark.parametrize("metric", metrics.values(), ids=lambda metric: metric.name)
def test_library_formulas_are_read_back(metric: Metric) -> None:
    assert parse_formula(formula_text(metric.expr), [p.name for p in metric.parameters]) == metric.expr


LEAVES = st.sampled_from([*CELLS, w, beta, pi]) | st.builds(Rational, st.integers(-20, 20), st.integers(1, 12))


@given(formulas(parameters=(w, beta), leaves=LEAVES))
def test_random_expressions_are_read_back(expression: Expr) -> None:
    text = formula_text(expression)
    again = parse_formula(text, ("w", "beta"))
    assert again == expression
    assert formula_text(again) == text == sstr(expression)


@in_one_test
@pytest.mark.parametrize(
    "text",
    [
        "7 - 2*TP",  # SymPy's one exception from its order
        "TN - TP/3 + 5*FN*FP - 2*FN**3",
        "sqrt(2)*TP + pi*FN + 3*FP + sqrt(TN)",
        f"{2**600}*TP + FN + {3**500}/7*FP",
        "w*TP**w + FN**(1/2) - FN**(3/2) + 1",
    ],
)
def test_sums_are_written_in_the_order_of_sympy(text: str) -> None:
    expression = parse_formula(text, ("w",))
    assert formula_text(expression) == sstr(expression)


@given(st.fractions(), st.sampled_from([str, lambda f: f"{f.numerator} / {f.denominator}"]))
def test_fractions_are_read_exactly(value: Fraction, write: Callable[[Fraction], str]) -> None:
    assert parse_number(write(value)) == Rational(value.numerator, value.denominator)


@given(st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**9), max_value=10**9, places=6))
def test_decimals_are_read_at_their_written_value(value: Decimal) -> None:
    assert Fraction(str(parse_number(str(value)))) == Fraction(value)


@in_one_test
@pytest.mark.parametrize(
    "text",
    [*(text for text, _ in REFUSED["numbers"]), "", " ", "9" * 1301, "9" * 700],
)
def test_not_an_exact_number(text: str) -> None:
    with pytest.raises(FormulaError) as caught:
        parse_number(text)
    assert len(str(caught.value)) < 200


@in_one_test
@pytest.mark.parametrize("value", [Integer(3), Rational(-7, 3), Fraction(5, 2), 4, "1/3", "0.25", " 2 "])
def test_exact_rationals(value: Any) -> None:
    assert exact_rational(value, "w") == Rational(str(value).strip())


@in_one_test
@pytest.mark.parametrize(
    ("value", "fragment"),
    [
        (math.nan, "is not a finite number"),
        (math.inf, "is not a finite number"),
        (Decimal("-Infinity"), "is not a finite number"),
        (True, "is not a number"),
        (None, "not an exact rational"),
        (sqrt(2), "not an exact rational"),
        (S.Infinity, "not an exact rational"),
        (TP, "not an exact rational"),
        (1j, "not an exact rational"),
        ([1], "not an exact rational"),
        ("a", "cannot read 'a'"),
    ],
)
def test_inexact_numbers_are_refused(value: Any, fragment: str) -> None:
    with pytest.raises(FormulaError, match=fragment):
        exact_rational(value, "w")


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_float_is_the_decimal_that_shows_it(value: float) -> None:
    assert exact_rational(value, "w") == Rational(repr(value)) == exact_rational(Decimal(repr(value)), "w")
    assert float(exact_rational(value, "w")) == value


def test_floats_are_exact_wherever_numbers_are_meant_exactly() -> None:
    f_beta, precision = sm.metrics["f_beta"], sm.metrics["precision"]
    assert f_beta.at(beta=0.5) == f_beta.at(beta="1/2") == f_beta.at(beta=Decimal("0.5"))
    assert precision.at_prior(0.1) == precision.at_prior("1/10")
    assert precision.exact(0.1, 1, 0.3, 1) == Rational(1, 4)
    assert Parameter("w", 0, 1, default=0.1).default == Rational(1, 10)


# -- names of sums and proportions ------------------------------------------------------------------------------------


@in_one_test
@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("TP/P", "TP/(TP+FN)"),
        ("TNR", "TN/(TN+FP)"),
        ("(TP+TN)/n", "(TP+TN)/(TP+FN+FP+TN)"),
        ("2*PPV*TPR/(PPV+TPR)", "2*(TP/(TP+FP))*(TP/(TP+FN))/(TP/(TP+FP)+TP/(TP+FN))"),
        ("NPV + FNR - FPR", "TN/(FN+TN) + FN/(TP+FN) - FP/(FP+TN)"),
        ("sqrt(P*N*OP*ON)", "sqrt((TP+FN)*(FP+TN)*(TP+FP)*(FN+TN))"),
    ],
)
def test_sums_and_proportions_are_put_in_for_their_names(short: str, long: str) -> None:
    assert parse_formula(short) == parse_formula(long)


def test_a_parameter_is_told_from_sums_and_counts_like_its_symbol() -> None:
    # A parameter comes before a sum of its name.
    assert parse_formula("n*TP", ("n",)) == parameter_symbol("n") * TP
    with pytest.raises(FormulaError, match="holds a cell"):
        parse_formula("2**n")
    with pytest.raises(FormulaError, match="unknown name 'P'"):
        parse_formula("P*prior", variables=("prior",))
    # A parameter adds and multiplies like its symbol.
    w = Parameter("w", 0, 1)
    s = w.symbol
    assert (w + TP, TP + w, 2 - w, w - TP, TP * w, w * w, 1 / w, w / TP, w**2, 2**w, -w, +w, abs(w)) == (
        *(s + TP, TP + s, 2 - s, s - TP, TP * s, s * s, 1 / s, s / TP, s**2, 2**s, -s, s, abs(s)),
    )
    assert sqrt(w * TP) == sqrt(s * TP)
    assert Definition("mine", w * TP + (1 - w) * TN, (w,)) == Definition("mine", s * TP + (1 - s) * TN, (w,))


# -- parameters --------------------------------------------------------------------------------------------------------


@in_one_test
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("w", "w in (-oo, oo)"),
        ("w in [0,1]", "w in [0, 1]"),
        (" w  in  [ 0 , 1 ] ", "w in [0, 1]"),
        ("w in[0,1]", "w in [0, 1]"),
        ("w in (0, 1]=1/2", "w in (0, 1] = 1/2"),
        ("w in [0, oo) = 2", "w in [0, oo) = 2"),
        ("w in [0, inf]", "w in [0, oo)"),
        ("w in [-oo, oo]", "w in (-oo, oo)"),
        ("w in [-INF, 0.25)", "w in (-oo, 1/4)"),
        ("w in [1/3, 1e1]", "w in [1/3, 10]"),
        ("w in [2, 2]", "w in [2, 2]"),
        ("w = -1/2", "w in (-oo, oo) = -1/2"),
        ("w=0.75", "w in (-oo, oo) = 3/4"),
        ("_w_1 = 3", "_w_1 in (-oo, oo) = 3"),
    ],
)
def test_declarations(text: str, expected: str) -> None:
    parameter = Parameter.parse(text)
    assert str(parameter) == expected
    assert Parameter.parse(expected) == parameter


bounds = st.fractions(min_value=-100, max_value=100, max_denominator=50)


@given(st.data(), st.booleans(), st.booleans())
def test_declarations_are_read_back(data: st.DataObject, left: bool, right: bool) -> None:
    lower = data.draw(bounds | st.just(S.NegativeInfinity))
    upper = data.draw(bounds | st.just(S.Infinity))
    default = data.draw(bounds | st.none())
    try:
        parameter = Parameter("beta_2", lower, upper, default, left, right)
    except DefinitionError:  # an empty domain, or a default outside it
        return
    again = Parameter.parse(str(parameter))
    assert again == parameter
    assert hash(again) == hash(parameter)
    assert again.default is None or again.default in again


@in_one_test
@pytest.mark.parametrize(
    ("text", "fragment"),
    [("", "write it as"), *REFUSED["declarations, with a pattern of what is said"]],
)
def test_bad_declarations(text: str, fragment: str) -> None:
    with pytest.raises(SymmetricsError, match=fragment) as caught:
        Parameter.parse(text)
    assert str(caught.value).startswith("parameter ")


@in_one_test
@pytest.mark.parametrize("name", ["", " ", "a b", "w-1", "β", "µ", "ｗ", "2", 3, None, TP])
def test_bad_names_of_parameters(name: Any) -> None:
    with pytest.raises(DefinitionError, match="a name is letters, digits and underscores"):
        Parameter(name)


@in_one_test
@pytest.mark.parametrize(
    "bad", [{"lower": math.nan}, {"upper": math.nan}, {"default": math.inf}, {"lower": None}, {"default": True}]
)
def test_inexact_bounds(bad: dict[str, Any]) -> None:
    with pytest.raises(FormulaError, match="parameter w"):
        Parameter("w", **bad)


def test_infinite_bounds_of_any_kind_are_open() -> None:
    assert Parameter("w", -math.inf, math.inf) == Parameter("w") == Parameter("w", S.NegativeInfinity, S.Infinity)
    assert str(Parameter("w", 0, math.inf)) == "w in [0, oo)"
    assert S.Infinity not in Parameter("w").domain


# -- definitions -------------------------------------------------------------------------------------------------------


class Opaque:
    """Something that SymPy would take if it were allowed to evaluate its text."""

    def __repr__(self) -> str:
        return "TP"


@in_one_test
@pytest.mark.parametrize(
    ("expression", "fragment"),
    [
        (0.5 * TP, "0.5 is a float; write it exactly, as Rational\\('0.5'\\)"),
        (TP ** Float("0.3"), "0.3 is a float; write it exactly, as Rational\\('0.3'\\)"),
        (0.25, "is a float"),
        (np.float64(0.25), "is a float"),
        (np.float32(0.25) + TP, "is a float"),
        (Float("nan"), "undefined whatever the counts"),
        (TP + math.inf, "float|undefined"),
        (math.nan, "undefined whatever the counts"),
        (S.Infinity, "undefined whatever the counts"),
        (-S.Infinity * TP, "undefined whatever the counts"),
        (S.NaN, "undefined whatever the counts"),
        (S.ComplexInfinity, "zoo|ComplexInfinity|undefined"),
        (TP / (TP - TP), "ComplexInfinity|undefined"),
        (Symbol("x") * TP, "undeclared x; declare with parameters=\\('x',\\)"),
        (Symbol("x") * TP + Symbol("a"), "undeclared a, x; declare with parameters=\\('a', 'x'\\)"),
        (Dummy("y") + TP, "undeclared y"),
        (exp(TP), "exp is outside the language"),
        (E * TP, "Exp1 is outside the language"),
        (sin(TP), "sin is outside the language"),
        (Function("f")(TP), "f is outside the language"),
        (I * TP, "ImaginaryUnit is outside the language"),
        (sqrt(-TP - 1) * sqrt(S(-2)), "ImaginaryUnit is outside the language"),
        (S(-8) ** third, "a negative number to a fractional power"),
        (Derivative(TP**2, TP), "Derivative is outside the language"),
        (Piecewise((TP, TP > 0), (FN, True)), "outside the language"),
        (TP**TN, "the exponent TN holds a cell"),
        (TP**101, "beyond 100"),
        (TP * S(10) ** 1000, "a constant in it is too large"),
        (TP > FN, "is not an expression over TP, FN, FP, TN"),
        (Eq(TP, FN), "is not an expression over TP, FN, FP, TN"),
        (Matrix([TP, FN]), "Matrix is outside the language"),
        (True, "is not an expression over TP, FN, FP, TN"),
        (S.true, "is not an expression over TP, FN, FP, TN"),
        ("w*TP/(TP+FN)", "unknown name 'w': declare a parameter with parameters=\"w in"),
        ("TP/(TP+FM)", "did you mean FP"),
        ("TP/(TP+", "it is not a complete formula"),
        ("__import__('os').system('id')", "only sqrt, Abs, Min, Max and log can be called"),
        (b"TP", "is not an expression over TP, FN, FP, TN"),
        ([TP, FN], "is not an expression over TP, FN, FP, TN"),
        ((TP,), "is not an expression over TP, FN, FP, TN"),
        ({"TP": 1}, "is not an expression over TP, FN, FP, TN"),
        ({TP}, "is not an expression over TP, FN, FP, TN"),
        (None, "is not an expression over TP, FN, FP, TN"),
        (Opaque(), "is not an expression over TP, FN, FP, TN"),
        (parse_formula, "is not an expression over TP, FN, FP, TN"),
        (1j, "float|outside|not an expression"),
        (np.array([1, 2]), "is not an expression over TP, FN, FP, TN"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_definitions_refuse(expression: Any, fragment: str) -> None:
    with pytest.raises(DefinitionError, match=fragment) as caught:
        Definition("mine", expression)
    assert str(caught.value).startswith("metric mine: ")
    assert "\n" not in str(caught.value)


@in_one_test
@pytest.mark.parametrize("name", ["", "  ", None, 3, TP])
def test_names_of_metrics(name: Any) -> None:
    with pytest.raises(DefinitionError, match="a metric's name is a non-empty text"):
        Definition(name, TP)


@in_one_test
@pytest.mark.parametrize("parameters", ["w in [0, 1", "w in [1, 0]", ("w = x",), "", "a b"])
def test_bad_texts_of_parameters(parameters: Any) -> None:
    with pytest.raises(DefinitionError, match=r"parameter .*(write it as|domain|exact number)") as caught:
        Definition("mine", w * TP, parameters)
    assert str(caught.value).startswith(("metric mine: ", "parameter w: "))


@in_one_test
@pytest.mark.parametrize("parameters", ["w", ("w",), ["w"], (w,), Symbol("w"), (Parameter("w"),), Parameter("w")])
def test_parameters_in_any_form(parameters: Any) -> None:
    assert Definition("mine", w * TP, parameters) == Definition("mine", w * TP, (Parameter("w"),))


@in_one_test
@pytest.mark.parametrize("parameters", [(3,), (None,), 3, (0.5,), ({"w": 1},), (TP + w,)])
def test_bad_parameters(parameters: Any) -> None:
    with pytest.raises(DefinitionError, match="is not a parameter; write Parameter"):
        Definition("mine", w * TP, parameters)


@in_one_test
@pytest.mark.parametrize(
    ("values", "fragment"),
    [
        ({"v": 1}, "no parameter 'v'; its parameters are: w"),
        ({"w": 2}, "w = 2 is outside \\[0, 1\\]"),
        ({"w": 1.5}, "w = 3/2 is outside"),
        ({"w": math.nan}, "is not a finite number"),
        ({"w": "a"}, "cannot read 'a'"),
        ({"w": None}, "not an exact rational"),
        ({"w": True}, "is not a number"),
    ],
)
def test_bad_values_of_parameters(values: dict[str, Any], fragment: str) -> None:
    with pytest.raises(SymmetricsError, match=fragment):
        Definition("mine", w * TP, (Parameter("w", 0, 1),)).at(**values)


@pytest.mark.parametrize("expression", [TP / w, log(w) * TP, Max(TP, FN / w)])
def test_a_value_that_leaves_no_formula_is_refused(expression: Expr) -> None:
    with pytest.raises(DefinitionError, match="the formula has no value at w = 0"):
        Definition("mine", expression, (Parameter("w"),)).at(w=0)
    with pytest.raises(DefinitionError, match="the formula has no value at w = 0"):
        Definition("mine", expression, (Parameter("w", default=0),))


@in_one_test
@pytest.mark.parametrize("expression", [TP**w, 2**w * TP, TP ** (w**w), w ** (w ** (w**w)) * TP, TP ** (1 / w)])
def test_a_value_that_is_too_large_for_an_exponent_is_refused(expression: Expr) -> None:
    with pytest.raises(DefinitionError, match="beyond 100"):
        Definition("mine", expression, (Parameter("w"),)).at(w=10**12)
    with pytest.raises(DefinitionError, match="beyond 100"):
        Definition("mine", expression, (Parameter("w", default=10**12),))


def test_texts_and_symbols_define_what_expressions_do() -> None:
    # Texts define what expressions do.
    read = Definition("mine", "w*TP/(TP + 0.3*FN)", parameters=("w in [0, 1] = 1/2", "v"))
    assert read == Definition("mine", w * TP / (TP + Rational(3, 10) * FN), (Parameter("w", 0, 1, Rational(1, 2)),))
    # A parameter is declared once and kept if used.
    with pytest.raises(DefinitionError, match="a parameter is declared twice among w, w"):
        Definition("mine", w * TP, (Parameter("w"), Parameter("w", 0, 1)))
    assert Definition("mine", TP, (Parameter("w"),)).parameters == ()
    # Symbols of the same name are the same.
    positive = [Symbol(cell.name, positive=True) for cell in CELLS]
    assert Definition("mine", positive[0] / (positive[0] + Symbol("FN"))) == Definition("mine", TP / (TP + FN))
    # Definitions are values.
    first, second = (Definition("mine", TP / (TP + w * FP), (Parameter("w", 0, 1),)) for _ in range(2))
    assert first == second
    assert hash(first) == hash(second)
    assert first.at(w="1/2") == first.at(w=Fraction(1, 2))
    assert first.at(w="1/2").name == "mine(w=1/2)"
    assert first != Definition("yours", first.expr, first.parameters)
    assert first != Definition("mine", TP / (TP + FP))


def test_every_name_of_a_rate_is_told_as_it_is_written_in_formulas_and_nothing_is_to_be_declared() -> None:
    rates = {rate: metric for rate in NAMED for metric in sm.metrics.values() if metric.expr == NAMED[rate]}
    told = {name: rate for rate, metric in rates.items() for name in (metric.name, *metric.aliases)}
    assert told == {name: rate for name, rate in SPOKEN.items() if name in sm.metrics}
    assert set(SPOKEN) == set(told) | {rate.lower() for rate in rates}
    for name, rate in told.items():
        with pytest.raises(FormulaError) as caught:
            parse_formula(f"2*{name}/TP")
        assert str(caught.value) == (
            f"formula {shortened(f'2*{name}/TP')!r}: unknown name {name!r}: write {rate}, its name in formulas"
        )
        assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
    with pytest.raises(DefinitionError, match=r"unknown name 'precision': write PPV, its name in formulas$"):
        sm.Metric("mine", "precision + recall")


def test_an_undeclared_name_can_be_told_with_another_advice() -> None:
    with pytest.raises(UndeclaredNameError) as caught:
        parse_formula("tp/(TP + FN)")
    error = pickle.loads(pickle.dumps(caught.value))  # as between processes
    assert (error.name, error.nearest) == ("tp", "TP")
    assert str(error) == str(caught.value)
    assert error.problem == "formula 'tp/(TP + FN)': unknown name 'tp'"
    assert error.advising("write a number") == f"{error.problem}: did you mean TP? Write a number"
    with pytest.raises(FormulaError, match="unknown name 'w': a parameter is declared with --param"):
        parse_formula("w*TP")
    # An exact number that cannot be read is named with what it is for.
    with pytest.raises(FormulaError, match="parameter beta: cannot read 'x' as an exact number"):
        sm.metrics["f_beta"].at(beta="x")


@in_one_test
@pytest.mark.parametrize(
    ("text", "gone"),
    [
        ("TPR*P", ("the division by FN + TP",)),  # names of rates divide, too
        ("TPR/TPR + FN", ("the division by FN + TP", "the division by TP")),
        ("TP**-1*TP + FN", ("the division by TP",)),
        ("TP*FP/(-FP)", ("the division by FP",)),
        ("TP**(1/2)*TP**(1/2)", ("the root of TP",)),
        ("sqrt(FN*FP)**2", ("the root of FN", "the root of FP")),
        ("log(TP) - log(TP) + FN", ("the logarithm of TP",)),
        ("TPR*P/(TP + FN)", ()),
        ("sqrt(TP)*sqrt(FN)", ()),
    ],
)
def test_what_cancels_as_a_formula_is_read_is_named(text: str, gone: tuple[str, ...]) -> None:
    assert cancelled(text) == gone
