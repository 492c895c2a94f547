"""Rules for label columns in text files: rows, header, missing labels, spellings and the positive label, i.e. which
labels are missing, which are one label in several spellings, and which one is positive.

Every reader of files takes these rules from here, so that a file has the same labels whoever reads it.
"""

from __future__ import annotations

import csv
import difflib
import io
import re
import shlex
from collections.abc import Collection, Iterable, Iterator, Mapping
from decimal import Decimal
from typing import Final, NamedTuple

from symmetrics.data.encoding import listed
from symmetrics.data.labels import conventional_positive, positive_beside
from symmetrics.tools.arguments import Missing, is_mark
from symmetrics.tools.errors import InputError, shortened
from symmetrics.tools.texts import number_of

NUMBER: Final = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?", re.ASCII)
"""Pattern of a number; Python itself also reads ``1_0`` as 10."""
_DELIMITERS: Final = (",", ";", "\t")
_LONGEST_FIELD: Final = 2**31 - 1
"""Largest size of a field in characters; Python's own limit of 131,072 is shorter than an article."""
_ONE_OR_ALL: Final = "pass --positive VALUE for one class against the rest, or --average macro for all of them"


def records(text: str, delimiter: str, source: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the first line number and the fields of every non-blank row, with any line endings."""
    lines = io.StringIO(text, newline=None)
    reader = csv.reader(lines, delimiter=delimiter, strict=True, skipinitialspace=True)
    before = csv.field_size_limit(_LONGEST_FIELD)
    try:
        while True:
            line = reader.line_num + 1
            try:
                fields = next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                raise InputError(f"{source}, line {line}: {error}; check the quotes of this row") from None
            if len(fields) > 1 or any(value.strip() for value in fields):
                yield line, [value.strip() for value in fields]
    finally:
        csv.field_size_limit(before)


def rows_below(
    header: list[str], rows: Iterable[tuple[int, list[str]]], source: str
) -> Iterator[tuple[int, list[str]]]:
    """Yield the line number and one field per column for every row below a header.

    Empty fields behind the last column are those of delimiters at the end of a line.

    :raises InputError: on a row with more or fewer fields
    """
    width = len(header)
    for line, fields in rows:
        surplus, absent = fields[width:], header[len(fields) :]
        if any(surplus) or any(absent):
            advice = "give every column a field"
            if len(surplus) == 1:
                advice += ", and if the first one is the name of the row, add a name for it to the header"
            raise InputError(
                f"{source}, line {line}: {number_of(len(fields), 'field')} where the header has {width}; {advice}"
            )
        yield line, [*fields[:width], *absent]


def header_of(text: str, wanted: list[str], source: str) -> tuple[str, list[str]]:
    """Return the delimiter that finds most of the requested columns, or else most columns, and its header."""
    candidates: list[tuple[int, int, str, list[str]]] = []
    refusal: InputError | None = None
    for delimiter in _DELIMITERS:
        try:
            first = next(records(text, delimiter, source), None)
        except InputError as error:
            refusal = refusal or error
            continue
        if first is not None:  # a text of blank lines has no row
            names = first[1]
            candidates.append((len(set(wanted) & set(names)), len(names), delimiter, names))
    if not candidates and refusal is None:
        raise InputError(f"{source} is empty; it needs a header row and a row per example")
    *_, delimiter, names = max(candidates, key=lambda candidate: candidate[:2], default=(0, 0, "", []))
    absent = [name for name in wanted if name not in names]
    if absent and re.match(r"[\[{]\s*[\[{\"]", text):
        raise InputError(
            f"{source}: this is JSON, of which files are read that have an object on each line, with the names of "
            "columns in each, and end in .jsonl"
        )
    if absent and (blanks := _separated_by_blanks(text, wanted)):
        raise InputError(
            f"{source}: the names in the header ({shortened(blanks)}) are separated by blanks; write the file with "
            "commas or tabs between the fields, as write.csv in R does, or write.table with sep=','"
        )
    if absent and refusal is not None:
        raise refusal
    if absent and len(names) == 1:
        raise InputError(
            f"{source}: no column {absent[0]!r}; the header names {shortened(names[0])!r} alone; the header is the "
            "first line, with a comma, a semicolon or a tab between names"
        )
    check_header(names, wanted, source)
    return delimiter, names


def _separated_by_blanks(text: str, wanted: list[str]) -> str:
    """Return the first line if it contains the requested names separated by blanks, else an empty text."""
    first = next(filter(str.strip, text.splitlines()), "")
    names = {name.strip("\"'") for name in first.split()}
    return " ".join(first.split()) if len(names) > 1 and names.issuperset(wanted) else ""


def check_header(header: list[str], wanted: list[str], source: str) -> None:
    """Raise unless a header names each wanted column once."""
    for name in wanted:
        if not name or name not in header:
            by_case = {column.casefold(): column for column in reversed(header) if column}
            nearest = difflib.get_close_matches(name.casefold(), by_case, n=3, cutoff=0.5)
            advice = f"did you mean {' or '.join(repr(by_case[key]) for key in nearest)}? " if nearest else ""
            columns = ", ".join(repr(shortened(column)) for column in header[:20]) + (
                ", ..." if len(header) > 20 else ""
            )
            is_example = set(header).isdisjoint(wanted) and any(NUMBER.fullmatch(column) for column in header)
            first = "; if that is an example, put a line with the names of the columns above it" if is_example else ""
            raise InputError(f"{source}: no column {name!r}; {advice}the header names {columns}{first}")
        if header.count(name) > 1:
            raise InputError(
                f"{source}: {number_of(header.count(name), 'column')} are named {name!r}; rename all but one"
            )


def is_left_out(label: str, missing: Missing) -> bool:
    """Whether a text is a missing label: always if empty; a mark such as ``NA`` unless marks count as labels.

    >>> is_left_out("NA", "refuse"), is_left_out("NA", "keep"), is_left_out("", "keep"), is_left_out("no", "drop")
    (True, False, True, False)
    """
    return not label or (missing != "keep" and is_mark(label))


def missing_label(label: str, column: str, where: str, rows: int | None = None) -> InputError:
    """Return the error for a missing label, with the possible remedies.

    :param where: the file, and the line where it is known
    :param rows: how many such rows there are, if they were counted
    """
    counted = "" if rows is None else f" in {number_of(rows, 'row')}"
    advice = "to leave such examples out, pass --missing drop"
    if not label:
        return InputError(f"{where}: column {column!r} is empty{counted}; fill in the label, or {advice}")
    return InputError(
        f"{where}: column {column!r} has {label!r}, a missing label{counted}; fill it in; {advice}; if {label!r} is "
        "the name of a class, pass --missing keep"
    )


def nothing_left(source: str) -> InputError:
    """Return the error for a file in which every example is missing a label."""
    return InputError(f"{source}: every example lacks a label, and none is left; name other columns or fill them in")


class Spelling(NamedTuple):
    """Normalisation of labels with several spellings.

    :param spelled: by the texts of a file, the labels that differ from them
    :param is_of_numbers: whether all labels are numbers; equal numbers are one label
    """

    spelled: Mapping[str, str]
    is_of_numbers: bool

    def __call__(self, text: str) -> str:
        """Return the label that a text stands for; it need not occur in the file."""
        found = self.spelled.get(text)
        if found is None and self.is_of_numbers:
            found = _plain_number(text)
        return text if found is None else found


def spelling_of(texts: Collection[str]) -> Spelling:
    """Return the normalisation of labels: if all are numbers, equal numbers are one label, in the shortest spelling.

    Many programs turn 1 into 1.0 in a column with gaps, R writes 1e+05 for 100000, and some write +1 beside -1.  Marks
    of missing values that are kept as labels stay as they are, and keep no numbers apart.

    >>> spell = spelling_of(["+1", "-1.0", "1e+05", "2.50"])
    >>> spell("+1"), spell("-1.0"), spell("100000"), spell("2.5")
    ('1', '-1', '100000', '2.5')
    >>> spelling_of(["1.0", "1", "one"])("1.0")
    '1.0'
    """
    numbers = {text: _plain_number(text) for text in texts if not is_mark(text)}
    spelled = {text: number for text, number in numbers.items() if number is not None}
    is_of_numbers = bool(numbers) and len(spelled) == len(numbers)
    return Spelling(spelled if is_of_numbers else {}, is_of_numbers)


def _plain_number(text: str) -> str | None:
    """Return the shortest exact decimal without exponent; None for what is not a number."""
    if NUMBER.fullmatch(text) is None:
        return None
    plain = f"{Decimal(text):f}"
    if "." in plain:
        plain = plain.rstrip("0").rstrip(".")
    return "0" if not plain.strip("-0") else plain


def check_labels(true_labels: set[str], predicted_labels: set[str], prediction: str, source: str) -> None:
    """Raise on columns that cannot be a truth and its prediction."""
    labels = true_labels | predicted_labels
    if len(labels) > 2 and sum("." in (_plain_number(label) or "") for label in predicted_labels) > 1:
        advice = "name a column of labels; 'symmetrics score' takes scores with --score"
        raise InputError(f"{source}: column {prediction!r} holds scores rather than labels; {advice}")
    are_numbers = ({_plain_number(label) is not None for label in side} for side in (true_labels, predicted_labels))
    spelled = ({label.casefold() for label in side} for side in (true_labels, predicted_labels))
    are_unlike = len(labels) > 2 or set.isdisjoint(*are_numbers) or not set.isdisjoint(*spelled)
    if true_labels.isdisjoint(predicted_labels) and are_unlike:
        pair = f"{listed(sorted(true_labels))} in truth and {listed(sorted(predicted_labels))} in prediction"
        raise InputError(f"{source}: the labels {pair} have none in common; write them alike")


def positive_label(labels: list[str], positive: str | None, source: str) -> str:
    """Return the positive label: the given one, else the conventional one.

    Of a single label the positive one may be another: then no example is positive, nor predicted to be.

    :raises InputError: if there is no convention, and on a named label that does not occur beside several others
    """
    if positive is not None:
        if positive not in labels and not (positive and len(labels) == 1 and _differ(positive, labels[0])):
            raise InputError(f"{source}: no label is {positive!r}; pass --positive with one of {listed(labels)}")
        return positive
    if len(labels) > 2:
        check_classes(labels, source)
        raise InputError(_too_many(labels, source, _ONE_OR_ALL))
    by_convention = conventional_positive(labels) if len(labels) > 1 else positive_beside(labels[0])
    if by_convention is None and len(labels) == 1:
        raise InputError(
            f"{source}: the only label, {listed(labels)}, does not say which class is positive; pass --positive "
            f"{_as_argument(labels[0])}, or the other class with --positive VALUE"
        )
    if by_convention is None:
        choices = " or ".join(f"--positive {_as_argument(label)}" for label in labels)
        raise InputError(f"{source}: the labels {listed(labels)} do not say which is positive; pass {choices}")
    return str(by_convention)


def _differ(one: str, other: str) -> bool:
    """Whether two labels differ other than in case."""
    return one.casefold() != other.casefold()


def in_label_order(labels: Iterable[str]) -> list[str]:
    """Return the distinct labels in order: numbers by value; alphabetical if any is not a number.

    >>> in_label_order(["10", "9", "9"]), in_label_order(["b", "10", "9"])
    (['9', '10'], ['10', '9', 'b'])
    """
    every = sorted(set(labels))
    return sorted(every, key=Decimal) if all(map(NUMBER.fullmatch, every)) else every


def check_classes(labels: Iterable[str], source: str) -> None:
    """Raise if two of more than two labels are probably spellings of one class.

    :raises InputError: on two that differ in capitals alone
    """
    every = in_label_order(labels)
    alike = {label.casefold(): label for label in every}
    twice = next((label for label in every if alike[label.casefold()] != label), None)
    if twice is not None:
        spelled = f"{twice!r} and {alike[twice.casefold()]!r} differ in capitals alone: write them alike"
        raise InputError(_too_many(every, source, f"{spelled}, or {_ONE_OR_ALL}"))


def _too_many(labels: list[str], source: str, advice: str) -> str:
    return f"{source}: {number_of(len(labels), 'label')} ({listed(labels)}) where metrics take two classes; {advice}"


def _as_argument(label: str) -> str:
    """Quote a label for a shell, on one line."""
    return shlex.quote(label) if label.isprintable() else repr(label)
