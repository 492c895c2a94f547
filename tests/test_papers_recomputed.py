"""Tan, Steinbach & Kumar (2006), section 5.7, and what published code computes, by a second hand."""

from __future__ import annotations

import importlib.util
import itertools
import json
import sys
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from effort import in_one_test, is_thorough, some
from hypothesis import given
from hypothesis import strategies as st
from record_laws import values_of
from sympy import Expr, Rational, Symbol, lambdify, limit, oo, sqrt

import symmetrics as sm
from symmetrics.curves import auc
from symmetrics.language.cells import FN, FP, TN, TP, N, P
from symmetrics.library import metrics
from symmetrics.papers import Experiment, experiment, write_experiment
from symmetrics.papers.branco2017.discriminating import (
    LONG_DOUBLE_BITS,
    PHI_OF_CODE,
    count,
    counted_by_code,
    differences,
)
from symmetrics.papers.branco2017.experiment import cases, problems
from symmetrics.papers.claims import at, inequality
from symmetrics.papers.comparison import Steps
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


# What published code computes: that of Branco, Torgo & Ribeiro by a second hand, and records beside other packages.

on_x86 = pytest.mark.skipif(LONG_DOUBLE_BITS != 64, reason="the authors' R added up in numbers of 80 bits")


def rounded(value: Fraction, bits: int = 64) -> Fraction:
    """Return a fraction to so many binary digits, ties to even."""
    if value == 0:
        return value
    exponent = value.numerator.bit_length() - value.denominator.bit_length()
    unit = Fraction(2) ** (exponent - bits)
    while abs(value) / unit >= 2**bits:
        unit *= 2
    return round(value / unit) * unit


def r_sum(terms: list[float]) -> float:
    total = Fraction(0)
    for term in terms:
        total = rounded(total + Fraction(term))
    return float(total)


def r_mean(terms: list[float]) -> float:
    total = Fraction(0)
    for term in terms:
        total = rounded(total + Fraction(term))
    mean, rest = rounded(total / len(terms)), Fraction(0)
    for term in terms:
        rest = rounded(rest + rounded(Fraction(term) - mean))
    return float(rounded(mean + rounded(rest / len(terms))))


def loop(terms: list[float]) -> float:
    total = 0.0
    for term in terms:
        total += term
    return total


def f1(precision: float, recall: float) -> float | None:
    return 2 * precision * recall / (precision + recall) if precision + recall else None


def values(matrix: tuple[tuple[int, ...], ...], weights: dict[str, list[float]]) -> dict[str, float | None]:
    hits, true = [row[place] for place, row in enumerate(matrix)], list(map(sum, matrix))
    called = [sum(column) for column in zip(*matrix, strict=True)]
    classes = range(len(matrix))
    shares = [hits[i] / max(true[i], called[i]) for i in classes]
    recall = loop([hits[i] / true[i] for i in classes]) / len(matrix)
    precision = loop([hits[i] / called[i] for i in classes if called[i]]) / len(matrix)
    found = {"Rec_M": recall, "Prec_M": precision, "F1_M": f1(precision, recall), "CBA": r_mean(shares)}
    found["AvF1"] = loop([2 * hits[i] / (true[i] + called[i]) for i in classes]) / len(matrix)
    for name, weight in weights.items():
        total = 1.0 if name == "PREV" else r_sum(weight)
        part = [value / total for value in weight]
        left = r_sum([part[i] for i in classes if called[i]])
        recall = loop([weight[i] * hits[i] / true[i] for i in classes]) / total
        precision = loop([part[i] / left * hits[i] / called[i] for i in classes if called[i]])
        found |= {f"Rec^{name}": recall, f"Prec^{name}": precision, f"F1^{name}": f1(precision, recall)}
        found[f"AvF1^{name}"] = loop([weight[i] * 2 * hits[i] / (true[i] + called[i]) for i in classes]) / total
        found[f"CBA^{name}"] = r_sum([weight[i] * shares[i] for i in classes]) / total
    return found


