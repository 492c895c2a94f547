"""Locate input files: kind, existence, patterns and remote addresses."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from glob import iglob
from os import SEEK_END, PathLike, fspath
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import parse_qs

from symmetrics.tools.arguments import Missing
from symmetrics.tools.errors import InputError
from symmetrics.tools.files import is_read_once, rereadable, source_name

KINDS: Final = {
    ".csv": "csv",
    ".tsv": "csv",
    ".txt": "csv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
    ".pq": "parquet",
}
"""The kind of a file by its extension, which ``.gz`` may follow."""
_DATABASE: Final = "duckdb:"
_DATABASES: Final = frozenset({".duckdb", ".ddb"})
_REMOTE: Final = ("s3://", "gs://", "r2://", "http://", "https://")
_ENDINGS: Final = {b"PAR1": ".parquet", b"\x1f\x8b": ".csv.gz", b'{"': ".jsonl"}
"""Extension by the first bytes of standard input or a pipe; anything else is CSV."""
_WILD: Final = frozenset("*?[")


@dataclass(frozen=True)
class Place:
    """Location of input data.

    :param source: the name as given, as errors and reports show it
    :param kind: csv, jsonl, parquet or duckdb
    :param path: of the file, a pattern of files, or an address
    :param folder: the folder that holds all files of a pattern, empty for a single file
    :param table: the table of a database, empty if none was named
    """

    source: str
    kind: str
    path: str
    folder: str = ""
    table: str = ""

    @property
    def is_remote(self) -> bool:
        """Whether the file is remote."""
        return self.path.startswith(_REMOTE)

    @property
    def is_plain(self) -> bool:
        """Whether it is a single CSV file, possibly compressed, that Python can read itself."""
        return self.kind == "csv" and not self.is_remote and not self.folder

    def holds(self, path: Path) -> bool:
        """Whether a file is one of the input files, under whatever name."""
        if self.path == "-" or self.is_remote:
            return False
        try:
            files = iglob(self.path, recursive=True) if self.folder else [self.path]
            return any(path.samefile(file) for file in files)
        except (OSError, ValueError):  # one of the two does not exist
            return False

    @property
    def size(self) -> int:
        """Size in bytes of a single file, decompressed; 0 if it is not a file."""
        try:
            with Path(self.path).open("rb") as stream:
                end = stream.seek(0, SEEK_END)
                if not self.path.endswith(".gz"):
                    return end
                stream.seek(-4, SEEK_END)  # gzip stores the size here, in 32 bits
                return max(end, int.from_bytes(stream.read(), "little"))
        except (OSError, ValueError):
            return 0


def place_of(name: str | PathLike[str]) -> Place:
    """Return the location of examples given on the command line; an unknown extension is read as CSV.

    :raises InputError: on what is not there, and on a folder without Parquet files

    >>> place_of("s3://bucket/runs/*.parquet").kind
    'parquet'
    """
    path, source = fspath(name), source_name(name)
    if not path:  # the operating system reads an empty path as the current folder
        raise InputError("the name of the file is empty; name a file, a folder or a pattern of files")
    if path.startswith(_DATABASE):
        return _database(path, source)
    if path.startswith(_REMOTE):
        return Place(source, _kind(path), path, folder=path.rpartition("/")[0] + "/" if _is_pattern(path) else "")
    if path == "-" or not path.isprintable():
        return Place(source, "csv", path)
    if Path(path).is_dir():
        if not any(Path(path).rglob("*.parquet")):
            raise InputError(f"{source} is a directory; name a CSV file in it, or a folder with Parquet files")
        folder = Path(path).resolve()
        return Place(source, "parquet", str(Path(literal(str(folder))) / "**" / "*.parquet"), str(folder))
    if _is_pattern(path) and not Path(path).exists():
        fixed = Path(*_before_patterns(Path(path).absolute().parts))
        if not any(fixed.glob(str(Path(path).absolute().relative_to(fixed)))):
            raise InputError(f"{source}: no file has such a name; name a file, a folder or a pattern of files")
        return Place(source, _kind(path), str(Path(path).absolute()), str(fixed))
    if Path(path).suffix.lower() in _DATABASES:
        _require(path, source)
        raise InputError(f"{source} is a database of DuckDB; write {_DATABASE}{source}?table=NAME")
    place = Place(source, _kind(path), path)
    if place.kind != "csv" or path.endswith(".gz"):
        _require(path, source)
        return Place(source, place.kind, str(Path(path).resolve()))
    return place


@contextmanager
def rereadable_place(name: str | PathLike[str]) -> Iterator[Place]:
    """Context with a place that can be read repeatedly; standard input and pipes are copied first.

    :raises InputError: as :func:`place_of`, and if no copy can be made
    """
    if not is_read_once(name):
        yield place_of(name)
        return
    with rereadable(name) as copy:
        if "".join(copy.suffixes[:1]) not in KINDS:
            with copy.open("rb") as stream:
                start = stream.read(4)
            ending = next((ending for first, ending in _ENDINGS.items() if start.startswith(first)), "")
            copy = copy.rename(copy.with_name(f"copy{ending}"))
        yield replace(place_of(copy), source=source_name(name))


def literal(path: str) -> str:
    """Escape a path for DuckDB, which reads every name as a glob pattern.

    >>> literal("runs/a[1].csv")
    'runs/a[[]1].csv'
    """
    return path if path.startswith(_REMOTE) else re.sub(r"([*?\[])", r"[\1]", path)


def _database(path: str, source: str) -> Place:
    file, _, query = path.removeprefix(_DATABASE).partition("?")
    named = parse_qs(query, keep_blank_values=True)
    if named.keys() - {"table"} or len(named.get("table", [""])) > 1 or (query and not named):
        raise InputError(f"{source}: {query!r} is not understood; write duckdb:FILE?table=NAME")
    _require(file, source)
    return Place(source, "duckdb", str(Path(file).resolve()), table=named.get("table", [""])[0])


def _kind(path: str) -> str:
    return KINDS.get(Path(path.lower().removesuffix(".gz")).suffix, "csv")


def _is_pattern(path: str) -> bool:
    return not _WILD.isdisjoint(path)


def _before_patterns(parts: tuple[str, ...]) -> list[str]:
    first = next(place for place, part in enumerate(parts) if _is_pattern(part))
    return list(parts[:first])


def _require(path: str, source: str) -> None:
    """Refuse a file that is not there."""
    if Path(path).is_dir():
        raise InputError(f"{source} is a directory; name a file in it")
    if Path(path).exists():
        return
    folder = Path(path).parent
    near = difflib.get_close_matches(Path(path).name, (p.name for p in folder.iterdir()), 1) if folder.is_dir() else []
    raise InputError(f"{source}: no such file; {f'did you mean {near[0]!r}?' if near else 'name one that exists'}")


# -- A request for data from a file of examples ------------------------------------------------------------------------


class Wanted(NamedTuple):
    """The columns, condition and treatment of missing labels requested of a file.

    :param prediction: empty if only scores are to be measured; the true labels then stand for the predicted ones
    :param weight: of sampling weights
    :param frequency: of the numbers of examples that rows stand for
    """

    truth: str
    prediction: str
    score: str | None = None
    by: tuple[str, ...] = ()
    weight: str | None = None
    where: str | None = None
    missing: Missing = "refuse"
    frequency: str | None = None

    @property
    def number(self) -> str | None:
        """The column of weights or numbers of examples."""
        return self.weight if self.frequency is None else self.frequency

    @property
    def columns(self) -> list[str]:
        """All columns named in the request."""
        named = (self.truth, self.predicted, self.score, *self.by, self.number)
        return [name for name in named if name is not None]

    @property
    def names(self) -> tuple[str, ...]:
        """The columns whose values are compared as texts: labels and groups."""
        return (self.truth, self.predicted, *self.by)

    @property
    def predicted(self) -> str:
        """The column of predicted labels, or its substitute."""
        return self.prediction or self.truth

    def stripped(self) -> Wanted:
        """Return the same request without blanks around column names."""
        named = ("truth", "prediction", "score", "weight", "frequency")
        names = {field: name.strip() for field in named if (name := getattr(self, field)) is not None}
        return self._replace(by=tuple(map(str.strip, self.by)), **names)
