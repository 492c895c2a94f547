"""What an audit of reported scores has found, as records."""

from __future__ import annotations

import itertools
import time
from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np
from sympy import Expr, Set

from symmetrics.auditing.classes import MatrixAudit
from symmetrics.auditing.means import MeanAudit, Parts, searched_means
from symmetrics.auditing.parameters import parameter_values
from symmetrics.auditing.proofs import Proof
from symmetrics.auditing.readings import other_readings
from symmetrics.auditing.reported import Reported
from symmetrics.auditing.search import (
    Ints,
    Score,
    Search,
    Sizes,
    Splits,
    Table,
    Zeros,
    count_of,
    first_table,
    tables_in,
)
from symmetrics.data.labels import ConfusionMatrix
from symmetrics.language.names import CELL_NAMES
from symmetrics.library.selections import as_metric
from symmetrics.metric import Metric
from symmetrics.tools.budget import SECONDS, within
from symmetrics.tools.documents import Block, Cell, Document, Grid, Paragraph, Small, texts
from symmetrics.tools.errors import InputError, UnknownNameError, UnsupportedError
from symmetrics.tools.files import write_text
from symmetrics.tools.texts import for_markdown, number_of

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
        return within(self._counted, seconds=self.seconds, shown="how many tables agree")

    def _counted(self) -> int:
        # Boxes are counted as they are found, because there may be too many to keep.
        known = "_boxes" in vars(self)
        return sum(map(count_of, [self._boxes] if known else Search(self.scores, self.sizes).boxes()))

    @property
    def tables(self) -> Iterator[Table]:
        """The tables (TP, FN, FP, TN) that agree, in the order of n, P, TP and TN; listed as they are asked for.

        :raises BudgetError: if they cannot be found in time
        """
        return tables_in(self._boxes)

    @property
    def confusion_matrices(self) -> Iterator[ConfusionMatrix]:
        """The same tables as confusion matrices of the labels 0 and 1, the positive class, as metrics take them.

        :raises BudgetError: if they cannot be found in time

        >>> from symmetrics.auditing import audit
        >>> from symmetrics.library import metrics
        >>> first = next(audit({"accuracy": "0.95", "f1": "0.90"}, n=100).confusion_matrices)
        >>> first, first.matrix.tolist(), round(metrics["mcc"].from_confusion(first), 4)
        (<ConfusionMatrix of 100 examples, 2 classes: 0, 1>, [[73.0, 5.0], [0.0, 22.0]], 0.8733)
        """
        for table in self.tables:
            yield ConfusionMatrix.of([1, 1, 0, 0], [1, 0, 1, 0], labels=[0, 1], sample_weight=table)

    @cached_property
    def proof(self) -> Proof:
        """The record of a search that left all tables out, for the scores of the clash; other code can check it.

        :raises InputError: if it is not impossible
        :raises BudgetError: if it cannot be recorded in time
        """
        if self.status != "impossible":
            raise InputError(f"what is {self.status} has no proof; only what is impossible has one")
        scores = tuple(score for score in self.scores if score.name in self.clash)
        record: dict[Zeros, Splits] = {}

        search = Search(scores, self.sizes).boxes(record)
        within(lambda: deque(search, maxlen=0), seconds=self.seconds, shown="a proof that no table agrees")
        return Proof(scores, self.sizes, {zeros: splits.tree for zeros, splits in record.items()})

    def bounds(self, metric: Metric | Expr | str) -> tuple[Expr, Expr]:
        """Return the exact least and greatest value of a metric over all tables that agree.

        :raises InputError: if no table agrees, or the metric has a finite value at none of them
        :raises UnsupportedError: if more than a million tables agree
        :raises BudgetError: if they cannot be found in time
        """
        asked = as_metric(metric)
        tables = self._listed(f"bounds of {asked.name}")
        values = np.atleast_1d(np.asarray(asked.from_counts(tables.astype(np.float64))))
        known = np.isfinite(values)
        if not known.any():
            raise InputError(f"{asked.name} has a finite value at no table that agrees")
        tables, values = tables[known], values[known]

        def extremes() -> tuple[Expr, Expr]:
            return _extreme(asked, tables, values, min), _extreme(asked, tables, values, max)

        return within(extremes, seconds=self.seconds, shown=f"exact bounds of {asked.name}")

    def interval(self, metric: Metric | Expr | str, *, level: float = 0.95, method: str = "auto") -> IntervalHull:
        """Return the least and the greatest end of a metric's confidence intervals over all tables that agree.

        It contains the interval of the table that was scored, whichever of them that is, so that it holds the true
        value at least as often.

        :param level, method: as :meth:`symmetrics.Metric.interval` takes them
        :raises InputError: if no table agrees, and on what that method refuses
        :raises UnsupportedError: if more than a million tables agree
        :raises BudgetError: if it takes more time than the search was given

        >>> from symmetrics.auditing import audit
        >>> audit({"accuracy": "0.95", "f1": "0.90"}, n=100).interval("f1")
        0.7753 to 0.9619 (95 % score, over all 24 tables that agree)
        """
        asked = as_metric(metric)
        tables = self._listed(f"an interval of {asked.name}")

        def found() -> IntervalHull:
            one = asked.interval(*tables.T, level=level, method=method)
            words = one.method if one.method_at is None else ", ".join(sorted(set(map(str, one.method_at.ravel()))))
            return IntervalHull(float(np.min(one.low)), float(np.max(one.high)), words, level, len(tables))

        return within(found, seconds=self.seconds, shown=f"an interval of {asked.name}")

    def possible_parameters(self, name: str) -> Set:
        """Return the exact values of a score's parameter, such as beta, with which the reported scores can be true.

        The score need not be possible with the default: the tables are those that agree with all others.

        :param name: the reported score, whose metric has one parameter
        :returns: intervals, joined; empty if no value does
        :raises UnknownNameError: if no such score is reported
        :raises InputError: if its metric has no parameter
        :raises UnsupportedError: if it has several, or more than a million tables agree with the other scores
        :raises BudgetError: if it takes more time than the search was given

        >>> from symmetrics.auditing import audit
        >>> scores = {"precision": "0.80", "recall": "0.60", "f_beta": "0.63"}
        >>> found = audit(scores, positives=100, negatives=900)
        >>> found.status, found.possible_parameters("f_beta")  # by default F1; F2 is possible
        ('impossible', Interval.Lopen(sqrt(3), sqrt(21)/2))
        """
        score = next((score for score in self.scores if score.name == name), None)
        if score is None:
            raise UnknownNameError("score", str(name), [score.name for score in self.scores])
        others = tuple(other for other in self.scores if other is not score)

        def found() -> Set:
            boxes = list(Search(others, self.sizes).boxes())
            if (count := sum(map(count_of, boxes))) > LISTED:
                raise UnsupportedError(f"{number_of(count, 'table')} agree with the other scores, too many; add scores")
            tables = itertools.chain.from_iterable(map(tables_in, boxes))
            return parameter_values(score.metric, score.reported, tables)

        return within(found, seconds=self.seconds, shown=f"the parameter of {name}")

    def _listed(self, wanted: str) -> Ints:
        """Return all tables that agree, one in each row.

        :param wanted: what they are for
        :raises InputError: if there is none
        :raises UnsupportedError: if there are more than a million
        """
        if self.status == "impossible":
            raise InputError(f"{wanted}: no table agrees with the scores; correct them, or the sizes")
        if self.count > LISTED:
            raise UnsupportedError(f"{number_of(self.count, 'table')} agree, too many for {wanted}; pass more scores")
        return np.fromiter(itertools.chain.from_iterable(self.tables), dtype=np.int64).reshape(-1, 4)

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

    def to_html(self, path: str | Path | None = None) -> str:
        """Return what was found as an HTML page, like :meth:`Audits.to_html`."""
        return Audits({"scores": self}).to_html(path)

    @property
    def printed(self) -> dict[str, Reported]:
        """What is reported, by name."""
        return {score.name: score.reported for score in self.scores}

    @property
    def size(self) -> str:
        """The sizes that are known, in words."""
        sizes = self.sizes
        parts = [("n", sizes.total), ("positives", sizes.positives), ("negatives", sizes.negatives)]
        known = [f"{name} = {low}" for name, (low, high) in parts if low == high]
        return ", ".join(known) or f"n up to {sizes.total[1]}"

    def lines(self) -> Iterator[str]:
        """Yield what was found in plain words."""
        told = ", ".join(f"{name} {reported}" for name, reported in self.printed.items())
        yield f"{self.status}: {told}; {self.size}"
        yield self.reason

    @property
    def reason(self) -> str:
        """A table that agrees, or the scores that clash and how they would not, or what would decide it, in words."""
        if self.example is not None:
            return "for instance TP = {}, FN = {}, FP = {}, TN = {}".format(*self.example)
        if self.status == "open":
            return f"not decided within {self.seconds:g} s; pass the sizes of the classes, or more seconds"
        verb = "has no such value" if len(self.clash) == 1 else "contradict each other"
        told = f"{' and '.join(self.clash)} {verb}"
        return f"{told}; possible if {', or if '.join(self.readings)}" if self.readings else told

    def __repr__(self) -> str:
        return "\n".join(self.lines())


