"""Claims over named variables: read and written, decided as claims over the cells are, and forged in vain."""

from __future__ import annotations

import copy
import json
import pickle
from dataclasses import replace
from typing import Any

import pytest
from effort import in_one_test, is_thorough
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import Dummy, Expr, Rational, S, Symbol, sqrt
from tables import rows

import symmetrics as sm
from symmetrics.checker import check
from symmetrics.checker.engine.parts import check_witness
from symmetrics.claims import AllOf, AnyOf, Claim, Comparison, Identity, Inequality, StrictInequality, claim_from_dict
from symmetrics.claims.evidence import Counts, Evidence, Point, Witness, point_of
from symmetrics.claims.families.limits import STEP, FiniteLimit
from symmetrics.claims.values import Limit
from symmetrics.claims.verdict import Verdict
from symmetrics.language.cells import CELLS, FN, TN, TP, parameter_symbol
from symmetrics.language.formula import parse_formula
from symmetrics.language.names import CELL_NAMES
from symmetrics.language.parameter import Parameter
from symmetrics.prover.acceptance import decide_and_check
from symmetrics.prover.engine.samples import find_violation
from symmetrics.prover.engine.smt import Question, is_installed
from symmetrics.prover.engine.witnesses import points_of_total, tables_of_total
from symmetrics.tools.errors import CertificateError, FormulaError

Data = dict[str, Any]
TPR, PRIOR = RATES = (parameter_symbol("TPr"), parameter_symbol("prior"))
T = parameter_symbol("t")
OVER = ("TPr", "prior")
RELATION = parse_formula("value0 - value1", ("value0", "value1"))


def compared(family: type[Comparison], left: str, right: str, over: tuple[str, ...], *parameters: str) -> Comparison:
    declared = tuple(map(Parameter.parse, parameters))
    names = [parameter.name for parameter in declared]
    formulas = [parse_formula(text, names, over) for text in (left, right)]
    point = tuple(map(parameter_symbol, over))
    return family(formulas[0], declared, (point, point), (), RELATION, formulas[1], over)


def verdict_on(claim: Claim) -> Verdict:
    return decide_and_check(claim, metric="m", property="p")


def decided(family: type[Comparison], left: str, right: str, over: tuple[str, ...], *parameters: str) -> Verdict:
    return verdict_on(compared(family, left, right, over, *parameters))


# -- reading and writing -----------------------------------------------------------------------------------------------


def test_a_counterexample_names_its_variables() -> None:
    verdict = decided(Identity, "sqrt(1 - p)", "1 - p", ("p",))
    assert verdict.witness == Witness((Point(("p",), (S.Half,)),) * 2, (sqrt(2) / 2, S.Half))
    assert verdict.evidence.sentence.startswith("counterexample: M = sqrt(2)/2 and 1/2 at p = 1/2;")
    assert verdict.to_dict()["witness"]["tables"] == [{"p": "1/2"}, {"p": "1/2"}]


def test_points_that_differ_are_all_shown() -> None:
    moved = (TPR * PRIOR, PRIOR)
    verdict = verdict_on(Identity(TPR + 1, (), (RATES, moved), over=OVER))
    assert "M = 2 and 3 at TPr = 1, prior = 2 and at TPr = 2, prior = 2" in verdict.evidence.sentence
    no_more = Inequality(
        TPR + PRIOR, (), (RATES, RATES), (), parse_formula("value1 - value0", ("value0", "value1")), TPR, OVER
    )
    assert "M = 2 exceeds 1 at TPr = 1, prior = 1" in verdict_on(no_more).evidence.sentence


@pytest.mark.parametrize("family", [Identity, Inequality, StrictInequality])
def test_certificates_are_read_back(family: type[Comparison]) -> None:
    for right in ("TPr*prior", "TPr + prior", "TPr - prior"):
        verdict = decided(family, "(TPr + prior)**2/(TPr + prior)", right, OVER)
        data = verdict.certificate()
        assert data["claim"]["variables"] == ["TPr", "prior"]
        assert data["claim"]["domain"] == "TPr, prior > 0"
        again = Verdict.from_json(json.dumps(data))
        assert again.claim == verdict.claim
        assert again.witness == verdict.witness
        assert again.certificate() == data
        check(again)


def test_claims_over_the_cells_do_not_name_them() -> None:
    data = Identity(TP, (), (CELLS, CELLS), partner=FN).to_dict()
    assert "variables" not in data
    assert data["domain"] == "TP, FN, FP, TN > 0"
    assert claim_from_dict(data) == Identity(TP, (), (CELLS, CELLS), partner=FN, over=CELL_NAMES)


