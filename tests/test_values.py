"""Limits, ranges, tables without a value, best and worst tables: against the literature, mpmath and brute force."""

from __future__ import annotations

import itertools
from fractions import Fraction
from functools import cache

import mpmath
import numpy as np
import pytest
from effort import examples, in_one_test, some
from hypothesis import given, settings
from hypothesis import strategies as st
from recorded import recorded, status
from shared import sections_of
from sympy import Max, Rational, S, Symbol, lambdify, log, oo, sqrt

import symmetrics as sm
from symmetrics import FN, FP, TN, TP, Metric
from symmetrics.algebra.convert import field_for
from symmetrics.algebra.evaluate import Evaluator, Undefined
from symmetrics.algebra.limits.series import SeriesReader
from symmetrics.checker.engine.expansions import check_tends_to
from symmetrics.claims import Bounded, FiniteLimit, claim_from_dict
from symmetrics.claims.families.limits import STEP
from symmetrics.claims.verdict import Verdict
from symmetrics.language.cells import CELLS
from symmetrics.language.condition import condition_text, parse_condition
from symmetrics.language.formula import parse_formula
from symmetrics.language.names import CELL_NAMES
from symmetrics.language.writer import formula_text
from symmetrics.pages.lookup import explain
from symmetrics.prover.engine.leading import leading_term
from symmetrics.tools.errors import CertificateError, SymmetricsError, UnsupportedError

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


def by_cases(text, values):
    """Return the case of a value such as ``0 if w = 0; 1 if w != 0`` that holds for given parameters."""
    if " if " not in text:
        return text
    cases = (case.split(" if ") for case in text.split("; "))
    conditions = [(value, parse_condition(case, [p.name for p in values]).subs(values)) for value, case in cases]
    (value,) = [value for value, condition in conditions if condition is S.true]
    return value


def value_at_defaults(name, found):
    """Return the value of a verdict at the default parameters."""
    return by_cases(found.value, {p.symbol: p.default for p in sm.metrics[name].parameters})


def same(text, expected):
    """Whether two formulas agree at several tables, in exact or in interval arithmetic."""
    left, right = Evaluator(parse_formula(text), CELLS), Evaluator(expected, CELLS)
    return all(abs(float(left(*t)) - float(right(*t))) < 1e-14 for t in TABLES)


# -- literature -------------------------------------------------------------------------------------------------------


@in_one_test
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


@in_one_test
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


@in_one_test
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


@in_one_test
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
    for formula, limit in (
        (sqrt(STEP - TP), "sqrt(TP)"),
        (log(STEP - TP), "log(TP)"),
        (log(log(1 / STEP)), "0"),
        (TP**TN, "1"),
    ):
        for wrong in (limit, "0"):
            with pytest.raises(CertificateError):
                check_tends_to(formula, wrong)
    assert leading_term((TP - FN) / STEP).sign is None


def test_errors_of_a_series_are_not_taken_for_terms() -> None:
    # What is as large as the error of a series is not known. Known are all terms larger than the error; one of its
    # size may be another, or none, in the whole series.
    vanishing = (1 - 1 / (1 + STEP)) / STEP
    check_tends_to(1 / vanishing, "1")
    check_tends_to(log(vanishing), "0")
    formula = 1 / (STEP**3 * (1 + STEP)) - STEP**-3 + STEP**-2 - 1 / STEP
    check_tends_to(formula, "-1")
    for wrong in ("oo", "-oo", "0"):
        with pytest.raises(CertificateError):
            check_tends_to(formula, wrong)
    # Logarithms count in the error of a series. With small = -STEP*log(STEP), the series 1/(1 - small) goes on with
    # small**2, of two logarithms.
    small = -STEP * log(STEP)
    formula = (1 / (1 - small) - 1 - small) / (STEP * small)
    check_tends_to(formula, "oo")
    with pytest.raises(CertificateError):
        check_tends_to(formula, "0")


GAP = TP - FN


