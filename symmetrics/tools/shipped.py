"""The files of ``proofs/`` that ship with the package: a folder in a checkout, one compressed archive in a wheel.

The manifest of the folder, ``manifest.json``, says of every generated file which hash it has, and by which code it was
made.  It is what tells a file that is damaged, or was edited, from one that was generated.
"""

from __future__ import annotations

import hashlib
import io
import json
import lzma
import tarfile
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from symmetrics.tools.errors import CertificateError, InputError
from symmetrics.tools.sources import bytes_of_rooms, meaning_of_rooms

PROOFS: Final = Path("proofs")
MANIFEST: Final = "manifest.json"
PACKAGE: Final = Path(__file__).parents[1]
ARCHIVE: Final = PACKAGE / "proofs.tar.xz"
"""Written when a wheel is built (``.ci/hatch_build.py``); a checkout has none."""
PROGRAMS: Final = "programs.jsonl"
"""Compiled programs of the library's formulas: below ``proofs/``; in a wheel beside the (slow) archive."""
COMPILING: Final = ("language", "algebra", "numeric", "metric", "library", "matrices")
"""The packages whose code determines which metrics there are, and how they are evaluated."""
DECIDING: Final = ("language", "claims", "algebra", "prover")
"""The packages whose code determines the meaning of claims, how they are decided, and the format of evidence."""
SOURCES: Final = "sources.json"
"""Hashes of the code's meaning by the hash of its files: in a wheel beside the programs; a cache in a checkout."""
DAMAGES: Final = (OSError, EOFError, lzma.LZMAError, tarfile.TarError, ValueError, LookupError, TypeError)
"""Exceptions raised by reading a damaged file."""


@dataclass(frozen=True)
class Shipped:
    """The files of ``proofs/``, read on access.

    :param place: where they are, for errors
    :param code: a hash of what the code computes that made the generated ones
    :param hashes: for each generated file, by its path below ``proofs/``, the SHA-256 of what it holds
    :param read: returns what a file holds
    """

    place: Path
    code: str
    hashes: Mapping[str, str]
    read: Callable[[str], bytes]

    def text(self, name: str) -> str | None:
        """Return the content of a generated file, None if there is none of that name.

        :raises CertificateError: if it is not what was generated
        """
        if name not in self.hashes:
            return None
        try:
            data = self.read(name)
        except DAMAGES as error:
            raise _damaged(self.place, f"{name} cannot be read ({error})") from None
        if hashlib.sha256(data).hexdigest() != self.hashes[name]:
            raise _damaged(self.place, f"{name} was changed since it was generated")
        return data.decode("utf-8")


def shipped() -> Shipped | None:
    """Return the files shipped with this package, None if there are none.

    :raises CertificateError: if it cannot be read
    """
    return _opened(ARCHIVE, PACKAGE.parent / PROOFS)


@cache
def _opened(archive: Path, folder: Path) -> Shipped | None:
    try:
        if archive.is_file():
            return _from(archive, _members(archive).__getitem__)
        if (folder / MANIFEST).is_file():
            return _from(folder, lambda name: (folder / name).read_bytes())
    except DAMAGES as error:
        raise _damaged(archive if archive.is_file() else folder, f"it cannot be read ({error})") from None
    return None


def _from(place: Path, read: Callable[[str], bytes]) -> Shipped:
    manifest = json.loads(read(MANIFEST))
    return Shipped(place, str(manifest["code"]), dict(manifest["files"]), read)


def _members(archive: Path) -> dict[str, bytes]:
    with tarfile.open(fileobj=io.BytesIO(lzma.decompress(archive.read_bytes()))) as opened:
        files = [(member.name, opened.extractfile(member)) for member in opened]
        return {name: file.read() for name, file in files if file is not None}


def _damaged(place: Path, reason: str) -> CertificateError:
    return CertificateError(
        f"{place}: {reason}; install symmetrics again, or run 'symmetrics build' in the root of the repository"
    )


@cache
def shipped_programs() -> tuple[str, ...] | None:
    """Return the lines of the compiled programs that come with this package.

    None if there are none, if other code made them than that at hand, or if they are damaged: formulas are compiled
    anew then.  Whether they are what was written is said by the hash in their first line.
    """
    for path in (PACKAGE / PROGRAMS, PACKAGE.parent / PROOFS / PROGRAMS):
        try:
            head, _, content = path.read_bytes().partition(b"\n")
            stated = json.loads(head)
            if stated == _stated(content):
                return tuple(content.decode().splitlines())
        except DAMAGES:
            continue
    return None


def programs_file(lines: Iterable[str]) -> str:
    """Format a file of programs from its lines."""
    content = "".join(f"{line}\n" for line in lines)
    return f"{json.dumps(_stated(content.encode()))}\n{content}"


def _stated(content: bytes) -> dict[str, str]:
    """Return the first line of a file of programs: a hash of the other lines, and of the code that made them."""
    return {"code": code_of(COMPILING), "content": hashlib.sha256(content).hexdigest()}


@contextmanager
def shipped_root() -> Iterator[Path]:
    """Context with a folder that contains the files of ``proofs/``: the checkout, or a temporary one.

    :raises InputError: if nothing comes with this package
    :raises CertificateError: if it cannot be read
    """
    found = shipped()
    if found is None:
        raise InputError(f"there is no {ARCHIVE}: install symmetrics from a wheel, or name a checkout with --root")
    if found.place != ARCHIVE:
        yield PACKAGE.parent
        return
    with tempfile.TemporaryDirectory(prefix="symmetrics-") as name:
        for member, data in _members(ARCHIVE).items():
            path = Path(name) / PROOFS / member
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        yield Path(name)


@cache
def code_of(rooms: tuple[str, ...]) -> str:
    """Return a hash of the meaning of some packages' code; results of different code are stale.

    Reading the code takes seconds, so the hash is kept for files of the same bytes, as Python keeps compiled modules.
    """
    known: dict[str, str] = {}
    for path in (PACKAGE / SOURCES, PACKAGE.parent / PROOFS / SOURCES):
        with suppress(*DAMAGES):
            known |= json.loads(path.read_bytes())
    files = bytes_of_rooms(rooms)
    if files not in known:
        known[files] = meaning_of_rooms(rooms)
        with suppress(OSError):
            if (path.parent / MANIFEST).is_file():
                current = {bytes_of_rooms(each) for each in (COMPILING, DECIDING)}
                path.write_text(
                    json.dumps({key: known[key] for key in current & known.keys()}) + "\n", encoding="utf-8"
                )
    return known[files]


def sources_text() -> str:
    """Return the content of the file :data:`SOURCES` for a wheel."""
    return json.dumps({bytes_of_rooms(rooms): meaning_of_rooms(rooms) for rooms in (COMPILING, DECIDING)}) + "\n"


def manifest_text(files: Mapping[str, str]) -> str:
    """Return the manifest of generated files.

    :param files: what they hold, by their paths below ``proofs/``

    >>> sorted(json.loads(manifest_text({"certificates/f1.json": "[]"})))
    ['code', 'files']
    """
    hashes = {name: hashlib.sha256(text.encode()).hexdigest() for name, text in sorted(files.items())}
    return json.dumps({"code": meaning_of_rooms(DECIDING), "files": hashes}, indent=1) + "\n"
