"""The errors that symmetrics raises: each names the input, the reason and the next step.

All of them are ``ValueError``, so that a caller who knows nothing of this package can still catch them.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Final

FEW_NAMES: Final = 12
"""Largest number of known names that an error message lists in full."""


LONGEST_SHOWN: Final = 60
"""Longer names and texts are shortened in messages."""


class SymmetricsError(ValueError):
    """Base class of every error that this package raises on purpose."""


class InputError(SymmetricsError):
    """Invalid counts, labels or file."""


class LabelWarning(UserWarning):
    """Labels that look like a mistake, such as the name of a class that no example has."""


class FormulaError(SymmetricsError):
    """The text of a formula, or of a parameter's domain, that cannot be read."""


class UndeclaredNameError(FormulaError):
    """An undeclared name in a formula; callers that expect no parameters replace the advice.

    :param name: the name
    :param nearest: suggestions, empty if nothing is similar
    :param formula: the formula as it is shown, empty while it is read
    :param is_meant: whether the name means just that, so that whoever declared it would ask about another formula
    """

    def __init__(self, name: str, nearest: str = "", formula: str = "", is_meant: bool = False) -> None:
        self.name, self.nearest, self.formula, self.is_meant = name, nearest, formula, is_meant
        super().__init__(name, nearest, formula, is_meant)

    def __str__(self) -> str:
        declared = f'"{self.name} in [0, 1]"'
        return self.advising(
            f"a parameter is declared with --param {declared} on the command line, and in Python with "
            f"Metric(name, formula, parameters={declared})"
        )

    def advising(self, advice: str) -> str:
        """Return the message with different advice (starting in lower case), unless the name is a known one."""
        if self.is_meant:
            return f"{self.problem}: write {self.nearest}, its name in formulas"
        hint = f"did you mean {self.nearest}? {advice[0].upper()}{advice[1:]}" if self.nearest else advice
        return f"{self.problem}: {hint}"

    @property
    def problem(self) -> str:
        """The message without advice."""
        return (
            f"formula {self.formula!r}: unknown name {self.name!r}" if self.formula else f"unknown name {self.name!r}"
        )


class DefinitionError(SymmetricsError):
    """Inconsistent definition of a metric or a parameter."""


class CertificateError(SymmetricsError):
    """Evidence that does not establish its verdict."""


class UnsupportedError(SymmetricsError):
    """An expression outside the class that the exact algebra represents."""


class BudgetError(SymmetricsError):
    """A question that exceeded its budget of time or memory."""


_LISTED: Final = {
    "metric": "'symmetrics list metrics' has them all",
    "property": "'symmetrics list properties' has them all",
    "metric or property": "'symmetrics list metrics' and 'symmetrics list properties' have them all",
    "name of a metric, property, paper or claim": "see 'symmetrics list' with metrics, properties, papers or claims",
}
"""Commands that list the known names, by kind."""


class UnknownNameError(SymmetricsError, KeyError):
    """An unknown key; the message suggests the nearest ones, or says where else to look."""

    def __init__(self, kind: str, name: str, known: Iterable[str], elsewhere: str | None = None) -> None:
        self.kind, self.name, self.known, self.elsewhere = kind, name, tuple(known), elsewhere
        super().__init__(kind, name, self.known, elsewhere)

    def __str__(self) -> str:
        """Return the message, built only when read: many errors are caught and never shown."""
        name = shortened(self.name)
        return f"unknown {self.kind} {name!r}: {self._hint(name)}"

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"

    def _hint(self, name: str) -> str:
        names = sorted(set(self.known))
        if self.elsewhere is not None:
            return self.elsewhere
        if nearest := nearest_names(name, names):
            return f"did you mean {', '.join(nearest)}?"
        if self.kind in _LISTED:
            return _LISTED[self.kind]
        if len(names) <= FEW_NAMES or " " in self.kind:
            return f"known are {', '.join(names)}"
        return f"in Python, list(symmetrics.{kind_plural(self.kind)}) has them all"


def nearest_names(name: str, known: Iterable[str], count: int = 3) -> list[str]:
    """Return up to *count* known names that resemble a name, the nearest first, whatever their case.

    >>> nearest_names("MCC", ["mcc", "acc", "kappa"]), nearest_names("tp", ["TP", "pi"], 1)
    (['mcc', 'acc'], ['TP'])
    """
    by_case = {candidate.casefold(): candidate for candidate in known}
    return [by_case[key] for key in difflib.get_close_matches(name.casefold(), by_case, n=count, cutoff=0.5)]


def kind_plural(kind: str) -> str:
    """Return the plural of a kind of record.

    >>> kind_plural("metric"), kind_plural("property")
    ('metrics', 'properties')
    """
    return kind[:-1] + "ies" if kind.endswith("y") else kind + "s"


def shortened(text: str, longest: int = LONGEST_SHOWN) -> str:
    """Return a text, or its beginning if it has more than 60 characters."""
    return text if len(text) <= longest else text[: longest - 3] + "..."
