"""The checker accepts what the prover found and nothing that was tampered with: every lie is a CertificateError.

A certificate is data from anywhere.  Whatever is wrong with it -- a number, a sign, a missing branch, a type -- has to
end in a CertificateError: not in acceptance, and not in another exception.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from effort import in_one_test, some
from forging import accepts, changed
from sympy import Eq, I, Integer, Ne, Or, Rational, S, Symbol, nan, oo, sqrt

import symmetrics as sm
from symmetrics.checker import check as check_evidence
from symmetrics.claims import Identity
from symmetrics.claims.evidence import Counts, Evidence, Witness
from symmetrics.claims.verdict import Verdict
from symmetrics.language.cells import parameter_symbol
from symmetrics.language.formula import parse_formula
from symmetrics.tools.errors import CertificateError

Data = dict[str, Any]


def formula(text: str, *declarations: str) -> sm.Metric:
    parameters = tuple(map(sm.Parameter.parse, declarations))
    return sm.Metric("mine", parse_formula(text, [p.name for p in parameters]), parameters)


def certificate(metric: sm.Metric | str, key: str) -> Data:
    return json.loads(sm.prove(metric, key).to_json())


# -- what is true passes ---------------------------------------------------------------------------------------------

HONEST = [
    formula("sqrt(TP*TN)/(TP+TN)"),
    formula("sqrt(8*TP) - 2*sqrt(2)*sqrt(TP) + FN"),
    formula("log(TP*TN) + Abs(TP - TN)"),
    formula("Max(TP, TN)*Min(TP, TN) - TP*TN"),
    formula("sqrt(TP/Min(2, FP)) - sqrt(TP)/sqrt(Min(2, FP))"),
    formula("log((TP - FN)*(TN - FP))"),
    formula("w*TP + (1 - w)*TN", "w in [0, 1] = 3/4"),
    formula("(w - 1)*(sqrt(2) + log(3))*TP", "w"),
    formula("(w**2 - 2)*(v - w)*TN + (v - w)*TP", "w in [0, 5]", "v"),
    formula("(v - w)*TP + (w**2 - 2)*TP**2", "w in [0, 5]", "v in [0, 1]"),
    formula("((w**2 - 2)*v - 1)*TP + (w**2 - 2)*(v - 3)*TP**2", "w in [0, 5]", "v"),
    formula("TN*(w**2 - 1)/(w - 1)", "w"),
    formula("w*TP/(v*TP + FN) + w*TN", "w", "v in [0, 1]"),
    formula("atom0*sqrt(TP + FN) + value0*sqrt(TP)", "atom0 in [0, 1]", "value0"),
    formula("(w - v - 5)*TN", "w in [0, 1]", "v in [0, 1]"),
]


@pytest.mark.sampled(7)
@pytest.mark.parametrize("metric", HONEST, ids=lambda metric: str(metric.expr))
@pytest.mark.parametrize("key", ["p1", "p2", "p4"])
def test_fresh_and_reread_verdicts_pass(metric: sm.Metric, key: str) -> None:
    verdict = sm.prove(metric, key)
    sm.check(verdict)
    sm.check(verdict, metric)
    sm.check(Verdict.from_json(verdict.to_json()), metric)


# -- identities ------------------------------------------------------------------------------------------------------

ROOTS = formula("sqrt(TP*TN) - sqrt(TP)*sqrt(TN)")


# -- counterexamples -------------------------------------------------------------------------------------------------

F1 = formula("2*TP/(2*TP + FN + FP)")


@in_one_test
@pytest.mark.parametrize("count", [True, 0, -1, 1.0, "1", None, oo, nan, I, sqrt(2), Rational(-1, 2)])
def test_counts_of_witnesses_made_by_hand(count: object) -> None:
    verdict = sm.prove(F1, "p3")
    first, second = verdict.witness.tables
    lie = replace(
        verdict, witness=replace(verdict.witness, tables=(first._replace(tn=count), second._replace(tn=count)))
    )
    with pytest.raises(CertificateError):
        sm.check(lie, F1)


@in_one_test
@pytest.mark.parametrize("value", [nan, oo, None, "1/2", 0.5, I, S.ComplexInfinity, Symbol("x")])
def test_values_of_witnesses_made_by_hand(value: object) -> None:
    verdict = sm.prove(F1, "p3")
    for place in (0, 1):
        values = list(verdict.witness.values)
        values[place] = value
        with pytest.raises(CertificateError):
            sm.check(replace(verdict, witness=replace(verdict.witness, values=tuple(values))), F1)


def test_a_pole_is_no_counterexample() -> None:
    metric = formula("FP + 1/(TP - FN)")
    verdict = sm.prove(metric, "p3")
    tables = (Counts(1, 1, 1, 1), Counts(1, 1, 2, 1))
    for value in (S.ComplexInfinity, nan, oo):
        with pytest.raises(CertificateError):
            sm.check(replace(verdict, witness=Witness(tables, (value, value + 1))), metric)


# -- conditions ------------------------------------------------------------------------------------------------------

SIMPLE = formula("w*TN + TP", "w in [0, 1] = 3/4")


def test_conditions_made_by_hand() -> None:
    w = parameter_symbol("w")
    verdict = sm.prove(SIMPLE, "p2")
    for condition in (
        w > Rational(1, 2),
        w < 1,
        Or(Eq(w, 0), w > Rational(9, 10)),
        Ne(w, 0),
        Eq(w**2, 0),
        Eq(0, 1),
        "w = 0",
        3,
    ):
        with pytest.raises(CertificateError):
            sm.check(replace(verdict, condition=condition), SIMPLE)


# -- the envelope ----------------------------------------------------------------------------------------------------

WRONG = [None, True, False, 0, -1, 1.5, 10**400, "", "x", "\x00", [], [[]], {}, {"a": 1}]


@in_one_test
@pytest.mark.parametrize(
    "key", ["metric", "property", "status", "holds", "condition", "witness", "evidence", "claim", "certificate"]
)
def test_missing_keys_and_wrong_types(key: str) -> None:
    for metric, name in ((SIMPLE, "p2"), (ROOTS, "p1"), (F1, "p3")):
        truth = certificate(metric, name)
        assert not accepts(changed(truth, (key,), ...), metric)
        for value in WRONG:
            lie = truth | {key: value}
            if (
                lie != truth
                and not (key == "evidence" and isinstance(value, str))
                and not (key == "property" and isinstance(value, str))
            ):
                assert not accepts(lie, metric), (metric.name, key, value)


@in_one_test
@pytest.mark.parametrize(
    "text", ["", "nonsense", "[]", "3", "null", '"x"', "{}", "[" * 100_000, '{"a":' * 50_000, "1" * 10_000, "NaN"]
)
def test_texts_that_are_no_certificates(text: str) -> None:
    with pytest.raises(CertificateError):
        Verdict.from_json(text)


def test_evidence_about_one_metric_does_not_pass_for_another() -> None:
    for key in ("p1", "p2"):
        for name, other in (("mcc", "f1"), ("recall", "specificity"), ("cwa", "wauc")):
            data = certificate(other, key) | {"metric": sm.metrics[name].name}
            assert not accepts(data)
    with pytest.raises(CertificateError):
        sm.check(sm.prove("mcc", "p1"), "f1")
    with pytest.raises(CertificateError):
        sm.check(sm.prove(F1, "p2"), SIMPLE)
    with pytest.raises(CertificateError):  # the name of a library metric, on another formula
        sm.check(sm.prove(replace(F1, name="mcc"), "p2"))


def test_evidence_about_one_property_does_not_pass_for_another() -> None:
    assert not accepts(certificate("f1", "p2") | {"property": "p1"})
    assert not accepts(certificate("f1", "p2") | {"property": "p3"})
    assert not accepts(certificate(F1, "p2") | {"property": "p3"})  # also where the metric is not in the library


def test_other_kinds_of_objects() -> None:
    verdict = sm.prove(SIMPLE, "p2")
    for field, value in (
        ("status", []),
        ("status", None),
        ("holds", "no"),
        ("condition", []),
        ("witness", 3),
        ("claim", None),
        ("evidence", None),
    ):
        with pytest.raises(CertificateError):
            check_evidence(replace(verdict, **{field: value}))
    nothing = {"atoms": None, "values": None, "tree": None, "examples": None}
    for kind, data in (([], {}), ("conditions", {}), ("conditions", nothing)):
        with pytest.raises(CertificateError):
            Evidence(kind, data)


@pytest.mark.thorough
def test_a_tree_without_end() -> None:
    verdict = sm.prove(SIMPLE, "p2")
    tree: Data = {"leaf": "holds"}
    for _ in range(100_000):
        tree = {"split": "w", "children": [{"factor": "w", "terms": True, "then": tree}]}
    evidence = replace(verdict.evidence, data={**verdict.evidence.data, "tree": tree})
    with pytest.raises(CertificateError):
        check_evidence(replace(verdict, evidence=evidence))


def test_large_certificates_end_soon() -> None:
    truth = certificate(ROOTS, "p2")
    deep: Data = {"leaf": "holds"}
    for _ in range(150):
        deep = {"split": "w", "children": [{"factor": "w", "terms": True, "then": deep}]}
    power, values = "((TP + FN)**100)**100", truth["certificate"]["values"]
    lies = [
        (changed(truth, ("certificate", "values", 0), f"{power} + atom0"), ROOTS),
        (
            changed(
                truth, ("certificate", "values", 0), "((TP + FN + FP + TN + 1)**60)*((TP + FN + FP + 2*TN + 1)**60)"
            ),
            ROOTS,
        ),
        (changed(truth, ("certificate", "values", 0), "atom0**(1/1000003)"), ROOTS),
        (changed(truth, ("certificate", "values", 0), "+".join(["TP"] * 100_000)), ROOTS),
        (changed(truth, ("certificate", "values", 0), "(" * 1000 + "TP" + ")" * 1000), ROOTS),
        (changed(truth, ("certificate", "values"), ["TP"] * 2000), ROOTS),
        (changed(truth, ("certificate", "values"), [f"({power} + 1)*({x})/({power} + 2)" for x in values]), ROOTS),
        (changed(truth, ("certificate", "atoms", "atom0", "base"), power), ROOTS),
        (
            changed(
                truth,
                ("certificate", "atoms"),
                {f"atom{k}": {"kind": "power", "base": f"TP + {k}"} for k in range(1, 400)},
            ),
            ROOTS,
        ),
        (changed(certificate(SIMPLE, "p2"), ("certificate", "tree"), deep), SIMPLE),
        (changed(certificate(SIMPLE, "p2"), ("certificate", "tree", "split"), "w**100"), SIMPLE),
        (changed(certificate(SIMPLE, "p2"), ("condition",), " or ".join(f"w = {k}" for k in range(3000))), SIMPLE),
    ]
    for lie, metric in some(lies, 3):
        assert not accepts(lie, metric)


# -- every leaf of real certificates ---------------------------------------------------------------------------------


def test_the_checker_takes_nothing_from_the_library() -> None:
    """A claim of one's own, about a formula that is in no library, is checked on its own evidence."""
    p2 = sm.properties["p2"].claim(F1)
    claim = Identity(parse_formula("TP"), (), p2.tables, p2.auxiliary)
    verdict = Verdict("any", "thing", claim, "proved", True, Evidence("identity", {"atoms": {}, "values": []}))
    check_evidence(verdict)
    with pytest.raises(CertificateError):
        check_evidence(replace(verdict, claim=replace(claim, subject=parse_formula("TN"))))
    with pytest.raises(CertificateError):
        check_evidence(replace(verdict, claim=replace(claim, subject=Integer(1) / parameter_symbol("w"))))
