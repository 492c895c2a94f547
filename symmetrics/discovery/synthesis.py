"""Find formulas with given properties: enumerate all distinct ones up to some size, and prove what is found."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import chain
from os import PathLike
from pathlib import Path
from typing import Final, Literal

import numpy as np
from sympy import Expr, Integer, cancel
from tqdm import tqdm

from symmetrics.claims.theorems.arguments import Argument
from symmetrics.claims.theorems.implications import CONSTANT, IMPOSSIBLE, Theorem
from symmetrics.data.counts import shown
from symmetrics.discovery.formulas import (
    ARITHMETIC,
    LEAVES,
    MEGABYTES,
    RATES,
    Formulas,
    Guess,
    is_defined,
    small_formulas,
)
from symmetrics.discovery.residues import OPERATIONS, SIGNED_AT
from symmetrics.discovery.theorems import (
    class_and_domain,
    consequences,
    derivation,
    domain_in_words,
    follows,
    laws,
    scope_of,
)
from symmetrics.language.cells import CELLS
from symmetrics.language.writer import formula_text
from symmetrics.library import metrics, properties
from symmetrics.library.selections import as_metric
from symmetrics.metric import Metric
from symmetrics.query.proving import as_property, prove
from symmetrics.query.relations import relate
from symmetrics.tools.arguments import advising
from symmetrics.tools.budget import SEARCHED, SECONDS, checkpoint, within
from symmetrics.tools.documents import Block, Entries, Entry, Paragraph, Strong
from symmetrics.tools.errors import BudgetError, InputError
from symmetrics.tools.files import check_writable
from symmetrics.tools.texts import number_of

# -- Is there a metric with these properties? A metric that has them, or a theorem that excludes it --------------------


MOST_LEAVES: Final = 4
Status = Literal["possible", "impossible", "open"]


@dataclass(frozen=True)
class Possibility:
    """Whether a metric can have some properties and lack others; constants do not count as metrics.

    :param status: ``"possible"``, ``"impossible"`` or ``"open"``
    :param require: the properties that it is to have
    :param forbid: those that it is to lack
    :param metric: one that is so, proved, if one was found
    :param theorems: why there is none, each after those that it rests on; an argument says of which metrics it holds
    :param remark: if the search was cut off, at which point
    """

    status: Status
    require: tuple[str, ...]
    forbid: tuple[str, ...]
    metric: Metric | None = None
    theorems: tuple[Theorem | Argument, ...] = ()
    remark: str = ""

    @property
    def theorem(self) -> Theorem | Argument | None:
        """The theorem that excludes it, None if none does; its premises are in :attr:`theorems`."""
        return self.theorems[-1] if self.theorems else None

    @property
    def blocks(self) -> list[Block]:
        """The answer as a document, with the theorems behind it."""
        theorems = tuple(Entry((str(theorem),)) for theorem in self.theorems)
        return [Paragraph((Strong(str(self)),)), *([Entries(theorems, is_numbered=True)] if theorems else [])]

    def __str__(self) -> str:
        wanted = _wanted(self.require, self.forbid)
        if self.metric is not None:
            return f"Possible: {self.metric.expr} {wanted}."
        if self.status == "open":
            cut_off = f"; {self.remark}" if self.remark else ""
            return f"Open: no theorem excludes a metric that {wanted}, and none was found{cut_off}."
        reasons = "; ".join(map(str, self.theorems))
        known = class_and_domain(self.theorems)
        text = f"Impossible{scope_of(known)}: a metric other than a constant that {wanted}: {reasons}."
        return f"{text} {domain_in_words(known)}".rstrip()


def _wanted(require: Sequence[str], forbid: Sequence[str]) -> str:
    """Return the required and forbidden properties in words, each with its key."""
    has = " and ".join(_said(properties[key].yes, key) for key in require)
    lacks = " and ".join(_said(properties[key].no, key) for key in forbid)
    return " but ".join(part for part in (has, lacks) if part)


def _said(words: str, key: str) -> str:
    """Return a property in words, without its remark in parentheses, and its key."""
    return f"{words.partition(' (')[0]} ({key})"


@advising("name properties as in possible(require=['p1', 'monotone'], forbid=['p2'])")
def possible(
    *,
    require: Iterable[str] = (),
    forbid: Iterable[str] = (),
    seconds: float = SEARCHED,
    progress: bool | None = None,
) -> Possibility:
    """Return whether a metric can have some properties and lack others.

    A metric is any function that has a real value at each table of positive cells and is not constant.  What is
    possible is shown by a metric, of the library if one is so, otherwise the simplest formula of at most four leaves
    that was found, each property proved or refuted; what is impossible by theorems about all metrics.  Where there is
    neither, it may be impossible for metrics of a class, such as the continuous ones.

    :param require: the keys of properties that it is to have
    :param forbid: those of properties that it is to lack
    :param seconds: how long a metric may be looked for; if none is found by then, a remark says so
    :param progress: whether to show a progress bar; by default only on a terminal
    :raises InputError: if nothing is asked for, or one property is both required and forbidden
    :raises UnknownNameError: on an unknown property

    >>> str(possible(require=["range"], forbid=["p2"]))
    'Possible: FN/(FN + TN) is bounded (range) but depends on the true negatives (p2).'
    >>> possible(require=["p2", "transpose", "monotone"]).metric.name
    'kulczynski_1'
    >>> print(possible(require=["decomposable"], forbid=["homogeneous"]))  # doctest: +ELLIPSIS
    Impossible for continuous metrics: a metric other than a constant that is a ratio of weighted sums of the cells, ...
    """
    has, lacks = properties_asked(require, forbid)
    if excluded := excluded_by(has, lacks):
        return Possibility("impossible", has, lacks, theorems=excluded)
    argued = follows(has, (CONSTANT, IMPOSSIBLE, *lacks)) or ()
    if argued and class_and_domain(argued) == ("arbitrary", "open"):
        return Possibility("impossible", has, lacks, theorems=argued)
    remark, metric = "", None
    try:
        metric = within(lambda: _found(has, lacks, progress), seconds=seconds)
    except BudgetError as error:
        remark = f"not everything was looked at: {error}"
    if metric is not None:
        return Possibility("possible", has, lacks, metric)
    return Possibility("impossible" if argued else "open", has, lacks, theorems=argued, remark=remark)


def _found(has: Sequence[str], lacks: Sequence[str], progress: bool | None) -> Metric | None:
    """Return the first metric that provably has some properties and lacks others."""
    candidates = chain(_of_library(has, lacks), _of_formulas(has, lacks))
    shown = tqdm(candidates, desc="possible", disable=None if progress is None else not progress, leave=False)
    with shown:
        return next((metric for metric in shown if is_so(metric, has, lacks)), None)


def properties_asked(require: Iterable[str], forbid: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the keys of required and of forbidden properties.

    :raises InputError: if nothing is asked for, or one property is both required and forbidden
    :raises UnknownNameError: on an unknown property
    """
    has, lacks = keys_of(require), keys_of(forbid)
    if not has and not lacks:
        raise InputError("no property is asked for; name one, as in require=['p1']")
    if both := sorted(set(has) & set(lacks)):
        raise InputError(f"{', '.join(both)} is both required and forbidden; ask for one of the two")
    return has, lacks


