"""Proofs that polynomials are nowhere negative: true steps are followed, and each kind of false step is refused.

What is false is negative at the table that stands beside it, so that nothing but a refusal is right.
"""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import prod
from typing import Any

import pytest
from effort import in_one_test, some
from forging import FOLDER, refusal
from sympy import QQ, oo
from sympy.polys.rings import PolyElement
from tables import rows
from test_hostile import POSITIVE

from symmetrics.checker.engine.conditions import check_sufficient
from symmetrics.checker.engine.fractions import Arithmetic, always_positive, never_negative, never_zero
from symmetrics.checker.engine.signs import SignChecker
from symmetrics.checker.engine.splits import Branch, Signs, walk
from symmetrics.checker.families.inequalities import _weights
from symmetrics.language.condition import parse_condition
from symmetrics.language.formula import parse_formula
from symmetrics.language.parameter import Parameter
from symmetrics.tools.errors import CertificateError

Data = dict[str, Any]
PARAMETERS = [Parameter.parse("w in [0, 1]"), Parameter.parse("v in [-1, 1]")]
CELLS = ("TP", "FN", "FP", "TN")


STEPS: dict[str, list[Data]] = json.loads((FOLDER.parent / "sign_steps.json").read_text(encoding="utf-8"))


def log(base: str) -> Data:
    return {"kind": "log", "base": base}


def power(base: str) -> Data:
    return {"kind": "power", "base": base}


@dataclass(frozen=True)
class Step:
    """A polynomial with what is said to prove that it is nowhere negative.

    :param text: the polynomial, in cells, the parameters w between 0 and 1 and v between -1 and 1, and atoms
    :param over: what its coefficients are divided by
    :param table: where it is negative, if that is false
    """

    text: str
    tree: Mapping[str, Any]
    atoms: Mapping[str, Data] = field(default_factory=dict)
    given: Sequence[str] = ()
    chains: Mapping[str, str] = field(default_factory=dict)
    over: int = 1
    table: tuple[float, ...] = ()

    def checker(self) -> SignChecker:
        values = [f"{name}**(1/2)" for name, atom in self.atoms.items() if atom["kind"] == "power"]
        arithmetic = Arithmetic(CELLS, PARAMETERS, self.atoms, values)
        return SignChecker(arithmetic, [arithmetic.polynomial(text) for text in self.given], self.chains)

    def follow(self) -> bool:
        signs = self.checker()
        return signs.nonnegative(signs.arithmetic.polynomial(self.text) * QQ(1, self.over), self.tree)

    def least(self) -> float:
        """Return the value at the table, in floating point, with 1/2 for w and -1/2 for v; conditions have to hold."""
        signs = self.checker()
        arithmetic = signs.arithmetic
        known = dict(zip(CELLS, self.table, strict=True)) | {"w": 0.5, "v": -0.5, "pi": math.pi}

        def value(poly: Any) -> float:
            return sum(
                float(Fraction(int(c.numerator), int(c.denominator)))
                * math.prod(known[n] ** e for n, e in zip(arithmetic.names, m, strict=True) if e)
                for m, c in poly.terms()
            )

        for name, atom in arithmetic.atoms.items():
            base, below = map(value, signs.exceeds(name))
            known[name] = math.log(base / below) if atom.is_log else abs(base) ** (1 / arithmetic.degrees[name])
        assert all(value(condition) >= 0 for condition in signs.given)
        return value(arithmetic.polynomial(self.text))


def step_of(entry: Data) -> Step:
    """Return the step of an entry, without its name and what is noted about it."""
    return Step(**{key: value for key, value in entry.items() if key not in ("what", "refused", "note")})


def under(variable: str, then: Data = POSITIVE) -> Data:
    return {"given": 0, "variable": variable, "then": then}


@in_one_test
@pytest.mark.parametrize("entry", STEPS["true"])
def test_a_true_step_is_followed(entry: Data) -> None:
    assert refusal(step_of(entry).follow) is None


