"""Can reported scores be true: the search for tables against all tables one by one."""

from __future__ import annotations

import itertools
import math
import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from effort import is_thorough
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import Rational, log, sqrt

import symmetrics as sm
from symmetrics.auditing.enclosures import Enclosure
from symmetrics.auditing.reported import Reported
from symmetrics.auditing.search import FACES, Score
from symmetrics.cli import main
from symmetrics.language.cells import FN, FP, TN, TP
from symmetrics.tools.errors import InputError, UnsupportedError

# -- printed numbers ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "rounding", "interval"),
    [
        ("0.95", "any", "[0.945, 0.96)"),
        ("0.95", "nearest", "[0.945, 0.955]"),
        ("0.95", "truncated", "[0.95, 0.96)"),
        ("95 %", "any", "[0.945, 0.96)"),
        ("95.0%", "nearest", "[0.9495, 0.9505]"),
        (".9", "truncated", "[0.9, 1)"),
        ("−.12", "any", "(-0.13, -0.115]"),
        ("-0.12", "nearest", "[-0.125, -0.115]"),
        ("0.00", "any", "(-0.01, 0.01)"),
        ("0.00", "nearest", "[-0.005, 0.005]"),
        ("≥ .9", "any", "[0.9, ∞)"),
        ("< 5%", "any", "(-∞, 0.05)"),
        ("1.2e-3", "nearest", "[0.00115, 0.00125]"),
        (0.5, "nearest", "[0.45, 0.55]"),
        (1, "truncated", "[1, 2)"),
        (Fraction(1, 3), "any", "[1/3, 1/3]"),
    ],
)
def test_what_a_printed_number_stands_for(text: object, rounding: str, interval: str) -> None:
    assert Reported.of(text, rounding).interval == interval


@given(st.fractions(-3, 3), st.integers(0, 5))
def test_what_is_printed_stands_for_its_value(value: Fraction, digits: int) -> None:
    """By Python's own rounding, half to even, and by leaving digits out."""
    scaled = value * 10**digits
    for whole, rounding in ((round(scaled), "nearest"), (math.trunc(scaled), "truncated")):
        text = f"{'-' if value < 0 else ''}{abs(whole) // 10**digits}.{abs(whole) % 10**digits:0{digits}d}"
        assert value in Reported.of(text.rstrip(".") if digits else text[:-2], rounding)
        assert value in Reported.of(text.rstrip(".") if digits else text[:-2])


# -- bounds on boxes ---------------------------------------------------------------------------------------------------

FORMULAS = [
    *(sm.metrics[name].expr for name in ("f1", "kappa", "mcc", "gmean", "precision", "informedness", "markedness")),
    log(TP + 1) - sqrt(FP / TN),
    (TP - FN) ** 3 / (FP - TN),
    abs(TP - FN) ** Rational(1, 2),
]


