"""Files as programs write them: every reader counts the same in each as pandas does, or all refuse it in one line.

The doors are Python's reader, DuckDB's, DuckDB's behind Python's, compressed files, and standard input.
"""

from __future__ import annotations

import gzip
import importlib.util
import io
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import pandas as pd
import pytest
from effort import in_one_test

from symmetrics.cli import main
from symmetrics.pages import score_reports as file_reports
from symmetrics.tools.arguments import MARKS

pytestmark = pytest.mark.skipif(importlib.util.find_spec("duckdb") is None, reason="duckdb is not installed")

COLUMNS = ("--truth", "y", "--prediction", "p")
PAIRS = [("1", "1"), ("1", "1"), ("1", "0"), ("0", "1"), ("0", "0"), ("0", "0")]
COUNTS = [2, 1, 1, 2]  # by hand, of these pairs, the 1 being positive


def table(pairs: Any = PAIRS, header: Any = ("y", "p"), by: str = ",", end: str = "\n", quote: str = "") -> str:
    return "".join(by.join(f"{quote}{field}{quote}" for field in row) + end for row in [header, *pairs])


def spelled(truths: tuple[str, str], predictions: tuple[str, str]) -> str:
    """Return the table with other spellings of 0 and 1 in each column."""
    return table([(truths[int(y)], predictions[int(p)]) for y, p in PAIRS])


def noted(note: str, header: str = "y,p,note") -> str:
    return f"{header}\n" + "".join(f"{y},{p},{note}\n" for y, p in PAIRS)


PLAIN = table()
BODY = PLAIN.removeprefix("y,p\n")


class Variant(NamedTuple):
    """A file, how pandas reads it, and the label of the positive class.

    :param refused: what the message says if no reader takes the file
    """

    content: str | bytes
    pandas: Mapping[str, Any] = MappingProxyType({})
    positive: str = "1"
    refused: str = ""

    @property
    def data(self) -> bytes:
        return self.content if isinstance(self.content, bytes) else self.content.encode()


