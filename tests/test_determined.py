"""What scores fix and what equal scores force: theorems against all small tables one by one, and pairs by fractions."""

from __future__ import annotations

import itertools
import json
import math
import random
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from effort import is_thorough, some
from hypothesis import given, settings
from hypothesis import strategies as st
from shared import script
from sympy import Integer, Rational, Symbol, log, simplify

import symmetrics as sm
from symmetrics.algebra.convert import element_expression
from symmetrics.auditing.fibres import exact_sign, opposite_orientations, solutions_on_segment
from symmetrics.auditing.forcing import COMMON
from symmetrics.auditing.injectivity import (
    OneToOne,
    _is_linear_by_sympy,
    check_one_to_one,
    determinant_of,
    is_linear,
    is_scale_free,
    one_to_one,
    written_determinant,
)
from symmetrics.auditing.pairs import smallest_pair
from symmetrics.auditing.score_equations import eliminations, equation_of, other_tables
from symmetrics.cli import main
from symmetrics.language.cells import CELLS, FN, FP, TN, TP
from symmetrics.tools.errors import CertificateError, InputError, UnknownNameError

determined: Any = sm.determined
forces: Any = sm.forces
generator: Any = script(Path(__file__).resolve().parent.parent / "docs" / "determined.py")
MAP = [(tuple(row["scores"].split()), row) for row in generator.rows()]
TABLES = [(3, 1, 4, 1), (5, 9, 2, 6), (1, 1, 1, 7), (20, 3, 1, 2), (2, 7, 11, 5), (13, 1, 1, 1)]


def table_of(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split()))


# -- other code: each metric as a fraction, or the signed square of one, written down again ----------------------------


def fraction_of(name: str, tp: Any, fn: Any, fp: Any, tn: Any) -> tuple[Any, Any]:
    """Return numerator and denominator of a metric, or of its square with its sign, in whole numbers."""
    p, q, s, r, n = tp + fn, fp + tn, tp + fp, fn + tn, tp + fn + fp + tn
    d = tp * tn - fn * fp
    sign = np.sign(d) if isinstance(d, np.ndarray) else (d > 0) - (d < 0)
    return {
        "accuracy": (tp + tn, n),
        "tpr": (tp, p),
        "tnr": (tn, q),
        "precision": (tp, s),
        "npv": (tn, r),
        "prevalence": (p, n),
        "positive_fraction": (s, n),
        "f1": (2 * tp, 2 * tp + fn + fp),
        "f2": (5 * tp, 5 * tp + 4 * fn + fp),
        "f_half": (5 * tp, 5 * tp + fn + 4 * fp),
        "fowlkes_mallows": (tp * tp, p * s),
        "gmean": (tp * tn, p * q),
        "auc_single": (tp * q + tn * p, 2 * p * q),
        "mcc": (sign * d * d, p * q * s * r),
        "kappa": (2 * d, s * q + p * r),
        "markedness": (d, s * r),
        "positive_likelihood_ratio": (tp * q, fp * p),
        "negative_likelihood_ratio": (fn * q, tn * p),
        "diagnostic_odds_ratio": (tp * tn, fn * fp),
        "lift": (tp * n, p * s),
    }[name]


@cache
def primitive_tables(most: int) -> Any:
    cells = [
        (a, b, c, n - a - b - c)
        for n in range(4, most + 1)
        for a in range(1, n - 2)
        for b in range(1, n - a - 1)
        for c in range(1, n - a - b)
        if math.gcd(a, b, c, n) == 1
    ]
    return np.array(cells, dtype=np.int64)


