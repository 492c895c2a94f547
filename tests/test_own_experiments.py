"""The papers' experiments with any metrics and data: against plain loops, other libraries and what was recorded."""

from __future__ import annotations

import itertools
import math
import signal
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from effort import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.stats import pearsonr, spearmanr
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.neighbors import KNeighborsClassifier

import symmetrics as sm
from symmetrics.curves.weighted import weighted_auc
from symmetrics.library.selections import GARCIA_METRICS
from symmetrics.papers import comparison
from symmetrics.papers.comparison import watched
from symmetrics.papers.correlations import coefficients
from symmetrics.papers.criteria import as_criteria, counts_above
from symmetrics.papers.garcia2012.experiment import correlations
from symmetrics.papers.resampling import best_threshold, undersampled
from symmetrics.papers.resampling_results import KeptResults, ResamplingStudy
from symmetrics.papers.thainghe2011.closing import direct_optimisation, effect, ratio_as_hyperparameter, table_of_ratios
from symmetrics.papers.validated_sets import Validated
from symmetrics.tools.errors import InputError, SymmetricsError, UnsupportedError

FEW = {"instances": 120, "repetitions": 3, "progress": False}
"""Settings of small correlation studies."""


# -- correlations (García et al. 2012) ---------------------------------------------------------------------------------


def of_design(percentage: int, **chosen: int) -> list[tuple[NDArray[np.intp], NDArray[np.float64]]]:
    tuples = sm.experiments.distorted_scores(percentage, **chosen)
    return [(one.y_true, one.y_score) for one in tuples]


def values_by_hand(percentage: int) -> NDArray[np.float64]:
    """Return the 13 metrics at all 130 tuples of 1000 instances, one tuple after the other."""
    drawn = of_design(percentage)
    tables = [
        [sum((truth == t) & ((score >= 0.5) == p)) for t, p in ((1, True), (1, False), (0, True), (0, False))]
        for truth, score in drawn
    ]
    areas = [weighted_auc(truth, score, rho=0.1) for truth, score in drawn]
    counts = np.array(tables, dtype=np.float64).T
    return np.array([areas if key == "wauc" else sm.metrics[key].from_counts(*counts) for key in GARCIA_METRICS])


def test_the_papers_metrics_bit_for_bit() -> None:
    """The general study, the experiment and NumPy's coefficients of values found one by one have the same bits."""
    study = sm.experiments.correlation_study(percentages=[15], progress=False)
    others = ~np.eye(13, dtype=bool)
    assert study.names == GARCIA_METRICS
    np.testing.assert_array_equal(study.matrices[15], correlations(15))
    np.testing.assert_array_equal(study.matrices[15][others], np.corrcoef(values_by_hand(15))[others])
    np.testing.assert_array_equal(np.diag(study.matrices[15]), 1.0)


@pytest.mark.parametrize(
    ("first", "second", "recorded"),
    # From the report that "symmetrics reproduce garcia2012" wrote before the study took other metrics, 5 % positive.
    [
        ("tpr", "tnr", -0.905),
        ("accuracy", "tnr", 1.0),
        ("gmean", "tpr", 0.220),
        ("cwa", "tpr", 0.980),
        ("wauc", "tnr", 0.115),
        ("kappa", "precision", 0.946),
    ],
)
def test_recorded_coefficients(recorded_study: object, first: str, second: str, recorded: float) -> None:
    assert recorded_study.between(first, second)[5] == pytest.approx(recorded, abs=5.1e-4)


@pytest.fixture(scope="module")
def recorded_study() -> object:
    return sm.experiments.correlation_study(percentages=[5], progress=False)


