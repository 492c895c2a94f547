"""Lemmas on two formulas for the kernel: what they say, that they are accepted, and that altered ones are not."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from effort import in_one_test, is_thorough
from sympy import Integer, Min, Symbol, sqrt, symbols
from tables import rows

import symmetrics as sm
from symmetrics.claims.families.limits import STEP, FiniteLimit
from symmetrics.claims.steps.values import NAMED_VARIABLES
from symmetrics.claims.verdict import Verdict
from symmetrics.language.cells import FN, FP, TN, TP
from symmetrics.library import metrics
from symmetrics.papers.claims import identity, inequality
from symmetrics.papers.claims.trials import Heard, _heard, hear, load_trial, scripts
from symmetrics.prover.acceptance import decide_and_check
from symmetrics.query.relations import relate
from symmetrics.rocq.judge.compiling import LIBRARY, compile_file
from symmetrics.rocq.judge.judging import AXIOMS, judge
from symmetrics.rocq.theories.meanings import OTHER_FORM, inventory_table, paper_theories, parts, relation_inventory
from symmetrics.rocq.theories.theory import ORDERED, Sentence, atlas_theories, kept, origin_of, relation_theories

ROOT = Path(__file__).parents[1]
NAMED = RATE, PRIOR = symbols("TPr prior", real=True)
kernel = pytest.mark.skipif(shutil.which("coqc") is None, reason="no coqc: apt-get install coq")


def related(first: str, second: str, relation: str) -> Sentence:
    return Sentence(f"{first}_{relation}_{second}", relate(first, second, relation), (first, second))


def only(*sentences: Sentence) -> str:
    """Return the one theory of some sentences."""
    (text,) = relation_theories("some", "Some.", sentences, "0").values()
    return text


def own(verdict: Verdict) -> str:
    return only(Sentence("own", verdict))


@pytest.fixture(scope="module")
def tan() -> list[Heard]:
    return hear(ROOT / "proofs" / "tan2006")


# -- what is written -------------------------------------------------------------------------------------------------


def test_an_inequality_is_asserted_wherever_both_are_defined() -> None:
    text = only(related("jaccard", "f1", "less_equal"))
    assert (
        "0 < TP -> 0 < FN -> 0 < FP -> 0 < TN -> jaccard_defined TP FN FP TN -> f1_defined TP FN FP TN ->\n"
        "  jaccard TP FN FP TN <= f1 TP FN FP TN." in text
    )
    assert "Lemma jaccard_less_equal_f1_proved : jaccard_less_equal_f1." in text


def test_an_order_names_its_link() -> None:
    text = only(related("f1", "jaccard", "rank_equivalent"))
    assert "same_order f1 f1_defined jaccard jaccard_defined." in text
    assert "linked f1 f1_defined jaccard jaccard_defined\n    (fun v => v) (fun v => 2 * v / (v + 1))." in text
    assert "opposite_order" in only(related("f1", "jaccard_distance", "rank_reversed"))


def test_an_exchange_of_cells_is_written_at_the_second_formula() -> None:
    text = only(related("tpr", "precision", "transpose_of"))
    assert "tpr TP FN FP TN == precision TP FP FN TN." in text


def test_named_variables_are_those_of_the_lemma() -> None:
    text = own(identity(RATE * (PRIOR + 1), RATE * PRIOR + RATE, over=NAMED))
    assert "Definition own_left (TPr prior : Q) : Q :=\n  TPr * (prior + 1)." in text
    assert "own_left 2 3 == 8 /\\ own_left 11 2 == 33 /\\ own_left 1 4 == 5." in text
    assert "forall TPr prior : Q,\n  0 < TPr -> 0 < prior ->" in text


@in_one_test
@pytest.mark.parametrize("name", ["ln", "Rmax", "match", "end", "Q", "upper_end", "precision"])
def test_variables_with_names_that_mean_something_are_not_exported(name: str) -> None:
    variable = Symbol(name, real=True)
    text = own(identity(variable, variable**2, over=(variable,)))
    assert f"not exported: own: the variable {name} has the name of a word of statements" in text


def test_limits_over_named_variables_are_not_exported() -> None:
    verdict = decide_and_check(
        FiniteLimit(RATE + PRIOR, (), (RATE, PRIOR * STEP), ("TPr", "prior")), metric="", property=""
    )
    assert f"not exported: own: {NAMED_VARIABLES}" in own(verdict)


def test_a_number_stands_for_itself() -> None:
    text = own(inequality(Integer(1), TP / (TP + 2 * FN)))
    assert "own_right TP FN FP TN <= 1." in text
    assert "own_left" not in text
    assert own(inequality(TP / (TP + 2 * FN), Integer(0))).count("own_right") == 0


def test_a_formula_of_the_library_has_its_name() -> None:
    text = own(identity(metrics["f1"].expr, 1 / (1 + (FN + FP) / (2 * TP))))
    assert "f1 TP FN FP TN == own_right TP FN FP TN." in text


@pytest.mark.parametrize(
    ("names", "numbers"),
    [
        (("jaccard", "f1", "less_equal"), "Q"),
        (("harmonic_class_accuracy", "gmean", "less_equal"), "R"),  # the second formula has a root
        (("error_rate", "size_difference", "rank_equivalent"), "R"),  # the link has one
    ],
)
def test_the_numbers_are_those_that_both_sides_need(names: tuple[str, str, str], numbers: str) -> None:
    assert f"Open Scope {numbers}_scope." in only(related(*names))


def test_what_has_no_lemma_is_named_with_its_reason() -> None:
    text = only(related("cole_contingency", "mcc", "rank_equivalent"))
    (entry,) = relation_inventory("some", text)
    assert (entry.lemma, entry.status) == (None, "proved")
    assert entry.remark == "a link with the step 'bend'"


def test_a_comment_cannot_end_early_or_open_a_string() -> None:
    verdict = identity(TP / (TP + FN), 1 - FN / (TP + FN))
    text = only(Sentence("own", verdict, comment='a *) b (* c "d'))
    assert "(* a * ) b ( * c 'd *)" in text


def test_theories_are_kept_as_long_as_they_are_made_from_the_same() -> None:
    sentences = [related("jaccard", "f1", "less_equal"), related("gmean", "auc_single", "less_equal")]
    found = relation_theories("some", "Some.", sentences, origin_of("a"))
    assert set(found) == {"some", "some_reals"}
    assert kept(["some"], found | {"other": ""}, origin_of("a")) == found
    assert kept(["some"], found, origin_of("b")) == {}
    assert kept(["some", "other"], found, origin_of("a")) == {}


# -- the library and the papers ----------------------------------------------------------------------------------------


def test_the_atlas_states_neighbours_and_what_fails_the_other_way_round() -> None:
    few = {name: metrics[name] for name in ("f1", "jaccard", "precision")}
    found = atlas_theories(few, {})
    stated = {
        (entry.property, entry.status) for name, text in found.items() for entry in relation_inventory(name, text)
    }
    assert {
        ("jaccard_less_equal_f1", "proved"),
        ("f1_less_equal_jaccard", "refuted"),
        ("f1_rank_equivalent_jaccard", "proved"),
    } <= stated
    assert atlas_theories(few, found) == found
    assert set(ORDERED) <= set(metrics)


def test_every_claim_that_rests_on_verdicts_is_stated_or_named(tan: list[Heard]) -> None:
    texts = paper_theories(tan, {})
    entries = [entry for name, text in texts.items() for entry in relation_inventory(name, text)]
    assert len(entries) == sum(len(one.verdicts) for one in tan) > 60
    assert all(entry.lemma is not None or entry.remark for entry in entries)
    assert {entry.kind for entry in entries} == {"claim of a paper"}
    whole = "\n".join(texts.values())
    for one in tan:
        assert one.key in whole
        assert not one.verdicts or f"(* {one.key}, {one.place}: " in whole
    assert paper_theories(tan, texts) == texts
    assert "| claim of a paper |" in inventory_table(entries)


def test_a_ruling_names_the_verdicts_that_it_rests_on(tan: list[Heard]) -> None:
    by_key = {one.key: one for one in tan}
    means = by_key["tan2006.means_in_order"].verdicts
    assert [verdict.status for verdict in means] == ["proved"] * 3
    refuted = [one for one in tan if one.ruling.outcome == "refuted" and one.verdicts]
    assert refuted
    assert all(verdict.status != "open" for one in refuted for verdict in one.verdicts)


ONE_FORMULA = (
    ("accuracy", "weighted_accuracy", "less_equal"),
    ("weighted_accuracy", "accuracy", "less_equal"),
    ("f1", "f_beta", "less_equal"),
    ("f_beta", "f1", "less_equal"),
    ("accuracy", "weighted_accuracy", "equal"),
    ("f1", "f_beta", "equal"),
)
"""Relations of metrics that are one formula at the defaults of their parameters."""
TWO_FORMULAS = (
    ("f1", "tversky", "equal"),
    ("jaccard", "f1", "less_equal"),
    ("tpr", "precision", "transpose_of"),  # one formula, but at two tables
    ("bray_curtis", "f1", "complement_of"),
    ("mcc", "gmean", "less_equal"),
)


def remarks(text: str) -> dict[str, str]:
    return dict(re.findall(r"^\(\* weaker: (\w+): (.*) \*\)$", text, re.MULTILINE))


@in_one_test
@pytest.mark.parametrize("pair", [*ONE_FORMULA, *TWO_FORMULAS])
def test_what_says_that_a_formula_is_itself_is_called_weaker(pair: tuple[str, str, str]) -> None:
    assert bool(remarks(only(related(*pair)))) == (pair in ONE_FORMULA)


def test_what_a_paper_says_of_one_formula_under_two_names_is_called_weaker(tan: list[Heard]) -> None:
    found = remarks("\n".join(paper_theories(tan, {}).values()))
    beta = sm.metrics.f_beta.parameters[0]
    text = own(identity(metrics["f_beta"].expr, metrics["f_beta"].expr, beta))
    assert "t = t" in remarks(text)["own"]
    assert "t = t" in found["tan2006_weights_accuracy"]
    assert "tan2006_equation_5_76" not in found


@kernel
def test_the_kernel_agrees_on_what_is_one_formula(prelude: Path, tmp_path: Path) -> None:
    """The kernel unfolds the definitions and asks whether both sides are one term: that is what the remark says."""
    file = tmp_path / "one.v"
    for pair in (*ONE_FORMULA, *(pair for pair in TWO_FORMULAS if pair[2] != "transpose_of" and pair[0] != "mcc")):
        text = only(related(*pair))
        name = f"{pair[0]}_{pair[2]}_{pair[1]}"
        start = text.index("Proof.", text.index(f"Lemma {name}_proved"))
        proof = (
            f"Proof.\n  unfold {name}, {pair[0]}, {pair[1]}. intros. first [apply Qeq_refl | apply Qle_refl].\nQed.\n"
        )
        file.write_text(text[:start] + proof, encoding="utf-8")
        assert (compile_file(file, (prelude, LIBRARY)).returncode == 0) == (pair in ONE_FORMULA), pair


def test_what_states_a_part_of_a_sentence_says_so() -> None:
    trial = load_trial(ROOT / "proofs" / "thainghe2011")
    keys = ("auc_as_average_loss", "mode_of_beta", "q_in_costs")
    thainghe = {
        claim.key: _heard(trial, claim)
        for claim in trial.claims
        if is_thorough() or claim.key.removeprefix("thainghe2011.") in keys
    }
    assert is_thorough() or len(thainghe) == len(keys)
    found = remarks("\n".join(paper_theories(thainghe.values(), {}).values()))
    assert "not about any curve" in found["thainghe2011_auc_as_average_loss"]
    assert found["thainghe2011_mode_of_beta"] == OTHER_FORM
    assert "thainghe2011_q_in_costs" not in found


@pytest.mark.thorough
def test_a_sentence_about_any_number_of_classes_is_stated_for_some() -> None:
    branco = hear(ROOT / "proofs" / "branco2017")
    found = remarks("\n".join(paper_theories(branco, {}).values()))
    assert "any number of classes, and the lemma about 3" in found["branco2017_equation_4_scale"]
    assert "classes" not in found.get("branco2017_table_1_rec_m", "")


@pytest.mark.thorough
def test_every_claim_that_is_judged_by_more_than_verdicts_was_looked_at() -> None:
    """Where a computation stands beside the verdicts, the lemmas may state a part: each such claim has been read."""
    whole = {"garcia2012.most_sensitive"}  # all cells of its table are stated
    heard = [one for script in scripts(ROOT) for one in hear(script)]
    sentences = {verdict.evidence.sentence for one in heard for verdict in one.verdicts}
    mixed = {
        one.key
        for one in heard
        if one.verdicts and one.ruling.outcome == "holds" and not any(s in one.ruling.evidence for s in sentences)
    }
    unread = {key for key in mixed - whole - parts().keys() if not _by_counterexamples(key, heard)}
    assert not unread
    assert parts().keys() <= {one.key for one in heard}


def _by_counterexamples(key: str, heard: list[Heard]) -> bool:
    """Whether no verdict is a proof, so that the ruling names a table and no sentence of a proof."""
    (one,) = (one for one in heard if one.key == key)
    return all(verdict.status != "proved" for verdict in one.verdicts)


# -- what the kernel says --------------------------------------------------------------------------------------------


ACCEPTED = rows("rocq_relations", "accepted", 3)


@kernel
def test_lemmas_are_accepted(prelude: Path) -> None:
    sentences = [
        *(related(*names) for names in ACCEPTED),
        Sentence("strict", inequality((TP + TN) / 2 + FP, sqrt(TP * TN), strict=True)),
        Sentence("bare_root", inequality(sqrt(TP * FN), 2 * TP * FN / (TP + FN))),
        Sentence("named", identity(RATE * (PRIOR + 1), RATE * PRIOR + RATE, over=NAMED)),
        Sentence("named_fails", identity(RATE * PRIOR, RATE + PRIOR, over=NAMED)),
        Sentence("named_strictly", inequality(RATE + PRIOR, PRIOR, strict=True, over=NAMED)),
        Sentence("named_root", inequality((RATE + PRIOR) / 2, sqrt(RATE * PRIOR), over=NAMED)),
        Sentence("named_pieces", inequality(2 * RATE * PRIOR / (RATE + PRIOR), Min(RATE, PRIOR), over=NAMED)),
    ]
    found = relation_theories("some", "Some.", sentences, "0")
    judgements = {name: judge(text, prelude) for name, text in found.items()}
    assert not any(judgement.rejected for judgement in judgements.values())
    stated = [entry.lemma for name, text in found.items() for entry in relation_inventory(name, text)]
    assert set(stated) <= {name for judgement in judgements.values() for name in judgement.accepted}
    assert len(stated) == len(sentences)
    assert judgements["some"].axioms == frozenset()
    assert judgements["some_reals"].axioms <= AXIOMS


@kernel
@pytest.mark.parametrize(
    ("names", "before", "after"),
    rows("rocq_relations", "altered", 3),
)
def test_an_altered_lemma_is_rejected(names: tuple[str, str, str], before: str, after: str, prelude: Path) -> None:
    sentence = related(*names)
    text = only(sentence)
    assert text.count(before) == 1
    (name,) = re.findall(rf"^Lemma ({sentence.name}_\w+)", text, re.MULTILINE)
    assert list(judge(text.replace(before, after), prelude).rejected) == [name]


@kernel
def test_an_altered_definition_is_noticed(prelude: Path) -> None:
    text = only(related("jaccard", "f1", "less_equal"))
    altered = text.replace("TP / (FN + FP + TP).", "TP / (FN + 2 * FP + TP).")
    assert altered != text
    assert "jaccard_values" in judge(altered, prelude).rejected


def test_two_metrics_that_are_written_alike_keep_their_names() -> None:
    text = only(related("accuracy", "weighted_accuracy", "less_equal"))
    assert "accuracy TP FN FP TN <= weighted_accuracy TP FN FP TN." in text
    assert "Definition weighted_accuracy " in text
