"""Counts and scores of data frames are those of a loop over their rows, whichever engine holds them."""

from __future__ import annotations

import datetime as dt
import math
import sys
from collections import defaultdict
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from effort import examples, is_thorough
from engines import FIRST, Columns, engines, frame, rows
from hypothesis import given, settings
from hypothesis import strategies as st

import symmetrics as sm
from symmetrics.tools.errors import InputError

CELLS = ("tp", "fn", "fp", "tn")


def by_loop(
    columns: Columns, by: list[str], weight: str | None = None, positive: Any = 1
) -> dict[tuple[Any, ...], Any]:
    """Return the four counts of each group, one example after the other."""
    found: dict[tuple[Any, ...], list[float]] = defaultdict(lambda: [0, 0, 0, 0])
    for place in range(len(columns["y"])):
        true, predicted = (columns[name][place] == positive for name in ("y", "p"))
        cell = 0 if true and predicted else 1 if true else 2 if predicted else 3
        found[tuple(columns[key][place] for key in by)][cell] += 1 if weight is None else columns[weight][place]
    return {key: tuple(cells) for key, cells in found.items()}


def by_key(found: Any, by: list[str]) -> dict[tuple[Any, ...], Any]:
    listed = rows(found)
    assert all(list(row) == [*by, *CELLS] for row in listed)
    assert len({tuple(row[key] for key in by) for row in listed}) == len(listed)
    return {tuple(row[key] for key in by): tuple(row[cell] for cell in CELLS) for row in listed}


def sample(size: int = 300, labels: tuple[Any, ...] = (0, 1), seed: int = 1) -> Columns:
    random = Random(seed)
    return {
        "y": [random.choice(labels) for _ in range(size)],
        "p": [random.choice(labels) for _ in range(size)],
        "site": [random.choice(["a", "b", "c d"]) for _ in range(size)],
        "year": [random.choice([2019, 2020]) for _ in range(size)],
        "w": [random.choice([0.0, 0.5, 2.0, 3.25]) for _ in range(size)],
    }


def refusal(call: Callable[[], object]) -> str:
    with pytest.raises(InputError) as caught:
        call()
    message = str(caught.value)
    assert "\n" not in message
    assert len(message) < 600
    return message


# -- counts ------------------------------------------------------------------------------------------------------------


@pytest.mark.sampled(4)
@engines()
def test_counts_are_those_of_a_loop(engine: str) -> None:
    columns = sample()
    given = frame(engine, columns)
    for by, weight in (([], None), (["site"], None), (["site", "year"], "w"), (["year"], "w"), ([], "w")):
        found = sm.counts(given, truth="y", prediction="p", by=by, weight=weight)
        assert type(found).__module__.partition(".")[0] == type(given).__module__.partition(".")[0]
        assert by_key(found, by) == by_loop(columns, by, weight)


@pytest.mark.sampled(24)
@engines()
@pytest.mark.parametrize(
    ("labels", "positive"),
    [((False, True), True), ((0.0, 1.0), 1), ((-1, 1), -1), (("no", "yes"), "yes"), ((0, 1, 2), 2), ((False, True), 1)],
)
def test_labels_of_any_type_and_one_class_against_the_rest(engine: str, labels: Any, positive: Any) -> None:
    columns = sample(60, labels)
    found = sm.counts(frame(engine, columns), truth="y", prediction="p", by="site", positive=positive)
    assert by_key(found, ["site"]) == by_loop(columns, ["site"], positive=positive)


@engines()
def test_a_class_that_is_only_predicted_counts(engine: str) -> None:
    columns = {"y": ["a", "b", "a"], "p": ["c", "b", "a"]}
    given = frame(engine, columns)
    assert by_key(sm.counts(given, truth="y", prediction="p", positive="c"), []) == {(): (0, 0, 1, 2)}
    macro = sm.score(given, None, ["recall"], truth="y", prediction="p", average="macro")
    expected = sm.score(columns["y"], columns["p"], ["recall"], average="macro")
    assert macro.loc["recall", "value"] == expected.loc["recall", "value"]


def test_groups_whose_type_an_engine_cannot_sort_are_counted() -> None:
    pandas, pyarrow = pytest.importorskip("pandas"), pytest.importorskip("pyarrow")
    dictionary = pandas.ArrowDtype(pyarrow.dictionary(pyarrow.int8(), pyarrow.string()))
    sites = pandas.Series(["b", "a", "b"], dtype=dictionary)
    given = pandas.DataFrame({"y": [1, 0, 1], "p": [1, 0, 0], "site": sites})
    found = sm.counts(given, "y", "p", by="site")
    rows = dict(zip(found["site"].to_list(), found[["tp", "fn", "fp", "tn"]].to_numpy().tolist(), strict=True))
    assert rows == {"b": [1, 1, 0, 0], "a": [0, 0, 0, 1]}


