"""Figures 1, 3, 4 and 5 of Thai-Nghe, Gantner & Schmidt-Thieme (2011) on other data sets, and B42 by imbalance."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from symmetrics.curves import BetaCosts
from symmetrics.curves.figures import cost_weights
from symmetrics.papers.linear import CLASSIFIERS
from symmetrics.papers.validated_sets import Validated
from symmetrics.tools.drawing.canvas import legend_below, looks
from symmetrics.tools.drawing.charts import bars

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["figures", "preferred_by_auc_alone"]

LABELS: Final[Mapping[str, str]] = {"SVM": "ℓ2-SVM", "LR": "ℓ2-LR"}
BETAS: Final = (
    ("H: Beta(2, 2)", BetaCosts(2, 2)),
    ("B42: Beta(4, 2)", BetaCosts(4, 2)),
    ("Beta(6, 2)", BetaCosts(6, 2)),
    ("Beta(8, 2)", BetaCosts(8, 2)),
)
BANDWIDTH: Final = 0.005
"""Of the kernels in figure 3."""
SHOWN: Final = 4
"""Data sets in figure 4."""


def preferred_by_auc_alone(results: Sequence[Validated]) -> tuple[Validated, ...]:
    """Return the data sets on which LR has the higher mean AUC, and the lower mean TPr and B42."""
    return tuple(
        result
        for result in results
        if result.gain("LR", "SVM", "AUC") > 0 > max(result.gain("LR", "SVM", key) for key in ("TPr", "B42"))
    )


def figures(
    results: Sequence[Validated],
    treated: Sequence[Validated],
    large: Sequence[Validated],
    thinned: Sequence[Validated],
) -> dict[str, Callable[[], Figure]]:
    """Return the functions that draw the figures, by file name.

    :param results: both classifiers on all data sets, the most imbalanced first
    :param treated: logistic regression on the large ones under each treatment
    :param large: the same on drawn data sets
    :param thinned: the same on one data set with fewer and fewer examples of the minority
    """
    return {
        "figure1": _draw_weights,
        "figure3": lambda: _draw_implied(results[0]),
        "figure4": lambda: _draw_reversed(results),
        "figure5": lambda: _draw_rates(treated),
        "figure5_large": lambda: _draw_rates(large),
        "imbalance": lambda: _draw_imbalance(results, thinned),
    }


def _draw_weights() -> Figure:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(5, 4), layout="constrained")
    cost_weights(dict(BETAS), ax=figure.subplots())
    return figure


def _draw_implied(result: Validated) -> Figure:
    """Draw the weights for one data set; nearly all of AUC's lie near 1, so that they need a logarithmic scale."""
    from matplotlib.figure import Figure

    implied = {LABELS[key]: result.implied(key) for key in CLASSIFIERS}
    figure = Figure(figsize=(5, 4.2), layout="constrained")
    axes = cost_weights(implied=implied, bandwidth=BANDWIDTH, ax=figure.subplots())
    axes.set_title(f"{result.name}, {result.percent_minority:.2f} % minority")
    axes.set_yscale("log")
    axes.set_ylim(0.01, 200)
    return figure


def _draw_reversed(results: Sequence[Validated]) -> Figure:
    """Draw the data sets that AUC prefers LR on against TPr and B42, those with the largest difference in B42."""
    from matplotlib.figure import Figure

    found = preferred_by_auc_alone(results)
    chosen = sorted(found, key=lambda result: result.gain("LR", "SVM", "B42"))[:SHOWN]
    figure = Figure(figsize=(10, 4.2), layout="constrained")
    if not chosen:
        figure.suptitle("AUC prefers LR while TPr and B42 prefer the SVM: on no data set")
        return figure
    for axes, measure in zip(figure.subplots(1, 3), ("AUC", "TPr", "B42"), strict=True):
        means = {result.name: {LABELS[key]: result.mean(key, measure) for key in CLASSIFIERS} for result in chosen}
        bars(means, value=measure, ax=axes)
        # The bars begin at 0; the differences are too small to be read off them.
        for place, (svm, lr) in enumerate(values.values() for values in means.values()):
            axes.text(place, max(svm, lr) + 0.01, f"{lr - svm:+.4f}", ha="center", fontsize=8)
        axes.set_ylim(0, 1.1)
    figure.suptitle("Above the bars: LR - SVM", fontsize=9)
    return figure


def _draw_rates(treated: Sequence[Validated]) -> Figure:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(11, 4.2), layout="constrained")
    for axes, measure, title in zip(
        figure.subplots(1, 2), ("TPr", "TNr"), ("true positive rate", "true negative rate"), strict=True
    ):
        means = {
            f"{result.name}, {result.percent_minority:.1f} %": {
                key: result.mean(key, measure) for key in result.records
            }
            for result in treated
        }
        bars(means, value=title, ax=axes)
        axes.set_ylim(0, 1.02)
    return figure


def _draw_imbalance(results: Sequence[Validated], thinned: Sequence[Validated]) -> Figure:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 5), layout="constrained")
    axes = figure.subplots()
    shares = [result.percent_minority for result in results]
    first, *styles = looks(axes, 1 + len(thinned[0].records))
    values = [result.mean("LR", "B42") for result in results]
    axes.plot(shares, values, first.marker, color=first.colour, alpha=0.6, label="all data sets")
    for key, look in zip(thinned[0].records, styles, strict=True):
        label = f"{thinned[0].name} thinned, {key}"
        percents, means = [r.percent_minority for r in thinned], [r.mean(key, "B42") for r in thinned]
        axes.plot(percents, means, linestyle=look.dash, color=look.colour, marker=look.marker, label=label)
    axes.set_xscale("log")
    axes.set_xlabel("% minority")
    axes.set_ylabel("B42 of ℓ2-LR")
    axes.set_ylim(0, 1.05)
    ticks = (0.5, 1, 2, 5, 10, 20, 50)
    axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    axes.set_xticks([], minor=True)
    legend_below(axes, 40.0, ncols=2)
    return figure
