"""Where examples come from: pipes, databases with schemas, columns of any type, files of one class."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shlex
import sys
import tempfile
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from effort import in_one_test

from symmetrics.cli import main
from symmetrics.pages import score_reports as file_reports
from symmetrics.tools.errors import InputError
from symmetrics.tools.files import rereadable

pytestmark = pytest.mark.skipif(importlib.util.find_spec("duckdb") is None, reason="duckdb is not installed")

COLUMNS = ("--truth", "y", "--prediction", "p")
PAIRS = [("1", "1"), ("1", "1"), ("1", "0"), ("0", "1"), ("0", "0"), ("0", "0")]
COUNTS = [2, 1, 1, 2]  # by hand
Asked = Callable[..., Any]


@pytest.fixture
def asked(capsys: pytest.CaptureFixture[str]) -> Asked:
    """Return what asks for scores, as JSON, or for the message with which they are refused."""

    def ask(file: object, *options: str, metrics: str = "accuracy") -> Any:
        status = main(["score", str(file), *COLUMNS, "--metrics", metrics, "--format", "json", *options])
        output, errors = capsys.readouterr()
        if status == 0:
            return json.loads(output)
        assert (status, output, len(errors.splitlines())) == (2, "", 1)
        assert errors.rstrip("\n").isprintable()
        return errors

    return ask


def text_of(pairs: Any) -> str:
    return "\n".join(["y,p,site,w", *(f"{y},{p},a,1" for y, p in pairs)]) + "\n"


def counts(found: Any) -> list[float]:
    cells = found["groups"][0] if "groups" in found else found["counts"]
    return [cells[name] for name in ("tp", "fn", "fp", "tn")]


# -- what can be read once ---------------------------------------------------------------------------------------------


@pytest.fixture
def piped(tmp_path: Path) -> Callable[..., Path]:
    """Return what makes a pipe with a name, and writes once to it."""

    def pipe(content: bytes, name: str = "pipe") -> Path:
        path = tmp_path / name
        path.unlink(missing_ok=True)
        os.mkfifo(path)

        def write() -> None:
            with suppress(BrokenPipeError), path.open("wb") as stream:
                stream.write(content)

        threading.Thread(target=write, daemon=True).start()
        return path

    return pipe


OPTIONS = [(), ("--by", "site"), ("--weight", "w"), ("--where", "site = 'a'"), ("--average", "macro")]


@in_one_test
@pytest.mark.parametrize(("small", "options"), [(1 << 23, ()), (-1, ("--by", "site"))])  # by Python, by DuckDB
def test_a_pipe_is_read_once_and_counted_whole(
    small: int,
    options: tuple[str, ...],
    piped: Callable[..., Path],
    asked: Asked,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its header alone is looked for in the first 2**20 bytes."""
    monkeypatch.setattr(file_reports, "_SMALL", small)
    found = asked(piped(text_of(PAIRS * 25_000).encode()), *options)
    assert counts(found) == [25_000 * number for number in COUNTS]


