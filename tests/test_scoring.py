"""Scores of files by the convention of labels, and the example that is shipped."""

from __future__ import annotations

import csv
import io
import sys
from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import shared
from effort import in_one_test
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from symmetrics.data.label_files import LabelledColumns, read_columns
from symmetrics.pages.examples import path
from symmetrics.pages.examples.make_digits import COLUMNS, write
from symmetrics.tools.arguments import MARKS
from symmetrics.tools.errors import InputError

# -- scoring -----------------------------------------------------------------------------------------------------------


refusal = partial(shared.refusal, longest=500)

# By hand: tp 2, fn 1, fp 1, tn 2.
ROWS = [("1", "1"), ("1", "1"), ("1", "0"), ("0", "1"), ("0", "0"), ("0", "0")]
COUNTS = (2, 1, 1, 2)


def table(
    rows: Sequence[tuple[str, ...]], header: tuple[str, ...] = ("y", "p"), delimiter: str = ",", end: str = "\n"
) -> str:
    return "".join(delimiter.join(row) + end for row in [header, *rows])


def named(names: dict[str, str]) -> str:
    """Return the table by hand with other labels."""
    return table([(names[y], names[p]) for y, p in ROWS])


def read(
    tmp_path: Path, content: str | bytes, truth: str = "y", prediction: str = "p", **options: Any
) -> LabelledColumns:
    file = tmp_path / "labels.csv"
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_columns(file, truth, prediction, **options)


@pytest.mark.parametrize(
    "content",
    [
        table(ROWS),
        table(ROWS).rstrip("\n"),
        table(ROWS, end="\r\n"),
        table(ROWS, end="\r"),
        table(ROWS, delimiter=";"),
        table(ROWS, delimiter="\t"),
        table(ROWS, delimiter=" , "),
        "\ufeff" + table(ROWS),
        "\ufeff" + table(ROWS, delimiter=";", end="\r\n"),
        table([(f'"{y}"', f'"{p}"') for y, p in ROWS], header=('"y"', '"p"')),
        "\n" + table(ROWS).replace("1,0\n", "1,0\n\n  \n") + "\n\n",
        table([("a,b;c", p, y) for y, p in ROWS], header=("id", "p", "y")).replace("a,b;c", '"a,b;c"'),
        table([("two\nlines", y, p) for y, p in ROWS], header=("note", "y", "p")).replace("two\nlines", '"two\nlines"'),
        table([("3", y, p) for y, p in ROWS], header=("", "y", "p")),
        table([(y, p, "x", "x") for y, p in ROWS], header=("y", "p", "", "")),
        table([(y, f"{p}.0") for y, p in ROWS]),
        table([(f"{y}.", f"{p}.00") for y, p in ROWS]),
    ],
)
def test_equivalent_files(tmp_path: Path, content: str) -> None:
    found = read(tmp_path, content)
    assert (found.counts, found.positive, found.negatives) == (COUNTS, "1", ("0",))
    assert found.is_positive == (True, True, True, False, False, False)


@pytest.mark.parametrize(
    ("negative", "positive"),
    [("0", "1"), ("no", "yes"), ("No", "YES"), ("negative", "positive"), ("False", "True"), ("-1", "1"), ("n", "y")],
)
def test_the_positive_label_by_convention(tmp_path: Path, negative: str, positive: str) -> None:
    found = read(tmp_path, named({"0": negative, "1": positive}))
    assert (found.counts, found.positive, found.negatives) == (COUNTS, positive, (negative,))


@pytest.mark.parametrize(("chosen", "counts"), [("cat", COUNTS), (" dog ", COUNTS)])
def test_the_positive_label_as_told(tmp_path: Path, chosen: str, counts: tuple[int, ...]) -> None:
    found = read(tmp_path, named({"0": "dog", "1": "cat"}), positive=chosen)
    assert (found.counts, found.positive) == (counts, chosen.strip())


