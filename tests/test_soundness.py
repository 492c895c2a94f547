"""Formulas built to fool the prover, each with a verdict that is known from how it was built.

"open" is always an honest answer; where a formula leaves the class that is decided, the table says so with a question
mark: the verdict then is the one stated, or open, and never another.
"""

from __future__ import annotations

from fractions import Fraction

import pytest
from effort import in_one_test, some
from sympy import Integer, Rational, S, log, nan, oo, sqrt

import symmetrics as sm
from symmetrics.language.formula import parse_formula


def formula(text: str, *declarations: str) -> sm.Metric:
    parameters = tuple(map(sm.Parameter.parse, declarations))
    return sm.Metric("mine", parse_formula(text, [p.name for p in parameters]), parameters)


# -- true, though it does not look so --------------------------------------------------------------------------------
# In each of them the part that would depend on the cell in question is zero, or the other part's equal, as algebra.

TRUE = [
    ("sqrt(TP*TN) - sqrt(TP)*sqrt(TN) + FN", "p2"),
    ("sqrt(8*TN) - 2*sqrt(2)*sqrt(TN)", "p2"),
    ("sqrt(TN**2 + 2*TN*TP + TP**2) - TN", "p2"),
    ("sqrt(TN)*sqrt(TN + TP) - sqrt(TN**2 + TN*TP)", "p2"),
    ("(TN**3 + 3*TN**2*TP + 3*TN*TP**2 + TP**3)**(1/3) - TN", "p2"),
    ("TN**(1/6)*TN**(1/3)/sqrt(TN)", "p2"),
    ("sqrt(TN/(TN + TP))*sqrt((TN + TP)/TN)", "p2"),
    ("(sqrt(TN + TP) - sqrt(TP))*(sqrt(TN + TP) + sqrt(TP)) - TN", "p2"),
    ("TP/(sqrt(TN + TP) + sqrt(TN)) - sqrt(TN + TP) + sqrt(TN)", "p2"),
    ("log(TN*TP) - log(TN) - log(TP)", "p2"),
    ("log(TN**2 - TP**2) - log(TN - TP) - log(TN + TP)", "p2"),  # where all three are real
    ("log(4*TN) - 2*log(2) - log(TN)", "p2"),
    ("log(TN/TP) + log(TP/TN)", "p2"),
    ("log(sqrt(TN)) - log(TN)/2", "p2"),
    ("Max(TN, TP) + Min(TN, TP) - TN", "p2"),
    ("Max(TN, TP)*Min(TN, TP)/TN", "p2"),
    ("Max(TN, TP) - Min(TN, TP) - Abs(TN - TP)", "p2"),
    ("Max(TN, -TN) - TN", "p2"),
    ("Min(0, TN)", "p2"),
    ("Abs(TN + TP) - TN", "p2"),
    ("sqrt((TN - TP)**2) - Abs(TP - TN)", "p2"),
    ("Abs(TN - TP)**3/(TN - TP)**2 - Abs(TN - TP)", "p2"),
    ("Abs((TN - TP)*(FN - FP)) - Abs(TN - TP)*Abs(FP - FN)", "p1"),
    ("(TP - TN)**2 + Abs(FN - FP)", "p1"),
    ("(TP*TN - FP*FN)/(TP*TN)", "p1"),
    ("TN*(sqrt(2)*sqrt(3) - sqrt(6))", "p2"),
    ("TN*(log(4) - 2*log(2)) + TP", "p2"),
    ("TN*((1 + sqrt(2))**3 - 7 - 5*sqrt(2))", "p2"),
    ("TN*(2**(1/3)*4**(1/3) - 2)", "p2"),
    ("TN*(log(12) - log(3) - log(4))", "p2"),
    ("(TN**2 - TP**2)/(TN - TP) - TN", "p2"),  # its pole is a hole
    ("((TN + TP)**9 - (TN + TP)**8*TN)/(TN + TP)**8", "p2"),
    ("1/(1 + 1/(1 + 1/TN)) - (TN + 1)/(2*TN + 1)", "p2"),
    ("sqrt(TN - TP)*sqrt(TN + TP) - sqrt(TN**2 - TP**2)", "p2"),  # where it is real
]


