"""What the checker reads from coefficients holds on all of a parameter's domain, and at the ends that belong to it."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import prod
from typing import Any

import pytest
from effort import in_one_test, some
from sympy import oo
from sympy.polys.rings import PolyElement

from symmetrics.checker.engine.fractions import Arithmetic, always_positive, never_negative, never_zero
from symmetrics.language.formula import parse_formula
from symmetrics.language.parameter import Parameter

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
POSITIVE = [
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
@pytest.mark.parametrize(("text", "domain", "expected"), POSITIVE)
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