VARIANTS: dict[str, Variant] = {
    # line ends, marks of encodings, blank lines
    "plain": Variant(PLAIN),
    "byte order mark": Variant("\ufeff" + PLAIN),
    "Windows": Variant(table(end="\r\n")),
    "old Macintosh": Variant(table(end="\r")),
    "no last line end": Variant(PLAIN[:-1]),
    "Windows below, Unix above": Variant(PLAIN.replace("1,0\n", "1,0\r\n")),
    "Unix below, Windows above": Variant("y,p\r\n" + BODY),
    "three kinds of line ends": Variant("y,p\r" + BODY.replace("1,1\n", "1,1\r\n")),
    "blank lines at the end": Variant(
        PLAIN + "\n\n  \n", {"skip_blank_lines": True, "skipfooter": 1, "engine": "python"}
    ),
    "blank lines at the start": Variant("\n\n" + PLAIN),
    "blank lines between": Variant(PLAIN.replace("\n", "\n\n")),
    # delimiters
    "semicolons": Variant(table(by=";"), {"sep": ";"}),
    "semicolons and decimal commas": Variant(
        "y;p;s\n" + "".join(f"{y};{p};0,5\n" for y, p in PAIRS), {"sep": ";", "decimal": ","}
    ),
    "tabs": Variant(table(by="\t"), {"sep": "\t"}),
    "blanks around commas": Variant(table(by=" , ")),
    "a delimiter ends each line": Variant(table(end=",\n")),
    "a delimiter ends each row": Variant("y,p\n" + BODY.replace("\n", ",\n"), {"index_col": False}),
    "a delimiter ends the header": Variant("y,p,\n" + BODY),
    "a delimiter ends one row": Variant(PLAIN.replace("1,0\n", "1,0,\n"), {"usecols": [0, 1]}),
    "empty columns of a spreadsheet": Variant(table(end=",,\n")),
    "columns without names": Variant(table([(y, p, "x", "x") for y, p in PAIRS], ("y", "p", "", ""))),
    # quotes
    "all quoted": Variant(table(quote='"')),
    "quoted, blanks behind commas": Variant(table(by=", ", quote='"')),
    "names of rows, as write.csv of R": Variant(
        '"","y","p"\n' + "".join(f'"{i}",{y},{p}\n' for i, (y, p) in enumerate(PAIRS))
    ),
    "an index, as to_csv of pandas": Variant(",y,p\n" + "".join(f"{i},{y},{p}\n" for i, (y, p) in enumerate(PAIRS))),
    "texts of two lines": Variant(noted('"two\nlines"')),
    "texts of two Windows lines": Variant(noted('"two\r\nlines"')),
    "texts of two Macintosh lines": Variant(noted('"two\rlines"')),
    "texts with delimiters": Variant(noted('"a, b; c"')),
    "texts with quotes": Variant(noted('"say ""no"""')),
    "a quote within a text": Variant(noted('5" nails')),
    "long texts": Variant(noted("x" * 200_000)),
    "long quoted texts": Variant(noted('"' + "x," * 100_000 + '"')),
    "a long header": Variant(noted("1", f"y,p,{'x' * 2_000_000}")),
    "two columns of one name, not asked for": Variant("z,z,y,p\n" + "".join(f"a,b,{y},{p}\n" for y, p in PAIRS)),
    # spellings of labels
    "1.0 beside 1": Variant(spelled(("0.0", "1.0"), ("0", "1"))),
    "1. beside 1": Variant(spelled(("0.", "1."), ("0", "1"))),
    "+1 beside 1": Variant(spelled(("+0", "+1"), ("0", "1"))),
    "01 beside 1": Variant(spelled(("00", "01"), ("0", "1"))),
    "-1.0 beside -1": Variant(spelled(("-1.0", "1.0"), ("-1", "1"))),
    "-0 beside 0": Variant(spelled(("-0", "1"), ("0", "1"))),
    "numbers of C": Variant(spelled(("0.000000e+00", "1.000000e+00"), ("0", "1"))),
    "1e+05 of R": Variant(spelled(("0", "1e+05"), ("0", "100000")), positive="100000"),
    "halves": Variant(spelled(("0", "5e-1"), ("0.0", "0.50")), positive="0.5"),
    "numbers beyond floats": Variant(
        spelled(("36893488147419103233", "36893488147419103232"), ("36893488147419103233", "36893488147419103232")),
        {"dtype": str},
        positive="36893488147419103232",
    ),
    "True and False": Variant(spelled(("False", "True"), ("False", "True")), {"dtype": str}, "True"),
    "TRUE and FALSE": Variant(spelled(("FALSE", "TRUE"), ("FALSE", "TRUE")), {"dtype": str}, "TRUE"),
    "yes and no": Variant(spelled(("no", "yes"), ("no", "yes")), positive="yes"),
    "letters of all countries": Variant(spelled(("né", "猫"), ("né", "猫")), positive="猫"),
    "no-break blanks": Variant(spelled(("\u00a00", "\u00a01"), ("0", "1"))),
    # refused by all
    "UTF-16": Variant(PLAIN.encode("utf-16"), refused="UTF-16; save the file as CSV in UTF-8"),
    "Latin-1": Variant(spelled(("né", "1"), ("né", "1")).encode("latin-1"), refused="line 4: not UTF-8 text"),
    "empty": Variant("", refused="is empty; it needs a header row"),
    "blank": Variant("\n \n", refused="is empty; it needs a header row"),
    "a header alone": Variant("y,p\n", refused="no rows|it has no rows"),
    "no header": Variant(BODY, refused="put a line with the names of the columns above it"),
    "two columns of one name": Variant("y,p,p\n1,0,1\n", refused="2 columns are named 'p'"),
    "blanks between fields": Variant(table(by=" "), refused="are separated by blanks"),
    "columns of blanks": Variant(table(by="    "), refused="are separated by blanks"),
    "write.table of R": Variant(
        '"y" "p"\n' + "".join(f'"{i}" {y} {p}\n' for i, (y, p) in enumerate(PAIRS)), refused="are separated by blanks"
    ),
    "write.table of R with commas": Variant(
        '"y","p"\n' + "".join(f'"{i}",{y},{p}\n' for i, (y, p) in enumerate(PAIRS)),
        refused="if the first one is the name of the row, add a name for it to the header",
    ),
    "bars": Variant(table(by="|"), refused="a comma, a semicolon or a tab between names"),
    "a comment above": Variant("# by a program\n" + PLAIN, refused="no column 'y'; the header names '# by a program'"),
    "sep= of Excel": Variant("sep=,\n" + PLAIN, refused="no column 'y'; the header names 'sep='"),
    "a short row": Variant(PLAIN + "1\n", refused="line 8: 1 field where the header has 2"),
    "a long row": Variant(PLAIN + "1,0,x\n", refused="line 8: 3 fields where the header has 2"),
    "an open quote": Variant(PLAIN + '"1,0\n', refused="line 8: unexpected end of data; check the quotes"),
    "a quote too many": Variant(PLAIN + '"1"x,0\n', refused="line 8: ',' expected after '\"'; check the quotes"),
    "JSON in CSV": Variant('[{"y": 1, "p": 1}]', refused="this is JSON"),
    "labels of two kinds": Variant("y,p\nyes,1\nyes,1\n", refused="have none in common"),
    "a missing label": Variant(PLAIN + "NA,1\n", refused="column 'y' has 'NA', a missing label"),
    "an empty label": Variant(PLAIN + "1,\n", refused="column 'p' is empty"),
}
DOORS = ("python", "duckdb", "condition", "duckdb and condition", "compressed", "standard input")


