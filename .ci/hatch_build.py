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


class ProofsHook(BuildHookInterface):
    """Adds the archive to a wheel."""

    PLUGIN_NAME = "proofs"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write the archive to a temporary folder and have it included."""
        if self.target_name != "wheel" or version == "editable":
            return
        self.folder = tempfile.TemporaryDirectory()
        path = Path(self.folder.name) / Path(ARCHIVE).name
        sys.path.insert(0, self.root)
        sources = import_module("symmetrics.tools.shipped").sources_text()
        path.write_bytes(packed(Path(self.root) / "proofs", sources))
        build_data["force_include"][str(path)] = ARCHIVE

    def finalize(self, *_: object) -> None:
        """Remove the temporary folder."""
        if hasattr(self, "folder"):
            self.folder.cleanup()


def packed(proofs: Path, sources: str) -> bytes:
    """Return the archive: the same bytes for the same files, whenever it is built and by whom.

    :param sources: what its file ``sources.json`` holds
    """
    paths = sorted(path for pattern in SHIPPED for path in proofs.glob(pattern))
    members = {path.relative_to(proofs).as_posix(): path.read_bytes() for path in paths}
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w:xz", preset=9) as archive:
        for name, content in (members | {"sources.json": sources.encode()}).items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return data.getvalue()
