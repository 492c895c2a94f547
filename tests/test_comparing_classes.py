"""Two classifiers of several classes compared, by averages over the classes and by metrics of matrices."""

from __future__ import annotations

import json
import tracemalloc
from dataclasses import fields
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from effort import in_one_test, is_thorough
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import symmetrics as sm
from symmetrics.cli import main
from symmetrics.data.counts import one_vs_rest
from symmetrics.data.encoding import MayBeAbsent
from symmetrics.metric.uncertainty import estimator_of_average
from symmetrics.posets.relevance import scores
from symmetrics.statistics.permutations import Outcomes, permutation_test
from symmetrics.statistics.samples import Drawn, StackedDifference, paired_sample
from symmetrics.tools.errors import InputError

Labels = list[str]
AVERAGES = ["macro", "micro", "pooled", "weighted", [1.0, 2.0, 4.0]]
examples = st.lists(st.tuples(*[st.sampled_from("abc")] * 3), min_size=4, max_size=40)


def labels(number: int, seed: int, right: tuple[float, float] = (0.7, 0.75), classes: int = 3) -> list[np.ndarray]:
    """Return true labels and two predictions, which go together."""
    random = np.random.default_rng(seed)
    true = random.choice(classes, number, p=np.arange(1, classes + 1) / np.arange(1, classes + 1).sum())
    guesses = [np.where(random.random(number) < rate, true, random.integers(0, classes, number)) for rate in right]
    guesses[1] = np.where(random.random(number) < 0.4, guesses[0], guesses[1])
    return [true, *guesses]


@given(examples, st.sampled_from([("f1", each) for each in AVERAGES] + [("accuracy", "micro"), ("kappa", None)]))
def test_the_values_are_those_of_the_metric(drawn: list[tuple[str, ...]], asked: tuple[str, object]) -> None:
    true, first, second = ([*column, "a", "b", "c"] for column in zip(*drawn, strict=True))
    name, average = asked
    metric = sm.multiclass[name] if average is None else sm.metrics[name]
    settings = {} if average is None else {"average": average}
    found = sm.compare(true, first, second, metric, draws=100, **settings)
    expected = [
        metric(true, predicted, labels=MayBeAbsent(["a", "b", "c"]), **settings) for predicted in (first, second)
    ]
    assert [found.first, found.second] == pytest.approx(expected, rel=1e-12)
    assert found.difference == pytest.approx(expected[1] - expected[0], abs=1e-12)
    assert found.low <= found.difference <= found.high


@in_one_test
@pytest.mark.parametrize("average", AVERAGES)
@pytest.mark.parametrize("ratio", [False, True])
@pytest.mark.parametrize("name", ["f1", "accuracy"])
def test_slopes_are_derivatives(name: str, average: object, ratio: bool) -> None:
    estimator = StackedDifference(estimator_of_average(sm.metrics[name], 3, average), ratio)
    entries = np.array([50.0, 8, 3, 5, 41, 2, 9, 3, 60, 44, 7, 9, 6, 30, 5, 8, 12, 52])
    for place, slope in enumerate(estimator.slopes(entries[:, None])[:, 0]):
        step = 1e-5 * np.eye(18)[place]
        ends = [estimator.values((entries + sign * step)[:, None])[0] for sign in (1, -1)]
        assert slope == pytest.approx((ends[0] - ends[1]) / 2e-5, abs=1e-7)


