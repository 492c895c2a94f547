"""Z3 is asked only on request; what rests on its word says so, and is asked again in another form."""

from __future__ import annotations

import pytest
from sympy import log, sqrt

import symmetrics as sm
from symmetrics.checker import check
from symmetrics.claims import Inequality, StrictInequality, value_symbol
from symmetrics.claims.evidence import Evidence
from symmetrics.claims.verdict import Verdict
from symmetrics.language.cells import CELLS, FN, FP, TN, TP
from symmetrics.prover import asking_z3, decide
from symmetrics.prover.engine.smt import Question
from symmetrics.tools.errors import CertificateError, InputError

MOTZKIN = TP**4 * FN**2 + TP**2 * FN**4 + 1 - 3 * TP**2 * FN**2
"""Nowhere negative, zero at (1, 1), and no sum of squares."""


def test_question_and_answer() -> None:
    pytest.importorskip("z3")
    question = Question(CELLS)
    question.require(sqrt(TP / (TP + FN)) - 1, ">=")
    assert question.answer() == "unsat"
    question = Question(CELLS)
    question.require(TP - FN, ">")
    assert question.answer() == "sat"


def test_what_rests_on_its_word_is_named_and_confirmed() -> None:
    pytest.importorskip("z3")
    claim = Inequality(MOTZKIN, (), (CELLS,), relation=value_symbol(0))
    assert decide(claim, metric="motzkin", property="nonnegative").evidence.kind != "z3"
    with asking_z3():
        verdict = decide(claim, metric="motzkin", property="nonnegative")
    assert verdict.status == "proved"
    if verdict.evidence.kind == "z3":
        assert "Z3" in verdict.evidence.sentence
    check(Verdict.from_json(verdict.to_json()))


def test_its_word_cannot_be_put_into_its_mouth() -> None:
    pytest.importorskip("z3")
    false = StrictInequality(MOTZKIN, (), (CELLS,), relation=value_symbol(0))
    forged = Verdict("motzkin", "positive", false, "proved", True, Evidence("z3"))
    with pytest.raises(CertificateError, match="Z3 does not confirm it"):
        check(forged)


def test_logarithms_are_not_asked_about() -> None:
    pytest.importorskip("z3")
    with pytest.raises(sm.SymmetricsError, match="Z3 is not asked about log"):
        Question(CELLS).require(log(TP) + FP * TN, ">")


def test_without_z3_there_is_a_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("symmetrics.prover.engine.smt.is_installed", lambda: False)
    with pytest.raises(InputError, match=r"Z3 is not installed: pip install"):
        sm.prove("f1", "increasing_tp", smt=True)
