"""Decision rules, best thresholds and best predictions: closed forms, enumeration of all cuts, brute force."""

from __future__ import annotations

import itertools
import math
import pickle
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from random import Random

import numpy as np
import pytest
from effort import examples, in_one_test, is_thorough, some
from scipy.optimize import minimize_scalar
from sklearn.metrics import precision_recall_curve
from sympy import Abs, Expr, Max, Min, Rational, S, simplify

import symmetrics as sm
from symmetrics.decisions.predictions import MOST, best_predictions
from symmetrics.decisions.rule import DecisionRule, decision_rule, is_fractional_linear
from symmetrics.language.cells import CELLS, FN, FP, TN, TP
from symmetrics.metric.direction import corrections, greater_is_better
from symmetrics.tools.errors import DefinitionError, InputError

THEOREMS = ("fractional-linear", "monotone", "one-sided", "constant", "stationary only")


@pytest.fixture(scope="module")
def covered() -> dict[str, list[str]]:
    """The names of the library's metrics by the theorem that covers them; some of them in a default run."""
    found: dict[str, list[str]] = {theorem: [] for theorem in THEOREMS}
    for name in some(sm.metrics, 60):
        found[decision_rule(sm.metrics[name]).theorem].append(name)
    return found


def populations(number: int, seed: str) -> list[list[Fraction]]:
    random = Random(seed)
    return [[Fraction(random.randint(1, 39), 40) for _ in range(random.randint(2, 7))] for _ in range(number)]


# -- closed forms ------------------------------------------------------------------------------------------------------


@in_one_test
@pytest.mark.parametrize(
    ("name", "threshold"),
    [
        ("f1", sm.metrics["f1"].expr / 2),  # Lipton et al. 2014
        ("f2", sm.metrics["f2"].expr / 5), ("f_half", 4 * sm.metrics["f_half"].expr / 5),
        ("jaccard", TP / (2 * TP + FN + FP)),  # J/(1 + J)
        ("accuracy", Rational(1, 2)), ("error_rate", Rational(1, 2)),
        ("auc_single", (TP + FN) / (TP + FN + FP + TN)), ("informedness", (TP + FN) / (TP + FN + FP + TN)),
        ("gmean", TP / (TP + TN)), ("precision", TP / (TP + FP)), ("npv", FN / (FN + TN)),
        ("tpr", S.Zero), ("tnr", S.One), ("fnr", S.Zero), ("fpr", S.One),
        ("mcc", (FN * FP + 2 * FN * TP + TN * TP) / (2 * (FN + TN) * (FP + TP))),
        ("positive_fraction", S.NegativeInfinity), ("prevalence", S.NaN),
    ],
)  # fmt: skip
def test_closed_forms(name: str, threshold: Expr) -> None:
    found = sm.metrics[name].rule().threshold
    assert found == threshold or simplify(found - threshold) == 0


def test_a_fractional_linear_metric_has_the_threshold_of_koyejo() -> None:
    """Their theorem 1: with M = A/B, a_ij and b_ij the coefficients of the cells, and M* the best value."""
    upper, lower = (7, 2, 1, 3), (5, 4, 6, 8)
    above, below = (sum(k * cell for k, cell in zip(row, CELLS, strict=True)) for row in (upper, lower))
    mine = sm.Metric("mine", above / below)
    weights = [a - b * mine.expr for a, b in zip(upper, lower, strict=True)]
    positive, negative = weights[0] - weights[1], weights[3] - weights[2]
    assert simplify(mine.rule().threshold - negative / (positive + negative)) == 0


@pytest.mark.parametrize("name", ["f1", "mcc", "kappa", "gmean", "agm", "optimized_precision", "mutual_information"])
def test_the_threshold_and_the_worth_are_those_of_the_gradient(name: str) -> None:
    """The gradient is computed by other code, and here at one table, in floats."""
    metric = sm.metrics[name]
    table = (31, 7, 12, 50)
    place = dict(zip(CELLS, table, strict=True))
    tp, fn, fp, tn = (float(slope.xreplace(place)) for slope in metric.gradient())
    rule = metric.rule()
    assert float(rule.at(*table)) == pytest.approx((tn - fp) / (tp - fn + tn - fp), rel=1e-9)
    assert float(rule.worth_at(*table)) == pytest.approx((tp - fn) / (tn - fp), rel=1e-9)