@settings(deadline=None)
@given(st.sampled_from(FORMULAS), st.lists(st.tuples(st.integers(1, 30), st.integers(0, 8)), min_size=4, max_size=4))
def test_no_value_on_a_box_is_beyond_its_bounds(formula: Any, sides: list[tuple[int, int]]) -> None:
    box = np.array([[[low, low + width] for low, width in sides]], dtype=float)
    (low,), (high,) = Enclosure(formula)(box)
    for corner in itertools.product(*({a, a + b // 2, a + b} for a, b in sides)):
        value = complex(formula.xreplace(dict(zip((TP, FN, FP, TN), corner, strict=True))).evalf(30))
        if value.imag == 0 and math.isfinite(value.real):
            assert low <= value.real <= high


@pytest.mark.parametrize(
    ("formula", "box"),
    [
        (1 / (FP - TN), [(1, 1), (1, 1), (1, 4), (2, 6)]),  # a pole inside
        ((TP - FN) ** 2, [(1, 6), (3, 5), (1, 1), (1, 1)]),  # a turn inside
        ((TP - FN) ** -2, [(1, 3), (4, 9), (1, 1), (1, 1)]),
        (TP * (TP - FN) * (FP - TN), [(1, 5), (1, 5), (1, 4), (1, 4)]),
        (sqrt(TP) / (TP + FN) - log(FP) / TN, [(1, 5), (1, 5), (1, 4), (1, 4)]),
    ],
    ids=str,
)
def test_bounds_hold_at_every_table_of_a_box(formula: Any, box: list[tuple[int, int]]) -> None:
    (low,), (high,) = Enclosure(formula)(np.array([box], dtype=float))
    for table in itertools.product(*(range(a, b + 1) for a, b in box)):
        value = formula.xreplace(dict(zip((TP, FN, FP, TN), table, strict=True)))
        if value.is_finite:
            assert low <= float(value) <= high


@pytest.mark.parametrize("name", list(sm.metrics)[:: 1 if is_thorough() else 12])
def test_bounds_hold_with_every_set_of_zeros(name: str) -> None:
    """What :mod:`symmetrics.numeric` makes of the tables of a box lies within its bounds, where there is anything."""
    drawn = np.random.default_rng(7)
    metric = sm.metrics[name]
    for zeros in FACES:
        least = drawn.integers(1, 12, (20, 4)) * drawn.choice([1, 1, 1000], (20, 4))
        most = least + drawn.integers(0, 6, (20, 4))
        for place, cell in enumerate(("TP", "FN", "FP", "TN")):
            if cell in zeros:
                least[:, place] = most[:, place] = 0
        tables = drawn.integers(least[:, None], most[:, None] + 1, (20, 30, 4))
        values = metric.from_counts(tables.astype(float))
        face = Score(name, metric, Reported.of("0.5")).on_face(zeros)
        if face is None:
            assert not np.isfinite(values).any()
            continue
        low, high = (ends[:, None] for ends in face.bounds(np.stack([least, most], axis=2).astype(float)))
        slack = 1e-12 * (1 + np.abs(values))
        assert (((low - slack <= values) & (values <= high + slack)) | ~np.isfinite(values)).all()
        # What has finite bounds has a value everywhere, or whole boxes could be kept in which it has none.
        assert np.isfinite(values[np.isfinite(low[:, 0]) & np.isfinite(high[:, 0])]).all()


def test_bounds_are_sharp_where_each_cell_has_one_direction() -> None:
    low, high = Enclosure(sm.metrics["jaccard"].expr)(np.array([[[3.0, 9], [1, 5], [2, 4], [7, 8]]]))
    assert (low[0], high[0]) == pytest.approx((3 / 12, 9 / 12), rel=1e-12)


# -- one table, by brute force -----------------------------------------------------------------------------------------


def agreeing(scores: dict[str, str], n: int, positives: int | None) -> set[tuple[int, ...]]:
    """Return all tables that agree, each looked at; what floats cannot tell is told by exact values."""
    sizes = range(n + 1) if positives is None else [positives]
    every = [(tp, p - tp, n - p - tn, tn) for p in sizes for tp in range(p + 1) for tn in range(n - p + 1)]
    left = np.ones(len(every), dtype=bool)
    for name, text in scores.items():
        reported, metric = Reported.of(text), sm.metrics[name]
        values = np.atleast_1d(np.asarray(metric.from_counts(np.array(every, dtype=float))))
        low, high = float(reported.low), float(reported.high)
        for place in np.flatnonzero(left):
            value: Any = values[place]
            if math.isfinite(value) and min(abs(value - low), abs(value - high)) < 1e-6:
                value = metric.exact(*every[place])
            left[place] = math.isfinite(value) and value in reported
    return {table for table, kept in zip(every, left, strict=True) if kept}


@pytest.mark.parametrize("seed", range(400 if is_thorough() else 12))
def test_all_tables_that_agree_are_found(seed: int) -> None:
    """True scores of a random table, one of them a unit of the last digit off in two cases of five."""
    drawn = random.Random(seed)
    n = drawn.randint(2, 24 if is_thorough() else 12)
    positives = drawn.randint(0, n)
    tp, tn = drawn.randint(0, positives), drawn.randint(0, n - positives)
    scores = {}
    names = list(sm.metrics) if is_thorough() else [*sm.metrics][:: 1 + seed]
    for name in drawn.sample(names, min(len(names), drawn.randint(1, 3))):
        value = sm.metrics[name].from_counts(tp, positives - tp, n - positives - tn, tn)
        digits = drawn.randint(1, 4)
        if math.isfinite(value):
            scores[name] = f"{value + drawn.choice([0, 0, 0, 1, -1]) * 10.0**-digits:.{digits}f}"
    if not scores:
        return
    known = drawn.choice([None, positives])
    found = sm.audit(scores, n, positives=known)
    expected = agreeing(scores, n, known)
    tables = list(found.tables)
    assert set(tables) == expected
    assert found.count == len(tables) == len(expected)
    assert found.status == ("possible" if expected else "impossible")
    assert found.example in expected or not expected
    assert tables == sorted(tables, key=lambda table: (table[0] + table[1], table[0], table[3]))
    if not expected:
        assert agreeing({name: scores[name] for name in found.clash}, n, known) == set()


def test_every_table_has_an_accuracy() -> None:
    """There are as many as ways to write n as a sum of four."""
    for n in (1, 7, 30, 100):
        found = sm.audit({"accuracy": ">= 0"}, n)
        assert found.count == math.comb(n + 3, 3)
        assert n > 30 or len(set(found.tables)) == found.count
    assert set(sm.audit({"accuracy": "<= 0"}, 2).tables) == {(0, a, 2 - a, 0) for a in range(3)}


def test_bounds_of_another_metric_are_exact() -> None:
    found = sm.audit({"accuracy": "0.95", "f1": "0.90"}, n=100)
    every = [sm.metrics["mcc"].exact(*table) for table in found.tables]
    assert found.bounds("mcc") == (min(every), max(every))


def test_many_examples_and_unknown_numbers_of_them() -> None:
    large = sm.audit({"accuracy": "0.9512", "recall": "0.9023"}, 10**6, positives=300_000)
    assert large.status == "possible"
    (tp, fn, fp, tn), read = large.example, {score.name: score.reported for score in large.scores}
    assert (tp + fn, fp + tn) == (300_000, 700_000)
    assert Fraction(tp + tn, 10**6) in read["accuracy"]
    assert Fraction(tp, 300_000) in read["recall"]
    # F1 is at most twice the recall, whatever the sizes.
    assert sm.audit({"recall": "0.30", "f1": "0.90"}).status == "impossible"
    # Of no fewer than 7 examples is a share 1/7, and it is first found there.
    shares = sm.audit({"prevalence": Fraction(1, 7)}, up_to=20)
    assert {sum(table) for table in shares.tables} == {7, 14}


def test_why_and_how_else() -> None:
    found = sm.audit({"specificity": "0.9", "accuracy": "0.95", "recall": "0.50"}, positives=20, negatives=80)
    assert (found.status, found.clash) == ("impossible", ("accuracy", "recall"))
    assert "contradict each other" in found.reason
    # 2 of 5 are found, but the smaller class was taken for the positive one.
    swapped = sm.audit({"recall": "0.4", "accuracy": Fraction(7, 10)}, positives=10, negatives=10)
    assert swapped.status == "possible"
    assert sm.audit({"recall": Fraction(2, 5)}, positives=6, negatives=5).readings[0] == "the classes are exchanged"
    assert "values above 1 are percentages" in sm.audit({"accuracy": "95.0"}, 100).readings
    assert (
        "every score is the mean over both classes"
        in sm.audit({"recall": Fraction(5, 12)}, positives=2, negatives=3).readings
    )
    assert sm.audit({"f1": Fraction(5, 6)}, positives=1, negatives=2).readings == ("F has beta = 2",)
    assert sm.audit({"f1": "1.20"}, 30).clash == ("f1",)


def test_what_is_undefined_agrees_with_no_number_by_itself() -> None:
    """A classifier that predicts no positive: its precision is 0/0, for which scikit-learn prints 0."""
    printed = {"accuracy": Fraction(9, 10), "recall": Fraction(0), "precision": Fraction(0)}
    found = sm.audit(printed, positives=1, negatives=9)
    assert (found.status, found.readings) == ("impossible", ("0 is printed where a score is undefined",))
    assert sm.audit(printed | {"precision": Fraction(1, 2)}, positives=1, negatives=9).readings == ()


def test_a_value_that_cannot_be_compared_leaves_it_open(monkeypatch: pytest.MonkeyPatch) -> None:
    hidden = sqrt(2) / 2  # an irrational number in the place of every value
    monkeypatch.setattr(sm.Metric, "exact", lambda *_: hidden)
    monkeypatch.setattr(type(hidden - Rational(1, 2)), "equals", lambda *_: None)
    assert sm.audit({"accuracy": Fraction(1, 2)}, 2).status == "open"


def test_what_takes_too_long_is_open() -> None:
    found = sm.audit({"kappa": "0.5001", "mcc": "0.50017"}, 10**6, seconds=0.01)
    assert (found.status, found.example) == ("open", None)
    assert "not decided within 0.01 s" in repr(found)


# -- doors -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scores", "options", "told"),
    [
        ({}, {"n": 10}, "no score is given"),
        ("f1", {"n": 10}, "'f1' is no mapping of metrics to values"),
        ({"f1": ".9"}, {"n": 10, "names": "system"}, "names='system' is for a data frame"),
        ({"f1": "high"}, {"n": 10}, "f1: 'high' is no reported number"),
        ({"f1": True}, {"n": 10}, "f1: True is no reported number"),
        ({"f1": "."}, {"n": 10}, "f1: '.' is no reported number"),
        ({"f1": "1e400"}, {"n": 10}, "is no reported number"),
        ({"f1": "0." + "9" * 5000}, {"n": 10}, "is no reported number"),
        ({"nonsense": ".9"}, {"n": 10}, "unknown metric 'nonsense'"),
        ({"f1": ".9"}, {"n": 0}, "n=0 is no whole number from 1"),
        ({"f1": ".9"}, {"n": 2.5}, "n=2.5 is no whole number"),
        ({"f1": ".9"}, {"n": 10**30}, "is no whole number from 1"),
        ({"f1": ".9"}, {"n": 10, "positives": 4, "negatives": 5}, "9 together, but n=10"),
        ({"f1": ".9"}, {"positives": 0, "negatives": 0}, "are both 0"),
        ({"f1": ".9"}, {"n": 10, "positives": 11}, "positives=11 is more than n=10"),
        ({"f1": ".9"}, {"negatives": 11, "up_to": 10}, "negatives=11 is more than up_to=10"),
        ({"f1": ".9"}, {"n": 10, "rounding": "up"}, "rounding='up' is unknown"),
        ({"f1": ".9"}, {"n": 10, "seconds": -1}, "seconds"),
    ],
)
def test_bad_input_is_refused_in_one_line(scores: Any, options: dict[str, Any], told: str) -> None:
    with pytest.raises(sm.SymmetricsError) as refused:
        sm.audit(scores, **options)
    assert told in str(refused.value)
    assert "\n" not in str(refused.value)


def test_what_has_no_bounds_says_so() -> None:
    with pytest.raises(InputError, match="no table agrees"):
        sm.audit({"f1": "1.20"}, 30).bounds("mcc")
    with pytest.raises(InputError, match="finite value at no table"):
        sm.audit({"prevalence": Fraction(0)}, 30).bounds("recall")
    with pytest.raises(UnsupportedError, match="2253001 tables agree, too many"):
        sm.audit({"accuracy": ">= 0"}, 3000, positives=1500).bounds("mcc")


def test_a_frame_has_an_audit_for_each_row() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"accuracy": ["0.95", "0.95"], "F1": ["0.90", "0.20"], "recall": ["-", "0.9"]}, ["A", "B"])
    found = sm.audit(frame, 1000, positives=300)
    assert [one.status for one in found.rows.values()] == ["possible", "impossible"]
    assert [score.name for score in found.rows["A"].scores] == ["accuracy", "F1"]
    assert found.status == "impossible"
    assert found.to_dict()["B"]["clash"] == ["accuracy", "F1"]
    assert "| B     | impossible | accuracy and F1 contradict each other" in found.to_markdown()
    with pytest.raises(InputError, match="row A: F1: 'x' is no reported number"):
        sm.audit(frame.replace("0.90", "x"), 1000)
    frame.loc["A", "recall"] = pandas.NA
    assert [score.name for score in sm.audit(frame, 1000).rows["A"].scores] == ["accuracy", "F1"]
    with pytest.raises(InputError, match="row 'A' is there twice"):
        sm.audit(frame.set_axis(["A", "A"]), 1000)
    with pytest.raises(InputError, match="row A: no score is given"):
        sm.audit(frame[["recall"]], 1000)
    with pytest.raises(InputError, match="no scores to audit"):
        sm.audit(frame.iloc[:0], 1000)
    with pytest.raises(sm.SymmetricsError):
        sm.audit(frame.set_axis(["f1", "f1", "recall"], axis=1), 1000)


