"""Benchmarks keep their results with the machine and the date, and the coverage study goes on where it was."""

from __future__ import annotations

import json
import re
from pathlib import Path
from types import SimpleNamespace

import coverage_study
import numpy as np
import pytest
import record
from coverage_edges import EDGES, TABLES, missing_edges
from coverage_exact import METHODS, exact_coverage
from coverage_page import PAGE, choice, choices, is_met, page
from coverage_study import AVERAGES, METRICS, SETTINGS, Setting, counted, metric_of, missing, outcome, truth
from effort import in_one_test, is_thorough, some
from scipy import stats

import symmetrics as sm
from symmetrics.statistics.proportions import Proportion, shape_of

# -- coverage study ----------------------------------------------------------------------------------------------------


RECORDED = coverage_study.HERE / "results" / "coverage.json"
BOUND = {name: metric for name, metric in sm.metrics.items() if all(p.default is not None for p in metric.parameters)}
CHOICES = "## What `auto` chooses"


def recorded() -> dict[str, object]:
    return json.loads(RECORDED.read_text(encoding="utf-8"))


def test_the_page_says_what_is_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    if not is_thorough():
        monkeypatch.setattr("coverage_page.choices", lambda: [[""]])
    made, written = page(recorded()), PAGE.read_text(encoding="utf-8")
    if not is_thorough():
        made, written = made.partition(CHOICES)[0], written.partition(CHOICES)[0]
    assert made == written, "python benchmarks/coverage.py --page writes it"


@in_one_test
@pytest.mark.parametrize("name", some(BOUND, 6))
def test_the_page_says_what_auto_takes(name: str) -> None:
    rows = PAGE.read_text(encoding="utf-8").partition(CHOICES)[2].splitlines()
    (told,) = [row for row in rows if f"`{name}`" in row]
    metric = BOUND[name]
    assert choice(metric) in told
    asked = metric.interval(40, 35, 33, 41, draws=100).method
    known = ("score", "midp") if choice(metric).startswith("score") else ("delta", "bayes", "chi_square")
    assert asked in known


def test_everything_was_asked_of_ten_thousand_tables() -> None:
    results = recorded()["results"]
    for setting in SETTINGS:
        found = results[f"auto {setting.name}"]
        assert set(found) == set(METRICS)
        assert {each["replicates"] for each in found.values()} == {10_000}


def test_what_misses_the_goal_is_known() -> None:
    """Whoever improves an interval takes it off this list, and whoever adds to it says so."""
    results = recorded()["results"]
    missed = {
        (metric, s.name)
        for s in SETTINGS
        for metric, found in results[f"auto {s.name}"].items()
        if not is_met(s, found)
    }
    assert missed <= {
        ("iba_gmean", "n=1000 prior=0.02 good"),
        ("log_odds_ratio", "n=50 prior=0.5 good"),
        ("log_odds_ratio", "n=1000 prior=0.02 good"),
        ("macro_f1", "n=50 prior=0.02 good"),
    }


def test_a_setting_again_gives_what_is_recorded() -> None:
    """Of fewer tables, the first of those of the record, as far as so many can tell."""
    setting = Setting(200, 0.1, "fair")
    for metric, found in outcome(setting, "auto", 400, ["accuracy", "f1", "kappa"]).items():
        known = recorded()["results"][f"auto {setting.name}"][metric]
        assert found["inside"] == pytest.approx(known["inside"], abs=4 * (0.05 / 400) ** 0.5), metric
        assert found["width"] == pytest.approx(known["width"], rel=0.03), metric


@pytest.mark.thorough
@pytest.mark.parametrize("method", ["Wilson", "Clopper & Pearson"])
def test_exact_coverage_is_the_sum_over_all_tables(method: str) -> None:
    setting, shape = Setting(50, 0.1, "fair"), shape_of(sm.metrics["recall"].at_defaults())
    assert isinstance(shape, Proportion)
    inside = stats.binom.pmf(0, 50, 0.1)  # without examples nothing is known
    for number in range(1, 51):
        for seen in range(number + 1):
            test = stats.binomtest(seen, number)
            low, high = test.proportion_ci(method="wilson" if method == "Wilson" else "exact")
            if low <= 0.8 <= high:
                inside += stats.binom.pmf(number, 50, 0.1) * stats.binom.pmf(seen, number, 0.8)
    assert exact_coverage(setting, shape, method)["inside"] == pytest.approx(inside, abs=1e-6)


def test_simulated_and_exact_coverage_agree() -> None:
    kept = recorded()
    for setting in SETTINGS:
        if setting.number * setting.prior < 30:  # auto takes Wilson's there, of recall
            exact = kept["exact"]["tpr"]["Wilson"][setting.name]["inside"]
            assert kept["results"][f"auto {setting.name}"]["tpr"]["inside"] == pytest.approx(exact, abs=0.01)
    assert set(kept["exact"]["tpr"]) == set(METHODS)


def test_an_interval_without_ends_is_a_miss() -> None:
    low, high = np.array([0.1, np.nan, 0.6, 0.0]), np.array([0.4, np.nan, 0.9, np.inf])
    found = counted(low, high, 0.3, np.array([4, 3, 2, 1]))
    assert (found["inside"], found["above"], found["below"]) == (0.5, 0.2, 0.3)
    assert (found["bounded"], found["width"]) == (0.6, 0.3)


