"""The checker accepts what the prover found and nothing that was tampered with: every lie is a CertificateError.

A certificate is data from anywhere.  Whatever is wrong with it -- a number, a sign, a missing branch, a type -- has to
end in a CertificateError: not in acceptance, and not in another exception.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from random import Random
from typing import Any

import pytest
from effort import in_one_test, some
from forging import reworded
from sympy import Eq, I, Integer, Ne, Or, Rational, S, Symbol, nan, oo, sqrt

import symmetrics as sm
from symmetrics.checker import check as check_evidence
from symmetrics.claims import Identity
from symmetrics.claims.verdict import Counts, Evidence, Verdict, Witness
from symmetrics.language.cells import parameter_symbol
from symmetrics.language.formula import parse_formula
from symmetrics.tools.errors import CertificateError

Data = dict[str, Any]


def formula(text: str, *declarations: str) -> sm.Metric:
    parameters = tuple(map(sm.Parameter.parse, declarations))
    return sm.Metric("mine", parse_formula(text, [p.name for p in parameters]), parameters)


def certificate(metric: sm.Metric | str, key: str) -> Data:
    return json.loads(sm.prove(metric, key).to_json())


def accepts(data: object, metric: sm.Metric | None = None) -> bool:
    """Whether a certificate passes; any exception but a CertificateError fails the test."""
    try:
        sm.check(reworded(data), metric)
    except CertificateError:
        return False
    return True


@cache
def accepted(metric: sm.Metric, key: str) -> Data:
    """Return a certificate that passes, which many lies are made of."""
    truth = certificate(metric, key)
    assert accepts(truth, metric)
    return truth


def changed(data: Data, path: str, value: object) -> Data:
    """Return a copy with the value at a dotted path replaced; a callable is applied to the old value."""
    result = copy.deepcopy(data)
    *holders, last = [int(step) if step.lstrip("-").isdigit() else step for step in path.split(".")]
    holder: Any = result
    for step in holders:
        holder = holder[step]
    holder[last] = value(holder[last]) if callable(value) else value
    return result


def removed(data: Data, path: str) -> Data:
    result = copy.deepcopy(data)
    *holders, last = [int(step) if step.isdigit() else step for step in path.split(".")]
    holder: Any = result
    for step in holders:
        holder = holder[step]
    del holder[last]
    return result


REMOVED = object()
REFUTED = {"condition": None, "status": "refuted", "holds": False}


def told(truth: Data, path: str, value: Any, also: Data | None = None) -> Data:
    """Return a lie: another value at a path, or a change of the whole where the path is empty; and other top keys."""
    if not path:
        lie = value(truth) if callable(value) else truth | value
    else:
        lie = removed(truth, path) if value is REMOVED else changed(truth, path, value)
    return lie | (also or {})


def title(row: tuple[Any, ...]) -> str:
    return str(row[0])


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
SIGNED = formula("Max(TP, TN) + Min(TP, TN) - TN")
LOGS = formula("log(TP*TN) - log(TP) - log(TN)")

LIES_ABOUT_IDENTITIES: list[tuple[Any, ...]] = [
    ("no values", ROOTS, "p2", "certificate.values", []),
    ("no atoms", ROOTS, "p2", "certificate.atoms", {}),
    ("a root with the wrong sign", ROOTS, "p2", "certificate.values", lambda v: [f"-({x})" for x in v]),
    ("a root off by a factor", ROOTS, "p2", "certificate.values", lambda v: [f"2*({x})" for x in v]),
    ("a root off by one", ROOTS, "p2", "certificate.values", lambda v: [f"({x}) + 1" for x in v]),
    ("a root that is the radicand", ROOTS, "p2", "certificate.values", ["TP*TN", "TP", "TN"]),
    ("a root without its bars", SIGNED, "p2", "certificate.values", ["TP - TN", "TN - TP"]),
    ("an atom of another base", ROOTS, "p2", "certificate.atoms.atom0.base", "(FN)"),
    ("an atom of base zero", ROOTS, "p2", "certificate.atoms.atom0.base", "TP - TP"),
    ("an atom with a quotient for base", ROOTS, "p2", "certificate.atoms.atom0.base", "TP/TN"),
    ("an atom of itself", ROOTS, "p2", "certificate.atoms.atom0.base", "atom0"),
    ("an atom of a later one", ROOTS, "p2", "certificate.atoms.atom0.base", "atom1"),
    ("an atom with a root for base", ROOTS, "p2", "certificate.atoms.atom0.base", "sqrt(TP)"),
    ("an atom of unknown kind", ROOTS, "p2", "certificate.atoms.atom0.kind", "magic"),
    ("a root taken for a logarithm", ROOTS, "p2", "certificate.atoms.atom0.kind", "log"),
    (
        "a logarithm taken for a root",
        LOGS,
        "p4",
        "certificate.atoms",
        lambda a: {k: x | {"kind": "power"} for k, x in a.items()},
    ),
    ("a logarithm off by a factor", LOGS, "p4", "certificate.values", lambda v: [f"2*({x})" for x in v]),
    ("a logarithm off by a constant", LOGS, "p4", "certificate.values", lambda v: [f"{x} + 1" for x in v]),
    (
        "an atom named like a cell",
        ROOTS,
        "p2",
        "certificate.atoms",
        lambda a: {"TP": {"kind": "power", "base": "(FN)"}, **a},
    ),
    ("an atom with no name", ROOTS, "p2", "certificate.atoms", lambda a: {"": a["atom0"], **a}),
    ("an atom named like code", ROOTS, "p2", "certificate.atoms", lambda a: {"a b": a["atom0"], **a}),
    ("an atom that is a text", ROOTS, "p2", "certificate.atoms.atom0", "TP"),
    ("an atom without a base", ROOTS, "p2", "certificate.atoms.atom0.base", REMOVED),
    ("an unreadable value", ROOTS, "p2", "certificate.values.0", "(("),
    ("a value that is no text", ROOTS, "p2", "certificate.values.0", 1),
    ("a value with an unknown name", ROOTS, "p2", "certificate.values.0", "atom99"),
    ("a value of code", ROOTS, "p2", "certificate.values.0", "__import__('os').getcwd()"),
    ("a value that divides by zero", ROOTS, "p2", "certificate.values.0", "1/(TP - TP)"),
    ("a value with a strange root", ROOTS, "p2", "certificate.values.0", "atom0**(1/97)"),
    ("a value with a root inside", ROOTS, "p2", "certificate.values.0", "sqrt(TP*TN)"),
    ("a value with an absolute value", ROOTS, "p2", "certificate.values.0", "Abs(TP)"),
    ("values that are no list", ROOTS, "p2", "certificate.values", 3),
    ("a status that was not shown", ROOTS, "p2", "", {"status": "refuted", "holds": False}),
    ("an open verdict that holds", ROOTS, "p2", "", {"status": "open"}),
    ("a proof that does not hold", ROOTS, "p2", "", {"holds": False}),
    ("a proof of unknown truth", ROOTS, "p2", "", {"holds": None}),
    ("a proof that holds by number", ROOTS, "p2", "", {"holds": 1}),
    ("a proof with a condition", ROOTS, "p2", "", {"condition": "always"}),
    ("an unknown status", ROOTS, "p2", "", {"status": "certain"}),
    ("an unknown kind of evidence", ROOTS, "p2", "certificate.kind", "authority"),
    ("evidence of the wrong kind", ROOTS, "p2", "certificate.kind", "witness"),
    ("open evidence for a proof", ROOTS, "p2", "certificate.kind", "open"),
    (
        "an identity that is false",
        ROOTS,
        "p2",
        "",
        lambda d: (
            certificate(formula("sqrt(TP*TN)"), "p2")
            | {"status": "proved", "holds": True, "witness": None, "certificate": d["certificate"]}
        ),
    ),
    ("a claim without a relation", ROOTS, "p2", "claim.relation", REMOVED),
    (
        "a claim with a hollow relation",
        ROOTS,
        "p2",
        "claim.relation",
        "0*value0",
        {
            "status": "proved",
            "holds": True,
            "witness": None,
            "certificate": {"kind": "identity", "atoms": {}, "values": []},
        },
    ),
    (
        "a claim that compares a table with itself",
        ROOTS,
        "p2",
        "",
        lambda d: (
            changed(d, "claim.tables.1", d["claim"]["tables"][0])
            | {
                "status": "proved",
                "holds": True,
                "witness": None,
                "certificate": {"kind": "identity", "atoms": {}, "values": []},
            }
        ),
    ),
    ("a claim of unknown kind", ROOTS, "p2", "claim.kind", "rumour"),
    ("a claim on another domain", ROOTS, "p2", "claim.domain", "TP, FN, FP, TN >= 0"),
    ("a claim about another formula", ROOTS, "p2", "claim.subject", "TP*TN"),
    ("a claim with three cells", ROOTS, "p2", "claim.tables.1", ["TN", "FP", "FN"]),
    ("a claim with an auxiliary too many", ROOTS, "p2", "claim.auxiliary", ["other_TP"]),
]


@in_one_test
@pytest.mark.parametrize("row", LIES_ABOUT_IDENTITIES, ids=title)
def test_lies_about_identities_are_rejected(row: tuple[Any, ...]) -> None:
    _, metric, key, *lie = row
    assert not accepts(told(accepted(metric, key), *lie), metric)


# -- counterexamples -------------------------------------------------------------------------------------------------

F1 = formula("2*TP/(2*TP + FN + FP)")
HALF_PLANE = formula("FP + sqrt(TP - FN)")
TABLE = {"tp": 1, "fn": 1, "fp": 1, "tn": 1}

LIES_ABOUT_WITNESSES: list[tuple[Any, ...]] = [
    ("a value off by one", F1, "p1", "witness.values.0", lambda v: f"{v} + 1"),
    ("a value that is nearly right", F1, "p1", "witness.values.0", lambda v: f"{v} + 1/10**30"),
    ("values swapped", F1, "p1", "witness.values", lambda v: v[::-1]),
    ("tables swapped", F1, "p1", "witness.tables", lambda t: t[::-1]),
    (
        "equal tables",
        F1,
        "p1",
        "witness",
        lambda w: w | {"tables": [w["tables"][0]] * 2, "values": [w["values"][0]] * 2},
    ),
    ("tables of another property", F1, "p1", "", {"witness": certificate(F1, "p4")["witness"]}),
    ("tables of another metric", F1, "p3", "", {"witness": certificate(formula("FP"), "p3")["witness"]}),
    (
        "a table at which the claim holds",
        F1,
        "p1",
        "witness",
        lambda w: w | {"tables": [TABLE, TABLE], "values": ["1/2", "1/2"]},
    ),
    ("one table only", F1, "p1", "witness.tables", lambda t: t[:1]),
    ("three tables", F1, "p1", "witness.tables", lambda t: [*t, t[0]]),
    ("one value only", F1, "p1", "witness.values", lambda v: v[:1]),
    (
        "a zero count",
        F1,
        "p3",
        "witness",
        {"tables": [TABLE | {"fp": 0}, TABLE], "values": ["2/3", "1/2"], "parameters": {}},
    ),
    (
        "a negative count",
        F1,
        "p3",
        "witness",
        {"tables": [TABLE | {"fp": -1}, TABLE], "values": ["1", "1/2"], "parameters": {}},
    ),
    ("a count that is true", F1, "p3", "witness.tables.0.tp", True),
    ("a count in words", F1, "p3", "witness.tables.0.tp", "one"),
    ("a count of none", F1, "p3", "witness.tables.0.tp", None),
    ("a count that is a list", F1, "p3", "witness.tables.0.tp", [1]),
    ("an infinite count", F1, "p3", "witness.tables.0.tp", 1e309),
    ("a missing cell", F1, "p3", "witness.tables.0.tp", REMOVED),
    ("an unknown cell", F1, "p3", "witness.tables.0", lambda t: t | {"tx": 1}),
    ("a value in the formula's letters", F1, "p3", "witness.values.0", "2*TP/(2*TP + FN + FP)"),
    ("a value that is a number", F1, "p3", "witness.values.0", 0.5),
    (
        "an imaginary value",
        HALF_PLANE,
        "p3",
        "witness",
        {
            "tables": [TABLE | {"fn": 2}, TABLE | {"fn": 2, "fp": 2}],
            "values": ["1 + sqrt(-1)", "2 + sqrt(-1)"],
            "parameters": {},
        },
    ),
    ("a parameter that there is not", F1, "p3", "witness.parameters", {"w": "1"}),
    ("no witness", F1, "p3", "", {"witness": None}),
    ("a witness that is a text", F1, "p3", "", {"witness": "trust me"}),
    ("no tables", F1, "p3", "witness.tables", REMOVED),
    ("a refutation that holds", F1, "p3", "", {"holds": True}),
    ("a refutation of unknown truth", F1, "p3", "", {"holds": None}),
    ("a refutation with a condition", F1, "p3", "", {"condition": "never"}),
    ("a refutation called conditional", F1, "p3", "", {"status": "conditional", "condition": "1 = 2"}),
    (
        "a proof with a witness",
        F1,
        "p2",
        "",
        {"witness": {"tables": [TABLE, TABLE | {"tn": 2}], "values": ["1/2", "1/2"], "parameters": {}}},
    ),
]


@in_one_test
@pytest.mark.parametrize("row", LIES_ABOUT_WITNESSES, ids=title)
def test_lies_about_counterexamples_are_rejected(row: tuple[Any, ...]) -> None:
    _, metric, key, *lie = row
    truth = certificate(metric, key)
    assert accepts(truth, metric)
    assert not accepts(told(truth, *lie), metric)


def test_one_counterexample_does_not_settle_every_parameter() -> None:
    metric = formula("w*TN + TP", "w in [0, 1]")
    found = certificate(metric, "p2")
    lie = found | {"status": "refuted", "holds": False, "condition": None, "certificate": {"kind": "witness"}}
    assert not accepts(lie, metric)


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
TWO = formula("w*v*TN + TP", "w", "v")
SQUARE = formula("(w**2 - 2)*TN", "w")
RIGHT = formula("(w**2 - 2)*TN", "w in [0, oo)")
SLOPE = formula("(w*v - 1)*TN", "w", "v")
SUMS = formula("(w + v)*TN", "w in [0, oo)", "v in [0, oo)")
POLE = formula("TN*w/(w*TP + w*TN) + w*TN", "w in [0, 1]")
ROOT = formula("(2*w - 1)*sqrt(TN)", "w in [0, 1]")
CERTIFIED = [SIMPLE, TWO, SQUARE, RIGHT, SLOPE, SUMS, ROOT]


def excused(data: Data) -> Data:
    """Give the root a right value that has a factor more, above and below, which vanishes at w = 0."""
    names = {atom["base"]: name for name, atom in data["certificate"]["atoms"].items()}
    return changed(
        data,
        "certificate.values",
        [f"(w**2 + w)*{name}**(1/2)/(w*(w + 1))" for base, name in names.items() if "TN" in base],
    )


LIES_ABOUT_CONDITIONS: list[tuple[Any, ...]] = [
    ("too wide", SIMPLE, "", {"condition": "w = 0 or w = 1"}),
    ("too narrow", formula("w*(w - 1)*TN", "w"), "", {"condition": "w = 0"}),
    ("another value", SIMPLE, "", {"condition": "w = 1/2"}),
    ("a value outside the domain", SIMPLE, "", {"condition": "w = 0 or w = 2"}),
    ("always", SIMPLE, "", {"condition": "always", "holds": True, "witness": None}),
    ("never", SIMPLE, "", {"condition": "never"}),
    ("none", SIMPLE, "", {"condition": None}),
    ("none, as a refutation", SIMPLE, "", REFUTED),
    ("as a proof", SIMPLE, "", {"condition": None, "status": "proved", "holds": True, "witness": None}),
    ("negated", SIMPLE, "", {"condition": "w != 0"}),
    ("all but a point", TWO, "", {"condition": "(w = 0 and v != 0) or v = 0"}),
    ("all but a point, twice", TWO, "", {"condition": "(w = 0 and v != 1) or (v = 0 and w != 1)"}),
    ("half of it", TWO, "", {"condition": "w = 0"}),
    ("conjunction for disjunction", TWO, "", {"condition": "w = 0 and v = 0"}),
    ("not solved", SIMPLE, "", {"condition": "2*w = 0"}),
    ("about a cell", SIMPLE, "", {"condition": "TN = 1"}),
    ("about a cell too", SIMPLE, "", {"condition": "w = 0 or (w = 0 and TN = 1)"}),
    ("contradictory", SIMPLE, "", {"condition": "w = 0 or (w = 1/2 and w = 1/3)"}),
    ("unreadable", SIMPLE, "", {"condition": "w <"}),
    ("not a text", SIMPLE, "", {"condition": 0}),
    ("with an unknown name", SIMPLE, "", {"condition": "u = 0"}),
    ("the wrong root", RIGHT, "", {"condition": "w = -sqrt(2)"}),
    ("both roots, one outside the domain", RIGHT, "", {"condition": "w = -sqrt(2) or w = sqrt(2)"}),
    ("one root of two", SQUARE, "", {"condition": "w = sqrt(2)"}),
    ("a root nearby", SQUARE, "", {"condition": "w = -7/5 or w = 7/5"}),
    ("without its pole", SLOPE, "", lambda d: d | {"condition": d["condition"].replace("1/", "2/")}),
    ("true at the default", SIMPLE, "", {"holds": True}),
    ("unknown at the default", SIMPLE, "", {"holds": None}),
    ("false without a default", TWO, "", {"holds": False}),
    ("true without a default", TWO, "", {"holds": True}),
    (
        "a witness away from the default",
        SIMPLE,
        "witness",
        lambda w: w | {"parameters": {"w": "1"}, "values": ["2", "3"]},
    ),
    ("a witness outside the domain", SIMPLE, "witness", lambda w: w | {"parameters": {"w": "2"}, "values": ["3", "5"]}),
    ("a witness without its parameter", SIMPLE, "witness.parameters", {}),
    ("a witness with a parameter too many", SIMPLE, "witness.parameters", lambda p: p | {"v": "1"}),
    ("no witness", SIMPLE, "", {"witness": None}),
    ("no tree", SIMPLE, "certificate.tree", REMOVED),
    ("no examples", SIMPLE, "certificate.examples", REMOVED),
    ("an empty list of examples", SIMPLE, "certificate.examples", []),
    ("an example elsewhere", SIMPLE, "certificate.examples", [{"w": "1"}]),
    ("an example outside the domain", RIGHT, "certificate.examples", [{"w": "-sqrt(2)"}]),
    ("an example without a parameter", TWO, "certificate.examples", [{"w": "0"}, {"v": "0"}]),
    ("a tree that is a leaf", SIMPLE, "certificate.tree", {"leaf": "holds"}),
    ("a tree that is impossible", SIMPLE, "certificate.tree", {"leaf": "impossible"}),
    ("a tree that is covered", SIMPLE, "certificate.tree", {"leaf": "covered"}),
    ("a tree that is undefined", SIMPLE, "certificate.tree", {"leaf": "undefined"}),
    ("a tree that is outside", SIMPLE, "certificate.tree", {"leaf": "outside the domain"}),
    ("a tree of an unknown leaf", SIMPLE, "certificate.tree", {"leaf": "fine"}),
    ("an empty tree", SIMPLE, "certificate.tree", {}),
    ("a tree that is a list", SIMPLE, "certificate.tree", []),
    ("a tree without children", SIMPLE, "certificate.tree.children", []),
    ("a child left out", TWO, "certificate.tree.children", lambda c: c[:1]),
    ("a child left out, and its condition", TWO, "certificate.tree.children", lambda c: c[:1], {"condition": "w = 0"}),
    (
        "another child left out, and its condition",
        TWO,
        "certificate.tree.children",
        lambda c: c[1:],
        {"condition": "v = 0"},
    ),
    ("a split of something else", SIMPLE, "certificate.tree.split", "w - 1"),
    ("a split of zero", SIMPLE, "certificate.tree.split", "0"),
    ("a split of a quotient", SIMPLE, "certificate.tree.split", "1/w"),
    ("a factor of something else", SIMPLE, "certificate.tree.children.0.factor", "w - 2"),
    ("a factor of zero", SIMPLE, "certificate.tree.children.0.factor", "0"),
    ("a factor of one", SIMPLE, "certificate.tree.children.0.factor", "1"),
    ("a root denied", SIMPLE, "certificate.tree.children.0", {"factor": "w", "leaf": "no root in the domain"}, REFUTED),
    (
        "a root put outside",
        SIMPLE,
        "certificate.tree.children.0",
        {"factor": "w", "leaf": "outside the domain"},
        REFUTED,
    ),
    ("a root called covered", SIMPLE, "certificate.tree.children.0", {"factor": "w", "leaf": "covered"}, REFUTED),
    ("a solution called undefined", SIMPLE, "certificate.tree.children.0.then.leaf", "undefined", REFUTED),
    ("a solution called covered", SIMPLE, "certificate.tree.children.0.then.leaf", "covered", REFUTED),
    ("a solution called impossible", SIMPLE, "certificate.tree.children.0.then.leaf", "impossible", REFUTED),
    ("a solution called outside", SIMPLE, "certificate.tree.children.0.then.leaf", "outside the domain", REFUTED),
    ("a wrong assignment", SIMPLE, "certificate.tree.children.0.to", "1"),
    ("an assignment to a cell", SIMPLE, "certificate.tree.children.0.set", "TN"),
    ("an assignment to nothing", SIMPLE, "certificate.tree.children.0.set", "u"),
    ("an assignment without an end", SIMPLE, "certificate.tree.children.0.then", REMOVED),
    (
        "a coefficient that may vanish",
        SLOPE,
        "",
        lambda d: changed(
            d,
            "certificate.tree.children.0",
            {
                "factor": d["certificate"]["tree"]["children"][0]["factor"],
                **d["certificate"]["tree"]["children"][0]["nonzero"],
            },
        ),
    ),
    ("a wrong coefficient", SLOPE, "certificate.tree.children.0.coefficient", "w + v"),
    ("a case of a coefficient left out", SLOPE, "certificate.tree.children.0.zero", REMOVED),
    (
        "a case of a coefficient called covered",
        SLOPE,
        "certificate.tree.children.0.nonzero.then",
        {"leaf": "covered"},
        REFUTED,
    ),
    (
        "terms that may cancel",
        formula("(w + v)*TN", "w", "v"),
        "certificate",
        lambda c: certificate(SUMS, "p2")["certificate"] | {"atoms": c["atoms"]},
        {"condition": "v = 0 and w = 0"},
    ),
    ("a root twice", SQUARE, "certificate.tree.children.0.roots", ["sqrt(2)", "sqrt(2)"], {"condition": "w = sqrt(2)"}),
    (
        "a root twice in other words",
        SQUARE,
        "certificate.tree.children.0.roots",
        ["sqrt(2)", "2/sqrt(2)"],
        {"condition": "w = sqrt(2)"},
    ),
    (
        "a root outside the domain",
        RIGHT,
        "certificate.tree.children.0.roots",
        ["-sqrt(2)"],
        {"condition": "w = -sqrt(2)"},
    ),
    (
        "a root missing",
        SQUARE,
        "",
        lambda d: (
            changed(
                changed(d, "certificate.tree.children.0.roots", ["sqrt(2)"]),
                "certificate.tree.children.0.then",
                [{"leaf": "holds"}],
            )
            | {"condition": "w = sqrt(2)"}
        ),
    ),
    (
        "a wrong root",
        SQUARE,
        "certificate.tree.children.0.roots",
        ["-sqrt(2)", "sqrt(3)"],
        {"condition": "w = -sqrt(2) or w = sqrt(3)"},
    ),
    (
        "a root called undefined",
        SQUARE,
        "certificate.tree.children.0.then",
        [{"leaf": "undefined"}, {"leaf": "holds"}],
        {"condition": "w = sqrt(2)"},
    ),
    ("a root without its leaf", SQUARE, "certificate.tree.children.0.then", [{"leaf": "holds"}]),
    (
        "roots of a parameter that is free",
        TWO,
        "",
        lambda d: changed(
            d,
            "certificate.tree.children.0",
            {"factor": d["certificate"]["tree"]["children"][0]["factor"], "roots": ["v"], "then": [{"leaf": "holds"}]},
        ),
    ),
    ("a factor that excuses a solution", ROOT, "", lambda d: excused(d) | {"condition": "w = 0 or w = 1/2"}),
    (
        "a factor that hides a solution",
        formula("w*sqrt(TN)", "w in [0, 1]"),
        "",
        lambda d: changed(excused(d), "certificate.tree.children.0.then.leaf", "undefined") | REFUTED,
    ),
]


@in_one_test
@pytest.mark.parametrize("row", LIES_ABOUT_CONDITIONS, ids=title)
def test_lies_about_conditions_are_rejected(row: tuple[Any, ...]) -> None:
    _, metric, *lie = row
    truth = accepted(metric, "p2")
    assert truth["status"] == "conditional"
    assert not accepts(told(truth, *lie), metric)


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


# Whole certificates for conditions that are false, as a prover without the safeguards would write them.
ALWAYS_POSITIVE = "TP**2 - TP*FN + FN**2"


def forged(
    metric: sm.Metric, condition: str | None, atoms: Data, values: list[str], tree: Data, witness: Data | None
) -> Data:
    claim = sm.properties["p2"].claim(metric)
    status = "refuted" if condition is None else "conditional"
    return {
        "metric": metric.name,
        "property": "p2",
        "status": status,
        "holds": False if condition is None else None,
        "condition": condition,
        "witness": witness,
        "evidence": "",
        "claim": claim.to_dict(),
        "certificate": {
            "kind": "conditions",
            "atoms": atoms,
            "values": values,
            "tree": tree,
            "examples": [{"w": "0", "v": "0"}],
        },
    }


def vanishing(name: str) -> Data:
    return {"split": name, "children": [{"factor": name, "set": name, "to": "0", "then": {"leaf": "holds"}}]}


def test_an_absolute_value_that_never_changes_its_sign_is_no_atom_of_its_own() -> None:
    metric = formula(f"w*TN*(Abs({ALWAYS_POSITIVE}) - v*({ALWAYS_POSITIVE}))", "w", "v")  # holds for w = 0 or v = 1
    witness = {
        "tables": [TABLE, TABLE | {"tn": 2}],
        "values": ["1", "2"],
        "parameters": {"w": "1", "v": "0"},
    }
    atoms = {"atom0": {"kind": "power", "base": ALWAYS_POSITIVE}}
    assert not accepts(forged(metric, "w = 0", atoms, ["atom0"], vanishing("w"), witness), metric)


def test_signs_of_absolute_values_may_depend_on_each_other() -> None:
    # TP - FN < 0 leaves TP - FN - 1 > 0 no room, so that the product is zero whatever w is.
    metric = formula("w*TN*(Abs(TP - FN) - (TP - FN))*(Abs(TP - FN - 1) + (TP - FN - 1)) + v*TN", "w", "v")
    witness = {
        "tables": [TABLE, TABLE | {"tn": 2}],
        "values": ["1", "2"],
        "parameters": {"w": "1", "v": "1"},
    }
    atoms = {"atom0": {"kind": "power", "base": "TP - FN"}, "atom1": {"kind": "power", "base": "TP - FN - 1"}}
    then = {"split": "v", "children": [{"factor": "v", "set": "v", "to": "0", "then": {"leaf": "holds"}}]}
    tree = {"split": "w", "children": [{"factor": "w", "set": "w", "to": "0", "then": then}]}
    assert not accepts(forged(metric, "v = 0 and w = 0", atoms, ["atom0", "atom1"], tree, witness), metric)


def test_roots_confine_the_domain() -> None:
    metric = formula("w*TN*(Abs(TP - FN) - (TP - FN)) + sqrt(TP - FN) + v*TN", "w", "v")
    witness = {
        "tables": [TABLE, TABLE | {"tn": 2}],
        "values": ["1", "2"],
        "parameters": {"w": "1", "v": "1"},
    }
    atoms = {"atom0": {"kind": "power", "base": "TP - FN"}}
    then = {"split": "v", "children": [{"factor": "v", "set": "v", "to": "0", "then": {"leaf": "holds"}}]}
    tree = {"split": "w", "children": [{"factor": "w", "set": "w", "to": "0", "then": then}]}
    values = ["atom0", "atom0**(1/2)"]
    assert not accepts(forged(metric, "v = 0 and w = 0", atoms, values, tree, witness), metric)


def test_parameters_can_be_irrational() -> None:
    metric = formula("(w - v*sqrt(2))*TN", "w", "v")  # holds for w = sqrt(2), v = 1 too
    witness = {
        "tables": [TABLE, TABLE | {"tn": 2}],
        "values": ["1", "2"],
        "parameters": {"w": "1", "v": "0"},
    }
    atoms = {"atom0": {"kind": "power", "base": "2"}}
    then = {"split": "v", "children": [{"factor": "v", "set": "v", "to": "0", "then": {"leaf": "holds"}}]}
    tree = {"split": "w", "children": [{"factor": "w", "set": "w", "to": "0", "then": then}]}
    assert not accepts(forged(metric, "v = 0 and w = 0", atoms, ["atom0**(1/2)"], tree, witness), metric)


def test_an_interval_of_one_point_leaves_nothing_outside_the_condition() -> None:
    metric = formula("(w - 1/2)*TN + TP", "w in [1/2, 1/2]")
    tree = {"split": "w - 1/2", "children": [{"factor": "w - 1/2", "set": "w", "to": "1/2", "then": {"leaf": "holds"}}]}
    data = forged(metric, "w = 1/2", {}, [], tree, None)
    data["certificate"]["examples"] = [{"w": "1/2"}]
    assert not accepts(data, metric)


@in_one_test
@pytest.mark.parametrize(
    "atoms",
    [
        {"atom0": {"kind": "power", "base": "(TP + FN)**2"}},
        {"atom0": {"kind": "power", "base": "TP + FN"}, "atom1": {"kind": "power", "base": "(TP + FN)"}},
        {"atom0": {"kind": "power", "base": "TP + FN"}, "atom1": {"kind": "power", "base": "2*TP + 2*FN"}},
        {"atom0": {"kind": "power", "base": "-TP - FN"}},
        {"atom0": {"kind": "power", "base": "4*TP + 4*FN"}},
    ],
)
def test_atoms_that_are_not_independent(atoms: Data) -> None:
    """The difference is the zero function for w = 1; written in dependent atoms it is not the zero polynomial."""
    metric = formula("w*TN*sqrt(TP + FN) - TN*sqrt(TP + FN)", "w")
    truth = certificate(metric, "p2")
    assert truth["condition"] == "w = 1"
    values = [f"{name}**(1/2)" for name in atoms]
    tree = {"leaf": "impossible"}
    for kind in ("impossible", "covered", "undefined", "outside the domain"):
        lie = truth | {"status": "refuted", "holds": False, "condition": None}
        lie["certificate"] = lie["certificate"] | {"atoms": atoms, "values": values, "tree": tree | {"leaf": kind}}
        assert not accepts(lie, metric)


# -- the envelope ----------------------------------------------------------------------------------------------------

WRONG = [None, True, False, 0, -1, 1.5, 10**400, "", "x", "\x00", [], [[]], {}, {"a": 1}]


@in_one_test
@pytest.mark.parametrize(
    "key", ["metric", "property", "status", "holds", "condition", "witness", "evidence", "claim", "certificate"]
)
def test_missing_keys_and_wrong_types(key: str) -> None:
    for metric, name in ((SIMPLE, "p2"), (ROOTS, "p1"), (F1, "p3")):
        truth = certificate(metric, name)
        assert not accepts(removed(truth, key), metric)
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


def test_an_open_verdict_asserts_nothing_but_what_holds_at_the_defaults() -> None:
    metric = formula("sqrt(w)*TN + TP", "w in [0, 1] = 1/2")
    truth = certificate(metric, "p2")
    assert (truth["status"], truth["holds"]) == ("open", False)
    assert accepts(truth, metric)
    assert not accepts(truth | {"holds": True}, metric)
    assert not accepts(truth | {"holds": None}, metric)
    assert not accepts(truth | {"condition": "w = 0"}, metric)
    assert not accepts(changed(truth, "witness.values.0", "7"), metric)


@pytest.mark.thorough
def test_a_tree_without_end() -> None:
    verdict = sm.prove(SIMPLE, "p2")
    tree: Data = {"leaf": "holds"}
    for _ in range(100_000):
        tree = {"split": "w", "children": [{"factor": "w", "terms": True, "then": tree}]}
    evidence = replace(verdict.evidence, data={**verdict.evidence.data, "tree": tree})
    with pytest.raises(CertificateError):
        check_evidence(replace(verdict, evidence=evidence))


def test_claims_whose_names_clash() -> None:
    data = certificate(SIMPLE, "p2")
    for auxiliary in (["w"], ["TP"], ["pi"], ["other_TN", "other_TN"], ["a b"]):
        lie = changed(data, "claim.auxiliary", auxiliary) | {"metric": "unknown", "property": "unknown"}
        assert not accepts(lie)


def test_large_certificates_end_soon() -> None:
    truth = certificate(ROOTS, "p2")
    deep: Data = {"leaf": "holds"}
    for _ in range(150):
        deep = {"split": "w", "children": [{"factor": "w", "terms": True, "then": deep}]}
    power = "((TP + FN)**100)**100"
    lies = [
        (changed(truth, "certificate.values.0", f"{power} + atom0"), ROOTS),
        (
            changed(truth, "certificate.values.0", "((TP + FN + FP + TN + 1)**60)*((TP + FN + FP + 2*TN + 1)**60)"),
            ROOTS,
        ),
        (changed(truth, "certificate.values.0", "atom0**(1/1000003)"), ROOTS),
        (changed(truth, "certificate.values.0", "+".join(["TP"] * 100_000)), ROOTS),
        (changed(truth, "certificate.values.0", "(" * 1000 + "TP" + ")" * 1000), ROOTS),
        (changed(truth, "certificate.values", ["TP"] * 2000), ROOTS),
        (changed(truth, "certificate.values", lambda v: [f"({power} + 1)*({x})/({power} + 2)" for x in v]), ROOTS),
        (changed(truth, "certificate.atoms.atom0.base", power), ROOTS),
        (
            changed(
                truth, "certificate.atoms", {f"atom{k}": {"kind": "power", "base": f"TP + {k}"} for k in range(1, 400)}
            ),
            ROOTS,
        ),
        (changed(certificate(SIMPLE, "p2"), "certificate.tree", deep), SIMPLE),
        (changed(certificate(SIMPLE, "p2"), "certificate.tree.split", "w**100"), SIMPLE),
        (changed(certificate(SIMPLE, "p2"), "condition", " or ".join(f"w = {k}" for k in range(3000))), SIMPLE),
    ]
    for lie, metric in some(lies, 3):
        assert not accepts(lie, metric)


# -- every leaf of real certificates ---------------------------------------------------------------------------------

MUTATED: list[tuple[sm.Metric, str]] = [
    (sm.metrics["cwa"], "p1"),
    (sm.metrics["gmean"], "p1"),
    (sm.metrics["mcc"], "p1"),
    (sm.metrics["f1"], "p3"),
    (formula("Abs(TP - TN)*log(TP*TN) + Max(TP, TN)"), "p1"),
    *((metric, "p2") for metric in CERTIFIED),
    (formula("((w**2 - 2)*v - 1)*TN + (w**2 - 2)*(v - 3)*TN**2", "w in [0, 5]", "v"), "p2"),
    (formula("w1*TP/(TP + FN) + w2*TN/(TN + FP) + w3*FN", *(f"w{k} in [0, oo)" for k in (1, 2, 3))), "p1"),
]

# Words for people.  "metric" and "property" are names: where the library has them, or the caller passes the metric, the
# claim is rebuilt from them and compared; a property that the library does not have only gives the claim a name.
PROSE = {("evidence",), ("value",), ("property",)}


def leaves(value: Any, *path: Any) -> Iterator[tuple[Any, ...]]:
    if isinstance(value, dict | list) and value:
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from leaves(value[key], *path, key)
    else:
        yield path


MAX_LEAVES = 90


def mutations(value: Any, random: Random) -> list[Any]:
    plain = [
        None,
        True,
        0,
        -1,
        "",
        "0",
        "1",
        "TP",
        "w",
        [],
        {},
        0.5,
        "atom0",
        "holds",
        "covered",
        "undefined",
        "impossible",
    ]
    if isinstance(value, bool):
        near: list[Any] = [not value]
    elif isinstance(value, int):
        near = [value + 1, value - 1, -value, 2 * value, str(value) + "/2"]
    elif isinstance(value, str):
        near = [
            f"({value}) + 1",
            f"-({value})",
            f"2*({value})",
            value[:-1],
            value.replace("1", "2"),
            value.replace("TP", "FN"),
            value.replace("TN", "FP"),
            value.replace("+", "-"),
            value.replace("w", "v"),
            value.replace("=", "!="),
        ]
    else:
        near = []
    chosen = [*random.sample(near, min(len(near), 3)), random.choice(plain)]
    return [new for new in chosen if type(new) is not type(value) or new != value]


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("metric", "key"), MUTATED, ids=[f"{key} of {metric.expr}"[:60] for metric, key in MUTATED])
def test_a_changed_leaf_is_rejected_or_changes_nothing_that_is_asserted(metric: sm.Metric, key: str) -> None:
    truth = certificate(metric, key)
    verdict = Verdict.from_certificate(truth)
    asserted = (verdict.claim, verdict.status, verdict.holds, verdict.condition, verdict.witness, verdict.metric)
    random = Random(str(metric.expr) + key)
    tried = rejected = 0
    paths = list(leaves(truth))
    for path in random.sample(paths, min(len(paths), MAX_LEAVES)):
        value: Any = truth
        for step in path:
            value = value[step]
        for new in mutations(value, random):
            lie = changed(truth, ".".join(map(str, path)), new)
            tried += 1
            if not accepts(lie, metric):
                rejected += 1
                continue
            other = Verdict.from_certificate(lie)
            same = (other.claim, other.status, other.holds, other.condition, other.witness, other.metric) == asserted
            assert same, (path, value, new)
            assert path in PROSE or path[0] == "certificate" or _says_the_same(path, value, new), (path, value, new)
    assert rejected >= tried / 2


def _says_the_same(path: tuple[Any, ...], value: Any, new: Any) -> bool:
    """Whether a text was only written in another way, such as 1 and "1": what was read from it is the same."""
    return path[0] in ("condition", "witness", "claim") and type(value) is not type(None) and new is not None


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
