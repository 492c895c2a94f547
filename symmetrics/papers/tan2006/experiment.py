"""Tan, Steinbach & Kumar (2006), section 5.7: the equations, example 5.8, the table of weights and figure 5.42.

Every equation and every general statement is a claim that is decided exactly, and counts only if the checker accepts
the evidence.  The variables of a claim are four positive numbers, so that statements about two numbers, such as the one
that one mean is nowhere above another, take the first two cells for them.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from sympy import Expr, Integer, Max, Min, S, cancel, sqrt

from symmetrics.claims.verdict import Verdict
from symmetrics.language.cells import FN, FP, TN, TP, N, P, Table
from symmetrics.language.formula import parameter_symbol, parse_formula
from symmetrics.language.parameter import Parameter
from symmetrics.library import metrics, properties
from symmetrics.papers.claims import at, decided, identity, inequality
from symmetrics.papers.comparison import Cell, Comparison, Experiment
from symmetrics.papers.judged import Judged, judged, statement
from symmetrics.papers.ranked_records import (
    RankedRecords,
    area_remark,
    counts_by_record,
    counts_by_threshold,
    draw_curves,
)
from symmetrics.papers.steps import Steps
from symmetrics.query.relations import relate
from symmetrics.tools.drawing.canvas import looks

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["experiment"]

RECALL, PRECISION = metrics["recall"].expr, metrics["precision"].expr
(BETA,) = metrics["f_beta"].parameters
WEIGHTS: Final = metrics["weighted_accuracy"].parameters
CHANCE: Final = Parameter("p", S.Zero, S.One, lower_open=True, upper_open=True)
"""The probability with which a random classifier predicts the positive class."""
ALL_NEGATIVE: Final[Table] = (S.Zero, P, S.Zero, N)
ALL_POSITIVE: Final[Table] = (P, S.Zero, N, S.Zero)
IDEAL: Final[Table] = (P, S.Zero, S.Zero, N)
RANDOM: Final[Table] = (CHANCE.symbol * P, (1 - CHANCE.symbol) * P, CHANCE.symbol * N, (1 - CHANCE.symbol) * N)
"""The expected cells of the random classifier."""
EXCHANGED: Final = "with the weight w2 at FN and w3 at FP"


@cache
def _data() -> dict[str, Any]:
    text = Path(__file__).with_name("printed.json").read_text(encoding="utf-8")
    data: dict[str, Any] = json.loads(text)
    return data


# -- the equations -----------------------------------------------------------------------------------------------------


def _formula(text: str) -> Expr:
    """Read a printed formula in the cells, r for the recall, p for the precision, beta and the weights."""
    formula = parse_formula(text, ("r", "p", BETA.name, *(weight.name for weight in WEIGHTS)))
    return formula.xreplace({parameter_symbol("r"): RECALL, parameter_symbol("p"): PRECISION})


def _equations() -> Comparison:
    cells = []
    for entry in _data()["equations"]:
        metric, text = metrics[entry["metric"]], entry["text"]
        verdict = identity(_formula(text), metric.expr, *metric.parameters)
        note = ""
        if verdict.status != "proved" and "instead" in entry:
            instead = identity(_formula(entry["instead"]), metric.expr, *metric.parameters)
            note = f"{instead.status} for {entry['instead']}"
        cells.append(statement(entry["place"], text, verdict, note))
    remark = (
        "Each equation against the metric of the library, at all tables of positive cells and for all values of the "
        "parameters."
    )
    return Comparison("Section 5.7.1, equations", tuple(cells), (remark,))


def _printed_f_beta() -> dict[str, Expr]:
    """Return F_beta in both printed forms."""
    forms = [_formula(entry["text"]) for entry in _data()["equations"] if entry["metric"] == "f_beta"]
    return dict(zip(("from r and p", "from the counts"), forms, strict=True))


def _special_cases() -> Comparison:
    cells: list[Cell] = []
    for name, form in _printed_f_beta().items():
        place = f"F_beta {name}"
        cells += [
            _is_metric(f"{place}, beta = 0", form.xreplace({BETA.symbol: S.Zero}), "precision"),
            _limit_is_recall(f"{place}, limit as beta tends to infinity", form),
            statement(
                f"{place}, as beta grows",
                "farther from precision, closer to recall",
                _moves_to_recall(form),
                "the derivative by beta, for which TN stands, times recall - precision, is nowhere negative",
            ),
        ]
    remark = (
        "The limit: at 1/beta the formula is proved to equal one whose denominator is positive at beta = 0 as well; so "
        "that one is continuous there, and its value at 0 is the limit."
    )
    return Comparison("Section 5.7.1, special cases of (5.77)", tuple(cells), (remark,))


def _is_metric(place: str, formula: Expr, printed: str, *further: Verdict) -> Judged:
    """Return whether a formula is the printed one of recall and precision; if not, whether it is the other one."""
    verdicts = {name: identity(formula, metrics[name].expr) for name in ("recall", "precision")}
    others = [name for name, verdict in verdicts.items() if name != printed and verdict.status == "proved"]
    note = f"it is proved to be the {others[0]}" if others else ""
    return statement(place, printed, [verdicts[printed], *further], note)


def _limit_is_recall(place: str, form: Expr) -> Judged:
    """Return whether F_beta tends to the recall as beta grows."""
    inverted = form.xreplace({BETA.symbol: 1 / BETA.symbol})
    continuous = cancel(inverted)  # numerator and denominator times beta**2
    return _is_metric(place, continuous.xreplace({BETA.symbol: S.Zero}), "recall", identity(inverted, continuous, BETA))


def _moves_to_recall(form: Expr) -> Verdict:
    """Return the verdict on whether F_beta moves from precision towards recall as beta grows.

    It lies between the two, so that it does if and only if its derivative has the sign of recall - precision, or is 0.
    F_beta does not depend on TN, which stands for beta here.
    """
    slope = form.diff(BETA.symbol).xreplace({BETA.symbol: TN})
    return inequality(slope * (RECALL - PRECISION), S.Zero)


def _weights() -> Comparison:
    """Return what (5.78) gives with the weights of the table."""
    targets = {
        "Recall": RECALL,
        "Precision": PRECISION,
        **{f"F_beta {name}": form for name, form in _printed_f_beta().items()},
        "Accuracy": metrics["accuracy"].expr,
    }
    cells = []
    for place, target in targets.items():
        printed = _data()["weights"][place.partition(" ")[0]]
        values = dict(zip((weight.symbol for weight in WEIGHTS), map(_formula, printed), strict=True))
        formula = metrics["weighted_accuracy"].expr.xreplace(values)
        verdict = identity(formula, target, BETA)
        other = identity(at(formula, (TP, FP, FN, TN)), target, BETA)
        note = "" if verdict.status == "proved" else f"{other.status} {EXCHANGED}"
        cells.append(statement(place, "w1, w2, w3, w4 = " + ", ".join(printed), verdict, note))
    remark = (
        "(5.78) is printed with w2*FP + w3*FN.  Then the rows for recall and precision stand for each other, and the "
        "row for F_beta gives the form from the counts, which is not the one from r and p."
    )
    return Comparison("Section 5.7.1, the table of weights for (5.78)", tuple(cells), (remark,))


# -- the means ---------------------------------------------------------------------------------------------------------


def _means() -> Comparison:
    data = _data()["example5_8"]
    first, second = map(Integer, data["numbers"])
    arithmetic, geometric, harmonic = _three_means(first, second)
    distances = [abs(mean - min(first, second)) for mean in (harmonic, geometric, arithmetic)]
    cells: list[Cell] = [
        Cell("example 5.8, arithmetic mean of 1 and 5", arithmetic, data["arithmetic"]),
        Cell("example 5.8, geometric mean", geometric, data["geometric"]),
        Cell("example 5.8, harmonic mean", harmonic, data["harmonic"]),
        judged(
            "example 5.8",
            "its distance from 1 is 2/3, against sqrt(5) - 1 and 2",
            "the harmonic mean is the closest to the smaller number",
            bool(distances[0] < distances[1] < distances[2]),
        ),
    ]
    return Comparison("Example 5.8 and the harmonic mean", (*cells, *_about_all_means()))


def _three_means(first: Expr, second: Expr) -> tuple[Expr, Expr, Expr]:
    """Return the arithmetic, the geometric and the harmonic mean."""
    return (first + second) / 2, sqrt(first * second), 2 * first * second / (first + second)


def _about_all_means() -> tuple[Judged, ...]:
    arithmetic, geometric, harmonic = _three_means(TP, FN)
    smaller, larger = Min(TP, FN), Max(TP, FN)
    return (
        statement(
            "all positive numbers",
            "the harmonic mean is no farther from the smaller number than the geometric and the arithmetic one",
            [
                inequality(more, less)
                for less, more in ((smaller, harmonic), (harmonic, geometric), (geometric, arithmetic))
            ],
            "smaller number <= harmonic <= geometric <= arithmetic mean",
        ),
        statement(
            "all positive numbers",
            "the harmonic mean is closer to the smaller number",
            inequality(larger - harmonic, harmonic - smaller),
            "at least as close; equally close only where the two numbers are equal",
        ),
        statement(
            "below (5.76)",
            "a high F1 ensures that precision and recall are reasonably high",
            [
                identity(metrics["jaccard"].expr, metrics["f1"].expr / (2 - metrics["f1"].expr)),
                relate("jaccard", "precision", "less_equal"),
                relate("jaccard", "recall", "less_equal"),
            ],
            "both are at least F1/(2 - F1), the Jaccard index",
        ),
    )


# -- what the text says ------------------------------------------------------------------------------------------------


def _rates_at(table: Table, tpr: Expr, fpr: Expr) -> list[Verdict]:
    rates = ((metrics["tpr"].expr, tpr), (metrics["fpr"].expr, fpr))
    return [identity(at(rate, table), value, CHANCE) for rate, value in rates]


def _has(metric: str, key: str) -> Verdict:
    """Return the verdict on whether a metric has a property, re-verified here."""
    return decided(properties[key].claim(metrics[metric]))


def _text() -> Comparison:
    area, prevalence, chance = metrics["auc_single"].expr, metrics["prevalence"].expr, CHANCE.symbol
    cells = (
        statement("section 5.7.1", "recall is the true positive rate", relate("recall", "tpr")),
        statement(
            "section 5.7.1",
            "the higher the precision, the fewer false positives",
            _has("precision", "decreasing_fp"),
            "at a given TP; with TP, FP = 1, 1 and 9, 3 the higher precision has more of them",
        ),
        statement(
            "section 5.7.1",
            "a large recall leaves few positive examples misclassified",
            relate("fnr", "recall", "complement_of"),
            "as a share of the positive examples",
        ),
        statement(
            "section 5.7.1, every record predicted positive",
            "perfect recall, poor precision",
            [
                identity(at(RECALL, ALL_POSITIVE), S.One),
                identity(at(PRECISION, ALL_POSITIVE), prevalence),
            ],
            "the precision is the share of positive records",
        ),
        statement("TPR = 0, FPR = 0", "every instance predicted negative", _rates_at(ALL_NEGATIVE, S.Zero, S.Zero)),
        statement("TPR = 1, FPR = 1", "every instance predicted positive", _rates_at(ALL_POSITIVE, S.One, S.One)),
        statement("TPR = 1, FPR = 0", "the ideal model", _rates_at(IDEAL, S.One, S.Zero)),
        statement("random classifier", "TPR = p, FPR = p", _rates_at(RANDOM, chance, chance), "with expected counts"),
        statement("AUC, perfect model", "1", identity(at(area, IDEAL), S.One)),
        statement(
            "AUC, random guessing",
            "0.5",
            identity(at(area, RANDOM), S.Half, CHANCE),
            "with expected counts, whatever p is",
        ),
        statement(
            "AUC",
            "a strictly better model has a larger area",
            [_has("auc_single", "increasing_tp"), _has("auc_single", "decreasing_fp")],
            "of one operating point; of two curves, the upper one has the larger integral",
        ),
    )
    return Comparison("Sections 5.7.1 and 5.7.2, what the text says", cells)


FINDINGS: Final = (
    "## What does not hold\n\n"
    "- In (5.77) the form from the counts has the weight beta**2 at FP.  It belongs to FN, as in the form from r and "
    "p.  As printed the two agree for beta = 1 alone, and the special cases are exchanged.\n"
    "- (5.78) and the table of weights do not fit.  With w2 at FP, as printed, the weights for recall give the "
    "precision and those for precision the recall.  With w2 at FN and w3 at FP all four rows hold, F_beta being that "
    "from r and p.\n"
    "- Figure 5.42 is right record by record, but two of its columns part records of one score, which no threshold "
    "does.  Its curve depends on the order in which these are listed."
)
CHOICES: Final = (
    "## What is not checked\n\n"
    "- Figure 5.41 is a drawing of two curves without data, so that nothing can be said of their crossing at an FPR of "
    "0.36.\n"
    "- That a model which predicts positive only what equals a positive training record has a high precision and a low "
    "recall is an observation about data.\n"
    "- The text was read from a scan with many misread characters.  Where these are illegible - the first form in "
    "(5.77), the scores and classes of figure 5.42 - the reading is the one that agrees with the rest, and no cell "
    "counts a misread character as a mistake."
)


# -- figures -----------------------------------------------------------------------------------------------------------


def _draw_f_beta() -> Figure:
    import numpy as np
    from matplotlib.figure import Figure
    from sympy import lambdify

    figure = Figure(figsize=(7, 4.2), layout="constrained")
    axes = figure.subplots()
    table = tuple(map(Integer, (80, 20, 120, 780)))
    betas = np.geomspace(0.05, 20, 200)
    for (name, form), look in zip(_printed_f_beta().items(), looks(axes, 2), strict=True):
        values = lambdify(BETA.symbol, at(form, table))(betas)
        axes.plot(betas, values, linestyle=look.dash, color=look.colour, label=f"(5.77) {name}")
    for name, metric in (("recall", RECALL), ("precision", PRECISION)):
        level = float(at(metric, table))
        axes.axhline(level, color="0.7", linewidth=0.8, linestyle="--")
        axes.text(betas[0], level, f" {name}", va="bottom", color="0.4")
    axes.set(xscale="log", xlabel="beta", ylabel="F_beta", ylim=(0.35, 0.85), xlim=(betas[0], betas[-1]))
    axes.set_title("both printed forms at TP, FN, FP = 80, 20, 120", fontsize=10)
    axes.legend(frameon=False, loc="center right")
    return figure


def experiment(steps: Steps) -> Experiment:
    """Return everything of the section, decided or computed again; it takes seconds.

    :param steps: is not used, because nothing takes long
    """
    del steps
    figure = _data()["figure5_42"]
    records = RankedRecords(tuple(figure["scores"]), tuple(figure["labels"]), figure["columns"])
    comparisons = (
        _equations(),
        _special_cases(),
        _weights(),
        _means(),
        _text(),
        counts_by_record(records),
        counts_by_threshold(records),
    )
    return Experiment(
        _data()["title"],
        comparisons,
        (FINDINGS, area_remark(records), CHOICES),
        {"figure5_42": lambda: draw_curves(records), "f_beta": _draw_f_beta},
    )