@pytest.mark.thorough
@in_one_test
@pytest.mark.parametrize(("text", "key"), TRUE)
def test_true_statements_are_not_refuted(text: str, key: str) -> None:
    verdict = sm.prove(formula(text), key)
    assert (verdict.status, verdict.holds, verdict.witness) == ("proved", True, None)
    sm.check(verdict)


# -- false, though it does not look so, with the smallest counterexample ---------------------------------------------
# The table is the first in the order of totals at which the formula has a value and depends on the cell.

FALSE = [
    ("TN*(TP - 1)", "p2", (2, 1, 1, 1), (2, 1, 1, 2)),
    ("TN*(TP - 1)*(TP - 2)*(TP - 3)", "p2", (4, 1, 1, 1), (4, 1, 1, 2)),
    ("(TN - 1)*(TN - 2)*(TN - 3)*(TN - 4)*(TN - 5)*(TN - 6)*(TN - 7)*(TN - 8)", "p2", (1, 1, 1, 1), (1, 1, 1, 9)),
    ("Max(TN, 50)", "p2", (1, 1, 1, 1), (1, 1, 1, 51)),
    ("Min(TN, 1)", "p2", None, None),  # 1 at all integers: the counterexample has fractions
    ("Min(TN, TP)", "p2", (2, 1, 1, 1), (2, 1, 1, 2)),
    ("Abs(TN - TP) - TN + TP", "p2", (2, 1, 1, 1), (2, 1, 1, 2)),
    ("sqrt((TP - TN)**2) - (TP - TN)", "p1", (1, 1, 1, 2), (2, 1, 1, 1)),
    ("Abs(TP - FN) - TP + FN", "p5", (1, 1, 1, 1), (1, 2, 1, 1)),
    ("FP + 1/(TP - FN)", "p3", (1, 2, 1, 1), (1, 2, 2, 1)),
    ("FP + 1/(TP - 1)", "p3", (2, 1, 1, 1), (2, 1, 2, 1)),
    ("FP + 1/(FP - 1)", "p3", (1, 1, 2, 1), (1, 1, 3, 1)),
    ("FP + sqrt(TP - FN - 5)", "p3", (6, 1, 1, 1), (6, 1, 2, 1)),
    ("FP + log(TP - FN)", "p3", (2, 1, 1, 1), (2, 1, 2, 1)),
    ("FP + log(FP - 3)", "p3", (1, 1, 4, 1), (1, 1, 5, 1)),
    ("FP*sqrt(TP - 1)", "p3", (2, 1, 1, 1), (2, 1, 2, 1)),
    ("FP*(TP - 2*FN)**(2/3)", "p3", (3, 1, 1, 1), (3, 1, 2, 1)),  # negative to a fractional power: no real value
    ("FP*(TP - 2*FN)**(1/3)", "p3", (3, 1, 1, 1), (3, 1, 2, 1)),
    ("sqrt(TP - FN)*sqrt(TP - FN) + 0*FN + sqrt(TN - TP)*FP", "p3", (1, 1, 1, 2), (1, 1, 2, 2)),
    ("sqrt(FN - TP)*sqrt(TP - FN) + FP", "p3", (1, 1, 1, 1), (1, 1, 2, 1)),  # real where TP = FN only
    ("TN*(pi - 103993/33102)", "p2", (1, 1, 1, 1), (1, 1, 1, 2)),
    ("TN*(sqrt(2) - 1)**60", "p2", (1, 1, 1, 1), (1, 1, 1, 2)),
    ("TN*(10**30*sqrt(2) - 1414213562373095048801688724209)", "p2", (1, 1, 1, 1), (1, 1, 1, 2)),
    ("TP + TN/10**40", "p2", (1, 1, 1, 1), (1, 1, 1, 2)),
    ("(TP + TN)**100", "p2", (1, 1, 1, 1), (1, 1, 1, 2)),
    ("TP*TN/(TP + FN)", "p1", (1, 1, 1, 2), (2, 1, 1, 1)),
    ("log(TN**2 + 1) - 2*log(TN)", "p2", (1, 1, 1, 1), (1, 1, 1, 2)),
    ("sqrt(TP + TN) - sqrt(TP) - sqrt(TN)", "p2", (1, 1, 1, 1), (1, 1, 1, 2)),
    ("log(TN - TP) - log(TP - TN) + TN", "p2", "open", None),  # defined nowhere: whatever is said of it is empty
]