def test_standard_input_takes_every_option(asked: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    for options in OPTIONS:
        with tempfile.TemporaryFile("w+") as stream:
            stream.write(text_of(PAIRS))
            stream.seek(0)
            monkeypatch.setattr(sys, "stdin", stream)
            found = asked("-", *options)
            assert found["source"] == "standard input"
            if "--average" not in options:
                assert counts(found) == COUNTS


def test_a_pipe_holds_any_kind_of_file(piped: Callable[..., Path], asked: Asked, tmp_path: Path) -> None:
    import duckdb

    lines = "\n".join(json.dumps({"y": int(y), "p": int(p)}) for y, p in PAIRS)
    (tmp_path / "a.jsonl").write_text(lines, encoding="utf-8")
    duckdb.read_json(str(tmp_path / "a.jsonl")).write_parquet(str(tmp_path / "a.parquet"))
    parquet = (tmp_path / "a.parquet").read_bytes()
    for content, name in ((lines.encode(), "pipe"), (parquet, "pipe"), (parquet, "pipe.parquet")):
        assert counts(asked(piped(content, name))) == COUNTS


def test_a_copy_is_removed_whatever_happens(piped: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> None:
    copies: list[Path] = []

    def interrupted() -> None:
        with rereadable(piped(b"y,p\n")) as copy:
            copies.append(copy)
            assert copy.read_bytes() == b"y,p\n"
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert not copies[0].parent.exists()
    monkeypatch.setattr("shutil.copyfileobj", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left on device")))
    with pytest.raises(InputError, match="No space left on device"), rereadable(piped(b"y,p\n")):
        pass


def test_two_columns_of_one_pipe_are_compared(piped: Callable[..., Path], capsys: pytest.CaptureFixture[str]) -> None:
    rows = "y,p,q\n" + "1,1,1\n1,1,0\n0,0,0\n0,1,0\n" * 5
    assert main(["compare", str(piped(rows.encode())), *COLUMNS, "--other", "q", "--format", "json"]) == 0
    first = json.loads(capsys.readouterr().out)["comparisons"][0]
    assert (first["metric"], first["first"], first["second"]) == ("accuracy", 0.75, 0.75)


@pytest.mark.parametrize("average", [(), ("--average", "macro")])
def test_classifiers_are_compared_on_the_examples_that_both_have(
    average: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """By hand: of the first four examples, which both have, each is right in three."""
    one, other = tmp_path / "one.csv", tmp_path / "other.csv"
    one.write_text("y,p\n1,1\n0,0\n1,1\n0,1\n1,NA\n1,0\n", encoding="utf-8")
    other.write_text("y,p\n1,1\n0,0\n1,0\n0,0\n1,1\n1,\n", encoding="utf-8")
    asked = ["compare", str(one), str(other), *COLUMNS, *average, "--metrics", "accuracy", "--format", "json"]
    assert main(asked) == 2
    assert "pass --missing drop" in capsys.readouterr().err
    assert main([*asked, "--missing", "drop"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["comparisons"][0]["first"], found["comparisons"][0]["second"]) == (0.75, 0.75)
    assert found["left_out"] == 2


# -- columns of any type -----------------------------------------------------------------------------------------------


@in_one_test
@pytest.mark.parametrize(
    ("truth", "prediction"),
    [
        ("{}::DOUBLE", "{}::INTEGER"),
        ("{}::FLOAT", "{}::UTINYINT"),
        ("{}::DECIMAL(9, 3)", "{}::BIGINT"),
        ("({} * 100000)::DOUBLE", "{} * 100000"),
        ("'+' || {}", "{}::DOUBLE"),
        ("CASE {} WHEN 1 THEN '1.000000e+00' ELSE '-0.0' END", "{}::HUGEINT"),
        ("({} = 1)", "({} = 1)"),
        ("CASE {} WHEN 1 THEN 'yes' ELSE 'no' END::ENUM('no', 'yes')", "CASE {} WHEN 1 THEN ' yes ' ELSE 'no' END"),
        ("({} + 0.5::FLOAT)", "({} + 0.5)::VARCHAR"),
        ("DATE '2020-01-01' + {}::INTEGER", "(DATE '2020-01-01' + {}::INTEGER)::VARCHAR"),
    ],
)
def test_numbers_are_the_same_labels_in_columns_of_all_types(
    truth: str, prediction: str, tmp_path: Path, asked: Asked
) -> None:
    import duckdb

    file = tmp_path / "a.parquet"
    rows = ", ".join(f"({y}, {p})" for y, p in PAIRS)
    columns = f"{truth.format('y')} AS y, {prediction.format('p')} AS p"
    duckdb.sql(f"SELECT {columns} FROM (VALUES {rows}) AS t(y, p)").write_parquet(str(file))
    positive = {"({} * 100000)::DOUBLE": "1e5", "({} + 0.5::FLOAT)": "1.5"}.get(truth)
    positive = "2020-01-02" if truth.startswith("DATE") else positive
    assert counts(asked(file, *(() if positive is None else ("--positive", positive)))) == COUNTS


@pytest.mark.parametrize("options", [(), ("--by", "site")])
def test_numbers_beyond_64_bits_stay_apart(options: tuple[str, ...], tmp_path: Path, asked: Asked) -> None:
    one, other = 2**65, 2**65 + 1
    file = tmp_path / "a.jsonl"
    rows = [{"y": (other, one)[int(y)], "p": (other, one)[int(p)], "site": one + int(y)} for y, p in PAIRS]
    file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    found = asked(file, "--positive", str(one), *options)
    if options:
        assert [group["site"] for group in found["groups"]] == [str(one), str(other)]
    else:
        assert counts(found) == COUNTS


# -- tables of databases -----------------------------------------------------------------------------------------------


@in_one_test
@pytest.mark.parametrize(
    ("table", "examples"),
    [
        ("runs", 1),
        ("main.runs", 1),
        ("old.runs", 2),
        ("OLD.Runs", 2),
        ('"old"."runs"', 2),
        ('"old.runs"', None),
        ("alone", 3),
        ("old.alone", 3),
        ("a.b", 4),
        ('"a.b"', 4),
        ('"x y"."t""u"', 5),
        ("x y.t", None),
        ("", None),
    ],
)
def test_a_table_of_a_database_is_named_with_its_schema(
    table: str, examples: int | None, tmp_path: Path, asked: Asked
) -> None:
    import duckdb

    (tmp_path / "a.duckdb").unlink(missing_ok=True)
    with duckdb.connect(str(tmp_path / "a.duckdb")) as connection:
        connection.execute('CREATE SCHEMA old; CREATE SCHEMA "x y"')
        for size, name in enumerate(("runs", "old.runs", "old.alone", '"a.b"', '"x y"."t""u"'), 1):
            connection.execute(f"CREATE TABLE {name} AS SELECT 1 AS y, 1 AS p FROM range({size})")
    found = asked(f"duckdb:{tmp_path / 'a.duckdb'}?table={table}")
    if examples is None:
        assert "the tables are 'a.b', 'old.alone', 'old.runs', 'runs', 'x y.t\"u'" in found
    else:
        assert counts(found) == [examples, 0, 0, 0]


# -- files of one class ------------------------------------------------------------------------------------------------


@in_one_test
@pytest.mark.parametrize("condition", [(), ("--where", "true")])
@pytest.mark.parametrize(
    ("label", "positive", "cells"),
    [
        ("1", None, [3, 0, 0, 0]),
        ("0", None, [0, 0, 0, 3]),
        ("1.0", None, [3, 0, 0, 0]),
        ("yes", None, [3, 0, 0, 0]),
        ("No", None, [0, 0, 0, 3]),
        ("False", None, [0, 0, 0, 3]),
        ("-1", None, [0, 0, 0, 3]),
        ("spam", "spam", [3, 0, 0, 0]),
        ("ham", "spam", [0, 0, 0, 3]),
    ],
)
def test_a_file_of_one_class_is_scored(
    label: str, positive: str | None, cells: list[int], condition: Any, tmp_path: Path, asked: Asked
) -> None:
    file = tmp_path / "a.csv"
    file.write_text("y,p,s\n" + f"{label},{label},0.5\n" * 3, encoding="utf-8")
    told = () if positive is None else ("--positive", positive)
    found = asked(file, *told, *condition, "--score", "s", metrics="accuracy,recall,specificity,auc")
    assert counts(found) == cells
    values = {score["metric"]: (score["value"], score["note"]) for score in found["scores"]}
    assert values["accuracy"] == (1.0, "")
    defined, undefined = ("recall", "specificity") if cells[0] else ("specificity", "recall")
    assert values[defined] == (1.0, "")
    assert values[undefined][0] is None
    assert "= 0" in values[undefined][1]
    assert values["auc"][0] is None
    assert "takes examples of both classes" in values["auc"][1]


def test_a_positive_class_that_no_example_has_is_said_to_be_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = _written(tmp_path, "y,p\nham,ham\n")
    assert main(["score", str(file), *COLUMNS, "--positive", "spam", "--metrics", "accuracy"]) == 0
    assert "positive 'spam', which no example has, against 'ham'" in capsys.readouterr().out


def test_a_single_class_is_scored(tmp_path: Path, asked: Asked) -> None:
    # A single class is scored without a positive one.
    file = tmp_path / "a.csv"
    file.write_text("y,p,g\nham,ham,a\nham,ham,b\n", encoding="utf-8")
    for condition in ((), ("--where", "true")):
        (line,) = asked(file, *condition, metrics="accuracy")["scores"]
        assert (line["value"], line["kind"]) == (1.0, "whole matrix")
        assert "no label is 'HAM'" in asked(file, "--positive", "HAM", *condition)
        assert "no label is ''" in asked(file, "--positive", "", *condition)
    assert asked(file, "--average", "macro")["scores"][0]["value"] == 1.0
    groups = asked(file, "--by", "g", "--positive", "ham")["groups"]
    assert [group["accuracy"] for group in groups] == [1.0, 1.0]
    # A group of one class is scored.
    file = tmp_path / "a.csv"
    file.write_text("y,p,g\n1,1,a\n1,1,a\n0,0,b\n0,1,b\n", encoding="utf-8")
    first, second = asked(file, "--by", "g", metrics="accuracy,recall,specificity")["groups"]
    assert (first["accuracy"], first["recall"], first["specificity"]) == (1.0, 1.0, None)
    assert (second["accuracy"], second["recall"], second["specificity"]) == (0.5, None, 0.5)


# -- what is said ------------------------------------------------------------------------------------------------------


def test_no_message_commands_the_terminal(tmp_path: Path, asked: Asked, capsys: pytest.CaptureFixture[str]) -> None:
    escape, file = "\x1b[31mred\x07", tmp_path / "a.csv"
    file.write_text(f"y,p,{escape},w\n1,1,2,{escape}\n0,0,{escape},1\n", encoding="utf-8")
    for options in (
        ("--where", f"y = {escape}"),
        ("--where", f'"{escape}x" = 1'),
        ("--where", f"y = CAST('{escape}' AS INTEGER)"),
        ("--where", f"{escape} = 1"),
        ("--where", 'CAST("w" AS DOUBLE) > 0'),
        ("--by", f"{escape}2"),
        ("--weight", escape),
        ("--positive", escape),
    ):
        assert isinstance(asked(file, *options), str), options  # which the fixture finds printable
    assert main(["score", escape, *COLUMNS]) == 2
    assert capsys.readouterr().err.rstrip("\n").isprintable()


CONDITION = re.compile(r"as with (--where .*)$")


@in_one_test
@pytest.mark.parametrize(
    ("name", "kind", "bad"),
    [("w", "csv", bad) for bad in ("nan", "inf", "-1", "1_0", "", "x")]
    + [("w", "parquet", "nan"), ('w "of" all', "csv", "x"), ("it's", "csv", "x")],
)
def test_the_condition_that_a_message_advises_leaves_the_bad_rows_out(
    name: str, bad: str, kind: str, tmp_path: Path, asked: Asked
) -> None:
    import duckdb

    file = tmp_path / f"a.{kind}"
    written = tmp_path / "a.csv"
    field = '"' + name.replace('"', '""') + '"'
    written.write_text(f"y,p,{field}\n1,1,2\n0,0,1\n1,0,{bad}\n", encoding="utf-8")
    if kind == "parquet":
        duckdb.read_csv(str(written), all_varchar=True).write_parquet(str(file))
    message = asked(file, "--weight", name)
    advised = CONDITION.search(message.rstrip("\n"))
    assert advised is not None, message
    assert counts(asked(file, "--weight", name, *shlex.split(advised[1]))) == [2, 0, 0, 1]


def test_conditions_are_advised_where_there_is_one(tmp_path: Path, asked: Asked) -> None:
    import duckdb

    broken, file = tmp_path / "a.jsonl", tmp_path / "a.csv"
    broken.write_text('{"y": 1, "p"\n', encoding="utf-8")
    assert "--where" not in asked(broken)
    duckdb.sql("SELECT 1 AS y, 1 AS p, DATE '2020-01-01' AS w").write_parquet(str(tmp_path / "a.parquet"))
    assert "write --where" not in asked(tmp_path / "a.parquet", "--weight", "w")
    file.write_text("y,p\n1,1\nNA,0\n", encoding="utf-8")
    assert "--where" not in asked(file)
    assert "it has no rows" in asked(_written(tmp_path, "y,p\n"), "--where", "true")
    lines = tmp_path / "b.jsonl"
    lines.write_text('{"y": 1, "p": 1, "year": 2020}\n', encoding="utf-8")
    assert "columns of CSV are texts" not in asked(lines, "--where", "yeer > 2019")
    assert "columns of CSV are texts" in asked(file, "--where", "yeer > 2019")


def _written(folder: Path, text: str) -> Path:
    file = folder / "written.csv"
    file.write_text(text, encoding="utf-8")
    return file


def test_conditions_take_columns_as_they_are(tmp_path: Path, asked: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    # A condition takes no column for another. To DuckDB, capitals do not count: it would read the first column for
    # the second.
    for header in ("y,p,Site,site", "y,p,site,site"):
        file = _written(tmp_path, f"{header}\n1,1,a,b\n0,0,b,a\n1,0,b,a\n")
        for small in (1 << 23, -1):
            monkeypatch.setattr(file_reports, "_SMALL", small)
            assert "several columns are named 'site'" in asked(file, "--where", "site = 'a'")
            assert counts(asked(file, "--where", "y = 1 OR p = 1")) == [1, 1, 0, 0]
    # Blanks around fields count in no condition.
    file = _written(tmp_path, "y,p,site\n1,1, a\n0,0,a \n1,0,b\n0,1,\u00a0a\n0,1,  \n")
    for small in (1 << 23, -1):
        monkeypatch.setattr(file_reports, "_SMALL", small)
        assert counts(asked(file, "--where", "site = 'a'")) == [1, 0, 1, 1]
        assert counts(asked(file, "--where", "site IS NULL")) == [0, 0, 1, 0]


def test_names_and_numbers_in_csv(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    # Names of classifiers are no formulas in CSV.
    file = _written(tmp_path, "y,=1+1,-2,p\n1,1,1,0\n0,0,1,0\n1,1,1,1\n0,1,0,0\n")
    columns = ("--truth", "y", "--prediction", "=1+1", "--other=-2", "--other", "p")
    assert main(["compare", str(file), *columns, "--metrics", "accuracy", "--format", "csv"]) == 0
    names = {field for line in capsys.readouterr().out.splitlines()[1:] for field in line.split(",")[1:3]}
    assert names == {"'=1+1", "-2", "p"}
    # Numbers are written to CSV as they are.
    groups = ["-5", "+5", "-1.5e3", "-.5", "-", "=1+1", "-1+cmd|' /C calc'!A0", "@SUM(1)", "-x", "+1+1"]
    rows = "".join(f'1,1,"{group}"\n' for group in groups)
    file = _written(tmp_path, f"y,p,g\n{rows}")
    assert main(["score", str(file), *COLUMNS, "--by", "g", "--metrics", "accuracy", "--format", "csv"]) == 0
    written = {line.split(",")[0] for line in capsys.readouterr().out.splitlines()[1:]}
    assert written == {*groups[:5], *(f"'{group}" for group in groups[5:])}
