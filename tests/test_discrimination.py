"""Numbers of distinct values against brute force: every matrix, in Python's fractions, from the printed formulas."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from math import comb, prod

import numpy as np
import pandas as pd
import pytest
import sympy
from effort import examples, in_one_test, is_thorough
from hypothesis import given, settings
from hypothesis import strategies as st

import symmetrics as sm
from symmetrics.matrices import MulticlassMetric
from symmetrics.matrices.discrimination import Discrimination, discrimination, measures_of
from symmetrics.matrices.discrimination.measures import ClassProduct, MeanOfClasses, Measure, SquaredCorrelation
from symmetrics.matrices.discrimination.states import (
    Digits,
    Fractions,
    Sizes,
    _by_columns,
    class_table,
    distinct,
    rows_of,
    states_of,
)
from symmetrics.matrices.discrimination.study import measure_of, pooled_measure_of
from symmetrics.matrices.nodes import ClassMean as Mean
from symmetrics.posets.relevance import prevalence
from symmetrics.tools.errors import InputError, UnsupportedError

Matrix = tuple[tuple[int, ...], ...]


def relevances(sizes: tuple[int, ...]) -> dict[str, list[Fraction]]:
    """Return several relevances, one of which has a class of no relevance."""
    count = len(sizes)
    return {
        "PREV": [Fraction(1, size) for size in sizes],
        "TO": [Fraction(count - place, count) for place in range(count)],
        "phi": [Fraction(9, 10), *(Fraction(1, 7) for _ in range(count - 2)), Fraction(0)],
    }


# -- brute force -------------------------------------------------------------------------------------------------------


def compositions(total: int, parts: int) -> Iterator[tuple[int, ...]]:
    if parts == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for rest in compositions(total - first, parts - 1):
            yield (first, *rest)


def every_matrix(sizes: tuple[int, ...]) -> Iterator[Matrix]:
    return itertools.product(*(list(compositions(size, len(sizes))) for size in sizes))


@cache
def of_class(name: str, hits: int, truth: int, predicted: int) -> Fraction | None:
    if name == "Rec":
        return Fraction(hits, truth)
    if name == "Prec":
        return Fraction(hits, predicted) if predicted else None
    if name == "AvF1":
        return Fraction(2 * hits, truth + predicted)
    return Fraction(hits, max(truth, predicted))


def mean(values: list[Fraction | None], weights: list[Fraction]) -> Fraction | None:
    pairs = [(value, weight) for value, weight in zip(values, weights, strict=True) if value is not None]
    total = sum(weight for _, weight in pairs)
    return sum(value * weight for value, weight in pairs) / total if total else None


def f_of_means(precision: Fraction | None, recall: Fraction | None) -> Fraction | None:
    if precision is None or recall is None:
        return None
    if not precision + recall:
        return Fraction(0)
    return 2 * precision * recall / (precision + recall)


def values_of(
    matrix: Matrix, weightings: dict[str, list[Fraction]], undefined: Fraction | None = None
) -> Iterator[tuple[str, object]]:
    """Yield the value of every metric at a matrix; of roots and logarithms, what decides whether they are the same."""
    count, truth, predicted = (
        len(matrix),
        [sum(row) for row in matrix],
        [sum(column) for column in zip(*matrix, strict=True)],
    )
    hits, n = [matrix[place][place] for place in range(count)], sum(map(sum, matrix))
    for suffix, weights in {"": [Fraction(1)] * count, **weightings}.items():
        found = {}
        for name in ("Rec", "Prec", "AvF1", "CBA"):
            values = [of_class(name, *entry) for entry in zip(hits, truth, predicted, strict=True)]
            found[name] = mean([undefined if value is None else value for value in values], weights)
        found["F1"] = f_of_means(found["Prec"], found["Rec"])
        for name, value in found.items():
            macro = "_M" if name in ("Rec", "Prec", "F1") else ""
            yield (f"{name}^{suffix}" if suffix else name + macro), value
    errors = [t + p - 2 * hit for t, p, hit in zip(truth, predicted, hits, strict=True)]
    yield "AvAcc", sum(Fraction(sum(hits), sum(hits) + error) for error in errors) / count
    yield "MAvG", prod(hits)
    for name in ("Rec_mu", "Prec_mu", "F1_mu"):
        yield name, Fraction(sum(hits), n)
    covariance = n * sum(hits) - sum(t * p for t, p in zip(truth, predicted, strict=True))
    spread = n * n - sum(p * p for p in predicted)
    yield "MCC", Fraction(covariance * abs(covariance), spread) if spread else Fraction(0)
    entries = prod(entry**entry for row in matrix for entry in row)
    yield "RCI", Fraction(prod(p**p for p in predicted), entries)
    off = prod(matrix[i][j] ** (2 * matrix[i][j]) for i in range(count) for j in range(count) if i != j)
    sums = [t + p for t, p in zip(truth, predicted, strict=True)]
    yield "CEN", prod(Fraction(s) ** (s - 2 * hit) for s, hit in zip(sums, hits, strict=True)) / off


def brute_force(
    sizes: tuple[int, ...], weightings: dict[str, list[Fraction]], undefined_value: Fraction | None = None
) -> dict[str, tuple[int, int]]:
    values: dict[str, set[object]] = {}
    undefined: Counter[str] = Counter()
    for matrix in every_matrix(sizes):
        for name, value in values_of(matrix, weightings, undefined_value):
            values.setdefault(name, set()).add(value)
            undefined[name] += value is None
    return {name: (len(found), undefined[name]) for name, found in values.items()}


def counted(sizes: tuple[int, ...]) -> dict[str, Discrimination]:
    found = discrimination(sizes, measures_of(relevances(sizes)), progress=False)
    return {result.metric: result for result in found}


@pytest.mark.parametrize(
    "sizes",
    [
        (1, 1),
        pytest.param((3, 4), marks=pytest.mark.thorough),
        pytest.param((2, 4, 15), marks=pytest.mark.thorough),
        pytest.param((3, 5, 16), marks=pytest.mark.thorough),
        (1, 2, 3),
        pytest.param((1, 2, 2, 2), marks=pytest.mark.thorough),
    ],
    ids=str,
)
def test_every_metric_against_brute_force(sizes: tuple[int, ...]) -> None:
    expected = brute_force(sizes, relevances(sizes))
    assert {name: (result.distinct, result.undefined) for name, result in counted(sizes).items()} == expected


@settings(max_examples=examples(15), deadline=None)
@given(st.lists(st.integers(1, 5), min_size=2, max_size=3))
def test_random_sizes_against_brute_force(sizes: list[int]) -> None:
    expected = brute_force(tuple(sizes), relevances(tuple(sizes)))
    found = counted(tuple(sizes))
    assert {name: (result.distinct, result.undefined) for name, result in found.items()} == expected


@pytest.mark.thorough
def test_a_problem_of_four_classes() -> None:
    """Counts of 2-3-9-10, computed independently for these metrics; AvAcc and Prec_M by the authors' own code."""
    names = {"Rec_M": 289, "AvF1": 40126, "CBA": 12261, "MCC": 16470, "AvAcc": 2987, "Prec_M": 10009}
    measures = [measure for measure in measures_of() if measure.name in names]
    found = discrimination((2, 3, 9, 10), measures, progress=False)
    assert {result.metric: result.distinct for result in found} == names
    assert {result.sizes.matrices for result in found} == {12_584_000}
    assert {result.undefined for result in found} == {0}
    precision = [measure for measure in measures if measure.name == "Prec_M"]
    (as_zero,) = discrimination((2, 3, 9, 10), precision, zero_division=0, progress=False)
    assert as_zero.distinct == 8915