def test_labels_that_are_told_or_merged(tmp_path: Path) -> None:
    # The told label wins over convention.
    rows = [("1", "1"), ("1", "1"), ("1", "0"), ("0", "0")]
    assert read(tmp_path, table(rows)).counts == (2, 1, 0, 1)
    assert read(tmp_path, table(rows), positive="0").counts == (1, 0, 1, 2)
    assert read(tmp_path, table(rows).replace("0", "0.0"), positive="0.0").counts == (1, 0, 1, 2)
    # One class against the rest.
    rows = [("a", "a"), ("a", "b"), ("b", "c"), ("c", "a"), ("c", "c")]
    found = read(tmp_path, table(rows), positive="a")
    assert (found.counts, found.negatives) == ((1, 1, 1, 2), ("b", "c"))
    # A plus sign makes no other label.
    rows = [("+1", "1"), ("+1", "-1"), ("-1", "-1.0"), ("+1", "1.0"), ("-1", "1")]
    for asked in ({}, {"positive": "+1"}, {"positive": "1"}):
        found = read(tmp_path, table(rows), **asked)
        assert (found.positive, found.negatives, found.counts) == ("1", ("-1",), (2, 1, 1, 1))
    # Numbers are merged only if all labels are numbers.
    rows = [("1.0", "1.0"), ("1", "x"), ("x", "1")]
    assert read(tmp_path, table(rows), positive="1").counts == (0, 1, 1, 1)


class Piped(io.StringIO):
    """A standard input without the bytes underneath."""


@pytest.mark.parametrize("bom", ["", "\ufeff"])
def test_a_hyphen_is_standard_input(monkeypatch: pytest.MonkeyPatch, bom: str) -> None:
    content = bom + table(ROWS, end="\r\n")
    for stream in (io.TextIOWrapper(io.BytesIO(content.encode())), Piped(content)):
        monkeypatch.setattr(sys, "stdin", stream)
        found = read_columns("-", "y", "p")
        assert (found.counts, found.source) == (COUNTS, "standard input")
    monkeypatch.setattr(sys, "stdin", Piped(""))
    assert refusal(lambda: read_columns("-", "y", "p")).startswith("standard input is empty")
    monkeypatch.setattr(sys, "stdin", None)
    assert "closed" in refusal(lambda: read_columns("-", "y", "p"))