@in_one_test
@pytest.mark.parametrize("name", ["kappa", "mcc", ("f1", "macro"), ("recall", "weighted")])
def test_the_error_is_that_of_the_jackknife(name: str | tuple[str, str]) -> None:
    """Leaving out one example at a time tells the error of the difference with no derivative (Tukey 1958)."""
    true, first, second = labels(1500, 7)
    metric, settings = (sm.multiclass[name], {}) if isinstance(name, str) else (name[0], {"average": name[1]})
    found = sm.compare(true, first, second, metric, draws=100, **settings)
    of_one = metric if not isinstance(metric, str) else sm.metrics[metric]

    def matrix(predicted: np.ndarray) -> np.ndarray:
        return np.bincount(3 * true + predicted, minlength=9).reshape(3, 3)

    kinds, number = np.unique(np.stack([true, first, second]), axis=1, return_counts=True)
    left_out = []
    for row, one, other in kinds.T:
        tables = [matrix(first), matrix(second)]
        tables[0][row, one] -= 1
        tables[1][row, other] -= 1
        values = [of_one.from_confusion(table, **settings) for table in tables]
        left_out.append(values[1] - values[0])
    middle = np.average(left_out, weights=number)
    error = np.sqrt((len(true) - 1) / len(true) * (number * (np.array(left_out) - middle) ** 2).sum())
    assert (found.high - found.low) / 2 / 1.96 == pytest.approx(error, rel=0.02)


@given(examples)
def test_for_the_share_of_right_predictions_the_test_is_that_of_signs(drawn: list[tuple[str, ...]]) -> None:
    true, first, second = (np.array([*column, "a", "b", "c"]) for column in zip(*drawn, strict=True))
    only = [int(((one == true) & (other != true)).sum()) for one, other in ((first, second), (second, first))]
    found = sm.compare(true, first, second, "accuracy", average="micro", draws=100)
    expected = stats.binomtest(only[0], sum(only)).pvalue if sum(only) else 1.0
    if "exact" in found.test:
        assert found.p_value == pytest.approx(expected, abs=1e-9)
    else:
        assert abs(found.p_value - expected) < 0.3


@in_one_test
@pytest.mark.parametrize("average", ["macro", "weighted"])
def test_the_test_goes_through_all_exchanges(average: str) -> None:
    true = np.array([0, 0, 0, 1, 1, 1, 2, 2, 2, 2, 0, 1])
    first = np.array([0, 1, 2, 1, 0, 1, 2, 0, 2, 1, 0, 1])
    second = np.array([0, 0, 0, 1, 1, 2, 2, 2, 0, 2, 0, 1])
    differs = np.flatnonzero(first != second)
    f1 = sm.metrics["f1"]

    def distance(one: np.ndarray, other: np.ndarray) -> float:
        return abs(f1(true, other, average=average) - f1(true, one, average=average))

    observed, as_large = distance(first, second), 0
    for exchange in product([False, True], repeat=len(differs)):
        chosen = differs[list(exchange)]
        one, other = first.copy(), second.copy()
        one[chosen], other[chosen] = second[chosen], first[chosen]
        as_large += distance(one, other) >= observed - 1e-12
    found = sm.compare(true, first, second, "f1", average=average)
    assert found.test == "exact permutation test"
    assert found.p_value == pytest.approx(as_large / 2 ** len(differs), abs=1e-9)


def test_drawn_exchanges_come_close_to_all_of_them() -> None:
    true, first, second = labels(400, 3, (0.6, 0.7))
    outcomes = Outcomes.of_examples(true, first, second, 3)
    estimator = estimator_of_average(sm.metrics["f1"], 3, "macro")
    drawn = permutation_test(estimator, outcomes, draws=4000, seed=1)
    assert not drawn.is_exact
    again = permutation_test(estimator, outcomes, draws=4000, seed=2)
    assert drawn.p_value == pytest.approx(again.p_value, abs=4 * np.sqrt(0.25 / 4000))
    wrong = (true + 1 + np.arange(400) % 2) % 3
    least = permutation_test(estimator, Outcomes.of_examples(true, wrong, true, 3), draws=999, seed=1)
    assert least.is_bound
    assert not least.is_exact
    assert least.p_value == pytest.approx(1 / 1000)  # what was observed is one of the exchanges


def test_under_equal_classifiers_the_test_keeps_its_level_and_intervals_theirs() -> None:
    """Both predict alike, so that each p-value is at most as often below a level as that says."""
    times = 400 if is_thorough() else 24
    found = [
        sm.compare(*labels(90, 1000 + seed, (0.7, 0.7)), "f1", average="macro", draws=199) for seed in range(times)
    ]
    assert sum(one.p_value <= 0.1 for one in found) <= stats.binom.ppf(0.999, times, 0.1)
    assert sum(one.p_value <= 0.5 for one in found) >= stats.binom.ppf(0.001, times, 0.4)


