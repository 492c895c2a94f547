"""Counterexamples: the smallest one, by trying all, and those at special tables."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest
from effort import examples, in_one_test
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import Expr, Rational

import symmetrics as sm
from symmetrics.checker.verify import check
from symmetrics.claims import Identity
from symmetrics.language.cells import CELLS, FN, FP, TN, TP
from symmetrics.language.parameter import Parameter
from symmetrics.prover.decide import decide

# A claim is M(first) < M(second) for the cells x and a step t: first = x + t*u, second = x + t*v, by part.
STILL = (0, 0, 0, 0)
RISES = {
    "increasing_tp": [(STILL, (1, 0, 0, 0))],
    "increasing_tn": [(STILL, (0, 0, 0, 1))],
    "decreasing_fn": [((0, 1, 0, 0), STILL)],
    "decreasing_fp": [((0, 0, 1, 0), STILL)],
    "monotone": [((0, 1, 0, 0), (1, 0, 0, 0)), ((0, 0, 1, 0), (0, 0, 0, 1))],
    "margins_decrease": [((0, 1, 0, 0), (0, 0, 0, 1)), ((0, 0, 1, 0), (0, 0, 0, 1))],
    "agreement_increases": [((0, 1, 1, 0), (1, 0, 0, 1))],
}
RISES["strongly_monotone"] = [RISES[key][0] for key in list(RISES)[:4]]
LARGEST_STEP = 12


def key_of(tables):
    return tuple((sum(table), *table) for table in tables)


def pairs_before(place, parts):
    """Return all pairs of tables before a place in the order, for steps up to a largest one."""
    total = place[0][0]
    found = []
    for first_shift, second_shift in parts:
        for cells in itertools.product(range(1, total - 2), repeat=4):
            for step in range(1, LARGEST_STEP + 1):
                first = tuple(c + step * s for c, s in zip(cells, first_shift, strict=True))
                second = tuple(c + step * s for c, s in zip(cells, second_shift, strict=True))
                if sum(first) <= total and key_of((first, second)) < place:
                    found.append((first, second))
    return found


def violates(metric, first, second):
    """Whether M(first) >= M(second), exactly, where both have a value."""
    low, high = (
        metric.at_defaults().expr.xreplace(dict(zip(CELLS, map(Rational, table), strict=True)))
        for table in (first, second)
    )
    return low.is_finite and high.is_finite and low.is_real and high.is_real and bool(low - high >= 0)


def smaller_counterexample(metric, tables, parts):
    pairs = pairs_before(key_of(tables), parts)
    if not pairs:
        return None
    first, second = (np.array([pair[place] for pair in pairs]).T for place in (0, 1))
    low, high = metric.from_counts(*first), metric.from_counts(*second)
    near = np.flatnonzero(~(high - low > 1e-9 * np.maximum(np.abs(low), np.abs(high))) & np.isfinite(low + high))
    return next((pairs[place] for place in near if violates(metric, *pairs[place])), None)


def assert_smallest(name, key):
    verdict = sm.prove(name, key)
    if verdict.status != "refuted" or "not known to be the smallest" in str(verdict):
        return False
    tables = [tuple(map(int, table)) for table in verdict.witness.tables]
    assert smaller_counterexample(sm.metrics[name], tables, RISES[key]) is None
    return True


# Cells whose counterexample was not the smallest, or was the smallest to one part of the property alone.
@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("stiles", "agreement_increases"),
        ("optimized_precision", "agreement_increases"),
        ("ample", "monotone"),
        ("batagelj_bren", "monotone"),
        ("anderberg_d", "margins_decrease"),
        ("adjusted_rand_index", "strongly_monotone"),
        ("anderberg_d", "strongly_monotone"),
        ("cramer_v", "increasing_tp"),
    ],
)
def test_no_smaller_counterexample_exists(name, key):
    assert assert_smallest(name, key)


@settings(max_examples=examples(25))
@given(st.sampled_from(sorted(sm.metrics)), st.sampled_from(sorted(RISES)))
def test_no_smaller_counterexample_exists_anywhere_in_the_library(name, key):
    if not sm.metrics[name].parameters:
        assert_smallest(name, key)


@in_one_test
@pytest.mark.parametrize(
    ("text", "key", "tables"),
    [
        # The first table of the claim is that with FN + t and FP + t: (1, 2, 3, 1) comes before (1, 3, 3, 1).
        ("Max(FN + FP, 5) - TN", "agreement_increases", None),
        # One of both parts fails at a smaller table than the other.
        ("Max(TP, 4) + TN", "monotone", ((1, 2, 1, 1), (2, 1, 1, 1))),
        ("TP + Max(TN, 4)", "monotone", ((1, 1, 2, 1), (1, 1, 1, 2))),
        ("Max(TP, 4) + Max(TN, 2)", "monotone", ((1, 1, 2, 1), (1, 1, 1, 2))),
        # The claim is about (TP, FN, k*TP, k*FN): k = 2 at (1, 1) makes a table of six counts, as TP = 2 at k = 1 does.
        ("Max(FN, 2)*TP/(TP + FN)", "independence_value", ((1, 2, 1, 2), (1, 1, 1, 1))),
        ("Max(FP, 5) + FN*TN", "independence_value", ((1, 1, 2, 2), (1, 1, 1, 1))),
    ],
)
def test_parts_and_shifted_tables_are_compared(text, key, tables):
    verdict = sm.prove(sm.parse_formula(text), key)
    assert verdict.status == "refuted"
    assert "not known to be the smallest" not in str(verdict)
    if tables is not None:
        assert tuple(tuple(map(int, table)) for table in verdict.witness.tables) == tables
    sm.check(verdict)
    if key in RISES:
        metric = sm.Metric("mine", sm.parse_formula(text))
        stated = [tuple(map(int, table)) for table in verdict.witness.tables]
        assert smaller_counterexample(metric, stated, RISES[key]) is None


def test_what_may_have_a_smaller_one_says_so():
    # At (1, 1, 1, 1) the partner is far away, so that the first table found is a larger one.
    verdict = sm.prove(sm.parse_formula("TP - Max(0, TP - 10**7 + (FN - 1)*10**7)*2"), "increasing_tp")
    assert verdict.status == "refuted"
    assert verdict.witness.tables[0] == (1, 1, 1, 1) or "not known to be the smallest" in str(verdict)


# Parameters for which a formula has values, but none at one of the special tables that a claim compares.

# At w = 1 each of these has one value wherever it has one, but none at the table of ones, or at balanced classes.
VANISHING = [
    ("(w*TP - FN)/(TP - w*FN)", "independence_value"),
    ("(TPR - w*FNR)/(w*TPR - FNR)", "independence_value"),
    ("(TP + TN - w*(TP + TN))/(TP*TN - w*FN*FP)", "independence_value"),
    ("(TP - FN)**2/(TP**2 + FN**2 - 2*w*TP*FN)", "independence_value"),
    ("(P - w*N)/(w*P - N)", "no_imbalance_bias"),
]


@pytest.mark.parametrize(("formula", "key"), VANISHING)
def test_nothing_is_said_of_parameters_that_take_the_value_at_a_special_table_away(formula: str, key: str) -> None:
    metric = sm.Metric("mine", formula, parameters="w in [-1, 1]")
    verdict = sm.prove(metric, key)
    assert verdict.status == "open"
    assert (
        "where w = 1, the metric has no value at one of the tables that the property compares"
        in verdict.evidence.sentence
    )
    bound = sm.prove(metric.at(w=1), key)
    assert bound.status != "refuted"


@pytest.mark.parametrize(("formula", "key"), VANISHING)
def test_without_these_parameters_the_question_is_decided_and_verified(formula: str, key: str) -> None:
    metric = sm.Metric("mine", formula, parameters="w in [-1, 1)")
    verdict = sm.prove(metric, key)
    assert verdict.status in ("conditional", "refuted")
    sm.check(verdict, metric)


def test_parameters_without_any_value_are_left_out_as_ever() -> None:
    """Weights that are all zero, and a threshold of 1, leave the formula without a value at all tables."""
    for name in ("weighted_accuracy", "net_benefit"):
        assert sm.prove(name, "independence_value").status in ("conditional", "refuted")


@pytest.mark.parametrize(("subject", "status"), [(FN / TP, "open"), (TP / (TP + FN), "conditional")])
def test_a_parameter_in_a_table_may_take_the_value_away(subject: Expr, status: str) -> None:
    """At w = 0 all tables of the second side have TP = 0."""
    w = Parameter.parse("w in [0, 2]")
    claim = Identity(subject, (w,), (CELLS, (w.symbol * TP, FN, FP, TN)))
    verdict = decide(claim, metric="mine", property="factor")
    assert verdict.status == status
    check(verdict)
    narrow = decide(replace(claim, parameters=(Parameter.parse("w in (0, 2]"),)), metric="mine", property="factor")
    assert narrow.status == "conditional"
    check(narrow)
