"""Metrics as scikit-learn's scorers, and its likelihood ratios."""

from __future__ import annotations

import math
import pickle
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import sklearn
import sklearn.metrics
from effort import examples, in_one_test, is_thorough, some
from hypothesis import given, settings
from hypothesis import strategies as st
from recorded import status
from sklearn.base import clone
from sklearn.datasets import load_iris, make_classification
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score, get_scorer, make_scorer, matthews_corrcoef
from sklearn.model_selection import (
    GridSearchCV,
    LeaveOneOut,
    TunedThresholdClassifierCV,
    cross_val_score,
    cross_validate,
)
from sklearn.tree import DecisionTreeClassifier

import symmetrics as sm
from symmetrics.data.encoding import MayBeAbsent
from symmetrics.metric.direction import greater_is_better
from symmetrics.tools.errors import InputError

# -- scikit learn ------------------------------------------------------------------------------------------------------


X, y = make_classification(300, weights=[0.7], flip_y=0.2, random_state=3)
X3, y3 = make_classification(300, n_classes=3, n_informative=5, flip_y=0.2, random_state=4)
MODEL = LogisticRegression()
FOLDS = 5 if is_thorough() else 2
SCORERS = {"accuracy": "accuracy", "mcc": "matthews_corrcoef", "f1": "f1", "recall": "recall", "jaccard": "jaccard"}


@pytest.fixture
def routing() -> Iterator[None]:
    with sklearn.config_context(enable_metadata_routing=True):
        yield


# -- which way a metric points -----------------------------------------------------------------------------------------


@pytest.mark.thorough
def test_what_the_certificates_say_to_be_monotone_points_up() -> None:
    monotone = [key for key in sm.metrics if status(key, "monotone") == "proved" and not sm.metrics[key].parameters]
    assert len(monotone) > 30
    assert all(greater_is_better(sm.metrics[key]) for key in some(monotone, 6, "monotone"))
    at_its_best = [key for key in sm.metrics if status(key, "max_agreement") == "proved"]
    assert all(greater_is_better(sm.metrics[key]) is True for key in some(at_its_best, 6, "agreement"))


def test_where_a_metric_points() -> None:
    # The direction that is proved is the one that the record declares.
    decided = {metric.name: greater_is_better(metric) for metric in some(sm.metrics.values(), 5, "directions")}
    assert {True, False, None} >= set(decided.values()) >= {True, False}
    for name, direction in decided.items():
        assert direction in (None, sm.metrics[name].greater_is_better), name
    # A metric of one's own points where its formula does and not where it says.
    recall = sm.metrics["recall"].expr
    assert greater_is_better(sm.Metric("loss", 1 - recall, greater_is_better=True)) is False
    assert greater_is_better(sm.Metric("score", recall, greater_is_better=None)) is True
    assert greater_is_better(sm.Metric("constant", sm.metrics["prevalence"].expr)) is None
    # A metric that points nowhere asks.
    with pytest.raises(InputError, match="pass greater_is_better=True or greater_is_better=False"):
        sm.metrics["prevalence"].scorer()
    assert sm.metrics["prevalence"].scorer(greater_is_better=False)._sign == -1


# -- cross-validation --------------------------------------------------------------------------------------------------


@pytest.mark.sampled(2)
@pytest.mark.parametrize("key", SCORERS)
def test_cross_validation_gives_scikit_learn_s_values(key: str) -> None:
    metric = sm.metrics[key]
    expected = cross_val_score(MODEL, X, y, scoring=SCORERS[key], cv=FOLDS)
    for scoring in (make_scorer(metric), metric.scorer(), metric):
        assert cross_val_score(MODEL, X, y, scoring=scoring, cv=FOLDS) == pytest.approx(expected, abs=1e-12)


def test_an_average_over_classes_needs_no_positive_label() -> None:
    X, y = make_classification(120, random_state=3)
    labels = np.where(y == 1, "yes", "no")
    model = LogisticRegression().fit(X, labels)
    found = sm.metrics["f1"].scorer(average="macro")(model, X, labels)
    assert found == pytest.approx(f1_score(labels, model.predict(X), average="macro"))


