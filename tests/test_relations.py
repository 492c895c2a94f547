"""Relations between metrics: theorems of the literature, links, the order of all pairs, and what may not pass."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import networkx as nx
import numpy as np
import pytest
from effort import examples, in_one_test, some
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import Abs, Integer, Max, Min, Rational, log, pi, sqrt
from tables import rows

import symmetrics as sm
from symmetrics import FN, FP, TN, TP, Metric, Parameter, Verdict
from symmetrics.checker import check
from symmetrics.prover.engine.chains import recognised
from symmetrics.prover.engine.samples import GENERIC
from symmetrics.query.graph import families, relation_graph, to_graphml, to_json
from symmetrics.query.order import Order, Pool, _Search, is_defined_everywhere, order
from symmetrics.query.relations import check_relation, relate, relations
from symmetrics.tools.errors import CertificateError, InputError, UnknownNameError

M = sm.metrics

# -- theorems ----------------------------------------------------------------------------------------------------------

ABS_KAPPA = Metric("abs_kappa", Abs(M.kappa.expr))
ABS_MCC = Metric("abs_mcc", Abs(M.mcc.expr))
SQUARED_MCC = Metric("squared_mcc", M.mcc.expr**2)
PRODUCT = Metric("product", M.informedness.expr * M.markedness.expr)
SMALLER = Metric("smaller", Min(Abs(M.informedness.expr), Abs(M.markedness.expr)))
HALF_SUM = Metric("half_sum", (Abs(M.informedness.expr) + Abs(M.markedness.expr)) / 2)
LARGER = Metric("larger", Max(Abs(M.informedness.expr), Abs(M.markedness.expr)))
PRECISION_RECALL_MEAN = Metric("mean", (TP / (TP + FN) + TP / (TP + FP)) / 2)

NOWHERE_LARGER = [
    ("harmonic_class_accuracy", "gmean"),
    ("gmean", "auc_single"),
    ("auc_single", "quadratic_class_accuracy"),
    ("worst_class_accuracy", "harmonic_class_accuracy"),
    ("jaccard", "f1"),
    ("f1", "fowlkes_mallows"),
    ("fowlkes_mallows", PRECISION_RECALL_MEAN),
    ("kappa", "f1"),
    ("kappa", "accuracy"),
    (ABS_MCC, HALF_SUM),
    ("all_confidence", "jaccard_distance"),
]
REFUTED = {("all_confidence", "jaccard_distance")}


def name_of(metric: Metric | str) -> str:
    return metric if isinstance(metric, str) else metric.name


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("first", "second"), NOWHERE_LARGER, ids=lambda metric: name_of(metric))
def test_inequalities_of_the_literature(first: Metric | str, second: Metric | str) -> None:
    verdict = relate(first, second, "less_equal")
    expected = "refuted" if (first, second) in REFUTED else "proved"
    assert verdict.status == expected
    check(Verdict.from_json(verdict.to_json()))
    assert relate(second, first, "less_equal").status == "refuted"


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("first", "second"),
    [(ABS_KAPPA, ABS_MCC), (SMALLER, ABS_MCC), (ABS_MCC, LARGER), ("mcc", "gmean"), ("mcc", "accuracy")],
    ids=lambda metric: name_of(metric),
)
def test_true_inequalities_that_may_be_too_hard(first: Metric | str, second: Metric | str) -> None:
    """They hold, so that open is an honest answer to them and refuted is none."""
    verdict = relate(first, second, "less_equal")
    assert verdict.status in ("proved", "open")
    check(Verdict.from_json(verdict.to_json()))


def test_the_square_of_mcc_is_informedness_times_markedness() -> None:
    verdict = relate(SQUARED_MCC, PRODUCT, "equal")
    assert verdict.status == "proved"
    check(Verdict.from_json(verdict.to_json()))


def test_f1_exceeds_accuracy_first_at_the_smallest_table() -> None:
    verdict = relate("f1", "accuracy", "less_equal")
    smallest = next(
        table
        for total in range(4, 8)
        for table in itertools.product(range(1, total), repeat=4)
        if sum(table) == total
        and Fraction(2 * table[0], 2 * table[0] + table[1] + table[2]) > Fraction(table[0] + table[3], total)
    )
    assert verdict.status == "refuted"
    assert verdict.witness is not None
    assert verdict.witness.tables == (smallest, smallest)
    assert verdict.witness.values == (Rational(2, 3), Rational(3, 5))
    check(verdict)


@in_one_test
@pytest.mark.parametrize(
    ("first", "second", "relation"),
    [*rows("relations", "identities", 3), (Metric("minus", -M.mcc.expr), "mcc", "negation_of")],
    ids=str,
)
def test_identities(first: Metric | str, second: str, relation: str) -> None:
    verdict = relate(first, second, relation)
    assert verdict.status == "proved"
    check(Verdict.from_json(verdict.to_json()))


@in_one_test
@pytest.mark.parametrize("relation", [name for name in relations if name not in ("affine", "less_equal")])
def test_what_does_not_hold_has_a_witness(relation: str) -> None:
    verdict = relate("mcc", "p4", relation)
    assert verdict.status == "refuted"
    assert verdict.witness is not None
    check(Verdict.from_json(verdict.to_json()))


def test_an_affine_function_that_two_tables_ask_for_fails_at_a_third() -> None:
    verdict = relate("f1", "jaccard", "affine")
    assert verdict.status == "refuted"
    check(verdict)


# -- order of tables, and links ----------------------------------------------------------------------------------------

LINKS = rows("relations", "links", 3)


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("first", "second", "link"), LINKS, ids=str)
def test_links(first: str, second: str, link: str | None) -> None:
    verdict = relate(first, second, "rank_equivalent")
    assert verdict.status == "proved"
    assert link in (None, verdict.value)
    check(Verdict.from_json(verdict.to_json()))
    opposite = relate(first, second, "rank_reversed")
    assert opposite.status == "refuted"
    check(opposite)


def test_a_decreasing_link_says_so() -> None:
    verdict = relate("jaccard_distance", "f1", "rank_reversed")
    assert (verdict.status, verdict.value) == ("proved", "M = (2 - 2*partner)/(2 - partner)")
    assert "decreasing" in verdict.evidence.sentence
    check(verdict)


def test_the_square_is_no_link_where_values_are_negative() -> None:
    verdict = relate(SQUARED_MCC, "mcc", "rank_equivalent")
    assert verdict.status == "refuted"
    check(verdict)


def test_a_pole_within_the_values_is_no_link() -> None:
    """1/mcc is a decreasing function of mcc below zero and above zero, but not across."""
    inverse = Metric("inverse", 1 / M.mcc.expr)
    for relation in ("rank_equivalent", "rank_reversed"):
        verdict = relate(inverse, "mcc", relation)
        assert verdict.status == "refuted"
        check(verdict)


def test_almost_the_same_order_is_told_apart() -> None:
    """The two differ by a hair at every table, and only close tables show it."""
    verdict = relate("iba_gmean", "iba_squared_gmean", "rank_equivalent")
    assert verdict.status == "refuted"
    check(Verdict.from_json(verdict.to_json()))


def test_free_parameters_leave_the_order_open() -> None:
    weighted = Metric("weighted", TP / (TP + TN * sm.Parameter("w").symbol), (Parameter("w", 0, 1),))
    assert relate(weighted, "tpr", "rank_equivalent").status == "open"


@settings(max_examples=examples(60), deadline=None)
@given(st.lists(st.integers(1, 60), min_size=8, max_size=8))
def test_proved_orders_hold_at_random_tables(cells: list[int]) -> None:
    first, second = cells[:4], cells[4:]
    for left, right, _ in LINKS:
        moves = [M[name].from_counts(*second) - M[name].from_counts(*first) for name in (left, right)]
        if min(map(abs, moves)) > 1e-9:
            assert (moves[0] > 0) == (moves[1] > 0), (left, right)


# -- the order of all pairs --------------------------------------------------------------------------------------------

SOME = (
    *("accuracy", "f1", "jaccard", "kappa", "gmean", "precision", "tpr", "tnr", "fowlkes_mallows", "kulczynski"),
    *("auc_single", "harmonic_class_accuracy", "overlap_coefficient", "all_confidence", "informedness", "markedness"),
    *("npv", "p4", "worst_class_accuracy", "dice_twice", "error_rate", "bray_curtis", "concordance_probability"),
)


@pytest.fixture(scope="module")
def found() -> Order:
    listed = [Metric(name, 2 * TP / (2 * TP + FN + FP)) if name == "dice_twice" else M[name] for name in SOME]
    return order(listed, processes=1, progress=False)


def test_every_pair_is_settled(found) -> None:
    counts = found.counts()
    assert sum(counts.values()) == len(SOME) * (len(SOME) - 1)
    assert counts["open"] <= counts["proved"] // 50


def test_every_verdict_of_the_order_is_verified(found) -> None:
    refuted = [pair for pair in found.pairs() if found.status(*pair) == "refuted"]
    for pair in (*some(refuted, 35, "refuted"), *some(found.direct, 15, "direct")):
        verdict = found.verdict(*pair)
        assert verdict.status == found.status(*pair)
        assert verdict.claim == relations["less_equal"].claim(*(found.metrics[name] for name in pair))
        check(verdict)


def test_what_follows_has_a_chain_of_proofs(found) -> None:
    assert found.chain("jaccard", "overlap_coefficient")[0] == "jaccard"
    for pair in found.via:
        chain = found.chain(*pair)
        assert (chain[0], chain[-1]) == pair
        assert all(found.direct[step].status == "proved" for step in itertools.pairwise(chain))
    with pytest.raises(InputError, match="refuted: there is no chain"):
        found.chain("f1", "jaccard")


def test_the_order_agrees_with_values_at_random_tables(found) -> None:
    random = np.random.default_rng(7)
    cells = np.exp(random.uniform(0, 12, (4, 4000))).round()
    values = {name: metric.from_counts(*cells) for name, metric in found.metrics.items()}
    for first, second in found.pairs():
        if found.status(first, second) == "proved":
            assert (values[first] <= values[second] + 1e-12).all(), (first, second)


def test_equal_metrics_are_one_node_of_the_drawing(found) -> None:
    assert found.status("f1", "dice_twice") == found.status("dice_twice", "f1") == "proved"
    reduced = found.reduction()
    assert reduced.nodes["dice_twice"]["equal_to"] == "f1"
    assert "f1" not in reduced
    assert nx.is_directed_acyclic_graph(reduced)
    closed = nx.transitive_closure(reduced)
    assert closed.has_edge("jaccard", "overlap_coefficient")
    assert not reduced.has_edge("jaccard", "overlap_coefficient")


def test_nothing_follows_by_way_of_a_metric_that_is_not_everywhere_defined() -> None:
    """Below FN = TP the root has no value, so that it cannot stand between the other two."""
    below, root, above = FN - TP, sqrt(TP - FN), TP - FN + 1
    assert not is_defined_everywhere(root)
    assert not is_defined_everywhere(log(TP / FN - 1))
    assert not is_defined_everywhere(1 / (TP - FN))
    assert is_defined_everywhere(log(TP / FN) + sqrt(TP))
    found = order([Metric("below", below), Metric("root", root), Metric("above", above)], processes=1)
    assert found.status("below", "above") == "refuted"


def test_what_was_open_and_follows_from_others_is_proved() -> None:
    found = order(["jaccard", "f1", "fowlkes_mallows"], processes=1)
    search = _Search(found.metrics, {pair: found.verdict(*pair) for pair in found.pairs()})
    search.names, search.everywhere = list(found.metrics), set(found.metrics)
    pair = ("jaccard", "fowlkes_mallows")
    search.direct[pair] = replace(search.direct["f1", "jaccard"], status="open")
    search.close()
    closed = Order(search.metrics, search.direct, search.tables, search.via)
    assert (closed.status(*pair), closed.verdict(*pair).status) == ("proved", "proved")


@pytest.mark.thorough
def test_two_processes_find_the_same() -> None:
    names = SOME[:12]
    one, two = (order([M[name] for name in names], processes=count, progress=False) for count in (1, 2))
    assert [one.status(*pair) for pair in one.pairs()] == [two.status(*pair) for pair in two.pairs()]


def test_two_metrics_of_one_name_are_an_error() -> None:
    with pytest.raises(InputError, match="two metrics are called 'f1'"):
        order(["f1", Metric("f1", TP / (TP + FN))])


# -- the graph ---------------------------------------------------------------------------------------------------------

RELATED = rows("relations", "related")


@pytest.fixture(scope="module")
def graph() -> nx.MultiDiGraph:
    return relation_graph(RELATED, processes=1, progress=False)


def test_edges_have_verdicts_that_are_verified(graph: nx.MultiDiGraph) -> None:
    assert graph.edges["f1", "jaccard", "rank_equivalent"]["equation"] == "M = 2*jaccard/(jaccard + 1)"
    for _, _, data in graph.edges(data=True):
        if "verdict" in data:
            check(data["verdict"])
        else:
            assert data["relation"] == "less_equal"
            assert data["via"] in graph


def test_families(graph: nx.MultiDiGraph) -> None:
    assert families(graph, "equal") == [{"f1", "tversky"}]
    assert {"accuracy", "bennett_s"} in families(graph, "affine")
    assert families(graph, "rank")[0] == {"f1", "jaccard", "bray_curtis", "tversky"}
    with pytest.raises(InputError, match="unknown kind of family 'x': known are equal, affine, rank"):
        families(graph, "x")


def test_kappa_tends_to_f1(graph: nx.MultiDiGraph) -> None:
    assert graph.has_edge("f1", "kappa", "limit_of")
    assert not graph.has_edge("kappa", "f1", "limit_of")


def test_exports(graph: nx.MultiDiGraph, tmp_path) -> None:
    again = nx.parse_graphml(to_graphml(graph, tmp_path / "relations.graphml"))
    assert set(again) == set(RELATED)
    assert again.number_of_edges() == graph.number_of_edges()
    data = json.loads(to_json(graph, tmp_path / "relations.json"))
    assert json.loads((tmp_path / "relations.json").read_text()) == data
    for edge in data["edges"]:
        if "verdict" in edge:
            check(Verdict.from_certificate(edge["verdict"]))


# -- the rest ----------------------------------------------------------------------------------------------------------


def test_parameters_are_at_their_defaults_or_free() -> None:
    assert relate("f_beta", "f1").status == "proved"
    w = Parameter("w", 0, 1)
    weighted = Metric("weighted", w.symbol * TP / (TP + FN) + (1 - w.symbol) * TN / (TN + FP), (w,))
    verdict = relate(weighted, "auc_single")
    assert (verdict.status, str(verdict.condition)) == ("conditional", "Eq(w, 1/2)")
    check(Verdict.from_json(verdict.to_json()))
    other = Metric("other", Parameter("w", 0, 2).symbol * TP, (Parameter("w", 0, 2),))
    with pytest.raises(InputError, match="w is another parameter in weighted than in other"):
        relate(weighted, other)


def test_a_certificate_about_other_metrics_is_rejected() -> None:
    verdict = relate("jaccard", "f1", "less_equal")
    check_relation(Verdict.from_json(verdict.to_json()))
    check_relation(relate("fleiss_association", "sokal_sneath_4", "affine"))
    check_relation(relate(TP / (TP + FN), "fnr", "complement_of"), TP / (TP + FN))
    for changes in ({"metric": "kappa"}, {"property": "less_equal:mcc"}, {"property": "equal:f1"}):
        with pytest.raises(CertificateError, match="another statement"):
            check_relation(Verdict.from_certificate(verdict.certificate() | changes))
    with pytest.raises(UnknownNameError):
        check_relation(Verdict.from_certificate(verdict.certificate() | {"property": "smaller:f1"}))


@pytest.mark.parametrize("ask", [order, relation_graph])
def test_metrics_to_order_are_a_list_that_names_some(ask: Callable[[object], object]) -> None:
    with pytest.raises(InputError, match=r"'f1' is one metric, or none: pass a list"):
        ask("f1")
    with pytest.raises(InputError, match="no metric is named"):
        ask([])


def test_an_unknown_relation_is_named() -> None:
    with pytest.raises(UnknownNameError, match="unknown relation of two metrics 'similar'"):
        relate("f1", "jaccard", "similar")


def test_numbers_are_recognised_or_not() -> None:
    import mpmath

    with mpmath.workdps(100):
        assert recognised(mpmath.mpf(3) / 7) == Rational(3, 7)
        assert recognised(-mpmath.sqrt(2) / 3) == -sqrt(2) / 3
        assert recognised(1 / mpmath.log(10)) == 1 / log(10)
        assert recognised(mpmath.sqrt(3) / mpmath.pi) == sqrt(3) / pi
        assert recognised(2 * mpmath.pi / mpmath.sqrt(3)) == 2 * pi / sqrt(3)
        assert recognised(mpmath.sqrt(17) + mpmath.e) is None
        assert recognised(mpmath.mpf(0)) == Integer(0)


def test_generic_tables_are_different() -> None:
    assert len(set(GENERIC)) == len(GENERIC)
    assert all(cell > 0 for table in GENERIC for cell in table)


def test_a_pool_starts_at_the_table_that_it_is_given() -> None:
    pool = Pool([TP, FN, TP + 1])
    start = len(pool.tables)
    for table in [(1, 2, 1, 1), (1, 3, 1, 1), (5, 4, 1, 1)]:
        pool.add(table)
    assert pool.violations(0, start) == {1: (5, 4, 1, 1)}
    assert 2 not in pool.violations(0)


# -- far from small tables ---------------------------------------------------------------------------------------------

KINKED = (
    Min(TP, 10**6),
    Min(TP, 10**12),
    Max(TP, FN - 10**8),
    TP + Max(TN - 10**7, 0),
    Max(TP, Rational(1, 10**9)),
    TP * Min(1, 10**5 / FN),
    Min(TP, FN**2 * 10**9),
)
"""Formulas that are TP at all small tables, and not at all tables."""
LARGER_SOMEWHERE = (Min(TP, 10**6), Min(TP, 10**12), TP * Min(1, 10**5 / FN), Min(TP, FN**2 * 10**9))
"""Those of them that TP exceeds at some tables, by hand: where the first argument of Min is the larger one."""


@pytest.mark.sampled(3)
@pytest.mark.parametrize("kinked", KINKED, ids=str)
def test_a_counterexample_far_away_is_found_for_relations_of_all_kinds(kinked):
    plain, other = Metric("plain", TP), Metric("kinked", kinked)
    for relation in ("equal", "transpose_of", "affine", "rank_equivalent"):
        verdict = relate(plain, other, relation)
        assert verdict.status == "refuted", (kinked, relation)
        check(verdict)
    expected = "refuted" if kinked in LARGER_SOMEWHERE else "proved"
    assert relate(plain, other, "less_equal").status == expected


def test_a_property_is_refuted_where_min_and_max_change_far_away():
    """TN matters where FP > 10**9*TN alone."""
    verdict = sm.prove(Metric("mine", TP + Min(FP, 10**9 * TN)), "p2")
    assert verdict.status == "refuted"
    check(verdict)


# -- orders with parameters --------------------------------------------------------------------------------------------


def with_parameters(formula: str, *declared: str) -> Metric:
    return Metric("mine", formula, tuple(map(Parameter.parse, declared)))


@in_one_test
@pytest.mark.parametrize(
    ("metric", "relation", "value"),
    [
        (with_parameters("TP + w", "w in [0, 1]"), "rank_equivalent", "M = partner + w"),
        (with_parameters("w*TP + 1 - w", "w in (0, 1]"), "rank_equivalent", "M = partner*w - w + 1"),
        (with_parameters("TP/(w - 1)", "w in [2, 5]"), "rank_equivalent", "M = partner/(w - 1)"),
        (with_parameters("v - TP/w", "w in (0, 1]", "v"), "rank_reversed", "M = -partner/w + v"),
    ],
)
def test_an_affine_function_with_a_slope_of_one_sign_ranks_alike(metric, relation, value):
    verdict = relate(metric, Metric("plain", TP), relation)
    assert (verdict.status, verdict.value) == ("proved", value)
    assert sm.check(Verdict.from_json(verdict.to_json()), metric, partner=Metric("plain", TP)) is None
    other = "rank_reversed" if relation == "rank_equivalent" else "rank_equivalent"
    assert relate(metric, Metric("plain", TP), other).status == "open"


def test_the_reason_why_an_order_is_open_was_established():
    for formula, reason in (
        ("w*TP", "M = partner*w, and its slope w was not shown to be positive for all values of the parameters"),
        ("TP**2 + w", "an order is proved by an equation M = a*partner + b alone, and none was proved"),
    ):
        verdict = relate(with_parameters(formula, "w in [0, 1]"), Metric("plain", TP), "rank_equivalent")
        assert verdict.status == "open"
        assert reason in str(verdict)