@pytest.mark.sampled(7)
@pytest.mark.parametrize(("text", "key", "first", "second"), FALSE)
def test_false_statements_are_refuted_by_the_smallest_table(
    text: str, key: str, first: tuple[int, ...] | str | None, second: tuple[int, ...] | None
) -> None:
    verdict = sm.prove(formula(text), key)
    sm.check(verdict)
    if first == "open":
        assert verdict.status in ("open", "proved")
        return
    assert (verdict.status, verdict.holds) == ("refuted", False)
    if first is not None:
        assert verdict.witness.tables == (first, second)
        assert "not known to be the smallest" not in verdict.evidence.sentence
    metric = formula(text)
    values = [metric.exact(*map(Rational, table)) for table in verdict.witness.tables]
    assert all(value.is_finite and value.is_real for value in values)
    assert all(
        (value - stated).is_zero is not False for value, stated in zip(values, verdict.witness.values, strict=True)
    )


def test_a_counterexample_behind_a_far_partner_is_not_called_the_smallest() -> None:
    verdict = sm.prove(formula("Max(TN, 300 - 100*(TP - 1))"), "p2")  # at (1, 1, 1, 1) the partner is 301
    assert verdict.status == "refuted"
    assert "not known to be the smallest" in verdict.evidence.sentence


# -- parameters ------------------------------------------------------------------------------------------------------

