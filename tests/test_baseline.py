"""Constant baselines: the expectation of a metric over predictions drawn at random with fixed margins."""

from __future__ import annotations

import copy
import itertools
from collections import Counter
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from effort import examples, in_one_test, is_thorough, some
from forging import restated, reworded
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import Expr, Max, Min, Rational, Symbol, log, sqrt

import symmetrics as sm
from symmetrics.checker.engine.germs import Limits
from symmetrics.checker.engine.values import at_high_precision
from symmetrics.checker.families.baselines import has_mean
from symmetrics.claims import ConstantBaseline, claim_from_dict
from symmetrics.claims.values import Baseline, Expectation
from symmetrics.language.cells import CELLS, FN, FP, TN, TP, N, P, n, parameter_symbol
from symmetrics.language.condition import condition_text
from symmetrics.language.parameter import Parameter
from symmetrics.prover.engine.expectations import margins_of, matrices_of, triple_of
from symmetrics.tools.errors import CertificateError

KEY = "constant_baseline"
OP, ON = TP + FP, FN + TN


def own(expression: Expr, *parameters: str) -> sm.Metric:
    return sm.Metric("own", expression, tuple(map(Parameter.parse, parameters)))


def shuffled_mean(metric: sm.Metric, truth: tuple[int, ...], predicted: int) -> Expr:
    """Return the mean over all predictions with so many positives, each equally likely."""
    tables: Counter[tuple[int, ...]] = Counter()
    for positives in itertools.combinations(range(len(truth)), predicted):
        guess = [int(place in positives) for place in range(len(truth))]
        counts = [0, 0, 0, 0]
        for actual, said in zip(truth, guess, strict=True):
            counts[{(1, 1): 0, (1, 0): 1, (0, 1): 2, (0, 0): 3}[actual, said]] += 1
        tables[tuple(counts)] += 1
    return sum((count * exact(metric, table) for table, count in tables.items()), Rational(0)) / tables.total()


@cache
def exact(metric: sm.Metric, table: tuple[int, ...]) -> Expr:
    return metric.exact(*table)


def mean_at(metric: sm.Metric, triple: tuple[int, int, int]) -> Expr:
    size, positives, predicted = triple
    return shuffled_mean(metric, (1,) * positives + (0,) * (size - positives), predicted)


def means_by_shuffling(metric: sm.Metric, largest: int) -> dict[tuple[int, int, int], Expr]:
    return {triple: mean_at(metric, triple) for triple in map(triple_of, margins_of(2, 2, largest))}


# -- verdicts --------------------------------------------------------------------------------------------------------


@in_one_test
@pytest.mark.parametrize(
    ("name", "baseline"),
    [
        *(("mcc", "0"), ("kappa", "0"), ("auc_single", "1/2"), ("informedness", "0"), ("markedness", "0")),
        *(("symmetric_balanced_accuracy", "1/2"), ("lift", "1"), ("leverage", "0")),
    ],
)
def test_the_literature_has_a_constant_baseline_for(name, baseline):
    verdict = sm.prove(name, KEY)
    assert (verdict.status, verdict.holds, verdict.value) == ("proved", True, baseline)
    sm.check(verdict)


