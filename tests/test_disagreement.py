"""Where metrics choose differently, and which cell moved a score: by counting pair by pair, and by quadrature."""

from __future__ import annotations

import itertools
import json
import tracemalloc
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any

import mpmath
import numpy as np
import pytest
from effort import examples, in_one_test, some
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import Abs, Add, Max, Min, Rational, lambdify, log, sqrt

import symmetrics as sm
from symmetrics import FN, FP, TN, TP, Metric, cli
from symmetrics.discovery.disagreement import counted
from symmetrics.discovery.exact_ranks import ranks_of, value_order
from symmetrics.library.properties.implications import Implication
from symmetrics.tools.errors import InputError

Table = tuple[int, int, int, int]


def tables_of(n: int) -> list[Table]:
    cells = range(n + 1)
    return [(a, b, c, n - a - b - c) for a in cells for b in cells for c in cells if a + b + c <= n]


def quotient(top: int, bottom: int) -> Fraction | None:
    return Fraction(top, bottom) if bottom else None


def mcc(tp: int, fn: int, fp: int, tn: int) -> Fraction | None:
    """The square with its sign, which is ordered as the metric; 0 where one margin alone is zero, by the limit."""
    d, bottom = tp * tn - fn * fp, (tp + fn) * (tp + fp) * (tn + fn) * (tn + fp)
    if bottom:
        return Fraction(d * abs(d), bottom)
    return None if sorted((tp, fn, fp, tn))[2] == 0 else Fraction(0)


ORACLES: dict[str, Callable[[int, int, int, int], Fraction | None]] = {
    "f1": lambda tp, fn, fp, tn: quotient(2 * tp, 2 * tp + fn + fp),
    "accuracy": lambda tp, fn, fp, tn: quotient(tp + tn, tp + fn + fp + tn),
    "tpr": lambda tp, fn, fp, tn: quotient(tp, tp + fn),
    "error_rate": lambda tp, fn, fp, tn: quotient(-fn - fp, tp + fn + fp + tn),
    "mcc": mcc,
}
"""How good a table is, a loss by its negative."""


@in_one_test
@pytest.mark.parametrize(
    ("first", "second"), [pair for pair in itertools.combinations(ORACLES, 2) if pair != ("accuracy", "error_rate")]
)
def test_pairs_are_those_that_are_counted_one_by_one(first: str, second: str) -> None:
    n = 5
    found = sm.adversary(first, second, n=n)
    values = [(ORACLES[first](*t), ORACLES[second](*t), t) for t in tables_of(n)]
    both = [(a, b, t) for a, b, t in values if a is not None and b is not None]
    signs = [((a > c) - (a < c), (b > d) - (b < d), t, u) for (a, b, t), (c, d, u) in itertools.combinations(both, 2)]
    opposite = [(t, u) if x > 0 else (u, t) for x, y, t, u in signs if x * y < 0]
    assert found.pairs.discordant == len(opposite)
    assert found.pairs.concordant == sum(x * y > 0 for x, y, *_ in signs)
    assert found.pairs.tied_first == sum(x == 0 != y for x, y, *_ in signs)
    assert found.pairs.tied_second == sum(y == 0 != x for x, y, *_ in signs)
    assert found.pairs.tied_both == sum(x == y == 0 for x, y, *_ in signs)
    assert found.share == Fraction(len(opposite), len(signs))
    assert [len(tables) for tables in found.undefined] == [sum(v[k] is None for v in values) for k in (0, 1)]
    assert found.tables is not None

    def size(pair: tuple[Table, Table]) -> tuple[int, int, tuple[Table, ...]]:
        moved = sum(abs(a - b) for a, b in zip(*pair, strict=True))
        return moved, sum(count == 0 for table in pair for count in table), tuple(sorted(pair))

    assert tuple(map(tuple, found.tables)) == min(opposite, key=size)


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=40))
@settings(max_examples=examples(300), deadline=None)
def test_counting_by_inversions_is_counting_by_pairs(ranks: list[tuple[int, int]]) -> None:
    x, y = (np.array([pair[k] for pair in ranks], dtype=np.int64) for k in (0, 1))
    pairs = list(itertools.combinations(ranks, 2))
    found = counted(x, y)
    assert found.discordant == sum((a - c) * (b - d) < 0 for (a, b), (c, d) in pairs)
    assert found.concordant == sum((a - c) * (b - d) > 0 for (a, b), (c, d) in pairs)
    assert found.total == len(pairs)


