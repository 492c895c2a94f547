"""Open a file by DuckDB with bounded memory and no access to other files."""

from __future__ import annotations

import csv
import gzip
import itertools
import tempfile
import time
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any, Final, NamedTuple

from symmetrics.data.places import Place, Wanted, literal
from symmetrics.data.spelling import check_header, header_of, records, rows_below
from symmetrics.tools.errors import InputError, shortened
from symmetrics.tools.files import not_utf8, read_text
from symmetrics.tools.texts import visible

MEMORY: Final = "400MB"
"""Memory limit of DuckDB; larger groupings spill to a temporary folder."""
_HEAD: Final = 1 << 20
"""Bytes of a CSV file that are read to find its header."""
_BUFFER: Final = 4_000_000
"""Buffer size per thread for CSV files; larger ones are no faster."""
_LONGEST_HEADER: Final = 1 << 26
_BLANKS: Final = "".join(letter for letter in map(chr, range(0x3001)) if letter.isspace())
"""Characters that Python strips from a field as blanks."""
_BLANK: Final = r"[\pZ\s\x0b\x1c-\x1f\x85]"
_STRIPPED: Final = (
    f"nullif(CASE WHEN regexp_matches(trim({{0}}), '^{_BLANK}|{_BLANK}$') THEN trim({{0}}, '{_BLANKS}') "
    "ELSE trim({0}) END, '')"
)
"""SQL for a field without surrounding blanks, null if empty; listing all blanks explicitly is ten times slower."""
_LARGE: Final = 2.0**53
"""From here on, integers may not be exact floats."""
_WAIT: Final = 0.1
_NEXT: Final = {
    "OutOfMemoryException": "group by fewer columns, or by such with fewer values",
    "IOException": "check that it can be read, and that the disk is not full",
    "HTTPException": "check the address, the network and the credentials",
}
"""Advice on the errors of DuckDB, by class."""
_NEXT_OF_CONDITIONS: Final = {
    "PermissionException": "a condition is about the columns of the file, and may read nothing else",
    "ParserException": "write --where as a condition, such as \"site = 'a' AND split = 'test'\"",
    "BinderException": "write --where as a condition on its columns, with texts in single quotes, as in site = 'a'",
    "CatalogException": "write --where as a condition on its columns",
    "ConversionException": "write --where with TRY_CAST where a text may be no number",
}
"""The same for queries with a condition."""
_TEXTS: Final = "; columns of CSV are texts: CAST(year AS INTEGER)"


class UnreadRowsError(InputError):
    """DuckDB cannot parse a CSV row that Python may be able to read."""


class Opened(NamedTuple):
    """A relation of DuckDB with the examples of a file.

    :param names: by the names of the file's columns, those of the relation
    """

    place: Place
    connection: Any
    relation: Any
    names: dict[str, str]


