"""Example data that ships with the package: real predictions of a real classifier."""

from __future__ import annotations

from pathlib import Path

from symmetrics.tools.errors import InputError

__all__ = ["path"]


def __dir__() -> list[str]:
    return sorted(__all__)


def path(name: str) -> Path:
    """Return where the example data *name* is installed.

    >>> path("digits").name
    'digits.csv'

    :raises InputError: if there is no such example
    """
    folder = Path(__file__).parent
    known = {file.stem: file for file in sorted(folder.glob("*.csv"))}
    if name not in known:
        raise InputError(f"example {name!r}: no such example; there is {', '.join(known)}")
    return known[name]
