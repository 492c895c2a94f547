"""The definitions in the theories, read by an evaluator of their own: they have the values that the library computes.

The evaluator shares nothing with the printer of formulas: it reads the text of the repository's theories with Rocq's
rules of precedence, and computes with fractions, or with forty digits where there are roots or logarithms.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path

import mpmath
import pytest
from sympy import Rational
from theories import theory_of

import symmetrics as sm
from symmetrics import FN, TP
from symmetrics.language.formula import parse_formula
from symmetrics.rocq.engine.terms import term

ROOT = Path(__file__).parents[1]
TABLES = ((2, 3, 5, 7), (11, 2, 3, 1), (1, 4, 2, 9), (8, 5, 4, 3), (20, 1, 13, 6), (3, 17, 2, 2))
FUNCTIONS: dict[str, tuple[int, Callable[..., object]]] = {
    "sqrt": (1, mpmath.sqrt),
    "ln": (1, mpmath.log),
    "root": (2, lambda degree, x: mpmath.root(x, int(degree))),
    "Rabs": (1, abs),
    "Rmin": (2, min),
    "Rmax": (2, max),
}
_WORD = re.compile(r"[A-Za-z_]\w*|\d+|[()+*/^-]")


class Reader:
    """A term of Rocq that is being evaluated: sums, products, a sign before a product, powers, applications."""

    def __init__(self, text: str, values: Mapping[str, Fraction]) -> None:
        self.words = [*_WORD.findall(text), "end"]
        self.number = mpmath.mpf if {*FUNCTIONS, "PI"} & {*self.words} else Fraction
        self.values = values

    def take(self) -> str:
        return self.words.pop(0)

    def sum(self) -> object:
        value = self.product()
        while self.words[0] in "+-":
            sign, other = self.take(), self.product()
            value = value + other if sign == "+" else value - other  # type: ignore[operator]
        return value

    def product(self) -> object:
        value = self.signed()
        while self.words[0] in "*/":
            sign, other = self.take(), self.signed()
            value = value * other if sign == "*" else value / other  # type: ignore[operator]
        return value

    def signed(self) -> object:
        if self.words[0] == "-":
            self.take()
            return -self.signed()  # type: ignore[operator]
        return self.power()

    def power(self) -> object:
        base = self.application()
        if self.words[0] != "^":
            return base
        self.take()
        return base ** int(self.take())  # type: ignore[operator]

    def application(self) -> object:
        if self.words[0] not in FUNCTIONS:
            return self.atom()
        count, function = FUNCTIONS[self.take()]
        return function(*(self.atom() for _ in range(count)))

    def atom(self) -> object:
        word = self.take()
        if word == "(":
            value = self.sum()
            assert self.take() == ")"
            return value
        if word == "PI":
            return mpmath.pi()
        given = self.values[word] if not word.isdecimal() else Fraction(word)
        return given if self.number is Fraction else self.number(given.numerator) / given.denominator


def definition(name: str) -> tuple[str, str]:
    """Return the variables and the term of the formula that the theory of a metric defines."""
    text = theory_of(name, proofs=False)
    found = re.search(rf"^Definition {name} \(([\w ]+) : [QR]\) : [QR] :=\n  (.*)\.$", text, re.MULTILINE)
    assert found, name
    return found[1], found[2]


@pytest.mark.sampled(10)
@pytest.mark.parametrize("name", sm.metrics)
def test_a_definition_has_the_values_of_its_metric(name: str) -> None:
    variables, text = definition(name)
    metric = sm.metrics[name]
    chosen = {p.name: p.default if p.default is not None else p.lower for p in metric.parameters}
    bound = metric.at(**chosen)
    compared = 0
    with mpmath.workdps(40):
        for table in TABLES:
            value = bound.exact(*table)
            if not (value.is_finite and value.is_real):
                continue
            numbers = [Fraction(*map(int, Rational(chosen[p.name]).as_numer_denom())) for p in metric.parameters]
            reader = Reader(text, dict(zip(variables.split(), [*numbers, *map(Fraction, table)], strict=True)))
            found = reader.sum()
            assert reader.words == ["end"]
            if isinstance(found, Fraction):
                assert Rational(found.numerator, found.denominator) == value
            else:
                assert abs(found - mpmath.mpf(str(value.evalf(40)))) < mpmath.mpf(10) ** -30  # type: ignore[operator]
            compared += 1
    assert compared >= 3


@pytest.mark.parametrize("text", ["Min(TP, FN)", "Max(TP, FN)", "Abs(TP - FN)", "1/Min(TP, FN) - Max(TP, 1, FN**2)"])
def test_a_term_has_the_value_of_its_formula(text: str) -> None:
    formula = parse_formula(text)
    for tp, fn in ((2, 3), (3, 2)):
        with mpmath.workdps(40):
            found = Reader(term(formula), {"TP": Fraction(tp), "FN": Fraction(fn)}).sum()
            assert abs(found - mpmath.mpf(str(formula.subs({TP: tp, FN: fn}).evalf(40)))) < 1e-30  # type: ignore[operator]


def test_the_evaluator_reads_as_the_prover_does() -> None:
    assert Reader("1 - 2 - 3", {}).sum() == -4
    assert Reader("12 / 2 / 3 * 2", {}).sum() == 4
    assert Reader("- 2 ^ 2", {}).sum() == -4
    assert Reader("- (1 / 2) + x", {"x": Fraction(1)}).sum() == Fraction(1, 2)
    assert Reader("Rmax (3) (Rmin 5 4) * 2", {}).sum() == 8
