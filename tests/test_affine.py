"""Affine functions and the order of tables: what is refuted has three points on no line, and a failed search is open.

The statuses in the tables are worked out by hand, and counterexamples are evaluated again in fractions, by code that
reads nothing of symmetrics but the formula.
"""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from functools import reduce
from operator import mul

import pytest
from effort import examples, in_one_test, is_thorough
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sympy import Abs, Add, Eq, Expr, Integer, Max, Min, Mul, Pow, Rational, Symbol, log, sqrt

import symmetrics as sm
from symmetrics import FN, FP, TN, TP, Metric, Parameter, Verdict
from symmetrics.checker import check
from symmetrics.claims import Affine, claim_from_dict
from symmetrics.claims.evidence import Counts, Decision, Evidence, Witness
from symmetrics.claims.values import Link
from symmetrics.prover import decide
from symmetrics.prover.engine.samples import tables_of_regions
from symmetrics.query.relations import relate
from symmetrics.tools.errors import CertificateError, SymmetricsError

FAR = 10**6
TPR, TNR, PPV = TP / (TP + FN), TN / (TN + FP), TP / (TP + FP)
W, V = Parameter("w", 0, 1), Parameter("v", 1, 5)
w, v = W.symbol, V.symbol


def metric(formula: object, *parameters: Parameter) -> Metric:
    return Metric("m", formula + 0 * TP, parameters)


# -- the oracle --------------------------------------------------------------------------------------------------------


def value(formula: Expr, place: dict[Symbol, Fraction]) -> Fraction:
    """Return the exact value of a formula of rational operations, minima, maxima and moduli."""
    if isinstance(formula, Symbol):
        return place[formula]
    if isinstance(formula, Rational):
        return Fraction(int(formula.p), int(formula.q))
    if isinstance(formula, Pow) and isinstance(formula.exp, Integer):
        return value(formula.base, place) ** int(formula.exp)
    parts = [value(part, place) for part in formula.args]
    if isinstance(formula, Add):
        return sum(parts, Fraction(0))
    if isinstance(formula, Mul):
        return reduce(mul, parts, Fraction(1))
    return {Min: min, Max: max, Abs: lambda listed: abs(listed[0])}[type(formula)](parts)