def test_values_at_tables() -> None:
    rule = sm.metrics["f1"].rule()
    assert rule.at(8, 2, 2, 8) == Rational(2, 5)
    assert rule.at("1/2", 0, 0, 3) == Rational(1, 2)
    assert rule.worth_at(8, 2, 2, 8) == Rational(3, 2)
    assert sm.metrics["gmean"].rule().at(0, 5, 5, 0) is S.NaN  # 0/0, and no limit
    assert sm.metrics["tpr"].rule().worth is S.Infinity
    assert sm.metrics["fpr"].rule().worth == 0
    assert sm.metrics["prevalence"].rule().worth is S.NaN
    assert sm.metrics["net_benefit"].rule().threshold == sm.metrics["net_benefit"].parameters[0].symbol
    assert sm.metrics["net_benefit"].at(threshold="1/5").rule().at(1, 1, 1, 1) == Rational(1, 5)
    assert sm.metrics["f_beta"].at(beta=2).rule().at(4, 1, 3, 2) == sm.metrics["f2"].exact(4, 1, 3, 2) / 5


def test_a_rule_is_a_value() -> None:
    rule = sm.metrics["mcc"].rule()
    assert pickle.loads(pickle.dumps((rule, rule.threshold))) == (rule, rule.threshold)


def test_a_rule_in_words() -> None:
    every = sm.metrics["positive_fraction"]
    assert repr(every.rule()).startswith("positive_fraction: predict every example positive")
    assert "predict no example positive" in repr(every.negated().rule())
    assert repr(sm.metrics["prevalence"].rule()).splitlines()[0] == "prevalence: no example matters"
    assert repr(sm.metrics["f1"].rule()).startswith("f1: predict positive where the probability exceeds TP/(FN + FP + ")
    assert "no theorem" in repr(sm.metrics["rand_index"].rule())


# -- which theorem -----------------------------------------------------------------------------------------------------


@in_one_test
@pytest.mark.parametrize(
    ("text", "theorem"),
    [
        ("TP/(TP + FP + FN)", "fractional-linear"), ("(TP + 1)/(TP + FP + 2)", "fractional-linear"),
        ("TP*TN - FP*FN", "fractional-linear"), ("-(FN + 2*FP)/(TP + TN)", "fractional-linear"),
        ("TP*TN", "monotone"), ("Min(TP/(TP + FN), TN/(TN + FP))", "monotone"), ("log(TP + TN)", "monotone"),
        ("TP - FN + FP - TN", "one-sided"), ("(TP + FN)/(TP + FN + FP + TN)", "constant"), ("3/7", "constant"),
        ("(TP - FN)**2", "stationary only"),
        ("TP/(TN + FP) - TN*TN*FP", "stationary only"),
    ],
)  # fmt: skip
def test_the_theorem_of_a_formula(text: str, theorem: str) -> None:
    assert decision_rule(sm.Metric("own", text)).theorem == theorem


def test_a_divisor_with_a_zero_is_not_fractional_linear() -> None:
    assert not is_fractional_linear(TP / (TP - FP))
    assert not is_fractional_linear(Abs(TP - FN) / (TP + FN))


def test_the_library_by_theorem(covered: dict[str, list[str]]) -> None:
    counts = {theorem: len(names) for theorem, names in covered.items()}
    if is_thorough():
        assert counts == {
            "fractional-linear": 64, "monotone": 90, "one-sided": 7, "constant": 3, "stationary only": 52,
        }  # fmt: skip
    assert min(counts[theorem] for theorem in ("fractional-linear", "monotone", "stationary only")) > 0


def test_directions_of_corrections_hold_at_random_tables(covered: dict[str, list[str]]) -> None:
    tables = np.random.default_rng(3).integers(1, 30, (4, 200))
    for name in [name for names in covered.values() for name in names]:
        metric = sm.metrics[name]
        for sign, (gain, loss) in zip(corrections(name, metric.value_formula), ((0, 1), (3, 2)), strict=True):
            more = tables.copy()
            more[gain] += 1
            more[loss] += 0
            less = tables.copy()
            less[loss] += 1
            change = np.asarray(metric.from_counts(*more)) - np.asarray(metric.from_counts(*less))
            scale = 1e-9 * (1 + np.abs(np.asarray(metric.from_counts(*less))))
            if sign is not None:
                bad = (np.abs(change) > scale) if sign == 0 else (sign * change < -scale)
                assert not bad[np.isfinite(change)].any(), (name, gain)


