"""The claims of two papers: every ruling is as recorded, and every erratum comes out of plain arithmetic as well."""

from __future__ import annotations

import itertools
import math
import sys
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from effort import in_one_test, is_thorough, some
from scipy.integrate import quad
from scipy.optimize import minimize
from scipy.stats import beta as beta_distribution
from scipy.stats import t as student
from sympy import Add, Integer, Rational, expand

from symmetrics.matrices.expansion import entry_symbols
from symmetrics.papers.branco2017 import experiment
from symmetrics.papers.claims import Ruling, Trial, run_alone
from symmetrics.papers.claims.trials import load_trial
from symmetrics.papers.thainghe2011.figures import printed_sets

PROOFS = Path(__file__).parents[1] / "proofs"
PAPERS = ("thainghe2011", "branco2017")


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


def rulings(paper: str) -> dict[str, Ruling]:
    """Return the rulings on all claims of a paper; in a sample on some of them, most of which do not hold."""
    keys = [claim.key for claim in loaded(paper).claims]
    chosen = {*some(keys, 10, paper), *some(loaded(paper).recorded, 14, paper)}
    return {key: ruling_on(key) for key in keys if key in chosen}


def erratum(key: str) -> Ruling:
    ruling = ruling_on(key)
    assert ruling.outcome in ("refuted", "holds only as")
    return ruling


@pytest.mark.parametrize(
    ("paper", "expected"),
    [
        ("thainghe2011", {"holds": 256, "holds only as": 16, "refuted": 15, "open": 3, "unreadable": 3}),
        ("branco2017", {"holds": 395, "holds only as": 21, "refuted": 15, "open": 1}),
    ],
)
def test_every_ruling_is_as_recorded(paper, expected):
    found = rulings(paper)
    recorded = loaded(paper).recorded
    expected_of = {key: recorded.get(key, "holds") for key in found}
    assert {key: ruling.outcome for key, ruling in found.items()} == expected_of
    if is_thorough():
        assert recorded.keys() <= found.keys()
        assert Counter(ruling.outcome for ruling in found.values()) == expected


@pytest.mark.parametrize("paper", PAPERS)
def test_claims_are_whole(paper):
    trial = loaded(paper)
    keys = [claim.key for claim in trial.claims]
    assert len(set(keys)) == len(keys)
    for claim in trial.claims:
        assert claim.key.startswith(f"{paper}.")
        assert claim.place
        assert claim.printed
    for ruling in rulings(paper).values():
        assert ruling.evidence
        assert bool(ruling.corrected) == (ruling.outcome in ("refuted", "holds only as"))


@pytest.mark.parametrize("paper", PAPERS)
def test_alone_the_script_ends_well(paper, capsys, monkeypatch):
    judged = rulings(paper)
    own, trial = module(paper), _with(loaded(paper), judged)
    assert run_alone(trial) == 0
    assert capsys.readouterr().out.endswith(f"{len(judged)} claims, 0 of them other than recorded\n")
    monkeypatch.setitem(own.RECORDED, next(iter(judged)), "open")
    assert run_alone(trial) == 1


def _with(trial: Trial, judged: dict[str, Ruling]) -> Trial:
    """Return the trial with rulings that are known, so that nothing is judged twice."""
    claims = tuple(
        type(claim)(claim.key, claim.place, claim.kind, claim.printed, lambda key=claim.key: judged[key])
        for claim in trial.claims
        if claim.key in judged
    )
    return replace(trial, claims=claims)


# -- Thai-Nghe, Gantner & Schmidt-Thieme -------------------------------------------------------------------------------


def chance(a, b, share, normaliser):
    """Return H of a classifier by chance by numeric integration."""
    u = beta_distribution(a, b).pdf
    loss = quad(lambda c: min(c * share, (1 - c) * (1 - share)) * u(c), 0, 1, points=[1 - share])[0]
    return 1 - loss / normaliser(u)


def below(u, t):
    return quad(lambda c: c * u(c), 0, t)[0]


def above(u, t):
    return quad(lambda c: (1 - c) * u(c), t, 1)[0]


@pytest.mark.parametrize(
    ("key", "a", "value", "normaliser"),
    [
        ("equation_1_limits", 2, -63 / 13, lambda u: 0.75 * below(u, 0.25)),
        ("equation_1_orientation", 4, -100 / 169, lambda u: 0.75 * below(u, 0.25) + 0.25 * above(u, 0.25)),
    ],
)
def test_the_printed_normaliser_of_h(key, a, value, normaliser):
    assert chance(a, 2, 0.25, normaliser) == pytest.approx(value)
    assert chance(a, 2, 0.25, lambda u: 0.25 * below(u, 0.75) + 0.75 * above(u, 0.75)) == pytest.approx(0, abs=1e-9)
    assert f"{value:.3f}" in erratum(f"thainghe2011.{key}").evidence