def test_exchanging_the_classifiers_turns_the_comparison_around() -> None:
    true, first, second = labels(120, 5)
    one, other = (
        sm.compare(true, *pair, sm.multiclass["mcc"], same=0.05) for pair in ((first, second), (second, first))
    )
    assert [other.difference, other.low, other.high] == pytest.approx([-one.difference, -one.high, -one.low])
    assert [other.probability, other.practical] == pytest.approx([1 - one.probability, one.practical])
    assert other.p_value == pytest.approx(one.p_value, abs=0.02)


def test_weights_of_examples() -> None:
    # Weights that are all alike change nothing but the test.
    true, first, second = labels(80, 8)
    alone = sm.compare(true, first, second, "f1", average="macro", method="delta")
    alike = sm.compare(true, first, second, "f1", average="macro", sample_weight=np.full(80, 2.5))
    assert [alike.low, alike.high, alike.probability] == pytest.approx([alone.low, alone.high, alone.probability])
    assert np.isnan(alike.p_value)
    # A weighted comparison has the variance of a weighted mean.
    true, first, second = labels(4000, 4)
    weights = np.random.default_rng(4).choice([1.0, 2.0, 10.0], 4000)
    found = sm.compare(true, first, second, "accuracy", average="micro", sample_weight=weights)
    gained = (second == true).astype(float) - (first == true)
    mean = np.average(gained, weights=weights)
    error = np.sqrt(((weights * (gained - mean)) ** 2).sum()) / weights.sum()
    assert [found.low, found.high] == pytest.approx([mean - 1.96 * error, mean + 1.96 * error], abs=0.02 * error)


def test_matrices_of_different_examples_have_the_errors_of_both() -> None:
    tables = [[[400, 70, 30], [60, 500, 40], [20, 50, 330]], [[450, 40, 10], [30, 560, 10], [20, 40, 340]]]
    found = sm.compare_counts(*tables, sm.multiclass["kappa"])
    alone = [sm.multiclass["kappa"].interval(table, method="delta") for table in tables]
    errors = [(one.high - one.low) / 2 for one in alone]
    assert found.difference == pytest.approx(float(alone[1].estimate) - float(alone[0].estimate))
    assert (found.high - found.low) / 2 == pytest.approx(np.hypot(*errors), rel=0.02)
    by_class = sm.compare_counts(*tables, "recall", average="macro", sampling="binomial")
    spread = [[row[i] * (sum(row) - row[i]) / sum(row) ** 3 / 9 for i, row in enumerate(table)] for table in tables]
    assert (by_class.high - by_class.low) / 2 / 1.96 == pytest.approx(np.sqrt(np.sum(spread)), rel=0.02)
    # Of classes drawn by themselves only the rates vary.
    tables = [[[900, 100], [50, 50]], [[990, 10], [90, 10]]]
    found = sm.compare_counts(*tables, "accuracy", average="micro", sampling="binomial")
    spread = [[row[i] * (sum(row) - row[i]) / sum(row) / 1100**2 for i, row in enumerate(table)] for table in tables]
    assert (found.high - found.low) / 2 / 1.96 == pytest.approx(np.sqrt(np.sum(spread)), rel=0.02)
    together = sm.compare_counts(*tables, "accuracy", average="micro")
    assert together.high - together.low > 1.02 * (found.high - found.low)


def test_classes_that_do_not_occur_change_nothing() -> None:
    true, first, second = labels(80, 6)
    named = [["abc"[label] for label in column] for column in (true, first, second)]
    for name, settings in (("f1", {"average": "macro"}), (sm.multiclass["kappa"], {})):
        few = sm.compare(true, first, second, name, **settings)
        many = sm.compare(*named, name, labels=list("xaybzcw"), **settings)
        for field in fields(few):
            one, other = getattr(few, field.name), getattr(many, field.name)
            assert one == other or one == pytest.approx(other, rel=1e-9, nan_ok=True), field.name
    # A class that no matrix has changes nothing.
    tables = [np.array([[40, 7, 3], [6, 50, 4], [2, 5, 33]]), np.array([[45, 4, 1], [3, 56, 1], [2, 4, 34]])]
    with_empty = [np.insert(np.insert(table, 1, 0, axis=0), 1, 0, axis=1) for table in tables]
    for metric, settings in ((sm.multiclass["mcc"], {}), ("precision", {"average": "weighted"})):
        assert sm.compare_counts(*with_empty, metric, **settings) == sm.compare_counts(*tables, metric, **settings)


