"""Text files read with errors that say what is wrong, and files written whole or not at all."""

from __future__ import annotations

import os
import sys
import tempfile
from os import PathLike, fspath
from pathlib import Path
from typing import Final

from symmetrics.tools.errors import InputError

__all__ = ["check_writable", "read_text", "source_name", "write_bytes", "write_text"]

PARQUET: Final = b"PAR1"
"""What a file of that format begins with."""


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


def source_name(path: str | PathLike[str]) -> str:
    """Return what errors call an input: its path, or standard input for ``-``."""
    name = fspath(path)
    if name == "-":
        return "standard input"
    return name if name.isprintable() and name else repr(name)


def read_text(path: str | PathLike[str], *, needs: str) -> str:
    """Return the text of a CSV file in UTF-8, or of standard input for ``-``.

    :param needs: what an empty file lacks, for the error
    :raises InputError: if the file cannot be read, is not UTF-8, or is empty
    """
    source = source_name(path)
    try:
        data = _standard_input() if fspath(path) == "-" else Path(path).read_bytes()
    except FileNotFoundError:
        raise InputError(f"{source}: no such file; name a CSV file, or - for standard input") from None
    except IsADirectoryError:
        raise InputError(f"{source} is a directory; name a CSV file in it") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"{source} cannot be read ({reason}); name a readable CSV file") from None
    if data.startswith(PARQUET):
        raise InputError(
            f"{source} is a Parquet file; 'symmetrics score' reads one whose name ends in .parquet, and other commands "
            "take CSV"
        )
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(f"{source}, line {line}: not UTF-8 text; save the file as CSV in UTF-8") from None
    if not text.strip():
        raise InputError(f"{source} is empty{needs}")
    return text


def _standard_input() -> bytes:
    if sys.stdin is None:
        raise OSError("it is closed")
    buffer = getattr(sys.stdin, "buffer", None)
    return sys.stdin.read().encode() if buffer is None else bytes(buffer.read())
