"""Inequalities: verdicts with known answers, thresholds against bound parameters, brute force, tampering."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest
from effort import in_one_test, some
from recorded import recorded, status
from sympy import Abs, Expr, Integer, Max, Min, Rational, log, sqrt
from tables import rows

import symmetrics as sm
from symmetrics.algebra.pieces import smooth_pieces
from symmetrics.checker import check as check_evidence
from symmetrics.checker.families.inequalities import _check_piece
from symmetrics.claims import Comparison, Inequality, value_symbol
from symmetrics.claims.verdict import Verdict
from symmetrics.language.cells import CELLS
from symmetrics.language.condition import condition_text
from symmetrics.prover import decide
from symmetrics.tools.errors import CertificateError

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
