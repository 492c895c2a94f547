"""Values at tables with zeros against values close by, on paths into the corner at different speeds."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from effort import in_one_test, is_thorough, some
from flint import ctx, fmpq
from hypothesis import example, given, settings
from hypothesis import strategies as st
from mpmath import mp
from sympy import Abs, Add, Expr, Max, Min, Mul, Rational, S, log

import symmetrics as sm
from symmetrics.algebra.evaluate import Evaluator, Undefined
from symmetrics.algebra.limits.extended_reals import has_no_value_by_parts, limit_by_parts
from symmetrics.algebra.limits.extension import extension_of, without_divisors_that_are_extremes
from symmetrics.language.cells import CELLS, FN, FP, TN, TP
from symmetrics.language.names import CELL_NAMES

SPEEDS = [(1, 1, 1, 1), (1, 2, 3, 1), (3, 1, 1, 2)]
TABLES = [(7, 11, 13, 17), (3, 3, 2, 2), (5, 1, 1, 9)]
STEP = 40
"""Cells that tend to zero are powers of 2**-STEP: a logarithm of them is then still small beside their reciprocal."""


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", sorted(sm.metrics))
def test_finite_values_at_zeros_are_limits_along_all_paths(name):
    metric = sm.metrics[name]
    formula = Evaluator(metric.at_defaults(), CELLS)
    # Quotients of logarithms come close to their limits as slowly as the logarithms grow.
    step = 100 * STEP if name.startswith(("extrem", "symmetric_extrem")) else STEP
    saved, ctx.prec = ctx.prec, 300
    try:
        for table, count in itertools.product(TABLES, (1, 2, 3)):
            for zeros in itertools.combinations(range(4), count):
                place = [0 if k in zeros else cell for k, cell in enumerate(table)]
                value = metric.from_counts(*place)
                if not math.isfinite(value):
                    continue
                for speeds in SPEEDS:
                    near = [fmpq(c) if c else fmpq(1, 2 ** (step * speeds[k])) for k, c in enumerate(place)]
                    try:
                        close = float(formula(*near))
                    except Undefined:
                        continue
                    assert close == pytest.approx(value, rel=2e-3, abs=2e-3), (place, speeds)
    finally:
        ctx.prec = saved


def test_a_logarithm_that_diverges_between_bars_has_no_limit() -> None:
    """FN*log(1/FP) tends to anything as FN and FP do to zero, with and without bars."""
    for formula in ("FN*log((FP + TN)/FP)/TP", "Abs(FN*log((FP + TN)/FP)/TP)"):
        assert sm.Metric("mine", sm.parse_formula(formula)).exact(2, 0, 0, 1) is S.NaN


def information_over_the_smaller_entropy(tp: int, fn: int, fp: int, tn: int) -> float:
    """Return the mutual information of two partitions over the smaller of their entropies, where 0*log(0) is 0."""

    def entropy(*counts: int) -> float:
        return -sum(count / sum(counts) * math.log(count / sum(counts)) for count in counts if count)

    smaller = min(entropy(tp + fn, fp + tn), entropy(tp + fp, fn + tn))
    joint = entropy(tp, fn, fp, tn)
    return (entropy(tp + fn, fp + tn) + entropy(tp + fp, fn + tn) - joint) / smaller if smaller else math.nan


def test_a_minimum_has_the_limit_of_its_parts_where_these_have_one() -> None:
    """On every face, ties of the two included, in arrays, one table at a time and in exact arithmetic."""
    metric = sm.metrics["minimum_normalized_mutual_information"]
    tables = some(itertools.product((0, 1, 3), repeat=4), 9, "parts")
    for table, value in zip(tables, metric.from_counts(np.array(tables)), strict=True):
        wanted = information_over_the_smaller_entropy(*table) if any(table) else math.nan
        assert value == pytest.approx(wanted, abs=1e-12, nan_ok=True), table
        assert metric.from_counts(*table) == pytest.approx(wanted, abs=1e-12, nan_ok=True), table
        assert float(metric.exact(*table)) == pytest.approx(wanted, abs=1e-12, nan_ok=True), table


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("formula", "table", "value"),
    [  # by hand
        ("TP/Min(TP + FN, TP + FP)", (0, 0, 3, 4), None),  # 1 along FN = TP**2, 0 along TP = FN**2
        ("TP/sqrt((TP + FN)*(TP + FP)) - Min(TP + FP, 1)", (0, 0, 3, 4), -1),
        ("Min(TP*log(TP), FN - 1) + Max(FN*log(FN), 1/(FP + TN))", (0, 0, 1, 1), -0.5),
        ("1/Min(FN*log(FN) + TN - FP, 3)", (1, 0, 2, 2), None),  # TN - FP may be either sign nearby
        ("1/Min(FN*log(FN) + TN - FP, 3)", (1, 0, 2, 4), 0.5),
        ("log(Abs(FN*log(FN) + TN - FP))", (1, 0, 2, 3), 0),
        ("TP*FN/(Max(TP, TP**2) + log(8) - 3*log(2))", (0, 5, 1, 1), 5),  # zero in disguise is added to the divisor
        ("Min(TP/(TP + FN), TP/(TP + FP))", (0, 0, 3, 4), 0),  # no recall is below a precision that tends to 0
        ("Min(TP/(TP + FN), TP/(TP + FP))", (0, 0, 0, 4), None),
        ("Max(FN/(TP + FN), 1/(1 + TP), TN/(FP + TN))", (0, 0, 3, 4), 1),
        ("Max(2*FN/(TP + FN), 1/(1 + TP))", (0, 0, 3, 4), None),
        ("Max(FN/(TP + FN), TN/(FP + TN))", (0, 0, 3, 4), None),  # 1 along TP = FN**2, less along TP = FN
        ("Min((TP - FN)/(TP + FN), TP)", (0, 0, 3, 4), None),
        ("Min(TN + FP + FN/TP, FP + FN)", (0, 0, 3, 4), 3),
    ],
)
def test_limits_of_parts_make_one_only_where_all_operations_are_continuous(
    formula: str, table: tuple[int, ...], value: float | None
) -> None:
    require_value(formula, table, value)


def require_value(formula: str, table: tuple[int, ...], value: float | None) -> None:
    """Require that arrays and exact numbers have a value at a table, or none."""
    metric = sm.Metric("mine", sm.parse_formula(formula))
    wanted = math.nan if value is None else value
    assert metric.from_counts(np.array([table])) == pytest.approx([wanted], nan_ok=True)
    assert float(metric.exact(*table)) == pytest.approx(wanted, nan_ok=True)


@in_one_test
@pytest.mark.parametrize(
    ("formula", "table", "value"),
    [  # by hand
        ("(Max(TP, FP) - FP)/TP", (0, 1, 3, 1), 0),  # FP - FP nearby, where FP exceeds TP
        ("(Max(TP, FP) - FP)/TP", (0, 1, 0, 1), None),  # 1 along FP = TP**2, 0 along TP = FP**2
        ("(Abs(TP - FP) - FP)/TP", (0, 1, 3, 1), -1),
        ("(Abs(TP - FP) - TP)/FP", (3, 1, 0, 1), -1),
        ("(FP - Min(TP + FN, FP))/(TP + FN)", (0, 0, 3, 1), math.inf),
        ("(Min(TP + FN, FP) - TP)/(TP + FN)", (0, 0, 3, 1), None),  # FN/(TP + FN)
        ("(Min(TP + FN, FP, 2*TN) - TP)/FN", (0, 0, 3, 1), 1),
        ("(Max(TP, Min(FP, 2*FP + TN)) - FP)/TP", (0, 1, 3, 1), 0),  # one inside of another
        ("(Max(TP/(FP - TN), FP) - FP)/TP", (0, 1, 2, 2), None),  # the part behind has a pole there
        ("(Max(TP/(TP + FN), 2) - 2)/TP", (0, 0, 3, 1), 0),  # recall is no more than 1, though without a limit
    ],
)
def test_an_extreme_is_near_a_table_the_part_that_is_in_front(
    formula: str, table: tuple[int, ...], value: float | None
) -> None:
    require_value(formula, table, value)


@in_one_test
@pytest.mark.parametrize(
    ("formula", "table", "value"),
    [  # by hand
        (
            "sqrt(2 - 2*TP/sqrt((TP + FN)*(TP + FP)))",
            (0, 0, 5, 11),
            math.sqrt(2),
        ),  # at most the root of TP/FP
        ("3*(1 - TP/sqrt((TP + FN)*(TP + FP)))**(3/4)", (0, 7, 0, 2), 3),
        ("(TN - TP/sqrt((TP + FN)*(TP + FP)))**(1/2)", (0, 0, 5, 4), 2),
        ("sqrt(TN - FP + TP/sqrt((TP + FN)*(TP + FP)))", (0, 0, 5, 4), None),  # of -1
        ("sqrt(2 - TP/(TP + FN))", (0, 0, 5, 11), None),
        ("sqrt(2 + sqrt(FN - 2*FP)*sqrt(FP - 2*FN) + FN*FP/(FN + FP))", (1, 0, 0, 1), None),  # real nowhere near
        ("(log(FP/(FP + TN)) - log(TP/(TP + FN)))/(log(FP/(FP + TN)) + log(TP/(TP + FN)))", (7, 0, 0, 3), 1),
        ("(log(FP/(FP + TN)) - log(TP/(TP + FN)))/(log(FP/(FP + TN)) + log(TP/(TP + FN)))", (0, 7, 3, 0), -1),
        ("(log(FP/(FP + TN)) - log(TP/(TP + FN)))/(log(FP/(FP + TN)) + log(TP/(TP + FN)))", (0, 7, 0, 3), None),
        ("(log(FN) + log(FP) - log(TN))/(3*log(FN*FP) + 5*log(TP))", (7, 0, 0, 3), 1 / 3),
        ("(log(FN) - log(TN))/(log(FN) + log(FP))", (7, 0, 0, 3), None),  # 1/2 along FN = FP, 2/3 along FN = FP**2
        ("(log(FN) + log(FP))/(log(FN) - log(FP) - log(TN))", (7, 0, 0, 3), None),  # the divisor may stay finite
        ("(log(FN) - log(FP))/(log(FN) - log(FP) + log(TN))", (7, 0, 0, 3), None),  # 0 along FN = FP
        ("(log(FN) + TN/FN)/(log(FN) + log(TP))", (7, 0, 1, 3), None),
        ("(TN*log(FN) + 1)/(log(FN) + log(TP))", (7, 0, 1, 3), None),  # it is TN, but no number
        ("TP**2/Min(TP + FN, TP + FP)", (0, 0, 0, 3), 0),
        ("(TP - FN)**2/Min(TP + FN, TP + FP)", (0, 0, 0, 3), None),  # FN is infinite beside the root of TP + FP
        ("-2*TP**2/Max(TP + FN, TP + FP)", (0, 0, 0, 3), 0),
        ("-2*TP**2/Min(TP + FN, TP + FP)", (0, 0, 0, 3), 0),
        ("TP**3/(FP*Min(TP + FN, TP + FP))", (0, 0, 0, 3), None),
        ("Max(TP/(TP + FN) - (TP + FP)/(TP + FN + FP + TN), TP/(TP + FP) - FN)", (0, 0, 5, 0), 0),
        ("Max(TP/(TP + FN) - (TP + FP)/(TP + FN + FP + TN), TP/(TP + FP) - FN)", (0, 0, 5, 1), None),
        ("Min(FN/(TP + FN) + (TP + FP)/(TP + FN + FP + TN), 1)", (0, 0, 5, 0), 1),
    ],
)
def test_limits_of_roots_of_logarithms_and_of_sums_in_extremes(
    formula: str, table: tuple[int, ...], value: float | None
) -> None:
    require_value(formula, table, value)


def test_a_quotient_by_an_extreme_is_the_extreme_of_quotients() -> None:
    above = [TP, (TP - FN) ** 2, (TP - FN) ** 3, (TP - FN) ** -2, TN - FP, Abs(TP - TN), Max(TP, TN)]
    below = [Min(TP, FN), Max(TP + FN, FP), Min(TP, FP - TN), Max(TP * TN, FN * FP, 1)]
    exponents, numbers = (-1, -2, Rational(-1, 2), 1), (1, -1, Rational(2, 3))
    changed = 0
    for factor, extreme, exponent, number in itertools.product(above, below, exponents, numbers):
        product = number * factor * extreme**exponent
        written = without_divisors_that_are_extremes(product)
        changed += written != product
        for counts in ((1, 3, 7, 2), (3, 1, 2, 7), (2, 5, 4, 1)):
            place = dict(zip(CELLS, map(Rational, counts), strict=True))
            assert written.xreplace(place).equals(product.xreplace(place)), product
    assert changed > 60


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("chord_distance", {(0, 0, 5, 11): math.sqrt(2), (0, 3, 0, 0): math.sqrt(2)}),
        ("hellinger_distance", {(0, 3, 0, 11): 2, (0, 0, 5, 0): 2}),
        ("added_value", {(0, 0, 5, 0): 0, (0, 5, 0, 0): 0}),
        ("extremal_dependence_index", {(7, 0, 0, 3): 1, (0, 2, 5, 0): -1}),
        ("symmetric_extremal_dependence_index", {(7, 0, 0, 3): 1, (0, 1, 2, 0): -1}),
        ("extreme_dependency_score", {(0, 4, 0, 0): -1}),
        ("gini_index", {(5, 0, 0, 0): 0, (0, 5, 0, 0): 0, (0, 0, 5, 0): 0, (0, 0, 0, 5): 0}),
        # Where FN is the square of TP = TN the first part tends to 1 - FP, where it is the same to minus infinity.
        ("certainty_factor", {(0, 0, 5, 0): None}),
        ("conviction_symmetric", {(0, 0, 5, 0): None}),
    ],
)
def test_limits_where_two_or_three_cells_are_zero(name: str, values: dict[tuple[int, ...], float | None]) -> None:
    formula = str(sm.metrics[name].at_defaults())
    for table, value in values.items():
        require_value(formula, table, value)


def test_lambda_of_goodman_and_kruskal_is_0_where_one_class_is_empty() -> None:
    """The larger class is always guessed then, and the errors of both guesses agree."""
    for name, tables in (
        ("goodman_kruskal_lambda", [(0, 0, 1, 2), (0, 0, 3, 1), (1, 2, 0, 0)]),
        ("goodman_kruskal_lambda_prediction", [(0, 1, 0, 2), (0, 3, 0, 1), (1, 0, 2, 0)]),
    ):
        assert sm.metrics[name].from_counts(np.array(tables)).tolist() == [0, 0, 0]


EXTREMES = {
    "1/max(FN/TP, FP/TP)": 0,
    "min(TP/(TP + FN), TN/FP)": 5,
    "abs(TP/(TP + FN) - TN/(TN + FP))": 7,
    "(TP + FN)*max(TP/(TP + FN), FP)/(FP + TN)": 0,
    "log(TP/(TP + FN))*FP/(TP + FP)": 1,
    "FP*TP*(TP + FN)/(FP*min(TP, FN))": 0,
}


def _faces_without_values(formula: Expr) -> int:
    """Return how many faces are known to have no values, after a look at some tables of each."""
    extension, known = extension_of(formula), 0
    for zeros in [zeros for count in (1, 2, 3, 4) for zeros in itertools.combinations(range(4), count)]:
        if extension.is_nan_on_face(frozenset(CELL_NAMES[k] for k in zeros)):
            known += 1
            for table in TABLES:
                assert extension.value(*(0 if k in zeros else cell for k, cell in enumerate(table))) is S.NaN, zeros
    return known


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", sorted(sm.metrics))
def test_a_face_that_is_known_to_have_no_values_has_none(name: str) -> None:
    """What is decided for a whole face at once is what is decided table by table."""
    _faces_without_values(sm.metrics[name].at_defaults())


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("formula", "known"), EXTREMES.items())
def test_a_face_of_extremes_that_is_known_to_have_no_values_has_none(formula: str, known: int) -> None:
    assert _faces_without_values(sm.parse_formula(formula)) >= known


def _formulas() -> st.SearchStrategy[Expr]:
    """Formulas in which zeros, infinite parts and what is neither meet in all operations."""

    def larger(parts: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
        parts = parts.filter(lambda part: bool(part.free_symbols))  # one over x - x is no number
        pairs = st.tuples(parts, parts)
        both = st.sampled_from([Add, Mul, Max, Min])
        return (
            st.builds(lambda kind, pair: kind(*pair), both, pairs)
            | st.builds(lambda pair: pair[0] - pair[1], pairs)
            | st.builds(lambda part, power: part**power, parts, st.sampled_from([-1, 2, S.Half, -S.Half]))
            | st.builds(lambda kind, part: kind(part), st.sampled_from([log, Abs]), parts)
        )

    rates = [cell / (cell + other) for cell, other in itertools.permutations(CELLS, 2)]
    inverses = [1 / part for part in (*CELLS, TP + FN, FN + FP)]
    leaf = st.sampled_from(CELLS) | st.sampled_from(inverses) | st.sampled_from(rates)
    return st.recursive(leaf, larger, max_leaves=5)


@settings(max_examples=2000 if is_thorough() else 40)
@example(TP * log(FN), {"TP"})
@example(Max(TP, FN) / TP, {"TP"})
@example(Max(TP, FN) / FN, {"FN"})
@example((TP + FN) * log(TP), {"TP"})
@given(_formulas(), st.sets(st.sampled_from(CELL_NAMES), min_size=2, max_size=3))
def test_what_has_no_value_by_parts_on_a_face_has_none_at_its_tables(formula: Expr, zeros: set[str]) -> None:
    if has_no_value_by_parts(formula, frozenset(zeros)):
        for table in TABLES:
            place = {cell: S(0 if cell.name in zeros else count) for cell, count in zip(CELLS, table, strict=True)}
            assert limit_by_parts(formula, place) is S.NaN


@pytest.mark.sampled(1)
@pytest.mark.parametrize("table", [(1e-300, 1e-300, 1e300, 0.0), (1e-300, 1e-300, 0.0, 1e300)])
def test_a_condition_whose_sign_shows_after_thousands_of_bits_alone_is_decided(table: tuple[float, ...]) -> None:
    """The oracle is the definition of Strehl and Ghosh (2002) with 2000 digits."""
    with mp.workdps(2000):
        tp, fn, fp, tn = map(mp.mpf, table)

        def entropy(*cells: Any) -> Any:
            return -mp.fsum(c / mp.fsum(cells) * mp.log(c / mp.fsum(cells)) for c in cells if c)

        actual, predicted = entropy(tp + fn, fp + tn), entropy(tp + fp, fn + tn)
        expected = float((actual + predicted - entropy(tp, fn, fp, tn)) / mp.sqrt(actual * predicted))
    assert sm.metrics["geometric_normalized_mutual_information"].from_counts(*table) == pytest.approx(
        expected, rel=1e-12
    )


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        ("sqrt(TP - FN) + TP/TN", "sqrt(-FN + TP)"),
        ("sqrt(FN - TP) + TP/TN", "sqrt(FN - TP)"),
        ("(TP - FN)**(1/3)*TN/(TN + FP)", "(-FN + TP)**(1/3)"),
        ("sqrt(TP - FN)*log(TP - FN) + FP/TN", "sqrt(-FN + TP)*log(-FN + TP)"),
    ],
)
def test_a_limit_is_not_real_where_the_formula_is_not(text: str, limit: str) -> None:
    verdict = sm.prove(text, "tn_limit")
    assert (verdict.status, verdict.value) == ("proved", limit)
    sm.check(verdict, text)


def test_extremes_of_logarithms_are_compared_to_any_precision() -> None:
    """The logarithms of these differ from the 137th digit on."""
    near, above = log(TP / TN), log((TP + FP) / TN)
    table = (1, 0, Rational(1, 10**136), 3)
    for formula, wanted in (
        (Max(near, above), above),
        (Min(near, above), near),
        (Abs(near - above), above - near),
        (Abs(above - near), above - near),
        (Abs(near), -near),
    ):
        difference = extension_of(formula).value(*table) - extension_of(wanted).value(*table)
        assert extension_of(difference).value(*table) == 0, formula


def test_a_formula_loses_no_digits_where_its_terms_agree_in_sign_or_are_small() -> None:
    fine = (TP * TN / FN, TP / (TP + FN), (TP * TN - FP * FN) / ((TP + FP) * (TN + FN)))
    assert all(extension_of(formula).is_well_conditioned for formula in fine)
    assert not any(extension_of(formula).is_well_conditioned for formula in (TP - FN, (TP - FN) / FP, log(TP)))