@in_one_test
@pytest.mark.parametrize("entry", STEPS["false"])
def test_a_false_step_is_refused(entry: Data) -> None:
    step = step_of(entry)
    assert step.least() < 0
    assert refusal(step.follow) == entry["refused"]


@pytest.mark.parametrize("step", [{"given": 2}, {"itself": 2}, {"times": 2}, {"combination": [[2, "1"]]}])
def test_a_condition_that_a_step_uses_is_seen_wherever_it_stands(step: dict[str, Any]) -> None:
    for tree in (step, {"then": step}, {"first": POSITIVE, "second": [step]}):
        assert SignChecker._uses(tree, 2)
        assert not SignChecker._uses(tree, 3)


@pytest.mark.parametrize(
    ("text", "tree", "is_strict"),
    [
        ("3*TP + (-1)*FN", {"combination": [[0, "1"]]}, True),
        ("1*TP + (-1)*FN", {"combination": [[0, "1"]]}, False),
        ("1*TP + (-1)*FN", under("TP", {"combination": []}), False),
        ("1*TP + 1*TN + (-1)*FN", under("TP", {"combination": []}), True),
    ],
)
def test_a_combination_is_positive_where_a_term_of_its_rest_is(text: str, tree: Data, is_strict: bool) -> None:
    assert Step(text, tree, given=["1*TP + (-1)*FN"]).follow() is is_strict


def test_a_split_is_strict_only_if_both_sides_are() -> None:
    # TP*(TP - FN) is not negative exactly where TP - FN is not, which may be zero; the other side is empty.
    tree = {"split": 0, "by": ["(-1)*TP", "1*FN + (-1)*TP"], "first": {"empty": 1}, "second": {"itself": 2}}
    step = Step("1*TP + (-1)*FN", tree, given=["1*TP**2 + (-1)*TP*FN"])
    assert step.follow() is False


def test_a_logarithm_of_a_ratio_is_not_taken_inside_what_it_is_a_ratio_of() -> None:
    """L stands for log((TP + 2)/(1 + r)), and r for the root of log(TN + 2), which is one of a ratio elsewhere."""
    atoms = {"M": log("TN+2"), "N": log("TN+1"), "r": power("M"), "K": log("1+r**(1/2)"), "L": log("TP+2")}
    arithmetic = Arithmetic(CELLS, [], atoms, ["r**(1/2)"])
    poly = arithmetic.polynomial("1*TP*L + (-1)*FN")
    assert refusal(SignChecker(arithmetic, (), {"L": "K"}).unchained, poly) is None
    found = refusal(SignChecker(arithmetic, (), {"L": "K", "M": "N"}).unchained, poly)
    assert found == "a chain is about a logarithm inside a root"


@in_one_test
@pytest.mark.parametrize(
    ("text", "never_negative", "positive"),
    rows("hostile_signs", "signs", 3),
)
def test_signs_are_seen_where_they_are_and_nowhere_else(text, never_negative, positive):
    known = Signs([Parameter.parse("w in [0, 1]"), Parameter.parse("v in (0, 1]")])
    formula = parse_formula(text, ["w", "v"])
    assert (known.is_never_negative(formula), known.is_positive(formula)) == (never_negative, positive)


# Inequalities with parameters: true thresholds are accepted, and each kind of false step to one is refused.


def arithmetic() -> Arithmetic:
    return Arithmetic(("TP", "FN"), [Parameter.parse("w in [-1, 1]"), Parameter.parse("v in [-1, 1]")], {}, ())


@in_one_test
@pytest.mark.parametrize("weight", [0.5, 1.0, True, "1", None])
def test_a_direction_is_one_of_whole_numbers(weight: object) -> None:
    assert _weights({"TP": 1, "FN": -2}, arithmetic()) == [1, -2, 0, 0, 0]
    assert refusal(_weights, {"TP": weight}, arithmetic()) == "a direction is not one of whole numbers"