@pytest.mark.parametrize(("method", "oracle"), [("pearson", pearsonr), ("spearman", spearmanr)])
def test_coefficients_by_scipy(method: str, oracle: object) -> None:
    formulas = {"mine": "TP/(TP + 2*FN)", "f1": "f1", "area": sm.auc, "loss": sm.metrics["fpr"]}
    study = sm.experiments.correlation_study(formulas, percentages=[10], method=method, **FEW)
    by_hand: dict[str, list[float]] = {name: [] for name in formulas}
    for truth, score in of_design(10, instances=120, repetitions=3):
        tp, fn, fp, tn = (
            sum(1 for t, s in zip(truth, score, strict=True) if t == positive and (s >= 0.5) == predicted)
            for positive, predicted in ((1, True), (1, False), (0, True), (0, False))
        )
        pairs = [(a, b) for a in score[truth == 1] for b in score[truth == 0]]
        by_hand["mine"].append(tp / (tp + 2 * fn))
        by_hand["f1"].append(2 * tp / (2 * tp + fn + fp))
        by_hand["loss"].append(fp / (fp + tn))
        by_hand["area"].append(sum((a > b) + (a == b) / 2 for a, b in pairs) / len(pairs))
    for first, second in itertools.combinations(formulas, 2):
        expected = oracle(by_hand[first], by_hand[second]).statistic
        assert study.between(first, second)[10] == pytest.approx(expected, abs=1e-9)


@settings(max_examples=examples(10), deadline=None)
@given(st.permutations(["f1", "mcc", "precision", "TP/(TP + 2*FN)", "AUC"]))
def test_the_order_of_the_metrics_does_not_matter(order: list[str]) -> None:
    study = sm.experiments.correlation_study(order, percentages=[25], instances=40, repetitions=1, progress=False)
    other = sm.experiments.correlation_study(
        sorted(order), percentages=[25], instances=40, repetitions=1, progress=False
    )
    for first, second in itertools.product(order, repeat=2):
        assert study.between(first, second)[25] == pytest.approx(
            other.between(first, second)[25], abs=1e-12, nan_ok=True
        )
        assert first != second or study.between(first, first)[25] == 1


def test_a_metric_and_its_negation() -> None:
    pair = {"tpr": "tpr", "again": "TP/(TP + FN)", "fnr": "FN/(TP + FN)"}
    matrix = sm.experiments.correlation_study(pair, percentages=[10], **FEW).matrices[10]
    np.testing.assert_allclose(matrix, [[1, 1, -1], [1, 1, -1], [-1, -1, 1]], atol=1e-12)


def test_undefined_values_are_left_out_pair_by_pair() -> None:
    nan = math.nan
    rows = np.array([[1, 2, 4, 8, nan], [3, 1, 4, nan, 5], [2, 7, 1, 8, 2], [5, 5, 5, 5, 5]])
    found = coefficients(rows)
    assert found[0, 1] == found[1, 0] == pytest.approx(pearsonr([1, 2, 4], [3, 1, 4]).statistic)
    assert found[0, 2] == pytest.approx(pearsonr([1, 2, 4, 8], [2, 7, 1, 8]).statistic)
    assert np.isnan(found[3]).all()
    # Precision has no value where nothing is predicted positive.
    study = sm.experiments.correlation_study(
        {"precision": "precision", "tpr": "tpr"}, percentages=[50], instances=2, progress=False
    )
    assert study.undefined[50, "precision"] > 0 == study.undefined.get((50, "tpr"), 0)