def keys_of(names: Iterable[str]) -> tuple[str, ...]:
    """Return the keys of properties, each once.

    :raises InputError: if a text is given instead of several
    :raises UnknownNameError: on an unknown property
    """
    if not isinstance(names, Iterable):
        raise InputError(f"{shown(names)} is no list of keys; give one, as in require=['p1']")
    if isinstance(names, str):
        raise InputError(f"{names!r} is a text; give a list of keys, as in require=[{names!r}]")
    return tuple(dict.fromkeys(as_property(name).name for name in names))


def excluded_by(require: Sequence[str], forbid: Collection[str]) -> tuple[Theorem, ...]:
    """Return the theorems by which only constants have some properties and lack others."""
    follows, _ = consequences(require)
    goals = [goal for goal in (IMPOSSIBLE, CONSTANT, *forbid) if goal in follows]
    return min((derivation(require, goal) for goal in goals), key=len, default=())


def _of_library(require: Sequence[str], forbid: Sequence[str]) -> Iterator[Metric]:
    wanted = [*((key, True) for key in require), *((key, False) for key in forbid)]
    for metric in sorted(metrics.values(), key=lambda each: each.expr.count_ops()):
        if not metric.parameters and all(prove(metric, key).holds is value for key, value in wanted):
            yield metric


def _of_formulas(require: Sequence[str], forbid: Sequence[str]) -> Iterator[Metric]:
    known = {key: laws()[key] for key in (*require, *forbid) if key in laws() and key in SCREENED}
    has = set(require) & known.keys()
    lacks = {key for key in set(forbid) & known.keys() if known[key][0].sign == "="}
    for guess in guesses(tuple(sorted(known))):
        if has <= guess.profile and not lacks & guess.profile:
            yield named(guess.formula)


