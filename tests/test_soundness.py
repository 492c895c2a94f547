"""Formulas built to fool the prover, each with a verdict that is known from how it was built.

"open" is always an honest answer; where a formula leaves the class that is decided, the table says so with a question
mark: the verdict then is the one stated, or open, and never another.
"""

from __future__ import annotations

from fractions import Fraction

import pytest
from effort import in_one_test, some
from sympy import Rational, S, nan
from tables import rows

import symmetrics as sm
from symmetrics.language.formula import parse_formula


def formula(text: str, *declarations: str) -> sm.Metric:
    parameters = tuple(map(sm.Parameter.parse, declarations))
    return sm.Metric("mine", parse_formula(text, [p.name for p in parameters]), parameters)


# -- true, though it does not look so --------------------------------------------------------------------------------
# In each of them the part that would depend on the cell in question is zero, or the other part's equal, as algebra.

TRUE = rows("soundness", "true", 2)


@pytest.mark.thorough
@in_one_test
@pytest.mark.parametrize(("text", "key"), TRUE)
def test_true_statements_are_not_refuted(text: str, key: str) -> None:
    verdict = sm.prove(formula(text), key)
    assert (verdict.status, verdict.holds, verdict.witness) == ("proved", True, None)
    sm.check(verdict)


# -- false, though it does not look so, with the smallest counterexample ---------------------------------------------
# The table is the first in the order of totals at which the formula has a value and depends on the cell.

FALSE = rows("soundness", "false", 4)


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

CONDITIONS = rows("soundness", "conditions", 4)


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

LIMITS = rows("soundness", "limits", 3)


@in_one_test
@pytest.mark.parametrize(("text", "table", "expected"), some(LIMITS, 24, "limits"))
def test_limits_exist_where_all_paths_agree(text: str, table: tuple[int, ...], expected: str) -> None:
    metric = formula(text)
    value, number = metric.exact(*table), metric.from_counts(*table)
    if expected == "nan":
        assert value is nan
        assert number != number
    else:
        assert value == S(expected)
        assert number == pytest.approx(float(S(expected)), rel=1e-12)


def test_a_domain_with_fractions_only() -> None:
    verdict = sm.prove(formula("FP*sqrt(1 - TP - FN)"), "p3")
    sm.check(verdict)
    assert verdict.status in ("refuted", "open")
    if verdict.witness:
        assert Fraction(str(verdict.witness.tables[0].tp)) + Fraction(str(verdict.witness.tables[0].fn)) < 1
