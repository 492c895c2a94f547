"""What evidence of several kinds is made of: parts, tables, outcomes, powers, coefficients, Z3, values at the defaults.

Each is right where something true is given, and refused where that is altered.
"""

from __future__ import annotations

from typing import Any, Final

import pytest
from effort import in_one_test
from forging import found_of, refusal
from sympy import Abs, Expr, Float, Integer, Rational, S, exp, log, sqrt
from test_hostile import metric, nonnegative

import symmetrics as sm
from symmetrics.checker import check
from symmetrics.checker.engine import coefficients, oracle
from symmetrics.checker.engine.cases import _Walker
from symmetrics.checker.engine.coefficients import coefficients_of, difference_in, require_independence
from symmetrics.checker.engine.fractions import Arithmetic
from symmetrics.checker.engine.oracle import check_oracle
from symmetrics.checker.engine.parts import check_witness, is_open, read_part, read_table, require_outcome
from symmetrics.checker.families.agreement import _Faces
from symmetrics.checker.families.equations import _exponents, _positive_factors, with_free_powers
from symmetrics.checker.verify import check_open_with_defaults
from symmetrics.claims import Bounded, Identity, Inequality, LargestAtAgreement, value_symbol
from symmetrics.claims.evidence import Counts, Decision, Evidence, Witness, open_decision
from symmetrics.claims.values import Limit
from symmetrics.claims.verdict import Verdict
from symmetrics.language.cells import CELLS, FN, FP, TN, TP, parameter_symbol
from symmetrics.language.condition import parse_condition
from symmetrics.language.formula import parse_formula
from symmetrics.language.parameter import Parameter
from symmetrics.prover import decide

WEIGHT = Parameter.parse("w in [0, 1] = 1/2")
RANGE = Bounded(parse_formula("w*TP/(TP + FN)", ["w"]), (WEIGHT,))


def decided(status: Any, holds: bool | None, claim: Any = RANGE, **parts: Any) -> Verdict:
    if isinstance(parts.get("condition"), str):
        parts["condition"] = parse_condition(parts["condition"], ["w"])
    return Verdict.of(Decision(status, holds, Evidence("limit"), **parts), claim, metric="own", property="own")


# -- parts -----------------------------------------------------------------------------------------------------------


def test_a_part_has_no_entries_that_mean_nothing() -> None:
    data: dict[str, Any] = {"status": "proved", "holds": True, "certificate": {"kind": "limit"}}
    assert refusal(read_part, data, RANGE) is None
    reason = "a part of the certificate has entries that mean nothing"
    for name in ("claim", "metric", "evidence", "Status"):
        assert refusal(read_part, data | {name: "w"}, RANGE) == reason


@in_one_test
@pytest.mark.parametrize(
    ("counts", "reason"),
    [
        ([1, "2", "1/2", 3], None),
        ([1, 2, 3], "a table is not four positive numbers"),
        ([1, 2, 3, 4, 5], "a table is not four positive numbers"),
        ([1, 2, 0, 4], "a table is not four positive numbers"),
        ([1, 2, "-1/2", 4], "a table is not four positive numbers"),
        ([1, 2, True, 4], "a count is not a number"),
        ([1, 2, 0.5, 4], "a count is not a number"),
        ([1, 2, None, 4], "a count is not a number"),
        ([1, 2, ["1"], 4], "a count is not a number"),
    ],
)
def test_a_table_is_one_of_four_positive_numbers(counts: list[Any], reason: str | None) -> None:
    assert refusal(read_table, counts) == reason


def test_an_open_verdict_asserts_nothing_and_is_about_declared_symbols() -> None:
    verdict = Verdict.of(open_decision("not found"), RANGE, metric="own", property="own")
    assert is_open(verdict, RANGE)
    assert refusal(is_open, verdict, Bounded(RANGE.subject, ())) == "the formula has a symbol that is not declared"
    for parts in ({"holds": True}, {"found": Limit("1")}, {"condition": S.true}):
        altered = Verdict.of(
            Decision(**(vars(open_decision("not found")) | parts)), RANGE, metric="own", property="own"
        )
        assert refusal(is_open, altered, RANGE) == "an open verdict asserts something"


HALF = "w < 3/4"
BROKEN, OTHER, IDLE = (
    "the parts give another verdict",
    "the condition is another one",
    "a counterexample that proves nothing",
)
IDLER = Witness((Counts(1, 1, 1, 1),), (Integer(0),), {"w": Rational(1, 2)})


