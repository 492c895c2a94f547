"""Sections 4.1 and 4.2 of Branco, Torgo & Ribeiro (2017): what is said of weights, theirs and those of others."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Final

from sympy import Rational, S, Symbol, symbols

from symmetrics.curves.multiclass import one_vs_rest_auc
from symmetrics.matrices.expansion import entry_symbols
from symmetrics.papers.branco2017 import experiment
from symmetrics.papers.claims import (
    PaperClaim,
    Ruling,
    at_least,
    by_computation,
    by_verdicts,
    inequality,
    with_reading,
)

from .formulas import compared, mean_of, per_class, recall_of
from .shared import statement

CLASSES: Final = ("a", "b", "c")
LABELS: Final = tuple("aaaabbcc")
SCORES: Final = ((2, 1, 4), (4, 1, 2), (1, 2, 2), (2, 3, 3), (1, 3, 3), (1, 3, 1), (3, 2, 4), (1, 4, 2))
"""Eight examples of three classes, and the scores of each for a, b and c."""


def _others() -> Iterator[PaperClaim]:
    yield statement(
        "only_two_weighted",
        "section 4.1",
        "words",
        "only two metrics weigh classes: the weighted mean recall and a weighted AUC",
        _two_weighted_areas,
    )
    yield statement(
        "weighted_auc",
        "section 4.1",
        "equation",
        "a weighted AUC of many classes is Σ (t_i/N)·AUC_i: the weights are determined by the prevalence",
        _weighted_auc,
    )


def _own() -> Iterator[PaperClaim]:
    yield statement(
        "three_perspectives",
        "section 4.1",
        "words",
        "with a relevance there are three perspectives: metrics of recall, of precision, and of both",
        _perspectives,
    )
    yield from with_reading(
        statement(
            "zero_relevance_is_irrelevant",
            "section 4.1",
            "words",
            "a class with φ = 0 is irrelevant: no metric with a relevance changes with what is predicted for it",
            _precision_of_irrelevant,
        ),
        "Rec^φ does not",
        _recall_of_irrelevant,
    )
    yield from with_reading(
        statement(
            "less_relevant_less_impact",
            "section 4.1",
            "words",
            "an error on a less relevant class has less impact on the evaluation",
            _error_on_small_class,
        ),
        "on Rec^φ, of two classes with as many examples",
        _error_on_equal_classes,
    )
    yield statement(
        "prevalence_is_valid",
        "section 4.2, equation (9)",
        "inequality",
        "relevances by prevalence are valid: they lie between 0 and 1",
        _prevalence_is_valid,
    )


# -- the metrics of others ---------------------------------------------------------------------------------------------


def _area(of: str, chosen: Callable[[str], bool]) -> Fraction:
    """Return the share of pairs of an example of a class and a chosen one that its scores put in order, ties halved."""
    column = CLASSES.index(of)
    own, other = (
        [row[column] for row, label in zip(SCORES, LABELS, strict=True) if wanted(label)]
        for wanted in (lambda label: label == of, chosen)
    )
    return Fraction(sum(2 * (a > b) + (a == b) for a in own for b in other), 2 * len(own) * len(other))


def _share(of: str) -> Fraction:
    return Fraction(LABELS.count(of), len(LABELS))


def _against_the_rest() -> Fraction:
    return sum((_share(of) * _area(of, lambda label, of=of: label != of) for of in CLASSES), Fraction(0))


def _against_each() -> Fraction:
    pairs = [(of, other) for of in CLASSES for other in CLASSES if of != other]
    total = sum((_share(of) * _area(of, lambda label, other=other: label == other) for of, other in pairs), Fraction(0))
    return total / (len(CLASSES) - 1)


def _two_weighted_areas() -> Ruling:
    first, second = _against_the_rest(), _against_each()
    return by_computation(
        first == second,
        "the paper's own reference [4], of 2009, has two areas weighted by prevalence, AUNP of each class against the "
        "rest and AU1P of each class against each other, and they differ: for 8 examples of 3 classes "
        f"{first} and {second}; with the weighted mean recall these are three",
        "at least three",
    )


def _weighted_auc() -> Ruling:
    ours = Fraction(one_vs_rest_auc(LABELS, SCORES, average="weighted"))
    areas = [_area(of, lambda label, of=of: label != of) for of in CLASSES]
    terms = " + ".join(f"{_share(of)}·{area}" for of, area in zip(CLASSES, areas, strict=True))
    return by_computation(
        ours == _against_the_rest(),
        f"for 8 examples of 3 classes {terms} = {_against_the_rest()}, by pairs, and {ours} by one_vs_rest_auc with "
        "average='weighted' (AUNP of reference [4]; the work that is cited is not at hand); with a relevance as "
        "average= it is Σ φ(i)·AUC_i/Σ φ(i)",
    )


# -- the weights of the paper ------------------------------------------------------------------------------------------


def _precision_of_irrelevant() -> Ruling:
    matrices = (((5, 0), (0, 10)), ((5, 0), (5, 5)))
    values = [experiment._weighted_metrics()["Prec"].exact(matrix, average=(1, 0)) for matrix in matrices]
    return by_computation(
        values[0] == values[1],
        f"φ = 1, 0: Prec^φ is {values[0]} for [[5, 0], [0, 10]] and {values[1]} for [[5, 0], [5, 5]], where five "
        "examples of c2 are taken for c1",
        "what is wrongly predicted as a relevant class counts, by its precision",
    )


def _perspectives() -> Ruling:
    """Give two matrices of the same rows apart from wrong predictions, and turned over, of the same columns."""
    rows = ((4, 2, 0), (0, 4, 0), (0, 0, 4)), ((4, 0, 2), (0, 4, 0), (0, 0, 4))
    columns = [tuple(zip(*matrix, strict=True)) for matrix in rows]
    weighted, average = experiment._weighted_metrics(), (1, S.Half, Rational(1, 4))
    changed = {
        name: tuple(
            metric.exact(pair[0], average=average) != metric.exact(pair[1], average=average) for pair in (rows, columns)
        )
        for name, metric in weighted.items()
    }
    expected = dict.fromkeys(weighted, (True, True)) | {"Rec": (False, True), "Prec": (True, False)}
    return by_computation(
        changed == expected,
        "φ = 1, 1/2, 1/4: from [[4, 2, 0], [0, 4, 0], [0, 0, 4]] to [[4, 0, 2], [0, 4, 0], [0, 0, 4]] all change but "
        "Rec^φ, and between the transposed matrices all but Prec^φ",
    )


def _recall_of_irrelevant() -> Ruling:
    entries = entry_symbols(3)
    other = (entries[0], tuple(Symbol(f"other_{place}", real=True) for place in range(3)), entries[2])
    weights = symbols("phi_1 phi_3", real=True)
    before, after = (
        sum(weight * recall for weight, recall in zip(weights, per_class(matrix, recall_of)[::2], strict=True))
        / sum(weights)
        for matrix in (entries, other)
    )
    return by_verdicts(compared(before, after), note="φ(c2) = 0, whatever the row of c2 is")


def _error_on_small_class() -> Ruling:
    """Rec^φ falls by φ(i)/(t_i·Σφ) with each error on class i."""
    falls = [weight / size / Rational(3, 2) for weight, size in ((S.One, 1000), (S.Half, 2))]
    return by_computation(
        falls[0] > falls[1],
        f"φ = 1, 1/2 and 1000 and 2 examples: an error on c1 lowers Rec^φ by 1/1000/(3/2) = {falls[0]}, one on c2, the "
        f"less relevant class, by (1/2)/2/(3/2) = {falls[1]}",
        "the impact on Rec^φ is φ(i)/t_i over Σφ",
    )


def _error_on_equal_classes() -> Ruling:
    relevance, more, others, size = over = symbols("phi more others t", real=True)
    total = 2 * relevance + more + others
    return at_least((relevance + more) / size / total, relevance / size / total, strict=True, over=over)


def _prevalence_is_valid() -> Ruling:
    sizes = symbols("t_1 t_2 t_3", real=True)
    share = 1 / sizes[0] / (3 * mean_of([1 / size for size in sizes]))
    return by_verdicts(
        inequality(share, S.Zero, strict=True, over=sizes),
        inequality(S.One, share, strict=True, over=sizes),
        note="for 3 classes with examples",
    )


def claims() -> Iterator[PaperClaim]:
    """Yield the claims, in the paper's order."""
    yield from _others()
    yield from _own()
