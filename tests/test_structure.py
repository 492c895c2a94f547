"""Symmetry groups, directions of invariance and ratios of linear forms: expected values, oracles and tampering."""

from __future__ import annotations

import itertools
from fractions import Fraction
from random import Random

import numpy as np
import pytest
from effort import examples, in_one_test, is_thorough, some
from hypothesis import given, settings
from hypothesis import strategies as st
from recorded import recorded
from sympy import Integer, Max, Min, Rational, S, Xor, log, satisfiable, sqrt

import symmetrics as sm
from symmetrics.claims.families.groups import IMAGES, PERMUTATIONS, cycles, inverse
from symmetrics.claims.recorded import ANEW
from symmetrics.claims.verdict import Verdict
from symmetrics.data.counts import Cells
from symmetrics.language.cells import CELLS
from symmetrics.library.properties.structure import derived_invariances
from symmetrics.prover.symmetries import Symmetries

KEYS = ("symmetry_group", "translation_space", "scaling_space", "decomposable")


def formula(text: str, *parameters: str) -> sm.Metric:
    declared = tuple(sm.Parameter.parse(parameter) for parameter in parameters)
    return sm.Metric("own", sm.parse_formula(text, [p.name for p in declared]), declared)


def value(metric: str | sm.Metric, key: str) -> str | None:
    return sm.prove(metric, key).value


def numbers(metric: sm.Metric, tables: np.ndarray) -> np.ndarray:
    """Return the values at tables that need not hold whole numbers."""
    return np.asarray(metric._evaluate(Cells(*tables.T.copy())))


@pytest.fixture(scope="module")
def library() -> dict[str, Symmetries]:
    # Of these each stays the same under another group of scalings, which the sample need not meet.
    names = dict.fromkeys([*some(sm.metrics, 12), "markedness", "informedness", "yule_q"])
    return {name: Symmetries.of({key: recorded(name, key) for key in KEYS[:3]}) for name in names}


# -- expected values -------------------------------------------------------------------------------------------------

SIGNED = (
    "M: identity, (FN FP), (TP TN), (TP TN)(FN FP); -M: (TP FN)(FP TN), (TP FN TN FP), (TP FP TN FN), (TP FP)(FN TN)"
)
"""The group of the square, in which every exchange of rows or of columns changes the sign."""


@in_one_test
@pytest.mark.parametrize(
    ("metric", "group", "translations", "scalings"),
    [
        ("accuracy", "M: identity, (FN FP), (TP TN), (TP TN)(FN FP); 1-M: (TP FN)(FP TN), (TP FN TN FP), "
         "(TP FP TN FN), (TP FP)(FN TN)", "span{(1, 0, 0, -1), (0, 1, -1, 0)}", "span{(1, 1, 1, 1)}"),
        ("mcc", SIGNED, "{0}", "span{(1, 1, 1, 1)}"),
        ("yule_q", SIGNED, "{0}", "span{(1, 0, 0, -1), (0, 1, 0, 1), (0, 0, 1, 1)}"),
        ("diagnostic_odds_ratio", SIGNED.replace("-M", "1/M"), "{0}",
         "span{(1, 0, 0, -1), (0, 1, 0, 1), (0, 0, 1, 1)}"),
        ("f1", "M: identity, (FN FP)", "span{(0, 1, -1, 0), (0, 0, 0, 1)}", "span{(1, 1, 1, 0), (0, 0, 0, 1)}"),
        ("tpr", "M: identity, (FP TN); 1-M: (TP FN), (TP FN)(FP TN)", "span{(0, 0, 1, 0), (0, 0, 0, 1)}",
         "span{(1, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)}"),
        ("gmean", "M: identity, (TP TN)(FN FP)", "{0}", "span{(1, 1, 0, 0), (0, 0, 1, 1)}"),
        ("kappa", "M: identity, (FN FP), (TP TN), (TP TN)(FN FP)", "{0}", "span{(1, 1, 1, 1)}"),
        ("informedness", "M: identity, (TP TN)(FN FP); -M: (TP FN)(FP TN), (TP FP)(FN TN)", "{0}",
         "span{(1, 1, 0, 0), (0, 0, 1, 1)}"),
        ("jaccard", "M: identity, (FN FP)", "span{(0, 1, -1, 0), (0, 0, 0, 1)}",
         "span{(1, 1, 1, 0), (0, 0, 0, 1)}"),
    ],
)  # fmt: skip
def test_well_known_metrics(metric: str, group: str, translations: str, scalings: str) -> None:
    assert value(metric, "symmetry_group") == group
    assert value(metric, "translation_space") == translations
    assert value(metric, "scaling_space") == scalings


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    ("metric", "ratio"),
    [
        ("accuracy", "(TN + TP)/(FN + FP + TN + TP)"), ("precision", "TP/(FP + TP)"), ("tpr", "TP/(FN + TP)"),
        ("f1", "2*TP/(FN + FP + 2*TP)"), ("jaccard", "TP/(FN + FP + TP)"), ("f2", "5*TP/(4*FN + FP + 5*TP)"),
        ("prevalence", "(FN + TP)/(FN + FP + TN + TP)"),
        ("mcc", None), ("kappa", None), ("gmean", None), ("auc_single", None), ("mutual_information", None),
        ("class_balance_accuracy", None), ("cwa", "TN/(FP + TN) if w = 0; TP/(FN + TP) if w = 1"), ("wauc", None),
    ],
)  # fmt: skip
def test_ratios(metric: str, ratio: str | None) -> None:
    verdict = sm.prove(metric, "decomposable")
    assert verdict.value == ratio
    assert (verdict.status == "refuted") == (ratio is None)