def test_ties_and_differences_that_no_float_shows_are_settled() -> None:
    close = Rational(1, 10**40)
    assert value_order(TP / (TP + FN) + close * FP, (1, 1, 1, 0), (2, 2, 2, 0)) == -1
    assert value_order(sqrt(TP) + sqrt(TN), (8, 1, 1, 2), (2, 5, 1, 8)) == 0
    assert value_order(sqrt(TP) + sqrt(TN) + close * FN, (8, 1, 1, 2), (2, 5, 1, 8)) == -1
    assert value_order(log(TP) + log(TN), (6, 1, 1, 2), (4, 1, 1, 3)) == 0
    assert value_order(log(TP) + log(TN) + close * FN, (6, 2, 1, 2), (4, 1, 1, 3)) == 1


def test_values_that_are_no_fractions_are_ranked_whether_they_lie_apart_or_agree() -> None:
    tables = [(5, 1, 1, 7), (2, 1, 1, 3), (1, 1, 1, 2), (3, 1, 1, 2), (9, 1, 1, 9)]
    assert ranks_of(sqrt(TP) + sqrt(TN), tables).tolist() == [2, 1, 0, 1, 3]


def test_a_power_hides_no_sign_and_no_hole() -> None:
    assert ranks_of((TP - TN) / sqrt(TP * TN), [(1, 1, 1, 4), (1, 1, 1, 1), (4, 1, 1, 1)]).tolist() == [0, 1, 2]
    assert ranks_of(Abs(TP - TN) / (TP - TN), [(1, 1, 1, 4), (1, 1, 1, 1), (4, 1, 1, 1)]).tolist() == [0, -1, 1]
    assert ranks_of(sqrt(TP - 2) * TN, [(1, 1, 1, 4), (3, 1, 1, 1)]).tolist() == [-1, 0]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("digits", range(80, 86))
def test_a_wide_interval_does_not_part_what_stands_beside_it(digits: int) -> None:
    large = 10**digits * FP  # a root of it takes all digits of the precision that is tried first
    formula = sqrt(large + TP) - sqrt(large) + 20 * FP + log(TN)
    tables = [*((hits, 1, 0, 1) for hits in range(1, 400, 7)), (1, 1, 1, 1), (3, 1, 1, 1)]
    places = ranks_of(formula, tables).tolist()
    assert places == sorted(places)


@pytest.mark.parametrize("name", some(sorted(sm.metrics), 3, "order"))
def test_the_exact_order_agrees_with_the_numbers(name: str) -> None:
    metric = sm.metrics[name]
    tables = tables_of(3)
    places, values = ranks_of(metric.value_formula, tables), np.asarray(metric.from_counts(np.array(tables)))
    assert ((places < 0) == np.isnan(values)).all()
    for place in range(places.max() + 1):
        here, above = values[places == place], values[places == place + 1]
        assert np.allclose(here, here[0], rtol=1e-9, atol=1e-12)
        assert not len(above) or above.min() > here.max()


def test_metrics_that_rank_alike_are_said_to_with_the_proof() -> None:
    found = sm.adversary("f1", "jaccard", n=5)
    assert found.tables is None
    assert found.pairs.discordant == 0
    assert found.equivalence is not None
    assert found.equivalence.status == "proved"
    assert "never disagree" in found.sentence
    a_loss = sm.adversary("accuracy", "error_rate", n=4)
    assert a_loss.equivalence is not None
    assert a_loss.equivalence.property == "rank_reversed:error_rate"
    assert a_loss.equivalence.status == "proved"


def test_what_is_fixed_is_the_same_in_both_tables() -> None:
    found = sm.adversary("mcc", "accuracy", prior="1/4")
    assert found.tables is not None
    assert all(4 * (t.tp + t.fn) == found.n for t in found.tables)
    fixed = sm.adversary("f1", "mcc", margins={"P": 4, "N": 9})
    assert fixed.n == 13
    assert fixed.tables is not None
    assert all((t.tp + t.fn, t.fp + t.tn) == (4, 9) for t in fixed.tables)
    assert fixed.pairs.total <= 50 * 49 // 2


