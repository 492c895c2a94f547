"""The discrimination of section 5.2 in Branco, Torgo & Ribeiro (2017), exact, and figure 2 drawn from it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from symmetrics.discrimination import Discrimination, discrimination, measures_of
from symmetrics.relevance import prevalence

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from symmetrics.experiments.branco2017 import Case

__all__ = ["Difference", "differences", "discrimination_remark", "draw_discrimination"]

Problem = tuple[str, tuple[int, ...], "Case"]

PAIRS: Final[Mapping[str, str]] = {"Rec": "Rec_M", "Prec": "Prec_M", "F1": "F1_M", "AvF1": "AvF1", "CBA": "CBA"}
"""The metrics that a relevance is put into, and what they are compared with."""


@dataclass(frozen=True)
class Difference:
    """How much better a metric discriminates with a relevance than without.

    :param scenario: the kind of problem
    :param metric: the metric, without relevance
    :param mechanism: where the relevance comes from
    :param gain: the difference of the shares of distinct values
    """

    scenario: str
    metric: str
    mechanism: str
    gain: Fraction


@lru_cache(maxsize=64)
def _results(sizes: tuple[int, ...], case: Case) -> dict[str, Discrimination]:
    """Return the discrimination of all metrics; PREV follows the class sizes, the rest is that of the case."""
    relevances = {name: list(phi.values) for name, phi in case.relevances.items()}
    relevances["PREV"] = list(prevalence(sizes).values)
    return {result.metric: result for result in discrimination(sizes, measures_of(relevances))}


def differences(problems: Iterable[Problem]) -> list[Difference]:
    """Return the gains of all metrics with every relevance on every problem."""
    found = []
    for scenario, sizes, case in problems:
        results = _results(sizes, case)
        for name, plain in PAIRS.items():
            for mechanism in case.relevances:
                gain = results[f"{name}^{mechanism}"].share - results[plain].share
                found.append(Difference(scenario, name, mechanism, gain))
    return found


def discrimination_remark(problems: Sequence[Problem]) -> str:
    """Return the numbers of distinct values as tables in Markdown, and what the text says of them."""
    from tabulate import tabulate

    rows = []
    for scenario, sizes, case in problems:
        results = _results(sizes, case)
        numbers = [results[name].distinct for name in results if "^" not in name]
        rows.append((scenario, "-".join(map(str, sizes)), next(iter(results.values())).sizes.matrices, *numbers))
    names = [name for name in _results(*problems[0][1:]) if "^" not in name]
    counts = tabulate(rows, ("scenario", "problem", "matrices", *names), tablefmt="github", intfmt="")
    gains = differences(problems)
    shares = [
        (name, sum(d.gain <= 0 for d in gains if d.metric == name), sum(d.metric == name for d in gains))
        for name in PAIRS
    ]
    losses = tabulate(
        [(name, f"{some} of {all_} ({100 * some / all_:.1f} %)") for name, some, all_ in shares],
        ("metric", "no gain from a relevance"),
        tablefmt="github",
    )
    return "\n\n".join(
        [
            "## Section 5.2 and figure 2, discrimination, exact",
            'Numbers of distinct values over all confusion matrices with the class sizes given; "undefined" is one.',
            counts,
            "How often the share of distinct values does not grow with a relevance.  The text says: 5 % for metrics "
            "based on recall, 2 % for CBA, never for others.  It does not say which relevances were used; here they "
            "are those of table 4 for the case of the same scenario, and PREV of the problem's own class sizes.",
            losses,
        ]
    )


def draw_discrimination(problems: Sequence[Problem]) -> Figure:
    """Return figure 2: the gains in percentage points, by scenario, metric and mechanism."""
    from matplotlib.figure import Figure

    gains = differences(problems)
    scenarios = list(dict.fromkeys(scenario for scenario, *_ in problems))
    mechanisms = list(dict.fromkeys(difference.mechanism for difference in gains))
    figure = Figure(figsize=(11, 4), layout="constrained")
    for axes, scenario in zip(figure.subplots(1, len(scenarios), squeeze=False)[0], scenarios, strict=True):
        axes.axhline(0, color="0.6", linewidth=0.8)
        for number, mechanism in enumerate(mechanisms):
            chosen = [d for d in gains if (d.scenario, d.mechanism) == (scenario, mechanism)]
            shift = (number - (len(mechanisms) - 1) / 2) * 0.18
            places = [list(PAIRS).index(difference.metric) + shift for difference in chosen]
            axes.plot(places, [100 * float(d.gain) for d in chosen], "o", markersize=4, alpha=0.6, label=mechanism)
        axes.set_xticks(range(len(PAIRS)), list(PAIRS))
        axes.set_title(scenario)
    figure.axes[0].set_ylabel("gain in discrimination, percentage points")
    figure.axes[-1].legend(title="relevance", frameon=False)
    return figure