def answer(
    content: bytes, door: str, options: tuple[str, ...], folder: Path, patch: pytest.MonkeyPatch, capsys: Any
) -> Any:
    """Return the JSON of a file through a door, or the message with which it is refused."""
    file = folder / ("a.csv.gz" if door == "compressed" else "a.csv")
    file.write_bytes(gzip.compress(content, 1) if door == "compressed" else content)
    patch.setattr(file_reports, "_SMALL", -1 if "duckdb" in door else file_reports._SMALL)
    patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    named = "-" if door == "standard input" else str(file)
    condition = ("--where", "true") if "condition" in door else ()
    status = main(["score", named, *COLUMNS, "--metrics", "accuracy", "--format", "json", *options, *condition])
    output, errors = capsys.readouterr()
    if status == 0:
        return json.loads(output)
    assert (status, output, len(errors.splitlines())) == (2, "", 1)
    assert len(errors) < 700
    return errors


def by_pandas(variant: Variant) -> list[int]:
    """Return the four counts that pandas finds."""
    frame = pd.read_csv(io.BytesIO(variant.data), skipinitialspace=True, **variant.pandas)
    frame.columns = frame.columns.str.strip()
    y, p = (frame[name].astype(str).str.strip() for name in ("y", "p"))
    if variant.pandas.get("dtype") is not str and pd.to_numeric(y, errors="coerce").notna().all():
        y, p = pd.to_numeric(y) == float(variant.positive), pd.to_numeric(p) == float(variant.positive)
    else:
        y, p = y == variant.positive, p == variant.positive
    return [int((a & b).sum()) for a, b in ((y, p), (y, ~p), (~y, p), (~y, ~p))]


@in_one_test
@pytest.mark.parametrize("name", [name for name, variant in VARIANTS.items() if not variant.refused])
def test_pandas_counts_the_same(name: str) -> None:
    assert by_pandas(VARIANTS[name]) == COUNTS