@pytest.mark.thorough
@pytest.mark.parametrize("zero_division", [Fraction(0), Fraction(1), Fraction(1, 3)])
@pytest.mark.parametrize("sizes", [(1, 1), (3, 4), (1, 2, 3)], ids=str)
def test_undefined_classes_that_count_for_a_number(sizes: tuple[int, ...], zero_division: Fraction) -> None:
    expected = brute_force(sizes, relevances(sizes), zero_division)
    found = discrimination(sizes, measures_of(relevances(sizes)), zero_division=zero_division, progress=False)
    assert {result.metric: (result.distinct, result.undefined) for result in found} == expected
    assert {result.undefined for result in found} == {0}


@pytest.mark.parametrize(("fill", "distinct"), [(0, 6), (1, 6), (math.nan, 6), (Fraction(1, 6), 5)])
def test_the_precision_of_a_class_that_is_never_predicted_is_what_is_asked_for(fill: object, distinct: int) -> None:
    """One example and two: the means are 1, 3/4, 1/4, 0, and those of 1/3 and of 2/3 with the value that is filled in.

    With 1/6 the mean with 1/3 is 1/4, too.
    """
    precision = [measure for measure in measures_of() if measure.name == "Prec_M"]
    (found,) = discrimination((1, 2), precision, zero_division=fill, progress=False)
    assert (found.distinct, found.undefined) == (distinct, 0)


