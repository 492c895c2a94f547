"""Reference: a work of the literature that records cite by its key."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from symmetrics.tools.errors import DefinitionError

__all__ = ["Reference"]

_KEY: Final = re.compile(r"[a-z]+\d{4}[a-z]?")


@dataclass(frozen=True)
class Reference:
    """A published work.

    :param name: the key, the first author's surname and a year: ``cohen1960``
    :param authors: surname first, then the initials, in the order of the title page
    :param year: year of publication
    :param title: title of the work
    :param venue: where it appeared, with volume and pages where it has them
    :param aliases: other keys that are in use for the same work

    >>> print(Reference("youden1950", ("Youden, W. J.",), 1950, "Index for rating diagnostic tests", "Cancer 3: 32-35"))
    Youden, W. J. (1950). Index for rating diagnostic tests. Cancer 3: 32-35.

    :raises DefinitionError: if the key is not a surname and a year in lower case, or a part is missing
    """

    name: str
    authors: tuple[str, ...]
    year: int
    title: str
    venue: str
    aliases: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for key in (self.name, *self.aliases):
            if not _KEY.fullmatch(key):
                raise DefinitionError(f"reference {key!r}: a key is a surname and a year in lower case, as cohen1960")
        if not (self.authors and self.title and self.venue):
            raise DefinitionError(f"reference {self.name}: authors, title and venue are all needed")

    def __str__(self) -> str:
        return f"{', '.join(self.authors)} ({self.year}). {self.title}. {self.venue}."
