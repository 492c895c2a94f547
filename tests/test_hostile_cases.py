"""Verdicts by cases of the parameters: true ones are accepted, and each kind of false case or whole is refused."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from effort import in_one_test
from forging import answered, refusal
from sympy import Integer, Rational
from test_hostile import metric

import symmetrics as sm
from symmetrics.checker import check
from symmetrics.checker.engine.cases import _Walker
from symmetrics.claims import Claim
from symmetrics.claims.evidence import Evidence
from symmetrics.claims.values import Limit
from symmetrics.claims.verdict import Verdict
from symmetrics.claims.witness import Counts, Witness
from symmetrics.language.cells import CELLS
from symmetrics.language.condition import parse_condition
from symmetrics.language.formula import parse_formula
from symmetrics.prover import decide

Data = dict[str, Any]
DECLARED = "w in [0, 1] = 1/2"
ELSEWHERE = Witness((Counts(2, 1, 0, 0), Counts(1, 0, 0, 0)), (Integer(1), Integer(1)), {"w": Rational(1)})
HERE = Witness((Counts(1, 1, 0, 0), Counts(1, 0, 0, 0)), (Integer(1), Integer(1)), {"w": Rational(1, 2)})
NOWHERE = Witness((Counts(1, 1, 1, 1), Counts(1, 0, 0, 0)), (Integer(1), Integer(1)), {"w": Rational(1, 2)})


def claim(text: str, key: str, *declarations: str) -> Claim:
    return sm.properties[key].claim(metric(text, *declarations))


def by_cases(about: Claim, pieces: Mapping[str, Data], status: str, holds: bool | None, **parts: Any) -> Verdict:
    """Return a verdict by cases of w."""
    given = dict(parts)
    if "condition" in parts:
        given["condition"] = parse_condition(parts["condition"], ["w"])
    evidence = Evidence("cases", {"tree": {"parameter": "w", "pieces": dict(pieces)}})
    return Verdict("own", "own", about, status, holds, evidence, **answered(about, "cases", given))  # type: ignore[arg-type]


def case(status: str, kind: str, value: str | None = None, witness: Witness | None = None, **data: Any) -> Data:
    """Return the verdict in one case."""
    proof: Data = {"status": status, "certificate": {"kind": kind, **data}}
    proof |= {} if status == "open" else {"holds": status == "proved"}
    proof |= {} if value is None else {"value": Limit(value).to_dict()}
    return {"proof": proof if witness is None else proof | {"witness": witness.to_dict()}}


ZERO, ONE = case("proved", "limit", "0"), case("proved", "limit", "1")
INFINITE = case("refuted", "divergence", "oo", exponent="-1", logarithms="0", coefficient="w/TP")
OPEN = case("open", "open", reason="no proof was found")
UNDEFINED = {"undefined": True}
FINITE = claim("TP/(TP + w*TN)", "tn_limit", DECLARED)
"""The limit is 1 for w = 0, and 0 otherwise."""
LARGE = claim("w*TN/TP", "tn_limit", DECLARED)
"""The limit is 0 for w = 0, and infinite otherwise."""
POSITIVE = claim("TP/(TP + w*TN)", "tn_limit", "w in [1, 2] = 1")
PRECISION = claim("TP/(TP + FP + w*FP)", "max_agreement", DECLARED)
"""Largest where FP = 0, whatever FN is."""
NEVER = claim("TP/(w*TN)", "tn_limit", "w in [0, 0]")
TWO = {"0": ONE, "(0, 1]": ZERO}
LARGER = {"0": ZERO, "(0, 1]": INFINITE}
HALVES = {
    "[0, 1/2]": case("refuted", "tables", witness=HERE),
    "(1/2, 1]": case("refuted", "tables", witness=ELSEWHERE),
}


def finite(pieces: Mapping[str, Data], value: str | None, **parts: Any) -> Verdict:
    return by_cases(FINITE, pieces, "proved", True, value=value, **parts)


def large(
    value: str | None = "0 if w = 0; oo if w != 0", condition: str = "w = 0", holds: bool | None = False
) -> Verdict:
    return by_cases(LARGE, LARGER, "conditional", holds, value=value, condition=condition)


def largest(witness: Witness | None) -> Verdict:
    return by_cases(PRECISION, HALVES, "refuted", False, witness=witness)


TRUE = {
    "a limit in every case": finite(TWO, "1 if w = 0; 0 if w != 0"),
    "a limit for one value": large(),
    "one value": by_cases(POSITIVE, {"[1, 2)": ZERO, "2": ZERO}, "proved", True, value="0"),
    "the counterexample at the defaults": largest(HERE),
}
FALSE = {
    # what the cases add up to
    "a verdict 'open' cannot rest on evidence of kind 'cases'": by_cases(FINITE, TWO, "open", None),
    "the formula has a value in no case": by_cases(NEVER, {"0": UNDEFINED}, "proved", True),
    "the cases give another verdict": by_cases(LARGE, LARGER, "proved", True, value="0 if w = 0; oo if w != 0"),
    "its parts disagree": finite(TWO, "1 if w = 0; 0 if w != 0", condition="w = 0"),
    "its parts disagree ": by_cases(LARGE, LARGER, "conditional", True, value="0 if w = 0; oo if w != 0"),
    "the condition is another one": large(condition="w != 0", holds=True),
    "the condition is another one ": large(condition="w < 1/4"),
    "its parts disagree with the cases": large(holds=True),
    "its parts disagree with the cases ": large(holds=None),
    "its parts disagree with the cases  ": by_cases(FINITE, TWO, "proved", False, value="1 if w = 0; 0 if w != 0"),
    # the counterexample
    "the counterexample is not that of a case": largest(NOWHERE),
    "the counterexample is not that of a case ": largest(None),
    "the counterexample is not that of a case  ": largest(ELSEWHERE),
    "the counterexample is not that of a case   ": finite(TWO, "1 if w = 0; 0 if w != 0", witness=HERE),
    # the value
    "its parts disagree with the cases   ": finite(TWO, None),
    "its parts disagree with the cases    ": by_cases(POSITIVE, {"[1, 2)": ZERO, "2": ZERO}, "proved", True, value="1"),
    "its parts disagree with the cases     ": large("0 if w = 0; 1 if w != 0"),
    "its parts disagree with the cases      ": large("0 if w = 0; oo if w != 0; 2 if w > 5"),
    "a value is named twice": large("0 if w != 0; 0 if w = 0; oo if w != 0"),
    "a value has another condition than in the cases": finite(TWO, "1 if w != 0; 0 if w = 0"),
    "a value has another condition than in the cases ": finite(TWO, "1 if w = 0; 0 if w > 1/2"),
    # the cases themselves
    "a case is not settled": by_cases(
        FINITE, {"0": ONE, "(0, 1]": OPEN}, "conditional", False, condition="w = 0", value="1 if w = 0"
    ),
    "a case is not settled ": by_cases(FINITE, {"0": OPEN, "(0, 1]": OPEN}, "proved", True),
    "the formula has a value where it is said to have none": finite({"0": UNDEFINED, "(0, 1]": ZERO}, "0"),
    "there are no cases": finite({}, "0"),
    "the cases start elsewhere": finite({"(0, 1]": ZERO}, "0"),
    "the cases end elsewhere": finite({"0": ONE}, "1"),
    "the cases end elsewhere ": finite({"0": ONE, "(0, 1)": ZERO}, "1 if w = 0; 0 if w != 0"),
    "the cases leave a gap or overlap": finite({"0": ONE, "(1/2, 1]": ZERO}, "1 if w = 0; 0 if w != 0"),
    "the cases leave a gap or overlap ": finite({"0": ONE, "[0, 1]": ZERO}, "1 if w = 0; 0 if w != 0"),
    "the cases leave a gap or overlap  ": finite(
        {"0": ONE, "(0, 1/2)": ZERO, "(1/2, 1]": ZERO}, "1 if w = 0; 0 if w != 0"
    ),
}


@in_one_test
@pytest.mark.parametrize("name", TRUE)
def test_true_cases_are_accepted(name: str) -> None:
    check(TRUE[name])


@in_one_test
@pytest.mark.parametrize("reason", FALSE)
def test_false_cases_are_refused(reason: str) -> None:
    assert refusal(check, FALSE[reason]) == reason.strip()


# -- what the value of a parameter cancels -----------------------------------------------------------------------------


@in_one_test
@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ("w*TN/(TP + TN)", None),
        ("w*log(TP + FN)", None),
        # Of all tables where the claim has the extreme none has a value, and no other one can be compared with it.
        ("w*TN/FN", "a divisor is zero on another face"),
        ("w*log(FN)", "a divisor is zero on another face"),
        ("w*TN/FN/(TP + TN)", "a divisor is zero on another face"),
    ],
)
@pytest.mark.parametrize(
    "proof",
    [
        case("refuted", "tables", witness=Witness(HERE.tables, HERE.values)),
        case("refuted", "exceeded", extreme="1", face="FP"),
    ],
)
def test_what_a_value_cancels_is_in_the_way_at_the_tables_of_a_counterexample(more, reason, proof):
    """For w = 0 there is precision left, which is 1 where FP = 0; but what is multiplied by w has no value there."""
    about = claim(f"TP/(TP + FP) + {more}", "max_agreement", "w in [0, 0]")
    witness = Witness(HERE.tables, HERE.values, {"w": Integer(0)}) if "witness" in proof["proof"] else None
    verdict = by_cases(about, {"0": proof}, "refuted", False, witness=witness)
    assert refusal(check, verdict) == reason


def test_what_has_no_value_where_the_formula_is_needed_is_refused():
    about = claim("TP/(TP + FP) + w*log(1 + 1/FN)", "max_agreement", "w in [0, 0]")
    walker = _Walker(about, check)
    walker.obstacles = [("logarithm", parse_formula("1 + 1/FN"))]
    place = {cell: Integer(0) for cell in CELLS if cell.name == "FN"}
    assert (
        refusal(walker.require_free, TRUE["one value"], place) == "the formula has no value where its value is needed"
    )


def test_a_formula_without_values_for_all_parameters_is_not_said_to_have_a_property() -> None:
    for key in ("max_agreement", "tn_limit", "range"):
        verdict = decide(claim("TN/(FN + TN/w - FP)", key, "w in [0, 0]"), metric="own", property=key)
        assert verdict.status == "open"
        assert "the formula has a value for no parameters" in str(verdict.evidence.data["reason"])