def test_a_prior_and_a_margin_fix_the_number_of_examples() -> None:
    assert sm.adversary("mcc", "f1", prior="1/3", margins={"P": 20}).n == 60
    assert sm.adversary("mcc", "f1", prior="1/3", margins={"N": 20}).n == 30
    with pytest.raises(InputError, match=r"no table has what is given with prior 1/3 and N = 21"):
        sm.adversary("mcc", "f1", prior="1/3", margins={"N": 21})


def test_few_tables_of_many_examples_need_little_memory() -> None:
    tracemalloc.start()
    found = sm.adversary("recall", "precision", margins={"P": 2, "N": 300})
    largest = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found.pairs.total <= 903 * 902 // 2
    assert found.tables is not None
    assert largest < 50_000_000


def test_a_metric_without_a_direction_prefers_nothing() -> None:
    found = sm.adversary("prevalence", "error_rate", n=3)
    assert found.is_loss == (None, True)
    assert found.sentence.startswith("prevalence is greater at ")
    assert " and error_rate prefers " in found.sentence
    assert found.values is not None
    assert found.values[0][0] > found.values[0][1]
    assert found.values[1][0] > found.values[1][1]


def test_a_pole_is_above_all_numbers_and_has_no_float() -> None:
    found = sm.adversary("1/FN", "TP", n=2).to_dict()
    assert found["tables"] == [{"tp": 0, "fn": 0, "fp": 1, "tn": 1}, {"tp": 1, "fn": 1, "fp": 0, "tn": 0}]
    assert found["values"]["1/FN"] == [{"exact": "oo", "float": None}, {"exact": "1", "float": 1.0}]


def test_no_pair_at_any_size_says_what_was_looked_at() -> None:
    found = sm.adversary("f1", "tpr", margins={"P": 3, "OP": 2})
    assert found.tables is None
    assert "of 3 to 15 examples with P = 3 and OP = 2" in found.sentence


