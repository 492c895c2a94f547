"""An atlas written to a folder, from which any browser opens it without a server."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from symmetrics.tools.errors import InputError
from symmetrics.tools.files import write_bytes

_SIGN: Final = "assets/atlas.css"
"""A file by which an atlas is known."""


def check_folder(folder: Path) -> None:
    """Find out what would keep an atlas from being written, before the work that makes it.

    :raises InputError: if the folder is a file, cannot be made, or holds something else than an atlas
    """
    try:
        if folder.exists() and not folder.is_dir():
            raise InputError(f"cannot write an atlas to {folder}: it is a file; name a folder")
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()) and not (folder / _SIGN).is_file():
            raise InputError(
                f"cannot write an atlas to {folder}: it holds other files; name a folder that is new or empty"
            )
    except OSError as error:
        raise InputError(f"cannot write an atlas to {folder}: {error.strerror or error}; name another folder") from None


def write_files(folder: Path, files: Iterable[tuple[str, bytes]]) -> Path:
    """Write files below a folder, each whole or not at all, and return the path of the first page."""
    for path, data in files:
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        write_bytes(target, data)
    return folder / "index.html"