# -- the optimum of a population ---------------------------------------------------------------------------------------


def value_of_sets(metric: sm.Metric, shares: list[Fraction]) -> np.ndarray:
    """Return the values of all sets of predicted positives."""
    p = np.array([float(share) for share in shares])
    chosen = np.array(list(itertools.product([0.0, 1.0], repeat=len(p))))
    rest = 1 - chosen
    return np.asarray(metric.from_counts(chosen @ p, rest @ p, chosen @ (1 - p), rest @ (1 - p)))


def test_the_rule_at_the_optimum_is_the_best_of_all_sets(covered: dict[str, list[str]]) -> None:
    """For fractional-linear metrics: the rule at the best cut chooses that cut, and no set is better."""
    drawn = populations(50 if is_thorough() else 6, "fractional-linear")
    for name in covered["fractional-linear"]:
        metric = sm.metrics[name]
        sign = -1 if greater_is_better(metric) is False else 1
        for shares in drawn:
            found = metric.rule().optimum(shares)
            assert found.is_fixed_point is True, (name, shares)
            assert found.is_certified
            values = sign * value_of_sets(metric, shares)
            best = values[~np.isnan(values)].max()
            reached = sign * float(found.value)
            assert reached == best or reached == pytest.approx(best, rel=1e-9, abs=1e-12), (name, shares)


def frontier(metric: sm.Metric, shares: list[Fraction], sign: int) -> tuple[float, int, float, tuple[float, ...]]:
    """Return the best point of the ROC frontier: its value, edge, the share of the edge's example, and its table."""
    p = sorted(map(float, shares), reverse=True)
    total = sum(p)

    def table(edge: int, part: float) -> tuple[float, ...]:
        tp = sum(p[:edge]) + part * p[edge]
        fp = edge + part - tp
        return tp, max(total - tp, 0.0), max(fp, 0.0), max(len(p) - total - fp, 0.0)

    def value(edge: int, part: float) -> float:
        return sign * float(metric.from_counts(*table(edge, part)))

    best = (-math.inf, 0, 0.0, table(0, 0.0))
    for edge in range(len(p)):
        inner = minimize_scalar(lambda part, edge=edge: -value(edge, part), bounds=(0, 1), options={"xatol": 1e-10}).x
        for part in (0.0, float(inner), 1.0):
            if value(edge, part) > best[0] + 1e-12:
                best = (value(edge, part), edge, part, table(edge, part))
    return best


def test_monotone_metrics_are_best_at_the_threshold_of_the_rule(covered: dict[str, list[str]]) -> None:
    """With part of an example predicted positive, which stands for a continuous distribution: the rule holds exactly.

    Cuts between examples alone need not be fixed points: the best one of the geometric mean may not be.
    """
    drawn = populations(12 if is_thorough() else 3, "monotone")
    seen: Counter[str] = Counter()
    names = [name for name in covered["monotone"] if not sm.metrics[name].expr.has(Max, Min, Abs)]
    for name in names:
        metric = sm.metrics[name]
        sign = -1 if greater_is_better(metric) is False else 1
        for shares in drawn:
            p = sorted(map(float, shares), reverse=True)
            value, edge, part, table = frontier(metric, shares, sign)
            if not math.isfinite(value) or min(table) < 1e-6:  # at zero cells slopes may be infinite
                seen["edge of the square"] += 1
                continue
            threshold = float(metric.rule().at(*table))
            inner = 1e-5 < part < 1 - 1e-5
            first, last = (edge, edge) if inner else (edge - 1 + round(part), edge + round(part))
            above, below = p[first] if first >= 0 else 1.0, p[last] if last < len(p) else 0.0
            assert below - 1e-3 <= threshold <= above + 1e-3, (name, shares, part)
            seen["inside of an edge" if inner else "a corner"] += 1
    assert seen["a corner"] > len(names) / 4


def test_a_part_of_an_example_is_best_for_the_geometric_mean() -> None:
    gmean = sm.metrics["gmean"]
    shares = [Fraction(3, 5), Fraction(1, 2), Fraction(2, 5)]
    _, edge, part, table = frontier(gmean, shares, 1)
    assert (edge, round(part, 6)) == (1, 0.5)
    assert float(gmean.rule().at(*table)) == pytest.approx(0.5, abs=1e-6)