def test_microaveraging_a_decomposable_metric_is_a_weighted_macro_average() -> None:
    tables = np.array([(5, 2, 3, 10), (1, 4, 2, 13), (7, 1, 2, 10)])
    for name in ("accuracy", "precision", "f1", "jaccard", "npv"):
        metric = sm.metrics[name]
        below = sm.parse_formula(str(value(name, "decomposable"))).as_numer_denom()[1]
        weights = [float(below.subs(dict(zip(CELLS, map(int, table), strict=True)))) for table in tables]
        macro = np.average(np.asarray(metric.from_counts(*tables.T)), weights=weights)
        assert metric.from_counts(*tables.sum(axis=0)) == pytest.approx(macro)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1/2", ["M: all; 1-M: all", "span{(1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)}", None, "1/2"]),
        ("sqrt(2)*TP/(TP+FN)", [None, None, None, "sqrt(2)*TP/(FN + TP)"]),
        ("(TP-FN)/(FP-TN)", ["M: identity, (TP FN)(FP TN); -M: (FP TN), (TP FN); 1/M: (TP FP)(FN TN), (TP TN)(FN FP)",
         "span{(1, 1, 0, 0), (0, 0, 1, 1)}", "span{(1, 1, 1, 1)}", "(-FN + TP)/(FP - TN)"]),
        ("Max(TP, FN)/(TP + FN)", ["M: identity, (FP TN), (TP FN), (TP FN)(FP TN)",
         "span{(0, 0, 1, 0), (0, 0, 0, 1)}", "span{(1, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)}", None]),
        ("TP**2/FN**3", ["M: identity, (FP TN)", None, "span{(3, 2, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)}", None]),
        ("TP - 2*FN", [None, "span{(2, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)}", None, None]),
        ("TP*TN - FP*FN", [None, "{0}", "span{(1, 0, 0, -1), (0, 1, -1, 0)}", None]),
        ("TP", ["M: identity, (FP TN), (FN FP), (FN FP TN), (FN TN FP), (FN TN)", None, None, None]),
        ("TP/(TP + FN) - FN/FP", ["M: identity", None, None, None]),
    ],
)  # fmt: skip
def test_formulas_of_ones_own(text: str, expected: list[str | None]) -> None:
    metric = formula(text)
    for key, wanted in zip(KEYS, expected, strict=True):
        verdict = sm.prove(metric, key)
        sm.check(verdict, metric)
        assert verdict.status != "open"
        assert wanted is None or verdict.value == wanted
    if text == "TP/(TP + FN) - FN/FP":
        assert sm.prove(metric, "symmetry_group").status == "refuted"