def test_weights_of_classes_are_matched_by_name() -> None:
    true, first, second = ([["x", "y", "z"][label] for label in column] for column in labels(60, 9))
    by_place = sm.compare(true, first, second, "f1", average=[0.2, 0.4, 0.6])
    assert by_place.metric == "f1 (weighed by class)"
    by_name = sm.compare(true, first, second, "f1", average=scores({"z": 0.6, "x": 0.2, "y": 0.4}))
    by_label = sm.compare(
        true, first, second, "f1", average=scores({"z": 0.6, "x": 0.2, "y": 0.4}), labels=["y", "x", "z"]
    )
    for found in (by_name, by_label):
        assert [found.low, found.high] == pytest.approx([by_place.low, by_place.high])


@in_one_test
@pytest.mark.parametrize("classes", [2, 3])
def test_the_predictions_of_a_group_are_exchanged_together(classes: int) -> None:
    true, first, second = labels(42, 12, (0.5, 0.75), classes)
    group = np.repeat(np.arange(7), 6)
    f1, settings = sm.metrics["f1"], {} if classes == 2 else {"average": "macro"}

    def distance(one: np.ndarray, other: np.ndarray) -> float:
        return abs(f1(true, other, **settings) - f1(true, one, **settings))

    observed, as_large = distance(first, second), 0
    for exchange in product([False, True], repeat=7):
        chosen = np.array(exchange)[group]
        as_large += distance(np.where(chosen, second, first), np.where(chosen, first, second)) >= observed - 1e-12
    found = sm.compare(true, first, second, "f1", groups=group, **settings)
    assert found.test == "exact permutation test of whole groups"
    assert found.p_value == pytest.approx(as_large / 2**7, abs=1e-12)
    drawn = sm.compare(true, first, second, "f1", groups=np.arange(42), draws=2000, **settings)
    alone = sm.compare(true, first, second, "f1", draws=2000, **settings)
    assert drawn.p_value == pytest.approx(alone.p_value, abs=0.05)
    weighted = sm.compare(true, first, second, "f1", groups=group, sample_weight=np.full(42, 2.0), **settings)
    assert [weighted.low, weighted.high] == pytest.approx([found.low, found.high])
    assert np.isnan(weighted.p_value)
    every = sm.compare_all(true, {"a": first, "b": second}, "f1", groups=group, **settings)
    assert every.pairs[0].comparison == found


def test_examples_that_count_once_or_not_at_all() -> None:
    # An example of a pair counts once in each matrix.
    true, first, second = labels(50, 11)
    sample = paired_sample(true, first, second, 3, Drawn())
    tables = [np.bincount(3 * true + predicted, minlength=9) for predicted in (first, second)]
    assert sample.total[:, 0].tolist() == np.concatenate(tables).tolist()
    assert sample.weight == 1
    # Examples of a group that are all alike are one example.
    true, first, second = labels(60, 13)
    repeated = [np.repeat(column, 4) for column in (true, first, second)]
    alone = sm.compare(true, first, second, sm.multiclass["kappa"], method="delta")
    found = sm.compare(*repeated, sm.multiclass["kappa"], groups=np.repeat(np.arange(60), 4))
    assert [found.low, found.high, found.probability] == pytest.approx(
        [alone.low, alone.high, alone.probability], abs=0.01
    )
    assert found.p_value == pytest.approx(alone.p_value, abs=0.03)


