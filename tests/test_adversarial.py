"""Formulas built to fool a prover get the verdict that their construction gives, or an honest ``open`` where listed.

In ``data/adversarial.txt`` a line has the expected verdict
(``proved``, ``refuted`` or the condition on the parameters),
the formula, the property, declarations of parameters, whether it may be open, and the value, where it is known.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
from effort import some

import symmetrics as sm
from symmetrics.language.condition import are_equivalent, condition_text, parse_condition
from symmetrics.language.parameter import Parameter


@dataclass(frozen=True)
class Case:
    """One question whose answer is known."""

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