@in_one_test
@pytest.mark.parametrize(
    ("condition", "denominator", "reason"),
    [
        ("w = v", "1 + w*v", None),
        ("w = v", "w", None),
        ("w = v", "w - v", "the condition makes a denominator vanish"),
        ("w = 1 and v = 1", "w - v**2", "the condition makes a denominator vanish"),
        ("w = sqrt(2)/2 and v = sqrt(2)/2", "2*w*v - 1", "the condition makes a denominator vanish"),
        ("w = -v", "1", "the condition does not make the difference vanish"),
        ("w*v = 1", "1", "a condition is not solved for a parameter"),
    ],
)
def test_a_condition_makes_the_difference_vanish_and_no_denominator(
    condition: str, denominator: str, reason: str | None
) -> None:
    names = ["w", "v"]
    own = arithmetic()
    polys = [own.evaluate(parse_formula(text, names)).top for text in ("w - v", denominator)]
    assert refusal(check_sufficient, parse_condition(condition, names), polys, own) == reason


# The tree of splits behind a condition on parameters: true ones are walked, and each kind of false step is refused.


TREES = json.loads((FOLDER.parent / "condition_trees.json").read_text(encoding="utf-8"))


def walked(tree: Mapping[str, Any], equations: Sequence[str], divisors: Sequence[str] = ()) -> list[Branch]:
    """Walk a tree for equations between w in [0, 1], v in [0, 1] and u in (0, 1)."""
    parameters = [
        Parameter("w", 0, 1),
        Parameter("v", 0, 1),
        Parameter("u", 0, 1, lower_open=True, upper_open=True),
    ]
    arithmetic = Arithmetic(("TP",), parameters, {}, ())
    names = [p.name for p in parameters]
    polys = [arithmetic.evaluate(parse_formula(text, names)).top for text in equations]
    return walk(tree, polys, [parse_formula(text, names) for text in divisors], arithmetic)


@in_one_test
@pytest.mark.parametrize("entry", TREES["true"])
def test_a_true_tree_leads_to_the_solutions(entry: dict[str, Any]) -> None:
    branches = walked(entry["tree"], entry["equations"], entry["divisors"])
    found = [{symbol.name: str(value) for symbol, value in branch.values.items()} for branch in branches]
    assert found == entry["solutions"]


@in_one_test
@pytest.mark.parametrize("entry", TREES["false"])
def test_a_false_split_is_refused(entry: dict[str, Any]) -> None:
    with pytest.raises(CertificateError, match=entry["refused"]):
        walked(entry["tree"], entry["equations"])


# What the checker reads from coefficients holds on all of a parameter's domain, and at the ends that belong to it.

BOUNDS = [(0, 1), (0, oo), (-oo, 1), (-oo, oo)]
"""Ends of the domain of w."""
FACTORS = ("TP", "w", "1 - w", "w + 1", "2 - w", "TP + w", "TP + 1 - w", "TP*w + 1 - w", "w**2 + 1", "2*w - 1", "w**2")
NEAR = Fraction(1, 10**6)


def domains() -> Iterator[Parameter]:
    """Yield w with each pair of ends, open and closed."""
    for lower, upper in BOUNDS:
        for opens in itertools.product((False, True), repeat=2):
            if not (opens[0] and lower == -oo) and not (opens[1] and upper == oo):
                yield Parameter("w", lower, upper, lower_open=opens[0], upper_open=opens[1])


def values(parameter: Parameter) -> list[Fraction]:
    """Return values of a parameter: at its ends where these belong to it, next to them, far out and between."""
    lower = Fraction(str(parameter.lower)) if parameter.lower.is_finite else Fraction(-1000)
    upper = Fraction(str(parameter.upper)) if parameter.upper.is_finite else Fraction(1000)
    found = [lower + NEAR, *(lower + (upper - lower) * k / 8 for k in range(1, 8, 2)), upper - NEAR, Fraction(1, 2)]
    found += [lower] * (not parameter.lower_open) + [upper] * (not parameter.upper_open)
    return [value for value in found if lower <= value <= upper]