def test_several_classifiers_are_compared_in_pairs() -> None:
    true, first, second = labels(80, 10)
    predictions = {"a": first, "b": second, "c": true}
    found = sm.compare_all(true, predictions, "f1", average="macro", draws=500)
    pair = sm.compare(true, first, second, "f1", average="macro", draws=500)
    assert found.pairs[0].comparison == pair
    assert found.metric == "f1 (macro)"
    assert found.values["c"] == 1.0
    with_control = sm.compare_all(true, predictions, sm.multiclass["mcc"], control="c", draws=100)
    assert [(each.first, each.second) for each in with_control.pairs] == [("c", "a"), ("c", "b")]


def test_files_of_classes_are_compared_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "labels.csv"
    columns = [["cat", "dog", "owl", "cat", "dog", "owl", "cat"], ["cat", "dog", "cat", "cat", "owl", "owl", "dog"]]
    columns += [["cat", "owl", "owl", "cat", "dog", "owl", "cat"], ["dog", "dog", "owl", "cat", "dog", "cat", "cat"]]
    rows = [",".join(row) for row in zip(*columns, strict=True)]
    file.write_text("\n".join(["y,a,b,c", *rows]), encoding="utf-8")
    words = ["compare", str(file), "--truth", "y", "--prediction", "a", "--other", "b"]
    assert main([*words, "--average", "macro", "--metrics", "f1", "--format", "json"]) == 0
    report = json.loads(capsys.readouterr().out)
    found = sm.compare(*columns[:3], "f1", average="macro")
    assert report["comparisons"][0]["low"] == found.low
    assert (report["classes"], report["average"]) == ("cat, dog, owl", "macro")
    assert main([*words, "--average", "micro", "--metrics", "accuracy", "--separate", "--format", "csv"]) == 0
    row = capsys.readouterr().out.splitlines()[1].split(",")
    assert [row[0], float(row[1]), float(row[2]), row[-1]] == [
        "accuracy",
        pytest.approx(4 / 7),
        pytest.approx(6 / 7),
        "",
    ]
    assert main([*words, "--average", "macro", "--separate"]) == 0
    assert "different examples cannot be exchanged" in capsys.readouterr().out
    assert main([*words, "--other", "c", "--average", "weighted", "--metrics", "f1,recall"]) == 0
    assert "adjusted: for the 3 pairs" in capsys.readouterr().out
    assert main([*words, "--average", "macro", "--positive", "cat"]) == 2
    assert "--positive is for one class" in capsys.readouterr().err
    assert main([*words, "--metrics", "accuracy,f1", "--format", "json"]) == 0
    found = {row["metric"]: (row["first"], row["kind"]) for row in json.loads(capsys.readouterr().out)["comparisons"]}
    assert found == {
        "accuracy": (pytest.approx(4 / 7), "whole matrix"),
        "f1 (macro)": (pytest.approx(5 / 9), "macro average"),
        "f1 (micro)": (pytest.approx(4 / 7), "micro average"),
        "f1 (weighted)": (pytest.approx(4 / 7), "weighted average"),
    }


@in_one_test
@pytest.mark.parametrize("average", ["macro", [1.0, 2.0, 3.0, 4.0]])
def test_a_class_without_examples_is_left_out_of_the_interval_of_recalls(average: object) -> None:
    """One stray prediction among many made it as wide as if nothing was known, however many there are."""
    true, first, second = labels(3000, 14)
    first[0] = 3
    for settings in ({}, {"labels": range(5), "average": "macro"}, {"sample_weight": np.ones(3000)}):
        found = sm.compare(true, first, second, "recall", **{"average": average, "draws": 100} | settings)
        drawn = sm.compare(
            true, first, second, "recall", **{"average": average, "method": "bootstrap", "draws": 2000} | settings
        )
        assert [found.low, found.high] == pytest.approx([drawn.low, drawn.high], abs=0.01)
        assert found.high - found.low < 0.08
    tables = [np.bincount(4 * true + each, minlength=16).reshape(4, 4) for each in (first, second)]
    found = sm.compare_counts(*tables, "recall", average=average)
    assert found.high - found.low < 0.08


