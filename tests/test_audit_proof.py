"""Proofs that reported scores clash, and what else follows from an audit: intervals, parameters, pages."""

from __future__ import annotations

import ast
import copy
import itertools
import json
import math
import random
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from effort import is_thorough
from sympy import Rational, S

import symmetrics as sm
from symmetrics.auditing import exclusions, proofs
from symmetrics.auditing.exclusions import excluded, polynomials
from symmetrics.auditing.proofs import Proof
from symmetrics.auditing.reported import Reported
from symmetrics.auditing.search import FACES, Search, Sizes, Splits
from symmetrics.cli import main
from symmetrics.language.cells import CELLS
from symmetrics.language.names import CELL_NAMES
from symmetrics.tools.errors import BudgetError, CertificateError, InputError, UnknownNameError, UnsupportedError

CLASH: Any = ({"accuracy": "0.95", "recall": "0.50"}, None, 20, 80)


def proof_of(
    scores: dict[str, Any], n: int | None = None, positives: int | None = None, negatives: int | None = None
) -> Proof:
    found: Proof = sm.audit(scores, n, positives=positives, negatives=negatives).proof
    return found


# -- honest proofs -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(1500 if is_thorough() else 25))
def test_what_is_impossible_has_a_proof_that_is_accepted_and_can_be_saved(seed: int) -> None:
    drawn = random.Random(seed)
    n = drawn.randint(2, 30 if is_thorough() else 15)
    positives = drawn.randint(0, n)
    tp, tn = drawn.randint(0, positives), drawn.randint(0, n - positives)
    scores = {}
    for name in drawn.sample(list(sm.metrics), drawn.randint(1, 3)):
        value = sm.metrics[name].from_counts(tp, positives - tp, n - positives - tn, tn)
        digits = drawn.randint(1, 5)
        if math.isfinite(value):
            scores[name] = f"{value + drawn.choice([-1, 1]) * 10.0**-digits:.{digits}f}"
    found = sm.audit(scores, n, positives=drawn.choice([None, positives])) if scores else None
    if found is None or found.status != "impossible":
        return
    assert found.proof.check() == found.proof.boxes > 0
    saved = json.loads(json.dumps(found.proof.to_dict()))
    again = Proof.from_dict(saved)
    assert again.to_dict() == saved
    assert again.check() == found.proof.boxes


@pytest.mark.parametrize(
    ("scores", "sizes"),
    [
        ({"recall": "0.30", "f1": "0.90"}, {}),
        ({"f1": "1.20"}, {"n": 30}),
        ({"mcc": "0.90", "accuracy": "0.90"}, {"n": 500}),
        ({"kappa": "0.70", "accuracy": "0.90", "f1": "0.9123"}, {"positives": 300_000, "negatives": 700_000}),
        ({"TP/(TP + FN)": "< 0"}, {"n": 40}),
        ({"log_odds_ratio": ">= 20"}, {"n": 40}),
        ({"recall": Fraction(1, 3)}, {"positives": 5, "negatives": 4}),
    ],
)  # fmt: skip
def test_proofs_of_many_tables(scores: dict[str, Any], sizes: Any) -> None:
    found = sm.audit(scores, **sizes)
    assert found.status == "impossible"
    assert found.proof.check() == found.proof.boxes


def test_a_proof_is_of_the_scores_that_clash_alone() -> None:
    found = sm.audit({"specificity": "0.9", "accuracy": "0.95", "recall": "0.50"}, positives=20, negatives=80)
    assert repr(found.proof).startswith("<Proof that accuracy and recall contradict each other")
    assert repr(proof_of({"f1": "1.20"}, 30)).startswith("<Proof that f1 has no such value")


def test_what_is_possible_or_open_has_no_proof() -> None:
    with pytest.raises(InputError, match="what is possible has no proof"):
        proof_of({"f1": "0.9"}, 30)
    with pytest.raises(InputError, match="what is open has no proof"):
        _ = sm.audit({"kappa": "0.5001", "mcc": "0.50017"}, 10**6, seconds=0.01).proof


def test_a_check_that_takes_too_long_says_so() -> None:
    with pytest.raises(BudgetError, match="not decided within"):
        proof_of({"accuracy": "0.9123"}, 2000).check(seconds=1e-3)


