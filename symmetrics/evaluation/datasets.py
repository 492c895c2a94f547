"""Several classifiers over several data sets: do their ranks differ, and which classifiers do?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from math import inf
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from scipy.special import ndtr

from symmetrics.data.counts import FloatArray, shown
from symmetrics.data.frames import same_rows
from symmetrics.evaluation.comparison import require_same
from symmetrics.evaluation.rank_tests import (
    Friedman,
    Probabilities,
    critical_difference,
    critical_sum,
    friedman,
    is_few,
    least_p,
    mean_rank_error,
    nemenyi,
    p_of_difference,
    ranked,
    signed_rank,
    signed_rank_probabilities,
)
from symmetrics.metric.scorers import require_direction
from symmetrics.statistics.intervals import Question
from symmetrics.tools.documents.text import columns
from symmetrics.tools.errors import InputError, UnknownNameError
from symmetrics.tools.texts import number_of

if TYPE_CHECKING:
    import pandas


# -- Read scores of several classifiers from any table of numbers ------------------------------------------------------


def score_table(scores: object, classifiers: Iterable[str] | None) -> tuple[list[str], FloatArray]:
    """Return the names of the classifiers and their scores, one row per data set.

    :param scores: a data frame or a mapping with a column for each classifier, or a two-dimensional array; the rows of
        Series are put in the order of the first one's, by name
    :param classifiers: the names of the columns of an array; by default 1, 2, ...
    :raises InputError: on what is no such table of finite numbers, and on names that are not different
    """
    if classifiers is not None and (isinstance(classifiers, str) or not isinstance(classifiers, Iterable)):
        raise InputError(
            f"classifiers={shown(classifiers)} is no list of names; pass one, as in classifiers=['a', 'b']"
        )
    columns = _columns(scores)
    if columns is not None and classifiers is not None:
        raise InputError("classifiers= names the columns of an array, and scores has names already; leave one out")
    table = _numbers(scores if columns is None else _side_by_side(columns))
    if columns is None:
        names = [str(place + 1) for place in range(table.shape[1])] if classifiers is None else [*map(str, classifiers)]
    else:
        names = [str(name) for name in columns]
    if len(names) != table.shape[1] or len(set(names)) < len(names):
        raise InputError(
            f"the names {', '.join(names)} are not those of {table.shape[1]} classifiers; give each its own"
        )
    if table.shape[1] < 2 or len(table) < 2:
        raise InputError(
            f"scores has shape {table.shape}; pass a row for each data set, 2 or more, and a column for each "
            "classifier, 2 or more"
        )
    if not np.isfinite(table).all():
        row, column = np.argwhere(~np.isfinite(table))[0]
        raise InputError(
            f"the score of {names[column]} in row {row} is {table[row, column]:g}; leave out the rows without a value"
        )
    return names, table


def pairs_of_names(names: list[str], control: str | None) -> list[tuple[int, int]]:
    """Return the indices of the pairs to compare: all pairs, or a control with each other.

    :raises UnknownNameError: if the control is no name

    >>> pairs_of_names(["a", "b", "c"], "b")
    [(1, 0), (1, 2)]
    """
    if control is None:
        return list(combinations(range(len(names)), 2))
    if control not in names:
        raise UnknownNameError("classifier", str(control), names, elsewhere=f"pass one of {', '.join(names)}")
    place = names.index(control)
    return [(place, other) for other in range(len(names)) if other != place]


class ComparedPairs:
    """Comparisons of pairs of classifiers, each with a row of a table."""

    pairs: tuple[Any, ...]

    def to_frame(self) -> pandas.DataFrame:
        """Return a data frame with a row for each pair.

        :raises InputError: without pandas
        """
        return as_frame([pair.row() for pair in self.pairs])


def as_frame(rows: list[dict[str, Any]]) -> Any:
    """Return a data frame with these rows.

    :raises InputError: without pandas
    """
    try:
        import pandas
    except ModuleNotFoundError:
        raise InputError("data frames need pandas; install symmetrics[frames], or read .pairs") from None
    return pandas.DataFrame(rows)


def _columns(scores: Any) -> dict[object, Any] | None:
    """Return the columns of an input with column names."""
    if isinstance(scores, Mapping):
        return dict(scores)
    if hasattr(scores, "columns") and hasattr(scores, "__getitem__"):
        return {name: scores[name] for name in scores.columns}
    return None


def _side_by_side(columns: Mapping[object, Any]) -> object:
    lengths = {str(name): len(column) for name, column in columns.items()}
    if len(set(lengths.values())) > 1:
        told = ", ".join(f"{name} {length}" for name, length in lengths.items())
        raise InputError(f"the columns have different lengths ({told}); pass one score per data set in each")
    if not columns:
        return np.empty((0, 0))
    (first, wanted), *_ = columns.items()
    read = []
    for name, column in columns.items():
        places = same_rows(wanted, column, (f"the column {first}", f"the column {name}"))
        read.append(np.asarray(column) if places is None else np.asarray(column)[places])
    return np.column_stack(read)


def _numbers(scores: Any) -> FloatArray:
    try:
        table = np.asarray(scores, dtype=np.float64)
    except (OverflowError, TypeError, ValueError):
        table = np.empty(0)
    if table.ndim != 2:
        raise InputError(
            f"scores={shown(scores)} is no table of numbers; pass a data frame, a mapping or a two-dimensional array"
        )
    return table


# -- Multiple testing: adjust p-values for the number of tests ---------------------------------------------------------


CORRECTIONS: Final = {
    "holm": "Holm's step-down procedure (Holm 1979)",
    "bonferroni": "Bonferroni's",
    "none": "no correction",
}
"""The corrections by name, each in words."""


def require_correction(correction: object) -> None:
    """Refuse an unknown correction.

    :raises InputError: naming those that there are
    """
    if not isinstance(correction, str) or correction not in CORRECTIONS:
        raise InputError(f"correction={shown(correction)} is unknown; pass one of {', '.join(CORRECTIONS)}")


def adjusted(p_values: Sequence[float], correction: str) -> FloatArray:
    """p-values adjusted to control the familywise error rate.

    :param p_values: one for each hypothesis; nan for one that could not be tested, which stays nan and still counts
    :param correction: a key of :data:`CORRECTIONS`

    >>> adjusted([0.01, 0.04, 0.03], "holm").tolist()
    [0.03, 0.06, 0.06]
    """
    given = np.asarray(p_values, dtype=np.float64)
    if correction == "none":
        return given
    if correction == "bonferroni":
        return np.minimum(given * len(given), 1.0)
    order = np.argsort(given)  # nan is sorted last
    stepped = np.maximum.accumulate(given[order] * np.arange(len(given), 0, -1))
    found = np.empty_like(given)
    found[order] = np.minimum(stepped, 1.0)
    return found


# ----------------------------------------------------------------------------------------------------------------------


_TESTS: Final = {
    (True, False): "p_ranks: normal, of the difference of mean ranks; adjusted_ranks: {}",
    (False, False): "p_ranks: Nemenyi's test, which is adjusted already",
    (True, True): "p_ranks: exact, of the difference of rank sums; adjusted_ranks: {}",
    (False, True): "p_ranks: exact, of the difference of rank sums, times the number of pairs",
}
"""Descriptions of the rank tests: with a control or without, for few data sets or many."""


@dataclass(frozen=True)
class PairOverDatasets:
    """The comparison of two classifiers over data sets.

    :param first: the name of one
    :param second: that of the other
    :param rank_difference: the mean rank of the second minus that of the first; negative where the second is better
    :param p_ranks: the p-value of that difference
    :param adjusted_ranks: the same, adjusted for the number of pairs
    :param p_wilcoxon: the p-value of Wilcoxon's signed-rank test of the two by themselves
    :param adjusted_wilcoxon: the same, adjusted for the number of pairs
    :param probabilities: that the first is better on a further data set, that they are practically the same, that the
        second is; None where no region of practical equivalence was asked for
    """

    first: str
    second: str
    rank_difference: float
    p_ranks: float
    adjusted_ranks: float
    p_wilcoxon: float
    adjusted_wilcoxon: float
    probabilities: Probabilities | None = None

    def row(self) -> dict[str, Any]:
        """Return the pair's row of a data frame."""
        told = {name: value for name, value in vars(self).items() if name != "probabilities"}
        if self.probabilities is None:
            return told
        return told | {
            "first_better": self.probabilities.first,
            "practical": self.probabilities.same,
            "second_better": self.probabilities.second,
        }