def test_the_names_of_the_rows() -> None:
    """A column that is no metric, or is said to be; an index; or their numbers."""
    polars = pytest.importorskip("polars")
    columns = {"accuracy": ["0.95", "0.95"], "F1": ["0.90", "0.20"]}
    assert list(sm.audit(polars.DataFrame(columns), 100).rows) == ["1", "2"]
    assert list(sm.audit(polars.DataFrame({"system": ["A", "B"]} | columns), 100).rows) == ["A", "B"]
    assert list(sm.audit(polars.DataFrame(columns | {"system": ["A", "B"]}), 100, names="system").rows) == ["A", "B"]
    with pytest.raises(sm.SymmetricsError, match="unknown metric 'system'"):
        sm.audit(polars.DataFrame(columns | {"system": ["A", "B"]}), 100)
    with pytest.raises(sm.SymmetricsError, match="unknown column 'who'"):
        sm.audit(polars.DataFrame(columns), 100, names="who")


def test_the_command(tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", "accuracy=.95", "f1>=.90", "--n", "100"]) == 0
    assert capsys.readouterr().out.startswith(
        "possible: accuracy .95: in [0.945, 0.96), f1 >=.90: in [0.9, ∞); n = 100"
    )
    assert (
        main(["audit", "accuracy=.95", "recall=.5", "--positives", "20", "--negatives", "80", "--format", "json"]) == 1
    )
    assert '"clash": [\n  "accuracy",\n  "recall"\n ]' in capsys.readouterr().out
    table = tmp_path / "results.csv"
    table.write_text("system,accuracy,F1\nA,0.95,0.90\nB,0.95,0.20\n", encoding="utf-8")
    assert main(["audit", str(table), "--n", "1000", "--positives", "300"]) == 1
    assert [line.split(":")[0] for line in capsys.readouterr().out.splitlines()] == ["A  possible", "B  impossible"]
    for bad, told in (
        (["f1=x"], "f1: 'x' is no reported number"),
        (["f1"], "no such file"),
        (["f1=.9", "f1"], "'f1' is no score; write METRIC=VALUE"),
        (["f1=.9", "accuracy=.5", "f1=.2"], "f1 is given twice"),
    ):
        assert main(["audit", *bad]) == 2
        assert told in capsys.readouterr().err
    for text, told in (
        ("system,accuracy,F1\nA,0.95,0.90\nA,0.95,0.20\n", "row 'A' is there twice"),
        ("system,f1,f1\nA,0.95,0.90\n", "two columns have the same name"),
        ("system,f1\n", "no scores to audit"),
        ("system\nA\n", "no scores to audit"),
        ("system,f1\nA,\n", "row A: no score is given"),
        ("", "is empty"),
    ):
        table.write_text(text, encoding="utf-8")
        assert main(["audit", str(table), "--n", "10"]) == 2
        assert told in capsys.readouterr().err
    table.write_text("accuracy,F1\n0.95,0.90\n", encoding="utf-8")
    assert main(["audit", str(table), "--n", "100"]) == 0
    assert capsys.readouterr().out.startswith("1  possible")


def test_numbers_of_single_precision_are_read_as_they_are_printed() -> None:
    pandas = pytest.importorskip("pandas")
    assert Reported.of(np.float32(0.9)).interval == "[0.85, 1)"
    frame = pandas.DataFrame({"accuracy": np.array([0.9], dtype="float32")})
    assert sm.audit(frame, n=10).status == "possible"


def test_names_that_are_no_metrics_or_given_twice_are_refused(tmp_path: Any, capsys: Any) -> None:
    file = tmp_path / "headless.csv"
    file.write_text("0.9,0.8\n0.7,0.6\n")
    assert main(["audit", str(file), "--n", "10"]) == 2
    assert "give a file a header" in capsys.readouterr().err
    pair = {sm.Metric("m", TP / (TP + FN)): "0.50", sm.Metric("m", TN / (TN + FP)): "0.90"}
    with pytest.raises(InputError, match="two scores are called 'm'"):
        sm.audit(pair, n=20)
