"""Files on other machines: they are read through DuckDB's extension, nothing else is, and what is missing is said."""

from __future__ import annotations

import gzip
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from symmetrics.cli import main
from symmetrics.data.opened import _load_httpfs
from symmetrics.data.places import place_of
from symmetrics.tools.errors import InputError

duckdb = pytest.importorskip("duckdb")

COLUMNS = ("--truth", "y", "--prediction", "p", "--metrics", "f1")


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """Serve a folder on this machine, and give its address."""
    try:
        duckdb.connect().load_extension("httpfs")
    except duckdb.Error:
        pytest.skip("DuckDB's extension httpfs is not installed")
    # A process of its own: DuckDB holds Python's lock while it waits for some answers.
    command = [sys.executable, "-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        assert server.stdout is not None
        found = re.search(r"http://[\d.:]+", server.stdout.readline())
        assert found is not None
        yield found[0]
        server.terminate()


def test_a_file_on_another_machine_is_read(address: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = duckdb.sql("SELECT * FROM (VALUES (1, 1), (1, 0), (0, 1), (0, 0), (0, 0)) AS t(y, p)")
    table.write_csv(str(tmp_path / "a.csv"))
    table.write_csv(str(tmp_path / "b.csv"), sep=";")
    table.write_parquet(str(tmp_path / "c.parquet"))
    (tmp_path / "d.csv.gz").write_bytes(gzip.compress((tmp_path / "a.csv").read_bytes()))
    for name in ("a.csv", "b.csv", "c.parquet", "d.csv.gz"):
        assert main(["score", f"{address}/{name}", *COLUMNS]) == 0
        assert "TP = 1, FN = 1, FP = 1, TN = 2" in capsys.readouterr().out, name


def test_what_cannot_be_read_is_said(address: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.csv").write_text("y,p\n1,1\n0,0\n", encoding="utf-8")
    other = ("--where", f"(SELECT count(*) FROM read_csv('{address}/b.csv')) > 0")
    for name, options, told in (
        ("a.csv", ("--truth", "yy"), "no column 'yy'; did you mean 'y'? the header names 'y', 'p'"),
        ("absent.csv", (), "check the address, the network and the credentials"),
        ("a.csv", other, "may read nothing else"),
    ):
        assert main(["score", f"{address}/{name}", *COLUMNS, *options]) == 2
        assert told in capsys.readouterr().err
    # A machine that does not answer is no full disk.
    assert address
    assert main(["score", "http://127.0.0.1:9/a.csv", *COLUMNS]) == 2
    assert "check the address, the network and the credentials" in capsys.readouterr().err


def test_without_the_extension_it_is_said_how_to_get_it() -> None:
    class Without:
        def load_extension(self, _name: str) -> None:
            raise duckdb.IOException('Extension "httpfs" not found')

        def install_extension(self, _name: str) -> None:
            raise duckdb.IOException('Failed to download extension "httpfs" at URL "http://a.b/c"')

    with pytest.raises(InputError, match=r"https://a\.b/c\.csv: .* is not there and could not be fetched") as caught:
        _load_httpfs(Without(), place_of("https://a.b/c.csv"))
    assert "fetch the file by other means, or where there is a network run: python -c" in str(caught.value)
