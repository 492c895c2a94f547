"""Orders from scores, random orders, their ranks on diagrams and on the command line, and relevance from them."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from statistics import NormalDist

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pandas
import polars
import pytest
from effort import examples, in_one_test
from hypothesis import given, settings
from hypothesis import strategies as st
from shared import refusal

import symmetrics as sm
from symmetrics.cli import main
from symmetrics.posets import (
    above,
    draw_hasse,
    equal_rows,
    exact_ranks,
    from_scores,
    interval_ranks,
    poset,
    random_ranks,
    read_scores,
)
from symmetrics.tools.errors import InputError, UnknownNameError
from tests.test_posets import FORK, N_SHAPE

mpl.use("Agg")

SCORES = {
    "A": {"f1": 0.8, "mcc": 0.6, "fpr": 0.1},
    "B": {"f1": 0.7, "mcc": 0.5, "fpr": 0.2},
    "C": {"f1": 0.9, "mcc": 0.4, "fpr": 0.3},
    "D": {"f1": 0.8, "mcc": 0.6, "fpr": 0.1},
}
LOSS = {"fpr": False}


def test_worked_by_hand() -> None:
    """A and D are equal and better than B everywhere; C has the best F1 and the worst of all others."""
    order = from_scores(SCORES, greater_is_better=LOSS)
    assert order.nodes == ("A", "B", "C", "D")
    assert set(order.reduction) == {("B", "A"), ("B", "D")}
    assert equal_rows(SCORES) == [["A", "D"]]
    ranks = exact_ranks(order)
    assert ranks["A"] == ranks["D"]
    # By F1 alone it is a weak order, and the other way round where F1 is called a loss.
    assert from_scores(SCORES, columns=["f1"]) == poset([("B", "A"), ("B", "D"), ("A", "C"), ("D", "C")])
    assert from_scores(SCORES, columns="f1", greater_is_better=False).above("C") == {"A", "B", "D"}
    one = from_scores({"x": {"f1": 1}})
    assert (one.nodes, one.reduction) == (("x",), ())


@pytest.mark.parametrize("named", [True, False])
def test_frames_of_any_kind(named: bool) -> None:
    expected = from_scores(SCORES, greater_is_better=LOSS)
    columns = {name: [row[name] for row in SCORES.values()] for name in ("f1", "mcc", "fpr")}
    texts = {"system": list(SCORES), **columns}
    frames = [
        pandas.DataFrame(texts),
        polars.DataFrame(texts),
        polars.LazyFrame(texts),
        polars.DataFrame(texts).to_arrow(),
    ]
    for frame in frames:
        order = from_scores(frame, greater_is_better=LOSS, **({"names": "system"} if named else {}))
        assert order == expected
        assert order.nodes == expected.nodes
    assert from_scores(pandas.DataFrame(columns, index=list(SCORES)), greater_is_better=LOSS) == expected
    numbered = from_scores(polars.DataFrame(columns), greater_is_better=LOSS)
    assert numbered.nodes == (0, 1, 2, 3)


def test_numbers_are_compared_as_they_are() -> None:
    third, close = Fraction(1, 3), float(Fraction(1, 3))
    assert from_scores({"a": {"x": third}, "b": {"x": close}}).reduction in ((("a", "b"),), (("b", "a"),))
    big = 2**60
    assert from_scores({"a": {"x": big}, "b": {"x": big + 1}}).reduction == (("a", "b"),)
    exact = {"a": {"x": Decimal("0.1")}, "b": {"x": Decimal("0.10000000000000000001")}}
    assert from_scores(exact).reduction == (("a", "b"),)
    assert from_scores({"a": {"x": 1.0}, "b": {"x": float("inf")}}).reduction == (("a", "b"),)


@settings(max_examples=examples(200), deadline=None)
@given(
    st.lists(st.lists(st.integers(0, 3), min_size=3, max_size=3), min_size=1, max_size=7),
    st.lists(st.booleans(), min_size=3, max_size=3),
)
def test_dominance_is_its_definition(rows: list[list[int]], better: list[bool]) -> None:
    names = ["x", "y", "z"]
    scores = {f"row {place}": dict(zip(names, row, strict=True)) for place, row in enumerate(rows)}
    order = from_scores(scores, greater_is_better=dict(zip(names, better, strict=True)))
    for (a, first), (b, second) in itertools.permutations(enumerate(rows), 2):
        gains = [(y - x) * (1 if up else -1) for x, y, up in zip(first, second, better, strict=True)]
        is_below = min(gains) >= 0 and max(gains) > 0
        assert (f"row {b}" in order.above(f"row {a}")) == is_below
    # What only rises keeps the order.
    changed = {name: {column: value**3 + 2 for column, value in row.items()} for name, row in scores.items()}
    assert from_scores(changed, greater_is_better=dict(zip(names, better, strict=True))) == order


@in_one_test
@pytest.mark.parametrize(
    ("reason", "call"),
    [
        ("row B has no score in column f1", lambda: from_scores({"A": {"f1": 1}, "B": {"f1": None}})),
        ("row 1 has no score in column f1", lambda: from_scores(pandas.DataFrame({"f1": [0.5, float("nan")]}))),
        ("row b has no score", lambda: from_scores(polars.DataFrame({"n": ["a", "b"], "f1": [0.5, None]}))),
        ("high in column f1 of row A is no number", lambda: from_scores({"A": {"f1": "high"}})),
        ("True in column f1", lambda: from_scores({"A": {"f1": True}})),
        ("column mcc is not in every row", lambda: from_scores({"A": {"f1": 1, "mcc": 1}, "B": {"f1": 1}})),
        ("row A is 3: give each row a mapping", lambda: from_scores({"A": 3})),
        ("row a stands twice", lambda: from_scores(pandas.DataFrame({"n": ["a", "a"], "f1": [1, 2]}))),
        ("greater_is_better names column f2", lambda: from_scores(SCORES, greater_is_better={"f2": False})),
        ("greater_is_better=1", lambda: from_scores(SCORES, greater_is_better=1)),  # type: ignore[arg-type]
        ("greater_is_better={'f1': None}", lambda: from_scores(SCORES, greater_is_better={"f1": None})),  # type: ignore[dict-item]
        ("by column", lambda: random_ranks(np.zeros((20, 2, 2)), greater_is_better=[True])),
        ("is no mapping", lambda: interval_ranks(3)),  # type: ignore[arg-type]
        ("tables is empty", lambda: sm.rank_tables({}, ["f1"])),
        ("columns names column zz", lambda: from_scores(SCORES, columns=["f1", "zz"])),
        ("names names column zz", lambda: from_scores(polars.DataFrame({"f1": [1]}), names="zz")),
        ("there are no scores", lambda: from_scores({})),
        ("is no data frame", lambda: from_scores([[1, 2]])),
        ("draws has shape (3, 2)", lambda: random_ranks(np.zeros((3, 2)))),
        ("20 draws or more", lambda: random_ranks(np.zeros((5, 2, 2)))),
        ("draw 0 has no score of row 0", lambda: random_ranks(np.full((20, 2, 2), np.nan))),
        ("rows names 1 row and draws has 2", lambda: random_ranks(np.zeros((20, 2, 2)), ["a"])),
        ("7 in column x of row a is no interval", lambda: interval_ranks({"a": {"x": 7}})),
        ("does not hold its estimate", lambda: interval_ranks({"a": {"x": (1, 0, 2)}})),
        ("level=95", lambda: interval_ranks({"a": {"x": (1, 2, 3)}}, level=95)),
        ("ranks has no class b", lambda: draw_hasse(FORK, ranks={"a": 1, "c": 2})),
        ("the rank of class 'a' is 0", lambda: sm.relevance.ranks({"a": 0, "b": 2})),
        ("ranks takes a mapping", lambda: sm.relevance.ranks([1, 2])),  # type: ignore[arg-type]
        ("table A is (1, 2, 3)", lambda: sm.rank_tables({"A": (1, 2, 3)}, ["f1"])),
        ("no k x k matrix", lambda: sm.rank_tables([1, 2, 3, 4], ["f1"])),
        ("several shapes", lambda: sm.rank_tables({"A": (1, 2, 3, 4), "B": [[1, 2], [3, 4]]}, ["f1"])),
        ("neither end of prevalence", lambda: sm.rank_tables({"A": (1, 2, 3, 4)}, ["prevalence"])),
        ("metrics is empty", lambda: sm.rank_tables({"A": (1, 2, 3, 4)}, [])),
        ("take bayes", lambda: sm.rank_tables({"A": (1.5, 2, 3, 4)}, ["f1"], method="bootstrap")),
        ("no metric of whole matrices", lambda: sm.rank_tables({"A": np.eye(3)}, [sm.metrics["f1"]])),
    ],
)
def test_bad_scores(reason: str, call: Callable[[], object]) -> None:
    assert reason in refusal(call)


# -- random orders -----------------------------------------------------------------------------------------------------


def test_draws_are_averaged() -> None:
    """Three quarters of the draws are a chain, the others an antichain; against the sums of both."""
    chain, apart = [[1.0, 1], [2, 2], [3, 3]], [[1.0, 3], [2, 2], [3, 1]]
    found = random_ranks(np.array([chain] * 30 + [apart] * 10), ["a", "b", "c"])
    assert (found.draws, found.orders) == (40, 2)
    assert found.ranks["a"] == pytest.approx({1: 0.75 + 0.25 / 3, 2: 0.25 / 3, 3: 0.25 / 3})
    assert found.above["c", "a"] == pytest.approx(0.75 + 0.25 / 2)
    assert found.expected == pytest.approx({"a": 1.25, "b": 2.0, "c": 2.75})
    # The error of a mean of 40 values, of which 30 are 1 and 10 are 1/2, with four imagined draws at 0 and 1.
    mean = found.above["c", "a"]
    variance = (30 * (1 - mean) ** 2 + 10 * (0.5 - mean) ** 2 + 2 * mean**2 + 2 * (1 - mean) ** 2) / 44 * 40 / 39
    assert found.above_errors["c", "a"] == pytest.approx(np.sqrt(variance / 40), rel=0.05)
    turned = random_ranks(-np.array([chain] * 30 + [apart] * 10), ["a", "b", "c"], greater_is_better=False)
    assert turned == found


def test_monte_carlo_errors_hold() -> None:
    """Two normal scores: b is above a in both, in none, or in one of them, which counts half."""
    inside, generator = 0, np.random.default_rng(0)
    exact = 0.5 + 0.5 * 0.5204998778130465  # P(N(1, 2) > 0) is (1 + erf(1/2))/2, for each of two columns
    for _ in range(100):
        draws = generator.normal([[0.0, 0.0], [1.0, 1.0]], 1.0, size=(60, 2, 2))
        found = random_ranks(draws)
        inside += abs(found.above[1, 0] - exact) < 1.96 * found.above_errors[1, 0]
    assert inside >= 91


def test_intervals_are_drawn() -> None:
    """Normal intervals: the probability of a difference is that of the normal distribution; both ends of a skew one."""
    low, high, z = {"x": (-1.0, 0.0, 1.0)}, {"x": (0.0, 1.0, 2.0)}, 1.959964
    found = interval_ranks({"a": low, "b": high}, draws=4000, seed=2)
    assert found == interval_ranks({"a": low, "b": high}, draws=4000, seed=2)
    exact = NormalDist().cdf(1 / (np.sqrt(2) / z))
    assert abs(found.above["b", "a"] - exact) < 4 * found.above_errors["b", "a"]
    # Of a skew interval at 80 %, a tenth lies beyond each end.
    point = {"x": (3.0, 3.0, 3.0)}
    skew = interval_ranks({"a": {"x": (0.0, 1.0, 3.0)}, "b": point}, level=0.8, draws=4000, seed=1)
    assert abs(skew.above["a", "b"] - 0.1) < 4 * skew.above_errors["a", "b"]
    turned = interval_ranks(
        {"a": {"x": (0.0, 1.0, 3.0)}, "b": point}, level=0.8, draws=4000, seed=1, greater_is_better=False
    )
    assert turned.above["b", "a"] == skew.above["a", "b"]
    f1 = sm.metrics["f1"]
    ours = {"A": {"f1": f1.interval(40, 10, 20, 130)}, "B": {"f1": f1.interval(45, 5, 10, 140)}}
    assert interval_ranks(ours).above["B", "A"] > 0.95


def test_tables_are_drawn() -> None:
    tables = {"A": (400, 100, 50, 950), "B": (450, 50, 200, 800), "C": (300, 200, 150, 850)}
    for method in ("bayes", "bootstrap"):
        found = sm.rank_tables(tables, ["tpr", "fpr"], method=method, draws=300, seed=1)  # type: ignore[arg-type]
        assert found == sm.rank_tables(tables, ["tpr", "fpr"], method=method, draws=300, seed=1)  # type: ignore[arg-type]
        # A is better than C in both, beyond doubt; B is comparable with neither: 2 of 3 extensions have A above it.
        assert found.above["A", "C"] > 0.99
        assert found.above["A", "B"] == pytest.approx(2 / 3, abs=0.01)
        assert max(found.expected_errors.values()) < 0.05
    few = {name: tuple(cell // 50 for cell in table) for name, table in tables.items()}
    assert sm.rank_tables(few, ["tpr", "fpr"], draws=300).above["A", "C"] < 0.99
    with pytest.raises(UnknownNameError, match="bayes, bootstrap"):
        sm.rank_tables(tables, ["tpr"], method="delta")  # type: ignore[arg-type]


def test_classes_of_a_matrix_and_whole_matrices() -> None:
    C = np.array([[500, 20, 10], [60, 300, 90], [5, 100, 95]])
    found = sm.rank_tables(C, ["recall", "precision"], draws=200)
    values = np.stack([sm.metrics[name].from_confusion(C, average=None) for name in ("recall", "precision")], axis=1)
    order = from_scores({place: dict(enumerate(row.tolist())) for place, row in enumerate(values)})  # type: ignore[misc]
    assert found.expected == pytest.approx({name: float(rank) for name, rank in exact_ranks(order).items()}, abs=0.1)
    named = sm.rank_tables(pandas.DataFrame(C, index=[*"abc"], columns=[*"abc"]), ["recall", "precision"], draws=200)
    assert list(named.expected) == ["a", "b", "c"]
    both = sm.rank_tables({"good": C, "bad": C[::-1]}, ["mcc", "cba"], draws=50)
    assert both.above["good", "bad"] > 0.9


# -- shown, and weighing metrics ---------------------------------------------------------------------------------------


def test_diagram_with_ranks() -> None:
    order = poset(N_SHAPE)
    for ranks in ("exact", exact_ranks(order)):
        ax = draw_hasse(order, ranks=ranks)
        shown = {text.get_text() for text in ax.texts}
        assert shown == {"a\n1.80 [1, 3]", "b\n1.40 [1, 2]", "c\n3.60 [3, 4]", "d\n3.20 [2, 4]"}
        plt.close(ax.figure)
    with pytest.raises(UnknownNameError):
        draw_hasse(order, ranks="mean")


def test_relevance_from_any_ranks() -> None:
    C = [[50, 5, 3], [4, 30, 6], [2, 8, 12]]
    order = from_scores({0: {"cost": 1, "rarity": 1}, 1: {"cost": 2, "rarity": 3}, 2: {"cost": 3, "rarity": 2}})
    phi = sm.relevance.partial_order(order, method="exact")  # type: ignore[arg-type]
    assert phi.values == (Fraction(2, 5), 1, 1)
    assert sm.relevance.ranks(exact_ranks(order)).values == phi.values
    assert sm.relevance.ranks(pandas.Series({"b": 2.0, "a": 1.0})).values == (0.5, 1.0)
    loof = sm.relevance.partial_order(order, method="loof1")  # type: ignore[arg-type]
    assert loof.values == phi.values
    random = sm.relevance.ranks(sm.rank_tables(C, ["recall", "precision"], draws=50).expected)
    for weights in (phi, loof, random):
        recall = sm.metrics["recall"].from_confusion(C, average=None)
        expected = np.average(recall, weights=weights.weights)
        assert sm.metrics["recall"].from_confusion(C, average=weights) == pytest.approx(expected)
        assert 0 < sm.multiclass["cba"].from_confusion(C, average=weights) < 1


# -- files and the command line ----------------------------------------------------------------------------------------


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "scores.csv"
    lines = [",".join([name, *map(str, row.values())]) for name, row in SCORES.items()]
    path.write_text("\n".join(["system,f1,mcc,fpr", *lines]), encoding="utf-8")
    return path


def test_scores_are_read(file: Path, tmp_path: Path) -> None:
    assert from_scores(read_scores(file), greater_is_better=LOSS) == from_scores(SCORES, greater_is_better=LOSS)
    other = tmp_path / "other.csv"
    other.write_text("f1;name\n0.5;a\n0,7;b\n", encoding="utf-8")
    message = refusal(lambda: read_scores(other, names="name"))
    assert "line 3, column f1: 0,7 is no number" in message
    for text, part in [
        ("name,f1\na,\n", "line 2, column f1: a score is missing"),
        ("name,f1,f1\na,1,2\n", "same name"),
        ("name,f1\na,1,2\n", "line 2"),
        ("", "is empty"),
        ("name,f1\n", "no scores"),
    ]:
        other.write_text(text, encoding="utf-8")
        assert part in refusal(lambda: from_scores(read_scores(other)))


def ranked(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["rank", *arguments]) == 0
    return capsys.readouterr().out


def test_the_command(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = ranked(capsys, str(file), "--from-scores", "--diagram")
    # The library knows that FPR is a loss.
    assert "lower is better: fpr" in text
    assert "equal in all columns: A, D" in text
    assert "level  class  covers" in text
    assert "lower is better: f1, fpr" in ranked(capsys, str(file), "--from-scores", "--losses", "f1")
    found = json.loads(ranked(capsys, str(file), "--from-scores", "--probabilities", "--format", "json"))
    order = from_scores(SCORES, greater_is_better=LOSS)
    for row in found["classes"]:
        assert row["expected_rank"] == float(exact_ranks(order)[row["class"]])
        assert row["above"] == {b: float(share) for (a, b), share in above(order).items() if a == row["class"]}
    lines = ranked(capsys, str(file), "--from-scores", "--probabilities", "--format", "csv").splitlines()
    assert lines[0] == "class,rank,above,probability"
    assert "B,1,,0.75" in lines
    pairs = tmp_path / "order.csv"
    pairs.write_text("below,above\nc,a\nc,b\n")
    assert "0.5000" in ranked(capsys, str(pairs), "--probabilities")
    walked = ranked(capsys, str(pairs), "--probabilities", "--method", "mcmc", "--seed", "3")
    assert walked == ranked(capsys, str(pairs), "--probabilities", "--method", "mcmc", "--seed", "3")
    for arguments, part in [
        ([str(file), "--from-scores", "--losses", "zz"], "column zz"),
        ([str(file), "--from-scores", "--losses", "f1,,"], "empty"),
        ([str(file), "--from-scores", "--classes", "A"], "leave them out"),
        ([str(pairs), "--losses", "f1"], "--from-scores"),
        ([str(pairs), "--probabilities", "--method", "lpom"], "exact, mcmc"),
    ]:
        assert main(["rank", *arguments]) == 2
        assert part in capsys.readouterr().err


def test_errors_are_input_errors() -> None:
    with pytest.raises(InputError):
        from_scores({"A": {}})
