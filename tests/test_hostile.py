"""Evidence made up to be accepted for what is false: ``docs/hostile_review.md`` says what each test is about."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from effort import in_one_test, some
from forging import reworded, valued
from sympy import Expr, Integer, S

import symmetrics as sm
from symmetrics.algebra.pieces import smooth_pieces
from symmetrics.checker import check as check_evidence
from symmetrics.claims import Claim, Inequality, StrictInequality
from symmetrics.claims.verdict import Counts, Evidence, Verdict, Witness
from symmetrics.language.cells import CELLS
from symmetrics.language.formula import parse_formula
from symmetrics.language.parameter import Parameter

Data = dict[str, Any]
VALUE = parse_formula("value0", ["value0"])
POSITIVE = {"positive": True}


def metric(text: str, *declarations: str) -> sm.Metric:
    parameters = tuple(Parameter.parse(declaration) for declaration in declarations)
    return sm.Metric("own", parse_formula(text, [parameter.name for parameter in parameters]), parameters)


def is_accepted(verdict: Verdict | None) -> bool:
    """Whether the checker takes a verdict, as an object or as it comes back from its text."""
    if verdict is None:
        return False
    accepted = []
    for read in (lambda: verdict, lambda: Verdict.from_json(verdict.to_json())):
        try:
            # A statement that no property makes has no name that could be rebuilt.
            (check_evidence if verdict.property == "own" else sm.check)(read())
        except sm.CertificateError:
            continue
        accepted.append(read)
    return bool(accepted)


def proof(subject: sm.Metric, key: str, data: Data, claim: Claim | None = None) -> Verdict | None:
    """Return the verdict that a statement is proved, with evidence made by hand; None if it is spelled like none."""
    kind = data.get("kind", "sign")
    try:
        evidence = Evidence(kind, {name: value for name, value in data.items() if name != "kind"})
    except sm.CertificateError:
        return None
    return Verdict("own", key, claim or sm.properties[key].claim(subject), "proved", True, evidence)


def nonnegative(subject: sm.Metric, *, strict: bool = False) -> Claim:
    """Return the claim that a formula is nowhere negative, or positive."""
    family = StrictInequality if strict else Inequality
    return family(subject.expr, subject.parameters, (CELLS,), relation=VALUE)


def piece(numerator: str, *, denominator: Any = (), **more: Any) -> Data:
    return {"atoms": {}, "values": [], "numerator": numerator, "denominator": list(denominator)} | more


def difference(*pieces: Data) -> Data:
    return {"rule": "difference", "pieces": list(pieces)}


def derivative(*pieces: Data) -> Data:
    return {"rule": "derivative", "pieces": list(pieces)}


def pieces_of(expression: Expr, record: Data) -> list[Data]:
    """Return a record for each piece of a formula: the given one where it is not zero."""
    return [piece("0") if part.formula == 0 else record for part in smooth_pieces(expression)]


# -- signs -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "kind", "base", "name"),
    [
        ("sqrt(w)*TP", "power", "w", "r**(1/2)"),
        ("log(1 + w)*TP", "log", "w+1", "r"),
        ("sqrt(1 - w)*TP", "power", "1-w", "r**(1/2)"),
    ],
)
def test_a_root_or_logarithm_that_vanishes_at_the_end_of_a_domain_is_not_positive(text, kind, base, name):
    own = metric(text, "w in [0, 1]")
    record = piece(name, atoms={"r": {"kind": kind, "base": base}}, values=[name], subject=[f"{name}*TP", [], {}])
    assert not is_accepted(proof(own, "increasing_tp", derivative(record | {"tree": POSITIVE})))
    thresholds = {"kind": "coefficients", "zero": "never", "examples": []}
    for tree in ({"leaf": "impossible"}, {"leaf": "holds"}):
        data = thresholds | {"tree": tree} | derivative(record)
        assert not is_accepted(proof(own, "increasing_tp", data))


@pytest.mark.parametrize(
    ("text", "outer", "base", "value"),
    [
        ("log(1 + sqrt(TP - TN))", "log", "1+r**(1/2)", "s"),
        ("(TP - TN)**(1/4)", "power", "r**(1/2)", "s**(1/2)"),
    ],
)
def test_what_is_made_of_a_root_that_vanishes_inside_the_domain_is_not_positive(text, outer, base, value):
    own = metric(text)
    atoms = {"r": {"kind": "power", "base": "TP-TN"}, "s": {"kind": outer, "base": base}}
    record = piece(value, atoms=atoms, values=["r**(1/2)", value], tree=POSITIVE)
    assert not is_accepted(proof(own, "own", difference(record), nonnegative(own, strict=True)))


def test_a_condition_is_not_used_for_a_variable_inside_its_own_roots():
    # TP - 7/10 is negative at TP = 3/5, where (1 + sqrt(TP))*TP > 1.
    own = metric("Max((1 + sqrt(TP))*TP - 1, 0)/((1 + sqrt(TP))*TP - 1)*(TP - 7/10)")
    tree = {"given": 0, "variable": "TP", "then": {"root": "r", "plain": POSITIVE, "norm": POSITIVE}}
    record = piece("10*TP + (-7)", denominator=[["10", 1]], tree=tree)
    record |= {"atoms": {"r": {"kind": "power", "base": "TP"}}, "values": ["r**(1/2)"]}
    record["given"] = ["1*TP*r**(1/2) + 1*TP + (-1)"]
    claim = nonnegative(own)
    assert not is_accepted(proof(own, "own", difference(*pieces_of(claim.difference, record)), claim))


def test_a_logarithm_of_a_ratio_is_one_of_two_logarithms():
    # log(TP + 2) < sqrt(TP + 1) for large TP.
    own = metric("log(TP + 2) - sqrt(TP + 1)")
    atoms = {"L": {"kind": "log", "base": "TP+2"}, "r": {"kind": "power", "base": "TP+1"}}
    record = piece("1*L", atoms=atoms, values=["L", "r**(1/2)"], chains={"L": "r"}, tree=POSITIVE)
    assert not is_accepted(proof(own, "own", difference(record), nonnegative(own, strict=True)))
    for chains in ({"L": "TP"}, {"L": "L"}, {"r": "L"}, {"L": "nothing"}):
        altered = difference(record | {"chains": chains})
        assert not is_accepted(proof(own, "own", altered, nonnegative(own, strict=True)))


def test_a_condition_on_a_logarithm_is_none_on_that_of_a_ratio():
    # log(TP + 3) >= 1 everywhere, but log((TP + 3)/(TP + 2)) < 1.
    own = metric("(log(TP + 3) - log(TP + 2) - 1)*Max(log(TP + 3) - 1, 0)/(log(TP + 3) - 1)")
    atoms = {"L": {"kind": "log", "base": "TP+3"}, "K": {"kind": "log", "base": "TP+2"}}
    record = piece("1*L + (-1)", atoms=atoms, values=["L", "K"], chains={"L": "K"}, given=["1*L + (-1)"])
    claim = nonnegative(own)
    data = difference(*pieces_of(claim.difference, record | {"tree": {"itself": 0}}))
    assert not is_accepted(proof(own, "own", data, claim))


@pytest.mark.parametrize(
    ("text", "declarations", "atoms", "values"),
    [
        ("log(1 + w*TP)", ("w in [0, 1]",), {"L": {"kind": "log", "base": "1+w*TP"}}, ["L"]),
        (
            "log(1 + sqrt(TP - TN))",
            (),
            {"r": {"kind": "power", "base": "TP-TN"}, "L": {"kind": "log", "base": "1+r**(1/2)"}},
            ["r**(1/2)", "L"],
        ),
    ],
)
def test_a_pair_of_logarithms_may_be_equal(text, declarations, atoms, values):
    own = metric(text, *declarations)
    record = piece("1*L", atoms=atoms, values=values)
    for tree in (
        {"pairs": [["L", None, "1"]], "rest": {"zero": True}},
        {"pairs": [["L", None, "2"]], "rest": {"positive": True}},
        {"pairs": [["L", None, "(-1)"]], "rest": {"zero": True}},
        {"pairs": [], "rest": {"zero": True}},
        {"bounds": {"L": {"sign": 1, "proof": POSITIVE}}, "then": POSITIVE},
        {"tangents": POSITIVE},
    ):
        data = difference(record | {"tree": tree})
        assert not is_accepted(proof(own, "own", data, nonnegative(own, strict=True)))


@in_one_test
@pytest.mark.parametrize(
    "tree",
    [
        POSITIVE,
        {"zero": True},
        {"factors": []},
        {"factors": [{"factor": "1*FN + (-1)*FP", "power": 2, "sign": 1, "proof": POSITIVE}]},
        {"factors": [{"factor": "1*FN + (-1)*FP", "power": 1, "sign": 1, "proof": {"square": True}}]},
        {"factors": [{"factor": "1*FN + 1*FP", "power": 2, "sign": 1, "proof": POSITIVE}]},
        {"factors": [{"factor": "1*FN**2 + (-2)*FN*FP + 1*FP**2", "power": 1, "sign": 1, "proof": POSITIVE}]},
        {"cut": ["FN", "FP"], "first": {"zero": True}, "second": POSITIVE},
        {"cut": ["FN", "FN"], "first": POSITIVE, "second": POSITIVE},
        {"cut": ["FN", "TP"], "first": POSITIVE, "second": POSITIVE},
        {"cut": ["FN", "pi"], "first": POSITIVE, "second": POSITIVE},
        {"itself": 0},
        {"itself": -1},
        {"given": 0, "variable": "FN", "then": POSITIVE},
        {"empty": 0},
        {"flat": [0, 0]},
        {"root": "r", "plain": POSITIVE, "norm": POSITIVE},
        {"bounds": {}, "then": POSITIVE},
        {"guess": True},
        {},
    ],
)
def test_no_tree_proves_that_a_square_is_strictly_positive(tree):
    own = metric("TP*(FN - FP)**2")
    record = piece("1*FN**2 + (-2)*FN*FP + 1*FP**2", subject=["1*TP*FN**2 + (-2)*TP*FN*FP + 1*TP*FP**2", [], {}])
    assert not is_accepted(proof(own, "increasing_tp", derivative(record | {"tree": tree})))


def test_a_square_is_nowhere_negative_and_a_cut_says_no_more():
    own = metric("(FN - FP)**2")
    numerator = "1*FN**2 + (-2)*FN*FP + 1*FP**2"
    square = {"factors": [{"factor": "1*FN + (-1)*FP", "power": 2, "sign": 1, "proof": {"square": True}}]}
    cut = {"cut": ["FN", "FP"], "first": POSITIVE, "second": POSITIVE}
    for tree in (square, cut):
        record = piece(numerator, tree=tree)
        assert is_accepted(proof(own, "own", difference(record), nonnegative(own)))
        assert not is_accepted(proof(own, "own", difference(record), nonnegative(own, strict=True)))


def test_a_numerator_without_a_tree_is_not_positive():
    own = metric("TP/(TP + FN)")
    record = piece("1*FN", denominator=[["1*TP + 1*FN", 2]], subject=["1*TP", [["1*TP + 1*FN", 1]], {}])
    assert is_accepted(proof(own, "increasing_tp", derivative(record | {"tree": POSITIVE})))
    assert not is_accepted(proof(own, "increasing_tp", derivative(record)))


@pytest.mark.parametrize("key", ["increasing_tn", "decreasing_fn", "decreasing_fp", "agreement_increases"])
def test_a_proof_along_one_step_is_none_along_another(key):
    own = metric("TP/(TP + FN) - TN")
    data = dict(sm.prove(own, "increasing_tp").evidence.data)
    assert is_accepted(proof(own, "increasing_tp", data))
    assert not is_accepted(proof(own, key, data))


@pytest.mark.parametrize(
    "text",
    [
        "TP - Abs(TP - TN)/(TP - TN)",
        "TP - (Max(TP, TN) - TN)/(TP - TN)",
        "TP + Min(0, TP - TN)/(TP - TN)",
        "TP/1000 - Abs(TP - 3*TN)/(TP - 3*TN)",
    ],
)
def test_a_derivative_says_nothing_about_a_formula_that_jumps(text):
    own = metric(text)
    records = []
    for part in smooth_pieces(own.expr):
        numerator, scale = (part.formula * 1000).expand(), 1000
        terms = " + ".join(f"{_integer(term)}" for term in numerator.as_ordered_terms())
        slope = str(numerator.diff(CELLS[0]))
        records.append(
            piece(slope, denominator=[[str(scale), 1]], subject=[terms, [[str(scale), 1]], {}], tree=POSITIVE)
        )
    assert not is_accepted(proof(own, "increasing_tp", derivative(*records)))
    assert sm.prove(own, "increasing_tp").status == "refuted"


def _integer(term: Expr) -> str:
    coefficient, rest = term.as_coeff_Mul()
    return f"({coefficient})" if rest == 1 else f"({coefficient})*{rest}"


def test_a_derivative_says_nothing_about_a_formula_with_a_pole():
    # The derivative of -1/(TP - TN) is 1/(TP - TN)**2.
    own = metric("-1/(TP - TN)")
    for bases in ([["1*TP + (-1)*TN", 1]], [["1*TP + (-1)*TN", 2]]):
        for top in ("(-1)", "(-1)*TP + 1*TN"):
            record = piece("1", denominator=[["1*TP + (-1)*TN", 2]], subject=[top, bases, {}], tree=POSITIVE)
            assert not is_accepted(proof(own, "increasing_tp", derivative(record)))


def test_a_denominator_that_may_be_negative_is_refused():
    own = metric("TP/(TP - TN)")
    claim = nonnegative(own)
    record = piece("1*TP", denominator=[["1*TP + (-1)*TN", 1]], tree=POSITIVE)
    assert not is_accepted(proof(own, "own", difference(record), claim))
    squared = piece("1*TP**2 + (-1)*TP*TN", denominator=[["1*TP + (-1)*TN", 2]], tree=POSITIVE)
    assert not is_accepted(proof(own, "own", difference(squared), claim))
    for power in (0, -1, 1.0, True, "1", 1000):
        record = piece("1*TP", denominator=[["1*TP + (-1)*TN", power]], tree=POSITIVE)
        assert not is_accepted(proof(own, "own", difference(record), claim))


def test_a_missing_piece_is_noticed():
    own = metric("Max(TP, TN) + TP")
    data = copy.deepcopy(dict(sm.prove(own, "increasing_tp").evidence.data))
    assert len(data["pieces"]) == 2
    for pieces in (data["pieces"][:1], data["pieces"][1:], data["pieces"][:1] * 2, []):
        assert not is_accepted(proof(own, "increasing_tp", data | {"pieces": pieces}))


def test_a_condition_of_another_piece_is_not_given():
    own = metric("Max(TP - TN, TN - TP)")
    claim = nonnegative(own)
    parts = smooth_pieces(claim.difference)
    good, bad = [], []
    for part in parts:
        (numerator,) = [str(part.formula).replace("-", "+ (-1)*").strip("+ ")]
        texts = ["1*TP + (-1)*TN", "(-1)*TP + 1*TN"]
        first, second = texts if part.formula.coeff(CELLS[0]) == 1 else texts[::-1]
        good.append(piece(first, given=[first], tree={"itself": 0}))
        bad.append(piece(first, given=[first, second], tree={"itself": 0}))
        assert numerator
    assert is_accepted(proof(own, "own", difference(*good), claim))
    assert not is_accepted(proof(own, "own", difference(*bad), claim))
    mixed = [record | {"given": other["given"]} for record, other in zip(good, good[::-1], strict=True)]
    assert not is_accepted(proof(own, "own", difference(*mixed), claim))


SQUARE = {"factor": "1*FN + (-1)*FP", "power": 2, "sign": 1, "proof": {"square": True}}
EQUAL = "1*FN**2 + (-2)*FN*FP + 1*FP**2"


@in_one_test
@pytest.mark.parametrize(
    ("text", "numerator", "tree"),
    [
        ("(FN - FP)**2", EQUAL, {"factors": [SQUARE]}),
        (
            "TP*(FN - FP)**2",
            "1*TP*FN**2 + (-2)*TP*FN*FP + 1*TP*FP**2",
            {"factors": [SQUARE, {"factor": "1*TP", "power": 1, "sign": 1, "proof": POSITIVE}]},
        ),
        ("(FN - FP)**2", EQUAL, {"quadratic": "FN", "parts": [POSITIVE, {"zero": True}]}),
        ("(FN - FP)**2", EQUAL, {"peeled": "TP", "parts": [{"factors": [SQUARE]}, {"zero": True}]}),
        (
            "(2*FN - FP)**2",
            "4*FN**2 + (-4)*FN*FP + 1*FP**2",
            {"cut": ["FN", "FP"], "first": POSITIVE, "second": {"factors": [SQUARE]}},
        ),
        (
            "(FN - 2*FP)**2",
            "1*FN**2 + (-4)*FN*FP + 4*FP**2",
            {"cut": ["FN", "FP"], "first": {"factors": [SQUARE]}, "second": POSITIVE},
        ),
    ],
)
def test_what_is_zero_somewhere_is_not_strictly_positive(text, numerator, tree):
    own = metric(text)
    evidence = difference(piece(numerator, tree=tree))
    assert is_accepted(proof(own, "own", evidence, nonnegative(own)))
    assert not is_accepted(proof(own, "own", evidence, nonnegative(own, strict=True)))


@in_one_test
@pytest.mark.parametrize(
    ("factor", "tree"),
    [
        ("", {"itself": 0}),
        ("", {"combination": [[0, "1"]]}),
        ("", {"given": 0, "variable": "{}", "then": POSITIVE}),
        ("", {"given": 0, "variable": "{}", "then": {"peeled": "{}", "parts": [{"zero": True}, POSITIVE]}}),
        ("TP*", {"times": 0, "then": POSITIVE}),
    ],
)
def test_what_is_given_may_be_zero(factor, tree):
    """The formula is zero where TP = TN, at the end of either piece."""
    own = metric(f"{factor}Max(TP - TN, TN - TP)")
    records = []
    for part in smooth_pieces(nonnegative(own).difference):
        larger, smaller = ("TP", "TN") if part.formula.xreplace({CELLS[0]: 3, CELLS[3]: 1}) > 0 else ("TN", "TP")
        here = json.loads(json.dumps(tree).replace("{}", larger))
        numerator = f"1*{factor}{larger} + (-1)*{factor}{smaller}"
        records.append(piece(numerator, given=[f"1*{larger} + (-1)*{smaller}"], tree=here))
    assert is_accepted(proof(own, "own", difference(*records), nonnegative(own)))
    assert not is_accepted(proof(own, "own", difference(*records), nonnegative(own, strict=True)))


def test_a_root_is_not_negative():
    own = metric("-sqrt(TP)")
    for value in ("-r**(1/2)", "r**(1/2)"):
        record = piece("1*r**(1/2)", atoms={"r": {"kind": "power", "base": "TP"}}, values=[value], tree=POSITIVE)
        assert not is_accepted(proof(own, "own", difference(record), nonnegative(own)))


def test_a_rule_for_steps_is_not_used_elsewhere():
    own = metric("TP - 1")
    record = piece("1", subject=["1*TP + (-1)", [], {}], tree=POSITIVE)
    assert not is_accepted(proof(own, "own", derivative(record), nonnegative(own)))
    assert not is_accepted(proof(own, "own", {"rule": "guess", "pieces": [record]}, nonnegative(own)))


# -- counterexamples ------------------------------------------------------------------------------------------------


def test_a_table_at_which_the_formula_has_no_value_is_no_counterexample():
    # Divided by log(6) - log(2) - log(3), a zero that no simplification shows; elsewhere the formula is TN.
    own = metric("TN*(FP - 1)/(log(TP*FN) - log(TP) - log(FN) + FP - 1)")
    claim = sm.properties["increasing_tn"].claim(own)
    witness = Witness((Counts(2, 3, 1, 1), Counts(2, 3, 1, 2)), (S.Zero, S.Zero), {})
    verdict = Verdict("own", "increasing_tn", claim, "refuted", False, Evidence("witness"), witness=witness)
    assert not is_accepted(verdict)
    assert sm.prove(own, "increasing_tn").status == "proved"


def test_a_fall_that_is_none_is_no_counterexample():
    own = metric("TP/(TP + FN)")
    claim = sm.properties["increasing_tp"].claim(own)
    for tables in ((Counts(2, 1, 1, 1), Counts(1, 1, 1, 1)), (Counts(1, 1, 1, 1), Counts(2, 1, 1, 1))):
        values = tuple(Integer(table.tp) / (table.tp + table.fn) for table in tables)
        for shown in (values, values[::-1], (values[0], values[0])):
            witness = Witness(tables, shown, {})
            evidence = Evidence("witness")
            assert not is_accepted(Verdict("own", "increasing_tp", claim, "refuted", False, evidence, witness=witness))


# -- thresholds ------------------------------------------------------------------------------------------------------


@in_one_test
@pytest.mark.parametrize("condition", ["w > 0", "w >= 0", "w < 0", "w <= 1/2", "w != 0", "w = 0", "always", "never"])
def test_another_threshold_is_rejected(condition):
    data = sm.prove(metric("(TP + w*TN)/(TP + FN)", "w in [-1, 1]"), "increasing_tp").certificate()
    assert data["condition"] == "w <= 0"
    assert not _passes(data | {"condition": condition})


@in_one_test
@pytest.mark.parametrize(
    ("place", "changes"),
    [
        (0, {"upper": "1/2"}),
        (0, {"lower": "0"}),
        (1, {"lower": "-1/2", "upper": "-1/2"}),
        (2, {"lower": "1/2"}),
        (2, {"fails": None}),
        (0, {"fails": {"TN": 1}}),
        (2, {"fails": {"TN": -1}}),
        (2, {"fails": {"w": 1}}),
        (2, {"fails": "zero"}),
        (2, {"upper": "oo"}),
    ],
)
def test_an_altered_interval_is_rejected(place, changes):
    data = sm.prove(metric("(TP + w*TN)/(TP + FN)", "w in [-1, 1]"), "increasing_tp").certificate()
    intervals = copy.deepcopy(data["certificate"]["intervals"])
    assert len(intervals) >= 2
    intervals[min(place, len(intervals) - 1)] |= changes
    altered = copy.deepcopy(data)
    altered["certificate"]["intervals"] = intervals
    assert intervals == data["certificate"]["intervals"] or not _passes(altered)


def test_intervals_that_leave_a_gap_are_rejected():
    data = sm.prove(metric("(TP + w*TN)/(TP + FN)", "w in [-1, 1]"), "increasing_tp").certificate()
    intervals = data["certificate"]["intervals"]
    for place in range(len(intervals)):
        altered = copy.deepcopy(data)
        altered["certificate"]["intervals"].pop(place)
        assert not _passes(altered)
    altered = copy.deepcopy(data)
    altered["certificate"]["intervals"].reverse()
    assert not _passes(altered)


def test_where_no_coefficient_is_positive_is_not_made_up():
    data = sm.prove(metric("(w + v)*TP", "w in [0, 1]", "v in [0, 1]"), "increasing_tp").certificate()
    assert data["status"] == "conditional"
    for zero in ("never", "w = 0", "v = 0", "w = 0 or v = 0", "w = v", "always"):
        altered = copy.deepcopy(data)
        altered["certificate"]["zero"] = zero
        assert not _passes(altered)
        altered["condition"] = {"never": "always", "w = 0": "w != 0", "v = 0": "v != 0"}.get(zero, "w != v")
        assert not _passes(altered)


# -- every leaf, and every exchange ----------------------------------------------------------------------------------

CASES: list[tuple[str, tuple[str, ...], str]] = [
    ("TP/(TP + FN)", (), "increasing_tp"),
    ("TP*(FN**2 + FP**2 - FN*FP)", (), "increasing_tp"),
    ("(TP - FN)**3 + TP", (), "increasing_tp"),
    ("TP/sqrt((TP + FN)*(TP + FP))", (), "increasing_tp"),
    ("sqrt(TP + 1) + sqrt(TP) + TN", (), "strongly_monotone"),
    ("Max(TP, TN) + TP", (), "increasing_tp"),
    ("Min(TP/(TP + FN), TP/(TP + FP))", (), "increasing_tp"),
    ("log(TP + FN + 1)/log(TP + FN + FP + 2)", (), "decreasing_fp"),
    ("(TP + TN)/(TP + FN + FP + TN)", (), "monotone"),
    ("(TP + w*TN)/(TP + FN)", ("w in [-1, 1]",), "increasing_tp"),
    ("(w - 1/4)*(3/4 - w)*TP", ("w in [0, 1]",), "increasing_tp"),
    ("(w + v)*TP", ("w in [0, 1]", "v in [0, 1]"), "increasing_tp"),
    ("TP/(TP + w*FN)", ("w in [0, 1]",), "decreasing_fn"),
    ("-w**2*TP", ("w in [-1, 1]",), "increasing_tp"),
    ("TP - FN", (), "increasing_tn"),
    ("-TN", (), "increasing_tn"),
    ("TP*(FN - FP)**2", (), "increasing_tp"),
]
FALSE = [case for case in CASES if case[2] == "increasing_tn" or case[0] == "TP*(FN - FP)**2"]


def _passes(data: Data, own: sm.Metric | None = None) -> bool:
    try:
        sm.check(reworded(data), own)
    except sm.CertificateError:
        return False
    return True


def _leaves(node: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    children = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else None
    if children is None or not node:
        yield path
        return
    for key, child in children:
        yield from _leaves(child, (*path, key))


def _with(data: Data, path: tuple[Any, ...], value: Any) -> Data:
    altered = copy.deepcopy(data)
    *inner, last = path
    node = altered
    for key in inner:
        node = node[key]
    node[last] = value
    return altered


def _at(data: Data, path: tuple[Any, ...]) -> Any:
    for key in path:
        data = data[key]
    return data


def _other_values(value: Any) -> list[Any]:
    if isinstance(value, bool) or value is None:
        return [not value, "no"]
    if isinstance(value, int):
        return [value + 1, -value, str(value)]
    if isinstance(value, str):
        return ["1*TP", "0", "(-1)", f"{value} + 1", "nothing", None]
    return [None, 7]


def _asserted(data: Data) -> tuple[Any, ...]:
    """Return what a verdict says, read back, so that another way to write the same does not count."""
    verdict = Verdict.from_json(json.dumps(data))
    witness = None if verdict.witness is None else (verdict.witness.values, dict(verdict.witness.parameters))
    return verdict.claim, verdict.status, verdict.holds, verdict.condition, verdict.value, witness


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("text", "declarations", "key"), CASES)
def test_no_leaf_of_a_certificate_can_be_altered_so_that_something_else_is_asserted(text, declarations, key):
    own = metric(text, *declarations)
    data = sm.prove(own, key).certificate()
    assert data["status"] != "open"
    assert _passes(data, own)
    paths = [path for path in _leaves(data) if path[0] not in ("metric", "property", "evidence")]
    for path in some(paths, 25, text):
        for value in _other_values(_at(data, path)):
            altered = _with(data, path, value)
            if _passes(altered, own):
                # It was no part of the argument, or another one that holds; what is asserted has to be the same.
                assert _asserted(altered) == _asserted(data), (path, value)


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("text", "declarations", "key"), CASES)
def test_another_status_is_rejected(text, declarations, key):
    data = sm.prove(metric(text, *declarations), key).certificate()
    for status in {"proved", "refuted", "conditional"} - {data["status"]}:
        for holds in (True, False, None):
            for condition in (None, data["condition"], "always", "never"):
                assert not _passes(data | {"status": status, "holds": holds, "condition": condition})


@pytest.mark.parametrize(("text", "declarations", "key"), FALSE)
def test_no_proof_of_another_statement_proves_a_false_one(text, declarations, key):
    own = metric(text, *declarations)
    for other_text, other_declarations, other_key in CASES:
        other = sm.prove(metric(other_text, *other_declarations), other_key)
        data = dict(other.evidence.data)
        parts = [dict(part["certificate"]) for part in data.get("parts", {}).values()] if "parts" in data else []
        for candidate in ({"kind": other.evidence.kind, **data}, *parts):
            assert not is_accepted(proof(own, key, candidate))


@pytest.mark.sampled(5)
@pytest.mark.parametrize("key", ["increasing_tp", "monotone", "strongly_monotone", "range", "p1", "symmetry_group"])
def test_evidence_about_one_formula_is_none_about_another(key):
    pool = [metric(text) for text in ("TP/(TP + FN)", "TN/(TN + FP)", "FN/(TP + FN)", "TP - FN + TN - FP", "FP*FN")]
    verdicts = [sm.prove(own, key) for own in pool]
    for verdict in verdicts:
        for other in verdicts:
            if (other.status, other.value) != (verdict.status, verdict.value):
                forged = other.certificate() | {"claim": verdict.claim.to_dict()}
                assert not _passes(forged), (verdict.claim.subject, other.claim.subject)


def test_a_range_that_is_not_reached_is_rejected():
    data = sm.prove(metric("TP/(TP + FN)"), "range").certificate()
    assert data["value"]["text"] == "(0, 1)"
    for value in ("[0, 1)", "(0, 1]", "(0, 2)", "(-1, 1)", "(0, oo)", "from 0 to 1"):
        assert not _passes(valued(data, value))
    for end, bound in (("upper", "2"), ("lower", "-1"), ("upper", "1/2"), ("upper", "oo")):
        altered = copy.deepcopy(data)
        altered["certificate"][end]["bound"] = bound
        assert not _passes(altered)


def test_no_sentence_stands_in_for_evidence():
    data = sm.prove("recall", "p2").certificate()
    for part in ("kind", "atoms", "values"):
        altered = copy.deepcopy(data)
        altered["certificate"].pop(part, None)
        assert part not in data["certificate"] or not _passes(altered)


def test_every_test_that_the_review_names_exists():
    root = Path(__file__).resolve().parent.parent
    review = (root / "docs" / "hostile_review.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`(?:(tests/\w+\.py)::)?(test_\w+)`", review))
    assert len(named) > 40
    missing = [
        name
        for file, name in named
        if f"def {name}(" not in (root / (file or "tests/test_hostile.py")).read_text(encoding="utf-8")
    ]
    assert not missing


def test_a_counterexample_to_a_part_alone_is_none_where_the_condition_holds():
    own = metric("(TN + FN)*(1 - v)*FN", "v in [0, 2] = 1")
    verdict = sm.prove(own, "antisymmetric")
    assert verdict.status == "conditional"
    assert verdict.holds is True
    assert verdict.witness is None or verdict.witness.parameters["v"] != 1
    data = verdict.certificate()
    ones = {"tp": 1, "fn": 1, "fp": 1, "tn": 1}
    data["witness"] = {"tables": [ones, ones], "values": ["0", "0"], "parameters": {"v": "1"}}
    for part in data["certificate"]["parts"].values():
        if part.get("witness") and part["witness"]["parameters"] == {"v": "1"}:
            assert not _passes(data | {"witness": part["witness"]}, own)
    assert not _passes(data, own)
