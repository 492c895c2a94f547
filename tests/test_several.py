"""Several classifiers on the same examples: pairs, and p-values for all of them together."""

from __future__ import annotations

import io
import json
from pathlib import Path

import numpy as np
import pytest
from effort import examples, in_one_test
from hypothesis import given, settings
from hypothesis import strategies as st

import symmetrics as sm
from symmetrics.cli import main
from symmetrics.evaluation.datasets import adjusted
from symmetrics.tools.errors import SymmetricsError

p_values = st.lists(st.sampled_from([0.001, 0.01, 0.02, 0.04, 0.2, 1.0]) | st.floats(0, 1), min_size=1, max_size=12)


def drawn(number: int, rates: dict[str, float], seed: int) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Return labels, and predictions that are right so often."""
    random = np.random.default_rng(seed)
    true = random.integers(0, 2, number)
    return true, {name: np.where(random.random(number) < rate, true, 1 - true) for name, rate in rates.items()}


@pytest.mark.thorough
@settings(max_examples=examples(60))
@given(p_values, st.sampled_from(["holm", "bonferroni"]))
def test_adjusted_p_values_are_those_of_statsmodels(given_values: list[float], correction: str) -> None:
    from statsmodels.stats.multitest import multipletests  # which takes seconds

    found = adjusted(given_values, correction)
    assert found == pytest.approx(multipletests(given_values, method=correction)[1], abs=1e-15)


def test_what_could_not_be_tested_stays_so_and_counts() -> None:
    found = adjusted([0.02, np.nan, 0.01], "holm")
    assert found[[0, 2]].tolist() == [0.04, 0.03]
    assert np.isnan(found[1])


@pytest.mark.parametrize(("metric", "ratio"), [("kappa", False), ("f1", True)])
def test_each_pair_is_what_compare_says(metric: str, ratio: bool) -> None:
    true, predicted = drawn(200, {"a": 0.7, "b": 0.75, "c": 0.9}, 1)
    chosen = {
        "method": "bayes",
        "sampling": "binomial",
        "draws": 500,
        "prior": 1.0,
        "seed": 3,
        "same": 0.02,
        "ratio": ratio,
    }
    found = sm.compare_all(true, predicted, metric, level=0.9, **chosen)
    assert [(pair.first, pair.second) for pair in found.pairs] == [("a", "b"), ("a", "c"), ("b", "c")]
    for pair in found.pairs:
        alone = sm.compare(true, predicted[pair.first], predicted[pair.second], metric, level=0.9, **chosen)
        assert pair.comparison == alone
    one = sm.metrics[metric]
    assert found.values == {name: pytest.approx(one(true, labels)) for name, labels in predicted.items()}
    frame = found.to_frame()
    assert frame["practical"].tolist() == [pair.comparison.practical for pair in found.pairs]
    assert (frame["adjusted"] >= frame["p_value"]).all()


def test_weights_and_names_of_labels_are_those_of_compare() -> None:
    true, predicted = drawn(60, {"a": 0.7, "b": 0.8}, 2)
    words = np.array(["no", "yes"])
    weights = np.linspace(0.5, 2, 60)
    given_words = {name: words[labels] for name, labels in predicted.items()}
    found = sm.compare_all(words[true], given_words, "f1", pos_label="yes", sample_weight=weights)
    alone = sm.compare(true, predicted["a"], predicted["b"], "f1", sample_weight=weights)
    assert found.pairs[0].comparison.low == alone.low
    assert np.isnan(found.pairs[0].adjusted)
    assert "cannot be exchanged" in repr(found)


def test_a_control_stands_in_every_pair() -> None:
    true, predicted = drawn(200, {"a": 0.7, "b": 0.75, "c": 0.9}, 1)
    found = sm.compare_all(true, predicted, "accuracy", control="b", correction="bonferroni")
    assert [(pair.first, pair.second) for pair in found.pairs] == [("b", "a"), ("b", "c")]
    for pair in found.pairs:
        assert pair.adjusted == min(1.0, 2 * pair.comparison.p_value)


def test_a_data_frame_has_the_names() -> None:
    pandas = pytest.importorskip("pandas")
    true, predicted = drawn(100, {"a": 0.7, "b": 0.9}, 1)
    assert repr(sm.compare_all(true, pandas.DataFrame(predicted))) == repr(sm.compare_all(true, predicted))


def test_simultaneous_intervals_are_those_of_the_level_that_bonferroni_asks_for() -> None:
    true, predicted = drawn(300, {"a": 0.7, "b": 0.75, "c": 0.9, "d": 0.8}, 1)
    found = sm.compare_all(true, predicted, "mcc", simultaneous=True, method="delta")
    alone = sm.compare_all(true, predicted, "mcc", level=1 - 0.05 / 6, method="delta")
    assert [pair.comparison for pair in found.pairs] == [pair.comparison for pair in alone.pairs]
    assert "95 % intervals, all of them together" in repr(found)


@pytest.mark.thorough
def test_equal_classifiers_are_seldom_told_apart() -> None:
    """Of six pairs of four equals one is often below 0.05 without an adjustment, and seldom with Holm's."""
    adjusted_wrong = plain_wrong = 0
    times = 150
    for seed in range(times):
        true, predicted = drawn(150, dict.fromkeys("abcd", 0.8), seed)
        pairs = sm.compare_all(true, predicted, "accuracy", method="delta", draws=100).pairs
        adjusted_wrong += min(pair.adjusted for pair in pairs) < 0.05
        plain_wrong += min(pair.comparison.p_value for pair in pairs) < 0.05
    assert adjusted_wrong / times < 0.05 + 2 * (0.05 * 0.95 / times) ** 0.5
    assert plain_wrong / times > 0.1


