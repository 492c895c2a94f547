"""Columns are found by their exact names in every engine, and the pages on engines say what these do."""

from __future__ import annotations

import doctest
import math
import re
import shlex
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from effort import some
from engines import ENGINES, Columns, engines, frame, rows
from test_engines import by_key, by_loop, refusal

import symmetrics as sm
from symmetrics.cli import main
from symmetrics.curves import score_histogram
from symmetrics.tools.arguments import MARKS

# -- engine columns ----------------------------------------------------------------------------------------------------


LAZY = ("polars, lazy", "DuckDB", "Dask", "Ibis", "PySpark")
SLOW = ("Dask", "PySpark")
"""Engines that take half a second for a query of six rows."""
NO_EMPTY_NAMES = ("DuckDB", "Ibis")
HOSTILE = [
    *("^z$", "*", "^.*$", "a.b", "", 'say "p"', "b`t", "it's", "two words", " z ", "c0", "k0", "t", "f0", "n"),
    *("a[0]", "a;b", "%s", "{x}", "naïve", "x\ny", "\\", "select", "#", "a->b"),
]
"""Names that some engine reads as a pattern, an expression or a part of one, or that are used within the package."""
DECOYS: Columns = {"z": [0, 0, 1, 1, 0, 1], "a": [0, 0, 0, 0, 0, 0], "b": [1, 1, 1, 1, 1, 1]}
ROLES: Columns = {"y": [1, 1, 0, 0, 1, 1], "p": [1, 0, 1, 0, 1, 0], "g": [5, 7, 5, 7, 7, 5], "w": [1, 2, 3, 4, 5, 6]}


def hostile(engine: str, first: int) -> tuple[dict[str, str], Columns]:
    """Return names for the roles of columns, taken from some place on, and columns that have them."""
    usable = [name for name in HOSTILE if name or engine not in NO_EMPTY_NAMES]
    names = {role: usable[(first + step) % len(usable)] for step, role in enumerate(ROLES)}
    return names, {**DECOYS, **{names[role]: values for role, values in ROLES.items()}}


@engines()
def test_a_column_is_found_by_its_exact_name_at_every_door(engine: str) -> None:
    plain = {**DECOYS, **ROLES}
    histogram = score_histogram(frame("pandas", plain), "y", "w", weight="p", bins=None)
    recall = [tp / (tp + fn) for tp, fn, _, _ in (by_loop(plain, ["g"], "w")[key,] for key in (5, 7))]
    for first in some(range(len(HOSTILE)), 1 if engine in SLOW else 4, engine):
        names, columns = hostile(engine, first)
        given, (y, p, g, w) = frame(engine, columns), names.values()
        found = by_key(sm.counts(given, y, p, by=g, weight=w), [g])
        assert found == by_loop(plain, ["g"], "w"), names
        scored = sm.score(given, None, ["recall"], truth=y, prediction=p, by=g, sample_weight=w)
        assert scored["value"].tolist() == pytest.approx(recall), names
        assert scored.index.names == [g, "metric"]
        assert sm.score(given, None, ["recall"], truth=y, prediction=p).loc["recall", "value"] == 0.5, names
        assert score_histogram(given, y, w, weight=p, bins=None).auc() == histogram.auc(), names


def test_an_expression_of_polars_names_its_columns_exactly() -> None:
    polars = pytest.importorskip("polars")
    given = polars.DataFrame({**DECOYS, "^z$": [8], "*": [1], "a.b": [2], "^.*$": [9]} | {key: [5] for key in DECOYS})
    for metric in ("f1", "mcc"):
        written = sm.metrics[metric].to_polars("^z$", "*", "a.b", "^.*$")
        assert given.select(written.alias("found"))["found"].to_list() == pytest.approx(
            [sm.metrics[metric].from_counts(8, 1, 2, 9)]
        )
    for name in ("*", "^z$"):
        assert f"the column {name!r} cannot be named" in refusal(
            lambda name=name: sm.metrics["f1"].to_narwhals(tp=name)
        )


@engines()
@pytest.mark.parametrize("one", [Decimal(1), 1, 1.0, True], ids=repr)
def test_labels_that_are_equal_are_the_same_label(engine: str, one: Any) -> None:
    if engine == "Dask":
        pytest.skip("Dask makes texts of decimals")
    columns: Columns = {"y": [Decimal(1), Decimal(0), Decimal(1)], "p": [Decimal(1), Decimal(1), Decimal(0)]}
    assert by_key(sm.counts(frame(engine, columns), "y", "p", positive=one), []) == {(): (1, 1, 1, 0)}


