"""The command line: what it prints, and that bad input ends with status 2 and one line that says what to do."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from effort import in_one_test, is_thorough, some
from shared import sections_of
from sympy import Integer

import symmetrics.query.proving
from symmetrics.claims.property import Property, invariance
from symmetrics.claims.verdict import Verdict
from symmetrics.cli import main
from symmetrics.curves.measures import SCORE_MEASURES
from symmetrics.language.cells import NAMED, TN, TP
from symmetrics.library import metrics, properties
from symmetrics.library.selections import DOZEN, THEMES
from symmetrics.metric import Metric
from symmetrics.pages.tables import MANY, table
from symmetrics.query.proving import prove

ROOT = Path(__file__).resolve().parent.parent
Refused = Callable[..., str]
Ran = Callable[..., str]

# By hand: TP 3, FN 1, FP 2, TN 4.
PAIRS = [("1", "1")] * 3 + [("1", "0")] + [("0", "1")] * 2 + [("0", "0")] * 4
LABELS = "y,p\n" + "".join(f"{truth},{prediction}\n" for truth, prediction in PAIRS)
COLUMNS = ("--truth", "y", "--prediction", "p")


def contents(folder: Path) -> dict[Path, bytes | None]:
    return {path: path.read_bytes() if path.is_file() else None for path in sorted(folder.rglob("*"))}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Run in an empty folder, which holds one file of labels."""
    monkeypatch.chdir(tmp_path)
    Path("labels.csv").write_text(LABELS, encoding="utf-8")
    return tmp_path


@pytest.fixture
def ran(capsys: pytest.CaptureFixture[str]) -> Ran:
    """Return a function that runs a command which has to succeed, and returns what it prints."""

    def run(*arguments: str) -> str:
        status = main(arguments)
        output, errors = capsys.readouterr()
        assert (status, errors) == (0, "")
        return output

    return run


@pytest.fixture
def refused(capsys: pytest.CaptureFixture[str], folder: Path) -> Refused:
    """Return a function that runs a command which has to be refused in one line, and returns its message."""

    def run(*arguments: str) -> str:
        before = contents(folder)
        status = main(arguments)
        output, errors = capsys.readouterr()
        assert (status, output) == (2, "")
        assert one_line(errors)
        assert contents(folder) == before
        return errors.removeprefix("symmetrics: error: ").rstrip("\n")

    return run


def one_line(errors: str) -> bool:
    return (
        errors.startswith("symmetrics: error: ")
        and errors.endswith("\n")
        and len(errors.splitlines()) == 1
        and "Traceback" not in errors
        and len(errors) < 700
    )


def process(*arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run the command line as a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "symmetrics.cli", *arguments],
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
        **options,
    )


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT)}


# -- table -----------------------------------------------------------------------------------------------------------

SHOWN = ("precision", "mcc", "cwa", "weighted_accuracy")


