"""Strategies draw what they say; the cross-check of a metric finds each of many planted faults, and no other."""

from __future__ import annotations

import importlib
import math
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import networkx as nx
import numpy as np
import pytest
from effort import examples, is_thorough
from hypothesis import given, settings
from sympy import Interval, Max, Min, Rational, log

import symmetrics as sm
from symmetrics import FN, FP, TP, Metric
from symmetrics.claims.evidence import Counts, Witness
from symmetrics.testing import (
    Labels,
    assert_metric,
    comparisons,
    cross_check,
    formulas,
    labels,
    matrices,
    orders,
    tables,
)
from symmetrics.tools.errors import InputError, UnknownNameError

RECALL = Metric("mine", "TP/(TP + FN)")
ODDS = Metric("own_q", "(TP*TN/(FN*FP) - 1)/(TP*TN/(FN*FP) + 1)")
"""Yule's Q, written so that each zero cell is a removable singularity."""


def mcc(tp: Any, fn: Any, fp: Any, tn: Any) -> Any:
    """As it is often written: products of integer arrays wrap around."""
    below = np.asarray((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn), dtype=float)
    return np.where(below, (tp * tn - fp * fn) / np.sqrt(below), 0)


def right_mcc(tp: Any, fn: Any, fp: Any, tn: Any) -> Any:
    return mcc(*(np.asarray(cell, dtype=float) for cell in (tp, fn, fp, tn)))


HALF = "TP/(TP + FN/2 + FP/3)"


def broken(method: str, wrong: Callable[[Any, Any], Any], formula: str = HALF, **facts: Any) -> Metric:
    """Return a metric one of whose methods is wrong: *wrong* takes the right value and the counts."""
    right = getattr(Metric, method)
    kind = type("Broken", (Metric,), {method: lambda self, *cells: wrong(right(self, *cells), cells)})
    return kind("own", formula, **facts)  # type: ignore[no-any-return]


OPEN = Metric("own", "Abs(TP - FN)/(TP - FN)")

