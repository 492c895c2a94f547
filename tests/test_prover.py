"""Verdicts that are known: the printed table, solved conditions, smallest counterexamples, unseen formulas."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest
from effort import in_one_test, is_thorough, some
from sympy import Expr, Rational, sqrt
from tables import rows

import symmetrics as sm
from symmetrics.algebra.convert import Conversion, field_for
from symmetrics.claims.families.limits import STEP
from symmetrics.language.cells import FN, FP, TP
from symmetrics.language.formula import parse_formula
from symmetrics.prover.engine.ends import _cells_at, _curves
from symmetrics.prover.engine.extended import extended_ring
from symmetrics.prover.engine.signs import _two_signs, prove_sign
from symmetrics.prover.engine.witnesses import tables_of_total

MCC = "(TP*TN - FP*FN)/sqrt((TP+FP)*(TP+FN)*(TN+FP)*(TN+FN))"


def formula(text: str, *declarations: str) -> sm.Metric:
    parameters = tuple(map(sm.Parameter.parse, declarations))
    return sm.Metric(text, parse_formula(text, [p.name for p in parameters]), parameters)


# Worked by hand: cross-multiply and compare coefficients.
CONDITIONS = rows("prover", "conditions", 3)


@in_one_test
@pytest.mark.parametrize(("text", "key", "condition"), some(CONDITIONS, 6, "conditions"))
def test_conditions_are_solved_for(text, key, condition):
    metric = formula(text, *(f"{name} in [0, oo)" for name in ("w1", "w2", "w3", "w4") if name in text))
    verdict = sm.prove(metric, key)
    assert verdict.to_dict()["condition"] == condition
    assert verdict.holds is None  # no defaults, so no truth value there
    sm.check(verdict)


def test_a_parameter_whose_condition_is_outside_its_domain_is_refuted():
    assert sm.prove(formula("w*TN + TP", "w in (0, 1] = 1/2"), "p2").status == "refuted"
    assert sm.prove(formula("(w**2 + 1)*TN + TP", "w = 1"), "p2").status == "refuted"
    assert sm.prove(formula("(w - 2)*TN + TP", "w in [0, 1] = 1/2"), "p2").status == "refuted"


def test_parameters_that_make_the_formula_undefined_everywhere_are_not_solutions():
    verdict = sm.prove(formula("TN/(w*TN + w*TP)", "w in [0, 1] = 1/2"), "p2")
    assert verdict.status == "refuted"


def test_the_formulas_of_the_issue():
    assert sm.prove(formula(MCC), "p1").status == "proved"
    refuted = sm.prove(formula(MCC), "p2")
    assert refuted.status == "refuted"
    assert refuted.witness.tables == ((1, 1, 1, 1), (1, 1, 1, 2))
    assert [str(value) for value in refuted.witness.values] == ["0", "1/6"]
    weighted = formula("w*TP/(TP+FN) + (1-w)*TN/(TN+FP)", "w in [0,1]")
    assert sm.prove(weighted, "p1").to_dict()["condition"] == "w = 1/2"
    bound = sm.prove(weighted.at(w="1/2"), "p1")
    assert (bound.status, bound.holds) == ("proved", True)


def test_a_default_decides_whether_a_conditional_property_holds():
    text = "w*TP/(TP+FN) + (1-w)*TN/(TN+FP)"
    at_half = sm.prove(formula(text, "w in [0,1] = 1/2"), "p1")
    assert (at_half.status, at_half.holds) == ("conditional", True)
    assert at_half.witness.parameters["w"] != Rational(1, 2)
    elsewhere = sm.prove(formula(text, "w in [0,1] = 3/4"), "p1")
    assert (elsewhere.holds, elsewhere.witness.parameters["w"]) == (False, Rational(3, 4))


PROVED = rows("prover", "proved", 2)


@in_one_test
@pytest.mark.parametrize(("text", "key"), PROVED)
def test_radicals_absolute_values_extremes_and_logarithms_are_proved(text, key):
    verdict = sm.prove(formula(text), key)
    assert verdict.status == "proved", verdict.evidence.sentence
    sm.check(verdict)


@in_one_test
@pytest.mark.parametrize(
    ("text", "declaration", "key", "status"),
    [
        ("Abs(FN/(FN + 3*TP + (1 - w)*FP))", "w in (0, 1]", "decomposable", "proved"),
        ("Abs(FN/(FN + 3*TP + (1 - w)*FP))", "w in (0, 1]", "actual_scaling", "conditional"),
        ("Abs(FN/(FN + 3*TP + (1 - w)*FP + TN))", "w in (0, 1]", "actual_scaling", "refuted"),
        ("Abs(w*TN/(FN + FP))", "w in [1, 2)", "symmetry_group", "proved"),
        *(
            [("Abs((w*TN + FN)/(2*w*TN + FN + FP))", "w in [1, 2)", "symmetry_group", "proved")]
            if is_thorough()
            else []
        ),
    ],
)
def test_an_absolute_value_of_what_is_positive_by_its_parameter_is_no_obstacle(text, declaration, key, status):
    assert sm.prove(formula(text, declaration), key).status == status


REFUTED = [
    ("sqrt(TP-FN) + TN", "p2"),
    ("sqrt(sqrt(TP) + sqrt(TN))", "p2"),
    ("log(1 + Abs(TP - TN))", "p2"),
    ("1/log(TP/TN)", "p1"),
    ("TP/(TP+FN) + (TP-TN)**15", "p1"),
    ("pi*TN - 22*TN/7", "p2"),
    ("sqrt((3*FP + 2*FN + TP)*(3*TP - TN + FP))", "decomposable"),  # the root of zero at a table that is looked at
]


@in_one_test
@pytest.mark.parametrize(("text", "key"), REFUTED)
def test_radicals_and_logarithms_are_refuted(text, key):
    verdict = sm.prove(formula(text), key)
    assert verdict.status == "refuted", verdict.evidence.sentence
    sm.check(verdict)


def test_a_difference_that_vanishes_on_small_integers_is_still_refuted():
    product = "*".join(f"(TN-{k})" for k in range(1, 10))
    verdict = sm.prove(formula(f"{product} + TP"), "p2")
    assert verdict.witness.tables == ((1, 1, 1, 1), (1, 1, 1, 10))
    factors = "*".join(f"(TP-{k})" for k in range(1, 7))
    assert sm.prove(formula(f"{factors}*TN"), "p2").witness.tables == ((7, 1, 1, 1), (7, 1, 1, 2))


@pytest.mark.thorough
def test_a_difference_that_vanishes_on_all_integers_is_refuted_by_fractions():
    verdict = sm.prove(formula("Max(0, 1/4 - (TP - FN - 1/2)**2)"), "p4")
    assert verdict.status == "refuted"
    assert any(count != int(count) for table in verdict.witness.tables for count in table)
    sm.check(verdict)


def test_a_parameter_under_a_root_with_cells_is_open_until_bound():
    # |TP + FN| at w = 1: an identity that only shows for a special value of w.
    metric = formula("sqrt(TP**2 + 2*w*TP*FN + FN**2) - TP - FN", "w in [0, 1] = 1/2")
    assert sm.prove(metric, "p4").status == "open"
    assert sm.prove(metric.at(w=1), "p4").status == "proved"
    assert sm.prove(metric.at(w="1/2"), "p4").status == "refuted"


def _smallest_by_force(metric, key, largest):
    """Return the smallest counterexample among tables of positive integers, by trying all, in exact fractions."""
    place = {"p1": None, "p2": 3, "p3": 2, "p4": 0, "p5": 1}[key]
    for total in range(4, largest + 1):
        for table in tables_of_total(total):
            if place is None:
                partners = [(table[3], table[2], table[1], table[0])]
            else:
                partners = [(*table[:place], k, *table[place + 1 :]) for k in range(1, largest + 1)]
            for partner in partners:
                if metric.exact(*table) != metric.exact(*partner):
                    return table, partner
    return None


@in_one_test
@pytest.mark.sampled(14)
@pytest.mark.parametrize("key", ["p1", "p2", "p3", "p4", "p5"])
@pytest.mark.parametrize(
    "text",
    [
        "TP/(TP+FP)",
        "(TP-FN)*TN",
        "(TP-FN)*(FP-TN) + 1/TP",
        "Min(TP, 3)*TN/(TN+FP)",
        "Max(TP, 3*FN)/(FP + TN)",
        "(TN-1)*(TN-2)*(FP-1)*TP + FN",
        "(TP-2*TN)/(FN+FP)",
    ],
)
def test_the_counterexample_is_the_smallest(text, key):
    metric = formula(text)
    verdict = sm.prove(metric, key)
    expected = _smallest_by_force(metric, key, 9)
    assert (None if verdict.witness is None else verdict.witness.tables) == expected
    assert verdict.status == ("proved" if expected is None else "refuted")


def test_tables_are_enumerated_completely_and_in_order():
    for total in range(4, 9):
        tables = [t for t in itertools.product(range(1, total), repeat=4) if sum(t) == total]
        assert list(tables_of_total(total)) == tables


def test_a_verdict_has_no_truth_value():
    with pytest.raises(sm.SymmetricsError, match="proved"):
        bool(sm.prove("mcc", "p1"))


def test_witness_values_are_exact():
    witness = sm.prove("cwa", "p1").witness
    assert witness.tables == ((1, 1, 1, 2), (2, 1, 1, 1))
    half, third = Fraction(1, 2), Fraction(2, 3)
    expected = [Fraction(3, 4) * half + Fraction(1, 4) * third, Fraction(3, 4) * third + Fraction(1, 4) * half]
    assert [Fraction(str(value)) for value in witness.values] == expected


@pytest.mark.parametrize(("base", "power"), [(TP + FN, 2), (TP - FN, 4)], ids=["positive", "of either sign"])
def test_powers_of_a_root_become_powers_of_its_base(base: Expr, power: int) -> None:
    """A root r of a positive b has r**2 = b; any other is a root of |b|, and only r**4 = b**2 is a polynomial."""
    field = field_for()
    ring = extended_ring([field.reduce(Conversion(field)(sqrt(base) + FP)).numerator], field)
    ((place, root),) = ring.roots.items()
    generator, plain = ring.context.gens()[place], root.base if power == 2 else root.base * root.base
    assert ring.reduced(generator**power, ring.roots) == plain
    assert ring.reduced(generator ** (power + 1), ring.roots) == plain * generator
    assert ring.reduced(generator ** (power - 1), ring.roots) == generator ** (power - 1)


def test_a_curve_is_the_same_in_symbols_and_in_numbers() -> None:
    step = Rational(1, 1024)
    for curve, cells in zip(_curves(), _cells_at(float(step)).tolist(), strict=True):
        assert [float(cell.xreplace({STEP: step})) for cell in curve] == pytest.approx(cells)


def test_a_condition_is_split_into_two_factors_of_its_sign_and_none_of_them_is_a_square() -> None:
    ring = extended_ring([], field_for())
    tp, fn, fp, tn = ring.context.gens()[:4]
    for condition in (
        (fn - tp) * (tn - fp) * (tp + fn),
        -(tp - fn) * (fp - tn) * tp,
        (tp - fn) * fp,
        (fn - tp) * fp**2,
    ):
        pair = _two_signs(condition)
        assert pair is not None
        quotient, rest = divmod(condition, pair[0] * pair[1])
        assert not rest
        assert all(coefficient > 0 for coefficient in quotient.coeffs())
    for condition in ((tp - fn) ** 2 * (fp - tn), tp - fn, tp * fn):
        assert _two_signs(condition) is None


def test_a_proof_by_a_split_is_strict_only_if_both_sides_are() -> None:
    ring = extended_ring([], field_for())
    tp, fn = ring.context.gens()[:2]
    proof = prove_sign(tp - fn, ring, [tp**2 - tp * fn])
    assert proof is not None
    assert "split" in proof.tree
    assert not proof.strict
