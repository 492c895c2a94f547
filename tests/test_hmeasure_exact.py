"""The H-measure's distributions of costs, and its closed forms: proofs, integrals and exact values."""

from __future__ import annotations

import itertools
import math
import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from effort import examples, in_one_test
from scipy.integrate import quad
from scipy.special import beta as beta_function
from scipy.stats import beta
from sympy import Expr, Float, Integer, Piecewise, Rational, Symbol, integrate, symbols

from symmetrics.checker import check
from symmetrics.claims.verdict import Verdict
from symmetrics.curves.figures import cost_weights
from symmetrics.curves.hmeasure import (
    B42,
    BetaCosts,
    ImpliedCosts,
    auc_cost_weights,
    h_from_rates,
    prior_costs,
    severity_costs,
)
from symmetrics.curves.hmeasure_proofs import (
    C,
    P,
    Proof,
    Q,
    Step,
    _derivative,
    above_the_split,
    below_the_split,
    beta_density,
    h_at_point,
    h_formula,
    h_proof,
    h_proof_names,
    h_proofs,
    least_cost,
    printed_h_at_point,
)
from symmetrics.language.cells import FN, FP, TN, TP
from symmetrics.metric import Metric
from symmetrics.tools.errors import InputError, UnknownNameError

# -- hmeasure costs ----------------------------------------------------------------------------------------------------


@in_one_test
@pytest.mark.parametrize(("a", "b"), [(1, 1), (2, 2), (4, 2), (0.5, 0.7), (30, 1.5)])
def test_the_density_is_scipys(a: float, b: float) -> None:
    c = np.array([0, 0.1, 0.25, 0.5, 0.99, 1])
    assert BetaCosts(a, b).density(c) == pytest.approx(beta.pdf(c, a, b), rel=1e-12)
    assert BetaCosts(a, b).mean == pytest.approx(beta.mean(a, b))


@in_one_test
@pytest.mark.parametrize(("a", "b"), [(1, 1), (2, 2), (4, 2), (1.3, 2.7), (40, 3)])
@pytest.mark.parametrize(("p", "q"), [(0.5, 0.5), (0.9, 0.1), (0.001, 0.2), (3.0, 0.0), (0.0, 2.0), (0.0, 0.0)])
def test_the_least_cost_is_an_integral(a: float, b: float, p: float, q: float) -> None:
    split = p / (p + q) if p + q else 0.5
    expected = sum(
        quad(lambda c: min(c * q, (1 - c) * p) * beta.pdf(c, a, b), *ends, epsabs=1e-14)[0]
        for ends in ((0, split), (split, 1))
    )
    assert BetaCosts(a, b).least_cost(p, q) == pytest.approx(expected, abs=1e-10)


def test_modes_are_where_the_literature_puts_them() -> None:
    assert BetaCosts(4, 2) == B42
    assert B42.mode == 0.75
    for ratio in (0.1, 1, 5):
        mode = severity_costs(ratio).mode
        assert (1 - mode) / mode == pytest.approx(ratio)  # c₀/c₁
        assert severity_costs(ratio).b == 2
    for prior in (0.05, 0.5, 0.8):
        assert prior_costs(prior).mode == pytest.approx(1 - prior)  # π₀
    assert math.isnan(BetaCosts(1, 1).mode)
    assert math.isnan(BetaCosts(0.5, 3).mode)


def sample(seed: int) -> tuple[list[int], list[float]]:
    generator = random.Random(seed)
    labels = [0, 1] + [generator.randint(0, 1) for _ in range(25)]
    return labels, [generator.randint(0, 12) + 3 * label for label in labels]