PLANTED = [
    # the metric, the settings, and what the sentence says; the first ten are the faults that people make most
    ("a wrong range", Metric("own", "TP/(TP + FN) - FP/(FP + TN)", range=Interval(0, 1)), {},
     "the value -1.0 at TP=0, FN=1, FP=1, TN=0 is outside of the range [0.0, 1.0]"),
    ("a swapped cell", RECALL, {"numeric": lambda tp, fn, fp, tn: tp / (tp + fp) if tp + fp else math.nan},
     "numeric gives 0.0 for whole numbers at TP=0, FN=0, FP=1, TN=0, where the formula is undefined"),
    ("a rounded constant", Metric("own", HALF), {"numeric": lambda tp, fn, fp, tn: tp / (tp + fn / 2 + 0.333333 * fp)},
     "numeric gives 0.7500001875000468 for whole numbers at TP=1, FN=0, FP=1, TN=0, and the formula 0.75"),
    ("a float in the formula", 0.7 * TP / (TP + FN), {}, "0.7 is a float; write it exactly, as Rational('0.7')"),
    ("an undeclared zero", RECALL, {"numeric": lambda tp, fn, fp, tn: tp / (tp + fn) if tp else 0.0},
     "numeric gives 0.0 for whole numbers at TP=0, FN=0, FP=0, TN=1, where the formula is undefined; pass "
     "zero_division=0.0 if that is meant"),
    ("an overflow", sm.metrics["mcc"], {"numeric": mcc, "zero_division": 0, "examples": 60},
     "for arrays of int32 at TP="),
    ("a loss as a score", Metric("own", "FN/(TP + FN)"), {},
     "greater_is_better is said to be True, and is proved to be False: from TP=1, FN=1, FP=1, TN=1 to TP=2, FN=0, "
     "FP=1, TN=1 it changes by -0.5"),
    ("a wrong limit", ODDS, {"numeric": lambda tp, fn, fp, tn: ODDS.from_counts(tp, fn, fp, tn) if fp else math.nan},
     "numeric gives nan for whole numbers at TP=1, FN=0, FP=0, TN=1, and the formula 1.0"),
    ("a property it has not", RECALL, {"claims": {"p1": True}}, "claims say p1=True, and it is False"),
    ("a wide domain", Metric("own", "TP/(TP + (1 - w)*FN)", "w in [0, 2] = 1/2"), {},
     "the formula has no finite real value at TP=1, FN=1, FP=1, TN=1 for w = 2, which the domain allows"),
    ("a root of something negative", Metric("own", "sqrt(TP - FN)/(TP + FN)"), {},
     "the formula has no finite real value at TP=1, FN=2, FP=1, TN=1;"),
    # others
    ("a range that is too wide", replace(RECALL, range=Interval(-1, 1)), {},
     "the range is said to be [-1.0, 1.0], and is proved to be [0.0, 1.0]"),
    ("a range that parameters leave", Metric("own", "w*TP/(TP + FN)", "w in [0, 2] = 1", range=Interval(0, 1)), {},
     "at TP=2, FN=1, FP=1, TN=1 for w = 5/3, which the domain allows, is outside of the range [0.0, 1.0]"),
    ("a pole", Metric("own", "TP/(TP - FN)"), {}, "no finite real value at TP=1, FN=1, FP=1, TN=1"),
    ("a name that is taken", Metric("f1", "TP/(TP + FN + FP)"), {},
     "the value at TP=1, FN=0, FP=1, TN=0 is 0.5, and 0.6666666666666666 for f1; rename it"),
    ("a title that is taken", replace(RECALL, title="Precision"), {}, "for precision; rename it"),
    ("a property it has", RECALL, {"claims": {"p2": False}}, "claims say p2=False, and it is True"),
    ("a claim that is open", OPEN,
     {"claims": {"translation_space": True, "defined": False}}, "and it is None: translation_space of own: open"),
    ("a wrong claim on the range", RECALL, {"claims": {"range": (0, 2)}}, "is proved to be [0.0, 1.0]"),
    ("a wrong claim on the direction", RECALL, {"claims": {"greater_is_better": None}},
     "greater_is_better is said to be None, and is proved to be True"),
    ("an error of its own", RECALL, {"numeric": lambda tp, fn, fp, tn: tp / (tp + fn) if fp < 9 else {}[fp]},
     "KeyError"),
    ("a sum over the array", Metric("own", "TP/100"), {"numeric": lambda tp, fn, fp, tn: np.sum(tp) / 100},
     "numeric gives 0.02 for arrays of int32 at TP=1, FN=0, FP=0, TN=0, and the formula 0.01"),
    ("another metric of matrices", "mcc", {"numeric": sm.multiclass["kappa"]}, "for a matrix at TP="),
    ("broken numbers", broken("from_counts", lambda value, cells: value * (1 + 1e-9)), {},
     "from_counts gives 1.000000001 at TP=1, FN=0, FP=0, TN=0, and the formula 1.0"),
    ("broken arrays", broken("from_counts", lambda value, cells: value + 1e-9 * isinstance(cells[0], np.ndarray)), {},
     "for arrays of int64 at TP="),
    ("a broken exact value", broken("exact", lambda value, cells: value + Rational(1, 10**20)), {},
     "exact gives 1/100000000000000000000 at TP=0, FN=0, FP=1, TN=0, and the formula 0.0"),
    ("a broken limit", broken("exact", lambda value, cells: value if cells[2] else value - 1, str(ODDS.expr)), {},
     "exact gives 0 at TP=1, FN=0, FP=0, TN=1, and the values at tables near by tend elsewhere"),
    ("a broken gradient", broken("gradient", lambda value, cells: value[::-1]), {},
     "the gradient by TP at TP=1, FN=1, FP=1, TN=1 is 0.0, and differences"),
    ("a broken interval", broken("interval", lambda value, cells: (value.low, 2.0), range=Interval(0, 1)), {},
     "2.0], and the value"),
]  # fmt: skip