@pytest.mark.thorough
def test_measures_of_scores_are_made_scorers() -> None:
    either = ("decision_function", "predict_proba")
    for ours, theirs in ((sm.roc_auc, "roc_auc"), (sm.average_precision, "average_precision"), (sm.auc, "roc_auc")):
        expected = cross_val_score(MODEL, X, y, scoring=theirs)
        assert cross_val_score(MODEL, X, y, scoring=make_scorer(ours, response_method=either)) == pytest.approx(
            expected
        )
    expected = cross_val_score(MODEL, X3, y3, scoring="roc_auc_ovo_weighted")
    ours = make_scorer(sm.roc_auc, response_method="predict_proba", multi_class="ovo", average="weighted")
    assert cross_val_score(MODEL, X3, y3, scoring=ours) == pytest.approx(expected)


def test_metrics_and_averages_as_scorers() -> None:
    # Several metrics at once.
    scoring = {"mcc": sm.metrics.mcc, "fpr": sm.metrics.fpr.scorer(), "cba": sm.multiclass["cba"]}
    found = cross_validate(MODEL, X, y, scoring=scoring, cv=FOLDS)
    assert found["test_mcc"] == pytest.approx(cross_val_score(MODEL, X, y, scoring="matthews_corrcoef", cv=FOLDS))
    assert (found["test_fpr"] <= 0).all()
    assert (found["test_cba"] > 0).all()

    # Averages are settings of a scorer.
    def scores(scoring: Any) -> Any:
        return cross_val_score(MODEL, X3, y3, scoring=scoring, cv=FOLDS)

    assert scores(sm.metrics.f1.scorer(average="macro")) == pytest.approx(scores("f1_macro"))
    expected = scores("matthews_corrcoef")
    for scoring in (sm.multiclass["mcc"], sm.multiclass["mcc"].scorer()):
        assert scores(scoring) == pytest.approx(expected)
    # A loss is negated in every way to score with it.
    fitted = MODEL.fit(X, y)
    loss = sm.metrics.error_rate
    value = loss(y, fitted.predict(X))
    assert value > 0
    assert loss.scorer()(fitted, X, y) == loss(fitted, X, y) == -value
    cen = sm.multiclass["cen"]
    assert cen.scorer()(fitted, X, y) == cen(fitted, X, y) == -cen(y, fitted.predict(X))


# -- searches, copies, weights -----------------------------------------------------------------------------------------


@pytest.mark.thorough
def test_searches_and_thresholds_choose_as_with_scikit_learn_s_scorers() -> None:
    # Searches choose as with scikit-learn's scorers.
    grid = {"C": [1e-4, 1e-2, 1.0]}
    ours = GridSearchCV(MODEL, grid, scoring=sm.metrics.f1.scorer(), cv=3).fit(X, y)
    theirs = GridSearchCV(MODEL, grid, scoring="f1", cv=3).fit(X, y)
    assert ours.best_params_ == theirs.best_params_
    assert ours.best_score_ == pytest.approx(theirs.best_score_)
    assert GridSearchCV(MODEL, grid, scoring=sm.metrics.f1, cv=3).fit(X, y).best_params_ == theirs.best_params_
    # Thresholds are tuned as with scikit-learn's scorers.
    ours = TunedThresholdClassifierCV(MODEL, scoring=sm.metrics.mcc.scorer(), cv=3).fit(X, y)
    theirs = TunedThresholdClassifierCV(MODEL, scoring=make_scorer(matthews_corrcoef), cv=3).fit(X, y)
    assert ours.best_threshold_ == pytest.approx(theirs.best_threshold_)
    assert ours.best_score_ == pytest.approx(theirs.best_score_)


@pytest.mark.parametrize("metric", [sm.metrics["mcc"], sm.multiclass["mcc"]])
def test_where_only_a_scorer_does_the_error_says_so(metric: Any) -> None:
    with pytest.raises(AttributeError, match=r"mcc is a metric and no scorer.*; pass mcc.scorer\(\)"):
        TunedThresholdClassifierCV(MODEL, scoring=metric, cv=3).fit(X, y)


def test_sample_weights_are_routed(routing: None) -> None:
    weight = np.random.default_rng(0).integers(0, 4, len(y)) / 2
    model = LogisticRegression().set_fit_request(sample_weight=False)
    scorer = sm.metrics.f1.scorer().set_score_request(sample_weight=True)
    found = cross_validate(model, X, y, scoring=scorer, params={"sample_weight": weight}, cv=FOLDS)
    theirs = get_scorer("f1").set_score_request(sample_weight=True)
    expected = cross_validate(model, X, y, scoring=theirs, params={"sample_weight": weight}, cv=FOLDS)
    plain = cross_validate(model, X, y, scoring=sm.metrics.f1.scorer(), cv=FOLDS)
    assert found["test_score"] == pytest.approx(expected["test_score"])
    assert not np.allclose(found["test_score"], plain["test_score"])


