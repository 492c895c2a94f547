"""Formulas built to fool a prover get the verdict that their construction gives, or an honest ``open`` where listed."""

from __future__ import annotations

import pytest
from adversarial import GROUPS, Case
from effort import some

import symmetrics as sm
from symmetrics.language.condition import are_equivalent, condition_text, parse_condition
from symmetrics.language.parameter import Parameter


def metric(case: Case) -> sm.Metric:
    parameters = tuple(Parameter.parse(text) for text in case.parameters)
    names = [parameter.name for parameter in parameters]
    return sm.Metric("adversary", sm.parse_formula(case.formula, names), parameters)


def complaint(case: Case) -> str | None:
    """Return what is wrong with the verdict on a case, or None."""
    verdict = sm.prove(metric(case), case.property)
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
