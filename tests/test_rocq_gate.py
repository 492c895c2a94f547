"""Attacks on the gate before the kernel: files that display a sentence that was never proved, or do something else.

Each has to be refused with the file, the line and the sentence, before the kernel sees it; and where it is let through
on purpose, the kernel and the questions that are put to it have to notice.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from effort import in_one_test, is_thorough, some
from tables import rows
from theories import theory_of

import symmetrics as sm
from symmetrics.claims.verdict import Verdict
from symmetrics.cli import main
from symmetrics.rocq.judge.compiling import CONFINED, EFFECTS, STATEMENT, compile_file
from symmetrics.rocq.judge.gate import HEADERS, Script, Stated, read_script, without_comments
from symmetrics.rocq.judge.judging import Judgement, Theorised, judge, judge_script
from symmetrics.rocq.theories.meanings import Question, meaning, meanings
from symmetrics.rocq.theories.theory import headed, theory
from symmetrics.tools.errors import CertificateError

ROOT = Path(__file__).parents[1]
THEORIES = ROOT / "proofs" / "coq"
CERTIFICATES = ROOT / "proofs" / "certificates"
kernel = pytest.mark.skipif(shutil.which("coqc") is None, reason="no coqc: apt-get install coq")


def certificates(metric: str, *properties: str) -> list[dict[str, Any]]:
    entries = json.loads((CERTIFICATES / f"{metric}.json").read_text(encoding="utf-8"))
    return [entry for entry in entries if entry["property"] in properties]


F1 = headed("0" * 16, theory(map(Verdict.from_certificate, certificates("f1", "p1", "p3", "range", "tn_limit"))).text)
"""A theory as it is generated, but for the fingerprint of the code that does."""
SHORT = F1 if is_thorough() else headed("0" * 16, theory(map(Verdict.from_certificate, certificates("f1", "p3"))).text)
"""What the kernel reads in a sample of what is altered, which is about p3."""
RANGE = "Lemma f1_range_proved : f1_range /\\ f1_range_value."
REFUTED = "Lemma f1_p3_refuted : ~ f1_p3."


def before(place: str, text: str) -> str:
    """Return the theory with some text before a place."""
    assert F1.count(place) == 1
    return F1.replace(place, f"{text}\n{place}")


def proof_of(lemma: str, proof: str) -> str:
    """Return the theory with another proof of a lemma."""
    start = F1.index("Proof.", F1.index(lemma))
    end = F1.index("Qed.", start) + len("Qed.")
    return F1[:start] + proof + F1[end:]


def refusal(text: str) -> str:
    """Return why a theory is refused."""
    with pytest.raises(CertificateError) as caught:
        read_script(text, "f1.v")
    return str(caught.value)


def line_of(text: str, part: str) -> int:
    return text.count("\n", 0, text.index(part)) + 1


# -- genuine files -----------------------------------------------------------------------------------------------------


@in_one_test
@pytest.mark.sampled(20)
@pytest.mark.parametrize("file", sorted(THEORIES.glob("*.v")), ids=lambda file: file.stem)
def test_every_theory_of_the_repository_passes(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    script = read_script(text, file.name)
    assert script.header in HEADERS
    assert script.lemmas
    assert all(f"\nLemma {name} :" in text for name in script.lemmas)
    assert all(f"\nDefinition {name} " in text for name in script.stated if name not in script.lemmas)


def test_a_theory_with_the_line_ends_of_another_system_passes() -> None:
    assert read_script(F1.replace("\n", "\r\n"), "f1.v").lemmas == read_script(F1, "f1.v").lemmas


def test_comments_become_spaces_so_that_lines_and_places_stay() -> None:
    script = read_script(before(RANGE, "(* one (* two *)\n three *)"), "f1.v")
    assert script.stated["f1_range_proved"].line == read_script(F1, "f1.v").stated["f1_range_proved"].line + 2
    assert "three" not in script.text


def test_a_comment_that_does_not_end_is_named_by_the_line_where_it_begins() -> None:
    text = "(* one *)\n\n(* two (* three *)\n"
    with pytest.raises(CertificateError, match=r"f1\.v, line 3: '\(\* two .*does not end"):
        without_comments(text, "f1.v")
    with pytest.raises(CertificateError, match="line 4"):
        without_comments(f"{text}*)(*", "f1.v")


# -- sentences that are refused ----------------------------------------------------------------------------------------

COMMANDS = rows("rocq_gate", "commands")


@in_one_test
@pytest.mark.parametrize("command", COMMANDS)
def test_what_the_generator_does_not_write_is_refused(command: str) -> None:
    message = refusal(before(RANGE, command))
    assert message.startswith(f"f1.v, line {line_of(F1, RANGE)}: {ascii(command)[:-1][:12]}")
    assert " is not allowed: " in message
    assert "'symmetrics build'" in message


@in_one_test
@pytest.mark.parametrize("command", COMMANDS)
def test_it_is_refused_in_a_proof_too(command: str) -> None:
    text = proof_of(REFUTED, f"Proof.\n  intro H.\n  {command}\nQed.")
    message = refusal(text)
    assert message.startswith("f1.v, line ")
    assert " is not allowed: " in message


@in_one_test
@pytest.mark.parametrize(
    "step",
    rows("rocq_gate", "steps"),
)
def test_a_proof_does_nothing_but_prove(step: str) -> None:
    assert " is not allowed: " in refusal(proof_of(REFUTED, f"Proof.\n  intro H.\n  {step}\nQed."))


# -- the attacks of the review -----------------------------------------------------------------------------------------


def test_a_section_with_a_false_hypothesis_around_a_lemma_is_refused() -> None:
    start, end = F1.index(RANGE), F1.index("Qed.", F1.index(RANGE)) + len("Qed.")
    for hypothesis in ("Variable oops : False.", "Context (oops : False)."):
        lemma = f"{RANGE}\nProof.\n  destruct oops.\nQed."
        text = f"{F1[:start]}Section S.\n{hypothesis}\n{lemma}\nEnd S.{F1[end:]}"
        assert refusal(text).startswith(f"f1.v, line {line_of(text, 'Section S.')}: 'Section S.' is not allowed")


def test_a_lemma_that_is_given_up_before_a_definition_of_its_name_is_refused() -> None:
    text = proof_of(RANGE, "Proof. Abort.\nDefinition f1_range_proved : Prop := True.")
    assert "'Abort.' is not allowed: no step of a proof begins with 'Abort'" in refusal(text)


def test_a_lemma_whose_name_is_longer_by_a_mark_is_refused() -> None:
    text = F1.replace(REFUTED, "Definition f1_p3_refuted := I.\nLemma f1_p3_refuted' : True.")
    assert "Definition f1_p3_refuted := I." in refusal(text)
    text = F1.replace(REFUTED, "Lemma f1_p3_refuted' : True.")
    assert "Lemma f1_p3_refuted' : True." in refusal(text)


@in_one_test
@pytest.mark.parametrize("word", some(sorted(STATEMENT | EFFECTS), 12, "words of statements"))
def test_no_word_of_statements_is_given_another_meaning(word: str) -> None:
    definition = f"Definition {word} : Prop := True."
    assert f"{word!r} is not the name of a formula" in refusal(before(RANGE, definition))
    assert " is not allowed: " in refusal(before(RANGE, f"Lemma {word} : True.\nProof.\n  exact I.\nQed."))
    for bound in (
        f"Definition oops ({word} : Q) : Prop := True.",
        f"Definition oops : Prop := forall {word} : Q, True.",
    ):
        assert " is not allowed: " in refusal(before(RANGE, bound))


def test_a_name_stands_once() -> None:
    text = F1 + "\nLemma f1_p3_refuted : True.\nProof.\n  exact I.\nQed.\n"
    assert f"f1_p3_refuted stands in line {line_of(F1, REFUTED)} already" in refusal(text)
    assert "f1 stands in line" in refusal(F1 + "\nDefinition f1 (TP FN FP TN : Q) : Q :=\n  1.\n")


def test_a_variable_does_not_take_the_name_of_a_formula() -> None:
    text = before(RANGE, "Definition oops : Prop := forall f1 : Q, f1 == f1.")
    assert "'f1' has a meaning of its own" in refusal(text)


@in_one_test
@pytest.mark.parametrize(
    "start",
    rows("rocq_gate", "starts"),
)
def test_a_theory_begins_as_the_generator_begins_it(start: str) -> None:
    rest = F1[F1.index("Definition f1 ") :]
    assert "is not allowed" in refusal(f"{start}\n{rest}")


def test_an_empty_theory_is_refused() -> None:
    for text in ("", "\n", "(* nothing *)"):
        assert refusal(text) == "f1.v holds no sentence; restore it with 'symmetrics build'"


# -- where comments, strings and sentences end -------------------------------------------------------------------------


@in_one_test
@pytest.mark.parametrize(
    "trick",
    rows("rocq_gate", "tricks"),
)
def test_what_two_readers_could_read_in_two_ways_is_refused(trick: str) -> None:
    assert "is not allowed" in refusal(before(RANGE, trick)) or "already" in refusal(before(RANGE, trick))


def test_a_theory_that_breaks_off_is_refused() -> None:
    """The compiler would say so, too; but what is read of a theory is said of it before."""
    assert "its proof does not end with 'Qed.'" in refusal(F1[: F1.rindex("Qed.")])
    assert "has to be 'Proof.'" in refusal(F1[: F1.rindex("Proof.")])
    assert "the sentence does not end" in refusal(f"{F1}\nLemma oops : True")


def test_no_control_character_of_a_file_reaches_the_message() -> None:
    message = refusal(before(RANGE, "\x1b[31mAxiom oops : False."))
    assert message.isprintable()
    assert len(refusal(before(RANGE, "Axiom " + "x" * 10**6 + " : False."))) < 500


def test_a_theory_that_is_too_long_is_refused_before_it_is_read() -> None:
    assert "at most 2000000" in refusal(F1 + " " * 2_000_000)


# -- what the kernel is asked ------------------------------------------------------------------------------------------


@kernel
@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param(
            "Definition f1_range : Prop := bounded f1 f1_defined.",
            "Definition f1_range : Prop := bounded f1 f1_defined.",
            marks=pytest.mark.thorough,  # that it is accepted as it is written, the command shows below
        ),
        (" 0 < other_FP -> ", " 0 < other_FP -> 0 < other_FP -> "),
        *(
            pytest.param(old, new, marks=pytest.mark.thorough)
            for old, new in [
                ("2 * TP / (FN + FP + 2 * TP).\n\nDefinition", "2 * TP / (2 * TP + FN + FP).\n\nDefinition"),
                ("f1_p3 : Prop :=", "f1_p3 : Prop := True ->"),
                ("f1 TP FN FP TN == f1 TP FN other_FP TN", "f1 TP FN FP TN == f1 TP FN (other_FP + 1) TN"),
                ("open_lower_end f1 f1_defined 0", "lower_end f1 f1_defined (- 1)"),
                ("Lemma f1_p3_refuted : ~ f1_p3.", "Lemma f1_p3_refuted : ~ f1_p3 /\\ True."),
                ("Lemma f1_p3_refuted : ", "Lemma f1_p3_rejected : "),
            ]
        ),
    ],
)
def test_a_lemma_that_says_something_else_is_rejected(old: str, new: str, short_prelude: Path) -> None:
    assert SHORT.count(old) == 1
    altered = SHORT.replace(old, new)
    if "refuted : ~ f1_p3 /\\ True" in new:
        altered = altered.replace(
            "intro H. specialize (H 1 1 1 1 2).", "split; [| exact I]. intro H. specialize (H 1 1 1 1 2)."
        )
    judgement = judge(altered, short_prelude, SHORT)
    assert bool(judgement.rejected) == (old != new)
    assert set(judgement.accepted) | set(judgement.rejected) == set(read_script(altered, "f1.v").lemmas)
    assert all(why.startswith("theory.v, line ") for why in judgement.rejected.values())


@kernel
def test_another_notion_under_the_name_of_a_notion_is_noticed_behind_the_gate_too(prelude: Path) -> None:
    text = F1[F1.index("From ") :]
    start, end = text.index("Definition f1_tn_limit"), text.index("Lemma f1_tn_limit_proved")
    own = "Definition limit_along (M D a b c d : Q -> Q) (l : Q) : Prop := True.\n"
    own = own.replace(
        "M D a b c d : Q -> Q", "M : Q -> Q -> Q -> Q -> Q) (D : Q -> Q -> Q -> Q -> Prop) (a b c d : Q -> Q"
    )
    proof = "Lemma f1_tn_limit_proved : f1_tn_limit.\nProof.\n  unfold f1_tn_limit. intros. exact I.\nQed.\n"
    forged, name = text[:start] + own + text[start:end] + proof, "f1_tn_limit_proved"
    stated = {name: Stated(1, 0, 0, f"Lemma {name} : f1_tn_limit.", is_lemma=True)}
    script = Script("f1.v", forged, tuple(text.split("\n")[:2]), stated)
    assert name in judge_script(Theorised(script), prelude).accepted
    judgement = judge_script(Theorised(script, read_script(F1, "f1.v")), prelude)
    assert "does not say what the library means" in judgement.rejected[name]


def test_what_is_meant_is_what_is_written() -> None:
    for name in some(["f1", "wauc", "cwa", "mcc", "kappa", "tversky"], 2):
        script = read_script(theory_of(name, proofs=is_thorough()), name)
        said = meaning(Question(name, tuple(script.lemmas), certificates=CERTIFICATES / f"{name}.json"))
        assert said is not None
        for stated, text in script.stated.items():
            assert said.stated[stated].text.split() == text.text.split(), stated


@pytest.mark.thorough
@pytest.mark.parametrize("stem", ["order", "order_reals", "relations_reals"])
def test_what_relations_are_meant_to_say_is_made_from_the_names_of_metrics(stem: str) -> None:
    script = read_script(theory_of(stem), stem)
    (said,) = meanings([Question(stem, tuple(script.lemmas))])
    assert said is not None
    assert all(said.stated[name].text.split() == text.text.split() for name, text in script.stated.items())


def test_of_what_the_library_does_not_know_nothing_is_meant() -> None:
    assert meaning(Question("mine", ("mine_p1_proved",))) is None
    said = meaning(Question("order", ("f1_less_equal_nothing_proved", "nothing")))
    assert said is not None
    assert not said.stated


@pytest.mark.parametrize(
    ("key", "value", "reason"),
    [
        ("metric", "kappa", "it has a certificate on kappa"),
        ("property", "p2", "makes another claim than that property"),
        ("property", "nothing", "unknown property"),
        ("claim", None, "not a certificate"),
    ],
)
def test_a_certificate_is_not_believed_what_it_is_about(key: str, value: object, reason: str, tmp_path: Path) -> None:
    (entry,) = certificates("f1", "p1")
    file = tmp_path / "f1.json"
    file.write_text(json.dumps([entry | {key: value}]), encoding="utf-8")
    with pytest.raises(CertificateError, match=reason):
        meaning(Question("f1", (), certificates=file))


# -- where it may write ------------------------------------------------------------------------------------------------


def has_landlock() -> bool:
    code = f"import pathlib, runpy; print(runpy.run_path({str(CONFINED)!r})['confine'](pathlib.Path('/tmp')))"
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False).stdout == "True\n"


@kernel
def test_the_compiler_writes_nowhere_but_in_its_folder(tmp_path: Path) -> None:
    if not has_landlock():
        pytest.skip("the system has no Landlock: the gate stands alone")
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    inside.mkdir()
    outside.mkdir()
    for name, place in (("a", outside / "anything"), ("b", inside / "anything")):
        (inside / f"{name}.v").write_text(f'Redirect "{place}" Print nat.\n', encoding="utf-8")
        assert (compile_file(inside / f"{name}.v").returncode == 0) == (name == "b")
    assert not list(outside.iterdir())
    assert (inside / "anything.out").exists()


@kernel
def test_no_file_appears_and_no_setting_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, prelude: Path) -> None:
    home = tmp_path / "home"
    (home / ".config" / "coq").mkdir(parents=True)
    (home / ".config" / "coq" / "coqrc").write_text("Axiom oops : False.\n", encoding="utf-8")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("COQPATH", str(tmp_path / "mine"))
    monkeypatch.chdir(tmp_path)
    known = sorted(tmp_path.rglob("*"))
    judgement = judge(F1, prelude, F1)
    assert not judgement.rejected
    assert not judgement.axioms
    assert sorted(tmp_path.rglob("*")) == known


# -- the command -------------------------------------------------------------------------------------------------------


def test_the_command_names_file_line_and_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "f1.v"
    text = before(RANGE, f'Redirect "{tmp_path / "written"}" Print nat.')
    file.write_text(text, encoding="utf-8")
    assert main(["check", "--kernel", "coq", str(file), "--root", str(ROOT)]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert f"{file}, line {line_of(text, 'Redirect')}: 'Redirect" in error
    assert not (tmp_path / "written.out").exists()


def test_a_file_that_is_no_text_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "f1.v"
    file.write_bytes(b"\xff\xfe")
    assert main(["check", "--kernel", "coq", str(file), "--root", str(ROOT)]) == 2
    assert "cannot be read as a theory, which is text in UTF-8" in capsys.readouterr().err


@pytest.mark.thorough
@kernel
def test_a_theory_about_an_unknown_metric_is_compared_with_nothing_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], rational_prelude: Path
) -> None:
    # The files that it rests on are compiled already.
    monkeypatch.setattr("symmetrics.rocq.judge.judging.compiled_prelude", lambda *_: nullcontext(rational_prelude))
    file = tmp_path / "mine.v"
    file.write_text("(* verdict: f1_p1: refuted *)\n" + F1, encoding="utf-8")
    assert main(["check", "--kernel", "coq", str(file), "--root", str(ROOT)]) == 0
    out = capsys.readouterr().out
    assert f"{file}: the library knows no metric, relations or paper of this name" in out
    assert "was not compared with anything" in out
    assert "relation of two metrics" not in out


@kernel
def test_a_theory_under_the_name_of_a_metric_is_compared_wherever_it_lies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], short_prelude: Path
) -> None:
    # The files that it rests on are compiled already.
    monkeypatch.setattr("symmetrics.rocq.judge.judging.compiled_prelude", lambda *_: nullcontext(short_prelude))
    file = tmp_path / "kappa.v"
    file.write_text(SHORT, encoding="utf-8")
    assert "kappa" in sm.metrics
    assert main(["check", "--kernel", "coq", str(file), "--root", str(ROOT)]) == 2
    assert f"{file}, line 11: the library has no verdict that this lemma would state" in capsys.readouterr().err


def test_a_theory_in_other_capitals_is_about_no_metric_of_the_library(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """TPR.v was looked for as certificates/TPR.json, a file that nobody had named."""
    monkeypatch.setattr("symmetrics.repository.verifying.judge_all", _accepting)
    for name in ("F1.v", "recall.v"):
        file = tmp_path / name
        file.write_text(F1, encoding="utf-8")
        assert main(["check", "--kernel", "coq", str(file), "--root", str(ROOT)]) == 0
        assert f"{file}: the library knows no metric, relations or paper of this name" in capsys.readouterr().out


def test_a_theory_without_lemmas_is_not_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("symmetrics.repository.verifying.judge_all", _accepting)
    empty, full = tmp_path / "f1.v", tmp_path / "mine.v"
    empty.write_text(F1[: F1.index("Lemma")], encoding="utf-8")
    full.write_text(F1, encoding="utf-8")
    assert main(["check", "--kernel", "coq", str(empty), "--root", str(ROOT)]) == 2
    assert f"{empty} states no lemma, so that nothing can be checked" in capsys.readouterr().err
    assert main(["check", "--kernel", "coq", str(empty), str(full), "--root", str(ROOT)]) == 0
    assert f"{empty} states no lemma: nothing in it was checked" in capsys.readouterr().out


def test_all_rejected_lemmas_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two files have a lemma of one name, and one of them another one."""
    monkeypatch.setattr("symmetrics.repository.verifying.judge_all", _rejecting)
    files = [tmp_path / name / "mine.v" for name in ("first", "second")]
    for file in files:
        file.parent.mkdir()
        file.write_text(F1, encoding="utf-8")
    assert main(["check", "--kernel", "coq", *map(str, files), "--root", str(ROOT)]) == 2
    said = capsys.readouterr()
    lemmas = read_script(F1, "f1.v").lemmas
    assert len(lemmas) > 1
    assert (
        f"the kernel rejects {2 * len(lemmas)} lemmas, {', '.join([*lemmas, *lemmas])}; the first of them in"
        in said.err
    )
    assert said.err.count("\n") == 1
    for file in files:
        for lemma in lemmas:
            assert f"rejected: {lemma}: {file}: no" in said.out


def _accepting(theories: list[Theorised]) -> list[Judgement]:
    return [Judgement(tuple(theory.script.lemmas), {}, frozenset()) for theory in theories]


def _rejecting(theories: list[Theorised]) -> list[Judgement]:
    scripts = [theory.script for theory in theories]
    return [Judgement((), dict.fromkeys(script.lemmas, f"{script.file}: no"), frozenset()) for script in scripts]
