"""Landgrebe et al. (2005): the generators and classifiers against theory, and what the report says of small runs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from effort import is_thorough
from scipy.stats import norm

from symmetrics.curves.operating import point_at_tpr
from symmetrics.papers import Experiment, Steps, densities, write_experiment
from symmetrics.papers import densities as validation
from symmetrics.papers.densities import (
    BAYES_ERROR,
    CLASSIFIERS,
    GRID,
    PROBLEMS,
    SEPARATION,
    TARGET,
    Validated,
    fpr_at,
    kernel_width,
    log_likelihood,
    roc,
    validated_once,
)
from symmetrics.papers.landgrebe2005 import experiment as landgrebe2005
from symmetrics.papers.landgrebe2005.experiment import PRIORS, experiment, positive_fraction
from symmetrics.tools.errors import InputError

LARGE = 200_000


# -- the problems ------------------------------------------------------------------------------------------------------


def test_the_gaussians_have_the_error_that_is_stated() -> None:
    """The optimal threshold lies half-way; each class has 15.3 % beyond it."""
    targets, others = PROBLEMS["TwoGaussians"](LARGE, np.random.default_rng(1))
    wrong = np.mean(targets[:, 0] < SEPARATION / 2), np.mean(others[:, 0] >= SEPARATION / 2)
    assert np.mean(wrong) == pytest.approx(BAYES_ERROR, abs=0.002)
    assert round(SEPARATION, 3) == 2.047


def test_moments_of_highleyman() -> None:
    targets, others = PROBLEMS["Highleyman"](LARGE, np.random.default_rng(1))
    for points, mean, variances in ((targets, (1, 1), (1, 0.25)), (others, (2, 0), (0.01, 4))):
        np.testing.assert_allclose(points.mean(axis=0), mean, atol=0.02)
        np.testing.assert_allclose(np.cov(points.T), np.diag(variances), rtol=0.02, atol=0.01)


def test_moments_of_the_lithuanian_classes() -> None:
    """With an angle even on (-a, a): E cos = sin(a)/a, E cos**2 = 1/2 + sin(2a)/(4a), E sin = 0; the noise adds 1."""
    bound = np.pi / 3
    for points, radius in zip(PROBLEMS["Lithuanian"](LARGE, np.random.default_rng(1)), (10, 6.2), strict=True):
        cosine, square = np.sin(bound) / bound, 0.5 + np.sin(2 * bound) / (4 * bound)
        np.testing.assert_allclose(points.mean(axis=0), (radius * cosine, 0), atol=0.05)
        variances = (radius**2 * (square - cosine**2) + 1, radius**2 * (1 - square) + 1)
        np.testing.assert_allclose(points.var(axis=0), variances, rtol=0.02)


def test_modes() -> None:
    targets, others = PROBLEMS["Multimodal"](LARGE, np.random.default_rng(1))
    for points, modes in ((targets, (-4, 4)), (others, (-8, 0, 8))):
        nearest = np.argmin(np.abs(points[:, :1] - np.array(modes)), axis=1)
        np.testing.assert_allclose(np.bincount(nearest) / LARGE, 1 / len(modes), atol=0.02)


# -- the classifiers ---------------------------------------------------------------------------------------------------


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("problem", "classifier", "expected"),
    [
        # A linear classifier's scores are normal; its weights are inv(S1 + S2)(m1 - m2).
        ("TwoGaussians", "LDC", norm.cdf(norm.ppf(0.8) - SEPARATION)),
        ("TwoGaussians", "QDC", norm.cdf(norm.ppf(0.8) - SEPARATION)),
        ("TwoGaussians", "MOGC", norm.cdf(norm.ppf(0.8) - SEPARATION)),
        ("TwoGaussians", "PARZEN", norm.cdf(norm.ppf(0.8) - SEPARATION)),
        ("Highleyman", "LDC", 0.2109),
        ("Highleyman", "QDC", 0.0),
        ("Highleyman", "MOGC", 0.0),
        ("Highleyman", "PARZEN", 0.0),
    ],
)
def test_rates_against_theory(problem: str, classifier: str, expected: float) -> None:
    """The false positive rate at 80 % on fresh examples is that of the known densities."""
    draw, generator = PROBLEMS[problem], np.random.default_rng(3)
    score = CLASSIFIERS[classifier](*draw(1000, generator), (2, 2), 0)
    targets, others = draw(3000, generator)
    fpr, tpr = roc(score(targets), score(others))
    assert fpr_at(fpr, tpr, np.array([TARGET]))[0] == pytest.approx(expected, abs=0.03)


def test_the_theory_of_the_linear_classifier_on_highleyman() -> None:
    """Weights w, then w*x is normal in both classes; the rate at the threshold with 80 % of the targets above."""
    mean, pooled = np.array([-1, 1]), np.array([1.01, 4.25])
    weights = mean / pooled
    first, second = (np.sqrt(weights**2 @ np.array(v)) for v in ((1, 0.25), (0.01, 4)))
    gap = weights @ mean - norm.ppf(0.8) * first
    assert norm.sf(gap / second) == pytest.approx(0.2109, abs=5e-5)


@pytest.mark.parametrize("seed", range(3 if is_thorough() else 2))
def test_the_kernel_width_is_the_most_likely(seed: int) -> None:
    """Against the leave-one-out likelihood summed example by example, on a grid of widths and by a search."""
    from scipy.optimize import minimize_scalar

    examples = np.random.default_rng(seed).standard_normal((40, 2)) * [1, 3]
    width = kernel_width(examples)
    best = minimize_scalar(
        lambda x: -log_likelihood(examples, np.exp(x)), bounds=(-3, 3), method="bounded", options={"xatol": 1e-8}
    )
    assert width == pytest.approx(np.exp(best.x), rel=3e-3)
    likelihood = log_likelihood(examples, width)
    assert all(log_likelihood(examples, width * factor) < likelihood for factor in (0.5, 0.9, 1.1, 2))


def test_the_likelihood_by_another_library() -> None:
    from sklearn.neighbors import KernelDensity

    examples = np.random.default_rng(5).standard_normal((12, 2))
    others = [np.delete(examples, place, axis=0) for place in range(12)]
    expected = sum(
        KernelDensity(bandwidth=0.7).fit(rest).score(point[None]) for rest, point in zip(others, examples, strict=True)
    )
    assert log_likelihood(examples, 0.7) == pytest.approx(expected, rel=1e-9)


def test_the_parzen_scores_are_those_of_scaled_densities() -> None:
    from sklearn.neighbors import KernelDensity

    generator = np.random.default_rng(7)
    targets, others, points = (generator.standard_normal((60, 2)) * [0.1, 2] + shift for shift in (0, 1, 0.5))

    def density(examples: np.ndarray) -> np.ndarray:
        scale = examples.std(axis=0)
        fitted = KernelDensity(bandwidth=kernel_width(examples / scale)).fit(examples / scale)
        return fitted.score_samples(points / scale) - np.log(scale.prod())

    scores = CLASSIFIERS["PARZEN"](targets, others, (2, 2), 0)(points)
    np.testing.assert_allclose(scores, density(targets) - density(others), rtol=1e-8, atol=1e-8)


# -- the curves --------------------------------------------------------------------------------------------------------


def test_curves_against_scikit_learn() -> None:
    from sklearn.metrics import roc_auc_score, roc_curve

    generator = np.random.default_rng(2)
    for _ in range(20):
        targets, others = generator.integers(3, 9, 31).astype(float), generator.integers(0, 7, 17).astype(float)
        fpr, tpr = roc(targets, others)
        truth, scores = np.repeat([1, 0], [31, 17]), np.concatenate([targets, others])
        expected = roc_curve(truth, scores, drop_intermediate=False)
        np.testing.assert_allclose(fpr, expected[0])
        np.testing.assert_allclose(tpr, expected[1])
        assert np.trapezoid(tpr, fpr) == pytest.approx(roc_auc_score(truth, scores))
        ours = fpr_at(fpr, tpr, GRID)
        np.testing.assert_allclose(ours, [point_at_tpr(fpr, tpr, target).fpr for target in GRID], atol=1e-12)


@pytest.mark.thorough
def test_one_validation_is_reproducible() -> None:
    first, again, other = (validated_once("Highleyman", number, size=60, folds=3) for number in (0, 0, 1))
    assert first == again != other
    assert set(first) == set(CLASSIFIERS)
    assert [len(first["LDC"][key]) for key in ("fpr", "auc", "curve")] == [3, 3, 51]


# -- the report --------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def landgrebe() -> Experiment:
    """Return the experiment with two folds of few examples a class and one repetition; in full it takes minutes."""
    patch = pytest.MonkeyPatch()
    small = validated_once
    patch.setattr(validation, "REPETITIONS", 1)
    patch.setattr(
        validation,
        "validated_once",
        lambda problem, number: small(problem, number, size=150 if is_thorough() else 90, folds=2),
    )
    yield experiment(Steps(None))
    patch.undo()


def cells(found: Experiment, title: str) -> dict[str, str]:
    (table,) = [table for table in found.comparisons if table.title.startswith(title)]
    return {cell.place: cell.verdict for cell in table.cells}


def test_all_48_cells_are_compared(landgrebe: Experiment) -> None:
    for problem in PROBLEMS:
        assert len(cells(landgrebe, f"Table 2, {problem}")) == len(PRIORS) * len(CLASSIFIERS) == 12


def test_positive_fractions() -> None:
    result = Validated(0.2428, 0.01, 0.9, GRID)
    assert [round(positive_fraction(result, prior), 2) for prior in PRIORS] == [52.14, 29.85, 24.34]


@pytest.mark.usefixtures("coarse")
def test_it_is_written(landgrebe: Experiment, tmp_path: Path) -> None:
    paths = write_experiment(landgrebe, tmp_path, "landgrebe2005")
    assert [path.suffix for path in paths] == [".md", ".csv", *[".png"] * 5]
    text = paths[0].read_text(encoding="utf-8")
    assert "What the text leaves open" in text
    assert "| Highleyman   | LDC" in text


def test_without_scikit_learn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(densities.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(InputError, match=r"classifiers of scikit-learn: pip install 'symmetrics\[experiments\]'"):
        landgrebe2005.experiment(Steps(None))