def test_the_mode_of_a_beta():
    distribution = beta_distribution(0.5, 0.5)
    assert [f"{distribution.pdf(c):.3f}" for c in (0.5, 0.1)] == ["0.637", "1.061"]
    assert all(text in erratum("thainghe2011.mode_of_beta").evidence for text in ("0.637", "1.061", "-1/3"))


@pytest.mark.parametrize(("penalty", "boundary"), [(1 / 8, 1 / 2), (1 / 4, 1 / 5)])
def test_the_direction_of_the_hyperplane(penalty, boundary):
    def objective(w):
        slack, slacks = max(0.0, 1 - w[0] - w[1]), 3 * max(0.0, 1 - w[0] + w[1])
        return w @ w / 2 + penalty * slack + slacks / 8

    found = minimize(objective, np.zeros(2), method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-14}).x
    assert -found[1] / found[0] == pytest.approx(boundary, abs=1e-5)
    assert str(Fraction(boundary).limit_denominator(9)) in erratum("thainghe2011.hyperplane_direction").evidence


def test_the_critical_value():
    low, high = module("thainghe2011").shared.CRITICAL
    assert float(low) < student.isf(0.025, 4) < float(high)
    assert f"{student.isf(0.05, 4):.3f}" == "2.132"


def paired(means, deviations, correlation, ddof):
    """Return t of five pairs that have these means and deviations, correlated as far as that goes."""
    base = np.array([-2.0, -1.0, 0.0, 1.0, 2.0])
    other = np.array([2.0, -1.0, -2.0, -1.0, 2.0])
    angle = math.acos(correlation)
    columns = base, math.cos(angle) * base / np.std(base) + math.sin(angle) * other / np.std(other)
    first, second = (
        mean + (values - values.mean()) / values.std(ddof=ddof) * deviation
        for mean, values, deviation in zip(means, columns, deviations, strict=True)
    )
    differences = second - first
    return abs(differences.mean()) / (differences.std(ddof=1) / math.sqrt(5))


@in_one_test
@pytest.mark.parametrize("ddof", [0, 1])
@pytest.mark.parametrize("correlation", [-1.0, -0.5, 0.0, 0.5, 1.0])
def test_signs_that_no_correlation_explains(correlation, ddof):
    critical = student.isf(0.025, 4)
    assert paired((0.169, 0.214), (0.183, 0.106), correlation, ddof) < critical
    root = math.sqrt(5) if ddof else 2.0  # from a standard error to a deviation, whichever they had
    for means, errors in (((0.010, 0.039), (0.001, 0.002)), ((0.005, 0.019), (0.001, 0.001))):
        if correlation < 1:
            assert paired(means, errors, correlation, ddof) > critical
            assert paired(means, [error * root for error in errors], correlation, ddof) > critical
    evidence = erratum("thainghe2011.one_reading_of_deviations").evidence
    assert all(text in evidence for text in ("4.57", "1.94"))
    if correlation < 1:
        assert paired((0.005, 0.022), (0.001, 0.005), correlation, ddof) > critical
    assert paired((0.060, 0.399), [error * root for error in (0.077, 0.253)], correlation, ddof) < critical


def test_a_sign_is_judged_by_its_numbers():
    own = module("thainghe2011")
    rows = {row.name: row for row in printed_sets()}
    assert own.table_1._sign(rows["nf-1p"], "B42", "win").outcome == "holds"
    assert own.table_1._sign(rows["nf-1p"], "B42", "lose").outcome == "refuted"
    assert own.table_1._sign(rows["w1a"], "B42", "tie").outcome == "holds"
    assert own.table_1._sign(rows["nf-10p"], "B42", "win").outcome == "holds"


@pytest.mark.parametrize(
    ("measure", "classifier", "average", "outcome"),
    [("H", "lr", ".201", "holds"), ("H", "svm", ".183", "refuted"), ("AUC", "lr", ".750", "holds")],
)
def test_an_average_is_judged_by_its_rows(measure, classifier, average, outcome):
    assert module("thainghe2011").table_1._average(measure, classifier, average).outcome == outcome


def test_table_5_is_compared_with_table_1():
    own = module("thainghe2011")
    assert own.section_4d._same_number("± of B42", "0.003", "0.005").outcome == "refuted"
    assert own.section_4d._same_number("the size", "1.6GB", "1.6 GB").outcome == "holds"