def duckdb_module() -> Any:
    """Import DuckDB.

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
    """Whether DuckDB is installed."""
    try:
        duckdb_module()
    except InputError:
        return False
    return True


@contextmanager
def opened(place: Place, wanted: Wanted, *, cleaned: bool = False) -> Iterator[Opened]:
    """Open a file of examples as a context.

    Settings are locked, and no other file can be read, whatever a condition asks.

    :param wanted: the request, whose columns the file must have
    :param cleaned: whether Python first rewrites a CSV file in a normal form for DuckDB
    :raises InputError: on a file that cannot be read or lacks a column, and on every error of DuckDB within the context
    """
    duckdb = duckdb_module()
    with tempfile.TemporaryDirectory(prefix="symmetrics-") as folder, _one_line_errors(place, wanted.where, duckdb):
        if cleaned:
            place = _cleaned(place, wanted, folder)
        is_database = place.kind == "duckdb"
        connection = duckdb.connect(place.path, read_only=True) if is_database else duckdb.connect()
        try:
            _settle(connection, place, folder)
            relation, names = _READERS[place.kind](connection, place, wanted)
            check_header(list(names), wanted.columns, place.source)
            yield Opened(place, connection, relation, names)
        finally:
            connection.close()


def _cleaned(place: Place, wanted: Wanted, folder: str) -> Place:
    """Rewrite a CSV file in a normal form (commas, plain line ends, no padding) for DuckDB.

    It has the needed columns; those without a name get one.

    :raises InputError: on a row that cannot be read, with its line
    """
    text = read_text(place.path, needs="; it needs a header row and a row per example", source=place.source)
    delimiter, header = header_of(text, wanted.columns, place.source)
    rows = itertools.islice(records(text, delimiter, place.source), 1, None)
    kept = _needed(header, wanted)
    named = [name or other for name, other in zip(header, _unique(header), strict=True)]
    copy = Path(folder) / "cleaned.csv"
    with copy.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(itertools.compress(named, kept))
        writer.writerows(itertools.compress(fields, kept) for _, fields in rows_below(header, rows, place.source))
    return replace(place, path=str(copy))


@contextmanager
def _one_line_errors(place: Place, where: str | None, duckdb: Any) -> Iterator[None]:
    try:
        yield
    except duckdb.Error as error:
        kind, text = type(error).__name__, _first_words(error)
        if place.kind == "csv" and kind == "InvalidInputException" and "CSV" in text:
            raise UnreadRowsError(f"{place.source}: {text}; check this row, its quotes and how its line ends") from None
        kind = "HTTPException" if place.is_remote and kind == "IOException" else kind
        known = _NEXT if where is None else _NEXT | _NEXT_OF_CONDITIONS
        texts = _TEXTS if kind == "BinderException" and place.kind == "csv" and where is not None else ""
        raise InputError(f"{place.source}: {text}; {known.get(kind, 'check the file')}{texts}") from None


def quoted(name: str) -> str:
    """Quote the name of a column or a table for SQL."""
    return '"' + name.replace('"', '""') + '"'


def _first_words(error: Exception) -> str:
    """Return the cause of an error: its first line, and for CSV rows also the last one, which has the reason."""
    first, *others = str(error).partition("Possible fixes:")[0].strip().splitlines()
    text = " ".join(first.split())
    if "CSV Error" in first and others:
        text = f"{text.removeprefix('Invalid Input Error: ')}: {others[-1].strip()}"
    return shortened(visible(text), 240).rstrip(".;")


def _settle(connection: Any, place: Place, folder: str) -> None:
    """Restrict a connection's memory and its access to the one file."""
    connection.execute("SET memory_limit = ?", [MEMORY])
    connection.execute("SET temp_directory = ?", [folder])
    connection.execute("SET preserve_insertion_order = false")
    connection.execute("SET enable_progress_bar = true")
    connection.execute("SET enable_progress_bar_print = false")
    connection.execute("SET TimeZone = 'UTC'")
    if place.is_remote:
        _load_httpfs(connection, place)
        connection.execute("FROM duckdb_secrets()").fetchall()  # loads the user's settings now; later is too late
    # From here on the connection can read only the files of this input, and no statement can change that.
    if place.folder:
        connection.execute("SET allowed_directories = ?", [[place.folder, literal(place.folder)]])
    elif place.kind != "duckdb":
        connection.execute("SET allowed_paths = ?", [[place.path, literal(place.path)]])
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")