@in_one_test
@pytest.mark.parametrize("name", ["accuracy", "f1", "jaccard", "confusion_entropy", "precision", "recall", "yule_q"])
def test_the_literature_has_no_constant_baseline_for(name):
    verdict = sm.prove(name, KEY)
    assert (verdict.status, verdict.holds) == ("refuted", False)
    sm.check(verdict)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        # Of two tables with n = 2, P = OP = 1, each has the probability 1/2; with n = 3 that with TP = 1 has 1/3.
        ("accuracy", "1/2 at (n, P, OP) = (2, 1, 1), 5/9 at (3, 1, 1)"),
        ("f1", "1/2 at (n, P, OP) = (2, 1, 1), 1/3 at (3, 1, 1)"),
        ("precision", "1/2 at (n, P, OP) = (2, 1, 1), 1/3 at (3, 1, 1)"),
        # E[TP/OP] = P/n.
        ("yule_q", "0 at (n, P, OP) = (2, 1, 1), -1/3 at (3, 1, 1)"),
    ],
)
def test_two_expectations_differ_by_hand(name, value):
    assert sm.prove(name, KEY).value == value


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("name", "condition"),
    [
        ("cwa", "w = 1/2"),
        ("wauc", "rho = 0"),
        ("mean_f_beta", "beta = 0"),
        ("f_of_means", "beta = 0"),
        ("tversky", "alpha = 0 and beta = 0"),
        ("weighted_accuracy", "(w1 = 0 and w4 = 0) or (w2 = 0 and w3 = 0)"),
    ],
)
def test_the_condition_on_the_parameters(name, condition):
    verdict = sm.prove(name, KEY)
    assert verdict.status == "conditional"
    assert verdict.to_dict()["condition"] == condition
    assert verdict.holds is False
    sm.check(verdict)


@pytest.mark.parametrize(("domain", "condition"), [("v in [0, 2]", "v = w"), ("v in [2, 3]", None)])
def test_two_weights_may_have_to_be_the_same(domain, condition):
    """The mean of w*TP/P + v*TN/N is (w*OP + v*ON)/n."""
    metric = own(sm.parse_formula("w*TP/P + v*TN/N", ["w", "v"]), "w in [0, 1]", domain)
    verdict = sm.prove(metric, KEY)
    assert verdict.status == ("refuted" if condition is None else "conditional")
    assert verdict.to_dict()["condition"] == condition
    sm.check(verdict, metric)


@in_one_test
@pytest.mark.parametrize("name", ["f_beta", "expected_loss", "iba_gmean", "iba_squared_gmean", "net_benefit"])
def test_no_parameters_make_the_baseline_constant(name):
    verdict = sm.prove(name, KEY)
    assert verdict.status == "refuted"
    sm.check(verdict)


@pytest.mark.parametrize("name", ["diagnostic_odds_ratio", "log_odds_ratio", "batagelj_bren"])
def test_a_metric_without_any_expectation_has_no_baseline(name):
    verdict = sm.prove(name, KEY)
    assert (verdict.status, verdict.evidence.kind) == ("refuted", "no expectation")
    metric = sm.metrics[name]
    for margins in margins_of(2, 2, 5):
        assert any(not metric.exact(*table).is_finite for _, table in matrices_of(*margins))
    sm.check(verdict)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("formula", "baseline"),
    [
        # Pearson's chi square has the mean n/(n - 1) at fixed margins (Haldane, 1940), so that this has the mean 1.
        ("(n - 1)*(TP*TN - FN*FP)**2/(P*N*(TP + FP)*(FN + TN))", "1"),
        # TP has the variance P*N*OP*ON/(n**2*(n - 1)), and TP*TN - FN*FP is n*(TP - E[TP]).
        ("(n - 1)*(TP*TN - FN*FP)**2 - P*N*(TP + FP)*(FN + TN)", "0"),
        # E[TP*(TP - 1)] = P*(P - 1)*OP*(OP - 1)/(n*(n - 1)).
        ("n*(n - 1)*TP*(TP - 1) - P*(P - 1)*(TP + FP)*(TP + FP - 1) + 7/3", "7/3"),
        ("(TP - 1)*TP*(TP - 2)*n*(n - 1)*(n - 2) - P*(P - 1)*(P - 2)*(TP + FP)*(TP + FP - 1)*(TP + FP - 2)", "0"),
    ],
)
def test_a_polynomial_has_the_mean_that_its_factorial_moments_give(formula, baseline):
    metric = own(sm.parse_formula(formula))
    verdict = sm.prove(metric, KEY)
    assert (verdict.status, verdict.value, verdict.evidence.kind) == ("proved", baseline, "moments")
    sm.check(verdict)
    assert set(means_by_shuffling(metric, 5 if is_thorough() else 4).values()) == {Rational(baseline)}


