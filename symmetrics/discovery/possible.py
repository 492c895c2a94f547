"""Is a metric with these properties possible?  A metric that has them, or a theorem that there is none."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import Final, Literal

from sympy import Expr, Integer
from tqdm import tqdm

from symmetrics.claims.theorems.arguments import Argument
from symmetrics.claims.theorems.implications import CONSTANT, IMPOSSIBLE, Theorem
from symmetrics.discovery.formulas import LEAVES, RATES, Guess, is_defined, small_formulas
from symmetrics.discovery.points import SIGNED_AT
from symmetrics.discovery.theorems import (
    class_and_domain,
    consequences,
    derivation,
    domain_told,
    follows,
    laws,
    scope_of,
)
from symmetrics.language.cells import CELLS
from symmetrics.library import metrics, properties
from symmetrics.metric import Metric
from symmetrics.numeric.counts import shown
from symmetrics.query.proving import as_property, prove
from symmetrics.tools.budget import SEARCHED, SECONDS, within
from symmetrics.tools.documents import Block, Entries, Entry, Paragraph, Strong
from symmetrics.tools.errors import BudgetError, InputError
from symmetrics.tools.settings import advising

MOST_LEAVES: Final = 4
Status = Literal["possible", "impossible", "open"]


@dataclass(frozen=True)
class Possibility:
    """Whether a metric can have some properties and lack others.  A constant does not count as a metric.

    :param status: ``"possible"``, ``"impossible"`` or ``"open"``
    :param require: the properties that it is to have
    :param forbid: those that it is to lack
    :param metric: one that is so, proved, if one was found
    :param theorems: why there is none, each after those that it rests on; an argument says of which metrics it holds
    :param remark: that the search was cut off, and at what
    """

    status: Status
    require: tuple[str, ...]
    forbid: tuple[str, ...]
    metric: Metric | None = None
    theorems: tuple[Theorem | Argument, ...] = ()
    remark: str = ""

    @property
    def theorem(self) -> Theorem | Argument | None:
        """The theorem that excludes it, None if none does; what it rests on stands in :attr:`theorems`."""
        return self.theorems[-1] if self.theorems else None

    @property
    def blocks(self) -> list[Block]:
        """The answer as a document, with the theorems that it rests on."""
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
        return f"{text} {domain_told(known)}".rstrip()


def _wanted(require: Sequence[str], forbid: Sequence[str]) -> str:
    """Return what a metric is to do and not to do, in words, each with the key of its property."""
    has = " and ".join(_said(properties[key].yes, key) for key in require)
    lacks = " and ".join(_said(properties[key].no, key) for key in forbid)
    return " but ".join(part for part in (has, lacks) if part)


def _said(words: str, key: str) -> str:
    """Return what a property says, without its remark in parentheses, and its key."""
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
    :raises UnknownNameError: if there is no property of a name

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
    """Return the first metric that is shown to have some properties and to lack others."""
    candidates = chain(_of_library(has, lacks), _of_formulas(has, lacks))
    shown = tqdm(candidates, desc="possible", disable=None if progress is None else not progress, leave=False)
    with shown:
        return next((metric for metric in shown if is_so(metric, has, lacks)), None)


def properties_asked(require: Iterable[str], forbid: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the keys of required and of forbidden properties.

    :raises InputError: if nothing is asked for, or one property is both required and forbidden
    :raises UnknownNameError: if there is no property of a name
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
    :raises UnknownNameError: if there is no property of a name
    """
    if not isinstance(names, Iterable):
        raise InputError(f"{shown(names)} is no list of keys; give one, as in require=['p1']")
    if isinstance(names, str):
        raise InputError(f"{names!r} is a text; give a list of keys, as in require=[{names!r}]")
    return tuple(dict.fromkeys(as_property(name).name for name in names))


def excluded_by(require: Sequence[str], forbid: Collection[str]) -> tuple[Theorem, ...]:
    """Return the theorems by which nothing but a constant has some properties and lacks others."""
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
"""Properties that small formulas are sorted by; the prover decides all others."""


@cache
def guesses(keys: tuple[str, ...]) -> tuple[Guess, ...]:
    """Return formulas of at most four leaves, but a few of each combination that they may have of some properties."""
    chosen = {key: laws()[key] for key in keys}
    over_cells = small_formulas(chosen, MOST_LEAVES, LEAVES)
    return (*over_cells, *small_formulas(chosen, MOST_LEAVES, RATES))


def named(formula: Expr) -> Metric:
    """Return a formula as a metric: that of the library if it is one."""
    known = next((m for m in metrics.values() if not m.parameters and m.expr == formula), None)
    return known or Metric("formula", formula)


def _varies(formula: Expr) -> bool:
    """Whether a formula that is defined everywhere is not constant."""
    values = [formula.xreplace(dict(zip(CELLS, map(Integer, table), strict=True))) for table in SIGNED_AT]
    return any((value - values[0]).is_zero is False for value in values) or not formula.is_constant()


def is_so(metric: Metric, require: Iterable[str], forbid: Iterable[str], *, seconds: float = SECONDS) -> bool | None:
    """Whether a metric is proved to be defined, to have some properties and to lack others; None if that is open.

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
