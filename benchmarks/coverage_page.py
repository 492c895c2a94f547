"""What the coverage study found, as tables: docs/intervals.md, and a summary to print.

Of a function of one proportion no simulation is needed: what each method covers is added up over all tables.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
from coverage_edges import TABLES, edge_rows
from coverage_exact import METHODS
from coverage_pairs import section
from coverage_peers import KNOWN, RESAMPLES
from coverage_study import HERE, METRICS, OWN, SETTINGS, Found, Setting
from sympy import Abs, Max, Min

import symmetrics as sm
from symmetrics.metric.uncertainty import range_of
from symmetrics.statistics.delta import ADDED
from symmetrics.statistics.inner_ends import inner_ends
from symmetrics.statistics.intervals import Formula
from symmetrics.statistics.methods import ENOUGH, ENOUGH_OF_CLASS, FEW, LARGEST, WEIGHED
from symmetrics.statistics.methods import MANY as OF_MANY
from symmetrics.statistics.proportions import Contrast, Proportion, Quotient, shape_of

PAGE = HERE.parent / "docs" / "intervals.md"
CLASSES: dict[str, Callable[[Setting], bool]] = {
    "50 positives or more": lambda setting: setting.positives >= 50,
    "10 to 49": lambda setting: 10 <= setting.positives < 50,
    "fewer": lambda setting: setting.positives < 10,
}
"""Classes of settings, by the expected number of positive examples."""
MANY = 1000
"""Examples from which on the misses of both sides are to be balanced."""
BALANCE = 0.02
Rows = list[list[str]]


def found_of(kept: dict[str, Any], method: str, metric: str) -> dict[Setting, Found]:
    """Return what a file holds of a method and a metric, by setting."""
    parts = {setting: kept["results"].get(f"{method} {setting.name}", {}) for setting in SETTINGS}
    return {setting: part[metric] for setting, part in parts.items() if metric in part}


def is_met(setting: Setting, found: Found) -> bool:
    low, high = setting.goal
    return low <= found["inside"] <= high


def imbalance(found: Found) -> float:
    return abs(found["above"] - found["below"])


def coverage(kept: dict[str, Any], method: str = "auto") -> Rows:
    """Return, for each metric, the least and the most coverage in each class, and how far the misses are unbalanced."""
    goals = [next(setting.goal for setting in SETTINGS if chosen(setting)) for chosen in CLASSES.values()]
    head = [f"{name} ({percent(goal)} %)" for name, goal in zip(CLASSES, goals, strict=True)]
    rows = [["metric", *head, f"above less below, n = {MANY}", "goal met in"]]
    for metric in METRICS:
        cells = found_of(kept, method, metric)
        if not cells:
            continue
        row = [name_of(metric)]
        for chosen in CLASSES.values():
            inside = [found["inside"] for setting, found in cells.items() if chosen(setting)]
            row.append(percent((min(inside), max(inside))) if inside else "")
        most = max((imbalance(found) for setting, found in cells.items() if setting.number >= MANY), default=np.nan)
        met = sum(is_met(setting, found) for setting, found in cells.items())
        rows.append([*row, f"{100 * most:.1f}", f"{met} of {len(cells)}"])
    return rows


def misses(kept: dict[str, Any]) -> Rows:
    """Return every setting in which the goal is missed, and which of the intervals there have two ends."""
    rows = [["metric", "setting", "covered", "goal", "with two ends", "exact methods cover"]]
    for metric in METRICS:
        for setting, found in found_of(kept, "auto", metric).items():
            if not is_met(setting, found):
                known = kept["exact"].get(metric, {})
                others = [f"{method} {100 * known[method][setting.name]['inside']:.2f}" for method in known]
                shares = [f"{100 * found[share]:.1f}" for share in ("inside", "bounded")]
                told = ", ".join(others) or "none is known"
                rows.append([name_of(metric), setting.name, shares[0], percent(setting.goal), shares[1], told])
    return rows


def unbalanced(kept: dict[str, Any]) -> Rows:
    """Return every setting of many examples in which more intervals miss on one side."""
    rows = [["metric", "setting", "above", "below"]]
    for metric in METRICS:
        for setting, found in found_of(kept, "auto", metric).items():
            if setting.number >= MANY and imbalance(found) > BALANCE:
                rows.append([name_of(metric), setting.name, *(f"{100 * found[s]:.1f}" for s in ("above", "below"))])
    return rows


def scores() -> Rows:
    """Return the least and the most coverage of measures of scores, by the number of positive examples."""
    found = json.loads((HERE / "results" / "coverage_scores.json").read_text(encoding="utf-8"))
    positives = sorted({row["positives"] for row in found})
    rows = [["measure", *(f"{number} positives" for number in positives)]]
    for measure in dict.fromkeys(row["measure"] for row in found):
        cells = [f"`{measure}`"]
        for number in positives:
            here = [row for row in found if (row["measure"], row["positives"]) == (measure, number)]
            inside, samples = [row["covered"] for row in here], min(row["replicates"] for row in here)
            cells.append(f"{percent((min(inside), max(inside)))} ({samples})")
        rows.append(cells)
    return rows


def exact(kept: dict[str, Any]) -> Rows:
    """Return the least and the most that each method for one proportion covers in each class, and how balanced."""
    rows = [["metric", "method", *CLASSES, f"above less below, n = {MANY}", "goal met in"]]
    for metric, methods in kept["exact"].items():
        for method in METHODS:
            covered = {setting: methods[method][setting.name] for setting in SETTINGS}
            ends = [[covered[s]["inside"] for s in SETTINGS if chosen(s)] for chosen in CLASSES.values()]
            met = sum(is_met(setting, found) for setting, found in covered.items())
            most = max(imbalance(found) for setting, found in covered.items() if setting.number >= MANY)
            row = [percent((min(inside), max(inside))) for inside in ends]
            rows.append([name_of(metric), method, *row, f"{100 * most:.1f}", f"{met} of {len(covered)}"])
    return rows


def widths(kept: dict[str, Any]) -> Rows:
    """Return how wide the intervals of others are, against those of auto for the same tables, and what they cover."""
    rows = [["metric", "by", "tables a setting", "its width, in widths of auto", "it covers", "auto covers"]]
    for metric in METRICS:
        ours = [found["inside"] for found in found_of(kept, "auto", metric).values()]
        for peer in KNOWN:
            cells = list(found_of(kept, peer, metric).values())
            pairs = [(found["width"], found["width of auto"]) for found in cells]
            ratios = [width / auto for width, auto in pairs if width is not None and auto]
            if ratios:
                span = f"{np.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})"
                inside = [found["inside"] for found in cells]
                covers = [percent((min(each), max(each))) if each else "" for each in (inside, ours)]
                rows.append([name_of(metric), peer, str(cells[0]["replicates"]), span, *covers])
    return rows


def choices() -> Rows:
    """Return which method auto takes for each metric of the library that has no open parameter."""
    by_choice: dict[str, list[str]] = {}
    for name, metric in sm.metrics.items():
        if all(parameter.default is not None for parameter in metric.parameters):
            by_choice.setdefault(choice(metric), []).append(f"`{name}`")
    rows = [["auto takes", "for"]]
    return [*rows, *([method, ", ".join(names)] for method, names in sorted(by_choice.items()))]


def choice(metric: sm.Metric) -> str:
    """Return which method auto takes for a metric."""
    shape = shape_of(metric.at_defaults())
    if isinstance(shape, Proportion):
        return "score or midp: Wilson's for a proportion, or that by mid-p values"
    if isinstance(shape, Contrast):
        return "score: Miettinen & Nurminen's for a difference of two proportions"
    if isinstance(shape, Quotient):
        return "score: Koopman's for a quotient of two proportions"
    is_bent = metric.at_defaults().has(Abs, Max, Min)
    inner = inner_ends(Formula(metric.at_defaults(), range_of(metric)), 4)
    at_edges = "" if inner == (None, None) and not is_bent else "chi_square near a kink or an inner end, else "
    return f"{at_edges}delta where every cell has enough examples, bayes elsewhere"


def name_of(metric: str) -> str:
    return f"`{metric}`"


def percent(ends: tuple[float, float]) -> str:
    low, high = ends
    return f"from {100 * low:.1f}" if high == 1.0 and low == 0.91 else f"{100 * low:.1f} to {100 * high:.1f}"


def table(rows: Rows) -> str:
    """Return rows as a table in Markdown, the first one its head."""
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join([lines[0], "|" + "---|" * len(rows[0]), *lines[1:]])


def or_none(rows: Rows) -> str:
    return table(rows) if len(rows) > 1 else "None."


def summary(kept: dict[str, Any]) -> str:
    """Return what a run found, to be printed."""
    parts = [table(coverage(kept)), or_none(misses(kept)), or_none(unbalanced(kept)), or_none(widths(kept))]
    return "\n\n".join(parts)


def page(kept: dict[str, Any]) -> str:
    """Return the page of the documentation that a kept file makes."""
    replicates = {found["replicates"] for metric in METRICS for found in found_of(kept, "auto", metric).values()}
    number = " or ".join(f"{count:,}" for count in sorted(replicates))
    pairs = "\n".join(section())
    own = {name: f"`{name}` is `{metric.expr}`" for name, metric in OWN.items()}
    smooth, bent = (";\n".join(told for name, told in own.items() if (name in METRICS) == is_in) for is_in in (1, 0))
    return f"""# How often intervals contain the true value