@in_one_test
@pytest.mark.parametrize(
    ("verdict", "condition", "reason"),
    [
        (decided("proved", True), S.true, None),
        (decided("refuted", False), S.false, None),
        (decided("conditional", True, condition=HALF), HALF, None),
        (decided("conditional", True, condition="w <= 3/4 and w != 3/4"), HALF, None),
        (decided("refuted", False), S.true, BROKEN),
        (decided("proved", False), S.true, BROKEN),
        (decided("proved", True, condition=HALF), S.true, BROKEN),
        (decided("refuted", False, condition=HALF), S.false, BROKEN),
        (decided("proved", True), HALF, BROKEN),
        (decided("conditional", False, condition=HALF), HALF, BROKEN),
        (decided("conditional", None, condition=HALF), HALF, BROKEN),
        (decided("conditional", True, condition="w <= 3/4"), HALF, OTHER),
        (decided("conditional", True, condition="w < 2/3"), HALF, OTHER),
        (decided("conditional", True), HALF, OTHER),
        (decided("proved", True, witness=IDLER), S.true, IDLE),
        (decided("conditional", True, condition=HALF, witness=IDLER), HALF, IDLE),
    ],
)
def test_an_outcome_is_what_the_parts_make_it(verdict: Verdict, condition: Any, reason: str | None) -> None:
    found = parse_condition(condition, ["w"]) if isinstance(condition, str) else condition
    assert refusal(require_outcome, verdict, RANGE, found) == reason


# -- powers ----------------------------------------------------------------------------------------------------------


def vanishing(text: str, *auxiliary: str) -> Identity:
    return Identity(
        parse_formula(text, ["w"]), (WEIGHT,), (CELLS,), tuple(map(parameter_symbol, auxiliary)), value_symbol(0)
    )


def test_exponents_are_sums_of_multiples_of_parameters() -> None:
    claim, w = vanishing("TP**w - TP**w"), WEIGHT.symbol
    assert refusal(_exponents, 2 * w**2 - w / 2 + 1, claim) is None
    assert refusal(_exponents, w * TP, claim) == "an exponent holds more than parameters"
    assert refusal(_exponents, Float(0.5) * w, claim) == "an exponent is no sum of multiples of parameters"


@in_one_test
@pytest.mark.parametrize(
    ("base", "reason"),
    [
        ("2*TP/(3*FN)", None),
        ("TP - FN", "the base of a power is not known to be positive"),
        ("-TP", "the base of a power is not known to be positive"),
        ("TP + w", "the base of a power holds a parameter"),
    ],
)
def test_the_base_of_a_power_is_positive(base: str, reason: str | None) -> None:
    assert refusal(_positive_factors, parse_formula(base, ["w"]), CELLS) == reason


def test_the_name_of_a_free_power_is_not_taken() -> None:
    assert refusal(with_free_powers, vanishing("TP**w*FN", "x")) is None
    assert refusal(with_free_powers, vanishing("TP**w*FN", "other_power0")) == "a name is taken"


# -- coefficients ----------------------------------------------------------------------------------------------------


def test_a_difference_has_a_denominator_that_is_not_zero() -> None:
    """(r - a)*(r + a) is zero for r = |a|, though neither factor is."""
    atoms = {"r": {"kind": "power", "base": "TP-FN"}}
    data = {"atoms": atoms, "values": ["r"]}
    part, whole = "1/(Abs(TP - FN) - TP + FN)", "1/((Abs(TP - FN) - TP + FN)*(Abs(TP - FN) + TP - FN))"
    assert refusal(difference_in, vanishing(part), data) is None
    assert refusal(difference_in, vanishing(whole), data) == "the difference has a denominator that is zero"


def test_so_many_absolute_values_are_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = [(TP, FN), (FP, TN), (TP, FP)]
    atoms = {f"r{number}": {"kind": "power", "base": f"{a}-{b}"} for number, (a, b) in enumerate(pairs)}
    claim = Identity(sum((Abs(a - b) for a, b in pairs), S.Zero), (), (CELLS,), (), value_symbol(0))
    arithmetic, difference = difference_in(claim, {"atoms": atoms, "values": list(atoms)})
    assert refusal(require_independence, arithmetic, difference.top, claim) is None
    monkeypatch.setattr(coefficients, "MAX_SIGNS", 2)
    assert refusal(require_independence, arithmetic, difference.top, claim) == "too many absolute values"


