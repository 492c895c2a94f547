"""The judges of the fuzzer find what is planted: lies about agreement, spaces, relations, metrics and certificates."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import fuzz
import fuzz_certificates
import fuzz_closed
import pytest
from effort import in_one_test
from fuzz_identify import wrong_equation
from fuzz_judge import Judge
from fuzz_questions import other_default, other_status, other_value
from fuzz_relations import Pair
from fuzz_slopes import slopes_of
from fuzz_spaces import in_force, kernel, rank
from fuzz_values import LAWS as VALUES
from sympy import Integer, Rational, nan

import symmetrics as sm

PROVED = {"status": "proved", "holds": True, "condition": None, "witness": None}
REFUTED = {"status": "refuted", "holds": False, "condition": None, "witness": None}
MAX = "Max(TP - TN, 0) - FN - FP + FN*log(FN/(FN + TN))*sqrt(TN - TP)"
MIN = "TP + TN - Max(FN - FP, 0) - TP*log(TP/(TP + FP))*sqrt(FP - FN)"


def table(*cells: int) -> dict[str, int]:
    return dict(zip(("tp", "fn", "fp", "tn"), cells, strict=True))


def refuted(tables, values, **parameters):
    return REFUTED | {"witness": {"tables": tables, "values": values, "parameters": parameters}}


def complaints(text, key, verdict, value=None, *, declared=(), statement="", seeds=8):
    judges = [Judge(text, declared, Random(seed)) for seed in range(seeds)]
    return [judge.complaint(key, verdict, value, statement) for judge in judges]


def finds(*arguments, **options) -> bool:
    return any(complaints(*arguments, **options))


# -- what is said about tables with zero cells ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "key", "tables", "values"),
    [
        (MAX, "max_agreement", [table(0, 0, 0, 1), table(2, 0, 0, 1)], ["0", "1"]),
        (MIN, "min_agreement", [table(0, 1, 0, 0), table(0, 2, 1, 0)], ["0", "-1"]),
    ],
)
def test_a_counterexample_where_the_other_factor_is_not_real_is_none(text, key, tables, values):
    found = complaints(text, key, refuted(tables, values))
    assert all(found)
    assert "it has no value there, nor at any table near it" in found[0]


@pytest.mark.parametrize("key", ["p2", "increasing_tp"])
def test_a_counterexample_has_values(key):
    tables = [table(1, 2, 1, 1), table(2, 2, 1, 1)] if key != "p2" else [table(1, 2, 1, 1), table(1, 2, 1, 2)]
    assert finds("sqrt(TP - FN - TN)", key, refuted(tables, ["1", "0"]))


@in_one_test
@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("TP/(TP + FN)", "max_agreement"),
        ("(TP + TN)/(TP + FN + FP + TN) - 2*FN*FP", "min_agreement"),
        ("FN + FP", "max_agreement"),
        ("sqrt(TP - TN)", "max_agreement"),
        ("TP*TN", "constant_baseline"),
        ("sqrt(TP)", "constant_baseline"),
    ],
)
def test_a_false_proof_about_zero_cells_is_found(text, key):
    assert finds(text, key, PROVED)


def test_a_false_condition_about_agreement_is_found():
    text, declared = "w*(TP + TN)/(TP + FN + FP + TN)", ("w in [0, 1]",)
    assert finds(text, "max_agreement", PROVED, declared=declared)
    assert not finds(text, "max_agreement", PROVED | {"condition": "w > 0", "status": "conditional"}, declared=declared)
    tables = [table(1, 1, 1, 1), table(1, 0, 0, 1)]
    inside = refuted(tables, ["1/4", "1/2"], w="1/2") | {"condition": "w > 0", "status": "conditional"}
    assert finds(text, "max_agreement", inside, declared=declared)
    outside = refuted(tables, ["1", "2"], w="2")
    assert "outside of its domain" in complaints(text, "max_agreement", outside, declared=declared)[0]


def test_counterexamples_near_zero_cells() -> None:
    # A limit is a value at a counterexample.
    tables = [table(0, 1, 0, 1), table(1, 0, 0, 1)]
    assert not finds("FN*log(FN/(FN + TP)) + TN", "max_agreement", refuted(tables, ["1", "1"]))
    assert finds("FN*log(FN/(FN + TP)) + TN", "max_agreement", refuted(tables, ["1", "2"]))
    # The domain of what is written is judged as it is written.
    assert finds("TP*FP/FP", "defined", PROVED, statement="M, as it is written, has a value")
    judge = Judge("TP*FP/FP", (), Random(1), simplified="TP")
    assert judge.complaint("defined", PROVED, None, "M, simplified, has a value") is None
    assert finds("TP + FN", "defined", refuted([table(0, 0, 1, 1)], []))
    assert not finds("TP/(TP + FN)", "defined", refuted([table(0, 0, 1, 1)], []))
    # A false expectation is found.
    text = "{} at (n, P, OP) = (2, 1, 1), 1/3 at (3, 1, 1)"
    assert finds("TP/(TP + FN)", "constant_baseline", REFUTED, text.format("2/5"))
    assert not finds("TP/(TP + FN)", "constant_baseline", REFUTED, text.format("1/2"))
    assert finds("TP/(TP + FN) + sqrt(TP - FN - 1/2)", "constant_baseline", REFUTED, text.format("1/2"))


@in_one_test
@pytest.mark.parametrize(
    ("text", "cells", "exact", "number"),
    [
        ("TP/(TP + FN)", (1, 1, 1, 1), Integer(1), 0.5),
        ("TP/(TP + FN)", (1, 1, 1, 1), Rational(1, 2), 0.6),
        ("sqrt(TP - FN)", (1, 2, 0, 0), Integer(1), float("nan")),
        ("sqrt(TP - FN)", (1, 2, 0, 0), nan, 0.0),
        (MAX, (2, 0, 0, 1), Integer(1), 1.0),
        ("TP*FN/FN", (3, 0, 1, 1), Integer(2), 2.0),
    ],
)
def test_a_wrong_number_is_found(text, cells, exact, number):
    place = tuple(map(Fraction, cells))
    assert fuzz_closed.wrong_number(Judge(text, (), Random(1)), place, exact, number, {})


def test_numbers_at_borders_and_right_ones() -> None:
    # A number on the border of where a formula is real may be its limit.
    text, place = "FN/(1 + Abs(log((TN - TP)/(FN - 2*TP))))", tuple(map(Fraction, (7, 100, 7, 7)))
    for seed in range(8):
        judge = Judge(text, (), Random(seed))
        assert fuzz_closed.wrong_number(judge, place, Integer(0), 0.0, {}) is None
        assert judge.implausible(place, {}, Fraction(0)) == fuzz_closed.BORDER
    # Right numbers are not complained about.
    judge, place = Judge("TP*FN/FN", (), Random(1)), (Fraction(3), Fraction(0), Fraction(1), Fraction(1))
    assert fuzz_closed.wrong_number(judge, place, Integer(3), 3.0, {}) is None
    judge = Judge("sqrt(TP - FN)", (), Random(1))
    assert fuzz_closed.wrong_number(judge, (Fraction(1), *place[:1], *place[2:]), nan, float("nan"), {}) is None


# -- ranges and limits with parameters --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("range", "(0, 1 - w)"),
        ("range", "(0, w) if w > 0; [1, 1] if w = 0"),
        ("prevalence_limit", "TP/(TP + FN)"),
        ("prevalence_limit", "w*TP/(TP + FN) if w < 1; 0 if w = 1"),
    ],
)
def test_a_false_value_with_parameters_is_found(key, value):
    assert key in VALUES
    assert finds("w*TP/(TP + FN)", key, PROVED, value, declared=("w in [0, 1]",), seeds=20)


@pytest.mark.parametrize(
    ("key", "value"), [("range", "(0, w) if w > 0; [0, 0] if w = 0"), ("tn_limit", "w*TP/(TP + FN)")]
)
def test_a_true_value_with_parameters_is_accepted(key, value):
    assert not finds("w*TP/(TP + FN)", key, PROVED, value, declared=("w in [0, 1]",), seeds=20)


# -- spaces, groups, ratios -------------------------------------------------------------------------------------------

LOSS = "(FN*c + FP*(1 - c))/(FN + FP + TN + TP)"
COSTS = ("c in [0, 1] = 3/4",)
GENERAL = "span{(1, 0, 0, -1), (0, 1 - c, -c, 2*c - 1)}"
WEIGHTED = "w*TP/(TP + FN) + (1 - w)*TN/(FP + TN)"
TWICE = "(a*TP + b*TN)/(a*TP + a*FN + b*FP + b*TN)"
HALVES = ("a in (0, 1] = 1/2", "b in (0, 1] = 1/2")
F_BETA = "(1 + b**2)*TP/((1 + b**2)*TP + b**2*FN + FP)"


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("text", "key", "value", "declared"),
    [
        (LOSS, "translation_space", "span{(1, 0, 0, -1)}", COSTS),
        (LOSS, "translation_space", "span{(1, 0, 0, -1), (0, 1 - c, c, -1)}", COSTS),
        (
            WEIGHTED,
            "scaling_space",
            "span{(1, 1, 0, 0), (0, 0, 1, 1)}",
            ("w in [0, 1]",),
        ),
        ("sqrt(TP + FN) + log(TP + FN)", "translation_space", "span{(0, 0, 1, 0), (0, 0, 0, 1)}", ()),
        ("TP/(TP + FN)", "scaling_space", "span{(1, 1, 1, 0), (0, 0, 1, 1)}", ()),
        ("TP/(TP + FN)", "scaling_space", "span{(1, 1, 0, 0)}", ()),
        ("TP/(TP + FN)", "symmetry_group", "M: identity; 1-M: (TP FN)", ()),
        ("TP/(TP + FN)", "symmetry_group", "M: identity, (FP TN), (TP FN); 1-M: (TP FN), (TP FN)(FP TN)", ()),
        (LOSS, "symmetry_group", "M: identity, (TP TN)", COSTS),
        (LOSS, "decomposable", "(FN*c + FP)/(FN + FP + TN + TP)", COSTS),
        ("TP*TN", "decomposable", None, ()),
    ],
)
def test_a_false_structure_is_found(text, key, value, declared):
    assert finds(text, key, PROVED, value, declared=declared, seeds=12)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("key", "value"),
    [
        (
            "translation_space",
            "span{(1, 0, 0, -1), (0, 1 - c, -c, 2*c - 1)}; at c = 3/4: span{(1, 0, 0, -1), (0, 1, -3, 2)}",
        ),
        ("translation_space", "at least span{(1, 0, 0, -1)}"),
        ("decomposable", "(FN*c - FP*c + FP)/(FN + FP + TN + TP)"),
    ],
)
def test_a_true_structure_is_accepted(key, value):
    assert not finds(LOSS, key, PROVED, value, declared=COSTS, seeds=12)


def test_failing_equations_and_ratios_are_found() -> None:
    # A ratio that is said to be none is found.
    assert finds(LOSS, "decomposable", REFUTED, declared=COSTS)
    assert finds("TP/(TP + FN)", "translation_space", REFUTED, "span{(0, 0, 1, 0), (0, 0, 0, 1)}")
    # An equation that is said to fail is found.
    text, declared = "w*TP + (1 - w)*TN", ("w in [0, 1]",)
    lie = PROVED | {"status": "conditional", "condition": "w = 1"}
    assert finds(text, "p1", lie, declared=declared, seeds=20)
    assert not finds(text, "p1", lie | {"condition": "w = 1/2"}, declared=declared, seeds=20)
    # What is open in general is judged at the defaults.
    lie = {"status": "open", "holds": True, "condition": None, "witness": None}
    declared = ("w in [0, 1] = 1/4",)
    assert finds("w*TP + (1 - w)*TN", "p1", lie, declared=declared)
    assert not finds("w*TP + (1 - w)*TN", "p1", lie, declared=("w in [0, 1] = 1/2",))
    assert not finds("w*TP + (1 - w)*TN", "p1", lie | {"holds": None}, declared=declared)
    assert finds("w*TP/(TP + FN)", "range", lie, "at w = 1/4: (0, 1/5)", declared=declared)


def test_linear_algebra_and_slopes():
    rows = [[Fraction(entry) for entry in row] for row in ((1, 2, 0, 1), (2, 4, 0, 2), (0, 0, 1, 0))]
    assert rank(rows) == 2
    assert kernel(rows, 4) == [[-2, 1, 0, 0], [-1, 0, 0, 1]]
    place = {"TP": Fraction(1), "FN": Fraction(3), "FP": Fraction(1, 4), "TN": Fraction(2)}
    assert slopes_of("TP/(TP + FN)**2 + Max(FP, TN) + sqrt(FP)", place) == (Fraction(1, 32), Fraction(-1, 32), 1, 1)
    assert slopes_of("Abs(TP - 1)", place) is None


# -- special parameters -----------------------------------------------------------------------------------------------


@in_one_test
@pytest.mark.parametrize(
    ("key", "status", "condition", "at_half", "is_wrong"),
    [
        ("p1", "proved", None, False, True),
        ("p1", "refuted", None, True, True),
        ("p1", "conditional", "w > 1/2", True, True),
        ("p1", "conditional", "w >= 1/2", True, False),
        ("p1", "open", None, True, False),
        ("defined", "proved", None, False, True),
    ],
)
def test_a_verdict_that_another_contradicts_at_special_parameters_is_found(key, status, condition, at_half, is_wrong):
    said = {"status": status, "condition": condition, "witness": None}
    judge = Judge("w*TP", ("w in [0, 1]",), Random(1))
    assert (other_status(key, said, at_half, judge, {"w": Fraction(1, 2)}) is not None) is is_wrong


@pytest.mark.parametrize(
    ("text", "at", "is_wrong"),
    [
        ("w*TP/(w*TP + w*FN)", 0, False),  # 0/0 as it is written, 0 when bound
        ("TP/(TP - w*FN)", 0, True),
        ("(TP - FN)*w/(TP - FN)", 0, False),
        ("TP/(TP + w*FN)", 1, True),
    ],
)
def test_a_bound_formula_may_be_defined_only_where_binding_cancelled_what_was_not(text, at, is_wrong):
    said = {"status": "refuted", "condition": None, "witness": None}
    judge = Judge(text, ("w in [-1, 1]",), Random(1))
    assert (other_status("defined", said, True, judge, {"w": Fraction(at)}) is not None) is is_wrong


@in_one_test
@pytest.mark.parametrize(
    ("key", "general", "bound", "is_same"),
    [
        ("translation_space", "span{(1, 0, 0, -1)}", "span{(1, 0, 0, -1), (0, 1, -3, 2)}", False),
        ("translation_space", "span{(1, 0, 0, -1), (0, 1, -1, 0)}", "span{(1, 1, -1, -1), (0, 1, -1, 0)}", True),
        ("translation_space", "{0}; span{(1, 0, 0, 0)} if w = 1/2", "span{(1, 0, 0, 0)}", True),
        ("range", "(0, w)", "(0, 1/3)", False),
        ("range", "(0, w)", "(0, 1/2]", False),
        ("range", "(0, oo)", "(0, 1/2)", False),
        ("range", "(0, 1 - w)", "(0, 1/2)", True),
        ("tn_limit", "w*TP", "TP", False),
        ("tn_limit", "w*TP", "TP/2", True),
        ("tn_limit", "oo", "0", False),
        ("symmetry_group", "M: identity", "M: identity, (TP FN)", False),
        ("symmetry_group", "M: identity, (TP FN) if w = 1/2", "M: identity, (TP FN)", True),
    ],
)
def test_a_value_that_another_contradicts_at_special_parameters_is_found(key, general, bound, is_same):
    judge = Judge("w*TP", ("w in [0, 1]",), Random(1))
    assert (other_value(key, general, bound, judge, {"w": Fraction(1, 2)}) is None) is is_same


def test_values_at_the_defaults_say_nothing_of_others() -> None:
    assert in_force("at w = 1/2: M: all", {"w": Fraction(1, 2)}) == "M: all"
    assert in_force("at w = 1/2: M: all", {"w": Fraction(1, 3)}) is None
    assert in_force("M: all; 1/M: all", {"w": Fraction(1, 3)}) == "M: all; 1/M: all"
    # A default that another verdict contradicts is found.
    metric = sm.metrics["cwa"]
    verdict, bound = sm.prove(metric, "p1"), sm.prove(metric.at(w="1/2"), "p1")
    assert other_default(metric, verdict, {"w": Fraction(3, 4)}, bound)
    assert other_default(metric, verdict, {"w": Fraction(1, 2)}, bound) is None


# -- relations --------------------------------------------------------------------------------------------------------


@in_one_test
@pytest.mark.parametrize(
    ("relation", "first", "second", "known", "lie"),
    [
        ("affine", "4", "7", "unknown", REFUTED),
        ("affine", "TP/(TP + FN)", "1 + TP/(TP + FN)/10**30", "unknown", REFUTED),
        ("affine", "2*Max(TP - 10**6, 0) + 3", "Max(TP - 10**6, 0)", "unknown", REFUTED),
        ("affine", "TP**2", "TP", "unknown", PROVED),
        ("affine", "TP + FN", "TP", "unknown", PROVED),
        ("equal", "TP + TN/10**30", "TP", "unknown", PROVED),
        ("equal", "Max(TP, 10**6)", "10**6", "unknown", PROVED),
        ("complement_of", "1 - TP", "FN", "unknown", PROVED),
        ("negation_of", "TP", "-TP", "unknown", REFUTED),
        ("transpose_of", "FN/TP", "FN/TP", "unknown", PROVED),
        ("class_exchange_of", "TN", "TP", "unknown", REFUTED),
        ("rank_equivalent", "TP*FN", "TP", "unknown", PROVED),
        ("rank_reversed", "TP", "TP", "unknown", PROVED),
        ("rank_equivalent", "TP", "sqrt(TP)", "true", REFUTED),
        ("less_equal", "TP", "TP - FN/10**30", "unknown", PROVED),
        ("less_equal", "Min(TP, FN)", "TP", "true", REFUTED),
        ("less_equal", "TP", "FN", "unknown", refuted([table(1, 2, 1, 1)] * 2, ["1", "2"])),
        ("equal", "TP", "FN", "unknown", refuted([table(1, 2, 1, 1)] * 2, ["1", "3"])),
        ("equal", "sqrt(TP - FN)", "FN", "unknown", refuted([table(1, 2, 1, 1)] * 2, ["1", "2"])),
        ("rank_equivalent", "TP", "FN", "unknown", refuted([table(1, 1, 1, 1), table(2, 2, 1, 1)] * 2, ["1", "2"] * 2)),
    ],
)
def test_a_false_relation_is_found(relation, first, second, known, lie):
    assert Pair(relation, first, second, (), Random(1)).complaint(known, lie)


def test_a_false_condition_on_a_relation_is_found():
    lie = PROVED | {"status": "conditional", "condition": "w > 0"}
    pair = Pair("equal", "w*TP", "TP", ("w in [0, 1]",), Random(1))
    assert pair.complaint("unknown", lie)
    assert pair.complaint("unknown", lie | {"condition": "w = 1"}) is None
    assert pair.complaint("unknown", lie | {"condition": "w = 0"})
    fixed = Pair("equal", "w*TP", "TP/2", ("w in [0, 1] = 1/2",), Random(1))
    assert fixed.complaint("true", PROVED) is None


# -- identification ---------------------------------------------------------------------------------------------------


@in_one_test
@pytest.mark.parametrize(
    ("equation", "name", "is_about_known", "text", "declared", "is_right"),
    [
        ("M = cwa at its w = w", "cwa", False, WEIGHTED, ("w in [0, 5]",), False),
        ("M = cwa at its w = w if 0 <= w <= 1", "cwa", False, WEIGHTED, ("w in [0, 5]",), True),
        ("M = f_beta for its beta = -1", "f_beta", True, "2*TP/(2*TP + FN + FP)", (), False),
        ("M = f_beta for its beta = 1", "f_beta", True, "2*TP/(2*TP + FN + FP)", (), True),
        ("M = accuracy", "accuracy", False, TWICE, HALVES, False),
        ("M = accuracy if a = b", "accuracy", False, TWICE, HALVES, True),
        ("M = f2, where M has its default b = 2", "f2", False, F_BETA, ("b in [0, 9] = 2",), True),
        ("M = 2*jaccard/(jaccard + 1)", "jaccard", False, "2*TP/(2*TP + FN + FP)", (), True),
        ("M = jaccard/(jaccard + 1)", "jaccard", False, "2*TP/(2*TP + FN + FP)", (), False),
        ("sqrt(M) = 1 - fnr", "fnr", False, "(TP/(TP + FN))**2", (), True),
        ("M = npv at (TN, FN, FP, TP)", "npv", False, "TP/(TP + FN)", (), True),
        ("M = npv at (TP, FP, FN, TN)", "npv", False, "TP/(TP + FN)", (), False),
    ],
)  # fmt: skip
def test_equations_are_read_and_judged(equation, name, is_about_known, text, declared, is_right):
    found = [wrong_equation(equation, name, is_about_known, text, declared, Random(seed)) for seed in range(6)]
    assert (not any(found)) is is_right, found


# -- certificates -----------------------------------------------------------------------------------------------------

SWAPS = [
    ("tpr", "p2", "metric", '"precision"'),
    ("tpr", "p2", "metric", '"TPR"'),
    ("tpr", "p2", "property", '"P2"'),
    ("tpr", "p4", "witness", '"table"'),
    ("jaccard", "less_equal:f1", "property", '"less_equal:kappa"'),
    ("jaccard", "less_equal:f1", "metric", '"accuracy"'),
    ("precision", "p2", "claim", '"tpr"'),
]


@pytest.mark.parametrize("question", SWAPS)
def test_a_swap_that_is_accepted_is_found(question, monkeypatch):
    monkeypatch.setattr(sm, "check", lambda verdict: None)
    status, complaint = fuzz_certificates.answer(question, Random(1))
    assert status == "accepted"
    assert complaint


@pytest.mark.parametrize(("part", "text"), [("evidence", f'"{fuzz_certificates.LIE}"'), ("value", '"[-5, 7]"')])
def test_words_are_made_anew_and_not_believed(part, text, monkeypatch):
    monkeypatch.setattr(sm, "check", lambda verdict: None)
    assert fuzz_certificates.answer(("kappa", "range", part, text), Random(1)) == ("rejected", None)


def test_a_swap_that_says_the_same_is_none():
    assert fuzz_certificates.answer(("tpr", "p2", "metric", '"recall"'), Random(1)) == ("same", None)
    assert fuzz_certificates.answer(("tpr", "p2", "property", '"null_invariance"'), Random(1)) == ("same", None)
    assert fuzz_certificates.answer(("tpr", "p2", "metric", '"mine"'), Random(1)) == ("unheard of", None)
    assert not fuzz_certificates.is_unheard_of(" Recall")
    assert not fuzz_certificates.is_unheard_of("nonexistent")


# -- what a review found ----------------------------------------------------------------------------------------------

REVIEWED = [
    ("reality", (MAX, (), "max_agreement")),
    ("reality", (MIN, (), "min_agreement")),
    ("relations", ("affine", "true", "4", "7")),
    ("relations", ("affine", "true", "2*Max(TP - 10**6, 0) + 3", "Max(TP - 10**6, 0)")),
    ("relations", ("affine", "true", "TP/(TP + FN)", "1 + TP/(TP + FN)/10**30")),
    ("relations", ("affine", "true", "2*w*TP/(TP + FN)", "w*TP/(TP + FN)", "w in [0, 1]")),
    ("spaces", (LOSS, COSTS, "translation_space")),
    ("special", (LOSS, COSTS, "translation_space")),
    ("spaces", (WEIGHTED, ("w in [0, 1] = 3/4",), "scaling_space")),
    ("identify", (WEIGHTED, ("w in [0, 5]",), "cwa")),
    ("identify", (F_BETA, ("b in (-oo, oo)",), "f_beta")),
    ("formulas", ("TP*FP/FP/(TP + FN + FP + TN)", (), "defined")),
    ("formulas", ("log(TP - FN) - log(TP - FN) + TP/(TP + FN + FP + TN)", (), "defined")),
    ("formulas", ("Min(TP, log(Abs(sqrt(FP - FN))))", (), "increasing_tp")),
    *(("certificates", question) for question in SWAPS),
]


@pytest.mark.thorough
@pytest.mark.parametrize("question", REVIEWED)
def test_what_a_review_found_is_no_longer_said(question):
    found = [fuzz.answer(question, seed) for seed in range(3)]
    assert [complaint for _, complaint in found] == [None] * 3
