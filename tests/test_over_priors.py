"""Ranges of class priors: extremes, crossings and means, against root finding, grids, quadrature and arithmetic."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from effort import examples, in_one_test
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, stats
from sympy import Abs, Expr, Interval, Max, Rational, S, log, oo, sqrt

import symmetrics as sm
from symmetrics import FN, FP, TN, TP, Metric
from symmetrics.algebra.integrals import certified_integral
from symmetrics.algebra.one_variable import Univariate, gaps, regions
from symmetrics.language.cells import parameter_symbol
from symmetrics.metric.over_priors import PriorLine, middle
from symmetrics.metric.priors import PRIOR
from symmetrics.tools.errors import BudgetError, InputError, UnsupportedError

Rates = tuple[mpmath.mpf, mpmath.mpf]
A, B = (90, 10, 20, 80), (70, 30, 5, 95)
PAIRS = [
    (A, B),
    ((9, 1, 2, 8), (7, 3, 1, 19)),
    ((60, 40, 1, 99), (95, 5, 30, 70)),
    ((33, 17, 10, 190), (45, 5, 40, 160)),
    ((8, 2, 3, 7), (6, 4, 1, 9)),
    ((500, 1, 300, 200), (400, 101, 20, 480)),
]
X = parameter_symbol("x")


def precision(p: mpmath.mpf, tpr: mpmath.mpf, tnr: mpmath.mpf) -> mpmath.mpf:
    return p * tpr / (p * tpr + (1 - p) * (1 - tnr))


def kappa(p: mpmath.mpf, tpr: mpmath.mpf, tnr: mpmath.mpf) -> mpmath.mpf:
    predicted = p * tpr + (1 - p) * (1 - tnr)
    chance = p * predicted + (1 - p) * (1 - predicted)
    return (p * tpr + (1 - p) * tnr - chance) / (1 - chance)


def mcc(p: mpmath.mpf, tpr: mpmath.mpf, tnr: mpmath.mpf) -> mpmath.mpf:
    predicted = p * tpr + (1 - p) * (1 - tnr)
    return p * (1 - p) * (tpr + tnr - 1) / mpmath.sqrt(p * (1 - p) * predicted * (1 - predicted))


OF_RATES: dict[str, Callable[..., mpmath.mpf]] = {
    "accuracy": lambda p, tpr, tnr: p * tpr + (1 - p) * tnr,
    "precision": precision,
    "f1": lambda p, tpr, tnr: 2 / (1 / tpr + 1 / precision(p, tpr, tnr)),
    "kappa": kappa,
    "mcc": mcc,
    "fowlkes_mallows": lambda p, tpr, tnr: mpmath.sqrt(tpr * precision(p, tpr, tnr)),
    "npv": lambda p, tpr, tnr: (1 - p) * tnr / ((1 - p) * tnr + p * (1 - tpr)),
}
"""Metrics as functions of the prior and the rates, written by hand."""


def rates(table: tuple[int, ...]) -> Rates:
    tp, fn, fp, tn = map(mpmath.mpf, table)
    return tp / (tp + fn), tn / (fp + tn)


# -- crossings ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", OF_RATES)
def test_crossings_are_those_of_root_finding_at_fifty_digits(name: str) -> None:
    with mpmath.workdps(60):
        for first, second in PAIRS:
            found = sm.winner({"A": first, "B": second}, name)

            one, other = rates(first), rates(second)

            def gap(p: object, one: Rates = one, other: Rates = other) -> mpmath.mpf:
                return OF_RATES[name](mpmath.mpf(p), *one) - OF_RATES[name](mpmath.mpf(p), *other)

            grid = [mpmath.mpf(k) / 61 for k in range(1, 61)]
            brackets = [(a, b) for a, b in itertools.pairwise(grid) if gap(a) * gap(b) < 0]
            roots = [mpmath.findroot(gap, bracket, solver="anderson", tol=1e-110) for bracket in brackets]
            assert len(roots) == len(found.crossings)
            for root, crossing in zip(roots, found.crossings, strict=True):
                assert not isinstance(crossing, Interval)
                assert mpmath.almosteq(root, mpmath.mpmathify(crossing.evalf(60)), 1e-50)
            # Who is better in each region.
            for region in found.regions:
                inside = (middle(region.low) + middle(region.high)) / 2
                assert region.best == (("A",) if gap(inside) > 0 else ("B",))


@in_one_test
@pytest.mark.parametrize(
    ("metric", "crossings"),
    [
        ("accuracy", (Rational(3, 7),)),  # 0.8 + 0.1 p = 0.95 - 0.25 p
        ("f1", (Rational(19, 59),)),  # 1.8/(1.9 p + 0.2 (1 - p)) = 1.4/(1.7 p + 0.05 (1 - p))
        ("precision", ()),  # 0.9/0.2 < 0.7/0.05 at every prior
        ("balanced_accuracy", ()),
        ("error_rate", (Rational(3, 7),)),
    ],
)
def test_crossings_by_hand(metric: str, crossings: tuple[Expr, ...]) -> None:
    found = sm.winner({"A": A, "B": B}, metric)
    assert found.crossings == crossings
    if crossings:
        assert [region.best for region in found.regions] == [("B",), ("A",)]
        assert found.is_loss is (metric == "error_rate")


def test_a_crossing_of_logarithms_is_enclosed() -> None:
    lines = {name: PriorLine(sm.metrics["mutual_information"], table) for name, table in (("A", A), ("B", B))}
    formulas = {name: line.expression for name, line in lines.items()}
    (_, region), left_open = regions(formulas, PRIOR, Rational(1, 10), Rational(9, 10))
    crossing = region.low
    assert not left_open
    assert isinstance(crossing, Interval)
    assert crossing.end - crossing.start < Rational(1, 10**25)
    values = [[_at("mutual_information", table, end) for table in (A, B)] for end in (crossing.start, crossing.end)]
    assert (values[0][0] < values[0][1]) != (values[1][0] < values[1][1])


def _at(name: str, table: tuple[int, ...], prior: Rational) -> Expr:
    return sm.metrics[name].at_prior(prior).exact(*table).evalf(60)


def test_three_classifiers_and_ties() -> None:
    three = sm.winner({"A": A, "B": B, "C": (80, 20, 9, 91)}, "accuracy")
    assert [(region.low, region.high, region.best) for region in three.regions] == [
        (0, Rational(2, 7), ("B",)),
        (Rational(2, 7), Rational(11, 21), ("C",)),
        (Rational(11, 21), 1, ("A",)),
    ]
    (region,) = sm.winner({"one": A, "twice": tuple(2 * cell for cell in A)}, "mcc").regions
    assert (region.low, region.high, region.best) == (0, 1, ("one", "twice"))
    assert "one and twice are tied" in repr(sm.winner({"one": A, "twice": A}, "kappa"))
    # A minimum is one of two lines, so that curves may also run together on a part of the range.
    worst = sm.winner({"A": A, "B": B}, Metric("worst", "Min(TP/(TP+FN), (TP+TN)/(TP+FN+FP+TN))"))
    assert worst.regions[-1].best == ("A",)


@settings(max_examples=examples(160), deadline=None)
@given(st.lists(st.tuples(*[st.integers(1, 40)] * 4), min_size=2, max_size=2, unique=True))
def test_laws_of_winners(tables: list[tuple[int, ...]]) -> None:
    first, second = tables
    found = sm.winner({"A": first, "B": second}, "accuracy")
    turned = sm.winner({"B": second, "A": first}, "accuracy")
    assert found.crossings == turned.crossings
    assert [set(region.best) for region in found.regions] == [set(region.best) for region in turned.regions]
    ends = [end for region in found.regions for end in (region.low, region.high)]
    assert (ends[0], ends[-1]) == (0, 1)
    assert ends[1:-1:2] == ends[2::2]
    # Two lines cross where their difference, which is linear, is zero.
    tpr, tnr = ([Fraction(t[i], t[i] + t[j]) for t in tables] for i, j in ((0, 1), (3, 2)))
    at_zero, at_one = tnr[0] - tnr[1], tpr[0] - tpr[1]
    wanted = [at_zero / (at_zero - at_one)] if at_zero * at_one < 0 else []
    assert [Fraction(int(c.p), int(c.q)) for c in found.crossings] == wanted


# -- extremes ----------------------------------------------------------------------------------------------------------


@in_one_test
@pytest.mark.parametrize(
    ("metric", "table", "ends", "low", "high"),
    [
        ("accuracy", A, ("1/10", "1/2"), ("81/100", "1/10", True), ("17/20", "1/2", True)),
        ("recall", A, (0, 1), ("9/10", None, True), ("9/10", None, True)),
        ("precision", A, (0, 1), ("0", "0", True), ("1", "1", True)),
        ("mcc", A, (0, 1), ("0", "0", True), (sqrt(2) / 2, "4/7", True)),
        ("kappa", A, (0, 1), ("0", "0", True), ((238 - 28 * sqrt(2)) / 281, 2 - sqrt(2), True)),
        ("conviction", A, ("1/2", 1), ("11/4", "1/2", True), ("9/2", "1", False)),
        ("skew_ratio", A, (0, 1), ("0", "1", True), (oo, "0", False)),
        ("accuracy", (5, 0, 0, 5), (0, 1), ("1", None, True), ("1", None, True)),
        # 1/(TP - FP) with rates 3/4 and 3/4 has a pole at prior 1/4: the share of TP is 3p/4, of FP (1 - p)/4.
        ("1/(TP - FP)", (3, 1, 1, 3), (0, 1), (-oo, "1/4", False), (oo, "1/4", False)),
        # 1/(2 p^2 - 1)^2, with a pole at a prior that is not rational.
        (
            "(TP+FN+FP+TN)**4/(2*(TP+FN)**2 - (TP+FN+FP+TN)**2)**2",
            A,
            (0, 1),
            ("1", "0", True),
            (oo, sqrt(2) / 2, False),
        ),
        # The distance of the positive share from one half: a kink.
        ("Abs(TP + FN - FP - TN)/(TP + FN + FP + TN)", A, ("1/4", 1), ("0", "1/2", True), ("1", "1", True)),
    ],
)
def test_extremes_by_hand(metric: str, table: tuple[int, ...], ends: tuple, low: tuple, high: tuple) -> None:
    known = sm.metrics.get(metric) or Metric("mine", metric)
    found = known.over_priors(table, *ends)
    for value, at, attained, wanted in (
        (found.low, found.at_low, found.low_attained, low),
        (found.high, found.at_high, found.high_attained, high),
    ):
        assert value == S(wanted[0]) or (value - S(wanted[0])).simplify() == 0, (metric, value)
        assert wanted[1] is None or (at - S(wanted[1])).simplify() == 0, (metric, at)
        assert attained is wanted[2]


def test_priors_without_a_value_are_named() -> None:
    assert sm.metrics["recall"].over_priors(A, 0, 1).undefined == (0,)
    assert Metric("mine", 1 / (TP - FP)).over_priors((3, 1, 1, 3), 0, 1).undefined == (Rational(1, 4),)
    root = Metric("mine", sqrt(TP - FP)).over_priors((3, 1, 1, 3), 0, 1)
    assert Interval.open(0, Rational(1, 4)) in root.undefined
    assert (root.low, root.at_low) == (0, Rational(1, 4))
    assert "undefined at prior" in repr(root)
    at_one = sm.metrics["precision"].over_priors(A, "1/2", "1/2")
    assert at_one.low == at_one.high == Rational(9, 11)


BOUND = {name: metric for name, metric in sm.metrics.items() if all(p.default is not None for p in metric.parameters)}
SLOW = ("geometric_normalized_mutual_information", "minimum_normalized_mutual_information", "stiles")
GRID = np.linspace(0.01, 0.9, 357)


@pytest.mark.sampled(8)
@pytest.mark.parametrize("name", [name for name in BOUND if name not in SLOW])
def test_no_prior_of_a_grid_has_a_value_beyond_the_extremes(name: str) -> None:
    metric = BOUND[name]
    for table in (A, (30, 30, 7, 13)):
        try:
            found = metric.over_priors(table, "0.01", "0.9", seconds=250)
        except (InputError, UnsupportedError):  # no value at these rates
            assert not np.isfinite(_on_grid(metric, table)).all()
            continue
        values = _on_grid(metric, table)
        values = values[np.isfinite(values)]
        slack = 1e-9 * max(1.0, float(np.abs(values).max()))
        low, high = middle(found.low), middle(found.high)
        assert low - slack <= values.min() <= values.max() <= high + slack
        # The grid comes near to them where they are finite.
        near = 0.05 * (high - low) + slack
        assert not (math.isfinite(low) and math.isfinite(high)) or (
            values.min() <= low + near and values.max() >= high - near
        )
        for value, at, attained in (
            (found.low, found.at_low, found.low_attained),
            (found.high, found.at_high, found.high_attained),
        ):
            if attained and at.is_Rational:
                assert metric.at_prior(at).exact(*table).equals(value)


def _on_grid(metric: Metric, table: tuple[int, ...]) -> np.ndarray:
    tp, fn, fp, tn = table
    n, positive, negative = sum(table), GRID / (tp + fn), (1 - GRID) / (fp + tn)
    return np.asarray(
        metric.from_counts(*(n * share for share in (tp * positive, fn * positive, fp * negative, tn * negative)))
    )


@pytest.mark.thorough
@pytest.mark.parametrize("name", SLOW)
def test_the_slow_ones_on_a_narrow_range(name: str) -> None:
    found = BOUND[name].over_priors(A, "2/5", "3/5", seconds=200)
    values = _on_grid(BOUND[name], A)[(GRID >= 0.4) & (GRID <= 0.6)]
    assert middle(found.low) - 1e-9 <= values.min() <= values.max() <= middle(found.high) + 1e-9


@settings(max_examples=examples(48), deadline=None)
@given(st.tuples(*[st.integers(1, 30)] * 4), st.lists(st.fractions(0, 1, max_denominator=50), min_size=4, max_size=4))
def test_a_wider_range_has_wider_extremes(table: tuple[int, ...], priors: list[Fraction]) -> None:
    first, low, high, last = sorted(priors)
    for name in ("f1", "mcc"):
        inner, outer = sm.metrics[name].over_priors(table, low, high), sm.metrics[name].over_priors(table, first, last)
        assert middle(outer.low) <= middle(inner.low) + 1e-12
        assert middle(inner.high) <= middle(outer.high) + 1e-12


# -- means -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["accuracy", "precision", "f1", "mcc", "kappa", "mutual_information"])
def test_means_are_those_of_quadrature(name: str) -> None:
    metric = sm.metrics[name]
    for a, b in (("2", "5"), ("1/2", "3/2")):
        found = metric.expected_over_priors(A, a, b)
        law = stats.beta(float(Fraction(a)), float(Fraction(b)))

        def at(quantile: float, law: object = law) -> float:
            p = law.ppf(quantile)  # type: ignore[attr-defined]
            return float(metric.from_counts(180 * p, 20 * p, 40 * (1 - p), 160 * (1 - p)))

        assert float(found) == pytest.approx(integrate.quad(at, 0, 1, limit=200)[0], abs=1e-6)
        assert not isinstance(found.value, Interval) or found.value.end - found.value.start < Rational(1, 10**12)


def test_means_by_hand() -> None:
    mean = sm.metrics["accuracy"].expected_over_priors
    assert mean(A, "1/3", "2/3").value == Rational(8, 10) + Rational(1, 10) / 3
    # 4/5 + p/10, whose square has the second moment a(a + 1)/((a + b)(a + b + 1)) = 3/10 for a = 2, b = 2.
    squared = Metric("squared", (TP + TN) ** 2 / (TP + FN + FP + TN) ** 2)
    wanted = Rational(16, 25) + 2 * Rational(4, 50) * Rational(1, 2) + Rational(3, 1000)
    assert squared.expected_over_priors(A, 2, 2).value == wanted
    assert sm.metrics["precision"].expected_over_priors(A).value == Rational(9, 7) - 18 * log(Rational(9, 2)) / 49
    # Of many examples the mean tends to the value at the mean.
    narrow = float(sm.metrics["mcc"].expected_over_priors(A, 4000, 3000))
    assert narrow == pytest.approx(float(sm.metrics["mcc"].at_prior("4/7").exact(*A)), abs=1e-4)
    with pytest.raises(InputError, match="no value at priors near"):
        Metric("root", sqrt(TP - FP)).expected_over_priors((3, 1, 1, 3))


# -- formulas in one variable ------------------------------------------------------------------------------------------


@settings(max_examples=examples(160), deadline=None)
@given(st.sets(st.fractions("1/20", "19/20", max_denominator=30), min_size=1, max_size=4))
def test_zeros_of_polynomials_and_of_what_has_roots(zeros: set[Fraction]) -> None:
    rational = [Rational(zero.numerator, zero.denominator) for zero in sorted(zeros)]
    poly = math.prod((X - zero for zero in rational), start=S.One)
    assert [point.number for point in Univariate(poly, X, S.Zero, S.One).breaks()] == rational
    # sqrt(x) - sqrt(z) + |x - z| is zero at z alone; its norm has other roots, where the sign stays.
    kinked = sqrt(X) - sqrt(rational[0]) + Abs(X - rational[0])
    curve = Univariate(kinked, X, S.Zero, S.One)
    signs = [curve.sign_at(inside) for _, inside, _ in gaps([curve.ends[0], *curve.breaks(), curve.ends[1]])]
    assert rational[0] in [point.number for point in curve.breaks()]
    assert signs[-1] == 1


def test_the_largest_of_several_formulas() -> None:
    found, left_open = regions({"a": Max(X, 1 - X), "b": sqrt(X), "c": S.Half}, X, S.Zero, S.One)
    assert [(region.low, region.high, region.best) for region in found] == [
        (0, (3 - sqrt(5)) / 2, ("a",)),
        ((3 - sqrt(5)) / 2, 1, ("b",)),
    ]
    assert not left_open
    (flat,), _ = regions({"a": X * log(X) / log(X), "b": X}, X, S.Zero, S.One)
    assert flat.best == ("a", "b")


def test_certified_integrals() -> None:
    for integrand, wanted in (
        (sqrt(X), 2 / 3),
        (Abs(X - Rational(1, 3)), 5 / 18),
        (Max(X, 1 - X), 3 / 4),
        (1 / (1 + X**2), math.pi / 4),
    ):
        ball = certified_integral(integrand, X)
        assert float(ball.mid()) == pytest.approx(wanted, abs=1e-12)
        assert float(ball.rad()) < 1e-12
    with pytest.raises(UnsupportedError, match="not bounded"):
        certified_integral(1 / X, X)


# -- input -------------------------------------------------------------------------------------------------------------


def test_tables_come_in_several_forms() -> None:
    f1 = sm.metrics["f1"]
    matrix = sm.ConfusionMatrix.of([1] * 10 + [0] * 20, [1] * 9 + [0] + [1] * 4 + [0] * 16)
    wanted = f1.over_priors((9, 1, 4, 16), "0.1", "0.2")
    assert f1.over_priors(matrix, 0.1, Fraction(1, 5)) == wanted
    assert f1.over_priors({"tn": 16, "tp": 9, "fn": 1, "fp": 4}, "1/10", "1/5") == wanted
    assert f1.over_priors(np.array([9, 1, 4, 16]), 0.1, 0.2) == wanted


@in_one_test
@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda m: m.over_priors(A, "1/2", "1/4"), "low is 1/2 and high is 1/4"),
        (lambda m: m.over_priors(A, -1, "1/4"), "low is -1: a prior lies between 0 and 1"),
        (lambda m: m.over_priors(A, 0, 2), "high is 2: a prior lies"),
        (lambda m: m.over_priors(A, math.nan, 1), "low: nan is not a finite number"),
        (lambda m: m.over_priors((0, 0, 2, 3), 0, 1), r"0, 0, 2, 3 has no positive examples \(TP \+ FN = 0\)"),
        (lambda m: m.over_priors((2, 3, 0, 0), 0, 1), "no negative examples"),
        (lambda m: m.over_priors((1, 2, 3, -4), 0, 1), "-4 is no count"),
        (lambda m: m.over_priors((1, 2, math.nan, 4), 0, 1), "fp: nan is not a finite number"),
        (lambda m: m.over_priors((1, 2, 3), 0, 1), "a table of 3 cells; give four"),
        (lambda m: m.over_priors("abcd", 0, 1), "is no table"),
        (lambda m: m.over_priors(5, 0, 1), "5 is no table"),
        (lambda _: sm.metrics["odds_ratio"].over_priors((5, 0, 2, 3), 0, 1), "no finite value .* FN of the table is 0"),
        (lambda _: sm.metrics["recall"].over_priors(A, 0, 0), "no value at any prior from 0 to 0"),
        (lambda m: m.expected_over_priors(A, 0, 1), "a is 0 and b is 1"),
        (lambda m: m.expected_over_priors(A, "x", 1), "a: cannot read 'x'"),
        (lambda m: sm.winner({"A": A}, m), "two tables or more by name"),
        (lambda m: sm.winner([A, B], m), "two tables or more by name"),
        (lambda m: sm.winner({"A": A, "B": B}, m, over="cost"), "over='cost' is not available"),
        (lambda m: sm.winner({"A": A, "B": B}, m, low=1, high=1), "low and high are both 1"),
        (lambda m: sm.winner({"A": A, "B": (0, 0, 1, 2)}, m), "no positive examples"),
    ],
)
def test_bad_input_gets_one_clear_line(ask: Callable[[Metric], object], message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        ask(sm.metrics["f1"])
    assert "\n" not in str(caught.value)


def test_time_is_bounded() -> None:
    with pytest.raises(BudgetError, match="not decided within"):
        sm.metrics["geometric_normalized_mutual_information"].over_priors(A, 0, 1, seconds=0.2)


# -- the picture -------------------------------------------------------------------------------------------------------


def test_the_picture_marks_crossings_and_extremes() -> None:
    pytest.importorskip("matplotlib")
    drawn = sm.metrics["accuracy"].plot.prior(tables={"A": A, "B": B}, low="1/20", high="7/10")
    curves = [line for line in drawn.lines if len(line.get_xdata()) > 2]
    marks = [
        (float(line.get_xdata()[0]), float(line.get_ydata()[0])) for line in drawn.lines if len(line.get_xdata()) == 1
    ]
    assert [line.get_label() for line in curves] == ["A", "B"]
    assert np.array(sorted(marks)) == pytest.approx(
        np.array([(0.05, 0.805), (0.05, 0.9375), (0.7, 0.775), (0.7, 0.87)])
    )
    (crossing,) = (line for line in drawn.lines if len(line.get_xdata()) == 2)
    assert crossing.get_xdata()[0] == pytest.approx(3 / 7)
    assert any(text.get_text().strip() == "0.429" for text in drawn.texts)