@in_one_test
@pytest.mark.parametrize(
    ("settings_", "message"),
    [
        ({"n": 0}, "n is 0"),
        ({"n": 2.5}, "n is 5/2"),
        ({"prior": "3/2"}, "between 0 and 1"),
        ({"prior": "1/3", "n": 4}, "no table of 4 examples"),
        ({"margins": {"Q": 1}}, "no margin"),
        ({"margins": {"P": -1}}, "P is -1"),
        ({"margins": ["P"]}, "no mapping"),
        ({"n": 1000}, "more than 2000000"),
    ],
)
def test_bad_settings_are_refused(settings_: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        sm.adversary("f1", "mcc", **settings_)


# -- explain -----------------------------------------------------------------------------------------------------------

BEFORE, AFTER = (10, 2, 3, 40), (12, 1, 4, 38)


def quadrature(metric: Metric, before: Table, after: Table) -> list[float]:
    """The integrals of slopes that are differences of values, by another library's rule."""
    formula = sm.metrics[metric.name].value_formula
    value = lambdify((TP, FN, FP, TN), formula, "mpmath")
    steps = [b - a for a, b in zip(before, after, strict=True)]

    def slope(place: int, t: float) -> Any:
        def along(count: float) -> Any:
            cells = [a + t * step for a, step in zip(before, steps, strict=True)]
            cells[place] = count
            return value(*cells)

        return mpmath.diff(along, before[place] + t * steps[place])

    with mpmath.workdps(30):
        return [float(mpmath.quad(partial(slope, k), [0, 1]) * steps[k]) if steps[k] else 0.0 for k in range(4)]


@pytest.mark.parametrize("name", ["f1", "f_beta", "mcc"])
def test_shares_are_the_integrals_of_the_slopes(name: str) -> None:
    found = sm.explain(name, BEFORE, AFTER)
    for (low, high), expected in zip(found.enclosures, quadrature(sm.metrics[name], BEFORE, AFTER), strict=True):
        assert low - 1e-12 <= expected <= high + 1e-12


@pytest.mark.parametrize("method", ["path", "shapley"])
@pytest.mark.parametrize("name", some(sorted(sm.metrics), 2, "shares"))
def test_shares_add_up_and_a_cell_that_stays_has_none(name: str, method: str) -> None:
    after = (12, 1, 3, 38)
    if method == "path" and sm.metrics[name].value_formula.has(Abs, Max, Min):
        with pytest.raises(InputError, match="not smooth"):
            sm.explain(name, BEFORE, after)
        return
    found = sm.explain(name, BEFORE, after, method=method)
    low, high = (sum(ends[k] for ends in found.enclosures) for k in (0, 1))
    assert low - 1e-12 <= float(found.difference) <= high + 1e-12
    assert found.shares[2] == 0
    backwards = sm.explain(name, after, BEFORE, method=method)
    for there, back in zip(found.enclosures, backwards.enclosures, strict=True):
        assert sum(there) == pytest.approx(-sum(back), rel=1e-9, abs=1e-12)


def test_exact_shares_are_exact() -> None:
    found = sm.explain("f1", BEFORE, AFTER)
    moved = log(Rational(29, 25)) / 4 - Rational(1, 145)
    assert found.shares == (Rational(4, 145), moved, -moved, 0)
    assert found.largest == "FN"
    assert Add(*sm.explain("f1", BEFORE, AFTER, method="shapley").shares) == found.difference


@pytest.mark.parametrize("method", ["path", "shapley"])
def test_cells_that_move_the_score_as_much_as_each_other_are_all_told(method: str) -> None:
    found = sm.explain("TP - TN", (1, 1, 1, 1), (3, 2, 1, 3), method=method)
    assert found.largest == "TP"
    assert found.sentence.endswith(
        "what moves it most are TP, which goes from 1 to 3 and adds +2, and TN, which goes from 1 to 3 and adds -2."
    )
    roots = sm.explain("sqrt(TP) + sqrt(FN)", (2, 3, 1, 1), (3, 2, 1, 5), method=method)
    assert "what moves it most are TP, " in roots.sentence
    assert ", and FN, which goes from 3 to 2" in roots.sentence


def test_shapley_is_the_mean_over_all_orders() -> None:
    metric = sm.metrics["kappa"]
    shares = [Rational(0)] * 4
    for order in itertools.permutations(range(4)):
        cells = list(BEFORE)
        for place in order:
            before = metric.exact(*cells)
            cells[place] = AFTER[place]
            shares[place] += (metric.exact(*cells) - before) / 24
    assert list(sm.explain("kappa", BEFORE, AFTER, method="shapley").shares) == shares


@in_one_test
@pytest.mark.parametrize(
    ("metric", "tables", "message"),
    [
        ("precision", ((0, 5, 0, 5), (1, 2, 3, 4)), "no value"),
        ("1/(TP - FN)", ((1, 3, 1, 1), (3, 1, 1, 1)), r"1/\(TP - FN\) has a pole"),
        (Metric("steep", 1 / ((TP - FN) ** 2 - 2 * TN)), ((1, 3, 1, 1), (3, 1, 1, 1)), "no integral"),
        (Metric("corner", Max(TP, FN)), ((1, 3, 1, 1), (3, 1, 1, 1)), "slope of corner .* not smooth"),
        ("f1", ((1, 2, 3), (1, 2, 3, 4)), "3 cells"),
        ("f1", ((1, 2, 3, -4), (1, 2, 3, 4)), "negative"),
        ("f1", (5, (1, 2, 3, 4)), "5 is no table"),
    ],
)
def test_what_cannot_be_shared_is_refused(metric: object, tables: tuple[Table, Table], message: str) -> None:
    with pytest.raises(InputError, match=message):
        sm.explain(metric, *tables)


def test_a_table_that_nobody_typed_in_is_one_that_the_orders_pass_through() -> None:
    with pytest.raises(InputError, match=r"no value at TP, FN, FP, TN = 0, 0, 0, 0: .* the orders pass through"):
        sm.explain("tpr", (1, 0, 0, 0), (0, 1, 0, 0), method="shapley")


def test_the_command_line_says_what_python_does(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["adversary", "mcc", "f1", "--n", "5", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found == json.loads(json.dumps(sm.adversary("mcc", "f1", n=5).to_dict()))
    assert cli.main(["explain", "mcc", "10,2,3,40", "12,2,3,38"]) == 0
    assert capsys.readouterr().out.strip() == repr(sm.explain("mcc", (10, 2, 3, 40), (12, 2, 3, 38)))
    assert cli.main(["adversary", "mcc", "f1", "--margins", "P=x"]) == 2
    assert "write them as P=5,OP=4" in capsys.readouterr().err


def test_a_metric_beside_itself_is_told_once_where_it_has_no_value() -> None:
    lines = list(sm.adversary("mcc", "mcc", n=4).lines())
    assert sum(line.startswith("mcc has no value at 4 tables") for line in lines) == 1


def test_the_command_line_binds_parameters_of_either_metric(capsys: pytest.CaptureFixture[str]) -> None:
    formula = "w*TP/(TP+FN)+(1-w)*TN/(TN+FP)"
    settings = ["--param", "beta = 2", "--param", "w in [0,1] = 1/3", "--n", "4", "--format", "json"]
    assert cli.main(["adversary", formula, "f_beta", *settings]) == 0
    w = sm.Parameter("w", 0, 1, Rational(1, 3))
    mine = Metric(formula, w * TP / (TP + FN) + (1 - w) * TN / (TN + FP), (w,))
    asked = sm.adversary(mine, sm.metrics["f_beta"].at(beta=2), n=4)
    assert json.loads(capsys.readouterr().out) == json.loads(json.dumps(asked.to_dict()))
    assert cli.main(["explain", "f_beta", "1,2,3,4", "2,3,4,5", "--param", "beta = 2"]) == 0
    asked_why = sm.explain(sm.metrics["f_beta"].at(beta=2), (1, 2, 3, 4), (2, 3, 4, 5))
    assert capsys.readouterr().out.strip() == repr(asked_why)
    assert cli.main(["adversary", "f1", "mcc", "--param", "w = 1"]) == 2
    assert "--param w: neither f1 nor mcc has such a parameter" in capsys.readouterr().err
    assert cli.main(["explain", "f1", "1 2 3 4", "2,3,4,5"]) == 2
    assert "'1 2 3 4' is no table; write four counts with commas" in capsys.readouterr().err


# -- concepts ----------------------------------------------------------------------------------------------------------

SHARING = ("f1", "jaccard", "mcc", "kappa", "accuracy", "precision", "tpr", "informedness")
ASKED = ("p1", "p2", "transpose", "monotone", "actual_scaling")


def test_concepts_are_the_closed_pairs_of_all_sets_of_properties() -> None:
    has = {name: {key for key in ASKED if sm.prove(name, key).holds} for name in SHARING}
    closed = set()
    for size in range(len(ASKED) + 1):
        for keys in itertools.combinations(ASKED, size):
            extent = frozenset(name for name in SHARING if has[name] >= set(keys))
            closed.add((extent, frozenset(ASKED).intersection(*(has[name] for name in extent))))
    found = sm.concepts(SHARING, ASKED)
    assert {(concept.metrics, concept.properties) for concept in found.all} == closed
    assert len(found.all) == len(closed)
    for name in SHARING:
        assert found.of(name).properties == has[name]
        for above in found.neighbours(name):
            assert above.metrics > found.of(name).metrics
    for key in ASKED:
        assert found.introducing(key).metrics == {name for name in SHARING if key in has[name]}


def test_what_follows_stands_higher() -> None:
    drawn = sm.plots.implications(properties=("strongly_monotone", "increasing_tp", "monotone", "agreement_increases"))
    height = {text.get_text(): text.get_position()[1] for text in drawn.texts}
    assert height["strongly_monotone"] < height["monotone"] < height["agreement_increases"]
    assert height["strongly_monotone"] < height["increasing_tp"]
    same = [Implication(("a",), "b", ""), Implication(("b",), "a", ""), Implication(("a",), "c", "", holds=False)]
    assert [text.get_text() for text in sm.plots.implications(same).texts] == ["a = b"]
    with pytest.raises(InputError, match="no implication"):
        sm.plots.implications(same[2:])
    for other in ("p1", ["p1", "p2"], 3):
        with pytest.raises(InputError, match="is not a list of implications; pass theorems"):
            sm.plots.implications(other)