EXACT: dict[str, tuple[str, str]] = {
    "AvAcc": ("av_acc", "macro"),
    "MAvG": ("mavg", "macro"),
    "Rec_M": ("recall", "macro"),
    "Prec_M": ("precision", "macro"),
    "Rec_mu": ("recall", "micro"),
    "Prec_mu": ("precision", "micro"),
    "F1_M": ("f_of_means", "macro"),
    "F1_mu": ("f_of_means", "micro"),
    "AvF1": ("f1", "macro"),
    "CBA": ("cba", "macro"),
    "MCC": ("mcc", "macro"),
    "RCI": ("rci", "macro"),
    "CEN": ("cen", "macro"),
}


@pytest.mark.thorough
@pytest.mark.parametrize("zero_division", [math.nan, 0])
@pytest.mark.parametrize("sizes", [(2, 2), (1, 1, 2)], ids=str)
def test_the_study_counts_what_the_metrics_say_exactly(sizes: tuple[int, ...], zero_division: float) -> None:
    """At every matrix: what is undefined for the study is undefined for the metric, and what is equal is equal."""
    for result in discrimination(sizes, zero_division=zero_division, progress=False):
        key, average = EXACT[result.metric]
        metric = sm.multiclass[key] if key in sm.multiclass else MulticlassMetric(key, Mean(sm.metrics[key].expr))
        values = [metric.exact(matrix, average=average, zero_division=zero_division) for matrix in every_matrix(sizes)]
        defined = {round(float(value.evalf(25)), 14) for value in values if value is not sympy.nan}
        undefined = sum(value is sympy.nan for value in values)
        assert (result.distinct, result.undefined) == (len(defined) + (undefined > 0), undefined), result.metric


@in_one_test
@pytest.mark.parametrize("value", [-1, 2, "x", 1.1, math.inf])
def test_values_of_undefined_classes_are_checked(value: object) -> None:
    with pytest.raises(InputError, match="zero_division"):
        discrimination((1, 2), zero_division=value, progress=False)


@pytest.mark.timeout(20)
@pytest.mark.parametrize("sizes", [(10**6, 10**6), (3000, 3000), (10**9, 1), (100, 100, 100, 100)], ids=str)
def test_what_would_not_end_is_refused_at_once(sizes: tuple[int, ...]) -> None:
    with pytest.raises(InputError, match=r"(hours|days|years).* and .*GB"):
        discrimination(sizes, progress=False)


# -- parts -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sizes", [(2, 3), (1, 2, 3), (1, 1, 2, 2)], ids=str)
def test_states_are_the_margins_of_all_matrices(sizes: tuple[int, ...]) -> None:
    expected = Counter(
        (tuple(row[place] for place, row in enumerate(matrix)), tuple(map(sum, zip(*matrix, strict=True))))
        for matrix in every_matrix(sizes)
    )
    found: Counter[tuple[tuple[int, ...], tuple[int, ...]]] = Counter()
    for states in states_of(Sizes(sizes)):
        for hits, predicted, count in zip(
            states.correct.tolist(), states.predicted.tolist(), states.matrices.tolist(), strict=True
        ):
            assert (tuple(hits), tuple(predicted)) not in found
            found[tuple(hits), tuple(predicted)] = count
    assert found == expected


def test_small_chunks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = counted((2, 3, 4))
    monkeypatch.setattr("symmetrics.matrices.discrimination.states.CHUNK", 40)
    assert len(list(states_of(Sizes((2, 3, 4))))) > 10
    assert counted((2, 3, 4)) == whole


def test_integers_that_64_bits_do_not_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a tiny limit every sum is one of Python's integers, and every key takes several columns."""
    whole = counted((2, 3, 4))
    monkeypatch.setattr("symmetrics.matrices.discrimination.states.LARGEST_TERM", 50)
    by_bound = ClassProduct | SquaredCorrelation
    measures = [measure for measure in measures_of(relevances((2, 3, 4))) if not isinstance(measure, by_bound)]
    for result in discrimination((2, 3, 4), measures, progress=False):
        assert result == whole[result.metric]


