"""H at one operating point, exactly: against integration, the numbers, and the laws that are proved of it."""

from __future__ import annotations

import itertools
import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from effort import examples, in_one_test
from scipy.integrate import quad
from scipy.special import beta as beta_function
from sympy import Expr, Float, Integer, Piecewise, Rational, Symbol, integrate, symbols

from symmetrics.checker import check
from symmetrics.claims.verdict import Verdict
from symmetrics.curves.hmeasure import h_from_rates
from symmetrics.curves.hmeasure_proofs import C, P, Proof, Q, Step, _derivative, h_proof, h_proof_names, h_proofs
from symmetrics.curves.hmeasure_symbolic import (
    above_the_split,
    below_the_split,
    beta_density,
    h_at_point,
    h_formula,
    least_cost,
    printed_h_at_point,
)
from symmetrics.language.cells import FN, FP, TN, TP
from symmetrics.metric import Metric
from symmetrics.tools.errors import InputError, UnknownNameError

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
def test_bad_input_is_refused(arguments: tuple[Any, ...], message: str) -> None:
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