def test_objects_are_labels_as_they_are_in_lists() -> None:
    pandas = pytest.importorskip("pandas")
    mixed = pandas.DataFrame({"y": [1, "no", 1, (2, 3)], "p": [Decimal(1), 1.0, "no", True]}, index=[3, 3, 7, 9])
    assert rows(sm.counts(mixed, "y", "p")) == [{"tp": 1, "fn": 1, "fp": 2, "tn": 0}]
    for scores in ([1, 0.25, "no", 1], [1, Decimal("0.25"), "no", 1]):
        faulty = mixed.assign(p=pandas.Series(scores, dtype=object, index=mixed.index))
        assert "scores rather than labels in 1 example" in refusal(lambda faulty=faulty: sm.counts(faulty, "y", "p"))
    assert "holds no label in 1 example" in refusal(lambda: sm.counts(mixed.assign(p=[1, None, "no", 1]), "y", "p"))


@pytest.mark.sampled(20)
@engines()
@pytest.mark.parametrize("label", [math.inf, -math.inf, 1e300, -1e300, 2.0**53, -0.0])
def test_a_number_of_any_size_is_a_label(engine: str, label: float) -> None:
    columns: Columns = {"y": [1.0, 1.0, label, label], "p": [1.0, label, 1.0, label], "g": [1, 1, 1, 2]}
    found = by_key(sm.counts(frame(engine, columns), "y", "p", by="g"), ["g"])
    assert found == {(1,): (1, 1, 1, 0), (2,): (0, 0, 0, 1)}


@pytest.mark.sampled(20)
@engines()
@pytest.mark.parametrize("label", [math.nan, 0.5, 1e-300, -1.5, 2.0**52 - 0.5])
def test_no_number_and_a_fraction_are_no_labels(engine: str, label: float) -> None:
    columns: Columns = {"y": [1.0, 1.0, 0.0], "p": [1.0, 0.0, label], "g": [1, 1, 2]}
    given = frame(engine, columns)
    if engine in LAZY:
        assert by_key(sm.counts(given, "y", "p", by="g"), ["g"]) == {(1,): (1, 1, 0, 0), (2,): (None,) * 4}
    else:
        assert "in 1 example" in refusal(lambda: sm.counts(given, "y", "p", by="g"))
    assert "in 1 example" in refusal(lambda: sm.score(given, truth="y", prediction="p", by="g"))


@engines()
def test_zeros_of_both_signs_are_one_group_and_so_are_nan_and_missing_values(engine: str) -> None:
    keys = [0.0, -0.0, math.nan, None, 1.0, math.nan]
    columns: Columns = {"y": [1, 1, 0, 0, 1, 1], "p": [1, 0, 1, 0, 1, 1], "g": keys}
    found = rows(sm.counts(frame(engine, columns), "y", "p", by="g"))
    cells = {row["g"]: tuple(row[cell] for cell in ("tp", "fn", "fp", "tn")) for row in found}
    assert len(found) == 3
    assert cells == {0.0: (1, 1, 0, 0), None: (1, 0, 1, 1), 1.0: (1, 0, 0, 0)}
    assert all(math.copysign(1.0, row["g"]) == 1.0 for row in found if row["g"] is not None)
    assert "holds no value in some" in refusal(
        lambda: sm.score(frame(engine, columns), truth="y", prediction="p", by="g")
    )


# -- missing labels ----------------------------------------------------------------------------------------------------


