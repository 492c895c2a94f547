"""What three new users do first: each gets there with the README alone, in at most five commands."""

from __future__ import annotations

import csv
import json
import re
import shlex
import shutil
from pathlib import Path

import pytest
from effort import in_one_test, is_thorough, some
from test_latex import SIX, TEN, compiled

import symmetrics as sm
from symmetrics.cli import main

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
MOST = 5


class User:
    """Someone who types commands, and reads what they print."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self.capsys = capsys
        self.typed: list[str] = []

    def types(self, command: str) -> str:
        """Run a command whose verb the README shows, and return what it prints."""
        program, verb, *_ = words = shlex.split(command)
        assert program == "symmetrics"
        assert f"symmetrics {verb}" in README, "this user has read nothing but the README"
        self.typed.append(command)
        assert main(words[1:]) == 0
        output, errors = self.capsys.readouterr()
        assert errors == ""
        return output


@pytest.fixture
def user(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> User:
    monkeypatch.chdir(tmp_path)
    return User(capsys)


def test_a_researcher_goes_from_a_formula_to_a_table_in_an_article(user: User, tmp_path: Path) -> None:
    formula = "TP/(TP + 7*FN/10 + 3*FP/10)"
    assert "tversky" in user.types(f'symmetrics identify "{formula}"')
    assert user.types(f'symmetrics prove "{formula}" p2').startswith(
        "The formula does not depend on the true negatives."
    )
    if is_thorough():  # all properties of a formula take a second, and test_datasheet.py asks for them
        user.types(f'symmetrics datasheet "{formula}" -o mine.html')
        assert "<" in Path("mine.html").read_text(encoding="utf-8")
    metrics, properties = [*some(SIX[:5], 2), formula], some(TEN, 5)
    chosen = f'--metrics "{",".join(metrics)}" --properties {",".join(properties)}'
    user.types(f"symmetrics table {chosen} --format latex --compact -o table.tex")
    text = Path("table.tex").read_text(encoding="utf-8")
    rows = [line for line in text.split(r"\midrule")[1].splitlines() if line.endswith(r"\\")]
    assert len(rows) == len(metrics)
    assert all(row.count(" & ") == len(properties) for row in rows)
    assert len(user.typed) <= MOST
    if shutil.which("pdflatex"):
        compiled([text], tmp_path)


def test_a_data_scientist_goes_from_a_file_to_scores(user: User) -> None:
    with Path("predictions.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(("truth", "prediction"))
        writer.writerows([(1, 1)] * 7 + [(1, 0)] * 2 + [(0, 1)] * 3 + [(0, 0)] * 8)
    printed = user.types(
        "symmetrics score predictions.csv --truth truth --prediction prediction --metrics recall,precision"
    )
    found = dict(re.findall(r"^(\w+) +([\d.]+)$", printed, re.MULTILINE))
    assert found == {"recall": f"{7 / 9:.6f}", "precision": f"{7 / 10:.6f}"}
    assert len(user.typed) <= MOST


def test_a_teacher_asks_what_mcc_is_invariant_to(user: User) -> None:
    assert "p1  " in user.types("symmetrics find swap the labels")
    page = user.types("symmetrics show mcc")
    assert "- It stays the same when the two classes are exchanged." in page
    assert "Matthews" in page
    assert len(page.splitlines()) <= 60
    assert len(user.typed) <= MOST


def test_the_guides_show_the_objects_that_the_reference_shows() -> None:
    """Names that examples import from the package are public, and are the objects of the modules that define them."""
    guides = "\n".join(page.read_text(encoding="utf-8") for page in (ROOT / "docs").glob("*.md"))
    code = "\n".join(re.findall(r"^(?:>>>|\.\.\.) (.*)$", README + guides, re.MULTILINE))
    names = set(re.findall(r"\bsm\.([a-zA-Z_]\w*)", code))
    names |= {name.strip() for line in re.findall(r"from symmetrics import (.*)", code) for name in line.split(",")}
    assert len(names) > 15
    for name in names:
        assert name in sm.__all__, name
        value = getattr(sm, name)
        assert getattr(value, "__doc__", None), name
        assert name in dir(sm)


@in_one_test
@pytest.mark.parametrize(
    "module", [sm, *(getattr(sm, name) for name in sm._MODULES)], ids=lambda module: module.__name__
)
def test_what_is_listed_is_what_is_public_and_is_there(module: object) -> None:
    listed = set(dir(module)) - {"__version__"}
    assert listed == set(module.__all__)  # type: ignore[attr-defined]
    for name in listed:
        assert not name.startswith("_")
        assert getattr(module, name) is getattr(module, name)


# -- the command line and Python take the same values ------------------------------------------------------------------

SAME = ["mcc", "MCC", "Recall", "balanced accuracy", "F-beta", "TP/(TP + 2*FN)", "Max(TP/(TP + FN), TN/(TN + FP))"]


@pytest.mark.parametrize("metric", SAME)
def test_a_metric_is_named_in_one_way_everywhere(metric: str, capsys: pytest.CaptureFixture[str]) -> None:
    from symmetrics.library.selections import as_metric

    verdict = sm.prove(metric, "p2")
    key = as_metric(metric).name
    assert verdict.metric == key
    assert sm.table([metric], ["p2"]).rows[0][0] == key
    assert list(sm.find(metrics=[metric], p2=verdict.holds)) == [key]
    assert main(["find", f"p2={'yes' if verdict.holds else 'no'}", "--metrics", metric]) == 0
    assert capsys.readouterr().out.splitlines() == [key]
    assert main(["prove", metric, "p2", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["metric"] == key
    assert main(["table", "--metrics", metric, "--properties", "p2", "--format", "csv"]) == 0
    assert next(csv.reader(capsys.readouterr().out.splitlines()[1:]))[0] == key
    file = [
        "score",
        str(ROOT / "symmetrics/pages/examples/digits.csv"),
        "--truth",
        "truth",
        "--prediction",
        "prediction",
    ]
    assert main([*file, "--positive", "eight", "--metrics", metric, "--format", "csv"]) == 0
    value = float(list(csv.reader(capsys.readouterr().out.splitlines()))[-1][1])
    assert value == pytest.approx(as_metric(metric).from_counts(120, 54, 38, 1585), abs=1e-6)


def test_themes_and_all_are_chosen_in_one_way_everywhere(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["table", "--metrics", "verification,f1", "--properties", "p1", "--format", "csv"]) == 0
    assert capsys.readouterr().out == sm.table(["verification", "f1"], ["p1"]).to_csv()
    assert sm.table("verification", ["p1"]) == sm.table(["verification"], ["p1"])
    assert sm.table(["f1"], "all").properties == tuple(sm.properties)
    assert main(["find", "p1=yes", "--metrics", "verification"]) == 0
    assert capsys.readouterr().out.split() == list(sm.find(metrics="verification", p1="yes"))


@pytest.mark.parametrize(("metrics", "properties"), [("f1", None), (None, "p1")])
def test_one_name_alone_is_refused_with_the_way_out(metrics: str | None, properties: str | None) -> None:
    with pytest.raises(sm.SymmetricsError, match="pass a list, as in"):
        sm.table(metrics, properties)