@pytest.mark.parametrize(
    "formula",
    [
        "(TP*TN - FN*FP)**2*n - P*N*(TP + FP)*(FN + TN)",  # the mean of the first part has n - 1 below, not n
        "(TP*TN - FN*FP)**2*(n - 1)/(P*N*(TP + FP)*(FN + TN)) + 1/n",
    ],
)
def test_moments_that_differ_are_two_expectations(formula):
    verdict = sm.prove(own(sm.parse_formula(formula)), KEY)
    assert (verdict.status, verdict.evidence.kind) == ("refuted", "expectations")


def test_the_checker_works_moments_out_by_itself():
    verdict = sm.prove(own(sm.parse_formula("(n - 1)*(TP*TN - FN*FP)**2/(P*N*(TP + FP)*(FN + TN))")), KEY)
    for altered in (
        restated(verdict, "2"),
        restated(verdict, None),
    ):
        with pytest.raises(CertificateError):
            sm.check(altered)
    for formula in ("TP/(TP + FN + FP)", "(n - 1)*(TP*TN - FN*FP)**2/((P - 1)*N*(TP + FP)*(FN + TN))", "sqrt(TP)"):
        with pytest.raises(CertificateError):
            has_mean(sm.parse_formula(formula), Rational(1))


def test_an_expectation_that_exists_for_some_margins_only():
    verdict = sm.prove(own((TP * TN - FN * FP) / (FN - FP)), KEY)  # FN - FP = P - OP
    assert (verdict.status, verdict.value) == ("proved", "0")
    assert verdict.evidence.data["triple"] == [3, 1, 2]
    sm.check(verdict, metric=own((TP * TN - FN * FP) / (FN - FP)))


def test_a_constant_metric_and_one_of_the_margins():
    assert sm.prove(own(Rational(7) + 0 * TP), KEY).value == "7"
    assert sm.prove(own(P * OP / n), KEY).status == "refuted"
    assert sm.prove(own((TP * n - P * OP) * sqrt(P * N) / n**2), KEY).value == "0"


def test_a_parameter_that_does_not_matter():
    metric = own(Parameter.parse("w in [0, 1]").symbol * (TP / P - FP / N) + 1, "w in [0, 1]")
    verdict = sm.prove(metric, KEY)
    assert (verdict.status, verdict.holds, verdict.value) == ("proved", True, "1")
    sm.check(verdict, metric=metric)


def test_not_affine_yet_constant_as_far_as_one_can_see_stays_open():
    verdict = sm.prove("adjusted_rand_index", KEY)
    assert (verdict.status, verdict.holds, verdict.value) == ("open", None, None)
    assert "not shown to be affine" in verdict.evidence.sentence
    sm.check(verdict)


def test_a_metric_that_is_real_in_part_only_is_not_proved():
    half = own((TP * TN - FN * FP) * sqrt(FN - FP) / sqrt(FN - FP))
    assert sm.prove(half, KEY).status in ("open", "proved")
    margins = own((TP * TN - FN * FP) * sqrt(P - OP))
    assert sm.prove(margins, KEY).status == "open"


# -- all metrics -----------------------------------------------------------------------------------------------------


@pytest.mark.thorough
def test_every_verdict_agrees_with_shuffled_predictions_and_is_accepted():
    statuses = {}
    for name, metric in some(sm.metrics.items(), 24):
        verdict = sm.prove(name, KEY)
        sm.check(sm.Verdict.from_json(verdict.to_json()))
        statuses[name] = verdict.status
        if verdict.status == "proved":
            means = means_by_shuffling(metric, 4)
            finite = [mean for mean in means.values() if mean.is_finite]
            assert finite, name
            assert all((mean - Rational(verdict.value)).equals(0) for mean in finite), name
        elif verdict.evidence.kind == "expectations":
            first, second = map(tuple, verdict.evidence.data["triples"])
            means = {triple: mean_at(metric, triple) for triple in (first, second)}
            assert abs((means[first] - means[second]).evalf(40)) > 1e-20, name
            if verdict.value is not None:
                assert verdict.value == f"{means[first]} at (n, P, OP) = {first}, {means[second]} at {second}"
    assert {name for name, status in statuses.items() if status == "open"} <= {
        *("adjusted_rand_index", "minimum_normalized_mutual_information", "symmetric_extremal_dependence_index")
    }


