"""A file of examples opened by DuckDB: with little memory, and with no way to any other file."""

from __future__ import annotations

import gzip
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, Final, NamedTuple

from symmetrics.pages.datafiles.places import Place, literal
from symmetrics.pages.label_columns import check_header, header_of, records
from symmetrics.tools.errors import InputError

__all__ = ["Opened", "duckdb_module", "fetched", "is_installed", "opened"]

MEMORY: Final = "400MB"
"""What DuckDB may hold in memory; the rest of a large grouping goes to a temporary folder."""
_HEAD: Final = 1 << 20
"""So much of a CSV file holds its header."""
_BUFFER: Final = 4_000_000
"""Bytes of a CSV file that a thread holds; more makes it no faster."""
_WAIT: Final = 0.1
_NEXT: Final = {
    "OutOfMemoryException": "group by fewer columns, or by such with fewer values",
    "IOException": "check that it can be read, and that the disk is not full",
    "HTTPException": "check the address, the network and the credentials",
    "PermissionException": "a condition is about the columns of the file, and may read nothing else",
    "ParserException": "write --where as a condition, such as \"site = 'a' AND split = 'test'\"",
    "BinderException": "write --where as a condition on its columns, with texts in single quotes, as in site = 'a'; "
    "columns of CSV are texts: CAST(year AS INTEGER)",
    "CatalogException": "write --where as a condition on its columns",
    "ConversionException": "write --where with TRY_CAST where a text may be no number",
}
"""What to do about the errors of DuckDB, by their class."""


class Opened(NamedTuple):
    """A relation of DuckDB with the examples of a file.

    :param names: by the names of the file's columns, those of the relation
    """

    place: Place
    connection: Any
    relation: Any
    names: dict[str, str]


def duckdb_module() -> Any:
    """Return DuckDB.

    :raises InputError: if it is not installed
    """
    try:
        return import_module("duckdb")
    except ImportError:
        raise InputError(
            "files other than plain CSV, and groups, weights and conditions, are read by DuckDB; pip install "
            "'symmetrics[files]'"
        ) from None


def is_installed() -> bool:
    """Return whether DuckDB is there."""
    try:
        duckdb_module()
    except InputError:
        return False
    return True


@contextmanager
def opened(place: Place, wanted: list[str]) -> Iterator[Opened]:
    """Open a file of examples until the context ends.

    Settings are locked, and no other file can be read, whatever a condition asks.

    :param wanted: names of columns that the file has to have
    :raises InputError: on a file that cannot be read or lacks a column, and on every error of DuckDB within the context
    """
    duckdb = duckdb_module()
    with tempfile.TemporaryDirectory(prefix="symmetrics-") as folder, _one_line_errors(place, duckdb):
        is_database = place.kind == "duckdb"
        connection = duckdb.connect(place.path, read_only=True) if is_database else duckdb.connect()
        try:
            _settle(connection, place, folder)
            relation, names = _READERS[place.kind](connection, place, wanted)
            check_header(list(names), wanted, place.source)
            yield Opened(place, connection, relation, names)
        finally:
            connection.close()


@contextmanager
def _one_line_errors(place: Place, duckdb: Any) -> Iterator[None]:
    try:
        yield
    except duckdb.Error as error:
        kind = type(error).__name__
        advice = (
            _NEXT["HTTPException"] if place.is_remote and kind == "IOException" else _NEXT.get(kind, "check the file")
        )
        raise InputError(f"{place.source}: {_first_words(error)}; {advice}") from None


def _first_words(error: Exception) -> str:
    """Return what went wrong: the first line, and of a row of a CSV file also the last one, which says the reason."""
    first, *others = str(error).partition("Possible fixes:")[0].strip().splitlines()
    text = " ".join(first.split())
    if "CSV Error" in first and others:
        text = f"{text.removeprefix('Invalid Input Error: ')}: {others[-1].strip()}"
    return (text if len(text) <= 240 else f"{text[:237]}...").rstrip(".;")