@in_one_test
@pytest.mark.parametrize(
    ("change", "order"),
    [
        (sqrt(GAP + STEP * TN) - sqrt(GAP), Rational(1, 2)),
        (sqrt(GAP + STEP**2 * TN - STEP**3) - sqrt(GAP), 1),
        (sqrt(GAP + 1 - 1 / (1 + STEP)) - sqrt(GAP), Rational(1, 2)),
        (sqrt(GAP / STEP + TN) - sqrt(GAP / STEP), 0),
        (sqrt(GAP + STEP * TN) ** 3 - sqrt(GAP) ** 3, 1),
        (sqrt(GAP / STEP + TN) ** 3 - sqrt(GAP / STEP) ** 3, Rational(-1, 2)),
        (abs(GAP + STEP * TN) - abs(GAP), 1),
        (abs(GAP + STEP * TN - STEP**2) - abs(GAP), 1),
        (abs(GAP + 1 - 1 / (1 + STEP)) - abs(GAP), 1),
    ],
)
def test_what_follows_a_part_that_may_vanish_is_an_error(change, order):
    """Where TP = FN it is all there is: a root of it under a root."""
    check_tends_to(change / STEP ** (order - Rational(1, 4)), "0")
    for wrong in ("0", "1", "oo", "-oo"):
        with pytest.raises(CertificateError):
            check_tends_to(change / STEP**order, wrong)


def is_limit(formula, limit, *declarations):
    """Whether the checker takes a limit for shown, of a formula in parameters with some domains."""
    try:
        check_tends_to(formula, limit, [sm.Parameter.parse(text) for text in declarations])
    except CertificateError:
        return False
    return True


def test_signs_of_sums_and_quotients() -> None:
    # Signs of sums with absolute values.
    for limit in ("TP - FN", "FN - TP", "TP + FN", "0"):
        assert not is_limit(abs(GAP), limit)
    assert is_limit(abs(GAP), "Abs(FN - TP)")
    assert is_limit(sqrt(GAP**2), "Abs(TP - FN)")
    assert is_limit((TP + FN - abs(GAP)) / STEP, "oo")
    assert is_limit((abs(GAP) - TP - FN) / STEP, "-oo")
    for formula in (TP + 2 * FN - 2 * abs(GAP), 2 * TP + FN - 2 * abs(GAP), GAP + abs(GAP), TP - FN - abs(FP - TN)):
        assert not any(is_limit(formula / STEP, limit) for limit in ("oo", "-oo"))
    # Signs of quotients and of what is not known.
    assert is_limit(TP / (TP + FN) / STEP, "oo")
    assert is_limit(TP / GAP**2 / STEP, "oo")
    assert is_limit(sqrt(log(TP)), "sqrt(log(TP))")
    for formula in (TP / GAP, TP / GAP**3, log(TP), log(TP) ** 3, TP - abs(GAP) - abs(FP - TN), TN * log(GAP)):
        assert not any(is_limit(formula / STEP, limit) for limit in ("oo", "-oo"))


@in_one_test
@pytest.mark.parametrize(
    ("text", "signs"),
    [
        ("w*TP", {"(0, 1)": 1, "[0, 1]": None, "(0, 1]": 1, "[0, oo)": None, "(0, oo)": 1, "(-oo, 0)": -1}),
        ("(1 - w)*TP", {"(0, 1)": 1, "[0, 1]": None, "[0, 1)": 1, "[1, oo)": None, "(1, oo)": -1, "(-oo, 1)": 1}),
        ("w*TP", {"(-oo, 0]": None, "(-oo, oo)": None, "[-1, 1]": None, "[-1, 0)": -1, "[-1, 0]": None}),
        ("w*TP + FN", {"[0, 1]": 1, "[0, oo)": 1, "(-oo, oo)": None, "[-1, 1]": None}),
        ("w*TP + (1 - w)*FN", {"[0, 1]": 1, "(0, 1)": 1, "[0, 2]": None, "(-1, 1)": None}),
        ("w*(1 - w)*TP", {"(0, 1)": 1, "[0, 1)": None, "(0, 1]": None, "[0, 1]": None}),
        ("w*TP + v*FN", {"[0, 1]": 1, "(0, 1)": 1, "[0, oo)": 1}),
        ("w*v*TP", {"(0, 1)": 1, "[0, 1]": None, "(0, oo)": 1}),
        ("(w + v - 1)*TP", {"[0, 1]": None, "[1/2, 1]": 1, "(0, oo)": None}),
    ],
)
def test_a_sign_holds_at_the_ends_of_the_domains_of_parameters(text, signs):
    """Another parameter v is between 1/2 and 1."""
    formula = parse_formula(text, ["w", "v"]) / STEP
    for domain, sign in signs.items():
        for limit, shown in (("oo", sign == 1), ("-oo", sign == -1)):
            assert is_limit(formula, limit, f"w in {domain}", "v in (1/2, 1]") is shown, (domain, limit)