def test_classes_that_only_another_classifier_predicts_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "labels.csv"
    file.write_text("y,a,b,c\ncat,cat,cat,cat\ndog,dog,fox,dog\ncat,dog,cat,emu\ndog,dog,dog,cat\n", encoding="utf-8")
    words = ["compare", str(file), "--truth", "y", "--prediction", "a", "--other", "b", "--average", "macro"]
    for more, classes in [
        ([], "cat, dog, fox"),
        (["--separate"], "cat, dog, fox"),
        (["--other", "c"], "cat, dog, emu"),
    ]:
        assert main([*words, *more, "--metrics", "f1"]) == 0
        assert f"classes: {classes}" in capsys.readouterr().out


@in_one_test
@pytest.mark.parametrize("name", ["recall", "f1", "mcc"])
def test_examples_of_weight_zero_bring_no_classes(name: str) -> None:
    true, first, second = (["abc"[label] for label in column] for column in labels(60, 12))
    extra, weights = [["x", *true], ["y", *first], ["z", *second]], [0.0] + [1.0] * 60
    settings = {} if name == "mcc" else {"average": "macro"}
    metric = sm.multiclass[name] if name == "mcc" else sm.metrics[name]
    found = sm.compare(*extra, metric, sample_weight=weights, **settings)
    expected = sm.compare(true, first, second, metric, sample_weight=weights[1:], **settings)
    assert repr(found) == repr(expected)
    by_class = sm.compare(*extra, metric, sample_weight=weights, sampling="binomial", **settings)
    assert by_class.low == pytest.approx(expected.low, abs=0.1)
    alone = metric.interval_from_labels(extra[0], extra[1], sample_weight=weights, **settings)
    assert alone == metric.interval_from_labels(true, first, sample_weight=weights[1:], **settings)


def test_data_frames_are_compared_by_the_names_of_their_classes() -> None:
    pandas = pytest.importorskip("pandas")
    entries = [[20, 5, 1], [4, 30, 6], [0, 9, 25]], [[24, 2, 0], [3, 35, 2], [0, 2, 32]]
    one, other = (pandas.DataFrame(table, index=list("abc"), columns=list("abc")) for table in entries)
    expected = repr(sm.compare_counts(*entries, "f1", average=[1, 2, 5]))
    turned = other.loc[list("cba"), list("bca")]
    for pair in [(one, other), (one, turned), (one, entries[1]), (one, pandas.DataFrame(entries[1]))]:
        assert repr(sm.compare_counts(*pair, "f1", average=[1, 2, 5])) == expected
    assert repr(sm.compare_counts(pandas.DataFrame(entries[0]), other, "f1", average=[1, 2, 5])) == expected
    assert repr(sm.compare_counts(turned, one, "f1", average=[5, 2, 1], labels=list("cba"))) != expected
    assert repr(sm.compare_counts(one, turned, "f1", average=[5, 2, 1], labels=list("cba"))) == expected
    renamed = other.rename(index={"c": "d"}, columns={"c": "d"})
    with pytest.raises(InputError, match="table_b has the classes 'a', 'b', 'd'; pass matrices of the same"):
        sm.compare_counts(one, renamed, "f1", average="macro")


@pytest.mark.parametrize(
    ("tables", "settings", "told"),
    [
        ([[[5, 1], [2]], [[5, 1], [0, 1]]], {}, "rows of equal length"),
        ([[[0, 0], [0, 0]], [[0, 0], [0, 0]]], {}, "table_a counts no examples"),
        ([[[5, 1], [0, 4]], [[0, 0], [0, 0]]], {}, "table_b counts no examples"),
        ([[[2.3, 2.3], [2.3, 0.05]], [[5, 1], [2, 7]]], {"method": "bootstrap"}, "not whole"),
        ([[[1e19, 1], [1, 1e19]], [[5, 1], [2, 7]]], {"method": "bootstrap"}, "above 2"),
    ],
)
def test_matrices_that_cannot_be_compared(tables: list[object], settings: dict[str, str], told: str) -> None:
    with pytest.raises(InputError, match=told):
        sm.compare_counts(*tables, "f1", average="macro", **settings)


