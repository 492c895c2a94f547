"""Both likelihood ratios at once: those of scikit-learn's function where it has them, and their limits elsewhere."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np
import pytest
import sklearn.metrics
from effort import examples, in_one_test
from hypothesis import given, settings
from hypothesis import strategies as st

import symmetrics as sm
from symmetrics.tools.errors import InputError

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
