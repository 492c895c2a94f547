"""What is printed stays the same, byte for byte: a change that is meant shows in the files that are kept."""

from __future__ import annotations

from pathlib import Path

from golden_outputs import FOLDER, is_kept, outputs


def test_what_is_printed_is_what_was_recorded(tmp_path: Path) -> None:
    found = dict(outputs(tmp_path, is_kept))
    kept = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.iterdir()}
    assert sorted(found) == sorted(kept), "run 'python tests/golden_outputs.py'"
    for name, text in found.items():
        assert text == kept[name], f"{name} has changed; if it is meant, run 'python tests/golden_outputs.py'"