@pytest.mark.thorough
def test_every_metric_with_parameters_is_decided_at_simple_values():
    for metric in sm.metrics.values():
        for value in (Rational(1, 2), Rational(1, 3), Rational(2, 7)) if metric.parameters else ():
            bound = metric.at(**{parameter.name: value for parameter in metric.parameters})
            verdict = sm.prove(bound, KEY)
            assert verdict.status in ("proved", "refuted"), (metric.name, value)
            sm.check(verdict, metric=bound)


def test_metrics_with_parameters_bound_agree_with_the_condition():
    for name, values in {
        "cwa": {"w": Rational(1, 2)},
        "wauc": {"rho": 0},
        "tversky": {"alpha": 0, "beta": 0},
        "mean_f_beta": {"beta": 0},
    }.items():
        bound = sm.metrics[name].at(**values)
        assert len({mean for mean in means_by_shuffling(bound, 4).values() if mean.is_finite}) == 1
        for other in (Rational(1, 3), Rational(9, 10)):
            free = sm.metrics[name].at(**dict.fromkeys(values, other))
            assert sm.prove(free, KEY).status == "refuted"
            assert len(set(means_by_shuffling(free, 3).values())) > 1


# -- limits at zero cells --------------------------------------------------------------------------------------------


def tables_with_zeros(largest: int) -> list[tuple[int, int, int, int]]:
    found = (table for margins in margins_of(2, 2, largest) for _, table in matrices_of(*margins))
    return sorted({table for table in found if 0 in table})


def limit(expression: Expr, table: tuple[int, int, int, int]) -> Any:
    with at_high_precision():
        return Limits(()).at(expression, dict(zip(CELLS, table, strict=True)))


def test_the_limits_of_the_checker_are_those_of_the_metrics():
    unknown = []
    for name, metric in some(sm.metrics.items(), 30, "limits"):
        for table in tables_with_zeros(3):
            expected = exact(metric, table)
            try:
                found = limit(metric.at_defaults(), table)
            except CertificateError:
                if expected.is_finite:
                    unknown.append((name, table))
                continue
            if expected.is_finite:
                assert holds(found, expected), (name, table, found, expected)
            else:
                # The extension is nan where no limit was found, too; an infinite one contradicts a finite one.
                assert not expected.is_infinite, (name, table)
    # There numerator and denominator are sums of terms none of which is the largest: two roots, or two logarithms.
    assert {name for name, _ in unknown} <= {"f_of_means", "symmetric_extremal_dependence_index"}


@pytest.mark.parametrize("name", ["symmetric_extremal_dependence_index", "chord_distance", "added_value"])
def test_expectations_rest_on_no_limit_that_the_checker_does_not_know(name: str) -> None:
    assert "could not be re-verified" not in sm.prove(own(sm.metrics[name].at_defaults()), KEY).evidence.sentence


def holds(found: Any, expected: Expr) -> bool:
    if isinstance(found, Fraction):
        return expected == Rational(found.numerator, found.denominator)
    return abs(float(found.mid) - float(expected)) < 1e-12