def test_a_sum_of_irrational_numbers_is_certainly_not_zero() -> None:
    arithmetic = Arithmetic(("TP",), [WEIGHT], {}, ())
    pi, tp = arithmetic.symbols["pi"], arithmetic.symbols["TP"]
    assert refusal(coefficients_of, arithmetic, (pi - 3) * tp) is None
    near = Rational(int(S.Pi.evalf(420) * 10**400), 10**400)
    number = arithmetic.constant(near).top
    assert refusal(coefficients_of, arithmetic, (pi - number) * tp) == "a sum of irrational numbers may be zero"


# -- Z3 --------------------------------------------------------------------------------------------------------------


@in_one_test
@pytest.mark.parametrize(
    ("formula", "parameters", "reason"),
    [
        (TP + log(FN), (), "Z3 is not asked about log"),
        (exp(TP), (), "Z3 is not asked about exp"),
        (TP * S.Pi, (), "Z3 is not asked about Pi"),
        (TP**WEIGHT.symbol, (), "Z3 is not asked about Pow"),
        (TP**13, (), "Z3 is not asked about so large a power"),
        (TP ** Rational(-13, 2), (), "Z3 is not asked about so large a power"),
        (TP ** Rational(1, 13), (), "Z3 is not asked about so large a power"),
        (TP * WEIGHT.symbol, (WEIGHT,), "Z3 is not asked about parameters"),
    ],
)
def test_what_z3_is_not_asked_about(
    formula: Expr, parameters: tuple[Parameter, ...], reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(oracle, "find_spec", lambda name: name)
    claim = Inequality(formula, parameters, (CELLS,), relation=value_symbol(0))
    assert refusal(check_oracle, claim) == reason


def test_z3_confirms_nothing_where_it_is_missing_or_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    claim = Inequality(sqrt(TP**4 + 1) - TP**2, (), (CELLS,), relation=value_symbol(0))
    monkeypatch.setattr(oracle, "find_spec", lambda name: None)
    assert refusal(check_oracle, claim) == 'it rests on Z3, which is not installed: pip install "symmetrics[smt]"'
    monkeypatch.setattr(oracle, "find_spec", lambda name: name)
    monkeypatch.setattr(oracle, "_PROGRAM", "print('unsat, or sat')")
    assert refusal(check_oracle, claim) == "Z3 does not confirm it"
    monkeypatch.setattr(oracle, "_PROGRAM", "import time; time.sleep(9); print('unsat')")
    monkeypatch.setattr(oracle, "SECONDS", 0.01)
    assert refusal(check_oracle, claim) == "Z3 does not confirm it in time"


# -- what holds at the defaults ----------------------------------------------------------------------------------------

FOUND = {"status": "proved", "holds": True, "value": "0", "certificate": {"kind": "limit"}}
SAID = {"holds": True, "value": "at w = 1/2: 0"}


def at_defaults(
    decided: dict[str, Any], declared: str = "w in [0, 1] = 1/2", *, kind: str = "open", more: Any = (), **said: Any
) -> Verdict:
    """Return an open verdict on the limit of TP/(TP + w*TN), which is 1 for w = 0, and what it says of the default."""
    claim = sm.properties["tn_limit"].claim(metric("TP/(TP + w*TN)", declared))
    stated = {"value": Limit(decided["value"]).to_dict()} if "value" in decided else {}
    data = {"reason": "not found", "at_defaults": decided | stated} | dict(more)
    evidence = Evidence.unread(kind, data)
    found = found_of(said.pop("value", None), claim)
    return Verdict("own", "own", claim, "open", evidence=evidence, found=found, **({"holds": None} | said))


@in_one_test
@pytest.mark.parametrize(
    ("verdict", "reason"),
    [
        (at_defaults(FOUND, **SAID), None),
        (at_defaults(FOUND, kind="limit", **SAID), "it is not open alone"),
        (at_defaults(FOUND, more={"tree": {}}, **SAID), "it is not open alone"),
        (at_defaults(FOUND, "w in [0, 1]", **SAID), "there are no default parameters"),
        (
            at_defaults({"status": "open", "certificate": {"kind": "open", "reason": "not found"}}),
            "it is not settled at the defaults",
        ),
        (at_defaults(FOUND | {"holds": False}, **SAID), "it is not settled at the defaults"),
        (at_defaults(FOUND | {"status": "refuted"}, **SAID), "it is not settled at the defaults"),
        (at_defaults(FOUND | {"value": "1"}, holds=True, value="at w = 1/2: 1"), "the limit is not shown to be 1"),
        (at_defaults(FOUND), "it is not what holds at the defaults"),
        (at_defaults(FOUND, **(SAID | {"holds": False})), "it is not what holds at the defaults"),
        (at_defaults(FOUND, **(SAID | {"value": "0"})), "it is not what holds at the defaults"),
        (at_defaults(FOUND, **(SAID | {"value": "at w = 1/3: 0"})), "it is not what holds at the defaults"),
        (at_defaults(FOUND, witness=IDLER, **SAID), "it is not what holds at the defaults"),
        (at_defaults(FOUND, condition=S.true, **SAID), "it is not what holds at the defaults"),
    ],
)
def test_an_open_verdict_says_what_holds_at_the_defaults(verdict: Verdict, reason: str | None) -> None:
    assert refusal(check_open_with_defaults, verdict, verdict.claim, check) == reason


# -- counterexamples ---------------------------------------------------------------------------------------------------


def test_a_counterexample_at_the_boundary_has_a_zero_and_lies_on_the_tables_of_the_claim() -> None:
    own = metric("FN/(TP + FN)")
    strict = nonnegative(own, strict=True)
    at_zero = Witness((Counts(1, 0, 1, 1),), (Integer(0),))
    inside = Witness((Counts(1, 1, 1, 1),), (Rational(1, 2),))
    assert refusal(check_witness, strict, at_zero, boundary=True) is None
    assert refusal(check_witness, strict, at_zero) == "a count is not a positive number"
    assert refusal(check_witness, strict, inside, boundary=True) == "no cell is zero"
    step = parameter_symbol("x")
    relation = value_symbol(0) - value_symbol(1)
    for moved, reason in ((step, None), (step**2, "a table of the claim is not linear")):
        claim = Identity(TP, (), (CELLS, (moved, FN, FP, TN)), (step,), relation)
        witness = Witness((Counts(1, 1, 1, 1), Counts(4, 1, 1, 1)), (Integer(1), Integer(4)))
        assert refusal(check_witness, claim, witness) == reason


# -- cases of a parameter ----------------------------------------------------------------------------------------------


def test_what_has_no_value_where_the_formula_is_needed_is_refused() -> None:
    own = metric("TP/(TP + FP) + w*log(1 + 1/FN)", "w in [0, 0]")
    walker = _Walker(sm.properties["max_agreement"].claim(own), check)
    walker.obstacles = [("logarithm", parse_formula("1 + 1/FN"))]
    reason = "the formula has no value where its value is needed"
    assert refusal(walker.require_free, at_defaults(FOUND, **SAID), {FN: Integer(0)}) == reason


def test_a_formula_without_values_for_all_parameters_is_not_said_to_have_a_property() -> None:
    own = metric("TN/(FN + TN/w - FP)", "w in [0, 0]")
    for key in ("max_agreement", "tn_limit", "range"):
        verdict = decide(sm.properties[key].claim(own), metric="own", property=key)
        assert verdict.status == "open"
        assert "the formula has a value for no parameters" in str(verdict.evidence.data["reason"])


# Evidence made up for an extreme that is taken on one face only: each lie is refused for what is false in it.

ZERO: Final = "((TP + TN)**2 - TP**2 - 2*TP*TN - TN**2)"
"""Zero, which SymPy does not see."""


NOWHERE: Final = f"({ZERO} + 2*FN*FP)/({ZERO} + FN**2 + FP**2 + FN**3)"
"""It is 2*FN*FP/(FN**2 + FP**2 + FN**3), which comes as close to 1 as one likes, and zero over zero at FN = FP = 0."""


def claim_on(text: str, *declarations: str) -> LargestAtAgreement:
    own = metric(text, *declarations)
    return LargestAtAgreement(own.expr, own.parameters)


def test_an_extreme_where_there_is_no_value_is_not_found() -> None:
    with_weight = f"1 - (FN + FP)**2/(FN + FP + {ZERO})/(TP + w*TN + FN + FP)"
    for text, declared in ((NOWHERE, ()), (with_weight, ("w in [1, 2]",))):
        verdict = decide(claim_on(text, *declared), metric="own", property="own")
        assert verdict.status == "open"
        assert "where FN = FP = 0" in str(verdict.evidence.data["reason"])


def test_a_curve_into_a_face_has_values_for_all_parameters() -> None:
    # At w = 0 it is 1 - FN - FP*TP, but where TP = FN, as on the curve.
    text = "1 - FN - FP*(TP + w*FN/(w*FN + (FN - TP)**2))"
    for declared, reason in (("w in [0, 1]", "for some parameters the curve has no value"), ("w in (0, 1]", None)):
        proof = _Faces(claim_on(text, declared), 1, ("FN", "FP"), check)
        path = ["other_s", "other_s", "FP", "TN"]
        assert refusal(proof.check_limit, path, "1 - FP", frozenset({"TP", "FN"})) == reason
