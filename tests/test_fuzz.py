"""The fuzzer runs, finds nothing at a fixed seed, and does find what is planted."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest
from effort import in_one_test
from fuzz_conditions import cases_at, holds
from fuzz_formulas import difference, sign_of, state_of, value_of
from fuzz_grammars import Grammar, Reality
from fuzz_judge import Judge
from fuzz_laws import LAWS
from sympy import Integer

import symmetrics as sm

BENCHMARKS = Path(__file__).resolve().parent.parent / "benchmarks"
PLACE = {name: Fraction(count) for name, count in zip(("TP", "FN", "FP", "TN", "w"), (2, 3, 5, 7, 4), strict=True)}


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(BENCHMARKS / "fuzz.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


@pytest.mark.thorough
def test_a_short_run_finds_no_contradiction():
    done = run("--seconds", "8", "--pairs", "400", "--seed", "2026", "--limit", "4")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "contradictions: 0" in done.stdout


@pytest.mark.thorough
@pytest.mark.parametrize("kind", ["reality", "relations", "identify", "spaces", "special", "certificates"])
def test_a_short_run_of_each_kind_finds_no_contradiction(kind):
    done = run("--kind", kind, "--seconds", "6", "--pairs", "60", "--seed", "2026", "--limit", "4")
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{kind}: " in done.stdout
    assert "contradictions: 0" in done.stdout


@pytest.mark.thorough
def test_the_kinds_take_turns():
    done = run("--kind", "all", "--seconds", "20", "--pairs", "7", "--seed", "5", "--limit", "4")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith("7 pairs")
    assert "contradictions: 0" in done.stdout
    for kind in ("formulas", "reality", "relations", "identify", "spaces", "special", "certificates"):
        assert f"{kind}: 1" in done.stdout


@pytest.mark.thorough
def test_a_contradiction_is_an_exit_status_and_a_command_that_repeats_it():
    asked = '["less_equal", "false", "TP/(TP + FN)", "2*TP/(TP + FN)"]'
    done = run("--kind", "relations", "--repeat", asked)
    assert done.returncode == 1
    assert "proved, but it is known to be false" in done.stdout
    assert f"--kind relations --repeat '{asked}'" in done.stdout


@pytest.mark.thorough
def test_one_question_is_repeated():
    done = run("--formula", "w*TP + (1 - w)*TN", "--param", "w in [0, 1]", "--property", "p1")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "conditional" in done.stdout


@pytest.mark.thorough
def test_the_values_are_those_of_the_package():
    compared = 0
    for number in range(300):
        text, declarations = Grammar(Random(number)).formula()
        if declarations:
            continue
        value = value_of(text, PLACE)
        try:
            metric = sm.Metric("fuzzed", sm.parse_formula(text))
        except sm.SymmetricsError:
            continue
        stated = metric.expr.xreplace({cell: Integer(int(PLACE[cell.name])) for cell in metric.expr.free_symbols})
        if value is not None and stated.is_real:
            compared += 1
            middle = value if isinstance(value, Fraction) else value.mid
            assert float(stated) == pytest.approx(float(middle)), text
    assert compared > 100


@in_one_test
@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("TP/(TP + FN)", "p4"),
        ("TP", "p1"),
        ("TP - Abs(TP - TN)/(TP - TN)", "increasing_tp"),
        ("FN/TP", "strongly_monotone"),
        ("sqrt(TP) + TN", "homogeneous"),
        ("log(TP)", "antisymmetric"),
    ],
)
def test_a_false_proof_is_found(text, key):
    lie = {"status": "proved", "condition": None, "witness": None}
    judges = [Judge(text, (), Random(seed)) for seed in range(5)]
    assert any(judge.complaint(key, lie, None) for judge in judges)


def test_false_proofs_and_counterexamples_are_found() -> None:
    # A false proof at the end of a domain is found.
    judge = Judge("sqrt(w)*TP", ("w in [0, 1]",), Random(1))
    assert judge.complaint("increasing_tp", {"status": "proved", "condition": None, "witness": None}, None)
    # A false counterexample is found.
    tables = [{"tp": 1, "fn": 1, "fp": 1, "tn": 1}, {"tp": 2, "fn": 1, "fp": 1, "tn": 1}]
    witness = {"tables": tables, "values": ["1/2", "2/3"], "parameters": {}}
    lie = {"status": "refuted", "condition": None, "witness": witness}
    judge = Judge("TP/(TP + FN)", (), Random(1))
    assert judge.complaint("increasing_tp", lie, None)
    assert judge.complaint("p2", lie, None)
    assert judge.complaint("p4", lie, None) is None
    witness["values"] = ["1/2", "3/4"]
    assert judge.complaint("p4", lie, None)


@in_one_test
@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("range", "[0, 1/2]"),
        ("symmetry_group", "M: identity, (TP TN)(FN FP)"),
        ("translation_space", "span{(1, 1, 0, 0)}"),
        ("scaling_space", "span{(1, 0, 0, 0)}"),
        ("tn_limit", "1/2"),
        ("decomposable", "TP/(FN + 2*TP)"),
    ],
)
def test_a_false_value_is_found(key, value):
    judge = Judge("TP/(TP + FN)", (), Random(3))
    assert judge.complaint(key, {"status": "proved", "condition": None, "witness": None}, value)


def test_conditions_and_cases_are_read() -> None:
    # Conditions are read.
    values = {"w": Fraction(1, 3), "v": Fraction(1)}
    assert holds("w <= 1/3", values)
    assert holds("w = 1/2 or (w < 1/2 and v != 2)", values)
    assert not holds("w != 1/3", values)
    assert holds("v = 3*w", values)
    assert holds("0 <= w < 1", values)
    assert not holds("0 <= v < 1", values)
    assert holds("w = 1/3, v = 1", values)
    with pytest.raises(ValueError, match="no condition"):
        holds("sometimes", values)
    with pytest.raises(ValueError, match="cannot be read"):
        holds("w = elsewhere", values)
    # Values with cases are read.
    value = "{0}; span{(1, 0, 0, 0)} if w = 0 or w = 1; at w = 0: span{(1, 0, 0, 0)}"
    assert cases_at(value, {"w": Fraction(0)}) == ["span{(1, 0, 0, 0)}"] * 2
    assert cases_at(value, {"w": Fraction(1)}) == ["span{(1, 0, 0, 0)}"]
    assert cases_at(value, {"w": Fraction(1, 2)}) == ["{0}"]
    assert cases_at("0 if w = 0", {"w": Fraction(1)}) == []


def test_every_law_belongs_to_a_property():
    assert set(LAWS) <= set(sm.properties)
    random = Random(5)
    for laws in LAWS.values():
        for law in laws:
            assert law.belongs(*law.draw(random))


def test_values_of_formulas() -> None:
    # Roots are exact where they can be.
    assert value_of("(TP**3*8)**(1/3)", PLACE) == 4
    assert sign_of(difference(value_of("sqrt(TP)", PLACE), Fraction(141421356, 10**8))) == 1
    assert value_of("1/(TP - 2)", PLACE) is None
    assert value_of("sqrt(TP - FN)", PLACE) is None
    # What has no value is told from what is not certain.
    assert state_of("log(TP - FN)", PLACE) == (None, True)
    assert state_of("1/(TP - 2)", PLACE) == (None, True)
    assert state_of("1/(sqrt(2)*sqrt(3) - sqrt(6))", PLACE) == (None, False)
    # Restricted reality is drawn.
    drawn = [Reality(Random(number)).formula() for number in range(200)]
    places = [PLACE | {"v": Fraction(1, 2)}, {**PLACE, "TP": Fraction(9), "TN": Fraction(1), "v": Fraction(1, 2)}]
    states = [[state_of(text, place)[1] for place in places] for text, _ in drawn]
    assert sum(first != second for first, second in states) > 20
