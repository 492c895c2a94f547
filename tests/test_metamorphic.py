"""What is asked in other words gets the same answer: permuted, scaled, renamed, rewritten and bound formulas.

The whole library is drawn from, so that a new record is tested without being mentioned.  Nothing here knows a right
answer: two answers are compared, of which one may be open.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from effort import examples, some
from fuzz_conditions import cases_at, holds
from fuzz_formulas import CELLS as NAMES
from fuzz_formulas import draw_table
from fuzz_judge import Judge
from fuzz_questions import other_default, other_status, other_value
from fuzz_spaces import rank, stated_space
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st
from sympy import Integer, Rational, expand, factor, together

import symmetrics as sm
from symmetrics.language.cells import CELLS, parameter_symbol
from symmetrics.language.writer import formula_text

PARAMETRIC = sorted(name for name, metric in sm.metrics.items() if metric.parameters)
METRICS = st.sampled_from(sorted(sm.metrics))
KEYS = st.sampled_from(sorted(sm.properties))


def few(number: int) -> settings:
    """Return settings for questions that take a while."""
    return settings(max_examples=examples(number), deadline=None, suppress_health_check=[HealthCheck.too_slow])


# -- the tables: which property of the changed formula is which of the old one ----------------------------------------

CELL_KEYS = ("p4", "p5", "p3", "p2")
"""Invariance under a change in TP, FN, FP, TN."""
ANY_ORDER = {"homogeneous", "translation_space", "scaling_space", "symmetry_group", "decomposable", "range"}
"""What no permutation of the cells changes."""
SAME = {"p1", "transpose", "antisymmetric", "scaling", "independence_value", "agreement_increases", "strongly_monotone"}
SAME |= {"max_agreement", "min_agreement", "constant_baseline", "defined"}
"""What does not change where agreement stays agreement: FN and FP are exchanged, or TP and TN, or both."""
PAIRS = {
    "transpose": [
        ("predicted_scaling", "actual_scaling"),
        ("decreasing_fn", "decreasing_fp"),
        ("margins_decrease",) * 2,
    ],
    "classes": [("decreasing_fn", "decreasing_fp"), ("increasing_tp", "increasing_tn"), ("monotone",) * 2],
    "diagonal": [("predicted_scaling", "actual_scaling"), ("increasing_tp", "increasing_tn")],
}
FIXED = {
    "transpose": ["increasing_tp", "increasing_tn"],
    "classes": ["predicted_scaling", "actual_scaling", "no_imbalance_bias"],
    "diagonal": ["decreasing_fn", "decreasing_fp"],
}
ORDERS = {"transpose": (0, 2, 1, 3), "classes": (3, 2, 1, 0), "diagonal": (3, 1, 2, 0)}
UNLIKE_SCALED = {"antisymmetric", "symmetry_group"}
"""What another scale or origin changes."""


def induced(order: tuple[int, ...]) -> dict[str, str]:
    """Return, for properties of M taken at permuted cells, the property of M that each is."""
    found = {key: key for key in ANY_ORDER}
    found |= {CELL_KEYS[place]: CELL_KEYS[slot] for slot, place in enumerate(order)}
    for name, known in ORDERS.items():
        if order == known:
            found |= {key: key for key in (*SAME, *FIXED[name])}
            for first, second in PAIRS[name]:
                found |= {first: second, second: first}
    return found


# -- comparisons -----------------------------------------------------------------------------------------------------


def contradiction(first: sm.Verdict, second: sm.Verdict, declared: list[str]) -> str | None:
    """Return how two verdicts that have to say the same contradict each other, or None."""
    if "open" in (first.status, second.status):
        return None
    judge = Judge("0", declared, Random(1))
    conditions = [verdict.to_dict()["condition"] for verdict in (first, second)]
    for _ in range(12 if declared else 1):
        parameters = judge.special(*conditions)
        said = [
            verdict.status == "proved" or (condition is not None and holds(condition, parameters))
            for verdict, condition in zip((first, second), conditions, strict=True)
        ]
        if said[0] is not said[1]:
            return f"{first} / {second} at {parameters}"
    return f"{first.holds} / {second.holds}" if {first.holds, second.holds} == {True, False} else None


def declared(metric: sm.Metric) -> list[str]:
    return [str(parameter) for parameter in metric.parameters]


def prove(metric: sm.Metric, key: str) -> sm.Verdict:
    # The group of four weights takes a minute.
    assume(not (key == "symmetry_group" and len(metric.parameters) > 2))
    return sm.prove(metric, key)


def changed(metric: sm.Metric, expression, name: str = "changed") -> sm.Metric:
    return sm.Metric(name, expression, metric.parameters)


def permuted(metric: sm.Metric, order: tuple[int, ...]) -> sm.Metric:
    return changed(metric, metric.expr.xreplace(dict(zip(CELLS, (CELLS[place] for place in order), strict=True))))


# -- permuted --------------------------------------------------------------------------------------------------------


@few(45)
@given(METRICS, st.permutations(range(4)), st.data())
def test_permuting_the_cells_permutes_the_properties(name, order, data):
    metric, known = sm.metrics[name], induced(tuple(order))
    key = data.draw(st.sampled_from(sorted(known)))
    found = prove(permuted(metric, tuple(order)), key)
    assert contradiction(found, prove(metric, known[key]), declared(metric)) is None


@few(45)
@given(METRICS, st.sampled_from(sorted(ORDERS)), st.data())
def test_exchanges_that_keep_agreement_permute_the_properties(name, exchange, data):
    metric, known = sm.metrics[name], induced(ORDERS[exchange])
    key = data.draw(st.sampled_from(sorted(set(known) - ANY_ORDER)))
    found = prove(permuted(metric, ORDERS[exchange]), key)
    assert contradiction(found, prove(metric, known[key]), declared(metric)) is None


@few(25)
@given(METRICS, st.permutations(range(4)), st.sampled_from(["translation_space", "scaling_space"]))
def test_permuting_the_cells_permutes_the_directions(name, order, key):
    metric = sm.metrics[name]
    values = [prove(one, key).value for one in (permuted(metric, tuple(order)), metric)]
    assume(None not in values)
    judge = Judge("0", declared(metric), Random(1))
    for _ in range(4):
        parameters = judge.special(*values)
        cases = [cases_at(value, parameters) for value in values]
        if not all(cases) or any(one[0].startswith("at least") for one in cases):
            continue
        first, second = (stated_space(one[0], parameters) for one in cases)
        moved = [[vector[order.index(place)] for place in range(4)] for vector in second]
        size = rank([*first, *moved]) if first or moved else 0
        assert len(first) == len(moved) == size, (values, parameters)


@few(20)
@given(METRICS, st.sampled_from(sorted(ORDERS)))
def test_a_permuted_formula_is_the_exchange_of_the_old_one(name, exchange):
    metric = sm.metrics[name]
    relation = {"transpose": "transpose_of", "classes": "class_exchange_of", "diagonal": "diagonal_exchange_of"}[
        exchange
    ]
    assert sm.relate(permuted(metric, ORDERS[exchange]), metric, relation).status != "refuted"


# -- scaled, renamed, rewritten ----------------------------------------------------------------------------------------


@few(45)
@given(METRICS, KEYS, st.sampled_from(["2", "1/3", "1e-30", "10**9"]), st.sampled_from([0, 0, -1, 10**6]))
def test_another_unit_and_origin_change_nothing(name, key, factor_, origin):
    assume(key not in UNLIKE_SCALED)
    metric = sm.metrics[name]
    unit = {"1e-30": Rational(1, 10**30), "10**9": Integer(10**9)}.get(factor_) or Rational(factor_)
    found = prove(changed(metric, unit * metric.expr + origin), key)
    assert contradiction(found, prove(metric, key), declared(metric)) is None


@few(25)
@given(METRICS, KEYS)
def test_another_name_changes_nothing(name, key):
    metric = sm.metrics[name]
    found, known = prove(changed(metric, metric.expr, "another_name"), key), prove(metric, key)
    assert (found.status, found.holds, found.condition, found.value) == (
        (known.status, known.holds, known.condition, known.value) if found.status != "open" else
        ("open", found.holds, found.condition, found.value)
    )  # fmt: skip


@few(25)
@given(st.sampled_from(PARAMETRIC), KEYS)
def test_other_names_of_the_parameters_change_nothing(name, key):
    metric = sm.metrics[name]
    names = {p.name: f"q{place}" for place, p in enumerate(metric.parameters)}
    places = {p.symbol: parameter_symbol(names[p.name]) for p in metric.parameters}
    renamed = tuple(sm.Parameter.parse(str(p).replace(p.name, names[p.name], 1)) for p in metric.parameters)
    found, known = prove(sm.Metric("renamed", metric.expr.xreplace(places), renamed), key), prove(metric, key)
    condition = None if known.condition is None else known.condition.xreplace(places)
    same = sm.Verdict(**{**vars(known), "condition": condition})
    assert contradiction(found, same, [str(parameter) for parameter in renamed]) is None


REWRITINGS = {
    "expanded": expand,
    "together": together,
    "factored": factor,
    "complement of the complement": lambda expression: 1 - expand(1 - expression),
}


@pytest.mark.thorough
@few(45)
@given(METRICS, KEYS, st.sampled_from(sorted(REWRITINGS)))
def test_another_form_of_the_formula_changes_nothing(name, key, form):
    # Where it is defined depends on how it is written.
    assume(key != "defined")
    metric = sm.metrics[name]
    found = prove(changed(metric, REWRITINGS[form](metric.expr)), key)
    assert contradiction(found, prove(metric, key), declared(metric)) is None


# -- bound -------------------------------------------------------------------------------------------------------------


@pytest.mark.thorough
@pytest.mark.parametrize("name", PARAMETRIC)
@few(6)
@given(key=KEYS, seed=st.integers(0, 10**6))
@example(key="translation_space", seed=1)
@example(key="scaling_space", seed=2)
def test_bound_parameters_agree_with_the_condition(name, key, seed):
    metric = sm.metrics[name]
    verdict = prove(metric, key)
    said = verdict.to_dict()
    judge = Judge(formula_text(metric.expr), declared(metric), Random(seed))
    defaults = {p.name: Fraction(str(p.default)) for p in metric.parameters}
    for parameters in (defaults, judge.special(said["condition"], verdict.value)):
        if all(judge.at(draw_table(judge.random), parameters) is None for _ in range(8)):
            continue
        try:
            bound = metric.at(**{name: str(value) for name, value in parameters.items()})
        except sm.SymmetricsError:  # the formula has no value there, whatever the counts
            continue
        found = sm.prove(bound, key)
        assert other_status(key, said, found.holds, judge, parameters) is None
        assert other_default(metric, verdict, parameters, found) is None
        assert other_value(key, verdict.value, found.value, judge, parameters) is None


# -- the comparisons themselves ----------------------------------------------------------------------------------------


@pytest.mark.thorough
def test_the_table_of_induced_properties_is_what_the_claims_say():
    """Compare with values: where M has a property, the permuted formula has the induced one, and not another."""
    from fuzz_laws import LAWS

    examples = [
        "TP",
        "TP/(TP + FN)",
        "TP/(TP + FP)",
        "TP*TN - FN*FP",
        "TP*TN/(FN*FP)",
        "TP - FN",
        "TN - 3*FP",
        "TP + TN",
    ]
    examples += ["TP + 2*TN - FN - 3*FP", "FN - TP", "TP/(TP + FN) + TN/(FP + TN)", "(TP - FN)*(TN - FP)", "TP - 5*FP"]
    for order in some(ORDERS.values(), 1):
        for key, other in induced(order).items():
            for text in examples if key in LAWS and other in LAWS else ():
                metric = sm.Metric("example", sm.parse_formula(text))
                moved = Judge(formula_text(permuted(metric, order).expr), (), Random(3))
                found = [
                    any(judge.violation(LAWS[one], {}) for _ in range(40))
                    for judge, one in ((moved, key), (Judge(text, (), Random(4)), other))
                ]
                assert found[0] == found[1], (text, order, key, other)


def test_a_contradiction_is_noticed():
    proved, refuted = sm.prove("tpr", "p2"), sm.prove("tpr", "p4")
    assert contradiction(proved, refuted, [])
    assert contradiction(proved, proved, []) is None
    conditional, cwa = sm.prove("cwa", "p1"), declared(sm.metrics["cwa"])
    assert contradiction(conditional, proved, cwa)
    assert contradiction(conditional, refuted, cwa)
    assert contradiction(conditional, conditional, cwa) is None


def test_every_property_stands_in_a_table():
    limits = {"tn_limit", "prevalence_limit"}
    listed = {*limits, *(key for order in ORDERS.values() for key in induced(order))}
    assert listed == set(sm.properties), "say how a permutation of the cells changes it"
    assert len(NAMES) == 4
