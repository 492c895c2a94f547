"""The errors that symmetrics raises: each names the input, the reason and the next step.

All of them are ``ValueError``, so that a caller who knows nothing of this package can still catch them.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Final

__all__ = [
    "CertificateError",
    "DefinitionError",
    "FormulaError",
    "InputError",
    "SymmetricsError",
    "UnknownNameError",
    "UnsupportedError",
]


FEW_NAMES: Final = 12
"""Up to so many known names are listed in full in an error message."""


class SymmetricsError(ValueError):
    """Base class of every error that this package raises on purpose."""


class InputError(SymmetricsError):
    """Counts, labels or a file that no metric can be computed from."""


class FormulaError(SymmetricsError):
    """The text of a formula, or of a parameter's domain, that cannot be read."""


class DefinitionError(SymmetricsError):
    """A metric or a parameter whose parts do not fit together."""


class CertificateError(SymmetricsError):
    """Evidence that does not establish the verdict it stands behind."""


class UnsupportedError(SymmetricsError):
    """An expression outside the class that the exact algebra represents."""


class UnknownNameError(SymmetricsError, KeyError):
    """A key that no record has; the message suggests the nearest ones."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        names = sorted(set(known))
        nearest = difflib.get_close_matches(name, names, n=3, cutoff=0.5)
        if nearest:
            hint = f"did you mean {', '.join(nearest)}?"
        elif len(names) <= FEW_NAMES:
            hint = f"known are {', '.join(names)}"
        else:
            hint = f"list(symmetrics.{kind_plural(kind)}) has them all"
        super().__init__(f"unknown {kind} {name!r}: {hint}")

    def __str__(self) -> str:
        return str(self.args[0])


def kind_plural(kind: str) -> str:
    """Return the plural of a kind of record.

    >>> kind_plural("metric"), kind_plural("property")
    ('metrics', 'properties')
    """
    return kind[:-1] + "ies" if kind.endswith("y") else kind + "s"