def test_no_search_becomes_another_by_its_record() -> None:
    found = sm.audit({"accuracy": "0.95", "f1": "0.90"}, n=60)
    plain = list(Search(found.scores, found.sizes).boxes())
    recorded = list(Search(found.scores, found.sizes).boxes({}))
    assert all((a == b).all() for a, b in zip(plain, recorded, strict=True))


# -- the checker's bounds ----------------------------------------------------------------------------------------------


def agrees(value: Any, reported: Reported) -> bool:
    return value is not S.NaN and not value.is_infinite and value in reported


@pytest.mark.parametrize("name", list(sm.metrics)[:: 1 if is_thorough() else 15])
def test_no_table_is_excluded_that_agrees(name: str) -> None:
    """With every set of zero cells, on small boxes of intervals around and beside the exact values."""
    drawn, metric = random.Random(name), sm.metrics[name]
    for zeros, _ in itertools.product(FACES, range(2)):
        box = [
            (0, 0) if cell in zeros else (low := drawn.randint(1, 9), low + drawn.choice([0, 1])) for cell in CELL_NAMES
        ]
        values = [metric.exact(*table) for table in itertools.product(*(range(a, b + 1) for a, b in box))]
        known = [value for value in values if value.is_finite] or [Rational(1, 2)]
        middle = Reported.of(
            f"{float(drawn.choice(known)) + drawn.choice([0, 0, 0.01, -0.3]):.3f}", drawn.choice(["any", "nearest"])
        )
        exact = next((value for value in known if value.is_Rational), Rational(1, 3))
        for reported in (
            middle,
            Reported("", exact, float("inf"), drawn.random() < 0.5, False),
            Reported("", exact, exact),
        ):
            sums = [(box[i][0] + box[j][0], box[i][1] + box[j][1]) for i, j in ((0, 1), (2, 3))]
            ranges = np.array([[*box, *sums, (sums[0][0] + sums[1][0], sums[0][1] + sums[1][1])]])
            if excluded(metric.value_formula, reported, zeros, ranges)[0]:
                assert not any(agrees(value, reported) for value in values), (zeros, box, reported)


@pytest.mark.parametrize("size", [5, 3 * 10**8])
def test_a_polynomial_is_within_its_bounds(size: int) -> None:
    """Also beyond the whole numbers of the machine."""
    drawn = random.Random(size)
    formula = sm.parse_formula("(TP*TN - FP*FN)**2 - 3*TP**3*FN + TN/2 - 7")
    for _ in range(40):
        cells = [(low := drawn.randint(0, size), low + drawn.randint(0, 3)) for _ in CELLS]
        sums = [(cells[i][0] + cells[j][0], cells[i][1] + cells[j][1]) for i, j in ((0, 1), (2, 3))]
        box = np.array([[*cells, *sums, (sums[0][0] + sums[1][0], sums[0][1] + sums[1][1])]])
        (low,), (high,) = polynomials(formula)[0].bounds(box)
        for table in itertools.product(*(range(a, b + 1) for a, b in cells)):
            assert low <= 2 * formula.xreplace(dict(zip(CELLS, table, strict=True))) <= high


def test_the_checker_takes_no_bounds_and_no_limits_from_the_search() -> None:
    """Of the search it knows the records alone; exact values of single tables are the metric's own."""
    for module in (proofs, exclusions):
        names = {
            (node.module, alias.name)
            for node in ast.walk(ast.parse(Path(str(module.__file__)).read_text("utf-8")))
            if isinstance(node, ast.ImportFrom)
            for alias in node.names
        }
        assert not [
            module for module, _ in names if module and module.startswith(("symmetrics.algebra", "symmetrics.prover"))
        ]
        assert "symmetrics.auditing.enclosures" not in dict(names)
        assert {name for module, name in names if module == "symmetrics.auditing.search"} <= {"Score", "Sizes", "Zeros"}


# -- forged proofs -----------------------------------------------------------------------------------------------------


def refused(proof: Proof, told: str | None = None) -> None:
    with pytest.raises(CertificateError, match=told):
        proof.check()