@pytest.mark.filterwarnings("error")
def test_a_ratio_or_mean_that_does_not_exist_is_refused_without_warnings() -> None:
    # A ratio that does not exist is told without warnings.
    with pytest.raises(InputError, match=r"tpr .macro. is 0 and 0, which have no ratio"):
        sm.compare(list("abc") * 4, list("bca") * 4, list("cab") * 4, "recall", average="macro", ratio=True)
    # Weights of classes without a value are refused without warnings.
    true, first, second = [0, 1, 1, 0] * 3, [1, 0, 1, 0] * 3, [0, 1, 0, 0] * 3
    with pytest.raises(InputError, match=r"gmean .weighed by class. has no value for the first; compare"):
        sm.compare(true, first, second, "gmean", average=[0, 0, 1], labels=range(3))


@pytest.mark.parametrize("scale", [1.0, 0.25])
def test_cells_of_many_classes_are_those_of_each_class_by_itself(scale: float) -> None:
    """Whole counts are subtracted, others are summed."""
    matrix = np.random.default_rng(1).integers(0, 5, (2, 120, 120)) * scale
    cells = one_vs_rest(matrix)
    for place in (0, 7, 119):
        others = np.delete(np.arange(120), place)
        expected = [
            matrix[:, place, place],
            matrix[:, place, others].sum(axis=-1),
            matrix[:, others, place].sum(axis=-1),
            matrix[:, others[:, None], others].sum(axis=(-2, -1)),
        ]
        assert np.array_equal([cell[:, place] for cell in cells], expected)


def test_an_empty_cell_of_many_classes_is_zero_whatever_the_others_are() -> None:
    """Weights and counts beyond 2**53 leave a rest where they are subtracted."""
    for row, column in (([0.1, 0.2, 0.3, 0.6], [0.7, 0.1, 0.2]), ([2.0**53, 1, 1, 1], [3, 1, 1])):
        matrix = np.zeros((110, 110))
        matrix[0, :4], matrix[1:4, 0] = row, column  # every example is of the first class, or predicted as it
        cells = one_vs_rest(matrix)
        assert cells.tn[0] == 0
        assert cells.fp[0] == pytest.approx(sum(column), rel=1e-15)
        assert cells.fn[0] == pytest.approx(sum(row[1:]), rel=1e-15)
        assert cells.tn[1] == pytest.approx(sum(row) + sum(column) - row[1] - column[0], rel=1e-15)


def test_few_of_many_classes_take_little_memory() -> None:
    true, first, second = labels(300, 13, (0.4, 0.4))
    tracemalloc.start()
    found = sm.compare(true, first, second, "f1", average="macro", labels=range(150), draws=400)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 100e6
    assert found == sm.compare(true, first, second, "f1", average="macro", draws=400)


def test_what_nothing_can_be_told_of() -> None:
    # What nothing can be drawn of has an interval without draws. That of two perfect predictions is so narrow that
    # draws would be asked, which cannot be so many.
    found = sm.compare_counts([[1e300, 1], [1, 1e300]], [[1e300, 1], [1, 1e300]], "f1", average="macro")
    assert (found.low, found.high, found.method) == (0, 0, "delta")
    # The counts of a matrix are not called cells.
    with pytest.raises(InputError, match="mcc has no value for the first; compare"):
        sm.compare([0] * 5, [0] * 5, [0] * 5, sm.multiclass["mcc"], labels=[0, 1])
    # A single example has no variance.
    with pytest.raises(InputError, match="a single example counts"):
        sm.compare(["a"], ["a"], ["b"], "f1", average="macro")
    with pytest.raises(InputError, match=r"class 'c' has a single example.*leave sampling='binomial' out"):
        sm.compare([*"aabbc"], [*"aabbc"], [*"abbbc"], "f1", average="macro", sampling="binomial")


def test_a_class_that_one_prediction_alone_has_is_left_out_of_the_other_mean() -> None:
    """One stray prediction brings a class into the first mean, where its F1 is 0; of the second nothing is unsure."""
    true, first, second = labels(3000, 14, (0.8, 0.85))
    first[0] = 3
    found = sm.compare(true, first, second, "f1", average="macro", draws=100)
    drawn = sm.compare(true, first, second, "f1", average="macro", method="bootstrap", draws=2000)
    assert found.low < 0.26 < found.high < 0.42
    assert 0.2 < drawn.difference < drawn.high < found.high


