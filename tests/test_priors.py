"""Metrics under a changed prior, and operating points: against exact tables, brute force and the literature."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest
from effort import examples, in_one_test, is_thorough, some
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import Abs, Expr, Rational, S, oo, sqrt

import symmetrics as sm
from symmetrics import FN, FP, TN, TP, Metric, Parameter, parse_formula
from symmetrics.curves.operating import (
    Costs,
    OperatingPoint,
    best_point,
    expected_cost,
    on_curve,
    point_at_tpr,
    threshold,
)
from symmetrics.language.cells import CELLS
from symmetrics.metric.priors import (
    FPR,
    POSITIVE_FRACTION,
    PRIOR,
    PURITY,
    TNR,
    TOTAL,
    TPR,
    in_counts,
    in_rates,
    is_homogeneous,
    prior_derivative,
    prior_limit,
    prove_in_rates,
)
from symmetrics.tools.errors import InputError, UnsupportedError

NAMES = sorted(sm.metrics)
BOUND = {name: metric for name, metric in sm.metrics.items() if all(p.default is not None for p in metric.parameters)}
RATES = {TPR: Rational(3, 5), TNR: Rational(5, 7), PRIOR: Rational(1, 9), TOTAL: Rational(315)}


def table_of(tpr: Rational, tnr: Rational, prior: Rational, total: Rational) -> tuple[Rational, ...]:
    """Return the table that has these rates, as the definitions of the rates say."""
    positives, negatives = prior * total, total - prior * total
    return tpr * positives, positives - tpr * positives, negatives - tnr * negatives, tnr * negatives


TABLE = table_of(*RATES.values())


# -- formulas in rates -------------------------------------------------------------------------------------------------


@pytest.mark.thorough
@pytest.mark.parametrize("name", NAMES)
def test_every_metric_in_rates_is_proved(name: str) -> None:
    verdict = prove_in_rates(sm.metrics[name])
    if name == "stiles":  # the logarithm of a square, in n as well: it stays as it is, and is large
        assert "has too many terms to be checked" in verdict.evidence.sentence
    else:
        assert verdict.status == "proved"
    assert not in_rates(sm.metrics[name]).free_symbols & set(CELLS)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", sorted(BOUND))
def test_values_in_rates(name: str) -> None:
    metric = BOUND[name]
    ours = in_rates(metric).xreplace({p.symbol: p.default for p in metric.parameters}).xreplace(RATES)
    assert abs(float(ours) - float(metric.exact(*TABLE))) < 1e-12


@in_one_test
@pytest.mark.parametrize(
    ("name", "expression"),
    [  # Landgrebe et al. (2005), equations (5) and (6), and what follows from the definitions by hand
        ("positive_fraction", POSITIVE_FRACTION),
        ("precision", PURITY),
        ("positive_fraction", TPR * PRIOR / PURITY),
        ("accuracy", PRIOR * TPR + (1 - PRIOR) * TNR),
        ("skew_ratio", (1 - PRIOR) / PRIOR),
        ("gmean", sqrt(TPR * TNR)),
        ("f1", 2 * PRIOR * TPR / (PRIOR * TPR + PRIOR + (1 - PRIOR) * FPR)),
        ("hamming_distance", TOTAL * (PRIOR * (1 - TPR) + (1 - PRIOR) * FPR)),
        ("ample", Abs(TPR - FPR)),
    ],
)
def test_equations_are_proved(name: str, expression: Expr) -> None:
    verdict = prove_in_rates(sm.metrics[name], expression)
    assert verdict.status == "proved"
    sm.check(verdict, sm.metrics[name])


def test_equations_of_landgrebe() -> None:
    # Equations 2 to 4 of Landgrebe are the same as 5 and 6.
    positives, negatives = TP + FN, FP + TN
    second = (TPR * positives + FPR * negatives) / (positives + negatives)
    fourth = TPR * positives / (TPR * positives + FPR * negatives)
    assert prove_in_rates(sm.metrics["positive_fraction"], second).status == "proved"
    assert prove_in_rates(sm.metrics["precision"], fourth).status == "proved"
    assert in_counts(POSITIVE_FRACTION).xreplace(dict(zip(CELLS, TABLE, strict=True))) == Rational(101, 315)
    # A wrong equation is refuted.
    verdict = prove_in_rates(sm.metrics["precision"], TPR / (TPR + PRIOR / (1 - PRIOR) * FPR))
    assert verdict.status == "refuted"
    assert verdict.witness is not None
    # The table of the rates is whole.
    assert TABLE == (21, 14, 80, 200)


@pytest.mark.thorough
def test_what_depends_on_the_number_of_examples() -> None:
    depending = {"chi_square", "hamming_distance", "laplace"}
    names = sorted({*some(NAMES, 6), *depending})
    kept = [name for name in names if TOTAL in in_rates(sm.metrics[name]).free_symbols]
    assert kept == [name for name in names if not is_homogeneous(sm.metrics[name])]
    assert depending <= set(kept)
    assert len(kept) == 31 or not is_thorough()


# -- derivatives and limits --------------------------------------------------------------------------------------------


@pytest.mark.thorough
@pytest.mark.parametrize(
    "name", ["precision", "f1", "mcc", "kappa", "chi_square", "optimized_precision", "tpr", "lift"]
)
def test_derivative_by_the_prior(name: str) -> None:
    metric = sm.metrics[name]
    difference = prior_derivative(metric) - in_rates(metric).diff(PRIOR)
    for prior in (Rational(1, 9), Rational(2, 3)):
        assert abs(float(difference.xreplace({**RATES, PRIOR: prior}))) < 1e-9


@in_one_test
@pytest.mark.parametrize(
    ("name", "zero", "one"),
    [
        ("precision", S.Zero, S.One),
        ("positive_fraction", 1 - TNR, TPR),
        ("accuracy", TNR, TPR),
        ("f1", S.Zero, 2 * TPR / (TPR + 1)),
        ("mcc", S.Zero, S.Zero),
        ("skew_ratio", oo, S.Zero),
        ("lift", TPR / (1 - TNR), S.One),
        ("hamming_distance", TOTAL * (1 - TNR), TOTAL * (1 - TPR)),
        ("least_contradiction", -oo, TPR),
        ("extreme_dependency_score", S.One, S.NegativeOne),
    ],
)
def test_limits(name: str, zero: Expr, one: Expr) -> None:
    for end, expected in enumerate((zero, one)):
        limit = prior_limit(sm.metrics[name], end)
        assert limit == expected or (limit - expected).factor() == 0


@pytest.mark.sampled(1)
@pytest.mark.parametrize("end", [0, 1])
def test_limits_of_all_metrics_agree_with_values_near_the_end(end: int) -> None:
    """The value at a prior of 1e-24 from the end is nearer to the limit than the one at 1e-12, or both are there."""
    open_ones = []
    for name, metric in some(BOUND.items(), 4, str(end)):
        try:
            limit = prior_limit(metric, end)
        except UnsupportedError:
            open_ones.append(name)
            continue
        limit = limit.xreplace({p.symbol: p.default for p in metric.parameters}).xreplace(RATES)
        gaps = [Rational(1, 10**12), Rational(1, 10**48)]
        formula = in_rates(metric).xreplace({p.symbol: p.default for p in metric.parameters})
        near = [formula.xreplace({**RATES, PRIOR: gap if end == 0 else 1 - gap}).evalf(30, maxn=400) for gap in gaps]
        if limit.is_infinite:
            assert abs(near[1]) > abs(near[0]), name
            assert (near[1] > 0) == (limit > 0), name
        else:
            first, second = (abs(float(value - limit.evalf(30))) for value in near)
            assert second < 1e-6 or second < 0.3 * first, name
    assert len(open_ones) <= 8, open_ones


def test_derivatives_and_limits_by_hand() -> None:
    # Derivatives by hand.
    below = PRIOR * TPR + (1 - PRIOR) * (1 - TNR)
    assert (prior_derivative(sm.metrics["precision"]) - TPR * (1 - TNR) / below**2).factor() == 0
    assert prior_derivative(sm.metrics["kuhns_2"]).free_symbols == {PRIOR, TPR, TNR}
    # What limits refuse.
    with pytest.raises(InputError, match="end=2 is not an end"):
        prior_limit(sm.metrics["f1"], 2)
    with pytest.raises(UnsupportedError):
        prior_limit(sm.metrics["tversky"])
    assert prior_limit(sm.metrics["tversky"].at(alpha=1, beta=1)) == 0
    # Names of rates are refused as parameters.
    metric = Metric("mine", TP / (TP + sm.parse_formula("prior", parameters=("prior",)) * FP), ("prior",))
    for function in (in_rates, prior_limit, prior_derivative):
        with pytest.raises(InputError, match="the parameter prior has the name of a rate here; rename it"):
            function(metric)


# -- at a prior --------------------------------------------------------------------------------------------------------

COUNTS = st.integers(1, 40)


@settings(max_examples=examples(60), deadline=None)
@given(
    name=st.sampled_from(sorted(BOUND)),
    counts=st.tuples(COUNTS, COUNTS, COUNTS, COUNTS),
    prior=st.fractions(Fraction(1, 50), Fraction(49, 50), max_denominator=50),
)
def test_at_prior_is_the_value_of_the_weighted_table(name: str, counts: tuple[int, ...], prior: Fraction) -> None:
    tp, fn, fp, tn = counts
    share = Rational(prior.numerator, prior.denominator)
    weighted = table_of(Rational(tp, tp + fn), Rational(tn, fp + tn), share, Rational(sum(counts)))
    metric = BOUND[name]
    shifted = metric.at_prior(prior)
    expected = metric.exact(*weighted)
    assert shifted.exact(*counts).equals(expected) is not False
    assert float(shifted.from_counts(*counts)) == pytest.approx(float(expected), rel=1e-9, abs=1e-9)


def test_at_prior_by_hand() -> None:
    """Of 1000 examples ten are positive: 8 of them, and 99 of 990 others, are predicted positive."""
    shifted = sm.metrics["precision"].at_prior("0.01")
    assert shifted.exact(80, 20, 10, 90) == Rational(8, 8 + 99)
    assert shifted.name == "precision(prior=1/100)"
    assert np.isnan(shifted.from_counts(0, 0, 10, 90))
    assert sm.metrics["tnr"].at_prior("0.01").expr == TN / (FP + TN)
    assert sm.metrics["prevalence"].at_prior("1/3").expr == Rational(1, 3)
    assert sm.metrics["hamming_distance"].at_prior("1/4").exact(1, 1, 1, 3) == 6 * Rational(1, 8) + 6 * Rational(3, 16)
    # A changed prior makes precision invariant to class sizes.
    assert not sm.prove("precision", "actual_scaling").holds
    assert sm.prove(sm.metrics["precision"].at_prior("1/10"), "actual_scaling").holds
    # A prior that is left open.
    metric = sm.metrics["f_beta"].at_prior(Parameter("prior", 0, 1, lower_open=True, upper_open=True))
    assert [parameter.name for parameter in metric.parameters] == ["beta", "prior"]
    bound = metric.at(prior="1/10", beta=1)
    assert bound.exact(80, 20, 10, 90) == sm.metrics["f1"].at_prior("1/10").exact(80, 20, 10, 90)
    assert sm.prove(metric, "actual_scaling").holds


@in_one_test
@pytest.mark.parametrize(
    ("prior", "message"),
    [
        (0, "prior is 0; pass a number strictly between 0 and 1"),
        ("1", "prior is 1; pass"),
        (1.0, "prior is 1; pass"),
        ("many", "many"),
        (float("nan"), "is not a finite number"),
        (Parameter("prior", 0, 1), r"is not within \(0, 1\)"),
        (Parameter("prior"), r"is not within \(0, 1\)"),
    ],
)
def test_priors_that_are_none(prior: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        sm.metrics["precision"].at_prior(prior)


# -- along a curve -----------------------------------------------------------------------------------------------------


@in_one_test
@pytest.mark.parametrize("name", ["precision", "f1", "mcc", "positive_fraction", "kappa", "chi_square"])
def test_along_a_curve(name: str) -> None:
    metric = sm.metrics[name]
    fpr, tpr, priors = (
        [Fraction(1, 8), Fraction(1, 2)],
        [Fraction(1, 4), Fraction(3, 4)],
        [Fraction(1, 2), Fraction(1, 16)],
    )
    values = on_curve(metric, [*map(float, fpr)], [*map(float, tpr)], np.array(priors, dtype=float)[:, None], total=64)
    for row, column in itertools.product(range(2), repeat=2):
        rates = [Rational(str(value)) for value in (tpr[column], 1 - fpr[column], priors[row])]
        assert values[row, column] == pytest.approx(float(metric.exact(*table_of(*rates, Rational(64)))), abs=1e-13)


@in_one_test
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([0, 1.5], [0, 1], 0.5), "fpr has the value 1.5; pass numbers from 0 to 1"),
        (([0, 1], [0, float("nan")], 0.5), "tpr has the value nan"),
        (([0, 1], [0, 1], [0.5, 1.0]), "prior has the value 1.0; pass numbers strictly between 0 and 1"),
        (([0, 1], [0, 0.5, 1], 0.5), "pass shapes that broadcast"),
        ((["a"], [0], 0.5), "is not an array of numbers"),
    ],
)
def test_rates_that_are_none(arguments: tuple[object, ...], message: str) -> None:
    for function in (lambda *a: on_curve(sm.metrics["f1"], *a), lambda *a: expected_cost(*a, Costs())):
        with pytest.raises(InputError, match=message):
            function(*arguments)


def test_along_a_curve_the_ends_and_totals() -> None:
    # Along a curve the ends.
    assert np.isnan(on_curve(sm.metrics["precision"], 0, 0, 0.5))
    assert on_curve(sm.metrics["precision"], [0, 1], [0, 1], 0.25, zero_division=1).tolist() == [1, 0.25]
    assert isinstance(on_curve(sm.metrics["f1"], 0.5, 0.5, 0.5), float)
    # Totals.
    with pytest.raises(
        InputError, match="chi_square depends on the number of examples, not on rates alone; pass total="
    ):
        on_curve(sm.metrics["chi_square"], 0.5, 0.5, 0.5)
    for total in (0, -1, float("nan"), float("inf")):
        with pytest.raises(InputError, match="is not a number of examples"):
            on_curve(sm.metrics["f1"], 0.5, 0.5, 0.5, total=total)
    # Costs may be numbers of NumPy.
    assert Costs(np.int64(10), np.float32(0.5)) == Costs(10, 0.5)
    assert type(threshold(Costs(np.float32(3), np.int64(1)))) is float


# -- costs and operating points ----------------------------------------------------------------------------------------

PROBABILITY = st.floats(0.01, 0.99)
COST = st.floats(0.1, 10)


@st.composite
def curves(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray]:
    size = draw(st.integers(2, 8))
    steps = st.lists(st.integers(0, 5), min_size=size, max_size=size).filter(any)
    false, true = (np.cumsum(draw(steps)) for _ in range(2))
    return np.append(0, false / false[-1]), np.append(0, true / true[-1])


@settings(max_examples=examples(100), deadline=None)
@given(curve=curves(), prior=PROBABILITY, costs=st.builds(Costs, COST, COST, st.floats(-5, 0), st.floats(-5, 0)))
def test_no_point_of_the_curve_is_cheaper(curve: tuple[np.ndarray, np.ndarray], prior: float, costs: Costs) -> None:
    """Brute force: the expected cost over the four cells, at every point and a hundred between each two."""
    best = best_point(*curve, prior, costs)
    places = np.linspace(0, len(curve[0]) - 1, 100 * (len(curve[0]) - 1) + 1)
    fpr, tpr = (np.interp(places, range(len(rates)), rates) for rates in curve)
    by_cell = prior * tpr * costs.true_positive + prior * (1 - tpr) * costs.false_negative
    by_cell += (1 - prior) * fpr * costs.false_positive + (1 - prior) * (1 - fpr) * costs.true_negative
    assert expected_cost(best.fpr, best.tpr, prior, costs) == pytest.approx(by_cell.min(), abs=1e-12)
    np.testing.assert_allclose(expected_cost(fpr, tpr, prior, costs), by_cell, atol=1e-12)
    assert (best.fpr, best.tpr) == (curve[0][best.index], curve[1][best.index])


@settings(max_examples=examples(100), deadline=None)
@given(
    costs=st.builds(Costs, COST, COST, st.floats(-5, 0), st.floats(-5, 0)),
    prior=PROBABILITY,
    trained=PROBABILITY,
    x=PROBABILITY,
)
def test_the_threshold_parts_the_cheaper_predictions(costs: Costs, prior: float, trained: float, x: float) -> None:
    """A posterior x under the training prior becomes, by Bayes' theorem, the posterior whose decision costs less."""
    ratio = x / (1 - x) * (1 - trained) / trained
    posterior = prior * ratio / (prior * ratio + 1 - prior)
    positive = posterior * costs.true_positive + (1 - posterior) * costs.false_positive
    negative = posterior * costs.false_negative + (1 - posterior) * costs.true_negative
    if abs(positive - negative) > 1e-9:
        assert (x > threshold(costs, prior=prior, training_prior=trained)) == (positive < negative)
    assert threshold(costs, prior=prior, training_prior=prior) == pytest.approx(threshold(costs))