@in_one_test
@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("prior", [None, 0.1])
def test_auc_of_the_hull_is_the_loss_over_the_implied_weights(seed: int, prior: float | None) -> None:
    """1 - Σ weight·Q(c)/(2π₀π₁), with Q by brute force over all thresholds, is the area under the hull."""
    labels, scores = sample(seed)
    implied = auc_cost_weights(labels, scores, prior=prior)
    y, s = np.array(labels), np.array(scores)
    one = y.mean() if prior is None else prior
    fpr, tpr = (
        np.array([0.0] + [float((s[y == label] >= threshold).mean()) for threshold in np.unique(s)[::-1]])
        for label in (0, 1)
    )
    loss = [(c * one * (1 - tpr) + (1 - c) * (1 - one) * fpr).min() for c in implied.cost]
    area = 1 - implied.weight @ loss / (2 * one * (1 - one))
    grid = np.union1d(fpr, np.linspace(0, 1, 2001))
    pairs = [(i, j) for i in range(len(fpr)) for j in range(i + 1, len(fpr)) if fpr[j] > fpr[i]]
    chords = [
        np.where(
            (grid >= fpr[i]) & (grid <= fpr[j]), tpr[i] + (tpr[j] - tpr[i]) / (fpr[j] - fpr[i]) * (grid - fpr[i]), 0
        )
        for i, j in pairs
    ]
    hull = np.max(chords, axis=0)
    assert area == pytest.approx(np.trapezoid(hull, grid), abs=1e-12)
    assert implied.weight.sum() == pytest.approx(1)
    assert implied.weight @ implied.cost == pytest.approx(1 - one)
    assert (np.diff(implied.cost) > 0).all()


def test_classifiers_of_one_data_set_are_weighed_differently_by_auc() -> None:
    labels = [0, 0, 0, 1, 1, 0, 1, 1]
    first, second = (
        auc_cost_weights(labels, scores) for scores in ([1, 2, 3, 4, 3, 5, 6, 7], [1, 1, 1, 1, 2, 2, 2, 2])
    )
    assert second.cost.tolist() == [0.25, 0.75]
    assert second.weight.tolist() == [0.5, 0.5]
    assert first.cost.tolist() != second.cost.tolist()


@pytest.mark.parametrize("bandwidth", [0.005, 0.05, 0.4, 0.95])
def test_the_smoothed_density_stays_in_the_interval(bandwidth: float) -> None:
    implied = ImpliedCosts(np.array([0.0, 0.3, 1.0]), np.array([0.2, 0.5, 0.3]))
    c = np.linspace(0, 1, 20001)
    assert np.trapezoid(implied.density(c, bandwidth=bandwidth), c) == pytest.approx(1, abs=1e-6)
    assert np.ndim(implied.density(0.5)) == 0


@in_one_test
@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: BetaCosts(0, 1), "a=0 is no parameter of a Beta"),
        (lambda: BetaCosts(1, "2"), "b='2' is no parameter"),
        (lambda: BetaCosts(True, 1), "a=True is no parameter"),
        (lambda: BetaCosts(10**400, 1), "is no parameter"),
        (lambda: BetaCosts(2, 2).density(1.5), "c=1.5 is not within [0, 1]"),
        (lambda: prior_costs(1), "prior=1 is not strictly between 0 and 1"),
        (lambda: severity_costs(-1), "severity_ratio=-1 is not a ratio c0/c1"),
        (lambda: auc_cost_weights([0, 1], [1, 2], prior=2), "prior=2 is not strictly"),
        (lambda: auc_cost_weights([0, 1], [1, 2]).density(0.5, bandwidth=0), "bandwidth=0 is not in (0, 1)"),
        (lambda: cost_weights({}), "costs is empty"),
    ],
)
def test_bad_input_is_refused(call: Any, message: str) -> None:
    with pytest.raises(InputError) as error:
        call()
    assert message in str(error.value)


def test_figures_1_and_3_draw_what_they_are_of() -> None:
    # Figure 1 draws the densities.
    axes = cost_weights()
    symmetric, _, asymmetric, mode = axes.lines
    c = symmetric.get_xdata()
    assert symmetric.get_ydata() == pytest.approx(beta.pdf(c, 2, 2))
    assert asymmetric.get_ydata() == pytest.approx(beta.pdf(c, 4, 2))
    assert list(mode.get_xdata()) == [0.75, 0.75]
    axes = cost_weights({"no ends": BetaCosts(0.5, 0.5)})
    assert np.isfinite(axes.lines[0].get_ydata()).all()
    # Figure 3 draws every classifier and the fixed weights.
    implied = {f"classifier {seed}": auc_cost_weights(*sample(seed)) for seed in range(2)}
    axes = cost_weights(implied=implied)
    assert [text.get_text() for text in axes.get_legend().get_texts()] == [
        "H: Beta(2, 2)", "B42: Beta(4, 2)", "AUC on classifier 0", "AUC on classifier 1",
    ]  # fmt: skip
    assert axes.lines[5].get_xdata().tolist() == implied["classifier 0"].cost.tolist()


