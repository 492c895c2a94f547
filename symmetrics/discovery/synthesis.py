"""Find formulas with given properties: all distinct ones up to some size are looked at, and what is found is proved."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Final

import numpy as np
from sympy import Expr, cancel
from tqdm import tqdm

from symmetrics.claims.theorems.implications import Theorem
from symmetrics.discovery.formulas import ARITHMETIC, LEAVES, MEGABYTES, RATES, Formulas
from symmetrics.discovery.possible import SCREENED, excluded_by, is_so, named, properties_asked
from symmetrics.discovery.residues import OPERATIONS
from symmetrics.discovery.theorems import laws
from symmetrics.language.cells import CELLS
from symmetrics.language.writer import formula_text
from symmetrics.library.selections import as_metric
from symmetrics.metric import Metric
from symmetrics.query.relations import relate
from symmetrics.tools.budget import SECONDS, checkpoint, within
from symmetrics.tools.documents import Block, Paragraph, Strong
from symmetrics.tools.errors import BudgetError, InputError
from symmetrics.tools.files import check_writable
from symmetrics.tools.words import number_of

# -- Formulas that were refused, kept in a file, so that a search that was cut off is resumed where it was -------------


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


# ----------------------------------------------------------------------------------------------------------------------


MOST_LEAVES: Final = 5


@dataclass(frozen=True)
class Synthesis:
    """Formulas with some properties and without others, simplest first.

    :param require: the properties that they have, each proved
    :param forbid: those that they lack, each refuted
    :param size: the largest number of leaves that was looked at
    :param looked_at: how many distinct formulas were looked at, the leaves among them
    :param metrics: those that were found
    :param undecided: formulas that may have the properties, which the prover could not decide
    :param theorems: why there is none, where theorems about all metrics exclude it
    :param remark: that the search was cut off, and at what
    """

    require: tuple[str, ...]
    forbid: tuple[str, ...]
    size: int
    looked_at: int
    metrics: tuple[Metric, ...] = ()
    undecided: tuple[Expr, ...] = ()
    theorems: tuple[Theorem, ...] = ()
    remark: str = ""

    @property
    def blocks(self) -> list[Block]:
        """The formulas as a document."""
        return [Paragraph((Strong(str(self)),))]

    def __str__(self) -> str:
        if self.theorems:
            return f"Impossible for every metric but a constant: {'; '.join(map(str, self.theorems))}."
        leaves = "1 leaf" if self.size == 1 else f"{self.size} leaves"
        among = f"{number_of(self.looked_at, 'distinct formula')} of up to {leaves}"
        left = f"; {number_of(len(self.undecided), 'formula')} could not be decided" if self.undecided else ""
        left += f"; {self.remark}" if self.remark else ""
        if not self.metrics:
            return f"None of {among} was found to be so{left}."
        return f"{', '.join(str(metric.expr) for metric in self.metrics)} (found among {among}{left})."


def synthesise(
    *,
    require: Iterable[str],
    forbid: Iterable[str] = (),
    size: int = 4,
    most: int = 1,
    over: Sequence[Expr | Metric | str] = (*LEAVES, *RATES[:-1]),
    operations: Sequence[str] = ARITHMETIC,
    resume: str | PathLike[str] | None = None,
    seconds: float = SECONDS,
    progress: bool | None = None,
) -> Synthesis:
    """Return the simplest formulas that have some properties and lack others, each proved.

    All distinct formulas of sums, differences, products and quotients of up to *size* leaves are made, fewest leaves
    first; different ones are told apart by their values in a prime field.  A divisor is one whose sign is seen to be
    the same at some tables.  Roots, if asked for, count as a leaf more, and are of leaves, their products and
    quotients; formulas with minima and maxima that differ in rare orders of the cells alone may pass for the same.
    Those formulas that may have what is asked for are given to the prover, which decides.  One
    that is another found before times a number plus a number is left out.  Theorems about all metrics end a search for
    what is impossible at once.

    :param require: the keys of properties that the formulas are to have
    :param forbid: those of properties that they are to lack
    :param size: how many leaves a formula has at most, 1 to 5
    :param most: how many formulas to return at most
    :param over: the leaves: names, formulas or texts, each a quotient of polynomials in the cells
    :param operations: some of ``"+"``, ``"-"``, ``"*"``, ``"/"``, ``"sqrt"``, ``"min"`` and ``"max"``
    :param resume: a file in which formulas that were refused are kept, so that a search that was cut off goes on
    :param seconds: how long the search may take; what was found by then is returned, with a remark
    :param progress: whether to show a progress bar; by default only on a terminal
    :raises InputError: if nothing is asked for, a property is both required and forbidden, a number is out of range, a
        leaf or an operation is none, or the file cannot be used
    :raises UnknownNameError: if there is no property of a name

    >>> print(synthesise(require=["p2", "transpose", "monotone", "homogeneous"], over=["TP", "FN", "FP"]))
    TP/(FN + FP) (found among 218 distinct formulas of up to 3 leaves).
    >>> print(synthesise(require=["p2", "transpose", "range"], over=["TP", "P", "OP"], operations=["/", "max"]))
    TP/Max(FN + TP, FP + TP) (found among 23 distinct formulas of up to 3 leaves).
    >>> print(synthesise(require=["p2", "increasing_tn"]))
    Impossible for every metric but a constant: no metric has p2 and increasing_tn.
    """
    has, lacks = properties_asked(require, forbid)
    if size not in range(1, MOST_LEAVES + 1):
        raise InputError(f"size={size!r} is out of range; pass a number of leaves from 1 to {MOST_LEAVES}")
    if most < 1:
        raise InputError(f"most={most!r} asks for no formula; pass 1 or more")
    if theorems := excluded_by(has, lacks):
        return Synthesis(has, lacks, size, 0, theorems=theorems)
    known = {key: laws()[key] for key in (*has, *lacks) if key in SCREENED}
    if not operations or not {*operations} <= {*OPERATIONS}:
        raise InputError(f"operations={operations!r} is to name some of {', '.join(OPERATIONS)}")
    formulas = Formulas(known, _as_leaves(over), operations=operations)
    search = _Search(formulas, has, lacks, Refused(resume, has, lacks))
    hidden = None if progress is None else not progress
    remark = ""
    try:
        within(lambda: search.run(size, most, hidden), seconds=seconds, megabytes=MEGABYTES, shown="")
    except BudgetError as error:
        remark = f"not everything was looked at: {error}"
    looked_at, reached = len(search.formulas), search.size
    return Synthesis(has, lacks, reached, looked_at, tuple(search.found), tuple(search.undecided), remark=remark)


@dataclass
class _Search:
    """A search, with what it found so far."""

    formulas: Formulas
    require: Sequence[str]
    forbid: Sequence[str]
    refused: Refused
    found: list[Metric] = field(default_factory=list)
    undecided: list[Expr] = field(default_factory=list)
    size: int = 1

    def run(self, size: int, most: int, hidden: bool | None) -> None:
        """Look at formulas until enough are found, or all of a size were looked at."""
        for expr in tqdm(self._likely(size), desc="synthesise", disable=hidden, leave=False):
            if expr in self.refused or any(_is_affine(expr, metric.expr) for metric in self.found):
                continue
            so = is_so(metric := named(expr), self.require, self.forbid)
            if so:
                self.found.append(metric)
            elif so is None:
                self.undecided.append(expr)
            else:
                self.refused.add(expr)
            if len(self.found) == most:
                return

    def _likely(self, size: int) -> Iterator[Expr]:
        """Yield the formulas that may have what is required and may lack what is forbidden.

        What seems to agree agrees, so that a forbidden invariance excludes it; what seems to rise may yet not do so.
        """
        place = {name: 1 << k for k, name in enumerate(self.formulas.names)}
        wanted = sum(place.get(key, 0) for key in self.require)
        asked = wanted + sum(place[key] for key in self.forbid if key in self.formulas.equal)
        for block in self.formulas.blocks(size):
            checkpoint()
            self.size = block.size
            for row in np.flatnonzero(block.bits & asked == wanted).tolist():
                yield self.formulas.expr(block, row)
        self.size = size


def _is_affine(formula: Expr, known: Expr) -> bool:
    """Whether a formula is another that is not constant times a number plus a number.

    >>> from symmetrics.language.cells import FN, FP, P, TN, TP
    >>> _is_affine(1 - 2 * TP / P, TP / P), _is_affine(TN / FN, TN / FN)
    (True, True)
    >>> _is_affine(TP / FN, TP / P), _is_affine(TP + FN, TP + FP)
    (False, False)
    """
    if not (formula.is_rational_function(*CELLS) and known.is_rational_function(*CELLS)):
        return relate(formula, known, "affine").holds is True
    cell = next(cell for cell in CELLS if cancel(known.diff(cell)) != 0)
    factor = cancel(formula.diff(cell) / known.diff(cell))
    return bool(factor.is_number and cancel(formula - factor * known).is_number)


def _as_leaves(over: Sequence[Expr | Metric | str]) -> Sequence[Expr]:
    leaves = [leaf if isinstance(leaf, Expr) else as_metric(leaf).expr for leaf in over]
    for leaf in leaves:
        if leaf.free_symbols - set(CELLS) or not leaf.is_rational_function(*CELLS):
            raise InputError(f"{leaf} cannot be a leaf; take quotients of polynomials, as in over=['TP', 'tpr']")
    if not leaves:
        raise InputError("no leaves are given; take some, as in over=['TP', 'FN']")
    return leaves