@pytest.mark.parametrize("size", [5e-324, 1e-200, 1.0, 1e200, 1.7e308])
def test_the_threshold_does_not_depend_on_the_unit_of_costs(size: float) -> None:
    assert threshold(Costs(size, size)) == 0.5
    assert threshold(Costs(size, size, -size, -size), prior=1e-200, training_prior=1e-200) == 0.5
    with pytest.raises(InputError, match="total='5' is not a number of examples"):
        on_curve(sm.metrics["chi_square"], 0.1, 0.8, 0.5, total="5")  # type: ignore[arg-type]  # what is tested


def test_the_threshold_of_scores_is_the_best_point_of_their_curve() -> None:
    """Two normal densities, a unit apart: the best point has the likelihood ratio that costs and prior ask for."""
    from scipy.stats import norm

    cuts = np.linspace(8, -8, 40001)
    fpr, tpr = norm.sf(cuts), norm.sf(cuts, loc=1)
    costs = Costs(false_negative=5, false_positive=2, true_positive=-1)
    best = best_point(fpr, tpr, 0.2, costs)
    posterior = 1 / (1 + 4 * np.exp(0.5 - cuts[best.index]))
    assert posterior == pytest.approx(threshold(costs), abs=1e-3)


def test_points_at_a_rate() -> None:
    fpr, tpr = [0, 0, 0.25, 0.5, 0.5, 1], [0, 0.5, 0.5, 0.75, 1, 1]
    assert point_at_tpr(fpr, tpr, 0.25) == OperatingPoint(0, 0.25, 0, 0.5)
    assert point_at_tpr(fpr, tpr, 0.5) == OperatingPoint(0, 0.5, 1)
    assert point_at_tpr(fpr, tpr, np.float32(0.5)) == OperatingPoint(0, 0.5, 1)
    with pytest.raises(InputError, match=r"target='0\.5' is no rate"):
        point_at_tpr(fpr, tpr, "0.5")  # type: ignore[arg-type]
    assert point_at_tpr(fpr, tpr, 0.625) == OperatingPoint(0.375, 0.625, 2, 0.5)
    assert point_at_tpr(fpr, tpr, 1) == OperatingPoint(0.5, 1, 4)
    assert point_at_tpr(fpr, tpr, 0).fpr == 0