@cache
def labels(name: str) -> Any:
    """Return a number for each value of a metric at all primitive tables of up to 40 examples, exactly."""
    top, bottom = fraction_of(name, *primitive_tables(40).T)
    common = np.gcd(np.abs(top), bottom)
    return np.unique(top // common * 2**31 + bottom // common, return_inverse=True)[1].astype(np.int64)


def groups(scores: Sequence[str]) -> Any:
    found = np.zeros(len(primitive_tables(40)), dtype=np.int64)
    for name in scores:
        own = labels(name)
        found = np.unique(found * (own.max() + 1) + own, return_inverse=True)[1]
    return found


@pytest.mark.parametrize("name", COMMON)
def test_the_other_code_has_the_same_metrics(name: str) -> None:
    for table in TABLES:
        top, bottom = fraction_of(name, *table)
        value = sm.metrics[name].exact(*table)
        squared = name in ("fowlkes_mallows", "gmean", "mcc")
        assert (value * abs(value) if squared else value) == Rational(top, bottom)


# -- the map: three of twenty common metrics ---------------------------------------------------------------------------


def test_the_map_is_whole_and_nothing_in_it_is_open() -> None:
    assert [three for three, _ in MAP] == list(itertools.combinations(COMMON, 3))
    assert {row["status"] for _, row in MAP} == {"determined", "undetermined"}


def test_no_two_small_tables_contradict_the_map() -> None:
    """What fixes the table has a group of its own for each of the 85,771 tables of up to 40 examples."""
    for three, row in some(MAP, 250, "the map"):
        found = groups(three)
        is_apart = found.max() + 1 == len(found)
        if row["status"] == "determined":
            assert is_apart, three
        elif row["tables"]:
            first, second = map(table_of, row["tables"].split(" / "))
            assert all(Fraction(*fraction_of(name, *first)) == Fraction(*fraction_of(name, *second)) for name in three)
            assert [Fraction(cell, sum(first)) for cell in first] != [Fraction(cell, sum(second)) for cell in second]
            assert is_apart == (max(sum(first), sum(second)) > 40), three


def test_the_pairs_of_the_map_are_the_smallest() -> None:
    for three, row in some(MAP, 60, "smallest pairs"):
        if row["status"] != "undetermined" or not row["tables"]:
            continue
        first, second = map(table_of, row["tables"].split(" / "))
        if sum(second) > 40:
            continue
        found = groups(three)
        start = np.unique(found, return_index=True)[1][found]
        later = np.flatnonzero(start < np.arange(len(found)))[0]
        assert (tuple(primitive_tables(40)[start[later]]), tuple(primitive_tables(40)[later])) == (first, second)


def test_the_map_is_found_again() -> None:
    for three, row in some(MAP, 8, "found again"):
        found = determined(three, seconds=120)
        found.check()
        assert generator.row(found) == list(row.values())


def test_the_page_is_what_the_script_writes() -> None:
    text = generator.PAGE.read_text(encoding="utf-8")
    assert generator.written(text) == text


# -- theorems of fairness ----------------------------------------------------------------------------------------------


def test_chouldechova_2017() -> None:
    """FPR = p/(1 - p) * (1 - PPV)/PPV * (1 - FNR): equal PPV, FNR and FPR force equal prevalence."""
    found = determined(["prevalence", "precision", "fnr"], of="fpr")
    p, ppv, fnr = (Symbol(name, real=True) for name in ("prevalence", "precision", "fnr"))
    assert simplify(found.formula - p / (1 - p) * (1 - ppv) / ppv * (1 - fnr)) == 0
    assert found.status == "determined"
    forced = forces(["precision", "fnr", "fpr"])
    forced.check()
    assert "prevalence" in forced.forced
    assert not forced.free
    assert not forced.open


@pytest.mark.parametrize("balance", ["tpr", "tnr"])
def test_kleinberg_mullainathan_and_raghavan_2016(balance: str) -> None:
    """For binary predictions calibration within groups is PPV and NPV, and balance is TPR or TNR."""
    found = forces(["ppv", "npv", balance])
    found.check()
    assert len(found.forced) == 17
    assert found.forced["prevalence"].verdict.status == "proved"


def test_miconi_2017() -> None:
    """Equal TPR, TNR and PPV force equal prevalence; a perfect prediction is one of the exceptions with zero cells."""
    found = determined(["tpr", "tnr", "ppv"], of="prevalence")
    assert found.status == "determined"
    assert found.exceptions == ((0, 1, 1, 0), (0, 1, 2, 0))
    perfect = [(1, 0, 0, 1), (1, 0, 0, 2)]
    assert len({tuple(sm.metrics[name].exact(*one) for name in ("tpr", "tnr", "ppv")) for one in perfect}) == 1
    # Two of the three are not enough.
    for two in itertools.combinations(["tpr", "tnr", "ppv"], 2):
        assert determined(two, of="prevalence").status == "undetermined"


# -- answers -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scores", "of", "formula"),
    [
        ("precision recall", "f1", "2*precision*recall/(precision + recall)"),
        ("tpr tnr", "gmean", "sqrt(tnr*tpr)"),
        ("tpr fowlkes_mallows", "precision", "fowlkes_mallows**2/tpr"),
        ("mcc", "normalized_mcc", "(mcc + 1)/2"),
        ("tnr fowlkes_mallows gmean", "precision", "fowlkes_mallows**2*tnr/gmean**2"),
        ("precision", "precision", "precision"),
    ],
)
def test_formulas(scores: str, of: str, formula: str) -> None:
    found = determined(scores.split(), of)
    found.check()
    assert found.status == "determined"
    names = sorted(scores.split())
    assert simplify(found.formula - sm.parse_formula(formula, names)) == 0
    assert found.unless is None


