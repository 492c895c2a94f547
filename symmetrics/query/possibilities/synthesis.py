"""Find formulas with given properties: all distinct ones up to some size are looked at, and what is found is proved."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import islice
from typing import Final

import numpy as np
from sympy import Expr, cancel
from tqdm import tqdm

from symmetrics.claims.theorems.implications import Theorem
from symmetrics.language.cells import CELLS
from symmetrics.metric import Metric
from symmetrics.query.possibilities.asking import SCREENED, excluded_by, is_so, named, properties_asked
from symmetrics.query.possibilities.formulas import LEAVES, RATES, SIGNED_AT, Formulas
from symmetrics.query.possibilities.theorems import laws
from symmetrics.query.proving import as_metric
from symmetrics.tools.errors import InputError
from symmetrics.tools.words import number_of

__all__ = ["Synthesis", "synthesise"]

MOST_LEAVES: Final = 5


@dataclass(frozen=True)
class Synthesis:
    """Formulas with some properties and without others, simplest first.

    :param require: the properties that they have, each proved
    :param forbid: those that they lack, each refuted
    :param size: the largest number of leaves that was looked at
    :param looked_at: how many distinct formulas were looked at
    :param metrics: those that were found
    :param undecided: formulas that may have the properties, which the prover could not decide
    :param theorems: why there is none, where theorems about all metrics exclude it
    """

    require: tuple[str, ...]
    forbid: tuple[str, ...]
    size: int
    looked_at: int
    metrics: tuple[Metric, ...] = ()
    undecided: tuple[Expr, ...] = ()
    theorems: tuple[Theorem, ...] = ()

    def __str__(self) -> str:
        if self.theorems:
            return f"Impossible for every metric but a constant: {'; '.join(map(str, self.theorems))}."
        leaves = "1 leaf" if self.size == 1 else f"{self.size} leaves"
        among = f"among {number_of(self.looked_at, 'distinct formula')} of up to {leaves}"
        left = f"; {number_of(len(self.undecided), 'formula')} could not be decided" if self.undecided else ""
        if not self.metrics:
            return f"Nothing {among}{left}."
        return f"{', '.join(str(metric.expr) for metric in self.metrics)} ({among}{left})."

    def _repr_html_(self) -> str:
        return f"<p>{escape(str(self))}</p>"


def synthesise(
    *,
    require: Iterable[str],
    forbid: Iterable[str] = (),
    size: int = 4,
    most: int = 1,
    over: Sequence[Expr | Metric | str] = (*LEAVES, *RATES[:-1]),
    progress: bool | None = None,
) -> Synthesis:
    """Return the simplest formulas that have some properties and lack others, each proved.

    All distinct formulas of sums, differences, products and quotients of up to *size* leaves are made, fewest leaves
    first; equal ones are told apart by their values in a prime field.  Those that may have what is asked for are given
    to the prover, which decides.  A formula that is one found before times a number plus a number is left out.
    Theorems about all metrics end a search for what is impossible at once.

    :param require: the keys of properties that the formulas are to have
    :param forbid: those of properties that they are to lack
    :param size: how many leaves a formula has at most, 1 to 5
    :param most: how many formulas to return at most
    :param over: the leaves: names, formulas or texts, each a quotient of polynomials in the cells
    :param progress: whether to show a progress bar; by default only on a terminal
    :raises InputError: if nothing is asked for, a property is both required and forbidden, or a number is out of range
    :raises UnknownNameError: if there is no property of a name

    >>> print(synthesise(require=["p2", "transpose", "monotone", "homogeneous"], over=["TP", "FN", "FP"]))
    TP/(FN + FP) (among 218 distinct formulas of up to 3 leaves).
    >>> print(synthesise(require=["p2", "increasing_tn"]))
    Impossible for every metric but a constant: no metric has p2 and increasing_tn.
    """
    has, lacks = properties_asked(require, forbid)
    if not 1 <= size <= MOST_LEAVES:
        raise InputError(f"size={size!r} is out of range; pass a number of leaves from 1 to {MOST_LEAVES}")
    if most < 1:
        raise InputError(f"most={most!r} asks for no formula; pass 1 or more")
    if theorems := excluded_by(has, lacks):
        return Synthesis(has, lacks, size, 0, theorems=theorems)
    known = {key: laws()[key] for key in (*has, *lacks) if key in SCREENED}
    formulas = Formulas(known, _as_leaves(over))
    found: list[Metric] = []
    undecided: list[Expr] = []
    likely = _likely(formulas, has, lacks, size)
    reached = 1
    for reached, expr in tqdm(
        likely, desc="synthesise", disable=None if progress is None else not progress, leave=False
    ):
        if any(_is_affine(expr, metric.expr) for metric in found):
            continue
        so = is_so(metric := named(expr), has, lacks)
        if so:
            found.append(metric)
        elif so is None:
            undecided.append(expr)
        if len(found) == most:
            return Synthesis(has, lacks, reached, len(formulas), tuple(found), tuple(undecided))
    return Synthesis(has, lacks, size, len(formulas), tuple(found), tuple(undecided))


def _is_affine(formula: Expr, known: Expr) -> bool:
    """Whether a formula is another times a number plus a number.

    >>> from symmetrics.language.cells import P, TP, FN
    >>> _is_affine(1 - 2 * TP / P, TP / P), _is_affine(TP / FN, TP / P)
    (True, False)
    """
    tables = (dict(zip(CELLS, table, strict=True)) for table in SIGNED_AT)
    (x, u), (y, v) = islice(((formula.subs(table), known.subs(table)) for table in tables), 2)
    return u != v and bool(cancel(formula - y - (x - y) / (u - v) * (known - v)) == 0)


def _as_leaves(over: Sequence[Expr | Metric | str]) -> Sequence[Expr]:
    leaves = [leaf if isinstance(leaf, Expr) else as_metric(leaf).expr for leaf in over]
    for leaf in leaves:
        if leaf.free_symbols - set(CELLS) or not leaf.is_rational_function(*CELLS):
            raise InputError(f"{leaf} cannot be a leaf; take quotients of polynomials, as in over=['TP', 'tpr']")
    if not leaves:
        raise InputError("no leaves are given; take some, as in over=['TP', 'FN']")
    return leaves


def _likely(formulas: Formulas, require: Sequence[str], forbid: Sequence[str], size: int) -> Iterator[tuple[int, Expr]]:
    """Yield the formulas that may have what is required and lack what is forbidden, with their sizes."""
    place = {name: 1 << k for k, name in enumerate(formulas.names)}
    wanted = sum(place.get(key, 0) for key in require)
    asked = wanted + sum(place.get(key, 0) for key in forbid)
    for block in formulas.blocks(size):
        for row in np.flatnonzero(block.bits & asked == wanted).tolist():
            yield block.size, formulas.expr(block, row)