def test_combinations_of_claims_over_named_variables() -> None:
    parts = [compared(Inequality, "TPr + prior", right, OVER) for right in ("TPr", "prior", "2*TPr")]
    for family, status in ((AllOf, "refuted"), (AnyOf, "proved")):
        verdict = verdict_on(family(tuple((str(place), part) for place, part in enumerate(parts))))
        assert verdict.status == status
        check(Verdict.from_json(verdict.to_json()))
    mixed = AllOf((("1", Identity(S.One, (), (CELLS, CELLS))), ("2", Identity(S.One, (), (RATES, RATES), over=OVER))))
    with pytest.raises(FormulaError, match="all about one formula"):
        claim_from_dict(mixed.to_dict())


@in_one_test
@pytest.mark.parametrize(
    ("over", "message"),
    rows("variables", "names", 2),
)
def test_names_that_variables_cannot_have(over: tuple[str, ...], message: str) -> None:
    point = tuple(map(parameter_symbol, over))
    with pytest.raises(FormulaError, match=message):
        Identity(S.One, (Parameter("w", 0, 1),), (point,), (parameter_symbol("t"),), over=over)


def test_auxiliary_variables_are_symbols() -> None:
    with pytest.raises(FormulaError, match=r"not 't'; write parameter_symbol\('t'\)"):
        Identity(TP, (), (CELLS, CELLS), ("t",))  # type: ignore[arg-type]


@in_one_test
@pytest.mark.parametrize(
    ("auxiliary", "message"),
    [
        (
            (Symbol("t"),),
            r"a real number and nothing more; write parameter_symbol\('t'\)",
        ),
        ((Symbol("t", positive=True),), "'t': SymPy has to take it for a real number and nothing more"),
        ((Symbol("t", negative=True),), "'t': SymPy has to take it for a real number and nothing more"),
        ((Dummy("t", real=True),), "auxiliary variables are symbols, not _t"),
        ((T, T), "'t': a variable or a parameter has that name"),
        ((TN,), "'TN': a variable or a parameter has that name"),
        ((parameter_symbol("w"),), "'w': a variable or a parameter has that name"),
        ((parameter_symbol("log"),), "'log': a name is letters"),
        ((parameter_symbol("pi"),), "'pi': a name is letters"),
        ((parameter_symbol("TP + FN"),), r"'TP \+ FN': a name is letters"),
        ((parameter_symbol("lambda"),), "'lambda': a name is letters"),
    ],
)
def test_symbols_that_auxiliary_variables_cannot_be(auxiliary: tuple[Symbol, ...], message: str) -> None:
    """``M(TP + t) > M(TP)`` was proved for a t that SymPy takes for negative, and a cell in its place was an error."""
    moved = (TP + auxiliary[0], *CELLS[1:])
    rises = parse_formula("value1 - value0", ("value0", "value1"))
    for family in (Identity, Inequality, StrictInequality):
        with pytest.raises(FormulaError, match=message):
            family(TP, (Parameter("w", 0, 1),), (CELLS, moved), auxiliary, rises)


def test_parts_of_a_combination_have_labels_of_their_own() -> None:
    """A certificate has its parts by label, and so left one of the two out: another claim was read back."""
    false, true = Identity(TP, (), (CELLS, (TN, *CELLS[1:3], TP))), Identity(TP, (), (CELLS, CELLS))
    for family in (AllOf, AnyOf):
        with pytest.raises(FormulaError, match="two parts of a combination have the same label"):
            family((("1", false), ("1", true)))
        with pytest.raises(FormulaError, match="needs parts"):
            family(())


def test_formulas_are_read_over_the_variables_alone() -> None:
    assert parse_formula("c*TPr**2", ("c",), OVER) == parameter_symbol("c") * TPR**2
    for text, message in (
        ("TP + TPr", "unknown name 'TP'"),
        ("2**prior", "the exponent prior holds a variable"),
        ("prior < 1", "it may hold TPr, prior, numbers"),
    ):
        with pytest.raises(FormulaError, match=message):
            parse_formula(text, variables=OVER)
    with pytest.raises(FormulaError, match="'prior': the name is given twice"):
        parse_formula("prior", ("prior",), OVER)