@in_one_test
@pytest.mark.parametrize(
    ("expression", "table", "value"),
    [
        (TP * log(TP) + FN, (0, 3, 1, 1), 3),
        ((TP * TN / (FP * FN) - 1) / (TP * TN / (FP * FN) + 1), (3, 1, 0, 2), 1),
        (1 / (1 / TP + 1 / TN), (0, 1, 1, 0), 0),
        (FN * FP / (FN + FP), (1, 0, 0, 1), 0),
        (sqrt(FN**2 + FP**2), (2, 0, 0, 5), 0),
        (sqrt(FN) * sqrt(FP) / sqrt(FN * FP), (2, 0, 0, 5), 1),
        (Max(TP, FN) - Min(FP, TN), (0, 3, 2, 1), 2),
        (abs(TP * TN - FP * FN) / (FP * FN), (0, 2, 3, 1), 1),
    ],
)
def test_limits_by_hand(expression, table, value):
    assert limit(expression, table) == value


@in_one_test
@pytest.mark.parametrize(
    ("expression", "table"),
    [
        (FN / (FN + FP), (1, 0, 0, 1)),
        (log(TP), (0, 1, 1, 1)),
        (1 / FP, (1, 1, 0, 1)),
        (FP * log(FN), (1, 0, 0, 1)),
        (FN / FP, (1, 0, 0, 1)),
        (1 / (FN - FP), (2, 0, 0, 1)),
        ((FN - FP) / (FN - FP + FN**2), (2, 0, 0, 1)),
        (sqrt(FN - TP), (1, 0, 1, 1)),
        (log(FP - TP), (2, 1, 1, 0)),
        (sqrt(-log(FN)), (2, 0, 1, 1)),
        (sqrt(log(1 + 1 / FN)), (2, 0, 1, 1)),
        (abs(FN * log(FN)) / FN, (2, 0, 1, 1)),
        (FN * FP / (FN - FP), (2, 0, 0, 1)),
        (abs(log(FN)), (2, 0, 1, 1)),
        (TP**FN, (2, 0, 1, 1)),
        (Symbol("w") * FN, (2, 0, 1, 1)),
        # The root is imaginary nearby, so that a value at the table itself is needed.
        (sqrt(-(FN**2) - FP**2) + FN * FP / (FN + FP), (1, 0, 0, 1)),
    ],
)
def test_no_limit_is_claimed_where_there_is_none(expression, table):
    with pytest.raises(CertificateError):
        limit(expression, table)


def test_limits_with_irrational_numbers_are_in_their_intervals():
    largest = limit(Max(log(TP * FN), log(TP) + log(FN)) + FP, (2, 3, 0, 1))
    assert holds(largest, log(6))
    assert holds(limit(Min(sqrt(TP), sqrt(FN)) + FP * log(FP), (2, 3, 0, 1)), sqrt(2))


def test_limits_with_parameters_are_fractions_of_polynomials():
    w = Parameter("w", 0, 1)
    numbers, table = Limits((w,)), dict(zip(CELLS, (2, 0, 0, 1), strict=True))
    assert numbers.at((w.symbol * TP + FN) / (TP + FP), table).as_expr() == Symbol("w")
    assert numbers.at((w.symbol * TP + FN) / (w.symbol * TP + FP), table) == Fraction(1)
    assert [poly.as_expr() for poly in numbers.assumed if not poly.is_ground] == [2 * Symbol("w")]
    for formula in (Max(2 * w.symbol, TN), w.symbol * sqrt(TP), w.symbol * FN / FP, parameter_symbol("v") * TP):
        with pytest.raises(CertificateError):
            numbers.at(formula, table)


def test_signs_that_no_parameter_changes_are_known_at_tables():
    w = Parameter("w", 0, 1)
    numbers, table = Limits((w,)), dict(zip(CELLS, (2, 0, 0, 1), strict=True))
    values = {Max(w.symbol, FN): "w", Min(w.symbol, FN): "0", abs(w.symbol - TN): "1 - w", Min(w.symbol, TN): "w"}
    values |= {Max(TN, w.symbol): "1", Max(w.symbol - 1, FP): "0"}
    for formula, value in values.items():
        assert numbers.add(numbers.at(formula, table), numbers.at(-sm.parse_formula(value, ["w"]), table)) == 0
    with pytest.raises(CertificateError, match="a sign depends on parameters"):
        numbers.at(abs(2 * w.symbol - TN), table)
    larger = sm.prove(own(Max(w.symbol, TP / P), "w in [0, 1]"), KEY)
    assert condition_text(larger.condition) == "w = 1"
    assert sm.prove(own(abs(TP / P - w.symbol), "w in [0, 1]"), KEY).status == "refuted"