class Cells(HTMLParser):
    """The texts of the cells of a table, row by row, with the classes that they have."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.classes: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
        if tag == "td":
            self.classes.append(dict(attrs)["class"] or "")
            assert dict(attrs)["title"]

    def handle_data(self, data: str) -> None:
        if data.strip() and self.rows:  # a caption stands before the rows
            self.rows[-1][-1] += data


def from_markdown(text: str) -> list[list[str]]:
    body, _, legend = text.partition("\n\n")
    assert ("`-` means that the metric is invariant" in legend) == ("p1" in body)
    lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in body.splitlines()]
    assert all(set(cell) == {"-"} for cell in lines[1])
    return [lines[0], *lines[2:]]


def from_latex(text: str) -> list[list[str]]:
    body = [line for line in text.splitlines() if line.endswith(r"\\")]
    assert text.startswith(r"\begin{tabular}")
    assert text.endswith("\\end{tabular}\n")
    rows = [[cell.strip() for cell in line.removesuffix(r"\\").split("&")] for line in body]
    assert all(cell[0] == cell[2] == "$" for row in rows[1:] for cell in row[1:])
    return [[re.sub(r"[$_{}]", "", cell.replace(r"\_", "~")).replace("~", "_") for cell in row] for row in rows]


def from_html(text: str) -> list[list[str]]:
    cells = Cells()
    cells.feed(text)
    return [[cell.replace("\u2212", "-") for cell in row] for row in cells.rows]


def from_csv(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text)))


def from_json(text: str) -> list[list[str]]:
    data = json.loads(text)
    assert list(data) == ["properties", "rows"]
    rows = [["metric", *data["properties"]]]
    for row in data["rows"]:
        assert list(row) == ["metric", "verdicts"]
        assert [verdict["property"] for verdict in row["verdicts"]] == data["properties"]
        assert {verdict["metric"] for verdict in row["verdicts"]} == {row["metric"]}
        rows.append([row["metric"], *map(sign, row["verdicts"])])
    return rows


def sign(verdict: dict[str, Any]) -> str:
    condition = f" ({verdict['condition']})" if verdict["condition"] else ""
    return {True: "-", False: "+", None: "?"}[verdict["holds"]] + condition


READERS = {"md": from_markdown, "csv": from_csv, "json": from_json, "latex": from_latex, "html": from_html}


@in_one_test
@pytest.mark.parametrize("name", READERS)
def test_every_format_says_the_same(name: str, ran: Ran) -> None:
    expected = [
        ["metric", "p1", "p2"],
        ["precision", "+", "-"],
        ["mcc", "-", "+"],
        ["cwa", "+ (w = 1/2)", "+ (w = 1)"],
        [
            "weighted_accuracy",
            "- ((w1 = 0 and w4 = 0) or (w1 = w4 and w2 = w3) or (w2 = 0 and w3 = 0))",
            "+ ((w2 = 0 and w3 = 0) or w4 = 0)",
        ],
    ]
    output = ran("table", "--metrics", ",".join(SHOWN), "--properties", "p1, p2", "--format", name)
    assert READERS[name](output) == expected


VALUED = "range,tn_limit,increasing_tn,homogeneous"
ATLAS = [
    ["metric", "range", "tn_limit", "increasing_tn", "homogeneous"],
    # By hand: TP/(FP + TP) has no TN; lift is TP*n/(P*OP), which grows without bounds as n does.
    ["precision", "yes: (0, 1), at zero cells 0 and 1", "yes: TP/(FP + TP)", "no", "yes"],
    ["lift", "no: (0, oo), at zero cells 0", "no: oo", "yes", "yes"],
    ["cwa", "yes: (0, 1), at zero cells 0 and 1", "yes: (-FN*w + FN + TP)/(FN + TP)", "yes (w != 1)", "yes"],
]


@pytest.mark.parametrize("name", sorted({*READERS} - {"json", "latex"}))
def test_other_properties_say_yes_or_no_and_what_was_found(name: str, ran: Ran) -> None:
    output = ran("table", "--metrics", "precision,lift,cwa", "--properties", VALUED, "--format", name)
    rows = READERS[name](output.replace("`", ""))
    assert [row[:2] for row in rows] == [row[:2] for row in ATLAS]
    assert rows == ATLAS


def test_latex_escapes_what_was_found(ran: Ran) -> None:
    output = ran("table", "--metrics", "f1", "--properties", "p2,scaling_space,increasing_tn", "--format", "latex")
    row = next(line for line in output.splitlines() if "f1" in line)
    assert [cell.strip() for cell in row.removesuffix(r"\\").split("&")] == [
        *("f1", "yes", r"yes: $\mathrm{span}$\{(1, 1, 1, 0), (0, 0, 0, 1)\}", "no")
    ]


@pytest.mark.parametrize("name", ["md", "latex", "html", "csv"])
def test_what_is_too_long_for_a_table_says_so(name: str) -> None:
    shown = table(["kappa"], ["defined"])
    value = shown.rows[0][1][0].value
    assert value is not None
    assert len(value) > 60
    text = {"md": shown.to_markdown, "latex": shown.to_latex, "html": shown.to_html, "csv": shown.to_csv}[name]()
    cells = re.sub(r'title="[^"]*"', "", text)
    assert (value in cells) == (name == "csv")
    assert ("..." in cells) == (name != "csv")
    # The tooltip has all of it.
    assert name != "html" or value in text


@pytest.mark.thorough
def test_all_stands_for_the_whole_library(ran: Ran, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = from_csv(ran("table", "--metrics", "f1", "--properties", "all", "--format", "csv"))
    assert rows[0] == ["metric", *properties]
    if not is_thorough():  # which metrics are asked about does not depend on the answers
        verdict = prove("f1", "p2")
        monkeypatch.setattr("symmetrics.pages.tables.prove", lambda *_, **__: verdict)
    rows = from_csv(ran("table", "--metrics", " all ", "--properties", "p2", "--format", "csv"))
    assert [row[0] for row in rows[1:]] == list(metrics)


@pytest.mark.thorough
def test_a_large_table_is_the_same_on_all_processors() -> None:
    names, keys = list(metrics)[:21], ["p1", "p2", "p3", "p4", "p5"] * 2
    assert len(names) * len(keys) > MANY
    assert table(names, keys, parallel=True) == table(names, keys)


def test_a_property_of_ones_own_has_a_column() -> None:
    mine = Property("no_errors", "M(TP, 1, 1, TN) = M(TP, FN, FP, TN)", invariance((TP, Integer(1), Integer(1), TN)))
    shown = table(["f1"] * 201, [mine], parallel=True)
    assert shown.rows[0][1][0].property == "no_errors"
    assert "| no " in shown.to_markdown()
    assert ">no_errors</th>" in shown.to_html()


def test_the_default_table_and_names_of_its_metrics(ran: Ran) -> None:
    # The default table is that of Garcia.
    rows = from_markdown(ran("table"))
    assert rows[0] == ["metric", "p1", "p2", "p3", "p4", "p5"]
    assert [row[0] for row in rows[1:]] == [
        *("tpr", "tnr", "precision", "accuracy", "gmean", "auc_single", "f1"),
        *("optimized_precision", "iba_gmean", "kappa", "agm", "cwa", "wauc"),
    ]
    assert all(len(row) == 6 and set("".join(cell[0] for cell in row[1:])) <= {"+", "-"} for row in rows[1:])
    # Aliases are shown by their keys.
    output = ran("table", "--metrics", "recall", "--properties", "null_invariance", "--format", "csv")
    assert from_csv(output) == [["metric", "p2"], ["tpr", "-"]]


@in_one_test
@pytest.mark.parametrize("name", READERS)
def test_a_file_holds_what_would_be_printed(name: str, ran: Ran) -> None:
    arguments = ("table", "--metrics", "cwa", "--format", name)
    printed = ran(*arguments)
    assert ran(*arguments, "-o", f"table.{name}") == f"wrote table.{name}\n"
    assert Path(f"table.{name}").read_bytes().decode() == printed
    Path("old").write_text("old " * 1000, encoding="utf-8")
    assert ran(*arguments, "--output", "old") == "wrote old\n"
    assert Path("old").read_text(encoding="utf-8") == printed


@pytest.mark.parametrize(("ending", "name"), [("md", "md"), ("CSV", "csv"), ("json", "json"), ("tex", "latex")])
def test_the_ending_of_a_file_is_the_format_of_its_table(ending: str, name: str, ran: Ran) -> None:
    ran("table", "--metrics", "cwa", "-o", f"table.{ending}")
    assert Path(f"table.{ending}").read_text(encoding="utf-8") == ran("table", "--metrics", "cwa", "--format", name)


def test_html_shows_verdicts_and_explains_them(ran: Ran) -> None:
    # HTML explains columns and rows.
    text = table(["f1"], ["range"]).to_html()
    assert f'title="{properties["range"].title}: ' in text
    assert 'title="M = 2*TP/(FN + FP + 2*TP)">f1</th>' in text
    assert "&lt;" in text
    # HTML cells carry status and evidence.
    cells = Cells()
    cells.feed(ran("table", "--metrics", "precision,cwa", "--properties", "p1,p2", "--format", "html"))
    assert cells.classes == ["refuted", "proved", "conditional", "conditional"]
    # A table in HTML is a page for browsers.
    ran("table", "--metrics", "cwa", "-o", "table.html")
    page = Path("table.html").read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>")
    assert '<meta charset="utf-8">' in page
    assert "prefers-color-scheme: dark" in page


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_is_written_to_and_a_link_is_followed(ran: Ran) -> None:
    os.mkfifo("pipe")
    reader = os.open("pipe", os.O_RDONLY | os.O_NONBLOCK)
    ran("table", "--metrics", "cwa", "-o", "pipe")
    assert os.read(reader, 10**6).decode() == ran("table", "--metrics", "cwa")
    os.close(reader)
    Path("target").write_text("old", encoding="utf-8")
    Path("link").symlink_to("target")
    ran("table", "--metrics", "cwa", "-o", "link")
    assert Path("link").is_symlink()
    assert Path("target").read_text(encoding="utf-8").startswith("| metric")


# -- prove -----------------------------------------------------------------------------------------------------------

KEYS = ["metric", "property", "status", "holds", "condition", "witness", "evidence", "value"]


@in_one_test
@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["precision", "p2"], ("precision", "p2", "proved", True, None)),
        (["precision", "p1"], ("precision", "p1", "refuted", False, None)),
        (["cwa", "p1"], ("cwa", "p1", "conditional", False, "w = 1/2")),
        (["recall", "null_invariance"], ("tpr", "p2", "proved", True, None)),
        (["cwa", "p1", "--param", "w = 1/2"], ("cwa(w=1/2)", "p1", "proved", True, None)),
        (["cwa", "p1", "--param", "w = 0.5"], ("cwa(w=1/2)", "p1", "proved", True, None)),
        (["f_beta", "p1", "--param", "beta=2"], ("f_beta(beta=2)", "p1", "refuted", False, None)),
        ([" TP/(TP+FN) ", "p2"], ("TP/(TP+FN)", "p2", "proved", True, None)),
        (["w*TN", "p2", "--param", "w in [0,1]"], ("w*TN", "p2", "conditional", None, "w = 0")),
        (["w*TN", "p2", "--param", "w in [0,1] = 0"], ("w*TN", "p2", "conditional", True, "w = 0")),
        (["w*TN", "p2", "--param", "w in (0,1]"], ("w*TN", "p2", "refuted", None, None)),
        (["v*w*TN", "p2", "--param", "w", "--param", "v"], ("v*w*TN", "p2", "conditional", None, "v = 0 or w = 0")),
        (["-TP/(TP+FN)", "p2"], ("-TP/(TP+FN)", "p2", "proved", True, None)),
        (["-(w*TP)", "p2", "--param", "w"], ("-(w*TP)", "p2", "proved", True, None)),
        (["-1", "p1"], ("-1", "p1", "proved", True, None)),
        (["TP**w", "p2", "--param", "w"], ("TP**w", "p2", "proved", True, None)),
    ],
    ids=str,
)
def test_json_of_a_verdict(arguments: list[str], expected: tuple[Any, ...], ran: Ran) -> None:
    verdict = json.loads(ran("prove", *arguments, "--format", "json"))
    assert list(verdict) == KEYS
    found = tuple(verdict[key] for key in KEYS[:5])
    assert found[:3] == expected[:3]
    if expected[2:4] != ("refuted", None):  # whether a refutation at no default is None or False is the prover's
        assert found == expected
    assert isinstance(verdict["evidence"], str)
    assert verdict["evidence"]
    assert (verdict["witness"] is None) == (verdict["status"] in ("proved", "open"))
    if verdict["witness"] is not None:
        check_witness(verdict["witness"])


def check_witness(witness: dict[str, Any]) -> None:
    assert list(witness) == ["tables", "values", "parameters"]
    assert len(witness["tables"]) == len(witness["values"]) == 2
    assert all(list(cells) == ["tp", "fn", "fp", "tn"] for cells in witness["tables"])
    assert all(isinstance(value, str) for value in [*witness["values"], *witness["parameters"].values()])
    assert witness["values"][0] != witness["values"][1]


@in_one_test
@pytest.mark.parametrize(
    ("metric", "key", "value"),
    [
        # By hand: F1 nears 0 and 1 and reaches neither at positive cells; lift is (TP/P)/(OP/n), 1 at independence.
        ("f1", "range", "(0, 1)"),
        ("kappa", "tn_limit", "2*TP/(FN + FP + 2*TP)"),
        ("lift", "independence_value", "1"),
        ("mcc", "independence_value", "0"),
        ("cwa", "independence_value", None),
        ("f1", "p2", None),
    ],
)
def test_a_value_has_a_line_of_its_own(metric: str, key: str, value: str | None, ran: Ran) -> None:
    lines = labelled(ran("prove", metric, key))
    assert lines.get("value") == value
    # The JSON form of a verdict stays as it is.
    assert list(json.loads(ran("prove", metric, key, "--format", "json"))) == KEYS


def labelled(text: str) -> dict[str, str]:
    """Return what follows each label, its lines joined; of several with one label the last."""
    lines: dict[str, str] = {}
    for line in text.splitlines():
        label, words = line[:10].strip(), line[10:].strip()
        if label:
            last = label
        lines[last] = words if label else f"{lines[last]} {words}"
    return lines


def test_a_verdict_in_words(ran: Ran) -> None:
    # The witness of the issue.
    witness = json.loads(ran("prove", "cwa", "p1", "--format", "json"))["witness"]
    assert witness["parameters"] == {"w": "3/4"}
    # By hand: 3/4 * 2/3 + 1/4 * 1/2 and 3/4 * 1/2 + 1/4 * 2/3.
    at = {tuple(cells.values()): value for cells, value in zip(witness["tables"], witness["values"], strict=True)}
    assert at == {(2, 1, 1, 1): "5/8", (1, 1, 1, 2): "13/24"}
    # A verdict in words.
    lines = ran("prove", "w*TP/(TP+FN) + (1-w)*TN/(TN+FP)", "p1", "--param", "w in [0,1] = 3/4").splitlines()
    sentence = lines[: lines.index("")]
    assert " ".join(sentence) == (
        "The formula stays the same when the two classes are exchanged if and only if w = 1/2; "
        "that is not so at the default w = 3/4."
    )
    lines = lines[len(sentence) + 1 :]
    assert lines[0] == "metric    M = TN*(1 - w)/(FP + TN) + TP*w/(FN + TP), w in [0, 1] = 3/4"
    assert lines[1] == "property  p1: invariance under the exchange of TP with TN and of FN with FP"
    assert lines[2] == "claim     M(TN, FP, FN, TP) = M(TP, FN, FP, TN)"
    assert lines[3] == "verdict   conditional: holds if and only if w = 1/2; it does not hold at the default w = 3/4"
    assert sorted(lines[4:6]) == [
        "fails at  M(TP=1, FN=1, FP=1, TN=2, w = 3/4) = 13/24",
        "fails at  M(TP=2, FN=1, FP=1, TN=1, w = 3/4) = 5/8",
    ]
    assert lines[6].startswith("evidence  ")
    assert all(line.startswith(" " * 10) for line in lines[7:])
    # Long evidence has a line for each part.
    lines = ran("prove", "cwa", "strongly_monotone").splitlines()
    assert all(len(line) <= 120 for line in lines[1:])
    starts = [line[10:].split(":")[0] for line in lines[lines.index(next(x for x in lines if x.startswith("evi"))) :]]
    assert [start for start in starts if start.endswith(("_tp", "_tn", "_fn", "_fp"))] == [
        *("increasing_tp", "increasing_tn", "decreasing_fn", "decreasing_fp")
    ]


@pytest.mark.sampled(1)
@pytest.mark.parametrize("metric", ["mcc", "agm", "relative_classifier_information", "goodman_kruskal_lambda"])
def test_words_and_json_agree(metric: str, ran: Ran) -> None:
    for key in some(properties, 10, metric):
        verdict = json.loads(ran("prove", metric, key, "--format", "json"))
        lines = labelled(ran("prove", metric, key))
        assert lines["verdict"] == verdict["status"]
        assert lines["evidence"] == verdict["evidence"]
        assert lines["metric"].startswith(f"{metric}: M = ")


CALLS = "only sqrt, Abs, Min, Max and log can be called"
PRODUCT = "*".join(f"(TP+{i}*FN+7*FP)**99" for i in range(60))


@in_one_test
@pytest.mark.parametrize(
    ("formula", "declared", "advice"),
    [
        ("2*precision*recall/(precision+recall)", ["precision", "recall"], "write PPV for precision, TPR for recall"),
        ("tp/(tp+fn)", ["tp", "fn"], "write TP for tp, FN for fn, without --param"),
        ("w + 1", ["w"], "write one such as TP/(TP + w*FN)"),
        ("TPR", ["TPR"], "write one such as TP/(TP + TPR*FN)"),
    ],
)
def test_a_formula_in_parameters_alone_is_refused(
    formula: str, declared: list[str], advice: str, refused: Refused
) -> None:
    options = [part for name in declared for part in ("--param", f"{name} in [0, 1]")]
    for asked in (["identify", formula], ["prove", formula, "p1"], ["datasheet", formula]):
        told = refused(*asked, *options)
        assert f"formula {formula!r}: it has parameters but no cell TP, FN, FP or TN" in told
        assert advice in told


def test_numbers_that_cannot_be_written_leave_a_verdict_open(ran: Ran) -> None:
    verdict = json.loads(ran("prove", PRODUCT, "p1", "--format", "json"))
    assert verdict["status"] == "open"
    assert "a number in it is too large to be computed with; give it smaller exponents" in verdict["evidence"]
    # A formula may name a rate for its cells and cells that cancel.
    assert '"status": "proved"' in ran("prove", "w*TPR", "p2", "--param", "w in [0, 1]", "--format", "json")
    assert '"status": "proved"' in ran("prove", "w*TP/TP", "p1", "--param", "w in [0, 1]", "--format", "json")


# -- score -----------------------------------------------------------------------------------------------------------

# By hand, for TP 3, FN 1, FP 2, TN 4: kappa (7/10 - 1/2)/(1/2), mcc 10/sqrt(600).
BY_HAND = {"accuracy": 0.7, "precision": 0.6, "tpr": 0.75, "tnr": 2 / 3, "f1": 2 / 3, "kappa": 0.4, "mcc": 1 / 6**0.5}
NAMES = ("--metrics", ",".join(BY_HAND))


def test_scores_in_every_format(ran: Ran) -> None:
    # Scores in text.
    lines = ran("score", "labels.csv", *COLUMNS, *NAMES).splitlines()
    assert lines[:3] == [
        "labels.csv: 10 examples, truth 'y', prediction 'p', positive '1' against '0'",
        "TP = 3, FN = 1, FP = 2, TN = 4",
        "",
    ]
    assert dict(line.split() for line in lines[3:]) == {name: f"{value:.6f}" for name, value in BY_HAND.items()}
    # Scores in CSV.
    rows = list(csv.DictReader(io.StringIO(ran("score", "labels.csv", *COLUMNS, *NAMES, "--format", "csv"))))
    assert [row["metric"] for row in rows] == list(BY_HAND)
    assert [float(row["value"]) for row in rows] == pytest.approx(list(BY_HAND.values()), abs=1e-15)
    assert {row["note"] for row in rows} == {""}
    # Scores in JSON.
    data = json.loads(ran("score", "labels.csv", *COLUMNS, *NAMES, "--format", "json"))
    assert list(data) == ["source", "positive", "counts", "scores"]
    assert (data["source"], data["positive"]) == ("labels.csv", "1")
    assert data["counts"] == {"tp": 3, "fn": 1, "fp": 2, "tn": 4}
    assert {row["metric"]: row["value"] for row in data["scores"]} == pytest.approx(BY_HAND, abs=1e-15)


# Scores 9, 5, 4, 4, 1 of + - + - -: 4.5 of the 6 pairs in order, the tied one half; the highest TPr - FPr is 1/2.
# Half of the positive ones are found at precision 1 and the other half at 2/4.
SCORED = "y,p,s\n1,1,9\n0,1,5\n1,0,4\n0,0,4\n0,0,1\n"
SCORES_BY_HAND = {"auc": 0.75, "average_precision": 0.75, "gini": 0.5, "kolmogorov_smirnov": 0.5}


def test_scores_under_all_thresholds(ran: Ran) -> None:
    Path("scored.csv").write_text(SCORED, encoding="utf-8")
    names = ",".join(["accuracy", *SCORES_BY_HAND])
    found = ran("score", "scored.csv", *COLUMNS, "--score", "s", "--metrics", names, "--format", "json")
    by_name = {row["metric"]: row["value"] for row in json.loads(found)["scores"]}
    assert by_name == pytest.approx({"accuracy": 3 / 5, **SCORES_BY_HAND}, abs=1e-15)
    names = "AUC,roc_auc,Average precision,Gini,KS"
    named = ran("score", "scored.csv", *COLUMNS, "--score", "s", "--metrics", names, "--format", "json")
    by_name = {row["metric"]: row["value"] for row in json.loads(named)["scores"]}
    assert by_name == pytest.approx(SCORES_BY_HAND, abs=1e-15)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("rows", "arguments", "fragment"),
    [
        ("1,1,9\n0,1,5\n", ("--metrics", "auc"), "auc is computed from scores; name their column with --score"),
        ("1,1,9\n0,1,x\n", ("--score", "s"), "line 3: 'x' in column 's' is not a finite number"),
        ("1,1,9\n0,1,nan\n", ("--score", "s"), "line 3: 'nan' in column 's' is not a finite number"),
        ("1,1,9\n0,1,-inf\n", ("--score", "s"), "line 3: '-inf' in column 's' is not a finite number"),
        ("1,1,9\n0,1,5\n", ("--score", "t"), "no column 't'"),
    ],
)
def test_bad_columns_of_scores(rows: str, arguments: tuple[str, ...], fragment: str, refused: Refused) -> None:
    Path("scored.csv").write_text(f"y,p,s\n{rows}", encoding="utf-8")
    assert fragment in refused("score", "scored.csv", *COLUMNS, *arguments)


@pytest.mark.parametrize(("label", "told"), [("1", "is '1'"), ("0", "is not '1'")])
def test_scores_of_one_class_have_no_area_and_say_why(label: str, told: str, ran: Ran) -> None:
    Path("scored.csv").write_text(f"y,p,s\n{label},1,9\n{label},0,5\n", encoding="utf-8")
    found = json.loads(ran("score", "scored.csv", *COLUMNS, "--score", "s", "--metrics", "auc", "--format", "json"))
    note = f"takes examples of both classes: every label in column 'y' {told}"
    assert found["scores"] == [{"metric": "auc", "value": None, "note": note}]


@pytest.mark.thorough
def test_the_whole_library_is_scored(ran: Ran) -> None:
    # All measures of a score are there with a column of scores.
    Path("scored.csv").write_text(SCORED, encoding="utf-8")
    data = json.loads(ran("score", "scored.csv", *COLUMNS, "--score", "s", "--format", "json"))
    assert [row["metric"] for row in data["scores"]] == [*DOZEN, *SCORE_MEASURES]
    data = json.loads(ran("score", "scored.csv", *COLUMNS, "--score", "s", "--format", "json", "--metrics", "all"))
    assert [row["metric"] for row in data["scores"]] == [*metrics, *SCORE_MEASURES]
    # The whole library is scored.
    data = json.loads(ran("score", "labels.csv", *COLUMNS, "--format", "json", "--metrics", "all"))
    assert [row["metric"] for row in data["scores"]] == list(metrics)
    assert all((row["value"] is None) == bool(row["note"]) for row in data["scores"])


def test_which_metrics_are_scored(ran: Ran) -> None:
    # A dozen is scored unless others are named.
    data = json.loads(ran("score", "labels.csv", *COLUMNS, "--format", "json"))
    assert [row["metric"] for row in data["scores"]] == list(DOZEN)
    assert len(DOZEN) == 12
    # A theme stands for its metrics.
    themes = ("association", "rates") if is_thorough() else ("verification", "rates")
    data = json.loads(
        ran("score", "labels.csv", *COLUMNS, "--format", "json", "--metrics", f"mcc,{','.join(themes)},tpr")
    )
    expected = ["mcc", *(metric.name for theme in themes for metric in THEMES[theme])]
    assert [row["metric"] for row in data["scores"]] == list(dict.fromkeys(expected))
    assert sorted(name for theme in THEMES.values() for name in (metric.name for metric in theme)) == list(metrics)
    assert not set(THEMES) & {name for metric in metrics.values() for name in (metric.name, *metric.aliases)}


def test_the_positive_class_and_the_others(ran: Ran) -> None:
    # The other class as positive.
    data = json.loads(ran("score", "labels.csv", *COLUMNS, "--positive", "0", "--format", "json"))
    assert data["counts"] == {"tp": 4, "fn": 2, "fp": 1, "tn": 3}
    # One class against the others.
    Path("three.csv").write_text("y,p\na,a\nb,a\nc,a\na,c\n", encoding="utf-8")
    lines = ran("score", "three.csv", *COLUMNS, "--positive", "a", "--metrics", "precision").splitlines()
    assert lines[0].endswith("positive 'a' against 'b' and 'c'")
    assert lines[1] == "TP = 1, FN = 1, FP = 2, TN = 0"
    assert lines[3].split() == ["precision", "0.333333"]
    # The few labels against which one stands are named. Whoever keeps a NA among the labels sees that it is counted
    # as one of them.
    Path("na.csv").write_text("y,p\n1,1\n0,NA\n1,0\n2,0\n", encoding="utf-8")
    asked = (*COLUMNS, "--positive", "1", "--metrics", "recall", "--missing", "keep")
    assert ran("score", "na.csv", *asked).splitlines()[0].endswith("positive '1' against '0', '2' and 'NA'")
    Path("na.csv").write_text("y,p\n1,1\n0,NA\n1,0\n2,3\n", encoding="utf-8")
    assert ran("score", "na.csv", *asked).splitlines()[0].endswith("positive '1' against the other 4 classes")


def test_what_has_no_value_says_why(ran: Ran) -> None:
    Path("none.csv").write_text("y,p\n1,0\n1,0\n0,0\n", encoding="utf-8")
    arguments = ("score", "none.csv", *COLUMNS, "--metrics", "precision,recall,mcc,discriminant_power")
    lines = ran(*arguments).splitlines()
    assert re.fullmatch(r"precision +undefined +no limit: FP \+ TP = 0", lines[3])
    assert lines[4].split() == ["recall", "0.000000"]
    assert lines[5].split() == ["mcc", "0.000000"]
    rows = list(csv.reader(io.StringIO(ran(*arguments, "--format", "csv"))))
    assert rows[:2] == [["metric", "value", "note"], ["precision", "", "no limit: FP + TP = 0"]]
    data = json.loads(ran(*arguments, "--format", "json"))
    assert data["scores"][0] == {"metric": "precision", "value": None, "note": "no limit: FP + TP = 0"}


@pytest.mark.parametrize(
    ("rows", "shown", "note"),
    [("1,1\n1,0\n0,0\n", "inf", "grows without bound: FP = 0"), ("1,0\n0,1\n", "-inf", "falls without bound: TN = 0")],
)
def test_infinite_values_say_in_which_direction(rows: str, shown: str, note: str, ran: Ran) -> None:
    Path("pole.csv").write_text("y,p\n" + rows, encoding="utf-8")
    line = ran("score", "pole.csv", *COLUMNS, "--metrics", "discriminant_power").splitlines()[-1]
    assert line.split()[:2] == ["discriminant_power", shown]
    assert note in line


class Input(io.StringIO):
    """Standard input, as a text stream over bytes."""

    @property
    def buffer(self) -> io.BytesIO:
        return io.BytesIO(self.getvalue().encode())


def test_standard_input(ran: Ran, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = ran("score", "labels.csv", *COLUMNS, *NAMES)
    monkeypatch.setattr(sys, "stdin", Input(LABELS))
    assert ran("score", "-", *COLUMNS, *NAMES) == expected.replace("labels.csv", "standard input")


@in_one_test
@pytest.mark.parametrize(
    ("content", "fragment"),
    [
        (b"y,q\n1,1\n", "bad.csv: no column 'p'; the header names 'y', 'q'"),
        (b"Y,P\n1,1\n", "bad.csv: no column 'y'; did you mean 'Y'?"),
        (b"", "bad.csv is empty; it needs a header row and a row per example"),
        (b" \n\n", "bad.csv is empty"),
        (b"y,p\n", "bad.csv has a header and no rows"),
        (b"y,p\n1,1\n0,NA\n", "line 3: column 'p' has 'NA', a missing label; fill it in; to leave such examples out"),
        (
            b"y,p\n1,1\n0,na\n",
            "column 'p' has 'na', a missing label; fill it in; to leave such examples out, pass --missing drop",
        ),
        (b"y,p\nham,ham\nspam,ham\n", "pass --positive ham or --positive spam"),
        (b"y,p\n1\n", "bad.csv, line 2: 1 field where the header has 2"),
        (b"y,p\n1,\n", "bad.csv, line 2: column 'p' is empty"),
        (b'y,p\n1,"1\n', "check the quotes of this row"),
        (b"\x89PNG\r\n\x1a\n\x00\xff" * 50, "not UTF-8 text; save the file as CSV in UTF-8"),
        (b"PAR1" + b"\0" * 50, "bad.csv is a Parquet file; 'symmetrics score' reads one whose name ends in .parquet"),
        (b"\0" * 50, "no column 'y'"),
    ],
    ids=repr,
)
def test_bad_files(content: bytes, fragment: str, refused: Refused) -> None:
    Path("bad.csv").write_bytes(content)
    assert fragment in refused("score", "bad.csv", *COLUMNS)


# -- build and check -------------------------------------------------------------------------------------------------


def certificates(*questions: tuple[str, str]) -> str:
    return json.dumps([prove(metric, key).certificate() for metric, key in questions])


def test_certificates_are_counted_by_file_and_by_metric(ran: Ran) -> None:
    # Certificates are counted.
    Path("deep/er").mkdir(parents=True)
    Path("deep/er/a.json").write_text(certificates(("mcc", "p1"), ("cwa", "p1")), encoding="utf-8")
    Path("b.json").write_text(prove("precision", "p1").to_json(), encoding="utf-8")
    expected = "3 verdicts re-verified: 1 proved, 1 refuted, 1 conditional, 0 open\n"
    assert ran("check", "deep", "b.json") == expected
    # A metric stands for its certificates.
    folder = Path(__file__).parent.parent / "proofs" / "certificates"
    expected = ran("check", str(folder / "tpr.json"), str(folder / "error_rate_of_3_classes.json"))
    assert ran("check", "recall", "error_rate of 3 classes") == expected
    Path("mcc").write_text(certificates(("precision", "p1")), encoding="utf-8")  # a file of that name comes first
    assert ran("check", "mcc").startswith("1 verdict re-verified")
    assert ran("check", "mcc", "mcc", "error_rate_of_3_classes").startswith("22 verdicts re-verified")
    # Check says which verdicts the README does not count and what open ones say.
    assert "note" not in ran("check", "tpr")
    assert "note" not in ran("check", "error_rate of 3 classes")
    assert ran("check", "tpr", "error_rate of 3 classes").splitlines()[1:] == [
        "note: 20 verdicts, 0 of them open, about metrics of many classes, which the README does not count"
    ]
    folder = Path(__file__).parent.parent / "proofs" / "certificates"
    recorded = json.loads((folder / "weighted_accuracy.json").read_text(encoding="utf-8"))
    Path("open.json").write_text(json.dumps([one for one in recorded if one["status"] == "open"]), encoding="utf-8")
    assert ran("check", "open.json").splitlines() == [
        "1 verdict re-verified: 0 proved, 0 refuted, 0 conditional, 1 open",
        "note: an open verdict decides nothing in general; only what it says at the defaults is verified",
    ]


def tampered(**changes: object) -> str:
    return json.dumps([prove("precision", "p2").certificate() | changes])


@in_one_test
@pytest.mark.parametrize(
    ("content", "fragment"),
    [
        ("", "is not a file of certificates"),
        ("not json", "is not a file of certificates"),
        ("[" * 100_000, "is not a file of certificates"),
        ("[]", "holds no certificates; name files that 'symmetrics build' wrote"),
        ("{}", "holds no certificates"),
        ("null", "holds no certificates"),
        ("3", "entry 1"),
        ("[[]]", "entry 1"),
        ('[{"metric": "mcc"}]', "entry 1"),
        (certificates(("mcc", "p1"))[:-2], "is not a file of certificates"),
        (tampered(status="refuted"), "p2 of precision"),
        (tampered(status=None), "p2 of precision"),
        (tampered(metric="mcc"), "p2 of mcc: the certificate proves another statement"),
        (tampered(metric=[]), "p2 of []"),
        (tampered(property="p1"), "p1 of precision: the certificate proves another statement"),
        (tampered(property="p99"), "p99 of precision: there is no property of that name"),
        (tampered(property=["p2"]), "['p2'] of precision"),
        (tampered(claim=None), "p2 of precision"),
        (tampered(certificate={}), "p2 of precision"),
        (tampered(certificate={"kind": "witness"}), "p2 of precision"),
        (tampered(witness={"tables": 3}), "p2 of precision"),
        (tampered(claim={**prove("precision", "p2").claim.to_dict(), "subject": "2**(TP**40)"}), "p2 of precision"),
        (tampered(claim={**prove("precision", "p2").claim.to_dict(), "subject": "open('pwned', 'w')"}), CALLS),
    ],
    ids=lambda value: value[:30],
)
def test_corrupted_certificates(content: str, fragment: str, refused: Refused) -> None:
    Path("corrupted.json").write_text(content, encoding="utf-8")
    message = refused("check", "corrupted.json")
    assert message.startswith("corrupted.json")
    assert fragment in message


PROJECT = '[project]\nname = "{}"\n'


@pytest.mark.parametrize(
    ("project", "readme", "fragment"),
    [
        (None, None, "is not the root of the symmetrics repository: pyproject.toml cannot be read"),
        (PROJECT.format("symmetrics"), None, "README.md cannot be read"),
        (None, "x", "pyproject.toml cannot be read"),
        (PROJECT.format("other"), "x", "is the root of another project than symmetrics"),
        ("project = 3", "x", "is the root of another project than symmetrics"),
        ("", "x", "is the root of another project than symmetrics"),
        ("[project", "x", "is not the root of the symmetrics repository"),
        (PROJECT.format("symmetrics"), b"\xff\xfe", "is not the root of the symmetrics repository"),
    ],
    ids=str,
)
def test_build_outside_the_repository(
    project: str | None, readme: str | bytes | None, fragment: str, refused: Refused
) -> None:
    for name, content in (("pyproject.toml", project), ("README.md", readme)):
        if content is not None:
            Path(name).write_bytes(content if isinstance(content, bytes) else content.encode())
    assert fragment in refused("build")
    assert fragment in refused("build", "--root", ".")


@pytest.mark.parametrize("root", ["missing", "labels.csv", "", "a\0b"])
def test_build_in_no_folder(root: str, refused: Refused) -> None:
    assert "is not the root of the symmetrics repository" in refused("build", "--root", root)


# -- the command as a whole ------------------------------------------------------------------------------------------


@in_one_test
@pytest.mark.parametrize("command", ["", "table", "prove", "score", "build", "check"])
def test_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([*command.split(), "--help"])
    output, errors = capsys.readouterr()
    assert (ended.value.code, errors) == (0, "")
    assert output.startswith(f"usage: symmetrics {command}".rstrip())
    paragraphs = output.split("\n\n")
    assert paragraphs[1].endswith(".")
    assert all(len(line) <= 100 for line in output.splitlines())


REFUSED = [
    (shlex.split(command), fragment) for rows in sections_of("refusals.txt").values() for command, fragment in rows
]
WEIGHTED = ("TP/(TP+w*FN)", "p1", "--param")
UNWRITTEN: list[tuple[list[str], str]] = [
    (["table", "-o", "x" * 300], "cannot write xxx"),
    (["table", "-o", "a\0b"], "cannot write"),
    (["prove", "(" * 1000 + "TP" + ")" * 1000, "p1"], "nested too deeply"),
    (["prove", "0" + "-" * 3000 + "TP", "p1"], "nested too deeply"),
    (["prove", "TP\n\nFN", "p1"], "not a complete formula"),
    (["prove", *WEIGHTED, "w = " + "9" * 5000], "at most 1300 are read"),
    (["prove", *WEIGHTED, "w = " + "9" * 1200], "a constant in it is too large"),
    (["score", "a\0b", *COLUMNS], "cannot be read"),
    (["check", "binary"], "binary is not a file of certificates"),
    (["\n"], "invalid choice"),
]
"""Command lines that no line of a file holds, or that are too long for one."""


@in_one_test
@pytest.mark.sampled(60)
@pytest.mark.parametrize(("arguments", "fragment"), [*REFUSED, *UNWRITTEN])
def test_what_is_refused_is_said_in_one_line(arguments: list[str], fragment: str, refused: Refused) -> None:
    Path("binary").write_bytes(bytes(range(256)) * 10)
    assert fragment in refused(*arguments)


FORMULA_TAKERS = ("table", "prove", "identify", "mend", "adversary", "explain", "datasheet", "code", "plan")


@in_one_test
@pytest.mark.parametrize("command", FORMULA_TAKERS)
def test_the_help_of_what_takes_formulas_tells_the_names_in_them(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main([command, "--help"])
    told = " ".join(capsys.readouterr().out.split())
    assert f"A formula is written in TP, FN, FP, TN; it may also hold {', '.join(NAMED)}, numbers" in told


def test_help_and_version(capsys: pytest.CaptureFixture[str]) -> None:
    # The help of compare tells what is probable.
    with pytest.raises(SystemExit):
        main(["compare", "--help"])
    assert "the probability that the second has the greater value" in " ".join(capsys.readouterr().out.split())
    # Version.
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert ended.value.code == 0
    assert re.fullmatch(r"symmetrics \d+\.\d+\.\d+\n", capsys.readouterr().out)


def test_an_interruption_and_a_closed_output(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    # A closed standard output.
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", None)
        assert main(["prove", "mcc", "p1"]) == 2
    assert one_line(capsys.readouterr().err)

    # An interruption.
    def interrupted(*_: object, **__: object) -> Verdict:
        raise KeyboardInterrupt

    before = contents(folder)
    monkeypatch.setattr(symmetrics.query.proving, "prove", interrupted)
    assert main(["prove", "mcc", "p1"]) == 130
    assert capsys.readouterr() == ("", "symmetrics: interrupted; no file is half-written\n")
    assert contents(folder) == before


def test_a_process_prints_what_main_prints(ran: Ran) -> None:
    run = process("table", "--metrics", "mcc,cwa", "--format", "csv")
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout == ran("table", "--metrics", "mcc,cwa", "--format", "csv")
    assert table(["mcc", "cwa"]).to_csv() == run.stdout


@pytest.mark.thorough
def test_a_process_is_refused_and_reads_standard_input(folder: Path, ran: Ran) -> None:
    # A process that is refused.
    run = process("prove", "__import__('pathlib').Path('pwned').touch()", "p1")
    assert (run.returncode, run.stdout) == (2, "")
    assert one_line(run.stderr)
    assert sorted(folder.iterdir()) == [folder / "labels.csv"]
    # A process reads standard input.
    run = process("score", "-", *COLUMNS, *NAMES, input=LABELS)
    assert run.stdout == ran("score", "labels.csv", *COLUMNS, *NAMES).replace("labels.csv", "standard input")
    run = process("score", "-", *COLUMNS, input="")
    assert run.returncode == 2
    assert one_line(run.stderr)


def test_an_output_of_few_characters_shows_the_others_by_their_numbers() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "symmetrics.cli", "table", "--help"],
        env=environment() | {"PYTHONIOENCODING": "ascii"},
        capture_output=True,
        check=False,
    )
    assert (run.returncode, run.stderr) == (0, b"")
    assert b"Garc\\xeda" in run.stdout


@pytest.fixture
def piped() -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen(
        [sys.executable, "-m", "symmetrics.cli", "table", "--format", "json"],
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as running:
        yield running


@pytest.mark.thorough
def test_a_broken_pipe_is_no_error(piped: subprocess.Popen[bytes]) -> None:
    assert piped.stdout is not None
    assert piped.stderr is not None
    piped.stdout.close()
    assert piped.stderr.read() == b""
    assert piped.wait(timeout=60) == 0


@pytest.mark.sampled(1)
@pytest.mark.skipif(os.name != "posix", reason="needs a shell")
@pytest.mark.parametrize("command", ["table --format json", "table --help", "--version"])
def test_head_takes_one_line(command: str) -> None:
    script = f"set -o pipefail; '{sys.executable}' -m symmetrics.cli {command} | head -1"
    run = subprocess.run(["bash", "-c", script], env=environment(), capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (0, "")
    assert len(run.stdout.splitlines()) == 1


@pytest.mark.thorough
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk() -> None:
    with Path("/dev/full").open("w") as full:
        run = subprocess.run(
            [sys.executable, "-m", "symmetrics.cli", "prove", "mcc", "p1"],
            env=environment(),
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert run.returncode == 2
    assert one_line(run.stderr)


@pytest.mark.thorough
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_an_interrupted_process() -> None:
    os.mkfifo("pipe.csv")
    with subprocess.Popen(
        [sys.executable, "-m", "symmetrics.cli", "score", "pipe.csv", *COLUMNS],
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # Under a shell that runs things in the background an interruption would be ignored.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as running:
        writer = os.open("pipe.csv", os.O_WRONLY)  # returns when the process has opened it too
        running.send_signal(signal.SIGINT)
        output, errors = running.communicate(timeout=60)
        os.close(writer)
    assert running.returncode == 130
    assert (output, errors) == ("", "symmetrics: interrupted; no file is half-written\n")


def test_a_table_declares_parameters_where_a_command_takes_them(capsys: pytest.CaptureFixture[str]) -> None:
    # A command without parameters does not advise to declare one.
    assert main(["find", "p1=yes", "--metrics", "TP/(TP+weight*FN)"]) == 2
    told = capsys.readouterr().err
    assert "unknown name 'weight': this command takes formulas without parameters; write a number instead" in told
    assert "--param" not in told
    # A table declares parameters of formulas and sets those of metrics.
    formula = "w*TP/(TP+FN) + (1-w)*TN/(TN+FP)"
    asked = ["table", "--metrics", f"{formula},f1,f_beta", "--properties", "p1,p2", "--format", "json"]
    assert main([*asked, "--param", "w in [0,1] = 3/4", "--param", "beta = 2"]) == 0
    found = json.loads(capsys.readouterr().out)
    mine = Metric(formula, formula, parameters="w in [0, 1] = 3/4")
    assert found == json.loads(table([mine, "f1", metrics.f_beta.at(beta=2)], ["p1", "p2"]).to_json())
    for options, told in (
        (["--metrics", "f1", "--param", "w = 1"], "--param w: none of the metrics has such a parameter; leave it out"),
        (["--param", "w = 1"], "--param is for the metrics that --metrics lists; add --metrics"),
        (["--multiclass", "--param", "w = 1"], "--param is for tables of metrics of two classes"),
        (["--metrics", formula], 'a parameter is declared with --param "w in [0, 1]"'),
    ):
        assert main(["table", *options]) == 2
        assert told in capsys.readouterr().err


def test_advice_fits_what_is_wrong_with_columns(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    # Advice fits what is wrong in a file.
    (tmp_path / "case.csv").write_text("y,p\nyes,Yes\nno,no\n", encoding="utf-8")
    (tmp_path / "comma.csv").write_text("y;p;s\n1;1;0,9\n0;0;0,2\n", encoding="utf-8")
    named = ("--truth", "y", "--prediction", "p", "--metrics", "f1")
    for name, options, told in (
        ("case.csv", (), "'Yes' and 'yes' differ in capitals alone: write them alike, or pass --positive"),
        ("comma.csv", ("--weight", "s"), "write them as 0.25, with a point, or leave their rows out, as with --where"),
        (
            "comma.csv",
            ("--score", "s", "--where", "true", "--metrics", "f1,auc"),
            'as with AND isfinite(TRY_CAST("s" AS DOUBLE))',
        ),
        ("comma.csv", ("--where", "y = a"), "texts in single quotes, as in site = 'a'"),
    ):
        assert main(["score", str(tmp_path / name), *named, *options]) == 2
        assert told in capsys.readouterr().err
    assert main(["compare"]) == 2
    assert "required: A.csv, --truth, --prediction;" in capsys.readouterr().err
    # Scores of which nothing would be computed are refused.
    (tmp_path / "some.csv").write_text("y,p,s\n1,1,0.9\n0,0,0.2\n", encoding="utf-8")
    asked = ["score", str(tmp_path / "some.csv"), "--truth", "y", "--prediction", "p", "--score", "s", "--metrics"]
    assert main([*asked, "f1,mcc"]) == 2
    assert "no measure of scores is asked for; add one to --metrics, such as auc" in capsys.readouterr().err
    assert main([*asked, "f1,auc"]) == 0
