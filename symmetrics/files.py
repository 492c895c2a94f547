"""Writing files whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from symmetrics.errors import InputError

__all__ = ["write_text"]


def write_text(path: Path, text: str) -> None:
    """Write a text file so that an interruption leaves the old content, never a part of the new.

    :raises InputError: if the file cannot be written
    """
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror or error}") from None
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
        if path.is_dir():
            raise InputError(f"cannot write {path}: it is a directory")
        Path(temporary).chmod(path.stat().st_mode if path.exists() else 0o644)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
