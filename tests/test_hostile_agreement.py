"""Evidence made up for where a formula is at its best or worst: each kind of lie is refused for what is false in it."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any, Final

import pytest
from effort import in_one_test
from forging import refusal, restated
from sympy import Expr, Integer, Rational, S
from test_hostile import metric

from symmetrics.checker import check
from symmetrics.claims import LargestAtAgreement, SmallestAtDisagreement
from symmetrics.claims.verdict import Counts, Evidence, Verdict, Witness
from symmetrics.language.formula import parse_formula
from symmetrics.prover import decide

ACCURACY: Final = "(TP + TN)/(TP + FN + FP + TN)"
REAL_SOMEWHERE: Final = "the formula may not be real at all tables near that of the certificate"
Table = tuple[int, int, int, int]


def claim_on(text: str, *declarations: str, least: bool = False) -> LargestAtAgreement | SmallestAtDisagreement:
    own = metric(text, *declarations)
    return (SmallestAtDisagreement if least else LargestAtAgreement)(own.expr, own.parameters)


def refuted(claim: Any, kind: str, data: Mapping[str, Any] | None = None, witness: Witness | None = None) -> Verdict:
    return Verdict("own", "own", claim, "refuted", False, Evidence(kind, data or {}), witness=witness)


def proved(claim: Any, data: Mapping[str, Any], witness: Witness | None = None) -> Verdict:
    return Verdict("own", "own", claim, "proved", True, Evidence("faces", data), witness=witness)


def tables(*rows: tuple[Table, int | Expr], **parameters: int) -> Witness:
    values = tuple(Integer(value) if isinstance(value, int) else value for _, value in rows)
    return Witness(tuple(Counts(*row) for row, _ in rows), values, {k: Rational(v) for k, v in parameters.items()})


@cache
def found(text: str, *declarations: str) -> Verdict:
    """Return what the prover says, which the checker need not accept."""
    return decide(claim_on(text, *declarations), metric="own", property="own")


def faces(text: str, *declarations: str, **others: Any) -> dict[str, Any]:
    """Return the evidence that a formula is largest at agreement, with other entries; those of faces one by one."""
    verdict = found(text, *declarations)
    assert verdict.evidence.kind == "faces"
    data = copy.deepcopy(dict(verdict.evidence.data))
    data["faces"] |= others.pop("faces", {})
    return data | others


def along(cells: str, limit: str, **more: Any) -> dict[str, Any]:
    """Return what holds on a face along a curve; s is the step."""
    return {"path": curve(cells), "limit": limit} | more


def curve(cells: str) -> list[str]:
    return [cell.replace("s", "other_s") for cell in cells.split(", ")]


FN_TP, TP_ONLY = (0, 1, 0, 0), (1, 0, 0, 0)
WEIGHT = "w in [0, 1]"
SEVERAL: Final[dict[str, tuple[Any, Witness]]] = {
    "the counterexample has other parameters": (
        claim_on("FN + w*TP*TN", WEIGHT),
        tables((FN_TP, 1), (TP_ONLY, 0)),
    ),
    "a parameter is outside its domain": (
        claim_on("FN + w*TP*TN", WEIGHT),
        tables((FN_TP, 1), (TP_ONLY, 0), w=2),
    ),
    "the formula has no value at a table": (
        claim_on("FN + w*TN/(TP + TN)", WEIGHT),
        tables((FN_TP, 1), (TP_ONLY, 0), w=0),
    ),
    "something may be in the way on another face": (
        claim_on("FN + TN/((2*w - 1)*TP)", WEIGHT),
        tables(((1, 1, 0, 0), 1), (TP_ONLY, 0), w=0),
    ),
    "the formula has no single value at a table": (
        claim_on("w*FN - FP", WEIGHT),
        tables((FN_TP, 1), (TP_ONLY, 0), w=1),
    ),
    "the metric's value at (0, 1, 0, 0) is not 1": (
        claim_on("w*TP - FN", "w in [1, 2]"),
        tables((FN_TP, 1), (TP_ONLY, 1), w=1),
    ),
}


@in_one_test
@pytest.mark.parametrize("message", SEVERAL)
def test_two_tables_refute_a_claim_for_all_parameters_only_where_none_matters(message: str) -> None:
    claim, witness = SEVERAL[message]
    assert refusal(check, refuted(claim, "tables", witness=witness)) == message.strip()


def test_two_tables_that_have_values_whatever_the_parameter_is_refute() -> None:
    check(refuted(claim_on("FN + w*TP*TN", WEIGHT), "tables", witness=tables((FN_TP, 1), (TP_ONLY, 0), w=0)))


ELSEWHERE: Final = "-FN/(FN + FP)"


def end(text: str, **others: Any) -> dict[str, Any]:
    verdict = found(text)
    assert verdict.evidence.kind == "attained elsewhere"
    return {"end": dict(verdict.evidence.data["end"]) | others}


INFINITE = {"end": {"bound": "oo", "path": curve("s**(-1), 1, 1, 1")}}
FN_ONE, TP_ONE = (FN_TP, 0), (TP_ONLY, 1)


def below_one() -> dict[str, Any]:
    """Return evidence that accuracy comes as close to 1 as one likes, where it is below."""
    proof = faces(ACCURACY)["inside"]
    return {"end": {"bound": "1", "path": curve("1, s, s, 1"), "strict": True, "proof": proof}}


def false_refutations() -> dict[str, list[Verdict]]:
    return {
        "a verdict 'refuted' cannot rest on evidence of kind 'faces'": [
            refuted(claim_on(ACCURACY), "faces", faces(ACCURACY)),
        ],
        "its parts disagree": [
            replace(refuted(claim_on("TP"), "unbounded", {"path": curve("s**(-1), 1, 1, 1")}), holds=True),
            restated(refuted(claim_on("FN"), "tables", witness=tables((FN_TP, 1), (TP_ONLY, 0))), "1"),
            replace(refuted(claim_on("FN"), "tables", witness=tables((FN_TP, 1), (TP_ONLY, 0))), condition=S.true),
        ],
        "a table of the counterexample is missing": [
            refuted(claim_on("FN"), "tables", witness=Witness((Counts(*FN_TP), Counts(*TP_ONLY)), (Integer(1),))),
            refuted(claim_on("FN"), "tables", witness=tables((FN_TP, 1), (TP_ONLY, 0), (TP_ONLY, 0))),
        ],
        "a table of the counterexample is not in the domain": [
            refuted(claim_on("1 - FN"), "tables", witness=tables(((1, -1, 0, 0), 2), (TP_ONLY, 1))),
            refuted(claim_on("-FN - FP"), "tables", witness=tables(((0, 0, 0, 0), 0), (TP_ONLY, 0))),
        ],
        "the second table is not one where the claim has the extreme": [
            refuted(claim_on(ACCURACY), "tables", witness=tables(TP_ONE, FN_ONE)),
            refuted(claim_on(ACCURACY), "tables", witness=tables(FN_ONE, FN_ONE)),
            refuted(claim_on(ACCURACY, least=True), "tables", witness=tables(FN_ONE, TP_ONE)),
        ],
        "the values satisfy the claim": [
            refuted(claim_on(ACCURACY), "tables", witness=tables(FN_ONE, TP_ONE)),
            refuted(claim_on(ACCURACY), "tables", witness=tables(TP_ONE, ((1, 0, 0, 1), 1))),
            refuted(claim_on(ACCURACY, least=True), "tables", witness=tables(TP_ONE, FN_ONE)),
        ],
        "the metric's value at (0, 1, 0, 0) is not 1": [
            refuted(claim_on(ACCURACY), "tables", witness=tables((FN_TP, 1), TP_ONE)),
        ],
        "there is a counterexample too many or too few": [
            refuted(claim_on(ACCURACY), "tables"),
            refuted(claim_on(ACCURACY), "attained elsewhere", below_one()),
            refuted(claim_on("TP"), "unbounded", {"path": curve("s**(-1), 1, 1, 1")}, tables(((1, 1, 1, 1), 1))),
            proved(claim_on(ACCURACY), faces(ACCURACY), tables(((1, 1, 1, 1), Rational(1, 2)))),
        ],
        "two tables are needed": [
            refuted(claim_on(ACCURACY), "tables", witness=tables(((1, 1, 1, 1), Rational(1, 2)))),
        ],
        "one table is needed": [
            refuted(claim_on("-FN*FP"), "attained elsewhere", end(ELSEWHERE), tables(((1, 1, 0, 0), 0), (TP_ONLY, 0))),
        ],
        "the table is one where the claim has the extreme": [
            refuted(claim_on(ACCURACY), "attained elsewhere", below_one(), tables((TP_ONLY, 1))),
            refuted(claim_on(ACCURACY, least=True), "attained elsewhere", below_one(), tables(((0, 1, 0, 0), 0))),
        ],
        "the extreme is another value": [
            refuted(claim_on(ACCURACY), "attained elsewhere", below_one(), tables(((1, 1, 1, 1), Rational(1, 2)))),
            refuted(claim_on("TP"), "attained elsewhere", INFINITE, tables(((1, 1, 1, 1), 1))),
        ],
        REAL_SOMEWHERE: [
            refuted(claim_on("-sqrt(TP - FN)"), "attained elsewhere", INFINITE, tables(((1, 1, 0, 0), 0))),
        ],
        "a curve at one parameter value does not settle the others": [
            refuted(claim_on("TP - FN + w*FN", "w in [0, 2]"), "unbounded", {"path": curve("1, s**(-1), 1, 1")}),
        ],
        "the limit is not of this sign": [
            refuted(claim_on("1 - FN - FP"), "unbounded", {"path": curve("1, s**(-1), 1, 1")}),
            refuted(claim_on("TP + TN", least=True), "unbounded", {"path": curve("s**(-1), 1, 1, 1")}),
        ],
        "the limit is finite": [refuted(claim_on(ACCURACY), "unbounded", {"path": curve("s**(-1), 1, 1, 1")})],
        "the formula has a symbol that is not declared": [
            refuted(
                LargestAtAgreement(parse_formula("TP - w", ["w"]), ()), "unbounded", {"path": curve("s**(-1), 1, 1, 1")}
            ),
        ],
    }


def test_a_claim_is_not_refuted_by_what_is_no_counterexample() -> None:
    for message, verdicts in false_refutations().items():
        for verdict in verdicts:
            assert refusal(check, verdict) == message


def test_true_refutations_are_accepted() -> None:
    check(found(ELSEWHERE))
    check(refuted(claim_on("TP"), "unbounded", {"path": curve("s**(-1), 1, 1, 1")}))
    check(refuted(claim_on("-TP", least=True), "unbounded", {"path": curve("s**(-1), 1, 1, 1")}))
