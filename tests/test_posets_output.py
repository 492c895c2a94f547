"""Orders are read from files, and shown as text, as a drawing and as a table of ranks."""

from __future__ import annotations

import csv
import io
import itertools
import json
import sys
from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt
import networkx as nx
import pytest
from effort import examples
from hypothesis import given, settings
from shared import refusal

from symmetrics.cli import main
from symmetrics.library.properties.implications import IMPLICATIONS
from symmetrics.pages.plots.heat_maps import implications
from symmetrics.posets import average_ranks, draw_hasse, hasse_text, poset, rank_report, read_order
from symmetrics.posets.diagram import BAND, crossings, layered
from symmetrics.tools.errors import UnknownNameError
from tests.test_posets import FIGURE, FORK, dominance, orders

mpl.use("Agg")


# -- files -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("c,a\nc,b\n", FORK),
        ("below,above\nc,a\nc,b\n", FORK),
        ("Above;Below\r\na;c\r\nb;c\r\n", FORK),
        ("\ufefffrom\tto\nc\ta\n\nc\tb", FORK),
        (" c , a \n\n'c',b\n", [("c", "a"), ("'c'", "b")]),
        ('"c, the first",a\n', [("c, the first", "a")]),
        ("less,less\n", None),
        ("a,b\nb,c\n", [("a", "b"), ("b", "c")]),
        ("low,high\n", None),
    ],
)
def test_pairs_are_read(tmp_path: Path, text: str, pairs: list[tuple[str, str]] | None) -> None:
    file = tmp_path / "order.csv"
    file.write_text(text, encoding="utf-8", newline="")
    if pairs is None:
        assert str(file) in refusal(lambda: read_order(file))
    else:
        assert read_order(file) == pairs
        assert poset(read_order(str(file))).reduction


def test_header_can_be_stated(tmp_path: Path) -> None:
    file = tmp_path / "order.csv"
    file.write_text("low,high\nx,y\n")
    assert read_order(file) == read_order(file, header=True) == [("x", "y")]
    assert read_order(file, header=False) == [("low", "high"), ("x", "y")]
    file.write_text("high,low\nlow,x\n")
    assert "may be a header or a pair" in refusal(lambda: read_order(file))
    assert read_order(file, header=True) == [("x", "low")]
    assert read_order(file, header=False) == [("high", "low"), ("low", "x")]
    for names in ("less_relevant,more_relevant", "class,more relevant", "Lower class,Upper class"):
        file.write_text(f"{names}\nx,y\n")
        assert read_order(file) == [("x", "y")]
    file.write_text("more relevant,class\nx,y\n")
    assert read_order(file) == [("y", "x")]
    file.write_text("a;b,c\n")
    assert "two separators fit" in refusal(lambda: read_order(file))
    file.write_text("worse,better\nx,y\n")
    assert read_order(file, header=True) == [("x", "y")]


def ranked(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["rank", *arguments]) == 0
    return capsys.readouterr().out


def test_options_of_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "order.csv"
    long = "x" * 90
    file.write_text(f"low,high\nc,a\nc,{long}\n")
    assert "4 classes" in ranked(capsys, str(file), "--classes", f"a,{long},c,d")
    assert "5 classes" in ranked(capsys, str(file), "--no-header")
    assert [row["class"] for row in json.loads(ranked(capsys, str(file), "--format", "json"))["classes"]][1] == long
    assert f"{long}," in ranked(capsys, str(file), "--format", "csv")
    first, again, other = (
        ranked(capsys, str(file), "--method", "mcmc", "--seed", seed, "--format", "csv") for seed in ("1", "1", "2")
    )
    assert first == again != other
    assert "level  class" in ranked(capsys, str(file), "--diagram")
    refused = (["--classes", "a,,c"], ["--method", "exact", "--max-ideals", "1"], ["--diagram", "--format", "csv"])
    for arguments in refused:
        assert main(["rank", str(file), *arguments]) == 2
        assert capsys.readouterr().err.startswith("symmetrics: error: ")


