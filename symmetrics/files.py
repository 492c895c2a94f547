"""Writing files whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from symmetrics.errors import InputError

__all__ = ["check_writable", "write_bytes", "write_text"]


def check_writable(path: Path) -> None:
    """Find out what would keep a file from being written, before the work that makes its content.

    :raises InputError: if the path is a directory, or its folder does not exist
    """
    try:
        if path.is_dir():
            raise InputError(f"cannot write {path}: it is a directory; name a file in it")
        if not path.parent.is_dir():
            raise InputError(f"cannot write {path}: there is no folder {path.parent}; create it first")
    except OSError as error:
        raise _refusal(path, error) from None


def write_text(path: Path, text: str) -> None:
    """Write a text file as :func:`write_bytes` does, in UTF-8.

    :raises InputError: if the file cannot be written
    """
    try:
        data = text.encode("utf-8")
    except ValueError as error:
        raise _refusal(path, error) from None
    write_bytes(path, data)


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file so that an interruption leaves the old content, never a part of the new.

    What a link points to is replaced, not the link; a device or a pipe is written to.

    :raises InputError: if the file cannot be written
    """
    check_writable(path)
    try:
        if path.exists() and not path.is_file():
            path.write_bytes(data)
        else:
            _replace(path.resolve(), data)
    except (OSError, ValueError) as error:
        raise _refusal(path, error) from None


def _refusal(path: Path, error: OSError | ValueError) -> InputError:
    reason = error.strerror if isinstance(error, OSError) else error
    return InputError(f"cannot write {path}: {reason}; choose another name or folder")


def _replace(path: Path, data: bytes) -> None:
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        temporary.chmod(path.stat().st_mode if path.exists() else 0o644)
        temporary.replace(path)
    except BaseException:  # an interruption too must leave no half-written file
        temporary.unlink(missing_ok=True)
        raise