@dataclass(frozen=True)
class DatasetComparison(ComparedPairs):
    """The comparison of several classifiers over data sets.

    :param datasets: how many there are
    :param ranks: the mean rank by classifier, 1 for one that is the best everywhere
    :param friedman: whether the mean ranks differ at all; None for two classifiers, for which it is the sign test
    :param critical_difference: of mean ranks: pairs further apart are told apart by Nemenyi's test, or the exact one
        for few data sets, unless they tie on some; infinite where no difference is significant
    :param pairs: the comparisons of two
    :param level: of the critical difference
    :param tests: description of the tests behind the p-values
    :param posthoc: description of the post-hoc test
    """

    datasets: int
    ranks: Mapping[str, float]
    friedman: Friedman | None
    critical_difference: float
    pairs: tuple[PairOverDatasets, ...]
    level: float
    tests: tuple[str, ...]
    posthoc: str = "Nemenyi"

    @property
    def _critical(self) -> str:
        few = f"none is significant with {number_of(self.datasets, 'data set')}"
        return few if self.critical_difference == inf else f"{self.critical_difference:.3g}"

    @property
    def groups(self) -> tuple[tuple[str, ...], ...]:
        """The largest groups within which no two mean ranks are further apart than the critical difference.

        These are the bars of the diagrams of Demšar (2006).
        """
        names = sorted(self.ranks, key=lambda name: self.ranks[name])
        found: list[tuple[str, ...]] = []
        for start, first in enumerate(names):
            reach = self.ranks[first] + self.critical_difference
            group = tuple(name for name in names[start:] if self.ranks[name] <= reach)
            if len(group) > 1 and not (found and set(group) <= set(found[-1])):
                found.append(group)
        return tuple(found)

    def __repr__(self) -> str:
        names = sorted(self.ranks, key=lambda name: self.ranks[name])
        ranks = ", ".join(f"{name} {self.ranks[name]:.3f}" for name in names)
        rows = [pair.row() for pair in self.pairs]
        cells = [[cell if isinstance(cell, str) else f"{cell:.3g}" for cell in row.values()] for row in rows]
        align = "ll" + "r" * (len(rows[0]) - 2)
        return "\n".join(
            [
                f"{number_of(self.datasets, 'data set')}, mean ranks: {ranks}",
                *([] if self.friedman is None else [repr(self.friedman)]),
                f"critical difference of mean ranks ({100 * self.level:g} %, {self.posthoc}): {self._critical}",
                *columns(list(rows[0]), cells, align, "simple"),
                *self.tests,
            ]
        )


