"""Limits, ranges, tables without a value, best and worst tables: against the literature, mpmath and brute force."""

from __future__ import annotations

import itertools
import json
from fractions import Fraction
from functools import cache

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import Rational, Symbol, lambdify, log, sqrt

import symmetrics as sm
from symmetrics import FN, FP, TN, TP, Metric
from symmetrics.algebra.convert import field_for
from symmetrics.algebra.evaluate import Evaluator, Undefined
from symmetrics.calculus.series import SeriesReader
from symmetrics.cells import CELL_NAMES, CELLS
from symmetrics.checker.limits import check_tends_to
from symmetrics.claims import Bounded, FiniteLimit, claim_from_dict
from symmetrics.claims.limit import STEP
from symmetrics.errors import CertificateError, SymmetricsError, UnsupportedError
from symmetrics.explain import explain
from symmetrics.formula import formula_text, parse_formula
from symmetrics.prover.limits import leading_term
from symmetrics.verdict import Verdict

PROPERTIES = ["tn_limit", "prevalence_limit", "range", "defined", "max_agreement", "min_agreement"]
TABLES = [(3, 2, 5, 4), (1, 1, 1, 2), (Fraction(7, 2), Fraction(11, 3), Fraction(5, 4), 9)]
SOME = [*sorted(sm.metrics)[::5], "cwa", "f_beta", "kappa", "mcc", "tversky"]
"""Metrics for what takes long; the limits are looked at for all."""
SMALL = [table for table in itertools.product(range(5), repeat=4) if any(table)]


@cache
def numbers(name, module):
    """Return a metric as a function of numbers of mpmath, or of arrays."""
    return lambdify(CELLS, formula_of(name), module)


@cache
def verdict(name, key):
    return sm.prove(name, key)


def formula_of(name):
    return sm.metrics[name].at_defaults()


def same(text, expected):
    """Whether two formulas agree at several tables, in exact or in interval arithmetic."""
    left, right = Evaluator(parse_formula(text), CELLS), Evaluator(expected, CELLS)
    return all(abs(float(left(*t)) - float(right(*t))) < 1e-14 for t in TABLES)


# -- literature -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "limit"),
    [
        ("kappa", 2 * TP / (2 * TP + FN + FP)),
        ("mcc", TP / sqrt((TP + FN) * (TP + FP))),
        ("scott_pi", 2 * TP / (2 * TP + FN + FP)),
        ("gilbert_skill_score", TP / (TP + FN + FP)),
        ("normalized_mutual_information", 2 * TP / (2 * TP + FN + FP)),
        ("informedness", TP / (TP + FN)),
        ("markedness", TP / (TP + FP)),
        ("accuracy", Rational(1)),
        ("yule_q", Rational(1)),
        ("dominance", TP / (TP + FN) - 1),
        ("precision", TP / (TP + FP)),
        ("consonni_todeschini_5", Rational(1, 2)),
    ],
)
def test_limits_for_many_true_negatives(name, limit):
    found = verdict(name, "tn_limit")
    assert (found.status, found.holds) == ("proved", True)
    assert same(found.value, limit)


@pytest.mark.parametrize(
    ("name", "limit"),
    [
        ("precision", Rational(0)),  # Landgrebe et al. 2005
        ("f1", Rational(0)),
        ("mcc", Rational(0)),
        ("kappa", Rational(0)),
        ("jaccard", Rational(0)),
        ("npv", Rational(1)),
        ("accuracy", TN / (FP + TN)),
        ("tpr", TP / (TP + FN)),
        ("auc_single", (TP / (TP + FN) + TN / (FP + TN)) / 2),
        ("gmean", sqrt(TP * TN / ((TP + FN) * (FP + TN)))),
        ("markedness", Rational(0)),
        ("relative_risk", TP * TN / (FN * FP)),
    ],
)
def test_limits_for_rare_positives(name, limit):
    found = verdict(name, "prevalence_limit")
    assert found.status == "proved"
    assert same(found.value, limit)


@pytest.mark.parametrize(
    ("name", "key", "value"),
    [
        ("diagnostic_odds_ratio", "tn_limit", "oo"),
        ("log_odds_ratio", "tn_limit", "oo"),
        ("information_score", "tn_limit", "oo"),
        ("determinant", "tn_limit", "oo"),
        ("example_counterexample_rate", "prevalence_limit", "-oo"),
        ("frequency_bias", "prevalence_limit", "oo"),
        ("least_contradiction", "prevalence_limit", "-oo"),
    ],
)
def test_infinite_limits_have_a_sign(name, key, value):
    found = verdict(name, key)
    assert (found.status, found.holds, found.value, found.witness) == ("refuted", False, value, None)
    assert value in found.evidence.sentence