def test_other_families_are_about_the_cells() -> None:
    data = sm.properties["range"].claim(sm.metrics["f1"]).to_dict() | {"variables": ["p", "q"]}
    with pytest.raises(FormulaError, match="'bounded' is about TP, FN, FP, TN, not named variables"):
        claim_from_dict(data)


def test_points() -> None:
    point = Point(OVER, (1, S.Half))
    assert pickle.loads(pickle.dumps(point)) == point
    assert point != Point(("TPr", "other"), (1, S.Half))
    assert point != (1, S.Half)
    assert len({point, Point(OVER, (1, S.Half)), Point(OVER, (2, S.Half))}) == 2
    assert repr(point) == "Point(TPr = 1, prior = 1/2)"
    assert point_of(CELL_NAMES, (1, 2, 3, 4)) == Counts(1, 2, 3, 4)
    with pytest.raises(ValueError, match="1 values for 2 variables"):
        Point(OVER, (1,))


def test_limits_along_curves_of_named_variables() -> None:
    beta, precision, recall = over = tuple(map(parameter_symbol, ("beta", "precision", "recall")))
    names = ("beta", "precision", "recall")
    formula = (1 + beta**2) * precision * recall / (beta**2 * precision + recall)
    verdict = verdict_on(FiniteLimit(formula, (), (beta / STEP, precision, recall), names))
    assert (verdict.status, verdict.value) == ("proved", "recall")
    check(Verdict.from_json(verdict.to_json()))
    assert verdict.certificate()["claim"]["variables"] == list(names)
    infinite = verdict_on(FiniteLimit(beta * formula, (), (beta / STEP, precision, recall), names))
    assert (infinite.status, infinite.value) == ("refuted", "oo")
    somewhere = verdict_on(FiniteLimit((beta - precision) / recall, (), (beta, precision, recall * STEP), names))
    assert (
        "unbounded at (beta, precision, s*recall) as s -> 0+, where beta = 1, precision = 2, recall = 1"
        in somewhere.evidence.sentence
    )
    with_parameter = FiniteLimit(
        formula * parameter_symbol("w"), (Parameter("w", 0, 1),), (beta / STEP, *over[1:]), names
    )
    assert verdict_on(with_parameter).value == "recall*w"


@in_one_test
@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"over": ("beta", "beta")}, "has the name of another one"),
        ({"over": ("beta", "log")}, "the name of a function"),
        ({"over": ("beta", STEP.name)}, "has the name of another one"),
        ({"over": ("beta", "q")}, "the formula has a symbol that is not declared"),
        ({"path": (STEP, parameter_symbol("q"))}, "the curve has a symbol that is not declared"),
    ],
)
def test_the_checker_looks_at_the_names_of_limits_itself(changes: Data, message: str) -> None:
    beta, p = (parameter_symbol(name) for name in ("beta", "p"))
    claim = FiniteLimit(beta + p, (), (beta * STEP, p), ("beta", "p"))
    forged = copy.copy(claim)
    for name, value in changes.items():
        object.__setattr__(forged, name, value)
    check(Verdict("m", "p", claim, "proved", True, Evidence("limit"), found=Limit("p")))
    with pytest.raises(CertificateError, match=message):
        check(Verdict("m", "p", forged, "proved", True, Evidence("limit"), found=Limit("p")))


# -- forged certificates -----------------------------------------------------------------------------------------------


@in_one_test
@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"over": ("TPr", "TPr")}, "has the name of another one"),
        ({"over": ("TPr", "w")}, "has the name of another one"),
        ({"over": ("TPr", "t")}, "has the name of another one"),
        ({"over": ("TPr", "sqrt")}, "the name of a function"),
        ({"over": ("TPr", "pi")}, "the name of a function or a constant"),
        ({"over": ("TPr", "prior + 1")}, "the name of a variable is none"),
        ({"over": ()}, "is about no variables"),
        ({"over": ("TPr",)}, "one cell per variable"),
        ({"subject": TPR * PRIOR * parameter_symbol("u")}, "the formula has a symbol that is not declared"),
        ({"subject": TP * PRIOR}, "the formula has a symbol that is not declared"),
        ({"tables": ((TPR, PRIOR), (TPR, parameter_symbol("u")))}, "a table has a symbol that is not declared"),
        ({"relation": RELATION + TPR}, "the relation holds more"),
        ({"auxiliary": (Symbol("t", integer=True),)}, "more is assumed of an auxiliary variable"),
    ],
)
def test_the_checker_looks_at_names_itself(changes: Data, message: str) -> None:
    """No constructor stands between a claim made by hand and the checker."""
    claim = Identity(TPR * PRIOR, (Parameter("w", 0, 1),), (RATES, RATES), (T,), RELATION, TPR * PRIOR, OVER)
    forged = copy.copy(claim)
    for name, value in changes.items():
        object.__setattr__(forged, name, value)
    evidence = Evidence("identity", {"atoms": {}, "values": []})
    check(Verdict("m", "p", claim, "proved", True, evidence))
    with pytest.raises(CertificateError, match=message):
        check(Verdict("m", "p", forged, "proved", True, evidence))


