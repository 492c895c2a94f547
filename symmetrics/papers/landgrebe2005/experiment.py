"""Landgrebe, Paclík, Tax, Verzakov & Duin (2005): table 2, figures 3 and 4, and what the text says of them.

Problems, classifiers and their cross-validation are in :mod:`symmetrics.papers.densities`.  What the text leaves open
is said there and in the report.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from symmetrics.curves.figures import positive_fraction as positive_fraction_curve
from symmetrics.curves.figures import roc
from symmetrics.curves.operating import on_curve
from symmetrics.curves.roc import RocCurve
from symmetrics.library import metrics
from symmetrics.papers.comparison import Cell, Comparison, Experiment, Judged, Steps, judged, printed_data, section
from symmetrics.papers.densities import (
    CLASSIFIERS,
    FOLDS,
    GRID,
    PROBLEMS,
    REPETITIONS,
    SIZE,
    SPACING,
    TARGET,
    Validated,
    require_scikit_learn,
    validate,
)
from symmetrics.papers.over_priors import over_priors
from symmetrics.tools.drawing.charts import examples

if TYPE_CHECKING:
    from matplotlib.figure import Figure


PRIORS: Final = ("0.5", "0.1", "0.001")
HALF_DIGIT: Final = 0.005
"""What rounding may take from a printed percentage."""
ERRORS: Final = 2
"""How many combined standard errors, ours and the printed deviation, a value may differ from a printed one."""

DRAWN: Final = 300
"""Examples of each class in a scatter diagram."""
NEAR: Final = 0.05
"""How far a true positive rate may be from one that the text reads off a figure."""
ORDER_NOTES: Final[Mapping[str, str]] = {
    "Multimodal": "the modes chosen here are normal, so that a mixture is the truth"
}

Results = Mapping[tuple[str, str], Validated]
"""The results by problem and classifier."""


_data: Final = partial(printed_data, Path(__file__).parent)


def positive_fraction(result: Validated, prior: str) -> float:
    """Return the proportion predicted positive at a true positive rate of 80 %, in percent."""
    return 100 * float(on_curve(metrics["positive_fraction"], result.fpr, TARGET, float(prior)))


# -- table 2 -----------------------------------------------------------------------------------------------------------


def _table_2(results: Results, problem: str) -> Comparison:
    note = "the text does not say where the modes lie" if problem == "Multimodal" else ""
    cells = []
    for prior, row in _data()["table2"][problem].items():
        for classifier, (mean, deviation) in row.items():
            result = results[problem, classifier]
            ours = positive_fraction(result, prior)
            error = 100 * (1 - float(prior)) * result.error
            holds = abs(ours - float(mean)) <= ERRORS * math.hypot(error, float(deviation)) + HALF_DIGIT
            place = f"{problem}, {prior}, {classifier}"
            printed = f"{mean} ± {deviation}"
            cells.append(judged(place, f"{ours:.2f} ± {error:.2f}", printed, holds, "" if holds else note))
    remark = (
        f"POSfrac in percent at a true positive rate of 80 %, mean over {FOLDS} folds and {REPETITIONS} repetitions, "
        "and the standard error of a mean over the folds of one repetition, which is of the size of what is printed "
        f"after ±.  A cell agrees within {ERRORS} combined standard errors, and half of the last printed digit."
    )
    return Comparison(f"Table 2, {problem}", tuple(cells), (remark,))


def _orders(results: Results) -> Comparison:
    """Return the order of the classifiers on the problems on which they differ by more than their errors."""
    cells = []
    for problem in ("Multimodal", "Lithuanian"):
        row = _data()["table2"][problem]["0.5"]
        printed = sorted(row, key=lambda classifier: float(row[classifier][0]))
        found = sorted(row, key=lambda classifier: results[problem, classifier].fpr)
        note = "" if found == printed else ORDER_NOTES.get(problem, "")
        cells.append(judged(problem, " < ".join(found), " < ".join(printed), found == printed, note))
    remark = "By POSfrac.  It is the same at every prior, because POSfrac grows with the false positive rate."
    return Comparison("Table 2, the order of the classifiers", tuple(cells), (remark,))


# -- the text ----------------------------------------------------------------------------------------------------------


def _section_3(results: Results) -> Comparison:
    """Return the numbers that the text gives for the linear and the quadratic classifier on Highleyman's classes."""
    linear = results["Highleyman", "LDC"]
    tenth, half, hundredth = (positive_fraction(linear, prior) for prior in ("0.1", "0.5", "0.01"))
    purity = 100 * float(on_curve(metrics["precision"], linear.fpr, TARGET, 0.5))
    other = "table 2 prints 52.14 ± 1.23 for the same"

    def near(value: float, printed: str, slope: float, deviation: float) -> bool:
        """Whether a value is within the combined errors, its own being the slope by FPr, in percent, times that."""
        return abs(value - float(printed)) <= ERRORS * math.hypot(slope * linear.error, deviation)

    cells: list[Cell] = [
        judged("LDC, POSfrac at a prior of 0.1, percent", tenth, "just under 30", 25 <= tenth < 30),
        judged("LDC, POSfrac at a prior of 0.5, percent", half, "54.9", near(half, "54.9", 50, 1.23), other),
        judged("LDC, purity at a prior of 0.5, percent", purity, "77.9", near(purity, "77.9", 70, 1.75)),
        judged("LDC, POSfrac at a prior of 0.01, percent", hundredth, "24.8", near(hundredth, "24.8", 99, 2.44)),
    ]
    cells += list(_at_a_tenth(results))
    return Comparison("Section 3, Highleyman's classes at a true positive rate of 80 %", tuple(cells))


