"""Plots of curves: ROC with hull and band, the fraction predicted positive, and the weights of costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from symmetrics.curves.bands import RocBand
from symmetrics.curves.geometry import convex_hull
from symmetrics.curves.hmeasure import B42, BetaCosts, ImpliedCosts
from symmetrics.curves.roc import RocCurve
from symmetrics.curves.roc import positive_fraction as positive_fraction_of
from symmetrics.data.counts import FloatArray
from symmetrics.tools.arguments import advising
from symmetrics.tools.drawing.canvas import axes_for, foreground, label_for, legend, legend_below, looks
from symmetrics.tools.errors import InputError

if TYPE_CHECKING:
    from matplotlib.axes import Axes


_POINTS: Final = 501
_FEW: Final = 30
"""Curves with up to this many points have markers."""
H: Final = BetaCosts(2, 2)
FIXED: Final[Mapping[str, BetaCosts]] = {"H: Beta(2, 2)": H, "B42: Beta(4, 2)": B42}
"""The cost weights of two measures, by name."""


@advising("pass a curve, as in roc(symmetrics.roc_curve(y_true, y_score))")
def roc(
    curves: RocCurve | RocBand | Mapping[str, RocCurve],
    *,
    hull: bool = False,
    band: RocBand | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw ROC curves above the diagonal of random guessing.

    :param curves: a curve, several by name, or a band with its curve
    :param hull: whether to draw the upper convex hull of each curve, whose corners some ratio of costs prefers
    :param band: a band around a curve, of :func:`symmetrics.curves.roc_band`
    :returns: the axes, true positive against false positive rates
    :raises InputError: if there is no curve, or matplotlib is not installed

    >>> from symmetrics.curves import roc_curve
    >>> drawn = roc(roc_curve([0, 1, 1, 0, 1], [0.1, 0.4, 0.35, 0.35, 0.8]), hull=True)
    >>> drawn.get_legend_handles_labels()[1]
    ['ROC curve', 'convex hull', 'random guessing']
    """
    ax = axes_for(ax, height=3.5)
    found, drawn_band = _named(curves, band)
    styles = looks(ax, len(found) + 1)
    if drawn_band is not None:
        _fill(ax, drawn_band, styles[0].colour)
        if not found:
            ax.plot(drawn_band.fpr, drawn_band.tpr, color=styles[0].colour, label="ROC curve")
    for (name, curve), look in zip(found.items(), styles, strict=False):
        few: dict[str, Any] = {"marker": look.marker, "markersize": 3.5} if len(curve) <= _FEW else {}
        label = label_for(name)
        ax.plot(curve.fpr, curve.tpr, linestyle=look.dash, color=look.colour, label=label, clip_on=False, **few)
        if hull:
            corners = convex_hull(curve)
            above = "convex hull" if len(found) == 1 else f"{label}, convex hull"
            settings: dict[str, Any] = {"marker": look.marker, "markerfacecolor": "none", "markersize": 7}
            ax.plot(corners.fpr, corners.tpr, ":", color=foreground(ax), label=above, clip_on=False, **settings)
    ax.plot([0, 1], [0, 1], color="0.55", linewidth=0.9, dashes=(3, 3), label="random guessing")
    _frame(ax, "false positive rate", "true positive rate")
    legend(ax, loc="lower right")
    return ax


def _named(
    curves: RocCurve | RocBand | Mapping[str, RocCurve], band: RocBand | None
) -> tuple[dict[str, RocCurve], RocBand | None]:
    if isinstance(curves, RocBand):
        return {}, curves
    found = {"ROC curve": curves} if isinstance(curves, RocCurve) else dict(curves)
    for name, curve in found.items():
        if not isinstance(curve, RocCurve):
            raise InputError(f"{name!r} is {type(curve).__name__}, not a ROC curve; pass what sm.roc_curve returns")
    if not found and band is None:
        raise InputError("there is no curve; pass what sm.roc_curve returns, or several of them by name")
    return found, band


def _fill(ax: Axes, band: RocBand, colour: str) -> None:
    label = f"{band.words} band"
    ax.fill_between(band.fpr, band.low, band.high, color=colour, alpha=0.25, linewidth=0, label=label)
    for end in (band.low, band.high):
        ax.plot(band.fpr, end, color=colour, linewidth=0.7)


def _frame(ax: Axes, across: str, up: str) -> None:
    ax.set(xlim=(0, 1), ylim=(0, 1), xlabel=across, ylabel=up, aspect="equal")
    ticks = [0, 0.2, 0.4, 0.6, 0.8, 1]
    ax.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    ax.set_yticks(ticks, [f"{tick:g}" for tick in ticks])


