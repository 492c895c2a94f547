"""Spaces of directions of formulas with parameters, against gradients that this file computes itself in fractions."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import isqrt
from random import Random
from typing import Any

import pytest
from forging import reworded, valued
from sympy import Add, Expr, Mul, Pow, Rational, Symbol

import symmetrics as sm
from symmetrics.algebra.convert import field_for
from symmetrics.claims.verdict import Verdict
from symmetrics.prover.engine.minors import is_never_zero
from symmetrics.tools.errors import CertificateError

SPACES = ("translation_space", "scaling_space")
WITH_PARAMETERS = sorted(name for name, metric in sm.metrics.items() if metric.parameters)
Settings = dict[str, Fraction]


def formula(text: str, *parameters: str) -> sm.Metric:
    declared = tuple(sm.Parameter.parse(parameter) for parameter in parameters)
    return sm.Metric("own", sm.parse_formula(text, [p.name for p in declared]), declared)


# -- an oracle of its own: values and gradients in fractions ----------------------------------------------------------

Dual = tuple[Fraction, tuple[Fraction, ...]]
CELLS = ("TP", "FN", "FP", "TN")


def dual(expression: Expr, point: Mapping[str, Fraction]) -> Dual:
    """Return the value and the gradient of a formula; ArithmeticError where it has none in fractions."""
    nothing = (Fraction(0),) * 4
    if isinstance(expression, Rational):
        return Fraction(int(expression.p), int(expression.q)), nothing
    if isinstance(expression, Symbol):
        return point[expression.name], tuple(Fraction(int(cell == expression.name)) for cell in CELLS)
    parts = [dual(argument, point) for argument in expression.args]
    if isinstance(expression, Add):
        return sum((v for v, _ in parts), Fraction(0)), tuple(map(sum, zip(*(g for _, g in parts), strict=True)))
    if isinstance(expression, Mul):
        value, slope = Fraction(1), nothing
        for v, g in parts:
            value, slope = value * v, tuple(a * v + value * b for a, b in zip(slope, g, strict=True))
        return value, slope
    if isinstance(expression, Pow):
        (value, slope), (exponent, _) = parts
        power = root(value, exponent)
        return power, tuple(exponent * power / value * entry for entry in slope)
    raise ArithmeticError(f"no fraction: {expression}")


def root(value: Fraction, exponent: Fraction) -> Fraction:
    if exponent.denominator == 1:
        return value**exponent.numerator
    top, bottom = isqrt(value.numerator), isqrt(value.denominator)
    if exponent.denominator != 2 or Fraction(top * top, bottom * bottom) != value:
        raise ArithmeticError("irrational")
    return Fraction(top, bottom) ** exponent.numerator


def rank(rows: Sequence[Sequence[Fraction]]) -> int:
    left, found = [list(row) for row in rows], 0
    for column in range(4):
        pivot = next((row for row in left if row[column]), None)
        if pivot is None:
            continue
        left.remove(pivot)
        left = [[a - row[column] / pivot[column] * b for a, b in zip(row, pivot, strict=True)] for row in left]
        found += 1
    return found


def rows_of(metric: sm.Metric, key: str, settings: Settings, random: Random) -> list[list[Fraction]]:
    """Return gradients, multiplied by the counts for scalings, at tables at which they are rational."""
    rows: list[list[Fraction]] = []
    for _ in range(4000):
        table = dict(zip(CELLS, (Fraction(random.randint(1, 25)) for _ in CELLS), strict=True))
        try:
            _, slope = dual(metric.expr, {**table, **settings})
        except ArithmeticError:
            continue
        weights = table.values() if key == "scaling_space" else (Fraction(1),) * 4
        rows.append([weight * entry for weight, entry in zip(weights, slope, strict=True)])
        if len(rows) == 12:
            break
    return rows


# -- what a value says at given parameters ----------------------------------------------------------------------------


def number(text: str, settings: Settings) -> Any:
    """Evaluate a polynomial or a condition of a value."""
    python = re.sub(
        r"(?<![<>!=*])=(?!=)", "==", re.sub(r"\b(\d+)\b", r"Fraction(\1)", text).replace("**Fraction", "**int")
    )
    return eval(python, {"Fraction": Fraction, "int": int, **settings})


def basis_at(value: str, settings: Settings) -> list[list[Fraction]]:
    """Return the basis that a value states for some values of the parameters."""
    cases = [case for case in value.split("; ") if not case.startswith("at ")]
    holding = [case for case in cases if " if " not in case or number(case.split(" if ")[1], settings)]
    assert len(holding) == 1, (value, settings)
    return vectors(holding[0].split(" if ")[0], settings)


def vectors(text: str, settings: Settings) -> list[list[Fraction]]:
    if text == "{0}":
        return []
    listed = re.fullmatch(r"span\{\((.*)\)\}", text)
    assert listed, text
    return [[Fraction(number(entry, settings)) for entry in v.split(", ")] for v in listed[1].split("), (")]


def special_values(metric: sm.Metric, values: Sequence[str | None], random: Random) -> Iterator[Settings]:
    """Yield the defaults, the ends of the domains, what the values name, and random values."""
    choices = []
    for p in metric.parameters:
        named = {Fraction(n) for v in values for n in re.findall(rf"\b{p.name} !?= ([-\d/]+)", v or "")}
        wanted = {*named, *map(Fraction, ("0", "1/2", "1", "2")), Fraction(random.randint(1, 99), 100)}
        wanted |= {Fraction(str(end)) for end in (p.lower, p.upper, p.default) if end is not None and end.is_finite}
        choices.append(sorted(value for value in wanted if Rational(value.numerator, value.denominator) in p))
    grid = list(itertools.product(*choices))
    names = [p.name for p in metric.parameters]
    yield {p.name: Fraction(str(p.default)) for p in metric.parameters}
    for chosen in random.sample(grid, min(len(grid), 16)):
        yield dict(zip(names, chosen, strict=True))


@pytest.mark.thorough
@pytest.mark.parametrize("name", WITH_PARAMETERS)
def test_the_space_is_that_of_the_gradients_at_every_value_of_the_parameters(name: str) -> None:
    metric, random = sm.metrics[name], Random(name)
    values = {key: sm.prove(name, key).value for key in SPACES}
    for key, value in values.items():
        assert value is not None
        assert "at least" not in value
        for settings in special_values(metric, list(values.values()), random):
            rows = rows_of(metric, key, settings, random)
            if not rows:
                continue  # the formula has no value at all
            stated = basis_at(value, settings)
            assert len(stated) == rank(stated) == 4 - rank(rows), (key, settings)
            assert not any(sum(a * b for a, b in zip(row, v, strict=True)) for row in rows for v in stated)


@pytest.mark.thorough
@pytest.mark.parametrize("name", WITH_PARAMETERS)
def test_the_value_says_what_holds_at_the_default(name: str) -> None:
    metric = sm.metrics[name]
    settings = {p.name: Fraction(str(p.default)) for p in metric.parameters}
    bound = metric.at(**{p.name: p.default for p in metric.parameters})
    where = "at " + ", ".join(f"{p.name} = {p.default}" for p in metric.parameters)
    for key in SPACES:
        value, here = str(sm.prove(name, key).value), str(sm.prove(bound, key).value)
        depends = any(re.search(rf"\b{p.name}\b", value) for p in metric.parameters)
        assert value.endswith(f"; {where}: {here}") if depends else value == here
        ours, theirs = basis_at(value, settings), vectors(here, {})
        assert rank(ours) == rank(theirs) == rank([*ours, *theirs])


@pytest.mark.thorough
def test_values_that_were_too_small() -> None:
    assert sm.prove("expected_loss", "translation_space").value == (
        "span{(1, 0, 0, -1), (0, 1 - c, -c, 2*c - 1)}; at c = 3/4: span{(1, 0, 0, -1), (0, 1, -3, 2)}"
    )
    assert sm.prove("f_beta", "translation_space").value == (
        "span{(0, 1, -beta**2, 0), (0, 0, 0, 1)}; at beta = 1: span{(0, 1, -1, 0), (0, 0, 0, 1)}"
    )
    assert sm.prove("cwa", "scaling_space").value == (
        "span{(1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 1)} if w = 0; "
        "span{(1, 1, 0, 0), (0, 0, 1, 1)} if w != 0 and w != 1; "
        "span{(1, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)} if w = 1; at w = 3/4: span{(1, 1, 0, 0), (0, 0, 1, 1)}"
    )
    assert sm.prove("mean_f_beta", "scaling_space").value == (
        "span{(1, 0, 1, 0), (0, 1, 0, 1)} if beta = 0; span{(1, 1, 1, 1)} if beta != 0; at beta = 1: span{(1, 1, 1, 1)}"
    )


# -- several parameters: a and b have no common factor, and a common zero ---------------------------------------------

TIED = (
    ("w*TP**2/(TP + FN)**2 + v*TN**2/(TN + FP)**2 + TP/(TP + FN)", "decomposable"),
    ("w*(TP**2 - FN*FP) + v*(TN**2 + FP*TP + FN**2)", "decomposable"),
    ("w*(TP**2 - FN*FP) + v*(TN**2 + FP*TP + FN**2)", "translation_space"),
    ("w*(TP**2 - FN*FP) + v*(TN**2 + FP*TP + FN**2)", "scaling_space"),
)


@pytest.mark.sampled(1)
@pytest.mark.parametrize(("text", "key"), TIED)
def test_what_holds_where_two_parameters_vanish_is_not_refuted(text: str, key: str) -> None:
    metric = formula(text, "w in [0, 1] = 0", "v in [0, 1] = 0")
    assert sm.prove(metric.at(w=0, v=0), key).holds is True
    verdict = sm.prove(metric, key)
    assert verdict.status != "refuted"
    assert verdict.holds is True
    sm.check(verdict, metric)


@pytest.mark.parametrize(("text", "key"), TIED[:2])
def test_two_determinants_without_a_common_factor_refute_nothing(text: str, key: str) -> None:
    """What the prover once wrote, and the checker once accepted."""
    metric = formula(text, "w in [0, 1] = 1", "v in [0, 1] = 1")
    first = (
        (2, 4, 1, 3),
        (3, 1, 4, 2),
        (2, 1, 5, 3),
        (3, 5, 1, 2),
        (1, 3, 6, 2),
        (1, 5, 2, 4),
        (4, 5, 3, 1),
        (3, 5, 2, 4),
    )
    more = ((4, 2, 5, 3), (1, 9, 3, 2), (2, 5, 1, 7), (8, 13, 19, 2), (5, 9, 18, 10), (7, 18, 12, 2), (4, 5, 8, 1),
            (15, 7, 23, 10))  # fmt: skip
    lie = sm.prove(metric, key).certificate() | {
        "status": "refuted", "holds": False, "condition": None, "witness": None, "value": None,
        "certificate": {"kind": "minors", "minors": [[list(t) for t in first], [list(t) for t in more]]},
    }  # fmt: skip
    with pytest.raises(CertificateError, match="vanish together"):
        sm.check(Verdict.from_certificate(lie), metric)


def test_where_irrational_values_are_special_only_the_rest_is_said() -> None:
    metric = formula("TP/(TP + FN) + (w**2 - 2)*TN/(TN + FP)", "w in [0, 5] = 1")
    verdict = sm.prove(metric, "scaling_space")
    assert (verdict.status, verdict.holds) == ("proved", True)
    assert verdict.value == "at least span{(1, 1, 0, 0), (0, 0, 1, 1)}; at w = 1: span{(1, 1, 0, 0), (0, 0, 1, 1)}"
    open_one = sm.prove(metric, "translation_space")
    assert (open_one.status, open_one.holds, open_one.value) == ("open", False, "at w = 1: {0}")


def test_a_scaling_with_a_parameter_in_its_exponents_is_not_made_up() -> None:
    metric = formula("w*log(TP) + (1 - w)*log(FN)", "w in [0, 1] = 1/4")
    verdict = sm.prove(metric, "scaling_space")
    sm.check(verdict, metric)
    assert "(0, 0, 1, 0), (0, 0, 0, 1)" in str(verdict.value)
    assert str(verdict.value).endswith("at w = 1/4: span{(3, -1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)}")


# -- tampering --------------------------------------------------------------------------------------------------------


def rejected(data: dict[str, Any]) -> bool:
    try:
        sm.check(reworded(data))
    except CertificateError:
        return True
    return False


def test_forged_spaces_are_rejected() -> None:
    truth = sm.prove("expected_loss", "translation_space").certificate()
    assert not rejected(truth)
    proof, text = truth["certificate"], truth["value"]["text"]
    general, default = text.split("; at ")
    other = "span{(1, 0, 0, -1)}"
    assert rejected(valued(truth, general))
    assert rejected(valued(truth, f"{general}; at c = 1/2{default[7:]}"))
    assert rejected(valued(truth, f"{general}; at c = 3/4: {other}"))
    assert rejected(valued(truth, f"{other}; at {default}"))
    label = "(0, 1 - c, -c, 2*c - 1)"
    for wrong in (
        "(0, 1 - c, -c, c - 1)",
        "(0, 1-c, -c, 2*c - 1)",
        "(0, 1/(1 - c), -c, 2*c - 1)",
        "(0, 0, 0, 0)",
        "(1)",
    ):
        parts = {wrong if key == label else key: part for key, part in proof["directions"].items()}
        lie = valued(truth, text.replace(label, wrong)) | {"certificate": proof | {"directions": parts}}
        assert rejected(lie), wrong
    fewer = {key: part for key, part in proof["directions"].items() if key != label}
    lie = valued(truth, f"{other}; at {default}") | {"certificate": proof | {"directions": fewer}}
    assert rejected(lie)
    for minors in ([], [{"tables": [[1, 1, 1, 1], [2, 2, 2, 2]], "columns": [0, 1]}],
                   [{"tables": proof["minors"][0]["tables"], "columns": [0, 0]}]):  # fmt: skip
        assert rejected(truth | {"certificate": proof | {"minors": minors}})


def test_a_direction_with_a_pole_at_a_value_of_the_parameter_is_rejected() -> None:
    """(0, 1, -c/(1 - c), …) leaves the expected loss unchanged, and is no direction at c = 1."""
    truth = sm.prove("expected_loss", "translation_space").certificate()
    label, pole = "(0, 1 - c, -c, 2*c - 1)", "(0, 1, -c/(1 - c), (2*c - 1)/(1 - c))"
    parts = {pole if key == label else key: part for key, part in truth["certificate"]["directions"].items()}
    proof = truth["certificate"] | {"directions": parts}
    with pytest.raises(CertificateError, match="no polynomial"):
        sm.check(reworded(valued(truth, truth["value"]["text"].replace(label, pole)) | {"certificate": proof}))


def test_large_coefficients_of_several_parameters_are_no_obstacle() -> None:
    """FLINT sorts the factors of a polynomial by coefficients that have to fit into a machine word."""
    field = field_for([sm.Parameter("v", 0, 1), sm.Parameter("w", 0, 1)])
    v, w = field.generators["v"], field.generators["w"]
    first, second = 10**30 * v + 10**31 * w + 1, 10**32 * v + 10**30 * w - 1
    assert is_never_zero(first * first * (v + w + 10**25), field)
    assert not is_never_zero(first * second, field)