def _at_a_tenth(results: Results) -> Iterator[Judged]:
    """Yield the true positive rates at which POSfrac is 0.1, for figure 4; the text does not say for which prior."""
    for classifier, printed, least, most in (("LDC", "75 %", 0.75 - NEAR, 0.75 + NEAR), ("QDC", "over 90 %", 0.9, 1)):
        rates = {prior: _tpr_at(results["Highleyman", classifier], 0.1, float(prior)) for prior in PRIORS}
        found = ", ".join(f"{100 * rate:.0f} % at {prior}" for prior, rate in rates.items())
        holding = [prior for prior, rate in rates.items() if least <= rate <= most]
        note = f"at a prior of {', '.join(holding)} alone" if holding else "at none of the three priors"
        yield judged(f"{classifier}, TPr where POSfrac is 0.1", found, printed, bool(holding), note)


def _tpr_at(result: Validated, share: float, prior: float) -> float:
    """Return the true positive rate at which the proportion predicted positive is a given one."""
    shares = np.asarray(on_curve(metrics["positive_fraction"], result.curve, GRID, prior))
    return float(np.interp(share, shares, GRID))


def _section_4_1(results: Results) -> Comparison:
    rare = {key: positive_fraction(result, "0.001") for key, result in results.items()}
    names = list(CLASSIFIERS)

    def shown(problem: str) -> str:
        return ", ".join(f"{name} {rare[problem, name]:.2f}" for name in names)

    simple, flexible = names[:2], names[2:]
    cells = [
        judged(
            "TwoGaussians", shown("TwoGaussians"), "above 10 for all", min(rare["TwoGaussians", n] for n in names) > 10
        ),
        judged(
            "Highleyman",
            shown("Highleyman"),
            "LDC alone severely affected",
            rare["Highleyman", "LDC"] > 10 > 1 > max(rare["Highleyman", n] for n in names[1:]),
        ),
        judged(
            "Multimodal",
            shown("Multimodal"),
            "LDC and QDC over 20, the others far below",
            min(rare["Multimodal", n] for n in simple) > 20 > 5 > max(rare["Multimodal", n] for n in flexible),
        ),
        judged(
            "Lithuanian",
            shown("Lithuanian"),
            "MOGC and PARZEN far below LDC and QDC",
            min(rare["Lithuanian", n] for n in simple) > 2 * max(rare["Lithuanian", n] for n in flexible),
        ),
    ]
    return Comparison("Section 4.1, POSfrac in percent at a prior of 0.001", tuple(cells))


def _all_measures(results: Results) -> str:
    rows = []
    for (problem, classifier), result in results.items():
        purity = [100 * float(on_curve(metrics["precision"], result.fpr, TARGET, float(prior))) for prior in PRIORS]
        values = (f"{100 * result.fpr:.3f}", f"{result.auc:.4f}", *(f"{value:.2f}" for value in purity))
        rows.append((problem, classifier, *values))
    columns = ("problem", "classifier", "FPr, %", "AUC", *(f"purity, % at {prior}" for prior in PRIORS))
    heading = "Purity at a true positive rate of 80 %, and the area under the curve"
    below = "As the prior tends to 0, POSfrac tends to FPr and purity to 0 (exact limits)."
    return section(heading, columns, rows, below)