def test_where_a_formula_fails_two_tables_agree_and_differ() -> None:
    found = determined(["accuracy", "tpr", "tnr"], of="prevalence")
    assert found.status == "undetermined"
    accuracy, tpr, tnr = (Symbol(name, real=True) for name in ("accuracy", "tpr", "tnr"))
    assert simplify(found.formula - (accuracy - tnr) / (tpr - tnr)) == 0
    assert found.unless in (tpr - tnr, tnr - tpr)
    for table in found.tables:
        assert sm.metrics["tpr"].exact(*table) == sm.metrics["tnr"].exact(*table)


def test_a_symmetry_of_all_scores_is_the_reason() -> None:
    found = determined(["f1", "mcc", "kappa"])
    assert "FN and FP are exchanged" in found.reason
    assert found.tables == ((1, 1, 2, 1), (1, 2, 1, 1))


def test_the_shares_of_a_table_are_four_formulas() -> None:
    found = determined(["tpr", "tnr", "precision"])
    assert len(found.formula) == 4
    for table in TABLES:
        values = {Symbol(name, real=True): sm.metrics[name].exact(*table) for name in ("tpr", "tnr", "precision")}
        shares = [share.xreplace(values) for share in found.formula]
        assert shares == [Rational(cell, sum(table)) for cell in table]


def test_solutions_on_a_segment_are_counted() -> None:
    """By hand: at equal rates and MCC the odds of the prevalence solve a quadratic equation."""
    found = determined(["tpr", "tnr", "mcc"], of="prevalence")
    assert found.status == "undetermined"
    assert solutions_on_segment([sm.metrics[name].expr for name in ("tpr", "tnr", "mcc")], (2, 1, 1, 3)) == 2
    assert determined(["tpr", "tnr"]).solutions == math.inf
    assert determined(["tpr", "tnr", "precision"]).solutions == 1


def test_a_far_pair_is_computed_from_the_equations() -> None:
    """No two tables of up to 40 examples agree, but the determinant has both signs."""
    found = determined(["prevalence", "f2", "mcc"])
    found.check()
    assert found.status == "undetermined"
    assert not found.is_smallest
    assert min(map(sum, found.tables)) > 40
    assert "opposite signs" in found.reason


def test_a_monotone_function_of_one_score_is_determined() -> None:
    found = determined(["yule_y"], of="diagnostic_odds_ratio")
    found.check()
    assert found.status == "determined"


def test_a_total_can_be_told_from_scores_that_depend_on_it() -> None:
    assert determined(["hamming_distance", "error_rate"], of="TP + FN + FP + TN").status == "determined"
    found = determined(["tpr", "tnr", "precision"], of="hamming_distance")
    assert found.status == "undetermined"
    assert found.tables == ((1, 1, 1, 1), (2, 2, 2, 2))


def test_scores_may_be_undefined_at_some_tables() -> None:
    found = determined(["(TP - FN)/(TP - TN)", "f_half", "kuder_richardson"], of="lift", seconds=20)
    found.check()
    pole = eliminations((equation_of((TP - FN) / (TP - TN), Symbol("s")),))
    assert not list(other_tables(pole[0], (1, 1, 1, 1)))


def test_what_is_not_decided_is_open() -> None:
    found = determined(["prevalence", "f2", "mcc"], seconds=0.01)
    assert found.status == "open"
    assert "0.01 s" in found.reason


def test_scores_whose_names_are_formulas_have_numbers() -> None:
    found = determined(["TP/(TP + FN)", "tnr", "precision"], of="prevalence")
    assert {symbol.name for symbol in found.formula.free_symbols} == {"s1", "tnr", "precision"}
    assert "where s1 is TP/(TP + FN)" in repr(found)