@pytest.mark.parametrize(("metric", "given_", "sentence"), [case[1:] for case in PLANTED], ids=[c[0] for c in PLANTED])
def test_a_planted_fault_is_found(metric: Any, given_: dict[str, Any], sentence: str) -> None:
    with pytest.raises(AssertionError) as caught:
        assert_metric(metric, **{"properties": [], "examples": 25} | given_)
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("key", "told"), [("p4", "proved, and does not hold"), ("p2", "refuted, and the tables")])
def test_a_wrong_verdict_is_found(key: str, told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is refuted is said to be proved, and what is proved to be refuted, by tables that are no counterexample."""
    same = Witness((Counts(1, 1, 1, 1),) * 2, (Rational(1, 2),) * 2)

    def wrong(metric: Metric, asked: Any, **_: Any) -> Any:
        verdict = sm.prove(metric, asked)
        is_changed = verdict.property == key
        return altered(verdict, *(("refuted", same) if verdict.holds else ("proved", None))) if is_changed else verdict

    monkeypatch.setattr(cross_check, "prove", wrong)
    with pytest.raises(AssertionError, match=f"{key} is {told}"):
        assert_metric(RECALL, properties=[key], examples=40)


def altered(verdict: Any, status: str, witness: Witness | None) -> Any:
    decision = replace(verdict.decision, status=status, holds=status == "proved", witness=witness)
    return type(verdict).of(decision, verdict.claim, metric=verdict.metric, property=verdict.property)


def test_a_witness_with_another_value_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    verdict = sm.prove(RECALL, "p4")
    witness = replace(verdict.witness, values=(Rational(1, 3), Rational(1, 2)))
    monkeypatch.setattr(cross_check, "prove", lambda metric, asked, **_: altered(verdict, "refuted", witness))
    with pytest.raises(AssertionError, match=r"p4 is refuted by 1/3 at TP=1, FN=1, FP=1, TN=1, where it is 0\.5"):
        assert_metric(RECALL, properties=["p4"], examples=5)


@pytest.mark.parametrize(
    ("metric", "settings_"),
    [
        (Metric("own", HALF), {"numeric": lambda tp, fn, fp, tn: tp / (tp + fn / 2 + fp / 3), "claims": {"p2": True}}),
        (Metric("own", "w*TP/(w*TP + FN)", "w in (0, 1] = 3/4", range=Interval(0, 1)), {}),
        (Metric("own", "FN/(TP + FN)", greater_is_better=False), {"claims": {"greater_is_better": False}}),
        (ODDS, {"claims": {"range": (-1, 1), "p1": True, "p4": False}}),
        (Metric("own", "sqrt(TP - FN)/(TP + FN)"), {"claims": {"defined": False}}),
        (OPEN, {"claims": {"translation_space": None, "defined": False}}),
        (RECALL, {"numeric": lambda tp, fn, fp, tn: tp / (tp + fn) if tp else 0.0, "zero_division": 0.0}),
        (sm.metrics["mcc"], {"numeric": right_mcc, "zero_division": 0}),
        (TP / (TP + Max(FN, FP)), {}),
        ("mcc", {"numeric": sm.multiclass["mcc"]}),
        (sm.multiclass["kappa"], {"claims": {"monotone_rows": False}}),
    ],
    ids=[f"right {number}" for number in range(11)],
)  # fmt: skip
def test_what_is_right_passes(metric: Any, settings_: dict[str, Any]) -> None:
    checked = assert_metric(metric, **{"properties": ["p1", "p2", "increasing_tp"], "examples": 25} | settings_)
    assert checked.tables > 20


def test_what_was_compared_is_told() -> None:
    told = str(assert_metric(RECALL, properties=["p1", "p2"], examples=30))
    assert "mine: no disagreement at " in told
    assert "tables; properties: 1 proved, 1 refuted; undefined where TP = FN = 0 (no limit)" in told


def test_many_tables_are_compared_where_numba_compiles_a_loop_for_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparisons, "is_available", lambda: True)
    wrong = broken("from_counts", lambda value, cells: value + 1e-9 * (np.size(cells[0]) >= 10**6))
    with pytest.raises(AssertionError, match=r"for numba at TP=0, FN=0, FP=\d, TN=\d, and 0\.0 alone"):
        assert_metric(wrong, properties=[], examples=5)


@pytest.mark.parametrize("key", sorted(sm.multiclass))
@pytest.mark.sampled(2)
def test_metrics_of_matrices(key: str) -> None:
    assert_metric(sm.multiclass[key], examples=examples(200))


def test_a_function_of_matrices() -> None:
    accuracy = sm.multiclass["one_vs_rest_accuracy"]
    right = lambda C: 1 - 2 * (1 - np.trace(C) / C.sum()) / len(C) if C.sum() else math.nan  # noqa: E731
    assert_metric(accuracy, numeric=right, examples=60)
    with pytest.raises(AssertionError, match=r"numeric gives .* at \[\[0, 0\], \[0, 1\]\], and exact 1.0"):
        assert_metric(accuracy, numeric=lambda C: C[0, 0] / C.sum() if C.sum() else math.nan, examples=60)


@pytest.mark.parametrize("key", ["gilbert_skill_score", "kuhns_3"])
def test_an_end_of_a_range_that_is_no_float(key: str) -> None:
    """Both reach -1/3, which is compared as it is."""
    assert_metric(key, properties=[], examples=20)


@pytest.mark.parametrize("key", sorted(sm.metrics))
@pytest.mark.sampled(2)
def test_metrics_of_the_library_pass(key: str) -> None:
    assert_metric(key, properties="all" if is_thorough() else ["p1", "increasing_tp"], examples=examples(400))


def test_without_hypothesis_the_import_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "hypothesis", None)
    monkeypatch.delitem(sys.modules, "symmetrics.testing")
    with pytest.raises(ImportError) as caught:
        importlib.import_module("symmetrics.testing")
    assert str(caught.value) == "symmetrics.testing needs Hypothesis, which is missing; pip install hypothesis"


# -- strategies --------------------------------------------------------------------------------------------------------


@given(
    tables(), tables(zeros=False, max_count=9), tables(min_count=3, max_count=5), tables(positives=7, negatives=(2, 4))
)
def test_tables_are_within_their_bounds(some: Any, positive: Any, narrow: Any, sized: Any) -> None:
    assert all(type(count) is int and 0 <= count <= 10**6 for count in some)
    assert any(some)
    assert all(1 <= count <= 9 for count in positive)
    assert all(3 <= count <= 5 for count in narrow)
    assert sized.tp + sized.fn == 7
    assert 2 <= sized.fp + sized.tn <= 4


def test_bounds_that_no_table_has_are_refused() -> None:
    with pytest.raises(InputError, match="a class of 1 has no two counts of 1 or more; pass a larger size"):
        tables(positives=1, zeros=False)
    with pytest.raises(UnknownNameError, match="unknown kind of labels 'integer': did you mean int"):
        given(labels(kinds=["integer"]))(lambda drawn: None)()
    with pytest.raises(InputError, match="labels of the kinds bool do not have 3 classes; pass other kinds"):
        given(labels(kinds=["bool"], classes=3))(lambda drawn: None)()
    with pytest.raises(UnknownNameError, match="unknown function 'ln'"):
        given(formulas(functions=["ln"]))(lambda drawn: None)()


@pytest.mark.filterwarnings("ignore::symmetrics.LabelWarning")
@given(matrices(max_count=4), labels(classes=(2, 4), every_class=True), orders())
def test_what_is_drawn_fits_the_library(matrix: Any, drawn: Labels, order: nx.DiGraph) -> None:
    assert matrix.shape[0] == matrix.shape[1] in range(2, 7)
    assert 0 <= matrix.min() <= matrix.max() <= 4
    assert nx.is_directed_acyclic_graph(order)
    assert set(drawn.y_true) == set(drawn.classes)
    value = sm.metrics["accuracy"](
        drawn.y_true, drawn.y_pred, labels=drawn.classes, average="micro", sample_weight=drawn.sample_weight
    )
    right = sum(w for t, p, w in zip(drawn.y_true, drawn.y_pred, drawn.sample_weight, strict=True) if t == p)
    assert value == pytest.approx(right / sum(drawn.sample_weight))
    scores = np.array(drawn.y_score)
    assert scores.shape == (len(drawn.y_true), len(drawn.classes))[: 1 if len(drawn.classes) == 2 else 2]
    assert ((scores >= 0) & (scores <= 1)).all()


@settings(max_examples=examples(160))
@given(formulas(parameters="w in [0, 1] = 1/2"), formulas(functions=["Min"], max_leaves=4))
def test_formulas_are_metrics(formula: Any, other: Any) -> None:
    metric = Metric("drawn", formula, "w in [0, 1] = 1/2")
    assert sm.parse_formula(str(metric.expr), ["w"]) == metric.expr
    assert not other.has(Max, log, abs)
    assert other.has(Min) or other.is_rational_function()
