"""Lemmas for the kernel of the Rocq prover: what they say, that they are accepted, and that altered ones are not."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from pathlib import Path

import pytest
from effort import in_one_test, is_thorough
from theories import theory_of

import symmetrics as sm
from symmetrics.cli import main
from symmetrics.rocq.judge.compiling import require_kernel
from symmetrics.rocq.judge.gate import Script, Stated
from symmetrics.rocq.judge.judging import AXIOMS, Judgement, Theorised, judge, judge_script
from symmetrics.rocq.theories.meanings import inventory, inventory_table, judged_text
from symmetrics.rocq.theories.theory import theory, theory_text
from symmetrics.tools.errors import InputError

ROOT = Path(__file__).parents[1]
CERTIFICATES = ROOT / "proofs" / "certificates"
kernel = pytest.mark.skipif(shutil.which("coqc") is None, reason="no coqc: apt-get install coq")


def certificates(metric: str) -> str:
    return (CERTIFICATES / f"{metric}.json").read_text(encoding="utf-8")


def only(metric: str, *properties: str) -> str:
    """Return the theory of a metric with the lemmas on some properties."""
    return theory_text(
        json.dumps([entry for entry in json.loads(certificates(metric)) if entry["property"] in properties])
    )


# -- what is written -------------------------------------------------------------------------------------------------


def test_a_statement_is_one_that_a_mathematician_recognises() -> None:
    text = only("precision", "p2")
    assert "Definition precision (TP FN FP TN : Q) : Q :=\n  TP / (FP + TP)." in text
    assert "Definition precision_defined (TP FN FP TN : Q) : Prop :=\n  ~ FP + TP == 0." in text
    assert "precision TP FN FP TN == precision TP FN FP other_TN" in text
    assert "Lemma precision_p2_proved : precision_p2." in text


CONSTANT = ("range", "p1", "decomposable")


def constant(text: str) -> str:
    """Return a theory of a formula that is a number."""
    mine = sm.Metric("mine", text)
    return theory([sm.prove(mine, key) for key in CONSTANT], mine).text


def test_a_formula_that_is_a_number_has_a_theory() -> None:
    text = constant("TP/TP")
    assert "unfold mine_defined, mine" in text
    assert "fractions_or_equal" in text


@kernel
@pytest.mark.thorough
@pytest.mark.parametrize("text", ["TP/TP", "-3*FN/FN", "0*TP", "(TP + FN)/(2*TP + 2*FN)"])
def test_the_kernel_accepts_what_is_said_of_a_number(text: str, rational_prelude: Path) -> None:
    judgement = judge(constant(text), rational_prelude)
    assert not judgement.rejected
    assert {f"mine_{key}_proved" for key in CONSTANT} <= {*judgement.accepted}


def test_a_condition_is_an_equivalence_for_every_parameter_value() -> None:
    assert "Lemma cwa_p1_iff : forall w : Q, 0 <= w -> w <= 1 -> (cwa_p1 w <-> w == 1 / 2)." in only("cwa", "p1")
    refuted = "Lemma iba_gmean_p2_refuted : forall alpha : R, 0 <= alpha -> ~ iba_gmean_p2 alpha."
    assert refuted in only("iba_gmean", "p2")


TELLING = (
    "diagnostic_odds_ratio",
    "euclidean_distance",
    "f_beta",
    "consonni_todeschini_3",
    "fowlkes_mallows",
    "accuracy",
    "cole_contingency",
)
"""Metrics whose theories take little time and together four fifths of the ways through the code that writes them."""


@pytest.mark.parametrize("metric", TELLING)
def test_the_theory_is_the_one_that_is_kept(metric: str) -> None:
    kept = json.loads((ROOT / "proofs" / "manifest.json").read_text(encoding="utf-8"))["files"]
    text = theory_text(certificates(metric))
    assert kept[f"coq/{metric}.v"] == hashlib.sha256(text.encode()).hexdigest(), "run 'symmetrics build'"


@pytest.mark.thorough
@pytest.mark.parametrize("metric", [metric for metric in sm.metrics if metric not in TELLING])
def test_every_theory_is_the_one_that_is_kept(metric: str) -> None:
    test_the_theory_is_the_one_that_is_kept(metric)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("metric", sm.metrics)
def test_every_decided_verdict_is_stated_or_named(metric: str) -> None:
    theory = theory_of(metric, proofs=is_thorough())  # a sample has them in the test above
    entries = inventory(theory, json.loads(certificates(metric)))
    assert entries
    assert all(entry.lemma is not None or entry.remark for entry in entries)
    assert "Admitted" not in theory
    assert "Axiom" not in theory


def test_the_thirteen_by_five_table_is_stated_at_full_strength() -> None:
    from symmetrics.library.selections import GARCIA_METRICS, GARCIA_PROPERTIES

    for metric in GARCIA_METRICS:
        theory = theory_of(metric)
        stated = {entry.property: entry for entry in inventory(theory, json.loads(certificates(metric)))}
        assert all(stated[key].lemma is not None and not stated[key].remark for key in GARCIA_PROPERTIES), metric


def test_the_table_counts_by_kind() -> None:
    entries = inventory(only("precision", "p1", "p2"), json.loads(certificates("precision")))
    rows = [line.split("|")[1:-1] for line in inventory_table(entries).splitlines()]
    (identity,) = [row for row in rows if row[0].strip() == "identity"]
    assert identity[1].split()[:2] == ["1", "of"]
    assert int(identity[1].split()[2]) > 1


def test_a_theory_is_kept_as_long_as_it_is_what_was_written(monkeypatch: pytest.MonkeyPatch) -> None:
    text = only("precision", "p2")
    entries = json.dumps([entry for entry in json.loads(certificates("precision")) if entry["property"] == "p2"])
    for altered in (text.replace("precision_p2_proved", "other"), text.replace("from ", "from 0"), text + " "):
        assert theory_text(entries, altered) == text
    monkeypatch.setattr("symmetrics.rocq.theories.theory.theory", None)
    assert theory_text(entries, text) == text


# -- what the kernel says --------------------------------------------------------------------------------------------


@kernel
@pytest.mark.parametrize(
    ("metric", "properties"),
    [
        ("precision", ("p1", "p2")),
        ("cwa", ("p1", "p2")),
        ("mcc", ("p1", "homogeneous", "transpose")),
        ("iba_gmean", ("p1",)),
    ],
)
def test_lemmas_are_accepted(metric: str, properties: tuple[str, ...], prelude: Path) -> None:
    text = only(metric, *properties)
    judgement = judge(text, prelude)
    assert not judgement.rejected
    assert len(judgement.accepted) == len(properties) + 1
    assert judgement.axioms <= AXIOMS
    assert bool(judgement.axioms) == ("Open Scope R_scope" in text)


@kernel
@pytest.mark.parametrize(
    ("metric", "property", "before", "after"),
    [
        ("kappa", "p1", "kappa TP FN FP TN == kappa TN FP FN TP", "kappa TP FN FP TN == - kappa TN FP FN TP"),
        ("precision", "p2", "precision TP FN FP other_TN.", "precision TP FN other_TN TN."),
        ("precision", "p1", "specialize (H 1 1 1 2)", "specialize (H 1 1 1 1)"),
        ("cwa", "p1", "<-> w == 1 / 2", "<-> w == 1 / 3"),
        ("mcc", "p1", "mcc TP FN FP TN = mcc TN FP FN TP", "mcc TP FN FP TN = mcc FN TP FP TN"),
        ("precision", "increasing_tp", "precision TP FN FP TN < ", "precision (TP + other_t + other_t) FN FP TN < "),
    ],
)
def test_an_altered_lemma_is_rejected(metric: str, property: str, before: str, after: str, prelude: Path) -> None:
    text = only(metric, property)
    assert text.count(before) == 1
    judgement = judge(text.replace(before, after), prelude)
    assert list(judgement.rejected) == [re.findall(r"^Lemma (\w+)", text, re.MULTILINE)[1]]


@kernel
@pytest.mark.parametrize(
    ("metric", "sign"), [("precision", ("FP + TP", "FP - TP")), ("mcc", ("- FN * FP", "+ FN * FP"))]
)
def test_an_altered_definition_is_noticed(metric: str, sign: tuple[str, str], prelude: Path) -> None:
    text = only(metric, "p1").replace(*sign, 1)
    assert f"{metric}_values" in judge(text, prelude).rejected


@pytest.mark.thorough
@kernel
def test_what_rests_on_a_rejected_lemma_is_rejected(rational_prelude: Path) -> None:
    text = only("precision", "strongly_monotone")
    assert "refute_rational H" in text
    rejected = judge(text.replace("refute_rational H", "exfalso", 1), rational_prelude).rejected
    assert "precision_strongly_monotone_refuted" in rejected


def past_the_gate(text: str, *lemmas: str) -> Theorised:
    """Return a theory as if it had passed the gate, with the lemmas that it is said to have."""
    stated = {name: Stated(1, 0, 0, f"Lemma {name} : True.", is_lemma=True) for name in lemmas}
    first, second = text.index("From "), text.index("Open Scope")
    return Theorised(Script("theory.v", text[first:], (text[first:second].strip(), "Open Scope Q_scope."), stated))


@pytest.mark.thorough
@kernel
def test_a_smuggled_axiom_is_named_whatever_else_is_asked(rational_prelude: Path) -> None:
    text = only("precision", "p1")
    proof = text.index("Proof.", text.index("Lemma precision_p1_refuted"))
    smuggled = text[:proof] + "Proof.\n  apply smuggled.\nQed.\nPrint Assumptions I.\n"
    start = smuggled.index("Lemma precision_p1_refuted")
    smuggled = f"{smuggled[:start]}Axiom smuggled : ~ precision_p1.\n\n{smuggled[start:]}"
    found = judge_script(past_the_gate(smuggled, "precision_p1_refuted"), rational_prelude)
    assert found.unknown_axioms == {"smuggled"}


@kernel
def test_an_axiom_under_the_name_of_one_of_the_library_is_named(prelude: Path) -> None:
    text = only("precision", "p1")
    start = text.index("Lemma precision_p1_refuted")
    proof = text.index("Proof.", start)
    own = "Module ClassicalDedekindReals.\nAxiom sig_not_dec : ~ precision_p1.\nEnd ClassicalDedekindReals.\n\n"
    disguised = f"{text[:start]}{own}{text[start:proof]}Proof.\n  exact ClassicalDedekindReals.sig_not_dec.\nQed.\n"
    assert judge_script(past_the_gate(disguised, "precision_p1_refuted"), prelude).unknown_axioms


@kernel
def test_a_proof_that_is_assumed_to_end_is_named(prelude: Path) -> None:
    text = only("precision", "p1")
    start = text.index("Lemma precision_p1_refuted")
    proof = text.index("Proof.", start)
    loop = "Unset Guard Checking.\nFixpoint loop (n : nat) : ~ precision_p1 := loop n.\n\n"
    endless = f"{text[:start]}{loop}{text[start:proof]}Proof.\n  exact (loop 0%nat).\nQed.\n"
    found = judge_script(past_the_gate(endless, "precision_p1_refuted"), prelude)
    assert "loop is assumed to be guarded." in found.unknown_axioms


@kernel
def test_a_lemma_in_a_comment_is_none(prelude: Path) -> None:
    comment = "(*\nLemma precision_extra : False.\n*)\nDefinition precision_extra : Prop := True.\n"
    assert "precision_extra" not in judge(only("precision", "p1") + comment, prelude).accepted


@in_one_test
@pytest.mark.parametrize(
    ("axioms", "told"),
    [
        ([()], "1 lemma accepted in 1 theory, which is free of axioms"),
        ([(), ()], "2 lemmas accepted in 2 theories, all free of axioms"),
        (
            [(), (), ("b", "a")],
            "3 lemmas accepted in 3 theories; 2 theories free of axioms, 1 theory with lemmas that rest on\n  a\n  b",
        ),
        ([("a",)], "1 lemma accepted in 1 theory; 0 theories free of axioms, 1 theory with lemmas that rest on\n  a"),
    ],
)
def test_what_the_kernel_accepts_rests_on_is_counted_by_theories(axioms: list[tuple[str, ...]], told: str) -> None:
    judgements = [Judgement((f"lemma_{i}",), {}, frozenset(names)) for i, names in enumerate(axioms)]
    assert judged_text([], judgements).split("\n\n")[-1] == told


# -- the command -----------------------------------------------------------------------------------------------------


def test_a_missing_kernel_is_named_with_its_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(InputError, match="apt-get install coq"):
        require_kernel()


def test_what_is_no_theory_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--kernel", "coq", "somewhere", "--root", str(ROOT)]) == 2
    assert "unknown metric 'somewhere'" in capsys.readouterr().err


@pytest.mark.thorough
@kernel
def test_a_theory_is_given_to_the_kernel(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--kernel", "coq", str(ROOT / "proofs" / "coq" / "precision.v"), "--root", str(ROOT)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert any(line.split()[:3] == ["identity", "11", "0"] for line in lines)
    assert re.fullmatch(r"\d+ lemmas accepted in 1 theory, which is free of axioms", lines[-1])


def test_a_repository_without_theories_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("symmetrics.repository.verifying.require_kernel", lambda: "coqc")
    assert main(["check", "--kernel", "coq", "--root", str(tmp_path)]) == 2
    assert "no certificates at" in capsys.readouterr().err