SUM = FP + TN


@in_one_test
@pytest.mark.parametrize(
    ("formula", "sign"),
    [
        (SUM * log(SUM) - FP * log(FP) - TN * log(TN), 1),  # the entropy of two counts, times their sum
        (FP * log(FP) + TN * log(TN) - SUM * log(SUM), -1),
        (log(SUM**2 + 4) - 2 * log(2), 1),
        (TP * log(2 * SUM + 1) - TP * log(2 * SUM) + FN * log(3) / 7, 1),
        (log(TP) / 2 - log(TP + FN) / 3, None),
        (log(TP) - log(FN), None),
        (TP * log(SUM) - FN * log(SUM), None),
        (TP * log(2) - FN * log(3), None),
        (log(SUM) - log(FP) - log(TN), None),
        (TP * log(TP) + FN * log(FN + 1), None),
        (FP * log(SUM) - FP * log(FP) + TN * log(TN) - TN * log(SUM), None),
    ],
)
def test_signs_of_sums_of_logarithms(formula, sign):
    leading = leading_term(formula / STEP)
    assert leading.sign == sign
    numbers = lambdify(CELLS, formula, "numpy")(*(10.0 ** np.random.default_rng(3).uniform(-3, 3, (4, 500))))
    assert {1: (numbers > 0).all(), -1: (numbers < 0).all(), None: min(numbers) < 0 < max(numbers)}[sign]
    for limit, expected in (("oo", 1), ("-oo", -1)):
        if sign == expected:
            check_tends_to(formula / STEP, limit)
        else:
            with pytest.raises(CertificateError):
                check_tends_to(formula / STEP, limit)


@settings(max_examples=examples(60), deadline=None)
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


@pytest.mark.thorough
@pytest.mark.parametrize("key", ["tn_limit", "prevalence_limit"])
def test_limits_agree_with_values_nearby(key):
    for name in some(sm.metrics, 20, key):
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
                text = value_at_defaults(name, found)
                limit = parse_formula(text, [p.name for p in values]).xreplace(values)
                exact = lambdify(CELLS, limit, "mpmath")(
                    *(mpmath.mpf(Fraction(c).numerator) / Fraction(c).denominator for c in table)
                )
                # What tends to its limit like a power of 1/log(s) is still far from it.
                slow = formula_of(name).has(log)
                assert abs(near - exact) <= (0.08 if slow else 1e-15), (name, near, exact)
                assert abs(near - exact) <= abs(far - exact) + mpmath.mpf(10) ** -300, name


@pytest.mark.thorough
def test_refutations_at_one_table_grow():
    for name, key in itertools.product(some(sm.metrics, 60, "growth"), ("tn_limit", "prevalence_limit")):
        found = recorded(name, key)
        table = found.evidence.data.get("table")
        if table:
            place = [Fraction(table.get(cell, 1)) for cell in CELL_NAMES]
            with mpmath.workdps(700):
                far, near = path_values(name, key, place, (40, 300))
            assert abs(near) > 2 * abs(far), name


@pytest.mark.thorough
def test_few_limits_stay_open():
    open_ones = {key: [n for n in sm.metrics if status(n, key) == "open"] for key in PROPERTIES[:2]}
    assert open_ones["tn_limit"] == []
    assert len(open_ones["prevalence_limit"]) <= 7


# -- ranges -----------------------------------------------------------------------------------------------------------


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    ("name", "value"),
    sections_of("known_answers.txt")["ranges of metrics"],
)
def test_ranges(name, value):
    found = verdict(name, "range")
    assert found.value == value
    assert found.status == ("refuted" if "oo" in value else "proved")


def bounds(name, found):
    """Return the ends of a range at the default parameters, as numbers."""
    values = {p.symbol: p.default for p in sm.metrics[name].parameters}
    value = value_at_defaults(name, found)
    pair = value[5:].split(" to ") if value.startswith("from ") else value[1:-1].split(", ")
    return [
        float(end) if "inf" in end else float(parse_formula(end, [p.name for p in values]).xreplace(values))
        for end in (e.replace("oo", "inf") for e in pair)
    ]


