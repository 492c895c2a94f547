"""What an audit of reported scores has found, as records."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
from sympy import Expr

from symmetrics.auditing.means import MeanAudit, Parts, searched_means
from symmetrics.auditing.readings import other_readings
from symmetrics.auditing.search import Ints, Score, Search, Sizes, Table, count_of, first_table, tables_in
from symmetrics.language.names import CELL_NAMES
from symmetrics.library.selections import as_metric
from symmetrics.metric import Metric
from symmetrics.tools.budget import SECONDS, within
from symmetrics.tools.errors import InputError, UnsupportedError
from symmetrics.tools.texts import number_of

LISTED: Final = 10**6
"""Tables, at most, that the bounds of another metric go through."""


@dataclass(frozen=True, repr=False, eq=False)
class Audit:
    """Whether some tables of counts agree with all reported scores, and which.

    :param scores: what is reported
    :param sizes: the sizes of the tables that were searched
    :param status: ``"possible"``; ``"impossible"`` if no table agrees; ``"open"`` if the search ran out of its budget
    :param example: a table that agrees, as TP, FN, FP, TN; the smallest is the first of :attr:`tables`
    :param seconds: how long a search may take
    """

    scores: tuple[Score, ...]
    sizes: Sizes
    status: str
    example: Table | None = None
    seconds: float = SECONDS

    @cached_property
    def clash(self) -> tuple[str, ...]:
        """The names of the fewest scores, as far as is found in time, that no table agrees with; empty if some does."""
        if self.status != "impossible":
            return ()
        fewer = (itertools.combinations(self.scores, count) for count in range(1, len(self.scores)))
        clash, ended = self.scores, time.monotonic() + self.seconds
        for some in itertools.chain.from_iterable(fewer):
            left = ended - time.monotonic()
            if left > 0 and first_table(some, self.sizes, left)[0] == "impossible":
                clash = some
                break
        return tuple(score.name for score in clash)

    @cached_property
    def readings(self) -> tuple[str, ...]:
        """Other common readings under which what is impossible becomes possible, as far as is found in time."""
        if self.status != "impossible":
            return ()
        found, ended = [], time.monotonic() + self.seconds
        for told, scores, sizes in other_readings(self.scores, self.sizes):
            left = ended - time.monotonic()
            if left > 0 and first_table(scores, sizes, left)[0] == "possible":
                found.append(told)
        left = ended - time.monotonic()
        means = Parts(None, None, self.sizes)
        if left > 0 and searched_means(self.scores, means, left, with_proofs=False).status == "possible":
            found.append("the scores are means over several tables, such as folds")
        return tuple(found)

    @cached_property
    def _boxes(self) -> Ints:
        """Boxes of all tables that agree."""
        if self.status == "impossible":
            return np.empty((0, 4, 2), dtype=np.int64)

        def every() -> Ints:
            found = list(Search(self.scores, self.sizes).boxes())
            return np.concatenate(found) if found else np.empty((0, 4, 2), dtype=np.int64)

        return within(every, seconds=self.seconds, shown="tables that agree")

    @property
    def count(self) -> int:
        """How many tables agree.

        :raises BudgetError: if they cannot be counted in time
        """
        return count_of(self._boxes)

    @property
    def tables(self) -> Iterator[Table]:
        """The tables (TP, FN, FP, TN) that agree, in the order of n, P, TP and TN; listed as they are asked for.

        :raises BudgetError: if they cannot be found in time
        """
        return tables_in(self._boxes)

    def bounds(self, metric: Metric | Expr | str) -> tuple[Expr, Expr]:
        """Return the exact least and greatest value of a metric over all tables that agree.

        :raises InputError: if no table agrees, or the metric has a finite value at none of them
        :raises UnsupportedError: if more than a million tables agree
        :raises BudgetError: if they cannot be found in time
        """
        asked = as_metric(metric)
        if self.status == "impossible":
            raise InputError(f"no table agrees with the scores, so that {asked.name} has no bounds")
        if self.count > LISTED:
            raise UnsupportedError(
                f"{number_of(self.count, 'table')} agree, too many for bounds of {asked.name}; pass more scores"
            )
        tables = np.fromiter(itertools.chain.from_iterable(self.tables), dtype=np.int64).reshape(-1, 4)
        values = np.atleast_1d(np.asarray(asked.from_counts(tables.astype(np.float64))))
        known = np.isfinite(values)
        if not known.any():
            raise InputError(f"{asked.name} has a finite value at no table that agrees")
        tables, values = tables[known], values[known]

        def extremes() -> tuple[Expr, Expr]:
            return _extreme(asked, tables, values, min), _extreme(asked, tables, values, max)

        return within(extremes, seconds=self.seconds, shown=f"exact bounds of {asked.name}")

    def to_dict(self) -> dict[str, Any]:
        """Return what was found as plain values; the count and the list of tables are left out, which may take long."""
        sizes = {name: list(getattr(self.sizes, name)) for name in ("total", "positives", "negatives")}
        return {
            "status": self.status,
            "scores": {one.name: {"text": one.reported.text, "interval": one.reported.interval} for one in self.scores},
            "sizes": sizes,
            "example": None if self.example is None else dict(zip(CELL_NAMES, self.example, strict=True)),
            "clash": list(self.clash),
            "readings": list(self.readings),
        }

    def lines(self) -> Iterator[str]:
        """Yield what was found in plain words."""
        told = ", ".join(f"{score.name} {score.reported}" for score in self.scores)
        yield f"{self.status}: {told}; {_sizes_text(self.sizes)}"
        yield self.reason

    @property
    def reason(self) -> str:
        """A table that agrees, or the scores that clash and how they would not, or what would decide it, in words."""
        if self.example is not None:
            return "for instance TP = {}, FN = {}, FP = {}, TN = {}".format(*self.example)
        if self.status == "open":
            return f"not decided within {self.seconds:g} s; pass the sizes of the classes, or more seconds"
        verb = "has no such value" if len(self.clash) == 1 else "have no table in common"
        told = f"{' and '.join(self.clash)} {verb}"
        return f"{told}; possible if {', or if '.join(self.readings)}" if self.readings else told

    def __repr__(self) -> str:
        return "\n".join(self.lines())


@dataclass(frozen=True, repr=False)
class Audits:
    """The audits of a table of results, by row.

    :param rows: by the name of the row
    """

    rows: Mapping[str, Audit | MeanAudit]

    @property
    def status(self) -> str:
        """``"impossible"`` if one row is, or else ``"open"`` if one is, or else ``"possible"``."""
        found = {one.status for one in self.rows.values()}
        return next((status for status in ("impossible", "open") if status in found), "possible")

    def to_dict(self) -> dict[str, Any]:
        """Return what was found as plain values, by row."""
        return {name: one.to_dict() for name, one in self.rows.items()}

    def to_markdown(self) -> str:
        """Return a table with a line for each row."""
        from tabulate import tabulate

        rows = [(name, one.status, one.reason) for name, one in self.rows.items()]
        return str(tabulate(rows, ("row", "status", "why, or for instance TP, FN, FP, TN"), tablefmt="github"))

    def __repr__(self) -> str:
        width = max(map(len, self.rows), default=0)
        return "\n".join(f"{name:{width}}  {one.status}: {one.reason}" for name, one in self.rows.items())


def _extreme(metric: Metric, tables: Any, values: Any, choose: Any) -> Expr:
    """Return the exact extreme of a metric: of the tables whose floats are near it, the exact one decides."""
    end = choose(values)
    near = tables[np.abs(values - end) <= 1e-9 * (1 + abs(end))]
    found: Expr = choose(metric.exact(*map(int, table)) for table in near)
    return found


def _sizes_text(sizes: Sizes) -> str:
    parts = [("n", sizes.total), ("positives", sizes.positives), ("negatives", sizes.negatives)]
    known = [f"{name} = {low}" for name, (low, high) in parts if low == high]
    return ", ".join(known) or f"n up to {sizes.total[1]}"