def test_scorers_have_names_and_are_cloned() -> None:
    # Scorers are pickled and cloned.
    fitted = MODEL.fit(X, y)
    scorer = sm.metrics.f_beta.at(beta="1/2").scorer()
    expected = scorer(fitted, X, y)
    assert pickle.loads(pickle.dumps(scorer))(fitted, X, y) == expected
    search = clone(GridSearchCV(MODEL, {"C": [1.0]}, scoring=scorer))
    assert search.scoring(fitted, X, y) == expected
    assert clone(GridSearchCV(MODEL, {"C": [1.0]}, scoring=sm.metrics.f1)).scoring(fitted, X, y) > 0
    # Names are those of functions.
    assert sm.metrics.mcc.__name__ == "mcc"
    assert sm.multiclass["cba"].__name__ == "cba"
    assert sm.Metric.__name__ == "Metric"
    assert repr(make_scorer(sm.metrics.f1)) == "make_scorer(f1, response_method='predict')"
    # A metric called with a third value that is no scoring says so.
    with pytest.raises(InputError, match="pass settings by name"):
        sm.metrics.f1(y, y, 1)
    with pytest.raises(InputError, match="pass settings by name"):
        sm.multiclass["mcc"](y, y, "macro")


@pytest.mark.parametrize("name", ["accuracy", "balanced_accuracy", "error_rate"])
def test_folds_of_one_example_are_scored_as_all_others(name: str) -> None:
    features, y = load_iris(return_X_y=True)
    y[::9] = (y[::9] + 1) % 3  # so that some folds are predicted wrong
    chosen = np.random.default_rng(0).permutation(len(y))[:60]
    tree = DecisionTreeClassifier(max_depth=2, random_state=0)
    folds = {"X": features[chosen], "y": y[chosen], "cv": LeaveOneOut()}
    accuracy = cross_val_score(tree, scoring="accuracy", **folds)
    assert 0 < accuracy.mean() < 1
    found = cross_val_score(tree, scoring=sm.multiclass[name].scorer(), **folds)
    assert found.tolist() == (accuracy - 1 if name == "error_rate" else accuracy).tolist()


@pytest.mark.parametrize("zero_division", [np.nan, 0.0])
def test_macro_means_of_small_folds_are_scikit_learn_s(zero_division: float) -> None:
    features, y = load_iris(return_X_y=True)
    y[::9] = (y[::9] + 1) % 3
    chosen = np.random.default_rng(1).permutation(len(y))[:40]
    tree = DecisionTreeClassifier(max_depth=2, random_state=0)
    folds = {"X": features[chosen], "y": y[chosen], "cv": LeaveOneOut()}
    theirs = cross_val_score(tree, scoring=make_scorer(f1_score, average="macro", zero_division=0), **folds)
    ours = cross_val_score(tree, scoring=sm.metrics["f1"].scorer(average="macro", zero_division=zero_division), **folds)
    assert ours.tolist() == theirs.tolist()
    assert 0 < ours.mean() < 1


def test_folds_and_classes_of_an_estimator() -> None:
    # A scorer takes the classes from the estimator.
    features, y = [[0], [1], [2], [3]] * 3, ["a", "b", "c", "d"] * 3
    tree = DecisionTreeClassifier(random_state=0).fit(features, y)
    here, there = [[0], [1]], ["a", "c"]  # b is predicted for c
    for metric, asked in (
        (sm.metrics["accuracy"], {"average": "macro"}),
        (sm.multiclass["adjusted_balanced_accuracy"], {}),
    ):
        scorer = pickle.loads(pickle.dumps(metric.scorer(**asked)))
        labels = MayBeAbsent(["a", "b", "c", "d"])
        assert scorer(tree, here, there) == metric(there, ["a", "b"], labels=labels, **asked)
        assert scorer(tree, here, there) != metric(there, ["a", "b"], **asked)
    strange = sm.multiclass["accuracy"].scorer()(tree, [[0], [1]], ["a", "z"])  # a class that the estimator never met
    assert strange == 0.5
    # A fold without a value warns.
    tree = DecisionTreeClassifier(random_state=0).fit([[0], [1]], [0, 1])
    with pytest.warns(UndefinedMetricWarning, match="mcc has no value for a fold of 1 example"):
        assert np.isnan(sm.multiclass["mcc"].scorer()(tree, [[0]], [0]))
    assert sm.multiclass["mcc"].scorer(zero_division=0)(tree, [[0]], [0]) == 0
    assert sm.metrics["recall"].scorer()(tree, [[1]], [1]) == 1


