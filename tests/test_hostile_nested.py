"""Whole certificates on signs, made by hand, in which roots stand in roots or are zero: none proves what is false."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from effort import in_one_test
from forging import refusal
from sympy import symbols
from test_hostile import POSITIVE, difference, metric, nonnegative, piece, pieces_of, proof
from test_hostile_divisors import written
from test_hostile_signs import CELLS, TWICE, factor, log, power, under

from symmetrics.checker import check
from symmetrics.checker.engine.fractions import Arithmetic
from symmetrics.checker.engine.signs import SignChecker

Data = dict[str, Any]


def chained(text: str, numerator: str, atoms: Data, values: list[str], chains: Data, tree: Data) -> str | None:
    """Return why a verdict that a formula is nowhere negative is refused, None if it is not."""
    own = metric(text)
    record = piece(numerator, atoms=atoms, values=values, chains=chains, tree=tree)
    return refusal(check, proof(own, "own", difference(record), nonnegative(own)))


@in_one_test
@pytest.mark.parametrize("atoms", [{"r": power("L")}, {"q": power("L"), "r": power("q")}])
def test_a_logarithm_of_a_ratio_is_not_taken_inside_a_root(atoms: Data) -> None:
    """With a chain L stands for log((TP + FN)/TP), but r is a root of log(TP + FN), or one of a root of it.

    At TP = 1/10, FN = 1 and FP = 2 the formula is negative.
    """
    found = chained(
        "(1 + sqrt(log(TP + FN)))*FP**2 - 2*FP*(log(TP + FN) - log(TP)) + log(TP + FN)**(3/2)",
        "1*FP**2 + 1*FP**2*r**(1/2) + (-2)*FP*L + 1*r**(3/2)",
        {"L": log("TP+FN"), "K": log("TP")} | atoms,
        ["L", "K", "r**(1/2)", "r**(3/2)"],
        {"L": "K"},
        {"quadratic": "FP", "parts": [POSITIVE, POSITIVE]},
    )
    assert found == "a chain is about a logarithm inside a root"


def test_a_logarithm_of_a_ratio_is_not_taken_inside_what_it_is_a_ratio_of() -> None:
    """L stands for log((TP + 2)/(1 + r)), and r for the root of log(TN + 2), which is one of a ratio elsewhere."""
    atoms = {"M": log("TN+2"), "N": log("TN+1"), "r": power("M"), "K": log("1+r**(1/2)"), "L": log("TP+2")}
    arithmetic = Arithmetic(CELLS, [], atoms, ["r**(1/2)"])
    poly = arithmetic.polynomial("1*TP*L + (-1)*FN")
    assert refusal(SignChecker(arithmetic, (), {"L": "K"}).unchained, poly) is None
    found = refusal(SignChecker(arithmetic, (), {"L": "K", "M": "N"}).unchained, poly)
    assert found == "a chain is about a logarithm inside a root"


def test_a_condition_is_not_used_for_a_variable_inside_a_root_of_its_roots() -> None:
    """Where TP > FN it is TP - (TP**4 + FN**4)**(1/4), and zero elsewhere."""
    own = metric("Max(TP - FN, 0)/(TP - FN)*(TP - (TP**4 + FN**4)**(1/4))")
    claim = nonnegative(own)
    atoms = {"q": power("TP**4+FN**4"), "r": power("q**(1/2)")}
    record = piece("1*TP + (-1)*r**(1/2)", atoms=atoms, values=["r**(1/2)"], tree=under("TP", TWICE))
    data = difference(*pieces_of(claim.difference, record | {"given": ["1*TP + (-1)*FN"]}))
    found = refusal(check, proof(own, "own", data, claim))
    assert found == "a root or logarithm changes with the variable that is moved"


@in_one_test
@pytest.mark.parametrize("listed", [list, tuple])
def test_where_a_root_is_zero_its_square_says_nothing(listed: Callable[[Any], Any]) -> None:
    """The formula is zero at FN = 1/2 and TP = TN; where FN < 1 a condition that holds for FN >= 1 shows nothing."""
    own = metric("(2*FN - 1)**2*(1 + sqrt(Abs(TP - TN))) + (1 - FN)*Abs(TP - TN)**(1/4)")
    atoms = {"q": power("TP-TN"), "r": power("q**(1/2)")}
    fn, q = symbols("FN q")
    norm = written(((2 * fn - 1) ** 2 * (1 + q)) ** 2 - (1 - fn) ** 2 * q)
    square = factor("2*FN + (-1)", 2, 1, {"square": True})["factors"]
    tree = {
        "root": "r",
        "plain": {"factors": listed([*square, *factor("1 + 1*q**(1/2)")["factors"]])},
        "norm": {"factors": listed(factor(in_roots(norm), 1, 1, under("FN"))["factors"])},
    }
    numerator = written((2 * fn - 1) ** 2 * (1 + q)) + " + 1*r**(1/2) + (-1)*FN*r**(1/2)"
    record = piece(in_roots(numerator), atoms=atoms, values=["q**(1/2)", "r**(1/2)"], tree=tree)
    assert refusal(check, proof(own, "own", difference(record), nonnegative(own))) is None
    strict = proof(own, "own", difference(record), nonnegative(own, strict=True))
    assert refusal(check, strict) == "the proof leaves room for equality"


def in_roots(text: str) -> str:
    """Return a polynomial in the square root of q, whose powers stand for those of q."""
    return text.replace("q**1", "q**(1/2)").replace("q**2", "q**1")


@in_one_test
@pytest.mark.parametrize("chains", [{"L": "r"}, {"r": "L"}, {"L": "TP"}, {"L": "nothing"}])
def test_a_chain_is_one_of_logarithms(chains: Data) -> None:
    """log(TP + 2) < sqrt(TP + 1) for large TP."""
    found = chained(
        "log(TP + 2) - sqrt(TP + 1)",
        "1*L",
        {"L": log("TP+2"), "r": power("TP+1")},
        ["L", "r**(1/2)"],
        chains,
        POSITIVE,
    )
    assert found == "a chain names something that is no logarithm"