def _load_httpfs(connection: Any, place: Place) -> None:
    """Load the DuckDB extension that reads remote files.

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


def _parquet(connection: Any, place: Place, wanted: Wanted) -> tuple[Any, dict[str, str]]:
    """Return the rows of all files; a column with several types gets one that holds all its values.

    :raises InputError: if some of such files lack a column that is wanted
    """
    if not place.folder:
        return _same_names(connection.read_parquet(literal(place.path), hive_partitioning=False))
    # By default DuckDB uses the first file's type: if that is integer, 0.4 in another file becomes 0.
    of_types = "count(DISTINCT (type, logical_type, converted_type)) AS types, count(DISTINCT file_name) AS files"
    found = f"SELECT name, {of_types} FROM parquet_schema(?) WHERE num_children IS NULL GROUP BY name"
    columns = {name: (types, files) for name, types, files in connection.execute(found, [place.path]).fetchall()}
    is_mixed = any(types > 1 for types, _ in columns.values())
    most = max((files for _, files in columns.values()), default=0)
    if is_mixed and (lacking := [name for name in wanted.columns if columns.get(name, (1, most))[1] < most]):
        raise InputError(f"{place.source}: not every file has a column {lacking[0]!r}; name files that have it")
    return _same_names(connection.read_parquet(place.path, hive_partitioning=True, union_by_name=is_mixed))


def _json_lines(connection: Any, place: Place, wanted: Wanted) -> tuple[Any, dict[str, str]]:
    """Return the rows, with types that hold all values; if DuckDB's sample has only integers, it would read 0.4 as 0.

    Labels and groups beyond the whole numbers that DuckDB has are read as texts: as floats, several would be one.
    """
    # First infer types from all rows; then reread numbers beyond 2**53 as texts.
    path = place.path if place.folder else literal(place.path)
    asked: dict[str, Any] = {"format": "newline_delimited", "maximum_sample_files": 2**31 - 1}
    relation = connection.read_json(path, sample_size=-1, **asked)
    types = {name: str(kind) for name, kind in zip(relation.columns, relation.types, strict=True)}
    floats = [name for name in dict.fromkeys(wanted.names) if types.get(name) == "DOUBLE"]
    largest = ", ".join(f"max(abs({quoted(name)}))" for name in floats)
    found = relation.aggregate(largest).fetchall()[0] if floats else ()
    if large := [name for name, number in zip(floats, found, strict=True) if number and number >= _LARGE]:
        types |= dict.fromkeys(large, "VARCHAR")
        relation = connection.read_json(path, columns=types, **asked)
    return _same_names(relation)


def _database(connection: Any, place: Place, _wanted: Wanted) -> tuple[Any, dict[str, str]]:
    listed = "SELECT table_schema, table_name FROM information_schema.tables WHERE table_catalog = current_database()"
    tables = sorted(connection.execute(listed).fetchall(), key=lambda table: (table[0] != "main", table))
    found = _table_by_name(tables, place.table) if place.table else tables[0] if len(tables) == 1 else None
    if found is None:
        reason = f"no table {place.table!r}" if place.table else "no table is named"
        names = (table if schema == "main" else f"{schema}.{table}" for schema, table in tables)
        raise InputError(
            f"{place.source}: {reason}; write duckdb:FILE?table=NAME, the tables are "
            f"{', '.join(map(repr, sorted(names))) or 'none'}"
        )
    return _same_names(connection.table(".".join(map(quoted, found))))


def _table_by_name(tables: list[tuple[str, str]], name: str) -> tuple[str, str] | None:
    """Resolve a table name, with or without schema, quotes and capitals; return schema and table.

    >>> _table_by_name([("main", "runs"), ("old", "runs"), ("old", "a.b")], 'OLD."a.b"')
    ('old', 'a.b')
    """
    ways: dict[str, tuple[str, str]] = {}
    times = Counter(table for _, table in tables)
    for schema, table in tables:
        is_plain = schema == "main" or times[table] == 1
        for prefix in (*([""] if is_plain else []), f"{schema}.", f"{quoted(schema)}."):
            ways.setdefault(prefix + table, (schema, table))
            ways.setdefault(prefix + quoted(table), (schema, table))
    by_case = {way.casefold(): table for way, table in reversed(ways.items())}
    return ways.get(name, by_case.get(name.casefold()))


def _csv(connection: Any, place: Place, wanted: Wanted) -> tuple[Any, dict[str, str]]:
    """Return all columns as texts, using the same header as without DuckDB."""
    if place.is_remote:  # DuckDB reads the header, and guesses the delimiter itself
        rules = {"quotechar": '"', "escapechar": '"', "comment": "", "skiprows": 0}
        return _same_names(
            connection.read_csv(place.path, all_varchar=True, header=True, union_by_name=bool(place.folder), **rules)
        )
    # Read files with the same header on the same line at once: one relation per layout.
    layouts: dict[tuple[str, int, tuple[str, ...]], list[str]] = {}
    for path, source in _files(place):
        text = _head(path, source)
        of_folders = {part.partition("=")[0] for part in Path(path).parts if "=" in part} if place.folder else set()
        delimiter, header = header_of(text, [name for name in wanted.columns if name not in of_folders], source)
        line, *_ = next(records(text, delimiter, source))
        layouts.setdefault((delimiter, line, tuple(header)), []).append(path)
    in_folders = bool(place.folder)
    parts = [
        _of_one_layout(connection, wanted, *layout, paths, in_folders=in_folders) for layout, paths in layouts.items()
    ]
    return parts[0] if len(parts) == 1 else _by_names(parts, place)


def _needed(header: Sequence[str], wanted: Wanted) -> list[bool]:
    """Columns that are requested or may occur in the condition; the rest are not read."""
    where = (wanted.where or "").casefold()
    return [
        name in wanted.columns or other.casefold() in where or (name != "" and name.casefold() in where)
        for name, other in zip(header, _unique(header), strict=True)
    ]


def _files(place: Place) -> list[tuple[str, str]]:
    """Return the path of each file, and its name in error messages."""
    if not place.folder:
        return [(place.path, place.source)]
    found = Path(place.folder).glob(str(Path(place.path).relative_to(place.folder)))
    return [(str(path), str(path)) for path in sorted(found) if path.is_file()]


def _of_one_layout(
    connection: Any,
    wanted: Wanted,
    delimiter: str,
    line: int,
    header: tuple[str, ...],
    paths: list[str],
    *,
    in_folders: bool,
) -> tuple[Any, dict[str, str]]:
    """Read the needed columns of files with the same header; return the relation and all its column names."""
    unique = _unique(header)
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
    of_folders = {name: name for name in relation.columns if name not in unique}
    trimmed = [
        f"{_STRIPPED.format(quoted(name))} AS {quoted(name)}"
        for name in itertools.compress(unique, _needed(header, wanted))
    ]
    return relation.project(", ".join([*trimmed, *map(quoted, of_folders)])), of_folders | names


def _by_names(parts: list[tuple[Any, dict[str, str]]], place: Place) -> tuple[Any, dict[str, str]]:
    """Return the rows of files with different headers; columns are matched by name.

    :raises InputError: if some files have a column that others lack
    """
    # Columns are put in the order of the first layout, by name.
    (whole, names), *others = parts
    columns = duckdb_module().ColumnExpression
    kept = [name for name, column in names.items() if column in set(whole.columns)]
    whole = whole.project(*(columns(names[name]) for name in kept))
    for relation, other in others:
        if different := sorted(set(names) ^ set(other)):
            raise InputError(
                f"{place.source}: not every file has a column {different[0]!r}; name files with the same columns"
            )
        whole = whole.union(relation.project(*(columns(other[name]).alias(names[name]) for name in kept)))
    return whole, names


def _head(path: str, source: str) -> str:
    """Return the first lines of a CSV file, complete, and at least one."""
    data, size = b"", _HEAD
    try:
        with (gzip.open if path.endswith(".gz") else open)(path, "rb") as stream:
            while b"\n" not in data and b"\r" not in data and size <= _LONGEST_HEADER:
                data += stream.read(size)
                if len(data) < size:
                    break
                size *= 2
            is_whole = not stream.read(1)
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"{source} cannot be read ({reason}); name a readable CSV file") from None
    if not is_whole:
        data = data[: max(data.rfind(b"\n"), data.rfind(b"\r")) + 1]
        if not data:
            raise InputError(f"{source}: the first line has more than {_LONGEST_HEADER:,} bytes; put a header above it")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise not_utf8(data, error, source) from None


def _unique(header: Sequence[str]) -> list[str]:
    """Make column names unique regardless of case, as DuckDB requires."""
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
    """Fetch all rows, with a progress bar.

    :param progress: whether to show a bar on standard error
    """
    from tqdm import tqdm

    with ThreadPoolExecutor(1) as pool, tqdm(total=100, unit="%", leave=False, disable=not progress) as bar:
        rows = pool.submit(relation.fetchall)
        try:
            while not rows.done():
                time.sleep(_WAIT if progress else _WAIT / 10)
                bar.update(max(0.0, file.connection.query_progress() - bar.n))
        except BaseException:  # an interruption cancels the query, too
            file.connection.interrupt()
            raise
        found: list[tuple[Any, ...]] = rows.result()
        return found
