"""Verdicts on symmetries of a formula: true ones are accepted, and each kind of false one is refused for its reason."""

from __future__ import annotations

from typing import Any

import pytest
from effort import in_one_test
from forging import answered, refusal

from symmetrics.checker import check
from symmetrics.claims.evidence import Evidence
from symmetrics.claims.families.groups import SYMMETRY_PAIRS, SymmetryGroup, cycles
from symmetrics.claims.verdict import Verdict
from symmetrics.language.condition import parse_condition
from symmetrics.language.formula import parse_formula
from symmetrics.language.parameter import Parameter
from symmetrics.tools.errors import CertificateError

Data = dict[str, Any]
SAME: Data = {"status": "proved", "holds": True, "certificate": {"kind": "identity", "atoms": {}, "values": []}}
"""That two formulas are the same, where neither has roots or logarithms."""
OPEN: Data = {"status": "open", "certificate": {"kind": "open", "reason": ""}}
TABLE = [2, 3, 5, 11]
TABLES = [TABLE, [1, 4, 9, 30], [144, 400, 441, 1225], [1, 81, 169, 13689]]


def verdict(text: str, *declarations: str, parts: Data, value: str, **more: Any) -> Verdict:
    """Return a verdict made by hand, proved where nothing else is said."""
    parameters = tuple(map(Parameter.parse, declarations))
    names = [parameter.name for parameter in parameters]
    answer = {"status": "proved", "holds": True, "value": value} | more
    data = {"parts": parts, "exceptions": answer.pop("exceptions", {}), "tables": answer.pop("tables", TABLES)}
    if "condition" in answer:
        answer["condition"] = parse_condition(answer["condition"], names)
    evidence = answer.pop("evidence", Evidence("symmetries", data))
    claim = SymmetryGroup(parse_formula(text, names), parameters)
    return Verdict("own", "own", claim, evidence=evidence, **answered(claim, evidence.kind, answer))


def of_square(parts: Data | None = None, value: str = "M: identity, (FP TN)", **more: Any) -> Verdict:
    """Return a verdict on TP**2*FN, which is the same after an exchange of FP and TN alone."""
    return verdict("TP**2*FN", parts={"M: (FP TN)": SAME} if parts is None else parts, value=value, **more)


def of_mean(*, value: str, domain: str = "w in [0, 1]", exceptions: Data | None = None, **more: Any) -> Verdict:
    """Return a verdict on w*TP + (1 - w)*TN, which for some w has more symmetries than the exchange of FN and FP."""
    parts = {"M: (FN FP)": SAME} | more.pop("more", {})
    singled: Data = {label: {at: SAME} for label, at in EXCEPTIONS.items() if label not in parts} | (exceptions or {})
    return verdict("w*TP + (1 - w)*TN", domain, parts=parts, value=value, exceptions=singled, **more)


EXCEPTIONS = {
    **{f"M: {name}": "1" for name in ("(FP TN)", "(FN FP TN)", "(FN TN)")},
    **{f"M: {name}": "0" for name in ("(TP FN)", "(TP FN FP)", "(TP FP)")},
    **{f"M: {name}": "1/2" for name in ("(TP TN)", "(TP TN)(FN FP)")},
}
AT_SOME = (
    "(TP FN) if w = 0, (TP FN FP) if w = 0, (TP FP FN) if w = 0, (TP FP) if w = 0, (FP TN) if w = 1, "
    "(FN FP TN) if w = 1, (FN TN FP) if w = 1, (FN TN) if w = 1, (TP TN) if w = 1/2, (TP TN)(FN FP) if w = 1/2"
)
MEAN = f"M: identity, (FN FP), {AT_SOME}"
NONE: Data = {"status": "refuted", "holds": False}
ASYMMETRIC = "TP + 2*FN + 4*FP + 8*TN"
AT_HALF: Data = {
    "M: (TP TN)": {
        "status": "conditional",
        "condition": "w = 1/2",
        "witness": {
            "tables": [{"tp": 1, "fn": 1, "fp": 1, "tn": 2}, {"tp": 2, "fn": 1, "fp": 1, "tn": 1}],
            "values": ["1", "2"],
            "parameters": {"w": "1"},
        },
        "certificate": {
            "kind": "conditions",
            "atoms": {},
            "values": [],
            "tree": {
                "split": "2*w - 1",
                "children": [{"factor": "2*w - 1", "set": "w", "to": "1/2", "then": {"leaf": "holds"}}],
            },
            "examples": [{"w": "1/2"}],
        },
    }
}
"""That an exchange of TP and TN is a symmetry of w*TP + (1 - w)*TN at w = 1/2 alone."""
OF_ONE = {f"{image}: {cycles(order)}": SAME for order, image in SYMMETRY_PAIRS if image in ("M", "1/M")}
"""All that a formula whose value is 1 has."""