SCREENED: Final = frozenset(laws()) - {"no_imbalance_bias"}
"""Properties by which small formulas are classified; the prover decides all others."""


@cache
def guesses(keys: tuple[str, ...]) -> tuple[Guess, ...]:
    """Return formulas of up to four leaves, a few of each possible combination of some properties."""
    chosen = {key: laws()[key] for key in keys}
    over_cells = small_formulas(chosen, MOST_LEAVES, LEAVES)
    return (*over_cells, *small_formulas(chosen, MOST_LEAVES, RATES))


def named(formula: Expr) -> Metric:
    """Return a formula as a metric: the library's if it is one."""
    known = next((m for m in metrics.values() if not m.parameters and m.expr == formula), None)
    return known or Metric("formula", formula)


def _varies(formula: Expr) -> bool:
    """Whether a formula that is defined everywhere is not constant."""
    values = [formula.xreplace(dict(zip(CELLS, map(Integer, table), strict=True))) for table in SIGNED_AT]
    return any((value - values[0]).is_zero is False for value in values) or not formula.is_constant()


def is_so(metric: Metric, require: Iterable[str], forbid: Iterable[str], *, seconds: float = SECONDS) -> bool | None:
    """Whether a metric provably is defined, has some properties and lacks others; None if open.

    :param seconds: how long each property may take
    """
    if not is_defined(metric.expr) or not _varies(metric.expr):
        return False
    unknown = False
    for key, value in chain(((key, True) for key in require), ((key, False) for key in forbid)):
        verdict = prove(metric, key, seconds=seconds)
        if verdict.status not in ("proved", "refuted"):
            unknown = True
        elif verdict.holds is not value:
            return False
    return None if unknown else True


# ----------------------------------------------------------------------------------------------------------------------


# -- Rejected formulas, kept in a file so that an interrupted search can resume ----------------------------------------


class Refused:
    """Formulas that are known not to qualify; they are not decided again.

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
        # An incomplete last line was interrupted while being written.
        self.formulas.update(lines[:-1])

    def __contains__(self, formula: Expr) -> bool:
        return self.path is not None and formula_text(formula) in self.formulas

    def add(self, formula: Expr) -> None:
        """Store a rejected formula."""
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


MOST_SYNTHESISED: Final = 5


@dataclass(frozen=True)
class Synthesis:
    """Formulas with some properties and without others, the simplest first.

    :param require: the properties that they have, each proved
    :param forbid: those that they lack, each refuted
    :param size: the largest number of leaves that was looked at
    :param looked_at: how many distinct formulas were examined, the leaves among them
    :param metrics: those that were found
    :param undecided: formulas that may have the properties, which the prover could not decide
    :param theorems: why there is none, where theorems about all metrics exclude it
    :param remark: if the search was cut off, at which point
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
    """Return the simplest formulas that provably have some properties and lack others.

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
    :param seconds: time limit of the search; results found by then are returned, with a remark
    :param progress: whether to show a progress bar; by default only on a terminal
    :raises InputError: if nothing is asked for, a property is both required and forbidden, a number is out of range, a
        leaf or an operation is none, or the file cannot be used
    :raises UnknownNameError: on an unknown property

    >>> print(synthesise(require=["p2", "transpose", "monotone", "homogeneous"], over=["TP", "FN", "FP"]))
    TP/(FN + FP) (found among 218 distinct formulas of up to 3 leaves).
    >>> print(synthesise(require=["p2", "transpose", "range"], over=["TP", "P", "OP"], operations=["/", "max"]))
    TP/Max(FN + TP, FP + TP) (found among 23 distinct formulas of up to 3 leaves).
    >>> print(synthesise(require=["p2", "increasing_tn"]))
    Impossible for every metric but a constant: no metric has p2 and increasing_tn.
    """
    has, lacks = properties_asked(require, forbid)
    if size not in range(1, MOST_SYNTHESISED + 1):
        raise InputError(f"size={size!r} is out of range; pass a number of leaves from 1 to {MOST_SYNTHESISED}")
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
    """A search, with its results so far."""

    formulas: Formulas
    require: Sequence[str]
    forbid: Sequence[str]
    refused: Refused
    found: list[Metric] = field(default_factory=list)
    undecided: list[Expr] = field(default_factory=list)
    size: int = 1

    def run(self, size: int, most: int, hidden: bool | None) -> None:
        """Search until enough formulas are found, or all of a size were tried."""
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
        """Yield the formulas that may have the required properties and may lack the forbidden ones.

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
    """Whether a formula is an affine function of another one, which is not constant.

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