@in_one_test
@pytest.mark.parametrize(
    ("content", "options", "parts"),
    [
        ("", {}, ("labels.csv is empty", "header")),
        (" \n\r\n", {}, ("is empty",)),
        (b"\xef\xbb\xbf", {}, ("is empty",)),
        ("y,p\n", {}, ("a header and no rows",)),
        ("y,p\n\n  \n", {}, ("a header and no rows",)),
        (
            "Y_true,pred\n1,0\n",
            {"truth": "y_true", "prediction": "pred"},
            ("no column 'y_true'", "did you mean 'Y_true'?"),
        ),
        (
            "truth,pred\n1,0\n",
            {"truth": "truth", "prediction": "prd"},
            ("no column 'prd'", "'pred'", "'truth', 'pred'"),
        ),
        ("truth,pred\n1,0\n", {"truth": "truth", "prediction": "zzz"}, ("no column 'zzz'; the header names 'truth',",)),
        ("a;b;c\n1;0;1\n", {}, ("no column 'y'", "'a', 'b', 'c'")),
        ("y|p\n1|0\n", {}, ("no column 'y'", "names 'y|p' alone", "a comma, a semicolon or a tab between names")),
        ("y,p\n1,0\n", {"score": "s"}, ("no column 's'",)),
        (
            "1,0.25\n0,0.5\n",
            {},
            ("names '1', '0.25'; if that is an example, put a line with the names of the columns",),
        ),
        ('[{"y": 1, "p": 0}]\n', {}, ("this is JSON, of which files are read that have an object on each line",)),
        ('{"y": 1,\n"p": 0}\n', {}, ("this is JSON", "end in .jsonl")),
        ("[[1, 0]]", {}, ("this is JSON",)),
        (f"{'a' * 99},{'b' * 99}\n1,0\n", {}, (f"'{'a' * 57}...', '{'b' * 57}...'",)),
        ("y,p\n1,0\n", {"score": ""}, ("no column ''",)),
        ("y,p,y\n1,0,1\n", {}, ("2 columns are named 'y'",)),
        ("y,p, p \n1,0,1\n", {}, ("2 columns are named 'p'",)),
        ("y,p\n1,0\n", {"prediction": "y"}, ("both truth and prediction",)),
        ("y,p\n1,0\n1,0,1\n", {}, ("line 3", "3 fields where the header has 2")),
        ("y,p\n1,0\n\n1\n", {}, ("line 4", "1 field where the header has 2")),
        ('y,p,n\n1,0,"a\nb"\n1,0\n', {}, ("line 4", "2 fields")),
        ("y,p\n1,0\n1,\n", {}, ("line 3", "'p' is empty")),
        ("y,p\n1,0\n \t,0\n", {}, ("line 3", "'y' is empty")),
        ("y,p\r\n1,0\r\n,\r\n", {}, ("line 3", "'y' is empty")),
        ("y,p\n1,0\nNaN,0\n", {}, ("line 3", "'NaN', a missing label")),
        ('y,p\n1,0\n"1,0\n1,1\n', {}, ("line 3", "quotes")),
        ('y,p\n1,0\n"1"x,0\n', {}, ("line 3", "quotes")),
        ('"y,p\n1,0\n', {}, ("line 1", "quotes")),
        (b"y,p\n1,0\n\xff,1\n", {}, ("line 3", "UTF-8")),
        ("y,p\n1,0\n".encode("utf-16"), {}, ("line 1", "UTF-8")),
        ("y,p\na,a\na,a\n", {}, ("only label, 'a',", "--positive a")),
        ("y,p\nYes,Yes\n", {"positive": "yes"}, ("no label is 'yes'", "'Yes'")),
        ("y,p\nyes,1\nyes,1\n", {"positive": "1"}, ("none in common",)),
        ("y,p\na,b\nc,a\n", {}, ("3 labels ('a', 'b', 'c')", "--positive VALUE", "against the rest")),
        ("y,p\na,b\nc,a\n", {"positive": "d"}, ("no label is 'd'", "'a', 'b', 'c'")),
        ("y,p\n0,1\n1,1\n", {"positive": "yes"}, ("no label is 'yes'", "'0', '1'")),
        ("y,p\ncat,dog\ncat,cat\n", {}, ("--positive cat or --positive dog",)),
        ("y,p\nbig cat,dog\ndog,dog\n", {}, ("--positive 'big cat'",)),
        ("y,p\n1,2\n2,2\n", {}, ("--positive 1 or --positive 2",)),
        ('y,p\n"a\nb",dog\ndog,dog\n', {}, (r"'a\nb'",)),
        ("y,p\n0,0.25\n1,0.75\n", {}, ("column 'p' holds scores", "--score")),
        ("y,p\n0,0.25\n1,0.75\n", {"positive": "1"}, ("column 'p' holds scores",)),
        ("y,p\n0,no\n1,yes\n", {"positive": "1"}, ("none in common", "'0', '1' in truth")),
        ("y,p,s\n0,0,0.5\n1,1,high\n", {"score": "s"}, ("line 3", "'high' in column 's'")),
        ("y,p,s\n0,0,0.5\n1,1,\n", {"score": "s"}, ("line 3", "'' in column 's'")),
        ("y,p,s\n0,0,0.5\n1,1,1_0\n", {"score": "s"}, ("line 3", "'1_0' in column 's'")),
        ("y,p,s\n0,0,0.5\n1,1,\uff11\n", {"score": "s"}, ("line 3", "in column 's' is not a finite number")),
        ("y,p,s\n0,0,0.5\n1,1,1e400\n", {"score": "s"}, ("line 3", "'1e400' in column 's'")),
        ("y,p,s\n0,0,nan\n1,1,1\n", {"score": "s"}, ("line 2", "'nan' in column 's'")),
    ],
)
def test_refusals(tmp_path: Path, content: str | bytes, options: dict[str, str], parts: tuple[str, ...]) -> None:
    message = refusal(lambda: read(tmp_path, content, **options))
    assert all(part in message for part in parts), message
    assert "labels.csv" in message


