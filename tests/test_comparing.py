"""Two classifiers compared: by labels of the same examples, and by tables of different ones."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import fields
from inspect import signature
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from effort import in_one_test, is_thorough
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import symmetrics as sm
from symmetrics.cli import main
from symmetrics.data.gate import admit
from symmetrics.metric.uncertainty import range_of
from symmetrics.pages.displays import shown as displayed
from symmetrics.statistics.intervals import Formula, Question
from symmetrics.statistics.permutations import Outcomes, approximate_p_values, permutation_test
from symmetrics.statistics.samples import JointDifference, joint_places
from symmetrics.tools.errors import InputError

joints = st.lists(st.integers(0, 30), min_size=8, max_size=8).map(lambda entries: np.array(entries, dtype=float))


def formula(name: str) -> Formula:
    return Formula(sm.metrics[name].at_defaults(), range_of(sm.metrics[name]))


def columns(joint: np.ndarray) -> tuple[list[int], list[int], list[int]]:
    """Return labels of which a table is the joint table."""
    kinds = np.repeat(list(product((1, 0), repeat=3)), joint.astype(int), axis=0)
    true, first, second = kinds.T.tolist()
    return true, first, second


@given(joints)
def test_the_joint_table_has_the_cells_of_both_predictions(joint: np.ndarray) -> None:
    if not joint.sum():
        return
    true, first, second = columns(joint)
    (places,) = joint_places(admit({"y_true": true, "pred_a": first, "pred_b": second}), [(1, 2)])
    assert np.bincount(places, minlength=8).tolist() == joint.tolist()
    for table, predicted in zip(JointDifference(formula("f1")).tables(joint), (first, second), strict=True):
        pairs = list(zip(true, predicted, strict=True))
        assert table.tolist() == [pairs.count(cell) for cell in ((1, 1), (1, 0), (0, 1), (0, 0))]


@given(joints)
def test_for_accuracy_the_test_is_mcnemars(joint: np.ndarray) -> None:
    only_first, only_second = joint[1] + joint[6], joint[2] + joint[5]
    if not only_first + only_second:
        return
    found = permutation_test(formula("accuracy"), Outcomes.of_joint(joint), draws=100, seed=0)
    assert found.is_exact
    known = stats.binomtest(int(only_first), int(only_first + only_second)).pvalue
    assert found.p_value == pytest.approx(known, abs=1e-12)


@pytest.mark.parametrize("name", ["mcc", "f1", "gmean"])
def test_the_test_goes_through_all_exchanges(name: str) -> None:
    """Each example's predictions are exchanged or not: 2**9 or 2**7 ways, by brute force."""
    taken = slice(None) if is_thorough() else slice(1, -1)
    true = np.array([1, 1, 1, 1, 1, 0, 0, 0, 0])[taken]
    first = np.array([1, 1, 0, 0, 1, 0, 1, 0, 0])[taken]
    second = np.array([1, 0, 1, 1, 1, 0, 0, 1, 0])[taken]
    metric = sm.metrics[name]

    def difference(one: np.ndarray, other: np.ndarray) -> float:
        return metric(true, other) - metric(true, one)

    observed, as_large = abs(difference(first, second)), []
    for exchanged in product((False, True), repeat=len(true)):
        one, other = np.where(exchanged, second, first), np.where(exchanged, first, second)
        as_large.append(abs(difference(one, other)) >= observed - 1e-12)
    found = sm.compare(true, first, second, name)
    assert found.p_value == pytest.approx(np.mean(as_large))
    assert found.test == "exact permutation test"


def test_many_outcomes_are_drawn() -> None:
    """Of accuracy the test is McNemar's, known at any size; of kappa all outcomes are gone through, unless too many."""
    joint = np.array([5e6, 2.5e6, 2.502e6, 1e5, 1e5, 2.5e6, 2.501e6, 5e6])
    drawn = permutation_test(formula("kappa"), Outcomes.of_joint(joint), draws=20_000, seed=0)
    assert not drawn.is_exact
    known = permutation_test(formula("accuracy"), Outcomes.of_joint(joint), draws=20_000, seed=0)
    assert known.p_value == pytest.approx(stats.binomtest(5_001_000, 10_003_000).pvalue, rel=1e-6)
    (near,) = approximate_p_values(JointDifference(formula("kappa")), joint[:, None])
    assert drawn.p_value == pytest.approx(near, abs=0.01)


@in_one_test
@pytest.mark.parametrize(
    "asked",
    [
        sm.Metric.interval,
        sm.compare,
        sm.compare_all,
        sm.compare_counts,
        sm.compare_folds,
        sm.compare_over_datasets,
        sm.plan,
        sm.plan_design,
    ],
)
def test_settings_have_the_defaults_of_a_question(asked: Callable[..., object]) -> None:
    """They stand in signatures, where people look for them, and in one record, where they are checked."""
    defaults = {field.name: field.default for field in fields(Question)}
    found = {name: parameter.default for name, parameter in signature(asked).parameters.items()}
    common = (defaults.keys() & found.keys()) - ({"prior"} if asked in (sm.plan, sm.plan_design) else set())
    common -= {"draws"} if asked is sm.compare_over_datasets else set()
    assert "level" in common
    assert {name: found[name] for name in common} == {name: defaults[name] for name in common}