def compare_over_datasets(
    scores: object,
    classifiers: Iterable[str] | None = None,
    *,
    greater_is_better: bool = True,
    control: str | None = None,
    correction: str = "holm",
    same: float | None = None,
    correct_ties: bool = True,
    level: float = 0.95,
    draws: int = 50_000,
    seed: int = 0,
) -> DatasetComparison:
    """Compare several classifiers by their scores on the same data sets.

    The scores of different data sets cannot be averaged, but ranked: whether mean ranks differ at all is Friedman's
    test, with the F statistic of Iman & Davenport; which of them do is Nemenyi's test for all pairs, or, with a
    *control*, a normal test of each other classifier with Holm's correction (J. Demšar, Statistical Comparisons of
    Classifiers over Multiple Data Sets, JMLR 7, 2006, section 3.2).  These are for many data sets.  For ten or fewer,
    and for two classifiers, all tests are exact: each data set ranks the classifiers in any order by chance (R.
    Eisinga, T. Heskes, B. Pelzer & M. Te Grotenhuis, Exact p-values for pairwise comparison of Friedman rank sums, BMC
    Bioinformatics 18, 2017), and Nemenyi's is replaced by Bonferroni's correction.  No p-value of a pair is below that
    of its signs, ``2**(1 - n)`` for n data sets on which they differ: of four none is significant.  Mean ranks of two
    classifiers also depend on the others in the table; Wilcoxon's signed-rank test, which every pair has too, does not
    (A. Benavoli, G. Corani & F. Mangili, Should We Really Use Post-Hoc Tests Based on Mean-Ranks?, JMLR 17, 2016).

    :param scores: a data frame or a mapping with a column for each classifier, or an array of shape (data sets,
        classifiers); two data sets or more.  Series are matched by the names of their data sets, where they have the
        same.
    :param classifiers: the names of the columns of an array; by default 1, 2, ...
    :param greater_is_better: whether the greatest score has rank 1, or the least
    :param control: the classifier that all others are compared with; by default every pair is compared
    :param correction: of the p-values for the number of pairs: ``"holm"``, ``"bonferroni"`` or ``"none"``
    :param same: a difference of scores that does not matter in practice, 0 or more; the Bayesian signed-rank test then
        says how probable a smaller one is on a further data set, and which is better otherwise
    :param correct_ties: correct Friedman's statistic for ties, as is usual; Demšar's printed figures are without
    :param level: of the critical difference
    :param draws: of the Bayesian test
    :param seed: from which the draws start
    :raises InputError: on scores that are no table of finite numbers, and on invalid settings
    :raises UnknownNameError: if the control is none of the classifiers

    >>> compare_over_datasets({"tree": [0.7, 0.8, 0.6, 0.9], "bayes": [0.8, 0.9, 0.7, 0.95]}, same=0.01)
    4 data sets, mean ranks: bayes 1.000, tree 2.000
    critical difference of mean ranks (95 %, exact): none is significant with 4 data sets
    first    second      rank_difference    p_ranks    adjusted_ranks    p_wilcoxon    adjusted_wilcoxon ...
    """
    require_correction(correction)
    question = Question(level=level, draws=draws, seed=seed)
    require_same(same, may_be_zero=True)
    names, table = score_table(scores, classifiers)
    require_direction(greater_is_better)
    table = table if greater_is_better else -table
    places = pairs_of_names(names, control)
    ranks = ranked(table)
    means, few = ranks.mean(axis=0), is_few(ranks)
    differences = [float(means[j] - means[i]) for i, j in places]
    number, many = len(table), len(names)
    by_ranks = [_p_of_ranks(ranks, i, j, len(places) if control is None else 1) for i, j in places]
    by_signs = [signed_rank(table[:, i].tolist(), table[:, j].tolist())[1] for i, j in places]
    rows = zip(
        [(names[i], names[j]) for i, j in places],
        differences,
        by_ranks,
        adjusted(by_ranks, "none" if control is None else correction).tolist(),
        by_signs,
        adjusted(by_signs, correction).tolist(),
        _all_probabilities(table, places, same, question),
        strict=True,
    )
    wilcoxon = f"p_wilcoxon: signed-rank test; adjusted_wilcoxon: {CORRECTIONS[correction]}"
    return DatasetComparison(
        datasets=number,
        ranks=dict(zip(names, means.tolist(), strict=True)),
        friedman=friedman(ranks, correct_ties=correct_ties, draws=draws, seed=seed) if many > 2 else None,
        critical_difference=_critical_difference(ranks, level),
        pairs=tuple(PairOverDatasets(*pair, *told) for pair, *told in rows),
        level=level,
        tests=(_TESTS[control is not None, few].format(CORRECTIONS[correction]), wilcoxon),
        posthoc="exact" if few else "Nemenyi",
    )