@engines("pandas", "polars", "polars, lazy", "pyarrow")
def test_categories_are_labels_and_groups(engine: str) -> None:
    columns = sample(40, ("no", "yes"))
    given = frame(engine.partition(",")[0], columns)
    if engine == "pandas":
        given = given.astype({"y": "category", "p": "category", "site": "category"})
    elif engine == "pyarrow":
        for place, name in enumerate(("y", "p", "site")):
            given = given.set_column(place, name, given[name].dictionary_encode())
    else:
        polars = pytest.importorskip("polars")
        kinds = {"y": polars.Categorical, "p": polars.Enum(["maybe", "no", "yes"]), "site": polars.Categorical}
        given = given.cast(kinds)
        given = given.lazy() if engine == "polars, lazy" else given
    found = sm.counts(given, truth="y", prediction="p", by="site", positive="yes")
    assert by_key(found, ["site"]) == by_loop(columns, ["site"], positive="yes")
    scored = sm.score(given, None, ["mcc"], truth="y", prediction="p", by="site", pos_label="yes")
    plain = sm.score(columns, None, ["mcc"], truth="y", prediction="p", by="site", pos_label="yes")
    assert dict(scored["value"]) == dict(plain["value"])


@engines(*FIRST)
@settings(max_examples=examples(30), deadline=None)
@given(
    data=st.lists(
        st.tuples(st.integers(0, 1), st.integers(0, 1), st.sampled_from(["x", "y", None]), st.integers(0, 4)),
        min_size=1,
        max_size=12,
    ).filter(lambda data: any(row[0] for row in data) and any(row[1] for row in data))
)
def test_a_missing_value_of_a_group_is_a_group(engine: str, data: list[Any]) -> None:
    columns = dict(zip(("y", "p", "site", "w"), map(list, zip(*data, strict=True)), strict=True))
    columns["site"] += ["x", None]
    for name in ("y", "p", "w"):
        columns[name] += [1, 1]
    given = frame(engine, columns)
    assert by_key(sm.counts(given, truth="y", prediction="p", by="site"), ["site"]) == by_loop(columns, ["site"])
    found = sm.counts(given, truth="y", prediction="p", by=["site"], weight="w")
    assert by_key(found, ["site"]) == by_loop(columns, ["site"], "w")


@engines()
def test_instants_with_time_zones_are_groups(engine: str) -> None:
    east = dt.timezone(dt.timedelta(hours=2))
    hours = [dt.datetime(2024, 3, 31, hour, tzinfo=dt.UTC) for hour in (0, 1, 2)]
    same = [hours[0].astimezone(east), hours[1].astimezone(east), hours[2].astimezone(east)]
    columns = {"y": [1, 0, 1, 1, 0, 0], "p": [1, 0, 0, 1, 1, 0], "at": [*hours, *same]}
    if engine in (
        "pandas",
        "pandas, nullable types",
        "pandas, Arrow types",
        "Dask",
        "polars",
        "polars, lazy",
        "pyarrow",
    ):
        columns["at"] = [at.astimezone(dt.UTC) for at in columns["at"]]  # a column has one zone
    found = by_key(sm.counts(frame(engine, columns), truth="y", prediction="p", by="at"), ["at"])
    expected = by_loop(columns, ["at"])
    assert sorted(found.values()) == sorted(expected.values())
    if engine != "PySpark":  # whose rows have lost their zone
        assert {key.astimezone(dt.UTC): cells for (key,), cells in found.items()} == {
            key: cells for (key,), cells in expected.items()
        }


@engines()
def test_names_of_columns_that_mean_something_elsewhere(engine: str) -> None:
    names = {"y": "select", "p": 'say "p"', "site": "Größe in m", "w": "f0"}
    columns = {names.get(name, name): values for name, values in sample(30).items()}
    by = [names["site"]]
    found = sm.counts(frame(engine, columns), truth="select", prediction='say "p"', by=by, weight="f0")
    assert by_key(found, by) == by_loop(sample(30), ["site"], "w")