def test_a_design_of_ones_own() -> None:
    """Where both classes lie at their ends and are not distorted much, nothing but the distorted class errs."""

    def certain(positives: int, negatives: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        return np.ones(positives), np.zeros(negatives)

    drawn = list(sm.experiments.distorted_scores(50, instances=40, design=certain))
    assert len(drawn) == 130
    errors = [np.mean((one.y_score >= 0.5) != one.y_true) for one in drawn if one.of_positives in (0.3, 0.25)]
    assert max(errors) == 0
    assert {round(one.of_positives + one.of_negatives, 9) for one in drawn} == {0.6}


def test_the_table_as_frame_and_text() -> None:
    study = sm.experiments.correlation_study(["f1", "mcc"], percentages=[5, 25], **FEW)
    frame = study.to_frame()
    assert frame.loc[(25, "f1"), "mcc"] == study.between("f1", "mcc")[25]
    assert "## 5 % positive instances" in study.to_markdown()
    assert study.plot(25).get_title() == "25 % positive instances"


# -- distinct values (Branco et al. 2017) ------------------------------------------------------------------------------


def all_matrices(sizes: tuple[int, ...]) -> list[list[tuple[int, ...]]]:
    rows = [[row for row in itertools.product(range(n + 1), repeat=len(sizes)) if sum(row) == n] for n in sizes]
    return [list(rows) for rows in itertools.product(*rows)]


@pytest.mark.parametrize("sizes", [(2, 3), (1, 2, 3)])
def test_distinct_values_of_any_metric_by_brute_force(sizes: tuple[int, ...]) -> None:
    kappas, mine, places = set(), set(), range(len(sizes))
    for matrix in all_matrices(sizes):
        n, right = sum(sizes), sum(matrix[i][i] for i in places)
        columns = [sum(row[j] for row in matrix) for j in places]
        chance = sum(size * column for size, column in zip(sizes, columns, strict=True))
        kappas.add(None if n * n == chance else Fraction(n * right - chance, n * n - chance))
        terms = [Fraction(matrix[i][i], matrix[i][i] + 2 * (sizes[i] - matrix[i][i])) for i in places]
        mine.add(sum(terms, Fraction(0)))
    formula = sm.Metric("mine", "TP/(TP + 2*FN)")
    found = sm.experiments.discrimination(sizes, ["kappa", formula, sm.multiclass["accuracy"]], progress=False)
    assert [one.distinct for one in found] == [len(kappas), len(mine), sum(sizes) + 1]


def test_matrices_without_a_value_are_counted() -> None:
    """One over the accuracy: five numbers of hits, and no value at the one matrix without any."""
    inverse = sm.MulticlassMetric("inverse", 1 / sm.multiclass["accuracy"].definition)
    (found,) = sm.experiments.discrimination((2, 3), [inverse], progress=False)
    assert (found.distinct, found.undefined) == (6, 1)


def test_values_that_cannot_be_compared_are_refused() -> None:
    root = sm.MulticlassMetric("root", (sm.multiclass["accuracy"].definition + 2) ** sm.parse_formula("1/2"))
    with pytest.raises(UnsupportedError, match="root has values that are not rational"):
        sm.experiments.discrimination((2, 2), [root], progress=False)
    with pytest.raises(InputError, match=r"0\.1 hours and 64 GB are allowed"):
        sm.experiments.discrimination((30, 30, 30), ["kappa"], hours=0.1)


# -- over the prior (Landgrebe et al. 2005) ----------------------------------------------------------------------------


@given(st.floats(0, 1), st.floats(0.01, 1), st.floats(0.001, 0.999))
def test_posfrac_and_purity_by_their_equations(fpr: float, tpr: float, prior: float) -> None:
    found = sm.experiments.over_priors({"a": (fpr, tpr)}, priors=[prior]).values
    share = prior * tpr + (1 - prior) * fpr
    assert found["positive_fraction"]["a"][0] == pytest.approx(share)
    assert found["precision"]["a"][0] == pytest.approx(prior * tpr / share)


def test_curves_operate_at_the_target() -> None:
    curve = sm.roc_curve([1, 1, 0, 1, 0, 0, 1], [9, 8, 7, 6, 5, 4, 3])
    found = sm.experiments.over_priors({"scores": curve}, ["mcc"], target=0.75)
    point = sm.operating.point_at_tpr(curve.fpr, curve.tpr, 0.75)
    assert (found.points["scores"].fpr, found.points["scores"].tpr) == (point.fpr, 0.75)
    tp, fp = 0.5 * 0.75, 0.5 * point.fpr
    expected = sm.metrics["mcc"].from_counts(tp, 0.5 - tp, fp, 0.5 - fp)
    assert found.values["mcc"]["scores"][0] == pytest.approx(expected)
    assert found.to_frame().shape == (61, 3)
    assert len(found.plot().axes) == 1


# -- resampling (Thai-Nghe et al. 2011) --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def data() -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    """Return 90 examples in two dimensions, a sixth of them of the class 1."""
    generator = np.random.default_rng(5)
    labels = (np.arange(90) % 6 == 0).astype(int)
    return generator.standard_normal((90, 2)) + 1.2 * labels[:, None], labels


GRID = (LogisticRegression(), {"C": (0.01, 1.0)})
SMALL = {"learners": {"LR": GRID}, "folds": 3, "inner_folds": 2, "progress": False}


@pytest.fixture(scope="module")
def study(data: tuple[NDArray[np.float64], NDArray[np.intp]]) -> ResamplingStudy:
    return sm.experiments.resampling_study(*data, criteria=["AUC", "B42", "f1"], metrics=["B42", "f1", "AUC"], **SMALL)


def test_every_treatment_and_criterion_on_every_fold(study: ResamplingStudy) -> None:
    assert len(study.rows) == 5 * 3 * 3
    assert study.names("treatment") == list(sm.experiments.TREATMENTS)
    sizes = {row["treatment"]: row["training"] for row in study.rows}
    assert (sizes["original"], sizes["balanced"]) == (60, 20)
    assert {row["threshold"] for row in study.rows if row["treatment"] != "threshold"} == {0.0}


def test_the_original_by_a_grid_search(data: tuple, study: ResamplingStudy) -> None:
    """scikit-learn's search on the same folds finds the same settings and values."""
    features, labels = data
    for fold, (train, test) in enumerate(StratifiedKFold(3, shuffle=True, random_state=2011).split(features, labels)):
        inner = StratifiedKFold(2, shuffle=True, random_state=2011)
        search = GridSearchCV(*GRID, scoring="f1", cv=inner).fit(features[train], labels[train])
        (row,) = [r for r in study._chosen(treatment="original", criterion="f1") if r["fold"] == fold]
        assert row["setting"]["C"] == search.best_params_["C"]
        expected = sm.metrics["f1"](labels[test], search.predict(features[test]))
        assert row["values"]["f1"] == pytest.approx(expected)
        score = search.decision_function(features[test])
        assert row["values"]["B42"] == pytest.approx(sm.b42(labels[test], score))


@settings(max_examples=examples(50), deadline=None)
@given(
    st.lists(st.tuples(st.booleans(), st.integers(0, 6)), min_size=4, max_size=14),
    st.sampled_from(("f1", "B42", "fpr")),
)
def test_the_best_threshold_by_brute_force(pairs: list[tuple[bool, int]], name: str) -> None:
    truth = np.array([True, False, *(one for one, _ in pairs)])
    score = np.array([3.0, 2.0, *(float(number) for _, number in pairs)])
    (criterion,) = as_criteria([name], "criteria")
    best = -math.inf
    for cut in (-1.0, *np.unique(score)):
        predicted = score > cut
        value = sm.b42(truth, predicted) if name == "B42" else sm.metrics[name](truth, predicted, pos_label=True)
        best = max(best, -value if name == "fpr" else -math.inf if math.isnan(value) else value)
    found, threshold = best_threshold(criterion, truth, score)
    assert found == pytest.approx(best)
    assert criterion.gain(np.array([criterion.at_thresholds(*counts_above(truth, score, np.array([threshold])))]))[
        0
    ] == pytest.approx(found)


def test_undersampling_keeps_a_multiple() -> None:
    positive = np.arange(50) < 8
    for ratio, kept in ((1.0, 16), (2.5, 28), (9.0, 50)):
        assert undersampled(np.arange(50), positive, np.random.default_rng(0), ratio).size == kept


def test_what_is_tried_does_not_depend_on_what_else_is(data: tuple, study: ResamplingStudy) -> None:
    fewer = sm.experiments.resampling_study(
        *data, treatments=["threshold", "original"], criteria=["f1", "AUC"], metrics=["f1"], **SMALL
    )
    for treatment, criterion in itertools.product(("original", "threshold"), ("AUC", "f1")):
        where = {"learner": "LR", "treatment": treatment, "criterion": criterion}
        assert fewer.values("f1", **where) == study.values("f1", **where)


def test_frames_names_and_labels_are_as_arrays(data: tuple) -> None:
    import pandas as pd
    import polars as pl

    features, labels = data
    columns = {"a": features[:, 0], "b": features[:, 1], "kind": np.where(labels == 1, "rare", "usual")}
    few = {**SMALL, "treatments": ["balanced"], "criteria": ["f1"], "metrics": ["mcc", "H at threshold"]}
    rows = sm.experiments.resampling_study(features, labels, **few).rows
    assert sm.experiments.resampling_study(pd.DataFrame(columns), "kind", **few).rows == rows
    assert sm.experiments.resampling_study(pl.DataFrame(columns), "kind", **few).rows == rows
    assert sm.experiments.resampling_study(features, labels, pos_label=0, **few).rows != rows


def test_probabilities_have_their_threshold(data: tuple) -> None:
    few = {**SMALL, "learners": {"near": KNeighborsClassifier(3)}, "treatments": ["original", "threshold"]}
    found = sm.experiments.resampling_study(*data, criteria=["f1"], metrics=["f1"], **few)
    assert {row["threshold"] for row in found.rows if row["treatment"] == "original"} == {0.5}


class _Counted(LogisticRegression):
    """Counts how often it is trained."""

    trained = 0

    def fit(self, *args: Any, **options: Any) -> _Counted:
        _Counted.trained += 1
        return super().fit(*args, **options)


def test_no_setting_is_trained_twice(data: tuple) -> None:
    """What several treatments try is the same; it is scored once on the inner folds, and trained at most once."""
    several = {**SMALL, "learners": {"LR": (_Counted(), {"C": (0.01, 1.0)})}, "folds": 2}
    sm.experiments.resampling_study(
        *data, treatments=["original", "threshold", "weighting"], metrics=["AUC"], **several
    )
    distinct = 2 * 3  # values of C times powers; the power 0 is what the original and the threshold try
    assert 2 * 2 * distinct < _Counted.trained <= 2 * (2 + 1) * distinct


def test_effects_and_table_and_picture(study: ResamplingStudy) -> None:
    effects = study.effects("f1", criterion="f1")
    assert [one.treatment for one in effects] == study.names("treatment")
    before, after = (study.values("f1", learner="LR", treatment=t, criterion="f1") for t in ("original", "balanced"))
    expected = sm.compare_folds(before, after, test_share=1 / 3)
    assert effects[1].comparison == expected
    assert effects[0].comparison is None
    assert f"{expected.difference:+.3f} [{expected.low:+.3f}, {expected.high:+.3f}]" in study.to_markdown("f1")
    assert len(study.plot("f1").get_yticklabels()) == 4
    assert study.to_frame().shape[0] == len(study.rows)


RESUMED = """
import os, signal, sys
import numpy as np
from sklearn.linear_model import LogisticRegression
from symmetrics.papers.resampling import resampling_study
from symmetrics.papers.resampling_results import KeptResults
add = KeptResults.add
def add_and_die(self, learner, fold, rows):
    add(self, learner, fold, rows)
    if fold == 1:
        os.kill(os.getpid(), signal.SIGKILL)
KeptResults.add = add_and_die
learners = {"LR": (LogisticRegression(), {"C": (0.01, 1.0)})}
chosen = {"learners": learners, "folds": 3, "inner_folds": 2, "treatments": ["original"], "criteria": ["B42"]}
resampling_study(*np.load(sys.argv[1]).values(), file=sys.argv[2], **chosen)
"""


def test_a_killed_run_goes_on(data: tuple, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Killed after the second of three folds and cut off while the third is written, it ends as if it had not been."""
    file = tmp_path / "results.jsonl"
    np.savez(tmp_path / "data.npz", *data)
    killed = subprocess.run(
        [sys.executable, "-c", RESUMED, str(tmp_path / "data.npz"), str(file)],
        cwd=Path(__file__).parent.parent,
        capture_output=True,
        text=True,
    )
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert len(file.read_text(encoding="utf-8").splitlines()) == 3
    with file.open("a", encoding="utf-8") as stream:
        stream.write('{"learner": "LR", "fold": 2, "ro')
    added = []
    add = KeptResults.add
    monkeypatch.setattr(KeptResults, "add", lambda self, *entry: (added.append(entry[1]), add(self, *entry)))
    chosen = {"treatments": ["original"], "criteria": ["B42"], **SMALL}
    resumed = sm.experiments.resampling_study(*data, file=file, **chosen)
    assert added == [2]
    assert resumed.rows == sm.experiments.resampling_study(*data, **chosen).rows
    again = sm.experiments.resampling_study(*data, file=file, **chosen)
    assert added == [2]
    assert again.rows == resumed.rows
    file.write_text(file.read_text(encoding="utf-8").replace('"training": 60', '"training": 61', 1), encoding="utf-8")
    assert sm.experiments.resampling_study(*data, file=file, **chosen).rows == resumed.rows
    assert added == [2, 0]
    with pytest.raises(InputError, match="holds results of other data, design or code"):
        sm.experiments.resampling_study(*data, file=file, **{**chosen, "criteria": ["H"]})


# -- section IV.D of Thai-Nghe et al. (2011) ---------------------------------------------------------------------------


def treated(change: list[float], kept: int) -> Validated:
    """Return a data set of 100 examples on whose folds the ratio changes B42 by so much."""
    before = [0.5, 0.52, 0.48, 0.51, 0.49]
    after = [a + b for a, b in zip(before, change, strict=True)]
    records = {
        key: {"B42": values, "B42 at threshold": values, "TPr": values, "TNr": before, "training": [size] * 5}
        for key, values, size in (("original", before, 100), ("RUS-ratio", after, kept), ("threshold", after, 100))
    }
    return Validated("made-up", "x", 125, 2, 5.0, records)


@pytest.mark.parametrize(
    ("change", "kept", "verdicts"),
    [
        ([0.1, -0.1, 0.05, -0.02, 0.0], 40, ["yes", "yes", "yes"]),
        ([0.1, 0.11, 0.09, 0.1, 0.12], 40, ["NO", "yes", "yes"]),
        ([-0.1, -0.11, -0.09, -0.1, -0.12], 100, ["yes", "NO", "NO"]),
    ],
)
def test_the_closing_sentences(change: list[float], kept: int, verdicts: list[str]) -> None:
    results = dict.fromkeys(("AUC", "B42", "H"), (treated(change, kept),))
    cells = ratio_as_hyperparameter(results).cells
    assert [cell.verdict for cell in cells] == 3 * verdicts
    assert f"{kept} %" in table_of_ratios(results)


def test_direct_optimisation_is_told_with_intervals() -> None:
    sets = [treated([0.1 * k] * 5, 40) for k in (1, 2, 3)]
    classified = {
        criterion: [
            Validated("x", "x", 9, 1, 5.0, {key: {"B42": [0.1 * k + shift]} for key in ("LR", "SVM")}) for k in (1, 2)
        ]
        for criterion, shift in (("AUC", 0.0), ("B42", 0.05), ("H", 0.0))
    }
    text = direct_optimisation(classified, dict.fromkeys(("AUC", "B42", "H"), sets))
    assert "| C of LR by B42, not AUC " in text
    assert effect([0.1, 0.2, 0.3]) in text
    assert effect([0.1, 0.2, 0.3]).startswith("+0.2000 [-0.0484, +0.4484]")


# -- progress and refusals ---------------------------------------------------------------------------------------------


def test_a_log_file_gets_lines(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    clock = iter([0.0, 4.0, 11.0, 12.0, 30.0])
    monkeypatch.setattr(comparison.time, "monotonic", lambda: next(clock))
    assert list(watched("abcd", "letters")) == ["a", "b", "c", "d"]
    assert capsys.readouterr().err == "letters: 2 of 4 done in 11 s\n"
    assert list(watched("ab", "letters", shown=False)) == ["a", "b"]


BAD = [
    (lambda e, x, y: e.correlation_study("f1"), "metrics='f1' is no list of metrics"),
    (lambda e, x, y: e.correlation_study(["f1", "F1"]), "metrics has f1 twice"),
    (lambda e, x, y: e.correlation_study([]), "metrics is empty"),
    (lambda e, x, y: e.correlation_study(["f1"], method="kendall"), "method='kendall' is unknown"),
    (lambda e, x, y: e.correlation_study(["f1"], percentages=[]), "percentages is empty"),
    (lambda e, x, y: e.correlation_study(["f1"], percentages=[100]), "leave a class empty"),
    (lambda e, x, y: e.correlation_study(["f1"], design="half"), "design"),
    (lambda e, x, y: e.distorted_scores(5, instances=2.5), "instances=2.5 is not a whole number"),
    (lambda e, x, y: e.distorted_scores(5, design=lambda p, n: ([1], [0])), "has probabilities of the shapes"),
    (lambda e, x, y: e.over_priors({}), "names none"),
    (lambda e, x, y: e.over_priors({"a": 3}), "classifier a is 3"),
    (lambda e, x, y: e.over_priors({"a": (0.1, 0.8)}, priors=[0]), "prior has the value 0"),
    (lambda e, x, y: e.over_priors({"a": (0.1, 0.8)}, []), "metrics is empty"),
    (lambda e, x, y: e.resampling_study(x[1:], y), "pass a row of features for each label"),
    (lambda e, x, y: e.resampling_study(x, y * 0), "pass two classes"),
    (lambda e, x, y: e.resampling_study(x, y, pos_label=7), "pass two classes"),
    (lambda e, x, y: e.resampling_study(x, y, folds=20), "a class has 15 examples"),
    (lambda e, x, y: e.resampling_study(x, y, treatments=["weights"]), "weights"),
    (lambda e, x, y: e.resampling_study(x, y, treatments=[]), "treatments names none"),
    (lambda e, x, y: e.resampling_study(x, y, learners={}), "no mapping of estimators"),
    (lambda e, x, y: e.resampling_study(x, y, learners={"LR": 3}), "the learner LR has no fit"),
    (lambda e, x, y: e.resampling_study(x, y, learners={"LR": (GRID[0], {"c": [1]})}), "no parameter 'c'"),
    (lambda e, x, y: e.resampling_study(x, y, learners={"near": KNeighborsClassifier()}), "has no class_weight"),
    (lambda e, x, y: e.resampling_study(x, y, criteria=[lambda y, s: 0.0]), "by which no threshold can be set"),
    (lambda e, x, y: e.resampling_study(x, y, file="/nowhere/results.jsonl"), "there is no folder /nowhere"),
    (lambda e, x, y: e.Treatment(ratios=(0.5,)), "ratios has 0.5"),
    (lambda e, x, y: e.Treatment(powers=()), "powers has no value"),
]


@pytest.mark.parametrize("number", range(len(BAD)))
def test_bad_input_is_refused_in_one_line(data: tuple, number: int) -> None:
    ask, told = BAD[number]
    with pytest.raises(SymmetricsError) as caught:
        ask(sm.experiments, *data)
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)
