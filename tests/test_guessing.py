"""Random guessing: means, distributions and p-values against all labellings, closed forms and other packages."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pytest
from effort import examples, in_one_test, is_thorough, some
from hypothesis import given, settings
from hypothesis import strategies as st
from recorded import recorded
from scipy.stats import binom, fisher_exact, hypergeom
from sympy import Add, Expr, Rational, S, sqrt

import symmetrics as sm
from symmetrics.decisions import Baseline
from symmetrics.tools.errors import InputError

SAMPLE = 14
"""How many metrics a default run looks at."""


@cache
def exact(name: str, table: tuple[int, ...]) -> Expr:
    return sm.metrics[name].exact(*table)


@cache
def labelled(positives: int, negatives: int) -> list[tuple[int, tuple[int, ...]]]:
    """Return, for every labelling of the examples, how many are predicted positive, and the table."""
    found = []
    for guess in itertools.product((0, 1), repeat=positives + negatives):
        tp, fp = sum(guess[:positives]), sum(guess[positives:])
        found.append((tp + fp, (tp, positives - tp, fp, negatives - fp)))
    return found


def mean_of(values: Counter[Expr], fill: Any = None) -> Expr:
    """Return the mean of values, each so many times; of those without a value, *fill*, or nothing."""
    kept = [(value if value is not S.NaN else fill, n) for value, n in values.items()]
    kept = [(value, n) for value, n in kept if value is not None]
    if not kept:
        return S.NaN
    return Add(*(n * value for value, n in kept)) / Add(*(n for _, n in kept))


def same(left: Any, right: Any) -> bool:
    if {left, right} & {S.NaN, S.Infinity, S.NegativeInfinity} or (left.is_Rational and right.is_Rational):
        return bool(left == right)
    return abs(float(left) - float(right)) < 1e-12 * max(1.0, abs(float(right)))


# -- against all labellings --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("margins", [(3, 4), (1, 5), (4, 0), *([(5, 5), (2, 8), (6, 2)] if is_thorough() else [])])
def test_exact_sums_are_those_over_all_labellings(margins: tuple[int, int]) -> None:
    for name in some(sm.metrics, SAMPLE, str(margins)):
        guessing = sm.metrics[name].baseline(*margins)
        filled = sm.metrics[name].baseline(*margins, zero_division=0.5)
        for k in range(sum(margins) + 1):
            values = Counter(exact(name, table) for predicted, table in labelled(*margins) if predicted == k)
            assert same(guessing.mean(k), mean_of(values)), (name, k)
            assert same(filled.mean(k), mean_of(values, Rational(1, 2))), (name, k)
            assert guessing.undefined(k) == Fraction(values[S.NaN], values.total()), (name, k)
            defined = {value: n for value, n in values.items() if value is not S.NaN}
            law = {value: Fraction(n, sum(defined.values())) for value, n in defined.items()}
            assert guessing.distribution(k) == law, (name, k)
            assert list(guessing.distribution(k)) == sorted(law, key=float)


def test_a_rate_is_a_mean_over_all_labellings_with_their_probabilities() -> None:
    for name in some(sm.metrics, SAMPLE, "rate"):
        guessing = sm.metrics[name].baseline(2, 3)
        for rate in (Rational(1, 3), Rational(0), Rational(1)):
            weights: Counter[Expr] = Counter()
            for k, table in labelled(2, 3):
                weights[exact(name, table)] += rate**k * (1 - rate) ** (5 - k)
            expected = mean_of(Counter({value: weight for value, weight in weights.items() if weight}))
            assert same(guessing.mean(rate=rate), expected), (name, rate)
            inexact = guessing.mean(rate=rate, exact=False)
            assert inexact == pytest.approx(float(expected), rel=1e-9, abs=1e-12, nan_ok=True), (name, rate)


def test_what_a_rate_makes_impossible_does_not_count() -> None:
    guessing = sm.Metric("own", "TN/FN").baseline(2, 3)
    assert guessing.mean(rate=0) == Rational(3, 2)
    assert guessing.mean(rate=0, exact=False) == pytest.approx(1.5)
    assert guessing.mean(rate="1/1000") == S.Infinity


# -- against sums with SciPy's probabilities ---------------------------------------------------------------------------


@settings(max_examples=examples(60), deadline=None)
@given(st.integers(0, 15), st.integers(0, 15), st.data())
def test_floats_and_exact_means_agree_with_hypergeometric_sums(positives: int, negatives: int, data: Any) -> None:
    if not positives + negatives:
        return
    n = positives + negatives
    for name in sm.metrics if is_thorough() else data.draw(st.lists(st.sampled_from(list(sm.metrics)), max_size=4)):
        metric = sm.metrics[name]
        guessing = metric.baseline(positives, negatives)
        means = []
        for k in range(n + 1):
            tp = np.arange(max(0, k - negatives), min(positives, k) + 1)
            values = np.asarray(metric.from_counts(tp, positives - tp, k - tp, negatives - k + tp))
            weights = hypergeom(n, positives, k).pmf(tp)[~np.isnan(values)]
            values = values[~np.isnan(values)]
            with np.errstate(invalid="ignore"):
                means.append(float(values @ weights / weights.sum()) if len(values) else math.nan)
        near = {"rel": 1e-8, "abs": 1e-9, "nan_ok": True}
        assert list(guessing._all_means) == pytest.approx(means, **near), name
        k = data.draw(st.integers(0, n))
        assert float(guessing.mean(k)) == pytest.approx(means[k], **near), (name, k)
        assert guessing.mean(k, exact=False) == pytest.approx(means[k], **near), (name, k)
        if not np.isnan(means).all():
            best = guessing.best
            top = np.nanmin(means) if guessing._is_loss else np.nanmax(means)
            assert float(best.score) == pytest.approx(top, **near), name
            assert means[best.predicted_positive] == pytest.approx(top, **near), name


# -- closed forms ------------------------------------------------------------------------------------------------------

CLOSED: dict[str, Callable[[int, int, int], Any]] = {
    "tpr": lambda P, N, k: Rational(k, P + N),
    "fpr": lambda P, N, k: Rational(k, P + N),
    "tnr": lambda P, N, k: 1 - Rational(k, P + N),
    "precision": lambda P, N, k: Rational(P, P + N),
    "npv": lambda P, N, k: Rational(N, P + N),
    "accuracy": lambda P, N, k: Rational(P * k + N * (P + N - k), (P + N) ** 2),
    "auc_single": lambda P, N, k: Rational(1, 2),
    "f1": lambda P, N, k: Rational(2 * P * k, (P + N) * (P + k)),
    "kappa": lambda P, N, k: 0,
    "mcc": lambda P, N, k: 0,
    "informedness": lambda P, N, k: 0,
    "markedness": lambda P, N, k: 0,
    "fowlkes_mallows": lambda P, N, k: sqrt(Rational(P * k, (P + N) ** 2)),
}
"""Means that follow from E[TP] = P*k/n by hand, as in van de Bijl et al. (2024)."""


@in_one_test
@pytest.mark.parametrize("name", list(CLOSED))
def test_closed_forms(name: str) -> None:
    for positives, negatives in ((7, 13), (1, 1), (400, 600), (20, 3)):
        guessing = sm.metrics[name].baseline(positives, negatives)
        n = positives + negatives
        for k in {1, n // 2, n - 1}:
            assert guessing.mean(k) == CLOSED[name](positives, negatives, k), (positives, negatives, k)


DUTCH_DRAW = {
    "tpr": (0.25, 1), "tnr": (0.75, 1), "precision": (0.35, 0.35), "npv": (0.65, 0.65), "accuracy": (0.575, 0.65),
    "auc_single": (0.5, 0.5), "f1": (0.29166666666666663, 0.5185185185185185), "mcc": (0, 0), "informedness": (0, 0),
    "markedness": (0, 0), "kappa": (0, 0), "fowlkes_mallows": (0.2958039891549808, 0.5916079783099616),
    "gmean": (0.41162586652473293, 0.4982826632340658), "jaccard": (0.18115970072239423, 0.35),
    "fpr": (0.25, 0), "fnr": (0.75, 0),
}  # fmt: skip
"""DutchDraw 0.0.2 with 7 positives and 13 negatives: the mean for a quarter predicted positive, and the best mean."""


@in_one_test
@pytest.mark.parametrize("name", list(DUTCH_DRAW))
def test_values_of_the_package_dutch_draw(name: str) -> None:
    guessing, (quarter, best) = sm.metrics[name].baseline(7, 13), DUTCH_DRAW[name]
    assert float(guessing.mean(5)) == pytest.approx(quarter, abs=1e-12)
    assert float(guessing.best.score) == pytest.approx(best, abs=1e-12)


def test_the_best_guesses() -> None:
    best = {name: sm.metrics[name].baseline(7, 13).best for name in ("f1", "accuracy", "gmean", "precision", "fpr")}
    assert {name: guess.predicted_positive for name, guess in best.items()} == {
        "f1": 20, "accuracy": 0, "gmean": 10, "precision": 1, "fpr": 0,
    }  # fmt: skip
    assert repr(best["f1"]) == "14/27 (0.5185), with 20 predicted positive"
    constants = {name: sm.metrics[name].baseline(7, 13).best_constant for name in ("accuracy", "fpr", "precision")}
    assert constants == {"accuracy": (0, Rational(13, 20)), "fpr": (0, 0), "precision": (20, Rational(7, 20))}
    # An infinite value of positive probability makes the mean infinite, be it ever so unlikely.
    unlikely = sm.Metric("unlikely", "TP/FP").baseline(1000, 1000)
    assert unlikely.best == (1, S.Infinity)
    assert unlikely._all_means[999] == math.inf


def test_many_examples() -> None:
    guessing = sm.metrics["gmean"].baseline(1500, 2500)
    assert guessing.best.predicted_positive == 2000
    assert isinstance(guessing.best.score, float)
    assert guessing.best.score == pytest.approx(0.5, abs=1e-4)
    assert sm.metrics["f1"].baseline(10**6, 10**6).best == (2 * 10**6, Rational(2, 3))


# -- the same expectation for all --------------------------------------------------------------------------------------


def test_what_is_proved_to_have_a_constant_baseline_has_one_here() -> None:
    for name in list(sm.metrics)[:: 3 if is_thorough() else 7]:
        guessing = sm.metrics[name].baseline(3, 5)
        means = guessing._all_means[1:-1]
        is_constant = bool(np.ptp(means) < 1e-12) if np.isfinite(means).all() else False
        verdict = recorded(name, "constant_baseline")
        if verdict.status == "proved" and np.isfinite(means).all():
            assert guessing.constant is not None, name
            assert means == pytest.approx(float(guessing.constant), abs=1e-12)
        if guessing.constant is not None and guessing.constant.is_finite:
            assert is_constant, name
            assert "however many are predicted positive (1 to 7)" in repr(guessing)
        else:
            assert "however many" not in repr(guessing) or not guessing.constant.is_finite


def test_equal_expectations_for_two_numbers_are_not_taken_for_constant() -> None:
    share = "(TP + FP)/(TP + FN + FP + TN)"
    guessing = sm.Metric("own", f"({share} - 1/2)*({share} - 1/3)").baseline(3, 3)
    assert guessing.mean(2) == guessing.mean(3) == 0
    assert guessing.constant is None


# -- p-values ----------------------------------------------------------------------------------------------------------


@settings(max_examples=examples(80), deadline=None)
@given(st.integers(1, 20), st.integers(1, 20), st.integers(0, 40), st.integers(0, 20))
def test_p_values_are_those_of_fishers_test(positives: int, negatives: int, k: int, hits: int) -> None:
    n = positives + negatives
    k = min(k, n)
    tp = min(max(hits, k - negatives, 0), positives, k)
    table = (tp, positives - tp, k - tp, negatives - k + tp)
    expected = hypergeom(n, positives, k).sf(tp - 1)
    assert fisher_exact(np.reshape(table, (2, 2)), alternative="greater").pvalue == pytest.approx(expected)
    for name in ("accuracy", "tpr", "auc_single"):  # all of them rise with TP
        metric = sm.metrics[name]
        found = metric.baseline(positives, negatives).p_value(metric.exact(*table), k)
        assert found == pytest.approx(expected, rel=1e-9), name
        assert metric.baseline(positives, negatives).p_value(metric.from_counts(*table), k) == pytest.approx(expected)
    loss = sm.metrics["fpr"]
    assert loss.baseline(positives, negatives).p_value(loss.exact(*table), k) == pytest.approx(expected)


def test_a_p_value_without_a_number_is_the_largest() -> None:
    for name in some(sm.metrics, SAMPLE, "largest"):
        guessing = sm.metrics[name].baseline(4, 6)
        each = [guessing.p_value("3/5", k) for k in range(11)]
        largest = math.nan if np.isnan(each).all() else float(np.nanmax(each))
        assert guessing.p_value("3/5") == pytest.approx(largest, nan_ok=True), name
    assert sm.metrics["f1"].baseline(4, 6).p_value("4/7") == pytest.approx(1)  # all positive
    assert sm.metrics["diagnostic_odds_ratio"].baseline(3, 3).p_value(math.inf, 3) == pytest.approx(1 / 20)
    assert math.isnan(sm.metrics["precision"].baseline(3, 3).p_value(0, 0))


# -- the record, and bad input -----------------------------------------------------------------------------------------


def test_the_record_says_what_guessing_gets() -> None:
    assert repr(sm.metrics["kappa"].baseline(1, 9)).splitlines() == [
        "kappa of random guessing, 1 positive and 9 negatives",
        "expected 0, however many are predicted positive (1 to 9)",
        "best expected 0, with 0 predicted positive",
        "all negative 0, all positive 0",
    ]
    found = repr(sm.metrics["precision"].baseline(3, 7)).splitlines()
    assert found[-1] == "all negative undefined, all positive 3/10 (0.3)"
    assert repr(sm.metrics["precision"].baseline(3, 7, zero_division=1)).splitlines()[2:] == [
        "best expected 1, with 0 predicted positive",
        "all negative 1, all positive 3/10 (0.3)",
    ]
    assert "no expected score" in repr(sm.metrics["tpr"].baseline(0, 4))
    assert "best" not in repr(sm.metrics["gmean"].baseline(3000, 4000))  # which takes a while
    assert sm.metrics["f1"].baseline(3, 7) == Baseline(sm.metrics["f1"], np.int64(3), 7)
    own = sm.Metric("own", "w*TP/(TP + FN)", parameters=["w in [0, 1] = 1/2"])
    assert own.baseline(2, 2).mean(2) == Rational(1, 4)


@pytest.mark.parametrize(
    ("call", "reason"),
    [
        (lambda f1: f1.baseline(-1, 3), r"positives=-1 is no number of examples; pass a whole number"),
        (lambda f1: f1.baseline(1.5, 3), r"positives=1.5 is no number"),
        (lambda f1: f1.baseline(3, True), r"negatives=True is no number"),
        (lambda f1: f1.baseline(0, 0), r"both 0; pass the numbers of examples"),
        (lambda f1: f1.baseline(3), r"f1.baseline: missing .*; pass the numbers of positive"),
        (lambda f1: f1.baseline(3, 7, zero_division="no"), r"zero_division='no' is not a number"),
        (lambda f1: f1.baseline(3, 7).mean(), r"pass how many are predicted positive, as in mean\(5\), or a rate"),
        (lambda f1: f1.baseline(3, 7).mean(5, rate=0.5), r"pass how many"),
        (lambda f1: f1.baseline(3, 7).mean(11), r"predicted_positive is 11, of 10 examples; pass a number up to that"),
        (lambda f1: f1.baseline(3, 7).mean("5"), r"predicted_positive='5' is no number"),
        (lambda f1: f1.baseline(3, 7).mean(rate="3/2"), r"rate is 3/2: a probability lies between 0 and 1"),
        (lambda f1: f1.baseline(3, 7).mean(rate=math.nan), r"rate: nan is not a finite number"),
        (lambda f1: f1.baseline(3, 7).p_value("much"), r"score: "),
        (lambda f1: f1.baseline(3, 7).p_value(math.nan), r"score: nan is not a finite number"),
        (
            lambda f1: f1.baseline(10**5, 10**5).distribution(10**5),
            r"100,001 tables are too many to add; pass exact=False",
        ),
        (lambda f1: f1.baseline(200, 200).mean(rate=0.5), r"exact values of 40,401 tables"),
        (lambda f1: f1.baseline(10**5, 10**5).p_value(0.5), r"10,000,200,001 tables with these .*; pass predicted_pos"),
        (lambda f1: sm.metrics["tpr"].baseline(0, 4).best, r"tpr has no value for any number of predicted positives"),
        (lambda f1: sm.metrics["tpr"].baseline(0, 4).best_constant, r"tpr has no value for all negative or all"),
    ],
)
def test_bad_input_names_the_reason_and_the_next_step(call: Callable[[sm.Metric], Any], reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        call(sm.metrics["f1"])


def test_probabilities_sum_to_one() -> None:
    tables = sm.metrics["f1"].baseline(30, 50)._tables
    assert tables.chances(0.3) == pytest.approx(binom(80, 0.3).pmf(np.arange(81)), rel=1e-9)
    for k in (0, 1, 40, 79, 80):
        assert tables.given(k)[2].sum() == pytest.approx(1)