def test_settings_and_files(tmp_path: Path) -> None:
    # Every setting is recorded.
    content = table([("yes", "no", "-1e3"), ("no", "no", "0.25"), ("yes", "yes", "7")], ("True label", "guess", "s"))
    found = read(tmp_path, content, " True label", "guess", score="s")
    assert found.source == str(tmp_path / "labels.csv")
    assert (found.truth, found.prediction, found.score) == ("True label", "guess", "s")
    assert found.scores == (-1000.0, 0.25, 7.0)
    assert found.counts == (1, 1, 0, 1)
    assert "0.25" not in repr(found)
    assert read(tmp_path, content, "True label", "guess").scores is None
    # Scores alone give no metric.
    from symmetrics.library import metrics
    from symmetrics.pages.score_reports import score

    alone = read(tmp_path, "y,s\n0,0.25\n1,0.75\n", prediction="", score="s")
    assert (alone.prediction, alone.scores) == ("", (0.25, 0.75))
    assert "f1 is computed from predicted labels" in refusal(lambda: score(alone, [metrics["f1"]]))
    assert "no name; name it" in refusal(lambda: read(tmp_path, "y,s\n0,0.25\n1,0.75\n", prediction=""))
    # Files that cannot be read.
    assert "no such file" in refusal(lambda: read_columns(tmp_path / "absent.csv", "y", "p"))
    assert "is a directory" in refusal(lambda: read_columns(str(tmp_path), "y", "p"))
    assert "cannot be read" in refusal(lambda: read_columns("a\0b.csv", "y", "p"))
    assert r"'a\nb.csv'" in refusal(lambda: read_columns("a\nb.csv", "y", "p"))
    assert "''" in refusal(lambda: read_columns("", "y", "p"))


words = st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")), min_size=1, max_size=6).map(str.strip)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    pair=st.lists(words.filter(lambda word: word not in MARKS), min_size=2, max_size=2, unique=True),
    rows=st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=10),
    delimiter=st.sampled_from(",;\t"),
    end=st.sampled_from(["\n", "\r\n"]),
    bom=st.booleans(),
)
def test_what_the_csv_module_writes_is_read_back(
    tmp_path: Path, pair: list[str], rows: list[tuple[bool, bool]], delimiter: str, end: str, bom: bool
) -> None:
    rows = [(True, True), (False, False), *rows]
    buffer = io.StringIO()
    writer = csv.writer(buffer, delimiter=delimiter, lineterminator=end)
    writer.writerows([["y", "p, or; guess"], *([pair[y], pair[p]] for y, p in rows)])
    content = buffer.getvalue().encode("utf-8-sig" if bom else "utf-8")
    found = read(tmp_path, content, "y", "p, or; guess", positive=pair[1])
    assert found.positive == pair[1]
    assert found.negatives == (pair[0],)
    wanted = [(True, True), (True, False), (False, True), (False, False)]
    assert found.counts == tuple(rows.count(cell) for cell in wanted)
    assert found.is_positive == tuple(y for y, _ in rows)


# -- examples ----------------------------------------------------------------------------------------------------------


def _read(file: Path) -> list[dict[str, str]]:
    with file.open(encoding="utf-8", newline="") as stream:
        reader = csv.DictReader(stream)
        rows = list(reader)
    assert tuple(reader.fieldnames or ()) == COLUMNS
    return rows


@pytest.fixture(scope="module")
def shipped() -> list[dict[str, str]]:
    return _read(path("digits"))


@pytest.mark.thorough
def test_the_script_makes_the_shipped_file(shipped: list[dict[str, str]], tmp_path: Path) -> None:
    write(tmp_path / "digits.csv")
    made = _read(tmp_path / "digits.csv")
    for column in ("example", "truth", "prediction"):
        assert [row[column] for row in made] == [row[column] for row in shipped]
    assert [float(row["score"]) for row in made] == pytest.approx([float(row["score"]) for row in shipped], abs=1e-4)


def test_examples_are_as_they_are_said_to_be(shipped: list[dict[str, str]]) -> None:
    # Counts.
    assert Counter((row["truth"], row["prediction"]) for row in shipped) == {
        ("eight", "eight"): 120,
        ("eight", "other"): 54,
        ("other", "eight"): 38,
        ("other", "other"): 1585,
    }
    # Examples are numbered and predictions follow the scores.
    assert [int(row["example"]) for row in shipped] == list(range(len(shipped)))
    for row in shipped:
        assert 0 <= float(row["score"]) <= 1
        assert row["prediction"] == ("eight" if float(row["score"]) > 0.5 else "other")


def test_an_unknown_example_is_named() -> None:
    with pytest.raises(InputError, match="'numerals': no such example; there is digits"):
        path("numerals")