# -- the sign of a logarithm ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("formula", "limit"),
    [
        (log(STEP), "-oo"),
        (-log(STEP), "oo"),
        (1 / log(STEP), "0"),
        (log(1 / STEP), "oo"),
        (log(STEP) / STEP, "-oo"),
        (STEP * log(STEP), "0"),
        (log(2 * STEP) / log(STEP), "1"),
        (log(STEP**2) / log(STEP**3 + STEP**5), "2/3"),
        (log(1 + STEP) / STEP, "1"),
        (sqrt(-log(STEP)), "oo"),
        ((1 - sqrt(1 - STEP)) / STEP, "1/2"),
        ((sqrt(TP**2 + STEP) - TP) / STEP, "1/(2*TP)"),
        (abs(STEP - STEP**2 - STEP) / STEP**2, "1"),
        (log(TP / STEP) - log(FN / STEP), "log(TP) - log(FN)"),
        ((TP - FN) * STEP + FP, "FP"),
        (-TP / STEP + FN / STEP**2, "oo"),
        (TP * log(STEP) / STEP, "-oo"),
    ],
)
def test_limits_of_single_terms(formula, limit):
    found = leading_term(formula).limit
    if limit in ("oo", "-oo"):
        assert str(found) == limit
    else:
        assert same(formula_text(found), parse_formula(limit))
    check_tends_to(formula, limit)
    for wrong in {"oo", "-oo", "0", "1", "7/3"} - {limit}:
        with pytest.raises(CertificateError):
            check_tends_to(formula, wrong)


def test_signs_that_vary_are_refused():
    for formula in (1 / (TP - FN + STEP), log(TP - FN + STEP), TP / ((TP - FN) * STEP + STEP**2)):
        with pytest.raises(UnsupportedError):
            leading_term(formula)
        with pytest.raises(CertificateError):
            check_tends_to(formula, "0")
    with pytest.raises(CertificateError):
        check_tends_to((TP - FN) / STEP, "oo")
    with pytest.raises(CertificateError):
        check_tends_to(sqrt(-STEP), "0")
    assert leading_term((TP - FN) / STEP).sign is None


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.integers(-4, 4), st.integers(0, 3)), min_size=1, max_size=3),
    st.lists(st.tuples(st.integers(1, 4), st.integers(0, 3)), min_size=1, max_size=3),
    st.sampled_from(["plain", "root", "log"]),
)
def test_limits_agree_with_numbers_and_with_the_checker(above, below, kind):
    top = sum(c * STEP**e for c, e in above)
    bottom = sum(c * STEP**e for c, e in below)
    inside = {"plain": bottom, "root": sqrt(bottom), "log": 2 + abs(log(bottom))}[kind]
    formula = top / inside
    try:
        limit = str(leading_term(formula).limit)
    except UnsupportedError:
        return
    check_tends_to(formula, limit)
    with mpmath.workdps(400):
        near = lambdify(STEP, formula, "mpmath")(mpmath.mpf(10) ** -300)
        if limit in ("oo", "-oo"):
            assert abs(near) > 1e3
            assert (near > 0) == (limit == "oo")
        else:
            assert abs(near - mpmath.mpf(Rational(str(parse_formula(limit).evalf(30))).evalf(30))) < 2e-2


# -- every metric against mpmath ---------------------------------------------------------------------------------------


def path_values(name, key, table, powers):
    """Return the values of a metric on the curve of a limit, with 700 digits."""
    tp, fn, fp, tn = (mpmath.mpf(Fraction(c).numerator) / Fraction(c).denominator for c in table)
    function = numbers(name, "mpmath")
    values = []
    for power in powers:
        s = mpmath.mpf(10) ** -power
        place = (tp, fn, fp, 1 / s) if key == "tn_limit" else (s * tp, s * fn, fp, tn)
        values.append(function(*place))
    return values