@pytest.mark.parametrize(
    ("content", "parts"),
    [
        (b"a,b\n\nb,c,d\n", ["line 3", "3 columns"]),
        (b"a,b\nb\n", ["line 2", "1 column"]),
        (b"a b\n", ["line 1", "1 column"]),
        (b"a,b\n,c\n", ["line 2", "without a name"]),
        (b"a,b\nc,c\n", ["line 2", "(c, c)", "itself"]),
        (b"a,b\nc,d\na , b\n", ["line 3", "(a, b)", "line 1"]),
        (b'a,b\n"c,d\n', ["line 2"]),
        (b"a,b\n\xff,c\n", ["line 2", "UTF-8"]),
        (b" \n", ["is empty"]),
        (b"below,above\n", ["no pair"]),
    ],
)
def test_errors_name_the_file_and_the_line(tmp_path: Path, content: bytes, parts: list[str]) -> None:
    file = tmp_path / "order.csv"
    file.write_bytes(content)
    message = refusal(lambda: read_order(file))
    assert all(part in message for part in [*parts, "order.csv"]), message


def test_missing_files_and_standard_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "no such file" in refusal(lambda: read_order(tmp_path / "none.csv"))
    assert "directory" in refusal(lambda: read_order(tmp_path))
    assert "cannot be read" in refusal(lambda: read_order("\0"))
    monkeypatch.setattr("sys.stdin", io.StringIO("c,a\nc,b\n"))
    assert read_order("-") == FORK
    monkeypatch.setattr("sys.stdin", None)
    assert "standard input" in refusal(lambda: read_order("-"))


# -- diagrams ----------------------------------------------------------------------------------------------------------


def test_text_of_the_figure() -> None:
    assert hasse_text(poset(FIGURE)).splitlines() == [
        "level  class  covers",
        "    4  D      E, B",
        "    3  E      A",
        "    2  A      C",
        "       F      G",
        "    1  C",
        "       B",
        "       G",
    ]


@settings(max_examples=examples(40))
@given(orders(max_size=9))
def test_text_and_layout_show_every_cover(graph: object) -> None:
    order = poset(graph)  # type: ignore[arg-type]
    rows = [line[7:].split(maxsplit=1) for line in hasse_text(order).splitlines()[1:]]
    listed = {(lower, row[0]) for row in rows if len(row) > 1 for lower in row[1].split(", ")}
    assert listed == {(str(lower), str(upper)) for lower, upper in order.reduction}
    layout = layered(order.closure, [4.0] * len(order))
    assert [y for _, y in layout.places] == list(map(float, order.closure.heights))
    for (lower, upper), line in zip(order.closure.covers, layout.lines, strict=True):
        assert (line[0], line[-1]) == (layout.places[lower], layout.places[upper])
        assert all(first[1] < second[1] for first, second in itertools.pairwise(line))
    for (x, y), (other, level) in itertools.combinations(layout.places, 2):
        assert y != level or abs(x - other) >= 4 - 1e-9
    for line in layout.lines:  # what passes a name keeps off it
        for (x, y), (_, top) in itertools.pairwise(line):
            for place, level in layout.places:
                if y == level - BAND and top == level + BAND and place != x:
                    assert abs(place - x) >= 2.5 - 1e-9


