"""What scores fix and what they leave open, as records."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from sympy import Expr, Symbol, Tuple

from symmetrics.auditing.injectivity import OneToOne, check_one_to_one
from symmetrics.auditing.pairs import LARGEST, WITH_ZEROS, Pair, agree_and_differ
from symmetrics.claims.verdict import Verdict
from symmetrics.language.cells import parameter_symbol
from symmetrics.language.names import CELL_NAMES, SUM_NAMES
from symmetrics.metric import Metric
from symmetrics.query.relations import check_relation
from symmetrics.tools.errors import CertificateError
from symmetrics.tools.texts import number_of

TABLE: Final = "table"
"""What stands for the four cells up to scale, in place of a metric."""
DOMAIN: Final = "tables whose four cells are positive"


def symbols_of(names: Iterable[str]) -> list[Symbol]:
    """Return symbols named as scores; ``s1``, ``s2``, ... for those whose names are formulas.

    >>> symbols_of(["precision", "TP/(TP + 2*FN)"])
    [precision, s2]
    """
    listed = list(names)
    taken = {*CELL_NAMES, *SUM_NAMES, "pi"}
    free = (name for place in itertools.count(1) if (name := f"s{place}") not in listed)
    numbered = list(itertools.islice(free, len(listed)))
    return [
        parameter_symbol(name if name.isidentifier() and name not in taken else numbered[place])
        for place, name in enumerate(listed)
    ]


@dataclass(frozen=True)
class Derived:
    """A value as a formula in scores.

    :param name: of the value
    :param metric: the value
    :param formula: in symbols named as the scores
    :param in_cells: the formula with each score as a formula of the cells
    :param verdict: the verdict that both are equal wherever the formula is defined
    :param unless: an expression in the scores; the formula is defined where it is not zero.  None if it always is
    """

    name: str
    metric: Metric
    formula: Expr
    in_cells: Metric
    verdict: Verdict
    unless: Expr | None = None


@dataclass(frozen=True, repr=False, eq=False)
class Determination:
    """Whether the values of some scores fix the value of another, over all tables whose four cells are positive.

    :param scores: the scores by name
    :param of: the name of the value, or ``"table"``
    :param metric: the value; None for the table
    :param status: ``"determined"``, ``"undetermined"`` or ``"open"``
    :param reason: the proof or the counterexample in words
    :param derived: the value as a formula in the scores, for the table its four shares; empty if none was found
    :param steps: other values that the scores fix, which the proof uses
    :param proof: that the scores fix the table up to scale, if the status rests on it
    :param order: a score, and the verdict that the value ranks all tables as it does or in reverse, if the status
        rests on it
    :param tables: two tables (TP, FN, FP, TN) with equal scores and different values
    :param is_smallest: whether all smaller tables were compared
    :param solutions: how many tables, up to scale, have the scores of the first of both; infinity for infinitely many
        at almost every table; None if that is not known
    :param exceptions: the two smallest tables, some of whose cells are zero, with equal scores and different values,
        where those with positive cells are determined
    """

    scores: Mapping[str, Metric]
    of: str
    metric: Metric | None
    status: str
    reason: str
    derived: tuple[Derived, ...] = ()
    steps: tuple[Derived, ...] = ()
    proof: OneToOne | None = None
    order: tuple[Metric, Verdict] | None = None
    tables: Pair | None = None
    is_smallest: bool = False
    solutions: float | None = None
    exceptions: Pair | None = None

    @property
    def formula(self) -> Expr | None:
        """The value in symbols named as the scores; for the table the shares TP/n, FN/n, FP/n and TN/n."""
        if not self.derived:
            return None
        return self.derived[0].formula if self.of != TABLE else Tuple(*(one.formula for one in self.derived))

    @property
    def verdict(self) -> Verdict | None:
        """The verdict that the value is the formula, of a table the first of four; None without a formula."""
        return self.derived[0].verdict if self.derived else None

    @property
    def unless(self) -> Expr | None:
        """An expression in the scores: the formula is right where it is not zero; None if it is right everywhere."""
        return next((one.unless for one in self.derived if one.unless is not None), None)

    def check(self) -> None:
        """Re-verify formulas, proofs and tables, by other code than found them.

        :raises CertificateError: if something does not hold
        """
        for one in (*self.derived, *self.steps):
            check_relation(one.verdict, one.metric, one.in_cells)
        if self.proof is not None:
            check_one_to_one(self.proof)
        if self.order is not None:
            check_relation(self.order[1], self.metric, self.order[0])
        for pair in (self.tables, self.exceptions):
            if pair is not None and not agree_and_differ(list(self.scores.values()), self.metric, *pair):
                raise CertificateError(f"{pair[0]} and {pair[1]} do not agree in the scores and differ in {self.of}")

    def lines(self) -> Iterator[str]:
        """Yield what was found in plain words."""
        yield f"{self.status}: {self.of} from {', '.join(self.scores)}, over all {DOMAIN}"
        if self.derived:
            condition = "" if self.unless is None else f", unless {self.unless} = 0"
            names = [f"{cell}/n" for cell in CELL_NAMES] if self.of == TABLE else [self.of]
            for name, one in zip(names, self.derived, strict=True):
                yield f"{name} = {one.formula}{condition}"
            for symbol, name in zip(symbols_of(self.scores), self.scores, strict=True):
                if symbol.name != name:
                    yield f"where {symbol} is {name}"
        yield self.reason
        if self.tables is not None:
            yield f"{_pair_text(self.tables)} have equal scores; {self._values(self.tables)}"
        if self.solutions == float("inf"):
            yield "the scores of almost every table are those of infinitely many others"
        elif self.solutions is not None and self.status != "determined":
            yield f"{number_of(int(self.solutions), 'table')} up to scale have the scores of the first of both"
        if self.exceptions is not None:
            yield (
                f"with zero cells there are exceptions, the smallest {_pair_text(self.exceptions)}; "
                f"{self._values(self.exceptions)}"
            )
        elif self.status == "determined":
            yield f"with zero cells there is no exception among tables of up to {number_of(WITH_ZEROS, 'example')}"

    def _values(self, pair: Pair) -> str:
        if self.metric is None:
            return "they are not multiples of each other"
        first, second = (self.metric.exact(*table) for table in pair)
        return f"{self.of} is {first} and {second}"

    def to_dict(self) -> dict[str, Any]:
        """Return what was found as plain values."""
        return {
            "status": self.status,
            "scores": list(self.scores),
            "of": self.of,
            "domain": DOMAIN,
            "formula": {one.name: str(one.formula) for one in self.derived} or None,
            "unless": None if self.unless is None else str(self.unless),
            "tables": _tables_of(self.tables),
            "smallest": self.is_smallest,
            "searched": LARGEST,
            "solutions": "infinite" if self.solutions == float("inf") else self.solutions,
            "exceptions": _tables_of(self.exceptions),
            "reason": self.reason,
        }

    def to_markdown(self) -> str:
        """Return what was found as a list."""
        return "\n".join(f"- {line}" for line in self.lines())

    def __repr__(self) -> str:
        return "\n".join(self.lines())


def _pair_text(pair: Pair) -> str:
    return " and ".join(f"({', '.join(map(str, table))})" for table in pair)


def _tables_of(pair: Pair | None) -> list[dict[str, int]] | None:
    return None if pair is None else [dict(zip(map(str.lower, CELL_NAMES), table, strict=True)) for table in pair]