Written by `python benchmarks/coverage.py --page` from `benchmarks/results/coverage.json`, of {kept["date"][:10]}, with
NumPy {kept["versions"]["numpy"]}; without `--page` the study goes on, or is repeated if that file is not there.

For each of {len(SETTINGS)} settings, {number} tables are drawn from the joint shares of the cells, and the interval of
each of them, of nominal level 95 %, is asked for with `method="auto"`, {kept["draws"]:,} draws where it draws. The
settings are 50, 200 and 1000 examples, with priors 0.5, 0.1 and 0.02 of the positive class, and classifiers with rates
of true positives and negatives 0.95 and 0.95 (good), 0.8 and 0.9 (fair), 0.6 and 0.7 (poor); with three classes the
prior is that of the first. Two formulas are nobody's:
{smooth}.
A share of 10,000 tables has a standard error of 0.2 points.

## Coverage

In percent, the least and the most over the settings of a class, by the expected number of positive examples, with the
goal in parentheses. The misses of both sides differ by at most as many points as the fifth column says.

{table(coverage(kept))}

### Where the goal is missed

Counts are whole, so that what an interval covers jumps as the true value moves, and no interval that is the same for
equal tables is at its level everywhere. For functions of one proportion the last column has the exact coverage of the
methods of the literature there: where none of them is within the goal, none is to be had by choosing among them.

