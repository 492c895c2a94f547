"""Orders in CSV files: two columns of classes, each row a pair of which the first is below the second.

A file is UTF-8 text; commas, semicolons and tabs are recognised as separators by which of them makes two columns of the
first row.  Blanks around names do not count, and neither do blank lines.  The first row is a header if it names the
columns ``below`` and ``above``, or with other words of :data:`LOWER_NAMES` and :data:`UPPER_NAMES` among others, such
as ``less relevant``, whatever their case; with the columns in the other sequence the pairs are turned round.  A row
that may be either, because a later row has one of its names, is refused until one says what it is.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from os import PathLike
from typing import Final

from symmetrics.posets.names import shown
from symmetrics.tools.errors import InputError
from symmetrics.tools.files import read_text, source_name
from symmetrics.tools.words import number_of

__all__ = ["LOWER_NAMES", "UPPER_NAMES", "read_order"]

LOWER_NAMES: Final = frozenset(["below", "less", "lesser", "low", "lower", "smaller", "from", "source"])
"""What the column of the lower, less relevant classes may be called."""
UPPER_NAMES: Final = frozenset(["above", "more", "greater", "high", "higher", "upper", "larger", "to", "target"])
"""What the column of the upper, more relevant classes may be called."""

_CLASS_NAMES: Final = frozenset(["class", "classes", "label", "name"])
_DELIMITERS: Final = (",", ";", "\t")


def read_order(path: str | PathLike[str], *, header: bool | None = None) -> list[tuple[str, str]]:
    r"""Read pairs (a, b), with a below b, from a CSV file of two columns; ``-`` is standard input.

    :param path: the file
    :param header: whether the first row is a header; by default it is one if it names the columns, see above
    :raises InputError: if the file cannot be read, a row has other than two columns, or a pair puts a class below
        itself or stands there twice; the message names the file and the line

    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "order.csv"
    ...     _ = file.write_text("below,above\nc,a\nc,b\n")
    ...     read_order(file)
    [('c', 'a'), ('c', 'b')]
    """
    source = source_name(path)
    text = read_text(path, needs=": write a row 'a,b' for each class a below a class b")
    rows = list(_rows(text, _delimiter(text, source), source))
    turned, named = _header(rows[0][1]) if rows else (False, False)
    if named and header is None and any(not {*rows[0][1]}.isdisjoint(pair) for _, pair in rows[1:]):
        names = ", ".join(map(shown, rows[0][1]))
        raise InputError(
            f"{source}, line {rows[0][0]}: {names} may be a header or a pair: say header=True or False, or --header or "
            "--no-header"
        )
    if named if header is None else header:
        del rows[0]
    if not rows:
        raise InputError(f"{source} holds no pair: write a row 'a,b' for each class a below a class b")
    return _checked([(line, pair[::-1] if turned and header is not False else pair) for line, pair in rows], source)


def _header(names: tuple[str, str]) -> tuple[bool, bool]:
    """Return whether the first column holds the upper classes, and whether these are names of columns at all."""
    first, second = ({*re.split(r"[\W_]+", name.casefold())} for name in names)
    turned = bool(first & UPPER_NAMES and second & (LOWER_NAMES | _CLASS_NAMES))
    return turned, turned or bool(first & (LOWER_NAMES | _CLASS_NAMES) and second & UPPER_NAMES)


def _checked(rows: list[tuple[int, tuple[str, str]]], source: str) -> list[tuple[str, str]]:
    lines: dict[tuple[str, str], int] = {}
    for line, (lower, upper) in rows:
        pair = f"the pair ({shown(lower)}, {shown(upper)})"
        if lower == upper:
            raise InputError(f"{source}, line {line}: {pair} puts a class below itself: drop it")
        if (lower, upper) in lines:
            raise InputError(f"{source}, line {line}: {pair} stands already on line {lines[lower, upper]}: drop one")
        lines[lower, upper] = line
    return list(lines)


def _rows(text: str, delimiter: str, source: str) -> Iterator[tuple[int, tuple[str, str]]]:
    """Yield the number of its first line and the two fields of every row that is not blank."""
    for line, fields in _records(text, delimiter, source):
        if len(fields) != 2:
            raise InputError(f"{source}, line {line}: {_counted(fields)} where a pair has two columns: write 'a,b'")
        if not all(fields):
            raise InputError(f"{source}, line {line}: a class without a name: fill in both columns")
        yield line, (fields[0], fields[1])


def _counted(fields: list[str]) -> str:
    return number_of(len(fields), "column")


def _records(text: str, delimiter: str, source: str) -> Iterator[tuple[int, list[str]]]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    while True:
        line = reader.line_num + 1
        try:
            fields = [field.strip() for field in next(reader)]
        except StopIteration:
            return
        except csv.Error as error:
            raise InputError(f"{source}, line {line}: {error}; check the quotes of this row") from None
        if len(fields) > 1 or any(fields):
            yield line, fields


def _delimiter(text: str, source: str) -> str:
    """Return the delimiter that makes two columns of the first row that is not blank, else the comma."""
    fitting = []
    for delimiter in _DELIMITERS:
        try:
            line, fields = next(_records(text, delimiter, source))
        except InputError:
            continue
        if len(fields) == 2:
            fitting.append(delimiter)
    if len(fitting) > 1:
        raise InputError(f"{source}, line {line}: two separators fit, {fitting!r}; put names that hold one in quotes")
    return fitting[0] if fitting else _DELIMITERS[0]