def test_no_value_is_outside_the_range_and_the_declared_ranges_agree():
    random = np.random.default_rng(5)
    tables = 10.0 ** random.uniform(-4, 4, (2000, 4))
    for name in some(SOME, 8, "range"):
        metric, found = sm.metrics[name], verdict(name, "range")
        if found.value is None or found.status == "open":
            continue
        lower, upper = bounds(name, found)
        with np.errstate(all="ignore"):
            values = np.broadcast_to(numbers(name, "numpy")(*tables.T), len(tables))
        values = values[np.isfinite(values)]
        assert (values >= lower - 1e-6).all(), name
        assert (values <= upper + 1e-6).all(), name
        if metric.range is not None:
            assert (float(metric.range.inf), float(metric.range.sup)) == pytest.approx((lower, upper)), name


# -- where a formula is defined ----------------------------------------------------------------------------------------


@in_one_test
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
    for name in some(SOME, 10, "defined"):
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


def test_sums_of_squares_are_no_poles():
    for name in ("baulieu_7", "consonni_todeschini_5"):
        assert verdict(name, "defined").status == "proved"
        sm.check(verdict(name, "defined"))
    for formula in (1 / (FN + (TP - 2) ** 2), 1 / (FN * TP + FP * (TN - 1) ** 2), 1 / log(1 + (TP - FN) ** 2)):
        found = sm.prove(formula, "defined")
        assert found.status != "proved"
        sm.check(found)


# -- best and worst tables --------------------------------------------------------------------------------------------


@pytest.mark.sampled(4)
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
        some(SOME, 8, "agreement"), [("max_agreement", 1, (1, 2)), ("min_agreement", -1, (0, 3))]
    ):
        found = verdict(name, key)
        if found.status != "proved" or found.evidence.kind == "cases":
            continue
        with np.errstate(all="ignore"):
            values = sign * np.broadcast_to(numbers(name, "numpy")(*np.array(SMALL, float).T), len(SMALL))
        agrees = np.array([not table[cells[0]] and not table[cells[1]] for table in SMALL])
        finite = np.isfinite(values)
        best = float(parse_formula(found.evidence.data["extreme"])) * sign
        assert values[agrees & finite] == pytest.approx(best), name
        assert (values[~agrees & finite] < best - 1e-6).all(), name


def test_tables_that_show_a_refutation() -> None:
    # A table without a value is the smallest.
    found = verdict("precision", "defined")
    assert found.witness.tables == ((0, 0, 0, 1),)
    assert found.witness.values == ()
    assert "M(TP=0, FN=0, FP=0, TN=1) has no value" in explain(found, sm.properties["defined"], sm.metrics.precision)
    assert verdict("accuracy", "defined").status == "proved"
    # A refuted agreement shows two tables.
    found = verdict("precision", "max_agreement")
    assert found.witness.tables == ((1, 1, 0, 0), (1, 0, 0, 0))
    assert found.witness.values == (1, 1)
    assert verdict("p4", "min_agreement").evidence.kind == "attained elsewhere"
    assert verdict("euclidean_distance", "max_agreement").status == "refuted"
    # A limit is infinite at a table of halves. At FP = TN = 1/2 there is one negative, and the pairs of the Rand
    # index tend to none at all.
    found = verdict("rand_index", "prevalence_limit")
    assert (found.status, found.evidence.data["table"]) == ("refuted", dict.fromkeys(CELL_NAMES, "1/2"))


# -- cases of parameters ----------------------------------------------------------------------------------------------

PARAMETRIC = [name for name in sm.metrics if sm.metrics[name].parameters]


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "key", "condition"),
    [
        ("cwa", "max_agreement", "w != 0 and w != 1"),
        ("cwa", "min_agreement", "w != 0 and w != 1"),
        ("f_beta", "max_agreement", "beta != 0"),
        ("tversky", "max_agreement", "alpha != 0 and beta != 0"),
        # At TPR = 1 it is b*(1 + alpha*(1 - b)), b = TNR, which grows up to b = 1 if and only if alpha <= 1.
        ("iba_squared_gmean", "max_agreement", "alpha <= 1"),
        # It is bilinear in TPR and TNR: 1 - rho at (1, 1), (1 + rho)/2 at (0, 1).
        ("wauc", "max_agreement", "rho < 1/3"),
        ("wauc", "min_agreement", "rho != 1"),
        ("weighted_accuracy", "max_agreement", "(w1 != 0 or w4 != 0) and w2 != 0 and w3 != 0"),
        ("weighted_accuracy", "min_agreement", "w1 != 0 and (w2 != 0 or w3 != 0) and w4 != 0"),
    ],
)
def test_agreement_depends_on_parameters(name, key, condition):
    found = verdict(name, key)
    assert (found.status, condition_text(found.condition)) == ("conditional", condition)
    sm.check(Verdict.from_json(found.to_json()))