TRUE = {
    "an exchange": of_square(),
    "an exchange in some cases": of_mean(value=MEAN),
    "an exchange in some cases, as a whole": of_mean(value=MEAN, more=AT_HALF),
    "all permutations": verdict("TP/TP", parts=OF_ONE, value="M: all; 1/M: all"),
    "none wherever it has a value": verdict(f"({ASYMMETRIC})/w", "w in [0, 1]", parts={}, value="M: identity", **NONE),
    "none": verdict(ASYMMETRIC, parts={}, value="M: identity", **NONE),
    "a part that is refuted": of_square(
        {
            "M: (FP TN)": SAME,
            "M: (TP FN)": NONE
            | {
                "witness": {
                    "tables": [{"tp": 1, "fn": 2, "fp": 1, "tn": 1}, {"tp": 2, "fn": 1, "fp": 1, "tn": 1}],
                    "values": ["2", "4"],
                    "parameters": {},
                },
                "certificate": {"kind": "witness"},
            },
        }
    ),
    "what is open": verdict(
        ASYMMETRIC, parts={}, value=None, evidence=Evidence("open", {"reason": ""}), status="open", holds=None
    ),
}

FALSE = {
    "a verdict 'open' cannot rest on evidence of kind 'symmetries'": of_square(status="open", holds=None, value=None),
    "an open verdict asserts something": of_square(
        status="open", holds=None, evidence=Evidence("open", {"reason": ""})
    ),
    # what is decided
    "a permutation is decided twice": of_mean(
        value=f"M: identity, (FN FP) if w = 0, {AT_SOME}",
        exceptions={"M: (FN FP)": {"0": SAME}},
        status="conditional",
        holds=None,
        condition="w = 0 or w = 1/2 or w = 1",
    ),
    "it is open whether a permutation is a symmetry": of_square(
        {"M: (FP TN)": SAME, "M: (TP FN)": OPEN}, "M: identity, (FP TN), (TP FN)"
    ),
    "the numerator of the difference is not zero": of_square(
        {"M: (FP TN)": SAME, "M: (TP FN)": SAME}, "M: identity, (FP TN), (TP FN)"
    ),
    "the numerator of the difference is not zero ": of_mean(value=MEAN, exceptions={"M: (TP TN)": {"1/3": SAME}}),
    "values of several parameters are singled out": verdict(
        "TP", "w in [0, 1]", "v in [0, 1]", parts={}, value="M: identity", exceptions={"M: (TP FN)": {}}
    ),
    "values of several parameters are singled out ": of_square(exceptions={"M: (TP FN)": {}}),
    # At w = 1/2 the exchange of TP and TN would be one, and at w = 1 others.
    "a value of the parameter is outside its domain": of_mean(value=MEAN, domain="w in [0, 1/4]"),
    # what is refuted
    "the tables do not refute every other permutation": of_square({}, "M: identity", **NONE),
    "the tables do not refute every other permutation ": of_mean(
        value=MEAN.replace(", (TP TN) if w = 1/2", ""), exceptions={"M: (TP TN)": {}}
    ),
    "the tables do not refute every other permutation  ": of_square(tables=[]),
    # At w = v = 0 all permutations are symmetries, though what is zero at both tables has no common factor.
    "the tables do not refute every other permutation   ": verdict(
        f"w*({ASYMMETRIC}) + v*(TP**2 + 3*FN**2 + 9*FP**2 + 27*TN**2)",
        *("w in [0, 1]", "v in [0, 1]"),
        **({"parts": {}, "value": "M: identity", "tables": TABLES[1:3]} | NONE),
    ),
    "a table is not four positive numbers": of_square(tables=[[1, 2, 3, 0]]),
    # At w = 1 it is zero, and so symmetric, but for the tables with n = 21, where it has no value; cancelled it has.
    "the formula may have no value at a table, for some parameters": verdict(
        f"(w - 1)*({ASYMMETRIC})/(w - 1 + n - 21)", "w in [1, 2]", parts={}, value="M: identity", tables=[TABLE], **NONE
    ),
    "the formula may have no value at a table, for some parameters ": verdict(
        f"({ASYMMETRIC})/(w*(2 - w))", "w in [0, 1]", parts={}, value="M: identity", **NONE
    ),
    # what the verdict says
    "the parts give another verdict": of_square(**NONE),
    "the parts give another verdict ": of_square(holds=None),
    "the parts give another verdict  ": verdict(ASYMMETRIC, parts={}, value="M: identity"),
    "the symmetries are not those of the certificate": of_square(value="M: identity"),
    "the symmetries are not those of the certificate ": of_square(value="M: identity, (FP TN), (TP FN)"),
    "the symmetries are not those of the certificate  ": of_square(value="M: (FP TN)"),
    "the symmetries are not those of the certificate   ": of_square(value="M: identity; 1-M: (FP TN)"),
    "the symmetries are not those of the certificate    ": of_mean(value=MEAN.replace("w = 1/2", "w = 1/3")),
    "the symmetries are not those of the certificate     ": of_mean(
        value=MEAN.replace("(TP TN) if w = 1/2", "(TP TN)")
    ),
    "the symmetries are not those of the certificate      ": of_mean(
        value=MEAN.replace("(TP TN) if w = 1/2", "(TP TN)"), more=AT_HALF
    ),
    "the symmetries are not those of the certificate       ": of_square(value="M: all"),
    # how permutations are spelled
    "it is another permutation, or M is turned into something else": of_square({"M: identity": SAME}),
    "it is another permutation, or M is turned into something else ": of_square({"2*M: (FP TN)": SAME}),
    "it is another permutation, or M is turned into something else  ": of_square({"M: (TP FP FN)": SAME}),
    "it is another permutation, or M is turned into something else   ": of_square(
        {"M: (FP TN)": SAME, "M: (TP)": SAME}
    ),
    "the symmetries are not those of the certificate        ": of_square(value="M: (TP TP), (FP TN)"),
    "the symmetries are not those of the certificate          ": of_square(value="M: identity, (TN FP)"),
    "it is another permutation, or M is turned into something else    ": of_square({"M: (FP TN)(TN FP)": SAME}),
    "the symmetries are not those of the certificate         ": of_square(value="M: identity, (FP TN); 2*M: (FP TN)"),
}


@in_one_test
@pytest.mark.parametrize("name", TRUE)
def test_a_true_verdict_is_accepted(name: str) -> None:
    check(TRUE[name])


@in_one_test
@pytest.mark.parametrize("reason", FALSE)
def test_a_false_verdict_is_refused(reason: str) -> None:
    assert refusal(check, FALSE[reason]) == reason.strip()


@in_one_test
@pytest.mark.parametrize("declarations", [(), ("w in [0, 1]",)])
@pytest.mark.parametrize("text", ["TP*FN", "TP/(TP + FN)", "TP - FN", "TP/FN"])
def test_a_symmetry_is_not_refuted(text: str, declarations: tuple[str, ...]) -> None:
    left_out = verdict(text, *declarations, parts={"M: (FP TN)": SAME}, value="M: identity, (FP TN)")
    with pytest.raises(CertificateError, match=r"the tables do not refute every other permutation$"):
        check(left_out)