@engines(*FIRST)
def test_many_groups(engine: str) -> None:
    size = 100_000 if is_thorough() else 500
    columns = {"y": [1, 0] * size, "p": [1, 1] * size, "id": [place // 2 for place in range(2 * size)]}
    if engine == "DuckDB":
        given = pytest.importorskip("duckdb").sql(
            f"SELECT (1 - i % 2)::INTEGER AS y, 1 AS p, (i // 2)::INTEGER AS id FROM range({2 * size}) AS t(i)"
        )
    else:
        given = frame(engine, columns)
    found = rows(sm.counts(given, truth="y", prediction="p", by="id"))
    assert len(found) == size
    assert all(tuple(row[cell] for cell in CELLS) == (1, 0, 1, 0) for row in found)
    scored = sm.score(given, None, ["precision", "recall"], truth="y", prediction="p", by="id")
    assert len(scored) == 2 * size
    assert set(scored.xs("precision", level="metric")["value"]) == {0.5}
    assert scored.index[:3].tolist() == [(0, "precision"), (0, "recall"), (1, "precision")]


# -- scores ------------------------------------------------------------------------------------------------------------


@pytest.mark.sampled(8)
@engines()
@pytest.mark.parametrize(
    ("labels", "options"),
    [
        ((0, 1), {}),
        ((0, 1), {"sample_weight": "w"}),
        ((0, 1), {"interval": True}),
        (("a", "b", "c"), {"average": "macro"}),
        (("a", "b", "c"), {"average": None}),
    ],
)
def test_scores_are_those_of_lists(engine: str, labels: Any, options: dict[str, Any]) -> None:
    pandas = pytest.importorskip("pandas")
    columns, metrics = sample(80, labels), ["recall", "mcc", "f1"]
    given = frame(engine, columns)
    for by in (None, "site", ["year", "site"]):
        found = sm.score(given, None, metrics, truth="y", prediction="p", by=by, **options)
        expected = sm.score(columns, None, metrics, truth="y", prediction="p", by=by, **options)
        pandas.testing.assert_frame_equal(found, expected, check_index_type=False, check_column_type=False)


# -- what is refused ---------------------------------------------------------------------------------------------------

FAULTY: list[tuple[str, Columns, str]] = [
    ("no label", {"y": [1.0, None, 0.0], "p": [1.0, 1.0, 0.0]}, "column 'y' holds no label in 1 example"),
    ("no label", {"y": ["1", "1", "0"], "p": ["1", "0", None]}, "column 'p' holds no label in 1 example"),
    ("scores", {"y": [1, 1, 0], "p": [1.0, 0.25, 0.0]}, "column 'p' holds scores rather than labels in 1 example"),
    ("weight", {"y": [1, 1, 0], "p": [1, 0, 0], "w": [1.0, -1.0, 2.0]}, "column 'w' holds a weight in 1 example"),
    ("weight", {"y": [1, 1, 0], "p": [1, 0, 0], "w": [1.0, math.inf, 2.0]}, "column 'w' holds a weight in 1"),
    ("weight", {"y": [1, 1, 0], "p": [1, 0, 0], "w": [1.0, None, 2.0]}, "column 'w' holds a weight in 1 example"),
]


@pytest.mark.sampled(20)
@engines()
@pytest.mark.parametrize(("kind", "columns", "reason"), FAULTY)
def test_examples_that_cannot_be_counted_never_count(engine: str, kind: str, columns: Columns, reason: str) -> None:
    columns = {**columns, "site": ["a", "b", "b"]}
    given, positive = frame(engine, columns), columns["y"][0]
    asked = {"truth": "y", "prediction": "p", "by": "site"}
    weight = "w" if "w" in columns else None
    if engine in ("polars, lazy", "DuckDB", "Dask", "Ibis", "PySpark"):
        found = by_key(sm.counts(given, **asked, weight=weight, positive=positive), ["site"])
        assert found == {("a",): (1, 0, 0, 0), ("b",): (None,) * 4}
    else:
        assert reason in refusal(lambda: sm.counts(given, **asked, weight=weight, positive=positive))
    if weight is None or engine in ("polars, lazy", "DuckDB", "Dask", "Ibis", "PySpark"):
        more = {} if weight is None else {"sample_weight": weight}
        assert reason in refusal(lambda: sm.score(given, None, ["f1"], **asked, pos_label=positive, **more))


@engines("polars", "DuckDB")
def test_not_a_number_is_no_label(engine: str) -> None:
    columns = {"y": [1.0, math.nan], "p": [1.0, 1.0], "site": ["a", "b"]}
    message = refusal(lambda: sm.score(frame(engine, columns), truth="y", prediction="p", by="site"))
    assert "column 'y' holds no label in 1 example" in message


@pytest.mark.sampled(20)
@engines()
@pytest.mark.parametrize(
    ("options", "parts"),
    [
        ({"prediction": "guess"}, ("no column 'guess'", "'site'")),
        ({"prediction": "P"}, ("no column 'P'", "did you mean 'p'?")),
        ({"prediction": "y"}, ("both truth and prediction",)),
        ({"by": ["site", "site"]}, ("'site' twice",)),
        ({"by": 3}, ("by=3", "pass names")),
        ({"by": "sites"}, ("no column 'sites'", "did you mean 'site'?")),
        ({"weight": "site"}, ("column 'site' has the type", "a weight is a number")),
        ({"positive": "1"}, ("positive='1' cannot stand in column 'y'", "a whole number")),
        ({"positive": 0.5}, ("positive=0.5 cannot stand in column 'y'",)),
        ({"positive": math.nan}, ("positive=nan cannot stand",)),
    ],
)
def test_what_does_not_fit_is_named(engine: str, options: dict[str, Any], parts: tuple[str, ...]) -> None:
    given = frame(engine, sample(6))
    message = refusal(lambda: sm.counts(given, **{"truth": "y", "prediction": "p", **options}))
    assert all(part in message for part in parts), message


@engines("pandas", "polars", "pyarrow")
def test_labels_that_cannot_be_meant_are_refused_where_they_are_at_hand(engine: str) -> None:
    def of(y: list[Any], p: list[Any], positive: Any) -> str:
        return refusal(lambda: sm.counts(frame(engine, {"y": y, "p": p}), truth="y", prediction="p", positive=positive))

    assert "positive='yes' is not among the labels 'a', 'b'" in of(["a", "b"], ["a", "a"], "yes").replace(
        "'b', 'a'", "'a', 'b'"
    )
    assert "none in common" in of(["yes", "no"], ["1", "0"], "yes")
    assert "pass positive='yes'" in of(["yes", "no"], ["no", "no"], "1")
    found = sm.counts(frame(engine, {"y": ["no", "no"], "p": ["no", "no"]}), truth="y", prediction="p", positive="yes")
    assert by_key(found, []) == {(): (0, 0, 0, 2)}


@engines("pandas", "polars", "pyarrow")
def test_a_frame_without_rows_is_refused(engine: str) -> None:
    given = frame(engine, sample(4))[:0] if engine != "pyarrow" else frame(engine, sample(4)).slice(0, 0)
    assert "no rows" in refusal(lambda: sm.counts(given, truth="y", prediction="p"))
    assert "no rows" in refusal(lambda: sm.counts(given, truth="y", prediction="p", by="site"))


@engines("pandas", "polars", "pyarrow")
@pytest.mark.parametrize("name", ["y", "p", "site", "w"])
def test_lists_are_neither_labels_nor_groups_nor_weights(engine: str, name: str) -> None:
    columns = {"y": [1, 0], "p": [1, 0], "site": ["a", "b"], "w": [1.0, 2.0]} | {name: [[1], [0]]}
    asked = {"truth": "y", "prediction": "p", "by": "site", "weight": "w"}
    assert f"column {name!r} holds lists" in refusal(lambda: sm.counts(frame(engine, columns), **asked))


def test_columns_and_frames_that_do_not_fit_are_refused() -> None:
    # Two columns of one name are refused.
    native = frame("pandas", sample(4)).rename(columns={"year": "y"})
    assert "'y' 2 times" in refusal(lambda: sm.counts(native, truth="y", prediction="p"))
    # A name of a count is no group.
    columns = {"y": [1, 0], "p": [1, 0], "TP": [1, 2]}
    assert "rename" in refusal(lambda: sm.counts(frame("pandas", columns), truth="y", prediction="p", by="TP"))
    # What is no frame is refused.
    for what in ([1, 0], {"y": [1]}, 3):
        message = refusal(lambda what=what: sm.counts(what, truth="y", prediction="p"))
        assert "no data frame of a known engine" in message


def test_without_narwhals_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    given = frame("pandas", sample(4))
    monkeypatch.setitem(sys.modules, "narwhals", None)
    assert "symmetrics[frames]" in refusal(lambda: sm.counts(given, truth="y", prediction="p"))
    assert len(sm.score(given, None, ["f1"], truth="y", prediction="p", by="year")) > 0