CONDITIONS = [
    # the ends of the domain
    ("w*TN + TP", ["w in [0, 1]"], "p2", "w = 0"),
    ("w*TN + TP", ["w in (0, 1]"], "p2", None),
    ("w*TN + TP", ["w in (-1, 0]"], "p2", "w = 0"),
    ("w*TN + TP", ["w in (-oo, 0)"], "p2", None),
    ("w*TN + TP", ["w in (-oo, oo)"], "p2", "w = 0"),
    ("(w**2 - w)*TN", ["w in (0, 1)"], "p2", None),
    ("(w**2 - w)*TN", ["w in [0, 1)"], "p2", "w = 0"),
    ("(w - 2)*(w + 3)*TN", ["w in [-3, 2)"], "p2", "w = -3"),
    # irrational roots, and none
    ("(w**2 - 2)*TN", ["w in [0, oo)"], "p2", "w = sqrt(2)"),
    ("(w**2 - 2)*TN", ["w in [-1, 1]"], "p2", None),
    ("(w**2 + w + 1)*TN", ["w"], "p2", None),
    ("(w**2 - w - 1)*TN", ["w in [0, 1]"], "p2", None),  # the golden ratio is 1.618
    ("(w**3 - 2)*TN", ["w in [0, 1]"], "p2", None),
    ("(w**3 - 2)*TN", ["w"], "p2", "?"),
    (
        "(w - 1/2)*(w - 1/3)*(w - 3/4)*(w - 2/5)*(w - 4/5)*TN",
        ["w in [0, 1]"],
        "p2",
        "w = 1/2 or w = 1/3 or w = 2/5 or w = 3/4 or w = 4/5",
    ),
    # numbers that a parameter can be equal to, though they are no rational combinations of each other
    ("(w - sqrt(2))*TN", ["w"], "p2", "?w = sqrt(2)"),
    ("(w - v*sqrt(2))*TN", ["w", "v"], "p2", "?"),
    ("(w - pi)*TN", ["w"], "p2", "?"),
    ("(w - log(2))*TN", ["w"], "p2", "?"),
    ("w*TN*(1 + sqrt(2)) - TN*(1 + sqrt(2))", ["w"], "p2", "w = 1"),
    ("w*TN*(log(4) - 2*log(2)) + v*TN", ["w", "v"], "p2", "v = 0"),
    # solutions that the domain leaves no room for
    ("(w - v - 5)*TN", ["w in [0, 1]", "v in [0, 1]"], "p2", None),
    ("(w + v + 1)*TN", ["w in [0, 1]", "v in [0, 1]"], "p2", None),
    ("(w*v - 2)*TN", ["w in [0, 1]", "v in [0, 1]"], "p2", None),
    ("(v - w)*TN + (w**2 - 2)*TN**2", ["w in [0, 5]", "v in [0, 1]"], "p2", None),
    ("(v - w)*TN + (w**2 - 2)*TN**2", ["w in [0, 5]", "v in [0, 2]"], "p2", "v = sqrt(2) and w = sqrt(2)"),
    ("(v - w - 5)*TN + (w - 1)*TN**2", ["w in [0, 5]", "v in [0, 1]"], "p2", None),
    # a root where another equation has a pole
    ("((w**2 - 2)*v - 1)*TN + (w**2 - 2)*(v - 3)*TN**2", ["w in [0, 5]", "v"], "p2", "v = 3 and w = sqrt(21)/3"),
    ("((w**2 - 2)*v - 1)*TN + (w**2 - 2)*TN**2", ["w", "v"], "p2", "?never"),
    ("(w*v - 1)*TN", ["w", "v"], "p2", "v = 1/w and w != 0"),
    # where the formula divides by zero it has no value, and satisfies nothing
    ("TN/(w - 1/2)", ["w in [0, 1]"], "p2", None),
    ("TN*(w**2 - 1)/(w - 1)", ["w"], "p2", "w = -1"),
    ("TN*(w - 1)/(v*TP)", ["w", "v"], "p2", "w = 1"),
    ("TN*w/(w*TP + w*FN)", ["w in [0, 1]"], "p2", None),
    ("TN*(w**2 - 1/4)/(w - 1/2) + TP/(w - 1/3)", ["w in [0, 1]"], "p2", None),
    ("w/(w - FN) + (1 - w)/(w - FP)", ["w in [0, oo)"], "p5", "w = 0"),
    # roots and absolute values
    ("w*Abs(TP - TN) + v*(TP - TN)", ["w", "v"], "p1", "v = 0"),
    ("w*FP*(Abs(TP**2 - TP*FN + FN**2) - TP**2 + TP*FN - FN**2) + TP", ["w in [0, 1]"], "p3", "?always"),
    ("w*FP*(Abs(TP**2 - TP*FN + FN**2) - v*(TP**2 - TP*FN + FN**2))", ["w in [0, 1]", "v in [0, 2]"], "p3", "?"),
    ("w*FP*(Abs(TP - FN) - TP + FN)*(Abs(TP - FN - 1) + TP - FN - 1)", ["w in [0, 1]"], "p3", "?always"),
    ("w*FP*(Abs(TP - FN) - TP + FN) + sqrt(TP - FN)", ["w in [0, 1]"], "p3", "?always"),
    ("w*FP*(Abs(TP - FN) - TP + FN)", ["w in [0, 1]"], "p3", "w = 0"),
    ("w*FP + sqrt(TP - FN)", ["w in [0, 1]"], "p3", "w = 0"),
    ("w*FP + sqrt(v)", ["w", "v in [-1, 1]"], "p3", "?w = 0"),
    ("w*FP + log(TP - v)", ["w", "v"], "p3", "?w = 0"),
    ("sqrt(w)*TN", ["w in [0, 1]"], "p2", "?w = 0"),
    ("sqrt(w**2)*TN - w*TN", ["w"], "p2", "?"),
    ("sqrt(w**2)*TN - w*TN + TP", ["w in [0, oo)"], "p2", "always"),
    ("Max(w, 1/2)*TN", ["w in [0, 1]"], "p2", "?"),
    ("log(w*TN) - log(w) - log(TN)", ["w in (0, 1]"], "p2", "always"),
    ("w*TN*(sqrt(5 + 2*sqrt(6)) - sqrt(2) - sqrt(3))", ["w"], "p2", "?always"),
    ("w*FP*(sqrt(TP + TN + 2*sqrt(TP*TN)) - sqrt(TP) - sqrt(TN))", ["w"], "p3", "?always"),
    # names
    ("atom0*sqrt(TP + FN) + atom1*sqrt(FP)", ["atom0", "atom1"], "p3", "atom1 = 0"),
    ("value0 + value1*FP", ["value0", "value1"], "p3", "value1 = 0"),
    ("E*I*FP + S*Q", ["E", "I", "S", "Q"], "p3", "E = 0 or I = 0"),
    ("u*FP*sqrt(step)", ["u", "step in [0, 1]"], "p3", "?"),
    # an interval of one point: nothing is outside the condition
    ("(w - 1/2)*TN", ["w in [1/2, 1/2]"], "p2", "?always"),
]


