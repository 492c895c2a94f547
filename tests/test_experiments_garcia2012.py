"""García, Sánchez & Mollineda (2012): the table agrees, and which conclusions hold is what is recorded here."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from effort import some
from scipy.stats import pearsonr

from symmetrics.curves.weighted import weighted_auc
from symmetrics.data.counts import Cells
from symmetrics.library.selections import GARCIA_METRICS
from symmetrics.papers import Comparison, Experiment, Steps, write_experiment
from symmetrics.papers.correlations import counts_of, distorted_scores, true_probabilities
from symmetrics.papers.garcia2012.experiment import (
    CONCLUSIONS,
    PERCENTAGES,
    Conclusion,
    _answer,
    _draw_table_2,
    correlations,
    experiment,
)
from symmetrics.query.proving import prove

LEVELS = some(PERCENTAGES, 2)
"""The shares of the positive class that the experiment is run for."""


@pytest.fixture(scope="module")
def garcia() -> Experiment:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("symmetrics.papers.garcia2012.experiment.PERCENTAGES", LEVELS)
        return experiment(Steps(None))


def tuples(percentage: int, instances: int = 1000) -> Cells:
    return counts_of(distorted_scores(percentage, instances=instances))


def table(found: Experiment, title: str) -> Comparison:
    (chosen,) = [comparison for comparison in found.comparisons if comparison.title.startswith(title)]
    return chosen


def test_all_conclusions_hold_if_each_class_has_its_half(garcia: Experiment) -> None:
    """13 conclusions at five levels, with wAUC over the whole curve."""
    found = table(garcia, "Section 3.1")
    assert len(found.cells) == len(CONCLUSIONS) * len(LEVELS)
    assert len(CONCLUSIONS) == 13
    assert len(PERCENTAGES) == 5
    assert [cell.place for cell in found.cells if not cell.agrees] == []


def test_a_ranked_list_turns_the_correlation_of_accuracy() -> None:
    """Many negative instances are above 1/2 then: what the paper concludes depends on what it does not say."""
    matrix = correlations(10, 200, "evenly ranked")
    assert matrix[GARCIA_METRICS.index("accuracy"), GARCIA_METRICS.index("tpr")] > 0.1


def test_the_weighted_area_by_hand() -> None:
    """Strips between the true positive rates that are reached, the lowest weighing 0.9, by a loop of its own."""
    generator = np.random.default_rng(1)
    high, low = np.sort(generator.random(6))[::-1], generator.random(9)
    weight, total = 0.9, 0.0
    for place, score in enumerate(high):
        if place:
            weight = weight * 0.1 + 0.9
        last = weight / 0.9 if place == 5 else weight
        total += last * np.mean(low < score) / 6
    found = weighted_auc([1] * 6 + [0] * 9, np.concatenate((high, low)), rho=0.1)
    assert found == pytest.approx(total)


def test_the_design() -> None:
    """13 combinations, ten tuples each; a class that is not distorted is predicted without an error."""
    for percentage in some(PERCENTAGES, 2):
        cells = tuples(percentage)
        assert {int(p) for p in cells.tp + cells.fn} == {10 * percentage}
        assert {int(n) for n in cells.fp + cells.tn} == {1000 - 10 * percentage}
        assert cells.tp.shape == (130,)
        assert not cells.fn[:10].any()
        assert cells.fp[:10].all()
        assert not cells.fp[-10:].any()
        assert cells.fn[-10:].all()
    np.testing.assert_array_equal(tuples(5).tp, tuples(5).tp)


def test_expected_rates() -> None:
    """The mean TNr under a distortion of 0.6 is an integral: p + 0.6 is at most 1 up to p = 0.4, and at most 1 beyond.

    For p in (0, 1/2) the range is [0, min(1, p + 0.6)], of which the half below 1/2 is predicted rightly.
    """
    p = (np.arange(10**6) + 0.5) / (2 * 10**6)
    expected = np.mean(0.5 / np.minimum(1, p + 0.6))
    cells = tuples(5, 5000)
    assert np.mean(cells.tn[:10]) / 4750 == pytest.approx(expected, abs=0.01)


def test_true_probabilities_lie_on_the_side_of_their_class() -> None:
    above, below = true_probabilities(50, 950)
    assert (above.size, below.size) == (50, 950)
    assert above.min() > 0.5 > below.max()
    assert (above.max(), below.min()) == pytest.approx((0.995, 0.5 - below.max()))


@pytest.mark.sampled(1)
@pytest.mark.parametrize("percentage", PERCENTAGES)
def test_correlations_by_another_way(percentage: int) -> None:
    """Against SciPy, one pair at a time, with rates and G-mean computed by hand."""
    matrix, cells = correlations(percentage), tuples(percentage)
    tpr, tnr = cells.tp / (cells.tp + cells.fn), cells.tn / (cells.fp + cells.tn)
    columns = {"tpr": tpr, "tnr": tnr, "gmean": np.sqrt(tpr * tnr), "auc_single": (tpr + tnr) / 2}
    columns["accuracy"] = (cells.tp + cells.tn) / 1000
    columns["f1"] = 2 * cells.tp / (2 * cells.tp + cells.fp + cells.fn)
    for first, a in columns.items():
        for second, b in columns.items():
            found = matrix[GARCIA_METRICS.index(first), GARCIA_METRICS.index(second)]
            assert found == pytest.approx(pearsonr(a, b).statistic, abs=1e-9)
    assert matrix.shape == (13, 13)
    assert np.isfinite(matrix).all()


def test_conclusions_can_fail() -> None:
    size = len(GARCIA_METRICS)
    matrix = np.zeros((size, size))
    f1, tpr, tnr = (GARCIA_METRICS.index(key) for key in ("f1", "tpr", "tnr"))
    signs = ("positive", "strong positive", "negative", "strong negative")
    for by_tpr, by_tnr, expected in (
        (0.5, 0.1, (True, True, False, False)),
        (0.5, -0.6, (True, False, False, False)),
        (-0.5, 0.1, (False, False, True, True)),
        (float("nan"), 0.1, (False, False, False, False)),
    ):
        matrix[f1, tpr], matrix[f1, tnr] = by_tpr, by_tnr
        assert tuple(Conclusion("x", "f1", "tpr", sign).holds(matrix) for sign in signs) == expected
    matrix[f1, tpr], matrix[GARCIA_METRICS.index("kappa"), tpr] = -0.5, -0.6
    assert not Conclusion("x", "f1", "tpr", "strong negative").holds(matrix)


@pytest.mark.thorough
def test_it_is_written_and_resumes(garcia: Experiment, tmp_path: Path) -> None:
    again = experiment(Steps(tmp_path / "steps"))
    assert again.to_markdown() == garcia.to_markdown()
    assert len(list((tmp_path / "steps").glob("*.json"))) == 25
    assert experiment(Steps(tmp_path / "steps")).to_markdown() == garcia.to_markdown()
    paths = write_experiment(garcia, tmp_path, "garcia2012")
    ends = ("md", "csv", "table2.png", "correlations.png")
    assert [path.name.removeprefix("garcia2012").lstrip("._") for path in paths] == [*ends]
    text = paths[0].read_text(encoding="utf-8")
    assert text.count("\n## Section 3.1, correlations with ") == 5
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in paths[2:])


def test_answers_are_told_by_what_was_decided() -> None:
    asked = (("precision", "p2"), ("precision", "p1"), ("cwa", "p1"))
    assert [_answer(prove(*each)) for each in asked] == ["holds", "does not hold", "holds for some parameters"]


def test_the_picture_of_table_2_says_which_side_was_printed() -> None:
    titles = [axes.get_title() for axes in _draw_table_2().axes]
    assert titles[:2] == ["invariance, as printed", "invariance, as decided"]
