"""Artificial problems of two classes in the plane, the first of which is the target."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm

__all__ = [
    "BAYES_ERROR",
    "PROBLEMS",
    "SEPARATION",
    "Problem",
    "highleyman",
    "lithuanian",
    "multimodal",
    "two_gaussians",
]

Array = NDArray[np.float64]
Problem = Callable[[int, np.random.Generator], tuple[Array, Array]]
"""Draws so many examples of each class: the targets and the others, each of shape (size, 2)."""

BAYES_ERROR: Final = 0.153
"""That of the two Gaussians with equal priors, which Landgrebe et al. (2005), section 4, say."""
SEPARATION: Final = float(2 * norm.isf(BAYES_ERROR))
"""How many standard deviations the means of two Gaussians with this error are apart: 2.047."""
SPACING: Final = 4.0
"""Standard deviations between the neighbouring modes of the multimodal classes."""


def two_gaussians(size: int, generator: np.random.Generator) -> tuple[Array, Array]:
    """Draw two normal classes with unit covariance, apart in the first feature so that the Bayes error is 15.3 %.

    A linear map does not change the error, nor what linear, quadratic and mixture classifiers do; the text shows the
    classes in a figure and gives no parameter but the error.

    >>> two_gaussians(3, np.random.default_rng(0))[1].shape
    (3, 2)
    """
    return _normal(size, (SEPARATION, 0), (1, 1), generator), _normal(size, (0, 0), (1, 1), generator)


def highleyman(size: int, generator: np.random.Generator) -> tuple[Array, Array]:
    """Draw Highleyman's classes, as PRTools parameterises them.

    The target has the mean (1, 1) and the variances 1 and 1/4, the other class the mean (2, 0) and 1/100 and 4.
    """
    return _normal(size, (1, 1), (1, 0.5), generator), _normal(size, (2, 0), (0.1, 2), generator)


def lithuanian(size: int, generator: np.random.Generator) -> tuple[Array, Array]:
    """Draw the Lithuanian classes (Raudys), as PRTools parameterises them.

    Points at even angles from -60 to 60 degrees on an arc of radius 10, the target, and on one of radius 6.2, each with
    unit normal noise in both features.
    """
    return _arc(size, 10.0, generator), _arc(size, 6.2, generator)


def multimodal(size: int, generator: np.random.Generator) -> tuple[Array, Array]:
    """Draw a target of two modes and another class of three, on a line in turn.

    The text says the numbers of modes and no more.  Here the modes are normal with unit covariance, equally likely, and
    four standard deviations from one to the next.
    """
    targets = generator.choice([-SPACING, SPACING], size)
    others = generator.choice([-2 * SPACING, 0, 2 * SPACING], size)
    noise = generator.standard_normal((2, size, 2))
    noise[0, :, 0] += targets
    noise[1, :, 0] += others
    return noise[0], noise[1]


PROBLEMS: Final[Mapping[str, Problem]] = {
    "TwoGaussians": two_gaussians,
    "Highleyman": highleyman,
    "Multimodal": multimodal,
    "Lithuanian": lithuanian,
}
"""The four problems of Landgrebe et al. (2005), in the order of their table 2."""


def _normal(
    size: int, mean: tuple[float, float], deviations: tuple[float, float], generator: np.random.Generator
) -> Array:
    return np.array(mean) + np.array(deviations) * generator.standard_normal((size, 2))


def _arc(size: int, radius: float, generator: np.random.Generator) -> Array:
    angles = generator.uniform(-np.pi / 3, np.pi / 3, size)
    circle = radius * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    return np.asarray(circle + generator.standard_normal((size, 2)))