{or_none(misses(kept))}

### Where misses are more than 2 points apart at {MANY} examples

Of 20 expected positives, at a rate of true positives of 0.95, 36 % of the tables have no false negative. An interval
that left out the true value above it at these would cover 64 %, so that none misses on that side: it covers 98 % or
more, or its misses are more than 2 points apart, and no method has both within the goals of this study.

{or_none(unbalanced(kept))}

## At kinks, and at ends of the range inside of the tables

An association without a sign, such as Cramér's V or mutual information, is 0 wherever truth and prediction are
independent, and no draw is; where two rates or totals are equal, minima, maxima and absolute values have a kink. There
neither a tangent nor a posterior is right. In percent, of {TABLES:,} tables each, so that the standard error of a share
is 0.5 points. An interval contains an end inside of the tables exactly if the tables with this value are not rejected:
by Fisher's exact test of independence, by the exact binomial test of equal sums of cells (for FN = FP McNemar's). Exact
tests cover more than 95 % where hardly anything is predicted positive. Two formulas are nobody's:
{bent}.

{table(edge_rows(kept))}

{pairs}

## Scores of few examples

The same in percent for `sm.curves.score_interval`, by the number of positive examples among 60 or 200, over scores of
normal classes 0, 1.2 and 2 standard deviations apart and of two kinds of positive examples; in parentheses the number
of samples a setting. A class with a single example is refused.

{table(scores())}

## Functions of one proportion, exactly

The least and the most coverage, in percent, added up over all tables instead of drawn. `auto` takes the interval by
mid-p values where fewer than {FEW} are right or wrong of {OF_MANY} or more, or of a number that is fixed, and Wilson's
elsewhere: so the misses are balanced where there are many, and the coverage is not above the goal where there are few.

{table(exact(kept))}

## Widths, beside those of others

How wide the intervals of other packages are, as multiples of the mean width of those of `auto` for the same tables
(median of the settings, with the least and the most; where both have two ends). The packages as they come:
confidenceinterval's Wilson and Takahashi, statsmodels' normal intervals, and Newcombe's for the difference in balanced
accuracy, scipy.stats.bootstrap's BCa with {RESAMPLES} resamples. Narrower is worse where the coverage is below the
level; an interval that a package does not give counts as a miss. Coverage of so few tables is rough.

{or_none(widths(kept))}

## What `auto` chooses

By what a formula is made of, which is found by exact algebra, so that formulas of one's own are treated alike. A
formula that is a function of one or of two proportions has the interval of its score test, or that by mid-p values as
above. Any other has the delta method where each cell has {ENOUGH} examples or more and the standard error on the scale
of the range is below {LARGEST:g}, and the quantiles of its posterior elsewhere, table by table. Where a kink is near
by, or an end of the range inside of the tables, or where the tangent is flat, the minimum chi-square test is inverted:
the interval holds all values at shares whose Pearson distance from the counts is at most the quantile of chi-square
with one degree of freedom (3.84); near a kink, at most that of a mixture in equal parts of one and two degrees (5.14).
`Interval.why` says why a method was chosen. Averages over classes have the delta
method with fewer than {WEIGHED} examples of which each class has {ENOUGH_OF_CLASS} or more, where a
prior on all the cells would weigh too much; with more examples it is as for a formula, by the cells of the k*k table.
With `sampling="binomial"` proportions that mix the classes are none.

`method="delta"`, chosen or asked for, adds {ADDED:g} to each cell (of k classes {ADDED:g}*2/(k*(k - 1)) to each entry)
before it takes the slope and the error, as no share may be 0. The estimate is the value of the table without that, so
that it is not quite the middle of the interval on the scale of the range. The posterior adds 1/2 in the same way, its
prior.

{table(choices())}
"""