@pytest.mark.parametrize("key", ["tn_limit", "prevalence_limit"])
def test_limits_agree_with_values_nearby(key):
    for name in sm.metrics:
        found = verdict(name, key)
        if found.status == "open" or "table" in found.evidence.data:
            continue
        with mpmath.workdps(700):
            for table in TABLES[:2] if found.status == "proved" else TABLES:
                far, near = path_values(name, key, table, (40, 300))
                if found.status == "refuted":
                    assert abs(near) > 2 * abs(far) > 0, (name, far, near)
                    assert (near > 0) == (found.value == "oo"), name
                    continue
                values = {p.symbol: p.default for p in sm.metrics[name].parameters}
                limit = parse_formula(found.value, [p.name for p in values]).xreplace(values)
                exact = lambdify(CELLS, limit, "mpmath")(
                    *(mpmath.mpf(Fraction(c).numerator) / Fraction(c).denominator for c in table)
                )
                # What tends to its limit like a power of 1/log(s) is still far from it.
                slow = formula_of(name).has(log)
                assert abs(near - exact) <= (0.08 if slow else 1e-15), (name, near, exact)
                assert abs(near - exact) <= abs(far - exact) + mpmath.mpf(10) ** -300, name


def test_refutations_at_one_table_grow():
    for name, key in itertools.product(sm.metrics, ("tn_limit", "prevalence_limit")):
        found = verdict(name, key)
        table = found.evidence.data.get("table")
        if table:
            place = [Fraction(table.get(cell, 1)) for cell in CELL_NAMES]
            with mpmath.workdps(700):
                far, near = path_values(name, key, place, (40, 300))
            assert abs(near) > 2 * abs(far), name


def test_few_limits_stay_open():
    open_ones = {key: [n for n in sm.metrics if verdict(n, key).status == "open"] for key in PROPERTIES[:2]}
    assert open_ones["tn_limit"] == ["weighted_accuracy"]
    assert len(open_ones["prevalence_limit"]) <= 9


# -- ranges -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("accuracy", "(0, 1)"),
        ("mcc", "(-1, 1)"),
        ("kappa", "(-1, 1)"),
        ("f1", "(0, 1)"),
        ("yule_q", "(-1, 1)"),
        ("kuhns_1", "(-1/2, 1/2)"),
        ("leverage", "(-1/4, 1/4)"),
        ("gilbert_skill_score", "(-1/3, 1)"),
        ("roc_distance", "(0, sqrt(2))"),
        ("ample", "[0, 1)"),
        ("mean_square_contingency", "[0, 1)"),
        ("pattern_difference", "(0, 1)"),
        ("kuhns_8", "(-1/2, 1)"),
        ("lift", "(0, oo)"),
        ("determinant", "(-oo, oo)"),
        ("log_odds_ratio", "(-oo, oo)"),
        ("example_counterexample_rate", "(-oo, 1)"),
        ("cwa", "(0, 1)"),
        ("f_beta", "(0, 1)"),
    ],
)
def test_ranges(name, value):
    found = verdict(name, "range")
    assert found.value == value
    assert found.status == ("refuted" if "oo" in value else "proved")


def bounds(value):
    """Return the ends of the text of a range, as numbers."""
    pair = value[5:].split(" to ") if value.startswith("from ") else value[1:-1].split(", ")
    return [float(end) if "inf" in end else float(parse_formula(end)) for end in (e.replace("oo", "inf") for e in pair)]


def test_no_value_is_outside_the_range_and_the_declared_ranges_agree():
    random = np.random.default_rng(5)
    tables = 10.0 ** random.uniform(-4, 4, (2000, 4))
    for name in SOME:
        metric, found = sm.metrics[name], verdict(name, "range")
        if found.value is None:
            continue
        lower, upper = bounds(found.value)
        with np.errstate(all="ignore"):
            values = np.broadcast_to(numbers(name, "numpy")(*tables.T), len(tables))
        values = values[np.isfinite(values)]
        assert (values >= lower - 1e-6).all(), name
        assert (values <= upper + 1e-6).all(), name
        if metric.range is not None:
            assert (float(metric.range.inf), float(metric.range.sup)) == pytest.approx((lower, upper)), name


def test_a_bound_that_depends_on_a_parameter_is_open():
    found = verdict("expected_loss", "range")
    assert (found.status, found.value) == ("open", None)
    assert "depends on the parameters" in found.evidence.sentence


# -- where a formula is defined ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("precision", "undefined where TP = FP = 0 (no limit)"),
        ("f1", "undefined where TP = FN = FP = 0 (no limit)"),
        ("diagnostic_odds_ratio", "undefined where FN = 0 (oo along straight lines); FP = 0 (oo along straight lines)"),
        (
            "mcc",
            "undefined where TP = FN = 0 (0 along straight lines); TP = FP = 0 (0 along straight lines); "
            "FN = TN = 0 (0 along straight lines); FP = TN = 0 (0 along straight lines)",
        ),
        ("baulieu_12", "undefined where FN + FP + TP - 1 = 0"),
    ],
)
def test_where_a_formula_is_undefined(name, value):
    found = verdict(name, "defined")
    assert (found.status, found.value) == ("refuted", value)