@settings(max_examples=examples(100), deadline=None)
@given(st.lists(st.tuples(st.integers(-(2**61), 2**61), st.integers(-3, 3), st.integers(-(2**61), 2**61)), min_size=1))
def test_distinct_rows(rows: list[tuple[int, int, int]]) -> None:
    found = distinct([np.array(column, dtype=np.int64) for column in zip(*rows, strict=True)])
    assert list(zip(*(column.tolist() for column in found), strict=True)) == sorted(set(rows))


@settings(max_examples=examples(50), deadline=None)
@given(st.lists(st.tuples(st.integers(-40, 40), st.integers(1, 40)), min_size=1))
def test_equal_fractions_have_equal_columns(pairs: list[tuple[int, int]]) -> None:
    above, below = (np.array(column, dtype=np.int64) for column in zip(*pairs, strict=True))
    columns = Fractions(above, below).columns
    assert len(distinct(columns)[0]) == len({Fraction(*pair) for pair in pairs})


def test_columns_and_chunks_change_nothing() -> None:
    # Every column has its combination of flags however many classes there are.
    flags = np.random.default_rng(2).random((11, 40)) < 0.5
    flags[:, 1] = flags[:, 0] ^ (np.arange(11) == 9)  # the tenth class alone tells these apart
    found = [(combination, place) for combination, places in _by_columns(flags) for place in places.tolist()]
    assert sorted(found, key=lambda pair: pair[1]) == [(tuple(flags[:, place].tolist()), place) for place in range(40)]
    # Rows and packed digits.
    rows = rows_of(4, 3)
    assert {tuple(row) for row in rows.tolist()} == set(compositions(4, 3))
    assert len(rows) == comb(6, 2)
    digits = Digits((5, 5, 5))
    packed = digits.pack(rows)
    assert [[int(digits.digit(packed, place)[i]) for place in range(3)] for i in range(len(rows))] == rows.tolist()
    # Tables hold the exact values of the metric.
    table = class_table(sm.metrics["precision"], Sizes((2, 3)), 0)
    assert not table.defined[0]  # nothing is predicted to be of the class
    assert Fraction(int(table.numerators[1 * 6 + 3]), int(table.denominators[1 * 6 + 3])) == Fraction(1, 3)
    # Workers change nothing.
    assert discrimination((2, 4, 5), workers=2, progress=False) == discrimination((2, 4, 5), progress=False)


# -- bad input ---------------------------------------------------------------------------------------------------------


@in_one_test
@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        ((), "more than one class"),
        ((3,), "more than one class"),
        ((2, 0, 4), "class size 1 is 0"),
        ((2, -1), "class size 1 is -1"),
        ((2, 2.5), "class size 1 is 2.5"),
        ((2, True), "class size 1 is True"),
        ({2, 3}, "give a list"),
        (5, "give a list"),
        ("23", "give a list"),
        ((10**6,) * 12, "years and up to"),
        ((30,) * 8, "years and up to"),
        ((40,) * 5, "years and up to"),
    ],
)
def test_bad_class_sizes(sizes: tuple[int, ...], message: str) -> None:
    with pytest.raises(InputError, match=message):
        discrimination(sizes, progress=False)