# -- likelihood ratios -------------------------------------------------------------------------------------------------


ROWS = st.lists(st.tuples(st.booleans(), st.booleans(), st.integers(1, 4)), min_size=1, max_size=9)
NAMES = st.sampled_from([(0, 1), ("no", "yes"), ("wolf", "dog"), (2, 1), (-1, 1)])
REPLACED = st.sampled_from([np.nan, 1.0, {"LR+": math.inf, "LR-": 0.0}, {"LR+": 3.0, "LR-": math.nan}])


def theirs(*labels: Any, **given: Any) -> tuple[float, float]:
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        return sklearn.metrics.class_likelihood_ratios(*labels, **given)


@settings(max_examples=examples(60), deadline=None)
@given(ROWS, NAMES, REPLACED)
def test_they_are_scikit_learn_s_where_what_is_undefined_is_replaced(
    rows: list[tuple[bool, bool, int]], names: tuple[Any, Any], replaced: Any
) -> None:
    true, predicted, weight = zip(*[*rows, (False, True, 1)], strict=True)
    columns = [[names[is_positive] for is_positive in column] for column in (true, predicted)]
    given_ = {"labels": list(names), "sample_weight": weight, "replace_undefined_by": replaced}
    expected = theirs(*columns, **given_)
    assert sm.class_likelihood_ratios(*columns, **given_) == pytest.approx(expected, nan_ok=True, rel=1e-12)


@settings(max_examples=examples(30), deadline=None)
@given(ROWS)
def test_they_are_the_metrics_of_the_library(rows: list[tuple[bool, bool, int]]) -> None:
    true, predicted, weight = zip(*[*rows, (True, False, 1)], strict=True)
    found = sm.class_likelihood_ratios(true, predicted, sample_weight=weight)
    for name, value in found._asdict().items():
        expected = sm.metrics[f"{name}_likelihood_ratio"](true, predicted, sample_weight=weight)
        assert value == pytest.approx(expected, nan_ok=True)


def test_the_positive_label_and_ratios_of_negatives_alone() -> None:
    # The positive label is the last of those named or the one that is named.
    true, predicted = ["a", "a", "b", "b", "b"], ["a", "b", "b", "b", "a"]
    last = sm.class_likelihood_ratios(true, predicted, labels=["a", "b"])
    assert last == pytest.approx((4 / 3, 2 / 3))
    assert sm.class_likelihood_ratios(true, predicted, pos_label="b") == last
    first = sm.class_likelihood_ratios(true, predicted, labels=["b", "a"])
    assert first == sm.class_likelihood_ratios(true, predicted, labels=["a", "b"], pos_label="a") != last
    # Of negatives alone there are no ratios.
    found = sm.class_likelihood_ratios([0, 0], [0, 0])
    assert math.isnan(found.positive)
    assert math.isnan(found.negative)
    assert sm.class_likelihood_ratios([0, 0], [0, 0], replace_undefined_by=1.0).positive == 1


@in_one_test
@pytest.mark.parametrize(
    ("labels", "settings_of", "told"),
    [
        (["a", "b"], {}, "the labels 'a', 'b' do not say which is positive; pass pos_label='a' or pos_label='b'"),
        (["a", "b"], {"labels": []}, "labels"),
        (["a", "b"], {"labels": ["a"]}, "names one class"),
        (["a", "b"], {"pos_label": "c"}, "pos_label='c' is not among"),
        ([1, 2, 3], {}, "hold 3 labels"),
        ([0, 1], {"replace_undefined_by": -1}, "replace_undefined_by has -1; pass a number that is not negative"),
        ([0, 1], {"replace_undefined_by": "x"}, "replace_undefined_by has 'x'"),
        ([0, 1], {"replace_undefined_by": {"LR+": 1}}, "is incomplete; pass a mapping with 'LR\\+' and 'LR-'"),
        ([0, 1], {"sample_weight": [-1, 1]}, "sample_weight"),
    ],
)
def test_what_has_no_ratios_is_refused(labels: Any, settings_of: dict[str, Any], told: str) -> None:
    with pytest.raises(InputError, match=told):
        sm.class_likelihood_ratios(labels, labels, **settings_of)