@dataclass(frozen=True, repr=False)
class IntervalHull:
    """The least and the greatest end of confidence intervals at several tables.

    :param low, high: the ends
    :param method: how the intervals were found; the methods, if it is not the same at all tables
    :param level: how often the interval of each table contains the true value, at least so often does this one
    :param count: of how many tables
    """

    low: float
    high: float
    method: str
    level: float
    count: int

    def __iter__(self) -> Iterator[float]:
        """Give the two ends, so that they can be unpacked."""
        return iter((self.low, self.high))

    def __repr__(self) -> str:
        tables = "the one table that agrees" if self.count == 1 else f"all {number_of(self.count, 'table')} that agree"
        told = f"{100 * self.level:g} % {self.method}, over {tables}"
        return f"{self.low:.4g} to {self.high:.4g} ({told})"


@dataclass(frozen=True, repr=False)
class Audits:
    """The audits of a table of results, by row.

    :param rows: by the name of the row
    """

    rows: Mapping[str, Audit | MeanAudit | MatrixAudit]

    @property
    def status(self) -> str:
        """``"impossible"`` if one row is, or else ``"open"`` if one is, or else ``"possible"``."""
        found = {one.status for one in self.rows.values()}
        return next((status for status in ("impossible", "open") if status in found), "possible")

    def to_dict(self) -> dict[str, Any]:
        """Return what was found as plain values, by row."""
        return {name: one.to_dict() for name, one in self.rows.items()}

    def to_document(self) -> Document:
        """Return a table with a line for each row; of a single row, its scores below its status."""
        found = Counter(one.status for one in self.rows.values())
        counts = ", ".join(f"{found[status]} {status}" for status in _KINDS if found[status])
        sizes = "; ".join(dict.fromkeys(one.size for one in self.rows.values()))
        told = (
            f"{number_of(len(self.rows), 'row')}: {counts} ({sizes}). Each value stands for the interval beside it. "
            "Impossible is certain, for all tables of these sizes; possible means that tables with the scores exist."
        )
        blocks = self._of_one_row() if len(self.rows) == 1 else (self._of_rows(),)
        return Document("Can these scores be true?", (Paragraph((told,)), *blocks), is_wide=len(self.rows) > 1)

    def _of_one_row(self) -> tuple[Block, ...]:
        ((name, one),) = self.rows.items()
        scores = tuple(
            (Cell((score,)), Cell((reported.text,)), Cell((reported.interval,)))
            for score, reported in one.printed.items()
        )
        head = texts(("score", "as reported", "interval"))
        return Paragraph((f"{name}: {one.status}; {one.reason}",)), Grid(head, scores, "lll", has_row_heads=True)

    def _of_rows(self) -> Grid:
        names = list(dict.fromkeys(name for one in self.rows.values() for name in one.printed))
        rows = [
            (
                Cell((name,)),
                Cell((one.status,), kind=_KINDS[one.status]),
                Cell((one.reason,)),
                *_cells_of(one.printed, names),
            )
            for name, one in self.rows.items()
        ]
        head = texts(("row", "status", "why, or an example", *names))
        return Grid(head, tuple(rows), "l" * len(head), has_row_heads=True)

    def to_markdown(self) -> str:
        """Return a table with a line for each row."""
        from symmetrics.tools.documents.markdown import markdown_blocks

        return markdown_blocks(self.to_document().blocks[1:], for_markdown, padded=True)

    def to_html(self, path: str | Path | None = None) -> str:
        """Return a self-contained HTML page with a line for each row, impossible ones marked.

        :param path: a file to write it to as well
        :raises InputError: if the file cannot be written
        """
        from symmetrics.tools.documents.html import html_page

        page = html_page(self.to_document())
        if path is not None:
            write_text(Path(path), page)
        return page

    def __repr__(self) -> str:
        width = max(map(len, self.rows), default=0)
        return "\n".join(f"{name:{width}}  {one.status}: {one.reason}" for name, one in self.rows.items())


_KINDS: Final = {"impossible": "no", "open": "open", "possible": "yes"}
"""The class of each status in the style sheet."""


def _cells_of(printed: Mapping[str, Reported], names: Sequence[str]) -> Iterator[Cell]:
    """Yield what a row reports of each of some scores, empty where it reports none."""
    for name in names:
        unbroken = printed[name].interval.replace(" ", "\N{NO-BREAK SPACE}") if name in printed else ""
        yield Cell((printed[name].text, " ", Small(unbroken)) if name in printed else ())


def _extreme(metric: Metric, tables: Any, values: Any, choose: Any) -> Expr:
    """Return the exact extreme of a metric: of the tables whose floats are near it, the exact one decides."""
    end = choose(values)
    near = tables[np.abs(values - end) <= 1e-9 * (1 + abs(end))]
    found: Expr = choose(metric.exact(*map(int, table)) for table in near)
    return found
