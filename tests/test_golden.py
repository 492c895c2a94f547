"""What is printed stays the same, byte for byte: a change that is meant shows in the files that are kept."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from golden_outputs import FOLDER, is_kept, outputs


def test_what_is_printed_is_what_was_recorded(tmp_path: Path) -> None:
    found = dict(outputs(tmp_path, is_kept))
    kept = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.iterdir()}
    assert sorted(found) == sorted(kept), "run 'python tests/golden_outputs.py'"
    for name, text in found.items():
        assert text == kept[name], f"{name} has changed; if it is meant, run 'python tests/golden_outputs.py'"


def test_scores_as_text_are_printed_without_what_writes_html(tmp_path: Path) -> None:
    (tmp_path / "examples.csv").write_text("truth,a\n1,1\n0,1\n1,0\n", encoding="utf-8")
    script = (
        "import sys; from symmetrics.cli import main; "
        "main(['score', 'examples.csv', '--truth', 'truth', '--prediction', 'a']); "
        "print(*sorted({'jinja2', 'markupsafe', 'tabulate'} & set(sys.modules)), file=sys.stderr)"
    )
    ran = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert "informedness" in ran.stdout
    assert ran.stderr.strip() == ""
