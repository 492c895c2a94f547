"""A file of any kind has the scores of its rows in a list; what is wrong with it is said in one line, and nothing is
half-written."""

from __future__ import annotations

import csv
import gzip
import importlib.util
import itertools
import json
import os
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from effort import in_one_test, is_thorough
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import symmetrics as sm
from symmetrics.cli import main
from symmetrics.curves.measures import SCORE_MEASURES
from symmetrics.data.label_files import read_columns
from symmetrics.data.places import Wanted, place_of
from symmetrics.library import metrics
from symmetrics.pages.file_scores import _at_most, score_file
from symmetrics.pages.lines import Scoring
from symmetrics.tools.errors import InputError

ROOT = Path(__file__).resolve().parent.parent
COLUMNS = ("--truth", "y", "--prediction", "p")
HEADER = ("y", "p", "s", "site", "year", "w")
pytestmark = pytest.mark.skipif(importlib.util.find_spec("duckdb") is None, reason="duckdb is not installed")


def drawn(size: int = 120) -> list[tuple[Any, ...]]:
    random = Random(3)
    return [
        (
            random.randint(0, 1),
            random.randint(0, 1),
            random.randint(0, 40) / 40,
            random.choice("ab"),
            random.choice([2019, 2020, 2021]),
            random.choice([0.5, 1.0, 2.5]),
        )
        for _ in range(size)
    ]


