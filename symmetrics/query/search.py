"""Which metrics have the properties that are asked for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sympy import Expr
from tqdm import tqdm

from symmetrics.claims.verdict import Verdict
from symmetrics.library import metrics as library
from symmetrics.metric import Metric
from symmetrics.query.proving import as_metric, as_property, prove
from symmetrics.tools.catalogue import Catalogue
from symmetrics.tools.errors import InputError

__all__ = ["find"]


def find(
    *, metrics: Iterable[Metric | Expr | str] | None = None, progress: bool | None = None, **wanted: bool | None
) -> Catalogue[Metric]:
    """Return the metrics whose properties are as wanted, at the defaults of their parameters.

    :param metrics: the metrics to choose from; by default the library
    :param progress: whether to show a progress bar; by default only on a terminal
    :param wanted: for each property, by key, True if it has to hold, False if it must not, None if it has to be open;
        what is open in general and decided at the defaults counts as decided
    :returns: the metrics by key, as ``symmetrics.metrics`` has them
    :raises UnknownNameError: if there is no property of a name
    :raises InputError: if no property is wanted, or a value is none of True, False and None

    >>> find(metrics=["precision", "tpr", "npv"], p2=True, p4=False)
    <2 metric records: precision, tpr>
    """
    if not wanted:
        raise InputError("no property to look for: name one or more, as in find(p1=True)")
    for key, value in wanted.items():
        as_property(key)
        if value not in (True, False, None) or not isinstance(value, (bool, type(None))):
            raise InputError(f"{key}={value!r}: it is True, False, or None for what is open")
    chosen = list(library.values()) if metrics is None else [as_metric(metric) for metric in metrics]
    bar = tqdm(chosen, desc="find", disable=None if progress is None else not progress, leave=False)
    return Catalogue("metric", tuple(metric for metric in bar if _has(metric, wanted)))


def _has(metric: Metric, wanted: Mapping[str, bool | None]) -> bool:
    return all(_is(prove(metric, key), value) for key, value in wanted.items())


def _is(verdict: Verdict, value: bool | None) -> bool:
    # A condition on a parameter without a default is neither yes nor no, and not open; what is open in general may be
    # known at the defaults.
    return verdict.holds is value and (value is not None or verdict.status == "open")
