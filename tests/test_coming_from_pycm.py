"""What PyCM calls a statistic is here what the page says: the values are those of PyCM."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import symmetrics as sm

PAGE = (Path(__file__).resolve().parent.parent / "docs" / "coming_from_pycm.md").read_text(encoding="utf-8")
TABLES = [(40, 10, 20, 130), (7, 3, 11, 29), (101, 55, 13, 77)]
ROW = re.compile(r"`([^`|]+)` \| `(\w+)`")


def names(part: int) -> list[tuple[str, str]]:
    """Return PyCM's names and the keys here, of a table of the page."""
    tables = [block for block in PAGE.split("\n\n") if block.startswith("| PyCM")]
    return ROW.findall(tables[part])


@pytest.mark.parametrize("counts", TABLES)
def test_the_names_of_the_page_have_the_values_of_pycm(counts: tuple[int, int, int, int]) -> None:
    pycm = pytest.importorskip("pycm")
    tp, fn, fp, tn = counts
    matrix = pycm.ConfusionMatrix(matrix={1: {1: tp, 0: fn}, 0: {1: fp, 0: tn}})
    for statistic, key in names(0):
        assert sm.metrics[key].from_counts(*counts) == pytest.approx(matrix.class_stat[statistic][1], rel=1e-9)
    for statistic, key in names(1):
        assert sm.metrics[key].from_counts(*counts) == pytest.approx(matrix.overall_stat[statistic], rel=1e-9)
    recall, specificity = (sm.metrics[key].from_counts(*counts) for key in ("tpr", "tnr"))
    assert (1 + recall - specificity) * recall * specificity == pytest.approx(matrix.class_stat["IBA"][1], rel=1e-9)


def test_every_name_of_the_page_is_a_metric() -> None:
    listed = [*names(0), *names(1)]
    assert len(listed) == 70
    for _, key in listed:
        assert sm.metrics[key].name == key
