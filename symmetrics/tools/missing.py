"""Missing labels: the texts that stand for one, and what is done with an example that lacks a label."""

from __future__ import annotations

from typing import Final, Literal, get_args

from symmetrics.tools.errors import InputError

Missing = Literal["refuse", "drop", "keep"]
"""What to do with missing labels: raise an error, leave the examples out, or take the marks for labels."""

MARKS: Final = frozenset(
    [
        "",
        "#N/A",
        "#N/A N/A",
        "#NA",
        "-1.#IND",
        "-1.#QNAN",
        "-NaN",
        "-nan",
        "1.#IND",
        "1.#QNAN",
        "<NA>",
        "<na>",
        "?",
        "N/A",
        "NA",
        "NAN",
        "NULL",
        "NaN",
        "NaT",
        "None",
        "n/a",
        "na",
        "nan",
        "null",
    ]
)
"""Texts that programs write in place of a missing value: those that pandas.read_csv takes for one, with the ``?`` of
ARFF files, NaT and two further spellings.  A lower-case ``none`` is not among them: many a scale begins with it."""


def is_mark(label: object) -> bool:
    """Return whether a label is a text that stands for a missing value.

    >>> is_mark("NA"), is_mark(" nan "), is_mark("none"), is_mark(0)
    (True, True, False, False)
    """
    return isinstance(label, str) and label.strip() in MARKS


def as_missing(option: object, name: str = "missing") -> Missing:
    """Return what is to be done with missing labels, checked.

    :param name: what an error calls the option
    :raises InputError: if it is none of the three choices

    >>> as_missing("drop")
    'drop'
    """
    for choice in get_args(Missing):
        if isinstance(option, str) and option == choice:
            return choice  # type: ignore[no-any-return]
    raise InputError(
        f"{name}={option!r} is not a way to treat missing labels; pass 'refuse', 'drop' to leave their examples out, "
        "or 'keep' to take marks such as 'NA' for labels"
    )
