"""Inequalities: known verdicts, thresholds, brute force, even roots, Z3 and tampering."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from effort import in_one_test, some
from hypothesis import given
from hypothesis import strategies as st
from recorded import recorded, status
from sympy import Abs, Expr, Integer, Max, Min, Rational, log, sqrt
from tables import rows

import symmetrics as sm
from symmetrics.algebra.derivative import smooth_pieces
from symmetrics.checker import check
from symmetrics.checker import check as check_evidence
from symmetrics.checker.families.inequalities import _check_piece
from symmetrics.claims import Comparison, Inequality, StrictInequality, value_symbol
from symmetrics.claims.evidence import Evidence
from symmetrics.claims.verdict import Verdict
from symmetrics.language.cells import CELLS, FN, FP, TN, TP, parameter_symbol
from symmetrics.language.condition import condition_text
from symmetrics.language.formula import parse_formula
from symmetrics.prover import asking_z3, decide
from symmetrics.prover.engine.smt import Question
from symmetrics.tools.errors import CertificateError, InputError

M = {name: metric.expr for name, metric in sm.metrics.items()}
TPR, TNR, PRECISION = M["tpr"], M["tnr"], M["precision"]
ORDERED: list[tuple[Expr, Expr]] = [
    (2 * TPR * TNR / (TPR + TNR), M["gmean"]),
    (M["gmean"], (TPR + TNR) / 2),
    (Min(TPR, TNR), M["gmean"]),
    (M["gmean"], Max(TPR, TNR)),
    (M["jaccard"], M["f1"]),
    (M["f1"], M["fowlkes_mallows"]),
    (M["fowlkes_mallows"], (PRECISION + TPR) / 2),
    (M["kappa"], M["f1"]),
    (M["kappa"], M["accuracy"]),
    (M["mcc"], M["gmean"]),
    (Abs(M["kappa"]), Abs(M["mcc"])),
    (Min(Abs(M["informedness"]), Abs(M["markedness"])), Abs(M["mcc"])),
    (Abs(M["mcc"]), Max(Abs(M["informedness"]), Abs(M["markedness"]))),
    (Integer(0), M["mutual_information"]),
    (M["mutual_information"], log(Integer(2))),
    (M["normalized_mutual_information"], Integer(1)),
    (M["relative_classifier_information"], Integer(1)),
]
"""Pairs (a, b) with a <= b everywhere."""


def has_bars(pair: tuple[Expr, Expr]) -> bool:
    return any(side.has(Abs) for side in pair)


def order(left: Expr, right: Expr) -> Verdict:
    relation = value_symbol(1) - value_symbol(0)
    claim = Inequality(left, (), (CELLS, CELLS), relation=relation, partner=right)
    return decide(claim, metric="left", property="less_equal")


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "pair",
    [
        # Pairs with bars take seconds; what bars do to a claim, minima of rates do as well.
        pytest.param(pair, id=f"{pair[0]} <= {pair[1]}"[:60], marks=[pytest.mark.thorough] if has_bars(pair) else [])
        for pair in ORDERED
    ],
)
def test_theorems_of_order(pair: tuple[Expr, Expr]) -> None:
    verdict = order(*pair)
    assert verdict.status == "proved"
    check_evidence(Verdict.from_json(verdict.to_json()))
    cells = np.array(list(itertools.product((1, 2, 7, 30), repeat=4))).T
    small, large = (sm.Metric("side", side).from_counts(*cells) if side.free_symbols else float(side) for side in pair)
    assert np.all(small <= large + 1e-12)


@pytest.mark.thorough
def test_the_reverse_of_a_theorem_is_refuted() -> None:
    for left, right in ORDERED:
        verdict = order(right, left)
        assert verdict.status == "refuted"
        check_evidence(Verdict.from_json(verdict.to_json()))


def test_f1_is_not_below_accuracy_first_at_the_smallest_table() -> None:
    verdict = order(M["f1"], M["accuracy"])
    assert verdict.witness is not None
    assert verdict.witness.tables[0] == (2, 1, 1, 1)
    assert verdict.witness.values == (Rational(2, 3), Rational(3, 5))


THRESHOLDS = rows("inequalities", "thresholds", 3)
"""Each follows from the derivative by hand: IBA on G-mean moves with TNr as 1 + alpha*TPr - 3*alpha*TNr, whose infimum
is 1 - 3*alpha."""


@pytest.mark.sampled(6)
@pytest.mark.parametrize(("metric", "key", "condition"), THRESHOLDS)
def test_thresholds_of_parameters(metric: str, key: str, condition: str) -> None:
    verdict = sm.prove(metric, key)
    assert verdict.status == "conditional"
    assert verdict.condition is not None
    assert condition_text(verdict.condition) == condition


@pytest.mark.thorough
@pytest.mark.parametrize("name", sorted(name for name in sm.metrics if sm.metrics[name].parameters))
def test_conditions_agree_with_bound_parameters(name: str) -> None:
    """For every property: where the condition holds the bound metric has it, elsewhere it has not."""
    metric = sm.metrics[name]
    samples = [Rational(0), Rational(1, 3), Rational(1, 2), Rational(3)]
    for key in some(sm.properties, 2, name):
        verdict = recorded(name, key)
        if verdict.status not in ("proved", "refuted", "conditional"):
            continue
        for value in samples:
            values = {p.name: value if place == 0 else Rational(1, 2) for place, p in enumerate(metric.parameters)}
            if not all(values[p.name] in p for p in metric.parameters):
                continue
            bound = sm.prove(metric.at(**values), key)
            symbols = {p.symbol: values[p.name] for p in metric.parameters}
            holds = {"proved": True, "refuted": False}.get(verdict.status)
            if verdict.condition is not None:
                holds = bool(verdict.condition.subs(symbols))
            if isinstance(verdict.claim, Comparison) and bound.holds is not None:
                assert bound.holds is holds, (key, values, verdict.condition)


def test_strictness_on_the_closed_domain() -> None:
    """F1 rises strictly with TP only where FN + FP > 0."""
    verdict = sm.prove("f1", "increasing_tp")
    assert verdict.status == "proved"
    assert verdict.evidence.data["boundary"]["tables"][0] == {"tp": 1, "fn": 0, "fp": 0, "tn": 0}
    assert "where cells may be zero it fails" in verdict.evidence.sentence
    assert "boundary" not in sm.prove("informedness", "agreement_increases").evidence.data


KEYS = ("increasing_tp", "increasing_tn", "decreasing_fn", "decreasing_fp", "agreement_increases")
STEPS = {
    "increasing_tp": ((0, 0, 0, 0), (1, 0, 0, 0)),
    "increasing_tn": ((0, 0, 0, 0), (0, 0, 0, 1)),
    "decreasing_fn": ((0, 1, 0, 0), (0, 0, 0, 0)),
    "decreasing_fp": ((0, 0, 1, 0), (0, 0, 0, 0)),
    "agreement_increases": ((0, 1, 1, 0), (1, 0, 0, 1)),
}


def test_no_small_table_contradicts_a_proof() -> None:
    """Brute force in floating point over all tables up to a total of 8, for every metric of the library."""
    tables = [t for t in itertools.product(range(1, 7), repeat=4) if sum(t) <= 8]
    for name, key in itertools.product(some(sm.metrics, 60, "small tables"), KEYS):
        metric = sm.metrics[name]
        if metric.parameters or status(name, key) != "proved":
            continue
        before, after = STEPS[key]
        low = metric.from_counts(*zip(*(tuple(map(sum, zip(t, before, strict=True))) for t in tables), strict=True))
        high = metric.from_counts(*zip(*(tuple(map(sum, zip(t, after, strict=True))) for t in tables), strict=True))
        assert all(h > b or math.isnan(h - b) for b, h in zip(low, high, strict=True)), (name, key)


@pytest.mark.thorough
def test_pieces_cover_every_point() -> None:
    tp, fn, fp, tn = CELLS
    formulas = [
        Max(tp, fn, Min(fp, tn)),
        Abs(tp - Abs(fn - fp)),
        Max(tp - fn, 0) / (1 + Abs(fp - tn)),
        Min(tp, tn) - sqrt(Abs(tp - tn)),
    ]
    for formula, point in itertools.product(formulas, itertools.product((1, 2, 5), repeat=4)):
        place = dict(zip(CELLS, map(Integer, point), strict=True))
        pieces = [p for p in smooth_pieces(formula) if all(c.xreplace(place) >= 0 for c in p.conditions)]
        assert pieces
        assert all(piece.formula.xreplace(place) == formula.xreplace(place) for piece in pieces)


def test_exact_values_of_a_refutation() -> None:
    verdict = sm.prove("f1", "increasing_tn")
    assert verdict.status == "refuted"
    assert verdict.witness is not None
    assert [Fraction(str(value)) for value in verdict.witness.values] == [Fraction(1, 2), Fraction(1, 2)]


X, Y = (1, 0), (0, 1)


@in_one_test
@pytest.mark.parametrize("sign", [">", ">="])
@pytest.mark.parametrize(
    ("values", "fails", "true_of"),
    [
        # It holds where no coefficient is negative, strictly only if one is positive.
        ({X: 1, Y: 2}, None, (">", ">=")),
        ({X: 1, Y: 0}, None, (">", ">=")),
        ({X: 0, Y: 0}, None, (">=",)),
        ({X: 1, Y: -1}, None, ()),
        # It fails where all are zero, if it is strict; an empty direction says so.
        ({X: 0, Y: 0}, (), (">",)),
        ({X: 0, Y: 1}, (), ()),
        ({X: 0, Y: -1}, (), ()),
        # It fails far out in a direction in which a single term, a negative one, grows fastest.
        ({X: 5, Y: -1}, (0, 1), (">", ">=")),
        ({X: 5, Y: -1}, (1, 0), ()),
        ({X: 5, Y: -1}, (1, 1), ()),
        ({X: 0, Y: -1}, (1, 0), (">", ">=")),
        ({X: 1, Y: 2}, (0, 1), ()),
    ],
)
def test_coefficients_between_thresholds_say_what_the_certificate_says(
    sign: str, values: dict[tuple[int, int], int], fails: tuple[int, ...] | None, true_of: tuple[str, ...]
) -> None:
    asked = SimpleNamespace(sign=sign)  # all that is asked of a claim here
    try:
        _check_piece(asked, values, fails)  # type: ignore[arg-type]
    except CertificateError:
        assert sign not in true_of
    else:
        assert sign in true_of


# Claims on a root of even degree, shown of what it is the root of: what holds is found, and what is not is refused.

RECALL = "TP/(TP + FN)"
NESTED = f"sqrt(1 - sqrt({RECALL}))"
"""From 0 to 1, and falling with TP."""
FIRST, SECOND = value_symbol(0), value_symbol(1)
t = parameter_symbol("t")
STEP = (CELLS[0] + t, *CELLS[1:])


def about(formula: str, relation: Expr, strict: bool = True, **more: Any) -> Comparison:
    family = StrictInequality if strict else Inequality
    return family(parse_formula(formula), (), (CELLS,), relation=relation, **more)


def along(formula: str, relation: Expr) -> Comparison:
    return StrictInequality(parse_formula(formula), (), (CELLS, STEP), (t,), relation)


def decided(claim: Comparison) -> Verdict:
    return decide(claim, metric="own", property="own")


HOLDS = {
    "below 1": about(NESTED, 1 - FIRST),
    "above 0": about(NESTED, FIRST),
    "nowhere below 0": about(NESTED, FIRST, strict=False),
    "a multiple, plus a number": about(f"2 + 3*{NESTED}", 5 - FIRST),
    "a negative multiple from below": about(f"2 - 3*{NESTED}", FIRST + 1),
    "a negative multiple from above": about(f"2 - 3*{NESTED}", 2 - FIRST),
    "an irrational bound": about("sqrt(2 - 2*TP/sqrt((TP + FN)*(TP + FP)))", sqrt(2) - FIRST),
    "of degree 4": about(f"(1 - sqrt({RECALL}))**(1/4)", 1 - FIRST),
    "of degree 4, from 1 to 2": about(f"(16 - 15*sqrt({RECALL}))**(1/4)", 2 - FIRST),
    "falling": along(NESTED, FIRST - SECOND),
    "rising": along(f"1 - {NESTED}", SECOND - FIRST),
    "twice nested": about(f"sqrt(2 - {NESTED})", sqrt(2) - FIRST),
    "a logarithm in it": along("sqrt(log(1 + TP))", SECOND - FIRST),
}


@in_one_test
@pytest.mark.parametrize("name", HOLDS)
def test_what_holds_of_a_root_is_proved_and_verified(name: str) -> None:
    verdict = decided(HOLDS[name])
    assert (verdict.status, verdict.evidence.kind) == ("proved", "even root")
    check(verdict)


DOES_NOT_HOLD = {
    "below 1/2": about(NESTED, Rational(1, 2) - FIRST),
    "above 1/2": about(NESTED, FIRST - Rational(1, 2)),
    "below a negative number": about(NESTED, -1 - FIRST),
    "a negative multiple from below": about(f"2 - 3*{NESTED}", FIRST),
    "rising": along(NESTED, SECOND - FIRST),
    "falling": along(f"1 - {NESTED}", FIRST - SECOND),
    "real nowhere": about("sqrt(-1 - sqrt(TP))", 1 - FIRST),
    "rising where it is real nowhere": along("sqrt(-1 - sqrt(FN) - 1/TP)", SECOND - FIRST),
}


@in_one_test
@pytest.mark.parametrize("name", DOES_NOT_HOLD)
def test_what_does_not_hold_of_a_root_is_not_proved(name: str) -> None:
    assert decided(DOES_NOT_HOLD[name]).status in ("refuted", "open")


radicands = st.sampled_from(
    [f"sqrt({RECALL})", "TP/sqrt((TP + FN)*(TP + FP))", "sqrt(TP*TN/((TP + FN)*(FP + TN)))", "sqrt(TP)/(sqrt(TP) + FN)"]
)


@given(radicands, st.integers(-3, 3), st.integers(-3, 3).filter(bool), st.integers(-3, 4), st.sampled_from([2, 4]))
def test_bounds_of_a_root_are_decided(radicand: str, shift: int, scale: int, bound: int, degree: int) -> None:
    """Each radicand has the range (0, 1), so that the formula lies between the shift and its sum with the scale."""
    formula, ends = f"{shift} + ({scale})*(1 - {radicand})**(1/{degree})", (shift, shift + scale)
    for relation, holds in ((bound - FIRST, bound >= max(ends)), (FIRST - bound, bound <= min(ends))):
        verdict = decided(about(formula, relation))
        # Of a bound that lies behind the shift nothing is said: there is no radicand for it.
        assert (verdict.status == "proved") == (holds and (bound - shift) * scale >= 0)
        if holds and verdict.status == "proved":
            check(verdict)


def test_distances_that_are_roots_have_their_ranges() -> None:
    """Legendre & Legendre, Numerical Ecology (1998), ch. 7: chord distance is at most sqrt(2)."""
    assert str(sm.prove("chord_distance", "range").value) == "(0, sqrt(2))"
    assert str(sm.prove("hellinger_distance", "range").value) == "(0, 2)"
    assert math.isclose(float(sm.metrics["chord_distance"].from_counts(0, 1, 1, 5)), math.sqrt(2))
    assert sm.metrics["hellinger_distance"].exact(Fraction(0), 1, 1, 5) == 2


# Z3 is asked only on request; what rests on its word says so, and is asked again in another form.

MOTZKIN = TP**4 * FN**2 + TP**2 * FN**4 + 1 - 3 * TP**2 * FN**2
"""Nowhere negative, zero at (1, 1), and no sum of squares."""


def test_question_and_answer() -> None:
    pytest.importorskip("z3")
    question = Question(CELLS)
    question.require(sqrt(TP / (TP + FN)) - 1, ">=")
    assert question.answer() == "unsat"
    question = Question(CELLS)
    question.require(TP - FN, ">")
    assert question.answer() == "sat"


def test_what_rests_on_its_word_is_named_and_confirmed() -> None:
    pytest.importorskip("z3")
    claim = Inequality(MOTZKIN, (), (CELLS,), relation=value_symbol(0))
    assert decide(claim, metric="motzkin", property="nonnegative").evidence.kind != "z3"
    with asking_z3():
        verdict = decide(claim, metric="motzkin", property="nonnegative")
    assert verdict.status == "proved"
    if verdict.evidence.kind == "z3":
        assert "Z3" in verdict.evidence.sentence
    check(Verdict.from_json(verdict.to_json()))


def test_its_word_cannot_be_put_into_its_mouth() -> None:
    pytest.importorskip("z3")
    false = StrictInequality(MOTZKIN, (), (CELLS,), relation=value_symbol(0))
    forged = Verdict("motzkin", "positive", false, "proved", True, Evidence("z3"))
    with pytest.raises(CertificateError, match="Z3 does not confirm it"):
        check(forged)


def test_logarithms_are_not_asked_about() -> None:
    pytest.importorskip("z3")
    with pytest.raises(sm.SymmetricsError, match="Z3 is not asked about log"):
        Question(CELLS).require(log(TP) + FP * TN, ">")


def test_without_z3_there_is_a_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("symmetrics.prover.engine.smt.is_installed", lambda: False)
    with pytest.raises(InputError, match=r"Z3 is not installed: pip install"):
        sm.prove("f1", "increasing_tp", smt=True)