@pytest.mark.parametrize("seed", range(200 if is_thorough() else 8))
def test_no_record_proves_what_is_possible(seed: int) -> None:
    """Scores of a table, with the record of a search for others; and with no halving at all."""
    drawn = random.Random(seed)
    n = drawn.randint(2, 12)
    positives = drawn.randint(0, n)
    tp, tn = drawn.randint(0, positives), drawn.randint(0, n - positives)
    scores = {}
    for name in drawn.sample(list(sm.metrics), 3):
        value = sm.metrics[name].from_counts(tp, positives - tp, n - positives - tn, tn)
        if math.isfinite(value):
            scores[name] = f"{value:.3f}"
    if not scores:
        return
    found = sm.audit(scores, n)
    record: dict[frozenset[str], Splits] = {}
    list(Search(sm.audit({"f1": "1.2"}, n).scores, found.sizes).boxes(record))
    trees = {zeros: splits.tree for zeros, splits in record.items()}
    refused(Proof(found.scores, found.sizes, trees), "is not excluded")
    refused(Proof(found.scores, found.sizes, {zeros: np.array([[-1, -1, 0]]) for zeros in FACES}), "is not excluded")


def changed(saved: dict[str, Any], change: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    other = copy.deepcopy(saved)
    change(other)
    assert other != saved
    return other


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda p: p["scores"][1].update(low="1/4"), "is not what 0.50 stands for"),
        (lambda p: p["scores"][1].update(high=None), "is not what 0.50 stands for"),
        (lambda p: p["scores"][1].update(ends=[False, False]), "is not what 0.50 stands for"),
        (lambda p: p["scores"][1].update(text="0.5"), "is not what 0.5 stands for"),
        (lambda p: p["scores"][1].update(text="x"), "no proof of an audit"),
        (lambda p: p["scores"][1].update(low="x"), "no proof of an audit"),
        (lambda p: p["scores"][1].update(formula="TN/(TN + FP)"), "this is not recall"),
        (lambda p: p["scores"][1].update(formula="__import__('os')"), "no proof of an audit"),
        (lambda p: p["scores"][1].update(name="precision"), "this is not precision"),
        (lambda p: p["scores"].pop(), None),
        (lambda p: p["scores"].clear(), "of no scores"),
        (lambda p: p["scores"][0].pop("text"), "no proof of an audit"),
        (lambda p: p["sizes"].update(total=[100, 1000], negatives=[80, 900]), "is not excluded"),
        (lambda p: p["sizes"].update(total=[0, 0]), "without examples"),
        (lambda p: p["sizes"].update(total=[1.5, 2]), "no range of whole numbers"),
        (lambda p: p["sizes"].pop("total"), "no proof of an audit"),
        (lambda p: p["trees"].pop(""), "each set of zero cells"),
        (lambda p: p["trees"].pop("FN TP"), "each set of zero cells"),
        (lambda p: p["trees"].update({"TP XY": [[-1, 0, 0]]}), "each set of zero cells"),
        (lambda p: p["trees"].update({"": []}), "no list of boxes"),
        (lambda p: p["trees"].update({"": [[-1, 0]]}), "no list of boxes"),
        (lambda p: p["trees"].update({"": [[-1, 0.5, 0]]}), "no list of boxes"),
        (lambda p: p["trees"].update({"": [[-1, 2, 0]]}), "no box that is halved or excluded"),
        (lambda p: p["trees"].update({"": [[4, 2, 1], [-1, 0, 0], [-1, 0, 0]]}), "no box that is halved or excluded"),
        (lambda p: p["trees"].update({"": [[2, 2, 0]]}), "no box that is halved or excluded"),
        (lambda p: p["trees"].update({"": [[2, 2, 1], [-1, 0, 0]]}), "lacks a box"),
        (lambda p: p["trees"].update({"": [[2, 2, 2**63 - 1]]}), "lacks a box"),
        (lambda p: p["trees"].update({"": [[-1, 1, 0]]}), "is not excluded"),
    ],
)  # fmt: skip
def test_each_kind_of_field_that_is_changed_is_noticed(
    change: Callable[[dict[str, Any]], object], told: str | None
) -> None:
    saved = proof_of(*CLASH).to_dict()
    with pytest.raises(CertificateError, match=told):
        Proof.from_dict(changed(saved, change)).check()


def test_no_box_can_be_dropped_and_no_other_score_named() -> None:
    """Each row that is halved or excluded, one after the other: no change of it makes a proof of what is false."""
    proof = proof_of(*CLASH)
    tree = proof.trees[frozenset()]
    for row in range(len(tree)):
        refused(Proof(proof.scores, proof.sizes, {**proof.trees, frozenset(): tree[:row]}), "lacks a box")
    # Recall alone excludes what accuracy does not, and the other way round: named instead, each is refused somewhere.
    for place in (0, 1):
        trees = {
            zeros: np.where((rows[:, :1] < 0) & [[False, True, False]], place, rows)
            for zeros, rows in proof.trees.items()
        }
        refused(Proof(proof.scores, proof.sizes, trees), "is not excluded")