def test_parameters_have_their_defaults() -> None:
    found = determined([sm.metrics["f_beta"].at(beta=2), "precision"], of="tpr")
    found.check()
    assert found.status == "determined"
    assert determined(["f_beta", "precision"], of="f1").status == "determined"


# -- proofs ------------------------------------------------------------------------------------------------------------


def test_the_theorem_needs_what_it_says() -> None:
    assert one_to_one({name: sm.metrics[name].expr for name in ("tpr", "tnr", "mcc")}, 30) is None
    # Not unchanged by scale, and with a pole between two tables.
    assert one_to_one({"a": TP / FN, "b": FP / TN, "c": TP * FP}, 30) is None
    assert one_to_one({"a": TP / FN, "b": FP / TN, "c": TP / FP + 1 / (TP / FN - FP / TN)}, 30) is None
    assert one_to_one({"a": TP / FN, "b": FP / TN, "c": TP / FP + 1 / log(TP / FN)}, 30) is None
    assert is_linear((TP - FN) / (TP + FN))
    assert not is_linear(abs(TP - FN) / (TP + FN))
    assert not is_linear(TP / (TP - FN))
    assert not is_linear(TP / (TP + 1))
    assert not is_scale_free(TP + FN)


@pytest.mark.parametrize("name", some(sm.metrics, 60, "linear"))
def test_both_readings_of_linear_scores_agree(name: str) -> None:
    formula = sm.metrics[name].at_defaults()
    assert is_linear(formula) == _is_linear_by_sympy(formula)


def test_forged_proofs_are_refused() -> None:
    proof = one_to_one({name: sm.metrics[name].expr for name in ("tpr", "precision", "kappa")}, 30)
    assert proof is not None
    check_one_to_one(proof)
    first, second, third = proof.scores
    swapped = {third: proof.scores[third], second: proof.scores[second], first: proof.scores[first]}
    with pytest.raises(CertificateError, match="constant on segments"):
        check_one_to_one(replace(proof, scores=swapped))
    with pytest.raises(CertificateError):
        check_one_to_one(replace(proof, determinant=proof.determinant * (TP - FN)))
    with pytest.raises(CertificateError):
        check_one_to_one(replace(proof, scores={**proof.scores, third: TP * TN}))
    with pytest.raises(CertificateError, match="derivatives"):
        check_one_to_one(replace(proof, scores={**proof.scores, third: TP / (TP - FN)}))


def test_a_score_with_logarithms_can_complete_two_rates() -> None:
    found = determined(["tpr", "precision", "mutual_information"])
    found.check()
    # Mutual information is the same for two independent tables, and for some to both sides of them.
    assert found.status == "undetermined"
    proof = one_to_one({"a": TP / FN, "b": FP / TN, "c": log(TP / FP) + TP / FP}, 30)
    assert proof is not None
    check_one_to_one(proof)
    forged = {"a": TP / FN, "b": FP / TN, "c": log(TP / FP) + 1 / log(TP / FN)}
    with pytest.raises(CertificateError, match="derivatives"):
        check_one_to_one(replace(proof, scores=forged))


def test_a_determinant_that_may_be_zero_proves_nothing() -> None:
    """Of recall, specificity and kappa it is what is claimed, but has both signs."""
    formulas = [sm.metrics[name].expr for name in ("tpr", "tnr", "kappa")]
    element, field = determinant_of(formulas)
    product = element_expression(element, field)
    verdict = sm.relate(written_determinant(formulas), product)
    assert verdict.status == "proved"
    forged = OneToOne(dict(zip(("tpr", "tnr", "kappa"), formulas, strict=True)), product, verdict)
    with pytest.raises(CertificateError, match="may be zero"):
        check_one_to_one(forged)
    tables = [(1, 1, 1, 3), (3, 1, 1, 1), (1, 3, 3, 1), (5, 1, 1, 2), (1, 1, 1, 1)]
    signs = {exact_sign(formulas, table) for table in tables}
    assert signs != {1}
    assert signs != {-1}


def test_orientations_need_opposite_signs() -> None:
    formulas = [sm.metrics[name].expr for name in ("tpr", "precision", "kappa")]
    assert opposite_orientations(formulas, ([(1, 1, 1, 1)], [(2, 1, 1, 3)])) is None