def test_no_theorem_covers_the_j_measure_and_the_rule_fails() -> None:
    """The best set holds the least probable example alone: the rule would have to be turned round."""
    metric = sm.metrics["j_measure"]
    shares = [Fraction(17, 20), Fraction(3, 4), Fraction(3, 4), Fraction(7, 10), Fraction(1, 20)]
    found = metric.rule().optimum(shares)
    assert (found.rule.theorem, found.is_certified) == ("stationary only", False)
    values = value_of_sets(metric, shares)
    assert np.nanargmax(values) == 1  # the last example alone
    assert np.nanmax(values) > 3 * float(found.value)
    assert "best of all thresholds" in repr(found)


def test_the_best_cut_with_weights_ties_and_certain_examples() -> None:
    rule = sm.metrics["f1"].rule()
    found = rule.optimum(["1/2", "9/10", "1/2", 0, 1])
    assert (found.positives, found.size, found.cut) == (4, 5, Rational(1, 2))
    assert (found.value, found.threshold) == (Rational(58, 69), Rational(29, 69))  # TP = 29/10, FP = 11/10
    twice = rule.optimum([1, "9/10", "1/2", 0], weights=[1, 1, 2, 1])
    assert (twice.table, twice.value) == (found.table, found.value)
    assert sm.metrics["tpr"].rule().optimum(["1/2", 0]).positives == 1
    nothing = sm.metrics["fpr"].rule().optimum(["1/2", "1/3"])
    assert (nothing.positives, nothing.cut, nothing.value) == (0, S.Infinity, 0)
    assert "which no set of predictions falls below" in repr(nothing)
    every = sm.metrics["positive_fraction"].rule().optimum(["1/2", "1/3"])
    assert (every.positives, every.is_fixed_point) == (2, True)
    assert rule.optimum(np.array([0.5, 0.25])) == rule.optimum([0.5, 0.25])


def test_equal_probabilities_are_not_divided_and_a_best_cut_need_not_be_a_fixed_point() -> None:
    rule = sm.metrics["gmean"].rule()
    assert rule.optimum(["1/2", "1/2"]).value == 0  # 1/2 with one of them
    found = rule.optimum(["3/5", "1/2", "2/5"])
    assert (found.is_fixed_point, found.is_certified) == (False, False)


# -- the best threshold of examples ------------------------------------------------------------------------------------


def test_the_best_threshold_of_f1_is_that_of_scikit_learn() -> None:
    random = np.random.default_rng(4)
    for _ in range(examples(200)):
        size = int(random.integers(5, 60))
        truth = np.r_[1, random.integers(0, 2, size - 1)]
        score = random.integers(0, 12, size) / 8
        weight = random.integers(1, 5, size) if random.random() < 0.5 else None
        precision, recall, thresholds = precision_recall_curve(truth, score, sample_weight=weight)
        with np.errstate(invalid="ignore"):
            values = (2 * precision * recall / (precision + recall))[:-1]
        found = sm.metrics["f1"].best_threshold(truth, score, sample_weight=weight)
        assert found.value == pytest.approx(np.nanmax(values))
        assert found.threshold in thresholds[values >= np.nanmax(values) - 1e-12]
        assert found.value == pytest.approx(sm.metrics["f1"](truth, score >= found.threshold, sample_weight=weight))


@pytest.mark.parametrize(
    "name", ["accuracy", "mcc", "gmean", "kappa", "precision", "error_rate", "optimized_precision"]
)
def test_the_best_threshold_is_the_best_of_all(name: str) -> None:
    random, metric = np.random.default_rng(5), sm.metrics[name]
    sign = -1 if name == "error_rate" else 1
    for _ in range(examples(160)):
        truth = np.r_[1, 0, random.integers(0, 2, 10)]
        score = random.integers(0, 6, 12) * 0.1
        cuts = [math.inf, *sorted(set(score.tolist()), reverse=True)]
        values = [sign * metric(truth.tolist(), (score >= cut).astype(int).tolist(), labels=[0, 1]) for cut in cuts]
        best = max(value for value in values if not math.isnan(value))
        found = metric.best_threshold(truth, score)
        assert sign * found.value == pytest.approx(best)
        # Of several that are equally good it is the highest.
        assert found.threshold == cuts[next(k for k, value in enumerate(values) if value >= best - 1e-12)]