@pytest.mark.sampled(10)
@pytest.mark.parametrize(("text", "declarations", "key", "condition"), CONDITIONS)
def test_conditions_are_neither_too_wide_nor_too_narrow(
    text: str, declarations: list[str], key: str, condition: str | None
) -> None:
    verdict = sm.prove(formula(text, *declarations), key)
    sm.check(verdict)
    if condition and condition.startswith("?") and verdict.status == "open":
        return
    assert verdict.status != "open"
    condition = condition.removeprefix("?") if condition else None
    if condition is None or condition == "never":
        assert verdict.status == "refuted"
    elif condition == "always":
        assert verdict.status == "proved"
    else:
        assert verdict.status == "conditional"
        assert verdict.to_dict()["condition"] == condition
        assert verdict.witness is not None


def test_a_product_with_a_case_left_to_the_point() -> None:
    """w*v = u: at v = 0 the quotient does not exist, and u = 0 takes its place."""
    verdict = sm.prove(formula("(w*v - u)*TN", "w", "v", "u"), "p2")
    sm.check(verdict)
    assert verdict.status == "conditional"
    for w, v, u in [(0, 0, 0), (1, 0, 0), (0, 3, 0), (2, 3, 6), (Rational(1, 2), 4, 2)]:
        assert verdict.condition.subs({"w": w}) is not S.false
        values = {
            p.symbol: Rational(x) for p, x in zip(verdict.claim.parameters, _order(verdict, w, v, u), strict=True)
        }
        assert verdict.condition.subs(values) == S.true
    for w, v, u in [(1, 1, 0), (1, 0, 1), (0, 3, 1), (2, 3, 5)]:
        values = {
            p.symbol: Rational(x) for p, x in zip(verdict.claim.parameters, _order(verdict, w, v, u), strict=True)
        }
        assert verdict.condition.subs(values) == S.false


def _order(verdict: sm.Verdict, w: object, v: object, u: object) -> list[object]:
    given = {"w": w, "v": v, "u": u}
    return [given[parameter.name] for parameter in verdict.claim.parameters]


DEFAULTS = [
    ("w*TN + TP", "w in [0, 1] = 0", True),
    ("w*TN + TP", "w in [0, 1] = 1", False),
    ("(w**2 - 2)*TN", "w in [0, oo) = 7/5", False),
    ("(w**2 - w)*TN", "w = 1", True),
    ("TN*(w**2 - 1)/(w - 1)", "w = -1", True),
    ("TN*(w**2 - 1)/(w - 1)", "w = 2", False),
]


@in_one_test
@pytest.mark.parametrize(("text", "declaration", "holds"), DEFAULTS)
def test_the_truth_at_the_default(text: str, declaration: str, holds: bool) -> None:
    verdict = sm.prove(formula(text, declaration), "p2")
    sm.check(verdict)
    assert verdict.holds is holds
    bound = sm.prove(formula(text, declaration).at(w=formula(text, declaration).parameters[0].default), "p2")
    assert bound.holds is holds


# -- limits ----------------------------------------------------------------------------------------------------------
# Tables with zeros are approached by positive tables: a value only where all paths agree.