@pytest.mark.parametrize("ratio", [False, True])
def test_slopes_are_derivatives(ratio: bool) -> None:
    joint = np.array([50.0, 8, 3, 5, 4, 2, 9, 100])
    estimator = JointDifference(formula("f1"), ratio)
    for place, slope in enumerate(estimator.slopes(joint[:, None])[:, 0]):
        step = 1e-5 * np.eye(8)[place]
        ends = [estimator.values((joint + sign * step)[:, None])[0] for sign in (1, -1)]
        assert slope == pytest.approx((ends[0] - ends[1]) / 2e-5, abs=1e-7)


def test_the_interval_of_a_pair_has_the_error_of_a_pair() -> None:
    """For accuracy the variance is that of (only second) - (only first), as in McNemar's comparison."""
    joint = np.array([5000.0, 80, 130, 300, 200, 90, 120, 9000])
    true, first, second = columns(joint)
    found = sm.compare(true, first, second, "accuracy", method="delta")
    number, b, c = joint.sum(), joint[1] + joint[6], joint[2] + joint[5]
    error = np.sqrt(b + c - (b - c) ** 2 / number) / number
    assert (found.high - found.low) / 2 / 1.959964 == pytest.approx(error, rel=0.01)
    assert found.difference == pytest.approx((c - b) / number)
    apart = sm.compare_counts(*JointDifference(formula("accuracy")).tables(joint), "accuracy", method="delta")
    assert apart.high - apart.low > 1.5 * (found.high - found.low)


@pytest.mark.parametrize("sampling", ["multinomial", "binomial"])
def test_an_example_of_weight_two_is_not_two_examples(sampling: str) -> None:
    true, first, second = columns(np.array([40, 5, 15, 10, 9, 6, 2, 60.0]))
    weights = np.random.default_rng(3).integers(1, 6, len(true))
    by_scale = [
        sm.compare(true, first, second, "f1", sample_weight=scale * weights, sampling=sampling, same=0.05)
        for scale in (1, 7, 0.125)
    ]
    alone = sm.compare(true, first, second, "f1", sampling=sampling, method="delta")
    for found in by_scale:
        assert found.difference == pytest.approx(by_scale[0].difference, rel=1e-12)
        for name in ("low", "high", "probability", "practical"):
            assert getattr(found, name) == pytest.approx(getattr(by_scale[0], name), rel=1e-9), name
        assert found.high - found.low > alone.high - alone.low
        assert np.isnan(found.p_value)
    assert alone.p_value > 0


def test_a_weighted_comparison_has_the_variance_of_a_weighted_mean() -> None:
    random = np.random.default_rng(4)
    true = random.integers(0, 2, 4000)
    first, second = (np.where(random.random(4000) < rate, true, 1 - true) for rate in (0.7, 0.73))
    weights = random.choice([1.0, 2.0, 10.0], 4000)
    found = sm.compare(true, first, second, "accuracy", sample_weight=weights)
    gained = (second == true).astype(float) - (first == true)
    mean = np.average(gained, weights=weights)
    error = np.sqrt(((weights * (gained - mean)) ** 2).sum()) / weights.sum()
    assert found.difference == pytest.approx(mean)
    assert [found.low, found.high] == pytest.approx([mean - 1.96 * error, mean + 1.96 * error], abs=0.02 * error)
    assert found.probability == pytest.approx(stats.norm.cdf(mean / error), abs=0.005)


def test_exchanging_the_classifiers_turns_the_comparison_around() -> None:
    true, first, second = columns(np.array([50.0, 8, 3, 5, 4, 2, 9, 100]))
    one, other = sm.compare(true, first, second, "kappa"), sm.compare(true, second, first, "kappa")
    assert other.difference == pytest.approx(-one.difference)
    assert other.low == pytest.approx(-one.high, abs=5e-3)
    assert other.probability == pytest.approx(1 - one.probability, abs=5e-3)
    assert other.p_value == pytest.approx(one.p_value)


def test_what_is_practically_the_same() -> None:
    true, first, second = columns(np.array([50.0, 8, 8, 5, 4, 2, 2, 100]))
    assert sm.compare(true, first, second, "f1", same=0.5).practical == pytest.approx(1, abs=1e-3)
    assert sm.compare(true, first, second, "f1", same=1e-6).practical < 0.01
    assert "practically the same" in repr(sm.compare(true, first, second, "f1", same=0.1))


def test_columns_and_tables_of_the_wrong_shape_are_named() -> None:
    # Columns of different lengths are named.
    with pytest.raises(InputError, match="y_true has 3 labels and pred_a 2; pass one prediction per example"):
        sm.compare([1, 0, 1], [1, 0], [1, 1, 1])
    # A table has four counts.
    with pytest.raises(InputError, match=r"table_b=\[1, 2\] is no table; pass four counts"):
        sm.compare_counts([1, 2, 3, 4], [1, 2])
    named = {"tn": 45, "fp": 5, "fn": 20, "tp": 30}
    expected = sm.compare_counts([30, 20, 5, 45], [1, 2, 3, 4])
    for table in (named, pd.Series(named)):
        assert repr(sm.compare_counts(table, [1, 2, 3, 4])) == repr(expected)