# -- hmeasure symbolic -------------------------------------------------------------------------------------------------


c, t, x, y, w = symbols("c t x y w", positive=True)


def random_points(count: int) -> list[tuple[Fraction, Fraction, Fraction, int, int]]:
    generator = random.Random(2011)

    def share(low: int, high: int) -> Fraction:
        return Fraction(generator.randint(low, high), 997)

    return [
        (share(0, 997), share(0, 997), share(1, 996), generator.randint(1, 9), generator.randint(1, 9))
        for _ in range(count)
    ]


def by_quadrature(tpr: float, fpr: float, prior: float, a: int, b: int) -> float:
    """Return H by its definition: the least of three costs, integrated between its kinks."""
    lines = [(0.0, prior), ((1 - prior) * fpr, prior * (1 - tpr) - (1 - prior) * fpr), (1 - prior, prior - 1)]

    def mean_of_least(lines: list[tuple[float, float]]) -> float:
        kinks = sorted(
            {0.0, 1.0}.union(
                (second[0] - first[0]) / (first[1] - second[1])
                for first in lines
                for second in lines
                if first[1] != second[1]
            )
        )
        ends = [kink for kink in kinks if 0 <= kink <= 1]
        return sum(
            quad(
                lambda c: min(start + c * slope for start, slope in lines) * c ** (a - 1) * (1 - c) ** (b - 1),
                *pair,
                epsabs=0,
                epsrel=1e-13,
            )[0]
            for pair in itertools.pairwise(ends)
        ) / beta_function(a, b)

    return 1 - mean_of_least(lines) / mean_of_least([lines[0], lines[2]])


def test_exact_values_equal_the_numbers_and_direct_integration_on_random_points() -> None:
    above = 0
    count = examples(1000)
    for tpr, fpr, prior, a, b in random_points(count):
        exact = h_at_point(tpr, fpr, prior, a, b)
        assert exact.is_Rational
        rates = float(tpr), float(fpr), float(prior)
        assert h_from_rates(*rates, a=a, b=b) == pytest.approx(float(exact), abs=1e-12)
        assert by_quadrature(*rates, a, b) == pytest.approx(float(exact), abs=1e-12)
        above += tpr > fpr
    assert 0.4 * count < above < 0.6 * count


@pytest.mark.parametrize(("a", "b"), [(1, 1), (2, 2), (4, 2), (2, 5)])
def test_the_closed_forms_are_what_sympy_integrates(a: int, b: int) -> None:
    density = beta_density(c, a, b)
    assert integrate(density.expand(), (c, 0, 1)) == 1
    by_sympy = (1 - t) * integrate((c * density).expand(), (c, 0, t)) + t * integrate(
        ((1 - c) * density).expand(), (c, t, 1)
    )
    assert (least_cost(t, 1 - t, a, b) - by_sympy).expand() == 0


@in_one_test
@pytest.mark.parametrize(
    ("point", "expected"),
    [
        (("3/4", "1/10", "1/5", 2, 2), "62488590944/161084473319"),  # SymPy's integrate over the three pieces
        (("3/4", "1/10", "1/5", 4, 2), "11287217335737611008/23223247751469995383"),
        (("4/5", "1/10", "1/4", 1, 1), "147/319"),  # MCC² of TP, FN, FP, TN = 8, 2, 3, 27
        ((1, 0, "1/7", 3, 5), "1"),
        (("1/2", "1/2", "1/7", 3, 5), "0"),
        ((0, 0, "1/7", 3, 5), "0"),
        ((1, 1, "1/7", 3, 5), "0"),
        (("1/3", "1/2", "1/7", 3, 5), "0"),
    ],
)
def test_exact_values(point: tuple[Any, ...], expected: str) -> None:
    assert h_at_point(*point) == Rational(expected)


