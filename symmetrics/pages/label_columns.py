"""What columns of labels in files have in common: the header that names them, and which label is positive."""

from __future__ import annotations

import csv
import difflib
import io
import re
import shlex
from collections.abc import Collection, Iterable, Iterator
from typing import Final

from symmetrics.numeric.labels import conventional_positive, listed
from symmetrics.tools.errors import InputError, shortened
from symmetrics.tools.words import number_of

__all__ = [
    "check_classes",
    "check_header",
    "check_labels",
    "header_of",
    "in_label_order",
    "is_missing_label",
    "positive_label",
    "records",
    "same_spellings",
]

_DELIMITERS: Final = (",", ";", "\t")
_NUMBER: Final = re.compile(r"[+-]?\d*\.?\d+(?:[eE][+-]?\d+)?", re.ASCII)
_WHOLE: Final = re.compile(r"(?:\+(?=\d))?(-?\d+)(?:\.0*)?", re.ASCII)
_FRACTION: Final = re.compile(r"[+-]?\d*\.\d+(?:[eE][+-]?\d+)?")
_MISSING: Final = frozenset(["", "nan", "<na>"])
_ONE_OR_ALL: Final = "pass --positive VALUE for one class against the rest, or --average macro for all of them"
_PERHAPS_MISSING: Final = frozenset(["na", "n/a", "null", "none", "?"])
"""What other programs write for a missing value, and may be a label as well."""


def records(text: str, delimiter: str, source: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the number of its first line and the fields of every row that is not blank."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
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


def header_of(text: str, wanted: list[str], source: str) -> tuple[str, list[str]]:
    """Return the delimiter that finds most of the wanted columns, or else most columns, and the header it yields."""
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
    if not candidates:
        raise refusal or InputError(f"{source} is empty; it needs a header row and a row per example")
    *_, delimiter, names = max(candidates, key=lambda candidate: candidate[:2])
    absent = [name for name in wanted if name not in names]
    if absent and re.match(r"[\[{]\s*[\[{\"]", text):
        raise InputError(
            f"{source}: this is JSON, of which files are read that have an object on each line, with the names of "
            "columns in each, and end in .jsonl"
        )
    if absent and len(names) == 1:
        raise InputError(
            f"{source}: no column {absent[0]!r}; the header names {shortened(names[0])!r} alone; the header is the "
            "first line, with a comma, a semicolon or a tab between names"
        )
    check_header(names, wanted, source)
    return delimiter, names


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
            is_example = set(header).isdisjoint(wanted) and any(_NUMBER.fullmatch(column) for column in header)
            first = "; if that is an example, put a line with the names of the columns above it" if is_example else ""
            raise InputError(f"{source}: no column {name!r}; {advice}the header names {columns}{first}")
        if header.count(name) > 1:
            raise InputError(
                f"{source}: {number_of(header.count(name), 'column')} are named {name!r}; rename all but one"
            )


def is_missing_label(label: str) -> bool:
    """Return whether a text stands for a missing label.

    >>> is_missing_label("NaN"), is_missing_label("no")
    (True, False)
    """
    return label.casefold() in _MISSING


def same_spellings(labels: Collection[str]) -> dict[str, str]:
    """Return one spelling for whole numbers, if all labels are.

    Many programs turn 1 into 1.0 in a column with gaps, and some write +1 beside -1.

    >>> same_spellings(["+1", "-1.0"])
    {'+1': '1', '-1.0': '-1'}
    """
    whole = {label: match[1] for label in labels if (match := _WHOLE.fullmatch(label))}
    return whole if len(whole) == len(labels) else {}


def check_labels(true_labels: set[str], predicted_labels: set[str], prediction: str, source: str) -> None:
    """Raise on a single label, and on columns that cannot be a truth and its prediction."""
    labels = true_labels | predicted_labels
    if len(labels) == 1:
        only = next(iter(labels))
        raise InputError(
            f"{source}: the only label is {only!r}; metrics compare classes, so that examples of two are needed"
        )
    if len(labels) == 2:
        return
    if sum(_FRACTION.fullmatch(label) is not None for label in predicted_labels) > 1:
        advice = "name a column of labels; 'symmetrics score' takes scores with --score"
        raise InputError(f"{source}: column {prediction!r} holds scores rather than labels; {advice}")
    if true_labels.isdisjoint(predicted_labels):
        pair = f"{listed(sorted(true_labels))} in truth and {listed(sorted(predicted_labels))} in prediction"
        raise InputError(f"{source}: the labels {pair} have none in common; write them alike")


def positive_label(labels: list[str], positive: str | None, source: str) -> str:
    """Return the label that is positive: as told, else by convention."""
    if positive is not None:
        if positive not in labels:
            raise InputError(f"{source}: no label is {positive!r}; pass --positive with one of {listed(labels)}")
        return positive
    if len(labels) > 2:
        check_classes(labels, source)
        raise InputError(_too_many(labels, source, _ONE_OR_ALL))
    by_convention = conventional_positive(labels)
    if by_convention is None:
        choices = " or ".join(f"--positive {_as_argument(label)}" for label in labels)
        raise InputError(f"{source}: the labels {listed(labels)} do not say which is positive; pass {choices}")
    return str(by_convention)


def in_label_order(labels: Iterable[str]) -> list[str]:
    """Return labels, each once, in their order: numbers by size, and texts by their letters if any is no number.

    >>> in_label_order(["10", "9", "9"]), in_label_order(["b", "10", "9"])
    (['9', '10'], ['10', '9', 'b'])
    """
    every = sorted(set(labels))
    return sorted(every, key=float) if all(map(_NUMBER.fullmatch, every)) else every


def check_classes(labels: Iterable[str], source: str) -> None:
    """Raise on more than two labels of which one is probably no class of its own, unless that was asked for.

    :raises InputError: on two that differ in capitals alone, and on one that may stand for a missing label
    """
    every = in_label_order(labels)
    advice = _ONE_OR_ALL
    absent = next((label for label in every if label.casefold() in _PERHAPS_MISSING), None)
    if absent is not None:
        advice = f"if {absent!r} stands for a missing label, fill it in or remove the rows, or else {advice}"
        raise InputError(_too_many(every, source, advice))
    alike = {label.casefold(): label for label in every}
    twice = next((label for label in every if alike[label.casefold()] != label), None)
    if twice is not None:
        advice = f"{twice!r} and {alike[twice.casefold()]!r} differ in capitals alone: write them alike, or {advice}"
        raise InputError(_too_many(every, source, advice))


def _too_many(labels: list[str], source: str, advice: str) -> str:
    return f"{source}: {number_of(len(labels), 'label')} ({listed(labels)}) where metrics take two classes; {advice}"


def _as_argument(label: str) -> str:
    """Return a label as it is typed in a shell, on one line in any case."""
    return shlex.quote(label) if label.isprintable() else repr(label)