@pytest.fixture
def labels(tmp_path: Path) -> Path:
    file = tmp_path / "labels.csv"
    rows = ["1,1,1", "1,0,1", "1,1,1", "0,0,0", "0,1,0", "0,0,0", "0,0,1", "1,1,1", "0,0,0"]
    file.write_text("\n".join(["y,a,b", *rows]), encoding="utf-8")
    return file


def test_files_are_compared_on_the_command_line(labels: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["compare", str(labels), "--truth", "y", "--prediction", "a", "--other", "b", "--metrics", "MCC,f1"]
    assert main([*words, "--format", "json"]) == 0
    report = json.loads(capsys.readouterr().out)
    found = sm.compare([1, 1, 1, 0, 0, 0, 0, 1, 0], [1, 0, 1, 0, 1, 0, 0, 1, 0], [1, 1, 1, 0, 0, 0, 1, 1, 0], "mcc")
    assert report["comparisons"][0]["low"] == found.low
    assert [row["metric"] for row in report["comparisons"]] == ["MCC", "f1"]
    assert main(words) == 0
    assert "exact permutation test" in (told := capsys.readouterr().out)
    assert "\nprobability: that the second has the greater value, after the data\n" in told
    assert main([*words, "--format", "csv", "--separate"]) == 0
    assert capsys.readouterr().out.splitlines()[1].endswith(",")


def test_an_infinite_difference_is_null_in_json_and_has_no_test(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "labels.csv"
    rows = ["1,1,1", "1,0,1", "0,0,0", "0,1,0", "1,1,1", "0,0,0"]
    file.write_text("\n".join(["y,a,b", *rows]), encoding="utf-8")
    words = ["compare", str(file), "--truth", "y", "--prediction", "a", "--metrics", "diagnostic_odds_ratio"]
    assert main([*words, "--other", "b", "--format", "json"]) == 0
    (row,) = json.loads(capsys.readouterr().out, parse_constant=pytest.fail)["comparisons"]
    assert (row["first"], row["second"], row["difference"], row["p_value"]) == (4.0, None, None, None)
    assert main([*words, "--other", "b"]) == 0
    assert "p-value: none, as the difference is infinite" in (shown := capsys.readouterr().out)
    assert "inf" in shown


def test_files_of_different_examples_are_not_paired(
    labels: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "other.csv"
    lines = labels.read_text(encoding="utf-8").splitlines()
    for changed, told in ((lines[:-1], "9 and 8 rows"), ([*lines[:-1], "1,1,1"], "different true labels in row 9")):
        other.write_text("\n".join(changed), encoding="utf-8")
        assert main(["compare", str(labels), str(other), "--truth", "y", "--prediction", "a"]) == 2
        assert told in capsys.readouterr().err
    assert main(["compare", str(labels), "--truth", "y", "--prediction", "a"]) == 2
    assert "nothing to compare with" in capsys.readouterr().err


def test_plans_and_designs_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    # A plan on the command line.
    assert main(["plan", "TP/(TP + FN)", "--prior", "0.1", "--tpr", "0.8", "--tnr", "0.9", "--width", "0.1"]) == 0
    assert capsys.readouterr().out.strip() == repr(sm.plan("recall", prior=0.1, tpr=0.8, tnr=0.9, width=0.1))
    # A design on the command line.
    words = ["plan", "precision", "--prior", "0.1", "--tpr", "0.8", "--tnr", "0.9", "--width", "0.05", "--design"]
    assert main([*words, "--cost", "5,1"]) == 0
    expected = sm.plan_design("precision", prior=0.1, tpr=0.8, tnr=0.9, width=0.05, cost=(5, 1))
    assert capsys.readouterr().out.strip() == repr(expected)


def test_comparisons_are_tables_in_a_notebook_and_weighted_ones_promise_no_test() -> None:
    truth, one, other = [1, 1, 0, 0, 1, 0] * 5, [1, 0, 0, 0, 1, 1] * 5, [1, 1, 0, 1, 1, 0] * 5
    weights = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0] * 5
    pair = sm.compare(truth, one, other, "f1")
    shown = displayed(pair)
    assert "<table>" in shown
    assert all(part in shown for part in ("f1", "difference", f"{pair.p_value:.3g} (exact permutation test)"))
    named = {"<i>": one, "other": other}
    tested = sm.compare_all(truth, named, "f1")
    assert "Holm" in repr(tested)
    assert "p_value" in displayed(tested)
    assert "<i>" not in displayed(tested)
    weighted = sm.compare_all(truth, named, "f1", sample_weight=weights, method="delta")
    assert "Holm" not in repr(weighted)
    assert "p_value" not in repr(weighted)
    assert repr(weighted).endswith("p-value: none, as weighted examples cannot be exchanged")
