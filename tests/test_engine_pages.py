"""Every page on an engine says what the engine does; the pages of those that are not installed are skipped by name."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest
from engines import ENGINES, engines

from symmetrics.cli import main

ROOT = Path(__file__).resolve().parent.parent
PAGES = {
    name: f"engine_{name.lower()}.md" for name in ("pandas", "polars", "pyarrow", "DuckDB", "Dask", "Ibis", "PySpark")
}


def test_every_engine_has_a_page_that_the_overview_names() -> None:
    assert {name.partition(",")[0] for name in ENGINES} == PAGES.keys()
    overview = (ROOT / "docs" / "engines.md").read_text(encoding="utf-8")
    found = {path.name for path in (ROOT / "docs").glob("engine_*.md")}
    assert found == {*PAGES.values(), "engine_files.md"}
    assert all(f"({name})" in overview for name in found)


@engines(*PAGES)
@pytest.mark.filterwarnings("ignore")
def test_the_snippet_of_a_page_runs(engine: str) -> None:
    page = ROOT / "docs" / PAGES[engine]
    results = doctest.testfile(str(page), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert results.attempted > 5
    assert results.failed == 0


def test_the_command_of_the_page_on_files_prints_what_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("duckdb")
    monkeypatch.chdir(tmp_path)
    y, guess, site = (1, 1, 1, 0, 1, 0, 0, 0), (1, 1, 0, 0, 1, 1, 1, 0), "aaaabbbb"
    rows = [f"{t},{p},{s},test" for t, p, s in zip(y, guess, site, strict=True)]
    Path("runs.csv").write_text("\n".join(["y,guess,site,split", *rows, "0,1,a,train"]), encoding="utf-8")
    text = (ROOT / "docs" / "engine_files.md").read_text(encoding="utf-8")
    (command, output), *others = re.findall(r"^```console\n\$ (.*?)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    assert not others
    assert main(shlex.split(command)[1:]) == 0
    assert capsys.readouterr().out == output
