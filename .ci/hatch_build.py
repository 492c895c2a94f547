"""What hatchling does when it builds a wheel: it packs ``proofs/`` into one archive beside the package's modules.

The certificates stay under version control as text, once; ``symmetrics/tools/shipped.py`` reads the archive, and the
folder itself in a checkout or an editable installation.
"""

from __future__ import annotations

import io
import sys
import tarfile
import tempfile
from importlib import import_module
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SHIPPED = ("manifest.json", "certificates/*.json", "*/*.py")
"""Without the theories, which are made of the certificates, and the pages, which are for readers of the repository."""
ARCHIVE = "symmetrics/proofs.tar.xz"
PROGRAMS = "symmetrics/programs.jsonl"
"""Beside the archive, as numbers are asked for by processes that have no time to open it."""
SOURCES = "symmetrics/sources.json"
"""What the code of the wheel computes, by the hash of its files."""


class ProofsHook(BuildHookInterface):
    """Adds the archive and the programs to a wheel."""

    PLUGIN_NAME = "proofs"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write the archive to a temporary folder and have it included."""
        if self.target_name != "wheel" or version == "editable":
            return
        self.folder = tempfile.TemporaryDirectory()
        path = Path(self.folder.name) / Path(ARCHIVE).name
        path.write_bytes(packed(Path(self.root) / "proofs"))
        build_data["force_include"][str(path)] = ARCHIVE
        sys.path.insert(0, self.root)
        known = Path(self.folder.name) / Path(SOURCES).name
        known.write_text(import_module("symmetrics.tools.shipped").sources_text(), encoding="utf-8")
        build_data["force_include"][str(known)] = SOURCES
        build_data["force_include"][str(Path(self.root) / "proofs" / Path(PROGRAMS).name)] = PROGRAMS

    def finalize(self, *_: object) -> None:
        """Remove the temporary folder."""
        if hasattr(self, "folder"):
            self.folder.cleanup()


def packed(proofs: Path) -> bytes:
    """Return the archive: the same bytes for the same files, whenever it is built and by whom."""
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w:xz", preset=9) as archive:
        for path in sorted(path for pattern in SHIPPED for path in proofs.glob(pattern)):
            member = tarfile.TarInfo(path.relative_to(proofs).as_posix())
            member.size = path.stat().st_size
            archive.addfile(member, io.BytesIO(path.read_bytes()))
    return data.getvalue()