ROWS = drawn()


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return the same rows in files of all kinds."""
    import duckdb

    folder = tmp_path_factory.mktemp("files")
    text = "\n".join(",".join(map(str, row)) for row in [HEADER, *ROWS]) + "\n"
    (folder / "a.csv").write_text(text, encoding="utf-8")
    with gzip.open(folder / "a.csv.gz", "wt", encoding="utf-8") as stream:
        stream.write(text)
    lines = [json.dumps(dict(zip(HEADER, row, strict=True))) for row in ROWS]
    (folder / "a.jsonl").write_text("\n".join(lines), encoding="utf-8")
    with duckdb.connect(str(folder / "a.duckdb")) as connection:
        connection.execute(f"CREATE TABLE runs AS FROM '{folder / 'a.jsonl'}'")
        connection.execute("CREATE TABLE other AS SELECT 1 AS x")
        connection.execute(f"COPY runs TO '{folder / 'a.parquet'}'")
        connection.execute(f"COPY runs TO '{folder / 'parts'}' (FORMAT parquet, PARTITION_BY (year))")
    return {
        "csv": str(folder / "a.csv"),
        "csv.gz": str(folder / "a.csv.gz"),
        "jsonl": str(folder / "a.jsonl"),
        "parquet": str(folder / "a.parquet"),
        "folder": str(folder / "parts"),
        "pattern": str(folder / "parts" / "year=*" / "*.parquet"),
        "duckdb": f"duckdb:{folder / 'a.duckdb'}?table=runs",
    }


KINDS = ("csv", "csv.gz", "jsonl", "parquet", "folder", "pattern", "duckdb")
Ran = Callable[..., str]


@pytest.fixture
def ran(capsys: pytest.CaptureFixture[str]) -> Ran:
    def run(*arguments: str) -> str:
        status = main(["score", *arguments])
        output, errors = capsys.readouterr()
        assert (status, errors) == (0, "")
        return output

    return run


@pytest.fixture
def refused(capsys: pytest.CaptureFixture[str]) -> Ran:
    def run(*arguments: str) -> str:
        status = main(["score", *arguments])
        output, errors = capsys.readouterr()
        assert (status, output) == (2, "")
        assert len(errors.splitlines()) == 1
        assert errors.startswith("symmetrics: error: ")
        assert len(errors) < 700
        return errors

    return run


def cells(rows: list[tuple[Any, ...]], weight: bool = False) -> list[float]:
    found = [0.0] * 4
    for y, p, *_, w in rows:
        found[2 * (y != 1) + (p != 1)] += w if weight else 1
    return found


# -- every kind of file ------------------------------------------------------------------------------------------------


@pytest.mark.sampled(5)
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_file_has_the_same_scores(kind: str, files: dict[str, str], ran: Ran) -> None:
    found = json.loads(
        ran(files[kind], *COLUMNS, "--score", "s", "--metrics", "mcc,auc,weighted_auc,h_measure", "--format", "json")
    )
    y, s = [row[0] for row in ROWS], [row[2] for row in ROWS]
    assert list(found["counts"].values()) == cells(ROWS)
    values = {score["metric"]: score["value"] for score in found["scores"]}
    assert values == {
        "mcc": sm.metrics["mcc"].from_counts(*cells(ROWS)),
        "auc": sm.auc(y, s),
        "weighted_auc": sm.weighted_auc(y, s),
        "h_measure": pytest.approx(sm.h_measure(y, s)),
    }


@in_one_test
@pytest.mark.parametrize("kind", ["csv", "parquet"])  # the first is read by Python, the second by DuckDB
def test_scores_are_measured_without_predictions(kind: str, files: dict[str, str], ran: Ran, refused: Ran) -> None:
    asked = (files[kind], "--truth", "y", "--score", "s", "--format")
    told = ran(files[kind], *COLUMNS, "--score", "s", "--metrics", ",".join(SCORE_MEASURES), "--format", "json")
    found = json.loads(ran(*asked, "json"))
    assert found["scores"] == json.loads(told)["scores"]
    positives = sum(row[0] for row in ROWS)
    assert found["counts"] == {"p": positives, "n": len(ROWS) - positives}
    text = ran(*asked, "text")
    assert f"truth 'y', score 's', positive '1' against '0'\n{positives} positive" in text
    assert "TP" not in text
    for options in ((), ("--by", "site"), ("--weight", "w"), ("--where", "site = 'a'")):
        message = refused(files[kind], "--truth", "y", "--score", "s", "--metrics", "f1", *options)
        assert "f1 is computed from predicted labels; name their column with --prediction" in message


@pytest.mark.sampled(5)
@pytest.mark.parametrize("kind", KINDS)
def test_groups_weights_and_conditions(kind: str, files: dict[str, str], ran: Ran) -> None:
    where = "CAST(year AS INTEGER) > 2019 AND site = 'a' OR site = 'b'"
    options = ("--by", "site,year", "--weight", "w", "--where", where, "--metrics", "f1", "--format", "json")
    groups = json.loads(ran(files[kind], *COLUMNS, *options))["groups"]
    kept = [row for row in ROWS if (row[4] > 2019 and row[3] == "a") or row[3] == "b"]
    keys = sorted({(row[3], row[4]) for row in kept})
    assert [(group["site"], int(group["year"])) for group in groups] == keys
    for key, group in zip(keys, groups, strict=True):
        expected = cells([row for row in kept if (row[3], row[4]) == key], weight=True)
        assert [group[name] for name in ("tp", "fn", "fp", "tn")] == pytest.approx(expected)
        assert group["f1"] == pytest.approx(sm.metrics["f1"].from_counts(*expected))


def test_averages_and_intervals_of_groups(files: dict[str, str], ran: Ran) -> None:
    averages = ran(
        files["parquet"], *COLUMNS, "--by", "site", "--metrics", "recall", "--average", "macro", "--format", "csv"
    )
    for row in csv.DictReader(averages.splitlines()):
        of_group = [r for r in ROWS if r[3] == row["site"]]
        expected = sm.score([r[0] for r in of_group], [r[1] for r in of_group], ["recall"], average="macro")
        assert float(row["recall"]) == pytest.approx(expected.loc["recall", "value"])
        assert float(row["examples"]) == len(of_group)
    asked = ran(files["parquet"], *COLUMNS, "--by", "site", "--metrics", "recall", "--interval", "--format", "csv")
    for row in csv.DictReader(asked.splitlines()):
        interval = sm.metrics["recall"].interval(*cells([r for r in ROWS if r[3] == row["site"]]))
        assert (float(row["recall_low"]), float(row["recall_high"])) == (interval.low, interval.high)
        assert row["recall_method"] == interval.method


@pytest.mark.parametrize("grouped", [(), ("--by", "site")])
def test_every_format_names_the_level_of_intervals(files: dict[str, str], ran: Ran, grouped: tuple[str, ...]) -> None:
    asked = (files["csv"], *COLUMNS, *grouped, "--metrics", "recall", "--interval", "--level", "0.8", "--format")
    for name in ("text", "md", "html"):
        assert "intervals of level 0.8, multinomial sampling" in ran(*asked, name), name
    assert json.loads(ran(*asked, "json"))["interval"] == {"level": 0.8, "sampling": "multinomial"}
    rows = list(csv.DictReader(ran(*asked, "csv").splitlines()))
    assert rows
    assert all(list(row)[-1] == "level" and row["level"] == "0.8" for row in rows)
    without = asked[: asked.index("--interval")]
    assert "level" not in ran(*without, "--format", "csv")


def test_more_scores_than_fit_into_memory_are_counted_in_bins(
    files: dict[str, str], ran: Ran, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("symmetrics.pages.file_scores.MOST_IN_MEMORY", 50)
    monkeypatch.setattr("symmetrics.pages.file_scores.BINS", 5)
    y, s = [row[0] for row in ROWS], [row[2] for row in ROWS]
    asked = ("--score", "s", "--metrics", "auc,weighted_auc", "--format", "json")
    auc, weighted = json.loads(ran(files["parquet"], *COLUMNS, *asked))["scores"]
    bound = float(auc["note"].removeprefix("within ").partition(":")[0])
    assert 0.01 < bound <= 0.2
    assert abs(auc["value"] - sm.auc(y, s)) <= bound
    assert weighted["value"] is None
    assert "takes every score by itself" in weighted["note"]


@pytest.mark.parametrize(
    ("row", "options", "reason"),
    [
        ("1,1,1_0,1", ("--score", "s", "--where", "true"), "column 's' has scores that are missing, infinite or no"),
        ("1,1,inf,1", ("--score", "s"), "line 4: 'inf' in column 's' is not a finite number"),
        ("1,1,1,-1", ("--weight", "w"), "column 'w' has weights that are missing, negative, infinite or no numbers"),
        ("1,1,1,", ("--weight", "w"), "column 'w' has weights"),
        ("1,,1,1", (), "line 4: column 'p' is empty"),
        ("1,,1,1", ("--where", "true"), "column 'p' is empty in 1 row"),
    ],
)
def test_rows_that_cannot_be_counted_are_refused(
    row: str, options: tuple[str, ...], reason: str, refused: Ran, tmp_path: Path
) -> None:
    with gzip.open(tmp_path / "a.csv.gz", "wt", encoding="utf-8") as stream:
        stream.write(f"y,p,s,w\n1,1,0.5,1\n0,0,0.25,1\n{row}\n")
    assert reason in refused(str(tmp_path / "a.csv.gz"), *COLUMNS, *options)


@pytest.mark.parametrize("nested", ["y", "p", "site", "w", "s"])
def test_lists_and_records_are_no_labels(nested: str, refused: Ran, tmp_path: Path) -> None:
    import duckdb

    file = str(tmp_path / "a.parquet")
    names = ("y", "p", "site", "w", "s")
    columns = ", ".join(f"[i] AS {name}" if name == nested else f"i AS {name}" for name in names)
    duckdb.sql(f"SELECT {columns} FROM range(2) AS t(i)").write_parquet(file)
    asked = {"site": ("--by", "site"), "w": ("--weight", "w"), "s": ("--score", "s", "--metrics", "auc")}
    assert f"column '{nested}' holds lists or records" in refused(file, *COLUMNS, *asked.get(nested, ()))


def test_groups_with_missing_values_and_names_of_columns(tmp_path: Path, ran: Ran, refused: Ran) -> None:
    # A column to group by is not called as that of the level.
    file = tmp_path / "a.csv"
    file.write_text("y,p,level\n1,1,a\n0,0,a\n1,0,b\n0,1,b\n", encoding="utf-8")
    asked = (str(file), *COLUMNS, "--by", "level", "--metrics", "recall")
    ran(*asked)
    refused(*asked, "--interval")
    # A missing value of a group is a group.
    file = tmp_path / "a.csv"
    file.write_text("y,p,site\n1,1,\n0,0,\n1,0,b\n 1 ,1, b\n", encoding="utf-8")
    groups = json.loads(ran(str(file), *COLUMNS, "--by", "site", "--metrics", "recall", "--format", "json"))["groups"]
    assert [(group["site"], group["recall"]) for group in groups] == [("b", 0.5), (None, 1.0)]
    # No column takes the place of another.
    file = tmp_path / "a.csv"
    file.write_text("y,p,examples,recall,TP\n1,1,u,u,1\n0,0,v,v,2\n", encoding="utf-8")
    asked = (str(file), *COLUMNS, "--metrics", "recall")
    for options in (
        ("--by", "examples", "--average", "macro"),
        ("--by", "recall", "--average", "macro"),
        ("--by", "recall"),
    ):
        assert f"--by names column {options[1]!r}, which the table" in refused(*asked, *options, "--format", "json")
    ran(*asked, "--by", "TP")
    told = "Parquet would have columns 'TP' and 'tp'; rename one"
    assert told in refused(*asked, "--by", "TP", "-o", str(tmp_path / "scores.parquet"))


@pytest.mark.parametrize("content", ["", "\n \n"])
@pytest.mark.parametrize("options", [(), ("--where", "true"), ("--by", "site")])
def test_an_empty_file_is_said_to_be_empty(content: str, options: Any, refused: Ran, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(content, encoding="utf-8")
    assert "is empty; it needs a header row" in refused(str(tmp_path / "a.csv"), *COLUMNS, *options)


def test_csv_files_of_a_pattern_are_read_as_each_by_itself(ran: Ran, refused: Ran, tmp_path: Path) -> None:
    folders = [tmp_path / f"year={year}" for year in (2020, 2021)]
    for folder in folders:
        folder.mkdir()
    # Another order of columns, another delimiter, line ends and a mark of the encoding; # and ' are parts of labels.
    (folders[0] / "a.csv").write_bytes(b"y,p\n#a,#a\n'b',#a\n#a,'b'\n#a,#a\n")
    (folders[1] / "b.csv").write_bytes(b"\xef\xbb\xbfp;y\r\n#a;#a\r\n'b';#a\r\n")
    asked = (str(tmp_path / "*" / "*.csv"), *COLUMNS, "--positive", "#a", "--metrics", "recall", "--format", "json")
    assert list(json.loads(ran(*asked))["counts"].values()) == [3, 2, 1, 0]
    groups = json.loads(ran(*asked, "--by", "year"))["groups"]
    assert [(group["year"], group["tp"], group["fn"], group["fp"]) for group in groups] == [
        (2020, 2, 1, 1),
        (2021, 1, 1, 0),
    ]
    (folders[1] / "c.csv").write_text("p,y,z\n#a,#a,1\n", encoding="utf-8")
    assert "not every file has a column 'z'" in refused(*asked)
    (folders[1] / "c.csv").write_text("comment\ny,p\n#a,#a\n", encoding="utf-8")
    assert "c.csv: no column 'y'; the header names 'comment'" in refused(*asked)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("suffix", ["csv", "parquet", "jsonl"])
def test_a_name_with_brackets_is_that_of_one_file(suffix: str, ran: Ran, tmp_path: Path) -> None:
    import duckdb

    for name, row in (("a[1]", (1, 0)), ("a1", (1, 1)), ("b?", (0, 1))):
        file, text = tmp_path / f"{name}.{suffix}", "\n".join([json.dumps({"y": y, "p": p}) for y, p in (row, (0, 0))])
        if suffix == "csv":
            file.write_text(f"y,p\n{row[0]},{row[1]}\n0,0\n", encoding="utf-8")
        elif suffix == "jsonl":
            file.write_text(text + "\n", encoding="utf-8")
        else:
            made = tmp_path / "made.parquet"
            duckdb.sql(f"SELECT {row[0]} AS y, {row[1]} AS p UNION ALL SELECT 0, 0").write_parquet(str(made))
            made.rename(file)
    asked = (*COLUMNS, "--where", "true", "--metrics", "accuracy", "--format", "json")
    found = {
        name: json.loads(ran(str(tmp_path / f"{name}.{suffix}"), *asked))["counts"] for name in ("a[1]", "a1", "b?")
    }
    assert [list(counts.values()) for counts in found.values()] == [[0, 1, 0, 1], [1, 0, 0, 1], [0, 0, 1, 1]]
    together = json.loads(ran(str(tmp_path / f"*.{suffix}"), *asked))["counts"]
    assert list(together.values()) == [1, 1, 1, 3]
    if suffix == "parquet":
        folder = tmp_path / "run[1]"
        folder.mkdir()
        (tmp_path / "a1.parquet").rename(folder / "a1.parquet")
        assert list(json.loads(ran(str(folder), *asked))["counts"].values()) == [1, 0, 0, 1]


def test_no_number_is_rounded_to_the_type_of_those_before_it(ran: Ran, refused: Ran, tmp_path: Path) -> None:
    import duckdb

    asked = (*COLUMNS, "--weight", "w", "--metrics", "precision", "--format", "json")
    long = tmp_path / "a.jsonl"  # more lines than DuckDB looks at by itself
    long.write_text('{"y": 1, "p": 1, "w": 1}\n' * 21_000 + '{"y": 0, "p": 1, "w": 0.25}\n' * 4, encoding="utf-8")
    assert list(json.loads(ran(str(long), *asked))["counts"].values()) == [21_000, 0, 1, 0]
    folder = tmp_path / "parts"
    folder.mkdir()
    duckdb.sql("SELECT 1 AS y, 1 AS p, 2 AS w, 1 AS z").write_parquet(str(folder / "a.parquet"))
    duckdb.sql("SELECT 0 AS y, 1 AS p, 0.25::DOUBLE AS w").write_parquet(str(folder / "b.parquet"))
    assert list(json.loads(ran(str(folder), *asked))["counts"].values()) == [2, 0, 0.25, 0]
    assert "not every file has a column 'z'" in refused(str(folder), *asked, "--by", "z")


@pytest.mark.parametrize(
    ("row", "reason"),
    [("1,1,1", "CSV Error on Line: 3: Expected Number of Columns: 2 Found: 3"), ('"1,1', "unterminated quote")],
)
def test_a_row_that_is_none_is_told_with_its_reason(row: str, reason: str, refused: Ran, tmp_path: Path) -> None:
    """Of files by a pattern, which DuckDB reads by itself."""
    (tmp_path / "a.csv").write_text(f"y,p\n1,1\n{row}\n0,0\n", encoding="utf-8")
    assert reason in refused(str(tmp_path / "*.csv"), *COLUMNS, "--where", "true")


# -- outputs -----------------------------------------------------------------------------------------------------------


@pytest.mark.sampled(3)
@pytest.mark.parametrize("by", [(), ("--by", "site,year")])
@pytest.mark.parametrize("suffix", ["parquet", "csv", "json", "md", "html"])
def test_the_name_of_the_output_says_its_format(
    by: Any, suffix: str, files: dict[str, str], ran: Ran, tmp_path: Path
) -> None:
    import duckdb

    target = tmp_path / f"scores.{suffix}"
    assert ran(files["parquet"], *COLUMNS, *by, "--metrics", "f1,mcc", "-o", str(target)) == f"wrote {target}\n"
    assert list(tmp_path.iterdir()) == [target]
    values = json.loads(ran(files["parquet"], *COLUMNS, *by, "--metrics", "f1,mcc", "--format", "json"))
    if suffix in ("parquet", "csv"):
        rows = duckdb.sql(f"FROM '{target}'").fetchall()
        if by:
            assert rows == [tuple(group.values()) for group in values["groups"]]
        else:
            assert [row[:2] for row in rows] == [(one["metric"], one["value"]) for one in values["scores"]]
    elif suffix == "json":
        assert json.loads(target.read_text("utf-8")) == values
    else:
        text = target.read_text("utf-8")
        assert all(name in text for name in ("f1", "mcc"))


def test_parquet_keeps_the_types_of_groups(tmp_path: Path, ran: Ran) -> None:
    import duckdb

    source, target = tmp_path / "a.parquet", tmp_path / "b.parquet"
    duckdb.sql(
        "SELECT 1 AS y, i % 2 AS p, TIMESTAMPTZ '2024-03-31 00:30:00+00' + i * INTERVAL 1 HOUR AS moment, "
        "CASE WHEN i > 2 THEN NULL ELSE i::DECIMAL(9, 2) END AS d FROM range(4) AS t(i)"
    ).write_parquet(str(source))
    ran(str(source), *COLUMNS, "--by", "moment,d", "--metrics", "recall", "-o", str(target))
    found = duckdb.sql(f"FROM '{target}'")
    assert [str(kind) for kind in found.types[:3]] == ["TIMESTAMP WITH TIME ZONE", "DECIMAL(9,2)", "BIGINT"]
    same = duckdb.sql(f"SELECT moment, d FROM '{target}' EXCEPT SELECT moment, d FROM '{source}'").fetchall()
    assert (found.aggregate("count(*)").fetchall(), same) == ([(4,)], [])


def test_infinite_values_and_large_numbers_are_shown_whole(tmp_path: Path, ran: Ran) -> None:
    import duckdb

    file, target = tmp_path / "a.csv", tmp_path / "scores.parquet"
    rows = ["1,1,a,1234567.5", "0,0,a,7654321", "1,1,b,1", "0,1,b,1", "1,0,b,1", "0,0,b,1", "1,1,c,1"]
    file.write_text("\n".join(["y,p,site,w", *rows]) + "\n", encoding="utf-8")
    asked = (str(file), *COLUMNS, "--by", "site", "--metrics", "diagnostic_odds_ratio")
    for form in ("text", "md", "html"):
        assert "inf" in ran(*asked, "--format", form)
    assert "inf" in ran(*asked[:-4], "--where", "site = 'a'", *asked[-2:], "--format", "md")
    line = next(line for line in ran(*asked, "--weight", "w").splitlines() if line.startswith("a "))
    assert line.split() == ["a", "1234567.500000", "0.000000", "0.000000", "7654321", "inf"]
    ran(*asked, "-o", str(target))
    values = duckdb.sql(f"SELECT diagnostic_odds_ratio FROM '{target}'").fetchall()
    assert values == [(float("inf"),), (1.0,), (None,)]  # undefined is null


@pytest.mark.parametrize("average", [(), ("--average", "macro")], ids=["binary", "macro"])
def test_numbers_of_examples_are_whole_and_weights_are_called_so(average: Any, tmp_path: Path, ran: Ran) -> None:
    file = tmp_path / "a.csv"
    file.write_text("y,p,site,w\n1,1,a,2\n0,0,a,2\n1,0,b,4\n", encoding="utf-8")
    asked = (str(file), *COLUMNS, "--metrics", "recall", *average)
    assert f"{file}: 3 examples, truth" in ran(*asked)
    assert f"{file}: 3 examples in 2 groups" in (by_site := ran(*asked, "--by", "site"))
    assert by_site.splitlines()[-1].split()[:2] == ["b", "1" if average else "0"]
    assert f"{file}: examples of weight 8, truth" in ran(*asked, "--weight", "w")
    assert f"{file}: examples of weight 8 in 2 groups" in ran(*asked, "--weight", "w", "--by", "site")


# -- what is refused ---------------------------------------------------------------------------------------------------


@pytest.mark.sampled(17)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("options", "parts"),
    [
        (("--truth", "Y", "--prediction", "p"), ("no column 'Y'", "did you mean 'y'?")),
        (("--truth", "y", "--prediction", "y"), ("both truth and prediction",)),
        ((*COLUMNS, "--by", "sites"), ("no column 'sites'", "did you mean 'site'?")),
        ((*COLUMNS, "--by", "site,site"), ("twice",)),
        ((*COLUMNS, "--weight", "site"), ("column 'site'",)),
        ((*COLUMNS, "--positive", "2"), ("no label is '2'", "'0', '1'")),
        ((*COLUMNS, "--where", "site ="), ("--where",)),
        ((*COLUMNS, "--where", "site = 'zz'"), ("no row fulfils --where",)),
        ((*COLUMNS, "--where", "site = 'a'; DROP TABLE runs"), ("more than one statement",)),
        ((*COLUMNS, "--where", "(SELECT count(*) FROM read_text('/etc/hostname')) > 0"), ("Permission",)),
        ((*COLUMNS, "--where", "nonsense(site)"), ("--where",)),
        ((*COLUMNS, "--score", "site", "--metrics", "auc"), ("column 'site'",)),
        ((*COLUMNS, "--by", "site", "--score", "s"), ("leave --by out",)),
        ((*COLUMNS, "--weight", "w", "--interval"), ("--weight",)),
        (("--truth", "y"), ("neither --prediction nor --score",)),
        (("--truth", "y", "--score", "s", "--metrics", "auc,f1"), ("f1 is computed from predicted labels",)),
        (("--truth", "y", "--score", "s", "--prediction", "", "--metrics", "mcc"), ("mcc is computed from predicted",)),
    ],
)
def test_what_does_not_fit_is_named(kind: str, options: Any, parts: Any, files: dict[str, str], refused: Ran) -> None:
    message = refused(files[kind], *options)
    assert all(part in message for part in parts), message


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("absent.parquet", ("no such file",)),
        ("", ("the name of the file is empty",)),
        ("scores.parqet.gz", ("no such file",)),
        ("duckdb:absent.duckdb?table=a", ("no such file",)),
        ("{database}", ("is a database of DuckDB; write duckdb:{database}?table=NAME",)),
        ("absent.duckdb", ("no such file",)),
        ("duckdb:{database}", ("no table is named", "'other', 'runs'")),
        ("duckdb:{database}?table=run", ("no table 'run'",)),
        ("duckdb:{database}?tables=runs", ("duckdb:FILE?table=NAME",)),
        ("*.pq", ("no file has such a name",)),
        ("{folder}", ("name a CSV file in it, or a folder with Parquet files",)),
        ("broken.parquet", ("broken.parquet",)),
        ("broken.jsonl", ("broken.jsonl",)),
        ("broken.csv.gz", ("broken.csv.gz",)),
        pytest.param("s3://bucket.invalid/a.pq", ("s3://bucket.invalid/a.pq",), marks=pytest.mark.thorough),
    ],
)
def test_files_that_cannot_be_read(
    name: str, parts: Any, files: dict[str, str], refused: Ran, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    for broken in ("broken.parquet", "broken.jsonl", "broken.csv.gz"):
        (tmp_path / broken).write_bytes(b"not one of these {")
    database = files["duckdb"].removeprefix("duckdb:").partition("?")[0]
    message = refused(name.format(database=database, folder="empty"), *COLUMNS)
    assert all(part.format(database=database) in message for part in parts), message


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", ["a.csv", "a.parquet", "parts", "parts/*/*.parquet", "a link"])
def test_the_examples_are_not_written_over(name: str, tmp_path: Path, refused: Ran, ran: Ran) -> None:
    import duckdb

    text = "\n".join(",".join(map(str, row)) for row in [HEADER, *ROWS])
    (tmp_path / "a.csv").write_text(text, encoding="utf-8")
    duckdb.sql(f"COPY (FROM '{tmp_path / 'a.csv'}') TO '{tmp_path / 'a.parquet'}'")
    duckdb.sql(f"COPY (FROM '{tmp_path / 'a.csv'}') TO '{tmp_path / 'parts'}' (FORMAT parquet, PARTITION_BY (year))")
    (tmp_path / "link.csv").symlink_to(tmp_path / "a.csv")
    part = next((tmp_path / "parts").rglob("*.parquet"))
    places = {"a.csv": ("a.csv", "a.csv"), "a.parquet": ("a.parquet", "a.parquet"), "a link": ("link.csv", "a.csv")}
    source, target = places.get(name, (name, str(part.relative_to(tmp_path))))
    before = (tmp_path / target).read_bytes()
    told = refused(str(tmp_path / source), *COLUMNS, "--metrics", "f1", "-o", str(tmp_path / target))
    assert "it holds the examples, which would be lost; name another file" in told
    assert (tmp_path / target).read_bytes() == before
    other = tmp_path / "other.csv"
    for _ in range(2):  # a file of before is replaced
        ran(str(tmp_path / source), *COLUMNS, "--metrics", "f1", "-o", str(other))


def test_an_output_that_cannot_be_written_is_refused_first(files: dict[str, str], refused: Ran, tmp_path: Path) -> None:
    assert "the name says no format" in refused("absent.parquet", *COLUMNS, "-o", str(tmp_path / "a.xyz"))
    assert "there is no folder" in refused("absent.parquet", *COLUMNS, "-o", str(tmp_path / "b" / "a.csv"))
    both = ("--format", "json", "-o", str(tmp_path / "a.csv"))
    assert "two formats" in refused(files["csv"], *COLUMNS, *both)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.thorough
@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_a_full_disk_leaves_what_was_there(suffix: str, files: dict[str, str], tmp_path: Path) -> None:
    target = tmp_path / f"scores.{suffix}"
    target.write_bytes(b"old")
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "symmetrics",
            "score",
            files["parquet"],
            *COLUMNS,
            "--by",
            "site,year,s",
            "-o",
            str(target),
        ],
        env={**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(tmp_path)},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000)),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1), done.stderr
    assert [path.name for path in tmp_path.iterdir()] == [target.name]
    assert target.read_bytes() == b"old"


def test_without_duckdb_plain_files_are_read_and_others_name_the_extra(
    files: dict[str, str], ran: Ran, refused: Ran, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "duckdb", None)
    assert "mcc" in ran(files["csv"], *COLUMNS)
    assert "mcc" in ran(files["csv.gz"], *COLUMNS)
    for arguments in ((files["parquet"],), (files["csv"], "--by", "site")):
        assert "pip install 'symmetrics[files]'" in refused(*arguments, *COLUMNS)


# -- the two readers of CSV files agree --------------------------------------------------------------------------------

FIELDS = st.one_of(
    st.sampled_from(
        ["1", "0", "1.0", " 1", "0 ", "yes", "no", "", "nan", '"1"', '"0"', '"a\nb"', '"a""b"', 'a"b', "2", "é"]
    ),
    st.text(st.characters(codec="utf-8", exclude_categories=("Cs",)), max_size=3),
)
SCORES = st.sampled_from(
    ["0.5", "1", " .25", "1e-3", "+2.", "1_0", "inf", "nan", "", "1e400", "0x1", "１", "1 0", "-0"]
)


@settings(
    max_examples=200 if is_thorough() else 6,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    deadline=None,
)
@given(
    rows=st.lists(st.tuples(FIELDS, FIELDS, SCORES), min_size=1, max_size=6),
    delimiter=st.sampled_from(",;\t"),
    end=st.sampled_from(["\n", "\r\n"]),
    first=st.sampled_from(["", "\ufeff", "\n"]),
    last=st.sampled_from(["", "\n", "\n\n"]),
    score=st.sampled_from([None, "s"]),
)
def test_duckdb_reads_a_csv_file_as_python_does_or_refuses_it(
    tmp_path: Path, rows: Any, delimiter: str, end: str, first: str, last: str, score: str | None
) -> None:
    lines = [delimiter.join(row) for row in [("y", "p", "s"), ("1", "1", "0.5"), ("0", "0", "0.25"), *rows]]
    file = tmp_path / "a.csv"
    file.write_bytes((first + end.join(lines) + last.replace("\n", end)).encode())
    measures = () if score is None else ("auc",)
    scoring = Scoring({"recall": metrics["recall"]}, measures, positive="1")
    try:
        found = score_file(place_of(file), Wanted("y", "p", score), scoring)
    except InputError:
        return
    expected = read_columns(file, "y", "p", score, "1")
    assert found.columns.counts == expected.counts  # type: ignore[union-attr]
    assert found.columns.negatives == expected.negatives  # type: ignore[union-attr]
    if score is not None:
        assert sorted(zip(found.columns.is_positive, found.columns.scores, strict=True)) == sorted(  # type: ignore
            zip(expected.is_positive, expected.scores or (), strict=True)
        )


def test_which_names_and_labels_are_one(ran: Ran, tmp_path: Path) -> None:
    # Blanks around names of columns count in no CSV file.
    (tmp_path / "a.csv").write_text(" y , p\n1,1\n0,1\n", encoding="utf-8")
    file, asked = str(tmp_path / "a.csv"), ("--metrics", "precision", "--format", "json")
    for names, read in itertools.product(
        (COLUMNS, ("--truth", " y ", "--prediction", " p")), ((), ("--where", "true"))
    ):
        assert json.loads(ran(file, *names, *read, *asked))["scores"][0]["value"] == 0.5
    # A text and a number in JSON lines are one label.
    file = tmp_path / "a.jsonl"
    file.write_text('{"y": 1, "p": "1"}\n{"y": "1", "p": 0}\n{"y": 0, "p": "0"}\n', encoding="utf-8")
    counts = json.loads(ran(str(file), *COLUMNS, "--metrics", "recall", "--format", "json"))["counts"]
    assert list(counts.values()) == [1, 1, 0, 1]
    # A name that cannot be printed is one of a plain file. DuckDB, which would look for a pattern or a folder, is not
    # given such a name.
    assert [place_of(name).kind for name in ("-", "a\x01.parquet", "a\x01*.csv")] == ["csv"] * 3
    # A bound is not rounded down.
    for error in (3.2156e-5, 9.5e-5, 0.5, 1e-3, 0.44, 2.0000001e-7):
        assert error <= float(_at_most(error)) < 2 * error


@pytest.mark.parametrize(
    ("condition", "examples"),
    [
        ("w = 1", None),
        ("w <> 1", None),
        ("w NOT IN (1, 2)", None),
        ("1.0 = w", None),
        ('"w" = 1', None),
        ("CAST(w AS DOUBLE) = 1", 1),
        ("w::DOUBLE IN (0.6, 1)", 2),
        ("w = '1.4'", 1),
        ("y = 1 AND w IS NOT NULL", 2),  # whole numbers are compared as what they are
    ],
)
def test_a_condition_rounds_no_number_of_a_text_column(
    condition: str, examples: int | None, ran: Ran, refused: Ran, tmp_path: Path
) -> None:
    file = tmp_path / "a.csv"
    file.write_text("y,p,w\n1,1,0.6\n0,0,0.7\n1,0,1.4\n0,1,1\n", encoding="utf-8")
    asked = (str(file), *COLUMNS, "--where", condition, "--metrics", "accuracy")
    if examples is None:
        assert "holds '0.6', which would be rounded; write CAST(" in refused(*asked)
    else:
        assert f"a.csv: {examples} example" in ran(*asked)