def _settle(connection: Any, place: Place, folder: str) -> None:
    """Bound the memory, and leave a connection no way to other files."""
    connection.execute("SET memory_limit = ?", [MEMORY])
    connection.execute("SET temp_directory = ?", [folder])
    connection.execute("SET preserve_insertion_order = false")
    connection.execute("SET enable_progress_bar = true")
    connection.execute("SET enable_progress_bar_print = false")
    connection.execute("SET TimeZone = 'UTC'")
    if place.is_remote:
        _load_httpfs(connection, place)
        connection.execute(
            "FROM duckdb_secrets()"
        ).fetchall()  # reads those of the user, for which it is too late below
    if place.folder:
        connection.execute("SET allowed_directories = ?", [[place.folder, literal(place.folder)]])
    elif place.kind != "duckdb":
        connection.execute("SET allowed_paths = ?", [[place.path, literal(place.path)]])
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")


def _load_httpfs(connection: Any, place: Place) -> None:
    """Load the extension of DuckDB that reads files on other machines.

    :raises InputError: if it is not there and cannot be fetched
    """
    errors = duckdb_module().Error
    try:
        connection.load_extension("httpfs")
    except errors:
        try:
            connection.install_extension("httpfs")
            connection.load_extension("httpfs")
        except errors as error:
            raise InputError(
                f"{place.source}: files on other machines are read by DuckDB's extension httpfs, which is not there "
                f"and could not be fetched ({_first_words(error)}); fetch the file by other means, or where there is a "
                "network run: python -c \"import duckdb; duckdb.connect().install_extension('httpfs')\""
            ) from None


def _same_names(relation: Any) -> tuple[Any, dict[str, str]]:
    return relation, {name: name for name in relation.columns}


def _parquet(connection: Any, place: Place, wanted: list[str]) -> tuple[Any, dict[str, str]]:
    """Return the rows of all files, columns of several types having one that holds the values of all.

    :raises InputError: if some of such files lack a column that is wanted
    """
    if not place.folder:
        return _same_names(connection.read_parquet(literal(place.path), hive_partitioning=False))
    # By itself DuckDB takes the type of the first file, and 0.4 in another one is 0 where that has whole numbers.
    of_types = "count(DISTINCT (type, logical_type, converted_type)) AS types, count(DISTINCT file_name) AS files"
    found = f"SELECT name, {of_types} FROM parquet_schema(?) WHERE num_children IS NULL GROUP BY name"
    columns = {name: (types, files) for name, types, files in connection.execute(found, [place.path]).fetchall()}
    is_mixed = any(types > 1 for types, _ in columns.values())
    most = max((files for _, files in columns.values()), default=0)
    if is_mixed and (lacking := [name for name in wanted if columns.get(name, (1, most))[1] < most]):
        raise InputError(f"{place.source}: not every file has a column {lacking[0]!r}; name files that have it")
    return _same_names(connection.read_parquet(place.path, hive_partitioning=True, union_by_name=is_mixed))


def _json_lines(connection: Any, place: Place, _wanted: list[str]) -> tuple[Any, dict[str, str]]:
    """Return the rows, with types that hold all values: of a sample that has only whole numbers, 0.4 would be 0."""
    path = place.path if place.folder else literal(place.path)
    return _same_names(
        connection.read_json(path, format="newline_delimited", sample_size=-1, maximum_sample_files=2**31 - 1)
    )


def _database(connection: Any, place: Place, _wanted: list[str]) -> tuple[Any, dict[str, str]]:
    have = [row[0] for row in connection.execute("SELECT table_name FROM information_schema.tables").fetchall()]
    table = place.table or (have[0] if len(have) == 1 else "")
    if table not in have:
        reason = f"no table {table!r}" if table else "no table is named"
        tables = ", ".join(map(repr, sorted(have))) or "none"
        raise InputError(f"{place.source}: {reason}; write duckdb:FILE?table=NAME, the tables are {tables}")
    return _same_names(connection.table(f'"{table.replace(chr(34), chr(34) * 2)}"'))