LIMITS = [
    # paths disagree
    ("TP/(TP + FN)", (0, 0, 1, 1), nan),
    ("TP*FN/(TP**2 + FN**2)", (0, 0, 1, 1), nan),
    ("TP**2*FN/(TP**4 + FN**2)", (0, 0, 1, 1), nan),
    ("TN*TP/(TP - FN + TN)", (2, 2, 1, 0), nan),
    ("TN*TP/(TP - FN + TN)", (3, 2, 1, 0), 0),
    ("TN/(sqrt((TP - FN)**2 + TN) - Abs(TP - FN))", (2, 1, 1, 0), nan),  # it is 2*|TP - FN|, which nothing here shows
    ("TP**2/(Abs(TP - FN) + TN)", (0, 0, 1, 0), nan),  # TP = FN, TN = TP**3
    ("TN*Abs(TP - FN)/((TP - FN)**2 + TN**2)", (1, 1, 1, 0), nan),
    # a logarithm is slower than powers of its own argument, not than powers of other cells
    ("TP*log(TP)", (0, 1, 1, 1), 0),
    ("TP*log(TP)**3", (0, 1, 1, 1), 0),
    ("TP*log(TP + FN)", (0, 0, 1, 1), 0),
    ("TP*log(TP/(TP + FN))", (0, 0, 1, 1), 0),
    ("TP*log(FN)", (0, 0, 1, 1), nan),  # FN = exp(-1/TP)
    ("FN*log(TP/(TP + FN))", (0, 0, 1, 1), nan),
    ("FN*TP*log(FP)/(TP + FN)", (0, 0, 0, 1), nan),
    ("TP*log(Abs(TP - FN))", (0, 0, 1, 1), nan),
    ("TN*log(Abs(TP - FN + TN))", (1, 1, 1, 0), nan),
    ("log(TP)/log(FN)", (0, 0, 1, 1), nan),
    # poles, one-sided and two-sided
    ("TP/FN", (1, 0, 1, 1), oo),
    ("-TP/FN", (1, 0, 1, 1), -oo),
    ("TP/FN", (0, 0, 1, 1), nan),
    ("1/(TP - FN)", (1, 1, 0, 1), nan),
    ("1/(TP - FN)**2", (1, 1, 1, 1), oo),
    ("log(TP)", (0, 1, 1, 1), -oo),
    ("-log(TP)/FN", (2, 0, 1, 1), -oo),
    ("1/log(TP)", (0, 1, 1, 1), 0),
    # real on a part of the tables
    ("sqrt(TP - FN)", (0, 2, 1, 1), nan),
    ("sqrt(TP - FN)*TN", (0, 2, 1, 0), nan),
    ("TN*log(TP - FN + TN)", (0, 2, 2, 0), nan),
    ("log((TP - FN)*(TN - FP))", (1, 2, 3, 1), log(2)),  # both factors are negative
    ("log((TP - FN)*(TN - FP))", (2, 1, 3, 1), nan),
    ("sqrt((TP - 1)/TP)", (0, 1, 1, 1), nan),
    ("log((5*TP - 1)/TP)", (0, 1, 1, 1), nan),
    ("sqrt(log(FP))", (1, 1, 0, 1), nan),
    ("sqrt(-TP)*sqrt(-FN)", (1, 4, 1, 1), nan),
    # removable
    ("(TP + FN + TP**2)/(2*TP + 2*FN + FN**2)", (0, 0, 1, 1), Rational(1, 2)),
    ("(TP*TN - FP*FN)/(TP*TN + FP*FN)", (3, 1, 0, 2), 1),
    ("sqrt(TP*FN)/sqrt(TP + FN)", (0, 0, 1, 1), 0),
    ("Min(TP, FN)**2/(TP + FN)", (0, 0, 1, 1), 0),
    ("(TP**2 - FN**2)/(TP - FN)", (2, 2, 1, 1), 4),
    ("sqrt(TP*TN)/(FN + 1)", (2, 1, 1, 1), sqrt(2) / 2),
]


@in_one_test
@pytest.mark.parametrize(("text", "table", "expected"), some(LIMITS, 24, "limits"))
def test_limits_exist_where_all_paths_agree(text: str, table: tuple[int, ...], expected: object) -> None:
    metric = formula(text)
    value, number = metric.exact(*table), metric.from_counts(*table)
    if expected is nan:
        assert value is nan
        assert number != number
    else:
        assert value == expected
        assert number == pytest.approx(float(Integer(0) + expected), rel=1e-12)


def test_a_domain_with_fractions_only() -> None:
    verdict = sm.prove(formula("FP*sqrt(1 - TP - FN)"), "p3")
    sm.check(verdict)
    assert verdict.status in ("refuted", "open")
    if verdict.witness:
        assert Fraction(str(verdict.witness.tables[0].tp)) + Fraction(str(verdict.witness.tables[0].fn)) < 1
