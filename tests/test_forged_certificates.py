"""Each forged certificate of the tables is refused for its reason, and each true one that they are made of passes."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from effort import in_one_test
from forging import Forgery, Truth, forgeries, refusal, restated, truths
from sympy import Eq, Integer, Symbol

import symmetrics as sm
from symmetrics.checker import check
from symmetrics.claims import (
    Affine,
    Bounded,
    Claim,
    ConstantBaseline,
    DefinedEverywhere,
    FiniteLimit,
    Inequality,
    LargestAtAgreement,
    SameOrder,
    value_symbol,
)
from symmetrics.claims.evidence import Evidence
from symmetrics.claims.families.limits import STEP
from symmetrics.claims.values import AtDefaults, Limit, Link, Range, part_from_dict, value_from_dict
from symmetrics.claims.verdict import Verdict
from symmetrics.claims.witness import Counts, Witness
from symmetrics.language.cells import CELLS, FN, FP, TN, TP
from symmetrics.language.formula import parse_formula
from symmetrics.language.parameter import Parameter
from symmetrics.query.relations import relate
from symmetrics.tools.errors import CertificateError


@in_one_test
@pytest.mark.parametrize("truth", truths(), ids=lambda truth: truth.asked)
def test_what_forgeries_are_made_of_passes(truth: Truth) -> None:
    assert refusal(truth.check, truth.certificate()) is None


@in_one_test
@pytest.mark.parametrize("forgery", forgeries(), ids=lambda forgery: forgery.name)
def test_a_forgery_is_refused_for_its_reason(forgery: Forgery) -> None:
    """A reason in the tables that ends in an ellipsis goes on with what another reader says, of formulas or JSON."""
    lie = forgery.certificate()
    assert json.dumps(lie) != json.dumps(forgery.truth.certificate()), "nothing is altered"
    reason = refusal(forgery.truth.check, lie)
    assert reason is not None, "it is accepted"
    expected = forgery.refused
    assert reason.startswith(expected[:-1]) if expected.endswith("…") else reason == expected


# -- verdicts that no certificate could hold: the checker does not rely on their reader --------------------------------

UNDECLARED, FN_ONE, TP_ONE = Symbol("w", real=True), (0, 1, 0, 0), (1, 0, 0, 0)
CURVE = ["1", "other_s", "other_s", "1"]
BELOW = {"end": {"bound": "1", "path": CURVE, "strict": False}}
OPEN = Evidence("open", {"reason": "hard"})


def largest(formula: str, *tables: tuple[int, ...], values: tuple[int, ...] = (), **more: Any) -> Verdict:
    """Return the verdict that a formula is not largest at agreement, which two tables refute."""
    witness = Witness(tuple(Counts(*table) for table in tables), tuple(map(Integer, values))) if tables else None
    claim = LargestAtAgreement(parse_formula(formula), ())
    return Verdict("own", "own", claim, "refuted", False, Evidence("tables"), witness=witness, **more)


def with_evidence(verdict: Verdict, kind: str, data: dict[str, Any], *tables: tuple[int, ...]) -> Verdict:
    witness = Witness(tuple(Counts(*table) for table in tables), (Integer(0),) * len(tables)) if tables else None
    return replace(verdict, evidence=Evidence(kind, data), witness=witness)


def unsettled(verdict: Verdict, **changes: Any) -> Verdict:
    """Return a verdict that is called open, with its evidence of a proof."""
    return replace(verdict, status="open", holds=None, found=None, **changes)


def opened(claim: Claim) -> Verdict:
    return Verdict("own", "own", claim, "open", None, OPEN)


def expectations(*triples: list[int]) -> Verdict:
    """Return the verdict that the mean of TP is another one at some of these."""
    data = {"triples": [*triples]}
    return Verdict("own", "own", ConstantBaseline(TP, ()), "refuted", False, Evidence("expectations", data))


WEIGHT = Parameter.parse("w in [0, 1]")
WEIGHTED = sm.Metric("own", "w*TP/P + (1 - w)*TN/N", parameters=[WEIGHT])
TO_ZERO = (TP, FN, STEP, TN)
OBJECTS = {
    **{
        f"a verdict 'open' cannot rest on evidence of kind '{kind}'": partial(
            lambda name, key: unsettled(sm.prove(name, key), condition=None), name, key
        )
        for kind, name, key in (
            ("symmetries", "f1", "symmetry_group"),
            ("range", "recall", "range"),
            ("cases", "cwa", "decomposable"),
        )
    },
    **{
        f"{reason}{' ' * place}": partial(opened, claim)
        for place, (reason, claim) in enumerate(
            (
                ("the formula has a symbol that is not declared", FiniteLimit(UNDECLARED * TP, (), TO_ZERO)),
                ("the formula has a symbol that is not declared", Bounded(UNDECLARED * TP, ())),
                ("the formula has a symbol that is not declared", ConstantBaseline(UNDECLARED, ())),
                ("the curve has a symbol that is not declared", FiniteLimit(TP * FP, (), (*TO_ZERO[:3], UNDECLARED))),
            ),
            start=2,
        )
    },
    "a formula has a symbol that is not declared": lambda: replace(
        relate("fnr", "tpr", "rank_reversed"), claim=SameOrder(UNDECLARED, (), TP)
    ),
    "a formula has a symbol that is not declared ": lambda: replace(
        relate("fnr", "tpr", "affine"), claim=Affine(UNDECLARED * TP, (), TP)
    ),
    "a verdict 'proved' cannot rest on evidence of kind 'tables'": lambda: replace(
        sm.prove("hamming_distance", "defined"), evidence=Evidence("tables")
    ),
    "the formula has a symbol that is not declared       ": lambda: replace(
        sm.prove("hamming_distance", "defined"), claim=DefinedEverywhere(1 / UNDECLARED, ())
    ),
    "the conditions are others": lambda: restated(sm.prove("recall", "defined"), None),
    "one table is needed ": lambda: replace(
        verdict := sm.prove("recall", "defined"), witness=replace(verdict.witness, tables=())
    ),
    "the limit is missing": lambda: replace(sm.prove("recall", "tn_limit"), found=None),
    "there are not two triples": lambda: expectations([2, 1, 1], [3, 1, 1], [3, 1, 2]),
    "there are not two triples ": lambda: expectations([2, 1, 1]),
    "there is one value for all parameters": lambda: restated(sm.prove(WEIGHTED, "constant_baseline"), "1/2"),
    "the formula has a symbol that is not declared": lambda: replace(
        sm.prove("f1", "increasing_tp"), claim=Inequality(UNDECLARED * TP, (), (CELLS,), relation=value_symbol(0))
    ),
    "the formula has a symbol that is not declared ": lambda: replace(
        with_evidence(largest("FN"), "unbounded", {"path": CURVE}), claim=LargestAtAgreement(TP - UNDECLARED, ())
    ),
    "a table of the counterexample is missing": lambda: largest("FN", FN_ONE, TP_ONE, values=(1,)),
    "a table of the counterexample is missing ": lambda: largest("FN", FN_ONE, TP_ONE, TP_ONE, values=(1, 0)),
    "there is a counterexample too many or too few": lambda: largest("FN"),
    "two tables are needed": lambda: largest("FN", FN_ONE, values=(1,)),
    "one table is needed": lambda: with_evidence(largest("-FN*FP"), "attained elsewhere", BELOW, FN_ONE, TP_ONE),
    "an open verdict asserts something": lambda: replace(
        sm.prove("determinant", "monotone"),
        status="open",
        holds=None,
        evidence=OPEN,
        found=Link("M", "1"),
        witness=None,
    ),
    "its parts disagree": lambda: replace(sm.prove("recall", "monotone"), condition=Eq(UNDECLARED, 0)),
    "a verdict 'open' cannot rest on evidence of kind 'affine function'": lambda: replace(
        relate("fnr", "tpr", "affine"), status="open", holds=None
    ),
    "there is no counterexample": lambda: replace(relate("f1", "jaccard", "affine"), witness=None),
}


@in_one_test
@pytest.mark.parametrize("reason", OBJECTS)
def test_a_verdict_that_no_certificate_could_hold_is_refused(reason: str) -> None:
    assert refusal(check, OBJECTS[reason]()) == reason.strip()


# -- values of verdicts ------------------------------------------------------------------------------------------------


@in_one_test
@pytest.mark.parametrize("truth", truths(), ids=lambda truth: truth.asked)
def test_a_value_survives_its_json_and_is_written_in_one_way(truth: Truth) -> None:
    data = truth.certificate()
    verdict = Verdict.from_certificate(data)
    found, names = verdict.found, [p.name for p in verdict.claim.parameters]
    if found is not None:
        assert part_from_dict(found.to_dict(), names) == value_from_dict(data["value"], names) == found
        with pytest.raises(CertificateError, match="spelled in another way"):
            part_from_dict(found.to_dict() | {"more": 1}, names)


def test_values_of_different_types_differ() -> None:
    assert Range("0", "1", True, False) != Range("0", "1", 1, 0)  # type: ignore[arg-type]
    assert Limit("0") != AtDefaults(Limit("0"))
    with pytest.raises(CertificateError, match="no value of the kind 'guess'"):
        value_from_dict({"kind": "guess"}, ())


def test_the_text_of_a_value_is_made_of_its_fields() -> None:
    data = sm.prove("f1", "range").certificate()
    lie = data | {"value": data["value"] | {"text": "(0, 7)"}}
    assert (
        refusal(lambda: check(Verdict.from_certificate(lie)))
        == "the certificate has another value than its evidence gives"
    )
    assert Verdict.from_certificate(lie).value == sm.prove("f1", "range").value == "(0, 1)"