@in_one_test
@pytest.mark.parametrize(
    ("relevance", "message"),
    [
        (["x", 1], "is not a number"),
        (["0_1", 1], "is not a number"),
        ([-1, 1], "is not between 0 and 1"),
        ([5, 3], "is not between 0 and 1"),
        ([0, 0], "every class has the relevance 0"),
        ([1, 1, 1], "3 weights for 2 classes"),
        ({0: 1, 1: 0}, "is no list of numbers"),
        ({0, 1}, "is no list of numbers"),
        ("11", "is no list of numbers"),
    ],
)
def test_bad_relevances(relevance: list[object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        discrimination((2, 3), measures_of({"phi": relevance}), progress=False)


@pytest.mark.parametrize(
    "sizes", [(2, 40), *(pytest.param(sizes, marks=pytest.mark.thorough) for sizes in [(40, 41), (20, 20)])], ids=str
)
def test_large_classes_take_no_more_memory_than_their_states(sizes: tuple[int, ...]) -> None:
    expected = brute_force(sizes, {})
    for result in discrimination(sizes, progress=False):
        assert (result.distinct, result.undefined) == expected[result.metric]


def test_floating_point_agrees_but_for_rounding() -> None:
    """Every value in floating point is that of the metric itself; rounding makes more values, never fewer."""
    sizes, weightings = (2, 3, 5 if is_thorough() else 3), {"phi": [Fraction(1), Fraction(9, 10), Fraction(1, 10)]}
    values: dict[str, set[float]] = {}
    for matrix in every_matrix(sizes):
        for name, value in values_of(matrix, weightings):
            if isinstance(value, Fraction) and name not in ("MCC", "RCI", "CEN"):
                values.setdefault(name, set()).add(float(value))
    measures = [measure for measure in measures_of(weightings) if isinstance(measure, Measure)]
    for states in states_of(Sizes(sizes)):
        for measure in measures:
            found = measure.floats(states, Sizes(sizes), None)
            if measure.name in values:
                known = np.array(sorted(values[measure.name]))
                near = known[np.clip(np.searchsorted(known, found - 1e-12), 0, len(known) - 1)]
                assert np.nanmax(np.abs(near - found)) < 1e-12, measure.name
            if measure.name == "MAvG":
                exact = [metrics_product(row, sizes) for row in states.correct.tolist()]
                assert np.abs(found - exact).max() < 1e-12
    for result in discrimination(sizes, measures_of(weightings), floats=True, progress=False):
        assert result.floats is not None
        assert result.floats >= result.distinct, result.metric


def metrics_product(hits: list[int], sizes: tuple[int, ...]) -> float:
    return float(prod(Fraction(hit, size) for hit, size in zip(hits, sizes, strict=True))) ** (1 / len(sizes))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("key", ["one_vs_rest_accuracy", "av_acc", "cba", "mavg", "mcc"])
def test_a_measure_is_made_of_the_definition(key: str) -> None:
    metric = sm.multiclass[key]
    every = itertools.product(rows_of(2, 3), rows_of(1, 3), rows_of(2, 3))
    values = {metric.exact(tuple(tuple(map(int, row)) for row in rows)) for rows in every}
    (found,) = discrimination((2, 1, 2), [measure_of(key, metric.definition)], progress=False)
    assert found.distinct == len({sympy.nsimplify(value) for value in values})


def test_cells_that_are_added_up_over_two_classes_have_as_many_true_negatives_as_hits() -> None:
    gap, share = (
        pooled_measure_of("gap", Mean(sm.TP - sm.TN)),
        pooled_measure_of("share", Mean(sm.TP / (sm.TP + sm.TN))),
    )
    found = discrimination((2, 3), [gap, share], progress=False)
    assert [(result.distinct, result.undefined > 0) for result in found] == [(1, False), (2, True)]  # 0; 1/2, or 0/0


def test_sizes_and_names_that_are_refused() -> None:
    # Sizes by name are refused.
    with pytest.raises(InputError, match="have names"):
        discrimination(pd.Series({"c": 2, "a": 3}), progress=False)  # type: ignore[arg-type]
    # Names are given once.
    with pytest.raises(InputError, match="2 measures have the name 'MCC'"):
        discrimination((2, 3), [SquaredCorrelation("MCC")] * 2, progress=False)
    # A relevance gives its values and not its classes.
    phi = prevalence([2, 3])
    expected = discrimination((2, 3), measures_of({"P": phi.values}), progress=False)
    assert discrimination(np.array([2, 3]), measures_of({"P": phi}), progress=False) == expected
    # Irrational values are refused.
    with pytest.raises(InputError, match="gmean is irrational"):
        discrimination((2, 3), [MeanOfClasses("mean", metric=sm.metrics["gmean"])], progress=False)
    with pytest.raises(InputError, match="precision is undefined for some classes"):
        discrimination((2, 3), [ClassProduct("product", metric=sm.metrics["precision"])], progress=False)
    # What cannot be compared exactly is refused.
    share = sm.multiclass["accuracy"].definition
    with pytest.raises(UnsupportedError, match="share: the values of"):
        measure_of("share", share)
    with pytest.raises(UnsupportedError, match="with weights of the classes"):
        measure_of("mcc", sm.multiclass["mcc"].definition, (Fraction(1), Fraction(1, 2)))
    with pytest.raises(UnsupportedError, match="no mean over classes"):
        pooled_measure_of("share", share)