def test_formulas_are_undefined_where_it_is_said_and_nowhere_else():
    for name in SOME:
        found = verdict(name, "defined")
        if found.status == "open":
            continue
        faces = [set(face.split()) for face in found.evidence.data["faces"]]
        has_poles = "poles" in found.evidence.data
        evaluate = Evaluator(formula_of(name), CELLS)
        for table in SMALL[:: 1 if found.status == "proved" else 3]:
            zero = {cell for cell, count in zip(CELL_NAMES, table, strict=True) if not count}
            listed = any(face <= zero for face in faces)
            try:
                evaluate(*table)
            except Undefined:
                assert listed or has_poles, (name, table)
            else:
                assert not listed, (name, table)


def test_a_table_without_a_value_is_the_smallest():
    found = verdict("precision", "defined")
    assert found.witness.tables == ((0, 0, 0, 1),)
    assert found.witness.values == ()
    assert "M(TP=0, FN=0, FP=0, TN=1) has no value" in explain(found, sm.properties["defined"], sm.metrics.precision)
    assert verdict("accuracy", "defined").status == "proved"


# -- best and worst tables --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "best", "worst"),
    [  # Gösgens et al. 2021, table of properties
        ("f1", True, False),
        ("jaccard", True, False),
        ("mcc", True, True),
        ("accuracy", True, True),
        ("auc_single", True, True),
        ("kappa", True, False),
        ("sokal_sneath_4", True, True),
        ("precision", False, False),
        ("tpr", False, False),
        ("diagnostic_odds_ratio", False, False),
    ],
)
def test_agreement(name, best, worst):
    assert verdict(name, "max_agreement").holds is best
    assert verdict(name, "min_agreement").holds is worst


def test_agreement_by_brute_force():
    for name, (key, sign, cells) in itertools.product(
        SOME, [("max_agreement", 1, (1, 2)), ("min_agreement", -1, (0, 3))]
    ):
        found = verdict(name, key)
        if found.status != "proved":
            continue
        with np.errstate(all="ignore"):
            values = sign * np.broadcast_to(numbers(name, "numpy")(*np.array(SMALL, float).T), len(SMALL))
        agrees = np.array([not table[cells[0]] and not table[cells[1]] for table in SMALL])
        finite = np.isfinite(values)
        best = float(parse_formula(found.evidence.data["extreme"])) * sign
        assert values[agrees & finite] == pytest.approx(best), name
        assert (values[~agrees & finite] < best - 1e-6).all(), name


def test_a_refuted_agreement_shows_two_tables():
    found = verdict("precision", "max_agreement")
    assert found.witness.tables == ((1, 1, 0, 0), (1, 0, 0, 0))
    assert found.witness.values == (1, 1)
    assert verdict("p4", "min_agreement").evidence.kind == "attained elsewhere"
    assert verdict("euclidean_distance", "max_agreement").status == "refuted"


# -- certificates -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", PROPERTIES)
def test_verdicts_survive_json_and_are_verified(key):
    for name in sm.metrics if key.endswith("limit") else SOME:
        found = verdict(name, key)
        read = Verdict.from_json(found.to_json())
        assert read == found
        assert len(found.to_json()) < 200_000
        sm.check(read)


def leaves(data, path=()):
    if isinstance(data, dict):
        for key, value in data.items():
            yield from leaves(value, (*path, key))
    elif isinstance(data, list):
        for place, value in enumerate(data):
            yield from leaves(value, (*path, place))
    else:
        yield path, data


def changed(data, path, value):
    copy = json.loads(json.dumps(data))
    node = copy
    for step in path[:-1]:
        node = node[step]
    if value is None:
        del node[path[-1]]
    else:
        node[path[-1]] = value
    return copy


ALTERED = {
    str: ["oo", "-oo", "0", "7/3", "TP", "other_s", "1/other_s", "refuted", "proved"],
    bool: [True, False],
    int: [7, 0],
}
CHECKED = [
    ("kappa", "tn_limit"),
    ("log_odds_ratio", "tn_limit"),
    ("fossum", "tn_limit"),
    ("example_counterexample_rate", "prevalence_limit"),
    ("accuracy", "range"),
    ("ample", "range"),
    ("lift", "range"),
    ("f1", "defined"),
    ("baulieu_12", "defined"),
    ("diagnostic_odds_ratio", "defined"),
    ("tpr", "min_agreement"),
    ("jaccard", "max_agreement"),
    ("precision", "max_agreement"),
    ("p4", "min_agreement"),
]