def _csv(connection: Any, place: Place, wanted: list[str]) -> tuple[Any, dict[str, str]]:
    """Return all columns as texts, by the header as it is read without DuckDB, too."""
    if place.is_remote:  # whose headers are not looked at here; nothing but the delimiter is guessed
        rules = {"quotechar": '"', "escapechar": '"', "comment": "", "skiprows": 0}
        return _same_names(
            connection.read_csv(place.path, all_varchar=True, header=True, union_by_name=bool(place.folder), **rules)
        )
    layouts: dict[tuple[str, int, tuple[str, ...]], list[str]] = {}
    for path, source in _files(place):
        text = _head(path, source)
        of_folders = {part.partition("=")[0] for part in Path(path).parts if "=" in part} if place.folder else set()
        delimiter, header = header_of(text, [name for name in wanted if name not in of_folders], source)
        line, _ = next(records(text, delimiter, source))
        layouts.setdefault((delimiter, line, tuple(header)), []).append(path)
    in_folders = bool(place.folder)
    parts = [_of_one_layout(connection, *layout, paths, in_folders=in_folders) for layout, paths in layouts.items()]
    return parts[0] if len(parts) == 1 else _by_names(parts, place)


def _files(place: Place) -> list[tuple[str, str]]:
    """Return the path of each file, and what errors call it."""
    if not place.folder:
        return [(place.path, place.source)]
    found = Path(place.folder).glob(str(Path(place.path).relative_to(place.folder)))
    return [(str(path), str(path)) for path in sorted(found) if path.is_file()]


def _of_one_layout(
    connection: Any, delimiter: str, line: int, header: tuple[str, ...], paths: list[str], *, in_folders: bool
) -> tuple[Any, dict[str, str]]:
    """Return the rows of files with one header, on one line, and the names of its columns in the relation."""
    unique = _unique(list(header))
    relation = connection.read_csv(
        list(map(literal, paths)),
        columns=dict.fromkeys(unique, "VARCHAR"),
        delimiter=delimiter,
        header=True,
        skiprows=line - 1,
        quotechar='"',
        escapechar='"',
        auto_detect=False,
        strict_mode=True,
        buffer_size=_BUFFER,
        hive_partitioning=in_folders,
    )
    names = dict(zip(reversed(header), reversed(unique), strict=True))
    return relation, {name: name for name in relation.columns if name not in unique} | names  # those of folders, too


def _by_names(parts: list[tuple[Any, dict[str, str]]], place: Place) -> tuple[Any, dict[str, str]]:
    """Return the rows of files with several headers; a column is the same if its name is.

    :raises InputError: if some files have a column that others lack
    """
    (whole, names), *others = parts
    columns = duckdb_module().ColumnExpression
    whole = whole.project(*map(columns, names.values()))
    for relation, other in others:
        if different := sorted(set(names) ^ set(other)):
            raise InputError(
                f"{place.source}: not every file has a column {different[0]!r}; name files with the same columns"
            )
        whole = whole.union(relation.project(*(columns(other[name]).alias(names[name]) for name in names)))
    return whole, names


def _head(path: str, source: str) -> str:
    """Return the beginning of a CSV file, as far as it is whole lines."""
    try:
        with (gzip.open if path.endswith(".gz") else open)(path, "rb") as stream:
            data = stream.read(_HEAD)
    except (OSError, EOFError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"{source} cannot be read ({reason}); name a readable CSV file") from None
    if len(data) == _HEAD:
        data = data[: data.rfind(b"\n") + 1]
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(f"{source}, line {line}: not UTF-8 text; save the file as CSV in UTF-8") from None


def _unique(header: list[str]) -> list[str]:
    """Return names of columns that differ for DuckDB, which does not look at their case."""
    found: list[str] = []
    taken: set[str] = set()
    for place, name in enumerate(header):
        chosen = name or f"column{place}"
        while chosen.casefold() in taken:
            chosen += "_"
        taken.add(chosen.casefold())
        found.append(chosen)
    return found


_READERS: Final = {"csv": _csv, "duckdb": _database, "jsonl": _json_lines, "parquet": _parquet}


def fetched(file: Opened, relation: Any, *, progress: bool) -> list[tuple[Any, ...]]:
    """Return the rows of a relation, having shown how far the engine is.

    :param progress: whether to show a bar on standard error
    """
    from tqdm import tqdm

    with ThreadPoolExecutor(1) as pool, tqdm(total=100, unit="%", leave=False, disable=not progress) as bar:
        rows = pool.submit(relation.fetchall)
        try:
            while not rows.done():
                time.sleep(_WAIT if progress else _WAIT / 10)
                bar.update(max(0.0, file.connection.query_progress() - bar.n))
        except BaseException:  # an interruption ends the query, too
            file.connection.interrupt()
            raise
        found: list[tuple[Any, ...]] = rows.result()
        return found