def positive_fraction(
    curve: RocCurve | tuple[Any, Any],
    priors: Sequence[float] = (0.5, 0.1, 0.001),
    *,
    target: float | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Plot the fraction predicted positive (POSfrac) against the true positive rate, for several priors.

    At a prior pi it is ``pi*TPr + (1 - pi)*FPr`` (Landgrebe et al. 2005, equation 5).

    :param curve: a ROC curve, or its false and its true positive rates
    :param priors: shares of the positive class, strictly between 0 and 1
    :param target: a true positive rate that is marked
    :returns: the axes, true positive rates against fractions
    :raises InputError: on a prior outside (0, 1), on rates that are no curve, or if matplotlib is not installed

    >>> from symmetrics.curves import roc_curve
    >>> drawn = positive_fraction(roc_curve([0, 1, 1, 0], [0.1, 0.4, 0.35, 0.35]), [0.125])
    >>> drawn.lines[0].get_xdata().tolist()
    [0.0, 0.0625, 0.5625, 1.0]
    """
    whole = curve if isinstance(curve, RocCurve) else _of_rates(*curve)
    if not len(priors):
        raise InputError("priors is empty; pass at least one share of the positive class, such as 0.1")
    ax = axes_for(ax, height=3.5)
    for prior, look in zip(priors, looks(ax, len(priors)), strict=True):
        fraction = positive_fraction_of(whole, float(prior))
        ax.plot(fraction.posfrac, fraction.tpr, linestyle=look.dash, color=look.colour, label=f"{float(prior):g}")
    if target is not None:
        ax.axhline(target, color="0.55", linewidth=0.9, dashes=(3, 3))
        ax.text(0.99, target - 0.015, f"TPr = {target:g}", ha="right", va="top", fontsize="small", color=foreground(ax))
    _frame(ax, "predicted positive (POSfrac)", "true positive rate")
    legend(ax, title="prior", loc="lower right", title_fontsize="small")
    return ax


def _of_rates(fpr: Any, tpr: Any) -> RocCurve:
    """Return a curve through given rates, as if each class had one example."""
    try:
        false, true = np.asarray(fpr, dtype=np.float64), np.asarray(tpr, dtype=np.float64)
    except (TypeError, ValueError):
        false, true = np.empty(0), np.empty(0)
    ends = false.ndim == 1 and false.shape == true.shape and false.size > 1
    if not ends or (false[0], true[0], false[-1], true[-1]) != (0, 0, 1, 1):
        raise InputError("the rates are no curve from (0, 0) to (1, 1); pass false and true positive rates, or a curve")
    return RocCurve(true, false, np.full(false.shape, np.nan))


def cost_weights(
    costs: Mapping[str, BetaCosts] | None = None,
    implied: Mapping[str, ImpliedCosts] | None = None,
    *,
    bandwidth: float = 0.05,
    ax: Axes | None = None,
) -> Axes:
    """Plot the cost weights of measures: Beta densities, and those that AUC implies.

    The densities of *costs* have their modes marked; the weights of *implied* are drawn smoothly, with their discrete
    values as ticks at the bottom.  They differ from classifier to classifier, which is what Hand (2009) objects to.

    :param costs: by name; Beta(2, 2) of H and Beta(4, 2) of B42 by default
    :param implied: by the name of a classifier, as :func:`symmetrics.curves.auc_cost_weights` returns them
    :param bandwidth: the standard deviation of the smoothing kernels, in (0, 1)
    :returns: the axes, densities against c = c1/(c0 + c1)
    :raises InputError: if there is nothing to draw, on another *bandwidth*, or if matplotlib is not installed

    >>> drawn = cost_weights()
    >>> drawn.get_legend_handles_labels()[1]
    ['H: Beta(2, 2)', 'B42: Beta(4, 2)']
    """
    chosen = FIXED if costs is None else costs
    found = {} if implied is None else implied
    if not chosen and not found:
        raise InputError("costs is empty and nothing is implied; name at least one BetaCosts to draw")
    ax = axes_for(ax, height=3.2)
    styles = looks(ax, len(chosen) + len(found))
    # Beta densities, with their modes.
    for (name, beta), look in zip(chosen.items(), styles, strict=False):
        label = label_for(name)
        ax.plot(*_density(beta), linestyle=look.dash, color=look.colour, label=label)
        if beta.mode == beta.mode:
            height = float(beta.density(beta.mode))
            ax.plot([beta.mode] * 2, [0.0, height], color=look.colour, linewidth=0.8, dashes=(1, 2))
    c = np.linspace(0, 1, _POINTS)
    # Discrete weights: a kernel density, and ticks at the costs.
    for number, ((name, weights), look) in enumerate(zip(found.items(), styles[len(chosen) :], strict=True)):
        label = label_for(f"AUC on {name}")
        ax.plot(c, weights.density(c, bandwidth=bandwidth), linestyle=look.dash, color=look.colour, label=label)
        ticks = np.full(weights.cost.shape, 0.02 + 0.04 * number)
        ax.plot(weights.cost, ticks, "|", color=look.colour, markersize=6, transform=ax.get_xaxis_transform())
    ax.set(xlim=(0, 1), xlabel="cost of a false negative\nc = c₁/(c₀ + c₁)", ylabel="density of the weight")
    ax.set_ylim(bottom=0)
    legend_below(ax, 50.0, ncols=1 if found else 2)
    return ax


def _density(beta: BetaCosts) -> tuple[FloatArray, FloatArray]:
    """Return a density on (0, 1), including the end points where it is finite."""
    c = np.linspace(0, 1, _POINTS)
    c = c[(0 if beta.a >= 1 else 1) : (None if beta.b >= 1 else -1)]
    return c, beta.density(c)
