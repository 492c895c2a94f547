"""Discovery, papers and rocq are leaves: without one of these rooms everything but its own verbs works."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import symmetrics

LEAVES = ("discovery", "papers", "rocq")
SCRIPT = """
import sys
from pathlib import Path

import symmetrics as sm
from symmetrics.cli import main

assert Path(sm.__file__).is_relative_to(sys.argv[1]), sm.__file__
assert "| f1" in str(sm.table(["f1", "mcc"], ["p1", "p2"]))
assert "<article" in sm.datasheet("f1", progress=False).to_html()
assert sm.prove("f1", "p2").holds
assert list(sm.find("p2=yes", metrics=["f1", "mcc"])) == ["f1"]
assert main(["score", "scores.csv", "--truth", "truth", "--prediction", "guess", "--positive", "1"]) == 0
for name in ("prove f1 p1", "show f1", "list metrics", "table --metrics f1", "identify TP/(TP+FN)"):
    assert main(name.split()) == 0, name
sm.plots.hasse
from symmetrics.pages.displays import shown
assert "<b>" in shown(sm.metrics["f1"])
main(["--help"])
"""


@pytest.mark.sampled(1)
@pytest.mark.parametrize("room", LEAVES)
def test_without_a_leaf_all_else_works(room: str, tmp_path: Path) -> None:
    source = Path(symmetrics.__file__).parent
    leaf = source / room
    shutil.copytree(  # with what is compiled already
        source,
        tmp_path / "symmetrics",
        ignore=lambda folder, _: {room} if Path(folder) == source else set(),
    )
    assert leaf.is_dir()
    (tmp_path / "proofs").symlink_to(source.parent / "proofs")
    assert not (tmp_path / "symmetrics" / room).exists()
    (tmp_path / "scores.csv").write_text("truth,guess\n1,1\n0,1\n1,0\n0,0\n1,1\n")
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(tmp_path)],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "usage: symmetrics" in done.stdout
