"""The shipped example is what its script makes, and what its README says it is."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

import pytest

from symmetrics.pages.examples import path
from symmetrics.pages.examples.make_digits import COLUMNS, write
from symmetrics.tools.errors import InputError


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