def test_a_formula_that_jumps_is_not_said_to_be_constant() -> None:
    """The sign of TP - FN has the derivative zero wherever it has one."""
    metric = formula("Abs(TP - FN)/(TP - FN)")
    assert sm.prove(metric, "translation_space").status == "open"
    assert sm.prove(metric, "scaling_space").status == "open"
    assert (
        value(metric, "symmetry_group") == "M: identity, (FP TN); -M: (TP FN), (TP FN)(FP TN); 1/M: identity, (FP TN)"
    )


@pytest.mark.parametrize("text", ["log(TP - FN)", "1/(Max(TP, FN) - TP)"])
def test_a_formula_that_is_nowhere_defined_at_both_tables_has_no_symmetry_there(text: str) -> None:
    verdict = sm.prove(formula(text), "symmetry_group")
    assert (verdict.status, verdict.holds, verdict.value) == ("open", None, None)


# -- parameters ------------------------------------------------------------------------------------------------------


def test_conditions_on_parameters() -> None:
    token = ANEW.set(is_thorough())  # that what is read of cwa is what is decided is seen in test_recorded.py
    cwa = sm.metrics["cwa"].symmetries()
    ANEW.reset(token)
    assert repr(cwa).splitlines()[1].strip() == (
        "permutations  M: identity, (TP FN) if w = 0, (FP TN) if w = 1, (TP TN)(FN FP) if w = 1/2; "
        "1-M: (TP FN)(FP TN), (FP TN) if w = 0, (TP FN) if w = 1, (TP FP)(FN TN) if w = 1/2"
    )
    assert (cwa.translations, cwa.scalings) == ((), ((1, 1, 0, 0), (0, 0, 1, 1)))
    assert str(cwa.condition((3, 2, 1, 0))) == "Eq(w, 1/2)"
    assert cwa.condition((0, 2, 1, 3)) is S.false
    assert (cwa.translates((0, 0, 0, 1)), cwa.scales((1, 1, 1, 1), (2, 2, 1, 1))) == (False, True)
    assert sm.metrics["cwa"].at(w=1).symmetries().translates((0, 0, 0, 1), (0, 0, 1, 0))
    assert sm.prove("cwa", "translation_space").condition == sm.prove("cwa", "decomposable").condition
    group = recorded("weighted_accuracy", "symmetry_group")
    assert (group.status, group.holds) == ("conditional", True)
    assert str(group.value).endswith("-M: all if w1 = 0 and w4 = 0; 1/M: all if w2 = 0 and w3 = 0")


@pytest.mark.thorough
def test_two_parameters_may_have_to_be_the_same_for_a_symmetry() -> None:
    found = sm.Metric("two", "a*TP + b*TN", parameters=["a in [0, 1]", "b in [0, 1]"]).symmetries()
    assert str(found.condition((3, 1, 2, 0))) == "Eq(a, b)"
    assert str(found.condition((0, 3, 2, 1))) == "Eq(b, 0)"
    assert found.condition((0, 2, 1, 3)) is S.true


PARAMETRIC = [name for name, metric in sm.metrics.items() if metric.parameters]
SLOW = ("weighted_accuracy",)
"""Four parameters: a thorough run alone has the time."""


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", [name for name in PARAMETRIC if is_thorough() or name not in SLOW])
def test_a_parametric_verdict_is_that_at_every_value(name: str) -> None:
    metric = sm.metrics[name]
    ends = {p.name: [p.lower, Rational(1, 2), Rational(2, 3), Integer(1)] for p in metric.parameters}
    cases = list(itertools.product(*ends.values()))
    for case in Random(name).sample(cases, min(len(cases), 4 if is_thorough() else 1)):
        settings = dict(zip(ends, case, strict=True))
        if any(v not in p for p, v in zip(metric.parameters, case, strict=True)) or not any(case):
            continue
        bound = metric.at(**settings)
        for key in some(KEYS, 3, str(settings)):
            whole = sm.prove(metric, key)
            if whole.status == "open":
                continue
            values = {p.symbol: settings[p.name] for p in metric.parameters}
            holds = bool(whole.condition.subs(values)) if whole.condition is not None else whole.status == "proved"
            assert sm.prove(bound, key).holds is holds, (key, settings)


