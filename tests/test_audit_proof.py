"""Proofs that reported scores clash: all that are honest are accepted, and none that is forged."""

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
from symmetrics.language.cells import CELLS
from symmetrics.language.names import CELL_NAMES
from symmetrics.tools.errors import BudgetError, CertificateError, InputError

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
    assert repr(found.proof).startswith("<Proof that accuracy and recall have no table in common")
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