def test_other_labels_and_no_positive_predictions() -> None:
    found = sm.metrics["f1"].best_threshold(["b", "a", "a"], [3, 2, 1], pos_label="a")
    assert (found.threshold, found.table) == (1.0, (2.0, 0.0, 1.0, 0.0))
    nothing = sm.metrics["fpr"].best_threshold([0, 1, 1], [3, 2, 1])
    assert (nothing.threshold, nothing.value, nothing.table) == (math.inf, 0.0, (0.0, 2.0, 0.0, 1.0))
    dropped = sm.metrics["f1"].best_threshold([1, None, 0], [3, 2, 1], missing="drop")
    assert dropped.table == (1.0, 0.0, 0.0, 1.0)
    assert repr(dropped) == "f1 is best at threshold 3: 1, TP, FN, FP, TN = 1, 0, 0, 1"


def test_undefined_thresholds_are_left_out_or_filled() -> None:
    truth, score = [0, 1], [2, 1]
    assert sm.metrics["precision"].best_threshold(truth, score).value == 0.5
    filled = sm.metrics["precision"].best_threshold(truth, score, zero_division=1)
    assert (filled.threshold, filled.value) == (math.inf, 1.0)
    # Nearly a tie with 1/2, which is compared exactly.
    assert sm.metrics["precision"].best_threshold(truth, score, zero_division=0.5 - 1e-13).threshold == 1.0
    assert sm.metrics["precision"].best_threshold(truth, score, zero_division=0.5).threshold == math.inf


# -- the best predictions of a batch -----------------------------------------------------------------------------------


def expectations(metric: sm.Metric, p: np.ndarray, zero_division: float) -> np.ndarray:
    """Return E[M] of every labelling, by all outcomes; the labellings in the order of itertools.product."""
    every = np.array(list(itertools.product([0, 1], repeat=len(p))))
    chance = np.where(every == 1, p, 1 - p).prod(axis=1)
    rest = 1 - every
    values = np.asarray(
        metric.from_counts(every @ every.T, rest @ every.T, every @ rest.T, rest @ rest.T, zero_division=zero_division)
    )  # rows: predictions, columns: outcomes
    valid = ~np.isnan(values) & (chance > 0)
    with np.errstate(invalid="ignore"):
        return np.where(valid, values * chance, 0).sum(axis=1) / (valid * chance).sum(axis=1)


EXPECTED = ("f1", "f2", "accuracy", "jaccard", "mcc", "kappa", "gmean", "auc_single", "precision", "fpr", "error_rate")


@pytest.mark.parametrize("name", EXPECTED)
@pytest.mark.parametrize("fill", [math.nan, 0.0, 1.0])
def test_the_best_predictions_are_the_best_of_all(name: str, fill: float) -> None:
    random, metric = np.random.default_rng(6), sm.metrics[name]
    sign = -1 if name in ("fpr", "error_rate") else 1
    for _ in range(examples(96)):
        p = np.round(random.random(int(random.integers(1, 9 if is_thorough() else 7))), 2)
        if random.random() < 0.2:
            p[0] = random.integers(0, 2)
        every = sign * expectations(metric, p, fill)
        if np.isnan(every).all():
            with pytest.raises(InputError, match="undefined for all outcomes"):
                metric.best_predictions(p, zero_division=fill)
            continue
        found = metric.best_predictions(p, zero_division=fill)
        assert sign * found.value == pytest.approx(np.nanmax(every), abs=1e-12)
        place = int("".join(map(str, found.labels)), 2)
        assert every[place] == pytest.approx(np.nanmax(every), abs=1e-12)


def test_a_labelling_is_an_array_of_labels() -> None:
    found = sm.metrics["f1"].best_predictions([0.1, 0.9, 0.6])
    assert (len(found), list(found), found.positives, int(found[1])) == (3, [0, 1, 1], 2, 1)
    assert np.asarray(found).tolist() == found.labels.tolist()
    assert sm.metrics["accuracy"]([0, 1, 1], found) == 1.0
    assert not found.labels.flags.writeable