def test_true_values_are_those_of_the_shares() -> None:
    setting = Setting(200, 0.1, "fair")
    assert setting.shares(2) == pytest.approx([0.08, 0.02, 0.09, 0.81])
    for metric in METRICS:
        shares = setting.shares(3 if metric in AVERAGES else 2)
        assert shares.sum() == pytest.approx(1)
        if metric not in AVERAGES:
            assert truth(metric, setting) == pytest.approx(float(metric_of(metric).from_counts(*shares)))
    assert truth("tpr", setting) == 0.8


def test_a_study_goes_on_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = SimpleNamespace(methods="auto", peers=0, again="", replicates=20, jobs=1, file=tmp_path / "kept.json")
    monkeypatch.setattr(coverage_study, "SETTINGS", SETTINGS[:2])
    monkeypatch.setattr(coverage_study, "METRICS", ("accuracy", "tpr"))
    kept = {"results": {}}
    coverage_study.compute(asked, kept)
    first = json.loads(asked.file.read_text(encoding="utf-8"))
    assert list(missing(asked, first)) == []
    name = f"auto {SETTINGS[1].name}"
    removed = first["results"][name].pop("tpr")
    assert [(each[0], each[4]) for each in missing(asked, first)] == [(name, ["tpr"])]
    coverage_study.compute(asked, first)
    assert first["results"][name]["tpr"] == removed
    asked.again = "accuracy"
    assert [each[4] for each in missing(asked, first)] == [["accuracy"], ["accuracy"]]
    assert not list(tmp_path.glob("*.part"))


def test_what_was_stopped_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = SimpleNamespace(methods="auto", peers=0, again="", replicates=20, jobs=1, file=tmp_path / "kept.json")
    monkeypatch.setattr(coverage_study, "SETTINGS", SETTINGS[:3])
    monkeypatch.setattr(coverage_study, "METRICS", ("accuracy",))

    def stopped(running: dict[object, str]) -> object:
        yield next(iter(running))
        raise KeyboardInterrupt

    monkeypatch.setattr(coverage_study, "as_completed", stopped)
    coverage_study.compute(asked, {"results": {}})
    assert "stopped; 1 parts are kept" in capsys.readouterr().out
    assert len(json.loads(asked.file.read_text(encoding="utf-8"))["results"]) == 1


@pytest.mark.thorough
def test_all_choices_are_told() -> None:
    told = " ".join(row[1] for row in choices()[1:])
    assert all(f"`{name}`" in told for name in BOUND)


def test_kinks_and_inner_ends_are_covered_in_the_record() -> None:
    """Of nominal 95 % at least 92 contain the true value from 60 examples on, by 2,000 tables of each place."""
    results = recorded()["results"]
    for edge in EDGES:
        found = results[f"auto {edge.name}"]
        assert set(found) == set(edge.metrics)
        for metric, each in found.items():
            assert each["replicates"] == TABLES
            assert each["inside"] >= 0.92, (edge.name, metric)
    rows = [row for row in PAGE.read_text(encoding="utf-8").splitlines() if row.startswith("| independent, ")]
    assert len(rows) == 4 * len(EDGES[0].metrics)


def test_edges_that_are_kept_are_not_asked_for_again() -> None:
    kept = recorded()
    assert missing_edges(kept, []) == []
    removed = kept["results"][f"auto {EDGES[0].name}"].pop("cramer_v")
    assert [(part[0], part[4]) for part in missing_edges(kept, [])] == [(f"auto {EDGES[0].name}", ["cramer_v"])]
    again = outcome(EDGES[0], "auto", 200, ["cramer_v"])["cramer_v"]
    assert again["inside"] == pytest.approx(removed["inside"], abs=4 * (0.05 / 200) ** 0.5)


# -- record ------------------------------------------------------------------------------------------------------------


def test_a_result_says_where_and_when(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    script = tmp_path / "quick.py"
    script.write_text("import sys\nprint('1 s', *sys.argv[1:])\nprint('2 s')\n", encoding="utf-8")
    assert record.record(script, ["--fast"], tmp_path / "results") == 0
    (path,) = (tmp_path / "results").iterdir()
    result = json.loads(path.read_text(encoding="utf-8"))
    assert path.name == f"quick_{result['date'][:10]}.json"
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d UTC", result["date"])
    assert (result["benchmark"], result["arguments"], result["output"]) == (
        "quick.py",
        ["--fast"],
        ["1 s --fast", "2 s"],
    )
    assert result["machine"]["cores"] >= 1
    assert result["machine"]["processor"]
    assert {"python", "numpy", "sympy"} <= set(result["versions"])
    assert capfd.readouterr().out == "1 s --fast\n2 s\n"


def test_failures_are_not_recorded_and_unknown_benchmarks_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # A failure is not recorded.
    script = tmp_path / "broken.py"
    script.write_text("raise SystemExit(3)", encoding="utf-8")
    assert record.record(script, [], tmp_path / "results") == 3
    assert not (tmp_path / "results").exists()
    # An unknown benchmark is named.
    assert record.main(["nothing.py"]) == 2
    assert "nothing.py: no such benchmark; there is atlas.py, " in capsys.readouterr().err
    assert record.main([]) == 2


def test_without_a_repository_there_is_no_commit(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(record, "HERE", tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert record.commit() is None


def test_without_git_there_is_no_commit(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert record.commit() is None