@pytest.mark.sampled(36)
@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("name", VARIANTS)
def test_every_door_counts_the_same_in_a_file_or_refuses_it(
    name: str, door: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    variant = VARIANTS[name]
    found = answer(variant.data, door, ("--positive", variant.positive), tmp_path, monkeypatch, capsys)
    if variant.refused:
        assert isinstance(found, str)
        assert any(part in found for part in variant.refused.split("|")), found
    else:
        assert isinstance(found, dict), found
        assert (list(found["counts"].values()), found["positive"]) == (COUNTS, variant.positive)


# -- missing labels ----------------------------------------------------------------------------------------------------


@in_one_test
@pytest.mark.parametrize(
    ("door", "mark"), [("python", mark) for mark in sorted(MARKS)] + [("duckdb", ""), ("duckdb", "NA")]
)
def test_a_mark_of_a_missing_label_is_refused_dropped_or_kept(
    door: str, mark: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """By hand: two examples of 1 and 0 that are right, and two that lack a label in one column."""
    content = f"y,p\n1,1\n0,0\n{mark},1\n1,{mark}\n".encode()
    for options in (("--positive", "1"), ("--average", "macro"), ()):
        refused = answer(content, door, options, tmp_path, monkeypatch, capsys)
        assert "pass --missing drop" in refused
        assert f"column 'y' {f'has {mark!r}' if mark else 'is empty'}" in refused
        dropped = answer(content, door, (*options, "--missing", "drop"), tmp_path, monkeypatch, capsys)
        assert (dropped["left_out"], dropped["scores"][0]["value"]) == (2, 1.0)
    kept = answer(content, door, ("--positive", "1", "--missing", "keep"), tmp_path, monkeypatch, capsys)
    if mark:
        assert list(kept["counts"].values()) == [1, 1, 1, 1]
        assert "left_out" not in kept
    else:
        assert "column 'y' is empty" in kept  # an empty field is no label, whatever is kept


WITH_GAPS = [{"y": 1, "p": 1}, {"y": 0, "p": 0}, {"y": None, "p": 1}, {"y": 1, "p": None}, {"y": 0, "p": 1}]


@in_one_test
@pytest.mark.parametrize("kind", ["jsonl", "floats", "nulls", "texts", "categories"])
@pytest.mark.parametrize("options", [(), ("--score", "s", "--metrics", "accuracy,auc"), ("--by", "site")])
def test_a_null_is_never_a_label(
    kind: str, options: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import duckdb

    file = tmp_path / ("a.jsonl" if kind == "jsonl" else "a.parquet")
    rows = [{**row, "s": index / 4, "site": "a"} for index, row in enumerate(WITH_GAPS)]
    if kind == "jsonl":
        file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    else:
        lines = tmp_path / "lines.jsonl"
        lines.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
        of = {"floats": "coalesce({}::DOUBLE, 'nan'::DOUBLE)", "texts": "coalesce({}::VARCHAR, ' NA ')"}
        of["categories"] = "{}::VARCHAR::ENUM('0', '1')"
        columns = ", ".join(f"{of.get(kind, '{}').format(name)} AS {name}" for name in ("y", "p"))
        duckdb.read_json(str(lines)).project(f"{columns}, s, site").write_parquet(str(file))
    asked = ["score", str(file), *COLUMNS, "--format", "json", *(options or ("--metrics", "accuracy"))]
    for choice in ("refuse", *([] if kind == "texts" else ["keep"])):
        assert main([*asked, "--missing", choice]) == 2
        assert "column 'y'" in capsys.readouterr().err
    assert main([*asked, "--missing", "drop"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["left_out"] == 2
    cells = found["groups"][0] if options and options[0] == "--by" else found["counts"]
    assert [cells[name] for name in ("tp", "fn", "fp", "tn")] == [1, 0, 1, 1]
    if "auc" in str(options):  # scores 0 of the positive one, and 1/4 and 1 of the negatives: none is below it
        assert found["scores"][1]["value"] == 0.0


def test_every_format_says_how_many_examples_are_left_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.csv"
    file.write_text("y,p,g\n1,1,a\n0,0,a\nNA,1,b\n", encoding="utf-8")
    for by in ((), ("--by", "g"), ("--by", "g", "--average", "macro"), ("--average", "macro")):
        asked = ["score", str(file), *COLUMNS, *by, "--metrics", "accuracy", "--missing", "drop", "--format"]
        for form, told in (
            ("text", "1 example left out: a label is missing"),
            ("md", "1 example left out: a label is missing"),
            ("html", "1 example left out: a label is missing"),
            ("json", '"left_out": 1'),
            ("csv", "left_out"),
        ):
            assert main([*asked, form]) == 0
            assert told in capsys.readouterr().out, (by, form)


def test_a_file_that_lacks_every_label_has_none_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for door in ("python", "duckdb", "condition"):
        found = answer(b"y,p\nNA,1\n0,\n", door, ("--missing", "drop"), tmp_path, monkeypatch, capsys)
        assert "every example lacks a label" in found