def test_a_counterexample_stands_at_its_parameters() -> None:
    """A parameter in a table has the value that the counterexample gives it."""
    w = Parameter("w", 0, 1, default=Rational(1, 2))
    moved = (w.symbol * TP, *CELLS[1:])
    claim = Identity(TP + FN, (w,), (CELLS, moved))
    verdict = verdict_on(claim)
    assert verdict.status == "conditional"
    assert verdict.witness is not None
    check_witness(claim, verdict.witness)
    with pytest.raises(CertificateError, match="the tables are not those of the claim"):
        check_witness(claim, replace(verdict.witness, parameters={"w": Rational(1, 4)}))


@pytest.mark.parametrize("place", [0, 1])
def test_a_parameter_called_as_a_value_is_one(place: int) -> None:
    """value0 stands for a value in relations; a parameter of that name once made false identities of powers."""
    name = f"value{place}"
    parameters = (Parameter("a", 0, 1), Parameter(name, 0, 1))
    formula = parameter_symbol(name) * TP ** parameter_symbol("a")
    false = Identity(formula, parameters, (CELLS, (TN, *CELLS[1:3], TP)))
    assert verdict_on(false).status != "proved"
    forged = Verdict("m", "p", false, "proved", True, Evidence("powers", {"atoms": {}, "values": []}))
    with pytest.raises(CertificateError, match="the numerator of the difference is not zero"):
        check(forged)


# -- renaming changes nothing ------------------------------------------------------------------------------------------

NAMES = {"TP": "p", "FN": "TP", "FP": "atom0", "TN": "value1"}
PAIRS: list[tuple[type[Comparison], str, str, tuple[str, ...]]] = [
    (Identity, "TP/(TP + FN)", "1 - FN/(TP + FN)", ()),
    (Identity, "TP/(TP + FN)", "TP/(TP + FP)", ()),
    (Identity, "sqrt(TP*FN)", "sqrt(TP)*sqrt(FN)", ()),
    (Identity, "log(TP*FN)", "log(TP) + log(FN)", ()),
    (Identity, "log(TP + FN)", "log(TP) + log(FN)", ()),
    (Identity, "Max(TP, FN) - Min(TP, FN)", "Abs(TP - FN)", ()),
    (Identity, "w*TP + (1 - w)*FN", "(TP + FN)/2", ("w in [0, 1] = 3/4",)),
    (Identity, "(TP/(TP + FN))**a*(TP + FN)**a", "TP**a", ("a in [0, oo) = 2",)),
    (Identity, "TP**a", "FN**a", ("a in [0, oo) = 2",)),
    (Inequality, "(TP + FN)/2", "sqrt(TP*FN)", ()),
    (Inequality, "(TP + FN)/3", "sqrt(TP*FN)", ()),
    (Inequality, "TP**2 + FN**2 + FP**2", "TP*FN + FN*FP + FP*TP", ()),
    (Inequality, "log(TP + FN + 1)", "log(TP + 1)", ()),
    (Inequality, "w*TP + FN", "FN/2", ("w in [-1, 1] = 1/2",)),
    (StrictInequality, "TP + FN*TN", "TP", ()),
    (StrictInequality, "(TP + TN)/2", "sqrt(TP*TN)", ()),
    (StrictInequality, "1000000*TP", "TP/FN", ()),
]


def renamed(text: str) -> str:
    symbols = {parameter_symbol(cell): parameter_symbol(name) for cell, name in NAMES.items()}
    return str(parse_formula(text, ("w", "a")).xreplace(symbols))


