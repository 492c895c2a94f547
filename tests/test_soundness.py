"""Formulas built to fool the prover, each with a verdict that is known from how it was built.

"open" is always an honest answer; where a formula leaves the class that is decided, the table says so with a question
mark: the verdict then is the one stated, or open, and never another.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import pytest
from effort import in_one_test, some
from sympy import Rational, S, nan
from tables import rows

import symmetrics as sm
from symmetrics.language.condition import are_equivalent, condition_text, parse_condition
from symmetrics.language.parameter import Parameter


def formula(text: str, *declarations: str) -> sm.Metric:
    return sm.Metric("mine", text, parameters=declarations)


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


# Formulas built to fool a prover get the verdict that their construction gives, or an honest ``open`` where listed.


@dataclass(frozen=True)
class Case:
    """One question whose answer is known, a line of ``data/adversarial.txt``.

    The parts of a line: the expected verdict, which is ``proved``, ``refuted`` or the condition on the parameters; the
    formula; the property; declarations of parameters; ``may be open`` where that is acceptable; the value, if known.
    """

    expected: str
    formula: str
    property: str
    parameters: tuple[str, ...] = ()
    may_be_open: bool = False
    value: str | None = None

    @staticmethod
    def read(line: str) -> Case:
        expected, formula, key, *more = line.split(" | ")
        values = [part.removeprefix("value: ") for part in more if part.startswith("value: ")]
        parameters = tuple(part for part in more if part != "may be open" and not part.startswith("value: "))
        return Case(expected, formula, key, parameters, "may be open" in more, *values)


def groups() -> dict[str, list[Case]]:
    """Return the cases by their construction, which a line that begins with # names; ## begins a note."""
    found: dict[str, list[Case]] = {}
    for line in (Path(__file__).parent / "data" / "adversarial.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("# "):
            found[line.removeprefix("# ")] = cases = []
        elif line and not line.startswith("##"):
            cases.append(Case.read(line))
    return found


GROUPS = groups()


def complaint(case: Case) -> str | None:
    """Return what is wrong with the verdict on a case, or None."""
    verdict = sm.prove(formula(case.formula, *case.parameters), case.property)
    shown = verdict.status if verdict.condition is None else condition_text(verdict.condition)
    if verdict.status == "open":
        return None if case.may_be_open else f"open: {verdict.evidence.sentence}"
    try:
        sm.check(sm.Verdict.from_json(verdict.to_json()))
    except sm.CertificateError as error:
        return f"{shown}, which the checker rejects: {error}"
    if verdict.status != "conditional" or case.expected in ("proved", "refuted"):
        agrees = shown == case.expected
    else:
        names = [Parameter.parse(text).name for text in case.parameters]
        agrees = are_equivalent(verdict.condition, parse_condition(case.expected, names))
    if not agrees:
        return f"{shown} instead of {case.expected}"
    if case.value is not None and verdict.value != case.value:
        return f"the value {verdict.value} instead of {case.value}"
    return None


@pytest.mark.sampled(6)
@pytest.mark.parametrize("construction", GROUPS)
def test_no_formula_of_the_group_fools_the_prover(construction):
    found = [(case, complaint(case)) for case in some(GROUPS[construction], 1, construction)]
    wrong = [f"{case.property} of {case.formula} {case.parameters}: {reason}" for case, reason in found if reason]
    assert not wrong, "\n".join([f"{construction}:", *wrong])


def test_there_are_at_least_two_hundred_formulas_and_none_is_asked_twice():
    cases = [case for group in GROUPS.values() for case in group]
    assert len(cases) >= 200
    asked = [(case.formula, case.property, case.parameters) for case in cases]
    assert len(set(asked)) == len(asked)
