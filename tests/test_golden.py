"""What is printed stays the same: a change that is meant shows in the files that are kept.

Byte for byte, but for numbers with all digits of a float, whose last ones depend on the processor.
"""

from __future__ import annotations

import math
import re
import subprocess
import sys
from pathlib import Path

from golden_outputs import FOLDER, is_kept, outputs

LONG = re.compile(r"-?\d+\.\d{12,}(?:e-?\d+)?")
"""Numbers with all digits of a float."""


def is_same(text: str, kept: str) -> bool:
    pairs = zip(LONG.findall(text), LONG.findall(kept), strict=False)
    are_close = all(math.isclose(float(one), float(other), rel_tol=1e-12, abs_tol=1e-15) for one, other in pairs)
    return are_close and LONG.sub("#", text) == LONG.sub("#", kept)


def test_numbers_may_differ_in_their_last_digits_alone() -> None:
    assert is_same("a 0.20503449499421234, b", "a 0.20503449499421236, b")
    assert not is_same("a 0.20503449499421234, b", "a 0.20503449499521234, b")
    assert not is_same("a 0.5, b", "a 0.50, b")


def test_what_is_printed_is_what_was_recorded(tmp_path: Path) -> None:
    found = dict(outputs(tmp_path, is_kept))
    kept = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.iterdir()}
    assert sorted(found) == sorted(kept), "run 'python tests/golden_outputs.py'"
    for name, text in found.items():
        assert is_same(text, kept[name]), f"{name} has changed; if it is meant, run 'python tests/golden_outputs.py'"


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