SHAPES = st.recursive(
    st.sampled_from([TP, FN, FP, TN, P, N, OP, Rational(2)]),
    lambda inner: st.one_of(
        st.tuples(inner, inner).map(lambda pair: pair[0] + pair[1]),
        st.tuples(inner, inner).map(lambda pair: pair[0] * pair[1]),
        st.tuples(inner, inner).map(lambda pair: pair[0] - pair[1]),
        st.tuples(inner, inner).filter(lambda pair: pair[1] != 0).map(lambda pair: pair[0] / pair[1]),
        inner.map(abs),
    ),
    max_leaves=6,
)


@settings(max_examples=examples(150), deadline=None)
@given(SHAPES, st.sampled_from(tables_with_zeros(4)))
def test_a_limit_is_approached_along_several_paths(expression, table):
    try:
        found = limit(expression, table)
    except CertificateError:
        return
    for slopes in ((1, 1, 1, 1), (1, 7, 3, 2), (5, 1, 1, 9)):
        step = Rational(1, 10**12)
        place = {cell: count + step * slope for cell, count, slope in zip(CELLS, table, slopes, strict=True)}
        near = expression.xreplace(place)
        if near.is_finite:
            assert abs(near - Rational(found.numerator, found.denominator)) < Rational(1, 10**4)


# -- certificates ----------------------------------------------------------------------------------------------------


def altered(value: Any) -> list[Any]:
    if isinstance(value, bool):
        return [not value, None]
    if isinstance(value, int):
        return [value + 1, True, 10**9]
    if isinstance(value, str):
        return ["17/19", "refuted"] if value == "proved" else ["17/19", "proved"]
    return [None, []]


def accepted(data: dict[str, Any]) -> sm.Verdict | None:
    try:
        verdict = reworded(data)
        sm.check(verdict)
    except CertificateError:
        return None
    return verdict


def altered_certificate(name: str, **changes: Any) -> dict[str, Any]:
    data = copy.deepcopy(sm.prove(name, KEY).certificate())
    for key, value in changes.items():
        data["certificate" if key == "certificate" else key] = value
    return data


def test_a_proof_for_another_metric_or_status_is_rejected():
    proof = sm.prove("mcc", KEY).certificate()["certificate"]
    zero = {"text": "0", **Baseline((Expectation("0"),)).to_dict()}
    lie = {"status": "proved", "holds": True, "value": zero, "certificate": proof}
    for name in ("f1", "yule_q", "mutual_information", "diagnostic_odds_ratio", "adjusted_rand_index"):
        assert accepted(altered_certificate(name, **lie)) is None
    for status, holds in (("refuted", False), ("conditional", False), ("conditional", True), ("open", None)):
        assert accepted(altered_certificate("mcc", status=status, holds=holds)) is None


def test_a_claim_survives_the_round_trip():
    claim = ConstantBaseline(sm.metrics["tversky"].expr, sm.metrics["tversky"].parameters)
    assert claim_from_dict(claim.to_dict()) == claim
    assert not claim.at({claim.parameters[0].symbol: Rational(1)}).subject.has(claim.parameters[0].symbol)
    with pytest.raises(sm.SymmetricsError):
        claim_from_dict(claim.to_dict() | {"domain": "TP, FN, FP, TN > 0"})


def test_what_has_no_value_under_a_maximum_is_no_defect() -> None:
    metric = sm.Metric("mine", sm.parse_formula("Max(w, Abs(TN)/TN)", ("w",)), (sm.Parameter.parse("w in [0, 1]"),))
    assert sm.prove(metric, "constant_baseline").status == "open"