@pytest.mark.thorough
def test_values_that_are_not_rational_and_ties_between_parameters_stay_honest() -> None:
    metric = formula("TP/(TP + FN) + (w**2 - 2)*TN/(TN + FP)", "w in [0, 5] = 1")
    assert sm.prove(metric, "decomposable").status == sm.prove(metric, "translation_space").status == "open"
    assert "(FP TN) if w = sqrt(2)" in str(value(metric, "symmetry_group"))
    unsafe = formula("w*TP/(w*TP + v*FN)", "w in [0, 1] = 1", "v in [0, 1] = 1")
    assert sm.prove(unsafe, "decomposable").status == "proved"  # where w = v = 0 the formula has no value either
    sm.check(sm.prove(unsafe, "decomposable"), unsafe)


# -- the library -----------------------------------------------------------------------------------------------------


@pytest.mark.thorough
def test_few_verdicts_are_open() -> None:
    left = {(name, key) for name in sm.metrics for key in KEYS if recorded(name, key).status == "open"}
    assert not left


def test_the_simple_invariances_follow(library: dict[str, Symmetries]) -> None:
    """Both ways to decide an invariance agree; directions are asked to serve all values of the parameters."""
    compared = 0
    for name, symmetries in library.items():
        for key, condition in derived_invariances(symmetries).items():
            verdict = recorded(name, key)
            if condition is None or verdict.status == "open":
                continue
            compared += 1
            expected = {"proved": S.true, "refuted": S.false}.get(verdict.status, verdict.condition)
            if verdict.status == "conditional" and key not in ("p1", "transpose", "antisymmetric"):
                expected = S.false
            assert not satisfiable(Xor(condition, expected)), (name, key)
    assert compared > (2300 if is_thorough() else 130)


def test_groups_are_groups(library: dict[str, Symmetries]) -> None:
    for name, symmetries in library.items():
        assert symmetries.group is not None
        members = {image: {p for p, c in symmetries.group[image].items() if c is S.true} for image in IMAGES}
        same = members["M"]
        assert (0, 1, 2, 3) in same
        assert len(PERMUTATIONS) % len(same) == 0
        for image, ours in members.items():
            assert {inverse(p) for p in ours} == ours
            assert len(ours) in (0, len(same)), (name, image)
            for first, second in itertools.product(ours, repeat=2):
                assert tuple(first[place] for place in second) in same


def test_permutations_and_directions_agree_with_values(library: dict[str, Symmetries]) -> None:
    """Every member holds at random tables in floating point, and every other permutation fails at one of them."""
    random = np.random.default_rng(5)
    tables = random.integers(1, 60, size=(40, 4)).astype(float)
    relations = {
        "M": lambda a, b: a - b, "1-M": lambda a, b: a + b - 1, "-M": lambda a, b: a + b, "1/M": lambda a, b: a * b - 1,
    }  # fmt: skip
    for name, symmetries in library.items():
        metric = sm.metrics[name]
        defaults = {p.symbol: p.default for p in metric.parameters}

        def values(moved: np.ndarray, metric: sm.Metric = metric) -> np.ndarray:
            return numbers(metric, moved)

        images = {permutation: values(tables[:, permutation]) for permutation in PERMUTATIONS}
        first = images[PERMUTATIONS[0]]
        for permutation, image in itertools.product(PERMUTATIONS, IMAGES):
            gap = relations[image](first, images[permutation])
            with np.errstate(invalid="ignore"):
                scale = 1 + np.abs(first) + np.abs(images[permutation])
                close = bool(np.nanmax(np.abs(gap) / scale) < 1e-9)
            condition = symmetries.condition(permutation, image)
            assert condition is not None
            assert close == bool(condition.subs(defaults)), (name, cycles(permutation), image)
        for vector in symmetries.translations or ():
            moved = tables + 60 * np.maximum(0, -np.array(vector)).max() + 7 * np.array(vector)
            base = tables + 60 * np.maximum(0, -np.array(vector)).max()
            np.testing.assert_allclose(values(moved), values(base), rtol=1e-9, atol=1e-9)
        for vector in symmetries.scalings or ():
            np.testing.assert_allclose(values(tables * 1.5 ** np.array(vector)), first, rtol=1e-9, atol=1e-9)