@on_x86
def test_the_code_counts_what_its_lines_compute_one_by_one() -> None:
    sizes, relevances = (2, 2, 6 if is_thorough() else 3), cases()[0].relevances
    inverse = [1 / size for size in sizes]
    weights = {"PREV": [value / r_sum(inverse) for value in inverse]}
    weights |= {name: [float(value) for value in relevances[name].values] for name in ("PO", "TO")}
    weights["phi"] = list(map(float, PHI_OF_CODE["multi-minority"]))
    rows = [[(a, b, size - a - b) for a in range(size + 1) for b in range(size + 1 - a)] for size in sizes]
    found: dict[str, set[float | None]] = {}
    for matrix in itertools.product(*rows):
        for name, value in values(matrix, weights).items():
            found.setdefault(name, set()).add(value)
    counted = counted_by_code("multi-minority", sizes, relevances)
    assert counted == {name: len(different) for name, different in found.items()}
    assert counted["CBA"] > len({value and round(value, 9) for value in found["CBA"]})  # rounding errors are counted


@on_x86
def test_extended_sums_are_what_makes_cba_lose() -> None:
    """On 2-15-17 by the partial order, where sums in 64-bit numbers have CBA gain."""
    counted = counted_by_code("multi-majority", (2, 15, 17), cases()[1].relevances)
    assert counted["CBA^PO"] - counted["CBA"] == -21
    assert counted["F1^PO"] - counted["F1_M"] == -227


@on_x86
@pytest.mark.thorough
def test_losses_on_the_problems_with_three_classes() -> None:
    chosen = [(scenario, sizes, case) for scenario, sizes, case in problems() if len(sizes) == 3]
    counted = [count(scenario, sizes, case.relevances, Steps(None)) for scenario, sizes, case in chosen]
    for by_code, expected in ((False, [6, 0, 2, 0, 9]), (True, [5, 0, 2, 0, 9])):
        gains = differences(counted, by_code=by_code)
        losses = [sum(d.gain <= 0 for d in gains if d.metric == name) for name in ("Rec", "Prec", "F1", "AvF1", "CBA")]
        assert len(gains) == 5 * 64
        assert losses == expected


def _page_of_records() -> ModuleType:
    path = Path(__file__).parents[1] / "docs" / "records.py"
    spec = importlib.util.spec_from_file_location("page_of_records", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_every_difference_from_other_packages_is_on_the_page() -> None:
    """At tables without zeros all records, by their formulas; at those with zeros some, with their limits."""
    page = _page_of_records()
    text = page.PAGE.read_text(encoding="utf-8")
    tables = np.array(page.data()["tables"], dtype=float)
    positive = tables.all(axis=1)
    for one in page.data()["comparisons"]:
        here = values_of(sm.metrics[one["record"]])(tables[positive])
        there = np.array([page.read(value) for value in one["values"]])[positive]
        if all(page.alike(*pair) or np.isnan(pair[1]) for pair in zip(here, there, strict=True)):
            continue
        assert (one["record"], one["package"]) in page.REMARKS
        assert f"| `{one['record']}` " in text
        assert f"{one['package']}, `{one['name']}`" in text
    for one in some(page.data()["comparisons"], 8, "differences"):
        assert bool(page.compared(one).other) <= ((one["record"], one["package"]) in page.REMARKS)
    known = {(one["record"], one["package"]) for one in page.data()["comparisons"]}
    assert page.REMARKS.keys() <= known


@pytest.mark.thorough
def test_the_page_of_records_is_current() -> None:
    page = _page_of_records()
    assert page.PAGE.read_text(encoding="utf-8") == page.page(), "run python docs/records.py"


def test_zhang_of_the_transposed_table_is_mlxtend_s() -> None:
    page = _page_of_records()
    (one,) = (one for one in page.data()["comparisons"] if one["package"] == "mlxtend" and one["record"] == "zhang")
    for (tp, fn, fp, tn), value in zip(page.data()["tables"], one["values"], strict=True):
        if tp * fn * fp * tn:
            assert sm.metrics["zhang"].from_counts(tp, fp, fn, tn) == pytest.approx(value, rel=1e-9)


def test_yates_corrects_no_count_beyond_the_expected_one() -> None:
    """R 4.3, chisq.test(matrix(c(1, 1, 1, 1), 2))$statistic is 0; at (1, 2, 3, 4) 2 is less than half of 10."""
    yates = sm.metrics["yates_chi_square"]
    assert yates.from_counts(1, 1, 1, 1) == yates.from_counts(1, 2, 3, 4) == 0
    assert yates.exact(3, 0, 0, 3) == Rational(8, 3)  # 6*(9 - 3)**2/3**4