def test_the_average_loss_of_auc():
    """The average of the least loss over the costs of AUC, by brute force over whole tables."""
    for tp, fn, fp, tn in itertools.product((1, 2, 5), repeat=4):
        if tp * tn <= fn * fp:
            continue
        n, positive, negative = tp + fn + fp + tn, tp + fn, fp + tn
        average = Fraction(0)
        for zeros, ones in ((fp, tp), (tn, fn)):
            c = Fraction(zeros, zeros + ones)
            points = ((fn, fp), (positive, 0), (0, negative))
            average += Fraction(zeros + ones, n) * min(c * miss + (1 - c) * alarm for miss, alarm in points) / n
        auc = (Fraction(tp, positive) + Fraction(tn, negative)) / 2
        assert average == 2 * Fraction(positive, n) * Fraction(negative, n) * (1 - auc)


# -- Branco, Torgo & Ribeiro -------------------------------------------------------------------------------------------

CASE_1 = np.array([[5, 0, 0], [0, 10, 0], [0, 300, 0]])


def entropy(shares):
    shares = np.asarray(shares, dtype=float)
    return -float(np.sum(shares[shares > 0] * np.log(shares[shares > 0])))


def rci(matrix, denominator):
    true, predicted = matrix.sum(axis=1), matrix.sum(axis=0)
    classes = entropy(true / denominator)
    rest = sum(p / denominator * entropy(column / p) for p, column in zip(predicted, matrix.T, strict=True) if p)
    return (classes - rest) / classes, classes, rest


def correlation(matrix):
    true, predicted, total = matrix.sum(axis=1), matrix.sum(axis=0), matrix.sum()
    x = total * np.trace(matrix) - true @ predicted
    return x, math.sqrt(predicted @ (total - predicted)), math.sqrt(true @ (total - true))


def test_rci_over_classes_and_over_examples():
    value, classes, rest = rci(CASE_1, 3)
    evidence = erratum("branco2017.table_1_rci").evidence
    assert all(text in evidence for text in (f"{classes:.2f}", f"{rest:.2f}", f"{value:.3f}"))
    assert f"{rci(CASE_1, 315)[0]:.3f}" == "0.368"


@pytest.mark.parametrize(("matrix", "printed"), [(np.eye(2), "1.414"), (2 * np.eye(2), "2.828"), (CASE_1, "21.95")])
def test_the_double_root_of_mcc(matrix, printed):
    x, y, z = correlation(matrix)
    assert f"{x / math.sqrt(y * z):.{len(printed.partition('.')[2])}f}" == printed
    if printed != "2.828":  # doubling all counts doubles what is printed, which no sentence denies
        assert printed in erratum("branco2017.table_1_mcc").evidence
    assert f"{x / (y * z):.3f}" == ("0.301" if matrix is CASE_1 else "1.000")


def test_the_least_average_accuracy():
    """With tn as the paper defines it, 0 % is the worst performance, reached where all is wrong."""
    matrices = np.array(list(itertools.product(range(3), repeat=9))).reshape(-1, 3, 3)
    right, own = np.trace(matrices, axis1=1, axis2=2), np.diagonal(matrices, axis1=1, axis2=2)
    around = right[:, None] + matrices.sum(axis=1) + matrices.sum(axis=2) - 2 * own
    defined = around.all(axis=1)
    values = (right[defined, None] / around[defined]).mean(axis=1)
    assert np.array_equal(values == 0, right[defined] == 0)
    assert min(values) == 0
    ruling = ruling_on("branco2017.normalised_worst_avacc")
    assert ruling.outcome == "holds"
    assert ruling.evidence.startswith("0 % for [[0, 1, 0], [0, 0, 1], [1, 0, 0]]")


@pytest.mark.parametrize(("matrix", "printed"), [(CASE_1, "0.365"), (((1, 0, 3), (0, 100, 0), (0, 0, 200)), "0.993")])
def test_average_accuracy_with_the_true_negatives_of_section_2(matrix, printed):
    matrix = [[int(entry) for entry in row] for row in matrix]
    right = sum(row[place] for place, row in enumerate(matrix))
    values = []
    for place, row in enumerate(matrix):
        tp = row[place]
        fn, fp, tn = sum(row) - tp, sum(other[place] for other in matrix) - tp, right - tp
        values.append(Fraction(tp + tn, tp + tn + fp + fn))
    assert f"{float(sum(values) / 3):.3f}" == printed
    own = module("branco2017")
    entries = tuple(tuple(map(Integer, row)) for row in matrix)
    assert own.formulas.printed_formula("AvAcc", entries) == Rational(str(sum(values) / 3))
    assert own.shared.exact_value("AvAcc", matrix) == Rational(str(sum(values) / 3))


