"""Formulas are built as SymPy builds them while its switch ``distribute`` is off, and without turning it."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from sympy import Abs, Expr, Integer, log, sqrt, srepr
from sympy.core import parameters
from sympy.core.parameters import distribute

from symmetrics.language.cells import CELLS, FN, TP, parameter_symbol
from symmetrics.language.formula import _read, parse_formula
from symmetrics.language.names import CELL_NAMES
from symmetrics.tools.errors import FormulaError

Written = tuple[str, Callable[[], Expr]]
"""A formula as text, and what computes it by SymPy's operators."""

SIGNS = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv}
EXPONENTS = ("2", "3", "-1", "-2", "0", "(1/2)", "(-1/3)", "w", "(2*(w + 1))")
w = parameter_symbol("w")


def leaf(value: Expr) -> Written:
    return str(value), lambda: value


def joined(sign: str, left: Written, right: Written) -> Written:
    return f"({left[0]} {sign} {right[0]})", lambda: SIGNS[sign](left[1](), right[1]())


def raised(base: Written, text: str) -> Written:
    def value() -> Expr:
        exponent = parse_formula(text, ("w",)) if text != "(2*(w + 1))" else 2 * (w + 1)
        return base[1]() ** exponent

    return f"({base[0]})**{text}", value


def called(function: Any, argument: Written) -> Written:
    def value() -> Expr:
        inner = argument[1]()
        with distribute(True):
            return function(inner)

    return f"{function.__name__}({argument[0]})", value


def larger(smaller: st.SearchStrategy[Written]) -> st.SearchStrategy[Written]:
    sums = st.builds(joined, st.sampled_from("+-"), smaller, smaller)
    numbers = st.integers(-4, 4).map(Integer).map(leaf)
    return (
        st.builds(joined, st.sampled_from("+-*/"), smaller, smaller)
        | st.builds(joined, st.sampled_from("*/"), sums, numbers)
        | sums.map(lambda one: (f"-{one[0]}", lambda: -one[1]()))
        | st.builds(raised, smaller, st.sampled_from(EXPONENTS))
        | st.builds(called, st.sampled_from([sqrt, Abs, log]), smaller)
    )


leaves = (st.sampled_from([*CELLS, w]) | st.integers(-4, 4).map(Integer)).map(leaf)


margin = joined("+", leaf(TP), leaf(FN))
two = leaf(Integer(2))


@given(st.recursive(leaves, larger, max_leaves=10))
@example(joined("/", leaf(Integer(1)), joined("/", two, margin)))  # what is multiplied out was no sum before
@example(joined("*", leaf(Integer(0)), margin))
@example(raised(joined("*", leaf(Integer(-4)), margin), "(1/2)"))  # a sign is taken out of the root
@example(joined("*", raised(margin, "w"), raised(margin, "(2*(w + 1))")))  # exponents are added
def test_a_formula_is_what_sympy_builds_while_nothing_is_distributed(written: Written) -> None:
    text, value = written
    try:
        found = parse_formula(text, ("w",))
    except FormulaError:  # it divides by zero, or has no real value
        assume(False)
    with distribute(False):
        assert srepr(found) == srepr(value())


@pytest.mark.parametrize("text", ["2*(TP + FN)/(3*(TP + FN - (FP - TN)))**2", "-(TP - FN)/2 - 3*(TP + FN)**-2"])
def test_sympy_forgets_nothing_when_a_formula_is_read(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    forgotten: list[str] = []
    monkeypatch.setattr(parameters, "clear_cache", lambda: forgotten.append(text))
    _read.__wrapped__(text, (), CELL_NAMES)
    assert not forgotten