def test_many_examples_come_near_the_expected_table() -> None:
    p = np.random.default_rng(7).random(400 if not is_thorough() else MOST).round(6)
    found = sm.metrics["f1"].best_predictions(p)
    limit = sm.metrics["f1"].rule().optimum(p)
    assert abs(found.positives - limit.positives) <= 3
    assert found.value == pytest.approx(float(limit.value), abs=3 / len(p))


def test_an_exchange_that_makes_it_worse_is_refused() -> None:
    with pytest.raises(InputError, match="not known to rise where errors are corrected"):
        sm.Metric("odd", "TP*FP").best_predictions([0.5, 0.4])
    # Tables with zero cells: without errors this has the value that is passed, and 0 with one of each kind.
    split = sm.Metric("split", "((FN - FP)/(FN + FP))**2")
    with pytest.raises(InputError, match="is undefined at the table"):
        split.best_predictions([0.5, 0.4])
    with pytest.raises(InputError, match="is worse at the table"):
        split.best_predictions([0.5, 0.4], zero_division=-1)
    p = np.array([0.5, 0.4, 0.9])
    assert split.best_predictions(p, zero_division=0).value == pytest.approx(expectations(split, p, 0.0).max())
    with pytest.raises(InputError, match="infinite at the table"):
        sm.metrics["diagnostic_odds_ratio"].best_predictions([0.5, 0.4, 0.3])


# -- bad input ---------------------------------------------------------------------------------------------------------


@in_one_test
@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: sm.metrics["f1"].rule().at(-1, 1, 1, 1), "cannot be negative"),
        (lambda: sm.metrics["f1"].rule().at(float("nan"), 1, 1, 1), "tp"),
        (lambda: sm.metrics["f1"].rule().optimum([]), "probabilities is empty"),
        (lambda: sm.metrics["f1"].rule().optimum([0.5, 1.5]), "has the entry 3/2"),
        (lambda: sm.metrics["f1"].rule().optimum([0.5], weights=[0]), "positive numbers"),
        (lambda: sm.metrics["f1"].rule().optimum([0.5], weights=[1, 1]), "1 probability and 2 weights"),
        (lambda: sm.metrics["f1"].rule().optimum(0.5), "no list of numbers"),
        (lambda: sm.metrics["f1"].rule().optimum("0.5"), "no list of numbers"),
        (lambda: sm.metrics["f1"].rule().optimum([0.5, "half"]), r"probabilities\[1\]"),
        (lambda: sm.metrics["tpr"].rule().optimum([0, 0]), "undefined at every threshold"),
        (lambda: sm.metrics["f1"].best_threshold([0, 0], [1, 2]), "1"),
        (lambda: sm.metrics["f1"].best_threshold([0, 1], [1, math.nan]), r"y_score\[1\]"),
        (lambda: sm.metrics["f1"].best_threshold([0, 1], [1, 2, 3]), "3"),
        (lambda: sm.metrics["tnr"].best_threshold([1, 1], [1, 2]), "undefined at every threshold"),
        (lambda: sm.metrics["f1"].best_threshold([[1, 2]]), "y_score"),
        (lambda: sm.metrics["f1"].best_predictions([0.5, 1.2]), r"probabilities\[1\] is 1.2"),
        (lambda: sm.metrics["f1"].best_predictions([]), "shape"),
        (lambda: sm.metrics["f1"].best_predictions([[0.5, 0.5]]), "one number per example"),
        (lambda: sm.metrics["f1"].best_predictions([0.5, None]), "probabilities"),
        (lambda: sm.metrics["f1"].best_predictions([0.5], zero_division="0"), "zero_division"),
        (lambda: sm.metrics["f1"].best_predictions(np.full(MOST + 1, 0.5)), f"more than {MOST}"),
        (lambda: sm.metrics["tpr"].best_predictions([0.0, 0.0]), "undefined for all outcomes"),
    ],
)  # fmt: skip
def test_bad_input(call: Callable[[], object], words: str) -> None:
    with pytest.raises(InputError, match=words):
        call()


def test_parameters_without_a_default_have_to_be_bound() -> None:
    own = sm.Metric("own", "TP/(TP + w*FP)", parameters=["w in (0, oo)"])
    with pytest.raises(DefinitionError, match="bind w first"):
        own.rule()
    assert isinstance(own.at(w=2).rule(), DecisionRule)
    assert best_predictions(own.at(w=2), [0.5, 0.25]).positives == 1
