"""Read text files with clear errors, and write files atomically."""

from __future__ import annotations

import codecs
import gzip
import io
import os
import shutil
import sys
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from os import PathLike, fspath
from pathlib import Path
from typing import BinaryIO, Final

from symmetrics.tools.errors import InputError

PARQUET: Final = b"PAR1"
"""First bytes of a file in that format."""


def check_writable(path: Path) -> None:
    """Check that a file can be written, before doing the work that makes its content.

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
    """Write a text file in UTF-8, like :func:`write_bytes`.

    :raises InputError: if the file cannot be written
    """
    try:
        data = text.encode("utf-8")
    except ValueError as error:
        raise _refusal(path, error) from None
    write_bytes(path, data)


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file atomically: an interruption leaves the old content, never a part of the new.

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
    """Return the name of an input in error messages: its path, or standard input for ``-``."""
    name = fspath(path)
    if name == "-":
        return "standard input"
    return name if name.isprintable() and name else repr(name)


def read_text(path: str | PathLike[str], *, needs: str, source: str | None = None) -> str:
    """Return the text of a CSV file in UTF-8, also compressed by gzip, or of standard input for ``-``.

    :param needs: what an empty file lacks, for the error
    :param source: name of the file in error messages, by default its path
    :raises InputError: if the file cannot be read, is not UTF-8, or is empty
    """
    source = source_name(path) if source is None else source
    try:
        data = _standard_input() if fspath(path) == "-" else _content(path)
    except FileNotFoundError:
        raise InputError(f"{source}: no such file; name a CSV file, or - for standard input") from None
    except IsADirectoryError:
        raise InputError(f"{source} is a directory; name a CSV file in it") from None
    except (OSError, ValueError, EOFError, zlib.error) as error:
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
        raise not_utf8(data, error, source) from None
    if not text.strip():
        raise InputError(f"{source} is empty{needs}")
    return text


def not_utf8(data: bytes, error: UnicodeDecodeError, source: str) -> InputError:
    """Return the error for bytes that are not UTF-8, with the line."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return InputError(f"{source}, line 1: not UTF-8 text but UTF-16; save the file as CSV in UTF-8")
    line = data.count(b"\n", 0, error.start) + 1
    return InputError(f"{source}, line {line}: not UTF-8 text; save the file as CSV in UTF-8")


def _content(path: str | PathLike[str]) -> bytes:
    if not fspath(path).endswith(".gz"):
        return Path(path).read_bytes()
    with gzip.open(path, "rb") as stream:
        return stream.read()


def is_read_once(path: str | PathLike[str]) -> bool:
    """Whether a source can be read only once: standard input, a pipe or a device."""
    try:
        return fspath(path) == "-" or (Path(path).exists() and not Path(path).is_file() and not Path(path).is_dir())
    except (OSError, ValueError):
        return False


@contextmanager
def rereadable(path: str | PathLike[str]) -> Iterator[Path]:
    """Yield a file that can be read repeatedly: the named one, or a copy of a source that can be read only once.

    The copy is in the folder of temporary files, has the ending of the name, and is removed at the end.

    :raises InputError: if what is to be copied cannot be read, or the copy not be written
    """
    if not is_read_once(path):
        yield Path(path)
        return
    with tempfile.TemporaryDirectory(prefix="symmetrics-") as folder:
        copy = Path(folder) / f"copy{''.join(Path(path).suffixes)}"
        try:
            with copy.open("wb") as target, _once(path) as stream:
                shutil.copyfileobj(stream, target)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise InputError(
                f"{source_name(path)} cannot be copied to {tempfile.gettempdir()} ({reason}); save it as a "
                "file and name that"
            ) from None
        yield copy


def _once(path: str | PathLike[str]) -> AbstractContextManager[BinaryIO]:
    """Return a one-time source as a stream of bytes; standard input is left open."""
    if fspath(path) != "-":
        return Path(path).open("rb")
    buffer = getattr(sys.stdin, "buffer", None)
    return nullcontext(io.BytesIO(_standard_input()) if buffer is None else buffer)


def _standard_input() -> bytes:
    if sys.stdin is None:
        raise OSError("it is closed")
    buffer = getattr(sys.stdin, "buffer", None)
    return sys.stdin.read().encode() if buffer is None else bytes(buffer.read())