def test_dimensions_agree_with_numerical_ranks() -> None:
    random = np.random.default_rng(11)
    tables = random.integers(2, 50, size=(25, 4)).astype(float)
    for name in some(sorted(sm.metrics)[::4], 8, "ranks"):
        metric = sm.metrics[name]
        if metric.parameters or sm.prove(name, "symmetry_group").status == "open":
            continue
        step = 1e-4
        slopes = np.array(
            [
                (numbers(metric, tables + step * unit) - numbers(metric, tables - step * unit)) / (2 * step)
                for unit in np.eye(4)
            ]
        ).T
        for key, rows in (("translation_space", slopes), ("scaling_space", slopes * tables)):
            rows = rows[np.isfinite(rows).all(axis=1)]
            size = np.abs(rows).max(axis=1)
            seen = size > 1e-6  # below it there is only the error of the differences
            rank = np.linalg.matrix_rank(rows[seen] / size[seen, None], tol=1e-5)
            text = str(value(name, key))
            assert text.count("(") == 4 - rank, (name, key, text)


@pytest.mark.thorough
def test_the_checker_accepts_what_was_read_back() -> None:
    for name in some(sorted(sm.metrics)[::5], 8):
        for key in KEYS:
            verdict = sm.prove(name, key)
            again = Verdict.from_json(verdict.to_json())
            assert again.to_json() == verdict.to_json()
            sm.check(again)


@pytest.mark.thorough
def test_certificates_are_small() -> None:
    sizes = {(name, key): len(recorded(name, key).to_json()) for name in sm.metrics for key in KEYS}
    assert sum(size > 20_000 for size in sizes.values()) <= 4
    assert max(sizes.values()) < 250_000


@settings(max_examples=examples(20))
@given(st.lists(st.integers(-3, 3), min_size=8, max_size=8))
def test_any_ratio_is_recognised(entries: list[int]) -> None:
    above = sum(c * cell for c, cell in zip(entries[:4], CELLS, strict=True))
    below = sum(c * cell for c, cell in zip(entries[4:], CELLS, strict=True))
    if not below:
        return
    metric = sm.Metric("own", above / below)
    assert sm.prove(metric, "decomposable").status == "proved"
    sm.check(sm.prove(metric, "decomposable"), metric)
    shifted = sm.Metric("own", above / below + CELLS[0] ** 2 / (CELLS[0] + CELLS[1]) ** 2)
    assert sm.prove(shifted, "decomposable").status == "refuted"


# -- tampering -------------------------------------------------------------------------------------------------------


def test_values_are_evaluated_alike_by_prover_and_checker() -> None:
    from flint import fmpq

    from symmetrics.algebra.derivative import jet_at
    from symmetrics.checker.engine.values import gradient_at, value_at

    table = (7, 2, 3, 11)
    for metric in some(sm.metrics.values(), 60, "evaluated alike"):
        expression = metric.expr.xreplace({p.symbol: p.default for p in metric.parameters})
        counts = tuple(map(Fraction, table))
        jet = jet_at(expression, CELLS, table)
        slopes = gradient_at(expression, CELLS, counts)
        ours = value_at(expression, dict(zip(CELLS, counts, strict=True)))
        for left, right in zip((jet.value, *jet.partials), (ours, *slopes), strict=True):
            if isinstance(left, fmpq):
                assert Fraction(int(left.p), int(left.q)) == right
            else:
                assert float(left) == pytest.approx(float(right.mid), rel=1e-12, abs=1e-12)


def test_the_checker_evaluates_every_power_that_the_prover_does() -> None:
    from symmetrics.algebra.evaluate import MAX_POWER, Evaluator
    from symmetrics.checker.engine.values import value_at
    from symmetrics.tools.errors import UnsupportedError

    (cell, *_) = CELLS
    for power in (MAX_POWER, -MAX_POWER):
        value = Evaluator(cell**power, CELLS)(2, 1, 1, 1)
        assert Fraction(int(value.p), int(value.q)) == value_at(cell**power, {cell: Fraction(2)})
        beyond = cell ** (power + (1 if power > 0 else -1))
        with pytest.raises(UnsupportedError):
            Evaluator(beyond, CELLS)(2, 1, 1, 1)
        with pytest.raises(sm.CertificateError):
            value_at(beyond, {cell: Fraction(2)})