def points(verdict: Verdict) -> list[tuple[Fraction, Fraction]]:
    """Return the values of the other formula and of M at the tables of a counterexample, in fractions."""
    witness = verdict.witness
    assert witness is not None
    cells = (TP, FN, FP, TN)
    bound = {p.symbol: Fraction(str(witness.parameters[p.name])) for p in verdict.claim.parameters}
    tables = witness.tables[: len(witness.tables) // 2]
    assert witness.tables == tables * 2
    assert all(count > 0 for table in tables for count in table)
    places = [dict(zip(cells, (Fraction(str(c)) for c in table), strict=True)) | bound for table in tables]
    return [(value(verdict.claim.partner, place), value(verdict.claim.subject, place)) for place in places]


def are_on_no_line(found: list[tuple[Fraction, Fraction]]) -> bool:
    """Whether no numbers a and b make a*x + b the second of each pair."""
    if len(found) == 2:
        return found[0][0] == found[1][0] and found[0][1] != found[1][1]
    (x, y), (x2, y2), (x3, y3) = found
    return (y2 - y) * (x3 - x) != (y3 - y) * (x2 - x)


# -- known answers -----------------------------------------------------------------------------------------------------

PROVED = [
    (metric(Integer(4)), metric(Integer(7)), "M = partner - 3"),
    (metric(Integer(4)), "accuracy", "M = 4"),
    (metric(2 * Max(TP - FAR, 0) + 3), metric(Max(TP - FAR, 0)), "M = 2*partner + 3"),
    (metric(5 - Abs(TP - FAR)), metric(Abs(FAR - TP) / 3), "M = 5 - 3*partner"),
    (metric(Min(TP / FAR, 1)), metric(7 * Min(TP, FAR)), None),
    (metric(TPR), metric(1 + TPR / 10**30), f"M = {10**30}*partner - {10**30}"),
    (metric(1 + TPR / 10**30), "tpr", f"M = partner/{10**30} + 1"),
    (metric(sqrt(2) * TPR + log(3)), "tpr", "M = sqrt(2)*partner + log(3)"),
    (metric(sqrt(TP - TN)), metric(2 * sqrt(TP - TN) + 1), "M = partner/2 - 1/2"),
    ("fnr", "tpr", "M = 1 - partner"),
    ("discriminant_power", "log_odds_ratio", "M = sqrt(3)*partner/pi"),
    (metric(2 * w * TPR, W), metric(w * TPR, W), "M = 2*partner"),
    (metric(TPR / v, V), "tpr", "M = partner/v"),
    (metric(w * TPR + v, W, V), "tpr", "M = partner*w + v"),
    (metric(w, W), metric(w - 1, W), "M = partner + 1"),
]
REFUTED = [
    ("accuracy", metric(Integer(4))),
    ("f1", "jaccard"),
    ("mcc", "f1"),
    (metric(TPR + PPV / 10**30), "tpr"),
    (metric(Max(TP - FAR, 0)), metric(Max(TN - FAR, 0))),
    (metric(Max(TP - FAR, 0)), metric(Max(TP - FAR, 0) ** 2)),
    (metric(Max(TP - FAR, 0)), metric(Integer(3))),
    (metric(Max(TP - FAR, 0)), "tpr"),
    (metric(log(TPR)), "tpr"),
    (metric(sqrt(TPR)), "tpr"),
    (metric((1 + v) * TPR**2, V), "tpr"),
]
CONDITIONAL = [
    (metric(w * TPR + (1 - w) * TNR, W), "auc_single", Eq(w, Rational(1, 2))),
    (metric(w * PPV + TPR, W), "tpr", Eq(w, 0)),
]
OPEN = [
    # At w = 1 the other formula is constant and M is not, so that "proved" would be wrong.
    (metric(w * TPR, W), metric((1 - w) * TPR, W)),
    (metric(TPR, W), metric(w * TPR, W)),
]


def ids(item: object) -> str:
    return item if isinstance(item, str) else str(getattr(item, "expr", item))[:40]


@in_one_test
@pytest.mark.parametrize(("first", "second", "equation"), PROVED, ids=ids)
def test_affine_functions(first: Metric | str, second: Metric | str, equation: str | None) -> None:
    verdict = relate(first, second, "affine")
    assert (verdict.status, verdict.holds) == ("proved", True)
    assert equation in (None, verdict.value)
    check(Verdict.from_json(verdict.to_json()))


@in_one_test
@pytest.mark.parametrize(("first", "second"), REFUTED, ids=ids)
def test_what_is_no_affine_function_has_tables_on_no_line(first: Metric | str, second: Metric | str) -> None:
    verdict = relate(first, second, "affine")
    assert (verdict.status, verdict.holds) == ("refuted", False)
    check(Verdict.from_json(verdict.to_json()))
    if not (verdict.claim.subject.has(sqrt(2), log) or any(p.exp.q > 1 for p in verdict.claim.subject.atoms(Pow))):
        assert are_on_no_line(points(verdict))


@pytest.mark.parametrize(("first", "second", "condition"), CONDITIONAL, ids=ids)
def test_conditions_on_the_parameters(first: Metric, second: str, condition: object) -> None:
    verdict = relate(first, second, "affine")
    assert (verdict.status, verdict.holds, verdict.condition) == ("conditional", None, condition)
    assert are_on_no_line(points(verdict))
    check(Verdict.from_json(verdict.to_json()))


@pytest.mark.parametrize(("first", "second"), OPEN, ids=ids)
def test_what_is_not_decided_is_open(first: Metric, second: Metric) -> None:
    verdict = relate(first, second, "affine")
    assert (verdict.status, verdict.holds, verdict.witness) == ("open", None, None)
    assert "bind" in verdict.evidence.sentence


def test_a_fit_that_is_not_proved_is_no_refutation() -> None:
    """The two are affine functions of each other, which the algebra of three extremes does not see."""
    far = FAR if is_thorough() else 3
    claim = Affine(Min(TP / far, TN, 1), (), 7 * Min(TP, far * TN, far))
    # The prover itself must not say so, even if the checker would not let it pass.
    assert decide(claim, metric="", property="").status in ("proved", "open")


def test_free_parameters_named_as_the_formulas_are_not_mixed_up() -> None:
    partner = Parameter("partner", 1, 2)
    verdict = relate(metric(partner.symbol * TPR, partner), "tpr", "affine")
    assert verdict.status == "open"
    assert "rename" in verdict.evidence.sentence


RANKS = [
    (metric(Integer(4)), metric(Integer(7)), "proved", "proved"),
    (metric(Integer(4)), "accuracy", "refuted", "refuted"),
    (metric(2 * Max(TP - FAR, 0) + 3), metric(Max(TP - FAR, 0)), "proved", "refuted"),
    (metric(3 - Max(TP - FAR, 0)), metric(Max(TP - FAR, 0)), "refuted", "proved"),
    (metric(Max(TP - FAR, 0)), metric(Max(TN - FAR, 0)), "refuted", "refuted"),
    (metric(1 + TPR / 10**30), "tpr", "proved", "refuted"),
    (metric(1 - TPR / 10**30), "tpr", "refuted", "proved"),
    (metric((17 * TPR + 3) / (1234567 * TPR + 5)), "tpr", "refuted", "proved"),
    (metric(26 * TP / (TP + FN + FP) / 40349 + Rational(1, 33)), "f1", "proved", "refuted"),
    (metric((10**20 * TPR + 3) / (10**15 * TPR + 5)), "tpr", "proved", "refuted"),
    (metric(Max(TP - FAR, 0) ** 2), metric(Max(TP - FAR, 0)), "open", "refuted"),
]


@pytest.mark.sampled(6)
@pytest.mark.parametrize(("first", "second", "alike", "reversed_"), RANKS, ids=ids)
def test_orders_of_tables(first: Metric, second: Metric | str, alike: str, reversed_: str) -> None:
    for relation, status in (("rank_equivalent", alike), ("rank_reversed", reversed_)):
        verdict = relate(first, second, relation)
        assert verdict.status == status, relation
        check(Verdict.from_json(verdict.to_json()))
        if status == "refuted":
            (x, y), (x2, y2) = points(verdict)
            rises = [(a > b) - (a < b) for a, b in ((x2, x), (y2, y))]
            assert rises[0] != (-rises[1] if relation == "rank_reversed" else rises[1])


EXCHANGED = [
    ("equal", "f1", "f_beta", "proved"),
    ("equal", metric(2 * TPR), "tpr", "refuted"),
    ("equal", metric(2 * w * TPR, W), metric(w * TPR, W), "conditional"),
    ("equal", metric(TPR + 1 / (10**30 * (TP + 1))), "tpr", "refuted"),
    ("equal", metric(TPR + Max(TP - 20, 0)), "tpr", "refuted"),
    ("complement_of", "fnr", "tpr", "proved"),
    ("complement_of", "tpr", "precision", "refuted"),
    ("negation_of", metric(-TPR), "tpr", "proved"),
    ("negation_of", metric(Integer(0)), metric(Integer(0)), "proved"),
    ("transpose_of", "precision", "tpr", "proved"),
    ("transpose_of", "accuracy", "tpr", "refuted"),
    ("class_exchange_of", "tnr", "tpr", "proved"),
    ("class_exchange_of", "precision", "tpr", "refuted"),
    ("diagonal_exchange_of", "npv", "tpr", "proved"),
    ("less_equal", "jaccard", "f1", "proved"),
    ("less_equal", metric(TPR), metric(TPR + Rational(1, 10**30)), "proved"),
    ("less_equal", metric(TPR + Rational(1, 10**30)), metric(TPR), "refuted"),
]


@in_one_test
@pytest.mark.parametrize(("relation", "first", "second", "status"), EXCHANGED, ids=ids)
def test_other_relations(relation: str, first: Metric | str, second: Metric | str, status: str) -> None:
    verdict = relate(first, second, relation)
    assert verdict.status == status
    check(Verdict.from_json(verdict.to_json()))


# -- random questions --------------------------------------------------------------------------------------------------

RATIONAL = [name for name, each in sm.metrics.items() if not each.at_defaults().has(log) and not each.parameters]
NUMBERS = st.builds(Fraction, st.integers(-(10**6), 10**6), st.integers(1, 10**6))
NAMES = st.sampled_from(["tpr", "accuracy", "f1", "jaccard", "kappa", "informedness", "mcc", "worst_class_accuracy"])


def exact(number: Fraction) -> Rational:
    return Rational(number.numerator, number.denominator)


@pytest.mark.thorough
@settings(max_examples=examples(40), deadline=None)
@given(st.sampled_from(RATIONAL), NUMBERS, NUMBERS, st.sampled_from([1, 10**20, Fraction(1, 10**30)]))
def test_an_affine_image_is_never_refuted(name: str, a: Fraction, b: Fraction, scale: Fraction) -> None:
    assume(a)
    known = sm.metrics[name].expr
    assume(known.count_ops() < 40)
    image = metric(exact(a * scale) * known + exact(b))
    assert relate(image, metric(known), "affine").status in ("proved", "open")
    direction, opposite = ("rank_equivalent", "rank_reversed") if a > 0 else ("rank_reversed", "rank_equivalent")
    assert relate(image, metric(known), direction).status in ("proved", "open")
    assert relate(image, metric(known), opposite).status == "refuted"


@pytest.mark.thorough
@settings(max_examples=examples(40), deadline=None)
@given(NAMES, *[st.integers(1, 10**7)] * 4, st.integers(2, 5))
def test_an_increasing_image_is_never_refuted(name: str, a: int, b: int, c: int, d: int, power: int) -> None:
    known = sm.metrics[name].expr
    assume(a * d != b * c)
    # 2 + M is positive, so that neither the Moebius function has a pole nor the power a turning point.
    inner = 2 + known
    direction = "rank_equivalent" if a * d > b * c else "rank_reversed"
    assert relate(metric((a * inner + b) / (c * inner + d)), metric(known), direction).status in ("proved", "open")
    assert relate(metric(inner**power), metric(known), "rank_equivalent").status in ("proved", "open")


@pytest.mark.thorough
@settings(max_examples=examples(60), deadline=None)
@given(st.sampled_from(RATIONAL), st.sampled_from(RATIONAL))
def test_a_refutation_holds_in_fractions(first: str, second: str) -> None:
    verdict = relate(first, second, "affine")
    check(Verdict.from_json(verdict.to_json()))
    roots = any(not p.exp.is_Integer for f in (verdict.claim.subject, verdict.claim.partner) for p in f.atoms(Pow))
    if verdict.status == "refuted" and not roots:
        assert are_on_no_line(points(verdict))
    if verdict.status == "proved":
        a, b = (sm.parse_formula(verdict.evidence.data[key]) for key in ("a", "b"))
        for table in ((3, 1, 4, 1), (5, 9, 2, 6), (535, 8979, 32, 384)):
            left, right = (sm.metrics[name].from_counts(*table) for name in (first, second))
            if math.isfinite(left) and math.isfinite(right):
                assert left == pytest.approx(float(a) * right + float(b), abs=1e-9)


# -- forged certificates -----------------------------------------------------------------------------------------------


def forged(verdict: Verdict, **changes: object) -> Verdict:
    return replace(verdict, **changes)


def test_three_tables_on_a_line_refute_nothing() -> None:
    verdict = relate("f1", "jaccard", "affine")
    witness = verdict.witness
    tables = [witness.tables[k] for k in (0, 0, 1)]
    values = [witness.values[k] for k in (0, 0, 1, 3, 3, 4)]
    with pytest.raises(CertificateError, match="may lie on a line"):
        check(forged(verdict, witness=replace(witness, tables=(*tables, *tables), values=tuple(values))))
    pair, both = witness.tables[:2], (*witness.values[:2], *witness.values[3:5])
    with pytest.raises(CertificateError, match="differs between the two tables"):
        check(forged(verdict, witness=replace(witness, tables=pair * 2, values=both)))
    with pytest.raises(CertificateError, match="at different tables"):
        check(forged(verdict, witness=replace(witness, tables=(*witness.tables[:3], *witness.tables[:3][::-1]))))
    with pytest.raises(CertificateError, match="is not"):
        check(forged(verdict, witness=replace(witness, values=(Integer(5), *witness.values[1:]))))
    with pytest.raises(CertificateError, match="no counterexample"):
        check(forged(verdict, witness=None))


def test_points_of_affine_functions_are_no_refutation() -> None:
    """The tables of one refutation, with the true values of two formulas that are affine functions of each other."""
    witness = relate("f1", "jaccard", "affine").witness
    claim = Affine(2 * TPR + 1, (), TPR)
    values = [
        f.xreplace(dict(zip((TP, FN, FP, TN), t, strict=True))) for f in (2 * TPR + 1, TPR) for t in witness.tables[:3]
    ]
    verdict = relate("f1", "jaccard", "affine")
    with pytest.raises(CertificateError):
        check(forged(verdict, claim=claim, witness=replace(witness, values=tuple(values))))


def test_equal_values_of_the_other_formula_have_to_be_the_same_number() -> None:
    verdict = relate("accuracy", metric(Integer(4)), "affine")
    check(verdict)
    with pytest.raises(CertificateError):
        check(forged(verdict, claim=replace(verdict.claim, partner=4 + TPR / 10**40)))


def test_numbers_that_have_no_value_for_a_parameter_prove_nothing() -> None:
    """Where w = 1 the other formula is zero, and the equation with w/(1 - w) says nothing there."""
    claim = relate(*OPEN[0], "affine").claim
    equation = relate(metric(w * TPR, W), metric(w / (1 - w) * ((1 - w) * TPR), W), "equal")
    data = {"a": "w/(1 - w)", "b": "0", "part": Decision("proved", True, equation.evidence).record()}
    verdict = Verdict("m", "affine:m", claim, "proved", True, Evidence("affine function", data), found=Link("M", "w"))
    with pytest.raises(CertificateError, match="may not exist"):
        check(verdict)


@pytest.mark.parametrize(
    "formula", [sqrt(FN - TP) * sqrt(FP - TN) / TN, log((TP - FN) / 9) / 3 - log((FN - TP) / 9), 1 / (TP - FN)], ids=str
)
def test_a_table_at_which_a_formula_has_no_value_refutes_nothing(formula: Expr) -> None:
    """The product of two imaginary roots is a real number, and no value of the formula."""
    tables = (2, 1, 1, 2), (3, 1, 1, 3), (4, 4, 1, 3)
    places = [dict(zip((TP, FN, FP, TN), map(Integer, table), strict=True)) for table in tables]
    for kind, relation, count in (
        ("witness", "rank_equivalent", 2),
        ("witness", "rank_reversed", 2),
        ("determinant", "affine", 3),
    ):
        chosen = places[-count:] if formula == 1 / (TP - FN) else places[:count]
        counts = tuple(Counts(*map(int, place.values())) for place in chosen)
        values = tuple(f.xreplace(place) for f in (formula, TPR) for place in chosen)
        claim = relate(metric(formula), "tpr", relation).claim
        forgery = Verdict("m", f"{relation}:tpr", claim, "refuted", False, Evidence(kind))
        with pytest.raises(
            CertificateError,
            match=r"no value|(negative number|not positive|by zero) at a table",
        ):
            check(replace(forgery, witness=Witness(counts * 2, values)))


def test_the_claim_is_data() -> None:
    claim = relate(metric(w * TPR, W), "tpr", "affine").claim
    assert claim_from_dict(claim.to_dict()) == claim
    assert claim.at({w: Integer(1)}) == Affine(TPR, (), TPR)
    with pytest.raises(SymmetricsError, match="is not an affine function"):
        Affine.from_dict(claim.to_dict() | {"domain": "TP > 0"})


def test_tables_lie_on_both_sides_of_a_boundary() -> None:
    tables = tables_of_regions(Max(TP - FAR, 0), Abs(TN**2 - 2 * FAR))
    for formula in (TP - FAR, TN**2 - 2 * FAR):
        signs = {value(formula, dict(zip((TP, FN, FP, TN), map(Fraction, t), strict=True))) > 0 for t in tables}
        assert signs == {True, False}
    assert tables_of_regions(TPR) == ()


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("first", "second", "relation"),
    [
        ("FP*Abs(sqrt(TP + TN/2)) + TP/10**30", "FP*Abs(sqrt(TP + TN/2))", "affine"),
        (
            "Max(FN*FP, (1/2 - log(3*FP)**2)*(FN + FP/2)*log(FP**2))",
            "4*FN*FP/(FN + FP + TN + TP)**2",
            "rank_reversed",
        ),
        (
            "Max(FN/TP, FP/TN) + Min(FN/TP, log(Abs(TP**2*log(TP/FN)*(TN - 2*FN)**(1/4))))",
            "Max(FN/TP, FP/TN)",
            "affine",
        ),
    ],
)
def test_boundaries_that_are_no_polynomials_are_no_obstacle(first: str, second: str, relation: str) -> None:
    verdict = relate(metric(sm.parse_formula(first)), metric(sm.parse_formula(second)), relation)
    assert verdict.status in ("open", "refuted")
    check(verdict)