def test_any_change_of_a_tree_is_refused_or_leaves_a_proof() -> None:
    """Whatever stands in a tree, the boxes cover all tables: with scores that are possible nothing is accepted."""
    drawn = random.Random(3)
    proof = proof_of(*CLASH)
    possible = sm.audit({"accuracy": "0.95", "recall": "0.90"}, positives=20, negatives=80)
    for _ in range(300 if is_thorough() else 40):
        trees = {zeros: rows.copy() for zeros, rows in proof.trees.items()}
        for rows in trees.values():
            place = drawn.randrange(len(rows)), drawn.randrange(3)
            rows[place] = drawn.choice(
                [rows[place] + drawn.choice([-1, 1]), drawn.randint(-2, 40), drawn.choice(rows.ravel())]
            )
        refused(Proof(possible.scores, possible.sizes, trees))


def test_what_is_no_proof_is_refused_in_one_line() -> None:
    every: list[Any] = [{}, {"scores": [1]}, {"scores": [], "sizes": 3}, {"scores": [], "sizes": {}, "trees": {}}]
    for wrong in every:
        with pytest.raises(CertificateError, match="this is no proof of an audit"):
            Proof.from_dict(wrong)


def test_sizes_are_those_of_the_proof() -> None:
    """The smallest number of examples at which a share is possible is not hidden by naming fewer."""
    proof = proof_of({"prevalence": "0.142857"}, 6)
    assert proof.check() == proof.boxes
    refused(Proof(proof.scores, Sizes((7, 7), (0, 7), (0, 7)), proof.trees), "is not excluded")


# -- what else follows -------------------------------------------------------------------------------------------------


def test_tables_are_confusion_matrices_that_metrics_take() -> None:
    found = sm.audit({"accuracy": "0.95", "f1": "0.90"}, n=100)
    for table, matrix in zip(found.tables, found.confusion_matrices, strict=True):
        for name in ("mcc", "precision", "specificity"):
            assert sm.metrics[name].from_confusion(matrix) == sm.metrics[name].from_counts(*table)
        assert matrix.labels == [0, 1]
        mcc = sm.metrics["mcc"]
        assert tuple(mcc.interval_from_confusion(matrix)) == tuple(mcc.interval_from_confusion(matrix.matrix))
    assert next(sm.audit({"recall": "1"}, positives=3, negatives=2).confusion_matrices).total == 5


@pytest.mark.parametrize("name", ["f1", "mcc", "recall"])
@pytest.mark.parametrize("method", ["auto", "delta"])
def test_an_interval_over_all_tables_is_the_hull_of_theirs(name: str, method: str) -> None:
    found = sm.audit({"accuracy": "0.95", "f1": "0.90"}, n=100)
    each = [sm.metrics[name].interval(*table, level=0.9, method=method) for table in found.tables]
    hull = found.interval(name, level=0.9, method=method)
    assert tuple(hull) == (min(one.low for one in each), max(one.high for one in each))
    assert (hull.count, hull.level) == (24, 0.9)
    assert set(hull.method.split(", ")) == {one.method for one in each}
    assert "90 %" in repr(hull)
    assert "all 24 tables" in repr(hull)


def test_an_interval_needs_a_table() -> None:
    with pytest.raises(InputError, match="an interval of mcc: no table agrees"):
        sm.audit({"f1": "1.20"}, 30).interval("mcc")
    with pytest.raises(InputError, match="level"):
        sm.audit({"f1": "0.9"}, 30).interval("mcc", level=2)
    assert "the one table that agrees" in repr(sm.audit({"f1": "0.898"}, positives=23, negatives=77).interval("f1"))