def test_a_sign_or_a_rank_is_known_where_intervals_show_it() -> None:
    from mpmath import iv

    from symmetrics.checker.engine.values import at_high_precision, rank_of, sign_of

    signs = [sign_of(iv.mpf(ends)) for ends in ((0, 1), (-1, 0), (-1, 1), (0, 0), (1, 2), (-2, -1))]
    assert signs == [None, None, None, None, 1, -1]
    assert [sign_of(Fraction(number)) for number in (-2, 0, 3)] == [-1, 0, 1]
    with at_high_precision():
        root = iv.sqrt(2)
        assert rank_of([[1 + 0 * root, root], [root, 2 + 0 * root]]) == 1
        assert rank_of([[Fraction(1), root], [root, Fraction(3)]]) == 2
    first, second, third = (
        [Fraction(1), Fraction(2), Fraction(3)],
        [Fraction(4), Fraction(5), Fraction(6)],
        [Fraction(0)] * 3,
    )
    assert rank_of([first, second, [2 * b - a for a, b in zip(first, second, strict=True)]]) == 2
    assert rank_of([third, first, third, first, second]) == 2
    assert rank_of([[Fraction(int(row == place)) for place in range(3)] for row in (2, 0, 1)]) == 3


def test_the_checker_takes_no_value_where_there_is_none_and_no_slope_at_a_kink() -> None:
    from symmetrics.checker.engine.values import gradient_at, value_at

    tp, fn, *_ = CELLS
    equal, unequal = ((Fraction(2), Fraction(number), Fraction(1), Fraction(1)) for number in (2, 3))
    for formula in (abs(tp - fn), Max(tp, fn), Min(tp, fn), sqrt(tp - fn), 1 / (tp - fn), log(tp - fn)):
        with pytest.raises(sm.CertificateError):
            gradient_at(formula, CELLS, equal)
    for formula in (
        sqrt(tp - fn),
        log(tp - fn),
        tp**fn,
        log(fn - tp - 1) ** -1,
        (fn - tp - 1) ** -2,
        1 / (fn - tp - 1),
    ):
        with pytest.raises(sm.CertificateError):
            value_at(formula, dict(zip(CELLS, unequal, strict=True)))
    gradients = {
        abs(tp - fn): (-1, 1),
        Max(tp, fn): (0, 1),
        Min(tp, fn): (1, 0),
        (tp - fn) ** 3: (3, -3),
        1 / fn: (0, Fraction(-1, 9)),
    }
    for formula, (first, second) in gradients.items():
        assert gradient_at(formula, CELLS, unequal) == (first, second, 0, 0)
    roots = value_at(Max(sqrt(fn), sqrt(fn) + log(tp) + log(fn) - log(tp * fn)), dict(zip(CELLS, unequal, strict=True)))
    assert 3 in roots**2


def test_values_of_roots_are_fractions_where_they_can_be() -> None:
    from symmetrics.checker.engine.values import value_at

    place = dict(zip(CELLS, (Fraction(8, 27), Fraction(4), Fraction(3), Fraction(1)), strict=True))
    tp, fn, fp, tn = CELLS
    for formula, value in (
        (tp ** Rational(2, 3), Fraction(4, 9)),
        (fn ** Rational(-3, 2), Fraction(1, 8)),
        (log(tn), 0),
    ):
        assert value_at(formula, place) == value
        assert isinstance(value_at(formula, place), Fraction)
    assert isinstance(value_at((fn - 4 * tn) * log(fp), place), Fraction)
    assert value_at(Max(fn, 4 * tn), place) == 4
    for power in (2, 3, 5):
        assert 3 in value_at(fp ** Rational(1, power), place) ** power
    assert 0 in value_at(log(fp) + log(fn) - log(fp * fn), place)
    assert value_at(log(fp) + fn, place) - 5 > 0


def test_directions_with_parameters_are_written_without_denominators() -> None:
    """No order of solving for the cells gives a basis whose entries are numbers."""
    weighted = sm.Metric("mine", "w*TP + (1 - w)*FN", parameters=["w in [0, 1]"])
    assert "translations  span{(1 - w, -w, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)}" in str(weighted.symmetries())
    two = sm.Metric("two", "v*TP + w*FN", parameters=["v in [1, 2]", "w in [1, 2]"])
    assert "translations  span{(w, -v, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)}" in str(two.symmetries())