@settings(max_examples=examples(50), deadline=None)
@given(curve=curves(), target=PROBABILITY)
def test_points_at_a_rate_lie_on_the_curve(curve: tuple[np.ndarray, np.ndarray], target: float) -> None:
    fpr, tpr = curve
    point = point_at_tpr(fpr, tpr, target)
    after = min(point.index + 1, len(fpr) - 1)
    assert point.tpr == pytest.approx((1 - point.weight) * tpr[point.index] + point.weight * tpr[after]) == target
    places = np.linspace(0, len(fpr) - 1, 2000 * (len(fpr) - 1) + 1)
    dense = [np.interp(places, range(len(fpr)), rates) for rates in curve]
    assert point.fpr == pytest.approx(dense[0][np.argmax(dense[1] >= target)], abs=1e-3)


def test_what_operating_points_refuse() -> None:
    for arguments, message in (
        (([0, 1], [0.2, 1], 0.1), "true positive rates from 0.2 to 1.0"),
        (([0.5, 0], [0, 1], 0.5), "fall somewhere"),
        (([0, 1], [0, 0.5, 1], 0.5), "one rate each per point"),
        (([], [], 0.5), "one rate each per point"),
        (([0, 1], [0, 1], float("nan")), "pass one of them"),
    ):
        with pytest.raises(InputError, match=message):
            point_at_tpr(*arguments)
    for prior in (0, 1, float("nan")):
        with pytest.raises(InputError, match="prior has the value"):
            best_point([0, 1], [0, 1], prior, Costs())
    with pytest.raises(InputError, match="one prior without the other"):
        threshold(Costs(), prior=0.5)
    with pytest.raises(InputError, match="training_prior has the value 1"):
        threshold(Costs(), prior=0.5, training_prior=1)
    for wrong in ({"false_negative": 0}, {"false_positive": 1, "true_negative": 1}, {"true_positive": float("nan")}):
        with pytest.raises(InputError, match=r"an error has to be dearer|pass a finite number"):
            Costs(**wrong)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "text",
    ["sqrt(TP - FN)", "log(TP/(TP - FN))", "sqrt((TP - FN)*(TN - FP))", "(TP*TN - FN*FP)**(1/3)"],
)
def test_no_value_is_made_where_the_formula_has_none(text: str) -> None:
    metric = Metric("m", parse_formula(text))
    moved = metric.at_prior("1/3")
    rates = in_counts(in_rates(metric))
    for table in some(itertools.product((1, 2, 3), repeat=4), 27, text):
        tp, fn, fp, tn = map(Rational, table)
        positive, negative = sum(table) / (3 * (tp + fn)), 2 * sum(table) / (3 * (fp + tn))
        place = dict(zip(CELLS, (positive * tp, positive * fn, negative * fp, negative * tn), strict=True))
        there, here = dict(zip(CELLS, table, strict=True)), metric.expr.xreplace(place)
        assert bool(moved.expr.xreplace(there).is_real) == bool(here.is_real), (moved.expr, table)
        assert bool(rates.xreplace(there).is_real) == bool(metric.expr.xreplace(there).is_real), (rates, table)


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        ("sqrt((TP - FN)/(TP + FN))", "sqrt(2*TPr - 1)"),
        ("sqrt((FN - TP)/n)", "sqrt(1 - 2*TPr)"),
        ("log((TP - FN)/(TP + FN))", "log(2*TPr - 1)"),
    ],
)
def test_a_limit_is_real_where_the_formula_is(text: str, limit: str) -> None:
    assert prior_limit(Metric("m", parse_formula(text)), 1) == parse_formula(limit, (), ("TPr",))
