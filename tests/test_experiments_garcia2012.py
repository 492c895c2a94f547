"""García, Sánchez & Mollineda (2012): the table agrees, and which conclusions hold is what is recorded here."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.stats import pearsonr

import symmetrics as sm
from symmetrics.library.selections import GARCIA_METRICS
from symmetrics.metric.priors import TNR, TPR, in_rates
from symmetrics.papers import Comparison, Experiment, Steps, write_experiment
from symmetrics.papers.garcia2012.experiment import (
    CONCLUSIONS,
    PERCENTAGES,
    STRONG,
    Conclusion,
    correlations,
    experiment,
    true_probabilities,
    tuples,
)
from symmetrics.papers.judged import judged


@pytest.fixture(scope="module")
def garcia() -> Experiment:
    return experiment(Steps(None))


def table(found: Experiment, title: str) -> Comparison:
    (chosen,) = [comparison for comparison in found.comparisons if comparison.title.startswith(title)]
    return chosen


def test_which_conclusions_hold(garcia: Experiment) -> None:
    """13 conclusions at five levels; wAUC never correlates positively with TPr, and OP weakens as classes even out."""
    found = table(garcia, "Section 3.1")
    assert len(found.cells) == len(CONCLUSIONS) * len(PERCENTAGES) == 65
    failing = [cell.place for cell in found.cells if not cell.agrees]
    assert failing == [
        *(f"wauc_with_tpr: wAUC and TPr, {p} % positive" for p in PERCENTAGES),
        *(f"optimized_precision_follows_tnr: OP and TNr, {p} % positive" for p in (20, 25)),
    ]
    assert all(cell.note for cell in found.cells if not cell.agrees)


def test_the_note_on_weighted_auc_is_true() -> None:
    """It gains more from TNr than from TPr wherever TPr - TNr < 1."""
    formula = in_rates(sm.metrics["wauc"].at(rho="1/10"))
    assert (formula.diff(TNR) - formula.diff(TPR)).expand() == ((1 - TPR + TNR) / 10).expand()


def test_the_design() -> None:
    """13 combinations, ten tuples each; a class that is not distorted is predicted without an error."""
    for percentage in PERCENTAGES:
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
    positive, negative = (Conclusion("x", "f1", "tpr", sign) for sign in ("positive", "strong negative"))
    assert (positive.holds(0.1), positive.holds(0.0), positive.holds(-0.1), positive.holds(float("nan"))) == (
        (True, False, False, False)
    )
    assert (negative.holds(-STRONG), negative.holds(-0.69), negative.holds(0.9)) == (True, False, False)
    cell = judged("here", float("nan"), "positive", False)
    assert (cell.agrees, cell.is_tie, cell.shown, cell.verdict) == (False, False, "nan", "NO")


@pytest.mark.thorough
def test_it_is_written_and_resumes(garcia: Experiment, tmp_path: Path) -> None:
    again = experiment(Steps(tmp_path / "steps"))
    assert again.to_markdown() == garcia.to_markdown()
    assert len(list((tmp_path / "steps").glob("*.json"))) == 15
    assert experiment(Steps(tmp_path / "steps")).to_markdown() == garcia.to_markdown()
    paths = write_experiment(garcia, tmp_path, "garcia2012")
    assert [path.name for path in paths] == ["garcia2012.md", "garcia2012.csv", "garcia2012_correlations.png"]
    text = paths[0].read_text(encoding="utf-8")
    assert text.count("\n## Section 3.1, correlations with ") == 5
    assert paths[2].read_bytes().startswith(b"\x89PNG")