@in_one_test
@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"predictions": {"a": [1, 0, 1]}}, "there are 1; pass two or more"),
        ({"predictions": {"1": [1, 0, 1], 1: [1, 0, 1]}}, "two have the same name"),
        ({"predictions": [[1, 0, 1], [1, 1, 1]]}, "have no names; pass a mapping"),
        ({"predictions": {"a": [1, 0, 1], "b": [1, 0]}}, r"y_true has 3 labels and predictions\['b'\] 2"),
        ({"control": "z"}, "unknown classifier 'z': pass one of a, b"),
        ({"correction": "hope"}, "correction='hope' is unknown; pass one of holm, bonferroni, none"),
        ({"level": 1}, "level=1 is no level"),
        ({"same": -1}, "same=-1 is no difference"),
        ({"metric": "nonsense"}, "unknown metric 'nonsense'"),
    ],
)
def test_comparisons_of_several_that_are_none(changed: dict[str, object], told: str) -> None:
    usual = {"y_true": [1, 0, 1], "predictions": {"a": [1, 0, 0], "b": [1, 1, 1]}, "metric": "f1"}
    with pytest.raises(SymmetricsError, match=told):
        sm.compare_all(**(usual | changed))


def test_every_pair_is_printed() -> None:
    true, predicted = drawn(100, {"one": 0.7, "other": 0.9, "third": 0.8}, 1)
    lines = repr(sm.compare_all(true, predicted, "f1")).splitlines()
    assert [line.split()[:2] for line in lines[3:6]] == [["one", "other"], ["one", "third"], ["other", "third"]]


@pytest.fixture
def labels(tmp_path: Path) -> Path:
    true, predicted = drawn(40, {"a": 0.7, "b": 0.9, "c": 0.8}, 5)
    file = tmp_path / "labels.csv"
    rows = np.column_stack([true, *predicted.values()]).tolist()
    file.write_text("\n".join(["y,a,b,c", *(",".join(map(str, row)) for row in rows)]), encoding="utf-8")
    return file


def test_several_columns_are_compared_on_the_command_line(labels: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["compare", str(labels), "--truth", "y", "--prediction", "a", "--other", "b", "--other", "c"]
    words += ["--metrics", "MCC,f1", "--correction", "bonferroni"]
    assert main([*words, "--format", "json"]) == 0
    report = json.loads(capsys.readouterr().out)
    true, predicted = drawn(40, {"a": 0.7, "b": 0.9, "c": 0.8}, 5)
    found = sm.compare_all(true, predicted, "mcc", correction="bonferroni")
    assert report["values"]["MCC"] == found.values
    assert report["comparisons"][:3] == [{"metric": "MCC"} | pair.row() for pair in found.pairs]
    assert [row["metric"] for row in report["comparisons"]] == ["MCC"] * 3 + ["f1"] * 3
    assert main(words) == 0
    text = capsys.readouterr().out
    assert "adjusted: for the 3 pairs of a metric, Bonferroni's" in text
    assert "\nprobability: that the second has the greater value" in text
    assert f"values, MCC: a {found.values['a']:.4g}" in text
    assert main([*words, "--format", "csv"]) == 0
    names = "metric,first,second,difference,low,high,method,probability,test,mid_p,p_value,adjusted"
    assert capsys.readouterr().out.splitlines()[0] == names


def test_several_files_are_compared_on_the_command_line(
    labels: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [str(labels)]
    for name in ("b", "c"):
        other = tmp_path / f"{name}.csv"
        other.write_text(labels.read_text(encoding="utf-8").replace("y,a,b,c", f"y,{name},z,a"), encoding="utf-8")
        files.append(str(other))
    assert main(["compare", *files, "--truth", "y", "--prediction", "a", "--metrics", "f1", "--format", "json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert list(report["classifiers"]) == files
    assert report["comparisons"][2]["difference"] == 0
    other.write_text(other.read_text(encoding="utf-8").replace("\n0,", "\n1,", 1), encoding="utf-8")
    assert main(["compare", *files, "--truth", "y", "--prediction", "a"]) == 2
    assert "different true labels in row" in capsys.readouterr().err


@in_one_test
@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--other", "b", "--other", "c", "--separate"], "--separate is for two classifiers"),
        (["--other", "b", "--correction", "holm"], "--correction holm is for three or more"),
        (["--other", "b", "--other", "c", "--correction", "hope"], "correction='hope' is unknown"),
        (["--other", "b", "--other", "b"], "b is compared with itself"),
        (["--other", "b", "--other", "c", "--level", "1"], "level=1.0 is no level"),
        (["--other", "b", "--other", "z"], "no column 'z'"),
        ([], "nothing to compare with"),
        (["LABELS"], "is named twice; name a second file"),
    ],
)
def test_comparisons_on_the_command_line_that_are_none(
    words: list[str], told: str, labels: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [str(labels) if word == "LABELS" else word for word in words]
    assert main(["compare", str(labels), *words, "--truth", "y", "--prediction", "a"]) == 2
    error = capsys.readouterr().err
    assert told in error
    assert error.count("\n") == 1


def test_standard_input_is_one_of_the_files(
    labels: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ["--truth", "y", "--prediction", "a", "--other", "b", "--other", "c", "--metrics", "f1"]
    for files in (["-"], [str(labels), "-", str(labels)]):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(labels.read_bytes())))
        assert main(["compare", *files, *words]) == 0
        assert "standard input, column b" in capsys.readouterr().out


def test_each_further_file_has_a_column(labels: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["compare", *[str(labels)] * 3, "--truth", "y", "--prediction", "a", "--other", "b"]
    assert main(words) == 2
    assert "1 of --other for 2 further files" in capsys.readouterr().err
