"""The ends of the values of a metric: on tables of positive cells, and where cells may be zero."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import numpy as np
from sympy import Expr, S

from symmetrics.claims.families.limits import STEP
from symmetrics.claims.verdict import Verdict
from symmetrics.claims.witness import Counts
from symmetrics.claims.wording.curves import is_attained
from symmetrics.language.formula import parse_formula
from symmetrics.metric import Metric
from symmetrics.query.proving import prove
from symmetrics.tools.budget import SECONDS

LARGEST: Final = 3
"""Largest cell of the tables that are tried where the evidence names none."""
CLOSE: Final = 1e-6
"""How far a value in floating point may be from one that is the same; rounding leaves much less."""
_INFINITE: Final[Mapping[str, Expr]] = {"oo": S.Infinity, "-oo": S.NegativeInfinity}


@dataclass(frozen=True)
class End:
    """One end of the values of a metric.

    :param side: ``"lower"`` or ``"upper"``
    :param bound: the largest lower, or the smallest upper bound; infinite if there is none
    :param is_reached: whether the metric has this value at some table of positive cells; None if that is not decided
    :param inside: such a table
    :param on_boundary: a table with cells that are zero at which the metric has this value; None if none is known
    :param path: where the metric tends to it, as a table whose cells depend on a number s that tends to 0 from above
    """

    side: str
    bound: Expr
    is_reached: bool | None
    inside: Counts | None
    on_boundary: Counts | None
    path: tuple[str, ...]


def ends_of(metric: Metric, *, seconds: float = SECONDS) -> tuple[End, ...]:
    """Return what is proved of the ends of the values of a metric, none, one or both.

    The bounds are those that the verdict on the property ``range`` has.  The tables are looked at in exact arithmetic:
    a table at which the metric does not have the value is not returned.

    :param metric: a metric without parameters
    :param seconds: how long the range may be looked for, if it is not on record

    >>> from symmetrics.library import metrics
    >>> lower, upper = ends_of(metrics["mcc"])
    >>> lower.bound, lower.is_reached, lower.on_boundary
    (-1, False, Counts(tp=0, fn=1, fp=1, tn=0))
    """
    verdict = prove(metric, "range", seconds=seconds)
    if verdict.evidence.kind != "range" or verdict.status == "open":
        return ()
    return tuple(_end(metric, verdict, side) for side in ("lower", "upper") if side in verdict.evidence.data)


def _end(metric: Metric, verdict: Verdict, side: str) -> End:
    data: Mapping[str, Any] = verdict.evidence.data[side]
    bound = _INFINITE[data["bound"]] if data["bound"] in _INFINITE else parse_formula(data["bound"])
    path = tuple(cell.replace(STEP.name, "s") for cell in data["path"])
    inside = _table(data["path"]) if is_attained(data) else None
    corner = _table(data["corner"]) if "corner" in data else _on_boundary(metric, bound)
    if corner is not None and not _has(metric, corner, bound):
        corner = None
    return End(side, bound, is_attained(data), inside, corner, path)


def _table(cells: Any) -> Counts:
    return Counts(*map(parse_formula, cells))


def _has(metric: Metric, table: Counts, value: Expr) -> bool:
    """Whether a metric is certain to have a value at a table of rational cells."""
    found = metric.exact(*table)
    return found == value or bool(found.is_finite and value.is_finite and (found - value).equals(0))


@lru_cache(maxsize=512)
def _on_boundary(metric: Metric, bound: Expr) -> Counts | None:
    """Return the smallest table with a cell that is zero, and none above a few, at which a metric has a value.

    Numbers say which tables are worth an exact look.
    """
    tables = [table for table in itertools.product(range(LARGEST + 1), repeat=4) if 0 in table and any(table)]
    tables.sort(key=lambda table: (sum(table), table))
    values = metric.from_counts(np.array(tables, dtype=np.float64))
    for place in np.flatnonzero(np.isclose(values, float(bound), rtol=CLOSE, atol=CLOSE)):
        if _has(metric, Counts(*tables[place]), bound):
            return Counts(*tables[place])
    return None