@pytest.mark.thorough
@pytest.mark.parametrize("name", PARAMETRIC)
def test_parameters_bound_and_free_agree(name):
    parameters = sm.metrics[name].parameters
    # Binding parameters may cancel what the formula, as it is written, divides by.
    every = itertools.product([key for key in PROPERTIES if key != "defined"], range(4))
    for key, place in some(every, 40, name):
        found = verdict(name, key)
        if found.status == "open":
            continue
        grid = (Rational(0), Rational(1, 3), Rational(9, 10), Rational(5, 2))
        values = {p: grid[(place * (k + 1)) % 4] for k, p in enumerate(parameters)}
        if any(value not in p for p, value in values.items()):
            continue
        try:
            bound = sm.metrics[name].at(**{p.name: value for p, value in values.items()})
        except SymmetricsError:
            continue
        symbols = {p.symbol: value for p, value in values.items()}
        status = {True: "proved", False: "refuted"}.get(
            found.status == "proved" if found.condition is None else bool(found.condition.subs(symbols))
        )
        other = sm.prove(bound, key)
        assert other.status in (status, "open"), (name, key, values)
        if found.value is not None and other.value is not None:
            texts = [
                text.removeprefix("from ").replace(" to ", ", ").strip("[]()" * (text[0] in "[(")).split(", ")
                if key == "range"
                else [text]
                for text in (by_cases(found.value, symbols), other.value)
            ]
            for left, right in zip(*texts, strict=True):
                if "oo" in right:
                    assert left == right
                else:
                    assert same(left_at(left, parameters, symbols), parse_formula(right)), (name, key, values)


def left_at(text, parameters, values):
    return formula_text(parse_formula(text, [p.name for p in parameters]).xreplace(values))


@pytest.mark.thorough
def test_conditions_of_agreement_agree_with_values():
    """For values of a parameter at which a claim holds, or fails, tables of counts and large ratios show no other."""
    tables = np.array(
        [*SMALL, *(tuple(30 ** np.array(table)) for table in itertools.product(range(4), repeat=4))], float
    )
    for name, (key, sign, cells) in itertools.product(
        ("cwa", "f_beta", "wauc", "iba_squared_gmean", "mean_f_beta"),
        [("max_agreement", 1, (1, 2)), ("min_agreement", -1, (0, 3))],
    ):
        (parameter,) = sm.metrics[name].parameters
        found = verdict(name, key)
        agrees = (tables[:, cells] == 0).all(axis=1)
        for value in (0, Rational(1, 5), Rational(1, 3), Rational(3, 5), 1, Rational(3, 2)):
            if value not in parameter or found.status == "open":
                continue
            holds = found.holds if found.condition is None else bool(found.condition.subs(parameter.symbol, value))
            function = lambdify(CELLS, sm.metrics[name].expr.subs(parameter.symbol, value), "numpy")
            with np.errstate(all="ignore"):
                values = sign * np.broadcast_to(function(*tables.T), len(tables))
            finite = np.isfinite(values)
            best = values[agrees & finite].max()
            spread = best - values[agrees & finite].min()
            assert holds == (spread < 1e-9 and bool((values[~agrees & finite] < best - 1e-12).all())), (
                name,
                key,
                value,
            )


# -- certificates -----------------------------------------------------------------------------------------------------


@in_one_test
@pytest.mark.parametrize("key", PROPERTIES)
def test_verdicts_survive_json_and_are_verified(key):
    for name in some(sm.metrics if key == "prevalence_limit" else SOME, 2, key):
        found = recorded(name, key)
        read = Verdict.from_json(found.to_json())
        assert read == found
        assert len(found.to_json()) < 200_000
        sm.check(read)


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
        for key in some(PROPERTIES, 2, str(expression)):
            sm.check(sm.prove(expression, key))