def polynomials(arithmetic: Arithmetic) -> list[PolyElement]:
    """Return products of one or two factors, and sums of two such."""
    factors = [arithmetic.evaluate(parse_formula(text, ["w"])).top for text in FACTORS]
    products = [*factors, *(a * b for a, b in itertools.combinations_with_replacement(factors, 2))]
    return [*products, *(-poly for poly in factors), *(a + b for a, b in itertools.combinations(factors, 2))]


def value_of(poly: PolyElement, names: Sequence[str], known: Mapping[str, Fraction]) -> Fraction:
    """Return the value of a polynomial, term by term."""
    places = [known.get(name, Fraction(0)) for name in names]
    terms = (Fraction(str(factor)) * prod(map(pow, places, powers)) for powers, factor in poly.iterterms())
    return sum(terms, Fraction(0))


@in_one_test
@pytest.mark.parametrize("parameter", list(domains()), ids=str)
def test_signs_are_what_they_are_at_points(parameter: Parameter) -> None:
    arithmetic = Arithmetic(("TP",), [parameter], {}, ())
    counts = [NEAR, Fraction(1000)]
    place = arithmetic.names.index("TP")
    known = {"positive": 0, "nonnegative": 0, "nonzero": 0}
    for poly in some(polynomials(arithmetic), 60, str(parameter)):
        said = {
            "positive": always_positive(poly, arithmetic, {place}),
            "nonnegative": never_negative(poly, arithmetic),
            "nonzero": never_zero(poly, arithmetic),
        }
        if not any(said.values()):
            continue
        signs = [value_of(poly, arithmetic.names, {"w": w, "TP": tp}) for w in values(parameter) for tp in counts]
        true = {
            "positive": min(signs) > 0,
            "nonnegative": min(signs) >= 0,
            "nonzero": min(signs) > 0 or max(signs) < 0,
        }
        for kind, is_said in said.items():
            known[kind] += is_said
            assert true[kind] or not is_said, (kind, poly)
    assert min(known.values()) > 0 or not (parameter.lower.is_finite or parameter.upper.is_finite)


UNIT = {"lower": 0, "upper": 1}
SIGNS_AT_ENDS = [
    # a polynomial, the ends that do not belong to the domain, and whether it is positive there
    ("w", {**UNIT, "lower_open": True}, True),
    ("w", {**UNIT, "upper_open": True}, False),
    ("1 - w", {**UNIT, "upper_open": True}, True),
    ("1 - w", {**UNIT, "lower_open": True}, False),
    ("w - w**2", {**UNIT, "lower_open": True, "upper_open": True}, True),
    ("w", {"lower": 0, "upper": oo, "lower_open": True}, True),
    ("w", {"lower": 0, "upper": oo}, False),
    ("1 - w", {"lower": -oo, "upper": 1, "upper_open": True}, True),
    ("1 - w", {"lower": -oo, "upper": 1}, False),
    ("2 - w", {"lower": -oo, "upper": 1}, True),
]


@in_one_test
@pytest.mark.parametrize(("text", "domain", "expected"), SIGNS_AT_ENDS)
def test_an_end_counts_where_it_belongs_to_the_domain(text: str, domain: dict[str, Any], expected: bool) -> None:
    arithmetic = Arithmetic(("TP",), [Parameter("w", **domain)], {}, ())
    poly = arithmetic.evaluate(parse_formula(f"TP*({text})", ["w"])).top
    assert always_positive(poly, arithmetic, {arithmetic.names.index("TP")}) is expected


@in_one_test
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("v + w", False),
        ("2 - v - w", False),
        ("1 - v*w", False),
        ("v + 1 - w", False),
        ("v + w + 1", True),
        ("v + 2 - w", True),
    ],
)
def test_all_corners_of_two_parameters_count(text: str, expected: bool) -> None:
    arithmetic = Arithmetic(("TP",), [Parameter("v", 0, 1), Parameter("w", 0, 1)], {}, ())
    poly = arithmetic.evaluate(parse_formula(text, ["v", "w"])).top
    assert never_zero(poly, arithmetic) is expected
    assert always_positive(poly * arithmetic.symbols["TP"], arithmetic, {arithmetic.names.index("TP")}) is expected