@pytest.mark.thorough
@pytest.mark.parametrize("row", PAIRS, ids=lambda row: f"{row[1]} {row[0].sign} {row[2]}")
def test_renaming_changes_nothing(row: tuple[type[Comparison], str, str, tuple[str, ...]]) -> None:
    family, left, right, parameters = row
    over = tuple(NAMES.values())
    cells = decided(family, left, right, CELL_NAMES, *parameters)
    named = decided(family, renamed(left), renamed(right), over, *parameters)
    assert (named.status, named.holds, named.condition) == (cells.status, cells.holds, cells.condition)
    assert named.evidence.kind == cells.evidence.kind
    assert (named.witness is None) == (cells.witness is None)
    if named.witness is not None and cells.witness is not None:
        assert [tuple(table) for table in named.witness.tables] == [tuple(table) for table in cells.witness.tables]
        assert named.witness.values == cells.witness.values


def test_derivatives_along_a_step() -> None:
    step = parameter_symbol("t")
    for cells, over in ((CELLS, CELL_NAMES), (tuple(map(parameter_symbol, NAMES.values())), tuple(NAMES.values()))):
        first, second = cells[:2]
        moved = (first + step, *cells[1:])
        rises = parse_formula("value1 - value0", ("value0", "value1"))
        subject = sqrt(first / (first + second))
        verdict = verdict_on(StrictInequality(subject, (), (cells, moved), (step,), rises, over=over))
        assert (verdict.status, verdict.evidence.data["rule"]) == ("proved", "derivative")
        assert "may be zero it fails" in verdict.evidence.sentence


SYMBOLS = [parameter_symbol(name) for name in ("x", "y", "z")]


@st.composite
def formulas(draw: st.DrawFn) -> Expr:
    """Return sums of products of the variables and numbers, over a sum that is positive."""
    terms = st.lists(st.tuples(st.integers(-3, 3), *(st.integers(0, 2) for _ in SYMBOLS)), min_size=1, max_size=3)
    top = sum((c * SYMBOLS[0] ** i * SYMBOLS[1] ** j * SYMBOLS[2] ** k for c, i, j, k in draw(terms)), S.Zero)
    bottom = sum((draw(st.integers(0, 2)) * symbol for symbol in SYMBOLS), S.One)
    return top / bottom


POSITIVE = st.fractions(min_value=Rational(1, 50), max_value=50, max_denominator=50)


@settings(max_examples=25 if is_thorough() else 10)
@given(formulas(), formulas(), st.sampled_from([Identity, Inequality, StrictInequality]), st.tuples(*[POSITIVE] * 3))
def test_verdicts_agree_with_exact_values(left: Expr, right: Expr, family: type[Comparison], values: Any) -> None:
    claim = family(left, (), (tuple(SYMBOLS),) * 2, partner=right, over=("x", "y", "z"))
    verdict = verdict_on(claim)
    holds = {"=": lambda gap: gap == 0, ">": lambda gap: gap > 0, ">=": lambda gap: gap >= 0}[family.sign]
    place = {symbol: Rational(v.numerator, v.denominator) for symbol, v in zip(SYMBOLS, values, strict=True)}
    if verdict.status == "proved":
        assert holds((left - right).xreplace(place))
    if verdict.status == "refuted":
        assert verdict.witness is not None
        point = dict(zip(SYMBOLS, map(Rational, verdict.witness.tables[0]), strict=True))
        assert min(point.values()) > 0
        assert not holds((left - right).xreplace(point))
    assert verdict.status != "open" or family is not Identity


# -- searching ---------------------------------------------------------------------------------------------------------


def test_points_are_listed_in_order() -> None:
    assert list(points_of_total(4, 7)) == list(tables_of_total(7))
    assert list(points_of_total(3, 2)) == []
    assert [sum(point) for point in points_of_total(1, 5)] == [5]
    assert len(list(points_of_total(6, 9))) == 56


def test_a_violation_is_found_among_many_variables() -> None:
    names = tuple(f"c{place}" for place in range(12))
    symbols = tuple(map(parameter_symbol, names))
    claim = Inequality(sum(symbols, S.Zero), (), (symbols, symbols), partner=symbols[0] ** 2 / 100, over=names)
    violation = find_violation(claim, {})
    assert violation is not None
    assert not violation.is_smallest  # of the points only some were looked at
    assert verdict_on(claim).status == "refuted"


def test_names_are_no_words_of_the_solver() -> None:
    question = Question(tuple(map(parameter_symbol, ("z3_0", "true"))))
    question.require(sqrt(parameter_symbol("z3_0")) + parameter_symbol("true"), "<")
    assert question.lines[0] == "(declare-const |variable z3_0| Real)"
    if is_installed():
        assert question.answer() == "unsat"