CHOICES: Final = (
    "## What the text leaves open\n\n"
    "- TwoGaussians: the error of 15.3 % sets how far the means are apart (2.047 standard deviations); the covariance, "
    "which does not matter to it, is the identity here.\n"
    "- Highleyman and Lithuanian: the parameters are those of the PRTools generators of these names; the text does not "
    "print them.  The first class is the target.\n"
    "- Multimodal: two modes against three is all that the text says.  Here they alternate on a line, normal with unit "
    f"covariance and {SPACING:.0f} standard deviations apart; the printed numbers are not expected to come out.\n"
    "- The mixture has two components per class, which is the default in PRTools, and on Multimodal as many as the "
    "class has modes.\n"
    "- The Parzen kernel is normal, with one width per class after the features of the class are scaled to unit "
    "variance, as PRTools documents for density-based classification.\n"
    f"- {SIZE} examples per class are split into {FOLDS} folds of 50 and 50.  On every fold the false positive rate at "
    "a true positive rate of 80 % is read off the curve of its examples, linearly between its points."
)


# -- figures -----------------------------------------------------------------------------------------------------------


def _draw_figure_1() -> Figure:
    """Draw Highleyman's classes in equal numbers, and with one target in ten."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 3.8), layout="constrained")
    targets, others = PROBLEMS["Highleyman"](DRAWN, np.random.default_rng(1))
    for axes, share in zip(figure.subplots(1, 2), (1, 9), strict=True):
        examples({"target": targets[: DRAWN // share], "non-target": others}, ax=axes)
        axes.set_xlabel(f"prior {1 / (1 + share):g}")
    return figure


def _draw_figure_5() -> Figure:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 3.6), layout="constrained")
    others = {name: draw for name, draw in PROBLEMS.items() if name != "Highleyman"}
    for axes, (name, draw) in zip(figure.subplots(1, len(others)), others.items(), strict=True):
        examples(dict(zip(("target", "non-target"), draw(DRAWN, np.random.default_rng(1)), strict=True)), ax=axes)
        axes.set_xlabel(name)
    return figure


def _draw_figure_3(results: Results) -> Figure:
    from matplotlib.figure import Figure

    curve = _curve(results["Highleyman", "LDC"])
    figure = Figure(figsize=(7, 3.8), layout="constrained")
    left, right = figure.subplots(1, 2)
    roc(curve, ax=left)
    positive_fraction_curve(curve, [0.1], target=TARGET, ax=right)
    return figure


def _draw_figure_4(results: Results) -> Figure:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 4), layout="constrained")
    titles = {"LDC": "linear discriminant", "QDC": "quadratic discriminant"}
    for axes, (classifier, title) in zip(figure.subplots(1, 2), titles.items(), strict=True):
        priors = list(map(float, PRIORS))
        positive_fraction_curve(_curve(results["Highleyman", classifier]), priors, target=TARGET, ax=axes)
        axes.set_title(title, fontsize="medium")
    return figure


def _draw_over_priors(results: Results) -> Figure:
    """Draw POSfrac and purity at a true positive rate of 80 % over all priors of table 2, where they differ most."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 3.4), layout="constrained")
    points = {classifier: (results["Lithuanian", classifier].fpr, TARGET) for classifier in CLASSIFIERS}
    return over_priors(points).plot(figure.subplots(1, 2))


def _curve(result: Validated) -> RocCurve:
    """Return the mean curve of a classifier, as if of one example of each class, from (0, 0) to (1, 1)."""
    fpr, tpr = (np.concatenate(([0.0], rates, [1.0])) for rates in (result.curve, GRID))
    return RocCurve(tpr, fpr, np.full(fpr.shape, np.nan))


def experiment(steps: Steps) -> Experiment:
    """Return everything of the paper, computed again; it takes some minutes.

    :param steps: keeps the results of each problem and repetition
    :raises InputError: if scikit-learn is missing
    """
    require_scikit_learn()
    results = validate(steps)
    return Experiment(
        _data()["title"],
        (
            *(_table_2(results, problem) for problem in PROBLEMS),
            _orders(results),
            _section_3(results),
            _section_4_1(results),
        ),
        (CHOICES, _all_measures(results)),
        {
            "figure1": _draw_figure_1,
            "figure3": lambda: _draw_figure_3(results),
            "figure4": lambda: _draw_figure_4(results),
            "figure5": _draw_figure_5,
            "over_priors": lambda: _draw_over_priors(results),
        },
    )