def test_the_two_forms_of_a_rank():
    for lower, higher, beside in itertools.product(range(4), repeat=3):
        classes = lower + higher + beside + 1
        first = Fraction(lower + 1 + higher + 1 + beside, 2)
        middle = Fraction((lower + 1) + (classes - higher), 2)
        assert middle == lower + 1 + Fraction(beside, 2)
        assert (first == middle) == (lower == higher)


def test_cba_without_the_division():
    values, phi = [5 / 5, 10 / 310, 0 / 300], [1, 0.9, 0.1]
    assert f"{np.dot(values, phi):.3f}" == "1.029"
    assert f"{100 * np.dot(values, phi) / sum(phi):.1f}" == "51.5"


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        ("table_4_case_3_prev_of_c1", (1 / 4) / (1 / 4 + 1 / 10 + 1 / 100 + 1 / 200)),
        ("table_4_case_3_prev_of_c2", (1 / 10) / (1 / 4 + 1 / 10 + 1 / 100 + 1 / 200)),
        ("table_4_case_3_prev_of_c4", (1 / 200) / (1 / 4 + 1 / 10 + 1 / 100 + 1 / 200)),
        ("table_4_case_3_po_of_c4", 1.5 / 3.5),
    ],
)
def test_cells_of_table_4(cell, value):
    ruling = erratum(f"branco2017.{cell}")
    assert f"{value:.4f}" in ruling.evidence
    assert ruling.corrected.startswith(f"{value:.2f},")


def test_each_example_is_in_one_cell_of_a_class() -> None:
    entries = entry_symbols(3)
    for cells in module("branco2017").formulas._class_cells(entries):
        assert expand(Add(*cells.values()) - Add(*map(Add, *entries))) == 0


def test_cells_of_table_5_with_a_footnote():
    precision, recall = (1 + 10 / 310) / 2, 2 / 3
    assert erratum("branco2017.table_5_case_1_prec_m").corrected.startswith(f"{100 * precision:.1f},")
    f1 = 2 * precision * recall / (precision + recall)
    assert erratum("branco2017.table_5_case_1_f1_m").corrected.startswith(f"{100 * f1:.1f},")
    counted = (1 + 10 / 310 + 0) / 3
    assert [f"{100 * value:.1f}" for value in (counted, 2 * counted * recall / (counted + recall))] == ["34.4", "45.4"]


def test_confusion_entropy_of_two_classes_may_exceed_1():
    shares = np.array([0.3, 0.3])
    assert f"{-np.sum(shares * np.log2(shares)):.3f}" == "1.042"
    assert "1.042" in ruling_on("branco2017.normalised_worst_cen").evidence


def test_another_formula_is_refuted():
    """The proofs can fail: a mean of recalls is no accuracy."""
    formulas = module("branco2017").formulas
    first, second = (formulas.printed_formula(name, entry_symbols(2)) for name in ("Rec_M", "Rec_mu"))
    assert formulas.compared(first, second).status != "proved"


# -- a changed print is found ------------------------------------------------------------------------------------------


def test_a_changed_number_of_table_5_of_thainghe_is_found(monkeypatch):
    own = module("thainghe2011")
    row = own.shared.TABLE_5["nf-5p"]
    monkeypatch.setitem(own.shared.TABLE_5, "nf-5p", (*row[:4], "0.136", *row[5:]))
    changed = {claim.key: claim.judge() for claim in own.trial().claims if "table_5_mean" in claim.key}
    assert [key for key, ruling in changed.items() if ruling.outcome == "refuted"] == [
        "thainghe2011.table_5_mean_nf_5p"
    ]


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("table", "name", "row", "key"),
    [
        ("table2", "recall", [["1", "1", "0"], ["0.25", "1", "1"], ["0.26", "0.1", "1", "1"]], "recall_of_c1"),
        ("table4", "TO", [["1", "0.67", "0.33"]] * 2 + [["1", "0.75", "0.5", "0.26"]], "to_of_c4"),
        ("table5", "RCI", ["36.8", "92.6", "97.8"], "rci"),
    ],
)
def test_a_changed_cell_of_branco_is_found(monkeypatch, table, name, row, key):
    own = module("branco2017")
    monkeypatch.setitem(experiment._data()[table], name, row)
    own.shared.cells_of_table.cache_clear()
    try:
        cells = [claim for claim in own.trial().claims if claim.key == f"branco2017.table_{table[-1]}_case_3_{key}"]
        assert [claim.judge().outcome for claim in cells] == ["refuted"]
    finally:
        own.shared.cells_of_table.cache_clear()


def test_a_changed_mark_of_branco_is_found(monkeypatch):
    own = module("branco2017")
    monkeypatch.setitem(own.shared.BOLD, "AvAcc", ("98.1",))
    assert own.tables_4_and_5._same_marks("AvAcc").outcome == "refuted"
