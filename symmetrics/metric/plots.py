"""Plots: what pictures there are of one metric; who draws them is above this room."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from matplotlib.axes import Axes


Space = Literal["roc", "precision_recall"]


class Plots(ABC):
    """The pictures of one metric, at the defaults of its parameters; each returns the axes that it draws on."""

    @abstractmethod
    def isometrics(
        self,
        ax: Axes | None = None,
        space: Space = "roc",
        prior: object = "1/2",
        *,
        levels: int | Sequence[float] = 9,
        total: float | None = None,
    ) -> Axes:
        """Draw lines of equal value in the ROC or in the precision-recall plane."""

    @abstractmethod
    def prior(
        self,
        ax: Axes | None = None,
        points: Iterable[tuple[float, float]] = ((0.1, 0.9), (0.3, 0.8), (0.05, 0.5)),
        *,
        total: float | None = None,
    ) -> Axes:
        """Draw the value against the prior and the imbalance, for classifiers with given rates."""

    @abstractmethod
    def tetrahedron(self, n: int = 10, ax: Axes | None = None) -> Axes:
        """Draw all tables of n examples as points of a tetrahedron, each with its value."""

    @abstractmethod
    def gradient(self, ax: Axes | None = None, prior: object = "1/2", *, total: float | None = None) -> Axes:
        """Draw where the value grows fastest in the ROC plane, and how fast."""

    @abstractmethod
    def distribution(self, n: int = 20, ax: Axes | None = None) -> Axes:
        """Draw how many of all tables of n examples have which values."""

    @abstractmethod
    def random_guessing(
        self, ax: Axes | None = None, shares: Iterable[float] = (0.1, 0.5, 0.9), *, n: int | None = None
    ) -> Axes:
        """Draw what random guessing scores against the prior."""
