"""The discrimination of section 5.2 in Branco, Torgo & Ribeiro (2017), exact, and figure 2 drawn from it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from symmetrics.matrices.discrimination import discrimination, measures_of
from symmetrics.matrices.discrimination.states import Sizes
from symmetrics.papers.steps import Steps
from symmetrics.posets.relevance import Relevance, prevalence
from symmetrics.tools.drawing.charts import dots

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["Counted", "Difference", "count", "differences", "discrimination_remark", "draw_discrimination"]

PAIRS: Final[Mapping[str, str]] = {"Rec": "Rec_M", "Prec": "Prec_M", "F1": "F1_M", "AvF1": "AvF1", "CBA": "CBA"}
"""The metrics that a relevance is put into, and what they are compared with."""


PHI_OF_CODE: Final[Mapping[str, tuple[str, ...]]] = {
    "multi-minority": ("1", "0.8", "0.1"),
    "multi-majority": ("1", "0.2", "0.1"),
    "complete": ("1", "0.9", "0.4", "0.2"),
}
"""The relevances in the code that the authors published; table 4 has others for the first and the last."""
THREE: Final = 3


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


@dataclass(frozen=True)
class Counted:
    """The numbers of distinct values on one problem.

    :param scenario: the kind of problem
    :param sizes: the class sizes
    :param mechanisms: where relevances come from
    :param distinct: by metric, in the order of the study
    :param in_floats: as the authors' published code counts them: with its relevances, on 64-bit numbers as they come
        out, an undefined precision being 0; for three classes alone
    """

    scenario: str
    sizes: tuple[int, ...]
    mechanisms: tuple[str, ...]
    distinct: Mapping[str, int]
    in_floats: Mapping[str, int] = field(default_factory=dict)

    @property
    def matrices(self) -> int:
        """The number of confusion matrices."""
        return Sizes(self.sizes).matrices


def count(scenario: str, sizes: tuple[int, ...], relevances: Mapping[str, Relevance], steps: Steps) -> Counted:
    """Return the discrimination of all metrics on a problem.

    :param relevances: by mechanism; that of PREV is replaced by the one that follows from the class sizes
    """
    weights = {name: list(phi.values) for name, phi in relevances.items()} | {"PREV": list(prevalence(sizes).values)}

    measures = measures_of(weights)
    plain = [measure for measure in measures if "^" not in measure.name]
    weighted = [measure for measure in measures if "^" in measure.name]

    def compute() -> dict[str, int]:
        found = [*discrimination(sizes, plain, zero_division=0), *discrimination(sizes, weighted)]
        return {result.metric: result.distinct for result in found}

    key = f"distinct_{'_'.join(map(str, sizes))}"
    depends_on = f"undefined is 0 without relevance: {measures!r}"
    exact = steps.done(key, compute, depends_on=depends_on)
    return Counted(scenario, sizes, tuple(weights), exact, _in_floats(scenario, sizes, weights, steps))


def _in_floats(
    scenario: str, sizes: tuple[int, ...], weights: Mapping[str, Sequence[Any]], steps: Steps
) -> Mapping[str, int]:
    """Return the different 64-bit values, with the relevances of the authors' code, for three classes."""
    if len(sizes) > THREE:
        return {}
    chosen = (*PAIRS.values(), *(f"{name}^{mechanism}" for name in PAIRS for mechanism in weights))
    measures = [m for m in measures_of({**weights, "phi": list(PHI_OF_CODE[scenario])}) if m.name in chosen]

    def compute() -> dict[str, int]:
        found = discrimination(sizes, measures, zero_division=0, floats=True, progress=False)
        return {result.metric: result.floats or 0 for result in found}

    counted: dict[str, int] = steps.done(f"floats_{'_'.join(map(str, sizes))}", compute, depends_on=repr(measures))
    return counted


def differences(problems: Iterable[Counted]) -> list[Difference]:
    """Return the gains of all metrics with every relevance on every problem."""
    return [
        Difference(
            problem.scenario,
            name,
            mechanism,
            Fraction(problem.distinct[f"{name}^{mechanism}"] - problem.distinct[plain], problem.matrices),
        )
        for problem in problems
        for name, plain in PAIRS.items()
        for mechanism in problem.mechanisms
    ]


def discrimination_remark(problems: Sequence[Counted]) -> str:
    """Return the numbers of distinct values as tables in Markdown, and what the text says of them."""
    from tabulate import tabulate

    names = [name for name in problems[0].distinct if "^" not in name]
    rows = [
        (p.scenario, "-".join(map(str, p.sizes)), p.matrices, *(p.distinct[name] for name in names)) for p in problems
    ]
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
    in_code = tabulate(_losses_in_floats(problems), ("metric", "no gain, as the code counts"), tablefmt="github")
    return "\n\n".join(
        [
            "## Section 5.2 and figure 2, discrimination, exact",
            "Numbers of distinct values over all confusion matrices with the class sizes given.  A precision that is "
            "undefined counts as 0 in the metrics without a relevance and is left out of those with one, as in table "
            "5; left out of all, Prec_M takes 10009 values instead of 8915 on 2-3-9-10.",
            counts,
            "How often the share of distinct values does not grow with a relevance.  The text says: 5 % for metrics "
            "based on recall, 2 % for CBA, never for others.  It does not say which relevances were used; here they "
            "are those of table 4 for the case of the same scenario, and PREV of the problem's own class sizes.",
            losses,
            "As the authors' published code counts them, for three classes: with its own relevances phi "
            f"({'; '.join(f'{name}: ' + ', '.join(phi) for name, phi in PHI_OF_CODE.items())}), on 64-bit numbers as "
            "they come out and with an undefined precision as 0.  F1 loses as well, which the text does not say.",
            in_code,
        ]
    )


def _losses_in_floats(problems: Iterable[Counted]) -> list[tuple[str, str]]:
    rows = []
    for name, plain in PAIRS.items():
        gains = [
            problem.in_floats[f"{name}^{mechanism}"] - problem.in_floats[plain]
            for problem in problems
            if problem.in_floats
            for mechanism in problem.mechanisms
        ]
        rows.append((name, f"{sum(gain <= 0 for gain in gains)} of {len(gains)}"))
    return rows


def draw_discrimination(problems: Sequence[Counted]) -> Figure:
    """Return figure 2: the gains in percentage points, by scenario, metric and mechanism."""
    from matplotlib.figure import Figure

    gains = differences(problems)
    scenarios = list(dict.fromkeys(problem.scenario for problem in problems))
    mechanisms = list(dict.fromkeys(difference.mechanism for difference in gains))
    figure = Figure(figsize=(11, 4), layout="constrained")
    for axes, scenario in zip(figure.subplots(1, len(scenarios), squeeze=False)[0], scenarios, strict=True):
        chosen = {
            metric: {
                mechanism: [100 * float(d.gain) for d in gains if _is_of(d, scenario, metric, mechanism)]
                for mechanism in mechanisms
            }
            for metric in PAIRS
        }
        dots(chosen, ax=axes)
        axes.axhline(0, color="0.6", linewidth=0.8)
        axes.set_xlabel(scenario)
    figure.axes[0].set_ylabel("gain in discrimination, percentage points")
    return figure


def _is_of(difference: Difference, *names: str) -> bool:
    return (difference.scenario, difference.metric, difference.mechanism) == names