def test_forged_answers_are_refused() -> None:
    found = determined(["precision", "recall"], of="accuracy")
    with pytest.raises(CertificateError, match="do not agree"):
        replace(found, tables=((1, 1, 1, 1), (1, 1, 2, 1))).check()
    formula = determined(["precision", "recall"], of="f1")
    other = replace(formula.derived[0], in_cells=sm.Metric("other", TP / (TP + FN + FP)))
    with pytest.raises(CertificateError):
        replace(formula, derived=(other,)).check()


# -- any scores --------------------------------------------------------------------------------------------------------

FORMULAS = ["TP/(TP + 2*FN)", "(TP + TN)/(TP + TN + 3*FP)", "TP*TN/(FN*FP + TP*TN)", "sqrt(TP/(TP + FN))", "TP - FP"]
ANY = st.sampled_from([*sm.metrics, *FORMULAS])


@settings(deadline=None, max_examples=60 if is_thorough() else 12)
@given(st.lists(ANY, min_size=1, max_size=3, unique=True), st.sampled_from([*sm.metrics, "table"]), st.randoms())
def test_answers_are_right_at_random_tables(scores: list[str], of: str, drawn: random.Random) -> None:
    if len({sm.metrics[name].at_defaults() if name in sm.metrics else name for name in scores}) < len(scores):
        return
    found = determined(scores, of, seconds=5)
    found.check()
    symbols = [Symbol(name if name.isidentifier() else f"s{place}", real=True) for place, name in enumerate(scores, 1)]
    for one in found.derived:
        for _ in range(3):
            table = [drawn.randint(1, 30) for _ in CELLS]
            at = dict(zip(CELLS, map(Integer, table), strict=True))
            values = {s: m.expr.xreplace(at) for s, m in zip(symbols, found.scores.values(), strict=True)}
            if one.unless is not None and abs(one.unless.xreplace(values).evalf(30)) < 1e-9:
                continue
            difference = one.formula.xreplace(values) - one.metric.expr.xreplace(at)
            assert abs(difference.evalf(30)) < 1e-9
    if found.status == "determined" and found.metric is not None:
        assert smallest_pair(list(found.scores.values()), found.metric, most=16) is None


# -- input and output --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scores", "error", "message"),
    [
        ([], InputError, "no score is given"),
        ("precision", InputError, "pass a list"),
        (["precision", "ppv"], InputError, "ppv is the same score as precision"),
        (["precision", "precision"], InputError, "given once|each score once"),
        (["precision", "no_such_metric"], UnknownNameError, "no_such_metric"),
        ([3], InputError, "is not a metric"),
        (7, InputError, "pass a list"),
    ],
)
def test_bad_scores(scores: Any, error: type[Exception], message: str) -> None:
    for verb in (determined, forces):
        with pytest.raises(error, match=message):
            verb(scores)


def test_bad_values() -> None:
    with pytest.raises(UnknownNameError):
        determined(["precision"], of="no_such_metric")
    with pytest.raises(InputError):
        determined(["precision"], of="f1", seconds=-1)


def test_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["determined", "precision", "recall", "--of", "f1"]) == 0
    assert "f1 = 2*precision*recall/(precision + recall)" in capsys.readouterr().out
    assert main(["determined", "precision", "recall", "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["status"], told["of"], told["tables"][0]["tp"], told["solutions"]) == (
        "undetermined",
        "table",
        1,
        "infinite",
    )
    assert main(["determined", "precision", "recall", "--forces", "--format", "markdown"]) == 0
    assert "| f1 " in capsys.readouterr().out
    assert main(["determined", "TP/(TP+FN)", "tnr", "--of", "gmean", "--format", "markdown"]) == 0
    assert "- gmean = sqrt(s1*tnr)" in capsys.readouterr().out
    for bad in (["precision", "ppv"], ["nothing"], ["precision", "--of", "f1", "--forces"], ["w*TP"]):
        assert main(["determined", *bad]) == 2
        assert "Traceback" not in capsys.readouterr().err


def test_what_two_groups_have_in_common_in_words() -> None:
    found = forces(["precision", "recall"])
    assert list(found.forced) == ["f1", "f2", "f_half", "fowlkes_mallows"]
    assert found.free["prevalence"] == ((1, 1, 1, 1), (1, 1, 1, 2))
    assert "must also have equal f1, f2, f_half and fowlkes_mallows" in repr(found)
    assert found.to_dict()["values"]["f1"]["status"] == "determined"
