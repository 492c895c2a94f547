"""Formulas that were refused, kept in a file, so that a search that was cut off is resumed where it was."""

from __future__ import annotations

import json
from collections.abc import Sequence
from os import PathLike
from pathlib import Path

from sympy import Expr

from symmetrics.language.formula import formula_text
from symmetrics.tools.errors import InputError
from symmetrics.tools.files import check_writable

__all__ = ["Refused"]


class Refused:
    """Formulas that have not what is asked for: they are not decided again.

    Each is written when it is refused; a line that an interruption left unfinished is not read.

    :param path: the file, which need not exist; None to keep nothing
    :param require: the properties that are asked for
    :param forbid: those that are to be missing
    :raises InputError: if the file cannot be read or written, or is one of another question
    """

    def __init__(self, path: str | PathLike[str] | None, require: Sequence[str], forbid: Sequence[str]) -> None:
        self.path = None if path is None else Path(path)
        self.formulas: set[str] = set()
        if self.path is None:
            return
        question = json.dumps({"require": sorted(require), "forbid": sorted(forbid)})
        check_writable(self.path)
        if not self.path.exists():
            self._append(question)
            return
        try:
            first, *lines = self.path.read_text(encoding="utf-8").split("\n")
        except (OSError, ValueError) as error:
            raise InputError(f"cannot read {self.path}: {error}; name another file, or a new one") from None
        if first != question:
            raise InputError(f"{self.path} is no file of a search for {question}; name another file, or a new one")
        # What stands after the last end of a line was not finished.
        self.formulas.update(lines[:-1])

    def __contains__(self, formula: Expr) -> bool:
        return self.path is not None and formula_text(formula) in self.formulas

    def add(self, formula: Expr) -> None:
        """Keep a formula that was refused."""
        if self.path is not None:
            self._append(formula_text(formula))

    def _append(self, line: str) -> None:
        assert self.path is not None
        try:
            with self.path.open("a", encoding="utf-8", newline="\n") as file:
                file.write(f"{line}\n")
        except OSError as error:
            raise InputError(f"cannot write {self.path}: {error.strerror}; name another file") from None