def test_series_are_as_long_and_powers_as_large_as_needed() -> None:
    # No power is so large that it counts as nothing. Powers of at most the 99th, one inside the other, reach such a
    # power within the length of a formula.
    power = sqrt(STEP) ** (2 * 10**9 + 1)
    formula = (power * TP + power) / power
    check_tends_to(formula, "TP + 1")
    with pytest.raises(CertificateError):
        check_tends_to(formula, "0")
    # A series can be too short.
    formula = sqrt(1 + STEP) - 1 - STEP / 2
    series = SeriesReader(field_for(), STEP, 2)(formula)
    assert not series.terms
    assert leading_term(formula / STEP**2).limit == Rational(-1, 8)


def test_parameters_that_take_a_value_away_are_verified() -> None:
    # What a parameter takes away on a face is verified.
    a = sm.Parameter("a", 0, 1)
    lost = Metric("lost", (TP + a.symbol * FN) / (TP + a.symbol * FN + FP), parameters=(a,))
    for key in some(("max_agreement", "min_agreement", "range"), 1):
        sm.check(sm.prove(lost, key))
    # What values of parameters cancel stays undefined. Where the weight is zero, the formula as it is written still
    # divides by TP - FN.
    w = sm.Parameter("w", 0, 1, default=Rational(1, 2))
    hidden = Metric("hidden", TN / (TN + FP) + w.symbol * TP / (TP - FN), parameters=(w,))
    for key in some(PROPERTIES, 3, "hidden"):
        found = sm.prove(hidden, key)
        sm.check(found)
        assert found.evidence.kind != "cases" or "0" not in found.evidence.data["tree"]["pieces"]
    # No default and no value in the middle of the domain.
    a = sm.Parameter("a", 0, 1)
    metric = Metric("lost", TP / (TP + FN) / (2 * a.symbol - 1), parameters=(a,))
    for key in some(PROPERTIES, 3, "lost"):
        sm.check(sm.prove(metric, key))


def test_absolute_values_of_what_may_be_zero_at_the_end_of_a_domain():
    """Max(1, x) is (1 + x + |1 - x|)/2, and 1 - x tends to b*TN/(FP + b*TN), zero for b = 0."""
    b = sm.Parameter("b", 0, oo, default=1)
    share = (FN + FP) / (FN + FP + b.symbol * TN)
    metric = Metric("larger", Max(1, share), parameters=(b,))
    found = sm.prove(metric, "prevalence_limit")
    assert (found.status, found.value) == ("proved", "1")
    sm.check(found)
    with pytest.raises(CertificateError):
        check_tends_to(Max(1, 2 * share), "1", metric.parameters, {TP: STEP * TP, FN: STEP * FN})


@settings(max_examples=examples(8), deadline=None)
@given(st.lists(st.sampled_from(["1", "a", "1 - a", "2*a - 1", "a**2"]), min_size=6, max_size=6), st.booleans())
def test_random_formulas_with_a_parameter_agree_with_their_values(texts, is_product):
    a = sm.Parameter("a", 0, 1, default=Rational(1, 2))
    p, q, r, s, t, u = (parse_formula(text, ["a"]) for text in texts)
    left, right = (p * TP + q * TN) / (TP + FN + TN), r * TP / (s * TP + FN + FP)
    formula = left * right if is_product else t * left + u * right
    if a.symbol not in formula.free_symbols:
        return
    metric = Metric("random", formula, parameters=(a,))
    for key in ("prevalence_limit", "max_agreement", "min_agreement"):
        found = sm.prove(metric, key)
        sm.check(Verdict.from_json(found.to_json()))
        if found.status == "open":
            continue
        for value in (0, Rational(1, 3), 1):
            bound = sm.prove(metric.at(a=value), key)
            holds = found.status == "proved" if found.condition is None else found.condition.subs(a.symbol, value)
            assert bound.status in ("open", "proved" if holds else "refuted")


def test_a_limit_is_infinite_but_where_the_coefficient_of_the_largest_term_is_zero() -> None:
    named = {
        "a*TP + b*FN + c*FP + d*TN": ("d = 0", "-oo if d < 0; FN*b + FP*c + TP*a if d = 0; oo if d > 0"),
        "(a*TP + (3 - 2*d)*TN)/FN": ("d = 3/2", "oo if d < 3/2; TP*a/FN if d = 3/2; -oo if d > 3/2"),
    }
    for text, (condition, value) in named.items():
        names = [name for name in "abcd" if name in text]
        mine = Metric("mine", parse_formula(text, names), tuple(map(sm.Parameter, names)))
        found = sm.prove(mine, "tn_limit")
        assert (condition_text(found.condition), found.value) == (condition, value)