def test_layout_of_a_planar_order_has_no_crossings() -> None:
    """A tree whose classes come shuffled can be drawn without crossings."""
    tree = [(child, (child - 1) // 2) for child in range(1, 15)]
    order = poset(tree, classes=[(7 * k) % 15 for k in range(15)])
    layout = layered(order.closure, [3.0] * 15)
    sequence: list[list[int]] = [[] for _ in range(layout.height)]
    for node in sorted(range(15), key=lambda node: layout.places[node]):
        sequence[order.closure.heights[node]].append(node)
    upper: list[list[int]] = [[] for _ in range(15)]
    for a, b in order.closure.covers:
        upper[a].append(b)
    assert crossings(sequence, upper) == 0


def test_parts_without_a_line_between_them_stand_side_by_side() -> None:
    """Each part settles by itself, which would leave an empty strip in the diagram of what implies what."""
    graph = nx.Graph(
        (each.premises[0], each.conclusion) for each in IMPLICATIONS if len(each.premises) == 1 and each.holds
    )
    drawn = implications()
    ends = {text.get_text(): (text.get_position()[0], len(text.get_text()) / 2 + 1) for text in drawn.texts}
    plt.close("all")
    spans = sorted(
        (min(x - half for x, half in part), max(x + half for x, half in part))
        for part in ([ends[name] for name in names] for names in nx.connected_components(graph))
    )
    assert len(spans) > 1
    for (_, right), (left, _) in itertools.pairwise(spans):
        assert left - right <= 1e-9


@pytest.mark.parametrize("own_axes", [False, True])
def test_names_do_not_overlap(own_axes: bool) -> None:
    order = poset([(f"class {a}", f"class {b}") for a, b in dominance(20, 3, 1)])
    axes = plt.subplots(figsize=(6, 4))[1] if own_axes else None
    drawn = draw_hasse(order, axes)
    try:
        assert drawn is axes or axes is None
        figure = drawn.get_figure()
        assert figure is not None
        figure.canvas.draw()
        boxes = {text.get_text(): text.get_bbox_patch().get_window_extent() for text in drawn.texts}
        assert set(boxes) == set(order)
        assert not any(first.overlaps(second) for first, second in itertools.combinations(boxes.values(), 2))
        assert all(boxes[upper].y0 > boxes[lower].y1 for lower, upper in order.reduction)
        assert len(drawn.lines) == len(order.reduction)
    finally:
        plt.close("all")


def test_names_on_axes_that_are_just_wide_enough_have_space_between_them() -> None:
    for width in (4.0, 4.3, 4.6, 5.0):
        axes = plt.subplots(figsize=(width, 2))[1]
        try:
            texts = draw_hasse(poset([], classes=["no_imbalance_bias", "homogeneous", "monotone"]), axes).texts
            axes.figure.canvas.draw()
            boxes = sorted((text.get_bbox_patch().get_window_extent() for text in texts), key=lambda box: box.x0)
            size = texts[0].get_fontsize() * axes.figure.dpi / 72
            assert all(second.x0 - first.x1 > size / 2 for first, second in itertools.pairwise(boxes)), width
        finally:
            plt.close("all")


def test_axes_too_small_for_the_names_are_refused() -> None:
    axes = plt.subplots(figsize=(1, 1))[1]
    try:
        assert "do not fit" in refusal(lambda: draw_hasse(poset([], classes=[f"class {k}" for k in range(12)]), axes))
    finally:
        plt.close("all")


def test_drawing_without_matplotlib_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    assert "symmetrics[plot]" in refusal(lambda: draw_hasse(poset(FORK)))


# -- tables ------------------------------------------------------------------------------------------------------------


def test_report_lists_the_most_relevant_first() -> None:
    report = rank_report(FIGURE)
    assert report.to_text().splitlines()[0] == "7 classes, averaged ranks by midpoint; the most relevant first"
    ranks = average_ranks(FIGURE)
    assert {row.name: row.rank for row in report.rows} == ranks
    assert [row.rank for row in report.rows] == sorted(ranks.values(), reverse=True)
    assert [row.name for row in report.rows] == ["D", "E", "F", "A", "B", "G", "C"]
    assert report.rows[0].relevance == 1
    assert report.rows[1].relevance == 4.5 / 6


def test_report_of_each_method_and_format() -> None:
    exact = rank_report(FORK, "exact", classes=["a", "b", "c", "d"])
    rows = list(csv.DictReader(io.StringIO(exact.to_csv())))
    assert rows[0] == {"class": "a", "rank": "3.125", "relevance": "1.0", "exact": "25/8"}
    assert [row["class"] for row in rows] == ["a", "b", "d", "c"]
    walked = json.loads(rank_report(FORK, "mcmc", classes=["a", "b", "c", "d"], seed=5).to_format("json"))
    assert walked["method"] == "mcmc"
    assert walked["seed"] == 5
    for row, other in zip(
        sorted(walked["classes"], key=lambda row: row["class"]), (3.125, 3.125, 1.25, 2.5), strict=True
    ):
        assert abs(row["rank"] - other) < 5 * row["standard_error"]
        assert row["effective_sample_size"] > 100
        assert row["exact"] is None
    text = rank_report(FORK, "mcmc").to_text()
    assert "standard error" in text
    assert "effective sample size" in text
    assert "seed 0" in text
    assert "unknown format" in refusal(lambda: exact.to_format("xml"))
    with pytest.raises(UnknownNameError, match="unknown method"):
        rank_report(FORK, "median")