@pytest.mark.sampled(20)
@engines()
@pytest.mark.parametrize("mark", ["NA", " nan\t", "?", "", None])
def test_missing_labels_are_refused_dropped_or_kept(engine: str, mark: str | None) -> None:
    columns: Columns = {
        "y": ["yes", "yes", "no", mark, "no", "yes"],
        "p": ["yes", "no", "yes", "yes", mark, "yes"],
        "g": ["a", "a", "a", "b", "b", "c"],
        "s": [0.9, 0.2, 0.3, 0.7, 0.1, 0.8],
    }
    given, asked = frame(engine, columns), {"truth": "y", "prediction": "p", "by": "g"}
    clean = {("a",): (1, 1, 1, 0), ("c",): (1, 0, 0, 0)}
    kept = clean | {("b",): (0, 0, 1, 1)}
    told = "in 1 example; " + ("pass missing='drop'" if mark is not None else "fill in the labels, or pass")
    score = lambda missing: sm.score(given, None, ["recall"], **asked, pos_label="yes", missing=missing)  # noqa: E731
    if engine in LAZY:
        assert by_key(sm.counts(given, **asked, positive="yes"), ["g"]) == clean | {("b",): (None,) * 4}
    else:
        assert told in refusal(lambda: sm.counts(given, **asked, positive="yes"))
    assert told in refusal(lambda: score("refuse"))
    assert by_key(sm.counts(given, **asked, positive="yes", missing="drop"), ["g"]) == clean
    assert score("drop")["value"].tolist() == [0.5, 1.0]
    areas = (score_histogram(given, "y", "s", positive="yes", bins=None, missing=how).auc for how in ("drop", "keep"))
    assert next(areas)().value == pytest.approx(5 / 6)
    if mark is not None:
        assert by_key(sm.counts(given, **asked, positive="yes", missing="keep"), ["g"]) == kept
        assert next(areas)().value == pytest.approx(7 / 9)
    assert "missing='skip' is not a way" in refusal(lambda: sm.counts(given, **asked, positive="yes", missing="skip"))


@engines("pandas", "polars", "pyarrow", "DuckDB")
def test_every_mark_is_one_and_words_like_them_are_none(engine: str) -> None:
    words = [*sorted(MARKS), "none", "Na", "no", "nil", "0", "yes"]
    columns: Columns = {"y": words, "p": ["yes"] * len(words)}
    found = by_key(sm.counts(frame(engine, columns), "y", "p", positive="yes", missing="drop"), [])
    assert found == {(): (1, 0, 5, 0)}


@engines("pandas", "polars", "pyarrow")
def test_no_example_with_both_labels_is_refused(engine: str) -> None:
    given = frame(engine, {"y": ["NA", "yes"], "p": ["yes", "NA"], "g": ["a", "b"]})
    for by in (None, "g"):
        message = refusal(lambda by=by: sm.counts(given, "y", "p", by=by, positive="yes", missing="drop"))
        assert "no example with both labels" in message
    assert "no example with both labels" in refusal(
        lambda: sm.score(given, truth="y", prediction="p", by="g", pos_label="yes", missing="drop")
    )


# -- engine pages ------------------------------------------------------------------------------------------------------


ROOT = Path(__file__).resolve().parent.parent
PAGES = {
    name: f"engine_{name.lower()}.md" for name in ("pandas", "polars", "pyarrow", "DuckDB", "Dask", "Ibis", "PySpark")
}


def test_every_engine_has_a_page_that_the_overview_names() -> None:
    assert {name.partition(",")[0] for name in ENGINES} == PAGES.keys()
    overview = (ROOT / "docs" / "engines.md").read_text(encoding="utf-8")
    found = {path.name for path in (ROOT / "docs").glob("engine_*.md")}
    assert found == {*PAGES.values(), "engine_files.md"}
    assert all(f"({name})" in overview for name in found)


@pytest.mark.sampled(3)
@engines(*PAGES)
@pytest.mark.filterwarnings("ignore")
def test_the_snippet_of_a_page_runs(engine: str) -> None:
    page = ROOT / "docs" / PAGES[engine]
    results = doctest.testfile(str(page), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert results.attempted > 5
    assert results.failed == 0


def test_the_command_of_the_page_on_files_prints_what_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("duckdb")
    monkeypatch.chdir(tmp_path)
    y, guess, site = (1, 1, 1, 0, 1, 0, 0, 0), (1, 1, 0, 0, 1, 1, 1, 0), "aaaabbbb"
    rows = [f"{t},{p},{s},test" for t, p, s in zip(y, guess, site, strict=True)]
    Path("runs.csv").write_text("\n".join(["y,guess,site,split", *rows, "0,1,a,train"]), encoding="utf-8")
    text = (ROOT / "docs" / "engine_files.md").read_text(encoding="utf-8")
    (command, output), *others = re.findall(r"^```console\n\$ (.*?)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    assert not others
    assert main(shlex.split(command)[1:]) == 0
    assert capsys.readouterr().out == output
