"""Tan, Steinbach & Kumar (2006), section 5.7: what holds, what does not, and the statements that are proved."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from effort import in_one_test
from hypothesis import given
from hypothesis import strategies as st
from sympy import Expr, Symbol, lambdify, limit, oo, sqrt

from symmetrics.curves import auc
from symmetrics.language.cells import FN, FP, TN, TP, N, P
from symmetrics.library import metrics
from symmetrics.papers import Experiment, experiment, write_experiment
from symmetrics.papers.claims import at, inequality
from symmetrics.papers.tan2006 import experiment as tan2006
from symmetrics.papers.tan2006.experiment import AS_PRINTED, AS_TIED, BETA, PRECISION, RECALL, RankedRecords

BOOK = json.loads(Path(tan2006.__file__).with_name("printed.json").read_text(encoding="utf-8"))["figure5_42"]
RECORDS = RankedRecords(tuple(BOOK["scores"]), tuple(BOOK["labels"]))


@pytest.fixture(scope="module")
def tan() -> Experiment:
    return experiment("tan2006")


# -- the report --------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("coarse")
def test_the_report_ends_with_the_page_of_the_rulings(tan: Experiment, tmp_path: Path) -> None:
    paths = write_experiment(tan, tmp_path, "tan2006")
    assert [path.name for path in paths[2:]] == ["tan2006_figure5_42.png", "tan2006_f_beta.png"]
    text = paths[0].read_text(encoding="utf-8")
    assert "# The paper, table by table and sentence by sentence" in text
    assert "the left side is 1/3 and the right side 1/2" in text


# -- the equations, by other means -------------------------------------------------------------------------------------


def test_the_forms_of_f_beta_by_exact_values() -> None:
    """The form from r and p is F_beta, the other one is F_beta with FN and FP exchanged."""
    by_rates, by_counts = tan2006._printed_f_beta().values()
    expected = metrics["f_beta"].expr
    for tp, fn, fp in product((1, 2, 5), repeat=3):
        for beta in (Fraction(1, 3), 1, 4):
            here, exchanged = ((tp, fn, fp, 1), (tp, fp, fn, 1))
            assert value(by_rates, here, beta) == value(expected, here, beta)
            assert value(by_counts, here, beta) == value(expected, exchanged, beta)


@cache
def function(formula: Expr) -> Callable[..., Fraction]:
    return lambdify((TP, FN, FP, TN, BETA.symbol), formula)


def value(formula: Expr, table: tuple[int, ...], beta: Fraction | int) -> Fraction:
    return Fraction(function(formula)(*map(Fraction, table), Fraction(beta)))


def test_the_limits_by_sympy() -> None:
    """SymPy's own limits, with symbols that are positive."""
    counts = {symbol: Symbol(symbol.name, positive=True) for symbol in (TP, FN, FP)}
    limits = [limit(form.xreplace(counts), BETA.symbol, oo).simplify() for form in tan2006._printed_f_beta().values()]
    assert limits == [RECALL.xreplace(counts), PRECISION.xreplace(counts)]


@given(st.fractions(min_value="1/100", max_value=100), st.fractions(min_value="1/100", max_value=100))
def test_the_harmonic_mean_is_the_closest(first: Fraction, second: Fraction) -> None:
    harmonic, smaller, larger = 2 * first * second / (first + second), min(first, second), max(first, second)
    assert smaller <= harmonic <= (first + second) / 2
    assert harmonic**2 <= first * second
    assert harmonic - smaller <= larger - harmonic
    assert (harmonic - smaller == larger - harmonic) == (first == second)


def test_the_precision_and_the_false_positives() -> None:
    """The example of the note: 9 of 12 is more precise than 1 of 2, with more false positives."""
    assert metrics["precision"].exact(9, 1, 3, 1) > metrics["precision"].exact(1, 1, 1, 1)


# -- figure 5.42 -------------------------------------------------------------------------------------------------------


def test_the_areas_of_the_figure() -> None:
    """Each against pairs counted one by one; scikit-learn's area is the one with ties."""
    from sklearn.metrics import roc_auc_score

    areas = {name: Fraction(str(area)) for name, area in RECORDS.areas().items()}
    assert list(areas.values()) == [Fraction(14, 25), Fraction(3, 5), Fraction(3, 5), Fraction(13, 25)]
    assert areas[AS_TIED] == pairs(RECORDS, ties=Fraction(1, 2))
    assert float(areas[AS_TIED]) == auc(RECORDS.labels, RECORDS.scores, pos_label="+")
    truth = np.array(RECORDS.labels) == "+"
    assert float(areas[AS_TIED]) == pytest.approx(roc_auc_score(truth, RECORDS.scores))


@given(st.lists(st.tuples(st.integers(0, 4), st.sampled_from("+-")), min_size=2, max_size=12))
def test_areas_against_pairs(records: list[tuple[int, str]]) -> None:
    """With ties as half a pair, as none, as a whole one; and by the order in which the records stand."""
    records = sorted([*records, (2, "+"), (2, "-")], key=lambda record: record[0])
    scores, labels = zip(*records, strict=True)
    ranked = RankedRecords(scores, labels)
    tied, printed, best, worst = (Fraction(str(area)) for area in ranked.areas().values())
    assert [tied, best, worst] == [pairs(ranked, ties=share) for share in (Fraction(1, 2), 1, 0)]
    positions = RankedRecords(tuple(range(len(records))), ranked.labels)
    assert printed == pairs(positions, ties=0)


def pairs(records: RankedRecords, ties: Fraction | int) -> Fraction:
    """Return the share of pairs of a positive and a negative record in which the positive one is higher."""
    both = list(zip(records.scores, records.labels, strict=True))
    positives, negatives = ([score for score, label in both if label == sign] for sign in "+-")
    won = sum(Fraction(p > n) + (ties if p == n else 0) for p in positives for n in negatives)
    return Fraction(won) / (len(positives) * len(negatives))


def test_the_printed_area_is_by_the_order_given() -> None:
    assert RECORDS.areas()[AS_PRINTED] == RECORDS.areas()["record by record, the tied ones in the best order"]


# -- statements --------------------------------------------------------------------------------------------------------


@in_one_test
@pytest.mark.parametrize(
    ("larger", "smaller", "status"),
    [
        ((TP + FN) / 2, sqrt(TP * FN), "proved"),
        (sqrt(TP * FN), 2 * TP * FN / (TP + FN), "proved"),
        (2 * TP * FN / (TP + FN), sqrt(TP * FN), "refuted"),
        (RECALL, metrics["jaccard"].expr, "proved"),
        (RECALL, metrics["f1"].expr, "refuted"),
    ],
)
def test_inequalities(larger: Expr, smaller: Expr, status: str) -> None:
    assert inequality(larger, smaller).status == status


def test_at_is_simultaneous() -> None:
    assert at(TP / (TP + FN), (FN, TP, FP, TN)) == FN / (TP + FN)
    assert at(metrics["fpr"].expr, (P, 0 * P, N, 0 * N)) == 1