@pytest.mark.parametrize(
    ("a", "b"), [(1, 1), (1, 2), *(pytest.param(*pair, marks=pytest.mark.thorough) for pair in ((2, 2), (4, 2)))]
)
def test_the_formula_over_the_cells_is_a_metric(a: int, b: int) -> None:
    metric = Metric("h", h_formula(a, b))
    for table in ((8, 2, 3, 27), (1, 7, 2, 5), (3, 1, 9, 2), (5, 0, 0, 9), (4, 2, 2, 1)):
        tp, fn, fp, tn = table
        rates = Rational(tp, tp + fn), Rational(fp, fp + tn), Rational(tp + fn, sum(table))
        assert metric.exact(*table) == h_at_point(*rates, a, b)
        assert metric.from_counts(*table) == pytest.approx(h_from_rates(*map(float, rates), a=a, b=b), abs=1e-13)


@in_one_test
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((float("nan"), 0, "1/2"), "tpr: nan is not a finite number"),
        (("3/2", 0, "1/2"), "tpr=3/2 is not within [0, 1]"),
        ((1, -1, "1/2"), "fpr=-1 is not within [0, 1]"),
        ((1, 0, 0), "prior=0 is not strictly between 0 and 1"),
        ((1, 0, 1), "prior=1 is not strictly between 0 and 1"),
        ((1, 0, "p"), "cannot read 'p' as an exact number"),
        ((Symbol("y") * Float("0.5"), 0, "1/2"), "holds a float"),
        ((1, 0, "1/2", 0, 2), "a=0 is not a whole number from 1 to 1000"),
        ((1, 0, "1/2", 2, 1.5), "b=1.5 is not a whole number from 1 to 1000; h_from_rates takes others above 0"),
        ((1, 0, "1/2", 10**400, 2), "is not a whole number from 1 to 1000"),
        ((1, 0, "1/2", True, 2), "a=True is not a whole number from 1 to 1000"),
    ],
)
def test_what_is_no_exact_question_is_refused(arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(InputError) as error:
        h_at_point(*arguments)
    assert message in str(error.value)


def test_symbols_give_a_formula() -> None:
    formula = h_at_point(y, x, w, 4, 2)
    assert isinstance(formula, Piecewise)
    for tpr, fpr, prior, _, _ in random_points(10):
        values = {y: Rational(tpr), x: Rational(fpr), w: Rational(prior)}
        assert formula.xreplace(values) == h_at_point(tpr, fpr, prior, 4, 2)
    assert not h_at_point(y, 0, "1/3", 2, 2).has(Piecewise)  # a positive TPr is above 0
    # A formula that is too large says so.
    with pytest.raises(InputError, match="a=9 and b=9 has too many terms; h_at_point"):
        h_formula(9, 9)
    # NumPy integers are whole numbers.
    assert h_at_point(np.int64(1), np.int8(0), "1/2", np.int64(2), 2) == 1
    # The printed denominator by hand. Beta(2, 2) and π₁ = 1/4: ∫₀^¼ c u = 13/512, m = 3/4·13/512 + 1/4·189/512 =
    # 57/512; 1 - (57/512)/(39/2048).
    assert printed_h_at_point("1/2", "1/2", "1/4") == 1 - Rational(57, 512) / Rational(39, 2048) == Rational(-63, 13)
    assert printed_h_at_point("1/2", "1/2", "1/4", 4, 2, limits="repaired") == Rational(-100, 169)
    assert printed_h_at_point("3/4", "1/10", "1/5", limits="repaired") == h_at_point("3/4", "1/10", "1/5")
    for limits in ("printed", "repaired"):
        assert printed_h_at_point(1, 0, "1/4", 4, 2, limits=limits) == 1


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ((y, 0, "1/2"), {}, "tpr, fpr and prior hold symbols"),
        ((1, 0, "1/2"), {"limits": "wrong"}, "limits='wrong' is unknown"),
    ],
)
def test_the_printed_one_refuses(arguments: tuple[Any, ...], options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        printed_h_at_point(*arguments, **options)


@pytest.mark.sampled(1)
@pytest.mark.parametrize(("a", "b"), [(1, 1), (2, 2), (4, 2), (2, 4), (1, 3), (7, 4)])
def test_every_proof_holds(a: int, b: int) -> None:
    proofs = h_proofs(a, b)
    assert set(proofs) | {"matthews"} == set(h_proof_names())
    for name, proof in proofs.items():
        assert [step.statement for step in proof.steps if not step.holds] == [], name
        assert proof.holds
        assert proof.claim
        assert proof.argument
        assert bool(proof.steps) == (name != "monotone_maps")
        for step in proof.steps:
            check(Verdict.from_json(step.verdict.to_json()))


@pytest.mark.parametrize(("a", "b"), [(1, 1), (2, 2), (4, 2)])
def test_the_derivatives_of_the_least_cost_are_the_integrals(a: int, b: int) -> None:
    """What the argument of the proof says, by the derivatives that SymPy takes."""
    for variable, integral in ((Q, below_the_split(P, Q, a, b)), (P, above_the_split(P, Q, a, b))):
        assert Step("it is", least_cost(P, Q, a, b).diff(variable), "=", integral).holds


def test_proofs_can_fail() -> None:
    # Another derivative is not proved.
    for function, derivative in ((C**3 + C, 3 * C**2 + 1), (C, Integer(1)), (Integer(5), Integer(0))):
        assert _derivative("it is", function, C, derivative).holds
        assert not _derivative("it is not", function, C, derivative + 1).holds
        assert not _derivative("it is not", function, C, derivative + C).holds
    # Proofs can fail.
    assert h_proof("matthews", 1, 1).holds
    assert not h_proof("matthews", 2, 2).holds
    wrong: list[tuple[Expr, Any, Expr]] = [
        (x + y, "=", x),
        (x, ">", y),
        (x - y, ">", Integer(0)),
        (-x / (x + y), ">", Integer(0)),
        (x / (x - y), ">", Integer(0)),
        (x, ">", x),
        (Integer(1), "≠", Integer(1)),
        (x**2, "=", x),
    ]
    assert [Step("wrong", *relation).holds for relation in wrong] == [False] * len(wrong)
    right: list[tuple[Expr, Any, Expr]] = [
        ((x + y) ** 2, ">", x**2 + y**2),
        (x / (x + y), ">", x / (x + 2 * y)),
        (Rational(1, 2), "≠", Integer(0)),
    ]
    assert [Step("right", *relation).holds for relation in right] == [True] * len(right)
    assert not Proof("c", "a", (Step("right", x, "=", x), Step("wrong", x, "=", y))).holds
    # Unknown proofs are refused.
    with pytest.raises(UnknownNameError, match="chance"):
        h_proof("chanc")
    with pytest.raises(InputError, match="a=0"):
        h_proof("chance", 0, 2)


def test_laws_at_random_points() -> None:
    # Exact laws at random points. What is proved, seen in exact numbers: exchange, and monotonicity in both rates.
    for tpr, fpr, prior, a, b in random_points(60):
        here = h_at_point(tpr, fpr, prior, a, b)
        assert here == h_at_point(1 - fpr, 1 - tpr, 1 - prior, b, a)
        assert 0 <= here < 1
        better = h_at_point((1 + tpr) / 2, fpr, prior, a, b), h_at_point(tpr, fpr / 2, prior, a, b)
        assert min(better) >= here
        if tpr > fpr > 0:
            assert min(better) > here
    # The formula over the cells has the lead as a factor.
    for a, b in ((1, 1), (3, 2)):
        formula = h_formula(a, b)
        assert formula.xreplace({TP: Integer(2), FN: Integer(1), FP: Integer(4), TN: Integer(2)}) == 0
        swapped = {TP: TN, TN: TP, FN: FP, FP: FN}
        assert (formula.xreplace(swapped) - h_formula(b, a)).equals(0)
