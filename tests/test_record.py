"""Results of benchmarks are kept with the machine, the versions and the date; a run that fails is not."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import record


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
