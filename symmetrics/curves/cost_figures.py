"""Pictures of cost weights: Figures 1 and 3 of Thai-Nghe et al. (2011)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

import numpy as np

from symmetrics.curves.costs import B42, BetaCosts, ImpliedCosts
from symmetrics.numeric.counts import FloatArray
from symmetrics.tools.errors import InputError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["draw_beta_costs", "draw_implied_costs"]

_POINTS: Final = 501
_HAND: Final = BetaCosts(2, 2)


def draw_beta_costs(costs: Mapping[str, BetaCosts] | None = None) -> Figure:
    """Return Figure 1: the densities of Beta distributions over c = c₁/(c₀ + c₁), their modes marked.

    :param costs: by name; Beta(2, 2) of H and Beta(4, 2) of B42 by default
    :raises InputError: if there are none, or matplotlib is not installed
    """
    chosen = {"H: Beta(2, 2)": _HAND, "B42: Beta(4, 2)": B42} if costs is None else dict(costs)
    if not chosen:
        raise InputError("costs is empty; name at least one BetaCosts to draw")
    figure, axes = _empty()
    for name, beta in chosen.items():
        (line,) = axes.plot(*_curve(beta), label=name)
        if beta.mode == beta.mode:
            axes.plot([beta.mode] * 2, [0.0, float(beta.density(beta.mode))], ":", color=line.get_color(), linewidth=1)
    axes.set_ylim(bottom=0)
    axes.legend(frameon=False)
    return figure


def draw_implied_costs(
    implied: Mapping[str, ImpliedCosts], costs: Mapping[str, BetaCosts] | None = None, *, bandwidth: float = 0.05
) -> Figure:
    """Return Figure 3: the cost weights that AUC implies for each classifier, and those of H and of B42 for all.

    :param implied: by the name of a classifier, as :func:`symmetrics.curves.costs.auc_cost_weights` returns them; they
        are drawn smoothed, with their discrete values as ticks at the bottom
    :param costs: the fixed weights, by name; Beta(2, 2) and Beta(4, 2) by default
    :param bandwidth: the standard deviation of the smoothing kernels
    :raises InputError: if there are no classifiers, on a *bandwidth* outside (0, 1), or if matplotlib is not installed
    """
    if not implied:
        raise InputError("implied is empty; name at least one classifier's auc_cost_weights")
    figure, axes = _empty()
    c = np.linspace(0, 1, _POINTS)
    for number, (name, weights) in enumerate(implied.items()):
        (line,) = axes.plot(c, weights.density(c, bandwidth=bandwidth), label=f"AUC on {name}")
        ticks = np.full(weights.cost.shape, 0.02 + 0.03 * number)
        axes.plot(weights.cost, ticks, "|", color=line.get_color(), markersize=6, transform=axes.get_xaxis_transform())
    for name, beta in ({"H": _HAND, "B42": B42} if costs is None else costs).items():
        axes.plot(*_curve(beta), "--", label=name)
    axes.set_ylim(bottom=0)
    axes.legend(frameon=False)
    return figure


def _empty() -> tuple[Figure, Axes]:
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise InputError("drawing needs matplotlib: pip install 'symmetrics[plot]'") from None
    figure = Figure(figsize=(7, 4.2), layout="constrained")
    axes = figure.subplots()
    axes.set_xlim(0, 1)
    axes.set_xlabel("cost c = c₁/(c₀ + c₁) of an error on class 1 (the minority)")
    axes.set_ylabel("density")
    return figure, axes


def _curve(beta: BetaCosts) -> tuple[FloatArray, FloatArray]:
    """Return a density inside (0, 1), with the ends where it is finite."""
    c = np.linspace(0, 1, _POINTS)
    c = c[(0 if beta.a >= 1 else 1) : (None if beta.b >= 1 else -1)]
    return c, beta.density(c)