@pytest.mark.parametrize("seed", range(150 if is_thorough() else 12))
def test_possible_parameters_are_those_with_which_the_audit_is_possible(seed: int) -> None:
    """At the ends of the intervals, beside them and elsewhere, each value is bound and audited."""
    drawn = random.Random(seed)
    name = drawn.choice(["f_beta", "cwa", "expected_loss", "net_benefit", "wauc", "iba_squared_gmean", "f_of_means"])
    n = drawn.randint(4, 10)
    positives = drawn.randint(0, n)
    tp, tn = drawn.randint(0, positives), drawn.randint(0, n - positives)
    table = (tp, positives - tp, n - positives - tn, tn)
    scores = {name: f"{max(min(sm.metrics[name].from_counts(*table), 1), 0):.2f}"}
    if math.isfinite(value := sm.metrics["accuracy"].from_counts(*table)):
        scores["accuracy"] = f"{value:.2f}"
    if scores[name] == "nan":
        return
    try:
        possible = sm.audit(scores, n, positives=positives).possible_parameters(name)
    except UnsupportedError:
        assert name == "f_of_means"
        return
    (parameter,) = sm.metrics[name].parameters
    ends = [Rational(str(end)) for end in possible.boundary if end.is_Rational]
    near = [end + step for end in ends for step in (0, Rational(1, 10**6), -Rational(1, 10**6))]
    for value in [
        *near,
        *(Rational(drawn.randint(0, 30), drawn.randint(1, 20)) for _ in range(5)),
        Rational(0),
        Rational(1),
    ]:
        if value in parameter:
            bound: dict[Any, str] = {sm.metrics[name].at(**{parameter.name: value}): scores[name]}
            bound.update({key: text for key, text in scores.items() if key != name})
            status = sm.audit(bound, n, positives=positives).status
            assert (status == "possible") == (value in possible), (scores, value, possible)


def test_a_parameter_that_cannot_be_solved_for_is_refused() -> None:
    found = sm.audit({"f1": "0.5", "tversky": "0.5", "mean_f_beta": "0.5", "iba_gmean": "0.5"}, 8, seconds=60)
    for name, error, told in (
        ("f1", InputError, "the parameters of f1 are none"),
        ("tversky", UnsupportedError, "the parameters of tversky are alpha, beta, not one"),
        ("mean_f_beta", UnsupportedError, "no quotient of polynomials linear in beta"),
        ("iba_gmean", UnsupportedError, "no quotient of polynomials linear in alpha"),
        ("mcc", UnknownNameError, "unknown score 'mcc'"),
    ):
        with pytest.raises(error, match=told):
            found.possible_parameters(name)
    with pytest.raises(UnsupportedError, match="agree with the other scores, too many"):
        sm.audit({"f_beta": "0.5"}, 400).possible_parameters("f_beta")
    # By the other scores alone nothing is possible.
    assert sm.audit({"f_beta": "0.5", "recall": "1.2"}, 8).possible_parameters("f_beta") is S.EmptySet


def test_a_page_of_results_marks_what_is_impossible_and_escapes_names(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"accuracy": ["0.95", "0.95"], "f1": ["0.90", "-"]}, ["<b>A</b>", "B"])
    frame.loc["C"] = ["1.2", "0.5"]
    found = sm.audit(frame, 1000, positives=300)
    page = found.to_html(tmp_path / "results.html")
    assert (tmp_path / "results.html").read_text("utf-8") == page
    assert '<td class="yes">possible</td>' in page
    assert '<td class="no">impossible</td>' in page
    assert "&lt;b&gt;A&lt;/b&gt;" in page
    assert "<b>A</b>" not in page
    assert "3 rows: 1 impossible, 2 possible (n = 1000, positives = 300)." in page
    assert "accuracy has no such value" in page
    assert "0.90 <small" in page
    assert "accuracy has no such value" in found.to_markdown()
    one = sm.audit({"f1": "0.9"}, 30).to_html()
    assert "scores: possible; for instance TP" in one
    assert '<th scope="row">f1</th><td>0.9</td><td>[0.85, 1)</td>' in one
    with pytest.raises(InputError, match="no folder"):
        found.to_html(tmp_path / "missing" / "results.html")


def test_the_command_writes_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, start in (
        ("a.html", "<!DOCTYPE html>"),
        ("a.json", "{"),
        ("a.md", "scores: possible; for instance TP"),
        ("a.txt", "possible:"),
    ):
        assert main(["audit", "f1=.9", "--n", "30", "-o", str(tmp_path / name)]) == 0
        assert capsys.readouterr().out == f"wrote {tmp_path / name}\n"
        assert (tmp_path / name).read_text("utf-8").startswith(start)
    assert main(["audit", "f1=1.2", "--n", "30", "--format", "html"]) == 1
    assert capsys.readouterr().out.startswith("<!DOCTYPE html>")
    assert main(["audit", "f1=.9", "--n", "30", "-o", str(tmp_path)]) == 2
    assert "it is a directory" in capsys.readouterr().err