@pytest.mark.parametrize("method", ["auto", "delta", "bayes"])
def test_a_class_without_a_value_makes_no_interval_of_a_mean_wide(method: str) -> None:
    true, first, _ = labels(3000, 15, (0.85, 0.85))
    names = np.array(list("abcx"))
    plain = sm.metrics["recall"].interval_from_labels(names[true], names[first], average="macro", method=method)
    place = int(np.flatnonzero(first != true)[0])
    first[place] = 3  # a class without examples, which has no recall
    found = sm.metrics["recall"].interval_from_labels(names[true], names[first], average="macro", method=method)
    assert [found.low, found.high] == pytest.approx([plain.low, plain.high], abs=1e-3)
    matrices = [np.bincount(4 * true + each, minlength=16).reshape(4, 4) for each in (first, true)]
    both = sm.metrics["recall"].interval_from_confusion(np.stack(matrices), average="macro", method=method)
    assert [both.low[0], both.high[0]] == pytest.approx([found.low, found.high], abs=2e-3)
    assert both.high[1] == 1


@in_one_test
@pytest.mark.parametrize("name", ["balanced_accuracy", "mavg"])
def test_nor_does_it_of_a_metric_of_matrices_made_of_one(name: str) -> None:
    true, first, second = labels(3000, 15, (0.85, 0.87))
    metric = sm.multiclass[name]
    plain, pair = metric.interval_from_labels(true, first), sm.compare(true, first, second, metric, draws=100)
    weights = np.random.default_rng(1).integers(1, 3, 3000)
    weighted = metric.interval_from_labels(true, first, sample_weight=weights)
    first[0] = 3
    for found, expected in (
        (metric.interval_from_labels(true, first), plain),
        (sm.compare(true, first, second, metric, draws=100), pair),
        (metric.interval_from_labels(true, first, sample_weight=weights), weighted),
    ):
        assert [found.low, found.high] == pytest.approx([expected.low, expected.high], abs=2e-3)


def test_means_that_leave_out_different_classes_leave_out_none() -> None:
    """F1 of mean precision and mean recall: what is never predicted has no precision, what never occurs no recall."""
    table = np.array([[40.0, 0, 3], [5, 0, 1], [0, 0, 0]]).reshape(-1, 1)
    known = {name: sm.multiclass[name].estimator(3, "macro").defined(table).tolist() for name in ("f_of_means", "mavg")}
    assert known == {"f_of_means": [[True, True, True]], "mavg": [[True, True, False]]}


@pytest.mark.parametrize("metric", ["mcc", sm.multiclass["mcc"], sm.Metric("own", "(TP - FN)/(TP + FN)")])
def test_values_that_may_be_negative_have_no_ratio(metric: object) -> None:
    """Of -0.6 and -0.2 the second is greater, and a third of the first."""
    with pytest.raises(InputError, match=r"never negative.* leave ratio=True out"):
        sm.compare([1, 0] * 9, [1, 0, 0] * 6, [0, 1, 0] * 6, metric, ratio=True)
    with pytest.raises(InputError, match="never negative"):
        sm.compare_counts(
            *([[10, 40], [40, 10]] if metric is sm.multiclass["mcc"] else (10, 40, 40, 10),) * 2, metric, ratio=True
        )
    with pytest.raises(InputError, match="ratio='yes' is neither True nor False"):
        sm.compare([1, 0] * 9, [1, 0, 0] * 6, [0, 1, 0] * 6, metric, ratio="yes")


def test_the_greater_recall_has_the_greater_ratio() -> None:
    plain, divided = (
        sm.compare_counts((10, 40, 40, 10), (20, 30, 30, 20), "recall", ratio=each) for each in (False, True)
    )
    assert plain.probability == pytest.approx(divided.probability, abs=0.02)
    assert divided.probability > 0.9