@pytest.mark.parametrize(("name", "key"), CHECKED)
def test_altered_certificates_are_rejected(name, key):
    data = verdict(name, key).certificate()
    accepted = []
    for path, leaf in leaves(data):
        if path[0] in ("evidence", "metric", "property") or leaf is None:
            continue
        if "proof" in path and len(str(path)) % 11:
            continue
        for value in [*ALTERED.get(type(leaf), []), None]:
            if value == leaf and type(value) is type(leaf):
                continue
            try:
                altered = Verdict.from_certificate(changed(data, path, value))
                sm.check(altered)
            except SymmetricsError:
                continue
            accepted.append((path, leaf, value))
    # Other evidence may do as well; what is stated may not change.
    assert all(path[0] in ("certificate", "witness") for path, _, _ in accepted), accepted


@pytest.mark.parametrize(
    ("name", "key", "value"),
    [
        ("kappa", "tn_limit", "TP/(TP + FN + FP)"),
        ("log_odds_ratio", "tn_limit", "-oo"),
        ("accuracy", "range", "[0, 1]"),
        ("accuracy", "range", "(0, 2)"),
        ("lift", "range", "(1, oo)"),
        ("f1", "defined", "undefined where TP = FN = FP = 0 (0 along straight lines)"),
    ],
)
def test_altered_values_are_rejected(name, key, value):
    data = verdict(name, key).certificate() | {"value": value}
    with pytest.raises(CertificateError):
        sm.check(Verdict.from_certificate(data))


def test_a_missing_face_is_rejected():
    data = verdict("f1", "max_agreement").certificate()
    del data["certificate"]["faces"]["TP"]
    with pytest.raises(CertificateError, match="face is missing"):
        sm.check(Verdict.from_certificate(data))


def test_a_curve_into_another_face_is_rejected():
    data = verdict("f1", "max_agreement").certificate()
    face = data["certificate"]["faces"]["TN"]
    assert face["path"] == ["TP", "FN", "FP", "other_s"]
    face["path"] = ["TP", "FN", "FP", "1"]
    with pytest.raises(CertificateError):
        sm.check(Verdict.from_certificate(data))


def test_claims_survive_their_texts():
    parameter = sm.metrics.f_beta.parameters
    for claim in (
        FiniteLimit(sm.metrics.f_beta.expr, parameter, (TP, FN, FP, 1 / STEP)),
        Bounded(sm.metrics.f_beta.expr, parameter),
    ):
        assert claim_from_dict(claim.to_dict()) == claim
        assert claim.at({parameter[0].symbol: Rational(2)}).parameters == ()
    with pytest.raises(SymmetricsError):
        claim_from_dict(Bounded(TP, ()).to_dict() | {"domain": "everywhere"})


def test_own_formulas():
    s = Symbol("x", positive=True)
    assert s != TP
    mine = Metric("mine", TP / (TP + 7 * FN / 10 + 3 * FP / 10))
    assert sm.prove(mine, "range").value == "(0, 1)"
    assert sm.prove(mine, "max_agreement").status == "proved"
    assert sm.prove(TP - TP, "range").value == "[0, 0]"
    assert sm.prove(log(TP), "range").value == "(-oo, oo)"
    assert sm.prove(TP / (TP - FN), "range").status == "refuted"
    for expression in (
        FN / (log(FN + FP - TN) + 1),
        sqrt(TP - FN) / TP,
        log(log(TP)),
        1 / (TP - FN),
        sqrt(sqrt(TP) - 2),
    ):
        for key in PROPERTIES:
            sm.check(sm.prove(expression, key))


def test_parameters_bound_and_free_agree():
    for name, key in itertools.product(("cwa", "f_beta", "net_benefit", "mean_f_beta"), PROPERTIES):
        found = verdict(name, key)
        for value in (Rational(0), Rational(1, 3), Rational(9, 10)):
            bound = sm.metrics[name].at(**{sm.metrics[name].parameters[0].name: value})
            status = sm.prove(bound, key).status
            assert found.status in ("open", status) or status == "open", (name, key, value)


def test_a_series_can_be_too_short():
    formula = sqrt(1 + STEP) - 1 - STEP / 2
    series = SeriesReader(field_for(), STEP, 2)(formula)
    assert not series.terms
    assert leading_term(formula / STEP**2).limit == Rational(-1, 8)