def _p_of_ranks(ranks: FloatArray, first: int, second: int, pairs: int) -> float:
    """Return the two-sided p-value of a difference of mean ranks, at least that of the sign test.

    :param pairs: how many pairs it is adjusted for; one with a control, where it is adjusted later
    """
    number, many = ranks.shape
    total = float(ranks[:, second].sum() - ranks[:, first].sum())
    if is_few(ranks):
        p_value = min(1.0, pairs * p_of_difference(ranks, total))
    elif pairs == 1:
        p_value = float(2 * ndtr(-abs(total / number) / mean_rank_error(many, number)))
    else:
        p_value = nemenyi(total / number, many, number)
    return max(p_value, least_p(int(np.count_nonzero(ranks[:, first] != ranks[:, second]))))


def _critical_difference(ranks: FloatArray, level: float) -> float:
    number, many = ranks.shape
    if is_few(ranks):
        return float(critical_sum(ranks, level, many * (many - 1) // 2) / number)
    return critical_difference(many, number, level) if least_p(number) <= 1 - level else inf


def _all_probabilities(
    table: FloatArray, places: list[tuple[int, int]], same: float | None, question: Question
) -> list[Probabilities | None]:
    if same is None:
        return [None] * len(places)
    ask = partial(signed_rank_probabilities, same=same, draws=question.draws, seed=question.seed)
    return [ask(table[:, i].tolist(), table[:, j].tolist()) for i, j in places]
